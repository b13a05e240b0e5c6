"""Where accesses happen that a condition of their expression decides about."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.scop import AccessKind, Scop
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
static float at(int m, const float v[const restrict m], int k) { return k < 0 || k >= m ? 0.0f : v[k]; }
"""


def model(body: str) -> Scop:
    text = f"""{HEAD}void f(int n, int m, int s, const int a[static const restrict n * m],
       const float v[static const restrict m], float b[static const restrict n * m]) {{
#pragma scop
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {body}
#pragma endscop
}}
"""
    (scop,) = compile_source(SourceFile("f.c", text), CompileOptions(), "scop").scops
    return scop


def read_at(scop: Scop, symbol: str) -> isl.Set:
    """{ [i, j] }: the iterations in which an array may be read, for n = 4 and m = 5."""
    found = isl.Set("{ [i, j] : false }")
    for statement in scop.statements:
        for access in statement.accesses:
            if scop.array(access.array).symbol.name == symbol and access.kind is AccessKind.READ:
                found = found.union(access.relation.domain().reset_tuple_id())
    return found.intersect_params(isl.Set("[n, m, s] -> { : n = 4 and m = 5 and s = 2 }")).project_out(
        isl.dim_type.param, 0, 3
    )


CONDITIONS = [
    ("j < m - 1 ? a[i * m + j + 1] : 0", "0 <= j <= 3"),
    ("j == m - 1 ? 0 : a[i * m + j + 1]", "0 <= j <= 3"),
    ("j != m - 1 ? a[i * m + j + 1] : 0", "0 <= j <= 3"),
    ("j > 0 && a[i * m + j - 1] > 3", "1 <= j <= 4"),
    ("j == 0 || a[i * m + j - 1] > 3", "1 <= j <= 4"),
    ("(i > 0 && j > 0) ? a[(i - 1) * m + j - 1] : 0", "1 <= j <= 4 and i >= 1"),
    ("(i < 1 || j < 1) ? 0 : a[(i - 1) * m + j - 1]", "1 <= j <= 4 and i >= 1"),
    ("i > 1 ? (j < m - 1 ? a[i * m + j + 1] : 0) : 1", "0 <= j <= 3 and i >= 2"),
    ("b[0] > 2 && j > s ? a[i * m + j - 1] : 0", "3 <= j <= 4"),
    ("b[0] > 2 || j > s ? a[i * m + j] : 0", "0 <= j <= 4"),
]


@pytest.mark.parametrize(("value", "where"), CONDITIONS)
def test_an_expression_reads_where_its_conditions_let_it(value: str, where: str) -> None:
    wanted = isl.Set(f"{{ [i, j] : 0 <= i <= 3 and {where} }}")
    assert read_at(model(f"b[i * m + j] = {value};"), "a").is_equal(wanted)


def test_a_helper_reads_where_its_conditions_let_it() -> None:
    """What the helper reads of v: v[j - 1] for j > 0."""
    assert read_at(model("b[i * m + j] = at(m, v, j - 1);"), "v").is_equal(
        isl.Set("{ [i, j] : 0 <= i <= 3 and 0 < j <= 4 }")
    )


def test_conditions_on_what_a_statement_has_changed_tell_nothing() -> None:
    """k is not 0 any more where it is compared: v is read for whatever i and j."""
    body = "{ int k = 0; if (a[i * m + j] > 3) { k = a[i * m + j]; b[i * m + j] = k > 0 ? v[j] : 1; } }"
    assert read_at(model(body), "v").is_equal(isl.Set("{ [i, j] : 0 <= i <= 3 and 0 <= j <= 4 }"))


def test_a_row_is_not_left_where_a_condition_keeps_to_it() -> None:
    (array,) = model("b[i * m + j] = j < m - 1 ? a[i * m + j + 1] : 0;").arrays_of("a")
    assert len(array.extents) == 2
