"""The verifier of isl's loops: executed for a few small sizes, they run every instance once, and at its own point.

What isl makes of a schedule is taken apart, elided where a loop has one value, and dealt out to threads.  The loops as
they are generated are executed here for two small values of all parameters and compared with the points of the domains:

    once     every instance { S[i] } of the domains is executed once, and nothing else is;
    own      an iteration of loops that threads are dealt does the instances of its own values of the rows, for another
             thread may have the others.

Loops of too many iterations are not looked at, and the points of domains whose divisions are hard for isl are not asked
for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Sequence as Seq
from typing import TypeAlias

import islpy as isl

from pencilc import islx
from pencilc.codegen.astgen import Affine, AstBlock, AstFor, AstIf, AstInstance, AstLet, AstNode
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile
from pencilc.ir.build import variable
from pencilc.ir.schedule import Row
from pencilc.ir.source import Cast, CType, Name, TranslationUnit
from pencilc.poly.model.evaluate import GiveUp, Interpreter, Value, number

# The parameters are as small as the context lets them be, between these, one after the other.
_SIZES = ((3, 5), (1, 2))
_MOST_INSTANCES = 400
_MOST_DIVISIONS = 4
_HELPERS: dict[str, Callable[[int, int], int]] = {
    "pencilc_min": min, "pencilc_max": max, "pencilc_floor_div": lambda a, b: a // b,
}  # fmt: skip
_NOTHING = TranslationUnit(SourceFile("", ""), (), (), (), (), None)

Executed: TypeAlias = "tuple[str, tuple[int, ...]]"
"""A statement and the values of its iterators."""


def verify_ast(
    ast: AstNode, domains: Iterable[isl.Set], context: isl.Set, affine: Affine, dealt: Mapping[str, Row]
) -> None:
    """Raise CompilerBug if `ast` does not execute the instances { S[i] } of `domains` once each.

    `dealt` are the rows that threads are dealt by the names of their loops.
    """
    domains = [domain for domain in domains if not domain.is_empty()]
    if not domains:
        return
    for least, most in _SIZES:
        at = _at(domains, context, least, most)
        if at is None:
            continue
        run = _Run(_values(at, affine), dealt)
        try:
            run.node(ast)
        except (GiveUp, _TooMany):
            continue
        if not any(_is_hard(domain) for domain in domains):
            _compare(run.executed, domains, at)


def _compare(executed: Seq[Executed], domains: Iterable[isl.Set], at: isl.Set) -> None:
    wanted: set[Executed] = set()
    for domain in domains:
        points = domain.intersect_params(at)
        if not points.is_bounded():
            return
        statement = islx.unmangle(islx.set_name(domain))
        wanted |= {(statement, point) for point in _points(points)}
    for each in executed:
        if each not in wanted:
            raise CompilerBug(f"loops execute {_shown(each)} twice, or without need")
        wanted.remove(each)
    if wanted:
        raise CompilerBug(f"loops do not execute {_shown(min(wanted))}")


def _shown(instance: Executed) -> str:
    statement, values = instance
    return f"{statement}[{', '.join(map(str, values))}]"


def _points(points: isl.Set) -> list[tuple[int, ...]]:
    """The values of the dimensions of all points of a bounded set."""
    found: list[tuple[int, ...]] = []
    count = islx.dimensions(points)

    def take(point: isl.Point) -> None:
        found.append(tuple(int(point.get_coordinate_val(isl.dim_type.set, k).to_python()) for k in range(count)))

    points.foreach_point(take)
    return found


def _is_hard(domain: isl.Set) -> bool:
    return islx.divisions(domain) > _MOST_DIVISIONS


# ---- sizes -----------------------------------------------------------------------------------------


def _at(domains: Iterable[isl.Set], context: isl.Set, least: int, most: int) -> isl.Set | None:
    """{ : n = 3 and m = 3 }: values of all parameters from `least` to `most` for which something is executed."""
    there = context.params()
    for domain in domains:
        there = there.align_params(domain.get_space())
    executed = isl.Set.empty(there.get_space())
    for domain in domains:
        here = domain.params() if not _is_hard(domain) else isl.Set.universe(there.get_space())
        executed = executed.union(here.align_params(there.get_space()))
    at = there.intersect(executed)
    for position in range(at.dim(isl.dim_type.param)):
        at = at.lower_bound_val(isl.dim_type.param, position, isl.Val(least))
        at = at.upper_bound_val(isl.dim_type.param, position, isl.Val(most))
    return None if at.is_empty() else isl.Set.from_point(at.sample_point())


def _values(at: isl.Set, affine: Affine) -> dict[str, Value]:
    """The values of the parameters of a single point by their names in the output."""
    point = at.sample_point()
    found: dict[str, Value] = {}
    for position in range(at.dim(isl.dim_type.param)):
        name = islx.unmangle(str(at.get_dim_name(isl.dim_type.param, position)))
        spelled = affine.names.get(name) or variable(name)
        while isinstance(spelled, Cast):
            spelled = spelled.operand
        assert isinstance(spelled, Name)
        found[spelled.symbol.name] = int(point.get_coordinate_val(isl.dim_type.param, position).to_python())
    return found


# ---- execution -------------------------------------------------------------------------------------


class _TooMany(Exception):
    """More instances than are looked at."""


class _Expressions(Interpreter):
    """Evaluates what isl makes of bounds, conditions and arguments."""

    def call(self, name: str, arguments: Seq[Value], ctype: CType) -> Value:
        """The value of one of the functions that isl's operations become."""
        if name not in _HELPERS:
            raise GiveUp
        left, right = (int(number(each)) for each in arguments)
        return _HELPERS[name](left, right)


