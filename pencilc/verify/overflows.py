"""Whether the sequential program computes a signed number, or makes one of a fraction, that is too large for its type.

The program that results are compared with has signed numbers wrap, and so does most of the generated code.  Where that
differs, for instance in a comparison that only makes sense without overflow, neither is wrong.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.verify import sanitizers
from pencilc.verify.cases import Case, ChildCall
from pencilc.verify.compare import same_values
from pencilc.verify.reference import run_reference
from pencilc.verify.sequential import build_library

_CHECKS = "signed-integer-overflow,float-cast-overflow"
# Everybody shifts negative numbers to the left, which gcc and nvcc define.
_FLAGS = (
    *("-fno-wrapv", *sanitizers.FLAGS, "-fno-sanitize=shift-base"),
    *(f"-fsanitize={_CHECKS}", f"-fno-sanitize-recover={_CHECKS}"),
)
# gcc takes `a + 1 > a` for true before anything is checked.
_CHANGES = "the sequential program: its result changes with what signed overflow gives (gcc -fwrapv and -fno-wrapv)"


class Overflows:
    """The sequential program with these checks, built when it is first asked for; it needs the sanitizers."""

    def __init__(self, file: SourceFile, functions: Iterable[str], options: CompileOptions, folder: Path) -> None:
        self._file, self._functions, self._options, self._folder = file, tuple(functions), options, folder / "overflows"
        self._library: Path | None = None

    def in_call(self, call: ChildCall, timeout_s: float) -> str:
        """Where `call` into the sequential program overflows, with the line; empty where it does not."""
        if self._library is None:
            self._folder.mkdir()
            self._library = build_library(self._file, self._functions, self._options, self._folder, _FLAGS)
        stem = self._folder / call.case.name
        made = replace(call, outcome=stem.with_suffix(".outcome"), messages=stem.with_suffix(".messages"))
        failed = run_reference(self._library, (made,), stem.with_suffix(".progress"), timeout_s, watched=True)
        if failed:
            return failed[0].message
        wrapped, other = (pickle.loads(path.read_bytes()) for path in (call.outcome, made.outcome))
        case: Case = pickle.loads(call.case.read_bytes())
        return "" if same_values(case, wrapped, other) else _CHANGES
