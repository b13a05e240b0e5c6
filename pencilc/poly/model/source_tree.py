"""The source order of a region as a small tree, and as an isl schedule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import islpy as isl

from pencilc import islx
from pencilc.ir.scop import Loop
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Item:
    """One statement."""

    statement: str


@dataclass(frozen=True, slots=True)
class Nested:
    """A loop; `depth` is the position of its iterator in the statements below."""

    loop: Loop
    depth: int
    body: SourceTree


@dataclass(frozen=True, slots=True)
class Several:
    """Parts in textual order."""

    parts: tuple[SourceTree, ...]


SourceTree: TypeAlias = Item | Nested | Several


def names_in(tree: SourceTree) -> tuple[str, ...]:
    """The statements of `tree` in textual order."""
    if isinstance(tree, Item):
        return (tree.statement,)
    if isinstance(tree, Nested):
        return names_in(tree.body)
    return tuple(name for part in tree.parts for name in names_in(part))


def source_schedule(tree: SourceTree, domains: Mapping[str, isl.Set]) -> isl.Schedule:
    """The source order as a schedule tree; a downward loop has the row { S[i] -> [(-i)] }."""
    schedule = _schedule(tree, domains)
    return schedule if schedule is not None else isl.Schedule.from_domain(islx.empty_set())


def _schedule(tree: SourceTree, domains: Mapping[str, isl.Set]) -> isl.Schedule | None:
    if isinstance(tree, Item):
        return isl.Schedule.from_domain(domains[tree.statement].to_union_set())
    if isinstance(tree, Nested):
        body = _schedule(tree.body, domains)
        if body is None:
            return None
        sign = 1 if tree.loop.step > 0 else -1
        row = islx.union_pw_aff(islx.row_function(domains[n], tree.depth, sign) for n in names_in(tree.body))
        return body.insert_partial_schedule(isl.MultiUnionPwAff.from_union_pw_aff(row))
    items = [item for part in tree.parts if (item := _schedule(part, domains)) is not None]
    return islx.joined(items, isl.Schedule.sequence) if items else None
