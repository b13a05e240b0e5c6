"""Scalar parts beside a reduction become part of it."""

from __future__ import annotations

from pencilc.analysis.box import live_domains
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.partition import partition
from pencilc.gpu.records import MappingSettings, ScheduledRegion
from pencilc.gpu.shapes.split import MOST_CARRIED, split
from pencilc.ir.scop import Scop
from pencilc.options import CompileOptions
from pencilc.parts.part import Items, Part
from pencilc.parts.prologues import beginnings, fold_prologues
from tests.unit.records import HEAD, TAIL, cut_items, modelled, told


def folded(body: str) -> tuple[list[str], list[str]]:
    """The parts before and after."""
    items = cut_items(body)
    return told(items), told(fold_prologues(modelled(body), items))


def test_a_scalar_that_the_elements_use_is_computed_by_every_thread() -> None:
    body = "FOR(i, n) { float s = b[i]; INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j] * s, add); }"
    assert folded(body) == (["P|: S1", "P|R: S3; M0"], ["P|R: (S1) S3; M0"])


def test_a_loop_beside_a_scalar_is_no_prologue() -> None:
    """What each thread would add up in order has iterations that come one behind the other."""
    body = """FOR(i, n) {
        float s = b[i];
        FOR(j, m) s = s * x[i][j];
        INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j], add);
        c[i] = s;
    }"""
    before, after = folded(body)
    assert after == before == ["P|: S1 S2", "P|R: S4; M0", "P|: S5"]


def test_inside_of_a_loop_on_the_host() -> None:
    body = """FOR(t, 9) {
        FOR(i, n) { float s = b[i]; INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j] * s, add); }
        FOR(i, n) b[i] = a[n - 1 - i];
    }"""
    assert folded(body)[1] == ["for {P|R: (S1) S3; M0 / P|: S4}"]


def test_what_others_see_is_written_once() -> None:
    """Every thread would write `c[i]`, or what the reduction overwrites."""
    body = "FOR(i, n) { c[i] = b[i]; INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j] * c[i], add); }"
    before, after = folded(body)
    assert after == before == ["P|: S0", "P|R: S2; M0"]


def test_a_scalar_that_another_part_uses_is_written_once() -> None:
    body = """FOR(i, n) {
        float s = b[i];
        INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j] * s, add);
        FOR(j, m) y[i][m - 1 - j] = x[i][j] * s * a[i];
    }"""
    before, after = folded(body)
    assert after == before and len(after) == 3


def test_what_a_scalar_reads_must_not_change() -> None:
    """The result that the reduction leaves is what the scalar is computed from."""
    body = """FOR(i, n) {
        float s = a[i];
        INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j] * s, add);
    }"""
    before, after = folded(body)
    assert after == before == ["P|: S1", "P|R: S3; M0"]


def test_what_a_reduction_has_nothing_to_do_with_is_done_behind_it() -> None:
    body = "FOR(i, n) { c[i] = b[i]; INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j] * b[i], add); }"
    assert folded(body) == (["P|: S0", "P|R: S2; M0"], ["P|R: S2; M0 S0"])


def test_a_part_with_other_rows_stays() -> None:
    body = "float s = b[0]; FOR(i, n) { INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j] * s, add); }"
    before, after = folded(body)
    assert after == before and len(after) == 2


def test_nothing_to_fold() -> None:
    assert fold_prologues(modelled("int k;"), ()) == ()


def detected(body: str) -> tuple[Scop, Items]:
    """The parts of a region whose sums of integers are plain code."""
    done = compile_source(SourceFile("f.c", HEAD + body + TAIL), CompileOptions(), "schedule")
    (found,) = done.scheduled
    region = ScheduledRegion(found, MappingSettings.of(CompileOptions()), live_domains(found.scop))
    return found.scop, partition(region).items


def parts_of_detected(body: str) -> list[str]:
    return told(detected(body)[1])


def test_what_sums_go_on_from_stays_with_the_first_where_they_are_taken_apart() -> None:
    """It stands in front of all merge nodes."""
    scop, items = detected("FOR(i, n) { p[i] = h[i]; q[i] = 7 * i; FOR(j, m) { p[i] += h[j]; q[i] += 2 * h[j]; } }")
    assert told(items) == ["P|R: S4 S5; S0 S1 M0 M1"]
    (part,) = items
    assert isinstance(part, Part) and beginnings(scop, part) == ("S0", "S1")
    assert told(split(scop, items, lambda reduction: MOST_CARRIED)) == ["P|R: S4; S0 S1 M0", "P|R: S5; M1"]


def test_what_a_sum_goes_on_from_is_set_behind_its_elements() -> None:
    assert parts_of_detected("FOR(i, n) { int s = p[i]; FOR(j, m) s += q[j] * (int)i; p[i] = s; }") == [
        "P|R: S3; S1 M0 S4"
    ]
    assert parts_of_detected("FOR(k, n) p[k] = 7 * k; FOR(i, n) FOR(j, m) p[i] += q[j];") == ["P|R: S2; S0 M0"]


def test_elements_that_read_what_is_set_come_behind_it() -> None:
    body = "FOR(i, n) { p[i] = 7; b[i] = 2.0f; FOR(j, m) p[i] += q[j] * (int)b[i]; }"
    assert [part.partition(":")[0] for part in parts_of_detected(body)] == ["P|", "P|R"]


def test_bins_are_set_before_values_go_to_them() -> None:
    parts = parts_of_detected("FOR(k, 40) h[k] = q[0] * k; FOR(i, n) h[p[i]] += 3;")
    assert [part.partition(":")[0] for part in parts] == ["P|", "|R"]
