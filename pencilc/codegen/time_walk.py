"""Tiles that do several iterations of a loop: who comes to their nodes, and which barriers stand between them."""

from __future__ import annotations

from dataclasses import replace

from pencilc.codegen.control import Control, Rules, fault
from pencilc.codegen.kernel_types import Known, NameScope
from pencilc.ir.build import variable
from pencilc.ir.nodes import names_of
from pencilc.ir.source import INT
from pencilc.ir.time_nodes import EachIteration, PointsOfStep, TimeTile


class TimeRules(Rules):
    """The rules for these nodes."""

    def time(self, node: TimeTile | EachIteration | PointsOfStep, scope: NameScope, control: Control) -> Control:
        """One of them; blocks have tiles of their own."""
        match node:
            case TimeTile():
                return self._time_tile(node, scope, control)
            case EachIteration():
                self.expressions((variable("@steps"),), scope)
                inside = scope.inner()
                inside.provide(("@step", "@left"), INT)
                end = self.nodes(node.body, inside, control)
                if end.copied or end.read:
                    fault(self.name, "no barrier stands between an iteration of a tile and the next one")
                return end
            case PointsOfStep():
                return self._points_of_step(node, scope, control)

    def _time_tile(self, node: TimeTile, scope: NameScope, control: Control) -> Control:
        if control.level:
            fault(self.name, f"rows are given to {control.level}, and dealt out again")
        self.expressions((*node.lowers, *node.counts), scope)
        for position in range(len(node.sides)):
            self.declare(scope, f"@at{position}", Known(node.type, is_const=True))
        return replace(control, level="tile")

    def _points_of_step(self, node: PointsOfStep, scope: NameScope, control: Control) -> Control:
        """All threads come, and none writes what another one may still read, or reads what no barrier has shown."""
        if not self.comes("block", control):
            fault(self.name, "not all threads come to the elements of a tile")
        for position, side in enumerate(node.sides):
            self.expressions((variable(f"@at{position}"), side.least, side.most, side.lower, side.end), scope)
        inside = scope.inner()
        inside.provide((f"@x{position}" for position in range(len(node.sides))), INT)
        self.nodes(node.body, inside, control.of_some)
        touched = names_of(node.body) & set(node.held)
        for name in sorted(touched):
            self.shown(name, control)
        for name in node.writes:
            if name in control.read:
                fault(self.name, f"`{name}` is written, and no barrier stands behind those that read it")
            if name not in touched:
                fault(self.name, f"no element writes `{name}`")
        return replace(control, copied=control.copied | set(node.writes), read=control.read | touched)
