"""The pipeline: `PIPELINE` lists the stages in order; each is verified, timed and can be dumped.

A stage takes what was compiled so far and adds its own record; nothing is changed in place.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug, CompilerLimitation, Diagnostic, Severity, SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.schedule import ScheduledScop
from pencilc.ir.scop import Candidate, Dependences, Scop
from pencilc.ir.source import Region, TranslationUnit
from pencilc.options import CompileOptions


@dataclass(frozen=True, slots=True, eq=False)
class Compilation:
    """What has been compiled so far; the tuples hold one record for each region, in text order."""

    file: SourceFile
    options: CompileOptions
    unit: TranslationUnit | None = None
    scops: tuple[Scop, ...] = ()
    candidates: tuple[tuple[Candidate, ...], ...] = ()
    dependences: tuple[Dependences, ...] = ()
    scheduled: tuple[ScheduledScop, ...] = ()
    programs: tuple[MappedProgram, ...] = ()
    cuda: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    times: tuple[tuple[str, float], ...] = ()  # (stage, seconds)

    @property
    def host(self) -> str | None:
        """The C99 host file, if the input holds more than PENCIL functions."""
        return self.parsed.host_text

    @property
    def parsed(self) -> TranslationUnit:
        """The typed AST; raises CompilerBug before the first stage."""
        if self.unit is None:
            raise CompilerBug("the source has not been parsed")
        return self.unit


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: `run` adds its record, `verify` raises CompilerBug if it is broken, `dump` prints it."""

    name: str
    help: str
    run: Callable[[Compilation], Compilation]
    verify: Callable[[Compilation], None]
    dump: Callable[[Compilation], str]


def frontend_options(options: CompileOptions) -> FrontendOptions:
    """What the front end needs of the options."""
    return FrontendOptions(
        options.include_dirs, options.defines, options.undefines, options.std, options.system_dirs,
        options.includes, options.autodetect, options.on_unsupported,
    )  # fmt: skip


def _source(done: Compilation) -> Compilation:
    unit, diagnostics = parse_file(done.file, frontend_options(done.options))
    return replace(done, unit=unit, diagnostics=(*done.diagnostics, *diagnostics))


def _scop(done: Compilation) -> Compilation:
    from pencilc.poly import extract_detected

    unit = done.parsed
    scops: list[Scop] = []
    candidates: list[tuple[Candidate, ...]] = []
    told: list[Diagnostic] = []
    errors: list[Diagnostic] = []
    for position, region in enumerate(done.parsed.regions):
        try:
            with _limited(region, "its loops and subscripts"):
                unit, scop, found, warnings = extract_detected(unit, position, done.options.associative_math)
        except SourceErrors as failed:
            errors += failed.diagnostics
            continue
        scops.append(scop)
        candidates.append(found)
        told += warnings
    if errors:
        raise SourceErrors((*told, *errors))
    told = [*done.diagnostics, *told]
    return replace(done, unit=unit, scops=tuple(scops), candidates=tuple(candidates), diagnostics=tuple(told))


def _dependences(done: Compilation) -> Compilation:
    from pencilc.poly import dependences_within_quota

    return replace(done, dependences=tuple(dependences_within_quota(scop) for scop in done.scops))


def _schedule(done: Compilation) -> Compilation:
    from pencilc.schedule import schedule

    pairs = zip(done.scops, done.dependences, strict=True)
    return replace(done, scheduled=tuple(schedule(scop, dependences) for scop, dependences in pairs))


def _mapping(done: Compilation) -> Compilation:
    from pencilc.gpu.warnings import sequential_warnings, sum_warnings

    programs = tuple(_mapped(s, done.options) for s in done.scheduled)
    told = tuple(d for program in programs for d in (*sequential_warnings(program), *sum_warnings(program)))
    return replace(done, programs=programs, diagnostics=(*done.diagnostics, *told))


def _mapped(scheduled: ScheduledScop, options: CompileOptions) -> MappedProgram:
    """The region mapped; in one thread where that takes too long."""
    from pencilc.gpu.mapping import map_to_gpu

    try:
        with islx.operation_quota():
            return map_to_gpu(scheduled, options.target, options.tuning, options.determinism, options.sums)
    except islx.OperationQuotaExceeded:
        scheduled = replace(scheduled, sequential="mapping takes too long")
        return map_to_gpu(scheduled, options.target, options.tuning, options.determinism, options.sums)


