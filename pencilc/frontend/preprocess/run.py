"""C preprocessing with pcpp and the stub headers; PENCIL pragmas stay, attributes are set aside.

Before: `#include <math.h>` … `__attribute__((pencil_access(s))) void f(int n);`
After:  the text with macros expanded, every attribute blanked by spaces of equal length and kept in
`Preprocessed.attributes`, comments blanked, and a `SourceMap` back to the files.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Diagnostic, Severity
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.frontend.limits import TooLarge
from pencilc.frontend.options import FrontendOptions
from pencilc.frontend.preprocess.pcpp_adapter import absolute, make_preprocessor
from pencilc.frontend.preprocess.positions import LineOrigin, SourceMap
from pencilc.frontend.stub_headers import include_dir
from pencilc.frontend.syntax.near_names import nearest
from pencilc.records import dataclass

_COMMAND_LINE = "<command line>"
# Headers with all macros that are more than a value, and nearly all types, of those that gcc reads.
_WHOLE = ("<pencilc>/pencil.h", *(f"<pencilc>/libc/{name}.h" for name in ("math", "stddef", "stdbool")))
_PRAGMA = re.compile(r'\b_Pragma\s*\(\s*"((?:\\.|[^"\\])*)"\s*\)')
_ATTRIBUTE = re.compile(r"__attribute(?:__)?\s*\(\s*\(")
# The name of a function for the linker, behind its declarator; inside of braces it would be a statement.
_LINK_NAME = re.compile(r"(?<=[)\w])(\s*)(__asm__|__asm|asm)\s*\(\s*(?:\"[^\"\n]*\"\s*)+\)")


@dataclass(frozen=True, slots=True)
class Attribute:
    """`__attribute__((body))` at a position of the preprocessed text."""

    line: int
    column: int
    body: str


@dataclass(frozen=True, slots=True)
class MacroText:
    """A macro of the user's: its parameters (None for one without parentheses), its text, and where it is defined."""

    parameters: tuple[str, ...] | None
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Preprocessed:
    """What the parser sees, and what it takes to speak about it in the user's terms."""

    map: SourceMap
    attributes: tuple[Attribute, ...]
    diagnostics: tuple[Diagnostic, ...]
    macros: Mapping[str, MacroText] = field(default_factory=dict)  # those of the user's files, at their end

    @property
    def text(self) -> str:
        """The preprocessed text."""
        return self.map.text


def run_preprocessor(file: SourceFile, options: FrontendOptions) -> Preprocessed:
    """Preprocess `file`; problems are among the diagnostics of the result."""
    pcpp = make_preprocessor(options)
    writer = _Writer(absolute(file.path), file.path)
    try:
        for text, path in (
            *((f'#include "{name}"\n', _COMMAND_LINE) for name in options.includes),
            (file.text, file.path),
        ):
            pcpp.look_for_open_comment(text, path)
            pcpp.parse(text, path)
            while (token := pcpp.token()) is not None:
                writer.put(token)
    except TooLarge as limit:
        pcpp.problems.append((Severity.ERROR, "PC0006", *(pcpp.place or (file.path, 1)), str(limit), ""))
    except (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError):
        # pcpp trips over a few malformed directives instead of refusing them; some have been told by then.
        if all(severity is not Severity.ERROR for severity, *_ in pcpp.problems):
            line = writer.origins[-1][1] + 1 if writer.origins else 1
            where = (writer.origins[-1][0] if writer.origins else file.path, line)
            pcpp.problems.append((Severity.ERROR, "PC0005", *where, "malformed preprocessor directive", ""))
    files = {writer.shown_path(path): text for path, text in pcpp.texts.items()}
    files[file.path] = file.text
    writer.spread_pragmas()
    text, attributes = _set_attributes_aside(_without_link_names("".join(writer.parts)))
    diagnostics = tuple(
        _told(Diagnostic(severity, code, message, _line_span(files, writer.shown_path(path), line, word)), files, word)
        for severity, code, path, line, message, word in pcpp.problems
    )
    origins = tuple(LineOrigin(path, line) for path, line in writer.origins)
    return Preprocessed(SourceMap(text, origins, files), attributes, diagnostics, _macros(pcpp, writer, files))


