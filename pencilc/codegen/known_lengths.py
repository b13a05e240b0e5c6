"""What is never launched because of how long rows may be: their sizes are constants, or assumptions bound them.

    row of 64 elements: registers of a warp hold them     ->     one form, none for a block, none for rows left over

    rows of 100 to 200 floats of their own                ->     a warp for each; no form for lanes, none for blocks

The entry point decides by sizes (launch_fused.py, `stitched`, and launch_reductions.py, `rows`); here the same is asked
for all sizes that a region may have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from pencilc.ir.launches import StitchedForms
from pencilc.ir.mapping import MappedProgram, Stitched, is_never_asked
from pencilc.ir.shapes import BoxDimension, ReducingKernel
from pencilc.options import RowLaunch
from pencilc.records import dataclass
from pencilc.target import WARP


@dataclass(frozen=True, slots=True)
class Lengths:
    """How many elements a row has: at least `least`, at most `most`; None where nothing limits them."""

    least: int
    most: int | None

    def reach(self, length: int) -> bool:
        """Whether a row may be so long, or longer."""
        return self.most is None or self.most >= length

    def chunks(self, width: int) -> Lengths:
        """How many chunks of so many elements a row has."""
        return Lengths(-(-self.least // width), None if self.most is None else -(-self.most // width))

    def forms(self, sizes: Sequence[int], share: int) -> tuple[int, ...]:
        """Those of the increasing `sizes` that are the first to hold some row, a size being `share` elements."""
        found: list[int] = []
        below = 0
        for size in sizes:
            if size * share >= self.least and self.reach(below + 1):
                found.append(size)
            below = size * share
        return tuple(found)


def lengths(box: Sequence[BoxDimension] | None, context: isl.Set) -> Lengths:
    """The lengths of rows with these bounds, whatever the parameters are within the context."""
    if box is None:
        return Lengths(0, None)
    least, most = 1, 1
    for side in box:
        width = side.upper.sub(side.lower).intersect_params(context)
        low, high = width.min_val(), width.max_val()
        if not high.is_int():
            return Lengths(0, None)
        least *= max(0, int(low.to_python()) + 1) if low.is_int() else 0
        most *= max(0, int(high.to_python()) + 1)
    return Lengths(least, max(most, 1))  # an empty row is taken for one of an element


# ---- stitched rows -----------------------------------------------------------------------------------


def as_launched(program: MappedProgram) -> dict[str, Stitched]:
    """The stitched kernels by name, without the form for long rows where there are none."""
    return {
        stitched.kernel.name: replace(stitched, long_rows=None)
        if holds_all_rows(stitched, program.scop.context)
        else stitched
        for stitched in program.stitched()
    }


def idle_kernels(program: MappedProgram) -> frozenset[str]:
    """The kernels that would do rows which a stitched kernel leaves, where it leaves none; and those that would ask
    whether a loop ends that no data end.
    """
    held = (s for s in program.stitched() if holds_all_rows(s, program.scop.context))
    asking = (kernel.name for kernel in program.kernels() if is_never_asked(program.scop, kernel))
    return frozenset((*(kernel.name for stitched in held for kernel in stitched.fallback.kernels), *asking))


def holds_all_rows(stitched: Stitched, context: isl.Set) -> bool:
    """Whether every row fits into the registers of a block, also where there are few of them."""
    fused = stitched.kernel
    if stitched.across or not fused.kept:
        return False
    share = fused.block * stitched.width
    held = min(share * stitched.items[-1], share * fused.launch.scarce_chunks)
    return not lengths(fused.reduced_box, context).reach(held + 1)


def stitched_forms(stitched: Stitched, context: isl.Set) -> StitchedForms:
    """The forms of a stitched kernel, by the rule that the launch goes by."""
    fused, width, most = stitched.kernel, stitched.width, stitched.items[-1]
    rows = lengths(fused.reduced_box, context)
    # Rows up to the first length are left to a warp, those beyond the second to a block.
    always, never = fused.launch.warp_lanes * width * most, WARP * width * most
    of_warps = () if rows.least > never else rows.forms(stitched.items, WARP * width)
    longer = replace(rows, least=max(rows.least, always + 1))
    of_blocks = longer.forms(stitched.items, fused.block * width) if rows.reach(always + 1) else ()
    shared = stitched.shared_by_rows if of_warps and rows.least <= WARP * width * stitched.shared_by_rows else 0
    if shared:
        of_warps = tuple(sorted({*of_warps, shared}))
    return StitchedForms(of_warps, of_blocks, shared)


# ---- rows of their own -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RowForms:
    """The forms of a ROW kernel that are launched: blocks, or less than one for each row.

    `short`: whether rows have a chunk for each lane of a warp at most, `warps`: whether they have more than that.
    """

    blocks: bool
    narrow: bool
    short: bool
    warps: bool


def row_forms(kernel: ReducingKernel, launch: RowLaunch, rows: Lengths) -> RowForms:
    """The forms for rows of these lengths, by the rule that the launch goes by."""
    loads = kernel.loads
    chunks = rows.chunks(loads.width)
    shared = launch.split_shares * kernel.block * loads.in_flight
    # The rules for few rows are none of a fixed tree's.
    is_split = chunks.reach(shared if kernel.workers else min(shared, kernel.block + 1))
    longest = launch.block_length - 1 if kernel.workers else min(launch.block_length - 1, launch.scarce_length)
    return RowForms(
        blocks=is_split or rows.reach(longest + 1), narrow=rows.least < launch.block_length,
        short=chunks.least <= WARP, warps=chunks.reach(WARP + 1),
    )  # fmt: skip
