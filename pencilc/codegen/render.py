"""The stage `cuda`: the tree of a file is printed; nothing is decided here."""

from __future__ import annotations

import os
import re
from pathlib import Path

import jinja2

from pencilc import __version__
from pencilc.codegen.needs import Needs
from pencilc.codegen.printed import printed
from pencilc.ir.host import KernelFile
from pencilc.target import LANE_COUNTS, MAX_GRID, MAX_THREADS, RESERVED_SHARED, WARP


def render(file: KernelFile) -> str:
    """The CUDA text of a file."""
    environment = _environment()
    needs = Needs()
    environment.globals["needs"] = needs
    needs.of(file.named)
    text = environment.get_template("kernel.cu.j2").render(file=printed(file), version=__version__)
    return _tidy(_name_locals(text))


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
