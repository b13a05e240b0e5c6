"""Bounds of ragged rows: what memory has of them is loaded while the row before is worked on.

    for (row) {                                  first = start[0], end = start[1];
        first = start[row], end = start[row + 1];      ->      for (row) {
        for (j = first; j < end; j++) ...                          load start[row + 1], start[row + 2];
    }                                                          for (j = first; j < end; j++) ...
                                                           }

Without that the loads of a row's elements wait for those of its bounds, each for as long as memory takes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pencilc.codegen.forms import ReductionParts
from pencilc.ir.combining import RowBound
from pencilc.ir.nodes import Node, variables_of
from pencilc.ir.source import Declare, Expr, Index, Scalar, walk


def bounds_apart(
    parts: ReductionParts, kept: Iterable[str], written: Iterable[str]
) -> tuple[tuple[RowBound, ...], ReductionParts]:
    """What a row declares that memory has for it before anything is done, and the parts without that.

    `kept`: the iterators that tell rows apart.  `written`: the variables that the kernel writes, in the names of the
    output; their values, and what follows from others that the row declares, are there no earlier than where they are.
    """
    of_row = [node for node in (*parts.prologue, *parts.body) if isinstance(node, Declare)]
    late = {*written, *(node.symbol.name for node in of_row)}
    apart = {
        node.symbol.name: RowBound(node.symbol.name, node.symbol.type, node.init, node.symbol.is_const)
        for node in of_row
        if node.init is not None and isinstance(node.symbol.type, Scalar) and _is_of_row(node.init, kept, late)
    }
    prologue, body = (_without(apart, nodes) for nodes in (parts.prologue, parts.body))
    return tuple(apart.values()), replace(parts, prologue=prologue, body=body)


def _is_of_row(value: Expr, kept: Iterable[str], late: AbstractSet[str]) -> bool:
    """Whether memory has a value for each row, and none of it is known `late`."""
    names = variables_of(value)
    loads = any(isinstance(each, Index) for each in walk(value))
    return loads and late.isdisjoint(names) and not names.isdisjoint(kept)


def _without(apart: Collection[str], nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    return tuple(node for node in nodes if not (isinstance(node, Declare) and node.symbol.name in apart))
