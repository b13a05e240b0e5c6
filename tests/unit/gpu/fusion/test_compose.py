"""Kernels below the same rows as one that gives each row a block."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.gpu.fusion.compose import LOADS, common_rows
from pencilc.gpu.fusion.not_fused import NotFused
from pencilc.ir.mapping import Composed, HostLoop
from pencilc.ir.shapes import Kernel
from pencilc.ir.storage import InBlock
from tests.unit.gpu.fusion.members import composer, items, members
from tests.unit.records import BINS, COLUMN_SUMS, ROW_SUMS, SOFTMAX

# A reduction inside the element, and one over the elements of a row.
INNER = """FOR(i, n) {
    float score[m];
    FOR(j, m) { INIT(&score[j], zero); FOR(k, 64) UPDATE(&score[j], y[j][k] * x[i][k], add); }
    INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], score[j] * z[j], add);
}"""


def composed(body: str) -> Composed:
    """All kernels of the region as one."""
    pairs = members(body)
    return composer(body).compose(pairs, [kernel for _, kernel in pairs])


def test_each_kernel_becomes_a_stage_of_one_row() -> None:
    done = composed(INNER)
    assert done.kernel.name == "f_composed0" and done.iterators == ("i",)
    assert [stage.name for stage in done.stages] == ["f_composed0_row0", "f_composed0_all1"]
    assert len(done.kernel.kept) == 1 and all(stage.host == ("i",) for stage in done.stages)


def test_what_one_stage_leaves_for_another_stays_on_the_chip() -> None:
    done = composed(INNER)
    shared = {s.storage.array: s for s in done.shared}
    assert done.on_chip == ("score",) and (shared["score"].first, shared["score"].last) == (0, 1)
    assert isinstance(shared["score"].storage.residence, InBlock)
    assert not done.stored


def test_all_stages_have_the_block_of_the_kernel() -> None:
    done = composed(INNER)
    assert {stage.block for stage in done.stages} == {done.kernel.block}


def test_where_rows_do_not_fit_the_kernels_do_the_work() -> None:
    pairs = members(INNER)
    assert list(composed(INNER).fallback.kernels) == [kernel for _, kernel in pairs]


def test_the_rows_that_parts_have_in_common() -> None:
    parts = [part for part, _ in members(INNER)]
    assert common_rows(parts) == parts[1].kept
    assert common_rows(parts[:1]) == parts[0].kept and common_rows([]) == ()
    other = replace(parts[1], kept=parts[0].kept[1:])
    assert common_rows([parts[0], other]) == ()


def test_which_kernels_have_a_form_for_a_row() -> None:
    for body, forms in ((INNER, [True, True]), (SOFTMAX, [True, True, True]), (BINS, [True, False])):
        assert [composer(body).has_form(part, kernel) for part, kernel in members(body)] == forms


def test_rows_that_are_contiguous_themselves_are_refused() -> None:
    for body in (COLUMN_SUMS, "FOR(j, m) FOR(i, n) x[i][j] = y[i][j];"):
        ((part, kernel),) = members(body)
        assert not composer(body).has_form(part, kernel)


def test_a_spread_reduction_or_a_reason_is_refused() -> None:
    ((part, kernel),) = members(ROW_SUMS)
    assert composer(ROW_SUMS).has_form(part, kernel)
    spread = replace(kernel, plans=tuple(replace(p, continued=True) for p in kernel.accumulated))
    assert not composer(ROW_SUMS).has_form(part, spread)
    assert not composer(ROW_SUMS).has_form(part, replace(kernel, reason="because"))


def test_stages_that_leave_nothing_for_each_other_are_refused() -> None:
    body = f"FOR(i, n) {{ {ROW_SUMS[len('FOR(i, n) {') : -1]} FOR(j, m) y[i][j] = x[i][m - 1 - j]; }}"
    pairs = members(body)
    with pytest.raises(NotFused, match="no stage leaves anything"):
        composer(body).compose(pairs, [kernel for _, kernel in pairs])


def test_a_search_may_change_loads_of_all_stages() -> None:
    assert "in_flight" in LOADS and "threads" not in LOADS


ROUNDS = """FOR(i, n) {
    float v[m], w[m];
    FOR(j, m) v[j] = x[i][j];
    FOR(t, 9) {
        for (int j = 1; j < m - 1; j++) w[j] = v[j - 1] + v[j + 1];
        for (int j = 1; j < m - 1; j++) v[j] = w[j];
    }
    a[i] = v[m / 2];
}"""


def with_rounds(body: str) -> Composed:
    """All items of the region as one."""
    pairs = items(body)
    return composer(body).compose(pairs, [item for _, item in pairs])


def test_a_block_does_the_rounds_of_its_row() -> None:
    done = with_rounds(ROUNDS)
    first, loop, last = done.items
    assert isinstance(first, Kernel) and isinstance(last, Kernel) and isinstance(loop, HostLoop)
    assert loop.iterator == "t" and len(loop.items) == 2 and loop.kernel is None
    assert [stage.host for stage in done.stages] == [("i",), ("t", "i"), ("t", "i"), ("i",)]
    assert set(done.on_chip) == {s.storage.array for s in done.shared} and len(done.on_chip) == 2
    assert not done.in_memory and isinstance(done.fallback.kernels[1], HostLoop)


def test_what_a_loop_uses_lives_as_long_as_it() -> None:
    body = """FOR(i, n) {
        float u[m], v[m], w[m];
        FOR(j, m) v[j] = x[i][j];
        FOR(t, 9) {
            FOR(j, m) u[j] = v[m - 1 - j] + v[0];
            FOR(j, m) w[j] = u[m - 1 - j] + u[0];
            FOR(j, m) v[j] = w[m - 1 - j] + w[0];
        }
        a[i] = v[m / 2];
    }"""
    lives = {s.storage.array: (s.first, s.last) for s in with_rounds(body).shared}
    assert lives["v"] == (0, 4) and lives["u"] == lives["w"] == (1, 3)


def test_what_rounds_leave_in_memory() -> None:
    body = ROUNDS.replace("float v[m], w[m];", "").replace("v[", "x[i][").replace("w[", "y[i][")
    done = with_rounds(body[: body.index("FOR(j, m)")] + body[body.index("FOR(t, 9)") :])
    assert done.in_memory and done.widest


def test_blocks_have_no_more_threads_than_rounds_have_points() -> None:
    known = {"[m]": "[64]", "m - 1": "63", "FOR(j, m)": "FOR(j, 64)", "m / 2": "32"}
    body = ROUNDS
    for unknown, number in known.items():
        body = body.replace(unknown, number)
    done = with_rounds(body)
    assert done.kernel.block == 64 == done.kernel.launch.threads
