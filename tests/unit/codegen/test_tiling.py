"""The node of points that share what they read, in tiles."""

from __future__ import annotations

from pencilc.ir.tiles import TiledPoints
from tests.unit.codegen.broken import tree
from tests.unit.codegen.programs import node, told

HEAD = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
void f(int m, int n, int p, const float a[static const restrict m][p], const float b[static const restrict p][n],
       float c[static const restrict m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
"""
END = "\n#pragma endscop\n}\n"
SUMS = (
    HEAD
    + """{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int k = 0; k < p; k++) __pencil_reduction(&s, a[i][k] * b[k][j], add);
    c[i][j] = s + i;
}"""
    + END
)
IN_ORDER = HEAD + "for (int k = 0; k < p; k++) c[i][j] += a[i][k] * b[k][j];" + END


def tiled(text: str) -> TiledPoints:
    """The node of the function that has it."""
    (found,) = (each for each in tree(text).kernels if each.shape == "tiled")
    return node(found, TiledPoints)


def test_a_tile_has_two_sides_and_what_they_share() -> None:
    made = tiled(SUMS)
    assert told(made.rows, made.columns, made.points) == ["m", "n", "p"] and made.outers is None
    down, across = sorted(made.operands, key=lambda each: not each.down)
    assert (down.down, down.deep, across.down, across.deep) == (True, True, False, False)
    assert told(down.address, across.address) == ["&a[(long long)i * p + k]", "&b[(long long)k * n + j]"]
    assert [each.name for each in made.parameters] == [down.register, across.register, "@acc"]


def test_blocks_share_the_points_of_a_reduction_and_of_no_loop_in_order() -> None:
    sums, in_order = tiled(SUMS), tiled(IN_ORDER)
    assert sums.begins is None and [each.name for each in sums.given] == ["@partials", "@tickets"]
    assert in_order.begins is not None and in_order.given == ()
    assert told(in_order.begins) == ["c[(long long)i * n + j]"]


def test_what_follows_finds_the_iterators_of_its_point() -> None:
    names = [each.symbol.name for each in tiled(SUMS).post if hasattr(each, "symbol")]
    assert names[:2] == ["i", "j"] and not tiled(SUMS).uses_point
