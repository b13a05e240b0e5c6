"""What each shape has of its own in how it is launched, beside its parameters (options.py): one record for each shape.

A shape that has nothing of its own is launched as `Policy` says.  None of the figures was measured.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.ir.shapes import AllKernel, ColumnKernel, IndirectKernel, Kernel, RowKernel
from pencilc.options import ReducingLaunch
from pencilc.target import WARP

# Above so many bytes of accumulators a block of an ALL kernel has fewer threads, for they take many registers.
HEAVY_BYTES, HEAVY_THREADS = 32, 256
# The warps of a block that puts values in order have a copy of the bins each.
ORDERED_THREADS = 256
# Larger accumulators (bytes) are handed on through shared memory instead of word by word by shuffles.
LARGEST_SHUFFLED = 64
# What a search may change although the bits must stay the same: how many threads do the work, not what they do.
GEOMETRY = frozenset(("threads", "blocks_per_sm", "split_blocks_per_sm", "warp_blocks_per_sm", "wide_blocks_per_sm"))
# Under a fixed tree the points of an ALL kernel go to so many warps, those of a row to so many, and no more bytes of
# what these leave are kept in shared memory; a COLUMN kernel has so many blocks before rows are shared by less.
ALL_WORKERS, ROW_WORKERS, ROW_BYTES, COLUMN_BLOCKS = 8192, 1024, 16384, 1024


class Policy:
    """What is the same for all shapes."""

    fills_device = False
    """Whether the grid is what is resident on the device, so that the size of its blocks decides how much that is."""
    least_registers = 64
    """Registers are not limited to fewer than these."""

    def start(self, kernel: Kernel, launch: ReducingLaunch, accumulators: int) -> ReducingLaunch:
        """The start values of a kernel, from those of its shape; `accumulators`: bytes of one set."""
        return launch

    def tunable(self, kernel: Kernel) -> frozenset[str]:
        """The parameters that a search may change although the bits are those of a fixed tree."""
        return GEOMETRY

    def workers(self, size: int) -> int:
        """Of a fixed tree: the warps or blocks that points go to; `size`: bytes that each leaves.  0: it knows none."""
        return 0

    def shared_bytes(self, kernel: Kernel, sizes: Seq[int], threads: int, width: int) -> int:
        """Bytes of shared memory in which a block combines accumulators of the given `sizes`, for chunks of `width`."""
        # Half of each warp leaves large values for the other half; a warp leaves all of its values for the first one.
        large = threads // 2 * sum(size for size in sizes if size > LARGEST_SHUFFLED)
        if kernel.fixed_tree:
            return large + WARP * sum(sizes) + self.worker_bytes(sizes)
        return large + threads // WARP * sum(sizes)

    def worker_bytes(self, sizes: Seq[int]) -> int:
        """Of a fixed tree: bytes of shared memory for what the workers leave."""
        return 0


class _All(Policy):
    fills_device = True

    def start(self, kernel: Kernel, launch: ReducingLaunch, accumulators: int) -> ReducingLaunch:
        """Fewer threads where their accumulators are many."""
        return replace(launch, threads=HEAVY_THREADS) if accumulators > HEAVY_BYTES else launch

    def workers(self, size: int) -> int:
        """The warps of the whole grid."""
        return ALL_WORKERS


class _Row(Policy):
    least_registers = 48

    def start(self, kernel: Kernel, launch: ReducingLaunch, accumulators: int) -> ReducingLaunch:
        """A block is idle while it combines what its threads have of a row: so much more is in flight in the others."""
        return replace(launch, sm_bytes_in_flight=launch.sm_bytes_in_flight * 5 // 4)

    def workers(self, size: int) -> int:
        """The warps of one row, fewer where what they leave is large."""
        return max(1, min(ROW_WORKERS, ROW_BYTES // size))

    def worker_bytes(self, sizes: Seq[int]) -> int:
        """What the warps of a row leave."""
        return max(ROW_BYTES, sum(sizes))


class _Column(Policy):
    def workers(self, size: int) -> int:
        """The blocks of the grid."""
        return COLUMN_BLOCKS

    def shared_bytes(self, kernel: Kernel, sizes: Seq[int], threads: int, width: int) -> int:
        """Every thread leaves what it has of its columns."""
        return threads * width * sum(sizes)


class _Indirect(Policy):
    def start(self, kernel: Kernel, launch: ReducingLaunch, accumulators: int) -> ReducingLaunch:
        """Fewer threads where each warp has a copy of the bins."""
        return replace(launch, threads=ORDERED_THREADS) if kernel.puts_in_order else launch

    def tunable(self, kernel: Kernel) -> frozenset[str]:
        """Nothing where each warp has a copy of the bins: how many there are tells what meets what."""
        return frozenset() if kernel.puts_in_order else GEOMETRY


_POLICIES: dict[type[Kernel], Policy] = {
    AllKernel: _All(), RowKernel: _Row(), ColumnKernel: _Column(), IndirectKernel: _Indirect(),
}  # fmt: skip
_COMMON = Policy()


def policy_of(kernel: Kernel) -> Policy:
    """What the shape of a kernel has of its own."""
    return _POLICIES.get(type(kernel), _COMMON)
