"""Which values of a row stay in registers between the stages of a stitched kernel.

    max[i]; e[i][j] = exp(x[i][j] - max[i]); sum[i] += e[i][j]; y[i][j] = e[i][j] / sum[i]

Here `x` and `e` are values of the elements, `max` and `sum` of the row: `e` and the locals never go to memory,
and `x` is loaded once.  An occurrence means a promotion if its access relation { [kept, element] -> A[a] } is that of
the promotion; occurrences of an array that is written and read in any other way cannot be served (`NotFused`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from collections.abc import Sequence as Seq
from functools import cached_property
from itertools import combinations

import islpy as isl

from pencilc import islx
from pencilc.analysis.affinity import (
    accesses_at,
    base_name,
    certain_indices,
    evaluated,
    is_contiguous,
    is_indexed_whole,
    is_partial,
    outermost_indices,
    subscripts,
)
from pencilc.analysis.box import Domains
from pencilc.analysis.iterators import iterator_of, moves_inside
from pencilc.analysis.lifetime import accesses_outside, is_seen
from pencilc.gpu.fusion.not_fused import NotFused
from pencilc.gpu.shapes.shape import Reads, Shaper
from pencilc.ir.mapping import RegisterPromotion
from pencilc.ir.queries import mentions_any
from pencilc.ir.schedule import Row
from pencilc.ir.scop import Access, AccessKind, ArrayKind, Statement, StatementKind
from pencilc.ir.shapes import BoxDimension, VectorAccess
from pencilc.ir.source import Assign, Expr, Index, Name, ReductionUpdate, walk
from pencilc.ir.storage import Result, Storage
from pencilc.records import dataclass

# Elements of more bytes are read where they are needed; a thread could hold few of them.
LARGEST_READ = 64


@dataclass(frozen=True, slots=True)
class StageStatement:
    """A statement in its stage; `of_row`: it runs once for each row, not for each element."""

    statement: str
    stage: int
    of_row: bool


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows that all stages share, and the images { [kept] } and { [kept, element] } of all statements."""

    kept: tuple[Row, ...]
    element: tuple[Row, ...]
    kept_points: isl.Set
    points: isl.Set
    box: tuple[BoxDimension, ...]  # of the element rows
    host: tuple[Row, ...]  # of the loops on the host around them

    @property
    def around(self) -> tuple[Row, ...]:
        """All rows around an element."""
        return (*self.host, *self.kept, *self.element)


@dataclass(frozen=True, slots=True, eq=False)
class _StepAccess:
    """One access in one step; `relation`: { [kept, element] -> A[a] }, or { [kept] -> A[a] } for a step of the row."""

    step: StageStatement
    access: Access
    relation: isl.Map

    @property
    def writes(self) -> bool:
        return self.access.kind.writes

    @property
    def reads(self) -> bool:
        return self.access.kind in (AccessKind.READ, AccessKind.UPDATE)


def _collide(first: _StepAccess, second: _StepAccess) -> bool:
    """Whether different threads of a row may write one element, in two steps between which nobody waits."""
    if first.step == second.step or first.access.array != second.access.array:
        return False
    if first.step.of_row and second.step.of_row:
        return False  # one thread runs both
    if first.step.of_row != second.step.of_row:
        return not first.relation.range().is_disjoint(second.relation.range())
    pairs = first.relation.apply_range(second.relation.reverse())
    return not pairs.is_subset(isl.Map.identity(pairs.get_space()))


