"""Our schedule tree as isl's."""

from __future__ import annotations

import islpy as isl

from pencilc import islx
from pencilc.ir.schedule import Band, Leaf, ScheduledScop, Tree, statements_of


def tree_to_isl(scheduled: ScheduledScop) -> isl.Schedule:
    """The schedule as an isl schedule tree over the domains of its statements, within the context."""
    scop = scheduled.scop
    names = statements_of(scheduled.tree)
    domains = {n: scop.statement(n).domain.intersect_params(scop.context) for n in names}
    node = isl.Schedule.from_domain(islx.union_set(domains.values())).get_root().child(0)
    return _insert(node, scheduled.tree, domains).root().get_schedule()


def _insert(node: isl.ScheduleNode, tree: Tree, domains: dict[str, isl.Set]) -> isl.ScheduleNode:
    """Put `tree` at the leaf `node`; returns the node at the same position."""
    if isinstance(tree, Leaf):
        return node
    if isinstance(tree, Band):
        return _insert_band(node, tree, domains)
    filters = isl.UnionSetList.alloc(isl.DEFAULT_CONTEXT, len(tree.children))
    for child in tree.children:
        filters = filters.add(islx.union_set(domains[n] for n in statements_of(child)).universe())
    node = node.insert_sequence(filters)
    for position, child in enumerate(tree.children):
        node = _insert(node.child(position).child(0), child, domains).parent().parent()
    return node


def _insert_band(node: isl.ScheduleNode, band: Band, domains: dict[str, isl.Set]) -> isl.ScheduleNode:
    parts = [isl.MultiUnionPwAff.from_union_pw_aff(row.function) for row in band.rows]
    partial = parts[0]
    for part in parts[1:]:
        partial = partial.flat_range_product(part)
    node = node.insert_partial_schedule(partial)
    parallel = all(row.flag in ("P", "R") for row in band.rows)
    node = node.band_set_permutable(int(parallel))
    for position, row in enumerate(band.rows):
        node = node.band_member_set_coincident(position, int(row.flag == "P"))
    return _insert(node.child(0), band.child, domains).parent()
