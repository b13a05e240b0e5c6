"""How kernels are launched that share a launch: the blocks of each part, and what a part is told about them."""

from __future__ import annotations

from pencilc.codegen.launch_bins import bins, bins_of, of_rows, of_runs, padded, shares, small_copies
from pencilc.codegen.launch_nodes import (
    above,
    assigned,
    at_least,
    at_most,
    below,
    blocks_for,
    both,
    dim3,
    held_per_sm,
    per_sm,
    quotient,
    remarks,
    scaled,
    size_of,
    total,
    values,
    where,
    wide,
)
from pencilc.codegen.launch_points import block_rows
from pencilc.codegen.launch_reductions import (
    across,
    are_split,
    blocks_of_columns,
    blocks_of_short,
    blocks_of_split,
    rows_of_split,
)
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import (
    SIZE,
    UNSIGNED,
    WARP_SIZE,
    ZERO,
    binary,
    call,
    cast,
    choice,
    disjunction,
    negation,
    number,
    variable,
)
from pencilc.ir.launches import (
    LaunchAll,
    LaunchBins,
    LaunchColumn,
    LaunchPacked,
    LaunchParallel,
    LaunchRow,
    LaunchSingle,
    PackedPart,
    PrivateBins,
)
from pencilc.ir.launching import AskHeld, Configure, LeftOfPart, ReserveForParts, StartKernel
from pencilc.ir.nodes import Braces, If, Node, WhileLoop
from pencilc.ir.source import BOOL, INT, LLONG, CType, Expr, Name
from pencilc.records import dataclass
from pencilc.target import MAX_GRID, MAX_WIDE, WARP

_SHARED_BYTES = variable("@shared_bytes", LLONG)
_PARTIAL_BYTES, _TICKET_COUNT = variable("@partial_bytes", SIZE), variable("@ticket_count", SIZE)


def packed(launch: LaunchPacked) -> tuple[Node, ...]:
    """Neighbouring blocks of one grid for each part, none for one that has nothing to do; then bins that do not fit."""
    found: list[Node] = [*remarks("Blocks for each part; one that has nothing to do gets none.")]
    found += [values(LLONG, (_SHARED_BYTES, ZERO), varies=True)] if launch.has_bins else []
    parts = [_Part(part) for part in launch.parts]
    if any(isinstance(part.work, LaunchRow | LaunchColumn) for part in launch.parts):
        found.append(AskHeld(launch.whole))
    for part in parts:
        found += part.nodes()
    found += _reserved([part for part in parts if part.part.work.accumulator is not None])
    shared = _SHARED_BYTES if launch.has_bins else None
    start = (Configure(dim3(parts[-1].end), dim3(launch.block), shared), StartKernel(launch.whole))
    found.append(If(above(parts[-1].end, 0), start) if launch.may_be_empty else Braces(start))
    for part in parts:
        if part.part.overflow is not None:
            others = both(negation(fits_in_pack(part.part)), part.part.condition)
            found.append(If(others, bins(part.part.overflow)))
    return (Braces(tuple(found)),)


def _reserved(parts: list[_Part]) -> tuple[Node, ...]:
    """Memory for what the blocks of all parts leave for each other."""
    if not parts:
        return ()
    found: list[Node] = [values(SIZE, (_PARTIAL_BYTES, ZERO), (_TICKET_COUNT, ZERO), varies=True)]
    for part in parts:
        found += part.left()
    return (
        *found,
        ReserveForParts(tuple(LeftOfPart(part.part.number, part.accumulator) for part in parts)),
    )


