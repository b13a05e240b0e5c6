"""Scalar parts beside a reduction become part of it: computed by every thread before it, or done once behind it.

[i P]{ s = a[i]; [j R]{S2} }  ->  [i P]{ prologue S1; [j R]{S2} }
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.ir.schedule import Band, Leaf, Sequence, Tree, statements_of
from pencilc.ir.scop import Scop, StatementKind
from pencilc.parts.part import Part, SequentialLoop, meet, part_statements


def fold_prologues(scop: Scop, items: tuple[Part | SequentialLoop, ...]) -> tuple[Part | SequentialLoop, ...]:
    """Turn a scalar part before a reduction into its prologue, where every thread may compute it for itself.

    That is so when it writes nothing but local scalars that only the two parts use, and reads nothing that
    they write.  A scalar part that the reduction has nothing to do with is done behind it.
    """
    found: list[Part | SequentialLoop] = []
    for position, item in enumerate(items):
        if isinstance(item, SequentialLoop):
            item = replace(item, items=fold_prologues(scop, item.items))
        last = found[-1] if found else None
        if isinstance(last, Part) and isinstance(item, Part) and _is_prologue(scop, last, item, items[position + 1 :]):
            found[-1] = replace(item, prologue=statements_of(last.body))
        elif isinstance(last, Part) and isinstance(item, Part) and _may_follow(scop, last, item):
            found[-1] = replace(item, post=(*item.post, *statements_of(last.body)))
        else:
            found.append(item)
    return tuple(found)


def _may_follow(scop: Scop, first: Part, second: Part) -> bool:
    """Whether the scalar part `first` may be done behind the reduction `second`, once for each of its kept points."""
    if first.reduced or first.prologue or first.post or not second.reduced or first.body is None:
        return False
    if first.kept != second.kept or first.host != second.host or not _is_scalar(first.body):
        return False
    return not meet(scop, statements_of(first.body), part_statements(second))


def _is_scalar(tree: Tree) -> bool:
    return isinstance(tree, Leaf) or (isinstance(tree, Sequence) and all(map(_is_scalar, tree.children)))


def _is_prologue(scop: Scop, first: Part, second: Part, rest: Seq[Part | SequentialLoop]) -> bool:
    if first.reduced or not second.reduced or first.body is None or second.prologue:
        return False
    if first.kept != second.kept or first.host != second.host or isinstance(first.body, Band):
        return False
    names = statements_of(first.body)
    written = {a.array for n in names for a in scop.statement(n).accesses if a.kind.writes}
    if any(scop.statement(n).kind is not StatementKind.ORDINARY for n in names):
        return False
    inside = {*names, *part_statements(second)}
    for array in written:
        record = scop.array(array)
        users = {s.name for s in scop.statements for a in s.accesses if a.array == array and s.kind.value != "kill"}
        if record.scope.value != "local" or record.extents or not users <= inside:
            return False
    read = {a.array for n in names for a in scop.statement(n).accesses if a.kind.value == "read"} - written
    overwritten = {a.array for n in part_statements(second) for a in scop.statement(n).accesses if a.kind.writes}
    merged = {r.array for r in scop.reductions if r.merge in second.post}
    return not (read & (overwritten | merged)) and not (written & overwritten)
