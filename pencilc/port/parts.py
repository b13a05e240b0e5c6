"""Helpers that are given a part of an array: a copy of the helper is told where the part begins.

float dot_sized(int n, const float a[n], …) { … a[k] … }        dot_sized(d, &x[i * d], w)
float dot_part(int n, int a_begin, const float a[a_begin + n], …) { … a[a_begin + k] … }
                                                                dot_part(d, i * d, x, w)
PENCIL has no pointers into arrays: an access names the whole array and a subscript.
"""

from __future__ import annotations

import re
from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.ir.rewrite import fresh_name
from pencilc.port.elements import is_loose
from pencilc.port.find import FunctionText, ParameterText, counter_type, definition, text_of
from pencilc.port.records import PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import is_field, is_pointer, kind, with_parents
from pencilc.records import dataclass

_QUALIFIERS = ("static", "const", "restrict", "volatile")
_MARK = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(?:scop|endscop|pencil)\b.*\n", re.M)


@dataclass(frozen=True, slots=True)
class PartCalls:
    """The change to the calls, with the copies of helpers, which helpers these are copies of, and their own names.

    In `made`, which hand on what they were given, there may be such calls too.
    """

    changes: PortChanges
    copied: tuple[str, ...] = ()
    made: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Call:
    """A call: its name token and closing parenthesis, and of each argument the array and the text where it begins."""

    at: int
    closing: int
    arguments: tuple[tuple[str, str], ...]
    line: int


def with_parts(parsed: Parsed, function: FunctionText) -> PartCalls:
    """The pass over one function, whose pointers are gone already: parts are `&a[e]` in it."""
    nodes: dict[str, list[Any]] = {}
    for node in nodes_below(function.node.body):
        name = getattr(node.name, "name", "") if kind(node) == "FuncCall" else ""
        if isinstance(name, str) and name and node.args is not None and definition(parsed, name) is not None:
            nodes.setdefault(name, []).append(node)
    # Calls that macros make have no text of their own: only those that matter are looked at.
    calls = {
        name: [_call(parsed, node, name) for node in here] for name, here in nodes.items()
        if any(_is_part(argument) for node in here for argument in node.args.exprs)
    }  # fmt: skip
    edits: list[Replacement] = []
    steps: list[Step] = []
    copied: list[str] = []
    made: list[str] = []
    for name, here in calls.items():
        helper = text_of(parsed, definition(parsed, name))
        begun = [
            parameter for k, parameter in enumerate(helper.parameters)
            if any(len(call.arguments) == len(helper.parameters) and call.arguments[k][1] for call in here)
            and _is_row(parsed, helper, parameter)
        ]  # fmt: skip
        if not begun or any(len(call.arguments) != len(helper.parameters) for call in here):
            continue
        names = [parameter.name for parameter in begun]
        new = _copy_there(parsed, name, names)
        if not new:
            new = fresh_name(f"{name.removesuffix('_sized')}_part", {token.text for token in parsed.tokens})
            edits.append(_copy(parsed, function, helper, here, begun, new))
            made.append(new)
        edits += [_called(parsed, helper, call, names, new) for call in here]
        told = name.removesuffix("_sized")
        steps.append(
            Step(here[0].line, f"`{told}` is given a part of an array", f"`{new}`, which knows where it begins")
        )
        copied.append(name)
    return PartCalls(PortChanges(tuple(edits), tuple(steps)), tuple(copied), tuple(made))


def _is_part(argument: Any) -> bool:
    """Whether an argument is `&a[e]`."""
    return kind(argument) == "UnaryOp" and argument.op == "&" and kind(argument.expr) == "ArrayRef"


