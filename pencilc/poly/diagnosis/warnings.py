"""What a correct program may still get wrong: PC0405, PC0601, PC0602, PC0603, PC0605 (and `irregular`).

Each is told only where it is certain, with a sample point; what isl cannot decide quickly is not told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import islpy as isl

from pencilc import islx, quotas
from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity, warning
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.ir.scop import Access, AccessKind, ArrayKind, Loop, Scop, StatementKind
from pencilc.ir.source import (
    Assume,
    Binary,
    Block,
    Cast,
    Expr,
    For,
    Kill,
    Name,
    Region,
    Stmt,
    While,
    walk,
)  # fmt: skip
from pencilc.ir.source_printer import spelled
from pencilc.poly.dependences.flow import FlowModel, flow_model, relation_of
from pencilc.poly.diagnosis.irregular import not_affine, sequential_loops
from pencilc.poly.model.affine import NotAffine, condition
from pencilc.poly.model.context import Surroundings, context_without_assumes

_QUOTA = quotas.QUOTA // 30
_MANY = 2**31 - 1


def find_warnings(scop: Scop, surroundings: Surroundings, file: SourceFile) -> tuple[Diagnostic, ...]:
    """All of them for one region, in the order of the codes; `file` is the one that is compiled."""
    checks: tuple[Callable[[], tuple[Diagnostic, ...]], ...] = (
        lambda: tuple(not_affine(scop)), lambda: tuple(sequential_loops(scop)),
        lambda: tuple(_out_of_bounds(scop, file)), lambda: tuple(_independent(scop)),
        lambda: tuple(_assumes(scop, surroundings)), lambda: tuple(_kills(scop)), lambda: tuple(_wide(scop)),
    )  # fmt: skip
    found: list[Diagnostic] = []
    for check in checks:
        try:
            with quotas.operation_quota(_QUOTA):
                found += quotas.patiently(check, scop.is_plain)
        except quotas.OperationQuotaExceeded:
            continue
    return tuple(found)


# ---- PC0405: accesses out of bounds ------------------------------------------------------------------


def _out_of_bounds(scop: Scop, file: SourceFile) -> Iterator[Diagnostic]:
    """Accesses that leave the array whenever their statement runs at all, or for some sizes by swapped subscripts."""
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
            if outside.is_empty():
                continue
            swapped = _swapped(reached, array.extent)
            if swapped is None and not runs.params().is_subset(outside.domain().params()):
                continue
            seen.add(access.span)
            yield _outside(scop, file, access, outside, swapped)


def _swapped(reached: isl.Map, extent: isl.Set) -> tuple[int, int] | None:
    """The two subscripts that are the wrong way round: the access stays within the array if they change places."""
    dimensions = reached.dim(isl.dim_type.out)
    for first in range(dimensions):
        for second in range(first + 1, dimensions):
            order = list(range(dimensions))
            order[first], order[second] = second, first
            turns = isl.Map.universe(extent.get_space().map_from_set())
            for position, other in enumerate(order):
                turns = turns.equate(isl.dim_type.in_, position, isl.dim_type.out, other)
            if reached.apply_range(turns).range().is_subset(extent):
                return first, second
    return None


def _outside(
    scop: Scop, file: SourceFile, access: Access, outside: isl.Map, swapped: tuple[int, int] | None
) -> Diagnostic:  # fmt: skip
    array = scop.array(access.array)
    where = islx.sample_text(outside.domain(), scop.spellings)
    fixed = outside.intersect_domain(islx.small_point(outside.domain()))
    element = fixed.range().sample_point()
    space = isl.dim_type.set
    index = "".join(f"[{element.get_coordinate_val(space, k)}]" for k in range(outside.dim(isl.dim_type.out)))
    declared = "".join(f"[{spelled(extent)}]" for extent in array.extents)
    name = array.symbol.spelling
    said, made = "", None
    if swapped is not None:
        said = f"did you mean to swap subscripts {swapped[0] + 1} and {swapped[1] + 1}?"
        edits = fixes.subscripts_swapped(file, access.span, *swapped)
        if edits is not None:
            text = file.line(access.span.line)
            before = "][".join(text[e.span.column - 1 : e.span.end_column - 1] for e in edits)
            said = f"did you mean `{name}[{']['.join(e.text for e in edits)}]` instead of `{name}[{before}]`?"
            made = fixes.fix(said, edits) if len(edits) == outside.dim(isl.dim_type.out) else None
    else:
        negative = any(element.get_coordinate_val(space, k) < 0 for k in range(outside.dim(isl.dim_type.out)))
        sizes = [spelled(extent) for extent in array.extents]
        made = _too_early(scop, file, access) if negative else _one_too_far(scop, file, sizes)
        if made is None and not negative:
            made = _too_far(scop, file, access, sizes)
        side = "begin the loop later, so that no subscript is below 0"
        said = side if negative else "end the loop earlier, so that no subscript reaches the extent"
    return warning(
        "PC0405",
        f"access out of bounds: `{name}{index}` of `{name}{declared}`",
        access.span,
        secondary=(Label(array.span, "declared here"),),
        notes=(f"for {where}",) if where else (),
        helps=(said,) if said and made is None else (),
        fixes=() if made is None else (made,),
    )


def _one_too_far(scop: Scop, file: SourceFile, extents: list[str]) -> Fix | None:
    """The fix for a loop that runs up to and with an extent: `i <= n`."""
    for loop in walk(scop.region.body):
        if not isinstance(loop, For) or loop.relation != "<=" or spelled(loop.bound) not in extents:
            continue
        counter, bound = loop.iterator.spelling, spelled(loop.bound)
        found = re.compile(rf"\b{counter}\s*<=\s*{re.escape(bound)}(?=\s*;)").search(file.line(loop.span.line))
        if found is not None:
            at = replace(loop.span, column=found.start() + 1)
            text = f"write `{counter} < {bound}`"
            return fixes.fix(text, [fixes.replaced(file, at, found.group(), f"{counter} < {bound}")])
    return None


def _offset(file: SourceFile, access: Access, sign: str) -> tuple[str, int] | None:
    """The counter and the number of the subscript `i + 1` (or `i - 1`, with the other sign) at an access."""
    text = file.line(access.span.line)[access.span.column - 1 :]
    found = re.match(rf"\w+\[(\w+) \{sign} (\d+)\]", text)
    return None if found is None else (found.group(1), int(found.group(2)))


def _too_far(scop: Scop, file: SourceFile, access: Access, extents: list[str]) -> Fix | None:
    """The fix for `a[i + 1]` in a loop that runs up to the extent: it ends one earlier."""
    offset = _offset(file, access, "+")
    for loop in walk(scop.region.body) if offset is not None else ():
        assert offset is not None
        counter, more = offset
        if not isinstance(loop, For) or loop.iterator.spelling != counter or spelled(loop.bound) not in extents:
            continue
        old = f"{counter} < {spelled(loop.bound)}"
        column = file.line(loop.span.line).find(f"{old};") + 1
        edit = fixes.replaced(file, replace(loop.span, column=column), old, f"{old} - {more}") if column else None
        return fixes.fix(f"end the loop earlier: `{old} - {more}`", [edit])
    return None


def _too_early(scop: Scop, file: SourceFile, access: Access) -> Fix | None:
    """The fix for `a[i - 1]` in a loop that begins at 0: it begins one later."""
    offset = _offset(file, access, "-")
    for loop in walk(scop.region.body) if offset is not None else ():
        assert offset is not None
        counter, less = offset
        if not isinstance(loop, For) or loop.iterator.spelling != counter:
            continue
        column = file.line(loop.span.line).find(f"{counter} = 0;") + 1
        old, new = f"{counter} = 0", f"{counter} = {less}"
        edit = fixes.replaced(file, replace(loop.span, column=column), old, new) if column else None
        return fixes.fix(f"begin the loop later: `{new}`", [edit])
    return None


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
    flow = model.flow(reads, model.all_must, model.all_may, kills=model.kills)
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
    return warning(
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
        text = spelled(assume.condition)
        try:
            says = condition(assume.condition, outermost.within(outermost.where.intersect_params(known))).params()
        except NotAffine as reason:
            if _says_what_one_is(assume.condition, scop.region):
                continue  # `pencilc verify` goes by it.
            yield warning("PC0602", f"`{text}` is not used: {reason}", assume.span)
            continue
        if known.is_subset(says):
            yield warning("PC0602", f"`{text}` adds nothing: it is known already", assume.span)
        elif known.intersect(says).is_empty():
            message = f"`{text}` contradicts what is known: no sizes satisfy it"
            helps = ("parameters have the ranges of their types, and extents of arrays are not negative",)
            yield Diagnostic(Severity.ERROR, "PC0602", message, assume.span, helps=helps)
            return
        known = known.intersect(says)


def _says_what_one_is(assumed: Expr, region: Region) -> bool:
    """Whether a condition gives the value of a parameter: `oh == (h - p) / s + 1`."""
    while isinstance(assumed, Cast):
        assumed = assumed.operand
    if not isinstance(assumed, Binary) or assumed.op != "==":
        return False
    names = {param.name for param in region.params}
    for side, other in ((assumed.left, assumed.right), (assumed.right, assumed.left)):
        while isinstance(side, Cast):
            side = side.operand
        if isinstance(side, Name) and side.symbol.name in names:
            return all(not isinstance(each, Name) or each.symbol != side.symbol for each in walk(other))
    return False


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
    # Where a loop has no bound in the model, the last write of an element before a read is unknown.
    unbounded = {a.array for s in scop.statements if s.is_ragged for a in s.accesses if a.kind.writes}
    reads = relation_of(unguarded, [AccessKind.READ], lambda a: a.exact and a.is_sure and a.array not in unbounded)
    updates = relation_of(scop.statements, [AccessKind.UPDATE])
    others = model.kills.subtract_domain(killed.domain())
    live = model.flow(reads, killed, islx.empty_map(), kills=islx.union_of((model.writes, updates, others)))
    for part in islx.maps_of(live):
        kill, use = scop.statement(islx.in_name(part)), scop.statement(islx.out_name(part))
        arrays = {a.array for a in kill.accesses}
        read = next(a for a in use.accesses if a.array in arrays and a.kind is AccessKind.READ)
        name = scop.array(read.array).symbol.spelling
        point = islx.sample_text(part.range(), scop.spellings)
        yield warning(
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
        if array.kind is not ArrayKind.PARAM or not array.extents or array.member_path:
            continue
        count = 1
        inside = array.extent.intersect_params(scop.context)
        for position in range(islx.dimensions(inside)):
            last = islx.highest(inside, position)
            least = None if last is None else islx.constant_value(last.coalesce())
            count *= 1 if least is None else least + 1
        if count > _MANY:
            yield warning(
                "PC0605",
                f"`{array.symbol.spelling}` has {count} elements: its subscripts are computed in 64 bits",
                array.span,
            )
