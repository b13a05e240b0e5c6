"""Loops of one iteration, whose counter is another name of where it begins.

    for (i…) for (r = i; r <= i; r++) for (k…) c[r] += a[r][k];    ->    for (i…) for (k…) c[i] += a[i][k];

As a row of the model such a loop would tell no points apart that the rows around it do not, but stand between them and
what lies in it: what is added to `c[r]` would have rows that its result has not.  Rows of one value that begin with a
number are left to the scheduler (`schedule/elide.py`).
"""

from __future__ import annotations

from dataclasses import replace

from pencilc.ir.queries import has_own_jump, mentions_any, without_conversions
from pencilc.ir.rewrite import as_block, replaced
from pencilc.ir.source import Block, Cast, Expr, For, Name, Node, Region, Scalar, walk
from pencilc.poly.model.flat_terms import is_unsigned, iterations


def without_single_loops(region: Region) -> Region:
    """`region` with the bodies of such loops in their places, each with where its loop begins for the counter."""
    body = replaced(region.body, _instead)
    return region if body is region.body else replace(region, body=body)


def _instead(node: Node) -> Node | None:
    """What stands in the place of a node, if that is such a loop."""
    if not isinstance(node, For) or not _is_single(node):
        return None
    name, value = node.iterator.name, _in_type_of(node)
    body = replaced(node.body, lambda each: value if isinstance(each, Name) and each.symbol.name == name else None)
    # There may be others inside.
    block = as_block(body)
    return Block(tuple(replaced(item, _instead) for item in block.items), node.span)


def _in_type_of(loop: For) -> Expr:
    """Where the loop begins, in the type of its counter, which is written: no assignment says so any more."""
    lower, ctype = without_conversions(loop.lower), loop.iterator.type
    return lower if lower.type == ctype else Cast(lower, ctype, loop.span)


def _is_single(loop: For) -> bool:
    """Whether the loop, which asks for nothing of its own, has one iteration whatever the values are."""
    if not loop.declares or loop.reductions or has_own_jump(loop.body) or not isinstance(loop.iterator.type, Scalar):
        return False
    if is_unsigned(loop.iterator.type):
        return False
    if iterations(loop) != 1:
        return False
    return any(isinstance(each, Name) for each in walk(loop.lower)) and not mentions_any(loop.lower, loop.iterator.name)
