"""Nodes without bodies: what a thread keeps, loads and stores, and where in a row on the chip it is; stage: codegen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from pencilc.ir.accumulators import Accumulator
from pencilc.ir.source import CType, Expr

# Who has a row in registers, or in shared memory (the last three): THREADS threads of a block, side by side or every
# ACROSS-th; the grid; a block; every ACROSS-th thread of a block; the grid.
Team: TypeAlias = Literal["threads", "across", "grid", "block", "block_across", "block_grid"]


@dataclass(frozen=True, slots=True)
class Local:
    """Registers of a thread: an array of `extents`, each of which is known when the kernel is compiled."""

    node: ClassVar[str] = "local"

    name: str
    type: CType
    extents: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """Contiguous elements from the address `first` on; `wide` becomes whether 16 bytes of them may move at once."""

    node: ClassVar[str] = "run"

    name: str
    wide: str
    type: CType
    first: Expr
    is_const: bool


@dataclass(frozen=True, slots=True)
class LoadChunk:
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
class StoreChunk:
    """A chunk from registers to element `offset` of a run, as far as the run has elements: `left` of them."""

    node: ClassVar[str] = "store"

    chunk: Expr
    run: Expr
    offset: Expr
    left: Expr
    wide: Expr


@dataclass(frozen=True, slots=True)
class RowTeam:
    """Who has a row: THREADS threads, and of blocks of `size` threads where these share it or have `across` rows.

    `items`: what a thread has of a row, for the reader.
    """

    node: ClassVar[str] = "team"

    team: Team
    size: int
    across: int
    items: str


@dataclass(frozen=True, slots=True)
class RowPlace:
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
class ChunkPlace:
    """`@at`: where in the row chunk number `@c` of this thread begins; `@left`, if it `is_bounded`: what is left there.

    Chunks have `width` elements, and neighbouring threads have neighbouring ones.  `in_flight`: number `@l` behind it.
    """

    node: ClassVar[str] = "chunk_place"

    width: int
    is_bounded: bool = False
    in_flight: bool = False


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """`@own`: where in the shared memory of its block a thread keeps that chunk of the grid's row."""

    node: ClassVar[str] = "own_place"

    width: int
    in_flight: bool = False


@dataclass(frozen=True, slots=True)
class ElementPlace:
    """`@x`: where in the row element number `@c` of this thread is."""

    node: ClassVar[str] = "element_place"


@dataclass(frozen=True, slots=True)
class Exchange:
    """All threads of a row get what they have got together, `@total`, through the shared memory called `part`.

    They are neighbours in a block, or every ACROSS-th of it, or the whole grid; `number` counts the exchanges of a row.
    """

    node: ClassVar[str] = "exchange"

    accumulator: Accumulator
    part: str
    number: int
    among: Literal["row", "across", "grid"]
