"""Typed statements as CUDA C++ lines: helper functions, operators, and bodies that stay sequential."""

from __future__ import annotations

from pencilc.codegen.cexpr import Bindings, compared, declarator, expression, is_pinned, is_zero, stored, type_text
from pencilc.codegen.names import safe
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir import source as src
from pencilc.ir.source import INT, ArrayType, PointerType, Struct

_INDENT = "    "
_FEW = 4


def statement(stmt: src.Stmt, bindings: Bindings, depth: int = 0) -> list[str]:  # noqa: C901  (one case a kind)
    """The lines of `stmt`, indented by `depth` levels."""
    pad = _INDENT * depth
    match stmt:
        case src.Block():
            return [line for item in stmt.items for line in statement(item, bindings, depth)]
        case src.Declare():
            return [pad + line for line in _declare(stmt, bindings)]
        case src.Assign():
            return [pad + line for line in assign(stmt, bindings)]
        case src.CallStmt():
            return [f"{pad}{expression(stmt.call, bindings)};"]
        case src.If():
            return _if(stmt, bindings, depth)
        case src.For():
            return _for(stmt, bindings, depth)
        case src.While():
            return _while(stmt, bindings, depth)
        case src.Jump():
            return [f"{pad}{stmt.keyword};"]
        case src.Return():
            return [f"{pad}return {expression(stmt.value, bindings)};" if stmt.value else f"{pad}return;"]
        case src.ReductionInit() if stmt.function == src.KEEP:
            return []
        case src.ReductionInit():
            return [f"{pad}{safe(stmt.function)}(&{expression(stmt.variable, bindings)});"]
        case src.ReductionUpdate():
            target, element = expression(stmt.variable, bindings), expression(stmt.element, bindings)
            return [f"{pad}{target} = {safe(stmt.operator)}({target}, {element});"]
        case src.Assume() | src.Kill():
            return []
    raise CompilerBug(f"no C++ for {type(stmt).__name__}")


def _declare(stmt: src.Declare, bindings: Bindings) -> list[str]:
    symbol = stmt.symbol
    if symbol.name in bindings.arrays or symbol.name in bindings.values:
        # The variable has a place of its own; only its initialisation is left to do.
        name = src.Name(symbol, symbol.type, symbol.span)
        return assign(src.Assign(name, stmt.init, stmt.span), bindings) if stmt.init is not None else []
    text = declarator(symbol.type, safe(symbol.name), bindings)
    if stmt.init is None:
        return [f"{text};"]
    value = stored(stmt.init, bindings)
    if isinstance(stmt.init, src.Initializer) and isinstance(symbol.type, Struct):
        value = value.removeprefix(type_text(symbol.type))
    return [f"{text} = {value};"]


def assign(stmt: src.Assign, bindings: Bindings) -> list[str]:
    """`target = value;`, or `target op= value;` where the source wrote it so; several lines for an array."""
    if isinstance(stmt.target.type, ArrayType) and isinstance(stmt.value, src.Initializer):
        return _fill(stmt.target, stmt.value, bindings)
    target = expression(stmt.target, bindings)
    if stmt.compound:
        value = stmt.value
        while isinstance(value, src.Cast):
            value = value.operand
        if isinstance(value, src.Binary) and value.op == stmt.compound and not is_pinned(value, bindings):
            return [f"{target} {stmt.compound}= {expression(value.right, bindings)};"]
    return [f"{target} = {stored(stmt.value, bindings)};"]


def _fill(target: src.Expr, value: src.Initializer, bindings: Bindings) -> list[str]:
    """The elements of an array one by one; a run of zeros at the end is a loop."""
    assert isinstance(target.type, ArrayType)
    element = target.type.element
    zeros = len(value.values)
    while zeros and is_zero(value.values[zeros - 1]):
        zeros -= 1
    if isinstance(element, ArrayType) or len(value.values) - zeros <= _FEW:
        zeros = len(value.values)
    lines: list[str] = []
    for k, each in enumerate(value.values[:zeros]):
        at = src.Index(target, src.IntLiteral(k, INT, target.span), element, target.span)
        lines += assign(src.Assign(at, each, each.span), bindings)
    if zeros < len(value.values):
        counter = src.Symbol("@at", "at", INT, "iterator", target.span)
        at = src.Index(target, src.Name(counter, INT, target.span), element, target.span)
        count = len(value.values)
        lines.append(f"for (int @at = {zeros}; @at < {count}; @at++) {{")
        lines += [_INDENT + line for line in assign(src.Assign(at, value.values[-1], target.span), bindings)]
        lines.append("}")
    return lines


