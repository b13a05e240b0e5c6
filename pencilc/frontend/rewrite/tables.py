"""Tables that a function declares are tables of the file: no thread fills them, and no kernel is launched for that.

Before: `int f(int s) { static const short tab[16] = {0, 1, …}; return tab[s & 15]; }`
After:  `const short f_tab[16] = {0, 1, …};   int f(int s) { return f_tab[s & 15]; }`

A table has constants as its elements, and nothing changes it: it is `const`, or only its elements are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pencilc.ir.header_names import HEADER_NAMES
from pencilc.ir.queries import names_of_file, names_of_region, root
from pencilc.ir.rewrite import Renaming, fresh_name, replaced, written_names
from pencilc.ir.source import (
    ArrayType,
    Binary,
    Block,
    Cast,
    Declare,
    FloatLiteral,
    Index,
    Initializer,
    IntLiteral,
    MemberOf,
    Name,
    Node,
    Symbol,
    TranslationUnit,
    Unary,
    walk,
)

_CONSTANTS = (IntLiteral, FloatLiteral, Unary, Binary, Cast, Initializer)


def with_tables_outside(unit: TranslationUnit, identifiers: frozenset[str]) -> TranslationUnit:
    """`unit` with the tables that its functions and regions declare among its globals.

    `identifiers`: names of the file, which no table gets.
    """
    taken = {*identifiers, *HEADER_NAMES, *names_of_file(unit)}
    for region in unit.regions:
        taken |= names_of_region(region)
    lifter = _Lifter(taken)
    functions = tuple(replace(each, body=lifter.without_tables(each.body, each.name)) for each in unit.functions)
    regions = tuple(replace(each, body=lifter.without_tables(each.body, each.function)) for each in unit.regions)
    if not lifter.found:
        return unit
    return replace(unit, globals=(*unit.globals, *lifter.found), functions=functions, regions=regions)


class _Lifter:
    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.found: list[Declare] = []

    def without_tables(self, body: Block, owner: str) -> Block:
        """`body` of the function `owner` with its tables as those of the file."""
        tables = {each.symbol.name: each for each in _tables(body)}
        if not tables:
            return body
        symbols: dict[str, Symbol] = {}
        for name, each in tables.items():
            own = fresh_name(f"{owner}_{each.symbol.spelling}", self.taken)
            symbols[name] = replace(each.symbol, name=own, kind="global", is_const=True)
            self.found.append(replace(each, symbol=symbols[name]))

        def left_out(node: Node) -> Any:
            if not isinstance(node, Block):
                return None
            items = [each for each in node.items if not (isinstance(each, Declare) and each.symbol.name in tables)]
            return replace(node, items=tuple(replaced(each, left_out) for each in items))

        renamed: Block = Renaming(symbols, {}).node(replaced(body, left_out))
        return renamed


def _tables(body: Block) -> Iterator[Declare]:
    """The declarations of tables in `body`."""
    written = written_names(body)
    inside = {id(each.base) for each in walk(body) if isinstance(each, Index | MemberOf)}
    # Arrays, and rows of them, that are handed to somebody.
    whole = {
        base.symbol.name for each in walk(body) if isinstance(each, Name | Index | MemberOf)
        and id(each) not in inside and isinstance(each.type, ArrayType) and (base := root(each)) is not None
    }  # fmt: skip
    for each in walk(body):
        if not isinstance(each, Declare) or not isinstance(each.symbol.type, ArrayType):
            continue
        is_constant = isinstance(each.init, Initializer) and all(isinstance(n, _CONSTANTS) for n in walk(each.init))
        is_read_only = each.symbol.is_const or each.symbol.name not in written | whole
        if is_constant and is_read_only and _has_size(each.symbol.type):
            yield each


def _has_size(ctype: ArrayType) -> bool:
    """Whether all extents are numbers."""
    inner = ctype.element
    return isinstance(ctype.extent, IntLiteral) and (not isinstance(inner, ArrayType) or _has_size(inner))
