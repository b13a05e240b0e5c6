"""PC0106: a file in which nothing is to be compiled, and what was probably meant to be."""

from __future__ import annotations

import re

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Fix, Severity
from pencilc.diagnostics.source import Span
from pencilc.frontend.context import FileContext
from pencilc.frontend.options import FrontendOptions
from pencilc.frontend.regions.classify import has_construct
from pencilc.frontend.translate.pragmas import instead_of_other
from pencilc.frontend.translate.region_marks import loop_to_mark, marked
from pencilc.ir.source import TranslationUnit

_OTHERS = re.compile(r"[ \t]*#[ \t]*pragma[ \t]+((?:omp|acc)\b.*)")


def check_something_to_do(context: FileContext, unit: TranslationUnit, options: FrontendOptions) -> None:
    """Report a file without regions: a warning where all may be left to the host."""
    if unit.regions or any(d.severity is Severity.ERROR for d in context.diagnostics):
        return
    if context.syntax.opaque:
        for diagnostic in context.syntax.opaque.values():
            context.error(diagnostic.code, diagnostic.message, diagnostic.span)
        return
    left = [n for n in options.left_to_host if n in context.definitions and has_construct(context.definitions[n].body)]
    severity = Severity.WARNING if options.may_be_empty and options.left_to_host else Severity.ERROR
    message = "nothing to compile in this file"
    first = context.preprocessed.map.files.get(unit.file.path, "")
    line = next((k for k, text in enumerate(first.splitlines(), 1) if text.strip()), 1)
    where, label = Span(unit.file.path, line, 1, 2), ""
    notes = ["no function holds a reduction builtin, `#pragma scop` or `#pragma pencil`"]
    helps: tuple[str, ...] = (
        "mark a region with `#pragma scop` and `#pragma endscop`, or use `--autodetect`; `pencilc port` says what "
        "plain C needs and writes the change",
    )
    remedies: list[Fix | None] = []
    if left:
        names = ", ".join(f"`{name}`" for name in left)
        notes = [f"what holds a reduction builtin, `#pragma scop` or `#pragma pencil` is left to the host: {names}"]
        helps = ("`--on-unsupported=error` says what stands in the way",)
    elif options.autodetect:
        stay = options.left_to_host or any(d.code == "PC0110" for d in context.diagnostics)
        notes.append(
            "a note says of each loop why it stays on the host"
            if stay
            else "no loop outside of them writes an array or reduces a scalar as a region may"
        )
        helps = (
            "mark a region with `#pragma scop` and `#pragma endscop`, to be told what stands in the way; floating sums "
            "are found with `-fassociative-math`; `pencilc port` writes the change that a function needs",
        )
    elif misspelt := [d for d in context.diagnostics if d.code == "PC0101" and d.fixes]:
        # They are why there is nothing: one cause, one message.
        context.diagnostics[:] = [d for d in context.diagnostics if d not in misspelt]
        where = misspelt[0].span
        label, notes, helps = "this pragma is ignored", [], ()
        edits = [edit for d in misspelt for edit in d.fixes[0].edits]
        words = [d.fixes[0].help.removeprefix("write ") for d in misspelt]
        remedies = [Fix(f"write {' and '.join(dict.fromkeys(words))}", tuple(edits))]
    elif other := _other_pragma(context, unit.file.path):
        where, label, remedies = other
        notes, helps = (
            [],
            ("`#pragma scop` and `#pragma endscop` around the loops are enough where pencilc can prove it",),
        )
    elif (made := _around_a_loop(context, unit.file.path)) is not None:
        remedies, helps = (
            [made],
            ("or use `--autodetect`; `pencilc port` says what plain C needs and writes the change",),
        )
    context.report(severity, "PC0106", message, where, label, notes=notes, helps=helps, remedies=remedies)


def _other_pragma(context: FileContext, path: str) -> tuple[Span, str, list[Fix | None]] | None:
    """The first pragma of OpenMP or OpenACC: its place, what to say of it, and what to write instead."""
    for number, text in enumerate(context.preprocessed.map.output_lines, 1):
        match = _OTHERS.match(text)
        if match is None or context.preprocessed.map.path_of(number) != path:
            continue
        span = context.preprocessed.map.span(number, match.start(1) + 1)
        name = "OpenMP" if match.group(1).startswith("omp") else "OpenACC"
        return span, f"this is {name}, which pencilc does not read", [instead_of_other(context, span, match.group(1))]
    return None


def _around_a_loop(context: FileContext, path: str) -> Fix | None:
    """The fix that marks the first outermost loop of the file that writes an array or a variable around it."""
    for function in context.definitions.values():
        if function.decl.name in context.syntax.opaque or context.path_of(function.decl) != path:
            continue
        loop = loop_to_mark(function)
        if loop is not None:
            first, edits = marked(context, loop)
            text = f"put `#pragma scop` before the loop at line {first.line} and `#pragma endscop` behind it"
            return fixes.fix(text, edits)
    return None
