"""Neighbouring parts that one thread runs are one part, so that they are one kernel and hand on in registers.

    {S1}  [k s]{S2}  {S3}  [i P]{S4}   ->   {S1; [k s]{S2}; S3}  [i P]{S4}

Those that have nothing to do with each other stay apart: they may run side by side.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.ir.schedule import Sequence, Tree
from pencilc.ir.scop import Scop
from pencilc.parts.part import Items, Part, SequentialLoop, leaves_loop, meet, part_statements


def with_neighbours(scop: Scop, items: Items) -> Items:
    """The items with each part of one thread put into the one before it that it has to do with, where it is one."""
    found: list[Part | SequentialLoop] = []
    run = 0  # where the parts of one thread begin that nothing else follows yet
    for item in items:
        if isinstance(item, SequentialLoop):
            found.append(replace(item, items=with_neighbours(scop, item.items)))
            run = len(found)
        elif not _is_of_one_thread(item) or leaves_loop(scop, part_statements(item)):
            found.append(item)
            run = len(found)
        else:
            met = [k for k in range(run, len(found)) if _meet(scop, found[k], item)]
            if len(met) == 1:
                found[met[0]] = _joined(found[met[0]], item)
            else:
                found.append(item)
    return tuple(found)


def _is_of_one_thread(part: Part) -> bool:
    """Whether no row of the part is dealt out, and all that it does is its body."""
    return not (part.kept or part.reduced or part.prologue or part.post or part.indirect) and part.body is not None


def _meet(scop: Scop, first: Part | SequentialLoop, second: Part) -> bool:
    assert isinstance(first, Part)
    return meet(scop, part_statements(first), part_statements(second))


def _joined(first: Part | SequentialLoop, second: Part) -> Part:
    """Both, one after the other; the rows of loops on the host around them are the same."""
    assert isinstance(first, Part)
    return replace(first, body=Sequence((*_children(first.body), *_children(second.body))))


def _children(body: Tree | None) -> Seq[Tree]:
    assert body is not None
    return body.children if isinstance(body, Sequence) else (body,)
