"""The mapping as text, for `--dump-ir=mapping` and the golden files."""

from __future__ import annotations

from collections.abc import Mapping

from pencilc.ir.mapping import (
    Composed,
    HostItem,
    HostLoop,
    MappedProgram,
    Packed,
    RegisterPromotion,
    SharedPromotion,
    Stitched,
    Variant,
)
from pencilc.ir.schedule import statements_of
from pencilc.ir.shapes import InThread, Kernel
from pencilc.ir.storage import Storage, Uniform


def dump_mapping(program: MappedProgram) -> str:
    """Kernels in launch order with their shapes, where variables live, what is copied."""
    scop = program.scop
    lines = [f"mapping of {scop.name}"]
    if program.sequential:
        lines.append(f"  sequential: {program.sequential}")
    for item in program.items:
        lines += item_lines(item, 1)
    lines.append("  storage")
    lines += storage_lines(program.storage, 2)
    lines += own_storage_lines(program.storage, program.own_storage)
    lines.append("  copies")
    for transfer in program.transfers:
        ways = [way for way, wanted in (("in", transfer.copy_in), ("out", transfer.copy_out)) if wanted]
        lines.append(f"    {transfer.array}: {' and '.join(ways) or 'none'}")
    return "\n".join(lines) + "\n"


def storage_lines(table: tuple[Storage, ...], depth: int) -> list[str]:
    """Where each variable lives."""
    return [f"{'  ' * depth}{storage.array}: {_residence(storage)}" for storage in table]


def own_storage_lines(table: tuple[Storage, ...], own_storage: Mapping[str, tuple[Storage, ...]]) -> list[str]:
    """The registers of kernels that have tables of their own, as far as `table` says something else."""
    lines: list[str] = []
    for kernel, own in own_storage.items():
        other: list[Storage] = []
        for here, known in zip(own, table, strict=True):
            if here is not known and any(home.kernel == kernel for home in here.homes):
                other.append(here)
        if other:
            lines += [f"  storage in {kernel}", *storage_lines(tuple(other), 2)]
    return lines


def item_lines(item: HostItem, depth: int) -> list[str]:
    """An item with what belongs to it."""
    pad = "  " * depth
    if isinstance(item, HostLoop):
        lines = [f"{pad}for {item.iterator} on the host"]
        return lines + [line for inner in item.items for line in item_lines(inner, depth + 1)]
    if isinstance(item, Packed):
        return [f"{pad}kernel {item.name}: packed", *(line for k in item.kernels for line in item_lines(k, depth + 1))]
    if isinstance(item, Stitched):
        lines = [f"{pad}kernel {item.kernel.name}: stitched", *(f"{pad}  {text}" for text in _stitched(item))]
        return [*lines, *_fallback(item.fallback, depth)]
    if isinstance(item, Composed):
        lines = [f"{pad}kernel {item.kernel.name}: composed, a block for each {', '.join(item.iterators)}"]
        lines += [line for stage in item.stages for line in item_lines(stage, depth + 1)]
        lines += [f"{pad}  {text}" for text in (*map(_shared, item.shared), *_stored(item))]
        return [*lines, *_fallback(item.fallback, depth)]
    return [f"{pad}kernel {item.name}: {item.shape.value}", *(f"{pad}  {text}" for text in _kernel(item))]


def _fallback(variant: Variant[Kernel] | Variant[Kernel | Stitched], depth: int) -> list[str]:
    inside = [line for kernel in variant.kernels for line in item_lines(kernel, depth + 2)]
    return [f"{'  ' * depth}  where {variant.condition}", *inside]


def _kernel(kernel: Kernel) -> list[str]:
    lines = []
    for title, names in (
        ("prologue", kernel.prologue),
        ("body", statements_of(kernel.body)),
        ("reductions", kernel.reductions),
        ("post", kernel.post),
    ):
        if names:
            lines.append(f"{title}: {', '.join(names)}")
    lines.append(
        f"rows: {len(kernel.kept)} kept, {len(kernel.reduced)} reduced{', collapsed' if kernel.collapsed else ''}"
    )
    for bins in kernel.bins:
        count = "bins" if bins.count is None else f"{bins.count} bins"
        how = f"by {bins.atomic} on {bins.word}" if bins.atomic else "in order"
        lines.append(f"{bins.reduction}: {count} behind {bins.fixed} fixed subscripts, {how}")
    in_thread = [plan.reduction for plan in kernel.plans if isinstance(plan, InThread)]
    if in_thread:
        lines.append(f"in place, in order: {', '.join(in_thread)}")
    if kernel.reductions or kernel.bins:
        loads = kernel.loads
        lines.append(f"chunks of {loads.width}, {loads.in_flight} in flight, {loads.sets} accumulators a thread")
    lines.append(f"block of {kernel.block}, indices are {kernel.index}")
    return lines


def _stitched(item: Stitched) -> list[str]:
    lines = []
    for number, stage in enumerate(item.stages):
        body = statements_of(stage.body)
        parts = (("body", body), ("reductions", stage.reductions), ("post", stage.post))
        texts = [f"{title} {', '.join(names)}" for title, names in parts if names]
        lines.append(f"stage {number}: {'; '.join(texts)}")
    lines += [_promotion(promotion) for promotion in item.promoted]
    if item.by_one_thread:
        lines.append(f"by one thread: {', '.join(item.by_one_thread)}")
    lines.append(f"chunks of {item.width}, {', '.join(map(str, item.items))} for a thread")
    if item.long_rows is not None:
        regions = [
            f"{' and '.join(item.promoted[n].symbol for n in r.promoted)} {r.size}" for r in item.long_rows.regions
        ]
        lines.append(f"longer rows in shared memory, bytes an element: {', '.join(regions) or 'none'}")
    return lines


def _promotion(promotion: RegisterPromotion) -> str:
    ways = [f"loaded for stage {promotion.loaded}"] * (promotion.loaded >= 0) + [
        f"stored by stage {promotion.stored}"
    ] * (promotion.stored >= 0)
    kind = "the row" if promotion.of_row else "each element"
    stages = (
        f"stage {promotion.first}"
        if promotion.first == promotion.last
        else f"stages {promotion.first}-{promotion.last}"
    )
    return f"register {promotion.symbol} of {kind}, {stages}{''.join(f', {way}' for way in ways)}"


def _shared(shared: SharedPromotion) -> str:
    what = f"shared {shared.storage.array}: region {shared.region}, stages {shared.first}-{shared.last}"
    return f"{what}, fetched for {shared.copied.statement}" if shared.copied else what


def _stored(item: Composed) -> list[str]:
    return [f"stored by {statement}: {array}" for statement, array in item.stored]


def _residence(storage: Storage) -> str:
    """Where a variable lives."""
    text = storage.residence.label
    if isinstance(storage.residence, Uniform):
        text += f" of {storage.residence.statement}"
    if storage.homes:
        text += f" of {', '.join(map(str, storage.homes))}"
    if storage.expanded:
        text += f" expanded by {', '.join(name for name, _ in storage.expanded)}"
    return text
