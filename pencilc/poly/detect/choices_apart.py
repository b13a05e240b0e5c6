"""Choices that the source makes in one `if`, and that do not decide about each other, as an `if` each.

    if (c) { if (first < 0) first = i; last = i; }      if (c) if (first < 0) first = i;
                                                        if (c) last = i;

    lo = hi = a[0];                                     lo = hi = a[0];
    for (i…)                                            for (i…) {
        if (a[i] < lo) { lo = a[i]; at = i; }               if (a[i] < lo) { lo = a[i]; at = i; }
        else if (a[i] > hi) hi = a[i];                      if (a[i] > hi) hi = a[i];
                                                        }

The `else` changes nothing there: `lo` is never above `hi`, so that nothing is below the one and above the other.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.ir.queries import names_in, same
from pencilc.ir.rewrite import as_block, written_names
from pencilc.ir.scop import OperatorKind
from pencilc.ir.source import (
    AddressOf,
    Assign,
    Block,
    Call,
    Declare,
    Expr,
    For,
    If,
    Name,
    ReductionUpdate,
    Region,
    Stmt,
    walk,
)
from pencilc.poly.reductions.operators import unconverted
from pencilc.poly.reductions.updates import TakenElement, compared, number_of


def with_choices_apart(region: Region) -> Region:
    """`region` with such choices in statements of their own; the region itself where it has none."""
    body = _block(region.body, False)
    return region if same(body, region.body) else replace(region, body=body)


def _block(block: Block, in_loop: bool) -> Block:
    items: list[Stmt] = []
    for item in block.items:
        items += _items(item, items, in_loop)
    return replace(block, items=tuple(items))


def _items(stmt: Stmt, before: Seq[Stmt], in_loop: bool) -> tuple[Stmt, ...]:
    """What stands for a statement behind others of its block."""
    match stmt:
        case Block():
            return (_block(stmt, in_loop),)
        case For():
            # What the variables begin with holds until the loop that chooses, which may stand in others.
            body = _ordered(stmt, _beginnings(before))
            return (replace(stmt, body=_inside(body, True)),)
        case If() if in_loop and (choices := _choices(stmt)):
            return choices
        case If():
            otherwise = None if stmt.otherwise is None else _inside(stmt.otherwise, in_loop)
            return (replace(stmt, then=_inside(stmt.then, in_loop), otherwise=otherwise),)
    return (stmt,)


def _inside(stmt: Stmt, in_loop: bool) -> Stmt:
    made = _items(stmt, (), in_loop)
    return made[0] if len(made) == 1 else Block(made, stmt.span)


# ---- several choices under one condition -----------------------------------------------------------------


def _choices(stmt: If) -> tuple[If, ...]:
    """An `if` for each choice under the condition, where the last of something is kept beside another choice."""
    items = as_block(stmt.then).items
    if stmt.otherwise is not None or len(items) < 2 or any(isinstance(node, Call) for node in walk(stmt)):
        return ()
    if not all(isinstance(item, If | Assign) for item in items) or not any(isinstance(item, If) for item in items):
        return ()
    if not any(isinstance(item, Assign) and isinstance(item.target, Name) and not item.compound for item in items):
        return ()
    for k, item in enumerate(items):
        written = written_names(item)
        others = (other for other in items[:k] + items[k + 1 :])
        if written & names_in(stmt.condition) or any(written & names_in(other) for other in others):
            return ()
    return tuple(replace(stmt, then=item, span=item.span) for item in items)


# ---- the least, else the greatest ------------------------------------------------------------------------


def _beginnings(before: Seq[Stmt]) -> dict[str, Expr]:
    """What variables get right before a loop, by name; those of which the value may have changed since have none."""
    found: dict[str, Expr] = {}
    for item in before:
        match item:
            case Declare(init=None):
                continue
            case Declare(symbol=symbol, init=value) | Assign(target=Name(symbol=symbol), value=value, compound=""):
                name = symbol.name
            case _:
                found.clear()
                continue
        assert value is not None
        written = written_names(item) | {name}
        inner = unconverted(value, None)
        begins = found.get(inner.symbol.name, value) if isinstance(inner, Name) else value
        found = {known: each for known, each in found.items() if known != name and not names_in(each) & written}
        if not any(isinstance(node, Call) for node in walk(value)):
            found[name] = begins
    return found


def _ordered(loop: For, beginnings: dict[str, Expr]) -> Stmt:
    """The body of a loop, where what is the least, else the greatest, is asked for both."""
    items = as_block(loop.body).items
    if len(items) == 1 and isinstance(items[0], For):
        body = _ordered(items[0], beginnings)
        return loop.body if body is items[0].body else replace(items[0], body=body)
    made: list[Stmt] = []
    for item in items:
        otherwise = item.otherwise if isinstance(item, If) else None
        if isinstance(item, If) and otherwise is not None and _never_both(loop, item, otherwise, beginnings):
            made += [replace(item, otherwise=None), otherwise]
        else:
            made.append(item)
    return loop.body if len(made) == len(items) else Block(tuple(made), loop.body.span)


def _never_both(loop: For, stmt: If, otherwise: Stmt, beginnings: dict[str, Expr]) -> bool:
    """Whether no element is taken by an `if` that would be taken by the one in its `else` too, in any iteration."""
    inner = as_block(otherwise).items
    if len(inner) != 1 or not isinstance(inner[0], If) or inner[0].otherwise is not None:
        return False
    first, second = _taken(stmt), _taken(inner[0])
    if first is None or second is None or not (first.is_strict and second.is_strict):
        return False
    if {first.kind, second.kind} != {OperatorKind.MIN, OperatorKind.MAX} or not same(first.element, second.element):
        return False
    if written_names(stmt.then) & names_in(inner[0]) or written_names(inner[0]) & names_in(stmt.condition, stmt.then):
        return False
    least, greatest = (first, second) if first.kind is OperatorKind.MIN else (second, first)
    low, high = _beginning(loop, least.target, beginnings), _beginning(loop, greatest.target, beginnings)
    if low is None or high is None or least.target.type != greatest.target.type:
        return False
    if same(low, high):
        return True
    numbers = number_of(low), number_of(high)
    return numbers[0] is not None and numbers[1] is not None and numbers[0] <= numbers[1]


def _beginning(loop: For, target: Expr, beginnings: dict[str, Expr]) -> Expr | None:
    """What a variable has in front of a loop that sets it in one place; None where that is not known."""
    if not isinstance(target, Name):
        return None
    name = target.symbol.name
    changes = [node for node in walk(loop) if isinstance(node, Assign | AddressOf | Declare | ReductionUpdate)
               and name in written_names(node)]  # fmt: skip
    value = beginnings.get(name)
    return None if len(changes) != 1 or value is None else unconverted(value, None)


def _taken(stmt: If) -> TakenElement | None:
    """The element that an `if` takes where it is less, or greater, than what its variable has."""
    items = as_block(stmt.then).items
    found = [
        each for item in items if isinstance(item, Assign) and (each := compared(stmt.condition, item)) is not None
    ]
    is_plain = all(isinstance(item, Assign) and not item.compound for item in items)
    return found[0] if is_plain and len(found) == 1 else None
