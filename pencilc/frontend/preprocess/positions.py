"""Where a token of the preprocessed text stands in the files the user wrote.

Each output line of the preprocessor comes from one line of one file.  Most lines are copied as they
are, so that columns agree; where a macro was expanded the token is looked up in the original line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pencilc.diagnostics.source import Span

TOKEN = re.compile(
    r"[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|\S"
)


@dataclass(frozen=True, slots=True)
class LineOrigin:
    """The file and the line number (from 1) that an output line was made from."""

    path: str
    line: int


@dataclass(slots=True)
class SourceMap:
    """The preprocessed text with the origin of each of its lines, and the text of each file read."""

    text: str
    origins: tuple[LineOrigin, ...]
    files: dict[str, str]
    output_lines: list[str] = field(init=False, repr=False)
    _file_lines: dict[str, list[str]] = field(init=False, default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.output_lines = self.text.split("\n")

    def span(self, line: int, column: int) -> Span:
        """The span, in the original file, of the token at `line:column` of the preprocessed text."""
        if not self.origins:
            return Span("<input>", 1, 1, 2)
        index = min(max(line, 1), len(self.origins)) - 1
        origin = self.origins[index]
        output = self.output_lines[index] if index < len(self.output_lines) else ""
        original = self.original_line(origin)
        match = TOKEN.match(output, max(column, 1) - 1)
        word = match.group() if match else ""
        start = _find_token(output, max(column, 1) - 1, word, original)
        length = len(word) if original[start : start + len(word)] == word else _token_length(original, start)
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


def _find_token(output: str, start: int, word: str, original: str) -> int:
    """The offset in `original` of the token `word` that stands at `start` of `output`."""
    if word and original[start : start + len(word)] == word and output[:start].strip() == original[:start].strip():
        return start
    before = sum(1 for m in TOKEN.finditer(output, 0, start) if m.group() == word)
    places = [m.start() for m in TOKEN.finditer(original) if m.group() == word]
    if places:
        return places[min(before, len(places) - 1)]
    # The token came out of a macro: point at the first token in which the two lines differ.
    for left, right in zip(TOKEN.finditer(output), TOKEN.finditer(original), strict=False):
        if left.group() != right.group():
            return right.start()
    return min(start, max(len(original) - 1, 0))


def _token_length(text: str, start: int) -> int:
    match = TOKEN.match(text, start)
    return len(match.group()) if match else 1
