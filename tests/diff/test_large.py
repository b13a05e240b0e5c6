"""More than 2^31 elements: no index may be cut to 32 bits."""

from __future__ import annotations

from pathlib import Path

import pytest

from pencilc import driver
from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.verify.executors import CpuExecutor
from tests.conftest import run

SOURCE = """
#include <pencil.h>

static void zero(long *v) { *v = 0; }
static long add(long a, long b) { return a + b; }

long sum_large(long n, const signed char a[static const restrict n]) {
    long total;
    __pencil_reduction_var_init(&total, zero);
    for (long i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add);
    return total;
}
"""

# All elements are zero but a few, on both sides of 2^31.
HARNESS = """
#include <cstdio>

int main() {
    const long n = (1l << 31) + 7;
    const long places[] = {0, 12345, (1l << 31) - 1, 1l << 31, n - 1};
    signed char *data;
    long *result, sum;
    cudaMalloc((void **)&data, n);
    cudaMalloc((void **)&result, sizeof(sum));
    cudaMemset(data, 0, n);
    for (int k = 0; k < 5; k++) {
        signed char value = (signed char)(1 << k);
        cudaMemcpy(data + places[k], &value, 1, cudaMemcpyHostToDevice);
    }
    if (sum_large_device(n, data, result, 0) != cudaSuccess) return 1;
    cudaMemcpy(&sum, result, sizeof(sum), cudaMemcpyDeviceToHost);
    printf("%ld\\n", sum);
    return 0;
}
"""


@pytest.mark.full
def test_more_than_two_to_the_31(tmp_path: Path) -> None:
    cuda = driver.compile_source(SourceFile("large.c", SOURCE), CompileOptions()).cuda
    source, program = tmp_path / "program.cu", tmp_path / "program"
    source.write_text(cuda + HARNESS)
    executor = CpuExecutor(("fwd",), "plain")
    executor.build(source, program, shared=False)
    result = run(program)
    assert (result.returncode, result.stdout) == (0, "31\n"), result.stderr
