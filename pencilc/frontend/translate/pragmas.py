"""The pragmas of PENCIL: what they say, and what was probably meant."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from typing import Any, Literal

from pencilc.diagnostics.source import Span
from pencilc.frontend.context import FileContext

PragmaKind = Literal["scop", "endscop", "independent", "other"]
_CLAUSE = re.compile(r"\s*reduction\s*\(\s*([^:()\s]+)\s*:\s*([^()]*)\)")
_PRAGMA = re.compile(r"[ \t]*#[ \t]*pragma[ \t]+(\S.*)")
_OPERATORS = ("+", "*", "-", "min", "max", "&", "|", "^", "&&", "||")


@dataclass(frozen=True, slots=True)
class ClauseText:
    """`reduction(op: names)` as written."""

    operator: str
    variables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PragmaText:
    """One pragma line, understood."""

    kind: PragmaKind
    clauses: tuple[ClauseText, ...]
    span: Span


def pragma_kind(text: str) -> PragmaKind:
    """What a pragma is, without any message."""
    words = (text or "").split()
    if words[:1] == ["scop"]:
        return "scop"
    if words[:1] == ["endscop"]:
        return "endscop"
    if words[:1] == ["pencil"] and (words[1:2] == ["independent"] or "independent" in "".join(words[1:2])):
        return "independent"
    return "other"


def misspelt_construct(text: str) -> tuple[str, str] | None:
    """The words of a pragma that is nearly one of PENCIL's, and what was meant: `penci`, `pencil`."""
    words = text.split()
    if is_construct(text) or not words:
        return None
    joined = "".join(words[:2]).lower()
    if joined in ("endscop", "endscope"):
        return " ".join(words[:2]), "endscop"
    close = difflib.get_close_matches(words[0].lower(), ("scop", "endscop", "pencil"), 1, 0.75)
    return (words[0], close[0]) if close else None


def is_construct(text: str) -> bool:
    """Whether a pragma is one of PENCIL's."""
    return (text or "").split()[:1] in (["scop"], ["endscop"], ["pencil"])


def read_pragma(context: FileContext, node: Any) -> PragmaText:
    """Understand a pragma, with warnings for typos and stray tokens."""
    text = node.string or ""
    words = text.split()
    span = context.span(node)
    first = words[0] if words else ""
    if first in ("scop", "endscop"):
        if words[1:]:
            _stray(context, node, text, words[1])
        return PragmaText("scop" if first == "scop" else "endscop", (), span)
    if first != "pencil":
        return PragmaText("other", (), span)
    return _pencil_pragma(context, node, text, span)


def _pencil_pragma(context: FileContext, node: Any, text: str, span: Span) -> PragmaText:
    match = re.match(r"pencil\s+(\w+)", text)
    word = match.group(1) if match else ""
    if word != "independent":
        close = difflib.get_close_matches(word, ("independent",), 1, 0.6)
        _typo(context, node, text, word or "pencil", close[0] if close else "")
        return PragmaText("other", (), span)
    assert match is not None
    rest, clauses = text[match.end() :], []
    while clause := _CLAUSE.match(rest):
        if clause.group(1) not in _OPERATORS:
            context.error(
                "PC0210",
                f"unknown reduction operator `{clause.group(1)}`",
                word_span(span, text, clause.group(1)),
                helps=("one of " + " ".join(_OPERATORS),),
            )
        else:
            clauses.append(ClauseText(clause.group(1), tuple(_split_names(clause.group(2)))))
        rest = rest[clause.end() :]
    if rest.strip():
        _stray(context, node, text, rest.split()[0])
    return PragmaText("independent", tuple(clauses), span)


def _split_names(text: str) -> list[str]:
    names, depth, current = [], 0, ""
    for character in text + ",":
        depth += {"[": 1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            if current.strip():
                names.append(current.strip())
            current = ""
        else:
            current += character
    return names


def word_span(span: Span, text: str, word: str) -> Span:
    """The place of `word` in the pragma `text` that begins at `span`."""
    found = re.search(rf"(?<!\w){re.escape(word)}", text)
    start = span.column + (found.start() if found else 0)
    return replace(span, column=start, end_column=start + max(len(word), 1))


def warn_misspelt(context: FileContext) -> None:
    """PC0101 for every pragma of the file that is nearly one of PENCIL's, in whatever function it stands."""
    for number, line in enumerate(context.preprocessed.map.output_lines, 1):
        match = _PRAGMA.match(line)
        found = misspelt_construct(match.group(1)) if match else None
        if match is None or found is None or context.preprocessed.map.path_of(number).startswith("<pencilc>/"):
            continue
        word, meant = found
        span = context.preprocessed.map.span(number, match.start(1) + 1)
        context.warn(
            "PC0101",
            f"unknown word `{word}` in pragma: did you mean `{meant}`?",
            replace(span, end_column=span.column + len(word)),
            "this pragma is ignored",
            notes=("without `independent` the loop is only parallel if that can be proved",)
            if "independent" in match.group(1)
            else (),
        )


def _typo(context: FileContext, node: Any, text: str, word: str, meant: str) -> None:
    what = f"unknown word `{word}` in pragma" + (f": did you mean `{meant}`?" if meant else "")
    context.warn(
        "PC0101",
        what,
        word_span(context.span(node), text, word),
        "this pragma is ignored",
        notes=("without `independent` the loop is only parallel if that can be proved",)
        if meant == "independent"
        else (),
    )


def _stray(context: FileContext, node: Any, text: str, word: str) -> None:
    context.warn("PC0103", f"stray `{word}` after the pragma is ignored", word_span(context.span(node), text, word))
