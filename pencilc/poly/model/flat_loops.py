"""Loops over all elements of a flattened array get the loops of its dimensions.

Before: `for (k = 0; k < w * h; k++) img[k] = k % w;`
After:  `for (k_h = 0; k_h < h; k_h++) for (k_w = 0; k_w < w; k_w++) img[k_h * w + k_w] = k_w;`

That is done where an array has other subscripts that need its dimensions (`img[y * w + x]`), or where the loop divides
its counter by one of them.  The order is the same, so the meaning is; all subscripts are affine then, once the arrays
have their shape (`flat_arrays.py`).  The order of the sizes is the one with which that holds; where none is, or where a
condition or a bound would no longer be affine, the loops stay as they are.

Two negative sizes have a positive product, and with them the loops of dimensions have no iterations: such calls are
refused (`Region.multiplied`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from itertools import permutations

from pencilc.frontend.rewrite.private import without_unused
from pencilc.ir.queries import has_own_jump, names_in, names_of_region
from pencilc.ir.rewrite import fresh_name, replaced
from pencilc.ir.source import (
    Binary,
    Cast,
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
    children,
    walk,
)
from pencilc.poly.model.flat_arrays import (
    FlatShape,
    extent_factors,
    flat_arrays,
    shapes_of,
    signed_factors,
    subscripts_of,
    with_several,
)
from pencilc.poly.model.flat_terms import (
    Factor,
    FlatSum,
    FlatTerm,
    added,
    expression_of,
    factor_name,
    fixed_values,
    flat_sum,
    keeps_value,
    may_wrap,
    split_sum,
    writes_of,
)
from pencilc.records import dataclass

# Factors of the sizes of arrays that loops go through together: their orders are tried.
_MOST_FACTORS = 4


@dataclass(frozen=True, slots=True)
class _Range:
    """The values of a counter: `lower` up to, but without, `upper`."""

    lower: FlatSum
    upper: FlatSum


@dataclass(frozen=True, slots=True)
class _Family:
    """Loops that go through the flattened arrays `arrays`, any two of them through one in common, or by others."""

    loops: tuple[For, ...]
    arrays: tuple[Symbol, ...]


@dataclass(frozen=True, slots=True)
class _Plan:
    """The loops that a loop becomes: the first of the `counters` takes `range`, a part of the size `first`, maybe, and
    the others have the `extents`.
    """

    loop: For
    counters: tuple[Symbol, ...]
    first: Factor
    extents: tuple[Factor, ...]
    range: _Range


@dataclass(frozen=True, slots=True)
class _Known:
    """The factors of the extents of flattened arrays that are no numbers, and what locals stand for."""

    factors: tuple[Factor, ...]
    values: Mapping[str, Expr]

    @property
    def names(self) -> frozenset[str]:
        """What the factors are called in sums."""
        return frozenset(factor_name(factor, {}) for factor in self.factors)

    def sum(self, expr: Expr) -> FlatSum | None:
        """The expression multiplied out."""
        return flat_sum(expr, self.names, self.values)

    def mentions(self, expr: Expr, names: Iterable[str]) -> bool:
        """Whether an expression has one of the variables, also by way of locals that stand for values."""
        named = names_in(expr)
        return any(n in names or (n in self.values and self.mentions(self.values[n], names)) for n in named)


@dataclass(frozen=True, slots=True)
class _Digits:
    """The number whose digits are the counters `first` to `last` of a plan, the last one counting ones."""

    plan: _Plan
    first: int
    last: int


def with_split_loops(region: Region, without: frozenset[str] = frozenset()) -> Region:
    """`region` with the loops over all elements of flattened arrays split; arrays called in `without` have no shape."""
    written = writes_of(region)
    arrays = [symbol for symbol in flat_arrays(region, written) if symbol.name not in without]
    if not arrays:
        return region
    factors = (factor for symbol in arrays for factor in extent_factors(symbol) or ())
    known = _Known(
        tuple({factor_name(factor, {}): factor for factor in factors if not isinstance(factor, IntLiteral)}.values()),
        fixed_values(region, written),
    )
    plans: list[_Plan] = []
    for family in _families(region, arrays, known):
        if _needs_dimensions(region, family, known):
            plans += _best(region, family, known, without)
    return _split(region, plans, known) if plans else region


# ---- which loops -----------------------------------------------------------------------------------


def _families(region: Region, arrays: Seq[Symbol], known: _Known) -> Iterator[_Family]:
    """The loops that may be split, those together that go through the same arrays."""
    found: list[_Family] = []
    for loop in walk(region.body):
        if not isinstance(loop, For) or not _may_be_split(region, loop, known):
            continue
        through = _through(loop, arrays, known)
        if not through:
            continue
        joined = [family for family in found if any(array in through for array in family.arrays)]
        found = [family for family in found if family not in joined]
        loops = (each for family in joined for each in family.loops)
        own = (array for family in joined for array in family.arrays)
        found.append(_Family((*loops, loop), tuple(dict.fromkeys((*own, *through)))))
    yield from found


def _may_be_split(region: Region, loop: For, known: _Known) -> bool:
    """Whether a loop counts by ones through a product, and nothing but its iterations uses the counter."""
    ctype = loop.iterator.type
    if abs(loop.step) != 1 or may_wrap(ctype) or not isinstance(ctype, Scalar) or has_own_jump(loop.body):
        return False
    if loop.step < 0 and ctype.kind == "uint":
        return False
    found = _range_of(loop, known)
    if found is None or not any(_is_product(term) for term in (*found.lower, *found.upper)):
        return False
    return loop.declares or not _is_used_outside(region.body, loop.iterator.name)


def _range_of(loop: For, known: _Known) -> _Range | None:
    """The values of the counter of a loop by ones."""
    begin, end = known.sum(loop.lower), known.sum(loop.bound)
    if begin is None or end is None:
        return None
    one = (FlatTerm(1),)
    pair: tuple[FlatSum | None, FlatSum | None]
    match loop.relation:
        case "<":
            pair = begin, end
        case "<=":
            pair = begin, added(end, one, 1)
        case ">=":
            pair = end, added(begin, one, 1)
        case ">":
            pair = added(end, one, 1), added(begin, one, 1)
        case _:
            return None
    lower, upper = pair
    if lower is None or upper is None or (loop.step > 0) != (loop.relation in ("<", "<=")):
        return None
    return _Range(lower, upper)


def _is_product(term: FlatTerm) -> bool:
    return len(term.names) + (term.rest is not None) + (abs(term.coefficient) > 1) > 1


def _is_used_outside(node: Node, counter: str) -> bool:
    """Whether the counter is named outside of all loops that count with it."""
    if isinstance(node, Name):
        return node.symbol.name == counter
    if isinstance(node, For) and node.iterator.name == counter:
        return False
    return any(_is_used_outside(child, counter) for child in children(node))


def _through(loop: For, arrays: Seq[Symbol], known: _Known) -> list[Symbol]:
    """The arrays that have a subscript with the counter of the loop."""
    named = {
        node.base.symbol.name
        for node in walk(loop.body)
        if isinstance(node, Index) and isinstance(node.base, Name)
        and known.mentions(node.index, {loop.iterator.name})
    }  # fmt: skip
    return [array for array in arrays if array.name in named]


def _needs_dimensions(region: Region, family: _Family, known: _Known) -> bool:
    """Whether a subscript of the arrays is affine only by dimensions, or a loop divides its counter by a size."""
    for array in family.arrays:
        for subscript in subscripts_of(region, array) or ():
            terms = known.sum(subscript)
            if terms is not None and not all(term.is_affine for term in terms):
                return True
    quotients = (quotient for loop in family.loops for quotient in _quotients(loop, known))
    return any(known.mentions(quotient.right, known.names) for quotient in quotients)


# ---- how they are split ----------------------------------------------------------------------------


def _best(region: Region, family: _Family, known: _Known, without: frozenset[str]) -> list[_Plan]:
    """How the loops of a family are split, so that all subscripts are affine; none where there is no way."""
    found: dict[tuple[tuple[str, ...], ...], tuple[int, list[_Plan]]] = {}
    for order in _orders(family):
        taken = names_of_region(region)
        plans = [
            plan for loop in family.loops if (plan := _plan(loop, order, known, taken)) is not None
        ]  # fmt: skip
        key = tuple((plan.loop.iterator.name, *map(_key, plan.extents)) for plan in plans)
        if not plans or key in found:
            continue
        made = _split(region, plans, known)
        shapes = shapes_of(made, without)
        if _is_affine(made, {c.name for plan in plans for c in plan.counters}, shapes):
            steps = sum(shapes[a.name].steps for a in family.arrays if a.name in shapes)
            found[key] = steps, plans
    return min(found.values(), key=lambda each: each[0])[1] if found else []


def _orders(family: _Family) -> Iterator[tuple[Factor, ...]]:
    """The orders in which the sizes of the arrays may stand for each other."""
    factors: dict[str, Factor] = {}
    counts: Counter[str] = Counter()
    for array in family.arrays:
        own = extent_factors(array) or ()
        factors.update({_key(factor): factor for factor in own})
        counts |= Counter(map(_key, own))
    keys = list(counts.elements())
    if len(keys) > _MOST_FACTORS:
        # That of rows that are larger in one array than in the other, `x[3 * n * m]`.
        keys = [key for key in keys if not isinstance(factors[key], IntLiteral)]
    if len(keys) <= _MOST_FACTORS:
        for order in dict.fromkeys(permutations(keys)):
            yield tuple(factors[key] for key in order)


def _key(factor: Factor) -> str:
    return str(factor.value) if isinstance(factor, IntLiteral) else factor_name(factor, {})


def _plan(loop: For, order: tuple[Factor, ...], known: _Known, taken: set[str]) -> _Plan | None:
    """The loops for as many neighbours of the order as the range of the loop is a multiple of, the innermost ones."""
    whole = _range_of(loop, known)
    assert whole is not None
    for count in range(len(order), 1, -1):
        for first in range(len(order) - count, -1, -1):
            extents = order[first + 1 : first + count]
            found = _divided_range(whole, order[first : first + count])
            if found is None or not all(_fits(extent, loop.iterator) for extent in extents):
                continue
            if any(_quotients(loop, known)) and not _is_natural(found.lower):
                continue  # quotients of negative numbers are not those of their digits
            counters = tuple(_counter(loop.iterator, factor, taken) for factor in order[first : first + count])
            return _Plan(loop, counters, order[first], extents, found)
    return None


def _divided_range(whole: _Range, order: tuple[Factor, ...]) -> _Range | None:
    """What is left of a range for the first of the sizes; None where it ends within one of the others, or has one."""
    lower, upper = split_sum(whole.lower, order), split_sum(whole.upper, order)
    if lower is None or upper is None or any((*lower[1:], *upper[1:])):
        return None
    is_one = not lower[0] and upper[0] == (FlatTerm(1),)
    return None if is_one else _Range(lower[0], upper[0])


def _fits(extent: Factor, counter: Symbol) -> bool:
    """Whether a counter of this type counts to an extent."""
    wanted, own = extent.type, counter.type
    assert isinstance(wanted, Scalar) and isinstance(own, Scalar)
    return wanted.size < own.size or (wanted.size == own.size and (wanted.kind == own.kind or own.kind == "uint"))


def _quotients(loop: For, known: _Known) -> Iterator[Binary]:
    """Where the body of a loop divides what its counter is in, or takes what is left of that."""
    for node in walk(loop.body):
        if isinstance(node, Binary) and node.op in ("/", "%") and known.mentions(node.left, {loop.iterator.name}):
            yield node


def _is_natural(terms: FlatSum) -> bool:
    """Whether a sum is a number that is not negative."""
    return all(term.coefficient >= 0 and not term.names and term.rest is None for term in terms)


def _counter(iterator: Symbol, factor: Factor, taken: set[str]) -> Symbol:
    """`k_w`, which counts to `w`."""
    names = sorted(names_in(factor)) or [str(factor.value) if isinstance(factor, IntLiteral) else ""]
    spelling = "_".join((iterator.spelling, *names))
    return replace(iterator, name=fresh_name(spelling, taken), spelling=spelling, kind="iterator")


# ---- the region with them --------------------------------------------------------------------------


def _split(region: Region, plans: Seq[_Plan], known: _Known) -> Region:
    """The region with the loops of the plans in place of theirs."""
    body = replaced(region.body, _Splitting(plans, known, {}).change)
    body = without_unused(body, [plan.loop.iterator.name for plan in plans])
    sizes = (signed_factors((plan.first, *plan.extents)) for plan in plans)
    return replace(region, body=body, multiplied=with_several(region.multiplied, sizes))


@dataclass(frozen=True, slots=True)
class _Splitting:
    """Puts the loops of `plans` in; `around`: the plans of the loops around, by their counters."""

    plans: Seq[_Plan]
    known: _Known
    around: Mapping[str, _Plan]

    def change(self, node: Node) -> Node | None:
        """What takes the place of a node; None where it stays, and its parts may change."""
        match node:
            case For():
                plan = next((plan for plan in self.plans if plan.loop is node), None)
                return None if plan is None else self._loops(plan)
            case Binary(op="/" | "%") | Name():
                digits = self._digits(node) if isinstance(node, Binary) or node.symbol.name in self.around else None
                return None if digits is None else _number(digits, node)
        return None

    def _loops(self, plan: _Plan) -> For:
        loop, inside = plan.loop, replace(self, around={**self.around, plan.loop.iterator.name: plan})
        body = replaced(loop.body, inside.change)
        like = Name(loop.iterator, loop.iterator.type, loop.span)
        zero = IntLiteral(0, like.type, loop.span)
        ends = [expression_of(part, like, self.known.factors) for part in (plan.range.lower, plan.range.upper)]
        ranges = [(ends[0], ends[1]), *((zero, _in_type_of(like, extent)) for extent in plan.extents)]
        for counter, (lower, upper) in reversed(list(zip(plan.counters, ranges, strict=True))):
            if loop.step > 0:
                body = replace(loop, iterator=counter, lower=lower, relation="<", bound=upper, body=body, declares=True)
            else:
                one = IntLiteral(1, like.type, loop.span)
                last = Binary("-", upper, one, like.type, loop.span)
                body = replace(loop, iterator=counter, lower=last, relation=">=", bound=lower, body=body, declares=True)
        assert isinstance(body, For)
        return body

    def _digits(self, expr: Expr) -> _Digits | None:
        """The digits of an expression; None where it is no number of some."""
        match expr:
            case Name(symbol=symbol) if symbol.name in self.around:
                plan = self.around[symbol.name]
                return _Digits(plan, 0, len(plan.extents))
            case Name(symbol=symbol) if symbol.name in self.known.values:
                return self._digits(self.known.values[symbol.name])
            case Cast(operand=operand) if keeps_value(expr):
                return self._digits(operand)
            case Binary(op="/" | "%" as op, left=left, right=right):
                whole = self._digits(left)
                count = None if whole is None else self._dividing(whole, right)
                if whole is None or count is None:
                    return None
                if op == "/":
                    return replace(whole, last=whole.last - count)
                return replace(whole, first=whole.last - count + 1)
        return None

    def _dividing(self, whole: _Digits, divisor: Expr) -> int | None:
        """How many of the last digits a quotient by `divisor` has not; None where it is no product of their sizes."""
        wanted = self.known.sum(divisor)
        for count in range(1, whole.last - whole.first + 1):
            extents = whole.plan.extents[whole.last - count : whole.last]
            coefficient, names = 1, []
            for extent in extents:
                if isinstance(extent, IntLiteral):
                    coefficient *= extent.value
                else:
                    names.append(factor_name(extent, {}))
            if wanted == (FlatTerm(coefficient, tuple(sorted(names))),):
                return count
        return None


def _number(digits: _Digits, like: Expr) -> Expr:
    """`(k_h * w + k_w) * 3 + k_3` for the counters `k_h`, `k_w` and `k_3`, in the type of `like`."""
    plan, span = digits.plan, like.span
    ctype = plan.loop.iterator.type
    found: Expr | None = None
    for position in range(digits.first, digits.last + 1):
        counter = Name(plan.counters[position], ctype, span)
        if found is None:
            found = counter
            continue
        extent = _in_type_of(counter, plan.extents[position - 1])
        found = Binary("+", Binary("*", found, extent, ctype, span), counter, ctype, span)
    assert found is not None
    return _in_type_of(like, found)


def _in_type_of(like: Expr, expr: Expr) -> Expr:
    return expr if expr.type == like.type else Cast(expr, like.type, like.span)


# ---- whether that is worth it ----------------------------------------------------------------------


def _is_affine(region: Region, counters: set[str], shapes: Mapping[str, FlatShape]) -> bool:
    """Whether no condition or bound, and no subscript of an array that is written, multiplies one of the counters."""
    written = writes_of(region)
    known = _Known((), fixed_values(region, written))
    only_read = {p.name for p in region.params if not written[p.name] and subscripts_of(region, p) is not None}
    for node in walk(region.body):
        exprs: tuple[Expr, ...] = ()
        match node:
            case Index(base=Name(symbol=symbol), index=index) if symbol.name in shapes:
                exprs = shapes[symbol.name].subscripts[index]
            case Index(base=Name(symbol=symbol)) if symbol.name in only_read:
                continue
            case Index(index=index):
                exprs = (index,)
            case If(condition=condition):
                exprs = (condition,)
            case For(lower=lower, bound=bound):
                exprs = (lower, bound)
        if any(_multiplies(expr, counters, known) for expr in exprs):
            return False
    return True


def _multiplies(node: Node, counters: set[str], known: _Known) -> bool:
    """Whether there is a product of one of the counters and a variable, but in subscripts."""
    match node:
        case Index():
            return False
        case Name(symbol=symbol) if symbol.name in known.values:
            return _multiplies(known.values[symbol.name], counters, known)
        case Binary(op="*", left=left, right=right):
            are_variables = not isinstance(left, IntLiteral) and not isinstance(right, IntLiteral)
            if are_variables and known.mentions(node, counters):
                return True
    return any(_multiplies(child, counters, known) for child in children(node))
