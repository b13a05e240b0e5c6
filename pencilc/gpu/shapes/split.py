"""More accumulators than a thread has registers for: several kernels, each with some of them.

    [i R]{S0 .. S299}; M0 .. M299   ->   [i R]{S0 .. S99}; M0 .. M99   [i R]{S100 .. S199}; M100 .. M199   …

Scalars that the updates need are computed by every kernel that needs them.  What an element does besides stays with
the first one.  What follows from the results comes behind the last one.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.ir.schedule import statements_of, without
from pencilc.ir.scop import AccessKind, ArrayKind, Reduction, Scop, StatementKind
from pencilc.parts.in_place import reducing
from pencilc.parts.part import Items, Part, SequentialLoop, needed, part_statements
from pencilc.parts.prologues import beginnings

# Bytes of accumulators that fit into the registers of a thread, beside what else it needs.
MOST_CARRIED = 400


def split(scop: Scop, items: Items, size: Callable[[Reduction], int]) -> Items:
    """`items` with no more accumulators in a part than fit into registers; `size`: the bytes of one."""
    found: list[Part | SequentialLoop] = []
    for item in items:
        if isinstance(item, SequentialLoop):
            found.append(replace(item, items=split(scop, item.items, size)))
        else:
            found += _Splitter(scop, item).parts(size)
    return tuple(found)


class _Splitter:
    """One part and who reads and writes what in it."""

    def __init__(self, scop: Scop, part: Part) -> None:
        self.scop, self.part = scop, part
        self.body = statements_of(part.body)
        self.beginnings = beginnings(scop, part)
        self.reductions = reducing(scop, part) if not part.indirect else []
        self.updates = {u: r.name for r in self.reductions for u in r.updates}
        self.others = tuple(s for s in self.body if s not in self.updates)

    def parts(self, size: Callable[[Reduction], int]) -> tuple[Part, ...]:
        """The part itself where its accumulators fit, or where it cannot be taken apart."""
        groups = _groups(self.reductions, size)
        if len(groups) == 1:
            return (self.part,)
        shared = [s for s in self.others if not self._is_private(s)]
        if not self._is_separable(shared):
            return (self.part,)
        return tuple(
            self._part({r.name for r in group}, shared if not number else (), not number, number == len(groups) - 1)
            for number, group in enumerate(groups)
        )

    def _part(self, names: set[str], shared: Seq[str], first: bool, last: bool) -> Part:
        """The part for the reductions `names`.

        The first has the statements `shared` and what any reduction goes on from, the last what else follows.
        """
        updates = [u for u in self.body if self.updates.get(u) in names]
        kept = {*updates, *needed(self.scop, (*updates, *shared), self.others), *shared}
        body = without(self.part.body, frozenset(self.body) - kept) if self.part.body is not None else None
        post = tuple(
            s
            for s in self.part.post
            if (owner := self._owner(s)) in names or (owner is None and (first if s in self.beginnings else last))
        )
        prologue = needed(self.scop, (*kept, *post), self.part.prologue)
        return replace(self.part, body=body, prologue=prologue, post=post)

    def _owner(self, statement: str) -> str | None:
        """The reduction that an update or a merge node behind the elements belongs to."""
        return next((r.name for r in self.reductions if statement in (r.merge, *r.updates)), None)

    def _is_separable(self, shared: Seq[str]) -> bool:
        """Whether no update, and no scalar that one needs, reads what an element writes to memory, each updates one
        variable, and no reduction ends in an element.
        """
        for name in self.others:
            if self.scop.statement(name).kind is not StatementKind.ORDINARY:
                return False
        repeated = [name for name in self.body if name not in shared]
        if self.scop.written(shared) & self.scop.read(repeated):
            return False
        inside = set(self.body)
        count = sum(len(inside & set(reduction.updates)) for reduction in self.reductions)
        return count == len(inside & self.updates.keys())

    def _is_private(self, statement: str) -> bool:
        """Whether the statement writes nothing but scalars that only this part uses."""
        inside = set(part_statements(self.part))
        for access in self.scop.statement(statement).accesses:
            if access.kind.writes or access.kind is AccessKind.UPDATE:
                array = self.scop.array(access.array)
                users = {
                    s.name
                    for s in self.scop.statements
                    if s.kind not in (StatementKind.KILL, StatementKind.INIT)
                    for a in s.accesses
                    if a.array == array.name
                }
                if array.kind is not ArrayKind.LOCAL or array.extents or not users <= inside:
                    return False
        return True


def _groups(reductions: Seq[Reduction], size: Callable[[Reduction], int]) -> list[list[Reduction]]:
    """The reductions in order, as many together as fit, about equally many in each group."""
    total = sum(map(size, reductions))
    share = total / max(1, -(-total // MOST_CARRIED))
    found: list[list[Reduction]] = [[]]
    filled = 0
    for reduction in reductions:
        if found[-1] and (filled + size(reduction) > MOST_CARRIED or filled >= share):
            found.append([])
            filled = 0
        found[-1].append(reduction)
        filled += size(reduction)
    return found
