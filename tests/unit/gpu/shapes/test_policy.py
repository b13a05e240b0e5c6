"""What each shape has of its own in how it is launched."""

from __future__ import annotations

from pencilc.gpu.shapes.policy import (
    ALL_WORKERS,
    COLUMN_BLOCKS,
    GEOMETRY,
    HEAVY_BYTES,
    HEAVY_THREADS,
    LARGEST_SHUFFLED,
    ORDERED_THREADS,
    ROW_BYTES,
    ROW_WORKERS,
    policy_of,
)
from pencilc.ir.shapes import AllKernel, Bins, ColumnKernel, IndirectKernel, ParallelKernel, RowKernel
from pencilc.options import AllLaunch, IndirectLaunch
from tests.unit.gpu.kernels import by_hand

ALL, ROW, COLUMN = by_hand(AllKernel), by_hand(RowKernel), by_hand(ColumnKernel)
PARALLEL = by_hand(ParallelKernel)
ATOMIC = by_hand(IndirectKernel, plans=(Bins("h", 0, 40, "atomicAdd", "int"),), forms=("private",))
IN_ORDER = by_hand(IndirectKernel, plans=(Bins("h", 0, 40, "", ""),), forms=("private",))


def test_only_the_grid_of_all_is_what_is_resident() -> None:
    assert [policy_of(each).fills_device for each in (ALL, ROW, COLUMN, ATOMIC, PARALLEL)] == [True] + 4 * [False]


def test_heavy_accumulators_get_fewer_threads() -> None:
    policy = policy_of(ALL)
    assert policy.start(ALL, AllLaunch(), HEAVY_BYTES).threads == AllLaunch().threads
    assert policy.start(ALL, AllLaunch(), HEAVY_BYTES + 1).threads == HEAVY_THREADS
    assert policy_of(COLUMN).start(COLUMN, AllLaunch(), 10**6) == AllLaunch()


def test_rows_have_more_in_flight_while_blocks_combine() -> None:
    started = policy_of(ROW).start(ROW, AllLaunch(sm_bytes_in_flight=1024), 4)
    assert started == AllLaunch(sm_bytes_in_flight=1280)
    assert policy_of(ROW).least_registers < policy_of(ALL).least_registers


def test_values_in_order_get_fewer_threads_and_are_left_alone_by_a_search() -> None:
    policy = policy_of(ATOMIC)
    assert policy.start(ATOMIC, IndirectLaunch(), 4) == IndirectLaunch()
    assert policy.start(IN_ORDER, IndirectLaunch(), 4).threads == ORDERED_THREADS
    assert policy.tunable(ATOMIC) == GEOMETRY and policy.tunable(IN_ORDER) == frozenset()


def test_the_workers_of_a_fixed_tree() -> None:
    assert policy_of(ALL).workers(4) == ALL_WORKERS and policy_of(COLUMN).workers(4) == COLUMN_BLOCKS
    assert policy_of(ROW).workers(4) == ROW_WORKERS
    assert policy_of(ROW).workers(ROW_BYTES // 2) == 2 and policy_of(ROW).workers(2 * ROW_BYTES) == 1
    assert policy_of(PARALLEL).workers(4) == 0


def test_shared_memory_for_accumulators() -> None:
    """A value for each warp; what is too large for shuffles, from half of the threads too; of columns, from all."""
    large = LARGEST_SHUFFLED + 4
    assert policy_of(ROW).shared_bytes(ROW, [4, 8], 256, 1) == 8 * 12
    assert policy_of(ROW).shared_bytes(ROW, [large], 64, 1) == 32 * large + 2 * large
    assert policy_of(COLUMN).shared_bytes(COLUMN, [4], 256, 4) == 256 * 4 * 4
    assert policy_of(ROW).shared_bytes(ROW, [], 256, 1) == 0


def test_shared_memory_of_a_fixed_tree() -> None:
    row, whole = by_hand(RowKernel, fixed_tree=True), by_hand(AllKernel, fixed_tree=True)
    assert policy_of(row).shared_bytes(row, [4], 256, 1) == 32 * 4 + ROW_BYTES
    assert policy_of(whole).shared_bytes(whole, [4], 256, 1) == 32 * 4
