"""The mapping: which shape a kernel gets, where variables live, which index types follow from the bounds."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.mapping import HostLoop, MappedProgram
from pencilc.ir.shapes import Shape
from pencilc.ir.storage import Uniform, Workspace
from pencilc.options import CompileOptions

PRELUDE = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
"""


def mapped(function: str) -> MappedProgram:
    """The mapping of the only function in the text."""
    done = compile_source(SourceFile("test.c", PRELUDE + function), CompileOptions(), "mapping")
    (program,) = done.programs
    return program


def cuda(function: str) -> str:
    """The CUDA text of the function."""
    return compile_source(SourceFile("test.c", PRELUDE + function), CompileOptions()).cuda


def shapes(program: MappedProgram) -> list[str]:
    """The shapes of the kernels in launch order."""
    return [kernel.shape.value for kernel in program.kernels()]


SUM = """float f({type} n, const float a[static const restrict n]) {{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for ({type} i = 0; i < n; i++) __pencil_reduction(&s, a[i], add);
    return s;
}}"""


def test_sum_is_one_kernel_with_wide_loads() -> None:
    (kernel,) = mapped(SUM.format(type="int")).kernels()
    assert kernel.shape is Shape.ALL
    assert (kernel.loads.width, kernel.loads.in_flight, kernel.index) == (4, 4, "long long")


@pytest.mark.parametrize(
    ("ctype", "width"), [("signed char", 16), ("short", 8), ("int", 4), ("double", 2), ("struct pair", 2)]
)
def test_width_fills_sixteen_bytes(ctype: str, width: int) -> None:
    member = ".x" if "struct" in ctype else ""
    program = mapped(f"""struct pair {{ float x, y; }};
float f(int n, const {ctype} a[static const restrict n]) {{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i]{member}, add);
    return s;
}}""")
    assert program.kernels()[0].loads.width == width


@pytest.mark.parametrize(
    ("loops", "element", "shape"),
    [
        ("for (int i = 0; i < n; i++) { I for (int j = 0; j < m; j++)", "a[i][j]", "row"),
        ("for (int i = 0; i < m; i++) { I for (int j = 0; j < n; j++)", "a[j][i]", "column"),
    ],
)
def test_rows_and_columns(loops: str, element: str, shape: str) -> None:
    loops = loops.replace("I ", "__pencil_reduction_var_init(&s[i], zero); ")
    program = mapped(f"""void f(int n, int m, const float a[static const restrict n][m],
                                float s[static const restrict n + m]) {{
    {loops} __pencil_reduction(&s[i], {element}, add); }}
}}""")
    assert shapes(program) == [shape]


def test_host_loop_only_around_parallel_work() -> None:
    program = mapped("""void f(int n, int t, float a[static const restrict n], float b[static const restrict n]) {
#pragma scop
    for (int k = 0; k < t; k++) {
        for (int i = 0; i < n; i++) b[i] = a[i] + 1;
        for (int i = 0; i < n; i++) a[i] = b[n - 1 - i];
    }
#pragma endscop
}""")
    assert isinstance(program.items[0], HostLoop)
    assert shapes(program) == ["parallel", "parallel"]


def test_what_nothing_can_parallelise_is_one_thread_and_told() -> None:
    program = mapped("""void f(int n, float a[static const restrict n]) {
#pragma scop
    for (int i = 1; i < n; i++) a[i] = a[i] + a[i - 1];
#pragma endscop
}""")
    assert shapes(program) == ["single"]


def test_a_scalar_of_the_parameters_needs_no_launch() -> None:
    program = mapped("""void f(int n, float a[static const restrict n]) {
#pragma scop
    float scale = 1.0f / (float)n;
    for (int i = 0; i < n; i++) a[i] = a[i] * scale;
#pragma endscop
}""")
    assert shapes(program) == ["parallel"]
    assert isinstance(program.storage_of("scale").residence, Uniform)


def test_a_value_between_kernels_lives_in_the_workspace() -> None:
    program = mapped("""void f(int n, float a[static const restrict n]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], add);
    for (int i = 0; i < n; i++) a[i] = a[i] / s;
}""")
    assert shapes(program) == ["all", "parallel"]
    assert isinstance(program.storage_of("s").residence, Workspace)


