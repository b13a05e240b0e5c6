"""Which parts of a host level may be stitched with each other, as far as their rows tell.

    [i P]{ [j R]{S3}; M0; [j P]{S6} }       two parts around the same row i: one family
    [i P]{ [j R]{S3}; M0 }  ...  [i P]{ [j P]{S9} }     the same where S9 uses of M0 what has its own i

The parts of one sequence share their kept rows, and depend on each other inside one point of them only.  Rows of
different sequences are made one where all dependences between the statements below them stay at one value.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.ir.schedule import Leaf, Row, Sequence, Tree
from pencilc.islx import NamedMaps
from pencilc.parts.part import Part, SequentialLoop, part_statements, parts_of
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Family:
    """Parts `items` (bits) of one level, some of which reduce, below `kept` rows and with `depth` rows of elements."""

    items: int
    reducing: int
    kept: int
    depth: int

    def holds(self, items: int) -> bool:
        """Whether the set is one of parts of the family, some of which reduce."""
        return not items & ~self.items and bool(items & self.reducing)


def families(parts: Seq[Part | SequentialLoop]) -> tuple[Family, ...]:
    """The parts that share the kept rows of each reduction, one family for all reductions that share them."""
    found: list[Family] = []
    for number, part in enumerate(parts):
        if not isinstance(part, Part) or not part.reduced or any(f.reducing >> number & 1 for f in found):
            continue
        kept, depth = len(part.kept), len(part.reduced)
        joined = [k for k, other in enumerate(parts) if _joins(other, part, kept, depth)]
        items = sum(1 << k for k in joined)
        reducing = sum(1 << k for k in joined if _reduces(parts[k]))
        found.append(Family(items, reducing, kept, depth))
    return tuple(found)


def compositions(parts: Seq[Part | SequentialLoop], pairs: NamedMaps) -> tuple[int, ...]:
    """The sets of items (bits) whose parts have their outermost kept row in common: parts, some of which reduce, and
    sequential loops around such parts, through which no dependence leads to another value of the row.
    """
    found: dict[Row, int] = {}
    worth = 0  # what reduces, and loops: a block saves their launches
    for number, part in enumerate(parts):
        row = _outermost(part)
        if row is None or not stays(part, row, pairs):
            continue
        found[row] = found.get(row, 0) | 1 << number
        if _reduces(part) or isinstance(part, SequentialLoop):
            worth |= 1 << number
    loops = sum(1 << number for number, part in enumerate(parts) if isinstance(part, SequentialLoop))
    return tuple(items for items in found.values() if (items.bit_count() > 1 or items & loops) and items & worth)


def _outermost(item: Part | SequentialLoop) -> Row | None:
    """The outermost kept row of all parts of an item; None where they have none in common."""
    rows = dict.fromkeys(part.kept[0] if part.kept else None for part in parts_of((item,)))
    return next(iter(rows)) if len(rows) == 1 else None


def stays(item: Part | SequentialLoop, row: Row, pairs: NamedMaps) -> bool:
    """Whether what the statements below a loop leave for each other stays at one value of `row`, as in a part."""
    if isinstance(item, Part):
        return True
    inside = {name for part in parts_of((item,)) for name in part_statements(part)}
    values = islx.pw_affs_of(row.function)
    for source, sink, pair in pairs:
        if source not in inside or sink not in inside:
            continue
        if source not in values or sink not in values or not pair.is_subset(values[source].eq_map(values[sink])):
            return False
    return True


def runs(family: Family) -> tuple[range, ...]:
    """The longest runs of neighbours in a family that reduce."""
    return tuple(run for run in neighbours(family.items) if len(run) > 1 and any(family.reducing >> k & 1 for k in run))


def neighbours(items: int) -> tuple[range, ...]:
    """The longest runs of neighbours in a set of items (bits)."""
    found, start = [], 0
    for number in range(items.bit_length() + 1):
        if not items >> number & 1:
            if number > start:
                found.append(range(start, number))
            start = number + 1
    return tuple(found)


def aligned(parts: Seq[Part | SequentialLoop], pairs: NamedMaps) -> tuple[Part | SequentialLoop, ...]:
    """The parts of a level and of its loops with kept rows made one, outermost first, where dependences allow it."""
    inside = tuple(parts_of(parts))
    rows = {row: row for part in inside for row in part.kept}
    values = {row: islx.pw_affs_of(row.function) for row in rows}
    touching: dict[str, list[tuple[str, str, isl.Map]]] = {}  # the pairs of each statement
    for source, sink, pair in pairs:
        for name in {source, sink}:
            touching.setdefault(name, []).append((source, sink, pair))
    for number, part in enumerate(inside):
        for earlier in inside[:number]:
            for one, other in zip(earlier.kept, part.kept, strict=False):
                first, second = rows[one], rows[other]
                if first is second:
                    continue
                if not _agree(values[first], values[second], touching):
                    break
                joint = Row("P", first.function.union_add(second.function))
                values[joint] = {**values[first], **values[second]}
                rows = {old: joint if row in (first, second) else row for old, row in rows.items()}
    return tuple(_with_rows(part, rows) for part in parts)


def _with_rows(item: Part | SequentialLoop, rows: Mapping[Row, Row]) -> Part | SequentialLoop:
    """The item with other kept rows."""
    if isinstance(item, SequentialLoop):
        return replace(item, items=tuple(_with_rows(part, rows) for part in item.items))
    return replace(item, kept=tuple(rows[row] for row in item.kept))


def _agree(
    first: Mapping[str, isl.PwAff],
    second: Mapping[str, isl.PwAff],
    touching: Mapping[str, Seq[tuple[str, str, isl.Map]]],
) -> bool:
    """Whether statements below two rows depend on each other, and only where both rows have the same value.

    `first`, `second`: the rows' values for each of their statements; `touching`: the pairs (source, sink, relation) of
    each statement.
    """
    if not first.keys().isdisjoint(second):
        return False
    both: Mapping[str, isl.PwAff] | None = None
    for name in first:
        for source, sink, pair in touching.get(name, ()):
            if source not in second and sink not in second:
                continue
            both = both or {**first, **second}
            if not pair.is_subset(both[source].eq_map(both[sink])):
                return False
    return both is not None


def _joins(other: Part | SequentialLoop, part: Part, kept: int, depth: int) -> bool:
    """Whether `other` has the kept rows of `part`, and as many rows of elements or none."""
    if not isinstance(other, Part) or other.host != part.host or len(other.kept) < kept:
        return False
    if any(a is not b for a, b in zip(other.kept[:kept], part.kept, strict=True)):
        return False
    if other.reduced:
        return len(other.kept) == kept and len(other.reduced) == depth
    if len(other.kept) == kept:
        return other.body is not None and _is_flat(other.body)
    return len(other.kept) == kept + depth


def _reduces(part: Part | SequentialLoop) -> bool:
    return isinstance(part, Part) and bool(part.reduced)


def _is_flat(tree: Tree) -> bool:
    return isinstance(tree, Leaf) or (isinstance(tree, Sequence) and all(isinstance(c, Leaf) for c in tree.children))
