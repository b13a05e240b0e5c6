"""Inputs that make sense for a region: deterministic, in bounds, and exact or real on demand.

Three kinds of data are made.  `integers`: every number is a small whole number, so that sums of floats
are exact in every order and results must agree bit by bit.  `reals`: random fractions, compared with
a tolerance.  `extremes`: what stands at the ends of the types, see there.  What is only written is filled with 0xFF
bytes first (NaN in every floating type), so that an element that is not written shows.
"""

from __future__ import annotations

import difflib
import math
import random
import re
import runpy
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from pencilc.ir import source as ast
from pencilc.ir.source import ArrayType, CType, Scalar, Struct, element_type
from pencilc.verify import extremes
from pencilc.verify.cases import (
    Argument,
    Case,
    DataKind,
    Value,
    leaves,
    pack_column,
    packed,
    unpack_column,
)
from pencilc.verify.draws import picked
from pencilc.verify.errors import InputsError
from pencilc.verify.facts import Facts
from pencilc.verify.intervals import Interval
from pencilc.verify.ranges import Ranges
from pencilc.verify.sizes import Choice, scope_of, shape_of

Maker: TypeAlias = "Callable[[dict[str, int], random.Random], Mapping[str, object]]"

_PADDING = 0xA5
_PREFIX = "inputs_"


class NoInputs(Exception):
    """No data can be made for these sizes; the message says why (the run is skipped)."""


def load_makers(path: Path) -> dict[str, Maker]:
    """The functions `inputs_<f>` of a user's Python file, by `<f>`; InputsError if it cannot be run to its end."""
    try:
        compile(path.read_bytes(), str(path), "exec")
    except (OSError, SyntaxError, ValueError) as error:
        raise InputsError(f"cannot read '{path}': {error}") from error
    try:
        names = runpy.run_path(str(path))
    except (Exception, SystemExit) as error:
        raise InputsError(f"'{path}' fails{_line_in(path, error)}: {_named(error)}") from error
    makers: dict[str, Maker] = {}
    for key, value in names.items():
        if key.startswith(_PREFIX):
            if not callable(value):
                raise InputsError(f"'{path}' defines '{key}', which is no function")
            makers[key.removeprefix(_PREFIX)] = value
    return makers


