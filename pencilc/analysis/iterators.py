"""Which iterators of the source the rows of a schedule are."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Sequence as Seq

from pencilc import islx
from pencilc.ir.queries import mentions_any
from pencilc.ir.schedule import Row
from pencilc.ir.scop import Scop
from pencilc.ir.source import Index, Symbol


def iterator_of(scop: Scop, row: Row, statement: str) -> str | None:
    """The name of the iterator that `row` equals on `statement` up to a constant, if it does."""
    symbol = iterator_symbol(scop, row, statement)
    return symbol.name if symbol else None


def row_name(scop: Scop, row: Row, statements: Seq[str], taken: Collection[str]) -> str:
    """A name for the row that is not `taken`: the source's where it is an iterator there, else a new one."""
    for statement in statements:
        name = iterator_of(scop, row, statement)
        if name and name not in taken:
            return name
    number = 0
    while f"t{number}" in taken:
        number += 1
    return f"t{number}"


def iterator_symbol(scop: Scop, row: Row, statement: str) -> Symbol | None:
    """The iterator that `row` equals on `statement` up to a constant, if it does."""
    function = islx.pw_affs_of(row.function).get(statement)
    factors = islx.coefficients(function) if function is not None else None
    if factors is None or sorted(factors) != [0] * (len(factors) - 1) + [1]:
        return None
    return scop.statement(statement).iterators[factors.index(1)]


def moves_inside(scop: Scop, rows: Seq[Row], statement: str, index: Index) -> bool:
    """Whether an array element is another one in each iteration of a loop of the statement that is none of `rows`."""
    iterators = scop.statement(statement).iterators
    if len(iterators) <= len(rows):
        return False
    inner = {it.name for it in iterators} - {iterator_of(scop, row, statement) for row in rows}
    return mentions_any(index, *inner)