@contextmanager
def _limited(region: Region, what: str) -> Iterator[None]:
    """Raises CompilerLimitation where isl would take too long."""
    try:
        with islx.operation_quota():
            yield
    except islx.OperationQuotaExceeded:
        raise CompilerLimitation(
            f"the region is too complicated: {what} take too long to analyse", region.span
        ) from None


def _cuda(done: Compilation) -> Compilation:
    from pencilc.codegen.render import render

    if not done.programs:
        return replace(done, cuda=render(done.parsed, ()))
    try:
        with islx.operation_quota(len(done.programs) * islx.QUOTA):
            return replace(done, cuda=render(done.parsed, done.programs))
    except islx.OperationQuotaExceeded:
        span = max(done.programs, key=lambda p: len(p.scheduled.scop.statements)).scheduled.scop.span
        raise CompilerLimitation("the loops of the file are too complicated to generate", span) from None


def _verify_source(done: Compilation) -> None:
    from pencilc.ir.source_verifier import verify_unit

    verify_unit(done.parsed)


def _verify_scop(done: Compilation) -> None:
    from pencilc.ir.scop_verifier import verify_scop

    for scop in done.scops:
        verify_scop(scop)


def _verify_dependences(done: Compilation) -> None:
    from pencilc.ir.scop_verifier import verify_dependences

    for scop, dependences in zip(done.scops, done.dependences, strict=True):
        verify_dependences(scop, dependences)


def _verify_cuda(done: Compilation) -> None:
    from pencilc.codegen.verify import verify_cuda

    verify_cuda(done.cuda)


def _verify_schedule(done: Compilation) -> None:
    from pencilc.schedule import verify

    for scheduled in done.scheduled:
        verify(scheduled)


def _verify_mapping(done: Compilation) -> None:
    from pencilc.gpu.verify import verify_mapping

    for program in done.programs:
        verify_mapping(program)


def _dump_source(done: Compilation) -> str:
    from pencilc.ir.source_printer import dump_unit

    return dump_unit(done.parsed)


def _dump_scop(done: Compilation) -> str:
    from pencilc.ir.scop_printer import dump_scop

    return "\n".join(dump_scop(scop) for scop in done.scops)


def _dump_dependences(done: Compilation) -> str:
    from pencilc.ir.schedule_printer import dump_dependences

    return "\n".join(dump_dependences(d) for d in done.dependences)


def _dump_schedule(done: Compilation) -> str:
    from pencilc.ir.schedule_printer import dump_schedule

    return "\n".join(dump_schedule(s) for s in done.scheduled)


def _dump_mapping(done: Compilation) -> str:
    from pencilc.ir.mapping_printer import dump_mapping

    return "\n".join(dump_mapping(p) for p in done.programs)


PIPELINE = (
    Stage("source", "typed PENCIL AST", _source, _verify_source, _dump_source),
    Stage("scop", "polyhedral model", _scop, _verify_scop, _dump_scop),
    Stage("dependences", "dependences, relaxed and isolated", _dependences, _verify_dependences, _dump_dependences),
    Stage("schedule", "schedule tree with row flags", _schedule, _verify_schedule, _dump_schedule),
    Stage("mapping", "kernels, storage, copies", _mapping, _verify_mapping, _dump_mapping),
    Stage("cuda", "CUDA text", _cuda, _verify_cuda, lambda done: done.cuda),
)
STAGES = tuple(stage.name for stage in PIPELINE)


def compile_source(file: SourceFile, options: CompileOptions, stop_after: str = STAGES[-1]) -> Compilation:
    """Compile one file up to and including the stage `stop_after`.

    Raises SourceErrors (the source is at fault, or a warning that is to be an error), CompilerLimitation
    and CompilerBug.
    """
    done = Compilation(file, options)
    try:
        for stage in PIPELINE:
            started = time.perf_counter()
            done = stage.run(done)
            stage.verify(done)
            done = replace(done, times=(*done.times, (stage.name, time.perf_counter() - started)))
            if stage.name == stop_after:
                break
    except SourceErrors as errors:
        raise SourceErrors(options.warnings.apply((*done.diagnostics, *errors.diagnostics))) from errors
    shown = options.warnings.apply(done.diagnostics)
    if any(d.severity is Severity.ERROR for d in shown):
        raise SourceErrors(shown)
    return replace(done, diagnostics=shown)


def dump(done: Compilation, name: str) -> str:
    """The record that stage `name` made, as text; raises KeyError for an unknown stage."""
    stage = {stage.name: stage for stage in PIPELINE}[name]
    return stage.dump(done)
