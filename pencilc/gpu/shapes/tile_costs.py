"""What tiles of a size take: the model by which the entry point chooses among them, and what an element computes.

A multiprocessor computes the elements of a reduced point of a tile and reads what its threads use of the operands from
shared memory: what takes longer is the time of a point, in cycles, with half of the time in which the operands are
fetched, or all of this if it is more.  Its blocks wait for memory besides, once for each stage.  What other blocks
fetch too is taken to be found in the second-level cache.  The figures are those of products of floats on an H200
(`bench/NOTES.md`): of their times the model tells three quarters and more.
"""

from __future__ import annotations

from pencilc.gpu.shapes.tensor_cores import CONVERSIONS
from pencilc.gpu.shapes.tiles import (
    CHUNK,
    SIDE,
    TENSOR_WARPS_ACROSS,
    TENSOR_WARPS_DOWN,
    THREADS,
    points_of,
    tensor_depth,
    tensor_stages,
)
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import OperatorKind, Scop
from pencilc.ir.shapes import Kernel, TileCost, TileSize, Tiling
from pencilc.ir.source import (
    DOUBLE,
    FLOAT,
    Assign,
    Binary,
    Call,
    CType,
    Expr,
    Index,
    Node,
    ReductionUpdate,
    Scalar,
    Struct,
    Unary,
    children,
)
from pencilc.target import SHARED_A_CYCLE, WARP, Arithmetic, Instruction, Target

# Instructions of threads that a multiprocessor begins in a cycle, on every GPU.
ISSUED = 4 * WARP
# Bytes that a multiprocessor gets in a cycle from the second-level cache, while all others do; cycles that its blocks
# wait for a stage although others compute, a quarter of those that memory takes.
CACHED_A_CYCLE, WAIT = 24, 250
# Instructions of a thread for a stage, beside its use: a barrier and the end of a loop, and for each element fetched.
OF_STAGE, OF_ELEMENT = 10, 2.5


def costs_of(scop: Scop, kernel: Kernel, tiling: Tiling, target: Target, pinned: bool) -> tuple[TileCost, ...]:
    """What tiles of each size take, in their order; `pinned`: products are no one instruction with their addition."""
    operations, fused = operations_of(scop, kernel, tiling)
    instructions = operations if pinned else max(1, operations - fused)
    kind = accumulates(scop, kernel, tiling)
    slower = (None if kind is None else floats_for(kind, target.arithmetic)) or 1
    if tiling.on_tensor_cores and target.has(Instruction.ASYNC_COPY):
        return tuple(_on_tensor_cores(tiling, size, target) for size in tiling.sizes)
    return tuple(_in_registers(tiling, size, instructions, slower, target) for size in tiling.sizes)


