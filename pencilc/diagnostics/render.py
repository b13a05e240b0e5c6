"""Diagnostics as text with carets, as rustc shows them, and as one line of JSON each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from pencilc.diagnostics.codes import REGISTRY
from pencilc.diagnostics.diagnostic import Diagnostic, Severity
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.records import dataclass

_TAB = 4
# A longer line is cut around what is marked in it; a longer message in its middle.
_LONGEST_LINE = 160
_BEFORE_MARK = 60
_LONGEST_TEXT = 600
_CUT = "..."
_INCLUDE_DIR = Path(__file__).resolve().parent.parent / "include"
_COLOURS = {"error": "\033[1;31m", "warning": "\033[1;33m", "note": "\033[1;36m", "bold": "\033[1m",
            "frame": "\033[1;34m"}  # fmt: skip
_RESET = "\033[0m"


@dataclass(frozen=True, slots=True)
class _Mark:
    span: Span
    sign: str
    text: str


def render_text(
    diagnostics: Iterable[Diagnostic], files: Mapping[str, SourceFile] | None = None, colour: bool = False
) -> str:
    """All diagnostics as text; `files` holds the sources in memory, others are read from disk."""
    sources = _Sources(files or {})
    return "\n".join(_one(d, sources, colour) for d in diagnostics)


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """One JSON object a line."""
    return "".join(json.dumps(_object(d), sort_keys=True) + "\n" for d in diagnostics)


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """`2 errors and 1 warning`, or the empty string."""
    listed = list(diagnostics)
    parts = []
    for severity in (Severity.ERROR, Severity.WARNING):
        count = sum(1 for d in listed if d.severity is severity)
        if count:
            parts.append(f"{count} {severity.value}{'s' if count > 1 else ''}")
    return " and ".join(parts)


class _Sources:
    """The lines of the files that diagnostics point into."""

    def __init__(self, files: Mapping[str, SourceFile]) -> None:
        self._lines = {path: file.text.splitlines() for path, file in files.items()}

    def line(self, path: str, number: int) -> str | None:
        """The text of a line, or None where there is no such line."""
        if path not in self._lines:
            self._lines[path] = self._read(path)
        lines = self._lines[path]
        return lines[number - 1] if 1 <= number <= len(lines) else None

    @staticmethod
    def _read(path: str) -> list[str]:
        if path.startswith("<pencilc>/"):
            path = str(_INCLUDE_DIR / path.removeprefix("<pencilc>/"))
        try:
            return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []


def _one(diagnostic: Diagnostic, sources: _Sources, colour: bool) -> str:
    def paint(text: str, style: str) -> str:
        return f"{_COLOURS[style]}{text}{_RESET}" if colour and text else text

    kind, span = diagnostic.severity.value, diagnostic.span
    flag = f" [-W{REGISTRY[diagnostic.code].name}]" if diagnostic.severity is Severity.WARNING else ""
    out = [paint(f"{kind}[{diagnostic.code}]", kind) + paint(f": {_short(diagnostic.message)}", "bold") + flag]
    marks = [_Mark(span, "^", diagnostic.label)] + [_Mark(x.span, "-", x.text) for x in diagnostic.secondary]
    width = max(len(str(m.span.line)) for m in marks) + 1
    out.append(paint(" " * width + "-->", "frame") + f" {span}")
    here = [m for m in marks if m.span.path == span.path]
    out += _frame(here, sources, width, paint, kind)
    for mark in marks:
        if mark.span.path != span.path:
            out.append(paint(" " * width + ":::", "frame") + f" {mark.span}")
            out += _frame([mark], sources, width, paint, kind)
    for word, texts in (("note", diagnostic.notes), ("help", diagnostic.remedies)):
        for text in texts:
            out.append(paint(" " * (width + 1) + "=", "frame") + f" {paint(word, 'bold')}: {_short(text)}")
    return "\n".join(out) + "\n"


def _frame(marks: list[_Mark], sources: _Sources, width: int, paint: Callable[[str, str], str], kind: str) -> list[str]:
    numbers = sorted({m.span.line for m in marks if sources.line(m.span.path, m.span.line) is not None})
    if not numbers:
        return []
    bar = paint(" " * (width + 1) + "|", "frame")
    out, previous = [bar], 0
    for number in numbers:
        if previous and number > previous + 1:
            gap = number == previous + 2 and bool((sources.line(marks[0].span.path, previous + 1) or "").strip())
            if gap:
                between = _cut_line(sources.line(marks[0].span.path, number - 1) or "", 1)
                out.append(_source_line(number - 1, between.text, width, paint))
            else:
                out.append(paint(" " * width + "...", "frame"))
        here = sorted((m for m in marks if m.span.line == number), key=lambda m: (m.sign != "^", m.span.column))
        line = _cut_line(sources.line(marks[0].span.path, number) or "", here[0].span.column)
        out.append(_source_line(number, line.text, width, paint))
        for mark in here:
            start = line.column(mark.span.column)
            end = max(line.column(mark.span.end_column), start + 1)
            style = kind if mark.sign == "^" else "frame"
            label = f" {_short(mark.text)}" if mark.text else ""
            out.append(f"{bar} {' ' * start}{paint(mark.sign * (end - start) + label, style)}")
        previous = number
    return out


@dataclass(frozen=True, slots=True)
class _ShownLine:
    """A line of the source as it is shown: tabs are spaces, and a long one is cut to a part of it."""

    text: str
    original: str
    first: int  # the column of `original`, from 0, at which the part begins
    lead: int  # how many characters stand before that part

    def column(self, number: int) -> int:
        """Where column `number` (from 1) of the source stands in `text`, from 0; at an end of it if it was cut away."""
        at = self.lead + len(_expand(self.original[self.first : max(number - 1, self.first)]))
        return min(at, len(self.text) - 1) if len(self.original) > _LONGEST_LINE else at


def _cut_line(text: str, column: int) -> _ShownLine:
    """The line, or of a long one the part around `column` (from 1)."""
    if len(text) <= _LONGEST_LINE:
        return _ShownLine(_expand(text), text, 0, 0)
    first = max(min(column - 1, len(text)) - _BEFORE_MARK, 0)
    part = text[first : first + _LONGEST_LINE]
    lead = _CUT if first else ""
    return _ShownLine(lead + _expand(part) + (_CUT if first + len(part) < len(text) else ""), text, first, len(lead))


def _short(text: str) -> str:
    """A message, without the middle of a very long one."""
    if len(text) <= _LONGEST_TEXT:
        return text
    return f"{text[: _LONGEST_TEXT // 2]} {_CUT} {text[-_LONGEST_TEXT // 2 :]}"


def _source_line(number: int, text: str, width: int, paint: Callable[[str, str], str]) -> str:
    shown = _printable(text).rstrip()
    return paint(f"{number:>{width}} |", "frame") + (f" {shown}" if shown else "")


def _expand(text: str) -> str:
    """Tabs as spaces; wide enough for carets to stand under what they mean."""
    return text.expandtabs(_TAB)


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() and not "\udc80" <= c <= "\udcff" else "�" for c in text)


def _object(diagnostic: Diagnostic) -> dict[str, object]:
    def place(span: Span) -> dict[str, object]:
        return {"file": span.path, "line": span.line, "column": span.column, "end_column": span.end_column}

    return {
        "severity": diagnostic.severity.value,
        "code": diagnostic.code,
        "name": REGISTRY[diagnostic.code].name,
        "message": diagnostic.message,
        **place(diagnostic.span),
        "label": diagnostic.label,
        "secondary": [{**place(x.span), "text": x.text} for x in diagnostic.secondary],
        "notes": list(diagnostic.notes),
        "helps": list(diagnostic.remedies),
        "fixes": [
            {"help": fix.help, "edits": [{**place(edit.span), "text": edit.text} for edit in fix.edits]}
            for fix in diagnostic.fixes
        ],
    }
