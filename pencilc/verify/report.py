"""What a verification found, as records and as a plain table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

from pencilc.records import dataclass
from pencilc.verify.compare import Difference, Output
from pencilc.verify.traffic import Traffic

# `fault`: the sequential program itself does what C does not define, so that there is nothing to compare with.
Status = Literal["ok", "differs", "error", "fault", "skipped"]

_HEADER = ("function", "sizes", "data", "entry", "order", "status", "max error", "allowed", "launches")


def size_text(sizes: Sequence[tuple[str, int]]) -> str:
    """`n=31 m=33`; `-` without size parameters."""
    return " ".join(f"{name}={value}" for name, value in sizes) or "-"


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One call compared, or the reason why there was none (`messages` of a skipped row).

    `form`: which form all loops on the host have; empty where the entry point chooses by sizes.
    """

    function: str
    sizes: tuple[tuple[str, int], ...]
    kind: str
    entry: str
    order: str
    status: Status
    max_error: float = 0.0
    launches: int | None = None
    wrong: int = 0
    messages: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    outputs: tuple[Output, ...] = ()
    form: str = ""

    @property
    def allowed(self) -> float:
        """The largest relative error that any output which is not the same may have."""
        return max((output.allowed for output in self.outputs), default=0.0)

    @property
    def size_text(self) -> str:
        """`n=31 m=33`; `-` without size parameters."""
        return size_text(self.sizes)


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """All rows, notes about what was not run, and the traffic of each call if that was asked for."""

    rows: tuple[ReportRow, ...]
    notes: tuple[str, ...] = ()
    traffic: tuple[Traffic, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing differed or failed, and at least one comparison took place."""
        return self.exit_status == 0

    @property
    def exit_status(self) -> int:
        """1 if the source is at fault, 4 if something differs or fails, 3 if nothing was compared, else 0."""
        found = {row.status for row in self.rows}
        if "fault" in found:
            return 1
        if found & {"differs", "error"}:
            return 4
        return 0 if "ok" in found else 3

    @property
    def why_nothing(self) -> str:
        """Why nothing was compared; empty if something was."""
        if self.exit_status != 3:
            return ""
        reasons = dict.fromkeys(message for row in self.rows for message in row.messages)
        return "; ".join(list(reasons)[:3]) or "the file has no entry function, and no main to run"

    def next_step(self, name: str) -> str:
        """What there is to do now; `name` is what a shell is given for the file, options included."""
        status = self.exit_status
        if status == 0:
            return (
                f"`pencilc {name}` writes the CUDA file, `pencilc report {name}` tells what was done; with a GPU, "
                f"`pencilc verify --on=gpu {name}` compares there and `pencilc tune {name}` searches launch parameters"
            )
        if status == 1:
            return "mend the program where that is told, and verify again"
        if status == 3:
            return "--sizes, --max-elements, --max-iterations, --max-launches and --inputs decide what is run"
        wrong = next(row for row in self.rows if row.status in ("differs", "error"))
        where = "--on=gpu" if wrong.order == "gpu" else f"--order={wrong.order}"
        words = [*(f"--sizes {size}={value}" for size, value in wrong.sizes), where, name]
        return (
            f"`pencilc verify {' '.join(words)}` runs the first that is wrong alone; where the difference is rounding "
            "that the program may have, --tolerance allows it; else report it with the file"
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was taken for rounding though it is more than usual, with the function and its sizes; what is open."""
        told = {
            f"{row.function} {row.size_text} {row.kind}: {output.remark}"
            for row in self.rows
            for output in row.outputs
            if output.remark
        }
        left_out: dict[str, list[str]] = {}
        for row in self.rows:
            names = [re.split(r"[.\[]", output.name)[0] for output in row.outputs if output.is_open]
            left_out.setdefault(row.function, []).extend(names)
        for function, names in left_out.items():
            if names:
                told.add(
                    f"{function}: {', '.join(dict.fromkeys(names))} not compared with some of the data at the ends of "
                    "their types, for which the sequential program itself gives something else in another order of its "
                    "reductions"
                )
        return tuple(sorted(told))

    def table(self) -> str:
        """An aligned table: one line for each function and sizes if all is well there, details if not."""
        lines = list(self._lines())
        widths = [max(len(line[k]) for line, _ in lines) for k in range(len(_HEADER))]
        text = []
        for cells, details in lines:
            text.append("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())
            text += [f"    {detail}" for detail in details]
        notes = [f"note: {note}" for note in (*self.notes, *self.remarks)]
        return (
            "\n".join([*text, *notes, self.summary(), *(f"\n{call.table()}".rstrip() for call in self.traffic)]) + "\n"
        )

    def summary(self) -> str:
        """The counts in one line."""
        counts = Counter(row.status for row in self.rows)
        parts = [f"{counts[status]} {status}" for status in ("ok", "differs", "error")]
        made = counts["ok"] + counts["differs"] + counts["error"]
        at_fault = f"; {counts['fault']} not made, for the source is at fault" if counts["fault"] else ""
        return f"{made} comparisons: {', '.join(parts)}{at_fault}; {counts['skipped']} skipped"

    def _lines(self) -> Iterator[tuple[tuple[str, ...], Sequence[str]]]:
        yield _HEADER, ()
        for _, group in groupby(self.rows, key=lambda row: (row.function, row.sizes)):
            rows = list(group)
            good = [row for row in rows if row.status == "ok"]
            if good:
                yield _merged(good), ()
            # What is wrong in the same way in several orders and entries is said once.
            alike: dict[tuple[object, ...], list[ReportRow]] = {}
            for row in rows:
                if row.status != "ok":
                    alike.setdefault((row.status, row.messages, row.differences), []).append(row)
            for same in alike.values():
                yield _merged(same), _details(same[0])


def _merged(rows: Sequence[ReportRow]) -> tuple[str, ...]:
    first = rows[0]
    launches = [row.launches for row in rows if row.launches is not None]
    return (
        first.function,
        first.size_text,
        _joined(row.kind for row in rows),
        _entries(rows),
        _joined(row.order for row in rows),
        first.status,
        *_errors(rows),
        _joined(str(count) for count in sorted(set(launches))) or "-",
    )


def _entries(rows: Sequence[ReportRow]) -> str:
    """`host,device; loops in one block, in a grid`: the entry points, and the forms that loops had in some calls."""
    forms = ", ".join(dict.fromkeys(row.form for row in rows if row.form))
    entries = _joined(row.entry for row in rows)
    return f"{entries}; loops {forms}" if forms else entries


def _errors(rows: Sequence[ReportRow]) -> tuple[str, str]:
    """The largest error and the largest allowance; nothing where nothing was compared."""
    if rows[0].status in ("skipped", "error", "fault"):
        return "-", "-"
    return f"{max(row.max_error for row in rows):.2g}", f"{max(row.allowed for row in rows):.2g}"


def _joined(texts: Iterator[str]) -> str:
    return ",".join(dict.fromkeys(texts))


def _details(row: ReportRow) -> list[str]:
    details = [*row.messages, *map(str, row.differences)]
    if row.wrong > len(row.differences):
        details.append(f"... {row.wrong} values differ in all")
    return details
