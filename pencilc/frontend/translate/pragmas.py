"""The pragmas of PENCIL: what they say, and what was probably meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Fix
from pencilc.diagnostics.source import Span
from pencilc.frontend.context import FileContext
from pencilc.records import dataclass

PragmaKind = Literal["scop", "endscop", "independent", "reduction", "other"]
_CLAUSE = re.compile(r"\s*reduction\s*\(\s*([^:()\s]+)\s*:\s*([^()]*)\)")
_PRAGMA = re.compile(r"[ \t]*#[ \t]*pragma[ \t]+(\S.*)")
_OURS = re.compile(r"\s*#\s*pragma\s+pencil\s+(?:independent|reduction)\b")
_ANY_CLAUSE = re.compile(r"\breduction\s*\(\s*([^:()\s]+)\s*:\s*([^()]*)\)")
_BROKEN = re.compile(r"\s*(reduc\w*|sum)\b\s*(?:\(([^()]*)\))?")
_NAMED = ((r"add|sum|plus", "+"), (r"mul|prod|times", "*"), (r"max|great|large", "max"), (r"min|small|least", "min"))
_PARALLEL = ("parallel", "for", "vector", "simd", "parfor", "doall", "ivdep")
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
    if words[:1] == ["pencil"] and words[1:2] and re.match(r"reduction\b", words[1]):
        return "reduction"
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
    if first in ("omp", "acc"):
        _other_language(context, node, text)
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
    if match is None or word not in ("independent", "reduction"):
        _no_independent(context, node, text, word)
        return PragmaText("other", (), span)
    # What is no more than `reduction(+: s)` says nothing of what else iterations hand on.
    rest, clauses = text[match.end() if word == "independent" else match.start(1) :], []
    while clause := _CLAUSE.match(rest):
        if clause.group(1) not in _OPERATORS:
            wrong = clause.group(1)
            place = word_span(span, text, wrong)
            meant = next((sign for word, sign in _NAMED if re.search(word, wrong.lower())), "")
            context.error(
                "PC0210",
                f"unknown reduction operator `{wrong}`",
                place,
                helps=("one of " + " ".join(_OPERATORS),),
                remedies=(context.renamed(place, wrong, meant),) if meant else (),
            )
        else:
            clauses.append(ClauseText(clause.group(1), tuple(_split_names(clause.group(2)))))
        rest = rest[clause.end() :]
    if broken := _BROKEN.match(rest):
        _broken_clause(context, word_span(span, text, broken.group().strip()), broken)
    elif rest.strip():
        _stray(context, node, text, rest.split()[0])
    return PragmaText("independent" if word == "independent" else "reduction", tuple(clauses), span)


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
    found = re.search((r"(?<!\w)" if word[:1].isalnum() else "") + re.escape(word), text)
    start = span.column + (found.start() if found else 0)
    return replace(span, column=start, end_column=start + max(len(word), 1))


def misspelt_pragmas(context: FileContext, first: int = 1, last: int = 0) -> Iterator[tuple[Span, str, str]]:
    """The pragmas that are nearly one of PENCIL's: place, words, and what was meant.

    `first` and `last` are lines of the preprocessed text, from 1; 0 is the last of all.
    """
    source_map = context.preprocessed.map
    for number, line in enumerate(source_map.output_lines[first - 1 : last or None], first):
        match = _PRAGMA.match(line)
        found = misspelt_construct(match.group(1)) if match else None
        if match is None or found is None or source_map.path_of(number).startswith("<pencilc>/"):
            continue
        span = source_map.span(number, match.start(1) + 1)
        yield replace(span, end_column=span.column + len(found[0])), *found


def warn_misspelt(context: FileContext) -> None:
    """PC0101 for every pragma of the file that is nearly one of PENCIL's, in whatever function it stands.

    A misspelt end of a region is told with its beginning (PC0104).
    """
    kinds = [
        pragma_kind(match.group(1)) for line in context.preprocessed.map.output_lines if (match := _PRAGMA.match(line))
    ]
    lacks_end = kinds.count("scop") > kinds.count("endscop")
    for span, word, meant in misspelt_pragmas(context):
        if lacks_end and meant == "endscop":
            continue
        text = context.file_of(span).line(span.line)
        context.warn(
            "PC0101",
            f"unknown word `{word}` in pragma: did you mean `{meant}`?",
            span,
            "this pragma is ignored",
            notes=("without `independent` the loop is only parallel if that can be proved",)
            if "independent" in text
            else (),
            remedies=(context.renamed(span, word, meant, f"write `{_whole(text, span, word, meant)}`"),),
        )


def _whole(line: str, span: Span, word: str, meant: str) -> str:
    """The pragma in `line` with `meant` in place of `word`, which begins at `span`."""
    behind = line[span.column - 1 + len(word) :].split("//")[0].split("/*")[0].rstrip()
    return " ".join(f"{line[: span.column - 1]}{meant}{behind}".split())


def _no_independent(context: FileContext, node: Any, text: str, word: str) -> None:
    """PC0101 for `#pragma pencil WORD`, with what was meant: `independent`, or what stands without `pencil`."""
    span = context.span(node)
    at = word_span(span, text, word)
    if word in ("scop", "endscop"):
        written = re.match(r"pencil\s+\w+", text)
        made = context.renamed(span, written.group() if written else word, word, f"write `#pragma {word}`")
        _typo(context, node, text, word, "", made)
    elif word in _PARALLEL:
        made = context.renamed(
            at, word, "independent", "write `#pragma pencil independent` if no iteration needs another"
        )
        _typo(context, node, text, word, "", made)
    else:
        close = difflib.get_close_matches(word, ("independent", "reduction"), 1, 0.6)
        meant = close[0] if close else ""
        line = context.file_of(at).line(at.line)
        made = context.renamed(at, word, meant, f"write `{_whole(line, at, word, meant)}`") if meant else None
        _typo(context, node, text, word or "pencil", meant, made)


def _other_language(context: FileContext, node: Any, text: str) -> None:
    """PC0101 for a pragma of OpenMP or OpenACC in what is compiled; behind one of ours it is for other compilers."""
    span = context.span(node)
    if _OURS.match(context.file_of(span).line(span.line - 1)):
        return
    name = "OpenMP" if text.startswith("omp") else "OpenACC"
    context.warn(
        "PC0101",
        f"`#pragma {text.split()[0]}` is {name}, which pencilc does not read",
        span,
        "this pragma is ignored",
        remedies=(instead_of_other(context, span, text),),
    )


def instead_of_other(context: FileContext, span: Span, text: str) -> Fix | None:
    """The fix that writes a pragma of PENCIL's for `text`, one of OpenMP or OpenACC that begins at `span`."""
    if not re.search(r"\b(?:for|simd|loop|kernels|parallel)\b", text):
        return None
    clauses = " ".join(f"reduction({c.group(1)}: {c.group(2).strip()})" for c in _ANY_CLAUSE.finditer(text))
    wanted = f"pencil independent {clauses}".strip()
    file = context.file_of(span)
    old = file.line(span.line)[span.column - 1 :].split("//")[0].rstrip()
    if old.endswith("\\"):
        return None
    return fixes.fix(
        f"write `#pragma {wanted}` if no iteration needs another", [fixes.replaced(file, span, old, wanted)]
    )


