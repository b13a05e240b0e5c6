"""What the output takes over from the source: types, constants, tables, and the functions that regions reach."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.codegen.bodies import function, lowered_type
from pencilc.codegen.lowering import Bindings, stored
from pencilc.codegen.names import safe
from pencilc.codegen.needs import names_in
from pencilc.codegen.pencil_functions import DEFINITIONS, PINNED
from pencilc.codegen.register_indices import with_selections
from pencilc.codegen.selects import with_selects
from pencilc.gpu.storage.tables import constant_tables
from pencilc.ir.definitions import Definition, DeviceFunction, NamedConstant, StructDefinition, Table
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.source import (
    ArrayType,
    Call,
    Function,
    IntLiteral,
    Node,
    PointerType,
    ReductionInit,
    ReductionUpdate,
    Struct,
    TranslationUnit,
    extents,
    walk,
)
from pencilc.poly.model.accesses import Effects
from pencilc.poly.model.live_source import live_body


def types_and_tables(unit: TranslationUnit, programs: tuple[MappedProgram, ...]) -> tuple[Definition, ...]:
    """All structs and tables, and the enumeration constants that something may name."""
    found: list[Definition] = [StructDefinition(struct) for struct in unit.structs]
    found += [NamedConstant(safe(name), value) for name, value in _constants(unit, programs).items()]
    constant = constant_tables(unit)
    for declaration in unit.globals:
        symbol = declaration.symbol
        assert declaration.init is not None  # PC0407
        kind = "__constant__" if symbol.name in constant else "__device__ const"
        kind = kind if isinstance(symbol.type, ArrayType | Struct) else "constexpr"
        ctype = lowered_type(symbol.type, Bindings())
        found.append(Table(kind, safe(symbol.name), ctype, stored(declaration.init, Bindings())))
    return tuple(found)


def functions(unit: TranslationUnit, programs: tuple[MappedProgram, ...]) -> tuple[Definition, ...]:
    """The functions that regions reach, callees first; those of pencil.h among them."""
    reach = _Reach(unit)
    for program in programs:
        for name in _called(live_body(program.scop)):
            reach.add(name, program.pinned)
        for function_ in unit.functions:
            if function_.in_order is not None and function_.in_order.operator in reach.found:
                reach.add(function_.name, program.pinned)
    for function_ in unit.functions:
        if function_.is_exported:
            reach.add(function_.name, any(program.pinned for program in programs))
    return tuple(definition for definition in reach.found.values() if definition is not None)


def used(definitions: Seq[Definition], named: set[str]) -> tuple[Definition, ...]:
    """The definitions that something later may name: an operator may have become an instruction, a body be inlined."""
    kept: list[Definition] = []
    for definition in reversed(definitions):  # what names others comes behind them
        if definition.always or definition.name in named:
            kept.insert(0, definition)
            named = named | names_in(definition)
    return tuple(kept)


def _constants(unit: TranslationUnit, programs: tuple[MappedProgram, ...]) -> dict[str, int]:
    """The enumeration constants that the code may name, in order of first use."""
    roots: list[Node] = []
    for program in programs:
        roots.append(program.scop.region.body)
        for parameter in program.scop.region.params:
            roots += [extent for extent in extents(parameter.type) if extent is not None]
    roots += [function.body for function in unit.functions]
    roots += [declaration.init for declaration in unit.globals if declaration.init is not None]
    found: dict[str, int] = {}
    for root in roots:
        for node in walk(root):
            if isinstance(node, IntLiteral) and node.name:
                found[node.name] = node.value
    return found


def _run_by_host(unit: TranslationUnit) -> frozenset[str]:
    """The functions that the host can call, and what those call."""
    found: set[str] = set()
    pending = [f.name for f in unit.functions if f.is_exported]
    while pending:
        name = pending.pop()
        if name in found:
            continue
        found.add(name)
        definition = unit.function(name)
        pending += _called(definition.body) if definition is not None else []
    return frozenset(found)


def _called(body: object) -> list[str]:
    names: list[str] = []
    for node in walk(body):  # type: ignore[arg-type]
        if isinstance(node, Call | ReductionInit):
            names.append(node.function)
        elif isinstance(node, ReductionUpdate):
            names.append(node.operator)
    return names


class _Reach:
    """Collects definitions by name, callees first; None where CUDA has the function itself."""

    def __init__(self, unit: TranslationUnit) -> None:
        self.unit = unit
        self.effects = Effects({f.name: f for f in unit.functions})
        self.on_host = _run_by_host(unit)
        self.found: dict[str, Definition | None] = {}

    def add(self, name: str, pinned: bool) -> None:
        """The definition of a function and of all that it calls; `pinned` as in `Bindings`."""
        if name in self.found:
            return
        definition: Function | None = self.unit.function(name)
        if definition is None:
            self.found[name] = self._of_pencil(name, pinned)
            return
        for inner in _called(definition.body):
            self.add(inner, pinned)
        for_host = name in self.on_host
        own = with_selects(_with_const(definition, self.effects))
        self.found[name] = function(own if for_host else with_selections(own), pinned, for_host)

    def _of_pencil(self, name: str, pinned: bool) -> DeviceFunction | None:
        plain = DEFINITIONS.get(name)
        if plain is None:
            return None
        found = PINNED.get(name, plain) if pinned else plain
        for_host = name in self.on_host
        return replace(found, for_host=for_host, on_host=plain.body if for_host and found is not plain else ())


def _with_const(definition: Function, effects: Effects) -> Function:
    """The function with const elements for the parameters that it only reads: kernels may have such arrays as const."""
    params = tuple(
        replace(p, type=replace(p.type, is_const=True))
        if isinstance(p.type, ArrayType | PointerType) and not effects.of(definition.name, k).writes
        else p
        for k, p in enumerate(definition.params)
    )
    return replace(definition, params=params)
