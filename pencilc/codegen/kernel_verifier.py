"""The verifier of the stage `kernels`: what nvcc would refuse, or would take and run wrongly, is found in the tree.

Every name is declared once and before its use, with a type that C++ accepts where it stands; what is only read stays
const; no array has an extent that is computed; barriers stand where all threads of a block come; shared memory fits;
every store of a loop that is dealt out is dealt out along each direction of the grid once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from pencilc.codegen.cexpr import type_text
from pencilc.codegen.kernel_types import (
    FileScope,
    Known,
    NameScope,
    check_assigned,
    check_expression,
    element_text,
)
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.geometry import Geometry
from pencilc.ir.host import Entry, Fallback, HostFor, HostIf, HostLet, HostNode, KernelFile
from pencilc.ir.kernel import (
    Accumulator,
    DeviceFunction,
    For,
    If,
    KernelFunction,
    Node,
    Segment,
    SharedDecl,
    StitchCode,
    Switch,
    Sync,
    WhileLoop,
    names_of,
    variables_of,
)
from pencilc.ir.launches import KernelLaunch, LaunchComposed
from pencilc.ir.source import (
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
    PointerType,
    Return,
    extents,
)
from pencilc.target import STATIC_SHARED, WARP

# What the building block of a shape has declared where a part of the function stands, of the index type.
_COUNTERS = {
    "kept": ("@row", "@outer"), "body": ("@row", "@outer", "@x", "@at"), "prologue": ("@row", "@outer"),
    "post": ("@row", "@outer", "@x"), "segment": ("@row", "@outer", "@x", "@at", "@column", "@columns"),
}  # fmt: skip
# Shapes whose tree has all of its loops itself.
_WITHOUT_COUNTERS = ("single", "parallel", "composed", "packed")
# The same of other types: numbers of threads and of teams of them.
_RANKS = ("@thread", "@team", "@teams", "@worker", "@workers")


def verify_kernels(file: KernelFile) -> None:
    """Raise CompilerBug where the tree of `file` breaks a rule."""
    scope = FileScope(file)
    for helper in file.helpers:
        if isinstance(helper, DeviceFunction):
            for body in (helper.body, helper.on_host):
                _Walk(scope, helper.name).function(helper, body)
    for function in file.kernels:
        _verify_kernel(function, scope)
    for entry in file.entries:
        _verify_entry(entry, scope)


def _fault(where: str, what: str) -> NoReturn:
    raise CompilerBug(f"`{where}`: {what}")


# ---- one function ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Control:
    """Where a node stands: below what loops and conditions.

    `varying`: names that differ among the threads of a block.  `is_uniform`: all of them come here.  `dealt`: the
    directions of threads and blocks along which a loop around is dealt out, or one thread is left.
    """

    varying: frozenset[str] = frozenset()
    is_uniform: bool = True
    dealt: frozenset[str] = frozenset()


class _Walk:
    """Walks through the nodes of one function with what is declared."""

    def __init__(
        self, file: FileScope, name: str, axes: frozenset[str] = frozenset(), at: Geometry | None = None
    ) -> None:
        self.file, self.name, self.axes = file, name, axes
        at = at or Geometry("", 1)
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
        self.nodes(body, scope, _Control())

    def declare(self, scope: NameScope, name: str, known: Known) -> None:
        """One more name of a scope."""
        if not scope.declare(name, known):
            _fault(self.name, f"`{name}` is declared twice")

    def nodes(self, nodes: Iterable[Node], scope: NameScope, control: _Control) -> _Control:
        """The nodes of one pair of braces, in order."""
        for node in nodes:
            control = self.node(node, scope, control)
        return control

    def node(self, node: Node, scope: NameScope, control: _Control) -> _Control:  # noqa: C901  (one case a kind)
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
                    _fault(self.name, f"`{node.call.function}` has barriers, and not all threads come to it")
            case Return():
                self._expressions((node.value,), scope)
            case SharedDecl():
                self.declare(scope, node.name, Known(PointerType(node.type)))
            case Sync():
                if not control.is_uniform:
                    _fault(self.name, "a barrier stands where not all threads come")
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
            case Segment():
                self._segment(node, scope, control)
        return control

    def _expressions(self, values: Iterable[Expr | None], scope: NameScope) -> None:
        for value in values:
            if value is not None:
                check_expression(self.name, value, scope)

    def _declaration(self, node: Declare, scope: NameScope, control: _Control) -> _Control:
        symbol = node.symbol
        if any(not isinstance(extent, IntLiteral) for extent in extents(symbol.type)):
            _fault(self.name, f"the extent of `{symbol.name}` is computed when the kernel runs")
        self._expressions((node.init,), scope)
        if symbol.is_const and node.init is None:
            _fault(self.name, f"`{symbol.name}` is const and has no value")
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

    def _for(self, node: For, scope: NameScope, control: _Control) -> None:
        inside = scope.inner()
        self._expressions((node.lower,), scope)
        if node.declares:
            if scope.binds(node.iterator.name):
                _fault(self.name, f"a loop around has `{node.iterator.name}` already")
            self.declare(inside, node.iterator.name, Known(node.iterator.type))
        self._expressions((node.bound, node.step), inside)
        along = self._directions(node.lower)
        if along & control.dealt:
            _fault(self.name, f"two loops are dealt out along {', '.join(sorted(along & control.dealt))}")
        below = replace(control, dealt=control.dealt | along)
        if self._varies(node.lower, control) or self._varies(node.bound, control):
            below = replace(below, varying=control.varying | {node.iterator.name}, is_uniform=False)
        self.nodes(node.body, inside, below)

    def _segment(self, node: Segment, scope: NameScope, control: _Control) -> None:
        self._expressions((node.rank, node.size, node.count, node.point), scope)
        inside = scope.inner()
        for load in node.loads:
            self._expressions((load.first,), scope)
        for declared in node.parameters:
            if not declared.name.startswith("@") and scope.binds(declared.name):
                _fault(self.name, f"`{declared.name}` is dealt out, and a loop around has it already")
            self.declare(inside, declared.name, Known(declared.type, is_const=declared.is_const))
        self.nodes(node.body, inside, replace(control, is_uniform=False, dealt=frozenset("xyz")))

    # ---- threads -----------------------------------------------------------------------------------

    def _varies(self, value: Expr, control: _Control) -> bool:
        """Whether threads of a block may have different values."""
        names = names_of(value)
        is_place = any(name.startswith(("threadIdx.", "@thread_of_part.")) for name in names)
        return is_place or bool(names & control.varying)

    def _below(self, condition: Expr, control: _Control) -> _Control:
        below = replace(control, dealt=control.dealt | self._directions(condition))
        return replace(below, is_uniform=False) if self._varies(condition, control) else below

    def _directions(self, value: Expr) -> frozenset[str]:
        """The directions of the grid that the number of a thread in `value` covers."""
        names = names_of(value)
        return frozenset(axis for axis in "xyz" if {self.threads[axis], *self.blocks[axis]} <= names)

    def _dealt(self, node: Node, control: _Control) -> None:
        """A store of a PARALLEL kernel is done by one thread, or dealt out, along every direction of its grid."""
        if not self.axes <= control.dealt:
            missing = ", ".join(sorted(self.axes - control.dealt))
            _fault(self.name, f"what each thread does alike along {missing} is not dealt out there")


# ---- kernels -----------------------------------------------------------------------------------------


def _verify_kernel(function: KernelFunction, file: FileScope) -> None:
    scope = file.inner()
    walk = _Walk(file, function.name, _axes(function), function.at)
    for declared in function.parameters:
        if isinstance(declared.type, ArrayType):
            _fault(function.name, f"`{declared.name}` is an array, of which it is given no pointer")
        walk.declare(scope, declared.name, Known(declared.type, reads_only=declared.is_const))
    _provide(scope, ("LANES", "ITEMS", "THREADS", "ACROSS"), INT)
    _provide(scope, _RANKS, UINT)
    stages = function.stitch.stages if function.stitch is not None else ()
    for found in (function.accumulator, *(stage.accumulator for stage in stages)):
        if found is not None:
            _verify_accumulator(function.name, found, file)
    control = walk.nodes(function.uniform, scope, _Control())
    index = SCALARS[function.index]
    if function.scatter is not None:
        _verify_scatter(function, walk, scope)
    elif function.stitch is not None:
        _verify_stages(function, function.stitch, walk, scope)
    else:
        _verify_parts(function, walk, scope, control, index)
    used = _static_shared(function)
    if used > STATIC_SHARED:
        _fault(
            function.name, f"{used} bytes of shared memory are more than the {STATIC_SHARED} that a kernel may declare"
        )


def _verify_accumulator(where: str, found: Accumulator, file: FileScope) -> None:
    """What a thread carries becomes what threads combine, and the operator takes that."""
    for member in found.members:
        wanted = type_text(member.type)
        if member.cascade is not None and element_text(member.cascade) != wanted:
            _fault(where, f"`{member.name}` is carried as a {type_text(member.cascade)} and combined as a {wanted}")
        operator = file.functions.get(member.operator)
        if operator is not None and any(type_text(each.type) != wanted for each in operator.parameters):
            _fault(where, f"`{member.operator}` does not combine values of type {wanted}")


def _axes(function: KernelFunction) -> frozenset[str]:
    """The directions of the grid along which a PARALLEL kernel deals out rows."""
    if function.shape != "parallel":
        return frozenset()
    depth = function.launch["depth"]
    return frozenset("xyz"[: int(str(depth))])


def _provide(scope: NameScope, names: Iterable[str], ctype: CType) -> None:
    for name in names:
        scope.declare(name, Known(ctype))


def _verify_parts(function: KernelFunction, walk: _Walk, scope: NameScope, control: _Control, index: CType) -> None:
    """Prologue, body and post, which stand in each other's scope: the post sees what the prologue declares."""
    inside = scope.inner()
    if function.shape not in _WITHOUT_COUNTERS:
        _provide(inside, _COUNTERS["kept"], index)
    rows = walk.nodes(function.kept, inside, control)
    rows = walk.nodes(function.prologue, inside, rows)
    if function.segment is not None:
        around = inside.inner()
        _provide(around, _COUNTERS["segment"], index)
        lines = [*_lines_of(function, "address_lines"), *_lines_of(function, "recover")]
        for node in (*(node for each in lines for node in each), *_lines_of(function, "element_lines")):
            # What each load recovers for itself, and what the element does.
            if not isinstance(node, Declare) or not around.binds(node.symbol.name):
                walk.node(node, around, rows)
        walk.node(function.segment, around, rows)
    body = inside.inner()
    if function.accumulator is not None:
        _provide(body, _COUNTERS["body"], index)
    if function.shape == "indirect_lengths":
        _provide(body, ("@run",), index)
    walk.nodes(function.body, body, rows)
    behind = inside.inner()
    if function.accumulator is not None:
        _provide(behind, ("@total",), function.accumulator.type)
    _provide(behind, _COUNTERS["post"], index)
    if function.shape == "column":
        behind.declare(str(function.launch["axis"]), Known(LLONG))
    walk.nodes(function.launch.get("post_lines", ()), behind, rows)  # type: ignore[arg-type]
    walk.nodes(function.post, behind, rows)


