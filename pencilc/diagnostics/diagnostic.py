"""What pencilc says about a program, and the three classes of failure.

Errors of the user's source are `Diagnostic`s with a span; a known limit of ours is a
`CompilerLimitation`; everything else is a `CompilerBug`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from pencilc.diagnostics.source import Span
from pencilc.records import dataclass


class Severity(Enum):
    """How much a diagnostic matters; only `ERROR` stops the compilation."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Label:
    """A secondary place with a short text, as in `- declared here`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of one line of a source file, and the text to put in its place.

    The stretch is empty (`column == end_column`) where text is inserted; the text may hold several lines.
    """

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A remedy that a program can apply: all `edits` together, of which no two overlap.

    `help` is the line that people read.  Where a diagnostic has several fixes each is a way of its own, the first
    the likeliest.
    """

    help: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message: `code` is a key of `codes.REGISTRY` (`PC0201`), `message` is lower case, no full stop."""

    severity: Severity
    code: str
    message: str
    span: Span
    label: str = ""
    secondary: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()

    @property
    def remedies(self) -> tuple[str, ...]:
        """What to do, as lines to be read: those of the fixes first."""
        return (*(fix.help for fix in self.fixes), *self.helps)


def warning(code: str, message: str, span: Span, label: str = "", **more: tuple[object, ...]) -> Diagnostic:
    """A warning; `more` are the other fields of a `Diagnostic`."""
    return Diagnostic(Severity.WARNING, code, message, span, label, **more)  # type: ignore[arg-type]


class SourceErrors(Exception):
    """The source is at fault (exit status 1): carries every diagnostic found, warnings included.

    `sound` is what later stages can still look at, so that one run finds all errors of a file: the
    translation unit with the regions that no error touches, if the front end could tell.  `functions` are the
    functions that could be left to the host instead, `detected` those of them whose regions were found by
    `--autodetect`, and `whiles` those of these that hold a `while` around loops, which may be regions without it.
    """

    def __init__(
        self, diagnostics: Iterable[Diagnostic], sound: object = None, functions: Iterable[str] = (),
        detected: Iterable[str] = (), whiles: Iterable[str] = (),
    ) -> None:  # fmt: skip
        self.diagnostics = tuple(diagnostics)
        self.sound = sound
        self.functions = tuple(functions)
        self.detected = tuple(detected)
        self.whiles = tuple(whiles)
        super().__init__("; ".join(f"{d.span}: {d.message}" for d in self.diagnostics))


class CompilerLimitation(Exception):
    """A correct program that pencilc cannot compile yet (exit status 3), with the place and function if known.

    `functions`, `detected` and `whiles` as those of SourceErrors.
    """

    def __init__(self, message: str, span: Span | None = None, function: str = "", is_detected: bool = False) -> None:
        self.message = message
        self.span = span
        self.functions = (function,) if function else ()
        self.detected = self.functions if is_detected else ()
        self.whiles: tuple[str, ...] = ()
        super().__init__(message)


def limit_diagnostic(error: CompilerLimitation, path: str) -> Diagnostic:
    """What is said of a limit of ours in the file `path`."""
    message = f"pencilc cannot compile this yet: {error.message}"
    return Diagnostic(Severity.ERROR, "PC0901", message, error.span or Span(path, 1, 1, 2))


class CompilerBug(Exception):
    """An internal invariant does not hold (exit status 3)."""
