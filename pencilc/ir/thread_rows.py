"""The row that the threads of a warp lie along, and what decided about it (analysis/lines.py).  Stage: gpu."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from pencilc.records import dataclass

Source: TypeAlias = Literal["given", "assumed", "nominal"]
Decision: TypeAlias = Literal["lines", "order", "shape"]


@dataclass(frozen=True, slots=True)
class RowLines:
    """What threads along a row would take: `lines` for each 32 points; `points` of the row at the sizes that decide."""

    row: str
    lines: Fraction
    points: int


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
        """What decided: the lines, the order among rows with as few, or the shape of the kernel, which has no threads
        along the row with the fewest.
        """
        least = min(each.lines for each in self.candidates)
        best = [each.row for each in self.candidates if each.lines == least]
        if self.row not in best:
            return "shape"
        return "lines" if len(best) == 1 else "order"
