"""A `while` that counts is written as a `for`, whose iterations can be shared out.

int i = 0;                        int i = 0;
while (i < n) {                   for (i = 0; i < n; i++) {
    s += a[i];                        s += a[i];
    i++;                          }
}
"""

from __future__ import annotations

from typing import Any

from pencilc.frontend.syntax.lexing import statement_end
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.port.counting import RELATIONS, goes_on, step_of, targets
from pencilc.port.find import FunctionText
from pencilc.port.records import CannotPort, PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import has_effects, kind, names_below, names_in, root_name, with_parents


def with_for_loops(parsed: Parsed, function: FunctionText) -> PortChanges:
    """The pass over one function: each `while` whose counter starts from a known value and steps at its end."""
    edits: list[Replacement] = []
    steps: list[Step] = []
    for node, around in with_parents(function.node.body):
        if kind(node) not in ("While", "DoWhile"):
            continue
        try:
            made = (_counted if kind(node) == "While" else _counted_behind)(parsed, node, around)
        except CannotPort:
            continue  # A part of it comes from a macro.
        if made:
            edits += made
            what = "a `while`" if kind(node) == "While" else "a `do … while`"
            steps.append(Step(parsed.span(node).line, f"{what} does not say how often it runs", "a `for`"))
    return PortChanges(tuple(edits), tuple(steps))


def _counted(parsed: Parsed, node: Any, around: tuple[Any, ...]) -> list[Replacement]:
    """The changes that make a `for` of one loop; none where it does not count."""
    items = list(node.stmt.block_items or ()) if kind(node.stmt) == "Compound" else []
    if not items or kind(around[0]) != "Compound" or kind(node.cond) != "BinaryOp" or node.cond.op not in RELATIONS:
        return []
    step = items[-1]
    target: Any = step.expr if kind(step) == "UnaryOp" else getattr(step, "lvalue", None)
    is_step = kind(step) == "UnaryOp" and step.op.strip("p") in ("++", "--")
    is_step = is_step or (kind(step) == "Assignment" and step.op in ("+=", "-=") and kind(step.rvalue) == "Constant")
    if not is_step or kind(target) != "ID" or not names_in(node.cond, target.name):
        return []
    name = target.name
    if any(name in _changed(item) for item in items[:-1]) or goes_on(node.stmt):
        return []
    found = _start(parsed, name, node, around[0])
    if found is None:
        return []
    start, earlier = found
    at = parsed.token_of(target, name)
    first = at - 2 if kind(step) == "UnaryOp" and not step.op.startswith("p") else at
    semicolon = parsed.semicolon(at)
    text = parsed.slice(first, semicolon - 1)
    opening = parsed.token_of(node, "while") + 1
    closing = parsed.closing(opening)
    tokens = parsed.tokens
    edits = [] if earlier is None else [_without(parsed, earlier, parsed.semicolon(earlier))]
    return [
        *edits,
        Replacement(tokens[opening - 1].start, tokens[opening].end, f"for ({name} = {start}; "),
        Replacement(tokens[closing].start, tokens[closing].end, f"; {text})"),
        _without(parsed, first, semicolon),
    ]


