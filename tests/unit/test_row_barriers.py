"""Barriers of the lanes of a row: where what follows the reduction meets what other lanes have done, nowhere else."""

from __future__ import annotations

import re

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions

ROWS = """#include <pencil.h>
static void zero(float *v) {{ *v = 0; }}
static float add(float a, float b) {{ return a + b; }}
void f(int n, int m, {a} a[static const restrict n][m], float b[static const restrict n][m],
       float o[static const restrict n]) {{
    for (int i = 0; i < n; i++) {{
        float s;
        __pencil_reduction_var_init(&s, zero);
        for (int j = 0; j < m; j++) {{
            {element}
            __pencil_reduction(&s, a[i][j], add);
        }}
        {behind}
    }}
}}
"""


@pytest.mark.parametrize(
    ("a", "element", "behind", "waits"),
    [
        ("float", "a[i][j] = a[i][j] * 2;", "o[i] = s + a[i][m / 2];", True),  # reads what another lane stored
        ("float", "a[i][j] = a[i][j] * 2;", "a[i][m - 1] = s; o[i] = s;", True),  # stores over it
        ("float", "", "a[i][m - 1] = s;", True),  # stores over what another lane read
        ("float", "a[i][j] = a[i][j] * 2;", "o[i] = s;", False),
        ("const float", "", "o[i] = s + a[i][m / 2];", False),
        ("const float", "", "o[i] = s + a[i][0];", False),
    ],
)
def test_lanes_wait_where_they_meet(a: str, element: str, behind: str, waits: bool) -> None:
    text = ROWS.format(a=a, element=element, behind=behind)
    cuda = compile_source(SourceFile("rows.c", text), CompileOptions()).cuda
    functions = [part.partition("\n}\n")[0] for part in cuda.split("\nstatic __")[1:]]
    rows = [f for f in functions if re.match(r"[^(]*(\(\d+, \d+\))?[^(]* \w+_(lanes|short|warps)\(", f)]
    assert rows
    assert [("__syncwarp();" in row) for row in rows] == [waits] * len(rows)
