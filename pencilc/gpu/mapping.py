"""The stage `mapping`: a scheduled region becomes kernels, host loops, storage and copies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import Domains, live_domains
from pencilc.analysis.iterators import row_name
from pencilc.gpu.fusion.compose import Composer
from pencilc.gpu.fusion.cost import CostModel
from pencilc.gpu.fusion.pack import Packer
from pencilc.gpu.fusion.plan import Planner
from pencilc.gpu.fusion.stitch import Stitcher
from pencilc.gpu.shapes.host_loops import HostLoops
from pencilc.gpu.shapes.indirect import IndirectShaper
from pencilc.gpu.shapes.launch import carried_together, launched
from pencilc.gpu.shapes.shape import Shaper
from pencilc.gpu.shapes.split import split
from pencilc.gpu.storage.placement import place_all
from pencilc.gpu.storage.transfer import transfers, whole_transfers
from pencilc.gpu.variants.fallbacks import Unfused, with_joined_walks
from pencilc.ir.ctypes import Array as ArrayType
from pencilc.ir.mapping import NOTHING_PARALLEL, HostItem, HostLoop, Kernel, MappedProgram, Place, Shape, Storage
from pencilc.ir.schedule import ScheduledScop, without
from pencilc.ir.scop import Scop
from pencilc.ir.source import IntLiteral
from pencilc.options import Determinism, Fuse, ShiftedSums, Sums, Target, Tuning
from pencilc.parts.cut import cut
from pencilc.parts.part import Loop, Part, Unmappable, part_statements, parts_of
from pencilc.parts.prologues import fold_prologues
from pencilc.parts.uniform import uniform_statements
from pencilc.poly.extents import check_sized


def map_to_gpu(
    scheduled: ScheduledScop, target: Target, tuning: Tuning, determinism: Determinism = "run", fuse: Fuse = "model",
    sums: Sums = "plain", shifted_sums: ShiftedSums = "joined",
) -> MappedProgram:  # fmt: skip
    """Map a region; what has no parallel form runs whole in one thread, and `sequential` says why.

    `fuse` tells which kernels are fused, `sums` how floating values are summed, `shifted_sums` whether kernels that
    stand for fused ones have fewer walks (gpu/variants/join.py).
    """
    if determinism == "fixed-tree" or sums != "plain":
        # Whether a row is stitched depends on the number of multiprocessors, and stitched sums are plain.
        fuse = "none"
    if sums != "plain":
        # A shifted sum is scaled as often as its shift changes: what rounding takes from it then, nothing carries.
        shifted_sums = "as-written"
    mapped = _mapped(scheduled, target, tuning, determinism, fuse, sums, shifted_sums)
    return replace(mapped, sums=sums, pinned=determinism == "fixed-tree")


def _mapped(
    scheduled: ScheduledScop, target: Target, tuning: Tuning, determinism: Determinism, fuse: Fuse, sums: Sums,
    shifted_sums: ShiftedSums,
) -> MappedProgram:  # fmt: skip
    scop = scheduled.scop
    domains = live_domains(scop)
    if scheduled.sequential:
        return _sequential(scheduled, domains, scheduled.sequential)
    uniform = uniform_statements(scop)
    tree = without(scheduled.tree, frozenset(uniform.values()))
    try:
        parts = (
            fold_prologues(scop, cut(scop, tree, HostLoops(scop, domains, target).goes_out)) if tree is not None else ()
        )
        shaper = IndirectShaper(scop, domains, target, tuple(parts_of(parts)), scheduled.dependences, determinism)
        parts = split(scop, shaper.in_place(parts), lambda reduction: carried_together(reduction, sums))
        shaper.parts = tuple(parts_of(parts))
        items = _Mapper(scop, shaper, tuning, determinism, sums).items(parts, ())
        storage = place_all(scop, items, domains, uniform)
    except Unmappable as reason:
        return _sequential(scheduled, domains, str(reason))
    if all(k.shape is Shape.SINGLE for item in items for k in _flat(item)) and len(items) > 1:
        return _sequential(scheduled, domains, NOTHING_PARALLEL)
    model = CostModel(scop, domains, target, storage)
    packer = Packer(scop, scheduled.dependences, model, fuse)
    validity = scheduled.dependences.validity
    stitcher, composer = Stitcher(shaper, domains, storage, tuning), Composer(shaper, domains, storage, tuning)
    planner = Planner(stitcher, composer, packer, model, fuse, validity)
    planned, fusions = planner.plan(parts, items)
    program = MappedProgram(
        scheduled, planned, storage, transfers(scop, domains), fusions=fusions, member_storage=storage
    )
    if shifted_sums == "as-written":
        return program
    unfused = Unfused(items, _by_kernel(parts, items), domains, uniform)
    return with_joined_walks(program, unfused, target, tuning)


class _Mapper:
    """Gives parts their shapes and names, in launch order."""

    def __init__(self, scop: Scop, shaper: Shaper, tuning: Tuning, determinism: Determinism, sums: Sums) -> None:
        self.scop, self.shaper, self.tuning = scop, shaper, tuning
        self.fixed_tree, self.sums = determinism == "fixed-tree", sums
        self.numbers = iter(range(10**6))

    def items(self, parts: tuple[Part | Loop, ...], host: tuple[str, ...]) -> tuple[HostItem, ...]:
        return tuple(self._item(part, host) for part in parts)

    def _item(self, part: Part | Loop, host: tuple[str, ...]) -> HostItem:
        if isinstance(part, Loop):
            iterator = self._host_iterator(part, host)
            return HostLoop(iterator, part.row, self.items(part.items, (*host, iterator)))
        kernel = self.shaper.kernel(part, host, "")
        name = f"{self.scop.name}_{kernel.shape.value}{next(self.numbers)}"
        done = launched(replace(kernel, name=name, fixed_tree=self.fixed_tree), self.scop, self.tuning, self.sums)
        if done.reductions and not done.block:
            raise Unmappable("what is reduced is too large for the shared memory that a fixed tree needs")
        return done

    def _host_iterator(self, loop: Loop, host: tuple[str, ...]) -> str:
        """The source's name of the loop where the row is one, else a new one."""
        taken = {*host, *(p.name for p in self.scop.params)}
        inside = [statement for part in parts_of((loop,)) for statement in part_statements(part)]
        return row_name(self.scop, loop.row, inside, taken)


