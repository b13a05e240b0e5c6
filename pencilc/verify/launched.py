"""How many threads each kernel is launched with at given sizes, beside the independent points that it has.

The numbers are those of the code that is emitted: its entry points run on the CPU executor, on a device like the one
that is compiled for, and launches are recorded instead of run (cudacpu/runtime/record.cpp).  Arrays are not there then,
so that sizes may be those of real use; where data decide what is launched nothing can be said.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from itertools import product
from pathlib import Path

from pencilc.codegen.recorded import render_recorded
from pencilc.driver import Compilation
from pencilc.ir.source import VOID, Region, Scalar
from pencilc.records import dataclass
from pencilc.target import Target
from pencilc.verify import cudacpu
from pencilc.verify.children import child_environment, how_it_ended
from pencilc.verify.errors import BuildFailed, InputsError, ToolMissing
from pencilc.verify.leash import on_leash
from pencilc.verify.recorder import RecordedCall

ENOUGH = 10000
"""Threads beyond which more are not asked for, whatever the points: as in record.cpp."""
_TIMEOUT_S = 300.0
_BY_DATA = "what is launched depends on data"


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the greatest value of a number over all launches of a kernel in a call."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class LaunchedKernel:
    """The launches of one kernel in a call; `points` are None where how many there are is data.

    `short`: how many launches have fewer threads than min(points, ENOUGH).  `fewest`: points and threads of the launch
    whose threads are the smallest share of these.
    """

    kernel: str
    launches: int
    points: Range | None
    threads: Range
    short: int
    fewest: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class LaunchedCall:
    """A call of a region with the `sizes`; where `kernels` are not known, `reason` says why."""

    region: str
    sizes: tuple[tuple[str, int], ...]
    kernels: tuple[LaunchedKernel, ...]
    reason: str = ""


def launched_calls(done: Compilation, sizes: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[LaunchedCall, ...]]:
    """The calls of each region by its name, for each choice of `sizes`: every integer parameter needs a value.

    Raises InputsError where one has none, or where no region has a parameter of a name; ToolMissing, BuildFailed.
    """
    regions = done.parsed.regions
    _check(regions, sizes)
    calls = {region.name: tuple(_choices(region, sizes)) for region in regions}
    assert done.kernels is not None
    waiting = {entry.symbol for entry in done.kernels.entries if entry.waits}
    with tempfile.TemporaryDirectory(prefix="pencilc-launched-") as name:
        folder = Path(name)
        library = _built(render_recorded(done.kernels), folder, done.options.target)
        return {
            region.name: tuple(
                LaunchedCall(region.name, choice, (), _BY_DATA)
                if region.name in waiting
                else _recorded(region, choice, library, folder, done.options.target)
                for choice in calls[region.name]
            )
            for region in regions
        }


def _check(regions: tuple[Region, ...], sizes: Mapping[str, tuple[int, ...]]) -> None:
    known = [name for region in regions for name in _integers(region)]
    strange = [name for name in sizes if name not in known]
    if strange:
        raise InputsError(f"--sizes names '{strange[0]}', which is no integer parameter of an entry function")
    missing = [name for name in dict.fromkeys(known) if name not in sizes]
    if missing:
        wanted = " ".join(f"--sizes {name}=..." for name in missing)
        raise InputsError(f"how many threads there are depends on all integer parameters: give {wanted} too")


def _integers(region: Region) -> list[str]:
    """The integer parameters that are passed by value."""
    return [
        p.name
        for p in region.params
        if isinstance(p.type, Scalar) and p.type.is_integer and p.name not in region.written_scalars
    ]


def _choices(region: Region, sizes: Mapping[str, tuple[int, ...]]) -> list[tuple[tuple[str, int], ...]]:
    names = _integers(region)
    return [tuple(zip(names, values, strict=True)) for values in product(*(sizes[name] for name in names))]


def _built(text: str, folder: Path, target: Target) -> Path:
    source, library = folder / "recorded.cu", folder / "recorded.so"
    source.write_text(text)
    try:
        # No kernel runs, so that nothing is gained by making their code fast.
        cudacpu.build(source, library, shared=True, extra=("-O0",), arch=target.arch_macro)
    except cudacpu.CompilerMissing as error:
        raise ToolMissing(str(error)) from error
    except (cudacpu.BuildError, cudacpu.RewriteError) as error:
        raise BuildFailed("the generated file does not compile for the CPU", str(error)) from error
    return library


def _recorded(
    region: Region, sizes: tuple[tuple[str, int], ...], library: Path, folder: Path, target: Target
) -> LaunchedCall:
    """One call, in a process of its own."""
    values = dict(sizes)
    by_pointer = region.written_scalars
    arguments = [None if p.name in by_pointer else p.type for p in region.params]
    given = [values.get(p.name, 0) for p in region.params]
    if region.returns != VOID:
        arguments.append(None)
        given.append(0)
    job, found = folder / "call.job", folder / "call.found"
    job.write_bytes(pickle.dumps(RecordedCall(str(library), f"{region.name}_device", tuple(arguments), tuple(given))))
    environment = cudacpu.environment(
        sm_count=target.multiprocessors, blocks_per_sm=target.blocks_per_sm, threads_per_sm=target.threads_per_sm,
        shared_bytes=target.shared_per_block,
    )  # fmt: skip
    command = [sys.executable, "-m", "pencilc.verify.recorder", str(job), str(found)]
    try:
        done = subprocess.run(
            on_leash(command), env=child_environment(environment), capture_output=True, text=True,
            timeout=_TIMEOUT_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return LaunchedCall(region.name, sizes, (), f"the entry point is stopped after {_TIMEOUT_S:g} s")
    if done.returncode:
        said = done.stderr.strip().splitlines()
        reason = f"the entry point {how_it_ended(done.returncode)}" + (f": {said[-1]}" if said else "")
        return LaunchedCall(region.name, sizes, (), reason)
    return LaunchedCall(region.name, sizes, tuple(map(_kernel, found.read_text().splitlines())))


def _kernel(line: str) -> LaunchedKernel:
    """A line of `cudacpu_recorded()`; functions of the building blocks, which have no points of their own, have -1."""
    name, *numbers = line.split("\t")
    launches, short, least, most, fewest, greatest, points, threads = map(int, numbers)
    of_threads = Range(fewest, greatest)
    if least < 0:
        return LaunchedKernel(name, launches, None, of_threads, 0, None)
    return LaunchedKernel(name, launches, Range(least, most), of_threads, short, (points, threads))
