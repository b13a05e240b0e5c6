"""The entry points of a region."""

from __future__ import annotations

from pencilc.codegen.hostloops import launches_in
from pencilc.ir.build import ONE, ZERO, generated_type
from pencilc.ir.host import Entry, Fallback, HostArray, HostFor, HostIf, HostNode
from pencilc.ir.launches import (
    KernelLaunch,
    LaunchAll,
    LaunchBins,
    LaunchColumn,
    LaunchLoop,
    LaunchPacked,
    LaunchParallel,
    LaunchRow,
    LaunchStitched,
)
from pencilc.ir.nodes import Parameter, expressions_in
from pencilc.ir.source import FLOAT, INT, LLONG, Name, PointerType, walk
from tests.unit.codegen.programs import N, entry, functions, told
from tests.unit.records import BINS, COLUMN_SUMS, ROW_SUMS, SOFTMAX, SUM

COPY = "FOR(i, n) a[i] = b[i];"
HOST = "for (int k = 1; k < m; k++) { FOR(i, n) a[i] = b[i] + k; FOR(i, n) b[i] = a[n - 1 - i]; }"
PEELED = "for (int k = 0; k < m; k++) { if (k < 5) { FOR(i, n) a[i] = b[i] + k; } FOR(i, n) b[i] = a[n - 1 - i]; }"


def array(made: Entry, name: str) -> HostArray:
    """A copied array."""
    return next(each for each in made.arrays if each.name == name)


def launches(body: str) -> list[KernelLaunch]:
    """All launches in order."""
    return list(launches_in(entry(body).items))


def only(items: tuple[HostNode, ...]) -> HostNode:
    """The only item."""
    (found,) = items
    return found


# ---- parameters and copies ----------------------------------------------------------------------------


def test_arrays_that_are_only_read_are_const() -> None:
    found = {each.name: each for each in entry(COPY).host_parameters}
    assert found["a"] == Parameter("a", PointerType(FLOAT)) and found["n"] == Parameter("n", INT)
    assert found["b"] == Parameter("b", PointerType(FLOAT), is_const=True)


def test_the_device_entry_has_a_stream_and_no_workspace_where_none_is_needed() -> None:
    made = entry(COPY)
    assert made.device_parameters[-1] == Parameter("@stream", generated_type("cudaStream_t"))
    assert made.queue_parameters == () and made.counting_arguments == () and not made.uses_scratch
    assert entry(SUM).queue_parameters[-2].name == "@call" and told(entry(SUM).counting_arguments[-1]) == [
        "PENCILC_COUNTING"
    ]


def test_copies_cover_what_is_touched() -> None:
    made = entry(COPY)
    read, written = array(made, "b"), array(made, "a")
    assert (read.copy_in, read.copy_out, written.copy_in, written.copy_out) == (True, False, False, True)
    (part,) = read.parts
    assert part.condition is not None and told(part.condition, part.first, part.last) == ["n >= 1", "0", "n - 1"]
    assert told(read.count) == ["pencilc_count(n)"] and {each.name for each in made.arrays} == {"a", "b"}
    assert told(made.arguments[2], made.arguments[4]) == ["@a_copy.device", "c"]


def test_ranges_of_matrices_are_linear_in_64_bits() -> None:
    found = array(entry(ROW_SUMS), "x")
    assert told(found.count, found.parts[0].last) == [
        "pencilc_count(n) * pencilc_count(m)", "(long long)(n - 1) * m + m - 1",
    ]  # fmt: skip
    assert found.parts[0].first == ZERO


def test_arrays_are_compared_where_one_of_several_is_written() -> None:
    assert [each.name for each in entry("FOR(i, n) a[i] = b[i] + c[i];").compared] == ["a", "b", "c"]
    assert entry("FOR(i, n) a[i] = i;").compared == ()


# ---- launches -----------------------------------------------------------------------------------------


def test_a_launch_stands_where_it_has_work() -> None:
    item = only(entry(COPY).items)
    assert isinstance(item, HostIf) and told(item.condition) == ["n >= 1"]
    launch = only(item.inner)
    assert isinstance(launch, LaunchParallel) and launch.name == "f_parallel0"
    assert launch.extents == (N,)
    assert launch.arguments == functions(COPY)["f_parallel0"].arguments


def test_a_reduction_is_launched_for_an_empty_row_too() -> None:
    launch = only(entry(SUM).items)
    assert isinstance(launch, LaunchAll)
    assert (launch.length, launch.runs, launch.accumulator) == (N, None, FLOAT)


