"""The first value of a counter at which a condition of several comparisons fails, as the bound of its loop.

i < n || i < m              i < (n < m ? m : n)
i < 3 || (i > 5 && i < n)   i < (3 <= 5 ? 3 : 5 < n ? n : 6), which isl makes one of each case
i == n, from k on           i < (k <= n - 1 ? k : k < n + 1 ? n + 1 : k)

A loop runs until its condition fails for the first time.  The condition is turned into the ways in which it can fail,
each of them comparisons that all hold; the loop ends where the first of them does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce

from pencilc.frontend.syntax.literals import largest
from pencilc.frontend.translate.constants import integer_value
from pencilc.frontend.translate.linear import NotLinear
from pencilc.frontend.translate.types import common_type, implicit
from pencilc.ir.queries import mentions_any, without_conversions
from pencilc.ir.source import (
    INT,
    LONG,
    AddressOf,
    Binary,
    Call,
    Dereference,
    Expr,
    Index,
    IntLiteral,
    MemberOf,
    Scalar,
    Symbol,
    Ternary,
    Unary,
    walk,
)  # fmt: skip
from pencilc.records import dataclass

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_MOST_WAYS = 16
_MOST_CASES = 4  # ways that depend on more than the counter having come far enough: each doubles what isl has to do

Solver = Callable[[Binary], tuple[str, Expr] | None]


@dataclass(frozen=True, slots=True)
class Counter:
    """A loop's counter: where it starts, its step, and what brings it alone to one side of a comparison."""

    symbol: Symbol
    lower: Expr
    step: int
    solve: Solver


@dataclass(frozen=True, slots=True)
class FirstFailure:
    """`relation` and `bound` of the counter; `is_fixed`: only while nothing that the bound reads changes."""

    relation: str
    bound: Expr
    is_fixed: bool


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to fail: `guards` hold, and the counter has reached `least`, but not passed `most`.

    Both are pairs of a relation and a bound, as (">=", n) and ("<", m) are for a counter that runs upwards.
    """

    guards: tuple[Expr, ...] = ()
    least: tuple[tuple[str, Expr], ...] = ()
    most: tuple[tuple[str, Expr], ...] = ()

    def joined(self, other: _Way) -> _Way:
        """Both at once."""
        return _Way(self.guards + other.guards, self.least + other.least, self.most + other.most)


def first_failure(condition: Expr, counter: Counter) -> FirstFailure:
    """Where `condition` fails first, counting from the start; raises NotLinear."""
    if not is_plain(condition):
        raise NotLinear  # C may not come to evaluate it
    ways = _ways(condition, True, counter)
    if not any(way.least or way.most for way in ways):
        raise NotLinear
    needs_start = any(way.most or not way.least for way in ways)
    if sum(bool(way.guards or way.most) for way in ways) > _MOST_CASES:
        raise NotLinear
    if not needs_start:
        relations = {relation for way in ways for relation, _ in way.least}
        kinds = {_scalar(bound).kind for way in ways for _, bound in way.least}
        if len(relations) == len(kinds) == 1:
            return FirstFailure(_NEGATED[relations.pop()], _soonest(ways, counter), False)
    if abs(counter.step) > 1 and any(way.most for way in ways):
        raise NotLinear  # what lies between two bounds may be stepped over
    if mentions_any(counter.lower, counter.symbol.name):
        raise NotLinear  # the start is gone when the bound is looked at
    upward = counter.step > 0
    wide = [
        _Way(way.guards, _inclusive(way.least, upward, counter), _inclusive(way.most, not upward, counter))
        for way in ways
    ]
    return FirstFailure("<" if upward else ">", _soonest(wide, counter), needs_start)


def is_plain(condition: Expr) -> bool:
    """Whether `condition` reads nothing but scalars, so that it may be evaluated at any time."""
    for node in walk(condition):
        if isinstance(node, Index | Dereference | AddressOf | MemberOf):
            return False
        if isinstance(node, Call) and not all(isinstance(argument.type, Scalar) for argument in node.arguments):
            return False
    return True


# ---- the ways to fail ----------------------------------------------------------------------------


def _ways(condition: Expr, fails: bool, counter: Counter) -> list[_Way]:
    """The ways in which `condition` fails, or with `fails` false holds."""
    expr = _truth(condition)
    match expr:
        case Unary(op="!"):
            return _ways(expr.operand, not fails, counter)
        case Binary(op="&&" | "||"):
            left, right = _ways(expr.left, fails, counter), _ways(expr.right, fails, counter)
            return [*left, *right] if (expr.op == "&&") == fails else _both(left, right)
        case Ternary():
            chosen, not_chosen = _ways(expr.condition, False, counter), _ways(expr.condition, True, counter)
            then, otherwise = _ways(expr.then, fails, counter), _ways(expr.otherwise, fails, counter)
            return [*_both(chosen, then), *_both(not_chosen, otherwise)]
    if not mentions_any(expr, counter.symbol.name):
        return _constant_way(expr, fails)
    if not isinstance(expr, Binary) or expr.op not in _COMPARISONS:
        expr = Binary("!=", expr, IntLiteral(0, _scalar(expr), expr.span), INT, expr.span)
    op = _NEGATED[expr.op] if fails else expr.op
    if op == "!=":
        return [_compared("<", expr, counter), _compared(">", expr, counter)]
    if op == "==":
        return [_compared("<=", expr, counter).joined(_compared(">=", expr, counter))]
    return [_compared(op, expr, counter)]


def _constant_way(expr: Expr, fails: bool) -> list[_Way]:
    """What has nothing to do with the counter."""
    value = integer_value(expr)
    if value is not None:
        return [_Way()] if (value == 0) == fails else []
    return [_Way((Unary("!", expr, INT, expr.span) if fails else expr,))]


def _truth(expr: Expr) -> Expr:
    """`expr` without what asks whether it is true: conversions, `!!`, `!= 0`, `== 1`."""
    inner = without_conversions(expr)
    if isinstance(inner, Unary) and inner.op == "!":
        operand = without_conversions(inner.operand)
        if isinstance(operand, Unary) and operand.op == "!":
            return _truth(operand.operand)
    if isinstance(inner, Binary) and inner.op in ("==", "!="):
        asked, value = without_conversions(inner.left), integer_value(inner.right)
        is_truth = (isinstance(asked, Binary) and asked.op in (*_COMPARISONS, "&&", "||")) or (
            isinstance(asked, Unary) and asked.op == "!"
        )
        if is_truth and value in (0, 1):
            holds = (value == 1) == (inner.op == "==")
            return _truth(asked if holds else Unary("!", asked, INT, expr.span))
    return inner


def _both(left: Iterable[_Way], right: list[_Way]) -> list[_Way]:
    ways = [one.joined(other) for one in left for other in right]
    if len(ways) > _MOST_WAYS:
        raise NotLinear
    return ways


def _compared(op: str, compared: Binary, counter: Counter) -> _Way:
    """The way in which `compared` with `op` as its operator holds; raises NotLinear."""
    found = counter.solve(Binary(op, compared.left, compared.right, INT, compared.span))
    if found is None or found[0] == "!=":
        raise NotLinear
    goes_on = (">", ">=") if counter.step > 0 else ("<", "<=")
    return _Way((), (found,)) if found[0] in goes_on else _Way((), (), (found,))


# ---- the bound -----------------------------------------------------------------------------------


def _inclusive(bounds: Iterable[tuple[str, Expr]], from_below: bool, counter: Counter) -> tuple[tuple[str, Expr], ...]:
    """`i > b` as `i >= b + 1`, with `from_below` false `i < b` as `i <= b - 1`, in a type where nothing overflows."""
    way, inclusive = (1, ">=") if from_below else (-1, "<=")
    return tuple((inclusive, _moved(bound, 0 if op == inclusive else way, counter)) for op, bound in bounds)


def _moved(bound: Expr, by: int, counter: Counter) -> Expr:
    ctype = _scalar(bound)
    value = integer_value(bound)
    if value is not None and -(2**62) < value < 2**62:
        return IntLiteral(value + by, LONG, bound.span)
    start = integer_value(counter.lower)
    is_kept = ctype.kind == "int" or (ctype.size < 8 and start is not None and start >= 0 and counter.step > 0)
    if not is_kept or _scalar(counter.lower).kind != "int":
        raise NotLinear  # the comparison may be one of values that have wrapped
    wide = implicit(bound, LONG)
    if by == 0:
        return wide
    return Binary("+" if by > 0 else "-", wide, IntLiteral(1, LONG, bound.span), LONG, bound.span)


def _soonest(ways: list[_Way], counter: Counter) -> Expr:
    """The first value at which one of the ways is met."""
    upward = counter.step > 0
    sooner, later = ("<", ">") if upward else (">", "<")
    certain = [way for way in ways if not way.guards and not way.most]
    first = reduce(
        lambda one, other: _choice(sooner, one, other), (_farthest(way, later, counter) for way in certain), None
    )
    for way in ways:
        if way in certain:
            continue
        at = _farthest(way, later, counter)
        if way.most:
            at = _choice(later, at, _start(counter))
        otherwise = _never(counter) if first is None else first
        sooner_one = at if first is None else _choice(sooner, at, first)
        assert sooner_one is not None and at is not None
        first = _selected(_meets(way, at, sooner), sooner_one, otherwise)
    assert first is not None
    return first


def _farthest(way: _Way, later: str, counter: Counter) -> Expr:
    """Where all of the way's lower bounds are reached: at the start if it has none."""
    bounds = [bound for _, bound in way.least]
    found = reduce(lambda one, other: _choice(later, one, other), bounds, None)
    return _start(counter) if found is None else found


