"""Loops around parallel loops whose counter is multiplied or divided: halvings, doublings, levels.

    for (s = n / 2; s > 0; s /= 2) { … }      ->      for (s = n / 2; s > 0; s--) { … }  of which s, s / 2, … are done

In the model such a loop goes through all values between the first and the last one, in the order of the source: what it
does is some of that.  So everything that may happen is there, in the right order, but no iteration says that the one
before has run (`dependences/flow.py`).  It is a loop on the host (`poly/model/rounds.py`), whose counter takes the next
value as the source says (`For.factor`), and which nothing is moved out of.

Taken are counters that the loop alone changes, at its end, from a value that is known before it: `s *= 2`, `s <<= 1`,
`s += s`, `s /= 2`, `s >>= 1`, `s = (s + 1) / 2`.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Sequence as Seq
from dataclasses import replace
from typing import Literal, TypeAlias

from pencilc.ir.build import conjuncts
from pencilc.ir.rewrite import fresh_name, replaced, written_names
from pencilc.ir.source import (
    INT,
    LLONG,
    Assign,
    Binary,
    Block,
    Cast,
    Declare,
    Expr,
    Factor,
    For,
    If,
    IntLiteral,
    Jump,
    Name,
    Node,
    Return,
    Scalar,
    Stmt,
    Symbol,
    Unary,
    While,
    walk,
)
from pencilc.poly.model.affine import keeps_values, type_range
from pencilc.poly.model.long_loops import has_long_loop
from pencilc.records import dataclass

_BITS = 31  # that a number moves by less than
_Relation: TypeAlias = Literal["<", "<=", ">", ">="]
_TURNED: dict[str, _Relation] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def with_factor_loops(block: Block, outside: Block, taken: set[str]) -> Block:
    """`block` with those of its items that are such loops as loops of the model, which a loop in them is worth.

    `outside`: the region; what its other items know of a counter keeps the loop from being one.  `taken`: names that
    the counters must not have.
    """
    items: list[Stmt | None] = list(block.items)
    for position in range(len(items)):
        loop = _factor_loop(block, position, outside, taken)
        if loop is not None:
            found, place = loop
            items[position], items[place] = found, None
    return replace(block, items=tuple(item for item in items if item is not None))


@dataclass(frozen=True, slots=True)
class _Counted:
    """A `while` that changes a counter at its end alone: what is done before in a round, and to what `step` it is set.

    `first` is what the item at `place` of the block sets it to, in front of the loop.
    """

    loop: While
    inside: tuple[Stmt, ...]
    counter: Symbol
    step: Expr
    first: Expr
    place: int


def _counted(block: Block, position: int, outside: Block) -> _Counted | None:
    """The item at `position` as such a loop, whose counter nobody reads behind it; None if it is none."""
    loop = block.items[position]
    if not isinstance(loop, While) or loop.do_first or not isinstance(loop.body, Block) or not has_long_loop(loop.body):
        return None
    if any(isinstance(node, Return) for node in walk(loop)):
        return None
    inside = _flat(loop.body)
    step = inside[-1] if inside else None
    if not isinstance(step, Assign) or not isinstance(step.target, Name):
        return None
    counter = step.target.symbol
    is_counter = isinstance(counter.type, Scalar) and counter.type.is_integer and counter.kind == "local"
    place = _setting(block.items, position, counter.name)
    if not is_counter or place is None or _is_known_behind(block, position, counter.name, outside):
        return None
    first = _first_value(block.items[place:position])
    if first is None or counter.name in written_names(Block(inside[:-1], loop.span)):
        return None
    return _Counted(loop, inside[:-1], counter, step.value, first, place)


def _factor_loop(block: Block, position: int, outside: Block, taken: set[str]) -> tuple[For, int] | None:
    """The `while` at `position` as a loop over its counter, and which item sets that in front; None if it is none."""
    counted = _counted(block, position, outside)
    if counted is None:
        return None
    loop, counter, first = counted.loop, counted.counter, counted.first
    parts = conjuncts(loop.condition)
    found = next(((part, end) for part in parts if (end := _ended(part, counter.name)) is not None), None)
    if found is None:
        return None
    own, (relation, bound) = found
    written = {*written_names(Block(counted.inside, loop.span)), counter.name}
    if not _is_settled(first, written) or not _is_settled(bound, written):
        return None
    upward, known = relation in ("<", "<="), _number(bound)
    least = None if upward else 0 if known is None else known + (relation == ">")
    factor = _factor(counted.step, counter.name, least)
    if factor is None or not (upward or _is_negated_safely(first)):
        return None
    iterator = Symbol(fresh_name(counter.spelling, taken), counter.spelling, counter.type, "iterator", loop.span)

    def as_iterator(node: Node) -> Node | None:
        is_used = _is_name(node, counter.name)
        return Name(iterator, counter.type, node.span) if is_used and isinstance(node, Name) else None

    others = [_left_unless(part) for part in parts if part is not own]
    body = Block(tuple(replaced(item, as_iterator) for item in (*others, *counted.inside)), loop.body.span)
    made = For(
        iterator, first, relation, bound, 1 if upward else -1, body, declares=True, independent=False, span=loop.span,
        factor=factor,
    )  # fmt: skip
    return made, counted.place


def _first_value(items: Seq[Stmt]) -> Expr | None:
    """What the first of `items` sets a counter to, if that is the same behind all of them."""
    setting = items[0]
    value = setting.init if isinstance(setting, Declare) else setting.value if isinstance(setting, Assign) else None
    changed = set[str]().union(*map(written_names, items[1:]))
    return value if value is not None and _is_settled(value, changed) else None


def _is_negated_safely(first: Expr) -> bool:
    """Whether `long long` has the negative value of the first one, with which the host counts what goes down."""
    value = _plain(first)
    is_part = isinstance(value, Binary) and value.op in ("/", ">>") and _number(value.right) is not None
    return is_part or _number(value) is not None or (isinstance(value.type, Scalar) and value.type.size < LLONG.size)


def _is_known_behind(block: Block, position: int, counter: str, outside: Block) -> bool:
    """Whether something may read what the loop at `position` leaves in its counter."""
    for item in block.items[position + 1 :]:
        if _mentions(item, counter):
            return not _sets_first(item, counter)
    if any(isinstance(item, Declare) and item.symbol.name == counter for item in block.items):
        return False
    # The variable is declared around the block, where the loops that set it anew may stand.
    return any(not _is_reset(item, counter) for item in outside.items if _mentions(item, counter))


def _is_reset(item: Stmt, counter: str) -> bool:
    return isinstance(item, Block) and _sets_first(item, counter)


def _sets_first(item: Stmt, counter: str) -> bool:
    """Whether an item that mentions a counter sets it before it reads it."""
    while isinstance(item, Block):
        item = next(inner for inner in item.items if _mentions(inner, counter))
    return isinstance(item, Assign) and _is_name(item.target, counter) and not _mentions(item.value, counter)


def _setting(items: Seq[Stmt], position: int, counter: str) -> int | None:
    """Which item in front of the loop at `position` sets its counter; None if another one mentions it behind that."""
    for place in range(position - 1, -1, -1):
        item = items[place]
        if isinstance(item, Declare) and item.symbol.name == counter:
            return place
        if _mentions(item, counter):
            return place if isinstance(item, Assign) and _sets_first(item, counter) else None
    return None


def _mentions(node: Node, name: str) -> bool:
    """Whether a variable is mentioned, but for where it is declared."""
    return any(_is_name(each, name) for each in walk(node))


def _is_name(node: Node, name: str) -> bool:
    return isinstance(node, Name) and node.symbol.name == name


def _flat(block: Block) -> tuple[Stmt, ...]:
    """The items of a block, those of a block that is its first item among them: a body and the step behind it."""
    if len(block.items) == 2 and isinstance(block.items[0], Block):
        return (*block.items[0].items, block.items[1])
    return block.items


def _left_unless(condition: Expr) -> If:
    """`if (!condition) break;`"""
    span = condition.span
    return If(Unary("!", condition, INT, span), Jump("break", span), None, span)


def _ended(condition: Expr, counter: str) -> tuple[_Relation, Expr] | None:
    """How the counter is compared with what bound while the loop goes on."""
    if not isinstance(condition, Binary) or condition.op not in _TURNED:
        return None
    turned = _TURNED[condition.op]
    for own, other, relation in (
        (condition.left, condition.right, _TURNED[turned]), (condition.right, condition.left, turned)
    ):  # fmt: skip
        if _is_counter(own, counter):
            return relation, other
        is_signed = isinstance(own.type, Scalar) and own.type.kind == "int"
        if isinstance(own, Binary) and own.op == "*" and relation == "<=" and is_signed:
            factor, counted = (own.left, own.right) if _number(own.left) is not None else (own.right, own.left)
            if (_number(factor) or 0) > 0 and _is_counter(counted, counter):
                return relation, Binary("/", other, factor, other.type, other.span)  # 2 * s <= n
    return None


def _is_settled(value: Expr, written: Collection[str]) -> bool:
    """Whether a value is made of numbers and variables that are not `written`."""
    for node in walk(value):
        if isinstance(node, Name) and node.symbol.name in written:
            return False
        if not isinstance(node, Name | IntLiteral | Binary | Cast):
            return False
    return True


def _factor(value: Expr, counter: str, least: int | None) -> Factor | None:
    """What leads from a value of the counter to the next one; down it is `least` in the loop, or more, up None."""
    value = _plain(value)
    if not isinstance(value, Binary):
        return None
    op, left, right = value.op, value.left, value.right
    if op == "*" and _number(left) is not None:
        left, right = right, left
    number = _number(right)
    if op in ("<<", ">>"):
        number = 2**number if number is not None and 0 < number < _BITS else None
        op = "*" if op == "<<" else "/"
    if least is None:
        if op == "+" and _is_counter(left, counter) and _is_counter(right, counter):
            return Factor(2, 1)
        grows = op == "*" and number is not None and number > 1
        return Factor(number, 1) if grows and number is not None and _is_counter(left, counter) else None
    if op != "/" or number is None or number < 2:
        return None
    if _is_counter(left, counter):
        return Factor(1, number) if least > 0 else None
    return _rounded_up(left, number, counter) if least > 1 else None  # of one the half, rounded up, is one


def _rounded_up(value: Expr, by: int, counter: str) -> Factor | None:
    """`counter + more`, divided by a number that is larger than `more`."""
    value = _plain(value)
    if not isinstance(value, Binary) or value.op != "+":
        return None
    if not isinstance(value.type, Scalar) or value.type.kind != "int":
        return None  # of the greatest unsigned number one more is zero
    own, other = (value.right, value.left) if _number(value.left) is not None else (value.left, value.right)
    more = _number(other)
    return Factor(1, by, more) if more is not None and 0 < more < by and _is_counter(own, counter) else None


def _number(value: Expr) -> int | None:
    """The number that a constant is, in its type."""
    if isinstance(value, Cast):
        inside = _number(value.operand)
        return None if inside is None or not isinstance(value.type, Scalar) else _as_type(inside, value.type)
    return value.value if isinstance(value, IntLiteral) else None


def _as_type(number: int, ctype: Scalar) -> int | None:
    """The number as the type has it; None where that is another one."""
    low, high = type_range(ctype) if ctype.is_integer else (0, -1)
    return number if low <= number <= high else None


def _plain(value: Expr) -> Expr:
    """A value without the casts that keep it, whatever it is."""
    while isinstance(value, Cast) and keeps_values(value.operand.type, value.type):
        value = value.operand
    return value


def _is_counter(value: Expr, counter: str) -> bool:
    return _is_name(_plain(value), counter)
