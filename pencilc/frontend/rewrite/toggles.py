"""Integers that go to and fro between 0 and 1 in a loop are what the counter of the loop says.

Before: `int p = 0;  for (int t = 0; t < n; t++) { u[1 - p][i] = u[p][i] + 1;  p = 1 - p; }  s = u[p][0];`
After:  `int p = 0;  for (int t = 0; t < n; t++) u[1 - t % 2][i] = u[t % 2][i] + 1;  p = 0 < n ? n % 2 : 0;  …`

So do two that are exchanged in each iteration (`swap = a; a = b; b = swap;`).  A subscript then says which half of an
array an iteration reads and which it writes; of a value that the iteration before has left, the model knows nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.frontend.rewrite.counters import converted
from pencilc.frontend.translate.constants import integer_value
from pencilc.frontend.translate.types import common_type
from pencilc.ir.queries import has_own_jump, names_in, without_conversions
from pencilc.ir.rewrite import Renaming, in_blocks, written_names
from pencilc.ir.source import (
    BOOL,
    INT,
    Assign,
    Binary,
    Block,
    Declare,
    Expr,
    For,
    IntLiteral,
    Name,
    Region,
    Return,
    Scalar,
    Stmt,
    Symbol,
    Ternary,
    walk,
)
from pencilc.records import dataclass


def with_toggles(region: Region) -> Region:
    """`region` with such integers as what they are in each iteration."""
    return replace(region, body=_in_block(region.body))


@dataclass(frozen=True, slots=True)
class _Toggle:
    """Statements `first` to below `end` of the body of a loop change the variable from 0 to 1 or from 1 to 0."""

    symbol: Symbol
    first: int
    end: int


def _in_block(block: Block) -> Block:
    known: dict[str, int] = {}
    items: list[Stmt] = []
    for item in block.items:
        item = in_blocks(item, _in_block)
        if isinstance(item, For) and known:
            loop, finals = _toggled(item, known)
            made = [loop, *finals]
        else:
            made = [item]
        items += made
        for name in set().union(*map(written_names, made)):
            known.pop(name, None)
        match item:
            case Declare(symbol=symbol, init=value) if value is not None:
                _note(known, symbol, value)
            case Assign(target=Name(symbol=symbol), value=value):
                _note(known, symbol, value)
    return replace(block, items=tuple(items))


def _note(known: dict[str, int], symbol: Symbol, value: Expr) -> None:
    """What is known of a variable that is set."""
    begin = integer_value(value)
    known.pop(symbol.name, None)
    if begin in (0, 1) and isinstance(symbol.type, Scalar) and symbol.type.is_integer:
        known[symbol.name] = begin


def _toggled(loop: For, known: Mapping[str, int]) -> tuple[For, list[Stmt]]:
    """The loop without its toggles, and what gives the variables their last values."""
    body = loop.body if isinstance(loop.body, Block) else Block((loop.body,), loop.span)
    if abs(loop.step) != 1 or loop.relation == "!=" or loop.factor is not None:
        return loop, []
    if has_own_jump(body) or any(isinstance(each, Return) for each in walk(body)):
        return loop, []
    if names_in(loop.lower, loop.bound) & written_names(loop):
        return loop, []
    found = [each for each in _toggles(body.items, known) if _is_alone(each, body.items)]
    # Two that are exchanged go together, or stay together.
    found = [each for each in found if sum(other.first == each.first for other in found) == _count(body.items, each)]
    if not found:
        return loop, []
    items: list[Stmt] = []
    for position, item in enumerate(body.items):
        if any(each.first <= position < each.end for each in found):
            continue
        values = {each.symbol.name: _value(loop, each, known, position >= each.end) for each in found}
        items.append(Renaming({}, values).node(item))
    finals: list[Stmt] = []
    for each in found:
        name = Name(each.symbol, each.symbol.type, loop.span)
        finals.append(Assign(name, _last(loop, each, known), loop.span))
    return replace(loop, body=replace(body, items=tuple(items))), finals


def _toggles(items: Seq[Stmt], known: Mapping[str, int]) -> Iterator[_Toggle]:
    """The statements that change one of the variables, or exchange two of them, and do nothing else."""
    for position, item in enumerate(items):
        match item:
            case Assign(target=Name(symbol=symbol), value=value) if symbol.name in known:
                meant = _meant(value, items, position)
                if [_for(meant, symbol.name, before) for before in (0, 1)] == [1, 0]:
                    yield _Toggle(symbol, position, position + 1)
        exchanged = _exchanged(items[position : position + 3])
        if exchanged is not None and sorted(known.get(each.name, 2) for each in exchanged) == [0, 1]:
            for symbol in exchanged:
                yield _Toggle(symbol, position, position + 3)


def _meant(value: Expr, items: Seq[Stmt], position: int) -> Expr:
    """What the statement at `position` sets a variable to: `next` of `int next = 1 - p;` in front of it is `1 - p`."""
    inner = without_conversions(value)
    if not isinstance(inner, Name):
        return value
    for item in items[:position]:
        if isinstance(item, Declare) and item.symbol.name == inner.symbol.name and item.init is not None:
            is_kept = not any(inner.symbol.name in written_names(each) for each in items if each is not item)
            return item.init if is_kept else value
    return value


def _for(value: Expr, name: str, before: int) -> int | None:
    """What an expression is where the variable is `before`, if it depends on nothing else."""
    return integer_value(Renaming({}, {name: IntLiteral(before, INT, value.span)}).node(value))


def _exchanged(items: Seq[Stmt]) -> tuple[Symbol, Symbol] | None:
    """The variables of `swap = a; a = b; b = swap;`."""
    if len(items) < 3:
        return None
    sides = [_sides(item) for item in items]
    match sides:
        case [(swap, first), (first_again, second), (second_again, swap_again)]:
            if (first, second, swap) == (first_again, second_again, swap_again) and first.type == second.type:
                return first, second
    return None


def _sides(item: Stmt) -> tuple[Symbol, Symbol] | None:
    """The variables of `left = right;`."""
    match item:
        case Declare(symbol=left, init=value) if value is not None:
            right = without_conversions(value)
        case Assign(target=Name(symbol=left), value=value):
            right = without_conversions(value)
        case _:
            return None
    return (left, right.symbol) if isinstance(right, Name) else None


def _is_alone(toggle: _Toggle, items: Seq[Stmt]) -> bool:
    """Whether nothing else changes the variable, nor uses the one that helps in an exchange."""
    others = [*items[: toggle.first], *items[toggle.end :]]
    if any(toggle.symbol.name in written_names(item) for item in others):
        return False
    helper = items[toggle.first]
    # What is left in a variable from outside may be read behind the loop.
    return toggle.end == toggle.first + 1 or (
        isinstance(helper, Declare) and not any(helper.symbol.name in names_in(item) for item in others)
    )


def _count(items: Seq[Stmt], toggle: _Toggle) -> int:
    return 1 if toggle.end == toggle.first + 1 else 2


def _value(loop: For, toggle: _Toggle, known: Mapping[str, int], is_behind: bool) -> Expr:
    """The variable in an iteration, in front of its toggle or behind it."""
    counter = Name(loop.iterator, loop.iterator.type, loop.span)
    ends = (counter, loop.lower) if loop.step > 0 else (loop.lower, counter)
    found = _even_or_odd(_difference(*ends), (known[toggle.symbol.name] + is_behind) % 2)
    # Of a truth value the model would not see what it is.
    return found if toggle.symbol.type == BOOL else converted(found, toggle.symbol.type)


def _last(loop: For, toggle: _Toggle, known: Mapping[str, int]) -> Expr:
    """The variable behind the loop."""
    begin, span, lower = known[toggle.symbol.name], loop.span, converted(loop.lower, loop.bound.type)
    count = _difference(*((loop.bound, lower) if loop.step > 0 else (lower, loop.bound)))
    more = loop.relation in ("<=", ">=")
    runs = Binary(loop.relation, lower, loop.bound, INT, span)
    last = _even_or_odd(count, (begin + more) % 2)
    return converted(
        Ternary(runs, last, converted(IntLiteral(begin, INT, span), last.type), last.type, span), toggle.symbol.type
    )


def _difference(left: Expr, right: Expr) -> Expr:
    if integer_value(right) == 0:
        return left
    assert isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
    ctype = common_type(left.type, right.type)
    return Binary("-", converted(left, ctype), converted(right, ctype), ctype, left.span)


def _even_or_odd(count: Expr, more: int) -> Expr:
    """`(count + more) % 2`, where `count` is not negative."""
    assert isinstance(count.type, Scalar)
    kind = common_type(count.type, INT)
    total = converted(count, kind)
    if more:
        total = Binary("+", total, IntLiteral(1, kind, count.span), kind, count.span)
    return Binary("%", total, IntLiteral(2, kind, count.span), kind, count.span)
