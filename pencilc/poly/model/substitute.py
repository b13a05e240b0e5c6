"""Replacing names by expressions in a typed expression."""

from __future__ import annotations

from collections.abc import Mapping

from pencilc.ir.rewrite import replaced
from pencilc.ir.source import Expr, Name


def substitute(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """`expr` with every `Name` whose symbol name is a key of `values` replaced by its value."""
    new: Expr = replaced(expr, lambda node: values.get(node.symbol.name) if isinstance(node, Name) else None)
    return new
