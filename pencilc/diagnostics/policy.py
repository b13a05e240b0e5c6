"""Which warnings are shown and which stop the compilation: `-Wname -Wno-name -Werror[=name] -w`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import replace

from pencilc.diagnostics.codes import BY_NAME, REGISTRY
from pencilc.diagnostics.diagnostic import Diagnostic, Severity
from pencilc.records import dataclass

# What gcc calls groups of warnings: all of ours are on by default.
_GROUPS = ("all", "extra", "pedantic")


class NotAWarning(Exception):
    """A `-W` option that names what is no warning; the text says so."""


@dataclass(frozen=True, slots=True)
class WarningPolicy:
    """`silenced` and `errors` hold names of warnings; `spared` those that `-Werror` leaves alone."""

    silenced: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()
    all_errors: bool = False
    none: bool = False  # -w
    system_dirs: tuple[str, ...] = ()  # no warnings about what stands in these folders
    unknown: tuple[str, ...] = ()  # options that name no warning of ours, and what may have been meant

    def apply(self, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The diagnostics that are shown, with those severities; errors stay what they are."""
        return tuple(d for each in diagnostics if (d := self._one(each)) is not None)

    def _one(self, diagnostic: Diagnostic) -> Diagnostic | None:
        if diagnostic.severity is Severity.NOTE:
            return None if self.none else diagnostic
        if diagnostic.severity is Severity.ERROR:
            return diagnostic
        name = REGISTRY[diagnostic.code].name
        inside = any(diagnostic.span.path.startswith(f"{folder.rstrip('/')}/") for folder in self.system_dirs)
        if self.none or inside or name in self.silenced:
            return None
        if name in self.errors or (self.all_errors and name not in self.spared):
            note = f"a warning (-W{name}) that is to be an error"
            return replace(diagnostic, severity=Severity.ERROR, notes=(*diagnostic.notes, note))
        return diagnostic


def warning_policy(words: Iterable[str], none: bool = False, system_dirs: tuple[str, ...] = ()) -> WarningPolicy:
    """The policy that the `-W` options (`name`, `no-name`, `error`, `error=name`, `no-error=name`) describe.

    Later options win; names that are none of ours, such as those of gcc's warnings, are kept apart.

    Raises NotAWarning.
    """
    state: dict[str, str] = {}
    unknown: list[str] = []
    all_errors = False
    for word in words:
        positive = not word.startswith("no-")
        rest = word if positive else word.removeprefix("no-")
        if rest == "error":
            all_errors = positive
            continue
        name = _known(rest.removeprefix("error="), word)
        if name is None:
            unknown += [_unknown(rest.removeprefix("error="), word)] if rest not in _GROUPS else []
        elif rest.startswith("error="):
            state[name] = "error" if positive else "spared"
        else:
            state[name] = "shown" if positive else "silenced"

    def names(kind: str) -> tuple[str, ...]:
        return tuple(sorted(name for name, value in state.items() if value == kind))

    ignored = tuple(dict.fromkeys(unknown))
    return WarningPolicy(names("silenced"), names("error"), names("spared"), all_errors, none, system_dirs, ignored)


def _known(name: str, word: str) -> str | None:
    """The name of a warning for `name`, which may be a code too; None where there is none.  Raises NotAWarning."""
    code = BY_NAME.get(name.lower()) or REGISTRY.get(name.upper())
    if code is not None and not code.may_warn:
        raise NotAWarning(f"-W{word}: {code.code} is always {_A[code.severity]}")
    return code.name if code is not None else None


_A = {Severity.ERROR: "an error", Severity.NOTE: "a note"}


def _unknown(name: str, word: str) -> str:
    """What to say of a name that is none of ours."""
    warnings = [c.name for c in REGISTRY.values() if c.may_warn]
    close = difflib.get_close_matches(name, warnings, 1, 0.75)
    return f"-W{word} names no warning of pencilc's" + (f"; did you mean `{close[0]}`?" if close else "")
