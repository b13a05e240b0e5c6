"""Tiles of points that share what they read, broken by hand: the verifier refuses each tree."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.ir.build import THREAD, ZERO, binary, variable
from pencilc.ir.nodes import If, Node, SharedDecl, Sync
from pencilc.ir.source import FLOAT
from pencilc.ir.tiles import (
    BeginPoints,
    CombineFolded,
    CommitStage,
    EachLine,
    EachStage,
    ElementOfTile,
    EvenStages,
    FetchFragments,
    FetchTile,
    FirstStages,
    FoldedPlaces,
    FoldOfPoint,
    HandOver,
    LeaveEmpty,
    LeaveTile,
    LinePlace,
    MultiplyFragments,
    OperandAddress,
    PartsOfOperands,
    ResultsOfTile,
    RowsOfTiles,
    ShareOfPoints,
    SlotsOfTile,
    StagesAhead,
    StartFragments,
    StartTile,
    StoreTile,
    TileMemory,
    TileOfBlock,
    TotalOfTile,
    UseTile,
    WaitForStage,
)
from tests.unit.codegen.broken import Change, broken, by_one, function, refused, tree, with_fields, without
from tests.unit.codegen.test_tiling import HALVES, IN_ORDER, LOWER, NEAREST, SUMS

NO_BARRIER = "no barrier stands between what writes `{}` and who reads it"


@pytest.mark.parametrize("text", [SUMS, IN_ORDER, HALVES, NEAREST])
def test_what_the_compiler_makes_is_taken(text: str) -> None:
    verify_kernels(tree(text))


def refuse(message: str, change: Change, text: str = SUMS) -> None:
    refused(message, text, "tiled", change)


def in_stage(kind: type) -> Change:
    """Leaves out the nodes of a kind that stand in stages."""

    def change(node: Node) -> tuple[Node, ...]:
        if isinstance(node, StagesAhead):
            return (replace(node, show=tuple(each for each in node.show if not isinstance(each, kind))),)
        if isinstance(node, EachStage):
            return (replace(node, body=tuple(each for each in node.body if not isinstance(each, kind))),)
        return (node,)

    return change


def in_lines(number: int) -> Change:
    """Leaves out a barrier of those around what is handed over."""

    def lines(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        changed = without(Sync, number)
        found: list[Node] = []
        for node in nodes:
            inner = tuple(new for each in node.then for new in changed(each)) if isinstance(node, If) else ()
            found += (replace(node, then=inner),) if isinstance(node, If) else changed(node)
        return tuple(found)

    return lambda node: (replace(node, body=lines(node.body)),) if isinstance(node, EachLine) else (node,)


# ---- who has a tile ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "text"), [(TileOfBlock, SUMS), (RowsOfTiles, NEAREST)])
def test_rows_are_given_to_one_tile(kind: type, text: str) -> None:
    refuse("rows are given to tile, and dealt out again",
           lambda node: (node, node) if isinstance(node, kind) else (node,), text)  # fmt: skip


def test_the_points_of_a_thread_are_a_number() -> None:
    made = function(SUMS, "tiled")
    broken("how many points a thread has is computed", SUMS, replace(made, numbers=()))


def test_a_block_leaves_a_tile_as_a_whole() -> None:
    leave = LeaveEmpty(binary("<", variable("@mine"), variable("@tile_rows")))

    def change(node: Node) -> tuple[Node, ...]:
        if not isinstance(node, TileOfBlock):
            return (node,)
        mine = SharedDecl("@unused", FLOAT, 1)
        return (node, mine, leave)

    refuse("`@mine` is not declared", change)


def test_threads_of_a_block_leave_together() -> None:
    def change(node: Node) -> tuple[Node, ...]:
        if isinstance(node, TileMemory):
            return (node, LeaveEmpty(binary("<", variable("@thread_down"), variable("@tile_rows"))))
        return (node,)

    refuse("some threads of a block leave its tile", change)


def test_points_belong_to_a_share() -> None:
    refuse("`@last` is not declared", without(ShareOfPoints))
    refuse("shares of points are multiples of nothing", with_fields(ShareOfPoints, unit=0))


# ---- operands ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [SUMS, IN_ORDER, NEAREST])
def test_what_is_stored_is_shown_before_it_is_used(text: str) -> None:
    refuse(NO_BARRIER.format("@a_tiles"), in_stage(Sync), text)


@pytest.mark.parametrize("kind", [StoreTile])
def test_all_threads_store(kind: type) -> None:
    refuse("not all threads put what is fetched into shared memory", by_one(kind))


def test_operands_have_addresses_memory_and_parts() -> None:
    refuse("`@a_at` is not declared", without(OperandAddress))
    refuse("`@a_tiles` is not declared", without(TileMemory))
    refuse("`@.*_part` is not declared", without(PartsOfOperands), LOWER)


def test_forms_of_even_stages_are_told_apart_inside_of_them() -> None:
    refuse("`@is_whole` is not declared", lambda node: node.body if isinstance(node, EvenStages) else (node,))


def test_threads_go_through_the_same_stages() -> None:
    differs = binary("<", variable("@at"), binary("+", variable("@last"), variable("@thread_down")))
    message = "threads of a block go through different numbers of stages"
    refuse(message, with_fields(EachStage, condition=differs), LOWER)
    refuse(message, with_fields(StagesAhead, is_next=differs))


def test_what_is_fetched_ahead_is_declared() -> None:
    refuse("`@next` is not declared", with_fields(FetchTile, point=variable("@next")), LOWER)


# ---- points ------------------------------------------------------------------------------------------


def test_accumulators_begin_before_they_are_used() -> None:
    refuse("`.*` is combined before it begins", lambda node: _blank(node) if isinstance(node, StartTile) else (node,))
    refuse("`.*` is combined before it begins", without(BeginPoints), IN_ORDER)
    refuse("`.*` is combined before it begins", without(BeginPoints), NEAREST)


def _blank(node: StartTile) -> tuple[Node, ...]:
    return (SharedDecl("@acc", node.accumulator.type, 1),)


def test_elements_are_functions_of_the_tile() -> None:
    refuse("`@element` is not declared", without(ElementOfTile))
    refuse("`@other` is not declared", with_fields(UseTile, element="@other"))


def test_points_are_folded_by_a_function_into_what_has_begun() -> None:
    refuse("`@fold` is not declared", without(FoldOfPoint), NEAREST)
    refuse("`.*` is combined before it begins", without(FoldedPlaces), NEAREST)


# ---- results -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [SUMS, IN_ORDER])
def test_what_is_handed_over_has_barriers_around_it(text: str) -> None:
    refuse("`@results` is used again, and no barrier stands between", in_lines(0), text)
    refuse(NO_BARRIER.format("@results"), in_lines(1), text)


def test_what_fragments_hand_over_has_barriers_around_it() -> None:
    def of_fragments(number: int) -> Change:
        changed = in_lines(number)

        def change(node: Node) -> tuple[Node, ...]:
            is_own = isinstance(node, EachLine) and node.why
            return changed(node) if is_own else (node,)

        return change

    refuse("`@tile_of` is used again, and no barrier stands between", of_fragments(0), HALVES)
    refuse(NO_BARRIER.format("@tile_of"), of_fragments(1), HALVES)


def test_all_threads_hand_over() -> None:
    refuse("not all threads hand over what they have", by_one(HandOver))


def test_a_line_has_its_place_and_memory() -> None:
    refuse("`@own_row` is not declared", without(LinePlace))
    refuse("`@results` is not declared", without(ResultsOfTile))


def test_blocks_have_left_what_the_last_combines() -> None:
    refuse("of several blocks is combined before all have left it", without(LeaveTile))
    refuse("of several blocks is combined before all have left it", without(LeaveTile), NEAREST)
    refuse("`@slots` is not declared", without(SlotsOfTile))


def test_all_threads_of_a_block_leave_its_tile() -> None:
    refuse("a barrier stands where not all threads come", by_one(LeaveTile))


def test_a_point_has_one_total() -> None:
    refuse("`@total` is declared twice", lambda node: (node, node) if isinstance(node, TotalOfTile) else (node,))


def test_results_of_rows_are_shown_before_blocks_leave_them() -> None:
    made = function(NEAREST, "tiled")
    place = [type(each) for each in made.body].index(CombineFolded)
    assert isinstance(made.body[place + 1], Sync)
    broken(NO_BARRIER.format("@results"), NEAREST,
           replace(made, body=(*made.body[: place + 1], *made.body[place + 2 :])))  # fmt: skip


def test_threads_of_a_row_combine_together() -> None:
    refuse("a barrier stands where not all threads come", by_one(CombineFolded), NEAREST)


# ---- tensor cores ------------------------------------------------------------------------------------


def test_products_wait_for_what_is_on_its_way() -> None:
    refuse("what is multiplied may still be on its way", in_stage(WaitForStage), HALVES)


def test_stages_are_counted_in_each_round() -> None:
    refuse("stages are waited for, and not counted in each round", in_stage(CommitStage), HALVES)


def test_all_threads_count_alike() -> None:
    first = binary("==", THREAD["x"], ZERO)

    def change(kind: type[Node]) -> Change:
        return lambda node: (If(first, (node,)),) if isinstance(node, kind) else (node,)

    refuse("not all threads fetch what all of them use", change(FetchFragments), HALVES)
    refuse("not all threads wait for what all of them use", change(WaitForStage), HALVES)
    refuse("not all threads fetch what all of them use", change(FirstStages), HALVES)


def test_products_are_of_what_all_threads_have_fetched() -> None:
    def change(node: Node) -> tuple[Node, ...]:
        if isinstance(node, EachStage) and any(isinstance(each, WaitForStage) for each in node.body):
            return in_stage(Sync)(node)
        return (node,)

    refuse(NO_BARRIER.format("@tile_of"), change, HALVES)


def test_whole_warps_multiply() -> None:
    first = binary("==", THREAD["x"], ZERO)
    refuse("a barrier stands where not all threads come",
           lambda node: (If(first, (node,)),) if isinstance(node, MultiplyFragments) else (node,), HALVES)  # fmt: skip


def test_fragments_begin() -> None:
    refuse("`.*` is combined before it begins", without(StartFragments), HALVES)
