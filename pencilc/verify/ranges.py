"""What given scalars imply for the data of a region: which values keep every subscript in bounds.

The walk asks of every subscript that it lies in [0, extent) and pushes that demand down to what the
subscript is made of: `hist[pix[i] + 1]` with 64 bins demands values in [-1, 62] of `pix`;
`x[j]` with `j` from `row[i]` to `row[i + 1]` demands [0, size of x] of `row`, and that it grows.
The demands are a heuristic for making inputs, not a proof: guarded accesses make them stricter than
necessary, never laxer for what they see.

What locals are given is collected by a first walk, so that it does not matter where in a loop that stands.
"""

from __future__ import annotations

import math
from dataclasses import field, replace

from pencilc.ir import source as ast
from pencilc.ir.source import ArrayType, Scalar
from pencilc.records import dataclass
from pencilc.verify.intervals import Environment, Interval, Number, choice, constant, dotted, interval

UNKNOWN_TRIPS = 8


@dataclass(slots=True)
class Ranges:
    """The demands, by dotted name, and the size of the computation.

    `work` counts the innermost iterations; `length` is the longest reduction; `impossible` says why no
    data can make these scalars meaningful (a certain access lies outside of its array).  `asked` says what demands the
    limits: the array of which the data pick an element, and the line.  `steering` are the data that say how often a
    loop runs, and those that something is assumed of; `endless` names a loop of which that is not known.
    """

    limits: dict[str, Interval] = field(default_factory=dict)
    asked: dict[str, tuple[str, int]] = field(default_factory=dict)
    scalars: dict[str, Interval] = field(default_factory=dict)
    growing: set[str] = field(default_factory=set)
    distinct: set[str] = field(default_factory=set)
    steering: set[str] = field(default_factory=set)
    endless: str = ""
    work: float = 0
    length: float = 1
    impossible: str = ""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the walk stands: the enclosing loops with their trip counts, and what is certain there.

    `repeated` says that it is in a `while`, which the values that it changes have to end.
    """

    loops: tuple[tuple[str, float, bool], ...] = ()
    certain: bool = True
    guarded: bool = False
    repeated: bool = False

    def under_guard(self) -> _Place:
        return replace(self, certain=False, guarded=True)


def _names_outside_reads(variable: ast.Expr) -> set[str]:
    """The names in the subscripts of a variable, but for those in array reads inside of them."""
    if isinstance(variable, ast.Index):
        nodes = list(ast.walk(variable.index))
        reads = any(isinstance(node, ast.Index) for node in nodes)
        own = set() if reads else {node.symbol.name for node in nodes if isinstance(node, ast.Name)}
        return own | _names_outside_reads(variable.base)
    if isinstance(variable, ast.MemberOf):
        return _names_outside_reads(variable.base)
    return {n.symbol.name for n in ast.walk(variable) if isinstance(n, ast.Name)}


def explore(region: ast.Region, functions: dict[str, ast.Function], values: dict[str, Number]) -> Ranges:
    """Walk `region` with its scalars fixed to `values` (dotted names)."""
    arrays = frozenset(p.name for p in region.params if isinstance(p.type, ArrayType))
    locals_ = _Locals(element_wise=_set_by_elements(region.body))
    _walk(region, functions, values, _Walker(arrays, Ranges(), locals_))
    return _walk(region, functions, values, _Walker(arrays, Ranges(), locals_))


def _walk(region: ast.Region, functions: dict[str, ast.Function], values: dict[str, Number], walker: _Walker) -> Ranges:
    scope = Environment(functions, values={name: (value, value) for name, value in values.items()})
    walker.once = _assigned_once(region.body)
    walker.statement(region.body, scope, _Place())
    return walker.found


def _set_by_elements(body: ast.Stmt) -> frozenset[str]:
    """The local arrays of which single elements are set, and which have no values before."""
    found: set[str] = set()
    whole: set[str] = set()
    for node in ast.walk(body):
        if isinstance(node, ast.Assign) and not node.compound and (name := _local_array(node.target)):
            found.add(name)
        elif isinstance(node, ast.Declare) and node.init is not None:
            whole.add(node.symbol.name)
        elif isinstance(node, ast.Call):
            # Who takes an array, or the address of an element, may set all of it.
            taken = [a for a in node.arguments if not isinstance(a.type, Scalar) or isinstance(a, ast.AddressOf)]
            whole.update(n.symbol.name for a in taken for n in ast.walk(a) if isinstance(n, ast.Name))
    return frozenset(found - whole)


def _local_array(target: ast.Expr) -> str:
    """The name of the local array of one dimension of which an expression is an element; empty for others."""
    if isinstance(target, ast.Index) and isinstance(target.base, ast.Name) and target.base.symbol.kind == "local":
        return target.base.symbol.name
    return ""


def _assigned_once(body: ast.Stmt) -> frozenset[str]:
    """The locals that get their value at one place only, and so stand for that expression."""
    count: dict[str, int] = {}
    for node in ast.walk(body):
        name = ""
        if isinstance(node, ast.Declare) and node.init is not None:
            name = node.symbol.name
        elif isinstance(node, ast.Assign) and isinstance(node.target, ast.Name):
            name = node.target.symbol.name
            count[name] = count.get(name, 0) + (1 if node.compound else 0)
        elif isinstance(node, (ast.AddressOf, ast.ReductionInit, ast.ReductionUpdate)):
            target = node.operand if isinstance(node, ast.AddressOf) else node.variable
            name = target.symbol.name if isinstance(target, ast.Name) else ""
            count[name] = count.get(name, 0) + 1
        count[name] = count.get(name, 0) + 1
    return frozenset(name for name, times in count.items() if times == 1 and name)


@dataclass(slots=True)
class _Locals:
    """What locals are given: `kept` has the values, of arrays those of all elements.

    `set_at` is where elements of the arrays in `element_wise` are set; None if data say where.
    """

    element_wise: frozenset[str]
    kept: dict[str, list[tuple[ast.Expr, Environment]]] = field(default_factory=dict)
    set_at: dict[str, Interval | None] = field(default_factory=dict)

    def keep(self, name: str, value: ast.Expr, scope: Environment) -> None:
        """Note that a local or an element of it is given `value`."""
        values = self.kept.setdefault(name, [])
        if all(known is not value for known, _ in values):
            values.append((value, scope))

    def set_element(self, name: str, at: Interval | None) -> None:
        """Note that elements at `at` of an array are set."""
        old = self.set_at.get(name, at)
        self.set_at[name] = None if at is None or old is None else (min(old[0], at[0]), max(old[1], at[1]))


class _Walker:
    """The walk over one region; every method adds to `found`, or to what is known of its locals."""

    def __init__(self, arrays: frozenset[str], found: Ranges, locals_: _Locals) -> None:
        self.arrays = arrays
        self.found = found
        self.once: frozenset[str] = frozenset()
        self.locals = locals_
        self.target: ast.Expr | None = None  # the element that the statement sets, whatever it was before
        self.asking: tuple[str, int] = ("", 0)  # the array whose subscript makes demands, and the line
        self.has_elements = True  # whether that array has any

    # ---- statements ----

    def statement(self, stmt: ast.Stmt, scope: Environment, place: _Place) -> None:
        """Visit one statement and all below it."""
        if isinstance(stmt, ast.For):
            self._for(stmt, scope, place)
        elif isinstance(stmt, ast.If):
            self._if(stmt, scope, place)
        elif isinstance(stmt, ast.While):
            inner = replace(place, certain=False, guarded=True, repeated=True)
            self.found.endless = f"the loop of line {stmt.span.line} runs until data end it"
            self.expression(stmt.condition, scope, inner)
            self.statement(stmt.body, scope, inner)
        elif isinstance(stmt, ast.Block):
            for item in stmt.items:
                self.statement(item, scope, place)
        elif isinstance(stmt, ast.Assume):
            self.found.steering |= self.reads(stmt.condition, scope)
        elif isinstance(stmt, (ast.Kill, ast.Jump)):
            return
        else:
            self._simple(stmt, scope, place)

    def _simple(self, stmt: ast.Stmt, scope: Environment, place: _Place) -> None:
        if not isinstance(stmt, ast.Declare):
            self.found.work += math.prod(trips for _, trips, _ in place.loops)
        self.target = stmt.target if isinstance(stmt, ast.Assign) and not stmt.compound else None
        for child in ast.children(stmt):
            self.expression(child, scope, place)
        if isinstance(stmt, ast.Declare) and stmt.init is not None:
            if stmt.symbol.name in self.once:
                _define(stmt.symbol.name, stmt.init, scope)
            else:
                self.locals.keep(stmt.symbol.name, stmt.init, scope)
        elif isinstance(stmt, ast.Assign):
            self._assign(stmt, scope, place)
        elif isinstance(stmt, ast.ReductionUpdate):
            self._reduction(stmt.variable, place)

    def _assign(self, stmt: ast.Assign, scope: Environment, place: _Place) -> None:
        target = stmt.target
        if isinstance(target, ast.Name) and target.symbol.name in self.once and not stmt.compound:
            _define(target.symbol.name, stmt.value, scope)
        elif isinstance(target, ast.Name) and target.symbol.kind == "local" and not place.repeated:
            self.locals.keep(target.symbol.name, stmt.value, scope)
        if isinstance(target, ast.Index) and (name := dotted(target, scope)) is not None:
            self.locals.keep(name, stmt.value, scope)
            if name in self.locals.element_wise and not stmt.compound:
                self.locals.set_element(name, interval(target.index, scope))
        if any(independent for _, _, independent in place.loops):
            subscripts = [node.index for node in ast.walk(stmt.target) if isinstance(node, ast.Index)]
            self.found.distinct.update(name for index in subscripts for name in self.reads(index, scope))
        if any(node == stmt.target for node in ast.walk(stmt.value)):
            self._reduction(stmt.target, place)

    def _reduction(self, variable: ast.Expr, place: _Place) -> None:
        """A reduction is as long as the loops that the variable's subscripts do not mention.

        What stands inside of a subscript that reads an array, `hist[pix[i]]`, does not tell one element from another.
        """
        kept = _names_outside_reads(variable)
        length = math.prod(trips for name, trips, _ in place.loops if name not in kept)
        self.found.length = max(self.found.length, length)

    def _if(self, stmt: ast.If, scope: Environment, place: _Place) -> None:
        self.expression(stmt.condition, scope, place)
        known = constant(stmt.condition, scope)
        inner = place if known is not None else place.under_guard()
        if known is None or known:
            self.statement(stmt.then, scope, inner)
        if stmt.otherwise is not None and not known:
            self.statement(stmt.otherwise, scope, inner)

    def _for(self, stmt: ast.For, scope: Environment, place: _Place) -> None:
        self.expression(stmt.lower, scope, place)
        self.expression(stmt.bound, scope, place)
        lower, bound = interval(stmt.lower, scope), interval(stmt.bound, scope)
        name = stmt.iterator.name
        scope.loops[name] = stmt
        both = self.reads(stmt.lower, scope) & self.reads(stmt.bound, scope)
        self.found.growing |= both
        reach = None if lower is None or bound is None else _reach(stmt, lower, bound)
        if reach is not None and reach[0] > reach[1]:
            return
        scope.values.pop(name, None)
        if reach is not None:
            scope.values[name] = reach
        else:
            self._steered(stmt, scope)
        trips = UNKNOWN_TRIPS if reach is None else (reach[1] - reach[0]) // abs(stmt.step) + 1
        fixed = lower is not None and bound is not None and lower[0] == lower[1] and bound[0] == bound[1]
        leaves = any(isinstance(node, ast.Jump) for node in ast.walk(stmt.body))
        loops = (*place.loops, (name, float(trips), stmt.independent))
        inner = replace(place, loops=loops, certain=place.certain and fixed and not leaves)
        self.statement(stmt.body, scope, inner)

    def _steered(self, loop: ast.For, scope: Environment) -> None:
        """Note which data say how often a loop runs, or that this is not known."""
        for bound in (loop.lower, loop.bound):
            self.found.steering |= self.reads(bound, scope)
            if interval(bound, scope) is None and not self._is_made_of_data(bound, scope):
                self.found.endless = f"how often the loop of line {loop.span.line} runs is not known"

    def _is_made_of_data(self, expr: ast.Expr, scope: Environment) -> bool:
        """Whether all that an expression is computed from are numbers that are known and elements of parameters."""
        if interval(expr, scope) is not None or self._element(expr, scope):
            return True
        if isinstance(expr, ast.Name):
            defined = scope.definitions.get(expr.symbol.name)
            return defined is not None and self._is_made_of_data(*defined)
        parts = ast.children(expr)
        return bool(parts) and all(self._is_made_of_data(part, scope) for part in parts)  # type: ignore[arg-type]

    # ---- expressions ----

    def expression(self, node: ast.Node, scope: Environment, place: _Place) -> None:
        """Visit an expression: every subscript below it makes its demand."""
        if isinstance(node, ast.Ternary):
            self.expression(node.condition, scope, place)
            self.expression(node.then, scope, place.under_guard())
            self.expression(node.otherwise, scope, place.under_guard())
        elif isinstance(node, ast.Binary) and node.op in ("&&", "||"):
            self.expression(node.left, scope, place)
            self.expression(node.right, scope, place.under_guard())
        else:
            if isinstance(node, ast.Index):
                self._subscript(node, scope, place)
            if isinstance(node, ast.Call):
                self._called(node, scope, place)
            for child in ast.children(node):
                self.expression(child, scope, place)

    def _called(self, node: ast.Call, scope: Environment, place: _Place) -> None:
        callee = scope.functions.get(node.function)
        if callee is None or scope.depth > 8:
            return
        outer, self.once = self.once, _assigned_once(callee.body)
        self.statement(callee.body, scope.call(callee, node.arguments), place)
        self.once = outer

    def _subscript(self, node: ast.Index, scope: Environment, place: _Place) -> None:
        extent_expr = node.base.type.extent if isinstance(node.base.type, ArrayType) else None
        extent = None if extent_expr is None else interval(extent_expr, scope)
        if extent is None:
            return
        if place.certain and not self.found.impossible:
            self._certain(node, scope, extent)
        low, high = self._set_elements(node, scope, (0, extent[0] - 1))
        self.asking = (dotted(node, scope) or "an array", node.span.line)
        self.has_elements = extent[1] > 0
        self._need(node.index, low, high, scope, place)

    def _set_elements(self, node: ast.Index, scope: Environment, whole: Interval) -> Interval:
        """Which elements data may pick: of a local array those that have been set, none if no loop has done that."""
        name = _local_array(node)
        if node is self.target or name not in self.locals.element_wise or interval(node.index, scope) is not None:
            return whole
        at = self.locals.set_at.get(name, (0, -1))
        return whole if at is None else (max(whole[0], at[0]), min(whole[1], at[1]))

    def _certain(self, node: ast.Index, scope: Environment, extent: Interval) -> None:
        """An access that is sure to happen and sure to be outside makes the sizes meaningless."""
        names = [n.symbol.name for n in ast.walk(node.index) if isinstance(n, ast.Name)]
        reach = interval(node.index, scope)
        if reach is None or len(set(names)) != len(names):
            return
        if reach[0] < 0 or reach[1] >= extent[1]:
            array = dotted(node, scope) or "an array"
            where = f"{reach[0]}" if reach[0] == reach[1] else f"{reach[0]}..{reach[1]}"
            self.found.impossible = f"`{array}[{where}]` lies outside of its extent {extent[1]}"

    def reads(self, expr: ast.Expr, scope: Environment) -> set[str]:
        """The dotted names of the array parameters whose elements `expr` is computed from."""
        found: set[str] = set()
        for node in ast.walk(expr):
            if isinstance(node, ast.Name) and node.symbol.name in scope.definitions:
                if isinstance(node.symbol.type, ArrayType):
                    continue
                definition, inner = scope.definitions[node.symbol.name]
                found |= self.reads(definition, inner)
            elif isinstance(node, (ast.Index, ast.MemberOf)):
                found |= self._element(node, scope)
        return found

    def _element(self, node: ast.Expr, scope: Environment) -> set[str]:
        if isinstance(node.type, ArrayType):
            return set()
        name = dotted(node, scope)
        return {name} if name is not None and name.split(".")[0] in self.arrays else set()

    # ---- demands ----

    def _need(self, expr: ast.Expr, low: Number, high: Number, scope: Environment, place: _Place) -> None:
        """Demand that `expr` lies in [low, high] (either may be infinite)."""
        if isinstance(expr, ast.Cast):
            to_integer = type_is_float(expr.operand) and not type_is_float(expr)
            # A value just below high + 1 still truncates to high.
            self._need(expr.operand, low, high + 0.99 if to_integer else high, scope, place)
        elif isinstance(expr, ast.Name):
            self._need_name(expr, low, high, scope, place)
        elif isinstance(expr, (ast.Index, ast.MemberOf)):
            self._need_element(expr, low, high, scope, place)
        elif isinstance(expr, ast.Binary):
            self._need_binary(expr, low, high, scope, place)
        elif isinstance(expr, ast.Ternary):
            self._need(expr.then, low, high, scope, place.under_guard())
            self._need(expr.otherwise, low, high, scope, place.under_guard())
        elif isinstance(expr, ast.Call) and choice(expr.function) is None:
            self._need_call(expr, low, high, scope, place)

    def _need_call(self, expr: ast.Call, low: Number, high: Number, scope: Environment, place: _Place) -> None:
        callee = scope.functions.get(expr.function)
        if callee is not None and scope.depth <= 8 and len(callee.body.items) == 1:
            only = callee.body.items[0]
            if isinstance(only, ast.Return) and only.value is not None:
                self._need(only.value, low, high, scope.call(callee, expr.arguments), place)

    def _need_name(self, expr: ast.Name, low: Number, high: Number, scope: Environment, place: _Place) -> None:
        name = expr.symbol.name
        if name in scope.loops:
            loop = scope.loops[name]
            first, last = (loop.lower, loop.bound) if loop.step > 0 else (loop.bound, loop.lower)
            open_low = 1 if loop.step < 0 and loop.relation == ">" else 0
            open_high = 1 if loop.step > 0 and loop.relation in ("<", "!=") else 0
            self._need(first, low - open_low, math.inf, scope, place)
            self._need(last, -math.inf, high + open_high, scope, place)
        elif name in scope.definitions:
            definition, inner = scope.definitions[name]
            self._need(definition, low, high, inner, place)
        elif expr.symbol.kind == "param" and not place.guarded:
            _narrow(self.found.scalars, name, low, high)
        elif self.has_elements:
            # In an array without elements no value picks one, those that the program sets itself (`count - 1`) least.
            self._need_of_values(name, low, high, place.under_guard())

    def _need_of_values(self, name: str, low: Number, high: Number, place: _Place) -> None:
        """Demand it of all that a local is given, which may be what it has been given before."""
        values = self.locals.kept.pop(name, [])
        for value, inner in values:
            self._need(value, low, high, inner, place)
        if values:
            self.locals.kept[name] = values

    def _need_element(self, expr: ast.Expr, low: Number, high: Number, scope: Environment, place: _Place) -> None:
        name = dotted(expr, scope)
        if name is None:
            return
        if name.split(".")[0] in self.arrays:
            old = self.found.limits.get(name, (-math.inf, math.inf))
            # Of two branches that want different data, `up ? c + 32 : c`, the first decides; nothing serves an array
            # without elements.
            if not place.guarded or low > high or max(old[0], low) <= min(old[1], high):
                _narrow(self.found.limits, name, low, high)
                if self.found.limits[name] != old:
                    self.found.asked[name] = self.asking
        elif not place.guarded and isinstance(expr, ast.MemberOf):
            _narrow(self.found.scalars, name, low, high)
        self._need_of_values(name, low, high, place)

    def _need_binary(self, expr: ast.Binary, low: Number, high: Number, scope: Environment, place: _Place) -> None:
        left, right = self._guess(expr.left, scope), self._guess(expr.right, scope)
        if expr.op == "+":
            # Of two data, `start[i] + count[i]`, neither takes all of the room.
            share = high // 2 if math.isfinite(high) and self._is_open(expr.right, scope) else high - right[1]
            self._need(expr.left, low - right[0], share, scope, place)
            left = self._guess(expr.left, scope)
            self._need(expr.right, low - left[0], high - left[1], scope, place)
        elif expr.op == "-":
            self._need(expr.left, low + right[1], high + right[0], scope, place)
            self._need(expr.right, left[1] - high, left[0] - low, scope, place)
        elif expr.op == "*" and right[1] > 0:
            self._need(expr.left, low / right[1], high / right[1], scope, place)
            if left[1] > 0:
                self._need(expr.right, low / left[1], high / left[1], scope, place)
        elif expr.op in ("/", ">>"):
            by = right[0] if expr.op == "/" else 2 ** int(min(right[0], 63))
            if by > 0:
                self._need(expr.left, low * by, high * by + (by - 1), scope, place)
        elif expr.op in ("%", "&") and low >= 0:
            self._need(expr.left, 0, math.inf, scope, place)

    def _guess(self, expr: ast.Expr, scope: Environment) -> Interval:
        """The interval of the other side of an operator; data that nothing is known of counts as 0."""
        known = interval(expr, scope)
        if known is not None:
            return known
        name = dotted(expr, scope)
        low, high = self.found.limits.get(name, (0, 0)) if name is not None else (0, 0)
        return low if math.isfinite(low) else min(0, high), high if math.isfinite(high) else max(0, low)

    def _is_open(self, expr: ast.Expr, scope: Environment) -> bool:
        """Whether data that nothing keeps below a number."""
        name = dotted(expr, scope) if interval(expr, scope) is None else None
        return name is not None and math.isinf(self.found.limits.get(name, (0, math.inf))[1])


def _define(name: str, value: ast.Expr, scope: Environment) -> None:
    """Let `name` stand for `value`, unless that is made of `name` itself: `n = n - 1` defines nothing."""
    if not _is_made_of(name, value, scope, set()):
        scope.definitions[name] = (value, scope)


def _is_made_of(name: str, value: ast.Expr, scope: Environment, seen: set[str]) -> bool:
    read = {n.symbol.name for n in ast.walk(value) if isinstance(n, ast.Name)} - seen
    if name in read:
        return True
    seen |= read
    return any(_is_made_of(name, *scope.definitions[n], seen) for n in sorted(read) if n in scope.definitions)


def type_is_float(expr: ast.Expr) -> bool:
    """Whether `expr` has a floating type."""
    return getattr(expr.type, "kind", "") == "float"


def _narrow(table: dict[str, Interval], name: str, low: Number, high: Number) -> None:
    old = table.get(name, (-math.inf, math.inf))
    table[name] = (max(old[0], low), min(old[1], high))


def _reach(loop: ast.For, lower: Interval, bound: Interval) -> Interval:
    """The values of the iterator: [first, last], empty if first > last."""
    if loop.step > 0:
        return (lower[0], bound[1] - (1 if loop.relation in ("<", "!=") else 0))
    return (bound[0] + (1 if loop.relation in (">", "!=") else 0), lower[1])
