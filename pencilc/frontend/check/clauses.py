"""PC0211: the variables of a `reduction(op: list)` clause must be updated in the loop with that operator."""

from __future__ import annotations

import dataclasses
import re

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Fix
from pencilc.frontend.context import FileContext
from pencilc.ir.queries import members_in, names_in, root, without_conversions
from pencilc.ir.source import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    For,
    If,
    ReductionClause,
    ReductionUpdate,
    Scalar,
    Struct,
    Ternary,
    element_type,
    walk,
)
from pencilc.ir.source_printer import spelled

_BITWISE = ("&", "|", "^")
_CALLS = {"min": ("min", "fmin", "imin", "lmin"), "max": ("max", "fmax", "imax", "lmax")}


def check_clauses(context: FileContext, loop: For) -> None:
    """Report every variable of the loop's clauses that the loop does not update as the clause says."""
    for clause in loop.reductions:
        for variable in clause.variables:
            _check(context, loop, clause, variable)


def _check(context: FileContext, loop: For, clause: ReductionClause, variable: Expr) -> None:
    """Of a struct, or an array of some, the clause means the members that are updated with its operator."""
    text = spelled(variable)
    root, chosen = _root(variable), _chosen(loop)
    writes = [n for n in walk(loop.body) if isinstance(n, Assign | ReductionUpdate) and _is_part(_target(n), variable)]
    if isinstance(element_type(variable.type), Struct):
        updated = [w for w in writes if isinstance(w, Assign) and _fits(clause.operator, w, root, chosen)]
        members = {members_in(write.target) for write in updated if members_in(write.target)}
        writes = [write for write in writes if members_in(_target(write)) in members]
    if not writes:
        context.error(
            "PC0211", f"`{text}` of the reduction clause is not updated in the loop", clause.span,
            helps=(f"write `{text} {clause.operator}= ...` in the loop, or drop `{text}` from the clause",)
            if clause.operator not in _CALLS and isinstance(element_type(variable.type), Scalar) else (),
        )  # fmt: skip
        return
    ctype = element_type(_target(writes[0]).type)
    if not isinstance(ctype, Scalar) or (clause.operator in _BITWISE and not ctype.is_integer):
        what = "an integer" if clause.operator in _BITWISE else "a number"
        kind = getattr(ctype, "name", "array")
        context.error(
            "PC0211", f"`reduction({clause.operator}: {text})` wants {what}", clause.span,
            f"`{spelled(_target(writes[0]))}` has type `{kind}`",
        )  # fmt: skip
        return
    for write in writes:
        if isinstance(write, Assign) and not _fits(clause.operator, write, root, chosen):
            written = spelled(write.target) if members_in(write.target) else text
            context.error(
                "PC0211", f"`{written}` is not updated with `{clause.operator}` here", write.span,
                secondary=((clause.span, f"the clause says `{clause.operator}`"),),
                remedies=(_other_operator(context, clause, write, text),),
            )  # fmt: skip


def _other_operator(context: FileContext, clause: ReductionClause, write: Assign, text: str) -> Fix | None:
    """The clause with the operator that the assignment has, if it has one."""
    value = write.value
    while isinstance(value, Cast):
        value = value.operand
    found = write.compound
    if isinstance(value, Ternary) and isinstance(value.condition, Binary):
        sides = [spelled(without_conversions(side)) for side in (value.condition.left, value.condition.right)]
        chosen = spelled(without_conversions(value.then))
        if text in sides and chosen in sides and value.condition.op in ("<", "<=", ">", ">="):
            found = "min" if (value.condition.op in ("<", "<=")) == (chosen == sides[0]) else "max"
    if found not in ("+", "-", "*", "&", "|", "^", "min", "max"):
        return None
    file = context.file_of(clause.span)
    line, start = file.line(clause.span.line), clause.span.column - 1
    match = re.compile(r"reduction\s*\(\s*").match(line, start)
    if match is None:
        return None
    at = dataclasses.replace(clause.span, column=match.end() + 1)
    edit = fixes.replaced(file, at, clause.operator, found)
    return fixes.fix(f"write `reduction({found}: {text})`", [edit])


def _target(node: Assign | ReductionUpdate) -> Expr:
    return node.target if isinstance(node, Assign) else node.variable


def _is_part(target: Expr, variable: Expr) -> bool:
    """Whether a clause that lists `variable` means `target`: elements of an array, members of a struct."""
    listed = members_in(variable)
    return _root(target) == _root(variable) and members_in(target)[: len(listed)] == listed


def _root(expr: Expr) -> str:
    variable = root(expr)
    return variable.symbol.name if variable is not None else ""


def _chosen(loop: For) -> set[int]:
    """Assignments that a condition chooses: `if (e > v) v = e;`."""
    return {id(n) for stmt in walk(loop.body) if isinstance(stmt, If) for n in walk(stmt) if isinstance(n, Assign)}


def _fits(operator: str, write: Assign, root: str, chosen: set[int]) -> bool:
    """Whether an assignment is `v op= e`, `v = v op e`, or a choice for `min` and `max`."""
    value = write.value
    while isinstance(value, Cast):
        value = value.operand
    names = names_in(value)
    if operator in _CALLS:
        called = isinstance(value, Call) and value.function.rstrip("f") in _CALLS[operator] and root in names
        own = isinstance(value, Call) and root in names and value.function not in sum(_CALLS.values(), ())
        return called or own or (isinstance(value, Ternary) and root in names) or id(write) in chosen
    accepted = ("+", "-") if operator in ("+", "-") else (operator,)
    if write.compound:
        return write.compound in accepted
    if isinstance(value, Call):
        return root in names  # A helper's body is not judged here.
    return isinstance(value, Binary) and value.op in accepted and root in names