def _call(parsed: Parsed, node: Any, name: str) -> _Call:
    at = parsed.token_of(node.name, name)
    closing = parsed.closing(at + 1)
    found: list[tuple[str, str]] = []
    for argument, (first, last) in zip(node.args.exprs, parsed.parts(at + 1, closing), strict=True):
        is_plain = _is_part(argument) and kind(argument.expr.name) == "ID" and parsed.tokens[first + 2].text == "["
        if is_plain and parsed.closing(first + 2) == last:
            found.append((argument.expr.name.name, parsed.slice(first + 3, last - 1)))
        else:
            found.append((parsed.slice(first, last), ""))
    return _Call(at, closing, tuple(found), parsed.span(node).line)


def _called(parsed: Parsed, helper: FunctionText, call: _Call, begun: list[str], new: str) -> Replacement:
    """The call of the copy `new`, with where the arrays of the parameters `begun` begin in front of them."""
    given: list[str] = []
    for parameter, (array, begin) in zip(helper.parameters, call.arguments, strict=True):
        if parameter.name in begun:
            given += [begin or "0", array]
        else:
            given.append(f"&{array}[{begin}]" if begin else array)
    text = f"{new}({', '.join(given)})"
    return Replacement(parsed.tokens[call.at].start, parsed.tokens[call.closing].end, text)


def _is_row(parsed: Parsed, helper: FunctionText, parameter: ParameterText) -> bool:
    """Whether a parameter is an array of one dimension of which the helper only names elements, or hands it on."""
    ctype = parameter.node.type
    if kind(ctype) != "ArrayDecl" or ctype.dim is None or is_pointer(parsed, ctype.type):
        return False
    return all(
        (kind(around[0]) == "ArrayRef" and around[0].name is node) or kind(around[0]) == "ExprList"
        for node, around in with_parents(helper.node.body)
        if kind(node) == "ID" and node.name == parameter.name and not is_field(node, around)
    )


def _copy_there(parsed: Parsed, name: str, begun: list[str]) -> str:
    """A copy that an earlier function has made, if it knows where these arrays begin and no others."""
    node = definition(parsed, f"{name.removesuffix('_sized')}_part")
    if node is None:
        return ""
    own = [p.name.removesuffix("_begin") for p in text_of(parsed, node).parameters if p.name.endswith("_begin")]
    return node.decl.name if own == begun else ""


def _copy(
    parsed: Parsed, caller: FunctionText, helper: FunctionText, calls: list[_Call], begun: list[ParameterText], new: str
) -> Replacement:
    """The copy of a helper, behind it."""
    tokens = parsed.tokens
    edits = [Replacement(tokens[helper.name_at].start, tokens[helper.name_at].end, new)]
    position = {parameter.name: k for k, parameter in enumerate(helper.parameters)}
    for parameter in begun:
        begin = f"{parameter.name}_begin"
        types = [counter_type(caller, call.arguments[position[parameter.name]][1]) for call in calls]
        ctype = next((each for each in types if each != "int"), "int")
        edits.append(Replacement(tokens[parameter.first].start, tokens[parameter.first].start, f"{ctype} {begin}, "))
        at = parsed.name_of(parameter.node) + 2
        while tokens[at].text in _QUALIFIERS:
            at += 1
        edits.append(Replacement(tokens[at].start, tokens[at].start, f"{begin} + "))
        for node, around in with_parents(helper.node.body):
            if kind(node) == "ID" and node.name == parameter.name and not is_field(node, around):
                named = parsed.token_of(node, parameter.name)
                opening = named + 1
                if kind(around[0]) == "ExprList":
                    handed = f"&{parameter.name}[{begin}]"
                    edits.append(Replacement(tokens[named].start, tokens[named].end, handed))
                    continue
                closing = parsed.closing(opening)
                is_long = is_loose(around[0].subscript)
                edits.append(
                    Replacement(tokens[opening].end, tokens[opening].end, f"{begin} + {'(' if is_long else ''}")
                )
                edits += [Replacement(tokens[closing].start, tokens[closing].start, ")")] if is_long else []
    text = _MARK.sub("", parsed.slice(helper.start, helper.end, edits))
    text = text if "static" in helper.node.decl.storage else f"static {text}"
    end = tokens[helper.end].end
    return Replacement(end, end, f"\n\n{text}")
