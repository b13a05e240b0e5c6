"""Runs of a region in which operators are tried: with small made-up data, and the elements met there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise, product
from typing import TypeAlias
from zlib import crc32

from pencilc.ir import source as ast
from pencilc.ir.scop import Reduction, Scop
from pencilc.ir.source import ArrayType, CType, Scalar, Struct
from pencilc.poly.model.evaluate import Cell, GiveUp, Interpreter, Value, number, part
from pencilc.records import dataclass

# The numbers that data are made of, with ties in each run; integers are those that are whole.
PROFILES: dict[str, tuple[float, ...]] = {
    "small": (0.0, 1.0, 0.5, 2.0, 3.0, 4.0, 0.25),
    "positive": (1.0, 5.0, 2.0, 0.5, 3.0, 6.0, 1.5, 4.0),
    "signed": (-3.0, 2.0, 0.0, -1.5, 5.0, -1.0, 7.0, -6.0, 2.5),
}
_WHOLE: dict[str, tuple[float, ...]] = {
    name: tuple(int(v) for v in values if v == int(v)) for name, values in PROFILES.items()
}
_ON_THE_WAY = (ast.Block, ast.For, ast.If, ast.ReductionInit, ast.ReductionUpdate)
_BUDGET = 3000  # statements executed in one run
_ELEMENTS = 5
_CHOICES = 40

Writes: TypeAlias = dict[int, tuple[ast.Symbol, ...]]  # by the `id` of a statement of the region: what it may write


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """The statements from the region's body down to `update`; `free` are the loops that init is not in."""

    update: ast.ReductionUpdate
    steps: tuple[ast.Stmt, ...]
    free: tuple[ast.For, ...]
    written: dict[int, tuple[ast.Symbol, ...]]  # by the `id` of a loop on the way: what it writes


def routes_of(scop: Scop, reduction: Reduction) -> list[Route]:
    """The ways from the region's body down to each update of `reduction`."""
    init = scop.statement(reduction.init).body
    around = [] if init is None else _steps(scop.region.body, init)
    routes = []
    for name in reduction.updates:
        update = scop.statement(name).body
        steps = [] if update is None else _steps(scop.region.body, update)
        if isinstance(update, ast.ReductionUpdate) and steps:
            loops = [s for s in steps if isinstance(s, ast.For)]
            free = tuple(loop for loop in loops if all(loop is not other for other in around))
            routes.append(Route(update, tuple(steps), free, {id(loop): _written(loop.body) for loop in loops}))
    return routes


def _steps(stmt: ast.Stmt, target: ast.Stmt) -> list[ast.Stmt]:
    """The statements from `stmt` down to `target`, both included; empty if it is not below."""
    if stmt is target:
        return [target]
    for child in ast.children(stmt):
        if isinstance(child, _ON_THE_WAY) and (below := _steps(child, target)):
            return [stmt, *below]
    return []


def _written(stmt: ast.Stmt) -> tuple[ast.Symbol, ...]:
    """The variables that `stmt` may write."""
    found: list[ast.Symbol] = []
    for node in ast.walk(stmt):
        match node:
            case ast.For():
                found.append(node.iterator)
            case ast.Assign():
                found += _root(node.target)
            case ast.ReductionInit() | ast.ReductionUpdate():
                found += _root(node.variable)
    return tuple(found)


def _root(expr: ast.Expr) -> list[ast.Symbol]:
    """The variable that the lvalue `expr` is a part of."""
    while not isinstance(expr, ast.Name):
        base = getattr(expr, "base", None) or getattr(expr, "operand", None)
        if base is None:
            return []
        expr = base
    return [expr.symbol]


