"""One cause is told once: what follows from something else that is told at the same place is left out."""

from __future__ import annotations

from collections.abc import Sequence

from pencilc.diagnostics.diagnostic import Diagnostic
from pencilc.diagnostics.source import Span

# A subscript that is not affine; what says that it is the wrong one; what says that a loop runs in one thread for it.
NOT_AFFINE, OUT_OF_BOUNDS, NOT_PARALLEL = "PC0301", "PC0405", "PC0701"


def told_at(found: Sequence[Diagnostic], code: str, span: Span) -> Diagnostic | None:
    """The diagnostic with this code whose place begins where `span` does."""
    return next((each for each in found if each.code == code and _start(each.span) == _start(span)), None)


def _start(span: Span) -> tuple[str, int, int]:
    return span.path, span.line, span.column


def without_effects(found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics without those of subscripts that are not affine, where another one speaks of the same subscript.

    Which is the wrong one, or holds a whole loop: that one says what the subscript costs.
    """
    kept: list[Diagnostic] = []
    for each in found:
        causes = (told_at(found, code, each.span) for code in (OUT_OF_BOUNDS, NOT_PARALLEL))
        if each.code != NOT_AFFINE or not any(causes):
            kept.append(each)
    return tuple(kept)
