"""How many blocks of each kernel a multiprocessor holds, and the bytes that they have in flight, in two checkouts.

    python -m bench.residence PATH [--samples sum row_sums …] [--archs sm_80 sm_90]

PATH is a checkout of another commit (`git worktree add PATH COMMIT`), which runs with the Python of this one.
Registers and shared memory are what nvcc says, the loads that a thread issues before it uses any are counted in the
SASS (`bench/sass.py`): those of 16 bytes, where there are any.  No GPU is needed.  Blocks are those that fit, no more
than the entry point launches.  Of a kernel with several forms (rows in registers) the one that has least in flight
counts.  `row`: all of a row is on its way to shared memory at once.  Kernels that one of the two has not stand alone.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import evidence, sass
from bench.compile_time import ROOT, find_nvcc
from bench.compile_versions import command_of
from bench.nvcc_time import written_by

SAMPLES = (
    "sum", "sum_int", "sum_half", "sum_char", "stats", "argmin", "row_sums", "column_sums", "softmax", "norms",
    "histogram",
)  # fmt: skip
_PER_SM = re.compile(r"(?<!< )\b(\d+)ll \* multiprocessors\b")
_BOUNDS = re.compile(
    r"__launch_bounds__\((?:ITEMS <= (?P<most>\d+) \? (?P<wide>\d+) : )?(?P<threads>\d+),[^()]*\) (?P<name>\w+)\("
)
# What an earlier version called a form.
_CALLED = (("_held", "_long"), ("_lanes", "_warps"))


@dataclass(frozen=True)
class Residence:
    """A kernel on a multiprocessor: registers of a thread, threads of a block, blocks, bytes of a thread in flight.

    `has_row`: all that a thread has of a row goes to shared memory at once.
    """

    registers: int
    threads: int
    blocks: int
    of_a_thread: int
    has_row: bool

    @property
    def in_flight(self) -> int:
        """Bytes that the multiprocessor has in flight when every thread has issued its loads."""
        return self.threads * self.blocks * self.of_a_thread

    def told(self) -> str:
        """Its part of a line."""
        in_flight = "row" if self.has_row else f"{self.in_flight / 1024:.1f}"
        return f"{self.registers:4} {self.threads:5} {self.blocks:3} {in_flight:>7}"


def threads_of(cuda: str, mangled: str) -> tuple[str, int]:
    """The name of a kernel, and the threads of a block by its launch bounds; a mangled name begins with its length."""
    match = re.match(r"_Z\D*(\d+)", mangled)
    assert match, mangled
    name = mangled[match.end() :][: int(match[1])]
    (bounds,) = (each for each in _BOUNDS.finditer(cuda) if each["name"] == name)
    # The largest block may have one of few rows, made for few items: these are the first number of the function.
    made_for = re.match(r"ILi(\d+)E", mangled[match.end() + int(match[1]) :])
    is_wide = bounds["most"] and made_for and int(made_for[1]) <= int(bounds["most"])
    return name, int(bounds["wide"] if is_wide else bounds["threads"])


def launched_of(cuda: str, name: str) -> int:
    """How many blocks of a multiprocessor the entry point launches at most, as its text says in front of the launch; 0
    where it says nothing.
    """
    start = cuda.rindex(name)
    said = _PER_SM.findall(cuda, max(0, start - 2500), start)
    return int(said[-1]) if said else 0


def residences(cuda: Path, arch: str, nvcc: str, nvdisasm: Path) -> dict[str, Residence]:
    """The kernels of a file that load anything, by name."""
    cubin = cuda.with_suffix(f".{arch}.cubin")
    compile_it = (nvcc, f"-arch={arch}", "-cubin", "-Xptxas", "-v", str(cuda), "-o", str(cubin))
    said = subprocess.run(compile_it, capture_output=True, text=True, check=True).stderr
    shown = subprocess.run((str(nvdisasm), "-c", str(cubin)), capture_output=True, text=True, check=True).stdout
    figures, text = evidence.figures(said), cuda.read_text()
    found: dict[str, Residence] = {}
    for mangled, code in sass.functions(shown).items():
        if mangled not in figures or not sass.widest_load(code):
            continue
        name, threads = threads_of(text, mangled)
        used = figures[mangled]
        held = evidence.MULTIPROCESSORS[arch].resident_blocks(threads, used.registers, used.shared)
        launched = launched_of(text, name) or held
        of_a_thread = sass.bytes_before_use(code, 16 if sass.widest_load(code) == 16 else 1)
        has_row = sass.copied_at_once(code) == 16
        one = Residence(used.registers, threads, min(held, launched), of_a_thread, has_row)
        if name not in found or one.in_flight < found[name].in_flight:
            found[name] = one
    return found


def paired(
    before: dict[str, Residence], now: dict[str, Residence]
) -> Iterator[tuple[str, Residence | None, Residence | None]]:
    """What both have under the same name, or one of them alone."""
    earlier = {}
    for name, value in before.items():
        for old, new in _CALLED:
            if name not in now:
                name = name.replace(old, new)
        earlier[name] = value
    for name in [*now, *(each for each in earlier if each not in now)]:
        yield name, earlier.get(name), now.get(name)


def main() -> None:
    """Compile and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("--samples", nargs="+", default=SAMPLES)
    parser.add_argument("--archs", nargs="+", default=("sm_80", "sm_90"), choices=sorted(evidence.MULTIPROCESSORS))
    asked = parser.parse_args()
    nvcc, nvdisasm = find_nvcc(), sass.disassembler()
    if nvcc is None or nvdisasm is None:
        raise SystemExit("nvcc or nvdisasm not found")
    with tempfile.TemporaryDirectory() as folder:
        files: dict[str, list[Path]] = {sample: [] for sample in asked.samples}
        for side, checkout in (("other", asked.other.resolve()), ("this", ROOT)):
            command = command_of(checkout, Path(folder, side))
            for sample in asked.samples:
                files[sample].append(written_by(command, checkout, sample, Path(folder, side)))
        for arch in asked.archs:
            show(arch, files, nvcc, nvdisasm)


def show(arch: str, files: dict[str, list[Path]], nvcc: str, nvdisasm: Path) -> None:
    """The table of an architecture: registers, threads of a block, blocks of a multiprocessor and KB in flight."""
    print(f"{arch}: registers, threads, blocks, KB in flight of a multiprocessor")
    print(f"{'kernel':32} {'other':>22}  {'this':>22}")
    for other, this in files.values():
        both: Sequence[dict[str, Residence]] = [residences(path, arch, nvcc, nvdisasm) for path in (other, this)]
        for name, before, now in paired(*both):
            sides = ["-" if each is None else each.told() for each in (before, now)]
            worse = before and now and not now.has_row and now.in_flight < before.in_flight
            print(f"{name:32} {sides[0]:>22}  {sides[1]:>22}{'  fewer' if worse else ''}")


if __name__ == "__main__":
    main()
