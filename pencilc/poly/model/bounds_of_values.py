"""Bounds of loops that are read where a variable says: the variable makes way for what it is.

    for (e…) { int a = adj[e];  for (h = off[a]; h < off[a + 1]; h++) … }      h = off[adj[e]]; h < off[adj[e] + 1]

A loop whose bounds are data is a row that several threads may have (`ragged.py`), if nothing that they read changes.
What the iteration keeps in a variable of its own is no change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pencilc.ir.queries import has_effects, is_given_elements, names_in
from pencilc.ir.rewrite import assigned_names, replaced
from pencilc.ir.source import (
    Block,
    Cast,
    Declare,
    Expr,
    For,
    If,
    Index,
    Name,
    Region,
    Stmt,
    walk,
)
from pencilc.poly.model.flat_terms import linear


def with_bounds_of_values(region: Region) -> Region:
    """`region` with such values in the bounds of its loops; the region itself where there are none."""
    body = _stmt(region.body, {}, assigned_names(region.body))
    assert isinstance(body, Block)
    return region if body is region.body else replace(region, body=body)


def _stmt(stmt: Stmt, known: Mapping[str, Expr], written: set[str]) -> Stmt:
    """A statement, `known` are the values of the variables around it."""
    match stmt:
        case Block():
            items, here = [], dict(known)
            for item in stmt.items:
                items.append(_stmt(item, here, written))
                if isinstance(item, Declare) and item.init is not None and _stays(item, item.init, written):
                    value, ctype = _with_values(item.init, here), item.symbol.type
                    here[item.symbol.name] = value if value.type == ctype else Cast(value, ctype, value.span, True)
            is_same = all(one is other for one, other in zip(items, stmt.items, strict=True))
            return stmt if is_same else replace(stmt, items=tuple(items))
        case For():
            lower, bound = (_with_values(each, known) for each in (stmt.lower, stmt.bound))
            body = _stmt(stmt.body, known, written)
            is_same = lower is stmt.lower and bound is stmt.bound and body is stmt.body
            return stmt if is_same else replace(stmt, lower=lower, bound=bound, body=body)
        case If():
            then = _stmt(stmt.then, known, written)
            otherwise = None if stmt.otherwise is None else _stmt(stmt.otherwise, known, written)
            if then is stmt.then and otherwise is stmt.otherwise:
                return stmt
            # The rows are those where the condition holds.
            return replace(stmt, condition=_replaced(stmt.condition, known), then=then, otherwise=otherwise)
    return stmt


def _stays(item: Declare, value: Expr, written: set[str]) -> bool:
    """Whether a variable is an element of an array, or a product (`y * w + x`), and nothing of that changes.

    A sum of counters and sizes is one of the model wherever it is named.
    """
    is_element = any(isinstance(node, Index) for node in walk(value))
    if item.symbol.name in written or has_effects(value) or not (is_element or linear(value, {}) is None):
        return False
    return not names_in(value) & written and not is_given_elements(value)


def _with_values(bound: Expr, known: Mapping[str, Expr]) -> Expr:
    """A bound that reads an array at such variables, with their values; others as they are."""
    if not known or not any(isinstance(node, Index) and names_in(node.index) & known.keys() for node in walk(bound)):
        return bound
    return _replaced(bound, known)


def _replaced(expr: Expr, known: Mapping[str, Expr]) -> Expr:
    made: Expr = replaced(expr, lambda node: known.get(node.symbol.name) if isinstance(node, Name) else None)
    return made