class _Run:
    """One execution of loops."""

    def __init__(self, values: Mapping[str, Value], dealt: Mapping[str, Row]) -> None:
        self._expressions = _Expressions(_NOTHING, 0)
        self._expressions.env.update(values)
        # The rows that are iterators, up to sign and constant, by the names of their loops and by statement.
        self._dealt = {name: _units(row) for name, row in dealt.items()}
        self.executed: list[Executed] = []

    def node(self, node: AstNode) -> None:
        """Execute a node; raises CompilerBug where an instance is not at its own point."""
        expressions = self._expressions
        match node:
            case AstInstance():
                self._instance(node)
            case AstBlock():
                for item in node.items:
                    self.node(item)
            case AstIf():
                if expressions.truth(node.condition):
                    self.node(node.then)
                elif node.otherwise is not None:
                    self.node(node.otherwise)
            case AstLet():
                self._inside(node.name, expressions.value(node.value), node.body)
            case AstFor():
                for value in self._iterations(node):
                    self._inside(node.name, value, node.body)

    def _inside(self, name: str, value: Value, body: AstNode) -> None:
        env = self._expressions.env
        before = env.get(name)
        env[name] = value
        self.node(body)
        if before is None:
            del env[name]
        else:
            env[name] = before

    def _iterations(self, loop: AstFor) -> Iterator[int]:
        first = int(number(self._expressions.value(loop.lower)))
        end = int(number(self._expressions.value(loop.upper)))
        if end - first > _MOST_INSTANCES * loop.step:
            raise _TooMany
        return iter(range(first, end, loop.step))

    def _instance(self, node: AstInstance) -> None:
        values = tuple(int(number(self._expressions.value(each))) for each in node.arguments)
        self.executed.append((node.statement, values))
        if len(self.executed) > _MOST_INSTANCES:
            raise _TooMany
        for name, units in self._dealt.items():
            unit, here = units.get(node.statement), self._expressions.env.get(name)
            if unit is None or here is None:
                continue
            own = sum(factor * value for factor, value in zip(unit, values, strict=False)) + unit[-1]
            if own != here:
                raise CompilerBug(
                    f"the iteration {name} = {here} executes {_shown((node.statement, values))}, which is that of {own}"
                )


def _units(row: Row) -> dict[str, tuple[int, ...]]:
    """The coefficients and the constant of a row by statement, of those for which it is an iterator."""
    found = {name: islx.unit_row(function) for name, function in islx.pw_affs_of(row.function).items()}
    return {islx.unmangle(name): unit for name, unit in found.items() if unit is not None}
