"""What the output takes over from the source: types, constants, tables, functions.  Stage: codegen."""

from __future__ import annotations

from typing import TypeAlias

from pencilc.ir.nodes import Node, Parameter
from pencilc.ir.source import CType, Expr, Scalar, Struct
from pencilc.records import dataclass

# What a function that is a template takes and gives: a number of any type.
TEMPLATE_TYPE = Scalar("T", "float", 8)


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
    """A constant global, printed where it is named; `kind` says in which memory it is."""

    kind: str
    name: str
    type: CType
    init: Expr

    always = False


@dataclass(frozen=True, slots=True)
class DeviceFunction:
    """A function of the source or of pencil.h; printed where it is named, or where others may call it.

    `for_host`: the host runs it too, with the body `on_host` where that differs; `always`: other files call it, as
    `link_name` where that is not its name.  `is_template`: its parameters of `TEMPLATE_TYPE` have what it is given.
    """

    name: str
    returns: CType
    parameters: tuple[Parameter, ...]
    body: tuple[Node, ...]
    for_host: bool = False
    on_host: tuple[Node, ...] = ()
    always: bool = False
    link_name: str = ""
    is_template: bool = False


@dataclass(frozen=True, slots=True)
class FunctionDeclaration:
    """A function as its callers see it; `link_name`: its name for the linker, where that is another one."""

    name: str
    returns: CType
    parameters: tuple[Parameter, ...]
    link_name: str = ""


Definition: TypeAlias = StructDefinition | NamedConstant | Table | DeviceFunction
