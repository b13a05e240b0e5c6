"""What was not mapped to many threads is told, and tuning data that fits nothing."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq

from pencilc.diagnostics.diagnostic import Diagnostic, Severity
from pencilc.diagnostics.source import Span
from pencilc.ir.mapping import Kernel, MappedProgram, Shape
from pencilc.ir.schedule import Band, Sequence, Tree, statements_of
from pencilc.ir.scop import Scop
from pencilc.ir.source import Call, For, Function, While, walk
from pencilc.options import CompileOptions


def sequential_warnings(program: MappedProgram, functions: tuple[Function, ...]) -> Iterator[Diagnostic]:
    """PC0701 for every kernel in which one thread runs loops, those inside statements and helpers included."""
    scop = program.scheduled.scop
    looping = _looping(functions)
    for kernel in program.kernels():
        if kernel.shape is not Shape.SINGLE:
            continue
        inner = "" if kernel.body is None else _inner_loop(scop, kernel.body, looping)
        if not (kernel.body is None or inner or _has_loop(kernel.body)):
            continue
        reason = kernel.reason or inner or "each iteration needs the one before it"
        span = scop.region.span if kernel.body is None else _first(program, kernel)
        yield Diagnostic(
            Severity.WARNING,
            "PC0701",
            f"nothing is parallel here: one GPU thread runs it ({reason})",
            span,
            notes=("the results are right, but it will be slow",),
        )


def _looping(functions: tuple[Function, ...]) -> frozenset[str]:
    """The helpers that hold loops, or call one that does."""
    found: set[str] = set()
    while more := {
        f.name for f in functions if f.name not in found
        and any(isinstance(n, For | While) or (isinstance(n, Call) and n.function in found) for n in walk(f.body))
    }:  # fmt: skip
        found |= more
    return frozenset(found)


def _inner_loop(scop: Scop, tree: Tree, looping: frozenset[str]) -> str:
    """Why the first loop inside a statement of `tree` is not in the model; empty where there is none."""
    for name in statements_of(tree):
        record = scop.statement(name)
        for node in () if record.body is None else walk(record.body):
            if isinstance(node, For | While):
                return record.opaque or "its control flow depends on data"
            if isinstance(node, Call) and node.function in looping:
                return f"the loops are inside of `{node.function}`"
    return ""


def tuning_warnings(programs: Seq[MappedProgram], options: CompileOptions) -> Iterator[Diagnostic]:
    """PC0802 for every kernel that the tuning data speaks of and no region has."""
    known = {kernel.name for program in programs for kernel in program.kernels()}
    for name, _ in options.tuning.kernels:
        if name not in known:
            yield Diagnostic(
                Severity.WARNING,
                "PC0802",
                f"the tuning data speaks of a kernel `{name}`, which this source does not give",
                Span(options.tuning_file, 1, 1, 2),
                helps=("run `pencilc tune` again",),
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
