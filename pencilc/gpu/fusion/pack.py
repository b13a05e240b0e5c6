"""Pack: kernels that do not depend on each other share a launch, each with blocks of its own.

    sum of a; sum of each row of b; c = d + e    ->    one launch: blocks for the sum, for the rows, for the additions

The items of one host level form a graph; an item's depth in it is the longest chain of items before it.  Items of
one depth are independent, whatever their order in the source, so packing inside a depth cannot close a cycle
(FusionStitching, section 4, checks for one).  Every shape is packed but stitched kernels, bins that are filled in
order or from rows whose bounds are data, and what needs blocks of another size or more shared memory than lets a
multiprocessor fill up.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc import islx
from pencilc.gpu.fusion.cost import NO_GAIN, NOTHING, Cost, CostModel
from pencilc.gpu.fusion.graph import Graph
from pencilc.gpu.shapes.launch import bytes_in_flight, shared_bytes, with_threads
from pencilc.ir.mapping import Composed, Fusion, HostItem, HostLoop, Packed, Stitched
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Dependences, Scop
from pencilc.ir.shapes import Kernel
from pencilc.records import dataclass
from pencilc.target import RESERVED_SHARED, STATIC_SHARED, WARP

BLOCK = 256  # threads of a block, the same for all parts
# Registers that it takes a thread to know its place in a part: in a line of blocks, or in a plane of threads as well.
PLACE, COLUMN_PLACE = 16, 24
# Copies of bins take at most as much: more bins than fit, which the entry point sees, have a launch of their own.
COPIES_BYTES = 16 * 1024
# The parameters of all parts must fit into the 4 KB that a launch hands over.
MOST = 16


@dataclass(frozen=True, slots=True)
class LevelItem:
    """An item of a host level with its statements and its depth in the graph of the level."""

    item: HostItem
    statements: frozenset[str]
    depth: int


# Bytes for what tells the threads of a part whether their block arrives last, aligned as what is beside it.
_FLAG = 16


@dataclass(frozen=True, slots=True, eq=False)
class Packable:
    """A kernel that may be packed: as it is on its own, and with blocks of BLOCK threads."""

    by_itself: Kernel
    kernel: Kernel
    static: int  # bytes of shared memory that it declares
    dynamic: int  # bytes that the launch gives it, at most
    blocks: int  # that a multiprocessor should hold at least
    loaded: int  # bytes that a thread loads before it uses the first, and the same in a launch of its own
    loaded_alone: int


class Packer:
    """Packs the items of one region; `mode` is the value of --fuse."""

    def __init__(self, scop: Scop, dependences: Dependences, model: CostModel, mode: str) -> None:
        self.scop, self.model, self.mode, self.target = scop, model, mode, model.target
        self.full = self.target.resident(BLOCK)
        self.edges = {(islx.in_name(m), islx.out_name(m)) for m in islx.maps_of(dependences.validity)}
        for reduction in scop.reductions:
            # Bins in place are initialised by a kernel of their own, where the model has the merge node alone.
            before = {first for first, second in self.edges if second == reduction.merge} - set(reduction.updates)
            self.edges |= {(first, reduction.init) for first in before}
            self.edges |= {(reduction.init, name) for name in (*reduction.updates, reduction.merge)}
        self.neighbours: dict[str, set[str]] = {}
        for first, second in self.edges:
            self.neighbours.setdefault(first, set()).add(second)
            self.neighbours.setdefault(second, set()).add(first)
        self.fusions: list[Fusion] = []
        self.parts: dict[str, Packable | None] = {}
        self.met: dict[tuple[str, str], bool] = {}  # for pairs of kernels, what was found before

    def level(self, items: tuple[HostItem, ...]) -> tuple[tuple[HostItem, ...], tuple[Fusion, ...]]:
        """The items of one host level with those of one depth packed, and the fusions that were looked at."""
        self.fusions = []
        nodes = self._nodes(items)
        found: list[HostItem] = []
        for depth in range(max((n.depth for n in nodes), default=-1) + 1):
            found += self._level([n.item for n in nodes if n.depth == depth])
        is_packed = any(isinstance(item, Packed) for item in found)
        return tuple(found) if is_packed else items, tuple(self.fusions)

    def graph(self, items: Seq[HostItem]) -> Graph:
        """What waits for what among the items of one host level."""
        inside = [frozenset(self._statements(item)) for item in items]
        return Graph.of(
            [sum(1 << k for k in range(n) if self._depends(inside[k], inside[n])) for n in range(len(items))]
        )

    def together(self, items: Seq[HostItem]) -> Packed | None:
        """Independent items as one launch; None where they may not share one."""
        parts = self._parts(items)
        return None if parts is None or self._limit(parts) else self._made(parts)

    def cost(self, kernels: Seq[Kernel]) -> Cost:
        """What kernels that may share a launch take in one."""
        parts = self._parts(kernels)
        assert parts is not None
        return self._cost(parts)

    def limit(self, items: Seq[HostItem]) -> str:
        """What keeps kernels apart that could share a launch otherwise; empty if nothing does."""
        parts = self._parts(items)
        return "" if parts is None else self._limit(parts)

    def _parts(self, items: Seq[HostItem]) -> list[Packable] | None:
        """The items as parts of one launch; None where some are none or run in other iterations of host loops."""
        found: list[Packable] = []
        for item in items:
            part = self._part(item) if isinstance(item, Kernel) else None
            if part is None or not self._meet(part, found):
                return None
            found.append(part)
        return found

    def _nodes(self, items: Seq[HostItem]) -> list[LevelItem]:
        nodes: list[LevelItem] = []
        for item in items:
            inside = frozenset(self._statements(item))
            before = [n.depth for n in nodes if self._depends(n.statements, inside)]
            nodes.append(LevelItem(item, inside, max(before, default=-1) + 1))
        return nodes

    def _depends(self, first: frozenset[str], second: frozenset[str]) -> bool:
        return any(name in self.neighbours and not self.neighbours[name].isdisjoint(second) for name in first)

    def _statements(self, item: HostItem) -> list[str]:
        match item:
            case HostLoop():
                return [s for inner in item.items for s in self._statements(inner)]
            case Stitched() | Composed():
                return [s for inner in item.fallback.kernels for s in self._statements(inner)]
            case Packed():
                return [s for kernel in item.kernels for s in self._statements(kernel)]
        body = statements_of(item.body)
        finished = {*item.continued, *item.in_place}
        merges = [r.merge for r in self.scop.reductions_of(finished)]
        return [*item.prologue, *body, *merges, *item.post]

    # ---- one depth ---------------------------------------------------------------------------------

    def _level(self, items: Seq[HostItem]) -> list[HostItem]:
        """The items of one depth, those that may be packed together."""
        packs: list[list[Packable]] = []
        for kernel in (i for i in items if isinstance(i, Kernel)):
            part = self._part(kernel)
            if part is None:
                continue
            pack = next((p for p in packs if not self._is_full(p) and self._takes(part, p)), None)
            if pack is not None:
                pack.append(part)
                continue
            refused = next((p for p in packs if self._meet(part, p)), None)
            if refused is not None:
                self._tell([*refused, part], self._refusal(part, refused))
            packs.append([part])
        for pack in packs:
            if len(pack) > 1:
                self._tell(pack, "")
        packed = [self._made(pack) for pack in packs if len(pack) > 1]
        inside = [k.name for pack in packed for k in pack.kernels]
        return [*packed, *(i for i in items if not isinstance(i, Kernel) or i.name not in inside)]

    def _part(self, kernel: Kernel) -> Packable | None:
        if kernel.name not in self.parts:
            self.parts[kernel.name] = self._made_part(kernel)
        return self.parts[kernel.name]

    def _made_part(self, kernel: Kernel) -> Packable | None:
        if kernel.is_spread or kernel.body is None or not kernel.is_packable:
            return None
        registers = COLUMN_PLACE if kernel.owns_columns else PLACE
        done = with_threads(kernel, self.scop, self.target, BLOCK, registers)
        loaded = bytes_in_flight(kernel, self.scop)
        if done is None:  # its accumulators take more shared memory than there is
            return Packable(kernel, kernel, self.target.shared_per_sm, 0, 1, loaded, loaded)
        # Without loads in flight it takes all the threads that a multiprocessor holds to fill it.
        blocks = self.full if done.needs_all_threads else done.resident
        loaded_together = bytes_in_flight(done, self.scop)
        return Packable(
            kernel, done, shared_bytes(done, self.scop), self._copies(done), blocks, loaded_together, loaded
        )

    def _meet(self, part: Packable, pack: Seq[Packable]) -> bool:
        """Whether of every two kernels one is launched wherever the other is, in iterations of loops on the host."""
        for other in pack:
            pair = part.kernel.name, other.kernel.name
            if pair not in self.met:
                self.met[pair] = _meets(part.kernel, other.kernel)
            if not self.met[pair]:
                return False
        return True

    def _copies(self, kernel: Kernel) -> int:
        """Bytes that the copies of the bins take at most in a block."""
        sizes = {r.name: (r.operator.wide or r.element_type).size for r in self.scop.reductions}
        return kernel.copies_bytes(sizes, BLOCK // WARP, COPIES_BYTES)

    def _is_full(self, pack: Seq[Packable]) -> bool:
        return len(pack) >= (2 if self.mode == "pairwise" else MOST)

    def _takes(self, part: Packable, pack: Seq[Packable]) -> bool:
        return self._meet(part, pack) and not self._refusal(part, pack)

    def _limit(self, pack: Seq[Packable]) -> str:
        if self._is_full(pack[:-1]):
            return "there are as many parts as one launch may have"
        blocks = max(p.blocks for p in pack)
        if _shared(pack) > min(self.target.shared_per_sm // blocks - RESERVED_SHARED, STATIC_SHARED):
            return f"shared memory for all of them leaves no room for {blocks} blocks on a multiprocessor"
        return ""

    def _refusal(self, part: Packable, pack: Seq[Packable]) -> str:
        """Why a part is not added to those of a pack; empty if it is."""
        one_by_one = self._cost(pack) + self._cost([part])
        if self.mode == "max" or self._cost([*pack, part]).seconds < one_by_one.seconds:
            return self._limit([*pack, part])
        return NO_GAIN

    def _made(self, pack: Seq[Packable]) -> Packed:
        overflow = tuple(p.by_itself for p in pack if p.kernel.may_outgrow_pack)
        name = f"{self.scop.name}_packed{pack[0].by_itself.number}"
        return Packed(name, tuple(p.kernel for p in pack), overflow)

    def _cost(self, pack: Seq[Packable]) -> Cost:
        """One launch of all parts; registers for all of them may leave too few blocks for the full bandwidth."""
        if len(pack) == 1:
            return self.model.kernel(pack[0].by_itself)
        cost = self.model.packed([p.by_itself for p in pack])
        slower = sum(self._slower(p, pack) * self.model.kernel(p.by_itself).bytes for p in pack)
        return replace(cost, seconds=cost.seconds + slower / self.target.bandwidth)

    def _slower(self, part: Packable, pack: Seq[Packable]) -> float:
        """By what share of its time a part is slower than on its own: the registers of all let fewer blocks reside."""
        loaded = BLOCK * part.loaded
        alone = part.by_itself.resident * part.by_itself.block * part.loaded_alone
        together = min(p.kernel.resident for p in pack if p.blocks != self.full) * loaded if loaded else 0
        return max(0.0, min(self.target.bytes_in_flight, alone) / together - 1) if together else 0.0

    def _tell(self, pack: Seq[Packable], refused: str) -> None:
        one_by_one, together = sum((self._cost([p]) for p in pack), NOTHING), self._cost(pack)
        saved = (one_by_one.launches - 1, one_by_one.bytes - together.bytes, one_by_one.seconds - together.seconds)
        names = tuple(p.by_itself.name for p in pack)
        self.fusions.append(Fusion(names, "packed", not refused, *saved, refused))


def _shared(pack: Seq[Packable]) -> int:
    """Bytes of shared memory of a block: what parts declare lies side by side, what the launch gives is for any."""
    return sum(p.static + _FLAG for p in pack) + max(p.dynamic for p in pack)


def _meets(one: Kernel, two: Kernel) -> bool:
    """Whether one is launched in all iterations in which the other is, or the other way round, wherever both are."""
    if one.host != two.host:
        return False
    both = one.domain.params().intersect(two.domain.params())
    first, second = one.domain.intersect_params(both), two.domain.intersect_params(both)
    return bool(first.is_subset(second) or second.is_subset(first))
