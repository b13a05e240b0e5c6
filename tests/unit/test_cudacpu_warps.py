"""The CPU executor's races between the lanes of a warp: found without an order, and no alarm with one."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from pencilc.verify.cudacpu import build, environment

SOURCE = Path(__file__).resolve().parent / "cudacpu" / "warps.cu"
ORDERS = ("fwd", "rev", "rand:7")
KERNELS = tuple(re.findall(r"__global__ void (\w+)\(", SOURCE.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("warps") / "warps"
    build(SOURCE, made, mode="check")
    return made


def run(program: Path, kernel: str, form: int, order: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **environment(order, timeout_s=30)}
    return subprocess.run([program, kernel, str(form)], capture_output=True, text=True, env=env, check=False)


def racing_lines(kernel: str) -> list[int]:
    """The lines of the kernel that carry the marker."""
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if f"__global__ void {kernel}(" in line)
    end = next(i for i in range(start, len(lines)) if lines[i] == "}")
    return [i + 1 for i in range(start, end) if lines[i].endswith("// race")]


@pytest.mark.parametrize("kernel", KERNELS)
def test_race_of_lanes_is_found_in_every_order(program: Path, kernel: str) -> None:
    for order in ORDERS:
        done = run(program, kernel, 0, order)
        first = done.stderr.partition("\n")[0]
        assert "data race" in first, (order, done)
        assert any(f"warps.cu:{line}," in first for line in racing_lines(kernel)), (order, first)


@pytest.mark.parametrize("kernel", KERNELS)
def test_ordered_lanes_raise_no_alarm(program: Path, kernel: str) -> None:
    for order in ORDERS:
        done = run(program, kernel, 1, order)
        assert (done.returncode, done.stderr) == (0, ""), (order, done)
