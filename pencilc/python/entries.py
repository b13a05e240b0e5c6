"""What the entry points of a compiled file expect: names, types, extents, and which arrays are read and written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pencilc.codegen.entry_functions import entry_functions
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.driver import Compilation
from pencilc.ir.host import Entry
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.rewrite import replaced
from pencilc.ir.source import ArrayType, CType, Expr, Name, Scalar, Symbol, TranslationUnit, element_type, extents
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class EntryArgument:
    """A parameter of an entry point, under the name that the source has.

    `type` is that of the value, or of the innermost element of an array; `extents` are those of the array, outermost
    first, over the scalar parameters.  A scalar that an outlined region writes `goes_by_pointer`.
    """

    name: str
    type: CType
    is_array: bool
    extents: tuple[Expr | None, ...]
    is_read: bool
    is_written: bool
    goes_by_pointer: bool = False


@dataclass(frozen=True, slots=True)
class EntrySymbol:
    """A function of the library that belongs to an entry point; `then`: its parameters behind those of the source."""

    kind: str
    symbol: str
    then: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """An entry function of the source, or a region of a host function, with the symbols that the library has for it.

    `name` is what callers say: that of the source for an entry function, also where it is static and `symbol` has
    another; `f_scop0` for a region of `f`.  `waits`: the device entry synchronises, because launches depend on data.
    """

    name: str
    symbol: str
    prototype: str
    line: int
    returns: CType
    arguments: tuple[EntryArgument, ...]
    symbols: tuple[EntrySymbol, ...]
    waits: bool

    @property
    def has_workspace(self) -> bool:
        """Whether calls need memory, which the caller may provide."""
        return any(each.kind == "workspace" for each in self.symbols)

    @property
    def returns_value(self) -> bool:
        """Whether the entry point on host pointers returns anything."""
        return self.returns.size > 0


def entries_of(done: Compilation) -> tuple[EntryPoint, ...]:
    """The entry points of a finished compilation, in text order."""
    if done.kernels is None:
        raise CompilerBug("the compilation has not reached the stage `kernels`")
    constants = _constants(done.parsed)
    pairs = zip(done.programs, done.kernels.entries, strict=True)
    return tuple(_entry_point(program, entry, constants) for program, entry in pairs)


def _constants(unit: TranslationUnit) -> dict[str, Expr]:
    """The scalar constants at file level: an extent may name them, and a caller does not know them."""
    found: dict[str, Expr] = {}
    for each in unit.globals:
        if each.init is not None and isinstance(each.symbol.type, Scalar):
            found[each.symbol.name] = _with_constants(each.init, found)
    return found


def _with_constants(expr: Expr, constants: Mapping[str, Expr]) -> Expr:
    def value(node: Any) -> Any:
        is_constant = isinstance(node, Name) and node.symbol.kind == "global"
        return constants.get(node.symbol.name) if is_constant else None

    made: Expr = replaced(expr, value)
    return made


def _entry_point(program: MappedProgram, entry: Entry, constants: Mapping[str, Expr]) -> EntryPoint:
    region = program.scop.region
    arguments = tuple(_argument(program, symbol, constants) for symbol in region.declared_params)
    name = region.name if region.outlined else region.function
    return EntryPoint(
        name=name,
        symbol=entry.symbol,
        prototype=region.prototype.of(name),
        line=region.span.line,
        returns=region.returns,
        arguments=arguments,
        symbols=tuple(_symbols(entry)),
        waits=entry.waits,
    )


def _symbols(entry: Entry) -> Iterator[EntrySymbol]:
    """The functions as the linker knows them; what the source does not have begins with `@`."""
    for kind, declared in entry_functions(entry).items():
        then = tuple(each.name[1:] for each in declared.parameters if each.name.startswith("@"))
        yield EntrySymbol(kind, declared.link_name or declared.name, then)


def _argument(program: MappedProgram, symbol: Symbol, constants: Mapping[str, Expr]) -> EntryArgument:
    if symbol.name in program.scop.region.written_scalars:
        return EntryArgument(symbol.name, symbol.type, False, (), True, True, True)
    if not isinstance(symbol.type, ArrayType):
        return EntryArgument(symbol.name, symbol.type, False, (), True, False)
    touched = {t.array: t for t in program.transfers}.get(symbol.name)
    is_read = touched is not None and touched.copy_in
    is_written = touched is not None and touched.is_written
    sides = tuple(None if e is None else _with_constants(e, constants) for e in extents(symbol.type))
    return EntryArgument(symbol.name, element_type(symbol.type), True, sides, is_read, is_written)
