"""The condition of a `for` loop: a relation between the counter and a bound, and what else must hold to go on.

i < n && i < m && !done     relation `<`, bound `n < m ? n : m`, rest `!done`
i + 2 < n                   relation `<`, bound `n - 2` (unsigned: `n > 2 ? n - 2 : 0`)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pencilc.frontend.constants import integer_value
from pencilc.frontend.context import Refused
from pencilc.frontend.expressions import implicit
from pencilc.frontend.types import common_type
from pencilc.ir.ctypes import INT, Scalar
from pencilc.ir.source import Binary, Expr, IntLiteral, Symbol, Ternary

if TYPE_CHECKING:
    from pencilc.frontend.statements import StatementTranslator

Relation = Literal["<", "<=", ">", ">=", "!="]
FLIPPED: dict[str, Relation] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}


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
    op = cond.op if type(cond).__name__ == "BinaryOp" else ""
    if op not in FLIPPED:
        return None
    moved = _moved(st, cond, iterator, lower)
    if moved is not None:
        return FLIPPED[FLIPPED[op]], moved
    flipped = not names(cond.left, iterator) and names(cond.right, iterator)
    if not flipped and not names(cond.left, iterator):
        return None
    other = cond.left if flipped else cond.right
    bound = st.tr.arithmetic(other)
    assert isinstance(iterator.type, Scalar) and isinstance(bound.type, Scalar)
    if bound.type.kind == "float":
        bound_type = common_type(iterator.type, bound.type)
        st.context.error("PC0302", "loop bound is not an integer", other, f"has type `{bound_type.name}`")
        raise Refused
    return (FLIPPED[op] if flipped else FLIPPED[FLIPPED[op]]), implicit(bound, common_type(iterator.type, bound.type))


def _moved(st: StatementTranslator, cond: Any, iterator: Symbol, lower: Expr) -> Expr | None:
    """The bound of `i + c op bound` for a constant c, where C's arithmetic allows to bring it to the other side.

    A signed counter must not overflow.  An unsigned sum that starts at a small constant does not wrap before it
    has passed its bound.
    """
    left = cond.left
    if type(left).__name__ != "BinaryOp" or left.op not in ("+", "-") or not names(left.left, iterator):
        return None
    bound, amount = st.tr.arithmetic(cond.right), st.tr.arithmetic(left.right)
    counter, limit, more = iterator.type, bound.type, amount.type
    assert isinstance(counter, Scalar) and isinstance(limit, Scalar) and isinstance(more, Scalar)
    if "float" in (limit.kind, more.kind):
        return None
    if counter.kind == limit.kind == more.kind == "int":
        return st.tr.binary("-" if left.op == "+" else "+", bound, amount, cond)
    start, value = integer_value(lower), integer_value(amount)
    common = common_type(common_type(counter, more), limit)
    is_small = start is not None and value is not None and 0 <= start < 2**31 and 0 <= value < 2**31
    if cond.op != "<" or left.op != "+" or common.kind != "uint" or counter != common or not is_small:
        return None
    bound, amount = implicit(bound, common), implicit(amount, common)
    rest = Binary("-", bound, amount, common, bound.span)
    nothing = IntLiteral(0, common, bound.span)
    return Ternary(Binary(">", bound, amount, INT, bound.span), rest, nothing, common, bound.span)


def names(node: Any, iterator: Symbol) -> bool:
    """Whether `node` is the counter itself."""
    return type(node).__name__ == "ID" and bool(node.name == iterator.spelling)
