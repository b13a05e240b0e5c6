"""What a model expects of the tiles of points that share what they read: what a block takes, and what limits it.

Of a tile of r x c points an operand is fetched for r of them, or for c.  So for each reduced point r * c elements are
computed from r times the bytes of one element of each operand that goes down, and c times those across: their quotient
is the arithmetic intensity, in elements for a byte of memory.  The share of the peak is the smaller of two: how many of
the instructions are arithmetic, and how much of the arithmetic the bandwidth of memory feeds if no block finds in the
second-level cache what another one has fetched.  So the share of small tiles is a lower bound.  Nothing of it was
measured.

On tensor cores the products that these add take the place of instructions: the share is what memory feeds, or what
shared memory does, from which each warp loads what its fragments have side by side.

Where points are no box, or do not all have the same reduced ones, tiles differ from each other, and both numbers are
those of all tiles together (`uneven.py`): elements that the source has, for each byte that all blocks fetch, and for
each instruction of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator

from pencilc.gpu.report.uneven import NO_POINTS, Uneven, UnevenPoints, UnevenTiles, is_uneven, not_counted
from pencilc.gpu.shapes.tile_costs import accumulates, floats_for, operations_of
from pencilc.gpu.shapes.tiles import (
    CHUNK,
    TENSOR_WARPS_ACROSS,
    TENSOR_WARPS_DOWN,
    THREADS,
    points_of,
    tensor_bytes,
    tensor_depth,
    tensor_stages,
    tile_bytes_of,
)
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.shapes import Kernel, TileSize, Tiling
from pencilc.ir.source import (
    FLOAT,
)
from pencilc.records import dataclass
from pencilc.target import REGISTERS, THREAD_REGISTERS, Instruction, Target

# Sets of operands that ordinary tiles have in shared memory: one is filled while the other is used.
SETS = 2


@dataclass(frozen=True, slots=True)
class TileModel:
    """What is expected of one size of tile.

    `down` and `across`: points in each direction; `depth`: reduced points that are on the chip in each of `stages`.
    `registers`: of a thread, at most, by what the launch allows; `resident`: blocks of a multiprocessor that shared
    memory, threads and these registers leave room for.  `intensity`: elements computed for each byte fetched.  `share`
    of the target's peak for its type, from 0 to 1 (of structs of 32-bit members, that for floats); None where no peak
    is known, and `limit` says why.
    `uneven`: what all tiles together have to do, where they are not alike; these numbers are then of all of them.
    """

    down: int
    across: int
    depth: int
    stages: int
    threads: int
    registers: int
    shared_bytes: int
    resident: int
    intensity: float
    share: float | None
    limit: str
    uneven: UnevenTiles | None = None


@dataclass(frozen=True, slots=True)
class Contraction:
    """A kernel whose points share what they read; `operations`: arithmetic operations of an element and its update.

    `uneven`: what is counted where points are no box, or have reduced points of their own; `not_counted`: why that is
    not known, and its tiles are told as if all were whole.
    """

    kernel: str
    operations: int
    on_tensor_cores: bool
    sizes: tuple[TileModel, ...]
    uneven: Uneven | None = None
    not_counted: str = ""


def contractions(program: MappedProgram) -> Iterator[Contraction]:
    """Those of a region, in launch order."""
    for kernel in program.kernels():
        if kernel.tiling is not None:
            yield _contraction(program, kernel, kernel.tiling)


def _contraction(program: MappedProgram, kernel: Kernel, shared: Tiling) -> Contraction:
    scop, target = program.scop, program.target
    operations, fused = operations_of(scop, kernel, shared)
    # Products are not contracted under a fixed tree.
    instructions = operations if program.pinned else max(1, operations - fused)
    has_plain_sums = program.sums == "plain" or bool(shared.carried)
    kind = accumulates(scop, kernel, shared)
    slower = None if kind is None else floats_for(kind, target.arithmetic)
    # Older devices, for which a file has ordinary tiles too, have none of the copies that these need.
    on_tensor_cores = shared.on_tensor_cores and target.has(Instruction.ASYNC_COPY)
    why, uneven = "", None
    if is_uneven(shared):
        why = not_counted(scop, kernel, shared)
        uneven = None if why else UnevenPoints(scop, kernel, shared)
    summary = None if uneven is None else uneven.summary()
    if summary is not None and not summary.elements:
        why, uneven, summary = NO_POINTS, None, None
    sizes = []
    for size in shared.sizes:
        work = _work(shared, size, uneven, summary)
        registers = min(REGISTERS // (THREADS * size.resident), THREAD_REGISTERS)
        share: float | None = None
        limit = "no peak is known for what is reduced"
        if on_tensor_cores:
            share, limit = tensor_share(shared, size, work, target)
            depth, stages, on_chip = tensor_depth(shared), tensor_stages(shared), tensor_bytes(shared, size)
        else:
            depth, stages, on_chip = size.depth, SETS, tile_bytes_of(shared, size)
            if slower is not None and not has_plain_sums:
                limit = f"what --sum={program.sums} adds is not in the model"
            elif slower is not None:
                share, limit = _share(shared, size, work, instructions, target, slower)
        blocks = target.resident(THREADS, registers, on_chip)
        down, across = points_of(size)
        sizes.append(
            TileModel(
                down, across, depth, stages, THREADS, registers, on_chip, blocks, work.intensity, share, limit,
                work.uneven,
            )
        )  # fmt: skip
    return Contraction(kernel.name, operations, on_tensor_cores, tuple(sizes), summary, why)


@dataclass(frozen=True, slots=True)
class WorkOfTiles:
    """Elements for each byte that is fetched; of the elements that blocks go through, the share that the source has,
    and the share that is asked for one by one, which takes so many `conditions` each.
    """

    intensity: float
    used: float = 1.0
    asked: float = 0.0
    conditions: float = 0.0
    uneven: UnevenTiles | None = None


def _work(shared: Tiling, size: TileSize, uneven: UnevenPoints | None, summary: Uneven | None) -> WorkOfTiles:
    """What tiles of this size have to do for the elements of the source."""
    if uneven is None or summary is None:
        return WorkOfTiles(_intensity(shared, size))
    found = uneven.of(size)
    intensity, used = summary.elements / found.fetched, min(1.0, summary.elements / found.places)
    return WorkOfTiles(intensity, used, found.asked / found.places, uneven.conditions(size), found)


def _intensity(shared: Tiling, size: TileSize) -> float:
    """Elements that are computed for each byte of operands that a block fetches."""
    down, across = points_of(size)
    return down * across / sum((down if each.down else across) * each.index.type.size for each in shared.operands)


def _share(
    shared: Tiling, size: TileSize, work: WorkOfTiles, instructions: int, target: Target, slower: int
) -> tuple[float, str]:  # fmt: skip
    """The share of the peak, and what keeps it from being more; `slower`: how many of floats an instruction takes.

    What else there is to issue goes on while one that is slower is on its way.
    """
    points = size.points
    computing = instructions * points
    # A thread reads its operands 16 bytes at a time where so many lie side by side.
    own = ((size.down if each.down else size.across, each.index.type.size) for each in shared.operands)
    loads = sum(max(1, items * element // CHUNK) for items, element in own)
    asking = work.asked * work.conditions * points
    issued = work.used * slower * computing / max(slower * computing, computing + loads + asking)
    fed = work.intensity * instructions * target.bandwidth * slower / target.arithmetic.floats
    if fed < issued:
        return fed, "the bandwidth of memory, if nothing is in the second-level cache"
    if issued == 1:
        return issued, "the instructions of its type"
    in_vain = (1 - work.used) * computing
    if max(in_vain, asking) > loads:
        return issued, "elements that the source has not" if in_vain >= asking else "conditions of single elements"
    return issued, "instructions that load operands from shared memory"


def tensor_share(shared: Tiling, size: TileSize, work: WorkOfTiles, target: Target) -> tuple[float, str]:
    """The share of the peak of tensor cores, and what keeps it from being more."""
    operand, peak = shared.operands[0].index.type, target.arithmetic
    products = peak.bytes if operand.size == 1 else peak.halves / (2 if operand == FLOAT else 1)
    fed = work.intensity * target.bandwidth / products
    # For each reduced point a warp loads its rows and its columns of the tile, which two warps share down, four across.
    down, across = points_of(size)
    rows, columns = down // TENSOR_WARPS_DOWN, across // TENSOR_WARPS_ACROSS
    loaded = rows * columns / ((rows + columns) * operand.size) * peak.shared_bandwidth / products
    share = min(work.used, fed, loaded)
    if share == fed:
        return share, "the bandwidth of memory, if nothing is in the second-level cache"
    if share == loaded:
        return share, "the bandwidth of shared memory, from which warps load fragments"
    return share, "elements that the source has not" if share < 1 else "the products of tensor cores"
