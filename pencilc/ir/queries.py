"""Small questions about typed expressions that several stages ask."""

from __future__ import annotations

from pencilc.ir.source import Cast, Declare, Expr, For, Name, Node, walk


def mentions_any(node: Node, *names: str | None) -> bool:
    """Whether a variable with one of the names stands in `node`."""
    return any(isinstance(n, Name) and n.symbol.name in names for n in walk(node))


def names_in(*nodes: Node) -> set[str]:
    """The symbol names of the variables that stand in the nodes."""
    found: set[str] = set()
    for node in nodes:
        for inner in walk(node):
            if isinstance(inner, Name):
                found.add(inner.symbol.name)
    return found


def counters_in(*nodes: Node) -> set[str]:
    """The symbol names of the counters of the `for` loops in the nodes."""
    found: set[str] = set()
    for node in nodes:
        for inner in walk(node):
            if isinstance(inner, For):
                found.add(inner.iterator.name)
    return found


def declared_in(*nodes: Node) -> set[str]:
    """The symbol names of the variables that declarations in the nodes make, without the counters of loops."""
    found: set[str] = set()
    for node in nodes:
        for inner in walk(node):
            if isinstance(inner, Declare):
                found.add(inner.symbol.name)
    return found


def without_conversions(expr: Expr) -> Expr:
    """`expr` without the conversions around it that C makes on its own."""
    while isinstance(expr, Cast) and expr.implicit:
        expr = expr.operand
    return expr


def plain_name(expr: Expr) -> str | None:
    """The symbol name of an expression that is nothing but a variable, converted or not."""
    inner = without_conversions(expr)
    return inner.symbol.name if isinstance(inner, Name) else None
