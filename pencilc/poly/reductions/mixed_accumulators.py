"""Which loops over the elements of accumulator arrays are written out: those of arrays that are updated in mixed ways.

    for (k < 7) init(&s[k]);
    for (x…) {
        update(&s[0], e * e);                           one by one,
        for (i < 6) update(&s[1 + i], e * J[i]);        and in a loop of constant length
    }

So are those of an array with a row of few elements for each point (`update(&f[i][0], x); update(&f[i][1], y);` behind
`for (k < 2) init(&f[i][k]);`).  An array that one loop alone updates stays: its elements are the kept points of that
loop.  But for a few columns,
    for (c < 3) { init(&s[c]); for (i…) update(&s[c], x[i][c]); }
which are one reduction with several accumulators: a thread reads whole rows then, one behind the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from pencilc.ir.queries import coefficient, counters_in, declared_in, mentions_any, names_in
from pencilc.ir.rewrite import as_block, written_names
from pencilc.ir.source import (
    AddressOf,
    ArrayType,
    Assign,
    Block,
    Declare,
    Expr,
    For,
    If,
    Index,
    IntLiteral,
    Name,
    ReductionInit,
    ReductionUpdate,
    Region,
    Scalar,
    Stmt,
    Symbol,
    TranslationUnit,
    While,
    children,
    extents,
    known_extents,
    walk,
)
from pencilc.poly.model.accesses import Lvalue, lvalue_of
from pencilc.poly.model.short_loops import ShortLoop, is_arithmetic, short_loops
from pencilc.poly.model.written_out import assigned, written_out
from pencilc.records import dataclass

# Elements of an array, at most, and of one for which a loop over its columns is written out.
_MOST_ELEMENTS = 64
_MOST_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class BuiltinSite:
    """A reduction builtin on the variable `lvalue`, and the loops around it, outermost first."""

    stmt: ReductionInit | ReductionUpdate
    lvalue: Lvalue
    loops: tuple[For, ...]


def with_accumulators_apart(unit: TranslationUnit, region: Region) -> Region:
    """`region` with the loops over elements of such arrays written out."""
    loops, counted = _mixed_loops(unit, region)
    return (loops and written_out(unit, region, loops, counted)) or region


def _mixed_loops(unit: TranslationUnit, region: Region) -> tuple[frozenset[int], frozenset[str]]:
    """The loops to write out, by id, and the locals that only count in them (`int k = 7; … k++;`)."""
    sites = list(_sites(region.body, ()))
    short = short_loops(unit, region)
    arrays = {name for name in _arrays(sites) if _is_mixed(name, sites, short, region)}
    loops = {id(loop) for site in sites if site.lvalue.symbol.name in arrays for loop in _own_loops(site, short)}
    loops |= {id(loop) for loop in _uses_alone(region.body, arrays) if id(loop) in short}
    rows = {name: _known_dimensions(name, sites, short) for name in _arrays(sites) - arrays}
    for name, known in rows.items():
        if _has_mixed_rows(name, known, sites, short):
            loops |= {
                id(loop) for site in sites if site.lvalue.symbol.name == name for loop in _over(site, known, short)
            }
    columns = {name for name in _arrays(sites) - arrays if _is_of_few_columns(name, sites, short)}
    loops |= {id(loop) for site in sites if site.lvalue.symbol.name in columns for loop in _around(site, short)}
    loops |= {id(loop) for loop in _only_short(region.body, columns, short)}
    counted = _counted_locals(region, short) - _changed_elsewhere(region.body, loops) if loops else set()
    return frozenset(loops), frozenset(counted)


def _sites(stmt: Stmt, loops: tuple[For, ...]) -> Iterator[BuiltinSite]:
    if isinstance(stmt, ReductionInit | ReductionUpdate):
        variable = stmt.variable.operand if isinstance(stmt.variable, AddressOf) else stmt.variable
        lvalue = lvalue_of(variable)
        if lvalue is not None:
            yield BuiltinSite(stmt, lvalue, loops)
        return
    inner = (*loops, stmt) if isinstance(stmt, For) else loops
    for child in children(stmt):
        if isinstance(child, Block | For | If | ReductionInit | ReductionUpdate):
            yield from _sites(child, inner)


def _arrays(sites: list[BuiltinSite]) -> set[str]:
    return {site.lvalue.symbol.name for site in sites if site.lvalue.subscripts}


def _is_mixed(name: str, sites: list[BuiltinSite], short: Mapping[int, ShortLoop], region: Region) -> bool:
    """Whether the array has few elements, known where they are updated, which no one loop updates by itself.

    Either an element is updated by itself, or another update stands beside the loop over the elements, or that goes on
    from one element to the next: `for (k < 5) { s[k] += v; v *= x[i]; }`.
    """
    mine = [site for site in sites if site.lvalue.symbol.name == name]
    updates = [site for site in mine if isinstance(site.stmt, ReductionUpdate)]
    if not updates or not _has_few_elements(updates[0].lvalue.symbol):
        return False
    counted = _counted_locals(region, short) - _changed_elsewhere(region.body, set(short))
    for site in mine:
        for subscript in site.lvalue.subscripts:
            if not _is_known(subscript, site, short, counted):
                return False
    any_in_a_loop = any(_own_loops(site, short) for site in mine)
    all_in_a_loop = all(_own_loops(site, short) for site in updates)
    if any_in_a_loop and not all_in_a_loop:
        return True  # one element is updated by itself, all are initialised in a loop
    for other in sites:
        if isinstance(other.stmt, ReductionUpdate) and any(_stands_beside(site, other, short) for site in updates):
            return True
    return any(_goes_on(loop) for site in updates for loop in _own_loops(site, short))


def _goes_on(loop: For) -> bool:
    """Whether each iteration leaves the next one a value in a scalar, as `v *= x[i];` does: elements are no points."""
    own = declared_in(loop) | counters_in(loop)
    changed = (node.target for node in walk(loop) if isinstance(node, Assign))
    return any(isinstance(each, Name) and each.symbol.name not in own for each in changed)


def _known_dimensions(name: str, sites: list[BuiltinSite], short: Mapping[int, ShortLoop]) -> list[int]:
    """The dimensions of the array in which counters of short loops, or constants, choose the element at each site."""
    mine = [site for site in sites if site.lvalue.symbol.name == name]
    counts = extents(mine[0].lvalue.symbol.type)
    if any(len(site.lvalue.subscripts) != len(counts) for site in mine):
        return []
    found: list[int] = []
    for dimension, count in enumerate(counts):
        subscripts = [site.lvalue.subscripts[dimension] for site in mine]
        chosen = (_is_known(subscript, site, short, set()) for subscript, site in zip(subscripts, mine, strict=True))
        if isinstance(count, IntLiteral) and all(chosen):
            found.append(dimension)
    return found


def _over(site: BuiltinSite, dimensions: Sequence[int], short: Mapping[int, ShortLoop]) -> list[For]:
    """The short loops around the builtin whose counters choose the element in these dimensions."""
    subscripts = [site.lvalue.subscripts[dimension] for dimension in dimensions]
    return [loop for loop in _own_loops(site, short) if any(mentions_any(s, loop.iterator.name) for s in subscripts)]


def _has_mixed_rows(
    name: str, dimensions: Sequence[int], sites: list[BuiltinSite], short: Mapping[int, ShortLoop]
) -> bool:
    """Whether an array with a row for each point, of a few elements in `dimensions`, is updated in mixed ways.

    Either an element of the row is updated by itself, or what a loop adds to all of them is made of a value that
    another loop beside it computes for them all:
    `for (k < 3) r += d(k); for (k < 3) update(&a[i][k], f(r) * d(k));`
    """
    mine = [site for site in sites if site.lvalue.symbol.name == name]
    updates = [site for site in mine if isinstance(site.stmt, ReductionUpdate)]
    counts = [extents(mine[0].lvalue.symbol.type)[dimension] for dimension in dimensions]
    few = prod(count.value for count in counts if isinstance(count, IntLiteral))
    if not dimensions or not updates or few > _MOST_ELEMENTS:
        return False
    if not any(_over(site, dimensions, short) for site in mine):
        return False
    if not all(_over(site, dimensions, short) for site in updates):
        return True
    return any(_shares_a_sum(site, _over(site, dimensions, short)) for site in updates)


def _shares_a_sum(site: BuiltinSite, over: Sequence[For]) -> bool:
    """Whether what is added is made of a local of the loop around the loops `over`, which another loop there sets."""
    assert isinstance(site.stmt, ReductionUpdate)
    outside = site.loops[: site.loops.index(over[0])]
    if not outside:
        return False
    items = as_block(outside[-1].body).items
    own = {item.symbol.name: item for item in items if isinstance(item, Declare)}
    beside = [item for item in items if isinstance(item, For) and not any(item is loop for loop in site.loops)]
    made_in_loops = {name for loop in beside for name in written_names(loop)} & own.keys()
    pending, seen = names_in(site.stmt.element) & own.keys(), set[str]()
    while pending:
        name = pending.pop()
        seen.add(name)
        value = own[name].init
        pending |= (names_in(value) & own.keys()) - seen if value is not None else set()
    return bool(seen & made_in_loops)


def _has_few_elements(symbol: Symbol) -> bool:
    count = _elements(symbol)
    return count is not None and count <= _MOST_ELEMENTS


def _elements(symbol: Symbol) -> int | None:
    """The elements of an array; None where they are not known."""
    counts = known_extents(symbol.type)
    return None if counts is None else prod(counts)


def _is_of_few_columns(name: str, sites: list[BuiltinSite], short: Mapping[int, ShortLoop]) -> bool:
    """Whether the array has an element for each of a few columns of what its updates read, and nothing else."""
    mine = [site for site in sites if site.lvalue.symbol.name == name]
    updates = [site for site in mine if isinstance(site.stmt, ReductionUpdate)]
    count = _elements(mine[0].lvalue.symbol)
    if not updates or count is None or not 2 <= count <= _MOST_COLUMNS:
        return False
    for site in mine:
        counters = {loop.iterator.name for loop in _around(site, short)}
        if not all(is_arithmetic(subscript, counters) for subscript in site.lvalue.subscripts):
            return False
    return all(_reads_columns(site, short) for site in updates)


def _around(site: BuiltinSite, short: Mapping[int, ShortLoop]) -> list[For]:
    """The short loops around the builtin whose counters say which element it is about."""
    used = {n.symbol.name for part in site.lvalue.subscripts for n in walk(part) if isinstance(n, Name)}
    return [loop for loop in site.loops if id(loop) in short and loop.iterator.name in used]


def _reads_columns(site: BuiltinSite, short: Mapping[int, ShortLoop]) -> bool:
    """Whether what the update adds lies side by side for the elements, in a row for each point of a long loop.

    Nothing else is stored where it stands: that would lie apart for each column.  A short loop over what is added is
    one more row in memory.
    """
    assert isinstance(site.stmt, ReductionUpdate)
    counters = {loop.iterator.name for loop in _around(site, short)}
    others = [loop for loop in site.loops if loop.iterator.name not in counters]
    if not others or any(id(loop) in short for loop in others):
        return False
    inside = list(walk(site.loops[-1].body))
    if any(isinstance(node, Assign) and isinstance(node.target, Index) for node in inside):
        return False
    values = [site.stmt.element, *(node.init for node in inside if isinstance(node, Declare) and node.init)]
    long = {loop.iterator.name for loop in others}
    for node in (node for value in values for node in walk(value)):
        if not isinstance(node, Index) or isinstance(node.type, ArrayType):
            continue
        if all(coefficient(node.index, counter) != 1 for counter in counters):
            continue
        flat = any(2 <= (coefficient(node.index, counter) or 0) <= _MOST_COLUMNS for counter in long)
        if flat or (isinstance(node.base, Index) and mentions_any(node.base.index, *long)):
            return True
    return False


def _only_short(body: Block, arrays: set[str], short: Mapping[int, ShortLoop]) -> Iterator[For]:
    """The loops that stand in no other loop, use one of the arrays and have short ones alone inside, and those."""
    for item in _top_level(body):
        loops = [n for n in walk(item) if isinstance(n, For)]
        if mentions_any(item, *arrays) and all(id(loop) in short for loop in loops):
            yield from loops


def _own_loops(site: BuiltinSite, short: Mapping[int, ShortLoop]) -> list[For]:
    """The short loops around the builtin that no long loop stands in."""
    found: list[For] = []
    for loop in reversed(site.loops):
        if id(loop) not in short:
            break
        found.append(loop)
    return found


def _is_known(subscript: Expr, site: BuiltinSite, short: Mapping[int, ShortLoop], counted: set[str]) -> bool:
    """Whether the subscript is made of constants, counters of the short loops around, and locals that count."""
    return is_arithmetic(subscript, {loop.iterator.name for loop in _own_loops(site, short)} | counted)


def _counted_locals(region: Region, short: Mapping[int, ShortLoop]) -> set[str]:
    """The integer locals that are only assigned constants, and themselves with constants added (`k = 7`, `k++`)."""
    counters = {each.loop.iterator.name for each in short.values()}
    refused: set[str] = set()
    found: set[str] = set()
    for node in walk(region.body):
        if isinstance(node, AddressOf | ReductionInit | ReductionUpdate):
            lvalue = lvalue_of(node.operand if isinstance(node, AddressOf) else node.variable)
            refused |= {lvalue.symbol.name} if lvalue is not None else set()
            continue
        if isinstance(node, Declare) and isinstance(node.symbol.type, Scalar) and node.symbol.type.is_integer:
            found.add(node.symbol.name)
            value = node.init
            target = node.symbol.name
        elif isinstance(node, Assign) and isinstance(node.target, Name):
            value, target = node.value, node.target.symbol.name
        else:
            continue
        if value is not None and not is_arithmetic(value, counters | {target}):
            refused.add(target)
    return found - refused


def _changed_elsewhere(body: Block, loops: set[int]) -> set[str]:
    """The variables that are assigned in a loop that is not written out, or under a condition, inside their block.

    A condition on the counters of the loops that are written out is none.
    """
    found: set[str] = set()
    counters = {n.iterator.name for n in walk(body) if isinstance(n, For) and id(n) in loops}

    def look(stmt: Stmt, here: frozenset[str]) -> None:
        """`here`: the variables that every execution of `stmt` is one straight line from the declaration of."""
        match stmt:
            case Assign():
                symbol = assigned(stmt)
                if symbol is not None and symbol.name not in here:
                    found.add(symbol.name)
            case Block():
                for item in stmt.items:
                    if isinstance(item, Declare):
                        here |= {item.symbol.name}
                    look(item, here)
            case For():
                look(stmt.body, here if id(stmt) in loops else frozenset())
            case If():
                here = here if is_arithmetic(stmt.condition, counters) else frozenset()
                look(stmt.then, here)
                if stmt.otherwise is not None:
                    look(stmt.otherwise, here)
            case While():
                look(stmt.body, frozenset())

    look(body, frozenset())
    return found


def _stands_beside(site: BuiltinSite, other: BuiltinSite, short: Mapping[int, ShortLoop]) -> bool:
    """Whether `site` is in short loops and `other` is in others or in none, with the same long loops around both."""
    mine, theirs = _own_loops(site, short), _own_loops(other, short)
    if not mine or _same_loops(mine, theirs):
        return False
    outside = site.loops[: len(site.loops) - len(mine)]
    return bool(outside) and _same_loops(outside, other.loops[: len(other.loops) - len(theirs)])


def _same_loops(first: Sequence[For], second: Sequence[For]) -> bool:
    return len(first) == len(second) and all(a is b for a, b in zip(first, second, strict=True))


def _uses_alone(body: Block, arrays: set[str]) -> Iterator[For]:
    """The loops that stand in no other loop and use one of the arrays, and those inside of them."""
    for item in _top_level(body):
        if mentions_any(item, *arrays):
            yield from (n for n in walk(item) if isinstance(n, For))


def _top_level(stmt: Stmt) -> Iterator[For]:
    match stmt:
        case For():
            yield stmt
        case Block():
            for item in stmt.items:
                yield from _top_level(item)
        case If():
            yield from _top_level(stmt.then)
            if stmt.otherwise is not None:
                yield from _top_level(stmt.otherwise)
