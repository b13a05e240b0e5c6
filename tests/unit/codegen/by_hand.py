"""Nodes that are written by hand, and the walk of the verifier through them: no program is compiled."""

from __future__ import annotations

from typing import Any

import pytest

from pencilc.codegen.control import Control
from pencilc.codegen.kernel_types import FileScope, Known, NameScope
from pencilc.codegen.kernel_walk import Walk
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir.accumulators import Accumulator, AccumulatorMember
from pencilc.ir.build import ZERO, binary, variable
from pencilc.ir.definitions import Definition
from pencilc.ir.geometry import Geometry
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import BARRIER, If, Node
from pencilc.ir.source import FLOAT, INT, Assign, CType, Expr, PointerType

FLOATS = PointerType(FLOAT)
GRID = Geometry("", 256)


def accumulator(name: str = "s", ctype: CType = FLOAT) -> Accumulator:
    """One sum."""
    member = AccumulatorMember("", name, ctype, "add", "zero", ZERO, None, True, 4)
    return Accumulator(name, ctype, False, (member,), ctype)


SUM = accumulator()


def store(target: Expr, value: Expr = ZERO) -> Assign:
    """`target = value`."""
    return Assign(target, value, UNKNOWN_SPAN)


def some(name: str, *nodes: Node) -> If:
    """Nodes where the name is 0."""
    return If(binary("==", variable(name), ZERO), nodes)


def file_scope(*helpers: Definition, kernels: tuple[KernelFunction, ...] = ()) -> FileScope:
    """The names of a file that has these."""
    found = FileScope()
    for helper in helpers:
        found.define(helper)
    for kernel in kernels:
        found.define_kernel(kernel)
    return found


class Walked:
    """Nodes of a kernel `k` with parameters, and where its walk ends; it brings what combines `s` by any macro."""

    def __init__(self, *nodes: Node, control: Control | None = None, **around: Any) -> None:
        parameters = around.pop("parameters", {})
        macros = ("accumulator", "warp", "block", "columns", "fixed_columns")
        around = {"at": GRID, "brought": frozenset((macro, "s") for macro in macros), **around}
        walk = Walk(around.pop("file", file_scope()), "k", **around)
        scope = walk.file.inner()
        for name, ctype in {"n": INT, "m": INT, BARRIER.name: BARRIER.type, **parameters}.items():
            walk.declare(scope, name, ctype if isinstance(ctype, Known) else Known(ctype))
        self.scope: NameScope = scope.inner()
        self.control = walk.nodes(nodes, self.scope, control or Control())

    def type_of(self, name: str) -> CType | None:
        """The type that the nodes leave a name with."""
        known = self.scope.find(name)
        return known.type if known is not None else None


def refused(message: str, *nodes: Node, **around: Any) -> None:
    """The walk finds that fault."""
    with pytest.raises(CompilerBug, match=message):
        Walked(*nodes, **around)
