"""Where a statement stands: the loops, the set of iterations and the data-dependent conditions around it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import islpy as isl

from pencilc.ir.scop import Loop
from pencilc.ir.source import Expr, Symbol


@dataclass(frozen=True, slots=True, eq=False)
class Nest:
    """`where` is { [i, j] }, one dimension for each loop; `guards` are the conditions that are not affine."""

    loops: tuple[Loop, ...]
    where: isl.Set
    guards: tuple[Expr, ...] = ()

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

    def restricted(self, truth: isl.Set) -> Nest:
        """Under an affine condition that holds on `truth`."""
        return replace(self, where=self.where.intersect(truth).coalesce())

    def guarded(self, guard: Expr) -> Nest:
        """Under a data-dependent condition."""
        return replace(self, guards=(*self.guards, guard))
