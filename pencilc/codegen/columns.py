"""COLUMN kernels composed of nodes: who has which columns, down their rows, over a block, over the grid."""

from __future__ import annotations

from pencilc.ir.accumulators import Accumulator
from pencilc.ir.build import declare, element, geometry, plus, times, variable
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
from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import Node
from pencilc.ir.segments import Segment
from pencilc.ir.source import UINT, CType, Expr, PointerType
from pencilc.records import dataclass

# Bytes of what blocks have left for its columns that a thread loads before it combines any, and from how many blocks.
_BYTES_AHEAD, _BLOCKS_AHEAD = 64, 4
_LANE, _LANES = variable("@lane", UINT), variable("@lanes", UINT)


@dataclass(frozen=True, slots=True)
class ColumnParts:
    """The parts of a kernel that reduces columns, `columns` of them, each with `rows` elements.

    There are `outers` layers of columns where not all kept rows lie side by side.  `kept` finds the kept iterators of a
    layer, `axis` those of column `@x`, where anything behind names them.  `lanes` of a fixed tree: else 0.
    """

    accumulator: Accumulator
    at: Geometry
    index: CType
    columns: Expr
    rows: Expr
    outers: Expr | None
    segment: Segment
    recover: tuple[tuple[Node, ...], ...]
    kept: tuple[Node, ...]
    prologue: tuple[Node, ...]
    axis: tuple[Node, ...]
    post: tuple[Node, ...]
    lanes: int

    @property
    def width(self) -> int:
        """How many neighbouring columns a thread has."""
        return self.segment.width


def columns_of_grid(parts: ColumnParts) -> tuple[Node, ...]:
    """Columns side by side in the threads of all blocks along x; blocks along y share their rows."""
    team = ColumnTeam(parts.at, parts.width, parts.columns, parts.rows)
    place = ColumnPlace("layers" if parts.outers is not None else "grid", parts.at, parts.width)
    return (team, *_lanes(parts), *_layers(parts), place, *_reduced(parts), *_finished(parts), _each(parts))


def columns_in_block(parts: ColumnParts, across: int) -> tuple[Node, ...]:
    """The columns of a row of a composed kernel: a block takes tile after tile, up to `across` threads wide."""
    team = BlockOfColumns(parts.at, parts.width, parts.columns, parts.rows, across)
    layered = parts.outers is not None
    place = ColumnPlace("tile_of_layers" if layered else "tile", parts.at, parts.width)
    tiles = EachTile(layered, parts.width, (place, *_reduced(parts), _each(parts)))
    return (team, *_lanes(parts), *_layers(parts), tiles)


def _lanes(parts: ColumnParts) -> tuple[Node, ...]:
    return (ColumnLanes(parts.accumulator, parts.at, parts.width, parts.lanes),) if parts.lanes else ()


def _layers(parts: ColumnParts) -> tuple[Node, ...]:
    return (ColumnPlaces(parts.outers, parts.width),) if parts.outers is not None else ()


def _reduced(parts: ColumnParts) -> tuple[Node, ...]:
    """What a block has for each of its columns."""
    found, at, width = parts.accumulator, parts.at, parts.width
    start = StartColumns(found, width)
    before = (*parts.kept, *parts.prologue)
    if parts.lanes:
        down = ColumnSegment(at, parts.segment, parts.recover, _LANE, _LANES)
        lanes = EachLane(at, True, (start, down, KeepLane(found, at, width)))
        return (*before, lanes, _combined(parts))
    down = ColumnSegment(at, parts.segment, parts.recover, geometry(at.thread.y), geometry(at.threads.y))
    own = (OwnColumns(found, width),) if found.is_cascade else ()
    return (*before, start, down, *own, _combined(parts))


def _combined(parts: ColumnParts) -> CombineColumns:
    """The values of the threads of a block."""
    if parts.lanes:
        return CombineColumns(parts.accumulator, parts.width, (variable("@parts"),), True)
    places = (geometry("@thread_of_part"), geometry("@threads_of_part")) if parts.at.in_rows else ()
    return CombineColumns(parts.accumulator, parts.width, (_own(parts), *places), False)


def _own(parts: ColumnParts) -> Expr:
    """What a thread has for its columns."""
    name = "@own" if parts.accumulator.is_cascade else "@acc"
    return variable(name, PointerType(parts.accumulator.type))


def _result(parts: ColumnParts, place: Expr) -> Expr:
    """What there is for column `@k`: at this place where lanes of a fixed tree leave it, else in a register."""
    kind = parts.accumulator.type
    if not parts.lanes:
        return element(_own(parts), variable("@k"), kind)
    lanes = element(variable("@parts", PointerType(PointerType(kind))), variable("@k"), PointerType(kind))
    return element(lanes, place, kind)


def _finished(parts: ColumnParts) -> tuple[Node, ...]:
    """What all blocks of a column have, where several share its rows."""
    found, at, width = parts.accumulator, parts.at, parts.width
    across, wide = geometry(at.thread.x), geometry(at.threads.x)
    size = width * sum(member.size for member in found.members)
    ahead = max(1, min(_BLOCKS_AHEAD, _BYTES_AHEAD // max(1, size)))
    if parts.lanes:
        place = _result(parts, plus(times(_LANE, wide), across))
        left: Node = EachLane(at, False, (LeftByBlocks(found, at, width, ahead, place, _LANE, _LANES),))
    else:
        first, step = geometry(at.thread.y), geometry(at.threads.y)
        left = LeftByBlocks(found, at, width, ahead, _result(parts, across), first, step)
    layered, result = parts.outers is not None, _result(parts, across)
    return (ColumnsOfGrid(found, at, width, layered, result, (left, _combined(parts))),)


def _each(parts: ColumnParts) -> EachColumn:
    """What follows for each column."""
    at = parts.at
    axis: tuple[Node, ...] = ()
    if parts.axis:
        column = plus(variable("@column", parts.index), variable("@k"))
        axis = (declare("@x", parts.index, column, is_const=True), *parts.axis)
    result = _result(parts, geometry(at.thread.x))
    return EachColumn(parts.accumulator, at, parts.width, result, (*axis, *parts.post))
