"""Which parts of the array parameters a call touches, and in which directions they are copied.

Copied in: what is read before it is written, or not certainly overwritten.  Copied out: what may be written.

    for (i < n) if (i % 3 != 1) s += a[i];      touched: not a[1] where n = 2; loaded, in whole chunks: a[1] too

What kernels load ahead is in the range as well, though no statement looks at it: the range is all the memory that there
is behind a pointer of the entry on host pointers. It comes back with the rest, so that it must have been copied in
unless it is certainly written too.

A kill ends what the host had of an element as a write does, and what was written before it need not come back:

    kill(t); for (i < n) if (a[i] > 0) t[i] = a[i];      t is not copied in: what the others hold does not matter
    for (i < n) t[i] = a[i]; ...; kill(t);               t is not copied at all
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Seq
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import reduce

import islpy as isl

from pencilc import islx, quotas
from pencilc.analysis.affinity import base_name
from pencilc.analysis.box import Domains
from pencilc.gpu.records import Timed
from pencilc.ir.mapping import HostLoop, MappedProgram, TouchedRange, Transfer, kernels_of, leaves
from pencilc.ir.ranges import ranges
from pencilc.ir.scop import Access, AccessKind, Array, ArrayKind, Scop, Statement, StatementKind
from pencilc.ir.shapes import Kernel
from pencilc.ir.source import ArrayType, Symbol, extents
from pencilc.poly.dependences.flow import exposed, left_behind


def copied(timed: Timed) -> MappedProgram:
    """The pass `copies`: what is copied between host and device, which completes the program."""
    chosen = timed.looped.chosen
    placed = chosen.fused.placed
    region = placed.shaped.region
    settings = region.settings
    program = MappedProgram(
        region.scheduled, chosen.scop, settings.target, timed.items, placed.storage, (), "", settings.sums,
        settings.fixed_tree, chosen.fusions, chosen.own_storage,
    )  # fmt: skip
    ahead: dict[tuple[str, str], isl.Set] = {}
    held: dict[str, list[isl.Set]] = {}
    for item in leaves(program.items):
        kernels = kernels_of((item,))
        launched = reduce(isl.Set.union, (kernel.domain.params() for kernel in kernels)).coalesce()
        for vector in (vector for kernel in kernels for vector in kernel.loads.vectors):
            key = (vector.statement, base_name(vector.index))
            ahead[key] = ahead[key].union(launched) if key in ahead else launched
        for kernel in kernels:
            for symbol, points in fetched_in_tiles(kernel):
                held.setdefault(symbol, []).append(points)
    for loop in program.loops().values():
        for symbol, points in fetched_in_time(loop):
            held.setdefault(symbol, []).append(points)
    try:
        with quotas.operation_quota(quotas.QUOTA // 10):
            found = transfers(region.scop, region.domains, ahead, held)
    except quotas.OperationQuotaExceeded:
        found = whole_transfers(region.scop)
    return replace(program, transfers=found)


Ahead = Mapping[tuple[str, str], isl.Set]
"""Statements with the variables of which they load elements in chunks, whether they look at all or not: the parameters
for which the kernel of the statement is launched."""


def fetched_in_tiles(kernel: Kernel) -> Iterator[tuple[str, isl.Set]]:
    """The arrays of which blocks fetch elements { [a] } for tiles, with these, in all launches of the kernel."""
    for held in kernel.halo.held if kernel.halo is not None else ():
        yield held.symbol, _in_all(held.fetched, kernel.host)


def fetched_in_time(loop: HostLoop) -> Iterator[tuple[str, isl.Set]]:
    """The arrays of which blocks fetch elements { [a] } for tiles of several iterations, with these."""
    if loop.tiling is None or loop.kernel is None:
        return
    for array in loop.tiling.arrays:
        if array.fetched is None:
            continue
        fetched = _in_all(array.fetched, loop.kernel.host)
        if not array.planes:
            yield array.symbol, fetched
        for plane, role in enumerate(array.planes):
            if array.in_turns or role != "unused":
                in_plane = fetched.insert_dims(isl.dim_type.set, 0, 1).fix_val(isl.dim_type.set, 0, isl.Val(plane))
                yield array.symbol, in_plane


def _in_all(points: isl.Set, host: Seq[str]) -> isl.Set:
    """{ [a] } in any iteration of the loops on the host around."""
    for name in host:
        position = points.find_dim_by_name(isl.dim_type.param, name)
        if position >= 0:
            points = points.project_out(isl.dim_type.param, position, 1)
    return points


def transfers(
    scop: Scop, domains: Domains, ahead: Ahead | None = None, held: Mapping[str, Seq[isl.Set]] | None = None
) -> tuple[Transfer, ...]:
    """One record for each array parameter, in order of the parameters; `held`: what tiles fetch of their elements."""

    def found() -> tuple[Transfer, ...]:
        return tuple(_transfer(scop, arrays, domains, ahead or {}, held or {}) for arrays in _by_parameter(scop))

    return quotas.patiently(found, scop.is_plain)


def whole_transfers(scop: Scop) -> tuple[Transfer, ...]:
    """Every array parameter copied as a whole, for regions whose touched parts take too long to find."""
    found: list[Transfer] = []
    for arrays in _by_parameter(scop):
        symbol = arrays[0].symbol
        is_written = any(scop.is_written(a.name) for a in arrays)
        ranges = (_range_of(_whole(symbol, arrays[0].extent)),)
        found.append(Transfer(symbol.name, ranges, True, is_written, is_written))
    return tuple(found)


def _by_parameter(scop: Scop) -> tuple[tuple[Array, ...], ...]:
    """The arrays that each array parameter stands for, in order of the parameters."""
    by_symbol: dict[str, tuple[Array, ...]] = {}
    for array in scop.arrays:
        if array.kind is ArrayKind.PARAM and isinstance(array.symbol.type, ArrayType):
            by_symbol[array.symbol.name] = (*by_symbol.get(array.symbol.name, ()), array)
    return tuple(by_symbol[p.name] for p in scop.region.params if p.name in by_symbol)


def _transfer(
    scop: Scop, arrays: Seq[Array], domains: Domains, ahead: Ahead, held: Mapping[str, Seq[isl.Set]]
) -> Transfer:
    names = {a.name for a in arrays}
    found = [
        (statement, access)
        for statement in scop.statements
        for access in statement.accesses
        if access.array in names and access.kind is not AccessKind.KILL and statement.name in domains
    ]
    symbol = arrays[0].symbol
    kills = _kills(scop, names)
    touched = _touched(scop, arrays, found, domains, ahead, held.get(symbol.name, ()))
    kinds = {a.kind for _, a in found}
    is_written = bool(kinds - {AccessKind.READ})
    comes_back = is_written and not (kills and _is_killed_later(scop, found, kills, domains))
    distinct = _distinct([_whole(symbol, points) for points in touched])
    ranges = tuple(_range_of(points) for points in distinct if not points.is_empty())
    # Of an array that is copied out as a whole, because its part has no bounds that can be told, more comes back than
    # is written.
    is_whole = comes_back and None in ranges
    is_overwritten = not comes_back or (not is_whole and _covered(arrays[0], found, (), touched, domains))
    is_ended = is_overwritten or (kills and not is_whole and _covered(arrays[0], found, kills, touched, domains))
    is_looked_at = AccessKind.READ in kinds and (not is_written or _reads_first(scop, arrays, found, kills, domains))
    copy_in = is_looked_at or not is_ended
    return Transfer(symbol.name, ranges, copy_in, comes_back, is_written, cleared=not (copy_in or is_overwritten))


Found = Seq[tuple[Statement, Access]]
"""Accesses of one array parameter, with their statements."""


def _kills(scop: Scop, names: AbstractSet[str]) -> Found:
    """The kills of elements of some arrays, each of which happens if the loops around it get to it."""
    return [
        (statement, access)
        for statement in scop.statements
        for access in statement.accesses
        if access.array in names and access.kind is AccessKind.KILL
    ]


def _killed(statement: Statement, access: Access) -> isl.Map:
    """{ S[i] -> A[a] } of a kill, which no kernel runs."""
    return access.relation.intersect_domain(statement.domain)


def _is_killed_later(scop: Scop, found: Found, kills: Found, domains: Domains) -> bool:
    """Whether every element is killed behind all that may be written to it; `kills` are there."""
    # A loop that data may end may do so before it gets to a kill.
    certain = islx.union_map(_killed(s, a) for s, a in kills if not s.rounds)
    written = [(s, a) for s, a in found if a.kind.writes and s.kind is not StatementKind.MERGE]
    return left_behind(scop, _relations(written, domains), certain).is_empty()


def _touched(
    scop: Scop, arrays: Seq[Array], found: Found, domains: Domains, ahead: Ahead,
    held: Seq[isl.Set],
) -> list[isl.Set]:  # fmt: skip
    """The elements { A[a] } of the arrays that kernels access, those included that they load for nothing."""
    symbol = arrays[0].symbol
    extents_of = {a.name: a.extent for a in arrays}
    touched = _merged([_within(s, a, domains, extents_of[a.array]) for s, a in found])
    for statement, access in found:
        # Runs whose bounds are data are loaded as far as these say, and no further.
        launched = ahead.get((statement.name, symbol.name))
        if launched is not None and not access.kind.writes and not statement.is_ragged:
            loaded = _loaded(access, domains[statement.name]).intersect(extents_of[access.array])
            touched.append(loaded.intersect_params(launched).intersect_params(scop.context))
    for points in held:
        # What lies between elements that are read is there where an array is no more than its elements.
        if len(arrays) == 1 and islx.dimensions(points) == islx.dimensions(arrays[0].extent):
            touched.append(points.set_tuple_name(arrays[0].name))
    return touched


def _loaded(access: Access, domain: isl.Set) -> isl.Set:
    """The elements { A[a] } of a read, for the gaps between the instances { S[i] } in `domain` too.

    Loops around it that do not move the element may have no iteration; it is loaded all the same.
    """
    relation = access.relation.intersect_domain(domain)
    hull = isl.Map.from_basic_map(relation.remove_divs().simple_hull())
    moved = relation.gist_domain(domain)
    for position in range(relation.dim(isl.dim_type.in_)):
        if not moved.involves_dims(isl.dim_type.in_, position, 1):
            hull = hull.drop_constraints_involving_dims(isl.dim_type.in_, position, 1)
    return hull.range()


def _range_of(points: isl.Set) -> TouchedRange | None:
    """From the least to the greatest value of each subscript in { A[a] }; None where one of them has no bound."""
    first = [islx.lowest(points, position) for position in range(islx.dimensions(points))]
    last = [islx.highest(points, position) for position in range(islx.dimensions(points))]
    bounds = [bound for bound in (*first, *last) if bound is not None]
    if len(bounds) < len(first) + len(last):
        return None
    return TouchedRange(tuple(bounds[: len(first)]), tuple(bounds[len(first) :]), points.params())


def _range(statement: Statement, access: Access, domains: Domains) -> isl.Set:
    """The touched elements { A[a] } of the parameter; where members are arrays, of the structs that hold them."""
    return access.relation.intersect_domain(domains[statement.name]).range()


# isl takes seconds for the ends of what subscripts with more quotients and remainders than these reach.
_MOST_DIVISIONS = 2


def _within(statement: Statement, access: Access, domains: Domains, extent: isl.Set) -> isl.Set:
    """At least `_range`: what subscripts of many divisions reach is not looked for, and may be all of `extent`."""
    points = _range(statement, access, domains)
    return points if islx.divisions(access.relation) <= _MOST_DIVISIONS else points.remove_divs().intersect(extent)


def _whole(symbol: Symbol, points: isl.Set) -> isl.Set:
    """`points` of a member array { A[a, m] } as elements { A[a] } of the array of structs."""
    count = len(extents(symbol.type))
    return points.project_out(isl.dim_type.set, count, islx.dimensions(points) - count)


def _merged(sets: Seq[isl.Set]) -> list[isl.Set]:
    """Sets with the same union: those that differ in one constant subscript, `{ A[3] }` and `{ A[4] }`, become one.

    Hundreds of accumulators that are elements of one array would else be compared with each other, all with all.
    """
    result: list[isl.Set] = []
    groups: list[tuple[int, isl.Set, set[int]]] = []  # the dimension, what is left without it, its values
    for points in sets:
        fixed = islx.fixed_values(isl.Map.from_range(points))
        position = max((k for k, value in enumerate(fixed) if value is not None), default=-1)
        value = fixed[position] if position >= 0 else None
        rest = points.drop_constraints_involving_dims(isl.dim_type.set, position, 1) if value is not None else points
        if value is None or not rest.fix_val(isl.dim_type.set, position, isl.Val(value)).is_equal(points):
            result.append(points)
            continue
        group = next((g for g in groups if g[0] == position and g[1].plain_is_equal(rest)), None)
        if group is None:
            group = position, rest, set()
            groups.append(group)
        group[2].add(value)
    for position, rest, values in groups:
        for first, last in ranges(sorted(values)):
            here = islx.variable(rest, position)
            low, high = (islx.constant(rest, value) for value in (first, last))
            result.append(rest.intersect(here.ge_set(low)).intersect(here.le_set(high)))
    return result


def _distinct(sets: Seq[isl.Set]) -> tuple[isl.Set, ...]:
    """The sets without those that lie inside another one."""
    found: list[isl.Set] = []
    for points in sets:
        if any(points.is_subset(other) for other in found):
            continue
        found = [other for other in found if not other.is_subset(points)]
        found.append(points)
    return tuple(found)


def _reads_first(scop: Scop, arrays: Seq[Array], found: Found, kills: Found, domains: Domains) -> bool:
    """Whether an element may be read that no statement has certainly written, and no kill ended, before."""
    member = {array.name: array.member_path for array in arrays}
    certain: list[tuple[Statement, Access]] = []
    reading: list[tuple[Statement, Access]] = []
    for statement, access in found:
        if statement.kind is StatementKind.MERGE:
            continue
        if statement.certainly_writes(access) or statement.certainly_writes(access, member[access.array]):
            certain.append((statement, access))
        if access.kind in (AccessKind.READ, AccessKind.UPDATE):
            reading.append((statement, access))
    ended = islx.union_map(_killed(s, a) for s, a in kills)
    return not exposed(scop, _relations(reading, domains), _relations(certain, domains).union(ended)).is_empty()


def _relations(accesses: Found, domains: Domains) -> isl.UnionMap:
    """{ S[i] -> A[a] }"""
    return islx.union_map(a.relation.intersect_domain(domains[s.name]) for s, a in accesses)


def _covered(array: Array, found: Found, kills: Found, touched: Seq[isl.Set], domains: Domains) -> bool:
    """Whether every element between the first and the last touched one is certainly written, or killed.

    `array` is one of those that the parameter stands for: whole elements are written and killed in all of them.
    """
    symbol = array.symbol
    written = [_range(s, a, domains) for s, a in found if s.certainly_writes(a) and not s.rounds]
    killed = [_killed(s, a).range() for s, a in kills if not a.member_path and not s.rounds]
    sure = [_whole(symbol, points) for points in (*written, *killed)]
    if not sure:
        return False
    must, *others = _merged(sure)
    for points in others:
        must = must.union(points)
    must = must.set_tuple_name(array.name)
    everything, *others = (_whole(symbol, points).set_tuple_name(array.name) for points in touched)
    for points in others:
        everything = everything.union(points)
    rows = _whole(symbol, array.extent).set_tuple_name(array.name)
    outer = (
        everything.project_out(isl.dim_type.set, 1, islx.dimensions(everything) - 1)
        if islx.dimensions(everything) > 1
        else everything
    )
    first, last = islx.lowest(outer, 0), islx.highest(outer, 0)
    if first is None or last is None:
        return False
    here = islx.variable(rows, 0)
    between = rows.intersect(here.ge_set(first.insert_domain(rows.get_space())))
    between = between.intersect(here.le_set(last.insert_domain(rows.get_space())))
    return bool(between.is_subset(must))
