"""PolyBench: what becomes of its thirty programs, `python -m bench.polybench [PROGRAM…]`.

One line for each program of `samples/polybench`: the schedule, the kernels, those of them that one thread runs, the
loops on the host, the launches at PolyBench's MINI sizes (counted by `pencilc verify`, which checks the results), and
the processor time of the compiler beyond that of a file with one trivial loop, median of REPEATS with the spread: of
processes of their own, with all that they start.

`--table` writes what is no time to `docs/polybench.md`, `--large` its part on threads at LARGE sizes alone, without
running anything; `--no-run` leaves out the launches.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from bench.compile_time import PENCILC, environment, measure
from pencilc.analysis.nominal import at_nominal_sizes, likely, points
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.mapping import HostItem, HostLoop, MappedProgram
from pencilc.ir.schedule import Band, Row, Tree, has_parallelism, statements_of
from pencilc.ir.schedule import Sequence as TreeSequence
from pencilc.ir.schedule_printer import schedule_line
from pencilc.ir.shapes import Shape
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify
from pencilc.verify.forms import BY_LAUNCHES
from pencilc.verify.launched import ENOUGH, LaunchedKernel, Range, launched_calls

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "samples" / "polybench"
TABLE = ROOT / "docs" / "polybench.md"
REPEATS = 5
TRIVIAL = """#include <pencil.h>
void trivial(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}
"""
# The sizes of PolyBench's MINI_DATASET.
MINI = {
    "2mm": {"ni": 16, "nj": 18, "nk": 22, "nl": 24},
    "3mm": {"ni": 16, "nj": 18, "nk": 20, "nl": 22, "nm": 24},
    "adi": {"tsteps": 20, "n": 20},
    "atax": {"m": 38, "n": 42},
    "bicg": {"m": 38, "n": 42},
    "cholesky": {"n": 40},
    "correlation": {"m": 28, "n": 32},
    "covariance": {"m": 28, "n": 32},
    "deriche": {"w": 64, "h": 64},
    "doitgen": {"nr": 10, "nq": 8, "np": 12},
    "durbin": {"n": 40},
    "fdtd-2d": {"tmax": 20, "nx": 20, "ny": 30},
    "floyd-warshall": {"n": 60},
    "gemm": {"ni": 20, "nj": 25, "nk": 30},
    "gemver": {"n": 40},
    "gesummv": {"n": 30},
    "gramschmidt": {"m": 20, "n": 30},
    "heat-3d": {"tsteps": 20, "n": 10},
    "jacobi-1d": {"tsteps": 20, "n": 30},
    "jacobi-2d": {"tsteps": 20, "n": 30},
    "lu": {"n": 40},
    "ludcmp": {"n": 40},
    "mvt": {"n": 40},
    "nussinov": {"n": 60},
    "seidel-2d": {"tsteps": 20, "n": 40},
    "symm": {"m": 20, "n": 30},
    "syr2k": {"m": 20, "n": 30},
    "syrk": {"m": 20, "n": 30},
    "trisolv": {"n": 40},
    "trmm": {"m": 20, "n": 30},
}
# The sizes of PolyBench's LARGE_DATASET.
LARGE = {
    "2mm": {"ni": 800, "nj": 900, "nk": 1100, "nl": 1200},
    "3mm": {"ni": 800, "nj": 900, "nk": 1000, "nl": 1100, "nm": 1200},
    "adi": {"tsteps": 500, "n": 1000},
    "atax": {"m": 1900, "n": 2100},
    "bicg": {"m": 1900, "n": 2100},
    "cholesky": {"n": 2000},
    "correlation": {"m": 1200, "n": 1400},
    "covariance": {"m": 1200, "n": 1400},
    "deriche": {"w": 4096, "h": 2160},
    "doitgen": {"nr": 150, "nq": 140, "np": 160},
    "durbin": {"n": 2000},
    "fdtd-2d": {"tmax": 500, "nx": 1000, "ny": 1200},
    "floyd-warshall": {"n": 2800},
    "gemm": {"ni": 1000, "nj": 1100, "nk": 1200},
    "gemver": {"n": 2000},
    "gesummv": {"n": 1300},
    "gramschmidt": {"m": 1000, "n": 1200},
    "heat-3d": {"tsteps": 500, "n": 120},
    "jacobi-1d": {"tsteps": 500, "n": 2000},
    "jacobi-2d": {"tsteps": 500, "n": 1300},
    "lu": {"n": 2000},
    "ludcmp": {"n": 2000},
    "mvt": {"n": 2000},
    "nussinov": {"n": 2500},
    "seidel-2d": {"tsteps": 500, "n": 2000},
    "symm": {"m": 1000, "n": 1200},
    "syr2k": {"m": 1000, "n": 1200},
    "syrk": {"m": 1000, "n": 1200},
    "trisolv": {"n": 2000},
    "trmm": {"m": 1000, "n": 1200},
}
HEAD = """# PolyBench

