"""`dataclass` of Python's library with methods that are quick to make.

pencilc is hundreds of small records, most of them frozen, and `dataclasses` writes and compiles the source of six
functions for each of them: more than half of what starting the compiler took.  Here only `__init__` is compiled, for it
is called most; the others are the same few functions for all records, and ask `operator.attrgetter` for the fields.
Type checkers see the library's own, whose `fields`, `replace` and `asdict` work on what is made here.
"""

from __future__ import annotations

import dataclasses
import reprlib
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass", "field_names"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, kw_only=False):
        """Make of a class with annotations what `dataclasses.dataclass` makes of it; with options only, a decorator."""

        def made(cls: type) -> type:
            record = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
            if "__init__" not in cls.__dict__:
                record.__init__ = _constructor(record, frozen)
            methods: dict[str, Any] = {"__repr__": _shown}
            if eq:
                methods |= _comparison(record, frozen)
            if frozen:
                methods |= _FROZEN
            for name, method in methods.items():
                if name not in cls.__dict__:
                    setattr(record, name, method)
            return record

        return made if cls is None else made(cls)


@cache
def field_names(kind: Any) -> tuple[str, ...]:
    """The fields of a class of records that its constructor takes; of any other class none.

    Who walks over a tree asks for each of its values, of which there are ten thousands.
    """
    if not dataclasses.is_dataclass(kind):
        return ()
    return tuple(field.name for field in dataclasses.fields(kind) if field.init)


def _constructor(record: Any, frozen: bool) -> Callable[..., None]:
    """`__init__`, which takes the fields by position or name."""
    names: dict[str, Any] = {"_set": object.__setattr__, "_MADE": _MADE}
    positional: list[str] = []
    named: list[str] = []
    lines: list[str] = []
    for field in dataclasses.fields(record):
        value = field.name
        has_factory = field.default_factory is not dataclasses.MISSING
        has_default = field.default is not dataclasses.MISSING
        if has_factory:
            names[f"_make_{field.name}"] = field.default_factory
            made = f"_make_{field.name}()"
            value = f"{made} if {field.name} is _MADE else {field.name}" if field.init else made
        elif has_default:
            names[f"_default_{field.name}"] = field.default
        if field.init:
            default = "=_MADE" if has_factory else f"=_default_{field.name}" if has_default else ""
            (named if field.kw_only else positional).append(field.name + default)
        elif has_default:
            value = f"_default_{field.name}"
        elif not has_factory:
            continue  # __post_init__ sets it
        lines.append(f" _set(self, {field.name!r}, {value})" if frozen else f" self.{field.name} = {value}")
    if hasattr(record, "__post_init__"):
        lines.append(" self.__post_init__()")
    parameters = ", ".join(["self", *positional, *(["*", *named] if named else [])])
    exec(f"def __init__({parameters}):\n" + ("\n".join(lines) or " pass"), names)
    made_function: Callable[..., None] = names["__init__"]
    made_function.__qualname__ = f"{record.__qualname__}.__init__"
    return made_function


_MADE = object()  # what stands for a value that is made anew for each record


def _comparison(record: Any, frozen: bool) -> dict[str, Any]:
    """`__eq__` by the values of the fields, and `__hash__`."""
    compared = [field.name for field in dataclasses.fields(record) if field.compare]
    values = _values(compared)

    def __eq__(self: object, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: object) -> int:
        return hash(values(self))

    return {"__eq__": __eq__, "__hash__": __hash__ if frozen else None}


def _values(names: list[str]) -> Callable[[object], tuple[object, ...]]:
    """A function that gives the tuple of these fields of a record."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _: ()
    only = attrgetter(names[0])
    return lambda record: (only(record),)


@reprlib.recursive_repr()
def _shown(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _no_assignment(_: object, name: str, value: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_deletion(_: object, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[object]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restored(self: Any, state: list[object]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


# Pickling and copying would assign to fields.
_FROZEN = {
    "__setattr__": _no_assignment, "__delattr__": _no_deletion, "__getstate__": _state, "__setstate__": _restored,
}  # fmt: skip
