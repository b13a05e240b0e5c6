"""Mapped kernels to kernel functions: bodies by isl's AST, shapes by name, the rest is left to the templates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.codegen.accumulators import accumulator
from pencilc.codegen.astgen import AstBlock, AstFor, AstIf, AstLet, AstNode, has_loop, pieces_around_loops
from pencilc.codegen.bodies import statement
from pencilc.codegen.columns import ColumnParts, columns_in_block, columns_of_grid
from pencilc.codegen.forms import (
    ReductionParts,
    block_helpers,
    lanes_helpers,
    rows_of_blocks,
    rows_of_lanes,
    rows_of_warps,
    shared_helpers,
    whole,
)
from pencilc.codegen.frame import KernelFrame
from pencilc.codegen.halo import HaloWriter
from pencilc.codegen.instances import Instances, KernelPart, in_registers, named
from pencilc.codegen.known_lengths import Lengths, RowForms, lengths, row_forms
from pencilc.codegen.long_only import leaves_blocks_only
from pencilc.codegen.merged_loops import merged
from pencilc.codegen.names import safe
from pencilc.codegen.row_bounds import bounds_apart
from pencilc.codegen.rows_together import rows_together
from pencilc.codegen.runs import runs_of
from pencilc.codegen.segments import Segments, strided
from pencilc.codegen.tiling import TiledWriter
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.shapes.halo_sizes import THREADS as HALO_THREADS
from pencilc.gpu.shapes.launch import COLUMN_LANES, threads_of
from pencilc.gpu.shapes.registers import WORD
from pencilc.gpu.shapes.tiles import THREADS
from pencilc.ir.build import (
    ONE,
    THREAD,
    WARP_SIZE,
    ZERO,
    binary,
    cast,
    choice,
    conjunction,
    declare,
    element,
    geometry,
    number,
    plus,
    times,
    variable,
)
from pencilc.ir.combining import Start, Tile
from pencilc.ir.geometry import Geometry, Share
from pencilc.ir.kernel import BLOCK_ROWS, ROWS_END, HelperCall, KernelFunction, RunCounts
from pencilc.ir.mapping import MappedProgram, Stitched
from pencilc.ir.nodes import For, If, Node, Sync, names_of, uses
from pencilc.ir.on_chip import Local
from pencilc.ir.schedule import Band, statements_of
from pencilc.ir.scop import AccessKind
from pencilc.ir.segments import (
    ChunksOfPoint,
    CombineRows,
    LoadRows,
    RowsInFlight,
    RunOfRow,
    Segment,
    Short,
    ShortRows,
    ShortSegment,
    ShortTeam,
)
from pencilc.ir.shapes import (
    AllKernel,
    ColumnKernel,
    Kernel,
    ParallelKernel,
    RowKernel,
    SingleKernel,
    tiled_form,
)
from pencilc.ir.source import (
    INT,
    LLONG,
    UINT,
    Assign,
    Block,
    CType,
    Dereference,
    Expr,
    Name,
    PointerType,
    Return,
    Stmt,
    Symbol,
)
from pencilc.options import ColumnLaunch, ParallelLaunch, RowLaunch
from pencilc.poly.model.live_source import checked_body
from pencilc.records import dataclass
from pencilc.target import WARP

# What the functions of a ROW kernel do with a row, for their comments.
ROWS = {
    "row_short": ", a chunk of a row for each of some lanes",
    "row_lanes": ", some lanes of a warp for each row",
    "row_warps": ", a warp for each row",
    "row_blocks": ", a block or several for each row",
    "row_in_block": ", some lanes for each of its points",
    "tiled": ", a tile of points that share what they read for each block",
}


# Registers of a thread that loads for several rows at a time, at least.
OF_SEVERAL_ROWS = 64
# Blocks of plain rows that fit on a multiprocessor; one more leaves the 40 registers that a warp needs for results of
# one word.
FULL = 5

# The number of a thread in its warp; how many lanes have a row, where a function is made for several such numbers.
LANE = binary("%", THREAD["x"], WARP_SIZE)
LANES = variable("LANES", INT, True)

NOTHING: tuple[Node, ...] = ()


def places(at: Geometry, axis: str) -> tuple[Expr, ...]:
    """The block, where there are several, and the thread in it, in one direction."""
    thread, block = geometry(getattr(at.thread, axis)), geometry(getattr(at.block, axis))
    return (thread,) if at.is_block else (block, thread)


def rank(at: Geometry, axis: str, index: CType | None = None) -> Expr:
    """The number of a thread among all that share the work, in one direction, counted in `index` if there is one."""
    *blocks, thread = places(at, axis)
    return plus(_wide(blocks[0], at, axis, index), thread) if blocks else thread


def size(at: Geometry, axis: str, index: CType | None = None) -> Expr:
    """How many threads share the work in one direction, counted in `index` if there is one."""
    if not at.is_block:
        return _wide(geometry(getattr(at.blocks, axis)), at, axis, index)
    if not at.in_rows:
        return number(at.size)
    return ONE if axis == "z" else geometry(getattr(at.threads, axis))


def _wide(blocks: Expr, at: Geometry, axis: str, index: CType | None) -> Expr:
    """The threads of so many blocks."""
    return times(cast(index, blocks) if index else blocks, geometry(getattr(at.threads, axis)))


@dataclass(frozen=True, slots=True)
class Deal:
    """How loops are dealt out: `is_rare`, threads seldom go through them more than once; `covers`, along x never;
    `stretches`, along y blocks have rows below each other, `rows` for each thread where those are many.
    """

    is_rare: bool
    covers: bool
    stretches: bool
    rows: int


def _across_first(ast: AstNode, across: str, down: str) -> AstNode:
    """`ast` with the loop `across` around the loop `down` wherever that has nothing else in it and does not move it.

    A thread then asks once, and not in each of its rows, whether it has points.
    """
    match ast:
        case AstBlock():
            return replace(ast, items=tuple(_across_first(item, across, down) for item in ast.items))
        case AstIf():
            otherwise = None if ast.otherwise is None else _across_first(ast.otherwise, across, down)
            return replace(ast, then=_across_first(ast.then, across, down), otherwise=otherwise)
        case AstLet():
            return replace(ast, body=_across_first(ast.body, across, down))
        case AstFor(name=name, body=AstFor() as inside) if name == down and inside.name == across:
            moves = uses((inside.lower, inside.upper), down)
            return ast if moves else replace(inside, body=replace(ast, body=inside.body))
        case AstFor():
            return replace(ast, body=_across_first(ast.body, across, down))
    return ast


class KernelWriter:
    """Writes the functions of one kernel: one, or several for ROW, which the entry point chooses from.

    `share` is what they have of a launch; `fused` the stitched kernel that leaves them what it does not do, if any.
    """

    def __init__(
        self, program: MappedProgram, kernel: Kernel, share: Share = Share.GRID, fused: Stitched | None = None
    ) -> None:
        self.program, self.kernel, self.share, self.fused = program, kernel, share, fused
        self.scop = program.scop
        self.frame = KernelFrame(program, kernel)

    # ---- functions ---------------------------------------------------------------------------------

    def functions(self) -> tuple[KernelFunction, ...]:
        """The `__global__` functions of the kernel."""
        match self.kernel:
            case SingleKernel():
                return (self._single(),)
            case ParallelKernel(launch=launch):
                return (self._parallel(launch), *self._tiled(), *self._halo())
            case AllKernel():
                return (self._all(),)
            case RowKernel() as kernel:
                return (*self._row(kernel), *self._tiled())
            case ColumnKernel(launch=launch):
                return (self._column(launch), *self._tiled())
        raise CompilerBug(f"{self.kernel.name} has a writer of its own")

    def _geometry(self, shape: str, depth: int = 1) -> Geometry:
        return Geometry(self.share.layout(shape, depth), self.kernel.block)

    def _grid(self, shape: str) -> tuple[Expr, Expr]:
        """The number of a thread, and of how many: of the grid, or of a fixed number of warps for a fixed tree."""
        index = self.frame.index
        if self.kernel.fixed_tree:
            worker, workers = (cast(index, variable(name, UINT)) for name in ("@worker", "@workers"))
            return plus(times(worker, WARP_SIZE), LANE), times(workers, WARP_SIZE)
        at = self._geometry(shape)
        return rank(at, "x", index), size(at, "x")

    def _writer(self) -> Instances:
        return Instances(self.program, self.kernel, self.frame.types)

    def _function(self, shape: str, suffix: str, body: tuple[Node, ...], depth: int = 1) -> KernelFunction:
        """A function whose points are dealt out in `depth` directions; what `body` needs of scalars comes first."""
        kernel = self.kernel
        found = accumulator(self.program, kernel) if kernel.reductions else None
        return KernelFunction(
            kernel.name + suffix, shape, self._comment(ROWS.get(shape, "")), (), (), kernel.block,
            (*uniform_lines(self.program, self._writer(), body), *body), found, index=kernel.index,
            layout=self.share.layout(shape, depth), resident=kernel.resident,
        )  # fmt: skip

    def _comment(self, how_rows: str) -> tuple[str, ...]:
        if self.kernel.body is None:
            return (f"All of `{self.scop.region.name}` in one thread: {self.kernel.reason}.",)
        where = self.frame.where(self.frame.all_statements()) or "The declarations"
        if not self.kernel.reductions:
            how = "one thread for each point" if self.kernel.kept else "one thread"
            return (f"{where}: {how}.",)
        arrays = dict.fromkeys(r.array for r in self.scop.reductions_of(self.kernel.reductions))
        names = ", ".join(f"`{array}`" for array in arrays)
        return (f"{where}: reduces {names}{how_rows}.",)

    def _single(self) -> KernelFunction:
        writer = self._writer()
        if self.frame.tree is None:
            nodes = statement(_without_returns(checked_body(self.scop)), writer.base)
        else:
            ast = self.frame.ast(self.frame.tree, (), (), self.frame.inner_names)
            nodes = writer.whole(KernelPart("body"), ast)
        if self.share is not Share.GRID:
            # Its blocks have more threads than one.
            nodes = (If(binary("==", THREAD["x"], ZERO), nodes),)
        return self._function("single", "", nodes)

    def _parallel(self, parameters: ParallelLaunch) -> KernelFunction:
        writer = self._writer()
        assert self.frame.tree is not None
        tree = Band(self.frame.kept, self.frame.tree)
        ast = self.frame.dealt_ast(tree, (), (), (*self.frame.kept_names, *self.frame.inner_names))
        ast, loops = merged(ast, self.frame.kept_names, self.frame.types, self.frame.index)
        dealt = self._dealt(ast, loops)
        axes = dict(zip(dealt, "xyz", strict=False))
        at = self._geometry("parallel", len(dealt))
        # A grid of several dimensions has a thread for nearly each point, and all that it needs along x.
        rare = len(dealt) > 1 and not at.is_block
        covers = rare and self.share is Share.GRID
        stretches = rare and self.share in (Share.GRID, Share.PART)
        if stretches:
            ast = _across_first(ast, dealt[0], dealt[1])
        nodes = (
            self._distributed(ast, axes, tuple(loops), writer, at, Deal(rare, covers, stretches, parameters.rows))
            if axes
            else self._one_point(ast, ["x"], writer, at)
        )
        if at.is_block and at.in_rows:
            nodes = (Tile(parameters.across, at.size), *nodes)
        if uses(nodes, ROWS_END):
            index = self.frame.index
            behind = times(plus(cast(index, geometry(at.block.y)), ONE), variable(BLOCK_ROWS, index))
            nodes = (declare(ROWS_END, index, behind, is_const=True), *nodes)
        places = {name: k for k, name in enumerate(self.frame.kept_names)}
        positions = tuple(tuple(places[name] for name in loops[loop]) for loop in dealt)
        return replace(self._function("parallel", "", nodes, len(dealt)), dealt=positions, covers=covers)

    def _dealt(self, ast: AstNode, loops: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
        """The loops over kept rows that are dealt out to threads: the innermost three, the innermost one first.

        A row of one value has no loop.  A loop that belongs to no kept row is never dealt out, whatever its depth.
        """
        depths = {name: depth for depth, name in enumerate(self.frame.kept_names)}
        there = [loop for loop in loops if has_loop(ast, (loop,))]
        return tuple(sorted(there, key=lambda loop: depths[loops[loop][0]], reverse=True))[:3]

    def _distributed(
        self, ast: AstNode, axes: Mapping[str, str], loops: tuple[str, ...], writer: Instances, at: Geometry, deal: Deal
    ) -> tuple[Node, ...]:
        """The `loops` over kept rows: those of `axes`, name -> axis, are dealt out to threads along that axis."""
        if not has_loop(ast, loops):
            return self._one_point(ast, axes.values(), writer, at)
        match ast:
            case AstBlock():
                pieces = pieces_around_loops(ast, loops)
                return tuple(
                    node for piece in pieces for node in self._distributed(piece, axes, loops, writer, at, deal)
                )
            case AstIf():
                then = self._distributed(ast.then, axes, loops, writer, at, deal)
                other = self._distributed(ast.otherwise, axes, loops, writer, at, deal) if ast.otherwise else ()
                return (If(ast.condition, then, other),)
            case AstLet():
                return named(ast, self._distributed(ast.body, axes, loops, writer, at, deal))
            case AstFor():
                inside = {name: axis for name, axis in axes.items() if name != ast.name}
                nodes = self._distributed(ast.body, inside, loops, writer, at, deal)
                axis = axes.get(ast.name)
                if axis is None:
                    return writer.loop(ast, nodes)
                if deal.covers and axis == "x":
                    place = rank(at, axis, self.frame.index)  # there may be more blocks than an `unsigned` has threads
                    return (replace(strided(self.frame, ast, place, size(at, axis), nodes, loops), is_covered=True),)
                if deal.stretches and axis == "y":
                    return (self._stretch(ast, at, nodes, loops, deal.rows),)
                dealt = strided(self.frame, ast, rank(at, axis), size(at, axis), nodes, loops)
                return (replace(dealt, is_rare=deal.is_rare),)
        raise CompilerBug(f"{self.kernel.name}: a loop over a kept row inside of an instance")

    def _stretch(self, ast: AstFor, at: Geometry, nodes: tuple[Node, ...], loops: tuple[str, ...], most: int) -> For:
        """The loop over the rows that a block has below each other, each of its threads `most` of its own, or more."""
        index = self.frame.index
        block, thread = places(at, "y")
        first = times(cast(index, block), variable(BLOCK_ROWS, index))
        loop = strided(self.frame, ast, plus(first, thread), geometry(at.threads.y), nodes, loops)
        behind = plus(ast.lower, times(variable(ROWS_END, index), number(ast.step)))
        # To unroll it nvcc would divide 64-bit numbers first.
        loop = replace(loop, bound=choice(binary("<", behind, ast.upper), behind, ast.upper), is_rare=True)
        return rows_together(self.kernel, self.scop, self.program.target, loop, most)

    def _one_point(self, ast: AstNode, axes: Iterable[str], writer: Instances, at: Geometry) -> tuple[Node, ...]:
        """What one thread does for one kept point; along `axes`, for whose rows no loop is left, the first one."""
        nodes = writer.whole(KernelPart("body"), ast)
        first = conjunction(binary("==", place, ZERO) for axis in sorted(axes) for place in places(at, axis))
        return (If(first, nodes),) if first is not None else nodes

    # ---- reductions --------------------------------------------------------------------------------

    def _reduction(self, shape: str, rank: Expr, size: Expr) -> ReductionParts:
        """The parts of a kernel whose points are dealt out to `size` threads, of which this one is number `rank`."""
        kernel, writer = self.kernel, self._writer()
        prologue, part = self._prologue(writer)
        is_grid = self.share is Share.GRID and shape in ("all", "row_blocks") and not kernel.fixed_tree
        body = Segments(self.frame, writer, rank, size, block=kernel.block if is_grid else 0).nodes()
        post = self._post(writer, part)
        kept = self._kept_lines((*prologue, *body, *post))
        dealt = None
        if uses(body, "@team"):
            # Where the loops over the reduced rows leave runs, these go to teams of threads.
            runs = self._runs()
            dealt = (runs.loops[0], _chunks(runs.length, kernel.loads.width))
        return ReductionParts(
            accumulator(self.program, kernel), kernel.loads.sets, self._geometry(shape), prologue, kept, body, post,
            self.frame.counts().rows, dealt, self._writes_memory(), self._waits(), kernel.workers,
        )  # fmt: skip

    def _all(self) -> KernelFunction:
        parts = self._reduction("all", *self._grid("all"))
        helpers = (*shared_helpers(parts.accumulator, parts.at.size), *block_helpers(parts))
        made = self._function("all", "", whole(parts))
        return replace(made, helpers=helpers, counts=self.frame.counts(), runs=self._runs())

    def _row(self, kernel: RowKernel) -> tuple[KernelFunction, ...]:
        """A chunk for each lane of short rows, else a warp; where rows are no single runs: some lanes; or blocks."""
        parts = self._reduction("row_blocks", *self._grid("row_blocks"))
        runs, segment = self._runs(), self._flat_segment(parts.body)
        # A part of a launch has all forms: which one its blocks take is decided for several kernels together.
        is_known = self.share is Share.GRID and not runs.loops
        known = lengths(kernel.reduced_box, self.scop.context) if is_known else Lengths(0, None)
        forms = row_forms(kernel, kernel.launch, known)
        made = self._narrow(kernel, segment, parts.post, forms)
        if forms.blocks or not made:
            blocks = self._function("row_blocks", "_blocks", rows_of_blocks(parts))
            made = (*made, replace(blocks, helpers=block_helpers(parts)))
        *others, last = made
        first, *others = (*others, replace(last, counts=self.frame.counts(), runs=runs))
        shared = shared_helpers(parts.accumulator, parts.at.size)
        return (replace(first, helpers=(*shared, *first.helpers)), *others)

    def _narrow(
        self, kernel: RowKernel, segment: Segment | None, post: tuple[Node, ...], forms: RowForms
    ) -> tuple[KernelFunction, ...]:
        """The functions that give a row to less than a block; none where no row is so short."""
        if not forms.narrow:
            return ()
        if self.fused is not None and leaves_blocks_only(self.fused, kernel, kernel.launch, self.frame):
            return ()
        if segment is None:
            return (self._some_lanes(kernel.launch),)
        found: list[KernelFunction] = []
        if forms.short:
            found.append(self._short(self._of_short(segment), post))
        if forms.warps:
            by_warp = self._reduction("row_warps", LANE, WARP_SIZE)
            of_warps = self._function("row_warps", "_warps", rows_of_warps(by_warp))
            # Nothing is left for other blocks, which takes registers.
            carried = sum(reduction.element_type.size for reduction in self.scop.reductions_of(self.kernel.reductions))
            more = 1 if of_warps.resident == FULL and carried <= WORD else 0
            found.append(replace(of_warps, resident=of_warps.resident + more))
        return tuple(found)

    def _some_lanes(self, parameters: RowLaunch) -> KernelFunction:
        """Some lanes of a warp, or all of them, for each row."""
        parts = self._reduction("row_lanes", binary("%", THREAD["x"], LANES), LANES)
        written = self.scop.written(self.frame.all_statements())
        names = (safe(self.scop.array(name).symbol.name) for name in written)
        bounds, parts = bounds_apart(parts, self.frame.kept_names, names)
        parts = replace(parts, kept=self._kept_lines((*parts.prologue, *parts.body, *parts.post)))
        choices = tuple(dict.fromkeys((parameters.few_lanes, parameters.some_lanes, WARP)))
        made = self._function("row_lanes", "_lanes", rows_of_lanes(parts, bounds, self._kept_lines(bounds)))
        return replace(made, numbers=("LANES",), counts=self.frame.counts(), lanes=choices)

    def _flat_segment(self, body: tuple[Node, ...]) -> Segment | None:
        """The one run of chunks that a row is, if it is: with accumulators for several, and nothing before it."""
        kernel = self.kernel
        if not kernel.is_flat or kernel.prologue or kernel.loads.sets == 1 or len(body) != 1:
            return None
        (segment,) = body
        return segment if isinstance(segment, Segment) and segment.loads else None

    def _of_short(self, segment: Segment) -> Segment:
        """The run of a row of the grid that is short: where iterators are found from the number of a point, by division
        of an `int`, as which that fits.
        """
        if self.share is Share.BLOCK or not any(each.name == "@point" for each in segment.parameters):
            return segment
        (found,) = Segments(self.frame, self._writer(), segment.rank, segment.size, INT).nodes()
        assert isinstance(found, Segment)
        return found

    def _short(self, segment: Segment, post: tuple[Node, ...]) -> KernelFunction:
        """Rows of at most a chunk for each lane of a warp, or all points of a row that a block has."""
        in_block = self.share is Share.BLOCK
        shape, suffix = ("row_in_block", "") if in_block else ("row_short", "_short")
        found = accumulator(self.program, self.kernel)
        made = self._function(shape, suffix, self._short_rows("block" if in_block else "grid", shape, segment, post))
        # A thread keeps where several rows begin.
        most = self.program.target.resident(made.block, OF_SEVERAL_ROWS)
        made = replace(made, resident=min(made.resident, max(1, most)))
        return replace(made, helpers=(*made.helpers, *lanes_helpers(found)))

    def _short_rows(self, of: Short, shape: str, segment: Segment, post: tuple[Node, ...]) -> tuple[Node, ...]:
        """Several rows at a time: all are loaded, then the elements of each, then what its lanes have together."""
        found, at = accumulator(self.program, self.kernel), self._geometry(shape)
        sets, width = self.kernel.loads.sets, segment.width
        has_row = binary("<", variable("@row", self.frame.index), variable("@rows", self.frame.index))
        first = binary("==", variable("@lane"), ZERO)
        # What is known to be aligned is an array in shared memory, from its begin on, whatever the row is.
        once = not segment.byte_sums
        segment = replace(segment, loads=tuple(replace(v, is_once=once and v.is_aligned) for v in segment.loads))
        registers = (
            Local(load.registers, load.type, (number(1 if load.is_once else sets), number(width)))
            for load in segment.loads
        )
        elements = (*self._kept_lines(segment.body), ShortSegment(replace(segment, rank=ZERO, size=ONE)))
        chunks: tuple[Node, ...] = (
            *registers, LoadRows(of, segment.loads, width, sets), RowsInFlight(of, sets, (If(has_row, elements),)),
        )  # fmt: skip
        if of == "block":
            chunks = (ChunksOfPoint(width, chunks),)
        waits: tuple[Node, ...] = (Sync("warp"),) if self._waits() else ()
        stored = If(binary("&&", has_row, first), (*self._kept_lines(post), *post))
        totals = variable("@totals", PointerType(found.type))
        total = declare("@total", found.type, element(totals, variable("@l"), found.type))
        results = (CombineRows(found, sets), RowsInFlight(of, sets, (total, *waits, stored)))
        runs = (RunOfRow(load, self._kept_lines(load.first)) for load in segment.loads)
        team = ShortTeam(of, at, self.frame.counts().rows, segment.count, width, sets)
        return (team, *runs, ShortRows(of, at, sets, (Start(found, sets), *chunks, *results)))

    def _prologue(self, writer: Instances) -> tuple[tuple[Node, ...], KernelPart]:
        part = KernelPart("prologue")
        if not self.kernel.prologue:
            return (), part
        return writer.whole(part, *self.frame.of_kept_point(self.kernel.prologue)), part

    def _post(self, writer: Instances, prologue: KernelPart) -> tuple[Node, ...]:
        part = KernelPart("post", set(prologue.declared))
        inner = self.frame.inner_names or ("t0", "t1", "t2")
        return writer.whole(part, *self.frame.of_kept_point(self.frame.post, inner))

    def _runs(self) -> RunCounts:
        """The runs of points of one result, for the kernel and for its launch."""
        return runs_of(self.frame, self._writer().base)

    def _waits(self) -> bool:
        """Whether what follows the reduction has to wait for the elements that other lanes of its row have taken.

        It does where it writes an array that the elements touch, or reads one that they write: a shuffle hands over
        values, it orders no accesses to memory.
        """
        elements = (*self.kernel.prologue, *statements_of(self.kernel.body))
        touched, written = self._touched(elements)
        touched_behind, written_behind = self._touched(self.frame.post)
        meeting = (touched & written_behind) | (written & touched_behind)
        return not meeting <= in_registers(self.program)

    def _touched(self, statements: Seq[str]) -> tuple[set[str], set[str]]:
        """The variables that statements access, and those of them that they write; what is reduced is a register."""
        touched: set[str] = set()
        written: set[str] = set()
        for _, symbol, writes in self.frame.uncombined(statements):
            touched.add(symbol)
            if writes:
                written.add(symbol)
        return touched, written

    def _writes_memory(self) -> bool:
        """Whether the elements write anything but accumulators and registers."""
        registers = in_registers(self.program)
        for name in statements_of(self.kernel.body):
            for access in self.scop.statement(name).accesses:
                is_write = access.kind in (AccessKind.MAY_WRITE, AccessKind.MUST_WRITE)
                if is_write and self.scop.array(access.array).symbol.name not in registers:
                    return True
        return False

    def _kept_lines(self, nodes: object) -> tuple[Node, ...]:
        """Recover the kept iterators from `row`, the last one fastest."""
        boxes = self.kernel.kept_box or ()
        return self.frame.recover("@row", self.frame.kept_names, boxes, nodes)

    def _column(self, parameters: ColumnLaunch) -> KernelFunction:
        writer = self._writer()
        prologue, part = self._prologue(writer)
        names = (*self.frame.kept_names, *self.frame.reduced_names)
        assert self.frame.tree is not None and self.kernel.kept_box and self.kernel.reduced_box
        layers = len(self.frame.kept_names) - self.kernel.column_rows
        axes = self.frame.kept_names[layers:]
        inner = KernelPart("body", along=axes)
        ast = self.frame.ast(self.frame.tree, (*self.frame.kept, *self.frame.reduced), names, self.frame.inner_names)
        nodes = writer.whole(inner, ast)
        post = self._post(writer, part)
        segment = Segments(self.frame, writer, ZERO, ONE).column(inner, nodes, axes)
        boxes = self.kernel.kept_box
        addresses = [load.first for load in segment.loads]
        outer = self.frame.recover(
            "@outer", self.frame.kept_names[:layers], boxes[:layers], (*nodes, *post, *prologue, *addresses)
        )
        kernel, found, counts = self.kernel, accumulator(self.program, self.kernel), self.frame.counts()
        recover = tuple(
            self.frame.recover("@row", self.frame.reduced_names, self.kernel.reduced_box, address)
            for address in addresses
        )
        assert segment.point is not None and counts.reduced is not None
        if len(axes) > 1:
            named = self.frame.recover("@x", axes, boxes[layers:], post)
        elif uses(post, axes[0]):
            named = (declare(axes[0], self.frame.types[axes[0]], segment.point, is_const=True),)
        else:
            named = ()
        lanes = threads_of(kernel, self.scop, COLUMN_LANES, kernel.loads.width) if kernel.workers else 0
        at = self._geometry("column")
        outers = counts.outers if layers else None
        parts = ColumnParts(
            found, at, self.frame.index, counts.columns, counts.reduced, outers, segment, recover, outer, prologue,
            named, post, lanes,
        )  # fmt: skip
        in_block = self.share is Share.BLOCK
        columns = columns_in_block(parts, parameters.across) if in_block else columns_of_grid(parts)
        combine = HelperCall("columns", (found, at.size, at))
        if kernel.workers:
            combine = HelperCall("fixed_columns", (found, lanes))
        # The threads of a row of tiles are neighbours; others are none.
        has_neighbours = kernel.tiling is not None and kernel.tiling.folds and not in_block
        shared = (each for each in shared_helpers(found, at.size) if each.macro != "warp" or has_neighbours)
        helpers = (*shared, combine)
        return replace(self._function("column", "", columns), helpers=helpers, counts=counts)

    def _tiled(self) -> tuple[KernelFunction, ...]:
        """The function that does points in tiles, if they share what they read and the kernel has a grid."""
        shared = self.kernel.tiling
        if shared is None or self.share is not Share.GRID:
            return ()
        form = KernelWriter(self.program, tiled_form(self.kernel, shared), self.share)
        writer, post, rows = form._writer(), NOTHING, None
        if shared.folds:
            post, rows = self._post(self._writer(), KernelPart("prologue")), accumulator(self.program, self.kernel)
        elif not shared.carried:
            post = form._post(writer, KernelPart("prologue"))
        made = form._function("tiled", "_tiles", TiledWriter(form.frame, writer, shared).nodes(post, rows))
        return (
            replace(
                made, comment=self._comment(ROWS["tiled"]), block=THREADS, resident_number="BLOCKS",
                resident=max(size.resident for size in shared.sizes), numbers=("DOWN", "ACROSS", "DEPTH", "BLOCKS"),
            ),
        )  # fmt: skip

    def _halo(self) -> tuple[KernelFunction, ...]:
        """The function whose blocks fetch what a tile of points reads, if they do and the kernel has a grid."""
        halo = self.kernel.halo
        if halo is None or self.share is not Share.GRID:
            return ()
        form = KernelWriter(self.program, replace(self.kernel, kept_box=halo.kept_box), self.share)
        at = Geometry(self.share.layout("halo"), HALO_THREADS)
        made = form._function("halo", "_tiles", HaloWriter(form.frame, form._writer(), halo).nodes(at))
        where = self.frame.where(self.frame.all_statements())
        return (replace(made, block=HALO_THREADS, comment=(f"{where}: a tile of points for each block.",)),)


def _chunks(points: Expr, width: int) -> Expr:
    """How many chunks of `width` points there are, the last of which may not be full."""
    return points if width == 1 else binary("/", plus(cast(LLONG, points), number(width - 1)), number(width))


def uniform_lines(program: MappedProgram, writer: Instances, nodes: object) -> tuple[Node, ...]:
    """What computes the uniform scalars which `nodes` use, and those that these use."""
    found: list[Node] = []
    used = names_of(nodes)
    for name in reversed(program.uniform):
        record = program.scop.statement(name)
        if isinstance(record.body, Assign) and isinstance(record.body.target, Name):
            symbol = record.body.target.symbol
            if safe(symbol.name) in used:
                (assigned,) = statement(record.body, writer.bindings(record, ()))
                assert isinstance(assigned, Assign)
                found.insert(0, declare(safe(symbol.name), symbol.type, assigned.value, is_const=True))
                used |= names_of(assigned.value)
    return tuple(found)


def _without_returns(stmt: Stmt) -> Stmt:
    """The body with its final `return e;` as a store of the result (the sequential form only)."""
    if isinstance(stmt, Return) and stmt.value is not None:
        ctype, span = stmt.value.type, stmt.span
        result = Name(Symbol("@result", "result", ctype, "result", span), ctype, span)
        return Assign(Dereference(result, ctype, span), stmt.value, span)
    if isinstance(stmt, Block):
        return Block(tuple(_without_returns(item) for item in stmt.items), stmt.span)
    return stmt
