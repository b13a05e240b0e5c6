"""The identity of a recognised operator as C++ text."""

from __future__ import annotations

from pencilc.ir.scop import OperatorKind, Reduction
from pencilc.ir.source import CType, Scalar


def identity(reduction: Reduction) -> str | None:
    """The text of a recognised operator's own identity; None where the init function gives it."""
    kind, ctype = reduction.operator.recognised, reduction.element_type
    if reduction.operator.wide:
        return "-0.0f"
    if kind is None or not isinstance(ctype, Scalar):
        return None
    match kind:
        case OperatorKind.ADD:
            # -0.0 and not 0.0: the sum of negative zeros is a negative zero.
            return {"float": "-0.0f", "double": "-0.0"}.get(ctype.name, "0")
        case OperatorKind.MUL:
            return {"float": "1.0f", "double": "1.0"}.get(ctype.name, "1")
        case OperatorKind.BIT_OR | OperatorKind.BIT_XOR | OperatorKind.OR:
            return "0"
        case OperatorKind.AND:
            return "1"
        case OperatorKind.BIT_AND:
            return f"({ctype.name})~0ull" if ctype.kind == "uint" else "-1"
        case OperatorKind.MIN:
            return _largest(ctype)
        case OperatorKind.MAX:
            return _smallest(ctype)


def _largest(ctype: CType) -> str:
    assert isinstance(ctype, Scalar)
    if ctype.kind == "float":
        return "INFINITY" if ctype.name == "float" else "(double)INFINITY"
    if ctype.kind == "bool":
        return "true"
    bits = 8 * ctype.size - (ctype.kind == "int")
    return f"({ctype.name}){(1 << bits) - 1}{'ull' if bits > 31 else ''}"


def _smallest(ctype: CType) -> str:
    assert isinstance(ctype, Scalar)
    if ctype.kind == "float":
        return "-INFINITY" if ctype.name == "float" else "-(double)INFINITY"
    if ctype.kind != "int":
        return "0"
    bits = 8 * ctype.size - 1
    return f"(-{_largest(ctype)} - 1)" if bits >= 31 else f"({ctype.name})-{1 << bits}"
