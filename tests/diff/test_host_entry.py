"""The entry point on host pointers: what may be NULL, what must not overlap, and what happens on a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from pencilc import driver
from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.verify.executors import CpuExecutor
from tests.conftest import run

SOURCE = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
float sum(int n, const float a[static const restrict n]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], add);
    return s;
}
float box(int rows, int columns, int pitch, const float a[static const restrict rows][pitch]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) __pencil_reduction(&s, a[i][j], add);
    return s;
}
void twice(int n, const float a[static const restrict n], float b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) b[i] = 2 * a[i];
#pragma endscop
}
void both(int n, const float a[static const restrict n], const float b[static const restrict n],
          float c[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
#pragma endscop
}
"""

# The default handler is a weak symbol, so that one in another file takes its place.
HANDLER = """
#include <stdio.h>
int failures;
void pencilc_fail(const char *call, int error, const char *file, int line)
{
    (void)file;
    (void)line;
    printf("failed: %s (%d)\\n", call, error);
    fflush(stdout);
    failures++;
}
"""

PRELUDE = """
#include <cstdio>
#include <vector>
extern "C" int failures;
"""

EMPTY = """
int main()
{
    printf("%g %g %g\\n", sum(0, nullptr), sum(-5, nullptr), box(-3, -5, 0, nullptr));
    twice(0, nullptr, nullptr);
    printf("failures %d\\n", failures);
}
"""

OVERLAP = """
int main()
{
    std::vector<float> x(20, 1);
    twice(10, x.data(), x.data() + 5);
    printf("failures %d\\n", failures);
    twice(10, x.data(), x.data() + 10);
    printf("failures %d, %g\\n", failures, x[19]);
}
"""

# What is only read may lie where something else is that is only read.
SHARED = """
int main()
{
    std::vector<float> x(20, 1);
    both(10, x.data(), x.data(), x.data() + 10);
    printf("failures %d, %g\\n", failures, x[19]);
    both(10, x.data() + 1, x.data() + 1, x.data() + 10);
    both(0, x.data(), x.data(), x.data());
    printf("failures %d\\n", failures);
}
"""

PITCH = """
int main()
{
    // The last row of a picture owns only what is used of it.
    float *const a = new float[3 * 8 + 5];
    for (int k = 0; k < 29; k++) a[k] = k % 8 < 5 ? 1 : 100;
    printf("%g\\n", box(4, 5, 8, a));
    delete[] a;
}
"""


@pytest.mark.parametrize(
    ("harness", "expected"),
    [
        (EMPTY, "0 0 0\nfailures 0\n"),
        (OVERLAP, "failed: twice: a and b overlap (1)\nfailures 1\nfailures 1, 2\n"),
        (SHARED, "failures 0, 2\nfailed: both: a and c overlap (1)\nfailures 1\n"),
        (PITCH, "20\n"),
    ],
    ids=["empty", "overlap", "shared", "pitch"],
)
def test_host_entry(harness: str, expected: str, tmp_path: Path) -> None:
    cuda = driver.compile_source(SourceFile("host.c", SOURCE), CompileOptions()).cuda
    source, program = tmp_path / "program.cu", tmp_path / "program"
    source.write_text(cuda + PRELUDE + harness)
    handler, compiled = tmp_path / "handler.c", tmp_path / "handler.o"
    handler.write_text(HANDLER)
    assert run("gcc", "-c", handler, "-o", compiled).returncode == 0
    CpuExecutor(("fwd",), "check").build(source, program, shared=False, objects=(compiled,))
    result = run(program)
    assert result.returncode == 0, result.stderr
    assert result.stdout == expected
    assert "error" not in result.stderr
