"""What the output takes over from the source: types, constants, tables, functions.  Stage: codegen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pencilc.ir.nodes import Node, Parameter
from pencilc.ir.source import CType, Expr, Struct


@dataclass(frozen=True, slots=True)
class StructDefinition:
    """A struct of the source."""

    struct: Struct
    always = True

    @property
    def name(self) -> str:
        """The name of the source."""
        return self.struct.name


@dataclass(frozen=True, slots=True)
class NamedConstant:
    """An enumeration constant; printed where it is named."""

    name: str
    value: int
    always = False


@dataclass(frozen=True, slots=True)
class Table:
    """A constant global; `kind` says in which memory it is."""

    kind: str
    name: str
    type: CType
    init: Expr

    @property
    def always(self) -> bool:
        """Whether it is written where nothing names it: nvcc warns of scalars that nothing does."""
        return self.kind != "constexpr"


@dataclass(frozen=True, slots=True)
class DeviceFunction:
    """A helper, operator or init function of the source; printed where it is named, or where others may call it.

    `for_host`: the host runs it too, with the body `on_host` where that differs; `always`: other files call it, as
    `link_name` where that is not its name.
    """

    name: str
    returns: CType
    parameters: tuple[Parameter, ...]
    body: tuple[Node, ...]
    for_host: bool = False
    on_host: tuple[Node, ...] = ()
    always: bool = False
    link_name: str = ""


@dataclass(frozen=True, slots=True)
class PencilFunction:
    """A function of pencil.h, as lines of C++; printed where it is named.

    `head` has no qualifiers.  `on_host`: the body that the host has, if the host calls it.  `is_template`: over `T`.
    """

    name: str
    head: str
    body: tuple[str, ...]
    on_host: tuple[str, ...] = ()
    is_template: bool = False
    always = False


Definition: TypeAlias = StructDefinition | NamedConstant | Table | DeviceFunction | PencilFunction
