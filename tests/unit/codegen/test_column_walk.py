"""Columns that are written by hand: who has which, down which rows, where the verifier lets threads and blocks meet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.control import Control
from pencilc.codegen.kernel_types import Known
from pencilc.ir.build import THREAD, THREADS, UNSIGNED, ZERO, binary, declare, variable
from pencilc.ir.columns import (
    BlockOfColumns,
    ColumnLanes,
    ColumnPlace,
    ColumnPlaces,
    ColumnSegment,
    ColumnsOfGrid,
    ColumnTeam,
    CombineColumns,
    EachColumn,
    EachLane,
    EachTile,
    KeepLane,
    LeftByBlocks,
    OwnColumns,
    StartColumns,
)
from pencilc.ir.nodes import If, Node, Sync
from pencilc.ir.segments import LoadVector, Segment
from pencilc.ir.source import FLOAT, INT, LLONG, UINT, PointerType
from tests.unit.codegen.by_hand import FLOATS, GRID, SUM, Walked, accumulator, refused, store

N, Y = variable("n"), THREAD["y"]
ACC = variable("@acc", FLOATS)
TEAM = ColumnTeam(GRID, 4, N, variable("m"))
BLOCK = BlockOfColumns(GRID, 4, N, variable("m"), 32)
PLACE = ColumnPlace("grid", GRID, 4)
START = StartColumns(SUM, 4)
OWN_ROWS = Segment("@element", (), (store(variable("n"), variable("@row")),), Y, THREADS["y"], N, None, (), 4, 1, 1)
DOWN = ColumnSegment(GRID, OWN_ROWS, (), Y, THREADS["y"])
COMBINE = CombineColumns(SUM, 4, (ACC,), by_lanes=False)
LEFT = {"@partials": FLOATS, "@tickets": PointerType(UNSIGNED)}
RESULT = variable("@k")
LEFT_BY = LeftByBlocks(SUM, GRID, 4, 4, RESULT, Y, THREADS["y"])
OF_GRID = ColumnsOfGrid(SUM, GRID, 4, False, RESULT, (LEFT_BY,))
EACH = EachColumn(SUM, GRID, 4, RESULT, (store(variable("n"), variable("@total")),))
NOT_ALL = "a barrier stands where not all threads come"


def first_row(*nodes: Node) -> If:
    """What the first row of threads does."""
    return If(binary("==", Y, ZERO), nodes)


def test_a_kernel_of_columns_is_taken() -> None:
    walked = Walked(TEAM, PLACE, START, DOWN, COMBINE, OF_GRID, EACH, parameters=LEFT, index="int")
    assert [walked.type_of(name) for name in ("@columns", "@rows", "@column", "@mine")] == [INT, INT, INT, INT]
    assert walked.type_of("@acc") == FLOATS and walked.type_of("@total") is walked.type_of("@slots") is None
    assert walked.control.begun == {"s"} and walked.control.varying == {"@column", "@mine"}


def test_columns_are_counted_in_the_index_of_the_kernel() -> None:
    assert Walked(TEAM).type_of("@columns") == LLONG and Walked(TEAM, index="int").type_of("@columns") == INT


def test_columns_are_given_to_one_team() -> None:
    refused("`@columns` is declared twice", TEAM, TEAM)
    refused("rows are given to warp, and dealt out again", TEAM, control=Control(level="warp"))
    assert Walked(BLOCK).type_of("@across") == UINT and Walked(TEAM).type_of("@across") is None
    refused("`other` is not declared", replace(TEAM, rows=variable("other")))
    refused("`other` is not declared", replace(TEAM, columns=variable("other")))


@pytest.mark.parametrize(
    ("within", "needed", "found"),
    [
        ("grid", ["@columns"], ["@column"]),
        ("tile", ["@columns", "@tile"], ["@column"]),
        ("layers", ["@columns", "@places", "@groups"], ["@column", "@place", "@has_columns", "@outer"]),
        (
            "tile_of_layers",
            ["@columns", "@places", "@groups", "@tile"],
            ["@column", "@place", "@has_columns", "@outer"],
        ),
    ],
)
def test_a_place_is_found_from_what_it_is_within(within: str, needed: list[str], found: list[str]) -> None:
    place, names = replace(PLACE, within=within), dict.fromkeys(needed, INT)  # type: ignore[arg-type]
    walked = Walked(place, parameters=names)
    assert walked.control.varying == {*found, "@mine"}
    assert all(walked.type_of(name) is not None for name in found)
    for name in needed:
        refused(f"`{name}` is not declared", place, parameters={k: v for k, v in names.items() if k != name})


def test_layers_lie_side_by_side() -> None:
    walked = Walked(TEAM, ColumnPlaces(N, 4), replace(PLACE, within="layers"))
    assert walked.type_of("@outers") == walked.type_of("@outer") == LLONG
    refused("`@columns` is not declared", ColumnPlaces(N, 4))


def test_threads_with_other_columns_do_not_meet() -> None:
    for name in ("@column", "@mine"):
        refused(NOT_ALL, TEAM, PLACE, If(variable(name), (Sync("block"),)))


def test_a_run_goes_down_the_columns_that_a_thread_has() -> None:
    for before, name in (((PLACE, START), "@columns"), ((TEAM, START), "@column|@columns"), ((TEAM, PLACE), "@acc")):
        refused(f"`({name})` is not declared", *before, DOWN)
    refused("`other` is not declared", TEAM, PLACE, START, replace(DOWN, lane=variable("other")))
    refused("`other` is not declared", TEAM, PLACE, START, replace(DOWN, lanes=variable("other")))


def test_columns_are_combined_by_all_of_a_block_once_they_have_begun() -> None:
    for node in (COMBINE, replace(COMBINE, accumulator=accumulator("t"))):
        refused(
            "is combined before it begins",
            *((START, node) if node is not COMBINE else (node,)),
            parameters={"@acc": FLOATS},
        )
    refused(NOT_ALL, START, first_row(COMBINE))
    refused("`@parts` is not declared", START, replace(COMBINE, values=(variable("@parts"),)))


@pytest.mark.parametrize(("by_lanes", "macro"), [(False, "columns"), (True, "fixed_columns")])
def test_what_combines_columns_is_brought(by_lanes: bool, macro: str) -> None:
    combine = replace(COMBINE, by_lanes=by_lanes)
    Walked(START, combine, brought=frozenset(((macro, "s"),)))
    refused(f"nothing brings what combines `s` by {macro}", START, combine, brought=frozenset())


def test_lanes_keep_what_they_have_of_a_fixed_tree() -> None:
    lanes = ColumnLanes(SUM, GRID, 4, 8)
    keep = KeepLane(SUM, GRID, 4)
    each = EachLane(GRID, True, (START, DOWN, keep))
    walked = Walked(TEAM, PLACE, lanes, each)
    assert walked.type_of("@parts") == PointerType(FLOATS) and walked.type_of("@lane") is None
    assert walked.control.begun == {"s"} and walked.type_of("@acc") is None
    refused("`@lanes` is not declared", TEAM, PLACE, each)
    refused("`@(acc|lane)` is not declared", TEAM, PLACE, lanes, EachLane(GRID, True, (keep,)))
    refused("`@lane` is not declared", TEAM, PLACE, lanes, START, keep)
    refused(NOT_ALL, lanes, EachLane(GRID, True, (Sync("warp"),)))


def test_own_columns_are_made_of_what_was_accumulated() -> None:
    assert Walked(START, OwnColumns(SUM, 4)).type_of("@own") == FLOATS
    refused("`@acc` is not declared", OwnColumns(SUM, 4))


def test_the_last_block_of_a_grid_has_what_all_have_left() -> None:
    before = (TEAM, PLACE, START)
    Walked(*before, OF_GRID, parameters=LEFT)
    refused("`@slots` is not declared", *before, LEFT_BY, parameters=LEFT)
    for name in LEFT:
        refused(f"`{name}` is not declared", *before, OF_GRID, parameters={k: v for k, v in LEFT.items() if k != name})
    refused("`@column` is not declared", TEAM, START, OF_GRID, parameters=LEFT)
    refused(NOT_ALL, *before, first_row(OF_GRID), parameters=LEFT)
    refused("`other` is not declared", *before, replace(OF_GRID, result=variable("other")), parameters=LEFT)
    other = variable("other")
    for left in (replace(LEFT_BY, result=other), replace(LEFT_BY, first=other), replace(LEFT_BY, step=other)):
        wrong = replace(OF_GRID, finish=(left,))
        refused("`other` is not declared", *before, wrong, parameters=LEFT)


def test_layers_have_slots_of_their_own() -> None:
    layered = replace(OF_GRID, layered=True)
    refused("`@outer` is not declared", TEAM, PLACE, START, layered, parameters=LEFT)
    Walked(TEAM, ColumnPlaces(N, 4), replace(PLACE, within="layers"), START, layered, parameters=LEFT)


def test_a_block_that_goes_through_tiles_does_not_return() -> None:
    inside = (replace(PLACE, within="tile"), START)
    Walked(BLOCK, EachTile(False, 4, (*inside, DOWN, COMBINE, EACH)))
    tiles = EachTile(False, 4, (*inside, OF_GRID))
    refused("blocks that are not the last return, and others need them", BLOCK, tiles, parameters=LEFT)


def test_tiles_are_as_wide_as_the_block_that_has_them() -> None:
    refused("`@across` is not declared", TEAM, EachTile(False, 4, ()))
    refused("`@places` is not declared", BLOCK, EachTile(True, 4, ()))
    assert Walked(BLOCK, EachTile(False, 4, ())).type_of("@tile") is None


def test_the_first_row_of_threads_does_what_follows_a_column() -> None:
    Walked(EACH, parameters={"@mine": INT})
    refused("`@mine` is not declared", EACH)
    refused(NOT_ALL, replace(EACH, body=(Sync("warp"),)), parameters={"@mine": INT})
    stored = replace(EACH, body=(store(variable("@total", FLOAT)),))
    Walked(stored, axes=frozenset("xy"), parameters={"@mine": Known(INT)})


def test_what_finds_a_run_is_its_own() -> None:
    load = LoadVector("@a_element", FLOAT, variable("k"), "@a_run", "@a_wide", "@a_elements")
    k = declare("k", INT, variable("@row"), is_const=True)
    run = replace(OWN_ROWS, loads=(load,), body=(k, store(variable("n"), variable("k"))))
    down = replace(DOWN, segment=run, recover=((k,),))
    Walked(TEAM, PLACE, START, down)
    without = replace(run, body=run.body[1:])
    refused("`k` is not declared", TEAM, PLACE, START, replace(down, segment=without))
    refused("`k` is not declared", TEAM, PLACE, START, replace(down, recover=((),)))
