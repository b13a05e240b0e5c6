"""Functions of the source whose names the generated file has for something else."""

from __future__ import annotations

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.source import Call, walk
from pencilc.options import CompileOptions

TEXT = """#include <pencil.h>
int halve(int n, int a[static const restrict n]) {
    int changed = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] != 0) { a[i] = a[i] / 2; changed++; }
#pragma endscop
    return changed;
}
void until_zero(int n, int a[static const restrict n]) {
#pragma scop
    while (halve(n, a)) ;
#pragma endscop
}
"""


def test_an_entry_point_that_a_region_calls_keeps_its_name() -> None:
    unit = compile_source(SourceFile("f.c", TEXT), CompileOptions(), "source").parsed
    assert [region.name for region in unit.regions] == ["halve", "until_zero"]
    (called,) = unit.functions
    assert called.name == "halve_1"
    (_, caller) = unit.regions
    assert {node.function for node in walk(caller.body) if isinstance(node, Call)} == {"halve_1"}
