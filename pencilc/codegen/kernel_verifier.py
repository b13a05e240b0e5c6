"""The verifier of the stage `kernels`: what nvcc would refuse, or would take and run wrongly, is found in the tree.

Every name is declared once, before its use and not in vain, with a type that C++ accepts where it stands; what is only
read stays const; no array has an extent that is computed; barriers stand where all threads of their scope come; shared
memory fits; accumulators begin before they are combined, by functions that are there, and what several blocks have of
a result is combined; rows are given to one level, and every store of a loop that is dealt out is dealt out along each
direction of the grid once.
"""

from __future__ import annotations

from collections.abc import Mapping

from pencilc.codegen.cexpr import type_text
from pencilc.codegen.control import Control, fault
from pencilc.codegen.expression_rules import element_text
from pencilc.codegen.file_rules import verify_definition, verify_names
from pencilc.codegen.host_verifier import verify_entry
from pencilc.codegen.kernel_types import FileScope, Known, known_parameter
from pencilc.codegen.kernel_walk import Walk
from pencilc.codegen.shared_memory import SharedMemory
from pencilc.codegen.thread_rules import names_block
from pencilc.codegen.unread import declared_in
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.columns import ColumnSegment, ColumnsOfGrid, CombineColumns
from pencilc.ir.combining import Arrive, Combine, CombineGrid, Teams
from pencilc.ir.definitions import Definition, DeviceFunction
from pencilc.ir.host import KernelFile
from pencilc.ir.kernel import HelperCall, KernelFunction
from pencilc.ir.nodes import Node, SharedDecl, accumulators_in, blocks_in, names_of
from pencilc.ir.on_chip import ExchangeParts
from pencilc.ir.segments import Segment
from pencilc.ir.source import INT, ArrayType
from pencilc.target import MAX_THREADS, STATIC_SHARED, WARP


def verify_kernels(file: KernelFile) -> None:
    """Raise CompilerBug where the tree of `file` breaks a rule."""
    verify_names(file)
    scope = FileScope()
    for definition in (*file.types, *file.helpers):
        verify_helper(definition, scope)
    brought: set[tuple[str, str]] = set()
    threads: dict[str, int] = {}  # of a block, for which the function of a warp has memory
    for function in file.kernels:
        for called in function.helpers:
            brought |= {(called.macro, name) for name in called.names}
            threads |= _threads(called)
            scope.define_brought(called)
        _verify_kernel(function, scope, frozenset(brought))
        scope.define_kernel(function)
        _verify_handed_on(function, threads)
    functions = {function.name: function for function in file.kernels}
    memory = SharedMemory(file.kernels)
    for function in file.kernels:
        used = memory.of_launch(function.name)
        if used > STATIC_SHARED:
            why = f"{used} bytes of shared memory are more than the {STATIC_SHARED} that a kernel may declare"
            fault(function.name, why)
    idle = {function.name for function in file.kernels if not function.layout}
    for entry in file.entries:
        idle -= verify_entry(entry, scope, functions, memory)
    if idle:
        fault(file.source, f"nothing starts `{min(idle)}`")


def verify_helper(definition: Definition, scope: FileScope) -> None:
    """Raise CompilerBug where a definition breaks a rule; what comes behind may name it."""
    verify_definition(definition, scope)
    scope.define(definition)
    if isinstance(definition, DeviceFunction):
        for body in (definition.body, definition.on_host):
            _verify_named(definition.name, body)
            Walk(scope, definition.name).function(definition, body)


# ---- kernels -----------------------------------------------------------------------------------------


def _verify_kernel(function: KernelFunction, file: FileScope, brought: frozenset[tuple[str, str]]) -> None:
    scope = file.inner()
    walk = Walk(file, function.name, _axes(function), function.at, function.index, brought, function.numbers)
    walk.widest = max(function.block, function.widest)
    for declared in function.parameters:
        if isinstance(declared.type, ArrayType):
            fault(function.name, f"`{declared.name}` is an array, of which it is given no pointer")
        walk.declare(scope, declared.name, known_parameter(declared))
    for number in function.numbers:
        walk.declare(scope, number, Known(INT))
    for found in accumulators_in(function.body):
        _verify_accumulator(function.name, found, file)
    walk.nodes(function.body, scope.inner(), Control())
    if walk.axes:
        _verify_dealt(function, walk.axes, frozenset(walk.begun))
    _verify_named(function.name, function.body)
    _verify_brought_together(function)
    _verify_block(function)


