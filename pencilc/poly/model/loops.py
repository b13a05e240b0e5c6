"""The iterations of one loop: when a `for` is affine, and the set it runs over."""

from __future__ import annotations

from collections.abc import Sequence as Seq

import islpy as isl

from pencilc import islx
from pencilc.ir.queries import has_own_jump
from pencilc.ir.source import Assign, CType, For, Jump, Name, Node, Return, Scalar, While, walk
from pencilc.poly.model.accesses import contains
from pencilc.poly.model.affine import AffineContext, NotAffine, affine, is_modular, type_range
from pencilc.poly.model.rounds import is_leave

_UPWARD = {"<": "lt_set", "<=": "le_set"}
_DOWNWARD = {">": "gt_set", ">=": "ge_set"}


def iterations(loop: For, context: AffineContext, iterator: str, left: Seq[str] = ()) -> isl.Set:
    """`{ [outer, i] }`: the iterations of `loop` inside those of `context`; raises NotAffine.

    `left`: the variables that say that a loop is left, which loops of the model may do.
    Example: `for (i = n - 1; i >= 0; i -= 2)` is [n] -> { [i] : 0 <= i < n and (n - 1 - i) mod 2 = 0 }.
    """
    refuse_irregular(loop, left)
    names = [islx.dimension_name(context.where, k) for k in range(islx.dimensions(context.where))]
    where = islx.extend(context.where, [*names, iterator])
    inner = context.within(where)
    at = islx.variable(where, len(names))
    lower = affine(loop.lower, inner)
    bound = affine(loop.bound, inner.wrapping(loop.bound.type) if _ends_in_time(loop) else inner)
    _check_types(loop, inner, lower, bound)
    where = where.intersect(at.ge_set(lower) if loop.step > 0 else at.le_set(lower))
    where = where.intersect(getattr(at, _relation(loop))(bound))
    if abs(loop.step) > 1:
        distance = at.sub(lower).mod_val(isl.Val(abs(loop.step)))
        where = where.intersect(distance.eq_set(islx.constant(where, 0)))
    return where


def _ends_in_time(loop: For) -> bool:
    """Whether the bound of a loop may be taken as the number that it is meant to be, below zero too.

    `y < h - 1` in `size_t`: where `h` is 0 these are 2^64 - 1 iterations, which no program gets to the end of.  What is
    left early would, and a counter of 32 bits too.  Modulo 2^64 the bound is the same, and so it is computed.
    """
    counter, limit = loop.iterator.type, loop.bound.type
    is_wide = all(isinstance(t, Scalar) and t.kind == "uint" and t.size == 8 for t in (counter, limit))
    return is_wide and loop.step == 1 and loop.relation in ("<", "<=") and not has_own_jump(loop.body)


def _relation(loop: For) -> str:
    """The isl method for the loop's comparison; `!=` with a unit step means that the bound is met."""
    if loop.relation == "!=" and loop.step in (1, -1):
        return "lt_set" if loop.step == 1 else "gt_set"
    known = _UPWARD if loop.step > 0 else _DOWNWARD
    if loop.relation not in known:
        raise NotAffine(f"`{loop.relation}` with step {loop.step}")
    return known[loop.relation]


def refuse_irregular(loop: For, left: Seq[str] = ()) -> None:
    """Raises NotAffine for a loop that is left early, unless by `left`, or whose counter is changed inside."""
    if contains(loop.body, (Jump,), lambda node: not isinstance(node, For | While) and not is_leave(node, left)):
        raise NotAffine("`break` or `continue`")
    if contains(loop.body, (Return,)):
        raise NotAffine("`return` in a loop")
    if any(_assigns(node, loop.iterator.name) for node in walk(loop.body)):
        raise NotAffine("the counter is changed in the body")


def _assigns(node: Node, name: str) -> bool:
    target = node.target if isinstance(node, Assign) else None
    return isinstance(target, Name) and target.symbol.name == name


def _check_types(loop: For, context: AffineContext, lower: isl.PwAff, bound: isl.PwAff) -> None:
    """The counter and the bound keep their values in the comparison that C makes."""
    counter, limit = loop.iterator.type, loop.bound.type
    if is_modular(counter):
        _need_in_range(lower, counter, context)
        # Upwards to a bound of a wider signed type, C compares the numbers as they are.
        if not is_modular(limit) and not (loop.step > 0 and limit.size > counter.size):
            _need_in_range(bound, counter, context)
    elif is_modular(limit):
        if loop.step < 0:
            raise NotAffine("a signed counter runs down to an unsigned bound")
        _need_in_range(lower, limit, context)
    if isinstance(counter, Scalar) and counter.size < 4:
        _need_in_range(bound, counter, context)
    if loop.relation == "!=" and _wraps(counter):
        wrong = lower.gt_set(bound) if loop.step > 0 else lower.lt_set(bound)
        if not wrong.intersect(context.where).intersect_params(context.proof).is_empty():
            raise NotAffine("the counter may miss its bound and wrap")
    check_last_step(loop, context, bound)


def check_last_step(loop: For, context: AffineContext, bound: isl.PwAff | None) -> None:
    """Raises NotAffine where the step that passes the bound, None if that is data, may wrap: the loop would go on.

    A power of two as step leads to the same values again, so that no such loop ends.  A wide counter is believed not
    to run through all its values unless it certainly does.
    """
    counter = loop.iterator.type
    if abs(loop.step).bit_count() <= 1 or not _wraps(counter):
        return
    assert isinstance(counter, Scalar)
    if bound is None:
        if counter.size < 4:
            raise NotAffine("the counter may step over its bound and wrap")
        return
    low, high = type_range(counter)
    inclusive = loop.relation in ("<=", ">=")
    way = abs(loop.step) - (0 if inclusive else 1)
    if loop.step > 0:
        wraps = bound.gt_set(islx.constant(context.where, high - way))
    else:
        wraps = bound.lt_set(islx.constant(context.where, low + way))
    here = context.where.intersect_params(context.proof)
    bad = wraps.intersect(here)
    if not bad.is_empty() and (counter.size < 4 or here.is_subset(bad)):
        raise NotAffine("the counter may step over its bound and wrap")


def _wraps(ctype: CType) -> bool:
    """Whether a counter of the type begins again behind its last value, where an `int` must not."""
    return isinstance(ctype, Scalar) and (ctype.kind != "int" or ctype.size < 4)


def _need_in_range(function: isl.PwAff, ctype: CType, context: AffineContext) -> None:
    low, high = type_range(ctype)
    below = function.lt_set(islx.constant(context.where, low))
    above = function.gt_set(islx.constant(context.where, high))
    bad = below.union(above).intersect(context.where).intersect_params(context.proof)
    if not bad.is_empty():
        raise NotAffine("the value may not fit the loop counter")
