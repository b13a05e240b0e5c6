"""The front end: from C text to the typed, checked PENCIL AST of `ir/source.py`.

preprocess (pcpp, stub headers) -> syntax (pycparser) -> collect (declarations) -> regions (what is
compiled) -> functions, outline (typed bodies) -> check (the PENCIL rules) -> hosttext (the C host file).
"""

from __future__ import annotations

from pencilc.diagnostics.diagnostic import Severity, SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.frontend.options import FrontendOptions
from pencilc.frontend.parse import parse as parse_file
from pencilc.frontend.preprocess.reading import read_source
from pencilc.frontend.preprocess.run import run_preprocessor, with_line_directives
from pencilc.frontend.stub_headers import include_dir

__all__ = ["FrontendOptions", "include_dir", "parse_file", "preprocess_file", "read_source"]


def preprocess_file(file: SourceFile, options: FrontendOptions) -> str:
    """The preprocessed text with `#line`, for `-E`; raises SourceErrors."""
    preprocessed = run_preprocessor(file, options)
    if any(d.severity is Severity.ERROR for d in preprocessed.diagnostics):
        raise SourceErrors(preprocessed.diagnostics)
    return with_line_directives(preprocessed)
