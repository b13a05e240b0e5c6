"""Marked reductions of a variable as the plain statements that they stand for.

    for (b…) __pencil_reduction_var_init(&h[b], zero);          for (b…) zero(&h[b]);
    __pencil_reduction_var_init(&h[0], one);                    one(&h[0]);
    for (i…) __pencil_reduction(&h[x[i]], e, add);              for (i…) h[x[i]] = add(h[x[i]], e);

A reduction has one initialisation.  Where an update may meet the elements of several at once, these are ordinary
statements, and the update goes on from what they have left (`unmarked.py`), in any order as its mark says.
"""

from __future__ import annotations

from dataclasses import replace

from pencilc.diagnostics.source import Span
from pencilc.ir.queries import root
from pencilc.ir.rewrite import replaced
from pencilc.ir.source import (
    VOID,
    AddressOf,
    Assign,
    Call,
    CallStmt,
    Node,
    PointerType,
    ReductionInit,
    ReductionUpdate,
    Region,
    walk,
)


def plain_updates(region: Region, variable: str) -> tuple[Region, frozenset[Span]]:
    """`region` with the reductions of `variable` as plain statements, and where the updates stand."""

    def change(node: Node) -> Node | None:
        if not _is_of(node, variable):
            return None
        if isinstance(node, ReductionInit):
            place = AddressOf(node.variable, PointerType(node.variable.type), node.span)
            return CallStmt(Call(node.function, (place,), VOID, node.span), node.span)
        assert isinstance(node, ReductionUpdate)
        value = Call(node.operator, (node.variable, node.element), node.variable.type, node.span)
        return Assign(node.variable, value, node.span)

    updates = (node for node in walk(region.body) if isinstance(node, ReductionUpdate) and _is_of(node, variable))
    return replace(region, body=replaced(region.body, change)), frozenset(update.span for update in updates)


def _is_of(node: Node, variable: str) -> bool:
    if not isinstance(node, ReductionInit | ReductionUpdate):
        return False
    name = root(node.variable)
    return name is not None and name.symbol.name == variable
