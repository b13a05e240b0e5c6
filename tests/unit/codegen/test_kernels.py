"""The functions of a kernel of each shape."""

from __future__ import annotations

import pytest

from pencilc.codegen.kernels import rank, size
from pencilc.ir.build import ONE, variable
from pencilc.ir.columns import ColumnLanes, ColumnPlaces, ColumnSegment, EachColumn
from pencilc.ir.combining import Arrive, ByOne, Combine, CombineGrid, EachRow, Start, Workers
from pencilc.ir.geometry import Geometry
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import For, If, Node, Sync, blocks_in, names_of
from pencilc.ir.segments import Segment, ShortSegment, ShortTeam
from pencilc.ir.source import INT, LLONG, Assign, Declare
from pencilc.options import CompileOptions, Tuning
from tests.unit.codegen.broken import function
from tests.unit.codegen.programs import UNFUSED, N, functions, node, nodes, told
from tests.unit.records import COLUMN_SUMS, DEFAULT, ROW_SUMS, SUM

PLANES = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
void f(int n, int m, const float x[static const restrict n][m][m], float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&a[i], zero);
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++)
                __pencil_reduction(&a[i], x[i][j][k] * (j + k), add);
    }
#pragma endscop
}
"""


def only(body: str, options: CompileOptions = DEFAULT) -> KernelFunction:
    """The only function."""
    (found,) = functions(body, options).values()
    return found


def loops(nodes: tuple[Node, ...]) -> list[str]:
    """The first number of each of the loops inside of each other."""
    found = []
    while loop := next((node for node in nodes if isinstance(node, For)), None):
        found.append(told(loop.lower)[0])
        nodes = loop.body
    return found


ACROSS = "(long long)blockIdx.x * blockDim.x + threadIdx.x"
DOWN = "(long long)blockIdx.y * @block_rows + threadIdx.y"
X, Y, Z = (f"(long long)(blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis})" for axis in "xyz")


def test_points_are_dealt_out_in_the_directions_of_their_rows() -> None:
    made = only("FOR(i, n) FOR(j, m) y[i][j] = i + j;")
    assert loops(made.body) == [ACROSS, DOWN] and made.dealt == ((1,), (0,))
    assert loops(only("FOR(i, n) a[i] = b[i];").body) == [X]


def test_each_point_along_x_has_a_thread_where_rows_are_several() -> None:
    made = only("FOR(i, n) FOR(j, m) y[i][j] = x[i][j];")
    outer = next(node for node in made.body if isinstance(node, For))
    inner = next(node for node in outer.body if isinstance(node, For))
    assert made.covers and outer.is_covered and inner.is_rare and not inner.is_covered
    alone = only("FOR(i, n) a[i] = b[i];")
    assert not alone.covers and not any(isinstance(node, For) and node.is_covered for node in alone.body)


def test_a_block_has_rows_below_each_other_up_to_where_those_of_the_next_begin() -> None:
    made = only("FOR(i, n) FOR(j, m) y[i][j] = i + j;")
    end = next(node for node in made.body if isinstance(node, Declare))
    assert end.init is not None
    assert told(variable(end.symbol.name), end.init) == ["@rows_end", "((long long)blockIdx.y + 1) * @block_rows"]
    (rows,) = (node for node in blocks_in(made.body) if isinstance(node, For) and not node.is_covered)
    assert told(rows.bound, rows.step) == ["@rows_end < n ? @rows_end : n", "(long long)blockDim.y"]
    assert made.parameters[-1].name == "@block_rows"
    # Every second row of a triangle: what is across depends on the row, which stays outside.
    triangle = only("for (int i = 1; i < n; i += 2) FOR(j, i) y[i][j] = x[i][j];")
    assert loops(triangle.body) == ["1 + ((long long)blockIdx.y * @block_rows + threadIdx.y) * 2", ACROSS]
    outer = next(node for node in triangle.body if isinstance(node, For))
    assert told(outer.bound) == ["1 + @rows_end * 2 < n ? 1 + @rows_end * 2 : n"]


def test_only_the_innermost_three_rows_are_dealt_out() -> None:
    four = "FOR(i, 40) FOR(j, 40) FOR(k, 40) FOR(l, 40) t[i][j][k][l] = a[l];"
    body = f"float t[40][40][40][40]; {four} FOR(i, 40) b[i] = t[39 - i][i][i][i];"
    made = functions(body, UNFUSED)["f_parallel0"]
    assert made.dealt == ((3,), (2,), (1,))
    first, *rest = loops(made.body)
    assert first == "0" and [text.count("blockIdx") for text in rest] == [1, 1, 1]


def test_short_inner_loops_are_merged_into_the_loop_around_them() -> None:
    four = "FOR(i, n) FOR(j, 2) FOR(k, 3) t[i][j][k] = a[k];"
    made = functions(f"float t[n][2][3]; {four} FOR(i, n) b[i] = t[p[i]][1][2];", UNFUSED)["f_parallel0"]
    assert made.dealt == ((0, 1, 2),) and loops(made.body) == [X]


def test_a_row_of_one_value_is_not_dealt_out() -> None:
    made = only("FOR(i, 1) FOR(j, m) y[i][j] = 0;")
    assert loops(made.body) == [X] and len(made.dealt) == 1


def test_one_thread_does_what_is_no_loop() -> None:
    made = only("x[0][1] = a[0];")
    assert made.shape == "single" and made.block == 1 and isinstance(made.body[0], Assign)


def test_a_reduction_of_everything_has_the_threads_of_the_grid() -> None:
    made = only(SUM)
    start, run, thread, block, grid, behind = made.body
    assert isinstance(run, Segment) and isinstance(behind, ByOne) and isinstance(start, Start)
    assert told(run.rank) == ["(long long)blockIdx.x * blockDim.x + threadIdx.x"]
    assert isinstance(thread, Combine) and isinstance(block, Combine) and isinstance(grid, CombineGrid)
    assert (thread.scope, block.scope, grid.leave, made.counts and made.counts.reduced) == (
        "thread",
        "block",
        "return",
        N,
    )


def test_a_fixed_tree_has_as_many_warps_as_it_is_told() -> None:
    made = only(SUM, CompileOptions(determinism="fixed-tree"))
    run = node(node(made, Workers).body, Segment)
    assert [each.scope for each in nodes(made, Combine)] == ["thread", "worker", "workers"] and nodes(made, Arrive)
    assert told(run.rank) == ["(long long)@worker * PENCILC_WARP + threadIdx.x % PENCILC_WARP"]


def test_rows_are_taken_by_lanes_warps_or_blocks() -> None:
    made = functions(ROW_SUMS)
    assert [each.shape for each in made.values()] == ["row_short", "row_warps", "row_blocks"]
    brought = [[helper.macro for helper in each.helpers] for each in made.values()]
    assert brought == [["accumulator"], [], []]
    short, warps, blocks = made.values()
    assert node(short, ShortTeam).rows == node(warps, EachRow).count == N
    assert (node(warps, EachRow).level, node(blocks, EachRow).level) == ("warp", "block")
    kept = node(warps, EachRow).body[0]
    assert isinstance(kept, Declare) and told(kept.init or N) == ["(int)@row"]


def test_points_of_short_rows_are_ints() -> None:
    """They are a chunk for each lane of a warp at most: a division of a number of 64 bits is a call of a function."""
    short = node(function(PLANES, "row_short"), ShortSegment).segment
    warps = node(function(PLANES, "row_warps"), Segment)
    for segment, kind in ((short, INT), (warps, LLONG)):
        (counter,) = (each for each in segment.parameters if each.name == "@point")
        assert counter.type == kind and segment.point is not None and segment.point.type == kind


def test_rows_that_are_no_single_runs_have_no_short_form() -> None:
    ragged = "FOR(i, n) { INIT(&a[i], zero); for (int j = i; j < m; j++) UPDATE(&a[i], x[i][j], add); }"
    lanes, blocks = functions(ragged).values()
    assert (lanes.shape, blocks.shape) == ("row_lanes", "row_blocks")
    assert lanes.lanes[-1] == 32 and len(set(lanes.lanes)) == len(lanes.lanes) and lanes.numbers == ("LANES",)
    assert node(lanes, EachRow).level == "lanes" and [each.scope for each in nodes(lanes, ByOne)] == ["lanes"]


def test_columns_recover_what_their_loads_need() -> None:
    made = only(COLUMN_SUMS)
    (down,) = nodes(made, ColumnSegment)
    assert names_of(down.recover) == {"@row"}
    place, axis = nodes(node(made, EachColumn).body, Declare)[:2]
    assert (place.symbol.name, axis.symbol.name, axis.symbol.type) == ("@x", "j", INT)
    assert nodes(made, ColumnPlaces) == [] and nodes(made, ColumnLanes) == []


@pytest.mark.parametrize(("behind", "waits"), [("x[i][0] = a[i];", True), ("b[i] = x[i][0];", False), ("", False)])
def test_what_writes_what_others_read_has_to_wait(behind: str, waits: bool) -> None:
    body = f"FOR(i, n) {{ INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j], add); {behind} }}"
    (narrow,) = (each for each in functions(body, UNFUSED).values() if each.shape in ("row_warps", "row_lanes"))
    assert [each.scope for each in nodes(narrow, Sync)] == ["warp"] * waits


def test_numbers_of_points_of_nothing_are_one() -> None:
    counts = only(SUM).counts
    assert counts is not None and (counts.rows, counts.outers, counts.columns) == (ONE, ONE, ONE)


def test_scalars_of_parameters_are_computed_where_they_are_used() -> None:
    made = only("float s = (float)n; float t = s * 2; FOR(i, n) a[i] = t;")
    assert [each.symbol.name for each in made.body if isinstance(each, Declare)] == ["s", "t"]
    assert len(only("float s = (float)n; FOR(i, n) a[i] = b[i];").body) == 1


def test_the_place_of_a_thread_that_has_the_grid_or_a_block() -> None:
    grid, block, tile = Geometry("", 64), Geometry("block", 64), Geometry("block_tile", 64)
    assert told(rank(grid, "y"), size(grid, "y")) == ["blockIdx.y * blockDim.y + threadIdx.y", "gridDim.y * blockDim.y"]
    assert told(size(grid, "x", LLONG)) == ["(long long)gridDim.x * blockDim.x"]
    assert told(rank(block, "x", LLONG), size(block, "x")) == ["threadIdx.x", "64"]
    assert told(size(tile, "y"), size(tile, "z")) == ["@threads_of_part.y", "1"]


def test_a_statement_outside_of_all_loops_is_done_by_one_thread() -> None:
    made = functions("FOR(i, n) a[i] = 0; b[0] = c[1];")["f_single1"]
    (guard,) = made.body
    assert isinstance(guard, If) and told(guard.condition) == ["threadIdx.x == 0"]


def by_lanes(body: str, options: CompileOptions = DEFAULT) -> KernelFunction:
    """The function that gives a row to some lanes of a warp."""
    return next(each for each in functions(body, options).values() if each.shape == "row_lanes")


BOUNDS = "for (int j = p[i]; j < q[i]; j++) UPDATE(&a[i], c[j], add);"


@pytest.mark.parametrize(
    ("row", "ahead"),
    [
        (BOUNDS, ["p[i]", "q[i]"]),
        ("int first = p[i], end = q[i]; for (int j = first; j < end; j++) UPDATE(&a[i], c[j], add);", ["p[i]", "q[i]"]),
        ("int first = p[i]; for (int j = first; j < first + q[i]; j++) UPDATE(&a[i], c[j], add);", ["p[i]"]),
        (f"if (p[i] > 0) {BOUNDS}", []),  # read where the condition holds
        (f"{BOUNDS} q[i] = 0;", ["p[i]"]),  # the kernel writes the other one
        ("for (int j = p[0]; j < q[0]; j++) UPDATE(&a[i], c[j], add);", []),  # the same for all rows
    ],
)
def test_bounds_of_a_row_are_loaded_ahead(row: str, ahead: list[str]) -> None:
    rows = node(by_lanes(f"FOR(i, n) {{ INIT(&a[i], zero); {row} }}"), EachRow)
    assert [told(bound.value) for bound in rows.bounds] == [[each] for each in ahead]
    assert not {bound.name for bound in rows.bounds} & {each.symbol.name for each in nodes(rows.body, Declare)}


def test_what_fills_no_chunk_goes_to_a_lane_each_where_lanes_are_enough() -> None:
    for lanes, is_spread in ((4, True), (2, False)):
        fewest = Tuning((("f_row0", (("few_lanes", lanes),)),))
        made = by_lanes(f"FOR(i, n) {{ INIT(&a[i], zero); {BOUNDS} }}", CompileOptions(tuning=fewest))
        assert node(made, Segment).is_spread == is_spread
