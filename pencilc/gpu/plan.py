"""The fusion plan: which of the legal fusions are taken.

The kernels of one host level are a chain in launch order.  Every run of neighbours that share kept rows may be cut
into segments, each stitched or left alone; the plan with the least estimated time is found exactly, by dynamic
programming over the segments of a run, up to EXACT kernels, and greedily from the left above.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace

from pencilc import islx
from pencilc.gpu.cost import NOTHING, Cost, CostModel
from pencilc.gpu.kernels import Loop, Part
from pencilc.gpu.pack import Packer
from pencilc.gpu.slots import Refused
from pencilc.gpu.stitch import Run, Stitcher, runs
from pencilc.ir.mapping import Fusion, HostItem, HostLoop, Kernel, Stitched

EXACT = 10  # kernels of a run for which every segment is tried

QUOTA = 10 * islx.QUOTA  # isl operations; a graph of sixty statements takes less than half of it

Member = tuple[Part, Kernel]


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Kernels `first`..`last` of a run as one item, with its estimate."""

    first: int
    last: int
    item: Kernel | Stitched
    cost: Cost


class Planner:
    """Plans the fusions of one region; `mode` is the value of --fuse."""

    def __init__(self, stitcher: Stitcher, model: CostModel, mode: str) -> None:
        self.stitcher, self.model, self.mode = stitcher, model, mode
        self.fusions: list[Fusion] = []

    def better(
        self, packer: Packer, parts: Seq[Part | Loop], items: tuple[HostItem, ...]
    ) -> tuple[tuple[HostItem, ...], tuple[Fusion, ...]]:
        """The better of two plans, and what was looked at: stitch and pack what is left, or pack alone."""
        stitched = packer.items(self.planned(parts, items))
        if not any(f.taken for f in self.fusions):
            return stitched.items, (*self.fusions, *stitched.fusions)
        packed = packer.items(items)
        if self._worth(packed.items) < self._worth(stitched.items):
            reason = "the plan that packs kernels instead is estimated to be faster"
            given_up = (replace(f, taken=False, reason=reason) if f.taken else f for f in self.fusions)
            return packed.items, (*given_up, *packed.fusions)
        return stitched.items, (*self.fusions, *stitched.fusions)

    def _worth(self, items: Seq[HostItem]) -> tuple[float, ...]:
        cost = self.model.items(items)
        return (cost.launches, cost.seconds) if self.mode == "max" else (cost.seconds, cost.launches)

    def planned(self, parts: Seq[Part | Loop], items: tuple[HostItem, ...]) -> tuple[HostItem, ...]:
        """The plan of a region; nothing is fused where finding one would take too long, and that is told."""
        try:
            with islx.operation_quota(QUOTA):
                return self.items(parts, items)
        except islx.OperationQuotaExceeded:
            self.fusions = [Fusion((), "stitched", False, reason="planning takes too long")]
            return items

    def items(self, parts: Seq[Part | Loop], items: Seq[HostItem]) -> tuple[HostItem, ...]:
        """`items`, the kernels of `parts`, with runs of them fused."""
        found: list[HostItem] = []
        for part, item in zip(parts, items, strict=True):
            if isinstance(part, Loop) and isinstance(item, HostLoop):
                item = HostLoop(item.iterator, item.row, self.items(part.items, item.items))
            found.append(item)
        if self.mode == "none":
            return tuple(found)
        for run in reversed(runs(parts)):
            pairs = list(zip(parts, items, strict=True))[run.first : run.last + 1]
            members = [(p, k) for p, k in pairs if isinstance(p, Part) and isinstance(k, Kernel)]
            found[run.first : run.last + 1] = self._plan(run, members)
        return tuple(found)

    def _plan(self, run: Run, members: Seq[Member]) -> list[HostItem]:
        """The run cut into segments."""
        alone = [self.model.kernel(kernel) for _, kernel in members]
        if self.mode == "pairwise":
            chosen = self._greedy(run, members, alone, longest=2)
        elif len(members) <= EXACT:
            chosen = self._exact(run, members, alone)
        else:
            chosen = self._greedy(run, members, alone, longest=len(members))
        for segment in chosen:
            if isinstance(segment.item, Stitched):
                self._tell(segment, members, alone, taken=True)
        return [segment.item for segment in chosen]

    def _exact(self, run: Run, members: Seq[Member], alone: Seq[Cost]) -> list[Segment]:
        """The cheapest way to cut the run: `best[k]` is that for its first k kernels."""
        best: list[list[Segment]] = [[]]
        for end in range(len(members)):
            choices = []
            for start in range(end + 1):
                segment = self._segment(run, members, alone, start, end)
                if segment is not None:
                    choices.append([*best[start], segment])
            best.append(min(choices, key=self._value))
        return best[-1]

    def _value(self, segments: Seq[Segment]) -> tuple[float, ...]:
        """What the plan minimises: time; with --fuse=max launches first."""
        total = sum((s.cost for s in segments), NOTHING)
        return (total.launches, total.seconds) if self.mode == "max" else (total.seconds, total.launches)

    def _greedy(self, run: Run, members: Seq[Member], alone: Seq[Cost], longest: int) -> list[Segment]:
        """From the left, each segment as long as it goes on to save time."""
        chosen: list[Segment] = []
        start = 0
        while start < len(members):
            kept = self._segment(run, members, alone, start, start)
            assert kept is not None
            for end in range(start + 1, min(len(members), start + longest)):
                segment = self._segment(run, members, alone, start, end)
                apart = [Segment(n, n, members[n][1], alone[n]) for n in range(kept.last + 1, end + 1)]
                if segment is not None and self._value([segment]) < self._value([kept, *apart]):
                    kept = segment
            chosen.append(kept)
            start = kept.last + 1
        return chosen

    def _segment(self, run: Run, members: Seq[Member], alone: Seq[Cost], start: int, end: int) -> Segment | None:
        """Kernels `start`..`end` as one; None where they cannot be, or should not."""
        if start == end:
            return Segment(start, end, members[start][1], alone[start])
        try:
            stitched = self.stitcher.stitch(run, members[start : end + 1])
        except Refused as reason:
            names = tuple(kernel.name for _, kernel in members[start : end + 1])
            self.fusions.append(Fusion(names, "stitched", False, reason=str(reason)))
            return None
        segment = Segment(start, end, stitched, self.model.stitched(stitched))
        if self._saved(segment, alone) <= 0 and self.mode != "max":
            self._tell(segment, members, alone, taken=False)
            return None
        return segment

    def _saved(self, segment: Segment, alone: Seq[Cost]) -> float:
        return sum(c.seconds for c in alone[segment.first : segment.last + 1]) - segment.cost.seconds

    def _tell(self, segment: Segment, members: Seq[Member], alone: Seq[Cost], taken: bool) -> None:
        before = sum(alone[segment.first : segment.last + 1], NOTHING)
        names = tuple(kernel.name for _, kernel in members[segment.first : segment.last + 1])
        saved = (before.launches - 1, before.bytes - segment.cost.bytes, before.seconds - segment.cost.seconds)
        reason = "" if taken else "the estimate is no better than that of the kernels one by one"
        self.fusions.append(Fusion(names, "stitched", taken, *saved, reason))
