"""What fusion saves: launches of a call, for rows that fit on the chip and for others; what the model plans."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions, Fuse
from pencilc.verify.command import VerifySettings, verify
from tests.reference_time import reference_seconds

HEAD = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
"""

LIMIT = 7  # times the reference that the graph of sixty statements may take; it is between 3 and 5 times

# {sample: (sizes, {(function, size): launches})}; the executor has 4 multiprocessors.
CASES: dict[str, tuple[dict[str, tuple[int, ...]], dict[tuple[str, str], int]]] = {
    "softmax": (
        {"rows": (1, 3, 4), "columns": (600, 2500, 8192, 8193, 16384, 16385, 60000, 250000)},
        {
            ("softmax", "rows=3 columns=600"): 1,
            # Few rows: by blocks of 1024 threads.
            ("softmax", "rows=3 columns=2500"): 1,
            ("softmax", "rows=4 columns=8192"): 1,
            ("softmax", "rows=3 columns=8193"): 1,
            ("softmax", "rows=3 columns=16384"): 1,
            # By clusters of two and four blocks.
            ("softmax", "rows=3 columns=16385"): 1,
            ("softmax", "rows=4 columns=8193"): 1,
            ("softmax", "rows=4 columns=60000"): 1,
            # What does not fit is two walks.
            ("softmax", "rows=1 columns=250000"): 2,
            ("log_softmax", "rows=3 columns=2500"): 1,
            ("log_softmax", "rows=4 columns=8192"): 1,
            ("softmax_loops", "rows=4 columns=60000"): 1,
            ("softmax_loops", "rows=4 columns=8192"): 1,
        },
    ),
    "norms": (
        {"rows": (3, 5), "columns": (1009, 3001)},
        {
            (f, f"rows={rows} columns={columns}"): launches
            for f in ("layer_norm", "rms_norm", "l2_normalise", "standardise")
            for rows, columns, launches in ((5, 1009, 1), (5, 3001, 1), (3, 3001, 1))
        },
    ),
    "batch_norm": (
        {"n": (100, 1030), "channels": (40,), "points": (9,)},
        {
            ("batch_norm", "n=100 channels=40"): 1,
            ("batch_norm", "n=1030 channels=40"): 1,
            ("batch_norm_images", "n=100 channels=40 points=9"): 1,
            ("batch_norm_images", "n=1030 channels=40 points=9"): 1,
        },
    ),
    "datamining": ({"n": (33,), "m": (40,)}, {("correlate", "n=33 m=40"): 2, ("covariance", "n=33 m=40"): 2}),
    "attention": (
        {"heads": (3, 5), "keys": (33, 70000), "depth": (1, 17)},
        {
            ("attention", "heads=5 keys=33 depth=17"): 1,
            ("attention", "heads=3 keys=33 depth=17"): 3,
            ("attention", "heads=5 keys=70000 depth=1"): 3,
        },
    ),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.full if n in ("attention", "batch_norm", "softmax") else ()) for n in CASES],
)
def test_launches(name: str, root: Path) -> None:
    sizes, expected = CASES[name]
    path = Path("samples", f"{name}.c")
    settings = VerifySettings(sizes=sizes, orders=("fwd",), forms=False)
    report = verify(SourceFile(str(path), path.read_text()), CompileOptions(), settings)
    assert report.ok, report.table()
    launches = {
        (row.function, " ".join(f"{n}={v}" for n, v in row.sizes)): row.launches
        for row in report.rows
        if row.launches is not None
    }
    assert {key: launches.get(key) for key in expected} == expected, report.table()


NORM = (
    HEAD
    + """
void norm(int n, int m, const float x[static const restrict n][m], float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float mean, squares;
        __pencil_reduction_var_init(&mean, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&mean, x[i][j], add);
        mean /= m;
        __pencil_reduction_var_init(&squares, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&squares, (x[i][j] - mean) * (x[i][j] - mean), add);
        for (int j = 0; j < m; j++) y[i][j] = squares > 0 ? (x[i][j] - mean) / squares : 0;
    }
}
"""
)


@pytest.mark.parametrize(("mode", "launches"), [("none", 3), ("pairwise", 2), ("model", 1), ("max", 1)])
def test_every_mode_is_right(mode: Fuse, launches: int) -> None:
    settings = VerifySettings(sizes={"n": (5,), "m": (1, 33, 300)}, orders=("fwd",))
    report = verify(SourceFile("norm.c", NORM), CompileOptions(fuse=mode), settings)
    assert report.ok, report.table()
    assert {row.launches for row in report.rows if row.launches is not None} == {launches}


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
    source = SourceFile("graph.c", graph(20))
    ratios: list[float] = []
    while not ratios or (ratios[-1] >= LIMIT and len(ratios) < 4):
        started = time.process_time()
        done = compile_source(source, CompileOptions())
        ratios.append((time.process_time() - started) / reference_seconds())
    assert ratios[-1] < LIMIT, ratios
    assert not done.diagnostics  # no quota is reached
    (program,) = done.programs
    assert len(program.items) == 1
    assert len(program.kernels()) == 2  # all sums share a loop
    (taken,) = [f for f in program.fusions if f.taken]
    assert taken.saved_launches == 1
    assert taken.saved_seconds > 0


def test_no_fusion_leaves_every_loop_alone() -> None:
    done = compile_source(SourceFile("graph.c", graph(2)), CompileOptions(fuse="none"), "mapping")
    (program,) = done.programs
    assert not program.fusions
    assert len(program.items) == 7
