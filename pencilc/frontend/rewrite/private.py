"""Scalars that each iteration of a loop sets before it uses them are declared in the loop.

Before: `double t; for (i…) { t = a[i]; b[i] = t * t; }  for (j…) { t = c[j]; d[j] = t; }`
After:  `for (i…) { double t = a[i]; b[i] = t * t; }  for (j…) { double t_1 = c[j]; d[j] = t_1; }`

What is declared in the loop already, `for (i…) { double t; t = a[i]; … }`, is declared with its first value likewise.

Each iteration then has a variable of its own, and iterations need not wait for each other ("privatization", Tu and
Padua, LCPC 1993).  Where the value is used behind the loop, the last iteration hands it on: `if (i == n - 1) t = t_1;`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.diagnostics.source import Span
from pencilc.frontend.translate.types import common_type
from pencilc.ir.exposure import Exposure, exposure, exposure_of_items
from pencilc.ir.queries import counters_in, declared_in, mentions_any, names_in
from pencilc.ir.rewrite import Renaming, as_block, fresh_name, renamed, written_names
from pencilc.ir.source import (
    INT,
    Assign,
    Binary,
    Block,
    Cast,
    Declare,
    Expr,
    For,
    If,
    IntLiteral,
    Jump,
    Name,
    ReductionInit,
    ReductionUpdate,
    Region,
    Return,
    Scalar,
    Stmt,
    Struct,
    Symbol,
    Unary,
    While,
    walk,
)
from pencilc.records import dataclass

# Whether a variable may be read before it is set again, by what comes next.
_Live = Callable[[str], bool]


def with_private_scalars(region: Region, identifiers: frozenset[str]) -> Region:
    """`region` with scalars and structs declared in the innermost loops whose iterations have them for themselves."""
    region = replace(region, body=_with_first_values(region.body))
    counters = counters_in(region.body)
    if not counters:
        return region
    taken = {*identifiers, *counters, *(p.name for p in region.params)}
    taken |= names_in(region.body) | declared_in(region.body)
    written = {p.name: p for p in region.params if p.name in region.written_scalars}
    visitor = _Privatization(counters, taken)
    body = visitor.block(region.body, written, written.__contains__)
    return region if not visitor.copies else replace(region, body=visitor.named(body))


@dataclass(frozen=True, slots=True)
class _Copy:
    """The variable of each iteration that took the place of `original`."""

    symbol: Symbol
    original: Symbol


class _Privatization:
    """Goes through a region from the outermost loops to the innermost ones."""

    def __init__(self, counters: set[str], taken: set[str]) -> None:
        self._counters, self._taken = counters, taken
        self._given = set(taken)
        self.copies: dict[str, _Copy] = {}

    def block(self, block: Block, visible: dict[str, Symbol], live: _Live) -> Block:
        """`block`, given the variables that are `visible` in it and those that are `live` behind it."""
        own = {item.symbol.name: item.symbol for item in block.items if isinstance(item, Declare)}
        inside = {**visible, **{name: s for name, s in own.items() if self._may_be_private(s)}}
        behind: list[_Live] = []
        after: _Live = lambda name: name not in own and live(name)  # noqa: E731
        for item in reversed(block.items):
            behind.append(after)
            after = _before(exposure(item), after)
        pairs = zip(block.items, reversed(behind), strict=True)
        return replace(block, items=tuple(self._stmt(item, inside, following) for item, following in pairs))

    def _may_be_private(self, symbol: Symbol) -> bool:
        return isinstance(symbol.type, Scalar | Struct) and symbol.name not in self._counters

    def _stmt(self, stmt: Stmt, visible: dict[str, Symbol], live: _Live) -> Stmt:
        match stmt:
            case Block():
                return self.block(stmt, visible, live)
            case If():
                otherwise = None if stmt.otherwise is None else self._stmt(stmt.otherwise, visible, live)
                return replace(stmt, then=self._stmt(stmt.then, visible, live), otherwise=otherwise)
            case While():
                return replace(stmt, body=self._stmt(stmt.body, visible, _always))
            case For():
                return self._loop(stmt, visible, live)
        return stmt

    def _loop(self, loop: For, visible: dict[str, Symbol], live: _Live) -> For:
        body = as_block(loop.body)
        inside = exposure_of_items(body.items)
        # What the head names keeps its value in all iterations, and what a clause names is no variable of one.
        shared = names_in(loop.lower, loop.bound, *(v for clause in loop.reductions for v in clause.variables))
        written = written_names(body) & visible.keys()
        own: list[Symbol] = []
        for name in sorted(written - shared, key=list(visible).index):
            handed_on = live(name)
            if inside.reads(name) or (handed_on and not _hands_on(loop, inside, visible[name])):
                continue
            if not handed_on and not _is_read(body, name):
                continue  # What nobody reads goes with the dead stores.
            own.append(visible[name])
            body = self._private(loop, body, visible[name], handed_on)
        left = {name: symbol for name, symbol in visible.items() if symbol not in own}
        return replace(loop, body=self.block(body, left, _always))

    def _private(self, loop: For, body: Block, symbol: Symbol, handed_on: bool) -> Block:
        """`body` with a variable of its own in the place of `symbol`, whose last value is handed on if wanted."""
        copy = renamed(replace(symbol, is_const=False), self._taken)
        first = self.copies[symbol.name].original if symbol.name in self.copies else symbol
        self.copies[copy.name] = _Copy(copy, first)
        renaming = Renaming({symbol.name: copy}, {})
        renamed_body: Block = renaming.node(body)
        items = [*_declared(copy, renamed_body.items, symbol.span)]
        if handed_on:
            target, value = Name(symbol, symbol.type, loop.span), Name(copy, copy.type, loop.span)
            items.append(If(is_last(loop), Assign(target, value, loop.span), None, loop.span))
        return replace(body, items=tuple(items))

    def named(self, body: Block) -> Block:
        """`body` without the declarations that nothing needs any more; their names are free for the first copies."""
        body = without_unused(body, {*self.copies, *(copy.original.name for copy in self.copies.values())})
        declared = [node.symbol for node in walk(body) if isinstance(node, Declare)]
        needed = {symbol.name for symbol in declared}
        originals = (copy.original for copy in self.copies.values())
        taken = self._given - {s.name for s in originals if s.kind == "local" and s.name not in needed}
        names: dict[str, Symbol] = {}
        for symbol in declared:
            if symbol.name in self.copies:
                first = self.copies[symbol.name].original.name
                wanted = symbol.spelling if first in taken else first
                names[symbol.name] = replace(symbol, name=fresh_name(wanted, taken))
        renamed_body: Block = Renaming(names, {}).node(body)
        return renamed_body


def _is_read(body: Block, name: str) -> bool:
    """Whether anything but the statements that set or update the variable names it."""
    named = set_only = 0
    for node in walk(body):
        match node:
            case Name(symbol=symbol) if symbol.name == name:
                named += 1
            case (
                Assign(target=Name(symbol=symbol))
                | ReductionInit(variable=Name(symbol=symbol))
                | ReductionUpdate(variable=Name(symbol=symbol))
            ) if symbol.name == name:
                set_only += 1
    return named > set_only


def _always(_: str) -> bool:
    return True


def _before(item: Exposure, after: _Live) -> _Live:
    """What is live in front of an item behind which `after` tells what is live."""
    return lambda name: item.reads(name) or (not item.sets(name) and after(name))


def _hands_on(loop: For, inside: Exposure, symbol: Symbol) -> bool:
    """Whether the last iteration, and which one that is, can be told, and leaves a value in the variable."""
    if any(isinstance(node, Jump | Return) for node in walk(loop.body)):
        return False
    if names_in(loop.bound) & {*written_names(loop.body), loop.iterator.name}:
        return False
    return inside.sets_all_of(symbol)


def is_last(loop: For) -> Expr:
    """The condition whether this iteration of the loop is the last one: the next value fails its condition."""
    assert isinstance(loop.iterator.type, Scalar)
    span, ctype = loop.span, common_type(loop.iterator.type, INT)
    counter: Expr = Name(loop.iterator, loop.iterator.type, span)
    if counter.type != ctype:
        counter = Cast(counter, ctype, span)
    after = Binary("+" if loop.step > 0 else "-", counter, IntLiteral(abs(loop.step), ctype, span), ctype, span)
    ended = after if ctype == loop.bound.type else Cast(after, loop.bound.type, span)
    return Unary("!", Binary(loop.relation, ended, loop.bound, INT, span), INT, span)


def _with_first_values(block: Block) -> Block:
    """`block` with the scalars and structs that blocks of it declare without a value declared where they get their
    first one.
    """

    def changed(items: Seq[Stmt]) -> Seq[Stmt]:
        for item in tuple(items):
            if isinstance(item, Declare) and item.init is None and isinstance(item.symbol.type, Scalar | Struct):
                position = items.index(item)
                rest = items[position + 1 :]
                first = next((each for each in rest if mentions_any(each, item.symbol.name)), None)
                if first is not None and _is_first_value(first, item.symbol.name):
                    items = (*items[:position], *_declared(item.symbol, rest, item.span))
        return items

    return _each_block(block, changed)


def _declared(symbol: Symbol, items: Seq[Stmt], span: Span) -> Seq[Stmt]:
    """`items` with a declaration of `symbol` where they first name it: with its value, if that is what gives it one."""
    for number, item in enumerate(items):
        if mentions_any(item, symbol.name):
            if _is_first_value(item, symbol.name):
                assert isinstance(item, Assign)
                return (*items[:number], Declare(symbol, item.value, item.span), *items[number + 1 :])
            return (*items[:number], Declare(symbol, None, span), *items[number:])
    return items


def _is_first_value(stmt: Stmt, name: str) -> bool:
    """Whether a statement gives the whole variable a value that does not depend on it."""
    if not isinstance(stmt, Assign) or not isinstance(stmt.target, Name) or stmt.target.symbol.name != name:
        return False
    return not mentions_any(stmt.value, name)


def without_unused(block: Block, names: Iterable[str]) -> Block:
    """`block` without declarations of variables called `names` that are given no value and named nowhere."""
    unused = set(names) - names_in(block)

    def kept(item: Stmt) -> bool:
        return not (isinstance(item, Declare) and item.init is None and item.symbol.name in unused)

    return _each_block(block, lambda items: [item for item in items if kept(item)])


def _each_block(block: Block, changed: Callable[[Seq[Stmt]], Seq[Stmt]]) -> Block:
    """`block` with the items of all blocks in it as `changed` makes them, the innermost blocks first."""

    def within(stmt: Stmt) -> Stmt:
        match stmt:
            case Block():
                return _each_block(stmt, changed)
            case If():
                otherwise = None if stmt.otherwise is None else within(stmt.otherwise)
                return replace(stmt, then=within(stmt.then), otherwise=otherwise)
            case For() | While():
                return replace(stmt, body=within(stmt.body))
        return stmt

    return replace(block, items=tuple(changed([within(item) for item in block.items])))
