"""Trees of kernels that are broken by hand: the verifier of the stage `kernels` refuses each, before nvcc would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import UNKNOWN_SPAN, SourceFile
from pencilc.driver import compile_source
from pencilc.ir.bins import RunLengths
from pencilc.ir.build import (
    BLOCK,
    THREAD,
    ZERO,
    binary,
    call,
    cast,
    choice,
    declare,
    evaluate,
    generated_type,
    method,
    number,
    symbol,
    variable,
)
from pencilc.ir.columns import ColumnsOfGrid, CombineColumns
from pencilc.ir.combining import ByOne, Combine, CombineGrid, EachRow, OfRow, Start
from pencilc.ir.definitions import DeviceFunction
from pencilc.ir.host import KernelFile
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import BARRIER, For, If, Node, SharedDecl, Sync
from pencilc.ir.segments import Segment
from pencilc.ir.source import DOUBLE, FLOAT, INT, LLONG, UCHAR, ArrayType, Assign, CallStmt, Expr, Index, PointerType
from pencilc.options import CompileOptions

PROGRAM = """#include <pencil.h>
static void zero(float *x) { *x = 0; }
static float add(float a, float b) { return a + b; }
static float first(const float row[static const restrict 4]) { return row[0]; }
static int narrow(int x) { return x + 1; }
void total(int n, const float a[static const restrict n], float s[static const restrict 1])
{
    __pencil_reduction_var_init(&s[0], zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s[0], a[i] + (float)min(narrow(i), 3), add);
}
void each(int n, int m, const float a[static const restrict n][4], float b[static const restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = first(a[i]) + j;
#pragma endscop
}
void sums(int n, int m, const float a[static const restrict n][m], float s[static const restrict n])
{
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s[i], a[i][j], add);
    }
}
void columns(int n, int m, const float a[static const restrict n][m], float s[static const restrict m])
{
    for (int j = 0; j < m; j++) {
        __pencil_reduction_var_init(&s[j], zero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&s[j], a[i][j], add);
    }
}
static void none(int *x) { *x = 0; }
static int plus(int a, int b) { return a + b; }
void counts(int n, int m, const int at[static const restrict n], int count[static const restrict m])
{
    for (int i = 0; i < m; i++) __pencil_reduction_var_init(&count[i], none);
    for (int i = 0; i < n; i++) __pencil_reduction(&count[at[i]], 1, plus);
}
"""


@cache
def tree() -> KernelFile:
    """The program, which the verifier takes as it is."""
    made = compile_source(SourceFile("program.c", PROGRAM), CompileOptions(), "kernels").kernels
    assert made is not None
    return made


def kernel(shape: str) -> KernelFunction:
    """The first kernel of a shape."""
    found, *_ = (function for function in tree().kernels if function.shape == shape)
    return found


def with_kernel(changed: KernelFunction) -> KernelFile:
    """The file with a changed kernel."""
    return replace(tree(), kernels=tuple(changed if k.name == changed.name else k for k in tree().kernels))


def with_post(*nodes: Node) -> KernelFile:
    """The file with more behind a reduction: nodes that one thread does."""
    (*before, behind) = kernel("all").body
    assert isinstance(behind, ByOne)
    return with_whole(*before, replace(behind, body=(*behind.body, *nodes)))


def with_whole(*nodes: Node) -> KernelFile:
    """The file with another body of the kernel that has one result."""
    return with_kernel(replace(kernel("all"), body=nodes))


def with_barrier(*nodes: Node) -> KernelFile:
    """The same with nodes in front of what the kernel does, which have a barrier of its grid."""
    made = kernel("all")
    return with_kernel(replace(made, body=(*nodes, *made.body), parameters=(*made.parameters, BARRIER)))


def with_rows(shape: str, *nodes: Node) -> KernelFile:
    """The file with other nodes inside of the loop over rows."""
    made = kernel(shape)
    return with_kernel(replace(made, body=(replace(rows(shape), body=nodes),)))


def rows(shape: str) -> EachRow:
    """The loop over the rows of the kernel that has several results."""
    (found,) = kernel(shape).body
    assert isinstance(found, EachRow)
    return found


def without(nodes: tuple[Node, ...], kind: type) -> tuple[Node, ...]:
    """The nodes but those of a kind."""
    return tuple(node for node in nodes if not isinstance(node, kind))


def with_body(*nodes: Node) -> KernelFile:
    """The file with another body of the kernel that has a thread for each point."""
    return with_kernel(replace(kernel("parallel"), body=nodes))


def with_helper(name: str, change: Callable[[DeviceFunction], DeviceFunction]) -> KernelFile:
    """The file with a changed helper."""
    helpers = tuple(
        change(each) if isinstance(each, DeviceFunction) and each.name == name else each for each in tree().helpers
    )
    return replace(tree(), helpers=helpers)


def store(target: Expr, value: Expr) -> Assign:
    return Assign(target, value, UNKNOWN_SPAN)


def local(name: str, value: Expr) -> tuple[Node, ...]:
    """A float that is given a value."""
    return declare(name, FLOAT), store(variable(name, FLOAT), value)


def refused(file: KernelFile, message: str) -> None:
    with pytest.raises(CompilerBug, match=message):
        verify_kernels(file)


def test_what_the_compiler_makes_is_taken() -> None:
    verify_kernels(tree())


# ---- names -----------------------------------------------------------------------------------------


def test_names_are_declared() -> None:
    refused(with_post(*local("x", variable("nobody", FLOAT))), "`nobody` is not declared")


def test_names_are_declared_before_their_use() -> None:
    late = (store(variable("x", FLOAT), ZERO), declare("x", FLOAT))
    refused(with_post(*late), "`x` is not declared")


def test_names_end_with_their_braces() -> None:
    inside = If(binary("==", THREAD["x"], ZERO), local("x", ZERO))
    refused(with_post(inside, store(variable("x", FLOAT), ZERO)), "`x` is not declared")


def test_names_of_the_building_block_stand_where_it_has_them() -> None:
    early = declare("x", FLOAT, variable("@total", FLOAT))
    refused(with_whole(early, *kernel("all").body), "`@total` is not declared")


def test_names_are_declared_once() -> None:
    refused(with_post(declare("x", FLOAT), declare("x", INT)), "`x` is declared twice")


def test_parameters_are_declared_once() -> None:
    sum_ = kernel("all")
    twice = (*sum_.parameters, sum_.parameters[0])
    refused(with_kernel(replace(sum_, parameters=twice, arguments=(*sum_.arguments, ZERO))), "is declared twice")


# ---- types -----------------------------------------------------------------------------------------


def test_a_name_has_the_type_of_its_declaration() -> None:
    used = store(variable("x", FLOAT), variable("x", INT))
    refused(with_post(declare("x", FLOAT), used), "`x` is declared as float and used as int")


def test_const_is_kept() -> None:
    def without_const(helper: DeviceFunction) -> DeviceFunction:
        return replace(helper, parameters=tuple(replace(p, is_const=False) for p in helper.parameters))

    refused(with_helper("first", without_const), "`row` is not const, and the argument is")


def test_what_is_only_read_is_not_written() -> None:
    def writing(helper: DeviceFunction) -> DeviceFunction:
        (row,) = helper.parameters
        element = Assign(_element(variable(row.name, row.type)), ZERO, UNKNOWN_SPAN)
        return replace(helper, body=(element, *helper.body))

    refused(with_helper("first", writing), "is only read in this function")


def _element(pointer: Expr) -> Expr:
    from pencilc.ir.build import element

    return element(pointer, ZERO, FLOAT)


def test_constants_are_not_written_and_have_values() -> None:
    refused(with_post(declare("x", INT, ZERO, is_const=True), store(variable("x"), ZERO)), "`x` is const")
    refused(with_post(declare("x", INT, is_const=True)), "`x` is const and has no value")


def test_pointers_are_no_numbers() -> None:
    pointer = variable("s", PointerType(FLOAT))
    refused(with_post(declare("x", INT), store(variable("x"), pointer)), "a float \\* is stored to `x`, a int")
    refused(with_post(*local("x", call("narrow", pointer, returns=INT))), "a float \\* as int")


def test_pointers_keep_their_type() -> None:
    doubles = cast(PointerType(DOUBLE), variable("s", PointerType(FLOAT)))
    refused(with_post(*local("x", call("first", doubles, returns=FLOAT))), "a double \\* as float \\*")


def test_calls_have_the_arguments_of_the_function() -> None:
    refused(with_post(*local("x", call("narrow", ZERO, ZERO, returns=INT))), "another number of arguments")


def test_templates_find_one_type() -> None:
    truth = binary("<", ZERO, number(1))
    refused(with_post(*local("x", call("min_", truth, ZERO, returns=INT))), "arguments of bool and int")
    wide = cast(LLONG, ZERO)
    refused(with_post(*local("x", call("min_", wide, ZERO, returns=INT))), "arguments of int and long long")
    verify_kernels(with_post(*local("x", call("min_", truth, ZERO, returns=INT, made_for=(INT,)))))


def test_narrow_values_of_one_type_are_not_promoted() -> None:
    narrow = cast(UCHAR, ZERO)
    both = choice(binary("<", ZERO, number(1)), narrow, narrow)
    refused(with_post(*local("x", call("min_", both, ZERO, returns=INT))), "arguments of int and unsigned char")


def test_sums_are_given_values_of_their_type() -> None:
    carried = generated_type("pencilc_sum", DOUBLE)
    adding = evaluate("pencilc_sum_add", variable("x", carried), cast(FLOAT, ZERO))
    refused(with_post(declare("x", carried), adding), "adds a float to a pencilc_sum<double>")


def test_members_are_those_of_the_class() -> None:
    carried = generated_type("pencilc_sum", FLOAT)
    adding = CallStmt(method(variable("x", carried), "add", cast(FLOAT, ZERO)), UNKNOWN_SPAN)
    refused(with_post(declare("x", carried), adding), "a pencilc_sum<float> has no member `add`")


def test_numbers_are_no_sums() -> None:
    carried = generated_type("pencilc_exp_sum", FLOAT)
    refused(with_post(declare("x", carried), store(variable("x", carried), cast(FLOAT, ZERO))), "a float is stored")


def test_extents_are_numbers() -> None:
    sized = ArrayType(FLOAT, variable("n"))
    refused(with_post(declare("x", sized)), "the extent of `x` is computed when the kernel runs")
    array = variable("x", ArrayType(FLOAT, number(4)))
    verify_kernels(
        with_post(declare("x", array.type), store(Index(array, ZERO, FLOAT, UNKNOWN_SPAN), cast(FLOAT, ZERO)))
    )


def test_no_local_is_declared_in_vain() -> None:
    refused(with_post(declare("x", FLOAT, cast(FLOAT, ZERO))), "`x` is declared, and nothing names it")
    verify_kernels(with_post(declare("@x", FLOAT, cast(FLOAT, ZERO))))  # a text may


# ---- threads ---------------------------------------------------------------------------------------


def test_barriers_stand_where_all_threads_come() -> None:
    some = If(binary("<", THREAD["x"], variable("n")), (Sync("block"),))
    refused(with_whole(some, *kernel("all").body), "a barrier stands where not all threads come")
    verify_kernels(with_whole(If(binary("<", ZERO, variable("n")), (Sync("block"),)), *kernel("all").body))
    refused(with_post(Sync("block")), "a barrier stands where not all threads come")


def test_blocks_meet_where_all_of_them_come() -> None:
    own = If(binary("<", BLOCK["x"], variable("n")), (Sync("launch"),))
    refused(with_barrier(own), "a barrier stands where not all threads come")
    mine = For(symbol("t"), cast(INT, BLOCK["x"]), variable("n"), (Sync("launch"),))
    refused(with_barrier(mine), "a barrier stands where not all threads come")
    verify_kernels(with_whole(If(binary("<", BLOCK["x"], variable("n")), (Sync("block"),)), *kernel("all").body))
    refused(with_whole(Sync("launch"), *kernel("all").body), "`@barrier` is not declared")


def test_a_condition_differs_among_threads_where_a_name_in_it_does() -> None:
    late = (declare("t", INT, cast(INT, THREAD["x"])), If(binary("<", variable("t"), number(7)), (Sync("block"),)))
    refused(with_whole(*late, *kernel("all").body), "a barrier stands where not all threads come")


def test_barriers_stand_in_loops_that_all_threads_leave_together() -> None:
    mine = For(symbol("t"), cast(INT, THREAD["x"]), variable("n"), (Sync("block"),))
    refused(with_whole(mine, *kernel("all").body), "a barrier stands where not all threads come")


def test_every_direction_of_the_grid_is_dealt_out() -> None:
    end, outer = kernel("parallel").body
    assert isinstance(outer, For)
    (inner,) = (node for node in outer.body if isinstance(node, For))
    # The same for every row of threads: each of them would store all of `b`.
    alike = replace(inner, lower=ZERO, step=number(1))
    others = tuple(node for node in outer.body if node is not inner)
    refused(with_body(end, replace(outer, body=(*others, alike))), "is not dealt out")
    # Each block down to the last row.
    on = replace(inner, bound=variable("n"))
    refused(with_body(end, replace(outer, body=(*others, on))), "a block goes on into the rows of the next one")


def test_a_direction_is_dealt_out_once() -> None:
    end, outer = kernel("parallel").body
    assert isinstance(outer, For)
    again = replace(outer, iterator=symbol("again", LLONG), body=(outer,))
    refused(with_body(end, again), "two loops are dealt out along")


def test_a_row_has_one_loop() -> None:
    end, outer = kernel("parallel").body
    assert isinstance(outer, For)
    inner = For(outer.iterator, ZERO, number(3), outer.body)
    refused(with_body(end, replace(outer, body=(inner,))), "a loop around has")


# ---- building blocks -------------------------------------------------------------------------------


def test_warps_meet_where_all_of_their_lanes_come() -> None:
    inside = rows("row_warps").body
    some = If(binary("<", THREAD["x"], variable("n")), (Sync("warp"),))
    refused(with_rows("row_warps", *inside, some), "a barrier stands where not all threads come")
    verify_kernels(with_rows("row_warps", *inside, Sync("warp")))
    # Warps go through different numbers of rows.
    refused(with_rows("row_warps", *inside, Sync("block")), "a barrier stands where not all threads come")


def test_accumulators_begin_before_they_are_combined() -> None:
    refused(with_whole(*without(kernel("all").body, Start)), "`total_all0` is combined before it begins")
    (start, *others) = kernel("all").body
    (*before, behind) = others
    refused(with_whole(*before, start, behind), "`total_all0` is combined before it begins")


def test_accumulators_begin_once() -> None:
    (start, *others) = kernel("all").body
    refused(with_whole(start, start, *others), "`@acc` is declared twice")


def test_blocks_combine_where_all_of_their_threads_come() -> None:
    (start, run, *combining, behind) = kernel("all").body
    some = If(binary("<", THREAD["x"], variable("n")), tuple(combining))
    refused(with_whole(start, run, some, behind), "a barrier stands where not all threads come")


def test_what_a_thread_has_is_combined_before_it_is_used() -> None:
    body = kernel("all").body
    refused(with_whole(*without(body, Combine)), "`@total` is not declared")
    refused(with_whole(*without(body, Segment), *without(body, Start)), "is declared twice")


def test_functions_that_combine_are_there() -> None:
    refused(with_kernel(replace(kernel("all"), helpers=())), "nothing brings what combines .* by accumulator")


# By shape: what has functions of its own beside it, and what these are for.
BROUGHT = {
    "column": (
        "for (int j = 0; j < m; j++) { __pencil_reduction_var_init(&s[j], zero);"
        " for (int i = 0; i < n; i++) __pencil_reduction(&s[j], a[i][j], add); }",
        "nothing brings what combines `f_column0` by columns",
    ),
    "stitched": (
        "for (int i = 0; i < n; i++) { float t; __pencil_reduction_var_init(&t, zero);"
        " for (int j = 0; j < m; j++) __pencil_reduction(&t, a[i][j], add);"
        " for (int j = 0; j < m; j++) b[i][j] = a[i][j] / t; }",
        "nothing brings what combines `f_stitched0` by parts",
    ),
    "indirect_shared": (
        "for (int k = 0; k < m; k++) __pencil_reduction_var_init(&c[k], none);"
        " for (int i = 0; i < n; i++) __pencil_reduction(&c[(int)a[i][0]], 1, plus);",
        "nothing brings what combines `f_indirect1_c` by bins",
    ),
}


@pytest.mark.parametrize("shape", BROUGHT)
def test_functions_of_whole_building_blocks_are_there(shape: str) -> None:
    body, message = BROUGHT[shape]
    text = (
        "#include <pencil.h>\nstatic void zero(float *x) { *x = 0; }\n"
        "static float add(float a, float b) { return a + b; }\n"
        "static void none(int *x) { *x = 0; }\nstatic int plus(int a, int b) { return a + b; }\n"
        "void f(int n, int m, const float a[static const restrict n][m], float b[static const restrict n][m],\n"
        f"       float s[static const restrict m], int c[static const restrict m])\n{{\n{body}\n}}\n"
    )
    made = compile_source(SourceFile("program.c", text), CompileOptions(), "kernels").kernels
    assert made is not None and any(function.shape == shape for function in made.kernels)
    verify_kernels(made)
    bare = (replace(f, helpers=()) if f.shape == shape else f for f in made.kernels)
    refused(replace(made, kernels=tuple(bare)), message)


def test_rows_are_given_to_one_level() -> None:
    warps, blocks = rows("row_warps"), rows("row_blocks")
    refused(with_rows("row_blocks", warps), "rows are given to block, and to warp")
    refused(with_rows("row_warps", blocks), "rows are given to warp, and to block")
    refused(with_rows("row_blocks", *kernel("row_short").body), "rows are given to block, and dealt out again")


def test_a_run_is_dealt_out_to_those_that_have_the_row() -> None:
    runs = {
        shape: next(node for node in rows(shape).body if isinstance(node, Segment))
        for shape in ("row_warps", "row_blocks")
    }
    others = tuple(runs["row_blocks"] if isinstance(node, Segment) else node for node in rows("row_warps").body)
    refused(with_rows("row_warps", *others), "a run is dealt out to others than the warp that have it")


def test_those_that_have_a_row_combine() -> None:
    by_warp = next(node for node in rows("row_warps").body if isinstance(node, Combine) and node.scope == "warp")
    (*before, behind) = rows("row_blocks").body
    others = without(tuple(before), CombineGrid)[:-1]
    refused(with_rows("row_blocks", *others, by_warp, behind), "warp combine what they do not share")


def test_only_lanes_may_have_no_row() -> None:
    refused(with_rows("row_warps", OfRow(rows("row_warps").body)), "lanes have no rows of their own here")


def test_lengths_of_runs_are_computed() -> None:
    block = RunLengths(variable("n"), (declare("@count", LLONG, ZERO),))
    verify_kernels(with_kernel(replace(kernel("all"), body=(block,))))
    refused(with_kernel(replace(kernel("all"), body=(replace(block, body=()),))), "no length of a run is computed")


def test_one_thread_of_those_that_have_the_row_does_what_follows() -> None:
    (*before, behind) = rows("row_warps").body
    assert isinstance(behind, ByOne)
    refused(with_rows("row_warps", *before, replace(behind, scope="block")), "one thread of block is asked for")


def test_blocks_that_are_not_the_last_go_on_to_their_next_row() -> None:
    inside = tuple(
        replace(node, leave="return") if isinstance(node, CombineGrid) else node for node in rows("row_blocks").body
    )
    refused(with_rows("row_blocks", *inside), "blocks that are not the last return")


def test_blocks_combine_what_they_are_given_room_for() -> None:
    made = kernel("all")
    kept = [(p, a) for p, a in zip(made.parameters, made.arguments, strict=True) if p.name != "@tickets"]
    narrow = replace(made, parameters=tuple(p for p, _ in kept), arguments=tuple(a for _, a in kept))
    refused(with_kernel(narrow), "`@tickets` is not declared")


def test_lanes_hand_large_values_on_where_all_threads_have_room() -> None:
    text = """#include <pencil.h>
