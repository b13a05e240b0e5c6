"""What is known of the parameters of a region, and what names mean in its affine expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce

import islpy as isl

from pencilc import islx
from pencilc.ir.scop import ProductOfParams
from pencilc.ir.source import (
    INT,
    Assume,
    Binary,
    Block,
    CType,
    Expr,
    For,
    Function,
    IntLiteral,
    Jump,
    Name,
    Region,
    Return,
    Scalar,
    Stmt,
    Struct,
    Symbol,
    Unary,
    element_type,
    extents,
    walk,
)  # fmt: skip
from pencilc.poly.model.affine import AffineContext, NotAffine, affine, condition, is_modular, type_range
from pencilc.poly.model.products import factors_of
from pencilc.records import dataclass

_LARGEST_OBJECT = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The isl parameters by symbol name, the scalars that stand for expressions, the helpers.

    Without `divisions` those of values of the iterators are data, not affine.  `products`: those of the parameters that
    the source has as products of others.
    """

    params: Mapping[str, Symbol]
    values: Mapping[str, Expr]
    functions: Mapping[str, Function]
    divisions: bool = True
    products: tuple[ProductOfParams, ...] = ()

    def outermost(self) -> AffineContext:
        """Outside of all loops, nothing known of the parameters but their types."""
        where = islx.universe([], [islx.mangle(p) for p in self.params])
        products = {factors_of(product): product.symbol.name for product in self.products if product.factors}
        return AffineContext(
            where, self._type_ranges(where), {}, self.params, self.values, self.functions, self.divisions, products
        )

    def _type_ranges(self, where: isl.Set) -> isl.Set:
        """`[n] -> { : low <= n <= high }`, for proofs only."""
        result = where.params()
        for name, symbol in self.params.items():
            low, high = type_range(symbol.type)
            position = result.find_dim_by_name(isl.dim_type.param, islx.mangle(name))
            result = result.lower_bound_val(isl.dim_type.param, position, isl.Val(str(low)))
            result = result.upper_bound_val(isl.dim_type.param, position, isl.Val(str(high)))
        return result


def assumed_context(region: Region, surroundings: Surroundings) -> isl.Set:
    """`[n] -> { : ... }`: unsigned parameters and array extents are not negative, assumes hold."""
    outermost = surroundings.outermost()
    context = outermost.where.intersect_params(context_without_assumes(region, surroundings))
    for assume in assumes_of(region.body):
        try:
            context = context.intersect(condition(assume.condition, outermost.within(context)))
        except NotAffine:
            continue
    for product in surroundings.products:
        if product.dividend is not None:
            context = _with_quotient(context, product.symbol, product.dividend, outermost)
    return _with_products(context.params().coalesce(), surroundings)


def _with_quotient(context: isl.Set, quotient: Symbol, dividend: Expr, outermost: AffineContext) -> isl.Set:
    """`context`, where a quotient or remainder of what is not negative is no farther from 0 than that."""
    zero = IntLiteral(0, INT, dividend.span)
    name = Name(quotient, quotient.type, dividend.span)
    least = zero if is_modular(quotient.type) else Unary("-", dividend, dividend.type, dividend.span)
    try:
        within = outermost.within(context)
        if not context.is_subset(condition(Binary(">=", dividend, zero, INT, dividend.span), within)):
            return context
        for op, limit in (("<=", dividend), (">=", least)):
            context = context.intersect(condition(Binary(op, name, limit, INT, dividend.span), within))
    except NotAffine:
        pass
    return context


def _with_products(context: isl.Set, surroundings: Surroundings) -> isl.Set:
    """`context`, and what follows for products of numbers: none is negative, or each of them is at least 1."""
    for product in surroundings.products:
        if not product.factors:
            whole = islx.parameter(context, islx.mangle(product.symbol.name))
            context = context.intersect(whole.ge_set(islx.constant(context, 1)))
            continue
        if not isinstance(product.symbol.type, Scalar) or product.symbol.type.kind == "uint":
            continue
        if any(name not in surroundings.params for name in product.factors):
            continue
        whole, *factors = (islx.parameter(context, islx.mangle(n)) for n in (product.symbol.name, *product.factors))
        for least in (1, 0):
            bound = islx.constant(context, least)
            if all(context.is_subset(factor.ge_set(bound)) for factor in factors):
                # (a - 1) * (b - 1) >= 0, and so on for each factor more.
                total = reduce(isl.PwAff.add, factors).sub(islx.constant(context, len(factors) - 1))
                context = context.intersect(whole.ge_set(total if least else bound))
                break
    return context


