"""The tuning file `<stem>.tuning.json`: what a search found, with enough about the machine to judge it.

    {"format": "pencilc-tuning", "version": 1, "pencilc": "0.1.0", "source": "sum.c",
     "gpu": {"name": "...", "capability": 90, "multiprocessors": 132, "driver": "13.0"},
     "problems": [{"function": "sum", "sizes": {"n": 16777216}}],
     "kernels": {"sum_all0": {"parameters": {"threads": 256}, "start_us": [27.1], "best_us": [25.0], "spread": [0.01]}}}

The compiler needs `format`, `version` and the parameters of the kernels; the rest is for people.  A file that cannot
be understood is an error of the user's input, with its place (PC0801).
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from pencilc.diagnostics.diagnostic import Diagnostic, Severity, SourceErrors
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.options import PARAMETER_NAMES, Tuning
from pencilc.records import dataclass
from pencilc.tune.limits import fault

FORMAT, VERSION = "pencilc-tuning", 1
SUFFIX = ".tuning.json"


@dataclass(frozen=True, slots=True)
class KernelResult:
    """What was found for one kernel; microseconds and spread ((p90 - p10) / median) for each problem."""

    kernel: str
    parameters: tuple[tuple[str, int], ...]
    start_us: tuple[float, ...]
    best_us: tuple[float, ...]
    spread: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One call that is measured: an entry function and the values of its integer parameters."""

    function: str
    sizes: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return " ".join([self.function, *(f"{name}={value}" for name, value in self.sizes)])


@dataclass(frozen=True, slots=True)
class TuningFile:
    """Everything that is written."""

    pencilc: str
    source: str
    gpu: tuple[tuple[str, object], ...]
    problems: tuple[Problem, ...]
    kernels: tuple[KernelResult, ...]

    def text(self) -> str:
        """The file's bytes: the same for the same results."""
        record = {
            "format": FORMAT,
            "version": VERSION,
            "pencilc": self.pencilc,
            "source": self.source,
            "gpu": dict(self.gpu),
            "problems": [{"function": p.function, "sizes": dict(p.sizes)} for p in self.problems],
            "kernels": {
                k.kernel: {
                    "parameters": dict(k.parameters),
                    "start_us": [round(value, 3) for value in k.start_us],
                    "best_us": [round(value, 3) for value in k.best_us],
                    "spread": [round(value, 4) for value in k.spread],
                }
                for k in self.kernels
            },
        }
        return json.dumps(record, indent=2) + "\n"


def beside(source: str) -> str | None:
    """The tuning file that stands beside a source, if there is one."""
    if source in ("-", "<stdin>"):
        return None
    path = Path(source).with_suffix(SUFFIX)
    return str(path) if path.is_file() else None


def read_tuning(path: str) -> Tuning:
    """The tuning data of a file; raises SourceErrors with the place of every fault."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SourceErrors([_error(f"cannot read the tuning file: {reason}", Span(path, 1, 1, 2))]) from error
    return parse_tuning(SourceFile(path, text))


def parse_tuning(file: SourceFile) -> Tuning:
    """The tuning data of a file's text; raises SourceErrors with the place of every fault."""
    try:
        record = json.loads(file.text)
    except (json.JSONDecodeError, RecursionError) as error:
        place = (error.lineno, error.colno) if isinstance(error, json.JSONDecodeError) else (1, 1)
        said = error.msg.lower() if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        span = Span(file.path, *place, place[1] + 1)
        raise SourceErrors([_error(f"the tuning file is no JSON: {said}", span)]) from error
    return _Reader(file).tuning(record)


class _Reader:
    """Checks the parsed text; every fault becomes a diagnostic at the key that it concerns."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.found: list[Diagnostic] = []

    def tuning(self, record: object) -> Tuning:
        if not isinstance(record, dict):
            record = {}
        if record.get("format") != FORMAT:
            self.fault(f'the file is no tuning file: it lacks `"format": "{FORMAT}"`', "format")
        elif record.get("version") != VERSION:
            self.fault(
                f"the tuning file has version {json.dumps(record.get('version'))}, but this pencilc reads version "
                f"{VERSION}", "version", help="run `pencilc tune` again",
            )  # fmt: skip
        kernels = () if self.found else self.kernels(record)
        if self.found:
            raise SourceErrors(self.found)
        return Tuning(kernels)

    def kernels(self, record: Mapping[str, object]) -> tuple[tuple[str, tuple[tuple[str, int], ...]], ...]:
        table = record.get("kernels")
        if not isinstance(table, dict):
            self.fault("`kernels` must be an object with one member for each kernel", "kernels")
            return ()
        return tuple((name, self.parameters(name, entry)) for name, entry in table.items())

    def parameters(self, kernel: str, entry: object) -> tuple[tuple[str, int], ...]:
        chosen = entry.get("parameters") if isinstance(entry, dict) else None
        if not isinstance(chosen, dict):
            self.fault(f"kernel `{kernel}` has no object `parameters`", "kernels", kernel)
            return ()
        for name, value in chosen.items():
            if said := fault(name, value):
                close = difflib.get_close_matches(name, PARAMETER_NAMES, 1)
                guess = f"did you mean `{close[0]}`?" if close and name not in PARAMETER_NAMES else ""
                self.fault(said, "kernels", kernel, "parameters", name, help=guess)
        return tuple(chosen.items())

    def fault(self, message: str, *keys: str, help: str = "") -> None:
        self.found.append(_error(message, self.place(keys), help))

    def place(self, keys: Sequence[str]) -> Span:
        """The last key of a path that the text holds; the start of the file if it holds none."""
        at, key = 0, ""
        for name in keys:
            quoted = json.dumps(name)
            position = self.file.text.find(quoted, at + len(key))
            if position < 0:
                break
            at, key = position, quoted
        line = self.file.text.count("\n", 0, at) + 1
        column = at - (self.file.text.rfind("\n", 0, at) + 1) + 1
        return Span(self.file.path, line, column, column + max(len(key), 1))


def _error(message: str, span: Span, help: str = "") -> Diagnostic:
    return Diagnostic(Severity.ERROR, "PC0801", message, span, helps=(help,) if help else ())
