"""`--manifest FILE.json`: what programs need to know of a generated file in order to call it.

Entry points with their symbols, arguments with types and extents, launches.  `manifest.schema.json` beside this file
describes it; what can be computed from what it says is not said again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from pencilc import __version__
from pencilc.driver import Compilation
from pencilc.ir.host import Fallback, HostFor, HostNode
from pencilc.ir.launches import KernelLaunch
from pencilc.ir.source import BFLOAT16, ArrayType, CType, Scalar, Struct
from pencilc.ir.source_printer import print_expr
from pencilc.python.entries import EntryArgument, EntryPoint, entries_of

FORMAT = "pencilc manifest"
VERSION = 1

Json = dict[str, object]


def manifest_text(done: Compilation, cuda_file: str, runtime: str | None = None) -> str:
    """The manifest of a compilation whose CUDA goes to `cuda_file` (`-`: to none); the same text on every run.

    `runtime` is the header that this file includes, if it does.
    """
    return json.dumps(manifest_of(done, cuda_file, runtime), indent=2, ensure_ascii=False) + "\n"


def manifest_of(done: Compilation, cuda_file: str, runtime: str | None = None) -> Json:
    """The manifest as plain objects."""
    assert done.kernels is not None
    entries = entries_of(done)
    launches = {entry.symbol: tuple(_launches(entry.items)) for entry in done.kernels.entries}
    return {
        "format": FORMAT,
        "version": VERSION,
        "pencilc": __version__,
        "source": PurePath(done.file.path).name,
        "cuda": None if cuda_file == "-" else PurePath(cuda_file).name,
        "runtime": runtime,
        "arch": done.options.target.arch,
        "functions": [_function(entry, launches[entry.symbol]) for entry in entries],
    }


def _function(entry: EntryPoint, launches: Sequence[Json]) -> Json:
    return {
        "name": entry.name,
        "line": entry.line,
        "prototype": entry.prototype,
        "returns": _type(entry.returns) if entry.returns_value else None,
        "arguments": [_argument(argument) for argument in entry.arguments],
        "entries": {each.kind: {"symbol": each.symbol, "then": list(each.then)} for each in entry.symbols},
        "waits": entry.waits,
        "launches": list(launches),
    }


def _argument(argument: EntryArgument) -> Json:
    passed = "array" if argument.is_array else "pointer" if argument.goes_by_pointer else "value"
    found: Json = {"name": argument.name, "passed": passed, "type": _type(argument.type)}
    if argument.is_array:
        found["extents"] = [None if extent is None else print_expr(extent) for extent in argument.extents]
    if passed != "value":
        found["read"], found["written"] = argument.is_read, argument.is_written
    return found


def _type(ctype: CType) -> Json:
    if isinstance(ctype, Struct):
        members = [{"name": m.name, "offset": m.offset, **_member(m.type)} for m in ctype.members]
        return {"kind": "struct", "name": ctype.name, "size": ctype.size, "align": ctype.align, "members": members}
    assert isinstance(ctype, Scalar)
    kind = "bfloat" if ctype == BFLOAT16 else ctype.kind
    return {"kind": kind, "name": ctype.name, "size": ctype.size, "align": ctype.align}


def _member(ctype: CType) -> Json:
    """The type of a member, and the numbers of elements where it is an array."""
    extents = []
    while isinstance(ctype, ArrayType):
        extents.append(ctype.size // ctype.element.size)
        ctype = ctype.element
    return {"type": _type(ctype), **({"extents": extents} if extents else {})}


def _launches(items: Sequence[HostNode], loops: tuple[str, ...] = (), unless: str = "") -> Iterator[Json]:
    """The launches in order, with the host's loops around them and the kernel that may stand for them."""
    for item in items:
        if isinstance(item, KernelLaunch):
            yield {
                "kernel": item.name,
                "shape": item.launched_by,
                "functions": [{"name": each.name, "block": each.block} for each in item.starts],
                "loops": list(loops),
                "unless": item.unless or unless or None,
            }
        elif isinstance(item, Fallback):
            yield from _launches(item.inner, loops, item.name)
        elif isinstance(item, HostFor):
            yield from _launches(item.inner, (*loops, item.name), unless)
        else:
            yield from _launches(item.inner, loops, unless)
