"""The declarations of the file, entered into the file's context before anything is translated."""

from __future__ import annotations

import difflib
import re
from dataclasses import replace
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Fix, Severity
from pencilc.diagnostics.source import Span
from pencilc.frontend.context import FileContext
from pencilc.frontend.syntax.lexing import Chunk
from pencilc.frontend.translate.builtin_names import check_builtins
from pencilc.frontend.translate.declare import register
from pencilc.frontend.translate.pragmas import pragma_kind, warn_misspelt
from pencilc.frontend.translate.region_marks import loop_to_mark, marked
from pencilc.frontend.translate.types import TypeResolver

_INCLUDES = re.compile(r"[ \t]*#[ \t]*include[ \t]*[<\"]pencil\.h")
_SUMMARY = re.compile(r"(?:__)?pencil_access(?:__)?\s*\(\s*(\w+)")
_PURE = re.compile(r"\b(?:__)?(?:const|pure)(?:__)?\b")
_LAYOUT = re.compile(r"(?:__)?(packed|aligned|vector_size|ms_struct)(?:__)?\b[^,]*")
_PACK = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+pack[ \t]*\(([^)]*)\)", re.M)


def collect(context: FileContext, types: TypeResolver) -> None:
    """Enter functions, globals, types and attributes of the file into `context`."""
    for node in context.syntax.tree.ext:
        kind = type(node).__name__
        if kind == "FuncDef":
            _register_signature(context, types, node)
            if node.decl.name in context.syntax.opaque:
                _keep_prototype(context, node.decl)
                continue
            if node.decl.name in context.definitions:
                context.error(
                    "PC0015",
                    f"function `{node.decl.name}` is defined twice",
                    node.decl,
                    secondary=((context.definitions[node.decl.name].decl, "first defined here"),),
                )
            context.definitions[node.decl.name] = node
        elif kind == "Pragma":
            _stray_pragma(context, node)
        elif kind in ("Decl", "Typedef"):
            register(context, types, node, context.scope)
            if kind == "Decl" and type(node.type).__name__ == "FuncDecl":
                _keep_prototype(context, node)
            elif kind == "Decl" and node.name is not None:
                _keep_global(context, node)
    _redefinitions(context)
    _attributes(context)
    warn_misspelt(context)
    check_builtins(context)


def _redefinitions(context: FileContext) -> None:
    """Functions of the user's with the names of those that pencil.h defines: the user's are meant where that may be."""
    header = context.preprocessed.map.files.get("<pencilc>/pencil.h", "")
    for node in context.syntax.tree.ext:
        own = context.definitions.get(node.name) if type(node).__name__ == "Decl" else None
        if own is None or context.path_of(node) != "<pencilc>/pencil.h":
            continue
        there = ((node, "of pencil.h"),)
        without = f"PENCIL_NO_{node.name.upper()}"
        if without in header:
            context.report(
                Severity.NOTE,
                "PC0016",
                f"this `{node.name}` is used, and not that of pencil.h",
                own.decl,
                secondary=there,
                remedies=(_without(context, own, without),),
            )
        else:
            context.error(
                "PC0015",
                f"redefinition of `{node.name}`, which pencil.h defines",
                own.decl,
                secondary=there,
                helps=("give it another name",),
            )


def _without(context: FileContext, own: Any, macro: str) -> Fix | None:
    """The fix that keeps pencil.h from declaring a name that the file defines itself."""
    file = context.file_of(context.span(own.decl))
    line = next((k for k, text in enumerate(file.lines, 1) if _INCLUDES.match(text)), 0)
    text = f"other C compilers need `#define {macro}` before the `#include`"
    return fixes.fix(text, [fixes.line_before(file, Span(file.path, line, 1, 1), f"#define {macro}", indented=False)])


