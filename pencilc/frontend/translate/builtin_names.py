"""The names of the builtins in the text of the file: misspelt ones, and those whose header is not included."""

from __future__ import annotations

import re
from pathlib import PurePath

from pencilc.diagnostics import fixes
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.frontend.context import FileContext
from pencilc.frontend.syntax.near_names import nearest
from pencilc.frontend.translate.calls import BUILTIN_STATEMENTS

_CONDITION = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b(.*)")
_OURS = re.compile(r"\s*(?:defined\s*\(?\s*)?__PENCILC__\s*\)?\s*")
_CALL = re.compile(r"(?<!\w)_*(?<![A-Za-z0-9])pencil_\w+(?=\s*\()")
_NAMES = (*sorted(BUILTIN_STATEMENTS), "__pencil_maybe")
_CLOSE = 0.8


def check_builtins(context: FileContext) -> None:
    """PC0010 for every call of what is nearly a builtin, PC0017 for builtins without `pencil.h`."""
    text, source_map = context.preprocessed.text, context.preprocessed.map
    known = {*context.definitions, *context.prototypes, *context.preprocessed.macros}
    first: tuple[Span, str] | None = None
    line, at = 1, 0
    for call in _CALL.finditer(text):
        name = call.group()
        line, at = line + text.count("\n", at, call.start()), call.start()
        if name in known or source_map.path_of(line).startswith("<pencilc>/"):
            continue
        span = source_map.span(line, call.start() - text.rfind("\n", 0, call.start()))
        if name in _NAMES:
            if first is None and not _is_for_pencilc(context.file_of(span), span.line):
                first = (span, name)
        elif meant := nearest(name, _NAMES, _CLOSE):
            chunk = context.function_at(span)
            context.undeclared(
                name, chunk.name if chunk is not None else "", span, remedies=(context.renamed(span, name, meant),)
            )
            context.misspelt_builtins.add(meant)
    if first is not None and not _is_declared(context):
        span, name = first
        context.warn(
            "PC0017",
            f"`{name}` is used without `#include <pencil.h>`",
            span,
            "other C compilers do not know it",
            remedies=(
                fixes.fix("add `#include <pencil.h>`", [fixes.header_included(context.file_of(span), "pencil.h")]),
            ),
        )


def _is_for_pencilc(file: SourceFile, line: int) -> bool:
    """Whether a line stands in `#ifdef __PENCILC__`, so that other compilers do not see it."""
    around: list[bool] = []
    for text in file.text.splitlines()[: line - 1]:
        match = _CONDITION.match(text)
        if match is None:
            continue
        word = match.group(1)
        if word in ("if", "ifdef", "ifndef"):
            around.append(word != "ifndef" and _OURS.fullmatch(match.group(2)) is not None)
        elif word == "endif" and around:
            around.pop()
        elif around:
            around[-1] = False
    return any(around)


def _is_declared(context: FileContext) -> bool:
    """Whether some `pencil.h` is included, or its text stands in the file as the preprocessor has written it."""
    names = {PurePath(path).name for path in context.preprocessed.map.files}
    return "pencil.h" in names or "pencil_half_to_float" in context.prototypes
