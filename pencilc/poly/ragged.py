"""Loops whose bounds are read from arrays, the rows of a sparse matrix above all.

    for (int j = start[i]; j < start[i + 1]; j++)
        __pencil_reduction(&s[i], v[j] * x[col[j]], add);

In the model the domain says nothing of such a bound: { S[i, j] : 0 <= i < n }, and j is any integer.  Every dependence
between instances that are executed is one between instances of this larger domain, so a schedule that respects all of
these is legal.  Nothing inside certainly writes; the bounds are reads of every statement inside.  Only the generated
loop knows the bounds, as expressions that are evaluated where it stands (`codegen/ragged.py`).
"""

from __future__ import annotations

import islpy as isl

from pencilc import islx
from pencilc.ir import ctypes
from pencilc.ir.ctypes import CType, Scalar
from pencilc.ir.scop import AccessKind
from pencilc.ir.source import (
    AddressOf,
    Binary,
    Call,
    Cast,
    Expr,
    For,
    IntLiteral,
    ReductionInit,
    ReductionUpdate,
    walk,
)
from pencilc.poly.accesses import Effects, contains, declared_in, place_of, touches
from pencilc.poly.affine import AffineContext, NotAffine, affine, type_range
from pencilc.poly.loops import refuse_irregular


def ragged_iterations(
    loop: For, context: AffineContext, iterator: str, effects: Effects
) -> tuple[isl.Set, Expr | None, Expr | None]:
    """The iterations { [outer, i] } without the bounds that are data, and these: the first value, one past the last.

    Raises NotAffine for a loop that has another form, holds no reduction, or changes what its bounds read.
    """
    refuse_irregular(loop)
    if loop.step != 1 or loop.relation not in ("<", "<="):
        raise NotAffine("bounds that are data, and not a loop upwards by one")
    _check_body(loop, effects)
    names = [islx.dimension_name(context.where, k) for k in range(islx.dimensions(context.where))]
    where = islx.extend(context.where, [*names, iterator])
    inner, at = context.within(where), islx.variable(where, len(names))
    lower, bound = _affine(loop.lower, inner), _affine(loop.bound, inner)
    _check_type(loop.lower, loop.iterator.type, lower, inner)
    _check_type(loop.bound, loop.iterator.type, bound, inner)
    if lower is not None:
        where = where.intersect(at.ge_set(lower))
    if bound is not None:
        where = where.intersect(at.lt_set(bound) if loop.relation == "<" else at.le_set(bound))
    end = loop.bound if loop.relation == "<" else _plus_one(loop.bound)
    return where, None if lower is not None else loop.lower, None if bound is not None else end


def _affine(expr: Expr, context: AffineContext) -> isl.PwAff | None:
    try:
        return affine(expr, context)
    except NotAffine:
        return None


def _check_body(loop: For, effects: Effects) -> None:
    """A reduction in the loop, none that begins in it and lives on behind it, and bounds that stay as they are."""
    if not contains(loop.body, (ReductionUpdate,)):
        raise NotAffine("bounds that are data, and no reduction")
    local = declared_in(loop.body)
    for node in walk(loop.body):
        if isinstance(node, ReductionInit):
            target = node.variable.operand if isinstance(node.variable, AddressOf) else node.variable
            place = place_of(target)
            if place is None or place.symbol.name not in local:
                raise NotAffine("a reduction begins in a loop whose bounds are data")
    written = {t.place.symbol.name for t in touches(loop.body, effects) if t.kind.writes or t.kind is AccessKind.KILL}
    for bound in (loop.lower, loop.bound):
        if any(isinstance(node, Call) for node in walk(bound)):
            raise NotAffine("a bound that is a call")
        if any(touch.place.symbol.name in written for touch in touches(bound, effects)):
            raise NotAffine("the loop changes its own bounds")


def _check_type(bound: Expr, counter: CType, function: isl.PwAff | None, context: AffineContext) -> None:
    """The bound has the same value as a number, in the counter, and in the comparison that C makes."""
    while isinstance(bound, Cast) and bound.implicit:
        bound = bound.operand
    low, high = type_range(bound.type)
    least, greatest = type_range(counter)
    if not isinstance(counter, Scalar) or counter.size < 4:
        raise NotAffine("a narrow counter")
    if function is None:
        # What overflows a signed counter is undefined; an unsigned one must hold every value of the bound.
        if low < least or (high > greatest and counter.kind == "uint") or _is_unsigned(bound.type, counter):
            raise NotAffine("a bound that may not fit the loop counter")
        return
    zone = context.where.intersect_params(context.proof)
    below = function.lt_set(islx.constant(context.where, least)).intersect(zone)
    above = function.gt_set(islx.constant(context.where, greatest)).intersect(zone)
    if not (below.is_empty() and above.is_empty()):
        raise NotAffine("a bound that may not fit the loop counter")


def _is_unsigned(bound: CType, counter: Scalar) -> bool:
    """Whether the comparison of the two would be unsigned although the counter is signed."""
    unsigned = isinstance(bound, Scalar) and bound.kind == "uint"
    return unsigned and counter.kind == "int" and bound.size >= counter.size


def _plus_one(bound: Expr) -> Expr:
    wide = bound.type if bound.type.size >= ctypes.INT.size else ctypes.INT
    left = bound if wide is bound.type else Cast(bound, wide, bound.span, True)
    return Binary("+", left, IntLiteral(1, wide, bound.span), wide, bound.span)
