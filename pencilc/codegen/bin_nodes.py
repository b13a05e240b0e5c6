"""The trees of INDIRECT kernels: how points go through their values, and how these get to the bins.

in copies   a warp adds to a copy of the bins in shared memory by atomics; copies are brought home by atomics
in memory   atomics on the bins themselves, but for those of which a block has many values
in order    each warp has a copy, to which its lanes add in their order; blocks leave what they have for `finished`
as pairs    of bin and value, which are sorted; then a block has a bucket of neighbouring bins
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Seq
from typing import TypeAlias

from pencilc.codegen.bodies import set_to
from pencilc.gpu.shapes.launch import finish_groups
from pencilc.ir.bins import (
    AddInOrder,
    Atomic,
    BinCopies,
    BinResult,
    BinSet,
    BinsOfBucket,
    BinsOfWarps,
    BinUpdate,
    BlocksOfThread,
    BucketCopies,
    ChunkOrPoints,
    ClearCopies,
    CountOfPoints,
    EachBin,
    EachBucket,
    EachItemOfGrid,
    EndRun,
    HotBins,
    HotTotals,
    ItemPlace,
    ItemsInTurn,
    KeepOfChunk,
    KeepPair,
    KeptValue,
    LeavePart,
    LoadPart,
    OfElement,
    OneRun,
    PairsOfWarp,
    PointElement,
    PointPlace,
    PointsOfRuns,
    PointsThere,
    PutAtOnce,
    PutChunk,
    PutHot,
    Scatter,
    TotalOfBlocks,
    TotalOfCopies,
    TotalOfGroups,
    ValueRun,
    hot_slots,
)
from pencilc.ir.build import (
    BLOCK,
    BLOCKS,
    THREAD,
    ZERO,
    address,
    binary,
    call,
    cast,
    element,
    generated_type,
    minus,
    negation,
    number,
    plus,
    times,
    variable,
)
from pencilc.ir.build import conjunction as all_of
from pencilc.ir.combining import EachRow
from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import Braces, If, Node, SharedDecl, Sync
from pencilc.ir.on_chip import Local, Unrolled
from pencilc.ir.segments import LoadVector
from pencilc.ir.source import BOOL, INT, LLONG, UINT, CType, Expr, PointerType
from pencilc.records import dataclass

_AGAIN = Sync("block", "the copies are used again")
_UINT4 = generated_type("uint4")
_END, _ITEMS = "@end", "@items"
# What is done with a whole chunk, whose number in flight is given, and with a point alone.
_Chunk: TypeAlias = Callable[[Expr], tuple[Node, ...]]
_Point: TypeAlias = Callable[[OfElement], tuple[Node, ...]]


@dataclass(frozen=True, slots=True)
class PointsToBins:
    """The points of a function: what an element is, and what finds its iterators and its loads.

    `address` finds the iterators of the loads from the number of the run, `@outer`, and the place in it, `@x`; the
    element is given these if it `uses_outer` and `uses_point`.  `kept` finds those of the kept rows from `@row`.
    """

    scatter: Scatter
    at: Geometry
    index: CType
    kept: tuple[Node, ...]
    prologue: tuple[Node, ...]
    element: PointElement
    uses_outer: bool
    uses_point: bool
    loads: tuple[LoadVector, ...]
    address: tuple[Node, ...]
    in_flight: int

    # ---- forms -------------------------------------------------------------------------------------

    def in_copies(self) -> tuple[Node, ...]:
        """By atomics into copies in shared memory, which are brought home by atomics too."""
        scatter = self.scatter
        body: list[Node] = [ClearCopies(scatter.bins), Sync("block"), *self.prologue]
        if scatter.sites:
            body += [
                part
                for site in scatter.sites
                for part in (ValueRun(site.name, site.bins, ()), KeptValue(site, "chunk"))
            ]
            body += self._dealt_out(self._put_chunk, self._put_point)
            ends = [(site.name, site.bins) for site in scatter.sites]
        else:
            ends = [(bins.name, bins) for bins in scatter.bins]
            body += [ValueRun(name, bins, (_put_run(name, bins),)) for name, bins in ends]
            body += [self.element, *self._in_turn()]
        body += [*(EndRun(name, (_put_run(name, bins),)) for name, bins in ends), Sync("block")]
        for result in scatter.results:
            put = Atomic(result.bins, address(result.at), _total(result.bins))
            body.append(EachBin(result.bins, (TotalOfCopies(result.bins), _if_any(result.bins, put))))
        return (_shared(), BinCopies(scatter.bins, "block"), *self._rows(body, _AGAIN))

    def in_memory(self) -> tuple[Node, ...]:
        """By atomics into the bins where they are, but for those that a block meets often, which have a table.

        One address takes one value at a time, whichever block it comes from.  Of many reductions none has a table.
        """
        tables: list[Node] = []
        put: list[Node] = []
        home: list[Node] = []
        results = self.scatter.results
        for bins, at in ((each.bins, each.at) for each in results):
            value, to = variable("@value", bins.type), address(at)
            slots = hot_slots(bins.size, len(results))
            away = Atomic(bins, to, value)
            if slots == 0:
                put.append(PutAtOnce(bins, (away,)))
                continue
            tables.append(HotBins(bins, slots))
            put.append(PutAtOnce(bins, (PutHot(bins, to, value, (away,)),)))
            found = variable("@bin", PointerType(bins.type))
            home.append(HotTotals(bins, slots, (_if_any(bins, Atomic(bins, found, _total(bins))),)))
        points = self._dealt_out(self._use_chunk, self._use_point)
        if not tables:
            return (*self.prologue, *put, *points)
        return (*tables, Sync("block"), *self.prologue, *put, *points, Sync("block"), *home)

    def in_order(self) -> tuple[Node, ...]:
        """Into a copy for each warp; a block stores what it has, or leaves it where others have the row too."""
        scatter = self.scatter
        body: list[Node] = [ClearCopies(scatter.bins), Sync("block"), *self.prologue]
        body += [KeptValue(site, "warp") for site in scatter.sites]
        added = tuple(AddInOrder(site.bins, _mine(site.bins), *_kept_value(site)) for site in scatter.sites)
        body += [self.element, *self._in_turn(_no_bins(scatter.sites), added), Sync("block")]
        for result in scatter.results:
            left = set_to(_left(result.bins, BLOCK["x"], BLOCKS["x"], self._has_rows), _total(result.bins))
            stored = _if_any(result.bins, *_home(result))
            bring = If(binary(">", BLOCKS["x"], number(1)), (left,), (stored,))
            body.append(EachBin(result.bins, (TotalOfCopies(result.bins), bring)))
        return (_shared(), BinCopies(scatter.bins, "warp"), *self._rows(body, _AGAIN))

    def finished(self) -> tuple[Node, ...]:
        """What blocks have left for each bin of the only reduction, in the order of the blocks."""
        (result,) = self.scatter.results
        bins, groups = result.bins, finish_groups(result.bins.size)
        has_bin = binary("<", variable("@bin"), _count_of(bins))
        left = _left(bins, variable("@split"), variable("@splits"), self._has_rows)
        body: list[Node] = [TotalOfBlocks(bins, left)]
        if groups > 1:
            first = binary("==", THREAD["y"], ZERO)
            body += [LeavePart(bins), Sync("block"), TotalOfGroups(bins, groups)]
            body += [_if_any(bins, *_home(result), where=(first, has_bin)), Sync("block", "parts are used again")]
        else:
            body.append(_if_any(bins, *_home(result), where=(has_bin,)))
        return (BlocksOfThread(bins, groups), *self._rows([BinsOfWarps(bins, tuple(body))]))

    def as_pairs(self) -> tuple[Node, ...]:
        """As pairs of bin and value: points `@first` to `@end`, each with a pair for each of its updates."""
        sites = self.scatter.sites
        pairs = tuple(KeepPair(site, self._pair_place(k)) for k, site in enumerate(sites))
        kept = If(binary("<", variable("@item", self.index), variable(_END, self.index)), pairs)
        return (
            *self.prologue, *(KeptValue(site, "sort") for site in sites), self.element,
            *self._in_turn(_no_bins(sites), (kept,), "@first", _END),
        )  # fmt: skip

    def by_buckets(self) -> tuple[Node, ...]:
        """Sorted pairs of the only reduction, a block for each bucket of neighbouring bins."""
        (result,) = self.scatter.results
        bins = result.bins
        copy = element(variable("@copies", PointerType(PointerType(bins.type))), variable("@warp", UINT),
                       PointerType(bins.type))  # fmt: skip
        add = AddInOrder(bins, copy, variable("@bin"), variable("@value", bins.type))
        body = (PairsOfWarp(bins, (add,)), Sync("block"), BinsOfBucket(bins, _home(result)), _AGAIN)
        return (BucketCopies(bins), EachBucket(bins, body))

    # ---- rows --------------------------------------------------------------------------------------

    @property
    def _has_rows(self) -> bool:
        return self.scatter.rows is not None

    def _rows(self, body: Seq[Node], *behind: Node) -> tuple[Node, ...]:
        """The kept rows, a block for each of them."""
        if self.scatter.rows is None:
            return tuple(body)
        return (EachRow("block", self.scatter.rows, self.at, (*self.kept, *body, *behind)),)

    # ---- points ------------------------------------------------------------------------------------

    @property
    def _in_chunks(self) -> bool:
        return self.scatter.width > 1

    def _dealt_out(self, whole: _Chunk, point: _Point) -> tuple[Node, ...]:
        """Points of which a thread has no other to wait for: what is done with a whole chunk, and with a point."""
        scatter = self.scatter
        if not self.loads and not scatter.sites:
            return (self.element, *self._in_turn())
        if scatter.outers is not None or not self.loads:
            return (self.element, *self._in_turn(whole=whole, point=point))
        assert scatter.inner is not None
        tail = [variable("@tail", self.index)] if self.uses_point else []
        tail += [variable(load.tail, load.type) for load in self.loads]
        run = OneRun(
            self.at, scatter.inner, self.loads, self.address, scatter.width, self.in_flight, self.uses_point,
            whole(variable("@l")), point(OfElement(tuple(tail))),
        )  # fmt: skip
        return (self.element, run)

    def _in_turn(
        self, before: tuple[Node, ...] = (), after: tuple[Node, ...] = (), first: str = "", end: str = _ITEMS,
        whole: _Chunk | None = None, point: _Point | None = None,
    ) -> tuple[Node, ...]:  # fmt: skip
        """Points one after the other; `before` and `after` stand around each for all threads."""
        scatter = self.scatter
        begin = variable(first, self.index) if first else None
        if scatter.runs is not None:
            return (self._of_runs(before, after, begin, end),)
        has_places = self.uses_outer or self.uses_point
        named = self._in_chunks or end == _ITEMS or (scatter.outers is not None and (self.loads != () or has_places))
        count = CountOfPoints(
            self.at, scatter.inner if named else None, scatter.outers, scatter.width,
            self._in_chunks and (end == _ITEMS or scatter.outers is not None), end == _ITEMS,
        )  # fmt: skip
        if not self.loads and not scatter.sites:
            body = (*self._place(self.uses_outer, self.uses_point), OfElement(self._arguments(ZERO)))
            return (count, EachItemOfGrid(self.at, body))
        flights = self.in_flight > 1
        at: Expr = variable("@l") if flights else ZERO
        load, use = self._load(at, end), self._use(at, before, after, first != "", whole, point)
        registers = [
            Local(each.registers, each.type, (number(self.in_flight), number(scatter.width))) for each in self.loads
        ]
        registers.append(Local("@left", INT, (number(self.in_flight),)))
        if flights:
            parts: tuple[Node, ...] = (
                Unrolled("flight", self.in_flight, load), Unrolled("flight", self.in_flight, use)
            )  # fmt: skip
        else:
            parts = (Braces(load), *use)
        return (
            count,
            ItemsInTurn(self.at, begin, variable(end, self.index), self.in_flight, (*registers, *parts)),
        )

    def _of_runs(self, before: tuple[Node, ...], after: tuple[Node, ...], first: Expr | None, end: str) -> PointsOfRuns:
        """The same where rows have lengths that are data."""
        runs = self.scatter.runs
        assert runs is not None
        run, starts = variable("@run", self.index), variable("@starts", PointerType(LLONG))
        begin: Expr = element(starts, run, LLONG)
        if runs.inner is not None:
            begin = times(begin, variable("@inner", self.index))
        place = OfElement((run, minus(variable("@item", self.index), begin)))
        return PointsOfRuns(
            self.at, runs.count, runs.inner, first, variable(end, self.index), end == _ITEMS, before, (place,), after
        )  # fmt: skip

    def _place(self, outer: bool, point: bool) -> tuple[Node, ...]:
        """Where a point is, as far as it has to be known; the place in a run is found from the number of the run."""
        in_runs = self.scatter.outers is not None
        if not point and not (outer and in_runs):
            return ()
        return (PointPlace(self.scatter.width, in_runs, point),)

    def _left(self, at: Expr) -> Expr:
        """How many points the item has."""
        return element(variable("@left", PointerType(INT)), at, INT)

    def _load(self, at: Expr, end: str) -> tuple[Node, ...]:
        """The loads of one item."""
        parts: list[Node] = [ItemPlace(self.in_flight > 1), *self._place(self.loads != (), self.loads != ())]
        parts += self.address
        parts.append(PointsThere(self._left(at), variable(end, self.index), self.scatter.width))
        for each in self.loads:
            chunk = element(_registers(each), at, PointerType(each.type))
            parts.append(LoadPart(chunk, each.first, self._left(at)))
        return tuple(parts)

    def _use(
        self, at: Expr, before: tuple[Node, ...], after: tuple[Node, ...], has_item: bool, whole: _Chunk | None,
        point: _Point | None,
    ) -> tuple[Node, ...]:  # fmt: skip
        """What is done with one item."""
        parts: list[Node] = []
        if self.uses_outer or self.uses_point or has_item:
            parts.append(ItemPlace(self.in_flight > 1))
        parts += self._place(self.uses_outer, self.uses_point)
        of_point = OfElement(self._arguments(at))
        if whole is not None and point is not None:
            width = self.scatter.width
            return (*parts, ChunkOrPoints(width, self._left(at), whole(at), point(of_point) if width > 1 else ()))
        if self._in_chunks:
            has = binary("<", variable("@k"), self._left(at))
            return (*parts, Unrolled("chunk", self.scatter.width, (*before, If(has, (of_point,)), *after)))
        return (*parts, *before, If(self._left(at), (of_point,)), *after)

    def _arguments(self, at: Expr) -> tuple[Expr, ...]:
        """What the element of a point is told: point `@k` of the chunk number `at` in flight."""
        k: Expr = variable("@k") if self._in_chunks else ZERO
        found: list[Expr] = [variable("@outer", self.index)] if self.uses_outer else []
        if self.uses_point:
            found.append(plus(variable("@x", self.index), k))
        for load in self.loads:
            chunk = element(_registers(load), at, PointerType(load.type))
            found.append(element(chunk, k, load.type))
        return tuple(found)

    # ---- chunks ------------------------------------------------------------------------------------

    def _put_chunk(self, at: Expr) -> tuple[Node, ...]:
        """A whole chunk into copies of the bins."""
        sites, width = self.scatter.sites, self.scatter.width
        parts: list[Node] = []
        for site in sites:
            extents = (number(width),)
            parts += [Local(f"@{site.name}_all", BOOL, extents), Local(f"@{site.name}_bins_of", INT, extents),
                      Local(f"@{site.name}_values", site.bins.type, extents)]  # fmt: skip
        each = (*_without_values(sites), OfElement(self._arguments(at)), *(KeepOfChunk(site) for site in sites))
        return (*parts, Unrolled("chunk", width, each), *(PutChunk(site) for site in sites))

    def _put_point(self, of_point: OfElement) -> tuple[Node, ...]:
        """A point alone into copies of the bins."""
        put = [
            If(variable(f"@{site.name}_has", BOOL), (_to_copy(site.bins, *_kept_value(site)),))
            for site in self.scatter.sites
        ]
        return (*_without_values(self.scatter.sites), of_point, *put)

    def _use_chunk(self, at: Expr) -> tuple[Node, ...]:
        """A whole chunk where each point goes to its bins at once."""
        return (Unrolled("chunk", self.scatter.width, (OfElement(self._arguments(at)),)),)

    def _use_point(self, of_point: OfElement) -> tuple[Node, ...]:
        return (of_point,)

    def _pair_place(self, number_of_site: int) -> Expr:
        """The place of a pair among those of a pass."""
        place: Expr = minus(variable("@item", self.index), variable("@first", self.index))
        if self._in_chunks:
            place = plus(times(place, number(self.scatter.width)), variable("@k"))
        if len(self.scatter.sites) > 1:
            place = binary("+", times(place, number(len(self.scatter.sites))), number(number_of_site))
        return place


# ---- what bins are called -----------------------------------------------------------------------------------


def _shared() -> SharedDecl:
    """The shared memory that the launch provides."""
    return SharedDecl("@shared", _UINT4, None)


def _mine(bins: BinSet) -> Expr:
    """The copy of a warp."""
    return variable(f"@{bins.name}_mine", PointerType(bins.type))


def _count_of(bins: BinSet) -> Expr:
    return variable(f"@{bins.name}_bins")


def _total(bins: BinSet) -> Expr:
    return variable("@total", bins.type)


def _to_copy(bins: BinSet, bin_number: Expr, value: Expr) -> Atomic:
    """A value into the copy of a warp."""
    return Atomic(bins, binary("+", _mine(bins), bin_number), value)


def _put_run(name: str, bins: BinSet) -> Atomic:
    """The values that followed each other into one bin."""
    return _to_copy(bins, variable(f"@{name}_last"), variable(f"@{name}_run", bins.type))


def _kept_value(site: BinUpdate) -> tuple[Expr, Expr]:
    """The bin and the value of an update."""
    return variable(f"@{site.name}_bin"), variable(f"@{site.name}_value", site.bins.type)


def _no_bins(sites: Seq[BinUpdate]) -> tuple[Node, ...]:
    """No update has a value yet."""
    return tuple(set_to(_kept_value(site)[0], number(-1)) for site in sites)


def _without_values(sites: Seq[BinUpdate]) -> tuple[Node, ...]:
    """The same where marks tell it."""
    return tuple(set_to(variable(f"@{site.name}_has", BOOL), variable("false", BOOL)) for site in sites)


def _if_any(bins: BinSet, *nodes: Node, where: tuple[Expr, ...] = ()) -> If:
    """`nodes` where anything was added to `@total`."""
    is_start = call(f"{bins.stem}_is_start", _total(bins), returns=BOOL)
    condition = all_of((*where, negation(is_start)))
    assert condition is not None
    return If(condition, nodes)


def _home(result: BinResult) -> tuple[Node, ...]:
    """`@total` is added to its bin."""
    assert result.home is not None
    return (result.home,)


def _left(bins: BinSet, block: Expr, blocks: Expr, has_rows: bool) -> Expr:
    """What a block leaves for `@bin` of the row."""
    place = plus(times(variable("@row", LLONG), blocks), block) if has_rows else cast(LLONG, block)
    partials = variable(f"@{bins.name}_partials", PointerType(bins.type))
    return element(partials, plus(times(place, _count_of(bins)), variable("@bin")), bins.type)


def _registers(load: LoadVector) -> Expr:
    return variable(load.registers, PointerType(PointerType(load.type)))
