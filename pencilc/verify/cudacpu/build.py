"""Builds a `.cu` file into something that runs on the CPU.

Modes. `plain` compiles with -O1 and no checks: for large inputs.  (With -O2, gcc 12 moves aligned loads in front of
the test that allows them.)  Threads take turns at barriers, warp operations and atomics only, so a loop that waits for
a plain or volatile load never sees it change and ends by the time-out, which says so. `check` compiles with the
instrumentation of g++'s sanitisers, whose callbacks are the executor's own race and memory detector; there threads take
turns at loads too.

Every source begins with <cuda_runtime.h>, as nvcc has it too. The compiled runtime and that header, precompiled, are
made once on a machine and kept (`cache_directory`).

The text is compiled in one pass, host and device code together, with `__CUDACPU__=1`, `__CUDACC__=1` and the
`__CUDA_ARCH__` of the GPU that is simulated, sm_90 unless another one is asked for. Host code therefore sees
`__CUDA_ARCH__` too; only device functions may depend on it.

Shared libraries. Each holds a runtime, and so a device, of its own (-Bsymbolic): several can be loaded into a process,
but device pointers and streams of one mean nothing to another.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from pencilc.verify.cudacpu.rewrite import ARCH, RewriteError, rewrite

Mode = Literal["plain", "check"]

KEPT_OBJECTS = "CUDACPU_OBJECTS"
"""The variable of the environment that names a folder where objects are kept and found again: the tests set it, for
several of them build one file.  Nothing takes old ones away."""

UNUSED_IS_ERROR = "CUDACPU_UNUSED_IS_ERROR"
"""The variable of the environment that, unless empty, makes errors of what nvcc warns of in generated code: variables
and labels that nothing uses.  The tests set it; the code of a user may have such."""

_HERE = Path(__file__).resolve().parent
_INCLUDE = _HERE / "include"
_RUNTIME = _HERE / "runtime"
# What every source begins with, below `_INCLUDE`. g++ looks for `prefix.h.gch` first, in each of its folders, and takes
# the header itself where a precompiled one does not fit the options.
_PREFIX = "cudacpu/prefix.h"
_COMMON = ("-std=c++17", "-fPIC", "-pthread")
_RUNTIME_FLAGS: dict[Mode, tuple[str, ...]] = {"plain": ("-O2",), "check": ("-O2", "-DCUDACPU_CHECK")}
# -fno-builtin-mem*: a copy that the compiler expands in line would escape the detector.
_SOURCE_FLAGS: dict[Mode, tuple[str, ...]] = {
    "plain": ("-O1", "-g1"),
    "check": (
        # Code that is watched at every access gains little from what -O1 does beyond this, and g++ needs a quarter less
        # time for it: with small sizes nearly all of the time is g++'s.
        *("-Og", "-fno-tree-pta", "-fira-algorithm=priority"),
        *("-DCUDACPU_CHECK", "-fsanitize=thread,alignment,bounds"),
        *("--param", "tsan-instrument-func-entry-exit=0", "--param", "tsan-distinguish-volatile=1"),
        *("-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset"),
        # Reports name lines and functions: what variables there are and where they live is not asked, and takes a
        # fifth of g++'s time to find out.
        *("-g1", "-fno-var-tracking"),
    ),
}
# Check mode, from g++ 12 on: a variable that nothing was put into has a value that spoils what is made of it.
_UNSET_IS_SEEN = "-ftrivial-auto-var-init=pattern"
# A header that stands beside a source.
_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
# What g++ takes beyond C++ and nvcc refuses in device code. nvcc's own front end is not run where there is one: with an
# unfit host compiler it fails for reasons that are not the file's, and who has it compiles the file with it anyway.
# (No -w: it would silence these errors too.)
_AS_NVCC = ("-Werror=vla",)
_UNUSED = ("unused-variable", "unused-but-set-variable", "unused-label", "unused-value")
# Calls of the libraries of C and C++ that the check mode watches; the runtime defines the new names.
_WATCHED_CALLS = (
    *("memcpy", "memmove", "memset", "malloc", "calloc", "realloc", "free"),
    *("_Znwm", "_Znam", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm"),
    *("pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock", "pthread_cond_wait"),
    *("pthread_create", "pthread_join", "_ZNSt6thread4joinEv"),
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
)


class CompilerMissing(Exception):
    """An outside tool is not installed."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is needed to run CUDA code on the CPU, and was not found")
        self.name = name


class BuildError(Exception):
    """The `.cu` file does not compile for the CPU; `stderr` is what the compiler said."""

    def __init__(self, message: str, stderr: str = "") -> None:
        super().__init__(f"{message}\n{stderr}" if stderr else message)
        self.message = message
        self.stderr = stderr


