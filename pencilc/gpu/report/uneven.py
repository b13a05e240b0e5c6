"""What tiles have to do where their points, or the reduced points of these, are no box: triangles, mostly.

    for (i…) for (j <= i) for (k…) c[i][j] += a[i][k] * b[j][k];        half of the tiles have no point
    for (i…) for (j…) for (k <= i) c[i][j] += a[i][k] * b[k][j];        a tile has the reduced points of its last row

Of a box all tiles are alike, so that one of them says what is computed for each byte.  Here isl counts, at the sizes
that weigh (`analysis/nominal.py`): the elements that the source has; the tiles that have a point; and for these the
reduced points from the first one of any point to the last one, which a block goes through and fetches operands for.
Where a side has many rows, one of `step` neighbours stands for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Seq
from math import prod

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import within
from pencilc.analysis.lines import sizes_of
from pencilc.analysis.nominal import at_nominal_sizes, box_sides, likely
from pencilc.gpu.shapes.seen import seen_points
from pencilc.gpu.shapes.tiles import points_of, tensor_depth
from pencilc.ir.scop import Scop
from pencilc.ir.shapes import Kernel, Operand, TileSize, Tiling
from pencilc.ir.thread_rows import SizeOf
from pencilc.records import dataclass

# Rows of a side that are all looked at; of more, one of several, but no more than one for each thread along a side.
LOOKED_AT, MOST_STEP = 256, 16


@dataclass(frozen=True, slots=True)
class Uneven:
    """Points that are no box, or have reduced points of their own, at these sizes.

    `points` of the `box_points` have elements; there are `elements` of `box_elements`.  `host`: iterators on the host,
    of whose launches this is one in the middle.
    """

    points: int
    box_points: int
    elements: int
    box_elements: int
    sizes: tuple[SizeOf, ...]
    host: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnevenTiles:
    """What tiles of one size have to do with such points.

    `tiles` of the box, of which so many are `inhabited`: the blocks of others end at once; `with_elements`: those that
    have more than results.  `fetched`: bytes of operands, of all blocks.  `places`: elements that blocks go through,
    whether the source has them or not; `asked`: those in stages that not all points of a tile have, where each element
    is asked for.
    """

    tiles: int
    inhabited: int
    with_elements: int
    fetched: int
    places: int
    asked: int


def is_uneven(tiling: Tiling) -> bool:
    """Whether the points are no box, or do not all have the same reduced points, whatever the sizes are."""
    return any(_depends(tiling, range(len(tiling.kept_box) + len(tiling.reduced_box))))


NO_POINTS = "at the sizes that weigh there are no points"


def not_counted(scop: Scop, kernel: Kernel, tiling: Tiling) -> str:
    """Why nothing is counted of such points; empty where it is."""
    if _Sizes(scop, kernel).side(_box(tiling)) is None:
        return NO_POINTS
    if tiling.points is not None and len(tiling.reduced_box) > 1:
        return "several reduced rows are walked as one"
    layers = [k for k in range(len(tiling.kept_box)) if k not in (tiling.down, tiling.across)]
    return "layers have different points" if any(_depends(tiling, layers)) else ""


def _depends(tiling: Tiling, rows: Iterable[int]) -> Iterator[bool]:
    """For each condition, whether it asks for one of these rows, beside what holds in the box around all points."""
    for points in _conditions(tiling):
        count = islx.dimensions(points)
        boxes = (*tiling.kept_box, *tiling.reduced_box)[:count]
        beside = points.gist(within(points, boxes)).coalesce()
        yield any(beside.involves_dims(isl.dim_type.set, k, 1) for k in rows if k < count)


def _conditions(tiling: Tiling) -> Iterator[isl.Set]:
    """{ [t] } and { [t, r] }: which points there are, and which elements are read."""
    reads = (each.read for each in tiling.operands)
    found = (tiling.occupied, tiling.looping, tiling.points, *tiling.conditional, *reads)
    return (each for each in found if each is not None)


def _box(tiling: Tiling) -> isl.Set:
    """{ [t, r] }: the box around all points and their reduced ones."""
    boxes = (*tiling.kept_box, *tiling.reduced_box)
    space = tiling.kept_box[0].lower.get_space().params()
    points = isl.Set.universe(space.add_dims(isl.dim_type.set, len(boxes)))
    return within(points, boxes)


class _Sizes:
    """The sizes that weigh, and of loops on the host an iteration in the middle."""

    def __init__(self, scop: Scop, kernel: Kernel) -> None:
        self.scop, self.context = scop, likely(scop.context, scop.sizes)
        self.host: dict[str, int] = {}
        domain = at_nominal_sizes(kernel.domain, self.context)
        for position, name in enumerate(kernel.host):
            low, high = domain.dim_min_val(position), domain.dim_max_val(position)
            if not domain.is_empty() and low.is_int() and high.is_int():
                self.host[name] = (int(low.to_python()) + int(high.to_python())) // 2
                domain = domain.fix_val(isl.dim_type.set, position, isl.Val(self.host[name]))

    def fixed(self, points: isl.Set) -> isl.Set:
        """`points` at these sizes, without parameters."""
        for name, value in self.host.items():
            position = points.find_dim_by_name(isl.dim_type.param, name)
            if position >= 0:
                points = points.fix_val(isl.dim_type.param, position, isl.Val(value))
                points = points.project_out(isl.dim_type.param, position, 1)
        points = at_nominal_sizes(points, self.context)
        return points.project_out(isl.dim_type.param, 0, points.dim(isl.dim_type.param))

    def side(self, points: isl.Set) -> list[range] | None:
        """The values along each dimension of a box; None where it has none."""
        points = self.fixed(points)
        if points.is_empty():
            return None
        found = box_sides(points)
        bounded = [side for side in found if side is not None]
        return bounded if len(bounded) == len(found) else None


class UnevenPoints:
    """Counts what tiles of each size have to do with the points of a kernel; all sets are without parameters.

    { [d, a, k] }: a place down, one across, and a reduced point, of one layer.
    """

    def __init__(self, scop: Scop, kernel: Kernel, tiling: Tiling) -> None:
        self.tiling, self.at = tiling, _Sizes(scop, kernel)
        sides = self.at.side(_box(tiling))
        assert sides is not None
        kept, reduced = sides[: len(tiling.kept_box)], sides[len(tiling.kept_box) :]
        self.down, self.across = kept[tiling.down], kept[tiling.across]
        self.layers = prod(map(len, kept)) // (len(self.down) * len(self.across))
        # Several reduced rows are walked as one; then all points have all of them.
        self.deep = reduced[0] if len(reduced) == 1 else range(prod(map(len, reduced)))
        whole = self._set(("d", "a"))
        self.occupied = whole if tiling.occupied is None else self._sides(tiling.occupied)
        self.looping = whole if tiling.looping is None else self._sides(tiling.looping)
        everything = self.looping.flat_product(self._set(("k",)))
        self.elements = everything if tiling.points is None else self._sides(tiling.points).intersect(everything)
        seen = seen_points(scop, tiling)
        asked = whole if seen is None else self._sides(seen)
        self.missing = asked.flat_product(self._set(("k",))).subtract(self.elements)

    def summary(self) -> Uneven:
        """What there is, whatever the tiles."""
        box = len(self.down) * len(self.across) * self.layers
        down, across = _step(self.down), _step(self.across)
        seen = _one_of(_one_of(self.elements, 0, self.down, down), 1, self.across, across)
        elements = min(_count(seen) * down * across * self.layers, box * len(self.deep))
        names = {name for each in (*_conditions(self.tiling), _box(self.tiling)) for name in _parameters(each)}
        sizes = tuple(each for each in sizes_of(self.at.scop, self.at.context) if each.name in names)
        points = _count(self.looping) * self.layers
        return Uneven(points, box, elements, box * len(self.deep), sizes, tuple(self.at.host))

    def of(self, size: TileSize) -> UnevenTiles:
        """What tiles of this size have to do."""
        down, across = points_of(size)
        tile = self._set(
            ("y", "x", "d", "a"),
            f"0 <= d - {self.down.start} - {down} y < {down} and 0 <= a - {self.across.start} - {across} x < {across}",
        )
        inhabited = _images(tile, self.occupied, 2)
        working = _images(tile, self.looping, 2)
        reached = working.flat_product(self._set(("k",)))
        asked = 0
        deepest = max(each.depth for each in self.tiling.sizes)
        depth, unit = size.depth, deepest
        if self.tiling.on_tensor_cores:
            depth, unit = tensor_depth(self.tiling), max(deepest, tensor_depth(self.tiling))
        if self.tiling.points is not None:
            reached = reached.intersect(self._reached(_images(tile, self.elements, 2), unit))
            working = reached.project_out(isl.dim_type.set, 2, 1)
            asked = _count(reached.intersect(_in_stages(self._without(tile), self.deep.start, depth)))
        fetched = sum(
            self._fetched(each, reached, (down, across)) * each.index.type.size for each in self.tiling.operands
        )
        tiles = -(-len(self.down) // down) * -(-len(self.across) // across)
        each = self.layers
        return UnevenTiles(
            tiles=tiles * each,
            inhabited=_count(inhabited) * each,
            with_elements=_count(working) * each,
            fetched=fetched * each,
            places=_count(reached) * down * across * each,
            asked=asked * down * across * each,
        )

    def conditions(self, size: TileSize) -> float:
        """Comparisons for each place, to tell whether it is an element: one for each that asks for both sides, or for
        what two of them say together; one of a side alone is for all points of a thread in its row, or in its column.
        """
        parts = self.elements.gist(self._set(("d", "a", "k"))).get_basic_sets()
        return max((_comparisons(part, size) for part in parts), default=0.0)

    def _reached(self, points: isl.Set, unit: int) -> isl.Set:
        """{ [y, x, k] } from the first point of a tile, or a multiple of `unit` before it, to its last one."""
        start = self.deep.start
        behind = isl.Map(f"{{ [y, x, f] -> [y, x, k] : k - {start} >= {unit} * floor((f - {start}) / {unit}) }}")
        before = isl.Map("{ [y, x, l] -> [y, x, k] : k <= l }")
        return points.apply(behind).intersect(points.apply(before)).coalesce()

    def _without(self, tile: isl.Set) -> isl.Set:
        """{ [y, x, k] }: what some point of a tile has not, or what is not read for one of its places."""
        # A stage that goes on behind the last reduced point of all is not whole either.
        behind = isl.Set(f"{{ [y, x, k] : k = {self.deep.stop} }}")
        found = _images(tile, self.missing, 2).union(behind)
        for operand in self.tiling.operands:
            if operand.read is not None:
                found = found.union(self._lacking(tile, operand.read))
        for each in self.tiling.conditional:
            found = found.union(self._lacking(tile, each))
        return found.coalesce()

    def _lacking(self, tile: isl.Set, points: isl.Set) -> isl.Set:
        """{ [y, x, k] }: what some place of a tile has not of { [t, r] }."""
        return _images(tile, self._set(("d", "a", "k")).subtract(self._sides(points)), 2)

    def _fetched(self, operand: Operand, reached: isl.Set, points: tuple[int, int]) -> int:
        """How many elements of an operand all blocks of a layer fetch."""
        side, along, own = (self.down, points[0], "y") if operand.down else (self.across, points[1], "x")
        rows = isl.Set(
            f"{{ [y, x, r, k] : {side.start} <= r < {side.stop} and 0 <= r - {side.start} - {along} {own} < {along} }}"
        )
        fetched = rows.intersect(reached.insert_dims(isl.dim_type.set, 2, 1))
        if operand.read is not None:
            read = self._sides(operand.read).project_out(isl.dim_type.set, 1 if operand.down else 0, 1)
            fetched = fetched.intersect(read.insert_dims(isl.dim_type.set, 0, 2))
        step = _step(side)
        return _count(_one_of(fetched, 2, side, step)) * step

    def _set(self, names: Seq[str], *conditions: str) -> isl.Set:
        """The box along these dimensions, where the conditions hold."""
        ranges = {"d": self.down, "a": self.across, "k": self.deep}
        bounds = [f"{r.start} <= {name} < {r.stop}" for name, r in ranges.items() if name in names]
        return isl.Set(f"{{ [{', '.join(names)}] : {' and '.join([*bounds, *conditions])} }}")

    def _sides(self, points: isl.Set) -> isl.Set:
        """{ [t] } or { [t, r] } as { [d, a] } or { [d, a, k] }, at the sizes that weigh."""
        points = self.at.fixed(points)
        first, second = self.tiling.down, self.tiling.across
        count = len(self.tiling.kept_box)
        behind = [k for k in range(islx.dimensions(points)) if k >= count]
        names = [f"t{k}" for k in range(islx.dimensions(points))]
        order = ", ".join(names[k] for k in (first, second, *behind))
        return points.reset_tuple_id().apply(isl.Map(f"{{ [{', '.join(names)}] -> [{order}] }}")).coalesce()


def _comparisons(part: isl.BasicSet, size: TileSize) -> float:
    """How many there are for each place of { [d, a, k] }."""
    sides = [tuple(each.involves_dims(isl.dim_type.set, k, 1) for k in (0, 1)) for each in part.get_constraints()]
    both, down, across = (sides.count(each) for each in ((True, True), (True, False), (False, True)))
    return both + bool(down and across) + down / size.across + across / size.down


def _parameters(points: isl.Set) -> Iterator[str]:
    for position in range(points.dim(isl.dim_type.param)):
        if points.involves_dims(isl.dim_type.param, position, 1):
            yield str(points.get_dim_name(isl.dim_type.param, position))


def _images(tile: isl.Set, points: isl.Set, first: int) -> isl.Set:
    """{ [y, x, …] }: what tiles { [y, x, d, a] } have of { [d, a, …] }."""
    more = islx.dimensions(points) - 2
    points = points.insert_dims(isl.dim_type.set, 0, 2)
    found = tile.add_dims(isl.dim_type.set, more).intersect(points)
    return found.project_out(isl.dim_type.set, first, 2).coalesce()


def _in_stages(points: isl.Set, start: int, depth: int) -> isl.Set:
    """All of the stages that have some of { [y, x, k] }."""
    stage = isl.Map(f"{{ [y, x, k] -> [y, x, q] : 0 <= k - {start} - {depth} q < {depth} }}")
    return points.apply(stage).apply(stage.reverse()).coalesce()


def _step(side: range) -> int:
    """Of how many neighbours along a side one is looked at."""
    step = 1
    while step < MOST_STEP and len(side) > LOOKED_AT * step:
        step *= 2
    return step


def _one_of(points: isl.Set, position: int, side: range, step: int) -> isl.Set:
    """One of `step` neighbours along a dimension, the one in the middle."""
    if step == 1:
        return points
    names = [f"t{k}" for k in range(islx.dimensions(points))]
    before = list(names)
    before[position] = f"{side.start + step // 2} + {step} t{position}"
    return isl.Map(f"{{ [{', '.join(names)}] -> [{', '.join(before)}] }}").intersect_range(points).domain()


def _count(points: isl.Set) -> int:
    return int(points.coalesce().count_val().to_python())