def test_kept_points_that_are_no_box_are_rows_of_the_box_around_them() -> None:
    program = mapped("""void f(int n, const float a[static const restrict n][n], float s[static const restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            __pencil_reduction_var_init(&s[i][j], zero);
            for (int k = 0; k < n; k++) __pencil_reduction(&s[i][j], a[i][k] * a[j][k], add);
        }
}""")
    assert shapes(program) == ["row"]


@pytest.mark.parametrize(
    ("declaration", "bound", "index"),
    [
        ("const float a[static const restrict 1000]", "1000", "int"),
        ("const float a[static const restrict 2000000000]", "2000000000", "long long"),
        ("int n, const float a[static const restrict n]", "n", "long long"),
        ("long n, const float a[static const restrict n]", "n", "long long"),
    ],
)
def test_index_type_follows_the_bounds(declaration: str, bound: str, index: str) -> None:
    program = mapped(f"""float f({declaration}) {{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (long i = 0; i < {bound}; i++) __pencil_reduction(&s, a[i], add);
    return s;
}}""")
    assert program.kernels()[0].index == index


def test_an_assumption_proves_a_small_index() -> None:
    text = SUM.format(type="int").replace("float s;", "__pencil_assume(n <= 100000); float s;")
    assert mapped(text).kernels()[0].index == "int"


def test_conditional_reads_are_not_loaded_beyond_the_array() -> None:
    """`a` has fewer elements than the loop has iterations, so it must not be loaded for all of them."""
    program = mapped("""float f(int n, int m, const float a[static const restrict m],
                                        const float b[static const restrict n]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        if (b[i] > 0) __pencil_reduction(&s, i < m ? a[i] : 1.0f, add);
    return s;
}""")
    bases = {vector.index.base for kernel in program.kernels() for vector in kernel.loads.vectors}
    assert {base.symbol.name for base in bases if hasattr(base, "symbol")} == {"b"}


def test_names_of_the_source_win_over_names_of_the_templates() -> None:
    text = cuda("""float f(int count, const float acc[static const restrict count]) {
    float total;
    __pencil_reduction_var_init(&total, zero);
    for (int x = 0; x < count; x++) __pencil_reduction(&total, acc[x] * x, add);
    return total;
}""")
    assert "float total;" in text
    assert "const float *__restrict__ acc" in text
    assert "@" not in text


def test_negative_zero_is_the_identity_of_a_floating_sum() -> None:
    assert " identity() { return -0.0f; }" in cuda(SUM.format(type="int"))


def test_two_processes_give_the_same_bytes() -> None:
    import subprocess
    import sys

    code = "import sys; from tests.unit.test_mapping import SUM, cuda; sys.stdout.write(cuda(SUM.format(type='int')))"
    texts = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed, "PATH": ""}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


def test_what_is_written_before_it_is_read_is_not_copied_in() -> None:
    program = mapped("""void f(int n, const int in[static const restrict n], int chain[static const restrict n],
                              int old[static const restrict n], int tail[static const restrict n],
                              int some[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) chain[i] = in[i] * 2;
    for (int i = 1; i < n; i++) chain[i] = chain[i] + chain[i - 1];
    for (int i = 0; i < n; i++) old[i] = old[i] + chain[i];
    for (int i = 1; i < n; i++) tail[i] = in[i];
    for (int i = 0; i < n; i++) tail[i] = tail[i] ^ chain[i];
    for (int i = 0; i < n; i++) if (in[i] > 3) some[i] = 5;
    for (int i = 0; i < n; i++) some[i] = some[i] ^ in[i];
#pragma endscop
}""")
    copied = {transfer.array: (transfer.copy_in, transfer.copy_out) for transfer in program.transfers}
    assert copied == {
        "in": (True, False),
        "chain": (False, True),
        "old": (True, True),
        "tail": (True, True),  # its first element is read and never written alone
        "some": (True, True),
    }


def test_operands_that_nothing_has_set_are_in_no_memory() -> None:
    """What is read where it has no value is no operand of a tile: there would be none to fetch."""
    text = """void f(int n, double s[static const restrict n][6][6]) {
#pragma scop
    for (int k = 0; k < n; k++) {
        double a[6][6], p[6][6], product[6][6];
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                product[i][j] = 0;
                for (int l = 0; l < 6; l++) product[i][j] += a[i][l] * p[l][j];
            }
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) s[k][i][j] = product[i][j];
    }
#pragma endscop
}
"""
    done = compile_source(SourceFile("f.c", text), CompileOptions())
    assert all(kernel.tiling is None for kernel in done.programs[0].kernels())
