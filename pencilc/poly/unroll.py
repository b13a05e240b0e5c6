"""Arrays of a few accumulators that are updated one by one and in loops: those loops are written out.

    for (k < 7) init(&s[k]);                        init(&s[0]); … init(&s[6]);
    for (x…) {                                      for (x…) {
        update(&s[0], e * e);                           update(&s[0], e * e);
        for (i < 6) update(&s[1 + i], e * J[i]);        update(&s[1], e * J[0]); … update(&s[6], e * J[5]);
    }                                               }

Each element is a reduction of its own then, and all of them have one domain.  An array that one loop alone updates
stays: its elements are the kept points of that loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pencilc.ir.ctypes import Array, Scalar
from pencilc.ir.rewrite import Renaming, fresh_name, renamed, replaced
from pencilc.ir.source import (
    AddressOf,
    Assign,
    Binary,
    Block,
    Cast,
    Declare,
    Expr,
    For,
    If,
    IntLiteral,
    Name,
    Node,
    ReductionInit,
    ReductionUpdate,
    Region,
    Stmt,
    Symbol,
    TranslationUnit,
    Unary,
    While,
    children,
    walk,
)
from pencilc.poly.accesses import Place, place_of
from pencilc.poly.evaluate import GiveUp, Interpreter

# Iterations of a loop that is written out, and elements of an array, at most.
_MOST_ITERATIONS = 32
_MOST_ELEMENTS = 64
_STEPS = 10_000


@dataclass(frozen=True, slots=True)
class Site:
    """A reduction builtin on the variable `place`, and the loops around it, outermost first."""

    stmt: ReductionInit | ReductionUpdate
    place: Place
    loops: tuple[For, ...]


def unrolled(unit: TranslationUnit, region: Region) -> Region:
    """`region` with the loops over elements of accumulator arrays written out where updates are mixed."""
    sites = list(_sites(region.body, ()))
    short = _short_loops(unit, region)
    arrays = {name for name in _arrays(sites) if _is_mixed(name, sites, short, region)}
    if not arrays:
        return region
    loops = {id(loop) for site in sites if site.place.symbol.name in arrays for loop in _own_loops(site, short)}
    loops |= {id(loop) for loop in _uses_alone(region.body, arrays) if id(loop) in short}
    counted = _counted_locals(region, short) - _changed_elsewhere(region.body, loops)
    try:
        return replace(region, body=_Unroller(unit, region, loops, counted).block(region.body))
    except GiveUp:
        return region  # a counter that is used before it has a value


# ---- which loops ---------------------------------------------------------------------------------------


def _sites(stmt: Stmt, loops: tuple[For, ...]) -> Iterator[Site]:
    if isinstance(stmt, ReductionInit | ReductionUpdate):
        variable = stmt.variable.operand if isinstance(stmt.variable, AddressOf) else stmt.variable
        place = place_of(variable)
        if place is not None:
            yield Site(stmt, place, loops)
        return
    inner = (*loops, stmt) if isinstance(stmt, For) else loops
    for child in children(stmt):
        if isinstance(child, Block | For | If | ReductionInit | ReductionUpdate):
            yield from _sites(child, inner)


def _arrays(sites: list[Site]) -> set[str]:
    return {site.place.symbol.name for site in sites if site.place.subscripts}


def _short_loops(unit: TranslationUnit, region: Region) -> dict[int, For]:
    """The loops, by id, that have few iterations however often they are entered."""
    found: dict[int, For] = {}

    def look(stmt: Node, ranges: dict[str, tuple[int, ...]]) -> None:
        if isinstance(stmt, For):
            values = _all_values(unit, stmt, ranges)
            if values is not None:
                found[id(stmt)] = stmt
                ranges = {**ranges, stmt.iterator.name: values}
        for child in children(stmt):
            look(child, ranges)

    look(region.body, {})
    return found


def _all_values(unit: TranslationUnit, loop: For, ranges: Mapping[str, tuple[int, ...]]) -> tuple[int, ...] | None:
    """The values that the counter may have, the counters around having values in `ranges`; None if they are many."""
    used = [n.symbol.name for e in (loop.lower, loop.bound) for n in walk(e) if isinstance(n, Name)]
    if any(name not in ranges for name in used):
        return None
    points: list[dict[str, int]] = [{}]
    for name in dict.fromkeys(used):
        points = [{**point, name: value} for point in points for value in ranges[name]]
        if len(points) > _MOST_ITERATIONS:
            return None
    found: set[int] = set()
    for point in points:
        values = counter_values(unit, loop, point)
        if values is None:
            return None
        found.update(values)
    return tuple(sorted(found)) if len(found) <= _MOST_ITERATIONS else None


def counter_values(unit: TranslationUnit, loop: For, known: Mapping[str, int]) -> list[int] | None:
    """The values of the counter in order, those of other counters being known; None if they are unknown or many."""
    machine = Interpreter(unit, _STEPS)
    machine.env.update(known)
    condition = Binary(
        loop.relation, Name(loop.iterator, loop.iterator.type, loop.span), loop.bound, loop.bound.type, loop.span
    )
    values: list[int] = []
    try:
        at = machine.convert(machine.value(loop.lower), loop.iterator.type)
        while isinstance(at, int) and len(values) <= _MOST_ITERATIONS:
            machine.env[loop.iterator.name] = at
            if not machine.truth(condition):
                return values
            values.append(at)
            at = machine.convert(at + loop.step, loop.iterator.type)
    except GiveUp:
        return None
    return None


def _is_mixed(name: str, sites: list[Site], short: Mapping[int, For], region: Region) -> bool:
    """Whether the array has few elements, known where they are updated, which no one loop updates by itself.

    Either an element is updated by itself, or another update stands beside the loop over the elements.
    """
    mine = [site for site in sites if site.place.symbol.name == name]
    updates = [site for site in mine if isinstance(site.stmt, ReductionUpdate)]
    if not updates or not _has_few_elements(updates[0].place.symbol):
        return False
    every_loop = set(short)
    counted = _counted_locals(region, short) - _changed_elsewhere(region.body, every_loop)
    if not all(_is_known(subscript, site, short, counted) for site in mine for subscript in site.place.subscripts):
        return False
    if any(_own_loops(site, short) for site in mine) and not all(_own_loops(site, short) for site in updates):
        return True  # one element is updated by itself, all are initialised in a loop
    others = [site for site in sites if isinstance(site.stmt, ReductionUpdate)]
    return any(_stands_beside(site, other, short) for site in updates for other in others)


def _has_few_elements(symbol: Symbol) -> bool:
    count, ctype = 1, symbol.type
    while isinstance(ctype, Array):
        if not isinstance(ctype.extent, IntLiteral):
            return False
        count *= ctype.extent.value
        ctype = ctype.element
    return count <= _MOST_ELEMENTS


def _own_loops(site: Site, short: Mapping[int, For]) -> list[For]:
    """The short loops around the builtin that no long loop stands in."""
    found: list[For] = []
    for loop in reversed(site.loops):
        if id(loop) not in short:
            break
        found.append(loop)
    return found


def _is_known(subscript: Expr, site: Site, short: Mapping[int, For], counted: set[str]) -> bool:
    """Whether the subscript is made of constants, counters of the short loops around, and locals that count."""
    known = {loop.iterator.name for loop in _own_loops(site, short)} | counted
    for node in walk(subscript):
        if isinstance(node, Name) and node.symbol.name not in known:
            return False
        if not isinstance(node, Name | IntLiteral | Binary | Unary | Cast):
            return False
    return True


def _counted_locals(region: Region, short: Mapping[int, For]) -> set[str]:
    """The integer locals that are only assigned constants, and themselves with constants added (`k = 7`, `k++`)."""
    counters = {loop.iterator.name for loop in short.values()}
    refused: set[str] = set()
    found: set[str] = set()
    for node in walk(region.body):
        if isinstance(node, AddressOf | ReductionInit | ReductionUpdate):
            place = place_of(node.operand if isinstance(node, AddressOf) else node.variable)
            refused |= {place.symbol.name} if place is not None else set()
            continue
        if isinstance(node, Declare) and isinstance(node.symbol.type, Scalar) and node.symbol.type.is_integer:
            found.add(node.symbol.name)
            value = node.init
            target = node.symbol.name
        elif isinstance(node, Assign) and isinstance(node.target, Name):
            value, target = node.value, node.target.symbol.name
        else:
            continue
        if value is not None and not _is_arithmetic(value, counters | {target}):
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
                symbol = _assigned(stmt)
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
                here = here if _is_arithmetic(stmt.condition, counters) else frozenset()
                look(stmt.then, here)
                if stmt.otherwise is not None:
                    look(stmt.otherwise, here)
            case While():
                look(stmt.body, frozenset())

    look(body, frozenset())
    return found


def _assigned(stmt: Assign) -> Symbol | None:
    """The variable that the statement assigns to, if it is no element or member."""
    return stmt.target.symbol if isinstance(stmt.target, Name) else None


def _is_arithmetic(expr: Expr, names: set[str]) -> bool:
    for node in walk(expr):
        if isinstance(node, Name) and node.symbol.name not in names:
            return False
        if not isinstance(node, Name | IntLiteral | Binary | Unary | Cast):
            return False
    return True


def _stands_beside(site: Site, other: Site, short: Mapping[int, For]) -> bool:
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
        if any(isinstance(n, Name) and n.symbol.name in arrays for n in walk(item)):
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


# ---- writing out ---------------------------------------------------------------------------------------


class _Unroller:
    """Writes out the loops whose ids are in `loops`; every copy has variables of its own.

    The locals `counted` only count in these loops (`int k = 7; … k++;`): they become constants.
    """

    def __init__(self, unit: TranslationUnit, region: Region, loops: set[int], counted: set[str]) -> None:
        self.unit, self.loops, self.counted = unit, loops, counted
        self.taken = {p.name for p in region.params} | {d.symbol.name for d in unit.globals}
        self.taken |= {f.name for f in unit.functions}
        self.taken |= {n.symbol.name for n in walk(region.body) if isinstance(n, Name | Declare)}
        self.taken |= {n.iterator.name for n in walk(region.body) if isinstance(n, For)}
        self.known: dict[str, int] = {}  # the counters of loops that are being written out, and counted locals

    def block(self, block: Block) -> Block:
        """The block with its loops written out."""
        items: list[Stmt] = []
        for item in block.items:
            items += self._stmt(item)
        return replace(block, items=tuple(items))

    def _stmt(self, stmt: Stmt) -> list[Stmt]:
        match stmt:
            case Block():
                return [self.block(stmt)]
            case For() if id(stmt) in self.loops:
                return self._copies(stmt)
            case For():
                return [replace(self._counted(stmt), body=self._one(stmt.body))]
            case If():
                return self._if(stmt)
            case Declare() if stmt.symbol.name in self.counted:
                if stmt.init is not None:
                    self._count(stmt.symbol, stmt.init)
                return []
            case Assign() if (symbol := _assigned(stmt)) is not None and symbol.name in self.counted:
                self._count(symbol, stmt.value)
                return []
        folded: Stmt = replaced(stmt, self._constant)
        return [folded]

    def _if(self, stmt: If) -> list[Stmt]:
        """The branch that is taken, where counters alone decide; otherwise both."""
        condition = self._folded(stmt.condition)
        if isinstance(condition, IntLiteral):
            taken = stmt.then if condition.value else stmt.otherwise
            return [] if taken is None else self._stmt(taken)
        otherwise = None if stmt.otherwise is None else self._one(stmt.otherwise)
        return [replace(stmt, condition=condition, then=self._one(stmt.then), otherwise=otherwise)]

    def _count(self, symbol: Symbol, value: Expr) -> None:
        machine = Interpreter(self.unit, _STEPS)
        machine.env.update(self.known)
        number = machine.convert(machine.value(value), symbol.type)
        assert isinstance(number, int)
        self.known[symbol.name] = number

    def _one(self, stmt: Stmt) -> Stmt:
        made = self._stmt(stmt)
        return made[0] if len(made) == 1 else Block(tuple(made), stmt.span)

    def _counted(self, loop: For) -> For:
        return replace(loop, lower=self._folded(loop.lower), bound=self._folded(loop.bound))

    def _copies(self, loop: For) -> list[Stmt]:
        values = counter_values(self.unit, loop, self.known)
        assert values is not None
        copies: list[Stmt] = []
        for value in values:
            self.known[loop.iterator.name] = value
            made = [self._own_variables(item) for item in self._stmt(loop.body)]
            del self.known[loop.iterator.name]
            for item in made:
                inner = item.items if isinstance(item, Block) and not _declares(item) else (item,)
                copies += inner
        if not loop.declares:
            copies.append(self._last_value(loop, values))
        return copies

    def _last_value(self, loop: For, values: list[int]) -> Stmt:
        """A counter that was declared outside has the value that ended the loop."""
        counter = Name(loop.iterator, loop.iterator.type, loop.span)
        if not values:
            return Assign(counter, loop.lower, loop.span)
        return Assign(counter, IntLiteral(values[-1] + loop.step, loop.iterator.type, loop.span), loop.span)

    def _own_variables(self, stmt: Stmt) -> Stmt:
        """A copy of a body whose variables have names of their own."""
        symbols: dict[str, Symbol] = {}
        for node in walk(stmt):
            if isinstance(node, Declare):
                symbols[node.symbol.name] = renamed(node.symbol, self.taken)
            elif isinstance(node, For) and node.declares:
                name = fresh_name(node.iterator.spelling, self.taken)
                symbols[node.iterator.name] = replace(node.iterator, name=name)
        copy: Stmt = Renaming(symbols, {}).node(stmt)
        return copy

    def _folded(self, expr: Expr) -> Expr:
        """The expression with the known counters as constants, and what they make constant as well."""
        folded: Expr = replaced(expr, self._constant)
        return folded

    def _constant(self, part: Node) -> Expr | None:
        """The constant that a part of an expression is now; None where it is none, or was one in the source."""
        if isinstance(part, Name) and part.symbol.name in self.known:
            return IntLiteral(self.known[part.symbol.name], part.type, part.span)
        if not isinstance(part, Binary | Unary | Cast) or not _is_arithmetic(part, set(self.known)):
            return None
        if not (isinstance(part.type, Scalar) and part.type.is_integer):
            return None
        if not any(isinstance(n, Name) for n in walk(part)):
            return None
        machine = Interpreter(self.unit, _STEPS)
        machine.env.update(self.known)
        try:
            value = machine.value(part)
        except GiveUp:
            return None
        return IntLiteral(value, part.type, part.span) if isinstance(value, int) else None


def _declares(block: Block) -> bool:
    return any(isinstance(item, Declare) for item in block.items)
