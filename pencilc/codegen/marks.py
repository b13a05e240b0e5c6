"""What the lines of the generated file come from: marks that the printer puts into the text, and takes out again.

A mark stands at the end of a line, between two characters that no C text has:

    acc = larger(acc, x[j]);<NUL>= softmax.c:26<NUL>      the line does the work of line 26
    <NUL>+ softmax_row0<NUL>static __global__ ...         here the text of a kernel or function begins
    }<NUL>-<NUL>                                          here it ends

Only what asks for places is printed with marks; their being there changes nothing else.
"""

from __future__ import annotations

from pencilc.diagnostics.source import UNKNOWN_SPAN, Span
from pencilc.records import dataclass

_EDGE = "\0"


@dataclass(frozen=True, slots=True)
class Piece:
    """The lines `first` to `last` of the output, counted from 1, which are the kernel or function called `name`."""

    name: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Origin:
    """Line `line` of the output does the work of line `source_line` of the file `path`."""

    line: int
    path: str
    source_line: int


@dataclass(frozen=True, slots=True)
class PlacedText:
    """The generated text with its pieces, in order, and with the origins of the lines that have one."""

    text: str
    pieces: tuple[Piece, ...]
    origins: tuple[Origin, ...]


class NoMarks:
    """What templates ask for marks where none are wanted."""

    def line(self, origin: Span) -> str:
        """The mark of a line with this place in the source."""
        return ""

    def begin(self, name: str) -> str:
        """The mark where the text of `name` begins."""
        return ""

    def end(self) -> str:
        """The mark where it ends."""
        return ""


class Marks(NoMarks):
    """The marks themselves."""

    def line(self, origin: Span) -> str:
        """The mark of a line with this place in the source."""
        return "" if origin == UNKNOWN_SPAN else f"{_EDGE}= {origin.path}:{origin.line}{_EDGE}"

    def begin(self, name: str) -> str:
        """The mark where the text of `name` begins."""
        return f"{_EDGE}+ {name}{_EDGE}"

    def end(self) -> str:
        """The mark where it ends."""
        return f"{_EDGE}-{_EDGE}"


def without_marks(marked: str) -> PlacedText:
    """The text without its marks, and what they say."""
    lines: list[str] = []
    pieces: list[Piece] = []
    origins: list[Origin] = []
    name, first = "", 0
    for number, line in enumerate(marked.split("\n"), 1):
        # Every second part is a mark.
        parts = line.split(_EDGE)
        lines.append("".join(parts[::2]))
        for mark in parts[1::2]:
            kind, _, told = mark.partition(" ")
            if kind == "+":
                name, first = told, number
            elif kind == "-":
                pieces.append(Piece(name, first, number))
            else:
                path, _, source_line = told.rpartition(":")
                origins.append(Origin(number, path, int(source_line)))
    return PlacedText("\n".join(lines), tuple(pieces), tuple(origins))
