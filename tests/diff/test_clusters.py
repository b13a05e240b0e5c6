"""Long rows in the shared memory of several blocks: on devices so small that rows of 16385 elements need them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.target import TARGETS
from pencilc.verify.command import Generated, VerifySettings, verify, verify_generated
from pencilc.verify.cudacpu import environment
from pencilc.verify.executors import CpuExecutor
from pencilc.verify.report import VerifyReport

HEAD = """#include <math.h>
#include <pencil.h>
struct peak { float value; int at; };
static void zero(float *v) { *v = 0; }
static void lowest(float *v) { *v = -3.402823466e38f; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
static void no_peak(struct peak *p) { p->value = -1; p->at = -1; }
static struct peak higher(struct peak a, struct peak b)
{
    return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a;
}
static void bottom(long long *v) { *v = 0; }
static long long sum(long long a, long long b) { return a + b; }
"""
# What happens to a row: two exchanges of one type; of different types; values of the row that go to memory.
SOFTMAX = """
void f(int rows, int columns, const float x[static const restrict rows][columns],
       float y[static const restrict rows][columns])
{
#pragma scop
    for (int i = 0; i < rows; i++) {
        float high, total;
        __pencil_reduction_var_init(&high, lowest);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&high, x[i][j], larger);
        __pencil_reduction_var_init(&total, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&total, expf(x[i][j] - high), add);
        for (int j = 0; j < columns; j++)
            y[i][j] = expf(x[i][j] - high) / total;
    }
#pragma endscop
}
"""
PEAKS = """
void f(int rows, int columns, float x[static const restrict rows][columns], struct peak p[static const restrict rows],
       long long where[static const restrict rows])
{
#pragma scop
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&p[i], no_peak);
        for (int j = 0; j < columns; j++) {
            const struct peak here = {fabsf(x[i][j]), j};
            __pencil_reduction(&p[i], here, higher);
        }
        __pencil_reduction_var_init(&where[i], bottom);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&where[i], x[i][j] > p[i].value * 0.5f ? j : -p[i].at, sum);
        for (int j = 0; j < columns; j++)
            x[i][j] = x[i][j] / (p[i].value + 1) + (float)(where[i] % 7);
    }
#pragma endscop
}
"""
# Elements that are no runs in memory.
SPREAD = """
void f(int rows, int columns, float x[static const restrict rows][columns][2])
{
#pragma scop
    for (int i = 0; i < rows; i++) {
        float norm;
        __pencil_reduction_var_init(&norm, zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&norm, x[i][j][1] * x[i][j][1], add);
        for (int j = 0; j < columns; j++)
            x[i][j][1] = x[i][j][1] / (norm + 1);
    }
#pragma endscop
}
"""
PROGRAMS = {"softmax": SOFTMAX, "peaks": PEAKS, "spread": SPREAD}
# Two rounds of chunks of floats in a block, of 512 threads each.
SMALL = 20480


def verified(
    name: str, monkeypatch: pytest.MonkeyPatch, sizes: Mapping[str, tuple[int, ...]], *orders: str, sm_count: int = 8,
    shared: int = SMALL,
) -> VerifyReport:  # fmt: skip
    """The comparison on a device with little shared memory and so many multiprocessors."""
    for variable, value in environment(shared_bytes=shared, sm_count=sm_count).items():
        monkeypatch.setenv(variable, value)
    settings = VerifySettings(sizes=dict(sizes), orders=orders, forms=False)
    report = verify(SourceFile("f.c", HEAD + PROGRAMS[name]), CompileOptions(), settings)
    assert report.ok, report.table()
    return report


def launches(report: VerifyReport) -> set[int]:
    """How many launches the calls took."""
    return {row.launches for row in report.rows if row.status == "ok" and row.launches is not None}


@pytest.mark.parametrize("name", PROGRAMS)
def test_blocks_of_a_cluster_have_a_row(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight blocks for a row, of which the last ones have a part of a round, or nothing."""
    assert launches(verified(name, monkeypatch, {"rows": (3,), "columns": (16385,)}, "rand:5")) == {1}


