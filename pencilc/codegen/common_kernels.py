"""Kernels that do the same for two regions: they stand once, and both entry points launch them.

    softmax(...):       softmax_stitched0<256, 4>, ...
    softmax_loops(...): the same functions, which would differ in the names of their variables alone

Two kernels are one if their functions are equal but for their own names, those of what they declare, and the lines that
they come from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass, replace
from functools import cache
from itertools import groupby
from typing import Any, TypeVar

from pencilc.diagnostics.source import Span
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.host import Entry
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launches import KernelLaunch
from pencilc.ir.nodes import Parameter, SharedDecl
from pencilc.ir.on_chip import Local, Run, StageOfRow
from pencilc.ir.segments import LoadVector
from pencilc.ir.source import Declare, Symbol
from pencilc.records import field_names

_RECORD = TypeVar("_RECORD")

# What two equal kernels may differ in: where they come from, and what is for launches.
_APART: dict[type, frozenset[str]] = {
    KernelFunction: frozenset(
        {"comment", "arguments", "counts", "runs", "kernel", "also", "also_from", "helpers", "extra"}
    ),
    StageOfRow: frozenset({"comment"}),
    Symbol: frozenset({"spelling", "span"}),
}
# Where a tree declares variables; what else it names means the same everywhere.
_DECLARES: dict[type, tuple[str, ...]] = {
    Parameter: ("name",),
    Local: ("name",),
    Run: ("name", "wide"),
    SharedDecl: ("name",),
    LoadVector: ("register", "run", "wide", "registers", "tail"),
}


def with_common_kernels(
    kernels: Sequence[KernelFunction], ends: Sequence[int], entries: Sequence[Entry]
) -> tuple[tuple[KernelFunction, ...], tuple[Entry, ...]]:
    """The kernels, each once, and the entry points, which launch them; the kernels of each end at one of `ends`.

    Two kernels of one entry point stay apart: it tells by their names which of them ran.
    """
    if len(entries) < 2:
        return tuple(kernels), tuple(entries)
    kept: list[_Kernel] = []
    known: dict[object, _Kernel] = {}
    launching: list[Entry] = []
    for first, end, entry in zip((0, *ends), ends, entries, strict=False):
        others = known.copy()
        names: dict[str, str] = {}
        for name, functions in groupby(kernels[first:end], key=lambda function: function.kernel):
            # A packed kernel calls those of its parts, which stand in front of it.
            kernel = _Kernel(name, tuple(_renamed(function, names) for function in functions))
            content = kernel.content()
            same = others.pop(content, None)
            if same is None:
                kept.append(kernel)
                known.setdefault(content, kernel)
            else:
                names |= same.take(kernel)
        launching.append(_renamed(entry, names))
    return tuple(function for kernel in kept for function in kernel.functions), tuple(launching)


class _Kernel:
    """A kernel of the mapping with its functions, in the order in which they stand."""

    def __init__(self, name: str, functions: tuple[KernelFunction, ...]) -> None:
        self.name, self.functions = name, functions

    def content(self) -> object:
        """What has to be equal for two to be one."""
        own = {self.name: 0, **{function.name: number for number, function in enumerate(self.functions, 1)}}
        return tuple(_Content(own, function).of_function() for function in self.functions)

    def take(self, other: _Kernel) -> dict[str, str]:
        """Work for `other` too: for each of its names the one that stands for it."""
        pairs = list(zip(self.functions, other.functions, strict=True))
        taken: list[KernelFunction] = []
        for mine, its in pairs:
            places: dict[tuple[Span, Span], None] = {}
            _collect_places(mine, its, places)
            also, also_from = (*mine.also, other.name), (*mine.also_from, *places)
            taken.append(replace(mine, also=also, also_from=also_from, comment=(*mine.comment, *its.comment)))
        self.functions = tuple(taken)
        return {other.name: self.name, **{its.name: mine.name for mine, its in pairs}}


def _collect_places(mine: Any, its: Any, found: dict[tuple[Span, Span], None]) -> None:
    """Adds where the parts of one of two equal trees come from in the source, with where those of the other do."""
    kind: type = type(mine)
    if kind is Span:
        found[mine, its] = None
    elif kind is tuple:
        for one, other in zip(mine, its, strict=True):
            _collect_places(one, other, found)
    else:
        for name in _placed_fields_of(kind):
            _collect_places(getattr(mine, name), getattr(its, name), found)


class _Content:
    """A function as nested tuples in which the names of its variables, and `own` ones, are numbers."""

    def __init__(self, own: Mapping[str, int], function: KernelFunction) -> None:
        self._function = function
        self._own = own
        self._declared: set[str] = set()
        _collect_declared(function, self._declared)
        self._numbers: dict[str, int] = {}

    def of_function(self) -> object:
        """All that the text of the function follows from; what it brings for accumulators, these tell."""
        brought = (each for each in self._function.helpers if not isinstance(each.arguments[0], Accumulator))
        return self._of((self._function, tuple(parameter for parameter, _ in self._function.extra), tuple(brought)))

    def _of(self, value: Any) -> object:
        kind: type = type(value)
        if kind is str:
            if value in self._declared:
                return "variable", self._numbers.setdefault(value, len(self._numbers))
            return ("own", self._own[value]) if value in self._own else value
        if kind is tuple:
            return tuple(map(self._of, value))
        if _is_compared_whole(kind):
            return kind, value
        return kind, tuple([self._of(getattr(value, name)) for name in _fields_of(kind)])


@cache
def _is_compared_whole(kind: type) -> bool:
    return kind is Accumulator or not is_dataclass(kind)


def _collect_declared(value: Any, found: set[str]) -> None:
    """Adds the variables that a tree declares to `found`."""
    kind: type = type(value)
    if kind is tuple:
        for item in value:
            _collect_declared(item, found)
        return
    for name in _DECLARES.get(kind, ()):
        found.add(getattr(value, name))
    if kind is Declare:
        found.add(value.symbol.name)
    for name in _fields_of(kind):
        _collect_declared(getattr(value, name), found)


def _renamed(record: _RECORD, names: Mapping[str, str]) -> _RECORD:
    """A record with kernels and functions by other names; a launch keeps the one of the mapping."""
    return _with_names(record, names) if names else record


def _with_names(value: Any, names: Mapping[str, str]) -> Any:
    kind: type = type(value)
    if kind is str:
        return names.get(value, value)
    if kind is tuple:
        items = tuple([_with_names(item, names) for item in value])
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    changed = {}
    for name in _fields_of(kind):
        old = getattr(value, name)
        new = _with_names(old, names)
        if new is not old:
            changed[name] = new
    if "name" in changed and isinstance(value, KernelLaunch):
        changed["kernel"] = value.name
    return replace(value, **changed) if changed else value


@cache
def _fields_of(kind: Any) -> tuple[str, ...]:
    """The fields of a record that count; of anything else none."""
    if issubclass(kind, Span):
        return ()
    apart = _APART.get(kind, frozenset())
    return tuple(name for name in field_names(kind) if name not in apart and name != "span")


@cache
def _placed_fields_of(kind: Any) -> tuple[str, ...]:
    """The fields of a record that count, behind the one that tells where it comes from."""
    spans = [name for name in field_names(kind) if name == "span" and "span" not in _APART.get(kind, ())]
    return (*spans, *_fields_of(kind))
