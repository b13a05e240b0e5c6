"""The text of schedules that `--save-schedule` writes and people change: what it says, before any region is looked at.

    schedule of f                       the region, as the dumps call it; what stands behind a colon is not read
      band                              rows, outermost first, and below them what each of their values runs
        P i: S3, M0 -> i; S6 -> j_2     a mark (or none), a name up to the colon (or none), and the value for statements
        sequence                        one after the other; what stands below rows is one also without the word
          S3[i]: t = a[i];              a statement; what stands behind its label is not read
          M0

The deeper a line is indented, the further inside it stands.  `source order` instead of a tree: one thread runs the
region.  Lines that begin with `#` and empty ones say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from pencilc.diagnostics.diagnostic import Diagnostic, Severity, SourceErrors
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.ir.schedule import Flag
from pencilc.records import dataclass

SOURCE_ORDER = "source order"
_HEAD = re.compile(r"schedule of (\w+)(?::.*)?$")
_IGNORED = re.compile(r"(parameters|source order kept): ")
_LEAF = re.compile(r"(\w+)(\[[\w, ]*\])?(\s*[:#].*)?$")
_LABEL = re.compile(r"[SM]\d+(?!\w)(?!\s*,)")  # what a line begins with that is a statement and no row
_MARK = re.compile(r"([PRs])(?![^\s:])")
_MOST_DEPTH = 100  # rows and sequences inside each other


@dataclass(frozen=True, slots=True)
class GivenValue:
    """The value of a row for some statements: an affine expression, as it is written."""

    statements: tuple[str, ...]
    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class GivenRow:
    """A row; without a flag it has the one that it may have."""

    flag: Flag | None
    values: tuple[GivenValue, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class GivenLeaf:
    """A statement."""

    statement: str
    span: Span


@dataclass(frozen=True, slots=True)
class GivenBand:
    """Rows, outermost first, around `child`."""

    rows: tuple[GivenRow, ...]
    child: GivenTree
    span: Span


@dataclass(frozen=True, slots=True)
class GivenSequence:
    """Children, one after the other."""

    children: tuple[GivenTree, ...]
    span: Span


GivenTree: TypeAlias = GivenLeaf | GivenBand | GivenSequence


@dataclass(frozen=True, slots=True)
class GivenSchedule:
    """What the file says of the region `name`; no tree where it asks for the order of the source in one thread."""

    name: str
    tree: GivenTree | None
    span: Span


def fault(message: str, span: Span, *helps: str) -> SourceErrors:
    """What is raised where a schedule file cannot be used."""
    return SourceErrors([Diagnostic(Severity.ERROR, "PC0811", message, span, helps=helps)])


def read_schedule_file(path: str) -> SourceFile:
    """The text of a schedule file; raises SourceErrors where it cannot be read."""
    try:
        return SourceFile(path, Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise fault(f"cannot read the schedule file: {reason}", Span(path, 1, 1, 2)) from error


def read_schedules(file: SourceFile) -> tuple[GivenSchedule, ...]:
    """What a schedule file says, region by region; raises SourceErrors with the place of the first fault."""
    found: dict[str, GivenSchedule] = {}
    lines = list(_lines(file))
    heads = [number for number, line in enumerate(lines) if _HEAD.fullmatch(line.text)]
    if not heads or heads[0] != 0:
        span = lines[0].span if lines else Span(file.path, 1, 1, 2)
        raise fault("this is no schedule file: it does not begin with `schedule of <region>`", span)
    for first, end in zip(heads, [*heads[1:], len(lines)], strict=True):
        schedule = _schedule(lines[first], lines[first + 1 : end])
        if schedule.name in found:
            raise fault(f"there is a schedule of `{schedule.name}` already", schedule.span)
        found[schedule.name] = schedule
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with something on it: how far it is indented, its text, and where that stands."""

    indent: int
    text: str
    span: Span

    def part(self, start: int, end: int) -> Span:
        """The place of a part of the text."""
        return Span(self.span.path, self.span.line, self.span.column + start, self.span.column + max(end, start + 1))


def _lines(file: SourceFile) -> Iterator[_Line]:
    for number, whole in enumerate(file.text.splitlines(), start=1):
        text = whole.strip()
        if text and not text.startswith("#") and not _IGNORED.match(text):
            start = len(whole) - len(whole.lstrip())
            indent = len(whole[:start].expandtabs())
            yield _Line(indent, text, Span(file.path, number, start + 1, start + 1 + len(text)))


