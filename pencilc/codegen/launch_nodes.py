"""What the launches of several shapes have in common: numbers of blocks, rows and chunks, and the launch itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from pencilc.codegen.bodies import set_to
from pencilc.codegen.cexpr import type_text
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir.build import (
    COUNTING,
    SIZE,
    STREAM,
    UNSIGNED,
    ZERO,
    binary,
    call,
    choice,
    conjunction,
    declare,
    generated_type,
    member,
    number,
    variable,
)
from pencilc.ir.launching import Configure, HostValues, NamedValue, Remark, ReserveLeft, StartedFunction, StartKernel
from pencilc.ir.nodes import If, Node
from pencilc.ir.source import BOOL, INT, LLONG, Binary, CType, Expr, IntLiteral, Name
from pencilc.target import THREADS_PER_SM

MULTIPROCESSORS = variable("@multiprocessors", INT)
ROWS, LENGTH, CHUNKS = (variable(name, LLONG) for name in ("@rows", "@length", "@chunks"))
HELD = variable("@held", LLONG)  # blocks that a multiprocessor holds at once
BLOCKS, SPLITS = variable("@blocks", UNSIGNED), variable("@splits", UNSIGNED)
TRUE, FALSE = variable("true", BOOL), variable("false", BOOL)


def wide(value: int) -> IntLiteral:
    """A number in 64 bits."""
    return IntLiteral(value, LLONG, UNKNOWN_SPAN)


def per_sm(count: int) -> Expr:
    """So many for each multiprocessor."""
    return binary("*", wide(count), MULTIPROCESSORS)


def held_per_sm(count: int, block: int) -> Expr:
    """So many blocks of as many threads for each multiprocessor, no more than it holds at once."""
    few = HELD if count * block >= THREADS_PER_SM else choice(below(HELD, count), HELD, number(count))
    return binary("*", few, MULTIPROCESSORS)


def blocks_for(count: Expr, share: Expr | int, most: Expr | int) -> Expr:
    """How many blocks `count` things need, `share` for each: one at least, `most` at most."""
    return call("pencilc_blocks", count, as_number(share), as_number(most), returns=UNSIGNED)


def split_among(work: Expr, once: Expr | int, some: Expr, share: Expr | int, most: Expr) -> Expr:
    """How many blocks share so much work: `some` at most while a block has only `once` of it, one for each of its
    threads; `most` at most, each of which has `share`.
    """
    return call("pencilc_split", work, as_number(once), some, as_number(share), most, returns=UNSIGNED)


def as_number(value: Expr | int) -> Expr:
    """`value` as an expression."""
    return number(value) if isinstance(value, int) else value


def quotient(count: Expr, share: int) -> Expr:
    """`count / share`, rounded up."""
    if share == 1:
        return count
    return binary("/", binary("+", count, number(share - 1)), number(share))


def scaled(*factors: Expr | int) -> Expr:
    """The product of factors from the left, as they are; ones change nothing."""
    several = [as_number(each) for each in factors if each != 1]
    found = several[0] if several else number(1)
    for factor in several[1:]:
        found = binary("*", found, factor)
    return found


def both(*conditions: Expr | None) -> Expr:
    """All conditions that there are, joined by `&&`."""
    found = conjunction(part for each in conditions if each is not None for part in _conjuncts(each))
    assert found is not None
    return found


def _conjuncts(condition: Expr) -> Iterator[Expr]:
    if isinstance(condition, Binary) and condition.op == "&&":
        yield from _conjuncts(condition.left)
        yield from _conjuncts(condition.right)
    else:
        yield condition


def at_most(value: Expr, bound: Expr | int) -> Expr:
    """`value <= bound`."""
    return binary("<=", value, as_number(bound))


def at_least(value: Expr, bound: Expr | int) -> Expr:
    """`value >= bound`."""
    return binary(">=", value, as_number(bound))


def below(value: Expr, bound: Expr | int) -> Expr:
    """`value < bound`."""
    return binary("<", value, as_number(bound))


def above(value: Expr, bound: Expr | int) -> Expr:
    """`value > bound`."""
    return binary(">", value, as_number(bound))


def values(ctype: CType, *named: tuple[Name, Expr], remark: str = "", varies: bool = False) -> HostValues:
    """`const ctype name = value, …;`."""
    pairs = tuple(NamedValue(name.symbol.name, value) for name, value in named)
    return HostValues(ctype, pairs, remark, varies)


def remarks(*lines: str) -> tuple[Node, ...]:
    """Lines for the reader."""
    return tuple(map(Remark, lines))


def fits(name: str) -> Name:
    """Whether the fused kernel of this name does all of the work."""
    return variable(f"@{name}_fits", BOOL)


def flag(name: str, is_declared: bool) -> tuple[Node, ...]:
    """The declaration of what tells whether the kernel of this name fits, unless it stands ahead."""
    return () if is_declared else (declare(fits(name).symbol.name, BOOL, FALSE),)


def dim3(*sides: Expr | int) -> Expr:
    """So many threads or blocks in each direction."""
    return call("dim3", *map(as_number, sides))


def once(function: StartedFunction, grid: Expr, block: Expr) -> tuple[Node, ...]:
    """A launch of as many blocks as `grid` has."""
    return Configure(grid, block), StartKernel(function)


def persistent(function: StartedFunction, blocks: Expr) -> tuple[Node, ...]:
    """A launch whose blocks go through all of the work, however many there are."""
    return configured(function, blocks), StartKernel(function, is_resident=True)


def configured(function: StartedFunction, *grid: Expr) -> Configure:
    """What such a launch is started with."""
    return Configure(dim3(*grid), dim3(function.block), is_adapted=True)


def left(ctype: CType, when: Expr, results: Sequence[Expr | int], tickets: Expr) -> ReserveLeft:
    """Memory for so many `results` that blocks leave for each other where they share any, and for `tickets`."""
    return ReserveLeft(
        ctype, scaled(size_of(ctype), *results), scaled(size_of(UNSIGNED), tickets), when
    )  # fmt: skip


def size_of(ctype: CType) -> Expr:
    """`sizeof(ctype)`."""
    return call("sizeof", variable(type_text(ctype), ctype), returns=SIZE)


def where(condition: Expr, value: Expr) -> Expr:
    """`value` under a condition, else none."""
    return choice(condition, value, ZERO)


def total(parts: Iterable[Expr]) -> Expr:
    """The sum of some numbers."""
    return reduce(lambda one, other: binary("+", one, other), parts)


def unless_counted(asked: tuple[Node, ...]) -> Node:
    """What the host waits for; where it only counts how much memory there is, it notes that it would."""
    counts = binary("==", variable("@stream", STREAM), COUNTING)
    waits = member(variable("@call", generated_type("pencilc_call")), "waits", BOOL)
    return If(counts, (assigned(waits, TRUE),), asked)


def by_count(count: Expr, starts: Sequence[tuple[int, StartKernel]]) -> tuple[Node, ...]:
    """What is started for the first number that `count` does not exceed; the last one for all others."""
    (_, last), *before = reversed(starts)
    found: tuple[Node, ...] = (last,)
    for most, start in before:
        found = (If(at_most(count, most), (start,), found),)
    return found


def assigned(target: Expr, value: Expr, compound: str = "") -> Node:
    """`target = value;`."""
    return set_to(target, value, compound)