def _lines_of(function: KernelFunction, name: str) -> Any:
    """What the launch record of a function says about how iterators are recovered."""
    return function.launch.get(name, ())


def _verify_scatter(function: KernelFunction, walk: _Walk, scope: NameScope) -> None:
    """The functions of an INDIRECT kernel."""
    scatter = function.scatter
    assert scatter is not None
    index = SCALARS[function.index]
    _provide(scope, ("@row", "@outer", "@x", "@item", "@run"), index)
    for bins in scatter.bins:
        scope.declare(f"@to_{bins.name}", Known(INT))
    for site in scatter.sites:
        if not scope.binds(f"@to_{site.name}"):
            scope.declare(f"@to_{site.name}", Known(INT))
    rows = walk.nodes(scatter.kept, scope, _Control())
    rows = walk.nodes(function.prologue, scope, rows)
    home = scope.inner()
    for bins in scatter.bins:
        block = home.inner()
        _provide(block, ("@bin",), LLONG)
        _provide(block, ("@total",), bins.type)
        check_expression(function.name, bins.at, block)
        if bins.home is not None and function.shape in ("indirect_ordered", "indirect_finish", "indirect_buckets"):
            walk.node(bins.home, block, rows)
    address = scope.inner()
    walk.nodes(scatter.address, address, rows)
    for load in scatter.loads:
        check_expression(function.name, load.first, address)
    inside = scope.inner()
    for declared in scatter.parameters:
        inside.declare(declared.name, Known(declared.type, is_const=declared.is_const))
    walk.nodes(scatter.recover, inside, rows)
    walk.nodes(function.body, inside, replace(rows, is_uniform=False))


