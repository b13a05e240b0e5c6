"""Stitched kernels to kernel functions: stages over a row whose elements stay in registers."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace
from typing import Literal

from pencilc.codegen.accumulators import accumulator
from pencilc.codegen.bodies import lowered_type, set_to
from pencilc.codegen.frame import KernelFrame
from pencilc.codegen.instances import Instances, KernelPart
from pencilc.codegen.kernels import uniform_lines
from pencilc.codegen.lowering import Bindings, access, lowered
from pencilc.codegen.names import NameTable, safe
from pencilc.codegen.segments import run_address
from pencilc.codegen.speculation import Speculation, Split
from pencilc.ir.build import ZERO, count_of, declare, element, variable
from pencilc.ir.kernel import (
    Exchange,
    HelperCall,
    KernelFunction,
    Node,
    RowAccess,
    StageCode,
    StitchCode,
    StitchedGrid,
    StitchedRows,
)
from pencilc.ir.mapping import MappedProgram, RegisterPromotion, RowStage, Stitched
from pencilc.ir.schedule import Leaf, Sequence
from pencilc.ir.scop import Statement
from pencilc.ir.shapes import Accumulated, Kernel
from pencilc.ir.source import Call, CType, Expr, Index, Name, PointerType
from pencilc.ir.storage import Home
from pencilc.target import WARP


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
        self.launched = {k.name for k in program.kernels()}
        self.of_row = {s.array for s in self.own.storage if Home(self.kernel.name, "row") in s.homes}
        self.accesses: dict[int, Expr] = {}  # promotion number -> an access to it
        self.promoted_in: dict[str, list[tuple[int, Expr]]] = {}  # statement -> promotions that it accesses, and how
        for number, promotion in self._promotions():
            for statement, expr in promotion.accesses:
                self.promoted_in.setdefault(statement, []).append((number, expr))

    def functions(self) -> tuple[KernelFunction, ...]:
        """The function for rows, from whose forms the entry point picks; where all is one row, one for the grid too."""
        function = self._function()
        if self.kernel.kept:
            return (function,)
        resident = self.kernel.launch.grid_blocks_per_sm
        (*scalars, rows) = function.body
        assert isinstance(rows, StitchedRows)
        whole = StitchedGrid(among_grid(rows.code), rows.rows, rows.kept, rows.name, rows.size)
        name, body = f"{function.name}_grid", (*scalars, whole)
        grid = replace(
            function, name=name, shape="stitched_grid", body=body, helpers=(), numbers=("ITEMS",), resident=resident
        )
        return (function, grid)

    def _function(self) -> KernelFunction:
        kernel, rows = self.kernel, self._rows()
        numbers = ("ACROSS" if rows.code.across else "THREADS", "ITEMS")
        return KernelFunction(
            kernel.name, "stitched", self._comment(), (), (), kernel.block,
            (*uniform_lines(self.own, self._instances(()), rows.code), rows),
            helpers=(HelperCall("stitch", (rows.code, kernel.name, kernel.block)),), numbers=numbers,
            index=kernel.index,
        )  # fmt: skip

    def _rows(self) -> StitchedRows:
        """All rows, a stage after the other."""
        kernel, frame, code = self.kernel, self.frame, self._code()
        kept = frame.recover("@row", frame.kept_names, kernel.kept_box or (), code)
        rows = count_of([frame.trips(b) for b in kernel.kept_box or ()])
        return StitchedRows(code, rows, kept, kernel.name, kernel.block)

    def _code(self) -> StitchCode:
        kernel, stitched = self.kernel, self.stitched
        for _, promotion in self._promotions():
            if promotion.of_row and promotion.address:
                self._find(promotion)
        stages = tuple(self._stage(number, stage) for number, stage in enumerate(stitched.stages))
        return StitchCode(
            stitched.width,
            stitched.items,
            stitched.scattered,
            stitched.across,
            not kernel.kept,
            count_of([self.frame.trips(b) for b in kernel.reduced_box or ()]),
            tuple(self._access(n) for n, s in self._promotions() if self._has_row(s)),
            self._row_lines(),
            stages,
            max(kernel.block, stitched.long_rows.threads if stitched.long_rows else 0) // WARP,
        )

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

    # ---- registers ---------------------------------------------------------------------------------

    def _row_lines(self) -> tuple[Node, ...]:
        """Declarations of the values of the row, and loads of those that come from memory."""
        found: list[Node] = []
        for number, promotion in self._promotions():
            if promotion.of_row:
                load = self.accesses[number] if promotion.loaded >= 0 else None
                found.append(declare(self.registers[number], promotion_type(promotion), load))
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

    def _gathers(self, numbers: Seq[int]) -> tuple[Node, ...]:
        """Loads of element `x` into its registers, where elements are no runs in memory."""
        loads = tuple(set_to(self.place(n), self.accesses[n]) for n in numbers)
        point = self.frame.recover("@x", self.frame.reduced_names, self.kernel.reduced_box or (), loads)
        return (*point, *loads) if loads else ()

    # ---- stages ------------------------------------------------------------------------------------

    def _instances(self, reductions: tuple[str, ...]) -> StitchInstances:
        kernel = replace(self.kernel, plans=tuple(Accumulated(name) for name in reductions))
        return StitchInstances(self.own, kernel, self.frame.types, self)

    def _stage(self, number: int, stage: RowStage) -> StageCode:
        writer = self._instances(stage.reductions)
        split, point = self._elements(number, stage, writer)
        post, by_one_thread = self._post(number, stage, writer)
        promotions = [(n, s) for n, s in self._promotions() if not s.of_row]
        loaded = [(n, s) for n, s in promotions if s.loaded == number]
        scattered = self.stitched.scattered
        names = stage.statements
        return StageCode(
            comment=f"{self._lines(names)}.",
            has_elements=stage.body is not None,
            exchange=self._exchange(number, stage),
            loads=() if scattered else tuple(self._access(n) for n, s in loaded if self._has_row(s)),
            gathers=self._gathers([n for n, _ in loaded]) if scattered else (),
            chunks=tuple(
                self._access(n) for n, s in promotions if s.first == s.last == number and not self._has_row(s)
            ),
            fetches=() if scattered else tuple(self._access(n) for n, s in loaded if not self._has_row(s)),
            ahead=split.ahead,
            point=point,
            body=split.body,
            stores=() if scattered else tuple(self._access(n) for n, s in promotions if s.stored == number),
            post=post,
            by_one_thread=by_one_thread,
            quotients=split.quotients if self.stitched.width > 1 else None,
            defines=stage.kernel is not None and stage.kernel.name not in self.launched,
        )

    def _exchange(self, number: int, stage: RowStage) -> Exchange | None:
        """What the threads of the row exchange behind the elements of a stage."""
        if stage.kernel is None or not stage.reductions:
            return None
        before = sum(bool(each.reductions) for each in self.stitched.stages[:number])
        among: Literal["row", "across"] = "across" if self.stitched.across else "row"
        return Exchange(accumulator(self.own, stage.kernel), f"stage{number}", before, among)

    def _post(self, number: int, stage: RowStage, writer: StitchInstances) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
        """What every thread of the row does behind the elements, and what one of them does alone."""
        frame = self.frame
        part = KernelPart("post", set(self.of_row), stage=number)
        post: tuple[Node, ...] = ()
        by_one_thread: tuple[Node, ...] = ()
        for name in stage.post:
            nodes = writer.nodes(frame.ast(Leaf(name), frame.kept, frame.kept_names, frame.inner_names), part)
            if name in self.stitched.by_one_thread:
                by_one_thread += nodes
            else:
                post += nodes
        post = (*writer.missing_declarations(part, (*post, *by_one_thread)), *post)
        stored = [n for n, s in self._promotions() if s.of_row and s.stored == number]
        return post, (*by_one_thread, *(set_to(self.accesses[n], self.place(n)) for n in stored))

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
        nodes = writer.nodes(ast, part)
        nodes = (*writer.missing_declarations(part, nodes), *nodes)
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
        return Speculation(registers, frozenset(self.frame.reduced_names), functions).split(nodes)


class StitchInstances(Instances):
    """Statement instances whose accesses to promotions are registers."""

    def __init__(self, program: MappedProgram, kernel: Kernel, types: dict[str, CType], owner: StitchWriter) -> None:
        super().__init__(program, kernel, types)
        self.owner = owner

    def _with_loads(self, record: Statement, bindings: Bindings, part: KernelPart) -> Bindings:
        loads = self._contracted(record, bindings)
        values: dict[str, Expr] = {}
        for number, expr in self.owner.promoted_in.get(record.name, ()):
            key = access(expr, bindings)
            self.owner.accesses.setdefault(number, key)
            if isinstance(expr, Index | Call):
                loads[key] = self.owner.place(number)
            elif isinstance(expr, Name):
                values[expr.symbol.name] = self.owner.place(number)
        return Bindings({**bindings.values, **values}, bindings.arrays, {**bindings.loads, **loads}, bindings.pinned)

    def _written(self, record: Statement, bindings: Bindings, part: KernelPart) -> tuple[Node, ...]:
        """The statement, after the calls that it makes for later stages too."""
        found: list[Node] = []
        for number, promotion in enumerate(self.owner.stitched.promoted):
            statement, call = promotion.accesses[0]
            if promotion.computed and statement == record.name:
                key = access(call, bindings)
                own = replace(bindings, loads={k: v for k, v in bindings.loads.items() if k != key})
                found.append(set_to(self.owner.place(number), lowered(call, own)))
        return (*found, *super()._written(record, bindings, part))


def among_grid(code: StitchCode) -> StitchCode:
    """The same stages where the whole grid has the row."""
    stages = (
        replace(stage, exchange=replace(stage.exchange, among="grid")) if stage.exchange is not None else stage
        for stage in code.stages
    )
    return replace(code, stages=tuple(stages))


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
