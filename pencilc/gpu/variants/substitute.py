"""The items of a region with the kernels of an alternative in the place of those whose work they do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pencilc.gpu.records import Alternative
from pencilc.gpu.variants.join import with_functions
from pencilc.ir.mapping import HostItem, HostLoop
from pencilc.ir.shapes import Kernel


def with_alternative(items: tuple[HostItem, ...], alternative: Alternative) -> tuple[HostItem, ...]:
    """The items before fusion, the kernels of the alternative among them."""
    return tuple(new for item in items for new in _with_kernels(item, alternative))


def _with_kernels(item: HostItem, alternative: Alternative) -> tuple[HostItem, ...]:
    if isinstance(item, HostLoop):
        loop = with_statements(item, alternative.sweep.names)
        return (replace(loop, items=with_alternative(item.items, alternative)),)
    if isinstance(item, Kernel):
        kernel = alternative.instead.get(item.number, item)
        return () if kernel is None else (kernel,)
    return (item,)


def with_statements(loop: HostLoop, names: Mapping[str, str]) -> HostLoop:
    """The loop, whose row and those of loops inside are functions of new statements too: {old name: new name}."""
    inner = tuple(with_statements(item, names) if isinstance(item, HostLoop) else item for item in loop.items)
    return replace(loop, row=with_functions(loop.row, loop.row, names), items=inner)
