"""Generated programs through compiler, executor and nvcc; programs that once failed are kept in `cases/`.

`make fuzz` runs new seeds for as long as one likes (`run.py`); `reduce.py` makes a program that fails small.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from tests.conftest import run
from tests.fuzz.check import (
    KINDS,
    ORDERS,
    Failure,
    check,
    check_kind,
    compiled,
    named_options,
    program_of_kind,
)
from tests.fuzz.generator import Generator, options, program
from tests.fuzz.reduce import reduced

CASES = sorted((Path(__file__).parent / "cases").glob("*.c"))
# What gcc need not like: names that a function happens not to use, comparisons of whole-number types.
LOOSE = ("unused-parameter", "misleading-indentation", "sign-compare", "type-limits", "unused-but-set-variable")


def failing(text: str, seed: int, chosen: CompileOptions, nvcc: str | None, orders: tuple[str, ...] = ORDERS) -> str:
    failure = check(text, seed, chosen, nvcc, orders)
    return f"{failure.kind}: {failure.text}" if failure is not None else ""


def test_the_same_seed_gives_the_same_program() -> None:
    assert program(range(3)) == program(range(3))
    assert program(range(3)) != program(range(3, 6))
    assert options(5) == options(5)


def test_gcc_takes_what_is_generated(tmp_path: Path) -> None:
    (tmp_path / "g.c").write_text(program(range(100)))
    strict = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-function")
    loose = (f"-Wno-{name}" for name in LOOSE)
    done = run("gcc", *strict, *loose, "-I", "pencilc/include", "-c", tmp_path / "g.c", "-o", tmp_path / "g.o")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("first", range(0, 20, 10))
def test_compiled(first: int) -> None:
    for seed in range(first, first + 10):
        assert compile_source(SourceFile("g.c", program(range(seed, seed + 1))), options(seed)).cuda


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.full if k % 2 else ()) for k, kind in enumerate(KINDS)]
)
def test_each_kind(kind: str, nvcc: str) -> None:
    """nvcc takes one kind in four."""
    failure = check_kind(kind, None if KINDS.index(kind) % 4 else nvcc)
    assert failure is None, f"{failure.kind}: {failure.text}"


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_more_of_each_kind(kind: str) -> None:
    done = compiled(program_of_kind(kind, range(2, 12)), 0, CompileOptions())
    assert not isinstance(done, Failure), f"{done.kind}: {done.text}"


@pytest.mark.parametrize("first", [1000, 2000, 3000])
def test_verified(first: int) -> None:
    seeds = range(first, first + 2)
    wrong = failing(program(seeds), first, options(first), None, ("rand:3",))
    assert not wrong, wrong


def wrong_in_case(path: Path, nvcc: str | None, orders: tuple[str, ...]) -> str:
    """What is wrong with a program that failed once; a first line `// seed N` names the seed whose options it had."""
    text = path.read_text()
    return failing(text, *named_options(text), nvcc, orders)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_kept_case(path: Path, nvcc: str) -> None:
    """In one order; nvcc takes one in five."""
    wrong = wrong_in_case(path, None if CASES.index(path) % 5 else nvcc, ("rand:3",))
    assert not wrong, wrong


@pytest.mark.full
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_kept_case_everywhere(path: Path, nvcc: str) -> None:
    wrong = wrong_in_case(path, nvcc, ORDERS)
    assert not wrong, wrong


@pytest.mark.full
@pytest.mark.parametrize("first", range(10000, 10160, 4))
def test_verified_often(first: int, nvcc: str) -> None:
    wrong = failing(program(range(first, first + 4)), first, options(first), nvcc)
    assert not wrong, wrong


def test_the_reducer_keeps_what_fails() -> None:
    text = Generator(7, ("map", "rows")).function("f")
    text = text.replace("#pragma scop\n", "#pragma scop\n    B[0] = 4711;\n", 1)
    small = reduced(program(range(0)) + text, lambda smaller: "4711" in smaller)
    assert "4711" in small
    assert "for" not in small
    assert len(small.splitlines()) < 15
