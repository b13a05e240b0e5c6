"""What parts hold, and whether statements meet in an element."""

from __future__ import annotations

from pencilc.parts.part import meet, part_statements, parts_of
from tests.unit.records import cut_items, modelled, parted


def test_parts_inside_of_loops_in_order() -> None:
    body = "FOR(t, 9) { FOR(i, n) a[i] = b[n - 1 - i]; FOR(i, n) b[i] = a[i] + t; } c[0] = a[0];"
    assert [part_statements(part) for part in parts_of(cut_items(body))] == [("S0",), ("S1",), ("S2",)]
    assert list(parts_of(())) == []


def test_the_statements_of_a_part_in_order() -> None:
    body = "FOR(i, n) { float s = b[i]; INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j] * s, add); c[i] = a[i]; }"
    (part,) = parts_of(parted(body).items)
    assert part_statements(part) == (*part.prologue, "S3", *part.post)
    assert part.prologue and len(part.post) == 2


def test_statements_meet_where_one_writes() -> None:
    scop = modelled("FOR(i, n) a[i] = b[i]; FOR(i, n) c[i] = b[i]; FOR(i, n) b[i] = 1; FOR(i, n) a[n - 1 - i] = 2;")
    assert not meet(scop, ["S0"], ["S1"])  # both only read it
    assert meet(scop, ["S0"], ["S2"]) and meet(scop, ["S2"], ["S1"])
    assert meet(scop, ["S0"], ["S3"])
    assert meet(scop, ["S1", "S0"], ["S2"]) and not meet(scop, [], ["S2"])


def test_constant_subscripts_tell_elements_apart() -> None:
    scop = modelled("a[0] = 1; a[1] = 2; FOR(i, n) a[i] = 3;")
    assert not meet(scop, ["S0"], ["S1"])
    assert meet(scop, ["S0"], ["S0"]) and meet(scop, ["S0"], ["S2"])


def test_the_end_of_an_old_value_is_no_access() -> None:
    body = "FOR(i, n) { float s; INIT(&s, zero); FOR(j, m) UPDATE(&s, x[i][j], add); a[i] = s; }"
    scop = modelled(body)
    (kill,) = (s.name for s in scop.statements if s.kind.value == "kill")
    assert not meet(scop, [kill], [s.name for s in scop.statements])
