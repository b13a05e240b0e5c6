"""Walks over pycparser's trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def nodes_below(node: Any) -> Iterator[Any]:
    """`node` and everything below it, without recursion."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += [child for _, child in reversed(current.children())]


def may_change(node: Any, name: str) -> bool:
    """Whether something in `node` assigns to the variable `name` or takes its address."""
    for each in nodes_below(node):
        kind = type(each).__name__
        target: Any = None
        if kind == "Assignment":
            target = each.lvalue
        elif kind == "UnaryOp" and (each.op[-2:] in ("++", "--") or each.op == "&"):
            target = each.expr
        if type(target).__name__ == "ID" and target.name == name:
            return True
    return False
