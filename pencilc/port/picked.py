"""Elements that data pick in rows: `p[s * classes + label[s]]`, where nobody would pick one of another row."""

from __future__ import annotations

from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.translate.remedies import generated
from pencilc.port.tree import kind
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Picked:
    """The parts of a subscript: where the row begins, how long a row is, what picks the element in it."""

    row: Any
    stride: str
    data: str


def picked_in_row(subscript: Any, sizes: frozenset[str]) -> Picked | None:
    """The parts of `row * stride + data`, `stride` being one of `sizes`; None for another subscript."""
    if kind(subscript) != "BinaryOp" or subscript.op != "+":
        return None
    for row, data in ((subscript.left, subscript.right), (subscript.right, subscript.left)):
        if kind(row) != "BinaryOp" or row.op != "*" or kind(data) != "ArrayRef" or _reads(row):
            continue
        for side in (row.right, row.left):
            if kind(side) == "ID" and side.name in sizes:
                return Picked(row, side.name, generated(data))
    return None


def _reads(node: Any) -> bool:
    return any(kind(each) in ("ArrayRef", "FuncCall") for each in nodes_below(node))
