"""What pencilc makes of a text: whether a function is compiled, what it says, how much of it is parallel."""

from __future__ import annotations

from dataclasses import replace

from pencilc.diagnostics.diagnostic import CompilerBug, CompilerLimitation, Diagnostic, Severity, SourceErrors
from pencilc.diagnostics.source import UNKNOWN_SPAN, SourceFile, Span
from pencilc.driver import Compilation, compile_source
from pencilc.ir.mapping import HostItem, HostLoop
from pencilc.ir.scop import Candidate
from pencilc.options import CompileOptions
from pencilc.records import dataclass

# What tells that one GPU thread runs something.
_ONE_THREAD = ("PC0302", "PC0306", "PC0701")


@dataclass(frozen=True, slots=True)
class Judged:
    """One function, compiled: `error` says why it is not; `slow` what one thread runs, `host_loops` launch repeatedly.

    `is_doubtful`: an operator or its init does not keep the contract of reductions.
    `candidates` are the plain updates of the function; `is_entry`: it is compiled as a function, not as a part of one.
    """

    error: Diagnostic | None = None
    slow: tuple[Diagnostic, ...] = ()
    host_loops: int = 0
    is_doubtful: bool = False
    candidates: tuple[Candidate, ...] = ()
    is_entry: bool = False
    kernels: tuple[tuple[str, int, int], ...] = ()  # of each its shape, its kept rows and its reductions

    @property
    def badness(self) -> tuple[int, int]:
        """What is better if it is smaller: kernels of one thread, loops on the host."""
        return len(self.slow), self.host_loops

    def is_better(self, other: Judged) -> bool:
        """Whether this one is compiled, with less for one thread and for loops on the host."""
        return self.error is None and self.badness < other.badness


def judge(file: SourceFile, name: str, others: tuple[str, ...], options: CompileOptions) -> Judged:
    """Compile the function `name` of a file, the marked ones among `others` left aside."""
    options = replace(options, left_to_host=tuple(each for each in others if each != name))
    try:
        done = compile_source(file, options, "mapping")
    except SourceErrors as failed:
        errors = [d for d in failed.diagnostics if d.severity is Severity.ERROR]
        return Judged(errors[0])
    except CompilerLimitation as limit:
        return Judged(Diagnostic(Severity.ERROR, "PC0901", limit.message, limit.span or UNKNOWN_SPAN))
    except CompilerBug as bug:
        # What a clause says of a loop may be wrong: the compiler's own checks see it.
        return Judged(Diagnostic(Severity.ERROR, "PC0902", str(bug), UNKNOWN_SPAN))
    return _judged(done, name)


def _judged(done: Compilation, name: str) -> Judged:
    regions = [k for k, program in enumerate(done.programs) if program.scop.region.function == name]
    items = [item for k in regions for item in done.programs[k].items]
    return Judged(
        None
        if regions
        else Diagnostic(Severity.ERROR, "PC0106", "no loop of it is compiled", Span(done.file.path, 1, 1, 2)),
        tuple(d for d in done.diagnostics if d.code in _ONE_THREAD),
        sum(map(_host_loops, items)),
        any(d.code in ("PC0208", "PC0209") for d in done.diagnostics),
        tuple(candidate for k in regions for candidate in done.candidates[k]),
        all(not done.programs[k].scop.region.outlined for k in regions),
        tuple((x.shape.value, len(x.kept), len(x.plans)) for k in regions for x in done.programs[k].kernels()),
    )


def _host_loops(item: HostItem) -> int:
    return 1 + sum(map(_host_loops, item.items)) if isinstance(item, HostLoop) else 0
