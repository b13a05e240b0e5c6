"""Which parts may be stitched, as far as their rows tell."""

from __future__ import annotations

from dataclasses import replace

from pencilc import islx
from pencilc.gpu.fusion.families import Family, aligned, compositions, families, neighbours, runs
from pencilc.parts.part import Part, SequentialLoop
from tests.unit.gpu.fusion.members import items
from tests.unit.records import BINS, ROW_SUMS, SOFTMAX, SUM, parted, parts, scheduled

# The sum of the results stands between: the rows of what is before and behind it are two.
APART = f"""{ROW_SUMS}
float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add);
FOR(i, n) FOR(j, m) y[i][j] = a[i] / s;"""


def joined(body: str) -> tuple[Part | SequentialLoop, ...]:
    """The parts with their kept rows made one."""
    return aligned(parts(body), islx.named_maps(scheduled(body).dependences.validity))


def test_parts_around_the_same_row() -> None:
    assert families(parts(SOFTMAX)) == (Family(0b111, 0b011, 1, 1),)


def test_a_reduction_alone_is_a_family_of_one() -> None:
    assert families(parts(ROW_SUMS)) == (Family(1, 1, 1, 1),)
    assert families(parts("FOR(i, n) a[i] = 1;")) == ()


def test_rows_and_no_rows_are_two_families() -> None:
    both = parts(f"{SUM} {ROW_SUMS.replace('a[', 'c[')}")
    assert [(f.items, f.kept) for f in families(both)] == [(0b01, 0), (0b10, 1)]


def test_elements_must_have_as_many_rows() -> None:
    (first, *rest) = parts(SOFTMAX)
    deeper = replace(first, reduced=(*first.reduced, *first.reduced))
    assert [(f.items, f.depth) for f in families([deeper, *rest])] == [(0b001, 2), (0b110, 1)]


def test_parts_of_other_iterations_of_a_loop_on_the_host_are_none() -> None:
    (first, *rest) = parts(SOFTMAX)
    elsewhere = replace(first, host=first.kept)
    assert families([elsewhere, *rest])[0].items == 0b001


def test_rows_become_one_where_dependences_stay_in_them() -> None:
    first, _, second = parts(APART)
    assert first.kept[0] is not second.kept[0]
    one, _, other = joined(APART)
    assert isinstance(one, Part) and isinstance(other, Part) and one.kept[0] is other.kept[0]
    assert set(islx.pw_affs_of(one.kept[0].function)) >= {"S1", "M0", "S5"}


def test_rows_stay_two_where_a_dependence_leaves_them() -> None:
    one, _, other = joined(APART.replace("= a[i] /", "= a[n - 1 - i] /"))
    assert isinstance(one, Part) and isinstance(other, Part) and one.kept[0] is not other.kept[0]


def test_rows_without_a_dependence_between_them_stay_two() -> None:
    one, other = joined(f"{ROW_SUMS} FOR(i, n) c[i] = b[n - 1 - i];")
    assert isinstance(one, Part) and isinstance(other, Part) and one.kept[0] is not other.kept[0]


def test_what_has_its_outermost_row_in_common_and_reduces() -> None:
    assert compositions(parts(SOFTMAX), ()) == (0b111,)
    assert compositions(parts(BINS), ()) == () and compositions((), ()) == ()


def test_loops_around_what_stays_at_one_value_of_the_row() -> None:
    """A smoothed row needs that row alone; where it needs others, all rounds need each other."""
    for near, found in (("x[i][j - 1] + x[i][j + 1]", (0b1,)), ("x[i - 1][j] + x[i][j - 1]", ())):
        both = f"INNER {{ y[i][j] = {near}; }} INNER x[i][j] = y[i][j];"
        inner = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)"
        body = f"FOR(t, 9) {{ {both.replace('INNER', inner)} }}"
        pairs = islx.named_maps(scheduled(body).dependences.validity)
        assert compositions([part for part, _ in items(body)], pairs) == found
    body = "for (int t = 0; t < n - 1; t++) for (int j = 1; j < m - 1; j++) x[t + 1][j] = x[t][j - 1] + x[t][j + 1];"
    (loop, _), pairs = items(body)[0], islx.named_maps(scheduled(body).dependences.validity)
    assert isinstance(loop, SequentialLoop) and compositions((loop,), pairs) == () and compositions((loop,), ()) != ()


def test_runs_of_neighbours() -> None:
    assert neighbours(0b1101) == (range(0, 1), range(2, 4)) and neighbours(0) == ()
    assert runs(Family(0b11011, 0b00001, 1, 1)) == (range(0, 2),)
    assert Family(0b111, 0b001, 1, 1).holds(0b011) and not Family(0b111, 0b001, 1, 1).holds(0b110)


def test_loops_on_the_host_are_in_no_family() -> None:
    body = f"FOR(t, 9) {{ {ROW_SUMS} FOR(i, n) FOR(j, m) x[i][j] = x[i][j] + a[i]; }}"
    items = parted(body).items
    assert isinstance(items[0], SequentialLoop) and families(items) == ()
    assert families(items[0].items)[0].items == 0b11
