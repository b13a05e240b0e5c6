"""Through the nodes of one function, with what is declared, who comes there and who has which row."""

from __future__ import annotations

from dataclasses import replace

from pencilc.codegen.bin_walk import BinRules
from pencilc.codegen.column_walk import ColumnRules
from pencilc.codegen.control import Control, fault
from pencilc.codegen.expression_rules import check_assigned, check_expression, check_returned
from pencilc.codegen.halo_walk import HaloRules
from pencilc.codegen.kernel_types import Known, NameScope, known_parameter
from pencilc.codegen.row_walk import RowRules
from pencilc.codegen.short_walk import ShortRules
from pencilc.codegen.thread_rules import names_block
from pencilc.codegen.tile_walk import TileRules
from pencilc.codegen.time_walk import TimeRules
from pencilc.ir.bins import (
    AddInOrder,
    Atomic,
    BinCopies,
    BinsOfBucket,
    BinsOfWarps,
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
    PutInBin,
    RunLengths,
    TotalOfBlocks,
    TotalOfCopies,
    TotalOfGroups,
    ValueRun,
)
from pencilc.ir.build import variable
from pencilc.ir.columns import (
    ColumnLanes,
    ColumnPlace,
    ColumnPlaces,
    ColumnSegment,
    ColumnsOfGrid,
    ColumnTeam,
    CombineColumns,
    EachColumn,
    EachLane,
    EachTile,
    KeepLane,
    LeftByBlocks,
    OwnColumns,
    StartColumns,
)
from pencilc.ir.combining import (
    Arrive,
    ByOne,
    Combine,
    CombineGrid,
    EachRow,
    OfRow,
    Start,
    Teams,
    Tile,
    ValuesOfRow,
    Workers,
)
from pencilc.ir.definitions import DeviceFunction
from pencilc.ir.halo import CopyTile, EachPlane, HaloTile, LoadPlane, PlanePlaces, PointsOfTile, StorePlane
from pencilc.ir.kernel import BLOCK_ROWS, ROWS_END
from pencilc.ir.nodes import Braces, BuildingBlock, For, If, Node, SharedDecl, Switch, Sync, WhileLoop, names_of
from pencilc.ir.on_chip import (
    ChunkPlace,
    CopiedItems,
    CopyChunk,
    EachItem,
    ElementPlace,
    ElementsOfRow,
    Exchange,
    ExchangeParts,
    Flights,
    Items,
    LoadChunk,
    LoadItems,
    Local,
    OwnPlace,
    RowPlace,
    RowTeam,
    Run,
    StageOfRow,
    StitchedRows,
    StoreChunk,
    Unrolled,
    WhereWhole,
)
from pencilc.ir.segments import (
    ChunksOfPoint,
    CombineRows,
    LoadRows,
    RowsInFlight,
    RunOfRow,
    Segment,
    ShortRows,
    ShortSegment,
    ShortTeam,
)
from pencilc.ir.source import (
    UINT,
    ArrayType,
    Assign,
    CallStmt,
    CType,
    Declare,
    Expr,
    IntLiteral,
    Jump,
    PointerType,
    Return,
    Scalar,
    extents,
)
from pencilc.ir.tiles import OfTile, TileOperands, TilePoints, TileResults
from pencilc.ir.time_nodes import EachIteration, PointsOfStep, TimeTile
from pencilc.target import WARP

# What the number of threads may name that share a run, by who has the row.
_SHARES = {
    "lanes": frozenset(("LANES", "@team")),
    "warp": frozenset(("PENCILC_WARP",)),
    "workers": frozenset(("@workers", "PENCILC_WARP", "@team")),
}


