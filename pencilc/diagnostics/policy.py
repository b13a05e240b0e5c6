"""Which warnings are shown and which stop the compilation: `-Wname -Wno-name -Werror[=name] -w`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pencilc.diagnostics.codes import BY_NAME, REGISTRY
from pencilc.diagnostics.diagnostic import Diagnostic, Severity

# What gcc calls groups of warnings: all of ours are on by default.
_GROUPS = ("all", "extra", "pedantic")


class UnknownWarning(Exception):
    """A `-W` option that names no warning; the text says what was probably meant."""


@dataclass(frozen=True, slots=True)
class WarningPolicy:
    """`silenced` and `errors` hold names of warnings; `spared` those that `-Werror` leaves alone."""

    silenced: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()
    all_errors: bool = False
    none: bool = False  # -w
    system_dirs: tuple[str, ...] = ()  # no warnings about what stands in these folders

    def apply(self, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The diagnostics that are shown, with those severities; errors stay what they are."""
        return tuple(d for each in diagnostics if (d := self._one(each)) is not None)

    def _one(self, diagnostic: Diagnostic) -> Diagnostic | None:
        if diagnostic.severity is not Severity.WARNING:
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

    Later options win.  Raises UnknownWarning.
    """
    state: dict[str, str] = {}
    all_errors = False
    for word in words:
        positive = not word.startswith("no-")
        rest = word if positive else word.removeprefix("no-")
        if rest == "error":
            all_errors = positive
        elif rest.startswith("error="):
            state[_known(rest.removeprefix("error="), word)] = "error" if positive else "spared"
        elif rest not in _GROUPS:
            state[_known(rest, word)] = "shown" if positive else "silenced"

    def names(kind: str) -> tuple[str, ...]:
        return tuple(sorted(name for name, value in state.items() if value == kind))

    return WarningPolicy(names("silenced"), names("error"), names("spared"), all_errors, none, system_dirs)


def _known(name: str, word: str) -> str:
    """The name of a warning for `name`, which may be a code too; raises UnknownWarning."""
    code = BY_NAME.get(name.lower()) or REGISTRY.get(name.upper())
    if code is not None and code.may_warn:
        return code.name
    if code is not None:
        raise UnknownWarning(f"-W{word}: {code.code} is always an error")
    warnings = [c.name for c in REGISTRY.values() if c.may_warn]
    close = difflib.get_close_matches(name, warnings, 1)
    raise UnknownWarning(f"-W{word}: no such warning" + (f"; did you mean `{close[0]}`?" if close else ""))
