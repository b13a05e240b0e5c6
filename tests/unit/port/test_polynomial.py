"""Extents are polynomials: arithmetic, comparison, and their text."""

from __future__ import annotations

import pytest

from pencilc.port.polynomial import Polynomial, larger, spelled

N, M, ONE = Polynomial.name("n"), Polynomial.name("m"), Polynomial.number(1)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (N * M, "n * m"),
        (N + ONE, "n + 1"),
        (N - M + ONE, "n - m + 1"),
        ((N + ONE) * (M + ONE), "(m + 1) * (n + 1)"),
        (Polynomial.number(3) * N * M, "3 * n * m"),
        (N - N, "0"),
        ((N + ONE) * (N + ONE), "(n + 1) * (n + 1)"),
        ((N + ONE + ONE) * (N + ONE) * (N + ONE), "(n + 1) * (n + 1) * (n + 2)"),
        (N * N + N - ONE - ONE, "(n - 1) * (n + 2)"),
        (N * N + N + ONE, "n * n + n + 1"),
    ],
)
def test_text(value: Polynomial, text: str) -> None:
    assert spelled(value) == text


def test_numbers_have_the_names_of_the_file() -> None:
    assert spelled(Polynomial.number(64) * N, {64: "SIZE"}) == "SIZE * n"


def test_a_bound_stands_where_the_counter_stood() -> None:
    """`i * m + j` with `i` at most `n - 1` and `j` at most `m - 1`: the product is spelled as the subscript was."""
    subscript = Polynomial.name("i") * M + Polynomial.name("j")
    rows = subscript.with_value("i", N - ONE)
    assert rows is not None
    last = rows.with_value("j", M - ONE)
    assert last is not None and spelled(last + ONE) == "n * m"


def test_larger() -> None:
    assert larger(N, N + ONE) == N + ONE
    assert larger(N * M, N * M - M) == N * M
    assert larger(N, M) is None


def test_a_sum_is_divided_out() -> None:
    for value in (N * N + N + ONE, N * M + M, M):
        quotient, rest = value.divided_by_sum("n", 2)
        assert quotient * (N + ONE + ONE) + rest == value and "n" not in rest.names()
    assert [str(each.coefficients()) for each in (N * N * M + N).by_powers("n")] == ["{}", "{(): 1}", "{('m',): 1}"]


def test_powers_are_not_split() -> None:
    assert (N * N).split("n") is None
    parts = (N * M + M).split("n")
    assert parts is not None and parts == (M, M)
