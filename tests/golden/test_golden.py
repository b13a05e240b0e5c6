"""Layer 1: what every stage makes of every sample, against the files beside this one.

`make update-golden` rewrites them; a missing file fails, and a rewrite fails too, so that no run that changed what
it should have checked looks like a success.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from pencilc import driver
from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from tests.conftest import LADDER, Sample, samples
from tests.golden import meaning, structure

HERE = Path(__file__).resolve().parent


@cache
def compilation(sample: Sample) -> driver.Compilation:
    """The sample, compiled once for all its expected files."""
    return driver.compile_source(SourceFile(sample.path, sample.text), CompileOptions())


def _text_difference(expected: str, actual: str) -> str | None:
    lines = difflib.unified_diff(expected.splitlines(), actual.splitlines(), "expected", "actual", lineterm="")
    return "\n".join(lines) if expected != actual else None


def _dump(stage: str) -> Callable[[Sample], str]:
    return lambda sample: driver.dump(compilation(sample), stage)


FILES: dict[str, Callable[[Sample], str]] = {
    "10-scop.txt": _dump("scop"),
    "20-dependences.txt": _dump("dependences"),
    "30-schedule.txt": _dump("schedule"),
    "40-mapping.txt": _dump("mapping"),
    "45-kernels.txt": _dump("kernels"),
    "50-cuda.cu": lambda sample: compilation(sample).cuda,
    "structure.txt": lambda sample: structure.summary(
        compilation(sample).cuda, driver.dump(compilation(sample), "schedule")
    ),
}
# What is kept of samples that are not kept stage by stage: what decides, and what it costs.
KEPT_OF_ALL = ("30-schedule.txt", "40-mapping.txt", "structure.txt")


def kept(sample: Sample) -> tuple[str, ...]:
    """The files that are kept of a sample."""
    return tuple(FILES) if sample.name in LADDER else KEPT_OF_ALL


CASES = [pytest.param(each, name, id=f"{each.name}-{name}") for each in samples() for name in kept(each)]


# What one sample of each shape becomes under options that change the text of every reduction.
MODES: dict[str, tuple[str, CompileOptions]] = {
    "sum": ("60-fixed-tree.cu", CompileOptions(determinism="fixed-tree")),
    "row_sums": ("61-fixed-tree-kahan.cu", CompileOptions(determinism="fixed-tree", sums="kahan")),
    "column_sums": ("62-fixed-tree-pairwise.cu", CompileOptions(determinism="fixed-tree", sums="pairwise")),
    "dot": ("63-kahan.cu", CompileOptions(sums="kahan")),
    "stats": ("64-pairwise.cu", CompileOptions(sums="pairwise")),
    "histogram": ("65-none.cu", CompileOptions(determinism="none")),
}


@pytest.mark.parametrize("name", MODES)
def test_golden_of_a_mode(name: str, root: Path, request: pytest.FixtureRequest) -> None:
    file, options = MODES[name]
    source = Path("samples", f"{name}.c")
    actual = driver.compile_source(SourceFile(source.as_posix(), source.read_text()), options).cuda
    path = HERE / name / file
    expected = path.read_text() if path.exists() else None
    if request.config.getoption("--update-golden") and expected != actual:
        path.write_text(actual)
        pytest.fail(f"{path.relative_to(root)} rewritten: review it")
    message = "no such file" if expected is None else _text_difference(expected, actual)
    if message is not None:
        pytest.fail(f"{path.relative_to(root)}: {message}", pytrace=False)


@pytest.mark.parametrize(("each", "name"), CASES)
def test_golden(each: Sample, name: str, root: Path, request: pytest.FixtureRequest) -> None:
    actual = FILES[name](each)
    path = HERE / each.name / name
    expected = path.read_text() if path.exists() else None
    by_meaning = name[:2] in ("10", "20", "30", "40")
    message: str | None = "no such file"
    if expected is not None:
        message = meaning.difference(expected, actual) if by_meaning else _text_difference(expected, actual)
    if request.config.getoption("--update-golden") and expected != actual:
        path.parent.mkdir(exist_ok=True)
        path.write_text(actual)
        pytest.fail(f"{path.relative_to(root)} rewritten: review it")
    if message is not None:
        pytest.fail(f"{path.relative_to(root)}: {message}", pytrace=False)


def test_no_stray_files() -> None:
    known = {sample.name: sample for sample in samples()}
    folders = {path for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    stray = {folder.name for folder in folders} - known.keys()
    stray |= {f"{path.parent.name}/{path.name}" for folder in folders for path in folder.iterdir()} - {
        f"{name}/{file}" for name, sample in known.items() for file in (*kept(sample), "traffic.txt")
    }
    stray -= {f"{sample}/{file}" for sample, (file, _) in MODES.items()}
    assert not stray
