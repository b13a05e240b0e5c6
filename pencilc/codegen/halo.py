"""The function whose blocks fetch what a tile of points reads; gpu/shapes/halo.py says what that is."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import reduce
from math import prod

import islpy as isl

from pencilc import islx
from pencilc.codegen.astgen import Affine
from pencilc.codegen.frame import KernelFrame
from pencilc.codegen.instances import Instances, KernelPart
from pencilc.codegen.lowering import HeldPlace, LinearArray, lowered
from pencilc.codegen.names import NameTable, safe
from pencilc.gpu.shapes.halo_sizes import extents, held_elements, pitches, reach_along, ring
from pencilc.ir.build import (
    ONE,
    ZERO,
    binary,
    cast,
    choice,
    conjunction,
    conjuncts,
    count_of,
    declare,
    element,
    is_number,
    minus,
    number,
    plus,
    substituted,
    symbol,
    times,
    variable,
)
from pencilc.ir.geometry import Geometry
from pencilc.ir.halo import CopyTile, EachPlane, HaloTile, LoadPlane, PlanePlaces, PointsOfTile, StorePlane
from pencilc.ir.nodes import Node, SharedDecl, Sync, uses
from pencilc.ir.shapes import BoxDimension, Halo, Held, HeldDimension
from pencilc.ir.source import INT, LLONG, CType, Declare, Expr, Index, Name, PointerType, Scalar
from pencilc.records import dataclass

# The place of a point on each side of its tile, and the first one of the tile.
ROW, COLUMN, PLANE = "@row", "@column", "@plane"
FIRST = {ROW: "@first_row", COLUMN: "@first_column", PLANE: "@first_plane"}
# What a thread fetches: its number among all, and which plane that is.
AT, STEP = "@at", "@step"


class HaloWriter:
    """Writes the nodes of a kernel whose blocks hold what a tile reads; points are so few that an `int` counts them.

    `frame` and `writer` are those of the kernel with the box of its tile.
    """

    def __init__(self, frame: KernelFrame, writer: Instances, halo: Halo) -> None:
        self.frame, self.writer, self.halo = frame, writer, halo
        self.sides = {halo.down: ROW, halo.across: COLUMN}
        if halo.along is not None:
            self.sides[halo.along] = PLANE
        table = NameTable()
        self.names = tuple(table.fresh(safe(each.symbol)) for each in halo.held)
        # Subscripts have the type of the iterators that they are made of.
        wide = any(isinstance(kind, Scalar) and kind.size > INT.size for kind in frame.types.values())
        self.place: CType = LLONG if wide else INT

    def nodes(self, at: Geometry) -> tuple[Node, ...]:
        """The points of all tiles, with what is fetched for them."""
        frame, halo = self.frame, self.halo
        assert frame.tree is not None
        copies = tuple(self._copy(at, each) for each in halo.held)
        firsts = tuple(first for each in halo.held for first in self._firsts(each))
        places: dict[str, list[tuple[Index, LinearArray]]] = {}
        for each in halo.held:
            place = self._place(each)
            for read in each.reads:
                places.setdefault(read.statement, []).append((read.index, place))
        self.writer.held = places
        ast = frame.ast_by_interior(frame.tree, frame.kept, frame.kept_names, frame.inner_names)
        nodes = self.writer.whole(KernelPart("body"), ast)
        iterators = tuple(each for position in self.sides for each in self._iterator(position, nodes))
        layers = [k for k in range(len(frame.kept)) if k not in self.sides]
        boxes = [halo.kept_box[k] for k in layers]
        kept = frame.recover("@outer", [frame.kept_names[k] for k in layers], boxes, (nodes, firsts, copies))
        low, high = reach_along(halo)
        tile = HaloTile(
            at, self._count(halo.down), self._count(halo.across),
            None if halo.along is None else self._count(halo.along),
            count_of([frame.trips(box) for box in boxes]) if layers else None,
            halo.launch.halo_down, halo.launch.halo_across,
        )  # fmt: skip
        shared = tuple(
            SharedDecl(self._tile_name(each), each.index.type, held_elements(halo, each)) for each in halo.held
        )
        points = PointsOfTile(at, tile.down, tile.across, (*iterators, *nodes))
        once = tuple(each for each in copies if each.plane is None)
        begin: tuple[Node, ...] = (tile, *kept, *shared, *firsts, *once)
        if halo.along is None:
            return (*begin, Sync("block"), points)
        first, fetch, following = list[Node](), list[Node](), list[Node]()
        for each, copy in zip(halo.held, copies, strict=True):
            if copy.plane is None:
                continue
            ahead = self._ahead(each, copy, high - low)
            if ahead is None:
                fetch.append(copy)
                continue
            first += (ahead.places, ahead.first)
            fetch.append(ahead.store)
            following.append(ahead.following)
        return (*begin, *first, EachPlane((*fetch, *following, Sync("block")), high - low, (points,)))

    def _count(self, position: int) -> Expr:
        return self.frame.trips(self.halo.kept_box[position])

    def _iterator(self, position: int, nodes: object) -> Iterator[Declare]:
        """The iterator of a side at its place, if `nodes` use it."""
        name = self.frame.kept_names[position]
        if uses(nodes, name):
            kind = self.frame.types[name]
            yield declare(name, kind, typed(kind, self._value(position, self.sides[position])), is_const=True)

    def _value(self, position: int, place: str) -> Expr:
        """The value of a kept row at a place of its side, counted from the first one."""
        return plus(self.frame.bounds(self.halo.kept_box[position])[0], variable(place, INT))

    # ---- what is held ------------------------------------------------------------------------------

    def _name(self, held: Held) -> str:
        """The name of an array; another one for each group of reads of it."""
        position = next(k for k, each in enumerate(self.halo.held) if each is held)
        return self.names[position]

    def _tile_name(self, held: Held) -> str:
        return f"@{self._name(held)}_tile"

    def _first(self, held: Held, position: int) -> str:
        return f"@{self._name(held)}_first{position}"

    def _moves_along(self, dimension: HeldDimension) -> bool:
        return dimension.row is not None and dimension.row == self.halo.along

    def _place(self, held: Held) -> LinearArray:
        """Where the points of a tile find the elements of an array."""
        rings = tuple(ring(self.halo) if self._moves_along(each) else 0 for each in held.dimensions)
        firsts = tuple(variable(self._first(held, k), self.place) for k in range(len(held.dimensions)))
        sizes = zip(extents(self.halo, held), pitches(self.halo, held), strict=True)
        place = HeldPlace(firsts, tuple(pitch if size > 1 else 0 for size, pitch in sizes), rings)
        return LinearArray(self._tile_name(held), held=place)

    def _firsts(self, held: Held) -> Iterator[Declare]:
        """The subscripts of the first element that a tile holds of an array."""
        for k, dimension in enumerate(held.dimensions):
            yield declare(self._first(held, k), self.place, typed(self.place, self._start(dimension)), True)

    def _fetched(self, held: Held) -> list[int]:
        """How many values each subscript has in what is fetched at once: of planes, one."""
        sizes = zip(held.dimensions, extents(self.halo, held), strict=True)
        return [1 if self._moves_along(dimension) else size for dimension, size in sizes]

    def _copy(self, at: Geometry, held: Held) -> CopyTile:
        """How threads fetch what a tile holds of an array: `@x0`, `@x1`… are the subscripts of an element."""
        places, offsets = list[Declare](), list[Expr]()
        plane: Declare | None = None
        fetched = self._fetched(held)
        # Where neighbours in what is fetched are neighbours in shared memory, its number is its place.
        own = pitches(self.halo, held)
        is_run = True
        for k, size in enumerate(fetched):
            is_run = is_run and (size == 1 or own[k] == prod(fetched[k + 1 :]))
        for k, (dimension, pitch) in enumerate(zip(held.dimensions, own, strict=True)):
            first = variable(self._first(held, k), self.place)
            if self._moves_along(dimension):
                inside: Expr = variable(STEP, INT)
                local: Expr = binary("&", inside, number(ring(self.halo) - 1))
            else:
                inside = local = _digit(fetched, k)
            place = declare(f"@x{k}", self.place, typed(self.place, plus(first, inside)), True)
            if self._moves_along(dimension):
                plane = place
            else:
                places.append(place)
            if self._moves_along(dimension) or (not is_run and not is_number(local, 0)):
                offsets.append(times(local, number(pitch)))
        if is_run:
            offsets.append(variable(AT, INT))
        offset = reduce(plus, offsets)
        return CopyTile(
            at, held.index.type, self._tile_name(held), prod(fetched), tuple(places), plane,
            self._whole(held, fetched), self._condition(held), self._address(held), offset,
        )  # fmt: skip

    def _ahead(self, held: Held, copy: CopyTile, lag: int) -> _Ahead | None:
        """The copies of an array one plane ahead, where a thread finds its elements at the same places in each plane.

        None where a condition asks for the plane and for a place in it together, or where the array lies otherwise in
        memory than by its subscripts alone.
        """
        assert copy.plane is not None
        plane, others = copy.plane.symbol.name, [each.symbol.name for each in copy.places]
        parts = conjuncts(copy.condition)
        of_plane = [part for part in parts if uses(part, plane)]
        of_place = [part for part in parts if not uses(part, plane)]
        array = self.writer.base.arrays.get(held.symbol)
        if any(uses(of_plane, name) for name in others) or array is None or array.prefix:
            return None
        name, count, of_block = self._name(held), copy.count, copy.at.size
        places, ahead, first = f"@{name}_places", f"@{name}_ahead", f"@{name}_from"
        items = -(-count // of_block)
        distance = self._place_in_plane(held)

        def asked(step: Expr) -> list[Expr]:
            return [substituted(part, {plane: self._subscript_of_plane(held, step)}) for part in of_plane]

        def load(step: Expr, *conditions: Expr) -> LoadPlane:
            begin = self._begin_of_plane(held, step)
            place = element(variable(places, PointerType(distance.type)), variable("@e", INT), distance.type)
            found = element(begin.base, plus(variable(first, begin.index.type), place), begin.type)
            start = declare(first, begin.index.type, begin.index, is_const=True)
            return LoadPlane(places, ahead, items, step, conjunction((*conditions, *asked(step))), start, found)

        is_there = [binary("<", variable(AT, INT), number(count))] if count % of_block else []
        is_copied = conjunction((*is_there, *of_place))
        subscripts = tuple(each for each in copy.places if uses(of_place, each.symbol.name))
        place = distance if is_copied is None else choice(is_copied, distance, number(-1))
        found = PlanePlaces(copy.at, copy.type, places, ahead, items, subscripts, distance.type, place)
        step = variable(STEP, INT)
        after = plus(step, ONE)
        now = conjunction(asked(step))
        store = StorePlane(copy.at, copy.type, places, ahead, items, copy.tile, now, copy.offset)
        steps = plus(variable("@ours", INT), number(lag))
        return _Ahead(found, load(ZERO), store, load(after, binary("<", after, steps)))

    def _subscript_of_plane(self, held: Held, step: Expr) -> Expr:
        """The subscript of a plane of a block."""
        k = next(k for k, each in enumerate(held.dimensions) if self._moves_along(each))
        return typed(self.place, plus(variable(self._first(held, k), self.place), step))

    def _begin_of_plane(self, held: Held, step: Expr) -> Index:
        """The first element that a tile has of a plane."""
        firsts = (variable(self._first(held, k), self.place) for k in range(len(held.dimensions)))
        plane = self._subscript_of_plane(held, step)
        moving = zip(held.dimensions, firsts, strict=True)
        return self._element(held, [plane if self._moves_along(each) else first for each, first in moving])

    def _place_in_plane(self, held: Held) -> Expr:
        """How far an element lies behind the first one of its plane."""
        fetched = self._fetched(held)
        return self._element(held, [_digit(fetched, k) for k in range(len(fetched))]).index

    def _start(self, dimension: HeldDimension) -> Expr:
        """The first value of a subscript that a tile, or the first plane of a block, has."""
        if dimension.row is None:
            assert dimension.start is not None
            return self.frame.affine.value(dimension.start, self.frame.context((), ()))
        low = reach_along(self.halo)[0] if self._moves_along(dimension) else dimension.low
        side = self.sides.get(dimension.row)
        name = self.frame.kept_names[dimension.row]
        value = variable(name, self.frame.types[name]) if side is None else self._value(dimension.row, FIRST[side])
        value = times(value, number(dimension.factor)) if dimension.factor > 1 else value
        return plus(value, number(low)) if low >= 0 else minus(value, number(-low))

    def _condition(self, held: Held) -> Expr | None:
        """Whether any point reads the element."""
        names = [f"@x{k}" for k in range(len(held.dimensions))]
        if held.box is not None:
            return self._in_box(held, [variable(name, self.place) for name in names], [1] * len(names))
        return self._asked(islx.as_parameters(held.fetched, names), names)

    def _whole(self, held: Held, fetched: Seq[int]) -> Expr | None:
        """Whether points read all elements of the box that is fetched at once."""
        names = [
            f"@x{k}" if self._moves_along(each) else self._first(held, k) for k, each in enumerate(held.dimensions)
        ]
        if held.box is not None:
            return self._in_box(held, [variable(name, self.place) for name in names], fetched)
        return self._asked(all_among(held.fetched, names, fetched), names)

    def _in_box(self, held: Held, firsts: Seq[Expr], counts: Seq[int]) -> Expr | None:
        """Whether so many elements along each subscript, from `firsts` on, lie in the box of what is fetched."""
        assert held.box is not None
        found: list[Expr] = []
        for dimension, box, first, count in zip(held.dimensions, held.box, firsts, counts, strict=True):
            lower, upper = self.frame.bounds(box)
            if not self._begins_inside(dimension, box):
                found.append(binary(">=", first, lower))
            if not self._ends_inside(dimension, box):
                one = count == 1
                found.append(binary("<", first, upper) if one else binary("<=", first, minus(upper, number(count))))
        return conjunction(found)

    def _begins_inside(self, dimension: HeldDimension, box: BoxDimension) -> bool:
        """Whether no tile reaches below the box."""
        if dimension.row is None:
            return True
        lower = self.halo.kept_box[dimension.row].lower
        # All arrays begin with the same plane, whether a point needs it of this one or not.
        low = reach_along(self.halo)[0] if self._moves_along(dimension) else dimension.low
        least = lower.scale_val(isl.Val(dimension.factor)).add_constant_val(isl.Val(low))
        return bool(self.frame.context((), ()).is_subset(box.lower.le_set(least).params()))

    def _ends_inside(self, dimension: HeldDimension, box: BoxDimension) -> bool:
        """Whether no tile reaches beyond the box: one that moves with no side of it."""
        if dimension.row in self.sides:
            return False
        if dimension.row is None:
            return True
        upper = self.halo.kept_box[dimension.row].upper
        most = upper.scale_val(isl.Val(dimension.factor)).add_constant_val(isl.Val(dimension.high))
        return bool(self.frame.context((), ()).is_subset(most.le_set(box.upper).params()))

    def _asked(self, places: isl.Set, names: Seq[str]) -> Expr | None:
        """The condition that subscripts with these names are among `places`; None where they always are."""
        known = {name: variable(name, self.place) for name in names}
        return Affine({**self.frame.affine.names, **known}).condition(places, self.frame.context((), ()))

    def _address(self, held: Held) -> Expr:
        """The element in memory."""
        return self._element(held, [variable(f"@x{k}", self.place) for k in range(len(held.dimensions))])

    def _element(self, held: Held, values: Seq[Expr]) -> Index:
        """The element in memory that has these subscripts."""
        names = [variable(f"@x{k}", self.place) for k in range(len(held.dimensions))]
        bindings = self.writer.base
        known = {name.symbol.name: value for name, value in zip(names, values, strict=True)}
        found = lowered(with_subscripts(held.index, names), replace(bindings, values={**bindings.values, **known}))
        assert isinstance(found, Index)
        return found


@dataclass(frozen=True, slots=True)
class _Ahead:
    """What copies an array one plane ahead: where its elements are, the first plane, each step."""

    places: PlanePlaces
    first: LoadPlane
    store: StorePlane
    following: LoadPlane


def all_among(points: isl.Set, names: Seq[str], counts: Seq[int]) -> isl.Set:
    """The parameters for which { [x] } has all elements of a box: so many along each subscript, from `names` on."""
    missing = points.complement()
    for k, (name, count) in enumerate(zip(names, counts, strict=True)):
        missing = missing.add_dims(isl.dim_type.param, 1)
        missing = missing.set_dim_name(isl.dim_type.param, missing.dim(isl.dim_type.param) - 1, name)
        first, here = islx.parameter(missing, name), islx.variable(missing, k)
        last = first.add_constant_val(isl.Val(count - 1))
        missing = missing.intersect(first.le_set(here)).intersect(here.le_set(last))
    return missing.params().complement().coalesce()


def typed(kind: CType, value: Expr) -> Expr:
    """The value in that type."""
    return value if value.type == kind or is_number(value) else cast(kind, value)


def _digit(sizes: Seq[int], position: int) -> Expr:
    """The index along one direction of what a thread fetches, which is number `@at` of all."""
    inner = prod(sizes[position + 1 :])
    found: Expr = variable(AT, INT)
    if sizes[position] == 1:
        return number(0)
    if inner > 1:
        found = binary("/", found, number(inner))
    if prod(sizes[:position]) > 1:
        found = binary("%", found, number(sizes[position]))
    return found


def with_subscripts(index: Expr, values: Seq[Expr]) -> Expr:
    """`a[i][j]` with other subscripts."""
    if not isinstance(index, Index):
        return index
    *others, last = values
    if isinstance(last, Name):
        last = Name(symbol(last.symbol.name, last.type), last.type, index.span)
    return Index(with_subscripts(index.base, others), last, index.type, index.span)
