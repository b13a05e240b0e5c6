"""The stage `cuda`: the tree of a file is printed; nothing is decided here."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

import jinja2

from pencilc import __version__
from pencilc.codegen import notation
from pencilc.codegen.cstmt import definition
from pencilc.codegen.local_names import LocalNames, names_printed
from pencilc.codegen.needs import Needs
from pencilc.codegen.printed import printed
from pencilc.ir.definitions import Definition
from pencilc.ir.host import Entry, KernelFile
from pencilc.ir.kernel import KernelFunction
from pencilc.target import LANE_COUNTS, MAX_GRID, MAX_THREADS, RESERVED_SHARED, WARP


def render(file: KernelFile) -> str:
    """The CUDA text of a file."""
    environment = _environment()
    needs, scope = Needs(), FunctionScope()
    environment.globals |= {"needs": needs, "scope": scope, "local": scope.local}
    needs.of(file.named)
    text = environment.get_template("kernel.cu.j2").render(file=file, version=__version__)
    return tidy(text)


@dataclass(slots=True)
class FunctionScope:
    """Opens the scope of a function that templates are about to print, and gives them its tree as text.

    They know it as `scope`.  `local` are the names that the function has for the variables of building blocks.
    """

    local: LocalNames = field(default_factory=LocalNames)

    def definition(self, node: Definition) -> tuple[str, ...]:
        """The lines of what the file takes over from the source."""
        self.local.open(names_printed(node))
        return definition(node, self.local.spell)

    def kernel(self, function: KernelFunction) -> KernelFunction:
        """A function of a kernel."""
        own = replace(function, arguments=(), extra=())  # what a launch passes is the entry point's
        self.local.open(names_printed(own), own.index)
        return printed(own, self.local.spell)

    def device_entry(self, entry: Entry) -> Entry:
        """The functions on device pointers, which have their parameters in common."""
        self.local.open(names_printed(entry.device_parameters, entry.workspace, entry.items))
        return printed(replace(entry, arrays=(), compared=()), self.local.spell)

    def host_entry(self, entry: Entry) -> Entry:
        """The function on host pointers."""
        own = replace(entry, workspace=(), items=())
        self.local.open(names_printed(own.host_parameters, own.arrays, own.returns) | {own.name})
        return printed(own, self.local.spell)


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
    return notation.BytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None


def tidy(text: str) -> str:
    """No blanks at line ends, no two blank lines in a row, none after an opening or before a closing brace."""
    lines: list[str] = []
    for line in (each.rstrip(" \t") for each in text.split("\n")):
        if not line and (not lines or not lines[-1] or lines[-1].endswith("{")):
            continue
        if line.lstrip(" ").startswith("}") and lines and not lines[-1]:
            lines.pop()
        lines.append(line)
    return "\n".join(lines).rstrip("\n") + "\n"
