"""Which calls of CUDA an entry point makes once memory and device are known, and how sets of scratch are kept."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from pencilc import driver
from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.verify.cudacpu import environment
from pencilc.verify.executors import CpuExecutor
from tests.conftest import run

SOURCE = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static void nothing(int *v) { *v = 0; }
static int plus(int a, int b) { return a + b; }
static float add(float a, float b) { return a + b; }
float sum(int n, const float a[static const restrict n]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], add);
    return s;
}
void histogram(int n, int bins, const int a[static const restrict n], int count[static const restrict bins]) {
    for (int b = 0; b < bins; b++) __pencil_reduction_var_init(&count[b], nothing);
    for (int i = 0; i < n; i++) __pencil_reduction(&count[a[i]], 1, plus);
}
void columns(int r, int n, const float a[static const restrict r][n], float s[static const restrict n]) {
    for (int i = 0; i < n; i++) __pencil_reduction_var_init(&s[i], zero);
    for (int k = 0; k < r; k++)
        for (int i = 0; i < n; i++) __pencil_reduction(&s[i], a[k][i], add);
}
"""
HEAD = """#include <cuda_runtime.h>
#include <cstdio>
static bool is_noted;
static void note(const char *call) { if (is_noted) printf("%s ", call); }
"""
MAIN = """
#define CALLS(what, call) \\
    do { \\
        if ((call) != cudaSuccess) return 1; \\
        is_noted = true; \\
        const cudaError_t error = (call); \\
        is_noted = false; \\
        if (error != cudaSuccess) return 1; \\
        printf("| %s\\n", what); \\
    } while (0)

int main() {
    float *a, *s;
    cudaMalloc(&a, 100000 * sizeof(float));
    cudaMalloc(&s, 100000 * sizeof(float));
    cudaMemset(a, 0, 100000 * sizeof(float));
    cudaStream_t stream, others[70];
    cudaStreamCreate(&stream);
    CALLS("none", sum_device(0, a, s, stream));
    CALLS("one block", sum_device(4096, a, s, stream));
    CALLS("several", sum_device(4097, a, s, stream));
    CALLS("bins", histogram_device(1000, 300, (const int *)a, (int *)s, stream));
    CALLS("one tile", columns_device(3, 1000, a, s, stream));
    CALLS("split rows", columns_device(10000, 3, a, s, stream));
    // Of many streams the later ones say when their work is done, those of before still do not.
    for (cudaStream_t &other : others) {
        cudaStreamCreate(&other);
        if (sum_device(90000, a, s, other) != cudaSuccess) return 1;
    }
    CALLS("the last of many", sum_device(90000, a, s, others[69]));
    CALLS("the first", sum_device(90000, a, s, stream));
    static float on_the_host[100];
    CALLS("host", sum(100, on_the_host) == 0 ? cudaSuccess : cudaErrorUnknown);
    cudaDeviceSynchronize();
    return 0;
}
"""
ALONE = ["cudaGetDevice", "cudaLaunchKernelEx"]
GRIDS = """
#define cudaLaunchKernelEx(config, ...) (note(config), cudaLaunchKernelEx(config, __VA_ARGS__))
"""
LAUNCHES = """#include <cuda_runtime.h>
#include <cstdio>
static void note(const cudaLaunchConfig_t *config) { printf("%u ", config->gridDim.x * config->gridDim.y); }
"""
GRIDS_MAIN = """
int main() {
    const int n = 1 << 20;
    float *a, *s, result = 0;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&s, n * sizeof(float));
    cudaMemset(a, 0, n * sizeof(float));
    if (sum_device(n, a, s, nullptr) || rows_device(100000, 5, a, s, nullptr)) return 1;
    if (scaled_device(4000, 200, a, s, nullptr) || scaled_device(300, 3000, a, s, nullptr)) return 1;
    if (doubled_device(n, a, s, nullptr)) return 1;
    if (rows_device(4000, 200, a, s, nullptr) || rows_device(400, 2600, a, s, nullptr)) return 1;
    if (histogram_device(n / 2, 60000, (int *)a, (int *)s + 1000, nullptr)) return 1;
    if (scaled_device(80, 12000, a, s, nullptr)) return 1;
    if (rows_device(2, 400000, a, s, nullptr) || columns_device(100000, 7, a, s, nullptr)) return 1;
    cudaMemcpy(&result, s, sizeof result, cudaMemcpyDeviceToHost);
    return result != 0;
}
"""
ROWS = """
void rows(int r, int n, const float a[static const restrict r][n], float s[static const restrict r]) {
    for (int k = 0; k < r; k++) {
        __pencil_reduction_var_init(&s[k], zero);
        for (int i = 0; i < n; i++) __pencil_reduction(&s[k], a[k][i], add);
    }
}
void scaled(int r, int n, const float a[static const restrict r][n], float y[static const restrict r][n]) {
    for (int k = 0; k < r; k++) {
        float s;
        __pencil_reduction_var_init(&s, zero);
        for (int i = 0; i < n; i++) __pencil_reduction(&s, a[k][i], add);
        for (int i = 0; i < n; i++) y[k][i] = a[k][i] - s;
    }
}
void doubled(int n, const float a[static const restrict n], float y[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) y[i] = 2 * a[i];
#pragma endscop
}
"""
SHARED = ["cudaGetDevice", "cudaStreamIsCapturing", "cudaStreamGetId", "cudaLaunchKernelEx"]


