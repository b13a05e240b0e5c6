"""Arrays that the source has flattened get their dimensions back ("delinearization", Grosser et al., ICS 2015).

Before: `float a[n * m]`, `a[i * m + j]`, `d[(n + 1) * (m + 1)]`, `d[i * (m + 1) + j]`, `y[t][g * c]`, `y[k][i * c + j]`
After:  `float a[n][m]`,  `a[i][j]`,     `d[n + 1][m + 1]`,      `d[i][j]`,           `y[t][g][c]`,  `y[k][i][j]`

The memory is the same; only the model has subscripts now that are affine.  This is right where an inner subscript stays
inside of its dimension, which the accesses of the finished model show (`leaving`): `a[i * m + j + 1]` may be the first
element of the next row, and is taken to be any element then.  An array of which no access stays inside, or which has
affine subscripts besides, stays as it is.  Two negative sizes make an extent that is positive:
such calls are refused (`Region.multiplied`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from itertools import permutations
from typing import TypeAlias

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.source import Span
from pencilc.ir.queries import counters_in, names_in
from pencilc.ir.rewrite import replaced
from pencilc.ir.scop import AccessKind, Scop
from pencilc.ir.source import (
    AnyElement,
    ArrayType,
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
    Region,
    Symbol,
    walk,
)
from pencilc.poly.model.flat_terms import (
    Factor,
    FlatSum,
    expression_of,
    factor_name,
    fixed_values,
    flat_sum,
    is_unsigned,
    keeps_value,
    linear,
    may_wrap,
    sizes_divided,
    split_sum,
    writes_of,
)
from pencilc.records import dataclass

# Extents of more factors are left alone.
_MOST_FACTORS = 6
# Arrays with sides of more elements than this are those that a source is written for.
_LARGE = 64

Sizes: TypeAlias = tuple[Factor, ...]


@dataclass(frozen=True, slots=True)
class FlatShape:
    """The type that an array gets, and the subscripts that each flat one of a `dimension` becomes.

    `steps`: by how many elements all of these move on.
    """

    type: ArrayType
    dimension: int
    subscripts: Mapping[Expr, tuple[Expr, ...]]
    steps: int

    @property
    def inner(self) -> range:
        """The dimensions of the new type that subscripts have to stay inside of."""
        return range(self.dimension + 1, self.dimension + len(next(iter(self.subscripts.values()))))


@dataclass(frozen=True, slots=True, eq=False)
class ShapedRegion:
    """A region with flattened arrays in their shape: by name the dimensions that subscripts have to stay inside of.

    `plain`: where they have subscripts that are affine as they stand in the source (`a[i]` in a loop over them all).
    """

    region: Region
    inner: Mapping[str, range]
    plain: frozenset[Span]

    @property
    def names(self) -> frozenset[str]:
        """The arrays."""
        return frozenset(self.inner)


@dataclass(frozen=True, slots=True)
class Leaving:
    """Accesses of which an inner subscript may leave its dimension.

    The arrays called `flat` have to stay as they are; the accesses at `places` may touch any element
    (`Region.anywhere`).
    """

    flat: frozenset[str]
    places: tuple[AnyElement, ...]

    @property
    def are_any(self) -> bool:
        """Whether there are such accesses."""
        return bool(self.flat or self.places)


def shapes_of(region: Region, without: frozenset[str] = frozenset()) -> dict[str, FlatShape]:
    """The shapes of the flattened arrays by name, but for those called in `without`."""
    written = writes_of(region)
    values = fixed_values(region, written)
    found: dict[str, FlatShape] = {}
    for symbol, dimension in _flattened(region, written):
        if symbol.name not in without and symbol.name not in found:
            shape = _shape(region, symbol, dimension, values)
            if shape is not None:
                found[symbol.name] = shape
    return found


def shaped(region: Region, without: frozenset[str] = frozenset()) -> ShapedRegion:
    """`region` with the flattened arrays in their shape, but for those called in `without`."""
    found = shapes_of(region, without)
    if not found:
        return ShapedRegion(region, {}, frozenset())

    def typed(symbol: Symbol) -> Symbol:
        return replace(symbol, type=found[symbol.name].type) if symbol.name in found else symbol

    def change(node: Node) -> Node | None:
        match node:
            case Declare(symbol=symbol) if symbol.name in found:
                return replace(node, symbol=typed(symbol))
            case Kill(variable=Name(symbol=symbol) as name) if symbol.name in found:
                return replace(node, variable=Name(typed(symbol), typed(symbol).type, name.span))
            case Index() if (whole := _element(node)) is not None and whole[0].name in found:
                symbol, subscripts = whole
                shape, at = found[symbol.name], found[symbol.name].dimension
                element: Expr = Name(typed(symbol), typed(symbol).type, node.span)
                for subscript in (*subscripts[:at], *shape.subscripts[subscripts[at]], *subscripts[at + 1 :]):
                    assert isinstance(element.type, ArrayType)
                    element = Index(element, replaced(subscript, change), element.type.element, node.span)
                return element
        return None

    params = tuple(typed(symbol) for symbol in region.params)
    sizes = (
        signed_factors(extent_factors(symbol, dimension) or ())
        for symbol, dimension in _flattened(region, writes_of(region))
        if symbol.name in found and found[symbol.name].dimension == dimension
    )
    made = replace(
        region, params=params, declared=region.declared_params, body=replaced(region.body, change),
        multiplied=with_several(region.multiplied, sizes),
    )  # fmt: skip
    plain = _plain_places(region, {name: shape.dimension for name, shape in found.items()})
    return ShapedRegion(made, {name: shape.inner for name, shape in found.items()}, plain)


def _plain_places(region: Region, found: Mapping[str, int]) -> frozenset[Span]:
    """Where arrays, by name, have in this dimension a sum of counters and parameters times numbers."""
    written = writes_of(region)
    known = {p.name for p in region.params if not written[p.name]} | set(counters_in(region.body))
    places: set[Span] = set()
    for node in walk(region.body):
        whole = _element(node) if isinstance(node, Index) else None
        if whole is not None and whole[0].name in found:
            subscript = whole[1][found[whole[0].name]]
            if names_in(subscript) <= known and linear(subscript, {}) is not None:
                places.add(node.span)
    return frozenset(places)


def signed_factors(factors: Seq[Factor]) -> Sizes:
    """Those that may be negative, in the order of their names; of a quotient of sizes both of these."""
    sizes = [size for factor in factors for size in sizes_divided(factor)]
    signed = (size for size in sizes if not isinstance(size, IntLiteral) and not is_unsigned(size.type))
    return tuple(sorted(signed, key=lambda factor: factor_name(factor, {})))


def with_several(known: tuple[Sizes, ...], found: Iterable[Sizes]) -> tuple[Sizes, ...]:
    """What is `known` of sizes that are multiplied (`Region.multiplied`), and those `found` that are several."""
    return (*known, *(sizes for sizes in found if len(sizes) > 1))


def leaving(scop: Scop, made: ShapedRegion) -> Leaving:
    """Those accesses of the shaped arrays of `made`, whose model is `scop`, of which an inner subscript may leave.

    They are taken to touch any element where others stay inside, unless their flat subscripts are affine.
    """
    outside: dict[str, dict[Span, AnyElement]] = {}
    inside: set[str] = set()
    anywhere: set[str] = set()
    known = scop.region.places_anywhere
    defined: isl.Set | None = None
    for statement in scop.statements:
        for access in statement.accesses:
            array = scop.array(access.array)
            name = array.symbol.name
            if name not in made.names or access.kind is AccessKind.KILL:
                continue
            scope = len(array.scope_iterators)
            relation = access.relation.intersect_domain(statement.domain).intersect_params(scop.context)
            inner = [scope + position for position in made.inner[name]]
            leaves = _leaves_at(relation, array.extent, inner, access.is_affine)
            if leaves is not None and access.is_affine and _is_bounded(array.extent):
                defined = _defined_sizes(scop, made) if defined is None else defined
                if _has_all_extents(defined, relation.params(), array.extent):
                    leaves = _leaves_at(relation.intersect_params(defined), array.extent, inner, access.is_affine)
            is_any_row = not scope and access.kind is AccessKind.READ
            if leaves is None:
                inside.add(name)
            elif access.span in known or (is_any_row and _is_anywhere(relation, array.extent, leaves)):
                anywhere.add(name)
            else:
                stays = _stays(scop, relation, array.extent, inner) if access.is_affine else ""
                outside.setdefault(name, {})[access.span] = AnyElement(access.span, stays)
    flat = {name for name, places in outside.items() if name not in inside or places.keys() & made.plain}
    places = (place for name, found in outside.items() if name not in flat for place in found.values())
    return Leaving(frozenset(flat | (anywhere - inside)), tuple(places))


def _defined_sizes(scop: Scop, made: ShapedRegion) -> isl.Set:
    """The parameters for which no access that certainly happens lies in front of its array, or behind it.

        for (y = r; y < h - r; y++) for (x = r; x < w - r; x++) out[y * w + x] = …;      r < 0: out[r * w + r] is first

    For others the source means nothing, so that nothing has to be right.
    """
    found = isl.Set.empty(scop.context.get_space())
    for statement in scop.statements:
        if statement.guards or statement.is_ragged or any(loop.left for loop in statement.loops):
            continue
        for access in statement.accesses:
            array = scop.array(access.array)
            is_read = access.kind is AccessKind.READ and access.is_sure and access.exact
            if (
                array.symbol.name in made.names
                and _is_bounded(array.extent)
                and (is_read or statement.certainly_writes(access))
            ):
                relation = access.relation.intersect_domain(statement.domain).intersect_params(scop.context)
                found = found.union(_outside_of_all(relation, array.extent).params())
    return scop.context.subtract(found.coalesce()).coalesce()


def _is_bounded(extent: isl.Set) -> bool:
    """Whether each dimension of an array ends at what parameters tell: no quotient that is none of the model."""
    dimensions = range(extent.dim(isl.dim_type.set))
    return all(extent.dim_has_upper_bound(isl.dim_type.set, position) for position in dimensions)


def _has_all_extents(defined: isl.Set, sizes: isl.Set, extent: isl.Set) -> bool:
    """Whether the array may have each extent, but for small ones, that it has for `sizes`, for `defined` ones too.

    Else the source is at fault whatever it is given, as `a[i * m + j + 1]` up to j = m - 1 is, or for most of it: what
    follows from that is nothing to go by.
    """
    count = sizes.dim(isl.dim_type.param)
    names = [sizes.get_dim_name(isl.dim_type.param, position) or "" for position in range(count)]
    large = extent.params()
    for position in range(extent.dim(isl.dim_type.set)):
        end = extent.dim_max(position)
        if end.max_val().is_int():
            continue  # colours
        large = large.intersect(end.ge_set(islx.constant(end.domain(), _LARGE)).params())
    sizes, defined = (each.intersect(large) for each in (sizes, defined))
    for name in names:
        position = extent.find_dim_by_name(isl.dim_type.param, name)
        if position < 0 or not extent.involves_dims(isl.dim_type.param, position, 1):
            sizes, defined = (
                each.project_out(isl.dim_type.param, each.find_dim_by_name(isl.dim_type.param, name), 1)
                for each in (sizes, defined)
            )
    return bool(sizes.is_subset(defined))


def _outside_of_all(relation: isl.Map, extent: isl.Set) -> isl.Set:
    """{ A[a] }: the elements that { S[i] -> A[a] } leads to whose place in memory lies outside of the array.

    In front of it, where the first subscript that is not 0 is negative, no later one is beyond its end, and none before
    is positive; behind it, the other way round.
    """
    there = relation.range()
    found = there.subtract(there)
    count = there.dim(isl.dim_type.set)
    ends = [extent.dim_max(position) for position in range(count)]
    for first in range(count):
        before, behind = there, there
        for position, end in enumerate(ends):
            here = islx.variable(there, position)
            last, nothing = end.insert_domain(there.get_space()), islx.constant(there, 0)
            if position < first:
                before, behind = before.intersect(here.le_set(nothing)), behind.intersect(here.ge_set(last))
            elif position == first:
                before, behind = before.intersect(here.lt_set(nothing)), behind.intersect(here.gt_set(last))
            else:
                before, behind = before.intersect(here.le_set(last)), behind.intersect(here.ge_set(nothing))
        found = found.union(before).union(behind)
    return found


def _stays(scop: Scop, relation: isl.Map, extent: isl.Set, inner: Seq[int]) -> str:
    """The condition on parameters under which { S[i] -> A[a] } stays inside of the dimensions `inner`; "" for none."""
    rows = extent
    for position in range(extent.dim(isl.dim_type.set)):
        if position not in inner:
            rows = rows.drop_constraints_involving_dims(isl.dim_type.set, position, 1)
    leaves = relation.subtract(relation.intersect_range(rows)).params()
    within = relation.params().subtract(leaves).coalesce()
    asked = within.gist(scop.context.intersect(extent.params())).coalesce()
    if within.is_empty() or asked.n_basic_set() != 1 or asked.plain_is_universe():
        return ""
    params = range(within.dim(isl.dim_type.param))
    if not all(within.plain_get_val_if_fixed(isl.dim_type.param, k).is_nan() for k in params):
        return ""  # It would be said of a single size.
    return str(isl.AstBuild.from_context(scop.context).expr_from_set(asked).to_C_str())


def _leaves_at(relation: isl.Map, extent: isl.Set, inner: Seq[int], is_affine: bool) -> int | None:
    """The last dimension of `inner` of which { S[i] -> A[a] } has values that are not inside, or are not known.

    Of what is not affine those are known that are one for each instance.  None where there is no such dimension.  An
    array without elements has no accesses: all dimensions are taken to have some.
    """
    count = relation.dim(isl.dim_type.out)
    relation = relation.intersect_params(extent.params())
    for position in reversed(inner):
        one = relation.project_out(isl.dim_type.out, position + 1, count - position - 1)
        one = one.project_out(isl.dim_type.out, 0, position).reset_tuple_id(isl.dim_type.out)
        inside = extent.project_out(isl.dim_type.set, position + 1, count - position - 1)
        inside = inside.project_out(isl.dim_type.set, 0, position).reset_tuple_id()
        if not inside.dim_has_upper_bound(isl.dim_type.set, 0) or not (is_affine or one.is_single_valued()):
            return position
        if not one.range().is_subset(inside):
            return position
    return None


def _is_anywhere(relation: isl.Map, extent: isl.Set, last: int) -> bool:
    """Whether { S[i] -> A[a] } has all subscripts in the dimensions up to `last`, for each instance.

    They stand for any row then: `[ys][xs][q]` is among those elements wherever `(ys * w + xs) * 9 + q` is.
    """
    relation = relation.intersect_params(extent.params())
    behind = relation.dim(isl.dim_type.out) - last - 1
    leading = relation.project_out(isl.dim_type.out, last + 1, behind).reset_tuple_id(isl.dim_type.out)
    inside = extent.project_out(isl.dim_type.set, last + 1, behind).reset_tuple_id()
    everything = isl.Map.from_domain_and_range(relation.domain(), inside)
    return bool(everything.is_subset(leading))


# ---- what the source has ---------------------------------------------------------------------------


def flat_arrays(region: Region, written: Counter[str]) -> list[Symbol]:
    """The arrays of one dimension whose extent is a product of sums of parameters that stay, and of numbers."""
    return [symbol for symbol, _ in _flattened(region, written) if len(_dimensions(symbol.type)) == 1]


def _flattened(region: Region, written: Counter[str]) -> list[tuple[Symbol, int]]:
    """Dimensions of arrays whose extent is a product of sums of parameters that stay, and of numbers."""
    declared = [node.symbol for node in walk(region.body) if isinstance(node, Declare) and node.init is None]
    found: list[tuple[Symbol, int]] = []
    for symbol in (*region.params, *declared):
        for dimension in range(len(_dimensions(symbol.type))):
            factors = extent_factors(symbol, dimension) or ()
            names = [n.symbol for factor in factors for n in walk(factor) if isinstance(n, Name)]
            if names and all(each.kind == "param" and not written[each.name] for each in names):
                found.append((symbol, dimension))
    return found


def _dimensions(ctype: CType) -> list[ArrayType]:
    found: list[ArrayType] = []
    while isinstance(ctype, ArrayType):
        found.append(ctype)
        ctype = ctype.element
    return found


def extent_factors(symbol: Symbol, dimension: int = 0) -> tuple[Factor, ...] | None:
    """What the extent of a dimension of an array is a product of; None where it is no such product."""
    dimensions = _dimensions(symbol.type)
    extent = dimensions[dimension].extent if dimension < len(dimensions) else None
    found = None if extent is None else _multiplied(extent)
    if found is None or not 2 <= len(found) <= _MOST_FACTORS:
        return None
    return None if any(isinstance(factor, IntLiteral) and factor.value < 1 for factor in found) else found


def _multiplied(expr: Expr) -> tuple[Factor, ...] | None:
    match expr:
        case Cast(operand=operand) if keeps_value(expr):
            return _multiplied(operand)
        case Binary(op="*", left=left, right=right) if not may_wrap(expr.type):
            one, other = _multiplied(left), _multiplied(right)
            return None if one is None or other is None else (*one, *other)
        case Name() | IntLiteral():
            return (expr,)
        case Binary(op="+" | "-" | "/") if linear(expr, {}) is not None:
            return (expr,)
        case Binary(op="+" | "-") if not may_wrap(expr.type):
            return _with_common(expr)
    return None


def _with_common(total: Binary) -> tuple[Factor, ...] | None:
    """What both sides of a sum are multiples of, and what is left: `n * (m / 2) + n` is `n`, `m / 2 + 1`."""
    one, other = _multiplied(total.left), _multiplied(total.right)
    if one is None or other is None:
        return None
    common: list[Factor] = []
    left, right = list(one), list(other)
    for factor in one:
        name = factor_name(factor, {})
        again = next((each for each in right if name and factor_name(each, {}) == name), None)
        if again is not None:
            common.append(factor)
            left.remove(factor)
            right.remove(again)
    if not common or len(left) > 1 or len(right) > 1:
        return None
    sides = [rest[0] if rest else IntLiteral(1, total.type, total.span) for rest in (left, right)]
    rest = Binary(total.op, sides[0], sides[1], total.type, total.span)
    return (*common, rest) if linear(rest, {}) is not None else None


def _shape(region: Region, symbol: Symbol, dimension: int, values: Mapping[str, Expr]) -> FlatShape | None:
    """The shape of an array that most of its accesses allow; None where there is none, or none is needed."""
    factors, subscripts = extent_factors(symbol, dimension), subscripts_of(region, symbol, dimension)
    if factors is None or not subscripts:
        return None
    names = frozenset(factor_name(factor, {}) for factor in factors if not isinstance(factor, IntLiteral))
    sums: dict[Expr, FlatSum] = {}
    for subscript in subscripts:
        terms = flat_sum(subscript, names, values)
        if terms is not None:
            sums[subscript] = terms
    if all(term.is_affine for terms in sums.values() for term in terms):
        return None
    shapes: list[tuple[int, tuple[Factor, ...], dict[Expr, tuple[FlatSum, ...]]]] = []
    for each in filter(None, (factors, _with_primes(factors))):
        for order in permutations(each):
            found = {at: parts for at, terms in sums.items() if (parts := split_sum(terms, order)) is not None}
            if any(not all(term.is_affine for term in sums[at]) for at in found):
                shapes.append((_steps(found), order, found))
    if not shapes:
        return None
    # Where numbers need not be taken apart they stay: pixels of 4 bytes are no 2 halves of 2.
    steps, order, found = min(
        shapes, key=lambda shape: (-len(shape[2]), _variable_steps(shape[2]), len(shape[1]), shape[0])
    )
    return _with_fewest(symbol, dimension, order, found, steps, subscripts)


def _with_primes(factors: tuple[Factor, ...]) -> tuple[Factor, ...]:
    """The factors of which numbers are taken apart: 4 may be the rows and columns of `out[2 * h * 2 * w]`.

    Nothing where there are none, or too many.
    """
    found: list[Factor] = []
    for factor in factors:
        if not isinstance(factor, IntLiteral):
            found.append(factor)
            continue
        left, by = factor.value, 2
        while by * by <= left:
            if left % by:
                by += 1
            else:
                found.append(replace(factor, value=by))
                left //= by
        found.append(replace(factor, value=left))
    return tuple(found) if len(factors) < len(found) <= _MOST_FACTORS else ()


def _variable_steps(found: Mapping[Expr, tuple[FlatSum, ...]]) -> int:
    """`_steps` of what is no number."""
    parts = (part for each in found.values() for part in each)
    return sum(abs(term.coefficient) for part in parts for term in part if term.names or term.rest is not None)


def _steps(found: Mapping[Expr, tuple[FlatSum, ...]]) -> int:
    """By how many elements the subscripts move on in all dimensions: least where each stays inside of its dimension.

    `rgb[(y * w + x) * 3 + c]` of `rgb[3 * h * w]` is `[y][x][c]` and no `[3 * y][3 * x + c]`.
    """
    return sum(abs(term.coefficient) for parts in found.values() for part in parts for term in part)


def _with_fewest(
    symbol: Symbol, dimension: int, order: Seq[Factor], found: Mapping[Expr, tuple[FlatSum, ...]],
    steps: int, subscripts: Seq[Expr],
) -> FlatShape | None:  # fmt: skip
    """The shape of extents `order`, without dimensions whose subscript is always 0: the next one has their elements.

    `x[i * c * m + k]` of `x[n * c * m]` is `x[i][k]` of `x[n][c * m]`.  Those of `subscripts` that are not `found`
    count from the first row: they leave it.
    """
    flat = _dimensions(symbol.type)[dimension]
    sides: list[Expr] = []
    kept: list[int] = []
    side: list[Factor] = []
    for position, factor in enumerate(order):
        side.append(factor)
        if position == len(order) - 1 or any(parts[position] for parts in found.values()):
            sides.append(_side(side, flat))
            kept.append(position)
            side = []
    if len(sides) == 1:
        return None
    made = {each: (*(IntLiteral(0, each.type, each.span) for _ in kept[1:]), each) for each in subscripts}
    for subscript, parts in found.items():
        made[subscript] = tuple(expression_of(parts[position], subscript, order) for position in kept)
    return FlatShape(_nested(symbol.type, dimension, sides), dimension, made, steps)


def _side(factors: Seq[Factor], flat: ArrayType) -> Expr:
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


def subscripts_of(region: Region, symbol: Symbol, dimension: int = 0) -> list[Expr] | None:
    """The subscripts of all accesses of an array in one dimension; None where it is named without some of them.

    What a function is given the address of is a single element: pointers have no subscripts in PENCIL.
    """
    found: list[Expr] = []
    named = 0
    for node in walk(region.body):
        match node:
            case Index() if (whole := _element(node)) is not None and whole[0].name == symbol.name:
                found.append(whole[1][dimension])
            case Kill(variable=Name(symbol=used)) if used.name == symbol.name:
                named -= 1
            case Name(symbol=used) if used.name == symbol.name:
                named += 1
    return found if named == len(found) else None


def _element(index: Index) -> tuple[Symbol, tuple[Expr, ...]] | None:
    """The array of an element, and all of its subscripts; None for a row of it, or a member of it."""
    subscripts: list[Expr] = []
    base: Expr = index
    while isinstance(base, Index):
        subscripts.insert(0, base.index)
        base = base.base
    if not isinstance(base, Name) or len(_dimensions(base.symbol.type)) != len(subscripts):
        return None
    return base.symbol, tuple(subscripts)


def _nested(ctype: CType, dimension: int, sides: Seq[Expr]) -> ArrayType:
    """The type with extents `sides` in the place of one dimension."""
    dimensions = _dimensions(ctype)
    made: CType = dimensions[-1].element
    for position, each in reversed(list(enumerate(dimensions))):
        for extent in reversed(sides) if position == dimension else (each.extent,):
            made = replace(each, element=made, extent=extent)
    assert isinstance(made, ArrayType)
    return made
