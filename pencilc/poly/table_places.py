"""Loops whose counter chooses in a table where elements are, written out: then these places are known.

    const int dx[4] = {1, -1, 0, 0}, …;
    for (k < 4) s += w[k] * a[y + dy[k]][x + dx[k]];     s += w[0] * a[y + 0][x + 1];  s += w[1] * a[y + 0][x + -1];  …

Also where a scalar has the place: `int at = x + dx[k]; if (at < m) s += a[y][at];`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pencilc.ir.queries import base_of, names_in, subscripts_in
from pencilc.ir.source import (
    Assign,
    Declare,
    Expr,
    For,
    Index,
    MemberOf,
    Name,
    Node,
    Region,
    TranslationUnit,
    While,
    children,
    walk,
)
from pencilc.poly.model.constant_tables import Tables, by_counters, is_of_table, tables_of, with_table_values
from pencilc.poly.model.short_loops import ShortLoop, is_arithmetic, short_loops
from pencilc.poly.model.written_out import size_written_out, written_out

_MOST_NODES = 3_000  # statements and expressions of a region whose loops are written out


def with_places_of_tables(unit: TranslationUnit, region: Region) -> Region:
    """`region` with the short loops written out whose counters choose places in tables; nothing else, where none do."""
    tables = tables_of(unit)
    if not tables:
        return region
    short = short_loops(unit, region)
    loops = frozenset[int]()
    for loop in _innermost(region.body, short):
        wider = loops | _with_loops_inside(loop)
        if _chooses_places(loop, tables) and size_written_out(region.body, wider, short) <= _MOST_NODES:
            loops = wider
    flat = written_out(unit, region, loops) if loops else None
    return region if flat is None else replace(flat, body=with_table_values(flat.body, tables))


def _innermost(node: Node, short: Mapping[int, ShortLoop]) -> Iterator[For]:
    """The outermost of the short loops that have none but short loops inside."""
    if isinstance(node, For) and all(id(each) in short for each in _loops(node)):
        if not any(isinstance(each, While) for each in walk(node)):
            yield node
        return
    for child in children(node):
        yield from _innermost(child, short)


def _loops(node: Node) -> Iterator[For]:
    return (each for each in walk(node) if isinstance(each, For))


def _with_loops_inside(loop: For) -> frozenset[int]:
    return frozenset(id(each) for each in _loops(loop))


def _chooses_places(loop: For, tables: Tables) -> bool:
    """Whether counters of the loop, and of those inside, choose in a table which elements of other arrays are meant."""
    if any(each.reductions for each in _loops(loop)):
        return False
    counters = {each.iterator.name for each in _loops(loop)}
    places = [subscript for each in walk(loop.body) for subscript in _of_others(each, tables)]
    named = names_in(*places)
    values = [value for each in walk(loop.body) for value in _given_to(each, named)]
    return any(_is_chosen(each, counters, tables) for expr in (*places, *values) for each in walk(expr))


def _of_others(node: Node, tables: Tables) -> tuple[Expr, ...]:
    """The subscripts of an element of an array that is no table."""
    if not isinstance(node, Index | MemberOf):
        return ()
    base = base_of(node)
    return () if isinstance(base, Name) and base.symbol.name in tables else subscripts_in(node)


def _given_to(node: Node, names: AbstractSet[str]) -> tuple[Expr, ...]:
    """The value that a statement gives to one of the variables `names`."""
    match node:
        case Declare(symbol=symbol, init=value) if value is not None and symbol.name in names:
            return (value,)
        case Assign(target=Name(symbol=symbol), value=value) if symbol.name in names:
            return (value,)
    return ()


def _is_chosen(node: Node, counters: set[str], tables: Tables) -> bool:
    if not isinstance(node, Index | MemberOf) or not is_of_table(node, tables):
        return False
    chosen_by = by_counters(node, tables)
    return bool(names_in(chosen_by) & counters) and is_arithmetic(chosen_by, counters)