def _meets(way: _Way, at: Expr, sooner: str) -> Expr:
    """Whether the guards hold, and no bound that must not be passed lies before `at`."""
    parts = [*way.guards]
    for _, bound in way.most:
        common = common_type(_scalar(at), _scalar(bound))
        parts.append(Binary(f"{sooner}=", implicit(at, common), implicit(bound, common), INT, bound.span))
    return reduce(lambda one, other: Binary("&&", one, other, INT, other.span), parts)


def _choice(op: str, one: Expr | None, other: Expr) -> Expr:
    """`one op other ? one : other`."""
    if one is None:
        return other
    common = common_type(_scalar(one), _scalar(other))
    if common.kind == "uint":  # nothing is less than 0, and nvcc warns of the question
        for zero, bound in ((one, other), (other, one)):
            if integer_value(zero) == 0:
                return zero if op == "<" else bound
    return _selected(Binary(op, implicit(one, common), implicit(other, common), INT, other.span), one, other)


def _selected(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    common = common_type(_scalar(then), _scalar(otherwise))
    return Ternary(condition, implicit(then, common), implicit(otherwise, common), common, condition.span)


def _start(counter: Counter) -> Expr:
    return implicit(counter.lower, LONG)


def _never(counter: Counter) -> Expr:
    """The last value of the counter's type: what never fails ends there or, in C, nowhere."""
    ctype = counter.symbol.type
    assert isinstance(ctype, Scalar)
    least = -largest(ctype) - 1 if ctype.kind == "int" else 0
    return IntLiteral(largest(ctype) if counter.step > 0 else least, ctype, counter.lower.span)


def _scalar(expr: Expr) -> Scalar:
    assert isinstance(expr.type, Scalar)
    return expr.type
