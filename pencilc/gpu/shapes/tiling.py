"""Kept points that share what they read, which are done in tiles.

    for (i…) for (j…) for (k…) c[i][j] = op(c[i][j], f(a[i][k], b[k][j]))

Each point of a row of `c` reads the same row of `a`, each point of a column the same column of `b`.  A block takes a
tile of `c` and fetches what its points need once for all of them: a tile of s x s points reads 2 * s elements for each
k, where its points alone would read 2 * s * s.  Operator, element and types are whatever they are: nothing is assumed
of them, and for a point the values come in the order of k.  So this may also be a loop that one thread does for each
point, in order, because nobody has said that it is a reduction: a value that it **carries** from k to k.

Two kept rows are the sides of the tile; others are layers of it.  A read that moves with one side and a reduced row is
an **operand**, and there is one at least of each side.  What moves with neither side is taken with those that go down.

A reduction may have such a loop in each of its elements, as the nearest of many points has one over their coordinates:

    for (i…) { best = …; for (j…) { d = 0; for (k…) d += f(x[i][k], c[j][k]); best = op(best, g(d, j)); } }

Then the reduced row is the side across, and what comes of each tile is **folded** into the results of the rows.

Points may have different reduced ones, as those of a triangular matrix have (`k <= i`).  What the source reads for none
of them is not fetched then; a tile leaves out what none of its points has.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from collections.abc import Sequence as Seq
from dataclasses import replace
from typing import Literal

import islpy as isl

from pencilc import islx
from pencilc.analysis.affinity import base_name, is_contiguous, subscripts
from pencilc.analysis.box import Domains, at_rows, fixed, hull_of, image, is_box_within, within
from pencilc.analysis.elements_in_order import places_of_element
from pencilc.gpu.shapes.registers import operations, working
from pencilc.gpu.shapes.seen import asks_for_elements, begins_anywhere, is_left_by_others, keeps_others
from pencilc.gpu.shapes.shape import LARGEST_ELEMENT, Reads, Shaper, in_thread, is_dense
from pencilc.gpu.shapes.tiles import CHUNK, WORD
from pencilc.ir.queries import coefficient, mentions_any, plain_name
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.scop import StatementKind
from pencilc.ir.shapes import BoxDimension, Kernel, Operand, ParallelKernel, Tiling
from pencilc.ir.source import (
    Assign,
    Binary,
    Call,
    If,
    Index,
    Name,
    Node,
    ReductionUpdate,
    Ternary,
    children,
    is_floating,
)
from pencilc.ir.source_printer import print_expr
from pencilc.parts.part import Part
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class _Loop:
    """The loop over the reduced rows of each kept point, with what stands around it."""

    rows: tuple[Row, ...]
    body: Tree
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    carried: str = ""

    @property
    def statements(self) -> tuple[str, ...]:
        """Those of its body."""
        return statements_of(self.body)


@dataclass(frozen=True, slots=True)
class _Read:
    """A read of the body that moves with `reduced` of the reduced rows, and with the kept rows at these positions."""

    read: Reads
    kept: frozenset[int]
    reduced: int


def with_tiling(shaper: Shaper, part: Part, kernel: Kernel) -> Kernel:
    """`kernel`, which has no launch parameters yet, with what its points share, if they share anything."""
    is_plain = not kernel.bins and not kernel.prologue and kernel.ragged is None and kernel.body is not None
    if not kernel.kept or not is_plain or any(shaper.scop.statement(name).is_ragged for name in kernel.statements):
        return kernel
    if kernel.reduced and not _is_straight(kernel.body):
        found = _folded(shaper, part, kernel)
    else:
        loop = _reduction(shaper, kernel) if kernel.reduced else _in_thread(shaper, part, kernel)
        search = _Search(shaper, part, kernel, loop) if loop is not None else None
        found = search.tiling() if search is not None else None
        if search is not None and search.refused:
            return replace(kernel, not_held=(f"no tiles of points that share what they read: {search.refused}",))
    return kernel if found is None else replace(kernel, tiling=found)


def _folded(shaper: Shaper, part: Part, kernel: Kernel) -> Tiling | None:
    """Tiles of the kept points and of those that are reduced, each of which has a loop of its own."""
    if len(kernel.reduced) != 1 or kernel.is_spread:
        return None
    rows = (*kernel.kept, *kernel.reduced)
    inside = statements_of(kernel.body)
    # Tiles are launched where there are elements.
    domain = image({name: shaper.domains[name] for name in inside}, part.host, inside)
    elements = ParallelKernel(
        name=kernel.name, host=kernel.host, kept=rows, body=kernel.body, index=kernel.index, domain=domain
    )
    of_element = replace(part, kept=rows, reduced=())
    updates = {name for r in shaper.scop.reductions_of(kernel.reductions) for name in r.updates}
    loop = _in_thread(shaper, of_element, elements, updates)
    if loop is None:
        return None
    found = _Search(shaper, of_element, elements, loop, across=len(kernel.kept)).tiling()
    if found is None:
        return None
    launched = islx.as_parameters(domain, kernel.host).intersect(shaper.scop.context)
    launched = _inhabited(found.reduced_box, launched)
    points = fixed({name: shaper.domains[name] for name in found.after}, part.host, kernel.host)
    pairs = [each for each in (found.occupied, found.looping) if each is not None]
    has_all = all(is_box_within(each, found.kept_box, launched) for each in pairs)
    if not has_all:
        # Other pairs of the box begin too, may have elements, and are left out behind their loop.
        folded = image(points, rows, found.after).intersect_params(launched)
        has_loops = found.looping is None or folded.is_subset(found.looping)
        if not has_loops or not begins_anywhere(shaper.scop, found):
            return None
    # What follows the reduction is done for the rows of tiles, of which each has one.
    merges = (r.merge for r in shaper.scop.reductions_of(kernel.reductions))
    behind = (*merges, *kernel.post)
    results = image(fixed({name: shaper.domains[name] for name in behind}, part.host, kernel.host), kernel.kept, behind)
    if not within(results, found.kept_box[:-1]).intersect_params(launched).is_equal(results.intersect_params(launched)):
        return None
    looping = None if has_all else found.looping
    in_order = _folded_in_order(shaper, kernel, points)
    return replace(found, folds=True, occupied=None, looping=looping, has_others=False, in_order=in_order)


def _folded_in_order(shaper: Shaper, kernel: Kernel, domains: Domains) -> frozenset[str]:
    """The updates among `domains` that have a form for elements whose places ascend, and get them in that order.

    A thread that folds has the points of a row as they lie along the reduced one.
    """
    found = set[str]()
    for reduction in shaper.scop.reductions_of(kernel.reductions):
        (update, *others) = reduction.updates
        places = places_of_element(shaper.scop, update)
        if places is not None and not others and _ascends(kernel, domains[update], update, places):
            found.add(update)
    return frozenset(found)


def _ascends(kernel: Kernel, points: isl.Set, update: str, places: isl.Map) -> bool:
    """Whether of two points of one kept point that further along the reduced row has the place behind, too."""
    kept = at_rows(points, kernel.kept, update)
    along = at_rows(points, kernel.reduced, update)
    further = kept.apply_range(kept.reverse()).intersect(along.lex_lt_map(along))
    return further.is_subset(places.lex_lt_map(places))


def _inhabited(box: Seq[BoxDimension], among: isl.Set) -> isl.Set:
    """The sizes, of those in `among`, for which the box has a point."""
    for side in box:
        among = among.intersect(side.lower.le_set(side.upper).params())
    return among


def shares_rows(kernel: Kernel, rows: Seq[Row]) -> bool:
    """Whether the kernel has tiles, and points of several of `rows`, which are such for its statements too, in each."""
    tiling = kernel.tiling
    if tiling is None:
        return False
    sides = [kernel.kept[side] for side in (tiling.down, tiling.across) if side < len(kernel.kept)]
    (statement, *_) = statements_of(tiling.body)
    of_rows = [islx.pw_affs_of(row.function).get(statement) for row in rows]
    of_sides = [islx.pw_affs_of(row.function)[statement] for row in sides]
    return any(row is not None and row.is_equal(side) for row in of_rows for side in of_sides)


# ---- the loop ------------------------------------------------------------------------------------------


def _reduction(shaper: Shaper, kernel: Kernel) -> _Loop | None:
    """The loop of a kernel that reduces, if an element of it is no more than updates and what an iteration declares."""
    if kernel.body is None or not kernel.accumulated or not _is_straight(kernel.body):
        return None
    updates = {name for r in shaper.scop.reductions_of(kernel.reductions) for name in r.updates}
    others = [name for name in statements_of(kernel.body) if name not in updates]
    if _handed_on(shaper, others) or not all(isinstance(shaper.scop.statement(name).body, Assign) for name in others):
        return None
    return _Loop(kernel.reduced, kernel.body, after=kernel.post)


def _in_thread(shaper: Shaper, part: Part, kernel: Kernel, folding: Set[str] = frozenset()) -> _Loop | None:
    """The only loop of a point, or nest of loops, of which one value is carried from iteration to iteration and to what
    follows.

    `folding`: updates that may stand behind it, of reductions over these points.
    """
    trees = kernel.body.children if isinstance(kernel.body, Sequence) else (kernel.body,)
    bands = [position for position, tree in enumerate(trees) if not isinstance(tree, Leaf)]
    if len(bands) != 1:
        return None
    rows, body = _nest(trees[bands[0]])
    if not rows or body is None or not _is_straight(body):
        return None
    before, after = _statements(trees[: bands[0]]), _statements(trees[bands[0] + 1 :])
    inside = statements_of(body)
    domains = fixed({name: shaper.domains[name] for name in inside}, part.host, kernel.host)
    carried = _carried(shaper, kernel.kept, domains, before, [name for name in after if name not in folding])
    return _Loop(rows, body, before, after, carried) if carried else None


def _nest(tree: Tree | None) -> tuple[tuple[Row, ...], Tree | None]:
    """The rows of loops that hold nothing but each other, outermost first, and what the innermost one does."""
    rows: tuple[Row, ...] = ()
    while isinstance(tree, Band):
        rows = (*rows, *tree.rows)
        tree = tree.child
    return rows, tree


def _statements(trees: Seq[Tree | None]) -> tuple[str, ...]:
    return tuple(name for tree in trees for name in statements_of(tree))


def _is_straight(tree: Tree | None) -> bool:
    """Whether there is no loop in it."""
    if tree is None:
        return True
    if isinstance(tree, Sequence):
        return all(_is_straight(child) for child in tree.children)
    return isinstance(tree, Leaf)


def _carried(shaper: Shaper, kept: Seq[Row], domains: Domains, before: Seq[str], after: Seq[str]) -> str:
    """The variable of which the statements of a loop, with these domains, hand on a value; empty if they do more.

    All else that they set is declared in an iteration.  What stands around the loop is done by another thread, or at
    another time, so that no other local variable is shared with it.
    """
    scop, inside = shaper.scop, tuple(domains)
    if any(scop.statement(name).kind is not StatementKind.ORDINARY for name in (*before, *inside, *after)):
        return ""
    if not all(isinstance(scop.statement(name).body, Assign) for name in inside):
        return ""
    handed_on = _handed_on(shaper, inside)
    if len(handed_on) != 1 or not _has_one_place(shaper, kept, domains, *handed_on):
        return ""
    shared = [_locals(shaper, names) - handed_on for names in (before, inside, after)]
    if shared[0] & shared[1] or shared[0] & shared[2] or shared[1] & shared[2]:
        return ""
    return handed_on.pop()


def _handed_on(shaper: Shaper, inside: Seq[str]) -> set[str]:
    """The variables that statements of a loop write and that no iteration has for itself."""
    found: set[str] = set()
    for name in inside:
        around = len(shaper.scop.statement(name).iterators)
        for access in shaper.scop.statement(name).accesses:
            array = shaper.scop.array(access.array)
            if access.kind.writes and len(array.scope_iterators) < around:
                found.add(array.symbol.name)
    return found


def _has_one_place(shaper: Shaper, kept: Seq[Row], domains: Domains, symbol: str) -> bool:
    """Whether all accesses to the variable are to one whole element for each kept point, whatever the loop does."""
    scop = shaper.scop
    found: isl.Map | None = None
    for name, domain in domains.items():
        points = at_rows(domain, kept, name).intersect_domain(domain).reverse()
        for access in scop.statement(name).accesses:
            if scop.array(access.array).symbol.name != symbol:
                continue
            if not access.exact or access.member_path or scop.array(access.array).member_path:
                return False
            places = points.apply_range(access.relation)
            if found is not None and found.get_tuple_name(isl.dim_type.out) != access.array:
                return False
            found = places if found is None else found.union(places)
    return found is not None and bool(found.is_single_valued())


def _locals(shaper: Shaper, statements: Seq[str]) -> set[str]:
    """The local variables that statements access."""
    arrays = {access.array for name in statements for access in shaper.scop.statement(name).accesses}
    symbols = {shaper.scop.array(name).symbol for name in arrays}
    return {symbol.name for symbol in symbols if symbol.kind == "local"}


def _compares_floats(node: Node) -> bool:
    return isinstance(node, Binary) and node.op in ("<", "<=", ">", ">=", "==", "!=") and is_floating(node.left.type)


# ---- operands ------------------------------------------------------------------------------------------


class _Search:
    """Looks for the two sides of a tile and for the operands."""

    def __init__(self, shaper: Shaper, part: Part, kernel: Kernel, loop: _Loop, across: int | None = None) -> None:
        self.shaper, self.part, self.kernel, self.loop, self.scop = shaper, part, kernel, loop, shaper.scop
        self.across = across  # the position of the row that goes across, if that is known
        self.refused = ""  # why points that share what they read have no tiles, where their ranges are the reason
        inside = {name: shaper.domains[name] for name in self._statements()}
        self.domains: Domains = fixed(inside, part.host, kernel.host)

    def tiling(self) -> Tiling | None:
        """The sides with the most bytes of operands on the smaller one, and their operands."""
        kernel, body = self.kernel, self.loop.statements
        rows = (*kernel.kept, *self.loop.rows)
        if any(self.shaper.iterator(row, name) is None for row in rows for name in body):
            return None  # What moves with a row is told by the iterator that it is.
        accumulated = {r.array for r in self.scop.reductions_of(kernel.reductions)}
        part = replace(
            self.part, reduced=self.loop.rows, body=self.loop.body,
            post=(*self.loop.before, *self.loop.after, *self.part.post),
        )  # fmt: skip
        reads = [self._with_rows(read) for read in self.shaper.reads(part, body, accumulated)]
        moving = [read for read in reads if read is not None]
        sides = self._sides(moving)
        boxes = self._boxes() if sides is not None else None
        if sides is None or boxes is None:
            return None
        operands: dict[tuple[str, str], Operand] = {}
        for each in moving:
            operand = self._operand(each, *sides, *boxes)
            if operand is None:
                return None
            # What a statement reads twice is fetched once.
            operands.setdefault((operand.statement, print_expr(operand.index)), operand)
        loop, launched, found = self.loop, self._launched(), tuple(operands.values())
        is_partial = any(each.read is not None for each in found)
        elements = image(self.domains, rows, body)
        of_statements = [image(self.domains, rows, (name,)) for name in body]
        conditional = tuple(each for each in of_statements if not elements.is_subset(each)) if is_partial else ()
        occupied, looping = self._kept(self._statements()), self._kept(body)
        is_full = [is_box_within(points, boxes[0], launched) for points in (occupied, looping)]
        product = looping.flat_product(image(self.domains, loop.rows, body)).intersect_params(launched)
        # Each statement by itself: one that has more points than another hides what that one has not.
        is_product = all(map(product.is_subset, of_statements))
        has_others = False
        if not is_full[1] and not keeps_others(self.scop, loop.carried):
            # A reduction of no points at all has a result too, and so has what a point hands on in a register; where no
            # kept point has any, no element is computed.
            anything = _inhabited(boxes[1], launched)
            has_others = not occupied.intersect_params(anything).is_subset(looping)
        # Points without elements may be all that would need what the source does not read.
        is_product = is_product and not is_partial
        made = Tiling(
            *sides, found, boxes[0], loop.rows, boxes[1], loop.body, loop.before, loop.after, loop.carried,
            None if is_full[0] else occupied, None if is_full[1] else looping, is_product, has_others,
            self._is_light(found), elements if is_partial else None, conditional,
            any(map(_compares_floats, self._operations())), self._adds_products(),
            working(self.scop, self.loop.statements, self._operators()),
        )  # fmt: skip
        # Conditions on the point of each element are kept from stage to stage, which takes registers.
        asks = self.across is None and asks_for_elements(self.scop, made)
        return replace(made, is_light=made.is_light and not asks)

    def _is_light(self, operands: Seq[Operand]) -> bool:
        """Whether an element needs few registers beside two operands, which are whole words and plainly found."""
        if len(operands) > 2 or any(each.index.type.size < WORD for each in operands):
            return False
        for each in operands:
            if any(plain_name(subscript) is None for subscript in subscripts(each.index)[1]):
                return False
        known = {print_expr(each.index) for each in operands}
        written = self.scop.written(self.kernel.statements)
        for name in self.loop.statements:
            record = self.scop.statement(name)
            outside = _names_outside(record.body, known, self.loop.carried)
            # Each point has its own value of these; what the reduced rows are is the same for all points of a thread.
            own = {iterator.name for iterator in record.iterators} - set(self._names(self.loop.rows, name))
            own |= {other for other in outside if is_left_by_others(self.scop, other, written)}
            if record.guards or outside & own:
                return False
        return True

    def _operations(self) -> Iterator[Node]:
        """All that an element evaluates, and the operator that it is reduced with."""
        return operations(self.scop, self.loop.statements, self._operators())

    def _operators(self) -> Iterator[str]:
        """The functions that elements are reduced with."""
        reductions = self.scop.reductions_of(self.kernel.reductions)
        inside = set(self.loop.statements)
        return (each.operator.function for each in reductions if not inside.isdisjoint(each.updates))

    def _adds_products(self) -> bool:
        """Whether an element adds a product of floating values, by one instruction, and does nothing else."""
        own = {each.name for each in self.scop.functions}
        found: list[str] = []
        for each in self._operations():
            if isinstance(each, Binary) and is_floating(each.type):
                found.append(each.op)
            elif isinstance(each, Assign) and each.compound and is_floating(each.target.type):
                found.append(each.compound)
            elif isinstance(each, Ternary | If) or (isinstance(each, Call) and each.function not in own):
                return False
        return sorted(found) == ["*", "+"]

    def _statements(self) -> tuple[str, ...]:
        """All that is done for a kept point, the end of reductions included."""
        merges = (r.merge for r in self.scop.reductions_of(self.kernel.reductions))
        return (*self.loop.before, *self.loop.statements, *self.loop.after, *merges)

    def _kept(self, statements: Seq[str]) -> isl.Set:
        """{ [t] }: the kept points for which one of `statements` has an instance."""
        return image(self.domains, self.kernel.kept, tuple(dict.fromkeys(statements)))

    def _launched(self) -> isl.Set:
        """The sizes, and host iterators, for which the kernel is launched."""
        return islx.as_parameters(self.kernel.domain, self.kernel.host).intersect(self.scop.context)

    def _with_rows(self, read: Reads) -> _Read | None:
        """The read, if it is another one for each reduced point."""
        # A local of an outer loop is another one in each of its iterations.
        scope = {name for array in self.scop.arrays_of(base_name(read.index)) for name in array.scope_iterators}
        kept, reduced = (
            [name in scope or mentions_any(read.index, name) for name in self._names(rows, read.statement)]
            for rows in (self.kernel.kept, self.loop.rows)
        )
        if not any(reduced):
            return None
        return _Read(read, frozenset(position for position, moves in enumerate(kept) if moves), sum(reduced))

    def _names(self, rows: Seq[Row], statement: str) -> list[str | None]:
        return [self.shaper.iterator(row, statement) for row in rows]

    def _sides(self, reads: Seq[_Read]) -> tuple[int, int] | None:
        """The positions of the kept rows that go down and across, if two of them share what they read."""
        rows = range(len(self.kernel.kept))
        scores = {
            (down, across): self._score(down, across, reads)
            for across in reversed(rows if self.across is None else (self.across,))
            for down in reversed(rows)
        }
        best = max(scores.values(), default=0)
        found = [sides for sides, score in scores.items() if score == best]
        if not best or len(found) == 1:
            return found[0] if best else None
        # Operands are fetched as they lie: the row goes across along which results lie.
        inside = in_thread(self.part).body
        lines = self.shaper.lines.of_results(self.kernel.kept, self.part.host, inside)
        return min(found, key=lambda sides: lines[sides[1]])

    def _score(self, down: int, across: int, reads: Seq[_Read]) -> int:
        """Bytes of a point that the side with fewer of them has; none where a read belongs to both."""
        if down == across or any({down, across} <= each.kept for each in reads):
            return 0
        return min(sum(each.read.size for each in reads if side in each.kept) for side in (down, across))

    def _boxes(self) -> tuple[tuple[BoxDimension, ...], tuple[BoxDimension, ...]] | None:
        """The ranges of the kept and of the reduced rows: a kept point may have less than the whole range of these."""
        kept, body = self.kernel.kept, self.loop.statements
        points = image(self.domains, (*kept, *self.loop.rows), body)
        if not all(is_dense(points, position) for position in range(islx.dimensions(points))):
            self.refused = "their loops leave points out"
            return None
        inhabited = self._kept(body)
        kept_box = hull_of(self._kept(self._statements()), self.scop.context)
        reduced_box = self.shaper.common_rows(inhabited, image(self.domains, self.loop.rows, body), points)
        if kept_box is None or reduced_box is None:
            self.refused = "no point has the reduced points of all others, as the longest row of a triangle has"
            if kept_box is None or hull_of(image(self.domains, self.loop.rows, body), self.scop.context) is None:
                self.refused = "the ends of their loops are no one expression of the sizes"
            return None
        return kept_box, reduced_box

    def _operand(
        self, each: _Read, down: int, across: int, kept: tuple[BoxDimension, ...], reduced: tuple[BoxDimension, ...]
    ) -> Operand | None:
        """The read as an operand of a tile; None where it cannot be fetched for all points of the tile's side."""
        read, goes_across = each.read, across in each.kept
        place = across if goes_across else down
        positions = sorted({place, *each.kept})
        rows = (*(self.kernel.kept[k] for k in positions), *self.loop.rows)
        box = (*(kept[k] for k in positions), *reduced)
        domain = self._fetchable(read)
        if read.inner or read.size > LARGEST_ELEMENT or domain is None:
            return None
        points = image({read.statement: domain}, rows, (read.statement,))
        is_read = is_box_within(points, box, self._launched())
        if not is_read and self.across is not None:
            return None  # Tiles that are folded are fetched as boxes.
        side, last = (self.shaper.iterator(row, read.statement) or "" for row in (self.kernel.kept[place], rows[-1]))
        along: Literal["side", "depth", ""] = ""
        if is_contiguous(read.index, side):
            along = "side"
        elif is_contiguous(read.index, last):
            along = "depth"
        # Several reduced rows are walked as one, whose neighbours may lie in different rows.
        is_run = along == "side" or (along == "depth" and len(self.loop.rows) == 1)
        width = CHUNK // read.size if is_run and CHUNK % read.size == 0 else 1
        moves = len(each.kept) + each.reduced
        is_even = len(self.loop.rows) == 1 and all(
            coefficient(subscript, row) is not None for subscript in subscripts(read.index)[1] for row in (side, last)
        )
        of_rows = None if is_read else self._of_all_rows(points, positions)
        return Operand(read.statement, read.index, not goes_across, along, width, moves, is_even, of_rows)

    def _fetchable(self, read: Reads) -> isl.Set | None:
        """{ S[i] }: the instances that read the element or, under conditions, could: it is in the array."""
        return self.domains[read.statement] if read.certain else self.shaper.within_array(read, self.domains)

    def _of_all_rows(self, points: isl.Set, positions: Seq[int]) -> isl.Set:
        """{ [t, r] } of the points of the kept rows at `positions` and the reduced ones, whatever the others are."""
        for position in range(len(self.kernel.kept)):
            if position not in positions:
                points = points.insert_dims(isl.dim_type.set, position, 1)
        return points


def _names_outside(node: object, known: set[str], carried: str) -> set[str]:
    """The variables that a statement names, but for those of its operands and of what it accumulates."""
    if isinstance(node, Index) and (print_expr(node) in known or base_name(node) == carried):
        return set()
    if isinstance(node, ReductionUpdate):
        return _names_outside(node.element, known, carried)
    found = {node.symbol.name} if isinstance(node, Name) else set[str]()
    for child in children(node):  # type: ignore[arg-type]
        found |= _names_outside(child, known, carried)
    return found
