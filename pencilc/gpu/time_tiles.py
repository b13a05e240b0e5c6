"""The pass `time`: loops on the host of which a launch does several iterations, a tile for each block.

    for t0 on the host { kernel f_parallel0, kernel f_parallel1 }   ->   the same, or launches of f_loop0_tiles

A stencil in a loop over time moves its arrays through memory in every iteration.  Where each point writes one element,
the same for all kernels below the loop, and reads what the loop writes at a constant distance from it, a block can do
several iterations of a tile by itself: it fetches the tile and what these reach around it, and does around the tile
what other blocks do there as well.  Each kernel leaves less than it found, by what it reads around, until the tile is
left.  What a launch stores goes to another array than those that blocks still read, and the host swaps the two; what
each iteration overwrites before it reads it is stored behind the last iteration alone.  Planes by number or
in turns (`u[(t + 1) % 2][i] = f(u[t % 2][i - 1])`) are as arrays of their own: a block holds a part of each.

The entry point does the loop so where its iterations have too many points for one launch of all of them, where there
are two iterations at least, and no direction is narrow.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import replace
from math import lcm

import islpy as isl

from pencilc import islx, quotas
from pencilc.analysis.affinity import base_name, is_indexed_whole, outermost_indices
from pencilc.analysis.box import Domains, at_rows, box_around, box_of, fixed, hull_of, image, within
from pencilc.gpu.loops import TOO_HARD
from pencilc.gpu.records import Looped, Timed
from pencilc.gpu.shapes.halo import PIECES, Unheld, fetched_of
from pencilc.gpu.shapes.time_sizes import large_enough, with_sizes
from pencilc.ir.mapping import HostItem, HostLoop, kernels_of, with_loops_changed
from pencilc.ir.schedule import Row, Sequence
from pencilc.ir.scop import Access, AccessKind, Array, StatementKind
from pencilc.ir.shapes import BoxDimension, Kernel, ParallelKernel, SingleKernel
from pencilc.ir.source import ArrayType, Index, Scalar, element_type, extents
from pencilc.ir.time_tiles import HeldArray, Plane, Reach, StepOfTile, TimeTiling, widest
from pencilc.options import TimeLaunch
from pencilc.poly.model.planes import plane_of, without_plane
from pencilc.records import dataclass

# Arrays of more dimensions have no tiles; a first subscript with more values is one of these.
DIMENSIONS, PLANES = 3, 4
# So many iterations may take turns.
PERIOD = 4


class _Refused(Exception):
    """Why iterations have launches of their own."""


def with_time_tiles(looped: Looped) -> Timed:
    """The items with the tiles of their loops."""
    return Timed(looped, _Tiler(looped).level(looped.items, ()))


class _Tiler:
    """Looks at the loops of one region."""

    def __init__(self, looped: Looped) -> None:
        chosen = looped.chosen
        region = chosen.fused.placed.shaped.region
        self.scop, self.domains, self.settings = chosen.scop, region.domains, region.settings
        self.storage = {each.array: each for each in chosen.fused.placed.storage}

    def level(self, items: Seq[HostItem], around: tuple[HostLoop, ...]) -> tuple[HostItem, ...]:
        """The items of a level below the loops `around`."""
        return with_loops_changed(items, lambda loop: self._loop(loop, around))

    def _loop(self, loop: HostLoop, around: tuple[HostLoop, ...]) -> HostLoop:
        if loop.kernel is None:
            return replace(loop, items=self.level(loop.items, (*around, loop)))
        try:
            with quotas.operation_quota():
                tiling = _Found(self, loop, around).tiling()
        except (_Refused, Unheld) as reason:
            return replace(loop, not_tiled=str(reason))
        except quotas.OperationQuotaExceeded:
            return replace(loop, not_tiled=TOO_HARD)
        large = large_enough(tiling.box, tiling.launch.time_side)
        if large is not None and tiling.inhabited.intersect(large).intersect_params(self.scop.context).is_empty():
            return replace(loop, not_tiled="a direction has too few elements, whatever the sizes are")
        sized = with_sizes(tiling, self.settings.tuning.of(loop.kernel.name))
        if sized is None:
            return replace(loop, not_tiled="no tile that fits on the chip moves fewer bytes")
        return replace(loop, tiling=sized)


@dataclass(frozen=True, slots=True)
class _Planes:
    """So many planes, one of which the first subscript of an array always says, by number or in turns; 0: none."""

    count: int
    in_turns: bool


NO_PLANES = _Planes(0, in_turns=False)


class _Found:
    """What is found out about one loop; each question raises _Refused, or Unheld."""

    def __init__(self, tiler: _Tiler, loop: HostLoop, around: tuple[HostLoop, ...]) -> None:
        self.scop, self.storage, self.loop = tiler.scop, tiler.storage, loop
        self.kernels = kernels_of(loop.items)
        if any(isinstance(item, HostLoop) for item in loop.items):
            raise _Refused("another loop inside of it is on the host")
        names = [name for kernel in self.kernels for name in kernel.statements]
        if len(set(names)) < len(names):
            raise _Refused("kernels do the same statement")
        outer = ([each.row for each in around], [each.iterator for each in around])
        self.domains: Domains = fixed({name: tiler.domains[name] for name in names}, *outer)
        self.written = dict.fromkeys(self._symbol(a) for a in self.scop.accesses(names) if self._is_write(a))
        self.has_registers = any(a.kind.writes and not self._is_write(a) for a in self.scop.accesses(names))
        self.planes: dict[str, _Planes] = {}
        self.period, self.turns = 1, dict.fromkeys((kernel.name for kernel in self.kernels), 0)
        assert loop.kernel is not None
        self.side = TimeLaunch().changed(tiler.settings.tuning.of(loop.kernel.name)).time_side

    def tiling(self) -> TimeTiling:
        """The tiles, which have no sizes yet."""
        for kernel in self.kernels:
            self._verify_kernel(kernel)
        self._take_turns()
        arrays = {name: self._array(name) for name in self.written}
        self.planes = {name: self._planes(array) for name, array in arrays.items()}
        counts = {len(extents(a.symbol.type)) - (self.planes[name].count > 0) for name, a in arrays.items()}
        if len(counts) != 1 or not 1 <= max(counts) <= DIMENSIONS:
            raise _Refused("the arrays that it writes have different numbers of dimensions, or too many")
        self.kernels = tuple(part for kernel in self.kernels for part in self._parts(kernel))
        first, last, inhabited = self._iterations()
        self._take_launched_sizes(tuple(arrays.values()))
        steps = tuple(map(self._step, self.kernels))
        box = self._written_box(tuple(arrays.values()), self.kernels)
        if box is None:
            raise _Refused("what it writes lies in no box")
        held = tuple(self._held(array, inhabited, box) for array in arrays.values())
        if all(None in step.rows for step in steps):
            raise _Refused("it works on borders alone")
        if not any(each.carried for each in held):
            raise _Refused("no iteration reads what another one has written")
        others = tuple(map(self._other_bytes, self.kernels))
        steps = tuple(_from_borders(step, box) for step in steps)
        return TimeTiling(steps, held, box, first, last, inhabited, others, self.period)

    # ---- the kernels -------------------------------------------------------------------------------

    def _verify_kernel(self, kernel: Kernel) -> None:
        """Points that are independent, each of which assigns elements of arrays, or a few elements, as corners are."""
        if not isinstance(kernel, ParallelKernel | SingleKernel) or kernel.plans or kernel.prologue or kernel.post:
            raise _Refused(f"{kernel.name} reduces, or has work that is not parallel")
        if any(row.flag != "P" for row in kernel.kept):
            raise _Refused(f"the points of {kernel.name} depend on each other")
        for name in kernel.statements:
            record = self.scop.statement(name)
            if record.is_ragged or record.kind is not StatementKind.ORDINARY or record.body is None:
                raise _Refused(f"{kernel.name} does more than assign elements")

    def _array(self, symbol: str) -> Array:
        """The array in memory that a variable is."""
        found, storage = self.scop.arrays_of(symbol), self.storage.get(symbol)
        (array,) = found if len(found) == 1 else (None,)
        if array is None or not isinstance(element_type(array.symbol.type), Scalar):
            raise _Refused(f"`{symbol}` is no array of numbers")
        if array.scope_iterators or storage is None or not storage.is_in_memory or storage.expanded:
            raise _Refused(f"`{symbol}` is another one for each iteration of a loop")
        for kernel in self.kernels:
            for name in kernel.statements:
                if not all(is_indexed_whole(root, symbol) for root in self.scop.statement(name).roots):
                    raise _Refused(f"a function is given a part of `{symbol}`")
        return array

    def _is_write(self, access: Access) -> bool:
        """Whether it writes memory, not a register of a thread."""
        storage = self.storage.get(self._symbol(access))
        return access.kind.writes and not (storage is not None and storage.is_in_register)

    def _symbol(self, access: Access) -> str:
        return self.scop.array(access.array).symbol.name

    def _accesses(self, kernel: Kernel) -> Iterator[tuple[str, Access]]:
        """The accesses of a kernel to what the loop writes, with their statements."""
        for name in kernel.statements:
            for access in self.scop.statement(name).accesses:
                if self._symbol(access) not in self.written or access.kind is AccessKind.KILL:
                    continue
                if not access.exact or access.member_path or access.kind is AccessKind.UPDATE:
                    what = f"which elements of `{self._symbol(access)}` are accessed"
                    raise _Refused(f"data, or divisions that isl gives up, decide {what}")
                yield name, access

    def _planes(self, array: Array) -> _Planes:
        """The planes of an array, if the first subscript always says one of a few."""
        symbol, extent = array.symbol.name, array.extent
        if len(extents(array.symbol.type)) < 2:
            return NO_PLANES
        least, most = extent.dim_min_val(0), extent.dim_max_val(0)
        if not (least.is_zero() and most.is_int() and 1 <= most.to_python() < PLANES):
            return NO_PLANES
        count = int(most.to_python()) + 1
        found = [
            points
            for kernel in self.kernels
            for name, access in self._accesses(kernel)
            if self._symbol(access) == symbol and not (points := self._points(kernel, name, access)).is_empty()
        ]
        if all(plane_of(points, count, False) is not None for points in found):
            return _Planes(count, in_turns=False)
        if self.period > 1:
            return NO_PLANES
        first, _, inhabited = self._iterations()
        # In C the remainder of a negative number is negative.
        below = first.lt_set(islx.constant(first.domain(), 0)).intersect_params(inhabited)
        if below.is_empty() and all(plane_of(points, count, True) is not None for points in found):
            return _Planes(count, in_turns=True)
        return NO_PLANES

    def _points(self, kernel: Kernel, name: str, access: Access) -> isl.Map:
        """{ [t, kept] -> [x] }: the elements that a point of an iteration accesses."""
        rows: tuple[Row, ...] = (self.loop.row, *kernel.kept)
        points = at_rows(self.domains[name], rows, name).intersect_domain(self.domains[name])
        return points.reverse().apply_range(access.relation).reset_tuple_id(isl.dim_type.out)

    def _relation(self, kernel: Kernel, name: str, access: Access) -> isl.Map:
        """The same, where in their plane the elements are."""
        points = self._points(kernel, name, access)
        return without_plane(points) if self.planes[self._symbol(access)].count else points

    def _parts(self, kernel: Kernel) -> tuple[Kernel, ...]:
        """The kernel as several whose points each write one element, one after the other: its points are independent.

        for (j…) { a[0][j] = a[1][j]; a[n - 1][j] = a[n - 2][j]; }
        """
        if not isinstance(kernel.body, Sequence) or self.has_registers:
            return (kernel,)
        parts: list[Kernel] = []
        for child in kernel.body.children:
            part = replace(kernel, body=child)
            joined = replace(kernel, body=Sequence((parts[-1].body, child))) if parts and parts[-1].body else None
            if joined is not None and self._writes_one(joined):
                parts[-1] = joined
            else:
                parts.append(part)
        return tuple(parts)

    def _writes_one(self, kernel: Kernel) -> bool:
        """Whether each point of a kernel writes one element, of whatever arrays."""
        try:
            self._step(kernel)
        except _Refused:
            return False
        return True

    def _step(self, kernel: Kernel) -> StepOfTile:
        """Which element a point writes, and how far from it it reads."""
        found = [(a, self._relation(kernel, name, a)) for name, a in self._accesses(kernel)]
        found = [(access, relation) for access, relation in found if not relation.is_empty()]
        written = [relation for access, relation in found if access.kind.writes]
        single = self._single_rows(kernel)
        place = _place(len(kernel.kept), written[0], self.scop.context) if written else None
        if place is None or not {each.row for each in place} | single.keys() >= set(range(len(kernel.kept))):
            raise _Refused(f"the points of {kernel.name} write elements that do not follow its rows")
        box = self._box(kernel, place)
        nothing = ((0, 0),) * len(place)
        if any(_reach(relation, place, box) != nothing for relation in written):
            raise _Refused(f"the points of {kernel.name} write elements at different places")
        reads: dict[str, Reach] = {}
        for access, relation in found:
            if access.kind is AccessKind.READ:
                symbol = self._symbol(access)
                reach = _reach(relation, place, box)
                if reach is None:
                    raise _Refused(f"`{symbol}` is read at no constant distance from what is written")
                reads[symbol] = widest([reach, reads[symbol]]) if symbol in reads else reach
        writes = tuple(dict.fromkeys(self._symbol(access) for access, _ in found if access.kind.writes))
        bytes_ = sum(self.scop.array(access.array).element.size for access, _ in found)
        rows, shifts = (tuple(each.row for each in place), tuple(each.shift for each in place))
        assert kernel.body is not None
        turn = self.turns[kernel.name]
        single = {row: value for row, value in single.items() if row not in rows}
        return StepOfTile(kernel.name, kernel.body, rows, shifts, box, writes, reads, nothing, bytes_, turn, single)

    def _single_rows(self, kernel: Kernel) -> dict[int, isl.PwAff]:
        """The kept rows with one value, and which."""
        box = hull_of(image(self.domains, kernel.kept, kernel.statements), self.scop.context) or ()
        return {row: side.lower for row, side in enumerate(box) if side.lower.is_equal(side.upper)}

    def _box(self, kernel: Kernel, place: Seq[_Subscript]) -> tuple[BoxDimension, ...]:
        """Where the points of a kernel write, or would, in any iteration."""
        box = hull_of(image(self.domains, kernel.kept, kernel.statements), self.scop.context)
        if box is None:
            raise _Refused(f"the points of {kernel.name} lie in no box")
        return tuple(_moved(box[each.row], each.shift) if each.row is not None else _only(each) for each in place)

    # ---- the sizes ---------------------------------------------------------------------------------

    def _take_launched_sizes(self, arrays: Seq[Array]) -> None:
        """Leave the sizes out for which there are no such tiles: what edges do not overwrite of few rows is nothing."""
        everywhere = self.domains
        # What is written all over comes first: at the smallest sizes edges and points may lie outside of it.
        whole = [kernel for kernel in self.kernels if None not in self._step(kernel).rows]
        box, before = self._written_box(arrays, whole), None
        for _ in range(2):
            large = large_enough(box, self.side) if box is not None else None
            if large is None:
                self.domains = everywhere
                return
            self.domains = {name: domain.intersect_params(large) for name, domain in everywhere.items()}
            before, box = box, self._written_box(arrays, self.kernels)
        # The sizes are those for which the box of these sizes is large enough.
        if (
            box is None
            or before is None
            or large_enough(box, self.side) is None
            or not all(map(_are_same_sides, before, box))
        ):
            self.domains = everywhere

    def _written_box(self, arrays: Seq[Array], kernels: Seq[Kernel]) -> tuple[BoxDimension, ...] | None:
        """Bounds around where any of the kernels writes, in whatever plane."""
        written: list[isl.Set] = []
        for array in arrays:
            extent = self._extent(array)
            for kernel in kernels:
                for name, access in self._accesses(kernel):
                    if access.kind.writes and self._symbol(access) == array.symbol.name:
                        written.append(self._relation(kernel, name, access).range().intersect(extent))
        return box_around(_union(written).coalesce(), self.scop.context) if written else None

    def _extent(self, array: Array) -> isl.Set:
        """{ [x] }: where elements lie in their plane."""
        extent = array.extent.reset_tuple_id()
        return extent.project_out(isl.dim_type.set, 0, 1) if self.planes[array.symbol.name].count else extent

    # ---- the loop ----------------------------------------------------------------------------------

    def _take_turns(self) -> None:
        """Put the kernels in the order of a round, where each works in every second, third, … iteration alone."""
        values = {each.name: image(self.domains, (self.loop.row,), each.statements) for each in self.kernels}
        strides = [int(each.get_stride(0).to_python()) for each in values.values() if not each.is_empty()]
        period = lcm(*strides)
        if not 1 < period <= PERIOD:
            return
        self.period = period
        try:
            first = self._iterations()[0]
            self.turns = {name: self._turn(own, first) for name, own in values.items()}
        except _Refused:
            self.period = 1  # They are iterations as any others.
            return
        self.kernels = tuple(sorted(self.kernels, key=lambda kernel: self.turns[kernel.name]))

    def _turn(self, values: isl.Set, first: isl.PwAff) -> int:
        """Which one of each round, from `first` on, the iterations { [t] } are."""
        behind = islx.variable(values, 0).sub(first.insert_domain(values.get_space()))
        place = behind.mod_val(isl.Val(self.period))
        for turn in range(self.period):
            if values.is_subset(place.eq_set(islx.constant(values, turn))):
                return turn
        raise _Refused("its kernels do not take turns")

    def _iterations(self) -> tuple[isl.PwAff, isl.PwAff, isl.Set]:
        """The first and the last iteration, and the parameters for which there are any.

        Where iterations take turns, there is some iteration of each round between the two.
        """
        values = self._values()
        every = isl.Set.from_basic_set(values.simple_hull().remove_divs()) if self.period > 1 else values
        box = box_of(every, self.scop.context)
        if box is None:
            raise _Refused("its iterations are no range of numbers")
        if self.period > 1:
            rounds = _rounds(box[0].lower, self.period, values)
            between = within(every, box).intersect_params(values.params()).intersect_params(self.scop.context)
            if not between.apply(rounds).is_equal(values.intersect_params(self.scop.context).apply(rounds)):
                raise _Refused("its iterations are no range of numbers")
        return box[0].lower, box[0].upper, values.params()

    def _values(self) -> isl.Set:
        """{ [t] }: the iterations."""
        names = [name for kernel in self.kernels for name in kernel.statements]
        if not names:
            raise _Refused("it has no iterations")
        return image(self.domains, (self.loop.row,), names)

    # ---- the arrays --------------------------------------------------------------------------------

    def _held(self, array: Array, inhabited: isl.Set, box: tuple[BoxDimension, ...]) -> HeldArray:
        """What blocks fetch of an array, and whether it goes from launch to launch; tiles are made of `box`."""
        symbol = array.symbol.name
        planes = self.planes[symbol]
        extent = self._extent(array)
        uses = tuple(self._uses(symbol))
        writes = [use.points.range() for use in uses if use.access.kind.writes]
        reads = [use.points.range() for use in uses if use.access.kind is AccessKind.READ]
        written = _joined(_union(writes).intersect(extent))
        if written.n_basic_set() > PIECES and array.symbol.kind == "param" and not planes.count:
            # What no iteration writes of the box goes from launch to launch as it is.
            written = within(extent, box).intersect(extent).intersect_params(inhabited).coalesce()
        roles: list[Plane] = []
        for plane in range(planes.count):
            own = [use for use in uses if use.plane == plane]
            roles.append(self._role(own, written, planes, array.symbol.kind == "local"))
        carried = "handed on" in roles if planes.count else not self._is_made_first(uses, written)
        touched = _union([*reads, *writes, written]) if carried else _union(reads) if reads else None
        if touched is not None and not carried and "read" not in roles and touched.is_subset(written):
            touched = None
        fetched, own_box = None, None
        if touched is not None:
            fetched, own_box = fetched_of(self.scop, _joined(touched.intersect(extent)), extent, is_certain=False)
        if any(each is not None and each.n_basic_set() > PIECES for each in (written, fetched)):
            raise _Refused(f"what is accessed of `{symbol}` has no simple shape")
        if fetched is not None:
            # From which sizes on is asked by who launches them: of what is copied it would make other pieces.
            fetched = fetched.drop_constraints_not_involving_dims(isl.dim_type.set, 0, islx.dimensions(fetched))
            fetched = fetched.intersect(extent).intersect_params(inhabited).coalesce()
        index = self._access_to(symbol)
        return HeldArray(symbol, carried, written, fetched, own_box, index, tuple(roles), planes.in_turns)

    def _role(self, uses: Seq[_UseOfArray], written: isl.Set, planes: _Planes, is_local: bool) -> Plane:
        """What the plane of some uses is; all that take turns are written sooner or later."""
        if planes.in_turns and not uses and is_local:
            raise _Refused("a plane that no iteration reads may have no values yet, which launches would hand on")
        if not planes.in_turns and not any(use.access.kind.writes for use in uses):
            return "read" if uses else "unused"
        return "made" if self._is_made_first(uses, written) else "handed on"

    def _uses(self, symbol: str) -> Iterator[_UseOfArray]:
        """The accesses to an array, kernel by kernel."""
        for number, kernel in enumerate(self.kernels):
            for name, access in self._accesses(kernel):
                if self._symbol(access) == symbol:
                    is_sure = self.scop.statement(name).certainly_writes(access)
                    points, planes = self._points(kernel, name, access), self.planes[symbol]
                    plane = None
                    if planes.count:
                        plane = None if points.is_empty() else plane_of(points, planes.count, planes.in_turns)
                        points = without_plane(points)
                    yield _UseOfArray(number, access, points, is_sure, plane or 0)

    def _is_made_first(self, uses: Seq[_UseOfArray], written: isl.Set) -> bool:
        """Whether each iteration writes all elements that any writes, before it reads one of them."""
        rounds = _rounds(self._iterations()[0], self.period, self._values())
        made: list[isl.Map] = []  # { [q] -> [x] }
        for number in range(len(self.kernels)):
            own = [use for use in uses if use.kernel == number]
            for use in own:
                if use.access.kind is not AccessKind.READ:
                    continue
                read = _of_iteration(use.points).apply_domain(rounds).intersect_range(written)
                if not read.is_empty() and not (made and read.is_subset(_union_of(made))):
                    return False
            made += [_of_iteration(use.points).apply_domain(rounds) for use in own if use.is_sure]
        everything = isl.Map.from_domain_and_range(self._values().apply(rounds), written)
        return bool(made) and bool(everything.is_subset(_union_of(made)))

    def _access_to(self, symbol: str) -> Index:
        """One of the accesses to an array, as the source has it."""
        for kernel in self.kernels:
            for name in kernel.statements:
                for root in self.scop.statement(name).roots:
                    for index in outermost_indices(root):
                        if base_name(index) == symbol:
                            return index
        raise _Refused(f"`{symbol}` has no subscripts")

    def _other_bytes(self, kernel: Kernel) -> int:
        """What a point reads of arrays that the loop does not write."""
        found = {self._symbol(access) for access in self.scop.accesses(kernel.statements)} - set(self.written)
        symbols = (self.scop.arrays_of(name)[0].symbol for name in sorted(found))
        return sum(element_type(each.type).size for each in symbols if isinstance(each.type, ArrayType))


@dataclass(frozen=True, slots=True, eq=False)
class _UseOfArray:
    """An access to an array by kernel number `kernel`, at `points` { [t, kept] -> [x] }; `is_sure`: it certainly
    writes; `plane`: the c of the plane that it accesses, 0 of an array without any.
    """

    kernel: int
    access: Access
    points: isl.Map
    is_sure: bool
    plane: int


@dataclass(frozen=True, slots=True, eq=False)
class _Subscript:
    """A subscript of what a point writes: a kept row at a distance, or a value that all points have."""

    row: int | None
    shift: int = 0
    value: isl.PwAff | None = None


def _place(count: int, relation: isl.Map, context: isl.Set) -> tuple[_Subscript, ...] | None:
    """What the subscripts of { [t, kept] -> [x] } are, where each is a kept row or a constant; else None."""
    wrapped, found = relation.wrap().flatten(), list[_Subscript]()
    there = hull_of(relation.range().coalesce(), context)
    for position in range(relation.dim(isl.dim_type.out)):
        taken = [each.row for each in found]
        side = there[position] if there is not None else None
        rows = [row for row in (position, *range(count)) if row < count and row not in taken]
        if side is not None and side.lower.is_equal(side.upper):
            found.append(_Subscript(None, 0, side.lower))
            continue
        for row in rows:
            least, most = islx.distance(wrapped, islx.variable(wrapped, 1 + row), 1 + count + position)
            if least is not None and least == most:
                found.append(_Subscript(row, least))
                break
        else:
            return None
    return tuple(found)


def _only(subscript: _Subscript) -> BoxDimension:
    """The range of a subscript that has one value."""
    assert subscript.value is not None
    return BoxDimension(subscript.value, subscript.value)


def _reach(relation: isl.Map, place: Seq[_Subscript], box: Seq[BoxDimension]) -> Reach | None:
    """How far { [t, kept] -> [x] } leads from the element of a point; None if not constantly far."""
    wrapped, count = relation.wrap().flatten(), relation.dim(isl.dim_type.in_) - 1
    found: list[tuple[int, int]] = []
    if relation.dim(isl.dim_type.out) != len(place):
        return None
    for position, (own, side) in enumerate(zip(place, box, strict=True)):
        if own.row is None:
            here = side.lower.insert_domain(wrapped.get_space())
        else:
            here = islx.variable(wrapped, 1 + own.row).add_constant_val(isl.Val(own.shift))
        least, most = islx.distance(wrapped, here, 1 + count + position)
        if least is None or most is None:
            return None
        found.append((max(0, -least), max(0, most)))
    return tuple(found)


def _from_borders(step: StepOfTile, box: Seq[BoxDimension]) -> StepOfTile:
    """The step with what it reads from a border of `box`, on which all of its elements lie, inwards alone."""
    reach, inward = list(step.reach), list(step.inward)
    for position, (row, own, around) in enumerate(zip(step.rows, step.box, box, strict=True)):
        low, high = reach[position]
        if row is None and not low and _is_same(own.lower, around.lower):
            reach[position], inward[position] = (0, 0), (0, high)
        elif row is None and not high and _is_same(own.lower, around.upper):
            reach[position], inward[position] = (0, 0), (low, 0)
    reads: dict[str, Reach] = {}
    for symbol, found in step.reads.items():
        reads[symbol] = tuple((min(a, c), min(b, d)) for (a, b), (c, d) in zip(found, reach, strict=True))
    return replace(step, reads=reads, inward=tuple(inward))


def _are_same_sides(one: BoxDimension, other: BoxDimension) -> bool:
    return _is_same(one.lower, other.lower) and _is_same(one.upper, other.upper)


def _is_same(one: isl.PwAff, other: isl.PwAff) -> bool:
    """Whether two values are the same wherever there are both."""
    return bool(one.ne_set(other).is_empty())


def _rounds(first: isl.PwAff, period: int, values: isl.Set) -> isl.Map:
    """{ [t] -> [q] }: in which round of `period` iterations, from `first` on, an iteration is."""
    behind = islx.variable(values, 0).sub(first.insert_domain(values.get_space()))
    return isl.Map.from_pw_aff(behind.scale_down_val(isl.Val(period)).floor())


def _of_iteration(relation: isl.Map) -> isl.Map:
    """{ [t] -> [x] } of { [t, kept] -> [x] }."""
    return relation.project_out(isl.dim_type.in_, 1, relation.dim(isl.dim_type.in_) - 1)


def _joined(elements: isl.Set) -> isl.Set:
    """The same elements in few pieces: edges and what lies between them are often all there is."""
    elements = elements.coalesce()
    if elements.n_basic_set() == 1:
        return elements
    hull = isl.Set.from_basic_set(elements.simple_hull())
    return hull if hull.is_subset(elements) else elements


def _union(parts: Seq[isl.Set]) -> isl.Set:
    return islx.joined(parts, isl.Set.union)


def _union_of(parts: Seq[isl.Map]) -> isl.Map:
    return islx.joined(parts, isl.Map.union).coalesce()


def _moved(side: BoxDimension, shift: int) -> BoxDimension:
    return BoxDimension(side.lower.add_constant_val(isl.Val(shift)), side.upper.add_constant_val(isl.Val(shift)))