def _macros(pcpp: Any, writer: _Writer, files: dict[str, str]) -> dict[str, MacroText]:
    """The macros that the user's files define, by name."""
    found: dict[str, MacroText] = {}
    for name, macro in pcpp.macros.items():
        path = writer.shown_path(macro.source) if getattr(macro, "source", None) else ""
        if path not in files or path.startswith("<pencilc>/"):
            continue
        text = "".join(str(token.value) for token in macro.value).strip()
        parameters = None if macro.arglist is None else tuple(macro.arglist)
        found[name] = MacroText(parameters, text, _line_span(files, path, macro.lineno, name))
    return found


def _told(diagnostic: Diagnostic, files: dict[str, str], word: str) -> Diagnostic:
    """A message of the preprocessor; where a header was not found, with the one that was likely meant."""
    if diagnostic.code != "PC0002" or not diagnostic.message.endswith("not found"):
        return diagnostic
    known = ["pencil.h", *sorted(path.name for path in (include_dir() / "libc").glob("*.h"))]
    meant = nearest(word, known, 0.8)
    if not meant:
        where = "add the folder that holds it with `-I`"
        if diagnostic.severity is Severity.WARNING:
            where += "; if only host code needs it, the host's compiler will find it"
        return replace(diagnostic, helps=(where,))
    file = SourceFile(diagnostic.span.path, files.get(diagnostic.span.path, ""))
    made = fixes.fix(f"did you mean `{meant}`?", [fixes.replaced(file, diagnostic.span, word, meant)])
    return replace(diagnostic, fixes=() if made is None else (made,))


def all_read(preprocessed: Preprocessed) -> bool:
    """Whether gcc would read the same names: no header is missing or cut short, and none asks for GNU C."""
    files = {path: text for path, text in preprocessed.map.files.items() if path not in _WHOLE}
    is_short = any(path.startswith("<pencilc>/") for path in files)
    is_missing = any(d.code == "PC0002" for d in preprocessed.diagnostics)
    return not (is_short or is_missing or any("__GNUC__" in text for text in files.values()))


