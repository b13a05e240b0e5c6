"""The cost model of fusion: launches, bytes, parallelism (docs/fusion.md holds the formula and what it leaves out).

    T = launch + bytes / (bandwidth * fill)        fill = min(1, blocks / multiprocessors)

Sizes are not known when a region is compiled, so the model looks at nominal ones: every parameter is NOMINAL, or
as near to that as what is known of it allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Seq
from math import ceil

import islpy as isl

from pencilc.analysis.box import Domains
from pencilc.analysis.lifetime import is_seen
from pencilc.analysis.nominal import at_nominal_sizes, likely, points, volume
from pencilc.ir.mapping import Composed, Fusion, HostItem, HostLoop, Packed, Stitched
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import AccessKind, Scop
from pencilc.ir.shapes import BLOCK_POINTS, Kernel
from pencilc.ir.storage import Storage
from pencilc.records import dataclass
from pencilc.target import Target


@dataclass(frozen=True, slots=True)
class Cost:
    """What a piece of work is estimated to take at nominal sizes."""

    launches: int
    bytes: int
    seconds: float

    def __add__(self, other: Cost) -> Cost:
        """One after the other."""
        return Cost(self.launches + other.launches, self.bytes + other.bytes, self.seconds + other.seconds)


NOTHING = Cost(0, 0, 0.0)


# Why kernels are not fused where the model sees nothing to gain.
NO_GAIN = "the estimate is no better than that of the kernels one by one"


def value(cost: Cost, mode: str) -> tuple[float, ...]:
    """What a plan minimises: time; with --fuse=max launches first."""
    return (cost.launches, cost.seconds) if mode == "max" else (cost.seconds, cost.launches)


@dataclass(frozen=True, slots=True)
class KernelTraffic:
    """The variables in memory of one kernel, for the least that it takes stitched.

    `own`: bytes of those that it reads and nobody else sees; `others`: the most bytes that one of its statements
    touches of each that others see as well, of which it writes those in `written`.
    """

    statements: frozenset[str]
    own: int
    written: frozenset[str]
    others: Mapping[str, int]


class CostModel:
    """Estimates for the kernels of one region; `storage` is that of the kernels one by one."""

    def __init__(self, scop: Scop, domains: Domains, target: Target, storage: Seq[Storage]) -> None:
        self.scop, self.target = scop, target
        self.in_memory = {s.array for s in storage if s.is_in_memory}
        context = likely(scop.context, scop.sizes)
        self.domains = {name: at_nominal_sizes(domain, context) for name, domain in domains.items()}
        self.sizes: dict[tuple[tuple[str, ...], str], int] = {}
        self.work: dict[str, tuple[int, int]] = {}
        self.traffic: dict[str, KernelTraffic] = {}

    def items(self, items: Seq[HostItem]) -> Cost:
        """All items one after the other; a host loop counts as one iteration of it."""
        total = NOTHING
        for item in items:
            match item:
                case Kernel():
                    total += self.kernel(item)
                case Stitched():
                    total += self.stitched(item)
                case Composed():
                    total += self.composed(item)
                case Packed():
                    total += self.packed(item.kernels)
                case HostLoop():
                    total += self.items(item.items)
        return total

    def kernel(self, kernel: Kernel) -> Cost:
        """One launch of a kernel that nothing is fused with."""
        return self._cost(*self._work(kernel))

    def packed(self, kernels: Seq[Kernel]) -> Cost:
        """One launch of kernels that do not depend on each other."""
        work = [self._work(kernel) for kernel in kernels]
        return self._cost(sum(moved for moved, _ in work), sum(blocks for _, blocks in work))

    def _work(self, kernel: Kernel) -> tuple[int, int]:
        """The bytes that a kernel moves and the blocks that it has work for."""
        if kernel.name not in self.work:
            self.work[kernel.name] = (self._moved(kernel.statements), self.blocks(kernel))
        return self.work[kernel.name]

    def least(self, kernels: Seq[Kernel]) -> Cost:
        """What the kernels take stitched at the very least, without a look at how they could be.

        The arrays that the outside sees move once in one direction; a local one may be gone.
        """
        inside: set[str] = set()
        moved, written, sizes = 0, set[str](), dict[str, int]()
        for kernel in kernels:
            traffic = self._traffic(kernel)
            inside |= traffic.statements
            moved += traffic.own
            written |= traffic.written
            for symbol, size in traffic.others.items():
                sizes[symbol] = max(size, sizes.get(symbol, 0))
        seen = (symbol for symbol in sizes if symbol not in written or is_seen(self.scop, symbol, inside))
        moved += sum(sizes[symbol] for symbol in seen)
        rows, exchanges = 0, 0
        for kernel in kernels:
            if kernel.reduced and kernel.kept:
                rows = max(rows, points(self.domains, kernel.kept, kernel.statements))
            exchanges += bool(kernel.reductions)
        if rows:
            exchanges = 0
        cost = self._cost(moved, rows or self.target.multiprocessors)
        return Cost(1, moved, cost.seconds + exchanges * self.target.grid_seconds)

    def _traffic(self, kernel: Kernel) -> KernelTraffic:
        if kernel.name not in self.traffic:
            statements = frozenset(kernel.statements)
            own, written, others = 0, set[str](), dict[str, int]()
            for symbol, users in self._users(kernel.statements).items():
                size = max(self._footprint((s,), symbol) for s in users)
                writes = any(a.kind.writes for name in users for a in self.scop.accesses_to(symbol)[name])
                if is_seen(self.scop, symbol, statements):
                    others[symbol] = size
                    written |= {symbol} if writes else set()
                elif not writes:
                    own += size
            self.traffic[kernel.name] = KernelTraffic(statements, own, frozenset(written), others)
        return self.traffic[kernel.name]

    def compared(self, kernels: Seq[Kernel], together: Cost, way: str) -> Fusion:
        """The fusion of kernels that take `together` as one: what it saves over them one by one."""
        one_by_one = sum((self.kernel(kernel) for kernel in kernels), NOTHING)
        saved = (
            one_by_one.launches - together.launches,
            one_by_one.bytes - together.bytes,
            one_by_one.seconds - together.seconds,
        )
        return Fusion(tuple(kernel.name for kernel in kernels), way, False, *saved)

    def stitched(self, stitched: Stitched) -> Cost:
        """One launch of a stitched kernel whose rows fit."""
        served: dict[str, int] = {}
        for promotion in stitched.promoted:
            served[promotion.symbol] = (
                served.get(promotion.symbol, 0) + (promotion.loaded >= 0) + (promotion.stored >= 0)
            )
        every = [n for stage in stitched.stages for n in stage.statements]
        users = self._users(every)
        moved = sum(count * self._footprint(users.get(symbol, ()), symbol) for symbol, count in served.items())
        for stage in stitched.stages:
            moved += self._moved(stage.statements, frozenset(served))
        kernel = stitched.kernel
        rows = points(self.domains, kernel.kept, every)
        if kernel.kept:
            return self._cost(moved, ceil(rows / kernel.launch.narrow_across) if stitched.across else rows)
        exchanges = sum(bool(stage.reductions) for stage in stitched.stages)
        cost = self._cost(moved, ceil(points(self.domains, kernel.reduced, every) / BLOCK_POINTS))
        return Cost(1, moved, cost.seconds + exchanges * self.target.grid_seconds)

    def composed(self, composed: Composed) -> Cost:
        """One launch of a composed kernel whose rows fit."""
        in_shared = frozenset(s.storage.array for s in composed.shared)
        moved = sum(self._moved(stage.statements, in_shared) for stage in composed.stages)
        for shared in composed.shared:
            symbol = shared.storage.array
            writers = tuple(name for name, array in composed.stored if array == symbol)
            moved += self._footprint(writers, symbol) if writers else 0
            moved += self._footprint((shared.copied.statement,), symbol) if shared.copied else 0
            parts = (shared.fetched is not None) + (shared.left_behind is not None)
            moved += parts * self._footprint([name for stage in composed.stages for name in stage.statements], symbol)
        return self._cost(moved, points(self.domains, composed.kernel.kept, composed.kernel.statements))

    def _cost(self, moved: int, blocks: int) -> Cost:
        target = self.target
        fill = min(1.0, max(1, blocks) / target.multiprocessors)
        return Cost(1, moved, target.launch_seconds + moved / (target.bandwidth * fill))

    # ---- bytes -------------------------------------------------------------------------------------

    def _moved(self, statements: Seq[str], without: frozenset[str] = frozenset()) -> int:
        """Bytes that statements of one kernel read and write: every element once in each direction."""
        total = 0
        for symbol, users in self._users(statements).items():
            if symbol in without:
                continue
            kinds = {a.kind for name in users for a in self.scop.accesses_to(symbol)[name]}
            reads = AccessKind.READ in kinds
            writes = any(k.writes for k in kinds)
            total += (reads + writes) * self._footprint(users, symbol)
        return total

    def _users(self, statements: Iterable[str]) -> dict[str, list[str]]:
        """The variables in memory that the statements access, each with those of them that do."""
        found: dict[str, list[str]] = {}
        for statement in statements:
            accesses = self.scop.statement(statement).accesses
            named = (self.scop.array(a.array).symbol.name for a in accesses if a.kind is not AccessKind.KILL)
            for symbol in dict.fromkeys(named):
                if symbol in self.in_memory:
                    found.setdefault(symbol, []).append(statement)
        return found

    def _footprint(self, statements: Iterable[str], symbol: str) -> int:
        """Bytes of the box around the elements of the variable that the statements touch."""
        users = self.scop.accesses_to(symbol)
        key = (tuple(name for name in statements if name in users), symbol)
        if key not in self.sizes:
            self.sizes[key] = self._measure(key[0], symbol)
        return self.sizes[key]

    def _measure(self, statements: Seq[str], symbol: str) -> int:
        elements: dict[str, isl.Set] = {}
        for statement in statements:
            for access in self.scop.accesses_to(symbol)[statement]:
                touched = access.relation.intersect_domain(self.domains[statement]).range()
                known = elements.get(access.array)
                elements[access.array] = touched if known is None else known.union(touched)
        return sum(self.scop.array(name).element.size * volume(points) for name, points in elements.items())

    # ---- parallelism -------------------------------------------------------------------------------

    def blocks(self, kernel: Kernel) -> int:
        """Blocks of a kernel that have work."""
        body = statements_of(kernel.body)
        kept, reduced = points(self.domains, kernel.kept, body), points(self.domains, kernel.reduced, body)
        return kernel.blocks(kept, reduced)
