"""Packed kernels: device functions for each part, and a kernel that gives each its blocks.

A part keeps the functions and the run-time choices that it has on its own.  Its blocks are numbered through; what
counts them in two or three directions, or threads in two, gets its place from the number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace

from pencilc.codegen.indirect import IndirectWriter
from pencilc.codegen.kernels import KernelWriter
from pencilc.codegen.parameters import arguments_of
from pencilc.ir.kernel import If, KernelFunction, Line, Node
from pencilc.ir.mapping import MappedProgram, Packed
from pencilc.ir.shapes import IndirectKernel, Kernel
from pencilc.target import LANE_COUNTS

# What a part has besides the region's variables: a kernel of several parts has it for each.
_OWN = re.compile(r"@(partials|tickets|team|copies|\w+_bins)\b")


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
        made: tuple[KernelFunction, ...] = (IndirectWriter(program, kernel).made("indirect_shared", "_shared"),)
    else:
        made = KernelWriter(program, kernel).functions()
    found = []
    for function in made:
        parameters, arguments = arguments_of(program, function, kernel)
        if not kernel.is_parallel:
            function = replace(function, body=(If("threadIdx.x == 0", function.body),))
        if overflows:
            function = replace(function, name=f"{function.name}_part", first=False)
        found.append(replace(function, layout=_layout(function), parameters=parameters, arguments=arguments))
    return tuple(found)


def _layout(function: KernelFunction) -> str:
    if function.shape == "column" or (function.shape == "parallel" and function.launch["depth"] != "1"):
        return "tile"
    return "plane" if function.shape in ("row_blocks", "indirect_shared") else "line"


def _dispatcher(packed: Packed, parts: Seq[Seq[KernelFunction]]) -> KernelFunction:
    parameters = _parameters(parts)
    comment = (f"Each of {len(parts)} parts that do not depend on each other has blocks of its own.",)
    return KernelFunction(
        packed.name, "packed", comment, tuple(parameters.values()), tuple(parameters), packed.kernels[0].block, None,
        (), (), _calls(parts, 0, packed.kernels[0].block), (), index="long long",
        resident=min(kernel.resident for kernel in packed.kernels),
    )  # fmt: skip


def _parameters(parts: Seq[Seq[KernelFunction]]) -> dict[str, str]:
    """The declarations of what all parts need, by argument; an array that any part writes is none of constants."""
    found: dict[str, str] = {}
    for number, functions in enumerate(parts):
        for function in functions:
            for parameter, argument in zip(function.parameters, function.arguments, strict=True):
                declaration = _own(parameter, number)
                known = found.setdefault(_own(argument, number), declaration)
                if known != declaration:
                    found[_own(argument, number)] = declaration.removeprefix("const ")
        for kind, name in _geometry(functions):
            found[f"@{name}{number}"] = f"{kind} @{name}{number}"
    for number in range(len(parts) - 1):
        found[f"@end{number}"] = f"unsigned @end{number}"
    return found


def _geometry(functions: Seq[KernelFunction]) -> list[tuple[str, str]]:
    """(type, name) of what the entry point says about the blocks of a part, besides their number."""
    last = functions[-1]
    found = [("int", "lanes")] if last.shape == "row_blocks" else []
    found += [("unsigned", "across")] if last.layout == "tile" else []
    found += [("unsigned", "wide")] if last.layout in ("plane", "tile") else []
    return [*found, *([("unsigned", "high")] if _has_layers(last) else [])]


def _has_layers(function: KernelFunction) -> bool:
    """Whether the blocks of a part have a third direction."""
    return bool(function.launch.get("has_outer")) or function.launch.get("depth") == "3"


def _calls(parts: Seq[Seq[KernelFunction]], number: int, block: int) -> tuple[Node, ...]:
    """`if (blockIdx.x < end0) part0(…, blockIdx.x, end0); else …`."""
    start = f" - @end{number - 1}" if number else ""
    end = f"@end{number}" if number < len(parts) - 1 else "gridDim.x"
    calls = _part_calls(parts[number], number, f"blockIdx.x{start}", f"{end}{start}", block)
    if number == len(parts) - 1:
        return calls
    return (If(f"blockIdx.x < @end{number}", calls, _calls(parts, number + 1, block)),)


def _part_calls(functions: Seq[KernelFunction], number: int, at: str, count: str, block: int) -> tuple[Node, ...]:
    """Block `at` of the `count` blocks of a part does its share."""
    (*narrow, last) = functions
    if last.layout == "line":
        return (Line(f"{_call(last, number, [at, count])};"),)
    wide, high = f"@wide{number}", f"@high{number}"
    places = [f"dim3(@block % {wide}, @block / {wide})", f"dim3({wide}, @blocks / {wide})"]
    if _has_layers(last):
        places = [f"dim3(@block % {wide}, @block / {wide} % {high}, @block / {wide} / {high})",
                  f"dim3({wide}, {high}, @blocks / {wide} / {high})"]  # fmt: skip
    if last.layout == "tile":
        across = f"@across{number}"
        places += [f"dim3(threadIdx.x % {across}, threadIdx.x / {across}, 0)", f"dim3({across}, {block} / {across})"]
    whole = _call(last, number, places)
    lines = [f"const unsigned @block = {at}, @blocks = {count};"]
    if narrow:
        lines += _switch(narrow, number, whole)
    else:
        lines.append(f"{whole};")
    return tuple(Line(text) for text in lines)


def _switch(narrow: Seq[KernelFunction], number: int, whole: str) -> list[str]:
    """How a row is taken: by some lanes, by a warp (0), by a block or several (-1)."""
    places = ["@block", "@blocks"]
    cases = []
    for function in narrow:
        if function.shape == "row_warps":
            cases.append(("0", _call(function, number, places)))
            continue
        lanes = LANE_COUNTS if function.shape == "row_short" else function.launch["lanes"]
        assert isinstance(lanes, tuple)
        cases += [(str(k), _call(function, number, places, f"<{k}>")) for k in lanes]
    lines = [f"switch (@lanes{number}) {{"]
    lines += [f"case {case}: {call}; break;" for case, call in cases]
    return [*lines, f"default: {whole};", "}"]


def _call(function: KernelFunction, number: int, places: Seq[str], lanes: str = "") -> str:
    arguments = [_own(parameter.split("*")[-1].split()[-1], number) for parameter in function.parameters]
    return f"{function.name}{lanes}({', '.join((*arguments, *places))})"


def _own(text: str, number: int) -> str:
    """`text` with the partial results, tickets and the like of part `number`."""
    return _OWN.sub(rf"@\g<1>{number}", text)
