"""What code generation is given, and what it makes, for a few lines of C: mapped regions, kernels, their functions."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

from pencilc.codegen.cexpr import expression
from pencilc.codegen.frame import KernelFrame
from pencilc.codegen.instances import Instances
from pencilc.codegen.tree import kernel_file
from pencilc.diagnostics.source import UNKNOWN_SPAN, SourceFile
from pencilc.driver import compile_source
from pencilc.gpu import passes
from pencilc.ir import source as src
from pencilc.ir.build import variable
from pencilc.ir.host import Entry, KernelFile
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.nodes import Node, blocks_in
from pencilc.ir.shapes import Kernel
from pencilc.options import CompileOptions
from tests.unit.records import DEFAULT, HEAD, TAIL, timed

UNFUSED = CompileOptions(fuse="none")

A, B, C, ITER, N = (variable(name) for name in ("a", "b", "c", "i", "n"))
NOWHERE = UNKNOWN_SPAN


@cache
def program(body: str, options: CompileOptions = DEFAULT) -> MappedProgram:
    """The mapped region, as `generate` is given it."""
    made = passes.COPIES.run(timed(body, options))
    passes.COPIES.verify(made)
    return made


def kernel(body: str, options: CompileOptions = DEFAULT) -> tuple[MappedProgram, Kernel]:
    """The region and its only kernel."""
    made = program(body, options)
    (found,) = made.kernels()
    return made, found


def frame(body: str, options: CompileOptions = DEFAULT) -> KernelFrame:
    """What the writers of the only kernel share."""
    return KernelFrame(*kernel(body, options))


def instances(body: str, options: CompileOptions = DEFAULT) -> tuple[KernelFrame, Instances]:
    """What writes the statements of the only kernel."""
    shared = frame(body, options)
    return shared, Instances(shared.program, shared.kernel, shared.types)


@cache
def unit(text: str) -> src.TranslationUnit:
    """A whole file."""
    return compile_source(SourceFile("f.c", text), DEFAULT, "source").parsed


@cache
def program_of(text: str) -> MappedProgram:
    """The mapped region of a whole file."""
    (found,) = compile_source(SourceFile("f.c", text), DEFAULT, "mapping").programs
    return found


@cache
def file(body: str, options: CompileOptions = DEFAULT) -> KernelFile:
    """The tree of a region with the parameters of all of them."""
    return kernel_file(unit(HEAD + body + TAIL), (program(body, options),))


def functions(body: str, options: CompileOptions = DEFAULT) -> dict[str, KernelFunction]:
    """The functions of all kernels by their names."""
    return {made.name: made for made in file(body, options).kernels}


SomeNode = TypeVar("SomeNode")


def nodes(made: KernelFunction | tuple[Node, ...], kind: type[SomeNode]) -> list[SomeNode]:
    """The building blocks and statements of one kind, in order."""
    return [node for node in blocks_in(made if isinstance(made, tuple) else made.body) if isinstance(node, kind)]


def node(made: KernelFunction | tuple[Node, ...], kind: type[SomeNode]) -> SomeNode:
    """The only one of its kind."""
    (found,) = nodes(made, kind)
    return found


def entry(body: str, options: CompileOptions = DEFAULT) -> Entry:
    """The entry points of the region."""
    (made,) = file(body, options).entries
    return made


def told(*exprs: src.Expr) -> list[str]:
    """The text of expressions, which says in one line what a tree is; cexpr has tests of its own."""
    return [expression(each) for each in exprs]
