"""The pipeline: `PIPELINE` lists the stages in order; each is verified, timed and can be dumped.

A stage takes what was compiled so far and adds its own record; nothing is changed in place.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice

from pencilc import quotas
from pencilc.codegen.kernel_printer import dump_kernels
from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.codegen.render import RuntimeHeader, render, runtime_header
from pencilc.codegen.tree import kernel_file
from pencilc.diagnostics.causes import without_effects
from pencilc.diagnostics.diagnostic import CompilerBug, CompilerLimitation, Diagnostic, Severity, SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.frontend.recursion import deep_recursion
from pencilc.gpu import passes
from pencilc.gpu.passes import MappedRegion, map_region
from pencilc.gpu.records import MappingSettings
from pencilc.gpu.report.warnings import (
    better_on_host,
    in_each_round,
    sequential_warnings,
    sum_warnings,
    tuning_warnings,
    waiting_warnings,
)
from pencilc.gpu.tile_choices import check_tiles
from pencilc.gpu.verifiers.statements import verify_mapping
from pencilc.gpu.waiting import waiting
from pencilc.ir.folding import folded
from pencilc.ir.host import KernelFile
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.mapping_printer import dump_mapping
from pencilc.ir.queries import holds_while_around_loops
from pencilc.ir.schedule import ScheduledScop
from pencilc.ir.schedule_printer import dump_dependences, dump_schedule
from pencilc.ir.scop import Candidate, Dependences, Scop
from pencilc.ir.scop_printer import dump_scop
from pencilc.ir.scop_verifier import (
    verify_copies_of_old_values,
    verify_dependences,
    verify_scop,
    verify_values_for_names,
)
from pencilc.ir.source import ReductionUpdate, Region, TranslationUnit, walk
from pencilc.ir.source_printer import dump_unit
from pencilc.ir.source_verifier import verify_unit
from pencilc.options import CompileOptions, Tuning
from pencilc.poly import (
    HostedLoops,
    are_scalars_of_points,
    dependences_of_parts,
    dependences_within_quota,
    divides,
    extract_detected,
    extract_without_divisions,
    found_again,
    from_copies,
    names_what_is_overwritten,
    no_longer_irregular,
    old_reads,
    split_within_quota,
    with_conditions_apart,
    with_private_arrays,
    with_room_for_scalars,
    with_scalars_of_points,
    without_names,
)
from pencilc.records import dataclass
from pencilc.schedule import (
    GivenSchedule,
    deals_out_rounds,
    expanded_scalars,
    fault,
    has_idle_rounds,
    has_rounds_inside,
    read_schedules,
    schedule,
    schedule_as_given,
    verify_coverage,
)

_COPIES = 4  # arrays of a region of which it is tried whether a copy of them is worth it
_GIVEN_UP = 3  # regions of a file that may end in one thread because isl takes too long with them


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
    mapped: tuple[MappedRegion, ...] = ()
    kernels: KernelFile | None = None
    cuda: str = ""
    runtime: RuntimeHeader | None = None  # the header that `cuda` includes, if it does
    diagnostics: tuple[Diagnostic, ...] = ()
    times: tuple[tuple[str, float], ...] = ()  # (stage, seconds); the passes of a stage before it

    @property
    def programs(self) -> tuple[MappedProgram, ...]:
        """The mapped regions."""
        return tuple(region.program for region in self.mapped)

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
    """One stage: `run` adds its record, `verify` raises CompilerBug if it is broken, `dump` prints it.

    What is text is not verified: it is printed from what was.
    """

    name: str
    help: str
    run: Callable[[Compilation], Compilation]
    verify: Callable[[Compilation], None] | None
    dump: Callable[[Compilation], str]


def frontend_options(options: CompileOptions) -> FrontendOptions:
    """What the front end needs of the options."""
    return FrontendOptions(
        options.include_dirs, options.defines, options.undefines, options.std, options.system_dirs,
        options.includes, options.autodetect, options.associative_math, options.left_to_host,
        options.quote_dirs, options.after_dirs, options.on_unsupported != "error", options.whiles_on_host,
    )  # fmt: skip


def _source(done: Compilation) -> Compilation:
    try:
        unit, diagnostics = parse_file(done.file, frontend_options(done.options))
    except SourceErrors as errors:
        later = _found_later(done, errors.sound)
        diagnostics = (*errors.diagnostics, *later.diagnostics)
        functions, detected = (*errors.functions, *later.functions), (*errors.detected, *later.detected)
        raise SourceErrors(diagnostics, None, functions, detected) from errors
    return replace(done, unit=unit, diagnostics=(*done.diagnostics, *diagnostics))


def _modelled(
    unit: TranslationUnit, position: int, region: Region, associative: bool
) -> tuple[TranslationUnit, Scop, tuple[Candidate, ...], tuple[Diagnostic, ...]]:
    """What `extract_detected` says of a region; its sums in their order where others make too many cases of it."""
    updates = sum(isinstance(node, ReductionUpdate) for node in walk(region.body))
    operations = 2 * quotas.QUOTA * quotas.shares(updates)
    try:
        with _blamed(region), _limited(region, operations, "analyse", operations // 2):
            return extract_detected(unit, position, associative, operations)
    except _TooComplicated as failed:
        if not associative:
            raise
        unit, scop, found, told = _modelled(unit, position, region, associative=False)
        (error,) = failed.diagnostics
        message = f"floating sums and products stay in their order: with others {error.message}"
        return unit, scop, found, (replace(error, severity=Severity.WARNING, message=message), *told)


def _found_later(done: Compilation, sound: object) -> SourceErrors:
    """What the next stage says about the regions that the front end's errors do not touch."""
    if not isinstance(sound, TranslationUnit):
        return SourceErrors(())
    try:
        return SourceErrors(_scop(replace(done, unit=sound)).diagnostics)
    except SourceErrors as errors:
        return errors
    except CompilerLimitation:
        return SourceErrors(())


