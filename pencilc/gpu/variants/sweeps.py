"""Two sweeps over the same elements, one behind the other: what they write and read, at which points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import cached_property

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import Domains, at_rows
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Access, AccessKind, Scop, ShiftedSum, Statement
from pencilc.parts.part import Part
from pencilc.records import dataclass


class NotJoined(Exception):
    """Two sweeps stay two."""


@dataclass(frozen=True, slots=True, eq=False)
class SumOfOneSweep:
    """A shifted sum with its own statements; `names` maps those that they stand for to them."""

    reduction: ShiftedSum
    update: Statement
    merge: Statement
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class JoinedSweep:
    """Parts that do the work of others in fewer sweeps over the elements.

    `instead` has for the number of each part, counted through the region, the one that stands for it; None where
    another does its work.  `sums` are what these parts accumulate besides what the region does.
    """

    instead: Mapping[int, Part | None]
    sums: tuple[SumOfOneSweep, ...]

    @property
    def names(self) -> dict[str, str]:
        """The statements of the region with those that stand for them."""
        return {old: new for each in self.sums for old, new in each.names.items()}


def extended(scop: Scop, domains: Domains, sums: Iterable[SumOfOneSweep]) -> tuple[Scop, Domains]:
    """The model with more sums, and the domains of its statements."""
    sums = tuple(sums)
    statements = (record for each in sums for record in (each.update, each.merge))
    new = {name: islx.named(domains[old], name) for each in sums for old, name in each.names.items()}
    reductions = (*scop.reductions, *(each.reduction for each in sums))
    return replace(scop, statements=(*scop.statements, *statements), reductions=reductions), {**domains, **new}


@dataclass(frozen=True, eq=False)
class Sweeps:
    """The parts `first` and `second`, which reduce, with the model that they are in."""

    scop: Scop
    domains: Domains
    first: Part
    second: Part

    @cached_property
    def inside(self) -> tuple[str, ...]:
        """The statements for each element of the second sweep."""
        return statements_of(self.second.body)

    @cached_property
    def late(self) -> set[str]:
        """The symbols of what is written once the elements of the first sweep are done.

        What the second one makes of its elements is none of that: it will be made by later sweeps.
        """
        return self.written((*self.first.post, *self.second.prologue, *self.second.post))

    @cached_property
    def early(self) -> set[str]:
        """The symbols of what is written for each element of the first sweep only."""
        return self.written(statements_of(self.first.body)) - self.late

    def is_late(self, reader: Statement, read: Access, reads: Seq[Access]) -> bool:
        """Whether what is read is written behind the first sweep, or in it at another point.

        `reads`: everything that the element reads which `reader` accumulates.
        """
        symbol = self.symbol(read)
        if symbol not in self.early:
            return symbol in self.late
        writers = [self.scop.statement(s) for s in statements_of(self.first.body) if symbol in self.written((s,))]
        used = [a for a in reads if self.symbol(a) == symbol]
        return len(writers) != 1 or not all(self.meets(writers[0], reader, a) for a in used)

    def meets(self, writer: Statement, reader: Statement, read: Access) -> bool:
        """Whether what is read was written at the same point, and nowhere else."""
        written = next(access for access in writer.accesses if access.kind.writes)
        if written.array != read.array:
            return False
        if not (written.exact and read.exact) or written.member_path or read.member_path:
            return False
        made = written.relation.intersect_domain(self.domains[writer.name]).apply_domain(self.points(writer.name))
        used = read.relation.intersect_domain(self.domains[reader.name]).apply_domain(self.points(reader.name))
        return bool(made.is_injective() and used.is_subset(made))

    def points(self, name: str) -> isl.Map:
        """{ S[i] -> [t] }: the values of the rows of its part."""
        part = self.second if name in self.inside else self.first
        return at_rows(self.domains[name], (*part.host, *part.kept, *part.reduced), name)

    def between(self, writer: Statement, reader: Statement) -> isl.Map:
        """{ S[i] -> T[j] } at the same point."""
        return self.points(writer.name).apply_range(self.points(reader.name).reverse())

    def written(self, statements: Seq[str]) -> set[str]:
        """The symbols of what the statements may write."""
        accesses = (a for s in statements for a in self.scop.statement(s).accesses if a.kind.writes)
        return {self.symbol(a) for a in accesses}

    def read(self, statements: Seq[str]) -> set[str]:
        """The symbols of what the statements read."""
        return {self.symbol(a) for s in statements for a in reads_of(self.scop.statement(s))}

    def symbol(self, access: Access) -> str:
        """The name of the variable of the source."""
        return self.scop.array(access.array).symbol.name


def reads_of(record: Statement) -> tuple[Access, ...]:
    """The accesses of a statement that read, those of its conditions among them."""
    return tuple(a for a in record.accesses if a.kind is AccessKind.READ)