def test_each_shape_tells_what_its_launch_depends_on() -> None:
    (row,), (column,) = launches(ROW_SUMS), launches(COLUMN_SUMS)
    assert isinstance(row, LaunchRow) and row.short and row.warps and not row.lanes and row.rows == N
    assert isinstance(column, LaunchColumn) and column.width == 4 and row.block == 256
    assert [type(each) for each in launches(BINS)] == [LaunchParallel, LaunchBins]


def in_one_launch(body: str) -> LaunchLoop:
    """The launch for all iterations of the only loop of a region, which is known to fit behind its condition."""
    made = entry(body)
    assert made.flags == ("f_loop0",)
    guard = made.items[0]
    assert isinstance(guard, HostIf)
    whole = only(guard.inner)
    assert isinstance(whole, LaunchLoop) and whole.is_declared
    return whole


def loop_of_launches(body: str) -> HostFor:
    """The only loop of a region, for where its iterations are too large for that."""
    fallback = entry(body).items[1]
    assert isinstance(fallback, Fallback) and fallback.name == in_one_launch(body).name
    guard = only(fallback.inner)
    assert isinstance(guard, HostIf)
    loop = only(guard.inner)
    assert isinstance(loop, HostFor)
    return loop


def test_a_loop_in_one_launch_knows_the_points_of_its_largest_iteration() -> None:
    whole = in_one_launch("for (int k = 1; k < m; k++) { FOR(i, k) a[i] = b[i] + k; FOR(i, n) b[i] = a[n - 1 - i]; }")
    first, second = whole.inside
    assert told(first.points) == ["m - 1"] and second.points == N and second.extents == (N,) and second.given == ()


def test_loops_on_the_host_have_the_type_of_their_iterator() -> None:
    loop = loop_of_launches(HOST)
    assert (loop.type, loop.name, loop.lower, loop.step, told(loop.upper)) == (INT, "k", ONE, 1, ["m"])
    assert [each.name for each in launches_in(loop.inner)] == ["f_parallel0", "f_parallel1"]


def test_conditions_in_a_loop_stand_around_their_launch() -> None:
    loop = loop_of_launches(PEELED)
    first, second = loop.inner
    assert isinstance(first, HostIf) and told(first.condition) == ["k <= 4"] and isinstance(second, KernelLaunch)


def test_a_loop_of_one_iteration_is_a_constant() -> None:
    once = HOST.replace("k = 1; k < m", "k = 3; k < 4")
    items = entry(once).items
    assert not any(isinstance(item, HostFor) for item in items) and "HostFor" not in str(items)
    assert [each.name for each in launches_in(items)] == ["f_parallel0", "f_parallel1"]


def test_a_fused_kernel_comes_before_those_that_it_stands_for() -> None:
    guard = only(entry(SOFTMAX).items)
    assert isinstance(guard, HostIf)
    fused, fallback = guard.inner
    assert isinstance(fused, LaunchStitched) and isinstance(fallback, Fallback)
    assert fallback.name == fused.name == "f_stitched0" and fallback.workspace != ()
    assert fused.exchanges == 2 and fused.chunks == (4, 8)
    assert [each.unless for each in launches_in(fallback.inner)] == ["f_stitched0"] * 2


def test_parts_of_a_packed_launch_know_when_they_have_work() -> None:
    (packed,) = launches("FOR(i, n) a[i] = b[i]; FOR(j, m) z[j] = 1;")
    assert isinstance(packed, LaunchPacked) and not packed.may_be_empty and not packed.has_bins
    conditions = [part.condition for part in packed.parts if part.condition is not None]
    assert told(*conditions) == ["n >= 1", "m >= 1"]


def test_a_region_that_does_nothing_launches_and_copies_nothing() -> None:
    made = entry("int k;")
    assert (made.items, made.arrays, made.workspace, made.waits) == ((), (), (), False)


def test_loops_beside_each_other_have_iterators_of_their_own_types() -> None:
    body = """
    for (long long k = 1; k < m; k++) { for (int i = k; i < n; i++) a[i] = b[i]; FOR(i, n) b[i] = a[n - 1 - i]; }
    for (int l = 1; l < m; l++) { FOR(i, n) a[i] = b[i] + l; FOR(i, n) b[i] = a[n - 1 - i]; }"""
    named = [
        node for expr in expressions_in(entry(body).items) for node in walk(expr)
        if isinstance(node, Name) and node.symbol.name in ("k", "l")
    ]  # fmt: skip
    assert {(node.symbol.name, node.type) for node in named} == {("k", LLONG), ("l", INT)}