def _scop(done: Compilation) -> Compilation:
    unit = done.parsed
    scops: list[Scop] = []
    candidates: list[tuple[Candidate, ...]] = []
    told: list[Diagnostic] = []
    errors: list[Diagnostic] = []
    faulty: list[Region] = []
    for position, region in enumerate(done.parsed.regions):
        try:
            unit, scop, found, warnings = _modelled(unit, position, region, done.options.associative_math)
        except SourceErrors as failed:
            errors += failed.diagnostics
            faulty.append(region)
            if isinstance(failed, _TooComplicated):
                break  # several such regions would take too long
            continue
        scops.append(scop)
        candidates.append(found)
        told += warnings
    if errors:
        detected = (r.function for r in faulty if r.detected)
        raise SourceErrors((*told, *errors), None, (r.function for r in faulty), detected)
    known = without_effects((*done.diagnostics, *told))
    return replace(done, unit=unit, scops=tuple(scops), candidates=tuple(candidates), diagnostics=known)


def _dependences(done: Compilation) -> Compilation:
    scops, unit = list(done.scops), done.parsed
    found: list[Dependences] = []
    for position, scop in enumerate(done.scops):
        given_up = sum(bool(dependences.unknown) for dependences in found)
        if given_up > _GIVEN_UP:
            message = f"more than {_GIVEN_UP} regions of the file whose dependences take isl too long to find"
            raise _too_complicated(scop.region, message)
        unit, scops[position], dependences = _dependences_of(unit, position, scop, given_up, done.options)
        found.append(dependences)
    return replace(done, unit=unit, scops=tuple(scops), dependences=tuple(found))


def _dependences_of(
    unit: TranslationUnit, position: int, scop: Scop, given_up: int, options: CompileOptions
) -> tuple[TranslationUnit, Scop, Dependences]:
    """The dependences of one region, and the model that they are those of, which may be another one than `scop`."""

    may_be_data = divides(scop.region)
    dependences = dependences_within_quota(scop, given_up, is_first=may_be_data)
    if dependences.unknown and may_be_data:
        scop = extract_without_divisions(unit, position) or scop
        dependences = dependences_within_quota(scop, given_up)
    private = with_private_arrays(unit, position, scop, dependences, options.private_bytes)
    if private is not None:
        unit, scop, dependences = private.unit, private.scop, private.dependences
    split = split_within_quota(scop, dependences)
    if split is not None:
        between = dependences_of_parts(split, dependences) or dependences_within_quota(split.scop, given_up)
        if not between.unknown:
            scop, dependences = split.scop, between
    return unit, replace(scop, sizes=options.sizes) if options.sizes else scop, dependences


