"""Loops that the source takes in blocks are loops over all of their values.

    for (ii = 0; ii < n; ii += 32)                            for (i = 0; i < n; i++)
        for (jj = 0; jj < m; jj += 32)                            for (j = 0; j < m; j++)
            for (i = ii; i < min(ii + 32, n); i++)      ->            b[j][i] = a[i][j];
                for (j = jj; j < min(jj + 32, m); j++)
                    b[j][i] = a[i][j];

Blocks that suit the cache of a processor are none of a GPU's, and points that are four rows in place of two are no box,
which tiles need.  What stands here is a proposal, made by the shape of the loops; `means_the_same` finds from the two
models whether it does the same: the same instances, and whatever meets in one place in the order that it had.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.ir.queries import has_own_jump, names_in, plain_name, without_conversions
from pencilc.ir.rewrite import replaced
from pencilc.ir.scop import Access, AccessKind, Scop, Statement, StatementKind
from pencilc.ir.source import Binary, Block, Call, Declare, Expr, For, If, IntLiteral, Node, Region, Stmt, Ternary, walk
from pencilc.poly.model.flat_terms import fixed_values, writes_of
from pencilc.poly.model.substitute import substitute


def without_blocks(region: Region) -> Region:
    """`region` with loops over blocks, and those over the values of a block, as one loop where these stand."""
    while True:
        loops = (node for node in walk(region.body) if isinstance(node, For))
        found = next((whole for loop in loops if (whole := _whole(loop, region)) is not None), None)
        if found is None:
            return region
        region = found


def with_own_ends(region: Region) -> Region:
    """`region` with the ends of loops where these ask for them: `int end = min(ii + 32, n);` stands in the loop."""
    values = fixed_values(region, writes_of(region))
    given = set[str]()

    def change(node: Node) -> Node | None:
        if not isinstance(node, For) or plain_name(node.lower) is None:
            return None
        named = names_in(node.bound) & values.keys()
        if not named:
            return None
        given.update(named)
        bound = substitute(node.bound, {name: values[name] for name in named})
        changed: Node = replaced(replace(node, bound=bound), change)
        return changed

    body = replaced(region.body, change)
    given -= names_in(body)
    if not given:
        return region

    def drop(node: Node) -> Node | None:
        if not isinstance(node, Block):
            return None
        left = [item for item in node.items if not (isinstance(item, Declare) and item.symbol.name in given)]
        return Block(tuple(replaced(item, drop) for item in left), node.span) if len(left) < len(node.items) else None

    return replace(region, body=replaced(body, drop))


def _whole(loop: For, region: Region) -> Region | None:
    """`region` without the loop over blocks `loop`; None if it is none, or its counter is used otherwise."""
    if loop.relation not in ("<", "<=") or loop.step < 1 or loop.independent or loop.reductions:
        return None
    strips = [node for node in walk(loop.body) if isinstance(node, For) and _in_one(node, loop) is not None]
    if not strips or has_own_jump(loop.body) or not _is_in_strips(loop.body, loop):
        return None
    inside = replaced(loop.body, lambda node: _in_one(node, loop) if isinstance(node, For) else None)
    outside = replaced(region.body, lambda node: Block((), loop.span) if node is loop else None)
    counters = {loop.iterator.name, *(strip.iterator.name for strip in strips)}
    if counters & {*names_in(outside), *region.written_scalars} or loop.iterator.name in names_in(inside):
        return None
    return replace(region, body=replaced(region.body, lambda node: inside if node is loop else None))


def _in_one(node: For, loop: For) -> For | None:
    """The loop `node` over the values of a block of `loop` as one over those of all; None if it is none.

    It begins with the counter of the blocks, or a multiple of it, and ends where the last block does.
    """
    if node.relation not in ("<", "<=") or node.independent or node.reductions:
        return None
    first, factor = without_conversions(node.lower), 1
    if isinstance(first, Binary) and first.op == "*":
        sides = [without_conversions(side) for side in (first.left, first.right)]
        number = next((side for side in sides if isinstance(side, IntLiteral)), None)
        first, factor = (first, 1) if number is None else (sides[number is sides[0]], number.value)
    apart = factor * loop.step
    if plain_name(first) != loop.iterator.name or node.iterator.type != loop.iterator.type:
        return None
    if apart < 2 or node.step < 1 or apart % node.step:
        return None
    relation, end = (loop.relation, loop.bound) if factor == 1 else (node.relation, None)
    for side in _sides(node.bound):
        if loop.iterator.name not in names_in(side):
            relation, end = node.relation, side
    begin = without_conversions(loop.lower)
    if end is None or (factor != 1 and not (isinstance(begin, IntLiteral) and begin.value == 0)):
        return None
    return replace(node, lower=loop.lower, relation=relation, bound=end)


def _sides(bound: Expr) -> tuple[Expr, ...]:
    """What a bound is the smaller one of."""
    match without_conversions(bound):
        case Ternary(then=then, otherwise=otherwise):
            return (then, otherwise)
        case Call(function="min", arguments=arguments):
            return arguments
    return ()


def _is_in_strips(stmt: Stmt, loop: For) -> bool:
    """Whether nothing is done in `loop` but in the loops through blocks."""
    match stmt:
        case Block():
            return all(_is_in_strips(item, loop) for item in stmt.items)
        case For():
            return _in_one(stmt, loop) is not None or _is_in_strips(stmt.body, loop)
        case If():
            branches = [stmt.then] if stmt.otherwise is None else [stmt.then, stmt.otherwise]
            return all(_is_in_strips(branch, loop) for branch in branches)
    return False


# ---- the proof -------------------------------------------------------------------------------------------


def means_the_same(blocks: Scop, whole: Scop) -> bool:
    """Whether `whole`, the model of what `without_blocks` makes of the region of `blocks`, does the same."""
    if [(s.name, s.kind) for s in blocks.statements] != [(s.name, s.kind) for s in whole.statements]:
        return False
    orders: dict[str, tuple[isl.Map, isl.Map]] = {}
    for old, new in zip(blocks.statements, whole.statements, strict=True):
        instances = _instances(old, new)
        if instances is None:
            return False
        instances = instances.intersect_params(blocks.context)
        there = new.domain.intersect_params(whole.context)
        if not instances.is_injective() or not instances.range().is_equal(there):
            return False
        if new.kind is not StatementKind.MERGE:
            orders[new.name] = _order(blocks, old.name).apply_domain(instances), _order(whole, new.name)
    return all(_keeps_order(first, second, orders) for first in whole.statements for second in whole.statements)


def _instances(old: Statement, new: Statement) -> isl.Map | None:
    """{ S[ii, i] -> S[i] }: which instance stands for which; None if there are other loops than those over blocks."""
    kept = [loop.iterator.name for loop in new.loops]
    places = [k for k, loop in enumerate(old.loops) if loop.iterator.name in kept]
    if [old.loops[k].iterator.name for k in places] != kept:
        return None
    found = isl.Map.from_domain_and_range(old.domain, old.domain)
    found = found.intersect(isl.Map.identity(found.get_space()))
    for k in reversed(range(len(old.loops))):
        if k not in places:
            found = found.project_out(isl.dim_type.out, k, 1)
    return found.set_tuple_name(isl.dim_type.out, new.name)


def _order(scop: Scop, statement: str) -> isl.Map:
    """{ S[i] -> [t] }: when the source executes a statement, or the one that it stands for."""
    order = islx.orders_of(scop.schedule)[scop.stands_for.get(statement, statement)]
    return order.set_tuple_name(isl.dim_type.in_, statement)


def _keeps_order(first: Statement, second: Statement, orders: dict[str, tuple[isl.Map, isl.Map]]) -> bool:
    """Whether instances of the two that meet in one place, one of which writes there, stay in their order."""
    if first.name not in orders or second.name not in orders:
        return True
    (old, new), (old_behind, new_behind) = orders[first.name], orders[second.name]
    turned: isl.Map | None = None
    for one in first.accesses:
        for other in second.accesses:
            if not _may_wait(one, other):
                continue
            if turned is None:
                turned = old.lex_lt_map(old_behind).intersect(new.lex_ge_map(new_behind))
            if not one.relation.apply_range(other.relation.reverse()).intersect(turned).is_empty():
                return False
    return True


def _may_wait(one: Access, other: Access) -> bool:
    """Whether two accesses of one variable have to stay in their order; updates of a reduction need not."""
    if one.array != other.array or one.kind is other.kind is AccessKind.UPDATE:
        return False
    return any(each.kind.writes or each.kind is AccessKind.KILL for each in (one, other))
