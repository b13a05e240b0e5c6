"""Whether the sequential program takes values that it has never set: its result is then whatever memory held.

gcc can fill every local variable that is declared without a value.  The program runs with two fillings; what differs
between the two comes from such a variable, and says nothing of the generated code.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.verify.cases import Case, ChildCall, Outcome
from pencilc.verify.compare import compare
from pencilc.verify.errors import BuildFailed
from pencilc.verify.reference import outcome_of
from pencilc.verify.sequential import build_library

_FILLINGS = ("zero", "pattern")
READS_UNSET = (
    "the sequential program uses a local variable, or an element of one, before it has a value: its own result changes "
    "with what such variables hold (gcc -ftrivial-auto-var-init=zero and =pattern)"
)


class UnsetReads:
    """The sequential program under both fillings, built when it is first asked for; nothing is known without them."""

    def __init__(self, file: SourceFile, functions: Iterable[str], options: CompileOptions, folder: Path) -> None:
        self._file, self._functions, self._options, self._folder = file, tuple(functions), options, folder
        self._libraries: tuple[Path, ...] | None = None

    def matter(self, call: ChildCall, timeout_s: float) -> bool:
        """Whether what `call` leaves behind depends on the filling."""
        if self._libraries is None:
            self._libraries = self._built()
        outcomes: list[Outcome] = []
        for filling, library in zip(_FILLINGS, self._libraries, strict=False):
            made = replace(call, outcome=call.case.with_suffix(f".{filling}"))
            progress = call.case.with_suffix(f".progress-{filling}")
            outcome = outcome_of(library, made, progress, timeout_s)
            if outcome is None:
                return False
            outcomes.append(outcome)
        if len(outcomes) < len(_FILLINGS):
            return False
        case: Case = pickle.loads(call.case.read_bytes())
        first, second = outcomes
        return compare(case, first, second).wrong > 0

    def _built(self) -> tuple[Path, ...]:
        """One library for each filling; none where gcc does not know how."""
        libraries: list[Path] = []
        for filling in _FILLINGS:
            folder = self._folder / f"unset-{filling}"
            folder.mkdir()
            flags = (f"-ftrivial-auto-var-init={filling}",)
            try:
                libraries.append(build_library(self._file, self._functions, self._options, folder, flags))
            except BuildFailed:
                return ()
        return tuple(libraries)
