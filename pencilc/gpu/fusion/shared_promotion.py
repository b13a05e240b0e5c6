"""Which variables of a composed kernel live in the shared memory of the block that has the row.

    score[i][j] = sum of q[i][d] * k[i][j][d];  y[i] = sum of score[i][j] * v[i][j]

The row i determines the leading subscript of `score`: a block keeps score[i][..] for the stages that need it, and it
is never stored if nobody else does.  `q[i][..]`, which every j reads again, is fetched once.  An array stays in memory,
which the threads of a block see alike behind a barrier, where its elements cannot be told.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import reduce

import islpy as isl

from pencilc import islx
from pencilc.analysis.affinity import evaluated, is_contiguous, is_indexed_whole, outermost_indices, subscripts
from pencilc.analysis.box import Domains, at_rows, box_of, hull_of
from pencilc.analysis.iterators import iterator_of
from pencilc.analysis.lifetime import is_seen
from pencilc.gpu.shapes.shape import Reads, Shaper
from pencilc.ir.build import variable
from pencilc.ir.mapping import Copied, RowPart, SharedPromotion
from pencilc.ir.queries import mentions_any
from pencilc.ir.schedule import Row, statements_of
from pencilc.ir.scop import Access, AccessKind, Array, Scop, Statement, StatementKind
from pencilc.ir.shapes import Kernel
from pencilc.ir.source import INT, Assign, Index, Name, Symbol
from pencilc.ir.source_printer import print_expr
from pencilc.ir.storage import InBlock, Pointer, Storage, Workspace
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class _StageAccess:
    """One access of a stage; `order` counts the statements, `relation`: { [row] -> A[a] }."""

    stage: int
    order: int
    statement: str
    access: Access
    relation: isl.Map


@dataclass(frozen=True, slots=True, eq=False)
class _Element:
    """An access of a statement that has all subscripts of an array; `space` { A[a] }."""

    statement: str
    index: Index
    space: isl.Space


@dataclass(frozen=True, slots=True, eq=False)
class SharedPromotions:
    """What is shared, which variables are nowhere else, and the statements that write to memory as well."""

    shared: tuple[SharedPromotion, ...]
    on_chip: tuple[str, ...]
    stored: tuple[tuple[str, str], ...]


class SharedPromoter:
    """Finds the variables that `stages` share.

    `domains`: where the loops on the host stand at one value each; `inside_row`: and `rows` do so too; `around`: the
    rows of the host.  `loops`: for each stage the rows of the loops that the block has around it, stages with the same
    row being in the same loop.
    """

    def __init__(
        self, shaper: Shaper, domains: Domains, inside_row: Domains, around: Seq[Row], rows: Seq[Row],
        stages: Seq[Kernel], loops: Seq[Seq[Row]], storage: Seq[Storage],
    ) -> None:  # fmt: skip
        self.shaper, self.scop, self.domains, self.inside_row = shaper, shaper.scop, domains, inside_row
        self.around, self.rows, self.stages = tuple(around), tuple(rows), tuple(stages)
        self.loops = tuple(tuple(each) for each in loops)
        self.storage = {s.array: s for s in storage}
        self.inside = {name for stage in stages for name in stage.statements}
        reduced = {name for stage in stages for name in stage.reductions}
        self.accumulated = {u for r in self.scop.reductions_of(reduced) for u in r.updates}

    def find(self) -> SharedPromotions:
        """The variables, those of equal shape in one region where their lifetimes do not meet."""
        found: list[SharedPromotion] = []
        on_chip: list[str] = []
        stored: list[tuple[str, str]] = []
        for symbol, uses in self._by_symbol().items():
            arrays = [a for a in self.scop.arrays if a.symbol.name == symbol]
            if len(arrays) != 1 or not self._is_indexed_whole(symbol) or self.storage[symbol].is_interleaved:
                continue
            is_made = any(u.access.kind.writes for u in uses)
            is_stored = is_made and is_seen(self.scop, symbol, self.inside)
            kept = self._written(arrays[0], uses) if is_made else self._read_only(arrays[0], uses)
            if is_stored:
                kept = self._in_place(arrays[0], uses, is_made_before=kept is not None) or kept
            if kept is None or (is_stored and self.storage[symbol].expanded):
                continue
            if is_stored or not is_made:
                kept = self._in_memory_too(kept)
            found.append(self._in_region(kept, found))
            if is_stored and kept.left_behind is None:
                stored += [(name, symbol) for name in self._last_writers(uses)]
            elif is_made and not is_stored:
                on_chip.append(symbol)
        return SharedPromotions(tuple(found), tuple(on_chip), tuple(stored))

    # ---- uses --------------------------------------------------------------------------------------

    def _by_symbol(self) -> dict[str, list[_StageAccess]]:
        found: dict[str, list[_StageAccess]] = {}
        order = 0
        for number, stage in enumerate(self.stages):
            for name in stage.statements:
                order += 1
                # A statement reads before it writes.
                for access in sorted(self.scop.statement(name).accesses, key=lambda a: a.kind.writes):
                    symbol = self.scop.array(access.array).symbol.name
                    if access.kind is AccessKind.KILL or not self.storage[symbol].is_in_memory:
                        continue
                    if access.kind is AccessKind.UPDATE and name in self.accumulated:
                        continue
                    use = _StageAccess(number, order, name, access, self._of_row(name, access))
                    found.setdefault(symbol, []).append(use)
        return found

    def _of_row(self, statement: str, access: Access) -> isl.Map:
        """{ [row] -> A[a] }."""
        return self._at(statement, access, ())

    def _at(self, statement: str, access: Access, inner: Seq[Row]) -> isl.Map:
        """{ [row, inner] -> A[a] }."""
        domain = self.domains[statement]
        return access.relation.intersect_domain(domain).apply_domain(at_rows(domain, (*self.rows, *inner), statement))

    def _is_indexed_whole(self, symbol: str) -> bool:
        """Whether every occurrence of an array has all of its subscripts: no row of it goes to a helper."""
        for name in self.inside:
            record = self.scop.statement(name)
            for root in record.roots:
                if not is_indexed_whole(root, symbol):
                    return False
        return True

    # ---- variables that the stages make ------------------------------------------------------------

    def _written(self, array: Array, uses: Seq[_StageAccess]) -> SharedPromotion | None:
        """A variable that the stages read again, if all that is read was made in the row before."""
        if array.member_path:
            return None
        for use in uses:
            if use.access.member_path or not self._is_plain_write(use):
                return None
        readers = [u for u in uses if not u.access.kind.writes or u.access.kind is AccessKind.UPDATE]
        for reader in readers:
            if not self._is_made_before(reader, uses) and not any(self._is_made_at_point(u, reader) for u in uses):
                return None
        return self._shared(array, uses) if readers else None

    def _is_made_before(self, reader: _StageAccess, uses: Seq[_StageAccess]) -> bool:
        """Whether earlier stages certainly write all that is read: in this round of the loops around both."""
        made = [self._made_until(use, reader) for use in uses if use.stage < reader.stage and self._is_certain(use)]
        read = self._at(reader.statement, reader.access, self.loops[reader.stage])
        # `v[m / 2]` of no elements is none.
        extent = self.scop.array(reader.access.array).extent.set_tuple_name(read.get_tuple_name(isl.dim_type.out))
        read = read.intersect_range(extent)
        return bool(made) and bool(read.is_subset(reduce(isl.Map.union, made)))

    def _made_until(self, writer: _StageAccess, reader: _StageAccess) -> isl.Map:
        """{ [row, loops of the reader] -> A[a] }: what is written of this round, or in front of the loop."""
        inside = self.loops[reader.stage]
        shared = 0
        for one, other in zip(self.loops[writer.stage], inside, strict=False):
            if one is not other:
                break
            shared += 1
        found = self._at(writer.statement, writer.access, inside[:shared])
        return found.insert_dims(isl.dim_type.in_, len(self.rows) + shared, len(inside) - shared)

    def _is_made_at_point(self, writer: _StageAccess, reader: _StageAccess) -> bool:
        """Whether a statement before the reader writes, at the same point of the same stage, what it reads."""
        stage = self.stages[reader.stage]
        if writer.stage != reader.stage or writer.order >= reader.order or not self._is_certain(writer):
            return False
        both = {writer.statement, reader.statement}
        if both <= set(stage.post):
            rows = stage.kept
        elif both <= set(statements_of(stage.body)):
            rows = (*stage.kept, *stage.reduced)
        else:
            return False
        rows = (*self.loops[reader.stage], *rows)
        depth = len(self.around) + len(self.rows) + len(rows)
        # A loop inside the point might read what a later round of it writes.
        if any(len(self.scop.statement(name).iterators) != depth for name in both):
            return False
        written, read = (self._at(u.statement, u.access, rows) for u in (writer, reader))
        return bool(read.is_subset(written))

    def _is_certain(self, use: _StageAccess) -> bool:
        return self.scop.statement(use.statement).certainly_writes(use.access)

    def _is_plain_write(self, use: _StageAccess) -> bool:
        """Whether a use reads, or writes by an assignment or a merge node: what it writes is known from the model."""
        if not use.access.kind.writes:
            return True
        record = self.scop.statement(use.statement)
        return isinstance(record.body, Assign) or record.kind is StatementKind.MERGE

    def _last_writers(self, uses: Seq[_StageAccess]) -> list[str]:
        """The statements whose values are left in the end: the last one, if it writes all that others have."""
        writers = [u for u in uses if u.access.kind.writes]
        last = writers[-1]
        in_rounds = bool(self.loops[last.stage])  # whose later rounds others may write what it has written
        if not in_rounds and self._is_certain(last) and all(u.relation.is_subset(last.relation) for u in writers):
            return [last.statement]
        return list(dict.fromkeys(u.statement for u in writers))

    def _shared(self, array: Array, uses: Seq[_StageAccess]) -> SharedPromotion | None:
        """The variable with what the row determines of its subscripts; None if that is nothing."""
        relation = reduce(isl.Map.union, (u.relation for u in uses))
        fixed = _determined(relation)
        if fixed == 0:
            return None
        known = self.storage[array.symbol.name]
        depth = len(array.scope_iterators)
        left = tuple(d for d in known.expanded if array.scope_iterators.index(d.iterator) >= fixed)
        stages = [k for u in uses for k in self._whole_loop(u.stage)]
        storage = Storage(array.symbol.name, InBlock(left, max(0, fixed - depth)))
        return SharedPromotion(storage, 0, min(stages), max(stages))

    def _whole_loop(self, stage: int) -> list[int]:
        """The stages for which what a stage uses lives: all of the outermost loop that it is in."""
        loops = self.loops[stage]
        return [k for k, each in enumerate(self.loops) if k == stage or (loops and each and each[0] is loops[0])]

    def _in_memory_too(self, shared: SharedPromotion) -> SharedPromotion:
        """The variable, which comes from memory or goes there."""
        memory = self.storage[shared.storage.array].residence
        assert isinstance(shared.storage.residence, InBlock) and isinstance(memory, Pointer | Workspace)
        residence = replace(shared.storage.residence, memory=memory)
        return replace(shared, storage=replace(shared.storage, residence=residence))

    # ---- variables that rounds change in place ----------------------------------------------------

    def _in_place(self, array: Array, uses: Seq[_StageAccess], is_made_before: bool) -> SharedPromotion | None:
        """An array of the caller's that stages in loops change, of which a row has the same part in all rounds.

        `is_made_before`: all that is read of it was made in the row before.
        """
        of_caller = isinstance(self.storage[array.symbol.name].residence, Pointer) and not array.scope_iterators
        if array.member_path or not of_caller or not any(self.loops[use.stage] for use in uses):
            return None
        if any(use.access.member_path for use in uses) or all(use.access.kind.writes for use in uses):
            return None
        made = self._shared(array, uses)
        element = self._element(array, uses, fixed_subscripts(made.storage)) if made is not None else None
        if made is None or element is None:
            return None
        fixed, writers = fixed_subscripts(made.storage), [use for use in uses if use.access.kind.writes]
        if not reduce(isl.Map.union, (use.relation for use in writers)).is_injective():
            return None  # What another row writes, this one would put back as it was.
        written = self._part_of_row(writers, element)
        certain = self._part_of_row([use for use in writers if self._is_certain(use)], element)
        read = self._part_of_row([u for u in uses if u.access.kind in (AccessKind.READ, AccessKind.UPDATE)], element)
        # What is perhaps written comes from memory, too: it goes back with the rest.
        needed = written.subtract(certain).coalesce()
        if not is_made_before:
            needed = needed.union(read).coalesce()
        fetched, left = self._row_part(element, fixed, needed), self._row_part(element, fixed, written)
        if fetched is None and not needed.is_empty():
            # `a[j - 1]` and `a[j + 1]` of three elements are two, and what is written lies between.
            fetched = self._row_part(element, fixed, needed.union(written))
            if fetched is None:
                return None
        if left is None:
            return None
        first = made.first if fetched is None else 0
        return replace(made, first=first, last=len(self.stages) - 1, fetched=fetched, left_behind=left)

    def _element(self, array: Array, uses: Seq[_StageAccess], fixed: int) -> _Element | None:
        """An access with its statement that has all subscripts, and whose first `fixed` ones the rows alone decide."""
        for use in uses:
            record = self.scop.statement(use.statement)
            around = {iterator_of(self.scop, row, record.name) for row in (*self.around, *self.rows)}
            own = {it.name for it in record.iterators} - around
            for index in self._indices(record):
                _, places = subscripts(index)
                is_it = index.span == use.access.span and len(places) == len(array.extents)
                if is_it and not any(mentions_any(place, *own) for place in places[:fixed]):
                    return _Element(use.statement, index, use.access.relation.get_space().range())
        return None

    def _indices(self, record: Statement) -> Iterator[Index]:
        """All accesses of a statement, what it writes among them."""
        yield from self._reads(record)
        if isinstance(record.body, Assign):
            yield from outermost_indices(record.body.target)

    def _part_of_row(self, uses: Seq[_StageAccess], element: _Element) -> isl.Set:
        """{ A[a] }: the elements that accesses have of one row, whose iterators are parameters."""
        found = isl.Set.empty(element.space)
        for use in uses:
            found = found.union(use.access.relation.intersect_domain(self.inside_row[use.statement]).range())
        return found.coalesce()

    def _row_part(self, element: _Element, fixed: int, elements: isl.Set) -> RowPart | None:
        """Elements { A[a] } of one row as loops over their last subscripts; None where they are no simple set."""
        if elements.is_empty():
            return None
        points = elements.project_out(isl.dim_type.set, 0, fixed).coalesce()
        hull = hull_of(points, self.scop.context)
        if hull is None:
            return None
        is_box = box_of(points, self.scop.context) is not None
        if not is_box and (points.n_basic_set() != 1 or islx.divisions(points)):
            return None
        # All of the row fits into shared memory.
        places = tuple(variable(f"@place{k}", INT).symbol for k in range(len(hull)))
        index = _with_last(element.index, places)
        return RowPart(element.statement, index, places, hull, None if is_box else points, points.params())

    # ---- variables that the stages read alone ------------------------------------------------------

    def _read_only(self, array: Array, uses: Seq[_StageAccess]) -> SharedPromotion | None:
        """A vector of the row that its points read again and again."""
        made = self._shared(array, uses)
        if made is None or len(array.extents) != fixed_subscripts(made.storage) + 1 or array.scope_iterators:
            return None
        if not any(self._is_repeated(u) for u in uses):
            return None
        # One read may have all elements of the others, and may have some where those have none.
        for use in uses:
            copied = self._copied(use) if all(u.relation.is_subset(use.relation) for u in uses) else None
            if copied:
                return replace(made, first=0, copied=copied)
        return None

    def _is_repeated(self, use: _StageAccess) -> bool:
        """Whether different points of a row, or different rounds, read one element."""
        stage = self.stages[use.stage]
        if self.loops[use.stage]:  # what each round reads once comes from memory
            return not self._at(use.statement, use.access, self.loops[use.stage]).is_injective()
        if use.statement in stage.post or use.statement in stage.prologue:
            return False
        return not self._at(use.statement, use.access, (*stage.kept, *stage.reduced)).is_injective()

    def _copied(self, use: _StageAccess) -> Copied | None:
        """The read as a run of elements that may be fetched whole."""
        stage, record = self.stages[use.stage], self.scop.statement(use.statement)
        names = [it.name for it in record.iterators]
        here = [index for index in self._reads(record) if index.span == use.access.span]
        for index in here if use.access.exact else ():
            for row in (*stage.kept, *stage.reduced):
                iterator = iterator_of(self.scop, row, use.statement)
                if iterator is None or not is_contiguous(index, iterator):
                    continue
                points = _values(self.inside_row[use.statement], names.index(iterator))
                box = box_of(points, self.scop.context)
                read = Reads(use.statement, index, index.type.size, False)
                if box and self._is_alone(index, iterator, record) and self.shaper.in_bounds(read, self.domains):
                    return Copied(use.statement, index, iterator, box[0], points.params())
        return None

    def _is_alone(self, index: Index, iterator: str, record: Statement) -> bool:
        """Whether the subscripts name no iterators but those of the rows and `iterator`."""
        around = {iterator_of(self.scop, row, record.name) for row in (*self.around, *self.rows)} | {iterator}
        own = {it.name for it in record.iterators} - around
        return not mentions_any(index, *own)

    def _reads(self, record: Statement) -> Iterator[Index]:
        for root in (*record.own_guards, *evaluated(record.body)):
            yield from outermost_indices(root)

    # ---- regions -----------------------------------------------------------------------------------

    def _in_region(self, made: SharedPromotion, found: Seq[SharedPromotion]) -> SharedPromotion:
        """The variable in a region of its size where it meets nobody, or in a new one."""
        regions: dict[int, list[SharedPromotion]] = {}
        for other in found:
            regions.setdefault(other.region, []).append(other)
        size = self._size(made.storage)
        for region, others in regions.items():
            if all(self._size(other.storage) == size and _take_turns(made, other) for other in others):
                return replace(made, region=region)
        return replace(made, region=max(regions, default=-1) + 1)

    def _size(self, storage: Storage) -> tuple[object, ...]:
        """What decides how many bytes a row of the variable takes."""
        array = next(a for a in self.scop.arrays if a.symbol.name == storage.array)
        sides = tuple(print_expr(e) for e in array.extents[fixed_subscripts(storage) :])
        return (array.element.size, sides, tuple(f"{d.least} {d.largest}" for d in storage.expanded))


def _with_last(index: Index, places: Seq[Symbol]) -> Index:
    """`a[b][i][k]` with `places` as its last subscripts."""
    if not places:
        return index
    base = index.base
    if len(places) > 1:
        assert isinstance(base, Index)
        base = _with_last(base, places[:-1])
    return replace(index, base=base, index=Name(places[-1], places[-1].type, index.span))


def _take_turns(one: SharedPromotion, other: SharedPromotion) -> bool:
    """Whether the stages that use two variables lie behind each other."""
    return other.last < one.first or one.last < other.first


def fixed_subscripts(storage: Storage) -> int:
    """Leading subscripts of a variable that the row of a composed kernel determines."""
    return storage.residence.fixed if isinstance(storage.residence, InBlock) else 0


def is_dynamic(scop: Scop, storage: Storage) -> bool:
    """Whether the bytes that a row of a shared variable takes are known at run time only: it is no scalar."""
    array = next(a for a in scop.arrays if a.symbol.name == storage.array)
    return bool(storage.expanded or array.extents[fixed_subscripts(storage) :])


def _values(domain: isl.Set, position: int) -> isl.Set:
    """{ [t] }: the values of one iterator in { S[i] }."""
    count = islx.dimensions(domain)
    others = domain.project_out(isl.dim_type.set, position + 1, count - position - 1)
    return others.project_out(isl.dim_type.set, 0, position).reset_tuple_id()


def _determined(relation: isl.Map) -> int:
    """How many leading subscripts of { [row] -> A[a] } the row determines."""
    count = int(relation.dim(isl.dim_type.out))
    for fixed in range(count, 0, -1):
        if relation.project_out(isl.dim_type.out, fixed, count - fixed).is_single_valued():
            return fixed
    return 0
