"""What waits for what among the items of one host level; sets of items are bits of an integer.

Fused items run as one, so what any of them needs must come before all of them.  A set of fusions is legal if the
graph that is left when every group is one node has no cycle (FusionStitching, section 4):

    a -> b -> c        a and c as one would need b, which needs a: a cycle; a, b and c as one are none
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq

from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Graph:
    """`before[k]`: the items that item `k` must wait for, all of them earlier ones, not only its neighbours."""

    before: tuple[int, ...]

    @staticmethod
    def of(direct: Seq[int]) -> Graph:
        """The graph of items that wait for the earlier items `direct[k]`."""
        closed: list[int] = []
        for items in direct:
            closed.append(items)
            for item in members(items):
                closed[-1] |= closed[item]
        return Graph(tuple(closed))

    def needs(self, group: int) -> int:
        """What must come before a group, without itself."""
        found = 0
        for item in members(group):
            found |= self.before[item]
        return found & ~group

    def between(self, group: int) -> int:
        """The items that need some of the group and that others of the group need: a cycle if they stay outside."""
        return sum(1 << item for item in members(self.needs(group)) if self.before[item] & group)

    def is_independent(self, group: int) -> bool:
        """Whether no item of the group waits for another."""
        return not any(self.before[item] & group for item in members(group))

    def is_connected(self, group: int) -> bool:
        """Whether the group does not fall into parts that have nothing to do with each other."""
        found, rest = group & -group, group & (group - 1)
        while reached := sum(1 << k for k in members(rest) if self._touches(k, found)):
            found, rest = found | reached, rest & ~reached
        return not rest

    def _touches(self, item: int, group: int) -> bool:
        return bool(self.before[item] & group) or any(self.before[k] >> item & 1 for k in members(group))

    def in_order(self, groups: Seq[int]) -> tuple[int, ...] | None:
        """The groups in a legal order, that of their first items where there is a choice; None if there is a cycle."""
        done, found = 0, []
        waiting = sorted(groups, key=first)
        while waiting:
            ready = next((g for g in waiting if not self.needs(g) & ~done), None)
            if ready is None:
                return None
            waiting.remove(ready)
            done |= ready
            found.append(ready)
        return tuple(found)


def members(group: int) -> Iterator[int]:
    """The items of a group, in order."""
    while group:
        yield first(group)
        group &= group - 1


def first(group: int) -> int:
    """The first item of a group."""
    return (group & -group).bit_length() - 1
