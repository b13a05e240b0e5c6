"""Replacing names by expressions in a typed expression."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from pencilc.ir.source import Expr, Name


def substitute(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """`expr` with every `Name` whose symbol name is a key of `values` replaced by its value."""
    if isinstance(expr, Name):
        return values.get(expr.symbol.name, expr)
    changes: dict[str, Any] = {}
    for field in fields(expr):
        value = getattr(expr, field.name)
        if field.name in ("type", "span"):
            continue
        if hasattr(value, "span"):
            changes[field.name] = substitute(value, values)
        elif isinstance(value, tuple):
            changes[field.name] = tuple(substitute(v, values) if hasattr(v, "span") else v for v in value)
    return replace(expr, **changes) if changes else expr