def _by_kernel(parts: tuple[Part | Loop, ...], items: tuple[HostItem, ...]) -> dict[str, Part]:
    """The part of each kernel, by its name."""
    return {
        kernel.name: part for part, kernel in zip(parts_of(parts), (k for i in items for k in _flat(i)), strict=True)
    }


def _flat(item: HostItem) -> Iterator[Kernel]:
    if isinstance(item, Kernel):
        yield item
        return
    for inner in item.items if isinstance(item, HostLoop) else ():
        yield from _flat(inner)


def _sequential(scheduled: ScheduledScop, domains: Domains, reason: str) -> MappedProgram:
    """The whole region in one thread, in source order; its local arrays of run-time size live in the workspace."""
    scop = scheduled.scop
    kernel = Kernel(
        name=f"{scop.name}_sequential",
        shape=Shape.SINGLE,
        host=(),
        kept=(),
        reduced=(),
        prologue=(),
        body=None,
        post=(),
        index="long long",
        domain=isl.Set("{ [] }"),
        reason=reason,
    )
    storage: dict[str, Storage] = {}
    for array in scop.arrays:
        name = array.symbol.name
        if array.scope.value == "param":
            pointer = isinstance(array.symbol.type, ArrayType) or name in scop.region.written_scalars
            place = Place.POINTER if pointer else Place.VALUE
        elif array.scope.value in ("global", "result"):
            place = Place.CONSTANT if array.scope.value == "global" else Place.RESULT
        else:
            fixed = all(isinstance(e, IntLiteral) for e in array.extents)
            check_sized(array.symbol, {p.name: p for p in scop.params})
            place = Place.REGISTER if fixed else Place.WORKSPACE
        storage[name] = Storage(name, place, (), f"{kernel.name} body")
    try:
        with islx.operation_quota(islx.QUOTA // 10):
            copied = transfers(scop, domains)
    except islx.OperationQuotaExceeded:
        copied = whole_transfers(scop)
    return MappedProgram(scheduled, (kernel,), tuple(storage.values()), copied, reason)
