"""What fusion saves: how many kernels a call launches, for rows that fit on the chip and for others; the model's plan."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify

# (sample, sizes, launches of each function); the executor has 4 multiprocessors.
CASES = [
    ("softmax", "rows=5 columns=1009", {"softmax": 1, "log_softmax": 1, "softmax_loops": 1}),
    ("softmax", "rows=3 columns=600", {"softmax": 1}),
    ("softmax", "rows=3 columns=2500", {"softmax": 3, "log_softmax": 3}),
    ("softmax", "rows=4 columns=8192", {"softmax": 1}),
    ("softmax", "rows=4 columns=8193", {"softmax": 3}),
    ("norms", "rows=5 columns=1009", {"layer_norm": 1, "rms_norm": 1, "l2_normalise": 1, "standardise": 1}),
    ("batch_norm", "n=100 channels=40 points=9", {"batch_norm": 1, "batch_norm_images": 1}),
    ("batch_norm", "n=1030 channels=40 points=8", {"batch_norm": 2, "batch_norm_images": 3}),
    ("datamining", "n=33 m=40", {"correlate": 2, "covariance": 2}),
    ("attention", "heads=5 keys=33 depth=17", {"attention": 3}),
]


def parsed(sizes: str) -> dict[str, tuple[int, ...]]:
    """`n=1 m=2` as sizes of a verification."""
    return {name: (int(value),) for name, value in (word.split("=") for word in sizes.split())}


@pytest.mark.parametrize(("name", "sizes", "expected"), CASES, ids=lambda v: str(v).replace(" ", ","))
def test_launches(name: str, sizes: str, expected: dict[str, int], root: Path) -> None:
    path = Path("samples", f"{name}.c")
    file = SourceFile(str(path), path.read_text())
    report = verify(file, CompileOptions(), VerifySettings(sizes=parsed(sizes), orders=("fwd",), mode="plain"))
    assert report.ok, report.table()
    launches = {row.function: row.launches for row in report.rows if row.launches is not None}
    assert expected.items() <= launches.items(), report.table()


@pytest.mark.parametrize("mode", ["none", "pairwise", "max"])
def test_every_mode_is_right(mode: str, root: Path) -> None:
    path = Path("samples", "norms.c")
    file = SourceFile(str(path), path.read_text())
    settings = VerifySettings(sizes={"rows": (5,), "columns": (1, 33, 300)}, orders=("fwd",))
    report = verify(file, CompileOptions(fuse=mode), settings)
    assert report.ok, report.table()
    launches = {row.function: row.launches for row in report.rows if row.launches is not None}
    assert launches["layer_norm"] == {"none": 3, "pairwise": 2, "max": 1}[mode]


HEAD = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
"""


def graph(blocks: int) -> str:
    """A region of three loops for each block: elementwise, a sum of each row, what is made of it."""
    lines = ["void graph(int n, int m, const float x[static const restrict n][m],"]
    lines += ["           float y[static const restrict n][m]) {"]
    lines += [f"    float a{k}[n][m], s{k}[n];" for k in range(blocks)]
    for k in range(blocks):
        before = f"a{k - 1}" if k else "x"
        lines += [
            "    for (int i = 0; i < n; i++)",
            f"        for (int j = 0; j < m; j++) a{k}[i][j] = {before}[i][j] * 0.5f + {k};",
            "    for (int i = 0; i < n; i++) {",
            f"        __pencil_reduction_var_init(&s{k}[i], zero);",
            f"        for (int j = 0; j < m; j++) __pencil_reduction(&s{k}[i], a{k}[i][j], add);",
            "    }",
            f"    for (int i = 0; i < n; i++) s{k}[i] /= m;",
        ]
    sums = " + ".join(f"s{k}[i]" for k in range(blocks))
    last = f"a{blocks - 1}[i][j] + {sums}"
    return HEAD + "\n".join(
        [*lines, "    for (int i = 0; i < n; i++)", f"        for (int j = 0; j < m; j++) y[i][j] = {last};", "}", ""]
    )


def test_a_graph_of_sixty_statements_is_planned_in_time() -> None:
    started = time.process_time()
    done = compile_source(SourceFile("graph.c", graph(20)), CompileOptions())
    assert time.process_time() - started < 3.0
    (program,) = done.programs
    assert len(program.items) == 1
    assert len(program.kernels()) == 21
    (taken,) = [f for f in program.fusions if f.taken]
    assert taken.saved_launches == 20
    assert taken.saved_seconds > 0


def test_no_fusion_leaves_every_loop_alone() -> None:
    done = compile_source(SourceFile("graph.c", graph(2)), CompileOptions(fuse="none"), "mapping")
    (program,) = done.programs
    assert not program.fusions
    assert len(program.items) == 7
