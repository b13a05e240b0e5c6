"""Reductions by flow (PACT'16 section 4): which updates each initialisation reaches, and merge nodes.

The reduction domain is not read off iterator names: `I2R = flow(reads of updates, writes)` restricted
to the initialisations, so that column sums and histograms, whose initialisation stands in another
nest, are reductions like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug, CompilerLimitation, Diagnostic, SourceErrors
from pencilc.diagnostics.source import Span
from pencilc.ir.rewrite import fresh_name
from pencilc.ir.scop import Access, AccessKind, Reduction, Scop, Statement, StatementKind
from pencilc.ir.source import KEEP, AddressOf, Expr, Function, ReductionInit, ReductionUpdate
from pencilc.poly.dependences.flow import Nearby, flow_model, relation_of
from pencilc.poly.dependences.independent import without_carried
from pencilc.poly.dependences.index_sets import split_statements
from pencilc.poly.model.spaces import merged_spaces
from pencilc.poly.reductions.errors import (
    check_not_read_inside,
    check_one_operator,
    missing_init,
    partly_missing_init,
    written_inside,
)
from pencilc.poly.reductions.guards import implies
from pencilc.poly.reductions.operators import recognise
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """What reaches one update statement: `by_init` { Init[i] -> Update[j] } for each init statement."""

    update: Statement
    by_init: dict[str, isl.UnionMap]


# An initialisation, its array, and the constant subscripts of the element that it writes.
Cell: TypeAlias = tuple[Statement, islx.Subscripted]


def find_reductions(scop: Scop, functions: Mapping[str, Function]) -> tuple[Scop, tuple[Diagnostic, ...]]:
    """`scop` with its reductions and merge nodes, and warnings; raises SourceErrors.

    An initialisation that reaches no update becomes an ordinary statement.
    """
    model = flow_model(scop)
    errors: list[Diagnostic] = []
    warnings: list[Diagnostic] = []
    inits = [(s, reduction_access(s)) for s in _of_kind(scop, StatementKind.INIT)]
    cells: dict[str, list[Cell]] = {}
    for init, access in inits:
        cells.setdefault(access.array, []).append((init, (access.array, islx.fixed_values(access.relation))))
    nearby = Nearby(model, model.reads)
    reaches = [_reach(scop, nearby, s, cells, errors, warnings) for s in _of_kind(scop, StatementKind.UPDATE)]
    check_one_operator([(r.update, tuple(r.by_init)) for r in reaches], scop, errors)
    if errors:
        raise SourceErrors(errors + warnings)
    several = {r.update.name: [pairs.range() for pairs in r.by_init.values()] for r in reaches if len(r.by_init) > 1}
    if several:
        return find_reductions(split_statements(scop, several).scop, functions)
    reductions: list[Reduction] = []
    merges: list[Statement] = []
    began: dict[str, Statement] = {}
    for init in _of_kind(scop, StatementKind.INIT):
        mine = [r for r in reaches if init.name in r.by_init]
        if mine:
            init = began[init.name] = _where_updated(scop, init, mine)
            merge = merge_node(f"M{len(merges)}", init)
            merges.append(merge)
            taken = {array.name for array in scop.arrays} | {reduction.name for reduction in reductions}
            reductions.append(_reduction(init, merge, mine, reductions, functions, taken))
            _check_begun_outside(init, mine, reductions[-1])
    statements = tuple(
        began.get(s.name) or (_ordinary(s) if s.kind is StatementKind.INIT else s) for s in scop.statements
    )
    whole = replace(scop, statements=statements + tuple(merges), reductions=tuple(reductions))
    for reduction in reductions:
        check_not_read_inside(whole, nearby, reduction, errors)
    if errors:
        raise SourceErrors(errors + warnings)
    return replace(whole, statements=merged_spaces(whole.statements)), tuple(warnings)


def _check_begun_outside(init: Statement, reaches: Sequence[Reach], reduction: Reduction) -> None:
    """Raises OverlappingInits where a detected reduction begins, inside a loop of its updates, with unknown elements.

    Each update goes on with all that the same iteration has begun: those would all be begun before the first update,
    and all results stored behind the last one, of one iteration in front of another one.
    """
    if not _is_detected(init) or reduction_access(init).exact or reduction.r2m.is_single_valued():
        return
    around = {loop.index for loop in init.loops}
    for reach in reaches:
        if any(loop.index in around for loop in reach.update.loops):
            raise OverlappingInits("which elements it begins with is not known", reach.update.span)


def _of_kind(scop: Scop, kind: StatementKind) -> list[Statement]:
    return [s for s in scop.statements if s.kind is kind]


def _where_updated(scop: Scop, init: Statement, reaches: Sequence[Reach]) -> Statement:
    """A detected initialisation, which keeps what an element holds, where an update is executed; elsewhere there may be
    no such element: `if (k < n) s[k] += x[i];`, `if (has_bias) bias[o] += e;` with a null pointer.
    """
    if not isinstance(init.body, ReductionInit) or init.body.function != KEEP:
        return init
    access = reduction_access(init)
    touched = access.relation.intersect_domain(init.domain).intersect_params(scop.context).range()
    extent = scop.array(access.array).extent
    is_known = all(islx.is_bounded(extent, position) for position in range(islx.dimensions(extent)))
    if is_known and touched.is_subset(extent):
        return init
    reached = islx.union_of(reach.by_init[init.name] for reach in reaches).domain()
    (where,) = islx.sets_of(reached.intersect(init.domain.to_union_set()))
    return replace(init, domain=where.coalesce())


def _ordinary(statement: Statement) -> Statement:
    """An initialisation that begins nothing; one that keeps the value then does nothing."""
    if isinstance(statement.body, ReductionInit) and statement.body.function == KEEP:
        return replace(statement, kind=StatementKind.KILL, accesses=())
    return replace(statement, kind=StatementKind.ORDINARY)


def reduction_access(statement: Statement) -> Access:
    """The access of the variable by an init, update or merge statement."""
    of_update = statement.kind is StatementKind.UPDATE
    wanted = [AccessKind.UPDATE] if of_update else [AccessKind.MUST_WRITE, AccessKind.MAY_WRITE]
    for access in statement.accesses:
        if access.kind in wanted:
            return access
    raise CompilerBug(f"statement {statement.name} accesses no variable of a reduction")


class OverlappingInits(CompilerLimitation):
    """Detected initialisations that share elements, so that an update belongs now to one, now to another."""


class SharedUpdate(CompilerLimitation):
    """An update that may meet what several initialisations have left at once; `variable` is the one that it updates."""

    def __init__(self, variable: str, span: Span) -> None:
        super().__init__("an update is reached by two initialisations at once", span)
        self.variable = variable


def _reach(
    scop: Scop, nearby: Nearby, update: Statement, cells: Mapping[str, Sequence[Cell]], errors: list[Diagnostic],
    warnings: list[Diagnostic],
) -> Reach:  # fmt: skip
    access = reduction_access(update)
    sink = access.relation.to_union_map().intersect_params(scop.context)
    mine = access.array, islx.fixed_values(access.relation)
    model, _ = nearby.at([(islx.out_name(access.relation), mine[1])])
    inits = [init for init, place in cells.get(access.array, ()) if islx.may_meet(place, mine)]
    sure = [s for s in inits if _is_sure(s, update, scop)]
    unsure = [s for s in inits if s not in sure]
    kinds = [AccessKind.MUST_WRITE, AccessKind.MAY_WRITE]
    into = model.flow(
        sink,
        model.must.union(relation_of(sure, kinds)),
        model.may.union(relation_of(unsure, kinds)),
        kills=model.kills,
    )
    into = without_carried(scop, into)
    by_init = {s.name: into.intersect_domain(_universe(s)) for s in inits}
    by_init = {name: relation for name, relation in by_init.items() if not relation.is_empty()}
    _check_coverage(scop, update, sink, into, by_init, errors, warnings)
    if len(by_init) > 1 and all(_is_detected(scop.statement(name)) for name in by_init):
        raise OverlappingInits("its elements are those of several updates, in parts", update.span)
    _check_disjoint(scop, update, by_init)
    return Reach(update, by_init)


def _is_detected(init: Statement) -> bool:
    return isinstance(init.body, ReductionInit) and init.body.detected


def _is_sure(init: Statement, update: Statement, scop: Scop) -> bool:
    """Whether `init` is executed for certain where `update` is, as far as data-dependent guards go."""
    return reduction_access(init).exact and implies(update.guards, init.guards, scop)


def _universe(statement: Statement) -> isl.UnionSet:
    return statement.domain.to_union_set().universe()


def _check_coverage(
    scop: Scop,
    update: Statement,
    sink: isl.UnionMap,
    into: isl.UnionMap,
    by_init: Mapping[str, isl.UnionMap],
    errors: list[Diagnostic],
    warnings: list[Diagnostic],
) -> None:
    """Every (instance, element) of the update is initialised, and nothing else is written in between."""
    reached = islx.union_of(by_init.values())
    writes = islx.union_map(reduction_access(scop.statement(name)).relation for name in by_init)
    covered = reached.reverse().apply_range(writes)
    others = into.subtract_domain(islx.union_set(scop.statement(n).domain for n in by_init).universe())
    access = reduction_access(update)
    sink = _in_bounds(scop, update, sink)
    missing = sink.domain().subtract(reached.range())
    plain = _touched(scop, others, access.array).intersect(sink).intersect(covered)
    if not plain.is_empty() or (not missing.is_empty() and not others.is_empty() and _has_init(scop, access.array)):
        errors.append(written_inside(scop, update, access, others))
    elif not missing.is_empty() and (access.exact or not by_init):
        errors.append(missing_init(scop, update, access, missing, bool(by_init)))
    elif not sink.subtract(covered).is_empty():
        warnings.append(partly_missing_init(scop, access, sink.subtract(covered)))


def _in_bounds(scop: Scop, update: Statement, sink: isl.UnionMap) -> isl.UnionMap:
    """`{ Update[j] -> A[a] }` without what is never executed: data decides it, and the element would be none of `A`.

    Bounds that are data are not in the domain, so that `j` below `j < length[i]` is any integer; `A[j]` says which.
    """
    if not update.guards and not any(loop.bounds for loop in update.loops):
        return sink
    return sink.intersect_range(scop.array(reduction_access(update).array).extent.to_union_set())


def _has_init(scop: Scop, array: str) -> bool:
    return any(reduction_access(s).array == array for s in _of_kind(scop, StatementKind.INIT))


def _touched(scop: Scop, others: isl.UnionMap, array: str) -> isl.UnionMap:
    """`{ Update[j] -> A[a] }`: the elements that the writes in the domain of `others` may have touched."""
    if others.is_empty():
        return others
    kinds = [AccessKind.MUST_WRITE, AccessKind.MAY_WRITE]
    return others.reverse().apply_range(relation_of(scop.statements, kinds, lambda a: a.array == array))


def _check_disjoint(scop: Scop, update: Statement, by_init: Mapping[str, isl.UnionMap]) -> None:
    """No instance of an update belongs to two reductions."""
    seen = islx.empty_set()
    for relation in by_init.values():
        if not seen.intersect(relation.range()).is_empty():
            raise SharedUpdate(scop.array(reduction_access(update).array).symbol.name, update.span)
        seen = seen.union(relation.range())


def merge_node(name: str, init: Statement) -> Statement:
    """The merge node of the reduction that `init` begins: init's domain, the write of the variable."""
    domain = init.domain.set_tuple_name(name)
    accesses = tuple(replace(a, relation=a.relation.set_tuple_name(isl.dim_type.in_, name)) for a in init.accesses)
    return replace(init, name=name, kind=StatementKind.MERGE, domain=domain, body=None, accesses=accesses)


