"""Nodes of values that go where the data choose: bins, and how they get there.  Stage: codegen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import BuildingBlock, Node, Parameter
from pencilc.ir.segments import LoadVector
from pencilc.ir.source import Assign, CType, Expr


@dataclass(frozen=True, slots=True)
class BinSet:
    """The bins of one reduction of an INDIRECT kernel: `count` of them for a kept point, `at` is bin `@bin`.

    `home` adds `@total` to it, if anything does; `type` is that of partial results.

    `atomic` applies the operator atomically: a function of CUDA on the type `word`, or `swap`, a loop; it is empty
    where values are put in order.  `filled` lists the (offset, size) of the bytes of the type that are no padding.
    For a sort: `is_indexed` where the places of values are sorted and not they themselves, a bucket is 1 << `shift`
    bins with a copy for each of `warps` warps, and at most `pairs` are sorted at once.
    """

    name: str
    stem: str
    type: CType
    size: int
    operator: str
    init_function: str
    identity: Expr | None
    count: Expr
    constant: int | None
    at: Expr
    home: Assign | None
    atomic: str
    word: str
    filled: tuple[tuple[int, int], ...]
    is_indexed: bool
    warps: int
    shift: int
    pairs: int


@dataclass(frozen=True, slots=True)
class BinUpdate:
    """One update of an element where values are put in order: the name of its function and the bins it updates."""

    name: str
    bins: BinSet


@dataclass(frozen=True, slots=True)
class PutInBin(BuildingBlock):
    """A value goes to number `bin` of the bins called `to`, or of those that the update of that name is for."""

    node: ClassVar[str] = "put_in_bin"

    to: str
    bin: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Runs:
    """Points in rows whose length is data: `count` runs, of which `starts` tells where the points of each begin.

    `inner` points lie in each place of a run (None: one).  `points` is what the host takes for the number of all
    points; `starts` is the name of the array on the host.
    """

    count: Expr
    inner: Expr | None
    points: Expr
    starts: str


@dataclass(frozen=True, slots=True)
class Scatter:
    """What the functions of an INDIRECT kernel are made of.

    The points of each of `rows` kept ones are `outers` runs of `inner` contiguous ones, where None is one row, or one
    run; chunks of `width` points are dealt out.
    `kept` recovers the kept iterators from `@row`; `address` those that the loads need and `recover` those that the
    element needs, both from the number of the run, `@outer`, and the place in it, `@x`.  Where rows have lengths that
    are data, `runs` says what takes the place of `outers` and `inner`.
    """

    bins: tuple[BinSet, ...]
    sites: tuple[BinUpdate, ...]
    rows: Expr | None
    outers: Expr | None
    inner: Expr | None
    kept: tuple[Node, ...]
    address: tuple[Node, ...]
    recover: tuple[Node, ...]
    parameters: tuple[Parameter, ...]
    uses_outer: bool
    uses_point: bool
    loads: tuple[LoadVector, ...]
    width: int
    in_flight: int
    fixed_tree: bool
    runs: Runs | None = None

    @property
    def in_chunks(self) -> bool:
        """Whether a thread loads several neighbouring elements at once."""
        return self.width > 1

    @property
    def has_flights(self) -> bool:
        """Whether several chunks are on their way before the first is used."""
        return self.in_flight > 1


@dataclass(frozen=True, slots=True)
class Scattered(BuildingBlock):
    """Points whose values go to bins that the data choose, `body` for each, below what `prologue` computes.

    How they get there, a class for each way tells.
    """

    node: ClassVar[str] = ""
    goes_home: ClassVar[bool] = False  # whether a total is stored to the bin where it is

    scatter: Scatter
    at: Geometry
    prologue: tuple[Node, ...]
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class BinsInCopies(Scattered):
    """By atomics, into copies of the bins in shared memory, which are brought home by atomics too."""

    node: ClassVar[str] = "bins_in_copies"


@dataclass(frozen=True, slots=True)
class BinsInMemory(Scattered):
    """By atomics, into the bins where they are."""

    node: ClassVar[str] = "bins_in_memory"


@dataclass(frozen=True, slots=True)
class BinsInOrder(Scattered):
    """In order, into a copy of the bins for each warp, which a block combines and leaves to a kernel behind it."""

    node: ClassVar[str] = "bins_in_order"
    goes_home: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class FinishedBins(Scattered):
    """What blocks have left for each bin, in the order of the blocks; `groups` of threads share the blocks."""

    node: ClassVar[str] = "finished_bins"
    goes_home: ClassVar[bool] = True

    groups: int

    @property
    def shares_blocks(self) -> bool:
        """Whether several threads have what blocks have left for a bin."""
        return self.groups > 1


@dataclass(frozen=True, slots=True)
class PairsOfBins(Scattered):
    """Pairs of value and bin, to be sorted: those of one reduction, whose updates are the `sites`."""

    node: ClassVar[str] = "pairs"


@dataclass(frozen=True, slots=True)
class BucketsOfBins(Scattered):
    """Sorted pairs, a block for each bucket of neighbouring bins."""

    node: ClassVar[str] = "buckets"
    goes_home: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class RunLengths(BuildingBlock):
    """How many points each of `runs` rows has whose lengths are data, `@count`."""

    node: ClassVar[str] = "lengths"

    runs: Expr
    body: tuple[Node, ...]
