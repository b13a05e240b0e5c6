"""Schedule trees as isl has them."""

from __future__ import annotations

import islpy as isl

from pencilc import islx
from pencilc.schedule.tree import tree_to_isl
from tests.unit.records import ROW_SUMS, SUM, scheduled


def times(body: str) -> dict[str, isl.Map]:
    """{ S[i] -> [t] } by statement."""
    tree = tree_to_isl(scheduled(body))
    return {islx.in_name(m): m for m in islx.maps_of(tree.get_map().intersect_domain(tree.get_domain()))}


def test_rows_and_sequences_become_times() -> None:
    found = times(ROW_SUMS)
    assert found["S1"].is_equal(isl.Map("[n, m] -> { S1[i, j] -> [i, 0, j] : 0 <= i < n and 0 <= j < m }"))
    assert found["M0"].is_equal(isl.Map("[n, m] -> { M0[i] -> [i, 1, 0] : 0 <= i < n and m >= 0 }"))


def test_every_statement_and_no_other_has_a_time() -> None:
    assert sorted(times(SUM)) == ["M0", "S2", "S3"]


def test_flags_become_those_of_bands() -> None:
    body = "FOR(t, 9) FOR(i, n) FOR(j, m) x[i][j] = x[i][j] + y[i][j];"
    band = tree_to_isl(scheduled(body)).get_root().child(0)
    assert [bool(band.band_member_get_coincident(k)) for k in range(band.band_n_member())] == [True, True]
    assert band.band_get_permutable()
    inner = band.child(0)
    assert not inner.band_member_get_coincident(0) and not inner.band_get_permutable()
    sums = tree_to_isl(scheduled(SUM)).get_root().child(0).child(0).child(0)
    assert not sums.band_member_get_coincident(0) and sums.band_get_permutable()


def test_domains_are_those_of_the_context() -> None:
    found = times("__pencil_assume(n == 5); FOR(i, n) a[i] = 1;")
    assert found["S0"].domain().params().is_equal(isl.Set("[n, m] -> { : n = 5 and m >= 0 }"))


def test_a_single_statement_has_no_time_to_tell() -> None:
    assert times("a[0] = 1;")["S0"].dim(isl.dim_type.out) == 0


def test_isl_reads_the_tree_back() -> None:
    tree = tree_to_isl(scheduled(ROW_SUMS))
    assert isl.Schedule(str(tree)).get_map().is_equal(tree.get_map())
