"""Which forms of a ROW kernel are never launched where it stands for a stitched one.

    row of 8193 elements: registers of a block hold 8192     ->     a block for each row; no form for lanes or warps

The entry point takes the stitched kernel where a row fits (launch_fused.py, `stitched`), and a form of the ROW kernel
by the length of its rows (launch_reductions.py, `rows`).  Both are numbers once the launch parameters are known.
"""

from __future__ import annotations

from pencilc.codegen.frame import KernelFrame
from pencilc.ir.build import count_of
from pencilc.ir.mapping import Stitched
from pencilc.ir.shapes import ReducingKernel
from pencilc.options import RowLaunch
from pencilc.target import MAX_THREADS


def leaves_blocks_only(stitched: Stitched, kernel: ReducingKernel, launch: RowLaunch, frame: KernelFrame) -> bool:
    """Whether all rows that `stitched` leaves to `kernel`, which has the frame, are so long that blocks have them."""
    if stitched.across or not stitched.kernel.kept or not _have_the_same_rows(stitched, kernel, frame):
        return False
    fused = stitched.kernel
    chunks = fused.block * stitched.width
    # Longer rows are left; where there are fewer than multiprocessors, those longer than `scarce` are.
    held = chunks * stitched.items[-1]
    wide = MAX_THREADS * stitched.width * stitched.wide[-1] if stitched.wide else 0
    scarce = max(wide, chunks * fused.launch.scarce_chunks)
    # The rule for few rows is none of a fixed tree's.
    few = not kernel.workers and launch.scarce_rows_per_sm >= 1 and scarce >= launch.scarce_length
    return held + 1 >= launch.block_length and (few or scarce + 1 >= launch.block_length)


def _have_the_same_rows(stitched: Stitched, kernel: ReducingKernel, frame: KernelFrame) -> bool:
    """Whether both have as many rows, and these as many elements."""
    ours, theirs = (
        tuple(None if boxes is None else count_of([frame.trips(box) for box in boxes]) for boxes in both)
        for both in ((kernel.kept_box, kernel.reduced_box), (stitched.kernel.kept_box, stitched.kernel.reduced_box))
    )
    return None not in ours and ours == theirs
