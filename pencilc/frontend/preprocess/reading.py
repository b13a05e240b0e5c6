"""Reading a source file: everything that can be wrong with it before it is C."""

from __future__ import annotations

import re
from pathlib import Path

from pencilc.diagnostics.diagnostic import Diagnostic, Severity, SourceErrors
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.frontend.limits import CHARACTERS, more_than

_COMMENTS_AND_STRINGS = re.compile(
    r"//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL
)
_SURROGATE = re.compile("[\udc80-\udcff]")


def read_source(path: str, data: bytes | None = None) -> SourceFile:
    """The source file at `path` (or `data`, for standard input); raises SourceErrors if it is no C text.

    Bytes that are not UTF-8 do no harm in comments and strings and are kept there.
    """
    if data is None:
        data = _read_bytes(path)
    text = data.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n")
    file = SourceFile(path, text)
    if len(data) > CHARACTERS:
        span = Span(path, 1, 1, 2)
        raise SourceErrors([Diagnostic(Severity.ERROR, "PC0006", more_than(CHARACTERS, "characters"), span)])
    if "\0" in text:
        raise _failure(file, "file holds NUL bytes: it is not C source", text.index("\0"))
    if not text.strip():
        raise _failure(file, "file is empty", 0)
    visible = _COMMENTS_AND_STRINGS.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    if bad := _SURROGATE.search(visible):
        raise _failure(file, "byte that is not UTF-8 outside comments and strings", bad.start())
    return file


def _read_bytes(path: str) -> bytes:
    try:
        with Path(path).open("rb") as handle:
            return handle.read(CHARACTERS + 1)
    except IsADirectoryError as error:
        raise _failure(SourceFile(path, ""), "is a folder, not a C file", 0) from error
    except OSError as error:
        raise _failure(SourceFile(path, ""), f"cannot be read: {error.strerror}", 0) from error


def _failure(file: SourceFile, message: str, offset: int) -> SourceErrors:
    line = file.text.count("\n", 0, offset) + 1
    column = offset - (file.text.rfind("\n", 0, offset) + 1) + 1
    span = Span(file.path, line, column, column + 1)
    return SourceErrors([Diagnostic(Severity.ERROR, "PC0003", f"`{file.path}`: {message}", span)])
