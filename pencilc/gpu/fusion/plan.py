"""The fusion plan: which of the legal fusions are taken.

Every kernel of a host level may be stitched with others of its family and packed with what is independent of it.
Of all such sets of fusions, those with a cycle left out, the one with the least estimated time is found exactly for
levels of up to EXACT items (gpu/fusion/exact.py), and greedily above (gpu/fusion/greedy.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import replace
from itertools import combinations

from pencilc import islx, quotas
from pencilc.gpu.fusion.compose import Composer, unfit
from pencilc.gpu.fusion.cost import NO_GAIN, Cost, CostModel, value
from pencilc.gpu.fusion.exact import LaunchGroup, Value, cheapest
from pencilc.gpu.fusion.families import aligned, compositions, families
from pencilc.gpu.fusion.graph import first, members
from pencilc.gpu.fusion.greedy import GreedyPlanner
from pencilc.gpu.fusion.not_fused import NotFused
from pencilc.gpu.fusion.pack import Packer
from pencilc.gpu.fusion.stitch import Stitcher
from pencilc.gpu.records import Fused, Placed
from pencilc.ir.mapping import Composed, Fusion, HostItem, HostLoop, Stitched, kernels_of
from pencilc.ir.shapes import Kernel
from pencilc.islx import NamedMaps
from pencilc.parts.part import Part, SequentialLoop, leaves_loop, part_statements

EXACT = 10  # items of a host level for which every legal set of fusions is considered
TRIALS = 120  # stitched kernels that may be built on trial for that

QUOTA = 10 * quotas.QUOTA  # isl operations; a graph of sixty statements takes less than half of it


def fuse(placed: Placed) -> Fused:
    """The pass `fusion`: the kernels of a region, some of which share a launch."""
    shaped, region = placed.shaped, placed.shaped.region
    scop, domains, settings = region.scop, region.domains, region.settings
    dependences = region.scheduled.dependences
    model = CostModel(scop, domains, settings.target, placed.storage)
    stitcher = Stitcher(shaped.shaper, domains, placed.storage, settings.target, settings.tuning)
    pairs = islx.named_maps(dependences.validity)
    composer = Composer(shaped.shaper, domains, placed.storage, settings.target, settings.tuning, pairs)
    packer = Packer(scop, dependences, model, settings.fuse)
    planner = Planner(stitcher, composer, packer, model, settings.fuse, pairs)
    items, fusions = planner.plan(shaped.joined.parted.items, shaped.items)
    return Fused(placed, items, fusions)


class Planner:
    """Plans the fusions of one region; `mode` is the value of --fuse."""

    def __init__(
        self, stitcher: Stitcher, composer: Composer, packer: Packer, model: CostModel, mode: str,
        pairs: NamedMaps,
    ) -> None:  # fmt: skip
        self.stitcher, self.composer, self.packer, self.model, self.mode = stitcher, composer, packer, model, mode
        self.pairs = pairs

    def plan(
        self, parts: Seq[Part | SequentialLoop], items: tuple[HostItem, ...]
    ) -> tuple[tuple[HostItem, ...], tuple[Fusion, ...]]:
        """The items of a region, the kernels of `parts`, with some fused, and the fusions that were looked at.

        Nothing is fused where finding a plan would take too long, and that is told.
        """
        if self.mode == "none":
            return items, ()
        try:
            with quotas.operation_quota(QUOTA):
                return self._level(parts, items)
        except quotas.OperationQuotaExceeded:
            return items, (Fusion((), "stitched", False, reason="planning takes too long"),)

    def stitched_inside(self, part: SequentialLoop, loop: HostLoop) -> HostLoop:
        """A loop none of whose kernels are composed or packed."""
        found: list[HostItem] = []
        for inner, item in zip(part.items, loop.items, strict=True):
            if isinstance(inner, SequentialLoop) and isinstance(item, HostLoop):
                item = self.stitched_inside(inner, item)
            found.append(item)
        items = tuple(found)
        if len(items) > EXACT:
            return replace(loop, items=items)
        level = _Level(self, aligned(part.items, self.pairs), items, items, stitching=True)
        return replace(loop, items=level.planned() or items)

    def _level(
        self, parts: Seq[Part | SequentialLoop], items: Seq[HostItem]
    ) -> tuple[tuple[HostItem, ...], tuple[Fusion, ...]]:
        told: tuple[Fusion, ...] = ()
        found: list[HostItem] = []
        for part, item in zip(parts, items, strict=True):
            if isinstance(part, SequentialLoop) and isinstance(item, HostLoop):
                inner, looked_at = self._level(part.items, item.items)
                item, told = replace(item, items=inner), (*told, *looked_at)
            found.append(item)
        # Nothing is fused across a place where a loop on the host may be left.
        planned: tuple[HostItem, ...] = ()
        begin = 0
        for position, part in enumerate(parts):
            if isinstance(part, Part) and leaves_loop(self.packer.scop, part_statements(part)):
                before, looked_at = self._run(parts[begin:position], found[begin:position], items[begin:position])
                planned, told = (*planned, *before, found[position]), (*told, *looked_at)
                begin = position + 1
        rest, looked_at = self._run(parts[begin:], found[begin:], items[begin:])
        return (*planned, *rest), (*told, *looked_at)

    def _run(
        self, parts: Seq[Part | SequentialLoop], found: Seq[HostItem], plain: Seq[HostItem]
    ) -> tuple[tuple[HostItem, ...], tuple[Fusion, ...]]:
        """The items of a level between places where nothing is fused across, planned, and what was looked at.

        `found` are the items whose loops have been planned inside, `plain` those as they were.
        """
        if not found:
            return (), ()
        parts = aligned(parts, self.pairs)
        level = _Level(self, parts, tuple(found), tuple(plain)) if len(found) <= EXACT else None
        planned = level.planned() if level else None
        if level is None or planned is None:
            greedy = GreedyPlanner(self.stitcher, self.composer, self.packer, self.model, self.mode, self.pairs)
            planned = greedy.level(parts, tuple(found))
            return planned, tuple(greedy.fusions)
        return planned, tuple(level.fusions())


class _Level:
    """The exact plan of one host level; `stitching`: no kernels are composed or packed.

    `items`: what is planned, in whose loops kernels may be fused; `plain`: the same with kernels alone.
    """

    def __init__(
        self, planner: Planner, parts: Seq[Part | SequentialLoop], items: tuple[HostItem, ...],
        plain: tuple[HostItem, ...], stitching: bool = False,
    ) -> None:  # fmt: skip
        self.planner, self.stitching, self.plain = planner, stitching, plain
        self.stitcher, self.composer, self.packer = planner.stitcher, planner.composer, planner.packer
        self.model, self.mode, self.parts, self.items = planner.model, planner.mode, parts, items
        self.graph = self.packer.graph(items)
        self.families = families(parts)
        self.compositions = () if stitching else compositions(parts, planner.pairs)
        self.built: dict[tuple[int, str], Stitched | Composed | str] = {}  # on trial, or why it cannot be
        self.packs: tuple[LaunchGroup, ...] = ()
        self.plan: tuple[LaunchGroup, ...] = ()

    def planned(self) -> tuple[HostItem, ...] | None:
        """The items with some fused, in a legal order; None where there are too many fusions to try."""
        self.packs = () if self.stitching else tuple(self._packs())
        groups = [*self._alone(), *self._stitches(), *self._composed(), *self.packs]
        plan = cheapest(self.graph, groups, self._measure, TRIALS)
        if plan is None:
            return None
        self.plan = plan
        by_items = {group.items: group for group in plan}
        order = self.graph.in_order(list(by_items))
        assert order is not None, "a plan has no cycle"
        return tuple(self._item(by_items[items]) for items in order)

    def _item(self, group: LaunchGroup) -> HostItem:
        if group.way == "alone":
            return self.items[next(members(group.items))]
        if group.way == "packed":
            packed = self.packer.together(self._kernels(group.items))
            assert packed is not None
            return packed
        built = self.built[group.items, group.way]
        assert not isinstance(built, str)
        return replace(built, fallback=unfit(self._one_by_one(group.items))) if isinstance(built, Composed) else built

    def _one_by_one(self, items: int) -> tuple[Kernel | Stitched | HostLoop, ...]:
        """What does the work of a composed kernel where its rows do not fill the device: the best plan without it."""
        numbers = list(members(items))
        parts, found = [self.parts[k] for k in numbers], [self.plain[k] for k in numbers]
        for position, (part, item) in enumerate(zip(parts, found, strict=True)):
            if isinstance(part, SequentialLoop) and isinstance(item, HostLoop):
                found[position] = self.planner.stitched_inside(part, item)
        level = _Level(self.planner, parts, tuple(found), tuple(found), stitching=True)
        planned = level.planned() or level.items
        return tuple(item for item in planned if isinstance(item, Kernel | Stitched | HostLoop))

    def _kernels(self, items: int) -> tuple[Kernel, ...]:
        """The kernels of some items, those in loops among them."""
        return kernels_of(self.plain[k] for k in members(items))

    # ---- what may be fused -------------------------------------------------------------------------

    def _alone(self) -> Iterator[LaunchGroup]:
        for number, item in enumerate(self.items):
            yield LaunchGroup(1 << number, "alone", value(self.model.items((item,)), self.mode), True)

    def _stitches(self) -> Iterator[LaunchGroup]:
        """Every set of a family that closes no cycle by itself, with the least that it may take."""
        for family in self.families:
            for items in self._subsets(family.items):
                if items & family.reducing and not self.graph.between(items):
                    yield LaunchGroup(
                        items, "stitched", value(self.model.least(self._kernels(items)), self.mode), False
                    )

    def _composed(self) -> Iterator[LaunchGroup]:
        """Every set of kernels below the same rows that need each other and no family holds, with the least for it."""
        for everything in self.compositions:
            if self._in_family(everything):
                continue
            items = sum(1 << k for k in members(everything) if self.composer.has_form(self.parts[k], self.plain[k]))
            loops = [1 << k for k in members(items) if isinstance(self.plain[k], HostLoop)]
            for group in (*loops, *self._subsets(items)):
                if self._in_family(group) or self.graph.between(group) or not self.graph.is_connected(group):
                    continue
                least = value(self.model.least(self._kernels(group)), self.mode)
                yield LaunchGroup(group, "composed", least, False)

    def _in_family(self, items: int) -> bool:
        return any(family.holds(items) for family in self.families)

    def _packs(self) -> Iterator[LaunchGroup]:
        """Every set of independent kernels that may share a launch, with what it takes."""
        kernels = [(k, item) for k, item in enumerate(self.items) if self.packer.together((item,))]
        fits = {
            k: sum(1 << n for n, other in kernels if n == k or self.packer.together((item, other)))
            for k, item in kernels
        }
        for items in self._subsets(sum(1 << k for k in fits)):
            if not self.graph.is_independent(items) or any(items & ~fits[k] for k in members(items)):
                continue
            inside = self._kernels(items)
            if self.packer.together(inside):
                yield LaunchGroup(items, "packed", value(self.packer.cost(inside), self.mode), True)

    def _subsets(self, items: int) -> Iterator[int]:
        """All subsets of two items or more; with --fuse=pairwise of two."""
        subset = items
        while subset:
            if subset.bit_count() == 2 or (subset.bit_count() > 2 and self.mode != "pairwise"):
                yield subset
            subset = (subset - 1) & items

    def _measure(self, group: LaunchGroup) -> Value | None:
        """What a group takes in its way; None if it cannot be."""
        pairs = [(self.parts[k], self.plain[k]) for k in members(group.items)]
        both = [(part, item) for part, item in pairs if isinstance(part, Part) and isinstance(item, Kernel)]
        built: Stitched | Composed
        try:
            if group.way == "composed":
                built = self.composer.compose(pairs, [item for _, item in pairs])
            else:
                family = next(f for f in self.families if f.holds(group.items))
                built = self.stitcher.stitch(family, both)
        except NotFused as reason:
            self.built[group.items, group.way] = str(reason)
            return None
        self.built[group.items, group.way] = built
        return value(self.model.items((built,)), self.mode)

    # ---- what was looked at ------------------------------------------------------------------------

    def fusions(self) -> tuple[Fusion, ...]:
        """What was fused, what was not, and why."""
        found = [replace(self._compared(g.items, g.way), taken=True) for g in self.plan if g.way != "alone"]
        taken = {(group.items, group.way) for group in self.plan}
        for (items, way), tried in self.built.items():
            if isinstance(tried, str):
                names = tuple(kernel.name for kernel in self._kernels(items))
                found.append(Fusion(names, way, False, reason=tried))
            elif (items, way) not in taken:
                found.append(self._given_up(items, way))
        return (*found, *self._unpacked(), *self._limited(), *self._kept_apart())

    def _limited(self) -> Iterator[Fusion]:
        """Pairs of independent kernels that shared memory keeps apart."""
        for items in self._pairs():
            kernels = self._kernels(items)
            limit = self.packer.limit(kernels) if self.graph.is_independent(items) else ""
            if limit:
                yield Fusion(tuple(kernel.name for kernel in kernels), "packed", False, reason=limit)

    def _compared(self, items: int, way: str) -> Fusion:
        kernels = self._kernels(items)
        return self.model.compared(kernels, self._together(items, way, kernels), way)

    def _together(self, items: int, way: str, kernels: Seq[Kernel]) -> Cost:
        built = self.built.get((items, way), "")
        return self.packer.cost(kernels) if isinstance(built, str) else self.model.items((built,))

    def _given_up(self, items: int, way: str) -> Fusion:
        told = self._compared(items, way)
        return replace(told, reason="another plan is estimated to be faster" if told.saved_seconds > 0 else NO_GAIN)

    def _unpacked(self) -> Iterator[Fusion]:
        """The largest sets that could be packed and of which no two are fused."""
        largest: list[int] = []
        for group in sorted(self.packs, key=lambda g: -g.items.bit_count()):
            fused = any((group.items & taken.items).bit_count() > 1 for taken in self.plan)
            if not fused and all(group.items & ~other for other in largest):
                largest.append(group.items)
                yield self._given_up(group.items, "packed")

    def _kept_apart(self) -> Iterator[Fusion]:
        """Pairs of neighbours in the graph, or of a family, that were never built as one, and what keeps them apart."""
        fused = [group.items for group in self.plan if group.way != "alone"]
        for items in self._pairs():
            tried = any((items, way) in self.built for way in ("stitched", "composed"))
            if tried or any(not items & ~group for group in fused):
                continue
            names = tuple(kernel.name for kernel in self._kernels(items))
            between = self.graph.between(items)
            family = self._in_family(items)
            if not family and not between and not self.graph.is_independent(items):
                yield Fusion(names, "stitched", False, reason="they do not have the same rows and elements")
            elif family and between and all(between & ~f.items for f in self.families if not items & ~f.items):
                one = self.items[first(between)]
                what = one.name if isinstance(one, Kernel) else "a loop on the host"
                yield Fusion(names, "stitched", False, reason=f"{what} needs the one and is needed by the other")
            elif family and not between:
                least = self.model.compared(self._kernels(items), self.model.least(self._kernels(items)), "stitched")
                yield replace(least, reason="another plan is estimated to be faster than the least that they may take")

    def _pairs(self) -> Iterator[int]:
        kernels = [k for k, item in enumerate(self.items) if isinstance(item, Kernel)]
        return (1 << a | 1 << b for a, b in combinations(kernels, 2))
