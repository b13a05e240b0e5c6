"""Fusion on the level of the mapping: which values leave memory, what is packed, why kernels stay apart."""

from __future__ import annotations

import re

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.mapping import MappedProgram, Packed, Stitched
from pencilc.ir.storage import Element, Workspace
from pencilc.options import CompileOptions, Fuse

PRELUDE = """#include <pencil.h>
#include <math.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
"""
SOFTMAX = """void f(int n, int m, const float x[static const restrict n][m], float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&sum, expf(x[i][j]), add);
        for (int j = 0; j < m; j++) y[i][j] = expf(x[i][j]) / sum;
    }
}"""


def mapped(function: str, fuse: Fuse = "model") -> MappedProgram:
    """The mapping of the only function in the text."""
    done = compile_source(SourceFile("test.c", PRELUDE + function), CompileOptions(fuse=fuse), "mapping")
    (program,) = done.programs
    return program


def test_a_temporary_of_one_point_is_a_register() -> None:
    program = mapped("""void f(int n, const float a[static const restrict n], float b[static const restrict n]) {
#pragma scop
    float t[n];
    for (int i = 0; i < n; i++) t[i] = a[i] * 2;
    for (int i = 0; i < n; i++) b[i] = t[i] + a[i];
#pragma endscop
}""")
    assert isinstance(program.storage_of("t").residence, Element)


def test_a_temporary_of_other_points_is_not() -> None:
    program = mapped("""void f(int n, const float a[static const restrict n], float b[static const restrict n]) {
#pragma scop
    float t[n];
    for (int i = 0; i < n; i++) t[i] = a[i] * 2;
    for (int i = 0; i < n; i++) b[i] = t[i] + t[n - 1 - i];
#pragma endscop
}""")
    assert isinstance(program.storage_of("t").residence, Workspace)


def test_a_call_of_two_stages_is_made_once_and_its_argument_dies_early() -> None:
    (stitched,) = mapped(SOFTMAX).items
    assert isinstance(stitched, Stitched)
    (call,) = [slot for slot in stitched.promoted if slot.computed]
    assert (call.symbol, call.first, call.last) == ("expf", 0, 1)
    (x,) = [slot for slot in stitched.promoted if slot.symbol == "x"]
    assert (x.loaded, x.last) == (0, 0)
    assert stitched.on_chip == ("sum",)


def test_an_argument_of_a_call_that_is_not_made_again_dies_with_the_first() -> None:
    text = """static float larger(float a, float b) { return a > b ? a : b; }
void f(int n, int m, const pencil_bfloat16 x[static const restrict n][m], float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float max, sum;
        __pencil_reduction_var_init(&max, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&max, pencil_bfloat16_to_float(x[i][j]), larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&sum, expf(pencil_bfloat16_to_float(x[i][j]) - max), add);
        for (int j = 0; j < m; j++) y[i][j] = expf(pencil_bfloat16_to_float(x[i][j]) - max) / sum;
    }
}"""
    (stitched,) = mapped(text).items
    assert isinstance(stitched, Stitched) and stitched.long_rows is not None
    made = {slot.symbol: (slot.first, slot.last) for slot in stitched.promoted if slot.computed}
    assert made == {"pencil_bfloat16_to_float": (0, 1), "expf": (1, 2)}
    # So both take turns with one place: 4 bytes for an element, and 16384 of them for a block of 1024 threads.
    assert stitched.long_rows.size == 4 and stitched.wide == (2,)


def test_few_rows_are_held_by_the_largest_block() -> None:
    (stitched,) = mapped(SOFTMAX).items
    assert isinstance(stitched, Stitched)
    assert stitched.wide == (4,)  # chunks of four floats in each of 1024 threads: 16384


def test_the_longest_row_is_eight_thousand_floats() -> None:
    (stitched,) = mapped(SOFTMAX).items
    assert isinstance(stitched, Stitched)
    assert stitched.kernel.block * stitched.width * stitched.items[-1] == 8192


def test_values_of_a_long_row_share_shared_memory_where_one_follows_the_other() -> None:
    (stitched,) = mapped("""void f(int n, int m, const float x[static const restrict n][m],
        double y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float a, b, e[m];
        __pencil_reduction_var_init(&a, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&a, x[i][j], add);
        __pencil_reduction_var_init(&b, zero);
        for (int j = 0; j < m; j++) {
            e[j] = x[i][j] - a;
            __pencil_reduction(&b, e[j], add);
        }
        for (int j = 0; j < m; j++) y[i][j] = e[j] * b;
    }
}""").items
    assert isinstance(stitched, Stitched)
    assert stitched.long_rows is not None
    (region,) = stitched.long_rows.regions
    assert [stitched.promoted[n].symbol for n in region.promoted] == ["x", "e"]
    assert region.size == 4


def test_values_that_live_together_do_not_share_shared_memory() -> None:
    (stitched,) = mapped(SOFTMAX.replace("/ sum", "/ sum + x[i][j]")).items
    assert isinstance(stitched, Stitched)
    assert stitched.long_rows is not None
    assert stitched.long_rows.size == 8


