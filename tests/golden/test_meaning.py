"""The comparison by meaning that the goldens rely on must itself see differences."""

from __future__ import annotations

import pytest

from tests.golden.meaning import difference


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("domain [n] -> { S[i] : 0 <= i < n }", "domain [n] -> { S[i] : i >= 0 and i <= -1 + n }"),
        ("{ A[i]; B[j] : j > 0 }", "{ B[j] : 1 <= j; A[i] }"),
        ("flow:\n  { S[i] -> T[j] : j = i }", "flow:\n    { S[i] -> T[i] }"),
        ("parameters: n\nfor { S[i] : 0 <= i < n }", "parameters: n\nfor { S[i] : i >= 0 and i <= -1 + n }"),
    ],
)
def test_same_meaning(old: str, new: str) -> None:
    assert difference(old, new) is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[n] -> { S[i] : 0 <= i < n }", "[n] -> { S[i] : 0 <= i <= n }", "new, for example"),
        ("{ S[i] -> T[i] }", "{ S[i] -> T[i] : i > 3 }", "no longer there, for example"),
        ("{ S[i] -> T[i] }", "{ S[i] }", "expected: { S[i] -> T[i] }"),
        ("parameters: n\n{ S[i] : 0 <= i < n }", "parameters: n\n{ S[i] : 0 <= i <= n }", "new, for example"),
        ("parameters: n\n{ S[i] }", "parameters: n, m\n{ S[i] }", "expected: n"),
        ("band 1 { S[i] }", "band 2 { S[i] }", "actual:   2"),
        ("{ S[i] } and more", "{ S[i] }", "expected: and"),
    ],
)
def test_other_meaning(old: str, new: str, message: str) -> None:
    found = difference(old, new)
    assert found is not None
    assert message in found
