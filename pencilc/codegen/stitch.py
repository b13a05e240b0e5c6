"""Stitched kernels to kernel functions: stages over a row whose elements stay in registers.

A function is composed of nodes: who has a row, a loop over rows, in it a stage after the other, in each of these loads,
a loop over what a thread has of the row, stores, an exchange.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import replace
from typing import Literal

from pencilc.codegen.accumulators import accumulator
from pencilc.codegen.bodies import lowered_type, set_to
from pencilc.codegen.forms import shared_helpers
from pencilc.codegen.frame import KernelFrame
from pencilc.codegen.instances import Instances, KernelPart
from pencilc.codegen.kernels import uniform_lines
from pencilc.codegen.known_lengths import idle_kernels
from pencilc.codegen.lowering import Bindings, access, lowered
from pencilc.codegen.names import NameTable, safe
from pencilc.codegen.row_nodes import (
    COUNT,
    ITEMS,
    MovedRows,
    RowAccess,
    chunks,
    elements_of_chunk,
    exchanged_among,
    place_of_chunk,
)
from pencilc.codegen.segments import run_address
from pencilc.codegen.speculation import Speculation, Split
from pencilc.gpu.shapes.registers import FUNCTION, working
from pencilc.ir.build import (
    ZERO,
    binary,
    cast,
    choice,
    declare,
    element,
    number,
    variable,
)
from pencilc.ir.combining import ByOne, Start
from pencilc.ir.kernel import HelperCall, KernelFunction
from pencilc.ir.mapping import MappedProgram, RegisterPromotion, RowStage, Stitched
from pencilc.ir.nodes import If, Node, uses
from pencilc.ir.on_chip import (
    EachItem,
    ElementPlace,
    Exchange,
    ExchangeParts,
    GridParts,
    Local,
    RowPlace,
    RowTeam,
    StageOfRow,
    StitchedRows,
    Team,
    WhereWhole,
)
from pencilc.ir.schedule import Leaf, Sequence, statements_of
from pencilc.ir.scop import Statement
from pencilc.ir.shapes import Accumulated, Kernel
from pencilc.ir.source import INT, Call, CType, Expr, Index, Name, PointerType
from pencilc.ir.storage import Home
from pencilc.target import MAX_THREADS, WARP

# Bytes of a row that a thread may hold from stage to stage where several blocks are to be resident, and their threads.
_HELD, _RESIDENT_THREADS = 128, 768
_PLACES = 8  # of two sets take whole chunks of 16 bytes, however small a value is
_RUNS = 4  # arrays that it goes through then: each has an address

# The teams that are the whole grid: of one row, without a loop.
_GRIDS: tuple[Team, ...] = ("grid", "block_grid")


class StitchWriter:
    """Writes the function of one stitched kernel; `own` is the program with the places of variables inside it."""

    def __init__(self, program: MappedProgram, stitched: Stitched) -> None:
        self.stitched, self.kernel = stitched, stitched.kernel
        self.own = replace(program, storage=stitched.storage)
        self.scop = program.scop
        self.frame = KernelFrame(self.own, self.kernel)
        self.registers = register_names(stitched, "row")
        table = NameTable()
        self.runs = [(table.fresh(f"@{s.symbol}_run"), table.fresh(f"@{s.symbol}_wide")) for s in stitched.promoted]
        self.launched = {k.name for k in program.kernels()} - idle_kernels(program)
        self.of_row = {s.array for s in self.own.storage if Home(self.kernel.name, "row") in s.homes}
        self.accesses: dict[int, Expr] = {}  # promotion number -> an access to it
        self.promoted_in: dict[str, list[tuple[int, Expr]]] = {}  # statement -> promotions that it accesses, and how
        for promoted, promotion in self._promotions():
            for statement, expr in promotion.accesses:
                self.promoted_in.setdefault(statement, []).append((promoted, expr))
        self.counts = self.frame.counts()
        self.exchanges = self._exchanges()

    def functions(self) -> tuple[KernelFunction, ...]:
        """The function for rows, from whose forms the entry point picks; where all is one row, one for the grid too."""
        stages = self._stages()
        team: Team = "across" if self.stitched.across else "threads"
        numbers = ("ACROSS", "ITEMS") if self.stitched.across else ("ITEMS",)
        own = (*self._row_lines(), *self._row_registers())
        wide = self.stitched.wide
        function = replace(
            self._function(team, numbers, own, stages), helpers=self._helpers(), widest=MAX_THREADS if wide else 0,
            wide=wide[-1] if wide else 0, resident=self._resident(),
        )  # fmt: skip
        if self.kernel.kept:
            return (function,)
        grid = self._function("grid", ("ITEMS",), own, exchanged_among("grid", stages))
        resident = self.kernel.launch.grid_blocks_per_sm
        return (function, replace(grid, name=f"{grid.name}_grid", shape="stitched_grid", resident=resident))

    def _resident(self) -> int:
        """Blocks of a multiprocessor at least: a thread has 80 registers, where no more than 32 hold its row and no
        operation on an element takes many.
        """
        if self.stitched.across or self.stitched.scattered or not self.stitched.wide:
            return 1
        rows = [s for _, s in self._promotions() if self._has_row(s)]
        between = range(len(self.stitched.stages) - 1)
        held = max((sum(s.size for s in rows if s.first <= stage < s.last) for stage in between), default=0)
        runs = sum(not s.of_row and (s.loaded >= 0 or s.stored >= 0) for _, s in self._promotions())
        fits = held * self.stitched.width * self.stitched.items[-1] <= _HELD and runs <= _RUNS
        return max(1, _RESIDENT_THREADS // self.kernel.block) if fits and not self._works_hard() else 1

    def _works_hard(self) -> bool:
        """Whether an operation on an element takes more registers than a function of floats does."""
        return any(
            working(
                self.scop, statements_of(stage.body),
                [each.operator.function for each in self.scop.reductions_of(stage.reductions)],
            ) > FUNCTION
            for stage in self.stitched.stages
        )  # fmt: skip

    # ---- who has a row -----------------------------------------------------------------------------

    def _function(
        self, team: Team, numbers: tuple[str, ...], own: tuple[Node, ...], stages: tuple[Node, ...]
    ) -> KernelFunction:
        """The function whose rows this team has; `own` is what the whole row has, for all of its stages."""
        kernel, counts = self.kernel, self.counts
        scalars = uniform_lines(self.own, self._instances(()), (own, stages, counts.reduced))
        return KernelFunction(
            kernel.name, "stitched", self._comment(), (), (), kernel.block,
            (*scalars, *self._team(team, kernel.block), *self._over_rows(team, (*own, *stages))), numbers=numbers,
            index=kernel.index, counts=counts,
        )  # fmt: skip

    def _team(self, team: Team, size: int, across: int = 1) -> tuple[Node, ...]:
        """Who has a row, what they exchange it through, and the number of a thread among them."""
        items = "elements" if self.stitched.scattered else f"chunks of {self.stitched.width} elements"
        parts = self._parts()
        if parts is not None and team in _GRIDS:
            parts = GridParts(parts.name, parts.members, parts.places)
        rows = None if team in _GRIDS else self.counts.rows
        count = None if self.stitched.across else self.counts.reduced
        return (
            RowTeam(team, size, across, items, self._few()), *((parts,) if parts is not None else ()),
            RowPlace(team, size, rows, count),
        )  # fmt: skip

    def _count(self) -> Expr:
        """How long a row is, as threads count their elements."""
        assert self.counts.reduced is not None
        return cast(INT, self.counts.reduced)

    def _over_rows(self, team: Team, inside: tuple[Node, ...]) -> tuple[Node, ...]:
        """A loop over the rows of a team, unless all of them have the only one."""
        frame = self.frame
        body = (*frame.recover("@row", frame.kept_names, self.kernel.kept_box or (), inside), *inside)
        if team in _GRIDS:
            return body
        names_row = uses(body, "@row")
        if self.stitched.across:
            has_row = binary("<", frame.point("@mine"), frame.point("@rows"))
            count = declare("@count", INT, choice(has_row, self._count(), ZERO), is_const=True)
            body = (count, *body)
        return (StitchedRows(team, body, names_row),)

    def _comment(self) -> tuple[str, ...]:
        return (
            f"{self._lines(self.frame.all_statements())}: a row after the other, in registers from stage to stage.",
        )

    def _lines(self, statements: Seq[str]) -> str:
        return self.frame.where(statements) or "No line"

    def _promotions(self) -> list[tuple[int, RegisterPromotion]]:
        return list(enumerate(self.stitched.promoted))

    def _has_row(self, promotion: RegisterPromotion) -> bool:
        """Whether a thread has a register for each of its elements; scattered ones are loaded ahead of their stage."""
        return promotion.has_row or (self.stitched.scattered and not promotion.of_row and promotion.loaded >= 0)

    # ---- what a row exchanges ----------------------------------------------------------------------

    def _exchanges(self) -> dict[int, Exchange]:
        """What the threads of a row exchange, by the number of the stage behind whose elements they do."""
        among: Literal["row", "across"] = "across" if self.stitched.across else "row"
        found: dict[int, Exchange] = {}
        for position, stage in enumerate(self.stitched.stages):
            if stage.kernel is not None and stage.reductions:
                exchanged = accumulator(self.own, stage.kernel)
                warps = self._warps()
                part = f"stage{position}"
                found[position] = Exchange(exchanged, part, len(found), among, self.kernel.block, warps, self._few())
        return found

    def _warps(self) -> Expr:
        """How many warps have a row, at most."""
        of_block, wide = number(self.kernel.block // WARP), self.stitched.wide
        is_wide = binary("<=", ITEMS, number(wide[-1])) if wide else None
        return of_block if is_wide is None else choice(is_wide, number(MAX_THREADS // WARP), of_block)

    def _few(self) -> Expr | None:
        """In which form of the function some lanes of a warp may have a row."""
        shared = self.stitched.shared_by_rows
        return binary("==", ITEMS, number(shared)) if shared else None

    def _parts(self) -> ExchangeParts | None:
        """The shared memory for that, if there is anything to exchange."""
        members = tuple((each.accumulator, each.part) for each in self.exchanges.values())
        long_rows = self.stitched.long_rows
        wide = MAX_THREADS if self.stitched.wide else 0
        warps = max(self.kernel.block, wide) // WARP
        if long_rows is not None:
            # A block shows a value to the others of its cluster besides; what the launch provides begins on 16 bytes.
            shown = long_rows.threads // WARP + (long_rows.clusters > 1)
            warps = max(warps, -(-shown // _PLACES) * _PLACES)
        places = self.kernel.block if self.stitched.across else warps
        return ExchangeParts(self.kernel.name, members, places) if members else None

    def _helpers(self) -> tuple[HelperCall, ...]:
        """The functions that exchanges are: no kernel of its own may bring those of an accumulator."""
        found: list[HelperCall] = []
        across, size = self.stitched.across, self.kernel.block
        for position, exchange in self.exchanges.items():
            stage, exchanged = self.stitched.stages[position], exchange.accumulator
            if stage.kernel is not None and stage.kernel.name not in self.launched:
                found += (each for each in shared_helpers(exchanged, size) if each.macro != "warp" or not across)
        parts = self._parts()
        if parts is not None:
            found.append(HelperCall("parts", (parts,)))
            if not self.kernel.kept:
                found.append(HelperCall("partial", (parts,)))
                found += [HelperCall("grid", (each, part, parts.name, size)) for each, part in parts.members]
        return tuple(found)

    # ---- registers ---------------------------------------------------------------------------------

    def _row_lines(self) -> tuple[Node, ...]:
        """Declarations of the values of the row, and loads of those that come from memory."""
        found: list[Node] = []
        for position, promotion in self._promotions():
            if promotion.of_row:
                load = self.accesses[position] if promotion.loaded >= 0 else None
                found.append(declare(self.registers[position], promotion_type(promotion), load))
        symbols = {a.symbol.name: a.symbol for a in self.scop.arrays}
        named = {s.symbol for s in self.stitched.promoted}
        for storage in self.own.storage:
            if storage.array in self.of_row and storage.array not in named:
                found.append(declare(safe(storage.array), lowered_type(symbols[storage.array].type, Bindings())))
        return tuple(found)

    def place(self, number: int) -> Expr:
        """What stands for an access to a promotion."""
        promotion = self.stitched.promoted[number]
        ctype = promotion_type(promotion)
        if promotion.of_row or (self.stitched.scattered and not self._has_row(promotion)):
            return variable(self.registers[number], ctype)
        register: Expr = variable(self.registers[number], PointerType(ctype))
        if self._has_row(promotion):
            register = element(register, variable("@c"), ctype)
        if self.stitched.scattered:
            return register
        return element(register, variable("@k") if self.stitched.width > 1 else ZERO, ctype)

    def _find(self, promotion: RegisterPromotion) -> None:
        """Write down where in memory a value of the row is, as a statement has it that is not the first to use it.

        for (i = 0; i < 1; i++) b[i] = 0;  for (i = 0; i < n; i++) b[i] += ...       b[i], and not b[0]
        """
        name = promotion.accesses[promotion.address][0]
        if any(name in stage.post for stage in self.stitched.stages):
            frame = self.frame
            ast = frame.ast(Leaf(name), frame.kept, frame.kept_names, frame.inner_names)
            self._instances(()).nodes(ast, KernelPart("post", set(self.of_row)))

    def _row_registers(self) -> tuple[Node, ...]:
        """The registers of a thread that live across stages."""
        extents = (ITEMS,) if self.stitched.scattered else (ITEMS, number(self.stitched.width))
        return tuple(
            Local(self.registers[n], promotion_type(s), extents) for n, s in self._promotions() if self._has_row(s)
        )

    def _access(self, number: int) -> RowAccess:
        promotion, name = self.stitched.promoted[number], self.registers[number]
        boxes = zip(self.frame.reduced_names, self.kernel.reduced_box or (), strict=True)
        lowers = {iterator: self.frame.bounds(box)[0] for iterator, box in boxes}
        moved = (promotion.loaded >= 0 or promotion.stored >= 0) and not self.stitched.scattered
        first = run_address(self.accesses[number], lowers) if moved else None
        ctype = promotion_type(promotion)
        chunk: Expr = variable(name, PointerType(ctype))
        if self._has_row(promotion):
            chunk = element(chunk, variable("@c"), ctype)
        return RowAccess(name, chunk, ctype, first, *self.runs[number], f"{name}s")

    # ---- stages ------------------------------------------------------------------------------------

    def _instances(self, reductions: tuple[str, ...]) -> StitchInstances:
        kernel = replace(self.kernel, plans=tuple(Accumulated(name) for name in reductions))
        return StitchInstances(self.own, kernel, self.frame.types, self)

    def _stages(self) -> tuple[StageOfRow, ...]:
        """One stage after the other."""
        for _, promotion in self._promotions():
            if promotion.of_row and promotion.address:
                self._find(promotion)
        return tuple(self._stage(number, stage) for number, stage in enumerate(self.stitched.stages))

    def _stage(self, position: int, stage: RowStage) -> StageOfRow:
        writer = self._instances(stage.reductions)
        split, point = self._elements(position, stage, writer)
        behind = self._behind(position, stage, writer)
        work = self._work(position, stage, split, point) if stage.body is not None else ()
        return StageOfRow(f"{self._lines(stage.statements)}.", (*work, *behind))

    def _work(self, position: int, stage: RowStage, split: Split, point: tuple[Node, ...]) -> tuple[Node, ...]:
        """The elements of a stage, from the loads of the whole row to what its threads exchange behind them."""
        moved, exchange = self._moved(position), self.exchanges.get(position)
        nodes: list[Node] = [*self._before(position, moved)]
        if split.quotients is not None:
            nodes += split.quotients.divisors
        if exchange is not None:
            nodes.append(Start(exchange.accumulator, 1))
        if self.stitched.scattered:
            nodes += self._scattered(position, stage, moved, point, split.body)
        else:
            nodes += self._sweep(position, stage, moved, elements_of_chunk(split, point, self.stitched.width))
        if exchange is not None:
            nodes.append(exchange)
        return tuple(nodes)

    def _moved(self, position: int) -> MovedRows:
        """What a stage loads and stores; scattered elements are no runs."""
        promotions = [(n, s) for n, s in self._promotions() if not s.of_row]
        chunks = [self._access(n) for n, s in promotions if s.first == s.last == position and not self._has_row(s)]
        if self.stitched.scattered:
            return MovedRows((), (), (), tuple(chunks))
        loaded = [(n, s) for n, s in promotions if s.loaded == position]
        return MovedRows(
            tuple(self._access(n) for n, s in loaded if self._has_row(s)),
            tuple(self._access(n) for n, s in loaded if not self._has_row(s)),
            tuple(self._access(n) for n, s in promotions if s.stored == position),
            tuple(chunks),
        )

    def _before(self, position: int, moved: MovedRows) -> Iterator[Node]:
        """Where runs begin, and the loads of what the whole row has."""
        if self.stitched.scattered:
            yield from self._gathered(position)
            return
        stored = {each.run for each in moved.stores}
        for each in (*moved.loads, *moved.fetches):
            if each.run not in stored:
                yield each.declared(is_const=True)
        for each in moved.stores:
            yield each.declared(is_const=False)
        if moved.loads:
            yield from self._loaded(moved.loads)

    def _gathered(self, position: int) -> tuple[Node, ...]:
        """The loads of a stage whose elements are no runs in memory: without conditions where the row has all of them.

        A condition of its own for each load would be kept up to the use: nvcc has seven predicates, and so many loads.
        Two loads are as well off with theirs.
        """
        gathers = self._gathers(position)
        there = If(binary("<", variable("@x"), COUNT), gathers)
        place = (ElementPlace(),) if uses(gathers, "@x") else ()  # an element of the row itself is the same everywhere
        whole, some = EachItem((*place, *gathers)), EachItem((ElementPlace(), there))
        return (WhereWhole((whole,), (some,)),) if gathers else ()

    def _loaded(self, loads: Seq[RowAccess]) -> tuple[Node, ...]:
        """The loads of runs that the whole row has."""
        return tuple(each.whole() for each in loads)

    def _scattered(
        self, position: int, stage: RowStage, moved: MovedRows, point: tuple[Node, ...], work: tuple[Node, ...]
    ) -> tuple[Node, ...]:
        """The elements of a stage where they are no runs in memory, one by one; `point` finds their iterators."""
        registers = (declare(each.register, each.type) for each in moved.chunks)
        there = If(binary("<", variable("@x"), COUNT), (*point, *work))
        return (EachItem((ElementPlace(), *registers, there)),)

    def _sweep(self, position: int, stage: RowStage, moved: MovedRows, work: tuple[Node, ...]) -> tuple[Node, ...]:
        """The elements of a stage, a chunk after the other."""
        inside = (
            *chunks(moved, self.stitched.width), *(each.fetched() for each in moved.fetches), *work,
            *(each.stored() for each in moved.stores),
        )  # fmt: skip
        return (EachItem((*place_of_chunk(inside, self.stitched.width), *inside)),)

    def _gathers(self, position: int) -> tuple[Node, ...]:
        """Loads of element `@x` into the registers of a stage, where elements are no runs in memory."""
        loaded = [n for n, s in self._promotions() if not s.of_row and s.loaded == position]
        loads = tuple(set_to(self.place(n), self.accesses[n]) for n in loaded)
        point = self.frame.recover("@x", self.frame.reduced_names, self.kernel.reduced_box or (), loads)
        return (*point, *loads) if loads else ()

    def _behind(self, number: int, stage: RowStage, writer: StitchInstances) -> tuple[Node, ...]:
        """What every thread of the row does behind the elements, and what one of them does alone.

        One thread does its part last, but for what the others change behind it: `b[at] = s; at = at + 1;`.
        """
        frame = self.frame
        part = KernelPart("post", set(self.of_row), stage=number)
        by_whom: Literal["across", "row"] = "across" if self.stitched.across else "row"
        post: list[Node] = []
        everything: list[Node] = []
        waiting: list[str] = []
        by_one_thread: tuple[Node, ...] = ()
        for name in stage.post:
            nodes = writer.nodes(frame.ast(Leaf(name), frame.kept, frame.kept_names, frame.inner_names), part)
            everything += nodes
            if name in self.stitched.by_one_thread:
                waiting.append(name)
                by_one_thread += nodes
                continue
            if self._changes_read(name, waiting):
                post.append(ByOne(by_whom, by_one_thread))
                waiting, by_one_thread = [], ()
            post += nodes
        post = [*writer.missing_declarations(part, tuple(everything)), *post]
        stored = [n for n, s in self._promotions() if s.of_row and s.stored == number]
        alone = (*by_one_thread, *(set_to(self.accesses[n], self.place(n)) for n in stored))
        return (*post, ByOne(by_whom, alone)) if alone else tuple(post)

    def _changes_read(self, name: str, before: Seq[str]) -> bool:
        """Whether a statement writes what one of those `before` it reads."""
        written = self.scop.written((name,))
        return any(not written.isdisjoint(self.scop.read((earlier,))) for earlier in before)

    def _elements(self, number: int, stage: RowStage, writer: StitchInstances) -> tuple[Split, tuple[Node, ...]]:
        """The nodes for one element, and those that recover its iterators from `x`."""
        if stage.body is None:
            return Split((), ()), ()
        frame = self.frame
        assert isinstance(frame.tree, Sequence)
        position = sum(s.body is not None for s in self.stitched.stages[:number])
        part = KernelPart("body", stage=number)
        names = (*frame.kept_names, *frame.reduced_names)
        ast = frame.ast(frame.tree.children[position], (*frame.kept, *frame.reduced), names, frame.inner_names)
        nodes = writer.whole(part, ast)
        if self.stitched.scattered:
            stored = [n for n, s in self._promotions() if not s.of_row and s.stored == number]
            nodes = (*nodes, *(set_to(self.accesses[n], self.place(n)) for n in stored))
        split = Split((), nodes) if self.stitched.scattered else self._split(nodes)
        point = frame.recover("@x", frame.reduced_names, self.kernel.reduced_box or (), split.body)
        return split, point

    def _split(self, nodes: tuple[Node, ...]) -> Split:
        """What of the nodes for one element is computed for all registers of a chunk."""
        registers = frozenset(self.registers[n] for n, s in self._promotions() if not s.of_row)
        functions = {safe(f.name): f for f in self.scop.functions} | {f.name: f for f in self.scop.functions}
        split = Speculation(registers, frozenset(self.frame.reduced_names), functions).split(nodes)
        return split if self.stitched.width > 1 else replace(split, quotients=None)


class StitchInstances(Instances):
    """Statement instances whose accesses to promotions are registers."""

    def __init__(self, program: MappedProgram, kernel: Kernel, types: dict[str, CType], owner: StitchWriter) -> None:
        super().__init__(program, kernel, types)
        self.owner = owner

    def _with_loads(self, record: Statement, bindings: Bindings, part: KernelPart) -> Bindings:
        loads = self._contracted(record, bindings)
        values: dict[str, Expr] = {}
        for position, expr in self.owner.promoted_in.get(record.name, ()):
            key = access(expr, bindings)
            self.owner.accesses.setdefault(position, key)
            if isinstance(expr, Index | Call):
                loads[key] = self.owner.place(position)
            elif isinstance(expr, Name):
                values[expr.symbol.name] = self.owner.place(position)
        return Bindings({**bindings.values, **values}, bindings.arrays, {**bindings.loads, **loads}, bindings.pinned)

    def _written(self, record: Statement, bindings: Bindings, part: KernelPart) -> tuple[Node, ...]:
        """The statement, after the calls that it makes for later stages too."""
        found: list[Node] = []
        for position, promotion in enumerate(self.owner.stitched.promoted):
            statement, call = promotion.accesses[0]
            if promotion.computed and statement == record.name:
                key = access(call, bindings)
                own = replace(bindings, loads={k: v for k, v in bindings.loads.items() if k != key})
                found.append(set_to(self.owner.place(position), lowered(call, own)))
        return (*found, *super()._written(record, bindings, part))


def promotion_type(promotion: RegisterPromotion) -> CType:
    """The type of a promotion."""
    return promotion.accesses[0][1].type


def register_names(stitched: Stitched, long_lived: str) -> tuple[str, ...]:
    """Names of the promotions: the variable's own where nothing else is left of it.

    `long_lived`: how values of elements that several stages use are called, as against those of a chunk.
    """
    found: list[str] = []
    table = NameTable()
    for promotion in stitched.promoted:
        if promotion.of_row:
            found.append(
                safe(promotion.symbol)
                if promotion.symbol in stitched.on_chip
                else table.fresh(f"@{promotion.symbol}_value")
            )
        else:
            found.append(table.fresh(f"@{promotion.symbol}_{long_lived if promotion.has_row else 'chunk'}"))
    return tuple(found)