class ExecutorSettings:
    """What the environment tells a built program. `environment` makes the variables; unset ones keep their default.

    CUDACPU_ORDER: `fwd`, `rev` or `rand:SEED`, the order of threads and blocks. CUDACPU_TIMEOUT: seconds a kernel may
    run (0: no limit; default 120), after which the process ends with status 124. CUDACPU_SM_COUNT: multiprocessors that
    the device reports (default 4). CUDACPU_BLOCKS_PER_SM: blocks that one of them holds at most (default 32).
    CUDACPU_SHARED: bytes of shared memory of a block that asks for more than 48 KiB (default 227 KiB, at most that).
    CUDACPU_THREADS_PER_SM: threads that a multiprocessor holds at most (default 2048).
    CUDACPU_STACK: bytes of stack per thread (default 256 KiB).
    """

    @staticmethod
    def environment(
        order: str = "fwd",
        timeout_s: float | None = None,
        sm_count: int | None = None,
        stack_bytes: int | None = None,
        blocks_per_sm: int | None = None,
        shared_bytes: int | None = None,
        threads_per_sm: int | None = None,
        most_launches: int | None = None,
    ) -> dict[str, str]:
        """Return the variables to add to the environment of the process that runs the program."""
        if order not in ("fwd", "rev") and not (order.startswith("rand:") and order[5:].isdigit()):
            raise ValueError(f"unknown thread order {order!r}")
        numbers = {
            "CUDACPU_TIMEOUT": timeout_s,
            "CUDACPU_SM_COUNT": sm_count,
            "CUDACPU_BLOCKS_PER_SM": blocks_per_sm,
            "CUDACPU_THREADS_PER_SM": threads_per_sm,
            "CUDACPU_SHARED": shared_bytes,
            "CUDACPU_STACK": stack_bytes,
            "CUDACPU_LAUNCHES": most_launches,
        }
        return {"CUDACPU_ORDER": order, **{name: str(value) for name, value in numbers.items() if value is not None}}


environment = ExecutorSettings.environment


def build(
    source: Path,
    output: Path,
    *,
    mode: Mode = "plain",
    shared: bool = False,
    extra: Sequence[str] = (),
    objects: Sequence[Path] = (),
    arch: int = ARCH,
) -> None:
    """Compile `source` for the CPU and link it with `objects` into the executable or shared library `output`.

    `extra` are further options of g++ for the compilation, `arch` is what `__CUDA_ARCH__` is. In check mode only
    `source` is watched, not `objects`.
    """
    with tempfile.TemporaryDirectory(prefix="cudacpu-") as folder:
        compiled = Path(folder) / (source.stem + ".o")
        compile_object(source, compiled, mode=mode, extra=extra, arch=arch)
        link([compiled, *objects], output, mode=mode, shared=shared)


def compile_object(
    source: Path, output: Path, *, mode: Mode = "plain", extra: Sequence[str] = (), arch: int = ARCH
) -> None:
    """Compile `source` for the CPU into the object file `output`, for `link`; `arch` is what `__CUDA_ARCH__` is."""
    kept = _kept_object(source, mode, (*extra, f"-D__CUDA_ARCH__={arch}"))
    if kept is not None and kept.exists():
        shutil.copyfile(kept, output)
        return
    _compile(source, output, mode, extra, arch)
    if kept is not None:
        _keep(output, kept)


def _compile(source: Path, output: Path, mode: Mode, extra: Sequence[str], arch: int) -> None:
    with tempfile.TemporaryDirectory(prefix="cudacpu-") as folder:
        # The same name as the source's, because debug information mixes the two up here and there.
        translated = Path(folder) / source.name
        try:
            _translate(source, translated, arch)
        except RewriteError as error:
            raise BuildError(str(error)) from None
        compiler = _tool("g++")
        options = [*source_options(compiler, mode), "-iquote", str(source.resolve().parent), *extra, "-x", "c++"]
        _run([compiler, *options, "-c", str(translated), "-o", str(output)], source)
    if mode == "check":
        renamed = [f"--redefine-sym={name}=cc_watched_{name}" for name in _WATCHED_CALLS]
        _run([_tool("objcopy"), *renamed, str(output)], source)


def _translate(source: Path, translated: Path, arch: int) -> None:
    """Writes what g++ compiles for `source`, and beside it for headers below its folder that have device code."""
    text = source.read_text(encoding="utf-8")
    translated.parent.mkdir(parents=True, exist_ok=True)
    translated.write_text(rewrite(text, str(source), arch), encoding="utf-8")
    for name in _INCLUDED.findall(text):
        header, copy = source.parent / name, translated.parent / name
        if ".." not in Path(name).parts and header.is_file() and not copy.exists() and _has_device_code(header):
            _translate(header, copy, arch)


def _has_device_code(header: Path) -> bool:
    return b"__device__" in header.read_bytes()


def _kept_object(source: Path, mode: Mode, extra: Sequence[str]) -> Path | None:
    """Where the object of a source is kept; None where none are, or where equal texts may mean different things.

    The folder that the source lies in is no part of it: reports name the file without it.
    """
    folder = os.environ.get(KEPT_OBJECTS)
    if not folder:
        return None
    text = source.read_bytes()
    if b'#include "' in text:
        return None
    compiler = _tool("g++")
    options = [*_compile_options(compiler, mode), *_unused_errors(), *extra]
    about = f"{runtime_key(compiler, mode)}{source.name}{options}"
    return Path(folder) / f"{hashlib.sha256(about.encode() + text).hexdigest()[:32]}.o"


