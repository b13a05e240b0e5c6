"""Names of the user's that are those of entry points or kernels which the generated file defines.

    float sum(int n, …) {…}   int sum_workspace(int n) {…}       an error: `sum_workspace` asks for a workspace of `sum`
    static float sum_row0(float x) {…}                           gets another name in the generated file

Prototypes are no clash: host code declares an entry point in order to call it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.frontend.context import FileContext
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.ir.rewrite import fresh_name
from pencilc.ir.source import Region, TranslationUnit

ENTRIES = ("_device", "_device_in", "_workspace")
_KERNEL = re.compile(r"_(?:all|row|column|indirect|parallel|single|stitched|composed|packed)\d+|_sequential")


def is_generated(name: str, regions: tuple[Region, ...]) -> bool:
    """Whether the generated file may define something called `name` for one of the regions.

    A region may call a function that has a region itself, whose name the entry point keeps.
    """
    return any(name == region.name or _is_entry(name, region) or _is_kernel(name, region) for region in regions)


def check_entry_names(context: FileContext, unit: TranslationUnit) -> None:
    """Report what is defined under the name of an entry point or a kernel and does not get another name."""
    compiled = {region.name for region in unit.regions}
    for name, node, is_function in _defined(context):
        for region in unit.regions:
            if _is_entry(name, region):
                is_own = is_function and "static" in node.decl.storage
                if not is_own:
                    _refuse(context, name, node, region, "an entry point")
            elif region.outlined and name == region.name:
                _refuse(context, name, node, region, "the region")
            elif _is_kernel(name, region) and (not is_function or name in compiled):
                _refuse(context, name, node, region, "a kernel")


def _is_entry(name: str, region: Region) -> bool:
    return name.startswith(region.name) and name[len(region.name) :] in ENTRIES


def _is_kernel(name: str, region: Region) -> bool:
    return name.startswith(region.name) and _KERNEL.fullmatch(name, len(region.name)) is not None


def _defined(context: FileContext) -> Iterator[tuple[str, Any, bool]]:
    """What the file defines at its outermost level: the name, the node, and whether it is a function."""
    for name, node in context.definitions.items():
        yield name, node, True
    for node in context.syntax.tree.ext:
        kind = type(node).__name__
        if kind not in ("Decl", "Typedef"):
            continue
        if node.name and type(node.type).__name__ != "FuncDecl":
            yield node.name, node, False
        for each in nodes_below(node.type):
            is_type = type(each).__name__ == "Struct" and each.name and each.decls is not None
            if is_type or type(each).__name__ == "Enumerator":
                yield each.name, each, False


def _refuse(context: FileContext, name: str, node: Any, region: Region, what: str) -> None:
    where = getattr(node, "decl", node)
    new = fresh_name(f"own_{name}", set(context.identifiers))
    edits = fixes.renamed_everywhere(context.file_of(context.span(where)), name, new)
    remedy = fixes.fix(f"rename `{name}`, for example to `{new}`", edits)
    context.error(
        "PC0015",
        f"`{name}` is the name that {what} of `{region.function}` has in the generated file",
        where,
        secondary=((region.span, f"`{region.function}` is compiled"),),
        helps=() if remedy is not None else (f"rename `{name}`",),
        remedies=(remedy,),
    )
