"""The verifier of the copies between host and device: all that is touched is copied, and what comes back is right.

Decided anew from the accesses of the statements that kernels run and from the ranges of the finished record, as the
entry on host pointers takes them: all elements from the first to the last one of a parameter's ranges, in the order in
which they lie in memory.

    touched  a parameter that is read or written is copied, with every element that a statement touches;
    back     what is written is copied out; if nothing was copied in, then every element that comes back is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Sequence as Seq

import islpy as isl

from pencilc import islx, quotas
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.verifiers.statements import verify_mapping
from pencilc.ir.mapping import MappedProgram, TouchedRange, Transfer
from pencilc.ir.scop import Access, Array, Statement, StatementKind
from pencilc.ir.shapes import Kernel
from pencilc.ir.source import extents


def verify_copies(program: MappedProgram) -> None:
    """Raise CompilerBug if an element is not copied that a statement touches, or one comes back that nobody wrote; or
    if the program does not run every statement once.
    """
    verify_mapping(program)
    scop = program.scop
    running = {name for kernel in program.kernels() for name in kernel.statements}
    statements = [s for s in scop.statements if s.name in running and s.kind is not StatementKind.KILL]

    def check() -> None:
        for transfer in program.transfers:
            arrays = [a for a in scop.arrays if a.symbol.name == transfer.array]
            _verify(transfer, arrays, statements, scop.context)
            for kernel in program.kernels():
                _verify_held(transfer, kernel)

    quotas.patiently(check, scop.is_plain)


def _verify(transfer: Transfer, arrays: Seq[Array], statements: Seq[Statement], context: isl.Set) -> None:
    """`arrays` are those that the parameter stands for: itself, or members that are arrays of their own."""
    names = {a.name for a in arrays}
    found = [(s, access) for s in statements for access in s.accesses if access.array in names]
    if any(access.kind.writes for _, access in found) and not transfer.copy_out:
        raise CompilerBug(f"`{transfer.array}` is written and not copied out")
    comes_back = transfer.copy_out and not transfer.copy_in
    if comes_back and (None in transfer.ranges or any(a.member_path for a in arrays)):
        raise CompilerBug(f"`{transfer.array}` is copied out as a whole and not copied in")
    if None in transfer.ranges:
        return
    ranges = [each for each in transfer.ranges if each is not None]
    for array in arrays:
        subscripts = len(extents(array.symbol.type))
        extent = _of_elements(array.extent, subscripts).intersect_params(context)
        own = [(s, access) for s, access in found if access.array == array.name]
        touched = _elements(own, extent, subscripts).intersect(extent)
        # What divides the subscripts is hard, and seldom matters.
        simple = touched.remove_divs().intersect(extent)
        if not _outside(simple, ranges).is_empty() and not _outside(touched, ranges).is_empty():
            raise CompilerBug(f"not all that is touched of `{array.name}` is copied")
        if not comes_back:
            continue
        written = _elements([(s, a) for s, a in own if s.certainly_writes(a) and not s.rounds], extent, subscripts)
        left = extent.subtract(written)
        if not left.is_subset(_outside(left, ranges)):
            raise CompilerBug(f"`{array.name}` is not copied in, and some of it comes back that is not written")


def _verify_held(transfer: Transfer, kernel: Kernel) -> None:
    """What tiles fetch of a parameter is copied, or there is nothing in memory where they fetch from."""
    if None in transfer.ranges or kernel.halo is None:
        return
    ranges = [each for each in transfer.ranges if each is not None]
    for held in kernel.halo.held:
        if held.symbol == transfer.array and not _outside(held.fetched, ranges).is_empty():
            raise CompilerBug(f"not all that {kernel.name} fetches of `{transfer.array}` is copied")


def _outside(points: isl.Set, ranges: Seq[TouchedRange]) -> isl.Set:
    """The points { [a] } that lie in memory before the first element of every range, or behind the last one."""
    before = behind = points
    for touched in ranges:
        before = _beyond(before, touched, touched.first, isl.PwAff.lt_set)
        behind = _beyond(behind, touched, touched.last, isl.PwAff.gt_set)
    return before.union(behind)


def _beyond(
    points: isl.Set, touched: TouchedRange, corner: Seq[isl.PwAff], compare: Callable[[isl.PwAff, isl.PwAff], isl.Set]
) -> isl.Set:
    """The points { [a] } beyond a corner { [] -> [a] } in the order of memory; all where nothing is touched."""
    equal = points.intersect_params(touched.inhabited)
    beyond = points.subtract(equal)
    for position, value in enumerate(corner):
        own, limit = islx.variable(points, position), value.insert_domain(points.get_space())
        beyond = beyond.union(equal.intersect(compare(own, limit)))
        equal = equal.intersect(own.eq_set(limit))
    return beyond


def _elements(found: Iterable[tuple[Statement, Access]], extent: isl.Set, subscripts: int) -> isl.Set:
    """{ [a] }: what the accesses touch of an array."""
    points = isl.Set.empty(extent.get_space())
    for statement, access in found:
        points = points.union(_of_elements(access.relation.intersect_domain(statement.domain).range(), subscripts))
    return points


def _of_elements(points: isl.Set, subscripts: int) -> isl.Set:
    """{ A[a, m] } without what lies inside of an element: { [a] }."""
    inside = islx.dimensions(points) - subscripts
    return points.reset_tuple_id().project_out(isl.dim_type.set, subscripts, inside)
