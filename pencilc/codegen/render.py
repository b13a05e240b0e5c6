"""The text of the output file: collects what is reached, then lets Jinja print it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

import jinja2

from pencilc import __version__
from pencilc.codegen.cexpr import Bindings, declarator, stored, type_text
from pencilc.codegen.compose import ComposeWriter
from pencilc.codegen.cstmt import function
from pencilc.codegen.host import Entry, HostWriter
from pencilc.codegen.kernels import KernelWriter
from pencilc.codegen.long_rows import LongRowWriter
from pencilc.codegen.names import safe
from pencilc.codegen.needs import Needs, names_in
from pencilc.codegen.pack import packed_code
from pencilc.codegen.parameters import arguments_of
from pencilc.codegen.pencil_functions import DEFINITIONS, PINNED, TESTS
from pencilc.codegen.stitch import StitchWriter
from pencilc.gpu.storage.tables import constant_tables
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.source import (
    ArrayType,
    Call,
    Expr,
    Function,
    Initializer,
    IntLiteral,
    Name,
    Node,
    PointerType,
    ReductionInit,
    ReductionUpdate,
    Struct,
    TranslationUnit,
    walk,
)  # fmt: skip
from pencilc.poly.model.accesses import Effects
from pencilc.poly.model.live_source import live_body
from pencilc.target import LANE_COUNTS, MAX_GRID, MAX_THREADS, RESERVED_SHARED, WARP


@dataclass(frozen=True, slots=True)
class PrintedKernel:
    """A kernel function and the number of accumulators of a thread."""

    function: KernelFunction
    sets: int


@dataclass(frozen=True, slots=True)
class Definition:
    """Lines that define something of the source; printed where `name` is named, in any case if that is None."""

    name: str | None
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutputFile:
    """Everything that `kernel.cu.j2` prints."""

    version: str
    source: str
    types: tuple[Definition, ...]
    helpers: tuple[Definition, ...]
    kernels: tuple[PrintedKernel, ...]
    entries: tuple[Entry, ...]


def render(unit: TranslationUnit, programs: tuple[MappedProgram, ...]) -> str:
    """The CUDA text of all regions of a file."""
    kernels: list[PrintedKernel] = []
    entries: list[Entry] = []
    for program in programs:
        functions: dict[str, tuple[KernelFunction, ...]] = {}
        together = {k.name for packed in program.packed() for k in packed.kernels}
        overflow = [kernel for packed in program.packed() for kernel in packed.overflow]
        for kernel in (*(k for k in program.kernels() if k.name not in together), *overflow):
            written = []
            own = replace(program, storage=program.storage_in(kernel))
            for made in KernelWriter(own, kernel).functions():
                parameters, arguments = arguments_of(own, made, kernel)
                made = replace(made, parameters=parameters, arguments=arguments)
                written.append(made)
                kernels.append(PrintedKernel(made, kernel.loads.sets))
            functions[kernel.name] = tuple(written)
        packs = {packed.name: packed_code(program, packed) for packed in program.packed()}
        for packed in program.packed():
            code = packs[packed.name]
            for kernel, part in zip(packed.kernels, code.parts, strict=True):
                kernels += [PrintedKernel(function, kernel.loads.sets) for function in part]
            kernels.append(PrintedKernel(code.kernel, 1))
        for stitched in program.stitched():
            writers = [StitchWriter(program, stitched)]
            writers += [LongRowWriter(program, stitched, stitched.long_rows)] if stitched.long_rows else []
            written = []
            for writer in writers:
                for made in writer.functions():
                    parameters, arguments = arguments_of(writer.own, made, stitched.kernel)
                    written.append(replace(made, parameters=parameters, arguments=arguments))
            kernels += [PrintedKernel(made, 1) for made in written]
            functions[stitched.kernel.name] = tuple(written)
        for composed in program.composed():
            whole = ComposeWriter(program, composed).code()
            for stage, made in zip(composed.stages, whole.stages, strict=True):
                kernels.append(PrintedKernel(made, stage.loads.sets))
            kernels.append(PrintedKernel(whole.kernel, 1))
            functions[composed.kernel.name] = (whole.kernel,)
        entries.append(HostWriter(program, functions, packs).entry())
    named = names_in((kernels, entries))
    helpers = _used(_helpers(unit, programs), named)
    named |= names_in(helpers)
    types = _used(_types(unit, programs), named)
    source = PurePath(unit.file.path).name
    file = OutputFile(__version__, source, types, helpers, tuple(kernels), tuple(entries))
    return _print(file, named | names_in(types))


def _print(file: OutputFile, named: set[str]) -> str:
    """The text of the file, of which `named` has the names in texts that Python has made."""
    environment = _environment()
    needs = Needs()
    environment.globals["needs"] = needs
    needs.of(named)
    return _tidy(_name_locals(environment.get_template("kernel.cu.j2").render(file=file)))


def _used(definitions: Seq[Definition], named: set[str]) -> tuple[Definition, ...]:
    """The definitions that something later may name: an operator may have become an instruction, a body be inlined."""
    kept: list[Definition] = []
    for definition in reversed(definitions):  # what names others comes behind them
        if definition.name is None or definition.name in named:
            kept.insert(0, definition)
            named = named | names_in(definition.lines)
    return tuple(kept)


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


# ---- what the regions reach ------------------------------------------------------------------------


def _types(unit: TranslationUnit, programs: tuple[MappedProgram, ...]) -> tuple[Definition, ...]:
    """All structs and tables, and the enumeration constants that something may name."""
    found = [Definition(None, _struct(s)) for s in unit.structs]
    for name, value in _constants(unit, programs).items():
        found.append(Definition(safe(name), (f"static constexpr int {safe(name)} = {value};",)))
    constant = constant_tables(unit)
    for declaration in unit.globals:
        symbol = declaration.symbol
        assert declaration.init is not None  # PC0407
        kind = "__constant__" if symbol.name in constant else "__device__ const"
        kind = kind if isinstance(symbol.type, ArrayType | Struct) else "constexpr"
        text = f"static {kind} {declarator(symbol.type, safe(symbol.name))} = {_initial(declaration.init)};"
        found.append(Definition(None, (text,)))
    return tuple(found)


def _initial(init: Expr) -> str:
    text = stored(init, Bindings())
    return text.removeprefix(type_text(init.type)) if isinstance(init, Initializer) else text


def _constants(unit: TranslationUnit, programs: tuple[MappedProgram, ...]) -> dict[str, int]:
    """The enumeration constants that the code may name, in order of first use."""
    roots: list[Node] = [program.scop.region.body for program in programs]
    roots += [function.body for function in unit.functions]
    roots += [declaration.init for declaration in unit.globals if declaration.init is not None]
    found: dict[str, int] = {}
    for root in roots:
        for node in walk(root):
            if isinstance(node, IntLiteral) and node.name:
                found[node.name] = node.value
    return found


def _struct(struct: Struct) -> tuple[str, ...]:
    members = [f"    {declarator(m.type, safe(m.name))};" for m in struct.members]
    return (f"struct {type_text(struct)} {{", *members, "};")


def _helpers(unit: TranslationUnit, programs: tuple[MappedProgram, ...]) -> tuple[Definition, ...]:
    """Definitions of the functions that regions reach, callees first; those of pencil.h among them."""
    found: dict[str, Definition] = {}
    reach = _Reach(unit, Effects({f.name: f for f in unit.functions}), _run_by_host(unit), found)
    for program in programs:
        for name in _called(live_body(program.scop)):
            reach.add(name, program.pinned)
    for function_ in unit.functions:
        if function_.is_exported:
            reach.add(function_.name, any(program.pinned for program in programs))
    return tuple(definition for definition in found.values() if definition.lines)


def _run_by_host(unit: TranslationUnit) -> frozenset[str]:
    """The functions that the host can call, and what those call."""
    found: set[str] = set()
    pending = [f.name for f in unit.functions if f.is_exported]
    while pending:
        name = pending.pop()
        if name in found:
            continue
        found.add(name)
        definition = unit.function(name)
        pending += _called(definition.body) if definition is not None else []
    return frozenset(found)


def _called(body: object) -> list[str]:
    names: list[str] = []
    for node in walk(body):  # type: ignore[arg-type]
        if isinstance(node, Call | ReductionInit):
            names.append(node.function)
        elif isinstance(node, ReductionUpdate):
            names.append(node.operator)
    return names


@dataclass(frozen=True, slots=True)
class _Reach:
    """Collects definitions in `found`, by name, callees first; the functions in `on_host` the host runs too."""

    unit: TranslationUnit
    effects: Effects
    on_host: frozenset[str]
    found: dict[str, Definition]

    def add(self, name: str, pinned: bool) -> None:
        """The definition of a function and of all that it calls; `pinned` as in `Bindings`."""
        if name in self.found:
            return
        definition: Function | None = self.unit.function(name)
        if definition is None:
            called = f"pencilc_{name}" if name in TESTS else safe(name)
            self.found[name] = Definition(called, self._of_pencil(name, pinned))
            return
        for inner in _called(definition.body):
            self.add(inner, pinned)
        for_host = name in self.on_host
        lines = tuple(function(_with_const(definition, self.effects), pinned, for_host))
        self.found[name] = Definition(None if definition.is_exported else safe(name), lines)

    def _of_pencil(self, name: str, pinned: bool) -> tuple[str, ...]:
        plain = DEFINITIONS.get(name, ())
        chosen = PINNED.get(name, plain) if pinned else plain
        if name not in self.on_host:
            return chosen
        lines = chosen if chosen == plain else ("#ifdef __CUDA_ARCH__", *chosen, "#else", *plain, "#endif")
        return tuple(line.replace("static __device__", "static __host__ __device__") for line in lines)


def _with_const(definition: Function, effects: Effects) -> Function:
    """The function with const elements for the parameters that it only reads: kernels may have such arrays as const."""
    params = tuple(
        replace(p, type=replace(p.type, is_const=True))
        if isinstance(p.type, ArrayType | PointerType) and not effects.of(definition.name, k).writes
        else p
        for k, p in enumerate(definition.params)
    )
    return replace(definition, params=params)


__all__ = ["Name", "render"]
