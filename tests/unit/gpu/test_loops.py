"""Which loops on the host get a kernel, how many points their iterations have at most, and why others get none."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from pencilc.ir.mapping import HostLoop, loops_of
from tests.unit.records import DEFAULT, looped

FRONTS = "for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) x[i][j] = x[i - 1][j] + x[i][j - 1];"
ROUNDS = "for (int k = 1; k < m; k++) { FOR(i, k) a[i] = b[i] + k; FOR(i, n) b[i] = a[n - 1 - i]; }"
WITH_SUM = """for (int k = 0; k < m; k++) {
    INIT(&c[k], zero);
    FOR(i, n) UPDATE(&c[k], a[i], add);
    for (int l = 1; l < n; l++) for (int i = l; i < n; i++) a[i] = a[i] + a[l - 1] + c[k];
}"""


def loops(body: str, fuse: str = "model") -> list[HostLoop]:
    """The loops on the host, outer ones first."""
    return list(loops_of(looped(body, replace(DEFAULT, fuse=fuse)).items))  # type: ignore[arg-type]


def test_the_points_of_an_iteration_are_counted_at_most() -> None:
    (loop,) = loops(ROUNDS)
    assert loop.kernel is not None and loop.kernel.name == "f_loop0" and not loop.reason
    widths = [width for (width,) in loop.kernel.widths.values()]
    known = isl.Set("[n, m] -> { : n >= 1 and m >= 2 }")
    for width, wanted in zip(widths, ("[m] -> { [m - 1] }", "[n] -> { [n] }"), strict=True):
        assert width.intersect_params(known).is_equal(isl.PwAff(wanted).intersect_params(known)), str(width)


def test_a_front_has_as_many_points_as_its_row_takes_in_one_iteration() -> None:
    (loop,) = loops(FRONTS)
    assert loop.kernel is not None
    ((width,),) = loop.kernel.widths.values()
    at = isl.Set("[n, m] -> { : n = 8 and m = 5 }")
    assert width.intersect_params(at).is_equal(isl.PwAff("[n, m] -> { [4] }").intersect_params(at))


def test_kernels_with_tickets_keep_the_loop_on_the_host() -> None:
    outer, inner = loops(WITH_SUM)
    assert outer.kernel is None and outer.reason == "f_all0 is launched with as many threads as its reduction needs"
    assert inner.kernel is not None and inner.kernel.host == (outer.iterator,)


def test_no_fusion_is_no_loop_in_one_launch() -> None:
    (loop,) = loops(ROUNDS, "none")
    assert loop.kernel is None and loop.reason == "kernels are launched one by one"
