"""Stages over a row whose elements stay in registers."""

from __future__ import annotations

from pencilc.codegen.stitch import register_names
from pencilc.ir.combining import ByOne, Start
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import If
from pencilc.ir.on_chip import (
    EachItem,
    ElementPlace,
    Exchange,
    ExchangeParts,
    GridParts,
    LoadChunk,
    LoadItems,
    Local,
    RowPlace,
    RowTeam,
    Run,
    StageOfRow,
    StitchedRows,
    StoreChunk,
    Unrolled,
    WhereWhole,
)
from pencilc.ir.source import FLOAT, Assign, Declare
from tests.unit.codegen.programs import functions, node, nodes, program, told
from tests.unit.records import ROW_SUMS, SOFTMAX

WHOLE = """float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); FOR(i, n) b[i] = a[i] / s;"""
COLUMNS = "FOR(j, m) { INIT(&z[j], zero); FOR(i, n) UPDATE(&z[j], x[i][j], add); FOR(i, n) y[i][j] = x[i][j] * z[j]; }"


def stitched(body: str) -> list[KernelFunction]:
    """The functions of the stitched kernel."""
    return [each for each in functions(body).values() if each.shape.startswith("stitched")]


def stages(body: str) -> list[StageOfRow]:
    """The stages of the first of them."""
    return nodes(stitched(body)[0], StageOfRow)


def assigned(stage: StageOfRow) -> list[list[str]]:
    """What a stage assigns to what."""
    return [told(each.target, each.value) for each in nodes((stage,), Assign)]


def test_each_sweep_is_a_stage() -> None:
    made = stages(SOFTMAX)
    exchanges = [nodes((stage,), Exchange) for stage in made]
    told_of = [[(each.part, each.number, each.among) for each in found] for found in exchanges]
    assert told_of == [[("stage0", 0, "row")], [("stage1", 1, "row")], []]
    assert [len(nodes((stage,), Start)) for stage in made] == [1, 1, 0]


def test_heavy_functions_have_the_registers_that_they_need() -> None:
    """Rows of floats have three blocks of a multiprocessor, unless an element is worked on by more than `expf`."""
    assert [stitched(SOFTMAX.replace("expf", name))[0].resident for name in ("expf", "sinf", "exp")] == [3, 1, 1]


def test_a_team_of_threads_has_a_row() -> None:
    (made, *_) = stitched(SOFTMAX)
    team, parts, place, rows = made.body
    assert isinstance(team, RowTeam) and (team.team, team.items) == ("threads", "chunks of 4 elements")
    assert isinstance(parts, ExchangeParts) and [part for _, part in parts.members] == ["stage0", "stage1"]
    assert isinstance(place, RowPlace) and place.rows is not None and place.count is not None
    assert told(place.rows, place.count) == ["n", "m"]
    assert isinstance(rows, StitchedRows) and (rows.team, rows.names_row) == ("threads", True)
    assert made.counts is not None and made.counts.reduced == place.count


def test_a_warp_has_several_short_rows_in_one_form() -> None:
    (made, *_) = stitched(SOFTMAX)
    found = [node(made, RowTeam).few, *(each.few for each in nodes(made, Exchange))]
    assert [told(few) for few in found if few is not None] == [["ITEMS == 4"]] * 3


def test_a_row_is_loaded_once_and_lives_in_registers() -> None:
    first, second, third = stages(SOFTMAX)
    assert [told(*each.extents) for each in nodes(stitched(SOFTMAX)[0], Local)[:1]] == [["ITEMS", "4"]]
    run = node((first,), Run)
    assert (run.name, told(run.first), run.is_const) == ("@x_run", ["&x[(long long)i * m]"], True)
    load = node((first,), LoadItems)
    assert told(load.registers, load.run, load.wide) == ["@x_row", "@x_run", "@x_wide"]
    assert not nodes((second, third), LoadItems) and not nodes((first, second, third), LoadChunk)
    stored = node((third,), StoreChunk)
    assert told(stored.chunk, stored.run, stored.left) == ["@y_chunk", "@y_run", "@left"]
    assert not node((third,), Run).is_const
    assert assigned(first)[0] == ["@acc", "larger(@acc, @x_row[@c][@k])"]


