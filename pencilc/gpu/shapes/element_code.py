"""How much code an element of a kernel is, about: what stands in a chunk once for each of its elements, unrolled.

Sixteen bytes are a chunk beside rows of 32 doubles that each of them is multiplied with: 64 times 500 instructions, on
which nvcc spends half a minute, and which no cache of instructions holds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import islpy as isl

from pencilc.gpu.shapes.registers import CHEAP, is_wide
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
        trips = math.prod(_trips(record.domain, k) for k in range(rows, len(record.iterators)))
        total += trips * sum(_code(root, functions, known) for root in (*record.own_guards, record.body) if root)
    operators = {reduction.operator.function for reduction in scop.reductions_of(kernel.reductions)}
    return total + sum(_code(functions[name].body, functions, known) for name in operators if name in functions)


def _trips(domain: isl.Set, position: int) -> int:
    """How often nvcc writes out the loop over a dimension of a domain."""
    least, most = domain.dim_min_val(position), domain.dim_max_val(position)
    if not (least.is_int() and most.is_int()):
        return SOME_TRIPS
    return _written_out(int(most.sub(least).to_python()) + 1)


def _written_out(trips: int) -> int:
    """How often nvcc writes out the body of a loop of so many iterations."""
    return trips if 0 <= trips <= MOST_TRIPS else SOME_TRIPS


def _code(root: Node, functions: Mapping[str, Function], known: dict[str, int]) -> int:
    """Instructions of an expression or a statement with all that it calls."""
    if isinstance(root, For):
        trips = SOME_TRIPS
        if isinstance(root.lower, IntLiteral) and isinstance(root.bound, IntLiteral):
            trips = _written_out(abs(root.bound.value - root.lower.value) // max(1, abs(root.step)))
        return trips * (2 + _code(root.body, functions, known))
    return _own(root, functions, known) + sum(_code(each, functions, known) for each in children(root))


def _own(node: Node, functions: Mapping[str, Function], known: dict[str, int]) -> int:
    """Instructions of one operation, without what it is applied to."""
    if isinstance(node, Call) and node.function in functions:
        if node.function not in known:
            known[node.function] = _code(functions[node.function].body, functions, known)
        return known[node.function]
    if isinstance(node, Call):
        return 1 if node.function in CHEAP else WIDE_FUNCTION if is_wide(node.type) else FUNCTION
    if isinstance(node, Binary) and node.op in ("/", "%") and not isinstance(node.right, IntLiteral):
        return WIDE_DIVISION if is_wide(node.type) else DIVISION
    return 1 if isinstance(node, Binary | Unary | Ternary | Cast | Index) else 0
