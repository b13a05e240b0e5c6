"""Sums of squares whose chunks tell where they begin.

    acc.squares.add(x)  becomes  acc.squares.add(x, begins)

Whether the first value of all is this one, and whether it is time to move to the mean of the first 16
(`pencilc_square_sum` in `templates/runtime.cu.j2`), is asked once for 16 elements of a chunk, not for each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pencilc.codegen.byte_sums import accumulator_member
from pencilc.ir.build import variable
from pencilc.ir.nodes import Node
from pencilc.ir.scop import Reduction, ShiftedSum
from pencilc.ir.source import BOOL, Call, CallStmt

BEGINS = "@begins"


def with_beginnings(body: Sequence[Node], reductions: Mapping[str, Reduction]) -> tuple[Node, ...]:
    """`body`, what happens to one element, with sums of squares told where they begin; the same where it has none.

    One under a condition asks for itself: the element that begins may not be added.  `reductions`: those of the kernel,
    by the names of their members of the accumulator, or by nothing if one is alone.
    """
    return tuple(_told(node, reductions) for node in body)


def _told(node: Node, reductions: Mapping[str, Reduction]) -> Node:
    if not isinstance(node, CallStmt) or not isinstance(node.call, Call) or node.call.function != ".add":
        return node
    member = accumulator_member(node.call.arguments[0])
    reduction = None if member is None else reductions.get(member)
    if not isinstance(reduction, ShiftedSum) or reduction.function != "square":
        return node
    return replace(node, call=replace(node.call, arguments=(*node.call.arguments, variable(BEGINS, BOOL))))
