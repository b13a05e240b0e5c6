"""The shared memory that a function and the building blocks which it is made of declare."""

from __future__ import annotations

from dataclasses import replace

from pencilc.gpu.shapes.tiles import SIDE, bytes_of_rows, fragment_bytes, tile_bytes
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.bins import BlocksOfThread, BucketCopies
from pencilc.ir.columns import ColumnLanes, CombineColumns
from pencilc.ir.combining import Combine
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import Node, SharedDecl, blocks_in
from pencilc.ir.on_chip import Exchange, ExchangeParts
from pencilc.ir.segments import CombineRow
from pencilc.ir.shapes import MOST_ACROSS
from pencilc.ir.tiles import CombineFolded, FoldedPlaces, FromArch, ResultsOfTile, TensorMemory, TileMemory
from pencilc.target import WARP


def static_shared(function: KernelFunction) -> int:
    """Bytes that a function declares, at most; what a launch provides besides is no part of them."""
    memories = (each for each in blocks_in(function.body) if isinstance(each, TileMemory))
    sizes = {size.items for each in memories for size in each.sizes}
    return max(_static_shared(function, items) for items in sizes or {0})


def _static_shared(function: KernelFunction, items: int) -> int:
    """The same where a thread has `items` points on each side of a tile, if there are tiles."""
    # What combines is a function, whose memory is there once however often it is called, for any number of lanes.
    combined: dict[tuple[str, str], int] = {}
    own = 0
    forms = [each for each in blocks_in(function.body) if isinstance(each, FromArch)]
    if forms:
        # One of the forms of a tile is compiled.
        around = tuple(each for each in function.body if not isinstance(each, FromArch))
        (bodies,) = ((each.then, each.otherwise) for each in forms)
        return max(_static_shared(replace(function, body=(*around, *body)), items) for body in bodies)
    for node in blocks_in(function.body):
        if isinstance(node, Combine | CombineRow):
            scope = node.scope if isinstance(node, Combine) else "lanes"
            combined[node.accumulator.name, "lanes"] = _handed_on(node.accumulator, function.block)
            if scope in ("block", "workers"):
                combined[node.accumulator.name, scope] = size_of(node.accumulator) * WARP
        elif isinstance(node, CombineColumns) and not node.by_lanes:
            combined[node.accumulator.name, "columns"] = size_of(node.accumulator) * node.width * function.block
        elif isinstance(node, Exchange):
            by_warps = node.among != "across"
            combined[node.accumulator.name, "lanes"] = _handed_on(node.accumulator, function.block) if by_warps else 0
        else:
            # An array may begin where a vector does.
            own = _rounded(own, 16) if isinstance(node, SharedDecl) else own
            own += _own(node, function.block, items)
    return own + sum(combined.values())


def _own(node: Node, block: int, items: int) -> int:
    """What one node declares."""
    match node:
        case SharedDecl():
            return node.count * node.type.size if node.count else 0
        case ColumnLanes():
            return size_of(node.accumulator) * node.width * node.lanes
        case TileMemory():
            (size,) = (each for each in node.sizes if each.items == items)
            return tile_bytes([(each.type.size, each.down, each.deep) for each in node.operands], 0, size)
        case ResultsOfTile():
            return SIDE * SIDE * min(items, MOST_ACROSS) * size_of(node.accumulator)
        case FoldedPlaces() | CombineFolded():
            row = size_of(node.accumulator)
            both = SIDE * items * bytes_of_rows(row, items)
            results = SIDE * items * row
            return results if isinstance(node, CombineFolded) else both - results
        case TensorMemory(product=product):
            deep = [each.deep for each in (product.down, product.across)]
            return fragment_bytes(deep, product.down.type.size, size_of(node.accumulator), product.depth, items)
        case ExchangeParts():
            return 2 * node.places * max(size_of(each) for each, _ in node.members)
        case BlocksOfThread() if node.shares_blocks:
            return node.bins.size * node.groups * WARP
        case BucketCopies(bins=bins):
            return bins.size * bins.warps << bins.shift
    return 0


def size_of(found: Accumulator) -> int:
    """Bytes of an accumulator, at most, as C lays out its members: alignments are powers of two that divide sizes."""
    end, largest = 0, 1
    for member in found.members:
        align = min(member.size & -member.size, 16)
        end = _rounded(end, align) + member.size
        largest = max(largest, align)
    return _rounded(end, largest)


def _rounded(size: int, align: int) -> int:
    return -(-size // align) * align


def _handed_on(found: Accumulator, block: int) -> int:
    """What lanes hand on through shared memory because it is too large for shuffles."""
    return sum(member.size for member in found.members if member.by_memory) * block // 2
