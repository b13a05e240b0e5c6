"""What may be wrong with a reduction, found by flow: PC0201, PC0205, PC0206, PC0207."""

from __future__ import annotations

from itertools import takewhile

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.diagnostic import Diagnostic, Label, Severity
from pencilc.diagnostics.source import Span
from pencilc.ir.scop import Access, AccessKind, Reduction, Scop, Statement, StatementKind
from pencilc.ir.source import KEEP, ReductionInit, ReductionUpdate
from pencilc.poly.dependences.flow import Nearby, merge_to, places_of, relation_of, updates_of


def missing_init(scop: Scop, update: Statement, access: Access, missing: isl.UnionSet, partly: bool) -> Diagnostic:
    """PC0201: no initialisation reaches some or all instances of `update`."""
    name = scop.array(access.array).symbol.spelling
    if not partly:
        message = f"reduction variable `{name}` is never initialised with `__pencil_reduction_var_init`"
    else:
        message = f"reduction variable `{name}` is not initialised on every path to this update"
    point = islx.sample_text(islx.sets_of(missing)[0], scop.spellings)
    notes = (f"not initialised for {point}",) if partly and point else ()
    code = f"__pencil_reduction_var_init(&{name}, {_init_name(scop, access.array)});"
    helps = (f"add `{code}` before the loops of the reduction",)
    declared = Label(scop.array(access.array).span, "declared here")
    return Diagnostic(Severity.ERROR, "PC0201", message, access.span, "first used here", (declared,), notes, helps)


def _init_name(scop: Scop, array: str) -> str:
    """The init function that the region calls for the variable, or for another one of its type."""
    inits = [s for s in scop.statements if isinstance(s.body, ReductionInit)]
    own = [s.body.function for s in inits if isinstance(s.body, ReductionInit) and s.accesses[0].array == array]
    like = [
        s.body.function
        for s in inits
        if isinstance(s.body, ReductionInit) and s.body.variable.type == scop.array(array).element
    ]
    return next((name for name in (*own, *like) if name != KEEP), "init")


def partly_missing_init(scop: Scop, access: Access, missing: isl.UnionMap) -> Diagnostic:
    """PC0201 as a warning: only the over-approximation of a subscript misses the initialisation."""
    element = islx.sets_of(missing.range())[0].sample_point()
    values = (element.get_coordinate_val(isl.dim_type.set, k) for k in range(element.space.dim(isl.dim_type.set)))
    point = scop.array(access.array).symbol.spelling + "".join(f"[{value}]" for value in values)
    message = "some elements that this update may touch are not initialised"
    notes = (f"for example `{point}`",)
    return Diagnostic(Severity.WARNING, "PC0201", message, access.span, "", (), notes)


def written_inside(scop: Scop, update: Statement, access: Access, others: isl.UnionMap) -> Diagnostic:
    """PC0206: an ordinary write stands between the initialisation and an update."""
    writers = {islx.set_name(s) for s in islx.sets_of(others.domain())}
    name = scop.array(access.array).symbol.spelling
    labels = tuple(
        Label(a.span, "written here")
        for s in scop.statements
        if s.name in writers
        for a in s.accesses
        if a.array == access.array and a.kind in (AccessKind.MUST_WRITE, AccessKind.MAY_WRITE)
    )
    message = f"reduction variable `{name}` is written between its initialisation and this update"
    span = labels[0].span if labels else access.span
    return Diagnostic(
        Severity.ERROR, "PC0206", message.replace("this update", "an update"), span, "written here",
        (Label(access.span, "updated here"),), (),
        (f"move the write before the initialisation of `{name}` or behind its last update",),
    )  # fmt: skip


def check_one_operator(reached: list[tuple[Statement, tuple[str, ...]]], scop: Scop, errors: list[Diagnostic]) -> None:
    """PC0207: two operators on one variable in one reduction domain."""
    first: dict[str, Statement] = {}
    for update, inits in reached:
        for init in inits:
            other = first.setdefault(init, update)
            if _operator(other) != _operator(update):
                access = next(a for a in update.accesses if a.kind is AccessKind.UPDATE)
                name = scop.array(access.array).symbol.spelling
                both = f"`{_operator(other)}` and `{_operator(update)}`"
                message = f"two operators on reduction variable `{name}`: {both}"
                label = Label(other.span, f"`{_operator(other)}` here")
                errors.append(
                    Diagnostic(Severity.ERROR, "PC0207", message, update.span, f"`{_operator(update)}` here", (label,))
                )
                break