def headers(
    preprocessed: Preprocessed, file: SourceFile, options: FrontendOptions
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files that were included: those of the user, and system headers with the ones that pencilc brings."""
    included = [path for path in preprocessed.map.files if path != file.path]
    folders = tuple(f"{folder.rstrip('/')}/" for folder in (*options.system_dirs, *options.after_dirs))
    system = [path for path in included if path.startswith(("<pencilc>/", *folders))]
    real = [
        str(include_dir() / path.removeprefix("<pencilc>/")) if path.startswith("<pencilc>/") else path
        for path in system
    ]
    return tuple(path for path in included if path not in system), tuple(real)


def with_line_directives(preprocessed: Preprocessed) -> str:
    """The preprocessed text with `#line` wherever the origin jumps, for `-E`."""
    out: list[str] = []
    expected: tuple[str, int] | None = None
    for text, origin in zip(preprocessed.map.output_lines, preprocessed.map.origins, strict=False):
        if not text.strip():
            continue
        if (origin.path, origin.line) != expected:
            out.append(f'#line {origin.line} "{origin.path}"')
        out.append(text.rstrip())
        expected = (origin.path, origin.line + 1)
    return "\n".join(out) + "\n"


# What two operators that a macro has put side by side would be read as; pcpp reads `^=` as two, which belong together.
_OPERATORS = frozenset(
    ("++", "--", "->", "&&", "||", "<<", ">>", "<=", ">=", "==", "!=", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
     "<<=", ">>=", "//", "/*")
)  # fmt: skip


def _would_be_one(before: Any, token: Any) -> bool:
    """Whether two tokens that an expansion has put side by side would be read as one: `a-OFFSET` with -1 for it."""
    if before.type == "CPP_ID":
        return bool(token.type in ("CPP_ID", "CPP_INTEGER"))
    return token.value[:1] != "" and before.value + token.value[:1] in _OPERATORS


class _Writer:
    """Collects pcpp's tokens as text of which each line knows its origin."""

    def __init__(self, main_absolute: str, main_shown: str) -> None:
        self.parts: list[str] = []
        self.origins: list[tuple[str, int]] = []
        self._main = (main_absolute, main_shown)
        self._line: list[Any] = []
        self._shown: dict[str, str] = {}

    def put(self, token: Any) -> None:
        """Take one token; a line is written when its newline arrives."""
        self._line.append(token)
        if token.type != "CPP_COMMENT1" and "\n" in token.value and not token.value.startswith(("'", '"', "/*")):
            self._flush()

    def _flush(self) -> None:
        tokens, self._line = self._line, []
        text = "".join(
            f" {_blank(token)}" if before is not None and _would_be_one(before, token) else _blank(token)
            for before, token in zip([None, *tokens], tokens, strict=False)
        )
        source, line = getattr(tokens[0], "source", self._main[0]) or self._main[0], tokens[0].lineno
        stripped = text.strip()
        if not stripped:
            return
        if stripped.startswith("#") and not re.match(r"#\s*pragma\b", stripped):
            return
        body = text.rstrip("\n").split("\n")
        path = self.shown_path(source)
        if self.origins and self.origins[-1][0] == path:
            for missing in range(self.origins[-1][1] + 1, min(line, self.origins[-1][1] + 2000)):
                self.parts.append("\n")
                self.origins.append((path, missing))
        for k, each in enumerate(body):
            self.parts.append(each + "\n")
            self.origins.append((path, line + k))

    def spread_pragmas(self) -> None:
        """`_Pragma("text")`, which macros are made of, becomes a `#pragma` line of its own."""
        parts: list[str] = []
        origins: list[tuple[str, int]] = []
        lines = "".join(self.parts).split("\n")[:-1]
        for line, origin in zip(lines, self.origins, strict=True):
            pieces, at = [], 0
            for match in _PRAGMA.finditer(line) if "_Pragma" in line else ():
                said = re.sub(r"\\(.)", r"\1", match.group(1))
                pieces += [" " * at + line[at : match.start()], f"#pragma {said}"]
                at = match.end()
            pieces.append(" " * at + line[at:])
            parts += [f"{piece}\n" for piece in pieces]
            origins += [origin] * len(pieces)
        self.parts, self.origins = parts, origins

    def shown_path(self, source: str) -> str:
        """How messages name the file `source`."""
        if source not in self._shown:
            self._shown[source] = self._name(os.path.abspath(source))  # noqa: PTH100 - Path.resolve follows links
        return self._shown[source]

    def _name(self, source: str) -> str:
        if source == self._main[0]:
            return self._main[1]
        if source.startswith(str(include_dir()) + os.sep):
            return f"<pencilc>/{os.path.relpath(source, include_dir())}"
        relative = os.path.relpath(source)
        return source if relative.startswith("..") else relative


def _blank(token: Any) -> str:
    """The text of a token; comments become spaces of the same shape, line continuations a newline."""
    value = str(token.value)
    if "COMMENT" in token.type:
        return re.sub(r"[^\n]", " ", value)
    return value.replace("\\\n", "\n") if value.endswith("\\\n") else value


def _without_link_names(text: str) -> str:
    """`int f(int) __asm__("f_name");` without what GNU C calls the function in the object file."""

    def blanked(match: re.Match[str]) -> str:
        before = match.start()
        is_statement = text.count("{", 0, before) > text.count("}", 0, before)
        return match.group() if is_statement else re.sub(r"[^\n]", " ", match.group())

    return _LINK_NAME.sub(blanked, text) if "asm" in text else text


def _set_attributes_aside(text: str) -> tuple[str, tuple[Attribute, ...]]:
    parts: list[str] = []
    found: list[Attribute] = []
    position = 0
    ends = [match.start() for match in re.finditer("\n", text)]
    for match in _ATTRIBUTE.finditer(text):
        if match.start() < position:
            continue
        depth, end = 2, match.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        line = bisect_left(ends, match.start()) + 1
        column = match.start() - text.rfind("\n", 0, match.start())
        found.append(Attribute(line, column, text[match.end() : end - 1].rstrip().removesuffix(")").strip()))
        parts += [text[position : match.start()], re.sub(r"[^\n]", " ", text[match.start() : end])]
        position = end
    parts.append(text[position:])
    return "".join(parts), tuple(found)


def _line_span(files: dict[str, str], path: str, line: int, word: str) -> Span:
    lines = files.get(path, "").splitlines()
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    start = text.find(word) if word and word in text else len(text) - len(text.lstrip())
    length = len(word) if word and word in text else len(text.strip())
    return Span(path, line, start + 1, start + 1 + max(length, 1))
