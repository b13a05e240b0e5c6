"""Few long rows, which several blocks share and go through in rounds: as many as leave few blocks idle."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions, Tuning
from pencilc.verify.command import VerifySettings, verify
from pencilc.verify.cudacpu import environment
from pencilc.verify.executors import CpuExecutor

SOURCE = """#include <pencil.h>
struct peak { float value; int at; };
static void zero(unsigned *v) { *v = 0; }
static unsigned add(unsigned a, unsigned b) { return a + b; }
static void no_peak(struct peak *p) { p->value = -1; p->at = -1; }
static struct peak higher(struct peak a, struct peak b)
{
    return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a;
}
void sums(int rows, int columns, const unsigned a[static const restrict rows][columns],
          unsigned s[static const restrict rows])
{
#pragma scop
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&s[i], a[i][j] * (j + 1u), add);
    }
#pragma endscop
}
void peaks(int rows, int columns, const float a[static const restrict rows][columns],
           struct peak p[static const restrict rows])
{
#pragma scop
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&p[i], no_peak);
        for (int j = 0; j < columns; j++) {
            const struct peak here = {a[i][j], j};
            __pencil_reduction(&p[i], here, higher);
        }
    }
#pragma endscop
}
"""
# A block of 32 threads with one chunk of four elements each: it waits once for 128 of them.
SMALL = (("threads", 32), ("in_flight", 1))
OPTIONS = CompileOptions(tuning=Tuning((("sums_row0", SMALL), ("peaks_row0", SMALL))))


@pytest.mark.parametrize("order", ["rand:5", pytest.param("fwd", marks=pytest.mark.full)])
def test_rows_in_rounds(order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve blocks run at once: three times four of them take nine rows, and of eleven the last round takes fewer."""
    for variable, value in environment(sm_count=4, blocks_per_sm=3).items():
        monkeypatch.setenv(variable, value)
    settings = VerifySettings(sizes={"rows": (9, 11, 15), "columns": (128 * 80 + 5,)}, orders=(order,), forms=False)
    report = verify(SourceFile("rows.c", SOURCE), OPTIONS, settings)
    assert report.ok, report.table()


@pytest.mark.parametrize("order", ["rand:5", pytest.param("fwd", marks=pytest.mark.full)])
def test_chunks_of_a_block_side_by_side(order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds of all blocks, and what is left over for some of their threads: from none to four chunks, and elements."""
    for variable, value in environment(sm_count=4, blocks_per_sm=3).items():
        monkeypatch.setenv(variable, value)
    tuning = Tuning((("sums_row0", SMALL[:1]), ("peaks_row0", SMALL[:1])))
    sizes = {"rows": (2, 5), "columns": (10240, 10240 + 1, 10240 + 128 * 3 + 126, 10240 + 2047)}
    settings = VerifySettings(sizes=sizes, orders=(order,), forms=False)
    report = verify(SourceFile("rows.c", SOURCE), CompileOptions(tuning=tuning), settings)
    assert report.ok, report.table()


@pytest.mark.parametrize("order", ["rand:5", pytest.param("fwd", marks=pytest.mark.full)])
def test_many_rows_by_warps(order: str) -> None:
    """Several rounds of a warp: nothing of its block counts."""
    settings = VerifySettings(sizes={"rows": (70,), "columns": (128 * 9 + 5,)}, orders=(order,), forms=False)
    report = verify(SourceFile("rows.c", SOURCE), CompileOptions(), settings)
    assert report.ok, report.table()


MAIN = """
int main() {
    const struct { int rows, columns; } calls[] = {
        {9, 128 * 80}, {11, 128 * 80}, {15, 128 * 80}, {16, 128 * 80}, {9, 128 * 20}, {6, 128 * 80}, {1, 128 * 80},
    };
    void *a, *s;
    cudaMalloc(&a, 16 * 128 * 80 * 4);
    cudaMalloc(&s, 64);
    cudaMemset(a, 0, 16 * 128 * 80 * 4);
    for (const auto &call : calls)
        if (sums_device(call.rows, call.columns, (unsigned *)a, (unsigned *)s, nullptr)) return 1;
    return 0;
}
"""
NOTES = """#include <cuda_runtime.h>
#include <cstdio>
static void note(const cudaLaunchConfig_t *config) { printf("%ux%u ", config->gridDim.x, config->gridDim.y); }
"""
NOTED = """
#define cudaLaunchKernelEx(config, ...) (note(config), cudaLaunchKernelEx(config, __VA_ARGS__))
"""


def test_what_leaves_few_blocks_idle(tmp_path: Path) -> None:
    """Of twelve blocks: rows that one block has would leave a quarter idle; short ones are not worth a round."""
    cuda = compile_source(SourceFile("rows.c", SOURCE), OPTIONS).cuda
    source, program = tmp_path / "rows.cu", tmp_path / "rows"
    source.write_text(NOTES + NOTED + cuda + MAIN)
    CpuExecutor(("fwd",), "plain").build(source, program, shared=False)
    env = {**os.environ, **environment(sm_count=4, blocks_per_sm=3)}
    result = subprocess.run([program], capture_output=True, text=True, check=False, env=env)
    assert result.returncode == 0, result.stderr
    # Eleven rows of a block each leave one of twelve idle.  Sixteen rows are not few.
    assert result.stdout.split() == ["4x3", "1x11", "3x4", "1x12", "1x9", "2x6", "12x1"]
