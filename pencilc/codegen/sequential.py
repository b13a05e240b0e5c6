"""Reductions inside one thread: give init statements back the place that merge nodes took from them."""

from __future__ import annotations

from pencilc import islx
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.scop import Reduction, Scop


def with_inits(scop: Scop, tree: Tree, apart: tuple[str, ...]) -> Tree:
    """`tree` with a leaf for the init of each of its reductions, right before the first part that updates it.

    The reductions named in `apart` are not done by one thread and keep their merge nodes.
    """
    for reduction in scop.reductions:
        names = statements_of(tree)
        if reduction.name not in apart and reduction.merge in names and set(reduction.updates) & set(names):
            tree = _insert(tree, reduction)
    return tree


def _insert(tree: Tree, reduction: Reduction) -> Tree:
    match tree:
        case Leaf():
            return tree
        case Band():
            if reduction.merge not in statements_of(tree.child):
                return tree
            rows = tuple(_extended(row, reduction) for row in tree.rows)
            return Band(rows, _insert(tree.child, reduction))
        case Sequence():
            direct = any(isinstance(c, Leaf) and c.statement == reduction.merge for c in tree.children)
            if not direct:
                return Sequence(tuple(_insert(c, reduction) for c in tree.children))
            wanted = {reduction.merge, *reduction.updates}
            first = next(k for k, c in enumerate(tree.children) if wanted & set(statements_of(c)))
            return Sequence((*tree.children[:first], Leaf(reduction.init), *tree.children[first:]))


def _extended(row: Row, reduction: Reduction) -> Row:
    """The row on init as well: what it is on the merge node, which has the same iterators."""
    functions = islx.pw_affs_of(row.function)
    if reduction.init in functions or reduction.merge not in functions:
        return row
    merged = functions[reduction.merge]
    (to_merge,) = islx.maps_of(reduction.i2m)
    function = merged.pullback_pw_multi_aff(to_merge.as_pw_multi_aff())
    return Row(row.flag, islx.union_pw_aff([*functions.values(), function]))
