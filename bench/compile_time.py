"""How long pencilc takes, how much memory it needs, and how long nvcc takes on what it wrote.

    make bench-compile

Every figure is of this machine and this run; what is compared with something is measured interleaved with it.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PENCILC = Path(sys.executable).parent / "pencilc"
REPEATS = 7
NVCC_FLAGS = ("-arch=sm_90", "-c")
DEPENDENCIES = "import islpy, pycparser, jinja2, click, pcpp"
EMPTY_KERNEL = "__global__ void empty() {}\n"


@dataclass(frozen=True)
class Sample:
    """One run of a command and its children: wall time, processor time, and the largest resident set of any of them."""

    seconds: float
    processor_seconds: float
    peak_bytes: int


def environment(folder: Path) -> dict[str, str]:
    """That of this process, in which Python keeps what it compiles in `folder`: a first run alone compiles modules."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**own, "PYTHONPYCACHEPREFIX": str(folder)}


def measure(command: Sequence[str], within: Mapping[str, str] = os.environ) -> Sample:
    """Run `command` once, in a process of its own; a failure ends the benchmark.

    The kernel counts the memory of this process, before the new program replaces it, as the least that a child used.
    """
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], list(command), dict(within), file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
    ])  # fmt: skip
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"failed: {' '.join(command)}")
    return Sample(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def interleaved(commands: dict[str, Sequence[str]], within: Mapping[str, str]) -> dict[str, list[Sample]]:
    """`REPEATS` runs of each command, in turn, after one that fills the file cache."""
    results: dict[str, list[Sample]] = {name: [] for name in commands}
    for command in commands.values():
        measure(command, within)
    for _ in range(REPEATS):
        for name, command in commands.items():
            results[name].append(measure(command, within))
    return results


def report(results: dict[str, list[Sample]]) -> dict[str, float]:
    """Print one line for each command; return the medians in seconds."""
    medians = {}
    print(f"{'command':34} {'median':>8} {'min':>8} {'max':>8} {'peak memory':>12}")
    for name, runs in results.items():
        seconds = [run.seconds for run in runs]
        medians[name] = statistics.median(seconds)
        peak = max(run.peak_bytes for run in runs) / 1e6
        print(f"{name:34} {medians[name]:7.3f}s {min(seconds):7.3f}s {max(seconds):7.3f}s {peak:9.1f} MB")
    return medians


def find_nvcc() -> str | None:
    """The absolute path of nvcc: $NVCC, or the one of the PATH."""
    return shutil.which(os.environ.get("NVCC") or "nvcc")


def main() -> None:
    """Measure and print."""
    print(f"median of {REPEATS} runs, {os.cpu_count()} cores, Python {sys.version.split()[0]}\n")
    with tempfile.TemporaryDirectory() as folder:
        output = {name: f"{folder}/{name}.cu" for name in ("sum", "srad")}
        compile_commands = {
            f"pencilc samples/{name}.c": (str(PENCILC), "-q", str(ROOT / "samples" / f"{name}.c"), "-o", path)
            for name, path in output.items()
        }
        report(
            interleaved(
                {
                    "python -c pass": (sys.executable, "-c", "pass"),
                    "import of the dependencies": (sys.executable, "-c", DEPENDENCIES),
                    "pencilc --help": (str(PENCILC), "--help"),
                    **compile_commands,
                },
                environment(Path(folder, "compiled")),
            )
        )
        nvcc = find_nvcc()
        if nvcc is None:
            print("\nnvcc not found: its time is not measured (make bench-compile brings it)")
            return
        empty = Path(folder, "empty.cu")
        empty.write_text(EMPTY_KERNEL)
        print()
        medians = report(
            interleaved(
                {
                    "nvcc, an empty kernel": (nvcc, *NVCC_FLAGS, str(empty), "-o", f"{folder}/empty.o"),
                    "nvcc, sum.cu": (nvcc, *NVCC_FLAGS, output["sum"], "-o", f"{folder}/sum.o"),
                },
                os.environ,
            )
        )
        ratio = medians["nvcc, sum.cu"] / medians["nvcc, an empty kernel"]
        print(f"\nsum.cu takes nvcc {ratio:.2f} times as long as the empty kernel")


if __name__ == "__main__":
    main()
