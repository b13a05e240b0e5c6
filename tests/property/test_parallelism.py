"""How much of a program runs in parallel; what is known not to be found yet is expected to fail.

Each expected failure is strict: whoever mends one sees it here and takes its mark away.
"""

from __future__ import annotations

import pytest

from pencilc import islx
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.shapes import Kernel, Shape
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static void uzero(unsigned *v) { *v = 0; }
static void uone(unsigned *v) { *v = 1; }
static unsigned uadd(unsigned a, unsigned b) { return a + b; }
static unsigned umul(unsigned a, unsigned b) { return a * b; }
"""


def mapped(text: str) -> MappedProgram:
    (program,) = compile_source(SourceFile("p.c", HEAD + text), CompileOptions(), "mapping").programs
    return program


def in_one_thread(program: MappedProgram) -> list[str]:
    return [kernel.name for kernel in program.kernels() if kernel.shape is Shape.SINGLE]


def not_yet(reason: str) -> pytest.MarkDecorator:
    return pytest.mark.xfail(strict=True, raises=AssertionError, reason=reason)


SCALAR_BEFORE_LOOP = """
void f(int n, const double a[static const restrict n], double b[static const restrict n])
{
    double t;
#pragma scop
    for (int i = 0; i < n; i++) {
        t = a[i];
        b[i] = t * t;
    }
#pragma endscop
}
"""
SCALAR_BEFORE_NEST = """
void f(int m, int n, double C[static const restrict m][n], const double A[static const restrict m][m],
       const double B[static const restrict m][n])
{
    int i, j, k;
    double t;
#pragma scop
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++) {
            t = 0;
            for (k = 0; k < i; k++)
                t += B[k][j] * A[i][k];
            C[i][j] = t;
        }
#pragma endscop
}
"""
NESTED_CLAUSES = """
void f(int n, int m, const int len[static const restrict n], const int a[static const restrict n][m],
       float hist[static const restrict n][16])
{
#pragma scop
    #pragma pencil independent
    for (int i = 0; i < n; ++i)
        #pragma pencil independent reduction(+: hist[i])
        for (int y = 0; y < len[i]; ++y)
            #pragma pencil independent reduction(+: hist[i])
            for (int x = 0; x < len[i]; ++x)
                hist[i][(a[i][y] + a[i][x]) % 16] += 0.5f;
#pragma endscop
}
"""
PRODUCT_BOUND = """
void f(int M, int N, const float v[static const restrict M * N], float o[static const restrict M * N])
{
#pragma scop
    for (int k = 0; k < M * N; k++)
        o[k] = 2 * v[k];
#pragma endscop
}
"""
PRODUCT_BOUND_OF_A_SUM = """
float f(int M, int N, const float v[static const restrict M * N])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int k = 0; k < M * N; k++)
        __pencil_reduction(&s, v[k], add);
    return s;
}
"""
REUSED_RESULT = """
void f(int n, int m, const unsigned a[static const restrict n][m], unsigned s[static const restrict n])
{
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], uone);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s[i], a[i][j], umul);
    }
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], uzero);
        for (int j = 0; j < n; j++)
            __pencil_reduction(&s[i], 5, uadd);
    }
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], uone);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s[i], a[i][j], umul);
    }
}
"""
BELOW_ZERO = """
void f(int n, int m, unsigned a[static const restrict n][m], unsigned o[static const restrict n])
{
    for (int i = 1 - n; i <= 0; i++) {
        unsigned r;
        __pencil_reduction_var_init(&r, uzero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&r, a[-i][j], uadd);
        for (int j = 0; j < m; j++)
            a[-i][j] = r + j;
        o[-i] = r;
    }
}
"""
LAST_OF_RUNNING_SUM = """
void f(int n, int m, const int a[static const restrict n][m], int o[static const restrict n])
{
    int w[m];
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            w[j] = a[i][j] * 3;
        for (int j = 1; j < m; j++)
            w[j] = w[j] ^ w[j - 1];
        o[i] = w[m - 1];
    }
