"""Structs that are written down in front of the choice that takes them, in the place where they are taken.

    Hit h = {i, x[i]};                        if (x[i] > best.v) best = (Hit){i, x[i]};
    if (h.v > best.v) best = h;      ->

`detect/selections.py` knows the form on the right.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.ir.queries import names_in
from pencilc.ir.rewrite import assigned_names, in_parts, replaced
from pencilc.ir.source import (
    Assign,
    Block,
    Call,
    Declare,
    Expr,
    If,
    Initializer,
    MemberOf,
    Name,
    Node,
    Region,
    Stmt,
    Struct,
    walk,
)


def with_struct_values(region: Region) -> Region:
    """`region` with such structs in the place of their names; the region itself where it has none."""
    body = _stmt(region.body, assigned_names(region.body))
    assert isinstance(body, Block)
    return region if body is region.body else replace(region, body=body)


def _stmt(stmt: Stmt, written: set[str]) -> Stmt:
    if not isinstance(stmt, Block):
        return in_parts(stmt, lambda each: _stmt(each, written))
    items = _items(stmt.items, written)
    is_same = len(items) == len(stmt.items) and all(a is b for a, b in zip(items, stmt.items, strict=True))
    return stmt if is_same else replace(stmt, items=items)


def _items(items: Seq[Stmt], written: set[str]) -> tuple[Stmt, ...]:
    """The items of a block without the structs that are taken in it."""
    made = [_stmt(item, written) for item in items]
    taken: set[int] = set()
    for position, item in enumerate(items):
        if isinstance(item, Declare) and isinstance(item.init, Initializer) and _stays(item, item.init, written):
            behind = [_with_value(each, item.symbol.name, item.init) for each in made[position + 1 :]]
            is_taken = any(_takes(each, item.symbol.name) for each in made[position + 1 :])
            if is_taken and item.symbol.name not in names_in(*behind):
                made[position + 1 :] = behind
                taken.add(position)
    return tuple(item for position, item in enumerate(made) if position not in taken)


def _stays(item: Declare, value: Initializer, written: set[str]) -> bool:
    """Whether a struct is what it has been given wherever it is named."""
    if not isinstance(item.symbol.type, Struct) or item.symbol.name in written:
        return False
    if names_in(value) & written:
        return False
    return not any(isinstance(node, Call) for node in walk(value))


def _takes(stmt: Stmt, name: str) -> bool:
    """Whether an `if` in `stmt` takes the struct of that name."""
    choices = (node for node in walk(stmt) if isinstance(node, If))
    assigned = (node for choice in choices for node in walk(choice) if isinstance(node, Assign))
    return any(isinstance(each.value, Name) and each.value.symbol.name == name for each in assigned)


def _with_value(stmt: Stmt, name: str, value: Initializer) -> Stmt:
    """`stmt` with the members of the struct of that name, and with all of it where it is assigned."""
    struct = value.type
    assert isinstance(struct, Struct)
    members = {member.name: each for member, each in zip(struct.members, value.values, strict=True)}

    def there(node: Node) -> Expr | Stmt | None:
        if isinstance(node, MemberOf) and isinstance(node.base, Name) and node.base.symbol.name == name:
            found = members[node.member]
            return found if not isinstance(found, Initializer) else None
        if isinstance(node, Assign) and isinstance(node.value, Name) and node.value.symbol.name == name:
            return replace(node, value=value)
        return None

    made: Stmt = replaced(stmt, there)
    return made
