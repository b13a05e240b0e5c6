"""Parameters of kernel functions: whatever their text mentions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from collections.abc import Sequence as Seq

from pencilc.codegen.cexpr import type_text
from pencilc.codegen.instances import expansion_names, iterator_type, shared_name, texts
from pencilc.codegen.names import safe
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.schedule import statements_of
from pencilc.ir.shapes import Kernel
from pencilc.ir.source import Symbol, element_type
from pencilc.ir.storage import InBlock, Pointer, Storage, Value, Workspace

Pair = tuple[str, str]  # a parameter's declaration and the argument at the launch


def arguments_of(
    program: MappedProgram, function: KernelFunction, kernel: Kernel, exchanged: frozenset[str] = frozenset()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Parameters and arguments of a kernel, in the order of the region's parameters.

    `exchanged`: variables that other functions of the same kernel access through pointers of their own.
    """
    nodes = (*function.prologue, *function.body, *function.post, *((function.segment,) if function.segment else ()))
    lines = [*texts(nodes), *function.kept, *function.uniform, *_launch_texts(function)]
    lines += function.scatter.texts() if function.scatter else ()
    words = set(re.findall(r"(?<![\w.@])[A-Za-z_]\w*", "\n".join(lines)))
    pairs = [
        *_variables(program, kernel, words, exchanged),
        *_shared(program, kernel, lines),
        *_sizes(program, kernel, words),
    ]
    in_block = function.layout in ("block", "block_tile")
    returns = type_text(program.scop.region.returns)
    if returns != "void" and any("@result" in line for line in lines):
        pairs.append((f"{returns} *__restrict__ @result", "@result"))
    if function.launch.get("teams") and not in_block:
        pairs.append(("unsigned @team", "@team"))
    if function.workers and function.shape in ("all", "row_blocks"):
        pairs.append(("unsigned @workers", "@workers"))
    if function.accumulator and function.shape in ("all", "row_blocks", "column") and not in_block:
        pairs += [(f"{function.accumulator.type} *@partials", "@partials"), ("unsigned *@tickets", "@tickets")]
    pairs += function.extra
    stitch = function.stitch
    if stitch is not None and stitch.whole and not function.first and any(s.accumulator for s in stitch.stages):
        pairs.append((f"{kernel.name}_partial *@partials", "@partials"))
    return tuple(parameter for parameter, _ in pairs), tuple(argument for _, argument in pairs)


def exchanged(program: MappedProgram, stages: Seq[Kernel]) -> frozenset[str]:
    """Variables that one of the stages writes and another one accesses."""
    by_array = {a.name: a.symbol.name for a in program.scop.arrays}
    written = set().union(*(_written_in(program, stage) for stage in stages))
    accessed: Counter[str] = Counter()
    for stage in stages:
        names = {a.array for n in stage.statements for a in program.scop.statement(n).accesses}
        accessed.update({by_array[name] for name in names} | _written_in(program, stage))
    return frozenset(name for name in written if accessed[name] > 1)


def _variables(program: MappedProgram, kernel: Kernel, words: set[str], exchanged: frozenset[str]) -> Iterator[Pair]:
    """Arrays and scalars of the region, its parameters first."""
    scop = program.scop
    written = _written_in(program, kernel)
    places = {s.array: s for s in program.storage}
    symbols = {a.symbol.name: a.symbol for a in scop.arrays} | {p.name: p for p in scop.region.params}
    order = [p.name for p in scop.region.params]
    for name in [*order, *(n for n in symbols if n not in order)]:
        storage = places.get(name)
        if safe(name) in words and (storage is None or _is_parameter(storage)):
            yield _kernel_parameter(symbols[name], storage, name in written, name in exchanged), safe(name)


def _shared(program: MappedProgram, kernel: Kernel, lines: list[str]) -> Iterator[Pair]:
    """What a block has of variables in shared memory."""
    words = set(re.findall(r"@\w+", "\n".join(lines)))
    written = _written_in(program, kernel)
    symbols = {a.symbol.name: a.symbol for a in program.scop.arrays}
    for storage in program.storage:
        if isinstance(storage.residence, InBlock) and shared_name(storage) in words:
            const = "" if storage.array in written else "const "
            ctype = type_text(element_type(symbols[storage.array].type))
            yield f"{const}{ctype} *{shared_name(storage)}", shared_name(storage)


def _sizes(program: MappedProgram, kernel: Kernel, words: set[str]) -> Iterator[Pair]:
    """Sizes of expanded workspace variables, and the iterators of the host loops around the launch."""
    for storage in program.storage:
        for name in expansion_names(storage):
            if name in words:
                yield f"long long {name}", name
    for name in kernel.host:
        if name in words:
            yield f"{iterator_type(program.scop, name)} {name}", name


def _launch_texts(function: KernelFunction) -> list[str]:
    found: list[str] = []
    for key, value in function.launch.items():
        if (function.shape in ("row_lanes", "row_warps", "row_blocks") and key != "rows") or function.shape == "all":
            continue
        found += [str(v) for v in value] if isinstance(value, list) else [str(value)]
    return found


def _is_parameter(storage: Storage) -> bool:
    """Whether a kernel that uses the variable is given it, or where it is in memory."""
    residence = storage.residence
    if isinstance(residence, InBlock):
        return residence.memory is not None
    return isinstance(residence, Pointer | Value | Workspace)


def _kernel_parameter(symbol: Symbol, storage: Storage | None, written: bool, exchanged: bool) -> str:
    """`exchanged` data may not come through the read-only cache, which `const` and `__restrict__` together allow."""
    const = "" if written else "const "
    restrict = "" if exchanged else "__restrict__ "
    if storage is not None and isinstance(storage.residence, Workspace | Pointer | InBlock):
        return f"{const}{type_text(element_type(symbol.type))} *{restrict}{safe(symbol.name)}"
    return f"{type_text(symbol.type)} {safe(symbol.name)}"


def _written_in(program: MappedProgram, kernel: Kernel) -> set[str]:
    """Symbols that a kernel writes."""
    scop = program.scop
    if kernel.body is None:
        names = tuple(s.name for s in scop.statements)
    else:
        merges = tuple(r.merge for r in scop.reductions_of(kernel.continued))
        names = (*kernel.prologue, *statements_of(kernel.body), *merges, *kernel.post)
    by_array = {a.name: a.symbol.name for a in scop.arrays}
    written = {by_array[a.array] for n in names for a in scop.statement(n).accesses if a.kind.writes}
    return written | {by_array[r.array] for r in scop.reductions if r.merge in names}
