"""The row that the threads of a warp lie along, and what decided about it (analysis/lines.py).  Stage: gpu."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

Source: TypeAlias = Literal["given", "assumed", "nominal"]


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
    def is_tie(self) -> bool:
        """Whether another row takes no more lines, so that the order of the schedule decided."""
        own = next(each.lines for each in self.candidates if each.row == self.row)
        return sum(each.lines == own for each in self.candidates) > 1
