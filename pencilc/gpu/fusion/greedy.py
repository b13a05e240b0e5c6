"""The plan of a host level that is too large for an exact one: neighbours are stitched, then one depth is packed.

Every run of neighbours of one family is cut into stretches: exactly, by dynamic programming over their ends, up to
RUN kernels, from the left above, where every end up to NEAR kernels away is tried and then fewer and fewer.  Runs below
the same rows that are no family are composed, each as far as that goes.
Neighbours in launch order close no cycle.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.gpu.fusion.compose import Composer
from pencilc.gpu.fusion.cost import NO_GAIN, NOTHING, Cost, CostModel, value
from pencilc.gpu.fusion.families import Family, compositions, families, neighbours, runs
from pencilc.gpu.fusion.graph import members
from pencilc.gpu.fusion.not_fused import NotFused
from pencilc.gpu.fusion.pack import Packer
from pencilc.gpu.fusion.stitch import Stitcher
from pencilc.ir.mapping import Composed, Fusion, HostItem, HostLoop, Stitched, kernels_of
from pencilc.ir.shapes import Kernel
from pencilc.islx import NamedMaps
from pencilc.parts.part import Part, SequentialLoop
from pencilc.records import dataclass

RUN = 10  # kernels of a run for which every stretch is tried
NEAR = 32  # kernels of a longer run up to which each end of a stretch is tried

Member = tuple[Part, Kernel]


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Kernels `first`..`last` of a run as one item, with its estimate."""

    first: int
    last: int
    item: Kernel | Stitched
    cost: Cost


