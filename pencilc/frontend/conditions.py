"""The condition of a `for` loop: a relation between the counter and a bound, and what else must hold to go on.

i < n && i < m && !done     relation `<`, bound `n < m ? n : m`, rest `!done`
i + 2 < n                   relation `<`, bound `n - 2` (unsigned: `n > 2 ? n - 2 : 0`)
4 * i + 3 < n               relation `<`, bound `n - 3 > 0 ? (n - 3 - 1) / 4 + 1 : 0`
n - i >= k                  relation `<=`, bound `n - k`
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pycparser import c_ast

from pencilc.frontend.constants import integer_value
from pencilc.frontend.expressions import implicit
from pencilc.frontend.linear import Linear, NotLinear, linear
from pencilc.frontend.types import common_type
from pencilc.ir.ctypes import INT, Scalar
from pencilc.ir.queries import mentions_any
from pencilc.ir.source import Binary, Cast, Expr, IntLiteral, Name, Symbol, Ternary, Unary

if TYPE_CHECKING:
    from pencilc.frontend.statements import StatementTranslator

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


def loop_condition(st: StatementTranslator, node: Any, iterator: Symbol, lower: Expr) -> Condition:
    """The condition of the loop `node`; raises Refused where nothing in it bounds the counter."""
    if node.cond is None:
        raise st.context.refuse("PC0302", "a loop needs a bound", node, helps=("`for (int i = start; i < end; i++)`",))
    found: Condition | None = None
    rest: list[Expr] = []
    for part in _conjuncts(node.cond):
        relation = _relation(st, part, iterator, lower)
        if relation is None:
            rest.append(st.tr.arithmetic(part))
        elif found is None:
            found = Condition(relation[0], relation[1], None)
        elif (closer := _closer(found, relation)) is not None:
            found = Condition(found.relation, closer, None)
        else:
            rest.append(st.tr.arithmetic(part))
    if found is None:
        raise st.context.refuse(
            "PC0302", f"loop condition must compare counter `{iterator.spelling}` with a bound", node.cond
        )
    joined: Expr | None = None
    for expr in rest:
        joined = expr if joined is None else Binary("&&", joined, expr, INT, joined.span)
    return Condition(found.relation, found.bound, joined)


def _conjuncts(node: Any) -> list[Any]:
    if type(node).__name__ == "BinaryOp" and node.op == "&&":
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    if type(node).__name__ == "UnaryOp" and node.op == "!" and type(node.expr).__name__ == "BinaryOp":
        inner = node.expr
        if inner.op in _NEGATED:
            return [c_ast.BinaryOp(_NEGATED[inner.op], inner.left, inner.right, inner.coord)]
    return [node]


def _closer(first: Condition, second: tuple[Relation, Expr]) -> Expr | None:
    """The bound of two conditions with one relation that is met first."""
    relation, bound = second
    left, right = first.bound.type, bound.type
    assert isinstance(left, Scalar) and isinstance(right, Scalar)
    if relation != first.relation or relation == "!=" or left.kind != right.kind:
        return None
    common = common_type(left, right)
    one, two = implicit(first.bound, common), implicit(bound, common)
    op = "<" if relation in ("<", "<=") else ">"
    return Ternary(Binary(op, one, two, INT, bound.span), one, two, common, bound.span)


def _relation(st: StatementTranslator, cond: Any, iterator: Symbol, lower: Expr) -> tuple[Relation, Expr] | None:
    """The relation and the bound of one comparison; None where it does not bound the counter."""
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
    if not mentions_any(right, iterator.name) and _is_counter(left, iterator):
        return FLIPPED[FLIPPED[op]], right
    if not mentions_any(left, iterator.name) and _is_counter(right, iterator):
        return FLIPPED[op], left
    return _solved(FLIPPED[FLIPPED[op]], compared, iterator, lower)


def _solved(relation: Relation, compared: Binary, iterator: Symbol, lower: Expr) -> tuple[Relation, Expr] | None:
    """`compared` with the counter alone on the left; None where it cannot be brought there."""
    common = compared.left.type
    assert isinstance(common, Scalar)
    start = integer_value(lower)
    never_negative = start is not None and 0 <= start < _SMALL
    try:
        left = linear(compared.left, iterator, never_negative)
        right = linear(compared.right, iterator, never_negative)
    except NotLinear:
        return None
    if left.factor < right.factor:
        left, right, relation = right, left, FLIPPED[relation]
    factor = left.factor - right.factor
    if factor == 0:
        return None
    if common.kind == "uint" or left.wraps or right.wraps:
        return _unsigned(relation, left, right, common) if never_negative else None
    distance = right.minus(left)
    if factor == 1:
        return relation, distance
    return relation, _divided(relation, distance, factor, never_negative)


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
        expr = operand
    return expr.symbol.name == iterator.name


def _unsigned(relation: Relation, counted: Linear, limit: Linear, common: Scalar) -> tuple[Relation, Expr] | None:
    """The bound where the arithmetic is unsigned.

    A sum `factor * i + constant` that starts at a small value does not wrap before it has passed its bound, and
    counts from zero on: the bound is zero where the constant alone is too large.
    """
    if limit.factor or counted.terms or not 0 <= counted.constant < _SMALL:
        return None
    bound = limit.whole(common)
    if relation == "!=" and counted.factor == 1 and not counted.narrow:
        # Equal modulo 2^n on both sides, whatever wraps.
        return relation, Binary("-", bound, IntLiteral(counted.constant, common, bound.span), common, bound.span)
    if relation not in ("<", "<="):
        return None
    span = bound.span

    def literal(value: int) -> IntLiteral:
        return IntLiteral(value, common, span)

    rest: Expr = Binary("-", bound, literal(counted.constant), common, span) if counted.constant else bound
    if relation == "<" and counted.factor > 1:
        rest = Binary("-", rest, literal(1), common, span)
    if counted.factor > 1:
        rest = Binary("/", rest, literal(counted.factor), common, span)
    if relation == "<=" or counted.factor > 1:
        rest = Binary("+", rest, literal(1), common, span)
    reached = Binary(">" if relation == "<" else ">=", bound, literal(counted.constant), INT, span)
    return "<", Ternary(reached, rest, literal(0), common, span)


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
