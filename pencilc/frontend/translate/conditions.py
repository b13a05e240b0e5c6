"""The condition of a `for` loop: a relation between the counter and a bound, and what else must hold to go on.

i < n && i < m && done[i]   relation `<`, bound `n < m ? n : m`, rest `done[i]`
i < n || i < m              relation `<`, bound `n > m ? n : m` (first_failure.py)
i / 2 < n                   relation `<`, bound `n > 0 ? n * 2 : n * 2 - 1`
i + 2 < n                   relation `<`, bound `n - 2` (unsigned: `n > 2 ? n - 2 : 0`)
4 * i + 3 < n               relation `<`, bound `n - 3 > 0 ? (n - 3 - 1) / 4 + 1 : 0`
n - i >= k                  relation `<=`, bound `n - k`
"""

from __future__ import annotations

from typing import Any, Literal

from pycparser import c_ast

from pencilc.frontend.syntax.nodes import may_change
from pencilc.frontend.translate.constants import integer_value
from pencilc.frontend.translate.first_failure import Counter, first_failure, is_plain
from pencilc.frontend.translate.linear import LinearForm, NotLinear, linear
from pencilc.frontend.translate.translators import Statements
from pencilc.frontend.translate.types import implicit
from pencilc.ir.queries import mentions_any
from pencilc.ir.source import INT, LONG, Binary, Cast, Expr, IntLiteral, Name, Scalar, Symbol, Ternary, Unary, walk
from pencilc.records import dataclass

Relation = Literal["<", "<=", ">", ">=", "!="]
FLIPPED: dict[str, Relation] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!="}
_SMALL = 2**31


@dataclass(frozen=True, slots=True)
class Condition:
    """`iterator relation bound && rest`; `rest` is None where there is nothing more."""

    relation: Relation
    bound: Expr
    rest: Expr | None


class Unbounded(Exception):
    """The condition says nothing but how the loop ends: `i * i < n`, `a[i] > 0`, `i < n || i < a[0]`."""


def loop_condition(st: Statements, node: Any, iterator: Symbol, lower: Expr, step: int) -> Condition:
    """The condition of the loop `node`; where nothing in it bounds the counter, raises Unbounded or Refused."""
    if node.cond is None:
        raise st.context.refuse("PC0302", "a loop needs a bound", node, helps=("`for (int i = start; i < end; i++)`",))
    counter = Counter(iterator, lower, step, lambda compared: _alone(compared, iterator, lower))
    parts = _conjuncts(node.cond)
    single = [_relation(st, part, counter) for part in parts]
    if len(parts) == 1 and single[0] is not None:
        return Condition(*single[0], None)
    exprs = [st.tr.arithmetic(part) for part in parts]
    bounding = [expr for expr in exprs if _failure([expr], counter, node.stmt) is not None]
    lasting = [expr for expr in exprs if is_plain(expr) and not mentions_any(expr, iterator.name)]
    for known in ([*bounding, *lasting], bounding):
        if bounding and (failure := _failure(known, counter, node.stmt)) is not None:
            return Condition(*failure, _all([expr for expr in exprs if not any(expr is each for each in known)]))
    found = next((k for k, relation in enumerate(single) if relation is not None), None)
    if found is not None and (relation := single[found]) is not None:
        return Condition(*relation, _all([*exprs[:found], *exprs[found + 1 :]]))
    whole = _all(exprs)
    if whole is not None and mentions_any(whole, iterator.name):
        raise Unbounded
    raise st.context.refuse(
        "PC0302",
        f"loop condition must compare counter `{iterator.spelling}` with a bound",
        node.cond,
        helps=("a condition on data is one for a `while`, or for a `break` in a loop that has a bound",),
    )


def _all(parts: list[Expr]) -> Expr | None:
    """All of `parts`; None if there are none."""
    joined: Expr | None = None
    for expr in parts:
        joined = expr if joined is None else Binary("&&", joined, expr, INT, joined.span)
    return joined


