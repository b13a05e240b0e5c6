"""Points that are read around: a block fetches what its tile of points reads, and a border, into shared memory once.

    for (i…) for (j…) b[i][j] = f(a[i - 1][j], a[i][j - 1], a[i][j], a[i][j + 1], a[i + 1][j]);      a halo of one
    for (i…) for (j…) b[j][i] = a[i][j];                                                         rows become columns

A tile has a side **across**, along which what is stored lies contiguously, and one **down**.  Each subscript of an
array that a tile **holds** moves with at most one kept row, and stays within a constant distance of it: so what the
tile reads is a box of constant size, whose place follows from that of the tile.  Only elements are fetched that some
point reads, or that lie between such elements.  In three dimensions a block goes **along** a third row, plane after
plane, and holds the planes that a point needs.

An array is held for one of two reasons.  It is *transposed*: neighbours in memory are points below each other, so that
the threads of a warp, which lie across, would read a sector each.  Or its values are used by several points in another
direction than across, at least `USES` times for each value that is fetched.  Where all uses lie across, or are fewer,
the first-level cache serves them as well as shared memory would, and without a barrier: such kernels stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace
from math import prod

import islpy as isl

from pencilc import islx
from pencilc.analysis.affinity import (
    accesses_at,
    base_name,
    is_contiguous,
    subscripts,
)
from pencilc.analysis.box import Domains, at_rows, fixed, hull_of, image, within
from pencilc.gpu.shapes.halo_sizes import TRANSPOSED_SIDE, tile_points
from pencilc.gpu.shapes.shape import Reads, Shaper, in_thread, is_dense
from pencilc.ir.queries import coefficient, mentions_any
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Access, AccessKind, Scop
from pencilc.ir.shapes import Accumulated, BoxDimension, Halo, Held, HeldDimension, Kernel, VectorAccess
from pencilc.ir.source import Assign, Index, MemberOf, Name
from pencilc.ir.source_printer import print_expr, spelled
from pencilc.options import HaloLaunch
from pencilc.parts.part import Part
from pencilc.records import dataclass
from pencilc.target import SECTOR

# A value that is fetched is used at least so often, or left to the cache.  Not measured.
USES = 3
# Where sizes of the program decide how far it is read around, a tile fetches no more than so many values for a point.
MOST_FETCHED = 3
# With more points than these in a direction, borders are few.
LARGE = 4096
# A window of so many points is reduced by one thread.
WINDOW = 256
# What is read of an array is no more than so many boxes, or telling what to fetch costs more than fetching it.
PIECES = 4


class Unheld(Exception):
    """Why an array is not held."""


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """The reads of one array: what they are, and how far they reach."""

    symbol: str
    reads: tuple[Reads, ...]
    dimensions: tuple[HeldDimension, ...]
    fetched: isl.Set
    box: tuple[BoxDimension, ...] | None
    uses: int
    varies: bool  # whether the sizes of the program decide how far they reach


def with_halo(shaper: Shaper, part: Part, kernel: Kernel) -> Kernel:
    """`kernel`, which has no launch parameters yet, with what its blocks fetch for a tile of points, if anything.

    A window that is reduced for each point is left to one thread, if a tile holds what it reads.
    """
    if not kernel.reduced:
        # What could not be reduced by several threads is a loop of each.
        return _with_halo(shaper, in_thread(part) if part.reduced else part, kernel)
    if not _is_window(shaper, part, kernel):
        return kernel
    in_order = tuple(plan for plan in kernel.plans if not isinstance(plan, Accumulated))
    alone = replace(shaper.alone(part, kernel.host, kernel.name), plans=in_order)
    found = _with_halo(shaper, in_thread(part), alone)
    is_used = found.halo is not None and any(held.uses >= USES for held in found.halo.held)
    return found if is_used else kernel


def _is_window(shaper: Shaper, part: Part, kernel: Kernel) -> bool:
    """Whether a kernel reduces a few points around each of its kept ones."""
    if not kernel.reductions or len(kernel.kept) < 2 or kernel.ragged is not None:
        return False
    if kernel.is_spread or kernel.bins or kernel.tiling is not None or kernel.prologue:
        return False
    points = _points_of_window(shaper, part, kernel)
    return points is not None and points <= WINDOW


def _points_of_window(shaper: Shaper, part: Part, kernel: Kernel) -> int | None:
    """The points of a box that has all that is reduced for a kept point; None where sizes of the program decide it.

    Windows may lie elsewhere for each point, and conditions may leave points of them out, as at the border of an image.
    """
    names, count = statements_of(kernel.body), len(kernel.kept)
    domains = fixed({name: shaper.domains[name] for name in names}, part.host, kernel.host)
    points = image(domains, (*kernel.kept, *kernel.reduced), names)
    window = isl.Map.from_range(points).move_dims(isl.dim_type.in_, 0, isl.dim_type.out, 0, count)
    between = window.reverse().apply_range(window).deltas()
    widths = [between.dim_max_val(position) for position in range(len(kernel.reduced))]
    return prod(int(width.to_python()) + 1 for width in widths) if all(width.is_int() for width in widths) else None


def _with_halo(shaper: Shaper, part: Part, kernel: Kernel) -> Kernel:
    does_more = kernel.reduced or kernel.bins or kernel.prologue or kernel.post or kernel.tiling is not None
    if does_more or not kernel.is_parallel or kernel.body is None or len(kernel.kept) < 2:
        return kernel
    if any(shaper.scop.statement(name).is_ragged for name in kernel.statements):
        return kernel
    groups = _groups(shaper, part, kernel)
    if not groups:
        return kernel
    return _Search(shaper, part, kernel, groups).kernel_with_halo()


def _groups(shaper: Shaper, part: Part, kernel: Kernel) -> tuple[tuple[Reads, ...], ...]:
    """The reads of arrays with two subscripts at least, those together whose subscripts move with the same rows.

    Groups whose elements are read in one place only, and along the contiguous row, are left out.  No isl: this is asked
    of every kernel.
    """
    found: dict[tuple[object, ...], dict[str, Reads]] = {}
    apart = _written_planes(shaper, kernel)
    for read in shaper.reads(part, statements_of(kernel.body), set(), apart):
        parts = subscripts(read.index)[1]
        rows = tuple(_rows_of(shaper, kernel, read, position) for position in range(len(parts)))
        if len(parts) < 2 or not (any(rows) or read.inner or _is_computed(read)):
            continue
        text = f"{read.statement} {read.index.span} {print_expr(read.index)}"
        key: tuple[object, ...] = (base_name(read.index), rows)
        if base_name(read.index) in apart:
            # What lies between two planes may be what is written: each has a group of its own.
            key += tuple(print_expr(part) for part, own in zip(parts, rows, strict=True) if not own)
        found.setdefault(key, {}).setdefault(text, read)
    groups: list[tuple[Reads, ...]] = []
    for reads in found.values():
        group = tuple(reads.values())
        texts = {print_expr(read.index) for read in group}
        if len(texts) > 1 or any(_is_candidate(shaper, kernel, read) for read in group):
            groups.append(group)
    return tuple(groups)


def _written_planes(shaper: Shaper, kernel: Kernel) -> frozenset[str]:
    """The arrays of which the kernel may write other planes than some that it reads: `u[t + 1]` from `u[t]`."""
    scop, names = shaper.scop, statements_of(kernel.body)
    both = scop.written(names) & scop.read(names)
    return frozenset(name for name in both if len(scop.array(name).extents) > len(kernel.kept))


def _written_of(scop: Scop, domains: Domains, array: str) -> isl.Set:
    """{ [a] }: the elements of an array that statements on these domains may write."""
    found: isl.Set | None = None
    for name, domain in domains.items():
        for access in scop.statement(name).accesses:
            if access.array == array and access.kind.writes:
                elements = access.relation.intersect_domain(domain).range()
                found = elements if found is None else found.union(elements)
    assert found is not None
    return found.reset_tuple_id()


def _is_candidate(shaper: Shaper, kernel: Kernel, read: Reads) -> bool:
    """Whether one read alone may have several elements for a point, or lie across its rows."""
    return read.inner or _is_computed(read) or not _runs_with_last(shaper, kernel, read)


def _is_computed(read: Reads) -> bool:
    """Whether subscripts are variables that a statement before has computed: `y = max(i - 1, 0); … a[y][x]`."""
    return any(isinstance(part, Name) and part.symbol.kind == "local" for part in subscripts(read.index)[1])


def _rows_of(shaper: Shaper, kernel: Kernel, read: Reads, position: int) -> tuple[int, ...]:
    """The positions of the kept rows that a subscript names."""
    subscript = subscripts(read.index)[1][position]
    rows = enumerate(kernel.kept)
    return tuple(k for k, row in rows if mentions_any(subscript, shaper.iterator(row, read.statement)))


def _runs_with_last(shaper: Shaper, kernel: Kernel, read: Reads) -> bool:
    """Whether the last subscript moves with the contiguous row, if it moves at all."""
    moving = _rows_of(shaper, kernel, read, len(subscripts(read.index)[1]) - 1)
    return not moving or _across(shaper, kernel) in moving


def _across(shaper: Shaper, kernel: Kernel) -> int:
    """The position of the kept row along which most bytes of what is stored are contiguous, the last one as a rule."""
    scores = [0] * len(kernel.kept)
    for name in statements_of(kernel.body):
        body = shaper.scop.statement(name).body
        target = body.target if isinstance(body, Assign) else None
        while isinstance(target, MemberOf):
            target = target.base
        if not isinstance(target, Index):
            continue
        for position, row in enumerate(kernel.kept):
            iterator = shaper.iterator(row, name)
            if iterator is not None and is_contiguous(target, iterator):
                scores[position] += target.type.size
    last = len(scores) - 1
    return last if scores[last] == max(scores) else scores.index(max(scores))


class _Search:
    """Looks for the sides of a tile, and for the arrays that it holds."""

    def __init__(self, shaper: Shaper, part: Part, kernel: Kernel, groups: Seq[tuple[Reads, ...]]) -> None:
        self.shaper, self.kernel, self.groups, self.scop = shaper, kernel, groups, shaper.scop
        inside = {name: shaper.domains[name] for name in kernel.statements}
        self.domains: Domains = fixed(inside, part.host, kernel.host)
        self.across = _across(shaper, kernel)
        self.box: tuple[BoxDimension, ...] = ()  # around the points

    def kernel_with_halo(self) -> Kernel:
        """The kernel with its tile, or with the reasons why it has none."""
        reasons = list(self.kernel.not_held)
        found: list[_Found] = []
        points = image(self.domains, self.kernel.kept, self.kernel.statements)
        box = hull_of(points, self.scop.context)
        if box is None or not all(is_dense(points, position) for position in range(len(box))):
            return replace(self.kernel, not_held=(*reasons, "no tiles: the points are no box"))
        self.box = box
        names = self.kernel.statements
        if any(self.shaper.iterator(row, name) is None for row in self.kernel.kept for name in names):
            return replace(self.kernel, not_held=(*reasons, "no tiles: rows of the kernel are no loops of the source"))
        for reads in self.groups:
            try:
                found.append(self._found(reads))
            except Unheld as reason:
                reasons.append(f"`{spelled(reads[0].index)}` is left to the cache: {reason}")
        down, along = self._down(found), self._along(found)
        launch = HaloLaunch()
        if any(self._is_transposed(each) for each in found):
            launch = replace(launch, halo_across=TRANSPOSED_SIDE, halo_down=TRANSPOSED_SIDE)
        halo = Halo(down, self.across, along, (), box, launch=launch)
        points_of_tile = tile_points(halo, launch)
        held: list[Held] = []
        for each in found:
            unpaid = self._unpaid(each, points_of_tile)
            if unpaid:
                reasons.append(f"`{spelled(each.reads[0].index)}` is left to the cache: {unpaid}")
                continue
            of_kernel = tuple(VectorAccess(read.statement, read.index) for read in each.reads)
            transposed = self._is_transposed(each)
            held.append(Held(each.symbol, of_kernel, each.dimensions, each.fetched, each.box, each.uses, transposed))
        narrow = [k for k in (down, self.across) if self._is_narrow(box[k], launch)]
        if held and narrow:
            held, reasons = [], [*reasons, f"no tiles: a side has fewer than {launch.halo_side} points"]
        if not held:
            return replace(self.kernel, not_held=tuple(reasons))
        if not any(dimension.row == along for each in held for dimension in each.dimensions):
            along = None
        return replace(self.kernel, halo=replace(halo, held=tuple(held), along=along), not_held=tuple(reasons))

    # ---- one array ---------------------------------------------------------------------------------

    def _found(self, reads: tuple[Reads, ...]) -> _Found:
        """How far the reads of a group reach; raises Unheld."""
        symbol, count = base_name(reads[0].index), len(subscripts(reads[0].index)[1])
        arrays = self.scop.arrays_of(symbol)
        if any(array.scope_iterators for array in arrays):
            raise Unheld("each iteration of a loop has its own")
        relations = {(read.statement, read.index.span): self._relation(read, count) for read in reads}
        whole, *others = relations.values()
        for relation in others:
            whole = whole.union(relation)
        dimensions = tuple(self._dimension(whole, reads, position) for position in range(count))
        rows = [each.row for each in dimensions if each.row is not None]
        if len(rows) != len(set(rows)):
            raise Unheld("two subscripts move with one row")
        is_certain = all(read.certain or self.shaper.in_bounds(read, self.domains) for read in reads)
        extent = arrays[0].extent.reset_tuple_id() if len(arrays) == 1 else None
        fetched, box = fetched_of(self.scop, whole.range().coalesce(), extent, is_certain)
        if arrays[0].name in self.scop.written(self.kernel.statements):
            written = _written_of(self.scop, self.domains, arrays[0].name)
            if not fetched.intersect(written).is_empty():
                raise Unheld("the kernel writes some of it")
        if fetched.n_basic_set() > PIECES:
            raise Unheld("what is read of it has no simple shape")
        distinct = {f"{read.statement} {print_expr(read.index)}": read for read in reads}
        uses = sum(self._uses(r, relations[r.statement, r.index.span], dimensions) for r in distinct.values())
        return _Found(symbol, reads, dimensions, fetched, box, uses, self._varies(whole, dimensions))

    def _varies(self, relation: isl.Map, dimensions: Seq[HeldDimension]) -> bool:
        """Whether a point reads fewer elements for some sizes than for others, however many points there are."""
        large = self.scop.context
        for side in self.box:
            if islx.constant_value(side.upper.sub(side.lower)) is None:
                width = side.upper.sub(side.lower).add_constant_val(isl.Val(-LARGE))
                large = large.intersect(width.nonneg_set().params())
        wrapped = relation.wrap().flatten().intersect_params(large)
        for position, dimension in enumerate(dimensions):
            if dimension.row is None or wrapped.is_empty():
                continue
            row = islx.variable(wrapped, dimension.row).scale_val(isl.Val(dimension.factor))
            away = islx.variable(wrapped, len(self.box) + position).sub(row)
            reach = isl.Map.from_pw_aff(away).intersect_domain(wrapped).range()
            for end in (islx.lowest(reach, 0), islx.highest(reach, 0)):
                if end is None or islx.constant_value(end) is None:
                    return True
        return False

    def _access(self, read: Reads) -> Access:
        """The access of the model that a read is; raises Unheld."""
        for access in accesses_at(self.scop, read.statement, read.index):
            if access.kind is AccessKind.READ and access.exact:
                return access
        raise Unheld("data decide which elements are read")

    def _relation(self, read: Reads, count: int) -> isl.Map:
        """{ [t] -> [a] }: the elements that the kept points read by one access, whole ones where it has members.

        Raises Unheld.
        """
        name, access = read.statement, self._access(read)
        points = at_rows(self.domains[name], self.kernel.kept, name).intersect_domain(self.domains[name])
        relation = points.reverse().apply_range(access.relation)
        more = relation.dim(isl.dim_type.out) - count
        return relation.project_out(isl.dim_type.out, count, more).reset_tuple_id(isl.dim_type.out)

    def _dimension(self, relation: isl.Map, reads: Seq[Reads], position: int) -> HeldDimension:
        """Which row a subscript moves with, and how far it is from it; raises Unheld."""
        kept = self.kernel.kept
        mentioned = [k for k in range(len(kept)) if any(self._mentions(read, position, k) for read in reads)]
        wrapped = relation.wrap().flatten()
        fixed_to = self._fixed(relation.range(), position)
        if not mentioned and fixed_to is not None:
            return fixed_to
        for k in mentioned or range(len(kept)):
            for factor in self._factors(reads, position, k):
                row = islx.variable(wrapped, k).scale_val(isl.Val(factor))
                least, most = islx.distance(wrapped, row, len(kept) + position)
                if least is not None and most is not None:
                    return HeldDimension(k, factor, least, most)
        if fixed_to is None:
            raise Unheld("a subscript is at no constant distance from the point")
        return fixed_to

    def _fixed(self, points: isl.Set, position: int) -> HeldDimension | None:
        """A subscript that has a constant number of values { [a] } for all points together, if it has."""
        first, last = islx.lowest(points, position), islx.highest(points, position)
        width = None if first is None or last is None else islx.constant_value(last.sub(first))
        if first is None or width is None or len(islx.pieces(first)) != 1:
            return None
        return HeldDimension(None, 0, 0, width, first)

    def _mentions(self, read: Reads, position: int, kept: int) -> bool:
        iterator = self.shaper.iterator(self.kernel.kept[kept], read.statement)
        return mentions_any(subscripts(read.index)[1][position], iterator)

    def _factors(self, reads: Seq[Reads], position: int, kept: int) -> tuple[int, ...]:
        """By how much a subscript may move when the row does."""
        found: set[int] = set()
        for read in reads:
            iterator = self.shaper.iterator(self.kernel.kept[kept], read.statement)
            factor = coefficient(subscripts(read.index)[1][position], iterator) if iterator is not None else None
            found.add(factor if factor is not None and factor > 0 else 1)
        return tuple(sorted(found))

    def _uses(self, read: Reads, relation: isl.Map, dimensions: Seq[HeldDimension]) -> int:
        """How many elements a point reads by one access: several where a loop inside of the point moves it."""
        around = len(self.kernel.host) + len(self.kernel.kept)
        loops_inside = len(self.scop.statement(read.statement).iterators) > around
        if not read.inner and not (_is_computed(read) and loops_inside):
            return 1
        return prod(self._reach(relation, position, each) for position, each in enumerate(dimensions))

    def _reach(self, relation: isl.Map, position: int, dimension: HeldDimension) -> int:
        """How many values a subscript of one access has for a point, at most."""
        if dimension.row is None:
            return dimension.high - dimension.low + 1
        wrapped = relation.wrap().flatten()
        row = islx.variable(wrapped, dimension.row).scale_val(isl.Val(dimension.factor))
        least, most = islx.distance(wrapped, row, len(self.kernel.kept) + position)
        assert least is not None and most is not None
        return most - least + 1

    # ---- the tile ----------------------------------------------------------------------------------

    def _is_transposed(self, found: _Found) -> bool:
        """Whether neighbours in memory are points below each other."""
        rows = [each.row for each in found.dimensions]
        # Elements that are whole sectors are read in whole sectors in any direction.
        if found.reads[0].size >= SECTOR or rows[-1] in (None, self.across):
            return False
        return self.across in rows

    def _down(self, found: Seq[_Found]) -> int:
        """The other side of a tile: the row along which what is transposed is contiguous, else one that is reached
        across, the innermost one.
        """
        others = [k for k in range(len(self.kernel.kept)) if k != self.across]
        turned = [each.dimensions[-1].row for each in found if self._is_transposed(each)]
        if turned and turned[0] is not None:
            return turned[0]
        reached = [k for k in others if any(_halo(each, k) for each in found)]
        return (reached or others)[-1]

    def _along(self, found: Seq[_Found]) -> int | None:
        """The row along which a block goes from plane to plane: the outermost that is no side and is reached across."""
        down = self._down(found)
        for k in range(len(self.kernel.kept)):
            if k in (down, self.across):
                continue
            factors = {d.factor for each in found for d in each.dimensions if d.row == k}
            if factors == {1} and any(_halo(each, k) for each in found):
                return k
        return None

    @staticmethod
    def _is_narrow(side: BoxDimension, launch: HaloLaunch) -> bool:
        """Whether a side is known to have too few points, whatever the sizes are."""
        width = islx.constant_value(side.upper.sub(side.lower))
        return width is not None and width + 1 < launch.halo_side

    def _unpaid(self, found: _Found, points: Seq[int]) -> str:
        """Why holding an array does not pay; empty where it does."""
        if self._is_transposed(found):
            return ""
        others = [d for d in found.dimensions if d.row not in (None, self.across) and d.high > d.low]
        if not others:
            return "its uses lie along the contiguous row"
        counted = list(points)
        volume = prod(dimension.extent(counted) for dimension in found.dimensions)
        values = prod(counted[d.row] for d in found.dimensions if d.row is not None)
        uses = found.uses * values / volume
        if found.varies and volume > MOST_FETCHED * values:
            return f"sizes decide how far it is read around, and a tile has {volume / values:.1f} values for a point"
        return "" if uses >= USES else f"{uses:.1f} uses of a value that is fetched, less than {USES}"


def _halo(found: _Found, row: int) -> bool:
    """Whether points that differ in a row share what they read."""
    return any(each.row == row and each.high > each.low for each in found.dimensions)


def fetched_of(
    scop: Scop, touched: isl.Set, extent: isl.Set | None, is_certain: bool
) -> tuple[isl.Set, tuple[BoxDimension, ...] | None]:
    """What is fetched of an array, and the box that it is: that around what is `touched`, where all of it is there.

    `extent` { [x] }: the elements that there are, if one array alone is called so.  Where a condition decides whether
    elements are read at all, those outside of the array are not.  Raises Unheld where nothing says what is outside.
    """
    count = islx.dimensions(touched)
    if extent is not None and not (
        islx.dimensions(extent) == count and all(islx.is_bounded(extent, position) for position in range(count))
    ):
        extent = None
    if not is_certain:
        if extent is None:
            raise Unheld("a condition decides whether elements are read that may lie outside of it")
        touched = touched.intersect(extent).coalesce()
    box = hull_of(touched, scop.context, with_planes=True)
    if box is None:
        return touched, None
    inhabited = touched.params().intersect(scop.context)
    around = within(touched, box).intersect_params(inhabited)
    if around.is_subset(touched):
        return touched, box
    return (around, box) if extent is not None and around.is_subset(extent) else (touched, None)
