"""A head in the style of K&R is written as one that says the types of its parameters.

float dot(a, b, n)              float dot(float *a, float *b, int n)
float *a, *b;                   {
{
"""

from __future__ import annotations

from typing import Any

from pencilc.frontend.translate.remedies import head_of_old_style
from pencilc.port.records import CannotPort, PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import resolved

# What a caller that knows no types hands over as an `int` or a `double`.
_PROMOTED = frozenset({"float", "char", "short", "_Bool"})


def without_old_head(parsed: Parsed, node: Any) -> PortChanges:
    """The pass over the definition `node`, nothing where its head says the types; raises CannotPort."""
    if not node.param_decls:
        return PortChanges(())
    head, span = head_of_old_style(node), parsed.span(node.decl)
    for each in node.param_decls:
        if _PROMOTED & {*getattr(resolved(parsed, each.type), "names", ())}:
            reason = f"it is defined in the old style, and callers may hand over `{each.name}` as a wider number"
            raise CannotPort(reason, span, (f"write `{head}`, and declare it so where it is called",))
    name_at = parsed.name_of(node.decl)
    first = next(k for k in range(name_at, len(parsed.tokens)) if parsed.tokens[k].text == "{") - 1
    closing = parsed.closing(name_at + 1)
    parameters = head[head.index("(") :]
    edits = [Replacement(parsed.tokens[name_at + 1].start, parsed.tokens[closing].end, parameters)]
    edits.append(Replacement(parsed.tokens[closing].end, parsed.tokens[first].end, ""))
    return PortChanges(tuple(edits), (Step(span.line, "it is defined in the old style", f"`{head}`"),))