class Walk(RowRules, ColumnRules, HaloRules, TimeRules, TileRules, BinRules, ShortRules):
    """Walks through the nodes of one function with what is declared."""

    def function(self, definition: DeviceFunction, body: tuple[Node, ...]) -> None:
        """A function of the source."""
        scope = self.file.inner()
        for declared in definition.parameters:
            self.declare(scope, declared.name, known_parameter(declared))
        self.returns = definition.returns
        self.nodes(body, scope, Control())

    def node(self, node: Node, scope: NameScope, control: Control) -> Control:
        """One node; what it declares is added to `scope`, and whether that differs among threads to the control."""
        match node:
            case Declare():
                return self._declaration(node, scope, control)
            case Assign() | CallStmt():
                self._effect(node, scope, control)
            case Return():
                self.expressions((node.value,), scope)
                check_returned(self.name, node, self.returns, scope)
                self.leaves(node, control)
            case SharedDecl():
                if node.count is not None and node.count <= 0:
                    fault(self.name, f"`{node.name}` has {node.count} elements")
                self.declare(scope, node.name, Known(PointerType(node.type)))
            case For():
                self._for(node, scope, control)
            case WhileLoop():
                self.expressions((node.condition,), scope)
                self.rounds(lambda: self._while(node, scope, control))
            case If():
                self.expressions((node.condition,), scope)
                below = self.below(node.condition, control)
                ends = [self.nodes(each, scope.inner(), below) for each in (node.then, node.otherwise)]
                copied, read = (frozenset().union(*(getattr(end, name) for end in ends)) for name in ("copied", "read"))
                return replace(control, copied=copied, read=read)
            case Switch():
                self.expressions((node.value,), scope)
                below = self.below(node.value, control)
                self.nodes((*(call for _, call in node.cases), node.default), scope.inner(), below)
            case Jump():
                self.leaves(node, control)
            case _:
                return self.block(node, scope, control)
        return control

    def _effect(self, node: Assign | CallStmt, scope: NameScope, control: Control) -> None:
        """A store or a call: done by those that it is dealt out to."""
        if isinstance(node, Assign):
            self.expressions((node.target, node.value), scope)
            check_assigned(self.name, node, scope)
            self.stored(node, control)
            self.alone(node, control)
            self.dealt(node, control)
            return
        check_expression(self.name, node.call, scope)
        self.written_by((node.call,), control)
        self.dealt(node, control)
        if self.file.meets(node.call) and not self.comes("block", control):
            fault(self.name, f"`{node.call.function}` has barriers, and not all threads come to it")

    def _declaration(self, node: Declare, scope: NameScope, control: Control) -> Control:
        symbol = node.symbol
        if any(not isinstance(extent, IntLiteral) for extent in extents(symbol.type)):
            fault(self.name, f"the extent of `{symbol.name}` is computed when the kernel runs")
        self.expressions((node.init,), scope)
        if symbol.is_const and node.init is None:
            fault(self.name, f"`{symbol.name}` is const and has no value")
        ctype: CType = symbol.type
        if isinstance(ctype, ArrayType):
            ctype = PointerType(ctype.element)
        points_to_const = isinstance(symbol.type, PointerType) and symbol.type.is_const
        is_fixed = points_to_const or (isinstance(symbol.type, ArrayType) and symbol.is_const)
        self.declare(scope, symbol.name, Known(ctype, is_const=symbol.is_const, reads_only=is_fixed))
        self.differs.pop(symbol.name, None)
        if node.init is not None:
            if not isinstance(symbol.type, ArrayType):
                check_assigned(self.name, node, scope)
            self.written_by((node.init,), control)
            if self.varies(node.init, control):
                return replace(control, varying=control.varying | {symbol.name})
        return control

    def _while(self, node: WhileLoop, scope: NameScope, control: Control) -> None:
        """One round."""
        self.nodes(node.body, scope.inner(), self.below(node.condition, control))

    def _for(self, node: For, scope: NameScope, control: Control) -> None:
        inside = scope.inner()
        self.expressions((node.lower,), scope)
        if node.declares:
            if scope.binds(node.iterator.name):
                fault(self.name, f"a loop around has `{node.iterator.name}` already")
            self.declare(inside, node.iterator.name, Known(node.iterator.type))
            self.differs.pop(node.iterator.name, None)
        self.expressions((node.bound, node.step), inside)
        along = self.directions(node.lower)
        if along & control.dealt:
            fault(self.name, f"two loops are dealt out along {', '.join(sorted(along & control.dealt))}")
        if BLOCK_ROWS in names_of(node.lower) and ROWS_END not in names_of(node.bound):
            fault(self.name, "a block goes on into the rows of the next one")
        self.begun.update(along)
        below = replace(control, dealt=control.dealt | along)
        below = replace(below, in_grid=below.in_grid and not names_block(node.lower, node.bound))
        self.rounds(lambda: self._round(node, inside.copy(), below))

    def _round(self, node: For, inside: NameScope, control: Control) -> None:
        """One round of a loop; its counter is there behind the loop, too, if that does not declare it."""
        if any(self.varies(each, control) for each in (node.lower, node.bound, node.step)):
            control = replace(control.divided, varying=control.varying | {node.iterator.name})
            if not node.declares:
                self.differs[node.iterator.name] = True
        self.nodes(node.body, inside, control)

    # ---- building blocks ---------------------------------------------------------------------------

    def block(self, node: BuildingBlock, scope: NameScope, control: Control) -> Control:  # noqa: C901  (one case a kind)
        """One building block: what it declares, and what stands in it."""
        if node.is_dealt and control.alone:
            fault(self.name, f"{type(node).__name__} is dealt out to threads of which only some come to it")
        match node:
            case Segment():
                self.segment(node, scope, control)
                self.dealt_to_threads(node, control)
            case Sync():
                self.meet(node.scope, control)
                self.expressions([variable(each.name, each.type) for each in node.given], scope)
                return replace(control, copied=frozenset(), read=frozenset()) if node.scope != "warp" else control
            case Braces():
                self.nodes(node.body, scope.inner(), control)
            case Start():
                self.declare(scope, "@acc", Known(node.accumulator.carried))
                name = node.accumulator.name
                return replace(control, begun=control.begun | {name}, folded=control.folded - {name})
            case Combine():
                self._combine(node, scope, control)
                if node.scope == "thread":
                    return replace(control, folded=control.folded | {node.accumulator.name})
            case CombineGrid() | Arrive():
                self._arrive(node, scope, control)
            case EachRow():
                return self._rows(node, scope, control)
            case Workers():
                inside = scope.inner()
                inside.provide(("@worker",), UINT)
                below = replace(control, is_uniform=False, level="workers")
                self.nodes(node.body, inside, below)
            case Teams():
                self.expressions((node.runs, node.chunks), scope)
                scope.provide(("@team", "@thread", "@teams"), UINT)
            case ValuesOfRow():
                self.expressions((variable("@slots"), variable("@partials"), variable("@workers")), scope)
                self.declare(scope, "@values", Known(PointerType(node.accumulator.type)))
            case OfRow():
                if control.level != "lanes":
                    fault(self.name, "lanes have no rows of their own here")
                self.nodes(node.body, scope.inner(), control.divided)
            case ByOne():
                if node.scope not in self._work_together(control):
                    fault(self.name, f"one thread of {node.scope} is asked for where {control.level or 'block'} works")
                self.nodes(node.body, scope.inner(), replace(control.of_some, alone=True))
            case Tile():
                pass
            case Local() | Run() | LoadChunk() | LoadItems() | StoreChunk() | CopyChunk() | EachItem() | Unrolled():
                self.memory(node, scope, control)
            case RowTeam() | ExchangeParts() | RowPlace() | StitchedRows() | Exchange():
                return self.row(node, scope, control)
            case ColumnTeam() | ColumnLanes() | ColumnPlaces() | ColumnPlace():
                return self.columns(node, scope, control)
            case StartColumns() | ColumnSegment() | KeepLane() | OwnColumns() | EachLane():
                return self.down_columns(node, scope, control)
            case CombineColumns() | LeftByBlocks() | ColumnsOfGrid() | EachTile() | EachColumn():
                self.across_columns(node, scope, control)
            case ChunkPlace() | OwnPlace() | ElementPlace():
                return self.placed(node, scope, control)
            case HaloTile() | CopyTile() | PlanePlaces() | LoadPlane() | StorePlane() | EachPlane() | PointsOfTile():
                return self.halo(node, scope, control)
            case TimeTile() | EachIteration() | PointsOfStep():
                return self.time(node, scope, control)
            case (
                Atomic() | AddInOrder() | BinCopies() | ClearCopies() | EachBin() | TotalOfCopies() | BlocksOfThread()
                | BinsOfWarps() | TotalOfBlocks() | LeavePart() | TotalOfGroups() | BucketCopies() | EachBucket()
                | PairsOfWarp() | BinsOfBucket() | HotBins() | PutHot() | HotTotals()
            ):  # fmt: skip
                return self.bins(node, scope, control)
            case (
                PutInBin() | PutAtOnce() | ValueRun() | EndRun() | KeptValue() | KeepOfChunk() | PutChunk() | KeepPair()
            ):  # fmt: skip
                return self.values(node, scope, control)
            case (
                PointElement() | OfElement() | CountOfPoints() | ItemsInTurn() | EachItemOfGrid() | ItemPlace()
                | PointPlace() | PointsThere() | LoadPart() | ChunkOrPoints() | OneRun() | PointsOfRuns() | RunLengths()
            ):  # fmt: skip
                return self.points(node, scope, control)
            case (
                ShortTeam() | RunOfRow() | ShortRows() | ChunksOfPoint() | LoadRows() | RowsInFlight() | ShortSegment()
                | CombineRows()
            ):  # fmt: skip
                return self.short(node, scope, control)
            case StageOfRow() | WhereWhole() | Items() | CopiedItems() | Flights() | ElementsOfRow():
                self.in_row(node, scope, control)
            case _ if isinstance(node, OfTile):
                return self.tile_of(node, scope, control)
            case _ if isinstance(node, TileOperands):
                return self.operands(node, scope, control)
            case _ if isinstance(node, TilePoints):
                return self.tile_points(node, scope, control)
            case _ if isinstance(node, TileResults):
                return self.results(node, scope, control)
            case _:
                fault(self.name, f"nothing says what a {type(node).__name__} has to keep to")
        return control

    def _work_together(self, control: Control) -> tuple[str, ...]:
        """Whose threads have a row together; where rows are not dealt out, all of a block, which may be a warp."""
        if control.level:
            return ("row",) if control.level in ("grid", "cluster") else (control.level,)
        return ("block", "warp") if self.at.size == WARP else ("block",)

    def segment(self, node: Segment, scope: NameScope, control: Control) -> None:
        """A run of points: dealt out to those that have the row, and to each of them once."""
        around = scope.inner()
        around.provide(("@x", "@at"), self.index)
        self.expressions((node.rank, node.size, node.count, node.point), around)
        shares = _SHARES.get(control.level)
        if shares is not None and not names_of(node.size) <= shares:
            fault(self.name, f"a run is dealt out to others than the {control.level} that have it")
        inside = around.inner()
        for load in node.loads:
            self.expressions((load.first,), around)
        for declared in node.parameters:
            if not declared.name.startswith("@") and scope.binds(declared.name):
                fault(self.name, f"`{declared.name}` is dealt out, and a loop around has it already")
            self.declare(inside, declared.name, Known(declared.type, is_const=declared.is_const))
        self.nodes(node.body, inside, control.of_some)
        self.byte_sums(node)

    def byte_sums(self, node: Segment) -> None:
        """Chunks that are added four bytes at a time are chunks of bytes that the segment loads, of one type."""
        types = {load.registers: load.type for load in node.loads}
        for each in node.byte_sums:
            kinds = {types.get(factor) for factor in each.factors}
            kind = kinds.pop() if len(kinds) == 1 else None
            if not isinstance(kind, Scalar) or kind.size != 1 or node.width % 4 or not 1 <= len(each.factors) <= 2:
                fault(self.name, f"`{', '.join(each.factors)}` are added as bytes, which they are not")

    def _combine(self, node: Combine, scope: NameScope, control: Control) -> None:
        name = node.accumulator.name
        if node.scope != "workers" and name not in control.begun:
            fault(self.name, f"`{name}` is combined before it begins")
        if node.scope not in ("thread", "workers") and node.has_sets and name not in control.folded:
            fault(self.name, f"a thread has {node.sets} values of `{name}`, and one of them is combined")
        if node.scope != "thread":
            self.meet("block" if node.scope in ("block", "workers") else "warp", control)
            needs = self.needs_block if node.scope == "block" else self.needs_lanes
            needs(node.accumulator)
        if node.at is not None and node.at.is_block != self.at.is_block:
            fault(self.name, f"`{name}` is combined as by the only block, or by one of several, and it is not")
        if node.values is not None:
            self.expressions((node.values,), scope)
        if node.scope in ("lanes", "warp") and node.scope not in self._work_together(control):
            fault(self.name, f"{node.scope} combine what they do not share")
        if node.scope not in ("thread", "worker"):
            self.declare(scope, "@total", Known(node.accumulator.type))

    def _arrive(self, node: CombineGrid | Arrive, scope: NameScope, control: Control) -> None:
        self.meet("block", control)
        names: list[Expr] = [variable("@partials"), variable("@tickets"), node.ticket]
        if isinstance(node, CombineGrid):
            names.append(variable("@total"))
            self.needs_block(node.accumulator)
        self.expressions(names, scope)
        if (node.leave == "continue") != (control.level == "block"):
            fault(self.name, f"blocks that are not the last {node.leave}, and others need them")

    def _rows(self, node: EachRow, scope: NameScope, control: Control) -> Control:
        if control.level:
            fault(self.name, f"rows are given to {control.level}, and to {node.level}")
        self.expressions((node.count,), scope)
        inside = scope.inner()
        inside.provide(("@rows", *(("@row",) if node.names_row else ())), self.index)
        ahead = inside.inner()
        self.nodes(node.of_bounds, ahead, control.of_some)
        self.expressions((bound.value for bound in node.bounds), ahead)
        for bound in node.bounds:
            self.declare(inside, bound.name, Known(bound.type, is_const=bound.is_const))
        uniform = control.is_uniform and node.level == "block"
        end = self.nodes(node.body, inside, replace(control, is_uniform=uniform, level=node.level))
        self.again(end, node.body)
        return control
