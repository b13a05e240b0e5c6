"""Functions whose names the headers of a generated file, its entry points or its kernels have get other ones.

Before: `float gamma(float x) {…}  … b[i] = gamma(a[i]);`
After:  `float gamma_1(float x) {…}  … b[i] = gamma_1(a[i]);`
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from pencilc.frontend.regions.entry_names import is_generated
from pencilc.ir.header_names import HEADER_NAMES
from pencilc.ir.rewrite import fresh_name
from pencilc.ir.source import Call, ReductionInit, ReductionUpdate, TranslationUnit


def with_free_names(unit: TranslationUnit, identifiers: frozenset[str]) -> TranslationUnit:
    """`unit` with every function under a name that a generated file may define."""
    taken = {*HEADER_NAMES, *identifiers}
    names: dict[str, str] = {}
    for function in unit.functions:
        if function.name in HEADER_NAMES or is_generated(function.name, unit.regions):
            names[function.name] = fresh_name(function.name, taken)
    if not names:
        return unit
    functions = tuple(
        replace(f, name=names.get(f.name, f.name), link_name=f.name, body=_renamed(f.body, names))
        for f in unit.functions
    )
    regions = tuple(replace(r, body=_renamed(r.body, names)) for r in unit.regions)
    summaries = tuple((names.get(a, a), names.get(b, b)) for a, b in unit.summaries)
    return replace(unit, functions=functions, regions=regions, summaries=summaries)


def _renamed(node: Any, names: Mapping[str, str]) -> Any:
    changes: dict[str, Any] = {}
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(node, Call | ReductionInit) and field.name == "function":
            changes["function"] = names.get(node.function, node.function)
        elif isinstance(node, ReductionUpdate) and field.name == "operator":
            changes["operator"] = names.get(node.operator, node.operator)
        elif isinstance(value, tuple):
            changes[field.name] = tuple(_renamed(v, names) if _is_node(v) else v for v in value)
        elif _is_node(value) and field.name not in ("type", "span", "symbol", "iterator"):
            changes[field.name] = _renamed(value, names)
    return replace(node, **changes) if changes else node


def _is_node(value: object) -> bool:
    return hasattr(value, "span")