def test_elements_behind_the_row_are_left_out() -> None:
    loop = node((stages(SOFTMAX)[0],), Unrolled)
    (there,) = loop.body
    assert loop.over == "chunk" and isinstance(there, If) and told(there.condition) == ["@k < @left"]


def test_a_call_that_later_stages_need_too_is_made_once() -> None:
    _, second, third = stages(SOFTMAX)
    assert assigned(second)[:2] == [
        ["@expf_row[@c][@k]", "expf(@x_row[@c][@k] - max_)"], ["@acc", "add(@acc, @expf_row[@c][@k])"],
    ]  # fmt: skip
    attempt, again = assigned(third)
    assert attempt == ["@y_chunk[@k]", "pencilc_quotient(@expf_row[@c][@k], @by, @exact)"]
    assert again == ["@y_chunk[@k]", "@expf_row[@c][@k] / sum"]
    (retried,) = nodes((third,), If)
    assert told(retried.condition) == ["!@exact && @left > 0"]


def test_values_of_the_row_are_declared_around_all_stages() -> None:
    lines = [each for each in node(stitched(SOFTMAX)[0], StitchedRows).body if isinstance(each, Declare)]
    assert [(each.symbol.name, each.symbol.type) for each in lines][1:] == [("max_", FLOAT), ("sum", FLOAT)]
    assert all(nodes((stage,), ByOne) == [] for stage in stages(SOFTMAX))


def test_a_row_that_is_everything_may_have_the_whole_grid() -> None:
    made = stitched(WHOLE)
    grid = next(each for each in made if each.shape == "stitched_grid")
    assert node(grid, RowTeam).team == "grid" and nodes(grid, StitchedRows) == [] and grid.helpers == ()
    assert "@partials" in {each.name for each in grid.parameters}
    assert "@partials" not in {each.name for each in made[0].parameters}
    assert len(nodes(grid, GridParts)) == 1 and nodes(made[0], GridParts) == []
    assert [{each.among for each in nodes(one, Exchange)} for one in (grid, made[0])] == [{"grid"}, {"row"}]
    assert {"partial", "grid"} <= {helper.macro for helper in made[0].helpers}


def test_what_goes_to_memory_once_a_row_is_done_by_one_thread() -> None:
    body = ROW_SUMS[:-1] + " FOR(j, m) y[i][j] = x[i][j] / a[i]; }"
    alone = node((stages(body)[0],), ByOne)
    stored = alone.body[-1]
    assert alone.scope == "row" and isinstance(stored, Assign) and told(stored.target) == ["a[i]"]


def test_columns_are_gathered_one_by_one() -> None:
    (made, *_) = stitched(COLUMNS)
    assert node(made, RowTeam).team == "across" and {each.among for each in nodes(made, Exchange)} == {"across"}
    first = stages(COLUMNS)[0]
    gathered = first.body[0]
    assert isinstance(gathered, WhereWhole)
    whole, some = (node(each, EachItem) for each in (gathered.then, gathered.otherwise))
    assert isinstance(whole.body[0], ElementPlace) and not nodes(whole.body, If)
    (there,) = nodes(some.body, If)
    assert told(there.condition) == ["@x < @count"] and there.then == whole.body[1:]
    assert assigned(first)[0] == ["@x_row[@c]", "x[(long long)i * m + j]"]
    assert nodes((first,), LoadChunk) == []


def test_neighbouring_rows_have_no_elements_behind_the_last_one() -> None:
    count = node(stitched(COLUMNS)[0], StitchedRows).body[0]
    assert isinstance(count, Declare) and count.init is not None
    assert told(count.init) == ["@mine < @rows ? (int)n : 0"]


def test_names_of_registers() -> None:
    (found,) = program(SOFTMAX).stitched()
    assert register_names(found, "row") == ("@x_row", "max_", "sum", "@y_chunk", "@expf_row")
    assert register_names(found, "chunk") == ("@x_chunk", "max_", "sum", "@y_chunk", "@expf_chunk")


def test_one_sweep_is_not_stitched() -> None:
    assert stitched(ROW_SUMS) == []
