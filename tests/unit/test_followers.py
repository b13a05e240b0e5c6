"""A second counter that is one behind the first is found by each iteration."""

from __future__ import annotations

import pytest
from pycparser import CParser

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.translate.followers import without_follower
from pencilc.frontend.translate.remedies import generated


def rewritten(loop: str) -> list[str]:
    """The loop, and what stands behind it, without their white space."""
    tree = CParser().parse(f"void f(int n, int *x) {{ int i, j; {loop} }}")
    (node,) = (each for each in nodes_below(tree) if type(each).__name__ == "For")
    made = without_follower(node)
    return [] if made.loop is node else ["".join(generated(each).split()) for each in (made.loop, *made.behind)]


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("for (int i = 0, j = n - 1; i < n; j = i++) x[j] = i;",
         ["for(inti=0;i<n;i++){intj=(i==0)?(n-1):(i-1);x[j]=i;}"]),
        ("for (int j = n, i = 2; i != n; j = i, ++i) x[j] = i;",
         ["for(inti=2;i!=n;i++){intj=(i==2)?(n):(i-1);x[j]=i;}"]),
        ("for (i = 0, j = n - 1; i < n; j = i, i++) x[j] = i;",
         ["for(i=0;i<n;i++){j=(i==0)?(n-1):(i-1);x[j]=i;}", "j=(i==0)?(n-1):(i-1)"]),
    ],
)  # fmt: skip
def test_what_becomes_of_them(loop: str, expected: list[str]) -> None:
    assert rewritten(loop) == expected


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0, j = n; i < n; i++, j = i) x[j] = i;",  # it is the same there
        "for (int i = 0, j = n; i < n; i++, j--) x[j] = i;",
        "for (int i = 0, j = n; j < n; j = i++) x[j] = i;",
        "for (int i = 0, j = n; i < n; j = i++) { x[j] = i; j++; }",
        "for (int i = 0, j = n; i < n; j = i++) { x[j] = i; i += x[i]; }",
        "for (int i = 0, j = n; i < n; j = i++) { x[j] = i; n--; }",
        "for (int i = 0, j = x[0]; i < n; j = i++) x[j] = i;",
        "for (int i = 0, j = i; i < n; j = i++) x[j] = i;",
        "for (int i = 0, j = n, k = 0; i < n; j = i++) x[j] = i;",
        "for (int i = 0, j = n; i < n; j = i--) x[j] = i;",
    ],
)
def test_what_stays(loop: str) -> None:
    assert rewritten(loop) == []
