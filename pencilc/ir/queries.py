"""Small questions about typed expressions that several stages ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pencilc.ir.source import Cast, Declare, Expr, For, Name, Node, walk


def mentions_any(node: Node, *names: str | None) -> bool:
    """Whether a variable with one of the names stands in `node`."""
    return any(isinstance(n, Name) and n.symbol.name in names for n in walk(node))


def names_in(*nodes: Node) -> set[str]:
    """The symbol names of the variables that stand in the nodes."""
    return {node.symbol.name for node in _within(nodes) if isinstance(node, Name)}


def counters_in(*nodes: Node) -> set[str]:
    """The symbol names of the counters of the `for` loops in the nodes."""
    return {node.iterator.name for node in _within(nodes) if isinstance(node, For)}


def declared_in(*nodes: Node) -> set[str]:
    """The symbol names of the variables that declarations in the nodes make, without the counters of loops."""
    return {node.symbol.name for node in _within(nodes) if isinstance(node, Declare)}


def _within(nodes: Iterable[Node]) -> Iterator[Node]:
    for node in nodes:
        yield from walk(node)


def without_conversions(expr: Expr) -> Expr:
    """`expr` without the conversions around it that C makes on its own."""
    while isinstance(expr, Cast) and expr.implicit:
        expr = expr.operand
    return expr


def plain_name(expr: Expr) -> str | None:
    """The symbol name of an expression that is nothing but a variable, converted or not."""
    inner = without_conversions(expr)
    return inner.symbol.name if isinstance(inner, Name) else None
