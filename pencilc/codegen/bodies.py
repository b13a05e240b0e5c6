"""Statements of the source as those of a kernel or of a function: names, conversions and subscripts as C++ has them."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from pencilc.codegen.lowering import Bindings, LinearArray, is_pinned, is_zero, lowered, stored
from pencilc.codegen.names import safe
from pencilc.codegen.unread import without_unread
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import UNKNOWN_SPAN, Span
from pencilc.ir import source as src
from pencilc.ir.build import address, call, evaluate, number, symbol, variable
from pencilc.ir.definitions import DeviceFunction
from pencilc.ir.nodes import For, If, Node, Parameter, WhileLoop
from pencilc.ir.queries import counters_in, declared_in
from pencilc.ir.rewrite import replaced
from pencilc.ir.source import INT, ArrayType, CType, PointerType, element_type

_FEW = 4


def statement(stmt: src.Stmt, bindings: Bindings) -> tuple[Node, ...]:  # noqa: C901  (one case a kind)
    """What `stmt` is in the output."""
    match stmt:
        case src.Block():
            return tuple(node for item in stmt.items for node in statement(item, bindings))
        case src.Declare():
            return _declare(stmt, bindings)
        case src.Assign():
            return assign(stmt, bindings)
        case src.CallStmt():
            made = lowered(stmt.call, bindings)
            assert isinstance(made, src.Call)
            return (src.CallStmt(made, stmt.span),)
        case src.If():
            otherwise = statement(stmt.otherwise, bindings) if stmt.otherwise is not None else ()
            return (If(lowered(stmt.condition, bindings), statement(stmt.then, bindings), otherwise),)
        case src.For():
            return (_for(stmt, bindings),)
        case src.While():
            return (WhileLoop(lowered(stmt.condition, bindings), statement(stmt.body, bindings), stmt.do_first),)
        case src.Jump():
            return (src.Jump(stmt.keyword, stmt.span),)
        case src.Return():
            value = lowered(stmt.value, bindings) if stmt.value is not None else None
            return (src.Return(value, stmt.span),)
        case src.ReductionInit() if stmt.function == src.KEEP:
            return ()
        case src.ReductionInit():
            return (located(evaluate(safe(stmt.function), address(lowered(stmt.variable, bindings))), stmt.span),)
        case src.ReductionUpdate():
            target, value = lowered(stmt.variable, bindings), lowered(stmt.element, bindings)
            return (located(set_to(target, call(safe(stmt.operator), target, value, returns=target.type)), stmt.span),)
        case src.Assume() | src.Kill():
            return ()
    raise CompilerBug(f"no C++ for {type(stmt).__name__}")


def set_to(target: src.Expr, value: src.Expr, compound: str = "") -> src.Assign:
    """`target = value;`, or `target op= value;`, where `value` is the right side alone."""
    return src.Assign(target, value, UNKNOWN_SPAN, compound)


_Placed = TypeVar("_Placed", src.Assign, src.CallStmt)


def located(node: _Placed, span: Span) -> _Placed:
    """`node` as what stands at `span` of the source."""
    return replace(node, span=span)


def placed(nodes: tuple[Node, ...], span: Span) -> tuple[Node, ...]:
    """`nodes` with the place `span` of the source for the statements that have none of their own."""
    found: list[Node] = []
    for node in nodes:
        match node:
            case src.Declare() | src.Assign() | src.CallStmt() | src.Jump() | src.Return():
                found.append(replace(node, span=span) if node.span == UNKNOWN_SPAN else node)
            case If():
                found.append(replace(node, then=placed(node.then, span), otherwise=placed(node.otherwise, span)))
            case For() | WhileLoop():
                found.append(replace(node, body=placed(node.body, span)))
            case _:
                found.append(node)
    return tuple(found)


def _declare(stmt: src.Declare, bindings: Bindings) -> tuple[Node, ...]:
    declared = stmt.symbol
    if declared.name in bindings.arrays or declared.name in bindings.values:
        # The variable has a place of its own; only its initialisation is left to do.
        name = src.Name(declared, declared.type, declared.span)
        return assign(src.Assign(name, stmt.init, stmt.span), bindings) if stmt.init is not None else ()
    init = None if stmt.init is None else stored(stmt.init, bindings)
    return (src.Declare(symbol(safe(declared.name), lowered_type(declared.type, bindings)), init, stmt.span),)


def lowered_type(ctype: CType, bindings: Bindings) -> CType:
    """A type whose extents are expressions of the output."""
    if not isinstance(ctype, ArrayType):
        return ctype
    extent = None if ctype.extent is None else lowered(ctype.extent, bindings)
    return replace(ctype, element=lowered_type(ctype.element, bindings), extent=extent)


def assign(stmt: src.Assign, bindings: Bindings) -> tuple[Node, ...]:
    """`target = value;`, or `target op= value;` where the source wrote it so; several statements for an array."""
    if isinstance(stmt.target.type, ArrayType) and isinstance(stmt.value, src.Initializer):
        return _fill(stmt.target, stmt.value, bindings)
    target = lowered(stmt.target, bindings)
    if stmt.compound:
        value = stmt.value
        while isinstance(value, src.Cast):
            value = value.operand
        if isinstance(value, src.Binary) and value.op == stmt.compound and not is_pinned(value, bindings):
            return (located(set_to(target, lowered(value.right, bindings), stmt.compound), stmt.span),)
    return (located(set_to(target, stored(stmt.value, bindings)), stmt.span),)


def _fill(target: src.Expr, value: src.Initializer, bindings: Bindings) -> tuple[Node, ...]:
    """The elements of an array one by one; a run of zeros at the end is a loop."""
    assert isinstance(target.type, ArrayType)
    inner = target.type.element
    zeros = len(value.values)
    while zeros and is_zero(value.values[zeros - 1]):
        zeros -= 1
    if isinstance(inner, ArrayType) or len(value.values) - zeros <= _FEW:
        zeros = len(value.values)
    found: list[Node] = []
    for k, each in enumerate(value.values[:zeros]):
        at = src.Index(target, src.IntLiteral(k, INT, target.span), inner, target.span)
        found += assign(src.Assign(at, each, each.span), bindings)
    if zeros < len(value.values):
        counter = symbol("@at")
        at = src.Index(target, src.Name(counter, INT, target.span), inner, target.span)
        body = assign(src.Assign(at, value.values[-1], target.span), bindings)
        found.append(For(counter, number(zeros), number(len(value.values)), body))
    return tuple(found)


def _for(stmt: src.For, bindings: Bindings) -> For:
    known = bindings.values.get(stmt.iterator.name)
    name = known.symbol.name if isinstance(known, src.Name) else safe(stmt.iterator.name)
    return For(
        symbol(name, stmt.iterator.type), lowered(stmt.lower, bindings), lowered(stmt.bound, bindings),
        statement(stmt.body, bindings), number(stmt.step), stmt.relation, stmt.declares,
    )  # fmt: skip


# ---- functions -------------------------------------------------------------------------------------


def function(definition: src.Function, pinned: bool = False, for_host: bool = False) -> DeviceFunction:
    """A helper, operator or init function as a device function; `pinned` as in `Bindings`.

    Its array parameters are plain pointers with linearised subscripts; variables that nothing reads are left out.
    `for_host`: the host runs it too; nothing is pinned there.
    """
    values: dict[str, src.Expr] = {
        p.name: variable(safe(p.name), p.type) for p in definition.params if not isinstance(p.type, ArrayType)
    }
    arrays = {p.name: LinearArray(safe(p.name)) for p in definition.params if isinstance(p.type, ArrayType)}
    body = without_unread(statement(definition.body, Bindings(values, arrays, pinned=pinned)))
    on_host: tuple[Node, ...] = ()
    if for_host and pinned:
        plain = without_unread(statement(definition.body, Bindings(values, arrays)))
        on_host = () if body == plain else plain
    name = safe(definition.name)
    link_name = definition.link_name or definition.name
    return DeviceFunction(
        name, definition.returns, tuple(parameter(p) for p in definition.params), body, for_host, on_host,
        definition.is_exported, link_name if definition.is_exported and name != link_name else "",
    )  # fmt: skip


def parameter(declared: src.Symbol, name: str | None = None) -> Parameter:
    """A parameter: arrays become pointers to their innermost element."""
    ctype, text = declared.type, name or safe(declared.name)
    if isinstance(ctype, ArrayType):
        return Parameter(text, PointerType(element_type(ctype)), declared.is_const or ctype.is_const)
    if isinstance(ctype, PointerType):
        return Parameter(text, replace(ctype, is_const=False), ctype.is_const)
    return Parameter(text, ctype)


def with_own_counters(body: src.Stmt) -> src.Stmt:
    """A statement whose loops declare their counters, which have no value outside of it."""
    outside = counters_in(body) - declared_in(body)

    def owned(node: src.Node) -> src.Node | None:
        if isinstance(node, src.For) and not node.declares and node.iterator.name in outside:
            return replace(node, declares=True, body=replaced(node.body, owned))
        return None

    return replaced(body, owned) if outside else body
