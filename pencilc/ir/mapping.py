"""What runs where: kernels (ir/shapes.py), the host control around them, where values live.  Stage: gpu."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Sequence as Seq
from dataclasses import field, replace
from typing import Generic, TypeAlias, TypeVar

import islpy as isl

from pencilc.ir.schedule import Row, ScheduledScop, Tree, statements_of
from pencilc.ir.scop import Reduction, Scop
from pencilc.ir.shapes import BoxDimension, ComposedKernel, Kernel, LoopKernel, StitchedKernel
from pencilc.ir.source import Expr, Index, Symbol
from pencilc.ir.storage import InBlock, Storage, Uniform, Workspace
from pencilc.ir.time_tiles import TimeTiling
from pencilc.options import Sums
from pencilc.records import dataclass
from pencilc.target import Target

# Why a region runs in one thread although nothing went wrong.
NOTHING_PARALLEL = "nothing in the region is parallel"
TOO_LONG = "the dependences take too long to find"


Fallback = TypeVar("Fallback", covariant=True)


@dataclass(frozen=True, slots=True, eq=False)
class HostLoop:
    """A sequential loop on the host around `items`; `iterator` is its name in kernels.

    Around stages of a composed kernel it is a loop of the block that has a row.
    `kernel` does all of its iterations in one launch, where the entry point sees that their points are not many; else
    `reason` says why there is none, where that was asked.  `tiling`: launches of it that do several iterations each,
    where it sees that these are not few; else `not_tiled` says why there are none, where there is a kernel.
    """

    iterator: str
    row: Row
    items: tuple[HostItem, ...]
    kernel: LoopKernel | None = None
    reason: str = ""
    tiling: TimeTiling | None = None
    not_tiled: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class RowStage:
    """One sweep over the elements of a row, and what is done once a row behind it.

    `kernel` is the kernel that does the same on its own; it is None, and so is `body`, where there are no elements.
    """

    body: Tree | None
    reductions: tuple[str, ...]
    post: tuple[str, ...]
    kernel: Kernel | None = None

    @property
    def statements(self) -> tuple[str, ...]:
        """Every statement, in order."""
        return (*statements_of(self.body), *self.post)


@dataclass(frozen=True, slots=True, eq=False)
class RegisterPromotion:
    """A value that a stitched kernel keeps in registers: one for each element of a row, or one for the row.

    `accesses` are the occurrences that mean it, with their statements.  `loaded`: the stage before which it comes
    from memory; `stored`: the stage behind which it goes there; -1: never.  `first` and `last` stage use it.
    `computed`: it is no variable but a call, made by the statement of the first access.  `address`: the number of the
    access that tells where in memory it is; where that is loaded, its statement is there for every row.
    """

    symbol: str
    of_row: bool
    accesses: tuple[tuple[str, Expr], ...]
    size: int
    loaded: int
    stored: int
    first: int
    last: int
    computed: bool = False
    address: int = 0

    @property
    def has_row(self) -> bool:
        """Whether all chunks of a thread are in registers at once: several stages use them, or they are loaded for the
        first stage, all of whose loads are issued before one is used."""
        return not self.of_row and (self.first < self.last or self.loaded == 0)


@dataclass(frozen=True, slots=True)
class SharedRegion:
    """A piece of shared memory: `size` bytes for each element of the row, used by one of its `promoted` at a time."""

    size: int
    promoted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LongRows:
    """A row in the shared memory of a block of `threads`; `in_flight` chunks are loaded before the first is kept.

    `across`: so many neighbouring rows, where those are the contiguous direction.  `ahead`: for each stage the chunks
    of what it uses alone that are loaded before the first is worked on.  `clusters`: blocks that may have a row
    together, at most, each of which keeps a part of it; 1 where only one may.
    """

    threads: int
    in_flight: int
    regions: tuple[SharedRegion, ...]
    across: int
    ahead: tuple[int, ...]
    clusters: int = 1

    @property
    def size(self) -> int:
        """Bytes of shared memory for an element of the row."""
        return sum(region.size for region in self.regions)


@dataclass(frozen=True, slots=True, eq=False)
class Variant(Generic[Fallback]):
    """What does the work of a fused kernel where `condition` holds, which the entry point sees from the sizes.

    Some of the `kernels`, those called `joined`, do in one sweep over the elements what those called `instead_of` would
    do in several (gpu/variants).
    """

    condition: str
    kernels: tuple[Fallback, ...]
    joined: tuple[str, ...] = ()
    instead_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Stitched:
    """Kernels over the same kept points as one, where a row fits into the registers or the shared memory of a block.

    `kernel` holds the rows, boxes and statements of all stages together; `stages` is the order of the work.
    A thread owns chunks of `width` elements, up to `items[-1]` of them.  `by_one_thread`: row-level statements that
    one thread of a row runs, because they write to memory.  The entry point takes `fallback` where a row is too long.
    `on_chip`: variables that live in registers only.  `scattered`: elements are no runs in memory and are loaded one
    by one; `across`: neighbouring threads have neighbouring rows, because those are the contiguous direction.
    `long_rows`: how rows that are too long for registers are kept, None where they are not.  `storage`: where variables
    live inside.  `wide`: how many chunks a thread owns where rows are few and a block of `MAX_THREADS` has each; empty
    where a thread of so many has no registers for one.
    """

    kernel: StitchedKernel
    stages: tuple[RowStage, ...]
    promoted: tuple[RegisterPromotion, ...]
    width: int
    items: tuple[int, ...]
    by_one_thread: tuple[str, ...]
    fallback: Variant[Kernel]
    on_chip: tuple[str, ...]
    scattered: bool
    across: bool
    storage: tuple[Storage, ...]
    long_rows: LongRows | None = None
    wide: tuple[int, ...] = ()

    @property
    def shared_by_rows(self) -> int:
        """How many chunks a thread owns where a warp has several of many short rows; 0 where none does.

        The form with most chunks that the largest block has registers for keeps all of them for longer rows.
        """
        return self.wide[0] if self.wide else 0


@dataclass(frozen=True, slots=True, eq=False)
class SharedPromotion:
    """A variable in the shared memory of a composed kernel, which holds what one row has of it.

    `storage` tells what the row leaves to be told apart: it is `InBlock`.  Variables of one `region` take turns.
    `first` and `last` stage use it; `copied`: the read that tells which elements come from memory before the first
    stage, None where the stages make all of them.  Of what stages in loops change in place, `fetched` comes from memory
    before the first stage, and `left_behind` goes there behind the last one.
    """

    storage: Storage
    region: int
    first: int
    last: int
    copied: Copied | None = None
    fetched: RowPart | None = None
    left_behind: RowPart | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Copied:
    """Elements of a row that come from memory: those of `index` in `statement`, for the values of `iterator` in `box`.

    There are some for the parameters in `inhabited`, the iterators of the rows among them.
    """

    statement: str
    index: Index
    iterator: str
    box: BoxDimension
    inhabited: isl.Set


@dataclass(frozen=True, slots=True, eq=False)
class RowPart:
    """Elements that a row has of an array: those of `element` for the values of `iterators`, its last subscripts, in
    `box`; in `statement` the others tell the row.  `points` { [a] }: those that there are; None: all of the box.

    There are some for the parameters in `inhabited`, the iterators of the rows among them.
    """

    statement: str
    element: Index
    iterators: tuple[Symbol, ...]
    box: tuple[BoxDimension, ...]
    points: isl.Set | None
    inhabited: isl.Set


@dataclass(frozen=True, slots=True, eq=False)
class Composed:
    """Kernels below the same rows as one: a block has a row, and its stages meet in shared memory.

    `kernel` holds the rows and the statements of all stages.  `items` are the kernels of one row, and sequential loops
    around some of them: to a stage the rows are loops on the host, with `iterators` as their names.  `on_chip`:
    variables that live in shared memory only.  `stored`: the statements that write what they make to memory as well,
    (statement, variable).  The entry point takes `fallback` where the rows do not fill the device, or a row takes more
    memory than a block may have.  `static`: bytes of shared memory that the stages declare, about.  `storage`: where
    variables live inside.  `widest`: for each stage in a loop, by its name, the box around its points of all rounds;
    `in_memory`: what a round of such a loop leaves for another one is in memory.
    """

    kernel: ComposedKernel
    iterators: tuple[str, ...]
    items: tuple[Kernel | HostLoop, ...]
    shared: tuple[SharedPromotion, ...]
    on_chip: tuple[str, ...]
    stored: tuple[tuple[str, str], ...]
    static: int
    fallback: Variant[Kernel | Stitched | HostLoop]
    storage: tuple[Storage, ...]
    widest: Mapping[str, tuple[BoxDimension, ...]] = field(default_factory=dict)
    in_memory: bool = False

    @property
    def stages(self) -> tuple[Kernel, ...]:
        """The stages in order, whatever loops are around them."""
        return kernels_of(self.items)

    @property
    def has_loops(self) -> bool:
        """Whether some of its stages are done in rounds."""
        return any(isinstance(item, HostLoop) for item in self.items)

    def with_loops_behind(self, changed: Callable[[HostLoop], HostLoop]) -> Composed:
        """The same with other loops on the host among what it falls back to."""
        behind = tuple(changed(item) if isinstance(item, HostLoop) else item for item in self.fallback.kernels)
        return replace(self, fallback=replace(self.fallback, kernels=behind))


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """Kernels that do not depend on each other as one launch, each with blocks of its own.

    `overflow`: those of them, with the blocks that they have on their own, that get none where their bins turn out to
    be too many for a block of all; they are launched behind.
    """

    name: str
    kernels: tuple[Kernel, ...]
    overflow: tuple[Kernel, ...] = ()


# What is launched as one kernel where its sizes allow.
Launched: TypeAlias = Kernel | Stitched | Composed | Packed
HostItem: TypeAlias = HostLoop | Launched


def name_of(item: Launched) -> str:
    """The name of the kernel that does the work of an item."""
    return item.name if isinstance(item, Kernel | Packed) else item.kernel.name


@dataclass(frozen=True, slots=True, eq=False)
class TouchedRange:
    """Elements from `first` to `last`, one function of the parameters for each subscript, where there are any: for the
    parameters in `inhabited`.
    """

    first: tuple[isl.PwAff, ...]
    last: tuple[isl.PwAff, ...]
    inhabited: isl.Set


@dataclass(frozen=True, slots=True, eq=False)
class Transfer:
    """The part of an array parameter that a call touches.

    The host entry copies the hull of `ranges`, None among them being the whole array, in the directions `copy_in` and
    `copy_out`.  What is killed behind all that is written to it is not copied out.  `cleared`: of what comes back some
    was killed and perhaps not written again, and is zero then.
    """

    array: str
    ranges: tuple[TouchedRange | None, ...]
    copy_in: bool
    copy_out: bool
    is_written: bool
    cleared: bool = False


@dataclass(frozen=True, slots=True)
class Fusion:
    """A fusion that was looked at: of which kernels, in which way, what the model says of it, whether it was taken.

    `saved_*` are the estimate at nominal sizes; `reason` says why it was not taken, or cannot be.
    """

    kernels: tuple[str, ...]
    way: str  # "stitched", "composed", "packed", or "joined" into the kernels that `reason` names
    taken: bool
    saved_launches: int = 0
    saved_bytes: int = 0
    saved_seconds: float = 0.0
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class MappedProgram:
    """A region on the GPU: host control, storage of every array, copies; `sequential` says why it is one thread.

    `scop` is the model of what the kernels do: that of the region, and the sums of sweeps that were joined.  `storage`
    tells where variables live in all kernels but those that have tables of their own: the fused ones, and by their
    names in `own_storage` those of joined sweeps.
    """

    scheduled: ScheduledScop
    scop: Scop
    target: Target
    items: tuple[HostItem, ...]
    storage: tuple[Storage, ...]
    transfers: tuple[Transfer, ...]
    sequential: str = ""
    sums: Sums = "plain"
    pinned: bool = False  # whether nvcc may not contract `a * b + c`, because the bits must be the same everywhere
    fusions: tuple[Fusion, ...] = ()  # what was fused, what was not, and the estimate that decided
    own_storage: Mapping[str, tuple[Storage, ...]] = field(default_factory=dict)
    _storage: dict[str, Storage] = field(init=False, repr=False)  # by array, the first of each

    def __post_init__(self) -> None:
        object.__setattr__(self, "_storage", {s.array: s for s in reversed(self.storage)})

    def kernels(self) -> tuple[Kernel, ...]:
        """All kernels in launch order; of fused rows those that stand for them where a row is too long."""
        return kernels_of(self.items)

    def tunable(self) -> tuple[Kernel, ...]:
        """Every kernel that has launch parameters of its own, a fused one before those that stand for it."""
        found: list[Kernel] = list(self.loop_kernels())
        for item in _single_items(self.items):
            match item:
                case Kernel():
                    found.append(item)
                case Stitched():
                    found += (item.kernel, *item.fallback.kernels)
                case Composed():
                    found.append(item.kernel)
                case Packed():
                    found += item.kernels
        return tuple(found)

    def stitched(self) -> tuple[Stitched, ...]:
        """The stitched kernels in launch order."""
        return tuple(item for item in _single_items(self.items) if isinstance(item, Stitched))

    def composed(self) -> tuple[Composed, ...]:
        """The composed kernels in launch order."""
        return tuple(item for item in _single_items(self.items) if isinstance(item, Composed))

    def packed(self) -> tuple[Packed, ...]:
        """The packed kernels in launch order."""
        return tuple(item for item in _single_items(self.items) if isinstance(item, Packed))

    def loops(self) -> dict[str, HostLoop]:
        """The loops on the host that have a kernel, by its name, in launch order."""
        return {loop.kernel.name: loop for loop in loops_of(self.items) if loop.kernel is not None}

    def loop_kernels(self) -> tuple[LoopKernel, ...]:
        """The kernels of these loops."""
        return tuple(loop.kernel for loop in loops_of(self.items) if loop.kernel is not None)

    def host_rows(self, kernel: Kernel) -> tuple[Row, ...]:
        """The rows of the host loops around `kernel`, outermost first; it may be that of a loop itself."""
        return _rows_around(self.items, kernel) or ()

    def launched(self) -> tuple[HostItem, ...]:
        """The items without questions that are never asked."""
        return _asked(self.scop, self.items)

    def in_place(self) -> tuple[Reduction, ...]:
        """The reductions that begin with their initialisation and accumulate where they are, without a merge node."""
        names = {name for kernel in self.kernels() for name in kernel.in_place}
        return tuple(self.scop.reductions_of(names))

    def workspace(self) -> tuple[Storage, ...]:
        """The variables that live in device memory of the call, for some of the kernels at least."""
        found: dict[str, Storage] = {}
        fused: list[Stitched | Composed] = [*self.stitched(), *self.composed()]
        for table in (*map(self._touched_by, self.kernels()), *(item.storage for item in fused)):
            for storage in table:
                memory = storage.residence.memory if isinstance(storage.residence, InBlock) else storage.residence
                if isinstance(memory, Workspace):
                    found.setdefault(storage.array, Storage(storage.array, memory))
        # Fused kernels know it by their rounds, too.
        answers = (self.scop.array(a.array) for s in self.scop.statements if s.never_leaves for a in s.accesses)
        unasked = {array.symbol.name for array in answers}
        return tuple(found[s.array] for s in self.storage if s.array in found.keys() - unasked)

    def _touched_by(self, kernel: Kernel) -> tuple[Storage, ...]:
        """The storage of the variables that a kernel launched by itself touches."""
        if kernel.body is None:
            return self.storage  # all of the region in one thread
        accesses = self.scop.accesses((*kernel.statements, *kernel.behind(self.scop)))
        touched = {self.scop.array(access.array).symbol.name for access in accesses}
        return tuple(storage for storage in self.storage_in(kernel) if storage.array in touched)

    def storage_in(self, kernel: Kernel) -> tuple[Storage, ...]:
        """Where variables live in a kernel that is launched by itself."""
        return self.own_storage.get(kernel.name, self.storage)

    @property
    def uniform(self) -> tuple[str, ...]:
        """The statements that kernels repeat instead of waiting for a result, in text order."""
        return tuple(s.residence.statement for s in self.storage if isinstance(s.residence, Uniform))

    def storage_of(self, array: str) -> Storage:
        """The storage of `array`; raises KeyError."""
        return self._storage[array]


def _asked(scop: Scop, items: Iterable[HostItem]) -> tuple[HostItem, ...]:
    found: list[HostItem] = []
    for item in items:
        if not is_never_asked(scop, item):
            found.append(replace(item, items=_asked(scop, item.items)) if isinstance(item, HostLoop) else item)
    return tuple(found)


def is_never_asked(scop: Scop, item: HostItem) -> bool:
    """Whether a kernel would find out whether a loop ends that goes on until its counter says so: it has a place in the
    round, which keeps what is in front of it there, and no launch.
    """
    if not isinstance(item, Kernel) or not item.statements:
        return False
    return all(scop.statement(name).never_leaves for name in item.statements)


def kernels_of(items: Iterable[HostItem]) -> tuple[Kernel, ...]:
    """The kernels of `items` in launch order; those of the fallback for kernels that were made of several."""
    found: list[Kernel] = []
    for item in items:
        match item:
            case Kernel():
                found.append(item)
            case Stitched() | Composed():
                found += kernels_of(item.fallback.kernels)
            case Packed():
                found += item.kernels
            case HostLoop():
                found += kernels_of(item.items)
    return tuple(found)


def with_loops_changed(items: Iterable[HostItem], changed: Callable[[HostLoop], HostLoop]) -> tuple[HostItem, ...]:
    """The items of a level with other loops on the host, those that stand for a composed kernel among them."""
    found: list[HostItem] = []
    for item in items:
        match item:
            case HostLoop():
                found.append(changed(item))
            case Composed():
                found.append(item.with_loops_behind(changed))
            case _:
                found.append(item)
    return tuple(found)


def loops_of(items: Iterable[HostItem]) -> Iterator[HostLoop]:
    """All loops on the host, each before those inside of it."""
    for item in items:
        if isinstance(item, HostLoop):
            yield item
            yield from loops_of(item.items)
        elif isinstance(item, Composed):
            yield from loops_of(item.fallback.kernels)


def leaves(items: Iterable[HostItem]) -> Iterator[Kernel | Packed | Stitched | Composed]:
    """All items but loops, in launch order."""
    for item in items:
        if isinstance(item, HostLoop):
            yield from leaves(item.items)
        else:
            yield item


def _single_items(items: tuple[HostItem, ...]) -> tuple[HostItem, ...]:
    """All items but loops; those that stand for a composed kernel behind it."""
    found: list[HostItem] = []
    for item in leaves(items):
        found.append(item)
        found += leaves(item.fallback.kernels) if isinstance(item, Composed) else ()
    return tuple(found)


def _rows_around(items: Seq[HostItem], kernel: Kernel) -> tuple[Row, ...] | None:
    for item in items:
        if isinstance(item, Kernel) and item.name == kernel.name:
            return ()
        if isinstance(item, Stitched) and kernel.name in (
            item.kernel.name,
            *(k.name for k in item.fallback.kernels),
        ):
            return ()
        if isinstance(item, Packed) and any(k.name == kernel.name for k in item.kernels):
            return ()
        if isinstance(item, Composed):
            loops = _rows_around(item.items, kernel)
            if loops is not None:
                return (*loops, *item.kernel.kept)
            behind = () if item.kernel.name == kernel.name else _rows_around(item.fallback.kernels, kernel)
            if behind is not None:
                return behind
        if isinstance(item, HostLoop) and item.kernel is not None and item.kernel.name == kernel.name:
            return ()
        inner = _rows_around(item.items, kernel) if isinstance(item, HostLoop) else None
        if isinstance(item, HostLoop) and inner is not None:
            return (item.row, *inner)
    return None
