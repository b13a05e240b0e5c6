"""Scalars that every kernel computes for itself."""

from __future__ import annotations

import pytest

from pencilc.parts.uniform import uniform_statements
from tests.unit.records import modelled


def uniform(body: str) -> dict[str, str]:
    """The scalars by the statement that computes them."""
    return uniform_statements(modelled(body + " FOR(i, n) a[i] = s;"))


def test_a_scalar_of_parameters() -> None:
    assert uniform("float s = (float)n * (float)m;") == {"s": "S1"}


def test_a_scalar_of_other_such_scalars() -> None:
    assert uniform("float r = (float)n; float s = r + 1;") == {"r": "S1", "s": "S3"}


@pytest.mark.parametrize("value", ["1.0 / sqrtf(n)", "expf(-fabsf((float)n))", "fmax(n, m) + ceil(n / 3.0)"])
def test_calls_that_take_few_instructions(value: str) -> None:
    assert uniform(f"float s = {value};") == {"s": "S1"}


@pytest.mark.parametrize(
    "body",
    [
        "float s = b[0];",
        "float s; if (n * m > 7) s = 2;",
        "float s; if (n > 3) s = 2;",
        "float s = powf(2, n);",
        "float s = larger(n, m);",
        "double s = exp((double)n);",
        "float r = b[0]; float s = r + n;",
        "float s = 0; FOR(i, n) s = i;",
    ],
    ids=["reads", "guarded", "not always", "slow", "own", "slow double", "of another", "loop"],
)
def test_what_is_no_such_scalar(body: str) -> None:
    assert "s" not in uniform(body)


def test_a_condition_that_the_context_decides_is_none() -> None:
    assert uniform("__pencil_assume(n > 3); float s; if (n > 3) s = 2;") == {"s": "S1"}


def test_an_element_is_no_scalar() -> None:
    assert uniform_statements(modelled("a[0] = n; FOR(i, n) b[i] = 2;")) == {}


def test_a_value_of_an_iteration_is_computed_there() -> None:
    assert uniform_statements(modelled("FOR(i, n) { float s = n; a[i] = s; }")) == {}