def _failure(conditions: list[Expr], counter: Counter, body: Any) -> tuple[Relation, Expr] | None:
    """The relation and the bound that stand for all `conditions`; None where there are none."""
    condition = _all(conditions)
    if condition is None:
        return None
    try:
        found = first_failure(condition, counter)
    except NotLinear:
        return None
    read = {n.symbol.spelling for n in walk(found.bound) if isinstance(n, Name)}
    if found.is_fixed and any(may_change(body, name) for name in read):
        return None
    return FLIPPED[FLIPPED[found.relation]], found.bound


def _conjuncts(node: Any) -> list[Any]:
    if type(node).__name__ == "BinaryOp" and node.op == "&&":
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    if type(node).__name__ == "UnaryOp" and node.op == "!" and type(node.expr).__name__ == "BinaryOp":
        inner = node.expr
        if inner.op in _NEGATED:
            return [c_ast.BinaryOp(_NEGATED[inner.op], inner.left, inner.right, inner.coord)]
    return [node]


def _relation(st: Statements, cond: Any, counter: Counter) -> tuple[Relation, Expr] | None:
    """The relation and the bound of one comparison; None where it does not bound the counter."""
    iterator = counter.symbol
    op = cond.op if type(cond).__name__ == "BinaryOp" else ""
    if op not in FLIPPED:
        return None
    compared = st.tr.arithmetic(cond)
    assert isinstance(compared, Binary)
    left, right = compared.left, compared.right
    if not (mentions_any(left, iterator.name) or mentions_any(right, iterator.name)):
        return None
    common = left.type
    assert isinstance(common, Scalar)
    if not common.is_integer:
        for side, other in ((left, cond.right), (right, cond.left)):
            if isinstance(side, Cast) and isinstance(side.operand, Name) and mentions_any(side, iterator.name):
                message = "loop bound is not an integer"
                raise st.context.refuse("PC0302", message, other, f"has type `{common.name}`")
        return None
    return _alone(compared, iterator, counter.lower)


def _alone(compared: Binary, iterator: Symbol, lower: Expr) -> tuple[Relation, Expr] | None:
    """`compared`, of integers, as a relation between the counter alone and a bound; None where there is none."""
    left, right, relation = compared.left, compared.right, FLIPPED[FLIPPED[compared.op]]
    if not mentions_any(right, iterator.name) and _is_counter(left, iterator):
        return relation, right
    if not mentions_any(left, iterator.name) and _is_counter(right, iterator):
        return FLIPPED[relation], left
    return _solved(relation, compared, iterator, lower)


def _solved(relation: Relation, compared: Binary, iterator: Symbol, lower: Expr) -> tuple[Relation, Expr] | None:
    """`compared` with the counter alone on the left; None where it cannot be brought there."""
    common = compared.left.type
    assert isinstance(common, Scalar)
    start = integer_value(lower)
    never_negative = start is not None and 0 <= start < _SMALL
    if never_negative and relation in ("<", "<=", "!=") and (found := _as_signed(relation, compared, iterator)):
        return found
    try:
        left = linear(compared.left, iterator, never_negative)
        right = linear(compared.right, iterator, never_negative)
    except NotLinear:
        return _undivided(relation, compared, iterator, lower)
    if left.factor < right.factor:
        left, right, relation = right, left, FLIPPED[relation]
    factor = left.factor - right.factor
    if factor == 0:
        return None
    if common.kind == "uint" or left.wraps or right.wraps:
        return _unsigned(relation, left, right, common, start == 0) if never_negative else None
    distance = right.minus(left)
    if factor == 1:
        return relation, distance
    return relation, _divided(relation, distance, factor, never_negative)


