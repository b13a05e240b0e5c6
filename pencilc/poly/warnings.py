"""What a correct program may still get wrong: PC0301, PC0302, PC0405, PC0601, PC0602, PC0603, PC0605.

Each is told only where it is certain, with a sample point; what isl cannot decide quickly is not told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.diagnostic import Diagnostic, Label, Severity
from pencilc.diagnostics.source import Span
from pencilc.ir.scop import Access, AccessKind, Loop, Scop, Statement, StatementKind
from pencilc.ir.scop import Scope as Place
from pencilc.ir.source import (
    Assume,
    Binary,
    Block,
    Call,
    Expr,
    For,
    If,
    Index,
    Jump,
    Kill,
    Name,
    Node,
    Return,
    Stmt,
    While,
    walk,
)  # fmt: skip
from pencilc.ir.source_printer import print_expr
from pencilc.poly.affine import NotAffine, condition
from pencilc.poly.context import Surroundings, context_without_assumes
from pencilc.poly.flow import FlowModel, flow_model, relation_of

_QUOTA = islx.QUOTA // 30
_MANY = 2**31 - 1


def find_warnings(scop: Scop, surroundings: Surroundings) -> tuple[Diagnostic, ...]:
    """All of them for one region, in the order of the codes."""
    checks: tuple[Callable[[], Iterable[Diagnostic]], ...] = (
        lambda: _not_affine(scop), lambda: _sequential_loops(scop), lambda: _out_of_bounds(scop),
        lambda: _independent(scop), lambda: _assumes(scop, surroundings), lambda: _kills(scop), lambda: _wide(scop),
    )  # fmt: skip
    found: list[Diagnostic] = []
    for check in checks:
        try:
            with islx.operation_quota(_QUOTA):
                found += check()
        except islx.OperationQuotaExceeded:
            continue
    return tuple(found)


def _warning(code: str, message: str, span: Span, label: str = "", **more: tuple[object, ...]) -> Diagnostic:
    return Diagnostic(Severity.WARNING, code, message, span, label, **more)  # type: ignore[arg-type]


# ---- PC0301, PC0302: what is not affine --------------------------------------------------------------


def _not_affine(scop: Scop) -> Iterator[Diagnostic]:
    """Subscripts that make a loop look sequential: another iteration may touch what this one writes."""
    seen: set[Span] = set()
    for statement in scop.statements:
        if statement.kind in (StatementKind.MERGE, StatementKind.INIT, StatementKind.KILL):
            continue
        for access in statement.accesses:
            whole = access.member_path == scop.array(access.array).member_path
            loose = not access.exact and whole and access.kind is not AccessKind.UPDATE and access.span not in seen
            index = _index_at(statement, access) if loose else None
            if index is None or not (loop := _held_loop(scop, statement, access)):
                continue
            seen.add(access.span)
            yield _subscript(scop, access, index, loop)


def _index_at(statement: Statement, access: Access) -> Index | None:
    """The subscript in the source, where the statement is no larger construct and the access no call."""
    if statement.body is None or isinstance(statement.body, For | While):
        return None
    found = (n for n in (*walk(statement.body), *(g for x in statement.guards for g in walk(x))))
    return next((n for n in found if isinstance(n, Index) and n.span == access.span), None)


def _held_loop(scop: Scop, statement: Statement, access: Access) -> Loop | None:
    """A loop around the statement that the access may make sequential."""
    private = len(scop.array(access.array).scope_iterators)
    for other in scop.statements:
        touches = [a for a in other.accesses if a.array == access.array and a.kind is not AccessKind.KILL]
        if not any(a.kind.writes or access.kind.writes for a in touches):
            continue
        for mine, theirs in zip(statement.loops[private:], other.loops[private:], strict=False):
            if mine.index == theirs.index and not mine.independent and not _is_held_anyway(scop, mine):
                return mine
    return None


def _is_held_anyway(scop: Scop, loop: Loop) -> bool:
    """Whether affine accesses alone make iterations of `loop` touch one element, one of them writing it."""
    inside = [s for s in scop.statements if any(x.index == loop.index for x in s.loops)]
    depth = next(k for k, x in enumerate(inside[0].loops) if x.index == loop.index)
    outer = {a.name for a in scop.arrays if len(a.scope_iterators) <= depth}

    def is_exact(access: Access) -> bool:
        return access.exact and access.array in outer

    kinds = [AccessKind.READ, AccessKind.MAY_WRITE, AccessKind.MUST_WRITE]
    touched = relation_of(inside, kinds, is_exact)
    written = relation_of(inside, kinds[1:], is_exact)
    for part in islx.maps_of(written.apply_range(touched.reverse())):
        for k in range(depth):
            part = part.equate(isl.dim_type.in_, k, isl.dim_type.out, k)
        if not part.subtract(part.equate(isl.dim_type.in_, depth, isl.dim_type.out, depth)).is_empty():
            return True
    return False


def _subscript(scop: Scop, access: Access, index: Index, loop: Loop) -> Diagnostic:
    name = scop.array(access.array).symbol.spelling
    varying = _varying(index.index)
    reason = f"`{print_expr(varying)}` is not an affine function of the loop counters" if varying is not None else ""
    return _warning(
        "PC0301",
        f"subscript of `{name}` is not affine: any element may be touched",
        access.span,
        "taken as every element",
        secondary=(Label(varying.span, reason),) if varying is not None and varying.span != access.span else (),
        notes=(f"the loop over `{loop.iterator.spelling}` stays sequential, because `{name}` is also written in it",),
        helps=(
            f"if no two iterations touch the same element, write `#pragma pencil independent` before the loop over "
            f"`{loop.iterator.spelling}`; a subscript `A[i][j]` in place of `A[i * n + j]` is affine",
        ),
    )


def _varying(expr: Expr) -> Expr | None:
    """The part of a subscript that is no affine function: data from memory, a call, or a product."""
    for node in walk(expr):
        if isinstance(node, Index | Call):
            return node
    return next((n for n in walk(expr) if isinstance(n, Binary) and n.op in ("*", "/", "%", "<<", ">>", "&")), None)


def _sequential_loops(scop: Scop) -> Iterator[Diagnostic]:
    """Loops of the region itself that are part of one statement: they run from first to last in one thread."""
    for statement in scop.statements:
        if statement.loops or statement.kind is not StatementKind.ORDINARY or statement.body is None:
            continue
        loop = next((n for n in walk(statement.body) if isinstance(n, For | While)), None)
        if isinstance(loop, For):
            yield _sequential_for(statement.body, loop)
        elif loop is not None:
            yield _warning(
                "PC0306",
                "this loop runs in one GPU thread",
                loop.span,
                notes=("how often it runs depends on data, so its iterations cannot be shared out",),
                helps=("a `for` loop with a bound that is known before it can run in parallel",),
            )


def _sequential_for(body: Stmt, loop: For) -> Diagnostic:
    reason, culprit = _irregular(loop)
    if isinstance(body, If):
        reason, culprit = "it stands under a condition that depends on data", body.condition
    return _warning(
        "PC0302",
        f"the loop over `{loop.iterator.spelling}` is kept sequential: {reason}",
        loop.span,
        secondary=(Label(culprit.span, "here"),) if culprit is not None and culprit.span != loop.span else (),
        helps=("a bound that is a function of parameters and outer counters lets the loop run in parallel",)
        if not isinstance(body, If)
        else ("move the condition into the loop",),
    )


def _irregular(loop: For) -> tuple[str, Node | None]:
    for node in walk(loop.body):
        if isinstance(node, Jump) and not _inner_jump(loop, node):
            return f"`{node.keyword}` may leave it early", node
        if isinstance(node, Return):
            return "`return` may leave it early", node
    for bound in (loop.bound, loop.lower):
        varying = _varying(bound)
        if isinstance(varying, Index | Call) or (varying is None and isinstance(_name_in(bound), Name)):
            at = varying or bound
            return f"its bound `{print_expr(bound)}` depends on data", at
        if varying is not None:
            return f"its bound `{print_expr(bound)}` is not affine", bound
    return "its bounds are not affine", loop.bound


def _inner_jump(loop: For, jump: Jump) -> bool:
    inner = [n for n in walk(loop.body) if isinstance(n, For | While)]
    return any(node is jump for each in inner for node in walk(each))


def _name_in(expr: Expr) -> Node | None:
    return next((n for n in walk(expr) if isinstance(n, Name)), None)


# ---- PC0405: accesses out of bounds ------------------------------------------------------------------


def _out_of_bounds(scop: Scop) -> Iterator[Diagnostic]:
    """Accesses that leave the array whenever their statement runs at all."""
    seen: set[Span] = set()
    for statement in scop.statements:
        if statement.guards or statement.kind in (StatementKind.MERGE, StatementKind.KILL):
            continue
        # The domain of a statement in a ragged loop holds instances that are never executed.
        if isinstance(statement.body, For | While) or statement.is_ragged:
            continue
        runs = statement.domain.intersect_params(scop.context)
        for access in statement.accesses:
            array = scop.array(access.array)
            if not (access.exact and access.is_sure) or array.scope_iterators or access.span in seen:
                continue
            reached = access.relation.intersect_domain(runs)
            outside = reached.subtract_range(array.extent)
            if outside.is_empty() or not runs.params().is_subset(outside.domain().params()):
                continue
            seen.add(access.span)
            yield _outside(scop, access, outside)


def _outside(scop: Scop, access: Access, outside: isl.Map) -> Diagnostic:
    array = scop.array(access.array)
    where = islx.sample_text(outside.domain())
    fixed = outside.intersect_domain(islx.small_point(outside.domain()))
    element = fixed.range().sample_point()
    space = isl.dim_type.set
    index = "".join(f"[{element.get_coordinate_val(space, k)}]" for k in range(outside.dim(isl.dim_type.out)))
    declared = "".join(f"[{print_expr(extent)}]" for extent in array.extents)
    name = array.symbol.spelling
    return _warning(
        "PC0405",
        f"access out of bounds: `{name}{index}` of `{name}{declared}`",
        access.span,
        secondary=(Label(array.span, "declared here"),),
        notes=(f"for {where}",) if where else (),
    )


# ---- PC0601: independent loops -----------------------------------------------------------------------


def _independent(scop: Scop) -> Iterator[Diagnostic]:
    """Loops marked independent in which one iteration certainly reads what another one writes."""
    loops = {loop.index: loop for s in scop.statements for loop in s.loops if loop.independent}
    if not loops:
        return
    model = flow_model(scop)
    # The order of the updates of what a `reduction` clause lists does not matter.
    listed = {name for loop in loops.values() for name in loop.reduced}

    def counts(access: Access) -> bool:
        return access.exact and access.is_sure and scop.array(access.array).symbol.name not in listed

    certain = relation_of(scop.statements, [AccessKind.MUST_WRITE], counts)
    reads = relation_of((s for s in scop.statements if not (s.guards or s.is_ragged)), [AccessKind.READ], counts)
    flow = model.flow(reads, model.must.union(model.init_must), model.may.union(model.init_may))
    flow = flow.intersect_domain(certain.domain())
    anti = _exposed_anti(model, reads, certain, flow)
    for loop in sorted(loops.values(), key=lambda x: x.index):
        for relation, words in ((flow, ("reads", "writes")), (anti, ("overwrites", "reads"))):
            pair = _carried(scop, relation, loop)
            if pair is not None:
                yield _contradicted(scop, loop, pair, words)
                break


def _exposed_anti(model: FlowModel, reads: isl.UnionMap, certain: isl.UnionMap, flow: isl.UnionMap) -> isl.UnionMap:
    """`{ Read[i] -> Write[j] }` for reads of values that no statement of the region has written."""
    exposed = reads.subtract_domain(flow.range())
    return model.flow(certain, islx.empty_map(), exposed, kills=model.must.union(model.may))


def _carried(scop: Scop, relation: isl.UnionMap, loop: Loop) -> isl.Map | None:
    """Pairs of different iterations of `loop` that exist whenever it has two iterations."""
    for part in islx.maps_of(relation):
        source, target = scop.statement(islx.in_name(part)), scop.statement(islx.out_name(part))
        depths = [next((k for k, x in enumerate(s.loops) if x.index == loop.index), -1) for s in (source, target)]
        if -1 in depths or depths[0] != depths[1]:
            continue
        depth = depths[0]
        for k in range(depth):
            part = part.equate(isl.dim_type.in_, k, isl.dim_type.out, k)
        carried = part.subtract(part.equate(isl.dim_type.in_, depth, isl.dim_type.out, depth))
        if carried.is_empty():
            continue
        if _two_iterations(source.domain.intersect_params(scop.context), depth).is_subset(carried.params()):
            return carried
    return None


def _two_iterations(domain: isl.Set, depth: int) -> isl.Set:
    """The parameters for which the loop at `depth` has three iterations one after the other."""
    anonymous = domain.reset_tuple_id()
    pairs = isl.Map.from_domain_and_range(anonymous, anonymous)
    for k in range(depth):
        pairs = pairs.equate(isl.dim_type.in_, k, isl.dim_type.out, k)
    later = pairs.order_lt(isl.dim_type.in_, depth, isl.dim_type.out, depth)
    return later.apply_range(later).params()


def _contradicted(scop: Scop, loop: Loop, pair: isl.Map, words: tuple[str, str]) -> Diagnostic:
    source, target = scop.statement(islx.in_name(pair)), scop.statement(islx.out_name(pair))
    depth = next(k for k, x in enumerate(source.loops) if x.index == loop.index)
    point = islx.small_point(pair.wrap()).unwrap()
    first = point.domain().sample_point().get_coordinate_val(isl.dim_type.set, depth)
    second = point.range().sample_point().get_coordinate_val(isl.dim_type.set, depth)
    name = loop.iterator.spelling
    shared = {a.array for a in source.accesses} & {a.array for a in target.accesses if a.array}
    what = next((scop.array(a).symbol.spelling for a in sorted(shared) if scop.is_written(a)), "")
    return _warning(
        "PC0601",
        f"the loop over `{name}` is marked `independent`, and its iterations depend on each other",
        target.span,
        f"iteration {name} = {second} {words[0]} `{what}`",
        secondary=(Label(source.span, f"iteration {name} = {first} {words[1]} it"),) if source is not target else (),
        notes=(f"iterations {name} = {first} and {name} = {second} touch the same element; the pragma is believed",),
        helps=("remove `independent`, or use a reduction",),
    )


# ---- PC0602: assumes ---------------------------------------------------------------------------------


def _assumes(scop: Scop, surroundings: Surroundings) -> Iterator[Diagnostic]:
    """Assumes that no values satisfy (an error), that say nothing new, or nothing that can be used."""
    outermost = surroundings.outermost()
    known = context_without_assumes(scop.region, surroundings).intersect(outermost.proof.params())
    for assume in _top_assumes(scop.region.body):
        text = print_expr(assume.condition)
        try:
            says = condition(assume.condition, outermost.within(outermost.where.intersect_params(known))).params()
        except NotAffine as reason:
            yield _warning("PC0602", f"`{text}` is not used: {reason}", assume.span)
            continue
        if known.is_subset(says):
            yield _warning("PC0602", f"`{text}` adds nothing: it is known already", assume.span)
        elif known.intersect(says).is_empty():
            message = f"`{text}` contradicts what is known: no sizes satisfy it"
            helps = ("parameters have the ranges of their types, and extents of arrays are not negative",)
            yield Diagnostic(Severity.ERROR, "PC0602", message, assume.span, helps=helps)
            return
        known = known.intersect(says)


def _top_assumes(body: Stmt) -> Iterator[Assume]:
    if isinstance(body, Assume):
        yield body
    elif isinstance(body, Block):
        for item in body.items:
            yield from _top_assumes(item)


# ---- PC0603: kills -----------------------------------------------------------------------------------


def _kills(scop: Scop) -> Iterator[Diagnostic]:
    """`__pencil_kill` of values that are read afterwards."""
    killing = [s for s in scop.statements if isinstance(s.body, Kill)]
    if not killing:
        return
    model = flow_model(scop)
    killed = relation_of(killing, [AccessKind.KILL], lambda a: a.exact)
    unguarded = (s for s in scop.statements if not s.guards)
    reads = relation_of(unguarded, [AccessKind.READ], lambda a: a.exact and a.is_sure)
    writes = model.must.union(model.may).union(model.init_must).union(model.init_may)
    updates = relation_of(scop.statements, [AccessKind.UPDATE])
    others = model.kills.subtract_domain(killed.domain())
    live = FlowModel(
        model.order, model.context, others, killed, model.may, model.init_must, model.init_may, reads
    ).flow(reads, killed, islx.empty_map(), kills=writes.union(updates))
    for part in islx.maps_of(live):
        kill, use = scop.statement(islx.in_name(part)), scop.statement(islx.out_name(part))
        arrays = {a.array for a in kill.accesses}
        read = next(a for a in use.accesses if a.array in arrays and a.kind is AccessKind.READ)
        name = scop.array(read.array).symbol.spelling
        point = islx.sample_text(part.range())
        yield _warning(
            "PC0603",
            f"the killed value of `{name}` is read later",
            kill.span,
            "killed here",
            secondary=(Label(read.span, "read here"),),
            notes=(f"for example for {point}",) if point else (),
        )


# ---- PC0605: large arrays ----------------------------------------------------------------------------


def _wide(scop: Scop) -> Iterator[Diagnostic]:
    """Arrays that certainly have more elements than 32 bits can count."""
    for array in scop.arrays:
        if array.scope is not Place.PARAM or not array.extents or array.member_path:
            continue
        count = 1
        inside = array.extent.intersect_params(scop.context)
        for position in range(islx.dimensions(inside)):
            bounded = inside.dim_has_upper_bound(isl.dim_type.set, position)
            least = islx.constant_value(inside.dim_max(position).coalesce()) if bounded else None
            count *= 1 if least is None else least + 1
        if count > _MANY:
            yield _warning(
                "PC0605",
                f"`{array.symbol.spelling}` has {count} elements: its subscripts are computed in 64 bits",
                array.span,
            )