def _if(stmt: src.If, bindings: Bindings, depth: int) -> list[str]:
    pad = _INDENT * depth
    lines = [f"{pad}if ({expression(stmt.condition, bindings)}) {{", *statement(stmt.then, bindings, depth + 1)]
    if stmt.otherwise is not None:
        lines += [f"{pad}}} else {{", *statement(stmt.otherwise, bindings, depth + 1)]
    return [*lines, f"{pad}}}"]


def _for(stmt: src.For, bindings: Bindings, depth: int) -> list[str]:
    pad, name = _INDENT * depth, safe(stmt.iterator.name)
    name = bindings.values.get(stmt.iterator.name, name)
    kind = f"{type_text(stmt.iterator.type)} " if stmt.declares else ""
    # `u += -2` of an unsigned counter is a conversion that nvcc warns of.
    by = f"{name} += {stmt.step}" if stmt.step > 0 else f"{name} -= {-stmt.step}"
    step = {1: f"{name}++", -1: f"{name}--"}.get(stmt.step, by)
    goes_on = f"{name} {stmt.relation} {compared(stmt.bound, bindings)}"
    head = f"{kind}{name} = {expression(stmt.lower, bindings)}; {goes_on}"
    return [f"{pad}for ({head}; {step}) {{", *statement(stmt.body, bindings, depth + 1), f"{pad}}}"]


def _while(stmt: src.While, bindings: Bindings, depth: int) -> list[str]:
    pad, condition = _INDENT * depth, expression(stmt.condition, bindings)
    body = statement(stmt.body, bindings, depth + 1)
    if stmt.do_first:
        return [f"{pad}do {{", *body, f"{pad}}} while ({condition});"]
    return [f"{pad}while ({condition}) {{", *body, f"{pad}}}"]


def function(definition: src.Function, pinned: bool = False, for_host: bool = False) -> list[str]:
    """A helper, operator or init function as a device function; `pinned` as in `Bindings`.

    Its array parameters are plain pointers with linearised subscripts.  `for_host`: the host runs it too; nothing is
    pinned there.
    """
    values = {p.name: safe(p.name) for p in definition.params if not isinstance(p.type, ArrayType)}
    from pencilc.codegen.cexpr import LinearArray

    arrays = {p.name: LinearArray(safe(p.name)) for p in definition.params if isinstance(p.type, ArrayType)}
    params = ", ".join(parameter(p) for p in definition.params)
    returns = type_text(definition.returns)
    gap = "" if returns.endswith("*") else " "
    name = safe(definition.name)
    qualifiers = "static __device__ __forceinline__"
    if for_host:
        qualifiers = (
            'extern "C" __host__ __device__' if definition.is_exported else "static __host__ __device__ __forceinline__"
        )
    head = f"{qualifiers} {returns}{gap}{name}({params})"
    body = statement(definition.body, Bindings(values, arrays, pinned=pinned), 1)
    if for_host and pinned:
        plain = statement(definition.body, Bindings(values, arrays), 1)
        body = body if body == plain else ["#ifdef __CUDA_ARCH__", *body, "#else", *plain, "#endif"]
    link_name = definition.link_name or definition.name
    declared = [f'{head} __asm__("{link_name}");'] if definition.is_exported and name != link_name else []
    return [*declared, head, "{", *body, "}"]


def parameter(symbol: src.Symbol, name: str | None = None, qualifiers: str = "") -> str:
    """The declaration of a parameter: arrays become pointers to their innermost element."""
    ctype = symbol.type
    text = name or safe(symbol.name)
    if isinstance(ctype, ArrayType):
        const = "const " if symbol.is_const or ctype.is_const else ""
        return f"{const}{type_text(ctype)} *{qualifiers}{text}"
    if isinstance(ctype, PointerType):
        return f"{type_text(ctype)}{text}"
    return f"{type_text(ctype)} {text}"
