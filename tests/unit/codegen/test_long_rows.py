"""Rows that stay in shared memory."""

from __future__ import annotations

from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import If, SharedDecl
from pencilc.ir.on_chip import (
    CopiedItems,
    CopyChunk,
    ElementsOfRow,
    Exchange,
    ExchangeParts,
    Flights,
    Items,
    LoadChunk,
    Local,
    OwnPlace,
    RowTeam,
    StageOfRow,
    StoreChunk,
    Unrolled,
)
from pencilc.ir.source import Assign, Declare
from pencilc.options import CompileOptions
from pencilc.target import TARGETS, WARP
from tests.unit.codegen.programs import functions, node, nodes, program, told
from tests.unit.codegen.test_stitch import COLUMNS, WHOLE
from tests.unit.records import DEFAULT, SOFTMAX

# Elements smaller than a word.
SHORTS = SOFTMAX.replace("x[i][j]", "words[i][j]")
# Rows of a GPU whose blocks do not reach into each other's shared memory.
ALONE = CompileOptions(target=TARGETS["sm_80"])


def long(body: str = SOFTMAX, options: CompileOptions = DEFAULT) -> KernelFunction:
    """The form for long rows."""
    return functions(body, options)["f_stitched0_long"]


def shared(made: KernelFunction) -> dict[str, str]:
    """Where values begin in shared memory."""
    pointers = [each for each in made.body if isinstance(each, Declare) and each.symbol.name.endswith("_shared")]
    return {each.symbol.name: told(each.init)[0] for each in pointers if each.init is not None}


def moved(stage: StageOfRow) -> list[list[str]]:
    """What the loop over chunks moves between registers and runs, in order."""
    found = nodes(node((stage,), Items).body, LoadChunk | StoreChunk)  # type: ignore[arg-type]
    return [[type(each).__name__, *told(each.chunk, each.run, each.left)] for each in found]


def test_the_block_is_that_of_long_rows_and_what_they_share_comes_with_the_short_ones() -> None:
    made = long()
    (stitched,) = program(SOFTMAX).stitched()
    assert stitched.long_rows is not None
    assert (made.shape, made.block, made.helpers) == ("stitched_long", stitched.long_rows.threads, ())
    assert made.resident == 1
    team = node(made, RowTeam)
    assert (team.team, team.size, team.across) == ("cluster", made.block, stitched.long_rows.across)
    assert node(long(options=ALONE), RowTeam).team == "block"


def test_values_of_several_stages_lie_in_shared_memory_and_no_row_in_registers() -> None:
    assert [told(*each.extents) for each in nodes(long(), Local)] == [["4"]] * 5
    assert node(long(), SharedDecl).count is None
    assert shared(long()).keys() == {"@x_shared", "@expf_shared"}


def test_values_that_take_turns_begin_at_the_same_place() -> None:
    assert set(shared(long()).values()) == {"(float *)@shared"}


def test_values_that_live_at_one_time_lie_behind_each_other() -> None:
    """The last stage reads x and what was computed of it."""
    body = SOFTMAX.replace("/ sum;", "/ sum + x[i][j];")
    (stitched,) = program(body).stitched()
    assert stitched.long_rows is not None
    sizes = [region.size for region in stitched.long_rows.regions]
    behind = f"(float *)((char *)@shared + {sizes[0]} * @capacity)"
    assert sorted(shared(long(body)).values()) == [behind, "(float *)@shared"] and len(sizes) == 2


def test_a_row_of_words_is_copied_into_shared_memory_in_the_background() -> None:
    first, second, third = nodes(long(), StageOfRow)
    (copy,) = nodes((node((first,), CopiedItems),), CopyChunk)
    assert told(copy.place, copy.run, copy.offset, copy.left) == ["@x_shared + @own", "@x_run", "@at", "@count - @at"]
    assert copy.width == 4 and told(copy.wide) == ["@x_wide"]
    (alone,) = nodes((nodes(long(options=ALONE), StageOfRow)[0],), CopyChunk)
    assert told(alone.place) == ["@x_shared + @at"]
    assert nodes((second, third), CopiedItems) == [] and nodes(long(), Flights) == []


