"""Rules for columns side by side: who has which, down which rows, where threads and blocks meet."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from pencilc.codegen.control import Control, Rules, fault
from pencilc.codegen.kernel_types import Known, NameScope
from pencilc.ir.build import variable
from pencilc.ir.columns import (
    BlockOfColumns,
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
from pencilc.ir.segments import Segment
from pencilc.ir.source import INT, UINT, PointerType

# What a place of columns is found from, and what it is besides the column.
_FOUND_FROM = {
    "grid": ("@columns",), "tile": ("@columns", "@tile"), "layers": ("@columns", "@places", "@groups"),
    "tile_of_layers": ("@columns", "@places", "@groups", "@tile"),
}  # fmt: skip


class ColumnRules(Rules):
    """The rules for these nodes."""

    @abstractmethod
    def byte_sums(self, node: Segment) -> None:
        """Chunks that are added four bytes at a time are chunks of bytes that the segment loads, of one type."""

    @abstractmethod
    def segment(self, node: Segment, scope: NameScope, control: Control) -> None:
        """A run of points: dealt out to those that have the row, and to each of them once."""

    def columns(
        self, node: ColumnTeam | ColumnLanes | ColumnPlaces | ColumnPlace, scope: NameScope, control: Control
    ) -> Control:
        """Who has which columns."""
        match node:
            case ColumnTeam():
                if control.level:
                    fault(self.name, f"rows are given to {control.level}, and dealt out again")
                self.expressions((node.columns, node.rows), scope)
                for name in ("@columns", "@rows"):
                    self.declare(scope, name, Known(self.index, is_const=True))
                if isinstance(node, BlockOfColumns):
                    self.declare(scope, "@across", Known(UINT))
            case ColumnLanes():
                kind = PointerType(PointerType(node.accumulator.type))
                self.declare(scope, "@parts", Known(kind))
                self.declare(scope, "@lanes", Known(UINT, is_const=True))
            case ColumnPlaces():
                self.expressions((node.outers, variable("@columns")), scope)
                for name in ("@outers", "@groups", "@places"):
                    self.declare(scope, name, Known(self.index, is_const=True))
            case ColumnPlace():
                self.expressions(map(variable, _FOUND_FROM[node.within]), scope)
                layered = "@places" in _FOUND_FROM[node.within]
                own = ("@column", *(("@place", "@has_columns", "@outer") if layered else ()))
                for name in own:
                    self.declare(scope, name, Known(self.index, is_const=True))
                self.declare(scope, "@mine", Known(INT, is_const=True))
                return replace(control, varying=control.varying.union((*own, "@mine")))
        return control

    def down_columns(
        self, node: StartColumns | ColumnSegment | KeepLane | OwnColumns | EachLane, scope: NameScope, control: Control
    ) -> Control:
        """What a thread has of its columns, down their rows."""
        match node:
            case StartColumns():
                self.declare(scope, "@acc", Known(PointerType(node.accumulator.carried)))
                return replace(control, begun=control.begun | {node.accumulator.name})
            case ColumnSegment():
                needed = ("@columns", "@rows", "@column", "@mine", "@acc")
                self.expressions((node.lane, node.lanes, *map(variable, needed)), scope)
                for load, recover in zip(node.segment.loads, node.recover, strict=True):
                    # Where a run begins is a function of the row, and what that declares is its own.
                    within = scope.inner()
                    within.provide(("@row",), self.index)
                    self.nodes(recover, within, control)
                    self.expressions((load.first,), within)
                around = scope.inner()
                around.provide(("@row", "@x"), self.index)
                self.segment(replace(node.segment, loads=(), byte_sums=()), around, control)
                self.byte_sums(node.segment)
            case KeepLane():
                self.expressions(map(variable, ("@acc", "@lane", "@parts")), scope)
            case OwnColumns():
                self.expressions((variable("@acc"),), scope)
                self.declare(scope, "@own", Known(PointerType(node.accumulator.type)))
            case EachLane():
                self.expressions((variable("@lanes"),), scope)
                inside = scope.inner()
                self.declare(inside, "@lane", Known(UINT))
                begun = self.nodes(node.body, inside, control.divided).begun
                return replace(control, begun=begun)
        return control

    def across_columns(
        self, node: CombineColumns | LeftByBlocks | ColumnsOfGrid | EachTile | EachColumn, scope: NameScope,
        control: Control,
    ) -> None:  # fmt: skip
        """Where the threads of a block and the blocks of a grid bring together what they have for each column."""
        inside = scope.inner()
        counted = scope.inner()
        counted.provide(("@k",), INT)
        match node:
            case CombineColumns():
                name = node.accumulator.name
                if name not in control.begun:
                    fault(self.name, f"`{name}` is combined before it begins")
                self.meet("block", control)
                self.needs("fixed_columns" if node.by_lanes else "columns", name)
                self.expressions(node.values, scope)
            case LeftByBlocks():
                needed = ("@slots", "@columns", "@column", "@mine")
                self.expressions((node.result, node.first, node.step, *map(variable, needed)), counted)
            case ColumnsOfGrid():
                self.meet("block", control)
                layer = ("@outer",) if node.layered else ()
                left = ("@partials", "@tickets", "@columns", "@column", "@mine", *layer)
                self.expressions((node.result, *map(variable, left)), counted)
                if scope.binds("@tile"):
                    fault(self.name, "blocks that are not the last return, and others need them")
                inside.declare("@slots", Known(PointerType(node.accumulator.type)))
                self.nodes(node.finish, inside, control)
            case EachTile():
                self.expressions(map(variable, ("@across", "@places" if node.layered else "@columns")), scope)
                inside.declare("@tile", Known(self.index))
                self.nodes(node.body, inside, control)
            case EachColumn():
                self.expressions((node.result, variable("@mine")), counted)
                counted.declare("@total", Known(node.accumulator.type))
                self.nodes(node.body, counted, control.of_some)
