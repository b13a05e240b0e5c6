"""Points and threads of launches at given sizes (`report --sizes`): the text that is recorded, and what is found."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from pencilc.cli import _sizes, main
from pencilc.codegen.recorded import render_recorded
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.options import CompileOptions
from pencilc.verify.errors import InputsError
from pencilc.verify.launched import LaunchedKernel, Range, launched_calls

SOURCE = """#include <pencil.h>
void triangle(int n, float scale, float a[static const restrict n][n])
{
#pragma scop
    for (int k = 0; k < n - 1; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] -= scale * a[i][k] * a[k][j];
#pragma endscop
}
int rounds(int n, float x[static const restrict n], float limit)
{
    int steps = 0;
#pragma scop
    float err = limit + 1.0f;
    while (err > limit) {
        err = 0.0f;
        for (int i = 0; i < n; i++)
            err = fmaxf(err, x[i]);
        for (int i = 0; i < n; i++)
            x[i] = 0.5f * x[i];
        steps = steps + 1;
    }
#pragma endscop
    return steps;
}
"""


@cache
def compiled(text: str = SOURCE) -> Compilation:
    return compile_source(SourceFile("launched.c", "#include <math.h>\n" + text), CompileOptions())


@pytest.mark.parametrize("name", ["sum", "softmax", "csr", "matmul"])
def test_what_is_recorded_is_what_is_emitted(name: str, root: Path) -> None:
    done = compile_source(
        SourceFile(f"samples/{name}.c", (root / "samples" / f"{name}.c").read_text()), CompileOptions()
    )
    assert done.kernels is not None
    lines = render_recorded(done.kernels).splitlines()
    assert [line for line in lines if "cudacpu_points(" not in line] == done.cuda.splitlines()
    told = {line.split('"')[3] for line in lines if "cudacpu_points(" in line}
    started = {
        function.name
        for function in done.kernels.kernels
        if f"{function.name}<" in done.cuda or f", {function.name}" in done.cuda
    }
    assert told and told <= started


def test_sizes_may_stand_in_one_word() -> None:
    assert _sizes(("n=0,31,m=5", "k=7")) == {"n": (0, 31), "m": (5,), "k": (7,)}
    assert _sizes(("n=3,m=5", "n=4,3", "n=9")) == {"n": (3, 4, 9), "m": (5,)}


@pytest.mark.parametrize("text", ["5", "n", "n=", "=3", "n=a", "n=1,,2"])
def test_sizes_are_names_and_numbers(text: str) -> None:
    result = CliRunner().invoke(main, ["verify", "none.c", "--sizes", text])
    assert result.exit_code == 2
    assert "NAME=VALUE" in result.output or "none.c" in result.output


def test_every_integer_needs_a_value() -> None:
    with pytest.raises(InputsError, match=r"give --sizes n=\.\.\. too"):
        launched_calls(compiled(), {})
    with pytest.raises(InputsError, match="'m', which is no integer parameter"):
        launched_calls(compiled(), {"n": (3,), "m": (3,)})


def test_a_report_without_sizes_knows_no_calls(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("#include <math.h>\n" + SOURCE)
    result = CliRunner().invoke(main, ["report", "--json", str(tmp_path / "a.c")])
    assert [region["calls"] for region in json.loads(result.stdout)["regions"]] == [None, None]


@pytest.mark.full
def test_points_and_threads_of_every_launch() -> None:
    found = launched_calls(compiled(), {"n": (3000, 40)})
    large, small = found["triangle"]
    (kernel,) = large.kernels
    assert kernel.launches == 2999
    assert kernel.points == Range(1, 2999**2)
    assert kernel.short == 0
    (loop,) = small.kernels
    assert (loop.kernel, loop.launches, loop.points) == ("triangle_loop0", 1, Range(39**2, 39**2))
    (rounds, _) = found["rounds"]
    assert rounds.kernels == () and rounds.reason == "what is launched depends on data"


@pytest.mark.full
@pytest.mark.parametrize("of_six", [6667, 10**6])
@pytest.mark.parametrize("sizes", [(40, 20, 10, 5), (20, 40, 5, 10), (32, 16, 28, 28)])
def test_reduced_loops_beside_kept_ones_are_dealt_out_by_their_product(
    sizes: tuple[int, ...], of_six: int, root: Path
) -> None:
    """Few rows of columns or points, of which nobody would say which loop is long."""
    path = root / "tests" / "diff" / "programs" / "collapsed_orders.c"
    given = dict(zip("hwxyn", ((each,) for each in (*sizes, of_six)), strict=True))
    done = compile_source(SourceFile(path.name, path.read_text()), CompileOptions())
    for name, calls in launched_calls(done, given).items():
        for call in calls:
            assert call.kernels and not any(kernel.short for kernel in call.kernels), (name, call.kernels)


@pytest.mark.full
def test_sizes_may_all_be_constants(tmp_path: Path) -> None:
    source = """#include <pencil.h>
void doubled(float a[static const restrict 300])
{
#pragma scop
    for (int i = 0; i < 300; i++)
        a[i] = 2.0f * a[i];
#pragma endscop
}
"""
    (tmp_path / "a.c").write_text(source)
    result = CliRunner().invoke(main, ["report", "--json", "--sizes", "", str(tmp_path / "a.c")])
    (region,) = json.loads(result.stdout)["regions"]
    ((kernel,),) = (call["kernels"] for call in region["calls"])
    assert kernel["points"] == {"least": 300, "most": 300} and kernel["short"] == 0


@pytest.mark.full
def test_few_threads_are_told() -> None:
    text = """#include <pencil.h>
void chains(int n, float a[static const restrict 8][n])
{
#pragma scop
    for (int i = 0; i < 8; i++)
        for (int j = 1; j < n; j++)
            a[i][j] = 0.5f * a[i][j - 1];
#pragma endscop
}
"""
    ((call,),) = launched_calls(compiled(text), {"n": (100,)}).values()
    (kernel,) = call.kernels
    assert kernel == LaunchedKernel("chains_parallel0", 1, Range(8, 8), Range(256, 256), 0, (8, 256))
