"""Functions of C compilers and of the C library that PENCIL does not have, as functions of the file's own.

c += __builtin_popcount(x);      static int bits_popcount(unsigned x) { … }
                                 c += bits_popcount(x);
"""

from __future__ import annotations

import re

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.translate.replacements import OWN_FUNCTIONS
from pencilc.ir.rewrite import fresh_name
from pencilc.port.find import definition, helpers_of, text_of
from pencilc.port.records import PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import kind


def with_own_functions(parsed: Parsed, name: str) -> PortChanges:
    """The pass over a function and what it calls; names that the file has for other things stay out of it."""
    edits: list[Replacement] = []
    steps: list[Step] = []
    needed: dict[str, int] = {}  # the functions to be defined, and the token in front of which each stands
    names: dict[str, str] = {}  # what each is called here
    words = set(re.findall(r"\w+", parsed.text))
    for caller in (name, *helpers_of(parsed, name)):
        node = definition(parsed, caller)
        start = text_of(parsed, node).start
        for each in nodes_below(node.body):
            called = getattr(each.name, "name", "") if kind(each) == "FuncCall" else ""
            own = OWN_FUNCTIONS.get(called)
            if own is None or definition(parsed, called) is not None:
                continue
            token = parsed.tokens[parsed.token_of(each.name, called)]
            is_there = own.definition in parsed.text
            if called not in names:
                names[called] = own.name if is_there else fresh_name(own.name, words)
            new_name = names[called]
            edits.append(Replacement(token.start, token.end, new_name))
            obstacle = f"`{called}` has no body that a GPU thread could run"
            steps.append(Step(parsed.span(each).line, obstacle, f"`{new_name}`"))
            if not is_there:
                needed[called] = min(start, needed.get(called, start))
    for at in set(needed.values()):
        place = parsed.line_start(parsed.tokens[at].start)
        functions = [(OWN_FUNCTIONS[called], names[called]) for called, where in needed.items() if where == at]
        here = [re.sub(rf"\b{own.name}\b", new_name, own.definition) for own, new_name in functions]
        edits.append(Replacement(place, place, "".join(f"{text}\n\n" for text in here)))
    return PortChanges(tuple(edits), tuple(steps))
