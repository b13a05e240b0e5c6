"""How many registers the work of a kernel takes beside its loads and accumulators, so that none are spilled.

The figures are what nvcc 13 was seen to need at sm_80, sm_90 and sm_100; too many cost blocks on a multiprocessor, too
few cost trips to local memory.
"""

from __future__ import annotations

from collections.abc import Iterable

from pencilc.ir.ctypes import Scalar
from pencilc.ir.scop import Scop
from pencilc.ir.source import Binary, Call, Function, Node, walk

# Of 64-bit divisions, for which there is no instruction, and of those of 32 bits and less.
WIDE_DIVISION, DIVISION = 32, 8
# Of functions of math.h that take tables or long polynomials.
WIDE_FUNCTION, FUNCTION = 40, 8
# One or two instructions each.
CHEAP = frozenset(
    word + suffix
    for word in ("fabs", "fmin", "fmax", "fma", "floor", "ceil", "trunc", "rint", "nearbyint", "copysign", "sqrt")
    for suffix in ("", "f")
) - {"sqrt"}


def working_registers(scop: Scop, statements: Iterable[str], operators: Iterable[str]) -> int:
    """Registers of the heaviest operation of the `statements` and of the functions `operators`, with what they call."""
    functions = {f.name: f for f in scop.functions}
    bodies = (scop.statement(name).body for name in statements)
    pending: list[Node] = [body for body in bodies if body is not None]
    called = {name for name in operators if name in functions}
    pending += [functions[name].body for name in called]
    most = 0
    while pending:
        for node in walk(pending.pop()):
            most = max(most, _registers(node, functions))
            if isinstance(node, Call) and node.function in functions and node.function not in called:
                called.add(node.function)
                pending.append(functions[node.function].body)
    return most


def _registers(node: Node, functions: dict[str, Function]) -> int:
    """Of one operation, without what it is applied to."""
    if isinstance(node, Binary) and node.op in ("/", "%"):
        return WIDE_DIVISION if _is_wide(node.type) else DIVISION
    if isinstance(node, Call) and node.function not in functions and node.function not in CHEAP:
        return WIDE_FUNCTION if _is_wide(node.type) else FUNCTION
    return 0


def _is_wide(ctype: object) -> bool:
    return isinstance(ctype, Scalar) and ctype.size == 8
