"""Which kept points share what they read, and in which tiles they are done."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.shapes.tiles import by_rows, group, tile_bytes_of, with_tiles
from pencilc.ir.shapes import Kernel, Tiling
from pencilc.options import CompileOptions

HEAD = """#include <math.h>
#include <pencil.h>
#define ROWS(i, n) for (int i = 0; i < (n); i++)
typedef struct { float x, y, z; } Point;
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
"""


def kernel_of(parameters: str, body: str, options: CompileOptions) -> Kernel:
    """The only kernel of a region."""
    text = f"{HEAD}void f(int m, int n, int p, {parameters}) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    (program,) = compile_source(SourceFile("f.c", text), options, "mapping").programs
    (kernel,) = program.kernels()
    return kernel


def tiling(parameters: str, body: str, options: CompileOptions | None = None) -> Tiling | None:
    return kernel_of(parameters, body, options or CompileOptions()).tiling


def product(a: str, b: str, element: str, post: str = "c[i][j] = s;", op: str = "add") -> Tiling | None:
    """That of `c[i][j]`, the sum over k of `element`, for arrays `a` and `b` of these declarations."""
    loop = f"float s; __pencil_reduction_var_init(&s, zero); ROWS(k, p) __pencil_reduction(&s, {element}, {op}); {post}"
    arrays = f"const {a}, const {b}, float c[static const restrict m][n]"
    return tiling(arrays, f"ROWS(i, m) ROWS(j, n) {{ {loop} }}")


A, B = "float a[static const restrict m][p]", "float b[static const restrict p][n]"
A_ACROSS, B_DOWN = "float a[static const restrict p][m]", "float b[static const restrict n][p]"


@pytest.mark.parametrize(
    ("a", "b", "element", "along"),
    [
        (A, B, "a[i][k] * b[k][j]", ["depth", "side"]),
        (A, B_DOWN, "a[i][k] * b[j][k]", ["depth", "depth"]),
        (A_ACROSS, B, "a[k][i] * b[k][j]", ["side", "side"]),
        (A_ACROSS, B_DOWN, "a[k][i] * b[j][k]", ["side", "depth"]),
    ],
)
def test_each_layout_has_an_operand_of_each_side(a: str, b: str, element: str, along: list[str]) -> None:
    found = product(a, b, element)
    assert found is not None and [each.along for each in found.operands] == along
    assert sorted(each.down for each in found.operands) == [False, True]
    assert all(each.width == 4 for each in found.operands) and not found.carried


def test_the_contiguous_row_of_the_result_goes_across() -> None:
    found = product(A, B, "a[i][k] * b[k][j]")
    assert found is not None and (found.down, found.across) == (0, 1)


def test_what_is_read_twice_is_one_side_of_each() -> None:
    found = product(A, B, "(a[i][k] - b[k][j]) * (a[i][k] - b[k][j])")
    assert found is not None and {each.moves for each in found.operands} == {2}


def test_elements_that_no_chunk_has_are_fetched_one_by_one() -> None:
    found = product("Point a[static const restrict m][p]", B, "a[i][k].x * b[k][j]")
    assert found is not None and [each.width for each in found.operands] == [1, 4]
    assert group(found, down=True) == 1 and group(found, down=False) == 4


def test_what_all_points_share_goes_down() -> None:
    found = product(A, f"{B}, const float w[static const restrict p]", "a[i][k] * b[k][j] * w[k]")
    assert found is not None and [each.down for each in found.operands] == [True, False, True]


@pytest.mark.parametrize(
    ("a", "b", "element"),
    [
        (A, B, "a[i][k]"),  # nothing of the columns
        (A, "float b[static const restrict m][n][p]", "a[i][k] * b[i][j][k]"),  # a read of its own for each point
        (A, B, "a[i][(k * k) % p] * b[k][j] + c[j][i]"),  # what is written too
    ],
)
def test_points_that_share_nothing(a: str, b: str, element: str) -> None:
    if "c[j][i]" in element:
        element = element.replace("c[j][i]", "a[i][k]").replace("b[k][j]", "1")
    assert product(a, b, element) is None


def test_an_element_that_may_lie_outside_is_fetched_where_it_is_inside() -> None:
    """The condition keeps the program inside of `a`; a tile leaves out what is not there."""
    found = product(A, B, "(k > 0 ? a[i][k - 1] : 0.0f) * b[k][j]")
    assert found is not None
    shifted, plain = found.operands
    assert shifted.read is not None and shifted.read.is_subset(isl.Set("[m, n, p] -> { [i, j, k] : 0 < k < p }"))
    assert plain.read is None


WINDOW = (
    "const float x[static const restrict c][n], const float f[static const restrict m][c][3],"
    " float y[static const restrict m][n]"
)


@pytest.mark.parametrize(
    "element",
    [
        "if (j + r >= 1 && j + r <= n) s += x[k][j + r - 1] * f[i][k][r];",
        "int at = j + r - 1; if (at < 0 || at >= n) continue; s += x[k][at] * f[i][k][r];",
        "const int at = j + r - 1; const float v = at >= 0 && at < n ? x[k][at] : 0.0f; s += v * f[i][k][r];",
        "int at = j + r - 1; float v = 0; if (at >= 0 && at < n) v = x[k][at]; s += v * f[i][k][r];",
        "int at = clamp(j + r - 1, 0, n - 1); s += x[k][at] * f[i][k][r];",
    ],
)
def test_windows_with_a_border_share_what_they_read(element: str) -> None:
    body = f"ROWS(i, m) ROWS(j, n) {{ float s = 0; ROWS(k, c) ROWS(r, 3) {{ {element} }} y[i][j] = s; }}"
    found = tiling(f"int c, {WINDOW}", body)
    assert found is not None and len(found.reduced) == 2 and found.carried
    (of_picture, of_filter) = sorted(found.operands, key=lambda each: each.down)
    assert of_filter.down and of_filter.moves == 3 and of_picture.moves == 3
    assert (of_picture.read is None) is ("clamp" in element)


def test_a_window_of_any_number_of_rows_has_tiles_where_some_points_have_all() -> None:
    """Each point goes through all of the box: a band in it may be much smaller."""
    arrays = WINDOW.replace("[3]", "[p]")
    body = (
        "ROWS(i, m) ROWS(j, n) { float s = 0; ROWS(k, c) ROWS(r, p) if (j + r >= 1 && j + r <= n)"
        " s += x[k][j + r - 1] * f[i][k][r]; y[i][j] = s; }"
    )
    assert tiling(f"int c, {arrays}", body) is not None
    band = body.replace("j + r >= 1 && j + r <= n", "2 * j <= r && r < 2 * j + c").replace("x[k][j + r - 1]", "x[k][j]")
    assert tiling(f"int c, {arrays}", band) is None


@pytest.mark.parametrize(
    ("element", "op", "post", "compares"),
    [
        ("a[i][k] * b[k][j]", "add", "c[i][j] = s > 0 ? s : 0;", False),
        ("a[i][k] * b[k][j]", "larger", "c[i][j] = s;", True),
        ("(a[i][k] > b[k][j] ? a[i][k] : 0.0f)", "add", "c[i][j] = s;", True),
        ("fmaxf(a[i][k], b[k][j])", "add", "c[i][j] = s;", False),
    ],
)
def test_comparisons_of_floats_in_an_element_are_known(element: str, op: str, post: str, compares: bool) -> None:
    found = product(A, B, element, post, op)
    assert found is not None and found.compares is compares


def test_an_element_that_stores_something_stays_with_one_thread() -> None:
    """Places beyond the last one are the last one again: it would be stored several times."""
    arrays = f"const {A}, const {B}, float c[static const restrict m][n], float d[static const restrict m][n][p]"
    body = (
        "ROWS(i, m) ROWS(j, n) { __pencil_reduction_var_init(&c[i][j], zero); ROWS(k, p) {"
        " float v = a[i][k] * b[k][j]; d[i][j][k] = v; __pencil_reduction(&c[i][j], v, add); } }"
    )
    assert tiling(arrays, body) is None


def test_layers_are_rows_of_neither_side() -> None:
    arrays = "const float a[static const restrict 3][m][p], const float b[static const restrict 3][p][n]"
    body = (
        "ROWS(l, 3) ROWS(i, m) ROWS(j, n) { __pencil_reduction_var_init(&c[l][i][j], zero);"
        " ROWS(k, p) __pencil_reduction(&c[l][i][j], a[l][i][k] * b[l][k][j], add); }"
    )
    found = tiling(f"{arrays}, float c[static const restrict 3][m][n]", body)
    assert found is not None and (found.down, found.across) == (1, 2)
    assert {each.moves for each in found.operands} == {3} and found.is_stepwise


def test_several_reduced_rows_are_no_even_steps() -> None:
    arrays = "const float a[static const restrict m][p][3], const float b[static const restrict p][3][n]"
    body = (
        "ROWS(i, m) ROWS(j, n) { __pencil_reduction_var_init(&c[i][j], zero);"
        " ROWS(k, p) ROWS(l, 3) __pencil_reduction(&c[i][j], a[i][k][l] * b[k][l][j], add); }"
    )
    found = tiling(f"{arrays}, float c[static const restrict m][n]", body)
    assert found is not None and found.is_light and not found.is_stepwise
    assert not any(each.is_even for each in found.operands)


def triangle(bounds: str, element: str = "a[i][k] * b[k][j]") -> Tiling | None:
    """That of a sum over k within `bounds`, for the points of a square matrix `a`."""
    arrays = "const float a[static const restrict m][m], const float b[static const restrict m][n]"
    body = (
        "ROWS(i, m) ROWS(j, n) { __pencil_reduction_var_init(&c[i][j], zero);"
        f" for ({bounds}) __pencil_reduction(&c[i][j], {element}, add); }}"
    )
    return tiling(f"{arrays}, float c[static const restrict m][n]", body)


@pytest.mark.parametrize(
    ("bounds", "element", "read"),
    [
        ("int k = 0; k <= i; k++", "a[i][k] * b[k][j]", "[m] -> { [i, j, k] : 0 <= k <= i < m }"),
        ("int k = i + 1; k < m; k++", "a[i][k] * b[k][j]", "[m] -> { [i, j, k] : 0 <= i < k < m }"),
        ("int k = 0; k < i; k++", "a[k][i] * b[k][j]", "[m] -> { [i, j, k] : 0 <= k < i < m }"),
    ],
)
def test_a_triangle_is_fetched_where_it_is_read(bounds: str, element: str, read: str) -> None:
    found = triangle(bounds, element)
    assert found is not None and found.points is not None and not found.is_product and found.is_stepwise
    down, across = sorted(found.operands, key=lambda each: not each.down)
    assert across.read is None and down.read is not None
    assert down.read.intersect_params(isl.Set("[m, n] -> { : m > 1 and n > 0 }")).is_subset(isl.Set(read))


def test_what_all_points_have_is_read_as_a_box() -> None:
    found = product(A, B, "a[i][k] * b[k][j]")
    assert found is not None and found.points is None and not any(each.read for each in found.operands)


def test_statements_of_an_element_with_points_of_their_own() -> None:
    """Where one of two sums has the diagonal and the other has not, a stage is whole where both have all of it."""
    arrays = "const float a[static const restrict m][m], const float b[static const restrict m][n]"
    body = (
        "ROWS(i, m) ROWS(j, n) { float s, t;"
        " __pencil_reduction_var_init(&s, zero); __pencil_reduction_var_init(&t, zero);"
        " for (int k = 0; k <= i; k++) { __pencil_reduction(&s, a[i][k] * b[k][j], add);"
        " if (k < i) __pencil_reduction(&t, a[i][k] * b[k][j], add); } c[i][j] = s * t; }"
    )
    found = tiling(f"{arrays}, float c[static const restrict m][n]", body)
    assert found is not None and len(found.conditional) == 1
    assert found.conditional[0].is_subset(isl.Set("[m, n] -> { [i, j, k] : k < i }"))
    both = tiling(f"{arrays}, float c[static const restrict m][n]", body.replace("if (k < i) ", ""))
    assert both is not None and not both.conditional


def test_a_band_of_which_no_point_has_all() -> None:
    assert triangle("int k = i; k < i + 3 && k < m; k++") is None


@pytest.mark.parametrize(("element", "even"), [("a[i][2 * k]", True), ("a[i][k / 2]", False), ("a[i / 2][k]", False)])
def test_operands_lie_evenly_where_subscripts_are_linear(element: str, even: bool) -> None:
    found = product(A.replace("[p]", "[2 * p]"), B, f"{element} * b[k][j]")
    assert found is not None and [each.is_even for each in found.operands] == [even, True]


IN_ORDER = "ROWS(i, m) ROWS(j, n) {{ {before} ROWS(k, p) {{ {loop} }} {after} }}"
ARRAYS = f"const {A}, const {B}, float c[static const restrict m][n]"


def in_order(loop: str, before: str = "", after: str = "") -> Tiling | None:
    """That of a loop that one thread does for each point."""
    return tiling(ARRAYS, IN_ORDER.format(before=before, loop=loop, after=after))


def test_a_plain_sum_is_carried_in_the_order_of_the_source() -> None:
    found = in_order("c[i][j] += a[i][k] * b[k][j];", before="c[i][j] *= 3.0f;")
    assert found is not None and found.carried == "c" and len(found.before) == 1 and not found.after


def test_a_scalar_is_carried_to_what_follows() -> None:
    found = in_order("s += a[i][k] * b[k][j];", "float s = 0;", "c[i][j] = s * 2;")
    assert found is not None and found.carried == "s" and len(found.before) == len(found.after) == 1


def test_what_an_iteration_declares_is_its_own() -> None:
    found = in_order("float d = a[i][k] - b[k][j]; c[i][j] += d * d;", before="c[i][j] = 0;")
    assert found is not None and found.carried == "c"


@pytest.mark.parametrize(
    ("loop", "before", "after"),
    [
        ("s += a[i][k] * b[k][j]; t += a[i][k];", "float s = 0, t = 0;", "c[i][j] = s * t;"),
        ("s = s * last + a[i][k]; last = b[k][j];", "float s = 0, last = 1;", "c[i][j] = s;"),
        ("s += a[i][k] * b[k][j];", "float s = 0, w = b[0][j];", "c[i][j] = s * w;"),
        ("c[i][j] += a[i][k] * b[k][j]; c[i][0] = 1;", "", ""),
    ],
    ids=["two values", "two values of which one is read late", "a local beside it", "two places"],
)
def test_more_than_one_value_stays_with_one_thread(loop: str, before: str, after: str) -> None:
    assert in_order(loop, before, after) is None


# ---- sizes -------------------------------------------------------------------------------------------


def test_accumulators_decide_how_many_points_a_thread_has() -> None:
    found = product(A, B, "a[i][k] * b[k][j]")
    assert found is not None

    def most(size: int) -> int:
        made = with_tiles(found, size, {})
        return 0 if made is None else made.sizes[0].points

    assert [most(size) for size in (4, 8, 16, 64, 65)] == [128, 64, 16, 4, 0]


def test_a_search_may_ask_for_smaller_tiles() -> None:
    found = product(A, B, "a[i][k] * b[k][j]")
    assert found is not None
    made = with_tiles(found, 4, {"tile_down": 4, "tile_share": 128, "threads": 32})
    assert made is not None and [each.numbers[:2] for each in made.sizes] == [(4, 4)]
    assert made.launch.tile_share == 128


def test_operands_and_results_fit_into_shared_memory() -> None:
    found = product("Point a[static const restrict m][p]", B, "a[i][k].x * b[k][j]")
    assert found is not None
    wide = replace(found, operands=(*found.operands, *found.operands))
    made = with_tiles(wide, 4, {})
    assert made is not None
    assert all(tile_bytes_of(made, size) <= 48 * 1024 for size in made.sizes)


@pytest.mark.parametrize(
    ("element", "op", "rows"),
    [
        ("a[i][k] * b[k][j]", "add", 16), ("b[k][j] * a[i][k]", "add", 16), ("a[i][k] + b[k][j]", "add", 0),
        ("a[i][k] * b[k][j]", "larger", 0), ("2 * a[i][k] * b[k][j]", "add", 0), ("fabsf(a[i][k] * b[k][j])", "add", 0),
    ],
)  # fmt: skip
def test_products_alone_are_done_row_by_row(element: str, op: str, rows: int) -> None:
    found = product(A, B, element, op=op)
    assert found is not None and by_rows(found) == rows


# ---- what is folded ------------------------------------------------------------------------------------


def nearest(element: str, start: str = "", inner: str = "", reduced: str = "j < n", options: str = "") -> Kernel:
    """The kernel of a sum over j of what `element` adds up over k."""
    loop = f"float d = 0; {start} for (int k = 0; k < p; k++) {{ {inner} d += {element}; }}"
    body = f"for (int j = 0; {reduced}; j++) {{ {loop} s = fminf(s, d); }}"
    arrays = f"const {A}, const {B_DOWN}, float c[static const restrict m]"
    text = f"ROWS(i, m) {{ float s = 1e30f; {body} c[i] = s; }}"
    chosen = CompileOptions(associative_math=True) if options == "associative" else CompileOptions()
    return kernel_of(arrays, text, chosen)


def test_values_that_are_reduced_again_are_folded() -> None:
    for options in ("", "associative"):
        found = nearest("(a[i][k] - b[j][k]) * (a[i][k] - b[j][k])", options=options).tiling
        assert found is not None and found.folds and found.carried == "d"
        assert (found.down, found.across) == (0, 1)
        # What is read twice is fetched once, so that the largest tile has room.
        assert len(found.operands) == 2 and found.is_light and found.sizes[0].points == 64


@pytest.mark.parametrize(
    "pair",
    [
        "if (j == i) continue; float d = 0;",
        "if (j == i + 2) continue; float d = 0;",
        "float d = 0; if (j == i + 2) continue;",
        "float d = 0; if (i + j == 7) continue;",
    ],
)
def test_pairs_that_are_left_out_are_left_out_behind_their_loop(pair: str) -> None:
    arrays = f"const {A}, float c[static const restrict m]"
    body = f"ROWS(j, m) {{ {pair} ROWS(k, p) d += a[i][k] * a[j][k]; s = fminf(s, d); }}"
    found = tiling(arrays, f"ROWS(i, m) {{ float s = 1e30f; {body} c[i] = s; }}")
    assert found is not None and found.folds and found.occupied is None
    assert found.looping is not None and not found.looping.is_empty()


def test_a_pair_without_a_loop_that_has_a_value_is_not_left_out() -> None:
    arrays = f"const {A}, float c[static const restrict m]"
    body = "ROWS(j, m) { float d = 5; if (j != i + 2) ROWS(k, p) d += a[i][k] * a[j][k]; s = fminf(s, d); }"
    assert tiling(arrays, f"ROWS(i, m) {{ float s = 1e30f; {body} c[i] = s; }}") is None


def test_the_loops_of_a_pair_are_walked_as_one() -> None:
    arrays = (
        "const float a[static const restrict m][p][3], const float b[static const restrict n][p][3],"
        " float c[static const restrict m]"
    )
    body = "float d = 0; ROWS(k, p) for (int l = 0; l < 3; l++) d += a[i][k][l] * b[j][k][l]; s = fminf(s, d);"
    found = tiling(arrays, f"ROWS(i, m) {{ float s = 1e30f; ROWS(j, n) {{ {body} }} c[i] = s; }}")
    assert found is not None and found.folds and len(found.reduced) == 2


def chosen(loop: str, test: str) -> Kernel:
    """The kernel that chooses one of `loop` for each row, by `test`."""
    inner = "float d = 0; for (int k = 0; k < p; k++) d += a[i][k] * b[j][k];"
    body = f"float v = INFINITY; int w = 0; for ({loop}) {{ {inner} if ({test}) {{ v = d; w = j; }} }} c[i] = w;"
    return kernel_of(f"const {A}, const {B_DOWN}, int c[static const restrict m]", f"ROWS(i, m) {{ {body} }}",
                     CompileOptions())  # fmt: skip


UP, DOWN = "int j = 0; j < n; j++", "int j = n - 1; j >= 0; j--"


@pytest.mark.parametrize(("loop", "test"), [(UP, "d < v"), (UP, "d <= v"), (UP, "v > d"), (DOWN, "d < v")])
def test_what_is_chosen_is_folded_by_ascending_places(loop: str, test: str) -> None:
    """Tiles go up along j, whichever way the source goes."""
    found = chosen(loop, test).tiling
    assert found is not None and found.folds and found.in_order == {found.after[-1]}


def test_operators_of_the_source_are_folded_in_no_order() -> None:
    found = nearest("a[i][k] * b[j][k]").tiling
    assert found is not None and found.folds and not found.in_order


@pytest.mark.parametrize(
    "kernel",
    [
        pytest.param({"element": "a[i][k]"}, id="nothing moves with j"),
        pytest.param({"element": "a[i][k] * b[j][k]", "reduced": "j < i"}, id="a row without any"),
        pytest.param(
            {"element": "a[i][k] * b[j][k] / (j - i)", "start": "if (j == i) continue;"},
            id="others would divide by zero",
        ),
        pytest.param(
            {"element": "a[i][k] * b[j][k] * e", "start": "float e = 1;", "inner": "e += 1;"}, id="two values"
        ),
    ],
)
def test_what_is_not_folded(kernel: dict[str, str]) -> None:
    assert nearest(**kernel).tiling is None
