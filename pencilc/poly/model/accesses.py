"""Which variables a piece of source touches, before any isl: lvalues, reads, writes, calls.

An lvalue is a variable with its subscripts and member path: `z[i].v[k]` is (z, [i, k], ('v',)).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from pencilc.diagnostics.source import Span
from pencilc.ir.scop import AccessKind
from pencilc.ir.source import (
    KEEP,
    AddressOf,
    ArrayType,
    Assign,
    Binary,
    Call,
    CallStmt,
    CType,
    Declare,
    Dereference,
    Expr,
    For,
    Function,
    If,
    Index,
    Kill,
    MemberOf,
    Name,
    Node,
    PointerType,
    ReductionInit,
    ReductionUpdate,
    Struct,
    Symbol,
    Ternary,
    While,
    children,
    element_type,
    extents,
    walk,
)
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Lvalue:
    """A variable, element or member: `subscripts` may be fewer than the dimensions (a whole row)."""

    symbol: Symbol
    subscripts: tuple[Expr, ...]
    path: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Under:
    """A condition in an expression that decides about a part of it: that is evaluated where it `holds`, or does not."""

    condition: Expr
    holds: bool


@dataclass(frozen=True, slots=True)
class Touch:
    """One access of an lvalue; `of_reduction` where it is the variable of a reduction builtin.

    `call` is the call that makes the access, if one does: what is known of it is in `poly/model/calls.py`.  `is_sure`
    unless a condition inside the statement (`c ? x : y`, `c && x`) decides whether it happens; `under`: those of the
    expression, the outermost first.
    """

    lvalue: Lvalue
    kind: AccessKind
    of_reduction: bool = False
    call: Call | None = None
    is_sure: bool = True
    under: tuple[Under, ...] = ()


def lvalue_of(expr: Expr) -> Lvalue | None:
    """What an lvalue names; None for an expression that is no lvalue of a variable."""
    subscripts: list[Expr] = []
    path: list[str] = []
    at = expr
    while isinstance(at, Index | MemberOf):
        if isinstance(at, Index):
            subscripts.insert(0, at.index)
        else:
            path.insert(0, at.member)
        at = at.base
    if not isinstance(at, Name):
        return None
    return Lvalue(at.symbol, tuple(subscripts), tuple(path), expr.span)


def shape(ctype: CType, path: tuple[str, ...]) -> tuple[tuple[Expr | None, ...], CType]:
    """All extents from the variable down to member `path`, and the type of the element there."""
    sizes = extents(ctype)
    at = element_type(ctype)
    for name in path:
        if not isinstance(at, Struct):
            break
        member = at.member(name).type
        sizes += extents(member)
        at = element_type(member)
    return sizes, at


@dataclass(frozen=True, slots=True)
class Effect:
    """What a helper does with the target of one of its array or pointer parameters."""

    reads: bool
    writes: bool


# What the builtins of summary functions do with their argument, in a summary.
_BUILTINS = {"__pencil_use": Effect(True, False), "__pencil_def": Effect(False, True)}


class Effects:
    """The effects of helper functions, derived on demand from their bodies, or from their summaries.

    `summaries` maps functions to their summary functions.
    """

    def __init__(self, functions: Mapping[str, Function], summaries: Mapping[str, str] | None = None) -> None:
        self._functions = functions
        self._summaries = summaries or {}
        self._known: dict[str, dict[str, Effect]] = {}

    def description(self, name: str) -> Function | None:
        """The function whose body says what a call of `name` touches."""
        return self._functions.get(self._summaries.get(name, name))

    def of(self, name: str, position: int) -> Effect:
        """The effect on argument `position` of a call of `name`; without a body anything may happen."""
        if name in _BUILTINS:
            return _BUILTINS[name]
        function = self.description(name)
        if function is None or position >= len(function.params):
            return Effect(True, True)
        if name not in self._known:
            self._known[name] = {}  # a recursive call, an error elsewhere, ends here
            self._known[name] = self._derive(function)
        return self._known[name].get(function.params[position].name, Effect(False, False))

    def _derive(self, function: Function) -> dict[str, Effect]:
        params = {p.name for p in function.params}
        found: dict[str, Effect] = {}
        for touch in touches(function.body, self):
            name = touch.lvalue.symbol.name
            if name in params:
                old = found.get(name, Effect(False, False))
                reads = touch.kind in (AccessKind.READ, AccessKind.UPDATE)
                writes = touch.kind not in (AccessKind.READ, AccessKind.KILL)
                found[name] = Effect(old.reads or reads, old.writes or writes)
        return found


def touches(node: Node, effects: Effects) -> Iterator[Touch]:
    """Every access in `node` and below, in textual order, reads of an assignment before its write."""
    if isinstance(node, Assign):
        yield from touches(node.value, effects)
        yield from _target(node.target, AccessKind.MUST_WRITE, effects)
    elif isinstance(node, Declare):
        if node.init is not None:
            yield from touches(node.init, effects)
            yield Touch(Lvalue(node.symbol, (), (), node.span), AccessKind.MUST_WRITE)
    elif isinstance(node, ReductionInit):
        if node.function == KEEP:
            yield from _target(node.variable, AccessKind.READ, effects, of_reduction=True)
        yield from _target(node.variable, AccessKind.MUST_WRITE, effects, of_reduction=True)
    elif isinstance(node, ReductionUpdate):
        yield from touches(node.element, effects)
        yield from _target(node.variable, AccessKind.UPDATE, effects, of_reduction=True)
    elif isinstance(node, Kill):
        yield from _target(node.variable, AccessKind.KILL, effects)
    elif isinstance(node, CallStmt):
        yield from touches(node.call, effects)
    elif isinstance(node, Call):
        yield from _call(node, effects)
    elif isinstance(node, Name | Index | MemberOf):
        yield from _read(node, effects)
    else:
        yield from _of_children(node, effects)


def _of_children(node: Node, effects: Effects) -> Iterator[Touch]:
    """The accesses in the children of a node, which conditions may decide about."""
    sure = _SURE.get(type(node), 1 if isinstance(node, Binary) and node.op in ("&&", "||") else None)
    for position, child in enumerate(children(node)):
        found = touches(child, effects)
        if sure is None or position < sure:
            yield from found
            continue
        under = _under(node, position)
        for touch in found:
            yield replace(touch, is_sure=False, under=(*under, *touch.under))


# How many of a node's children, of those where conditions decide about the others, are executed whenever it is.
_SURE: dict[type, int] = {Ternary: 1, If: 1, For: 2, While: 1}


def _under(node: Node, position: int) -> tuple[Under, ...]:
    """The condition under which a child of a node is evaluated, of those that are not always."""
    match node:
        case Ternary(condition=condition):
            return (Under(condition, position == 1),)
        case Binary(op="&&" | "||", left=left):
            return (Under(left, node.op == "&&"),)
    return ()


def _read(node: Name | Index | MemberOf, effects: Effects) -> Iterator[Touch]:
    lvalue = lvalue_of(node)
    if lvalue is None:
        for child in children(node):
            yield from touches(child, effects)
        return
    for subscript in lvalue.subscripts:
        yield from touches(subscript, effects)
    yield Touch(lvalue, AccessKind.READ)


def _target(expr: Expr, kind: AccessKind, effects: Effects, of_reduction: bool = False) -> Iterator[Touch]:
    """The write of an lvalue, after the reads of its subscripts."""
    if isinstance(expr, AddressOf):
        expr = expr.operand
    if isinstance(expr, Dereference) and isinstance(expr.operand, Name):
        yield Touch(Lvalue(expr.operand.symbol, (), (), expr.span), kind, of_reduction)
        return
    lvalue = lvalue_of(expr)
    if lvalue is None:
        for child in children(expr):
            yield from touches(child, effects)
        target = _pointer_of(expr)
        if target is not None:
            may = AccessKind.MAY_WRITE if kind is AccessKind.MUST_WRITE else kind
            yield Touch(Lvalue(target, (), (), expr.span), may, of_reduction)
        return
    for subscript in lvalue.subscripts:
        yield from touches(subscript, effects)
    yield Touch(lvalue, kind, of_reduction)


def _pointer_of(expr: Expr) -> Symbol | None:
    """The pointer through which `p->x` and `p->v[i]` go: a part of what it points to."""
    while isinstance(expr, Index | MemberOf):
        expr = expr.base
    if isinstance(expr, Dereference) and isinstance(expr.operand, Name):
        return expr.operand.symbol
    return None


def _call(node: Call, effects: Effects) -> Iterator[Touch]:
    for position, argument in enumerate(node.arguments):
        by_reference = isinstance(argument, AddressOf) or isinstance(argument.type, ArrayType | PointerType)
        lvalue = lvalue_of(argument.operand if isinstance(argument, AddressOf) else argument)
        by_reference = by_reference or (lvalue is not None and node.function in _BUILTINS)
        if not by_reference or lvalue is None:
            yield from touches(argument, effects)
            continue
        for subscript in lvalue.subscripts:
            yield from touches(subscript, effects)
        effect = effects.of(node.function, position)
        if effect.reads:
            yield Touch(lvalue, AccessKind.READ, call=node)
        if effect.writes:
            yield Touch(lvalue, AccessKind.MAY_WRITE, call=node)


def declared_in(node: Node) -> set[str]:
    """Names of the variables that `node` declares, loop iterators included."""
    names: set[str] = set()
    for item in walk(node):
        if isinstance(item, Declare):
            names.add(item.symbol.name)
        elif isinstance(item, For):
            names.add(item.iterator.name)
    return names


def contains(node: Node, kinds: tuple[type, ...], into: Callable[[Node], bool] = lambda _: True) -> bool:
    """Whether a node of one of `kinds` stands in `node`; `into` tells which nodes are entered."""
    if isinstance(node, kinds):
        return True
    return any(into(child) and contains(child, kinds, into) for child in children(node))
