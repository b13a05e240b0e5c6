"""Scalars that are a name for what one expression gives make way for it.

Before: `int d = path[i][k] + path[k][j];  if (d < path[i][j]) path[i][j] = d;`
After:  `if (path[i][k] + path[k][j] < path[i][j]) path[i][j] = path[i][k] + path[k][j];`

This is forward substitution (Aho, Lam, Sethi and Ullman, section 9.5): nothing that the expression reads changes until
the last statement has it, and no loop comes between, which would do its work again and again.  What was two statements
is one, which can be cut where a row or column holds it up (`poly/dependences/index_sets.py`).
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pencilc.ir.queries import has_effects, mentions_any, names_in
from pencilc.ir.rewrite import Renaming, as_block, in_blocks, written_names
from pencilc.ir.source import Assign, Block, Cast, Declare, Expr, For, If, Name, Region, Scalar, Stmt, While, walk


def with_values_for_names(region: Region, only: AbstractSet[str] | None = None) -> Region | None:
    """`region` with the values of such scalars, or of those in `only`, in their place; None where there is none."""
    body = _in_block(region.body, only)
    return None if body == region.body else replace(region, body=body)


def _in_block(block: Block, only: AbstractSet[str] | None) -> Block:
    items = [in_blocks(item, lambda inner: _in_block(inner, only)) for item in block.items]
    return replace(block, items=_substituted(items, only))


def _substituted(items: list[Stmt], only: AbstractSet[str] | None) -> tuple[Stmt, ...]:
    """The items of a block without those that give names to values."""
    own = {item.symbol.name for item in items if isinstance(item, Declare)}
    own = own if only is None else own & only
    position = 0
    while position < len(items):
        named = _named(items[position], own)
        rest = items[position + 1 :]
        if named is not None and _is_a_name_alone(*named, rest):
            name, value = named
            before = _without_declaration(items[:position], name)
            renaming = Renaming({}, {name: value})
            position = len(before)
            items = [*before, *(renaming.node(each) if mentions_any(each, name) else each for each in rest)]
        else:
            position += 1
    return tuple(items)


def _without_declaration(items: list[Stmt], name: str) -> list[Stmt]:
    """`items` without the declaration of a variable, if nothing else in them is about it: `int h; while (…) h = …;`."""
    others = [each for each in items if not (isinstance(each, Declare) and each.symbol.name == name)]
    return items if any(mentions_any(each, name) for each in others) else others


def _named(stmt: Stmt, own: set[str]) -> tuple[str, Expr] | None:
    """The scalar of `own` that a statement sets, and its value, of its type."""
    match stmt:
        case Declare(symbol=symbol, init=value) if value is not None:
            pass
        case Assign(target=Name(symbol=symbol), value=value):
            pass
        case _:
            return None
    if symbol.name not in own or not isinstance(symbol.type, Scalar) or mentions_any(value, symbol.name):
        return None
    return symbol.name, value if value.type == symbol.type else Cast(value, symbol.type, value.span)


def _is_a_name_alone(name: str, value: Expr, rest: Seq[Stmt]) -> bool:
    """Whether all that `rest` reads of a variable is `value`, which would be the same there."""
    users = [number for number, item in enumerate(rest) if mentions_any(item, name)]
    if not users or has_effects(value) or any(name in written_names(item) for item in rest):
        return False
    if any(has_effects(item) for item in rest[: users[-1] + 1]):
        return False
    if any(isinstance(node, For | While) for number in users for node in walk(rest[number])):
        return False
    read = names_in(value)
    if any(read & written_names(item) for item in rest[: users[-1]]):
        return False
    return not read & written_names(rest[users[-1]]) or _reads_first(rest[users[-1]])


def _reads_first(stmt: Stmt) -> bool:
    """Whether a statement has read all that it reads when it writes."""
    match stmt:
        case Assign():
            return True
        case If():
            ways = [as_block(way).items for way in (stmt.then, stmt.otherwise) if way is not None]
            return all(len(items) == 1 and _reads_first(items[0]) for items in ways)
    return False