def _verify_dealt(function: KernelFunction, axes: frozenset[str], begun: frozenset[str]) -> None:
    """The loops of a PARALLEL kernel are dealt out along all directions of its grid, and each stands there once."""
    if axes != begun:
        along = [", ".join(sorted(each)) or "nothing" for each in (begun, axes)]
        fault(function.name, f"rows are dealt out along {along[0]}, and blocks along {along[1]}")
    if len(set(function.body)) < len(function.body):
        fault(function.name, "a loop that is dealt out stands twice")


def _verify_brought_together(function: KernelFunction) -> None:
    """What blocks, and threads of a block, each have of a result is combined."""
    nodes = tuple(blocks_in(function.body))
    down = [node for node in nodes if isinstance(node, ColumnSegment)]
    behind = tuple(node.finish for node in nodes if isinstance(node, ColumnsOfGrid))
    if down and _count(nodes, CombineColumns) == _count(tuple(blocks_in(behind)), CombineColumns):
        fault(function.name, "threads of a block have rows of the same columns, and do not combine what they have")
    of_blocks = any(not node.at.is_block for node in down) or any(map(_is_of_blocks, nodes))
    if of_blocks and not any(isinstance(node, CombineGrid | Arrive | ColumnsOfGrid) for node in nodes):
        fault(function.name, "blocks have parts of the same run, and do not combine what they have")


def _count(nodes: tuple[Node, ...], kind: type) -> int:
    return sum(isinstance(node, kind) for node in nodes)


def _is_of_blocks(node: Node) -> bool:
    """Whether a run is dealt out to several blocks."""
    match node:
        case Segment():
            return names_block(node.rank, node.size)
        case Teams():
            return node.scope == "grid"
    return False


def _verify_block(function: KernelFunction) -> None:
    """A block is whole warps, or one thread; what the launch provides has one name."""
    for threads in (function.block, *([function.widest] if function.widest else ())):
        if threads != 1 and (threads % WARP or not 0 < threads <= MAX_THREADS):
            fault(function.name, f"no GPU has blocks of {threads} threads, or one of them is no whole warp")
    provided = [each.name for each in blocks_in(function.body) if isinstance(each, SharedDecl) and each.count is None]
    if len(provided) > 1:
        fault(function.name, f"`{provided[0]}` and `{provided[1]}` are the same shared memory")


def _verify_named(where: str, body: tuple[Node, ...]) -> None:
    """Something names every local variable; what building blocks have for themselves, their text may."""
    idle = declared_in(body) - names_of(body)
    if idle:
        fault(where, f"`{min(idle)}` is declared, and nothing names it")


def _threads(helper: HelperCall) -> dict[str, int]:
    """The threads of a block that the functions of a warp are made for, by what they combine; places of exchanges."""
    match helper.macro, helper.arguments:
        case "warp", (Accumulator(name=name), int(threads)):
            return {name: threads}
        case "parts", (ExchangeParts(name=name, places=places),):
            return {name: places}
    return {}


def _verify_handed_on(function: KernelFunction, threads: Mapping[str, int]) -> None:
    """What lanes hand on through shared memory has a place for all threads of the block, and what rows exchange."""
    for found in accumulators_in(function.body):
        if found.by_memory and threads.get(found.name, function.block) < function.block:
            fault(function.name, f"`{found.name}_warp` has memory for fewer threads than {function.block}")
    for node in blocks_in(function.body):
        if not isinstance(node, Combine | CombineGrid) or node.at is None:
            continue
        if node.accumulator.by_memory and node.at.size < function.block:
            fault(function.name, f"`{node.accumulator.name}` has places for fewer threads than {function.block}")
    for node in function.body:
        if isinstance(node, ExchangeParts) and threads[node.name] != node.places:
            fault(function.name, f"`{node.name}_parts` has {threads[node.name]} places and not {node.places}")


def _axes(function: KernelFunction) -> frozenset[str]:
    """The directions of the grid along which a PARALLEL kernel deals out rows."""
    return frozenset("xyz"[: len(function.dealt) or 1]) if function.shape == "parallel" else frozenset()


def _verify_accumulator(where: str, found: Accumulator, file: FileScope) -> None:
    """What a thread carries becomes what threads combine, and the operator takes that."""
    for member in found.members:
        wanted = type_text(member.type)
        if member.cascade is not None and element_text(member.cascade) != wanted:
            fault(where, f"`{member.name}` is carried as a {type_text(member.cascade)} and combined as a {wanted}")
        operator = file.functions.get(member.operator)
        if operator is None or operator.is_template:
            continue
        if any(type_text(each.type) != wanted for each in operator.parameters):
            fault(where, f"`{member.operator}` does not combine values of type {wanted}")
