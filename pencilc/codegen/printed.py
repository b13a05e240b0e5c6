"""Records of the tree as templates print them: every expression, type and statement in them as its text."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

from pencilc.codegen.cexpr import expression, parameter, type_text
from pencilc.codegen.cstmt import definition, texts
from pencilc.ir.kernel import (
    DeviceFunction,
    For,
    If,
    NamedConstant,
    Parameter,
    PencilFunction,
    SharedDecl,
    StructDefinition,
    Switch,
    Sync,
    Table,
    WhileLoop,
)
from pencilc.ir.source import (
    EXPRESSIONS,
    ArrayType,
    Assign,
    CallStmt,
    Declare,
    Jump,
    PointerType,
    Return,
    Scalar,
    Struct,
)

_STATEMENTS = (Declare, Assign, CallStmt, Jump, Return, For, WhileLoop, If, Switch, SharedDecl, Sync)
_DEFINITIONS = (StructDefinition, NamedConstant, Table, DeviceFunction, PencilFunction)
_TYPES = (Scalar, Struct, ArrayType, PointerType)
_RECORD = TypeVar("_RECORD")


def printed(record: _RECORD) -> _RECORD:
    """`record` with the text of every expression, type and statement in its place.

    The classes stay, so that templates can ask what records are asked; they are text for them alone.
    """
    return _printed(record)  # type: ignore[no-any-return]


def _printed(value: Any) -> Any:
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return value
    if kind in EXPRESSIONS:
        return expression(value)
    if issubclass(kind, _TYPES):
        return type_text(value)
    if kind is Parameter:
        return parameter(value)
    if kind in _DEFINITIONS:
        return definition(value)
    if kind is tuple:
        return tuple(each for item in value for each in _items(item))
    if kind is list:
        return [each for item in value for each in _items(item)]
    if kind is dict:
        return {key: _printed(item) for key, item in value.items()}
    if issubclass(kind, _STATEMENTS):
        (only,) = texts((value,))
        return _printed(only)
    if is_dataclass(kind):
        return _record(value, kind)
    return value


def _items(item: Any) -> list[Any]:
    """An item of a sequence; one statement may be several lines."""
    if isinstance(item, _STATEMENTS):
        return [_printed(text) for text in texts((item,))]
    return [_printed(item)]


def _record(value: Any, kind: type) -> Any:
    changed = {}
    for name in _fields_of(kind):
        old = getattr(value, name)
        new = _printed(old)
        if new is not old:
            changed[name] = new
    return replace(value, **changed) if changed else value


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.init)