def _operator(statement: Statement) -> str:
    return statement.body.operator if isinstance(statement.body, ReductionUpdate) else ""


def check_not_read_inside(scop: Scop, nearby: Nearby, reduction: Reduction, errors: list[Diagnostic]) -> None:
    """PC0205: a read behind the initialisation or an update that an update of the same instance follows (a scan).

    `nearby` has all reads for its sink.

    `(M -> use) . (use -> R') . (R' -> M)` meets the identity exactly then.
    """
    updates = updates_of(scop, reduction)
    model, reads = nearby.at(places_of(scop, reduction))
    own = _own_reads(scop, reduction)
    if own is not None:
        errors.append(_read_inside(scop, reduction, own, ""))
        return
    if reads.is_empty() or _stand_apart(scop, reduction):
        return
    to_use = merge_to(scop, nearby, reduction, past_kills=False)
    back = model.flow(updates, islx.empty_map(), reads, kills=model.all_must.union(model.kills))
    bad = to_use.intersect(back.apply_range(reduction.r2m).reverse())
    if not bad.is_empty():
        use = islx.sets_of(bad.range())[0]
        span = _read_span(scop, reduction, islx.set_name(use))
        errors.append(_read_inside(scop, reduction, span, islx.sample_text(use, scop.spellings)))


def _stand_apart(scop: Scop, reduction: Reduction) -> bool:
    """Whether every read of the variable stands before the initialisation or behind all updates, as the text shows.

    So it is where the loops that a read shares with the updates begin a new instance in every iteration.
    """
    places = [scop.position(name) for name in (reduction.init, *reduction.updates)]
    for name, accesses in scop.accesses_to(scop.array(reduction.array).symbol.name).items():
        use = scop.statement(name)
        if not any(a.kind is AccessKind.READ and a.array == reduction.array for a in accesses):
            continue
        if use.kind is StatementKind.MERGE:
            continue
        shared = {_shared_loops(use, scop.statement(update)) for update in reduction.updates}
        if min(places) <= scop.position(name) <= max(places) or len(shared) != 1:
            return False
        if not _begins_anew(reduction, shared.pop()):
            return False
    return True


def _shared_loops(first: Statement, second: Statement) -> int:
    """How many loops are around both statements."""
    pairs = zip(first.loops, second.loops, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0].index == pair[1].index, pairs))


def _begins_anew(reduction: Reduction, depth: int) -> bool:
    """Whether the outer `depth` iterators of an update are those of its merge node."""
    for pairs in islx.maps_of(reduction.r2m):
        if min(pairs.dim(isl.dim_type.in_), pairs.dim(isl.dim_type.out)) < depth:
            return False
        same = pairs
        for position in range(depth):
            same = same.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
        if not pairs.is_subset(same):
            return False
    return True


def _own_reads(scop: Scop, reduction: Reduction) -> Span | None:
    """The span of a read of the variable in an update's own element."""
    for name in reduction.updates:
        statement = scop.statement(name)
        mine = relation_of([statement], [AccessKind.UPDATE])
        for access in statement.accesses:
            read = access.kind is AccessKind.READ and access.array == reduction.array
            if read and not mine.intersect(access.relation.to_union_map()).is_empty():
                return access.span
    return None


def _read_span(scop: Scop, reduction: Reduction, statement: str) -> Span:
    for access in scop.statement(statement).accesses:
        if access.kind is AccessKind.READ and access.array == reduction.array:
            return access.span
    return scop.statement(statement).span


def _read_inside(scop: Scop, reduction: Reduction, span: Span, point: str) -> Diagnostic:
    name = scop.array(reduction.array).symbol.spelling
    notes = (f"for example at {point}",) if point else ()
    helps = [f"move the read behind the last update of `{name}`"]
    use = next((s for s in scop.statements if any(a.span == span for a in s.accesses)), None)
    later = [s for s in map(scop.statement, reduction.updates) if s.span > span]
    if later and use is not None and not any(_shared_loops(use, update) for update in later):
        code = f"__pencil_reduction_var_init(&{name}, {reduction.init_function});"
        helps.append(f"or, if what follows the read is another reduction, write `{code}` before its loops")
    return Diagnostic(
        Severity.ERROR, "PC0205", f"reduction variable `{name}` is read inside its own reduction", span,
        "read here", (Label(reduction.span, "updated here"),), notes,
        tuple(helps),
    )  # fmt: skip
