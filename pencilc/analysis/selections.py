"""Small arrays of a function's own whose elements an index of the run names: they are selected, to stay in registers.

    r.v[k] = a.v[i]; i++;     `a.v[i]` is selected of all elements of `a.v`; `k` counts a loop between constants

Each selection is an instruction or two for each element that there is.
"""

from __future__ import annotations

from pencilc.ir.source import ArrayType, Call, Expr, For, Function, Index, IntLiteral, MemberOf, Name, Struct, walk

# Elements of an array at most.
MOST = 16


class Selections:
    """Which elements of a function's own arrays are selected."""

    def __init__(self, definition: Function) -> None:
        loops = [node for node in walk(definition.body) if isinstance(node, For)]
        # Names are unique in a function.
        self.known = {each.iterator.name for each in loops if all(map(_is_constant, (each.lower, each.bound)))}

    def has(self, node: Index) -> bool:
        """Whether that element is one of them."""
        names = {each.symbol.name for each in walk(node.index) if isinstance(each, Name)}
        is_found = not names <= self.known or any(isinstance(each, Call) for each in walk(node.index))
        return is_found and not isinstance(node.type, ArrayType) and 0 < own_extent(node.base) <= MOST


def selects(definition: Function) -> bool:
    """Whether the function selects any element."""
    selections = Selections(definition)
    return any(isinstance(node, Index) and selections.has(node) for node in walk(definition.body))


def own_extent(base: Expr) -> int:
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
