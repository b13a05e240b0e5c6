"""The header of `--header`: every entry point of a generated file, for C and for C++.

C sees array parameters as C99 declares them, C++ and the device entries as pointers to the innermost
element; both are the same to the linker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from pencilc.codegen.cexpr import declarator, type_text
from pencilc.codegen.cstmt import declaration
from pencilc.codegen.entry_functions import entry_functions
from pencilc.codegen.local_names import LocalNames, names_printed
from pencilc.codegen.names import safe
from pencilc.ir.definitions import FunctionDeclaration
from pencilc.ir.host import Entry
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.nodes import Parameter
from pencilc.ir.rewrite import replaced
from pencilc.ir.scop import Scop
from pencilc.ir.source import (
    ArrayType,
    CType,
    IntLiteral,
    Node,
    PointerType,
    Struct,
    Symbol,
    TranslationUnit,
)
from pencilc.ir.source_printer import print_prototype

_CUDA = """/* On device pointers, asynchronous on `stream`; copies nothing.
   `_device_in` allocates nothing: it has a workspace, as large as `_workspace` tells and aligned to 256 bytes. */
#if defined(__CUDACC__) || defined(__CUDA_RUNTIME_API_H__)
#define {macro}_DEVICE
#elif defined(__has_include)
#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#define {macro}_DEVICE
#endif
#endif
#ifdef {macro}_DEVICE
#ifdef __cplusplus
extern "C" {{
#endif
{device}
#ifdef __cplusplus
}}
#endif
#endif
"""


def header(unit: TranslationUnit, programs: tuple[MappedProgram, ...], entries: tuple[Entry, ...], path: str) -> str:
    """The text of the header `path` of `entries`, those of `programs`; the types that they need are defined in it.

    A file that has these types already defines `<NAME>_NO_TYPES` before it includes the header.
    """
    macro = re.sub(r"\W", "_", PurePath(path).name).upper()
    macro = f"PENCILC_{macro}"
    scops = [program.scop for program in programs]
    structs = [s for s in unit.structs if s.name in set(_reached(scops))]
    lines = [
        f"/* Entry points of {PurePath(unit.file.path).name}. */",
        f"#ifndef {macro}",
        f"#define {macro}",
        "",
    ]
    if structs:
        lines += [f"#ifndef {macro}_NO_TYPES", *(line for s in structs for line in _struct(s)), "#endif", ""]
    lines += ["/* On host pointers, synchronous. */", "#ifdef __cplusplus", 'extern "C" {']
    functions = [entry_functions(entry) for entry in entries]
    lines += [_for_cpp(each["host"]) for each in functions]
    lines += ["}", "#else", *(_for_c(scop) for scop in scops), "#endif", ""]
    of_device = (declared for each in functions for kind, declared in each.items() if kind != "host")
    device = "\n".join(map(_for_cpp, of_device))
    return "\n".join(lines) + "\n" + _CUDA.format(macro=macro, device=device) + "\n#endif\n"


def _reached(scops: list[Scop]) -> Iterator[str]:
    for scop in scops:
        for ctype in (scop.region.returns, *(p.type for p in scop.region.params)):
            yield from _structs_in(ctype)


def _structs_in(ctype: CType) -> Iterator[str]:
    if isinstance(ctype, ArrayType):
        yield from _structs_in(ctype.element)
    elif isinstance(ctype, PointerType):
        yield from _structs_in(ctype.target)
    elif isinstance(ctype, Struct):
        yield ctype.name
        for member in ctype.members:
            yield from _structs_in(member.type)


def _struct(struct: Struct) -> Iterator[str]:
    """In C the name is a typedef too, as the source may have it, unless a function may have the name."""
    named = _as_named(struct)
    assert isinstance(named, Struct)
    name = type_text(named)
    is_tag_alone = name.startswith("struct ")
    yield f"{name} {{" if is_tag_alone else f"typedef struct {name} {{"
    yield from (f"    {declarator(m.type, safe(m.name))};" for m in named.members)
    yield "};" if is_tag_alone else f"}} {name};"


def _as_named(ctype: CType) -> CType:
    """The type with the names that callers know: `struct s` where a function or a variable is called `s` too."""
    match ctype:
        case ArrayType():
            return replace(ctype, element=_as_named(ctype.element))
        case PointerType():
            return replace(ctype, target=_as_named(ctype.target))
        case Struct():
            members = tuple(replace(each, type=_as_named(each.type)) for each in ctype.members)
            name = f"struct {ctype.name}" if ctype.output_name and ctype.is_tag else ctype.name
            return replace(ctype, name=name, members=members, output_name=name if ctype.output_name else "")
    return ctype


# ---- prototypes ------------------------------------------------------------------------------------


def _for_cpp(declared: FunctionDeclaration) -> str:
    """A function as C++ and the linker see it."""
    named = replace(
        declared, returns=_as_named(declared.returns), parameters=tuple(map(_parameter, declared.parameters))
    )
    return declaration(named, LocalNames(names_printed(named.parameters)).spell)


def _parameter(declared: Parameter) -> Parameter:
    """A parameter with the type that callers know; it does not hide that from those behind it."""
    hides_its_type = declared.name in set(_structs_in(declared.type))
    name = safe(f"{declared.name}_") if hides_its_type else declared.name
    return replace(declared, name=name, type=_as_named(declared.type))


def _for_c(scop: Scop) -> str:
    region = scop.region
    params = (_declared(scop, replace(p, type=_without_constants(p.type))) for p in region.declared_params)
    return f"{print_prototype(_as_named(region.returns), region.name, params)};"


def _without_constants(ctype: CType) -> CType:
    """The type of an array without enumeration constants in its extents: who calls it may not know their names."""

    def value(node: Node) -> Node | None:
        return replace(node, name="") if isinstance(node, IntLiteral) and node.name else None

    if not isinstance(ctype, ArrayType):
        return ctype
    extent = None if ctype.extent is None else replaced(ctype.extent, value)
    return replace(ctype, element=_without_constants(ctype.element), extent=extent)


def _declared(scop: Scop, symbol: Symbol) -> Symbol:
    """A parameter as C declares it: only elements are const."""
    ctype = _as_named(symbol.type)
    if symbol.name in scop.region.written_scalars:
        return replace(symbol, type=PointerType(ctype), is_const=False)
    return replace(symbol, type=ctype, is_const=symbol.is_const and isinstance(ctype, ArrayType))
