"""The walk of the verifier through nodes written by hand: what they declare, who comes to them, who has rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pencilc.codegen.control import Control
from pencilc.codegen.kernel_types import Known
from pencilc.codegen.kernel_walk import Walk
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir.accumulators import Butterfly
from pencilc.ir.build import (
    BLOCK,
    THREAD,
    THREADS,
    UNSIGNED,
    WARP_SIZE,
    ZERO,
    binary,
    declare,
    element,
    evaluate,
    number,
    plus,
    symbol,
    times,
    variable,
)
from pencilc.ir.combining import (
    Arrive,
    ByOne,
    Combine,
    CombineGrid,
    EachRow,
    OfRow,
    RowBound,
    Start,
    Teams,
    ValuesOfRow,
    Workers,
)
from pencilc.ir.definitions import DeviceFunction
from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import Braces, BuildingBlock, For, If, Node, Parameter, SharedDecl, Switch, Sync, WhileLoop
from pencilc.ir.segments import ByteSum, LoadVector, Segment
from pencilc.ir.source import FLOAT, INT, LLONG, UCHAR, ArrayType, CType, Expr, PointerType, Return
from tests.unit.codegen.by_hand import FLOATS, GRID, SUM, Walked, accumulator, file_scope, refused, some, store

X, N = THREAD["x"], variable("n")
NUMBER = plus(times(BLOCK["x"], THREADS["x"]), X)  # of a thread in the grid
NOT_ALL = "a barrier stands where not all threads come"
OTHER = variable("other")


def loop(*body: Node, name: str = "i", lower: Expr = ZERO, bound: Expr = N, **fields: Any) -> For:
    """`for (int i = 0; i < n; i++)`."""
    return For(symbol(name), lower, bound, body, **fields)


def segment(*body: Node, **fields: Any) -> Segment:
    """All points of a run for the threads of the grid."""
    made = Segment("@element", (), body, NUMBER, THREADS["x"], N, None, (), 1, 1, 1)
    return replace(made, **fields)


def row(*body: Node, level: str = "block", **fields: Any) -> EachRow:
    """`n` rows."""
    return EachRow(level, N, GRID, body, **fields)  # type: ignore[arg-type]


# ---- what is declared --------------------------------------------------------------------------------------


def test_a_declaration_holds_from_there_to_the_brace() -> None:
    walked = Walked(declare("x", FLOAT, ZERO), store(variable("x", FLOAT)))
    assert walked.type_of("x") == FLOAT
    refused("`x` is not declared", store(variable("x", FLOAT)), declare("x", FLOAT))
    for around in (Braces, lambda body: If(binary("<", ZERO, N), body), lambda body: loop(*body)):
        assert Walked(around((declare("x", FLOAT),))).type_of("x") is None
        refused("`x` is not declared", around((declare("x", FLOAT),)), store(variable("x", FLOAT)))


def test_an_array_has_a_number_of_elements() -> None:
    assert Walked(declare("x", ArrayType(FLOAT, number(4)))).type_of("x") == FLOATS
    refused("the extent of `x` is computed when the kernel runs", declare("x", ArrayType(FLOAT, N)))
    inner = ArrayType(ArrayType(FLOAT, N), number(4))
    refused("the extent of `x` is computed when the kernel runs", declare("x", inner))


def test_a_constant_has_a_value_that_stays() -> None:
    refused("`x` is const and has no value", declare("x", INT, is_const=True))
    refused("`x` is const and is written", declare("x", INT, ZERO, is_const=True), store(variable("x")))


def test_shared_memory_is_a_pointer() -> None:
    assert Walked(SharedDecl("@s", FLOAT, 4)).type_of("@s") == FLOATS


@pytest.mark.parametrize(
    "node",
    [
        declare("x", INT, OTHER),
        store(variable("n"), OTHER),
        store(element(variable("@b", FLOATS), OTHER, FLOAT)),
        evaluate("sqrt", OTHER),
        loop(lower=OTHER),
        loop(bound=OTHER),
        loop(step=OTHER),
        WhileLoop(OTHER, (), False),
        some("other"),
        Switch(OTHER, (), evaluate("sqrt", ZERO)),
        Switch(ZERO, ((1, evaluate("sqrt", OTHER)),), evaluate("sqrt", ZERO)),
        Switch(ZERO, (), evaluate("sqrt", OTHER)),
        segment(rank=binary("+", NUMBER, OTHER)),
        segment(size=OTHER),
        segment(count=OTHER),
        segment(point=OTHER),
        Teams("block", GRID, OTHER, ZERO),
        replace(row(), count=OTHER),
        Arrive(SUM, GRID, OTHER, "return"),
    ],
)
def test_each_expression_of_a_node_is_looked_at(node: Node) -> None:
    left = {"@partials": FLOATS, "@tickets": PointerType(UNSIGNED), "@b": FLOATS}
    refused("`other` is not declared", node, parameters=left)
    Walked(node, parameters={"other": INT, **left})


def test_the_iterator_is_there_for_the_bound_and_not_for_the_first_value() -> None:
    Walked(loop(bound=plus(variable("i"), N)))
    refused("`i` is not declared", loop(lower=variable("i")))
    refused("a loop around has `i` already", loop(loop()))
    refused("`i` is declared twice", loop(declare("i", INT)))
    Walked(declare("i", INT), loop(declares=False))


def test_a_function_of_the_source_has_its_parameters() -> None:
    read = DeviceFunction("f", FLOAT, (Parameter("x", FLOATS, is_const=True),), ())
    walk = Walk(file_scope(), "f")
    walk.function(read, (Return(element(variable("x", FLOATS), ZERO, FLOAT), UNKNOWN_SPAN),))
    with pytest.raises(CompilerBug, match="`x\\[0\\]` is only read in this function, and is written"):
        walk.function(read, (store(element(variable("x", FLOATS), ZERO, FLOAT)),))


def test_a_node_of_no_family_has_no_rules() -> None:
    class Strange(BuildingBlock):
        pass

    refused("nothing says what a Strange has to keep to", Strange())


# ---- who comes where ---------------------------------------------------------------------------------------


def test_a_condition_that_differs_among_threads_divides_them() -> None:
    meet = Sync("block")
    Walked(some("n", meet), loop(meet), WhileLoop(N, (meet,), False))
    mine = declare("mine", INT, X)
    for node in (
        If(binary("<", X, N), (meet,)),
        If(binary("<", X, N), (), (meet,)),
        loop(meet, lower=X),
        loop(meet, bound=X),
        WhileLoop(binary("<", X, N), (meet,), True),
    ):
        refused(NOT_ALL, node)
    refused(NOT_ALL, mine, some("mine", meet))
    refused(NOT_ALL, mine, declare("more", INT, plus(variable("mine"), N)), some("more", meet))
    refused(NOT_ALL, loop(some("i", meet), lower=X))


def test_a_warp_meets_where_its_block_does_not() -> None:
    warps = Control(is_uniform=False)
    Walked(Sync("warp"), control=warps)
    refused(NOT_ALL, Sync("block"), control=warps)
    refused(NOT_ALL, some("n", Sync("warp")), parameters={"n": Known(INT)}, control=Control(varying=frozenset("n")))


def test_blocks_meet_where_none_is_left_out() -> None:
    meet = Sync("launch")
    Walked(meet, some("n", meet))
    for node in (If(binary("<", BLOCK["x"], N), (meet,)), loop(meet, lower=BLOCK["x"]), loop(meet, bound=BLOCK["x"])):
        refused(NOT_ALL, node)


def test_a_call_of_a_stage_is_a_barrier() -> None:
    class Stage:
        name, layout = "stage", "block"

    file = file_scope(kernels=(Stage(),))  # type: ignore[arg-type]
    enter = evaluate("stage")
    Walked(enter, file=file)
    refused("`stage` has barriers, and not all threads come to it", If(binary("<", X, N), (enter,)), file=file)


def test_a_barrier_shows_what_was_written_to_all_but_one_of_a_warp() -> None:
    before = Control(copied=frozenset(("@t",)), read=frozenset(("@u",)))
    for node, end in ((Sync("block"), Control()), (Sync("launch"), Control()), (Sync("warp"), before)):
        assert Walked(node, control=before).control == end


def test_what_either_branch_has_copied_is_copied_behind_both() -> None:
    before = Control(copied=frozenset(("@t",)))
    one, both = If(N, (Sync("block"),)), If(N, (Sync("block"),), (Sync("block"),))
    assert Walked(one, control=before).control.copied == {"@t"}
    assert Walked(both, control=before).control.copied == frozenset()


# ---- stores that are dealt out -----------------------------------------------------------------------------


def test_a_loop_over_the_numbers_of_threads_deals_out() -> None:
    assign = store(element(variable("b", FLOATS), ZERO, FLOAT))
    around: dict[str, Any] = {"axes": frozenset("x"), "parameters": {"b": FLOATS}}
    Walked(loop(assign, lower=NUMBER), **around)
    Walked(If(binary("<", NUMBER, N), (assign,)), **around)
    for node in (assign, loop(assign), loop(assign, lower=X), loop(assign, lower=BLOCK["x"])):
        refused("what each thread does alike along x is not dealt out there", node, **around)
    refused("along y is not dealt out", loop(assign, lower=NUMBER), **{**around, "axes": frozenset("xy")})
    refused("two loops are dealt out along x", loop(loop(name="j", lower=NUMBER), lower=NUMBER))


def test_a_block_alone_deals_out_by_its_threads() -> None:
    assign = store(element(variable("b", FLOATS), ZERO, FLOAT))
    around: dict[str, Any] = {"axes": frozenset("x"), "parameters": {"b": FLOATS}}
    Walked(loop(assign, lower=X), at=Geometry("block", 256), **around)
    refused("is not dealt out there", loop(assign, lower=variable("n")), at=Geometry("block", 256), **around)


# ---- rows and runs -----------------------------------------------------------------------------------------


def test_a_run_is_dealt_out_to_those_that_have_the_row() -> None:
    shares = {"warp": WARP_SIZE, "lanes": variable("LANES"), "workers": times(variable("@workers"), WARP_SIZE)}
    names = {"LANES": INT, "@workers": UNSIGNED}
    for level, size in shares.items():
        Walked(segment(size=size), control=Control(level=level), parameters=names)
        message = f"a run is dealt out to others than the {level} that have it"
        refused(message, segment(), control=Control(level=level), parameters=names)
    refused("others than the warp", segment(size=variable("LANES")), control=Control(level="warp"), parameters=names)
    Walked(segment(), control=Control(level="block"))


def test_each_thread_has_its_own_points_of_a_run() -> None:
    refused(NOT_ALL, segment(Sync("warp")))
    Walked(segment(store(element(variable("b", FLOATS), ZERO, FLOAT))), axes=frozenset("x"), parameters={"b": FLOATS})
    iterator = (Parameter("i", INT),)
    Walked(segment(store(variable("n"), variable("i")), parameters=iterator))
    refused("`i` is dealt out, and a loop around has it already", loop(segment(parameters=iterator)))


def test_bytes_are_added_four_at_a_time_where_they_are_bytes() -> None:
    def loads(*types: CType) -> tuple[LoadVector, ...]:
        first = variable("b", FLOATS)
        return tuple(LoadVector("@r", kind, first, "@run", "@wide", f"r{k}") for k, kind in enumerate(types))

    around: dict[str, Any] = {"parameters": {"b": FLOATS}}
    byte_sum = segment(loads=loads(UCHAR, UCHAR), width=16, byte_sums=(ByteSum("", ("r0", "r1")),))
    Walked(byte_sum, **around)
    changes: tuple[dict[str, Any], ...] = (
        {"loads": loads(FLOAT, FLOAT)},
        {"loads": loads(UCHAR, INT)},
        {"width": 6},
        {"byte_sums": (ByteSum("", ()),)},
        {"byte_sums": (ByteSum("", ("r0", "r1", "r0")),)},
        {"byte_sums": (ByteSum("", ("r7",)),)},
    )
    for change in changes:
        refused("are added as bytes, which they are not", replace(byte_sum, **change), **around)


def test_rows_are_given_out_once() -> None:
    assert Walked(row()).control.level == ""
    refused("rows are given to block, and to warp", row(row(level="warp")))
    Walked(row(Sync("block")))
    refused(NOT_ALL, row(Sync("block"), level="warp"))
    Walked(row(Sync("warp"), level="warp"))


def test_a_row_knows_its_number_and_its_bounds() -> None:
    bound = RowBound("first", LLONG, variable("@row"), True)
    Walked(row(store(variable("n"), variable("first", LLONG)), bounds=(bound,)))
    refused("`@row` is not declared", row(bounds=(bound,), names_row=False))
    refused("`first` is const and is written", row(store(variable("first", LLONG)), bounds=(bound,)))
    refused("`first` is declared twice", row(bounds=(bound, bound)))
    i = declare("i", INT, variable("@row"))
    Walked(row(bounds=(replace(bound, value=variable("i")),), of_bounds=(i,)))
    refused("`i` is not declared", row(store(variable("n"), variable("i")), of_bounds=(i,)))


def test_lanes_have_rows_where_they_are_given_some() -> None:
    Walked(row(OfRow((declare("x", INT),)), level="lanes"))
    refused("lanes have no rows of their own here", row(OfRow(()), level="warp"))
    refused(NOT_ALL, row(OfRow((Sync("warp"),)), level="lanes"))


def test_one_thread_is_one_of_those_that_work_together() -> None:
    Walked(ByOne("block", ()), row(ByOne("warp", ()), level="warp"), row(ByOne("block", ())))
    for node in (ByOne("warp", ()), row(ByOne("block", ()), level="warp"), row(ByOne("lanes", ()))):
        refused("one thread of .* is asked for where .* works", node)
    Walked(ByOne("warp", ()), at=Geometry("", 32))
    refused(NOT_ALL, ByOne("block", (Sync("warp"),)))
    Walked(ByOne("block", (store(variable("n")),)), axes=frozenset("xy"))


# ---- one value of many -------------------------------------------------------------------------------------


def test_what_is_combined_has_begun() -> None:
    start = Start(SUM, 1)
    walked = Walked(start, Combine(SUM, "block"))
    assert walked.type_of("@acc") == walked.type_of("@total") == FLOAT and walked.control.begun == {"s"}
    refused("`other` is not declared", start, Combine(SUM, "workers", values=OTHER))
    refused("`s` is combined before it begins", Combine(SUM, "block"))
    refused("`s` is combined before it begins", Start(accumulator("t"), 1), Combine(SUM, "block"))
    refused("`s` is combined before it begins", Braces((start,)), Combine(SUM, "block"))


def test_what_a_thread_or_a_worker_has_is_no_total() -> None:
    for scope, has_total in (("thread", False), ("worker", False), ("block", True)):
        walked = Walked(Start(SUM, 1), Combine(SUM, scope, values=N))  # type: ignore[arg-type]
        assert (walked.type_of("@total") is not None) == has_total, scope


@pytest.mark.parametrize("scope", ["warp", "lanes", "worker", "block", "workers"])
def test_what_combines_is_brought(scope: str) -> None:
    level = scope if scope in ("warp", "lanes") else ""
    control = Control(level=level, begun=frozenset("s"))
    together = replace(SUM, butterflies=(Butterfly("together0", FLOAT, "add", (), 1),))
    for found, needed in ((SUM, ["accumulator"]), (together, ["accumulator", "warp"])):
        macros = [*needed, *(["block"] if scope == "block" and found.butterflies else [])]
        combine = Combine(found, scope)  # type: ignore[arg-type]
        Walked(combine, control=control, brought=frozenset((macro, "s") for macro in macros))
        for missing in macros:
            others = frozenset((macro, "s") for macro in macros if macro != missing)
            refused(f"nothing brings what combines `s` by {missing}", combine, control=control, brought=others)


def test_a_block_combines_what_it_is_made_for() -> None:
    begun = Control(begun=frozenset("s"))
    Walked(Combine(SUM, "block", at=GRID), control=begun)
    alone = Combine(SUM, "block", at=Geometry("block", 256))
    refused("`s` is combined as by the only block", alone, control=begun)


def test_all_of_a_scope_come_to_combine() -> None:
    begun = Control(begun=frozenset("s"), is_uniform=False)
    refused(NOT_ALL, Combine(SUM, "block"), control=begun)
    refused(NOT_ALL, Combine(SUM, "workers"), control=begun)
    Walked(Combine(SUM, "thread"), control=begun.divided)
    Walked(Combine(SUM, "warp"), control=replace(begun, level="warp"))
    refused(NOT_ALL, Combine(SUM, "warp"), control=replace(begun.divided, level="warp"))
    refused("warp combine what they do not share", Combine(SUM, "warp"), control=replace(begun, level="block"))
    refused("lanes combine what they do not share", Combine(SUM, "lanes"), control=replace(begun, level="warp"))


LEFT = {"@partials": FLOATS, "@tickets": PointerType(UNSIGNED)}


def test_the_last_block_goes_on_where_no_other_is_needed() -> None:
    total = declare("@total", FLOAT)
    grid = CombineGrid(SUM, GRID, ZERO, False, "return")
    Walked(total, grid, parameters=LEFT)
    Walked(row(total, replace(grid, of_row=True, leave="continue")), parameters=LEFT)
    refused("blocks that are not the last continue", total, replace(grid, leave="continue"), parameters=LEFT)
    refused("blocks that are not the last return, and others need them", row(total, grid), parameters=LEFT)
    refused(NOT_ALL, total, If(binary("<", X, N), (grid,)), parameters=LEFT)


def test_blocks_leave_their_values_somewhere() -> None:
    grid, arrive = CombineGrid(SUM, GRID, ZERO, False, "return"), Arrive(SUM, GRID, ZERO, "return")
    Walked(arrive, parameters=LEFT, brought=frozenset())
    refused("`@total` is not declared", grid, parameters=LEFT)
    for name in LEFT:
        refused(f"`{name}` is not declared", arrive, parameters={k: v for k, v in LEFT.items() if k != name})
    refused("by accumulator", declare("@total", FLOAT), grid, parameters=LEFT, brought=frozenset())


def test_workers_of_a_fixed_tree_stand_for_warps() -> None:
    names = {"@workers": UNSIGNED}
    inside = Workers(GRID, (store(variable("n"), variable("@worker")),))
    assert Walked(inside, parameters=names).type_of("@worker") is None
    refused(NOT_ALL, Workers(GRID, (Sync("block"),)), parameters=names)
    values = ValuesOfRow(SUM, GRID)
    slots = {**names, "@slots": FLOATS, "@partials": FLOATS}
    assert Walked(values, parameters=slots).type_of("@values") == FLOATS
    refused("`@slots` is not declared", values, parameters={**names, "@partials": FLOATS})


def test_teams_of_threads_have_numbers() -> None:
    walked = Walked(Teams("block", GRID, N, N))
    assert all(walked.type_of(name) is not None for name in ("@team", "@thread", "@teams"))


# ---- what is dealt out -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "alone",
    [
        lambda node: If(binary("==", X, ZERO), (node,)),
        lambda node: If(binary("<", X, N), (node,), (store(N),)),
        lambda node: If(binary("==", X, ZERO), (), (node,)),
        lambda node: ByOne("block", (node,)),
        lambda node: WhileLoop(binary("<", X, N), (node,), False),
        lambda node: If(binary("==", X, ZERO), (Braces((node,)),)),
    ],
)
def test_what_is_dealt_out_stands_where_all_threads_come(alone: Callable[[Node], Node]) -> None:
    run = segment(store(variable("m")))
    Walked(If(binary("==", N, ZERO), (run,), (replace(run, element="@other"),)))
    Walked(If(binary("==", BLOCK["x"], ZERO), (run,)))
    refused("Segment is dealt out to threads of which only some come to it", alone(run))


def test_all_values_of_a_thread_are_combined() -> None:
    start, thread, block = Start(SUM, 4), Combine(SUM, "thread", 4), Combine(SUM, "block", 4)
    Walked(start, thread, block)
    message = "a thread has 4 values of `s`, and one of them is combined"
    refused(message, start, block)
    refused(message, Braces((start, thread)), start, block)
    refused(message, start, Combine(accumulator("t"), "thread", 4), block, control=Control(begun=frozenset("t")))
    Walked(Start(SUM, 1), Combine(SUM, "block"))
