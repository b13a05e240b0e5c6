"""Sizes and counters of 32 bits without a sign, of which products may wrap, are of 64 bits in the new function.

void f_sized(unsigned n, unsigned m, …)         void f_sized(size_t n, size_t m, …)
for (unsigned i = 0; i < n; i++)                for (size_t i = 0; i < n; i++)
    a[i * m + j]                                    a[i * m + j]
"""

from __future__ import annotations

from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.port.find import FunctionText
from pencilc.port.marks import beginning
from pencilc.port.records import PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import declared_names, kind, names_below, typedefs

_NARROW = ({"unsigned"}, {"unsigned", "int"}, {"uint32_t"})


def with_wide_sizes(parsed: Parsed, function: FunctionText) -> PortChanges:
    """The pass over a function that is to be compiled; it is worth it only where a subscript is seen through then."""
    body = function.node.body
    named: set[str] = set()
    for node in nodes_below(body):
        if kind(node) == "ArrayRef":
            named |= names_below(node.subscript)
        elif kind(node) == "For" and node.cond is not None:
            named |= names_below(node.cond)
    declared = declared_names(function.node)
    wide = "size_t" if "size_t" in typedefs(parsed) else "unsigned long"
    places: dict[int, tuple[int, int]] = {}
    found: list[str] = []
    for parameter in function.parameters:
        if parameter.name in named and _is_narrow(parameter.node) and declared.count(parameter.name) == 1:
            places[parameter.first] = (parameter.first, parsed.name_of(parameter.node) - 1)
            found.append(parameter.name)
    sizes = tuple(found)
    for node in nodes_below(body):
        if kind(node) == "Decl" and node.name in named and _is_narrow(node):
            first = parsed.name_of(node) if _opens_loop(parsed, node) else beginning(parsed, node)
            while _opens_loop(parsed, node) and parsed.tokens[first - 1].text != "(":
                first -= 1
            last = next(k for k in range(first, len(parsed.tokens)) if parsed.tokens[k].text in declared) - 1
            places[first] = (first, last)
    if not sizes:
        return PortChanges(())
    edits = [Replacement(parsed.tokens[first].start, parsed.tokens[last].end, wide) for first, last in places.values()]
    names = ", ".join(f"`{name}`" for name in sizes)
    step = Step(function.span.line, f"products of {names} may wrap", f"`{wide}` in the new function")
    return PortChanges(tuple(edits), (step,), (f"no subscript that is computed from {names} wraps at 32 bits",))


def _is_narrow(node: Any) -> bool:
    names = getattr(getattr(node.type, "type", None), "names", None) if kind(node.type) == "TypeDecl" else None
    return names is not None and set(names) in _NARROW and not node.quals and not node.storage


def _opens_loop(parsed: Parsed, node: Any) -> bool:
    """Whether a declaration stands in the head of a `for`."""
    at = parsed.name_of(node)
    while parsed.tokens[at - 1].text not in (";", "{", "}", "("):
        at -= 1
    return parsed.tokens[at - 1].text == "(" and parsed.tokens[at - 2].text == "for"
