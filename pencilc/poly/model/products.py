"""Products of parameters, each of which is a parameter of the model: the host computes it before any launch.

for (int k = 0; k < w * h; k++)        ->        { S[k] : 0 <= k < w_h },    const int w_h = w * h;

What is multiplied out is a sum of such products: `n * (n + 1) / 2` is `(n_n + n) / 2`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from pencilc.ir.build import binary, cast, variable
from pencilc.ir.rewrite import fresh_name
from pencilc.ir.scop import ProductOfParams
from pencilc.ir.source import (
    INT,
    LLONG,
    UINT,
    ULLONG,
    Assign,
    Assume,
    Binary,
    Cast,
    CType,
    Declare,
    Expr,
    For,
    If,
    Index,
    IntLiteral,
    Name,
    Node,
    Region,
    Scalar,
    Symbol,
    Ternary,
    Unary,
    children,
)
from pencilc.poly.model.flat_terms import is_unsigned
from pencilc.poly.model.quotients_of_params import OPERATORS, QuotientOfParams, quotient_of

# The factors, sorted, and the type in which an unsigned product wraps; signed ones are those of numbers.
Factors: TypeAlias = tuple[tuple[str, ...], CType]
# What a sum of products of parameters is: the coefficient of each.
Terms: TypeAlias = Mapping[Factors, int]

# More than so many parameters make isl slow, and more factors fit into no counter.
_MOST_PRODUCTS = 8
_MOST_FACTORS = 4
_MOST_TERMS = 16


def products_of(
    region: Region, params: Mapping[str, Symbol], values: Mapping[str, Expr], identifiers: Iterable[str]
) -> tuple[ProductOfParams, ...]:
    """The products that bounds, conditions, subscripts and integer scalars of `region` are made of.

    `values`: what scalars that are assigned once stand for.  The names of products are none of `identifiers`.
    """
    found: dict[Factors, Scalar] = {}
    quotients: dict[str, QuotientOfParams] = {}
    for expr in _asked(region.body):
        quotients |= {each.text: each for each in _quotients_in(expr, params, values)}
        for product, terms in _products_in(expr, params, values):
            for factors in terms:
                known = found.get(factors)
                is_told = len(factors[0]) > 1 or any(name not in params for name in factors[0])
                if is_told and (known is None or known.size < product.size):
                    found[factors] = product
    taken = {*identifiers, *params}
    in_order = list(params)
    made = []
    for factors, ctype in list(found.items())[:_MOST_PRODUCTS]:
        names = sorted(factors[0], key=lambda name: (in_order.index(name) if name in params else len(in_order), name))
        if any(name not in params and name not in quotients for name in names):
            continue
        spelling = "_".join(name if name in params else quotients[name].spelling for name in names)
        symbol = Symbol(fresh_name(spelling, taken), spelling, ctype, "param", region.span)
        values_of = [variable(name, params[name].type) if name in params else quotients[name].value for name in names]
        alone = quotients[names[0]] if len(names) == 1 else None
        value = _computed(values_of, ctype) if alone is None else alone.value
        made.append(ProductOfParams(symbol, tuple(names), value, None if alone is None else alone.dividend))
    return tuple(made)


def factors_of(product: ProductOfParams) -> Factors:
    """What the product is told by."""
    return tuple(sorted(product.factors)), _told_by(product.symbol.type)


def terms_of(expr: Expr, params: Mapping[str, Symbol], values: Mapping[str, Expr]) -> Terms | None:
    """`expr` multiplied out; None where it is no sum of products of parameters, or may be another one by wrapping."""
    found = _terms(expr, params, values)
    return None if found is None or len(found) > _MOST_TERMS or _degree(found) > _MOST_FACTORS else found


# ---- where products are asked for ------------------------------------------------------------------


def _asked(node: Node) -> Iterator[Expr]:
    """The expressions of which it matters that they are affine."""
    match node:
        case For():
            yield from (node.lower, node.bound)
        case If() | Ternary() | Assume():
            yield node.condition
        case Index():
            yield node.index
        case Declare(symbol=symbol, init=value) if value is not None and _is_integer(symbol.type):
            yield value
        case Assign(target=Name(type=ctype), value=value) if _is_integer(ctype):
            yield value
    for child in children(node):
        yield from _asked(child)


def _products_in(
    node: Node, params: Mapping[str, Symbol], values: Mapping[str, Expr]
) -> Iterator[tuple[Scalar, Terms]]:
    """The products of parameters alone in an expression, each with its type; those that something else multiplies are
    of no use.
    """
    if isinstance(node, Binary) and node.op in ("*", *OPERATORS):
        terms = terms_of(node, params, values)
        if terms is not None and isinstance(node.type, Scalar):
            yield node.type, terms
            return
        if node.op == "*" and not isinstance(node.left, IntLiteral) and not isinstance(node.right, IntLiteral):
            return
    for child in children(node):
        yield from _products_in(child, params, values)


def _quotients_in(node: Node, params: Mapping[str, Symbol], values: Mapping[str, Expr]) -> Iterator[QuotientOfParams]:
    """The quotients of parameters in an expression, and in what its names stand for."""
    if isinstance(node, Name) and node.symbol.name in values and node.symbol.name not in params:
        yield from _quotients_in(values[node.symbol.name], params, values)
    found = quotient_of(node, params, values) if isinstance(node, Binary) else None
    if found is not None:
        yield found
        return
    for child in children(node):
        yield from _quotients_in(child, params, values)


def _computed(factors: list[Expr], ctype: CType) -> Expr:
    """The product in the type, also where the source would not compute it and it overflows."""
    assert isinstance(ctype, Scalar)
    unsigned = ctype if ctype.kind == "uint" else UINT if ctype.size == 4 else ULLONG
    first, *others = (cast(unsigned, factor) for factor in factors)
    made: Expr = first
    for other in others:
        made = binary("*", made, other)
    return made if unsigned == ctype else cast(ctype, made)


# ---- sums of products ------------------------------------------------------------------------------


def _terms(expr: Expr, params: Mapping[str, Symbol], values: Mapping[str, Expr]) -> dict[Factors, int] | None:
    match expr:
        case IntLiteral(value=value):
            return {_ONE: value}
        case Name(symbol=symbol) if symbol.name in params:
            return {((symbol.name,), LLONG): 1}
        case Name(symbol=symbol) if symbol.name in values:
            return _terms(values[symbol.name], params, values)
        case Cast(operand=operand) if _is_signed(expr.type) and _is_kept(operand.type, expr.type):
            return _terms(operand, params, values)
        case Unary(op="-", operand=operand) if _is_signed(expr.type):
            return _scaled(_terms(operand, params, values), -1)
        case Binary(op=op) if op in OPERATORS:
            quotient = quotient_of(expr, params, values)
            return None if quotient is None else {((quotient.text,), _told_by(expr.type)): 1}
        case Binary(op="*") if is_unsigned(expr.type):
            names = _wrapping(expr, expr.type, params, values)
            return None if names is None else {(tuple(sorted(names)), expr.type): 1}
        case Binary(op="+" | "-" | "*" as op, left=left, right=right) if _is_signed(expr.type):
            one, other = _terms(left, params, values), _terms(right, params, values)
            if one is None or other is None:
                return None
            return _multiplied(one, other) if op == "*" else _added(one, _scaled(other, 1 if op == "+" else -1))
    return None


_ONE: Factors = ((), LLONG)


def _wrapping(
    expr: Expr, ctype: CType, params: Mapping[str, Symbol], values: Mapping[str, Expr]
) -> tuple[str, ...] | None:
    """The factors of a product in an unsigned type, modulo which each may be taken."""
    match expr:
        case Name(symbol=symbol) if symbol.name in params:
            return (symbol.name,)
        case Name(symbol=symbol) if symbol.name in values and expr.type == ctype:
            return _wrapping(values[symbol.name], ctype, params, values)
        case Cast(operand=operand) if _is_integer(operand.type) and _is_integer(expr.type):
            return _wrapping(operand, ctype, params, values) if _reaches(expr.type, ctype) else None
        case Binary(op="*", left=left, right=right) if expr.type == ctype:
            one, other = _wrapping(left, ctype, params, values), _wrapping(right, ctype, params, values)
            return None if one is None or other is None else (*one, *other)
    return None


def _reaches(through: CType, ctype: CType) -> bool:
    """Whether a value that is converted to `through` and then to the unsigned `ctype` is what it is modulo that."""
    assert isinstance(through, Scalar) and isinstance(ctype, Scalar)
    return through.kind != "bool" and through.size >= ctype.size


def _scaled(terms: dict[Factors, int] | None, factor: int) -> dict[Factors, int] | None:
    return None if terms is None else {factors: factor * coefficient for factors, coefficient in terms.items()}


def _added(one: Terms, other: Terms | None) -> dict[Factors, int] | None:
    if other is None:
        return None
    found = dict(one)
    for factors, coefficient in other.items():
        found[factors] = found.get(factors, 0) + coefficient
    return {factors: coefficient for factors, coefficient in found.items() if coefficient}


def _multiplied(one: Terms, other: Terms) -> dict[Factors, int] | None:
    found: dict[Factors, int] | None = {}
    for (left, left_type), a in one.items():
        for (right, right_type), b in other.items():
            if left_type != LLONG or right_type != LLONG or found is None:
                return None  # what has wrapped is a number of its own
            found = _added({(tuple(sorted((*left, *right))), LLONG): a * b}, found)
    return found


def _degree(terms: Terms) -> int:
    return max((len(names) for names, _ in terms), default=0)


# ---- types -----------------------------------------------------------------------------------------


def _told_by(ctype: CType) -> CType:
    return ctype if is_unsigned(ctype) else LLONG


def _is_integer(ctype: CType) -> bool:
    return isinstance(ctype, Scalar) and ctype.is_integer


def _is_signed(ctype: CType) -> bool:
    """Whether sums and products in the type are those of numbers: signed overflow does not occur."""
    return isinstance(ctype, Scalar) and ctype.kind == "int" and ctype.size >= INT.size


def _is_kept(source: CType, target: CType) -> bool:
    """Whether a signed type has every value of another integer type."""
    if not isinstance(source, Scalar) or not isinstance(target, Scalar) or not source.is_integer:
        return False
    return source.size <= target.size if source.kind == "int" else source.size < target.size or source.kind == "bool"
