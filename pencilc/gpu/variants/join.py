"""One sweep over the elements where the program has two: a reduction, and a sum that is shifted by its result.

    [i P]{ [j R]{S3}; M0 }  [i P]{ [j R]{S5}; M1 }        S5: sum += expf(x[i][j] - max)
        -> [i P]{ [j R]{S3, S5'}; M0; M1' }

S5' accumulates what gives the sum for any shift (gpu/variants/shifts.py), and M1' takes the shift that M0 has left.
The kernels that stand for a stitched one are joined so, for rows that do not fit on the chip: softmax reads these
twice, not three times.  What the second sweep makes for later elements besides is made by them; what only the sum
needed, by nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from pencilc import islx, quotas
from pencilc.analysis.box import Domains, at_rows, image
from pencilc.gpu.records import Joined, Parted
from pencilc.gpu.variants.shifted_sum import shifted_sum
from pencilc.gpu.variants.sweeps import JoinedSweep, NotJoined, SumOfOneSweep, Sweeps, extended, reads_of
from pencilc.ir.schedule import Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.scop import ArrayKind, Reduction, Scop
from pencilc.islx import NamedMaps
from pencilc.parts.part import Items, Part, leaves_loop, part_statements, parts_of
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class PartRun:
    """Parts that run one after the other, and the model with what their joined sweeps need.

    `numbers`: which of the parts each was at first, before others joined it.  `joined`: for each two sweeps that became
    one, the parts that this has changed, and its sums.
    """

    scop: Scop
    domains: Domains
    parts: tuple[Part, ...]
    numbers: tuple[int, ...]
    joined: tuple[tuple[frozenset[int], tuple[SumOfOneSweep, ...]], ...] = ()


def join(parted: Parted) -> Joined:
    """The pass `sweeps`: what could do the work of parts in fewer sweeps.

    Nothing where nobody asks for it, or where it would take too long to find out.
    """
    region = parted.region
    if region.settings.shifted_sums == "as-written":
        return Joined(parted, ())
    pairs = islx.named_maps(region.scheduled.dependences.validity)
    try:
        with quotas.operation_quota():
            return Joined(parted, joined_sweeps(region.scop, region.domains, parted.items, pairs))
    except quotas.OperationQuotaExceeded:
        return Joined(parted, ())


def joined_sweeps(scop: Scop, domains: Domains, items: Items, pairs: NamedMaps) -> tuple[JoinedSweep, ...]:
    """What can do the work of parts in fewer sweeps, wherever two may be joined; each stands for itself.

    `pairs`: the dependences of the region.
    """
    numbers = {part: number for number, part in enumerate(parts_of(items))}
    found: list[JoinedSweep] = []
    for parts in _neighbours(scop, items):
        run = PartRun(scop, domains, parts, tuple(numbers[part] for part in parts))
        found += _taken_apart(joined(run, pairs))
    return tuple(found)


def _neighbours(scop: Scop, items: Items) -> Iterator[tuple[Part, ...]]:
    """The longest runs of parts between loops, and between places where a loop on the host may be left."""
    run: list[Part] = []
    for item in items:
        if isinstance(item, Part) and not leaves_loop(scop, part_statements(item)):
            run.append(item)
            continue
        yield tuple(run)
        run = []
        if not isinstance(item, Part):
            yield from _neighbours(scop, item.items)
    yield tuple(run)


def _taken_apart(done: PartRun) -> Iterator[JoinedSweep]:
    """What has been joined in a run, as far as one does not need the other."""
    groups: list[tuple[frozenset[int], tuple[SumOfOneSweep, ...]]] = []
    for touched, sums in done.joined:
        together = [group for group in groups if group[0] & touched]
        groups = [group for group in groups if group not in together]
        for other, more in together:
            touched, sums = touched | other, (*more, *sums)
        groups.append((touched, sums))
    now: dict[int, Part] = dict(zip(done.numbers, done.parts, strict=True))
    for touched, sums in groups:
        yield JoinedSweep({number: now.get(number) for number in sorted(touched)}, sums)


def joined(done: PartRun, pairs: NamedMaps) -> PartRun:
    """The parts with every shifted sum in the sweep before it, where that is possible."""
    position = 0
    while position + 1 < len(done.parts):
        try:
            done = _Pair(done, position, pairs).joined()
        except NotJoined:
            position += 1
    return done


class _Pair:
    """The part at `position` and the one behind it."""

    def __init__(self, done: PartRun, position: int, pairs: NamedMaps) -> None:
        self.done, self.position, self.pairs = done, position, pairs
        self.first, self.second, *later = done.parts[position:]
        self.sweeps = Sweeps(done.scop, done.domains, self.first, self.second)
        self.scop, self.domains, self.inside, self.later = done.scop, done.domains, self.sweeps.inside, tuple(later)

    def joined(self) -> PartRun:
        """The parts with the two as one; raises NotJoined."""
        self._check()
        reductions = [r for r in self.scop.reductions if set(r.updates) & set(self.inside)]
        ready = [r for r in reductions if self._is_ready(r)]
        sums = [shifted_sum(self.sweeps, r) for r in reductions if r not in ready]
        if not sums:
            raise NotJoined
        updates = {name for s in sums for name in s.names} | {name for r in ready for name in r.updates}
        kept = self._others([name for name in self.inside if name not in updates])
        scop, domains = extended(self.scop, self.domains, sums)
        names = {old: new for s in sums for old, new in s.names.items()}
        post = (*self.first.post, *self.second.prologue, *(names.get(name, name) for name in self.second.post))
        added = (names.get(name, name) for name in self.inside if name in updates)
        body = _behind(self.first.body, tuple(Leaf(name) for name in added))
        host, kept_rows, reduced = (self._rows(role, names) for role in ("host", "kept", "reduced"))
        part = Part(host, kept_rows, reduced, body, self.first.prologue, post)
        later = self._with(kept)
        parts = (*self.done.parts[: self.position], part, *later)
        before = self.done.numbers
        numbers = (*before[: self.position + 1], *before[self.position + 2 :])
        moved = (before[self.position + 2 + number] for number in kept)
        touched = frozenset((before[self.position], before[self.position + 1], *moved))
        return PartRun(scop, domains, parts, numbers, (*self.done.joined, (touched, tuple(sums))))

    def _check(self) -> None:
        """Whether both parts sweep over the same elements."""
        first, second = self.first, self.second
        same = len(first.kept) == len(second.kept) and len(first.reduced) == len(second.reduced)
        if not (same and first.reduced and _is_flat(second.body)):
            raise NotJoined
        if first.indirect or second.indirect or not self._stay_in_rows():
            raise NotJoined
        points = (
            image(self.domains, (*part.kept, *part.reduced), statements_of(part.body)) for part in (first, second)
        )
        if not next(points).is_equal(next(points)):
            raise NotJoined

    def _is_ready(self, reduction: Reduction) -> bool:
        """Whether the first sweep could have made the reduction, which the second one has with others, as it is."""
        if len(reduction.updates) != 1 or reduction.merge not in self.second.post:
            return False
        update = self.scop.statement(reduction.updates[0])
        reads, made = reads_of(update), self.sweeps.written(self.inside)
        return not any(self.sweeps.is_late(update, a, reads) or self.sweeps.symbol(a) in made for a in reads)

    def _stay_in_rows(self) -> bool:
        """Whether the second part depends on the first, if at all, at the same kept point only."""
        sources, sinks = set(part_statements(self.first)), set(part_statements(self.second))
        between = [p for p in self.pairs if p[0] in sources and p[1] in sinks]
        for one, other in zip(self.first.kept, self.second.kept, strict=True):
            ours, theirs = islx.pw_affs_of(one.function), islx.pw_affs_of(other.function)
            for source, sink, pair in between:
                if source not in ours or sink not in theirs or not pair.is_subset(ours[source].eq_map(theirs[sink])):
                    return False
        return True

    # ---- what else the second sweep does ------------------------------------------------------------

    def _others(self, names: Seq[str]) -> dict[int, list[str]]:
        """Where its other statements go, but for those that nobody needs, by the later part; raises NotJoined."""
        homes: dict[str, int] = {}
        for name in reversed(names):
            if self._is_needed(name, homes):
                homes[name] = self._home(name, homes)
                self._check_move(name, homes[name])
        return {number: [name for name in names if homes.get(name) == number] for number in homes.values()}

    def _is_needed(self, name: str, kept: Mapping[str, int]) -> bool:
        """Whether anybody but the sums reads what the statement writes; `kept` are those behind it that are needed."""
        arrays = self.scop.written((name,))
        if any(self.scop.array(array).kind is not ArrayKind.LOCAL for array in arrays):
            return True
        for reader in self.scop.statements:
            is_sum = reader.name in self.inside and reader.name not in kept
            if not is_sum and arrays & self.scop.read((reader.name,)):
                return True
        return False

    def _home(self, name: str, kept: Mapping[str, int]) -> int:
        """The first later part over the same elements that reads what the statement writes, else the first of all.

        It is no later than that of a statement in `kept` which has to run behind this one.
        """
        rows = len(self.second.kept) + len(self.second.reduced)
        numbers = [k for k, part in enumerate(self.later) if len(part.kept) + len(part.reduced) == rows]
        reading = [
            k for k in numbers if self.sweeps.read(part_statements(self.later[k])) & self.sweeps.written((name,))
        ]
        reading += [kept[sink] for source, sink, _ in self.pairs if source == name and sink in kept]
        if not numbers:
            raise NotJoined
        return min(reading or numbers)

    def _check_move(self, name: str, number: int) -> None:
        """Whether the statement may wait for the elements of a later part; raises NotJoined."""
        target = self.later[number]
        between = {s for part in self.later[:number] for s in part_statements(part)}
        between |= {*self.second.post, *target.prologue}
        rows = (*target.kept, *target.reduced)
        mine = (*self.second.kept, *self.second.reduced)
        inside = statements_of(target.body)
        if not image(self.domains, mine, (name,)).is_equal(image(self.domains, rows, inside)):
            raise NotJoined
        for source, sink, pair in self.pairs:
            if source == name and sink in between:
                raise NotJoined
            if source == name and sink in inside:
                left, right = (
                    at_rows(self.domains[source], mine, source),
                    at_rows(self.domains[sink], rows, sink),
                )
                together = left.apply_range(right.reverse())
                met = pair.intersect_domain(self.domains[source]).intersect_range(self.domains[sink])
                if not met.is_subset(together):
                    raise NotJoined

    # ---- the parts ---------------------------------------------------------------------------------

    def _rows(self, role: str, names: Mapping[str, str]) -> tuple[Row, ...]:
        """The rows of both parts as one each, on the new statements as well."""
        pairs = zip(getattr(self.first, role), getattr(self.second, role), strict=True)
        return tuple(with_functions(one, other, names) for one, other in pairs)

    def _with(self, moved: Mapping[int, Seq[str]]) -> tuple[Part, ...]:
        """The later parts, some with statements of the second sweep before their own."""
        found = []
        for number, part in enumerate(self.later):
            names = moved.get(number, ())
            if names:
                assert part.body is not None
                mine = (*self.second.kept, *self.second.reduced)
                own = {name: name for name in names}
                rows = [with_functions(row, m, own) for row, m in zip((*part.kept, *part.reduced), mine, strict=True)]
                body = Sequence((*(Leaf(name) for name in names), *_children(part.body)))
                count = len(part.kept)
                part = replace(part, kept=tuple(rows[:count]), reduced=tuple(rows[count:]), body=body)
            found.append(part)
        return tuple(found)


def with_functions(row: Row, other: Row, names: Mapping[str, str]) -> Row:
    """`row`, on the statements of `other` as well, those in `names` also by their new names."""
    functions = islx.pw_affs_of(row.function)
    for name, function in islx.pw_affs_of(other.function).items():
        functions.setdefault(name, function)
        if name in names and names[name] != name:
            same = isl.Map.identity(function.domain().get_space().map_from_set())
            renaming = same.set_tuple_name(isl.dim_type.in_, names[name]).as_pw_multi_aff()
            functions[names[name]] = function.pullback_pw_multi_aff(renaming)
    return Row(row.flag, islx.union_pw_aff(functions.values()))


def _children(body: Tree) -> tuple[Tree, ...]:
    return body.children if isinstance(body, Sequence) else (body,)


def _behind(body: Tree | None, leaves: tuple[Leaf, ...]) -> Tree:
    assert body is not None
    return Sequence((*_children(body), *leaves))


def _is_flat(body: Tree | None) -> bool:
    return body is not None and all(isinstance(child, Leaf) for child in _children(body))
