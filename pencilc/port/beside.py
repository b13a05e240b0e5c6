"""Integers that count beside the counter of a loop: which there are, and which expressions they may be moved by.

for (i = 0; i < n; i++) {            k, which is 2 * i and 2 * i + 1
    out[k++] = re[i];
    out[k++] = im[i];
}
for (i = 0; i < j; i++) { …; j--; }  j, which is n - 1 - i
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pencilc.frontend.syntax.nodes import LOOPS, nodes_below
from pencilc.port.counting import RELATIONS, STEPS, changed_in, first_conjunct, parts_of, targets
from pencilc.port.text import Parsed
from pencilc.port.tree import kind, names_below, resolved, root_name, whole_number

_NARROW = frozenset({"char", "short", "_Bool"})
_OTHER = frozenset({"float", "double", "_Complex", "void"})
_ARITHMETIC = ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^")


def integer_types(parsed: Parsed, function: Any) -> dict[str, tuple[str, ...]]:
    """The words of the type of each integer variable of a definition; those that have several types are left out."""
    found: dict[str, tuple[str, ...]] = {}
    for node in nodes_below(function):
        if kind(node) != "Decl" or not node.name:
            continue
        inner = resolved(parsed, node.type)
        words = tuple(sorted(inner.names)) if kind(inner) == "IdentifierType" else ()
        is_integer = kind(node.type) == "TypeDecl" and bool(words) and not _OTHER & {*words}
        words = words if is_integer else ()
        found[node.name] = words if found.get(node.name, words) == words else ()
    return {name: words for name, words in found.items() if words}


def beside_counters(parsed: Parsed, function: Any, types: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The local integers that loops move by as much each time, that count no loop, and that subscripts or bounds need.

    That they do move evenly is not known yet.
    """
    body = function.body
    local = {each.name for each in nodes_below(body) if kind(each) == "Decl" and each.name}
    moved = {name for node, name in targets(body, elements=False) if _is_even(node, name)}
    uneven = {name for node, name in targets(body, elements=False) if not _is_even(node, name) and not _is_set(node)}
    addressed = {root_name(each.expr) for each in nodes_below(body) if kind(each) == "UnaryOp" and each.op == "&"}
    loops = [each for each in nodes_below(body) if kind(each) in LOOPS]
    stepped = {
        name for loop in loops for part in (loop.stmt, loop.cond, getattr(loop, "next", None))
        for node, name in targets(part, elements=False) if _is_even(node, name)
    }  # fmt: skip
    counters = {name for loop in loops for name in _counters(loop)}
    needed = {name for place in _places(body, loops) for name in names_below(place)}
    chosen = local & moved & stepped & needed & types.keys()
    chosen -= uneven | addressed | counters
    return sorted(name for name in chosen if not _NARROW & {*types[name]})


def is_whole_number(node: Any, types: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether an expression is computed from integer constants and variables alone."""
    match kind(node):
        case "Constant":
            return whole_number(node) is not None
        case "ID":
            return node.name in types
        case "UnaryOp":
            return node.op in ("+", "-") and is_whole_number(node.expr, types)
        case "BinaryOp":
            sides = (node.left, node.right)
            return node.op in _ARITHMETIC and all(is_whole_number(side, types) for side in sides)
    return False


def _is_set(node: Any) -> bool:
    return kind(node) == "Assignment" and node.op == "="


def _is_even(node: Any, name: str) -> bool:
    """Whether a change of a variable adds something to it: `k++`, `k -= w`, `k = k + 2`."""
    if kind(node) == "UnaryOp":
        return node.op in STEPS
    if node.op in ("+=", "-="):
        return True
    value = node.rvalue
    return _is_set(node) and kind(value) == "BinaryOp" and value.op in ("+", "-") and name in names_below(value)


def _counters(loop: Any) -> Iterator[str]:
    """The variable that a loop counts by: the first one of its condition that the loop changes."""
    cond = first_conjunct(loop.cond)
    changed = changed_in(loop)
    sides = [cond.left, cond.right] if kind(cond) == "BinaryOp" and cond.op in RELATIONS else [cond]
    for side in sides:
        counter = side.expr if kind(side) == "UnaryOp" and side.op in STEPS else side
        if kind(counter) == "ID" and counter.name in changed:
            yield counter.name
            return
    # A loop without a comparison of a counter: what its head steps.
    for each in parts_of(getattr(loop, "next", None)) if cond is None else ():
        yield from (name for _, name in targets(each, elements=False))


def _places(body: Any, loops: list[Any]) -> Iterator[Any]:
    """Where it matters what a counter is: subscripts, conditions of loops, and sums with pointers."""
    yield from (loop.cond for loop in loops if loop.cond is not None)
    for node in nodes_below(body):
        if kind(node) == "ArrayRef":
            yield node.subscript
        elif kind(node) == "UnaryOp" and node.op == "*":
            yield node.expr
