"""The stage `mapping` as a literal list of passes: each takes the record of the one before it and makes its own.

ScheduledScop -> Parted -> Joined -> Shaped -> Placed -> Fused -> Chosen -> Looped -> Timed
-> MappedProgram
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Generic, TypeVar

from pencilc import quotas
from pencilc.analysis.box import live_domains
from pencilc.gpu import dumps
from pencilc.gpu.fusion.plan import fuse
from pencilc.gpu.loops import with_loops
from pencilc.gpu.partition import partition
from pencilc.gpu.records import (
    Chosen,
    Fused,
    Joined,
    Looped,
    MappingSettings,
    Parted,
    Placed,
    ScheduledRegion,
    Shaped,
    Timed,
)
from pencilc.gpu.sequential import sequential
from pencilc.gpu.shapes.assign import assign
from pencilc.gpu.storage.placement import place
from pencilc.gpu.storage.transfer import copied
from pencilc.gpu.time_tiles import with_time_tiles
from pencilc.gpu.variants.choose import choose
from pencilc.gpu.variants.join import join
from pencilc.gpu.verifiers import steps
from pencilc.gpu.verifiers.copies import verify_copies
from pencilc.gpu.verifiers.order import verify_order
from pencilc.gpu.verifiers.rounds import verify_rounds
from pencilc.gpu.verifiers.time import verify_time
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.mapping_printer import dump_mapping
from pencilc.ir.schedule import ScheduledScop
from pencilc.parts.part import Spread, Unmappable
from pencilc.records import dataclass

Before = TypeVar("Before")
After = TypeVar("After")


@dataclass(frozen=True, slots=True)
class Pass(Generic[Before, After]):
    """One pass: `run` makes its record, `verify` raises CompilerBug if that is broken, `dump` prints it."""

    name: str
    help: str
    run: Callable[[Before], After]
    verify: Callable[[After], None]
    dump: Callable[[After], str]


PARTS: Pass[ScheduledRegion, Parted] = Pass(
    "parts", "the tree cut into parts: rows by role and statements", partition, steps.verify_parts, dumps.parts
)
SWEEPS: Pass[Parted, Joined] = Pass(
    "sweeps", "parts that could do the work of others in fewer sweeps", join, steps.verify_sweeps, dumps.sweeps
)
SHAPES: Pass[Joined, Shaped] = Pass(
    "shapes", "a kernel with a shape for each part", assign, steps.verify_shapes, dumps.shapes
)
STORAGE: Pass[Shaped, Placed] = Pass(
    "storage", "where variables live while kernels run one by one", place, steps.verify_storage, dumps.storage
)
FUSION: Pass[Placed, Fused] = Pass(
    "fusion", "which kernels share a launch, and what they keep on the chip", fuse, steps.verify_fusion, dumps.fusion
)
VARIANTS: Pass[Fused, Chosen] = Pass(
    "variants", "what runs where a fused kernel does not fit", choose, steps.verify_variants, dumps.variants
)
LOOPS: Pass[Chosen, Looped] = Pass(
    "loops", "which loops on the host have a kernel for all iterations", with_loops, steps.verify_loops, dumps.loops
)
TIME: Pass[Looped, Timed] = Pass(
    "time", "which loops on the host do several iterations in a launch", with_time_tiles, verify_time, dumps.time
)
COPIES: Pass[Timed, MappedProgram] = Pass(
    "copies", "what is copied between host and device", copied, verify_copies, dump_mapping
)

PASSES: tuple[Pass[Any, Any], ...] = (PARTS, SWEEPS, SHAPES, STORAGE, FUSION, VARIANTS, LOOPS, TIME, COPIES)
PASS_NAMES = tuple(each.name for each in PASSES)


@dataclass(frozen=True, slots=True, eq=False)
class PassResult:
    """What a pass has made of a region, and how long it took."""

    name: str
    record: object
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class MappedRegion:
    """A mapped region, and the steps that led there: not all of them where it runs in one thread."""

    program: MappedProgram
    steps: tuple[PassResult, ...]


def map_region(scheduled: ScheduledScop, settings: MappingSettings) -> MappedRegion:
    """Map a region; what has no parallel form runs whole in one thread, and `sequential` says why."""
    region = ScheduledRegion(scheduled, settings, live_domains(scheduled.scop))
    done: list[PassResult] = []
    reason = scheduled.sequential
    quota = quotas.QUOTA * quotas.shares(len(scheduled.scop.reductions))
    try:
        if not reason:
            with quotas.operation_quota(quota):
                program = _mapped(region, done)
            reason = "the order of its kernels takes too long to verify"
            with quotas.operation_quota(quota):
                verify_order(program)
            verify_rounds(program)
            return MappedRegion(program, tuple(done))
    except Unmappable as unmappable:
        reason = str(unmappable)
    except quotas.OperationQuotaExceeded:
        reason = reason or "mapping takes too long"
    return MappedRegion(sequential(region, reason), tuple(done))


def _mapped(region: ScheduledRegion, done: list[PassResult]) -> MappedProgram:
    """The mapped region, in which threads do reductions over several parts where one of these has no shape for them."""
    while True:
        try:
            return _run(region, done)
        except Spread as spread:
            new = {name: str(spread) for name in spread.reductions if name not in region.in_threads}
            if not new:
                raise
            region = replace(region, in_threads={**region.in_threads, **new})
            done.clear()


def _run(region: ScheduledRegion, done: list[PassResult]) -> MappedProgram:
    record: object = region
    for each in PASSES:
        started = time.perf_counter()
        record = each.run(record)
        each.verify(record)
        done.append(PassResult(each.name, record, time.perf_counter() - started))
    assert isinstance(record, MappedProgram)
    return record


def dump(region: MappedRegion, name: str) -> str:
    """The record that the pass `name` has made of a region, as text."""
    for each in PASSES:
        for step in region.steps:
            if each.name == step.name == name:
                return each.dump(step.record)
    return f"{name} of {region.program.scop.name}\n  none: {region.program.sequential}\n"
