"""Accesses of one macro, which is one place of the source, are found again each by its own place."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.scop import AccessKind, Scop
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
#define NEXT(i) (a[(i) + 1] - a[i])
#define FIELD(i) (p[(i) + 1].x - p[i].x)
#define THROUGH(i) (a[k[i]] + a[k[(i) + 1]])
typedef struct { float x, y; } Point;
"""
PARAMS = (
    "int n, const float a[static const restrict n + 1], const Point p[static const restrict n + 1],"
    " const int k[static const restrict n + 1], float o[static const restrict n]"
)


def model(statement: str) -> Scop:
    text = f"{HEAD}void f({PARAMS})\n{{\n#pragma scop\nfor (int i = 0; i < n; i++) {statement}\n#pragma endscop\n}}\n"
    (scop,) = compile_source(SourceFile("f.c", text), CompileOptions(), "model").scops
    return scop


@pytest.mark.parametrize(
    ("statement", "reads"),
    [
        ("o[i] = NEXT(i);", 2),
        ("o[i] = NEXT(i) * NEXT(i);", 4),
        ("o[i] = FIELD(i);", 2),
        ("o[i] = THROUGH(i);", 4),
        ("o[i] = i > 0 ? NEXT(i) : a[0];", 3),
    ],
)
def test_reads_have_places_of_their_own(statement: str, reads: int) -> None:
    scop = model(statement)
    (record,) = (s for s in scop.statements if s.body is not None and s.accesses)
    spans = [access.span for access in record.accesses if access.kind is AccessKind.READ]
    assert len(spans) == reads
    assert len(set(spans)) == reads


def test_a_place_is_that_of_the_source() -> None:
    """What is told of an access names the line and the column that the user wrote."""
    scop = model("o[i] = NEXT(i);")
    places = {str(a.span) for s in scop.statements for a in s.accesses if a.array.startswith("a")}
    assert len(places) == 1


def test_what_a_macro_reads_side_by_side_comes_in_chunks() -> None:
    text = f"""{HEAD}static void zero(float *v) {{ *v = 0; }}
static float add(float a, float b) {{ return a + b; }}
float total(int n, const float a[static const restrict n + 1])
{{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, NEXT(i), add);
    return s;
}}
"""
    (program,) = compile_source(SourceFile("f.c", text), CompileOptions(), "mapping").programs
    (kernel,) = program.kernels()
    assert kernel.loads.width == 4
