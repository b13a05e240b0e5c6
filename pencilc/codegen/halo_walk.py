"""Points that share what is around them: which tile a block has, what is copied for it, and what each point finds."""

from __future__ import annotations

from dataclasses import replace

from pencilc.codegen.control import Control, Rules, fault
from pencilc.codegen.kernel_types import Known, NameScope
from pencilc.ir.build import binary, conjuncts, is_number, number, plus, variable
from pencilc.ir.halo import CopyTile, EachPlane, HaloTile, LoadPlane, PlanePlaces, PointsOfTile, StorePlane
from pencilc.ir.nodes import names_of
from pencilc.ir.source import INT, PointerType

# What says where the points of a block are.
_OF_BLOCK = ("@rows", "@columns", "@first_row", "@first_column")


class HaloRules(Rules):
    """The rules for these nodes."""

    def halo(
        self, node: HaloTile | CopyTile | PlanePlaces | LoadPlane | StorePlane | EachPlane | PointsOfTile,
        scope: NameScope, control: Control,
    ) -> Control:  # fmt: skip
        """One of them; blocks have tiles of their own, and go through planes of their own."""
        match node:
            case HaloTile():
                return self._halo_tile(node, scope, control)
            case CopyTile():
                return self._copy_tile(node, scope, control)
            case PlanePlaces():
                self._plane_places(node, scope, control)
            case LoadPlane():
                return self._load_plane(node, scope, control)
            case StorePlane():
                return self._store_plane(node, scope, control)
            case EachPlane():
                return self._each_plane(node, scope, control)
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

    # ---- plane after plane -------------------------------------------------------------------------

    def _each_plane(self, node: EachPlane, scope: NameScope, control: Control) -> Control:
        """What is loaded in front of the loop is stored in each step, and the next plane is loaded behind it."""
        self.expressions(map(variable, ("@first_plane", "@ours")), scope)
        inside = scope.inner()
        inside.provide(("@step",), INT)
        following = plus(variable("@step"), number(1))
        is_there = binary("<", following, plus(variable("@ours"), number(node.lag)))
        for each in node.fetch:
            if isinstance(each, LoadPlane) and (each.step != following or is_there not in conjuncts(each.condition)):
                fault(self.name, f"what is loaded ahead to `{each.ahead}` is not the next plane of the block")
        stored = {each.ahead for each in node.fetch if isinstance(each, StorePlane)}
        fetched = self.nodes(node.fetch, inside, replace(control, in_grid=False))
        for name in sorted(control.ahead ^ stored | control.ahead ^ fetched.ahead):
            fault(self.name, f"not every plane that is loaded to `{name}` is stored")
        inside.provide(("@plane",), INT)
        self.nodes(node.body, inside, fetched)
        return replace(control, ahead=frozenset())

    def _plane_places(self, node: PlanePlaces, scope: NameScope, control: Control) -> None:
        self.declare(scope, node.places, Known(PointerType(node.place.type)))
        self.declare(scope, node.ahead, Known(PointerType(node.type)))
        around = scope.inner()
        around.provide(("@e", "@at"), INT)
        self.nodes(node.subscripts, around, control.of_some)
        self.expressions((node.place,), around)

    def _load_plane(self, node: LoadPlane, scope: NameScope, control: Control) -> Control:
        if not self.comes("block", control):
            fault(self.name, f"not all threads come to the loads to `{node.ahead}`")
        if node.ahead in control.ahead:
            fault(self.name, f"`{node.ahead}` is loaded twice, and not stored between")
        if scope.find("@step") is None and not is_number(node.step, 0):
            fault(self.name, f"what is loaded first to `{node.ahead}` is not the first plane of the block")
        around = scope.inner()
        self.expressions((node.step, node.condition, variable(node.places)), around)
        self.node(node.first, around, control)
        around.provide(("@e",), INT)
        self.expressions((node.address,), around)
        held = scope.find(node.ahead)
        if held is None or held.type != PointerType(node.address.type):
            fault(self.name, f"`{node.ahead}` is no place for what is loaded to it")
        return replace(control, ahead=control.ahead | {node.ahead})

    def _store_plane(self, node: StorePlane, scope: NameScope, control: Control) -> Control:
        if not self.comes("block", control):
            fault(self.name, f"not all threads come to the stores to `{node.tile}`")
        if node.ahead not in control.ahead:
            fault(self.name, f"`{node.ahead}` is stored, and nothing has been loaded to it")
        around = scope.inner()
        around.provide(("@e", "@at"), INT)
        self.expressions((node.condition, variable(node.places), node.offset), around)
        types = [None if found is None else found.type for found in map(scope.find, (node.tile, node.ahead))]
        if types != [PointerType(node.type)] * 2:
            fault(self.name, f"`{node.tile}` is no place for what is stored to it")
        return replace(control, copied=control.copied | {node.tile}, ahead=control.ahead - {node.ahead})
