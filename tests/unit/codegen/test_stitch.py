"""Stages over a row whose elements stay in registers."""

from __future__ import annotations

from pencilc.codegen.stitch import register_names
from pencilc.ir.kernel import KernelFunction, StitchCode, StitchedGrid, StitchedRows
from pencilc.ir.source import FLOAT, Assign, Declare
from tests.unit.codegen.programs import functions, node, program, told
from tests.unit.records import ROW_SUMS, SOFTMAX

WHOLE = """float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); FOR(i, n) b[i] = a[i] / s;"""
COLUMNS = "FOR(j, m) { INIT(&z[j], zero); FOR(i, n) UPDATE(&z[j], x[i][j], add); FOR(i, n) y[i][j] = x[i][j] * z[j]; }"


def stitched(body: str) -> list[KernelFunction]:
    """The functions of the stitched kernel."""
    return [each for each in functions(body).values() if each.shape.startswith("stitched")]


def code(body: str) -> StitchCode:
    """What the first of them has."""
    return node(stitched(body)[0], StitchedRows).code


def test_each_sweep_is_a_stage() -> None:
    made = code(SOFTMAX)
    exchanges = [stage.exchange for stage in made.stages if stage.exchange is not None]
    assert [(each.part, each.number, each.among) for each in exchanges] == [("stage0", 0, "row"), ("stage1", 1, "row")]
    assert [stage.accumulator is not None for stage in made.stages] == [True, True, False]
    assert told(made.count) == ["m"] and not made.whole and not made.scattered


def test_a_row_is_loaded_once_and_lives_in_registers() -> None:
    first, second, third = code(SOFTMAX).stages
    (load,) = first.loads
    assert [load.register, *told(load.chunk)] == ["@x_row", "@x_row[@c]"]
    assert load.first is not None and told(load.first) == ["&x[(long long)i * m]"]
    assert second.loads == third.loads == () and [each.register for each in third.stores] == ["@y_chunk"]
    (update,) = first.body
    assert isinstance(update, Assign) and told(update.value) == ["larger(@acc, @x_row[@c][@k])"]


def test_a_call_that_later_stages_need_too_is_made_once() -> None:
    _, second, third = code(SOFTMAX).stages
    (call,), (update,) = second.ahead, second.body
    assert isinstance(call, Assign) and isinstance(update, Assign)
    assert told(call.target, call.value) == ["@expf_row[@c][@k]", "expf(@x_row[@c][@k] - max_)"]
    assert told(update.value) == ["add(@acc, @expf_row[@c][@k])"]
    (last,) = third.ahead
    assert third.body == () and isinstance(last, Assign) and told(last.value) == ["@expf_row[@c][@k] / sum"]


def test_values_of_the_row_are_declared_around_all_stages() -> None:
    lines = [node for node in code(SOFTMAX).row_lines if isinstance(node, Declare)]
    assert [(each.symbol.name, each.symbol.type) for each in lines] == [("max_", FLOAT), ("sum", FLOAT)]
    assert all(stage.by_one_thread == () for stage in code(SOFTMAX).stages)


def test_a_row_that_is_everything_may_have_the_whole_grid() -> None:
    made = stitched(WHOLE)
    assert code(WHOLE).whole
    grid = next(each for each in made if each.shape == "stitched_grid")
    assert (
        isinstance(grid.work, StitchedGrid)
        and grid.helpers == ()
        and "@partials" in {each.name for each in grid.parameters}
    )
    assert "@partials" not in {each.name for each in made[0].parameters}
    stages = (node(grid, StitchedGrid).code.stages, code(WHOLE).stages)
    among = [{stage.exchange.among for stage in each if stage.exchange is not None} for each in stages]
    assert among == [{"grid"}, {"row"}]


def test_what_goes_to_memory_once_a_row_is_done_by_one_thread() -> None:
    body = ROW_SUMS[:-1] + " FOR(j, m) y[i][j] = x[i][j] / a[i]; }"
    first = code(body).stages[0]
    stored = first.by_one_thread[-1]
    assert isinstance(stored, Assign) and told(stored.target) == ["a[i]"]


def test_columns_are_gathered_one_by_one() -> None:
    made = code(COLUMNS)
    assert made.scattered and made.across
    first = made.stages[0]
    assert first.loads == () and isinstance(first.gathers[-1], Assign)
    assert told(first.gathers[-1].target, first.gathers[-1].value) == ["@x_row[@c]", "x[(long long)i * m + j]"]


def test_names_of_registers() -> None:
    (found,) = program(SOFTMAX).stitched()
    assert register_names(found, "row") == ("@x_row", "max_", "sum", "@y_chunk", "@expf_row")
    assert register_names(found, "chunk") == ("@x_chunk", "max_", "sum", "@y_chunk", "@expf_chunk")


def test_one_sweep_is_not_stitched() -> None:
    assert stitched(ROW_SUMS) == []
