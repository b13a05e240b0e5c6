"""Which helpers the CUDA file defines for the host as well, so that other files can call them."""

from __future__ import annotations

from dataclasses import replace

from pencilc.ir.source import (
    SMALL_FLOATS,
    ArrayType,
    Call,
    Function,
    Name,
    ReductionInit,
    ReductionUpdate,
    Struct,
    TranslationUnit,
    element_type,
    walk,
)


def with_exports(unit: TranslationUnit) -> TranslationUnit:
    """`unit` with the helpers of external linkage marked that the host can run as they stand in the CUDA file.

    A table lies in the memory of the device, and the 16-bit floats are passed in other ways than in C: a helper with
    one of them stays in the host file, as it was written.
    """
    entries = {region.function for region in unit.regions if not region.outlined}
    summaries = {summary for _, summary in unit.summaries}
    functions = {function.name: function for function in unit.functions}
    marked = tuple(
        replace(f, is_exported=True)
        if not f.is_static and f.name not in entries | summaries and _runs_on_host(f, functions)
        else f
        for f in unit.functions
    )
    return replace(unit, functions=marked)


def _runs_on_host(function: Function, functions: dict[str, Function]) -> bool:
    types = [function.returns, *(p.type for p in function.params)]
    if any(element_type(ctype) in SMALL_FLOATS for ctype in types):
        return False
    found: set[str] = set()
    pending = [function.name]
    while pending:
        name = pending.pop()
        if name in found or name not in functions:
            continue
        found.add(name)
        for node in walk(functions[name].body):
            if isinstance(node, Name) and node.symbol.kind == "global" and isinstance(node.type, ArrayType | Struct):
                return False
            if isinstance(node, Call | ReductionInit):
                pending.append(node.function)
            elif isinstance(node, ReductionUpdate):
                pending.append(node.operator)
    return True