def _counted_behind(parsed: Parsed, node: Any, around: tuple[Any, ...]) -> list[Replacement]:
    """The same for `do { …; i++; } while (i < n);` and `do … while (++i < n);`, which have an iteration at least."""
    cond = node.cond
    if kind(around[0]) != "Compound" or kind(cond) != "BinaryOp" or cond.op not in RELATIONS:
        return []
    is_in_cond = kind(cond.left) == "UnaryOp" and cond.left.op in ("++", "--")
    counter = cond.left.expr if is_in_cond else cond.left
    items = list(node.stmt.block_items or ()) if kind(node.stmt) == "Compound" else [node.stmt]
    if kind(counter) != "ID" or not items:
        return []
    name = counter.name
    step = cond.left if is_in_cond else items.pop()
    if (not is_in_cond and step_of(step, name) is None) or any(name in _changed(item) for item in items):
        return []
    bounds = names_below(cond.right)
    if goes_on(node.stmt) or has_effects(cond.right) or any(bounds & _changed(item) for item in items):
        return []
    found = _start(parsed, name, node, around[0])
    if found is None:
        return []
    start, earlier = found
    tokens = parsed.tokens
    opening = _condition(parsed, node)
    closing = parsed.closing(opening)
    bound = parsed.slice(parsed.token_of(counter, name) + 1, closing - 1)
    at = parsed.token_of(step.expr if kind(step) == "UnaryOp" else step.lvalue, name)
    first = at - 2 if kind(step) == "UnaryOp" and not step.op.startswith("p") else at
    text = parsed.slice(first, at if is_in_cond else parsed.semicolon(at) - 1)
    do = parsed.token_of(node, "do")
    edits = [] if earlier is None else [_without(parsed, earlier, parsed.semicolon(earlier))]
    edits += [] if is_in_cond else [_without(parsed, first, parsed.semicolon(at))]
    return [
        *edits,
        Replacement(tokens[do].start, tokens[do].end, f"for ({name} = {start}; {name} {bound}; {text})"),
        Replacement(tokens[opening - 2].end, tokens[closing + 1].end, ""),
    ]


def _condition(parsed: Parsed, node: Any) -> int:
    """The parenthesis of the condition of a `do … while`."""
    at = parsed.token_of(node, "do")
    offset = statement_end(parsed.text, parsed.tokens[at].start)
    last = next(k for k in range(at, len(parsed.tokens)) if parsed.tokens[k].end >= offset)
    opening = last - 1
    while parsed.tokens[opening].text != "(" or parsed.closing(opening) != last - 1:
        opening -= 1
    return opening


def _without(parsed: Parsed, first: int, last: int) -> Replacement:
    """The change that takes out a statement, with its line where that holds nothing else."""
    begin, end = parsed.tokens[first].start, parsed.tokens[last].end
    line, newline = parsed.line_start(begin), parsed.text.find("\n", end)
    if not parsed.text[line:begin].strip() and not parsed.text[end:newline].strip():
        return Replacement(line, newline + 1, "")
    return Replacement(begin, parsed.after_space(end), "")


def _start(parsed: Parsed, name: str, loop: Any, block: Any) -> tuple[str, int | None] | None:
    """What a variable is set to in front of a loop, in the same block, as text; None where that is not seen.

    With it goes the first token of the assignment, if nothing but the loop needs that.
    """
    items = list(block.block_items)
    between: set[str] = set()
    is_read = False
    for item in reversed(items[: next(k for k, each in enumerate(items) if each is loop)]):
        value: Any = None
        if kind(item) == "Decl" and item.name == name:
            value, at = item.init, parsed.name_of(item)
        elif kind(item) == "Assignment" and item.op == "=" and getattr(item.lvalue, "name", "") == name:
            value, at = item.rvalue, parsed.token_of(item.lvalue, name)
        if value is not None:
            read = names_below(value)
            if has_effects(value) or read & between or kind(value) not in ("Constant", "ID", "BinaryOp"):
                return None
            last = at + 2
            while parsed.tokens[last].text not in (";", ","):
                last = parsed.closing(last) + 1 if parsed.tokens[last].text in ("(", "[") else last + 1
            is_needed = is_read or kind(item) == "Decl" or parsed.tokens[last].text != ";"
            return parsed.slice(at + 2, last - 1), None if is_needed else at
        if name in _changed(item):
            return None
        is_read = is_read or bool(names_in(item, name))
        between |= _changed(item)
    return None


def _changed(node: Any) -> set[str]:
    """The variables that something below a node changes, or of which it takes the address."""
    addressed = {root_name(each.expr) for each in nodes_below(node) if kind(each) == "UnaryOp" and each.op == "&"}
    return {name for _, name in targets(node)} | addressed
