"""Both orders executed: the region as C means it, and the statement instances in scheduled order.

The oracle interprets the typed AST and uses of the model only domains, bodies, guards and the tree; P
and R rows are run through in random order, reductions are folded by their merge node in random order.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import islpy as isl
import pytest

from pencilc import islx
from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.ir import source as ast
from pencilc.ir.schedule import Band, Leaf, ScheduledScop, Tree, statements_of
from pencilc.ir.scop import Dependences, Reduction, Scop, Statement, StatementKind
from pencilc.ir.source import ArrayType, CType, Scalar, Struct, element_type
from pencilc.poly import compute_dependences, extract
from pencilc.schedule import schedule
from tests.unit.test_schedule_programs import PRELUDE, PROGRAMS

Key = tuple[Any, ...]


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class _Store(dict[Key, Any]):
    """The elements of one variable; parameters have values from the start."""

    def __init__(self, ctype: CType, seed: str | None) -> None:
        super().__init__()
        self.ctype = element_type(ctype)
        self.seed = seed

    def __missing__(self, key: Key) -> Any:
        self[key] = self.initial(self.ctype, key)
        return self[key]

    def initial(self, ctype: CType, key: Key) -> Any:
        if isinstance(ctype, Struct):
            return {m.name: _Store(m.type, self.seed and self.seed + m.name) for m in ctype.members}
        assert self.seed is not None, "read of an uninitialised variable"
        number = sum((k + 1) * (p + 3) for p, k in enumerate(key)) + len(self.seed)
        assert isinstance(ctype, Scalar)
        return number * 7 % 3 if ctype.is_integer else (number * 13 % 11) - 4.0


class Machine:
    """Interprets statements; `scope` names the iterators by which a local variable is expanded."""

    def __init__(self, unit: ast.TranslationUnit, values: dict[str, int], scope: dict[str, tuple[str, ...]]) -> None:
        self.unit = unit
        self.memory: dict[Key, _Store] = {}
        self.values: dict[str, Any] = dict(values)
        self.scope = scope

    def store(self, symbol: ast.Symbol) -> _Store:
        key = (symbol.name, tuple(self.values[i] for i in self.scope.get(symbol.name, ())))
        if key not in self.memory:
            self.memory[key] = _Store(symbol.type, symbol.name if symbol.kind == "param" else None)
        return self.memory[key]

    def locate(self, expr: ast.Expr) -> tuple[_Store, Key]:
        if isinstance(expr, ast.AddressOf):
            return self.locate(expr.operand)
        if isinstance(expr, ast.Name):
            return self.store(expr.symbol), ()
        if isinstance(expr, ast.Index):
            store, key = self.locate(expr.base)
            return store, (*key, self.value(expr.index))
        if isinstance(expr, ast.MemberOf):
            store, key = self.locate(expr.base)
            member: _Store = store_struct(store, key)[expr.member]
            return member, ()
        if isinstance(expr, ast.Dereference) and isinstance(expr.operand, ast.Name):
            target: tuple[_Store, Key] = self.values[expr.operand.symbol.name]
            return target
        raise AssertionError(expr)

    def value(self, expr: ast.Expr) -> Any:
        if isinstance(expr, ast.IntLiteral):
            return expr.value
        if isinstance(expr, ast.FloatLiteral):
            return float(expr.text.rstrip("fFlL"))
        if isinstance(expr, ast.Name) and expr.symbol.name in self.values:
            return self.values[expr.symbol.name]
        if isinstance(expr, ast.Name | ast.Index | ast.MemberOf | ast.Dereference):
            store, key = self.locate(expr)
            return copy.deepcopy(store[key])
        if isinstance(expr, ast.Cast):
            inner = self.value(expr.operand)
            return int(inner) if isinstance(expr.type, Scalar) and expr.type.is_integer else inner
        if isinstance(expr, ast.Unary):
            inner = self.value(expr.operand)
            return {"-": -inner, "+": inner, "!": int(not inner)}[expr.op]
        if isinstance(expr, ast.Ternary):
            return self.value(expr.then if self.value(expr.condition) else expr.otherwise)
        if isinstance(expr, ast.Binary):
            return self.binary(expr)
        if isinstance(expr, ast.Call):
            return self.call(expr.function, [self.value(a) for a in expr.arguments])
        raise AssertionError(expr)

    def binary(self, expr: ast.Binary) -> Any:
        left = self.value(expr.left)
        if expr.op in ("&&", "||"):
            return (
                int(bool(left) and bool(self.value(expr.right)))
                if expr.op == "&&"
                else int(bool(left) or bool(self.value(expr.right)))
            )
        right = self.value(expr.right)
        integer = isinstance(expr.type, Scalar) and expr.type.is_integer
        operations: dict[str, Callable[[], Any]] = {
            "+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
            "/": lambda: int(left / right) if integer else (left / right if right else 0.0),
            "%": lambda: int(math.fmod(left, right)),
            "<": lambda: int(left < right), "<=": lambda: int(left <= right), ">": lambda: int(left > right),
            ">=": lambda: int(left >= right), "==": lambda: int(left == right), "!=": lambda: int(left != right),
        }  # fmt: skip
        return operations[expr.op]()

    def call(self, name: str, arguments: list[Any]) -> Any:
        function = self.unit.function(name)
        if function is None:
            known: dict[str, Callable[..., Any]] = {
                "fminf": min, "clamp": lambda x, a, b: min(max(x, a), b), "sqrtf": lambda x: math.sqrt(abs(x)),
                "expf": lambda x: math.exp(max(min(x, 50.0), -50.0)),
            }  # fmt: skip
            return known[name](*arguments)
        inner = Machine(self.unit, {}, {})
        for symbol, argument in zip(function.params, arguments, strict=True):
            if isinstance(argument, tuple):
                inner.values[symbol.name] = argument
            else:
                inner.store(symbol)[()] = argument
        try:
            inner.run(function.body)
        except _Return as result:
            return result.value
        return None

    def run(self, stmt: ast.Stmt) -> None:  # noqa: C901  (a dispatch over the kinds of statement)
        if isinstance(stmt, ast.Block):
            for item in stmt.items:
                self.run(item)
        elif isinstance(stmt, ast.Assign):
            value = self.value(stmt.value)
            store, key = self.locate(stmt.target)
            store[key] = value
        elif isinstance(stmt, ast.Declare):
            self.memory.pop((stmt.symbol.name, ()), None)
            if stmt.init is not None:
                self.store(stmt.symbol)[()] = self.value(stmt.init)
        elif isinstance(stmt, ast.If):
            branch = stmt.then if self.value(stmt.condition) else stmt.otherwise
            if branch is not None:
                self.run(branch)
        elif isinstance(stmt, ast.For):
            self.loop(stmt)
        elif isinstance(stmt, ast.Return):
            if stmt.value is not None:
                raise _Return(self.value(stmt.value))
        elif isinstance(stmt, ast.ReductionInit):
            self.call(stmt.function, [self.locate(stmt.variable)])
        elif isinstance(stmt, ast.ReductionUpdate):
            element = self.value(stmt.element)
            store, key = self.locate(stmt.variable)
            store[key] = self.call(stmt.operator, [copy.deepcopy(store[key]), element])
        else:
            assert isinstance(stmt, ast.Assume), stmt

    def loop(self, stmt: ast.For) -> None:
        at = self.value(stmt.lower)
        compare = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "!=": int.__ne__}
        while compare[stmt.relation](at, self.value(stmt.bound)):
            self.values[stmt.iterator.name] = at
            self.run(stmt.body)
            at += stmt.step
        self.values.pop(stmt.iterator.name, None)


def store_struct(store: _Store, key: Key) -> dict[str, _Store]:
    """The struct at `key`; one that has no value yet gets its members."""
    if key not in store:
        store[key] = store.initial(store.ctype, key)
    result: dict[str, _Store] = store[key]
    return result


class Scheduled:
    """Executes the instances of a scheduled region."""

    def __init__(self, scheduled: ScheduledScop, machine: Machine, values: dict[str, int], seed: int) -> None:
        self.scop = scheduled.scop
        self.machine = machine
        self.values = values
        self.random = random.Random(seed)
        self.pending: list[tuple[str, str, tuple[int, ...], Key, Any]] = []
        self.result: Any = None
        self.r2m = {
            r.name: {islx.in_name(m): _fix(m, values) for m in islx.maps_of(r.r2m)} for r in self.scop.reductions
        }

    def run(self, tree: Tree) -> None:
        instances = {n: points(_fix(self.scop.statement(n).domain, self.values)) for n in statements_of(tree)}
        self.tree(tree, instances)
        assert not self.pending, "updates that no merge node took"

    def tree(self, tree: Tree, instances: dict[str, list[tuple[int, ...]]]) -> None:
        if isinstance(tree, Leaf):
            for point in instances[tree.statement]:
                self.instance(self.scop.statement(tree.statement), point)
        elif isinstance(tree, Band):
            self.band(tree, 0, instances)
        else:
            for child in tree.children:
                self.tree(child, {n: instances[n] for n in statements_of(child)})

    def band(self, band: Band, position: int, instances: dict[str, list[tuple[int, ...]]]) -> None:
        if position == len(band.rows):
            self.tree(band.child, instances)
            return
        functions = islx.pw_affs_of(band.rows[position].function)
        by_value: dict[int, dict[str, list[tuple[int, ...]]]] = {}
        for name, found in instances.items():
            for point in found:
                at = self.evaluate(functions[name], point)
                by_value.setdefault(at, {n: [] for n in instances})[name].append(point)
        order = sorted(by_value)
        if band.rows[position].flag != "s":
            self.random.shuffle(order)
        for at in order:
            self.band(band, position + 1, by_value[at])

    def evaluate(self, function: isl.PwAff, point: tuple[int, ...]) -> int:
        for position, number in enumerate(point):
            fixed = isl.Map.from_pw_aff(function).fix_val(isl.dim_type.in_, position, isl.Val(number))
            function = isl.PwMultiAff.from_map(fixed).get_pw_aff(0)
        found = points(_fix(isl.Map.from_pw_aff(function).range(), self.values))
        return found[0][0]

    def instance(self, statement: Statement, point: tuple[int, ...]) -> None:
        names = [s.name for s in statement.iterators]
        self.machine.values.update(zip(names, point, strict=True))
        if all(self.machine.value(guard) for guard in statement.guards):
            self.execute(statement, point)
        for name in names:
            self.machine.values.pop(name)

    def execute(self, statement: Statement, point: tuple[int, ...]) -> None:
        if statement.kind is StatementKind.UPDATE:
            assert isinstance(statement.body, ast.ReductionUpdate)
            store, key = self.machine.locate(statement.body.variable)
            element = self.machine.value(statement.body.element)
            for reduction in self.scop.reductions:
                if statement.name in reduction.updates:
                    self.pending.append((reduction.name, statement.name, point, (id(store), key), element))
        elif statement.kind is StatementKind.MERGE:
            reduction = next(r for r in self.scop.reductions if r.merge == statement.name)
            self.merge(reduction, point)
        elif statement.kind is StatementKind.RETURN:
            assert isinstance(statement.body, ast.Return) and statement.body.value is not None
            self.result = self.machine.value(statement.body.value)
        else:
            assert statement.body is not None
            self.machine.run(statement.body)

    def merge(self, reduction: Reduction, point: tuple[int, ...]) -> None:
        store, key = self.machine.locate(reduction.variable)
        mine = [p for p in self.pending if p[0] == reduction.name and p[3] == (id(store), key)]
        mine = [p for p in mine if _relates(self.r2m[reduction.name][p[1]], p[2], point)]
        self.pending = [p for p in self.pending if not any(p is m for m in mine)]
        self.random.shuffle(mine)
        if reduction.init_function:  # else `s += x`, which goes on from what is there
            self.machine.call(reduction.init_function, [(store, key)])
        for *_, element in mine:
            store[key] = self.machine.call(reduction.operator.function, [copy.deepcopy(store[key]), element])


def _fix(item: Any, values: dict[str, int]) -> Any:
    for name, number in values.items():
        position = item.find_dim_by_name(isl.dim_type.param, islx.mangle(name))
        if position >= 0:
            item = item.fix_val(isl.dim_type.param, position, isl.Val(number))
    return item.project_out(isl.dim_type.param, 0, item.dim(isl.dim_type.param))


def points(where: isl.Set) -> list[tuple[int, ...]]:
    """All points of a bounded set, in lexicographic order."""
    found: list[tuple[int, ...]] = []
    count = islx.dimensions(where)
    where.foreach_point(
        lambda p: found.append(tuple(p.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(count)))
    )
    return sorted(found)


def _relates(relation: isl.Map, source: tuple[int, ...], target: tuple[int, ...]) -> bool:
    for kind, point in ((isl.dim_type.in_, source), (isl.dim_type.out, target)):
        for position, number in enumerate(point):
            relation = relation.fix_val(kind, position, isl.Val(number))
    return not relation.is_empty()


def _visible(machine: Machine, scop: Scop) -> dict[Any, Any]:
    """What the caller sees: the elements of array parameters, members included."""
    params = {p.name for p in scop.region.params if isinstance(p.type, ArrayType)}
    return {
        (name, key): _flat(value)
        for (name, _), store in machine.memory.items() if name in params
        for key, value in store.items()
    }  # fmt: skip


def _flat(value: Any) -> Any:
    return {m: dict(s) for m, s in value.items()} if isinstance(value, dict) else value


def _close(left: Any, right: Any) -> bool:
    if isinstance(left, float) and isinstance(right, float):
        return math.isclose(left, right, rel_tol=1e-6, abs_tol=1e-6)
    return bool(left == right)


# Rows whose bounds are data have no points to count; verify runs them.
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "spmv"])
@pytest.mark.parametrize("size", [3, 4])
def test_both_orders_agree(name: str, size: int) -> None:
    unit, scheduled = _chain(name, lambda dependences: dependences)
    compare(unit, scheduled, size)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("variance", "flow"), ("softmax", "flow"), ("matmul", "isolation"),
        ("variance", "isolation"), ("timesum", "isolation"), ("softmax", "isolation"), ("correlation", "isolation"),
    ],
)  # fmt: skip
def test_the_oracle_sees_reversed_dependences(name: str, kind: str) -> None:
    unit, scheduled = _chain(name, lambda d: _reversed(d, kind))
    with pytest.raises(AssertionError):
        compare(unit, scheduled, 4)


def _reversed(dependences: Dependences, kind: str) -> Dependences:
    """Turn a relation round; merely without it the textual order would often be kept by chance."""
    if kind == "flow":
        return replace(dependences, flow=dependences.flow.reverse())
    return replace(dependences, isolation=dependences.isolation.reverse())


def _chain(name: str, change: Callable[[Dependences], Dependences]) -> tuple[ast.TranslationUnit, ScheduledScop]:
    unit, _ = parse_file(SourceFile("test.c", PRELUDE + PROGRAMS[name][0]), FrontendOptions())
    scop, _ = extract(unit, unit.regions[0])
    return unit, schedule(scop, change(compute_dependences(scop)))


def compare(
    unit: ast.TranslationUnit, scheduled: ScheduledScop, size: int, rewritten: ast.TranslationUnit | None = None
) -> None:
    """Execute both orders with parameters `size` and 3 and compare what the caller sees.

    `rewritten`: what the schedule is of, where the compiler has changed the source before.
    """
    scop = scheduled.scop
    values = {p.name: (size if k % 2 == 0 else 3) for k, p in enumerate(scop.params)}
    scope = {a.symbol.name: a.scope_iterators for a in scop.arrays}

    plain = Machine(unit, values, {})
    result = None
    try:
        plain.run(unit.regions[0].body)
    except _Return as returned:
        result = returned.value
    moved = Scheduled(scheduled, Machine(rewritten or unit, values, scope), values, seed=size)
    moved.run(scheduled.tree)

    assert _close(result, moved.result)
    expected, found = _visible(plain, scop), _visible(moved.machine, scop)
    assert all(_close(expected.get(k), found.get(k)) for k in expected.keys() & found.keys())
    written = expected.keys() ^ found.keys()
    fresh = Machine(unit, values, {})
    assert all(_close({**expected, **found}[k], _initial(fresh, scop, k)) for k in written)


def _initial(machine: Machine, scop: Scop, element: Any) -> Any:
    name, key = element
    symbol = next(p for p in scop.region.params if p.name == name)
    return _flat(machine.store(symbol)[key])
