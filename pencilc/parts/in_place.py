"""Reductions whose updates do not tell where they belong until they run: `hist[pix[i]]`.

No shape that owns its results takes them: an update may meet any bin.  They accumulate in place instead:

    [i R]{S1}; [b P]{M0, S2}   ->   [b P]{init}  INDIRECT[i R]{S1}  [b P]{S2}

The initialisation, which the merge node stands for everywhere else, runs before the first update (the dependences
see to it that nobody wants the old value by then), every update kernel adds to what is there, and the merge node
vanishes.  Any number of loops may update one reduction so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import row_on_init
from pencilc.analysis.iterators import iterator_of
from pencilc.ir.schedule import Leaf, Row, Sequence, Tree, statements_of, statements_with_rows, without
from pencilc.ir.scop import Reduction, Scop, Statement
from pencilc.ir.source import KEEP
from pencilc.parts.part import Items, Part, SequentialLoop, Unmappable, needed, part_statements, parts_of


def reducing(scop: Scop, part: Part) -> list[Reduction]:
    """The reductions that go beyond one element of `part`: it updates them and has reduced rows."""
    if not part.reduced:
        return []
    body = set(statements_of(part.body))
    return [r for r in scop.reductions if r.merge not in body and not body.isdisjoint(r.updates)]


def in_order(scop: Scop, part: Part) -> list[Reduction]:
    """The reductions that `part` updates in a loop that is not shared out, and that end in another part."""
    if part.reduced:
        return []
    body, inside = set(statements_of(part.body)), part_statements(part)
    return [r for r in scop.reductions if r.merge not in inside and not body.isdisjoint(r.updates)]


def closed(scop: Scop, parts: Seq[Part], names: Iterable[str]) -> tuple[str, ...]:
    """`names` and every reduction that shares a loop with one of them, in order."""
    found = set(names)
    together = [{reduction.name for reduction in reducing(scop, part)} for part in parts]
    grows = True
    while grows:
        before = len(found)
        for group in together:
            if group & found:
                found |= group
        grows = len(found) > before
    return tuple(reduction.name for reduction in scop.reductions_of(found))


class InPlace:
    """Rewrites the items of a region for the reductions `names`, which accumulate in place.

    `ordered`: those whose values are put in order, and so come one from each point.  `depending`: the pairs of
    statements between which there are dependences.
    """

    def __init__(
        self, scop: Scop, names: Seq[str], ordered: Iterable[str], depending: Collection[tuple[str, str]]
    ) -> None:
        self.scop, self.depending = scop, depending
        self.reductions = tuple(scop.reductions_of(names))
        self.ordered = frozenset(ordered)
        self.merges = frozenset(r.merge for r in self.reductions)

    def items(self, items: Items) -> Items:
        """`items` with the initialisations in front, without merge nodes, each update kernel by itself."""
        result: list[Part | SequentialLoop] = []
        begin = self._begins(items)
        for position, item in enumerate(items):
            result += self._init_parts([(r, part) for at, r, part in begin if at == position])
            if isinstance(item, Part):
                result += self._part(item)
            else:
                result.append(SequentialLoop(self._on_inits(item.row), self.items(item.items)))
        return tuple(result)

    # ---- initialisations ---------------------------------------------------------------------------

    def _begins(self, items: Items) -> list[tuple[int, Reduction, Part]]:
        """(position of the first update, reduction, part of its merge node) for the merge nodes among `items`."""
        found = []
        for reduction in self.reductions:
            ends = (i for i in items if isinstance(i, Part) and reduction.merge in part_statements(i))
            end = next(ends, None)
            if end is not None:
                wanted = {reduction.merge, *reduction.updates}
                first = next(k for k, item in enumerate(items) if wanted & _statements(item))
                found.append((first, reduction, end))
        return found

    def _init_parts(self, begun: Seq[tuple[Reduction, Part]]) -> list[Part]:
        """One part for the initialisations of each loop nest of the source."""
        nests: dict[tuple[int, ...], list[tuple[Reduction, Part]]] = {}
        for reduction, part in begun:
            if reduction.init_function == KEEP:
                continue  # the old value is what the results start from
            loops = self.scop.statement(reduction.init).loops
            nests.setdefault(tuple(loop.index for loop in loops), []).append((reduction, part))
        return [self._init_part(nest) for nest in nests.values()]

    def _init_part(self, nest: Seq[tuple[Reduction, Part]]) -> Part:
        """The initialisations of a loop nest, a thread each; raises Unmappable where two meet in one element."""
        merge, part = nest[0][0].merge, nest[0][1]
        host = tuple(self._on_inits(row) for row in part.host)
        outside = {iterator_of(self.scop, row, merge) for row in part.host}
        inits = [self.scop.statement(reduction.init) for reduction, _ in nest]
        iterators = self.scop.statement(merge).iterators
        around = [depth for depth, iterator in enumerate(iterators) if iterator.name in outside]
        dealt = [depth for depth, iterator in enumerate(iterators) if iterator.name not in outside]
        for init in inits:
            if self._is_repeated(init, around):
                raise Unmappable("elements are initialised several times, and which is the last one is not known")
        rows = tuple(
            Row("P", islx.union_pw_aff([islx.row_function(init.domain, depth) for init in inits])) for depth in dealt
        )
        return Part(host, rows, (), _sequence(init.name for init in inits))

    def _is_repeated(self, init: Statement, around: Seq[int]) -> bool:
        """Whether instances that differ in more than the iterators `around` write one element."""
        domain = init.domain.intersect_params(self.scop.context)
        for access in init.accesses:
            if access.kind.writes:
                written = access.relation.intersect_domain(domain)
                for depth in around:
                    written = written.flat_range_product(isl.Map.from_pw_aff(islx.row_function(domain, depth)))
                if not written.is_injective():
                    return True
        return False

    def _on_inits(self, row: Row) -> Row:
        for reduction in self.reductions:
            row = row_on_init(row, reduction)
        return row

    # ---- updates -----------------------------------------------------------------------------------

    def _part(self, part: Part) -> list[Part]:
        host = tuple(self._on_inits(row) for row in part.host)
        names = tuple(r.name for r in reducing(self.scop, part) if r in self.reductions)
        body = without(part.body, self.merges) if part.body is not None else None
        post = tuple(s for s in part.post if s not in self.merges)
        if not names:
            return [replace(part, host=host, body=body, post=post)] if body is not None else []
        first, follows = part.prologue, []
        if post:
            # What every thread of the updates computes for itself is computed again for what follows from it.
            first = needed(self.scop, statements_of(body), part.prologue)
            for_post = needed(self.scop, post, part.prologue)
            again = tuple(s for s in part.prologue if s in for_post or s not in first)
            follows = [Part(host, part.kept, (), _sequence((*again, *post)))]
        update = replace(part, host=host, body=body, prologue=first, post=(), indirect=names)
        # Ragged rows inside of an element would be walked by one thread each.
        flat = self.ordered & set(names) or any(self.scop.statement(s).is_ragged for s in part_statements(update))
        parts = self._one_update_a_point(update) if flat else [update]
        return [*parts, *follows]

    def _one_update_a_point(self, part: Part) -> list[Part]:
        """Loops around updates become rows of the kernel.

        [y,x R]{ S1; [d P]{S2} } -> [y,x,d R]{ S1; S2 }, where S1 only computes scalars that S2 uses; else what is no
        update runs before, in a kernel of its own, or behind, where it changes what an update reads:

            for (i…) { if (label[i] != at[i]) changed++; label[i] = at[i]; sum[at[i]] += x[i]; }

        Raises Unmappable where neither keeps the order of the rest, as for a scalar that counts from one update to
        the next.
        """
        assert part.body is not None
        rows_of = dict(statements_with_rows(part.body))
        updates = {u for r in self.reductions if r.name in part.indirect for u in r.updates} & set(rows_of)
        groups: dict[tuple[Row, ...], list[str]] = {}
        for name in (n for n in rows_of if n in updates):
            groups.setdefault(rows_of[name], []).append(name)
        others = [name for name in rows_of if name not in updates]
        # Values of several reductions, all in order if one is, are sorted one reduction after the other, each time with
        # all that leads to them.
        repeated = len(part.indirect) > 1 and bool(self.ordered & set(part.indirect))
        if list(groups) == [()] and not (repeated and any(not self._is_private(n, part) for n in others)):
            return [part]
        rows = rows_of[next(iter(groups.values()))[0]]
        around = all(rows_of[n] == rows[: len(rows_of[n])] for n in others)
        independent = not others or all(row.flag != "s" for row in rows)
        if len(groups) == 1 and around and independent and all(self._is_private(n, part) for n in others):
            return [self._flat(part, rows, tuple(rows_of))]
        first = [u for u in rows_of if u in updates and any((u, other) in self.depending for other in others)]
        ahead = self._ahead_of(first, others)
        behind = [name for name in others if name not in ahead]
        last = [name for name in rows_of if name in updates and name not in first]
        self._check_order((ahead, first, behind, last))
        parts = [*self._kept(part, ahead), *self._flat_groups(part, first, rows_of)]
        return [*parts, *self._kept(part, behind), *self._flat_groups(part, last, rows_of)]

    def _ahead_of(self, first: Seq[str], others: Seq[str]) -> list[str]:
        """Those of `others` that have to run before the statements `first`, which others have to wait for."""
        found = set(first)
        grows = bool(found)
        while grows:
            more = {o for o in others if o not in found and any((o, each) in self.depending for each in found)}
            found |= more
            grows = bool(more)
        return [name for name in others if name in found]

    def _check_order(self, stages: Seq[Seq[str]]) -> None:
        """Raises Unmappable if a statement needs one of a later stage."""
        for position, stage in enumerate(stages):
            for later in stages[position + 1 :]:
                if any((name, earlier) in self.depending for name in later for earlier in stage):
                    raise Unmappable("an element goes on computing behind an update of values that are put in order")

    def _kept(self, part: Part, names: Seq[str]) -> list[Part]:
        """The statements `names` of `part`, which are no updates, in a part that has a thread for each point."""
        assert part.body is not None
        body = without(part.body, frozenset(statements_of(part.body)) - set(names))
        kept = (*part.kept, *(replace(row, flag="P") for row in part.reduced))
        return [] if body is None else [Part(part.host, kept, (), body, part.prologue)]

    def _flat_groups(self, part: Part, names: Seq[str], rows_of: Mapping[str, tuple[Row, ...]]) -> list[Part]:
        """The updates `names` of `part`, those below the same rows together."""
        groups: dict[tuple[Row, ...], list[str]] = {}
        for name in names:
            groups.setdefault(rows_of[name], []).append(name)
        return [self._flat(part, rows, tuple(group)) for rows, group in groups.items()]

    def _flat(self, part: Part, rows: tuple[Row, ...], names: Seq[str]) -> Part:
        """The statements `names` of `part` below its rows and `rows`, for the reductions that they update.

        A row that was sequential was so because of statements that are not among them.
        """
        dealt = [replace(row, flag="R") if row.flag == "s" else row for row in rows]
        updated: list[str] = []
        for reduction in self.reductions:
            if reduction.name in part.indirect and not set(names).isdisjoint(reduction.updates):
                updated.append(reduction.name)
        return replace(part, reduced=(*part.reduced, *dealt), body=_sequence(names), indirect=tuple(updated))

    def _is_private(self, statement: str, part: Part) -> bool:
        """Whether the statement writes nothing but scalars that only this part uses."""
        inside = set(part_statements(part))
        for array in self.scop.written((statement,)):
            if not self.scop.is_local_scalar(array) or not self.scop.users(array) <= inside:
                return False
        return True


def _sequence(names: Iterable[str]) -> Tree:
    leaves = tuple(Leaf(name) for name in names)
    return leaves[0] if len(leaves) == 1 else Sequence(leaves)


def _statements(item: Part | SequentialLoop) -> set[str]:
    return {name for part in parts_of((item,)) for name in part_statements(part)}
