"""What the sequential program leaves behind of killed values, which the generated code need not have.

The program runs twice, with two fillings of whatever it kills; what differs between the two comes from there.

    __pencil_kill(t);        pencilc_fill_rows(t, n, sizeof *t);        (`variant_headers/kills.h`)
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from pencilc.diagnostics.source import SourceFile, Span
from pencilc.driver import frontend_options
from pencilc.frontend import parse_file
from pencilc.frontend.syntax.lexing import statement_end
from pencilc.ir.source import ArrayType, CType, Kill, Name, TranslationUnit, walk
from pencilc.ir.source_printer import spelled
from pencilc.options import CompileOptions
from pencilc.records import dataclass
from pencilc.verify.cases import Case, ChildCall, Outcome, leaves
from pencilc.verify.errors import BuildFailed
from pencilc.verify.reference import outcome_of
from pencilc.verify.sequential import build_library

_HEADER = str(Path(__file__).parent / "variant_headers" / "kills.h")
# Numbers of either sign, in any type.
_FILLINGS = ("0x3f", "0xbf")
_CALL = re.compile(r"\b__pencil_kill\s*\(")
READS_KILLED = (
    "the sequential program uses a value that it has killed: `{name}`, which it does not kill, changes with what the "
    "variables that it kills hold"
)


@dataclass(frozen=True, slots=True)
class _Output:
    """One output: its name, the size of an element, where the parts of an element lie, and the data."""

    name: str
    stride: int
    parts: tuple[tuple[int, int], ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class Undefined:
    """What a call leaves undefined: the bytes of every output; `reads` names an output that should not have any."""

    places: tuple[tuple[slice, ...], ...]
    reads: str = ""

    def settled(self, case: Case, expected: Outcome, got: Outcome) -> Outcome:
        """`got` with what is expected where nothing is defined."""
        made = []
        for want, have, places in zip(_outputs(case, expected), _outputs(case, got), self.places, strict=True):
            data = bytearray(have.data)
            for place in places if len(want.data) == len(have.data) else ():
                data[place] = want.data[place]
            made.append(bytes(data))
        return replace(got, returned=made[0], buffers=_buffers(got, made[1:]))


class KilledValues:
    """The sequential program under both fillings, built when it is first asked for; nothing is known without them."""

    def __init__(self, file: SourceFile, functions: Iterable[str], options: CompileOptions, folder: Path) -> None:
        self._file, self._functions, self._options, self._folder = file, tuple(functions), options, folder
        # What is compiled has other variables, such as an array for each iteration.
        self._unit: TranslationUnit | None = None
        self._libraries: tuple[Path, ...] = ()
        self.missing = ""  # why nothing is known
        self.elsewhere: set[str] = set()  # what a macro or another file kills, which was asked for

    def of(self, function: str, call: ChildCall, timeout_s: float) -> Undefined | None:
        """What `call` leaves undefined; None where nothing is killed or that cannot be told."""
        if self._unit is None:
            self._unit, _ = parse_file(self._file, frontend_options(self._options))
            self._libraries = self._built(self._unit)
        region = next(region for region in self._unit.regions if region.name == function)
        kills = [node for node in walk(region.body) if isinstance(node, Kill)]
        elsewhere = _names(kill for kill in kills if _call_around(self._file, kill.span) is None)
        self.elsewhere |= elsewhere
        outcomes: list[Outcome] = []
        for filling, library in zip(_FILLINGS, self._libraries, strict=False):
            made = replace(call, outcome=call.case.with_suffix(f".killed-{filling}"))
            outcome = outcome_of(library, made, call.case.with_suffix(f".progress-{filling}"), timeout_s)
            if outcome is None:
                return None
            outcomes.append(outcome)
        if len(outcomes) < len(_FILLINGS) and not elsewhere:
            return None
        case: Case = pickle.loads(call.case.read_bytes())
        if len(outcomes) < len(_FILLINGS):
            outcomes = [pickle.loads(call.outcome.read_bytes())] * len(_FILLINGS)
        pairs = list(zip(_outputs(case, outcomes[0]), _outputs(case, outcomes[1]), strict=True))
        places = tuple(tuple(_unlike(*pair, everywhere=pair[0].name in elsewhere)) for pair in pairs)
        # A function of the file may be given any array.
        in_helpers = any(isinstance(node, Kill) for helper in self._unit.functions for node in walk(helper.body))
        killed = {symbol.name for symbol in region.params} if in_helpers else _names(kills)
        reads = (first.name for (first, _), found in zip(pairs, places, strict=True) if any(p.stop for p in found))
        return Undefined(places, next((name for name in reads if name not in killed), ""))

    def _built(self, unit: TranslationUnit) -> tuple[Path, ...]:
        """One library for each filling; none where nothing is killed, or gcc does not take what becomes of it."""
        file = with_fillings(unit)
        if file is None:
            return ()
        libraries: list[Path] = []
        for filling in _FILLINGS:
            folder = self._folder / f"killed-{filling}"
            folder.mkdir()
            flags = (f"-DPENCILC_FILLING={filling}", "-include", _HEADER)
            try:
                libraries.append(build_library(file, self._functions, self._options, folder, flags))
            except BuildFailed as error:
                self.missing = error.first_error
                return ()
        return tuple(libraries)


def with_fillings(unit: TranslationUnit) -> SourceFile | None:
    """The file with its kills as calls that fill what they kill; None where there are none.

    Those that a macro or another file made stay as they are.
    """
    text = unit.file.text
    calls: dict[tuple[int, int], dict[str, None]] = {}
    # Helpers first: regions have what helpers kill too, by the names that their arguments have there.
    bodies = [(function.params, function.body) for function in unit.functions]
    bodies += [(region.declared_params, region.body) for region in unit.regions]
    for params, body in bodies:
        found: dict[tuple[int, int], dict[str, None]] = {}
        declared = {symbol.name: symbol.type for symbol in params}
        for kill in (node for node in walk(body) if isinstance(node, Kill)):
            call = _call_around(unit.file, kill.span)
            if call is not None:
                found.setdefault(call, {})[_filling(kill, declared)] = None
        calls = found | calls
    for (start, end), fillings in sorted(calls.items(), reverse=True):
        lines = "\n" * text.count("\n", start, end)
        text = f"{text[:start]}{{ {' '.join(fillings)} }}{lines}{text[end:]}"
    return replace(unit.file, text=text) if calls else None


def _call_around(file: SourceFile, span: Span) -> tuple[int, int] | None:
    """The statement that kills what stands at `span`; None where a macro or another file has it."""
    if span.path != file.path:
        return None
    text = file.text
    line = [0, *(match.end() for match in re.finditer("\n", text))][span.line - 1]
    place = line + span.column - 1
    begun = list(_CALL.finditer(text, 0, place + 1))
    if text[line:].lstrip(" \t").startswith("#") or not begun:
        return None
    end = statement_end(text, begun[-1].start())
    return (begun[-1].start(), end) if place < end else None


def _filling(kill: Kill, declared: Mapping[str, CType]) -> str:
    """A parameter that is an array is a pointer in C, which does not know how many rows it has."""
    variable = spelled(kill.variable)
    if not isinstance(kill.variable.type, ArrayType):
        return f"pencilc_fill((void *)&({variable}), sizeof({variable}));"
    ctype = declared.get(kill.variable.symbol.name) if isinstance(kill.variable, Name) else None
    if not isinstance(ctype, ArrayType):
        return f"pencilc_fill((void *)({variable}), sizeof({variable}));"
    rows = "0" if ctype.extent is None else spelled(ctype.extent)
    return f"pencilc_fill_rows((void *)({variable}), {rows}, sizeof(({variable})[0]));"


def _names(kills: Iterable[Kill]) -> set[str]:
    named = (node for kill in kills for node in walk(kill.variable) if isinstance(node, Name))
    return {node.symbol.name for node in named}


def _outputs(case: Case, outcome: Outcome) -> Iterator[_Output]:
    """The return value and all arrays, in a fixed order."""
    for name, ctype, data in [
        ("return value", case.returns, outcome.returned),
        *((a.name, a.type, b or b"") for a, b in zip(case.arguments, outcome.buffers, strict=True)),
    ]:
        parts = tuple((offset, scalar.size) for _, offset, scalar in leaves(ctype)) if data else ()
        yield _Output(name, ctype.size, parts, data)


def _buffers(outcome: Outcome, made: list[bytes]) -> tuple[bytes | None, ...]:
    return tuple(None if old is None else new for old, new in zip(outcome.buffers, made, strict=True))


def _unlike(first: _Output, second: _Output, everywhere: bool) -> Iterator[slice]:
    """The bytes of the parts of elements that are not the same in both, or of all of them."""
    if first.data == second.data and not everywhere:
        return
    begin = end = 0
    for element in range(0, len(first.data), max(first.stride, 1)):
        for offset, size in first.parts:
            start = element + offset
            place = slice(start, start + size)
            if everywhere or first.data[place] != second.data[place]:
                if start != end:
                    yield slice(begin, end)
                    begin = start
                end = start + size
    yield slice(begin, end)
