"""Shared libraries of generated files: built once for each content, options and version of the compiler, and kept.

    <the user's cache folder>/pencilc/modules/<key>/softmax.cu     the generated file, for who wants to read it
                                                  /softmax.so

A finished folder never changes, so that any number of processes may use it; it may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pencilc.python.errors import HostCompilerMissing, LibraryError, NvccMissing
from pencilc.records import dataclass
from pencilc.verify import cudacpu
from pencilc.verify.cudacpu.build import cache_directory, runtime_key

SUPPORT = Path(__file__).resolve().parent / "native" / "support.cu"
_LOG = logging.getLogger("pencilc")
OLDEST_NVCC = (12, 8)
_RELEASE = re.compile(r"release (\d+)\.(\d+)")


@dataclass(frozen=True, slots=True)
class Nvcc:
    """A usable nvcc: `version` is all that it says of itself, `folders` are those that its linker has to be told."""

    path: Path
    version: str
    folders: tuple[Path, ...] = ()


def find_nvcc() -> Nvcc:
    """The nvcc of the PATH, or that of the wheels of NVIDIA's on PyPI.  Raises NvccMissing."""
    refused = []
    for path, folders in _candidates():
        done = subprocess.run([path, "--version"], capture_output=True, text=True, errors="replace", check=False)
        release = _RELEASE.search(done.stdout)
        if done.returncode or release is None:
            refused.append(f"{path} does not run")
        elif (int(release[1]), int(release[2])) < OLDEST_NVCC:
            refused.append(f"{path} is version {release[1]}.{release[2]}")
        else:
            return Nvcc(path, done.stdout, folders)
    why = f" ({'; '.join(refused)})" if refused else ""
    raise NvccMissing(
        f"nvcc {OLDEST_NVCC[0]}.{OLDEST_NVCC[1]} or later is neither on the PATH nor among the installed wheels{why}: "
        "`pip install 'cuda-toolkit[nvcc,cudart]==13.0.*'` brings it; device='cpu' needs none"
    )


def _candidates() -> Iterator[tuple[Path, tuple[Path, ...]]]:
    on_path = shutil.which("nvcc")
    if on_path is not None:
        yield Path(on_path), ()
    wheels = importlib.util.find_spec("nvidia")
    for place in (wheels.submodule_search_locations or ()) if wheels is not None else ():
        # `cu13` and its like: each holds a toolkit.  Its linker does not look into the wheel's own folder by itself.
        for path in sorted(Path(place).glob("cu[0-9]*/bin/nvcc"), reverse=True):
            yield path, (path.parent.parent / "lib",)


def gpu_library(cuda: str, stem: str, arch: str, options: Sequence[str]) -> Path:
    """The library of a generated file for GPUs, built by nvcc for `arch` with further `options`.

    Raises NvccMissing and LibraryError.
    """
    nvcc = find_nvcc()
    flags = ["-O3", "-std=c++17", f"-arch={arch}", "-shared", "-Xcompiler", "-fPIC", "-Xlinker", "-Bsymbolic"]
    flags += [*(f"-L{folder}" for folder in nvcc.folders), *options]

    def build(source: Path, library: Path) -> None:
        command = [str(nvcc.path), *flags, str(source), str(SUPPORT), "-o", str(library)]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode:
            raise LibraryError(f"nvcc does not build the generated file of '{stem}'", done.stdout + done.stderr)

    return _kept(cuda, stem, ("gpu", str(nvcc.path), nvcc.version, *flags), build)


def cpu_library(cuda: str, stem: str, mode: cudacpu.Mode) -> Path:
    """The library of a generated file for the CPU executor.  Raises HostCompilerMissing and LibraryError."""

    def build(source: Path, library: Path) -> None:
        support = library.with_name("support.o")
        try:
            cudacpu.compile_object(SUPPORT, support, mode=mode)
            cudacpu.build(source, library, mode=mode, shared=True, objects=(support,))
        except cudacpu.BuildError as error:
            raise LibraryError(f"g++ does not build the generated file of '{stem}'", error.stderr) from error
        support.unlink()

    compiler = shutil.which("g++")
    if compiler is None:
        raise HostCompilerMissing("g++ is needed to run the generated code on the CPU, and was not found")
    try:
        return _kept(cuda, stem, ("cpu", mode, runtime_key(compiler, mode)), build)
    except cudacpu.CompilerMissing as error:
        raise HostCompilerMissing(str(error)) from error


def _kept(cuda: str, stem: str, about: Sequence[str], build: Callable[[Path, Path], None]) -> Path:
    """The library in the cache, where `build` makes it if it is missing.

    Two processes may make it at once: each does so in a folder of its own, and the first to be ready has its kept.
    """
    digest = hashlib.sha256(repr((stem, *about)).encode() + SUPPORT.read_bytes() + cuda.encode())
    folder = cache_directory() / "modules" / digest.hexdigest()[:32]
    library = folder / f"{stem}.so"
    if library.exists():
        return library
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".building-", dir=folder.parent) as unfinished:
            made = Path(unfinished) / "made"
            made.mkdir()
            source = made / f"{stem}.cu"
            source.write_text(cuda, encoding="utf-8")
            _LOG.info("building the library of '%s' for the %s", stem, about[0].upper())
            started = time.monotonic()
            build(source, made / library.name)
            _LOG.info("built %s in %.1f s", library, time.monotonic() - started)
            _publish(made, folder)
    except OSError as error:
        raise LibraryError(f"the library of '{stem}' cannot be kept in {folder.parent}: {error.strerror}") from error
    return library


def _publish(made: Path, folder: Path) -> None:
    try:
        made.replace(folder)
    except OSError:
        if not any(folder.glob("*.so")):
            raise