def context_without_assumes(region: Region, surroundings: Surroundings) -> isl.Set:
    """What is known without `__pencil_assume`."""
    outermost = surroundings.outermost()
    context = outermost.where
    zero = islx.constant(outermost.where, 0)
    for name, symbol in surroundings.params.items():
        if isinstance(symbol.type, Scalar) and symbol.type.kind in ("uint", "bool"):
            context = context.intersect(islx.parameter(outermost.where, islx.mangle(name)).ge_set(zero))
    for extent in _extents(region):
        try:
            context = context.intersect(affine(extent, outermost).ge_set(zero))
        except NotAffine:
            continue
    return context.params()


def counted_bounds(region: Region, surroundings: Surroundings) -> isl.Set:
    """`[m] -> { : m <= 2147483647 }` if the region runs `for (int i = 0; i < m; i++)` whatever else happens.

    A signed counter must not overflow on its way to a bound of a wider type.  For proofs only.
    """
    outermost = surroundings.outermost()
    known = outermost.where
    for loop in region.body.items:
        if not isinstance(loop, For) or loop.step < 0 or loop.relation not in ("<", "<="):
            continue
        counter = loop.iterator.type
        if not isinstance(counter, Scalar) or counter.kind != "int" or counter.size < 4:
            continue
        if any(isinstance(node, Jump | Return) for node in walk(loop.body)):
            continue
        try:
            bound = affine(loop.bound, outermost)
        except NotAffine:
            continue
        _, greatest = type_range(counter)
        limit = islx.constant(outermost.where, greatest if loop.relation == "<" else greatest - 1)
        known = known.intersect(bound.le_set(limit))
    return known.params()


def objects_in_memory(region: Region, surroundings: Surroundings, proof: isl.Set) -> isl.Set:
    """`[n] -> { : n <= 2305843009213693951 }` of a parameter `int a[n]`: no array has more than PTRDIFF_MAX bytes.

    So no multiple of `n` that is small wraps at 64 bits.  The extent `6 * n` of a `size_t` is the number that it is
    meant to be: where it wraps, a loop up to `n` would not end in years.  For proofs only.
    """
    outermost = surroundings.outermost()
    known = proof
    for param in region.params:
        inner, sizes = element_type(param.type), [extent for extent in extents(param.type) if extent is not None]
        if not any(_is_long(size.type) for size in sizes) or not isinstance(inner, Scalar | Struct) or not inner.size:
            continue
        try:
            counts = [affine(size, outermost.wrapping(size.type if _is_long(size.type) else None)) for size in sizes]
        except NotAffine:
            continue
        most, zero = (islx.constant(outermost.where, value) for value in (_LARGEST_OBJECT // inner.size, 0))
        for size, count in zip(sizes, counts, strict=True):
            if _is_long(size.type):
                # Of an array without rows there is no limit on how long they are.
                empty = (other.le_set(zero) for other in counts if other is not count)
                known = known.intersect(reduce(isl.Set.union, empty, count.le_set(most)).params())
    return known.coalesce()


def _is_long(ctype: CType) -> bool:
    """Whether C computes in this type modulo 2^64."""
    return is_modular(ctype) and isinstance(ctype, Scalar) and ctype.size == 8


def _extents(region: Region) -> Iterator[Expr]:
    for param in region.params:
        yield from _extents_of(param.type)


def _extents_of(ctype: CType) -> Iterator[Expr]:
    yield from (e for e in extents(ctype) if e is not None)
    inner = element_type(ctype)
    if isinstance(inner, Struct):
        for member in inner.members:
            yield from _extents_of(member.type)


def assumes_of(body: Stmt) -> Iterator[Assume]:
    """The assumes that hold whenever the region runs: those outside of loops and conditions."""
    if isinstance(body, Assume):
        yield body
    elif isinstance(body, Block):
        for item in body.items:
            yield from assumes_of(item)
