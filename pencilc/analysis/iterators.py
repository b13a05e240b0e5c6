"""Which iterators of the source the rows of a schedule are."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from collections.abc import Sequence as Seq

import islpy as isl

from pencilc import islx
from pencilc.ir.queries import mentions_any
from pencilc.ir.schedule import Row
from pencilc.ir.scop import Scop, Statement
from pencilc.ir.source import (
    INT,
    LLONG,
    Assign,
    CType,
    Declare,
    For,
    Index,
    Name,
    Node,
    Scalar,
    Symbol,
    walk,
)

# The values that every integer type of C has but for `_Bool`: those of a signed char that are not below zero.
_SMALLEST_RANGE = 127


def iterator_of(scop: Scop, row: Row, statement: str) -> str | None:
    """The name of the iterator that `row` equals on `statement` up to a constant, if it does."""
    symbol = iterator_symbol(scop, row, statement)
    return symbol.name if symbol else None


def row_name(scop: Scop, row: Row, statements: Seq[str], taken: Collection[str]) -> str:
    """A name for the row that is not `taken`: the source's where it is an iterator there, else a new one.

    A name brings its type along: it is taken only where the iterator's type holds the row's values.
    """
    ctype = loop_type(scop, (row,))
    for statement in statements:
        symbol = iterator_symbol(scop, row, statement)
        if symbol is not None and symbol.type == ctype and symbol.name not in taken:
            return symbol.name
    of_source = {it.name for record in scop.statements for it in record.iterators}
    number = 0
    while f"t{number}" in taken or f"t{number}" in of_source:
        number += 1
    return f"t{number}"


def iterator_symbol(scop: Scop, row: Row, statement: str) -> Symbol | None:
    """The iterator that `row` equals on `statement` up to a constant, if it does."""
    function = islx.pw_affs_of(row.function).get(statement)
    factors = islx.coefficients(function) if function is not None else None
    if factors is None or sorted(factors) != [0] * (len(factors) - 1) + [1]:
        return None
    return scop.statement(statement).iterators[factors.index(1)]


def loop_type(scop: Scop, rows: Seq[Row]) -> CType:
    """The C type of a loop that goes through the values of all of `rows`.

    The source's where its iterators take just these values; `long long`, in which the schedule counts, where it cannot
    be told to hold them: the values of `-i`, `i - 1` or `n - 1` for an unsigned `i`, `2 i` for any.
    """
    found: set[CType] = set()
    for row in rows:
        for name, function in islx.pw_affs_of(row.function).items():
            found.update(_types_of_values(scop, scop.statement(name), function))
    if len(found) == 1:
        return found.pop()
    known = [each for each in found if isinstance(each, Scalar) and each.kind == "int"]
    return max(known, key=lambda each: (each.size, each.name)) if known and len(known) == len(found) else LLONG


def _types_of_values(scop: Scop, record: Statement, function: isl.PwAff) -> Iterator[CType]:
    """The types of which the value of a row of the statement needs one; none where any type holds it."""
    unit = islx.unit_row(function)
    if unit is not None:
        *factors, constant = unit
        position = next(k for k, factor in enumerate(factors) if factor)
        ctype = record.iterators[position].type
        is_same = factors[position] == 1 and constant == 0
        has_room = isinstance(ctype, Scalar) and ctype.kind == "int" and ctype.size >= INT.size
        yield ctype if is_same or has_room else LLONG
        return
    value = islx.constant_value(function)
    if value is None:
        yield LLONG
    elif not 0 <= value <= _SMALLEST_RANGE:
        yield INT


def moves_inside(scop: Scop, rows: Seq[Row], statement: str, index: Index) -> bool:
    """Whether an array element is another one in each iteration of a loop of the statement that is none of `rows`.

    Such a loop may stand in the body, where that is a whole construct; what it sets there changes elements too.
    """
    record = scop.statement(statement)
    inner = {it.name for it in record.iterators} if len(record.iterators) > len(rows) else set()
    inner -= {iterator_of(scop, row, statement) for row in rows}
    return mentions_any(index, *inner, *_set_in(record.body))


def _set_in(body: Node | None) -> set[str]:
    """The names of the iterators and locals that change while a construct is executed."""
    found: set[str] = set()
    for node in () if body is None else walk(body):
        if isinstance(node, For):
            found.add(node.iterator.name)
        elif isinstance(node, Declare):
            found.add(node.symbol.name)
        elif isinstance(node, Assign) and isinstance(node.target, Name):
            found.add(node.target.symbol.name)
    return found
