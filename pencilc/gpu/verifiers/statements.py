"""The verifier of `MappedProgram`: every statement runs exactly once, every variable has a place.

That the statements run in a right order is verified by `gpu/verifiers/order.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.mapping import Composed, MappedProgram, Stitched, kernels_of
from pencilc.ir.schedule import Row, statements_of
from pencilc.ir.scop import ArrayKind, Scop, Statement, StatementKind
from pencilc.ir.shapes import Kernel
from pencilc.ir.source import KEEP
from pencilc.ir.storage import Register


def verify_mapping(program: MappedProgram) -> None:
    """Raise CompilerBug if a statement is lost or doubled, or a shape lacks what it needs."""
    kernels = program.kernels()
    if program.sequential:
        return
    scop = program.scop
    stands_for = scop.stands_for
    count: Counter[str] = Counter()
    for kernel in kernels:
        count.update(stands_for.get(name, name) for name in kernel.statements)
        verify_kernel(kernel)
        _verify_ends(scop, kernel)
    read: set[str] = set()
    for kernel in kernels:
        read |= scop.read(kernel.statements)
    unneeded = frozenset(s.name for s in scop.statements if not count[s.name] and _is_unneeded(scop, s, read))
    fused: list[Stitched | Composed] = [*program.stitched(), *program.composed()]
    for item in fused:
        verify_fused(item, stands_for, unneeded)
    in_place = program.in_place()
    initialised = {r.init for r in in_place if r.init_function != KEEP}
    missing = {*program.uniform, *program.scheduled.dependences.dead, *stands_for, *(r.merge for r in in_place)}
    for statement in scop.statements:
        absent = statement.kind is StatementKind.KILL or statement.name in missing
        absent = absent or (statement.kind is StatementKind.INIT and statement.name not in initialised)
        wanted = 0 if absent else 1
        if count[statement.name] > 1 and _is_repeated(program, statement):
            continue
        if statement.name in unneeded and stands_for:
            continue  # what it made was for a sum that is accumulated without it
        if count[statement.name] != wanted and not statement.domain.is_empty():
            raise CompilerBug(f"{statement.name} is in {count[statement.name]} kernels and belongs in {wanted}")


def _verify_ends(scop: Scop, kernel: Kernel) -> None:
    """Raise CompilerBug if a thread ends a reduction that others have begun: it begins with its initialisation.

    The merge node stands for that in the model.
    """
    ended = set(statements_of(kernel.body)) if kernel.body is not None else set[str]()
    for reduction in scop.reductions:
        others = set(reduction.updates) - ended
        if reduction.merge in ended and reduction.init_function != KEEP and others and not others <= set(kernel.post):
            raise CompilerBug(
                f"{kernel.name} ends {reduction.name} in a thread, and {min(others)} is in another kernel"
            )


def verify_kernel(kernel: Kernel) -> None:
    """Raise CompilerBug if a shape lacks what it needs."""
    for fault in kernel.faults():
        raise CompilerBug(f"{kernel.name}: {fault}")
    verify_rows(kernel.name, kernel.kept, kernel.reduced)


def verify_rows(name: str, kept: Iterable[Row], reduced: Iterable[Row]) -> None:
    """Raise CompilerBug if a sequential row is dealt out to threads, or a reduced one kept."""
    if any(row.flag != "P" for row in kept) or any(row.flag == "s" for row in reduced):
        raise CompilerBug(f"{name} deals out a row that is not parallel")


def verify_fused(
    item: Stitched | Composed, stands_for: Mapping[str, str], unneeded: Collection[str] = frozenset()
) -> None:
    """Raise CompilerBug unless the stages do the work of the kernels they stand for, but for what nobody needs there.

    `stands_for`: statements of joined sweeps, with those whose work they do.
    """
    verify_rows(item.kernel.name, item.kernel.kept, item.kernel.reduced)
    wanted = Counter(stands_for.get(name, name) for name in _fallback_statements(item))
    if isinstance(item, Stitched):
        wanted = Counter(set(wanted))  # what several kernels compute for themselves is computed once for a row
    found = Counter(name for stage in item.stages for name in stage.statements)
    if wanted - found or (found - wanted).keys() - unneeded:
        raise CompilerBug(f"{item.kernel.name} runs {sorted(found)} instead of {sorted(wanted)}")
    if isinstance(item, Stitched):
        _verify_promotions(item)
    else:
        _verify_shared(item)


def _verify_promotions(stitched: Stitched) -> None:
    for promotion in stitched.promoted:
        if not 0 <= promotion.first <= promotion.last < len(stitched.stages):
            raise CompilerBug(f"{stitched.kernel.name}: the register of `{promotion.symbol}` has no lifetime")


def _verify_shared(composed: Composed) -> None:
    for shared in composed.shared:
        if not 0 <= shared.first <= shared.last < len(composed.stages):
            raise CompilerBug(f"{composed.kernel.name}: `{shared.storage.array}` has no lifetime")
    for one, other in combinations(composed.shared, 2):
        if one.region == other.region and one.first <= other.last and other.first <= one.last:
            raise CompilerBug(f"`{one.storage.array}` and `{other.storage.array}` share memory at one time")


def _fallback_statements(item: Stitched | Composed) -> Iterator[str]:
    for kernel in kernels_of(item.fallback.kernels):
        yield from kernel.statements


def _is_repeated(program: MappedProgram, statement: Statement) -> bool:
    """Whether the statement computes registers, which several kernels have each for itself."""
    scop = program.scop
    written = scop.written((statement.name,))
    symbols = {scop.array(array).symbol.name for array in written}
    for kernel in program.kernels():
        if statement.name not in kernel.statements:
            continue
        for storage in program.storage_in(kernel):
            if storage.array in symbols and not (isinstance(storage.residence, Register) and len(storage.homes) > 1):
                return False
    return bool(symbols)


def _is_unneeded(scop: Scop, statement: Statement, read: Collection[str]) -> bool:
    """Whether the statement makes nothing but values of locals that are not among the arrays `read`."""
    written = scop.written((statement.name,))
    if not written or written & set(read):
        return False
    return all(scop.array(array).kind is ArrayKind.LOCAL for array in written)
