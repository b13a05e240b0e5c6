"""Bytes of global memory that a call moves, by kernel and array, beside the least that any program could move.

The CPU executor counts (see `cudacpu/runtime/traffic.cpp`): a load counts with what the instruction asks for. The bound
of an array is what the call read of it before writing it, and what it wrote: every byte once. Memory that the generated
code allocates for itself (partial results, tickets, temporaries) has a row of its own, in parentheses, and no bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_HEADER = ("array", "kernel", "launches", "read", "written", "least read", "least written")


@dataclass(frozen=True, slots=True)
class Moved:
    """Bytes that all launches of one kernel in a call moved of one array."""

    kernel: str
    array: str
    read: int
    written: int


@dataclass(frozen=True, slots=True)
class Touched:
    """Different bytes of one array: read while not yet written, and written."""

    array: str
    read: int
    written: int

    @property
    def own(self) -> bool:
        """Whether this is the generated code's own memory."""
        return self.array.startswith("(")


@dataclass(frozen=True, slots=True)
class Copies:
    """Copies (`to the device`, `to the host`, ...) or fills of one call."""

    kind: str
    count: int
    bytes: int

    def __str__(self) -> str:
        return f"{self.count} {self.kind} ({self.bytes} bytes)"


@dataclass(frozen=True, slots=True)
class Counted:
    """What the executor counted during one call; kernels and arrays in the order in which they were met."""

    launches: tuple[tuple[str, int], ...]
    moved: tuple[Moved, ...]
    touched: tuple[Touched, ...]
    copies: tuple[Copies, ...]


def parse(text: str) -> Counted:
    """Read what `cudacpu_traffic()` returns; raises ValueError on anything else."""
    launches: list[tuple[str, int]] = []
    moved: list[Moved] = []
    touched: list[Touched] = []
    copies: list[Copies] = []
    for line in text.splitlines():
        match line.split("\t"):
            case ["kernel", kernel, count]:
                launches.append((kernel, int(count)))
            case ["moved", kernel, array, read, written]:
                moved.append(Moved(kernel, array, int(read), int(written)))
            case ["touched", array, read, written]:
                touched.append(Touched(array, int(read), int(written)))
            case ["copy", kind, count, size]:
                copies.append(Copies(kind, int(count), int(size)))
            case _:
                raise ValueError(f"not a line of a traffic count: {line!r}")
    return Counted(tuple(launches), tuple(moved), tuple(touched), tuple(copies))


@dataclass(frozen=True, slots=True)
class TrafficRow:
    """What one kernel moved of one array, with what all kernels touched of it: told in the first row of each array."""

    moved: Moved
    launches: int
    touched: Touched | None


@dataclass(frozen=True, slots=True)
class Traffic:
    """One call: `device` is counted in the entry on device pointers, `host` in the one on host pointers."""

    function: str
    size_text: str
    device: Counted
    host: Counted

    @property
    def moved(self) -> int:
        """All bytes read and written."""
        return sum(row.read + row.written for row in self.device.moved)

    @property
    def bound(self) -> int:
        """The bytes of the caller's arrays that had to be moved."""
        return sum(row.read + row.written for row in self.device.touched if not row.own)

    @property
    def excess(self) -> float:
        """How far the total lies above the bound, as a fraction of it; 0 where nothing is moved."""
        return (self.moved - self.bound) / self.bound if self.bound else 0.0

    @property
    def launches(self) -> int:
        """How many kernels the call launched."""
        return sum(count for _, count in self.device.launches)

    @property
    def copies(self) -> str:
        """What the entry on host pointers copies."""
        return "; ".join(map(str, self.host.copies)) or "none"

    def rows(self) -> Iterator[TrafficRow]:
        """What was moved, by array and kernel, the caller's arrays first."""
        counts = dict(self.device.launches)
        for touched in sorted(self.device.touched, key=lambda row: row.own):
            told: Touched | None = touched
            for row in self.device.moved:
                if row.array == touched.array:
                    yield TrafficRow(row, counts[row.kernel], told)
                    told = None

    def table(self) -> str:
        """Rows by array and kernel, then the total."""
        title = f"traffic of {self.function}, {self.size_text}: launches {self.launches}"
        title += f"; copies of the host entry: {self.copies}"
        total = f"total {self.moved} bytes, at least {self.bound}: {100 * self.excess:.1f}% above"
        return "\n".join([title, *_aligned([_HEADER, *self._rows()]), total]) + "\n"

    def _rows(self) -> list[tuple[str, ...]]:
        found: list[tuple[str, ...]] = []
        for row in self.rows():
            moved, touched = row.moved, row.touched
            least = ("", "")
            if touched is not None:
                least = ("-", "-") if touched.own else (str(touched.read), str(touched.written))
            found.append((moved.array, moved.kernel, str(row.launches), str(moved.read), str(moved.written), *least))
        return found


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [c.ljust(w) if k < 2 else c.rjust(w) for k, (c, w) in enumerate(zip(row, widths, strict=True))]
        lines.append(("  " + "  ".join(cells)).rstrip())
    return lines
