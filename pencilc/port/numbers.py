"""Pointers to a number that says how often a loop runs, as all parameters of Fortran are: the number is handed over.

    void axpy(int *n, …) { for (i = 0; i < *n; i++) … }      void axpy_sized(int n, …), called with `*n`

The number is read when the function is called, and nothing writes it meanwhile.
"""

from __future__ import annotations

from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.port.find import FunctionText, ParameterText
from pencilc.port.text import Parsed
from pencilc.port.tree import is_field, kind, resolved, with_parents

_NO_SIZES = {"float", "double", "_Bool", "char"}


def is_number(parsed: Parsed, function: FunctionText, parameter: ParameterText) -> bool:
    """Whether a parameter points to an integer that is never written, and that loops or subscripts are made of."""
    given = parameter.node.type
    if kind(given) not in ("PtrDecl", "ArrayDecl") or getattr(getattr(given, "dim", None), "value", "1") != "1":
        return False
    if kind(given.type) != "TypeDecl" or "volatile" in given.type.quals:
        return False
    pointed = resolved(parsed, given.type)
    if kind(pointed) != "IdentifierType" or _NO_SIZES & {*pointed.names}:
        return False
    uses = _uses(function, parameter.name)
    return all(map(_is_read, uses)) and any(map(_decides_a_size, uses))


def is_always_read(function: FunctionText, name: str) -> bool:
    """Whether what a parameter points to is read in each call; it may be NULL where it is not."""
    return any(_is_certain(function.node.body, around) for around in _uses(function, name))


def _uses(function: FunctionText, name: str) -> list[tuple[Any, ...]]:
    """The nodes around each place at which the body names a parameter, innermost first."""
    return [
        around for node, around in with_parents(function.node.body)
        if kind(node) == "ID" and node.name == name and not is_field(node, around)
    ]  # fmt: skip


def _is_read(around: tuple[Any, ...]) -> bool:
    """Whether a use, in the nodes `around` it, is `*n` or `n[0]`, and no change of that."""
    parent: Any = around[0]
    is_first = kind(parent) == "ArrayRef" and getattr(parent.subscript, "value", "") == "0"
    if not is_first and not (kind(parent) == "UnaryOp" and parent.op == "*"):
        return False
    outer: Any = around[1]
    if kind(outer) == "Assignment" and outer.lvalue is parent:
        return False
    return not (kind(outer) == "UnaryOp" and outer.op in ("++", "--", "p++", "p--", "&"))


def _decides_a_size(around: tuple[Any, ...]) -> bool:
    """Whether a use is part of the head of a loop, of a subscript, or of what a variable gets."""
    inner: Any = around[0]
    for each in around[1:]:
        if kind(each) == "For":
            return inner is not each.stmt
        if kind(each) == "ArrayRef":
            return inner is each.subscript
        if kind(each) == "Decl" or (kind(each) == "Assignment" and kind(each.lvalue) == "ID"):
            return True
        inner = each
    return False


def _is_certain(body: Any, around: tuple[Any, ...]) -> bool:
    """Whether what is read in the nodes `around` is read in each call."""
    inner: Any = around[0]
    for each in around[1:]:
        if kind(each) in ("If", "TernaryOp", "Switch", "While", "DoWhile") or getattr(each, "op", "") in ("&&", "||"):
            return False
        if kind(each) == "For" and inner not in (each.init, each.cond):
            return False
        if each is body:
            return not _may_end(body, inner)
        inner = each
    return False


def _may_end(body: Any, statement: Any) -> bool:
    """Whether the function may return in front of one of its statements."""
    for each in body.block_items:
        if each is statement:
            return False
        if any(kind(node) in ("Return", "Goto", "FuncCall", "Label") for node in nodes_below(each)):
            return True
    return True
