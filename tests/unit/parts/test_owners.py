"""Who owns the result of a reduction."""

from __future__ import annotations

import pytest

from pencilc.analysis.box import fixed, live_domains
from pencilc.parts.owners import Owners, has_one_merge
from pencilc.parts.part import Unmappable, parts_of
from tests.unit.records import BINS, COLUMN_SUMS, ROW_SUMS, SUM, cut_items, cut_part, scheduled


def owners(body: str) -> Owners:
    """Those of the parts of a region."""
    done = scheduled(body)
    return Owners(done.scop, live_domains(done.scop), tuple(parts_of(cut_items(body))), done.dependences)


def without_owner(body: str) -> list[str]:
    """The variables whose results nobody owns."""
    asked = owners(body)
    return [r.array for part in asked.parts for r in asked.without_owner(part)]


@pytest.mark.parametrize("body", [SUM, ROW_SUMS, COLUMN_SUMS])
def test_each_kept_point_owns_its_result(body: str) -> None:
    assert without_owner(body) == []


def test_nobody_owns_bins() -> None:
    assert without_owner(BINS) == ["h"]


def test_updates_in_two_loops_need_the_same_rows() -> None:
    body = "float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); FOR(j, m) UPDATE(&s, z[j], add); b[0] = s;"
    assert without_owner(body) == []
    rows = "INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j], add); FOR(j, m - 1) UPDATE(&a[i], y[i][j], add);"
    assert without_owner(f"FOR(i, n) {{ {rows} }}") == []
    other = """FOR(i, n) INIT(&a[i], zero);
    FOR(i, n) FOR(j, m) UPDATE(&a[i], x[i][j], add);
    FOR(i, n) { float v = b[i]; UPDATE(&a[i], v, add); UPDATE(&a[n - 1 - i], v, add); }"""
    assert set(without_owner(other)) == {"a"}


def test_a_part_without_updates_has_nothing_to_own() -> None:
    assert without_owner("FOR(i, n) a[i] = 1;") == []


def test_the_parts_that_share_a_reduction() -> None:
    body = "float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); FOR(j, m) UPDATE(&s, z[j], add); b[0] = s;"
    asked = owners(body)
    (reduction,) = asked.scop.reductions
    assert asked.sharers(reduction) == list(asked.parts) and len(asked.parts) == 2
    asked.check_spread(asked.parts[0], reduction, {"S2"})


def test_a_spread_reduction_ends_in_its_last_part() -> None:
    body = "float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); FOR(j, m) UPDATE(&s, z[j], add); b[0] = s;"
    asked = owners(body)
    (reduction,) = asked.scop.reductions
    asked.parts = asked.parts[::-1]
    with pytest.raises(Unmappable, match="spread over several loops"):
        asked.check_spread(asked.parts[1], reduction, {"S2"})


def test_bins_are_told_by_name() -> None:
    asked = owners(BINS)
    (reduction,) = asked.scop.reductions
    with pytest.raises(Unmappable, match="`h` is an indirect reduction"):
        asked.check_spread(asked.parts[0], reduction, {"S1"})


def test_the_initialisation_must_not_pass_who_wants_the_old_value() -> None:
    asked = owners("FOR(i, n) a[i] = h[p[i] % 40]; " + BINS)
    asked.check_old_values(asked.scop.reductions[0])
    asked.parts = asked.parts[::-1]
    with pytest.raises(Unmappable, match="the old value of `h` is wanted"):
        asked.check_old_values(asked.scop.reductions[0])


def test_kept_points_must_tell_merge_nodes_apart() -> None:
    part = cut_part(ROW_SUMS, "S1")
    done = scheduled(ROW_SUMS)
    (reduction,) = done.scop.reductions
    domains = fixed(live_domains(done.scop), (), ())
    assert has_one_merge(part, reduction, domains)
    whole = cut_part(SUM, "S2")
    assert not has_one_merge(type(part)((), (), part.reduced, part.body), reduction, domains)
    assert has_one_merge(whole, scheduled(SUM).scop.reductions[0], live_domains(scheduled(SUM).scop))
