"""The schedule tree cut into parts and sequential loops around them."""

from __future__ import annotations

import pytest

from pencilc import islx
from pencilc.ir.schedule import Band, Flag, Leaf, Row, Sequence
from pencilc.parts.cut import cut
from pencilc.parts.part import Part
from tests.unit.records import ROW_SUMS, SOFTMAX, SUM, cut_items, modelled, scheduled, told

FLAGS: tuple[Flag, ...] = ("R", "P")
# A loop over t that goes around rows i, inside of which it is sequential.
TIMES = """FOR(i, n) FOR(t, 9) {
    FOR(j, m) y[i][j] = x[i][m - 1 - j];
    FOR(j, m) x[i][j] = y[i][j] + t;
}"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("FOR(i, n) a[i] = 1;", ["P|: S0"]),
        (ROW_SUMS, ["P|R: S1; M0"]),
        (SUM, ["|R: S2; M0 S3"]),
        ("a[0] = 1; b[0] = 2;", ["|: S0 S1"]),
    ],
)
def test_rows_by_their_role(body: str, found: list[str]) -> None:
    assert told(cut_items(body)) == found


def test_a_row_around_several_parts_is_around_each() -> None:
    parts = cut_items(SOFTMAX)
    assert told(parts) == ["P|R: S3; M0", "P|R: S5; M1", "PP|: S6"]
    assert len({id(part.kept[0]) for part in parts}) == 1  # type: ignore[union-attr]


def test_a_sequential_loop_around_parallel_ones_is_a_loop() -> None:
    body = "FOR(t, 9) { FOR(i, n) a[i] = b[n - 1 - i]; FOR(i, n) b[i] = a[i] + t; }"
    assert told(cut_items(body)) == ["for {P|: S0 / P|: S1}"]


def test_a_sequential_loop_around_nothing_parallel_is_one_part() -> None:
    assert told(cut_items("for (int i = 1; i < n; i++) a[i] = a[i - 1];")) == ["|: S0"]


def test_inside_of_rows_a_sequential_loop_goes_out_where_that_is_wanted() -> None:
    done = scheduled(TIMES)
    inside = told(cut(done.scop, done.tree, lambda rows, row, tree: False))
    outside = told(cut(done.scop, done.tree, lambda rows, row, tree: True))
    assert inside == ["P|: S0 S1"]
    assert outside == ["for {PP|: S0 / PP|: S1}"]


def test_what_uses_a_result_stands_behind_its_reduction() -> None:
    body = """float s, t; INIT(&s, zero); INIT(&t, zero);
    FOR(i, n) UPDATE(&s, a[i], add);
    FOR(j, m) UPDATE(&t, z[j], add);
    b[0] = s; c[0] = t;"""
    assert told(cut_items(body)) == ["|R: S4; M0 S6", "|R: S5; M1 S7"]


def test_what_has_to_do_with_a_part_between_stays_behind_that() -> None:
    body = """float s; INIT(&s, zero);
    FOR(i, n) UPDATE(&s, a[i], add);
    FOR(i, n) b[i] = a[n - 1 - i];
    b[0] = s;"""
    assert told(cut_items(body)) == ["|R: S2; M0", "P|: S3", "|: S4"]


def test_a_reduction_inside_the_element_of_another_is_a_part_before_it() -> None:
    body = """float s; INIT(&s, zero);
    FOR(i, n) {
        float t; INIT(&t, lowest);
        FOR(j, m) UPDATE(&t, x[i][j], larger);
        UPDATE(&s, t * t, add);
    }
    c[0] = s;"""
    assert told(cut_items(body)) == ["P|R: S4; M1", "|R: S5; M0 S6"]


def test_what_waits_for_a_scalar_waits_behind_it() -> None:
    """c[1] needs the sum, but c[0] as well, which is there only behind the loop between."""
    body = """float s; INIT(&s, zero);
    FOR(i, n) UPDATE(&s, a[i], add);
    FOR(i, n) b[i] = a[n - 1 - i];
    c[0] = b[0]; c[1] = c[0] + s;"""
    assert told(cut_items(body)) == ["|R: S2; M0", "P|: S3", "|: S4 S5"]


def test_parallel_rows_are_kept_wherever_they_stand_in_a_band() -> None:
    scop = modelled(ROW_SUMS)
    domain = scop.statement("S1").domain
    rows = [Row(flag, islx.union_pw_aff([islx.row_function(domain, k)])) for k, flag in enumerate(FLAGS)]
    (part,) = cut(scop, Band(tuple(rows), Leaf("S1")), lambda rows, row, tree: False)
    assert isinstance(part, Part)
    assert (part.kept, part.reduced) == ((rows[1],), (rows[0],))


def test_nothing_to_cut() -> None:
    assert cut(modelled(SUM), Sequence(()), lambda rows, row, tree: True) == ()


FILLED = "for (int k = 0; k < 5; k++) q[k] = p[i] * k;"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        # What a thread goes through in order it fills by itself, …
        (f"FOR(i, n) {{ int q[5]; {FILLED} for (int k = 1; k < 5; k++) q[k] = q[k - 1] ^ q[k]; a[i] = q[4]; }}", 1),
        # … but no large array, and none that other threads take elements of.
        (
            "FOR(i, n) { int q[500]; for (int k = 0; k < 500; k++) q[k] = p[i] * k;"
            " for (int k = 1; k < 500; k++) q[k] = q[k - 1] ^ q[k]; a[i] = q[4]; }",
            2,
        ),
        (f"FOR(i, n) {{ int q[5]; {FILLED} FOR(j, m) y[i][j] = q[j % 5]; }}", 2),
    ],
)
def test_small_arrays_are_filled_by_who_has_all_of_them(body: str, found: int) -> None:
    assert len(cut_items(body)) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("FOR(i, n) { c[i] = a[i] * 2; for (int k = 0; k < 3; k++) y[i][k] = c[i] * k; a[i] = c[i]; }", 1),
        ("FOR(i, n) { c[i] = a[i] * 2; for (int k = 0; k < 9; k++) y[i][k] = c[i] * k; a[i] = c[i]; }", 3),
        ("FOR(i, n) { c[i] = a[i] * 2; FOR(k, m) y[i][k] = c[i] * k; a[i] = c[i]; }", 3),
        # Of what is reduced threads have a part each.
        ("FOR(i, n) { INIT(&c[i], zero); for (int k = 0; k < 3; k++) UPDATE(&c[i], x[i][k], add); a[i] = c[i]; }", 1),
        ("FOR(i, n) { float s; INIT(&s, zero); FOR(k, m) UPDATE(&s, x[i][k], add); b[i] = s;"
         " for (int k = 0; k < 3; k++) y[i][k] = s; }", 2),
    ],
)  # fmt: skip
def test_short_loops_beside_others_stay_with_their_point(body: str, found: int) -> None:
    assert len(cut_items(body)) == found
