"""Operators with arrays of their own stay in registers: what an index found at run time names is selected.

    if (a.v[i] >= b.v[j]) { r.v[k] = a.v[i]; i++; }       v has 4 elements, k counts a loop to 4
    if (pencilc_element(a.v, 4, i) >= pencilc_element(b.v, 4, j)) { r.v[k] = pencilc_element(a.v, 4, i); i++; }

nvcc keeps an array in registers if it knows all indices: constants, and counters of loops that it unrolls.  One other
index, and the whole array is in memory.
"""

from __future__ import annotations

from dataclasses import replace

from pencilc.ir.build import number
from pencilc.ir.rewrite import replaced
from pencilc.ir.source import (
    VOID,
    AddressOf,
    ArrayType,
    Assign,
    Call,
    CallStmt,
    Expr,
    For,
    Function,
    Index,
    IntLiteral,
    MemberOf,
    Name,
    Node,
    Struct,
    walk,
)

# Elements of an array at most: each selection is an instruction or two for each of them.
MOST = 16

# What the tree of the source calls them, as no function of it is called, and the building blocks that they are.
ELEMENT, SET = "element of", "set element"
SELECTIONS = {ELEMENT: "pencilc_element", SET: "pencilc_set"}


def with_selections(definition: Function) -> Function:
    """The function with a selection for each element of a small array of its own that an index of the run names."""
    return replace(definition, body=replaced(definition.body, _Selecting(definition).changed))


class _Selecting:
    def __init__(self, definition: Function) -> None:
        loops = [node for node in walk(definition.body) if isinstance(node, For)]
        # Names are unique in a function.
        self.known = {each.iterator.name for each in loops if all(map(_is_constant, (each.lower, each.bound)))}

    def changed(self, node: Node) -> Node | None:
        """What stands for a node; None: the same, with what stands for its parts."""
        match node:
            case AddressOf():
                return node  # who has the address has all of the array
            case Assign(target=Index() as target) if self._is_selected(target):
                value = replaced(node.value, self.changed)
                return CallStmt(Call(SET, (*self._place(target), value), VOID, node.span), node.span)
            case Assign():
                return replace(node, target=self._stored(node.target), value=replaced(node.value, self.changed))
            case Index() if self._is_selected(node):
                return Call(ELEMENT, self._place(node), node.type, node.span)
        return None

    def _place(self, node: Index) -> tuple[Expr, ...]:
        """The array, its extent and the index."""
        return node.base, number(_extent(node.base)), replaced(node.index, self.changed)

    def _stored(self, target: Expr) -> Expr:
        """A place that is written as a whole: what is around the indices stays a place."""
        match target:
            case Index():
                return replace(target, base=self._stored(target.base), index=replaced(target.index, self.changed))
            case MemberOf():
                return replace(target, base=self._stored(target.base))
        return target

    def _is_selected(self, node: Index) -> bool:
        names = {each.symbol.name for each in walk(node.index) if isinstance(each, Name)}
        is_found = not names <= self.known or any(isinstance(each, Call) for each in walk(node.index))
        return is_found and not isinstance(node.type, ArrayType) and 0 < _extent(node.base) <= MOST


def _extent(base: Expr) -> int:
    """The elements of an array that is a variable of the function, or a member of one; 0 for any other."""
    root = base
    while isinstance(root, MemberOf):
        root = root.base
    if not isinstance(root, Name) or not isinstance(base.type, ArrayType):
        return 0
    # An array that is a parameter is the caller's, and so is what a pointer leads to.
    is_own = root.symbol.kind == "local" or (root.symbol.kind == "param" and isinstance(root.symbol.type, Struct))
    if not is_own:
        return 0
    extent = base.type.extent
    return extent.value if isinstance(extent, IntLiteral) else 0


def _is_constant(expr: Expr) -> bool:
    return not any(isinstance(each, Name | Call) for each in walk(expr))
