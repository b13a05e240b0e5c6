"""What a verification found, as records and as a plain table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from pencilc.verify.compare import Difference
from pencilc.verify.traffic import Traffic

Status = Literal["ok", "differs", "error", "skipped"]

_HEADER = ("function", "sizes", "data", "entry", "order", "status", "max error", "launches")


def size_text(sizes: Sequence[tuple[str, int]]) -> str:
    """`n=31 m=33`; `-` without size parameters."""
    return " ".join(f"{name}={value}" for name, value in sizes) or "-"


@dataclass(frozen=True, slots=True)
class Row:
    """One call compared, or the reason why there was none (`messages` of a skipped row)."""

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

    @property
    def size_text(self) -> str:
        """`n=31 m=33`; `-` without size parameters."""
        return size_text(self.sizes)


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """All rows, notes about what was not run, and the traffic of each call if that was asked for."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    traffic: tuple[Traffic, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing differed or failed, and at least one comparison took place."""
        return not any(row.status in ("differs", "error") for row in self.rows) and any(
            row.status == "ok" for row in self.rows
        )

    def table(self) -> str:
        """An aligned table: one line for each function and sizes if all is well there, details if not."""
        lines = list(self._lines())
        widths = [max(len(line[k]) for line, _ in lines) for k in range(len(_HEADER))]
        text = []
        for cells, details in lines:
            text.append("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())
            text += [f"    {detail}" for detail in details]
        notes = [f"note: {note}" for note in self.notes]
        return (
            "\n".join([*text, *notes, self.summary(), *(f"\n{call.table()}".rstrip() for call in self.traffic)]) + "\n"
        )

    def summary(self) -> str:
        """The counts in one line."""
        counts = {status: sum(row.status == status for row in self.rows) for status in ("ok", "differs", "error")}
        parts = [f"{count} {status}" for status, count in counts.items()]
        skipped = sum(row.status == "skipped" for row in self.rows)
        return f"{len(self.rows) - skipped} comparisons: {', '.join(parts)}; {skipped} skipped"

    def _lines(self) -> Iterator[tuple[tuple[str, ...], Sequence[str]]]:
        yield _HEADER, ()
        for _, group in groupby(self.rows, key=lambda row: (row.function, row.sizes)):
            rows = list(group)
            good = [row for row in rows if row.status == "ok"]
            if good:
                yield _merged(good), ()
            # What is wrong in the same way in several orders and entries is said once.
            alike: dict[tuple[object, ...], list[Row]] = {}
            for row in rows:
                if row.status != "ok":
                    alike.setdefault((row.status, row.messages, row.differences), []).append(row)
            for same in alike.values():
                yield _merged(same), _details(same[0])


def _merged(rows: Sequence[Row]) -> tuple[str, ...]:
    first = rows[0]
    launches = [row.launches for row in rows if row.launches is not None]
    return (
        first.function,
        first.size_text,
        _joined(row.kind for row in rows),
        _joined(row.entry for row in rows),
        _joined(row.order for row in rows),
        first.status,
        "-" if first.status in ("skipped", "error") else f"{max(row.max_error for row in rows):.2g}",
        _joined(str(count) for count in sorted(set(launches))) or "-",
    )


def _joined(texts: Iterator[str]) -> str:
    return ",".join(dict.fromkeys(texts))


def _details(row: Row) -> list[str]:
    details = [*row.messages, *map(str, row.differences)]
    if row.wrong > len(row.differences):
        details.append(f"... {row.wrong} values differ in all")
    return details
