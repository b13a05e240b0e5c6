"""The function whose blocks do several iterations of a loop on a tile; gpu/time_tiles.py says what that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from math import prod

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import within
from pencilc.codegen.astgen import Affine, signed
from pencilc.codegen.bodies import set_to
from pencilc.codegen.frame import KernelFrame
from pencilc.codegen.halo import all_among, typed, with_subscripts
from pencilc.codegen.instances import Instances, KernelPart, iterator_type
from pencilc.codegen.kernels import uniform_lines
from pencilc.codegen.lowering import HeldPlace, LinearArray, lowered
from pencilc.codegen.names import NameTable, safe
from pencilc.codegen.parameters import with_parameters
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.gpu.shapes.time_sizes import ACROSS, THREADS, held_elements, large_enough
from pencilc.ir.build import (
    ZERO,
    binary,
    cast,
    declare,
    element,
    is_number,
    minus,
    negation,
    number,
    plus,
    substituted,
    times,
    variable,
)
from pencilc.ir.geometry import Geometry
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.mapping import HostLoop, MappedProgram, kernels_of
from pencilc.ir.nodes import If, Node, Parameter, SharedDecl, Sync, uses
from pencilc.ir.shapes import BoxDimension, Kernel, LoopKernel
from pencilc.ir.source import BOOL, INT, LLONG, CType, Declare, Expr, IntLiteral, Name, PointerType, Scalar, Ternary
from pencilc.ir.time_nodes import EachIteration, PointsOfStep, SideOfStep, TimeTile
from pencilc.ir.time_tiles import HeldArray, Plane, Reach, StepOfTile, TimeTiling

# What a launch is told: how many iterations it does, the first of them, whether the last one is among them.
STEPS, FIRST, IS_LAST = "@steps", "@first_iteration", "@is_last"
# Planes that take turns, counted from that of the first iteration of a launch, and from that of the one behind it.
_PLANE, _NEXT_PLANE = "plane", "next"


def taken_from(symbol: str) -> str:
    """Where a launch finds the elements of an array that the one before it has stored."""
    return f"@{safe(symbol)}_taken"


def left_at(symbol: str) -> str:
    """Where a launch stores its elements of an array."""
    return f"@{safe(symbol)}_left"


class TimeWriter:
    """Writes the function for a loop; the numbers of a tile are so small that an `int` counts them."""

    def __init__(self, program: MappedProgram, loop: HostLoop, kernel: LoopKernel) -> None:
        assert loop.tiling is not None
        self.program, self.loop, self.kernel, self.scop = program, loop, kernel, program.scop
        self.tiling: TimeTiling = loop.tiling
        self.at = Geometry("", THREADS)
        kernels = {each.name: each for each in kernels_of(loop.items)}
        self.kernels = tuple(_with_box(kernels[step.kernel], step) for step in self.tiling.steps)
        self.frames = tuple(KernelFrame(program, each) for each in self.kernels)
        # Subscripts are counted in `int` where the iterators that they are made of have no values beyond.
        kinds = [kind for frame in self.frames for kind in frame.types.values()]
        wide = any(isinstance(kind, Scalar) and (kind.size, kind.kind) > (INT.size, INT.kind) for kind in kinds)
        self.place: CType = LLONG if wide else INT
        table = NameTable()
        self.names = {each.symbol: table.fresh(safe(each.symbol)) for each in self.tiling.arrays}
        self.tiles = tuple(map(self._tile, self.tiling.arrays))
        large = large_enough(self.tiling.box, self.tiling.launch.time_side)
        launched = self.tiling.inhabited if large is None else self.tiling.inhabited.intersect(large)
        self.context = self.scop.context.intersect(launched)
        around = {name: signed(name, iterator_type(self.scop, name)) for name in kernel.host}
        self.affine = Affine({**around, **{p.name: signed(safe(p.name), p.type) for p in self.scop.params}})
        self.places = [variable(f"@at{k}", self.place) for k in range(len(self.tiling.box))]
        self.iterator = self.kernels[0].host[len(kernel.host)]

    def function(self) -> KernelFunction:
        """The function, with its parameters."""
        tiling, arrays = self.tiling, self.tiling.arrays
        bounds = [self._bounds(side) for side in tiling.box]
        counts = tuple(minus(cast(LLONG, end), lower) for lower, end in bounds)
        lowers = tuple(None if is_number(lower, 0) else lower for lower, _ in bounds)
        tile = TimeTile(self.at, tiling.sides, lowers, counts, self.place, ACROSS)
        shared = (SharedDecl(self._tile(each), each.index.type, held_elements(tiling, each)) for each in arrays)
        steps = [self._step(number) for number in range(len(self.kernels))]
        asked = [self._iteration(name, steps) for name in self._asking(steps)]
        work = [*(node for each in asked for node in each), *(node for step in steps for node in (step, Sync("block")))]
        uniform = uniform_lines(self.program, Instances(self.program, self.kernels[0], {}), tuple(work))
        nodes = (
            *uniform, tile, *shared, *(node for each in arrays for node in self._origin(each)),
            *(node for each in arrays for node in self._with_planes(each, self._fetched(each))), Sync("block"),
            EachIteration(tuple(work)),
            *(node for each in arrays for node in self._with_planes(each, self._stored(each))),
        )  # fmt: skip
        lines = sorted({self.scop.statement(name).span.line for name in self.kernel.statements} - {0})
        where = f"Line {lines[0]}" if len(lines) == 1 else f"Lines {lines[0]}-{lines[-1]}" if lines else "A loop"
        told = (
            f"{where}: up to {tiling.iterations} iterations of the loop over `{self.loop.iterator}`, a tile for each "
            "block.",
        )
        made = KernelFunction(
            f"{self.kernel.name}_tiles", "time", told, (), (), THREADS, nodes, index=self.kernel.index,
            extra=tuple((each, variable(each.name, each.type)) for each in self._given(nodes)),
        )  # fmt: skip
        return with_parameters(self.program, made, self.kernel, frozenset(each.symbol for each in tiling.carried()))

    def _given(self, nodes: tuple[Node, ...]) -> Iterator[Parameter]:
        """What a launch is told."""
        for each in self.tiling.carried():
            pointer = PointerType(each.index.type)
            yield Parameter(taken_from(each.symbol), pointer, is_const=True)
            yield Parameter(left_at(each.symbol), pointer)
        yield Parameter(STEPS, INT)
        if uses(nodes, FIRST):
            yield Parameter(FIRST, iterator_type(self.scop, self.iterator))
        if uses(nodes, IS_LAST):
            yield Parameter(IS_LAST, BOOL)

    def _bounds(self, side: BoxDimension) -> tuple[Expr, Expr]:
        """The first value and one past the last value."""
        end = side.upper.add_constant_val(isl.Val.one(isl.DEFAULT_CONTEXT))
        return self.affine.value(side.lower, self.context), self.affine.value(end, self.context)

    # ---- the work ----------------------------------------------------------------------------------

    def _asking(self, steps: Seq[Node]) -> list[str]:
        """The names that the iterator of the loop has in what asks whether a kernel has anything to do."""
        conditions = [step.condition for step in steps if isinstance(step, If)]
        names = dict.fromkeys(kernel.host[len(self.kernel.host)] for kernel in self.kernels)
        return [name for name in names if any(uses(each, name) for each in conditions)]

    def _step(self, number: int) -> Node:
        """What a kernel does in an iteration, in the tile and around it."""
        kernel, frame, step = self.kernels[number], self.frames[number], self.tiling.steps[number]
        writer = Instances(self.program, kernel, frame.types)
        held = {each.symbol: self._held(each) for each in self.tiling.arrays}
        writer.base = replace(writer.base, arrays={**writer.base.arrays, **held})
        assert frame.tree is not None
        ast = frame.ast(frame.tree, frame.kept, frame.kept_names, frame.inner_names)
        nodes = writer.whole(KernelPart("body"), ast)
        own = kernel.host[len(self.kernel.host)]
        condition = self._is_launched(kernel, step.turn)
        if condition is not None and self.tiling.period > 1:
            condition = substituted(condition, {own: self._value(own, step.turn)})
        declared = (*self._iteration(own, nodes, step.turn), *self._kept(frame, step, nodes))
        writes = tuple(self._tile(each) for each in self.tiling.arrays if each.symbol in step.writes)
        sides = self._sides(self.tiling.behind(number), self.tiling.reach, step.box)
        points = PointsOfStep(self.at, sides, ACROSS, self.tiles, writes, (*declared, *nodes))
        return points if condition is None else If(condition, (points,))

    def _is_launched(self, kernel: Kernel, turn: int) -> Expr | None:
        """Whether the kernel has anything to do in an iteration; None where it always has."""
        known = self.context.intersect(self._all_iterations(kernel, turn))
        iterators = {name: signed(name, iterator_type(self.scop, name)) for name in kernel.host}
        affine = Affine({**self.affine.names, **iterators})
        return affine.condition(islx.as_parameters(kernel.domain, kernel.host), known)

    def _all_iterations(self, kernel: Kernel, turn: int) -> isl.Set:
        """The values of the parameter that is the iterator of the loop, of all rounds that begin before its end."""
        name = kernel.host[len(self.kernel.host)]
        begin = isl.PwAff(f"[{name}] -> {{ [{name} - {turn}] }}")
        in_turn = begin.sub(self.tiling.first).mod_val(isl.Val(self.tiling.period))
        nothing = isl.PwAff("{ [0] }")
        return (
            self.tiling.first.le_set(begin).intersect(begin.le_set(self.tiling.last))
            .intersect(in_turn.eq_set(nothing)).params()
        )  # fmt: skip

    def _iteration(self, name: str, nodes: object, turn: int = 0) -> Iterator[Declare]:
        """The iterator of the loop, if `nodes` use it."""
        if uses(nodes, name):
            kind, value = iterator_type(self.scop, name), self._value(name, turn)
            yield declare(name, kind, value if value.type == kind else cast(kind, value), is_const=True)

    def _value(self, name: str, turn: int) -> Expr:
        """The value of the iterator of the loop."""
        step = plus(times(variable("@step", INT), number(self.tiling.period)), number(turn))
        return plus(variable(FIRST, iterator_type(self.scop, name)), step)

    def _kept(self, frame: KernelFrame, step: StepOfTile, nodes: object) -> Iterator[Declare]:
        """The iterators of an element, if `nodes` use them."""
        for position, (row, shift) in enumerate(zip(step.rows, step.shifts, strict=True)):
            name = frame.kept_names[row] if row is not None else ""
            if name and uses(nodes, name):
                kind, value = frame.types[name], self._element(position)
                value = plus(value, number(-shift)) if shift < 0 else minus(value, number(shift))
                yield declare(name, kind, typed(kind, value), is_const=True)
        for row, only in step.single.items():
            name = frame.kept_names[row]
            if uses(nodes, name):
                kind = frame.types[name]
                yield declare(name, kind, typed(kind, self.affine.value(only, self.context)), is_const=True)

    def _element(self, position: int) -> Expr:
        """A subscript of the element of a thread."""
        return plus(self.places[position], variable(f"@x{position}", INT))

    def _sides(self, behind: Reach, reach: Reach, box: Seq[BoxDimension]) -> tuple[SideOfStep, ...]:
        """A region around the tile: `reach` for each iteration that is left, and `behind`, within a box."""
        found: list[SideOfStep] = []
        for points, (low, high), (below, beyond), side in zip(self.tiling.sides, behind, reach, box, strict=True):
            least = minus(number(-low), _of_left(below)) if below else number(-low)
            most = plus(number(points + high), _of_left(beyond)) if beyond else number(points + high)
            found.append(_side(least, most, *self._bounds(side)))
        return tuple(found)

    # ---- what is held ------------------------------------------------------------------------------

    def _tile(self, array: HeldArray) -> str:
        return f"@{self.names[array.symbol]}_tile"

    def _first(self, array: HeldArray, position: int) -> str:
        return f"@{self.names[array.symbol]}_first{position}"

    def _origin(self, array: HeldArray) -> Iterator[Declare]:
        """The subscripts of the first element that a block holds."""
        for position, (low, _) in enumerate(self.tiling.margin(array)):
            value = minus(self.places[position], number(low))
            yield declare(self._first(array, position), self.place, value, is_const=True)

    def _held(self, array: HeldArray) -> LinearArray:
        """Where a block has an array, plane by plane."""
        firsts: list[Expr] = [variable(self._first(array, k), self.place) for k in range(len(self.places))]
        sizes = list(self.tiling.extents(array))
        if array.planes:
            firsts, sizes = [ZERO, *firsts], [array.copies, *sizes]
        pitches = tuple(prod(sizes[k + 1 :]) if size > 1 else 0 for k, size in enumerate(sizes))
        return LinearArray(self._tile(array), held=HeldPlace(tuple(firsts), pitches, (0,) * len(firsts)))

    def _with_planes(self, array: HeldArray, nodes: tuple[Node, ...]) -> Iterator[Node]:
        """`nodes` behind the planes that they use."""
        first = variable(FIRST, iterator_type(self.scop, self.iterator))
        for kind, done in ((_PLANE, number(0)), (_NEXT_PLANE, variable(STEPS, INT))):
            for plane in range(array.copies if array.in_turns else 0):
                name = self._plane(array, kind, plane)
                if uses(nodes, name):
                    begins = binary("%", first, number(array.copies))
                    at = plus(plus(begins, done), number(plane))
                    value = begins if is_number(at, 0) or at == begins else binary("%", at, number(array.copies))
                    yield declare(name, INT, typed(INT, value), is_const=True)
        yield from nodes

    def _plane(self, array: HeldArray, kind: str, plane: int) -> str:
        """The subscript of one of the planes that take turns."""
        return f"@{self.names[array.symbol]}_{kind}{plane}"

    def _planes(self, array: HeldArray, kind: str) -> list[tuple[list[Expr], Plane]]:
        """The planes of an array, each with what stands before the other subscripts; an array without any is one."""
        if not array.planes:
            return [([], "handed on" if array.carried else "made")]
        found: list[tuple[list[Expr], Plane]] = []
        for plane, role in enumerate(array.planes):
            subscript: Expr = variable(self._plane(array, kind, plane), INT) if array.in_turns else number(plane)
            found.append(([subscript], role))
        return found

    def _fetched(self, array: HeldArray) -> tuple[Node, ...]:
        """What the threads copy of an array: written elements as the launch before has left them, and others."""
        if array.fetched is None:
            return ()
        names = self._subscripts()
        firsts = [self._first(array, k) for k in range(len(self.places))]
        inner = self._asked(all_among(array.written, firsts, self.tiling.extents(array)), firsts)
        is_written = self._asked_of(array.written, names)
        is_all_written = array.fetched.intersect_params(self.context).is_subset(array.written)
        is_there = self._asked_of(array.fetched, names) if array.box is None else None
        whole: list[Node] = []
        parts: list[Node] = []
        for plane, role in self._planes(array, _PLANE):
            own, taken = (
                self._in_memory(array, name, plane) for name in (safe(array.symbol), taken_from(array.symbol))
            )
            if role == "read":
                copied = self._set(array, plane, own)
                whole.append(copied)
                parts.append(_where(is_there, copied))
            elif role == "handed on":
                either = taken
                if is_written is not None and not is_all_written:
                    either = Ternary(is_written, taken, own, array.index.type, UNKNOWN_SPAN)
                whole.append(self._set(array, plane, taken))
                parts.append(_where(is_there, self._set(array, plane, either)))
            elif role == "made" and not is_all_written:
                outside = self._asked_of(array.fetched.subtract(array.written), names)
                parts.append(_where(outside, self._set(array, plane, own)))
        if inner is None or whole == parts:
            return (self._copy(array, whole),) if whole else ()
        if not whole:
            return (If(negation(inner), (self._copy(array, parts),)),) if parts else ()
        return (If(inner, (self._copy(array, whole),), (self._copy(array, parts),)),)

    def _copy(self, array: HeldArray, nodes: Seq[Node]) -> PointsOfStep:
        """Threads do what copies an element, for those of a block that lie in the box, if any."""
        margin = self.tiling.margin(array)
        ends = [self._bounds(side) for side in array.box] if array.box is not None else [
            (minus(place, number(low)), plus(plus(place, number(points)), number(high)))
            for place, points, (low, high) in zip(self.places, self.tiling.sides, margin, strict=True)
        ]  # fmt: skip
        sides = tuple(
            _side(number(-low), number(points + high), lower, end)
            for points, (low, high), (lower, end) in zip(self.tiling.sides, margin, ends, strict=True)
        )
        return self._of_elements(sides, (self._tile(array),), nodes)

    def _of_elements(self, sides: tuple[SideOfStep, ...], writes: tuple[str, ...], nodes: Seq[Node]) -> PointsOfStep:
        """What threads do for each element of a region."""
        elements = [declare(name, self.place, self._element(k), True) for k, name in enumerate(self._subscripts())]
        return PointsOfStep(self.at, sides, ACROSS, self.tiles, writes, (*elements, *nodes))

    def _subscripts(self) -> list[str]:
        """The names of the subscripts of an element that is copied."""
        return [f"@e{k}" for k in range(len(self.places))]

    def _set(self, array: HeldArray, plane: Seq[Expr], value: Expr) -> Node:
        """The element of a block is set."""
        return set_to(self._in_tile(array, plane), value)

    def _in_tile(self, array: HeldArray, plane: Seq[Expr]) -> Expr:
        """Where a block has the element in a plane."""
        held = self._held(array).held
        assert held is not None
        tile = variable(self._tile(array), PointerType(array.index.type))
        place = held.offset([*plane, *(variable(name, self.place) for name in self._subscripts())])
        return element(tile, place, array.index.type)

    def _in_memory(self, array: HeldArray, pointer: str, plane: Seq[Expr]) -> Expr:
        """The element in a plane of the array at a pointer."""
        places = [*plane, *(variable(name, self.place) for name in self._subscripts())]
        base = Instances(self.program, self.kernels[0], {}).base
        named = {place.symbol.name: place for place in places if isinstance(place, Name)}
        base = replace(base, values={**base.values, **named})
        return lowered(
            with_subscripts(array.index, places),
            replace(base, arrays={**base.arrays, array.symbol: LinearArray(pointer)}),
        )

    def _asked_of(self, points: isl.Set, names: Seq[str]) -> Expr | None:
        """Whether the element with these subscripts is among { [x] }; None where it always is."""
        return self._asked(islx.as_parameters(points, names), names)

    def _asked(self, places: isl.Set, names: Seq[str]) -> Expr | None:
        known: Mapping[str, Expr] = {name: variable(name, self.place) for name in names}
        return Affine({**self.affine.names, **known}).condition(places, self.context)

    def _stored(self, array: HeldArray) -> tuple[Node, ...]:
        """What the threads store of the tile: what is not handed on behind the last iteration alone."""
        names = self._subscripts()
        pointer = left_at(array.symbol) if array.carried else safe(array.symbol)
        nothing = ((0, 0),) * len(names)
        sides = self._sides(nothing, nothing, self.tiling.box)
        in_tiles = within(isl.Set.universe(array.written.get_space()), self.tiling.box).intersect_params(self.context)
        is_written = None if in_tiles.is_subset(array.written) else self._asked_of(array.written, names)
        stores: dict[Plane, list[Node]] = {"handed on": [], "made": []}
        for plane, role in self._planes(array, _NEXT_PLANE):
            if role in stores:
                store = set_to(self._in_memory(array, pointer, plane), self._in_tile(array, plane))
                stores[role].append(_where(is_written, store))
        found: list[Node] = []
        if stores["handed on"]:
            found.append(self._of_elements(sides, (), stores["handed on"]))
        if stores["made"]:
            found.append(If(variable(IS_LAST, BOOL), (self._of_elements(sides, (), stores["made"]),)))
        return tuple(found)


def _where(condition: Expr | None, node: Node) -> Node:
    """The node where the condition holds, if there is one."""
    return node if condition is None else If(condition, (node,))


def _of_left(factor: int) -> Expr:
    """So many elements for each iteration that is left."""
    return times(variable("@left", INT), number(factor))


def _side(least: Expr, most: Expr, lower: Expr, end: Expr) -> SideOfStep:
    """A side whose bounds are in 64 bits."""
    return SideOfStep(least, most, _wide(lower), _wide(end))


def _wide(value: Expr) -> Expr:
    return replace(value, type=LLONG) if isinstance(value, IntLiteral) else cast(LLONG, value)


def _with_box(kernel: Kernel, step: StepOfTile) -> Kernel:
    """The kernel as what it does in a step, with the range of each of its rows there."""
    found = {row: BoxDimension(value, value) for row, value in step.single.items()}
    for row, shift, side in zip(step.rows, step.shifts, step.box, strict=True):
        if row is not None:
            ends = (end.add_constant_val(isl.Val(-shift)) for end in (side.lower, side.upper))
            found[row] = BoxDimension(*ends)
    return replace(kernel, body=step.body, kept_box=tuple(found[row] for row in range(len(kernel.kept))), halo=None)
