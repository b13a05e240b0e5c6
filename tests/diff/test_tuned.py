"""What a search may choose computes the same: kernels that are stitched or fill bins, with other launch parameters."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions, Tuning
from pencilc.verify.command import VerifySettings, verify

HEAD = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
"""
ROWS = """void f(int r, int n, const float a[static const restrict r][n], float y[static const restrict r][n]) {
    for (int k = 0; k < r; k++) {
        float s;
        __pencil_reduction_var_init(&s, zero);
        for (int i = 0; i < n; i++) __pencil_reduction(&s, a[k][i], add);
        for (int i = 0; i < n; i++) y[k][i] = a[k][i] - s;
    }
}
"""
ACROSS = """void f(int n, int r, const pencil_half a[static const restrict n][r], float y[static const restrict n][r]) {
    for (int k = 0; k < r; k++) {
        float s;
        __pencil_reduction_var_init(&s, zero);
        for (int i = 0; i < n; i++) __pencil_reduction(&s, pencil_half_to_float(a[i][k]), add);
        for (int i = 0; i < n; i++) y[i][k] = pencil_half_to_float(a[i][k]) - s;
    }
}
"""
WHOLE = """void f(int n, const float a[static const restrict n], float y[static const restrict n]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], add);
    for (int i = 0; i < n; i++) y[i] = a[i] - s;
}
"""
STAGES = """void f(int r, int n, int m, const float a[static const restrict r][n][m],
    float y[static const restrict r][m]) {
    for (int k = 0; k < r; k++) {
        float s[n];
        for (int i = 0; i < n; i++) {
            __pencil_reduction_var_init(&s[i], zero);
            for (int j = 0; j < m; j++) __pencil_reduction(&s[i], a[k][i][j], add);
        }
        for (int j = 0; j < m; j++) {
            __pencil_reduction_var_init(&y[k][j], zero);
            for (int i = 0; i < n; i++) __pencil_reduction(&y[k][j], a[k][i][j] - s[i], add);
        }
    }
}
"""
BINS = """void f(int n, int m, const int bin[static const restrict n], const float a[static const restrict n],
    float s[static const restrict m]) {
    for (int i = 0; i < m; i++) __pencil_reduction_var_init(&s[i], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s[bin[i]], a[i], add);
}
"""
COUNTS = """static void none(int *v) { *v = 0; }
static int plus(int a, int b) { return a + b; }
void f(int n, int m, const int bin[static const restrict n], int s[static const restrict m]) {
    for (int i = 0; i < m; i++) __pencil_reduction_var_init(&s[i], none);
    for (int i = 0; i < n; i++) __pencil_reduction(&s[bin[i]], 1, plus);
}
"""


@dataclass(frozen=True)
class Tried:
    """A program with parameters for one of its kernels; every limit that they move lies between two of the sizes.
    Longer rows go to the form in shared memory where there are enough of them, with other blocks.

    `launches`: of some calls, on the executor's 4 multiprocessors.
    """

    source: str
    kernel: str
    parameters: dict[str, int]
    sizes: dict[str, tuple[int, ...]]
    launches: dict[str, int]


TRIED = {
    "rows": Tried(
        ROWS, "f_stitched0",
        {"threads": 128, "warp_lanes": 8, "row_elements": 2048, "scarce_chunks": 1, "chunk_bytes": 32},
        {"r": (3, 5), "n": (33, 1009, 1025, 2049, 16385)},
        # Few rows of up to 16384 elements are held by larger blocks, longer ones by clusters.
        {"r=3 n=1009": 1, "r=3 n=1025": 1, "r=3 n=16385": 1, "r=5 n=1025": 1, "r=5 n=2049": 1},
    ),
    "long": Tried(
        ROWS, "f_stitched0", {"threads": 64, "row_bytes": 4096}, {"r": (5,), "n": (31, 1024, 1025)},
        {"r=5 n=1024": 1, "r=5 n=1025": 1},
    ),
    "across": Tried(
        ACROSS, "f_stitched0", {"threads": 128, "across": 16, "narrow_across": 4, "row_elements": 1024},
        {"n": (3, 65, 257), "r": (1, 17, 70)}, {"n=65 r=17": 1, "n=257 r=17": 2},
    ),
    "grid": Tried(
        WHOLE, "f_stitched0", {"grid_blocks_per_sm": 1, "threads": 64, "row_elements": 1024},
        {"n": (1, 1009, 4096, 4097)}, {"n=1009": 1, "n=4096": 1, "n=4097": 1},
    ),
    "stages": Tried(
        STAGES, "f_composed0", {"threads": 64, "across": 8, "in_flight": 2, "chunk_bytes": 32, "blocks_per_sm": 1},
        {"r": (3, 70), "n": (1, 33), "m": (7, 70)}, {"r=3 n=33 m=70": 2, "r=70 n=33 m=70": 1},
    ),
    "copies": Tried(
        COUNTS, "f_indirect1", {"copies_bytes": 64, "whole_blocks_per_sm": 1, "blocks_per_sm": 4},
        {"n": (0, 33, 4097), "m": (7, 5003)}, {},
    ),
    "sort": Tried(
        BINS, "f_indirect1", {"share_chunks": 16, "sort_pairs": 64, "sort_blocks_per_sm": 4, "bucket_blocks_per_sm": 1,
                              "whole_blocks_per_sm": 1},
        {"n": (33, 4097), "m": (7, 70003)}, {},
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.full if n in ("long", "grid", "stages") else ()) for n in TRIED]
)
def test_tuned_kernels_are_right(name: str) -> None:
    tried = TRIED[name]
    file = SourceFile("f.c", HEAD + tried.source)
    options = CompileOptions(tuning=Tuning(((tried.kernel, tuple(tried.parameters.items())),)))
    done = compile_source(file, options)
    assert not done.diagnostics and done.cuda != compile_source(file, CompileOptions()).cuda
    report = verify(file, options, VerifySettings(sizes=tried.sizes, orders=("rand:7",)))
    assert report.ok, report.table()
    found = {
        " ".join(f"{n}={v}" for n, v in row.sizes): row.launches for row in report.rows if row.launches and not row.form
    }
    assert {call: found.get(call) for call in tried.launches} == tried.launches, report.table()
