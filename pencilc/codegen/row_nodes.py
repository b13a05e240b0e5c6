"""What a stage of rows that stay on the chip is composed of: loads of the whole row, what is done with a chunk.

Split(ahead=(e = expf(x[@k]),), body=(sum += e,))   ->   e = expf(x[@k]);  if (@k < @left) { sum += e; }
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.codegen.speculation import Split
from pencilc.ir.build import ZERO, binary, declare, negation, number, plus, variable
from pencilc.ir.nodes import If, Node, uses
from pencilc.ir.on_chip import (
    Among,
    ChunkPlace,
    CopyChunk,
    Exchange,
    LoadChunk,
    LoadItems,
    Local,
    Run,
    StageOfRow,
    StoreChunk,
    Unrolled,
)
from pencilc.ir.source import BOOL, INT, CType, Expr, PointerType
from pencilc.records import dataclass

# Where in the row a chunk begins, and how many elements the row has from there; how many items a thread has.
AT, LEFT, COUNT = (variable(name, INT, True) for name in ("@at", "@left", "@count"))
ITEMS = variable("ITEMS", INT, True)
TRUE = variable("true", BOOL)


@dataclass(frozen=True, slots=True)
class RowAccess:
    """Elements of a row in registers: `register` is declared, `chunk` is the part of it for chunk `@c`.

    `first` is the address of the row's first element, `run` and `wide` are names for it and for its alignment;
    `registers` are several chunks.
    """

    register: str
    chunk: Expr
    type: CType
    first: Expr | None
    run: str
    wide: str
    registers: str

    def declared(self, is_const: bool) -> Run:
        """The run in memory; `is_const`: it is only read."""
        assert self.first is not None
        return Run(self.run, self.wide, self.type, self.first, is_const)

    def loaded(self, chunk: Expr, left: Expr, wide: Expr) -> LoadChunk:
        """What loads `chunk` from where it lies in the run."""
        return LoadChunk(chunk, variable(self.run, PointerType(self.type)), AT, left, wide)

    def copied(self, place: Expr, width: int) -> CopyChunk:
        """What copies a chunk of `width` elements to `place` in shared memory."""
        left = binary("-", COUNT, AT)
        return CopyChunk(place, variable(self.run, PointerType(self.type)), AT, left, self.is_wide, width)

    def whole(self) -> LoadItems:
        """What loads all that a thread has of the row."""
        pointer = PointerType(self.type)
        return LoadItems(variable(self.register, PointerType(pointer)), variable(self.run, pointer), self.is_wide)

    def fetched(self) -> LoadChunk:
        """What loads the part for the chunk that is worked on."""
        return self.loaded(self.chunk, LEFT, self.is_wide)

    def stored(self) -> StoreChunk:
        """What stores that part."""
        return StoreChunk(self.chunk, variable(self.run, PointerType(self.type)), AT, LEFT, self.is_wide)

    @property
    def is_wide(self) -> Expr:
        """Whether the run is aligned."""
        return variable(self.wide, BOOL, True)


@dataclass(frozen=True, slots=True)
class MovedRows:
    """What a stage moves: `loads` before its elements, `fetches` and `stores` with each chunk.

    `chunks` are the registers of one that is worked on.
    """

    loads: tuple[RowAccess, ...]
    fetches: tuple[RowAccess, ...]
    stores: tuple[RowAccess, ...]
    chunks: tuple[RowAccess, ...]


def chunks(moved: MovedRows, width: int) -> tuple[Local, ...]:
    """The registers of a chunk that is worked on."""
    return tuple(Local(each.register, each.type, (number(width),)) for each in moved.chunks)


def place_of_chunk(inside: tuple[Node, ...], width: int, in_flight: bool = False) -> tuple[ChunkPlace, ...]:
    """Where the chunk of a loop over `@c` lies in the row, if what is `inside` of the loop has to know.

    `in_flight`: number `@l` of several.
    """
    is_bounded = uses(inside, "@left")
    return (ChunkPlace(width, is_bounded, in_flight),) if is_bounded or uses(inside, "@at") else ()


def elements_of_chunk(split: Split, point: tuple[Node, ...], width: int) -> tuple[Node, ...]:
    """What is done with the elements of a chunk."""
    if split.quotients is not None:
        attempt = Unrolled("chunk", width, split.quotients.element)
        again = binary("&&", negation(variable("@exact", BOOL)), binary(">", LEFT, ZERO))
        exact = declare("@exact", BOOL, split.quotients.exact)
        apart = split.quotients.apart
        own = (Local(name.symbol.name, home.target.type, (number(width),)) for name, home in apart)
        divided = If(again, (Unrolled("chunk", width, split.quotients.divided),))
        moved = (Unrolled("chunk", width, tuple(home for _, home in apart)),) if apart else ()
        return (exact, *own, attempt, divided, *moved)
    several = width > 1
    inside = split.ahead
    if split.body:
        at = plus(AT, variable("@k")) if several else AT
        place = (declare("@x", INT, at, is_const=True),) if point else ()
        there = binary("<", variable("@k"), LEFT) if several else binary(">", LEFT, ZERO)
        inside = (*inside, If(there, (*place, *point, *split.body)))
    return (Unrolled("chunk", width, inside),) if several and inside else inside


def exchanged_among(among: Among, stages: Seq[StageOfRow]) -> tuple[StageOfRow, ...]:
    """The same stages where others exchange what they have: the blocks of a cluster, or the whole grid."""
    return tuple(replace(stage, body=tuple(_among(among, node) for node in stage.body)) for stage in stages)


def _among(among: Among, node: Node) -> Node:
    return replace(node, among=among) if isinstance(node, Exchange) else node
