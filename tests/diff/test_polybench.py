"""PolyBench's programs against their sequential C, at sizes that do and do not divide a warp, and as nvcc sees them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import cast

import pytest

from bench.polybench import MINI, source
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify
from pencilc.verify.forms import BY_LAUNCHES
from pencilc.verify.inputs import load_makers
from tests.conftest import run

# Fronts, factorisations and what is computed in place; the shapes of the others are those of samples and programs.
FAST = {"cholesky", "floyd-warshall", "ludcmp", "seidel-2d"}
NVCC = {"lu", "seidel-2d"}
SIZES = {"tsteps": (0, 3), "tmax": (0, 3)}
EXTENTS = (1, 2, 9, 32, 35)


def _marked(fast: set[str]) -> list[object]:
    return [pytest.param(name, id=name, marks=() if name in fast else pytest.mark.full) for name in MINI]


@pytest.mark.parametrize("name", _marked(FAST))
def test_verify(name: str, root: Path) -> None:
    few = len(MINI[name]) > 3
    sizes = {size: SIZES.get(size, EXTENTS[1::3] if few else EXTENTS) for size in MINI[name]}
    report = verify(
        source(name), CompileOptions(), VerifySettings(sizes=sizes, orders=("fwd", "rev", "rand:7"), forms=False)
    )
    assert report.ok, report.table()
    assert any(row.status == "ok" for row in report.rows)


@pytest.mark.full
def test_paths_with_a_cycle_below_zero(root: Path) -> None:
    """Every turn makes them shorter, so that what reads a row or a column too early or too late is seen."""
    extents = (3, 9, 12)
    (maker,) = load_makers(root / "samples/polybench/floyd-warshall.inputs.py").values()
    for n in extents:
        path = cast(list[list[int]], maker({"n": n}, random.Random(0))["path"])
        assert path[1][2] + path[2][1] < 0
    settings = VerifySettings({"n": extents}, orders=("fwd", "rev", "rand:7"))
    report = verify(source("floyd-warshall"), CompileOptions(), settings)
    assert report.ok, report.table()
    assert {row.form for row in report.rows if row.status == "ok"} >= {"", BY_LAUNCHES}


@pytest.mark.parametrize(
    "arch", ["sm_90", *(pytest.param(arch, marks=pytest.mark.full) for arch in ("sm_80", "sm_100"))]
)
@pytest.mark.parametrize("name", _marked(NVCC))
def test_nvcc(name: str, arch: str, nvcc: str, tmp_path: Path, root: Path) -> None:
    path = tmp_path / "program.cu"
    path.write_text(compile_source(source(name), CompileOptions()).cuda)
    result = run(nvcc, f"-arch={arch}", "-Werror", "all-warnings", "-cubin", path, "-o", tmp_path / "out.cubin")
    assert result.returncode == 0, result.stderr
