"""The front end: from C text to the typed, checked PENCIL AST of `ir/source.py`.

preprocess (pcpp, stub headers) -> syntax (pycparser) -> collect (declarations) -> regions (what is
compiled) -> functions, outline (typed bodies) -> check (the PENCIL rules) -> hosttext (the C host file).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pencilc.frontend.options import FrontendOptions

if TYPE_CHECKING:
    # Only for annotations: the records, pcpp and pycparser cost `--help` 60 ms otherwise.
    from pathlib import Path

    from pencilc.diagnostics.diagnostic import Diagnostic
    from pencilc.diagnostics.source import SourceFile
    from pencilc.ir.source import TranslationUnit

__all__ = ["FrontendOptions", "include_dir", "parse_file", "preprocess_file", "read_source"]


def parse_file(file: SourceFile, options: FrontendOptions) -> tuple[TranslationUnit, tuple[Diagnostic, ...]]:
    """Parse and check `file`: the unit and its warnings; raises SourceErrors with all errors."""
    from pencilc.frontend.parse import parse

    return parse(file, options)


def preprocess_file(file: SourceFile, options: FrontendOptions) -> str:
    """The preprocessed text with `#line`, for `-E`; raises SourceErrors."""
    from pencilc.diagnostics.diagnostic import Severity, SourceErrors
    from pencilc.frontend.preprocess.run import run_preprocessor, with_line_directives

    preprocessed = run_preprocessor(file, options)
    if any(d.severity is Severity.ERROR for d in preprocessed.diagnostics):
        raise SourceErrors(preprocessed.diagnostics)
    return with_line_directives(preprocessed)


def read_source(path: str, data: bytes | None = None) -> SourceFile:
    """Read a source file (or take `data`, for standard input); raises SourceErrors if it is no C text."""
    from pencilc.frontend.preprocess.reading import read_source as read

    return read(path, data)


def include_dir() -> Path:
    """The folder that holds pencil.h."""
    from pencilc.frontend.stub_headers import include_dir as folder

    return folder()
