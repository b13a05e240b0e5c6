"""Which kernels have tiles with a halo, what these hold, and how large they are."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.shapes.halo_sizes import HALO_BYTES, extents, halo_bytes, pitches, ring, tile_points, with_points
from pencilc.ir.shapes import Halo, Kernel
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
#define ROWS(i, from, n) for (int i = from; i < (n); i++)
typedef struct { float x[8]; } Wide;
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
"""
A, B = "const float a[static const restrict m][n]", "float b[static const restrict m][n]"
TURNED = "float b[static const restrict n][m]"


def kernel_of(parameters: str, body: str) -> Kernel:
    """The only kernel of a region."""
    text = f"{HEAD}void f(int m, int n, int p, {parameters}) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    (program,) = compile_source(SourceFile("f.c", text), CompileOptions(), "mapping").programs
    (kernel,) = program.kernels()
    return kernel


def halo_of(parameters: str, body: str) -> Halo:
    halo = kernel_of(parameters, body).halo
    assert halo is not None
    return halo


def places(halo: Halo) -> list[list[tuple[int | None, int, int, int]]]:
    """For each array held: row, factor, low and high of each subscript."""
    return [[(d.row, d.factor, d.low, d.high) for d in each.dimensions] for each in halo.held]


def inner(statement: str) -> str:
    return f"ROWS(i, 1, m - 1) ROWS(j, 1, n - 1) {statement}"


STAR = "b[i][j] = a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];"


def test_rows_that_become_columns_are_transposed() -> None:
    halo = halo_of(f"{A}, {TURNED}", "ROWS(i, 0, m) ROWS(j, 0, n) b[j][i] = a[i][j];")
    (held,) = halo.held
    assert held.transposed and (halo.down, halo.across) == (1, 0)
    assert places(halo) == [[(0, 1, 0, 0), (1, 1, 0, 0)]] and halo.points == (32, 32)
    assert pitches(halo, held) == (33, 1)


def test_a_star_has_a_halo_of_one() -> None:
    halo = halo_of(f"{A}, {B}", inner(STAR))
    (held,) = halo.held
    assert not held.transposed and held.uses == 5 and halo.along is None
    assert places(halo) == [[(0, 1, -1, 1), (1, 1, -1, 1)]]
    assert extents(halo, held) == (34, 66) and halo_bytes(halo) == 34 * 66 * 4


def test_the_same_element_twice_is_one_use() -> None:
    halo = halo_of(f"{A}, {B}", inner(STAR.replace("a[i][j] +", "a[i][j] * a[i][j] +")))
    assert halo.held[0].uses == 5


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("b[i][j] = a[i][j] + a[i][j - 1] + a[i][j + 1];", "its uses lie along the contiguous row"),
        ("b[i][j] = a[i][j] - a[i - 1][j];", "1.9 uses of a value that is fetched, less than 3"),
        ("b[i][j] = a[i][j] + a[n - 1 - i][j] + a[i - 1][j];", "a subscript is at no constant distance"),
        ("b[i][j] = a[i][i + j] + a[i][i + j - 1];", "a subscript is at no constant distance from the point"),
    ],
)
def test_what_is_left_to_the_cache_is_told(statement: str, why: str) -> None:
    kernel = kernel_of(f"{A}, {B}", inner(statement))
    assert kernel.halo is None and any(why in each for each in kernel.not_held), kernel.not_held


def test_what_the_kernel_writes_is_not_held() -> None:
    """A plane, from those below and above it in a loop: a tile would fetch it too."""
    around = "for (int k = 0; k < 3; k += 2) s += a[k][i - 1][j] + a[k][i][j] + a[k][i + 1][j];"
    body = f"{{ float s = 0; {around} a[1][i][j] = s; }}"
    kernel = kernel_of("float a[static const restrict 3][m][n]", inner(body))
    assert kernel.halo is None
    assert any("the kernel writes some of it" in each for each in kernel.not_held), kernel.not_held


def test_a_plane_beside_one_that_is_read_and_written_is_held() -> None:
    """The wave equation in two planes: of the one that is written each point reads its own element."""
    star = STAR.partition("= ")[2].replace("a[", "a[t % 2][")
    body = f"ROWS(i, 1, m - 1) ROWS(j, 1, n - 1) a[(t + 1) % 2][i][j] = {star[:-1]} - a[(t + 1) % 2][i][j];"
    kernel = kernel_of(HALVES, f"for (int t = 0; t < p; t++) {body}")
    assert kernel.halo is not None and len(kernel.halo.held) == 1


