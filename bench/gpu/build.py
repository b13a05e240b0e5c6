"""Build what is measured: pencilc's files and the peers with nvcc, the reference with g++.

pencilc's `.cu` files are generated here when pencilc can be imported, else taken from `bench/gpu/generated`, where
`make bench-gpu-pack` puts them.  What cannot be built costs only the contenders that need it, and is told.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bench.gpu import cases
from bench.gpu.session import Libraries
from pencilc.tune.device import SOURCE as DEVICE_SOURCE

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
NATIVE = HERE / "native"
GENERATED = HERE / "generated"
SOURCES = (
    *(f"bench/gpu/kernels/{path.name}" for path in sorted((HERE / "kernels").glob("*.c"))),
    *(f"samples/{name}.c" for name in ("argmin", "kmeans", "slambench", "srad")),
    *(cases.written(f"bench/gpu/kernels/{name}.c") for name in ("softmax", "layer_norm")),
)
PEERS = ("cub_sums", "cub_several", "cub_rows", "thrust_sums", "hand")
NVCC_FLAGS = ("-O3", "-std=c++17", "-shared", "-Xcompiler", "-fPIC")


class ToolMissing(Exception):
    """What the measurement cannot do without is not here (exit status 5)."""


@dataclass(frozen=True, slots=True)
class Generated:
    """pencilc's output by source (`samples/srad.c`): the CUDA text, or why there is none."""

    texts: Mapping[str, str]
    reasons: Mapping[str, str]


def can_generate() -> bool:
    """Whether pencilc itself can run here."""
    return all(importlib.util.find_spec(name) is not None for name in ("islpy", "pycparser", "pcpp", "jinja2"))


def generate(sources: Iterable[str] = SOURCES, searched: bool = False) -> Generated:
    """Run pencilc on the sources, or read what was carried along; raises ToolMissing if neither is possible.

    `searched`: also the variants of the paper's search.
    """
    if can_generate():
        made = _compile_all(sources)
        return Generated({**made.texts, **_variants()}, made.reasons) if searched else made
    table = GENERATED / "reasons.json"
    if not table.is_file():
        raise ToolMissing("pencilc cannot run here (islpy is missing) and no generated files were carried along; "
                          "make a package with `make bench-gpu-pack` where pencilc runs")  # fmt: skip
    names = [*sources, *(_variant_names() if searched else ())]
    texts = {name: _carried(name).read_text() for name in names if _carried(name).is_file()}
    return Generated(texts, json.loads(table.read_text()))


def file_of(name: str) -> str:
    """The file name of a generated text: `sums.cu`, or `sums_256x2.cu` for a variant."""
    source, _, variant = name.partition("@")
    return f"{Path(source).stem}{'_' if variant else ''}{variant}.cu"


def _carried(name: str) -> Path:
    return GENERATED / file_of(name)


def _variant_names() -> Iterator[str]:
    for source in cases.SEARCHED_SOURCES:
        for threads, blocks in cases.SEARCHED:
            yield cases.variant(source, threads, blocks)


def _variants() -> dict[str, str]:
    """The texts of the search, by name."""
    from pencilc.diagnostics.source import SourceFile
    from pencilc.driver import compile_source, with_tuning
    from pencilc.options import CompileOptions, Tuning

    texts = {}
    for source in cases.SEARCHED_SOURCES:
        done = compile_source(SourceFile(source, (ROOT / source).read_text()), CompileOptions())
        names = [kernel.name for program in done.programs for kernel in program.kernels()]
        for threads, blocks in cases.SEARCHED:
            changed = (("threads", threads), ("blocks_per_sm", blocks))
            texts[cases.variant(source, threads, blocks)] = with_tuning(
                done, Tuning(tuple((n, changed) for n in names))
            )
    return texts


def _compile_all(sources: Iterable[str]) -> Generated:
    from pencilc.diagnostics.diagnostic import CompilerLimitation, SourceErrors
    from pencilc.diagnostics.source import SourceFile
    from pencilc.driver import compile_source
    from pencilc.options import CompileOptions

    texts, reasons = {}, {}
    for name in sources:
        source, _, is_written = name.partition("@")
        file = SourceFile(source, (ROOT / source).read_text())
        options = CompileOptions(shifted_sums="as-written" if is_written else "joined")
        try:
            texts[name] = compile_source(file, options).cuda
        except SourceErrors as errors:
            reasons[name] = f"pencilc rejects {name}: {errors.diagnostics[0].message}"
        except CompilerLimitation as limit:
            reasons[name] = f"pencilc cannot compile {name} yet: {limit.message}"
    return Generated(texts, reasons)


