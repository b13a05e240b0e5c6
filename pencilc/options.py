"""What the user asks for: `CompileOptions`, and the launch parameters that a search found (`Tuning`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Literal, TypeAlias, TypeVar

from pencilc.diagnostics.policy import WarningPolicy
from pencilc.diagnostics.source import SourceFile
from pencilc.records import dataclass
from pencilc.target import DEFAULT, Target

OnUnsupported = Literal["error", "warn", "keep"]

Runtime: TypeAlias = Literal["inline", "header"]
Determinism: TypeAlias = Literal["run", "fixed-tree", "none"]
Sums: TypeAlias = Literal["plain", "pairwise", "kahan"]
# A cascaded sum: this many levels, each of which takes 32 values before it gives one to the next.
CASCADE_LEVELS = 6
Fuse: TypeAlias = Literal["none", "pairwise", "model", "max"]
ShiftedSums: TypeAlias = Literal["joined", "as-written"]


# What pencilc reads is C99; the later standards only add to it, and the GNU dialects only in host code.
STANDARDS = ("c99", "gnu99", "iso9899:1999", "c11", "gnu11", "iso9899:2011", "c17", "gnu17", "c18", "gnu18",
             "iso9899:2017", "iso9899:2018")  # fmt: skip

SomeLaunch = TypeVar("SomeLaunch", bound="LaunchParameters")


@dataclass(frozen=True, slots=True)
class LaunchParameters:
    """Numbers that a search may change, by their names."""

    def changed(self: SomeLaunch, changes: Mapping[str, int]) -> SomeLaunch:
        """With other values of the parameters that there are; others concern other records."""
        own = {field.name for field in fields(self)}
        return replace(self, **{name: value for name, value in changes.items() if name in own})


@dataclass(frozen=True, slots=True)
class Launch(LaunchParameters):
    """How a kernel is launched and loads: what all shapes have; one record for each shape follows.

    The defaults are the start values, none of which was measured yet, and what a search on a machine found replaces
    them (`Tuning`).  `SM` is the number of multiprocessors, asked for at run time.
    """

    threads: int = 256
    """Threads of a block: a multiple of the warp; for COLUMN a power of two."""
    blocks_per_sm: int = 2
    """The grid of a persistent kernel is at most this times SM."""

    @property
    def ragged_length(self) -> int:
        """How many elements a row of data-dependent length is taken to have where nothing says so."""
        return 512


@dataclass(frozen=True, slots=True)
class ReducingLaunch(Launch):
    """What all shapes have that load ahead and reduce."""

    chunk_bytes: int = 16
    """Adjacent bytes that a thread loads at least: a multiple of 16, the width of one load."""
    in_flight: int = 4
    """Chunks that a thread loads before it uses the first."""
    bytes_in_flight: int = 256
    """No more bytes than these are in flight in a thread, whatever `in_flight` says."""
    sm_bytes_in_flight: int = 65536
    """Registers are limited so that the threads of an SM have this many bytes in flight together, where that leaves
    them enough; it begins with what the target needs, and a third more."""
    accumulator_bytes: int = 64
    """Each chunk in flight has accumulators of its own while all of them together take no more than this."""


@dataclass(frozen=True, slots=True)
class AllLaunch(ReducingLaunch):
    """ALL."""

    threads: int = 512
    alone_chunks: int = 1024
    """So many chunks (of 16 bytes where they are loaded) go to one block, which needs no ticket."""


@dataclass(frozen=True, slots=True)
class RowLaunch(ReducingLaunch):
    """ROW."""

    blocks_per_sm: int = 16
    split_rows_per_sm: int = 4
    """Long rows, of which there are fewer than this times SM, are split over several blocks."""
    split_shares: int = 2
    """Long are those of at least so many times what the threads of a block have in flight."""
    split_blocks_per_sm: int = 8
    """The blocks of all split rows together, at most, divided by SM."""
    block_length: int = 2048
    """Rows at least this long get a block each."""
    scarce_length: int = 512
    """Rows longer than this get a block each when there are few of them."""
    scarce_rows_per_sm: int = 16
    """Few rows are fewer than this times SM."""
    warp_blocks_per_sm: int = 32
    """As `blocks_per_sm`, where a warp or a part of one has a row."""
    few_chunks: int = 8
    few_lanes: int = 4
    """Without short form, rows of at most `few_chunks` chunks are read by `few_lanes` lanes."""
    some_chunks: int = 32
    some_lanes: int = 16
    """The same for longer rows; beyond that a warp reads a row."""

    @property
    def ragged_length(self) -> int:
        """As long as a warp likes them."""
        return self.scarce_length


@dataclass(frozen=True, slots=True)
class ColumnLaunch(ReducingLaunch):
    """COLUMN."""

    blocks_per_sm: int = 4
    across: int = 32
    """Threads along the contiguous dimension, at most; the others of the block take rows."""
    rows_per_thread: int = 16
    """Rows are split over blocks only while each thread keeps at least this many, if no multiprocessor is idle."""
    alone_rows: int = 4
    """Rows are not split where each thread of one block that had all columns would have at most this many."""


@dataclass(frozen=True, slots=True)
class IndirectLaunch(ReducingLaunch):
    """INDIRECT."""

    threads: int = 512
    bytes_in_flight: int = 96
    copies_bytes: int = 16384
    """By atomics: a block has several private copies of the bins while all of them are no larger."""
    share_chunks: int = 2048
    """In order: a block with copies of the bins of its own has at least this many chunks of points."""
    whole_blocks_per_sm: int = 8
    """On the whole array: blocks that apply atomics to it, or write pairs for a sort, divided by SM."""
    sort_pairs: int = 16384
    """By a sort: pairs that a block of the sort has at least."""
    sort_blocks_per_sm: int = 2
    """By a sort: its blocks, at most, divided by SM; each has 8 KB of counts."""
    bucket_blocks_per_sm: int = 16
    """By a sort: blocks that find and combine the sorted buckets, at most, divided by SM."""


@dataclass(frozen=True, slots=True)
class ParallelLaunch(Launch):
    """PARALLEL."""

    blocks_per_sm: int = 32
    across: int = 32
    """Threads along the contiguous dimension, at most, but where there are too few rows for the others."""
    wide_blocks_per_sm: int = 8
    """Over several dimensions, in a launch with others: blocks along the contiguous one, at most, divided by SM."""
    rows: int = 4
    """Over several dimensions: rows of a thread, at most, which lie below each other."""
    full_blocks_per_sm: int = 8
    """A thread has several rows where at least so many blocks, divided by SM, are left."""


@dataclass(frozen=True, slots=True)
class StitchedLaunch(Launch):
    """STITCHED."""

    blocks_per_sm: int = 16
    chunk_bytes: int = 16
    """Adjacent bytes that a thread loads at least: a multiple of 16, the width of one load."""
    across: int = 32
    """Rows side by side in a block where those are the contiguous direction."""
    narrow_across: int = 8
    """The same where `across` of them would not fill the device."""
    row_elements: int = 8192
    """Elements of the longest row that a block holds, if `row_bytes` has room for what goes with them."""
    row_bytes: int = 98304
    """Bytes of elements that a block holds in its registers, at most."""
    warp_lanes: int = 16
    """Rows that so many lanes can hold are left to a warp; rows that a whole warp can hold, where there are
    `scarce_rows_per_sm` of them for each SM."""
    scarce_rows_per_sm: int = 16
    """Few rows are fewer than this times SM."""
    scarce_chunks: int = 2
    """Few rows are held only up to this many chunks for each thread."""
    grid_blocks_per_sm: int = 2
    """Over the whole grid: blocks that are resident together, divided by SM; it limits the registers."""
    cluster_blocks: int = 8
    """Blocks of a cluster that may have a row together, at most, in whose shared memory it stays; 1: none have."""


@dataclass(frozen=True, slots=True)
class ComposedLaunch(ReducingLaunch):
    """COMPOSED: what loads ahead is that of all stages."""

    blocks_per_sm: int = 16
    across: int = 32
    """Of stages in columns, as there."""
    row_points: int = 64
    """More rows than this launch has blocks must have so many points in some stage: below, the kernels one by one."""
    round_points: int = 4096
    """Rows that do not fill the device have a block each if that saves launches for each round of a loop, and no stage
    has more points of a row than this."""
    memory_points: int = 16384
    """No stage may have more points of a row than this where rounds of a loop meet in memory: a block would go through
    too much of it."""


@dataclass(frozen=True, slots=True)
class LoopLaunch(Launch):
    """LOOP: which form a loop on the host has follows from the points of its largest iteration.

    `threads` is a power of two; of one block, as many as there are points, if these are fewer.
    """

    threads: int = 512
    block_points: int = 512
    """One block does all iterations while none has more points than this."""
    grid_points_per_sm: int = 4096
    """All blocks that are resident do while none has more than this times SM; else each iteration has its launches."""


@dataclass(frozen=True, slots=True)
class TileLaunch(LaunchParameters):
    """What ROW and COLUMN have besides, where their points share what they read and are done in tiles."""

    tile_down: int = 0
    """Points of a thread down a tile, which has 16 x 16 threads: 16, 8, 4 or 2; 0: the entry point chooses."""
    tile_across: int = 0
    """The same across: 8, 4 or 2; 0: the entry point chooses."""
    tile_side: int = 16
    """Results that are narrower than this in one direction are not done in tiles."""
    tile_narrow: int = 4
    """The same where the other direction is not narrower than `tile_side`, and there are tiles with one short side."""
    tile_share: int = 256
    """Where tiles are few, several blocks share the reduced points of each: at least so many for each block."""
    tile_points: int = 2**24
    """With so many points, reduced ones counted, tiles read once for many rows what a composed or a
    stitched kernel would read for each."""


@dataclass(frozen=True, slots=True)
class HaloLaunch(LaunchParameters):
    """What PARALLEL has besides, where a block fetches what its points read into shared memory."""

    halo_across: int = 64
    """Points of a tile along the contiguous row: a power of two.  Where neither side is asked for, those are taken that
    move the fewest sectors for a point."""
    halo_down: int = 16
    """Points of a tile along the other row: a power of two."""
    halo_depth: int = 64
    """In three dimensions: planes that a block goes through, at most; fewer where there would be too few blocks."""
    halo_blocks_per_sm: int = 2
    """In three dimensions: blocks that are not too few, divided by SM."""
    halo_side: int = 16
    """Points that are fewer than this in one direction of a tile are not done in tiles."""


@dataclass(frozen=True, slots=True)
class TimeLaunch(LaunchParameters):
    """What LOOP has besides, where a block does several iterations of a tile of its own, without waiting for others."""

    time_steps: int = 8
    """Iterations of a launch, at most; below 2 there are no such tiles."""
    time_line: int = 2048
    """Elements of a tile of one dimension, at most."""
    time_across: int = 64
    """Elements of a tile along the contiguous dimension, at most, where there are several."""
    time_down: int = 32
    """The same along the one before."""
    time_planes: int = 16
    """The same along the outermost of three."""
    time_side: int = 32
    """Arrays of which fewer elements are written in one direction are not done in such tiles."""


LAUNCHES = (
    AllLaunch, RowLaunch, ColumnLaunch, IndirectLaunch, ParallelLaunch, StitchedLaunch, ComposedLaunch, LoopLaunch,
)  # fmt: skip
_ALL_LAUNCHES = (*LAUNCHES, TileLaunch, HaloLaunch, TimeLaunch)
PARAMETER_NAMES = tuple(dict.fromkeys(field.name for launch in _ALL_LAUNCHES for field in fields(launch)))


# Threads along each side of a tile of points that share what they read.
TILE_THREADS = 16


@dataclass(frozen=True, slots=True)
class TileChoice:
    """Tiles that the user asks for: `points` of those of a kernel, down and across; planes first, if there are any."""

    kernel: str
    points: tuple[int, ...]

    @property
    def parameters(self) -> dict[str, int]:
        """The launch parameters of any kind of tiles that say so."""
        down, across = self.points[-2:]
        of_thread = {"tile_down": down // TILE_THREADS, "tile_across": across // TILE_THREADS}
        planes = {"halo_depth": self.points[0], "time_planes": self.points[0]} if len(self.points) > 2 else {}
        return {
            **of_thread, "halo_down": down, "halo_across": across, "time_down": down,
            "time_across": across, **planes,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tuning:
    """What a search found: for kernels by name the parameters that differ from the start values."""

    kernels: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()

    def of(self, kernel: str) -> dict[str, int]:
        """The changed parameters of a kernel."""
        return dict(next((changed for name, changed in self.kernels if name == kernel), ()))

    def with_tiles(self, choices: Sequence[TileChoice]) -> Tuning:
        """The same with the tiles that the user asks for, which go before those that were found."""
        return self.with_values({choice.kernel: choice.parameters for choice in choices})

    def with_values(self, asked: Mapping[str, Mapping[str, int]]) -> Tuning:
        """The same with other values of some parameters of kernels, by their names."""
        others = tuple(each for each in self.kernels if each[0] not in asked)
        changed = {name: self.of(name) | dict(values) for name, values in asked.items()}
        return Tuning((*others, *((name, tuple(values.items())) for name, values in changed.items())))


PRIVATE_BYTES = 256 * 2**20


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """Options of one compilation, as `cli.py` reads them; the bytes written depend on nothing else."""

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    std: str = "c99"
    associative_math: bool = False  # floating additions and multiplications of plain code may be reordered
    target: Target = DEFAULT
    tuning: Tuning = field(default_factory=Tuning)
    tuning_file: str = ""  # where it was read from
    tiles: tuple[TileChoice, ...] = ()  # of kernels by name; docs/mapping.md
    sizes: tuple[tuple[str, int], ...] = ()  # values of parameters that weigh where none are known; docs/mapping.md
    private_bytes: int = PRIVATE_BYTES  # that arrays of iterations may take together; docs/mapping.md
    schedule: SourceFile | None = None  # schedules that the user gives for regions (schedule/text.py)
    system_dirs: tuple[str, ...] = ()  # -isystem: no warnings about what stands there
    quote_dirs: tuple[str, ...] = ()  # -iquote: for `#include "…"` only
    after_dirs: tuple[str, ...] = ()  # -idirafter: behind the headers of C
    includes: tuple[str, ...] = ()  # -include: files read before the source
    warnings: WarningPolicy = field(default_factory=WarningPolicy)
    autodetect: bool = False
    on_unsupported: OnUnsupported = "error"
    left_to_host: tuple[str, ...] = ()  # functions that `on_unsupported` has left there
    whiles_on_host: tuple[str, ...] = ()  # functions whose loops that data end `autodetect` leaves there
    determinism: Determinism = "run"  # docs/mapping.md says what each promises
    sums: Sums = "plain"  # how floating values are summed; docs/mapping.md
    allow_tf32: bool = False  # factors of float products may be rounded to 11 bits; docs/mapping.md
    fuse: Fuse = "model"  # docs/fusion.md
    shifted_sums: ShiftedSums = "joined"  # docs/fusion.md
    runtime: Runtime = "inline"  # whether a file has the runtime in itself, or includes it
