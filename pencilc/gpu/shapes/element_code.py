"""How much code an element of a kernel is, about: what stands in a chunk once for each of its elements, unrolled.

Sixteen bytes are a chunk beside rows of 32 doubles that each of them is multiplied with: 64 times 500 instructions, on
which nvcc spends half a minute, and which no cache of instructions holds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from pencilc.gpu.shapes.registers import CHEAP
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Scop
from pencilc.ir.shapes import Kernel
from pencilc.ir.source import (
    Binary,
    Call,
    Cast,
    For,
    Function,
    Index,
    IntLiteral,
    Node,
    Scalar,
    Ternary,
    Unary,
    children,
)

# Instructions: a division by what is no number, a function of the library; of values of 64 bits.
DIVISION, FUNCTION = 12, 16
WIDE_DIVISION, WIDE_FUNCTION = 40, 80
# Iterations of a loop of an element that nvcc writes out, where their number is known, and where it is not.
MOST_TRIPS, SOME_TRIPS = 64, 4
# Instructions of what a thread has in flight that are unrolled at most.
MOST_CODE = 12000


def element_code(kernel: Kernel, scop: Scop) -> int:
    """Instructions of one element of the kernel, about."""
    functions = {function.name: function for function in scop.functions}
    known: dict[str, int] = {}
    rows = len((*kernel.host, *kernel.kept, *kernel.reduced))
    total = 0
    for name in statements_of(kernel.body):
        record = scop.statement(name)
        inner = range(rows, len(record.iterators))
        trips = math.prod(_trips(record.domain.dim_min_val(k), record.domain.dim_max_val(k)) for k in inner)
        total += trips * sum(_code(root, functions, known) for root in (*record.own_guards, record.body) if root)
    operators = {reduction.operator.function for reduction in scop.reductions_of(kernel.reductions)}
    return total + sum(_code(functions[name].body, functions, known) for name in operators if name in functions)


def _trips(least: object, most: object) -> int:
    """The values of an iterator between two that isl gives, which may be infinite."""
    found = float(str(most)) - float(str(least)) + 1 if "infty" not in f"{least}{most}" else math.inf
    return int(found) if 0 <= found <= MOST_TRIPS else SOME_TRIPS


def _code(root: Node, functions: Mapping[str, Function], known: dict[str, int]) -> int:
    """Instructions of an expression or a statement with all that it calls."""
    if isinstance(root, For):
        ends = [end.value for end in (root.lower, root.bound) if isinstance(end, IntLiteral)]
        trips = abs(ends[1] - ends[0]) // max(1, abs(root.step)) if len(ends) == 2 else SOME_TRIPS
        return (trips if trips <= MOST_TRIPS else SOME_TRIPS) * (2 + _code(root.body, functions, known))
    return _own(root, functions, known) + sum(_code(each, functions, known) for each in children(root))


def _own(node: Node, functions: Mapping[str, Function], known: dict[str, int]) -> int:
    """Instructions of one operation, without what it is applied to."""
    if isinstance(node, Call) and node.function in functions:
        if node.function not in known:
            known[node.function] = _code(functions[node.function].body, functions, known)
        return known[node.function]
    if isinstance(node, Call):
        return 1 if node.function in CHEAP else WIDE_FUNCTION if _is_wide(node.type) else FUNCTION
    if isinstance(node, Binary) and node.op in ("/", "%") and not isinstance(node.right, IntLiteral):
        return WIDE_DIVISION if _is_wide(node.type) else DIVISION
    return 1 if isinstance(node, Binary | Unary | Ternary | Cast | Index) else 0


def _is_wide(ctype: object) -> bool:
    return isinstance(ctype, Scalar) and ctype.size == 8
