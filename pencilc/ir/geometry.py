"""Where a function stands among the blocks and threads of its launch, as the output spells it.

A kernel has the whole grid.  A part of a packed kernel has some of its blocks, in a `line` or a `plane`, or in a plane
with the threads of a block in rows (`tile`).  A stage of a composed kernel has one block, with its threads as they are
(`block`) or in rows (`block_tile`).  Stage: codegen.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from pencilc.records import dataclass


class Share(Enum):
    """What the functions of a kernel have of a launch: all of it; the blocks that the entry point gave a part of it;
    all blocks, which have other work behind it; or one block.
    """

    GRID = "grid"
    PART = "part"
    BLOCKS = "blocks"
    BLOCK = "block"

    def layout(self, shape: str, depth: int = 1) -> str:
        """The layout of a function of that shape, whose points are dealt out in `depth` directions."""
        in_rows = shape == "column" or depth > 1
        match self:
            case Share.GRID:
                return ""
            case Share.PART | Share.BLOCKS if not in_rows:
                return "plane" if shape in ("row_blocks", "indirect_shared") else "line"
            case Share.PART | Share.BLOCKS:
                return "tile"
            case Share.BLOCK:
                return "block_tile" if in_rows else "block"


@dataclass(frozen=True, slots=True)
class Axes:
    """A number in three directions."""

    x: str
    y: str
    z: str


def _axes(name: str) -> Axes:
    return Axes(f"{name}.x", f"{name}.y", f"{name}.z")


def _as_written(name: str) -> str:
    return name


@dataclass(frozen=True, slots=True)
class Geometry:
    """The spelling of each index for a function of `layout`, empty for a kernel; `size` threads are in a block.

    `spell` says what the function calls `@block_of_part` and the others.
    """

    layout: str
    size: int
    spell: Callable[[str], str] = _as_written

    @property
    def parameters(self) -> tuple[str, ...]:
        """What a device function is told about its place."""
        kind = "unsigned" if self.layout == "line" else "dim3"
        if self.is_block or not self.layout:
            return ()
        names = [(kind, "@block_of_part"), (kind, "@blocks_of_part")]
        names += [("dim3", "@thread_of_part"), ("dim3", "@threads_of_part")] if self.in_rows else []
        return tuple(f"{kind} {self.spell(name)}" for kind, name in names)

    @property
    def index(self) -> str:
        """The type of indices."""
        return self.spell("@index")

    @property
    def is_block(self) -> bool:
        """Whether one block has all of the work."""
        return self.layout in ("block", "block_tile")

    @property
    def in_rows(self) -> bool:
        """Whether threads are not counted as the launch has them."""
        return self.layout in ("tile", "block_tile")

    @property
    def block(self) -> Axes:
        """The block that this thread belongs to."""
        if self.layout == "line":
            return Axes(self.spell("@block_of_part"), "0", "0")
        return _axes(self.spell("@block_of_part") if self.layout in ("plane", "tile") else "blockIdx")

    @property
    def blocks(self) -> Axes:
        """How many blocks there are."""
        if self.layout == "line":
            return Axes(self.spell("@blocks_of_part"), "1", "1")
        return _axes(self.spell("@blocks_of_part") if self.layout in ("plane", "tile") else "gridDim")

    @property
    def thread(self) -> Axes:
        """This thread in its block."""
        return _axes(self.spell("@thread_of_part") if self.in_rows else "threadIdx")

    @property
    def threads(self) -> Axes:
        """How many threads a block has."""
        return _axes(self.spell("@threads_of_part") if self.in_rows else "blockDim")

    @property
    def rank(self) -> str:
        """The number of this thread among all of them, in the type of indices."""
        return self.number("x") if self.is_block else f"({self.index}){self.number('x')}"

    @property
    def operand(self) -> str:
        """`rank` as an operand."""
        return self.rank if self.is_block else f"({self.rank})"

    @property
    def total(self) -> str:
        """How many threads there are, in the type of indices."""
        return self.count("x") if self.is_block else f"({self.index}){self.count('x')}"

    def number(self, axis: str) -> str:
        """The number of this thread in one direction."""
        thread = getattr(self.thread, axis)
        return thread if self.is_block else f"{getattr(self.block, axis)} * {getattr(self.threads, axis)} + {thread}"

    def count(self, axis: str) -> str:
        """How many threads there are in one direction."""
        if not self.is_block:
            return f"{getattr(self.blocks, axis)} * {getattr(self.threads, axis)}"
        if not self.in_rows:
            return str(self.size)
        return "1" if axis == "z" else getattr(self.threads, axis)

    def first_row(self, lane: str, lanes: str) -> str:
        """The first row of number `lane` of the `lanes` that a block has, where blocks along y take rows in turn."""
        return lane if self.is_block else f"({self.index}){self.block.y} * {lanes} + {lane}"

    def row_step(self, lanes: str) -> str:
        """How far the next row is."""
        return lanes if self.is_block else f"({self.index}){self.blocks.y} * {lanes}"
