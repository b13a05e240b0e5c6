"""Which values of a row stay in registers between stages."""

from __future__ import annotations

import pytest

from pencilc.gpu.fusion.not_fused import NotFused
from pencilc.ir.mapping import RegisterPromotion
from tests.unit.gpu.fusion.members import family, members, stitched, stitcher
from tests.unit.records import SOFTMAX

NORM = """FOR(i, n) {
    float s; INIT(&s, zero);
    FOR(j, m) UPDATE(&s, x[i][j], add);
    FOR(j, m) ELEMENT
}"""


def promotions(body: str) -> dict[str, RegisterPromotion]:
    """What is kept of the variables, by their names; not the calls."""
    return {p.symbol: p for p in stitched(body).promoted if not p.computed}


def lifetime(promotion: RegisterPromotion) -> tuple[bool, int, int, int, int]:
    """(of the row, loaded before, stored behind, first and last stage)"""
    return promotion.of_row, promotion.loaded, promotion.stored, promotion.first, promotion.last


def test_softmax() -> None:
    found = promotions(SOFTMAX)
    assert lifetime(found["max"]) == (True, -1, -1, 0, 2)
    assert lifetime(found["sum"]) == (True, -1, -1, 1, 2)
    assert lifetime(found["y"]) == (False, -1, 2, 2, 2)
    assert found["x"].loaded == 0 and not found["x"].of_row


def test_an_element_that_two_stages_read_is_loaded_once() -> None:
    found = promotions(NORM.replace("ELEMENT", "y[i][j] = x[i][j] / s;"))
    assert lifetime(found["x"]) == (False, 0, -1, 0, 1)


def test_different_elements_of_one_array_are_different_values() -> None:
    """x[i][0] is one value for the row, which every thread reads where it needs it."""
    body = NORM.replace("ELEMENT", "y[i][j] = x[i][j] / s + x[i][0];")
    values = [p for p in stitched(body).promoted if p.symbol == "x"]
    assert len(values) == 1 and len(values[0].accesses) == 2


def test_an_element_that_is_changed_is_stored_behind_the_last_change() -> None:
    found = promotions(NORM.replace("ELEMENT", "x[i][j] = x[i][j] / s;"))
    assert lifetime(found["x"]) == (False, 0, 1, 0, 1)


def test_what_others_see_is_stored() -> None:
    body = NORM.replace("float s; INIT(&s", "INIT(&a[i]").replace("UPDATE(&s", "UPDATE(&a[i]")
    found = promotions(body.replace("ELEMENT", "y[i][j] = x[i][j] / a[i];"))
    assert lifetime(found["a"]) == (True, -1, 0, 0, 1)


def test_a_local_array_of_the_row_is_nowhere_else() -> None:
    body = """FOR(i, n) {
        float s, e[m]; INIT(&s, zero);
        FOR(j, m) e[j] = expf(x[i][j]);
        FOR(j, m) UPDATE(&s, e[j], add);
        FOR(j, m) y[i][j] = e[j] / s;
    }"""
    assert "e" in stitched(body).on_chip
    e = promotions(body)["e"]
    assert (e.loaded, e.stored) == (-1, -1) and e.first < e.last


def test_a_value_of_another_point_cannot_be_served() -> None:
    body = SOFTMAX[:-1] + " FOR(j, m) x[i][j] = y[i][m - 1 - j]; }"
    with pytest.raises(NotFused, match="is written and read in different places"):
        stitcher(body).stitch(family(body), members(body))


def test_a_value_that_is_made_for_some_elements_only_goes_to_memory() -> None:
    found = promotions(NORM.replace("ELEMENT", "if (x[i][j] > s) y[i][j] = 1;"))
    assert found.keys() == {"x", "s"}
