"""Reductions inside one thread: give init statements back the place that merge nodes took from them."""

from __future__ import annotations

from pencilc import islx
from pencilc.analysis.box import row_on_init
from pencilc.analysis.sums import are_at_one_place
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.scop import Reduction, Scop


def with_inits(scop: Scop, tree: Tree, others: tuple[str, ...]) -> Tree:
    """`tree` with a leaf for the init of each of its reductions, right before the first part that updates it.

    Where loops do the updates of a variable in other iterations than its merge node, the inits of all variables stand
    in loops of their own in front of these.  The reductions named in `others` are not done by one thread and keep
    their merge nodes.
    """
    names = frozenset(statements_of(tree))
    for reduction in scop.reductions:
        if reduction.name not in others and reduction.merge in names and not names.isdisjoint(reduction.updates):
            tree = _insert(tree, reduction)
    return tree


def _insert(tree: Tree, reduction: Reduction) -> Tree:
    match tree:
        case Leaf():
            return tree
        case Band():
            if reduction.merge not in statements_of(tree.child):
                return tree
            if not are_at_one_place(tree.rows, reduction):
                rows = (*tree.rows, *_rows_around(tree.child, reduction.merge))
                return Sequence((Band(tuple(_of_init(row, reduction) for row in rows), Leaf(reduction.init)), tree))
            rows = tuple(row_on_init(row, reduction) for row in tree.rows)
            return Band(rows, _insert(tree.child, reduction))
        case Sequence():
            direct = any(isinstance(c, Leaf) and c.statement == reduction.merge for c in tree.children)
            if not direct:
                return Sequence(tuple(_insert(c, reduction) for c in tree.children))
            wanted = {reduction.merge, *reduction.updates}
            first = next(k for k, c in enumerate(tree.children) if wanted & set(statements_of(c)))
            return Sequence((*tree.children[:first], Leaf(reduction.init), *tree.children[first:]))


def _rows_around(tree: Tree, statement: str) -> tuple[Row, ...]:
    """The rows around a statement of the tree, outermost first."""
    match tree:
        case Band():
            return (*tree.rows, *_rows_around(tree.child, statement))
        case Sequence():
            (child,) = (child for child in tree.children if statement in statements_of(child))
            return _rows_around(child, statement)
    return ()


def _of_init(row: Row, reduction: Reduction) -> Row:
    """The row on the reduction's init alone."""
    function = islx.pw_affs_of(row_on_init(row, reduction).function)[reduction.init]
    return Row(row.flag, islx.union_pw_aff([function]))
