"""Sizes of tiles: how many points a thread has, and how much of what they share is on the chip at once.

None of the figures was measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from pencilc.ir.shapes import TileSize, Tiling
from pencilc.ir.source import FLOAT, HALF, SMALL_FLOATS
from pencilc.options import TILE_THREADS
from pencilc.target import SECTOR

# A tile has 16 x 16 threads, each with so many points down and across, the most first; those of two sides that differ
# by more are for results of which one side is short.
SIDE = TILE_THREADS
THREADS = SIDE * SIDE
SHAPES = ((16, 8), (8, 8), (4, 4), (2, 8), (8, 2), (2, 2))
# Points of a thread in the shape with most of them on both sides, and on the longer side of narrow ones.
SQUARE, LONG_SIDE = 64, 8
# Blocks that a multiprocessor has at once, so that one computes while another one waits, and those of threads with few
# bytes of accumulators, which take no more registers than this many have.  A block with the most bytes of accumulators
# has it alone, and all of its registers.
TILES_RESIDENT, SMALL_RESIDENT = 2, 3
# Of a fixed tree: where tiles are few, so many blocks share their points, whatever the device.
FIXED_TILES = 256
# Bytes of the accumulators of a thread at most, where so many blocks share the registers, and where more do; of those
# of one point; of what a block has in shared memory.
POINTS_BYTES, SMALL_BYTES, POINT_BYTES, SHARED_BYTES = 256, 64, 64, 44 * 1024
# Bytes that a thread has for all of its rows, where tiles are folded, and for one of them; with 8 x 8 points of a
# thread there is no register left for them, and they are in shared memory.
ROWS_BYTES, ROW_BYTES = 128, 64
# Each operand is fetched for at least so many reduced points at once, and for a whole sector of its memory (bytes).
LEAST_DEPTH, CHUNK, WORD = 8, 16, 4
# The use of what is fetched is unrolled for so many reduced points: of more nvcc takes longer to compile the small
# tiles than the large ones.  Where elements take registers of their own (`Tiling.is_light`), for fewer: what nvcc
# hoists out of more of them would not fit.  A comparison of floating values and the choice that follows are an
# instruction each: all of the most points would be 50 KB, and nvcc spills what it has begun.
UNROLLED, HEAVY_UNROLLED, COMPARING_UNROLLED = 8, 4, 2
# Tensor cores: points of a fragment in each direction, and the points down of a thread of their tiles;
# eight warps, two down and four across, have a part of the tile each.  So many bytes of each operand's line are on the
# chip for each stage: one is computed with while the others are on their way.  On an H200 two were too few (0.33 of
# cuBLAS); where some bytes are left free, three do not fit what a block has without asking for more.
TENSOR_WARPS_DOWN, TENSOR_WARPS_ACROSS = 2, 4
FRAGMENT, TENSOR_SIDES, TENSOR_LINE, STAGES, LEAST_STAGES = 16, (8, 4), 64, 3, 2
# The first devices (`__CUDA_ARCH__`) whose tensor cores take all of the types that tiles have, and copies in the
# background; older ones do such tiles by ordinary instructions.
TENSOR_ARCH = 800


def with_tiles(
    tiling: Tiling, accumulators: int, changes: Mapping[str, int], rows: int = 0, fixed_tree: bool = False
) -> Tiling | None:
    """The tiling with the sizes that fit, for accumulators of so many bytes a point; None where none does.

    `changes`: launch parameters that a search has found.  `rows`: bytes of what the points of a row are folded into, 0
    where they are not.  `fixed_tree`: what is folded into what follows from the sizes of the problem alone.
    """
    if accumulators > POINT_BYTES or rows > ROW_BYTES:
        return None
    launch = tiling.launch.changed(changes)
    on_tensor_cores = tiling.on_tensor_cores and launch.tile_down in (0, *TENSOR_SIDES)
    made = replace(
        tiling, bytes_of_point=accumulators, bytes_of_row=rows, launch=launch, on_tensor_cores=on_tensor_cores
    )
    found = tuple(_sizes(made, accumulators))
    if fixed_tree and tiling.folds:
        found = found[:1]  # Which points are folded by one thread depends on the size.
    return replace(made, sizes=found) if found else None


def _sizes(tiling: Tiling, accumulators: int) -> Iterator[TileSize]:
    elements = [each.index.type.size for each in tiling.operands]
    widest = max(each.width for each in tiling.operands)
    for down, across in SHAPES:
        if not _is_asked_for(tiling, down, across) or not _may_have(tiling, down, across, accumulators):
            continue
        points, bytes_ = down * across, down * across * max(accumulators, WORD)
        # Small tiles have fewer elements for each point, so that they are fetched for more points at once.
        depth = max(LEAST_DEPTH, SECTOR // min(elements), widest) * (1 if points >= SQUARE else 2)
        blocks = _resident(tiling, bytes_)
        while depth > max(LEAST_DEPTH // 2, widest):
            if tile_bytes_of(tiling, TileSize(down, across, depth, blocks)) <= SHARED_BYTES:
                break
            depth //= 2
        size = TileSize(down, across, depth, blocks)
        if tile_bytes_of(tiling, size) <= SHARED_BYTES:
            yield size


def _is_asked_for(tiling: Tiling, down: int, across: int) -> bool:
    return tiling.launch.tile_down in (0, down) and tiling.launch.tile_across in (0, across)


def _may_have(tiling: Tiling, down: int, across: int, accumulators: int) -> bool:
    """Whether there are registers for so many points of a thread, by what else it has there."""
    points = down * across
    # Fewer points than a square's do not have a multiprocessor to themselves.
    room = POINTS_BYTES * (TILES_RESIDENT if points >= SQUARE else 1)
    if points * max(accumulators, WORD) > room:
        return False
    # Only where the places of what is fetched are kept there are registers for more points than that; a division of
    # one of them would take the last ones.
    if points > SQUARE and (tiling.on_tensor_cores or not tiling.is_stepwise or tiling.working):
        return False
    if points != SQUARE and down * tiling.bytes_of_row > ROWS_BYTES:
        return False
    if tiling.on_tensor_cores:
        # Warps share a tile, which none of them has too little of.
        return down == across and down in TENSOR_SIDES
    # With that many points there is no register left for more than operands; and where elements take longer than what
    # is loaded for them, narrow tiles are no faster than small ones.
    return tiling.is_light or (points < SQUARE and LONG_SIDE not in (down, across))


def _resident(tiling: Tiling, bytes_: int) -> int:
    """How many blocks a multiprocessor has at once whose threads have so many bytes of accumulators each."""
    if bytes_ > POINTS_BYTES:
        return 1
    # What points have of their own beside these, or ask for, takes the registers of a third block.
    is_box = tiling.points is None and not tiling.carried
    is_simple = tiling.is_stepwise and not tiling.working and not tiling.compares and not tiling.on_tensor_cores
    words = all(each.index.type.size <= WORD for each in tiling.operands)
    return SMALL_RESIDENT if bytes_ <= SMALL_BYTES and words and is_simple and is_box else TILES_RESIDENT


def unrolled(tiling: Tiling) -> int:
    """For how many reduced points the loop over what is fetched is unrolled; 0: for all."""
    if not tiling.is_light:
        return HEAVY_UNROLLED
    if tiling.compares:
        return COMPARING_UNROLLED
    return UNROLLED if max(size.depth for size in tiling.sizes) > UNROLLED else 0


def by_rows(tiling: Tiling) -> int:
    """The points down of threads that go through theirs row by row; 0: all go up and down columns.

    Row by row nvcc finds better registers for multiplications, and wants one more for what an element computes first.
    """
    return most_down_alone(tiling) if tiling.adds_products else 0


def points_of(size: TileSize) -> tuple[int, int]:
    """The points of a tile, down and across."""
    return SIDE * size.down, SIDE * size.across


def least_side(tiling: Tiling) -> int:
    """Results have at least so many points in each direction to go in tiles, and `tile_side` in one of them."""
    launch = tiling.launch
    has_narrow = any(size.points < SQUARE and LONG_SIDE in (size.down, size.across) for size in tiling.sizes)
    return min(launch.tile_narrow, launch.tile_side) if has_narrow and not tiling.folds else launch.tile_side


def most_down_alone(tiling: Tiling) -> int:
    """The points down of a thread, at most, where its block has a multiprocessor alone; 0 where there is no such."""
    return max((size.down for size in tiling.sizes if size.resident == 1), default=0)


def operand_bytes(operands: Iterable[tuple[int, bool, bool]], size: TileSize) -> int:
    """Bytes of shared memory that a block has for the operands of a tile.

    Twice each of them, by the size of an element, whether it goes down, and whether it lies along the reduced points:
    one set is filled while the other is used.
    """
    return 2 * sum(element * pitch(element, down, deep, size) * size.depth for element, down, deep in operands)


def keeps_rows_on_chip(points: int) -> bool:
    """Whether threads with so many points have what the rows of these are folded into in shared memory."""
    return points == SQUARE


def bytes_of_rows(row: int, points: int) -> int:
    """Bytes of shared memory for each row of tiles that are folded into `row` bytes: its result, and each thread's.

    Each of an even number of words, unless these are two or four, has one more (`pencilc_result` of the runtime).
    """
    free = WORD if row % (2 * WORD) == 0 and CHUNK % row != 0 else 0
    return (row + free) * (1 + SIDE * keeps_rows_on_chip(points))


def tile_bytes_of(tiling: Tiling, size: TileSize) -> int:
    """Bytes of shared memory that a block has for a tile: its operands, and what comes of it."""
    if tiling.folds:
        results = SIDE * size.down * bytes_of_rows(tiling.bytes_of_row, size.points)
    else:
        results = SIDE * SIDE * size.across * tiling.bytes_of_point
    operands = [(each.index.type.size, each.down, each.along == "depth") for each in tiling.operands]
    return operand_bytes(operands, size) + results


def tensor_depth(tiling: Tiling) -> int:
    """How many reduced points of both operands are on the chip at once for tensor cores."""
    return TENSOR_LINE // tiling.operands[0].index.type.size


def tensor_stages(tiling: Tiling) -> int:
    """How many times that depth has place on the chip."""
    return _stages(tiling.operands[0].index.type.size)


def _stages(element: int) -> int:
    return STAGES if element == HALF.size else LEAST_STAGES


def tensor_step(tiling: Tiling) -> int:
    """How many reduced points a fragment of an operand has: of floats half, which take twice the registers."""
    return FRAGMENT // 2 if tiling.operands[0].index.type == FLOAT else FRAGMENT


def tensor_unrolled(tiling: Tiling) -> int:
    """How many fragments' depths are unrolled: as many as registers allow, with two blocks of a multiprocessor.

    Fragments of floats are loaded as they are; for bytes nvcc 13 turns around what does not lie along the reduced
    points, which takes registers (sm_80 and sm_90).
    """
    if tiling.operands[0].index.type in (*SMALL_FLOATS, FLOAT):
        return tensor_depth(tiling) // tensor_step(tiling)
    return 2 if all(each.along == "depth" for each in tiling.operands) else 1


def tensor_bytes(tiling: Tiling, size: TileSize) -> int:
    """Bytes of shared memory that a block has for a tile of tensor cores (`pencilc_tensor_tile` of the runtime).

    The stages of both operands, or the results of two rows of fragments.
    """
    deep = [each.along == "depth" for each in tiling.operands]
    element = tiling.operands[0].index.type.size
    return fragment_bytes(deep, element, tiling.bytes_of_point, tensor_depth(tiling), size.down)


def fragment_bytes(deep: Iterable[bool], element: int, point: int, depth: int, items: int) -> int:
    """The same for operands of `element` bytes that lie along the reduced points, or not, and points of `point`."""
    operands, side, stages = 0, SIDE * items, _stages(element)
    for is_deep in deep:
        lines, length = (side, depth) if is_deep else (depth, side)
        free = 0
        if element == 1:
            free = length // FRAGMENT * 2 * FRAGMENT
        elif element == FLOAT.size:
            free = lines * (CHUNK if is_deep else 2 * CHUNK)
        operands += stages * (side * depth * element + free)
    return max(operands, 2 * FRAGMENT * (side + CHUNK // 2) * point)


def pitch(element: int, down: bool, deep: bool, size: TileSize) -> int:
    """Elements, of so many bytes, from one depth of an operand's tile to the next.

    What lies along the reduced points (`deep`) is stored across the depths, and these would share their banks: some
    elements are left free.
    """
    return SIDE * (size.down if down else size.across) + (max(CHUNK // element, 4) if deep else 0)


def group(tiling: Tiling, down: bool) -> int:
    """How many neighbouring points a thread has on a side: as many as each operand there has in 16 bytes."""
    sizes = [each.index.type.size for each in tiling.operands if each.down is down]
    fitting = [CHUNK // size for size in sizes if CHUNK % size == 0]
    return min(fitting, default=1)
