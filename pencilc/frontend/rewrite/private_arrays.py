"""Arrays that each iteration of a loop overwrites before it reads them are declared in the loop.

Before: `float row[m]; for (i…) { for (j…) row[j] = a[i][j]; for (j…) b[i][j] = row[m - 1 - j]; }`
After:  `for (i…) { float row_1[m]; for (j…) row_1[j] = a[i][j]; for (j…) b[i][j] = row_1[m - 1 - j]; }`

Where nothing says how much memory that takes, both stand in the region: `if (4 * m * n <= 268435456) … else …`.
Which arrays these are the model tells (`poly/private_arrays.py`).  Of an array of the caller's, or one that is used
behind the loop, the last iteration hands all elements on, where the sizes are such that iterations write them.

Both forms stand there, too, for loops of which a schedule would have a value of a scalar for each iteration
(`poly/expanded_scalars.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import reduce

from pencilc.frontend.rewrite.old_values import own_type
from pencilc.frontend.rewrite.private import is_last, without_unused
from pencilc.ir.build import ONE, binary, minus, number, plus, product
from pencilc.ir.queries import names_in, names_of_region
from pencilc.ir.rewrite import Renaming, as_block, fresh_name, renamed, replaced, written_names
from pencilc.ir.source import (
    INT,
    LLONG,
    ArrayType,
    Assign,
    Block,
    Cast,
    CType,
    Declare,
    Expr,
    For,
    If,
    Index,
    IntLiteral,
    Jump,
    MemberOf,
    Name,
    Node,
    PrivateArray,
    Region,
    Return,
    Stmt,
    Struct,
    Symbol,
    children,
    element_type,
    walk,
)
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Overwritten:
    """An array that iterations are to have for themselves; `handed_on`: the last iteration stores its elements in it,
    if there is a condition only `where` it holds; member by member those that are apart in the model (`()`: all).
    """

    array: Symbol
    handed_on: bool
    where: Expr | None = None
    members: tuple[tuple[str, ...], ...] = ((),)


@dataclass(frozen=True, slots=True)
class ScalarValues:
    """A scalar of which the iterations of the loops over `loops`, outermost first, have a value each; `numbers`: how
    many iterations these have at most, where the bounds do not tell that.
    """

    scalar: Symbol
    loops: tuple[str, ...]
    numbers: tuple[Expr | None, ...]


def with_private_arrays(
    region: Region,
    iterator: str,
    wanted: Seq[Overwritten],
    most: int | None = None,
    numbers: Seq[Expr | None] = (),
) -> Region | None:
    """`region` with variables of each iteration of the loop over `iterator` in the place of those that are `wanted`.

    With `most`, only where all iterations together take at most so many bytes, or as many as all arrays of the caller;
    `numbers` are then those of iterations that the loops have at most, from the outermost one, whose bounds do not tell
    them.  None where that cannot be written.
    """
    arrays = [each.array for each in wanted]
    around = _loops_around(region.body, iterator)
    if len(around) != 1:
        return None
    loops = around[0]
    loop = private = loops[-1]
    taken = names_of_region(region)
    for each in wanted:
        changed = _with_own(private, each, taken)
        if changed is None:
            return None
        private = changed
    instead: Stmt = private
    if most is not None:
        fits = _fits(region, [_bytes_of(region, loops, numbers, array) for array in arrays], most)
        if fits is None:
            return None
        # Both forms stand in one region, so that each has variables of its own.
        instead = If(fits, Block((_copied(private, taken),), loop.span), Block((loop,), loop.span), loop.span)
    body = replaced(region.body, lambda node: instead if node is loop else None)
    body = without_unused(body, [array.name for array in arrays])
    found = (PrivateArray(array, loop.iterator, most or 0) for array in arrays)
    return replace(region, body=body, private=(*region.private, *found))


def with_expanded_scalars(region: Region, wanted: Seq[ScalarValues], most: int) -> Region | None:
    """`region` with a second form of the outermost of the loops of all that are `wanted`, for sizes at which the values
    of all of them take more than `most` bytes, and more than all arrays of the caller.

    The scalars of this form are limited.  None where that cannot be written.
    """
    loops = [_loops_over(region, each.loops) for each in wanted]
    first = {id(own[0]) for own in loops if own}
    if len(first) != 1 or not all(loops):
        return None
    needed = [_bytes_of(region, own, e.numbers, e.scalar) for own, e in zip(loops, wanted, strict=True)]
    fits = _fits(region, needed, most)
    if fits is None:
        return None
    loop = loops[0][0]
    copies = _copies(loop, names_of_region(region))
    other = _with_variables(loop, copies)
    instead = If(fits, Block((loop,), loop.span), Block((other,), loop.span), loop.span)
    body = replaced(region.body, lambda node: instead if node is loop else None)
    found = (PrivateArray(e.scalar, copies[e.loops[-1]], most) for e in wanted)
    limited = (copies[e.scalar.name].name for e in wanted)
    return replace(region, body=body, private=(*region.private, *found), limited=(*region.limited, *limited))


def _loops_over(region: Region, iterators: Seq[str]) -> list[For]:
    """The loops over `iterators`, outermost first; none where they are not around one another in one place."""
    around = _loops_around(region.body, iterators[-1])
    found = [loop for loop in around[0] if loop.iterator.name in iterators] if len(around) == 1 else []
    return found if len(found) == len(iterators) else []


def _loops_around(node: Node, iterator: str, outside: tuple[For, ...] = ()) -> list[tuple[For, ...]]:
    """The loops over `iterator` below a node, each behind those around it."""
    if isinstance(node, For):
        outside = (*outside, node)
        if node.iterator.name == iterator:
            return [outside]
    return [found for child in children(node) for found in _loops_around(child, iterator, outside)]


def _with_own(loop: For, wanted: Overwritten, taken: set[str]) -> For | None:
    """The loop with a variable of each iteration in the place of an array."""
    array = wanted.array
    clauses = (variable for clause in loop.reductions for variable in clause.variables)
    if not isinstance(array.type, ArrayType) or array.name in names_in(loop.lower, loop.bound, *clauses):
        return None
    if wanted.handed_on and not _has_a_last(loop):
        return None
    copy = renamed(replace(array, is_const=False), taken, own_type(array.type))
    items: list[Stmt] = [Declare(copy, None, array.span)]
    items += Renaming({array.name: copy}, {}).node(as_block(loop.body)).items
    if wanted.handed_on:
        parts = tuple(_stored(loop, array, copy, path, taken) for path in wanted.members)
        stored: Stmt = parts[0] if len(parts) == 1 else Block(parts, loop.span)
        if wanted.where is not None:
            stored = If(wanted.where, stored, None, loop.span)
        items.append(If(is_last(loop), stored, None, loop.span))
    return replace(loop, body=Block(tuple(items), loop.span))


def _copied(loop: For, taken: set[str]) -> For:
    """The loop with new names for all variables that it declares."""
    return _with_variables(loop, _copies(loop, taken))


def _with_variables(loop: For, copies: Mapping[str, Symbol]) -> For:
    """The loop with other variables, counters that are declared in front of it included."""

    def declaring(node: Node) -> Node | None:
        if isinstance(node, For) and not node.declares:
            return replace(node, declares=True, body=replaced(node.body, declaring))
        return None

    renamed_: For = Renaming(copies, {}).node(loop)
    made: For = replaced(renamed_, declaring)
    return made


def _copies(loop: For, taken: set[str]) -> dict[str, Symbol]:
    """New variables for all that a loop declares, by their names."""
    symbols: list[Symbol] = []
    for node in walk(loop):
        if isinstance(node, For):
            symbols.append(node.iterator)
        elif isinstance(node, Declare):
            symbols.append(node.symbol)
    return {each.name: renamed(each, taken) for each in symbols}


def _has_a_last(loop: For) -> bool:
    """Whether the last iteration, and which one that is, can be told."""
    if any(isinstance(node, Jump | Return) for node in walk(loop.body)):
        return False
    return not names_in(loop.bound) & {*written_names(loop.body), loop.iterator.name}


def _stored(loop: For, array: Symbol, copy: Symbol, members: Seq[str], taken: set[str]) -> Stmt:
    """`for (…) for (…) array[…][…] = copy[…][…];`, or that of a member of the elements."""
    span = loop.span
    counters: list[tuple[Symbol, Expr]] = []
    target: Expr = Name(array, array.type, span)
    value: Expr = Name(copy, copy.type, span)
    left = list(members)
    while isinstance(target.type, ArrayType) or left:
        if isinstance(target.type, ArrayType) and isinstance(value.type, ArrayType):
            extent = target.type.extent
            assert extent is not None, "an array without an extent is in no model"
            counter = Symbol(fresh_name("at", taken), "at", INT, "iterator", span)
            counters.append((counter, extent))
            at = Name(counter, INT, span)
            target = Index(target, at, target.type.element, span)
            value = Index(value, at, value.type.element, span)
            continue
        assert isinstance(target.type, Struct)
        member = next(each for each in target.type.members if each.name == left[0])
        target = MemberOf(target, member.name, member.type, span)
        value = MemberOf(value, member.name, member.type, span)
        del left[0]
    stmt: Stmt = Assign(target, value, span)
    for counter, extent in reversed(counters):
        zero = IntLiteral(0, INT, span)
        stmt = For(counter, zero, "<", extent, 1, Block((stmt,), span), True, False, span)
    return stmt


# ---- the memory that it takes --------------------------------------------------------------------------


def _fits(region: Region, needed: Seq[Expr | None], most: int) -> Expr | None:
    """Whether all that is `needed` is at most `most` bytes, or as many as the arrays of the caller.

    None where parameters do not tell.
    """
    wanted = [each for each in needed if each is not None]
    if len(wanted) < len(needed):
        return None
    params = _sizes(region)
    own_bytes = [
        product([*_sides(p.type), number(element_type(p.type).size)])
        for p in region.params
        if isinstance(p.type, ArrayType) and not any(names_in(side) - params for side in _sides(p.type))
    ]
    total = reduce(plus, wanted)
    limit = binary("<=", total, number(most))
    return binary("||", limit, binary("<=", total, reduce(plus, own_bytes))) if own_bytes else limit


def _bytes_of(region: Region, loops: Seq[For], numbers: Seq[Expr | None], variable: Symbol) -> Expr | None:
    """What all iterations of some loops take together where each has a variable for itself.

    `numbers`: those of iterations that the loops have at most, whose bounds do not tell them.  None where parameters
    do not tell.
    """
    params = _sizes(region)
    iterations: list[Expr] = []
    for loop, count in zip(loops, numbers, strict=True):
        own = _iterations(loop)
        told = own if names_in(own) <= params else count
        if told is None or not names_in(told) <= params:
            return None
        iterations.append(told)
    if any(names_in(side) - params for side in _sides(variable.type)):
        return None
    return product([*iterations, *_sides(variable.type), number(element_type(variable.type).size)])


def _sizes(region: Region) -> set[str]:
    """The parameters that the region does not write."""
    return {p.name for p in region.params} - set(region.written_scalars)


def _iterations(loop: For) -> Expr:
    """At least as many as the loop has, wherever it has any."""
    low, high = (loop.lower, loop.bound) if loop.step > 0 else (loop.bound, loop.lower)
    between = minus(_wide(high), _wide(low))
    return between if loop.relation in "<>" else plus(between, ONE)


def _sides(ctype: CType) -> list[Expr]:
    """The extents of an array."""
    found: list[Expr] = []
    while isinstance(ctype, ArrayType):
        assert ctype.extent is not None, "an array without an extent is in no model"
        found.append(_wide(ctype.extent))
        ctype = ctype.element
    return found


def _wide(value: Expr) -> Expr:
    """The value where no product of sizes overflows."""
    return value if value.type == LLONG else Cast(value, LLONG, value.span)
