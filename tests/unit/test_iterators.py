"""Which elements change while a statement is executed (analysis/iterators.py)."""

from __future__ import annotations

from pencilc.analysis.iterators import moves_inside
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.queries import names_in
from pencilc.ir.source import Index, walk
from pencilc.options import CompileOptions

TEXT = """#include <pencil.h>
static void zero(float *e) { *e = 0; }
static float add(float a, float b) { return a + b; }
float f(int n, const float a[static const restrict n + 8], const int c[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) {
        float v = a[i];
        int left = c[i];
        while (left > 0) {
            int at = i + left % 2;
            v += a[at];
            for (int k = 0; k < 8; k++) v += a[i + k];
            left >>= 1;
        }
        __pencil_reduction(&s, v, add);
    }
    return s;
}
"""


def test_what_a_construct_sets_changes_elements() -> None:
    done = compile_source(SourceFile("f.c", TEXT), CompileOptions(), "mapping")
    (kernel,) = done.programs[0].kernels()
    rows = (*kernel.kept, *kernel.reduced)
    found: dict[frozenset[str], bool] = {}
    for statement in done.scops[0].statements:
        for node in () if statement.body is None else walk(statement.body):
            if isinstance(node, Index):
                found[frozenset(names_in(node))] = moves_inside(done.scops[0], rows, statement.name, node)
    assert found.pop(frozenset({"a", "i", "k"}))
    assert found.pop(frozenset({"a", "at"}))
    assert found and not any(found.values())
