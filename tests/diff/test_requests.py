"""What the warps of tiles ask for: no conflict of banks, whole sectors; and faults that only the counters see."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.shapes.tiles import SHAPES
from pencilc.options import CompileOptions
from pencilc.verify.command import Generated, VerifySettings, executor_for, measure_traffic
from pencilc.verify.traffic import Requests
from tests.diff.test_tiles import NEAREST, PLAIN, product, set_multiprocessors, with_tiles

LAYOUT = """#include <pencil.h>
void layout(int m, int n, int p, const {t} a[static const restrict {a}], const {t} b[static const restrict {b}],
            {t} c[static const restrict m][n])
{{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {{
            {t} s = c[i][j];
            for (int k = 0; k < p; k++)
                s = s * 3 + {left} * {right};
            c[i][j] = s;
        }}
#pragma endscop
}}
"""
TRANSPOSE = """
void transpose(int rows, int columns, const float a[static const restrict rows][columns],
               float b[static const restrict columns][rows])
{
#pragma scop
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            b[j][i] = a[i][j];
#pragma endscop
}
"""


Changes: TypeAlias = tuple[tuple[str, str], ...]


def layout(t: str, rows_of_a: bool = True, rows_of_b: bool = True) -> str:
    return LAYOUT.format(
        t=t, a="m][p" if rows_of_a else "p][m", b="p][n" if rows_of_b else "n][p",
        left="a[i][k]" if rows_of_a else "a[k][i]", right="b[k][j]" if rows_of_b else "b[j][k]",
    )  # fmt: skip


def asked(
    text: str, changes: Changes = (), options: CompileOptions | None = None, **sizes: int
) -> tuple[Requests, ...]:
    """The requests of a call of the only function of `text`, whose CUDA text has been changed."""
    done = compile_source(SourceFile("asked.c", text), options or CompileOptions())
    cuda = done.cuda
    for old, new in changes:
        assert old in cuda, f"not what the compiler makes: {old}"
        cuda = cuda.replace(old, new)
    settings = VerifySettings(sizes={name: (value,) for name, value in sizes.items()}, orders=("fwd",), traffic=True)
    (call,) = measure_traffic(Generated(done.parsed, cuda, None), CompileOptions(), settings, executor_for(settings))
    assert any(row.shared for row in call.device.requests), "there is a tile"
    return call.device.requests


def in_conflict(rows: tuple[Requests, ...]) -> set[str]:
    return {f"{row.kind} {row.width} {row.array}" for row in rows if row.shared and row.moved > row.least}


def of_parts(rows: tuple[Requests, ...]) -> set[str]:
    """Arrays whose requests move more sectors than a run that begins anywhere has."""
    return {row.array for row in rows if not row.shared and row.moved > row.least + row.count}


@pytest.mark.full
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(product(), id="reduced"),
        pytest.param("#include <pencil.h>\n" + PLAIN, id="in-order"),
        pytest.param("#include <pencil.h>\n" + NEAREST, id="folded"),
        pytest.param("#include <pencil.h>\n" + NEAREST.replace("float", "double"), id="folded doubles"),
        *(
            pytest.param(layout(t, rows_of_a, rows_of_b), id=f"{t}-{'nt'[not rows_of_a]}{'nt'[not rows_of_b]}")
            for t in ("float", "double", "short", "char")
            for rows_of_a in (True, False)
            for rows_of_b in (True, False)
        ),
    ],
)
def test_no_conflicts_of_banks(shape: tuple[int, int], text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each size of tile, layout and width of elements: no access has more wavefronts than the least for its width."""
    set_multiprocessors(monkeypatch, 1)
    down, across = 16 * shape[0], 16 * shape[1]
    for rest in (0, 1):  # by chunks, and by elements
        found = asked(text, options=with_tiles(text, shape), m=down + 16 + rest, n=across + 16 + rest, p=24 + rest)
        assert in_conflict(found) == set()


