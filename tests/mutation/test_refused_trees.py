"""Layer 7: faults whose output nvcc refused, put back into pencilc: the verifier of kernels stops each before that.

That nvcc refuses what comes out without the verifier is what each of them was once found by (`defects.py`).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.mutation.defects import DEFECTS
from tests.mutation.test_defects import changed_compiler

BY_NAME = {defect.name: defect for defect in DEFECTS}
SUM = """#include <pencil.h>
static void zero(double *x) { *x = 0; }
static double add(double a, double b) { return a + b; }
"""
# The fault, options, a program that shows it, and what the verifier says.
CASES = {
    "counter-of-peeled-iteration-undeclared": (
        (),
        SUM
        + """void f(int n, int steps, double y[static const restrict n])
{
    double s = 0;
    for (int k = 0; k < steps; k++) {
        for (int i = 0; i < n; i++) y[i] = y[i] + s;
        __pencil_reduction_var_init(&s, zero);
        for (int i = 0; i < n; i++) __pencil_reduction(&s, y[i] * (k + 1), add);
    }
}
""",
        "`k` is not declared",
    ),
    "templates-deduce-their-types": (
        (),
        """#include <pencil.h>
void f(int n, int o[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) o[i] = min(i & 7, o[i] < 3);
#pragma endscop
}
""",
        "has arguments of bool and int",
    ),
    "helpers-without-const": (
        (),
        """#include <pencil.h>
static int get(int n, int a[static const restrict n], int i) { return a[n - 1 - i]; }
void f(int n, int a[static const restrict n], int o[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) o[i] = get(n, a, i);
#pragma endscop
}
""",
        "is not const, and the argument is",
    ),
    "ragged-bins-packed": (
        (),
        """#include <pencil.h>
static void zero(int *x) { *x = 0; }
static int add(int a, int b) { return a + b; }
void f(int n, int z, const int start[static const restrict n + 1], const int bin[static const restrict z],
       int g[static const restrict 8], int h[static const restrict 8])
{
    for (int k = 0; k < 8; k++) {
        __pencil_reduction_var_init(&g[k], zero);
        __pencil_reduction_var_init(&h[k], zero);
    }
    for (int i = 0; i < n; i++)
        for (int j = start[i]; j < start[i + 1]; j++) __pencil_reduction(&g[bin[j]], 1, add);
    for (int i = 0; i < n; i++)
        for (int j = start[i]; j < start[i + 1]; j++) __pencil_reduction(&h[bin[j]], bin[j], add);
}
""",
        "is declared twice",
    ),
    "arrays-of-run-time-extent-in-kernels": (
        (),
        """#include <pencil.h>
void f(int n, const int flag[static const restrict n], int o[static const restrict n])
{
#pragma scop
    if (o[0]) {
        int t[n];
        for (int i = 0; i < n; i++) t[i] = flag[i] + 1;
        for (int i = 0; i < n; i++) o[i] = t[n - 1 - i];
    }
#pragma endscop
}
""",
        "is computed when the kernel runs",
    ),
    "counters-of-the-type-of-another": (
        (),
        """#include <pencil.h>
void f(int n, int o[static const restrict n])
{
#pragma scop
    for (long i = 0; i < n; i++) o[i] = (int)(i & 7);
    for (int i = 0; i < n; i++) o[i] = o[i] + min(i, o[i]);
#pragma endscop
}
""",
        "has arguments of int and long",
    ),
    "elements-of-another-type-than-their-sum": (
        ("--sum=kahan",),
        SUM
        + """void f(int n, const float a[static const restrict n], double s[static const restrict 1])
{
    __pencil_reduction_var_init(&s[0], zero);
    for (int i = 0; i < n; i++) {
        float e = a[i] * 2;
        __pencil_reduction(&s[0], e, add);
    }
}
""",
        "adds a float to a pencilc_sum<double>",
    ),
    "shifted-sums-carry-what-rounding-took": (
        ("--sum=kahan",),
        """#include <math.h>
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static void low(float *v) { *v = -1e30f; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
void f(int n, int m, const float a[static const restrict n][m], float o[static const restrict n])
{
    for (int i = 0; i < n; i++) {
        float max, sum;
        __pencil_reduction_var_init(&max, low);
        for (int j = 0; j < m; j++) __pencil_reduction(&max, a[i][j], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&sum, exp2f(a[i][j] - max), add);
        o[i] = max + sum;
    }
}
""",
        "adds a float to a",
    ),
    "dead-code-in-the-one-thread": (
        (),
        # Which of the points meet in `a` takes isl too long to find, and one thread has the region.
        """#include <pencil.h>
void f(int n, int a[static const restrict n], const int b[static const restrict n][n], int o[static const restrict n])
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++)
                a[i * 999999937L + j * 999999929L + k * 999999893L] += 1;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            if (i == n - 1) o[j] = b[i][j];
#pragma endscop
}
""",
        "is an array, of which it is given no pointer",
    ),
    "texts-of-forms-that-are-not-there": (
        ("--determinism=none",),
        SUM
        + """void f(int n, const double w[static const restrict n], double b[static const restrict 262144])
{
    for (int i = 0; i < 262144; i++) __pencil_reduction_var_init(&b[i], zero);
    for (int i = 0; i < n; ++i) __pencil_reduction(&b[i % 262144], w[i], add);
}
""",
        "which nothing uses",
    ),
    "bounds-that-are-data-are-named-of-another-type": (
        (),
        SUM
        + """void f(int n, int z, const unsigned at[static const restrict n + 1], double s[static const restrict n],
       const double a[static const restrict z])
{
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (unsigned j = at[i]; j < at[i + 1]; j++) __pencil_reduction(&s[i], a[j], add);
    }
}
""",
        "`j_first` is declared as unsigned int and used as int",
    ),
}


# isl works on it for seconds before it is given up.
SLOW = {"dead-code-in-the-one-thread"}


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.full if n in SLOW else ()) for n in CASES])
def test_the_verifier_stops_it(name: str, tmp_path: Path) -> None:
    options, program, message = CASES[name]
    source = tmp_path / "program.c"
    source.write_text(program)
    assert _compiled(ROOT, source, options).returncode == 0, "the compiler as it is takes the program"
    folder = tmp_path / "changed"
    folder.mkdir()
    changed_compiler(BY_NAME[name], folder)
    done = _compiled(folder, source, options)
    assert done.returncode == 3
    assert "PC0902" in done.stderr
    assert message in done.stderr


def _compiled(root: Path, source: Path, options: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pencilc", *options, str(source), "-o", str(source.with_suffix(".cu"))]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=120)
