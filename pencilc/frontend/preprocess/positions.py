"""Where a token of the preprocessed text stands in the files the user wrote.

Each output line of the preprocessor comes from one line of one file.  Most lines are copied as they
are, so that columns agree; where a macro was expanded the token is looked up in the original line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import field
from functools import cached_property

from pencilc.diagnostics.source import Span
from pencilc.records import dataclass

TOKEN = re.compile(
    r"[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|\S"
)


@dataclass(frozen=True, slots=True)
class LineOrigin:
    """The file and the line number (from 1) that an output line was made from."""

    path: str
    line: int


class _Line:
    """A line of the output and the one that it was made from; a line may be long, so each is read once."""

    def __init__(self, output: str, original: str) -> None:
        self.output = output
        self.original = original
        self.is_copied = output == original

    def find(self, start: int, word: str) -> int:
        """The offset in the original of the token `word` that stands at `start` of the output."""
        if word and self.is_copied:
            return start
        if places := self._places.get(word):
            before = bisect_left(self._output_places.get(word, []), start)
            return places[min(before, len(places) - 1)]
        # The token came out of a macro: point at the first token in which the two lines differ.
        if self._first_difference is not None:
            return self._first_difference
        return min(start, max(len(self.original) - 1, 0))

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        return _places_in(self.original)

    @cached_property
    def _output_places(self) -> dict[str, list[int]]:
        return _places_in(self.output)

    @cached_property
    def _first_difference(self) -> int | None:
        for left, right in zip(TOKEN.finditer(self.output), TOKEN.finditer(self.original), strict=False):
            if left.group() != right.group():
                return right.start()
        return None


def _places_in(line: str) -> dict[str, list[int]]:
    """Where each token stands in a line."""
    places: dict[str, list[int]] = {}
    for match in TOKEN.finditer(line):
        places.setdefault(match.group(), []).append(match.start())
    return places


@dataclass(slots=True)
class SourceMap:
    """The preprocessed text with the origin of each of its lines, and the text of each file read."""

    text: str
    origins: tuple[LineOrigin, ...]
    files: dict[str, str]
    output_lines: list[str] = field(init=False, repr=False)
    _file_lines: dict[str, list[str]] = field(init=False, default_factory=dict, repr=False)
    _lines: dict[int, _Line] = field(init=False, default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.output_lines = self.text.split("\n")

    def span(self, number: int, column: int) -> Span:
        """The span, in the original file, of the token at `number:column` of the preprocessed text."""
        if not self.origins:
            return Span("<input>", 1, 1, 2)
        index = min(max(number, 1), len(self.origins)) - 1
        origin = self.origins[index]
        line = self._lines.get(index)
        if line is None:
            output = self.output_lines[index] if index < len(self.output_lines) else ""
            line = self._lines[index] = _Line(output, self.original_line(origin))
        original = line.original
        match = TOKEN.match(line.output, max(column, 1) - 1)
        word = match.group() if match else ""
        start = line.find(max(column, 1) - 1, word)
        length = len(word) if original.startswith(word, start) else _token_length(original, start)
        return Span(origin.path, origin.line, start + 1, start + 1 + max(length, 1))

    def original_line(self, origin: LineOrigin) -> str:
        """The text of the line `origin` as the user wrote it."""
        lines = self._file_lines.get(origin.path)
        if lines is None:
            lines = self._file_lines[origin.path] = self.files.get(origin.path, "").splitlines()
        return lines[origin.line - 1] if 0 < origin.line <= len(lines) else ""

    def path_of(self, line: int) -> str:
        """The path of the file that output line `line` comes from."""
        index = min(max(line, 1), len(self.origins)) - 1
        return self.origins[index].path if self.origins else ""


def _token_length(text: str, start: int) -> int:
    match = TOKEN.match(text, start)
    return len(match.group()) if match else 1
