"""The laws an operator must obey: init is an identity (PC0208), any order gives the same (PC0209).

They are tried on values that can really occur: the updates of a reduction are reached in a few
*worlds*, each of which stands for one run with small made-up data, and their elements are evaluated
there.  Structs are only met as the program makes them.  What cannot be evaluated is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations, product
from typing import TypeAlias
from zlib import crc32

from pencilc.diagnostics.diagnostic import Diagnostic, Label, Severity
from pencilc.ir import source as ast
from pencilc.ir.ctypes import Array, CType, Scalar, Struct
from pencilc.ir.scop import OperatorKind, Reduction, Scop
from pencilc.ir.source_printer import print_type
from pencilc.poly.evaluate import GiveUp, Interpreter, Place, Value, number, part

# The numbers that data are made of, with ties in each world; integers are those that are whole.
_PROFILES: dict[str, tuple[float, ...]] = {
    "small": (0.0, 1.0, 0.5, 2.0, 3.0, 4.0, 0.25),
    "positive": (1.0, 5.0, 2.0, 0.5, 3.0, 6.0, 1.5, 4.0),
    "signed": (-3.0, 2.0, 0.0, -1.5, 5.0, -1.0, 7.0, -6.0, 2.5),
}
_WHOLE: dict[str, tuple[float, ...]] = {
    name: tuple(int(v) for v in values if v == int(v)) for name, values in _PROFILES.items()
}
_ON_THE_WAY = (ast.Block, ast.For, ast.If, ast.ReductionInit, ast.ReductionUpdate)
_BUDGET = 3000  # statements executed in one world
_ELEMENTS = 5
_CHOICES = 40
_SAME_LAWS = 3  # reductions looked at that share operator, init and type
_TOLERANCE = 1e-4
_IDENTITY = {
    OperatorKind.ADD: "0", OperatorKind.MUL: "1", OperatorKind.MIN: "the largest value of the type",
    OperatorKind.MAX: "the smallest value of the type", OperatorKind.BIT_AND: "~0", OperatorKind.BIT_OR: "0",
    OperatorKind.BIT_XOR: "0", OperatorKind.AND: "1", OperatorKind.OR: "0",
}  # fmt: skip

_NEUTRAL: dict[OperatorKind, int] = {
    OperatorKind.ADD: 0, OperatorKind.MUL: 1, OperatorKind.BIT_OR: 0, OperatorKind.BIT_XOR: 0,
}  # fmt: skip

Writes: TypeAlias = dict[int, tuple[ast.Symbol, ...]]  # by the `id` of a statement of the region: what it may write


def check_laws(unit: ast.TranslationUnit, scop: Scop) -> tuple[Diagnostic, ...]:
    """PC0208 and PC0209 for the reductions of `scop`; each operator, init and type is told once."""
    found: list[Diagnostic] = []
    seen: dict[tuple[str, str, str], int] = {}
    writes: Writes = {}
    for reduction in scop.reductions:
        init = scop.statement(reduction.init).body
        if isinstance(init, ast.ReductionInit) and init.detected:
            continue  # What the source says there is no operator and no identity.
        key = (reduction.operator.function, reduction.init_function, print_type(reduction.element_type))
        if seen.get(key, 0) < _SAME_LAWS and not _starts_right(unit, scop, reduction):
            told: list[Diagnostic] = []
            with suppress(RecursionError):  # Nested too deeply to be judged.
                told = _check(unit, scop, reduction, writes)
            seen[key] = _SAME_LAWS if told else seen.get(key, 0) + 1
            found += told
    return tuple(found)


def _starts_right(unit: ast.TranslationUnit, scop: Scop, reduction: Reduction) -> bool:
    """Whether init is the identity of a recognised operator, so that nothing is left to try."""
    wanted = _NEUTRAL.get(reduction.operator.recognised) if reduction.operator.recognised else None
    if wanted is None or not isinstance(reduction.element_type, Scalar):
        return False
    with suppress(GiveUp, RecursionError):
        world = World(unit, scop.region, "small")
        return world.initialise(reduction.init_function, reduction.element_type) == wanted
    return False


def _check(unit: ast.TranslationUnit, scop: Scop, reduction: Reduction, writes: Writes) -> list[Diagnostic]:
    routes = _routes(scop, reduction)
    identity, order = None, None
    for profile in _PROFILES:
        world = World(unit, scop.region, profile, writes)
        if elements := world.elements(routes):
            laws = Laws(world, scop, reduction, elements)
            identity = identity or laws.identity()
            order = order or laws.order()
    return [d for d in (identity, order) if d is not None]


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """The statements from the region's body down to `update`; `free` are the loops that init is not in."""

    update: ast.ReductionUpdate
    steps: tuple[ast.Stmt, ...]
    free: tuple[ast.For, ...]
    written: dict[int, tuple[ast.Symbol, ...]]  # by the `id` of a loop on the way: what it writes


