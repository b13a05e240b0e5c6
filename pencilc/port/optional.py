"""Pointers that may be NULL: the function with the old head asks, and hands over a value of its own.

double f(…, double *error)          double f_sized(…, int has_error, double error[1])
{                                       if (has_error)
    if (error != NULL)                      error[0] = e;
        *error = e;                 double f(…, double *error)
                                        int has_error = error != 0;
                                        double no_error = 0;
                                        if (!has_error)
                                            error = &no_error;
                                        return f_sized(…, has_error, error);

An array that may be NULL, `w ? w[i] : 1`, has no elements then: `w[has_w * n]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from pencilc.frontend.syntax.nodes import may_change, nodes_below
from pencilc.ir.rewrite import fresh_name
from pencilc.port.find import FunctionText, ParameterText
from pencilc.port.records import PortChanges, Replacement, Step
from pencilc.port.reduced import type_text
from pencilc.port.text import Parsed
from pencilc.port.tree import declared_names, is_field, is_pointer, kind, resolved, with_parents
from pencilc.records import dataclass

_NULLS = ("NULL", "0")
# What asks for a value: there a pointer stands for whether it points to something.
_ASKING = {"If": "cond", "TernaryOp": "cond", "While": "cond", "For": "cond"}


@dataclass(frozen=True, slots=True)
class OptionalValues:
    """The change after which a body asks for no pointer; `head` is the old head, `before` what stands below it.

    `asked` has of each pointer that may be NULL the parameter that says whether it is there, `arrays` are those of them
    that have more than one element.
    """

    changes: PortChanges
    head: str = ""
    before: str = ""
    asked: Mapping[str, str] = field(default_factory=dict)
    arrays: frozenset[str] = frozenset()


def without_optional_values(parsed: Parsed, function: FunctionText) -> OptionalValues:
    """The pass; a pointer that is used for more than its elements and to ask for it stays as it is."""
    taken = {*declared_names(function.node), *(token.text for token in parsed.tokens)}
    edits: list[Replacement] = []
    steps: list[Step] = []
    added: list[str] = []
    before: list[str] = []
    found: dict[str, str] = {}
    arrays: set[str] = set()
    indent = parsed.indent_at(parsed.tokens[function.body + 1].start) or "    "
    for parameter in function.parameters:
        has = fresh_name(f"has_{parameter.name}", taken)
        asked = _questions(parsed, function, parameter, has)
        if not asked:
            continue
        none = fresh_name(f"no_{parameter.name}", {*taken, has})
        taken |= {has, none}
        name, pointed = parameter.name, parameter.node.type.type
        value = "{0}" if kind(resolved(parsed, pointed)) == "Struct" else "0"
        edits += asked
        added.append(f"int {has}")
        before.append(f"{indent}int {has} = {name} != 0;")
        if _is_one_value(function.node.body, name):
            before += [
                f"{indent}{type_text(pointed)} {none} = {value};",
                f"{indent}if (!{has})",
                f"{indent}{indent}{name} = &{none};",
            ]
        else:
            arrays.add(name)
        found[name] = has
        steps.append(
            Step(parsed.line_at(edits[-len(asked)].start), f"`{name}` may be NULL", f"`{function.name}` asks for it")
        )
    if not added:
        return OptionalValues(PortChanges(()))
    closing = parsed.tokens[function.closing].start
    head = parsed.slice(function.start, function.closing)
    edits.append(Replacement(closing, closing, "".join(f", {each}" for each in added)))
    changes = PortChanges(tuple(edits), tuple(steps))
    return OptionalValues(changes, head, "\n".join(before), found, frozenset(arrays))


def _is_one_value(body: Any, name: str) -> bool:
    """Whether no element of a pointer is named but the first."""
    return all(
        getattr(node.subscript, "value", "") == "0"
        for node in nodes_below(body) if kind(node) == "ArrayRef" and getattr(node.name, "name", "") == name
    )  # fmt: skip


def _questions(parsed: Parsed, function: FunctionText, parameter: ParameterText, has: str) -> list[Replacement]:
    """The texts that ask whether a pointer is NULL, replaced; nothing where it is used otherwise."""
    body, name = function.node.body, parameter.name
    is_plain = kind(parameter.node.type) == "PtrDecl" and not parameter.node.type.quals
    if not is_plain or is_pointer(parsed, parameter.node.type.type) or may_change(body, name):
        return []
    if kind(resolved(parsed, parameter.node.type.type)) not in ("IdentifierType", "Struct"):
        return []
    found: list[Replacement] = []
    for node, around in with_parents(body):
        if kind(node) != "ID" or node.name != name or is_field(node, around):
            continue
        parent = around[0]
        if (kind(parent) == "UnaryOp" and parent.op == "*") or (kind(parent) == "StructRef" and parent.type == "->"):
            continue
        if kind(parent) == "ArrayRef" and parent.name is node:
            continue
        question = _question(parsed, node, around, has)
        if question is None:
            return []
        found.append(question)
    return found


def _question(parsed: Parsed, node: Any, around: tuple[Any, ...], has: str) -> Replacement | None:
    """What stands in place of `p`, `p != NULL` or `NULL == p`; None where that is no question."""
    parent, at = around[0], parsed.token_of(node, node.name)
    tokens = parsed.tokens
    if tokens[at].text != node.name:
        return None  # A macro has made it.
    if kind(parent) == "BinaryOp" and parent.op in ("==", "!="):
        # The lexer of the text splits `!=` into two tokens.
        step = len(parent.op)
        first, last = (at, at + step + 1) if parent.left is node else (at - step - 1, at)
        other = tokens[last if parent.left is node else first].text
        operator = "".join(token.text for token in tokens[first + 1 : last])
        if other not in _NULLS or operator != parent.op:
            return None
        new = has if parent.op == "!=" else f"!{has}"
        return Replacement(tokens[first].start, tokens[last].end, new)
    is_asked = getattr(parent, _ASKING.get(kind(parent), ""), None) is node
    if is_asked or (kind(parent) == "UnaryOp" and parent.op == "!") or getattr(parent, "op", "") in ("&&", "||"):
        return Replacement(tokens[at].start, tokens[at].end, has)
    return None
