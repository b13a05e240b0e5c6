"""Generated programs through the checks and through the executor; programs that once failed are kept in `cases/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify
from tests.conftest import run
from tests.fuzz.generator import program

SIZES = {"n": (1, 33), "m": (3, 40)}
CASES = sorted((Path(__file__).parent / "cases").glob("*.c"))


def verified(text: str, name: str, seed: int, orders: tuple[str, ...] = ("rand:3",)) -> None:
    settings = VerifySettings(sizes=SIZES, orders=orders, seed=seed)
    report = verify(SourceFile(name, text), CompileOptions(), settings)
    assert report.ok, report.table()
    assert {row.function for row in report.rows if row.status == "ok"} == {row.function for row in report.rows}


def test_the_same_seed_gives_the_same_program() -> None:
    assert program(range(3)) == program(range(3))
    assert program(range(3)) != program(range(3, 6))


def test_gcc_takes_what_is_generated(tmp_path: Path) -> None:
    (tmp_path / "g.c").write_text(program(range(100)))
    strict = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-function")
    loose = ("-Wno-unused-parameter", "-Wno-misleading-indentation")
    done = run("gcc", *strict, *loose, "-I", "pencilc/include", "-c", tmp_path / "g.c", "-o", tmp_path / "g.o")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("first", [0, 30, 60])
def test_compiled(first: int) -> None:
    done = compile_source(SourceFile("g.c", program(range(first, first + 10))), CompileOptions())
    assert len(done.programs) == 10


@pytest.mark.parametrize("first", [1000, 2000])
def test_verified(first: int) -> None:
    verified(program(range(first, first + 3)), f"g{first}.c", first)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_kept_case(path: Path) -> None:
    verified(path.read_text(), path.name, 0)


@pytest.mark.full
@pytest.mark.parametrize("first", range(3000, 3160, 4))
def test_verified_often(first: int) -> None:
    verified(program(range(first, first + 4)), f"g{first}.c", first, ("fwd", "rand:3"))