def _routes(scop: Scop, reduction: Reduction) -> list[Route]:
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
    nodes = list(ast.walk(stmt))
    places = [n.target for n in nodes if isinstance(n, ast.Assign)]
    places += [n.variable for n in nodes if isinstance(n, ast.ReductionInit | ast.ReductionUpdate)]
    return (*(n.iterator for n in nodes if isinstance(n, ast.For)), *(s for p in places for s in _root(p)))


def _root(expr: ast.Expr) -> list[ast.Symbol]:
    """The variable that the place `expr` is a part of."""
    while not isinstance(expr, ast.Name):
        base = getattr(expr, "base", None) or getattr(expr, "operand", None)
        if base is None:
            return []
        expr = base
    return [expr.symbol]


class World(Interpreter):
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
        place: Place | None = None
        for route in routes:
            before = len(found)
            for choice in _choices(len(route.free)):
                if len(found) - before >= _ELEMENTS:
                    break
                with suppress(GiveUp):
                    if not self._reach(route, choice, fixed):
                        continue
                    here = self.place(route.update.variable)
                    place = place or here
                    if here == place:
                        found.append(_complete(self.value(route.update.element)))
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
                    if not isinstance(symbol.type, Array):
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
        while isinstance(ctype, Array) and own < len(path):
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
        name, path = self.place(target)
        if self._depth or name in self.env:
            super().assign(target, value)
        elif isinstance(target.type, Scalar | Struct):
            self._memory[name, path] = value

    def _made_up(self, ctype: CType, text: str) -> Value:
        if isinstance(ctype, Struct):
            return tuple(self._made_up(m.type, f"{text}.{m.name}") for m in ctype.members)
        if isinstance(ctype, Array):
            count = min(ctype.size // max(ctype.element.size, 1), 64)
            return tuple(self._made_up(ctype.element, f"{text}[{k}]") for k in range(count))
        if not isinstance(ctype, Scalar):
            raise GiveUp
        values = (_PROFILES if ctype.kind == "float" else _WHOLE)[self.profile]
        value = values[(crc32(text.encode()) >> 7) % len(values)]
        return self.convert(abs(value) if ctype.kind in ("uint", "bool") else value, ctype)


def _choices(loops: int) -> Iterator[tuple[int, ...]]:
    """Iterations to try: the diagonal first, so that no two share an iterator where that can be."""
    yield from ((trip,) * loops for trip in range(_ELEMENTS + 1 if loops else 1))
    others = (c for c in product(range(_ELEMENTS + 1), repeat=loops) if len(set(c)) > 1)
    yield from (c for c, _ in zip(others, range(_CHOICES), strict=False))


def _complete(value: Value) -> Value:
    """`value` if every member is set."""
    if isinstance(value, tuple):
        return tuple(_complete(v) for v in value)
    return number(value)


class Laws:
    """One reduction in one world: its operator, the value of init, and the elements that it combines."""

    def __init__(self, world: World, scop: Scop, reduction: Reduction, elements: list[Value]) -> None:
        self.world = world
        self.scop = scop
        self.reduction = reduction
        self.elements = elements
        self.kind = reduction.operator.recognised
        # A list read from memory may be sorted in the program's data, and is not in ours.
        self.unknown = world.whole and "{" in _text(elements[0], reduction.element_type)[1:]

    def op(self, left: Value, right: Value) -> Value:
        """What the operator makes of two values."""
        name, ctype = self.reduction.operator.function, self.reduction.element_type
        return _complete(self.world.call(name, (left, right), ctype))

    def same(self, left: Value, right: Value) -> bool:
        """Equality: exact for integers, within rounding of all that led to them for floats."""
        if isinstance(left, tuple) and isinstance(right, tuple):
            return all(self.same(a, b) for a, b in zip(left, right, strict=True))
        a, b = number(left), number(right)
        if self.kind in (OperatorKind.AND, OperatorKind.OR):
            return bool(a) == bool(b)
        if isinstance(a, int) and isinstance(b, int):
            return a == b
        return abs(a - b) <= _TOLERANCE * max(self.world.magnitude, abs(a), abs(b))

    def identity(self) -> Diagnostic | None:
        """PC0208, if init is not an identity."""
        try:
            init = _complete(self.world.initialise(self.reduction.init_function, self.reduction.element_type))
        except GiveUp:
            return None
        for element in self.elements:
            with suppress(GiveUp):
                told = self._recognised(init, element) if self.kind else self._entering_twice(init, element)
                if told is not None:
                    return told
        return None if self.kind or self.unknown else self._not_neutral(init)

    def _recognised(self, init: Value, x: Value) -> Diagnostic | None:
        self.world.magnitude = 0.0
        result = self.op(init, x)
        return None if self.same(result, x) else self._told(Severity.WARNING, init, x, result)

    def _entering_twice(self, init: Value, x: Value) -> Diagnostic | None:
        """Partial results start from init: what op makes of init and an element must not change by another init."""
        once = self.op(init, x)
        if not self._changes(init, once):
            return None
        self.world.magnitude = 0.0
        for other, swapped in ((x, False), (once, False), (once, True)):
            result = self.op(other, init) if swapped else self.op(init, other)
            if not self.same(result, other):
                return self._told(Severity.ERROR, init, other, result, swapped)
        return None

    def _not_neutral(self, init: Value) -> Diagnostic | None:
        """Entering twice does no harm, but once it hides the elements (`min` with 0)."""
        for x, y in pairwise(self.elements):
            with suppress(GiveUp):
                made = self.op(x, y)
                if self._changes(init, made):
                    severity = Severity.WARNING if self.world.profile == "signed" else Severity.ERROR
                    return self._told(severity, init, made, self.op(init, made))
        return None

    def _changes(self, init: Value, x: Value) -> bool:
        """Whether init changes `x` on either side, for certain and whatever element comes next."""
        for left, right in ((init, x), (x, init)):
            self.world.magnitude = 0.0
            result = self.op(left, right)
            if not self.same(result, x):
                return not any(self.same(self.op(result, z), self.op(x, z)) for z in self.elements)
        return False

    def _told(self, severity: Severity, init: Value, x: Value, result: Value, swapped: bool = False) -> Diagnostic:
        reduction, ctype, name = self.reduction, self.reduction.element_type, self.reduction.init_function
        op = reduction.operator.function
        message = f"`{name}` is not an identity of `{op}`"
        if self.kind:
            message += f"; the result is still right, since partial results start from that of `{self.kind.value}`"
        elif severity is Severity.ERROR:
            message += ", and the partial results of a reduction start from it"
        values = [_text(init, ctype), _text(x, ctype)]
        note = f"`{op}({', '.join(values[::-1] if swapped else values)})` is {_text(result, ctype)}, not {values[1]}"
        wanted = f", {_IDENTITY[self.kind]}," if self.kind else ""
        return Diagnostic(
            severity, "PC0208", message, self.scop.statement(reduction.init).span, f"`{name}` writes {values[0]}",
            (Label(reduction.span, f"combined with `{op}` here"),), (note,),
            (f"let `{name}` write the identity{wanted} and bring in another start value after the reduction",),
        )  # fmt: skip

    def order(self) -> Diagnostic | None:
        """PC0209, if the result depends on the order; data may be known to have one sign, so not for both."""
        refused = ("signed", "small") if self.world.whole else ("signed",)
        if self.kind or self.unknown or self.world.profile in refused:
            return None
        for values in (*combinations(self.elements, 2), *permutations(self.elements[:4], 3)):
            with suppress(GiveUp):
                if (told := self._depends(values)) is not None:
                    return told
        return None

    def _depends(self, values: tuple[Value, ...]) -> Diagnostic | None:
        """PC0209 if two values do not commute, or if three do not associate."""
        op, ctype = self.reduction.operator.function, self.reduction.element_type
        self.world.magnitude = _largest(values)
        x, y, z = (*values, None)[:3]
        a, b, c = (_text(v, ctype) for v in (x, y, z))
        if len(values) == 2:
            law, one, other = "commutative", self.op(x, y), self.op(y, x)
            texts = f"`{op}({a}, {b})`", f"`{op}({b}, {a})`"
        else:
            law, one, other = "associative", self.op(self.op(x, y), z), self.op(x, self.op(y, z))
            texts = f"`{op}({op}({a}, {b}), {c})`", f"`{op}({a}, {op}({b}, {c}))`"
        if self.same(one, other):
            return None
        note = f"{texts[0]} is {_text(one, ctype)}, but {texts[1]} is {_text(other, ctype)}"
        message = f"operator `{op}` is not {law}, so the result depends on the order"
        return Diagnostic(
            Severity.WARNING, "PC0209", message, self.reduction.span, "elements are combined in any order", (), (note,),
            ("settle ties by an index, and bring each element to its final form before it is combined",),
        )  # fmt: skip


def _largest(value: Value) -> float:
    """The largest absolute floating value in `value`."""
    if isinstance(value, tuple):
        return max(map(_largest, value), default=0.0)
    return abs(value) if isinstance(value, float) else 0.0


def _text(value: Value, ctype: CType) -> str:
    """`value` as the messages show it: `{a = 1, b = 2}`."""
    if isinstance(value, tuple) and isinstance(ctype, Struct):
        return f"{{{', '.join(f'{m.name} = {_text(v, m.type)}' for m, v in zip(ctype.members, value, strict=True))}}}"
    if isinstance(value, tuple) and isinstance(ctype, Array):
        return f"{{{', '.join(_text(v, ctype.element) for v in value)}}}"
    return f"{value:.9g}" if isinstance(value, float) else str(value)
