"""Rules for rows that stay on the chip: who has one, where in it a thread is, what moves, who exchanges what."""

from __future__ import annotations

from dataclasses import replace

from pencilc.codegen.control import Control, Rules, fault
from pencilc.codegen.expression_rules import check_expression, check_moved, check_passed
from pencilc.codegen.kernel_types import Known, NameScope
from pencilc.ir.build import ZERO, element, generated_type, variable
from pencilc.ir.nodes import Parameter
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
    GridParts,
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
    Team,
    Unrolled,
    WhereWhole,
)
from pencilc.ir.source import BOOL, INT, UINT, CType, Expr, IntLiteral, Name, PointerType
from pencilc.target import WARP

# What a team that has a row is made of, besides what its kernel is made for, and who of it exchange what they have.
_TEAMS = {
    "threads": ("THREADS",), "across": ("THREADS",), "grid": ("THREADS",), "block": ("THREADS",),
    "cluster": ("BLOCK", "@blocks", "THREADS"), "block_across": ("ACROSS", "THREADS"),
    "block_grid": ("BLOCK", "THREADS"),
}  # fmt: skip
_LEVELS = {
    "threads": "row", "block": "row", "across": "across", "block_across": "across", "grid": "grid",
    "block_grid": "grid", "cluster": "cluster",
}  # fmt: skip


# How much of a row a thread has, and where in the row that is.
_ITEMS = variable("ITEMS")
_OF_THREAD = tuple(map(variable, ("THREADS", "@rank", "@count")))


