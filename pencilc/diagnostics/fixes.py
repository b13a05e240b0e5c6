"""Edits of source text, made of spans: each is made only where the text that it speaks of really stands there.

A span may come out of a macro, or cover less than what is to be replaced; what does not stand in the file as it is
expected gives no edit (None), and the remedy is then told in words alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from pencilc.diagnostics.diagnostic import Edit, Fix
from pencilc.diagnostics.source import SourceFile, Span

_INCLUDE = re.compile(r"[ \t]*#[ \t]*include\b")
_STRING = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_OPENING = {"(": ")", "[": "]", "{": "}"}


def fix(text: str, edits: Iterable[Edit | None]) -> Fix | None:
    """The fix that does all of `edits`; None if one of them could not be made."""
    made = tuple(edits)
    known = tuple(edit for edit in made if edit is not None)
    return Fix(text, known) if known and len(known) == len(made) else None


def replaced(file: SourceFile, span: Span, old: str, new: str) -> Edit | None:
    """`new` in place of `old`, which begins at `span`, in the same line."""
    line = file.line(span.line)
    start = span.column - 1
    if span.path != file.path or not old or not line.startswith(old, start):
        return None
    is_cut = old[-1].isalnum() and re.match(r"\w", line[start + len(old) :])
    return None if is_cut else Edit(replace(span, end_column=span.column + len(old)), new)


def inserted(file: SourceFile, span: Span, column: int, text: str) -> Edit | None:
    """`text` in front of column `column` of the line of `span`."""
    if span.path != file.path or not 1 <= column <= len(file.line(span.line)) + 1:
        return None
    return Edit(replace(span, column=column, end_column=column), text)


def line_before(file: SourceFile, span: Span, text: str, indented: bool = True) -> Edit | None:
    """`text` as a line of its own in front of the line of `span`, with its indentation or none."""
    line = file.line(span.line)
    if span.path != file.path or span.line < 1 or file.line(span.line - 1).endswith("\\"):
        return None
    indentation = line[: len(line) - len(line.lstrip())] if indented else ""
    return Edit(replace(span, column=1, end_column=1), f"{indentation}{text}\n")


def is_in_block(file: SourceFile, span: Span) -> bool:
    """Whether the statement at `span` is one of several, not the only one of a loop or branch."""
    lines = file.lines[: span.line - 1]
    before = _COMMENT.sub("", "\n".join([*lines, file.line(span.line)[: span.column - 1]])).rstrip()
    return before.endswith((";", "{", "}")) or before.rsplit("\n", 1)[-1].lstrip().startswith("#")


def statement_before(file: SourceFile, span: Span, text: str) -> Edit | None:
    """The statement `text` in front of the one at `span`, if that is one of several and begins its line."""
    begins = not file.line(span.line)[: span.column - 1].strip()
    return line_before(file, span, text) if begins and is_in_block(file, span) else None


def line_behind(file: SourceFile, span: Span, text: str, indented: bool = True) -> Edit | None:
    """`text` as a line of its own behind the line of `span`, with its indentation or none."""
    line = file.line(span.line)
    if span.path != file.path or span.line < 1 or line.endswith("\\"):
        return None
    indentation = line[: len(line) - len(line.lstrip())] if indented else ""
    column = len(line) + 1
    return Edit(replace(span, column=column, end_column=column), f"\n{indentation}{text}")


def closing(line: str, opening: int) -> int:
    """Where the parenthesis that `line` opens at `opening` is closed; -1 if not in this line."""
    depth = 0
    for column in range(max(opening, 0), len(line) if opening >= 0 else 0):
        depth += {"(": 1, ")": -1}.get(line[column], 0)
        if depth == 0:
            return column
    return -1


def word_removed(file: SourceFile, span: Span, word: str) -> Edit | None:
    """`word` taken out of the declaration of what stands at `span`, if it is there once, in the same line."""
    before = _STRING.sub(lambda found: "_" * len(found.group()), file.line(span.line)[: span.column - 1])
    start = max(before.rfind(sign) for sign in ("(", ",", ";", "{")) + 1
    found = list(re.finditer(rf"\b{word}\b\s*", before[start:]))
    if span.path != file.path or len(found) != 1:
        return None
    first, last = start + found[0].start(), start + found[0].end()
    return Edit(replace(span, column=first + 1, end_column=last + 1), "")


def statement_at(file: SourceFile, span: Span) -> tuple[int, int] | None:
    """The columns of a statement that begins at `span` and ends with `;` in its line; the second is behind it."""
    line = _STRING.sub(lambda found: "_" * len(found.group()), file.line(span.line))
    if span.path != file.path:
        return None
    missing: list[str] = []
    for column, letter in enumerate(line[span.column - 1 :], span.column):
        if letter in _OPENING:
            missing.append(_OPENING[letter])
        elif missing and letter == missing[-1]:
            missing.pop()
        elif letter == ";" and not missing:
            return span.column, column + 1
    return None


def statement_replaced(file: SourceFile, span: Span, starts: str, new: str) -> Edit | None:
    """`new` in place of the statement at `span`, which has to begin with `starts` and end in its line."""
    found = statement_at(file, span)
    if found is None or not file.line(span.line).startswith(starts, span.column - 1):
        return None
    return Edit(replace(span, column=found[0], end_column=found[1]), new)


def statement_removed(file: SourceFile, span: Span, starts: str) -> Edit | None:
    """The statement at `span` taken out, with the space in front of it."""
    made = statement_replaced(file, span, starts, "")
    if made is None:
        return None
    before = file.line(span.line)[: span.column - 1]
    column = len(before.rstrip()) + 1
    return replace(made, span=replace(made.span, column=column))


def subscripts_swapped(file: SourceFile, span: Span, first: int, second: int) -> tuple[Edit, ...] | None:
    """The edits that let two subscripts, counted from 0, of the array element at `span` change places."""
    line = file.line(span.line)
    if span.path != file.path:
        return None
    found: list[tuple[int, int]] = []
    at = span.column - 1 + len(re.match(r"\w*\s*", line[span.column - 1 :]).group())  # type: ignore[union-attr]
    while line[at : at + 1] == "[":
        depth, end = 0, at
        while end < len(line):
            depth += {"[": 1, "]": -1}.get(line[end], 0)
            if depth == 0:
                break
            end += 1
        found.append((at + 1, end))
        at = end + 1
    if second >= len(found):
        return None
    texts = [line[start:end] for start, end in found]
    texts[first], texts[second] = texts[second], texts[first]
    return tuple(
        Edit(replace(span, column=start + 1, end_column=end + 1), text)
        for (start, end), text in zip(found, texts, strict=True)
    )


def before_function(file: SourceFile, span: Span, function: str, text: str) -> Edit | None:
    """`text` as a line in front of the definition of `function`, which holds `span`."""
    heads = re.compile(rf"(?!\s*(?:#|//|/\*|return\b)).*\b{re.escape(function)}\s*\(")
    line = next((k for k in range(span.line, 0, -1) if heads.match(file.line(k))), 0)
    while (
        line > 1 and re.search(r"[\w*]\s*$", file.line(line - 1)) and not file.line(line - 1).lstrip().startswith("#")
    ):
        line -= 1  # The type stands in a line of its own.
    if span.path != file.path or line == 0 or "__attribute" in file.line(line - 1):
        return None
    return line_before(file, replace(span, line=line, column=1, end_column=1), text, indented=False)


def renamed_everywhere(file: SourceFile, old: str, new: str) -> tuple[Edit, ...]:
    """`new` for each `old` of the file, but in comments and in strings."""
    text = "\n".join(file.lines)
    for passed_over in (_COMMENT, _STRING):
        text = passed_over.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    edits: list[Edit] = []
    for number, line in enumerate(text.split("\n"), start=1):
        for found in re.finditer(rf"\b{re.escape(old)}\b", line):
            edits.append(Edit(Span(file.path, number, found.start() + 1, found.end() + 1), new))
    return tuple(edits)


def header_included(file: SourceFile, header: str) -> Edit:
    """`#include <header>` in front of the first `#include`, or of the whole file."""
    line = next((k for k, text in enumerate(file.lines, 1) if _INCLUDE.match(text)), 1)
    return Edit(Span(file.path, line, 1, 1), f"#include <{header}>\n")
