"""Points that share what is around them: which tile a block has, what is copied for it, and what each point finds."""

from __future__ import annotations

from dataclasses import replace

from pencilc.codegen.control import Control, Rules, fault
from pencilc.codegen.kernel_types import Known, NameScope
from pencilc.ir.build import variable
from pencilc.ir.halo import CopyTile, EachPlane, HaloTile, PointsOfTile
from pencilc.ir.nodes import names_of
from pencilc.ir.source import INT, PointerType

# What says where the points of a block are.
_OF_BLOCK = ("@rows", "@columns", "@first_row", "@first_column")


class HaloRules(Rules):
    """The rules for these nodes."""

    def halo(self, node: HaloTile | CopyTile | EachPlane | PointsOfTile, scope: NameScope, control: Control) -> Control:
        """One of them; blocks have tiles of their own, and go through planes of their own."""
        match node:
            case HaloTile():
                return self._halo_tile(node, scope, control)
            case CopyTile():
                return self._copy_tile(node, scope, control)
            case EachPlane():
                self.expressions(map(variable, ("@first_plane", "@ours")), scope)
                inside = scope.inner()
                inside.provide(("@step",), INT)
                below = replace(control, in_grid=False)
                fetched = self.nodes(node.fetch, inside, below)
                inside.provide(("@plane",), INT)
                self.nodes(node.body, inside, fetched)
            case PointsOfTile():
                self.expressions(map(variable, _OF_BLOCK), scope)
                inside = scope.inner()
                inside.provide(("@row", "@column"), INT)
                for name in sorted(names_of(node.body)):
                    self.shown(name, control)
                self.nodes(node.body, inside, control.of_some)
        return control

    def _halo_tile(self, node: HaloTile, scope: NameScope, control: Control) -> Control:
        if control.level:
            fault(self.name, f"rows are given to {control.level}, and dealt out again")
        self.expressions((node.rows, node.columns, node.planes, node.outers), scope)
        names = [*_OF_BLOCK]
        if node.planes is not None:
            self.expressions((variable("@depth"),), scope)
            names += ["@planes", "@first_plane", "@ours"]
        for name in names:
            self.declare(scope, name, Known(INT, is_const=True))
        if node.outers is not None:
            self.declare(scope, "@outer", Known(self.index, is_const=True))
        return replace(control, level="tile")

    def _copy_tile(self, node: CopyTile, scope: NameScope, control: Control) -> Control:
        if not self.comes("block", control):
            fault(self.name, f"not all threads come to the copies to `{node.tile}`")
        around = scope.inner()
        if node.plane is not None:
            self.node(node.plane, around, control)
        self.expressions((node.whole, variable(node.tile)), around)
        around.provide(("@at",), INT)
        self.nodes(node.places, around, control.of_some)
        self.expressions((node.condition, node.address, node.offset), around)
        held = scope.find(node.tile)
        if held is None or held.type != PointerType(node.type) or node.address.type != node.type:
            fault(self.name, f"`{node.tile}` is no place for what is copied to it")
        return replace(control, copied=control.copied | {node.tile})
