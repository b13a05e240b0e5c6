"""Reads of what an array held before the region, which hold up who overwrites it, can take it from a copy.

    for (i…) a[i] = 2 * a[i + 1];      iteration i waits until iteration i - 1 has read a[i]: for nothing but the memory

Nothing of the region writes what is read there before it is read, so that from a copy of the old values, made first
(`frontend/rewrite/old_values.py`), all iterations may run at once.  A copy is as large as its array.  Whether it is
worth it the schedule tells (`driver.py`): it is made where a loop leaves the host so, or loops one thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import replace
from typing import TypeAlias

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.source import Span
from pencilc.frontend.rewrite.old_values import with_old_values
from pencilc.ir.scop import Access, AccessKind, Array, ArrayKind, Dependences, Scop, Statement, StatementKind
from pencilc.ir.source import ArrayType, Expr, Symbol, TranslationUnit, extents
from pencilc.poly.conditions import value_of_sizes
from pencilc.poly.dependences.flow import flow_model
from pencilc.poly.extract import extract_instead
from pencilc.records import dataclass

_Use: TypeAlias = tuple[Statement, Access]


@dataclass(frozen=True, slots=True, eq=False)
class OldReads:
    """The places at which elements of `array` are read that nothing of the region has written by then.

    `ends`: the first and the last subscript that is read, for each dimension; None for all that there are.
    """

    array: Symbol
    places: frozenset[Span]
    ends: tuple[tuple[Expr, Expr] | None, ...]


def old_reads(scop: Scop, dependences: Dependences) -> Iterator[OldReads]:
    """The arrays of which old values are read that other instances overwrite later."""
    if scop.region.left or any(statement.rounds for statement in scop.statements):
        return
    for array in scop.arrays:
        if _may_be_copied(scop, array):
            reads = _old_and_overwritten(scop, dependences, array)
            if reads:
                places = frozenset(access.span for _, access in reads)
                yield OldReads(array.symbol, places, tuple(_ends(scop, array, reads)))


def from_copies(unit: TranslationUnit, position: int, wanted: Seq[OldReads]) -> tuple[TranslationUnit, Scop] | None:
    """The region at `position` with such reads from copies, and its model; None where that cannot be written."""
    made = _rewritten(unit, position, wanted)
    if made is not None and not _copies_what_is_there(made[1]):
        # Where nothing is read, at other sizes, the ends may be beside the array.
        made = _rewritten(unit, position, [replace(each, ends=tuple(None for _ in each.ends)) for each in wanted])
    return made


def _rewritten(unit: TranslationUnit, position: int, wanted: Seq[OldReads]) -> tuple[TranslationUnit, Scop] | None:
    region = unit.regions[position]
    for each in wanted:
        changed = with_old_values(region, each.array, each.places, each.ends)
        if changed is None:
            return None
        region = changed
    return extract_instead(unit, position, region)


def _copies_what_is_there(scop: Scop) -> bool:
    """Whether what is copied are elements of the array, whatever the sizes are."""
    copies = {each.copy.name for each in scop.region.copied}
    copying = [s for s in scop.statements if any(a.array in copies and a.kind.writes for a in s.accesses)]
    return all(
        access.relation.intersect_domain(s.domain).intersect_params(scop.context).range().is_subset(
            scop.array(access.array).extent
        )
        for s in copying for access in s.accesses if access.kind is AccessKind.READ
    )  # fmt: skip


def _may_be_copied(scop: Scop, array: Array) -> bool:
    """Whether it is an array of the caller's that is read and written as it is: no member, no reduction, no kill."""
    is_whole = len(scop.arrays_of(array.symbol.name)) == 1 and not array.member_path
    if array.kind is not ArrayKind.PARAM or not isinstance(array.symbol.type, ArrayType) or not is_whole:
        return False
    accesses = [a for s in scop.statements for a in s.accesses if a.array == array.name]
    kinds = {access.kind for access in accesses}
    others = {AccessKind.UPDATE, AccessKind.KILL}
    is_read_and_written = AccessKind.READ in kinds and any(kind.writes for kind in kinds)
    return is_read_and_written and not kinds & others and not any(access.member_path for access in accesses)


def _old_and_overwritten(scop: Scop, dependences: Dependences, array: Array) -> list[_Use]:
    """The reads, all of a place, of what nothing has written before and another iteration writes behind."""
    touched = [(s, a) for s in scop.statements for a in s.accesses if a.array == array.name]
    writes = [(statement, access) for statement, access in touched if access.kind.writes]
    by_place: dict[Span, list[_Use]] = {}
    for statement, access in touched:
        by_place.setdefault(access.span, []).append((statement, access))
    likely: list[list[_Use]] = []
    for reads in by_place.values():
        is_plain = all(_is_plain_read(statement, access) for statement, access in reads)
        if not is_plain or not any(_is_overwritten(read, write) for read in reads for write in writes):
            continue
        if not any(_is_handed_on(dependences, write, read) for read in reads for write in writes):
            likely.append(reads)
    if not likely:
        return []
    model = flow_model(scop)
    found: list[_Use] = []
    for reads in likely:
        if model.flow(islx.union_map(map(_touched, reads)), model.all_must, model.all_may).is_empty():
            found += reads
    return found


def _touched(use: _Use) -> isl.Map:
    """{ S[i] -> A[a] }"""
    statement, access = use
    return access.relation.intersect_domain(statement.domain)


def _is_overwritten(read: _Use, write: _Use) -> bool:
    """Whether another iteration of the loops around both writes what is read."""
    pairs = _touched(read).apply_range(_touched(write).reverse())
    together = pairs
    for depth, (one, other) in enumerate(zip(read[0].loops, write[0].loops, strict=False)):
        if one.index != other.index:
            break
        together = together.equate(isl.dim_type.in_, depth, isl.dim_type.out, depth)
    return not pairs.is_subset(together)


def _is_handed_on(dependences: Dependences, write: _Use, read: _Use) -> bool:
    """Whether what is read has certainly been written there: a quick look, which most places do not pass."""
    names = write[0].name, read[0].name
    return any(
        (source, target) == names and not pairs.is_disjoint(_touched(write).apply_range(_touched(read).reverse()))
        for source, target, pairs in islx.named_maps(dependences.flow)
    )


def _is_plain_read(statement: Statement, access: Access) -> bool:
    is_modelled = statement.kind in (StatementKind.ORDINARY, StatementKind.UPDATE) and not statement.opaque
    return is_modelled and not statement.is_ragged and access.kind is AccessKind.READ and access.exact


def _ends(scop: Scop, array: Array, reads: Seq[_Use]) -> Iterator[tuple[Expr, Expr] | None]:
    """The first and the last subscript that is read, for each dimension."""
    inside = [access.relation.intersect_domain(statement.domain).range() for statement, access in reads]
    whole = inside[0]
    for points in inside[1:]:
        whole = whole.union(points)
    whole = whole.intersect(array.extent).intersect_params(scop.context)
    for position in range(len(extents(array.symbol.type))):
        first, last = islx.lowest(whole, position), islx.highest(whole, position)
        low = value_of_sizes(first, scop.params) if first is not None else None
        high = value_of_sizes(last, scop.params) if last is not None else None
        yield (low, high) if low is not None and high is not None else None
