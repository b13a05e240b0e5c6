"""Where the accesses of an expression happen: under the affine ones of the conditions in it that decide.

c == m - 1 ? t : a[r * m + c + 1]      a[r * m + c + 1] for c < m - 1 alone, so that it does not leave its row
"""

from __future__ import annotations

from collections.abc import Set

import islpy as isl

from pencilc.ir.queries import names_in
from pencilc.ir.source import Binary, Cast, Expr, walk
from pencilc.poly.model.accesses import Touch
from pencilc.poly.model.affine import AffineContext, NotAffine, condition

# Comparisons that are looked at for one access, and pieces that they may leave of where it happens.
_COMPARISONS, _PIECES = 8, 2


def narrowed(touch: Touch, context: AffineContext, changed: Set[str] = frozenset()) -> isl.Set:
    """{ [i] }: where the access may happen, of the iterations of `context`.

    `changed`: variables whose values in the conditions are not those that the context knows.
    """
    where, left = context.where, _COMPARISONS
    for each in touch.under:
        for part in _parts(each.condition, each.holds):
            left -= sum(isinstance(node, Binary) for node in walk(part))
            if left < 0 or names_in(part) & changed:
                continue
            try:
                truth = condition(part, context.within(where))
            except NotAffine:
                continue
            found = where.intersect(truth if each.holds else truth.complement()).coalesce()
            if found.n_basic_set() <= max(_PIECES, where.n_basic_set()):
                where = found
    return where


def _parts(expr: Expr, holds: bool) -> list[Expr]:
    """The conditions that all hold where `a && b` does, or that none holds where `a || b` does not."""
    if isinstance(expr, Cast) and expr.implicit and isinstance(expr.operand, Binary):
        expr = expr.operand
    if isinstance(expr, Binary) and expr.op == ("&&" if holds else "||"):
        return [*_parts(expr.left, holds), *_parts(expr.right, holds)]
    return [expr]
