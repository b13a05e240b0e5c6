"""Trees of kernels that tests break by hand, which the verifier of the stage `kernels` is to refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pencilc.codegen.entry_bodies import with_functions
from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.build import THREAD, ZERO, binary
from pencilc.ir.host import Entry, KernelFile
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import If, Node
from pencilc.options import CompileOptions

FIRST_THREAD = binary("==", THREAD["x"], ZERO)
Change = Callable[[Node], tuple[Node, ...]]


@cache
def tree(text: str) -> KernelFile:
    """The file of a program."""
    made = compile_source(SourceFile("f.c", text), CompileOptions(), "kernels").kernels
    assert made is not None
    return made


def remade(entry: Entry, **changes: Any) -> Entry:
    """The entry point with other fields, and the functions that it has by these."""
    return with_functions(replace(entry, **changes))


def function(text: str, shape: str) -> KernelFunction:
    """Its function of that shape."""
    (found,) = (each for each in tree(text).kernels if each.shape == shape)
    return found


def everywhere(change: Change, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Nodes as `change` makes them of each, those that stand in others before these."""
    found: list[Node] = []
    for node in nodes:
        inner = {
            name: everywhere(change, value)
            for name in ("body", "put", "add", "then", "otherwise", "after", "fetch", "use", "show")
            if isinstance(value := getattr(node, name, None), tuple)
        }
        found += change(replace(node, **inner) if inner else node)  # type: ignore[type-var]
    return tuple(found)


def refused(message: str, text: str, shape: str, change: Change) -> None:
    """The verifier says so where each node of the function is what `change` makes of it."""
    made = function(text, shape)
    changed = replace(made, body=everywhere(change, made.body))
    assert changed != made
    broken(message, text, changed)


def broken(message: str, text: str, changed: KernelFunction) -> None:
    """The verifier says so of the file with a function that is changed."""
    kernels = tuple(changed if each.name == changed.name else each for each in tree(text).kernels)
    with pytest.raises(CompilerBug, match=message):
        verify_kernels(replace(tree(text), kernels=kernels))


def without(kind: type, number: int = 0) -> Change:
    """Leaves out the node of a kind that stands at place `number` among these."""
    seen = [0]

    def change(node: Node) -> tuple[Node, ...]:
        if not isinstance(node, kind):
            return (node,)
        seen[0] += 1
        return () if seen[0] == number + 1 else (node,)

    return change


def with_fields(kind: type, **changed: object) -> Change:
    """Other fields of each node of a kind."""
    return lambda node: (replace(node, **changed),) if isinstance(node, kind) else (node,)  # type: ignore[type-var]


def by_one(kind: type) -> Change:
    """Each node of a kind below a condition that only the first thread meets."""
    return lambda node: (If(FIRST_THREAD, (node,)),) if isinstance(node, kind) else (node,)
