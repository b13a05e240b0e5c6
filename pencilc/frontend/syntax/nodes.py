"""Walks over pycparser's trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

# The classes of nodes that are loops.
LOOPS = ("For", "While", "DoWhile")


def nodes_below(node: Any) -> Iterator[Any]:
    """`node` and everything below it, without recursion."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += [child for _, child in reversed(current.children())]


def declared_values(tree: Any) -> Iterator[str]:
    """The names of what `tree` declares that is neither a type nor a member: functions, variables, constants."""
    members: set[int] = set()
    for node in nodes_below(tree):
        kind = type(node).__name__
        if kind in ("Struct", "Union"):
            members |= {id(member) for member in node.decls or ()}
        elif kind == "Enumerator" or (kind == "Decl" and node.name and id(node) not in members):
            yield node.name


def times_named(node: Any, name: str) -> int:
    """How often `node` names a variable, or a member of that name."""
    return sum(type(each).__name__ == "ID" and each.name == name for each in nodes_below(node))


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
