"""Sequential loops inside parallel rows: on the host, or in a thread for each row."""

from __future__ import annotations

import pytest

from pencilc.analysis.box import live_domains
from pencilc.gpu.shapes.host_loops import POINTS, HostLoops
from pencilc.ir.schedule import Band
from tests.unit.gpu.kernels import TARGET
from tests.unit.records import scheduled

# Rows i, a sequential loop t inside, and in an iteration of it something parallel.
TIMES = """FOR(i, n) FOR(t, 9) {
    FOR(j, COUNT) y[i][j] = x[i][COUNT - 1 - j];
    FOR(j, COUNT) x[i][j] = y[i][j] + t;
}"""


def goes_out(assumed: str, count: str = "m") -> bool:
    """Whether the loop inside of the rows goes around them."""
    done = scheduled(f"__pencil_assume({assumed}); {TIMES.replace('COUNT', count)}")
    outer = done.tree
    assert isinstance(outer, Band) and isinstance(outer.child, Band) and outer.child.rows[0].flag == "s"
    loops = HostLoops(done.scop, live_domains(done.scop), TARGET)
    return loops.goes_out(outer.rows, outer.child.rows[0], outer.child.child)


def test_few_rows_with_something_for_a_warp() -> None:
    assert goes_out("n == 100 && m == 1000")


def test_rows_that_fill_the_device_keep_their_loop() -> None:
    full = TARGET.multiprocessors * TARGET.threads_per_sm
    assert goes_out(f"n == {full - 1} && m == 1000")
    assert not goes_out(f"n == {full} && m == 1000")


@pytest.mark.parametrize(("points", "out"), [(POINTS, True), (POINTS - 1, False)])
def test_an_iteration_must_be_worth_a_launch(points: int, out: bool) -> None:
    assert goes_out("n == 100 && m == 1000", str(points)) is out


def test_sizes_that_are_not_known_are_nominal() -> None:
    assert goes_out("n > 0")
    assert not goes_out("n > 1000000")


def test_nothing_parallel_inside() -> None:
    done = scheduled("FOR(i, n) for (int t = 1; t < m; t++) x[i][t] = x[i][t - 1];")
    outer = done.tree
    assert isinstance(outer, Band) and isinstance(outer.child, Band)
    loops = HostLoops(done.scop, live_domains(done.scop), TARGET)
    assert not loops.goes_out(outer.rows, outer.child.rows[0], outer.child.child)


def test_a_loop_whose_bounds_are_data_stays_inside() -> None:
    body = """__pencil_assume(n == 100 && m == 1000);
    FOR(i, n - 1) {
        INIT(&a[i], zero);
        for (int t = p[i]; t < p[i + 1]; t++) FOR(j, m) UPDATE(&a[i], x[t][j], add);
    }"""
    done = scheduled(body)
    ragged = next(s for s in done.scop.statements if s.is_ragged)
    loops = HostLoops(done.scop, live_domains(done.scop), TARGET)
    outer = done.tree
    assert isinstance(outer, Band)
    band = next(c for c in outer.child.children if isinstance(c, Band))  # type: ignore[union-attr]
    assert len(band.rows) == 2 and ragged.loops[1].is_ragged
    inside = Band(band.rows[1:], band.child)
    assert not loops.goes_out(outer.rows, band.rows[0], inside)
    assert loops.goes_out(outer.rows, outer.rows[0], inside)
