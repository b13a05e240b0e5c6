"""What a call moves and asks for, by kernel and array, beside the least that any program could move.

The CPU executor counts (see `cudacpu/runtime/traffic.cpp`): a load counts with what the instruction asks for. The bound
of an array is what the call read of it before writing it, and what it wrote: every byte once. Between these stands what
the blocks must fetch if each fetches what it uses once: the bound for the tile, where a block has one. Memory that the
generated code allocates for itself (partial results, tickets, temporaries) has a row of its own, in parentheses, and no
bound.

Beside the bytes stand the requests of warps (`cudacpu/runtime/requests.cpp`): sectors of 32 bytes of global memory,
wavefronts of shared memory, each beside the least for what the request asks for, and what warps do together otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pencilc.records import dataclass
from pencilc.target import SECTOR

_HEADER = ("array", "kernel", "launches", "read", "by blocks", "written", "by blocks", "least read", "least written")
_REQUESTS = ("kernel", "memory", "array", "access", "requests", "bytes", "sectors", "wavefronts", "least", "excess")
_INSTRUCTIONS = ("kernel", "instruction", "warps")


@dataclass(frozen=True, slots=True)
class Moved:
    """Bytes that all launches of one kernel in a call moved of one array.

    `block_read` and `block_written` are the different bytes of each block, added up: what had to be fetched and stored
    if every block kept on the chip what it uses.
    """

    kernel: str
    array: str
    read: int
    written: int
    block_read: int
    block_written: int


@dataclass(frozen=True, slots=True)
class Requests:
    """What the warps of one kernel asked of one array by accesses of one kind and width (bytes of a lane).

    `kind` is `load`, `store`, `atomic` or `copy` (asynchronous).  `moved` are sectors of global memory or wavefronts of
    shared memory, `least` as many as the different bytes of each request fill.
    """

    kernel: str
    shared: bool
    array: str
    kind: str
    width: int
    count: int
    moved: int
    least: int


@dataclass(frozen=True, slots=True)
class Instructions:
    """How often the warps of one kernel did something together: barriers, shuffles, matrix products, ..."""

    kernel: str
    kind: str
    count: int


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
    requests: tuple[Requests, ...]
    instructions: tuple[Instructions, ...]

    def of_kernel(self, kernel: str) -> dict[str, int]:
        """Instructions of the warps of a kernel by kind; `load 16 global` is a load of 16 bytes for each lane.

        Arithmetic is not among them: what it becomes is nvcc's to say.
        """
        found: dict[str, int] = {}
        for row in self.requests:
            if row.kernel == kernel and not (row.shared and row.kind == "copy"):
                name = f"{row.kind} {row.width} {'shared' if row.shared else 'global'}"
                found[name] = found.get(name, 0) + row.count
        found.update({row.kind: row.count for row in self.instructions if row.kernel == kernel})
        return found


def parse(text: str) -> Counted:
    """Read what `cudacpu_traffic()` returns; raises ValueError on anything else."""
    launches: list[tuple[str, int]] = []
    moved: list[Moved] = []
    touched: list[Touched] = []
    copies: list[Copies] = []
    requests: list[Requests] = []
    instructions: list[Instructions] = []
    for line in text.splitlines():
        match line.split("\t"):
            case ["kernel", kernel, count]:
                launches.append((kernel, int(count)))
            case ["moved", kernel, array, *numbers]:
                moved.append(Moved(kernel, array, *map(int, numbers)))
            case ["touched", array, read, written]:
                touched.append(Touched(array, int(read), int(written)))
            case ["copy", kind, count, size]:
                copies.append(Copies(kind, int(count), int(size)))
            case ["asked", kernel, memory, array, kind, *numbers]:
                requests.append(Requests(kernel, memory == "shared", array, kind, *map(int, numbers)))
            case ["instructions", kernel, kind, count]:
                instructions.append(Instructions(kernel, kind, int(count)))
            case _:
                raise ValueError(f"not a line of a traffic count: {line!r}")
    return Counted(tuple(launches), tuple(moved), tuple(touched), tuple(copies), tuple(requests), tuple(instructions))


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
        text = [title, *_aligned([_HEADER, *self._rows()], 2), total]
        text += ["requests of warps, in sectors of global memory and wavefronts of shared memory"]
        text += _aligned([_REQUESTS, *map(_request, self.device.requests)], 4)
        if rows := list(self._instructions()):
            text += ["instructions of warps, without arithmetic", *_aligned([_INSTRUCTIONS, *rows], 2)]
        return "\n".join(text) + "\n"

    def _instructions(self) -> Iterator[tuple[str, str, str]]:
        for kernel, _ in self.device.launches:
            for kind, count in self.device.of_kernel(kernel).items():
                yield kernel, kind, str(count)

    def _rows(self) -> list[tuple[str, ...]]:
        found: list[tuple[str, ...]] = []
        for row in self.rows():
            moved, touched = row.moved, row.touched
            least = ("", "")
            if touched is not None:
                least = ("-", "-") if touched.own else (str(touched.read), str(touched.written))
            numbers = (row.launches, moved.read, moved.block_read, moved.written, moved.block_written)
            found.append((moved.array, moved.kernel, *map(str, numbers), *least))
        return found


def _request(row: Requests) -> tuple[str, ...]:
    units = ("", str(row.moved)) if row.shared else (str(row.moved), "")
    excess = f"{100 * (row.moved / row.least - 1):.1f}%"
    memory = "shared" if row.shared else "global"
    moved = "" if row.shared else str(row.moved * SECTOR)
    access = f"{row.kind} {row.width}"
    return (row.kernel, memory, row.array, access, str(row.count), moved, *units, str(row.least), excess)


def _aligned(rows: Sequence[tuple[str, ...]], words: int) -> list[str]:
    """Columns of text, of which the first `words` begin at the left and the others, numbers, end at the right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [c.ljust(w) if k < words else c.rjust(w) for k, (c, w) in enumerate(zip(row, widths, strict=True))]
        lines.append(("  " + "  ".join(cells)).rstrip())
    return lines
