"""Rules for points that share what they read: who has a tile, what is on the chip when, who hands over and leaves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pencilc.codegen.control import Control, fault
from pencilc.codegen.kernel_types import Known, NameScope
from pencilc.codegen.thread_rules import ThreadRules
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.build import generated_type, variable
from pencilc.ir.source import BOOL, INT, UINT, Expr, PointerType
from pencilc.ir.tiles import (
    BeginPoints,
    BeginTile,
    BlankTile,
    ChunksOfFragments,
    CombineFolded,
    CommitStage,
    CopyRead,
    EachLine,
    EachStage,
    ElementOfTile,
    EmptyTotal,
    EvenStages,
    FetchFragments,
    FetchNext,
    FetchTile,
    FirstStages,
    FoldedPlaces,
    FoldOfPoint,
    FoldPoints,
    FromArch,
    HandOver,
    LeaveEmpty,
    LeaveTile,
    LinePlace,
    MultiplyFragments,
    NextOfTiles,
    OfTensorCores,
    OfTile,
    OperandAddress,
    OperandTile,
    PartsOfOperands,
    PointsOfLines,
    RangeOfPoints,
    ResultsOfTile,
    RowsOfTile,
    RowsOfTiles,
    ShareOfPoints,
    SlotsOfTile,
    StagesAhead,
    StartFragments,
    StartTile,
    StoreTile,
    TensorMemory,
    TileAgain,
    TileMemory,
    TileOfBlock,
    TileOperands,
    TilePoints,
    TileResults,
    TotalOfTile,
    UseTile,
    WaitForStage,
    WholeFragments,
)

_STAGES = "@tile_of"  # of tensor cores, in shared memory, where results stand behind the products
_OF_FRAGMENTS = ("@wide_fragments", "@warp", "@warp_row", "@warp_column")
# Where results stand, what those name who hand them over, and what those find who take them.
_RESULTS = {"items": "@results", "fragments": _STAGES}
_OF_LINES = {"items": ("@own_row", "@group_across", "@thread_across"), "fragments": _OF_FRAGMENTS}
_PLACES = {"items": ("@x",), "fragments": ("@x", "@line", "@place", "@own_row")}
_SIDES = ("@tile_rows", "@tile_columns")
_NUMBERS = frozenset(("DOWN", "ACROSS", "DEPTH", "BLOCKS"))
_OF_BLOCK = (*_SIDES, "@rows", "@columns", "@first_row", "@first_column")
_OF_TILE = ("@tile", "@tiles_down", "@tiles_across", "@first_row", "@first_column")
_OF_THREAD = ("@group_down", "@group_across", "@thread_down", "@thread_across")


class TileRules(ThreadRules):
    """The rules for these nodes."""

    def tile_of(self, node: OfTile, scope: NameScope, control: Control) -> Control:
        """Which tile a block has, and whether any."""
        match node:
            case TileOfBlock() | RowsOfTiles():
                return self._tile(node, scope, control)
            case LeaveEmpty():
                if self.varies(node.occupied, control):
                    fault(self.name, "some threads of a block leave its tile, and others need them")
                self.expressions((*self._named(*_SIDES, "@first_row", "@first_column"), node.occupied), scope)
            case RangeOfPoints():
                asked = (node.first, node.last, node.with_elements)
                if any(self.varies(each, control) for each in asked if each is not None):
                    fault(self.name, "threads of a block go through different reduced points")
                self.expressions((*self._named("@points", *_SIDES), *asked), scope)
                for name in ("@begin", "@end"):
                    self.declare(scope, name, Known(INT, is_const=True))
            case ShareOfPoints():
                if node.unit < 1:
                    fault(self.name, "shares of points are multiples of nothing")
                self.expressions(self._named(*(("@begin", "@end") if node.ranged else ("@points",))), scope)
                self.declare(scope, "@at", Known(INT))
                self.declare(scope, "@last", Known(INT, is_const=True))
            case FromArch():
                for body in (node.then, node.otherwise):
                    self.nodes(body, scope.inner(), control)
        return control

    def _named(self, *names: str) -> Iterable[Expr]:
        """What a node names by itself, in the text of its macro."""
        return map(variable, names)

    def _tile(self, node: TileOfBlock | RowsOfTiles, scope: NameScope, control: Control) -> Control:
        if control.level:
            fault(self.name, f"rows are given to {control.level}, and dealt out again")
        if not self.numbers >= _NUMBERS:
            fault(self.name, "how many points a thread has is computed when the kernel runs")
        self.expressions((node.rows, node.columns, node.points, node.outers), scope)
        for name in (*_SIDES, "@rows", "@columns", "@points"):
            self.declare(scope, name, Known(INT, is_const=True))
        moves = isinstance(node, RowsOfTiles)
        self.declare(scope, "@first_row", Known(INT, is_const=moves))
        self.declare(scope, "@first_column", Known(INT))
        if moves:
            self.declare(scope, "@last_column", Known(INT, is_const=True))
        else:
            for name in ("@tiles_down", "@tiles_across"):
                self.declare(scope, name, Known(UINT, is_const=True))
        if node.outers is not None:
            self.declare(scope, "@outer", Known(self.index, is_const=True))
        self.declare(scope, "@tile", Known(UINT, is_const=True))
        return replace(control, level="tile")

    # ---- operands ----------------------------------------------------------------------------------

    def _address(self, operand: OperandTile, scope: NameScope, control: Control) -> None:
        """Where an element of an operand is, and whether the source reads it."""
        found = [(operand.recover, operand.address, operand.fetch, operand.address.type)]
        if operand.read is not None:
            found.append((operand.recover_read, operand.read, operand.is_read, BOOL))
        for recover, value, name, kind in found:
            around = scope.inner()
            around.provide(("@row" if operand.down else "@column", "@point"), INT)
            self.nodes(recover, around, control.of_some)
            self.expressions((value,), around)
            self.declare(scope, name, Known(kind, is_const=True))

    def operands(self, node: TileOperands, scope: NameScope, control: Control) -> Control:
        """What is fetched, stored and used, with barriers between."""
        match node:
            case OperandAddress(operand=operand):
                self._address(operand, scope, control)
            case TileMemory():
                self._memory(node, scope)
                return replace(control, varying=control.varying | {"@thread_down", "@thread_across"})
            case PartsOfOperands():
                self.expressions(self._named(*_SIDES, "DEPTH"), scope)
                for operand in node.operands:
                    self.declare(scope, operand.part, Known(operand.type))
            case FetchTile() | FetchNext():
                self._fetch(node, scope)
            case CopyRead() | StoreTile():
                return self._to_shared(node, scope, control)
            case NextOfTiles():
                self.expressions(self._named("@at", "DEPTH", "@points", "@tile_columns", "@first_column"), scope)
                for name in ("@ends", "@next", "@next_column"):
                    self.declare(scope, name, Known(INT, is_const=True))
            case UseTile():
                self._use(node, scope, control)
            case EvenStages() | EachStage() | StagesAhead():
                return self._stages(node, scope, control)
            case _:
                return self._by_tensor_cores(node, scope, control)
        return control

    def _to_shared(self, node: CopyRead | StoreTile, scope: NameScope, control: Control) -> Control:
        """What all threads put into shared memory is seen behind the next barrier."""
        self._all_come(control, "put what is fetched into shared memory")
        self.expressions(self._named("@now", *(each.tiles for each in node.operands)), scope)
        if isinstance(node, CopyRead):
            own = (name for each in node.operands for name in (each.fetch, each.is_read))
            self.expressions((*self._named(*own, *_OF_BLOCK), node.point, node.last), scope)
        else:
            self.expressions(self._named(*(each.part for each in node.operands)), scope)
        return replace(control, copied=control.copied.union(each.tiles for each in node.operands))

    def _memory(self, node: TileMemory, scope: NameScope) -> None:
        self.expressions((node.down, node.across, *self._named(*_SIDES, "DEPTH")), scope)
        for name in _OF_THREAD:
            self.declare(scope, name, Known(INT, is_const=True))
        for operand in node.operands:
            self.declare(scope, operand.tiles, Known(PointerType(operand.type)))

    def _all_come(self, control: Control, what: str) -> None:
        if not self.comes("block", control):
            fault(self.name, f"not all threads {what}")

    def _stages(self, node: EvenStages | EachStage | StagesAhead, scope: NameScope, control: Control) -> Control:
        """Each round waits for what it uses."""
        if isinstance(node, EvenStages):
            return self._even_stages(node, scope, control)
        if isinstance(node, StagesAhead):
            return self._stages_ahead(node, scope, control)
        self.expressions((node.condition,), scope)
        if self.varies(node.condition, control):
            fault(self.name, "threads of a block go through different numbers of stages")
        kinds = {type(each) for each in node.body}
        if WaitForStage in kinds and CommitStage not in kinds:
            fault(self.name, "stages are waited for, and not counted in each round")
        inside = scope.inner()
        inside.provide(("@now",), INT)
        end = self.nodes(node.body, inside, replace(control, shown=control.shown - {_STAGES}))
        return replace(control, read=control.read | end.read, begun=end.begun)

    def _stages_ahead(self, node: StagesAhead, scope: NameScope, control: Control) -> Control:
        """What is fetched is used a round later, behind a barrier."""
        inside = scope.inner()
        inside.provide(("@now", "@next"), INT)
        self.expressions((*self._named("@at", "DEPTH"), node.is_next), inside)
        if self.varies(node.is_next, control):
            fault(self.name, "threads of a block go through different numbers of stages")
        end = self.nodes((*node.fetch, *node.show, *node.use), inside, control)
        return replace(control, read=control.read | end.read, begun=end.begun)

    def _fetch(self, node: FetchTile | FetchNext, scope: NameScope) -> None:
        """Whoever comes fetches what it knows the place of."""
        self.expressions(self._named(*(each.part for each in node.operands)), scope)
        if isinstance(node, FetchTile):
            places = self._named(*(each.fetch for each in node.operands), *_OF_BLOCK)
            self.expressions((*places, node.point, node.last, node.column), scope)
        else:
            self.expressions((node.left,), scope)

    def _even_stages(self, node: EvenStages, scope: NameScope, control: Control) -> Control:
        """The same stages whether by chunks or by elements."""
        self._all_come(control, "go through whole stages")
        self.expressions(
            self._named("@last", "@at", "DEPTH", *(each.fetch for each in node.operands), *_OF_BLOCK), scope
        )
        inside = scope.inner()
        for operand in node.operands:
            self.declare(inside, operand.part, Known(operand.type))
        self.declare(inside, "@is_whole", Known(BOOL, is_const=True))
        end = self.nodes(node.body, inside, control)
        return replace(control, read=control.read | end.read, begun=end.begun)

    def _use(self, node: UseTile, scope: NameScope, control: Control) -> None:
        own = [each.tiles for each in node.operands]
        for tiles in own:
            self.shown(tiles, control)
        self._begun(node.accumulator, control)
        named = self._named("@now", "@acc", node.element, *own, *_OF_BLOCK, *_OF_THREAD)
        forms = self._named("@is_whole", "DEPTH", "@last", "@at") if node.in_forms else ()
        self.expressions((*named, *forms, node.whole, node.last), scope)
        around = scope.inner()
        around.provide(("@row", "@column"), INT)
        self.expressions((node.row, node.column), around)

    def _begun(self, found: Accumulator, control: Control) -> None:
        if found.name not in control.begun:
            fault(self.name, f"`{found.name}` is combined before it begins")

    def _by_tensor_cores(self, node: OfTensorCores, scope: NameScope, control: Control) -> Control:
        match node:
            case TensorMemory():
                self.expressions(self._named(*_SIDES), scope)
                for name in ("@high_fragments", "@tensor_depth", "@stages", *_OF_FRAGMENTS):
                    self.declare(scope, name, Known(INT, is_const=True))
                self.declare(scope, "@tile_of", Known(PointerType(node.accumulator.type)))
                self.declare(scope, "@tile_of.results", Known(PointerType(PointerType(node.accumulator.type))))
                return replace(control, varying=control.varying | {"@warp", "@warp_row", "@warp_column"})
            case WaitForStage():
                self._all_come(control, "wait for what all of them use")
                self.expressions(self._named("@stages"), scope)
                return replace(control, copied=control.copied | {_STAGES}, shown=control.shown | {_STAGES})
            case MultiplyFragments(product=product):
                if _STAGES not in control.shown:
                    fault(self.name, "what is multiplied may still be on its way")
                self.shown(_STAGES, control)
                self._begun(node.accumulator, control)
                self.meet("warp", control)
                own = (each.fetch for each in (product.down, product.across))
                self.expressions(self._named("@now", "@acc", *own, *_OF_FRAGMENTS), scope)
                return replace(control, read=control.read | {_STAGES})
            case _:
                self._to_stages(node, scope, control)
        return control

    def _to_stages(
        self,
        node: WholeFragments | ChunksOfFragments | FetchFragments | FirstStages | CommitStage,
        scope: NameScope,
        control: Control,
    ) -> None:
        """What is on its way to the stages; all threads count alike what they wait for."""
        match node:
            case WholeFragments():
                own = [each.fetch for each in node.operands if each.is_even]
                self.expressions(self._named(_STAGES, "@at", *own, *_OF_BLOCK), scope)
                for operand in node.operands:
                    self.declare(scope, operand.whole, Known(BOOL, is_const=True))
            case ChunksOfFragments():
                own = [name for each in node.operands for name in (each.fetch, each.whole)]
                self.expressions(self._named(_STAGES, "@at", "@stages", "@tensor_depth", *own, *_OF_BLOCK), scope)
                for operand in node.operands:
                    self.declare(scope, operand.chunks, Known(generated_type("")))
            case FetchFragments():
                own = [name for each in node.operands for name in (each.fetch, each.whole)]
                own += [each.chunks for each in node.operands if node.keeps_places]
                self.expressions((*self._named(_STAGES, "@last", *own, *_OF_BLOCK), node.stage, node.point), scope)
                self._all_come(control, "fetch what all of them use")
            case FirstStages():
                self._all_come(control, "fetch what all of them use")
                self.expressions(self._named("@stages"), scope)
                inside = scope.inner()
                inside.provide(("@now",), INT)
                self.nodes(node.body, inside, control)
            case CommitStage():
                self._all_come(control, "count what they wait for")

    # ---- points ------------------------------------------------------------------------------------

    def tile_points(self, node: TilePoints, scope: NameScope, control: Control) -> Control:
        """What points begin with, and what happens to them."""
        match node:
            case ElementOfTile():
                inside = scope.inner()
                for declared in node.parameters:
                    if not declared.name.startswith("@") and scope.binds(declared.name):
                        fault(self.name, f"`{declared.name}` is dealt out, and a loop around has it already")
                    self.declare(inside, declared.name, Known(declared.type, is_const=declared.is_const))
                self.nodes(node.body, inside, control.of_some)
                self.declare(scope, node.element, Known(INT, is_const=True))
            case StartTile() | StartFragments():
                self.needs("accumulator", node.accumulator.name)
                self._accumulators(node.accumulator, scope)
                return _with_begun(node.accumulator, control)
            case BlankTile():
                self._accumulators(node.accumulator, scope)
            case BeginPoints():
                inside = scope.inner()
                inside.provide(("@r", "@c"), INT)
                self.expressions(self._named("@acc"), scope)
                if node.of == "points":
                    self.expressions(self._named(*_OF_BLOCK, *_OF_THREAD), scope)
                    inside.provide(("@row", "@column"), INT)
                self.nodes(node.body, inside, control.of_some)
                return _with_begun(node.accumulator, control)
            case BeginTile():
                self.expressions(self._named("@at"), scope)
                return replace(control, begun=self.nodes(node.body, scope.inner(), control).begun)
            case FoldedPlaces() | FoldOfPoint() | FoldPoints():
                return self._folded(node, scope, control)
        return control

    def _folded(self, node: FoldedPlaces | FoldOfPoint | FoldPoints, scope: NameScope, control: Control) -> Control:
        match node:
            case FoldedPlaces():
                self.needs("accumulator", node.accumulator.name)
                self.declare(scope, "@folded", Known(PointerType(node.accumulator.carried)))
                return _with_begun(node.accumulator, control)
            case FoldOfPoint():
                inside = scope.inner()
                inside.provide(node.takes, INT)
                self.declare(inside, "@total", Known(node.value, is_const=True))
                self.declare(inside, "@acc", Known(node.accumulator.carried))
                self.nodes(node.body, inside, control.of_some)
                self.declare(scope, node.fold, Known(INT, is_const=True))
            case FoldPoints():
                for found in (node.points, node.accumulator):
                    self._begun(found, control)
                own = ("@acc", "@folded", node.fold)
                self.expressions(self._named(*own, *_OF_BLOCK, *_OF_THREAD), scope)
        return control

    def _accumulators(self, found: Accumulator, scope: NameScope) -> None:
        """Those of all points that a thread has, or of a warp's fragments."""
        self.declare(scope, "@acc", Known(PointerType(PointerType(found.carried))))

    # ---- results -----------------------------------------------------------------------------------

    def results(self, node: TileResults, scope: NameScope, control: Control) -> Control:
        """What threads hand to each other and blocks leave, with barriers between."""
        match node:
            case EachLine():
                return self._lines(node, scope, control)
            case TileAgain() | LinePlace():
                self._placed(node, scope)
            case ResultsOfTile():
                self.expressions(self._named(*_SIDES), scope)
                self.declare(scope, "@results", Known(PointerType(node.accumulator.type)))
            case HandOver():
                return self._handed_over(node, scope, control)
            case PointsOfLines():
                self.shown(_RESULTS[node.of], control)
                self.expressions(self._named("@r", *_OF_BLOCK), scope)
                inside = scope.inner()
                inside.provide(("@row", "@column", *_PLACES[node.of]), INT)
                self.nodes(node.body, inside, control.of_some)
                return replace(control, read=control.read | {_RESULTS[node.of]})
            case RowsOfTile():
                self.shown("@results", control)
                self.expressions(self._named(*_OF_BLOCK), scope)
                inside = scope.inner()
                inside.provide(("@row", "@x"), INT)
                self.nodes(node.body, inside, control.of_some)
            case SlotsOfTile():
                self.expressions(self._named("@partials", *_SIDES), scope)
                self.declare(scope, "@slots", Known(PointerType(node.accumulator.type), is_const=True))
            case LeaveTile():
                return self._left(node, scope, control)
            case TotalOfTile():
                self._total(node, scope, control)
            case EmptyTotal():
                self.needs("accumulator", node.accumulator.name)
                self.expressions(self._named("@total"), scope)
            case CombineFolded():
                self._begun(node.accumulator, control)
                self.needs_lanes(node.accumulator)
                self.meet("block", control)
                self.expressions(self._named("@folded", *_SIDES, *_OF_THREAD), scope)
                self.declare(scope, "@results", Known(PointerType(node.accumulator.type)))
                return replace(control, copied=control.copied | {"@results"})
        return control

    def _lines(self, node: EachLine, scope: NameScope, control: Control) -> Control:
        """One line after the other: what the first round leaves is there in the second."""
        self.expressions((node.count,), scope)
        for _ in range(2):
            inside = scope.inner()
            inside.provide(("@r",), INT)
            end = self.nodes(node.body, inside, control)
            control = replace(control, copied=end.copied, read=end.read)
        return control

    def _placed(self, node: TileAgain | LinePlace, scope: NameScope) -> None:
        """Where the tile begins, or the results of a thread."""
        if isinstance(node, TileAgain):
            self.expressions(self._named(*_SIDES, *_OF_TILE), scope)
        else:
            self.expressions(self._named(*_SIDES, *_OF_THREAD), scope)
            self.declare(scope, "@own_row", Known(INT, is_const=True))

    def _handed_over(self, node: HandOver, scope: NameScope, control: Control) -> Control:
        place = _RESULTS[node.of]
        self._begun(node.accumulator, control)
        self._all_come(control, "hand over what they have")
        if place in control.read:
            fault(self.name, f"`{place}` is used again, and no barrier stands between")
        self.expressions((node.count, *self._named("@acc", "@r", *_SIDES, place, *_OF_LINES[node.of])), scope)
        return replace(control, copied=control.copied | {place})

    def _left(self, node: LeaveTile, scope: NameScope, control: Control) -> Control:
        self.meet("block", control)
        own = ("@results",) if node.of == "rows" else ("@acc", *_OF_LINES[node.of])
        if node.of == "rows":
            self.shown("@results", control)
        self._begun(node.accumulator, control)
        self.expressions(self._named("@slots", "@tickets", *_SIDES, *own), scope)
        return replace(control, shown=control.shown | {"@slots"})

    def _total(self, node: TotalOfTile, scope: NameScope, control: Control) -> None:
        self.needs("accumulator", node.accumulator.name)
        if "@slots" not in control.shown:
            fault(self.name, f"`{node.accumulator.name}` of several blocks is combined before all have left it")
        self.expressions((node.here, node.slot, *self._named("@slots", *_SIDES)), scope)
        self.declare(scope, "@total", Known(node.accumulator.type))


def _with_begun(found: Accumulator, control: Control) -> Control:
    return replace(control, begun=control.begun | {found.name})
