"""Reductions inside a construct that is one statement: they must start and end there."""

from __future__ import annotations

from pencilc.diagnostics.source import Span
from pencilc.ir.source import AddressOf, Expr, ReductionInit, ReductionUpdate, Stmt, walk
from pencilc.poly.accesses import place_of


class IncompleteReduction(Exception):
    """An update inside an opaque construct whose initialisation stands outside of it."""

    def __init__(self, symbol: str, spelling: str, span: Span) -> None:
        self.symbol = symbol
        self.span = span
        self.text = f"the reduction of `{spelling}` is updated under control flow that is not affine"
        super().__init__(self.text)


def variable_of(expr: Expr) -> tuple[str, str]:
    """Symbol name and spelling of the variable of a reduction builtin."""
    place = place_of(expr.operand if isinstance(expr, AddressOf) else expr)
    return (place.symbol.name, place.symbol.spelling) if place is not None else ("", "?")


def initialised_in(stmt: Stmt, symbol: str) -> bool:
    """Whether `stmt` holds a reduction initialisation of variable `symbol`."""
    return any(isinstance(n, ReductionInit) and variable_of(n.variable)[0] == symbol for n in walk(stmt))


def check_complete(stmt: Stmt) -> None:
    """Raise IncompleteReduction for the first update in `stmt` without an initialisation in `stmt`."""
    for node in walk(stmt):
        if isinstance(node, ReductionUpdate):
            symbol, spelling = variable_of(node.variable)
            if not initialised_in(stmt, symbol):
                raise IncompleteReduction(symbol, spelling, node.span)
