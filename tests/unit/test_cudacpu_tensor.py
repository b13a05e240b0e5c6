"""The CPU executor's asynchronous copies and fragments: what is wrong with them is found, what is right is not."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from pencilc.verify.cudacpu import BuildError, RewriteError, build, environment, rewrite

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


INSTRUCTION = """#include <cuda_runtime.h>
__global__ void f(float *o) {
  __shared__ __align__(16) unsigned short s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  unsigned w[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "l"(__cvta_generic_to_shared(s)) : "memory");
  o[threadIdx.x] = w[0] + w[1] + w[2] + w[3];
}
int main() {
  float *o;
  cudaMalloc((void **)&o, 256 * sizeof(float));
  f<<<1, 256>>>(o);
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""


@pytest.mark.parametrize(
    ("was", "now"), [("", ""), ("{%0, %1", "{%1, %0"), (' : "memory"', ""), ('"=r"(w[3])', '"+r"(w[3])')]
)
def test_an_instruction_is_compared_with_what_is_known(tmp_path: Path, was: str, now: str) -> None:
    """Operands in another order, a constraint or a clobber that is not what it must be."""
    source, made = tmp_path / "asm.cu", tmp_path / "asm"
    assert was in INSTRUCTION
    source.write_text(INSTRUCTION.replace(was, now, 1))
    build(source, made)
    done = subprocess.run([made], capture_output=True, text=True, check=False)
    assert ("other operands than the executor knows" in done.stderr) == bool(done.returncode) == bool(was), done


@pytest.mark.parametrize("instruction", ["ldmatrix.sync.aligned.m8n8.x2.shared.b16", "mma"])
def test_an_unknown_instruction_does_not_compile(tmp_path: Path, instruction: str) -> None:
    source = tmp_path / "asm.cu"
    source.write_text(INSTRUCTION.replace("ldmatrix.sync.aligned.m8n8.x4.shared.b16", instruction))
    with pytest.raises(BuildError, match=r"asm\.cu:7"):
        build(source, tmp_path / "asm")


def test_an_asm_statement_of_another_form_is_refused() -> None:
    with pytest.raises(RewriteError, match=r"a\.cu:2: this asm statement is not understood"):
        rewrite('\nvoid f() { asm volatile("a.b %0;" : "=r"(x) : y); }', "a.cu")