def _typo(context: FileContext, node: Any, text: str, word: str, meant: str, made: Fix | None) -> None:
    what = f"unknown word `{word}` in pragma" + (f": did you mean `{meant}`?" if meant else "")
    context.warn(
        "PC0101",
        what,
        word_span(context.span(node), text, word),
        "this pragma is ignored",
        notes=("without `independent` the loop is only parallel if that can be proved",)
        if meant == "independent"
        else (),
        remedies=(made,),
    )


def _broken_clause(context: FileContext, span: Span, found: re.Match[str]) -> None:
    """PC0210 for a clause that is nearly `reduction(+: s)`: without it the loop would mean something else."""
    written = found.group().strip()
    inside = re.match(r"\s*([-+*&|^]+|min\b|max\b)\s*[:,;]?\s*([\w\[\].,\s]+?)\s*$", found.group(2) or "")
    made: Fix | None = None
    if inside is not None and inside.group(1) in _OPERATORS:
        wanted = f"reduction({inside.group(1)}: {inside.group(2)})"
        made = fixes.fix(f"write `{wanted}`", [fixes.replaced(context.file_of(span), span, written, wanted)])
    helps = () if made is not None else ("a clause is `reduction(+: s)`: the operator, a colon, the variables",)
    context.error("PC0210", f"`{written}` is no clause", span, helps=helps, remedies=(made,))


def _stray(context: FileContext, node: Any, text: str, word: str) -> None:
    span = word_span(context.span(node), text, word)
    edit = fixes.replaced(context.file_of(span), span, word, "")
    message = f"stray `{word}` after the pragma is ignored"
    context.warn("PC0103", message, span, remedies=(fixes.fix(f"remove `{word}`", [edit]),))
