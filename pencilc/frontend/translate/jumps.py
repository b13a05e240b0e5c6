"""`goto` to the end of a loop's body is `continue`, one to behind the loop is `break`; for the fix of PC0307."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Edit, Fix
from pencilc.frontend.context import FileContext
from pencilc.frontend.syntax.nodes import LOOPS, nodes_below


def instead_of_goto(context: FileContext, function: Any, jump: Any) -> Fix | None:
    """The fix for `jump`, if the label is where `continue` or `break` of the innermost loop around it leads."""
    around = next(_paths(function.body, jump), ())
    loop = next((k for k in range(len(around) - 1, -1, -1) if type(around[k]).__name__ in (*LOOPS, "Switch")), -1)
    if loop < 0 or type(around[loop]).__name__ == "Switch":
        return None
    word = ""
    body = around[loop].stmt
    items = list(body.block_items or ()) if type(body).__name__ == "Compound" else []
    if items and _is_label(items[-1], jump.name):
        word = "continue"
    outer: Any = around[loop - 1] if loop else None
    beside = list(outer.block_items or ()) if type(outer).__name__ == "Compound" else []
    at = next((k for k, item in enumerate(beside) if item is around[loop]), -1)
    if 0 <= at < len(beside) - 1 and _is_label(beside[at + 1], jump.name):
        word = "break"
    if not word:
        return None
    span = context.span(jump)
    edits: list[Edit | None] = [fixes.statement_replaced(context.file_of(span), span, "goto", f"{word};")]
    uses = sum(type(node).__name__ == "Goto" and node.name == jump.name for node in nodes_below(function.body))
    label = next(n for n in nodes_below(function.body) if type(n).__name__ == "Label" and n.name == jump.name)
    place = context.span(label)
    text = f"write `{word};`"
    if uses == 1:
        old = f"{jump.name}:;"
        edits.append(fixes.replaced(context.file_of(place), place, old, "") or
                     fixes.replaced(context.file_of(place), place, f"{jump.name}:", ""))  # fmt: skip
        text += f", and remove the label `{jump.name}`"
    return fixes.fix(text, edits)


def _is_label(node: Any, name: str) -> bool:
    return type(node).__name__ == "Label" and bool(node.name == name)


def _paths(node: Any, wanted: Any) -> Iterator[tuple[Any, ...]]:
    """The nodes around `wanted`, the outermost first."""
    if node is wanted:
        yield ()
    for _, child in node.children():
        for path in _paths(child, wanted):
            yield (node, *path)
