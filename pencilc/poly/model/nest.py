"""Where a statement stands: the loops, the set of iterations and the data-dependent conditions around it."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from pencilc.ir.scop import Loop
from pencilc.ir.source import Expr, Symbol
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Nest:
    """`where` is { [i, j] }, one dimension for each loop; `guards` are the conditions that are not affine.

    `comparisons` counts those of the conditions in `where`.
    """

    loops: tuple[Loop, ...]
    where: isl.Set
    guards: tuple[Expr, ...] = ()
    comparisons: int = 0

    @property
    def iterators(self) -> tuple[Symbol, ...]:
        """The iterators, outermost first."""
        return tuple(loop.iterator for loop in self.loops)

    @property
    def is_ragged(self) -> bool:
        """Whether a loop around has bounds that are data."""
        return any(loop.is_ragged for loop in self.loops)

    def inside(self, loop: Loop, where: isl.Set) -> Nest:
        """Inside `loop`, for the iterations `where`."""
        return replace(self, loops=(*self.loops, loop), where=where)

    def restricted(self, truth: isl.Set, comparisons: int) -> Nest:
        """Under an affine condition, of so many comparisons, that holds on `truth`."""
        count = self.comparisons + comparisons
        return replace(self, where=self.where.intersect(truth).coalesce(), comparisons=count)

    def guarded(self, guard: Expr) -> Nest:
        """Under a data-dependent condition."""
        return replace(self, guards=(*self.guards, guard))
