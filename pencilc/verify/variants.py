"""The sequential program again, with other rounding: its reductions in other orders, and in wider types.

How far these runs come from the program as it stands is what its rounding is worth: a difference no larger than
that is none.  They are only made when a comparison needs them.

    s += a[i] * b[i];                          PENCILC_COMBINE(&(s), (a[i] * b[i]), pencilc_sum);
    __pencil_reduction(&s, a[i], add);         the same by its macro (`variant_headers/orders.h`)
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pencilc.diagnostics.source import SourceFile
from pencilc.frontend.syntax.lexing import statement_end
from pencilc.ir.source import ReductionUpdate, Region, is_floating, walk
from pencilc.options import CompileOptions
from pencilc.records import dataclass
from pencilc.verify.cases import Case, ChildCall, Variation
from pencilc.verify.errors import BuildFailed
from pencilc.verify.reference import outcome_of
from pencilc.verify.sequential import build_library
from pencilc.verify.wide import widened_case

_HEADERS = Path(__file__).parent / "variant_headers"
_ORDERS = str(_HEADERS / "orders.h")
_WIDE = str(_HEADERS / "wide.h")
_UPDATE = re.compile(r"(?P<target>[^;{}]+?)\s*(?P<op>[-+*])=(?!=)(?P<element>[^;{}]+);", re.DOTALL)
_ASSIGNED = re.compile(r"(?P<target>[^;{}=]+?)\s*=(?!=)(?P<value>[^;{}]+);", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Build:
    """One way to build the program: its name, and gcc's options for it."""

    name: str
    flags: tuple[str, ...]
    is_wide: bool = False
    is_reordered: bool = True


VARIANTS = (
    Build("in 8 parts", ("-DPENCILC_LANES=8", "-include", _ORDERS)),
    Build("in 31 parts", ("-DPENCILC_LANES=31", "-include", _ORDERS)),
    Build("by halves", ("-include", _ORDERS)),
    Build("with each value in front", ("-DPENCILC_COMMUTED", "-include", _ORDERS)),
    Build("in wider types", ("-include", _WIDE), is_wide=True, is_reordered=False),
    # What these differ by from the one before is no rounding: the order itself decides.
    Build("in 8 parts, in wider types", ("-DPENCILC_LANES=8", "-include", _ORDERS, "-include", _WIDE), is_wide=True),
    Build("in 31 parts, in wider types", ("-DPENCILC_LANES=31", "-include", _ORDERS, "-include", _WIDE), is_wide=True),
    Build(
        "with each value in front, in wider types",
        ("-DPENCILC_COMMUTED", "-include", _ORDERS, "-include", _WIDE),
        is_wide=True,
    ),
)


class Variants:
    """The variants of one program, each built when it is first asked for; `missing` says which cannot be, and why."""

    def __init__(self, file: SourceFile, regions: Iterable[Region], options: CompileOptions, folder: Path) -> None:
        self.file, self.regions, self.options, self.folder = file, tuple(regions), options, folder
        self.missing: dict[str, str] = {}
        self._libraries: dict[str, Path] | None = None

    def run(self, call: ChildCall, timeout_s: float) -> tuple[Variation, ...]:
        """What `call` into the sequential program leaves behind in each variant; without those that fail."""
        if self._libraries is None:
            self._libraries = dict(self._built())
        found = []
        for number, variant in enumerate(VARIANTS):
            if variant.name in self._libraries:
                case: Case = pickle.loads(call.case.read_bytes())
                case = widened_case(case) if variant.is_wide else case
                path = call.case.with_suffix(f".variant{number}")
                path.write_bytes(pickle.dumps(case))
                made = replace(call, case=path, outcome=path.with_suffix(f".outcome{number}"))
                progress = path.with_suffix(f".progress{number}")
                outcome = outcome_of(self._libraries[variant.name], made, progress, timeout_s)
                if outcome is not None:
                    found.append(Variation(case, outcome, variant.is_wide, variant.is_reordered))
        return tuple(found)

    def _built(self) -> Iterator[tuple[str, Path]]:
        reordered = with_plain_updates(self.file, self.regions)
        # The header comes before the file, which may leave names out of it.
        left_out = tuple(f"-D{name}" for name in dict.fromkeys(re.findall(r"\bPENCIL_NO_\w+", self.file.text)))
        functions = [region.function for region in self.regions]
        for number, variant in enumerate(VARIANTS):
            folder = self.folder / f"variant{number}"
            folder.mkdir()
            file = reordered if variant.is_reordered else self.file
            try:
                flags = (*left_out, *variant.flags) if variant.is_wide else variant.flags
                yield variant.name, build_library(file, functions, self.options, folder, flags)
            except BuildFailed as error:
                self.missing[variant.name] = error.first_error


def with_plain_updates(file: SourceFile, regions: Iterable[Region]) -> SourceFile:
    """`file` with the plain sums and products in floating types that are reductions as calls of the macro.

    Those that a macro or another file made, or that are written in another form, stay as they are.
    """
    text = file.text
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    edits: dict[int, tuple[int, str]] = {}
    for region in regions:
        for update in (node for node in walk(region.body) if isinstance(node, ReductionUpdate)):
            ctype, span = update.variable.type, update.span
            if is_floating(ctype) and span.path == file.path and span.line <= len(starts):
                start = starts[span.line - 1] + span.column - 1
                end = _end_of_statement(text, start)
                if end is not None and (combined := _combined(text[start:end])):
                    edits[start] = (end, combined)
    for start, (end, combined) in sorted(edits.items(), reverse=True):
        text = text[:start] + combined + text[end:]
    return replace(file, text=text)


def _end_of_statement(text: str, start: int) -> int | None:
    """Where the statement at `start` ends; None where none does, for a macro made it of what stands there."""
    try:
        return statement_end(text, start)
    except IndexError:
        return None


def _combined(statement: str) -> str:
    """The statement with the macro in the place of its operator; empty where it is no update that is known here."""
    if "\n" in statement:
        return ""  # the lines keep their numbers
    update = _UPDATE.fullmatch(statement)
    if update is not None:
        target, sign, element = update["target"], update["op"], f"({update['element'].strip()})"
    else:
        assigned = _ASSIGNED.fullmatch(statement)
        if assigned is None:
            return ""
        target, value = assigned["target"].strip(), assigned["value"].strip()
        before = re.match(rf"{re.escape(target)}\s*([-+*])\s*(.+)", value)
        behind = re.fullmatch(rf"(.+?)\s*([+*])\s*{re.escape(target)}", value)
        if before is not None:
            sign, element = before[1], before[2]  # `s - a - b` takes the sign with it
        elif behind is not None:
            sign, element = behind[2], behind[1]
        else:
            return ""
    operator = "pencilc_product" if sign == "*" else "pencilc_sum"
    return f"PENCILC_COMBINE(&({target}), ({'-' if sign == '-' else ''}{element}), {operator});"
