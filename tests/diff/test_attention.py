"""Attention of several queries: with many points the keys and the values are read once for a tile of queries."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source, with_tuning
from pencilc.options import CompileOptions, Tuning
from pencilc.verify.command import Generated, VerifySettings, executor_for, measure_traffic, verify_generated
from pencilc.verify.executors import CpuExecutor
from pencilc.verify.forms import IN_TILES, forms_of

ATTENTION = """#include <math.h>
void attention(int n, int m, int d, const float q[static const restrict n][d],
               const float k[static const restrict m][d], const float v[static const restrict m][d],
               float out[static const restrict n][d])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float s[m], max = -INFINITY, sum = 0.0f;
        for (int j = 0; j < m; j++) {
            float dot = 0.0f;
            for (int e = 0; e < d; e++)
                dot += q[i][e] * k[j][e];
            s[j] = dot / sqrtf((float)d);
            max = fmaxf(max, s[j]);
        }
        for (int j = 0; j < m; j++) {
            s[j] = expf(s[j] - max);
            sum += s[j];
        }
        for (int e = 0; e < d; e++) {
            float mean = 0.0f;
            for (int j = 0; j < m; j++)
                mean += s[j] * v[j][e];
            out[i][e] = mean / sum;
        }
    }
#pragma endscop
}
"""


CAUSAL = ATTENTION.replace("j < m", "j <= i").replace("int m, ", "").replace("restrict m]", "restrict n]")
CAUSAL = CAUSAL.replace("s[m]", "s[n]")
BATCH = """#include <math.h>
void attention(int n, int m, int d, const float q[static const restrict 2][n][d],
               const float k[static const restrict 2][m][d], const float v[static const restrict 2][m][d],
               float p[static const restrict 2][n][m], float out[static const restrict 2][n][d])
{
#pragma scop
    for (int h = 0; h < 2; h++)
        for (int i = 0; i < n; i++) {
            float max = -INFINITY, sum = 0.0f;
            for (int j = 0; j < m; j++) {
                float dot = 0.0f;
                for (int e = 0; e < d; e++)
                    dot += q[h][i][e] * k[h][j][e];
                p[h][i][j] = dot;
            }
            for (int j = 0; j < m; j++)
                max = fmaxf(max, p[h][i][j]);
            for (int j = 0; j < m; j++)
                sum += expf(p[h][i][j] - max);
            for (int j = 0; j < m; j++)
                p[h][i][j] = expf(p[h][i][j] - max) / sum;
            for (int e = 0; e < d; e++) {
                float mean = 0.0f;
                for (int j = 0; j < m; j++)
                    mean += p[h][i][j] * v[h][j][e];
                out[h][i][e] = mean;
            }
        }
#pragma endscop
}
"""


def compiled(text: str = ATTENTION) -> Compilation:
    return compile_source(SourceFile("attention.c", text), CompileOptions(associative_math=True))


def read(cuda: str, done: Compilation) -> dict[str, int]:
    """The bytes that all kernels read of each array, for 96 queries and 128 keys of 64 values."""
    sizes = {"n": (96,), "m": (128,), "d": (64,)}
    settings = VerifySettings(sizes=sizes, orders=("fwd",), traffic=True)
    (call,) = measure_traffic(Generated(done.parsed, cuda, None), done.options, settings, executor_for(settings))
    found: dict[str, int] = {}
    for row in call.device.moved:
        found[row.array] = found.get(row.array, 0) + row.read
    return found


def test_a_composed_kernel_has_a_form_in_tiles() -> None:
    done = compiled()
    (form,) = (each for each in forms_of(done) if each.name == IN_TILES)
    products = ["1ll * n * m * d * 1 >= 16777216", "1ll * n * d * m * 1 >= 16777216"]
    assert all(each in done.cuda for each in products) and ">= 16777216" not in form.cuda


def in_order(text: str = ATTENTION) -> Compilation:
    """Sums stay in the order of the source, so that the scores and their exponentials are stitched, not composed."""
    return compile_source(SourceFile("attention.c", text), CompileOptions())


def test_a_stitched_kernel_has_a_form_in_tiles() -> None:
    done = in_order()
    (form,) = (each for each in forms_of(done) if each.name == IN_TILES)
    chosen = re.findall(r"const bool in_tiles = (.*);", done.cuda)
    scores = "n >= 16 && m >= 16 && 1ll * n * m * d * 1 >= 16777216"
    assert len(chosen) == 2 and chosen[0].startswith(scores) and chosen[1] == scores
    assert done.cuda.count("in_tiles ? 0 :") == 1 and ">= 16777216" not in form.cuda


@pytest.mark.full
def test_tiles_read_keys_once_though_sums_are_in_order() -> None:
    done = in_order()
    (form,) = (each for each in forms_of(done) if each.name == IN_TILES)
    tiled = read(form.cuda, done)
    assert tiled["k"] * 16 <= 96 * 128 * 64 * 4 and tiled["v"] * 16 <= 96 * 128 * 64 * 4


@pytest.mark.full
def test_tiles_read_keys_and_values_once_for_several_queries() -> None:
    done = compiled()
    (form,) = (each for each in forms_of(done) if each.name == IN_TILES)
    by_rows, tiled = read(done.cuda, done), read(form.cuda, done)
    queries = 96
    assert by_rows["k"] == by_rows["v"] == queries * 128 * 64 * 4
    assert tiled["k"] * 16 <= by_rows["k"] and tiled["v"] * 16 <= by_rows["v"]


@pytest.mark.full
def test_few_points_stay_in_the_blocks_of_rows() -> None:
    done = compiled()
    names = [kernel.name for program in done.programs for kernel in program.kernels() if kernel.tiling is not None]
    few = with_tuning(done, Tuning(tuple((name, (("tile_points", 96 * 128 * 64 + 1),)) for name in names)))
    enough = with_tuning(done, Tuning(tuple((name, (("tile_points", 96 * 128 * 64),)) for name in names)))
    assert read(few, done)["k"] > 16 * read(enough, done)["k"]


@pytest.mark.full
@pytest.mark.parametrize(
    ("text", "made"),
    [
        pytest.param(ATTENTION, compiled, id="local row"), pytest.param(ATTENTION, in_order, id="local row, in order"),
        pytest.param(CAUSAL, compiled, id="causal"), pytest.param(BATCH, compiled, id="stored weights"),
    ],
)  # fmt: skip
def test_tiles_do_what_the_source_says(text: str, made: Callable[[str], Compilation]) -> None:
    done = made(text)
    (form,) = (each for each in forms_of(done) if each.name == IN_TILES)
    sizes = {"n": (1, 35), "m": (33,), "d": (17,)} if text is not CAUSAL else {"n": (1, 35), "d": (17,)}
    settings = VerifySettings(sizes=sizes, orders=("rand:5",), timeout_s=60)
    executor = CpuExecutor(settings.orders, "check")
    found = verify_generated(Generated(done.parsed, form.cuda, None), done.options, settings, executor)
    assert found.ok and len(found.rows) >= 2
