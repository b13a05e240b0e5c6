"""What was not mapped to many threads is told."""

from __future__ import annotations

from collections.abc import Iterator

from pencilc.diagnostics.diagnostic import Diagnostic, Severity
from pencilc.diagnostics.source import Span
from pencilc.gpu.sums import plain_sums
from pencilc.ir.mapping import Kernel, MappedProgram, Shape
from pencilc.ir.schedule import Band, Sequence, Tree, statements_of


def sequential_warnings(program: MappedProgram) -> Iterator[Diagnostic]:
    """PC0701 for every kernel in which one thread runs loops."""
    scop = program.scheduled.scop
    for kernel in program.kernels():
        if kernel.shape is not Shape.SINGLE or not (kernel.body is None or _has_loop(kernel.body)):
            continue
        reason = kernel.reason or "each iteration needs the one before it"
        span = scop.region.span if kernel.body is None else _first(program, kernel)
        yield Diagnostic(
            Severity.WARNING,
            "PC0701",
            f"nothing is parallel here: one GPU thread runs it ({reason})",
            span,
            notes=("the results are right, but it will be slow",),
        )


def sum_warnings(program: MappedProgram) -> Iterator[Diagnostic]:
    """PC0702 for every sum that stays plain although `--sum` asks for more."""
    for reduction in plain_sums(program):
        yield Diagnostic(
            Severity.WARNING,
            "PC0702",
            f"`{reduction.array}` is summed one value after the other: `--sum={program.sums}` does not reach it",
            program.scheduled.scop.statement(reduction.updates[0]).span,
        )


def _has_loop(tree: Tree) -> bool:
    match tree:
        case Band():
            return True
        case Sequence():
            return any(_has_loop(child) for child in tree.children)
    return False


def _first(program: MappedProgram, kernel: Kernel) -> Span:
    assert kernel.body is not None
    scop = program.scheduled.scop
    return min(scop.statement(name).span for name in statements_of(kernel.body))
