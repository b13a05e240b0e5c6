"""What is known of the parameters of a region, and what names mean in its affine expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import islpy as isl

from pencilc import islx
from pencilc.ir.ctypes import CType, Scalar, Struct, element_type, extents
from pencilc.ir.source import Assume, Block, Expr, Function, Region, Stmt, Symbol
from pencilc.poly.affine import AffineContext, NotAffine, affine, condition, type_range


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The isl parameters by symbol name, the scalars that stand for expressions, the helpers."""

    params: Mapping[str, Symbol]
    values: Mapping[str, Expr]
    functions: Mapping[str, Function]

    def outermost(self) -> AffineContext:
        """Outside of all loops, nothing known of the parameters but their types."""
        where = islx.universe([], [islx.mangle(p) for p in self.params])
        return AffineContext(where, self._type_ranges(where), {}, self.params, self.values, self.functions)

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
    for assume in _assumes(region.body):
        try:
            context = context.intersect(condition(assume.condition, outermost.within(context)))
        except NotAffine:
            continue
    return context.params().coalesce()


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


def _extents(region: Region) -> Iterator[Expr]:
    for param in region.params:
        yield from _extents_of(param.type)


def _extents_of(ctype: CType) -> Iterator[Expr]:
    yield from (e for e in extents(ctype) if e is not None)
    inner = element_type(ctype)
    if isinstance(inner, Struct):
        for member in inner.members:
            yield from _extents_of(member.type)


def _assumes(body: Stmt) -> Iterator[Assume]:
    """The assumes that hold whenever the region runs: those outside of loops and conditions."""
    if isinstance(body, Assume):
        yield body
    elif isinstance(body, Block):
        for item in body.items:
            yield from _assumes(item)
