"""Kernels of which a block has a row."""

from __future__ import annotations

from pencilc.codegen.hostloops import launches_in
from pencilc.ir.host import Fallback, HostIf
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launches import LaunchComposed
from pencilc.ir.nodes import For, If, Node, Parameter, SharedDecl, Sync
from pencilc.ir.segments import Segment, ShortTeam
from pencilc.ir.source import FLOAT, INT, LLONG, CallStmt, Declare, PointerType
from tests.unit.codegen.programs import N, entry, functions, node, told
from tests.unit.records import ROW_SUMS

INNER = """FOR(i, n) {
    float score[m];
    FOR(j, m) { INIT(&score[j], zero); FOR(k, 64) UPDATE(&score[j], y[j][k] * x[i][k], add); }
    INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], score[j] * z[j], add);
}"""


def whole() -> KernelFunction:
    """The kernel that calls the stages."""
    return functions(INNER)["f_composed0"]


def row() -> For:
    """The loop over rows."""
    loop = whole().body[-1]
    assert isinstance(loop, For)
    return loop


def calls(nodes: tuple[Node, ...]) -> list[str]:
    """What is called, in braces what stands under a condition, barriers as |."""
    found = []
    for each in nodes:
        if isinstance(each, If):
            found.append(f"if {told(each.condition)[0]} {{{' '.join(calls(each.then))}}}")
        elif isinstance(each, CallStmt):
            found.append(each.call.function)
        elif isinstance(each, Sync):
            found.append("|")
    return found


def test_every_thread_meets_the_barriers_between_stages() -> None:
    assert calls(row().body) == ["if m >= 1 {f_composed0_row0}", "|", "f_composed0_all1", "|"]


def test_blocks_take_rows_in_turn() -> None:
    loop = row()
    assert told(loop.lower, loop.bound, loop.step) == ["blockIdx.x", "@rows", "gridDim.x"]
    assert loop.iterator.type == LLONG and isinstance(loop.body[0], Declare) and loop.body[0].symbol.name == "i"


def test_what_a_row_keeps_lies_in_the_shared_memory_of_the_launch() -> None:
    memory, pointer, rows, _ = whole().body
    assert isinstance(memory, SharedDecl) and memory.count is None
    assert isinstance(pointer, Declare) and pointer.symbol.type == PointerType(FLOAT) and pointer.symbol.is_const
    assert pointer.init is not None and told(pointer.init) == ["(float *)@shared"]
    assert isinstance(rows, Declare) and rows.init == N


def test_a_stage_has_the_block_and_the_iterators_of_the_row() -> None:
    made = functions(INNER)["f_composed0_all1"]
    assert made.layout == "block" and Parameter("i", INT) in made.parameters
    run = node(made, Segment)
    assert told(run.rank, run.size) == ["threadIdx.x", "256"]
    assert not {"@partials", "@tickets"} & {each.name for each in made.parameters}


def test_points_of_a_row_are_taken_by_lanes() -> None:
    made = functions(INNER)["f_composed0_row0"]
    assert (made.shape, made.name) == ("row_in_block", "f_composed0_row0")
    assert told(node(made, ShortTeam).count) == ["64"]


def test_stages_hand_over_what_one_has_written_as_const() -> None:
    written, read = (
        next(p for p in functions(INNER)[f"f_composed0_{name}"].parameters if p.name == "@score_shared")
        for name in ("row0", "all1")
    )
    assert (written.is_const, read.is_const, written.restrict) == (False, True, False)


def test_the_kernel_itself_is_not_given_what_it_declares() -> None:
    assert [each.name for each in whole().parameters] == ["n", "m", "a", "x", "y", "z"]


def test_the_entry_point_has_the_kernels_for_rows_that_do_not_fit() -> None:
    (guard,) = entry(INNER).items
    assert isinstance(guard, HostIf)
    composed, fallback = guard.inner
    assert isinstance(fallback, Fallback) and list(launches_in((composed,))) == [composed]
    assert isinstance(composed, LaunchComposed) and told(composed.rows, *composed.counts) == ["n", "m"]
    assert [each.name for each in launches_in((composed, fallback))] == ["f_composed0", "f_row0", "f_row1"]


def few_points(source: str) -> list[str]:
    """The condition under which a row has few points; empty if there is none."""
    (composed, *_) = [each for each in launches_in(entry(source).items) if isinstance(each, LaunchComposed)]
    return told(composed.few) if composed.few is not None else []


def test_many_rows_with_few_points_each_are_left_to_the_kernels_one_by_one() -> None:
    assert few_points(INNER) == ["(long long)m * 64 < 64 && m < 64"]
    assert few_points(INNER.replace("k, 64", "k, 3").replace("j, m", "j, 8")) == ["1"]
    assert few_points(INNER.replace("k, 64", "k, 8").replace("j, m", "j, 8")) == []
    # Each row has others: the host cannot tell.
    assert few_points(INNER.replace("k, 64", "k, i + 1").replace("j, m", "j, 8")) == []


def test_a_single_reduction_is_not_composed() -> None:
    assert not any(each.shape == "composed" for each in functions(ROW_SUMS).values())
