"""What the launches of a region touch of each variable in memory, at nominal sizes (docs/fusion.md).

Every element counts once in each direction, as in the cost model of fusion, of which the time is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import islpy as isl

from pencilc import islx, quotas
from pencilc.analysis.box import live_domains
from pencilc.analysis.lifetime import is_seen
from pencilc.analysis.nominal import at_nominal_sizes, likely, volume
from pencilc.gpu.fusion.cost import Cost, CostModel
from pencilc.ir.mapping import Composed, HostItem, HostLoop, Launched, MappedProgram, Packed, Stitched, kernels_of
from pencilc.ir.scop import Access, AccessKind, ArrayKind, Scop
from pencilc.ir.shapes import Kernel
from pencilc.records import dataclass


def statements_in(item: HostItem, scop: Scop) -> tuple[str, ...]:
    """The statements of the region that a launch does, or all launches of a loop; those of joined sweeps by the names
    of the ones whose work they do.
    """
    names = scop.stands_for
    return tuple(dict.fromkeys(names.get(name, name) for name in _statements(item, scop)))


def _statements(item: HostItem, scop: Scop) -> Iterable[str]:
    match item:
        case HostLoop():
            for inner in item.items:
                yield from _statements(inner, scop)
        case Packed():
            for kernel in item.kernels:
                yield from _statements(kernel, scop)
        case Stitched():
            for stage in item.stages:
                yield from stage.statements
        case Composed():
            for each in item.stages:
                yield from each.statements
        case Kernel():
            # All of the region, where it runs in one thread.
            yield from item.statements if item.body is not None else (s.name for s in scop.statements)


@dataclass(frozen=True, slots=True)
class Touches:
    """Bytes of a variable that a launch reads and writes at nominal sizes; None where isl takes too long to tell."""

    variable: str
    read: int | None
    written: int | None


class NominalTraffic:
    """The bytes of one region; what takes isl too long is None."""

    def __init__(self, program: MappedProgram) -> None:
        self.program, self.scop = program, program.scop
        self._context = likely(self.scop.context, self.scop.sizes)
        self.in_memory = {s.array for s in program.storage if s.is_in_memory}
        self._model: CostModel | None = None
        self._domains: Mapping[str, isl.Set] = {}
        self._updating = {name for reduction in program.in_place() for name in reduction.updates}
        try:
            with quotas.operation_quota(quotas.QUOTA):
                domains = live_domains(self.scop)
                self._domains = {name: at_nominal_sizes(points, self._context) for name, points in domains.items()}
                self._model = CostModel(self.scop, domains, program.target, program.storage)
        except quotas.OperationQuotaExceeded:
            pass

    def cost(self, item: Launched) -> Cost | None:
        """What the model of fusion says of a launch."""
        if self._model is None:
            return None
        try:
            with quotas.operation_quota(quotas.QUOTA // 10):
                return self._model.items((item,))
        except quotas.OperationQuotaExceeded:
            return None

    def blocks(self, kernel: Kernel) -> int | None:
        """The blocks for which a kernel that is launched by itself has work."""
        if self._model is None:
            return None
        try:
            with quotas.operation_quota(quotas.QUOTA // 10):
                return self._model.blocks(kernel)
        except quotas.OperationQuotaExceeded:
            return None

    def touched(self, statements: Iterable[str]) -> tuple[Touches, ...]:
        """What statements touch of the variables in memory, in the order of the region."""
        inside = tuple(statements)
        found: list[Touches] = []
        for symbol in dict.fromkeys(array.symbol.name for array in self.scop.arrays):
            if symbol not in self.in_memory:
                continue
            reads = self._relations(inside, symbol, writes=False)
            writes = self._relations(inside, symbol, writes=True)
            if reads or writes:
                found.append(Touches(symbol, self._bytes(reads), self._bytes(writes)))
        return tuple(found)

    def least(self, item: Launched) -> int | None:
        """Bytes that a launch must move whatever it keeps on the chip: what it reads and has not made itself, and what
        it writes for others.
        """
        if self._model is None:
            return None
        inside = statements_in(item, self.scop)
        try:
            with quotas.operation_quota(quotas.QUOTA // 10):
                fed = self._fed(item, inside)
                total = 0
                for symbol in dict.fromkeys(array.symbol.name for array in self.scop.arrays):
                    if symbol in self.in_memory:
                        total += self._volume(self._elements(self._relations(inside, symbol, writes=False), fed))
                        writes = self._relations(inside, symbol, writes=True)
                        is_for_others = bool(writes) and is_seen(self.scop, symbol, set(inside))
                        total += self._volume(self._elements(writes)) if is_for_others else 0
                return total
        except quotas.OperationQuotaExceeded:
            return None

    def _fed(self, item: Launched, inside: tuple[str, ...]) -> dict[tuple[str, str], isl.Set]:
        """The instances of each statement that read of a variable what the same launch has written."""
        here = set(inside)
        kernels = kernels_of((item,))
        rows = self.program.host_rows(kernels[0]) if kernels else ()
        found: dict[tuple[str, str], isl.Set] = {}
        for source, target, relation in islx.named_maps(self.program.scheduled.dependences.flow):
            if source not in here or target not in here or not {source, target} <= self._domains.keys():
                continue
            for row in rows:
                # What an earlier iteration of a loop on the host has written comes from memory.
                functions = islx.pw_affs_of(row.function)
                if source in functions and target in functions:
                    first, second = (isl.Map.from_pw_aff(functions[name]) for name in (source, target))
                    relation = relation.intersect(first.apply_range(second.reverse()))
            instances = at_nominal_sizes(relation.range().intersect_params(self._context), self._context)
            for access in self.scop.statement(source).accesses:
                if access.kind.writes:
                    key = target, self.scop.array(access.array).symbol.name
                    found[key] = found[key].union(instances) if key in found else instances
        return found

    def handed_on(self, writers: Iterable[str], readers: Iterable[str], symbol: str) -> int | None:
        """Bytes of a variable that some statements write and others read."""
        written = self._relations(tuple(writers), symbol, writes=True)
        read = self._relations(tuple(readers), symbol, writes=False)
        return self._bytes(written, read)

    def outside(self) -> tuple[Touches, ...]:
        """What must be read of the caller's arrays at the least, and written."""
        copied_in = {t.array: t.copy_in for t in self.program.transfers}
        outer = {a.symbol.name for a in self.scop.arrays if a.kind in (ArrayKind.PARAM, ArrayKind.RESULT)}
        every = tuple(self._domains)
        found: list[Touches] = []
        for each in self.touched(every):
            if each.variable in outer:
                is_read = copied_in.get(each.variable, each.read != 0)
                found.append(Touches(each.variable, each.read if is_read else 0, each.written))
        return tuple(found)

    def _relations(self, statements: tuple[str, ...], symbol: str, writes: bool) -> list[tuple[str, Access]]:
        """The accesses of a variable in one direction, with their statements."""
        users = self.scop.accesses_to(symbol)
        found: list[tuple[str, Access]] = []
        for name in statements:
            for access in users.get(name, ()) if name in self._domains else ():
                if access.kind.writes if writes else self._reads(name, access):
                    found.append((name, access))
        return found

    def _reads(self, statement: str, access: Access) -> bool:
        """Whether memory is read; what threads accumulate begins with the initialisation instead."""
        if access.kind is AccessKind.UPDATE:
            return statement in self._updating
        return access.kind is AccessKind.READ

    def _bytes(self, accesses: list[tuple[str, Access]], others: list[tuple[str, Access]] | None = None) -> int | None:
        """Bytes of the boxes around the elements of `accesses`, or around those that `others` touch too."""
        if self._model is None:
            return None
        try:
            with quotas.operation_quota(quotas.QUOTA // 20):
                elements = self._elements(accesses)
                if others is not None:
                    also = self._elements(others)
                    elements = {k: points.intersect(also[k]) for k, points in elements.items() if k in also}
                return self._volume(elements)
        except quotas.OperationQuotaExceeded:
            return None

    def _volume(self, elements: Mapping[str, isl.Set]) -> int:
        return sum(self.scop.array(name).element.size * volume(points) for name, points in elements.items())

    def _elements(
        self, accesses: list[tuple[str, Access]], fed: Mapping[tuple[str, str], isl.Set] | None = None
    ) -> dict[str, isl.Set]:
        """The elements of each array at nominal sizes, without those that instances in `fed` access."""
        found: dict[str, isl.Set] = {}
        for name, access in accesses:
            instances = self._domains[name]
            key = name, self.scop.array(access.array).symbol.name
            if fed is not None and key in fed:
                instances = instances.subtract(fed[key])
            points = access.relation.intersect_domain(instances).range()
            found[access.array] = found[access.array].union(points) if access.array in found else points
        return found


def added(numbers: Iterable[int | None]) -> int | None:
    """The sum, None where one of them is not known."""
    total = 0
    for number in numbers:
        if number is None:
            return None
        total += number
    return total