@pytest.mark.full
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("order", ["fwd", "rev", "rand:5"])
def test_blocks_of_a_cluster_have_a_row_at_more_sizes(name: str, order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"rows": (1, 2, 9), "columns": (16385, 18433, 32768)}
    assert launches(verified(name, monkeypatch, sizes, order)) == {1}


def test_clusters_have_several_rows_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen clusters of two blocks have twenty rows."""
    sizes = {"rows": (20,), "columns": (8195,)}
    assert launches(verified("softmax", monkeypatch, sizes, "rand:5", sm_count=2, shared=28672)) == {1}


def test_rows_that_are_too_long_for_all_blocks_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"rows": (2,), "columns": (8 * 4096 + 1,)}
    assert launches(verified("softmax", monkeypatch, sizes, "fwd")) == {2}


def test_rows_that_leave_most_of_the_device_idle_are_split_among_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"rows": (1, 2), "columns": (16385,)}
    assert launches(verified("softmax", monkeypatch, sizes, "fwd", sm_count=32)) == {2, 1}


def test_clusters_are_no_larger_than_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four blocks would hold a row, and two are resident."""
    sizes = {"rows": (2,), "columns": (16385,)}
    assert launches(verified("softmax", monkeypatch, sizes, "fwd", sm_count=2, shared=28672)) == {2}


@pytest.mark.parametrize("arch", ["sm_75", pytest.param("sm_80", marks=pytest.mark.full)])
def test_what_is_compiled_for_older_devices_has_no_clusters_on_a_later_one(
    arch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same text, of which nvcc leaves out what they have not."""
    for variable, value in environment(shared_bytes=SMALL, sm_count=8).items():
        monkeypatch.setenv(variable, value)
    done = compile_source(SourceFile("f.c", HEAD + SOFTMAX), CompileOptions())
    settings = VerifySettings(sizes={"rows": (5,), "columns": (16385,)}, orders=("fwd",))
    executor = CpuExecutor(settings.orders, "check", TARGETS[arch])
    report = verify_generated(Generated(done.parsed, done.cuda, done.host), CompileOptions(), settings, executor)
    assert report.ok, report.table()
    assert launches(report) == {2}


FIRST_COUNTED = """
#include <vector>
int main() {
    const int rows = 3, columns = 16385;
    const std::vector<float> x(rows * columns, 1.0f);
    std::vector<float> y(x.size());
    float *device_x, *device_y;
    size_t bytes = 1;
    if (f_workspace(rows, columns, nullptr, nullptr, &bytes) || bytes != 0) return 1;
    cudaMalloc(&device_x, x.size() * sizeof(float));
    cudaMalloc(&device_y, x.size() * sizeof(float));
    cudaMemcpy(device_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
    if (f_device_in(rows, columns, device_x, device_y, nullptr, 0, nullptr)) return 2;
    cudaMemcpy(y.data(), device_y, x.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(device_x);
    cudaFree(device_y);
    for (float each : y)
        if (each < 0.99f / columns || each > 1.01f / columns) return 3;
    return cudacpu_launch_count() == 1 ? cudacpu_error_count() : 4;
}
"""


def test_a_workspace_is_counted_before_anything_has_run(tmp_path: Path) -> None:
    """No stream is asked about then, for there is none."""
    source, program = tmp_path / "f.cu", tmp_path / "f"
    source.write_text(compile_source(SourceFile("f.c", HEAD + SOFTMAX), CompileOptions()).cuda + FIRST_COUNTED)
    CpuExecutor(("fwd",), "check").build(source, program, shared=False)
    variables = {**os.environ, **environment(shared_bytes=SMALL, sm_count=8)}
    done = subprocess.run([str(program)], env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
