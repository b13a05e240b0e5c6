"""The verifier of tiles of several iterations: whatever a point of a tile reads, the block has as it has to be.

Decided from the relations of the accesses and the numbers that the tiles are made with.  Each kernel leaves an array
right in a region around the tile, which is smaller in each iteration than in the one before.  A point may read only
where all kernels that have written the array by then have left it right, and where the block has fetched it.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import at_rows, fixed, within
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.records import Timed
from pencilc.gpu.shapes.time_sizes import large_enough, tile_bytes
from pencilc.ir.mapping import Composed, HostLoop, kernels_of
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Access, AccessKind, Scop
from pencilc.ir.shapes import Kernel
from pencilc.ir.time_tiles import HeldArray, Reach, StepOfTile, TimeTiling, added, scaled
from pencilc.poly.model.planes import plane_of, without_plane
from pencilc.target import STATIC_SHARED


def verify_time(timed: Timed) -> None:
    """Raise CompilerBug if a tile has no room, a point reads what its block has not, or a result is not stored."""
    before, now = kernels_of(timed.looped.items), kernels_of(timed.items)
    if before != now:
        raise CompilerBug(f"tiles leave {[k.name for k in now]} of {[k.name for k in before]}")
    for loop, around in _loops(timed.items, ()):
        if loop.tiling is not None:
            _OfLoop(timed, loop, around).verify(loop.tiling)


def _loops(items: Seq[object], around: tuple[HostLoop, ...]) -> Iterator[tuple[HostLoop, tuple[HostLoop, ...]]]:
    for item in items:
        if isinstance(item, HostLoop):
            yield item, around
            yield from _loops(item.items, (*around, item))
        elif isinstance(item, Composed):
            yield from _loops(item.fallback.kernels, around)


class _OfLoop:
    """The tiles of one loop."""

    def __init__(self, timed: Timed, loop: HostLoop, around: tuple[HostLoop, ...]) -> None:
        self.scop: Scop = timed.looped.chosen.scop
        self.loop, self.kernels = loop, kernels_of(loop.items)
        assert loop.kernel is not None
        self.name = loop.kernel.name
        names = [name for kernel in self.kernels for name in kernel.statements]
        domains = {n: self.scop.statement(n).domain.intersect_params(self.scop.context) for n in names}
        self.domains = fixed(domains, [each.row for each in around], [each.iterator for each in around])

    def verify(self, tiling: TimeTiling) -> None:
        """All of it, at sizes for which there are tiles."""
        large = large_enough(tiling.box, tiling.launch.time_side)
        if large is not None:
            self.domains = {name: domain.intersect_params(large) for name, domain in self.domains.items()}
        done = [(step.kernel, name) for step in tiling.steps for name in statements_of(step.body)]
        turns = {step.kernel: step.turn for step in tiling.steps}
        kernels_in_turn = sorted(self.kernels, key=lambda kernel: turns.get(kernel.name, 0))
        if done != [(kernel.name, name) for kernel in kernels_in_turn for name in kernel.statements]:
            raise CompilerBug(f"{self.name}: the steps of a tile are not the kernels of the loop")
        if tiling.count < 2 or len(tiling.sides) != len(tiling.box) or tile_bytes(tiling) > STATIC_SHARED:
            raise CompilerBug(f"{self.name}: a tile of several iterations has no room in a block")
        held = {array.symbol: array for array in tiling.arrays}
        kernels = {kernel.name: kernel for kernel in self.kernels}
        for number, step in enumerate(tiling.steps):
            kernel = replace(kernels[step.kernel], body=step.body)
            if any(row.flag != "P" for row in kernel.kept):
                raise CompilerBug(f"{self.name}: tiles of points that are not independent")
            for name in statements_of(step.body):
                self._rounds(tiling, step, name)
            for access, points in self._accesses(kernel):
                symbol = self.scop.array(access.array).symbol.name
                if symbol not in held:
                    if access.kind.writes and self.scop.array(access.array).extents:
                        raise CompilerBug(f"{self.name}: a tile does not hold `{symbol}`, which the loop writes")
                    continue
                points, _ = self._in_plane(held[symbol], points)
                if access.kind.writes:
                    self._verify_write(tiling, step, held[symbol], points)
                else:
                    self._verify_read(tiling, number, held[symbol], points)
        for array in tiling.arrays:
            self._verify_array(tiling, array)
        self._verify_iterations(tiling)

    def _verify_array(self, tiling: TimeTiling, array: HeldArray) -> None:
        """What blocks need of it they have, and what they write is stored."""
        self._verify_fetched(tiling, array)
        written = array.written.intersect_params(tiling.inhabited).intersect_params(self._sizes())
        if array.carried and not written.is_subset(within(written, tiling.box)):
            raise CompilerBug(f"{self.name}: not all of `{array.symbol}` that launches hand on is stored")
        if not array.carried and not array.planes:
            self._verify_made_first(tiling, array, 0)
        for plane, role in enumerate(array.planes):
            if role == "made":
                self._verify_made_first(tiling, array, plane)
            elif role != "handed on":
                self._verify_not_written(array, plane)

    def _accesses(self, kernel: Kernel) -> Iterator[tuple[Access, isl.Map]]:
        """The accesses of a kernel, each with { [t, kept] -> [x] }."""
        rows = (self.loop.row, *kernel.kept)
        for name in kernel.statements:
            points = at_rows(self.domains[name], rows, name).intersect_domain(self.domains[name]).reverse()
            for access in self.scop.statement(name).accesses:
                if access.kind is not AccessKind.KILL:
                    yield access, points.apply_range(access.relation).reset_tuple_id(isl.dim_type.out)

    def _in_plane(self, array: HeldArray, points: isl.Map) -> tuple[isl.Map, int]:
        """{ [t, kept] -> [x] }, or { [t] -> [x] }, without the subscript that says a plane, and which one it says."""
        if not array.planes or points.is_empty():
            return (without_plane(points) if array.planes else points), 0
        plane = plane_of(points, len(array.planes), array.in_turns)
        if plane is None:
            raise CompilerBug(f"{self.name}: `{array.symbol}` has other planes than those that blocks hold")
        return without_plane(points), plane

    def _verify_write(self, tiling: TimeTiling, step: StepOfTile, array: HeldArray, points: isl.Map) -> None:
        """A point writes its own element alone, which is one of those that tiles are made of."""
        self._within(step, array, points, step.nothing, "writes another element than its own")
        there = points.range().intersect(self._extent(array))
        if not there.is_subset(array.written) or not there.is_subset(within(there, step.box)):
            raise CompilerBug(f"{self.name}: not all that is written of `{array.symbol}` is stored")
        if not there.is_subset(within(there, tiling.box)):
            raise CompilerBug(f"{self.name}: `{array.symbol}` is written outside of all tiles")

    def _verify_read(self, tiling: TimeTiling, number: int, array: HeldArray, points: isl.Map) -> None:
        """What a point reads is right by then, and the block has it."""
        step, own = tiling.steps[number], tiling.behind(number)
        around_first = added([scaled(tiling.reach, tiling.count - 1), own], len(own))
        held = tiling.margin(array)
        fetched = self._with_inward(tiling, step, held, _without(held, around_first))
        self._within(step, array, points, fetched, "reads what no block has fetched")
        for writer, other in enumerate(tiling.steps):
            if array.symbol in other.writes:
                left = tiling.behind(writer)
                if writer >= number:  # in the iteration before
                    left = added([left, tiling.reach], len(own))
                right = self._with_inward(tiling, step, left, _without(left, own))
                self._within(step, array, points, right, f"reads what {other.kernel} has not left right")

    def _with_inward(self, tiling: TimeTiling, step: StepOfTile, around: Reach, beside: Reach) -> Reach:
        """How far from its element a point may read what is right so far `around` tiles, and `beside` what it does.

        A tile begins at a border of what tiles are made of or further inside.  So a point on the border that a block
        does has as much of what lies inwards from there as is right around its tile.
        """
        found: list[tuple[int, int]] = []
        for position, (own, (low, high), side) in enumerate(zip(beside, step.inward, around, strict=True)):
            if low or high:
                border = tiling.box[position].upper if low else tiling.box[position].lower
                is_there = step.box[position].lower.ne_set(border).is_empty()
                if (low and high) or step.rows[position] is not None or not is_there:
                    raise CompilerBug(f"{self.name}: {step.kernel} does not lie on a border of all tiles")
            found.append((side[0] if low else own[0], side[1] if high else own[1]))
        return tuple(found)

    def _within(self, step: StepOfTile, array: HeldArray, points: isl.Map, reach: Reach, fault: str) -> None:
        """Points { [t, kept] -> [x] } access no element further from their own."""
        wrapped = points.wrap().flatten()
        if points.dim(isl.dim_type.out) != len(step.rows):
            raise CompilerBug(f"{self.name}: `{array.symbol}` has other subscripts than tiles have sides")
        count = points.dim(isl.dim_type.in_) - 1
        for position, (row, shift, (low, high)) in enumerate(zip(step.rows, step.shifts, reach, strict=True)):
            own = step.box[position].lower.insert_domain(wrapped.get_space())
            if row is not None:
                own = islx.variable(wrapped, 1 + row).add_constant_val(isl.Val(shift))
            there = islx.variable(wrapped, 1 + count + position)
            below = there.lt_set(own.add_constant_val(isl.Val(-low)))
            beyond = there.gt_set(own.add_constant_val(isl.Val(high)))
            if not wrapped.intersect(below.union(beyond)).is_empty():
                raise CompilerBug(f"{self.name}: a point of {step.kernel} {fault}, of `{array.symbol}`")

    def _verify_fetched(self, tiling: TimeTiling, array: HeldArray) -> None:
        """All that any point reads is fetched or made in each iteration; so is what goes from launch to launch."""
        needed = array.written if array.carried else None
        for kernel in self.kernels:
            for access, points in self._accesses(kernel):
                if self.scop.array(access.array).symbol.name != array.symbol or access.kind is not AccessKind.READ:
                    continue
                own, plane = self._in_plane(array, points)
                read = own.range().intersect(self._extent(array))
                is_made = array.planes[plane] == "made" if array.planes else not array.carried
                read = read.subtract(array.written) if is_made else read
                needed = read if needed is None else needed.union(read)
        if needed is None or needed.is_empty():
            return
        if array.fetched is None or not needed.is_subset(array.fetched):
            raise CompilerBug(f"{self.name}: not all that is read of `{array.symbol}` is fetched")

    def _verify_made_first(self, tiling: TimeTiling, array: HeldArray, plane: int) -> None:
        """Each iteration writes all that is stored of an array, or of its plane, what it reads of that before."""
        made: list[isl.Map] = []  # { [q] -> [x] }, of the steps before
        for step in tiling.steps:
            own: list[isl.Map] = []
            for name in statements_of(step.body):
                points, rounds = self._iterations_of(name), self._rounds(tiling, step, name)
                for access in self.scop.statement(name).accesses:
                    if self.scop.array(access.array).symbol.name != array.symbol:
                        continue
                    whole = points.reverse().apply_range(access.relation).reset_tuple_id(isl.dim_type.out)
                    found, own_plane = self._in_plane(array, whole)
                    if own_plane != plane:
                        continue
                    found = found.apply_domain(rounds)
                    if self.scop.statement(name).certainly_writes(access):
                        own.append(found)
                    elif access.kind is AccessKind.READ:
                        self._all_made(array, found.intersect_range(array.written), made)
            made += own
        self._all_made(array, isl.Map.from_domain_and_range(self._all_rounds(tiling), array.written), made)

    def _all_rounds(self, tiling: TimeTiling) -> isl.Set:
        """{ [q] }: the rounds that launches do."""
        rounds = isl.Set("{ [q] : q >= 0 }").align_params(tiling.inhabited.get_space())
        first, last = (end.insert_domain(rounds.get_space()) for end in (tiling.first, tiling.last))
        begin = islx.variable(rounds, 0).scale_val(isl.Val(tiling.period)).add(first)
        return rounds.intersect(begin.le_set(last)).intersect_params(tiling.inhabited).intersect_params(self._sizes())

    def _sizes(self) -> isl.Set:
        """The parameters for which there is any iteration."""
        return islx.joined([domain.params() for domain in self.domains.values()], isl.Set.union)

    def _verify_not_written(self, array: HeldArray, plane: int) -> None:
        """No iteration writes a plane that is not stored."""
        for kernel in self.kernels:
            for access, points in self._accesses(kernel):
                if self.scop.array(access.array).symbol.name != array.symbol or not access.kind.writes:
                    continue
                if array.in_turns or self._in_plane(array, points)[1] == plane:
                    raise CompilerBug(f"{self.name}: `{array.symbol}` is written in plane {plane}, and not stored")

    def _all_made(self, array: HeldArray, wanted: isl.Map, made: Seq[isl.Map]) -> None:
        if wanted.is_empty():
            return
        if not made or not wanted.is_subset(islx.joined(made, isl.Map.union)):
            raise CompilerBug(f"{self.name}: `{array.symbol}` is needed from the iteration before, and not handed on")

    def _iterations_of(self, name: str) -> isl.Map:
        """{ S[i] -> [t] }: in which iteration each instance of a statement is."""
        return at_rows(self.domains[name], (self.loop.row,), name).intersect_domain(self.domains[name])

    def _rounds(self, tiling: TimeTiling, step: StepOfTile, name: str) -> isl.Map:
        """{ [t] -> [q] }: in which round a step does the iterations of a statement: t = first + q * period + turn."""
        values = self._iterations_of(name).range()
        first = tiling.first.insert_domain(values.get_space())
        behind = islx.variable(values, 0).sub(first).add_constant_val(isl.Val(-step.turn))
        period = isl.Val(tiling.period)
        if not values.is_subset(behind.mod_val(period).eq_set(islx.constant(values, 0))):
            raise CompilerBug(f"{self.name}: {step.kernel} has iterations that are not its turn")
        return isl.Map.from_pw_aff(behind.scale_down_val(period).floor())

    def _verify_iterations(self, tiling: TimeTiling) -> None:
        """The iterations are those of the loop."""
        for kernel in self.kernels:
            for name in kernel.statements:
                values = self._iterations_of(name).range()
                first, last = (end.insert_domain(values.get_space()) for end in (tiling.first, tiling.last))
                here = islx.variable(values, 0)
                outside = here.lt_set(first).union(here.gt_set(last))
                if not values.intersect(outside).is_empty() or not values.params().is_subset(tiling.inhabited):
                    raise CompilerBug(f"{self.name}: {name} has an iteration that no launch does")

    def _extent(self, array: HeldArray) -> isl.Set:
        extent = self.scop.arrays_of(array.symbol)[0].extent.reset_tuple_id()
        return extent.project_out(isl.dim_type.set, 0, 1) if array.planes else extent


def _without(reach: Reach, own: Reach) -> Reach:
    """What is left of a reach behind another one; negative where that is more."""
    return tuple((low - less, high - more) for (low, high), (less, more) in zip(reach, own, strict=True))
