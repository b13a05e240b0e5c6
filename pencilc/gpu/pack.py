"""Pack: kernels that do not depend on each other share a launch, each with blocks of its own.

    sum of a; sum of b; c = d + e        ->        one launch: blocks for the sums, blocks for the additions

The items of one host level form a graph; an item's depth in it is the longest chain of items before it.  Items of
one depth are independent, whatever their order in the source, so packing inside a depth cannot close a cycle
(FusionStitching, section 4, checks for one).  Whole reductions and plain kernels are packed.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace

from pencilc import islx
from pencilc.gpu.cost import CostModel
from pencilc.gpu.graph import Graph
from pencilc.ir.mapping import Fusion, HostItem, HostLoop, Kernel, Packed, Shape, Stitched
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Dependences, Scop

BLOCK = 256


@dataclass(frozen=True, slots=True)
class Node:
    """An item of a host level with its statements and its depth in the graph of the level."""

    item: HostItem
    statements: frozenset[str]
    depth: int


@dataclass(frozen=True, slots=True, eq=False)
class Packing:
    """Items after packing, and the fusions that were looked at."""

    items: tuple[HostItem, ...]
    fusions: tuple[Fusion, ...]


class Packer:
    """Packs the items of one region; `mode` is the value of --fuse."""

    def __init__(self, scop: Scop, dependences: Dependences, model: CostModel, mode: str) -> None:
        self.scop, self.model, self.mode = scop, model, mode
        self.edges = {(islx.in_name(m), islx.out_name(m)) for m in islx.maps_of(dependences.validity)}
        for reduction in scop.reductions:
            # Bins in place are initialised by a kernel of their own, where the model has the merge node alone.
            before = {first for first, second in self.edges if second == reduction.merge} - set(reduction.updates)
            self.edges |= {(first, reduction.init) for first in before}
            self.edges |= {(reduction.init, name) for name in (*reduction.updates, reduction.merge)}
        self.fusions: list[Fusion] = []

    def items(self, items: tuple[HostItem, ...]) -> Packing:
        """`items` with independent kernels packed; the order changes only where kernels are packed."""
        self.fusions = []
        return Packing(items if self.mode == "none" else self._packed(items), tuple(self.fusions))

    def _packed(self, items: tuple[HostItem, ...]) -> tuple[HostItem, ...]:
        return self.level(
            tuple(replace(i, items=self._packed(i.items)) if isinstance(i, HostLoop) else i for i in items)
        )

    def level(self, items: tuple[HostItem, ...]) -> tuple[HostItem, ...]:
        """The items of one host level with those of one depth packed; what was looked at is added to `fusions`."""
        nodes = self._nodes(items)
        found: list[HostItem] = []
        for depth in range(max((n.depth for n in nodes), default=-1) + 1):
            found += self._level([n.item for n in nodes if n.depth == depth])
        return tuple(found) if any(isinstance(i, Packed) for i in found) else items

    def graph(self, items: Seq[HostItem]) -> Graph:
        """What waits for what among the items of one host level."""
        inside = [frozenset(self._statements(item)) for item in items]
        return Graph.of(
            [sum(1 << k for k in range(n) if self._depends(inside[k], inside[n])) for n in range(len(items))]
        )

    def together(self, items: Seq[HostItem]) -> Packed | None:
        """Independent items as one launch; None where they may not share one."""
        kernels = [i for i in items if isinstance(i, Kernel) and self._is_packable(i)]
        if len(kernels) < len(items) or not all(_share_rounds(kernels[0], k) for k in kernels):
            return None
        return Packed(_name(kernels), tuple(replace(k, block=BLOCK) for k in kernels))

    def _nodes(self, items: Seq[HostItem]) -> list[Node]:
        nodes: list[Node] = []
        for item in items:
            inside = frozenset(self._statements(item))
            before = [n.depth for n in nodes if self._depends(n.statements, inside)]
            nodes.append(Node(item, inside, max(before, default=-1) + 1))
        return nodes

    def _depends(self, first: frozenset[str], second: frozenset[str]) -> bool:
        return any((a in first and b in second) or (a in second and b in first) for a, b in self.edges)

    def _statements(self, item: HostItem) -> list[str]:
        match item:
            case HostLoop():
                return [s for inner in item.items for s in self._statements(inner)]
            case Stitched():
                return [s for kernel in item.apart for s in self._statements(kernel)]
            case Packed():
                return [s for kernel in item.kernels for s in self._statements(kernel)]
        body = statements_of(item.body) if item.body is not None else ()
        finished = {*item.unfinished, *(bins.reduction for bins in item.bins)}
        merges = [r.merge for r in self.scop.reductions if r.name in finished]
        return [*item.prologue, *body, *merges, *item.post]

    def _level(self, items: Seq[HostItem]) -> list[HostItem]:
        """The items of one depth, those that may be packed as one."""
        group = [i for i in items if isinstance(i, Kernel) and self._is_packable(i)]
        group = [k for k in group if _share_rounds(group[0], k)]
        group = group[:2] if self.mode == "pairwise" else group
        if len(group) < 2 or not self._pays(group):
            return list(items)
        packed = self.together(group)
        assert packed is not None
        rest = [i for i in items if not any(i is k for k in group)]
        return [packed, *rest]

    @staticmethod
    def _is_packable(kernel: Kernel) -> bool:
        if kernel.begun or kernel.unfinished or kernel.body is None:
            return False
        return kernel.shape is Shape.PARALLEL or (kernel.shape is Shape.ALL and kernel.is_flat)

    def _pays(self, group: Seq[Kernel]) -> bool:
        told = self.model.compared(group, self.model.packed(group), "packed")
        taken = told.saved_seconds > 0 or self.mode == "max"
        reason = "" if taken else "the estimate is no better than that of the kernels one by one"
        self.fusions.append(replace(told, taken=taken, reason=reason))
        return taken


def _share_rounds(first: Kernel, second: Kernel) -> bool:
    """Whether both have something to do in the same rounds of the host loops around them."""
    return first.host == second.host and (not first.host or bool(second.domain.is_equal(first.domain)))


def _name(group: Seq[Kernel]) -> str:
    """`f_packed0` for kernels of `f` of which the first has number 0."""
    name = group[0].name
    number = name[len(name.rstrip("0123456789")) :]
    return f"{name.removesuffix(f'{group[0].shape.value}{number}')}packed{number}"
