"""Scalar parts beside a reduction become part of it: computed by every thread before it, or done once behind it.

[i P]{ s = a[i]; [j R]{S2} }  ->  [i P]{ prologue S1; [j R]{S2} }
"""

from __future__ import annotations

from dataclasses import replace

from pencilc.ir.schedule import Leaf, Sequence, Tree, statements_of
from pencilc.ir.scop import Scop, StatementKind
from pencilc.ir.source import KEEP
from pencilc.parts.part import Part, SequentialLoop, ends_elsewhere, leaves_loop, meet, part_statements, touch


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


def fold_beginnings(scop: Scop, items: tuple[Part | SequentialLoop, ...]) -> tuple[Part | SequentialLoop, ...]:
    """Do a scalar part that sets what a reduction goes on from behind its elements, in front of the merge node.

    [i P]{ s = bias[i]; [j R]{S2}; M0 }  ->  [i P]{ [j R]{S2}; s = bias[i]; M0 }

    Elements are combined by themselves, and the merge node adds what was there; in place it is not so.
    """
    found: list[Part | SequentialLoop] = []
    for item in items:
        last = found[-1] if found else None
        if isinstance(item, SequentialLoop):
            found.append(replace(item, items=fold_beginnings(scop, item.items)))
        elif isinstance(last, Part) and _is_beginning(scop, last, item):
            found[-1] = replace(item, post=(*statements_of(last.body), *item.post))
        else:
            found.append(item)
    return tuple(found)


def beginnings(scop: Scop, part: Part) -> tuple[str, ...]:
    """What stands in front of the merge nodes behind a part: `fold_beginnings` alone puts anything there."""
    merges = (k for k, name in enumerate(part.post) if scop.statement(name).kind is StatementKind.MERGE)
    return part.post[: next(merges, 0)]


def _is_beginning(scop: Scop, first: Part, second: Part) -> bool:
    """Whether the scalar part `first` meets the elements of the reduction `second` in nothing but its results."""
    if not _is_beside(first, second) or second.indirect or first.body is None or not _is_scalar(first.body):
        return False
    names = statements_of(first.body)
    if first.prologue or first.post or any(scop.statement(n).kind is not StatementKind.ORDINARY for n in names):
        return False
    ended = [r for r in scop.reductions if r.merge in second.post and r.init_function == KEEP]
    updates = {update: reduction.array for reduction in ended for update in reduction.updates}
    for name in (*second.prologue, *statements_of(second.body)):
        inside = [(kind, at) for kind, at in scop.touched(name) if at[0] != updates.get(name)]
        if touch(scop, names, inside):
            return False
    return True


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
