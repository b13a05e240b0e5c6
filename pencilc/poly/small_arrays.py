"""Arrays of a few elements that an iteration has for itself become scalars: the loops over them are written out.

Before: `for (j…) { float d[3]; for (k < 3) d[k] = p[j][k] - c[k];  float g = f(d[0], d[1], d[2]); … }`
After:  `for (j…) { float d_0 = p[j][0] - c[0], d_1 = p[j][1] - c[1], d_2 = …;  float g = f(d_0, d_1, d_2); … }`

Tables of the source tell elements as counters do: `d[opposite[k]]` is one that is known where `k` is.

In the model an array of a loop's body has elements for each iteration, and what fills it in a loop of its own is
another statement than what reads it: such a body would be spread over several kernels, which hand the array on in
memory.  A scalar stays in a register ("scalar replacement", Callahan, Carr and Kennedy, PLDI 1990, where loops are
unrolled for it).
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Seq
from collections.abc import Set as AbstractSet
from dataclasses import replace
from math import prod
from typing import Any

from pencilc.frontend.rewrite.private import with_private_scalars
from pencilc.ir.exposure import exposure
from pencilc.ir.queries import (
    base_of,
    counters_in,
    has_own_jump,
    names_in,
    names_of_file,
    names_of_region,
    path_of,
    subscripts_in,
    without_conversions,
)
from pencilc.ir.rewrite import fresh_name, replaced
from pencilc.ir.source import (
    EXPRESSIONS,
    ArrayType,
    Assign,
    Binary,
    Block,
    Cast,
    CType,
    Declare,
    Expr,
    For,
    If,
    Index,
    Initializer,
    IntLiteral,
    Name,
    Node,
    ReductionUpdate,
    Region,
    Scalar,
    Stmt,
    Symbol,
    TranslationUnit,
    Unary,
    While,
    children,
    element_type,
    known_extents,
    walk,
)
from pencilc.poly.model.affine import type_range
from pencilc.poly.model.short_loops import ShortLoop, is_arithmetic, short_loops
from pencilc.poly.model.written_out import written_out
from pencilc.records import dataclass

_MOST_ELEMENTS = 16  # of an array
_MOST_NODES = 6_000  # statements and expressions of a region whose loops are written out

# The scalars that stand for the elements of arrays, by the names of these and subscripts.
_Scalars = dict[str, dict[tuple[int, ...], Symbol]]
_Tables = dict[str, Initializer]
# What is computed with values of tables to tell an element.
_FOLDED = {"+": operator.add, "-": operator.sub, "*": operator.mul}


@dataclass(frozen=True, slots=True)
class _Use:
    """A place where an array is named, and the loops around it in the array's block, outermost first.

    `element`: what names one of its elements there, None where the array is named as a whole; `is_sum`: what is stored
    there is made of elements of the array.
    """

    element: Index | None
    loops: tuple[For, ...]
    is_sum: bool


@dataclass(frozen=True, slots=True)
class _SmallArray:
    """An array of few elements that `block` declares, in the body of a loop or (`is_outside`) around all loops."""

    symbol: Symbol
    block: Block
    is_outside: bool


def with_scalar_elements(unit: TranslationUnit, region: Region) -> Region:
    """`region` with the elements of such arrays as scalars of their own, and the loops over them written out."""
    arrays = list(_small_arrays(region.body, is_inside=False))
    short = short_loops(unit, region) if arrays else {}
    tables = _tables(unit)
    while arrays:
        chosen, loops = _chosen(region, arrays, short, tables)
        flat = written_out(unit, region, loops) if loops else region
        if flat is None:
            break
        flat = replace(flat, body=_with_table_values(flat.body, tables))
        taken = names_of_file(unit) | names_of_region(flat)
        outside = {each.symbol.name for each in chosen if each.is_outside}
        scalars = _scalars(flat.body, outside, taken)
        body = _with_scalars(flat.body, scalars)
        carried = {name for name in outside & scalars.keys() if _is_carried(body, scalars[name])}
        if not carried:
            made = replace(flat, body=body)
            return with_private_scalars(made, frozenset(taken)) if scalars else region
        arrays = [each for each in chosen if each.symbol.name not in carried]
    return region


# ---- which arrays, and which loops ---------------------------------------------------------------


def _chosen(
    region: Region, arrays: Seq[_SmallArray], short: Mapping[int, ShortLoop], tables: _Tables
) -> tuple[list[_SmallArray], frozenset[int]]:
    """Those of the arrays that may become scalars, and the loops that are written out for it, by id."""
    chosen: list[_SmallArray] = []
    loops: frozenset[int] = frozenset()
    counters = counters_in(region.body)
    for array in arrays:
        over = _loops_over(array, short, counters, tables)
        if over is not None and _size(region.body, loops | over, short) <= _MOST_NODES:
            loops |= over
            chosen.append(array)
    return chosen, loops


def _small_arrays(stmt: Node, is_inside: bool) -> Iterator[_SmallArray]:
    if isinstance(stmt, Block):
        for item in stmt.items:
            if isinstance(item, Declare) and _has_few_elements(item):
                yield _SmallArray(item.symbol, stmt, not is_inside)
    for child in children(stmt):
        if isinstance(child, Block | If | For | While):
            yield from _small_arrays(child, is_inside or isinstance(child, For))


def _has_few_elements(item: Declare) -> bool:
    if item.init is not None and not isinstance(item.init, Initializer):
        return False
    counts = known_extents(item.symbol.type)
    return counts is not None and counts != () and 0 < prod(counts) <= _MOST_ELEMENTS


def _loops_over(
    array: _SmallArray, short: Mapping[int, ShortLoop], counters: AbstractSet[str], tables: _Tables
) -> frozenset[int] | None:
    """The loops, by id, whose counters name elements of the array; None where it has to stay an array.

    That is where it is named as a whole, where something else than counters of short loops chooses an element, where a
    jump leaves such a loop, and where the elements are sums over a longer loop: these are reductions of many elements.
    """
    found: dict[int, For] = {}
    uses = list(_uses(array.block, array.symbol.name, (), is_sum=False))
    if array.is_outside and all(id(loop) in short for use in uses for loop in use.loops):
        return None
    if any(_is_sum_over_a_long_loop(use, uses, short) for use in uses):
        return None
    for use in uses:
        around = {loop.iterator.name: loop for loop in use.loops if id(loop) in short}
        if use.element is None:
            return None
        subscripts = [_by_counters(subscript, tables) for subscript in subscripts_in(use.element)]
        if not all(is_arithmetic(subscript, set(around)) for subscript in subscripts):
            return None
        pending = names_in(*subscripts)
        while pending:
            loop = around[pending.pop()]
            found[id(loop)] = loop
            ends = names_in(loop.lower, loop.bound) & counters  # of triangles
            if not ends <= around.keys():
                return None  # it is as long as a loop around the array says, of which there is one copy
            pending |= ends
    if any(has_own_jump(loop.body) or loop.reductions for loop in found.values()):
        return None
    return frozenset(found)


def _is_sum_over_a_long_loop(use: _Use, uses: Seq[_Use], short: Mapping[int, ShortLoop]) -> bool:
    """Whether `use` adds to an element over a long loop, which is not around all uses in the same outermost loop."""
    if not use.is_sum or not use.loops:
        return False
    beside = [each.loops for each in uses if each.loops and each.loops[0] is use.loops[0]]
    shared = 0
    for level in zip(*beside, strict=False):
        if any(loop is not level[0] for loop in level):
            break
        shared += 1
    return any(id(loop) not in short for loop in use.loops[shared:])


def _uses(node: Node, name: str, loops: tuple[For, ...], is_sum: bool) -> Iterator[_Use]:
    match node:
        case Name():
            if node.symbol.name == name:
                yield _Use(None, loops, is_sum)
            return
        case Index() if _is_element_of(node, name):
            yield _Use(node, loops, is_sum)
            for subscript in subscripts_in(node):
                yield from _uses(subscript, name, loops, False)
            return
        case Assign():
            is_sum = any(isinstance(part, Name) and part.symbol.name == name for part in walk(node.value))
        case ReductionUpdate():
            yield from _uses(node.variable, name, loops, is_sum=True)
            yield from _uses(node.element, name, loops, is_sum=False)
            return
        case For():
            loops, is_sum = (*loops, node), False
        case _ if type(node) not in EXPRESSIONS:
            is_sum = False
    for child in children(node):
        yield from _uses(child, name, loops, is_sum)


def _is_element_of(node: Index, name: str) -> bool:
    """Whether `node` is the array of that name with subscripts alone, as many as it has dimensions."""
    base = base_of(node)
    if not isinstance(base, Name) or base.symbol.name != name or isinstance(node.type, ArrayType):
        return False
    return all(isinstance(part, Index) for part in path_of(node))


def _size(node: Node, loops: frozenset[int], short: Mapping[int, ShortLoop]) -> int:
    """How many statements and expressions `node` has where `loops` are written out."""
    inside = 1 + sum(_size(child, loops, short) for child in children(node))
    return inside * len(short[id(node)].values) if id(node) in loops else inside


# ---- tables --------------------------------------------------------------------------------------


def _tables(unit: TranslationUnit) -> _Tables:
    """The constant arrays of integers of the file, with their values."""
    found: _Tables = {}
    for item in unit.globals:
        kind = element_type(item.symbol.type)
        if isinstance(item.init, Initializer) and isinstance(kind, Scalar) and kind.is_integer:
            found[item.symbol.name] = item.init
    return found


def _by_counters(subscript: Expr, tables: _Tables) -> Expr:
    """What chooses the element of a small array: where a table does, what chooses the value of this."""

    def sum_of_places(node: Node) -> Node | None:
        if not isinstance(node, Index) or not _is_of_table(node, tables):
            return None
        total, *others = (_by_counters(each, tables) for each in subscripts_in(node))
        for other in others:
            total = Binary("+", total, other, total.type, total.span)
        return total

    made: Expr = replaced(subscript, sum_of_places)
    return made


def _is_of_table(node: Node, tables: _Tables) -> bool:
    if not isinstance(node, Index):
        return False
    base = base_of(node)
    return isinstance(base, Name) and base.symbol.name in tables and _is_element_of(node, base.symbol.name)


def _with_table_values(body: Block, tables: _Tables) -> Block:
    """`body` with the values of elements of tables that constants choose."""

    def value_of(node: Node) -> Node | None:
        if isinstance(node, Cast) and isinstance(node.type, Scalar) and node.type.kind == "uint":
            # nvcc warns of negative numbers that become unsigned ones.
            inner = replaced(node.operand, value_of)
            number = _number(inner)
            return node if number is None or number < 0 else replace(node, operand=inner)
        if isinstance(node, Binary) and node.op in _FOLDED and any(_is_of_table(each, tables) for each in walk(node)):
            numbers = [_number(replaced(side, value_of)) for side in (node.left, node.right)]
            left, right = numbers
            if left is None or right is None or not all(_is_of_type(each, node.type) for each in (left, right)):
                return None
            made = _FOLDED[node.op](left, right)
            return IntLiteral(made, node.type, node.span) if _is_of_type(made, node.type) else None
        if not isinstance(node, Index) or not _is_of_table(node, tables):
            return None
        base = base_of(node)
        assert isinstance(base, Name)
        places = [without_conversions(replaced(each, value_of)) for each in subscripts_in(node)]
        place = tuple(each.value for each in places if isinstance(each, IntLiteral))
        counts = known_extents(base.symbol.type)
        if counts is None or len(place) < len(places) or not _is_inside(place, counts):
            return None
        value = _first_value(tables[base.symbol.name], place)
        number = None if value is None else _number(value)
        return (
            None if number is None or not _is_of_type(number, node.type) else IntLiteral(number, node.type, node.span)
        )

    made: Block = replaced(body, value_of)
    return made


def _is_of_type(number: int, ctype: CType) -> bool:
    """Whether a number is a value of an integer type: an initialiser may be converted to it."""
    if not isinstance(ctype, Scalar) or not ctype.is_integer:
        return False
    least, greatest = type_range(ctype)
    return least <= number <= greatest


def _number(value: Expr) -> int | None:
    """The value of a number with or without a sign; None for other expressions."""
    match without_conversions(value):
        case IntLiteral(value=number):
            return number
        case Unary(op="-" | "+" as sign, operand=operand):
            inner = _number(operand)
            return None if inner is None else -inner if sign == "-" else inner
    return None


# ---- their elements ------------------------------------------------------------------------------


def _scalars(body: Block, outside: set[str], taken: set[str]) -> _Scalars:
    """A scalar for each element that is named, of the arrays in loops, and `outside` of them, all of whose elements are
    named by constants.
    """
    found: _Scalars = {}
    for array in _small_arrays(body, is_inside=False):
        if array.is_outside and array.symbol.name not in outside:
            continue
        uses = list(_uses(array.block, array.symbol.name, (), is_sum=False))
        places = [None if use.element is None else _place(use.element) for use in uses]
        counts = known_extents(array.symbol.type)
        assert counts is not None
        known = [place for place in places if place is not None and _is_inside(place, counts)]
        if known and len(known) == len(places):
            found[array.symbol.name] = {place: _element(array.symbol, place, taken) for place in sorted(set(known))}
    return found


def _place(element: Index) -> tuple[int, ...] | None:
    """The subscripts of an element; None where one of them is no constant."""
    found = [without_conversions(subscript) for subscript in subscripts_in(element)]
    values = tuple(subscript.value for subscript in found if isinstance(subscript, IntLiteral))
    return values if len(values) == len(found) else None


def _is_inside(place: tuple[int, ...], counts: tuple[int, ...]) -> bool:
    return all(0 <= at < count for at, count in zip(place, counts, strict=True))


def _element(array: Symbol, place: tuple[int, ...], taken: set[str]) -> Symbol:
    spelling = "_".join((array.spelling, *map(str, place)))
    return Symbol(fresh_name(spelling, taken), spelling, element_type(array.type), "local", array.span)


def _with_scalars(node: Any, scalars: _Scalars) -> Any:
    """`node` with the scalars in the place of the elements."""

    def scalar(part: Node) -> Node | None:
        if isinstance(part, Block):
            items = [each for item in part.items for each in _declared(item, scalars)]
            return replace(part, items=tuple(_with_scalars(item, scalars) for item in items))
        if isinstance(part, Index) and isinstance(part.base, Name | Index):
            base = base_of(part)
            if isinstance(base, Name) and base.symbol.name in scalars:
                place = _place(part)
                assert place is not None
                symbol = scalars[base.symbol.name][place]
                return Name(symbol, symbol.type, part.span)
        return None

    return replaced(node, scalar)


def _declared(item: Stmt, scalars: _Scalars) -> list[Stmt]:
    """The declarations of its elements in the place of that of an array."""
    if not isinstance(item, Declare) or item.symbol.name not in scalars:
        return [item]
    elements = scalars[item.symbol.name]
    return [Declare(symbol, _first_value(item.init, place), item.span) for place, symbol in elements.items()]


def _first_value(init: Expr | None, place: tuple[int, ...]) -> Expr | None:
    for at in place if init is not None else ():
        assert isinstance(init, Initializer)
        init = init.values[at]
    return init


def _is_carried(body: Block, elements: Mapping[tuple[int, ...], Symbol]) -> bool:
    """Whether an iteration of an outermost loop may read what another one has left in one of the scalars."""
    found = [exposure(loop.body) for loop in _outermost(body)]
    return any(each.reads(symbol.name) for each in found for symbol in elements.values())


def _outermost(node: Node) -> Iterator[For]:
    if isinstance(node, For):
        yield node
    elif isinstance(node, Block | If | While):
        for child in children(node):
            yield from _outermost(child)
