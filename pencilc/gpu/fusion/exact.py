"""The cheapest set of fusions of a small graph, found exactly.

A plan is a list of groups of which each waits for earlier ones alone, so what has been done at any time is closed
under dependences.  There are few such sets in a small graph: dynamic programming over them looks at every legal plan,
and at none with a cycle.

What a group takes is known only when somebody has tried to build it, which is slow.  A bound that is never above it
is enough as long as the group is in no best plan: groups are measured when they turn up in one.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.gpu.fusion.graph import Graph
from pencilc.records import dataclass

Value = tuple[float, ...]  # what is minimised, the most important figure first


@dataclass(frozen=True, slots=True)
class LaunchGroup:
    """Items as one launch, in one way; `value` is what it takes, or a bound below that if it is not `measured`."""

    items: int
    way: str
    value: Value
    measured: bool


def cheapest(
    graph: Graph, groups: Seq[LaunchGroup], measure: Callable[[LaunchGroup], Value | None], trials: int
) -> tuple[LaunchGroup, ...] | None:
    """The plan of least value; None where that takes more than `trials` measurements.

    `groups` holds every item by itself as well, measured.  `measure` tells what a group takes, None if it cannot be.
    """
    left = list(groups)
    while True:
        plan = _best_plan(graph, left)
        unknown = [group for group in plan if not group.measured]
        if not unknown:
            return plan
        trials -= len(unknown)
        if trials < 0:
            return None
        for group in unknown:
            left.remove(group)
            value = measure(group)
            if value is not None:
                left.append(replace(group, value=value, measured=True))


def _best_plan(graph: Graph, groups: Seq[LaunchGroup]) -> tuple[LaunchGroup, ...]:
    """The cheapest plan if the values of all groups were what they take; of equal ones that with the fewest groups."""
    steps = [(group.items, graph.needs(group.items), group) for group in groups]
    whole = (1 << len(graph.before)) - 1
    best: dict[int, tuple[Value, tuple[LaunchGroup, ...]]] = {0: ((), ())}
    for size in range(len(graph.before)):
        for done in sorted(d for d in best if d.bit_count() == size):
            value, plan = best[done]
            for items, needs, group in steps:
                if items & done or needs & ~done:
                    continue
                total = tuple(map(sum, zip(value, group.value, strict=True))) if value else group.value
                known = best.get(done | items)
                if known is None or (total, len(plan) + 1) < (known[0], len(known[1])):
                    best[done | items] = (total, (*plan, group))
    return best[whole][1]
