"""Arrays that the source has flattened get their dimensions back ("delinearization", Grosser et al., ICS 2015).

Before: `float a[n * m]`,  `a[i * m + j]`,  `a[(i - 1) * m + j]`,  `d[(n + 1) * (m + 1)]`,  `d[i * (m + 1) + j]`
After:  `float a[n][m]`,   `a[i][j]`,       `a[i - 1][j]`,         `d[n + 1][m + 1]`,        `d[i][j]`

The memory is the same; only the model has subscripts now that are affine.  This is right where every inner subscript
stays inside of its dimension, which the accesses of the finished model show (`leaving`): `a[i * m + j + 1]` may be the
first element of the next row, and then the array stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TypeAlias

import islpy as isl

from pencilc.ir.queries import counters_in, names_in
from pencilc.ir.rewrite import replaced, written_names
from pencilc.ir.scop import AccessKind, Scop
from pencilc.ir.source import (
    AddressOf,
    ArrayType,
    Assign,
    Binary,
    Cast,
    CType,
    Declare,
    Expr,
    Index,
    IntLiteral,
    Kill,
    Name,
    Node,
    ReductionInit,
    ReductionUpdate,
    Region,
    Scalar,
    Symbol,
    Unary,
    walk,
)

# Subscripts of more terms than that are left alone, and extents of more factors.
_MOST_TERMS = 64
_MOST_FACTORS = 4

# A factor of an extent: a parameter, a sum of parameters and numbers (`m + 1`, `w + 2 * r`), or a number.
_Factor: TypeAlias = Expr
# `2 * r + w + 1` as (("", 1), ("r", 2), ("w", 1)).
_Linear: TypeAlias = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class _Term:
    """`coefficient * names[0] * names[1] * … * rest`; the names are those of factors of extents (`_name`), sorted."""

    coefficient: int
    names: tuple[str, ...] = ()
    rest: Expr | None = None

    @property
    def is_affine(self) -> bool:
        return len(self.names) + (self.rest is not None) <= 1


_Terms: TypeAlias = tuple[_Term, ...]


@dataclass(frozen=True, slots=True)
class _Shape:
    """The type that an array gets, and the subscripts that each flat one becomes."""

    type: ArrayType
    subscripts: Mapping[Expr, tuple[Expr, ...]]


def shaped(region: Region, without: frozenset[str] = frozenset()) -> tuple[Region, frozenset[str]]:
    """`region` with the flattened arrays in their shape, but for those called in `without`, and the names of them."""
    written = _written(region)
    values = _values(region, written)
    found: dict[str, _Shape] = {}
    for symbol in _arrays(region, written):
        shape = None if symbol.name in without else _shape(region, symbol, values)
        if shape is not None:
            found[symbol.name] = shape
    if not found:
        return region, frozenset()

    def typed(symbol: Symbol) -> Symbol:
        return replace(symbol, type=found[symbol.name].type) if symbol.name in found else symbol

    def change(node: Node) -> Node | None:
        match node:
            case Declare(symbol=symbol) if symbol.name in found:
                return replace(node, symbol=typed(symbol))
            case Kill(variable=Name(symbol=symbol) as name) if symbol.name in found:
                return replace(node, variable=Name(typed(symbol), typed(symbol).type, name.span))
            case Index(base=Name(symbol=symbol)) if symbol.name in found:
                element: Expr = Name(typed(symbol), typed(symbol).type, node.span)
                for subscript in found[symbol.name].subscripts[node.index]:
                    assert isinstance(element.type, ArrayType)
                    element = Index(element, replaced(subscript, change), element.type.element, node.span)
                return element
        return None

    params = tuple(typed(symbol) for symbol in region.params)
    made = replace(region, params=params, declared=region.declared_params, body=replaced(region.body, change))
    return made, frozenset(found)


def leaving(scop: Scop, names: frozenset[str]) -> frozenset[str]:
    """Those of the shaped arrays called `names` of which an inner subscript may leave its dimension."""
    found: set[str] = set()
    for statement in scop.statements:
        for access in statement.accesses:
            array = scop.array(access.array)
            name = array.symbol.name
            if name not in names or name in found or access.kind is AccessKind.KILL:
                continue
            scope = len(array.scope_iterators)
            relation = access.relation.intersect_domain(statement.domain).intersect_params(scop.context)
            if not _stays_inside(relation, array.extent, scope + 1):
                found.add(name)
    return frozenset(found)


def _stays_inside(relation: isl.Map, extent: isl.Set, first: int) -> bool:
    """Whether { S[i] -> A[a] } gives, from dimension `first` on, one value for each instance, inside of the extent.

    An array without elements has no accesses: all dimensions are taken to have some.
    """
    count = relation.dim(isl.dim_type.out)
    relation = relation.intersect_params(extent.params())
    for position in range(first, count):
        one = relation.project_out(isl.dim_type.out, position + 1, count - position - 1)
        one = one.project_out(isl.dim_type.out, 0, position).reset_tuple_id(isl.dim_type.out)
        inside = extent.project_out(isl.dim_type.set, position + 1, count - position - 1)
        inside = inside.project_out(isl.dim_type.set, 0, position).reset_tuple_id()
        if not inside.dim_has_upper_bound(isl.dim_type.set, 0) or not one.is_single_valued():
            return False
        if not one.range().is_subset(inside):
            return False
    return True


# ---- what the source has ---------------------------------------------------------------------------


def _arrays(region: Region, written: Counter[str]) -> list[Symbol]:
    """The arrays of one dimension whose extent is a product of sums of parameters that stay, and of numbers."""
    declared = [node.symbol for node in walk(region.body) if isinstance(node, Declare) and node.init is None]
    found: list[Symbol] = []
    for symbol in (*region.params, *declared):
        names = [n.symbol for factor in _factors(symbol) or () for n in walk(factor) if isinstance(n, Name)]
        if names and all(each.kind == "param" and not written[each.name] for each in names):
            found.append(symbol)
    return found


def _factors(symbol: Symbol) -> tuple[_Factor, ...] | None:
    """What the extent of an array of one dimension is a product of; None where it is no such product."""
    ctype = symbol.type
    if not isinstance(ctype, ArrayType) or isinstance(ctype.element, ArrayType) or ctype.extent is None:
        return None
    found = _multiplied(ctype.extent)
    if found is None or not 2 <= len(found) <= _MOST_FACTORS:
        return None
    return None if any(isinstance(factor, IntLiteral) and factor.value < 1 for factor in found) else found


def _multiplied(expr: Expr) -> tuple[_Factor, ...] | None:
    match expr:
        case Cast(operand=operand) if _keeps_value(expr):
            return _multiplied(operand)
        case Binary(op="*", left=left, right=right) if not _may_wrap(expr.type):
            one, other = _multiplied(left), _multiplied(right)
            return None if one is None or other is None else (*one, *other)
        case Name() | IntLiteral():
            return (expr,)
        case Binary(op="+" | "-") if _linear(expr, {}) is not None:
            return (expr,)
    return None


def _linear(expr: Expr, values: Mapping[str, Expr]) -> _Linear | None:
    """A sum of variables and numbers, each variable once, so that `1 + m` is `m + 1`; None for anything else."""
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
        case Name(symbol=symbol) if symbol.name in values and not _may_wrap(expr.type):
            return _add_linear(values[symbol.name], times, values, found)
        case Name(symbol=symbol) if not isinstance(symbol.type, ArrayType):
            found[symbol.name] = found.get(symbol.name, 0) + times
            return True
        case Cast(operand=operand) if _keeps_value(expr):
            return _add_linear(operand, times, values, found)
        case Binary(op="+" | "-" as op, left=left, right=right) if not _may_wrap(expr.type):
            sign = times if op == "+" else -times
            return _add_linear(left, times, values, found) and _add_linear(right, sign, values, found)
        case Binary(op="*", left=IntLiteral(value=value), right=operand) if not _may_wrap(expr.type):
            return _add_linear(operand, times * value, values, found)
        case Binary(op="*", left=operand, right=IntLiteral(value=value)) if not _may_wrap(expr.type):
            return _add_linear(operand, times * value, values, found)
    return False


def _name(factor: _Factor, values: Mapping[str, Expr]) -> str:
    """What a factor is called in terms: a parameter by its name, a sum by what no name looks like; "" for others."""
    if isinstance(factor, Name):
        return factor.symbol.name
    linear = _linear(factor, values)
    return "" if linear is None else str(linear)


def _values(region: Region, written: Counter[str]) -> dict[str, Expr]:
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


def _written(region: Region) -> Counter[str]:
    """How often each variable is written but by its declaration and as a counter."""
    found: Counter[str] = Counter(region.written_scalars)
    for node in walk(region.body):
        if isinstance(node, Assign | ReductionInit | ReductionUpdate | AddressOf):
            found.update(written_names(node))
    return found


def _shape(region: Region, symbol: Symbol, values: Mapping[str, Expr]) -> _Shape | None:
    """The shape of an array that all of its accesses allow; None where there is none, or none is needed."""
    factors, subscripts = _factors(symbol), _subscripts(region, symbol)
    if factors is None or not subscripts:
        return None
    names = frozenset(_name(factor, {}) for factor in factors if not isinstance(factor, IntLiteral))
    sums: dict[Expr, _Terms] = {}
    for subscript in subscripts:
        terms = _terms(subscript, names, values)
        if terms is None:
            return None
        sums[subscript] = terms
    if all(term.is_affine for terms in sums.values() for term in terms):
        return None
    splits: list[tuple[int, tuple[_Factor, ...], dict[Expr, tuple[_Terms, ...]]]] = []
    for order in permutations(factors):
        found = {subscript: parts for subscript, terms in sums.items() if (parts := _split(terms, order)) is not None}
        if len(found) == len(sums):
            splits.append((_steps(found), order, found))
    if not splits:
        return None
    _, order, found = min(splits, key=lambda split: split[0])
    return _with_fewest(symbol, order, found)


def _steps(found: Mapping[Expr, tuple[_Terms, ...]]) -> int:
    """By how many elements the subscripts move on in all dimensions: least where each stays inside of its dimension.

    `rgb[(y * w + x) * 3 + c]` of `rgb[3 * h * w]` is `[y][x][c]` and no `[3 * y][3 * x + c]`.
    """
    return sum(abs(term.coefficient) for parts in found.values() for part in parts for term in part)


def _with_fewest(symbol: Symbol, order: Seq[_Factor], found: Mapping[Expr, tuple[_Terms, ...]]) -> _Shape | None:
    """The shape of extents `order`, without dimensions whose subscript is always 0: the next one has their elements.

    `x[i * c * m + k]` of `x[n * c * m]` is `x[i][k]` of `x[n][c * m]`.
    """
    assert isinstance(symbol.type, ArrayType)
    sides: list[Expr] = []
    kept: list[int] = []
    side: list[_Factor] = []
    for position, factor in enumerate(order):
        side.append(factor)
        if position == len(order) - 1 or any(parts[position] for parts in found.values()):
            sides.append(_side(side, symbol.type))
            kept.append(position)
            side = []
    if len(sides) == 1:
        return None
    made = {
        subscript: tuple(_expression(parts[position], subscript, order) for position in kept)
        for subscript, parts in found.items()
    }
    return _Shape(_nested(symbol.type, sides), made)


def _side(factors: Seq[_Factor], flat: ArrayType) -> Expr:
    """The extent of a dimension: the product of `factors` in the type of the flat one."""
    if len(factors) == 1:
        return factors[0]
    assert flat.extent is not None
    ctype, span = flat.extent.type, flat.extent.span
    found: Expr | None = None
    for factor in factors:
        own = factor if factor.type == ctype else Cast(factor, ctype, span)
        found = own if found is None else Binary("*", found, own, ctype, span)
    assert found is not None
    return found


def _subscripts(region: Region, symbol: Symbol) -> list[Expr] | None:
    """The subscripts of all accesses of an array; None where it is named without one.

    What a function is given the address of is a single element: pointers have no subscripts in PENCIL.
    """
    found: list[Expr] = []
    named = 0
    for node in walk(region.body):
        match node:
            case Index(base=Name(symbol=used), index=index) if used.name == symbol.name:
                found.append(index)
            case Kill(variable=Name(symbol=used)) if used.name == symbol.name:
                named -= 1
            case Name(symbol=used) if used.name == symbol.name:
                named += 1
    return found if named == len(found) else None


def _nested(flat: ArrayType, sides: Seq[Expr]) -> ArrayType:
    ctype: CType = flat.element
    for extent in reversed(sides):
        ctype = replace(flat, element=ctype, extent=extent)
    assert isinstance(ctype, ArrayType)
    return ctype


# ---- subscripts as sums ----------------------------------------------------------------------------


def _terms(expr: Expr, names: frozenset[str], values: Mapping[str, Expr]) -> _Terms | None:
    """`expr` multiplied out; None where it has too many terms, or a product that is none of factors and one rest."""
    match expr:
        case IntLiteral(value=value):
            return (_Term(value),)
        case Name(symbol=symbol) if symbol.name in names:
            return (_Term(1, (symbol.name,)),)
        case Name(symbol=symbol) if symbol.name in values and not _may_wrap(expr.type):
            return _terms(values[symbol.name], names, values)
        case Cast(operand=operand) if _keeps_value(expr):
            return _terms(operand, names, values)
        case Unary(op="-", operand=operand) if not _may_wrap(expr.type):
            found = _terms(operand, names, values)
            return None if found is None else tuple(replace(t, coefficient=-t.coefficient) for t in found)
        case Binary(op="+" | "-") if (name := _name(expr, values)) in names:
            return (_Term(1, (name,)),)
        case Binary(op="+" | "-" | "*" as op, left=left, right=right) if not _may_wrap(expr.type):
            one, other = _terms(left, names, values), _terms(right, names, values)
            if one is None or other is None:
                return None
            return _product(one, other) if op == "*" else _sum(one, other, 1 if op == "+" else -1)
    return (_Term(1, (), expr),)


def _sum(one: _Terms, other: _Terms, sign: int) -> _Terms | None:
    found: dict[tuple[tuple[str, ...], Expr | None], int] = {}
    for factor, terms in ((1, one), (sign, other)):
        for term in terms:
            key = (term.names, term.rest)
            found[key] = found.get(key, 0) + factor * term.coefficient
    if len(found) > _MOST_TERMS:
        return None
    return tuple(_Term(coefficient, *key) for key, coefficient in found.items() if coefficient)


def _product(one: _Terms, other: _Terms) -> _Terms | None:
    found: _Terms = ()
    for left in one:
        for right in other:
            if left.rest is not None and right.rest is not None:
                return None
            names = tuple(sorted((*left.names, *right.names)))
            made = _Term(left.coefficient * right.coefficient, names, left.rest or right.rest)
            added = _sum(found, (made,), 1)
            if added is None:
                return None
            found = added
    return found


def _split(terms: _Terms, order: Seq[_Factor]) -> tuple[_Terms, ...] | None:
    """The subscripts of dimensions with the extents `order`, of which `terms` are the flat one; None if not affine."""
    parts: list[_Terms] = []
    for extent in reversed(order[1:]):
        terms, inner = _divided(terms, extent)
        parts.insert(0, inner)
    found = (terms, *parts)
    return found if all(term.is_affine for part in found for term in part) else None


def _divided(terms: _Terms, factor: _Factor) -> tuple[_Terms, _Terms]:
    """`terms` divided by an extent: the quotient, and what is left for the dimension of that extent.

    What is left is `w - 1 - x` where nothing in it adds: the extent itself belongs to it then.
    """
    if isinstance(factor, IntLiteral):
        number = factor.value
        quotient = [replace(t, coefficient=t.coefficient // number) for t in terms if t.coefficient % number == 0]
        return tuple(quotient), tuple(term for term in terms if term.coefficient % number)
    name = _name(factor, {})
    divided = tuple(replace(t, names=_without(t.names, name)) for t in terms if name in t.names)
    left = tuple(term for term in terms if name not in term.names)
    if left and all(term.coefficient < 0 for term in left):
        return _sum(divided, (_Term(1),), -1) or (), (*left, _Term(1, (name,)))
    return divided, left


def _without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    position = names.index(name)
    return names[:position] + names[position + 1 :]


def _expression(terms: _Terms, subscript: Expr, order: Seq[_Factor]) -> Expr:
    """The sum in the type of the flat subscript; what is subtracted comes last."""
    ctype, span = subscript.type, subscript.span
    factors = {_name(extent, {}): extent for extent in order if not isinstance(extent, IntLiteral)}
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


# ---- types -----------------------------------------------------------------------------------------


def _may_wrap(ctype: CType) -> bool:
    """Whether a sum or product in the type may be another one than that of numbers, and still tell an element.

    A sum of 64 bits that wraps tells none of an array that fits into memory, or the one that the numbers tell.
    """
    return not isinstance(ctype, Scalar) or (ctype.kind != "int" and not (ctype.kind == "uint" and ctype.size == 8))


def _keeps_value(cast: Cast) -> bool:
    """Whether a conversion of integers keeps the value, or makes it wrap at 64 bits."""
    source, target = cast.operand.type, cast.type
    if not isinstance(source, Scalar) or not isinstance(target, Scalar):
        return False
    if not (source.is_integer and target.is_integer) or "bool" in (source.kind, target.kind):
        return False
    if target.kind == "int":
        return source.size < target.size or (source.kind == "int" and source.size == target.size)
    return target.size == 8
