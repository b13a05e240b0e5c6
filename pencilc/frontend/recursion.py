"""How deep the compiler may call itself, and what is said where that is not enough."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pencilc.diagnostics.diagnostic import Diagnostic, Severity, SourceErrors
from pencilc.diagnostics.source import Span

_LIMIT = 8000


@contextmanager
def deep_recursion(path: str) -> Iterator[None]:
    """Inside, few brackets, or scalars that each depend on the one before, may take many frames of Python.

    Raises SourceErrors (PC0004) for the file at `path` where even those are too few; the limit is put back afterwards.
    """
    old = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old, _LIMIT))
    try:
        yield
    except RecursionError:
        message = "the nesting of brackets or statements, or of values that are made of each other, is too deep"
        raise SourceErrors([Diagnostic(Severity.ERROR, "PC0004", message, Span(path, 1, 1, 2))]) from None
    finally:
        sys.setrecursionlimit(old)
