"""PC0307: a `return` that is not the last statement; the fix for a question in front of all loops: the host asks.

That for a search is `check/searches.py`'s.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Edit, Fix
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.frontend.check.searches import search_fix
from pencilc.frontend.context import FileContext
from pencilc.frontend.syntax.lexing import statement_end
from pencilc.ir.source import Block, Declare, For, If, Region, Return, Stmt, While, walk

_SCOP = re.compile(r"[ \t]*#[ \t]*pragma[ \t]+scop\b")


def check_returns(context: FileContext, region: Region) -> None:
    """Report every `return` of a region but one at its end."""
    last = region.body.items[-1] if region.body.items else None
    for node in walk(region.body):
        if not isinstance(node, Return) or node is last:
            continue
        made = _asked_before(context, region, node) or search_fix(context, region, node, _scop_before(context, node))
        helps = () if made is not None else ("keep the result in a variable and return it at the end",)
        message = "early `return` in a function that is compiled"
        context.error("PC0307", message, node.span, helps=helps, remedies=(made,))


def _asked_before(context: FileContext, region: Region, early: Return) -> Fix | None:
    """The fix that lets the region begin behind a question in front of all its loops."""
    guard = next((item for item in region.body.items if isinstance(item, If) and _is_guard(item, early)), None)
    if guard is None:
        return None
    for item in region.body.items[: region.body.items.index(guard)]:
        is_question = isinstance(item, If) and not any(isinstance(each, For | While) for each in walk(item))
        if not isinstance(item, Declare) and not is_question:
            return None
    file = context.file_of(guard.span)
    end = _end_line(file, guard.span)
    if end is None:
        return None
    behind = fixes.line_behind(file, replace(guard.span, line=end), "#pragma scop", indented=False)
    start = _scop_before(context, guard)
    if start:
        line = file.line(start)
        taken = Edit(Span(file.path, start, 1, len(line) + 1), "")
        moved = f"put the `#pragma scop` of line {start} behind line {end}: the host asks then"
        return fixes.fix(moved, [taken, behind])
    last = region.body.items[-1]
    place = last.span if isinstance(last, Return) else context.end_of_function(guard.span)
    if place is None:
        return None
    before = fixes.line_before(file, place, "#pragma endscop", indented=False)
    text = f"put `#pragma scop` behind line {end} and `#pragma endscop` before line {place.line}: the host asks then"
    return fixes.fix(text, [behind, before])


def _scop_before(context: FileContext, node: Stmt) -> int:
    """The line of the `#pragma scop` in front of `node`; 0 where the region has none."""
    file, span = context.file_of(node.span), node.span
    line = next((k for k in range(span.line - 1, 0, -1) if _ends_search(context, file, span, k)), 0)
    return line if _SCOP.match(file.line(line)) else 0


def _is_guard(node: If, early: Return) -> bool:
    inside: Stmt = node.then
    if isinstance(inside, Block) and len(inside.items) == 1:
        inside = inside.items[0]
    return inside is early and node.otherwise is None


def _end_line(file: SourceFile, span: Span) -> int | None:
    """The line in which the statement at `span` ends; None if it does not begin there, or ends together with others."""
    offset = sum(len(line) + 1 for line in file.lines[: span.line - 1]) + span.column - 1
    text = "\n".join(file.lines)
    if not text.startswith("if", offset):
        return None
    end = statement_end(text, offset)
    rest = text[end : text.find("\n", end)]
    return None if rest.strip() else text.count("\n", 0, end) + 1


def _ends_search(context: FileContext, file: SourceFile, inside: Span, line: int) -> bool:
    """Whether a line begins the region, or is no part of the function around it any more."""
    here = context.function_at(Span(file.path, line, 1, 2))
    return _SCOP.match(file.line(line)) is not None or here is not context.function_at(inside)
