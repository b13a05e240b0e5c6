"""Schedule trees with row flags: what the scheduler decides and the mapping reads.

The tree is isl's, reduced to three node kinds.  Every statement that is generated (all but init
statements, which merge nodes absorb, and kills) stands under exactly one leaf.  Stage: schedule.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, TypeAlias

import islpy as isl

from pencilc.ir.scop import Dependences, Scop
from pencilc.ir.thread_rows import SizeOf
from pencilc.records import dataclass

Flag = Literal["P", "R", "s"]


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One schedule dimension: `function`: { S[i] -> [f(i)] } for every statement below.

    P: no validity pair and no relaxed pair (equal on all outer rows) crosses it: parallel.
    R: only relaxed pairs cross it: parallel as a reduction.  s: sequential.  A row is a thing of the tree, equal to
    itself alone: what is below one row shares it.
    """

    flag: Flag
    function: isl.UnionPwAff


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """One statement, all of whose instances are ordered by the rows above (or has none)."""

    statement: str


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """Consecutive rows, outermost first, around `child`; rows flagged P or R may be permuted."""

    rows: tuple[Row, ...]
    child: Tree


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """Children executed one after the other, in order."""

    children: tuple[Tree, ...]


Tree: TypeAlias = Leaf | Band | Sequence


@dataclass(frozen=True, slots=True, eq=False)
class RowInOrder:
    """A sequential row taken for its `lines` of memory, for each 32 instances; `others`: what might have been."""

    row: Row
    lines: Fraction
    others: tuple[tuple[Row, Fraction], ...]
    sizes: tuple[SizeOf, ...]


@dataclass(frozen=True, slots=True, eq=False)
class KeptApart:
    """Loops over `first` and `second` that are not one, as their threads would have to lie along one row: the lines of
    memory, for each 32 points of both, `apart` and `together`.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    apart: Fraction
    together: Fraction
    sizes: tuple[SizeOf, ...]


@dataclass(frozen=True, slots=True)
class ExpandedScalar:
    """A scalar of a loop body whose statements do not share the loops around it, so that its iterations have a value
    each; `depths`: which of these loops need a dimension.
    """

    name: str
    depths: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ScheduledScop:
    """A region with its dependences and schedule; `fallback` tells why the source order had to be kept.

    `sequential` tells why there is no tree at all: the region is too complicated and runs in one thread.
    `in_order` and `apart` tell what lines of memory decided.
    """

    scop: Scop
    dependences: Dependences
    tree: Tree
    fallback: str = ""
    sequential: str = ""
    in_order: tuple[RowInOrder, ...] = ()
    apart: tuple[KeptApart, ...] = ()


def has_parallelism(tree: Tree) -> bool:
    """Whether a row of `tree` is anything but sequential."""
    match tree:
        case Leaf():
            return False
        case Sequence():
            return any(has_parallelism(child) for child in tree.children)
        case Band():
            return any(row.flag != "s" for row in tree.rows) or has_parallelism(tree.child)


def statements_of(tree: Tree | None) -> tuple[str, ...]:
    """Names of the statements below `tree`, in tree order; none where there is no tree."""
    found: list[str] = []
    if tree is not None:
        _collect_statements(tree, found)
    return tuple(found)


def _collect_statements(tree: Tree, found: list[str]) -> None:
    while isinstance(tree, Band):
        tree = tree.child
    if isinstance(tree, Leaf):
        found.append(tree.statement)
    else:
        for child in tree.children:
            _collect_statements(child, found)


def statements_with_rows(tree: Tree | None, around: tuple[Row, ...] = ()) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """The statements below `tree`, in tree order, each with the rows around it, outermost first, behind `around`."""
    match tree:
        case Leaf():
            yield tree.statement, around
        case Band():
            yield from statements_with_rows(tree.child, (*around, *tree.rows))
        case Sequence():
            for child in tree.children:
                yield from statements_with_rows(child, around)


def without(tree: Tree, statements: frozenset[str]) -> Tree | None:
    """`tree` without the leaves of `statements`; None if nothing is left."""
    match tree:
        case Leaf():
            return None if tree.statement in statements else tree
        case Band():
            child = without(tree.child, statements)
            return None if child is None else Band(tree.rows, child)
        case Sequence():
            children = tuple(c for c in (without(child, statements) for child in tree.children) if c is not None)
            if not children:
                return None
            return children[0] if len(children) == 1 else Sequence(children)
