"""What was not done with a region, and why: what the text report says of it, and the warnings of its lines."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Seq

from pencilc.diagnostics.diagnostic import Diagnostic
from pencilc.gpu.report.sums import plain_sums
from pencilc.ir.mapping import HostItem, HostLoop, MappedProgram
from pencilc.ir.scop import Candidate
from pencilc.records import dataclass
from pencilc.report.text import estimate_text, not_fused


@dataclass(frozen=True, slots=True)
class NotDone:
    """Something that was not done: what, why, what helps, at which line (0: no line of its own)."""

    what: str
    why: str
    helps: tuple[str, ...] = ()
    line: int = 0
    path: str = ""
    code: str = ""


def not_done(program: MappedProgram, candidates: Seq[Candidate]) -> tuple[NotDone, ...]:
    """What was not done with a region, what costs most first."""
    scop = program.scop
    found: list[NotDone] = []
    if program.sequential:
        found.append(NotDone("the region is not parallel: it runs in one thread", program.sequential))
    if program.scheduled.fallback:
        found.append(NotDone("loops keep the order of the source", program.scheduled.fallback))
    for kernel in program.kernels():
        if kernel.reason and not program.sequential:
            found.append(NotDone(f"{kernel.name} has no better shape", kernel.reason))
    for loop in _loops(program.launched()):
        why = "an iteration needs what the one before it left"
        found.append(NotDone(f"the loop over {loop.iterator} stays on the host, with launches in each iteration", why))
    for candidate in candidates:
        if candidate.refused:
            what = f"the update of {candidate.variable} is no reduction"
            place = (candidate.span.line, candidate.span.path)
            found.append(NotDone(what, candidate.refused, candidate.ways, *place))
    for reduction in plain_sums(program):
        span = scop.statement(reduction.updates[0]).span
        what = f"{scop.spelling(reduction.array)} is summed one value after the other, as without --sum"
        found.append(NotDone(what, f"--sum={program.sums} does not reach it", (), span.line, span.path))
    if program.pinned or program.sums != "plain":
        found.append(NotDone("no kernels are fused", "fusion knows no fixed tree and plain sums only"))
    for fusion in not_fused(program):
        estimate = f" ({estimate_text(fusion)})" if fusion.saved_launches else ""
        found.append(NotDone(f"{' and '.join(fusion.kernels)} are not one launch", fusion.reason + estimate))
    return tuple(found)


def warned(diagnostics: Iterable[Diagnostic]) -> tuple[NotDone, ...]:
    """What the compiler warned of, in text order."""
    found: list[NotDone] = []
    for each in diagnostics:
        found.append(
            NotDone(each.message, "; ".join(each.notes), each.helps, each.span.line, each.span.path, each.code)
        )
    return tuple(found)


def left_to_host(names: Iterable[str]) -> tuple[NotDone, ...]:
    """The functions that could not be compiled and stay in the host file."""
    why = "it cannot be compiled, and the options say to leave such functions where they are"
    helps = ("put `#pragma scop` around its loops and leave out --on-unsupported to be told what stands in the way",)
    return tuple(NotDone(f"{name} is left to the host", why, helps) for name in names)


def _loops(items: Iterable[HostItem]) -> Iterable[HostLoop]:
    for item in items:
        if isinstance(item, HostLoop):
            yield item
            yield from _loops(item.items)
