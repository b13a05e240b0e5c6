"""PolyBench's programs as people write them, with scalars: where these are declared makes no difference.

`scalars/` has them with each scalar declared innermost.  `NAME.PART.c` is another way to write NAME.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from bench.polybench import MINI, kernels_in_fronts, launches_of
from bench.polybench import PROGRAMS as SAMPLES
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify

PROGRAMS = {path.stem: path for path in sorted((Path(__file__).parent / "scalars").glob("*.c"))}
FAST = {"gemm.ikj", "gramschmidt", "lu", "trisolv"}
SIZES = {"tsteps": (0, 3), "tmax": (0, 3)}
EXTENTS = (1, 2, 31, 33)
# `double w, s;` on a line of its own.
DECLARED = re.compile(r"^ +(double|float|int) (\w+(?:, \w+)*);$", re.MULTILINE)
IN_FRONT_OF_THE_LOOPS = "#pragma scop\n"
IN_FRONT_OF_THE_REGION = ") {\n"

each = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in FAST else pytest.mark.full) for name in PROGRAMS]
)


def elsewhere(text: str, place: str) -> str:
    """The program with all scalars declared behind `place`; no line has another number."""
    names: dict[str, str] = {}
    for ctype, declared in DECLARED.findall(text):
        names |= dict.fromkeys(declared.split(", "), ctype)
    head, found, rest = DECLARED.sub("", text).partition(place)
    assert names and found
    return head + place + "".join(f"{ctype} {name}; " for name, ctype in names.items()) + rest


def compiled(name: str, text: str) -> Compilation:
    return compile_source(SourceFile(f"{name}.c", text), CompileOptions())


def unordered(text: str) -> list[list[str]]:
    """What stands in the lines of a file, in whatever order variables are declared and handed over."""
    return sorted(sorted(re.split(r"[(),] *", line.strip())) for line in text.splitlines())


@cache
def source(name: str) -> SourceFile:
    return SourceFile(f"{name}.c", PROGRAMS[name].read_text())


def inputs(name: str) -> Path | None:
    path = SAMPLES / f"{name.partition('.')[0]}.inputs.py"
    return path if path.is_file() else None


def sizes(name: str) -> dict[str, int]:
    return MINI[name.partition(".")[0]]


def test_all_programs_are_there() -> None:
    assert {name.partition(".")[0] for name in PROGRAMS} == MINI.keys()


@each
def test_where_a_scalar_is_declared_makes_no_difference(name: str) -> None:
    text = source(name).text
    inside = unordered(compiled(name, text).cuda)
    for place in (IN_FRONT_OF_THE_LOOPS, IN_FRONT_OF_THE_REGION):
        assert unordered(compiled(name, elsewhere(text, place)).cuda) == inside


@pytest.mark.full
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_call_has_at_most_a_launch_of_each_kernel_for_each_front(name: str) -> None:
    (program,) = compiled(name, source(name).text).programs
    chosen, steps = launches_of(source(name), sizes(name), inputs(name))
    assert 0 < chosen <= steps <= kernels_in_fronts(program, sizes(name))


@pytest.mark.full
@pytest.mark.parametrize("name", PROGRAMS)
def test_verify(name: str) -> None:
    few = len(sizes(name)) > 3
    extents = {size: SIZES.get(size, EXTENTS[1::2] if few else EXTENTS) for size in sizes(name)}
    settings = VerifySettings(extents, orders=("fwd", "rev", "rand:7"), inputs=inputs(name), forms=False)
    report = verify(source(name), CompileOptions(), settings)
    assert report.ok, report.table()
    assert any(row.status == "ok" for row in report.rows)