#pragma endscop
}
"""


def stencil(to: str, of: str) -> str:
    """One sweep in which every point becomes the sum of its 27 neighbours."""
    steps = [(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)]
    total = " + ".join(f"{of}[i + {i}][j + {j}][k + {k}]" for i, j, k in steps).replace("+ -", "- ")
    loops = "".join(f"for (int {c} = 1; {c} < n - 1; {c}++) " for c in "ijk")
    return f"{loops}{to}[i][j][k] = {total};"


REMAINDERS = """
void f(int n, int m, int a[static const restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
""" + "".join(f"if ((i * {k} + j) % {k + 1} == 0) a[i][j] = {k};\n" for k in range(1, 11)) + """
        }
#pragma endscop
}
"""  # fmt: skip
STENCIL = f"""
void f(int T, int n, double A[static const restrict n][n][n], double B[static const restrict n][n][n])
{{
#pragma scop
    for (int t = 0; t < T; t++) {{
        {stencil("B", "A")}
        {stencil("A", "B")}
    }}
#pragma endscop
}}
"""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SCALAR_BEFORE_LOOP, id="scalar"),
        pytest.param(SCALAR_BEFORE_NEST, id="nest"),
        pytest.param(NESTED_CLAUSES, id="clauses"),
        pytest.param(PRODUCT_BOUND, id="product"),
        pytest.param(PRODUCT_BOUND_OF_A_SUM, id="product_sum"),
        pytest.param(REUSED_RESULT, id="reused"),
        pytest.param(BELOW_ZERO, id="below_zero"),
        pytest.param(LAST_OF_RUNNING_SUM, id="last_of_running_sum"),
        pytest.param(REMAINDERS, id="remainders"),
        pytest.param(STENCIL, id="stencil_27"),
    ],
)
def test_nothing_runs_in_one_thread(text: str) -> None:
    assert in_one_thread(mapped(text)) == []


def test_rows_with_their_scalar_outside_are_one_launch() -> None:
    program = mapped("""
    void f(int n, int m, const float a[static const restrict n][m], float b[static const restrict n])
    {
        float t;
        for (int i = 0; i < n; i++) {
            __pencil_reduction_var_init(&t, zero);
            for (int j = 0; j < m; j++)
                __pencil_reduction(&t, a[i][j], add);
            b[i] = t;
        }
    }
    """)
    (item,) = program.items
    assert isinstance(item, Kernel)


@pytest.mark.parametrize("place", ["i + j", "i - j + n - 1", "n - 1 - i + j"])
def test_sums_along_diagonals_have_rows(place: str) -> None:
    program = mapped(
        """
    void f(int n, const float a[static const restrict n], const float b[static const restrict n],
           float c[static const restrict 2 * n])
    {
        for (int k = 0; k < 2 * n - 1; k++)
            __pencil_reduction_var_init(&c[k], zero);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                __pencil_reduction(&c[PLACE], a[i] * b[j], add);
    }
    """.replace("PLACE", place)
    )
    (kernel,) = program.kernels()
    assert kernel.shape is Shape.ROW
    (row,) = kernel.kept  # numbered as the elements are, though no loop meets another one for that
    assert "-> [(k)]" in str(islx.pw_affs_of(row.function)["M0"])


@not_yet("the points of a row are dealt out along its innermost loop alone")
def test_all_reduced_loops_of_a_row_are_dealt_out() -> None:
    program = mapped("""
    void f(const float in[static const restrict 40][20][10][5], float r[static const restrict 20])
    {
        for (int w = 0; w < 20; w++)
            __pencil_reduction_var_init(&r[w], zero);
        for (int h = 0; h < 40; h++)
            for (int w = 0; w < 20; w++)
                for (int x = 0; x < 10; x++)
                    for (int y = 0; y < 5; y++)
                        __pencil_reduction(&r[w], in[h][w][x][y], add);
    }
    """)
    (kernel,) = program.kernels()
    assert kernel.is_flat


KILLED = """
void f(int n, float t[static const restrict n], const float a[static const restrict n],
       float o[static const restrict n])
{
#pragma scop
    __pencil_kill(t);
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            t[i] = a[i];
    for (int i = 0; i < n; i++)
        o[i] = a[i] > 0 ? t[i] : 0;
    __pencil_kill(t);
#pragma endscop
}
"""


def test_killed_arrays_are_not_copied() -> None:
    transfer = next(t for t in mapped(KILLED).transfers if t.array == "t")
    assert not transfer.copy_in and not transfer.copy_out
