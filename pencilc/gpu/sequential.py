"""A region that runs whole in one thread, because it has no parallel form or finding one takes too long."""

from __future__ import annotations

import islpy as isl

from pencilc import islx
from pencilc.gpu.records import ScheduledRegion
from pencilc.gpu.storage.transfer import transfers, whole_transfers
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.scop import Array, ArrayKind, Scop
from pencilc.ir.shapes import SingleKernel
from pencilc.ir.source import ArrayType, IntLiteral
from pencilc.ir.storage import Constant, Home, Pointer, Register, Residence, Result, Storage, Value, Workspace
from pencilc.poly.model.extents import check_sized

# Bytes of an array that the thread may keep to itself: CUDA gives it 512 KB for everything, and for every thread that a
# device holds at once, so that a file with more needs a large part of the memory.
LARGEST_LOCAL = 16 * 1024


def sequential(region: ScheduledRegion, reason: str) -> MappedProgram:
    """The region in source order; its local arrays of run-time size live in the workspace."""
    scop = region.scop
    kernel = SingleKernel(
        name=f"{scop.name}_sequential",
        host=(),
        body=None,
        index="long long",
        domain=isl.Set("{ [] }"),
        reason=reason,
    )
    residences = {a.symbol.name: _residence(scop, a, Home(kernel.name, "body")) for a in scop.arrays}
    storage = tuple(Storage(name, residence) for name, residence in residences.items())
    try:
        with islx.operation_quota(islx.QUOTA // 10):
            copied = transfers(scop, region.domains)
    except islx.OperationQuotaExceeded:
        copied = whole_transfers(scop)
    settings = region.settings
    return MappedProgram(
        region.scheduled, scop, settings.target, (kernel,), storage, copied, reason, settings.sums, settings.fixed_tree
    )


def _residence(scop: Scop, array: Array, home: Home) -> Residence:
    match array.kind:
        case ArrayKind.PARAM:
            is_pointer = isinstance(array.symbol.type, ArrayType) or array.symbol.name in scop.region.written_scalars
            return Pointer() if is_pointer else Value()
        case ArrayKind.GLOBAL:
            return Constant()
        case ArrayKind.RESULT:
            return Result()
    check_sized(array.symbol, {p.name: p for p in scop.params})
    has_fixed_size = all(isinstance(extent, IntLiteral) for extent in array.extents)
    return Register((home,)) if has_fixed_size and array.symbol.type.size <= LARGEST_LOCAL else Workspace()
