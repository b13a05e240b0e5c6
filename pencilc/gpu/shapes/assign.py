"""The pass `shapes`: every part becomes a kernel with a shape and a name, those of joined sweeps too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pencilc import quotas
from pencilc.analysis.iterators import row_name
from pencilc.analysis.lines import LineCounter
from pencilc.gpu.records import Alternative, Joined, Parted, ScheduledRegion, Shaped
from pencilc.gpu.shapes.halo import with_halo
from pencilc.gpu.shapes.indirect import IndirectShaper
from pencilc.gpu.shapes.launch import launched
from pencilc.gpu.shapes.shape import Shaper
from pencilc.gpu.shapes.tiling import with_tiling
from pencilc.gpu.variants.sweeps import JoinedSweep, extended
from pencilc.ir.mapping import NOTHING_PARALLEL, HostItem, HostLoop, kernels_of
from pencilc.ir.scop import Scop
from pencilc.ir.shapes import Kernel, ReducingKernel
from pencilc.parts.owners import Owners
from pencilc.parts.part import Part, SequentialLoop, Unmappable, part_statements, parts_of


def assign(joined: Joined) -> Shaped:
    """The kernels of a region; raises Unmappable where a part has no shape, or nothing is parallel."""
    parted = joined.parted
    region = parted.region
    parts = tuple(parts_of(parted.items))
    owners = Owners(region.scop, region.domains, parts, region.scheduled.dependences)
    settings = region.settings
    lines = LineCounter(region.scop, region.domains)
    shaper = IndirectShaper(
        region.scop,
        region.domains,
        owners,
        lines,
        parted.in_place,
        settings.target,
        settings.determinism,
        region.in_threads,
    )
    namer = _Namer(region, shaper)
    items = namer.items(parted.items, ())
    kernels = kernels_of(items)
    # Nothing at all, or one kernel of one thread, is what there would be instead.
    is_least = not items or (len(items) == 1 and isinstance(items[0], Kernel))
    if not any(kernel.is_parallel for kernel in kernels) and not is_least:
        raise Unmappable(NOTHING_PARALLEL)
    return Shaped(joined, items, shaper, tuple(_alternatives(parted, joined.sweeps, kernels, namer)))


class _Namer:
    """Gives kernels their shapes, numbers and names, in launch order."""

    def __init__(self, region: ScheduledRegion, shaper: Shaper) -> None:
        self.region, self.scop, self.shaper = region, region.scop, shaper
        self.numbers = iter(range(10**6))

    def items(self, parts: tuple[Part | SequentialLoop, ...], host: tuple[str, ...]) -> tuple[HostItem, ...]:
        return tuple(self._item(part, host) for part in parts)

    def _item(self, part: Part | SequentialLoop, host: tuple[str, ...]) -> HostItem:
        if isinstance(part, SequentialLoop):
            iterator = self._host_iterator(part, host)
            return HostLoop(iterator, part.row, self.items(part.items, (*host, iterator)))
        shaped = with_tiling(self.shaper, part, self.shaper.kernel(part, host, ""))
        done = self.named(with_halo(self.shaper, part, shaped), self.scop)
        if done.reductions and not done.block:
            raise Unmappable("what is reduced is too large for the shared memory that a fixed tree needs")
        return done

    def named(self, kernel: Kernel, scop: Scop) -> Kernel:
        """The kernel with the next number, its name and its launch parameters."""
        settings, number = self.region.settings, next(self.numbers)
        name = f"{scop.name}_{kernel.shape.value}{number}"
        kernel = replace(kernel, name=name, number=number)
        if isinstance(kernel, ReducingKernel):
            kernel = replace(kernel, fixed_tree=settings.fixed_tree)
        return launched(kernel, scop, settings.target, settings.tuning, settings.sums, settings.allow_tf32)

    def _host_iterator(self, loop: SequentialLoop, host: tuple[str, ...]) -> str:
        """The source's name of the loop where the row is one, else a new one."""
        taken = {*host, *(p.name for p in self.scop.params)}
        inside = [statement for part in parts_of((loop,)) for statement in part_statements(part)]
        return row_name(self.scop, loop.row, inside, taken)


# ---- joined sweeps --------------------------------------------------------------------------------------


def _alternatives(
    parted: Parted, sweeps: tuple[JoinedSweep, ...], kernels: tuple[Kernel, ...], namer: _Namer
) -> Iterator[Alternative]:
    """The kernels of joined sweeps, where these keep the shapes that they had; none where it takes too long."""
    try:
        for sweep in sweeps:
            with quotas.operation_quota():
                alternative = _alternative(parted, sweep, kernels, namer)
            if alternative is not None:
                yield alternative
    except quotas.OperationQuotaExceeded:
        return


def _alternative(parted: Parted, sweep: JoinedSweep, kernels: tuple[Kernel, ...], namer: _Namer) -> Alternative | None:
    region = parted.region
    scop, domains = extended(region.scop, region.domains, sweep.sums)
    parts = [sweep.instead.get(number, part) for number, part in enumerate(parts_of(parted.items))]
    owners = Owners(scop, domains, [part for part in parts if part is not None], region.scheduled.dependences)
    shaper = Shaper(scop, domains, owners, LineCounter(scop, domains))
    shaped: dict[int, Kernel | None] = {}
    for number, part in sweep.instead.items():
        before = kernels[number]
        try:
            kernel = None if part is None else shaper.kernel(part, before.host, "")
        except Unmappable:
            return None
        if kernel is not None and (kernel.shape is not before.shape or kernel.reason):
            return None
        shaped[number] = kernel
    named = {number: None if kernel is None else namer.named(kernel, scop) for number, kernel in shaped.items()}
    return Alternative(sweep, scop, domains, named)
