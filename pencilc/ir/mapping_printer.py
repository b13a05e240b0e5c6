"""The mapping as text, for `--dump-ir=mapping` and the golden files."""

from __future__ import annotations

from pencilc.ir.mapping import HostItem, HostLoop, Kernel, MappedProgram
from pencilc.ir.schedule import statements_of


def dump_mapping(program: MappedProgram) -> str:
    """Kernels in launch order with their shapes, where variables live, what is copied."""
    scop = program.scheduled.scop
    lines = [f"mapping of {scop.name}"]
    if program.sequential:
        lines.append(f"  sequential: {program.sequential}")
    for item in program.items:
        lines += _item(item, 1)
    lines.append("  storage")
    for storage in program.storage:
        dims = f" expanded by {', '.join(name for name, _ in storage.expanded)}" if storage.expanded else ""
        scope = f" of {storage.scope}" if storage.scope else ""
        lines.append(f"    {storage.array}: {storage.place.value}{scope}{dims}")
    lines.append("  copies")
    for transfer in program.transfers:
        ways = [way for way, wanted in (("in", transfer.copy_in), ("out", transfer.copy_out)) if wanted]
        lines.append(f"    {transfer.array}: {' and '.join(ways) or 'none'}")
    return "\n".join(lines) + "\n"


def _item(item: HostItem, depth: int) -> list[str]:
    pad = "  " * depth
    if isinstance(item, HostLoop):
        lines = [f"{pad}for {item.iterator} on the host"]
        return lines + [line for inner in item.items for line in _item(inner, depth + 1)]
    return [f"{pad}kernel {item.name}: {item.shape.value}", *(f"{pad}  {text}" for text in _kernel(item))]


def _kernel(kernel: Kernel) -> list[str]:
    lines = []
    for title, names in (
        ("prologue", kernel.prologue),
        ("body", statements_of(kernel.body) if kernel.body is not None else ()),
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
    if kernel.reductions or kernel.bins:
        lines.append(f"chunks of {kernel.width}, {kernel.in_flight} in flight, {kernel.sets} accumulators a thread")
    lines.append(f"block of {kernel.block}, indices are {kernel.index}")
    return lines