def _in_registers(tiling: Tiling, size: TileSize, instructions: int, slower: int, target: Target) -> TileCost:
    computing = THREADS * instructions * size.points
    loads, wavefronts = 0, 0.0
    for each in tiling.operands:
        own, lanes = (size.down, 2) if each.down else (size.across, WARP // 2)
        bytes_ = own * each.index.type.size
        # A thread reads 16 bytes at a time; the lanes of a warp read so many different elements.
        found = max(1, bytes_ // CHUNK)
        loads += found
        wavefronts += max(found, lanes * bytes_ / SHARED_A_CYCLE)
    fetched = sum(points_of(size)[0 if each.down else 1] for each in tiling.operands) / THREADS
    others = THREADS * (loads + OF_STAGE / size.depth + OF_ELEMENT * fetched)
    cycles = max(
        computing * slower / target.arithmetic.at_once,
        (computing + others) / ISSUED,
        THREADS // WARP * wavefronts,
    )
    return TileCost(size, _with_fetches(tiling, size, cycles), WAIT / size.depth, _left(tiling, size))


def _on_tensor_cores(tiling: Tiling, size: TileSize, target: Target) -> TileCost:
    operand, peak = tiling.operands[0].index.type, target.arithmetic
    products = peak.bytes if operand.size == 1 else peak.halves / (2 if operand == FLOAT else 1)
    down, across = points_of(size)
    # For each reduced point a warp loads its rows and its columns of the tile.
    warps = TENSOR_WARPS_DOWN * TENSOR_WARPS_ACROSS
    loaded = warps * (down // TENSOR_WARPS_DOWN + across // TENSOR_WARPS_ACROSS) * operand.size
    cycles = max(
        down * across * peak.floats / (products * peak.at_once) if products else 0.0,
        loaded / SHARED_A_CYCLE,
    )
    ahead = tensor_depth(tiling) * (tensor_stages(tiling) - 1)
    return TileCost(size, _with_fetches(tiling, size, cycles), WAIT / ahead, _left(tiling, size))


def _with_fetches(tiling: Tiling, size: TileSize, cycles: float) -> float:
    """The time of a reduced point, which is computed in so many `cycles`, with that in which it is fetched."""
    down, across = points_of(size)
    fetched = sum((down if each.down else across) * each.index.type.size for each in tiling.operands) / CACHED_A_CYCLE
    return max(cycles + fetched / 2, fetched)


def _left(tiling: Tiling, size: TileSize) -> float:
    """Cycles in which a block reads what another one has left of the same tile."""
    rows = SIDE * size.down * tiling.bytes_of_row
    return (rows if tiling.folds else THREADS * size.points * tiling.bytes_of_point) / CACHED_A_CYCLE


def floats_for(kind: CType, peak: Arithmetic) -> int | None:
    """How many instructions on floats take the time of one on this type; None where that is not known."""
    match kind:
        case Scalar(size=4) if kind.is_integer:
            return peak.for_int
        case Struct():
            plain = all(isinstance(each.type, Scalar) and each.type.size == FLOAT.size for each in kind.members)
            return 1 if plain else None
        case Scalar():
            return {FLOAT: 1, DOUBLE: peak.for_double}.get(kind)
    return None


def accumulates(scop: Scop, kernel: Kernel, shared: Tiling) -> CType | None:
    """The one type of all that is accumulated; None where there are several."""
    if shared.carried:
        return scop.arrays_of(shared.carried)[0].element
    types = {reduction.element_type for reduction in scop.reductions_of(kernel.reductions)}
    return types.pop() if len(types) == 1 else None


def operations_of(scop: Scop, kernel: Kernel, shared: Tiling) -> tuple[int, int]:
    """Arithmetic operations of an element with its update, and the products that are added, by one instruction each."""
    bodies = [scop.statement(name).body for name in statements_of(shared.body)]
    operations = fused = 0
    reductions = scop.reductions_of(kernel.reductions)
    adds = all(reduction.operator.recognised is OperatorKind.ADD for reduction in reductions)
    for body in bodies:
        match body:
            case ReductionUpdate(element=element):
                operations += _count(element, scop, frozenset()) + 1
                fused += adds and isinstance(element, Binary) and element.op == "*"
            case Assign(value=value):
                operations += _count(value, scop, frozenset())
                fused += _adds_product(value)
    return operations, fused


def _adds_product(value: Expr) -> bool:
    """Whether a product is added, or one is subtracted, which is one instruction."""
    if not isinstance(value, Binary) or value.op not in ("+", "-"):
        return False
    return any(isinstance(side, Binary) and side.op == "*" for side in (value.left, value.right))


def _count(node: Node, scop: Scop, inside: frozenset[str]) -> int:
    """Arithmetic on values: operators and calls; a function of the source counts as what its body has.

    What finds an element in memory is no part of it, nor what widens an operand, once for many elements.  `inside`:
    functions whose bodies are being counted.
    """
    if isinstance(node, Index):
        return 0
    found = sum(_count(child, scop, inside) for child in children(node))
    if isinstance(node, Call):
        bodies = [each.body for each in scop.functions if each.name == node.function]
        if bodies and node.function not in inside:
            return found + _count(bodies[0], scop, inside | {node.function})
        return found + (node.function not in CONVERSIONS)
    return found + isinstance(node, Binary | Unary)
