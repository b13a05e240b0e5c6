"""Calls of helpers that hold loops become the helpers' bodies, so that their loops can be parallel.

Before: `row(m, c[i], 2 * v);`     void row(int m, float x[m], float f) { for (int j = 0; j < m; j++) x[j] *= f; }
After:  `{ float f = 2 * v; for (int j = 0; j < m; j++) c[i][j] *= f; }`

A helper that returns early, that has a summary, or whose arrays have other extents than the arguments stays a
function of its own: device functions are just as right, and often read better.  So does one whose value a loop uses,
unless it holds a reduction or goes through rows that it is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from pencilc.diagnostics.diagnostic import Diagnostic, Severity, SourceErrors
from pencilc.ir.queries import names_of_region
from pencilc.ir.rewrite import Renaming, fresh_name, renamed, written_names
from pencilc.ir.source import (
    AddressOf,
    ArrayType,
    Assign,
    Binary,
    Block,
    Call,
    CallStmt,
    Cast,
    CType,
    Declare,
    Expr,
    For,
    Function,
    If,
    Index,
    IntLiteral,
    Jump,
    Kill,
    MemberOf,
    Name,
    Node,
    PointerType,
    ReductionInit,
    ReductionUpdate,
    Region,
    Return,
    Stmt,
    Symbol,
    Ternary,
    TranslationUnit,
    Unary,
    While,
    children,
    walk,
)  # fmt: skip
from pencilc.ir.source_printer import print_expr
from pencilc.records import dataclass

MAX_LOOPS = 16  # in each other: polyhedral operations are exponential in their number
MAX_INSTANCES = 500  # bodies of helpers in one region


@dataclass(frozen=True, slots=True)
class Instance:
    """The body of a helper for the arguments of one call: `copies` declare its scalar parameters."""

    copies: tuple[Stmt, ...]
    items: tuple[Stmt, ...]


def inline_helpers(unit: TranslationUnit, identifiers: frozenset[str]) -> TranslationUnit:
    """`unit` with the helpers that hold loops inlined into its regions; `identifiers` of the file stay free."""
    summarised = {name for name, _ in unit.summaries}
    helpers = {f.name: f for f in unit.functions if f.name not in summarised and _has_one_exit(f)}
    regions = tuple(replace(r, body=_Inliner(helpers, r, identifiers).block(r.body, 0)) for r in unit.regions)
    return replace(unit, regions=regions)


def instantiate(function: Function, call: Call, taken: set[str]) -> Instance | None:
    """The body of `function` for the arguments of `call`, with locals renamed; None where an array has another shape.

    `taken` are the names in use; those given to the locals are added.
    """
    made = _Arguments(function, taken)
    for param, argument in zip(function.params, call.arguments, strict=False):
        if not made.bind(param, argument):
            return None
    locals_ = {}
    for node in walk(function.body):
        if isinstance(node, Declare):
            locals_[node.symbol.name] = node.symbol
        elif isinstance(node, For) and node.declares:
            locals_[node.iterator.name] = node.iterator
    return made.instance(locals_)


class _Arguments:
    """The meaning of the parameters of one call."""

    def __init__(self, function: Function, taken: set[str]) -> None:
        self._function, self._taken = function, taken
        self._values: dict[str, Expr] = {}
        self._symbols: dict[str, Symbol] = {}
        self._copies: list[Stmt] = []
        self._parts: set[str] = set()  # array parameters that may be less than what they are given
        self._written = written_names(function.body)

    def bind(self, param: Symbol, argument: Expr) -> bool:
        """Say what `param` stands for; False where the argument has another shape."""
        if isinstance(param.type, PointerType):
            if not isinstance(argument, AddressOf):
                return False
            self._values[param.name] = replace(argument, operand=self._evaluated_once(argument.operand))
            return True
        if isinstance(param.type, ArrayType):
            if not isinstance(argument, Name | Index | MemberOf) or not isinstance(argument.type, ArrayType):
                return False
            self._values[param.name] = self._evaluated_once(argument)
            if not self._same_rows(param.type, argument.type):
                self._parts.add(param.name)
            return self._same_rows(param.type.element, argument.type.element)
        if param.name not in self._written and _is_fixed(argument):
            self._values[param.name] = argument
        else:
            self._symbols[param.name] = self._copy(replace(param, is_const=False), argument)
        return True

    def instance(self, locals_: Mapping[str, Symbol]) -> Instance:
        for name, symbol in locals_.items():
            ctype = Renaming(self._symbols, self._values).type(symbol.type)
            self._symbols[name] = renamed(symbol, self._taken, ctype)
        renaming = _Instantiation(self._symbols, self._values, self._parts)
        return Instance(tuple(self._copies), tuple(renaming.node(item) for item in self._function.body.items))

    def _copy(self, symbol: Symbol, value: Expr) -> Symbol:
        local = renamed(symbol, self._taken)
        self._copies.append(Declare(local, value, value.span))
        return local

    def _evaluated_once(self, expr: Expr) -> Expr:
        """An argument with its subscripts evaluated once, before the body."""
        if isinstance(expr, MemberOf):
            return replace(expr, base=self._evaluated_once(expr.base))
        if not isinstance(expr, Index):
            return expr
        index = expr.index
        if not _is_fixed(index):
            symbol = Symbol("", "at", index.type, "local", index.span)
            index = Name(self._copy(symbol, index), index.type, index.span)
        return replace(expr, base=self._evaluated_once(expr.base), index=index)

    def _same_rows(self, wanted: CType, given: CType) -> bool:
        """Whether rows of the parameter and of the argument have the same extents."""
        if not isinstance(wanted, ArrayType):
            return not isinstance(given, ArrayType)
        if not isinstance(given, ArrayType) or wanted.extent is None or given.extent is None:
            return False
        extent = Renaming(self._symbols, self._values).node(wanted.extent)
        return same_expr(extent, given.extent) and self._same_rows(wanted.element, given.element)


class _Instantiation(Renaming):
    """The body of a helper with its parameters replaced; a kill of a part of an argument would be one of all of it."""

    def __init__(self, symbols: Mapping[str, Symbol], values: Mapping[str, Expr], parts: AbstractSet[str]) -> None:
        super().__init__(symbols, values)
        self._parts = parts

    def node(self, node: Any) -> Any:
        match node:
            case Kill(variable=Name(symbol=symbol)) if symbol.name in self._parts:
                return Block((), node.span)
        return super().node(node)


def _is_fixed(expr: Expr) -> bool:
    """Whether an argument means the same in the whole body: constants, iterators, parameters."""
    if isinstance(expr, Cast):
        return expr.implicit and _is_fixed(expr.operand)
    if isinstance(expr, Unary):
        return _is_fixed(expr.operand)
    return isinstance(expr, IntLiteral) or (
        isinstance(expr, Name) and expr.symbol.kind in ("iterator", "param") and not isinstance(expr.type, ArrayType)
    )


def same_expr(left: Expr, right: Expr) -> bool:
    """Whether two expressions are the same but for where they stand and for implicit conversions."""
    return print_expr(left) == print_expr(right)


def _goes_through_rows(function: Function) -> bool:
    """Whether a helper does no more than go through arrays that it is given, which other points may be given too.

    `dot(p, a[i], b[j])`, `distance(d, x[i], c[j])`: what they read is shared by the points of a row or of a column.
    """
    if not any(isinstance(param.type, ArrayType) for param in function.params):
        return False
    return not any(
        isinstance(node, While | Jump) or (isinstance(node, Declare) and isinstance(node.symbol.type, ArrayType))
        for node in walk(function.body)
    )


def _has_one_exit(function: Function) -> bool:
    """Whether the only `return` of a helper is its last statement."""
    last = function.body.items[-1] if function.body.items else None
    return all(node is last for node in walk(function.body) if isinstance(node, Return))


class _Inliner:
    """Walks the statements of one region."""

    def __init__(self, helpers: Mapping[str, Function], region: Region, identifiers: frozenset[str]) -> None:
        self._helpers = helpers
        self._looping: dict[str, tuple[bool, bool]] = {}
        self._nested: dict[str, int] = {}
        self._made = 0
        self._taken = {*identifiers, *names_of_region(region)}

    def block(self, block: Block, depth: int) -> Block:
        """`block` inside `depth` loops."""
        return replace(block, items=tuple(s for item in block.items for s in self._statement(item, depth)))

    def _body(self, stmt: Stmt, depth: int) -> Stmt:
        made = self._statement(stmt, depth)
        return made[0] if len(made) == 1 else Block(made, stmt.span)

    def _statement(self, stmt: Stmt, depth: int) -> tuple[Stmt, ...]:
        match stmt:
            case Block():
                return (self.block(stmt, depth),)
            case For():
                return (replace(stmt, body=self._body(stmt.body, depth + 1)),)
            case If():
                return self._conditional(stmt, depth)
            case CallStmt():
                return self._call(stmt.call, depth) or (stmt,)
            case Declare() if stmt.init is not None:
                return self._with_calls(stmt, "init", depth)
            case Assign():
                return self._with_calls(stmt, "value", depth)
            case ReductionUpdate():
                return self._with_calls(stmt, "element", depth)
            case Return() if stmt.value is not None:
                return self._with_calls(stmt, "value", depth)
        return (stmt,)

    def _conditional(self, stmt: If, depth: int) -> tuple[Stmt, ...]:
        otherwise = None if stmt.otherwise is None else self._body(stmt.otherwise, depth)
        made = replace(stmt, then=self._body(stmt.then, depth), otherwise=otherwise)
        return self._with_calls(made, "condition", depth)

    def _call(self, call: Call, depth: int) -> tuple[Stmt, ...]:
        """The body of the helper in place of a call for its effect; nothing where the call stays."""
        function = self._helpers.get(call.function)
        if function is None or not any(self._holds(function)) or depth + self._loops_in(function) > MAX_LOOPS:
            return ()
        made = self._instance(function, call)
        if made is None:
            return ()
        items = made.items[:-1] if made.items and isinstance(made.items[-1], Return) else made.items
        return (self.block(Block((*made.copies, *items), call.span), depth),)

    def _instance(self, function: Function, call: Call) -> Instance | None:
        """The body for one call; raises SourceErrors where helpers that call each other twice make endlessly many."""
        self._made += 1
        if self._made > MAX_INSTANCES:
            message = f"more than {MAX_INSTANCES} calls of helpers with loops stand for their bodies in one region"
            raise SourceErrors([Diagnostic(Severity.ERROR, "PC0006", message, call.span)])
        return instantiate(function, call, self._taken)

    def _with_calls(self, stmt: Any, field: str, depth: int) -> tuple[Stmt, ...]:
        """`stmt` behind the bodies of the helpers that its expression `field` calls."""
        before: list[Stmt] = []
        value = self._hoisted(getattr(stmt, field), before, depth)
        if before and isinstance(stmt, Declare) and isinstance(value, Name):
            # `float t = total(n, a);`: the result is `t` itself.
            naming = Renaming({value.symbol.name: stmt.symbol}, {})
            return tuple(naming.node(item) for item in before)
        return (*before, replace(stmt, **{field: value}) if before else stmt)

    def _hoisted(self, expr: Expr, before: list[Stmt], depth: int) -> Expr:
        """`expr` with the calls that are evaluated whenever it is replaced by their results."""
        match expr:
            case Call():
                expr = replace(expr, arguments=tuple(self._hoisted(a, before, depth) for a in expr.arguments))
                return self._result(expr, before, depth)
            case Cast() | Unary():
                return replace(expr, operand=self._hoisted(expr.operand, before, depth))
            case Binary():
                left = self._hoisted(expr.left, before, depth)
                right = expr.right if expr.op in ("&&", "||") else self._hoisted(expr.right, before, depth)
                return replace(expr, left=left, right=right)
            case Ternary():
                return replace(expr, condition=self._hoisted(expr.condition, before, depth))
        return expr

    def _result(self, call: Call, before: list[Stmt], depth: int) -> Expr:
        function = self._helpers.get(call.function)
        if function is None or not function.body.items or not isinstance(function.body.items[-1], Return):
            return call
        loops, reduces = self._holds(function)
        is_inlined = reduces or (loops and (depth == 0 or _goes_through_rows(function)))
        if not is_inlined or depth + self._loops_in(function) > MAX_LOOPS:
            return call
        made = self._instance(function, call)
        if made is None:
            return call
        last = made.items[-1]
        assert isinstance(last, Return) and last.value is not None
        name = fresh_name(f"{function.name}_result", self._taken)
        symbol = Symbol(name, name, function.returns, "local", call.span)
        result = Name(symbol, symbol.type, call.span)
        items = (*made.copies, *made.items[:-1], Assign(result, last.value, last.span))
        before += [Declare(symbol, None, call.span), self.block(Block(items, call.span), depth)]
        return result

    def _holds(self, function: Function) -> tuple[bool, bool]:
        """Whether the helper, or one that it calls, holds a loop, and whether it holds a reduction."""
        if function.name not in self._looping:
            nodes = list(walk(function.body))
            loops = any(isinstance(n, For) for n in nodes)
            reduces = any(isinstance(n, ReductionInit | ReductionUpdate) for n in nodes)
            inner = [self._helpers[n.function] for n in nodes if isinstance(n, Call) and n.function in self._helpers]
            below = [self._holds(f) for f in inner]
            self._looping[function.name] = (loops or any(a for a, _ in below), reduces or any(b for _, b in below))
        return self._looping[function.name]

    def _loops_in(self, function: Function) -> int:
        """How many loops are in each other in the helper and what it calls."""
        if function.name not in self._nested:
            self._nested[function.name] = self._nesting(function.body)
        return self._nested[function.name]

    def _nesting(self, node: Node) -> int:
        called = self._helpers.get(node.function) if isinstance(node, Call) else None
        inside = [self._nesting(child) for child in children(node)]
        return max([0 if called is None else self._loops_in(called), *inside]) + isinstance(node, For)
