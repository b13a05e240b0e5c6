"""Which tiles tensor cores do: sums of products of two operands, of types that these have instructions for.

    for (i…) for (j…) for (k…) c[i][j] += (wide)a[i][k] * (wide)b[k][j]

16-bit floats are added up in float, single bytes in int.  The products are exact: those of two halves have 22 bits of
the 24 of a float, those of two bfloat16 have 16, those of bytes fit an int.  What differs from the source is the order
in which they are added, and for floats how: tensor cores align some terms to the largest of them and cut off what is
below, where an addition rounds.  So floats are left to ordinary instructions where one tree of additions is promised
(`--determinism=fixed-tree`), or sums more exact than plain ones (`--sum`), and where nobody has said that the order is
free: a loop that hands on its value takes it in the order of the source.  Sums of integers are the same in any order.

Factors that are floats themselves are rounded to the 11 bits of tf32 on the way, where `--allow-tf32` allows it.
"""

from __future__ import annotations

from collections.abc import Mapping

from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import OperatorKind, Scop
from pencilc.ir.shapes import Kernel, Tiling
from pencilc.ir.source import (
    BFLOAT16,
    FLOAT,
    HALF,
    INT,
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Index,
    Name,
    ReductionUpdate,
    Scalar,
)
from pencilc.options import Sums

# What operands may be, with the type in which their products are added.
SUMS_OF: Mapping[str, Scalar] = {
    HALF.name: FLOAT, BFLOAT16.name: FLOAT, FLOAT.name: FLOAT, "signed char": INT, "unsigned char": INT,
}  # fmt: skip
# The conversions of pencil.h, which are exact.
CONVERSIONS = frozenset({"pencil_half_to_float", "pencil_bfloat16_to_float"})


def on_tensor_cores(kernel: Kernel, tiling: Tiling, scop: Scop, sums: Sums, allow_tf32: bool) -> bool:
    """Whether tensor cores do the tiles of a kernel, which knows whether it has a fixed tree.

    `allow_tf32`: factors of floats may be rounded.
    """
    reductions = scop.reductions_of(kernel.reductions)
    if tiling.carried or len(reductions) != 1 or len(tiling.operands) != 2:
        return False
    if not tiling.is_product or tiling.has_others:
        return False
    (reduction,) = reductions
    first, second = (each.index for each in tiling.operands)
    if reduction.operator.recognised is not OperatorKind.ADD or first.type != second.type:
        return False
    if not isinstance(first.type, Scalar) or SUMS_OF.get(first.type.name) != reduction.element_type:
        return False
    if reduction.element_type == FLOAT and (kernel.fixed_tree or sums != "plain"):
        return False
    if first.type == FLOAT and not allow_tf32:
        return False
    return _factors(tiling, scop, reduction.element_type) == {first, second}


def _factors(tiling: Tiling, scop: Scop, wide: object) -> set[Index]:
    """The elements whose product is all that an iteration adds; empty if it does anything else."""
    known: dict[str, Expr] = {}  # what variables of an iteration hold
    updates: list[ReductionUpdate] = []
    for name in statements_of(tiling.body):
        record = scop.statement(name)
        if record.guards:
            return set()
        match record.body:
            case Assign(target=Name() as target, value=value) if target.symbol.name not in known and not updates:
                known[target.symbol.name] = value
            case ReductionUpdate() as update:
                updates.append(update)
            case _:
                return set()
    if len(updates) != 1:
        return set()
    element = _value(updates[0].element, known)
    if not isinstance(element, Binary) or element.op != "*" or element.type != wide:
        return set()
    sides = {_stored(side, known) for side in (element.left, element.right)}
    return {side for side in sides if side is not None}


def _value(node: Expr, known: Mapping[str, Expr]) -> Expr:
    """What a variable of the iteration holds; everything else itself."""
    while isinstance(node, Name) and node.symbol.name in known:
        if known[node.symbol.name].type != node.type:
            break
        node = known[node.symbol.name]
    return node


def _stored(node: Expr, known: Mapping[str, Expr]) -> Index | None:
    """The element of which the value is an exact conversion, as C does it before a multiplication."""
    node = _value(node, known)
    match node:
        case Index():
            return node
        case Call(function=function, arguments=(Index() as element,)) if function in CONVERSIONS:
            return element
        case Cast(operand=operand, type=Scalar() as kind) if _keeps(operand, kind):
            return _stored(operand, known)
    return None


def _keeps(operand: Expr, kind: Scalar) -> bool:
    """Whether a conversion to `kind` keeps every value of an integer operand."""
    given = operand.type
    if not isinstance(given, Scalar) or not given.is_integer or kind.kind not in ("int", "uint"):
        return False
    return kind.size > given.size if kind.kind == "int" else kind.size >= given.size and given.kind == "uint"