@pytest.mark.parametrize("shape", [(4, 4), *(pytest.param(each, marks=pytest.mark.full) for each in ((16, 8), (2, 2)))])
@pytest.mark.parametrize("rows_of_b", [True, pytest.param(False, marks=pytest.mark.full)])
def test_odd_rows_are_fetched_in_runs(shape: tuple[int, int], rows_of_b: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elements that no chunk can be fetched of lie side by side for threads side by side: less than twice the sectors
    of rows that are aligned, where chunks taken apart would have four times as many.
    """
    set_multiprocessors(monkeypatch, 1)
    text, side = layout("float", True, rows_of_b), 16 * shape[0]

    def moved(less: int) -> int:
        found = asked(text, options=with_tiles(text, shape), m=side, n=side - less, p=32 - less)
        return sum(row.moved for row in found if row.kind == "load" and row.array in ("a", "b"))

    assert moved(1) < 2 * moved(0)


def test_rows_of_whole_sectors_are_moved_in_whole_sectors() -> None:
    for row in asked(TRANSPOSE, rows=64, columns=96):
        assert row.moved == row.least, row


def test_other_rows_have_two_partial_sectors_at_most() -> None:
    rows = asked(TRANSPOSE, rows=65, columns=97)
    assert of_parts(rows) == in_conflict(rows) == set()


@pytest.mark.parametrize(
    ("text", "change", "sizes", "seen"),
    [
        pytest.param(TRANSPOSE, ("* 33", "* 32"), {"rows": 64, "columns": 64}, {"load 4 a_tile"}, id="no padding"),
        pytest.param(
            product(), ("PITCH = SIDE + FREE", "PITCH = SIDE"), {"m": 40, "n": 40, "p": 24},
            {"store 4 a_tiles"}, id="no padding of operands",
        ),
    ],
)  # fmt: skip
def test_a_conflict_is_seen(text: str, change: tuple[str, str], sizes: dict[str, int], seen: set[str]) -> None:
    """The results stay right: nothing else would tell."""
    assert in_conflict(asked(text, (), None, **sizes)) == set()
    assert in_conflict(asked(text, (change,), None, **sizes)) == seen


@pytest.mark.parametrize(
    ("changes", "array"),
    [
        pytest.param(
            (
                ("a_first0 + at / 32;", "a_first0 + at % 32;"),
                ("a_first1 + at % 32;", "a_first1 + at / 32;"),
                ("a_tile[at / 32 * 33 + at % 32]", "a_tile[at % 32 * 33 + at / 32]"),
            ),
            "a",
            id="read down columns",
        ),
        pytest.param(
            (
                ("top = first_row + (int)threadIdx.x / 32 * 4", "top = first_row + (int)threadIdx.x % 32"),
                ("column = first_column + (int)threadIdx.x % 32", "column = first_column + (int)threadIdx.x / 32 * 4"),
                ("top + r < rows_ && column < columns_", "top < rows_ && column + r < columns_"),
                ("point(top + r, column)", "point(top, column + r)"),
            ),
            "b",
            id="written down columns",
        ),
    ],
)
def test_partial_sectors_are_seen(changes: Changes, array: str) -> None:
    assert of_parts(asked(TRANSPOSE, changes, rows=64, columns=64)) == {array}


SCALED = """
void scaled(int rows, int columns, const float x[static const restrict rows][columns],
            float y[static const restrict rows][columns])
{
#pragma scop
    for (int i = 0; i < rows; i++) {
        float largest = 0;
        for (int j = 0; j < columns; j++)
            largest = x[i][j] > largest ? x[i][j] : largest;
        for (int j = 0; j < columns; j++)
            y[i][j] = x[i][j] / (largest + 1);
    }
#pragma endscop
}
"""


def test_lanes_of_a_warp_that_have_rows_of_their_own_are_counted() -> None:
    """They do not meet: some come to a place of the program when the requests of others there are complete."""
    done = compile_source(SourceFile("scaled.c", SCALED), CompileOptions())
    settings = VerifySettings(sizes={"rows": (561,), "columns": (131,)}, orders=("fwd",), traffic=True)
    counted = measure_traffic(
        Generated(done.parsed, done.cuda, None), CompileOptions(), settings, executor_for(settings)
    )
    (call,) = counted
    assert {row.array: row.read for row in call.device.moved if row.read} == {"x": 4 * 561 * 131}
