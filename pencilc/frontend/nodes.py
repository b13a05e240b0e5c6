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
