"""Stitched kernels for rows that stay in shared memory: a chunk of the row is in registers while it is worked on."""

from __future__ import annotations

from dataclasses import replace

from pencilc.codegen.stitch import StitchWriter, register_names, slot_type
from pencilc.ir.kernel import HeldValue, KernelFunction, RowAccess, StageCode, StitchCode
from pencilc.ir.mapping import LongRows, MappedProgram, RegisterPromotion, RowStage, Stitched
from pencilc.ir.schedule import statements_of


class HeldWriter(StitchWriter):
    """Writes the form of a stitched kernel whose rows are held in shared memory."""

    def __init__(self, program: MappedProgram, stitched: Stitched, held: LongRows) -> None:
        super().__init__(program, stitched)
        self.long_rows = held
        self.registers = register_names(stitched, "chunk")
        self.offsets = self._offsets()

    def functions(self) -> tuple[KernelFunction, ...]:
        """The only function."""
        function = self._function()
        name, launch = f"{function.name}_held", {**function.launch, "across": self.long_rows.across}
        resident = 1 if self.kernel.kept else self.kernel.launch.grid_blocks_per_sm
        return (
            replace(
                function, name=name, shape="stitched_held", block=self.long_rows.threads, launch=launch, first=False,
                resident=resident,
            ),
        )  # fmt: skip

    def _code(self) -> StitchCode:
        values = tuple(self._value(n) for n in self.offsets)
        return replace(super()._code(), declares=(), held=values, in_flight=self.long_rows.in_flight)

    def _offsets(self) -> dict[int, tuple[int, int]]:
        """For each held slot the bytes for an element that lie before it, and those of its region."""
        found: dict[int, tuple[int, int]] = {}
        before = 0
        for region in self.long_rows.regions:
            found |= dict.fromkeys(region.promoted, (before, region.size))
            before += region.size
        return dict(sorted(found.items()))

    def _comment(self) -> tuple[str, ...]:
        return (f"{self._lines(self.frame.all_statements())}: a row after the other, in shared memory between stages.",)

    def _has_row(self, slot: RegisterPromotion) -> bool:
        """Whether shared memory holds it: what one stage uses is loaded where it is used."""
        return not slot.of_row and slot.first < slot.last

    # ---- a chunk in registers ----------------------------------------------------------------------

    def place(self, number: int) -> str:
        """What stands for an access to a slot."""
        slot, name = self.stitched.promoted[number], self.registers[number]
        if slot.of_row or self.stitched.scattered:
            return name
        return f"{name}[{'@k' if self.stitched.width > 1 else '0'}]"

    def _access(self, number: int) -> RowAccess:
        return replace(super()._access(number), chunk=self.registers[number])

    def _value(self, number: int) -> HeldValue:
        slot = self.stitched.promoted[number]
        offset, size = self.offsets[number]
        register = self.registers[number]
        name = register.replace("_chunk", "_held")
        return HeldValue(register, slot_type(slot), name, offset, size // slot.size)

    def _stage(self, number: int, stage: RowStage) -> StageCode:
        code = super()._stage(number, stage)
        used = [n for n in self.offsets if self._is_used(self.stitched.promoted[n], number, stage)]
        recalls, keeps = [], []
        for n in used:
            slot = self.stitched.promoted[n]
            loads_whole = slot.loaded == number and not self.stitched.scattered
            if slot.first < number or loads_whole:
                recalls.append(self._value(n))
            made = slot.loaded == number or (slot.computed and slot.first == number)
            if number < slot.last and ((made and not loads_whole) or self._is_written(slot, stage)):
                keeps.append(self._value(n))
        chunks = (*code.chunks, *(self._access(n) for n in used))
        return replace(code, chunks=chunks, recalls=tuple(recalls), keeps=tuple(keeps))

    def _is_used(self, slot: RegisterPromotion, number: int, stage: RowStage) -> bool:
        inside = set(statements_of(stage.body)) if stage.body is not None else set()
        return number in (slot.loaded, slot.stored) or any(statement in inside for statement, _ in slot.accesses)

    def _is_written(self, slot: RegisterPromotion, stage: RowStage) -> bool:
        inside = statements_of(stage.body)
        return not slot.computed and any(
            a.kind.writes and self.scop.array(a.array).symbol.name == slot.symbol
            for name in inside
            for a in self.scop.statement(name).accesses
        )
