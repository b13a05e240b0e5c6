"""The forms of reductions, composed of given parts."""

from __future__ import annotations

from dataclasses import replace

from pencilc.codegen.forms import (
    ReductionParts,
    block_helpers,
    rows_of_blocks,
    rows_of_lanes,
    rows_of_warps,
    shared_helpers,
    whole,
)
from pencilc.ir.accumulators import Accumulator, Butterfly
from pencilc.ir.build import declare, generated_type, number
from pencilc.ir.combining import Arrive, ByOne, Combine, CombineGrid, EachRow, OfRow, Start, Teams, ValuesOfRow, Workers
from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import Node, SharedDecl, Sync
from pencilc.ir.source import FLOAT, INT
from tests.unit.codegen.programs import N

SUM = Accumulator("f", FLOAT, False, (), FLOAT)
LOOP, BEHIND, KEPT = declare("loop", INT), declare("behind", INT), declare("kept", INT)
PARTS = ReductionParts(SUM, 4, Geometry("", 256), (), (KEPT,), (LOOP,), (BEHIND,), N, None, False, False, 0)


def kinds(nodes: tuple[Node, ...]) -> list[type]:
    return [type(each) for each in nodes]


def scopes(nodes: tuple[Node, ...]) -> list[str]:
    """Over what is combined, in order."""
    return [each.scope for each in nodes if isinstance(each, Combine)]


def row(nodes: tuple[Node, ...]) -> EachRow:
    (found,) = (each for each in nodes if isinstance(each, EachRow))
    return found


def test_everything_is_combined_by_threads_blocks_and_the_grid() -> None:
    made = whole(PARTS)
    assert kinds(made) == [Start, type(LOOP), Combine, Combine, CombineGrid, ByOne] and made[1] is LOOP
    assert scopes(made) == ["thread", "block"] and scopes(whole(replace(PARTS, sets=1))) == ["block"]


def test_one_block_has_nobody_to_combine_with() -> None:
    assert CombineGrid not in kinds(whole(replace(PARTS, at=Geometry("block", 256))))


def test_runs_are_dealt_out_to_teams() -> None:
    runs = replace(PARTS, runs=(N, number(8)))
    for form, scope in ((whole, "grid"), (rows_of_lanes, "lanes"), (rows_of_blocks, "grid")):
        first = form(runs)[0]
        assert isinstance(first, Teams) and first.scope == scope


def test_workers_of_a_fixed_tree_leave_their_values() -> None:
    fixed = replace(PARTS, workers=32)
    assert kinds(whole(fixed)) == [Workers, Arrive, Combine, ByOne] and scopes(whole(fixed)) == ["workers"]
    slots, rows = rows_of_blocks(fixed)
    assert isinstance(slots, SharedDecl) and slots.count == 32 and isinstance(rows, EachRow)
    assert kinds(rows.body) == [ValuesOfRow, type(KEPT), Workers, Arrive, Combine, ByOne]


def test_a_block_has_functions_of_its_own_where_members_are_combined_together() -> None:
    together = replace(SUM, butterflies=(Butterfly("together0", FLOAT, "add", (), 1),))
    parts = replace(PARTS, accumulator=together)
    assert block_helpers(PARTS) == () and [each.macro for each in block_helpers(parts)] == ["block"]
    assert block_helpers(replace(parts, workers=32)) == ()


def test_lanes_without_a_row_do_nothing_that_is_seen() -> None:
    quiet, loud = row(rows_of_lanes(PARTS)), row(rows_of_lanes(replace(PARTS, writes=True)))
    assert LOOP in quiet.body and OfRow not in kinds(quiet.body) and OfRow in kinds(loud.body)
    assert quiet.names_row and not row(rows_of_lanes(replace(PARTS, kept=()))).names_row
    assert scopes(quiet.body) == ["thread", "lanes"]


def test_what_follows_a_row_waits_where_it_has_to() -> None:
    for form in (rows_of_lanes, rows_of_warps):
        assert Sync not in kinds(row(form(PARTS)).body)
        waiting = kinds(row(form(replace(PARTS, waits=True))).body)
        assert waiting[-2:] == [Sync, ByOne]


def test_the_last_block_of_a_row_finishes_it() -> None:
    (grid,) = (each for each in row(rows_of_blocks(PARTS)).body if isinstance(each, CombineGrid))
    (all_,) = (each for each in whole(PARTS) if isinstance(each, CombineGrid))
    assert (grid.leave, grid.of_row, all_.leave, all_.of_row) == ("continue", True, "return", False)


def test_functions_that_combine_come_with_the_kernel() -> None:
    assert [each.macro for each in shared_helpers(SUM, 256)] == ["accumulator"]
    together = replace(SUM, butterflies=(Butterfly("together0", FLOAT, "add", (), 1),))
    assert [each.macro for each in shared_helpers(together, 256)] == ["accumulator", "warp"]
    cascade = replace(SUM, carried=generated_type("pencilc_sum", FLOAT))
    assert [each.macro for each in shared_helpers(cascade, 256)] == ["accumulator", "cascade"]