def _as_signed(relation: Relation, compared: Binary, iterator: Symbol) -> tuple[Relation, Expr] | None:
    """`(int)i < n` of an unsigned counter that starts at a small value as `i < (n > 0 ? n : 0)`; None otherwise."""
    left, right = compared.left, compared.right
    ctype, span = iterator.type, right.span
    if mentions_any(right, iterator.name) or not isinstance(left, Cast) or not isinstance(ctype, Scalar):
        return None
    if not isinstance(left.operand, Name) or _scalar(left).kind != "int" or _scalar(left).size != ctype.size:
        return None
    if relation == "!=":
        return relation, right
    zero = IntLiteral(0, _scalar(right), span)
    if relation == "<=":
        wide = implicit(right, LONG)
        right, zero = _plus("+", wide, IntLiteral(1, LONG, span)), IntLiteral(0, LONG, span)
    return "<", Ternary(Binary(">", right, zero, INT, span), right, zero, right.type, span)


def _undivided(relation: Relation, compared: Binary, iterator: Symbol, lower: Expr) -> tuple[Relation, Expr] | None:
    """`x / 2 + k < n` as `x < (n - k) * 2`, in which `x` is brought to a side; `>>` rounds down, `/` towards zero."""
    left, right = compared.left, compared.right
    if mentions_any(right, iterator.name):
        left, right, relation = right, left, FLIPPED[relation]
    if mentions_any(right, iterator.name) or relation == "!=" or _scalar(left).kind != "int":
        return None
    right = implicit(right, LONG)
    while not isinstance(left, Name):
        if isinstance(left, Cast) and _keeps_value(left):
            left = left.operand
            continue
        if not isinstance(left, Binary):
            return None
        whole: Binary = left
        if whole.op in ("+", "-") and not mentions_any(whole.right, iterator.name):
            left, right = whole.left, _plus("-" if whole.op == "+" else "+", right, whole.right)
        elif whole.op == "+" and not mentions_any(whole.left, iterator.name):
            left, right = whole.right, _plus("-", right, whole.left)
        elif whole.op in ("/", ">>"):
            relation, bound = _multiplied(relation, whole, right)
            if bound is None:
                return None
            inner = implicit(whole.left, LONG)
            return _alone(Binary(relation, inner, bound, INT, compared.span), iterator, lower)
        else:
            return None
    return relation, right


def _keeps_value(cast: Cast) -> bool:
    source, target = cast.operand.type, cast.type
    if not isinstance(source, Scalar) or not isinstance(target, Scalar):
        return False
    return source.kind == target.kind == "int" and target.size >= source.size


def _multiplied(relation: Relation, divided: Binary, limit: Expr) -> tuple[Relation, Expr | None]:
    """The relation and the bound of `x` in `x / c relation limit` or `x >> c relation limit`."""
    span, by = limit.span, integer_value(divided.right)
    if by is None or not (0 < by < _SMALL if divided.op == "/" else 0 <= by < 31):
        return relation, None
    if relation in ("<=", ">"):  # `x / c <= m` is `x / c < m + 1`
        limit = _plus("+", limit, IntLiteral(1, LONG, span))
        relation = "<" if relation == "<=" else ">="
    factor = IntLiteral(by if divided.op == "/" else 2**by, LONG, span)
    product = Binary("*", limit, factor, LONG, span)
    if divided.op == ">>":
        return relation, product
    below = _plus("-", product, IntLiteral(factor.value - 1, LONG, span))
    return relation, Ternary(Binary(">", limit, IntLiteral(0, LONG, span), INT, span), product, below, LONG, span)


def _plus(op: str, left: Expr, right: Expr) -> Expr:
    return Binary(op, left, implicit(right, LONG), LONG, left.span)


def _scalar(expr: Expr) -> Scalar:
    assert isinstance(expr.type, Scalar)
    return expr.type


