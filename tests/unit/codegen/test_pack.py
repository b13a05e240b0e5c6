"""Kernels that share a launch."""

from __future__ import annotations

import pytest

from pencilc.ir.build import UNSIGNED
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import If, Node, Parameter, Switch
from pencilc.ir.source import INT, CallStmt, Declare
from tests.unit.codegen.programs import functions, told
from tests.unit.records import SUM

LINES = "FOR(i, n) a[i] = b[i]; FOR(j, m) z[j] = 1;"
TILES = "FOR(i, n) FOR(j, m) y[i][j] = 0; FOR(i, n) { INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j], add); }"
ALL = "FOR(i, n) a[i] = b[i]; float s; INIT(&s, zero); FOR(j, m) UPDATE(&s, z[j], add); c[0] = s;"


def packed(body: str) -> KernelFunction:
    """The kernel that gives each part its blocks."""
    return functions(body)["f_packed0"]


def choices(body: str) -> tuple[str, tuple[Node, ...], tuple[Node, ...]]:
    """Which blocks the first part has, what they do, and what the others do."""
    (chosen,) = packed(body).body
    assert isinstance(chosen, If)
    return told(chosen.condition)[0], chosen.then, chosen.otherwise


def call(node: Node) -> str:
    """The text of a call."""
    assert isinstance(node, CallStmt)
    return told(node.call)[0]


def test_blocks_are_numbered_through() -> None:
    condition, first, second = choices(LINES)
    assert condition == "blockIdx.x < @end0"
    assert call(first[0]) == "f_parallel0(n, a, b, blockIdx.x, @end0)"
    assert call(second[0]) == "f_parallel1(m, z, blockIdx.x - @end0, gridDim.x - @end0)"


def test_the_kernel_has_what_all_parts_need_once() -> None:
    names = [each.name for each in packed(TILES).parameters]
    assert len(set(names)) == len(names) and {"n", "m", "y", "a", "x", "@across0", "@wide0", "@lanes1"} <= set(names)
    assert packed(LINES).parameters[-1] == Parameter("@end0", UNSIGNED)
    assert "@end1" not in names


def test_what_a_part_has_for_itself_is_numbered() -> None:
    made = functions(ALL)
    names = {each.name for each in made["f_packed0"].parameters}
    assert {"@partials1", "@tickets1"} <= names and not {"@partials", "@tickets"} & names
    assert {"@partials", "@tickets"} <= {each.name for each in made["f_all1"].parameters}
    _, _, second = choices(ALL)
    assert "@partials1, @tickets1" in call(second[0])


def test_places_in_two_directions_come_from_the_number() -> None:
    _, first, _ = choices(TILES)
    block, blocks, work = first
    assert isinstance(block, Declare) and isinstance(blocks, Declare) and block.symbol.type == UNSIGNED
    assert call(work) == (
        "f_parallel0(n, m, y, @block_rows0, dim3(@block % @wide0, @block / @wide0), dim3(@wide0, @blocks / @wide0), "
        "dim3(threadIdx.x % @across0, threadIdx.x / @across0, 0), dim3(@across0, 256 / @across0))"
    )


def test_rows_choose_their_form_at_run_time() -> None:
    _, _, second = choices(TILES)
    some_lanes = second[-1]
    assert isinstance(some_lanes, If) and told(some_lanes.condition) == ["@lanes1 > 0"]
    assert call(*some_lanes.then).startswith("f_row1_short(")
    (switch,) = some_lanes.otherwise
    assert isinstance(switch, Switch) and told(switch.value) == ["@lanes1"]
    ((number, of_warp),) = switch.cases
    assert number == 0 and told(of_warp.call)[0].startswith("f_row1_warps(")
    assert told(switch.default.call)[0].startswith("f_row1_blocks(")
    assert Parameter("@lanes1", INT) in packed(TILES).parameters


def test_a_part_that_is_not_parallel_has_one_thread() -> None:
    (guard,) = functions("FOR(i, n) a[i] = 0; b[0] = c[1];")["f_single1"].body
    assert isinstance(guard, If) and told(guard.condition) == ["threadIdx.x == 0"]


def test_an_array_that_any_part_writes_is_not_const() -> None:
    found = {each.name: each for each in packed(LINES).parameters}
    assert found["b"].is_const and not found["a"].is_const and not found["z"].is_const


@pytest.mark.parametrize("body", [SUM, "FOR(i, n) a[i] = b[i]; FOR(i, n) c[i] = a[n - 1 - i];"])
def test_kernels_by_themselves_and_those_that_depend_on_each_other_are_not_packed(body: str) -> None:
    assert not any(each.shape == "packed" or each.layout for each in functions(body).values())
