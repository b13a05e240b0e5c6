"""Build the sequential meaning of a program: the user's own C file, compiled by gcc.

The file is compiled whole, followed by one constant pointer for each entry function.  A `static`
entry function is reachable that way too, and nothing in the user's text has to be rewritten; `main`
stays where it is, for nobody calls it in a shared library.

Where gcc's sanitizers work, the program is built with them (see `sanitizers`).
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import include_dir
from pencilc.options import CompileOptions
from pencilc.verify import sanitizers
from pencilc.verify.errors import BuildFailed, ToolMissing
from pencilc.verify.leash import on_leash

# Reordering is what the comparison measures, so the reference contracts nothing; signed overflow wraps
# as it does in the generated code.  Headers have what POSIX has: `M_PI`, `strdup`; no more, so that names stay free.
_FLAGS = ("-O1", "-ffp-contract=off", "-fwrapv", "-w", "-D_XOPEN_SOURCE=700")


def build_library(
    file: SourceFile, functions: Iterable[str], options: CompileOptions, folder: Path, variant: Sequence[str] = ()
) -> Path:
    """A shared library with the pointers `pencilc_sequential_<f>` to the sequential functions.

    With the options of a `variant` it is built without the sanitizers.
    """
    exports = [
        f"void (*const {pointer_name(name)})(void) = (void (*)(void)){name};" for name in dict.fromkeys(functions)
    ]
    wrapper = folder / "pencilc_sequential.c"
    wrapper.write_text(_source_text(file) + "\n".join(exports) + "\n", errors="surrogateescape")
    library = folder / "pencilc_sequential.so"
    flags = ("-shared", "-fPIC", "-fno-semantic-interposition", "-Wl,-Bsymbolic", *(variant or _watching()))
    compile_c((wrapper,), library, file, options, flags)
    return library


def build_program(file: SourceFile, options: CompileOptions, folder: Path) -> Path:
    """The sequential program, `main` and all."""
    source = folder / "pencilc_program.c"
    source.write_text(_source_text(file), errors="surrogateescape")
    program = folder / "pencilc_program"
    compile_c((source,), program, file, options, _watching())
    return program


def run_program(program: Path, folder: Path, timeout_s: float) -> subprocess.CompletedProcess[bytes] | None:
    """What such a program has printed when it is run in `folder`; None if it goes on for longer than `timeout_s`."""
    try:
        return subprocess.run(
            on_leash([str(program)]), capture_output=True, timeout=timeout_s, check=False,
            stdin=subprocess.DEVNULL, cwd=folder,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None


def _watching() -> tuple[str, ...]:
    return sanitizers.FLAGS if sanitizers.preload() else ()


def pointer_name(function: str) -> str:
    """The exported pointer to a sequential function."""
    return f"pencilc_sequential_{function}"


def compile_c(
    sources: Sequence[Path], output: Path, file: SourceFile, options: CompileOptions, extra: Sequence[str] = ()
) -> None:
    """Run gcc with the user's preprocessor options, headers found as from the folder of `file`."""
    run_tool(["gcc", *c_flags(file, options), *extra, *map(str, sources), "-o", str(output), "-lm"])


def c_flags(file: SourceFile, options: CompileOptions) -> list[str]:
    """gcc's options for the user's C."""
    flags = [f"-std={options.std}", *_FLAGS, "-iquote", str(Path(file.path).parent)]
    flags += [f"-iquote{folder}" for folder in options.quote_dirs]
    flags += [f"-I{folder}" for folder in (*options.include_dirs, str(include_dir()))]
    flags += [f"-isystem{folder}" for folder in options.system_dirs]
    flags += [f"-idirafter{folder}" for folder in options.after_dirs]
    flags += [f"-D{define}" for define in options.defines] + [f"-U{name}" for name in options.undefines]
    # pencilc knows its builtins without their header, and says that other compilers do not (PC0017).
    own = ("-includepencil.h",) if "__pencil_" in file.text and "pencil.h" not in file.text else ()
    return [*flags, *own, *(f"-include{name}" for name in options.includes)]


def run_tool(command: list[str]) -> None:
    """Run a compiler; `ToolMissing` or `BuildFailed` if that does not work."""
    if shutil.which(command[0]) is None:
        raise ToolMissing(f"'{command[0]}' is not installed")
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise BuildFailed(f"{command[0]} failed with exit status {done.returncode}", done.stdout + done.stderr)


def _source_text(file: SourceFile) -> str:
    """The text with its own name in messages and `__FILE__`."""
    path = file.path.replace("\\", "\\\\").replace('"', '\\"')
    return f'#line 1 "{path}"\n{file.text}\n'