class SampledRun(Interpreter):
    """One run of a region with made-up data: the same element has the same value wherever it is read.

    `whole` tells that a struct was read as it lies in memory, where nobody knows what holds between its members.
    """

    def __init__(
        self, unit: ast.TranslationUnit, region: ast.Region, profile: str, writes: Writes | None = None
    ) -> None:
        super().__init__(unit, _BUDGET)
        self._writes: Writes = {} if writes is None else writes
        self.profile = profile
        self.whole = False
        self._memory: dict[tuple[str, tuple[int, ...]], Value] = {}
        sizes = [p.name for p in region.params if isinstance(p.type, Scalar) and p.type.is_integer]
        self._start: dict[str, Value] = {name: 7 + position for position, name in enumerate(sizes)}

    def elements(self, routes: list[Route]) -> list[Value]:
        """Elements that updates of one variable combine; empty where none can be evaluated."""
        return self._elements(routes, 4) or self._elements(routes, 0)

    def _elements(self, routes: list[Route], fixed: int) -> list[Value]:
        """The same in iteration `fixed` of the loops that are not free."""
        found: list[Value] = []
        cell: Cell | None = None
        for route in routes:
            before = len(found)
            for choice in _choices(len(route.free)):
                if len(found) - before >= _ELEMENTS:
                    break
                with suppress(GiveUp):
                    if not self._reach(route, choice, fixed):
                        continue
                    here = self.cell(route.update.variable)
                    cell = cell or here
                    if here == cell:
                        found.append(complete(self.value(route.update.element)))
        return found[: 2 * _ELEMENTS]

    def _reach(self, route: Route, choice: tuple[int, ...], fixed: int) -> bool:
        """Execute what comes before the update in the chosen iterations; whether the update is executed."""
        self.env = dict(self._start)
        trips = {id(loop): trip for loop, trip in zip(route.free, choice, strict=True)}
        inside = False
        for outer, inner in pairwise(route.steps):
            if isinstance(outer, ast.Block):
                if not self._before(outer, inner, inside):
                    return False
            elif isinstance(outer, ast.For):
                for symbol in route.written[id(outer)]:
                    if not isinstance(symbol.type, ArrayType):
                        self.env[symbol.name] = self.unset(symbol.type)
                first, trip = number(self.value(outer.lower)), trips.get(id(outer), fixed)
                self.env[outer.iterator.name] = first + outer.step * trip
                if not self.goes_on(outer):
                    return False
                inside = True
            elif not isinstance(outer, ast.If) or self.truth(outer.condition) != (inner is outer.then):
                return False
        return True

    def _before(self, block: ast.Block, last: ast.Stmt, inside: bool) -> bool:
        """Execute the statements of `block` before `last`; whether `last` is executed."""
        for item in block.items:
            if item is last:
                break
            skipped = isinstance(item, ast.ReductionInit | ast.ReductionUpdate) or (
                not inside and isinstance(item, ast.For | ast.While | ast.If | ast.Block)
            )
            try:
                if not skipped and self.execute(item):
                    return False
            except GiveUp:
                skipped = True
            if skipped:
                self._forget(item, inside)
        return True

    def _forget(self, stmt: ast.Stmt, inside: bool) -> None:
        """Nothing is known of what `stmt` writes: inside the loops no value will do, before them any one."""
        if id(stmt) not in self._writes:
            self._writes[id(stmt)] = _written(stmt)
        for symbol in self._writes[id(stmt)]:
            if inside:
                self.env[symbol.name] = None
            else:
                self.env.pop(symbol.name, None)

    def outside(self, expr: ast.Expr, name: str, path: tuple[int, ...]) -> Value:
        """A made-up value for data that the region is given."""
        root = _root(expr)
        if self._depth or not root:
            raise GiveUp
        ctype, own = root[0].type, 0
        while isinstance(ctype, ArrayType) and own < len(path):
            ctype, own = ctype.element, own + 1
        if not isinstance(ctype, Scalar | Struct):
            raise GiveUp
        key = (name, path[:own])
        if key not in self._memory:
            self._memory[key] = self._made_up(ctype, f"{self.profile} {name} {path[:own]}")
        self.whole |= isinstance(ctype, Struct) and own == len(path)
        return part(self._memory[key], path[own:])

    def assign(self, target: ast.Expr, value: Value) -> None:
        """Also writes elements and scalars that the region does not declare."""
        name, path = self.cell(target)
        if self._depth or name in self.env:
            super().assign(target, value)
        elif isinstance(target.type, Scalar | Struct):
            self._memory[name, path] = value

    def _made_up(self, ctype: CType, text: str) -> Value:
        if isinstance(ctype, Struct):
            return tuple(self._made_up(m.type, f"{text}.{m.name}") for m in ctype.members)
        if isinstance(ctype, ArrayType):
            count = min(ctype.size // max(ctype.element.size, 1), 64)
            return tuple(self._made_up(ctype.element, f"{text}[{k}]") for k in range(count))
        if not isinstance(ctype, Scalar):
            raise GiveUp
        values = (PROFILES if ctype.kind == "float" else _WHOLE)[self.profile]
        value = values[(crc32(text.encode()) >> 7) % len(values)]
        return self.convert(abs(value) if ctype.kind in ("uint", "bool") else value, ctype)


def _choices(loops: int) -> Iterator[tuple[int, ...]]:
    """Iterations to try: the diagonal first, so that no two share an iterator where that can be."""
    if loops == 0:
        yield ()
        return
    for trip in range(_ELEMENTS + 1):
        yield (trip,) * loops
    tried = 0
    for choice in product(range(_ELEMENTS + 1), repeat=loops):
        if tried == _CHOICES:
            return
        if len(set(choice)) > 1:
            tried += 1
            yield choice


def complete(value: Value) -> Value:
    """`value` if every member is set."""
    if isinstance(value, tuple):
        return tuple(complete(v) for v in value)
    return number(value)
