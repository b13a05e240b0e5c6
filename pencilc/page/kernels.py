"""A row for each kernel: threads, registers, shared memory, traffic, and what limits it by the model of fusion.

What the compiler reckons is called so; registers that nvcc has counted are those of the file as it was printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as Seq

from pencilc.codegen.known_lengths import holds_all_rows
from pencilc.codegen.shared_memory import static_shared
from pencilc.gpu.shapes.launch import estimated_registers
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.mapping import (
    Composed,
    HostItem,
    HostLoop,
    Launched,
    MappedProgram,
    Packed,
    Stitched,
    leaves,
    name_of,
)
from pencilc.ir.shapes import IndirectKernel, Kernel, LoopKernel
from pencilc.page.counted import CountedRegisters
from pencilc.page.traffic import NominalTraffic, Touches, added, statements_in
from pencilc.records import dataclass
from pencilc.report.text import bytes_text, lines_text, three_digits
from pencilc.target import RESERVED_SHARED, Target


@dataclass(frozen=True, slots=True)
class KernelRow:
    """A kernel as the table shows it; `depth`: 1 for those that stand for others at some sizes, `instead` says which.

    `registers` and `shared` are texts, `registers_told` says whose figure the first one is.  `moved` and `least` are
    bytes at nominal sizes: what the kernel moves, and what it must whatever it keeps on the chip.
    """

    name: str
    depth: int
    instead: str
    told: str
    lines: str
    first_line: int
    threads: str
    registers: str
    registers_told: str
    shared: str
    touched: tuple[Touches, ...]
    moved: int | None
    least: int | None
    limit: str
    resident: str


@dataclass(frozen=True, slots=True)
class RegionTraffic:
    """Bytes at nominal sizes: all that the launches of a region move, and the least that any program could."""

    moved: int | None
    least: int | None

    @property
    def share(self) -> float:
        """The least as a part of what is moved, in percent; 100 where nothing is moved."""
        if not self.moved or self.least is None:
            return 100.0
        return min(100.0, 100 * self.least / self.moved)

    @property
    def text(self) -> str:
        """How the two compare."""
        if self.moved is None or self.least is None:
            return "isl takes too long to count the bytes of this region"
        if not self.moved:
            return "nothing is moved at nominal sizes"
        least = f"least possible ({bytes_text(self.least)})"
        if not self.least:
            return f"{bytes_text(self.moved)} moved, above the {least}"
        above = (self.moved - self.least) / self.least * 100
        told = f"which is the {least}" if above < 0.05 else f"{above:.1f}% above the {least}"
        return f"{bytes_text(self.moved)} moved, {told}"


class KernelTable:
    """The rows of a region; `functions` are the functions of the file, `counted` what nvcc says of them, if asked."""

    def __init__(
        self, program: MappedProgram, functions: Seq[KernelFunction], traffic: NominalTraffic,
        counted: Mapping[str, CountedRegisters] | None,
    ) -> None:  # fmt: skip
        self.program, self.traffic, self.counted = program, traffic, counted
        self.functions: dict[str, list[KernelFunction]] = {}
        for function in functions:
            for kernel in (function.kernel, *function.also):
                self.functions.setdefault(kernel, []).append(function)
        self.spelling = {a.symbol.name: a.symbol.spelling for a in program.scop.arrays}

    def rows(self) -> tuple[KernelRow, ...]:
        """The launches in order, each with what stands for it."""
        return tuple(self._of_items(self.program.launched(), 0, is_repeated=False))

    def total(self, rows: Iterable[KernelRow]) -> RegionTraffic:
        """All launches together, of which these are the rows; a loop on the host counts once."""
        moved = added(row.moved for row in rows if row.depth == 0)
        outside = self.traffic.outside()
        return RegionTraffic(moved, added(part for each in outside for part in (each.read, each.written)))

    def _of_items(self, items: Seq[HostItem], depth: int, is_repeated: bool) -> Iterator[KernelRow]:
        for item in items:
            if isinstance(item, HostLoop):
                yield from self._of_items(item.items, depth, is_repeated=True)
                if item.kernel is not None:
                    yield self._whole_loop(item, item.kernel, depth + 1)
                continue
            yield self._row(item, depth, is_repeated)
            holds_all = isinstance(item, Stitched) and holds_all_rows(item, self.program.scop.context)
            if isinstance(item, Stitched | Composed) and not holds_all:
                yield from self._of_items(item.fallback.kernels, depth + 1, is_repeated)

    def _row(self, item: Launched, depth: int, is_repeated: bool) -> KernelRow:
        scop, name = self.program.scop, name_of(item)
        statements = statements_in(item, scop)
        places = self._places(statements)
        touched = self._touched(statements)
        cost = self.traffic.cost(item)
        registers, told, most = self._registers(item)
        shared = max((static_shared(function) for function in self.functions.get(name, ())), default=0)
        return KernelRow(
            name, depth, "where that does not fit" if depth else "", _told(item), lines_text(places),
            places[0] if places else 0, f"{_block(item)}", registers, told, self._shared(item, shared), touched,
            cost.bytes if cost is not None else None, self.traffic.least(item), self._limit(item, is_repeated),
            self._resident(item, most, shared),
        )  # fmt: skip

    def _touched(self, statements: tuple[str, ...]) -> tuple[Touches, ...]:
        """What statements touch of each variable, by the names of the source."""
        every = self.traffic.touched(statements)
        return tuple(
            Touches(self.spelling.get(each.variable, each.variable), each.read, each.written) for each in every
        )

    def _places(self, statements: Iterable[str]) -> list[int]:
        """The lines of statements; what was inlined from another file has lines there."""
        scop = self.program.scop
        spans = (scop.statement(name).span for name in statements)
        return sorted({span.line for span in spans if span.line and span.path == scop.span.path})

    def _whole_loop(self, loop: HostLoop, kernel: LoopKernel, depth: int) -> KernelRow:
        """The kernel that does all iterations of a loop on the host, where each of them has few points.

        What it moves depends on how many iterations there are, of which the model knows nothing.
        """
        statements = {name: None for each in leaves(loop.items) for name in statements_in(each, self.program.scop)}
        touched = self._touched(tuple(statements))
        registers, told, _ = self._registers(kernel)
        static = max((static_shared(function) for function in self.functions.get(kernel.name, ())), default=0)
        launch, tiles = kernel.launch, loop.tiling
        behind = "launches"
        if tiles is not None:
            sides = " x ".join(map(str, tiles.sides))
            behind += f" of up to {tiles.iterations} iterations each, in tiles of {sides} elements that overlap"
        limit = (
            f"its barriers: one behind each iteration of {loop.iterator}; one block while none has more than "
            f"{launch.block_points} points, all resident blocks while none has more than "
            f"{launch.grid_points_per_sm} for each multiprocessor, else {behind}"
        )
        places = self._places(statements)
        return KernelRow(
            kernel.name, depth, "instead of these launches, where an iteration has few points", kernel.told,
            lines_text(places), places[0] if places else 0, f"at most {launch.threads}", registers, told,
            _binary(static) if static else "none", touched, None, None, limit, "one block, or as many as have room",
        )  # fmt: skip

    # ---- registers and shared memory ---------------------------------------------------------------

    def _registers(self, item: Launched) -> tuple[str, str, int]:
        """What a thread needs, as text, whose figure that is, the most of all functions (0: not known)."""
        if self.counted is not None:
            found = [self.counted[f.name] for f in self.functions.get(name_of(item), ()) if f.name in self.counted]
            if not found:
                return "no function of its own", "", 0
            least, most = min(each.least for each in found), max(each.most for each in found)
            spilled = max(each.spilled for each in found)
            text = str(most) if least == most else f"{least} to {most}"
            return text + (f", {spilled} bytes spilled" if spilled else ""), "counted by nvcc", most
        parts = item.kernels if isinstance(item, Packed) else (item,) if isinstance(item, Kernel) else ()
        known = [estimated_registers(kernel, self.program.scop, self.program.sums) for kernel in parts]
        numbers = [number for number in known if number is not None]
        if not numbers or None in known:
            return "no estimate", "", 0
        return f"about {max(numbers)}", "estimated", max(numbers)

    def _shared(self, item: Launched, static: int) -> str:
        """The shared memory of a block: what functions declare, and what a launch adds where it is known."""
        told = [_binary(static)] if static else []
        if isinstance(item, Stitched) and item.long_rows is not None and item.long_rows.size:
            told.append(f"{item.long_rows.size} B an element of a long row")
        if isinstance(item, Composed) and item.shared:
            told.append("what a row keeps")
        kernels = item.kernels if isinstance(item, Packed) else (item,)
        if any(isinstance(kernel, IndirectKernel) and "private" in kernel.forms for kernel in kernels):
            told.append("copies of the bins")
        return " + ".join(told) or "none"

    def _resident(self, item: Launched, registers: int, shared: int) -> str:
        """How many blocks a multiprocessor holds, and what keeps it from holding more."""
        target, threads = self.program.target, _block(item)
        limits = {"threads": target.resident(threads)}
        if registers:
            limits["registers"] = target.resident(threads, registers)
        if shared:
            limits["bytes of shared memory"] = target.shared_per_sm // (shared + RESERVED_SHARED)
        least = min(limits.values())
        if limits["threads"] == target.blocks_per_sm == least:
            return f"{least} blocks, the most there are"
        by = next(name for name, number in limits.items() if number == least)
        share = round(100 * least * threads / target.threads_per_sm)
        return f"{least} block{'s' if least != 1 else ''}, {share}% of its threads; {by} limit it"

    # ---- what limits it --------------------------------------------------------------------------------

    def _limit(self, item: Launched, is_repeated: bool) -> str:
        """What the time of the model goes to at nominal sizes; it takes a loop on the host for one launch."""
        target = self.program.target
        if isinstance(item, Kernel) and not item.is_parallel:
            return "one thread" + (f": {item.reason}" if item.reason else "")
        cost = self.traffic.cost(item)
        if cost is None:
            return "not known"
        moving = cost.seconds - target.launch_seconds
        if moving <= target.launch_seconds:
            return f"the launch: {_us(target.launch_seconds)} of {_us(cost.seconds)}"
        if is_repeated:
            return f"not known: the model takes all iterations of the loop for one launch of {_us(cost.seconds)}"
        blocks = _blocks_for(cost.bytes, moving, target)
        if blocks is not None:
            return f"too few blocks: {blocks} for {target.multiprocessors} multiprocessors, {_us(cost.seconds)}"
        return f"the bandwidth of memory: {_us(moving)} of {_us(cost.seconds)}"


def _blocks_for(moved: int, seconds: float, target: Target) -> int | None:
    """The blocks that work where they are too few to reach all of the bandwidth; None where they are enough."""
    fill = moved / (target.bandwidth * seconds)
    return round(fill * target.multiprocessors) if fill < 0.999 else None


def _block(item: Launched) -> int:
    return item.kernels[0].block if isinstance(item, Packed) else _kernel(item).block


def _kernel(item: Kernel | Stitched | Composed) -> Kernel:
    return item if isinstance(item, Kernel) else item.kernel


def _told(item: Launched) -> str:
    if isinstance(item, Packed):
        return "parts that do not depend on each other, each with blocks of its own: " + ", ".join(
            kernel.name for kernel in item.kernels
        )
    if isinstance(item, Stitched) and item.across:
        return "neighbouring threads have neighbouring rows, which stay in registers"
    return _kernel(item).told


def _us(seconds: float) -> str:
    return f"{three_digits(seconds * 1e6)} µs"


def _binary(size: int) -> str:
    return f"{size} B" if size < 1024 else f"{size / 1024:.3g} KiB"
