"""Sets and functions of sizes as conditions and values of the source."""

from __future__ import annotations

from collections.abc import Sequence as Seq

import islpy as isl

from pencilc import islx
from pencilc.ir.build import binary, cast, conjunction, number, plus, times
from pencilc.ir.source import LLONG, Expr, Name, Symbol


def condition_on_sizes(sizes: isl.Set, params: Seq[Symbol]) -> Expr | None:
    """`n >= 1 && m >= n` for `[n, m] -> { : n >= 1 and m >= n }`, where `params` are the parameters.

    None where the set is no conjunction of such conditions, or has parameters of other names.
    """
    known = {symbol.name: symbol for symbol in params}
    pieces = sizes.coalesce().get_basic_sets()
    if len(pieces) != 1 or pieces[0].dim(isl.dim_type.div) > 0:
        return None
    found = []
    for constraint in pieces[0].get_constraints():
        constant = int(constraint.get_constant_val().to_python())
        left: Expr = number(0)
        right: Expr = number(0)
        for name, factor in islx.parameter_factors(constraint):
            if name not in known:
                return None
            size = cast(LLONG, Name(known[name], known[name].type, known[name].span))
            if factor > 0:
                left = plus(left, times(number(factor), size))
            else:
                right = plus(right, times(number(-factor), size))
        if constant > 0:
            left = plus(left, number(constant))
        else:
            right = plus(right, number(-constant))
        found.append(binary("==" if constraint.is_equality() else ">=", left, right))
    return conjunction(found)


def value_of_sizes(count: isl.PwAff, params: Seq[Symbol]) -> Expr | None:
    """`n - 1` for `[n] -> { [(-1 + n)] : n >= 2 }`, in 64 bits, whatever it is elsewhere.

    None where it is no sum of the parameters, or has parameters of other names.
    """
    known = {symbol.name: symbol for symbol in params}
    found = islx.pieces(count.coalesce())
    if len(found) != 1 or found[0][1].dim(isl.dim_type.div) > 0:
        return None
    function = found[0][1]
    value: Expr = cast(LLONG, number(int(function.get_constant_val().to_python())))
    for name, factor in islx.parameter_factors(function):
        if name not in known:
            return None
        size = cast(LLONG, Name(known[name], known[name].type, known[name].span))
        value = plus(value, times(number(factor), size))
    return value
