"""The file as the user wrote it: where the nodes of the tree stand in it, and changes to it.

The tree comes from the preprocessed text.  A place is used only where the file has the same token there; what a
macro brings has none.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pencilc.diagnostics.diagnostic import Severity, SourceErrors
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.frontend.options import FrontendOptions
from pencilc.frontend.preprocess.run import Preprocessed, run_preprocessor
from pencilc.frontend.syntax.lexing import OPENING, Token, tokens
from pencilc.frontend.syntax.tree import parse_syntax
from pencilc.port.records import CannotPort, HiddenByMacro, Replacement


def edited(text: str, edits: Iterable[Replacement], start: int = 0, end: int | None = None) -> str:
    """The text from `start` to `end` with those of the edits that lie in it made."""
    return "".join(new for _, new in _pieces(text, edits, start, len(text) if end is None else end))


def _pieces(text: str, edits: Iterable[Replacement], start: int, end: int) -> Iterator[tuple[int, str]]:
    """The pieces of the new text, each with the offset in the old one that it comes from or stands for."""
    position = start
    for edit in sorted(set(edits), key=lambda e: (e.start, e.end)):
        if edit.start < position or edit.end > end:
            continue
        yield position, text[position : edit.start]
        yield edit.start, edit.new
        position = edit.end
    yield position, text[position:end]


class Parsed:
    """A text with its tree and tokens."""

    def __init__(self, file: SourceFile, options: FrontendOptions, came_from: Sequence[int] = ()) -> None:
        """Preprocess and parse; raises SourceErrors where the file cannot be read.

        `came_from` has the line of the user's file for each line, where that is not the same.
        """
        self.came_from = came_from
        self.file = file
        self.options = options
        self.text = file.text
        self.preprocessed: Preprocessed = run_preprocessor(file, options)
        if any(d.severity is Severity.ERROR for d in self.preprocessed.diagnostics):
            raise SourceErrors(self.preprocessed.diagnostics)
        self.syntax = parse_syntax(self.preprocessed.map)
        if self.syntax.errors:
            raise SourceErrors(self.syntax.errors)
        self.tree: Any = self.syntax.tree
        self.tokens: list[Token] = tokens(self.text)
        self._starts = [token.start for token in self.tokens]
        self._lines = [0]
        for line in self.text.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def with_edits(self, edits: Iterable[Replacement]) -> Parsed:
        """The text with changes made, parsed again; raises CannotPort if that is no C."""
        parts: list[str] = []
        offsets: list[int] = []  # the old offset of the beginning of each new line
        at_start = True
        for origin, piece in _pieces(self.text, edits, 0, len(self.text)):
            is_copied = self.text.startswith(piece, origin)
            position = 0
            for line in piece.splitlines(keepends=True):
                if at_start:
                    offsets.append(origin + (position if is_copied else 0))
                at_start = line.endswith("\n")
                position += len(line)
            parts.append(piece)
        came_from = [self.users_line(self.line_at(offset)) for offset in offsets]
        try:
            return Parsed(SourceFile(self.file.path, "".join(parts)), self.options, came_from)
        except SourceErrors as errors:
            first = errors.diagnostics[0]
            where = replace(first.span, line=came_from[min(first.span.line, len(came_from)) - 1])
            raise CannotPort(f"it would be no C any more: {first.message}", where) from errors

    def users_line(self, line: int) -> int:
        """The line of the user's file that a line of this text comes from."""
        return self.came_from[line - 1] if 0 < line <= len(self.came_from) else line

    def users_span(self, span: Span | None) -> Span | None:
        """A place of this text as one of the user's file."""
        if span is None or span.path != self.file.path:
            return span
        return replace(span, line=self.users_line(span.line))

    def span(self, node: Any) -> Span:
        """Where a node stands in the user's files."""
        return self.preprocessed.map.span(node.coord.line, node.coord.column or 1)

    def line_at(self, offset: int) -> int:
        """The number, from 1, of the line that holds an offset."""
        return bisect_left(self._lines, offset + 1)

    def line_start(self, offset: int) -> int:
        """The offset at which the line of `offset` begins."""
        return self._lines[self.line_at(offset) - 1]

    def after_space(self, offset: int) -> int:
        """The offset of what follows the blanks and line ends at an offset; a comment is no blank."""
        rest = self.text[offset:]
        return offset + len(rest) - len(rest.lstrip())

    def indent_at(self, offset: int) -> str:
        """The white space that begins the line of `offset`."""
        start = self.line_start(offset)
        line = self.text[start : self.text.find("\n", start) if "\n" in self.text[start:] else len(self.text)]
        return line[: len(line) - len(line.lstrip())]

    def is_in_file(self, node: Any) -> bool:
        """Whether a node stands in the file itself, not in one that it includes."""
        return node.coord is not None and self.span(node).path == self.file.path

    def token_of(self, node: Any, word: str) -> int:
        """The number of the token `word` of the file that `node` begins with; raises CannotPort if a macro made it."""
        span = self.span(node)
        if span.path == self.file.path and 0 < span.line < len(self._lines):
            offset = self._lines[span.line - 1] + span.column - 1
            at = bisect_left(self._starts, offset)
            if at < len(self.tokens) and self.tokens[at].start == offset and self.tokens[at].text == word:
                return at
        line = self.file.line(span.line - 1)
        if line.endswith("\\"):
            raise CannotPort(f"`{word}` stands behind a line that `\\` continues", span)
        raise HiddenByMacro(f"`{word}` comes from a macro", span)

    def name_of(self, decl: Any) -> int:
        """The number of the token that is the name in a declaration; raises CannotPort if a macro made it."""
        inner = decl.type
        while type(inner).__name__ not in ("TypeDecl", "Struct", "Union", "Enum"):
            inner = inner.type
        return self.token_of(inner if inner.coord is not None else decl, decl.name)

    def closing(self, at: int) -> int:
        """The number of the token that closes the bracket which is token `at`."""
        opening = self.tokens[at].text
        closing, depth = OPENING[opening], 0
        for k in range(at, len(self.tokens)):
            if self.tokens[k].kind == "op":
                depth += {opening: 1, closing: -1}.get(self.tokens[k].text, 0)
            if depth == 0:
                return k
        raise CannotPort(f"`{opening}` is not closed")

    def semicolon(self, at: int) -> int:
        """The number of the first token `;` from token `at` on."""
        return next(k for k in range(at, len(self.tokens)) if self.tokens[k].text == ";")

    def parts(self, first: int, last: int) -> list[tuple[int, int]]:
        """The tokens between `first` and `last`, those excluded, split at commas: (first, last) of each, included."""
        found: list[tuple[int, int]] = []
        start, at = first + 1, first + 1
        while at < last:
            token = self.tokens[at]
            if token.kind == "op" and token.text in OPENING:
                at = self.closing(at)
            elif token.text == "," and token.kind == "op":
                found.append((start, at - 1))
                start = at + 1
            at += 1
        return [*found, (start, last - 1)] if start < last else found

    def slice(self, first: int, last: int, edits: Sequence[Replacement] = ()) -> str:
        """The text of the tokens from `first` to `last`, with the edits in it made."""
        return edited(self.text, edits, self.tokens[first].start, self.tokens[last].end)
