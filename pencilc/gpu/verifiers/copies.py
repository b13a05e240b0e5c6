"""The verifier of the copies between host and device: all that is touched is copied, and what comes back is right.

Decided anew from the accesses of the statements that kernels run and from the ranges of the finished record, as the
entry on host pointers takes them: all elements from the first to the last one of a parameter's ranges, in the order in
which they lie in memory.

    touched  a parameter that is read or written is copied, with every element that a statement touches;
    back     what is written is copied out; if nothing was copied in, then every element that comes back is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Seq

import islpy as isl

from pencilc import islx, quotas
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.verifiers.statements import verify_mapping
from pencilc.ir.mapping import MappedProgram, TouchedRange, Transfer
from pencilc.ir.scop import Access, Array, Statement, StatementKind
from pencilc.ir.source import extents

# From so many parts on it pays to look for those that are one.
_MOST_PARTS = 128


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
        extent = _of_elements(array.extent, subscripts)
        copied = _copied(ranges, extent)
        own = [(s, access) for s, access in found if access.array == array.name]
        touched = _elements(own, extent, subscripts).intersect_params(context).intersect(extent)
        # What divides the subscripts is hard, and seldom matters.
        if not touched.remove_divs().intersect(extent).is_subset(copied) and not touched.is_subset(copied):
            raise CompilerBug(f"not all that is touched of `{array.name}` is copied")
        if not comes_back:
            continue
        written = _elements([(s, access) for s, access in own if s.certainly_writes(access)], extent, subscripts)
        if not copied.intersect_params(context).is_subset(written):
            raise CompilerBug(f"`{array.name}` is not copied in, and some of it comes back that is not written")


def _copied(ranges: Seq[TouchedRange], extent: isl.Set) -> isl.Set:
    """The elements { [a] } from the first to the last one of all ranges, as they lie in memory."""
    corners = isl.Set.empty(extent.get_space())
    for touched in ranges:
        for corner in (touched.first, touched.last):
            point = isl.Set.universe(extent.get_space()).intersect_params(touched.inhabited)
            for position, value in enumerate(corner):
                point = point.intersect(islx.variable(point, position).eq_set(value.insert_domain(point.get_space())))
            corners = corners.union(point)
    behind = corners.lex_le_set(extent).range()
    between = behind.intersect(extent.lex_le_set(corners).domain())
    # Several ranges make hundreds of parts, which what asks would compare with each other.
    return between if between.n_basic_set() <= _MOST_PARTS else between.coalesce()


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
