"""The stage `cuda`: the tree of a file is printed; nothing is decided here."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import jinja2

from pencilc import __version__
from pencilc.codegen import notation
from pencilc.codegen.cstmt import definition
from pencilc.codegen.local_names import LocalNames, names_in_helpers, names_printed
from pencilc.codegen.marks import Marks, NoMarks, PlacedText, without_marks
from pencilc.codegen.needs import Needs, names_in
from pencilc.codegen.printed import printed
from pencilc.ir.definitions import Definition
from pencilc.ir.host import Entry, EntryFunction, KernelFile
from pencilc.ir.kernel import KernelFunction
from pencilc.records import dataclass
from pencilc.target import LANE_COUNTS, MAX_GRID, MAX_THREADS, RESERVED_SHARED, WARP

MOST_ALONE = 72  # letters of a statement that stands behind its head, without braces


def render(file: KernelFile, shared: RuntimeHeader | None = None) -> str:
    """The CUDA text of a file; it includes `shared`, or has the runtime in itself."""
    return tidy(_text(file, NoMarks(), shared))


def render_with_places(file: KernelFile) -> PlacedText:
    """The same text, with what its lines come from."""
    return without_marks(tidy(_text(file, Marks(), None)))


def _text(file: KernelFile, marks: NoMarks, shared: RuntimeHeader | None) -> str:
    environment = _environment()
    needs, scope = Needs(), FunctionScope()
    environment.globals |= {"needs": needs, "scope": scope, "marks": marks}
    needs.of(file.named)
    needs.of_source(names_in(file.helpers))
    return environment.get_template("kernel.cu.j2").render(file=file, version=__version__, shared=shared)


# The header that files share whose runtime is not in themselves, and what it begins with, of whatever version it is.
RUNTIME_HEADER, HEADER_BEGIN = "pencilc_runtime.h", "// The runtime of files that pencilc "


@dataclass(frozen=True, slots=True)
class RuntimeHeader:
    """The runtime as a header that files share: a file takes the one with its `stamp` alone."""

    stamp: str
    text: str
    name: str = RUNTIME_HEADER


def runtime_header() -> RuntimeHeader:
    """The header of this version."""
    environment = _environment()
    needs = Needs()
    environment.globals |= {"needs": needs, "scope": FunctionScope(), "marks": NoMarks()}
    blocks = needs.shared(environment.get_template("runtime.cu.j2").module.__dict__)
    stamp = _stamp("".join((*blocks.device, *blocks.common, *blocks.host)))
    printed_header = environment.get_template("host_runtime.j2").module.in_header  # type: ignore[attr-defined]
    return RuntimeHeader(stamp, tidy(printed_header(blocks, __version__, stamp)))


def _stamp(text: str) -> str:
    """A name for a text of the runtime, which no other text has."""
    return re.sub(r"\W", "_", f"RUNTIME_{__version__}_{sha256(text.encode()).hexdigest()[:8]}").upper()


class FunctionScope:
    """The scope of the function that templates print: `scope["count"]` is its name for `@count`.

    Each method opens the scope of another function, and gives its tree as text.
    """

    def __init__(self) -> None:
        self._names = self._of_kernel = self._of_helpers = LocalNames()

    def __getitem__(self, wish: str) -> str:
        return self._names[wish]

    def spell(self, name: str) -> str:
        """What the function calls a name of the tree."""
        return self._names.spell(name)

    def definition(self, node: Definition) -> tuple[str, ...]:
        """The lines of what the file takes over from the source."""
        self._names = LocalNames(names_printed(node))
        return definition(node, self.spell)

    def kernel(self, function: KernelFunction) -> KernelFunction:
        """A function of a kernel; those that it brings have a scope of their own (`enter_helpers`)."""
        own = replace(function, arguments=(), extra=(), scatter=None)  # what a launch passes is the entry point's
        self._of_kernel = self._names = LocalNames(names_printed(own.parameters, own.body), own.index)
        self._of_helpers = LocalNames(names_in_helpers(function))
        return printed(own, self.spell)

    def enter_helpers(self) -> None:
        """What is printed next are the functions that the kernel brings."""
        self._names = self._of_helpers

    def enter_kernel(self) -> None:
        """What is printed next is the function of the kernel itself."""
        self._names = self._of_kernel

    def of_entry(self, entry: Entry, function: EntryFunction) -> EntryFunction:
        """A function of an entry point; those on device pointers have their names in common."""
        if function.node in ("host", "link_name"):
            names = names_printed(entry.host_parameters, entry.arrays, entry.returns) | {entry.name}
        else:
            names = names_printed(entry.device_parameters, entry.workspace, entry.items)
        self._names = LocalNames(names)
        return printed(function, self.spell)


def _environment() -> jinja2.Environment:
    environment = notation.TemplateEnvironment(
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
        "stamp": _stamp,
        "WARP": WARP,
        "LANE_COUNTS": LANE_COUNTS,
        "MAX_THREADS": MAX_THREADS,
        "MAX_GRID": MAX_GRID,
        "RESERVED_SHARED": RESERVED_SHARED,
    }
    environment.filters["statement"] = _statement
    return environment


def _statement(text: str) -> str:
    """What a head is followed by: a short statement alone stands without braces."""
    body = text.strip()
    (plain, *others) = without_marks(body).text.split("\n")
    if not others and plain.endswith(";") and len(plain) <= MOST_ALONE:
        return body
    return "\n".join(("{", *(f"    {line}" if line else line for line in body.split("\n") if body), "}"))


def _bytecode_cache() -> jinja2.BytecodeCache | None:
    """Compiled templates are kept between runs: compiling them takes longer than printing a file."""
    home = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(home) if home else Path("~/.cache").expanduser()) / "pencilc" / "templates"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return notation.BytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None


def tidy(text: str) -> str:
    """No blanks at line ends, no two blank lines in a row, none at the beginning."""
    lines: list[str] = []
    for line in (each.rstrip(" \t") for each in text.split("\n")):
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).rstrip("\n") + "\n"
