"""Macros that hide a loop or the place of an element are written out.

#define AT(m, r, c) ((m)->data[(r) * (m)->ld + (c)])

s += AT(m, i, j);               s += (m->data[i * m->ld + j]);

Only where something has to be changed that such a macro makes: elsewhere macros stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pencilc.frontend.preprocess.run import MacroText
from pencilc.frontend.syntax.lexing import OPENING, Token, tokens
from pencilc.frontend.translate.remedies import generated
from pencilc.port.find import FunctionText, definition
from pencilc.port.records import PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import declared_names, kind

# What a macro has in it that stands in the way of changes.
_HIDES = re.compile(r"\[|->|\*\s*\(?\s*[A-Za-z_]\w*\s*\)?\s*(\+\+|--)|\b(for|while)\b")


def without_macros(parsed: Parsed, function: FunctionText) -> PortChanges:
    """The pass over one function: the macros in its body that hide loops or elements, written out."""
    macros = {name: each for name, each in parsed.preprocessed.macros.items() if _may_go(each)}
    variables = frozenset(declared_names(function.node))
    edits: list[Replacement] = []
    steps: dict[str, Step] = {}
    at = function.body
    while at < function.end:
        found = _expansion(parsed.tokens, at, parsed.text, macros, variables)
        if found is None:
            at += 1
            continue
        new, behind = found
        name = parsed.tokens[at].text
        edits.append(Replacement(parsed.tokens[at].start, parsed.tokens[behind - 1].end, new))
        line = parsed.line_at(parsed.tokens[at].start)
        steps.setdefault(name, Step(line, f"the macro `{name}` hides what has to be changed", "what it stands for"))
        at = behind
    return PortChanges(tuple(edits), tuple(steps.values()))


def without_macro_around(parsed: Parsed, name: str) -> PortChanges:
    """`DEFINE_AXPY(saxpy, float)` as the functions that it makes, where one of them is `name`."""
    decl = definition(parsed, name).decl
    line = parsed.span(decl).line
    at = next((k for k, token in enumerate(parsed.tokens) if parsed.line_at(token.start) == line), len(parsed.tokens))
    macro = parsed.preprocessed.macros.get(parsed.tokens[at].text) if at + 1 < len(parsed.tokens) else None
    if macro is None or macro.parameters is None or parsed.tokens[at + 1].text != "(":
        return PortChanges(())
    last = parsed.closing(at + 1)
    made = [
        each for each in parsed.tree.ext if parsed.is_in_file(_head(each)) and parsed.span(_head(each)).line == line
    ]
    texts = [generated(each).strip() + ("" if kind(each) == "FuncDef" else ";") for each in made]
    if parsed.tokens[last + 1 : last + 2] and parsed.tokens[last + 1].text == ";":
        last += 1
    edit = Replacement(parsed.tokens[at].start, parsed.tokens[last].end, "\n\n".join(texts))
    return PortChanges((edit,), (Step(line, f"the macro `{parsed.tokens[at].text}` makes it", "what it stands for"),))


def _head(node: Any) -> Any:
    """The node of a definition or a declaration that has a place."""
    return node.decl if kind(node) == "FuncDef" else node


def _may_go(macro: MacroText) -> bool:
    """Whether a macro is put together of nothing but tokens, and may hide something: a mere constant does not."""
    has_any_number = any("..." in each for each in macro.parameters or ())
    hides = macro.parameters is not None or _HIDES.search(macro.text) is not None
    return hides and "#" not in macro.text and not has_any_number


def _expansion(
    found: Sequence[Token], at: int, text: str, macros: Mapping[str, MacroText], variables: frozenset[str]
) -> tuple[str, int] | None:
    """What the macro that is called at token `at` stands for, and the token behind it; None where none hides anything.

    A macro that has the place of an element among its arguments may have it twice.
    """
    macro = macros.get(found[at].text) if found[at].kind == "name" else None
    if macro is None:
        return None
    others = {name: each for name, each in macros.items() if each is not macro}
    if macro.parameters is None:
        return _written_out(macro.text, others, variables), at + 1
    if at + 1 >= len(found) or found[at + 1].text != "(":
        return None
    arguments, behind = _arguments(found, at + 1, text)
    if len(arguments) != len(macro.parameters):
        return None
    given = {
        name: _written_out(argument, macros, variables)
        for name, argument in zip(macro.parameters, arguments, strict=True)
    }
    made = _written_out(_with_arguments(macro.text, given, variables), others, variables)
    if _HIDES.search(made) is None:
        return None
    return (made[1:-1] if made[:1] == "(" and _is_bound(made[1:-1], variables) else made), behind


def _arguments(found: Sequence[Token], opening: int, text: str) -> tuple[list[str], int]:
    """The arguments of a call as text, and the number of the token behind its parenthesis."""
    closers = {*OPENING.values()}
    arguments: list[str] = []
    depth, start = 0, opening + 1
    for at in range(opening, len(found)):
        word = found[at].text if found[at].kind == "op" else ""
        depth += (word in OPENING) - (word in closers)
        if depth == 0 or (depth == 1 and word == ","):
            if at > start:
                arguments.append(text[found[start].start : found[at - 1].end])
            start = at + 1
        if depth == 0:
            return arguments, at + 1
    return [], opening


def _written_out(text: str, macros: Mapping[str, MacroText], variables: frozenset[str]) -> str:
    """A text with the macros in it written out."""
    found = tokens(text)
    parts: list[str] = []
    position = at = 0
    while at < len(found):
        made = _expansion(found, at, text, macros, variables)
        if made is None:
            at += 1
            continue
        parts += [text[position : found[at].start], made[0]]
        position, at = found[made[1] - 1].end, made[1]
    return "".join([*parts, text[position:]])


def _with_arguments(text: str, given: Mapping[str, str], variables: frozenset[str]) -> str:
    """The text of a macro with the arguments in their places, without parentheses where they bind anyway."""
    found = tokens(text)
    parts: list[str] = []
    position = 0
    for at, token in enumerate(found):
        if token.kind != "name" or token.text not in given:
            continue
        argument = given[token.text]
        alone = _is_alone(found, at) and _is_bound(argument, variables)
        first, last = (found[at - 1], found[at + 1]) if alone else (token, token)
        parts += [text[position : first.start], argument]
        position = last.end
    return "".join([*parts, text[position:]])


def _is_bound(text: str, variables: frozenset[str]) -> bool:
    """Whether a text is a number, a variable or an element, so that it means the same without parentheses around it."""
    found = tokens(text)
    if not found or found[0].text not in variables:
        return text.isdigit()
    at = 1
    while at < len(found):
        if found[at].text == "[":
            at = _arguments(found, at, text)[1]
        elif found[at].text in ("->", ".") and at + 1 < len(found) and found[at + 1].kind == "name":
            at += 2
        else:
            return False
    return True


def _is_alone(found: Sequence[Token], at: int) -> bool:
    """Whether a token stands in parentheses of its own, which are not those of a call."""
    if not 0 < at < len(found) - 1 or (found[at - 1].text, found[at + 1].text) != ("(", ")"):
        return False
    return at < 2 or found[at - 2].kind != "name"
