"""Records of the tree as templates print them: every expression, type and statement in them as its text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from pencilc.codegen.cexpr import expression, parameter, type_text
from pencilc.codegen.cstmt import texts
from pencilc.codegen.names import Spelling, as_written
from pencilc.diagnostics.source import Span
from pencilc.ir.geometry import Geometry
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import For, If, Parameter, SharedDecl, Switch, WhileLoop
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
from pencilc.records import dataclass, field_names

_STATEMENTS = (Declare, Assign, CallStmt, Jump, Return, For, WhileLoop, If, Switch, SharedDecl)
_TYPES = (Scalar, Struct, ArrayType, PointerType)
_RECORD = TypeVar("_RECORD")


@dataclass(frozen=True, slots=True)
class PrintedKernel(KernelFunction):
    """A function of a kernel as text; `spell` says what it calls the variables of building blocks."""

    spell: Spelling = as_written

    @property
    def at(self) -> Geometry:
        """How the place of a thread is spelled."""
        return Geometry(self.layout, self.block, self.spell)


def printed(record: _RECORD, spell: Spelling = as_written) -> _RECORD:
    """`record` with the text of every expression, type and statement in its place, and `@count` as `spell` has it.

    The classes stay, so that templates can ask what records are asked; they are text for them alone.
    """
    return _printed(record, spell)  # type: ignore[no-any-return]


def _printed(value: Any, spell: Spelling) -> Any:
    kind = type(value)
    if kind is str:
        return spell(value)
    if kind is int or kind is bool or kind is Span or value is None:
        return value
    if kind in EXPRESSIONS:
        return expression(value, spell)
    if issubclass(kind, _TYPES):
        return type_text(value)
    if kind is Parameter:
        return parameter(value, spell)
    if kind is tuple:
        return tuple(each for item in value for each in _items(item, spell))
    if issubclass(kind, _STATEMENTS):
        (only,) = texts((value,), spell)
        return _printed(only, spell)
    if kind is Geometry:
        return replace(value, spell=spell)
    return _record(value, kind, spell)


def _items(item: Any, spell: Spelling) -> list[Any]:
    """An item of a sequence; one statement may be several lines."""
    if isinstance(item, _STATEMENTS):
        return [_printed(text, spell) for text in texts((item,), spell)]
    return [_printed(item, spell)]


def _record(value: Any, kind: type, spell: Spelling) -> Any:
    changed = {}
    for name in field_names(kind):
        old = getattr(value, name)
        new = _printed(old, spell)
        if new is not old:
            changed[name] = new
    if kind is KernelFunction:
        own = {name: getattr(value, name) for name in field_names(kind)}
        return PrintedKernel(**{**own, **changed}, spell=spell)
    return replace(value, **changed) if changed else value