HOST = ["cudaThreadExchangeStreamCaptureMode", "cudaGetDevice", "cudaMallocFromPoolAsync", "cudaMemcpyAsync",
        "cudaMallocFromPoolAsync", *ALONE, "cudaMemcpyAsync", "cudaStreamSynchronize", "cudaFreeAsync",
        "cudaFreeAsync", "cudaThreadExchangeStreamCaptureMode"]  # fmt: skip


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The calls of the second call of each kind."""
    folder = tmp_path_factory.mktemp("calls")
    cuda = driver.compile_source(SourceFile("calls.c", SOURCE), CompileOptions()).cuda
    names = sorted(set(re.findall(r"\b(cuda[A-Z]\w+)\(", cuda)))
    noted = "".join(f'#define {name}(...) (note("{name}"), {name}(__VA_ARGS__))\n' for name in names)
    source, program = folder / "calls.cu", folder / "calls"
    source.write_text(HEAD + noted + cuda + MAIN)
    CpuExecutor(("fwd",), "plain").build(source, program, shared=False)
    result = run(program)
    assert result.returncode == 0, result.stderr
    return {what: calls.split() for calls, _, what in (line.partition("| ") for line in result.stdout.splitlines())}


@pytest.mark.parametrize("what", ["none", "one block", "one tile"])
def test_nothing_is_shared(what: str, said: dict[str, list[str]]) -> None:
    assert said[what] == ALONE


def test_shared_memory_is_asked_for_once(said: dict[str, list[str]]) -> None:
    assert said["bins"] == [*ALONE, "cudaLaunchKernelEx"], "two kernels: the bins begin, and are filled"


@pytest.mark.parametrize("what", ["several", "split rows", "the first"])
def test_blocks_share_what_is_there(what: str, said: dict[str, list[str]]) -> None:
    assert said[what] == SHARED


def test_arrays_of_the_host_go_to_a_pool_that_keeps_memory(said: dict[str, list[str]]) -> None:
    assert said["host"] == HOST


@pytest.mark.parametrize("resident", [1, pytest.param(2, marks=pytest.mark.full)])
def test_no_grid_is_larger_than_what_is_resident(resident: int, tmp_path: Path) -> None:
    """With one block of each multiprocessor resident, as one of 512 threads with 128 registers is."""
    cuda = driver.compile_source(SourceFile("grids.c", SOURCE + ROWS), CompileOptions()).cuda
    source, program = tmp_path / "grids.cu", tmp_path / "grids"
    source.write_text(LAUNCHES + GRIDS + cuda + GRIDS_MAIN)
    CpuExecutor(("fwd",), "plain").build(source, program, shared=False)
    env = {**os.environ, **environment(sm_count=4, blocks_per_sm=resident)}
    result = subprocess.run([program], capture_output=True, text=True, check=False, env=env)
    assert result.returncode == 0, result.stderr
    # The whole, rows by lanes, rows in the registers of warps and of blocks, points, rows by warps and by blocks; the
    # start of bins that are too many for shared memory, and their points; rows in shared memory; few long rows and few
    # columns, each of which several blocks share.
    assert result.stdout.split() == [str(4 * resident)] * 12


def test_work_of_many_streams_is_recorded(said: dict[str, list[str]]) -> None:
    assert said["the last of many"] == [*SHARED, "cudaEventRecord"]
