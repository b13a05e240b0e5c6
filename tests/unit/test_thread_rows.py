"""Which row the threads of a warp lie along: the lines of memory that 32 points take decide."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from pencilc.analysis.lines import WarpAccess
from pencilc.analysis.vectors import directions
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.shapes import Shape
from pencilc.ir.thread_rows import ThreadRow
from pencilc.options import CompileOptions
from pencilc.report.json import report_json
from pencilc.report.text import report_text
from tests.unit.test_cli import pencilc

FLOAT = WarpAccess((Fraction(4), Fraction(4096)), 4, 1)


def chosen(body: str, arrays: str, sizes: tuple[tuple[str, int], ...] = (), head: str = "") -> ThreadRow:
    """What was decided for the kernel of a loop nest over arrays."""
    parameters = ", ".join(f"float {array.replace('[', '[restrict static ', 1)}" for array in arrays.split())
    text = f"#include <pencil.h>\n{head}\nvoid f(int n, int m, {parameters}) {{\n"
    text += f"#pragma scop\n{body}\n#pragma endscop\n}}\n"
    done = compile_source(SourceFile("rows.c", text), CompileOptions(sizes=sizes), "mapping")
    found = done.programs[0].kernels()[0].thread_row
    assert found is not None
    return found


def lines(found: ThreadRow) -> dict[str, float]:
    """The lines of each candidate."""
    return {each.row: float(each.lines) for each in found.candidates}


def test_sectors_count_in_quarters_of_a_line() -> None:
    assert FLOAT.lines((1, 0), (2048, 2048)) == 1
    assert FLOAT.lines((0, 1), (2048, 2048)) == 8  # 32 sectors
    assert FLOAT.lines((1, 0), (3, 2048)) == 11 / 4  # eleven rows of three, none in two sectors
    assert WarpAccess((Fraction(-4),), 4, 1).lines((0,), (2048,)) == 1  # backwards
    assert WarpAccess((Fraction(0),), 4, 5).lines((0,), (2048,)) == 5


def test_directions_leave_the_other_rows_alone() -> None:
    """Along i - j, with i as it is, j falls."""
    for rows, expected in (((1, -1), (1, 0)), ((0, -1), (1, 1))), (((1, 0), (2, 0)), ((1, 0), (0, 0))):
        assert directions(rows, 2) == [tuple(map(Fraction, direction)) for direction in expected]


@pytest.mark.parametrize(
    ("body", "arrays", "row"),
    [
        ("for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) a[j][i] *= 2;", "a[n][m]", "i"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] *= 2;", "a[n][m]", "j"),
        ("for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) a[j][m - 1 - i] = i + j;", "a[n][m]", "i"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[j][i] = b[j][i] + c[i][j];",
         "a[n][n] b[n][n] c[n][n]", "i"),
        # What is read of a is in a register.
        ("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { a[i][j] = b[j][i]; c[j][i] = a[i][j] * 2; }",
         "a[n][n] b[n][n] c[n][n]", "i"),
        ("for (int i = 1; i < n - 1; i++) for (int j = 0; j < n; j++) a[i][j] = c[j][i - 1] + c[j][i + 1];",
         "a[n][n] c[n][n]", "i"),
        ("for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) a[j * m + i] = b[j * m + i];",
         "a[n*m] b[n*m]", "i"),
        ("for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) {"
         " float t = 0; for (int k = 0; k < 8; k++) t = t / 2 + b[k][i][j]; a[j][i] = t; }", "a[m][n] b[8][n][m]", "j"),
    ],
)  # fmt: skip
def test_the_row_with_the_fewest_lines_is_taken(body: str, arrays: str, row: str) -> None:
    found = chosen(body, arrays)
    assert found.row == row == min(lines(found), key=lines(found).__getitem__) and found.decided_by == "lines"


@pytest.mark.parametrize(
    ("element", "arrays", "row"),
    [
        ("a[k][2 * i]", "a[m][2*n]", "i"),
        ("a[k][n - 1 - i]", "a[m][n]", "i"),
        ("a[k * n + i]", "a[m*n]", "i"),
        ("a[i][3 * k]", "a[n][3*m]", "k"),
        ("a[k][i] * b[i][k] + a[m - 1 - k][i]", "a[m][n] b[n][m]", "i"),
    ],
)
def test_columns_that_lie_side_by_side_are_owned(element: str, arrays: str, row: str) -> None:
    """Results have a stride of their own, which does not matter."""
    body = f"for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) s[i][1] = fmaxf(s[i][1], {element});"
    found = chosen(f"__pencil_assume(n > 0 && m > 0);{body}", f"s[n][2] {arrays}", head="#include <math.h>")
    assert found.row == row and found.decided_by == "lines"


@pytest.mark.parametrize(("element", "shape"), [("b[j][i]", Shape.PARALLEL), ("b[i][j]", Shape.ROW)])
def test_a_thread_has_a_column_of_its_own_length_alone(element: str, shape: Shape) -> None:
    head = "static void zero(float *v) { *v = 0; } static float add(float x, float y) { return x + y; }"
    text = f"""#include <pencil.h>
    {head}
    void f(int n, const int p[restrict static n], float a[restrict static n], float b[restrict static n][n]) {{
    #pragma scop
        for (int i = 0; i < n; i++) {{
            __pencil_reduction_var_init(&a[i], zero);
            for (int j = 0; j < p[i]; j++)
                __pencil_reduction(&a[i], {element}, add);
        }}
    #pragma endscop
    }}
    """
    done = compile_source(SourceFile("rows.c", text), CompileOptions(), "mapping")
    assert [kernel.shape for kernel in done.programs[0].kernels()] == [shape]


def test_the_order_of_the_source_decides_between_equals() -> None:
    found = chosen("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[j][i] = b[i][j];", "a[n][n] b[n][n]")
    assert found.decided_by == "order" and found.row == "j" and lines(found) == {"i": 9, "j": 9}


def test_sectors_side_by_side_are_better_than_as_many_apart() -> None:
    """Eight of each of four rows are four sectors, as 32 of one row are; the loops stand in either order."""
    for loops in ("for (int i = 0; i < n; i++) for (int c = 0; c < 4; c++)", "FOR_C FOR_I"):
        found = chosen(f"{loops} a[c][i] *= 2;", "a[4][n]", head=FOR)
        assert found.decided_by == "spread" and found.row == "i" and lines(found) == {"i": 2, "c": 2}
        assert {each.row: each.spread for each in found.candidates} == {"i": 2, "c": 8}


FOR = """#define FOR_I for (int i = 0; i < n; i++)
#define FOR_C for (int c = 0; c < 4; c++)"""


