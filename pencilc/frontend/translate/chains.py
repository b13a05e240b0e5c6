"""Chained assignments: the inner one becomes a statement before the outer one.

Before: `a[i] = x = y + 1;`      `s = t = 0;`
After:  `x = y + 1; a[i] = x;`   `t = 0; s = 0;`

What the outer one gets is what the inner variable then holds, so with the type of that variable.
"""

from __future__ import annotations

from typing import Any

from pencilc.frontend.translate.constants import integer_value
from pencilc.frontend.translate.translators import Statements
from pencilc.ir.source import Assign, Cast, FloatLiteral, Scalar, Stmt

_EXACT = 2**24  # every floating type holds the whole numbers up to this


def inner_assignment(st: Statements, node: Any) -> tuple[tuple[Stmt, ...], Any]:
    """The statements of the assignment `node`, and the node whose value an assignment around it takes."""
    made = st.statement(node)
    last = made[-1]
    assert isinstance(last, Assign)
    value = node.rvalue
    while type(value).__name__ == "Assignment":
        value = value.rvalue
    if node.op == "=" and _keeps_value(last):
        return made, value  # A number is clearer than the variable that holds it.
    return made, node.lvalue


def _keeps_value(assign: Assign) -> bool:
    """Whether a constant is assigned that the type of the variable does not change."""
    value = assign.value
    given = value.operand if isinstance(value, Cast) else value
    number = integer_value(given)
    if number is None:
        return isinstance(value, FloatLiteral)
    assert isinstance(assign.target.type, Scalar)
    if assign.target.type.kind == "float":
        return abs(number) <= _EXACT
    return number == integer_value(value)
