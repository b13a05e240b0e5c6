"""Operators with arrays of their own stay in registers: what an index found at run time names is selected.

    if (a.v[i] >= b.v[j]) { r.v[k] = a.v[i]; i++; }       v has 4 elements, k counts a loop to 4
    if (pencilc_element(a.v, 4, i) >= pencilc_element(b.v, 4, j)) { r.v[k] = pencilc_element(a.v, 4, i); i++; }

nvcc keeps an array in registers if it knows all indices: constants, and counters of loops that it unrolls.  One other
index, and the whole array is in memory.
"""

from __future__ import annotations

from dataclasses import replace

from pencilc.analysis.selections import Selections, own_extent
from pencilc.ir.build import number
from pencilc.ir.rewrite import replaced
from pencilc.ir.source import VOID, AddressOf, Assign, Call, CallStmt, Expr, Function, Index, MemberOf, Node

# What the tree of the source calls them, as no function of it is called, and the building blocks that they are.
ELEMENT, SET = "element of", "set element"
SELECTIONS = {ELEMENT: "pencilc_element", SET: "pencilc_set"}


def with_selections(definition: Function) -> Function:
    """The function with a selection for each element of a small array of its own that an index of the run names."""
    return replace(definition, body=replaced(definition.body, _Selecting(definition).changed))


class _Selecting:
    def __init__(self, definition: Function) -> None:
        self.selections = Selections(definition)

    def changed(self, node: Node) -> Node | None:
        """What stands for a node; None: the same, with what stands for its parts."""
        match node:
            case AddressOf():
                return node  # who has the address has all of the array
            case Assign(target=Index() as target) if self.selections.has(target):
                value = replaced(node.value, self.changed)
                return CallStmt(Call(SET, (*self._place(target), value), VOID, node.span), node.span)
            case Assign():
                return replace(node, target=self._stored(node.target), value=replaced(node.value, self.changed))
            case Index() if self.selections.has(node):
                return Call(ELEMENT, self._place(node), node.type, node.span)
        return None

    def _place(self, node: Index) -> tuple[Expr, ...]:
        """The array, its extent and the index."""
        return node.base, number(own_extent(node.base)), replaced(node.index, self.changed)

    def _stored(self, target: Expr) -> Expr:
        """A place that is written as a whole: what is around the indices stays a place."""
        match target:
            case Index():
                return replace(target, base=self._stored(target.base), index=replaced(target.index, self.changed))
            case MemberOf():
                return replace(target, base=self._stored(target.base))
        return target
