"""Stitched kernels for rows that stay in shared memory: a chunk of the row is in registers while it is worked on."""

from __future__ import annotations

from dataclasses import replace

from pencilc.codegen.names import NameTable
from pencilc.codegen.stitch import StitchWriter, among_grid, promotion_type, register_names
from pencilc.ir.build import ZERO, element, variable
from pencilc.ir.kernel import KernelFunction, RowAccess, SharedValue, StageCode, StitchCode, StitchedLong, StitchedRows
from pencilc.ir.mapping import LongRows, MappedProgram, RegisterPromotion, RowStage, Stitched
from pencilc.ir.schedule import statements_of
from pencilc.ir.source import Expr, PointerType


class LongRowWriter(StitchWriter):
    """Writes the form of a stitched kernel whose rows are kept in shared memory."""

    def __init__(self, program: MappedProgram, stitched: Stitched, long_rows: LongRows) -> None:
        super().__init__(program, stitched)
        self.long_rows = long_rows
        self.registers = register_names(stitched, "chunk")
        self.offsets = self._offsets()
        table = NameTable()
        self.shared = {n: table.fresh(f"@{stitched.promoted[n].symbol}_shared") for n in self.offsets}

    def functions(self) -> tuple[KernelFunction, ...]:
        """The only function."""
        function = self._function()
        resident = 1 if self.kernel.kept else self.kernel.launch.grid_blocks_per_sm
        return (
            replace(
                function, name=f"{function.name}_long", shape="stitched_long", block=self.long_rows.threads, helpers=(),
                numbers=(), resident=resident,
            ),
        )  # fmt: skip

    def _rows(self) -> StitchedRows:
        """All rows, in the shared memory of their block."""
        rows = super()._rows()
        return StitchedLong(
            rows.code, rows.rows, rows.kept, rows.name, self.long_rows.threads, self.long_rows.across
        )  # fmt: skip

    def _code(self) -> StitchCode:
        values = tuple(self._value(n) for n in self.offsets)
        code = super()._code()
        code = among_grid(code) if code.whole else code
        return replace(code, declares=(), shared_values=values, in_flight=self.long_rows.in_flight)

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
        return element(variable(name, PointerType(ctype)), variable("@k") if self.stitched.width > 1 else ZERO, ctype)

    def _access(self, number: int) -> RowAccess:
        access = super()._access(number)
        return replace(access, chunk=variable(access.register, PointerType(access.type)))

    def _value(self, number: int) -> SharedValue:
        promotion = self.stitched.promoted[number]
        offset, size = self.offsets[number]
        ctype, factor = promotion_type(promotion), size // promotion.size
        return SharedValue(self.registers[number], ctype, self.shared[number], offset, factor)

    def _stage(self, number: int, stage: RowStage) -> StageCode:
        code = super()._stage(number, stage)
        accessed = {n for name in statements_of(stage.body) for n, _ in self.promoted_in.get(name, ())}
        moved = {n for n, s in self._promotions() if number in (s.loaded, s.stored)}
        used = [n for n in self.offsets if n in accessed | moved]
        recalls, keeps = [], []
        for n in used:
            promotion = self.stitched.promoted[n]
            loads_whole = promotion.loaded == number and not self.stitched.scattered
            if promotion.first < number or loads_whole:
                recalls.append(self._value(n))
            made = promotion.loaded == number or (promotion.computed and promotion.first == number)
            if number < promotion.last and ((made and not loads_whole) or self._is_written(promotion, stage)):
                keeps.append(self._value(n))
        chunks = (*code.chunks, *(self._access(n) for n in used))
        return replace(code, chunks=chunks, recalls=tuple(recalls), keeps=tuple(keeps))

    def _is_written(self, promotion: RegisterPromotion, stage: RowStage) -> bool:
        inside = statements_of(stage.body)
        return not promotion.computed and any(
            a.kind.writes and self.scop.array(a.array).symbol.name == promotion.symbol
            for name in inside
            for a in self.scop.statement(name).accesses
        )
