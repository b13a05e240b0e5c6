"""Reductions inside a construct that is one statement: they must start and end there."""

from __future__ import annotations

from pencilc.diagnostics.source import Span
from pencilc.ir.queries import names_in
from pencilc.ir.source import (
    AddressOf,
    Assign,
    Block,
    Expr,
    If,
    Jump,
    ReductionInit,
    ReductionUpdate,
    Stmt,
    walk,
)
from pencilc.ir.source_printer import print_expr
from pencilc.poly.model.accesses import Lvalue, lvalue_of


class IncompleteReduction(Exception):
    """An update inside an opaque construct whose initialisation stands outside of it."""

    def __init__(self, symbol: str, spelling: str, span: Span) -> None:
        self.symbol = symbol
        self.span = span
        self.text = f"the reduction of `{spelling}` is updated under a loop or condition on data"
        super().__init__(self.text)


def variable_of(expr: Expr) -> tuple[str, str]:
    """Symbol name and spelling of the variable of a reduction builtin."""
    lvalue = lvalue_of(expr.operand if isinstance(expr, AddressOf) else expr)
    return (lvalue.symbol.name, lvalue.symbol.spelling) if lvalue is not None else ("", "?")


def initialised_in(stmt: Stmt, symbol: str) -> bool:
    """Whether `stmt` holds a reduction initialisation of variable `symbol`."""
    return any(isinstance(n, ReductionInit) and variable_of(n.variable)[0] == symbol for n in walk(stmt))


def key_of(lvalue: Lvalue) -> str:
    """The text of an lvalue: equal texts name one element as long as nothing in them changes."""
    subscripts = "".join(f"[{print_expr(e)}]" for e in lvalue.subscripts)
    return ".".join((lvalue.symbol.name + subscripts, *lvalue.path))


def certainly_written(stmt: Stmt, changing: set[str]) -> frozenset[str]:
    """Keys of the lvalues that `stmt` writes whatever its conditions say; `changing` names may not stand in them.

    Example: `if (c) b[i] = 1; else b[i] = 2;` certainly writes `b[i]`.
    """
    match stmt:
        case Block():
            found: frozenset[str] = frozenset()
            for item in stmt.items:
                found |= certainly_written(item, changing)
                if any(isinstance(n, Jump) for n in walk(item)):
                    break  # what follows may not be executed
            return found
        case If() if stmt.otherwise is not None:
            return certainly_written(stmt.then, changing) & certainly_written(stmt.otherwise, changing)
        case Assign():
            lvalue = lvalue_of(stmt.target)
            if lvalue is not None and changing.isdisjoint(names_in(*lvalue.subscripts)):
                return frozenset((key_of(lvalue),))
    return frozenset()


def check_complete(stmt: Stmt) -> None:
    """Raise IncompleteReduction for the first update in `stmt` without an initialisation in `stmt`."""
    for node in walk(stmt):
        if isinstance(node, ReductionUpdate):
            symbol, spelling = variable_of(node.variable)
            if not initialised_in(stmt, symbol):
                raise IncompleteReduction(symbol, spelling, node.span)
