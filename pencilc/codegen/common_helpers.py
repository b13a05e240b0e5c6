"""Device functions that kernels of a file have in common: each stands once, with the first kernel that brings it.

What two kernels combine may differ in its name alone: maxima of rows of two regions, or of two functions of one kernel.
Then the second kernel calls what the first one has brought.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

from pencilc.diagnostics.source import Span
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.bins import BinSet, BroughtBins
from pencilc.ir.host import Entry
from pencilc.ir.kernel import HelperCall, KernelFunction
from pencilc.ir.launches import LaunchStitched
from pencilc.ir.on_chip import ExchangeParts
from pencilc.ir.source import Call, CType
from pencilc.records import dataclass, field_names

_RECORD = TypeVar("_RECORD")


@dataclass(frozen=True, slots=True)
class _Brought:
    """An accumulator with its functions: for each macro that prints them what it is given besides."""

    accumulator: Accumulator
    functions: dict[str, tuple[object, ...]]

    @property
    def content(self) -> Accumulator:
        """What has to be equal for two to be one: all but the names that follow from the kernel."""
        found = self.accumulator
        if found.is_struct:
            return replace(found, name="", type=found.members[0].type, carried=found.members[0].type)
        # The only value has no name in the text, and where it begins with a known one, nothing asks how.
        (member,) = found.members
        init = member.init_function if member.identity is None else ""
        return replace(found, name="", members=(replace(member, name="", init_function=init),))

    def agrees(self, other: _Brought) -> bool:
        """Whether both may have one set of functions."""
        is_same = self.content == other.content and self.accumulator.is_cascade == other.accumulator.is_cascade
        return is_same and all(self.functions.get(macro, given) == given for macro, given in other.functions.items())


def with_common_helpers(
    kernels: Sequence[KernelFunction], entries: Sequence[Entry]
) -> tuple[tuple[KernelFunction, ...], tuple[Entry, ...]]:
    """The same kernels and entry points, without functions that stand already under another name."""
    firsts: list[_Brought] = []
    accumulators: dict[str, Accumulator] = {}
    types: dict[CType, CType] = {}
    for brought in _brought(kernels):
        first = next((each for each in firsts if each.agrees(brought)), None)
        if first is None:
            firsts.append(brought)
            continue
        first.functions.update(brought.functions)
        old, new = brought.accumulator, first.accumulator
        accumulators[old.name] = new
        if old.is_struct:
            types |= {old.type: new.type, old.carried: new.carried}
    if not accumulators:
        return tuple(kernels), tuple(entries)
    renaming = _Renaming(accumulators, types, {}, {})
    renamed = [renaming.record(kernel) for kernel in kernels]
    return tuple(_without_repeated(renamed)), tuple(map(renaming.record, entries))


def with_common_bins(
    kernels: Sequence[KernelFunction], entries: Sequence[Entry]
) -> tuple[tuple[KernelFunction, ...], tuple[Entry, ...]]:
    """The same kernels and entry points, where bins on which the same is done have one set of functions."""
    firsts: dict[object, str] = {}
    stems: dict[str, str] = {}
    kept: list[KernelFunction] = []
    for function in kernels:
        own: list[HelperCall] = []
        for helper in function.helpers:
            brought = helper.arguments[0]
            if isinstance(brought, BroughtBins):
                others = tuple(b for b in brought.bins if firsts.setdefault(_content(b, brought), b.stem) == b.stem)
                stems |= {b.stem: firsts[_content(b, brought)] for b in brought.bins if b not in others}
                if not others:
                    continue
                helper = replace(helper, arguments=(replace(brought, bins=others), *helper.arguments[1:]))
            own.append(helper)
        kept.append(replace(function, helpers=tuple(own)))
    if not stems:
        return tuple(kernels), tuple(entries)
    renaming = _Renaming({}, {}, {}, stems)
    return tuple(map(renaming.record, kept)), tuple(map(renaming.record, entries))


def _content(bins: BinSet, brought: BroughtBins) -> object:
    """What has to be equal for the functions of two bins to be one: nothing that only a sort asks for."""
    return (
        bins.type, bins.size, bins.operator, bins.identity or bins.init_function, bins.atomic, bins.word, bins.put,
        bins.filled, brought.chunks,
    )  # fmt: skip


def with_common_parts(
    kernels: Sequence[KernelFunction], entries: Sequence[Entry]
) -> tuple[tuple[KernelFunction, ...], tuple[Entry, ...]]:
    """The same kernels and entry points, where rows that exchange values of the same types do it in memory of one type.

    What the rows of a whole grid exchange keeps its name, from which those of other functions follow.  Kernels that do
    the same have become one before: they are told by the names of their own.
    """
    firsts: dict[object, str] = {}
    names: dict[str, str] = {}
    kept: list[KernelFunction] = []
    for function in kernels:
        of_grid = any(helper.macro == "partial" for helper in function.helpers)
        own: list[HelperCall] = []
        for helper in function.helpers:
            parts = helper.arguments[0]
            if helper.macro == "parts" and isinstance(parts, ExchangeParts) and not of_grid:
                content = tuple((found.type, part) for found, part in parts.members), parts.places
                first = firsts.setdefault(content, parts.name)
                if first != parts.name:
                    names[parts.name] = first
                    continue
            own.append(helper)
        kept.append(replace(function, helpers=tuple(own)))
    if not names:
        return tuple(kernels), tuple(entries)
    renaming = _Renaming({}, {}, names, {})
    return tuple(map(renaming.record, kept)), tuple(map(renaming.record, entries))


def _brought(kernels: Iterable[KernelFunction]) -> list[_Brought]:
    """What each kernel combines, in the order in which the file has it."""
    found: dict[str, _Brought] = {}
    for helper in (helper for function in kernels for helper in function.helpers):
        first, *more = helper.arguments
        if isinstance(first, Accumulator):
            of_name = found.setdefault(first.name, _Brought(first, {}))
            # A warp's functions are made for a number of threads where they need memory for each of them alone.
            needs_none = helper.macro == "warp" and not first.by_memory
            of_name.functions[helper.macro] = () if needs_none else tuple(more)
    return list(found.values())


def _without_repeated(kernels: Sequence[KernelFunction]) -> Iterator[KernelFunction]:
    """The kernels, each with the functions that none before it has brought."""
    seen: set[tuple[str, str]] = set()
    for function in kernels:
        own: list[HelperCall] = []
        for helper in function.helpers:
            first = helper.arguments[0]
            if isinstance(first, Accumulator):
                if (helper.macro, first.name) in seen:
                    continue
                seen.add((helper.macro, first.name))
            own.append(helper)
        yield replace(function, helpers=tuple(own))


class _Renaming:
    """Puts accumulators, exchanges and functions of bins, by name, and types in the place of others in a tree."""

    def __init__(
        self, accumulators: Mapping[str, Accumulator], types: Mapping[CType, CType], parts: Mapping[str, str],
        stems: Mapping[str, str],
    ) -> None:  # fmt: skip
        self._accumulators, self._types, self._parts, self._stems = accumulators, types, parts, stems
        # What the tree itself calls of the functions of bins.
        self._asked = {f"{old}_is_start": f"{new}_is_start" for old, new in stems.items()}
        # Types and variables occur in many places: by id, what was there and what takes its place.
        self._done: dict[int, tuple[object, object]] = {}

    def record(self, record: _RECORD) -> _RECORD:
        """The same record with what takes their places."""
        return self._changed(record)  # type: ignore[no-any-return]

    def _changed(self, value: Any) -> Any:
        kind: type = type(value)
        if kind is tuple:
            items = tuple([self._changed(item) for item in value])
            return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
        if not _fields_of(kind):
            return value
        if id(value) not in self._done:
            self._done[id(value)] = value, self._renamed(value)
        return self._done[id(value)][1]

    def _renamed(self, value: Any) -> Any:
        if isinstance(value, Accumulator):
            return self._accumulators.get(value.name, value)
        if isinstance(value, ExchangeParts):
            return replace(value, name=self._parts.get(value.name, value.name), members=self._changed(value.members))
        if isinstance(value, BinSet):
            return replace(value, stem=self._stems.get(value.stem, value.stem))
        if isinstance(value, LaunchStitched):
            return replace(value, parts=self._parts.get(value.parts, value.parts))
        if isinstance(value, CType) and value in self._types:
            return self._types[value]
        kind: type = type(value)
        changed = {}
        if isinstance(value, Call) and value.function in self._asked:
            changed["function"] = self._asked[value.function]
        for name in _fields_of(kind):
            old = getattr(value, name)
            new = self._changed(old)
            if new is not old:
                changed[name] = new
        return replace(value, **changed) if changed else value


@cache
def _fields_of(kind: Any) -> tuple[str, ...]:
    """The fields of a record that may hold what is renamed; of anything else none."""
    return () if issubclass(kind, Span) else field_names(kind)
