"""How much of a scheduled region waits: loops on the host around launches, and loops that one thread runs."""

from __future__ import annotations

from collections.abc import Iterable

from pencilc.analysis.box import live_domains
from pencilc.analysis.nominal import at_nominal_sizes, likely, volume
from pencilc.gpu.partition import partition
from pencilc.gpu.records import MappingSettings, ScheduledRegion
from pencilc.ir.queries import counters_in
from pencilc.ir.schedule import ScheduledScop, statements_with_rows
from pencilc.ir.scop import Scop, Statement
from pencilc.parts.part import Items, Part, SequentialLoop, Unmappable, part_statements, parts_of
from pencilc.records import dataclass
from pencilc.target import WARP


@dataclass(frozen=True, slots=True)
class Waiting:
    """Loops on the host, and statements in one thread with as many instances as a warp has threads.

    `loops`: counters of the loops in one thread, those within its statements too.
    """

    on_host: int
    in_one_thread: int
    loops: frozenset[str] = frozenset()

    @property
    def is_none(self) -> bool:
        """Whether nothing waits."""
        return not self.on_host and not self.in_one_thread

    def is_less_than(self, other: Waiting, gone: int = 0) -> bool:
        """Whether there is less of one kind, and no more of the other, or one thread has fewer loops.

        `gone`: statements that there were and now are parts of others, which wait no less for that.
        """
        if self.loops < other.loops:
            return True
        if self.on_host > other.on_host or self.in_one_thread > other.in_one_thread:
            return False
        return self.on_host < other.on_host or self.in_one_thread + gone < other.in_one_thread


def waiting(scheduled: ScheduledScop, settings: MappingSettings) -> Waiting:
    """What waits in the region as it is cut into parts."""
    rows = (row for _, rows in statements_with_rows(scheduled.tree) for row in rows)
    if not scheduled.sequential and all(row.flag != "s" for row in rows):
        return Waiting(0, 0)
    region = ScheduledRegion(scheduled, settings, live_domains(scheduled.scop))
    whole = Waiting(0, _long(region, region.domains), _loops_of(region.scop.statements, 0))
    if scheduled.sequential:
        return whole
    try:
        items = partition(region).items
    except Unmappable:
        return whole
    in_one_thread = sum(_long(region, _in_one_thread(part)) for part in parts_of(items))
    return Waiting(_loops(items), in_one_thread, _looped(region.scop, items))


def _looped(scop: Scop, items: Items, on_host: int = 0) -> frozenset[str]:
    """Counters of the loops of parts in one thread, below so many loops on the host."""
    found = frozenset[str]()
    for item in items:
        if isinstance(item, SequentialLoop):
            found |= _looped(scop, item.items, on_host + 1)
        else:
            found |= _loops_of((scop.statement(name) for name in _in_one_thread(item)), on_host)
    return found


def _in_one_thread(part: Part) -> tuple[str, ...]:
    """The statements of a part that one thread runs: all of them, or those behind what all threads reduce."""
    if part.kept:
        return ()
    return tuple(part.post) if part.reduced else tuple(part_statements(part))


def _loops_of(statements: Iterable[Statement], on_host: int) -> frozenset[str]:
    """Counters of the loops around and in `statements`, but for so many from outside."""
    found: set[str] = set()
    for statement in statements:
        found |= {loop.iterator.name for loop in statement.loops[on_host:]}
        found |= set() if statement.body is None else counters_in(statement.body)
    return frozenset(found)


def _loops(items: Items) -> int:
    return sum(1 + _loops(item.items) for item in items if isinstance(item, SequentialLoop))


def _long(region: ScheduledRegion, statements: Iterable[str]) -> int:
    """How many of the statements have so many instances at nominal sizes that a warp has one for each thread."""
    context = likely(region.scop.context, region.scop.sizes)
    domains = (region.domains[name] for name in statements if name in region.domains)
    return sum(volume(at_nominal_sizes(domain, context)) >= WARP for domain in domains)
