"""The verifiers of `Scop` and `Dependences`: names and spaces agree with each other."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.scop import AccessKind, Dependences, Scop, Statement, StatementKind
from pencilc.ir.source import CopiedArray


def verify_scop(scop: Scop) -> None:
    """Raise CompilerBug if an access, an array or a reduction does not fit the statements."""
    names = [s.name for s in scop.statements]
    if len(names) != len(set(names)):
        raise CompilerBug(f"{scop.name}: two statements have one name")
    arrays = {a.name for a in scop.arrays}
    for statement in scop.statements:
        _verify_statement(statement, arrays)
    updates = {name for reduction in scop.reductions for name in reduction.updates}
    for statement in scop.statements:
        if any(a.kind is AccessKind.UPDATE for a in statement.accesses) and statement.name not in updates:
            raise CompilerBug(f"{statement.name} updates what no reduction owns")
    for reduction in scop.reductions:
        kinds = scop.statement(reduction.init).kind, scop.statement(reduction.merge).kind
        if kinds != (StatementKind.INIT, StatementKind.MERGE):
            raise CompilerBug(f"{reduction.name}: init and merge node are {kinds}")


def _verify_statement(statement: Statement, arrays: set[str]) -> None:
    if islx.set_name(statement.domain) != statement.name:
        raise CompilerBug(f"the domain of {statement.name} is called {islx.set_name(statement.domain)}")
    if islx.dimensions(statement.domain) != len(statement.iterators):
        raise CompilerBug(f"{statement.name} has {len(statement.iterators)} iterators in another space")
    for access in statement.accesses:
        if access.array not in arrays or islx.in_name(access.relation) != statement.name:
            raise CompilerBug(f"{statement.name}: access {access.relation} belongs elsewhere")


def verify_dependences(scop: Scop, dependences: Dependences) -> None:
    """Raise CompilerBug if a dependence starts or ends at what is not generated, or is not absorbed."""
    absent = (StatementKind.INIT, StatementKind.KILL)
    known = {s.name for s in scop.statements if s.kind not in absent and s.name not in dependences.dead}
    kinds = (dependences.flow, dependences.anti, dependences.output, dependences.isolation, dependences.relaxed)
    for relation in kinds:
        for part in islx.maps_of(relation):
            if not {islx.in_name(part), islx.out_name(part)} <= known:
                raise CompilerBug(f"dependence {part} touches a statement that is not generated")


def verify_copies_of_old_values(scop: Scop) -> None:
    """Raise CompilerBug if what is read from a copy is not what the array itself would have held.

    Asked of all pairs that touch one element, in the order of the source: the copy has been made when it is read, and
    no write of the array comes before.
    """
    for copied in scop.region.copied:
        made = list(_accesses(scop, copied.copy.name, writes=True))
        reads = list(_accesses(scop, copied.copy.name, writes=False))
        written = list(_accesses(scop, copied.array.name, writes=True))
        _verify_what_is_copied(scop, copied, made)
        elements = islx.union_map(made).range()
        # At sizes at which the array has no such element C does not say what is read.
        there = scop.arrays_of(copied.array.name)[0].extent.reset_tuple_id()
        for read in reads:
            if not read.range().intersect(there).to_union_set().is_subset(elements):
                raise CompilerBug(f"`{copied.copy.name}` does not have all that {islx.in_name(read)} reads of it")
            if any(not _come_before(scop, each, read) for each in made):
                raise CompilerBug(f"{islx.in_name(read)} reads `{copied.copy.name}` before it is made")
            if any(not _come_before(scop, read, each) for each in written):
                raise CompilerBug(f"{islx.in_name(read)} reads `{copied.array.name}` from a copy behind a write")


def _accesses(scop: Scop, symbol: str, *, writes: bool) -> Iterator[isl.Map]:
    """{ S[i] -> [a] }: what statements write or read of a variable."""
    for array in scop.arrays_of(symbol):
        yield from _accesses_to(scop, array.name, writes=writes)


def _accesses_to(scop: Scop, array: str, *, writes: bool) -> Iterator[isl.Map]:
    """The same of an array of the model: of one member where those of a variable are apart."""
    for statement in scop.statements:
        for access in statement.accesses:
            if access.array == array and access.kind is not AccessKind.KILL and access.kind.writes == writes:
                relation = access.relation.intersect_domain(statement.domain).intersect_params(scop.context)
                yield relation.reset_tuple_id(isl.dim_type.out)


def verify_values_for_names(before: Scop, after: Scop) -> None:
    """Raise CompilerBug if a value that stands in the place of a scalar may be another one there.

    Asked of the region as it was `before`, of all pairs that touch one element, in the order of the source: between
    what set the scalar and what read it nothing writes what the value was made of.
    """
    names = {array.name for array in before.arrays} - {array.name for array in after.arrays}
    orders = islx.orders_of(before.schedule)
    for symbol in (before.array(name).symbol.name for name in sorted(names)):
        for setting in _accesses(before, symbol, writes=True):
            source = islx.in_name(setting)
            for array, made_of in _made_of(before, source, names):
                for write in _accesses_to(before, array, writes=True):
                    other = islx.in_name(write)
                    if other not in orders:
                        continue  # a merge node, which the source has not: updates write the same elements
                    changed = made_of.apply_range(write.reverse())
                    changed = changed.intersect(orders[source].lex_lt_map(orders[other]))
                    for read in _accesses(before, symbol, writes=False):
                        target = islx.in_name(read)
                        between = changed.apply_range(orders[other].lex_lt_map(orders[target]))
                        if not between.is_disjoint(setting.apply_range(read.reverse())):
                            raise CompilerBug(f"{other} writes `{array}` before {target} has the value of `{symbol}`")


def _made_of(scop: Scop, name: str, values: AbstractSet[str]) -> Iterator[tuple[str, isl.Map]]:
    """What a statement reads, { S[i] -> [a] } by array: of those in `values` what these are made of."""
    statement = scop.statement(name)
    for access in statement.accesses:
        if access.kind.writes or access.kind is AccessKind.KILL:
            continue
        relation = access.relation.intersect_domain(statement.domain).reset_tuple_id(isl.dim_type.out)
        if access.array not in values:
            yield access.array, relation
            continue
        for setting in _accesses_to(scop, access.array, writes=True):
            for array, made_of in _made_of(scop, islx.in_name(setting), values):
                yield array, relation.apply_range(setting.reverse()).apply_range(made_of)


def _verify_what_is_copied(scop: Scop, copied: CopiedArray, made: list[isl.Map]) -> None:
    """The copy has each element of the array at the same place."""
    read = list(_accesses(scop, copied.array.name, writes=False))
    for each in made:
        own = [other for other in read if islx.in_name(other) == islx.in_name(each)]
        if len(own) != 1 or not own[0].is_equal(each):
            raise CompilerBug(f"{islx.in_name(each)} does not copy `{copied.array.name}` to the same places")


def _come_before(scop: Scop, first: isl.Map, second: isl.Map) -> bool:
    """Whether an access of an element comes before the other one in the source, or is made by the same instance."""
    orders = islx.orders_of(scop.schedule)
    names = islx.in_name(first), islx.in_name(second)
    pairs = first.apply_range(second.reverse())
    late = pairs.intersect(orders[names[1]].lex_lt_map(orders[names[0]]).reverse())
    return bool(late.is_empty())