class RowRules(Rules):
    """The rules for these nodes; `places`: of the shared memory through which rows exchange what they have.

    `widest`: threads of a block, at most; `few`: where some lanes of a warp may have a row.
    """

    places = 0
    widest = 0
    few: Expr | None = None

    # ---- memory ------------------------------------------------------------------------------------

    def memory(
        self, node: Local | Run | LoadChunk | LoadItems | StoreChunk | CopyChunk | EachItem | Unrolled,
        scope: NameScope, control: Control,
    ) -> None:  # fmt: skip
        """Registers, runs of elements, and what moves between them."""
        match node:
            case Local():
                kind: CType = node.type
                for extent in node.extents:
                    self._known(extent, f"the extent of `{node.name}`")
                    kind = PointerType(kind)
                self.declare(scope, node.name, Known(kind))
            case Run():
                check_expression(self.name, node.first, scope)
                run = Parameter(node.name, PointerType(node.type), node.is_const)
                check_passed(self.name, f"the run `{node.name}`", node.first, run, scope)
                self.declare(scope, node.name, Known(run.type, is_const=True, reads_only=node.is_const))
                self.declare(scope, node.wide, Known(BOOL, is_const=True))
            case LoadItems():
                self._known(_ITEMS, "how much of a row a thread has")
                self.expressions((node.registers, node.run, node.wide, *_OF_THREAD), scope)
                check_moved(self.name, node.run, element(node.registers, ZERO, node.run.type), scope)
            case LoadChunk() | StoreChunk():
                self.expressions((node.chunk, node.run, node.offset, node.left, node.wide), scope)
                given, taken = (node.run, node.chunk) if isinstance(node, LoadChunk) else (node.chunk, node.run)
                check_moved(self.name, given, taken, scope)
                if isinstance(node, StoreChunk):
                    self.dealt(node, control)
            case CopyChunk():
                self.expressions((node.place, node.run, node.offset, node.left, node.wide), scope)
                check_moved(self.name, node.run, node.place, scope)
            case EachItem() | Unrolled():
                inside = scope.inner()
                if isinstance(node, EachItem):
                    self._known(_ITEMS, "how much of a row a thread has")
                    self.declare(inside, "@c", Known(INT))
                else:
                    self.declare(inside, "@k" if node.over == "chunk" else "@l", Known(INT))
                self.nodes(node.body, inside, control)

    def _known(self, value: Expr, what: str) -> None:
        """A number, or one that the function is made for."""
        is_number = isinstance(value, IntLiteral)
        if not is_number and not (isinstance(value, Name) and value.symbol.name in self.numbers):
            fault(self.name, f"{what} is computed when the kernel runs")

    # ---- rows that stay on the chip ----------------------------------------------------------------

    def row(
        self, node: RowTeam | ExchangeParts | RowPlace | StitchedRows | Exchange, scope: NameScope, control: Control
    ) -> Control:
        """Who has a row, and what they exchange."""
        match node:
            case RowTeam():
                self.expressions((node.few,), scope)
                self.few = node.few
                for name in _TEAMS[node.team]:
                    self.declare(scope, name, Known(INT, is_const=True))
            case ExchangeParts():
                self.needs("parts", node.name)
                self.places = node.places
                self.declare(scope, "@parts", Known(PointerType(generated_type(f"{node.name}_parts"))))
                if isinstance(node, GridParts):
                    self.needs("partial", node.name)
                else:
                    self.declare(scope, "@turn", Known(UINT))
            case RowPlace():
                return self._place_in_row(node, scope, control)
            case StitchedRows():
                self._stitched(node, scope, control)
            case Exchange():
                self._exchange(node, scope, control)
        return control

    def _place_in_row(self, node: RowPlace, scope: NameScope, control: Control) -> Control:
        self.expressions((node.rows, node.count, *map(variable, self._of_team(node.team))), scope)
        own = ("@rank", "@lane") if node.team == "block_across" else ("@rank",)
        for name in own:
            self.declare(scope, name, Known(INT, is_const=True))
        if node.rows is not None:
            self.declare(scope, "@rows", Known(self.index, is_const=True))
        if node.count is not None:
            self.declare(scope, "@count", Known(INT, is_const=True))
        level = "grid" if _LEVELS[node.team] == "grid" else control.level
        return replace(control, varying=control.varying.union(own), level=level)

    def _of_team(self, team: Team) -> tuple[str, ...]:
        """What there is of a team, of its own or of what its kernel is made for."""
        return ("ACROSS", "THREADS") if team == "across" else _TEAMS[team]

    def _stitched(self, node: StitchedRows, scope: NameScope, control: Control) -> None:
        level = _LEVELS[node.team]
        if control.level:
            fault(self.name, f"rows are given to {control.level}, and to {level}")
        self.expressions((variable("@rows"), *map(variable, self._of_team(node.team))), scope)
        inside = scope.inner()
        varying: set[str] = set()
        if level == "across":
            inside.provide(("@first", "@mine"), self.index)
            varying = {"@mine", "@row"}
        if node.names_row:
            inside.provide(("@row",), self.index)
        # Blocks of several teams have a row for each of them, the last rows for some of them alone.
        uniform = control.is_uniform and node.team != "threads"
        below = replace(control, varying=control.varying | varying, is_uniform=uniform, level=level)
        self.nodes(node.body, inside, below)

    def _exchange(self, node: Exchange, scope: NameScope, control: Control) -> None:
        name = node.accumulator.name
        if node.among != control.level:
            fault(self.name, f"`{name}` is exchanged among {node.among}, and {control.level or 'nobody'} has a row")
        if not self.comes("row", control):
            fault(self.name, "a barrier stands where not all threads come")
        if name not in control.begun:
            fault(self.name, f"`{name}` is exchanged before it begins")
        if node.few != self.few:
            fault(self.name, f"`{name}` is exchanged by other lanes than those that have a row")
        if node.among in ("row", "cluster"):
            self.needs_lanes(node.accumulator)
            self.expressions((node.warps,), scope)
        else:
            self.needs("grid" if node.among == "grid" else "accumulator", name)
        if node.among == "across" and node.size != self.at.size:
            fault(self.name, f"`{name}` is exchanged among {node.size} threads, and a block has {self.at.size}")
        needed = ("@parts", "@partials", "@barrier") if node.among == "grid" else ("@parts", "@turn")
        self.expressions(map(variable, needed), scope)
        wanted = self.at.size if node.among == "across" else self.widest // WARP
        if node.among == "cluster":
            wanted = max(wanted, self.at.size // WARP + 1)  # with what the block shows to others
        if self.places < wanted:
            fault(self.name, f"`{name}` is exchanged through {self.places} places, and needs {wanted}")
        self.declare(scope, "@total", Known(node.accumulator.type, is_const=True))

    # ---- what a thread has of a row ----------------------------------------------------------------

    def in_row(
        self, node: StageOfRow | WhereWhole | Items | CopiedItems | Flights | ElementsOfRow, scope: NameScope,
        control: Control,
    ) -> None:  # fmt: skip
        """What is done to a row, and loops over what a thread has of it."""
        inside = scope.inner()
        match node:
            case StageOfRow():
                if control.level not in _LEVELS.values():
                    fault(self.name, "a stage stands where nobody has a row")
                self.nodes(node.body, inside, control)
            case WhereWhole():
                self.expressions((_ITEMS, *_OF_THREAD), scope)
                for body in (node.then, node.otherwise):
                    self.nodes(body, scope.inner(), control.divided)
            case Items() | CopiedItems() | Flights():
                self.expressions((variable("@items"),), scope)
                inside.provide(("@c",), INT)
                self.nodes(node.body, inside, control)
            case ElementsOfRow():
                of_blocks = node.among == "blocks"
                needed = ("@rank", "@count", "THREADS", "BLOCK") if of_blocks else ("@rank", "@count", "THREADS")
                self.expressions(map(variable, needed), scope)
                counters = ("@x", "@own") if of_blocks else ("@x",)
                inside.provide(counters, INT)
                self.nodes(node.body, inside, replace(control.divided, varying=control.varying.union(counters)))

    def placed(self, node: ChunkPlace | OwnPlace | ElementPlace, scope: NameScope, control: Control) -> Control:
        """Where in the row a thread is, which is elsewhere for each of them."""
        needed = ["@c", *(("BLOCK",) if isinstance(node, OwnPlace) else ("@rank", "THREADS"))]
        match node:
            case ChunkPlace():
                own = ("@at", "@left") if node.is_bounded else ("@at",)
                needed += ["@l"] if node.in_flight else []
                needed += ["@count"] if node.is_bounded else []
            case OwnPlace():
                own = ("@own",)
                needed += ["@l"] if node.in_flight else []
            case ElementPlace():
                own = ("@x",)
        self.expressions(map(variable, needed), scope)
        for name in own:
            self.declare(scope, name, Known(INT, is_const=True))
        return replace(control, varying=control.varying.union(own))
