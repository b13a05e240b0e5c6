"""The pass `variants`: where joined sweeps are taken.

Kernels that stand for a fused one, where its rows do not fit, and kernels that were never fused do their work in fewer
sweeps over the elements wherever the kernels whose work a joined sweep does are all there, one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.gpu.records import Alternative, Chosen, Fused
from pencilc.gpu.variants.substitute import with_statements
from pencilc.gpu.variants.sweeps import extended
from pencilc.ir.mapping import Composed, Fusion, HostItem, HostLoop, Stitched, Variant
from pencilc.ir.shapes import Kernel


def choose(fused: Fused) -> Chosen:
    """The items with the alternatives that fit."""
    placed = fused.placed
    region = placed.shaped.region
    chooser = _Chooser(placed.shaped.alternatives)
    items = chooser.level(fused.items)
    taken = chooser.taken
    names = {old: new for each in taken for old, new in each.sweep.names.items()}
    if names:
        items = tuple(with_statements(item, names) if isinstance(item, HostLoop) else item for item in items)
    scop, _ = extended(region.scop, region.domains, (each for alternative in taken for each in alternative.sweep.sums))
    own_storage = {
        kernel.name: table
        for alternative, table in zip(placed.shaped.alternatives, placed.of_alternatives, strict=True)
        for kernel in alternative.kernels
        if alternative in taken
    }
    return Chosen(fused, scop, items, own_storage, (*fused.fusions, *chooser.fusions))


class _Chooser:
    """Looks for alternatives in one level after the other; `taken` are those that fit."""

    def __init__(self, alternatives: Seq[Alternative]) -> None:
        self.alternatives = alternatives
        self.taken: list[Alternative] = []
        self.fusions: list[Fusion] = []

    def level(self, items: Seq[HostItem]) -> tuple[HostItem, ...]:
        """The items of a level, neighbours among its kernels with fewer sweeps."""
        found: list[HostItem] = []
        run: list[Kernel] = []
        for item in items:
            if isinstance(item, Kernel) and _is_simple(item) and (not run or run[0].host == item.host):
                run.append(item)
                continue
            found += (*self._neighbours(run), self._item(item))
            run = []
        return (*found, *self._neighbours(run))

    def _neighbours(self, kernels: Seq[Kernel]) -> tuple[Kernel, ...]:
        new = self._fewer(kernels)
        if new != tuple(kernels):
            before, after = _difference(kernels, new)
            self.fusions.append(Fusion(before, "joined", True, reason=", ".join(after)))
        return new

    def _item(self, item: HostItem) -> HostItem:
        match item:
            case HostLoop():
                return replace(item, items=self.level(item.items))
            case Composed():
                inside = tuple(self._stitched(i) if isinstance(i, Stitched) else i for i in item.fallback.kernels)
                return replace(item, fallback=replace(item.fallback, kernels=inside))
            case Stitched():
                return self._stitched(item)
        return item

    def _stitched(self, stitched: Stitched) -> Stitched:
        before = stitched.fallback.kernels
        new = self._fewer(before)
        if new == before:
            return stitched
        instead_of, joined = _difference(before, new)
        return replace(stitched, fallback=Variant(stitched.fallback.condition, new, joined, instead_of))

    def _fewer(self, kernels: Seq[Kernel]) -> tuple[Kernel, ...]:
        """What does the work of `kernels`, which run one after the other, with every alternative that they allow."""
        numbers = {kernel.number for kernel in kernels}
        instead: dict[int, Kernel | None] = {kernel.number: kernel for kernel in kernels}
        for alternative in self.alternatives:
            if alternative.instead.keys() <= numbers:
                self.taken.append(alternative)
                instead.update(alternative.instead)
        return tuple(kernel for kernel in instead.values() if kernel is not None)


def _is_simple(kernel: Kernel) -> bool:
    """Whether the kernel begins and ends what it reduces, and uses no bins."""
    return not (kernel.in_place or kernel.is_spread or kernel.reason)


def _difference(before: Seq[Kernel], after: Seq[Kernel]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the kernels that are gone, and of those that are new."""
    return tuple(k.name for k in before if k not in after), tuple(k.name for k in after if k not in before)