def test_the_same_access_counts_once() -> None:
    body = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { a[i][j] = c[i][j]; b[i][j] = c[i][j]; }"
    assert lines(chosen(body, "a[n][m] b[n][m] c[n][m]")) == {"i": 24, "j": 3}


def test_sizes_weigh() -> None:
    """With few columns, threads go on in the next row of `b`; how many there are is nominal, assumed or given."""
    body = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { b[i][j] = c[j][i]; d[j][i] = c[j][i]; }"
    arrays = "b[n][m] c[m][n] d[m][n]"
    assert chosen(body, arrays).row == "i"
    given = chosen(body, arrays, (("m", 8),))
    assert lines(given) == {"i": 10, "j": 5} and {(s.name, s.value, s.source) for s in given.sizes} == {
        ("n", 2048, "nominal"), ("m", 8, "given"),
    }  # fmt: skip
    assert given.row == "j"
    assumed = chosen(f"__pencil_assume(m <= 8); {body}", arrays)
    assert assumed.row == "j" and ("m", 8, "assumed") in {(s.name, s.value, s.source) for s in assumed.sizes}
    assert chosen(f"__pencil_assume(m > 8); {body}", arrays, (("m", 8),)).row == "i"  # which cannot be


def test_the_report_tells() -> None:
    text = "#include <pencil.h>\nvoid f(int n, float a[restrict static n][3], const int p[restrict static n]) {\n"
    text += (
        "#pragma scop\nfor (int c = 0; c < 3; c++) for (int i = 0; i < n; i++) a[i][c] = p[p[i]];\n#pragma endscop\n}\n"
    )
    done = compile_source(SourceFile("rows.c", text), CompileOptions(sizes=(("n", 100),)), "mapping")
    told = "threads along `c`: lines of memory of 32 points 2, along `i` 4 (n = 100 given); 1 access not counted"
    assert told in report_text(done)
    (kernel,) = json.loads(report_json(done))["regions"][0]["items"]
    assert kernel["thread_row"] == {
        "row": "c", "decided_by": "lines", "not_counted": 1,
        "candidates": [
            {"row": "c", "lines": 2.0, "spread": 2.0, "points": 3},
            {"row": "i", "lines": 4.0, "spread": 4.0, "points": 100},
        ],
        "sizes": [{"name": "n", "value": 100, "source": "given"}],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sizes", "told"),
    [("n=1,2", "--sizes n: give one value to choose for"), ("k=3", "--sizes k: no region has an integer parameter")],
)
def test_sizes_to_choose_for_are_checked(sizes: str, told: str, tmp_path: Path) -> None:
    loop = "#pragma scop\nfor (int i = 0; i < n; i++) a[i] = i;\n#pragma endscop\n"
    (tmp_path / "f.c").write_text(f"void f(int n, int a[restrict static n]) {{\n{loop}}}\n")
    result = pencilc(tmp_path, "f.c", "--sizes", sizes)
    assert result.returncode == 2 and told in result.stderr and not (tmp_path / "f.cu").exists()
