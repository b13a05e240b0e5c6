"""The host side of a region: launches in the order of isl's AST, workspace, copies, both entry points."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import reduce
from itertools import chain
from math import prod

from pencilc import islx
from pencilc.analysis.box import launches
from pencilc.codegen.ast_verifier import verify_ast
from pencilc.codegen.astgen import (
    Affine,
    AstBlock,
    AstFor,
    AstIf,
    AstInstance,
    AstLet,
    AstNode,
    generate,
    signed,
)
from pencilc.codegen.bodies import parameter
from pencilc.codegen.compose import ComposedCode
from pencilc.codegen.hostloops import (
    asked_outside,
    declared,
    depth_name,
    depth_names,
    grouped,
    host_schedule,
    instances_below,
    iterators_by_depth,
    launches_in,
)
from pencilc.codegen.indirect import launch_of_bins
from pencilc.codegen.instances import iterator_type
from pencilc.codegen.known_lengths import as_launched, holds_all_rows, idle_kernels, stitched_forms
from pencilc.codegen.loops import LoopCode, given_to_stage
from pencilc.codegen.lowering import Bindings, lowered
from pencilc.codegen.names import entry_name, safe
from pencilc.codegen.pack import PackedCode
from pencilc.codegen.runs import span
from pencilc.codegen.tiling import triangle_of
from pencilc.codegen.time_tiles import FIRST, IS_LAST, left_at, taken_from
from pencilc.codegen.workspace import WorkspaceWriter, needs_scratch
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.fusion.pack import COPIES_BYTES
from pencilc.gpu.shapes.tile_costs import costs_of
from pencilc.gpu.shapes.tiles import FIXED_TILES, SIDE, THREADS, least_side
from pencilc.gpu.shapes.tiling import shares_rows
from pencilc.ir.build import (
    COUNTING,
    NULL,
    ONE,
    SIZE,
    STREAM,
    ZERO,
    binary,
    cast,
    choice,
    conjunction,
    count_of,
    counted,
    declare,
    disjunction,
    generated_type,
    is_number,
    member,
    minus,
    negation,
    number,
    plus,
    product,
    variable,
)
from pencilc.ir.columns import ColumnLanes, ColumnPlaces, ColumnSegment
from pencilc.ir.halo import HaloTile
from pencilc.ir.host import (
    CountedLaunch,
    Entry,
    Fallback,
    HostArray,
    HostFor,
    HostIf,
    HostLet,
    HostNode,
    RangePart,
)
from pencilc.ir.kernel import Counts, KernelFunction, RunCounts
from pencilc.ir.launches import (
    KernelInLoop,
    KernelLaunch,
    LaunchAll,
    LaunchBins,
    LaunchColumn,
    LaunchComposed,
    LaunchesInTime,
    LaunchHalo,
    LaunchLeave,
    LaunchLoop,
    LaunchPacked,
    LaunchParallel,
    LaunchRow,
    LaunchSingle,
    LaunchStitched,
    LaunchStitchedAcross,
    LaunchStitchedWhole,
    LaunchTiled,
    LongForm,
    PackedPart,
    SwappedArray,
    TiledInstead,
    started,
)
from pencilc.ir.mapping import (
    Composed,
    HostLoop,
    MappedProgram,
    Packed,
    Stitched,
    TouchedRange,
    Transfer,
    kernels_of,
    leaves,
    loops_of,
    name_of,
)
from pencilc.ir.nodes import Parameter, blocks_in, names_of
from pencilc.ir.on_chip import Exchange
from pencilc.ir.rewrite import replaced
from pencilc.ir.schedule import Row
from pencilc.ir.scop import StatementKind
from pencilc.ir.shapes import (
    AllKernel,
    BoxDimension,
    ColumnKernel,
    IndirectKernel,
    Kernel,
    LoopKernel,
    ParallelKernel,
    Ragged,
    RowKernel,
    SingleKernel,
)
from pencilc.ir.source import (
    LLONG,
    VOID,
    ArrayType,
    Cast,
    CType,
    Declare,
    Expr,
    Factor,
    IntLiteral,
    Name,
    PointerType,
    Symbol,
    element_type,
    extents,
)
from pencilc.ir.source import Node as Tree
from pencilc.ir.tiles import RowsOfTiles, SlotsOfTile, TileOfBlock

# Points of a row that a stage of a composed kernel counts in `int`, a block's step ahead.
COUNTED = 2**30

_STREAM = Parameter("@stream", STREAM)
_CALL = Parameter("@call", generated_type("pencilc_call"), reference=True)


class HostWriter:
    """Writes the entry points of one region; `functions` are the finished kernel functions by kernel name, `packs`,
    `composed` and `loops` the code of packed and of composed kernels and of those of loops by theirs.
    """

    def __init__(
        self, program: MappedProgram, functions: dict[str, tuple[KernelFunction, ...]], packs: dict[str, PackedCode],
        composed: dict[str, ComposedCode], loops: dict[str, LoopCode],
    ) -> None:  # fmt: skip
        self.program, self.functions, self.packs, self.composed_code = program, functions, packs, composed
        self.loop_code = loops
        self.scop = program.scop
        self.region = self.scop.region
        self.depth = depth_names(program.items)  # names of the loops on the host, from the outermost one
        own = chain.from_iterable(iterators_by_depth(program.items))
        names = (*self.depth, *map(depth_name, range(len(self.depth))), *own)
        iterators = {name: signed(name, iterator_type(self.scop, name)) for name in names}
        self.affine = Affine({**iterators, **{p.name: signed(safe(p.name), p.type) for p in self.scop.params}})
        self.bindings = Bindings({p.name: variable(safe(p.name), p.type) for p in self.region.params})
        self.workspace = WorkspaceWriter(program, self.affine, self.bindings)
        self.kernels = {k.name: k for k in program.kernels()}
        self.stitched, self.idle = as_launched(program), idle_kernels(program)
        self.counted: set[int] = set()  # the loops that multiply or divide their counters
        self.packed = {p.name: p for p in program.packed()}
        self.composed = {c.kernel.name: c for c in program.composed()}
        self.loop_kernels = {kernel.name: kernel for kernel in program.loop_kernels()}
        self.loops = program.loops()
        # The fused kernel that stands for each, the innermost of two.
        self.stands_for = {k.name: s.kernel.name for s in program.stitched() for k in s.fallback.kernels}
        for whole in program.composed():
            name, behind = whole.kernel.name, whole.fallback.kernels
            self.stands_for |= {name_of(item): name for item in leaves(behind)}
            self.stands_for |= {loop.kernel.name: name for loop in loops_of(behind) if loop.kernel is not None}
        self.stands_for |= {name_of(item): name for name, loop in self.loops.items() for item in leaves(loop.items)}

    def entry(self) -> Entry:
        """The record that the host template prints."""
        returns = self.region.returns
        result = returns != VOID
        device = [self._device_parameter(p) for p in self.region.params]
        arrays = (*(self._array(t) for t in self.program.transfers), *self._scalars())
        copied = {a.name: a.type for a in arrays}
        own = _variables(*device)
        arguments = [
            _copy_of(each.name, copied[each.name]) if each.name in copied else name
            for each, name in zip(device, own, strict=True)
        ]
        arguments += [_copy_of("return", returns)] * result + [*_variables(_STREAM)]
        items = self._items()
        self._verify_counted()
        is_parallel = any(kernel.is_parallel for kernel in self.kernels.values())
        on_chip = {name for fused in self._outermost() for name in fused.on_chip}
        value = [Parameter("@result", PointerType(returns))] if result else []
        workspace = self.workspace.lines("workspace", lambda name: name not in on_chip, self._starts())
        flags = asked_outside(items)
        uses_scratch = needs_scratch(self.program)
        return Entry(
            entry_name(self.region.name), self.region.name, returns, result, " {}" if result else "",
            (*device, *value, _STREAM),
            (*device, *value, Parameter("@workspace", PointerType(VOID)), Parameter("@bytes", SIZE), _STREAM),
            (*device, Parameter("@bytes", PointerType(SIZE))),
            (*device, *value, _CALL, _STREAM) if uses_scratch else (),
            _variables(*device, *value, _CALL, _STREAM) if uses_scratch else (),
            (*own, *[NULL] * result, *_variables(replace(_CALL, name="@counted")), COUNTING) if uses_scratch else (),
            tuple(self._host_parameter(p) for p in self.region.params),
            tuple(arguments),
            arrays, _compared(arrays), self._refused(),
            self._products(_named_in(items) | names_of(workspace)), self._products(names_of(arrays)), workspace,
            flags, declared(items, flags),
            is_parallel, uses_scratch, _waits(items),
        )  # fmt: skip

    # ---- parameters --------------------------------------------------------------------------------

    def _is_written(self, symbol: str) -> bool:
        return any(self.scop.is_written(a.name) for a in self.scop.arrays if a.symbol.name == symbol)

    def _device_parameter(self, symbol: Symbol) -> Parameter:
        if symbol.name in self.region.written_scalars:
            return Parameter(safe(symbol.name), PointerType(symbol.type))
        return self._host_parameter(symbol)

    def _host_parameter(self, symbol: Symbol) -> Parameter:
        if symbol.name in self.region.written_scalars:
            return Parameter(safe(symbol.name), PointerType(symbol.type))
        found = parameter(symbol)
        is_only_read = isinstance(symbol.type, ArrayType) and not self._is_written(symbol.name)
        return replace(found, is_const=True) if is_only_read else found

    def _products(self, named: set[str]) -> tuple[Declare, ...]:
        """Those of the products of parameters that are `named`."""
        return tuple(
            declare(safe(each.symbol.name), each.symbol.type, lowered(each.value, self.bindings), is_const=True)
            for each in self.scop.products
            if safe(each.symbol.name) in named
        )

    def _refused(self) -> Expr | None:
        """Where some sizes are negative whose product, the extent of an array, is positive.

        As the extents of the dimensions that the array has in the model each of them counts as 0.
        """
        found: dict[Expr, None] = {}
        for sizes in self.region.multiplied:
            factors = [lowered(size, self.bindings) for size in sizes]
            negative = list(dict.fromkeys(binary("<", factor, ZERO) for factor in factors))
            wrong = conjunction(negative)
            if len(factors) > 2:
                wrong = conjunction(
                    each for each in (disjunction(negative), binary(">", product(factors), ZERO)) if each
                )
            assert wrong is not None
            found[wrong] = None
        return disjunction(found)

    # ---- copies ------------------------------------------------------------------------------------

    def _array(self, transfer: Transfer) -> HostArray:
        symbol = next(p for p in self.region.params if p.name == transfer.array)
        parts = tuple(self._range(symbol, touched) for touched in transfer.ranges)
        ways = (transfer.copy_in, transfer.copy_out, transfer.is_written, transfer.cleared)
        return HostArray(safe(symbol.name), element_type(symbol.type), self._elements(symbol), parts, *ways)

    def _elements(self, symbol: Symbol) -> Expr:
        """The number of elements of an array parameter."""
        sides = [ZERO if e is None else lowered(e, self.bindings) for e in extents(symbol.type)]
        return _elements_of(sides)

    def _scalars(self) -> tuple[HostArray, ...]:
        """The scalars that an outlined region writes: they go by pointer."""
        one = (RangePart(None, ZERO, ZERO),)
        scalars = [p for p in self.region.params if p.name in self.region.written_scalars]
        return tuple(HostArray(safe(p.name), p.type, ONE, one, True, True, True) for p in scalars)

    def _range(self, symbol: Symbol, touched: TouchedRange | None) -> RangePart:
        if touched is None:
            return RangePart(None, ZERO, binary("-", self._elements(symbol), ONE))
        context = self.scop.context
        condition = self.affine.condition(touched.inhabited, context)
        known = context.intersect(touched.inhabited)
        first, last = (
            self._linear(symbol, [self.affine.value(bound.gist(known), known) for bound in side])
            for side in (touched.first, touched.last)
        )
        return RangePart(condition, first, last)

    def _linear(self, symbol: Symbol, values: Seq[Expr]) -> Expr:
        sides = extents(symbol.type)
        # Dimensions of members lie inside an element, which is copied whole.
        offset = values[0]
        for extent, value in zip(sides[1:], values[1 : len(sides)], strict=True):
            assert extent is not None
            if is_number(offset, 0):
                offset = value
                continue
            wide = offset if isinstance(offset, Cast) and offset.type == LLONG else cast(LLONG, offset)
            offset = plus(binary("*", wide, lowered(extent, self.bindings)), value)
        return offset

    # ---- workspace ---------------------------------------------------------------------------------

    def _starts(self) -> tuple[tuple[str, Expr], ...]:
        """The kernels over ragged rows, each with the most rows that a launch has, whatever the host loops around."""
        kernels = (kernel for kernel in self.kernels.values() if isinstance(kernel, IndirectKernel))
        return tuple((k.name, self._runs(k, k.ragged)) for k in kernels if k.ragged is not None)

    def _runs(self, kernel: Kernel, ragged: Ragged) -> Expr:
        return _elements_of([self._span(kernel, row, inside=False) for row in kernel.reduced[: ragged.at]])

    # ---- launches ----------------------------------------------------------------------------------

    def _items(self) -> tuple[HostNode, ...]:
        schedule = host_schedule(self.program.items)
        ast = generate(schedule, self.scop.context, self.depth, self.affine)
        moved = {k for instance in instances_below(ast) for k in self._moved(instance)}
        if moved:
            self.depth = tuple(depth_name(k) if k in moved else name for k, name in enumerate(self.depth))
            ast = generate(schedule, self.scop.context, self.depth, self.affine)
        if schedule is not None:
            verify_ast(ast, islx.sets_of(schedule.get_domain()), self.scop.context, self.affine, {})
        with_loops = (*self.loops, *(name for name, composed in self.composed.items() if composed.has_loops))
        return self._with_workspace(grouped(self._convert(ast), self.stands_for, loops=with_loops))

    def _moved(self, node: AstInstance) -> Iterator[int]:
        """The depths of the loops that a launch follows at a distance, by the name of its own iterator.

        for (i = 0; i < n; i += 2) { launch<<<>>>(i); const int i = i + 1; other<<<>>>(i); }       no C
        """
        for position, (own, value) in enumerate(zip(self._host_of(node.statement), node.arguments, strict=False)):
            if not isinstance(value, Name) and own == self.depth[position] and own in names_of(value):
                yield position

    def _with_workspace(self, items: Seq[HostNode]) -> tuple[HostNode, ...]:
        """Kernels for which a fused one stands, with memory for what it has in registers or shared memory alone.

        Where a condition keeps some of them apart, all find the same values at the same places.
        """
        found: list[HostNode] = []
        outermost = {fused.kernel.name: fused for fused in self._outermost()}
        for item in items:
            if isinstance(item, Fallback):
                fused = outermost.get(item.name)
                if fused is not None:
                    named = _named_in(item.inner)
                    lines = self.workspace.lines("fallback", fused.on_chip.__contains__, names=named.__contains__)
                    item = replace(item, workspace=lines)
            found.append(
                item if isinstance(item, KernelLaunch) else replace(item, inner=self._with_workspace(item.inner))
            )
        return tuple(found)

    def _outermost(self) -> list[Stitched | Composed]:
        """The fused kernels but those that stand in for a composed one."""
        return [*self.composed.values(), *(s for s in self.stitched.values() if s.kernel.name not in self.stands_for)]

    def _convert(self, node: AstNode) -> tuple[HostNode, ...]:
        match node:
            case AstBlock():
                return tuple(d for item in node.items for d in self._convert(item))
            case AstIf():
                found: list[HostNode] = []
                if then := self._convert(node.then):
                    found.append(HostIf(node.condition, then))
                if node.otherwise is not None and (otherwise := self._convert(node.otherwise)):
                    found.append(HostIf(negation(node.condition), otherwise))
                return tuple(found)
            case AstFor():
                return self._loop(node)
            case AstInstance():
                return () if node.statement in self.idle else (self._with_host_values(node),)
            case AstLet():
                raise CompilerBug(f"`{node.name}` is known on the device alone")

    def _loop(self, node: AstFor) -> tuple[HostNode, ...]:
        own = self._own_name(node)
        factor = self._factor(node)
        kind = iterator_type(self.scop, own)
        inner = self._convert(node.body)
        if not inner:
            return ()
        if own != node.name and _mentions(inner, own):
            inner = (HostLet(kind, own, variable(node.name, LLONG), inner),)
        if factor is not None:
            # The least `int` has no negative value of its own.
            lower = replaced(node.lower, _in_long) if kind == LLONG else node.lower
            return (HostFor(kind, node.name, lower, node.upper, node.step, inner, factor=factor),)
        if self._is_left(node):
            # What leaves it is a `break`: a loop of one iteration is one, too.
            upper = plus(node.lower, ONE) if node.degenerate else node.upper
            rounds = self.region.rounds
            once = rounds is not None and safe(rounds.name) in names_of(upper)
            return (HostFor(kind, node.name, node.lower, upper, node.step, inner, once),)
        if node.degenerate:
            return (HostLet(kind, node.name, node.lower, inner),)
        return (HostFor(kind, node.name, node.lower, node.upper, node.step, inner),)

    def _factor(self, node: AstFor) -> Factor | None:
        """What leads from a value of this loop to the next one, if its iterations are some of those of the model.

        A loop downwards counts the negative values of the counter of the source.
        """
        depth = self.depth.index(node.name)
        for kernel in (self._kernel_of(instance.statement) for instance in instances_below(node)):
            row = self.program.host_rows(kernel)[depth]
            for name, function in islx.pw_affs_of(row.function).items():
                statement, unit = self.scop.statement(name), islx.unit_row(function)
                for position in statement.factors:
                    if unit is not None and unit[position] and not unit[-1]:
                        factor = statement.loops[position].factor
                        assert factor is not None
                        self.counted.add(statement.loops[position].index)
                        return factor if unit[position] > 0 else replace(factor, more=-factor.more)
        return None

    def _verify_counted(self) -> None:
        """Raise CompilerBug where a loop of which iterations are left out would do all of them."""
        for kernel in self.kernels.values():
            for statement in map(self.scop.statement, kernel.statements):
                left = {statement.loops[depth].index for depth in statement.factors} - self.counted
                if left and not statement.domain.is_empty():
                    raise CompilerBug(f"{kernel.name} is launched for more values of a counter than it has")

    def _is_left(self, node: AstFor) -> bool:
        """Whether a launch inside finds out whether this loop ends."""
        depth = self.depth.index(node.name)
        inside = (self.kernels.get(instance.statement) for instance in instances_below(node))
        return any(
            kernel is not None and len(kernel.host) == depth + 1 and self._told(kernel) is not None for kernel in inside
        )

    def _told(self, kernel: Kernel) -> Symbol | None:
        """The variable that says whether the loop around the kernel ends behind it."""
        for name in kernel.statements:
            statement = self.scop.statement(name)
            if statement.kind is StatementKind.LEAVE:
                return next(self.scop.array(a.array).symbol for a in statement.accesses if a.kind.writes)
        return None

    def _with_host_values(self, node: AstInstance) -> HostNode:
        """A launch; where an iteration of a loop was peeled off, its kernels still get the iterator, as a constant."""
        item: HostNode = self._instance(node.statement)
        names = zip(self._host_of(node.statement), self.depth, node.arguments, strict=False)
        for own, shared, value in reversed(list(names)):
            is_there = isinstance(value, Name) and value.symbol.name in (own, shared)
            if not is_there and _mentions(item, own):
                kind = iterator_type(self.scop, own)
                item = HostLet(kind, own, value, (item,))
        return item

    def _instance(self, name: str) -> HostNode:
        if name in self.packed:
            return self._packed(self.packed[name])
        if name in self.stitched:
            return self._stitched(self.stitched[name])
        if name in self.composed:
            return self._composed(self.composed[name])
        if name in self.loops:
            return self._whole_loop(self.loop_kernels[name], self.loops[name])
        return self._launch(self.kernels[name], self.functions[name])

    def _own_name(self, node: AstFor) -> str:
        """The iterator by which the kernels below a loop know it; in the tree loops of one depth share a name."""
        depth = self.depth.index(node.name)
        return next(self._host_of(instance.statement)[depth] for instance in instances_below(node))

    def _host_of(self, name: str) -> tuple[str, ...]:
        return self._kernel_of(name).host

    def _kernel_of(self, name: str) -> Kernel:
        """The kernel of that name, or one of those that share its launch, with the loops around it."""
        if name in self.packed:
            return self.packed[name].kernels[0]
        if name in self.loops:
            return self.loop_kernels[name]
        fused = self.stitched.get(name) or self.composed.get(name)
        return fused.kernel if fused else self.kernels[name]

    def _launch(self, kernel: Kernel, functions: tuple[KernelFunction, ...], number: str = "") -> KernelLaunch:
        """The launch of a kernel, or what its part `number` of a packed kernel needs."""
        tiles = next((each for each in functions if each.shape == "tiled"), None)
        if tiles is not None:
            return self._tiled(kernel, tiles, tuple(each for each in functions if each is not tiles))
        halo = next((each for each in functions if each.shape == "halo"), None)
        if halo is not None:
            return self._halo(kernel, halo, tuple(each for each in functions if each is not halo))
        function = functions[-1]
        name, block, arguments = kernel.name, kernel.block, function.arguments
        unless, loads = self.stands_for.get(name, ""), kernel.loads
        accumulator = function.accumulator.type if function.accumulator else None
        match kernel:
            case AllKernel(launch=launch):
                runs = _runs(function)
                return LaunchAll(
                    name=name, block=block, arguments=arguments, unless=unless, accumulator=accumulator,
                    length=runs.length, runs=_number_of(runs), width=loads.width,
                    workers=kernel.workers, launch=launch,
                )  # fmt: skip
            case RowKernel(launch=launch):
                by_shape = {each.shape: started(each) for each in functions}
                runs = _runs(function)
                return LaunchRow(
                    name=name, block=block, arguments=arguments, unless=unless, accumulator=accumulator,
                    rows=_counts(function).rows, length=runs.length, runs=_number_of(runs), width=loads.width,
                    in_flight=loads.in_flight, sets=loads.sets, workers=kernel.workers,
                    blocks=by_shape.get("row_blocks"), short=by_shape.get("row_short"), warps=by_shape.get("row_warps"),
                    lanes=by_shape.get("row_lanes"), launch=launch,
                )  # fmt: skip
            case ColumnKernel(launch=launch):
                nodes, counts = tuple(blocks_in(function.body)), _counts(function)
                (columns,) = (each for each in nodes if isinstance(each, ColumnSegment))
                lanes = sum(each.lanes for each in nodes if isinstance(each, ColumnLanes))
                assert counts.reduced is not None
                return LaunchColumn(
                    name=name, block=block, arguments=arguments, unless=unless, accumulator=accumulator,
                    columns=counts.columns, rows=counts.reduced, outers=counts.outers,
                    is_layered=any(isinstance(each, ColumnPlaces) for each in nodes), width=columns.segment.width,
                    in_flight=columns.segment.in_flight, lanes=lanes, workers=kernel.workers, launch=launch,
                )  # fmt: skip
            case IndirectKernel():
                made_of_bins = launch_of_bins(kernel, functions)
                return replace(made_of_bins, unless=unless)
            case ParallelKernel(launch=launch):
                return LaunchParallel(
                    name=name, block=block, arguments=arguments, unless=unless,
                    extents=self._extents(kernel, function), launch=launch,
                )  # fmt: skip
            case SingleKernel():
                told = self._told(kernel)
                if told is not None:
                    names = [each.name for each in function.parameters]
                    where = arguments[names.index(safe(told.name))]
                    return LaunchLeave(name=name, block=block, arguments=arguments, unless=unless, told=where)
                return LaunchSingle(name=name, block=block, arguments=arguments, unless=unless)
        raise CompilerBug(f"{name} is launched in no known way")

    def _tiled(self, kernel: Kernel, tiles: KernelFunction, others: tuple[KernelFunction, ...]) -> KernelLaunch:
        """The launch of a kernel whose points are done in tiles, unless one side is narrow: then the others do them."""
        narrow, shared = self._launch(kernel, others), kernel.tiling
        assert isinstance(narrow, LaunchRow | LaunchColumn | LaunchParallel) and shared is not None
        nodes = tuple(blocks_in(tiles.body))
        (points,) = (each for each in nodes if isinstance(each, TileOfBlock | RowsOfTiles))
        return LaunchTiled(
            name=kernel.name, block=THREADS, arguments=tiles.arguments, unless=narrow.unless,
            accumulator=narrow.accumulator, rows=points.rows, columns=points.columns, points=points.points,
            outers=points.outers or ONE, tiles=started(tiles), side=SIDE,
            costs=costs_of(self.scop, kernel, shared, self.program.target, self.program.pinned),
            may_split=any(isinstance(each, SlotsOfTile) for each in nodes), folds=isinstance(points, RowsOfTiles),
            fixed_tiles=FIXED_TILES if kernel.fixed_tree else 0,
            launch=shared.launch, least_side=least_side(shared), triangle=triangle_of(shared), narrow=narrow,
        )  # fmt: skip

    def _halo(self, kernel: Kernel, tiles: KernelFunction, others: tuple[KernelFunction, ...]) -> KernelLaunch:
        """The launch of a kernel whose blocks have tiles of points, unless a side is narrow: then the others do it."""
        narrow = self._launch(kernel, others)
        (points,) = (each for each in tiles.body if isinstance(each, HaloTile))
        assert isinstance(narrow, LaunchParallel) and kernel.halo is not None
        return LaunchHalo(
            name=kernel.name, block=tiles.block, arguments=tiles.arguments, unless=narrow.unless,
            rows=points.rows, columns=points.columns, planes=points.planes, outers=points.outers or ONE,
            tiles=started(tiles), launch=kernel.halo.launch, narrow=narrow,
        )  # fmt: skip

    def _packed(self, packed: Packed) -> KernelLaunch:
        """The launch of kernels that share it: how many blocks each gets, and none where it has nothing to do."""
        code = self.packs[packed.name]
        overflow = {kernel.name: self._launch(kernel, self.functions[kernel.name]) for kernel in packed.overflow}
        host = packed.kernels[0].host
        known = self.scop.context.intersect(islx.as_parameters(launches(packed.kernels), host))
        parts = []
        for position, (kernel, functions) in enumerate(zip(packed.kernels, code.parts, strict=True)):
            condition = self.affine.condition(islx.as_parameters(kernel.domain, host), known)
            instead = overflow.get(kernel.name)
            assert instead is None or isinstance(instead, LaunchBins)
            work = self._launch(kernel, functions, str(position))
            parts.append(PackedPart(position, condition, work, instead, COPIES_BYTES))
        # Some part has something to do, but its bins may be too many.
        always = any(part.condition is None and part.overflow is None for part in parts)
        return LaunchPacked(
            name=packed.name, block=code.kernel.block, arguments=code.kernel.arguments,
            unless=self.stands_for.get(packed.name, ""), parts=tuple(parts),
            may_be_empty=bool(overflow) and not always,
            has_bins=any(isinstance(part.work, LaunchBins) for part in parts),
        )  # fmt: skip

    def _stitched(self, stitched: Stitched) -> KernelLaunch:
        """The launch of a stitched kernel, where its rows fit; the kernels that it stands for come behind it."""
        kernel, functions = stitched.kernel, {f.shape: f for f in self.functions[stitched.kernel.name]}
        function, grid, long = functions["stitched"], functions.get("stitched_grid"), functions.get("stitched_long")
        counts = _counts(function)
        assert counts.reduced is not None
        form = None
        if long is not None:
            assert stitched.long_rows is not None
            form = LongForm(started(long), stitched.long_rows)
        kind = LaunchStitchedWhole if grid else LaunchStitchedAcross if stitched.across else LaunchStitched
        return kind(
            name=kernel.name, block=kernel.block, arguments=function.arguments,
            unless=self.stands_for.get(kernel.name, ""), rows=counts.rows, length=counts.reduced,
            is_held=holds_all_rows(stitched, self.scop.context),
            forms=stitched_forms(stitched, self.scop.context),
            width=stitched.width, chunks=stitched.items, long=form, grid=started(grid) if grid else None,
            wide=stitched.wide, instead=tuple(self._tiled_instead(stitched)),
            exchanges=sum(isinstance(node, Exchange) for node in blocks_in(function.body)),
            parts=kernel.name, launch=kernel.launch,
        )  # fmt: skip

    def _composed(self, composed: Composed) -> KernelLaunch:
        """The launch of a composed kernel, where its rows fit; the kernels that it stands for come behind it."""
        kernel, code = composed.kernel, self.composed_code[composed.kernel.name]
        return LaunchComposed(
            name=kernel.name, block=kernel.block, arguments=code.kernel.arguments,
            rows=code.rows, regions=self.workspace.regions(composed.shared),
            static=composed.static, counts=code.counted,
            most=COUNTED, few=None if composed.has_loops else _few_points(code.sides, kernel.launch.row_points),
            in_rounds=_points_of_rounds(composed, code), in_memory=composed.in_memory,
            instead=tuple(self._tiled_instead(composed)), launch=kernel.launch,
        )  # fmt: skip

    def _tiled_instead(self, fused: Stitched | Composed) -> Iterator[TiledInstead]:
        """The kernels behind a fused one whose tiles have points of several of its rows."""
        for kernel in kernels_of((fused,)):
            if kernel.tiling is None or not shares_rows(kernel, fused.kernel.kept):
                continue
            for function in self.functions[kernel.name]:
                for tile in blocks_in(function.body):
                    if isinstance(tile, TileOfBlock | RowsOfTiles):
                        outers = tile.outers or ONE
                        yield TiledInstead(tile.rows, tile.columns, tile.points, outers, kernel.tiling.launch)

    def _whole_loop(self, kernel: LoopKernel, loop: HostLoop) -> KernelLaunch:
        """The launch for all iterations of a loop, where none has many points; the loop comes behind it."""
        code = self.loop_code[kernel.name]
        known = self.scop.context.intersect(islx.as_parameters(kernel.domain, kernel.host))
        inside: list[KernelInLoop] = []
        for each in kernels_of(loop.items):
            function = code.stages[each.name]
            widths = [self.affine.value(width.gist(known), known) for width in kernel.widths[each.name]]
            dealt = tuple(count_of([widths[position] for position in loop]) for loop in function.dealt)
            inside.append(KernelInLoop(each.number, count_of(widths), dealt, given_to_stage(each, function)))
        return LaunchLoop(
            name=kernel.name, block=kernel.block, arguments=code.kernel.arguments,
            unless=self.stands_for.get(kernel.name, ""), inside=tuple(inside),
            in_time=self._in_time(loop, code), launch=kernel.launch,
        )  # fmt: skip

    def _in_time(self, loop: HostLoop, code: LoopCode) -> LaunchesInTime | None:
        """The launches that do several iterations of a tile each, if there are such."""
        tiling = loop.tiling
        if tiling is None or code.tiles is None:
            return None
        known = self.scop.context.intersect(tiling.inhabited)
        sides = [BoxDimension(tiling.first, tiling.last), *tiling.box]
        bounds = [[self.affine.value(end.gist(known), known) for end in (s.lower, s.upper)] for s in sides]
        iterations, *extents_ = (plus(minus(cast(LLONG, upper), lower), ONE) for lower, upper in bounds)
        if tiling.period > 1:
            iterations = binary("/", plus(iterations, number(tiling.period - 1)), number(tiling.period))
        arrays = tuple(
            SwappedArray(
                safe(each.symbol), each.index.type, self._bytes(each.symbol), taken_from(each.symbol),
                left_at(each.symbol),
            )
            for each in tiling.carried()
        )  # fmt: skip
        is_there = self.affine.condition(tiling.inhabited, self.scop.context)
        told = {parameter.name for parameter in code.tiles.parameters}
        iterations = iterations if is_there is None else choice(is_there, iterations, ZERO)
        return LaunchesInTime(
            started(code.tiles), arrays, iterations, bounds[0][0], iterator_type(self.scop, loop.iterator),
            tuple(extents_), tiling.sides, tiling.count, tiling.period, FIRST in told, IS_LAST in told, tiling.launch,
        )  # fmt: skip

    def _bytes(self, name: str) -> Expr:
        """The bytes of an array that the loops on the host have once."""
        symbol = next(array.symbol for array in self.scop.arrays if array.symbol.name == name)
        return binary("*", self._elements(symbol), number(element_type(symbol.type).size))

    def _extents(self, kernel: Kernel, function: KernelFunction) -> tuple[Expr, ...]:
        """The numbers of values of the rows that are dealt out to threads, the one along x first."""
        groups = ([self._span(kernel, kernel.kept[position]) for position in loop] for loop in function.dealt)
        return tuple(count_of(group) for group in groups) or (ONE,)

    def _span(self, kernel: Kernel, row: Row, inside: bool = True) -> Expr:
        """An upper bound of the number of values that a row takes."""
        return span(self.program, kernel, row, self.affine, inside)


def _copy_of(name: str, ctype: CType) -> Expr:
    """The copy of an array, or of what is returned, on the device."""
    return member(variable(f"@{name}_copy", generated_type("pencilc_copy", ctype)), "device", PointerType(ctype))


def _variables(*parameters: Parameter) -> tuple[Expr, ...]:
    return tuple(variable(each.name, each.type) for each in parameters)


def _counts(function: KernelFunction) -> Counts:
    """The numbers of points of a reduction."""
    assert function.counts is not None
    return function.counts


def _runs(function: KernelFunction) -> RunCounts:
    """The runs of points of one result of a reduction."""
    assert function.runs is not None
    return function.runs


def _number_of(runs: RunCounts) -> Expr | None:
    """How many runs there are; None for one that no loop is around."""
    return count_of(runs.loops) if runs.loops else None


def _points_of_rounds(composed: Composed, code: ComposedCode) -> tuple[Expr, ...] | None:
    """How many points of a row each stage has at most, where a block goes through it in rounds; None where one of them
    is not known, or there are no rounds.
    """
    if not composed.has_loops or None in code.sides:
        return None
    return tuple(dict.fromkeys(count_of(sides) for sides in code.sides if sides is not None))


def _few_points(boxes: Seq[Seq[Expr] | None], enough: int) -> Expr | None:
    """The condition that no box has `enough` points; None where one has, or may have, whatever the sizes are."""
    conditions: list[Expr] = []
    for box in boxes:
        if box is None:
            return None
        known = [side.value for side in box if isinstance(side, IntLiteral)]
        if len(known) < len(box):
            conditions.append(binary("<", count_of(box), number(enough)))
        elif prod(known) >= enough:
            return None
    return conjunction(dict.fromkeys(conditions)) or ONE


def _waits(items: Seq[HostNode]) -> bool:
    """Whether the host asks the device: how many pairs a launch sorts, or whether a loop ends."""
    return any(_asks(launch) for launch in launches_in(items))


def _asks(launch: KernelLaunch) -> bool:
    match launch:
        case LaunchBins():
            return launch.asks
        case LaunchLeave():
            return True
        case LaunchPacked():
            return any(part.overflow is not None and part.overflow.asks for part in launch.parts)
    return False


def _mentions(item: HostNode | tuple[HostNode, ...], name: str) -> bool:
    """Whether a launch, or what belongs to it, uses the variable."""
    return name in _named_in(item)


def _named_in(item: HostNode | tuple[HostNode, ...]) -> set[str]:
    """What launches, and what belongs to them, name, but for what is declared in between."""
    match item:
        case tuple():
            return {name for each in item for name in _named_in(each)}
        case KernelLaunch():
            return names_of(item)
        case HostIf():
            return names_of(item.condition) | _named_in(item.inner)
        case HostFor():
            return names_of(item.lower, item.upper) | (_named_in(item.inner) - {item.name})
        case HostLet():
            return names_of(item.lower) | (_named_in(item.inner) - {item.name})
        case Fallback() | CountedLaunch():
            return _named_in(item.inner)


def _in_long(node: Tree) -> Tree | None:
    """A variable, or what is one already, in `long long`."""
    if isinstance(node, Cast) and node.type == LLONG:
        return node
    return cast(LLONG, node) if isinstance(node, Name) and node.type != LLONG else None


def _elements_of(sides: Seq[Expr]) -> Expr:
    """The number of elements of an array of these sides."""
    counts = map(counted, sides)
    return reduce(lambda left, right: binary("*", left, right), counts) if sides else ONE


def _compared(arrays: Seq[HostArray]) -> tuple[HostArray, ...]:
    """The arrays of which those that are written must lie apart from all others."""
    return tuple(arrays) if len(arrays) > 1 and any(array.is_written for array in arrays) else ()
