"""The cost model of fusion: launches, bytes, parallelism (docs/fusion.md holds the formula and what it leaves out).

    T = launch + bytes / (bandwidth * fill)        fill = min(1, blocks / multiprocessors)

Sizes are not known when a region is compiled, so the model looks at nominal ones: every parameter is NOMINAL, or
as near to that as what is known of it allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from math import ceil, prod

import islpy as isl

from pencilc import islx
from pencilc.gpu.box import Domains, image
from pencilc.ir.mapping import HostItem, HostLoop, Kernel, Packed, Place, Shape, Stage, Stitched, Storage
from pencilc.ir.schedule import Row, statements_of
from pencilc.ir.scop import Access, AccessKind, Scop
from pencilc.options import Target

NOMINAL = 2048


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


class CostModel:
    """Estimates for the kernels of one region; `storage` is that of the kernels one by one."""

    def __init__(self, scop: Scop, domains: Domains, target: Target, storage: Seq[Storage]) -> None:
        self.scop, self.target = scop, target
        self.places = {s.array: s.place for s in storage}
        self.domains = {name: at_nominal_sizes(domain, scop.context) for name, domain in domains.items()}
        self.sizes: dict[tuple[tuple[str, ...], str], int] = {}

    def items(self, items: Seq[HostItem]) -> Cost:
        """All items one after the other; a host loop counts as one round of it."""
        total = NOTHING
        for item in items:
            match item:
                case Kernel():
                    total += self.kernel(item)
                case Stitched():
                    total += self.stitched(item)
                case Packed():
                    total += self.packed(item.kernels)
                case HostLoop():
                    total += self.items(item.items)
        return total

    def kernel(self, kernel: Kernel) -> Cost:
        """One launch of a kernel that nothing is fused with."""
        moved = self._moved(_statements(kernel))
        return self._cost(moved, self._blocks(kernel))

    def packed(self, kernels: Seq[Kernel]) -> Cost:
        """One launch of kernels that do not depend on each other."""
        moved = sum(self._moved(_statements(kernel)) for kernel in kernels)
        return self._cost(moved, sum(self._blocks(kernel) for kernel in kernels))

    def stitched(self, stitched: Stitched) -> Cost:
        """One launch of a stitched kernel whose rows fit."""
        served: dict[str, int] = {}
        for slot in stitched.slots:
            served[slot.symbol] = served.get(slot.symbol, 0) + (slot.loaded >= 0) + (slot.stored >= 0)
        every = [n for stage in stitched.stages for n in _stage_statements(stage)]
        moved = sum(count * self._footprint(every, symbol) for symbol, count in served.items())
        for stage in stitched.stages:
            moved += self._moved(_stage_statements(stage), frozenset(served))
        kernel = stitched.kernel
        rows = prod(self._extents(kernel.kept, every))
        if kernel.kept:
            return self._cost(moved, ceil(rows / kernel.launch.narrow_across) if stitched.across else rows)
        exchanges = sum(bool(stage.reductions) for stage in stitched.stages)
        cost = self._cost(moved, ceil(prod(self._extents(kernel.reduced, every)) / 1024))
        return Cost(1, moved, cost.seconds + exchanges * self.target.grid_seconds)

    def _cost(self, moved: int, blocks: int) -> Cost:
        target = self.target
        fill = min(1.0, max(1, blocks) / target.multiprocessors)
        return Cost(1, moved, target.launch_seconds + moved / (target.bandwidth * fill))

    # ---- bytes -------------------------------------------------------------------------------------

    def _moved(self, statements: Seq[str], without: frozenset[str] = frozenset()) -> int:
        """Bytes that statements of one kernel read and write: every element once in each direction."""
        total = 0
        for symbol in self._symbols(statements) - without:
            kinds = {a.kind for a in self._accesses(statements, symbol)}
            reads = AccessKind.READ in kinds
            writes = any(k.writes for k in kinds)
            total += (reads + writes) * self._footprint(statements, symbol)
        return total

    def _symbols(self, statements: Seq[str]) -> set[str]:
        found = {self.scop.array(a.array).symbol.name for s in statements for a in self.scop.statement(s).accesses}
        return {name for name in found if self.places.get(name) in (Place.POINTER, Place.WORKSPACE)}

    def _accesses(self, statements: Iterable[str], symbol: str) -> Iterator[Access]:
        for statement in statements:
            for access in self.scop.statement(statement).accesses:
                if access.kind is not AccessKind.KILL and self.scop.array(access.array).symbol.name == symbol:
                    yield access

    def _footprint(self, statements: Seq[str], symbol: str) -> int:
        """Bytes of the box around the elements that the statements touch."""
        key = (tuple(statements), symbol)
        if key not in self.sizes:
            self.sizes[key] = self._measure(statements, symbol)
        return self.sizes[key]

    def _measure(self, statements: Seq[str], symbol: str) -> int:
        elements: dict[str, isl.Set] = {}
        for statement in statements:
            for access in self._accesses((statement,), symbol):
                touched = access.relation.intersect_domain(self.domains[statement]).range()
                known = elements.get(access.array)
                elements[access.array] = touched if known is None else known.union(touched)
        return sum(self.scop.array(name).element.size * _volume(points) for name, points in elements.items())

    # ---- parallelism -------------------------------------------------------------------------------

    def _blocks(self, kernel: Kernel) -> int:
        """Blocks that have work: a block takes 1024 points, or a row."""
        body = statements_of(kernel.body) if kernel.body is not None else ()
        kept, reduced = prod(self._extents(kernel.kept, body)), prod(self._extents(kernel.reduced, body))
        match kernel.shape:
            case Shape.SINGLE:
                return 1
            case Shape.ROW:
                return kept if reduced < 131072 else kept * ceil(reduced / 4096)
        return ceil(kept * reduced / 1024)

    def _extents(self, rows: Seq[Row], statements: Seq[str]) -> list[int]:
        """The number of values that each row takes."""
        found = []
        for row in rows:
            inside = [s for s in islx.pw_affs_of(row.function) if s in statements]
            found.append(_volume(image(self.domains, (row,), inside[:1])) if inside else 1)
        return found


def at_nominal_sizes(points: isl.Set, context: isl.Set) -> isl.Set:
    """`points` with every parameter fixed to its nominal value."""
    known = context
    for position in range(points.dim(isl.dim_type.param)):
        name = str(points.get_dim_name(isl.dim_type.param, position))
        at = known.find_dim_by_name(isl.dim_type.param, name)
        value = NOMINAL
        if at >= 0:
            value = _nominal(known, at)
            known = known.fix_val(isl.dim_type.param, at, isl.Val(value))
        points = points.fix_val(isl.dim_type.param, position, isl.Val(value))
    return points


def _nominal(context: isl.Set, position: int) -> int:
    """The value of a parameter nearest to NOMINAL that the context allows."""
    for value in (NOMINAL, NOMINAL // 8, NOMINAL // 64, 8, 1, 0):
        if not context.fix_val(isl.dim_type.param, position, isl.Val(value)).is_empty():
            return value
    sample = context.sample_point()
    return int(sample.get_coordinate_val(isl.dim_type.param, position).to_python()) if not sample.is_void() else 0


def _volume(points: isl.Set) -> int:
    """Points of the box around a set without free parameters; sides without a bound count as nominal."""
    if points.is_empty():
        return 0
    total = 1
    for position in range(islx.dimensions(points)):
        low, high = points.dim_min_val(position), points.dim_max_val(position)
        total *= int((high - low).to_python()) + 1 if low.is_int() and high.is_int() else NOMINAL
    return total


def _statements(kernel: Kernel) -> tuple[str, ...]:
    body = statements_of(kernel.body) if kernel.body is not None else ()
    return (*kernel.prologue, *body, *kernel.post)


def _stage_statements(stage: Stage) -> tuple[str, ...]:
    body = statements_of(stage.body) if stage.body is not None else ()
    return (*body, *stage.post)
