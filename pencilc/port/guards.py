"""Questions that a function asks before it begins stay with its old head.

if (!x || n <= 0)          in the wrapper, which then calls the new function
    return 0;
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.port.find import FunctionText, holds_loop
from pencilc.port.marks import end_of_statement
from pencilc.port.records import PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import kind


@dataclass(frozen=True, slots=True)
class Guards:
    """The change that takes the questions out of the body, and their text; empty where there are none."""

    changes: PortChanges
    text: str = ""


def without_guards(parsed: Parsed, function: FunctionText) -> Guards:
    """Take the statements `if (…) return …;` out that a body begins with."""
    items = list(function.node.body.block_items or ())
    count = 0
    while count < len(items) and _is_guard(items[count], function):
        count += 1
    if not count or count == len(items):
        return Guards(PortChanges(()))
    first = parsed.token_of(items[0], "if")
    last = end_of_statement(parsed, items[count - 1], function.end)
    start, end = parsed.line_start(parsed.tokens[first].start), parsed.tokens[last].end
    following = parsed.tokens[last + 1].start
    lines = parsed.text.find("\n", end, following)
    if parsed.text[start : parsed.tokens[first].start].strip() or lines < 0:
        start, stop = parsed.tokens[first].start, parsed.after_space(end)
    else:
        stop = lines + 1
        blank = parsed.text.find("\n", stop, following)
        stop = blank + 1 if blank >= 0 and not parsed.text[stop:blank].strip() else stop
    step = Step(
        parsed.span(items[0]).line, "a `return` in front of the loops", f"`{function.name}` asks before it calls"
    )
    return Guards(PortChanges((Replacement(start, stop, ""),), (step,)), parsed.text[start:end])


def _is_guard(node: Any, function: FunctionText) -> bool:
    """Whether a statement only asks for parameters, and ends the function."""
    if kind(node) != "If" or node.iffalse is not None or holds_loop(node):
        return False
    body = node.iftrue
    items = list(body.block_items or ()) if kind(body) == "Compound" else [body]
    if len(items) != 1 or kind(items[0]) != "Return":
        return False
    names = {p.name for p in function.parameters}
    known = all(each.name in names for each in nodes_below(node) if kind(each) == "ID")
    return known and not any(kind(each) in ("FuncCall", "Assignment") for each in nodes_below(node))
