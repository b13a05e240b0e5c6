"""Source files and the spans that point into them."""

from __future__ import annotations

from dataclasses import dataclass, field  # noqa: TID251 - the one that makes an order
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as the user wrote it: `path` as given on the command line and its whole text."""

    path: str
    text: str = field(repr=False)

    def line(self, number: int) -> str:
        """The text of line `number` (from 1), without its end; empty beyond the file."""
        lines = self.lines
        return lines[number - 1] if 1 <= number <= len(lines) else ""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text, without their ends."""
        return _lines(self.text)


@lru_cache(maxsize=8)
def _lines(text: str) -> tuple[str, ...]:
    """Of a large file many lines are asked for, one after the other."""
    return tuple(text.splitlines())


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one line of a source file; lines and columns count from 1, `end` is exclusive.

    `end_column` may equal `column + 1` where only the start of a construct is known.  What a macro or a copy of a loop
    body makes of one place several times is told apart by `occurrence` where that matters (`poly/model/places.py`).
    """

    path: str
    line: int
    column: int
    end_column: int
    occurrence: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


UNKNOWN_SPAN = Span("<unknown>", 0, 0, 0)
