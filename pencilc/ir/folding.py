"""Long lines of dumps, broken where a reader would break them.

{ S1[i] -> S2[i' = i] : …; S1[i] -> S2[i'] : … }           { S1[i] -> S2[i' = i] : …;
                                                               S1[i] -> S2[i'] : … }
"""

from __future__ import annotations

import re
from collections.abc import Iterator

WIDTH = 120
_MORE = 4  # columns by which what goes on stands further to the right
_BREAKS = re.compile(r"(?<=[;,]) | (?=(?:and|or|for|to|if|&&|\|\||\+|:) )")

_BELOW = {"{": re.compile(r"(?<=;) "), "[": re.compile(r" (?=to \[|for \{)")}


def folded(text: str) -> str:
    """The same text with no line longer than `WIDTH`, where that can be: white space means nothing in dumps."""
    return "\n".join(piece for line in text.split("\n") for piece in _pieces(line))


def _pieces(line: str) -> Iterator[str]:
    """A line, or the lines that it becomes."""
    if len(line) <= WIDTH or '"' in line:
        yield line
        return
    content = line.lstrip(" ")
    indent = " " * (len(line) - len(content))
    # Pieces of a relation stand below each other, and so do the ends of a range.
    between = _BELOW.get(content[0])
    parts = between.split(content) if between is not None else [content]
    for number, part in enumerate(parts):
        yield from _filled(part, indent if number == 0 else indent + " " * _MORE, indent + " " * _MORE)


def _filled(part: str, first: str, others: str) -> Iterator[str]:
    """As much on a line as it takes."""
    line = ""
    for piece in _BREAKS.split(part):
        if line.strip() and len(line) + 1 + len(piece) > WIDTH:
            yield line
            line = others + piece
        else:
            line = f"{line} {piece}" if line else first + piece
    yield line
