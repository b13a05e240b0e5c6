"""Local arrays of which every point needs its own element alone."""

from __future__ import annotations

import pytest

from pencilc.analysis.box import live_domains
from pencilc.ir.schedule import Band
from pencilc.parts.contraction import is_contracted
from tests.unit.records import modelled, parts


def contracted(body: str) -> bool:
    """Whether `t` is, in the only part of the region."""
    scop = modelled(body)
    (part,) = parts(body)
    rows = (*part.host, *part.kept, *part.reduced)
    return is_contracted(scop, scop.arrays_of("t"), rows, part.body, live_domains(scop))


def test_an_element_that_is_made_and_used_at_one_point() -> None:
    assert contracted("float t[n]; FOR(i, n) { t[i] = a[i] * 2; b[i] = t[i]; }")
    assert contracted("float t[n][m]; FOR(i, n) FOR(j, m) { t[i][j] = x[i][j]; y[i][j] = t[i][j] + t[i][j]; }")


@pytest.mark.parametrize(
    "body",
    [
        "float t[n]; FOR(i, n) { if (a[i] > 0) t[i] = a[i]; b[i] = t[i]; }",
        "float t[n]; FOR(i, n) { b[i] = t[i]; t[i] = a[i]; }",
    ],
    ids=["not always made", "read first"],
)
def test_what_needs_memory(body: str) -> None:
    assert not contracted(body)


def test_an_element_of_several_points_needs_memory() -> None:
    body = "float t[n]; FOR(i, n) FOR(j, m) { t[i] = x[i][j]; y[i][j] = t[i]; }"
    scop = modelled(body)
    (part,) = parts(body)
    inner = part.body
    assert isinstance(inner, Band)
    for rows, tree, one_each in ((part.kept, inner, True), ((*part.kept, *inner.rows), inner.child, False)):
        assert is_contracted(scop, scop.arrays_of("t"), rows, tree, live_domains(scop)) is one_each


def test_a_scalar_is_no_array() -> None:
    assert not contracted("FOR(i, n) { float t = a[i]; b[i] = t; }")


def test_a_part_without_elements_holds_none() -> None:
    scop = modelled("float t[n]; FOR(i, n) { t[i] = a[i] * 2; b[i] = t[i]; }")
    assert not is_contracted(scop, scop.arrays_of("t"), (), None, live_domains(scop))