What becomes of the thirty programs of PolyBench/C 4.2.1 (`samples/polybench`, written anew from the published
definitions). This table is written by `python -m bench.polybench --table`; a test compares it with what the compiler
does.

*One thread* counts kernels that one thread runs: in `durbin`, `gramschmidt` and `ludcmp` sums that are written as
`s += ...` on floating-point numbers are among them, since C gives them an order (`-fassociative-math` or
`__pencil_reduction` takes it away). *Host loops* are loops around launches. *Launches* are those of a call at MINI
sizes, where each loop on the host is [one launch](mapping.md#loops-in-one-launch); *steps* those of the same call where
it is not.

| program | kernels | one thread | host loops | launches | steps |
|---|---|---|---|---|---|
"""
SCHEDULES = """
The schedules, in the notation of [the tour](tour.md): `[k s]` is a loop whose iterations run one after the other, on
the host where something parallel is below it; `[i P]` a row that is dealt out to threads.

<!-- not run: `python -m bench.polybench --table` writes it, tests/golden/test_polybench.py compares it -->
"""
THREADS_TITLE = "## Threads at LARGE sizes"
THREADS_HEAD = f"""
{THREADS_TITLE}

How many threads each kernel is launched with in a call at LARGE sizes, beside its *points*: what it has to do that need
not wait for each other, as the emitted code counts it in front of each launch (`pencilc report --sizes`; H100, nothing
runs). Ranges are over all launches of the call. A kernel that does all iterations of a loop in one launch has the
points of an iteration. *Few* counts the launches whose threads are fewer than min(points, {ENOUGH:,}); behind it stand
the threads and points of the one that has the smallest share. What is done in order has one point: see *one thread*.

| program | kernel | launches | points | threads | few |
|---|---|---|---|---|---|
"""


Launches: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Line:
    """What became of one program; `launches` is None where it was not run: as chosen, and for each iteration."""

    name: str
    kernels: int
    single: int
    loops: int
    launches: Launches | None
    schedule: str

    def told(self) -> str:
        """The line of the table."""
        launches = " | ".join(map(str, self.launches or ("-", "-")))
        return f"| {self.name} | {self.kernels} | {self.single} | {self.loops} | {launches} |"

    def scheduled(self) -> str:
        """The line of the schedules."""
        return f"{self.name}: {self.schedule}"


def source(name: str) -> SourceFile:
    """One of the programs."""
    return SourceFile(f"samples/polybench/{name}.c", (PROGRAMS / f"{name}.c").read_text())


@cache
def mapped(name: str) -> MappedProgram:
    """The mapped region of a program."""
    (program,) = compile_source(source(name), CompileOptions(), "mapping").programs
    return program


def line_of(name: str, launches: Launches | None) -> Line:
    """What the compiler does with a program."""
    program = mapped(name)
    kernels = list(program.kernels())
    single = sum(kernel.shape is Shape.SINGLE for kernel in kernels)
    return Line(name, len(kernels), single, _loops(program.items), launches, schedule_line(program.scheduled))


def _loops(items: Sequence[HostItem]) -> int:
    return sum(1 + _loops(item.items) for item in items if isinstance(item, HostLoop))


def kernels_in_fronts(program: MappedProgram, sizes: Mapping[str, int]) -> int:
    """How many launches the schedule asks for at most: each kernel once for each front of the rows around it."""
    scop = program.scheduled.scop
    context = likely(scop.context, sizes.items())
    domains = {s.name: at_nominal_sizes(s.domain, context) for s in scop.statements}
    around = dict(_fronts(program.scheduled.tree, ()))
    return sum(
        max(points(domains, around[name], (name,)) for name in kernel.statements if name in around)
        for kernel in program.kernels()
    )


def _fronts(tree: Tree, around: tuple[Row, ...]) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """The statements, each with the sequential rows around it that leave something parallel below."""
    match tree:
        case TreeSequence():
            for child in tree.children:
                yield from _fronts(child, around)
        case Band(rows=(Row(flag="s") as first, *rest)) if has_parallelism(tree):
            yield from _fronts(Band(tuple(rest), tree.child) if rest else tree.child, (*around, first))
        case _:
            yield from ((name, around) for name in statements_of(tree))


def launches_of(file: SourceFile, sizes: Mapping[str, int], inputs: Path | None = None) -> Launches:
    """The launches of a call of a file's function; ends the command where a result is wrong in any form of a loop."""
    settings = VerifySettings({size: (value,) for size, value in sizes.items()}, orders=("fwd",), inputs=inputs)
    report = verify(file, CompileOptions(), settings)
    if not report.ok:
        raise SystemExit(report.table())
    chosen = max(row.launches for row in report.rows if row.launches is not None and not row.form)
    steps = (row.launches for row in report.rows if row.launches is not None and row.form == BY_LAUNCHES)
    return chosen, max(steps, default=chosen)


def seconds(paths: Sequence[Path], folder: Path) -> dict[str, list[float]]:
    """Processor seconds of `pencilc` on each file, by name: the runs of all in turns, after one that fills caches."""
    found: dict[str, list[float]] = {path.stem: [] for path in paths}
    within = environment(folder / "compiled")
    for repeat in range(REPEATS + 1):
        for path in paths:
            run = measure((str(PENCILC), "-q", str(path), "-o", f"{folder}/out.cu"), within)
            found[path.stem] += [run.processor_seconds] if repeat else []
    return found


def page(lines: Sequence[Line]) -> str:
    """The text of the tables, but for that of threads."""
    told = "\n".join(line.told() for line in lines)
    schedules = "\n".join(line.scheduled() for line in lines)
    return f"{HEAD}{told}\n{SCHEDULES}```\n{schedules}\n```\n"


def threads_of(name: str) -> list[str]:
    """The lines of the table of threads for a program, a line for each kernel that a call at LARGE sizes launches."""
    done = compile_source(source(name), CompileOptions())
    calls = launched_calls(done, {size: (value,) for size, value in LARGE[name].items()})
    found: list[str] = []
    for (call,) in calls.values():
        if call.reason:
            found.append(f"| {name} | - | - | - | - | {call.reason} |")
        found += [_threads_line(name, kernel) for kernel in call.kernels]
    return found


def _threads_line(name: str, kernel: LaunchedKernel) -> str:
    points = "data" if kernel.points is None else _range(kernel.points)
    few = ""
    if kernel.short and kernel.fewest is not None:
        of_points, threads = kernel.fewest
        few = f"{kernel.short}: {threads} for {of_points}"
    return f"| {name} | {kernel.kernel} | {kernel.launches} | {points} | {_range(kernel.threads)} | {few} |"


def _range(numbers: Range) -> str:
    return f"{numbers.least}" if numbers.least == numbers.most else f"{numbers.least} to {numbers.most}"


def threads_page(names: Sequence[str], known: Mapping[str, Sequence[str]]) -> str:
    """The text of the table of threads, anew for the programs `names` and as `known` has it for the others."""
    lines = [line for name in MINI for line in (threads_of(name) if name in names else known.get(name, ()))]
    return THREADS_HEAD + "".join(f"{line}\n" for line in lines)


def known_threads() -> dict[str, list[str]]:
    """The lines of the table of threads as it stands, by program."""
    found: dict[str, list[str]] = {}
    for line in TABLE.read_text().partition(THREADS_TITLE)[2].splitlines() if TABLE.is_file() else ():
        name = line.removeprefix("| ").partition(" |")[0]
        if name in MINI:
            found.setdefault(name, []).append(line)
    return found


def known_launches() -> Iterator[tuple[str, Launches | None]]:
    """What the table says of the launches."""
    for line in TABLE.read_text().partition(THREADS_TITLE)[0].splitlines() if TABLE.is_file() else ():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 6 and cells[1] in MINI:
            yield cells[1], (int(cells[5]), int(cells[6])) if cells[5] != "-" else None


def main() -> None:
    """Print the lines, or write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", choices=[*MINI, []], metavar="PROGRAM")
    parser.add_argument("--table", action="store_true", help="write docs/polybench.md instead of measuring time")
    parser.add_argument("--large", action="store_true", help="write the lines of its table of threads alone")
    parser.add_argument("--no-run", action="store_true", help="leave out the launches")
    arguments = parser.parse_args()
    names = arguments.programs or list(MINI)
    if arguments.large:
        for name in names:
            before = TABLE.read_text().partition(f"\n{THREADS_TITLE}")[0]
            TABLE.write_text(before + threads_page([name], known_threads()))
        return
    lines = [line_of(name, None if arguments.no_run else launches_of(source(name), MINI[name])) for name in names]
    if arguments.table:
        TABLE.write_text(page(lines) + threads_page(names, {}))
        return
    with tempfile.TemporaryDirectory() as temporary:
        trivial = Path(temporary, "trivial.c")
        trivial.write_text(TRIVIAL)
        measured = seconds([trivial, *(PROGRAMS / f"{name}.c" for name in names)], Path(temporary))
    least = statistics.median(measured[trivial.stem])
    total = 0.0
    for line in lines:
        runs = [each - least for each in measured[line.name]]
        total += statistics.median(runs)
        spread = f"{statistics.median(runs):.2f} s ({min(runs):.2f}-{max(runs):.2f})"
        print(f"{line.told()} {line.schedule}: {spread}")
    print(f"together {total:.2f} s beyond the {least:.2f} s of a trivial loop")


if __name__ == "__main__":
    main()
