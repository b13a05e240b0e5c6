"""The plan of a host level that is too large for an exact one: neighbours are stitched, then one depth is packed.

Every run of neighbours of one family is cut into segments: exactly, by dynamic programming over their ends, up to
RUN kernels, from the left above.  Neighbours in launch order close no cycle.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace

from pencilc.gpu.cost import NO_GAIN, NOTHING, Cost, CostModel, value
from pencilc.gpu.families import Family, families, runs
from pencilc.gpu.kernels import Loop, Part
from pencilc.gpu.pack import Packer
from pencilc.gpu.slots import Refused
from pencilc.gpu.stitch import Stitcher
from pencilc.ir.mapping import Fusion, HostItem, Kernel, Stitched

RUN = 10  # kernels of a run for which every segment is tried

Member = tuple[Part, Kernel]


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Kernels `first`..`last` of a run as one item, with its estimate."""

    first: int
    last: int
    item: Kernel | Stitched
    cost: Cost


class GreedyPlanner:
    """Plans levels of one region; `mode` is the value of --fuse."""

    def __init__(self, stitcher: Stitcher, packer: Packer, model: CostModel, mode: str) -> None:
        self.stitcher, self.packer, self.model, self.mode = stitcher, packer, model, mode
        self.fusions: list[Fusion] = []

    def level(self, parts: Seq[Part | Loop], items: tuple[HostItem, ...]) -> tuple[HostItem, ...]:
        """The better of two plans: stitch and pack what is left, or pack alone."""
        self.fusions = []
        stitched, told = self._packed(self._stitched(parts, items))
        if not any(f.taken for f in self.fusions):
            self.fusions += told
            return stitched
        packed, told_alone = self._packed(items)
        if self._worth(packed) < self._worth(stitched):
            reason = "the plan that packs kernels instead is estimated to be faster"
            given_up = [replace(f, taken=False, reason=reason) if f.taken else f for f in self.fusions]
            self.fusions = [*given_up, *told_alone]
            return packed
        self.fusions += told
        return stitched

    def _packed(self, items: tuple[HostItem, ...]) -> tuple[tuple[HostItem, ...], tuple[Fusion, ...]]:
        self.packer.fusions = []
        return self.packer.level(items), tuple(self.packer.fusions)

    def _worth(self, items: Seq[HostItem]) -> tuple[float, ...]:
        return value(self.model.items(items), self.mode)

    def _stitched(self, parts: Seq[Part | Loop], items: tuple[HostItem, ...]) -> tuple[HostItem, ...]:
        found: list[HostItem] = []
        position = 0
        for family in families(parts):
            for run in runs(family):
                run = range(max(run.start, position), run.stop)
                if len(run) < 2 or not any(family.reducing >> k & 1 for k in run):
                    continue
                pairs = [(parts[k], items[k]) for k in run]
                members = [(p, k) for p, k in pairs if isinstance(p, Part) and isinstance(k, Kernel)]
                found += [*items[position : run.start], *self._cut(family, members)]
                position = run.stop
        return (*found, *items[position:])

    def _cut(self, family: Family, members: Seq[Member]) -> list[HostItem]:
        """The run cut into segments."""
        if self.mode == "pairwise":
            chosen = self._greedy(family, members, longest=2)
        elif len(members) <= RUN:
            chosen = self._exact(family, members)
        else:
            chosen = self._greedy(family, members, longest=len(members))
        for segment in chosen:
            if isinstance(segment.item, Stitched):
                self._tell(segment, members, taken=True)
        return [segment.item for segment in chosen]

    def _exact(self, family: Family, members: Seq[Member]) -> list[Segment]:
        """The cheapest way to cut the run: `best[k]` is that for its first k kernels."""
        best: list[list[Segment]] = [[]]
        for end in range(len(members)):
            choices = []
            for start in range(end + 1):
                segment = self._segment(family, members, start, end)
                if segment is not None:
                    choices.append([*best[start], segment])
            best.append(min(choices, key=self._value))
        return best[-1]

    def _value(self, segments: Seq[Segment]) -> tuple[float, ...]:
        return value(sum((s.cost for s in segments), NOTHING), self.mode)

    def _greedy(self, family: Family, members: Seq[Member], longest: int) -> list[Segment]:
        """From the left, each segment as long as it goes on to save time."""
        chosen: list[Segment] = []
        start = 0
        while start < len(members):
            kept = self._segment(family, members, start, start)
            assert kept is not None
            for end in range(start + 1, min(len(members), start + longest)):
                segment = self._segment(family, members, start, end)
                apart = [self._alone(members, n) for n in range(kept.last + 1, end + 1)]
                if segment is not None and self._value([segment]) < self._value([kept, *apart]):
                    kept = segment
            chosen.append(kept)
            start = kept.last + 1
        return chosen

    def _alone(self, members: Seq[Member], number: int) -> Segment:
        kernel = members[number][1]
        return Segment(number, number, kernel, self.model.kernel(kernel))

    def _segment(self, family: Family, members: Seq[Member], start: int, end: int) -> Segment | None:
        """Kernels `start`..`end` as one; None where they cannot be, or should not."""
        if start == end:
            return self._alone(members, start)
        try:
            stitched = self.stitcher.stitch(family, members[start : end + 1])
        except Refused as reason:
            names = tuple(kernel.name for _, kernel in members[start : end + 1])
            self.fusions.append(Fusion(names, "stitched", False, reason=str(reason)))
            return None
        segment = Segment(start, end, stitched, self.model.stitched(stitched))
        if self._told(segment, members).saved_seconds <= 0 and self.mode != "max":
            self._tell(segment, members, taken=False)
            return None
        return segment

    def _told(self, segment: Segment, members: Seq[Member]) -> Fusion:
        kernels = [kernel for _, kernel in members[segment.first : segment.last + 1]]
        return self.model.compared(kernels, segment.cost, "stitched")

    def _tell(self, segment: Segment, members: Seq[Member], taken: bool) -> None:
        reason = "" if taken else NO_GAIN
        self.fusions.append(replace(self._told(segment, members), taken=taken, reason=reason))
