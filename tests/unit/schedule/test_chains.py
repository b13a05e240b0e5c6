"""How long a schedule takes at nominal sizes."""

from __future__ import annotations

import pytest

from pencilc.analysis.nominal import NOMINAL
from pencilc.ir.schedule import Leaf, Sequence, Tree, has_parallelism
from pencilc.schedule.chains import LAUNCH, chain, is_sequential, nominal_domains
from tests.unit.schedule.problems import band, problem, statement

S = statement("[n] -> { S[i, j] : 0 <= i < n and 0 <= j < 5 }", 0, 1)
T = statement("[n] -> { T[i] : 0 <= i < n }", 0)
DOMAINS = nominal_domains(problem([S, T]))
OUTER = "[n] -> { S[i, j] -> [(i)]; T[i] -> [(i)] }"
INNER_I, INNER_J = "[n] -> { S[i, j] -> [(i)] }", "[n] -> { S[i, j] -> [(j)] }"
LEAF = Leaf("S")


@pytest.mark.parametrize(
    ("tree", "steps"),
    [
        (LEAF, 1),
        (band("s", INNER_I, child=LEAF), NOMINAL),
        (band("s", INNER_I, child=band("s", INNER_J, child=LEAF)), 5 * NOMINAL),
        (band("P", INNER_I, child=LEAF), LAUNCH + 1),
        (band("P", INNER_I, child=band("s", INNER_J, child=LEAF)), LAUNCH + 5),
        (band("s", INNER_J, child=band("P", INNER_I, child=LEAF)), 5 * (LAUNCH + 1)),
        (band("s", OUTER, child=Sequence((LEAF, Leaf("T")))), 2 * NOMINAL),
        (band("s", OUTER, child=Sequence((band("R", INNER_J, child=LEAF), Leaf("T")))), NOMINAL * (LAUNCH + 2)),
    ],
)
def test_steps(tree: Tree, steps: int) -> None:
    assert chain(tree, DOMAINS) == steps


def test_what_is_dealt_out_and_what_is_not() -> None:
    mixed = band("s", INNER_I, child=band("P", INNER_J, child=LEAF))
    assert has_parallelism(mixed) and is_sequential(mixed)
    assert not has_parallelism(LEAF) and not is_sequential(LEAF)
    assert not is_sequential(band("R", INNER_I, child=LEAF)) and not has_parallelism(band("s", INNER_I, child=LEAF))


def test_sizes_for_which_there_are_points() -> None:
    below = statement("[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < 5 and n > m > 7 }", 0, 1)
    assert chain(band("s", "[n, m] -> { S[i, j] -> [(i)] }", child=LEAF), nominal_domains(problem([below]))) == NOMINAL