def _is_counter(expr: Expr, iterator: Symbol) -> bool:
    """Whether `expr` is the counter, converted to the type of the comparison at most."""
    while not isinstance(expr, Name):
        operand = getattr(expr, "operand", None)
        source, target = getattr(operand, "type", None), expr.type
        if operand is None or not isinstance(source, Scalar) or not isinstance(target, Scalar):
            return False
        if isinstance(expr, Unary) or not target.is_integer or target.size < source.size:
            return False
        if source.kind != target.kind and not isinstance(operand, Name):
            return False
        if source.kind == "uint" and target.kind == "int" and target.size == source.size:
            return False  # it becomes negative where it is large
        expr = operand
    return expr.symbol.name == iterator.name


def _unsigned(
    relation: Relation, counted: LinearForm, limit: LinearForm, common: Scalar, from_zero: bool
) -> tuple[Relation, Expr] | None:
    """The bound where the arithmetic is unsigned.

    A sum `factor * i + constant` that starts at a small value does not wrap before it has passed its bound, and
    counts from zero on: the bound is zero where the constant alone is too large.  So does `i + m` of an `i` that begins
    `from_zero`, whatever `m` is.
    """
    if (
        limit.factor
        or (counted.terms and not (from_zero and _is_shifted(counted)))
        or not 0 <= counted.constant < _SMALL
    ):
        return None
    bound = limit.whole(common)
    if relation == "!=" and counted.factor == 1 and not counted.narrow and not counted.terms:
        # Equal modulo 2^n on both sides, whatever wraps.
        return relation, Binary("-", bound, IntLiteral(counted.constant, common, bound.span), common, bound.span)
    if relation not in ("<", "<="):
        return None
    span = bound.span

    def literal(value: int) -> IntLiteral:
        return IntLiteral(value, common, span)

    begin: Expr = implicit(counted.terms[0][1], common) if counted.terms else literal(counted.constant)
    rest: Expr = Binary("-", bound, begin, common, span) if counted.constant or counted.terms else bound
    if relation == "<" and counted.factor > 1:
        rest = Binary("-", rest, literal(1), common, span)
    if counted.factor > 1:
        rest = Binary("/", rest, literal(counted.factor), common, span)
    if relation == "<=" or counted.factor > 1:
        rest = Binary("+", rest, literal(1), common, span)
    reached = Binary(">" if relation == "<" else ">=", bound, begin, INT, span)
    return "<", Ternary(reached, rest, literal(0), common, span)


def _is_shifted(counted: LinearForm) -> bool:
    """Whether it is `i + m` for one `m` that has no sign, or is converted where the sum is."""
    return len(counted.terms) == 1 and counted.terms[0][0] == counted.factor == 1 and counted.constant == 0


def _divided(relation: Relation, distance: Expr, factor: int, never_negative: bool) -> Expr:
    """The bound of `i` in `factor * i relation distance`, rounded towards the iterations that there are.

    `never_negative`: the counter starts at zero or above, so that any bound below will do for one below.
    """
    ctype, span = distance.type, distance.span

    def literal(value: int) -> IntLiteral:
        return IntLiteral(value, ctype, span)

    def over(value: Expr) -> Expr:
        return Binary("/", value, literal(factor), ctype, span)

    if relation == "!=":
        return over(distance)  # Overflow, which is undefined, if nothing is left over.
    upward = relation in ("<", "<=")
    if relation in ("<", ">="):  # The quotient rounded up; C rounds towards zero.
        last = over(Binary("-", distance, literal(1), ctype, span))
        above: Expr = Binary("+", last, literal(1), ctype, span)
        below = literal(0) if upward and never_negative else over(distance)
        return Ternary(Binary(">", distance, literal(0), INT, span), above, below, ctype, span)
    flipped = over(Unary("-", Binary("+", distance, literal(1), ctype, span), ctype, span))
    rounded_down = Binary("-", Unary("-", flipped, ctype, span), literal(1), ctype, span)
    below = literal(-1) if upward and never_negative else rounded_down
    return Ternary(Binary(">=", distance, literal(0), INT, span), over(distance), below, ctype, span)
