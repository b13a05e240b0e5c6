"""When and by whom each statement of a mapped program is executed, as its kernels and loops have it.

    for t on the host { ROW{S2; post M0}  PARALLEL{S3} }

    S2[t, i, j]:  at 0, loop t, at 0, kernel, point i, phase 1, point j
    M0[t, i]:     at 0, loop t, at 0, kernel, point i, phase 2, at 0
    S3[t, i, j]:  at 0, loop t, at 1, kernel, point i, j, phase 1

Two instances are in order where, at the first step at which they differ, both are in a place that is passed one after
the other (`At`, `Iteration`).  Where that is a `Point` they belong to different threads, which wait for nothing; where
it is a `Unit`, to kernels that run side by side.  This is read off the finished record alone, for
`gpu/verifiers/order.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Seq
from typing import TypeAlias

import islpy as isl

from pencilc import islx
from pencilc.ir.mapping import Composed, HostItem, HostLoop, MappedProgram, Packed, RegisterPromotion, Stitched
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree
from pencilc.ir.scop import Scop, ShiftedSum
from pencilc.ir.shapes import Kernel
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class At:
    """A place in a sequence."""

    position: int


@dataclass(frozen=True, slots=True, eq=False)
class Iteration:
    """An iteration of a loop that one agent runs, the host or a thread: { S[i] -> [t] }."""

    value: isl.PwAff | None


@dataclass(frozen=True, slots=True, eq=False)
class Round(Iteration):
    """An iteration of a loop around stages of a composed kernel, whose registers last as long as it."""


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """A value of a row that is dealt out to threads; None where each of them executes the statement for itself."""

    value: isl.PwAff | None


@dataclass(frozen=True, slots=True)
class Unit:
    """A kernel among those that may run at the same time."""

    name: str


Step: TypeAlias = At | Iteration | Point | Unit


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """A statement in one place of the program.

    `kernel` runs it, as part of `fused` if that is not None; `part` is prologue, body or post.  `group` is the number
    of the item of the outermost level that it belongs to.
    """

    statement: str
    steps: tuple[Step, ...]
    kernel: Kernel
    part: str
    group: int
    fused: Stitched | Composed | None = None

    @property
    def points(self) -> tuple[isl.PwAff | None, ...]:
        """The host iterations and the points that have registers of their own."""
        found: list[isl.PwAff | None] = []
        on_host = True
        for step in self.steps:
            if isinstance(step, Unit):
                on_host = False
            elif isinstance(step, Iteration if on_host else Round | Point):
                found.append(step.value)
        return tuple(found)

    def promotions(self) -> tuple[RegisterPromotion, ...]:
        """What the kernel keeps in registers from stage to stage."""
        return self.fused.promoted if isinstance(self.fused, Stitched) else ()


class Order:
    """Lists the placements of a program; `unfused` tells which fused kernels are taken apart."""

    def __init__(self, program: MappedProgram, unfused: tuple[type, ...] = ()) -> None:
        self.program, self.scop, self.unfused = program, program.scop, unfused
        self.functions: dict[Row, Mapping[str, isl.PwAff]] = {}

    def placements(self) -> tuple[Placement, ...]:
        """Every statement in every place, in order."""
        return tuple(self._items(self.program.items, (), None))

    def _value(self, row: Row, statement: str) -> isl.PwAff | None:
        if row not in self.functions:
            self.functions[row] = islx.pw_affs_of(row.function)
        return self.functions[row].get(statement)

    # ---- the host ----------------------------------------------------------------------------------

    def _items(self, items: Seq[HostItem], around: tuple[At | Row, ...], group: int | None) -> Iterator[Placement]:
        for position, item in enumerate(items):
            here = (*around, At(position))
            number = position if group is None else group
            match item:
                case HostLoop():
                    yield from self._items(item.items, (*here, item.row), number)
                case Kernel():
                    yield from self._kernel(item, here, number)
                case Packed():
                    for kernel in item.kernels:
                        yield from self._kernel(kernel, here, number)
                case Stitched() if Stitched in self.unfused:
                    yield from self._items(item.fallback.kernels, here, number)
                case Stitched():
                    yield from self._stitched(item, here, number)
                case Composed() if Composed in self.unfused:
                    yield from self._items(item.fallback.kernels, here, number)
                case Composed():
                    yield from self._composed(item, here, number)

    def _on(self, around: Seq[At | Row], statement: str) -> tuple[Step, ...]:
        """The steps on the host for a statement."""
        return tuple(s if isinstance(s, At) else Iteration(self._value(s, statement)) for s in around)

    # ---- kernels -----------------------------------------------------------------------------------

    def _kernel(
        self, kernel: Kernel, around: tuple[At | Row, ...], group: int, fused: Composed | None = None,
        rows: Seq[Row] = (), inside: tuple[Row | At, ...] = (),
    ) -> Iterator[Placement]:  # fmt: skip
        """The statements of a kernel; `rows`: those of a composed kernel; `inside`: where it stands there, the rows of
        loops that the block runs among the places.
        """
        unit = Unit(fused.kernel.name if fused else kernel.name)

        def start(statement: str, phase: int) -> tuple[Step, ...]:
            steps: list[Step] = [*self._on(around, statement), unit]
            steps += (Point(self._value(row, statement)) for row in rows)
            steps += (s if isinstance(s, At) else Round(self._value(s, statement)) for s in inside)
            steps += (Point(self._value(row, statement)) for row in kernel.kept)
            return (*steps, At(phase))

        def placed(statement: str, phase: int, rest: Seq[Step], part: str) -> Placement:
            return Placement(statement, (*start(statement, phase), *rest), kernel, part, group, fused)

        for position, name in enumerate(kernel.prologue):
            yield placed(name, 0, (At(position),), "prologue")
        for name, steps in self._tree(kernel.body):
            points = (Point(self._value(row, name)) for row in kernel.reduced)
            yield placed(name, 1, (*points, *steps), "body")
        for position, name in enumerate(kernel.behind(self.scop)):
            yield placed(name, 2, (At(position),), "post")

    def _stitched(self, stitched: Stitched, around: tuple[At | Row, ...], group: int) -> Iterator[Placement]:
        kernel = stitched.kernel
        for number, stage in enumerate(stitched.stages):
            parts = [("body", list(self._tree(stage.body)))]
            parts.append(("post", [(name, (At(position),)) for position, name in enumerate(stage.post)]))
            for phase, (part, statements) in enumerate(parts):
                for name, steps in statements:
                    points = [Point(self._value(row, name)) for row in kernel.kept]
                    element = [Point(self._value(row, name)) for row in kernel.reduced] if part == "body" else []
                    all_steps = (
                        *self._on(around, name), Unit(kernel.name), *points, At(2 * number + phase), *element, *steps,
                    )  # fmt: skip
                    yield Placement(name, all_steps, kernel, part, group, stitched)

    def _composed(self, composed: Composed, around: tuple[At | Row, ...], group: int) -> Iterator[Placement]:
        for stage, inside in _stages(composed.items, ()):
            yield from self._kernel(stage, around, group, composed, composed.kernel.kept, inside)

    def _tree(self, tree: Tree | None) -> Iterator[tuple[str, tuple[Step, ...]]]:
        """The statements of a body with their steps inside one thread."""
        match tree:
            case Leaf():
                yield tree.statement, ()
            case Sequence():
                for position, child in enumerate(tree.children):
                    for name, steps in self._tree(child):
                        yield name, (At(position), *steps)
            case Band():
                for name, steps in self._tree(tree.child):
                    yield name, (*(Iteration(self._value(row, name)) for row in tree.rows), *steps)


def _stages(items: Seq[HostItem], around: tuple[At | Row, ...]) -> Iterator[tuple[Kernel, tuple[At | Row, ...]]]:
    """The stages of a composed kernel, each with where it stands there."""
    for position, item in enumerate(items):
        here = (*around, At(position))
        if isinstance(item, HostLoop):
            yield from _stages(item.items, (*here, item.row))
        elif isinstance(item, Kernel):
            yield item, here


# ---- comparing -----------------------------------------------------------------------------------------


def in_order(first: Seq[Step], second: Seq[Step], among: isl.Map) -> isl.Map:
    """The pairs { S[i] -> T[j] } of `among` whose source is done before its sink begins."""
    ordered = isl.Map.empty(among.get_space())
    equal = among
    for one, other in zip(first, second, strict=False):
        if equal.plain_is_empty():
            return ordered
        match one, other:
            case At(), At():
                if one.position < other.position:
                    return ordered.union(equal)
                if one.position > other.position:
                    return ordered
            case Iteration(), Iteration() if one.value is not None and other.value is not None:
                ordered = ordered.union(equal.intersect(one.value.lt_map(other.value)))
                equal = equal.intersect(one.value.eq_map(other.value))
            case Point(), Point() if one.value is not None and other.value is not None:
                equal = equal.intersect(one.value.eq_map(other.value))
            case Unit(), Unit():
                if one.name != other.name:
                    return ordered
    return ordered


def certainly_in_order(first: Seq[Step], second: Seq[Step]) -> bool:
    """Whether constants alone show that all of the first is done before the second begins: no loop around both."""
    for one, other in zip(first, second, strict=False):
        if not (isinstance(one, At) and isinstance(other, At)):
            return False
        if one.position != other.position:
            return one.position < other.position
    return False


def in_order_at_one_point(first: Seq[Step], second: Seq[Step]) -> bool:
    """Whether the first is done before the second begins where both are in the same iteration of all loops."""
    for one, other in zip(first, second, strict=False):
        if isinstance(one, At) and isinstance(other, At) and one.position != other.position:
            return one.position < other.position
        if isinstance(one, Unit) and isinstance(other, Unit) and one.name != other.name:
            return False
    return False


def source_steps(scop: Scop) -> dict[str, tuple[Step, ...]]:
    """Where the source has each statement, one step for each dimension of its order.

    A merge node stands where its initialisation does; a sum that is accumulated before its shift is known stands where
    the sum does whose work it does.
    """
    times = {name: order.as_pw_multi_aff() for name, order in islx.orders_of(scop.schedule).items()}
    found = _source_steps({n: [at.get_pw_aff(k) for k in range(at.dim(isl.dim_type.out))] for n, at in times.items()})
    for reduction in scop.reductions:
        if not isinstance(reduction, ShiftedSum):
            found[reduction.merge] = on_statement(found[reduction.init], reduction.merge)
    for new, old in scop.stands_for.items():
        found[new] = on_statement(found[old], new)
    return found


def _source_steps(times: Mapping[str, Seq[isl.PwAff]]) -> dict[str, tuple[Step, ...]]:
    """The steps of each statement with the order { S[i] -> [t0, t1, …] }.

    A dimension is a loop for all that is in one place up to there, also for what only one of its iterations executes:
    { S[i] -> [1, i, 0]; T[i] -> [1, 0, 1] } : i of S is compared with the 0 of T.
    """
    found: dict[str, tuple[Step, ...]] = dict.fromkeys(times, ())
    groups = [list(times)] if times else []
    while groups:
        together = groups.pop()
        depth = len(found[together[0]])
        values = {name: times[name][depth] for name in together if depth < len(times[name])}
        constants = {name: islx.constant_value(value) for name, value in values.items()}
        is_loop = None in constants.values()
        inside: dict[int | None, list[str]] = {}
        for name, value in values.items():
            constant = None if is_loop else constants[name]
            found[name] += (Iteration(value) if constant is None else At(constant),)
            inside.setdefault(constant, []).append(name)
        groups += inside.values()
    return found


def on_statement(steps: Seq[Step], name: str) -> tuple[Step, ...]:
    """The steps { S[i] -> … } on the statement `name`, which has the same iterators."""
    return tuple(
        Iteration(_on(step.value, name)) if isinstance(step, Iteration) and step.value else step for step in steps
    )


def _on(function: isl.PwAff, name: str) -> isl.PwAff:
    same = isl.Map.identity(function.domain().get_space().map_from_set())
    return function.pullback_pw_multi_aff(same.set_tuple_name(isl.dim_type.in_, name).as_pw_multi_aff())
