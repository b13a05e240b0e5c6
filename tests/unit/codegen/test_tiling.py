"""The nodes of points that share what they read, in tiles."""

from __future__ import annotations

import pytest

from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import If, Sync, blocks_in
from pencilc.ir.source import Assign, Declare
from pencilc.ir.tiles import (
    BeginPoints,
    BeginTile,
    BlankTile,
    CombineFolded,
    CopyRead,
    EachStage,
    ElementOfTile,
    EmptyTotal,
    FetchNext,
    FetchTile,
    FromArch,
    LeaveTile,
    MultiplyFragments,
    OperandAddress,
    PointsOfLines,
    RangeOfPoints,
    RowsOfTiles,
    ShareOfPoints,
    SlotsOfTile,
    StagesAhead,
    StartTile,
    StoreTile,
    TensorMemory,
    TileMemory,
    TileOfBlock,
    UseTile,
)
from tests.unit.codegen.broken import function
from tests.unit.codegen.programs import node, nodes, told

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
HALVES = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
void f(int m, int n, int p, const pencil_half a[static const restrict m][p],
       const pencil_half b[static const restrict p][n],
       float c[static const restrict m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float s;
            __pencil_reduction_var_init(&s, zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&s, pencil_half_to_float(a[i][k]) * pencil_half_to_float(b[k][j]), add);
            c[i][j] = s;
        }
#pragma endscop
}
"""
NEAREST = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static void most(float *v) { *v = INFINITY; }
static float least(float a, float b) { return a < b ? a : b; }
void f(int m, int n, int p, const float a[static const restrict m][p], const float b[static const restrict p][n],
       float c[static const restrict m])
{
#pragma scop
    for (int i = 0; i < m; i++) {
        float d;
        __pencil_reduction_var_init(&d, most);
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < p; k++) s += (a[i][k] - b[k][j]) * (a[i][k] - b[k][j]);
            __pencil_reduction(&d, s, least);
        }
        c[i] = d;
    }
#pragma endscop
}
"""


def tiled(text: str) -> KernelFunction:
    """The function that has the tiles."""
    return function(text, "tiled")


def test_a_tile_has_two_sides_and_what_they_share() -> None:
    made = node(tiled(SUMS), TileOfBlock)
    assert told(made.rows, made.columns, made.points) == ["m", "n", "p"] and made.outers is None
    addresses = [each.operand for each in nodes(tiled(SUMS), OperandAddress)]
    down, across = sorted(addresses, key=lambda each: not each.down)
    assert (down.down, down.deep, across.down, across.deep) == (True, True, False, False)
    assert told(down.address, across.address) == ["&a[(long long)i * p + k]", "&b[(long long)k * n + j]"]
    element = node(tiled(SUMS), ElementOfTile)
    assert [each.name for each in element.parameters] == [down.register, across.register, "@acc"]


def test_blocks_share_the_points_of_a_reduction_and_of_no_loop_in_order() -> None:
    sums, in_order = tiled(SUMS), tiled(IN_ORDER)
    assert node(sums, StartTile).accumulator == node(sums, LeaveTile).accumulator and not nodes(sums, BeginPoints)
    assert [each.name for each in sums.parameters][-2:] == ["@partials", "@tickets"]
    assert nodes(in_order, BlankTile) and not nodes(in_order, SlotsOfTile)
    begins = node(in_order, BeginPoints)
    (value,) = (each.value for each in begins.body if isinstance(each, Assign))
    assert begins.of == "points" and told(value) == ["c[(long long)i * n + j]"]


def test_what_follows_finds_the_iterators_of_its_point() -> None:
    points = node(tiled(SUMS), PointsOfLines)
    names = [each.symbol.name for each in points.body if hasattr(each, "symbol")]
    assert names[:2] == ["i", "j"] and not any(each.uses_point for each in nodes(tiled(SUMS), UseTile))


def test_what_is_fetched_is_stored_and_shown_before_it_is_used() -> None:
    stages = node(tiled(SUMS), StagesAhead)
    assert [type(each) for each in (*stages.fetch, *stages.show, *stages.use)] == [FetchNext, StoreTile, Sync, UseTile]
    assert not nodes(tiled(SUMS), FetchTile)


def test_a_tile_is_as_deep_as_its_points_allow() -> None:
    memory = node(tiled(SUMS), TileMemory)
    assert [each.numbers for each in memory.sizes[:3]] == [(16, 8, 8, 1), (8, 8, 8, 2), (4, 4, 16, 3)]
    assert told(memory.down, memory.across) == ["DOWN < 4 ? DOWN : 4", "ACROSS < 4 ? ACROSS : 4"]


