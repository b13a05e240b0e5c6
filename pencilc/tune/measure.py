"""How a kernel is timed: beside its rivals, in random order, with a cold cache and everything queued beforehand.

One sample: the second-level cache is flushed, a kernel that spins keeps the stream busy while the host queues the
first event, the launches and the second event; the time between the events is the sample.  When the stream had come
to the first event before all was queued, the host was measured and not the device: the sample is thrown away and the
next spin is twice as long.  Rivals take turns in an order that is drawn anew for each round, so that a drift of the
clock or of the temperature meets all of them.

This module needs nothing but Python, so that `bench/gpu` can use it on a machine that has no more.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from pencilc.records import dataclass

FIRST_SPIN = 200e-6
LONGEST_SPIN = 50e-3


class Timer(Protocol):
    """The device as the loop sees it; `device.Device` is the real one."""

    def prepare(self, spin_s: float) -> None:
        """Flush the cache and keep the stream busy for about `spin_s` seconds; 0: not at all."""

    def begin(self) -> None:
        """Queue the first event."""

    def end(self) -> None:
        """Queue the second event."""

    def is_queued(self) -> bool:
        """Whether the first event has not been reached yet."""

    def finish(self) -> float:
        """Wait for the second event; the seconds between the two."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured: `samples` of each rival after `warmups`, with random orders from `seed`."""

    samples: int = 21
    warmups: int = 3
    seed: int = 0
    queued: bool = True  # False: the host may be late (a device that runs launches at once, as the CPU executor does)


@dataclass(frozen=True, slots=True)
class Rival:
    """What is timed: `run` queues its launches.  `synchronous`: it waits for its result, and is timed with that.

    `before` puts things in order ahead of every sample and is not timed.
    """

    run: Callable[[], None]
    synchronous: bool = False
    before: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """The samples of one rival in seconds, in the order they were taken; `late`: the host did not keep ahead."""

    seconds: tuple[float, ...]
    late: bool = False

    @property
    def median(self) -> float:
        """The middle sample."""
        return quantile(self.seconds, 0.5)

    @property
    def p10(self) -> float:
        """The sample that one in ten is faster than."""
        return quantile(self.seconds, 0.1)

    @property
    def p90(self) -> float:
        """The sample that one in ten is slower than."""
        return quantile(self.seconds, 0.9)

    @property
    def spread(self) -> float:
        """(p90 - p10) / median; 0 for a median of 0."""
        return (self.p90 - self.p10) / self.median if self.median else 0.0


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which `part` of all lie, between two samples in proportion; raises ValueError for none."""
    if not values:
        raise ValueError("no samples")
    ordered = sorted(values)
    place = part * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def interleaved(timer: Timer, rivals: Mapping[str, Rival], plan: Plan) -> dict[str, Timing]:
    """`plan.samples` of each rival, taken in turns."""
    rng = random.Random(plan.seed)
    spins = dict.fromkeys(rivals, FIRST_SPIN if plan.queued else 0.0)
    seconds: dict[str, list[float]] = {name: [] for name in rivals}
    late: set[str] = set()
    for number in range(plan.warmups + plan.samples):
        order = list(rivals)
        rng.shuffle(order)
        for name in order:
            sample, spins[name], in_time = _sample(timer, rivals[name], spins[name], plan.queued)
            if number >= plan.warmups:
                seconds[name].append(sample)
                late |= set() if in_time else {name}
    return {name: Timing(tuple(taken), name in late) for name, taken in seconds.items()}


def _sample(timer: Timer, rival: Rival, spin_s: float, queued: bool) -> tuple[float, float, bool]:
    """One sample in seconds, the spin that the next one should have, and whether the host kept ahead."""
    while True:
        if rival.before is not None:
            rival.before()
        timer.prepare(spin_s)
        timer.begin()
        rival.run()
        timer.end()
        in_time = not queued or rival.synchronous or timer.is_queued()
        sample = timer.finish()
        if in_time or spin_s >= LONGEST_SPIN:
            return sample, spin_s, in_time
        spin_s *= 2