def _schedule(done: Compilation) -> Compilation:
    given = _given_schedules(done)
    scheduled = []
    for position in range(len(done.scops)):
        scop = done.scops[position]
        with _blamed(scop.region):
            found = _scheduled(done, position) if scop.region.left or scop.name not in given else None
            if found is not None and has_rounds_inside(scop):
                # Where the loop around is parallel each thread has its own.
                other = _with_rounds(done, position, HostedLoops.OUTSIDE)
                dealt_out = _scheduled(other, position)
                if has_idle_rounds(found) or deals_out_rounds(dealt_out):
                    done, found = other, dealt_out
                    scop = done.scops[position]
            if found is not None and scop.region.left and has_idle_rounds(found):
                # A launch for each round would not be worth it: one thread does the loop.
                done = _with_rounds(done, position, HostedLoops.NONE)
                scop, found = done.scops[position], _scheduled(done, position)
            if not scop.region.left:
                done, found = _with_less_waiting(done, position, found)
                scop = done.scops[position]
            assert found is not None
            done, found = _with_values_found_again(done, position, found)
            done, found = _with_room_for_scalars(done, position, found)
            scop = done.scops[position]
            if scop.name in given:
                found = schedule_as_given(scop, done.dependences[position], given[scop.name])
            scheduled.append(found)
    return replace(done, scheduled=tuple(scheduled))


