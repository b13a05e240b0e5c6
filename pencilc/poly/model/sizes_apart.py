"""Sizes that the source promises to be products of others are written as these, where subscripts count in the parts.

    __pencil_assume(C == heads * size);      y[T * C],  y[t * C + h * size + i]

Before: neither `[T][C]` nor any other shape of `y` has subscripts that are affine
After:  `y[T * heads * size]`, `y[t * heads * size + h * size + i]`, which is `y[t][h][i]` (flat_arrays.py)

`C % heads == 0` promises the same of `C / heads`, and of what is assumed, or declared, to be that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.ir.queries import names_in, root, without_conversions
from pencilc.ir.rewrite import Renaming, replaced
from pencilc.ir.source import (
    ArrayType,
    Assume,
    Binary,
    Cast,
    CType,
    Declare,
    Expr,
    For,
    Index,
    IntLiteral,
    Name,
    Node,
    Region,
    Symbol,
    walk,
)
from pencilc.poly.model.context import Surroundings, assumes_of
from pencilc.poly.model.flat_terms import fixed_values, may_wrap, sizes_divided, writes_of
from pencilc.poly.model.products import factors_of, terms_of
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class _Parts:
    """`whole == product`, a size and the sizes that it is made of."""

    whole: Symbol
    product: Expr

    @property
    def names(self) -> set[str]:
        """The sizes that it is made of, and none of what these are quotients of."""
        return names_in(self.product) - {self.whole.name}


def with_sizes_apart(region: Region) -> Region:
    """`region` with sizes of flattened arrays as products, where that is promised and subscripts have the factors."""
    written = writes_of(region)
    values = fixed_values(region, written)
    fixed = {param.name for param in region.params if not written[param.name]}
    arrays = {symbol.name: symbol for symbol in _arrays(region)}
    counted = {
        (name, of_size)
        for name, subscript in _subscripts(region)
        if name in arrays
        for of_size in _names_behind(subscript, values)
    }
    found: dict[str, _Parts] = {}
    for parts in _promised(region, values):
        if not {parts.whole.name, *parts.names} <= fixed or parts.whole.name in found:
            continue
        having = [name for name, symbol in arrays.items() if parts.whole.name in _sizes_of(symbol.type, values)]
        if any((name, size) in counted for name in having for size in _own_sizes(parts, values)):
            found[parts.whole.name] = parts
    return _written_out(region, found) if found else region


def promise_for(region: Region, index: Index) -> str:
    """The promise that would make known in which parts of rows the subscript of a flattened array counts; "" for none.

    For `y[t * C + h * size + i]` that is `__pencil_assume(C % heads == 0);` where `size` is `C / heads`, and where it
    is a parameter `__pencil_assume(C == heads * size);`, `h` counting to `heads`.
    """
    base = root(index)
    if base is None:
        return ""
    values = fixed_values(region, writes_of(region))
    sizes, behind = _sizes_of(base.symbol.type, values), _names_behind(index.index, values)
    for quotient, size in _quotients(region, values):
        whole, by = _names(quotient)
        is_counted = size in behind if size else {whole.name, by.name} <= behind
        if is_counted and whole.name in sizes:
            return f"__pencil_assume({whole.spelling} % {by.spelling} == 0);"
    wholes = [param for param in region.params if param.name in sizes & behind]
    for product in walk(index.index):
        if not isinstance(product, Binary) or product.op != "*":
            continue
        for one, other in ((product.left, product.right), (product.right, product.left)):
            counter, part = without_conversions(one), without_conversions(other)
            if not isinstance(counter, Name) or not isinstance(part, Name) or part.symbol.kind != "param":
                continue
            parts = _bound_of(region, counter.symbol)
            if parts is not None and wholes and not {parts.name, part.symbol.name} & sizes:
                return f"__pencil_assume({wholes[-1].spelling} == {parts.spelling} * {part.symbol.spelling});"
    return ""


def _bound_of(region: Region, counter: Symbol) -> Symbol | None:
    """The parameter that a counter counts to."""
    for loop in walk(region.body):
        if isinstance(loop, For) and loop.iterator.name == counter.name and loop.relation == "<":
            bound = without_conversions(loop.bound)
            return bound.symbol if isinstance(bound, Name) and bound.symbol.kind == "param" else None
    return None


# ---- what is promised ------------------------------------------------------------------------------


def _promised(region: Region, values: Mapping[str, Expr]) -> Iterator[_Parts]:
    """Each size that is assumed to be a product, `C == heads * size` and `C % heads == 0`, with what it is."""
    conditions = list(_assumed(region))
    for left, right in _equal(conditions):
        product = replaced(right, lambda part: _quotient_behind(part, values))
        if isinstance(left, Name) and not may_wrap(left.type) and _are_sizes(_factors(product)):
            yield _Parts(left.symbol, product)
    whole_parts = {
        (whole.symbol.name, by.symbol.name)
        for left, right in _equal(conditions)
        if isinstance(left, Binary) and left.op == "%" and isinstance(right, IntLiteral) and right.value == 0
        for whole, by in [(without_conversions(left.left), without_conversions(left.right))]
        if isinstance(whole, Name) and isinstance(by, Name)
    }
    for quotient, size in sorted(_quotients(region, values), key=lambda each: not each[1]):
        whole, by = _names(quotient)
        if (whole.name, by.name) in whole_parts and not may_wrap(quotient.type):
            part = next((param for param in region.params if param.name == size), None)
            one: Expr = quotient if part is None else Name(part, part.type, quotient.span)
            yield _Parts(whole, Binary("*", quotient.right, one, quotient.type, quotient.span))


def _assumed(region: Region) -> Iterator[Expr]:
    """The conditions that hold whenever the region runs, each of those that `&&` joins."""
    pending = [assume.condition for assume in assumes_of(region.body)]
    while pending:
        condition = without_conversions(pending.pop())
        if isinstance(condition, Binary) and condition.op == "&&":
            pending += (condition.right, condition.left)
        else:
            yield condition


def _equal(conditions: Seq[Expr]) -> Iterator[tuple[Expr, Expr]]:
    """Both sides of each equation, either way round."""
    for condition in conditions:
        if isinstance(condition, Binary) and condition.op == "==":
            sides = without_conversions(condition.left), without_conversions(condition.right)
            yield sides
            yield sides[1], sides[0]


def _quotients(region: Region, values: Mapping[str, Expr]) -> Iterator[tuple[Binary, str]]:
    """Quotients of parameters, with the parameter that is assumed, or the local that is declared, to be each, or ""."""
    for left, right in _equal(list(_assumed(region))):
        if isinstance(left, Name) and _is_quotient(right):
            assert isinstance(right, Binary)
            yield right, left.symbol.name
    for name, value in values.items():
        whole = without_conversions(value)
        if _is_quotient(whole):
            assert isinstance(whole, Binary)
            yield whole, name
    for node in walk(region.body):
        if isinstance(node, Binary) and _is_quotient(node):
            yield node, ""


def _is_quotient(expr: Expr) -> bool:
    """Whether it is `C / heads`, of parameters."""
    return len(sizes_divided(expr)) == 2


def _names(quotient: Binary) -> tuple[Symbol, Symbol]:
    whole, by = without_conversions(quotient.left), without_conversions(quotient.right)
    assert isinstance(whole, Name) and isinstance(by, Name)
    return whole.symbol, by.symbol


def _quotient_behind(part: Node, values: Mapping[str, Expr]) -> Expr | None:
    """The quotient of parameters that a local is."""
    if not isinstance(part, Name) or part.symbol.name not in values:
        return None
    value = without_conversions(values[part.symbol.name])
    return value if _is_quotient(value) else None


def _factors(expr: Expr) -> list[Expr]:
    plain = without_conversions(expr)
    if isinstance(plain, Binary) and plain.op == "*":
        return [*_factors(plain.left), *_factors(plain.right)]
    return [plain]


def _are_sizes(factors: Seq[Expr]) -> bool:
    """Whether a product has parameters and quotients of such, two at least, and otherwise numbers."""
    sizes = [each for each in factors if _is_quotient(each) or (isinstance(each, Name) and each.symbol.kind == "param")]
    return len(sizes) > 1 and all(each in sizes or isinstance(each, IntLiteral) for each in factors)


# ---- where subscripts count in parts ---------------------------------------------------------------


def _own_sizes(parts: _Parts, values: Mapping[str, Expr]) -> set[str]:
    """By what a subscript may count in parts: the factors, and the locals that are one of them."""
    same = {name for name, value in values.items() if names_in(value) & parts.names}
    return parts.names | same


def _arrays(region: Region) -> Iterator[Symbol]:
    """The arrays of the region."""
    for symbol in (*region.params, *(node.symbol for node in walk(region.body) if isinstance(node, Declare))):
        if isinstance(symbol.type, ArrayType):
            yield symbol


def _sizes_of(ctype: CType, values: Mapping[str, Expr]) -> set[str]:
    """The variables in the extents of an array."""
    found: set[str] = set()
    while isinstance(ctype, ArrayType):
        if ctype.extent is not None:
            found |= _names_behind(ctype.extent, values)
        ctype = ctype.element
    return found


def _subscripts(region: Region) -> Iterator[tuple[str, Expr]]:
    """The subscripts of the region, each with the array that it is one of."""
    for node in walk(region.body):
        if isinstance(node, Index) and (base := root(node)) is not None:
            yield base.symbol.name, node.index


def _names_behind(expr: Expr, values: Mapping[str, Expr]) -> set[str]:
    """The variables in an expression, and in what its locals stand for."""
    found = names_in(expr)
    return found | {name for local in found & values.keys() for name in _names_behind(values[local], values)}


# ---- the region with the products ------------------------------------------------------------------


def _written_out(region: Region, found: Mapping[str, _Parts]) -> Region:
    """The region with products in place of sizes, but for where these are promised or divided."""

    def change(node: Node) -> Node | None:
        match node:
            case Assume():
                return node
            case Binary() if _is_quotient(node):
                return node
            case Name(symbol=symbol) if symbol.name in found:
                product = replaced(found[symbol.name].product, lambda part: _placed(part, node))
                return product if product.type == node.type else Cast(product, node.type, node.span)
        return None

    retyped = _with_extents(region, change)
    return replace(retyped, body=replaced(retyped.body, change))


def with_named_quotients(region: Region, surroundings: Surroundings) -> Region:
    """`region` with extents that are quotients of parameters, as `with_sizes_apart` makes them, by their names: the
    host divides once, and not by 0.
    """
    named = {factors_of(product): product for product in surroundings.products if product.factors}

    def change(node: Node) -> Node | None:
        if not (isinstance(node, Binary) and _is_quotient(node)):
            return None
        terms = terms_of(node, surroundings.params, surroundings.values) or {}
        known = [named[factors] for factors in terms if factors in named]
        return Name(known[0].symbol, known[0].symbol.type, node.span) if len(known) == 1 else None

    return _with_extents(region, change)


def _with_extents(region: Region, change: Callable[[Node], Node | None]) -> Region:
    """The region with a change made in the extents of arrays."""

    def typed(ctype: CType) -> CType:
        if not isinstance(ctype, ArrayType):
            return ctype
        extent = None if ctype.extent is None else replaced(ctype.extent, change)
        return replace(ctype, element=typed(ctype.element), extent=extent)

    symbols: dict[str, Symbol] = {}
    for symbol in _arrays(region):
        ctype = typed(symbol.type)
        if ctype != symbol.type:
            symbols[symbol.name] = replace(symbol, type=ctype)
    if not symbols:
        return region
    params = tuple(symbols.get(symbol.name, symbol) for symbol in region.params)
    body = Renaming(symbols, {}).node(region.body)
    return replace(region, params=params, declared=region.declared_params, body=body)


def _placed(part: Node, at: Name) -> Node | None:
    """Part of a product as if it stood in the place of the size."""
    match part:
        case Binary(op="*"):
            left, right = (replaced(side, lambda each: _placed(each, at)) for side in (part.left, part.right))
            return Binary("*", left, right, part.type, at.span)
        case Name() | IntLiteral():
            return replace(part, span=at.span)
        case Binary():
            return part  # a quotient
    return None
