"""Through the nodes of one function, with what is declared, who comes there and who has which row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NoReturn

from pencilc.codegen.kernel_types import FileScope, Known, NameScope, check_assigned, check_expression
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import variable
from pencilc.ir.definitions import DeviceFunction
from pencilc.ir.geometry import Geometry
from pencilc.ir.kernel import (
    Arrive,
    Block,
    ByOne,
    Columns,
    Combine,
    CombineGrid,
    EachRow,
    For,
    If,
    Node,
    OfRow,
    RunLengths,
    Scattered,
    Segment,
    SharedDecl,
    ShortRows,
    StageCode,
    Start,
    StitchCode,
    StitchedRows,
    Switch,
    Sync,
    Teams,
    Tile,
    TiledPoints,
    ValuesOfRow,
    WhileLoop,
    Workers,
    names_of,
)
from pencilc.ir.source import (
    BOOL,
    INT,
    LLONG,
    SCALARS,
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
    extents,
)
from pencilc.target import WARP

# The function that combines over a scope, as `HelperCall` names it.
_COMBINED_BY = {"lanes": "warp", "warp": "warp", "worker": "warp", "block": "block", "workers": "finish"}
# What the number of threads may name that share a run, by who has the row.
_SHARES = {
    "lanes": frozenset(("LANES",)),
    "warp": frozenset(("PENCILC_WARP",)),
    "workers": frozenset(("@workers", "PENCILC_WARP", "@team")),
}


def fault(where: str, what: str) -> NoReturn:
    """A rule that the tree of `where` breaks."""
    raise CompilerBug(f"`{where}`: {what}")


@dataclass(frozen=True, slots=True)
class Control:
    """Where a node stands: below what loops and conditions.

    `varying`: names that differ among the threads of a block.  `is_uniform`: all of them come here; `in_warps`: if any
    thread of a warp does, all of them do.  `dealt`: the directions of threads and blocks along which a loop around is
    dealt out, or one thread is left.  `level`: who has a row, where rows are dealt out; `begun`: the accumulators that
    have begun, of those that are combined here.
    """

    varying: frozenset[str] = frozenset()
    is_uniform: bool = True
    in_warps: bool = True
    dealt: frozenset[str] = frozenset()
    level: str = ""
    begun: frozenset[str] = frozenset()

    @property
    def of_some(self) -> Control:
        """Where only some threads come, each with work of its own."""
        return replace(self, is_uniform=False, in_warps=False, dealt=frozenset("xyz"))


class Walk:
    """Walks through the nodes of one function with what is declared."""

    def __init__(
        self, file: FileScope, name: str, axes: frozenset[str] = frozenset(), at: Geometry | None = None,
        index: str = "long long", brought: frozenset[tuple[str, str]] = frozenset(),
    ) -> None:  # fmt: skip
        self.file, self.name, self.axes, self.brought = file, name, axes, brought
        self.index = SCALARS[index]
        at = at or Geometry("", 1)
        self.at = at
        # What says where a thread stands in each direction; one block has its threads alone.
        self.threads = {axis: getattr(at.thread, axis) for axis in "xyz"}
        self.blocks = {axis: {getattr(at.block, axis)} - {"0"} for axis in "xyz"}
        if at.is_block:
            self.blocks = {key: set() for key in "xyz"}

    def function(self, definition: DeviceFunction, body: tuple[Node, ...]) -> None:
        """A function of the source."""
        scope = self.file.inner()
        for declared in definition.parameters:
            self.declare(scope, declared.name, Known(declared.type, reads_only=declared.is_const))
        self.nodes(body, scope, Control())

    def declare(self, scope: NameScope, name: str, known: Known) -> None:
        """One more name of a scope."""
        if not scope.declare(name, known):
            fault(self.name, f"`{name}` is declared twice")

    def nodes(self, nodes: Iterable[Node], scope: NameScope, control: Control) -> Control:
        """The nodes of one pair of braces, in order."""
        for node in nodes:
            control = self.node(node, scope, control)
        return control

    def node(self, node: Node, scope: NameScope, control: Control) -> Control:
        """One node; what it declares is added to `scope`, and whether that differs among threads to the control."""
        match node:
            case Declare():
                return self._declaration(node, scope, control)
            case Assign():
                self._expressions((node.target, node.value), scope)
                check_assigned(self.name, node, scope)
                self._dealt(node, control)
            case CallStmt():
                check_expression(self.name, node.call, scope)
                self._dealt(node, control)
                if self.file.meets(node.call) and not control.is_uniform:
                    fault(self.name, f"`{node.call.function}` has barriers, and not all threads come to it")
            case Return():
                self._expressions((node.value,), scope)
            case SharedDecl():
                self.declare(scope, node.name, Known(PointerType(node.type)))
            case For():
                self._for(node, scope, control)
            case WhileLoop():
                self._expressions((node.condition,), scope)
                self.nodes(node.body, scope.inner(), self._below(node.condition, control))
            case If():
                self._expressions((node.condition,), scope)
                below = self._below(node.condition, control)
                self.nodes(node.then, scope.inner(), below)
                self.nodes(node.otherwise, scope.inner(), below)
            case Switch():
                self._expressions((node.value,), scope)
                below = self._below(node.value, control)
                self.nodes((*(call for _, call in node.cases), node.default), scope.inner(), below)
            case Jump():
                pass
            case _:
                return self.block(node, scope, control)
        return control

    def _expressions(self, values: Iterable[Expr | None], scope: NameScope) -> None:
        for value in values:
            if value is not None:
                check_expression(self.name, value, scope)

    def _declaration(self, node: Declare, scope: NameScope, control: Control) -> Control:
        symbol = node.symbol
        if any(not isinstance(extent, IntLiteral) for extent in extents(symbol.type)):
            fault(self.name, f"the extent of `{symbol.name}` is computed when the kernel runs")
        self._expressions((node.init,), scope)
        if symbol.is_const and node.init is None:
            fault(self.name, f"`{symbol.name}` is const and has no value")
        ctype: CType = symbol.type
        if isinstance(ctype, ArrayType):
            ctype = PointerType(ctype.element)
        self.declare(scope, symbol.name, Known(ctype, is_const=symbol.is_const))
        if node.init is not None:
            if not isinstance(symbol.type, ArrayType):
                check_assigned(self.name, node, scope)
            if self._varies(node.init, control):
                return replace(control, varying=control.varying | {symbol.name})
        return control

    def _for(self, node: For, scope: NameScope, control: Control) -> None:
        inside = scope.inner()
        self._expressions((node.lower,), scope)
        if node.declares:
            if scope.binds(node.iterator.name):
                fault(self.name, f"a loop around has `{node.iterator.name}` already")
            self.declare(inside, node.iterator.name, Known(node.iterator.type))
        self._expressions((node.bound, node.step), inside)
        along = self._directions(node.lower)
        if along & control.dealt:
            fault(self.name, f"two loops are dealt out along {', '.join(sorted(along & control.dealt))}")
        below = replace(control, dealt=control.dealt | along)
        if self._varies(node.lower, control) or self._varies(node.bound, control):
            varying = control.varying | {node.iterator.name}
            below = replace(below, varying=varying, is_uniform=False, in_warps=False)
        self.nodes(node.body, inside, below)

    # ---- threads -----------------------------------------------------------------------------------

    def _varies(self, value: Expr, control: Control) -> bool:
        """Whether threads of a block may have different values."""
        names = names_of(value)
        is_place = any(name.startswith(("threadIdx.", "@thread_of_part.")) for name in names)
        return is_place or bool(names & control.varying)

    def _below(self, condition: Expr, control: Control) -> Control:
        below = replace(control, dealt=control.dealt | self._directions(condition))
        return replace(below, is_uniform=False, in_warps=False) if self._varies(condition, control) else below

    def _directions(self, value: Expr) -> frozenset[str]:
        """The directions of the grid that the number of a thread in `value` covers."""
        names = names_of(value)
        return frozenset(axis for axis in "xyz" if {self.threads[axis], *self.blocks[axis]} <= names)

    def _dealt(self, node: Node, control: Control) -> None:
        """A store of a PARALLEL kernel is done by one thread, or dealt out, along every direction of its grid."""
        if not self.axes <= control.dealt:
            missing = ", ".join(sorted(self.axes - control.dealt))
            fault(self.name, f"what each thread does alike along {missing} is not dealt out there")

    # ---- building blocks ---------------------------------------------------------------------------

    def block(self, node: Block, scope: NameScope, control: Control) -> Control:  # noqa: C901  (one case a kind)
        """One building block: what it declares, and what stands in it."""
        match node:
            case Segment():
                self.segment(node, scope, control)
            case Sync():
                self._meet(node.scope, control)
            case Start():
                self.declare(scope, "@acc", Known(node.accumulator.carried))
                return replace(control, begun=control.begun | {node.accumulator.name})
            case Combine():
                self._combine(node, scope, control)
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
                scope.provide(("@team", "@thread", "@teams"), UINT)
            case ValuesOfRow():
                self._expressions((variable("@slots"), variable("@partials"), variable("@workers")), scope)
                self.declare(scope, "@values", Known(PointerType(node.accumulator.type)))
            case OfRow():
                if control.level != "lanes":
                    fault(self.name, "lanes have no rows of their own here")
                self.nodes(node.body, scope.inner(), replace(control, is_uniform=False, in_warps=False))
            case ByOne():
                if node.scope not in self._work_together(control):
                    fault(self.name, f"one thread of {node.scope} is asked for where {control.level or 'block'} works")
                self.nodes(node.body, scope.inner(), control.of_some)
            case Tile():
                pass
            case RunLengths():
                self._expressions((node.runs,), scope)
                inside = scope.inner()
                inside.provide(("@run",), self.index)
                self.nodes(node.body, inside, control.of_some)
                if not inside.binds("@count"):
                    fault(self.name, "no length of a run is computed")
            case _:
                self._all_rows(node, scope, control)
        return control

    def _work_together(self, control: Control) -> tuple[str, ...]:
        """Whose threads have a row together; where rows are not dealt out, all of a block, which may be a warp."""
        if control.level:
            return (control.level,)
        return ("block", "warp") if self.at.size == WARP else ("block",)

    def _all_rows(self, node: Block, scope: NameScope, control: Control) -> None:
        """A building block that deals out all of the rows itself."""
        if control.level:
            fault(self.name, f"rows are given to {control.level}, and dealt out again")
        match node:
            case ShortRows():
                short_rows(self, node, scope.inner(), control)
            case Columns():
                columns(self, node, scope.inner(), control)
            case TiledPoints():
                tiled_points(self, node, scope.inner(), control)
            case StitchedRows():
                stitched_rows(self, node, scope.inner(), control)
            case Scattered():
                scattered(self, node, scope.inner(), control)

    def segment(self, node: Segment, scope: NameScope, control: Control) -> None:
        """A run of points: dealt out to those that have the row, and to each of them once."""
        around = scope.inner()
        around.provide(("@x", "@at"), self.index)
        self._expressions((node.rank, node.size, node.count, node.point), around)
        shares = _SHARES.get(control.level)
        if shares is not None and not names_of(node.size) <= shares:
            fault(self.name, f"a run is dealt out to others than the {control.level} that have it")
        inside = around.inner()
        for load in node.loads:
            self._expressions((load.first,), around)
        for declared in node.parameters:
            if not declared.name.startswith("@") and scope.binds(declared.name):
                fault(self.name, f"`{declared.name}` is dealt out, and a loop around has it already")
            self.declare(inside, declared.name, Known(declared.type, is_const=declared.is_const))
        self.nodes(node.body, inside, control.of_some)

    def _meet(self, scope: str, control: Control) -> None:
        """All threads of a scope have to come here."""
        if not (control.is_uniform if scope == "block" else control.in_warps):
            fault(self.name, "a barrier stands where not all threads come")

    def _combine(self, node: Combine, scope: NameScope, control: Control) -> None:
        name = node.accumulator.name
        if node.scope != "workers" and name not in control.begun:
            fault(self.name, f"`{name}` is combined before it begins")
        if node.scope != "thread":
            self._meet("block" if node.scope in ("block", "workers") else "warp", control)
            self.needs(_COMBINED_BY[node.scope], name)
        if node.values is not None:
            self._expressions((node.values,), scope)
        if node.scope in ("lanes", "warp") and node.scope not in self._work_together(control):
            fault(self.name, f"{node.scope} combine what they do not share")
        if node.scope not in ("thread", "worker"):
            self.declare(scope, "@total", Known(node.accumulator.type))

    def needs(self, macro: str, name: str) -> None:
        """A function for the accumulator stands in the file by here."""
        if (macro, name) not in self.brought:
            fault(self.name, f"nothing brings what combines `{name}` by {macro}")

    def _arrive(self, node: CombineGrid | Arrive, scope: NameScope, control: Control) -> None:
        self._meet("block", control)
        names: list[Expr] = [variable("@partials"), variable("@tickets"), node.ticket]
        if isinstance(node, CombineGrid):
            names.append(variable("@total"))
            self.needs("block", node.accumulator.name)
        self._expressions(names, scope)
        if (node.leave == "continue") != (control.level == "block"):
            fault(self.name, f"blocks that are not the last {node.leave}, and others need them")

    def _rows(self, node: EachRow, scope: NameScope, control: Control) -> Control:
        if control.level:
            fault(self.name, f"rows are given to {control.level}, and to {node.level}")
        self._expressions((node.count,), scope)
        inside = scope.inner()
        inside.provide(("@rows", *(("@row",) if node.names_row else ())), self.index)
        uniform = control.is_uniform and node.level == "block"
        self.nodes(node.body, inside, replace(control, is_uniform=uniform, level=node.level))
        return control


# ---- building blocks that have all of the rows -------------------------------------------------------


def _recovered(walk: Walk, nodes: Iterable[Node], scope: NameScope, control: Control) -> None:
    """What each load recovers for itself, and what the element does; some of them recover the same."""
    for node in nodes:
        if not isinstance(node, Declare) or not scope.binds(node.symbol.name):
            walk.node(node, scope, control)


def short_rows(walk: Walk, node: ShortRows, scope: NameScope, control: Control) -> None:
    """Rows of few elements: the run of a row, and what follows it."""
    check_expression(walk.name, node.rows, scope)
    walk.needs("warp", node.accumulator.name)
    scope.provide(("@rows", "@row"), walk.index)
    around = scope.inner()
    around.provide(("@x",), walk.index)
    _recovered(walk, (*(each for found in node.recover for each in found), *node.element), around, control)
    walk.segment(node.segment, around, control)
    behind = scope.inner()
    behind.provide(("@total",), node.accumulator.type)
    walk.nodes((*node.behind, *node.post), behind, control.of_some)


def columns(walk: Walk, node: Columns, scope: NameScope, control: Control) -> None:
    """Neighbouring columns: what stands before them, the run of a row, and what follows each of them."""
    for value in (node.columns, node.rows, node.outers):
        if value is not None:
            check_expression(walk.name, value, scope)
    walk.needs("fixed_columns" if node.lanes else "columns", node.accumulator.name)
    scope.provide(("@outer", "@column", "@columns"), walk.index)
    walk.nodes((*node.kept, *node.prologue), scope, control)
    around = scope.inner()
    around.provide(("@row", "@x"), walk.index)
    _recovered(walk, (each for found in node.recover for each in found), around, control)
    walk.segment(node.segment, around, control)
    behind = scope.inner()
    behind.provide(("@total",), node.accumulator.type)
    behind.provide(("@x",), walk.index)
    walk.nodes((*((node.axis,) if node.axis else ()), *node.post), behind, control.of_some)


def tiled_points(walk: Walk, node: TiledPoints, scope: NameScope, control: Control) -> None:
    """Points in tiles: the layer, where each operand comes from, the element, and what follows each point."""
    for value in (node.rows, node.columns, node.points, node.outers):
        if value is not None:
            check_expression(walk.name, value, scope)
    if node.begins is None:
        walk.needs("accumulator", node.accumulator.name)
    scope.provide(("ITEMS",), INT)
    scope.provide(("@outer",), walk.index)
    walk.nodes(node.kept, scope, control)
    if node.occupied is not None:
        tile = scope.inner()
        tile.provide(("@first_row", "@first_column", "@side"), INT)
        check_expression(walk.name, node.occupied, tile)
    for operand in node.operands:
        around = scope.inner()
        around.provide(("@row" if operand.down else "@column", "@point"), INT)
        walk.nodes(operand.recover, around, control.of_some)
        check_expression(walk.name, operand.address, around)
    around = scope.inner()
    around.provide(("@row", "@column"), INT)
    for value in (node.row, node.column):
        if value is not None:
            check_expression(walk.name, value, around)
    inside = around.inner()
    for declared in node.parameters:
        if not declared.name.startswith("@") and scope.binds(declared.name):
            fault(walk.name, f"`{declared.name}` is dealt out, and a loop around has it already")
        walk.declare(inside, declared.name, Known(declared.type, is_const=declared.is_const))
    walk.nodes(node.body, inside, control.of_some)
    if node.begins is not None:
        first = around.inner()
        walk.nodes(node.start, first, control.of_some)
        check_expression(walk.name, node.begins, first)
        if node.loops is not None:
            check_expression(walk.name, node.loops, first)
    behind = around.inner()
    behind.provide(("@total",), node.accumulator.type)
    walk.nodes(node.post, behind, control.of_some)


def scattered(walk: Walk, node: Scattered, scope: NameScope, control: Control) -> None:
    """The functions of an INDIRECT kernel."""
    scatter = node.scatter
    for bins in scatter.bins:
        walk.needs("bins", bins.name)
    scope.provide(("@row", "@outer", "@x", "@item", "@run"), walk.index)
    scope.provide((f"@to_{bins.name}" for bins in scatter.bins), INT)
    scope.provide((f"@to_{site.name}" for site in scatter.sites), INT)
    rows = walk.nodes((*scatter.kept, *node.prologue), scope, control)
    for bins in scatter.bins:
        home = scope.inner()
        home.provide(("@bin",), LLONG)
        home.provide(("@total",), bins.type)
        check_expression(walk.name, bins.at, home)
        if bins.home is not None and node.goes_home:
            walk.node(bins.home, home, rows)
    address = scope.inner()
    walk.nodes(scatter.address, address, rows)
    for load in scatter.loads:
        check_expression(walk.name, load.first, address)
    inside = scope.inner()
    for declared in scatter.parameters:
        inside.declare(declared.name, Known(declared.type, is_const=declared.is_const))
    walk.nodes(scatter.recover, inside, rows)
    walk.nodes(node.body, inside, rows.of_some)


def stitched_rows(walk: Walk, node: StitchedRows, scope: NameScope, control: Control) -> None:
    """The stages of a row, each in braces of its own below what the whole row has."""
    code = node.code
    for value in (node.rows, code.count):
        check_expression(walk.name, value, scope)
    scope.provide(("@row",), walk.index)
    scope.provide(("THREADS", "ACROSS", "@rank", "@count"), INT)
    rows = walk.nodes(node.kept, scope, control)
    for access in code.declares:
        row: CType = PointerType(access.type)
        walk.declare(scope, access.register, Known(row if code.scattered else PointerType(row)))
    walk.nodes(code.row_lines, scope, rows)
    for stage in code.stages:
        _stage(walk, node, stage, scope, rows)


def _stage(walk: Walk, node: StitchedRows, stage: StageCode, scope: NameScope, rows: Control) -> None:
    """One stage: what the row has, its elements, what every thread of the row does behind them, and what one does."""
    code = node.code
    around = scope.inner()
    around.provide(("@c", "@k", "@x"), INT)
    for access in (*stage.loads, *stage.fetches, *stage.stores):
        if access.first is not None:
            check_expression(walk.name, access.first, around)
    if stage.accumulator is not None:
        walk.needs("stitch", node.name)
        if not stage.defines:
            walk.needs("accumulator", stage.accumulator.name)
        around.declare("@acc", Known(stage.accumulator.type))
    element = around.inner()
    for access in stage.chunks:
        if not scope.binds(access.register):
            walk.declare(element, access.register, _chunk(access.type, code))
    for value_kept in (*stage.recalls, *stage.keeps):
        element.declare(value_kept.register, _chunk(value_kept.type, code))
    walk.nodes(stage.gathers, element.inner(), rows.of_some)
    below = element.inner()
    if stage.quotients is not None:
        walk.nodes(stage.quotients.divisors, around, rows)
        check_expression(walk.name, stage.quotients.exact, around)
        attempt = element.inner()
        attempt.declare("@exact", Known(BOOL))
        walk.nodes(stage.quotients.element, attempt, rows.of_some)
    walk.nodes(stage.ahead, below, rows.of_some)
    walk.nodes(stage.point, below, rows)
    walk.nodes(stage.body, below, rows.of_some)
    if stage.accumulator is not None:
        around.declare("@total", Known(stage.accumulator.type))
    walk.nodes(stage.post, around, rows)
    walk.nodes(stage.by_one_thread, around.inner(), rows.of_some)


def _chunk(ctype: CType, code: StitchCode) -> Known:
    """The register of a chunk, which is one element where elements are no runs in memory."""
    return Known(ctype if code.scattered else PointerType(ctype))