def _reduction(
    init: Statement, merge: Statement, reaches: list[Reach], before: list[Reduction], functions: Mapping[str, Function],
    taken: set[str],
) -> Reduction:  # fmt: skip
    """A reduction under a name of its own: the variable's for the first of it; `taken` have others, and all arrays."""
    assert isinstance(init.body, ReductionInit)
    first = reaches[0].update.body
    assert isinstance(first, ReductionUpdate)
    access = reduction_access(init)
    i2m = init.domain.identity().set_tuple_name(isl.dim_type.out, merge.name).to_union_map()
    i2r = islx.union_of(r.by_init[init.name] for r in reaches).coalesce()
    name, is_first = access.array, all(r.array != access.array for r in before)
    variable = _variable(init.body.variable)
    return Reduction(
        name=name if is_first else fresh_name(name, taken),
        array=access.array,
        variable=variable,
        operator=recognise(first.operator, functions),
        init_function=init.body.function,
        element_type=variable.type,
        init=init.name,
        updates=tuple(r.update.name for r in reaches),
        merge=merge.name,
        i2r=i2r,
        r2m=i2r.reverse().apply_range(i2m).coalesce(),
        i2m=i2m,
        span=first.span,
    )


def _variable(expr: Expr) -> Expr:
    return expr.operand if isinstance(expr, AddressOf) else expr
