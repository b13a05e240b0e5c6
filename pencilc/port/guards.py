"""Questions that a function asks before it begins stay with its old head.

if (!x || n <= 0)          in the wrapper, which then calls the new function
    return 0;
"""

from __future__ import annotations

from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.port.find import FunctionText, holds_loop
from pencilc.port.marks import end_of_statement
from pencilc.port.records import PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import assigns, has_effects, kind, names_below
from pencilc.records import dataclass

_VOID = ("(", "void", ")")
_TOLD = {
    "If": ("a `return` in front of the loops", "asks before it calls"),
    "FuncCall": ("an `assert` in front of the loops", "asks before it calls"),
    "Cast": ("a `(void)` in front of the loops", "has it"),
}


@dataclass(frozen=True, slots=True)
class Guards:
    """The change that takes the questions out of the body, and their text; empty where there are none."""

    changes: PortChanges
    text: str = ""


def without_guards(parsed: Parsed, function: FunctionText, is_helper: bool) -> Guards:
    """Take the questions out of the body that come before its loops: `if (…) return …;`, `assert(…);`, `(void)x;`.

    Declarations may stand in front of them: their values are computed behind the questions then.  A helper is called by
    its new head, in front of which nothing would ask: it keeps its questions.
    """
    items = list(function.node.body.block_items or ())
    declared = {each.name for each in nodes_below(function.node.body) if kind(each) == "Decl" and each.name}
    names = {p.name for p in function.parameters} - declared
    guards: list[Any] = []
    for item in items:
        asks = _is_guard(item, names, declared) or _is_assert(item, names)
        if _is_without_use(item, names) or (asks and not is_helper):
            guards.append(item)
        elif kind(item) != "Decl" or has_effects(item):
            break
    if not guards or not any(holds_loop(item) for item in items):
        return Guards(PortChanges(()))
    edits: list[Replacement] = []
    texts: list[str] = []
    for guard in guards:
        start, end, text = _place(parsed, function, guard)
        edits.append(Replacement(start, end, ""))
        texts.append(text if text[:1].isspace() else parsed.indent_at(start) + text)
    told, moved = _TOLD[kind(guards[0])]
    step = Step(parsed.span(guards[0]).line, told, f"`{function.name}` {moved}")
    return Guards(PortChanges(tuple(edits), (step,)), "\n".join(texts))


def _place(parsed: Parsed, function: FunctionText, guard: Any) -> tuple[int, int, str]:
    """The offsets of what is removed with a guard, whole lines where it has these for itself, and its text."""
    if kind(guard) == "If":
        first = parsed.token_of(guard, "if")
        last = end_of_statement(parsed, guard, function.end)
    elif kind(guard) == "Cast":
        named = parsed.token_of(guard.expr, guard.expr.name)
        first, last = named - len(_VOID), named + 1
    else:
        first = parsed.token_of(guard.name, "assert")
        last = parsed.closing(first + 1) + 1
    start, end = parsed.line_start(parsed.tokens[first].start), parsed.tokens[last].end
    following = parsed.tokens[last + 1].start
    newline = parsed.text.find("\n", end, following)
    if parsed.text[start : parsed.tokens[first].start].strip() or newline < 0:
        start, stop = parsed.tokens[first].start, parsed.after_space(end)
    else:
        stop = newline + 1
        blank = parsed.text.find("\n", stop, following)
        stop = blank + 1 if blank >= 0 and not parsed.text[stop:blank].strip() else stop
    return start, stop, parsed.text[start:end]


def _is_without_use(node: Any, parameters: set[str]) -> bool:
    """Whether a statement only keeps a compiler from telling that a parameter is not used: `(void)workspace;`."""
    if kind(node) != "Cast" or kind(node.expr) != "ID" or node.expr.name not in parameters:
        return False
    return getattr(getattr(node.to_type.type, "type", None), "names", None) == ["void"]


def _is_assert(node: Any, parameters: set[str]) -> bool:
    """Whether a statement is an `assert` about parameters alone."""
    if kind(node) != "FuncCall" or getattr(node.name, "name", "") != "assert" or node.args is None:
        return False
    asked = names_below(node.args)
    return asked <= parameters and not has_effects(node.args)


def _is_guard(node: Any, parameters: set[str], declared: set[str]) -> bool:
    """Whether a statement only asks for parameters, tells somebody perhaps, and ends the function."""
    if kind(node) != "If" or node.iffalse is not None or holds_loop(node):
        return False
    body = node.iftrue
    items = list(body.block_items or ()) if kind(body) == "Compound" else [body]
    if not items or kind(items[-1]) != "Return" or any(kind(each) != "FuncCall" for each in items[:-1]):
        return False
    asked = names_below(node.cond)
    used = names_below(body)
    return asked <= parameters and not used & declared and not has_effects(node.cond) and not assigns(node)
