"""`--determinism=fixed-tree`: the same bits on any device, for any block and order; `run` promises less."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions, Determinism, Sums, Tuning
from pencilc.verify import cudacpu
from pencilc.verify.command import VerifySettings, verify
from pencilc.verify.executors import Mode
from tests.conftest import ROOT

HERE = Path(__file__).parent / "orders"
SHAPES = ("all", "product", "pitched", "short", "warps", "blocks", "splits", "triangle", "columns", "layers")
# Where the device decides by how many threads a sum is shared out under `run`.
SHARED_OUT = {"all", "product", "pitched", "warps", "blocks", "splits", "columns", "layers"}
DEVICES = (1, 2, 7, 132)
THREADS = (128, 256, 512)


@cache
def _source() -> SourceFile:
    path = HERE / "orders.c"
    return SourceFile(path.relative_to(ROOT).as_posix(), path.read_text())


@cache
def _kernels() -> tuple[str, ...]:
    """The names of the kernels that reduce."""
    programs = compile_source(_source(), CompileOptions()).programs
    return tuple(kernel.name for program in programs for kernel in program.kernels() if kernel.reductions)


def _program(options: CompileOptions, threads: int, folder: Path, mode: Mode = "plain") -> Path:
    """The program, compiled as a search that found blocks of `threads` to be best would have it."""
    tuning = Tuning(tuple((name, (("threads", threads),)) for name in _kernels()))
    cuda = compile_source(_source(), replace(options, tuning=tuning)).cuda
    assert f"__launch_bounds__({threads}, " in cuda
    source, program = folder / f"orders{threads}.cu", folder / f"orders{threads}"
    source.write_text(cuda + (HERE / "main.cu").read_text())
    # With -O2 gcc 12 loads 16 bytes at once before it knows that they are aligned.
    cudacpu.build(source, program, mode=mode, extra=("-O1",))
    return program


def _bits(program: Path, sm_count: int, order: str) -> dict[str, str]:
    """What the program prints for each shape on a device with so many multiprocessors."""
    variables = {**os.environ, **cudacpu.environment(order=order, sm_count=sm_count)}
    result = subprocess.run([str(program)], env=variables, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return dict(line.split() for line in result.stdout.splitlines())


def _all_bits(options: CompileOptions, folder: Path, blocks: Sequence[int] = THREADS) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {shape: set() for shape in SHAPES}
    for threads in blocks:
        program = _program(options, threads, folder)
        for sm_count in DEVICES:
            for shape, bits in _bits(program, sm_count, f"rand:{sm_count}").items():
                found[shape].add(bits)
    return found


@pytest.mark.parametrize("sums", ["plain", "pairwise", "kahan"])
def test_a_fixed_tree_is_the_same_everywhere(sums: Sums, tmp_path: Path, root: Path) -> None:
    blocks = THREADS if sums == "plain" else (128, 512)
    found = _all_bits(CompileOptions(determinism="fixed-tree", sums=sums), tmp_path, blocks)
    assert {shape: len(bits) for shape, bits in found.items()} == dict.fromkeys(SHAPES, 1)


@pytest.mark.full
def test_without_it_devices_differ(tmp_path: Path, root: Path) -> None:
    found = _all_bits(CompileOptions(), tmp_path)
    assert {shape for shape, bits in found.items() if len(bits) > 1} == SHARED_OUT


@pytest.mark.parametrize(
    ("determinism", "sums"),
    [
        ("run", "kahan"),
        ("run", "pairwise"),
        ("fixed-tree", "plain"),
        ("fixed-tree", "kahan"),
        ("fixed-tree", "pairwise"),
    ],
)
def test_two_runs_agree_whatever_the_order(determinism: Determinism, sums: Sums, tmp_path: Path, root: Path) -> None:
    program = _program(CompileOptions(determinism=determinism, sums=sums), 256, tmp_path, "check")
    found = [_bits(program, 7, order) for order in ("fwd", "rev", "rand:7")]
    assert found[0] == found[1] == found[2]


MODES: list[tuple[Determinism, Sums]] = [
    ("fixed-tree", "plain"),
    ("fixed-tree", "kahan"),
    ("fixed-tree", "pairwise"),
    ("run", "kahan"),
    ("run", "pairwise"),
]


@pytest.mark.parametrize("mode", MODES, ids="-".join)
@pytest.mark.parametrize("name", ["stats", "triangular", "sum_half"])
def test_samples_under_every_mode(name: str, mode: tuple[Determinism, Sums], root: Path) -> None:
    path = Path("samples", f"{name}.c")
    lengths = (0, 1, 33, 129) if name == "triangular" else (0, 1, 31, 1009, 9001)
    settings = VerifySettings(sizes={"n": lengths}, orders=("fwd", "rev", "rand:7"))
    options = CompileOptions(determinism=mode[0], sums=mode[1])
    report = verify(SourceFile(path.as_posix(), path.read_text()), options, settings)
    assert report.ok, report.table()
    assert [row for row in report.rows if row.status == "ok"]
