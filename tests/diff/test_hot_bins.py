"""Bins in global memory of which a block meets some often: the table of these, filled in every way that data may."""

from __future__ import annotations

from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.bins import hot_slots
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify
from pencilc.verify.cudacpu.build import environment
from pencilc.verify.report import VerifyReport
from tests.conftest import run

PROGRAM = Path(__file__).parent / "hot_bins.c"
OPTIONS = CompileOptions(determinism="none")
FUNCTIONS = {"counts": (4,), "places": (8,), "floats": (4,), "structs": (8,), "two": (4, 8), "eight": (8,) * 8}
# Which bins the points are in; `sizes` and `rng` are what verify gives to what makes inputs.
KEYS = {
    "skewed": "[rng.randrange(bins) if rng.random() < 0.05 else bins // 2 for _ in range(points)]",
    "one": "[bins - 1] * points",
    "apart": "[(7919 * k + 5) % bins for k in range(points)]",
    "any": "[rng.randrange(bins) for _ in range(points)]",
}
INPUTS = """
def keys(sizes, rng):
    points, bins = sizes["n"], sizes["m"]
    return {{"key": {keys}}}

inputs_{name} = keys
"""


def text_of(name: str) -> str:
    """The head of the program and one of its functions."""
    head, *functions = PROGRAM.read_text().split("\nvoid ")
    return head + "".join("\nvoid " + each for each in functions if each.split("(")[0] == name)


def verified(
    name: str, keys: str, sizes: dict[str, tuple[int, ...]], folder: Path, orders: tuple[str, ...]
) -> VerifyReport:
    """Compared with sequential C, with what warps asked for."""
    inputs = folder / "inputs.py"
    inputs.write_text(INPUTS.format(keys=KEYS[keys], name=name))
    settings = VerifySettings(sizes=sizes, orders=orders, inputs=inputs, traffic=True)
    report = verify(SourceFile("hot_bins.c", text_of(name)), OPTIONS, settings)
    assert report.ok, report.table()
    assert {row.function for row in report.rows if row.status == "ok"} == {name}, report.table()
    return report


def asked(report: VerifyReport, kind: str, arrays: str) -> list[int]:
    """Requests of this kind that the form with the table has on arrays of such names in shared memory, by call."""
    return [
        sum(
            each.count
            for each in call.device.requests
            if each.kernel.endswith("_global") and each.shared and each.kind == kind and each.array.endswith(arrays)
        )
        for call in report.traffic
    ]


@pytest.fixture
def one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """One multiprocessor, so that a block has many points."""
    for name, value in environment(sm_count=1).items():
        monkeypatch.setenv(name, value)


def test_one_bin_has_nearly_all(root: Path, tmp_path: Path, one_block: None) -> None:
    report = verified("counts", "skewed", {"n": (300,), "m": (700,)}, tmp_path, ("rand:7",))
    assert all(asked(report, "atomic", "_totals")) and all(asked(report, "atomic", "_tags"))


@pytest.mark.parametrize("keys", [k if k == "one" else pytest.param(k, marks=pytest.mark.full) for k in KEYS])
def test_several_orders(keys: str, root: Path, tmp_path: Path, one_block: None) -> None:
    """No points, and more than a warp has."""
    orders = ("rand:3",) if keys == "one" else ("fwd", "rev", "rand:7")
    report = verified("places", keys, {"n": (0, 67), "m": (70,)}, tmp_path, orders)
    none, some = asked(report, "atomic", "_totals")
    assert none == 0 and some > 0


@pytest.mark.full
@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_type(name: str, keys: str, root: Path, tmp_path: Path, one_block: None) -> None:
    """Fewer bins than slots and more, the form with the table each time."""
    tables = FUNCTIONS[name]
    points = 3 * max(hot_slots(size, len(tables)) for size in tables)
    sizes = {"n": (0, 1, 33, points), "m": (points + 1,)}
    report = verified(name, keys, sizes, tmp_path, ("fwd", "rev", "rand:7"))
    none, *some = asked(report, "atomic", "_totals")
    assert none == 0 and all(some)
    if keys == "apart" and max(tables) == 8:  # a block has no more points than one table of 32 bits has slots
        # A lane clears a slot: there are fewer of them than bins, some of which have none.
        assert asked(report, "store", "_tags")[-1] * 32 < points * len(tables)


@pytest.mark.full
@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
def test_nvcc(arch: str, nvcc: str, tmp_path: Path) -> None:
    source = tmp_path / "hot_bins.cu"
    source.write_text(compile_source(SourceFile(PROGRAM.name, PROGRAM.read_text()), OPTIONS).cuda)
    assert source.read_text().count("pencilc_slot(") > len(FUNCTIONS)
    done = run(nvcc, f"-arch={arch}", "-Werror", "all-warnings", "-cubin", source, "-o", tmp_path / "hot_bins.cubin")
    assert done.returncode == 0, done.stderr
