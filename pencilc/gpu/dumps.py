"""The records between the passes of the mapping as text, for `--dump-ir=mapping/PASS`."""

from __future__ import annotations

from pencilc.gpu.records import Chosen, Fused, Joined, Looped, Parted, Placed, Shaped, Timed
from pencilc.ir.mapping import Fusion
from pencilc.ir.mapping_printer import item_lines, own_storage_lines, storage_lines
from pencilc.ir.schedule import statements_of
from pencilc.parts.part import Part, SequentialLoop


def parts(parted: Parted) -> str:
    """Parts in order, below the sequential loops around them."""
    lines = [f"parts of {parted.region.scop.name}"]
    for item in parted.items:
        lines += _part(item, 1)
    lines += [f"  everywhere: {statement} computes {symbol}" for symbol, statement in parted.uniform.items()]
    if parted.in_place:
        lines.append(f"  in place: {', '.join(parted.in_place)}")
    return _text(lines)


def _part(item: Part | SequentialLoop, depth: int) -> list[str]:
    pad = "  " * depth
    if isinstance(item, SequentialLoop):
        return [f"{pad}sequential loop", *(line for inner in item.items for line in _part(inner, depth + 1))]
    lines = [f"{pad}part: {len(item.kept)} kept, {len(item.reduced)} reduced"]
    for title, names in (
        ("prologue", item.prologue),
        ("body", statements_of(item.body)),
        ("post", item.post),
        ("updates in place", item.indirect),
    ):
        if names:
            lines.append(f"{pad}  {title}: {', '.join(names)}")
    return lines


def sweeps(joined: Joined) -> str:
    """What could do the work of parts in fewer sweeps."""
    lines = [f"sweeps of {joined.parted.region.scop.name}"]
    for sweep in joined.sweeps:
        lines.append(f"  parts {', '.join(map(str, sweep.instead))} in fewer sweeps")
        for number, part in sweep.instead.items():
            lines += [f"    {number}:", *_part(part, 3)] if part is not None else [f"    {number}: done by others"]
        lines += [f"    {new} does the work of {old}" for old, new in sweep.names.items()]
    return _text(lines)


def shapes(shaped: Shaped) -> str:
    """The kernels of all parts, and those of joined sweeps."""
    lines = [f"shapes of {shaped.region.scop.name}"]
    for item in shaped.items:
        lines += item_lines(item, 1)
    for alternative in shaped.alternatives:
        lines.append(f"  instead of kernels {', '.join(map(str, alternative.instead))}")
        for kernel in alternative.instead.values():
            lines += item_lines(kernel, 2) if kernel is not None else []
    return _text(lines)


def storage(placed: Placed) -> str:
    """Where variables live while kernels run one by one, and in the kernels of alternatives where that is elsewhere."""
    lines = [f"storage of {placed.shaped.region.scop.name}", *storage_lines(placed.storage, 1)]
    for alternative, table in zip(placed.shaped.alternatives, placed.of_alternatives, strict=True):
        lines += own_storage_lines(placed.storage, {kernel.name: table for kernel in alternative.kernels})
    return _text(lines)


def fusion(fused: Fused) -> str:
    """The items in launch order, some fused, and the fusions that were looked at."""
    lines = [f"fusion of {fused.placed.shaped.region.scop.name}"]
    for item in fused.items:
        lines += item_lines(item, 1)
    return _text([*lines, *map(_fusion, fused.fusions)])


def _fusion(fusion: Fusion) -> str:
    names = ", ".join(fusion.kernels)
    return f"  {fusion.way}: {names}" if fusion.taken else f"  not {fusion.way}: {names}: {fusion.reason}"


def variants(chosen: Chosen) -> str:
    """The items with joined sweeps where these are taken, and where variables live in those."""
    lines = [f"variants of {chosen.fused.placed.shaped.region.scop.name}"]
    for item in chosen.items:
        lines += item_lines(item, 1)
    known = chosen.fused.placed.storage
    return _text([*lines, *own_storage_lines(known, chosen.own_storage)])


def loops(looped: Looped) -> str:
    """The items, with the kernels that do all iterations of a loop on the host."""
    lines = [f"loops of {looped.chosen.fused.placed.shaped.region.scop.name}"]
    for item in looped.items:
        lines += item_lines(item, 1)
    return _text(lines)


def time(timed: Timed) -> str:
    """The items, with the tiles of loops on the host."""
    lines = [f"time tiles of {timed.looped.chosen.fused.placed.shaped.region.scop.name}"]
    for item in timed.items:
        lines += item_lines(item, 1)
    return _text(lines)


def _text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"
