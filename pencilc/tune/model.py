"""A guess of what a candidate costs, learnt from the samples of this machine.

With scikit-learn (`pip install 'pencilc[tune]'`) an ensemble of regression trees over the logarithms of the
parameters; its trees disagree where little is known, which is where it is worth looking.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Sequence
from typing import Any, Protocol

from pencilc.tune.space import Candidate


class Model(Protocol):
    """Learns costs and guesses those of other candidates."""

    def fit(self, known: Sequence[tuple[Candidate, float]]) -> None:
        """Learn from candidates and their costs; costs are positive."""

    def guess(self, candidates: Sequence[Candidate]) -> list[float]:
        """An optimistic guess for each candidate; only the order counts."""


def features(candidate: Candidate) -> list[float]:
    """The logarithms of the parameters, and their sum, which stands for products of two."""
    logs = [math.log2(value) for _, value in candidate]
    return [*logs, sum(logs)]


class ForestModel:
    """Extremely randomised trees; the guess is the mean less one deviation of the trees."""

    def __init__(self, seed: int) -> None:
        from sklearn.ensemble import ExtraTreesRegressor

        self._forest: Any = ExtraTreesRegressor(n_estimators=100, random_state=seed, min_samples_leaf=2)

    def fit(self, known: Sequence[tuple[Candidate, float]]) -> None:
        """See `Model`."""
        self._forest.fit([features(c) for c, _ in known], [math.log(cost) for _, cost in known])

    def guess(self, candidates: Sequence[Candidate]) -> list[float]:
        """See `Model`."""
        rows = [features(c) for c in candidates]
        trees = [tree.predict(rows) for tree in self._forest.estimators_]
        guesses = []
        for column in zip(*trees, strict=True):
            mean = sum(column) / len(column)
            guesses.append(mean - math.sqrt(sum((x - mean) ** 2 for x in column) / len(column)))
        return guesses


def forest(seed: int) -> Model | None:
    """The forest where scikit-learn is installed."""
    return ForestModel(seed) if importlib.util.find_spec("sklearn") else None
