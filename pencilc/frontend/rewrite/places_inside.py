"""Places of a row that its elements use are found by each element: what they cost is less than to hand them on.

Before: `for (i…) { int up = i == 0 ? n - 1 : i - 1;  for (j…) b[i][j] = a[up][j] + a[i][j]; }`
After:  `for (i…) for (j…) { int up = i == 0 ? n - 1 : i - 1;  b[i][j] = a[up][j] + a[i][j]; }`

A scalar of the outer loop is one for each of its iterations: where the elements are parallel it would be stored in
memory, by a kernel of its own.  Sums of counters and sizes alone take the place of their name (`places.py`).
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.ir.queries import counters_in, declared_in, mentions_any, names_in
from pencilc.ir.rewrite import Renaming, as_block, in_blocks, renamed, written_names
from pencilc.ir.source import (
    Binary,
    Block,
    Cast,
    Declare,
    Expr,
    For,
    Index,
    IntLiteral,
    Name,
    Region,
    Scalar,
    Stmt,
    Ternary,
    Unary,
    walk,
)

# Operations of a value that each element finds again.
_MOST_OPERATIONS = 8
_KNOWN = (Name, IntLiteral, Unary, Binary, Ternary, Cast)


def with_places_inside(region: Region, identifiers: frozenset[str]) -> Region:
    """`region` with such places declared in the loops that use them; `identifiers`: names that no copy gets."""
    taken = {*identifiers, *declared_in(region.body), *counters_in(region.body), *names_in(region.body)}
    return replace(region, body=_in_block(region.body, taken, is_inside=False))


def _in_block(block: Block, taken: set[str], is_inside: bool) -> Block:
    """`block` with its places in the loops that it holds; `is_inside` of a loop, where scalars have a value for each
    iteration.
    """
    items = block.items
    for position in reversed(range(len(items)) if is_inside else ()):
        item, rest = items[position], items[position + 1 :]
        if isinstance(item, Declare) and item.init is not None and _is_found_again(item, item.init, rest):
            moved = [_with_place(each, item, taken) for each in rest]
            kept = (item,) if any(mentions_any(each, item.symbol.name) for each in moved) else ()
            items = (*items[:position], *kept, *moved)
    return replace(block, items=tuple(_below(each, taken, is_inside) for each in items))


def _below(stmt: Stmt, taken: set[str], is_inside: bool) -> Stmt:
    if not isinstance(stmt, For):
        return in_blocks(stmt, lambda block: _in_block(block, taken, is_inside))
    body = stmt.body
    return replace(stmt, body=_in_block(body, taken, True) if isinstance(body, Block) else _below(body, taken, True))


def _with_place(stmt: Stmt, place: Declare, taken: set[str]) -> Stmt:
    """A loop whose body uses the place with a declaration of its own; anything else as it is."""
    name = place.symbol.name
    if not isinstance(stmt, For) or not mentions_any(stmt.body, name) or name in names_in(stmt.lower, stmt.bound):
        return stmt
    own = renamed(place.symbol, taken)
    body: Block = Renaming({name: own}, {}).node(as_block(stmt.body))
    return replace(stmt, body=replace(body, items=(replace(place, symbol=own), *body.items)))


def _is_found_again(item: Declare, value: Expr, rest: Seq[Stmt]) -> bool:
    """Whether an integer is the same choice of places wherever `rest` reads it, in loops and as a subscript."""
    name, kind = item.symbol.name, item.symbol.type
    if not isinstance(kind, Scalar) or not kind.is_integer or not _is_choice(value):
        return False
    changed = {found for each in rest for found in (*written_names(each), *counters_in(each), *declared_in(each))}
    if name in changed or names_in(value) & changed:
        return False
    loops = [each for each in rest if isinstance(each, For) and not each.reductions]
    return any(name in names_in(node.index) for each in loops for node in walk(each.body) if isinstance(node, Index))


def _is_choice(value: Expr) -> bool:
    """Whether a value is computed from variables and numbers, a choice or a remainder among it."""
    nodes = list(walk(value))
    chooses = any(isinstance(n, Ternary) or (isinstance(n, Binary) and n.op in ("%", "/")) for n in nodes)
    operations = sum(isinstance(node, Unary | Binary | Ternary) for node in nodes)
    return chooses and operations <= _MOST_OPERATIONS and all(isinstance(node, _KNOWN) for node in nodes)
