"""Why it is not seen how large an array is: what moves through it, and what that waits for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pencilc.frontend.syntax.nodes import LOOPS, nodes_below
from pencilc.frontend.translate.remedies import generated
from pencilc.port.counting import RELATIONS, first_conjunct, targets
from pencilc.port.find import FunctionText
from pencilc.port.text import Parsed
from pencilc.port.tree import kind, names_below, with_parents


def why_unknown(parsed: Parsed, function: FunctionText, array: str) -> str:
    """The reason, as the beginning of a sentence about one array of which no size is seen."""
    body = function.node.body
    subscripts: list[Any] = []
    for node in nodes_below(body):
        if kind(node) != "ArrayRef" or getattr(node.name, "name", "") != array:
            continue
        subscripts.append(node.subscript)
        for name in sorted(names_below(node.subscript)):
            reason = next(_reasons(parsed, body, name), "")
            if reason:
                return reason
    if any(_are_data(body, each, set()) for each in subscripts):
        return f"how large `{array}` is depends on data"
    return f"its subscripts do not tell how large `{array}` is"


def _are_data(body: Any, value: Any, seen: set[str]) -> bool:
    """Whether a value is made of elements of arrays, or of what is none of this file, by way of variables too."""
    if any(kind(each) in ("ArrayRef", "StructRef", "FuncCall") for each in (value, *nodes_below(value))):
        return True
    names = names_below(value) - seen
    seen |= names
    for node in nodes_below(body):
        given = getattr(node, "init", None) if kind(node) == "Decl" else getattr(node, "rvalue", None)
        name = getattr(node, "name", "") if kind(node) == "Decl" else getattr(getattr(node, "lvalue", None), "name", "")
        if given is not None and name in names and _are_data(body, given, seen):
            return True
    return False


def _reasons(parsed: Parsed, body: Any, name: str) -> Iterator[str]:
    """What is not seen about how a variable moves."""
    for node, around in with_parents(body):
        if all(target != name for _, target in targets(node, below=False, elements=False)):
            continue
        loops = [each for each in around if kind(each) in LOOPS]
        if not loops:
            continue
        inside = around[: around.index(loops[0])]
        line = parsed.users_line(parsed.span(loops[0]).line)
        if any(kind(each) in ("If", "TernaryOp", "Switch") for each in inside):
            yield f"`{name}` counts only where a condition holds, so that the data say how far it goes"
            return
        if loops[0].cond is None:
            yield f"the loop at line {line} has no condition that says how often it runs"
            continue
        cond: Any = first_conjunct(loops[0].cond)
        asked = names_below(cond)
        sides = (cond.left, cond.right) if kind(cond) == "BinaryOp" and cond.op in RELATIONS else ()
        if any(kind(each) in ("ArrayRef", "StructRef") for each in nodes_below(cond)):
            yield f"the loop at line {line} goes on until the data say so (`{generated(cond)}`)"
        elif name in asked and kind(loops[0]) != "For":
            yield f"how `{name}` counts in the loop at line {line} is not seen: use `for` with one counter"
        elif name not in asked or not any(getattr(side, "name", "") == name for side in sides):
            yield f"how `{name}` moves beside the counter of the loop at line {line} is not seen"
