"""Pointers of helpers to one value, which are no arrays: PENCIL has them as they are written.

static uint32_t next(uint32_t *state) { … *state … }        next(&seed)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.port.text import Parsed
from pencilc.port.tree import is_field, kind, with_parents


def single_values(parsed: Parsed, name: str) -> frozenset[str]:
    """The parameters of the function `name` that are given the address of one value, and used as no more than that.

    A function that is given such a pointer may hand it on.
    """
    functions = {each.decl.name: each for each in parsed.tree.ext if kind(each) == "FuncDef"}
    candidates = {
        (each.decl.name, k): p.name for each in functions.values() for k, p in enumerate(_parameters(each))
        if kind(getattr(p, "type", None)) == "PtrDecl" and _is_used_as_one_value(each, p.name)
    }  # fmt: skip
    found: dict[tuple[str, int], str] = {}
    while True:
        more = {
            (callee, k): candidates[callee, k]
            for caller, node in functions.items() for callee, k, argument in _arguments(node)
            if (callee, k) in candidates and (callee, k) not in found and _is_address(argument, caller, found)
        }  # fmt: skip
        if not more:
            return frozenset(parameter for (function, _), parameter in found.items() if function == name)
        found |= more


def _parameters(function: Any) -> list[Any]:
    return [] if function.decl.type.args is None else list(function.decl.type.args.params)


def _arguments(function: Any) -> Iterator[tuple[str, int, Any]]:
    """The arguments of the calls in a function: callee, position, expression."""
    for each in nodes_below(function.body):
        if kind(each) == "FuncCall" and each.args is not None:
            for k, argument in enumerate(each.args.exprs):
                yield getattr(each.name, "name", ""), k, argument


def _is_address(argument: Any, caller: str, found: dict[tuple[str, int], str]) -> bool:
    """Whether an argument is the address of something, or what the caller was given as that."""
    if kind(argument) == "ID":
        return any(function == caller and parameter == argument.name for (function, _), parameter in found.items())
    return kind(argument) == "UnaryOp" and argument.op == "&"


def _is_used_as_one_value(function: Any, name: str) -> bool:
    """Whether a pointer is followed, or handed on, and nothing else."""
    uses = [
        (each, around[0]) for each, around in with_parents(function.body)
        if kind(each) == "ID" and each.name == name and not is_field(each, around)
    ]  # fmt: skip
    return bool(uses) and all(
        (kind(parent) == "UnaryOp" and parent.op == "*")
        or (kind(parent) == "StructRef" and parent.type == "->")
        or kind(parent) == "ExprList"
        for _, parent in uses
    )
