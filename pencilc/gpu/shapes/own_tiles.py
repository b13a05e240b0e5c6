"""Loops of a point that share with other points what they read get kernels of their own, so that each goes in tiles.

    [i, j P]{ S1; [k s]{S3}; S4; [k s]{S2} }   ->   [i, j P]{ S1; [k s]{S3}; S4 }   [i, j P]{ [k s]{S2} }

Each point is independent of the others, so that all may do the first of these before any does the second.  No local
variable is handed from one to the other: what they have in common is in memory.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.analysis.lines import LineCounter
from pencilc.gpu.records import ScheduledRegion
from pencilc.gpu.shapes.shape import Shaper
from pencilc.gpu.shapes.tiling import with_tiling
from pencilc.ir.schedule import Leaf, Sequence, Tree, statements_of
from pencilc.ir.scop import Scop
from pencilc.parts.owners import Owners
from pencilc.parts.part import Items, Part, SequentialLoop, Unmappable, parts_of


def with_own_tiles(region: ScheduledRegion, items: Items) -> Items:
    """The items with such parts taken apart where each of what comes of them has tiles."""
    if not any(len(_halves(region.scop, part)) > 1 for part in parts_of(items)):
        return items
    owners = Owners(region.scop, region.domains, tuple(parts_of(items)), region.scheduled.dependences)
    shaper = Shaper(region.scop, region.domains, owners, LineCounter(region.scop, region.domains))
    return _apart(shaper, items)


def _apart(shaper: Shaper, items: Items) -> Items:
    found: list[Part | SequentialLoop] = []
    for item in items:
        if isinstance(item, SequentialLoop):
            found.append(replace(item, items=_apart(shaper, item.items)))
            continue
        halves = _halves(shaper.scop, item)
        found += halves if len(halves) > 1 and all(_has_tiles(shaper, half) for half in halves) else (item,)
    return tuple(found)


def _has_tiles(shaper: Shaper, part: Part) -> bool:
    host = tuple(f"pencilc_around{number}" for number in range(len(part.host)))  # names that isl reads
    try:
        return with_tiling(shaper, part, shaper.kernel(part, host, "")).tiling is not None
    except Unmappable:
        return False


def _halves(scop: Scop, part: Part) -> tuple[Part, ...]:
    """The part as parts with one loop of a point each, as far as these share no local variable."""
    is_plain = len(part.kept) > 1 and not (part.reduced or part.prologue or part.post or part.indirect)
    if not is_plain or not isinstance(part.body, Sequence):
        return (part,)
    children = part.body.children
    loops = [position for position, child in enumerate(children) if not isinstance(child, Leaf)]
    begins = [0]
    for before, loop in itertools.pairwise(loops):
        # What stands between two loops goes with the first one, unless it hands something on to the second.
        for at in range(loop, before, -1):
            if not _locals(scop, children[begins[-1] : at]) & _locals(scop, children[at:]):
                begins.append(at)
                break
    ends = (*begins[1:], len(children))
    return tuple(replace(part, body=_tree(children[first:last])) for first, last in zip(begins, ends, strict=True))


def _tree(children: Seq[Tree]) -> Tree:
    return children[0] if len(children) == 1 else Sequence(tuple(children))


def _locals(scop: Scop, trees: Iterable[Tree]) -> set[str]:
    """The local variables that statements access."""
    accesses = (access for tree in trees for name in statements_of(tree) for access in scop.statement(name).accesses)
    symbols = {scop.array(access.array).symbol for access in accesses}
    return {symbol.name for symbol in symbols if symbol.kind == "local"}
