"""The stage `kernels`: mapped regions become one tree, of which a file is printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePath

from pencilc.codegen.common_helpers import with_common_bins, with_common_helpers, with_common_parts
from pencilc.codegen.common_kernels import with_common_kernels
from pencilc.codegen.compose import ComposedCode, ComposeWriter
from pencilc.codegen.definitions import functions, types_and_tables, used
from pencilc.codegen.entry_bodies import with_functions
from pencilc.codegen.host import HostWriter
from pencilc.codegen.indirect import IndirectWriter
from pencilc.codegen.kernels import KernelWriter
from pencilc.codegen.known_lengths import as_launched, idle_kernels
from pencilc.codegen.launch_bodies import with_bodies
from pencilc.codegen.long_rows import LongRowWriter
from pencilc.codegen.loops import LoopCode, LoopWriter
from pencilc.codegen.needs import names_in
from pencilc.codegen.pack import packed_code
from pencilc.codegen.parameters import with_parameters
from pencilc.codegen.stitch import StitchWriter
from pencilc.ir.host import Entry, KernelFile
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.shapes import IndirectKernel
from pencilc.ir.source import TranslationUnit


def kernel_file(unit: TranslationUnit, programs: tuple[MappedProgram, ...]) -> KernelFile:
    """The tree of all regions of a file."""
    written: list[KernelFunction] = []
    queued: list[Entry] = []
    ends: list[int] = []  # of the kernels of each region
    for program in programs:
        queued.append(_region(program, written))
        ends.append(len(written))
    renamed, calling = with_common_bins(*with_common_helpers(written, queued))
    kernels, launching = with_common_parts(*with_common_kernels(renamed, ends, calling))
    entries = tuple(with_functions(with_bodies(entry)) for entry in launching)
    named = names_in(kernels, entries)
    helpers = used(functions(unit, programs), named)
    named |= names_in(helpers)
    types = used(types_and_tables(unit, programs), named)
    named |= names_in(types)
    return KernelFile(
        PurePath(unit.file.path).name, types, helpers, kernels, entries, frozenset(named)
    )  # fmt: skip


def _region(program: MappedProgram, kernels: list[KernelFunction]) -> Entry:
    """The entry points of a region; its kernels are added to `kernels`."""
    by_kernel: dict[str, tuple[KernelFunction, ...]] = {}
    together = {k.name for packed in program.packed() for k in packed.kernels}
    overflow = [kernel for packed in program.packed() for kernel in packed.overflow]
    fused = {k.name: stitched for stitched in program.stitched() for k in stitched.fallback.kernels}
    apart = together | idle_kernels(program)
    for kernel in (*(k for k in program.kernels() if k.name not in apart), *overflow):
        own = replace(program, storage=program.storage_in(kernel))
        writer = (
            IndirectWriter(own, kernel)
            if isinstance(kernel, IndirectKernel)
            else KernelWriter(own, kernel, fused=fused.get(kernel.name))
        )
        written = [with_parameters(own, made, kernel) for made in writer.functions()]
        kernels += _of(kernel.name, written)
        by_kernel[kernel.name] = tuple(written)
    packs = {packed.name: packed_code(program, packed) for packed in program.packed()}
    for packed in program.packed():
        code = packs[packed.name]
        for kernel, part in zip(packed.kernels, code.parts, strict=True):
            kernels += _of(kernel.name, part)
        kernels += _of(packed.name, (code.kernel,))
    for stitched in as_launched(program).values():
        writers = [StitchWriter(program, stitched)]
        writers += [LongRowWriter(program, stitched, stitched.long_rows)] if stitched.long_rows else []
        written = [with_parameters(w.own, made, stitched.kernel) for w in writers for made in w.functions()]
        kernels += _of(stitched.kernel.name, written)
        by_kernel[stitched.kernel.name] = tuple(written)
    composed_code: dict[str, ComposedCode] = {}
    for composed in program.composed():
        whole = ComposeWriter(program, composed).code()
        kernels += _of(composed.kernel.name, (*whole.stages, whole.kernel))
        composed_code[composed.kernel.name] = whole
    loops: dict[str, LoopCode] = {}
    for whole_loop in program.loop_kernels():
        inside = LoopWriter(program, program.loops()[whole_loop.name], whole_loop).code()
        kernels += _of(whole_loop.name, inside.functions)
        loops[whole_loop.name] = inside
    return HostWriter(program, by_kernel, packs, composed_code, loops).entry()


def _of(kernel: str, functions: Iterable[KernelFunction]) -> Iterator[KernelFunction]:
    """The functions as those of a kernel of the mapping."""
    return (replace(function, kernel=kernel) for function in functions)