def test_planes_beside_what_is_written_are_held_one_by_one() -> None:
    """The wave equation in three planes that take turns."""
    star = STAR.partition("= ")[2].replace("a[", "a[t % 3][")
    body = f"ROWS(i, 1, m - 1) ROWS(j, 1, n - 1) a[(t + 1) % 3][i][j] = a[(t + 2) % 3][i][j] + {star}"
    kernel = kernel_of("float a[static const restrict 3][m][n]", f"for (int t = 1; t < p; t++) {body}")
    assert kernel.halo is not None and len(kernel.halo.held) == 1 and kernel.halo.held[0].uses == 5


def test_elements_of_whole_sectors_lie_in_any_direction() -> None:
    wide = "const Wide a[static const restrict m][n], Wide b[static const restrict n][m]"
    assert kernel_of(wide, "ROWS(i, 0, m) ROWS(j, 0, n) b[j][i] = a[i][j];").halo is None


def test_a_side_that_is_known_to_be_narrow() -> None:
    kernel = kernel_of(
        "const float a[static const restrict m][3], float b[static const restrict 3][m]",
        "ROWS(i, 0, m) ROWS(c, 0, 3) b[c][i] = a[i][c];",
    )
    assert kernel.halo is None and kernel.not_held == ("no tiles: a side has fewer than 16 points",)


def test_two_groups_of_reads_of_one_array() -> None:
    square = "const float a[static const restrict m][m], float b[static const restrict m][m]"
    halo = halo_of(square, "ROWS(i, 0, m) ROWS(j, 0, m) b[i][j] = a[i][j] + a[j][i];")
    assert len(halo.held) == 1 and len(halo.held[0].reads) == 1 and halo.held[0].transposed


THREE = "const float a[static const restrict p][m][n], float b[static const restrict p][m][n]"


def test_planes_are_held_in_a_ring() -> None:
    halo = halo_of(
        THREE,
        "ROWS(k, 1, p - 1) " + inner("b[k][i][j] = a[k - 1][i][j] + a[k + 1][i][j] + a[k][i - 1][j] + a[k][i + 1][j];"),
    )
    assert (halo.along, halo.down, halo.across) == (0, 1, 2)
    assert ring(halo) == 4 and extents(halo, halo.held[0]) == (4, 34, 32)


def test_a_ring_has_a_place_for_the_next_plane() -> None:
    body = "b[k][i][j] = a[k - 1][i][j] + a[k + 1][i][j] + a[k + 2][i - 1][j] + a[k][i + 1][j];"
    assert ring(halo_of(THREE, "ROWS(k, 1, p - 2) " + inner(body))) == 8


def test_planes_that_have_nothing_to_do_with_each_other_are_layers() -> None:
    body = STAR.replace("a[", "a[k][").replace("b[", "b[k][")
    halo = halo_of(THREE, "ROWS(k, 0, p) " + inner(body))
    assert halo.along is None and halo.points == (1, 32, 64)


@pytest.mark.parametrize("counter", ["int", "long"])
def test_every_other_element(counter: str) -> None:
    rows = "ROWS(i, 0, m) ROWS(j, 0, n)"
    if counter == "long":
        rows = "for (long i = 0; i < m; i++) for (long j = 0; j < n; j++)"
    halo = halo_of(
        "const float a[static const restrict 2 * m + 8][2 * n + 8], float b[static const restrict m][n]",
        f"{rows} {{ float s = 0; for (int y = 0; y < 7; y++) for (int x = 0; x < 7; x++)"
        " s += a[2 * i + y][2 * j + x]; b[i][j] = s; }",
    )
    assert places(halo) == [[(0, 2, 0, 6), (1, 2, 0, 6)]] and halo.held[0].uses == 49
    assert extents(halo, halo.held[0]) == (2 * (halo.points[0] - 1) + 7, 2 * (halo.points[1] - 1) + 7)


def test_elements_that_a_condition_keeps_inside_are_fetched_inside() -> None:
    body = "ROWS(i, 0, m) ROWS(j, 0, n) b[i][j] = a[i][j] + (i > 0 ? a[i - 1][j] : 0) + (i < m - 1 ? a[i + 1][j] : 0)"
    halo = halo_of(f"{A}, {B}", body + " + (j > 0 ? a[i][j - 1] : 0);")
    assert halo.held[0].fetched.is_subset(isl.Set("[p, m, n] -> { [i, j] : 0 <= i < m and 0 <= j < n }"))


def test_a_window_is_reduced_by_one_thread() -> None:
    window = (
        "ROWS(i, 0, m) ROWS(j, 0, n) {{ __pencil_reduction_var_init(&b[i][j], zero); ROWS(y, 0, {k}) ROWS(x, 0, {k})"
        " __pencil_reduction(&b[i][j], a[i + y][j + x], add); }}"
    )
    arrays = "const float a[static const restrict m + 32][n + 32], float b[static const restrict m][n]"
    kernel = kernel_of(arrays, window.format(k=5))
    assert kernel.halo is not None and kernel.shape.value == "parallel"
    assert kernel_of(arrays, window.format(k=17)).shape.value != "parallel"


