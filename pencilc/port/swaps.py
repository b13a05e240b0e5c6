"""Arrays that change places in each iteration: every other iteration is written out with the other names.

for (t = 0; t < steps; t++) {            for (t = 0; t < steps; t++) {
    for (…) new[i] = f(old[i]);              if (t % 2 == 0) {
    tmp = old; old = new; new = tmp;             for (…) new[i] = f(old[i]);
}                                            } else {
                                                 for (…) old[i] = f(new[i]);
                                             }
                                         }

Behind the loop neither of the pointers may be used: which one is which would depend on how often it ran.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pencilc.frontend.syntax.nodes import LOOPS, nodes_below
from pencilc.port.counting import goes_on, parts_of, step_of, targets
from pencilc.port.find import FunctionText
from pencilc.port.records import CannotPort, PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import is_pointer, kind, with_parents
from pencilc.records import dataclass

_UNIT = "    "


@dataclass(frozen=True, slots=True)
class _Swap:
    """`kept = one; one = other; other = kept;`: the three names, and where the statements begin."""

    one: str
    other: str
    kept: str
    first: Any


def without_swaps(parsed: Parsed, function: FunctionText) -> PortChanges:
    """The pass over one function."""
    edits: list[Replacement] = []
    steps: list[Step] = []
    for node, around in with_parents(function.node.body):
        if kind(node) != "For" or kind(node.stmt) != "Compound" or any(kind(each) in LOOPS for each in around):
            continue
        swap = _swap_of(parsed, function, node.stmt.block_items or ())
        counter = _counter(node)
        if swap is None or not counter or not _may_go(parsed, function, node, swap):
            continue
        try:
            edits += _written_out(parsed, node, swap, counter)
        except CannotPort:
            continue  # A part of it comes from a macro.
        obstacle = f"`{swap.one}` and `{swap.other}` change places in each iteration"
        steps.append(
            Step(parsed.span(node).line, obstacle, "every other iteration has their names the other way round")
        )
    return PortChanges(tuple(edits), tuple(steps))


def _swap_of(parsed: Parsed, function: FunctionText, items: Sequence[Any]) -> _Swap | None:
    """The exchange of two pointers at the end of a block."""
    if len(items) < 4:
        return None
    first, second, third = items[-3:]
    kept = first.name if kind(first) == "Decl" else _target(first)
    value: Any = first.init if kind(first) == "Decl" else getattr(first, "rvalue", None)
    one, other = _target(second), _target(third)
    if not (kept and one and other) or kind(value) != "ID" or kind(second.rvalue) != "ID" or kind(third.rvalue) != "ID":
        return None
    if (value.name, second.rvalue.name, third.rvalue.name) != (one, other, kept) or len({kept, one, other}) < 3:
        return None
    declared = [each for each in nodes_below(function.node) if kind(each) == "Decl" and each.name in (one, other)]
    if len(declared) != 2 or not all(is_pointer(parsed, each.type) for each in declared):
        return None
    return _Swap(one, other, kept, first)


def _target(node: Any) -> str:
    """The variable that a plain assignment sets."""
    is_plain = kind(node) == "Assignment" and node.op == "=" and kind(node.lvalue) == "ID"
    return str(node.lvalue.name) if is_plain else ""


def _counter(loop: Any) -> str:
    """The counter of a loop that goes up from 0 by 1, and is not changed in its body."""
    first, last = parts_of(loop.init), parts_of(loop.next)
    if len(first) != 1 or len(last) != 1 or goes_on(loop.stmt):
        return ""
    name = first[0].name if kind(first[0]) == "Decl" else _target(first[0])
    value: Any = first[0].init if kind(first[0]) == "Decl" else getattr(first[0], "rvalue", None)
    is_from_zero = kind(value) == "Constant" and value.value == "0"
    is_changed = any(target == name for _, target in targets(loop.stmt))
    return name if name and is_from_zero and step_of(last[0], name) == 1 and not is_changed else ""


def _may_go(parsed: Parsed, function: FunctionText, loop: Any, swap: _Swap) -> bool:
    """Whether nothing else changes the pointers in the loop, and nothing behind it uses them."""
    own = {id(each) for item in loop.stmt.block_items[-3:] for each in nodes_below(item)}
    inside = {id(each) for each in nodes_below(loop)}
    names = {swap.one, swap.other, swap.kept}
    if any(name in names and id(node) not in own for node, name in targets(loop.stmt, elements=False)):
        return False
    end = parsed.token_of(loop, "for")
    for node in nodes_below(function.node.body):
        if kind(node) != "ID" or node.name not in names or id(node) in own:
            continue
        if node.name == swap.kept or (id(node) not in inside and parsed.token_of(node, node.name) > end):
            return False
    return True


def _written_out(parsed: Parsed, loop: Any, swap: _Swap, counter: str) -> list[Replacement]:
    """The body once with the names as they are, and once the other way round."""
    opening = parsed.token_of(loop.stmt, "{")
    closing = parsed.closing(opening)
    at = parsed.name_of(swap.first) if kind(swap.first) == "Decl" else parsed.token_of(swap.first.lvalue, swap.kept)
    last = at - 1
    while parsed.tokens[last].text not in (";", "}"):
        last -= 1  # the type of the declaration
    start, end = parsed.tokens[opening].end, parsed.tokens[last].end
    exchanged = {swap.one: swap.other, swap.other: swap.one}
    parts, position = [], start
    for k in range(opening + 1, last + 1):
        token = parsed.tokens[k]
        if token.kind == "name" and token.text in exchanged and parsed.tokens[k - 1].text not in (".", "->"):
            parts += [parsed.text[position : token.start], exchanged[token.text]]
            position = token.end
    plain, turned = parsed.text[start:end], "".join([*parts, parsed.text[position:end]])
    indent = parsed.indent_at(parsed.tokens[opening].start) + _UNIT
    if "\n" not in plain:
        plain, turned = f"\n{indent}{_UNIT}{plain.strip()}", f"\n{indent}{_UNIT}{turned.strip()}"
    else:
        plain, turned = (text.replace("\n", f"\n{_UNIT}") for text in (plain, turned))
    new = f"\n{indent}if ({counter} % 2 == 0) {{{plain}\n{indent}}} else {{{turned}\n{indent}}}\n{indent[:-4]}"
    return [Replacement(start, parsed.tokens[closing].start, new)]