def test_independent_loops_are_packed_and_dependent_ones_are_not() -> None:
    program = mapped("""void f(int n, int m, const float a[static const restrict n],
                                     const float b[static const restrict m], float c[static const restrict n],
                                     float d[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++) c[i] = a[i] + 1;
    for (int i = 0; i < m; i++) d[i] = b[i] + 1;
    for (int i = 1; i < n; i++) c[i] = a[i - 1] * c[i];
#pragma endscop
}""")
    packed = [item for item in program.items if isinstance(item, Packed)]
    assert [len(item.kernels) for item in packed] == [2]
    assert program.items[0] is packed[0]


def test_without_fusion_nothing_is_looked_at() -> None:
    program = mapped(SOFTMAX, "none")
    assert len(program.items) == 2
    assert not program.fusions


def test_the_reason_why_kernels_stay_apart_names_the_variable() -> None:
    program = mapped("""void f(int n, int m, float x[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float sum;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&sum, x[i][m - 1 - j], add);
        for (int j = 0; j < m; j++) x[i][j] = sum;
    }
}""")
    assert [item for item in program.items if isinstance(item, Stitched)] == []
    assert any("`x`" in fusion.reason for fusion in program.fusions)


EXCHANGED = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
void f(int r, int n, int m, const int p[static const restrict n], const float x[static const restrict n],
       const float a[static const restrict r][n][m], float y[static const restrict r][n],
       float z[static const restrict r][n]) {
#pragma scop
#pragma pencil independent
    for (int i = 0; i < r; i++) {
        for (int j = 0; j < n; j++) {
            __pencil_reduction_var_init(&z[i][j], zero);
            for (int k = 0; k < m; k++) __pencil_reduction(&z[i][j], a[i][j][k], add);
        }
        for (int j = 0; j < n; j++) if (x[j] > 0) y[i][j] = z[i][j] + z[i][n - 1 - j];
        for (int j = 0; j < n; j++) z[i][j] += y[i][p[j]] * 2;
    }
#pragma endscop
}
"""


def test_what_stages_exchange_in_memory_is_not_restrict() -> None:
    """One stage stores `y[i][..]`, another one loads it: not through the read-only cache."""
    cuda = compile_source(SourceFile("f.c", EXCHANGED), CompileOptions()).cuda
    heads = [line for line in cuda.splitlines() if re.match(r"static .* f_composed0(_parallel\d)?\(", line)]
    writer, reader, kernel = heads
    assert "float *y," in writer
    assert "const float *y," in reader
    assert "float *y," in kernel and "__restrict__ y" not in kernel
    # What one stage alone writes, or keeps in shared memory for the others, may be; constants beside `y` may not.
    assert "float *__restrict__ z" in kernel and "__restrict__ p" not in reader


def test_a_local_array_of_an_element_is_declared_in_its_stage() -> None:
    text = """void f(int n, int m, const float x[static const restrict n][m], float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float mean, sum;
        __pencil_reduction_var_init(&mean, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&mean, x[i][j], add);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++) {
            float w[2];
            w[0] = x[i][j] * 2;
            w[1] = x[i][j] - mean;
            __pencil_reduction(&sum, w[0] * w[x[i][j] > 0], add);
        }
        for (int j = 0; j < m; j++) y[i][j] = x[i][j] / sum;
    }
}"""
    done = compile_source(SourceFile("test.c", PRELUDE + text), CompileOptions(fuse="max"))
    (stitched,) = done.programs[0].stitched()
    (home,) = next(s for s in stitched.storage if s.array == "w").homes
    assert (home.kernel, home.part, home.stage) == (stitched.kernel.name, "body", 1)
    blocks = re.findall(r"\{[^{}]*w\[0\] = [^{}]*\}", done.cuda)
    assert len(blocks) == 3 and all("float w[2];" in block for block in blocks)


def test_no_thread_of_a_composed_kernel_has_nested_loops_alone() -> None:
    """One loop of it may be as long as a row; more would keep the others of its block waiting."""
    text = """void f(int n, int m, const float a[static restrict n][m], float s[static restrict n][m],
       float out[static restrict n][m])
{{
#pragma scop
#pragma pencil independent
    for (int r = 0; r < n; r++) {{
        float most = -1e30f;
        for (int j = 0; j < m; j++) if (a[r][j] > most) most = a[r][j];
        for (int j = 0; j < m; j++) s[r][j] = a[r][j] - most;
        {last}
    }}
#pragma endscop
}}
"""
    nested = "for (int t = 0; t < m; t++) for (int i = 0; i < m; i++) out[r][t * i % m] += s[r][t] * s[r][i];"
    for last, is_composed in ((nested, False), ("for (int t = 0; t < m; t++) out[r][t * t % m] += s[r][t];", True)):
        done = compile_source(SourceFile("f.c", text.format(last=last)), CompileOptions(), "mapping")
        (program,) = done.programs
        assert bool(program.composed()) == is_composed
