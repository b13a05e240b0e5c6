"""Scalars that straight-line code assigns again get a variable for each value.

Before: `float s_1 = s; s_1 = 2 * s_1; if (s_1 > 9) s_1 = 9; for (…) b[i] = a[i] * s_1;`
After:  `float s_1 = 2 * s; float s_2 = s_1 > 9 ? 9 : s_1; for (…) b[i] = a[i] * s_2;`

Each is then assigned once, outside of all loops, and every kernel can compute it for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pencilc.ir.queries import mentions_any, names_of_region
from pencilc.ir.rewrite import Renaming, renamed, written_names
from pencilc.ir.source import (
    AddressOf,
    Assign,
    Block,
    Declare,
    Expr,
    If,
    Kill,
    Name,
    Region,
    Scalar,
    Stmt,
    Symbol,
    Ternary,
    walk,
)  # fmt: skip


def with_versions(region: Region, identifiers: frozenset[str]) -> Region:
    """`region` with the scalars that one block outside of all loops declares and alone assigns in single-assignment
    form."""
    taken = {*identifiers, *names_of_region(region)}
    return replace(region, body=_in_block(region.body, frozenset(region.written_scalars), taken))


def _in_block(block: Block, kept: frozenset[str], taken: set[str]) -> Block:
    """`block` with its own scalars in single-assignment form, and those of the branches in it; `kept` stay."""
    items = tuple(_as_assignment(item) for item in block.items)
    candidates = _candidates(items, kept)
    made: list[Stmt] = []
    current: dict[str, Symbol] = {}
    unused: dict[str, Expr] = {}  # a parameter's copy that nothing has read yet: it stands for the parameter
    for original, item in zip(block.items, items, strict=True):
        target = item.target if isinstance(item, Assign) else None
        single = isinstance(target, Name) and target.symbol.name in candidates
        made += _versioned(item if single else original, candidates, current, unused, taken)
    return replace(block, items=tuple(_in_branches(item, kept, taken) for item in made))


def _in_branches(item: Stmt, kept: frozenset[str], taken: set[str]) -> Stmt:
    if isinstance(item, Block):
        return _in_block(item, kept, taken)
    if isinstance(item, If):
        then = _in_branches(item.then, kept, taken)
        otherwise = None if item.otherwise is None else _in_branches(item.otherwise, kept, taken)
        return replace(item, then=then, otherwise=otherwise)
    return item


def _versioned(
    item: Stmt, candidates: Mapping[str, Symbol], current: dict[str, Symbol], unused: dict[str, Expr], taken: set[str]
) -> list[Stmt]:
    if isinstance(item, Declare) and item.symbol.name in candidates:
        name = item.symbol.name
        if item.init is None:
            return []
        if isinstance(item.init, Name) and item.init.symbol.kind == "param" and item.init.type == item.symbol.type:
            unused[name] = item.init
            return []
        init = Renaming(current, unused).node(item.init)
        current[name] = replace(item.symbol, is_const=False)
        return [Declare(item.symbol, init, item.span)]
    if isinstance(item, Assign) and isinstance(item.target, Name) and item.target.symbol.name in candidates:
        old = item.target.symbol
        value = Renaming(current, unused).node(item.value)
        new = old if old.name not in current else renamed(old, taken)
        unused.pop(old.name, None)
        current[old.name] = new
        return [Declare(new, value, item.span)]
    return [Renaming(current, unused).node(item)]


def _candidates(items: tuple[Stmt, ...], kept: frozenset[str]) -> dict[str, Symbol]:
    """The scalars declared and assigned in `items` themselves, with a value before every use, and nowhere deeper.

    `kept`: those that something behind the region reads.
    """
    declared = {
        item.symbol.name: item.symbol for item in items
        if isinstance(item, Declare) and isinstance(item.symbol.type, Scalar)
    }  # fmt: skip
    assigned: dict[str, int] = {}
    excluded = set(kept)
    for item in items:
        target = item.target if isinstance(item, Assign) else None
        if isinstance(target, Name):
            assigned[target.symbol.name] = assigned.get(target.symbol.name, 0) + 1
        else:
            excluded |= written_names(item)
        for node in walk(item):
            touched = node.variable if isinstance(node, Kill) else node.operand if isinstance(node, AddressOf) else None
            if isinstance(touched, Name):
                excluded.add(touched.symbol.name)
    return {name: s for name, s in declared.items() if name in assigned and name not in excluded
            and _is_set_first(name, items)}  # fmt: skip


def _is_set_first(name: str, items: tuple[Stmt, ...]) -> bool:
    """Whether the variable has a value before its first use."""
    for item in items:
        if isinstance(item, Declare) and item.symbol.name == name and item.init is not None:
            return True
        value = item.value if isinstance(item, Assign) else item
        if mentions_any(value, name):
            return False
        if isinstance(item, Assign) and isinstance(item.target, Name) and item.target.symbol.name == name:
            return True
    return False


def _as_assignment(item: Stmt) -> Stmt:
    """`if (c) x = a; else x = b;` as `x = c ? a : b;` for a scalar x; anything else as it is."""
    if not isinstance(item, If):
        return item
    then = _only_assignment(item.then)
    if then is None or not isinstance(then.target, Name) or not isinstance(then.target.type, Scalar):
        return item
    target = then.target
    otherwise: Expr = Name(target.symbol, target.type, item.span)
    if item.otherwise is not None:
        other = _only_assignment(item.otherwise)
        if other is None or not isinstance(other.target, Name) or other.target.symbol.name != target.symbol.name:
            return item
        otherwise = other.value
    return Assign(target, Ternary(item.condition, then.value, otherwise, target.type, item.span), item.span)


def _only_assignment(stmt: Stmt) -> Assign | None:
    while isinstance(stmt, Block) and len(stmt.items) == 1:
        stmt = stmt.items[0]
    return stmt if isinstance(stmt, Assign) else None
