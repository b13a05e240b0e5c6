"""What the panels are given, for a few lines of C in the parameters that all regions of tests share."""

from __future__ import annotations

from functools import cache

from pencilc.codegen.render import render_with_places
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.ir.mapping import MappedProgram
from pencilc.options import CompileOptions
from pencilc.page.page import report_page
from tests.unit.records import DEFAULT, HEAD, TAIL


@cache
def compiled(body: str, options: CompileOptions = DEFAULT) -> Compilation:
    """The file with the region `body`, all stages of it."""
    return compile_source(SourceFile("folder/f.c", HEAD + body + TAIL), options)


def mapped(body: str, options: CompileOptions = DEFAULT) -> MappedProgram:
    """Its only region."""
    (program,) = compiled(body, options).programs
    return program


def page_of(done: Compilation) -> str:
    """The page of a compilation."""
    assert done.kernels is not None
    return report_page(done, render_with_places(done.kernels))
