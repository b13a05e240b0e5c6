"""Trees of bins, broken by hand: the verifier refuses each of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir.bins import (
    AddInOrder,
    Atomic,
    BinCopies,
    BinSet,
    BinsOfBucket,
    BinsOfWarps,
    BlocksOfThread,
    BucketCopies,
    ClearCopies,
    CountOfPoints,
    EachBin,
    EachBucket,
    HotBins,
    HotTotals,
    ItemPlace,
    ItemsInTurn,
    KeepPair,
    KeptValue,
    LeavePart,
    OfElement,
    PointElement,
    PutInBin,
    TotalOfBlocks,
    TotalOfCopies,
)
from pencilc.ir.build import ZERO, binary, element, variable
from pencilc.ir.combining import EachRow
from pencilc.ir.nodes import If, Node, SharedDecl, Sync, blocks_in
from pencilc.ir.source import FLOAT, INT, Assign, Index, PointerType
from tests.unit.codegen.broken import broken, by_one, everywhere, function, refused, tree, with_fields, without

COUNTS = """#include <pencil.h>
static void none(int *x) { *x = 0; }
static int plus(int a, int b) { return a + b; }
void counts(int n, int m, const int at[static const restrict n], int count[static const restrict m])
{
    for (int i = 0; i < m; i++) __pencil_reduction_var_init(&count[i], none);
    for (int i = 0; i < n; i++) __pencil_reduction(&count[at[i]], 1, plus);
}
"""
SUMS = """#include <pencil.h>
static void none(float *x) { *x = 0; }
static float plus(float a, float b) { return a + b; }
void sums(int r, int n, int m, const int at[static const restrict n], const float v[static const restrict r][n],
          float sum[static const restrict r][m])
{
    for (int l = 0; l < r; l++) for (int i = 0; i < m; i++) __pencil_reduction_var_init(&sum[l][i], none);
    for (int l = 0; l < r; l++) for (int i = 0; i < n; i++) __pencil_reduction(&sum[l][at[i]], v[l][i], plus);
}
"""


@pytest.mark.parametrize("text", [COUNTS, SUMS])
def test_what_the_compiler_makes_is_taken(text: str) -> None:
    verify_kernels(tree(text))


def test_copies_begin_before_anything_is_added() -> None:
    message = "no barrier stands between what writes `@count_copies` and who reads it"
    refused(message, COUNTS, "indirect_shared", without(Sync))
    refused(message.replace("count", "sum"), SUMS, "indirect_ordered", without(Sync))


def test_all_is_added_before_a_total_is_taken() -> None:
    message = "no barrier stands between what writes `@count_mine` and who reads it"
    refused(message, COUNTS, "indirect_shared", without(Sync, 1))
    refused(message.replace("count", "sum"), SUMS, "indirect_ordered", without(Sync, 1))


def test_copies_begin_anew_when_all_totals_are_taken() -> None:
    refused("`@sum_copies` is used again in the next row, and no barrier", SUMS, "indirect_ordered", without(Sync, 2))


def test_all_threads_clear_and_go_through_bins() -> None:
    refused("not all threads come to the copies of `count`", COUNTS, "indirect_shared", by_one(ClearCopies))
    refused("not all threads come to the bins of `count`", COUNTS, "indirect_shared", by_one(EachBin))
    refused("a barrier stands where not all threads come", COUNTS, "indirect_shared", by_one(Sync))


def test_a_table_is_shown_before_values_come_and_before_totals_are_taken() -> None:
    refused("no barrier stands between what writes `@count_tags` and who reads it", COUNTS, "indirect_global",
            without(Sync, 0))  # fmt: skip
    refused("no barrier stands between what writes `@count_tags` and who reads it", COUNTS, "indirect_global",
            without(Sync, 1))  # fmt: skip
    refused("not all threads come to the table of `count`", COUNTS, "indirect_global", by_one(HotBins))
    refused("not all threads come to the table of `count`", COUNTS, "indirect_global", by_one(HotTotals))
    refused("`@count_tags` is not declared", COUNTS, "indirect_global", without(HotBins))


def test_copies_are_declared() -> None:
    refused("`@count_copies` is not declared", COUNTS, "indirect_shared", without(BinCopies))
    refused("`@shared` is not declared", COUNTS, "indirect_shared", without(SharedDecl))
    refused("`@copies` is not declared", SUMS, "indirect_ordered", with_fields(BinCopies, among="block"))


def bins(text: str, shape: str) -> BinSet:
    """The bins of the only reduction."""
    scatter = function(text, shape).scatter
    assert scatter is not None
    (found,) = scatter.bins
    return found


def test_an_atomic_has_an_instruction_and_a_place_of_its_type() -> None:
    none = replace(bins(COUNTS, "indirect_shared"), atomic="")
    refused("values of `count` are put in order, and nothing combines them atomically", COUNTS, "indirect_shared",
            with_fields(Atomic, bins=none))  # fmt: skip
    pointer = variable("at", PointerType(INT))
    refused("an atomic update of `count`: `value` is not const, and the argument is", COUNTS, "indirect_shared",
            with_fields(Atomic, to=pointer))  # fmt: skip
    refused("an atomic update of `count`: a int \\* as int `value`", COUNTS, "indirect_shared",
            with_fields(Atomic, value=pointer))  # fmt: skip
    refused("`nowhere` is not declared", COUNTS, "indirect_global", with_fields(Atomic, value=variable("nowhere")))
    made = function(COUNTS, "indirect_shared")
    kernels = tuple(replace(each, helpers=()) if each is made else each for each in tree(COUNTS).kernels)
    with pytest.raises(CompilerBug, match="nothing brings what combines `counts_indirect1_count` by bins"):
        verify_kernels(replace(tree(COUNTS), kernels=kernels))


def test_not_every_thread_puts_the_same_value() -> None:
    put = Atomic(bins(COUNTS, "indirect_shared"), variable("@count_mine", PointerType(INT)), ZERO)
    refused("each thread puts the same value into a bin of `count`", COUNTS, "indirect_shared",
            lambda node: (node, put) if isinstance(node, BinCopies) else (node,))  # fmt: skip


def test_all_lanes_come_where_they_add_in_order() -> None:
    refused("a barrier stands where not all threads come", SUMS, "indirect_ordered", by_one(AddInOrder))

    def where_there_is_a_point(node: Node) -> tuple[Node, ...]:
        left = element(variable("@left", PointerType(INT)), ZERO, INT)
        has_point = binary("<", variable("@k"), left)
        return (If(has_point, (node,)),) if isinstance(node, AddInOrder) else (node,)

    refused("a barrier stands where not all threads come", SUMS, "indirect_ordered", where_there_is_a_point)


def test_values_in_order_are_those_of_the_bins() -> None:
    refused("an update of `sum`: a float as float \\* `value`", SUMS, "indirect_ordered",
            with_fields(AddInOrder, copy=variable("@sum_value", FLOAT)))  # fmt: skip
    refused("there are no bins called `sum`", SUMS, "indirect_ordered", without(KeptValue))
    refused("`@to_sum` is declared twice|`@sum_bin` is declared twice", SUMS, "indirect_ordered",
            lambda node: (node, node) if isinstance(node, KeptValue) else (node,))  # fmt: skip


def test_bins_take_values_of_their_type() -> None:
    pointer = variable("at", PointerType(INT))
    refused("an update of `count`: a int \\* as int `value`", COUNTS, "indirect_shared",
            with_fields(PutInBin, value=pointer))  # fmt: skip
    refused("an update of `count`: a int \\* as long long `bin`", COUNTS, "indirect_shared",
            with_fields(PutInBin, bin=pointer))  # fmt: skip
    refused("there are no bins called `counted`", COUNTS, "indirect_shared", with_fields(PutInBin, to="counted"))
    refused("`nowhere` is not declared", COUNTS, "indirect_shared", with_fields(PutInBin, value=variable("nowhere")))


def test_an_element_is_told_what_it_takes() -> None:
    refused("an element is told another number of values than it takes", SUMS, "indirect_ordered",
            with_fields(OfElement, arguments=()))  # fmt: skip
    pointers = (variable("at", PointerType(INT)),) * 2
    refused("an element: a int \\* as int `value`", SUMS, "indirect_ordered",
            with_fields(OfElement, arguments=pointers))  # fmt: skip
    refused("`@element` is not declared", SUMS, "indirect_ordered", without(PointElement))


def test_points_are_counted_and_dealt_out_once() -> None:
    refused("`@items` is not declared", SUMS, "indirect_ordered", without(CountOfPoints))
    refused("`@item` is not declared", SUMS, "indirect_ordered", without(ItemPlace))
    refused("points are given to grid, and dealt out again", SUMS, "indirect_ordered",
            lambda node: (replace(node, body=(node,)),) if isinstance(node, ItemsInTurn) else (node,))  # fmt: skip
    rows = EachRow("block", variable("r"), function(SUMS, "indirect_ordered").at, ())
    refused("rows are given to block, and to block", SUMS, "indirect_ordered",
            lambda node: (replace(rows, body=(node,)),) if isinstance(node, EachRow) else (node,))  # fmt: skip


def test_what_blocks_leave_is_only_read_behind_them() -> None:
    refused("`@begin` is not declared", SUMS, "indirect_finish", without(BlocksOfThread))
    made = function(SUMS, "indirect_finish")
    left = next(node for node in blocks_in(made.body) if isinstance(node, TotalOfBlocks)).left
    assert isinstance(left, Index)
    store = Assign(replace(left, index=ZERO), variable("@total", FLOAT), UNKNOWN_SPAN)
    refused("`@sum_partials\\[0\\]` is only read in this function, and is written", SUMS, "indirect_finish",
            lambda node: (node, store) if isinstance(node, TotalOfBlocks) else (node,))  # fmt: skip


def test_groups_of_threads_meet_before_and_behind_what_they_leave() -> None:
    refused("no barrier stands between what writes `@parts` and who reads it", SUMS, "indirect_finish", without(Sync))
    refused("`@parts` is used again, and no barrier stands between", SUMS, "indirect_finish", without(Sync, 1))


def test_pairs_have_places_of_their_type() -> None:
    made = function(SUMS, "indirect_pairs")
    wrong = tuple(replace(each, type=PointerType(INT)) if each.name == "@values" else each for each in made.parameters)
    broken("`@values` is no place for values of `sum`", SUMS, replace(made, parameters=wrong))
    const = tuple(replace(each, is_const=True) if each.name == "@values" else each for each in made.parameters)
    broken("`@values` is no place for values of `sum`", SUMS, replace(made, parameters=const))
    refused("there are no bins called `sum`", SUMS, "indirect_pairs", without(KeptValue))
    refused("`nowhere` is not declared", SUMS, "indirect_pairs", with_fields(KeepPair, place=variable("nowhere")))


def test_warps_share_the_pairs_of_a_bucket_that_they_meet_behind() -> None:
    refused("no barrier stands between what writes `@copies` and who reads it", SUMS, "indirect_buckets", without(Sync))
    refused("`@copies` is used again, and no barrier stands between", SUMS, "indirect_buckets", without(Sync, 1))
    refused("`@buckets` is not declared", SUMS, "indirect_buckets", without(BucketCopies))
    refused("a warp has pairs of no bucket", SUMS, "indirect_buckets",
            lambda node: node.body if isinstance(node, EachBucket) else (node,))  # fmt: skip
    refused("not all threads come to the bins of `sum`", SUMS, "indirect_buckets", by_one(BinsOfBucket))


def test_bins_fit_shared_memory() -> None:
    made = function(SUMS, "indirect_finish")
    wide = with_fields(BlocksOfThread, bins=replace(bins(SUMS, "indirect_finish"), size=1 << 16))
    broken("bytes of shared memory are more than the 49152", SUMS, replace(made, body=everywhere(wide, made.body)))
    refused("bytes of shared memory are more than the 49152", SUMS, "indirect_buckets",
            with_fields(BucketCopies, bins=replace(bins(SUMS, "indirect_buckets"), shift=12)))  # fmt: skip


def test_what_nobody_leaves_nobody_combines() -> None:
    refused("`@total` is not declared", SUMS, "indirect_finish", without(TotalOfBlocks))
    refused("`@total` is not declared", COUNTS, "indirect_shared", without(TotalOfCopies))
    refused("`@bin` is not declared", SUMS, "indirect_finish",
            lambda node: node.body if isinstance(node, BinsOfWarps) else (node,))  # fmt: skip
    assert any(isinstance(each, LeavePart) for each in blocks_in(function(SUMS, "indirect_finish").body))