AT = "y >= 0 && y < m && x >= 0 && x < n"
IN = "i + y >= 0 && i + y < m && j + x >= 0 && j + x < n"


@pytest.mark.parametrize(
    ("loops", "element"),
    [
        ("ROWS(y, -1, 2) ROWS(x, -1, 2)", f"if ({IN}) {{}}(&s, a[i + y][j + x], add);"),
        ("ROWS(y, -1, 2) ROWS(x, -1, 2)", f"if ((x != 0 || y != 0) && {IN}) {{}}(&s, a[i + y][j + x], add);"),
        ("ROWS(y, i - 1, i + 2) ROWS(x, j - 1, j + 2)", f"if ({AT}) {{}}(&s, a[y][x], add);"),
        ("ROWS(y, i > 0 ? i - 1 : 0, i + 2) ROWS(x, j > 0 ? j - 1 : 0, j + 1)", "if (y < m) {}(&s, a[y][x], add);"),
        ("ROWS(y, -2, 3)", "if (0 <= i + y && i + y < m) {}(&s, a[i + y][j], add);"),
    ],
    ids=["border", "hole", "places", "ends", "across"],
)
def test_a_window_that_conditions_cut(loops: str, element: str) -> None:
    body = (
        "ROWS(i, 0, m) ROWS(j, 0, n) { float s; __pencil_reduction_var_init(&s, zero); "
        + f"{loops} {element.format('__pencil_reduction')} b[i][j] = s; }}"
    )
    kernel = kernel_of(f"{A}, {B}", body)
    assert kernel.halo is not None and kernel.shape.value == "parallel"
    assert kernel.halo.held[0].fetched.is_subset(isl.Set("[p, m, n] -> { [i, j] : 0 <= i < m and 0 <= j < n }"))


def test_a_window_whose_size_is_not_known_is_none() -> None:
    body = (
        "ROWS(i, 0, m) ROWS(j, 0, n) { float s; __pencil_reduction_var_init(&s, zero); ROWS(y, i - p, i + p) "
        "ROWS(x, j - p, j + p) if (0 <= y && y < m && 0 <= x && x < n) __pencil_reduction(&s, a[y][x], add); "
        "b[i][j] = s; }"
    )
    assert kernel_of(f"{A}, {B}", body).halo is None


# ---- sizes -------------------------------------------------------------------------------------------


def test_tiles_become_smaller_until_they_fit() -> None:
    halo = halo_of(f"{A}, {B}", inner(STAR))
    five = replace(halo, held=halo.held * 9)
    made = with_points(five, {})
    assert made is not None and made.points < halo.points and halo_bytes(made) <= HALO_BYTES
    assert with_points(replace(halo, held=halo.held * 40), {}) is None
    narrow = with_points(replace(halo, held=halo.held * 25), {"halo_across": 128, "halo_down": 16})
    assert narrow is not None and narrow.points == (16, 16)


def test_a_search_may_ask_for_other_sides() -> None:
    halo = halo_of(f"{A}, {B}", inner(STAR))
    made = with_points(halo, {"halo_across": 32, "halo_down": 32, "threads": 64})
    assert made is not None and made.points == tile_points(made, made.launch) == (32, 32)
    odd = with_points(halo, {"halo_across": 24, "halo_down": 3, "halo_depth": 0})
    assert odd is not None and odd.points == (16, 16) and odd.launch.halo_depth == 1


# ---- arrays that the kernel writes -------------------------------------------------------------------

HALVES = "float a[static const restrict 2][m][n]"


@pytest.mark.parametrize(
    ("to", "of", "is_held"),
    [
        ("(t + 1) % 2", "t % 2", True),
        ("1 - t % 2", "t % 2", True),
        ("t & 1", "1 - (t & 1)", True),
        # What another point writes meanwhile.
        ("t % 2", "t % 2", False),
        ("0", "t % 2", False),
    ],
)
def test_elements_that_the_kernel_does_not_write_are_held(to: str, of: str, is_held: bool) -> None:
    star = " + ".join(
        f"a[{of}][i{y}][j{x}]" for y, x in (("", ""), (" - 1", ""), (" + 1", ""), ("", " - 1"), ("", " + 1"))
    )
    body = "#pragma pencil independent\nROWS(i, 1, m - 1)\n#pragma pencil independent\nROWS(j, 1, n - 1) "
    kernel = kernel_of(HALVES, f"for (int t = 0; t < p; t++) {{ {body} a[{to}][i][j] = {star}; }}")
    assert (kernel.halo is not None) == is_held
