"""Whether the program keeps what it is said to promise: new functions ask, where it calls them.

    void frames_sized(…)                         void frames_sized(…)
    {                                            {  pencilc_port_asks(len <= hop, "frames", "len <= hop");
    #ifdef __PENCILC__                                  pencilc_port_apart(x, …, e, …);
        __pencil_assume(len <= hop);

gcc does not look at assumptions, nor does it mind arrays that overlap: the GPU would compute something else there.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.port.find import FunctionText, definition, text_of
from pencilc.port.records import Replacement
from pencilc.port.text import Parsed
from pencilc.records import dataclass
from pencilc.verify.errors import BuildFailed
from pencilc.verify.sequential import build_program, run_program

_TIMEOUT_S = 60.0
_TOLD = "pencilc port: "
_QUESTIONS = f"""
extern int dprintf(int, const char *, ...);
extern void _exit(int);
static void pencilc_port_asks(int holds, const char *told)
{{
    if (holds) return;
    dprintf(2, "{_TOLD}%s\\n", told);
    _exit(97);
}}
static void pencilc_port_apart(const volatile void *one, __typeof__(sizeof 0) size, const volatile void *other,
                               __typeof__(sizeof 0) other_size, const char *told)
{{
    const volatile char *a = one, *b = other;
    pencilc_port_asks(!size || !other_size || a + size <= b || b + other_size <= a, told);
}}
"""
_ASSUMED = re.compile(r"^[ \t]*__pencil_assume\((.*)\);[ \t]*$", re.MULTILINE)
_ARRAY = re.compile(r"^(.*?)\b(\w+)\[static const restrict ([^\]]*)\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Broken:
    """A promise that the program breaks: that of which function, and what it is."""

    function: str
    promise: str


def broken_promise(after: Parsed, names: Sequence[str], options: CompileOptions) -> Broken | None:
    """The first promise of the functions `names` that the program `after` breaks when it runs.

    None where it keeps all of them, or does not run by itself.  Raises ToolMissing without gcc.
    """
    if definition(after, "main") is None:
        return None
    edits = [edit for name in names for edit in _questions(after, name)]
    if not edits:
        return None
    asking = after.with_edits(edits).text
    with tempfile.TemporaryDirectory(prefix="pencilc-port-") as folder:
        try:
            program = build_program(SourceFile(after.file.path, _QUESTIONS + asking), options, Path(folder))
        except BuildFailed:
            return None  # the program needs its other files
        done = run_program(program, Path(folder), _TIMEOUT_S)
    if done is None:
        return None
    for line in done.stderr.decode(errors="replace").splitlines():
        if line.startswith(_TOLD):
            name, _, promise = line.removeprefix(_TOLD).partition(": ")
            return Broken(name, promise)
    return None


def _questions(parsed: Parsed, name: str) -> list[Replacement]:
    """The questions at the beginning of a function."""
    node = definition(parsed, name)
    if node is None:
        return []
    function = text_of(parsed, node)
    asked = [
        f"pencilc_port_asks({condition}, {_text(name, condition)});"
        for condition in _ASSUMED.findall(parsed.slice(function.body, function.end))
    ]
    arrays = _arrays(parsed, function)
    for one, other in combinations(arrays, 2):
        if one.is_written or other.is_written:
            told = _text(name, f"{one.name} and {other.name} do not overlap")
            asked.append(f"pencilc_port_apart({one.name}, {one.size}, {other.name}, {other.size}, {told});")
    if not asked:
        return []
    at = parsed.tokens[function.body].end
    return [Replacement(at, at, " " + " ".join(asked))]


@dataclass(frozen=True, slots=True)
class _Given:
    """An array parameter with an extent: its bytes as text of C, and whether elements are written."""

    name: str
    size: str
    is_written: bool


def _arrays(parsed: Parsed, function: FunctionText) -> list[_Given]:
    found = []
    for parameter in function.parameters:
        if match := _ARRAY.match(parsed.slice(parameter.first, parameter.last)):
            before, name, extent = match.groups()
            # An extent that is not positive is none.
            size = f"(({extent}) > 0 ? ({extent}) * sizeof *{name} : 0)"
            found.append(_Given(name, size, not re.search(r"\bconst\b", before)))
    return found


def _text(name: str, promise: str) -> str:
    """A string of C with what is promised of a function."""
    return json.dumps(f"{name}: {promise}")
