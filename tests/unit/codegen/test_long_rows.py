"""Rows that stay in shared memory."""

from __future__ import annotations

from pencilc.ir.kernel import KernelFunction, SharedValue, StitchCode, StitchedLong
from pencilc.ir.source import FLOAT, Assign
from tests.unit.codegen.programs import functions, node, program, told
from tests.unit.records import SOFTMAX


def long() -> tuple[KernelFunction, StitchCode]:
    """The form for long rows."""
    made = functions(SOFTMAX)["f_stitched0_long"]
    return made, node(made, StitchedLong).code


def names(values: tuple[SharedValue, ...]) -> list[str]:
    """The registers of values."""
    return [each.register for each in values]


def test_the_block_is_that_of_long_rows_and_what_they_share_comes_with_the_short_ones() -> None:
    made, code = long()
    (stitched,) = program(SOFTMAX).stitched()
    assert stitched.long_rows is not None
    assert (made.shape, made.block, made.helpers) == ("stitched_long", stitched.long_rows.threads, ())
    assert code.warps == stitched.long_rows.threads // 32 and code.in_flight == stitched.long_rows.in_flight
    assert made.resident == 1 and node(made, StitchedLong).across == stitched.long_rows.across


def test_values_of_several_stages_lie_in_shared_memory_and_no_row_in_registers() -> None:
    _, code = long()
    assert code.declares == () and {value.name for value in code.shared_values} == {"@x_shared", "@expf_shared"}
    assert all(value.type == FLOAT and value.factor == 1 for value in code.shared_values)


def test_values_that_take_turns_begin_at_the_same_place() -> None:
    assert {value.offset for value in long()[1].shared_values} == {0}


def test_values_that_live_at_one_time_lie_behind_each_other() -> None:
    """The last stage reads x and what was computed of it."""
    body = SOFTMAX.replace("/ sum;", "/ sum + x[i][j];")
    found = node(functions(body)["f_stitched0_long"], StitchedLong).code
    (stitched,) = program(body).stitched()
    assert stitched.long_rows is not None
    sizes = [region.size for region in stitched.long_rows.regions]
    assert sorted(value.offset for value in found.shared_values) == [0, sizes[0]] and len(sizes) == 2


def test_a_chunk_is_recalled_before_and_kept_behind_the_work() -> None:
    first, second, third = long()[1].stages
    assert (names(first.recalls), names(first.keeps)) == (["@x_chunk"], [])
    assert (names(second.recalls), names(second.keeps)) == (["@x_chunk"], ["@expf_chunk"])
    assert (names(third.recalls), names(third.keeps)) == (["@expf_chunk"], [])


def test_a_chunk_stands_for_an_access() -> None:
    (update,) = long()[1].stages[0].body
    assert isinstance(update, Assign) and told(update.value) == ["larger(@acc, @x_chunk[@k])"]
    (load,) = long()[1].stages[0].loads
    assert [load.register, *told(load.chunk), load.registers] == ["@x_chunk", "@x_chunk", "@x_chunks"]


def test_what_one_stage_uses_is_not_kept() -> None:
    _, code = long()
    assert "@y_chunk" not in names(code.shared_values)
    assert [each.register for each in code.stages[2].stores] == ["@y_chunk"]