typedef struct { float v[20]; } Values;
static void nothing(Values *v) { for (int i = 0; i < 20; i++) v->v[i] = 0; }
static Values both(Values l, Values r) { for (int i = 0; i < 20; i++) l.v[i] += r.v[i]; return l; }
void f(int n, int m, const Values x[static const restrict n][m], Values y[static const restrict n])
{
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&y[i], nothing);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&y[i], x[i][j], both);
    }
}
"""
    made = compile_source(SourceFile("large.c", text), CompileOptions(), "kernels").kernels
    assert made is not None
    verify_kernels(made)
    for function in made.kernels:
        wide = tuple(replace(each, block=2 * each.block) if each is function else each for each in made.kernels)
        refused(replace(made, kernels=wide), "`f_row0_warp` has memory for fewer threads than 512")
    blocks = made.kernels[-1]

    def narrow(node: Node) -> Node:
        if not isinstance(node, EachRow):
            return node
        smaller = (
            replace(each, at=replace(each.at, size=128)) if isinstance(each, CombineGrid) else each
            for each in node.body
        )
        return replace(node, body=tuple(smaller))

    few = replace(blocks, body=tuple(map(narrow, blocks.body)))
    refused(replace(made, kernels=(*made.kernels[:-1], few)), "`f_row0` has places for fewer threads than 256")


def test_shared_memory_fits() -> None:
    body = kernel("parallel").body
    refused(with_body(SharedDecl("x", DOUBLE, 6145), *body), "49160 bytes of shared memory are more than the 49152")
    verify_kernels(with_body(SharedDecl("x", DOUBLE, 6144), *body))
    # A block leaves a value for each of its warps.
    whole = kernel("all").body
    refused(with_whole(SharedDecl("x", FLOAT, 12257), *whole), "49156 bytes of shared memory are more")
    verify_kernels(with_whole(SharedDecl("x", FLOAT, 12256), *whole))


@pytest.mark.parametrize("threads", [0, -32, 48, 2048])
def test_blocks_are_whole_warps_that_fit(threads: int) -> None:
    refused(with_kernel(replace(kernel("all"), block=threads)), f"blocks of {threads} threads")


def test_what_a_launch_provides_has_one_name() -> None:
    body = kernel("parallel").body
    refused(with_body(SharedDecl("x", DOUBLE, None), *body), "is launched without the shared memory")
    twice = (SharedDecl("x", DOUBLE, None), SharedDecl("y", FLOAT, None))
    refused(with_body(*twice, *body), "`x` and `y` are the same shared memory")


def test_rows_are_dealt_out_and_once() -> None:
    made = kernel("parallel")
    refused(with_body(), "rows are dealt out along nothing, and blocks along x, y")
    refused(with_kernel(replace(made, dealt=())), "rows are dealt out along x, y, and blocks along x")
    refused(with_kernel(replace(made, dealt=(*made.dealt, (0,)))), "along z is not dealt out there")
    end, outer = made.body
    refused(with_body(end, outer, outer), "a loop that is dealt out stands twice")


@pytest.mark.parametrize("shape", ["all", "row_warps", "row_blocks"])
def test_a_run_is_gone_through_once_by_each_thread_with_points_of_its_own(shape: str) -> None:
    nodes = kernel("all").body if shape == "all" else rows(shape).body

    def broken(*others: Node) -> KernelFile:
        return with_whole(*others) if shape == "all" else with_rows(shape, *others)

    twice = tuple(each for node in nodes for each in ((node, node) if isinstance(node, Segment) else (node,)))
    refused(broken(*twice), "is gone through twice")
    alike = (replace(node, rank=ZERO, size=number(1)) if isinstance(node, Segment) else node for node in nodes)
    refused(broken(*alike), "threads have the same points|a run is dealt out to others")
    of_block = (replace(node, rank=THREAD["x"]) if isinstance(node, Segment) else node for node in nodes)
    if shape != "row_warps":
        refused(broken(*of_block), "threads have the same points")


@pytest.mark.parametrize(
    ("shape", "kind", "who"),
    [("all", CombineGrid, "blocks"), ("row_blocks", CombineGrid, "blocks"), ("column", ColumnsOfGrid, "blocks"),
     ("column", CombineColumns, "threads of a block")],
)  # fmt: skip
def test_what_several_have_of_a_result_is_combined(shape: str, kind: type, who: str) -> None:
    nodes = rows(shape).body if shape == "row_blocks" else kernel(shape).body
    left = without(nodes, kind)
    assert len(left) < len(nodes)
    broken = with_rows(shape, *left) if shape == "row_blocks" else with_kernel(replace(kernel(shape), body=left))
    refused(broken, f"{who} have .*, and do not combine what they have")


@pytest.mark.parametrize("shape", ["all", "row_warps", "row_blocks"])
def test_one_thread_stores_a_result(shape: str) -> None:
    nodes = kernel("all").body if shape == "all" else rows(shape).body
    (*before, behind) = nodes
    assert isinstance(behind, ByOne)
    open_ = (*before, *behind.body)
    refused(
        with_whole(*open_) if shape == "all" else with_rows(shape, *open_), "all threads of a row store to `s` alike"
    )