def _with_less_waiting(
    done: Compilation, position: int, found: ScheduledScop | None
) -> tuple[Compilation, ScheduledScop | None]:
    """`done` with another model of a region, where a loop leaves the host so, or loops one thread.

    `found`: its schedule, if it has been made; that of the region that comes back is returned, too.
    """
    try:
        with quotas.operation_quota(quotas.QUOTA // 2):
            found = found or _scheduled(done, position)
            better: tuple[Compilation, ScheduledScop] | None = _with_conditions_apart(done, position, found)
            while better is not None:
                done, found = better
                better = _with_another_model(done, position, found)
    except quotas.OperationQuotaExceeded:
        pass  # what has been found is sound
    return done, found


def _with_conditions_apart(done: Compilation, position: int, found: ScheduledScop) -> tuple[Compilation, ScheduledScop]:
    """`done` with loops under conditions on data as loops of the model where one thread would run all of them, and less
    otherwise.

    Where it runs them then too it is not the condition that keeps them sequential, and nothing is told of it.
    """
    before = done.scops[position]
    settings = MappingSettings.of(done.options)
    waits = waiting(found, settings)
    apart = with_conditions_apart(done.parsed, position, before, waits.loops)
    if apart is None or done.dependences[position].unknown:
        return done, found
    made = _with_other_model(done, position, *apart)
    no_longer = no_longer_irregular(before, made.scops[position])
    told = tuple(each for each in done.diagnostics if (each.code, each.span) not in no_longer)
    other = _scheduled(made, position)
    if waiting(other, settings).is_less_than(waits):
        done, found = made, other
    return replace(done, diagnostics=told), found


def _with_values_found_again(
    done: Compilation, position: int, found: ScheduledScop
) -> tuple[Compilation, ScheduledScop]:
    """`done` with a model of a region without scalars of all iterations that statements find again, and its schedule,
    where no more waits so; `found` is that of the region as it is.
    """
    scop, settings = done.scops[position], MappingSettings.of(done.options)
    names = found_again(scop, [each.name for each in expanded_scalars(found)])
    if not names or done.dependences[position].unknown:
        return done, found
    try:
        with quotas.operation_quota(quotas.QUOTA // 2):
            made = without_names(done.parsed, position, names)
            if made is None:
                return done, found
            verify_values_for_names(scop, made[1])
            better = _with_other_model(done, position, *made)
            other = _scheduled(better, position)
            if not other.sequential and not waiting(found, settings).is_less_than(waiting(other, settings)):
                return better, other
    except quotas.OperationQuotaExceeded:
        pass  # what has been found is sound
    return done, found


def _with_room_for_scalars(done: Compilation, position: int, found: ScheduledScop) -> tuple[Compilation, ScheduledScop]:
    """`done` with a model of a region in which scalars have a value for each iteration only where there is memory for
    them, and its schedule; `found` is that of the region as it is.
    """
    while expanded := list(expanded_scalars(found)):
        try:
            with quotas.operation_quota(quotas.QUOTA // 2):
                scop, most = done.scops[position], done.options.private_bytes
                of_points = with_scalars_of_points(done.parsed, position, scop, expanded)
                if of_points is not None:
                    made = _with_other_model(done, position, *of_points)
                    other = _scheduled(made, position)
                    if are_scalars_of_points(scop, expanded, other):
                        done, found = made, other
                        continue
                limited = with_room_for_scalars(done.parsed, position, scop, expanded, most)
        except quotas.OperationQuotaExceeded:
            break
        if limited is None:
            break
        made = _with_other_model(done, position, *limited)
        other = _scheduled(made, position)
        if other.sequential:
            break  # two forms are too much for isl
        done, found = made, other
    return done, found


def _scheduled(done: Compilation, position: int) -> ScheduledScop:
    return schedule(done.scops[position], done.dependences[position], fuses=done.options.fuse != "none")


def _with_another_model(
    done: Compilation, position: int, found: ScheduledScop
) -> tuple[Compilation, ScheduledScop] | None:
    """The same with the first model with which less waits than in the schedule `found`; None if there is none."""
    settings = MappingSettings.of(done.options)
    waits = waiting(found, settings)
    if waits.is_none or done.dependences[position].unknown:
        return None
    for made, gone in _other_models(done, position):
        other = _scheduled(made, position)
        if waiting(other, settings).is_less_than(waits, gone):
            return made, other
    return None


def _other_models(done: Compilation, position: int) -> Iterator[tuple[Compilation, int]]:
    """`done` with values for scalars that name them; with a copy of old values of an array more, or of all that have
    such reads.  Each with the number of statements that are gone.
    """
    before = done.scops[position]
    named = without_names(done.parsed, position) if names_what_is_overwritten(before) else None
    if named is not None:
        verify_values_for_names(before, named[1])
        names = {array.name for array in before.arrays} - {array.name for array in named[1].arrays}
        gone = sum(any(a.array in names and a.kind.writes for a in s.accesses) for s in before.statements)
        yield _with_other_model(done, position, *named), gone
    reads = list(islice(old_reads(before, done.dependences[position]), _COPIES))
    for wanted in (*([each] for each in reads), *([reads] if len(reads) > 1 else ())):
        copied = from_copies(done.parsed, position, wanted)
        if copied is not None:
            verify_copies_of_old_values(copied[1])
            yield _with_other_model(done, position, *copied), 0


def _with_other_model(done: Compilation, position: int, unit: TranslationUnit, scop: Scop) -> Compilation:
    """`done` with a model of a region that has been found here, of `unit`."""
    unit, scop, dependences = _dependences_of(unit, position, scop, 0, done.options)
    verify_scop(scop)
    verify_dependences(scop, dependences)
    return _with_model(done, position, unit, scop, dependences)


def _with_model(
    done: Compilation, position: int, unit: TranslationUnit, scop: Scop, dependences: Dependences
) -> Compilation:
    """`done` with another model of a region, of `unit`, and its dependences."""
    return replace(
        done, unit=unit,
        scops=(*done.scops[:position], scop, *done.scops[position + 1 :]),
        dependences=(*done.dependences[:position], dependences, *done.dependences[position + 1 :]),
    )  # fmt: skip


def _with_rounds(done: Compilation, position: int, rounds: HostedLoops) -> Compilation:
    """`done` with other loops of a region that data end as single statements."""
    plain = done.scops[position].region.plain
    assert plain is not None
    regions = done.parsed.regions
    unit = replace(done.parsed, regions=(*regions[:position], plain, *regions[position + 1 :]))
    unit, scop, found, told = extract_detected(unit, position, done.options.associative_math, 2 * quotas.QUOTA, rounds)
    unit, scop, dependences = _dependences_of(unit, position, scop, 0, done.options)
    return replace(
        _with_model(done, position, unit, scop, dependences),
        candidates=(*done.candidates[:position], found, *done.candidates[position + 1 :]),
        diagnostics=(*done.diagnostics, *(each for each in told if each not in done.diagnostics)),
    )  # fmt: skip


def _given_schedules(done: Compilation) -> dict[str, GivenSchedule]:
    """What the schedule file says, by region; raises SourceErrors where it speaks of a region that there is not."""
    if done.options.schedule is None:
        return {}
    given = {each.name: each for each in read_schedules(done.options.schedule)}
    names = [scop.name for scop in done.scops]
    for name, each in given.items():
        if name not in names:
            known = ", ".join(f"`{known}`" for known in names)
            raise fault(f"the program has no region `{name}`", each.span, f"its regions are {known}")
    return given


def _mapping(done: Compilation) -> Compilation:
    settings = MappingSettings.of(done.options)
    mapped: list[MappedRegion] = []
    for position, scheduled in enumerate(done.scheduled):
        with _blamed(scheduled.scop.region):
            region = map_region(scheduled, settings)
            if region.program.sequential and scheduled.scop.region.left:
                # One thread runs the region as it is written.
                done, plain = _without_rounds(done, position, region.program.sequential)
                region = map_region(plain, settings)
            mapped.append(region)
    programs = tuple(region.program for region in mapped)
    sequential = [
        tuple(sequential_warnings(program, done.parsed.functions, done.diagnostics, found))
        for program, found in zip(programs, done.candidates, strict=True)
    ]
    _leave_to_host(programs, sequential, done)
    told = (
        *chain.from_iterable(sequential),
        *(d for program in programs for d in (*sum_warnings(program), *waiting_warnings(program))),
    )
    told = (*told, *tuning_warnings(programs, done.options))
    check_tiles(programs, done.options.tiles)
    times = tuple((f"mapping/{step.name}", step.seconds) for region in mapped for step in region.steps)
    return replace(
        done, mapped=tuple(mapped), diagnostics=without_effects((*done.diagnostics, *told)),
        times=(*done.times, *_summed(times)),
    )  # fmt: skip


def _without_rounds(done: Compilation, position: int, reason: str) -> tuple[Compilation, ScheduledScop]:
    """`done` with a region as it is written, for one thread, and its schedule."""
    if done.scops[position].region.left:
        done = _with_rounds(done, position, HostedLoops.NONE)
    plain = replace(schedule(done.scops[position], done.dependences[position]), sequential=reason)
    before, after = done.scheduled[:position], done.scheduled[position + 1 :]
    return replace(done, scheduled=(*before, plain, *after)), plain


def _leave_to_host(programs: Sequence[MappedProgram], told: Sequence[Sequence[Diagnostic]], done: Compilation) -> None:
    """Raises SourceErrors for functions that were only detected, and of which no region is worth a launch.

    So it does for those with a `while` in each round of which one thread would have loops, if they may be regions
    without it.  `told`: what is said of loops in one thread, for each region.
    """
    detected = [(program, each) for program, each in zip(programs, told, strict=True) if program.scop.region.detected]
    slow: dict[str, tuple[Diagnostic, ...]] = {}
    for program, _ in detected:
        name, found = program.scop.region.function, in_each_round(program, done.parsed.functions)
        if found and name not in done.options.whiles_on_host:
            slow[name] = (*slow.get(name, ()), *found)
    if slow:
        raise SourceErrors(chain.from_iterable(slow.values()), None, slow, slow)
    reasons: dict[str, list[tuple[Diagnostic, ...]]] = {}
    for program, each in detected:
        reasons.setdefault(program.scop.region.function, []).append(better_on_host(program, each))
    left = {name: found for name, found in reasons.items() if all(found)}
    if left:
        errors = chain.from_iterable(chain.from_iterable(left.values()))
        raise SourceErrors(errors, None, left, left)


def _summed(times: Iterable[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    """The seconds of all regions together."""
    total: dict[str, float] = {}
    for name, seconds in times:
        total[name] = total.get(name, 0.0) + seconds
    return tuple(total.items())


@contextmanager
def _blamed(region: Region) -> Iterator[None]:
    """A limit that is met inside is that of `region`."""
    try:
        yield
    except CompilerLimitation as limit:
        raise CompilerLimitation(limit.message, limit.span or region.span, region.function, region.detected) from limit


class _TooComplicated(SourceErrors):
    """isl would take too long with a region."""


@contextmanager
def _limited(region: Region, operations: int, purpose: str, more: int = 0) -> Iterator[None]:
    """Raises _TooComplicated at `region` where isl needs more than so many operations for what is done inside.

    `more` are for what is tried where these have not been enough.
    """
    try:
        with quotas.operation_quota(operations + more):
            yield
    except quotas.IslFault:
        raise CompilerLimitation(
            f"the library for sets of integers cannot {purpose} the loops and subscripts of this region", region.span
        ) from None
    except quotas.TooHard:
        message = (
            "the loops and subscripts of this region make too many cases:"
            f" more than {quotas.PATIENCE:g} s for one question about them"
        )
        raise _too_complicated(region, message) from None
    except quotas.OperationQuotaExceeded:
        message = (
            "the loops and subscripts of this region make too many cases:"
            f" more than {operations:,} steps to {purpose} them"
        )
        raise _too_complicated(region, message) from None


def _too_complicated(region: Region, message: str) -> _TooComplicated:
    helps = ("divide the region, or put what depends on data into a helper with a loop that returns its result",)
    error = Diagnostic(Severity.ERROR, "PC0006", message, region.span, helps=helps)
    return _TooComplicated([error], None, (region.function,), (region.function,) if region.detected else ())


def _kernels(done: Compilation) -> Compilation:
    """The kernels of all regions; one whose loops take isl too long to generate runs in one thread, as written."""
    if not done.programs:
        return replace(done, kernels=kernel_file(done.parsed, ()))
    try:
        return replace(done, kernels=_generated(done, done.programs))
    except _TooComplicated:
        large = [
            k for k, program in enumerate(done.programs) if not program.sequential and _is_too_large(done, program)
        ]
        if not large or any(done.programs[position].scop.region.detected for position in large):
            raise
    for position in large:
        done = _in_one_thread(done, position, "its loops take too long to generate")
    return replace(done, kernels=_generated(done, done.programs))


def _generated(done: Compilation, programs: tuple[MappedProgram, ...]) -> KernelFile:
    shares = sum(quotas.shares(len(program.scheduled.scop.reductions)) for program in programs)
    largest = max((program.scheduled.scop for program in programs), key=lambda scop: len(scop.statements))
    with _limited(largest.region, shares * quotas.QUOTA, "generate"):
        return kernel_file(done.parsed, programs)


def _is_too_large(done: Compilation, program: MappedProgram) -> bool:
    try:
        _generated(done, (program,))
    except _TooComplicated:
        return True
    return False


def _in_one_thread(done: Compilation, position: int, reason: str) -> Compilation:
    """`done` with a region as one thread runs it, which is told."""
    done, plain = _without_rounds(done, position, reason)
    region = map_region(plain, MappingSettings.of(done.options))
    told = sequential_warnings(region.program, done.parsed.functions, done.diagnostics, done.candidates[position])
    return replace(
        done,
        mapped=(*done.mapped[:position], region, *done.mapped[position + 1 :]),
        diagnostics=without_effects((*done.diagnostics, *told)),
    )


def _cuda(done: Compilation) -> Compilation:
    assert done.kernels is not None
    runtime = runtime_header() if done.options.runtime == "header" else None
    return replace(done, cuda=render(done.kernels, runtime), runtime=runtime)


def _verify_source(done: Compilation) -> None:
    verify_unit(done.parsed)


def _verify_scop(done: Compilation) -> None:
    for scop in done.scops:
        verify_scop(scop)


def _verify_dependences(done: Compilation) -> None:
    for scop, dependences in zip(done.scops, done.dependences, strict=True):
        verify_dependences(scop, dependences)


def _verify_kernels(done: Compilation) -> None:
    assert done.kernels is not None
    verify_kernels(done.kernels)


def _verify_schedule(done: Compilation) -> None:
    """Coverage; that the tree respects the dependences has been verified where it was found, within the quota."""
    for scheduled in done.scheduled:
        verify_coverage(scheduled)


def _verify_mapping(done: Compilation) -> None:
    """What each pass has made has been verified behind it; a region in one thread is verified here."""
    for program in done.programs:
        verify_mapping(program)


def _dump_source(done: Compilation) -> str:
    return dump_unit(done.parsed)


def _dump_scop(done: Compilation) -> str:
    return "\n".join(dump_scop(scop) for scop in done.scops)


def _dump_dependences(done: Compilation) -> str:
    pairs = zip(done.scops, done.dependences, strict=True)
    return "\n".join(dump_dependences(scop, dependences) for scop, dependences in pairs)


def _dump_schedule(done: Compilation) -> str:
    return "\n".join(dump_schedule(s) for s in done.scheduled)


def _dump_mapping(done: Compilation) -> str:
    return "\n".join(dump_mapping(p) for p in done.programs)


def _dump_kernels(done: Compilation) -> str:
    assert done.kernels is not None
    return dump_kernels(done.kernels)


PIPELINE = (
    Stage("source", "typed PENCIL AST", _source, _verify_source, _dump_source),
    Stage("scop", "polyhedral model", _scop, _verify_scop, _dump_scop),
    Stage("dependences", "dependences, relaxed and isolated", _dependences, _verify_dependences, _dump_dependences),
    Stage("schedule", "schedule tree with row flags", _schedule, _verify_schedule, _dump_schedule),
    Stage("mapping", "kernels, storage, copies", _mapping, _verify_mapping, _dump_mapping),
    Stage("kernels", "kernels and entry points as typed trees", _kernels, _verify_kernels, _dump_kernels),
    Stage("cuda", "CUDA text", _cuda, None, lambda done: done.cuda),
)
STAGES = tuple(stage.name for stage in PIPELINE)


def _unseen(stage: str, done: Compilation) -> None:
    """Nobody looks at what a stage has made."""


def compile_source(
    file: SourceFile, options: CompileOptions, stop_after: str = STAGES[-1],
    seen: Callable[[str, Compilation], None] = _unseen,
) -> Compilation:  # fmt: skip
    """Compile one file up to and including the stage `stop_after`.

    `seen` is told what each stage has made, before its verifier is; of what is compiled again, again.

    With `on_unsupported` other than "error" a function that cannot be compiled is left to the host and the
    rest is compiled again; so is, always, a function whose regions were only detected.  Raises SourceErrors
    (the source is at fault, or a warning that is to be an error), CompilerLimitation and CompilerBug.
    """
    told: list[Diagnostic] = []
    while True:
        try:
            done = _compile(file, options, stop_after, seen)
            break
        except (SourceErrors, CompilerLimitation) as error:
            whiles = tuple(name for name in error.whiles if name not in options.whiles_on_host)
            if whiles:
                told += _told(error, whiles, "`while` loops", options)
                options = replace(options, whiles_on_host=(*options.whiles_on_host, *whiles))
                continue
            left = _left_to_host(error, options)
            if not left:
                raise _shown(error, told, options) from error
            told += _told(error, left, "loops", options)
            options = replace(options, left_to_host=(*options.left_to_host, *left))
    shown = options.warnings.apply(_in_text_order((*told, *done.diagnostics)))
    if any(d.severity is Severity.ERROR for d in shown):
        raise SourceErrors(shown)
    return replace(done, diagnostics=shown)


def _compile(
    file: SourceFile, options: CompileOptions, stop_after: str, seen: Callable[[str, Compilation], None]
) -> Compilation:
    done = Compilation(file, options)
    try:
        with deep_recursion(file.path):
            for stage in PIPELINE:
                started = time.perf_counter()
                done = stage.run(done)
                seen(stage.name, done)
                if stage.verify is not None:
                    stage.verify(done)
                done = replace(done, times=(*done.times, (stage.name, time.perf_counter() - started)))
                if stage.name == stop_after:
                    break
    except SourceErrors as errors:
        found = (*done.diagnostics, *errors.diagnostics)
        whiles = _with_whiles(done, errors.detected)
        raise SourceErrors(found, None, errors.functions, errors.detected, whiles) from errors
    except CompilerLimitation as limit:
        limit.whiles = _with_whiles(done, limit.detected)
        raise
    return done


def _with_whiles(done: Compilation, detected: Sequence[str]) -> tuple[str, ...]:
    """Those of the functions `detected` a region of which holds a `while` around loops."""
    regions = () if done.unit is None else [region.plain or region for region in done.unit.regions]
    found = {each.function for each in regions if holds_while_around_loops(each.body)}
    return tuple(sorted(found.intersection(detected)))


def _shown(error: SourceErrors | CompilerLimitation, told: list[Diagnostic], options: CompileOptions) -> Exception:
    """The failure with the warnings that the user wants to see; `told`: what is left to the host already."""
    if not isinstance(error, SourceErrors):
        return error
    return SourceErrors(options.warnings.apply(_in_text_order((*told, *error.diagnostics))))


def _in_text_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What all stages say, as the places stand in the source."""
    return tuple(sorted(diagnostics, key=lambda d: (d.span, d.code)))


def _left_to_host(error: SourceErrors | CompilerLimitation, options: CompileOptions) -> tuple[str, ...]:
    """The functions at fault that may be left to the host."""
    names = error.functions if options.on_unsupported != "error" else error.detected
    return tuple(sorted({name for name in names if name and name not in options.left_to_host}))


def _told(
    error: SourceErrors | CompilerLimitation, left: tuple[str, ...], what: str, options: CompileOptions
) -> list[Diagnostic]:
    """PC0109 for functions that were meant to be compiled, PC0110 for detected ones, with what stands in the way.

    `what` of the latter stays on the host.
    """
    is_detected = set(left) <= set(error.detected)
    if options.on_unsupported != "warn" and not is_detected:
        return []
    names = ", ".join(f"`{name}`" for name in left)
    if isinstance(error, CompilerLimitation):
        causes = [(error.message, error.span)] if error.span else []
    else:
        causes = [(d.message, d.span) for d in error.diagnostics if d.severity is Severity.ERROR]
    verb = "is" if len(left) == 1 else "are"
    if is_detected:
        loops = f"the {what} of {names}" if len(left) == 1 else "these loops"
        return [
            Diagnostic(Severity.NOTE, "PC0110", f"{loops} stay on the host: {message}", span)
            for message, span in causes
        ]
    return [
        Diagnostic(Severity.WARNING, "PC0109", f"{names} {verb} left to the host: {message}", span)
        for message, span in causes
    ]


def with_tuning(done: Compilation, tuning: Tuning) -> str:
    """The CUDA text of a finished compilation with other launch parameters: only the last stages run again."""
    again = replace(done, options=replace(done.options, tuning=tuning))
    for stage in PIPELINE[STAGES.index("mapping") :]:
        again = stage.run(again)
    return again.cuda


def dump(done: Compilation, name: str) -> str:
    """The record that stage `name` made, or a pass of the mapping, as text; raises KeyError for an unknown one."""
    stage, _, inside = name.partition("/")
    if inside:
        return folded(_dump_pass(done, inside))
    text = {stage.name: stage for stage in PIPELINE}[stage].dump(done)
    # A schedule is read back line by line; what is C or CUDA has its lines.
    return text if stage in ("source", "schedule", "cuda") else folded(text)


def _dump_pass(done: Compilation, name: str) -> str:
    if name not in passes.PASS_NAMES:
        raise KeyError(name)
    return "\n".join(passes.dump(region, name) for region in done.mapped)
