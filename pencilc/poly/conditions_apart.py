"""Loops under a condition on data, of which one thread would run all, as loops of the model.

    for (k…) { if (a[k][k] != 0) for (i = k + 1…) … }      each statement in the loop over i has the condition

A condition on data with all that it guards is one statement of the model otherwise: a thread of a parallel loop around
it asks once, and runs the rest.  Where the loop around is none the loops inside may be.  Whether they are the schedule
tells (`driver.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pencilc.diagnostics.source import Span
from pencilc.ir.scop import Scop
from pencilc.ir.source import For, If, TranslationUnit, walk
from pencilc.poly.extract import extract_instead
from pencilc.poly.model.long_loops import is_short


def with_conditions_apart(
    unit: TranslationUnit, position: int, scop: Scop, counters: AbstractSet[str]
) -> tuple[TranslationUnit, Scop] | None:
    """The region at `position` with the loops of `counters` that stand under conditions as loops of the model, and its
    model; None where `scop`, the model as it is, has none.
    """
    apart = frozenset(_conditions_around(scop, counters))
    if not apart:
        return None
    region = unit.regions[position]
    return extract_instead(unit, position, replace(region, apart=region.apart | apart))


def _conditions_around(scop: Scop, counters: AbstractSet[str]) -> Iterator[Span]:
    """The conditions, with what they guard in one statement in loops, that loops of `counters` stand under."""
    for body in (statement.body for statement in scop.statements if statement.loops):
        if isinstance(body, If):
            for condition in (node for node in walk(body) if isinstance(node, If)):
                loops = (node for node in walk(condition) if isinstance(node, For) and not is_short(node))
                if any(loop.iterator.name in counters for loop in loops):
                    yield condition.span
