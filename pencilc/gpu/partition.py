"""The pass `parts`: what of the parts (pencilc/parts) the GPU decides.

Which sequential loops go to the host around parallel rows, which values are put in order, and how many accumulators a
thread has room for.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pencilc import islx
from pencilc.gpu.records import Parted, ScheduledRegion
from pencilc.gpu.shapes.host_loops import HostLoops
from pencilc.gpu.shapes.indirect import is_put_in_order
from pencilc.gpu.shapes.launch import carried_together
from pencilc.gpu.shapes.own_tiles import with_own_tiles
from pencilc.gpu.shapes.shape import in_thread
from pencilc.gpu.shapes.split import split
from pencilc.ir.schedule import without
from pencilc.parts.cut import cut
from pencilc.parts.in_place import InPlace, closed, in_order
from pencilc.parts.one_thread import with_neighbours
from pencilc.parts.owners import Owners
from pencilc.parts.part import Items, Part, SequentialLoop, Unmappable, part_statements, parts_of
from pencilc.parts.prologues import fold_beginnings, fold_prologues
from pencilc.parts.uniform import uniform_statements

STATEMENTS = 1_000  # of a kernel: isl takes long to generate the order of more


def partition(region: ScheduledRegion) -> Parted:
    """The parts of a region; raises Unmappable."""
    scop, settings = region.scop, region.settings
    uniform = uniform_statements(scop)
    tree = without(region.scheduled.tree, frozenset(uniform.values()))
    host_loops = HostLoops(scop, region.domains, settings.target)
    items = fold_prologues(scop, cut(scop, tree, host_loops.goes_out)) if tree is not None else ()
    items, in_place = _accumulated_in_place(region, items)
    items = fold_beginnings(scop, items)
    if any(part.kept or part.reduced for part in parts_of(items)):
        items = with_neighbours(scop, items)  # else the region runs whole in one thread
    items = split(scop, items, lambda reduction: carried_together(reduction, settings.sums))
    items = with_own_tiles(region, items)
    if any(len(part_statements(part)) > STATEMENTS for part in parts_of(items)):
        raise Unmappable(f"a kernel would have more than {STATEMENTS:,} statements")
    return Parted(region, items, uniform, in_place)


def _accumulated_in_place(region: ScheduledRegion, items: Items) -> tuple[Items, tuple[str, ...]]:
    """The items with the reductions whose results nobody owns done in place, and these; raises Unmappable."""
    scop, dependences = region.scop, region.scheduled.dependences
    parts = tuple(parts_of(items))
    owners = Owners(scop, region.domains, parts, dependences)
    wanted = [r.name for part in parts for r in (*owners.without_owner(part), *in_order(scop, part))]
    wanted += region.in_threads
    names = closed(scop, parts, wanted)
    if not names:
        return items, ()
    ordered: list[str] = []
    by_threads = set(names) if set(wanted) <= region.in_threads.keys() else set[str]()
    for reduction in scop.reductions_of(names):
        owners.check_old_values(reduction)
        if reduction.name not in by_threads and is_put_in_order(scop, reduction, region.settings.determinism):
            ordered.append(reduction.name)
    depending = {(islx.in_name(m), islx.out_name(m)) for m in islx.maps_of(dependences.validity)}
    items = InPlace(scop, names, ordered, depending).items(items)
    return _in_threads(items, by_threads), names


def _in_threads(items: Items, names: Collection[str]) -> Items:
    """The items, where a thread does the reductions `names` of each kept point, one value after the other."""
    found: list[Part | SequentialLoop] = []
    for item in items:
        if isinstance(item, SequentialLoop):
            item = replace(item, items=_in_threads(item.items, names))
        elif item.indirect and item.kept and set(item.indirect) <= set(names):
            item = in_thread(item)
        found.append(item)
    return tuple(found)
