"""What the entry point does for launches, as lines of the dump; bodies and launches that are written by hand."""

from __future__ import annotations

from pencilc.codegen.kernel_printer import dump_kernels
from pencilc.codegen.launch_nodes import above, at_most, per_sm
from pencilc.ir.build import binary, number, variable
from pencilc.ir.launching import Configure, StartedFunction, StartKernel
from pencilc.ir.nodes import Node
from pencilc.ir.source import LLONG, Expr
from pencilc.options import CompileOptions
from tests.unit.codegen.programs import file
from tests.unit.records import DEFAULT

N = variable("n", LLONG)
KERNEL = StartedFunction("f", 256, ())
CONFIG = Configure(number(1), number(256))
START = StartKernel(KERNEL)


def does(body: str, options: CompileOptions = DEFAULT) -> list[str]:
    """What the entry point of a region does, line by line, without the depth of each."""
    lines = dump_kernels(file(body, options)).split("\n")
    return [line.strip() for line in lines[next(k for k, line in enumerate(lines) if line.startswith("entry ")) :]]


def launch() -> tuple[Node, ...]:
    """A launch of one kernel."""
    return CONFIG, START


def fill(count: int) -> Expr:
    """Whether there are no more than so many for each multiprocessor."""
    return at_most(N, per_sm(count))


__all__ = ["CONFIG", "KERNEL", "START", "N", "above", "at_most", "binary", "does", "fill", "launch", "number"]