def _line_in(path: Path, error: BaseException) -> str:
    """` in line 3`: the last line of the file on the way to where it failed."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f" in line {lines[-1]}" if lines else ""


def _named(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def check_makers(makers: Mapping[str, Maker], functions: Iterable[str], path: Path) -> None:
    """Raise InputsError if a maker is for none of the entry functions: it would never be asked."""
    known = sorted(set(functions))
    for name in makers:
        if name not in known:
            wanted = ", ".join(f"'{_PREFIX}{function}'" for function in known)
            said = f"'{path}' defines '{_PREFIX}{name}', but '{name}' is no entry function"
            raise InputsError(said + (meant(_PREFIX + name, [_PREFIX + f for f in known]) or f"; it may hold {wanted}"))


def meant(name: str, known: Sequence[str]) -> str:
    """`; did you mean 'x'?`, if there is something alike."""
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


def make_case(
    region: ast.Region,
    functions: dict[str, ast.Function],
    facts: Facts,
    choice: Choice,
    kind: DataKind,
    seed: int,
    maker: Maker | None = None,
    period: int | None = None,
) -> Case:
    """The case for one choice of sizes; raises `NoInputs` if no data can be meaningful.

    With `period` the elements of a long array repeat after that many, where nothing forbids it: much quicker to make.
    """
    rng = random.Random(f"{seed}/{region.name}/{choice.shown}/{kind}")
    own = {} if maker is None else _made(maker, region, choice, rng)
    values = dict(choice.values)
    values.update({name: int(value) for name, value in own.items() if name in values and isinstance(value, int)})
    fill = _Filler(rng, facts, choice.ranges, kind, values)
    scope = scope_of(values, functions)
    arguments = []
    for param in region.params:
        shape = shape_of(param, scope)
        if shape is None:
            raise NoInputs(f"the extent of '{param.spelling}' cannot be evaluated from the integer parameters")
        arguments.append(_argument(param, shape, fill, own.get(param.spelling), period))
    return Case(
        function=region.name,
        sizes=choice.shown,
        kind=kind,
        arguments=tuple(arguments),
        returns=region.returns,
        length=max(choice.ranges.length, 1.0),
        epsilon=facts.epsilon,
        exact=kind == "integers" and not facts.inexact,
        work=choice.ranges.work,
    )


def doubts(case: Case, ranges: Ranges) -> tuple[str, ...]:
    """Which data of a call lie where verify would choose none: a fault may come from these."""
    found: list[str] = []
    for argument in case.arguments:
        limit = ranges.limits.get(argument.name)
        if limit is None or not argument.is_array or not isinstance(argument.type, Scalar):
            continue
        (leaf,) = leaves(argument.type)
        low, high = _integer_limits(limit, argument.type) if argument.type.is_integer else limit
        for place, value in enumerate(unpack_column(argument.data, leaf, argument.type.size)):
            if not low <= value <= high:
                array, line = ranges.asked[argument.name]
                element = _place(argument.name, argument.shape, place)
                good = f"{low} to {high}" if low <= high else "nothing"
                said = f"`{element}` is {value} in the given data"
                found.append(f"{said}; the subscript of `{array}` at line {line} is sure to be right for {good}")
                break
    return tuple(found)


def _made(maker: Maker, region: ast.Region, choice: Choice, rng: random.Random) -> Mapping[str, object]:
    """What the user's function returns; InputsError if it fails, or gives what no parameter takes."""
    name = _PREFIX + region.function
    try:
        made = maker(dict(choice.values), rng)
    except (Exception, SystemExit) as error:
        raise InputsError(f"{name} fails: {_named(error)}") from error
    if not isinstance(made, Mapping):
        raise InputsError(f"{name} returns {made!r}, not a dictionary")
    known = list(dict.fromkeys([*(param.spelling for param in region.params), *choice.values]))
    for key in made:
        if key not in known:
            said = f"{name} gives '{key}', which is no parameter of '{region.function}'"
            raise InputsError(said + (meant(str(key), known) or f"; there are {', '.join(known)}"))
    return made


