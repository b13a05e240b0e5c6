"""The verifier of `MappedProgram`: every statement runs exactly once, every variable has a place.

That the statements run in a right order is verified by `gpu/verifiers/order.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.mapping import Composed, Kernel, MappedProgram, Place, Shape, Stitched
from pencilc.ir.scop import Statement, StatementKind
from pencilc.ir.source import KEEP


def verify_mapping(program: MappedProgram) -> None:
    """Raise CompilerBug if a statement is lost or doubled, or a shape lacks what it needs."""
    kernels = program.kernels()
    if program.sequential:
        return
    count: Counter[str] = Counter()
    for kernel in kernels:
        count.update(_stood_for(program, kernel.statements))
        if kernel.shape is Shape.COLUMN and (kernel.kept_box is None or kernel.reduced_box is None):
            raise CompilerBug(f"{kernel.name}: a column reduction needs boxes")
        if kernel.width > 1 and not kernel.vectors:
            raise CompilerBug(f"{kernel.name}: chunks without a vector access")
        if kernel.shape is Shape.INDIRECT and not kernel.bins:
            raise CompilerBug(f"{kernel.name}: an indirect reduction needs bins")
        _check_dealt(kernel)
    in_place = program.in_place()
    begun = {r.init for r in in_place if r.init_function != KEEP}
    shifted = program.scheduled.scop.shifted
    missing = {
        *program.uniform,
        *program.scheduled.dependences.dead,
        *program.dropped,
        *shifted,
        *(r.merge for r in in_place),
    }
    _check_fused(program)
    for statement in program.scheduled.scop.statements:
        absent = statement.kind is StatementKind.KILL or statement.name in missing
        absent = absent or (statement.kind is StatementKind.INIT and statement.name not in begun)
        wanted = 0 if absent else 1
        if count[statement.name] > 1 and _is_repeated(program, statement):
            continue
        if count[statement.name] != wanted and not statement.domain.is_empty():
            raise CompilerBug(f"{statement.name} is in {count[statement.name]} kernels and belongs in {wanted}")
    for storage in program.storage:
        if storage.place is Place.REGISTER and storage.expanded:
            raise CompilerBug(f"{storage.array} is a register with dimensions")


def _check_dealt(kernel: Kernel) -> None:
    """Raise CompilerBug if a sequential row is dealt out to threads, or a reduced one kept."""
    if any(row.flag != "P" for row in kernel.kept) or any(row.flag == "s" for row in kernel.reduced):
        raise CompilerBug(f"{kernel.name} deals out a row that is not parallel")


def _stood_for(program: MappedProgram, names: Iterable[str]) -> tuple[str, ...]:
    """The statements whose work is done."""
    others = program.scheduled.scop.shifted
    return tuple(others.get(name, name) for name in names)


def _check_fused(program: MappedProgram) -> None:
    for stitched in program.stitched():
        _check_dealt(stitched.kernel)
        _check_stitched(stitched)
    for composed in program.composed():
        _check_dealt(composed.kernel)
        _check_composed(composed)


def _is_repeated(program: MappedProgram, statement: Statement) -> bool:
    """Whether the statement computes registers, which several kernels have each for itself."""
    scop = program.scheduled.scop
    written = [a for a in statement.accesses if a.kind.writes]
    places = [program.place(scop.array(a.array).symbol.name) for a in written]
    return bool(places) and all(place.place is Place.REGISTER and len(place.homes) > 1 for place in places)


def _check_stitched(stitched: Stitched) -> None:
    """Raise CompilerBug unless the stages do the work of the kernels they stand for."""
    wanted = _statements(stitched.members)
    found: Counter[str] = Counter()
    for stage in stitched.stages:
        found.update(stage.statements)
    if found != wanted:
        raise CompilerBug(f"{stitched.kernel.name} runs {sorted(found)} instead of {sorted(wanted)}")
    for slot in stitched.slots:
        if not 0 <= slot.first <= slot.last < len(stitched.stages):
            raise CompilerBug(f"{stitched.kernel.name}: the register of `{slot.symbol}` has no lifetime")


def _check_composed(composed: Composed) -> None:
    """Raise CompilerBug unless the stages do the work of the kernels they stand for."""
    apart = [k for item in composed.apart for k in (item.members if isinstance(item, Stitched) else (item,))]
    wanted, found = _statements(apart), _statements(composed.stages)
    if found != wanted:
        raise CompilerBug(f"{composed.kernel.name} runs {sorted(found)} instead of {sorted(wanted)}")
    for shared in composed.shared:
        if not 0 <= shared.first <= shared.last < len(composed.stages):
            raise CompilerBug(f"{composed.kernel.name}: `{shared.storage.array}` has no lifetime")
    for one, other in combinations(composed.shared, 2):
        if one.region == other.region and one.first <= other.last and other.first <= one.last:
            raise CompilerBug(f"`{one.storage.array}` and `{other.storage.array}` share memory at one time")


def _statements(kernels: Iterable[Kernel]) -> Counter[str]:
    return Counter(name for kernel in kernels for name in kernel.statements)
