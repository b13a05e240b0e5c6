"""Who owns the result of a reduction: whether each kept point of a part has results of its own.

[i P]{ [j R]{S2}; M0 }      S2[i, j] adds to s[i]: the kept point i owns it
[i R]{S1}; [b P]{M0}        S1[i] adds to hist[pix[i]]: nobody owns it, it is accumulated in place
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Sequence as Seq
from functools import cached_property

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import Domains, at_rows, fixed
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Dependences, Reduction, Scop
from pencilc.parts.in_place import reducing
from pencilc.parts.part import Part, Unmappable, part_statements


class Owners:
    """Answers for the parts of one region, in order; `domains`: those of the statements within the context."""

    def __init__(self, scop: Scop, domains: Domains, parts: Seq[Part], dependences: Dependences) -> None:
        self.scop, self.domains, self.parts, self.dependences = scop, domains, tuple(parts), dependences

    @cached_property
    def overwrites(self) -> isl.UnionMap:
        """{ S[i] -> T[j] }: T overwrites what S has read or written."""
        return self.dependences.anti.union(self.dependences.output)

    @cached_property
    def overwriting(self) -> set[str]:
        """The statements that overwrite what others have read or written."""
        return {islx.set_name(points) for points in islx.sets_of(self.overwrites.range())}

    def sharers(self, reduction: Reduction) -> list[Part]:
        """The parts that hold updates or the merge node of the reduction, in order."""
        wanted = {*reduction.updates, reduction.merge}
        return [p for p in self.parts if wanted & set(part_statements(p))]

    def check_spread(self, part: Part, reduction: Reduction, body: Collection[str]) -> None:
        """Updates in several loops are several kernels, each going on from the value that the last one left.

        That needs the same kept rows and one place in the host loops for all, and nobody who still wants the old value;
        raises Unmappable.
        """
        if not reduction.r2m.is_single_valued():
            raise Unmappable(f"`{self.scop.spelling(reduction.array)}` is an indirect reduction")
        if set(reduction.updates) <= {*body, *part.post} and reduction.merge in part.post:
            return
        sharers = self.sharers(reduction)
        ordered = bool(sharers) and reduction.merge in sharers[-1].post
        simple = all(p.reduced and p.kept == part.kept and p.host == part.host for p in sharers)
        if not (ordered and simple) or self._is_wanted_later(reduction):
            raise Unmappable(f"the updates of `{self.scop.spelling(reduction.array)}` are spread over several loops")

    def without_owner(self, part: Part) -> list[Reduction]:
        """The reductions of `part` whose results no kept point owns."""
        body = set(statements_of(part.body)) if part.body else set()
        host = tuple(f"host{k}" for k in range(len(part.host)))
        found = []
        for reduction in reducing(self.scop, part):
            merge = fixed({reduction.merge: self.domains[reduction.merge]}, part.host, host)
            try:
                self.check_spread(part, reduction, body)
                owned = has_one_merge(part, reduction, merge)
            except Unmappable:
                owned = False
            if not owned:
                found.append(reduction)
        return found

    def check_old_values(self, reduction: Reduction) -> None:
        """The initialisation moves in front of the first update: whoever wants the old value must come before.

        Raises Unmappable.
        """
        if self._is_wanted_later(reduction):
            raise Unmappable(
                f"the old value of `{self.scop.spelling(reduction.array)}` is wanted after its first update"
            )

    def _is_wanted_later(self, reduction: Reduction) -> bool:
        """Whether what a reduction overwrites is wanted in the part of its first update, or behind that."""
        if reduction.merge not in self.overwriting:
            return False
        order = {name: k for k, part in enumerate(self.parts) for name in part_statements(part)}
        host = next((part.host for part in self.parts if reduction.merge in part_statements(part)), ())
        first = min((order[u] for u in reduction.updates if u in order), default=0)
        for pairs in islx.maps_of(self.overwrites):
            reader = islx.in_name(pairs)
            if islx.out_name(pairs) != reduction.merge or reader in (*reduction.updates, reduction.merge):
                continue
            for functions in (islx.pw_affs_of(row.function) for row in host):
                if reader in functions:
                    pairs = pairs.intersect(functions[reader].eq_map(functions[reduction.merge]))
            if order.get(reader, -1) >= first and not pairs.is_empty():
                return True
        return False


def has_one_merge(part: Part, reduction: Reduction, domains: Domains) -> bool:
    """Whether each kept point has one merge node instance and each update belongs to one."""
    merge = domains[reduction.merge]
    relation = at_rows(merge, part.kept, reduction.merge)
    return bool(relation.intersect_domain(merge).is_injective()) and bool(reduction.r2m.is_single_valued())
