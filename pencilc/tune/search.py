"""The search for the best launch parameters of one kernel; it knows nothing of GPUs.

A small space is searched exhaustively.  A large one either by a model (`model.py`) that proposes what to measure next,
or, without one, by successive halving: many random candidates with few samples, the better third of them with three
times as many, and so on.  In the end every parameter that makes no difference goes back to its start value.  The same
seed proposes the same candidates, so a search that was interrupted is resumed by running it again over the samples
that were kept.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Literal, Protocol

from pencilc.records import dataclass
from pencilc.tune.model import Model
from pencilc.tune.space import Candidate, Space

Strategy = Literal["exhaustive", "model", "halving"]

BATCH = 12  # candidates that are built and measured together
FIRST = 24  # random candidates that a model starts from
STALE = 3  # batches without a better candidate that end a search by a model
PART = 3  # of the candidates, one in so many reaches the next round of a halving
LEAST_SAMPLES = 5
NEXT_TO_NOTHING = 0.005  # of the cost


@dataclass(frozen=True, slots=True)
class Sample:
    """A measured candidate: its cost (infinite if it cannot be built or is wrong), spread, and why it failed."""

    cost: float
    spread: float = 0.0
    reason: str = ""


class Measure(Protocol):
    """Measures candidates with so many samples each; what it raises ends the search."""

    def __call__(self, candidates: Sequence[Candidate], samples: int) -> Sequence[Sample]:
        """One `Sample` for each candidate, in order."""


Progress = Callable[["Search"], None]


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """What a search may spend: `budget` measurements of `samples` samples; of `exhaustive` candidates it takes all."""

    budget: int = 200
    samples: int = 21
    exhaustive: int = 200
    seed: int = 0


@dataclass(slots=True)
class Search:
    """One search and what it has found; `known` may hold samples of an earlier run."""

    space: Space
    measure: Measure
    limits: SearchLimits
    model: Model | None = None
    progress: Progress = lambda search: None
    known: dict[tuple[Candidate, int], Sample] = field(default_factory=dict)
    keep: Callable[[Candidate, int, Sample], None] = lambda candidate, samples, sample: None
    asked: int = 0  # candidates looked at, kept ones included
    measured: int = 0
    interrupted: bool = False
    _best: dict[int, tuple[float, Candidate]] = field(default_factory=dict)

    @property
    def strategy(self) -> Strategy:
        """How this space is searched."""
        if self.space.size <= min(self.limits.exhaustive, self.limits.budget):
            return "exhaustive"
        return "halving" if self.model is None else "model"

    @property
    def planned(self) -> int:
        """How many candidates the search looks at, at most."""
        if self.strategy == "exhaustive":
            return self.space.size
        return sum(count for count, _ in _rounds(self.limits)) if self.strategy == "halving" else self.limits.budget

    def best(self) -> tuple[Candidate, float]:
        """The best candidate among those with the most samples, and its cost; the start values before any."""
        if not self._best:
            return self.space.start, math.inf
        cost, candidate = self._best[max(self._best)]
        return candidate, cost

    def run(self) -> Candidate:
        """Search; Ctrl-C ends it with what was found so far (`interrupted`)."""
        steps = {"exhaustive": self._exhaustive, "model": self._by_model, "halving": self._halving}
        try:
            steps[self.strategy]()
            self._simplify()
        except KeyboardInterrupt:
            self.interrupted = True
        return self.best()[0]

    # ---- strategies

    def _exhaustive(self) -> None:
        self._measure(list(self.space.candidates()), self.limits.samples)

    def _by_model(self) -> None:
        assert self.model is not None
        rng = random.Random(self.limits.seed)
        everything = list(self.space.candidates())
        costs = self._measure(_start_and_random(everything, FIRST, rng), self.limits.samples)
        stale = 0
        while self.asked < self.limits.budget and len(costs) < len(everything) and stale < STALE:
            before = min(costs.values())
            left = [c for c in everything if c not in costs]
            count = min(BATCH, self.limits.budget - self.asked)
            costs |= self._measure(self._proposed(costs, left, count, rng), self.limits.samples)
            stale = 0 if min(costs.values()) < before else stale + 1

    def _proposed(
        self, costs: dict[Candidate, float], left: list[Candidate], count: int, rng: random.Random
    ) -> list[Candidate]:
        """What the model thinks best, and one in six drawn at random: a model can be wrong everywhere."""
        finite = [(c, cost) for c, cost in costs.items() if math.isfinite(cost)]
        if len(finite) < 2:
            return rng.sample(left, min(count, len(left)))
        assert self.model is not None
        self.model.fit(finite)
        ranked = [c for _, c in sorted(zip(self.model.guess(left), left, strict=True))]
        chosen = ranked[: count - count // 6]
        rest = ranked[len(chosen) :]
        return chosen + rng.sample(rest, min(count - len(chosen), len(rest)))

    def _halving(self) -> None:
        rng = random.Random(self.limits.seed)
        rounds = _rounds(self.limits)
        alive = _start_and_random(list(self.space.candidates()), rounds[0][0], rng)
        for count, samples in rounds:
            alive = alive[:count]
            costs = self._measure(alive, samples)
            # The start values stay in, so that the last round compares with them.
            alive = sorted(alive, key=lambda c: (c != self.space.start, costs[c], c))

    def _simplify(self) -> None:
        """Take back, one after the other, what costs next to nothing to take back."""
        chosen, cost = self.best()
        for name, _ in self.space.changed(chosen):
            start = dict(self.space.start)[name]
            plainer = tuple((n, start if n == name else v) for n, v in chosen)
            if (plain := self._measure([plainer], self.limits.samples)[plainer]) <= cost * (1 + NEXT_TO_NOTHING):
                chosen = plainer
                self._best[self.limits.samples] = plain, plainer

    # ---- measuring

    def _measure(self, candidates: Sequence[Candidate], samples: int) -> dict[Candidate, float]:
        """The cost of each candidate, measured in batches where it is not known yet."""
        costs = {}
        for first in range(0, len(candidates), BATCH):
            batch = candidates[first : first + BATCH]
            missing = [c for c in batch if (c, samples) not in self.known]
            if missing:
                for candidate, sample in zip(missing, self.measure(missing, samples), strict=True):
                    self.known[candidate, samples] = sample
                    self.keep(candidate, samples, sample)
                self.measured += len(missing)
            for candidate in batch:
                costs[candidate] = self.known[candidate, samples].cost
                self._note(candidate, samples, costs[candidate])
            self.asked += len(batch)
            self.progress(self)
        return costs

    def _note(self, candidate: Candidate, samples: int, cost: float) -> None:
        """Keep the best one; the start values win a tie."""
        known = self._best.get(samples)
        if math.isfinite(cost) and (known is None or cost < known[0]):
            self._best[samples] = cost, candidate


def _start_and_random(everything: list[Candidate], count: int, rng: random.Random) -> list[Candidate]:
    """The start values and others drawn at random, `count` in all."""
    return [everything[0], *rng.sample(everything[1:], min(count, len(everything)) - 1)]


def _rounds(limits: SearchLimits) -> list[tuple[int, int]]:
    """(candidates, samples of each) of every round of a halving; all together take what the budget allows."""
    samples = [min(LEAST_SAMPLES, limits.samples)]
    while samples[-1] < limits.samples:
        samples.append(min(PART * samples[-1], limits.samples))
    share = sum(count / PART**k for k, count in enumerate(samples))
    first = limits.budget * limits.samples / share
    return [(max(2, round(first / PART**k)), count) for k, count in enumerate(samples)]