class RegisterPromoter:
    """Finds the promotions of one run of kernels.

    `accumulated` are the updates that go to accumulators.  Unless `scattered`, elements that are promoted are runs in
    memory, loaded and stored in chunks.
    """

    def __init__(
        self, shaper: Shaper, domains: Domains, rows: Rows, steps: Seq[StageStatement], accumulated: Collection[str],
        storage: Seq[Storage], scattered: bool,
    ) -> None:  # fmt: skip
        self.scattered = scattered
        self.shaper, self.scop, self.domains, self.rows = shaper, shaper.scop, domains, rows
        self.steps, self.accumulated = steps, accumulated
        self.storage = {s.array: s for s in storage}
        self.inside = {s.statement for s in steps}
        self.functions = [islx.pw_affs_of(row.function) for row in (*rows.kept, *rows.element)]
        self.returning: list[str] = []  # statements that write the result of the region
        self.has_gaps = False  # whether elements were met that are no runs

    def find(self) -> tuple[tuple[RegisterPromotion, ...], tuple[str, ...]]:
        """The promotions, and the statements of the row that one thread runs alone; raises NotFused."""
        promotions, by_one_thread = self._find()
        if self.scattered:
            # What one stage alone loads or stores needs no register in between.
            promotions = [s for s in promotions if s.of_row or s.first < s.last or (s.loaded < 0 and s.stored < 0)]
        return tuple(promotions), tuple(dict.fromkeys(by_one_thread))

    def _find(self) -> tuple[list[RegisterPromotion], list[str]]:
        promotions: list[RegisterPromotion] = []
        by_symbol = self._by_symbol()
        by_one_thread = [*self.returning]
        for symbol, uses in by_symbol.items():
            if not any(u.writes for u in uses):
                promotions += self._read_only(symbol)
                continue
            promotion = self._written(symbol, uses)
            if promotion is not None:
                promotions.append(promotion)
            elif any(u.reads for u in uses):
                raise NotFused(f"`{symbol}` is written and read in different places")
            elif any(_collide(a, b) for a, b in combinations(uses, 2)):
                raise NotFused(f"`{symbol}` is written by different threads")
            else:
                by_one_thread += [u.step.statement for u in uses if u.step.of_row]
        if any(
            promotion.of_row and self.writes(name, promotion.symbol)
            for name in by_one_thread
            for promotion in promotions
        ):
            raise NotFused("a statement of the row writes to memory and to a register")
        return promotions, by_one_thread

    # ---- uses --------------------------------------------------------------------------------------

    def _by_symbol(self) -> dict[str, list[_StepAccess]]:
        found: dict[str, list[_StepAccess]] = {}
        for step in self.steps:
            record = self.scop.statement(step.statement)
            # A statement reads before it writes.
            for access in sorted(record.accesses, key=lambda a: a.kind.writes):
                array = self.scop.array(access.array)
                name = array.symbol.name
                if access.kind is AccessKind.KILL or not self.storage[name].is_in_memory:
                    if isinstance(self.storage[name].residence, Result) and access.kind.writes:
                        self.returning.append(step.statement)
                    continue
                if access.kind is AccessKind.UPDATE and step.statement in self.accumulated:
                    continue
                if not self.shaper.is_plain(name) and self._any_write(name):
                    raise NotFused(f"members of `{name}` are written one by one")
                found.setdefault(name, []).append(_StepAccess(step, access, self._relation(step, access)))
        return found

    def _any_write(self, symbol: str) -> bool:
        written = self.scop.written(step.statement for step in self.steps)
        return any(array.name in written for array in self.scop.arrays_of(symbol))

    def _relation(self, step: StageStatement, access: Access) -> isl.Map:
        return access.relation.intersect_domain(self.domains[step.statement]).apply_domain(self._times(step))

    def _times(self, step: StageStatement) -> isl.Map:
        """{ S[i] -> [kept] } for a step of the row, else { S[i] -> [kept, element] }."""
        times = isl.Map.from_domain(self.domains[step.statement])
        for functions in self.functions[: len(self.rows.kept)] if step.of_row else self.functions:
            times = times.flat_range_product(isl.Map.from_pw_aff(functions[step.statement]))
        return times

    def writes(self, statement: str, symbol: str) -> bool:
        """Whether a statement may write a variable."""
        return any(
            a.kind.writes and self.scop.array(a.array).symbol.name == symbol
            for a in self.scop.statement(statement).accesses
        )

    @cached_property
    def last_writes(self) -> dict[str, int]:
        """The number of the last step that may write a variable, for each that any does."""
        found: dict[str, int] = {}
        for number, step in enumerate(self.steps):
            for name in self.scop.written((step.statement,)):
                found[self.scop.array(name).symbol.name] = number
        return found

    def is_full(self, step: StageStatement) -> bool:
        """Whether the step's statement has an instance for every row, or for every element of every row."""
        whole = self.rows.kept_points if step.of_row else self.rows.points
        return bool(whole.is_subset(self._times(step).intersect_domain(self.domains[step.statement]).range()))

    # ---- values that the kernel writes -------------------------------------------------------------

    def _written(self, symbol: str, uses: Seq[_StepAccess]) -> RegisterPromotion | None:
        """The promotion of a variable that is written in the kernel; None if it cannot have one."""
        records = [self.scop.statement(u.step.statement) for u in uses]
        if not all(is_indexed_whole(root, symbol) for record in records for root in record.roots):
            return None  # a helper that is given the array finds its elements in memory
        of_row = any(u.step.of_row for u in uses)
        # Elements may be none in some rows, so that a statement of the row tells where its value lives.
        telling = next((u for u in uses if u.step.of_row and self.is_full(u.step)), uses[0])
        whole = self._one_place(uses, telling, of_row)
        if whole is None:
            return None
        if uses[0].writes and not self._is_certain_write(uses[0], of_row):
            return None
        accesses = tuple(
            pair for step in dict.fromkeys(u.step for u in uses) for pair in self._occurrences(step, symbol)
        )
        if not of_row and not self._all_contiguous(accesses):
            return None
        loaded = uses[0].step.stage if not uses[0].writes and not self._is_fresh(symbol) else -1
        if loaded >= 0 and not (self._can_load(telling, symbol) and self._is_set_before(symbol, whole)):
            return None
        last = max(u.step.stage for u in uses if u.writes)
        stages = [u.step.stage for u in uses]
        size = self.scop.array(uses[0].access.array).element.size
        stored = last if is_seen(self.scop, symbol, self.inside) else -1
        names = [statement for statement, _ in accesses]
        if telling.step.statement not in names:
            return None
        address = names.index(telling.step.statement)
        return RegisterPromotion(
            symbol, of_row, accesses, size, loaded, stored, min(stages), max(stages), address=address
        )

    def _one_place(self, uses: Seq[_StepAccess], telling: _StepAccess, of_row: bool) -> isl.Map | None:
        """{ [kept, element] -> A[a] } of the use that tells where the value lives; None if another one is elsewhere.

        With `of_row` the value is one of the row: { [kept] -> A[a] }.
        """
        whole = self._of_row(telling) if of_row else telling.relation
        if whole is None:
            return None
        for use in uses:
            exact = use.access.exact or (use.reads and use.access.member_path)  # a member is read: of which element?
            relation = self._of_row(use) if of_row else use.relation
            if relation is None or not relation.is_single_valued() or not exact:
                return None
            if use is not telling and not relation.is_subset(whole):
                return None
        return whole

    def _is_fresh(self, symbol: str) -> bool:
        """Whether nobody has written a local before: what a statement reads of it, it has written itself."""
        arrays = self.scop.arrays_of(symbol)
        for array in arrays:
            if array.kind is not ArrayKind.LOCAL or len(array.scope_iterators) < len(self.rows.host):
                return False
        return not any(access.kind.writes for access in accesses_outside(self.scop, symbol, self.inside))

    def _of_row(self, use: _StepAccess) -> isl.Map | None:
        """{ [kept] -> A[a] }; None if the element matters."""
        if use.step.of_row:
            return use.relation
        if use.writes:
            return None
        return self._project(use.relation)

    def _project(self, relation: isl.Map) -> isl.Map:
        """{ [kept] -> A[a] } from { [kept, element] -> A[a] }."""
        return relation.project_out(isl.dim_type.in_, len(self.rows.kept), len(self.rows.element))

    def _is_certain_write(self, use: _StepAccess, of_row: bool) -> bool:
        record = self.scop.statement(use.step.statement)
        if not record.certainly_writes(use.access):
            return False
        plain = isinstance(record.body, Assign) or record.kind is StatementKind.MERGE
        return plain and use.step.of_row == of_row and self.is_full(use.step)

    def _can_load(self, use: _StepAccess, symbol: str) -> bool:
        if not self.is_full(use.step):
            return False
        record = self.scop.statement(use.step.statement)
        if self._is_scalar(symbol) or (use.access.kind is AccessKind.MUST_WRITE and not record.guards):
            return True
        return any(r.certain and base_name(r.index) == symbol for r in self._reads(record))

    def _is_set_before(self, symbol: str, whole: isl.Map | None) -> bool:
        """Whether kernels before may have set what `whole` { [kept, element] -> A[a] } loads, in every row.

        A local that only elements read need not have a value where a row has none: where a loop runs no times, say.
        """
        if whole is None or any(array.kind is not ArrayKind.LOCAL for array in self.scop.arrays_of(symbol)):
            return True
        is_of_row = islx.dimensions(self.rows.kept_points) == whole.dim(isl.dim_type.in_)
        wanted = whole.intersect_domain(self.rows.kept_points if is_of_row else self.rows.points).range()
        for statement in self.scop.statements:
            if statement.name in self.inside or statement.kind is StatementKind.INIT:
                continue
            for access in statement.accesses:
                if access.array == islx.set_name(wanted) and access.kind.writes:
                    wanted = wanted.subtract(access.relation.intersect_domain(statement.domain).range())
        return bool(wanted.intersect_params(self.scop.context).is_empty())

    def _is_scalar(self, symbol: str) -> bool:
        return any(not array.extents for array in self.scop.arrays_of(symbol))

    # ---- occurrences -------------------------------------------------------------------------------

    def _occurrences(self, step: StageStatement, symbol: str) -> Iterator[tuple[str, Expr]]:
        """The expressions of a statement that mean the variable."""
        record = self.scop.statement(step.statement)
        for reduction in self.scop.reductions:
            if reduction.merge == step.statement and base_name(reduction.variable) == symbol:
                yield step.statement, reduction.variable
        roots = record.roots
        if step.statement in self.accumulated and isinstance(record.body, ReductionUpdate):
            roots = (*record.guards, record.body.element)
        for root in roots:
            if self._is_scalar(symbol):
                yield from ((step.statement, n) for n in walk(root) if isinstance(n, Name) and n.symbol.name == symbol)
            else:
                yield from ((step.statement, i) for i in outermost_indices(root) if base_name(i) == symbol)

    def _all_contiguous(self, accesses: Seq[tuple[str, Expr]]) -> bool:
        return all(self._is_contiguous(statement, expr) for statement, expr in accesses)

    def _is_contiguous(self, statement: str, expr: Expr) -> bool:
        if isinstance(expr, Name):
            return True
        if not isinstance(expr, Index) or is_partial(expr):
            return False
        if self.scattered:
            return True
        if len(self.rows.element) > 1:
            whole = len(subscripts(expr)[1]) == len(self.rows.element)
            found = whole and self.shaper.collapses(VectorAccess(statement, expr), self.rows.element, self.rows.box)
            self.has_gaps |= not found
            return found
        iterator = iterator_of(self.scop, self.rows.element[0], statement)
        found = iterator is not None and is_contiguous(expr, iterator)
        self.has_gaps |= not found and (iterator is None or mentions_any(expr, iterator))
        return found

    # ---- values that the kernel only reads ---------------------------------------------------------

    def _read_only(self, symbol: str) -> list[RegisterPromotion]:
        """A promotion for each different element that the stages read, where it may be loaded for the whole row."""
        groups: list[tuple[isl.Map, list[tuple[StageStatement, Index]], int]] = []
        for step, read in self._reads_of_elements.get(symbol, ()):
            if not self._is_contiguous(step.statement, read.index):
                continue
            access = self._access_of(step.statement, read.index)
            if (
                access is None
                or read.inner
                or read.size > LARGEST_READ
                or not (read.certain or self.shaper.in_bounds(read, self.domains))
            ):
                continue
            relation = self._relation(step, access)
            if self._project(relation).is_single_valued():
                continue  # one value for the row: every thread reads it where it needs it
            for known, members, _ in groups:
                if known.is_equal(relation):
                    members.append((step, read.index))
                    break
            else:
                groups.append((relation, [(step, read.index)], read.size))
        return [self._promotion_of(symbol, members, size) for _, members, size in groups]

    @cached_property
    def _reads_of_elements(self) -> dict[str, list[tuple[StageStatement, Reads]]]:
        """What each element of each row reads, by variable."""
        found: dict[str, list[tuple[StageStatement, Reads]]] = {}
        for step in self.steps:
            if step.of_row or not self.is_full(step):
                continue
            for read in self._reads(self.scop.statement(step.statement)):
                found.setdefault(base_name(read.index), []).append((step, read))
        return found

    @staticmethod
    def _promotion_of(symbol: str, members: Seq[tuple[StageStatement, Index]], size: int) -> RegisterPromotion:
        stages = [step.stage for step, _ in members]
        accesses = tuple((step.statement, index) for step, index in members)
        return RegisterPromotion(symbol, False, accesses, size, min(stages), -1, min(stages), max(stages))

    def _reads(self, record: Statement) -> Iterator[Reads]:
        # A loop inside the element may be empty, and then reads nothing.
        whole = len(record.iterators) <= len(self.rows.around)
        for number, root in enumerate((*record.guards, *evaluated(record.body))):
            certain = certain_indices(root) if whole and (number == 0 or not record.guards) else []
            for index in outermost_indices(root):
                if not is_partial(index):
                    sure = any(index is other for other in certain)
                    inner = moves_inside(self.scop, self.rows.around, record.name, index)
                    yield Reads(record.name, index, index.type.size, sure, inner)

    def _access_of(self, statement: str, index: Index) -> Access | None:
        """The access that `index` is; None where the model has none, or several, or does not know its elements."""
        found = accesses_at(self.scop, statement, index)
        return found[0] if len(found) == 1 and found[0].exact else None