LOWER = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
void f(int n, int m, const float a[static const restrict n][n], const float b[static const restrict n][m],
       float c[static const restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = 0; k <= i; k++) __pencil_reduction(&c[i][j], a[i][k] * b[k][j], add);
        }
#pragma endscop
}
"""
ONLY_LOWER = LOWER.replace("j < m", "j <= i").replace("[m]", "[n]")
SQUARE = LOWER.replace("[m]", "[n]").replace("j < m", "j < n")
MASKED = (
    SUMS.replace("[n]", "[m]")
    .replace("j < n", "j < m")
    .replace("__pencil_reduction(&", "if (j <= i) __pencil_reduction(&")
)
MASKED_IN_ORDER = (
    MASKED.partition("{\n    float s")[0]
    + "{ float t = -1; for (int k = 0; k < p; k++) if (j <= i) t += a[i][k] * b[k][j]; c[i][j] = t; }"
    + END
)
ADDED_IN_HALF = SQUARE.replace("__pencil_reduction(&", "if (j <= i) __pencil_reduction(&")


def test_a_tile_of_a_triangle_ends_with_its_last_point() -> None:
    made = tiled(LOWER)
    points = node(made, RangeOfPoints)
    assert points.first is None and points.last is not None
    assert told(points.last) == ["(long long)@first_row + @tile_rows"] and node(made, ShareOfPoints).ranged
    (operand,) = (each.operand for each in nodes(made, OperandAddress) if each.operand.read is not None)
    assert operand.read is not None and operand.down and told(operand.read) == ["i >= k"]


def test_whole_stages_are_those_that_all_points_have() -> None:
    """Their element has no condition, the other one has, which comes with what is read alone."""
    made = tiled(LOWER)
    whole, others = node(made, StagesAhead), node(made, EachStage)
    has_all = "(long long)@first_row + 1 >= (long long)@next + DEPTH"
    assert told(whole.is_next) == [f"@next + DEPTH <= @last && {has_all}"]
    assert told(others.condition) == ["@at < @last"]
    read, all_of = node(others.body, CopyRead).operands, node(others.body, FetchTile).operands
    assert [each.read is None for each in (*read, *all_of)] == [False, True] and not nodes(whole.fetch, FetchTile)
    elements = {each.element: each for each in nodes(made, ElementOfTile)}
    for used, is_asked in ((whole.use, False), (others.body, True)):
        assert any(isinstance(each, If) for each in elements[node(used, UseTile).element].body) is is_asked


@pytest.mark.parametrize(("text", "is_seen"), [(ONLY_LOWER, False), (ADDED_IN_HALF, True)], ids=["left out", "seen"])
def test_points_without_values_ask_where_somebody_sees_them(text: str, is_seen: bool) -> None:
    """Where results above the diagonal are stored, nothing may be added to them in a stage that others have."""
    whole = node(tiled(text), StagesAhead)
    assert ("@first_column" in told(whole.is_next)[0]) is is_seen


@pytest.mark.parametrize(
    ("text", "total"),
    [(MASKED, EmptyTotal), (MASKED_IN_ORDER, Declare)],
    ids=["reduced", "in order"],
)
def test_results_without_elements_are_put_in_place_where_they_are_stored(text: str, total: type) -> None:
    """No element of a stage is asked for its point: what comes of those that have none is not looked at."""
    made = tiled(text)
    (element,) = nodes(made, ElementOfTile)
    assert not any(isinstance(each, If) for each in element.body) and not nodes(made, CopyRead)
    (asked,) = (each for each in node(made, PointsOfLines).body if isinstance(each, If))
    assert told(asked.condition) == ["!(i >= j)"] and isinstance(asked.then[0], total)


def test_tensor_cores_are_one_of_two_forms() -> None:
    forms = node(tiled(HALVES), FromArch)
    kinds = [{type(each) for each in blocks_in(form)} for form in (forms.then, forms.otherwise)]
    assert {TensorMemory, MultiplyFragments} <= kinds[0] and UseTile in kinds[1] and TensorMemory not in kinds[1]


def test_rows_of_tiles_are_gone_through_and_folded() -> None:
    made = tiled(NEAREST)
    for kind in (RowsOfTiles, CombineFolded, BeginTile):
        assert nodes(made, kind), kind
    assert node(made, LeaveTile).of == "rows"
