"""The verifier of the copies between host and device: all that is touched is copied, and what comes back is right.

Decided anew from the accesses of the statements that kernels run and from the ranges of the finished record, as the
entry on host pointers takes them: all elements from the first to the last one of a parameter's ranges, in the order in
which they lie in memory.

    touched  a parameter that is read or written has memory for every element that a statement touches;
    in       if nothing was copied in, then what is read was written or killed before;
    back     what is written, and not killed later, is copied out; if nothing was copied in, then every element that
             comes back is written, or killed and cleared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Sequence as Seq
from collections.abc import Set as AbstractSet

import islpy as isl

from pencilc import islx, quotas
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.verifiers.statements import verify_mapping
from pencilc.ir.mapping import MappedProgram, TouchedRange, Transfer
from pencilc.ir.scop import Access, AccessKind, Array, Scop, Statement, StatementKind
from pencilc.ir.shapes import Kernel
from pencilc.ir.source import extents
from pencilc.poly.dependences.flow import source_order


def verify_copies(program: MappedProgram) -> None:
    """Raise CompilerBug if an element is not copied that a statement touches, or one comes back that nobody wrote; or
    if the program does not run every statement once.
    """
    verify_mapping(program)
    scop = program.scop
    running = {name for kernel in program.kernels() for name in kernel.statements}

    def check() -> None:
        for transfer in program.transfers:
            arrays = [a for a in scop.arrays if a.symbol.name == transfer.array]
            _verify(transfer, arrays, running, scop)
            for kernel in program.kernels():
                _verify_held(transfer, kernel)

    quotas.patiently(check, scop.is_plain)


def _verify(transfer: Transfer, arrays: Seq[Array], running: AbstractSet[str], scop: Scop) -> None:
    """`arrays` are those that the parameter stands for: itself, or members that are arrays of their own."""
    names = {a.name for a in arrays}
    # Neither kills nor the initialisations that merge nodes do have a place in a kernel.
    absent = (StatementKind.KILL, StatementKind.INIT)
    taking_part = [s for s in scop.statements if s.name in running or s.kind in absent]
    every = [(s, access) for s in taking_part for access in s.accesses if access.array in names]
    found = [(s, access) for s, access in every if s.name in running]
    if any(access.kind.writes for _, access in found) != transfer.is_written:
        raise CompilerBug(f"`{transfer.array}` is {'not ' * transfer.is_written}written, which its copies do not know")
    if transfer.is_written and not transfer.copy_out and not _are_killed_later(every, scop):
        raise CompilerBug(f"`{transfer.array}` is written and not copied out")
    if not transfer.copy_in and not _are_set_before(every, arrays, scop):
        raise CompilerBug(f"`{transfer.array}` is read and not copied in")
    comes_back = transfer.copy_out and not transfer.copy_in
    if comes_back and None in transfer.ranges:
        raise CompilerBug(f"`{transfer.array}` is copied out as a whole and not copied in")
    if None in transfer.ranges:
        return
    ranges = [each for each in transfer.ranges if each is not None]
    for array in arrays:
        subscripts = len(extents(array.symbol.type))
        extent = _of_elements(array.extent, subscripts).intersect_params(scop.context)
        own = [(s, access) for s, access in found if access.array == array.name]
        touched = _elements(own, extent, subscripts).intersect(extent)
        # What divides the subscripts is hard, and seldom matters.
        simple = touched.remove_divs().intersect(extent)
        if not _outside(simple, ranges).is_empty() and not _outside(touched, ranges).is_empty():
            raise CompilerBug(f"not all that is touched of `{array.name}` is copied")
        if not comes_back:
            continue
        ends = [(s, a) for s, a in every if a.array == array.name and _ends(s, a) and not a.member_path]
        ends = [(s, a) for s, a in ends if not s.rounds and (transfer.cleared or a.kind is not AccessKind.KILL)]
        left = extent.subtract(_elements(ends, extent, subscripts))
        if not left.is_subset(_outside(left, ranges)):
            raise CompilerBug(f"`{array.name}` is not copied in, and some of it comes back that is not written")


def _are_killed_later(every: Seq[tuple[Statement, Access]], scop: Scop) -> bool:
    """Whether a kill comes behind all that is written, in the order of the source, and whatever data is."""
    kills = [(s, a) for s, a in every if a.kind is AccessKind.KILL and not s.rounds]
    for statement, access in every:
        if access.kind.writes and statement.kind is not StatementKind.MERGE:
            killed = [(_in_order(scop, statement, s), a.relation) for s, a in kills if a.array == access.array]
            if not _is_met(access.relation.intersect_domain(statement.domain), killed, scop.context):
                return False
    return True


def _are_set_before(every: Seq[tuple[Statement, Access]], arrays: Seq[Array], scop: Scop) -> bool:
    """Whether what is read has been written for certain, or killed, before, in the order of the source."""
    extent = {array.name: array.extent for array in arrays}
    member = {array.name: array.member_path for array in arrays}
    ends = [(s, a) for s, a in every if _ends(s, a) or s.certainly_writes(a, member[a.array])]
    ends = [(s, a) for s, a in ends if s.kind is not StatementKind.MERGE]
    for statement, access in every:
        if access.kind not in (AccessKind.READ, AccessKind.UPDATE) or statement.kind is StatementKind.MERGE:
            continue
        before = [
            (_certainly_before(scop, s, statement).reverse(), a.relation)
            for s, a in ends
            if a.array == access.array and s.rounds <= statement.rounds
        ]
        read = access.relation.intersect_domain(statement.domain).intersect_range(extent[access.array])
        if not _is_met(read, before, scop.context):
            return False
    return True


def _certainly_before(scop: Scop, first: Statement, second: Statement) -> isl.Map:
    """{ First[i] -> Second[j] } in the order of the source; where iterations are left out in the same one."""
    pairs = _in_order(scop, first, second)
    for depth in first.factors:
        is_around = len(second.loops) > depth and second.loops[depth].index == first.loops[depth].index
        if not is_around:
            return pairs.subtract(pairs)
        for outer in range(depth + 1):
            pairs = pairs.equate(isl.dim_type.in_, outer, isl.dim_type.out, outer)
    return pairs


def _ends(statement: Statement, access: Access) -> bool:
    """Whether every instance ends what was in the elements before."""
    return access.kind is AccessKind.KILL or statement.certainly_writes(access)


def _in_order(scop: Scop, first: Statement, second: Statement) -> isl.Map:
    """{ S[i] -> T[j] }: the instances of which the first one comes before the second one in the source."""
    pairs = source_order(scop, first.name).lex_lt_map(source_order(scop, second.name))
    return pairs.intersect_domain(first.domain).intersect_range(second.domain)


def _is_met(touched: isl.Map, others: Iterable[tuple[isl.Map, isl.Map]], context: isl.Set) -> bool:
    """Whether every element of { S[i] -> A[a] } is touched by one of the instances { S[i] -> T[j] } of the others, each
    with what it touches, { T[j] -> A[a] }.
    """
    left = touched.intersect_params(context)
    for pairs, relation in others:
        left = left.subtract(pairs.apply_range(relation))
    return bool(left.is_empty())


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
