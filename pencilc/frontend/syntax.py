"""From preprocessed text to pycparser's tree, with every syntax error of the file.

pycparser stops at the first error.  A function body that it cannot read is blanked and the rest is
parsed again: with a PENCIL construct inside it is an error of the user, otherwise it is host code in
a dialect that we do not know (GNU C) and is carried as text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pencilc.diagnostics.diagnostic import Diagnostic, Severity, SourceErrors
from pencilc.diagnostics.source import Span
from pencilc.frontend.lexing import Chunk, Unbalanced, split_chunks
from pencilc.frontend.positions import SourceMap

_CONSTRUCT = re.compile(
    r"__pencil_(?:reduction|assume|kill|assert)\w*|^[ \t]*#[ \t]*pragma[ \t]+(?:scop|pencil)\b", re.M
)
_LOCATED = re.compile(r":(\d+):(\d+): (.*)$", re.DOTALL)
_MAX_ERRORS = 20


@dataclass(frozen=True, slots=True)
class Syntax:
    """The tree, the chunks of the text, and the functions whose bodies could not be read."""

    tree: Any
    chunks: tuple[Chunk, ...]
    opaque: dict[str, Diagnostic]


def parse_syntax(source_map: SourceMap) -> Syntax:
    """Parse the preprocessed text; raises SourceErrors with all syntax errors."""
    text = source_map.text
    try:
        chunks = split_chunks(text)
    except Unbalanced as error:
        raise SourceErrors([_error(_span_at(source_map, error.offset), str(error))]) from error
    opaque: dict[str, Diagnostic] = {}
    errors: list[Diagnostic] = []
    while len(errors) < _MAX_ERRORS:
        tree, failure = _try_parse(text)
        if failure is None:
            if errors:
                break
            return Syntax(tree, tuple(chunks), opaque)
        line, column, message = failure
        chunk = _chunk_at(chunks, text, line, column)
        diagnostic = _error(source_map.span(line, column), message)
        if chunk is None or not text[chunk.start : chunk.end].strip():
            errors.append(diagnostic)
            break
        if chunk.body >= 0 and _offset(text, line, column) > chunk.body:
            body = text[chunk.body : chunk.end]
            if not body.strip("{} \n"):
                errors.append(diagnostic)
                break
            if _CONSTRUCT.search(body):
                errors.append(diagnostic)
            else:
                opaque[chunk.name] = diagnostic
            text = text[: chunk.body] + "{" + _blank(body[1:-1]) + "}" + text[chunk.end :]
        else:
            errors.append(diagnostic)
            text = text[: chunk.start] + _blank(text[chunk.start : chunk.end]) + text[chunk.end :]
    raise SourceErrors(sorted(set(errors), key=lambda d: d.span))


def parse_expression(text: str) -> Any:
    """The pycparser tree of one expression, or None if `text` is none."""
    tree, failure = _try_parse(f"void f(void) {{ ({text}); }}")
    return None if failure else tree.ext[0].body.block_items[0]


def _try_parse(text: str) -> tuple[Any, tuple[int, int, str] | None]:
    # pycparser takes 30 ms to import, which `--help` should not pay.
    from pycparser import c_parser

    parser = c_parser.CParser()
    try:
        return parser.parse(text, ""), None
    except c_parser.ParseError as error:
        match = _LOCATED.search(str(error))
        if match:
            return None, (int(match.group(1)), int(match.group(2)), _readable(match.group(3)))
        line, column = _current_position(parser, text)
        return None, (line, column, _readable(str(error).lstrip(": ")))
    except (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError):
        # pycparser trips over a few malformed inputs instead of refusing them.
        line, column = _current_position(parser, text)
        return None, (line, column, "syntax error")


def _current_position(parser: Any, text: str) -> tuple[int, int]:
    """Where the parser stands, for those of its errors that carry no position."""
    from pycparser import c_parser

    try:
        token = parser._peek()
    except (AttributeError, c_parser.ParseError):  # Another release, or the lexer refuses the very next token.
        token = None
    if token is not None:
        return int(token.lineno), int(token.column)
    lines = text.rstrip().split("\n")
    return len(lines), max(len(lines[-1]), 1)


def _readable(message: str) -> str:
    if message.startswith("before: "):
        return f"syntax error before `{message.removeprefix('before: ')}`"
    message = message.strip() or "syntax error"
    return "syntax error: " + message[:1].lower() + message[1:]


def _chunk_at(chunks: Sequence[Chunk], text: str, line: int, column: int) -> Chunk | None:
    offset = _offset(text, line, column)
    for chunk in chunks:
        if offset < chunk.end:
            return chunk
    return chunks[-1] if chunks else None


def _offset(text: str, line: int, column: int) -> int:
    position = 0
    for _ in range(line - 1):
        found = text.find("\n", position)
        if found < 0:
            return len(text)
        position = found + 1
    return position + column - 1


def _span_at(source_map: SourceMap, offset: int) -> Span:
    line = source_map.text.count("\n", 0, offset) + 1
    return source_map.span(line, offset - source_map.text.rfind("\n", 0, offset))


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _error(span: Span, message: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, "PC0001", message, span)