def _stray_pragma(context: FileContext, node: Any) -> None:
    """A pragma of PENCIL between functions says nothing."""
    kind = pragma_kind(node.string)
    if kind in ("scop", "endscop"):
        inside = ("put it into the function, before its loops or behind them",)
        remedy = _into_function(context, node) if kind == "scop" else None
        if kind == "endscop" and any("outside a function" in d.message for d in context.diagnostics):
            return  # The beginning has been told.
        context.error(
            "PC0104", f"`#pragma {kind}` outside a function", node, helps=inside if remedy is None else (),
            remedies=(remedy,),
        )  # fmt: skip
    elif kind in ("independent", "reduction"):
        context.error("PC0102", f"`#pragma pencil {kind}` stands before no loop", node)


def _into_function(context: FileContext, scop: Any) -> Fix | None:
    """The fix that moves `#pragma scop` and `#pragma endscop` from around a function to its first loop."""
    behind = context.syntax.tree.ext[context.syntax.tree.ext.index(scop) + 1 :]
    if len(behind) < 2 or type(behind[0]).__name__ != "FuncDef" or type(behind[1]).__name__ != "Pragma":
        return None
    loop = loop_to_mark(behind[0])
    if loop is None or pragma_kind(behind[1].string) != "endscop":
        return None
    first, edits = marked(context, loop)
    for pragma in (scop, behind[1]):
        span = context.span(pragma)
        line = context.file_of(span).line(span.line)
        edits.append(fixes.replaced(context.file_of(span), replace(span, column=1), line, ""))
    return fixes.fix(f"put them before and behind the loop at line {first.line}", edits)


def _register_signature(context: FileContext, types: TypeResolver, node: Any) -> None:
    register(context, types, node.decl, context.scope)


def _keep_prototype(context: FileContext, node: Any) -> None:
    # What the user declares wins over what pencil.h declares.
    known = context.prototypes.get(node.name)
    if known is None or context.path_of(known) == "<pencilc>/pencil.h":
        context.prototypes[node.name] = node


def _keep_global(context: FileContext, node: Any) -> None:
    known = context.globals.get(node.name)
    if known is None or known.init is None:
        context.globals[node.name] = node


def _attributes(context: FileContext) -> None:
    text = context.preprocessed.text
    for attribute in context.preprocessed.attributes:
        offset = _line_start(text, attribute.line) + attribute.column - 1
        chunk = next((c for c in context.syntax.chunks if c.end > offset), None)
        if chunk is None:
            continue
        if match := _SUMMARY.search(attribute.body):
            _keep_summary(context, chunk, match.group(1), attribute)
        elif match := _LAYOUT.search(attribute.body):
            first, last = text.count("\n", 0, chunk.start) + 1, text.count("\n", 0, chunk.end) + 1
            context.packed[min(first, attribute.line), last] = match.group().strip()
        elif _PURE.search(attribute.body):
            context.pure.add(chunk.name)
    first, last = _packed_lines(text)
    if first:
        context.packed[first, last] = "#pragma pack"


def _packed_lines(text: str) -> tuple[int, int]:
    """The lines between the first `#pragma pack(n)` and the last one that ends it."""
    first = end = 0
    for match in _PACK.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if re.search(r"\d", match.group(1)):
            first = first or line
            end = text.count("\n") + 1
        elif first:
            end = line
    return first, end


def _keep_summary(context: FileContext, chunk: Chunk, summary: str, attribute: Any) -> None:
    context.summaries[chunk.name] = summary
    span = context.preprocessed.map.span(attribute.line, attribute.column)
    if summary not in context.definitions and summary not in context.syntax.opaque:
        close = difflib.get_close_matches(summary, list(context.definitions), 1)
        context.error(
            "PC0501",
            f"summary function `{summary}` is not defined",
            span,
            helps=(f"did you mean `{close[0]}`?",) if close else (),
        )


def _line_start(text: str, line: int) -> int:
    position = 0
    for _ in range(line - 1):
        position = text.find("\n", position) + 1
    return position
