"""The header of `--header`: every entry point of a generated file, for C and for C++.

C sees array parameters as C99 declares them, C++ and the device entries as pointers to the innermost
element; both are the same to the linker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from pencilc.codegen.bodies import parameter as parameter_of
from pencilc.codegen.cexpr import declarator, parameter, type_text
from pencilc.codegen.names import entry_name, safe
from pencilc.codegen.workspace import needs_scratch
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.rewrite import replaced
from pencilc.ir.scop import Scop
from pencilc.ir.source import (
    ArrayType,
    CType,
    IntLiteral,
    Node,
    PointerType,
    Scalar,
    Struct,
    Symbol,
    TranslationUnit,
)
from pencilc.ir.source_printer import print_declarator, print_type

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


def header(unit: TranslationUnit, programs: tuple[MappedProgram, ...], path: str) -> str:
    """The text of the header `path`; the types that the entry points need are defined in it.

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
    lines += [_for_cpp(scop) for scop in scops]
    lines += ["}", "#else", *(_for_c(scop) for scop in scops), "#endif", ""]
    device = "\n".join(_on_device(program) for program in programs)
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


def _is_written(scop: Scop, symbol: Symbol) -> bool:
    return any(scop.is_written(a.name) for a in scop.arrays if a.symbol.name == symbol.name)


def _pointer(scop: Scop, symbol: Symbol) -> str:
    """A parameter as C++ and the linker see it; it does not hide its type from those behind it."""
    hides_its_type = symbol.name in set(_structs_in(symbol.type))
    named = replace(symbol, name=f"{symbol.name}_" if hides_its_type else symbol.name, type=_as_named(symbol.type))
    if symbol.name in scop.region.written_scalars:
        return f"{type_text(named.type)} *{safe(named.name)}"
    found = parameter_of(named)
    is_only_read = isinstance(symbol.type, ArrayType) and not _is_written(scop, symbol)
    return parameter(replace(found, is_const=True) if is_only_read else found)


def _for_cpp(scop: Scop) -> str:
    region = scop.region
    params = ", ".join(_pointer(scop, p) for p in region.params) or "void"
    name = entry_name(region.name)
    label = "" if name == region.name else f' __asm__("{region.name}")'
    return f"{type_text(_as_named(region.returns))} {name}({params}){label};"


def _for_c(scop: Scop) -> str:
    region = scop.region
    params = [_declared(scop, replace(p, type=_without_constants(p.type))) for p in region.declared_params]
    returns = region.returns
    text = returns.name if isinstance(returns, Scalar) else print_type(_as_named(returns))
    return f"{text} {region.name}({', '.join(params) or 'void'});"


def _without_constants(ctype: CType) -> CType:
    """The type of an array without enumeration constants in its extents: who calls it may not know their names."""

    def value(node: Node) -> Node | None:
        return replace(node, name="") if isinstance(node, IntLiteral) and node.name else None

    if not isinstance(ctype, ArrayType):
        return ctype
    extent = None if ctype.extent is None else replaced(ctype.extent, value)
    return replace(ctype, element=_without_constants(ctype.element), extent=extent)


def _declared(scop: Scop, symbol: Symbol) -> str:
    ctype = _as_named(symbol.type)
    if symbol.name in scop.region.written_scalars:
        return print_declarator(PointerType(ctype), symbol.name)
    return print_declarator(ctype, symbol.name, symbol.is_const and isinstance(ctype, ArrayType))


def _on_device(program: MappedProgram) -> str:
    scop = program.scop
    region = scop.region
    arguments = [_pointer(scop, p) for p in region.params]
    params = list(arguments)
    taken = {p.name for p in region.params}
    returns = type_text(_as_named(region.returns))
    if returns != "void":
        params.append(f"{returns} *{_free('result', taken)}")
    params.append(f"cudaStream_t {_free('stream', taken)}")
    stream = params.pop()
    entries = [f"cudaError_t {region.name}_device({', '.join([*params, stream])});"]
    if needs_scratch(program):
        bytes_ = _free("bytes", taken)
        workspace = f"void *{_free('workspace', taken)}"
        entries += [
            f"cudaError_t {region.name}_workspace({', '.join([*arguments, f'size_t *{bytes_}'])});",
            f"cudaError_t {region.name}_device_in({', '.join([*params, workspace, f'size_t {bytes_}', stream])});",
        ]
    return "\n".join(entries)


def _free(wish: str, taken: set[str]) -> str:
    while wish in taken:
        wish += "_"
    taken.add(wish)
    return wish
