"""Scalar parts beside a reduction become part of it: computed by every thread before it, or done once behind it.

[i P]{ s = a[i]; [j R]{S2} }  ->  [i P]{ prologue S1; [j R]{S2} }
"""

from __future__ import annotations

from dataclasses import replace

from pencilc.ir.schedule import Leaf, Sequence, Tree, statements_of
from pencilc.ir.scop import Scop, StatementKind
from pencilc.parts.part import Part, SequentialLoop, ends_elsewhere, leaves_loop, meet, part_statements


def fold_prologues(scop: Scop, items: tuple[Part | SequentialLoop, ...]) -> tuple[Part | SequentialLoop, ...]:
    """Turn a scalar part before a reduction into its prologue, where every thread may compute it for itself.

    That is so when it writes nothing but local scalars that only the two parts use, and reads nothing that
    they write.  A scalar part that the reduction has nothing to do with is done behind it.
    """
    found: list[Part | SequentialLoop] = []
    for item in items:
        if isinstance(item, SequentialLoop):
            found.append(replace(item, items=fold_prologues(scop, item.items)))
            continue
        last = found[-1] if found else None
        if isinstance(last, Part) and leaves_loop(scop, part_statements(last)):
            last = None
        if isinstance(last, Part) and _is_prologue(scop, last, item):
            found[-1] = replace(item, prologue=statements_of(last.body))
        elif isinstance(last, Part) and _may_follow(scop, last, item):
            found[-1] = replace(item, post=(*item.post, *statements_of(last.body)))
        else:
            found.append(item)
    return tuple(found)


def _may_follow(scop: Scop, first: Part, second: Part) -> bool:
    """Whether the scalar part `first` may be done behind the reduction `second`, once for each of its kept points."""
    if not _is_beside(first, second) or first.prologue or first.post:
        return False
    if first.body is None or not _is_scalar(first.body):
        return False
    if ends_elsewhere(scop, statements_of(first.body), second):
        return False
    return not meet(scop, statements_of(first.body), part_statements(second))


def _is_beside(first: Part, second: Part) -> bool:
    """Whether a part without reduced rows stands beside a reduction with the same rows around it."""
    if first.reduced or not second.reduced:
        return False
    return first.kept == second.kept and first.host == second.host


def _is_scalar(tree: Tree) -> bool:
    return isinstance(tree, Leaf) or (isinstance(tree, Sequence) and all(map(_is_scalar, tree.children)))


def _is_prologue(scop: Scop, first: Part, second: Part) -> bool:
    """Whether every thread of the reduction `second` may compute for itself what `first` does."""
    if not _is_beside(first, second) or second.prologue:
        return False
    if first.body is None or not _is_scalar(first.body):
        return False
    names, others = statements_of(first.body), part_statements(second)
    if any(scop.statement(name).kind is not StatementKind.ORDINARY for name in names):
        return False
    written = scop.written(names)
    inside = {*names, *others}
    for array in written:
        if not scop.is_local_scalar(array) or not scop.users(array) <= inside:
            return False
    read = scop.read(names) - written
    overwritten = scop.written(others)
    merged = {reduction.array for reduction in scop.reductions if reduction.merge in second.post}
    if read & overwritten or read & merged:
        return False
    return not written & overwritten
