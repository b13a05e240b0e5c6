"""LOOP kernels: a loop on the host inside of one launch, with a device function for each of the kernels below it.

    for t0 on the host { kernel f_parallel0 }
        ->   for (long long t0 = 3; t0 < 4 * tsteps + 3 * n - 9; t0++) { f_loop0_parallel0(…); pencilc_meet(); }

A kernel is written as a part of a packed one is: it has all blocks of the launch, however many these are, and deals its
points out to them.  Behind each of them all threads meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import partial

from pencilc import islx
from pencilc.analysis.box import launches
from pencilc.codegen.ast_verifier import verify_ast
from pencilc.codegen.astgen import Affine, AstInstance, AstNode, generate, signed
from pencilc.codegen.hostloops import below, depth_names, host_schedule, loop_nodes
from pencilc.codegen.instances import iterator_type
from pencilc.codegen.kernels import KernelWriter
from pencilc.codegen.names import safe
from pencilc.codegen.pack import dim3
from pencilc.codegen.parameters import with_parameters, written_in
from pencilc.codegen.time_tiles import TimeWriter
from pencilc.ir.build import (
    BLOCK,
    BLOCKS,
    THREAD,
    THREADS,
    UNSIGNED,
    ZERO,
    binary,
    declare,
    evaluate,
    substituted,
    times,
    variable,
)
from pencilc.ir.geometry import Share
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.mapping import Composed, HostItem, HostLoop, MappedProgram, Packed, kernels_of
from pencilc.ir.nodes import If, Node, Parameter, Sync
from pencilc.ir.shapes import Kernel, LoopKernel
from pencilc.ir.source import Expr
from pencilc.ir.storage import Element, Home, Register, Storage
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class LoopCode:
    """The device function of each kernel below the loop, by the name of that kernel, and the kernel that calls them.

    `tiles`: the function that does several iterations of a tile, if there is one.
    """

    stages: Mapping[str, KernelFunction]
    kernel: KernelFunction
    tiles: KernelFunction | None = None

    @property
    def functions(self) -> tuple[KernelFunction, ...]:
        """All of them, those that are called first."""
        return (*self.stages.values(), self.kernel, *((self.tiles,) if self.tiles is not None else ()))


class LoopWriter:
    """Writes the functions of `kernel`, which does all iterations of one loop."""

    def __init__(self, program: MappedProgram, loop: HostLoop, kernel: LoopKernel) -> None:
        self.program, self.loop, self.kernel, self.scop = program, loop, kernel, program.scop
        self.inside = kernels_of(loop.items)
        self.names = {each.name: f"{kernel.name}_{each.shape.value}{each.number}" for each in self.inside}
        storage = tuple(_moved(each, self.names) for each in program.storage)
        self.own = replace(program, items=_renamed(program.items, self.names), storage=storage)
        # What an iteration leaves for the next one, or a kernel for another: all that is written.
        self.exchanged = frozenset(name for each in self.inside for name in written_in(program, each))
        self.depth = depth_names((loop,))
        iterators = {*kernel.host, *self.depth, *(name for each in self.inside for name in each.host)}
        known = {name: signed(name, iterator_type(self.scop, name)) for name in sorted(iterators)}
        self.affine = Affine({**known, **{p.name: signed(safe(p.name), p.type) for p in self.scop.params}})

    def code(self) -> LoopCode:
        """All functions."""
        stages = {kernel.name: self._stage(kernel) for kernel in self.inside}
        tiles = TimeWriter(self.program, self.loop, self.kernel).function() if self.loop.tiling is not None else None
        return LoopCode(stages, self._kernel(stages), tiles)

    def _stage(self, kernel: Kernel) -> KernelFunction:
        stage = replace(kernel, name=self.names[kernel.name])
        (function,) = KernelWriter(self.own, stage, Share.BLOCKS).functions()
        return with_parameters(self.own, function, stage, self.exchanged)

    def _kernel(self, stages: Mapping[str, KernelFunction]) -> KernelFunction:
        places = [node for kernel in self.inside for node in _places(kernel, stages[kernel.name])]
        work = _Work(self, stages).nodes(self._ast())
        lines = sorted({self.scop.statement(name).span.line for name in self.kernel.statements} - {0})
        where = f"Line {lines[0]}" if len(lines) == 1 else f"Lines {lines[0]}-{lines[-1]}" if lines else "A loop"
        told = (f"{where}: all iterations of the loop over `{self.loop.iterator}`, which wait for each other.",)
        given = [each for kernel in self.inside for each in given_to_stage(kernel, stages[kernel.name])]
        whole = KernelFunction(
            self.kernel.name, "loop", told, (), (), self.kernel.block, (*places, *work), index=self.kernel.index,
            extra=tuple((each, variable(each.name, each.type)) for each in given),
        )  # fmt: skip
        return with_parameters(self.own, whole, self.kernel, self.exchanged)

    def _ast(self) -> AstNode:
        """The loops around the kernels, where the loops around them have the values of parameters."""
        around = self.kernel.host
        context = self.scop.context.intersect(islx.as_parameters(self.kernel.domain, around))
        schedule = host_schedule((below(replace(self.loop, kernel=None), around),))
        ast = generate(schedule, context, self.depth, self.affine)
        if schedule is not None:
            verify_ast(ast, islx.sets_of(schedule.get_domain()), context, self.affine, {})
        return ast


class _Work:
    """Turns the loops around kernels into those of a function."""

    def __init__(self, writer: LoopWriter, stages: Mapping[str, KernelFunction]) -> None:
        self.writer, self.stages, self.scop = writer, stages, writer.scop
        self.kernels = {kernel.name: kernel for kernel in writer.inside}
        self.packed = {item.name: item for item in _packed_in(writer.loop.items)}

    def nodes(self, node: AstNode) -> tuple[Node, ...]:
        return loop_nodes(node, self.scop, lambda instance: (*self._instance(instance), Sync("launch")))

    def _instance(self, node: AstInstance) -> tuple[Node, ...]:
        """One kernel in one iteration, or several that do not depend on each other."""
        if node.statement not in self.packed:
            return self._call(self.kernels[node.statement], node.arguments)
        kernels = self.packed[node.statement].kernels
        host = kernels[0].host
        known = self.scop.context.intersect(islx.as_parameters(launches(kernels), host))
        values = dict(zip(host, node.arguments, strict=True))
        found: list[Node] = []
        for kernel in kernels:
            condition = self.writer.affine.condition(islx.as_parameters(kernel.domain, host), known)
            calls = self._call(kernel, node.arguments)
            found += calls if condition is None else (If(substituted(condition, values), calls),)
        return tuple(found)

    def _call(self, kernel: Kernel, values: Seq[Expr]) -> tuple[Node, ...]:
        """A kernel in the iteration in which the loops around it have `values`."""
        function, at = self.stages[kernel.name], kernel.number
        iterators = dict(zip(kernel.host, values, strict=True))
        arguments = [iterators.get(p.name) or variable(p.name, p.type) for p in function.parameters]
        if function.layout == "line":
            call = evaluate(function.name, *arguments, BLOCK["x"], BLOCKS["x"])
            return (call,) if kernel.is_parallel else (If(binary("==", BLOCK["x"], ZERO), (call,)),)
        places = (variable(f"@{name}{at}") for name in ("block", "blocks", "thread", "threads"))
        call = evaluate(function.name, *arguments, *places)
        # What is left of the blocks where they make no whole rows has nothing to do.
        layer = _layer(kernel, function)
        return (If(binary("<", BLOCK["x"], times(binary("/", BLOCKS["x"], layer), layer)), (call,)),)


def given_to_stage(kernel: Kernel, function: KernelFunction) -> tuple[Parameter, ...]:
    """What the entry point says about how blocks and threads stand for a kernel below the loop."""
    if function.layout == "line":
        return ()
    names = ("across", "wide", "high")[: len(function.dealt)]
    return tuple(Parameter(f"@{name}{kernel.number}", UNSIGNED) for name in names)


def _layer(kernel: Kernel, function: KernelFunction) -> Expr:
    """The blocks that lie in one plane: in a row, where points are dealt out in two directions."""
    wide, high = (variable(f"@{name}{kernel.number}", UNSIGNED) for name in ("wide", "high"))
    return times(wide, high) if len(function.dealt) > 2 else wide


def _places(kernel: Kernel, function: KernelFunction) -> Iterator[Node]:
    """Where this thread stands among those of a kernel that counts them in several directions."""
    if function.layout == "line":
        return
    at = kernel.number
    across, wide, high = (variable(f"@{name}{at}", UNSIGNED) for name in ("across", "wide", "high"))
    layer = _layer(kernel, function)
    column, row, layers = binary("%", BLOCK["x"], wide), binary("/", BLOCK["x"], wide), binary("/", BLOCKS["x"], layer)
    block, blocks = dim3(column, row), dim3(wide, layers)
    if len(function.dealt) > 2:
        block, blocks = dim3(column, binary("%", row, high), binary("/", row, high)), dim3(wide, high, layers)
    thread = dim3(binary("%", THREAD["x"], across), binary("/", THREAD["x"], across), ZERO)
    threads = dim3(across, binary("/", THREADS["x"], across))
    for name, value in (("block", block), ("blocks", blocks), ("thread", thread), ("threads", threads)):
        yield declare(f"@{name}{at}", value.type, value, is_const=True)


# ---- items as the functions of the loop have them --------------------------------------------------------


def _renamed(items: Seq[HostItem], names: Mapping[str, str]) -> tuple[HostItem, ...]:
    """The items with other names for some kernels."""
    found: list[HostItem] = []
    for item in items:
        match item:
            case HostLoop():
                found.append(_renamed_in(item, names))
            case Composed():
                found.append(item.with_loops_behind(partial(_renamed_in, names=names)))
            case Packed():
                kernels = tuple(replace(kernel, name=names.get(kernel.name, kernel.name)) for kernel in item.kernels)
                found.append(replace(item, kernels=kernels))
            case Kernel():
                found.append(replace(item, name=names.get(item.name, item.name)))
            case _:
                found.append(item)
    return tuple(found)


def _renamed_in(loop: HostLoop, names: Mapping[str, str]) -> HostLoop:
    return replace(loop, items=_renamed(loop.items, names))


def _moved(storage: Storage, names: Mapping[str, str]) -> Storage:
    """Where a variable lives, the registers of kernels being those of their functions in the loop."""
    residence = storage.residence
    if not isinstance(residence, Register | Element):
        return storage
    homes = tuple(Home(names.get(home.kernel, home.kernel), home.part) for home in residence.homes)
    return Storage(storage.array, replace(residence, homes=homes))


def _packed_in(items: Seq[HostItem]) -> Iterator[Packed]:
    for item in items:
        match item:
            case HostLoop():
                yield from _packed_in(item.items)
            case Packed():
                yield item