def test_a_row_of_smaller_elements_is_carried_there_several_chunks_at_a_time() -> None:
    """It may begin anywhere in a word."""
    first, second, third = nodes(long(SHORTS), StageOfRow)
    flight = node((first,), Flights)
    (load,), (store,) = nodes((flight,), LoadChunk), nodes((flight,), StoreChunk)
    assert told(load.chunk, load.run, load.left) == ["@words_chunks[@l]", "@words_run", "@count - @at"]
    assert told(store.chunk, store.run, store.offset, store.left) == [
        "@words_chunks[@l]",
        "@words_shared",
        "@own * 2",
        "8",
    ]
    (alone,) = nodes((node((nodes(long(SHORTS, ALONE), StageOfRow)[0],), Flights),), StoreChunk)
    assert told(alone.offset) == ["@at * 2"]
    (there,) = nodes((flight,), If)
    assert told(there.condition) == ["@c + @l < @items"] and there.then == (store,)
    (stitched,) = program(SHORTS).stitched()
    assert stitched.long_rows is not None and flight.count == stitched.long_rows.in_flight
    assert not nodes((second, third), Flights) and not nodes(long(SHORTS), CopiedItems)


def test_what_a_stage_uses_alone_is_fetched_several_chunks_ahead() -> None:
    (flight,) = nodes((nodes(long(SOFTMAX.replace("/ sum;", "/ sum * z[j];")), StageOfRow)[2],), Flights)
    loading, working = nodes((flight,), Unrolled)[:2]
    assert flight.count == loading.count == working.count == 6
    (load,) = nodes((loading,), LoadChunk)
    assert told(load.chunk, load.run, load.left) == ["@z_chunks[@l]", "@z_run", "@count - @at"]
    (there,) = working.body
    assert isinstance(there, If) and told(there.condition) == ["@c + @l < @items"]
    assert "@z_chunks[@l][@k]" in str([told(each.value) for each in nodes((there,), Assign)])


def test_a_chunk_is_recalled_before_and_kept_behind_the_work() -> None:
    first, second, third = map(moved, nodes(long(), StageOfRow))
    assert first == [["LoadChunk", "@x_chunk", "@x_shared", "4"]]
    assert second == [
        ["LoadChunk", "@x_chunk", "@x_shared", "4"], ["StoreChunk", "@expf_chunk", "@expf_shared", "4"],
    ]  # fmt: skip
    assert third == [
        ["LoadChunk", "@expf_chunk", "@expf_shared", "4"], ["StoreChunk", "@y_chunk", "@y_run", "@left"],
    ]  # fmt: skip


def test_a_chunk_stands_for_an_access() -> None:
    update = nodes((nodes(long(), StageOfRow)[0],), Assign)[0]
    assert told(update.value) == ["larger(@acc, @x_chunk[@k])"]


def test_blocks_of_a_cluster_exchange_what_they_have_and_keep_what_they_own() -> None:
    assert [each.among for each in nodes(long(), Exchange)] == ["cluster", "cluster"]
    assert [each.among for each in nodes(long(options=ALONE), Exchange)] == ["row", "row"]
    assert nodes(long(), OwnPlace) and not nodes(long(options=ALONE), OwnPlace)
    (items,) = (each for each in long().body if isinstance(each, Declare) and each.symbol.name == "@items")
    assert items.init is not None and told(items.init) == ["((@count + 3) / 4 + THREADS - 1) / THREADS"]


def test_a_cluster_has_a_place_for_what_a_block_shows_to_the_others() -> None:
    assert node(long(), ExchangeParts).places > long().block // WARP


def test_blocks_of_a_grid_keep_what_they_own() -> None:
    made = long(WHOLE)
    assert node(made, RowTeam).team == "block_grid" and nodes(made, OwnPlace)
    (copied,) = nodes((nodes(made, StageOfRow)[0],), CopyChunk)
    assert told(copied.place) == ["@a_shared + @own"]


def test_scattered_elements_are_recalled_and_kept_one_by_one() -> None:
    first, second = nodes(long(COLUMNS), StageOfRow)
    loops = [node((stage,), ElementsOfRow) for stage in (first, second)]
    assert [each.among for each in loops] == ["row", "row"]
    kept, recalled = loops[0].body[-1], nodes((loops[1],), Assign)[0]
    assert isinstance(kept, Assign)
    assert told(kept.target, kept.value) == ["@x_shared[@x * ACROSS + @lane]", "@x_chunk"]
    assert told(recalled.target, recalled.value) == ["@x_chunk", "@x_shared[@x * ACROSS + @lane]"]