def carry(generated: Generated, folder: Path = GENERATED) -> None:
    """Write the generated files for a machine on which pencilc cannot run."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in generated.texts.items():
        (folder / file_of(name)).write_text(text)
    (folder / "reasons.json").write_text(json.dumps(dict(generated.reasons), indent=2) + "\n")


def find_nvcc() -> str:
    """The absolute path of nvcc; raises ToolMissing."""
    found = shutil.which(os.environ.get("NVCC") or "nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if found is None:
        raise ToolMissing("nvcc is not installed; bench/gpu builds everything it measures")
    return found


def build_reference(folder: Path) -> Path:
    """The library of right results; raises ToolMissing."""
    compiler = shutil.which("g++")
    if compiler is None:
        raise ToolMissing("g++ is not installed; the right results are computed on the host")
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / "libreference.so"
    flags = ("-std=c++17", "-O3", "-ffp-contract=off", "-pthread", "-shared", "-fPIC")
    _run((compiler, *flags, str(NATIVE / "reference.cpp"), "-o", str(output)))
    return output


def unity(*parts: str) -> str:
    """The device library: memory, timing and inputs, behind `parts` (a generated file, for the CPU executor)."""
    return "\n".join((*parts, DEVICE_SOURCE.read_text(), *((NATIVE / n).read_text() for n in ("data.h", "fill.cu"))))


def sources_of(generated: Generated, folder: Path) -> dict[str, Path]:
    """What is compiled for the GPU, by the name of its library; generated texts are written to `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "device.cu").write_text(unity())
    inputs = {"fill": folder / "device.cu", **{name: NATIVE / f"{name}.cu" for name in PEERS}}
    for name, text in generated.texts.items():
        inputs[name] = folder / file_of(name)
        inputs[name].write_text(text)
    return inputs


def build_all(nvcc: str, arch: str, generated: Generated, folder: Path, jobs: int | None = None) -> Libraries:
    """Compile everything for the GPU, some at a time, and load it."""
    built = compile_each(nvcc, arch, sources_of(generated, folder), folder, jobs)
    return load(built, generated.reasons)


def compile_each(
    nvcc: str, arch: str, inputs: Mapping[str, Path], folder: Path, jobs: int | None = None
) -> dict[str, Path | str]:
    """Build a shared library of each source, or take what an earlier run has built of the same text.

    Instead of its path the reason where that fails.
    """
    headers = "".join(path.read_text() for path in sorted(NATIVE.glob("*.h")))

    def one(item: tuple[str, Path]) -> tuple[str, Path | str]:
        name, source = item
        said = "\n".join((nvcc, arch, *NVCC_FLAGS, headers, source.read_text()))
        output = folder / f"lib{source.stem}-{hashlib.sha256(said.encode()).hexdigest()[:12]}.so"
        if output.is_file():
            return name, output
        part = output.with_suffix(".part")
        try:
            _run((nvcc, *NVCC_FLAGS, f"-arch={arch}", str(source), "-o", str(part)))
        except ToolMissing as error:
            return name, str(error)
        part.rename(output)
        return name, output

    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        return dict(pool.map(one, inputs.items()))


def load(built: Mapping[str, Path | str], reasons: Mapping[str, str]) -> Libraries:
    """Load the libraries into this process; raises ToolMissing without the one for the device itself."""
    if isinstance(built["fill"], str):
        raise ToolMissing(built["fill"])
    loaded = {name: ctypes.CDLL(str(path)) for name, path in built.items() if isinstance(path, Path)}
    failed = {name: reason for name, reason in built.items() if isinstance(reason, str)}
    return Libraries(loaded, {**reasons, **failed})


def build_for_cpu(name: str, text: str, folder: Path) -> ctypes.CDLL:
    """One generated file with the device library, for the CPU executor, whose libraries share no device."""
    from pencilc.verify import cudacpu

    source = folder / f"cpu_{Path(name).stem}.cu"
    source.write_text(unity(text))
    output = source.with_suffix(".so")
    # Not `plain`: at -O2 g++ takes the alignment that one branch of a load relies on into the other.
    cudacpu.build(source, output, shared=True, mode="check")
    return ctypes.CDLL(str(output))


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise ToolMissing(f"{Path(command[0]).name} failed on {Path(command[-3]).name}: {said[0] if said else '?'}")
