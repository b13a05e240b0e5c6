"""The shared memory that a function and the building blocks which it is made of declare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pencilc.gpu.shapes.tiles import SIDE, bytes_of_rows, fragment_bytes, operand_bytes
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.bins import BlocksOfThread, BucketCopies
from pencilc.ir.columns import ColumnLanes, CombineColumns
from pencilc.ir.combining import Combine
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import Node, SharedDecl, blocks_in, names_of
from pencilc.ir.on_chip import Exchange, ExchangeParts
from pencilc.ir.segments import CombineRows
from pencilc.ir.shapes import TileSize
from pencilc.ir.tiles import CombineFolded, FoldedPlaces, FromArch, ResultsOfTile, TensorMemory, TileMemory
from pencilc.records import dataclass
from pencilc.target import WARP


@dataclass(frozen=True, slots=True)
class _Declared:
    """What a function declares itself, and the functions that combine, each of which has its memory once: their bytes
    by accumulator and scope.
    """

    own: int
    combined: dict[tuple[str, str], int]

    @property
    def total(self) -> int:
        """All of it."""
        return self.own + sum(self.combined.values())


def static_shared(function: KernelFunction) -> int:
    """Bytes that a function declares, at most; what a launch provides besides is no part of them."""
    return _declared(function).total


class SharedMemory:
    """The shared memory of all functions of a file: `given` are those to which a launch provides some."""

    def __init__(self, functions: Sequence[KernelFunction]) -> None:
        self.functions = {function.name: function for function in functions}
        self._declared: dict[str, _Declared] = {}
        self._of_launch: dict[str, int] = {}
        self._called = {function.name for function in functions if function.layout}
        self.given = {function.name for function in functions if _is_given(function)}

    def of_launch(self, name: str) -> int:
        """Bytes that the blocks of a launched function have, at most, with those of the functions that it calls; what
        the launch provides besides is no part of them.
        """
        if name not in self._of_launch:
            self._of_launch[name] = self._summed(name)
        return self._of_launch[name]

    def _summed(self, name: str) -> int:
        own, combined = 0, dict[tuple[str, str], int]()
        reached, pending = {name}, [name]
        while pending:
            function = self.functions[pending.pop()]
            if function.name not in self._declared:
                self._declared[function.name] = _declared(function)
            declared = self._declared[function.name]
            # What functions declare lies side by side, and begins where a vector may.
            own = _rounded(own, 16) + declared.own
            combined |= declared.combined
            called = sorted((names_of(function.body) & self._called) - reached) if self._called else []
            reached.update(called)
            pending += called
        return own + sum(combined.values())


def _is_given(function: KernelFunction) -> bool:
    return any(isinstance(each, SharedDecl) and each.count is None for each in blocks_in(function.body))


def _declared(function: KernelFunction) -> _Declared:
    """What a function declares, where that is most: for one of the sizes of tiles, on one of the architectures."""
    memories = (each for each in blocks_in(function.body) if isinstance(each, TileMemory))
    sizes = dict.fromkeys(size for each in memories for size in each.sizes)
    return max((_declared_with(function, size) for size in (sizes or (None,))), key=_total)


def _total(declared: _Declared) -> int:
    return declared.total


def _declared_with(function: KernelFunction, size: TileSize | None) -> _Declared:
    """The same with tiles of one size, if there are tiles."""
    # What combines is a function, whose memory is there once however often it is called, for any number of lanes.
    combined: dict[tuple[str, str], int] = {}
    own = 0
    forms = [each for each in blocks_in(function.body) if isinstance(each, FromArch)]
    if forms:
        # One of the forms of a tile is compiled.
        around = tuple(each for each in function.body if not isinstance(each, FromArch))
        (bodies,) = ((each.then, each.otherwise) for each in forms)
        compiled = (_declared_with(replace(function, body=(*around, *body)), size) for body in bodies)
        return max(compiled, key=_total)
    for node in blocks_in(function.body):
        if isinstance(node, Combine | CombineRows):
            scope = node.scope if isinstance(node, Combine) else "lanes"
            combined[node.accumulator.name, "lanes"] = _handed_on(node.accumulator, function.block)
            if scope in ("block", "workers"):
                # Blocks that hand on large values have no places for more warps than theirs.
                is_large = scope == "block" and node.accumulator.by_memory
                warps = function.block // WARP if is_large else WARP
                combined[node.accumulator.name, scope] = size_of(node.accumulator) * warps
        elif isinstance(node, CombineColumns) and not node.by_lanes:
            combined[node.accumulator.name, "columns"] = size_of(node.accumulator) * node.width * function.block
        elif isinstance(node, Exchange):
            by_warps = node.among != "across"
            combined[node.accumulator.name, "lanes"] = _handed_on(node.accumulator, function.block) if by_warps else 0
        else:
            # An array may begin where a vector does.
            own = _rounded(own, 16) if isinstance(node, SharedDecl) else own
            own += _own(node, function.block, size)
    return _Declared(own, combined)


def _own(node: Node, block: int, size: TileSize | None) -> int:
    """What one node declares."""
    match node:
        case SharedDecl():
            return node.count * node.type.size if node.count else 0
        case ColumnLanes():
            return size_of(node.accumulator) * node.width * node.lanes
        case ExchangeParts():
            return 2 * node.places * max(size_of(each) for each, _ in node.members)
        case BlocksOfThread() if node.shares_blocks:
            return node.bins.size * node.groups * WARP
        case BucketCopies(bins=bins):
            return bins.size * bins.warps << bins.shift
    return 0 if size is None else _of_tile(node, size)


def _of_tile(node: Node, size: TileSize) -> int:
    """What one node of a tile declares."""
    match node:
        case TileMemory():
            return operand_bytes([(each.type.size, each.down, each.deep) for each in node.operands], size)
        case ResultsOfTile():
            return SIDE * SIDE * size.across * size_of(node.accumulator)
        case FoldedPlaces() | CombineFolded():
            row = size_of(node.accumulator)
            both = SIDE * size.down * bytes_of_rows(row, size.points)
            results = SIDE * size.down * row
            return results if isinstance(node, CombineFolded) else both - results
        case TensorMemory(product=product):
            deep = [each.deep for each in (product.down, product.across)]
            return fragment_bytes(deep, product.down.type.size, size_of(node.accumulator), product.depth, size.down)
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
