"""Kernels over the same kept points as one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.gpu.fusion.not_fused import NotFused
from pencilc.ir.mapping import Stitched
from pencilc.ir.schedule import statements_of
from pencilc.ir.storage import Home
from pencilc.options import Tuning
from tests.unit.codegen.programs import program_of
from tests.unit.gpu.fusion.members import family, members, stitched, stitcher
from tests.unit.gpu.kernels import bounds
from tests.unit.records import COLUMN_SUMS, ROW_SUMS, SOFTMAX

# Columns are contiguous: neighbouring threads have neighbouring ones.
COLUMNS = "FOR(j, m) { INIT(&z[j], zero); FOR(i, n) UPDATE(&z[j], x[i][j], add); FOR(i, n) y[i][j] = x[i][j] * z[j]; }"


def test_each_sweep_becomes_a_stage() -> None:
    done = stitched(SOFTMAX)
    assert [(statements_of(s.body), s.reductions, s.post) for s in done.stages] == [
        (("S3",), ("max_v",), ("M0",)),
        (("S5",), ("sum",), ("M1",)),
        (("S6",), (), ()),
    ]
    assert done.kernel.name == "f_stitched0" and [k.name for k in done.fallback.kernels] == [
        "f_row0", "f_row1", "f_parallel2",
    ]  # fmt: skip


def test_the_rows_of_all_stages_are_one_box() -> None:
    kernel = stitched(SOFTMAX).kernel
    assert (bounds(kernel.kept_box), bounds(kernel.reduced_box)) == ([("0", "-1 + n")], [("0", "-1 + m")])
    assert kernel.reductions == ("max_v", "sum")


def test_what_nobody_else_sees_lives_in_registers_only() -> None:
    done = stitched(SOFTMAX)
    assert done.on_chip == ("max", "sum")
    inside = {s.array: s for s in done.storage}
    assert inside["max"].homes == inside["sum"].homes == (Home("f_stitched0", "row"),)
    assert inside["x"].is_in_memory and inside["y"].is_in_memory


def test_accumulators_leave_less_of_a_row_to_a_thread_of_the_largest_block() -> None:
    """It has 64 registers, for what another thread hands to it too."""
    wide = []
    for count in (4, 12, 20):
        sums = [f"s{k}" for k in range(count)]
        begin = "".join(f"float {name}; INIT(&{name}, zero); " for name in sums)
        updates = "".join(f"UPDATE(&{name}, x[i][j] * {k}, add); " for k, name in enumerate(sums))
        behind = f"FOR(j, m) y[i][j] = x[i][j] / ({' + '.join(sums)});"
        wide.append(stitched(f"FOR(i, n) {{ {begin} FOR(j, m) {{ {updates} }} {behind} }}").wide)
    assert wide == [(4,), (2,), ()]


def test_threads_hold_chunks_as_far_as_registers_go() -> None:
    done = stitched(SOFTMAX)
    assert done.width == 4 and done.items[0] == 4 and list(done.items) == sorted(set(done.items))
    assert not done.across and not done.scattered and done.long_rows is not None


def test_columns_are_loaded_one_by_one_across() -> None:
    done = stitched(COLUMNS)
    assert done.across and done.scattered and done.width == 1
    assert done.kernel.block > stitched(SOFTMAX).kernel.block


def test_what_a_search_has_found() -> None:
    tuned = stitcher(SOFTMAX)
    tuned.tuning = Tuning((("f_stitched0", (("threads", 128),)),))
    assert tuned.stitch(family(SOFTMAX), members(SOFTMAX)).kernel.block == 128


def refused(body: str, message: str, first: int = 0) -> None:
    """The members from `first` on cannot be one."""
    with pytest.raises(NotFused, match=message):
        stitcher(body).stitch(family(body), members(body)[first:])


def test_one_sweep_is_not_stitched() -> None:
    refused(ROW_SUMS, "only one sweep")
    refused(SOFTMAX, "only one sweep", 2)


def test_rows_of_different_length_are_refused() -> None:
    body = "__pencil_assume(n == m); " + ROW_SUMS.replace("FOR(j, m)", "FOR(j, i)")
    refused(body[:-1] + " FOR(j, i) y[i][j] = x[i][j] * a[i]; }", "not equally long|no box")


def test_an_array_that_is_read_elsewhere_than_it_is_written_is_refused() -> None:
    """Another thread of the row has the value, and nobody waits."""
    body = SOFTMAX[:-1] + " FOR(j, m) x[i][j] = y[i][m - 1 - j]; }"
    refused(body, "is written and read in different places")


def test_a_kernel_with_a_reason_against_its_shape_is_refused() -> None:
    pairs = [(part, replace(kernel, reason="because")) for part, kernel in members(SOFTMAX)]
    with pytest.raises(NotFused, match="because"):
        stitcher(SOFTMAX).stitch(family(SOFTMAX), pairs)


def test_rows_and_columns_do_not_go_together() -> None:
    rows, columns = members(SOFTMAX), members(COLUMN_SUMS)
    mixed = [rows[0], (rows[1][0], replace(columns[0][1], name="f_row1")), rows[2]]
    with pytest.raises(NotFused, match="some reductions have"):
        stitcher(SOFTMAX).stitch(family(SOFTMAX), mixed)


def test_what_is_too_large_for_shuffles_is_not_stitched() -> None:
    # Its lanes hand it on through memory that is there for the threads of the kernel by itself.
    text = """typedef struct { float v[COUNT]; } Values;
static void nothing(Values *v) { for (int i = 0; i < COUNT; i++) v->v[i] = 0; }
static Values both(Values l, Values r) { for (int i = 0; i < COUNT; i++) l.v[i] += r.v[i]; return l; }
static Values one(float x) { Values v; for (int i = 0; i < COUNT; i++) v.v[i] = x; return v; }
void f(int n, int m, const float x[static const restrict n][m], float y[static const restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        Values s;
        __pencil_reduction_var_init(&s, nothing);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s, one(x[i][j]), both);
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][j] - s.v[COUNT - 1];
    }
#pragma endscop
}
"""
    for count, shuffled in ((16, True), (17, False)):
        first = program_of(text.replace("COUNT", str(count))).items[0]
        assert isinstance(first, Stitched) is shuffled
