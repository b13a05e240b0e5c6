"""The fix for a `return` in the middle of a search: all elements are looked at, and the function returns behind them.

    for (int i = 0; i < n; i++)         int first = 2147483647;
        if (a[i] == x)                  for (int i = 0; i < n; i++)
            return i;                       if (a[i] == x)
    return -1;                                  if (i < first) first = i;
                                        return first != 2147483647 ? first : -1;

A constant that is returned needs a flag alone: `found |= 1`.
"""

from __future__ import annotations

import re

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Edit, Fix
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.frontend.context import FileContext
from pencilc.ir.queries import declared_in, has_effects, plain_name, without_conversions
from pencilc.ir.rewrite import fresh_name, written_names
from pencilc.ir.source import INT, Block, Declare, For, If, IntLiteral, Region, Return, Stmt, Unary

_RETURN = re.compile(r"return\b\s*([^;]*);")
_LARGEST = "2147483647"


def search_fix(context: FileContext, region: Region, early: Return, scop: int) -> Fix | None:
    """The fix for `early`, if nothing else happens in the loops around it; `scop`: the line of `#pragma scop`, or 0."""
    items = region.body.items
    last = items[-1]
    loop = next((each for each in items if isinstance(each, For) and _returns_alone(each, early)), None)
    if loop is None or not isinstance(last, Return) or last.value is None or early.value is None:
        return None
    # What follows happens then although something was found: nobody outside may see it.
    behind_loop = items[items.index(loop) + 1 : -1]
    seen = set().union(*map(written_names, behind_loop)) - declared_in(*items)
    if seen or any(has_effects(each) for each in behind_loop):
        return None
    file = context.file_of(early.span)
    inside, behind = _returned(file, early.span), _returned(file, last.span)
    value = without_conversions(early.value)
    if isinstance(value, Unary):
        value = value.operand
    is_first = plain_name(value) == loop.iterator.name and loop.step > 0 and loop.iterator.type == INT
    if not inside or not behind or not (is_first or isinstance(value, IntLiteral)):
        return None
    name = fresh_name("first" if is_first else "found", set(context.identifiers))
    begun, taken, result = (
        (f"int {name} = {_LARGEST};", f"if ({inside} < {name}) {name} = {inside};", f"{name} != {_LARGEST}")
        if is_first
        else (f"int {name} = 0;", f"{name} |= 1;", name)
    )
    result = f"return {result} ? {name if is_first else inside} : {behind};"
    place = Span(file.path, scop, 1, 2) if scop else loop.span
    edits: list[Edit | None] = [
        fixes.line_before(file, place, begun) if scop else fixes.statement_before(file, place, begun),
        fixes.replaced(file, early.span, _statement(file, early.span), taken),
        fixes.replaced(file, last.span, _statement(file, last.span), result),
    ]
    where = f"line {scop or loop.span.line}"
    text = (
        f"to look at all elements, write `{begun}` before {where}, `{taken}` in place of this `return`, and `{result}` "
        "at the end"
    )
    return fixes.fix(text, edits)


def _statement(file: SourceFile, span: Span) -> str:
    """The `return` at `span`, if it ends in the same line."""
    found = _RETURN.match(file.line(span.line), span.column - 1)
    return found.group() if found is not None else ""


def _returned(file: SourceFile, span: Span) -> str:
    """What the `return` at `span` returns."""
    found = _RETURN.match(_statement(file, span))
    return found.group(1).strip() if found is not None else ""


def _returns_alone(stmt: Stmt, early: Return) -> bool:
    """Whether `stmt` is loops and conditions around `early`, and nothing beside it but declarations."""
    match stmt:
        case Block():
            *before, last = stmt.items or (stmt,)
            return all(map(_is_pure, before)) and last is not stmt and _returns_alone(last, early)
        case For():
            return _returns_alone(stmt.body, early)
        case If():
            return stmt.otherwise is None and not has_effects(stmt.condition) and _returns_alone(stmt.then, early)
    return stmt is early


def _is_pure(stmt: Stmt) -> bool:
    return isinstance(stmt, Declare) and (stmt.init is None or not has_effects(stmt.init))
