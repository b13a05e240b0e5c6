"""The measuring loop: turns in random order, a cold cache each time, and a host that must keep ahead of the device."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pytest

from pencilc.tune.measure import FIRST_SPIN, LONGEST_SPIN, Plan, Rival, Timing, interleaved, quantile


@dataclass
class FakeTimer:
    """A device on which the host needs `host_s` to queue the work, and the work takes what `cost` says."""

    host_s: float = 10e-6
    log: list[str] = field(default_factory=list)
    spins: list[float] = field(default_factory=list)
    cost: float = 0.0

    def prepare(self, spin_s: float) -> None:
        self.log.append("prepare")
        self.spins.append(spin_s)

    def begin(self) -> None:
        self.log.append("begin")

    def end(self) -> None:
        self.log.append("end")

    def is_queued(self) -> bool:
        return self.spins[-1] > self.host_s

    def finish(self) -> float:
        self.log.append("finish")
        return self.cost if self.is_queued() else self.cost + self.host_s


def rivals(timer: FakeTimer, costs: dict[str, float]) -> dict[str, Rival]:
    def run(name: str) -> None:
        timer.log.append(name)
        timer.cost = costs[name]

    return {name: Rival(lambda name=name: run(name)) for name in costs}  # type: ignore[misc]


COSTS = {"a": 1e-3, "b": 2e-3, "c": 3e-3}


def test_every_rival_gets_its_samples() -> None:
    timer = FakeTimer()
    found = interleaved(timer, rivals(timer, COSTS), Plan(samples=12, warmups=2))
    assert {name: timing.median for name, timing in found.items()} == COSTS
    assert all(len(timing.seconds) == 12 and not timing.late for timing in found.values())
    assert Counter(timer.log)["a"] == 14


def test_a_sample_is_prepared_then_enclosed_by_events() -> None:
    timer = FakeTimer()
    interleaved(timer, rivals(timer, {"a": 1.0}), Plan(samples=1, warmups=0))
    assert timer.log == ["prepare", "begin", "a", "end", "finish"]


def test_rivals_take_turns_in_changing_order() -> None:
    timer = FakeTimer()
    interleaved(timer, rivals(timer, COSTS), Plan(samples=20, warmups=0))
    names = [word for word in timer.log if word in COSTS]
    rounds = [tuple(names[k : k + 3]) for k in range(0, len(names), 3)]
    assert all(sorted(one) == ["a", "b", "c"] for one in rounds)
    assert len(set(rounds)) > 3


def test_the_order_depends_on_the_seed_alone() -> None:
    logs = []
    for seed in (1, 1, 2):
        timer = FakeTimer()
        interleaved(timer, rivals(timer, COSTS), Plan(samples=20, warmups=0, seed=seed))
        logs.append(timer.log)
    assert logs[0] == logs[1] != logs[2]


def test_a_late_host_spins_longer_and_its_sample_is_thrown_away() -> None:
    timer = FakeTimer(host_s=3 * FIRST_SPIN)
    found = interleaved(timer, rivals(timer, {"a": 1e-3}), Plan(samples=10, warmups=0))
    assert timer.spins[:3] == [FIRST_SPIN, 2 * FIRST_SPIN, 4 * FIRST_SPIN]
    assert set(timer.spins[3:]) == {4 * FIRST_SPIN}, "the longer spin is kept for the samples that follow"
    assert found["a"] == Timing((1e-3,) * 10, late=False)


def test_a_host_that_is_always_late_is_told() -> None:
    timer = FakeTimer(host_s=1.0)
    found = interleaved(timer, rivals(timer, {"a": 1e-3}), Plan(samples=10, warmups=0))
    assert found["a"].late and max(timer.spins) < 2 * LONGEST_SPIN


def test_what_waits_for_its_result_cannot_be_queued_ahead() -> None:
    timer = FakeTimer(host_s=1.0)
    found = interleaved(timer, {"a": Rival(lambda: None, synchronous=True)}, Plan(samples=10, warmups=0))
    assert not found["a"].late and len(timer.spins) == 10


def test_things_are_put_in_order_before_the_cache_is_flushed() -> None:
    timer = FakeTimer()
    rival = Rival(lambda: timer.log.append("run"), before=lambda: timer.log.append("restore"))
    interleaved(timer, {"a": rival}, Plan(samples=1, warmups=0))
    assert timer.log == ["restore", "prepare", "begin", "run", "end", "finish"]


def test_quantiles() -> None:
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert quantile([1.0, 2.0], 0.5) == 1.5
    assert quantile([float(k) for k in range(11)], 0.1) == 1.0
    with pytest.raises(ValueError, match="no samples"):
        quantile([], 0.5)
    timing = Timing(tuple(float(k) for k in range(1, 12)))
    assert (timing.p10, timing.median, timing.p90) == (2.0, 6.0, 10.0)
    assert timing.spread == pytest.approx(8 / 6)
