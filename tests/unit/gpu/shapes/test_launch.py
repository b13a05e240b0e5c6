"""How a kernel loads and is launched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.shapes.launch import (
    bytes_in_flight,
    carried_size,
    carried_together,
    chunk_width,
    exchanged_size,
    finish_groups,
    launched,
    resident_blocks,
    row_chunks,
    shared_bytes,
    stitched_values,
    threads_of,
    with_threads,
)
from pencilc.ir.scop import Scop
from pencilc.ir.shapes import Kernel, RowKernel
from pencilc.ir.source import Scalar
from pencilc.options import AllLaunch, CompileOptions, StitchedLaunch, Sums, Tuning
from tests.unit.gpu.kernels import TARGET, by_hand, kernel, unlaunched
from tests.unit.records import COLUMN_SUMS, ROW_SUMS, SUM, modelled

NOTHING = Tuning(())
MODES: tuple[Sums, ...] = ("plain", "kahan", "pairwise")


def start(body: str, statement: str, tuning: Tuning = NOTHING) -> Kernel:
    """The kernel of a statement, launched."""
    return launched(unlaunched(body, statement), modelled(body), TARGET, tuning)


def of_bytes(size: int, body: str = ROW_SUMS) -> Scop:
    """The model with sums of values of so many bytes."""
    scop = modelled(body)
    return replace(scop, reductions=(replace(scop.reductions[0], element_type=Scalar("large", "float", size)),))


@pytest.mark.parametrize(
    ("sizes", "accumulators", "width"),
    [([4], 0, 4), ([8], 0, 2), ([1], 0, 16), ([12], 0, 4), ([4, 8], 0, 4), ([], 0, 1), ([4], 64, 2), ([64], 0, 1)],
)
def test_a_chunk_has_whole_multiples_of_sixteen_bytes_within_reason(
    sizes: list[int], accumulators: int, width: int
) -> None:
    assert chunk_width(sizes, accumulators) == width


def test_the_sum_of_an_array() -> None:
    done = start(SUM, "S2")
    assert (done.block, done.loads.width, done.loads.in_flight, done.loads.sets) == (512, 4, 4, 4)
    assert bytes_in_flight(done, modelled(SUM)) == 4 * 4 * 4


def test_what_is_read_twice_is_loaded_once() -> None:
    body = SUM.replace("a[i]", "a[i] * a[i] * c[i]")
    done = start(body, "S2")
    assert len(done.loads.vectors) == 3 and bytes_in_flight(done, modelled(body)) == 4 * 4 * (4 + 4)


def test_nothing_is_loaded_by_a_kernel_that_reduces_nothing() -> None:
    body = "FOR(i, n) a[i] = b[i];"
    done = start(body, "S0")
    assert (done.block, done.loads.width, bytes_in_flight(done, modelled(body))) == (256, 1, 0)


def test_a_thread_that_owns_columns_has_accumulators_for_each() -> None:
    done = start(COLUMN_SUMS, "S1")
    assert done.loads.width == 4 and done.loads.sets == 1
    for body, width in ((ROW_SUMS, 4), (COLUMN_SUMS, 2)):
        assert launched(unlaunched(body, "S1"), of_bytes(64, body), TARGET, NOTHING).loads.width == width


def test_what_a_search_has_found_replaces_the_start_values() -> None:
    done = start(ROW_SUMS, "S1", Tuning((("k", (("threads", 64), ("in_flight", 2))),)))
    assert (done.block, done.loads.in_flight) == (64, 2)
    assert start(ROW_SUMS, "S1", Tuning((("other", (("threads", 64),)),))).block == 256


def test_a_fixed_tree_leaves_only_geometry_to_a_search() -> None:
    fixed = replace(unlaunched(ROW_SUMS, "S1"), fixed_tree=True)  # type: ignore[call-arg]
    done = launched(fixed, modelled(ROW_SUMS), TARGET, Tuning((("k", (("threads", 64), ("in_flight", 2))),)))
    assert (done.block, done.loads.in_flight) == (64, 4) and done.workers > 0


@pytest.mark.parametrize(("size", "threads"), [(4, 256), (256, 256), (512, 128), (2048, 32), (4096, 0)])
def test_blocks_that_combine_large_values_have_fewer_threads(size: int, threads: int) -> None:
    assert threads_of(kernel(ROW_SUMS), of_bytes(size), 256) == threads


def test_a_kernel_without_accumulators_may_have_any_threads() -> None:
    assert threads_of(by_hand(RowKernel), of_bytes(4096), 256) == 256


def test_another_block_keeps_the_threads_in_all() -> None:
    own = kernel(ROW_SUMS)
    done = with_threads(own, modelled(ROW_SUMS), TARGET, 64, 0)
    assert done is not None and done.block == 64
    assert done.launch.blocks_per_sm * 64 == own.launch.blocks_per_sm * own.block
    assert with_threads(own, of_bytes(4096), TARGET, 64, 0) is None


def test_shared_memory_to_combine_values() -> None:
    assert shared_bytes(kernel("FOR(i, n) a[i] = 1;"), modelled("FOR(i, n) a[i] = 1;")) == 0
    assert shared_bytes(kernel(ROW_SUMS), modelled(ROW_SUMS)) == 256 // 32 * 4


SMALLEST = """#include <float.h>
#include <pencil.h>
typedef struct {{ float v[2]; }} Two;
static void none(Two *t) {{ t->v[0] = FLT_MAX; t->v[1] = FLT_MAX; }}
static Two one(float a) {{ Two t = {{{{a, FLT_MAX}}}}; return t; }}
static Two merged(Two a, Two b) {{
    Two t;
    int i = 0, j = 0;
    for (int k = 0; k < 2; k++)
        if (a.v[{i}] <= b.v[{j}]) {{ t.v[k] = a.v[{i}]; i++; }} else {{ t.v[k] = b.v[{j}]; j++; }}
    return t;
}}
Two smallest(int n, const float a[static const restrict n]) {{
    Two two;
    __pencil_reduction_var_init(&two, none);
    for (int k = 0; k < n; k++)
        __pencil_reduction(&two, one(a[k]), merged);
    return two;
}}
"""


@pytest.mark.parametrize(("i", "j", "in_flight"), [("i", "j", 2), ("k", "k", 4)])
def test_operators_that_select_have_fewer_loads_in_flight(i: str, j: str, in_flight: int) -> None:
    file = SourceFile("smallest.c", SMALLEST.format(i=i, j=j))
    (program,) = compile_source(file, CompileOptions(), "mapping").programs
    (made,) = program.kernels()
    assert made.loads.in_flight == in_flight


def test_registers_are_limited_for_the_bytes_in_flight_never_to_spill() -> None:
    launch = AllLaunch(threads=256, sm_bytes_in_flight=65536)
    found = [resident_blocks(launch, TARGET, *how) for how in ((64, 32), (1024, 32), (64, 128), (64, 300))]
    assert found == [4, 1, 2, 1]


def test_what_a_sum_carries_by_its_mode() -> None:
    (reduction,) = modelled(SUM).reductions
    assert [carried_size(reduction, mode) for mode in MODES] == [4, 8, 28]
    assert [carried_together(reduction, mode) for mode in MODES] == [4, 8, 12]
    assert [exchanged_size(reduction, mode) for mode in MODES] == [4, 8, 4]


def test_how_many_chunks_a_stitched_thread_may_hold() -> None:
    launch = StitchedLaunch(threads=256, row_elements=8192, row_bytes=98304)
    assert row_chunks(launch, 4, 16) == (1, 2, 4, 8)
    assert row_chunks(launch, 4, 128) == (1, 2)
    assert row_chunks(launch, 4, 4096) == (1,)
    assert row_chunks(launch, 3, 16) == (1,)  # no whole number of chunks


def test_start_values_of_stitched_kernels() -> None:
    plain = stitched_values("k", False, False, NOTHING)
    assert plain == StitchedLaunch()
    assert stitched_values("k", True, False, NOTHING).threads > plain.threads
    assert stitched_values("k", False, True, NOTHING).row_bytes < plain.row_bytes
    assert stitched_values("k", False, False, Tuning((("k", (("threads", 128),)),))).threads == 128


def test_rows_of_threads_for_what_blocks_have_left() -> None:
    assert [finish_groups(size) for size in (4, 128, 512, 9999)] == [8, 4, 1, 1]
