"""Packed kernels: device functions for each part, and a kernel that gives each its blocks.

A part keeps the functions and the run-time choices that it has on its own.  Its blocks are numbered through; what
counts them in two or three directions, or threads in two, gets its place from the number.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.codegen.indirect import IndirectWriter
from pencilc.codegen.kernels import KernelWriter
from pencilc.codegen.parameters import with_parameters
from pencilc.ir.build import (
    BLOCK,
    BLOCKS,
    THREAD,
    UNSIGNED,
    ZERO,
    binary,
    call,
    declare,
    evaluate,
    generated_type,
    minus,
    substituted,
    variable,
)
from pencilc.ir.build import number as constant
from pencilc.ir.geometry import Share
from pencilc.ir.kernel import BLOCK_ROWS, KernelFunction
from pencilc.ir.mapping import MappedProgram, Packed
from pencilc.ir.nodes import If, Node, Parameter, Switch
from pencilc.ir.shapes import IndirectKernel, Kernel
from pencilc.ir.source import INT, CallStmt, CType, Expr
from pencilc.records import dataclass

# What a part has besides the region's variables: a kernel of several parts has it for each.
_OWN = frozenset(("@partials", "@tickets", "@copies", BLOCK_ROWS))
_DIM3 = generated_type("dim3")


@dataclass(frozen=True, slots=True)
class PackedCode:
    """The device functions of each part, and the kernel that calls them."""

    parts: tuple[tuple[KernelFunction, ...], ...]
    kernel: KernelFunction


def packed_code(program: MappedProgram, packed: Packed) -> PackedCode:
    """The functions of a packed kernel."""
    overflow = {kernel.name for kernel in packed.overflow}
    parts = tuple(_part(program, kernel, kernel.name in overflow) for kernel in packed.kernels)
    return PackedCode(parts, _dispatcher(packed, parts))


def _part(program: MappedProgram, kernel: Kernel, overflows: bool) -> tuple[KernelFunction, ...]:
    """The device functions of a part; `overflows`: there are kernels of its name that bring what they share."""
    if isinstance(kernel, IndirectKernel):
        shared = IndirectWriter(program, kernel, Share.PART).made("indirect_shared", "_shared")
        made: tuple[KernelFunction, ...] = (shared,)
    else:
        made = KernelWriter(program, kernel, Share.PART).functions()
    found = []
    for function in made:
        function = with_parameters(program, function, kernel)
        if overflows:
            function = replace(function, name=f"{function.name}_part", helpers=())
        found.append(function)
    return tuple(found)


def _dispatcher(packed: Packed, parts: Seq[Seq[KernelFunction]]) -> KernelFunction:
    found = _parameters(parts)
    comment = (f"Each of {len(parts)} parts that do not depend on each other has blocks of its own.",)
    return KernelFunction(
        packed.name, "packed", comment, tuple(p for p, _ in found), tuple(a for _, a in found),
        packed.kernels[0].block, _calls(parts, 0, packed.kernels[0].block),
        resident=min(kernel.resident for kernel in packed.kernels),
    )  # fmt: skip


def _parameters(parts: Seq[Seq[KernelFunction]]) -> list[tuple[Parameter, Expr]]:
    """What all parts need, with the arguments; an array that any part writes is none of constants."""
    found: dict[Expr, Parameter] = {}
    for number, functions in enumerate(parts):
        for function in functions:
            own = {p.name: p.type for p in function.parameters if p.name in _own_names(function)}
            renamed: dict[str, Expr] = {name: variable(f"{name}{number}", of) for name, of in own.items()}
            for each, argument in zip(function.parameters, function.arguments, strict=True):
                declared = replace(each, name=f"{each.name}{number}") if each.name in own else each
                needed = substituted(argument, renamed)
                known = found.setdefault(needed, declared)
                if known != declared:
                    is_const, restrict = known.is_const and declared.is_const, known.restrict and declared.restrict
                    found[needed] = replace(declared, is_const=is_const, restrict=restrict)
        for kind, name in _geometry(functions):
            found[variable(f"@{name}{number}", kind)] = Parameter(f"@{name}{number}", kind)
    for number in range(len(parts) - 1):
        found[variable(f"@end{number}", UNSIGNED)] = Parameter(f"@end{number}", UNSIGNED)
    return [(declared, argument) for argument, declared in found.items()]


def _own_names(function: KernelFunction) -> tuple[str, ...]:
    """The names of what each part has for itself."""
    bins = {f"@{each.name}_bins" for each in function.scatter.bins} if function.scatter is not None else set()
    return tuple(p.name for p in function.parameters if p.name in _OWN or p.name in bins)


def _geometry(functions: Seq[KernelFunction]) -> list[tuple[CType, str]]:
    """(type, name) of what the entry point says about the blocks of a part, besides their number."""
    last = functions[-1]
    found: list[tuple[CType, str]] = [(INT, "lanes")] if last.shape == "row_blocks" else []
    found += [(UNSIGNED, "across")] if last.layout == "tile" else []
    found += [(UNSIGNED, "wide")] if last.layout in ("plane", "tile") else []
    return [*found, *([(UNSIGNED, "high")] if _has_layers(last) else [])]


def _has_layers(function: KernelFunction) -> bool:
    """Whether the blocks of a part have a third direction."""
    return len(function.dealt) > 2


def _calls(parts: Seq[Seq[KernelFunction]], number: int, block: int) -> tuple[Node, ...]:
    """`if (blockIdx.x < end0) part0(…, blockIdx.x, end0); else …`."""
    ends: list[Expr] = [*(variable(f"@end{k}", UNSIGNED) for k in range(len(parts) - 1)), BLOCKS["x"]]
    at, count = (minus(of, ends[number - 1]) if number else of for of in (BLOCK["x"], ends[number]))
    calls = _part_calls(parts[number], number, at, count, block)
    if number == len(parts) - 1:
        return calls
    return (If(binary("<", BLOCK["x"], ends[number]), calls, _calls(parts, number + 1, block)),)


def _part_calls(functions: Seq[KernelFunction], number: int, at: Expr, count: Expr, block: int) -> tuple[Node, ...]:
    """Block `at` of the `count` blocks of a part does its share."""
    (*narrow, last) = functions
    if last.layout == "line":
        return (_call(last, number, [at, count]),)
    wide, high = variable(f"@wide{number}", UNSIGNED), variable(f"@high{number}", UNSIGNED)
    block_of, blocks_of = variable("@block", UNSIGNED), variable("@blocks", UNSIGNED)
    column, row, rows = binary("%", block_of, wide), binary("/", block_of, wide), binary("/", blocks_of, wide)
    places = [dim3(column, row), dim3(wide, rows)]
    if _has_layers(last):
        places = [
            dim3(column, binary("%", row, high), binary("/", row, high)),
            dim3(wide, high, binary("/", rows, high)),
        ]
    if last.layout == "tile":
        across = variable(f"@across{number}", UNSIGNED)
        thread = THREAD["x"]
        places.append(dim3(binary("%", thread, across), binary("/", thread, across), ZERO))
        places.append(dim3(across, binary("/", constant(block), across)))
    whole = _call(last, number, places)
    chosen: Node = _switch(narrow, number, whole) if narrow else whole
    short = next((each for each in narrow if each.shape == "row_short"), None)
    if short is not None:
        of_lanes = binary(">", variable(f"@lanes{number}"), ZERO)
        chosen = If(of_lanes, (_call(short, number, [block_of, blocks_of]),), (chosen,))
    return (
        declare("@block", UNSIGNED, at, is_const=True),
        declare("@blocks", UNSIGNED, count, is_const=True),
        chosen,
    )


def dim3(*sides: Expr) -> Expr:
    """A place, or a number of places, in several directions."""
    return call("dim3", *sides, returns=_DIM3)


def _switch(narrow: Seq[KernelFunction], number: int, whole: CallStmt) -> Switch:
    """How a row is taken: by some lanes, as there are functions for, by a warp (0), by a block or several (-1)."""
    places: list[Expr] = [variable("@block", UNSIGNED), variable("@blocks", UNSIGNED)]
    cases: list[tuple[int, CallStmt]] = []
    for function in narrow:
        if function.shape == "row_warps":
            cases.append((0, _call(function, number, places)))
        cases += [(k, _call(function, number, places, (k,))) for k in function.lanes]
    return Switch(variable(f"@lanes{number}"), tuple(cases), whole)


def _call(function: KernelFunction, number: int, places: Seq[Expr], lanes: tuple[int, ...] = ()) -> CallStmt:
    """A call with what the dispatcher knows of the part."""
    own = _own_names(function)
    arguments = [variable(f"{p.name}{number}" if p.name in own else p.name, p.type) for p in function.parameters]
    return evaluate(function.name, *arguments, *places, made_for=lanes)