class GreedyPlanner:
    """Plans levels of one region; `mode` is the value of --fuse."""

    def __init__(
        self, stitcher: Stitcher, composer: Composer, packer: Packer, model: CostModel, mode: str, pairs: NamedMaps
    ) -> None:
        self.stitcher, self.composer, self.packer = stitcher, composer, packer
        self.model, self.mode, self.pairs = model, mode, pairs
        self.fusions: list[Fusion] = []

    def level(self, parts: Seq[Part | SequentialLoop], items: tuple[HostItem, ...]) -> tuple[HostItem, ...]:
        """The best of three plans: compose, stitch and pack what is left; without composing; pack alone."""
        candidates = self._composition_runs(parts, items)
        plans = [self._plan(self._composed(parts, items, candidates))] if candidates else []
        plans += [self._plan(self._stitched(parts, items)), self._plan(items)]
        best = min(plans, key=lambda plan: self._worth(plan[0]))
        self.fusions = list(best[1])
        told = {fusion.kernels for fusion in self.fusions}
        for _, fusions in plans:
            for fusion in (f for f in fusions if f.kernels not in told):
                told.add(fusion.kernels)
                reason = fusion.reason or "another plan is estimated to be faster"
                self.fusions.append(replace(fusion, taken=False, reason=reason))
        return best[0]

    def _plan(self, items: tuple[HostItem, ...]) -> tuple[tuple[HostItem, ...], tuple[Fusion, ...]]:
        """`items`, some of which have just been fused, with what is left packed, and all that was looked at."""
        fused, self.fusions = self.fusions, []
        packed, told = self.packer.level(items)
        return packed, (*fused, *told)

    def _composed(
        self, parts: Seq[Part | SequentialLoop], items: tuple[HostItem, ...], candidates: Seq[range]
    ) -> tuple[HostItem, ...]:
        """Runs of neighbours below the same rows composed, each as far as it goes; what is left stitched."""
        found: list[HostItem] = []
        position = 0
        for run in candidates:
            start = max(run.start, position)
            for end in range(run.stop, start + 1, -1):
                composed = self._as_one(parts[start:end], items[start:end])
                if composed is not None:
                    found += [*self._stitched(parts[position:start], items[position:start]), composed]
                    position = end
                    break
        return (*found, *self._stitched(parts[position:], items[position:]))

    def _composition_runs(self, parts: Seq[Part | SequentialLoop], items: Seq[HostItem]) -> list[range]:
        """Neighbours that have a form in a block and their outermost row in common, in order."""
        found = []
        stitched = families(parts)
        for together in compositions(parts, self.pairs):
            if any(family.holds(together) for family in stitched):
                continue
            fits = sum(1 << k for k in members(together) if self.composer.has_form(parts[k], items[k]))
            found += [run for run in neighbours(fits) if len(run) > 1]
        return sorted(found, key=lambda run: run.start)

    def _as_one(self, parts: Seq[Part | SequentialLoop], items: Seq[HostItem]) -> Composed | None:
        """Neighbours composed; None where they cannot be, or need not be because they are stitched or save nothing."""
        kernels = kernels_of(items)
        told, self.fusions = self.fusions, []
        one_by_one = self._stitched(parts, tuple(items))
        self.fusions = told
        if len(one_by_one) == 1:
            return None
        try:
            composed = self.composer.compose(
                list(zip(parts, items, strict=True)),
                [item for item in one_by_one if isinstance(item, Kernel | Stitched | HostLoop)],
            )
        except NotFused as reason:
            self.fusions.append(Fusion(tuple(k.name for k in kernels), "composed", False, reason=str(reason)))
            return None
        cost = self.model.composed(composed)
        if value(cost, self.mode) >= self._worth(one_by_one):
            return None
        self.fusions.append(replace(self.model.compared(kernels, cost, "composed"), taken=True))
        return composed

    def _worth(self, items: Seq[HostItem]) -> tuple[float, ...]:
        return value(self.model.items(items), self.mode)

    def _stitched(self, parts: Seq[Part | SequentialLoop], items: tuple[HostItem, ...]) -> tuple[HostItem, ...]:
        found: list[HostItem] = []
        position = 0
        for family in families(parts):
            for run in runs(family):
                run = range(max(run.start, position), run.stop)
                if len(run) < 2 or not any(family.reducing >> k & 1 for k in run):
                    continue
                pairs = [(parts[k], items[k]) for k in run]
                members = [(p, k) for p, k in pairs if isinstance(p, Part) and isinstance(k, Kernel)]
                found += [*items[position : run.start], *self._segmented(family, members)]
                position = run.stop
        return (*found, *items[position:])

    def _segmented(self, family: Family, members: Seq[Member]) -> list[HostItem]:
        """The run cut into stretches."""
        if self.mode == "pairwise":
            chosen = self._greedy(family, members, longest=2)
        elif len(members) <= RUN:
            chosen = self._exact(family, members)
        else:
            chosen = self._greedy(family, members, longest=len(members))
        for stretch in chosen:
            if isinstance(stretch.item, Stitched):
                self._tell(stretch, members, taken=True)
        return [stretch.item for stretch in chosen]

    def _exact(self, family: Family, members: Seq[Member]) -> list[Stretch]:
        """The cheapest way to cut the run: `best[k]` is that for its first k kernels."""
        best: list[list[Stretch]] = [[]]
        for end in range(len(members)):
            choices = []
            for start in range(end + 1):
                stretch = self._stretch(family, members, start, end)
                if stretch is not None:
                    choices.append([*best[start], stretch])
            best.append(min(choices, key=self._value))
        return best[-1]

    def _value(self, stretches: Seq[Stretch]) -> tuple[float, ...]:
        return value(sum((s.cost for s in stretches), NOTHING), self.mode)

    def _greedy(self, family: Family, members: Seq[Member], longest: int) -> list[Stretch]:
        """From the left, each stretch as long as it goes on to save time."""
        chosen: list[Stretch] = []
        start = 0
        while start < len(members):
            kept: Stretch | None = self._stretch(family, members, start, start)
            assert kept is not None
            stop = min(len(members), start + longest)
            for end in range(start + 1, min(stop, start + NEAR)):
                kept = self._longer(family, members, kept, end) or kept
            if kept.last == start + NEAR - 1:
                kept = self._far(family, members, kept, stop)
            chosen.append(kept)
            start = kept.last + 1
        return chosen

    def _far(self, family: Family, members: Seq[Member], kept: Stretch, stop: int) -> Stretch:
        """A stretch that has gone on so far, by steps that double while it does: hundreds are not tried one by one."""
        step = 1
        while step:
            end = min(kept.last + step, stop - 1)
            longer = self._longer(family, members, kept, end) if end > kept.last else None
            step = step // 2 if longer is None else step * 2
            kept = longer or kept
        return kept

    def _longer(self, family: Family, members: Seq[Member], kept: Stretch, end: int) -> Stretch | None:
        """The stretch up to kernel `end`; None where it saves no time over `kept` and the kernels behind it."""
        stretch = self._stretch(family, members, kept.first, end)
        one_by_one = [self._by_itself(members, n) for n in range(kept.last + 1, end + 1)]
        if stretch is not None and self._value([stretch]) < self._value([kept, *one_by_one]):
            return stretch
        return None

    def _by_itself(self, members: Seq[Member], number: int) -> Stretch:
        kernel = members[number][1]
        return Stretch(number, number, kernel, self.model.kernel(kernel))

    def _stretch(self, family: Family, members: Seq[Member], start: int, end: int) -> Stretch | None:
        """Kernels `start`..`end` as one; None where they cannot be, or should not."""
        if start == end:
            return self._by_itself(members, start)
        try:
            stitched = self.stitcher.stitch(family, members[start : end + 1])
        except NotFused as reason:
            names = tuple(kernel.name for _, kernel in members[start : end + 1])
            self.fusions.append(Fusion(names, "stitched", False, reason=str(reason)))
            return None
        stretch = Stretch(start, end, stitched, self.model.stitched(stitched))
        if self._told(stretch, members).saved_seconds <= 0 and self.mode != "max":
            self._tell(stretch, members, taken=False)
            return None
        return stretch

    def _told(self, stretch: Stretch, members: Seq[Member]) -> Fusion:
        kernels = [kernel for _, kernel in members[stretch.first : stretch.last + 1]]
        return self.model.compared(kernels, stretch.cost, "stitched")

    def _tell(self, stretch: Stretch, members: Seq[Member], taken: bool) -> None:
        reason = "" if taken else NO_GAIN
        self.fusions.append(replace(self._told(stretch, members), taken=taken, reason=reason))
