"""Arrays that every iteration of a loop overwrites before it reads them are given to each iteration.

    float row[m];
    for (i…) { for (j…) row[j] = a[i][j];  for (j…) b[i][j] = row[m - 1 - j]; }

Every read of row[j] has a write of the same iteration of i before it, so that iterations wait for one another only
because they use the same memory.  With a row for each of them (`frontend/rewrite/private_arrays.py`) the loop is
parallel.  The array goes into the innermost loop that becomes parallel so.  If all iterations together have no more
elements than an array of the caller's (of a small array one for each element of such an array), that is all; else the
region has both forms, and the entry point takes the private one where it has the memory for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Seq
from collections.abc import Set as AbstractSet
from dataclasses import replace

import islpy as isl

from pencilc import islx, quotas
from pencilc.diagnostics.diagnostic import CompilerLimitation, SourceErrors
from pencilc.frontend.rewrite.private_arrays import Overwritten
from pencilc.frontend.rewrite.private_arrays import with_private_arrays as with_private_arrays_of
from pencilc.ir.scop import AccessKind, Array, ArrayKind, Dependences, Scop, Statement, StatementKind
from pencilc.ir.source import ArrayType, Expr, Region, Symbol, TranslationUnit
from pencilc.poly.conditions import condition_on_sizes
from pencilc.poly.dependences.flow import exposed, left_behind, relation_of
from pencilc.poly.dependences.relaxed import compute_dependences
from pencilc.poly.extract import extract_instead
from pencilc.poly.room import is_small_enough, most_bytes, most_iterations, number_of_iterations
from pencilc.records import dataclass

_MOST = 4  # arrays that are tried in a region
_QUOTA = quotas.QUOTA // 2


@dataclass(frozen=True, slots=True, eq=False)
class PrivateArrays:
    """A region whose arrays have been given to iterations, with its model and dependences."""

    unit: TranslationUnit
    scop: Scop
    dependences: Dependences


@dataclass(frozen=True, slots=True, eq=False)
class _Use:
    """A loop over `iterator` at `depth` whose iterations overwrite an array; `handed_on`: it is used elsewhere too.

    `arrays`: what the model has of it, several where members of its elements are apart.
    """

    arrays: tuple[Array, ...]
    iterator: str
    depth: int
    handed_on: bool

    @property
    def symbol(self) -> Symbol:
        """The array of the source."""
        return self.arrays[0].symbol

    def is_beside(self, other: _Use) -> bool:
        """Whether another array of the same iterations is meant."""
        is_same_loop = (self.iterator, self.depth) == (other.iterator, other.depth)
        return is_same_loop and self.symbol.name != other.symbol.name


def with_private_arrays(
    unit: TranslationUnit, position: int, scop: Scop, dependences: Dependences, most: int
) -> PrivateArrays | None:
    """The region at `position` with arrays of each iteration, where that makes a loop parallel; None if it does not.

    `most`: bytes that all iterations may have together where the caller's arrays are smaller, which the entry point
    looks at.
    """
    if dependences.unknown:
        return None
    done: PrivateArrays | None = None
    try:
        with quotas.operation_quota(_QUOTA):
            for _ in range(_MOST):
                found = _with_one(unit, position, scop, dependences, most)
                if found is None:
                    break
                done, unit, scop, dependences = found, found.unit, found.scop, found.dependences
    except quotas.OperationQuotaExceeded:
        pass  # what has been found is sound
    return done


def _with_one(
    unit: TranslationUnit, position: int, scop: Scop, dependences: Dependences, most: int
) -> PrivateArrays | None:
    """The region with one array more that iterations have for themselves, or with all that they need together."""
    region = unit.regions[position]
    # The array that loops around the loop have for themselves by now is called otherwise, and spelled the same.
    chosen = {(each.array.spelling, each.iterator.name) for each in region.private}
    uses = [each for each in _uses(scop, dependences) if (each.symbol.spelling, each.iterator) not in chosen]
    for use in uses:
        others = [each for each in uses if each.is_beside(use)]
        for together in ([use], [use, *others])[: 2 if others else 1]:
            found = _with_all(unit, position, scop, together, most)
            if found is not None:
                return found
    return None


def _with_all(unit: TranslationUnit, position: int, scop: Scop, uses: Seq[_Use], most: int) -> PrivateArrays | None:
    """The region whose iterations have some arrays for themselves, all of one loop, if that is worth it."""
    region, iterator = unit.regions[position], uses[0].iterator
    wanted = [Overwritten(u.symbol, u.handed_on, members=tuple(a.member_path for a in u.arrays)) for u in uses]
    always = _modelled(unit, position, with_private_arrays_of(region, iterator, wanted))
    asking = None if always is None else _handing_on_what_is_written(scop, always.scop, wanted)
    if asking is None:
        return None
    if asking != wanted:
        always = _modelled(unit, position, with_private_arrays_of(region, iterator, asking))
    sides = None if always is None else _sides(always.scop, always.dependences, uses[0])
    if always is None or sides is None:
        return None
    taken = [most_bytes(always.scop, use.arrays[0], sides) for use in uses]
    if all(bytes_ is not None for bytes_ in taken) and sum(bytes_ or 0 for bytes_ in taken) <= most:
        return always
    if all(is_small_enough(always.scop, use.arrays[0], sides) for use in uses):
        return always
    if not most:
        return None
    chosen = with_private_arrays_of(region, iterator, asking, most, _numbers(always.scop, uses[0]))
    return _modelled(unit, position, chosen)


def _modelled(unit: TranslationUnit, position: int, region: Region | None) -> PrivateArrays | None:
    """The model with this region in the place of the one at `position`."""
    made = None if region is None else extract_instead(unit, position, region)
    if made is None:
        return None
    try:
        return PrivateArrays(*made, compute_dependences(made[1]))
    except (SourceErrors, CompilerLimitation):
        return None


def _handing_on_what_is_written(scop: Scop, made: Scop, wanted: Seq[Overwritten]) -> list[Overwritten] | None:
    """The arrays, whose values are handed on with a question first where the sizes decide whether they have any.

    `made` is the region where all hand on without a question.  None where one of them has to stay as it is.
    """
    found = []
    before = {array.name for array in scop.arrays}
    for each in wanted:
        if not each.handed_on:
            found.append(each)
            continue
        new = [a for a in made.arrays if a.name not in before and a.symbol.spelling == each.array.spelling]
        new = [a for a in new if a.member_path in each.members]
        asking = [_asking(made, array, each) for array in new]
        if len(new) != len(each.members) or any(a != asking[0] for a in asking):
            return None
        if asking[0] is None:
            return None
        found.append(asking[0])
    return found


def _asking(made: Scop, new: Array, wanted: Overwritten) -> Overwritten | None:
    """The array if all that the last iteration hands on of `new` has been written; else where it has.

    An iteration in which no statement has an instance is in no relation of the region; it hands on what nothing has
    written.  Where no iteration writes at such sizes, the sizes tell; else another iteration has left the values, and
    the array stays as it is (None).
    """
    read, written = _reads_and_writes(made.statements, new, lambda s, relation: relation.intersect_domain(s.domain))
    unwritten = exposed(made, read, written).intersect_params(made.context).params()
    if unwritten.is_empty():
        return wanted
    somewhere = written.params()
    if not unwritten.is_disjoint(somewhere):
        return None
    known = read.params().intersect(made.context)
    where = condition_on_sizes(somewhere.gist(known), made.params)
    return replace(wanted, where=where) if where is not None else None


# ---- which arrays, and which loops ---------------------------------------------------------------------


def _uses(scop: Scop, dependences: Dependences) -> Iterator[_Use]:
    """The arrays with the loops that could have them to themselves."""
    for name in dict.fromkeys(array.symbol.name for array in scop.arrays):
        arrays = scop.arrays_of(name)
        symbol, kind = arrays[0].symbol, arrays[0].kind
        if not isinstance(symbol.type, ArrayType) or kind not in (ArrayKind.LOCAL, ArrayKind.PARAM) or symbol.is_const:
            continue
        touching = [s for s in scop.statements if s.kind is not StatementKind.KILL and _touches(s, arrays)]
        if not touching or any(s.is_ragged or s.opaque for s in touching):
            continue
        # What the last iteration hands on would hold the loops around it; a local is best inside of all loops.
        depths = range(len(arrays[0].scope_iterators), max(len(s.loops) for s in touching))
        for depth in depths if kind is ArrayKind.PARAM else reversed(depths):
            loops = dict.fromkeys(s.loops[depth].iterator.name for s in touching if len(s.loops) > depth)
            for iterator in loops:
                use = _use(scop, dependences, arrays, touching, iterator, depth)
                if use is not None:
                    yield use


def _use(
    scop: Scop, dependences: Dependences, arrays: tuple[Array, ...], touching: Seq[Statement], iterator: str, depth: int
) -> _Use | None:
    inside = [s for s in touching if _is_in(s, iterator, depth)]
    outside = [s for s in touching if not _is_in(s, iterator, depth)]
    names = {s.name for s in inside}
    if not any(_is_carried(pairs, depth) for pairs in _among(dependences.validity, names)):
        return None
    # Values that iterations hand to each other stay, whatever memory each of them has.
    around = {s.name for s in scop.statements if _is_in(s, iterator, depth)}
    if any(_is_carried(pairs, depth) for pairs in _among(dependences.flow, around)):
        return None
    if not all(_is_overwritten_first(scop, array, inside, depth) for array in arrays):
        return None
    own = {array.name for array in arrays}
    is_read = any(a.array in own and a.kind is not AccessKind.MUST_WRITE for s in outside for a in s.accesses)
    is_kept = arrays[0].kind is ArrayKind.PARAM and not _is_killed_later(scop, own, inside)
    return _Use(arrays, iterator, depth, handed_on=is_kept or is_read)


def _is_killed_later(scop: Scop, arrays: AbstractSet[str], writing: Seq[Statement]) -> bool:
    """Whether all that some statements write to arrays is killed behind them."""
    kills = relation_of((s for s in scop.statements if not s.rounds), [AccessKind.KILL], lambda a: a.array in arrays)
    kinds = [kind for kind in AccessKind if kind.writes]
    placed = [s for s in writing if s.kind is not StatementKind.MERGE]
    written = relation_of(placed, kinds, lambda a: a.array in arrays)
    return not kills.is_empty() and bool(left_behind(scop, written, kills).is_empty())


def _touches(statement: Statement, arrays: Seq[Array]) -> bool:
    return any(access.array == array.name for access in statement.accesses for array in arrays)


def _is_in(statement: Statement, iterator: str, depth: int) -> bool:
    return len(statement.loops) > depth and statement.loops[depth].iterator.name == iterator


def _among(relation: isl.UnionMap, names: set[str]) -> Iterator[isl.Map]:
    """The pairs of which both are of the statements `names`."""
    for source, target, pairs in islx.named_maps(relation):
        if source in names and target in names:
            yield pairs


def _is_carried(pairs: isl.Map, depth: int) -> bool:
    """Whether some of the pairs are in unlike iterations of the loop at `depth`, in one of those around it."""
    for outer in range(depth):
        pairs = pairs.equate(isl.dim_type.in_, outer, isl.dim_type.out, outer)
    return not pairs.is_subset(pairs.equate(isl.dim_type.in_, depth, isl.dim_type.out, depth))


def _is_overwritten_first(scop: Scop, array: Array, inside: Seq[Statement], depth: int) -> bool:
    """Whether every element that an iteration reads or updates has been written by it before."""
    # An array for each iteration, { S[i, j] -> A[i, a] }: what is read there with no write before was there before.
    placed = [s for s in inside if s.kind is not StatementKind.MERGE]
    read, written = _reads_and_writes(placed, array, lambda s, relation: _of_iteration(s, relation, depth))
    if read.is_empty():
        return True
    before = exposed(scop, read, written)
    return bool(before.is_empty())


def _reads_and_writes(
    statements: Seq[Statement], array: Array, placed: Callable[[Statement, isl.Map], isl.Map]
) -> tuple[isl.UnionMap, isl.UnionMap]:
    """What statements read or update of an array, and what they certainly write, `placed` each.

    row[m - 1] is an element where m > 0: what a program reads beside an array is its own fault.
    """
    reads, writes = [], []
    for statement in statements:
        for access in statement.accesses:
            if access.array == array.name and access.kind in (AccessKind.READ, AccessKind.UPDATE):
                reads.append(placed(statement, access.relation.intersect_range(array.extent)))
            elif access.array == array.name and statement.certainly_writes(access, array.member_path):
                writes.append(placed(statement, access.relation))
    return islx.union_map(reads), islx.union_map(writes)


def _of_iteration(statement: Statement, relation: isl.Map, depth: int) -> isl.Map:
    """{ S[i, j] -> A[i, a] } of { S[i, j] -> A[a] }."""
    place = isl.Map.from_domain(statement.domain)
    for position in range(depth + 1):
        place = place.flat_range_product(isl.Map.from_pw_aff(islx.row_function(statement.domain, position)))
    whole = place.flat_range_product(relation.intersect_domain(statement.domain))
    return whole.set_tuple_name(isl.dim_type.out, "array")


# ---- whether it is worth it ----------------------------------------------------------------------------


def _sides(scop: Scop, dependences: Dependences, use: _Use) -> list[isl.PwAff | None] | None:
    """How many iterations the loop, and those around it that are parallel too, have; None where it is not parallel."""
    used = [s for s in scop.statements if s.kind is not StatementKind.KILL]
    inside = [s for s in used if _is_in(s, use.iterator, use.depth)]
    pairs = list(_among(dependences.validity, {s.name for s in inside}))
    if any(_is_carried(each, use.depth) for each in pairs):
        return None
    return [
        most_iterations(scop, inside, depth)
        for depth in range(use.depth + 1)
        if not any(_is_carried(each, depth) for each in pairs)
    ]


def _numbers(scop: Scop, use: _Use) -> list[Expr | None]:
    """How many iterations the loop, and each of those around it, has at most, as values of the source."""
    inside = [s for s in scop.statements if s.kind is not StatementKind.KILL and _is_in(s, use.iterator, use.depth)]
    return [number_of_iterations(scop, inside, depth) for depth in range(use.depth + 1)]
