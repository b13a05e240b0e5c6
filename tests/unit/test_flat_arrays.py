"""Flattened arrays get their dimensions where every access stays in its row, and stay as they are elsewhere."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc.codegen.header import header
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.ir.scop import AccessKind
from pencilc.ir.source import ArrayType
from pencilc.ir.source_printer import print_stmt
from pencilc.options import CompileOptions

HEAD = """#include <stddef.h>
#include <stdint.h>
#include <pencil.h>
struct p { float x, v[2]; }; static void put(float *v, float x) { *v = x; }
static void whole(int n, float v[static const restrict n]) { if (n > 0) v[0] = 1; }
"""
ARRAYS = "const float a[static const restrict n * m], float b[static const restrict n * m]"


def compiled(body: str, arrays: str = ARRAYS, sizes: str = "int n, int m") -> Compilation:
    text = f"{HEAD}void f({sizes}, {arrays})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    return compile_source(SourceFile("f.c", text), CompileOptions(), "scop")


def shapes(done: Compilation) -> dict[str, int]:
    """How many dimensions each array parameter has in the model."""
    (scop,) = done.scops
    return {a.name: len(a.extents) for a in scop.arrays if isinstance(a.symbol.type, ArrayType)}


NEST = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) "


QUOTIENTS = [
    ("int n, int m", "(n / 2) * (m / 2)", "n / 2", "m / 2", "i * (m / 2) + j", 2),
    ("size_t n, size_t m", "(n / 2) * (m / 2)", "n / 2", "m / 2", "i * (m / 2) + j", 2),
    ("int n, int m", "n * ((m - 3) / 2 + 1)", "n", "(m - 3) / 2 + 1", "j + i * (1 + (m - 3) / 2)", 2),
    ("int n, int m", "n * (m / 2)", "n", "m / 2", "i * (m / 3) + j", 1),
    ("int n, int m", "n * (m / 2)", "n", "m", "i * (m / 2) + j", 1),
    ("int n, int m, int k", "n * (m / k)", "n", "m / 2", "i * (m / k) + j", 1),
    ("int n, int m, int k", "n * (m / k)", "n", "m / k", "i * (m / k) + j", 2),
    ("size_t n, size_t m, size_t k", "(m / k) * n", "n", "m / k", "j + i * (m / k)", 2),
]


@pytest.mark.parametrize(("sizes", "extent", "rows", "columns", "subscript", "dimensions"), QUOTIENTS)
def test_rows_may_be_quotients(
    sizes: str, extent: str, rows: str, columns: str, subscript: str, dimensions: int
) -> None:  # fmt: skip
    ctype = sizes.split()[0]
    body = f"{ctype} last = {columns}; for ({ctype} i = 0; i < {rows}; i++) for ({ctype} j = 0; j < last; j++)"
    done = compiled(f"{body} b[{subscript}] = 1;", f"float b[static const restrict {extent}]", sizes)
    assert shapes(done) == {"b": dimensions}


@pytest.mark.parametrize("extent", ["n * m * 3", "3 * n * m", "m * 3 * n", "3 * (n * m)"])
def test_colours_beside_each_other_in_whatever_order_their_extent_is_written(extent: str) -> None:
    arrays = f"const float a[static const restrict {extent}], float b[static const restrict {extent}]"
    done = compiled(f"{NEST}for (int c = 0; c < 3; c++) b[(i * m + j) * 3 + c] = a[i * m * 3 + j * 3 + c];", arrays)
    assert shapes(done) == {"a": 3, "b": 3}
    assert "b[i][j][c] = a[i][j][c]" in print_stmt(done.scops[0].region.body)


@pytest.mark.parametrize(
    ("extent", "rows", "columns", "subscript", "dimensions"),
    [
        ("4 * n * m", "2 * n", "2 * m", "i * 2 * m + j", 3),
        ("4 * n * m", "2 * n", "2 * m", "j + 2 * (m * i)", 3),
        ("6 * n * m", "3 * n", "2 * m", "2 * i * m + j", 3),
        ("6 * n * m", "2 * n", "3 * m", "3 * i * m + j", 3),
        ("4 * n * m", "n", "4 * m", "4 * i * m + j", 3),
        ("4 * n * m", "n", "m", "(i * m + j) * 4 + 3", 3),
        ("4 * n * m", "2 * n", "3 * m", "i * 2 * m + j", 1),
    ],
)  # fmt: skip
def test_rows_may_be_several_times_a_size(
    extent: str, rows: str, columns: str, subscript: str, dimensions: int
) -> None:  # fmt: skip
    """The loop over such a row is taken for the two that it may have been, so that the row has two dimensions."""
    body = f"for (int i = 0; i < {rows}; i++) for (int j = 0; j < {columns}; j++) b[{subscript}] = 1;"
    done = compiled(body, f"float b[static const restrict {extent}]")
    assert shapes(done) == {"b": dimensions}


def test_pixels_of_four_bytes_stay_so() -> None:
    arrays = "float b[static const restrict 4 * n * m]"
    done = compiled(f"{NEST}{{ b[(i * m + j) * 4] = 1; b[(i * m + j) * 4 + 2] = 1; }}", arrays)
    assert "b[i][j][2] = 1" in print_stmt(done.scops[0].region.body)


@pytest.mark.parametrize(
    ("subscript", "wanted"),
    [
        ("i * m + j", "[i][j]"),
        ("j + m * i", "[i][j]"),
        ("(n - 1 - i) * m + j", "[n - 1 - i][j]"),
        ("(i + 1) * m - 1 - j", "[i][m - 1 - j]"),
        ("i * m + m - 1 - j", "[i][m - 1 - j]"),
        ("(size_t)i * m + j", "[i][j]"),
        ("(long)(i * m) + j", "[i][j]"),
        ("i * m + (j > 0 ? j - 1 : 0)", "[i][j > 0 ? j - 1 : 0]"),
        ("i * m", "[i][0]"),
    ],
)
def test_the_subscripts_of_a_row(subscript: str, wanted: str) -> None:
    done = compiled(f"{NEST}b[i * m + j] = a[{subscript}];")
    assert shapes(done) == {"a": 2, "b": 2}
    text = print_stmt(done.scops[0].region.body)
    for cast in ("(long)", "(unsigned long)"):
        text = text.replace(cast, "")
    assert f"a{wanted}" in text.replace("a[(i)]", "a[i]"), text


@pytest.mark.parametrize(
    "subscript",
    [
        pytest.param("i * m + j + 1", id="into_the_next_row"),
        pytest.param("i * m + j - 1", id="into_the_row_before"),
        pytest.param("i * j", id="no_size"),
        pytest.param("i * n + j", id="another_size"),
        pytest.param("i * i * m + j", id="square"),
    ],
)
def test_of_what_may_leave_its_row_alone_stays_flat(subscript: str) -> None:
    assert shapes(compiled(f"{NEST}b[i * m + j] = a[(int)({subscript})];"))["a"] == 1


def accesses(done: Compilation, array: str, kind: AccessKind) -> list[tuple[str, bool]]:
    """The elements that statements touch, and whether these are known."""
    (scop,) = done.scops
    found = (a for s in scop.statements for a in s.accesses if a.array == array and a.kind is kind)
    return [(str(a.relation.intersect_params(scop.context).range().coalesce()), a.exact) for a in found]


def is_whole(elements: str, array: str) -> bool:
    """Whether they are all of an n x m array, where there are any."""
    found = isl.Set(elements)
    return bool(
        found.is_equal(
            isl.Set(f"[n, m] -> {{ {array}[i, j] : 0 <= i < n and 0 <= j < m }}").intersect_params(found.params())
        )
    )


LEAVES = ["i * m + j + 1", "i * m + j - 1", "i * m + (int)a[j]", "p * m + q", "(i + p) * m + 2 * j"]


@pytest.mark.parametrize("subscript", LEAVES)
@pytest.mark.parametrize("statement", ["b[i * m + j] = a[{}];", "a[{}] = b[i * m + j];", "a[{}] += 1;"])
def test_beside_others_it_may_be_any_element(statement: str, subscript: str) -> None:
    """Whatever the sizes say: the next row begins behind the last element of one."""
    body = f"{NEST}b[i * m + j] = a[i * m + j];\n{NEST}{statement.format(subscript)}"
    done = compiled(body, ARRAYS.replace("const float a", "float a"), "int n, int m, int p, int q")
    assert shapes(done) == {"a": 2, "b": 2}
    kind = AccessKind.READ if statement.startswith("b") else AccessKind.MAY_WRITE
    found = [elements for elements, exact in accesses(done, "a", kind) if not exact]
    assert found and all(is_whole(each, "a") for each in found), found


PROMISES = {
    "p * m + q": "m >= q + 1 && q >= 0",
    "i * m + j + 1": "",
    "i * m + (int)a[j]": "",
}


@pytest.mark.parametrize("subscript", PROMISES)
def test_what_is_to_be_promised_is_told(subscript: str) -> None:
    body = f"{NEST}a[i * m + j] = 1;\n{NEST}a[{subscript}] = b[i * m + j];"
    done = compiled(body, ARRAYS.replace("const float a", "float a"), "int n, int m, int p, int q")
    (told,) = (each for each in done.diagnostics if each.code == "PC0301")
    assert "may be in another row of `a`" in told.message and "rows of `a` have `m` elements" in told.notes[0]
    promise = f"`__pencil_assume({PROMISES[subscript]});`" if PROMISES[subscript] else "`__pencil_assume`"
    assert promise in told.helps[0]


def test_a_step_that_divides_the_row_is_to_be_promised() -> None:
    nest = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j += 2)"
    arrays = ARRAYS.replace("const float a", "float a")
    body = f"{nest} {{ a[i * m + j] = 1; a[i * m + j + 1] = b[i * m + j]; }}"
    (told,) = (each for each in compiled(body, arrays).diagnostics if each.code == "PC0301")
    assert "`__pencil_assume(m % 2 == 0);`" in told.helps[0]
    assert not compiled(f"__pencil_assume(m % 2 == 0); {body}", arrays).diagnostics


def test_a_subscript_that_is_affine_as_it_stands_keeps_the_array_flat() -> None:
    """What goes through all elements by one counter would touch any of them."""
    body = f"{NEST}b[i * m + j] = a[i * m + j];\nfor (int i = 0; i < n; i++) b[2 * i] += a[i * m];"
    assert shapes(compiled(body, ARRAYS.replace("const float a", "float a")))["b"] == 1


def test_loops_of_a_statement_go_through_known_elements() -> None:
    """A loop under a condition on data stays in its row, or does not."""
    for last, exact in (("m", True), ("m + 1", False)):
        loop = f"for (int j = 0; j < {last}; j++) if (a[i * m + j] > 0) b[i * m + j] = a[i * m];"
        done = compiled(f"{NEST}b[i * m + j] = 0;\nfor (int i = 0; i < n; i++) if (a[i * m] > 1) {{ {loop} }}")
        assert shapes(done)["b"] == 2
        (written,) = (each for each, _ in accesses(done, "b", AccessKind.MAY_WRITE))
        assert exact or is_whole(written, "b")


READ_BY_DATA = ["b[(k[i] * m + k[j]) * 3 + c]", "b[(i * m + k[j] % m) * 3 + c]", "b[k[i]]"]


@pytest.mark.parametrize("read", READ_BY_DATA, ids=["rows", "in_rows", "all"])
def test_data_pick_the_rows_of_what_is_touched_beside(read: str) -> None:
    arrays = "const int k[static const restrict n + m], float b[static const restrict 3 * n * m]"
    arrays += ", float x[static const restrict n]"
    inner = "for (int c = 0; c < 3; c++)"
    body = f"{NEST}{inner} b[(i * m + j) * 3 + c] += 1;\n{NEST}{inner} x[i] += {read};"
    assert shapes(compiled(body, arrays))["b"] == 3
    assert shapes(compiled(f"{NEST}{inner} b[(i * m + j) * 3 + c] += 1;\n{NEST}{inner} {read} = i;", arrays))["b"] == 3
    # Alone it has no shape.
    assert shapes(compiled(f"{NEST}{inner} x[i] += {read};", arrays))["b"] == 1


def test_the_condition_around_an_access_counts() -> None:
    done = compiled(f"{NEST}if (j > 0) b[i * m + j] = a[i * m + j - 1];")
    assert shapes(done) == {"a": 2, "b": 2}


def test_what_is_promised_of_a_pitch_counts() -> None:
    nest = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i * p + j] = a[i * p + j];"
    arrays = ARRAYS.replace("n * m", "n * p")
    nest = nest.replace("b[", "if (a[0] > 0) b[").replace("a[i", "1; //")
    assert shapes(compiled(nest, arrays, "int n, int m, int p"))["b"] == 1
    assert shapes(compiled(f"__pencil_assume(m <= p); {nest}", arrays, "int n, int m, int p"))["b"] == 2


@pytest.mark.parametrize("half", ["w / 2", "(w + 4) / 2 - 2", "(2 * m) / 2", "4 * m / 4"])
def test_a_size_that_is_multiplied_and_divided(half: str) -> None:
    """Of a plane with half of the columns of another one."""
    done = compiled(f"int w = 2 * m; {NEST}b[i * ({half}) + j] = a[i * m + j];")
    assert shapes(done) == {"a": 2, "b": 2}


def test_a_quotient_that_is_rounded_is_another_size() -> None:
    done = compiled(f"int w = 2 * m + 1; {NEST}b[i * (w / 2) + j] = a[i * m + j];")
    assert shapes(done)["b"] == 1


@pytest.mark.parametrize(
    ("array", "element", "wanted"),
    [
        ("x[static const restrict n][g * c]", "x[i][j * c + k]", "x[i][j][k]"),
        ("x[static const restrict g * c][n]", "x[j * c + k][i]", "x[j][k][i]"),
        ("x[static const restrict n][g * c][n]", "x[i][c * j + k][n - 1 - i]", "x[i][j][k][n - 1 - i]"),
        ("x[static const restrict n][g * c]", "x[i][j * c + c - 1 - k]", "x[i][j][c - 1 - k]"),
        ("x[static const restrict n][2 * g * c]", "x[i][(2 * j + 1) * c + k]", "x[i][j][1][k]"),
    ],
)
def test_a_dimension_that_is_a_product(array: str, element: str, wanted: str) -> None:
    nest = "for (int i = 0; i < n; i++) for (int j = 0; j < g; j++) for (int k = 0; k < c; k++)"
    done = compiled(f"{nest} {element} = 1;", f"float {array}", "int n, int g, int c")
    assert shapes(done)["x"] == wanted.count("[") and not done.diagnostics
    assert wanted in print_stmt(done.scops[0].region.body)


def test_a_row_that_is_passed_on_keeps_its_dimension() -> None:
    """Only where all subscripts stand beside each other are they changed."""
    nest = "for (int i = 0; i < n; i++) for (int j = 0; j < g; j++) for (int k = 0; k < c; k++)"
    helper = "static float first(int w, const float v[static const restrict w]) { return v[0]; }"
    text = f"{helper}\nvoid f(int n, int g, int c, float x[static const restrict n][g * c])\n{{\n#pragma scop\n"
    text += f"{nest} x[i][j * c + k] = 1;\nfor (int i = 0; i < n; i++) x[i][0] = first(g * c, x[i]);\n"
    text += "#pragma endscop\n}\n"
    assert shapes(compile_source(SourceFile("f.c", text), CompileOptions(), "scop"))["x"] == 2


def test_what_has_another_form_is_any_element_beside_others() -> None:
    body = f"{NEST}b[i * m + j] = a[i * m + j];\n{NEST}b[i * j] = a[i * n + j];"
    done = compiled(body, ARRAYS.replace("const float a", "float a"))
    assert shapes(done) == {"a": 2, "b": 2}
    assert {exact for _, exact in accesses(done, "a", AccessKind.READ)} == {True, False}
    told = [each.message for each in done.diagnostics if each.code == "PC0301"]
    assert told == ["`b[i * j]` may be in another row of `b`: any element may be touched"]


def test_three_dimensions() -> None:
    done = compiled(
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < 3; k++)"
        " { int p = (i * m + j) * 3 + k; b[p] = a[(k * n + i) * m + j]; }",
        "const float a[static const restrict 3 * n * m], float b[static const restrict n * m * 3]",
    )
    assert shapes(done) == {"a": 3, "b": 3}


@pytest.mark.parametrize("side", ["m + 1", "1 + m", "m + 2 - 1", "(size_t)m + 1", "w"])
def test_sides_that_are_sums(side: str) -> None:
    done = compiled(
        f"const int w = m + 1; for (int i = 1; i <= n; i++) for (int j = 1; j <= m; j++)"
        f" b[i * ({side}) + j] = b[(i - 1) * ({side}) + j] + b[i * ({side}) + j - 1];",
        "const float a[static const restrict n * m], float b[static const restrict (n + 1) * (m + 1)]",
    )
    assert shapes(done)["b"] == 2


def test_a_border_whose_width_is_a_parameter() -> None:
    done = compiled(
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
        " b[i * m + j] = a[(i + r) * (m + 2 * r) + j + r] + a[i * (2 * r + m) + m + 2 * r - 1 - j];",
        "const float a[static const restrict (n + 2 * r) * (m + 2 * r)], float b[static const restrict n * m]",
        "int n, int m, int r",
    )
    assert shapes(done) == {"a": 1, "b": 2}, "`r` may be negative"
    done = compiled(
        "__pencil_assume(r >= 0); for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
        " b[i * m + j] = a[(i + r) * (m + 2 * r) + j + r] + a[i * (2 * r + m) + m + 2 * r - 1 - j];",
        "const float a[static const restrict (n + 2 * r) * (m + 2 * r)], float b[static const restrict n * m]",
        "int n, int m, int r",
    )
    assert shapes(done) == {"a": 2, "b": 2}


def test_a_size_may_have_any_name() -> None:
    arrays = ARRAYS.replace("m", "None")
    done = compiled("for (int i = 0; i < n; i++) for (int j = 0; j < None; j++) b[i * None + j] = a[i * None + j];",
                    arrays, "int n, int None")  # fmt: skip
    assert shapes(done) == {"a": 2, "b": 2}
    assert "a[i][j]" in print_stmt(done.scops[0].region.body)


def test_a_row_of_another_sum_stays_flat() -> None:
    arrays = "const float a[static const restrict n * m], float b[static const restrict (n + 1) * (m + 1)]"
    assert shapes(compiled(f"{NEST}b[i * (m + 2) + j] = a[i * m + j];", arrays)) == {"a": 2, "b": 1}
    assert shapes(compiled(f"{NEST}b[i * (m + 1) + j + 2] = a[i * m + j];", arrays)) == {"a": 2, "b": 1}


def test_the_order_of_factors_does_not_matter() -> None:
    assert shapes(compiled(f"{NEST}b[i * m + j] = a[j * n + i];", ARRAYS.replace("n * m", "m * n"))) == {"a": 2, "b": 2}


@pytest.mark.parametrize(("use", "dimensions"), [("put(&b[i * m + j], 1);", 2), ("whole(n * m, b);", 1)])
def test_elements_and_arrays_that_are_handed_on(use: str, dimensions: int) -> None:
    assert shapes(compiled(f"{NEST}{{ b[i * m + j] = a[i * m + j]; {use} }}")) == {"a": 2, "b": dimensions}


@pytest.mark.parametrize(("ctype", "dimensions"), [("size_t", 2), ("long", 2), ("uint32_t", 1)])
def test_types_in_which_a_product_may_wrap(ctype: str, dimensions: int) -> None:
    nest = f"for ({ctype} i = 0; i < n; i++) for ({ctype} j = 0; j < m; j++) b[i * m + j] = a[i * m + j];"
    assert shapes(compiled(nest, sizes=f"{ctype} n, {ctype} m")) == {"a": dimensions, "b": dimensions}


def test_callers_see_the_array_as_it_is_declared() -> None:
    text = f"{HEAD}void f(int n, int m, {ARRAYS})\n{{\n#pragma scop\n{NEST}b[i * m + j] = a[i * m + j];\n"
    text += "#pragma endscop\n}\n"
    done = compile_source(SourceFile("f.c", text), CompileOptions())
    assert done.kernels is not None
    text = header(done.parsed, done.programs, done.kernels.entries, "f.h")
    assert "const float a[n * m], float b[n * m]" in text and "[n][m]" not in text


def test_a_size_that_is_written_shapes_nothing() -> None:
    assert shapes(compiled(f"m = m / 2; {NEST}b[i * m + j] = a[i * m + j];"))["b"] == 1


def test_a_fault_is_told_once_and_where_it_is() -> None:
    done = compiled("for (int i = 0; i <= n; i++) for (int j = 0; j < m; j++) b[i * m + j] = 1;")
    (told,) = done.diagnostics
    assert told.code == "PC0405" and told.span is not None and told.span.line == 9


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ("b[i * m + j].x = 1 - b[i * m + j].x;", {"b_x": 2}),
        ("b[i * m + j].v[1] += a[i * m + j].v[0] * a[i * m + j].x;", {"a_v": 3, "a_x": 2, "b_v": 3}),
        ("b[i * m + j] = a[i * m + j]; b[i * m + j].x *= 2;", {"a": 2, "b": 2}),
        ("b[i * m + j].x = b[i * m + j + 1].x;", {"b_x": 2}),
        ("b[i * m + j].x = 0; b[i * m + j + 1].v[0] = 1;", {"b_x": 2, "b_v": 3}),
    ],
)
def test_arrays_of_structs(statement: str, wanted: dict[str, int]) -> None:
    """Each member in use has the dimensions of the array; where one leaves its row, it may be of any element."""
    structs = "const struct p a[static const restrict n * m], struct p b[static const restrict n * m]"
    done = compiled(f"{NEST}{{ {statement} }}", f"{structs}", "int n, int m")
    found = {a.name: len(a.extents) for a in done.scops[0].arrays}
    assert {name: found.get(name) for name in wanted} == wanted, found


INNER = "for (int i = r; i < n - r; i++) for (int j = r; j < m - r; j++) "


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        (f"{INNER}b[i * m + j] = 1;", False),
        (f"{INNER}b[i * m + j] = a[i * m + j];", False),
        (f"{NEST}b[i * m + j] = a[i * m + r];", False),
        (f"{NEST}b[i * m + (j + 1) % 2] = 1;", False),  # of rows of one element the last one has no second
        # For all sizes the last one is behind the array: nothing follows from that.
        (f"{NEST}b[i * m + j] = 1; {NEST}b[i * m + j + 1] = 1;", True),
        (f"{NEST}b[i * m + j] = 1; {NEST}b[(i + r) * m + 2 * j] = 1;", True),
        # Nothing says that there is a first element, or that it is in front of the array.
        (f"{INNER}if (a[0] > 0) b[i * m + j] = 1;", True),
        ("for (int i = 0; i < n; i++) for (int j = r; j < m; j++) b[i * m + j] = 1;", False),
        ("for (int i = 1; i < n; i++) for (int j = r; j < m; j++) b[i * m + j] = 1;", True),
        ("for (int i = 0; i < n - 1; i++) for (int j = 0; j < m + r; j++) b[i * m + j] = 1;", True),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < m + r; j++) b[i * m + j] = 1;", False),
        ("for (int i = 0; i < n + r; i++) for (int j = -r; j < m - 1; j++) b[i * m + j] = 1;", False),
    ],
)
def test_rows_are_not_left_where_that_would_leave_the_array(body: str, is_told: bool) -> None:
    """With r < 0 `b[r * m + r]` is in front of b, and nothing has to be right."""
    told = [each for each in compiled(body, sizes="int n, int m, int r").diagnostics if each.code == "PC0301"]
    assert bool(told) == is_told


def test_a_pitch_is_no_less_than_what_rows_have() -> None:
    arrays = ARRAYS.replace("n * m", "n * p")
    nest = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i * p + j] = a[i * p + j];"
    assert shapes(compiled(nest, arrays, "int n, int m, int p")) == {"a": 2, "b": 2}


def test_colours_are_not_left_either() -> None:
    body = f"{INNER}for (int c = 0; c < 3; c++) b[(i * m + j) * 3 + c] = 1;"
    assert shapes(compiled(body, "int b[static const restrict n * m * 3]", "int n, int m, int r")) == {"b": 3}
