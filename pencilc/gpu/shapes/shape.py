"""Choose the shape of a kernel, the order of its rows and what is loaded 16 bytes at a time.

The rule: no reduced row: PARALLEL, or SINGLE without a kept row.  No kept row: ALL.  Both: threads lie along the row
with the fewest lines of memory (`analysis/lines.py`), COLUMN when that is a kept row, else ROW; a tie goes to COLUMN,
whose threads need not exchange anything for most of the work, unless nothing lies side by side along its row.
Threads, chunks and loads in flight are chosen afterwards (`launch.py`).  How many lanes, blocks or splits a row or
column gets depends on extents and is decided by the entry point at run time.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import reduce

import islpy as isl

from pencilc import islx
from pencilc.analysis.affinity import (
    accesses_at,
    certain_indices,
    evaluated,
    is_contiguous,
    is_partial,
    outermost_indices,
    subscripts,
)
from pencilc.analysis.box import (
    Domains,
    box_around,
    box_of,
    fixed,
    hull_of,
    image,
    is_hull_empty_without,
    sides_around,
    within,
)
from pencilc.analysis.index import index_type
from pencilc.analysis.iterators import iterator_of, moves_inside
from pencilc.analysis.lines import LineCounter
from pencilc.analysis.ragged_rows import points_of, ragged_row, unavailable
from pencilc.gpu.shapes.launch import threads_of
from pencilc.ir.queries import coefficient, mentions_any, plain_name
from pencilc.ir.rewrite import Renaming
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, statements_of
from pencilc.ir.scop import ArrayKind, Reduction, Scop, StatementKind
from pencilc.ir.shapes import (
    Accumulated,
    AllKernel,
    BoxDimension,
    ColumnKernel,
    Kernel,
    Loads,
    Neighbours,
    ParallelKernel,
    Ragged,
    RowKernel,
    SingleKernel,
    VectorAccess,
)
from pencilc.ir.source import INT, ArrayType, Binary, Expr, Index, IntLiteral, Name
from pencilc.ir.source_printer import print_expr
from pencilc.ir.thread_rows import ThreadRow
from pencilc.parts.owners import Owners, has_one_merge
from pencilc.parts.part import Part, Spread, Unmappable, part_statements
from pencilc.parts.prologues import beginnings
from pencilc.records import dataclass
from pencilc.target import WARP

# Larger elements (bytes) are not loaded ahead: they would not fit into registers.
LARGEST_ELEMENT = 64
# Values of a reduced row that a kept point may as well go through where it lacks some of them.
FEW = 32
# Elements side by side that are loaded as one, at most.
MOST_NEIGHBOURS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Reads:
    """A read of an array in a body statement: where it stands and its bytes."""

    statement: str
    index: Index
    size: int
    certain: bool  # whether the source reads it for every instance of the statement
    inner: bool = False  # whether it moves with what the element does, which no load ahead of the element knows


class Shaper:
    """Turns parts into kernels; `domains`: the statements' domains within the context."""

    def __init__(self, scop: Scop, domains: Domains, owners: Owners, lines: LineCounter) -> None:
        self.scop, self.domains, self.owners, self.lines = scop, domains, owners, lines

    def kernel(self, part: Part, host: tuple[str, ...], name: str) -> Kernel:
        """The kernel of `part` below host loops whose iterators are the parameters `host`."""
        body = set(statements_of(part.body)) if part.body else set()
        merges = (r.merge for r in self.scop.reductions if not body.isdisjoint(r.updates))
        inside = {s: self.domains[s] for s in (*part_statements(part), *merges)}
        within = fixed(inside, part.host, host)
        reductions = self._reductions(part, within)
        if part.reduced and not reductions:
            raise Unmappable("a reduction row without a reduction")
        if not part.reduced:
            if part.kept and body and image(within, part.kept, body).is_singleton():
                part = replace(part, kept=())  # One point, as a corner is that has been in a loop with others.
            return self._possible(self._parallel(part, within, host, name), part)
        try:
            return self._possible(self._reduction(part, within, host, name, reductions), part)
        except Unmappable as reason:
            if not part.kept:
                raise
            if spread := tuple(r.name for r in reductions if len(self.owners.sharers(r)) > 1):
                raise Spread(spread, str(reason)) from reason
            return replace(self.alone(part, host, name), reason=str(reason))

    def alone(self, part: Part, host: tuple[str, ...], name: str) -> Kernel:
        """The kernel of a part that reduces, still parallel over the kept points: a thread reduces its own alone.

        It does so in place, and what it goes on from stands in front of the elements again.
        """
        within = fixed({s: self.domains[s] for s in part_statements(part)}, part.host, host)
        first = beginnings(self.scop, part)
        in_order = replace(part, prologue=(*part.prologue, *first), post=part.post[len(first) :])
        return self._possible(self._parallel(in_thread(in_order), within, host, name), part)

    def _possible(self, kernel: Kernel, part: Part) -> Kernel:
        """The kernel, whose ragged rows can be generated; raises Unmappable."""
        if kernel.reductions and threads_of(kernel, self.scop, WARP) == 0:
            raise Unmappable("the accumulators are too large for the shared memory of a block")
        if why := unavailable(self.scop, part.host, kernel.kept, kernel.reduced, kernel.body):
            raise Unmappable(why)
        return kernel

    # ---- reductions --------------------------------------------------------------------------------

    def _reductions(self, part: Part, domains: Domains) -> tuple[Reduction, ...]:
        body = set(statements_of(part.body)) if part.body else set()
        touched = [r for r in self.scop.reductions if not body.isdisjoint(r.updates)]
        # A reduction that begins and ends inside one element is the business of one thread.
        found = tuple(r for r in touched if r.merge not in body) if part.reduced else ()
        updates = [name for r in found for name in r.updates]
        if len(updates) != len(set(updates)):
            raise Unmappable("one update belongs to several reductions")
        if any(not set(r.updates) <= body for r in touched if r.merge in body):
            raise Unmappable("a reduction reaches beyond the element it ends in")
        for reduction in found:
            self.owners.check_spread(part, reduction, body)
            if not has_one_merge(part, reduction, domains):
                raise Unmappable(f"`{self.scop.spelling(reduction.array)}` is an indirect reduction")
        merges = {r.merge for r in found}
        for statement in part.post:
            record = self.scop.statement(statement)
            if record.kind is StatementKind.MERGE and statement not in merges:
                raise Unmappable("a merge node stands behind the wrong reduction")
        return found

    def _reduction(
        self, part: Part, domains: Domains, host: tuple[str, ...], name: str, reductions: tuple[Reduction, ...]
    ) -> Kernel:
        body = statements_of(part.body)
        # The bounds of a ragged row need the rows around it, so it stays the innermost one.
        ragged = any(ragged_row(self.scop, row, body) for row in part.reduced)
        accumulated = {r.array for r in reductions}
        kept, reduced, column, thread_row = self._directions(part, domains, accumulated, ragged)
        results = image(domains, kept, (*body, *(r.merge for r in reductions), *part.post))
        # Where the kept points are no box, the kernel visits the box around them and does nothing elsewhere.
        kept_box = box_around(results, self.scop.context) if kept else ()
        if kept and kept_box is None:
            raise Unmappable("the kept points of the reduction have bounds that are not affine")
        walked = reduced
        points = image(domains, (*kept, *walked), body)
        full_box = None if ragged else box_of(points, self.scop.context)
        rows = full_box[len(kept) :] if full_box else None
        elements = image(domains, kept, body)
        if column and rows is None:
            rows = None if ragged else self.common_rows(elements, image(domains, reduced, body), points)
            if rows is None:
                raise Unmappable("the reduced points differ from column to column")
        filled = not kept or self._is_filled(results, elements)
        # A chunk of columns is loaded before it is known which of them have elements.
        loaded = full_box is not None and filled if column else True
        loaded = loaded and not (ragged and self._is_strided(reduced[-1], body))
        reads = self.reads(part, body, accumulated)
        axis = kept[-1] if column else reduced[-1]
        vectors = self._vectors(reads, axis, (*kept, *reduced), domains, body, beside=not column) if loaded else ()
        run_rows = 0
        if not column and filled and len(reduced) > 1 and rows is not None:
            reduced, rows = self._as_in_memory(reduced, rows, vectors)
            run_rows = self.run_rows(vectors, reduced, rows)
            everywhere = all(points.is_subset(image(domains, (*kept, *walked), (s,))) for s in body)
            if run_rows < len(reduced) and not everywhere:
                run_rows = 0  # Loops leave out what conditions around each element would ask again and again.
        if column and kept_box is not None:
            kept, kept_box = self._as_in_memory(kept, kept_box, vectors)
        shape = ColumnKernel if column else RowKernel if kept else AllKernel
        kernel = shape(
            name=name,
            host=host,
            kept=kept,
            reduced=reduced,
            prologue=part.prologue,
            body=part.body,
            post=part.post,
            index=index_type(points, self.scop.context),
            domain=self._host_domain(part, reductions),
            plans=tuple(self._plan(part, reduction) for reduction in reductions),
            kept_box=kept_box,
            reduced_box=rows,
            run_rows=run_rows,
            loads=Loads(vectors),
            ragged=Ragged(len(reduced) - 1, points_of(self.scop, reduced[-1], body)) if ragged else None,
            thread_row=thread_row,
        )
        if isinstance(kernel, ColumnKernel) and kept_box is not None:
            return replace(kernel, column_rows=self.run_rows(vectors, kept, kept_box))
        return kernel

    def _plan(self, part: Part, reduction: Reduction) -> Accumulated:
        """The reduction in the kernel of `part`, which others may have begun or go on with."""
        sharers = self.owners.sharers(reduction)
        return Accumulated(reduction.name, sharers[0] is not part, sharers[-1] is not part)

    def _directions(
        self, part: Part, domains: Domains, accumulated: Collection[str], ragged: bool
    ) -> tuple[tuple[Row, ...], tuple[Row, ...], bool, ThreadRow | None]:
        """The kept and the reduced rows in the order in which they are walked, whether threads own columns, and why."""
        fixed_rows, candidates = (part.reduced[:-1], part.reduced[-1:]) if ragged else ((), part.reduced)
        rows, count = (*part.kept, *candidates), len(part.kept)
        # What every row or every column shares is read once and cached: it does not decide the direction.
        found = self.lines.along(
            rows, (*part.host, *fixed_rows), part.body, accumulated,
            lambda each: not count or (any(each.strides[:count]) and any(each.strides[count:])),
        )  # fmt: skip
        of_kept, of_reduced = range(count), range(count, len(rows))
        across = found.best(of_reduced)
        reduced = (*fixed_rows, *found.last(across, of_reduced))
        if not count:
            return (), reduced, False, found.told(across) if len(rows) > 1 else None
        down = found.best(of_kept)
        # Neighbouring rows that share no line may as well be those of the source.
        kept = found.last(down, of_kept) if found.shared[down] else part.kept
        of_column, of_row = (found.candidates[each].cost for each in (down, across))
        if ragged:
            # A thread has its column alone where columns lie side by side: they differ in length.  What moves along
            # rows alone lies elsewhere for each of them: they begin where data say.
            return kept, reduced, found.is_decided and of_column < of_row, None
        column = of_column < of_row or (of_column == of_row and found.shared[down] and self._are_alike(part, domains))
        # A prologue may need the kept iterators, which a thread of a COLUMN kernel has several of.
        column = column and not part.prologue
        return kept, reduced, column, found.told(down if column else across)

    def _are_alike(self, part: Part, domains: Domains) -> bool:
        """Whether each column has the same points, or lacks a few: threads go through all that others have, too."""
        body = statements_of(part.body)
        kept, reduced = (image(domains, rows, body) for rows in (part.kept, part.reduced))
        points = image(domains, (*part.kept, *part.reduced), body)
        is_box = box_of(points, self.scop.context) is not None
        return is_box or self._nearly_alike(kept, reduced, points) is not None

    def _is_strided(self, row: Row, body: Seq[str]) -> bool:
        """Whether the ragged row leaves values out, of which the model knows nothing."""
        found = ragged_row(self.scop, row, body)
        return found is not None and abs(self.scop.statement(found.statement).loops[found.depth].step) > 1

    def _is_filled(self, results: isl.Set, elements: isl.Set) -> bool:
        """Whether the kept points with elements { [t] } are a box and, where there are any, all that have a result."""
        inhabited = results.intersect_params(elements.params()).intersect_params(self.scop.context)
        return box_of(results, self.scop.context) is not None and inhabited.is_subset(elements)

    def common_rows(self, kept: isl.Set, reduced: isl.Set, points: isl.Set) -> tuple[BoxDimension, ...] | None:
        """The box around the reduced points { [r] } if some kept point has all of it, as the longest column of a
        triangle has, or if it is not much larger than what each has; a band, whose columns are short and lie elsewhere
        each, has none.
        """
        box = hull_of(reduced, self.scop.context)
        if box is not None:
            missing = kept.flat_product(within(reduced, box)).subtract(points)
            whole = kept.subtract(missing.project_out(isl.dim_type.set, islx.dimensions(kept), len(box)))
            inhabited = points.params().intersect(self.scop.context)
            if inhabited.is_subset(whole.params()):
                return box
        return self._nearly_alike(kept, reduced, points)

    def _nearly_alike(self, kept: isl.Set, reduced: isl.Set, points: isl.Set) -> tuple[BoxDimension, ...] | None:
        """The box around the reduced points { [r] } if no row of it has more than a few values, or each kept point has
        all of them, or some have wherever the kept points are as many: channels and the rows of a window, of which a
        point at the border of the picture lacks some.
        """
        found: list[BoxDimension] = []
        for position in range(islx.dimensions(reduced)):
            for side in sides_around(reduced, self.scop.context, position):
                if self._has_few_or_all(kept, points, side, position):
                    found.append(side)
                    break
            else:
                return None
        return tuple(found)

    def _has_few_or_all(self, kept: isl.Set, points: isl.Set, side: BoxDimension, position: int) -> bool:
        """Whether a reduced row has a few values at most, or each kept point all of them, or some, see above."""
        count = side.upper.sub(side.lower).intersect_params(self.scop.context).max_val()
        if count.is_int() and count.to_python() < FEW:
            return True
        first = islx.dimensions(kept)
        for k in reversed(range(first, islx.dimensions(points))):
            if k != first + position:
                points = points.project_out(isl.dim_type.set, k, 1)
        row = isl.Set.universe(points.get_space()).project_out(isl.dim_type.set, 0, first)
        everything = kept.flat_product(within(row, (side,)))
        if everything.is_subset(points):
            return True
        whole = kept.subtract(everything.subtract(points).project_out(isl.dim_type.set, first, 1))
        wide, large = (sizes.intersect(points.params()) for sizes in self._wide(kept, side))
        return not large.is_empty() and bool(wide.is_subset(whole.params()))

    def _wide(self, kept: isl.Set, side: BoxDimension) -> tuple[isl.Set, isl.Set]:
        """The sizes for which no kept row has fewer values than a reduced one: pictures no smaller than their window;
        and those for which each has many and this one few: large pictures and small windows.
        """
        wide = large = self.scop.context
        for each in box_around(kept, self.scop.context) or ():
            length = each.upper.sub(each.lower)
            wide = wide.intersect(length.ge_set(side.upper.sub(side.lower)).params())
            large = large.intersect(length.ge_set(islx.constant(length.domain(), FEW**2)).params())
        own = side.upper.sub(side.lower)
        return wide, large.intersect(own.le_set(islx.constant(own.domain(), FEW)).params())

    def _parallel(self, part: Part, domains: Domains, host: tuple[str, ...], name: str) -> Kernel:
        shape = ParallelKernel if part.kept else SingleKernel
        body = statements_of(part.body)
        kept, thread_row = part.kept, None
        if len(kept) > 1:
            found = self.lines.along(kept, part.host, part.body)
            best = found.best(range(len(kept)))
            kept, thread_row = found.last(best, range(len(kept))), found.told(best)
        return shape(
            name=name,
            host=host,
            kept=kept,
            prologue=part.prologue,
            body=part.body,
            post=part.post,
            index=index_type(image(domains, kept, body), self.scop.context),
            domain=self._host_domain(part, ()),
            thread_row=thread_row,
        )

    def _host_domain(self, part: Part, reductions: Seq[Reduction]) -> isl.Set:
        """{ [h] }: host points at which a statement of the part, or a merge node of `reductions`, has an instance."""
        inside = {s: self.domains[s] for s in (*part_statements(part), *(r.merge for r in reductions))}
        return image(inside, part.host, tuple(inside))

    # ---- accesses ----------------------------------------------------------------------------------

    def reads(
        self, part: Part, body: Seq[str], accumulated: set[str], apart: frozenset[str] = frozenset()
    ) -> list[Reads]:
        """The elements that the `body` of a part reads, of arrays that the part does not write.

        `apart`: arrays that it writes whose reads are told nevertheless, for they may be of other elements.
        """
        written = {a.array for s in part_statements(part) for a in self.scop.statement(s).accesses if a.kind.writes}
        written -= apart
        # Scalars that the element sets: what lies where these say has no place before the element.
        arrays = [self.scop.array(a.array) for s in body for a in self.scop.statement(s).accesses if a.kind.writes]
        set_inside = {array.symbol.name for array in arrays if not array.extents}
        found: list[Reads] = []
        for statement in body:
            record = self.scop.statement(statement)
            # A loop inside the element may be empty, and then reads nothing.
            rows = (*part.host, *part.kept, *part.reduced)
            whole = len(record.iterators) == len(rows)
            for number, root in enumerate((*record.own_guards, *evaluated(record.body))):
                certain = certain_indices(root) if whole and (number == 0 or not record.guards) else []
                for index in outermost_indices(root):
                    base = subscripts(index)[0]
                    if not isinstance(base, Name) or base.symbol.kind not in ("param", "local") or is_partial(index):
                        continue
                    if base.symbol.name not in written | accumulated and self.is_plain(base.symbol.name):
                        sure = any(index is other for other in certain)
                        inner = moves_inside(self.scop, rows, statement, index) or mentions_any(index, *set_inside)
                        found.append(Reads(statement, index, index.type.size, sure, inner))
        return found

    def is_plain(self, symbol: str) -> bool:
        """Whether the symbol is one array of the model, not split by members that are written, and has values.

        A local that nothing writes has none, and no place in memory.
        """
        arrays = self.scop.arrays_of(symbol)
        written = [array for array in arrays if self.scop.is_written(array.name)]
        is_unset = not written and all(array.kind is ArrayKind.LOCAL for array in arrays)
        return not is_unset and not any(array.member_path for array in written)

    def iterator(self, row: Row, statement: str) -> str | None:
        """The iterator that `row` is, up to a constant, on `statement`."""
        return iterator_of(self.scop, row, statement)

    def _vectors(
        self, reads: Seq[Reads], axis: Row, rows: Seq[Row], domains: Domains, body: Seq[str], beside: bool = False
    ) -> tuple[VectorAccess, ...]:
        """What is loaded in chunks along `axis`; `beside`: of neighbours that a point reads, all as one, too."""
        whole = image(domains, rows, body)
        if not is_dense(whole, list(rows).index(axis)):
            return ()
        launched = reduce(isl.Set.union, (domain.params() for domain in domains.values()))
        if not is_hull_empty_without(whole, self.scop.context, launched):
            return ()  # Chunks are loaded before the conditions of their elements are looked at.
        full = {s: whole.is_subset(image(domains, rows, (s,))) for s in {r.statement for r in reads}}
        found = []
        rows_of_few: dict[str, dict[int, list[VectorAccess]]] = {}
        for read in reads:
            iterator = self.iterator(axis, read.statement)
            if iterator is None or read.inner or read.size > LARGEST_ELEMENT or not full[read.statement]:
                continue
            # A chunk holds only elements that the source reads too, unless it reads them on a condition.
            if not (read.certain or self.in_bounds(read, domains)):
                continue
            if is_contiguous(read.index, iterator):
                found.append(VectorAccess(read.statement, read.index))
                continue
            among = neighbours(read.index, iterator) if beside else None
            if among and read.size * among.count <= LARGEST_ELEMENT:
                vector = VectorAccess(read.statement, read.index, among)
                rows_of_few.setdefault(self._first(vector, rows), {}).setdefault(among.place, []).append(vector)
        for numbers in rows_of_few.values():
            vectors = [vector for each in numbers.values() for vector in each]
            if len(numbers) == vectors[0].count:  # nothing is loaded that nobody reads
                found += vectors
        return tuple(found)

    def _first(self, vector: VectorAccess, rows: Seq[Row]) -> str:
        """The first of the neighbours, the rows of the kernel being called alike in all statements."""
        names = {self.iterator(row, vector.statement): f"@{k}" for k, row in enumerate(rows)}
        iterators = [it for it in self.scop.statement(vector.statement).iterators if it.name in names]
        renaming = Renaming({it.name: replace(it, name=names[it.name]) for it in iterators}, {})
        return print_expr(renaming.node(vector.first))

    def in_bounds(self, read: Reads, domains: Domains) -> bool:
        """Whether loading the element for every instance, guarded or not, stays inside the array."""
        found = self.within_array(read, domains)
        return found is not None and bool(domains[read.statement].is_subset(found))

    def within_array(self, read: Reads, domains: Domains) -> isl.Set | None:
        """{ S[i] }: the instances whose element, read or not, lies in the array; None where nothing says so of any."""
        domain = domains[read.statement]
        here = accesses_at(self.scop, read.statement, read.index)
        for access in here:
            # Of instances that an affine condition beside the others keeps from reading, the model has no element.
            places = access.relation.intersect_domain(domain)
            extent = self.scop.array(access.array).extent.set_tuple_name(places.get_tuple_name(isl.dim_type.out))
            # Where the extent is no affine expression, such as a product, nothing says where the array ends.
            has_end = all(islx.is_bounded(extent, k) for k in range(islx.dimensions(extent)))
            if not access.exact or not has_end:
                return None
            domain = places.domain().subtract(places.subtract_range(extent).domain())
        return domain if here else None

    def _as_in_memory(
        self, rows: tuple[Row, ...], box: tuple[BoxDimension, ...], vectors: Seq[VectorAccess]
    ) -> tuple[tuple[Row, ...], tuple[BoxDimension, ...]]:
        """`rows` with their box in the order of the last subscripts of a read; the last one stays."""
        for vector in vectors:
            places = {self.iterator(row, vector.statement): k for k, row in enumerate(rows)}
            found: list[int] = []
            for part in reversed(moving_subscripts(vector)):
                name = plain_name(part)
                if name is None or name not in places:
                    break
                found.insert(0, places[name])
            if len(found) > 1 and found[-1] == len(rows) - 1:
                order = [k for k in range(len(rows)) if k not in found] + found
                return tuple(rows[k] for k in order), tuple(box[k] for k in order)
        return rows, box

    def run_rows(self, vectors: Seq[VectorAccess], rows: tuple[Row, ...], box: tuple[BoxDimension, ...]) -> int:
        """How many of the last of `rows` can be walked as one index that keeps every vector access contiguous."""
        count = 1
        while vectors and count < len(rows):
            inner = slice(len(rows) - count - 1, None)
            if not all(self.collapses(vector, rows[inner], box[inner]) for vector in vectors):
                break
            count += 1
        return count

    def collapses(self, vector: VectorAccess, rows: tuple[Row, ...], box: tuple[BoxDimension, ...]) -> bool:
        """Whether the last subscripts are the rows themselves, and the array as long there as these take values.

        What stands before these subscripts has nothing to do with the rows.
        """
        base, parts = subscripts(vector.index)[0], moving_subscripts(vector)
        if len(parts) < len(rows) or not isinstance(base, Name):
            return False
        iterators = [self.iterator(row, vector.statement) for row in rows]
        before = len(parts) - len(rows)
        if None in iterators or [plain_name(p) for p in parts[before:]] != iterators:
            return False
        if any(mentions_any(part, *iterators) for part in parts[:before]):
            return False
        arrays = [a for a in self.scop.arrays if a.symbol.name == base.symbol.name]
        if len(arrays) != 1 or arrays[0].member_path or len(arrays[0].extents) != len(subscripts(vector.index)[1]):
            return False  # a member that is an array has the other members between its elements
        extent, scope = arrays[0].extent, len(arrays[0].scope_iterators)
        for position, side in list(enumerate(box, before))[1:]:
            lower, upper = side.lower, side.upper
            if islx.constant_value(lower) != 0:
                return False
            largest = islx.highest(extent, scope + position)
            if largest is None or not upper.eq_set(largest).is_equal(upper.domain().intersect(largest.domain())):
                return False
            if not upper.domain().intersect(extent.params()).is_subset(largest.domain()):
                return False
        return True


