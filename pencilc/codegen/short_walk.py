"""Rules for rows of few elements: which lanes have one, what is loaded together, what the lanes have together."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from pencilc.codegen.control import Control, Rules, fault
from pencilc.codegen.kernel_types import Known, NameScope
from pencilc.ir.build import variable
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
from pencilc.ir.source import INT, PointerType

# What says how many lanes have a row, how often one is doubled for it, and how many rows they have at once.
_TEAM = ("@lanes", "@doubled", "@across")


class ShortRules(Rules):
    """The rules for these nodes."""

    @abstractmethod
    def segment(self, node: Segment, scope: NameScope, control: Control) -> None:
        """A run of points: dealt out to those that have the row, and to each of them once."""

    @abstractmethod
    def byte_sums(self, node: Segment) -> None:
        """Chunks that are added four bytes at a time are chunks of bytes that the segment loads, of one type."""

    def short(  # noqa: C901  (one case a kind)
        self, node: ShortTeam | RunOfRow | ShortRows | ChunksOfPoint | LoadRows | RowsInFlight | ShortSegment
        | CombineRows, scope: NameScope, control: Control,
    ) -> Control:  # fmt: skip
        """One of them; lanes that have no row go through the loops too."""
        inside = scope.inner()
        match node:
            case ShortTeam():
                return self._team(node, scope, control)
            case RunOfRow():
                inside.provide(("@row",), self.index)
                self.nodes(node.recover, inside, control.of_some)
                self.expressions((node.load.first,), inside)
                self.declare(scope, node.load.run, Known(PointerType(node.load.type), is_const=True, reads_only=True))
            case ShortRows():
                if control.level:
                    fault(self.name, f"rows are given to {control.level}, and dealt out again")
                self.expressions(map(variable, ("@rows", *_TEAM)), scope)
                inside.provide(("@base",), self.index)
                inside.declare("@first", Known(self.index, is_const=True))
                self.nodes(node.body, inside, replace(control, level="lanes", is_uniform=False, in_grid=False))
            case ChunksOfPoint():
                self.expressions(map(variable, ("@lane", "@lanes", "@count")), scope)
                inside.declare("@at", Known(self.index))
                self.nodes(node.body, inside, control.divided)
            case LoadRows():
                self.expressions(map(variable, ("@at", "@count", "@first", "@rows", "@across")), scope)
                for load in node.loads:
                    self.expressions((variable(load.run), variable(load.registers)), scope)
                    registers = scope.find(load.registers)
                    if registers is None or registers.type != PointerType(PointerType(load.type)):
                        fault(self.name, f"`{load.registers}` is no place for what is loaded from `{load.run}`")
            case RowsInFlight():
                self.expressions(map(variable, ("@first", "@across")), scope)
                inside.declare("@l", Known(INT))
                inside.declare("@row", Known(self.index, is_const=True))
                self.nodes(node.body, inside, replace(control, varying=control.varying | {"@row"}))
            case ShortSegment(segment=segment):
                self.expressions(map(variable, ("@at", "@count", "@l", "@row", "@acc")), scope)
                for load in segment.loads:
                    self.expressions((variable(load.run), variable(load.registers)), scope)
                self.byte_sums(segment)
                # Where its elements are each run of the row tells.
                self.segment(replace(segment, loads=(), byte_sums=()), inside, control)
            case CombineRows():
                self._combine_rows(node, scope, control)
        return control

    def _team(self, node: ShortTeam, scope: NameScope, control: Control) -> Control:
        if control.level:
            fault(self.name, f"rows are given to {control.level}, and dealt out again")
        self.expressions((node.rows, node.count), scope)
        for name in ("@rows", "@count"):
            self.declare(scope, name, Known(self.index, is_const=True))
        for name in (*_TEAM, "@lane", *(("@at",) if node.of == "grid" else ())):
            self.declare(scope, name, Known(INT, is_const=name != "@doubled"))
        return replace(control, varying=control.varying | {"@at", "@lane"})

    def _combine_rows(self, node: CombineRows, scope: NameScope, control: Control) -> None:
        name = node.accumulator.name
        if name not in control.begun:
            fault(self.name, f"`{name}` is combined before it begins")
        if control.level != "lanes":
            fault(self.name, "lanes combine what they do not share")
        self.meet("warp", control)
        self.needs_lanes(node.accumulator)
        if not node.accumulator.is_shuffled:
            self.needs("lanes", name)
        self.expressions(map(variable, ("@acc", "@lanes")), scope)
        self.declare(scope, "@totals", Known(PointerType(node.accumulator.type)))
