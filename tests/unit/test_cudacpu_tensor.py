"""The CPU executor's asynchronous copies and fragments: what is wrong with them is found, what is right is not."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from pencilc.verify.cudacpu import BuildError, build, environment

pytestmark = pytest.mark.full

SOURCE = Path(__file__).resolve().parent / "cudacpu" / "tensor.cu"
ORDERS = ("fwd", "rev", "rand:7")
KERNELS = tuple(re.findall(r"__global__ void (\w+)\(", SOURCE.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tensor") / "tensor"
    build(SOURCE, made, mode="check")
    return made


def run(program: Path, kernel: str, form: int, order: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **environment(order, timeout_s=30)}
    return subprocess.run([program, kernel, str(form)], capture_output=True, text=True, env=env, check=False)


def markers(kernel: str) -> list[tuple[int, str]]:
    """The lines of the kernel that carry a marker, each with what the message must say."""
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if f"__global__ void {kernel}(" in line)
    end = next(i for i in range(start, len(lines)) if lines[i] == "}")
    return [(i + 1, lines[i].partition("// defect: ")[2]) for i in range(start, end) if "// defect: " in lines[i]]


@pytest.mark.parametrize("kernel", KERNELS)
def test_defect_is_found_in_every_order(program: Path, kernel: str) -> None:
    for order in ORDERS:
        done = run(program, kernel, 0, order)
        first = done.stderr.partition("\n")[0]
        assert any(re.search(said, first) for _, said in markers(kernel)), (order, done)
        assert any(f"tensor.cu:{line}" in first for line, _ in markers(kernel)), (order, first)


@pytest.mark.parametrize("kernel", KERNELS)
def test_what_is_right_raises_no_alarm(program: Path, kernel: str) -> None:
    for order in ORDERS:
        done = run(program, kernel, 1, order)
        assert (done.returncode, done.stderr) == (0, ""), (order, done)


def test_elements_of_fragments_have_no_place(tmp_path: Path) -> None:
    """Which lane holds which element is not for a program to know: reading one does not compile."""
    source = tmp_path / "elements.cu"
    source.write_text(
        "#include <mma.h>\n__global__ void f(float *o) {\n"
        "  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> s;\n"
        "  nvcuda::wmma::fill_fragment(s, 0.0f);\n  o[threadIdx.x] = s.x[0];\n}\n"
    )
    with pytest.raises(BuildError) as error:
        build(source, tmp_path / "elements")
    assert "has no member named ‘x’" in str(error.value.args) or "no member named" in str(error.value.args)
