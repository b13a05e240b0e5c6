"""The row that the threads of a warp lie along, and what decided about it (analysis/lines.py).  Stage: gpu."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from pencilc.records import dataclass

Source: TypeAlias = Literal["given", "assumed", "nominal"]
Decision: TypeAlias = Literal["lines", "spread", "order", "shape"]


@dataclass(frozen=True, slots=True)
class RowLines:
    """What threads along a row would take: `lines` for each 32 points, in sectors that are spread over lines; `points`
    of the row at the sizes that decide.
    """

    row: str
    lines: Fraction
    spread: Fraction
    points: int

    @property
    def cost(self) -> tuple[Fraction, Fraction]:
        """What is to be small."""
        return self.lines, self.spread


@dataclass(frozen=True, slots=True)
class SizeOf:
    """A parameter with the value that weighs; `source`: where it is from; "nominal" where nothing is known."""

    name: str
    value: int
    source: Source


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """Which row the threads of a warp lie along, of all `candidates` in the order of the schedule, and what decided."""

    row: str
    candidates: tuple[RowLines, ...]
    sizes: tuple[SizeOf, ...]
    uncounted: int  # accesses whose subscripts are data

    @property
    def decided_by(self) -> Decision:
        """What decided: the lines, how their sectors are spread where several rows take as few, the order where that is
        the same too, or the shape of the kernel, which has no threads along the best row.
        """
        least = min(each.cost for each in self.candidates)
        best = [each.row for each in self.candidates if each.cost == least]
        if self.row not in best:
            return "shape"
        if len(best) > 1:
            return "order"
        return "lines" if sum(each.lines == least[0] for each in self.candidates) == 1 else "spread"
