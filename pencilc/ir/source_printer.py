"""C text of the typed AST: for prototypes in the host file, dumps and messages.

Implicit conversions are left out, so that the text reads as the source does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pencilc.ir.rewrite import replaced
from pencilc.ir.source import (
    AddressOf,
    ArrayType,
    Assign,
    Assume,
    Binary,
    Block,
    Call,
    CallStmt,
    Cast,
    CType,
    Declare,
    Dereference,
    Expr,
    FloatLiteral,
    For,
    If,
    Index,
    Initializer,
    IntLiteral,
    Jump,
    Kill,
    MemberOf,
    Name,
    PointerType,
    ReductionInit,
    ReductionUpdate,
    Return,
    Stmt,
    StringLiteral,
    Symbol,
    Ternary,
    TranslationUnit,
    Unary,
    While,
)  # fmt: skip

_LEVEL = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7, "<<": 8, ">>": 8,
    "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_UNARY = 11
_SUFFIX = {"unsigned int": "U", "long": "L", "unsigned long": "UL", "long long": "LL", "unsigned long long": "ULL"}


def print_expr(expr: Expr, level: int = 0) -> str:
    """C text of an expression, in parentheses if it binds less tightly than `level`."""
    if isinstance(expr, Cast) and expr.implicit:
        return print_expr(expr.operand, level)
    text, own = _expr(expr)
    return f"({text})" if own < level else text


def spelled(expr: Expr) -> str:
    """C text of an expression with the names that the source has, for messages: `s`, where the symbol is `s_1`."""
    return print_expr(
        replaced(expr, lambda n: replace(n, symbol=_as_written(n.symbol)) if isinstance(n, Name) else None)
    )


def _as_written(symbol: Symbol) -> Symbol:
    return replace(symbol, name=symbol.spelling)


def _expr(expr: Expr) -> tuple[str, int]:
    if isinstance(expr, IntLiteral):
        return f"{expr.value}{_SUFFIX.get(getattr(expr.type, 'name', ''), '')}", 12 if expr.value >= 0 else _UNARY
    if isinstance(expr, FloatLiteral | StringLiteral):
        return expr.text, 12
    if isinstance(expr, Name):
        return expr.symbol.name, 12
    if isinstance(expr, Unary | AddressOf | Dereference | Cast):
        return _prefix(expr), _UNARY
    if isinstance(expr, Binary):
        own = _LEVEL[expr.op]
        return f"{print_expr(expr.left, own)} {expr.op} {print_expr(expr.right, own + 1)}", own
    if isinstance(expr, Ternary):
        then, otherwise = print_expr(expr.then), print_expr(expr.otherwise)
        return f"{print_expr(expr.condition, 1)} ? {then} : {otherwise}", 0
    if isinstance(expr, Index):
        return f"{print_expr(expr.base, 12)}[{print_expr(expr.index)}]", 12
    if isinstance(expr, MemberOf):
        return f"{print_expr(expr.base, 12)}.{expr.member}", 12
    if isinstance(expr, Call):
        return f"{expr.function}({', '.join(print_expr(a) for a in expr.arguments)})", 12
    values = ", ".join(_initial(v) for v in expr.values)
    return f"({print_type(expr.type)}){{{values}}}", 12


def _prefix(expr: Unary | AddressOf | Dereference | Cast) -> str:
    operand = expr.operand
    inner = print_expr(operand, _UNARY)
    if isinstance(expr, Cast):
        return f"({print_type(expr.type)}){inner}"
    op = "&" if isinstance(expr, AddressOf) else "*" if isinstance(expr, Dereference) else expr.op
    while isinstance(operand, Cast) and operand.implicit:
        operand = operand.operand
    again = type(operand) is type(expr) and (not isinstance(operand, Unary) or operand.op == op)
    negative = op == "-" and isinstance(operand, IntLiteral) and operand.value < 0
    return f"{op} {inner}" if again or negative else f"{op}{inner}"


def _initial(value: Expr) -> str:
    if isinstance(value, Initializer):
        return "{" + ", ".join(_initial(v) for v in value.values) + "}"
    return print_expr(value)


def print_type(ctype: CType) -> str:
    """C text of a type without declarator."""
    return print_declarator(ctype, "").strip()


def print_declarator(ctype: CType, name: str, is_const: bool = False) -> str:
    """`const float a[n][4]`: the declaration of `name` with type `ctype`."""
    brackets = ""
    while isinstance(ctype, ArrayType):
        is_const |= ctype.is_const
        brackets += f"[{'' if ctype.extent is None else print_expr(ctype.extent)}]"
        ctype = ctype.element
    prefix = "const " if is_const or (isinstance(ctype, PointerType) and ctype.is_const) else ""
    if isinstance(ctype, PointerType):
        return f"{prefix}{print_type(ctype.target)} *{name}{brackets}"
    return f"{prefix}{ctype.name} {name}{brackets}"


def print_prototype(returns: CType, name: str, params: Iterable[Symbol]) -> str:
    """`float f(int n, const float a[n])`: the declaration of a function, without `;`."""
    declared = ", ".join(print_declarator(each.type, each.name, each.is_const) for each in params)
    return f"{print_declarator(returns, name)}({declared or 'void'})"


def print_stmt(stmt: Stmt, indent: int = 0) -> str:
    """C text of a statement, with its line ends."""
    pad = "    " * indent
    if isinstance(stmt, Block):
        return pad + "{\n" + "".join(print_stmt(s, indent + 1) for s in stmt.items) + pad + "}\n"
    if isinstance(stmt, If):
        text = f"{pad}if ({print_expr(stmt.condition)})\n{_nested(stmt.then, indent)}"
        return text + (f"{pad}else\n{_nested(stmt.otherwise, indent)}" if stmt.otherwise is not None else "")
    if isinstance(stmt, For):
        return _for(stmt, indent)
    if isinstance(stmt, While):
        condition = print_expr(stmt.condition)
        if stmt.do_first:
            return f"{pad}do\n{_nested(stmt.body, indent)}{pad}while ({condition});\n"
        return f"{pad}while ({condition})\n{_nested(stmt.body, indent)}"
    return f"{pad}{_simple(stmt)};\n"


def _nested(stmt: Stmt, indent: int) -> str:
    return print_stmt(stmt, indent if isinstance(stmt, Block) else indent + 1)


def _for(loop: For, indent: int) -> str:
    pad, name = "    " * indent, loop.iterator.name
    pragma = f"{pad}#pragma pencil" + " independent" * loop.independent if loop.independent or loop.reductions else ""
    for clause in loop.reductions:
        pragma += f" reduction({clause.operator}: {', '.join(print_expr(v) for v in clause.variables)})"
    start = f"{print_declarator(loop.iterator.type, name) if loop.declares else name} = {print_expr(loop.lower)}"
    step = f"{name}++" if loop.step == 1 else f"{name}--" if loop.step == -1 else f"{name} += {loop.step}"
    if (by := loop.factor) is not None:
        step = f"{name} = ({by.times} * {name} + {by.more}) / {by.by}"
    head = f"{pad}for ({start}; {name} {loop.relation} {print_expr(loop.bound, _LEVEL[loop.relation] + 1)}; {step})\n"
    return (pragma + "\n" if pragma else "") + head + _nested(loop.body, indent)


def _simple(stmt: Stmt) -> str:
    if isinstance(stmt, Declare):
        symbol = stmt.symbol
        text = print_declarator(symbol.type, symbol.name, symbol.is_const)
        return text if stmt.init is None else f"{text} = {_initial(stmt.init)}"
    if isinstance(stmt, Assign):
        return f"{print_expr(stmt.target)} = {print_expr(stmt.value)}"
    if isinstance(stmt, CallStmt):
        return print_expr(stmt.call)
    if isinstance(stmt, Jump):
        return stmt.keyword
    if isinstance(stmt, Return):
        return "return" if stmt.value is None else f"return {print_expr(stmt.value)}"
    if isinstance(stmt, ReductionInit):
        return f"__pencil_reduction_var_init(&{print_expr(stmt.variable, _UNARY)}, {stmt.function})"
    if isinstance(stmt, ReductionUpdate):
        variable = print_expr(stmt.variable, _UNARY)
        return f"__pencil_reduction(&{variable}, {print_expr(stmt.element)}, {stmt.operator})"
    if isinstance(stmt, Assume):
        return f"__pencil_assume({print_expr(stmt.condition)})"
    assert isinstance(stmt, Kill)
    return f"__pencil_kill({print_expr(stmt.variable)})"


def dump_unit(unit: TranslationUnit) -> str:
    """The typed AST of a file as C text: structs, constant globals, functions, regions."""
    lines = []
    for struct in unit.structs:
        members = " ".join(f"{print_declarator(m.type, m.name)};" for m in struct.members)
        lines.append(f"struct {struct.name} {{ {members} }};  // {struct.size} bytes")
    lines += [print_stmt(declaration).rstrip() for declaration in unit.globals]
    for function in unit.functions:
        declared = print_prototype(function.returns, function.name, function.params)
        lines += ["", declared, print_stmt(function.body).rstrip()]
    for region in unit.regions:
        declared = region.prototype.of(region.name)
        lines += ["", f"// region {region.name} at {region.span}", declared, print_stmt(region.body).rstrip()]
    return "\n".join(lines).lstrip("\n") + "\n"
