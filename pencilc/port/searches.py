"""A search that returns from inside of its loop looks at everything, and returns behind it.

for (int i = 0; i < n; i++)        int first = 2147483647;
    if (a[i] == key)               for (int i = 0; i < n; i++)
        return i;                      if (a[i] == key)
return -1;                                 if (i < first) first = i;
                                   return first != 2147483647 ? first : -1;

A constant that is returned from the loop needs a flag alone.
"""

from __future__ import annotations

import re
from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.ir.rewrite import fresh_name
from pencilc.port.find import FunctionText
from pencilc.port.records import PortChanges, Replacement, Step
from pencilc.port.reduced import LARGEST, counter_of, is_constant, items_of, type_text
from pencilc.port.text import Parsed
from pencilc.port.tree import has_effects, kind


def with_one_return(parsed: Parsed, function: FunctionText) -> PortChanges:
    """The pass over one function: the last loop of a body and the `return` behind it; nothing where they are another
    form.
    """
    items = list(function.node.body.block_items or ())
    if len(items) < 2 or kind(items[-2]) != "For" or kind(items[-1]) != "Return" or items[-1].expr is None:
        return PortChanges(())
    loops: list[Any] = []
    node = items[-2]
    while kind(node) == "For":
        loops.append(node)
        inside = items_of(node.stmt)
        if any(kind(each) != "Decl" for each in inside[:-1]) or any(has_effects(each) for each in inside[:-1]):
            return PortChanges(())
        node = inside[-1] if inside else None
    returned = items_of(node.iftrue) if kind(node) == "If" and node.iffalse is None else []
    if len(returned) != 1 or kind(returned[0]) != "Return" or returned[0].expr is None or has_effects(node.cond):
        return PortChanges(())
    value = returned[0].expr
    taken = set(re.findall(r"\w+", parsed.slice(function.start, function.end)))
    result = type_text(function.node.decl.type.type)
    counter = counter_of(loops[-1], function.node)
    if is_constant(value):
        name = fresh_name("found", taken)
        declared, update = f"int {name} = 0;", f"{name} = 1;"
        asked, chosen = name, _text(parsed, returned[0])
        is_plain = _is_int(value) and _is_int(items[-1].expr)
    elif len(loops) == 1 and counter is not None and getattr(value, "name", "") == counter[0] and counter[1] in LARGEST:
        name = fresh_name("first", taken)
        most = LARGEST[counter[1]]
        declared, update = f"{counter[1]} {name} = {most};", f"if ({counter[0]} < {name}) {name} = {counter[0]};"
        asked, chosen = f"{name} != {most}", name
        is_plain = counter[1] == result and is_constant(items[-1].expr)
    else:
        return PortChanges(())
    other = _text(parsed, items[-1])
    if not is_plain:
        chosen, other = f"({result})({chosen})", f"({result})({other})"  # Each is converted by itself.
    start = parsed.tokens[parsed.token_of(items[-2], "for")].start
    indent = parsed.indent_at(start)
    edits = (
        Replacement(start, start, f"{declared}\n{indent}"),
        _statement(parsed, returned[0], update),
        _statement(parsed, items[-1], f"return {asked} ? {chosen} : {other};"),
    )
    step = Step(
        parsed.span(returned[0]).line, "a `return` from inside of a loop", f"`{name}`, and one `return` behind it"
    )
    return PortChanges(edits, (step,), ("what comes behind the first one that is found may be looked at too",))


def _is_int(node: Any) -> bool:
    """Whether an expression is made of constants of type `int`."""
    return is_constant(node) and all(each.type == "int" for each in nodes_below(node) if kind(each) == "Constant")


def _text(parsed: Parsed, node: Any) -> str:
    """What a `return` returns."""
    at = parsed.token_of(node, "return")
    return parsed.slice(at + 1, parsed.semicolon(at) - 1)


def _statement(parsed: Parsed, node: Any, text: str) -> Replacement:
    at = parsed.token_of(node, "return")
    return Replacement(parsed.tokens[at].start, parsed.tokens[parsed.semicolon(at)].end, text)