def neighbours(index: Index, iterator: str) -> Neighbours | None:
    """The place of an element among the few that lie between those of one value of `iterator` and the next.

    That is `x[i][k]` of rows as long as they are few, and `x[3 * i + k]`.
    """
    number = index.index
    if isinstance(number, IntLiteral):
        row = index.base
        if not (isinstance(row, Index) and isinstance(row.type, ArrayType) and is_contiguous(row, iterator)):
            return None
        extent = row.type.extent
        count = extent.value if isinstance(extent, IntLiteral) else 1
        first = replace(index, index=replace(number, value=0))
    else:
        first, number = _without_offset(index)
        parts = subscripts(first)[1]
        count = coefficient(parts[-1], iterator) or 1
        if any(coefficient(part, iterator) != 0 for part in parts[:-1]):
            return None
    if not 2 <= count <= MOST_NEIGHBOURS or not 0 <= number.value < count:
        return None
    return Neighbours(first, count, number.value)


def _without_offset(index: Index) -> tuple[Index, IntLiteral]:
    """`x[e + k]` as `x[e]` and `k`."""
    match index.index:
        case Binary(op="+", left=start, right=IntLiteral() as offset):
            return replace(index, index=start), offset
        case Binary(op="+", left=IntLiteral() as offset, right=start):
            return replace(index, index=start), offset
    return index, IntLiteral(0, INT, index.span)


def moving_subscripts(vector: VectorAccess) -> list[Expr]:
    """The subscripts that say where a point loads: all of them, but for the number in a row of neighbours."""
    found = subscripts(vector.first)[1]
    return found[:-1] if vector.among and isinstance(found[-1], IntLiteral) else found


def is_dense(points: isl.Set, position: int) -> bool:
    """Whether the row at `position` takes every value between two that it takes, as far as strides are concerned."""
    return bool(points.get_stride(position).is_one())


def in_thread(part: Part) -> Part:
    """The part with its reduced rows as loops of one thread, the post statements behind them."""
    assert part.body is not None
    before = tuple(Leaf(name) for name in part.prologue)
    after = tuple(Leaf(name) for name in part.post)
    body = Sequence((*before, Band(part.reduced, part.body) if part.reduced else part.body, *after))
    return Part(part.host, part.kept, (), body)
