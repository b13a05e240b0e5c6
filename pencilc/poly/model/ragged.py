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
from pencilc.ir.queries import has_effects, without_conversions
from pencilc.ir.scop import AccessKind
from pencilc.ir.source import (
    INT,
    AddressOf,
    Binary,
    Cast,
    CType,
    Expr,
    For,
    IntLiteral,
    ReductionInit,
    ReductionUpdate,
    Scalar,
    Ternary,
    walk,
)
from pencilc.poly.model.accesses import Effects, contains, declared_in, lvalue_of, touches
from pencilc.poly.model.affine import AffineContext, NotAffine, affine, type_range
from pencilc.poly.model.loops import check_last_step, refuse_irregular


def ragged_iterations(
    loop: For, context: AffineContext, iterator: str, effects: Effects
) -> tuple[isl.Set, Expr | None, Expr | None]:
    """The iterations { [outer, i] } without the bounds that are data, and these: the first value, one past the last.

    Values that are data have the type of the counter, or one that holds what C compares: a counter that passes the
    greatest value of its type by one is undefined or never ends, so nothing of it needs to be kept.  Raises NotAffine
    for a loop that has another form, holds no reduction, or changes what its bounds read, or whose step may wrap.
    """
    refuse_irregular(loop)
    if not _has_form(loop):
        raise NotAffine("bounds that are data, and no loop upwards, or downwards by one")
    _check_body(loop, effects)
    names = [islx.dimension_name(context.where, k) for k in range(islx.dimensions(context.where))]
    where = islx.extend(context.where, [*names, iterator])
    inner, at = context.within(where), islx.variable(where, len(names))
    lower, bound = (_fitting(e, loop.iterator.type, inner) for e in (loop.lower, loop.bound))
    start = _converted(loop.lower, loop.iterator.type)
    limit = _limit(loop, start, lower is not None and _is_natural(lower, inner))
    bound = None if isinstance(limit, Ternary) else bound
    if lower is not None and bound is not None:
        raise NotAffine("a loop that C leaves in another way")
    check_last_step(loop, inner, bound)
    if loop.step < 0:
        if lower is not None:
            where = where.intersect(at.le_set(lower))
        if bound is not None:
            where = where.intersect(at.ge_set(bound) if loop.relation == ">=" else at.gt_set(bound))
        first = limit if loop.relation == ">=" else _plus_one(limit)
        return where, None if bound is not None else first, None if lower is not None else _plus_one(start)
    if lower is not None:
        where = where.intersect(at.ge_set(lower))
        if loop.step > 1:
            distance = at.sub(lower).mod_val(isl.Val(loop.step))
            where = where.intersect(distance.eq_set(islx.constant(where, 0)))
    if bound is not None:
        where = where.intersect(at.lt_set(bound) if loop.relation == "<" else at.le_set(bound))
    end = limit if loop.relation == "<" else _plus_one(limit)
    return where, None if lower is not None else start, None if bound is not None else end


def _has_form(loop: For) -> bool:
    if loop.step > 0:
        return loop.relation in ("<", "<=")
    # What unsigned values do on their way down is left alone.
    counter, bound = loop.iterator.type, without_conversions(loop.bound).type
    signed = all(isinstance(t, Scalar) and t.kind == "int" for t in (counter, bound))
    return loop.step == -1 and loop.relation in (">", ">=") and signed


def _fitting(bound: Expr, counter: CType, context: AffineContext) -> isl.PwAff | None:
    """The bound as an affine function, if the counter can have its value and C compares just these."""
    try:
        function = affine(bound, context)
        least, greatest = type_range(counter)
    except NotAffine:
        return None
    zone = context.where.intersect_params(context.proof)
    below = function.lt_set(islx.constant(context.where, least)).intersect(zone)
    above = function.gt_set(islx.constant(context.where, greatest)).intersect(zone)
    return function if below.is_empty() and above.is_empty() else None


def _is_natural(function: isl.PwAff, context: AffineContext) -> bool:
    negative = function.lt_set(islx.constant(context.where, 0)).intersect_params(context.proof)
    return bool(negative.intersect(context.where).is_empty())


def _limit(loop: For, start: Expr, natural: bool) -> Expr:
    """The bound with the value that C compares the counter with; `natural`: the first value is not negative."""
    bound, counter = without_conversions(loop.bound), loop.iterator.type
    assert isinstance(counter, Scalar)
    if not isinstance(bound.type, Scalar) or not bound.type.is_integer:
        raise NotAffine("a bound that is no integer")
    compared = _compared(counter, bound.type)
    if compared.kind == "int" or counter.kind == "uint":
        return bound if compared.kind == "int" else _converted(bound, compared)
    if natural:
        return bound
    # As an unsigned number a negative counter is beyond all others: then the loop ends before it begins.
    if loop.relation != "<":
        raise NotAffine("a counter that may be negative, and an unsigned bound")
    inside = Binary("<", _converted(start, compared), _converted(bound, compared), INT, bound.span)
    return Ternary(inside, _converted(bound, counter), start, counter, bound.span)


def _compared(counter: Scalar, bound: Scalar) -> Scalar:
    """The type in which C compares the two: the larger one, of two of one size the unsigned one."""
    left = counter if counter.size >= INT.size else INT
    right = bound if bound.size >= INT.size else INT
    if left.size != right.size:
        return left if left.size > right.size else right
    return right if right.kind == "uint" and left.kind != "uint" else left


def _converted(expr: Expr, ctype: CType) -> Expr:
    expr = without_conversions(expr)
    return expr if expr.type == ctype else Cast(expr, ctype, expr.span)


def _check_body(loop: For, effects: Effects) -> None:
    """A reduction in the loop, none that begins in it and lives on behind it, and bounds that stay as they are."""
    if not contains(loop.body, (ReductionUpdate,)):
        raise NotAffine("bounds that are data, and no reduction")
    local = declared_in(loop.body)
    for node in walk(loop.body):
        if isinstance(node, ReductionInit):
            target = node.variable.operand if isinstance(node.variable, AddressOf) else node.variable
            lvalue = lvalue_of(target)
            if lvalue is None or lvalue.symbol.name not in local:
                raise NotAffine("a reduction begins in a loop whose bounds are data")
    written = {t.lvalue.symbol.name for t in touches(loop.body, effects) if t.kind.writes or t.kind is AccessKind.KILL}
    for bound in (loop.lower, loop.bound):
        # A function of numbers alone is a number; what others read may change.
        if has_effects(bound):
            raise NotAffine("a bound that is a call on an array")
        if any(touch.lvalue.symbol.name in written for touch in touches(bound, effects)):
            raise NotAffine("the loop changes its own bounds")


def _plus_one(bound: Expr) -> Expr:
    wide = bound.type if bound.type.size >= INT.size else INT
    left = bound if wide is bound.type else Cast(bound, wide, bound.span, True)
    return Binary("+", left, IntLiteral(1, wide, bound.span), wide, bound.span)