def _verify_stages(function: KernelFunction, code: StitchCode, walk: _Walk, scope: NameScope) -> None:
    """The stages of a row, each in braces of its own below what the whole row has."""
    _provide(scope, ("@row",), SCALARS[function.index])
    rows = walk.nodes(function.kept, scope, _Control())
    for access in code.declares:
        row: CType = PointerType(access.type)
        walk.declare(scope, access.register, Known(row if code.scattered else PointerType(row)))
    walk.nodes(code.row_lines, scope, rows)
    for stage in code.stages:
        around = scope.inner()
        _provide(around, ("@c", "@k", "@x"), INT)
        for access in (*stage.loads, *stage.fetches, *stage.stores):
            if access.first is not None:
                check_expression(function.name, access.first, around)
        if stage.accumulator is not None:
            around.declare("@acc", Known(stage.accumulator.type))
        element = around.inner()
        for access in stage.chunks:
            if not scope.binds(access.register):
                walk.declare(element, access.register, _chunk(access.type, code))
        for value in (*stage.recalls, *stage.keeps):
            element.declare(value.register, _chunk(value.type, code))
        walk.nodes(stage.gathers, element.inner(), replace(rows, is_uniform=False))
        below = element.inner()
        walk.nodes(stage.point, below, rows)
        walk.nodes(stage.body, below, replace(rows, is_uniform=False))
        if stage.accumulator is not None:
            around.declare("@total", Known(stage.accumulator.type))
        walk.nodes(stage.post, around, rows)
        walk.nodes(stage.by_one_thread, around.inner(), replace(rows, is_uniform=False))