def fits_in_pack(part: PackedPart) -> Name:
    """Whether a part whose bins may need too much memory is one of the launch, and not launched by itself."""
    return variable(f"@fits{part.number}", BOOL)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the launch, whose variables have its number behind their names."""

    part: PackedPart

    def name(self, name: str, ctype: CType = LLONG) -> Name:
        """A variable of the part."""
        return variable(f"@{name}{self.part.number}", ctype)

    @property
    def end(self) -> Name:
        """Where the blocks of the part end."""
        return self.name("end", UNSIGNED)

    @property
    def begin(self) -> Expr:
        """Where they begin."""
        before = self.part.number - 1
        return variable(f"@end{before}", UNSIGNED) if before >= 0 else ZERO

    @property
    def accumulator(self) -> CType:
        """What blocks leave for each other."""
        assert self.part.work.accumulator is not None
        return self.part.work.accumulator

    def nodes(self) -> tuple[Node, ...]:
        """How many blocks the part has, and what they are told."""
        match self.part.work:
            case LaunchSingle():
                return (self._blocks(number(1)),)
            case LaunchParallel() as work:
                return self._parallel(work)
            case LaunchAll() as work:
                return self._all(work)
            case LaunchRow() as work:
                return self._row(work)
            case LaunchColumn() as work:
                return self._column(work)
            case LaunchBins(form=PrivateBins() as form) as work:
                return self._bins(work, form)
        raise CompilerBug(f"{self.part.work.name} is no part of a launch")

    def left(self) -> tuple[Node, ...]:
        """What the blocks of the part leave for each other, behind that of the parts before it."""
        results, tickets = self._left()
        bytes_ = binary("+", binary("*", size_of(self.accumulator), results), number(15))
        places = (self.name("partials_at", SIZE), _PARTIAL_BYTES), (self.name("tickets_at", SIZE), _TICKET_COUNT)
        return (
            values(SIZE, *places),
            assigned(_PARTIAL_BYTES, scaled(binary("/", bytes_, number(16)), 16), "+"),
            assigned(_TICKET_COUNT, tickets, "+"),
        )

    def _left(self) -> tuple[Expr, Expr]:
        match self.part.work:
            case LaunchAll():
                blocks = binary("-", self.end, self.begin) if self.part.number else self.end
                return where(above(blocks, 1), blocks), above(blocks, 1)
            case LaunchRow():
                rows, broad = self.name("rows"), self.name("wide", UNSIGNED)
                is_split = both(below(self.name("lanes", INT), 0), above(broad, 1))
                return where(is_split, binary("*", broad, rows)), where(is_split, rows)
            case LaunchColumn():
                shared = self.name("shared")
                results = scaled(self.name("high", UNSIGNED), self.name("columns"), shared)
                return results, where(above(shared, 0), self.name("wide", UNSIGNED))
        raise CompilerBug(f"{self.part.work.name} leaves nothing")

    def _blocks(self, work: Expr, condition: Expr | None = None) -> Node:
        """The end of the blocks, none of which the part gets where it has nothing to do."""
        if condition is not None:
            work = where(condition, work)
        if self.part.condition is not None:
            work = where(self.part.condition, work)
        return values(UNSIGNED, (self.end, binary("+", self.begin, work) if self.part.number else work))

    # ---- shapes ------------------------------------------------------------------------------------

    def _parallel(self, work: LaunchParallel) -> tuple[Node, ...]:
        sizes, first = work.launch, work.extents[0]
        if work.second is None:
            return (self._blocks(blocks_for(first, work.block, per_sm(sizes.blocks_per_sm))),)
        broad, breadth, high, deep = (self.name(each, UNSIGNED) for each in ("across", "wide", "high", "deep"))
        rows = self.name("block_rows")
        asked = call("pencilc_across", first, work.second, number(sizes.across), number(work.block), returns=UNSIGNED)
        at_once = binary("/", number(work.block), broad)
        down = blocks_for(work.second, rows, MAX_GRID)
        found: list[Node] = [
            values(UNSIGNED, (broad, asked)),
            values(UNSIGNED, (breadth, blocks_for(first, broad, per_sm(sizes.wide_blocks_per_sm)))),
            values(LLONG, (rows, block_rows(work, breadth, at_once))),
        ]
        if work.third is None:
            return (*found, self._blocks(binary("*", breadth, down)))
        room = binary("/", binary("<<", wide(1), number(24)), binary("*", cast(LLONG, breadth), high))
        layers = blocks_for(work.third, 1, binary("+", number(1), room))
        return (
            *found,
            values(UNSIGNED, (high, down)),
            values(UNSIGNED, (deep, layers)),
            self._blocks(scaled(breadth, high, deep)),
        )

    def _all(self, work: LaunchAll) -> tuple[Node, ...]:
        most = per_sm(work.launch.blocks_per_sm)
        if work.runs is None:
            return (self._blocks(blocks_for(work.length, work.block * work.width, most)),)
        length, runs, chunks = (self.name(each) for each in ("length", "runs", "chunks"))
        return (
            values(LLONG, (length, work.length), (runs, work.runs)),
            values(LLONG, (chunks, scaled(runs, quotient(length, work.width)))),
            self._blocks(blocks_for(chunks, work.block, most)),
        )

    def _row(self, work: LaunchRow) -> tuple[Node, ...]:
        """Lanes, a warp or a block for each row, or several blocks for each of few long ones."""
        sizes = work.launch
        rows, length, chunks = (self.name(each) for each in ("rows", "length", "chunks"))
        split, broad = self.name("split", BOOL), self.name("wide", UNSIGNED)
        lanes, blocks = self.name("lanes", INT), self.name("blocks", UNSIGNED)
        scarce = both(above(length, sizes.scarce_length), below(rows, per_sm(sizes.scarce_rows_per_sm)))
        is_long = disjunction((split, at_least(length, sizes.block_length), scarce))
        assert is_long is not None
        of_warps = per_sm(sizes.warp_blocks_per_sm)
        if work.short is not None:
            doubled = WhileLoop(below(lanes, chunks), (assigned(lanes, number(2), "*"),), do_first=False)
            shorter = If(at_most(chunks, WARP_SIZE), (assigned(lanes, number(1)), doubled))
            of_warp_each = blocks_for(rows, work.block // WARP, of_warps)
            narrow = choice(lanes, blocks_of_short(work, rows, lanes, of_warps), of_warp_each)
        else:
            some = choice(at_most(chunks, sizes.few_chunks), number(sizes.few_lanes), number(sizes.some_lanes))
            shorter = If(at_most(chunks, sizes.some_chunks), (assigned(lanes, some),))
            narrow = blocks_for(rows, binary("/", number(work.block), lanes), of_warps)
        of_blocks = blocks_for(rows, 1, held_per_sm(sizes.blocks_per_sm, work.block))
        each = choice(split, rows_of_split(work, rows, broad), of_blocks)
        of_warp = ", a chunk each at most; 0: a warp has it" if work.short else ""
        return (
            *self._sizes(work, rows, length, chunks),
            values(BOOL, (split, are_split(work, rows, chunks))),
            values(UNSIGNED, (broad, choice(split, blocks_of_split(work, rows, chunks), number(1)))),
            *remarks(f"Lanes that have a row{of_warp}; -1: a block, or `wide{self.part.number}` of them."),
            values(INT, (lanes, ZERO if work.short else WARP_SIZE), varies=True),
            If(is_long, (assigned(lanes, number(-1)),), (shorter,)),
            values(UNSIGNED, (blocks, choice(below(lanes, 0), binary("*", broad, each), narrow))),
            self._blocks(blocks),
        )

    def _sizes(self, work: LaunchRow, rows: Name, length: Name, chunks: Name) -> tuple[Node, ...]:
        if work.runs is None:
            return (
                values(LLONG, (rows, work.rows), (length, work.length)),
                values(LLONG, (chunks, quotient(length, work.width)), remark="of one row"),
            )
        run, runs = self.name("run"), self.name("runs")
        return (
            values(LLONG, (rows, work.rows), (run, work.length), (runs, work.runs)),
            values(LLONG, (length, binary("*", runs, run))),
            values(LLONG, (chunks, scaled(runs, quotient(run, work.width))), remark="of one row"),
        )

    def _column(self, work: LaunchColumn) -> tuple[Node, ...]:
        columns, rows, outers, places, shared = (
            self.name(each) for each in ("columns", "rows", "outers", "places", "shared")
        )
        broad, breadth, high = (self.name(each, UNSIGNED) for each in ("across", "wide", "high"))
        down = binary("/", number(work.block), broad)
        of_places = quotient(columns, work.width)
        several = both(above(self.end, self.begin), above(high, 1))
        return (
            values(LLONG, (columns, work.columns), (rows, work.rows), (outers, work.outers)),
            values(LLONG, (places, binary("*", of_places, outers) if work.is_layered else of_places)),
            values(UNSIGNED, (broad, across(work, places, rows))),
            *remarks("Tiles of columns; rows are split over blocks until the device is full."),
            values(UNSIGNED, (breadth, blocks_for(places, broad, MAX_WIDE))),
            values(UNSIGNED, (high, blocks_of_columns(work, breadth, rows, down))),
            self._blocks(binary("*", breadth, high)),
            values(LLONG, (shared, where(several, outers)), remark="nothing is left for others without a split"),
        )

    def _bins(self, work: LaunchBins, form: PrivateBins) -> tuple[Node, ...]:
        """Blocks with copies of the bins, for which the shared memory of the launch has room."""
        n, points_of = str(self.part.number), form.points
        assert points_of.inner is not None
        rows, inner, points, bytes_, bins_, small = (
            self.name(each) for each in ("rows", "inner", "points", "bytes", "bins", "small")
        )
        copies, broad, fit = self.name("copies", INT), self.name("wide", UNSIGNED), fits_in_pack(self.part)
        used = binary("*", copies, bytes_)
        found: list[Node] = [
            values(LLONG, (rows, points_of.rows or number(1)), (inner, points_of.inner)),
            values(LLONG, (points, of_runs(inner, points_of.outers)), remark="of one row"),
            *(values(LLONG, (bins_of(each, n), each.count)) for each in form.bins),
            values(
                LLONG, (bytes_, total(padded(bins_of(each, n), each.size) for each in form.bins)),
                remark="of one copy of the bins",
            ),
            values(LLONG, (bins_, total(bins_of(each, n) for each in form.bins))),
        ]  # fmt: skip
        if self.part.overflow is not None:
            found += remarks(
                "More bins than a block of all parts has room for, or than there are points, have a launch of their "
                "own."
            )
            found.append(values(BOOL, (fit, both(at_most(bytes_, self.part.room), at_least(points, bins_)))))
        blocks = blocks_for(points, shares(work, form, bins_), of_rows(per_sm(work.launch.blocks_per_sm), rows))
        is_there = fit if self.part.overflow is not None else None
        return (
            *found,
            *small_copies(work, copies, small, bytes_),
            values(UNSIGNED, (broad, blocks)),
            self._blocks(binary("*", broad, blocks_for(rows, 1, MAX_GRID)), is_there),
            If(both(is_there, above(used, _SHARED_BYTES)), (assigned(_SHARED_BYTES, used),)),
        )
