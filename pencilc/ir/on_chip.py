"""Nodes of what a thread keeps, loads and stores, and of rows that stay on the chip; stage: codegen."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from pencilc.ir.accumulators import Accumulator
from pencilc.ir.build import generated_type
from pencilc.ir.nodes import BARRIER, BuildingBlock, Node, Parameter
from pencilc.ir.source import CType, Expr, PointerType
from pencilc.records import dataclass

# Who has a row in registers, or in shared memory (the last four): THREADS threads of a block, side by side or every
# ACROSS-th; the grid; a block; the blocks of a cluster; every ACROSS-th thread of a block; the grid.
Team: TypeAlias = Literal["threads", "across", "grid", "block", "cluster", "block_across", "block_grid"]
# Who exchanges what they have of a row.
Among: TypeAlias = Literal["row", "across", "cluster", "grid"]


@dataclass(frozen=True, slots=True)
class Local(BuildingBlock):
    """Registers of a thread: an array of `extents`, each of which is known when the kernel is compiled."""

    node: ClassVar[str] = "local"

    name: str
    type: CType
    extents: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Run(BuildingBlock):
    """Contiguous elements from the address `first` on; `wide` becomes whether 16 bytes of them may move at once."""

    node: ClassVar[str] = "run"

    name: str
    wide: str
    type: CType
    first: Expr
    is_const: bool


@dataclass(frozen=True, slots=True)
class LoadChunk(BuildingBlock):
    """A chunk from element `offset` of a run into registers, where the run has `left` of them; zeros are behind these.

    `chunk` are the registers; `wide` tells whether 16 bytes may move at once.
    """

    node: ClassVar[str] = "load"

    chunk: Expr
    run: Expr
    offset: Expr
    left: Expr
    wide: Expr


@dataclass(frozen=True, slots=True)
class LoadItems(BuildingBlock):
    """All chunks of a thread, ITEMS of them, from a run into `registers`; zeros are behind the end of the row.

    `wide` tells whether 16 bytes may move at once.
    """

    node: ClassVar[str] = "load_items"

    registers: Expr
    run: Expr
    wide: Expr


@dataclass(frozen=True, slots=True)
class StoreChunk(BuildingBlock):
    """A chunk from registers to element `offset` of a run, as far as the run has elements: `left` of them."""

    node: ClassVar[str] = "store"

    chunk: Expr
    run: Expr
    offset: Expr
    left: Expr
    wide: Expr


@dataclass(frozen=True, slots=True)
class CopyChunk(BuildingBlock):
    """A chunk of `width` elements from element `offset` of a run to `place` in shared memory, in the background.

    The run has `left` of them, zeros are put behind; `wide` tells whether 16 bytes may move at once.
    """

    node: ClassVar[str] = "copy_chunk"

    place: Expr
    run: Expr
    offset: Expr
    left: Expr
    wide: Expr
    width: int


@dataclass(frozen=True, slots=True)
class RowTeam(BuildingBlock):
    """Who has a row: THREADS threads, or several warps, a stretch of it for the THREADS of each.

    Blocks have `size` threads where these share a row or have `across` of them.
    `items`: what a thread has of a row, for the reader.  `few`: in which forms of the function a block may be narrower
    than a warp, so that only some of its lanes have a row.
    """

    node: ClassVar[str] = "team"

    team: Team
    size: int
    across: int
    items: str
    few: Expr | None = None


@dataclass(frozen=True, slots=True)
class RowPlace(BuildingBlock):
    """`@rank`: the number of this thread among those of its row, and of the row `@lane` in a block that has several.

    `rows`, how many there are, becomes `@rows`, if there is more than one; `count`, how long each of them is, `@count`,
    unless neighbouring threads have different rows, where it is told of each.
    """

    node: ClassVar[str] = "row_place"

    team: Team
    size: int
    rows: Expr | None
    count: Expr | None


@dataclass(frozen=True, slots=True)
class ChunkPlace(BuildingBlock):
    """`@at`: where in the row chunk number `@c` of this thread begins; `@left`, if it `is_bounded`: what is left there.

    Chunks have `width` elements, and neighbouring threads have neighbouring ones.  `in_flight`: number `@l` behind it.
    """

    node: ClassVar[str] = "chunk_place"

    width: int
    is_bounded: bool = False
    in_flight: bool = False

    @property
    def in_chunks(self) -> bool:
        """Whether a chunk is several elements."""
        return self.width > 1


@dataclass(frozen=True, slots=True)
class OwnPlace(BuildingBlock):
    """`@own`: where in the shared memory of its block a thread keeps that chunk of a row that several blocks have."""

    node: ClassVar[str] = "own_place"

    width: int
    in_flight: bool = False

    @property
    def in_chunks(self) -> bool:
        """Whether a chunk is several elements."""
        return self.width > 1


@dataclass(frozen=True, slots=True)
class ElementPlace(BuildingBlock):
    """`@x`: where in the row element number `@c` of this thread is."""

    node: ClassVar[str] = "element_place"


@dataclass(frozen=True, slots=True)
class Exchange(BuildingBlock):
    """All threads of a row get what they have got together, `@total`, through the shared memory called `part`.

    They are neighbours in a block, up to `warps`, or every ACROSS-th of one of `size` threads, or those of a cluster,
    or of the whole grid.  `number` counts the exchanges of a row.  `few`: as of a team.
    """

    node: ClassVar[str] = "exchange"

    accumulator: Accumulator
    part: str
    number: int
    among: Among
    size: int
    warps: Expr
    few: Expr | None = None


@dataclass(frozen=True, slots=True)
class EachItem(BuildingBlock):
    """A loop over what a thread has of a row in registers, `@c` of ITEMS, which is none in the machine code."""

    node: ClassVar[str] = "each_item"
    is_dealt: ClassVar[bool] = True

    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Unrolled(BuildingBlock):
    """Such a loop over the `count` elements of a chunk, `@k`, or over as many chunks in flight, `@l`."""

    node: ClassVar[str] = "unrolled"

    over: Literal["chunk", "flight"]
    count: int
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ExchangeParts(BuildingBlock):
    """`@parts`: shared memory of `places` values, twice, in which the exchanges of a row take turns (`@turn`).

    `members`: what is exchanged, each with its name in the union; `name` is that of the kernel, with which the union's
    begins.
    """

    node: ClassVar[str] = "parts"

    name: str
    members: tuple[tuple[Accumulator, str], ...]
    places: int


@dataclass(frozen=True, slots=True)
class GridParts(ExchangeParts):
    """The same where the whole grid has the row: blocks leave for each other what they have."""

    node: ClassVar[str] = "grid_parts"

    @property
    def given(self) -> tuple[Parameter, ...]:
        """What blocks leave for each other, and the barrier at which they do."""
        return Parameter("@partials", PointerType(generated_type(f"{self.name}_partial"))), BARRIER


@dataclass(frozen=True, slots=True)
class StitchedRows(BuildingBlock):
    """A loop over the `@rows` of a team, `@row`, each of which stays on the chip from one stage to the next.

    Of neighbouring rows threads have number `@mine`; beyond the last one they repeat that, without its elements.
    `names_row`: the number of the row is used.
    """

    node: ClassVar[str] = "stitched"

    team: Team
    body: tuple[Node, ...]
    names_row: bool


@dataclass(frozen=True, slots=True)
class StageOfRow(BuildingBlock):
    """What is done to a row up to the next exchange, and `comment`, what of the source it is."""

    node: ClassVar[str] = "stage"
    is_dealt: ClassVar[bool] = True

    comment: str
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class WhereWhole(BuildingBlock):
    """`then` where the row has all ITEMS elements of this thread, else `otherwise`; two need no ways of their own."""

    node: ClassVar[str] = "where_whole"
    is_dealt: ClassVar[bool] = True

    then: tuple[Node, ...]
    otherwise: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Items(BuildingBlock):
    """A loop over the `@items` chunks that a thread has of a row in shared memory, `@c`."""

    node: ClassVar[str] = "items"
    is_dealt: ClassVar[bool] = True

    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Flights(BuildingBlock):
    """The same loop, `count` chunks at a time: what loads them and what uses them are loops of their own in it."""

    node: ClassVar[str] = "flights"
    is_dealt: ClassVar[bool] = True

    count: int
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class CopiedItems(BuildingBlock):
    """The same loop, in which copies begin; behind it a thread waits for all of its own, in flight together."""

    node: ClassVar[str] = "copied_items"
    is_dealt: ClassVar[bool] = True

    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ElementsOfRow(BuildingBlock):
    """A loop over the elements that a thread has of a row in shared memory, `@x`; `@own`: where its block has it.

    A block has all of the row, or several have it.
    """

    node: ClassVar[str] = "elements_of_row"
    is_dealt: ClassVar[bool] = True

    among: Literal["row", "blocks"]
    body: tuple[Node, ...]