def _chunk(ctype: CType, code: StitchCode) -> Known:
    """The register of a chunk, which is one element where elements are no runs in memory."""
    return Known(ctype if code.scattered else PointerType(ctype))


# ---- shared memory -----------------------------------------------------------------------------------


def _size_of(found: Accumulator) -> int:
    """Bytes of an accumulator, at most."""
    return sum((member.size + 7) // 8 * 8 for member in found.members) if found.is_struct else found.members[0].size


def _static_shared(function: KernelFunction) -> int:
    """Bytes of shared memory that a function and the building blocks which it is made of declare."""
    own = sum(node.count * node.type.size for node in function.body if isinstance(node, SharedDecl) and node.count)
    if function.stitch is not None:
        places = function.block if function.stitch.across else function.stitch.warps
        sizes = [_size_of(stage.accumulator) for stage in function.stitch.stages if stage.accumulator is not None]
        return own + 2 * places * max(sizes, default=0)
    if function.accumulator is None:
        return own
    size = _size_of(function.accumulator)
    handed_on = sum(m.size for m in function.accumulator.members if m.by_memory) * function.block // 2
    if function.shape == "column":
        return own + size * (function.segment.width if function.segment else 1) * function.block
    if function.shape in ("all", "row_blocks"):
        slots = function.workers if function.workers and function.shape == "row_blocks" else 0
        return own + handed_on + size * (WARP + slots)
    return own + handed_on


# ---- the host ----------------------------------------------------------------------------------------


def _verify_entry(entry: Entry, file: FileScope) -> None:
    """Launches name parameters, iterators of loops around, and what the entry point has computed."""
    scope = file.inner()
    walk = _Walk(file, entry.symbol)
    for declared in entry.device_parameters:
        walk.declare(scope, declared.name, Known(declared.type, reads_only=declared.is_const))
    for array in entry.arrays:
        for part in array.parts:
            _known_names(entry.symbol, (part.condition, part.first, part.last, array.count), scope)
    _provide(scope, ("@call", "@multiprocessors"), LLONG)
    inside = scope.inner()
    walk.nodes(entry.workspace, inside, _Control())
    _verify_items(entry, entry.items, inside, walk)


def _verify_items(entry: Entry, items: Iterable[HostNode], scope: NameScope, walk: _Walk) -> None:
    for item in items:
        inside = scope.inner()
        match item:
            case KernelLaunch():
                _verify_launch(entry, item, inside, walk)
                continue
            case HostFor() | HostLet():
                _known_names(entry.symbol, (item.lower,), scope)
                walk.declare(inside, item.name, Known(item.type))
                if isinstance(item, HostFor):
                    _known_names(entry.symbol, (item.upper,), inside)
            case HostIf():
                _known_names(entry.symbol, (item.condition,), scope)
            case Fallback():
                walk.nodes(item.workspace, inside, _Control())
        _verify_items(entry, item.inner, inside, walk)


def _verify_launch(entry: Entry, launch: KernelLaunch, scope: NameScope, walk: _Walk) -> None:
    """What a launch computes names what the entry point has."""
    if isinstance(launch, LaunchComposed):
        # What a row keeps in shared memory is placed right before the launch.
        walk.nodes(launch.regions, scope, _Control())
        launch = replace(launch, regions=())
    _known_names(entry.symbol, (launch,), scope)


def _known_names(where: str, values: Iterable[object], scope: NameScope) -> None:
    """Names of the source that a launch has; what templates compute begins with `@`."""
    for value in values:
        for name in variables_of(value):
            if not name.startswith("@") and not scope.knows(name):
                _fault(where, f"`{name}` is not declared where a launch needs it")