def _argument(param: ast.Symbol, shape: tuple[int, ...], fill: _Filler, own: object, period: int | None) -> Argument:
    ctype = element_type(param.type)
    is_array = isinstance(param.type, ArrayType)
    count = math.prod(max(extent, 0) for extent in shape)
    if own is not None:
        data = _from_nested(own, ctype, shape, param.spelling)
    elif is_array and param.name in fill.facts.write_only:
        data = _pattern(ctype) * count
    else:
        distinct = count if period is None or fill.is_special(param.name) else min(count, period)
        data = _filled(param.name, ctype, distinct, fill)
        if distinct < count:
            data = (data * (count // distinct + 1))[: count * ctype.size]
    return Argument(param.spelling, ctype, is_array, param.name in fill.facts.written, shape, data)


def _pattern(ctype: CType) -> bytes:
    """0xFF everywhere; a `_Bool` gets 1, for any other bits would be a trap."""
    data = bytearray(b"\xff" * ctype.size)
    for _, offset, scalar in leaves(ctype):
        if scalar.kind == "bool":
            data[offset] = 1
    return bytes(data)


def _filled(name: str, ctype: CType, count: int, fill: _Filler) -> bytes:
    if isinstance(ctype, Scalar):
        return packed(ctype, fill.column(name, ctype, count))
    data = bytearray([_PADDING]) * (ctype.size * count)
    for leaf in leaves(ctype):
        key = name + re.sub(r"\[\d+\]", "", leaf[0])
        pack_column(data, fill.column(key, leaf[2], count), leaf, ctype.size)
    return bytes(data)


class _Filler:
    """Makes the values of one leaf at a time; `values` are the integer scalars already chosen."""

    def __init__(
        self, rng: random.Random, facts: Facts, ranges: Ranges, kind: DataKind, values: Mapping[str, int]
    ) -> None:
        self.rng = rng
        self.facts = facts
        self.ranges = ranges
        self.kind = kind
        self.values = values

    def is_special(self, name: str) -> bool:
        """Whether the values of an array depend on all others of it: growing positions, distinct subscripts."""
        return any(key.split(".")[0] == name for key in (*self.ranges.growing, *self.ranges.distinct))

    def column(self, key: str, scalar: Scalar, count: int) -> list[Value]:
        """`count` values for the leaf with the dotted name `key`."""
        if key in self.values:
            return [self.values[key]] * count
        limit = self.ranges.limits.get(key)
        if limit is not None and count:
            return self._limited(key, scalar, count, limit)
        if self.kind == "extremes" and key not in self.ranges.steering and scalar.kind != "bool":
            return self._extremes(scalar, count)
        drawn = self._floats(count) if scalar.kind == "float" else self._integers(scalar, count)
        if scalar.kind == "bool" or (scalar.kind == "float" and (self.kind != "integers" or self.facts.multiplies)):
            return drawn
        return _with_outliers(
            key, drawn, both=scalar.kind == "int" or (scalar.kind == "float" and not self.facts.positive)
        )

    def _extremes(self, scalar: Scalar, count: int) -> list[Value]:
        if scalar.kind == "float":
            return extremes.with_specials(self.rng, scalar, self._floats(count), self.facts)
        return extremes.integers(self.rng, scalar, count)

    def _integers(self, scalar: Scalar, count: int) -> list[Value]:
        """Small, so that sums stay far from the limits of their type; narrow types wrap alike anyway."""
        if scalar.kind == "bool":
            low, high = 0, 1
        elif scalar.kind == "uint":
            low, high = 0, 15
        else:
            low, high = (-8, 8) if self.kind == "integers" else (-100, 100)
        return picked(self.rng, range(low, high + 1), count)

    def _floats(self, count: int) -> list[Value]:
        draw = self.rng.random
        if self.kind == "integers":
            if self.facts.multiplies:
                return picked(self.rng, (-1.0, 1.0), count)
            # No zero: a sum shows every element that is missing.
            low = 1 if self.facts.positive else -4
            return picked(self.rng, [float(k) for k in range(low, 5) if k], count)
        if self.facts.multiplies:
            return [0.9 + 0.2 * draw() for _ in range(count)]
        if self.facts.positive:
            return [0.01 + 0.99 * draw() for _ in range(count)]
        return [2.0 * draw() - 1.0 for _ in range(count)]

    def _limited(self, key: str, scalar: Scalar, count: int, limit: Interval) -> list[Value]:
        """Values of data that is used in a subscript or as a loop bound."""
        if scalar.kind == "float":
            low, high = max(limit[0], -1.0), min(limit[1], max(limit[0], -1.0) + 64.0)
            if low > high:
                raise NoInputs(f"no value of '{key}' keeps the subscripts in bounds")
            whole = self.kind == "integers"
            drawn = [low + (high - low) * self.rng.random() for _ in range(count)]
            return [float(math.floor(value)) if whole else value for value in drawn]
        low_int, high_int = _integer_limits(limit, scalar)
        if low_int > high_int:
            raise NoInputs(f"no value of '{key}' keeps the subscripts in bounds")
        if key in self.ranges.growing:
            return self._growing(low_int, high_int, count)
        if key in self.ranges.distinct:
            if count > high_int - low_int + 1:
                raise NoInputs(f"'{key}' needs {count} different values in [{low_int}, {high_int}]")
            return list(self.rng.sample(range(low_int, high_int + 1), count))
        return picked(self.rng, range(low_int, high_int + 1), count)

    def _growing(self, low: int, high: int, count: int) -> list[Value]:
        """Start/end positions: they begin at the lower limit and end at the upper one."""
        inner = sorted(picked(self.rng, range(low, high + 1), count))
        if count > 1:
            inner[0], inner[-1] = low, high
        return list(inner)


def _with_outliers(key: str, values: list[Value], both: bool) -> list[Value]:
    """`values`, of which one place has the only largest one and, if `both`, another the only smallest one.

    Without them a minimum or maximum is found in every part of an array, and a part that is left out does not show.
    """
    if len(values) < 3:
        return values
    largest, smallest = random.Random(f"{key} {len(values)}").sample(range(len(values)), 2)
    found = list(values)
    found[largest] = max(values) + 1
    if both:
        found[smallest] = min(values) - 1
    return found


def _integer_limits(limit: Interval, scalar: Scalar) -> tuple[int, int]:
    """`limit` as integers that the type can hold; an open side stays near the other one, or near 0."""
    low, high = limit
    if math.isinf(low):
        low = min(0.0, high)
    if math.isinf(high):
        high = low + 15
    bits = 8 * scalar.size - (1 if scalar.kind == "int" else 0)
    least = 0 if scalar.kind != "int" else -(2**bits)
    return max(math.ceil(low), least), min(math.floor(high), 2**bits - 1)


def _from_nested(own: object, ctype: CType, shape: tuple[int, ...], name: str) -> bytes:
    """The bytes of a user's nested list, number, or dicts and tuples for structs."""
    elements: list[object] = []
    _flatten(own, elements)
    count = math.prod(max(extent, 0) for extent in shape)
    if len(elements) != count:
        raise InputsError(f"inputs for '{name}' have {len(elements)} elements, not {count}")
    return b"".join(_one(element, ctype, _place(name, shape, k)) for k, element in enumerate(elements))


def _flatten(value: object, into: list[object]) -> None:
    if isinstance(value, list):
        for item in value:
            _flatten(item, into)
    else:
        into.append(value)


def _place(name: str, shape: tuple[int, ...], number: int) -> str:
    """`a[1][0]`: which element of an array that number is, counted through all dimensions."""
    indices: list[int] = []
    for extent in reversed(shape):
        number, index = divmod(number, extent)
        indices.insert(0, index)
    return name + "".join(f"[{index}]" for index in indices)


def _one(value: object, ctype: CType, place: str) -> bytes:
    if isinstance(ctype, Scalar) and isinstance(value, (int, float)):
        return _number(value, ctype, place)
    if isinstance(ctype, Struct) and isinstance(value, (dict, tuple)):
        parts = value if isinstance(value, dict) else dict(zip((m.name for m in ctype.members), value, strict=False))
        data = bytearray(ctype.size)
        for member in ctype.members:
            if member.name not in parts:
                raise InputsError(f"inputs for '{place}' lack the member '{member.name}'")
            inner = _one(parts[member.name], member.type, f"{place}.{member.name}")
            data[member.offset : member.offset + member.type.size] = inner
        return bytes(data)
    if isinstance(ctype, ArrayType) and isinstance(value, (list, tuple)):
        if len(value) * ctype.element.size != ctype.size:
            count = ctype.size // ctype.element.size
            raise InputsError(f"inputs for '{place}' have {len(value)} elements, not {count}")
        return b"".join(_one(item, ctype.element, f"{place}[{k}]") for k, item in enumerate(value))
    raise InputsError(f"inputs for '{place}' hold {value!r} where a value of the element's type is needed")


def _number(value: int | float, scalar: Scalar, place: str) -> bytes:
    """The bytes of a number that the type has; no conversion makes another one of it."""
    if scalar.is_integer and not _has(scalar, value):
        raise InputsError(f"inputs for '{place}' hold {value!r}, which is no value of type '{scalar.name}'")
    try:
        return packed(scalar, [value])
    except OverflowError:
        raise InputsError(f"inputs for '{place}' hold {value!r}, too large for type '{scalar.name}'") from None


def _has(scalar: Scalar, value: int | float) -> bool:
    """Whether an integer type has this value."""
    if isinstance(value, float) and not value.is_integer():
        return False
    if scalar.kind == "bool":
        return value in (0, 1)
    bits = 8 * scalar.size
    if scalar.kind == "uint":
        return 0 <= value < 1 << bits
    return -(1 << (bits - 1)) <= value < 1 << (bits - 1)
