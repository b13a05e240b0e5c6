"""The text of the output file: collects what is reached, then lets Jinja print it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

import jinja2

from pencilc import __version__
from pencilc.codegen.compose import ComposeWriter
from pencilc.codegen.definitions import functions, types_and_tables, used
from pencilc.codegen.host import Entry, HostWriter
from pencilc.codegen.kernels import KernelWriter
from pencilc.codegen.long_rows import LongRowWriter
from pencilc.codegen.needs import Needs, names_in
from pencilc.codegen.pack import packed_code
from pencilc.codegen.parameters import arguments_of
from pencilc.codegen.printed import printed
from pencilc.codegen.stitch import StitchWriter
from pencilc.ir.kernel import Definition, KernelFunction
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.source import TranslationUnit
from pencilc.target import LANE_COUNTS, MAX_GRID, MAX_THREADS, RESERVED_SHARED, WARP


@dataclass(frozen=True, slots=True)
class OutputFile:
    """Everything that `kernel.cu.j2` prints."""

    version: str
    source: str
    types: tuple[Definition, ...]
    helpers: tuple[Definition, ...]
    kernels: tuple[KernelFunction, ...]
    entries: tuple[Entry, ...]


def render(unit: TranslationUnit, programs: tuple[MappedProgram, ...]) -> str:
    """The CUDA text of all regions of a file."""
    kernels: list[KernelFunction] = []
    entries: list[Entry] = []
    for program in programs:
        by_kernel: dict[str, tuple[KernelFunction, ...]] = {}
        together = {k.name for packed in program.packed() for k in packed.kernels}
        overflow = [kernel for packed in program.packed() for kernel in packed.overflow]
        for kernel in (*(k for k in program.kernels() if k.name not in together), *overflow):
            written = []
            own = replace(program, storage=program.storage_in(kernel))
            for made in KernelWriter(own, kernel).functions():
                parameters, arguments = arguments_of(own, made, kernel)
                made = replace(made, parameters=parameters, arguments=arguments)
                written.append(made)
                kernels.append(made)
            by_kernel[kernel.name] = tuple(written)
        packs = {packed.name: packed_code(program, packed) for packed in program.packed()}
        for packed in program.packed():
            code = packs[packed.name]
            kernels += [*(function for part in code.parts for function in part), code.kernel]
        for stitched in program.stitched():
            writers = [StitchWriter(program, stitched)]
            writers += [LongRowWriter(program, stitched, stitched.long_rows)] if stitched.long_rows else []
            written = []
            for writer in writers:
                for made in writer.functions():
                    parameters, arguments = arguments_of(writer.own, made, stitched.kernel)
                    written.append(replace(made, parameters=parameters, arguments=arguments))
            kernels += written
            by_kernel[stitched.kernel.name] = tuple(written)
        for composed in program.composed():
            whole = ComposeWriter(program, composed).code()
            kernels += [*whole.stages, whole.kernel]
            by_kernel[composed.kernel.name] = (whole.kernel,)
        entries.append(HostWriter(program, by_kernel, packs).entry())
    named = names_in(kernels, entries)
    helpers = used(functions(unit, programs), named)
    named |= names_in(helpers)
    types = used(types_and_tables(unit, programs), named)
    source = PurePath(unit.file.path).name
    file = OutputFile(__version__, source, types, helpers, tuple(kernels), tuple(entries))
    return _print(file, named | names_in(types))


def _print(file: OutputFile, named: set[str]) -> str:
    """The text of the file, of which `named` has the names in texts that Python has made."""
    environment = _environment()
    needs = Needs()
    environment.globals["needs"] = needs
    needs.of(named)
    return _tidy(_name_locals(environment.get_template("kernel.cu.j2").render(file=printed(file))))


def _name_locals(text: str) -> str:
    """Give the templates' own variables, written `@count`, names that no name of the source has.

    Names are chosen function by function: a top-level `}` ends one.
    """
    return "".join(_name_in(chunk) for chunk in re.split(r"(?<=\n\}\n)", text))


def _name_in(chunk: str) -> str:
    code = re.sub(r"//[^\n]*", "", chunk)
    words = set(re.findall(r"(?<![@.\w])[A-Za-z_]\w*", code))
    chosen: dict[str, str] = {}

    def choose(match: re.Match[str]) -> str:
        wish = match.group(1)
        if wish not in chosen:
            name = wish
            while name in words or name in chosen.values():
                name = f"{name}_"
            chosen[wish] = name
        return chosen[wish]

    return re.sub(r"@([A-Za-z_]\w*)", choose, chunk)


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pencilc_templates", ""),
        bytecode_cache=_bytecode_cache(),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=["jinja2.ext.do"],
        autoescape=False,  # The output is C++, not HTML.
    )
    # What the file relies on on every device (target.py).
    environment.globals |= {
        "WARP": WARP,
        "LANE_COUNTS": LANE_COUNTS,
        "MAX_THREADS": MAX_THREADS,
        "MAX_GRID": MAX_GRID,
        "RESERVED_SHARED": RESERVED_SHARED,
    }
    return environment


def _bytecode_cache() -> jinja2.BytecodeCache | None:
    """Compiled templates are kept between runs: compiling them takes longer than printing a file."""
    home = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(home) if home else Path("~/.cache").expanduser()) / "pencilc" / "templates"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return jinja2.FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None


def _tidy(text: str) -> str:
    """No blanks at line ends, no two blank lines in a row, none after an opening or before a closing brace."""
    text = re.sub(r"[ \t]+\n", "\n", text)
    text = re.sub(r"\n{3,}", "\n\n", text)
    text = re.sub(r"\{\n\n", "{\n", text)
    text = re.sub(r"\n\n( *\})", r"\n\1", text)
    return text.strip("\n") + "\n"