def _schedule(head: _Line, lines: list[_Line]) -> GivenSchedule:
    match = _HEAD.fullmatch(head.text)
    assert match is not None
    if len(lines) == 1 and lines[0].text.partition("#")[0].strip() == SOURCE_ORDER:
        return GivenSchedule(match.group(1), None, head.span)
    return GivenSchedule(match.group(1), _below(head, lines, 0), head.span)


def _below(parent: _Line, lines: list[_Line], depth: int) -> GivenTree:
    """The nodes of some lines, one after the other; `parent` stands above them."""
    if depth > _MOST_DEPTH:
        raise fault(f"rows and sequences are nested more than {_MOST_DEPTH} deep", parent.span)
    nodes = [_node(line, inside, depth) for line, inside in _blocks(lines)]
    return nodes[0] if len(nodes) == 1 else GivenSequence(tuple(nodes), nodes[0].span if nodes else parent.span)


def _blocks(lines: list[_Line]) -> Iterator[tuple[_Line, list[_Line]]]:
    """Each line that stands as far out as the first one, with the lines inside of it."""
    start = 0
    while start < len(lines):
        end = start + 1
        while end < len(lines) and lines[end].indent > lines[start].indent:
            end += 1
        if lines[start].indent != lines[0].indent:
            raise fault("this line is indented like none of those that it could belong to", lines[start].span)
        yield lines[start], lines[start + 1 : end]
        start = end


def _node(line: _Line, inside: list[_Line], depth: int) -> GivenTree:
    word = line.text.partition("#")[0].strip()
    if word == "sequence":
        below = _below(line, inside, depth + 1)
        return below if isinstance(below, GivenSequence) else GivenSequence((below,), line.span)
    if word == "band":
        return _band(line, inside, depth)
    if _is_row(line):
        raise fault("a row stands here without a `band` around it", line.span, "write `band` above the rows")
    match = _LEAF.fullmatch(line.text)
    if match is None or word == SOURCE_ORDER:
        raise fault("this is no `band`, no `sequence` and no statement", line.span)
    if inside:
        raise fault(f"nothing can stand inside of the statement `{match.group(1)}`", inside[0].span)
    return GivenLeaf(match.group(1), line.part(0, len(match.group(1))))


def _band(line: _Line, inside: list[_Line], depth: int) -> GivenBand:
    rows: list[GivenRow] = []
    if not inside:
        raise fault("nothing is inside of this band: what belongs to it is indented further", line.span)
    for count, (row, deeper) in enumerate(_blocks(inside)):
        if not _is_row(row):
            return GivenBand(_some(rows, line), _below(line, inside[count:], depth + 1), line.span)
        if deeper:
            raise fault("what a row runs stands below all rows of its band, not further inside", deeper[0].span)
        rows.append(_row(row))
    raise fault("this band has no statement", line.span)


def _is_row(line: _Line) -> bool:
    """Whether the line has a value for statements; the text of a statement may have an arrow too, `S3: p->x = 1;`."""
    text = line.text.partition("#")[0]
    before, colon, _ = text.partition(":")
    is_statement = _LABEL.match(before) is not None and bool(colon) and "->" not in before
    return "->" in text and not is_statement


def _some(rows: list[GivenRow], line: _Line) -> tuple[GivenRow, ...]:
    if not rows:
        raise fault("this band has no row", line.span, "a row is written `P i: S0, S1 -> i; S2 -> j + 1`")
    return tuple(rows)


def _row(line: _Line) -> GivenRow:
    text = line.text.partition("#")[0]
    start = text.find(":") + 1
    mark = _MARK.match(text) if start else None
    values: list[GivenValue] = []
    for part in text[start:].split(";"):
        names, arrow, value = part.partition("->")
        labels = tuple(name.strip() for name in names.split(","))
        at = start + len(part) - len(part.lstrip())
        span = line.part(at, start + len(part.rstrip()))
        if part.strip():
            if not arrow or not value.strip() or not all(re.fullmatch(r"\w+", label) for label in labels):
                raise fault("a row is written `P i: S0, S1 -> i; S2 -> j + 1`", span)
            values.append(GivenValue(labels, value.strip(), span))
        start += len(part) + 1
    flag: Flag | None = mark.group(1) if mark else None  # type: ignore[assignment]
    return GivenRow(flag, tuple(values), line.span)
