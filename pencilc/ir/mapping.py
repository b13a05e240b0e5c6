"""What runs where: kernels with their shapes, the host control around them, where values live.

Stage: gpu.  A `Kernel` is a part of the schedule tree with the roles that its rows play:

    host      rows of sequential loops on the host around the launch
    kept      P rows: one result (or one independent iteration) for each point
    reduced   R rows: points that are combined
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

import islpy as isl

from pencilc.ir.schedule import Row, ScheduledScop, Tree
from pencilc.ir.scop import Reduction
from pencilc.ir.source import Index
from pencilc.options import LaunchParameters, Sums


class Shape(Enum):
    """How the points of a kernel are laid on the threads (templates.md names the cases)."""

    ALL = "all"  # no kept row: every thread reduces, the last block finishes
    ROW = "row"  # the reduced dimension is contiguous: lanes, a block or several blocks for each kept point
    COLUMN = "column"  # the kept dimension is contiguous: threads own columns and walk down the rows
    INDIRECT = "indirect"  # bins chosen by data: private copies of the bins, atomics, or a sort by bin
    PARALLEL = "parallel"  # kept rows only: one thread for each point, what is below runs in the thread
    SINGLE = "single"  # nothing is parallel: one thread


@dataclass(frozen=True, slots=True, eq=False)
class BoxDimension:
    """The range `lower <= t <= upper` of one row, both functions of the parameters (host iterators included)."""

    lower: isl.PwAff
    upper: isl.PwAff


@dataclass(frozen=True, slots=True)
class VectorAccess:
    """A read whose element moves by one when the vector row does: it is loaded 16 bytes at a time."""

    statement: str
    index: Index


@dataclass(frozen=True, slots=True)
class Bins:
    """The bins of one reduction of an INDIRECT kernel (gpu/indirect.py says how they are chosen).

    `fixed`: how many leading subscripts, the iterators of a local's scope included, one kept point determines; the
    rest tells the bins of that point apart.  `count`: the bins of a kept point, None where that is known at run time
    only.  `atomic`: the function of CUDA that applies the operator, `swap` where a compare-and-swap loop does, empty
    where values are put in order; `word`: the C type that the atomic works on.
    """

    reduction: str
    fixed: int
    count: int | None
    atomic: str
    word: str


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """One launch.

    `prologue` statements run in every thread before the elements, `body` for every (kept, reduced) point,
    `post` (merge nodes and what follows them) once for each kept point.  `kept_box` and `reduced_box` are
    None where the rows do not span a box.  `collapsed`: the reduced rows are walked as one index.
    `width` elements make a chunk, `in_flight` chunks are loaded before the first is used, `sets`
    accumulators are kept by a thread.  `launch` holds the figures that the entry point decides with.
    """

    name: str
    shape: Shape
    host: tuple[str, ...]
    kept: tuple[Row, ...]
    reduced: tuple[Row, ...]
    prologue: tuple[str, ...]
    body: Tree | None
    post: tuple[str, ...]
    index: str  # C type of flat indices: `int` where the bounds prove it wide enough, else `long long`
    domain: isl.Set  # { [h] }: the values of the host rows for which the kernel has something to do
    reductions: tuple[str, ...] = ()
    kept_box: tuple[BoxDimension, ...] | None = None
    reduced_box: tuple[BoxDimension, ...] | None = None
    collapsed: bool = False
    vectors: tuple[VectorAccess, ...] = ()
    block: int = 1  # threads
    width: int = 1
    in_flight: int = 1
    sets: int = 1
    begun: tuple[
        str, ...
    ] = ()  # reductions of this kernel that an earlier one has begun: its result is the start value
    unfinished: tuple[str, ...] = ()  # reductions of this kernel that a later one continues
    bins: tuple[Bins, ...] = ()  # of an INDIRECT kernel; its boxes are hulls, which the domain may not fill
    forms: tuple[str, ...] = ()  # of an INDIRECT kernel: what the entry point chooses from, see gpu/bins.py
    fixed_tree: bool = False  # whether how the points are dealt out follows from the sizes alone
    workers: int = 0  # of a fixed tree: the points of a result go to at most so many warps (COLUMN: blocks in all)
    reason: str = ""
    launch: LaunchParameters = field(default_factory=LaunchParameters)

    @property
    def is_flat(self) -> bool:
        """Whether the reduced points are walked as one index, each kept point having the same number of them."""
        return self.reduced_box is not None and (self.collapsed or len(self.reduced) == 1)


@dataclass(frozen=True, slots=True, eq=False)
class HostLoop:
    """A sequential loop on the host around `items`; `iterator` is its name in kernels."""

    iterator: str
    row: Row
    items: tuple[HostItem, ...]


HostItem: TypeAlias = HostLoop | Kernel


class Place(Enum):
    """Where a variable of the region lives on the device."""

    POINTER = "pointer"  # an array parameter
    VALUE = "value"  # a scalar parameter that is never written
    CONSTANT = "constant"  # a constant global
    UNIFORM = "uniform"  # a local computed from parameters alone: every kernel computes it for itself
    REGISTER = "register"  # a local of one thread in one part of one kernel
    WORKSPACE = "workspace"  # device memory of the call
    RESULT = "result"  # the return value


@dataclass(frozen=True, slots=True, eq=False)
class Storage:
    """Where `array` lives.  `expanded`: positions of its scope iterators that need a dimension of their own, with
    the largest value of each as a function of the parameters; the others are host loops.  `scope`: the part that a
    REGISTER belongs to, or the statement that computes a UNIFORM.
    """

    array: str
    place: Place
    expanded: tuple[tuple[str, isl.PwAff], ...] = ()
    scope: str = ""  # for REGISTER: "<kernel> <prologue|body|post>"; for UNIFORM: the statement


@dataclass(frozen=True, slots=True, eq=False)
class Transfer:
    """The part of an array parameter that a call touches.

    `touched`: the accessed element sets { A[a] }, one for each access; `copy_in` / `copy_out` tell in which
    directions the host entry copies their hull.
    """

    array: str
    touched: tuple[isl.Set, ...]
    copy_in: bool
    copy_out: bool


@dataclass(frozen=True, slots=True, eq=False)
class MappedProgram:
    """A region on the GPU: host control, storage of every array, copies; `sequential` says why it is one thread."""

    scheduled: ScheduledScop
    items: tuple[HostItem, ...]
    storage: tuple[Storage, ...]
    transfers: tuple[Transfer, ...]
    sequential: str = ""
    dead: tuple[str, ...] = ()  # statements that store what nobody reads; they are not generated
    sums: Sums = "plain"
    pinned: bool = False  # whether nvcc may not contract `a * b + c`, because the bits must be the same everywhere

    def kernels(self) -> tuple[Kernel, ...]:
        """All kernels in launch order."""
        return _kernels(self.items)

    def host_rows(self, kernel: Kernel) -> tuple[Row, ...]:
        """The rows of the host loops around `kernel`, outermost first."""
        return _rows_around(self.items, kernel) or ()

    def in_place(self) -> tuple[Reduction, ...]:
        """The reductions that begin with their initialisation and accumulate where they are, without a merge node."""
        names = {bins.reduction for kernel in self.kernels() for bins in kernel.bins}
        return tuple(r for r in self.scheduled.scop.reductions if r.name in names)

    @property
    def uniform(self) -> tuple[str, ...]:
        """The statements that kernels repeat instead of waiting for a result, in text order."""
        return tuple(s.scope for s in self.storage if s.place is Place.UNIFORM)

    def place(self, array: str) -> Storage:
        """The storage of `array`; raises KeyError."""
        for storage in self.storage:
            if storage.array == array:
                return storage
        raise KeyError(array)


def _kernels(items: tuple[HostItem, ...]) -> tuple[Kernel, ...]:
    return tuple(k for item in items for k in ((item,) if isinstance(item, Kernel) else _kernels(item.items)))


def _rows_around(items: tuple[HostItem, ...], kernel: Kernel) -> tuple[Row, ...] | None:
    for item in items:
        if isinstance(item, Kernel) and item.name == kernel.name:
            return ()
        inner = _rows_around(item.items, kernel) if isinstance(item, HostLoop) else None
        if isinstance(item, HostLoop) and inner is not None:
            return (item.row, *inner)
    return None
