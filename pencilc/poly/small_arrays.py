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
    Block,
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
    Stmt,
    Symbol,
    TranslationUnit,
    While,
    children,
    element_type,
    known_extents,
    walk,
)
from pencilc.poly.model.constant_tables import Tables, by_counters, tables_of, with_table_values
from pencilc.poly.model.short_loops import ShortLoop, is_arithmetic, short_loops
from pencilc.poly.model.written_out import size_written_out, written_out
from pencilc.records import dataclass

_MOST_ELEMENTS = 16  # of an array
_MOST_NODES = 6_000  # statements and expressions of a region whose loops are written out

# The scalars that stand for the elements of arrays, by the names of these and subscripts.
_Scalars = dict[str, dict[tuple[int, ...], Symbol]]


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
    tables = tables_of(unit)
    while arrays:
        chosen, loops = _chosen(region, arrays, short, tables)
        flat = written_out(unit, region, loops) if loops else region
        if flat is None:
            break
        flat = replace(flat, body=with_table_values(flat.body, tables))
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
    region: Region, arrays: Seq[_SmallArray], short: Mapping[int, ShortLoop], tables: Tables
) -> tuple[list[_SmallArray], frozenset[int]]:
    """Those of the arrays that may become scalars, and the loops that are written out for it, by id."""
    chosen: list[_SmallArray] = []
    loops: frozenset[int] = frozenset()
    counters = counters_in(region.body)
    for array in arrays:
        over = _loops_over(array, short, counters, tables)
        if over is not None and size_written_out(region.body, loops | over, short) <= _MOST_NODES:
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
    array: _SmallArray, short: Mapping[int, ShortLoop], counters: AbstractSet[str], tables: Tables
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
        subscripts = [by_counters(subscript, tables) for subscript in subscripts_in(use.element)]
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