def _keep(output: Path, kept: Path) -> None:
    """Copy an object to where it is kept.  Two processes may do so at once: the rename is atomic."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(suffix=".o", dir=kept.parent)
    os.close(handle)
    shutil.copyfile(output, name)
    Path(name).replace(kept)


def link(objects: Sequence[Path], output: Path, *, mode: Mode = "plain", shared: bool = False) -> None:
    """Link `objects`, the first of them made by `compile_object` in the same mode, with the runtime."""
    compiler = _tool("g++")
    kind = ["-shared", "-Wl,-Bsymbolic"] if shared else []
    inputs = [*map(str, objects), str(_runtime_object(compiler, mode))]
    _run([compiler, *kind, *_COMMON, *inputs, "-o", str(output), "-ldl", "-lm"], objects[0])


def source_options(compiler: str, mode: Mode) -> list[str]:
    """The options of `compiler` for every source."""
    folders = [f"-I{_prefix_folder(compiler, mode)}", f"-I{_INCLUDE}"]
    return [*_compile_options(compiler, mode), *_unused_errors(), *folders, "-include", _PREFIX]


def _unused_errors() -> list[str]:
    return [f"-Werror={name}" for name in _UNUSED] if os.environ.get(UNUSED_IS_ERROR) else []


def _compile_options(compiler: str, mode: Mode) -> list[str]:
    """The options that sources and the precompiled header share: g++ takes it with equal ones only."""
    defines = ["-D__CUDACPU__=1", "-D__CUDACC__=1"]
    # -ffp-contract=off: the same bits on every machine, whether or not it has fused multiply-add.
    # -fno-semantic-interposition: functions with external linkage are inlined too, see `__global__` in types.h.
    semantics = ["-fno-strict-aliasing", "-ffp-contract=off", "-fno-semantic-interposition"]
    unset = [_UNSET_IS_SEEN] if mode == "check" and _knows(compiler, _UNSET_IS_SEEN) else []
    return [*_COMMON, *_SOURCE_FLAGS[mode], *unset, *semantics, *_AS_NVCC, *defines]


@cache
def _knows(compiler: str, option: str) -> bool:
    """Whether the compiler has this option."""
    tried = [compiler, option, "-E", "-x", "c++", os.devnull]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


def _tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise CompilerMissing(name)
    return path


def _run(command: Sequence[str], source: Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"{source}: {Path(command[0]).name} failed", done.stderr)


def cache_directory() -> Path:
    """The folder where compiled runtimes are kept between runs."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "pencilc"


@cache
def runtime_key(compiler: str, mode: Mode) -> str:
    """What the runtime is made of, as a hash: compiler, machine, options and sources; the same on every call."""
    # With -v the compiler would name its temporary files, which are others each time.
    about = [
        subprocess.run([compiler, option], capture_output=True, text=True, check=False).stdout
        for option in ("--version", "-dumpmachine")
    ]
    digest = hashlib.sha256(f"{about}{_COMMON}{_RUNTIME_FLAGS[mode]}".encode())
    for file in sorted([*_INCLUDE.rglob("*.h"), *_RUNTIME.iterdir()]):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:24]


def _runtime_object(compiler: str, mode: Mode) -> Path:
    """The compiled runtime, from the cache or made now."""
    unity = _RUNTIME / "all.cpp"
    options = [*_COMMON, "-w", *_RUNTIME_FLAGS[mode], "-c", str(unity)]
    return _made_once(f"cudacpu-{mode}-{runtime_key(compiler, mode)}.o", [compiler, *options], unity)


def _prefix_folder(compiler: str, mode: Mode) -> Path:
    """The folder in which g++ finds the precompiled header of `_PREFIX`, from the cache or made now."""
    header = _INCLUDE / _PREFIX
    about = f"{runtime_key(compiler, mode)}{_compile_options(compiler, mode)}"
    folder = f"cudacpu-{mode}-{hashlib.sha256(about.encode()).hexdigest()[:24]}"
    options = [*_compile_options(compiler, mode), f"-I{_INCLUDE}", "-x", "c++-header", str(header)]
    _made_once(f"{folder}/{_PREFIX}.gch", [compiler, *options], header)
    return cache_directory() / folder


def _made_once(name: str, command: Sequence[str], source: Path) -> Path:
    """The file of that name in the cache; `command` (and `-o`) makes it of `source` where it is missing.

    Two processes may make it at once: the rename is atomic.
    """
    target = cache_directory() / name
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(suffix=target.suffix, dir=target.parent)
    os.close(handle)
    made = Path(unfinished)
    try:
        _run([*command, "-o", str(made)], source)
        made.replace(target)
    finally:
        made.unlink(missing_ok=True)
    return target
