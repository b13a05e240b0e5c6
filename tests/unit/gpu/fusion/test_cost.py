"""The estimates that fusion is decided by."""

from __future__ import annotations

import pytest

from pencilc.analysis.nominal import NOMINAL
from pencilc.gpu.fusion.cost import NOTHING, Cost, value
from pencilc.ir.mapping import HostLoop
from tests.unit.gpu.fusion.members import members, model, stitched
from tests.unit.gpu.kernels import TARGET, kernel, kernels
from tests.unit.records import ROW_SUMS, SOFTMAX, SUM, placed

FLOAT = 4
ROW, MATRIX = FLOAT * NOMINAL, FLOAT * NOMINAL * NOMINAL


@pytest.mark.parametrize(
    ("body", "moved"),
    [
        ("FOR(i, n) a[i] = 1;", ROW),
        ("FOR(i, n) a[i] = b[i] + b[i];", 2 * ROW),
        ("FOR(i, n) a[i] = a[i] + 1;", 2 * ROW),
        ("FOR(i, n) FOR(j, m) x[i][j] = a[i];", MATRIX + ROW),
        ("__pencil_assume(n == 100); FOR(i, n) a[i] = 1;", 400),
        ("for (int i = 5; i < 105; i++) a[i] = 1;", 400),
        (ROW_SUMS, MATRIX + ROW),
    ],
)
def test_every_element_moves_once_in_each_direction(body: str, moved: int) -> None:
    assert model(body).kernel(kernel(body)).bytes == moved


def test_time_is_a_launch_and_the_bytes_where_the_device_is_full() -> None:
    cost = model(ROW_SUMS).kernel(kernel(ROW_SUMS))
    assert cost.launches == 1
    assert cost.seconds == pytest.approx(TARGET.launch_seconds + (MATRIX + ROW) / TARGET.bandwidth)


def test_few_blocks_have_less_bandwidth() -> None:
    body = "a[0] = b[0];"
    found = model(body).kernel(kernel(body))
    assert found.seconds == pytest.approx(TARGET.launch_seconds + 8 * TARGET.multiprocessors / TARGET.bandwidth)


def test_kernels_side_by_side_share_a_launch_and_the_device() -> None:
    body = "FOR(i, n) a[i] = 1; FOR(j, m) z[j] = 2;"
    pair = kernels(body)
    together, one_by_one = model(body).packed(pair), model(body).items(pair)
    assert (together.launches, one_by_one.launches) == (1, 2) and together.bytes == one_by_one.bytes
    assert together.seconds < one_by_one.seconds
    told = model(body).compared(pair, together, "packed")
    assert (told.saved_launches, told.saved_bytes, told.taken) == (1, 0, False)


def test_stitched_stages_load_a_value_once() -> None:
    """Three sweeps over x, one store of y, and the two values of a row that others read."""
    one_by_one = model(SOFTMAX).items([k for _, k in members(SOFTMAX)])
    assert one_by_one.bytes == 4 * MATRIX + 5 * ROW
    assert model(SOFTMAX).stitched(stitched(SOFTMAX)).bytes == 2 * MATRIX


def test_the_least_is_never_above_what_is_built() -> None:
    least = model(SOFTMAX).least([k for _, k in members(SOFTMAX)])
    assert least.seconds <= model(SOFTMAX).stitched(stitched(SOFTMAX)).seconds
    assert least.bytes == 2 * MATRIX and least.launches == 1


def test_a_barrier_of_the_grid_is_told_where_there_is_one_row() -> None:
    body = "float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); FOR(i, n) b[i] = a[i] / s;"
    cost = model(f"__pencil_assume(n > 0); {body}").stitched(stitched(f"__pencil_assume(n > 0); {body}"))
    assert cost.seconds > TARGET.launch_seconds + TARGET.grid_seconds


def test_a_loop_on_the_host_counts_once() -> None:
    body = "FOR(t, 9) { FOR(i, n) a[i] = b[n - 1 - i]; FOR(i, n) b[i] = a[i] + t; }"
    (loop,) = placed(body).shaped.items
    assert isinstance(loop, HostLoop) and model(body).items([loop]) == model(body).items(loop.items)
    assert model(body).items([]) == NOTHING


def test_what_is_minimised() -> None:
    cost = Cost(2, 5, 0.5) + Cost(1, 1, 0.25)
    assert cost == Cost(3, 6, 0.75)
    assert value(cost, "model") == (0.75, 3) and value(cost, "max") == (3, 0.75)


def test_values_in_registers_do_not_move() -> None:
    assert model(SUM).kernel(kernel(SUM)).bytes == ROW + FLOAT
