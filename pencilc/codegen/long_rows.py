"""Stitched kernels for rows that stay in shared memory: a chunk of the row is in registers while it is worked on."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.codegen.bodies import set_to
from pencilc.codegen.names import NameTable
from pencilc.codegen.row_nodes import AT, COUNT, TRUE, MovedRows, RowAccess, chunks, exchanged_among, place_of_chunk
from pencilc.codegen.stitch import StitchWriter, promotion_type, register_names
from pencilc.ir.build import (
    ZERO,
    binary,
    cast,
    declare,
    element,
    generated_type,
    number,
    plus,
    times,
    variable,
)
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.mapping import LongRows, MappedProgram, RegisterPromotion, RowStage, Stitched
from pencilc.ir.nodes import If, Node, SharedDecl, uses
from pencilc.ir.on_chip import (
    ChunkPlace,
    CopiedItems,
    ElementsOfRow,
    Flights,
    Items,
    LoadChunk,
    Local,
    OwnPlace,
    StoreChunk,
    Team,
    Unrolled,
)
from pencilc.ir.schedule import statements_of
from pencilc.ir.source import CHAR, INT, Assign, CType, Expr, PointerType, Scalar
from pencilc.records import dataclass
from pencilc.target import WARP

# The chunks that a thread has of a row; where it keeps one of a row of the grid; a loop's counter; threads across rows.
_ITEMS, _OWN, _C, _ACROSS = (variable(name, INT) for name in ("@items", "@own", "@c", "ACROSS"))
# Bytes that a thread copies to shared memory in the background, at least.
_WORD = 4
# What the launch provides, which is aligned for chunks.
_SHARED = SharedDecl("@shared", generated_type("uint4"), None)


@dataclass(frozen=True, slots=True)
class SharedValue:
    """Elements of a row in shared memory: a chunk of them is in `register` while it is worked on.

    They begin at `name`, behind `offset` bytes for each element of the row; each takes the place of `factor` of them.
    """

    register: str
    type: CType
    name: str
    offset: int
    factor: int

    @property
    def pointer(self) -> Expr:
        """Where they begin."""
        return variable(self.name, PointerType(self.type))

    @property
    def chunk(self) -> Expr:
        """A chunk of them in registers."""
        return variable(self.register, PointerType(self.type))

    def place(self, at: Expr) -> Expr:
        """Where the value for element number `at` of the row is."""
        return times(at, number(self.factor))


class LongRowWriter(StitchWriter):
    """Writes the form of a stitched kernel whose rows are kept in shared memory."""

    def __init__(self, program: MappedProgram, stitched: Stitched, long_rows: LongRows) -> None:
        super().__init__(program, stitched)
        self.long_rows = long_rows
        names = zip(register_names(stitched, "chunk"), stitched.promoted, strict=True)
        self.registers = tuple(f"{name}s" if self._is_ahead(promotion) else name for name, promotion in names)
        self.offsets = self._offsets()
        table = NameTable()
        self.shared = {n: table.fresh(f"@{stitched.promoted[n].symbol}_shared") for n in self.offsets}
        self.whole = not self.kernel.kept
        self.in_clusters = long_rows.clusters > 1
        self.of_blocks = self.whole or self.in_clusters  # several blocks have a row

    def functions(self) -> tuple[KernelFunction, ...]:
        """The only function."""
        stages, team = self._stages(), self._who()
        if self.of_blocks:
            stages = exchanged_among("grid" if self.whole else "cluster", stages)
        function = self._function(team, (), self._row_lines(), stages)
        resident = self.kernel.launch.grid_blocks_per_sm if self.whole else 1
        name, size = f"{function.name}_long", self.long_rows.threads
        return (replace(function, name=name, shape="stitched_long", block=size, resident=resident),)

    def _who(self) -> Team:
        """Who has a row."""
        if self.whole:
            return "block_grid"
        if self.stitched.across:
            return "block_across"
        return "cluster" if self.in_clusters else "block"

    def _team(self, team: Team, size: int, across: int = 1) -> tuple[Node, ...]:
        """The same for more threads, and the shared memory that they have."""
        of_block = super()._team(team, self.long_rows.threads, self.long_rows.across)
        return (*of_block, *self._items(), *self._shared_rows())

    def _items(self) -> tuple[Node, ...]:
        """How many chunks of a row a thread has."""
        width, threads = self.stitched.width, self.long_rows.threads
        has_offsets = any(offset for offset, _ in self.offsets.values())
        if self.stitched.across or (self.stitched.scattered and not has_offsets):
            return ()
        if self.of_blocks:
            chunks = _rounded_up(COUNT, number(width), width)
            items = _rounded_up(chunks, variable("THREADS", INT))
        else:
            items = _rounded_up(COUNT, number(threads * width), threads * width)
        return (declare("@items", INT, items, is_const=True),)

    def _warps(self) -> Expr:
        assert self.stitched.long_rows is not None
        return number(self.stitched.long_rows.threads // WARP)

    def _few(self) -> Expr | None:
        """Whole warps have a row in shared memory."""
        return None

    def _shared_rows(self) -> tuple[Node, ...]:
        """Where the values of a row begin in shared memory."""
        if not self.offsets:
            return ()
        nodes: list[Node] = [_SHARED]
        if any(offset for offset, _ in self.offsets.values()):
            threads = variable("BLOCK" if self.of_blocks else "THREADS", INT)
            several = times(times(_ITEMS, threads), number(self.stitched.width))
            capacity = times(self._count(), _ACROSS) if self.stitched.across else several
            nodes.insert(0, declare("@capacity", INT, capacity, is_const=True))
        for value in (self._value(n) for n in self.offsets):
            first: Expr = variable("@shared", PointerType(_SHARED.type))
            if value.offset:
                behind = times(number(value.offset), variable("@capacity", INT))
                first = plus(cast(PointerType(CHAR), first), behind)
            pointer = PointerType(value.type)
            nodes.append(declare(value.name, pointer, cast(pointer, first), is_const=True))
        return tuple(nodes)

    def _offsets(self) -> dict[int, tuple[int, int]]:
        """For each promotion in shared memory the bytes for an element that lie before it, and those of its region."""
        found: dict[int, tuple[int, int]] = {}
        before = 0
        for region in self.long_rows.regions:
            found |= dict.fromkeys(region.promoted, (before, region.size))
            before += region.size
        return dict(sorted(found.items()))

    def _comment(self) -> tuple[str, ...]:
        return (f"{self._lines(self.frame.all_statements())}: a row after the other, in shared memory between stages.",)

    def _is_ahead(self, promotion: RegisterPromotion) -> bool:
        """Whether several chunks of the promotion, which one stage alone uses, are in registers."""
        if promotion.loaded < 0 or promotion.of_row or self._has_row(promotion) or self.stitched.scattered:
            return False
        return self.long_rows.ahead[promotion.loaded] > 1

    def _has_row(self, promotion: RegisterPromotion) -> bool:
        """Whether shared memory holds it: what one stage uses is loaded where it is used."""
        return not promotion.of_row and promotion.first < promotion.last

    # ---- a chunk in registers ----------------------------------------------------------------------

    def place(self, number: int) -> Expr:
        """What stands for an access to a promotion."""
        promotion, name = self.stitched.promoted[number], self.registers[number]
        ctype = promotion_type(promotion)
        if promotion.of_row or self.stitched.scattered:
            return variable(name, ctype)
        return element(self._chunk(number), variable("@k") if self.stitched.width > 1 else ZERO, ctype)

    def _access(self, number: int) -> RowAccess:
        access = super()._access(number)
        return replace(access, chunk=self._chunk(number))

    def _chunk(self, number: int) -> Expr:
        """The chunk of a promotion that is worked on."""
        promotion, name = self.stitched.promoted[number], self.registers[number]
        pointer = PointerType(promotion_type(promotion))
        if self._is_ahead(promotion):
            return element(variable(name, PointerType(pointer)), variable("@l"), pointer)
        return variable(name, pointer)

    def _value(self, position: int) -> SharedValue:
        promotion = self.stitched.promoted[position]
        offset, size = self.offsets[position]
        ctype, factor = promotion_type(promotion), size // promotion.size
        return SharedValue(self.registers[position], ctype, self.shared[position], offset, factor)

    # ---- stages ------------------------------------------------------------------------------------

    def _moved(self, position: int) -> MovedRows:
        """What a stage moves; a chunk of what shared memory holds is in registers too."""
        moved = super()._moved(position)
        used = tuple(self._access(n) for n in self._used(position))
        return replace(moved, chunks=(*moved.chunks, *used))

    def _used(self, position: int) -> list[int]:
        """The promotions in shared memory that a stage has to do with."""
        body = self.stitched.stages[position].body
        accessed = {n for name in statements_of(body) for n, _ in self.promoted_in.get(name, ())}
        moved = {n for n, s in self._promotions() if position in (s.loaded, s.stored)}
        return [n for n in self.offsets if n in accessed | moved]

    def _recalls(self, position: int) -> list[SharedValue]:
        """What is read from shared memory before a chunk is worked on."""
        found: list[SharedValue] = []
        for n in self._used(position):
            promotion = self.stitched.promoted[n]
            if promotion.first < position or self._is_loaded_whole(promotion, position):
                found.append(self._value(n))
        return found

    def _keeps(self, position: int, stage: RowStage) -> list[SharedValue]:
        """What is written there behind the work."""
        found: list[SharedValue] = []
        for n in self._used(position):
            promotion = self.stitched.promoted[n]
            made = promotion.loaded == position or (promotion.computed and promotion.first == position)
            made = made and not self._is_loaded_whole(promotion, position)
            if position < promotion.last and (made or self._is_written(promotion, stage)):
                found.append(self._value(n))
        return found

    def _is_loaded_whole(self, promotion: RegisterPromotion, position: int) -> bool:
        """Whether the whole row is in shared memory before its elements are worked on."""
        return promotion.loaded == position and not self.stitched.scattered

    def _gathered(self, position: int) -> tuple[Node, ...]:
        """Scattered elements are loaded where they are used."""
        return ()

    def _loaded(self, loads: Seq[RowAccess]) -> tuple[Node, ...]:
        """The loads of runs, into shared memory: all that a thread has of them is copied there in the background.

        Only numbers of whole words are: rows of smaller elements may begin anywhere in one.
        """
        copied = [each for each in loads if isinstance(each.type, Scalar) and each.type.size >= _WORD]
        carried = [each for each in loads if each not in copied]
        nodes = self._carried(carried) if carried else ()
        return (*nodes, *self._copies(copied)) if copied else nodes

    def _copies(self, loads: Seq[RowAccess]) -> tuple[Node, ...]:
        width = self.stitched.width
        values = {value.register: value for value in map(self._value, self.offsets)}
        own = (OwnPlace(width),) if self.of_blocks else ()
        copies = [
            each.copied(plus(values[each.register].pointer, values[each.register].place(self._at)), width)
            for each in loads
        ]
        return (CopiedItems((ChunkPlace(width), *own, *copies)),)

    def _carried(self, loads: Seq[RowAccess]) -> tuple[Node, ...]:
        """The same through registers: several chunks are under way before the first is kept."""
        width, count = number(self.stitched.width), number(self.long_rows.in_flight)
        item = binary("+", _C, variable("@l"))
        registers = (Local(each.registers, each.type, (count, width)) for each in loads)
        chunks = [element(variable(each.registers), variable("@l"), PointerType(each.type)) for each in loads]
        at = ChunkPlace(self.stitched.width, in_flight=True)
        fetches = (
            each.loaded(chunk, binary("-", COUNT, AT), each.is_wide) for each, chunk in zip(loads, chunks, strict=True)
        )
        values = {value.register: value for value in map(self._value, self.offsets)}
        kept = tuple(
            StoreChunk(chunk, value.pointer, value.place(self._at), width, TRUE)
            for each, chunk in zip(loads, chunks, strict=True)
            if (value := values.get(each.register)) is not None
        )
        place = OwnPlace(self.stitched.width, in_flight=True) if self.of_blocks else at
        behind = (place, If(binary("<", item, _ITEMS), kept))
        in_flight = self.long_rows.in_flight
        loading = Unrolled("flight", in_flight, (at, *fetches))
        return (Flights(in_flight, (*registers, loading, Unrolled("flight", in_flight, behind))),)

    @property
    def _at(self) -> Expr:
        """Where the chunk of a loop begins in shared memory."""
        return _OWN if self.of_blocks else AT

    def _scattered(
        self, position: int, stage: RowStage, moved: MovedRows, point: tuple[Node, ...], work: tuple[Node, ...]
    ) -> tuple[Node, ...]:
        """The elements of a stage where they are no runs in memory, one by one; `point` finds their iterators."""
        registers = (declare(each.register, each.type) for each in moved.chunks)
        recalled = (self._copied(value, from_memory=True) for value in self._recalls(position))
        gathers = self._gathers(position)
        others = (node for node in point if node not in gathers)  # loads recover some iterators too
        kept = (self._copied(value, from_memory=False) for value in self._keeps(position, stage))
        body = (*registers, *recalled, *gathers, *others, *work, *kept)
        return (ElementsOfRow("blocks" if self.of_blocks else "row", body),)

    def _copied(self, value: SharedValue, from_memory: bool) -> Assign:
        """A scattered element from shared memory, or there."""
        at: Expr = variable("@x")
        if self.stitched.across:
            at = plus(times(at, _ACROSS), variable("@lane"))
        elif self.of_blocks:
            at = _OWN
        place = element(value.pointer, value.place(at), value.type)
        register = variable(value.register, value.type)
        return set_to(register, place) if from_memory else set_to(place, register)

    def _sweep(self, position: int, stage: RowStage, moved: MovedRows, work: tuple[Node, ...]) -> tuple[Node, ...]:
        """The elements of a stage, a chunk after the other; what it fetches for itself alone, several chunks ahead."""
        count, fetched = self.long_rows.ahead[position] if moved.fetches else 1, moved.fetches
        if count > 1:
            moved = replace(moved, fetches=(), chunks=tuple(each for each in moved.chunks if each not in fetched))
        width = number(self.stitched.width)
        inside = (
            *chunks(moved, self.stitched.width), *(each.fetched() for each in moved.fetches),
            *(LoadChunk(v.chunk, v.pointer, v.place(self._at), width, TRUE) for v in self._recalls(position)), *work,
            *(StoreChunk(v.chunk, v.pointer, v.place(self._at), width, TRUE) for v in self._keeps(position, stage)),
            *(each.stored() for each in moved.stores),
        )  # fmt: skip
        own = (OwnPlace(self.stitched.width, count > 1),) if uses(inside, "@own") else ()
        inside = (*place_of_chunk(inside, self.stitched.width, count > 1), *own, *inside)
        return (self._ahead(count, fetched, inside) if count > 1 else Items(inside),)

    def _ahead(self, count: int, fetched: Seq[RowAccess], inside: tuple[Node, ...]) -> Flights:
        """What is done `inside` of each chunk, `count` of them at a time, which are fetched first."""
        registers = (Local(each.register, each.type, (number(count), number(self.stitched.width))) for each in fetched)
        loads = (each.loaded(each.chunk, binary("-", COUNT, AT), each.is_wide) for each in fetched)
        loading = Unrolled("flight", count, (ChunkPlace(self.stitched.width, in_flight=True), *loads))
        there = If(binary("<", binary("+", _C, variable("@l")), _ITEMS), inside)
        return Flights(count, (*registers, loading, Unrolled("flight", count, (there,))))

    def _is_written(self, promotion: RegisterPromotion, stage: RowStage) -> bool:
        inside = statements_of(stage.body)
        return not promotion.computed and any(
            a.kind.writes and self.scop.array(a.array).symbol.name == promotion.symbol
            for name in inside
            for a in self.scop.statement(name).accesses
        )


def _rounded_up(count: Expr, share: Expr, known: int = 0) -> Expr:
    """`count / share`, rounded up; `known` is the share, where it is a number."""
    if known == 1:
        return count
    above = plus(count, number(known - 1)) if known else binary("-", plus(count, share), number(1))
    return binary("/", above, share)
