"""Expressions, types and declarations of generated code as C++ text.

Nothing is decided here but where parentheses stand: names, conversions and subscripts are settled before
(codegen/lowering.py).  `spell` gives the variables of building blocks their names (codegen/local_names.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Seq

from pencilc.codegen.names import Spelling, as_written, safe
from pencilc.ir.build import TRUTHS, GeneratedType
from pencilc.ir.header_names import HEADER_NAMES
from pencilc.ir.nodes import Parameter
from pencilc.ir.source import (
    AddressOf,
    ArrayType,
    Binary,
    Call,
    Cast,
    CType,
    Dereference,
    Expr,
    FloatLiteral,
    Index,
    Initializer,
    IntLiteral,
    MemberOf,
    Name,
    PointerType,
    Scalar,
    StringLiteral,
    Struct,
    Ternary,
    Unary,
    extents,
)

_PRECEDENCE = {
    "*": 13, "/": 13, "%": 13, "+": 12, "-": 12, "<<": 11, ">>": 11, "<": 10, "<=": 10, ">": 10, ">=": 10,
    "==": 9, "!=": 9, "&": 8, "^": 7, "|": 6, "&&": 5, "||": 4,
}  # fmt: skip
_UNARY, _POSTFIX, _TERNARY, _ATOM = 14, 15, 3, 16
_CONFUSING = {"&&", "||", "<<", ">>", "&", "^", "|"}
_CUDA_TYPES = {"_Bool": "bool", "pencil_half": "__half", "pencil_bfloat16": "__nv_bfloat16"}


# ---- types -----------------------------------------------------------------------------------------


def type_text(ctype: CType) -> str:
    """The C++ spelling of a type without array extents."""
    match ctype:
        case Scalar():
            return _CUDA_TYPES.get(ctype.name, ctype.name)
        case GeneratedType():
            return f"{ctype.name}{made_for(ctype.made_for)}"
        case Struct():
            if ctype.output_name:
                return ctype.output_name
            return f"{ctype.name}_" if ctype.name in HEADER_NAMES else safe(ctype.name)
        case PointerType():
            return f"{'const ' if ctype.is_const else ''}{type_text(ctype.target)} *"
        case ArrayType():
            return type_text(ctype.element)


def made_for(arguments: Seq[CType | int]) -> str:
    """`<float, 2>`: what a template is made for; nothing where it is none."""
    texts = [str(each) if isinstance(each, int) else type_text(each) for each in arguments]
    return f"<{', '.join(texts)}>" if texts else ""


def declarator(ctype: CType, name: str, spell: Spelling = as_written) -> str:
    """`int name[4][8]`: a declaration of `name`, without `;`."""
    dims = "".join(f"[{expression(e, spell)}]" for e in extents(ctype) if e is not None)
    base: CType = ctype
    while isinstance(base, ArrayType):
        base = base.element
    text = type_text(base)
    return f"{text}{'' if isinstance(base, PointerType) else ' '}{spell(name)}{dims}"


def parameter(declared: Parameter, spell: Spelling = as_written) -> str:
    """The declaration of a parameter."""
    name = spell(declared.name)
    const = "const " if declared.is_const else ""
    if isinstance(declared.type, PointerType):
        restrict = "__restrict__ " if declared.restrict else ""
        return f"{const}{type_text(declared.type)}{restrict}{name}"
    default = f" = {declared.default}" if declared.default else ""
    return f"{const}{type_text(declared.type)} {'&' if declared.reference else ''}{name}{default}"


# ---- expressions -----------------------------------------------------------------------------------


def expression(expr: Expr, spell: Spelling = as_written) -> str:
    """The text of `expr`, without outer parentheses."""
    return _print(expr, spell)[0]


def operand(expr: Expr, spell: Spelling = as_written) -> str:
    """The text of `expr`, in parentheses unless it is a primary expression."""
    return _text(expr, _POSTFIX, spell)


def compared(expr: Expr, spell: Spelling = as_written) -> str:
    """The text of `expr` as the right side of a comparison."""
    return _text(expr, _PRECEDENCE["<"] + 1, spell)


def _text(expr: Expr, context: int, spell: Spelling) -> str:
    """`expr`, in parentheses where it binds weaker than `context`."""
    text, strength = _print(expr, spell)
    return f"({text})" if strength < context else text


def _print(expr: Expr, spell: Spelling) -> tuple[str, int]:  # noqa: C901  (one case for each kind of expression)
    """The text of an expression and how strongly its outermost operator binds."""
    match expr:
        case Name():
            return spell(expr.symbol.name), _ATOM
        case IntLiteral():
            return _integer(expr)
        case Binary():
            strength = _PRECEDENCE[expr.op]
            left = _text(expr.left, _side(expr.op, expr.left, strength), spell)
            right = _text(expr.right, _side(expr.op, expr.right, strength + 1), spell)
            return f"{left} {expr.op} {right}", strength
        case Cast():
            return f"({type_text(expr.type)}){_text(expr.operand, _UNARY, spell)}", _UNARY
        case Index():
            return f"{_text(expr.base, _POSTFIX, spell)}[{expression(expr.index, spell)}]", _POSTFIX
        case MemberOf() if isinstance(expr.base, Dereference):
            return f"{_text(expr.base.operand, _POSTFIX, spell)}->{expr.member}", _POSTFIX
        case MemberOf():
            return f"{_text(expr.base, _POSTFIX, spell)}.{expr.member}", _POSTFIX
        case Call() if expr.function.startswith("."):
            base, *arguments = expr.arguments
            return f"{operand(base, spell)}{expr.function}({_list(arguments, spell)})", _POSTFIX
        case Call():
            return f"{spell(expr.function)}{made_for(expr.made_for)}({_list(expr.arguments, spell)})", _POSTFIX
        case FloatLiteral() | StringLiteral():
            return expr.text, _UNARY if expr.text.startswith("-") else _ATOM
        case Unary():
            gap = " " if _begins_with(expr.operand, expr.op) else ""
            return f"{expr.op}{gap}{_text(expr.operand, _UNARY, spell)}", _UNARY
        case Ternary():
            parts = _text(expr.condition, 4, spell), _text(expr.then, 4, spell), _text(expr.otherwise, _TERNARY, spell)
            return f"{parts[0]} ? {parts[1]} : {parts[2]}", _TERNARY
        case AddressOf():
            return f"&{_text(expr.operand, _UNARY, spell)}", _UNARY
        case Dereference():
            return f"*{_text(expr.operand, _UNARY, spell)}", _UNARY
        case Initializer():
            name = "" if isinstance(expr.type, ArrayType) else type_text(expr.type)
            return f"{name}{braces(expr, spell)}", _POSTFIX


def _list(values: Iterable[Expr], spell: Spelling) -> str:
    """`a, b`."""
    return ", ".join(expression(value, spell) for value in values)


def braces(expr: Initializer, spell: Spelling = as_written) -> str:
    """`{a, b}`."""
    return f"{{{_list(expr.values, spell)}}}"


def _begins_with(operand: Expr, op: str) -> bool:
    """Whether an operand is printed with `op` in front, so that `--a` would be another operator."""
    match operand:
        case Unary():
            return operand.op == op
        case IntLiteral():
            return op == "-" and operand.value < 0 and not operand.name
        case FloatLiteral():
            return op == "-" and operand.text.startswith("-")
    return False


def _side(op: str, side: Expr, context: int) -> int:
    """Ask for parentheses where a reader (and gcc's -Wparentheses) would want them."""
    if isinstance(side, Binary) and side.op != op and op in _CONFUSING:
        confusing = (*_CONFUSING, "+", "-", *(TRUTHS if op in ("&", "^", "|") else ()))
        return _UNARY if side.op in confusing else context
    return context


def _integer(expr: IntLiteral) -> tuple[str, int]:
    if expr.name:
        return expr.name, _ATOM
    text = f"{abs(expr.value)}{suffix(expr)}"
    return (f"-{text}", _UNARY) if expr.value < 0 else (text, _ATOM)


def suffix(expr: IntLiteral) -> str:
    """What says the type of a number that is no `int`."""
    if not isinstance(expr.type, Scalar) or expr.type.size < 4:
        return ""
    return {
        "unsigned int": "u", "long": "l", "unsigned long": "ul", "long long": "ll", "unsigned long long": "ull",
    }.get(expr.type.name, "")  # fmt: skip
