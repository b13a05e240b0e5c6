"""A region that runs whole in one thread, because it has no parallel form or finding one takes too long."""

from __future__ import annotations

import islpy as isl

from pencilc import quotas
from pencilc.gpu.records import ScheduledRegion
from pencilc.gpu.storage.transfer import transfers, whole_transfers
from pencilc.ir.mapping import MappedProgram, Transfer
from pencilc.ir.queries import names_in
from pencilc.ir.scop import Array, ArrayKind, Scop
from pencilc.ir.shapes import SingleKernel
from pencilc.ir.source import ArrayType, Binary, For, If, IntLiteral, ReductionUpdate, Ternary, While, walk
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
        with quotas.operation_quota(quotas.QUOTA // 10):
            copied = _with_whole(transfers(scop, region.domains), scop)
    except quotas.OperationQuotaExceeded:
        copied = whole_transfers(scop)
    settings = region.settings
    return MappedProgram(
        region.scheduled, scop, settings.target, (kernel,), storage, copied, reason, settings.sums, settings.fixed_tree
    )


def _with_whole(copied: tuple[Transfer, ...], scop: Scop) -> tuple[Transfer, ...]:
    """`copied` with the arrays as wholes that the source reads where the model has no instance that does.

    if (a[i] > 0 && i < n - 1) s++;      no instance where n = 1, but the thread looks at a[0]
    """
    seen = _looked_at(scop)
    known = {each.array: each for each in whole_transfers(scop) if each.array in seen and None not in each.ranges}
    return tuple(known.get(each.array, each) for each in copied)


def _looked_at(scop: Scop) -> set[str]:
    """The variables in conditions, and all where reductions have left the model because nothing comes of them."""
    body = scop.region.body
    reduced = {scop.array(r.array).symbol.name for r in scop.reductions}
    if any(isinstance(node, ReductionUpdate) and not names_in(node.variable) & reduced for node in walk(body)):
        return names_in(body)
    found: set[str] = set()
    for node in walk(body):
        match node:
            case If(condition=condition) | While(condition=condition) | Ternary(condition=condition):
                found |= names_in(condition)
            case For():
                found |= names_in(node.lower, node.bound)
            case Binary(op="&&" | "||"):
                found |= names_in(node)
    return found


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
