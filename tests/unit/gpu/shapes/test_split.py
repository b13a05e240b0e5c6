"""More accumulators than fit become several parts."""

from __future__ import annotations

from pencilc.gpu.shapes.split import MOST_CARRIED, split
from tests.unit.records import modelled, parted, told

THREE = """float s, t, u; INIT(&s, zero); INIT(&t, zero); INIT(&u, zero);
FOR(i, n) { UPDATE(&s, a[i], add); UPDATE(&t, a[i] * 2, add); UPDATE(&u, a[i] * 3, add); }
b[0] = s; b[1] = t; b[2] = u;"""
SCALAR = """float s, t; INIT(&s, zero); INIT(&t, zero);
FOR(i, n) { float v = a[i] * 2; UPDATE(&s, v, add); UPDATE(&t, v * v, add); }
b[0] = s; b[1] = t;"""


def taken_apart(body: str, size: int) -> list[str]:
    """The parts where each accumulator has `size` bytes."""
    return told(split(modelled(body), parted(body).items, lambda reduction: size))


def test_what_fits_stays() -> None:
    (found,) = taken_apart(THREE, MOST_CARRIED // 3)
    assert found.startswith("|R: S6 S7 S8; M0 M1 M2")


def test_each_part_has_about_as_many_and_the_last_what_follows() -> None:
    first, last = taken_apart(THREE, MOST_CARRIED // 2)
    assert first == "|R: S6 S7; M0 M1" and last == "|R: S8; M2 S9 S10 S11"
    assert [part[:9] for part in taken_apart(THREE, MOST_CARRIED)] == ["|R: S6; M", "|R: S7; M", "|R: S8; M"]


def test_an_accumulator_that_fits_nowhere_is_alone() -> None:
    assert len(taken_apart(THREE, 10 * MOST_CARRIED)) == 3


def test_a_scalar_that_updates_need_is_computed_by_every_part() -> None:
    assert [part.partition(";")[0] for part in taken_apart(SCALAR, MOST_CARRIED)] == ["|R: S5 S6", "|R: S5 S7"]


def test_what_others_see_stays_with_the_first() -> None:
    body = SCALAR.replace("UPDATE(&s, v, add);", "UPDATE(&s, v, add); c[i] = v;")
    assert [part.partition(";")[0] for part in taken_apart(body, MOST_CARRIED)] == ["|R: S5 S6 S7", "|R: S5 S8"]


def test_updates_that_need_what_an_element_writes_are_not_taken_apart() -> None:
    body = SCALAR.replace("float v = a[i] * 2;", "c[i] = a[i] * 2; float v = c[i];").replace("v * v", "c[i]")
    assert len(taken_apart(body, MOST_CARRIED)) == 1


def test_bins_are_not_taken_apart() -> None:
    body = "FOR(k, 40) INIT(&h[k], izero); FOR(k, m) INIT(&q[k], izero); FOR(i, n) BOTH"
    both = body.replace("BOTH", "{ UPDATE(&h[p[i]], 1, iadd); UPDATE(&q[p[i]], 1, iadd); }")
    assert taken_apart(both, 10 * MOST_CARRIED)[-1] == "|R: S2 S3"


def test_inside_of_a_loop_on_the_host() -> None:
    body = f"__pencil_assume(n > 3); FOR(k, 9) {{ {THREE} FOR(i, n) a[i] = b[k % 3] + i; }}"
    (found,) = taken_apart(body, MOST_CARRIED)
    assert found.startswith("for {") and found.count("|R: ") == 3


def test_nothing_to_split() -> None:
    assert split(modelled(THREE), (), lambda reduction: 1) == ()


def test_what_follows_needs_scalars_too() -> None:
    body = """FOR(i, n) { float k = b[i]; float l = c[i]; float s, t; INIT(&s, zero); INIT(&t, zero);
    FOR(j, m) { UPDATE(&s, x[i][j] * k, add); UPDATE(&t, x[i][j], add); }
    a[i] = s + t * l; }"""
    first, last = taken_apart(body, MOST_CARRIED)
    assert first == "P|R: (S1) S8; M0" and last == "P|R: (S3) S9; M1 S10"
