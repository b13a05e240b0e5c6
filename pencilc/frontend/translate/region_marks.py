"""The edits that mark a loop as a region: `#pragma scop` before it, `#pragma endscop` behind it."""

from __future__ import annotations

from typing import Any

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Edit
from pencilc.diagnostics.source import Span
from pencilc.frontend.context import FileContext
from pencilc.frontend.syntax.lexing import statement_end
from pencilc.frontend.syntax.nodes import nodes_below


def loop_to_mark(function: Any) -> Any:
    """The first outermost loop of a function that writes an array or a variable around it; None if there is none."""
    for item in function.body.block_items or ():
        if type(item).__name__ == "For" and any(type(n).__name__ == "Assignment" for n in nodes_below(item.stmt)):
            return item
    return None


def marked(context: FileContext, loop: Any) -> tuple[Span, list[Edit | None]]:
    """The place of a loop, and the edits that make it a region."""
    last = context.place(statement_end(context.preprocessed.text, context.offset(loop)) - 1)
    first = context.span(loop)
    return first, [
        fixes.line_before(context.file_of(first), first, "#pragma scop", indented=False),
        fixes.line_behind(context.file_of(last), last, "#pragma endscop", indented=False),
    ]
