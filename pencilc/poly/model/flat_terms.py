"""Subscripts and extents of flattened arrays as sums of products.

`(y + 1) * w + x` is `w * y + w + x`: divided by `w` that is `y + 1`, and `x` is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from typing import TypeAlias

from pencilc.ir.queries import counters_in, names_in, without_conversions
from pencilc.ir.rewrite import written_names
from pencilc.ir.source import (
    AddressOf,
    ArrayType,
    Assign,
    Binary,
    Cast,
    CType,
    Declare,
    Expr,
    For,
    IntLiteral,
    Name,
    ReductionInit,
    ReductionUpdate,
    Region,
    Scalar,
    Unary,
    walk,
)
from pencilc.records import dataclass

# Sums of more terms are left alone.
_MOST_TERMS = 64

# A factor of an extent: a parameter, a number, a quotient of one by a number (`w / 2`) or by another one (`C / heads`),
# or a sum of such (`w + 2 * r`).
Factor: TypeAlias = Expr
# `2 * r + w + 1` as (("", 1), ("r", 2), ("w", 1)).
_Linear: TypeAlias = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class FlatTerm:
    """`coefficient * names[0] * names[1] * … * rest`; the names, sorted, are those of factors (`factor_name`)."""

    coefficient: int
    names: tuple[str, ...] = ()
    rest: Expr | None = None

    @property
    def is_affine(self) -> bool:
        """Whether it is a number times one variable."""
        return len(self.names) + (self.rest is not None) <= 1


FlatSum: TypeAlias = tuple[FlatTerm, ...]


# ---- subscripts as sums ----------------------------------------------------------------------------


def flat_sum(expr: Expr, names: frozenset[str], values: Mapping[str, Expr]) -> FlatSum | None:
    """`expr` multiplied out; None where it has too many terms, or a product that is none of factors and one rest."""
    match expr:
        case IntLiteral(value=value):
            return (FlatTerm(value),) if value else ()
        case Name(symbol=symbol) if symbol.name in names:
            return (FlatTerm(1, (symbol.name,)),)
        case Name(symbol=symbol) if symbol.name in values and not may_wrap(expr.type):
            return flat_sum(values[symbol.name], names, values)
        case Cast(operand=operand) if keeps_value(expr):
            return flat_sum(operand, names, values)
        case Unary(op="-", operand=operand) if not may_wrap(expr.type):
            found = flat_sum(operand, names, values)
            return None if found is None else tuple(replace(t, coefficient=-t.coefficient) for t in found)
        case Binary(op="+" | "-" | "/") if (name := factor_name(expr, values)) in names:
            return (FlatTerm(1, (name,)),)
        case Binary(op="+" | "-" | "*" as op, left=left, right=right) if not may_wrap(expr.type):
            one, other = flat_sum(left, names, values), flat_sum(right, names, values)
            if one is None or other is None:
                return None
            return _product(one, other) if op == "*" else added(one, other, 1 if op == "+" else -1)
    return (FlatTerm(1, (), expr),)


def added(one: FlatSum, other: FlatSum, sign: int) -> FlatSum | None:
    """`one + sign * other`; None where that has too many terms."""
    found: dict[tuple[tuple[str, ...], Expr | None], int] = {}
    for factor, terms in ((1, one), (sign, other)):
        for term in terms:
            key = (term.names, term.rest)
            found[key] = found.get(key, 0) + factor * term.coefficient
    if len(found) > _MOST_TERMS:
        return None
    return tuple(FlatTerm(coefficient, *key) for key, coefficient in found.items() if coefficient)


def _product(one: FlatSum, other: FlatSum) -> FlatSum | None:
    found: FlatSum = ()
    for left in one:
        for right in other:
            if left.rest is not None and right.rest is not None:
                return None
            names = tuple(sorted((*left.names, *right.names)))
            made = FlatTerm(left.coefficient * right.coefficient, names, left.rest or right.rest)
            more = added(found, (made,), 1)
            if more is None:
                return None
            found = more
    return found


def split_sum(terms: FlatSum, order: Seq[Factor]) -> tuple[FlatSum, ...] | None:
    """The subscripts of dimensions with the extents `order`, of which `terms` are the flat one; None if not affine."""
    parts: list[FlatSum] = []
    for extent in reversed(order[1:]):
        terms, inner = _divided(terms, extent)
        parts.insert(0, inner)
    found = (terms, *parts)
    return found if all(term.is_affine for part in found for term in part) else None


def _divided(terms: FlatSum, factor: Factor) -> tuple[FlatSum, FlatSum]:
    """`terms` divided by an extent: the quotient, and what is left for the dimension of that extent.

    What is left is `w - 1 - x` where nothing in it adds: the extent itself belongs to it then.
    """
    if isinstance(factor, IntLiteral):
        number = factor.value
        quotient = [replace(t, coefficient=t.coefficient // number) for t in terms if t.coefficient % number == 0]
        return tuple(quotient), tuple(term for term in terms if term.coefficient % number)
    name = factor_name(factor, {})
    divided = tuple(replace(t, names=_without(t.names, name)) for t in terms if name in t.names)
    left = tuple(term for term in terms if name not in term.names)
    if left and all(term.coefficient < 0 for term in left):
        return added(divided, (FlatTerm(1),), -1) or (), (*left, FlatTerm(1, (name,)))
    return divided, left


def _without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    position = names.index(name)
    return names[:position] + names[position + 1 :]


def expression_of(terms: FlatSum, subscript: Expr, order: Seq[Factor]) -> Expr:
    """The sum in the type of the flat subscript; what is subtracted comes last."""
    ctype, span = subscript.type, subscript.span
    factors = {factor_name(extent, {}): extent for extent in order if not isinstance(extent, IntLiteral)}
    found: Expr | None = None
    for term in sorted(terms, key=lambda t: t.coefficient < 0):
        size = abs(term.coefficient)
        value: Expr = IntLiteral(size, ctype, span)
        atom = factors[term.names[0]] if term.names else term.rest
        if atom is not None:
            own = atom if atom.type == ctype else Cast(atom, ctype, span)
            value = own if size == 1 else Binary("*", value, own, ctype, span)
        if found is None:
            found = value if term.coefficient > 0 else Unary("-", value, ctype, span)
        else:
            found = Binary("+" if term.coefficient > 0 else "-", found, value, ctype, span)
    return IntLiteral(0, ctype, span) if found is None else found


# ---- factors and values ----------------------------------------------------------------------------


def linear(expr: Expr, values: Mapping[str, Expr]) -> _Linear | None:
    """A sum of variables, quotients and numbers, each once, so that `1 + m` is `m + 1`; None for anything else."""
    found: dict[str, int] = {}
    if not _add_linear(expr, 1, values, found):
        return None
    return tuple(sorted((name, count) for name, count in found.items() if count))


def _add_linear(expr: Expr, times: int, values: Mapping[str, Expr], found: dict[str, int]) -> bool:
    """Add `times * expr` to the counts in `found`; whether it is linear."""
    match expr:
        case IntLiteral(value=value):
            found[""] = found.get("", 0) + times * value
            return True
        case Name(symbol=symbol) if symbol.name in values and not may_wrap(expr.type):
            return _add_linear(values[symbol.name], times, values, found)
        case Name(symbol=symbol) if not isinstance(symbol.type, ArrayType):
            found[symbol.name] = found.get(symbol.name, 0) + times
            return True
        case Cast(operand=operand) if keeps_value(expr):
            return _add_linear(operand, times, values, found)
        case Unary(op="-", operand=operand) if not may_wrap(expr.type):
            return _add_linear(operand, -times, values, found)
        case Binary(op="+" | "-" as op, left=left, right=right) if not may_wrap(expr.type):
            sign = times if op == "+" else -times
            return _add_linear(left, times, values, found) and _add_linear(right, sign, values, found)
        case Binary(op="/") if len(sizes := sizes_divided(expr)) == 2:
            name = f"{factor_name(sizes[0], {})} / {factor_name(sizes[1], {})} in {expr.type}"
            found[name] = found.get(name, 0) + times
            return True
        case Binary(op="/", left=left, right=right):
            quotient = _quotient(linear(left, values), linear(right, values), expr.type)
            for name, count in quotient or ():
                found[name] = found.get(name, 0) + times * count
            return quotient is not None
        case Binary(op="*", left=IntLiteral(value=value), right=operand) if not may_wrap(expr.type):
            return _add_linear(operand, times * value, values, found)
        case Binary(op="*", left=operand, right=IntLiteral(value=value)) if not may_wrap(expr.type):
            return _add_linear(operand, times * value, values, found)
    return False


def sizes_divided(factor: Factor) -> tuple[Factor, ...]:
    """Both sizes of a quotient of parameters, `C / heads`; what is none by itself."""
    if isinstance(factor, Binary) and factor.op == "/":
        sides = without_conversions(factor.left), without_conversions(factor.right)
        if all(isinstance(side, Name) and side.symbol.kind == "param" for side in sides):
            return sides
    return (factor,)


def _quotient(divided: _Linear | None, by: _Linear | None, ctype: CType) -> _Linear | None:
    """A sum divided by a positive number: `2 * w / 2` is `w`, others are what no name looks like; None for no such."""
    if divided is None or by is None or len(by) != 1 or by[0][0] != "" or by[0][1] < 1:
        return None
    number = by[0][1]
    if not may_wrap(ctype) and all(count % number == 0 for _, count in divided):
        return tuple((name, count // number) for name, count in divided)
    return ((f"{divided} / {by} in {ctype}", 1),)


def iterations(loop: For) -> int | None:
    """How often a loop goes round, where its ends are a number apart: `-2` and `2`, `i - 1` and `i + 1`.

    None where they are not, or the loop steps away from its bound.
    """
    first, bound = linear(loop.lower, {}), linear(loop.bound, {})
    if first is None or bound is None:
        return None
    apart = dict(bound)
    for name, count in first:
        apart[name] = apart.get(name, 0) - count
    distance = apart.pop("", 0)
    if any(apart.values()):
        return None
    if loop.relation == "!=":
        return distance // loop.step if distance % loop.step == 0 and distance // loop.step >= 0 else None
    if (loop.step > 0) != (loop.relation in ("<", "<=")):
        return None
    steps, left = divmod(distance, loop.step)
    return max(0, steps + 1 if left or loop.relation in ("<=", ">=") else steps)


def factor_name(factor: Factor, values: Mapping[str, Expr]) -> str:
    """What a factor is called in terms: a parameter by its name, a sum by what no name looks like; "" for others."""
    if isinstance(factor, Name):
        return factor.symbol.name
    found = linear(factor, values)
    if found is not None and len(found) == 1 and found[0][1] == 1:
        return found[0][0]
    return "" if found is None else str(found)


def fixed_values(region: Region, written: Counter[str]) -> dict[str, Expr]:
    """Integer locals that are declared with a value of what never changes while they have it, like `i * m + j`."""
    fixed = {name for name in (*(p.name for p in region.params), *counters_in(region.body)) if not written[name]}
    found: dict[str, Expr] = {}
    for node in walk(region.body):
        if not isinstance(node, Declare) or node.init is None or not isinstance(node.symbol.type, Scalar):
            continue
        name = node.symbol.name
        if node.symbol.type.is_integer and not written[name] and names_in(node.init) <= {*fixed, *found}:
            found[name] = node.init
    return found


def writes_of(region: Region) -> Counter[str]:
    """How often each variable is written but by its declaration and as a counter."""
    found: Counter[str] = Counter(region.written_scalars)
    for node in walk(region.body):
        if isinstance(node, Assign | ReductionInit | ReductionUpdate | AddressOf):
            found.update(written_names(node))
    return found


# ---- types -----------------------------------------------------------------------------------------


def may_wrap(ctype: CType) -> bool:
    """Whether a sum or product in the type may be another one than that of numbers, and still tell an element.

    A sum of 64 bits that wraps tells none of an array that fits into memory, or the one that the numbers tell.
    """
    return not isinstance(ctype, Scalar) or (ctype.kind != "int" and not (ctype.kind == "uint" and ctype.size == 8))


def is_unsigned(ctype: CType) -> bool:
    """Whether no value of the type is negative."""
    return isinstance(ctype, Scalar) and ctype.kind == "uint"


def keeps_value(cast: Cast) -> bool:
    """Whether a conversion of integers keeps the value, or makes it wrap at 64 bits."""
    source, target = cast.operand.type, cast.type
    if not isinstance(source, Scalar) or not isinstance(target, Scalar):
        return False
    if not (source.is_integer and target.is_integer) or "bool" in (source.kind, target.kind):
        return False
    if target.kind == "int":
        return source.size < target.size or (source.kind == "int" and source.size == target.size)
    return target.size == 8
