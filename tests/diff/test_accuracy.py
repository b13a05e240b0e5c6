"""`--sum`: what many additions of one sign, and cancellation, leave of a sum in every shape."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.report.sums import plain_sums
from pencilc.options import CompileOptions, Determinism, Sums
from pencilc.report.text import report_text
from pencilc.verify import cudacpu
from pencilc.verify.command import VerifySettings, verify

HERE = Path(__file__).parent / "orders"
# Shapes in which each thread adds many values; the others show cancellation only.
MANY = ("all", "long", "columns", "threads", "detected")
CANCELLING = (*MANY, "short", "halves")


def _figures(sums: Sums, determinism: Determinism, folder: Path, *arguments: str) -> dict[str, float]:
    """What the program prints: errors in units of the last place, and special values."""
    path = HERE / "accuracy.c"
    options = CompileOptions(sums=sums, determinism=determinism)
    compiled = compile_source(SourceFile(path.name, path.read_text()), options)
    source, program = folder / "accuracy.cu", folder / "accuracy"
    source.write_text(compiled.cuda + (HERE / "accuracy.cu").read_text())
    cudacpu.build(source, program, extra=("-O1",))
    variables = {**os.environ, **cudacpu.environment(sm_count=1)}
    figures: dict[str, float] = {}
    for words in ((), ("cancelling",)):
        result = subprocess.run([str(program), *words], env=variables, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        for line in result.stdout.splitlines():
            name, value = line.split()
            figures[f"{name} {words[0]}" if words else name] = float(value)
    return figures


@pytest.mark.parametrize(
    ("sums", "determinism"),
    [("plain", "run"), ("pairwise", "run"), ("kahan", "run"), ("pairwise", "fixed-tree"), ("kahan", "fixed-tree")],
)
def test_errors(sums: Sums, determinism: Determinism, tmp_path: Path, root: Path) -> None:
    figures = _figures(sums, determinism, tmp_path)
    for name in MANY:
        error = figures[name]
        assert error > 30 if sums == "plain" else error < (16 if sums == "pairwise" else 1), (name, error)
    for name in CANCELLING:
        error = figures[f"{name} cancelling"]
        assert error < 50 if sums == "kahan" else sums == "pairwise" or error > 1000, (name, error)
    # Special values are what one addition after the other makes of them.
    assert str(figures["zeros"]) == "-0.0"
    assert figures["infinite"] == float("inf")
    assert figures["none"] == 1


HISTOGRAM = """#include <pencil.h>
static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
void f(int n, const float a[static const restrict n], const int at[static const restrict n],
       float bins[static const restrict 16]) {
    for (int b = 0; b < 16; b++)
        __pencil_reduction_var_init(&bins[b], zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&bins[at[i]], a[i], add);
}
"""


def test_a_sum_that_stays_plain_is_told() -> None:
    file = SourceFile("f.c", HISTOGRAM)
    compiled = compile_source(file, CompileOptions(sums="kahan"))
    assert [r.name for program in compiled.programs for r in plain_sums(program)]
    (told,) = [d for d in compiled.diagnostics if d.code == "PC0702"]
    assert told.span.line == 9
    assert "`bins`" in told.message
    assert "line 9: `bins` is summed one value after the other" in report_text(compiled)
    assert not [d for d in compile_source(file, CompileOptions()).diagnostics if d.code == "PC0702"]


@pytest.mark.parametrize("sums", ["kahan", "pairwise"])
def test_two_sums_of_one_thread(sums: Sums, root: Path) -> None:
    """Neighbours of one array that are open at once are carried apart."""
    path = Path("tests/diff/programs/carried_alone.c")
    settings = VerifySettings(sizes={"n": (33,)}, orders=("fwd",))
    report = verify(SourceFile(str(path), path.read_text()), CompileOptions(sums=sums), settings)
    assert report.ok, report.table()
