"""What the passes of the mapping hand to each other: each record holds the one before it and what a pass has added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from pencilc.analysis.box import Domains
from pencilc.gpu.shapes.indirect import IndirectShaper
from pencilc.gpu.variants.sweeps import JoinedSweep
from pencilc.ir.mapping import Fusion, HostItem
from pencilc.ir.schedule import ScheduledScop
from pencilc.ir.scop import Scop
from pencilc.ir.shapes import Kernel
from pencilc.ir.storage import Storage
from pencilc.options import CompileOptions, Determinism, Fuse, ShiftedSums, Sums, Tuning
from pencilc.parts.part import Items
from pencilc.records import dataclass
from pencilc.target import Target


@dataclass(frozen=True, slots=True)
class MappingSettings:
    """What the mapping is asked for: `fuse` tells which kernels are fused, `sums` how floating values are summed,
    `shifted_sums` whether kernels that stand for fused ones have fewer sweeps, `allow_tf32` whether tensor cores may
    round factors of floats.
    """

    target: Target
    tuning: Tuning
    determinism: Determinism = "run"
    fuse: Fuse = "model"
    sums: Sums = "plain"
    shifted_sums: ShiftedSums = "joined"
    allow_tf32: bool = False

    @staticmethod
    def of(options: CompileOptions) -> MappingSettings:
        """What the options come to."""
        fuse = options.fuse
        # Who asks for no fusion wants a kernel for each sweep of the source.
        shifted_sums: ShiftedSums = options.shifted_sums if fuse != "none" else "as-written"
        if options.determinism == "fixed-tree" or options.sums != "plain":
            # Whether a row is stitched depends on the number of multiprocessors, and stitched sums are plain.
            fuse = "none"
        if options.sums != "plain":
            # A shifted sum is scaled as often as its shift changes: what rounding takes from it then, nothing carries.
            shifted_sums = "as-written"
        tuning = options.tuning.with_tiles(options.tiles)
        return MappingSettings(
            options.target, tuning, options.determinism, fuse, options.sums, shifted_sums, options.allow_tf32
        )

    @property
    def fixed_tree(self) -> bool:
        """Whether the bits must be the same on every device."""
        return self.determinism == "fixed-tree"


@dataclass(frozen=True, slots=True, eq=False)
class ScheduledRegion:
    """A scheduled region before it is mapped; `domains`: those of the statements within the context.

    `in_threads`: reductions over several parts that have no shape for one of them, with the reason: each of their
    points is a thread's, which accumulates where the result is.
    """

    scheduled: ScheduledScop
    settings: MappingSettings
    domains: Domains
    in_threads: Mapping[str, str] = field(default_factory=dict)

    @property
    def scop(self) -> Scop:
        """The model."""
        return self.scheduled.scop


@dataclass(frozen=True, slots=True, eq=False)
class Parted:
    """The region as parts and sequential loops around them.

    `uniform`: {symbol: statement} for scalars that every kernel computes for itself; `in_place`: the reductions that
    accumulate where they are.
    """

    region: ScheduledRegion
    items: Items
    uniform: Mapping[str, str]
    in_place: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """The parts, and what could do the work of some of them in fewer sweeps over the elements."""

    parted: Parted
    sweeps: tuple[JoinedSweep, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Alternative:
    """Kernels for parts in fewer sweeps: `instead` has for the number of a kernel the one that stands for it, or None
    where another does its work.

    `scop` is the model of the region with the sums of this alternative, `domains` are those of its statements.
    """

    sweep: JoinedSweep
    scop: Scop
    domains: Domains
    instead: Mapping[int, Kernel | None]

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """The kernels that do the work."""
        return tuple(kernel for kernel in self.instead.values() if kernel is not None)


@dataclass(frozen=True, slots=True, eq=False)
class Shaped:
    """A kernel for each part, and those of the alternatives.  `shaper` gives parts their shapes: fusion asks it for
    those of stages.
    """

    joined: Joined
    items: tuple[HostItem, ...]
    shaper: IndirectShaper
    alternatives: tuple[Alternative, ...]

    @property
    def region(self) -> ScheduledRegion:
        """The region."""
        return self.joined.parted.region


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Where variables live while the kernels run one by one; of each alternative, where they do in its kernels."""

    shaped: Shaped
    storage: tuple[Storage, ...]
    of_alternatives: tuple[tuple[Storage, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Fused:
    """The items with some fused, and the fusions that were looked at."""

    placed: Placed
    items: tuple[HostItem, ...]
    fusions: tuple[Fusion, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The items with fewer sweeps where an alternative is taken, and their model.

    `own_storage`: where variables live in the kernels of alternatives, by the name of the kernel.
    """

    fused: Fused
    scop: Scop
    items: tuple[HostItem, ...]
    own_storage: Mapping[str, tuple[Storage, ...]]
    fusions: tuple[Fusion, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Looped:
    """The items with a kernel for each loop on the host whose iterations may share a launch."""

    chosen: Chosen
    items: tuple[HostItem, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Timed:
    """The items with the tiles of loops on the host of which a launch does several iterations."""

    looped: Looped
    items: tuple[HostItem, ...]
