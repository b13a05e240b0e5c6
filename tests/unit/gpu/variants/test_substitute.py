"""The items of a region with the kernels of an alternative in place."""

from __future__ import annotations

from pencilc import islx
from pencilc.gpu.variants.substitute import with_alternative, with_statements
from pencilc.ir.mapping import HostLoop, kernels_of
from tests.unit.records import SOFTMAX, shaped

TIMES = f"FOR(t, 9) {{ {SOFTMAX} FOR(i, n) FOR(j, m) x[i][j] = y[i][m - 1 - j] + t; }}"


def test_one_kernel_stands_for_two() -> None:
    done = shaped(SOFTMAX)
    (alternative,) = done.alternatives
    found = with_alternative(done.items, alternative)
    assert [k.name for k in kernels_of(found)] == ["f_row3", "f_parallel2"]


def test_a_loop_on_the_host_holds_for_the_new_statements() -> None:
    done = shaped(TIMES)
    (alternative,) = done.alternatives
    (loop,) = with_alternative(done.items, alternative)
    assert isinstance(loop, HostLoop) and len(loop.items) == 3
    functions = islx.pw_affs_of(loop.row.function)
    assert set(alternative.sweep.names.values()) <= functions.keys()


def test_rows_of_inner_loops_too() -> None:
    (loop,) = shaped(TIMES).items
    assert isinstance(loop, HostLoop)
    outer = with_statements(HostLoop("u", loop.row, (loop,)), {"S3": "T"})
    (inner,) = outer.items
    assert isinstance(inner, HostLoop)
    assert all("T" in islx.pw_affs_of(each.row.function) for each in (outer, inner))


def test_nothing_changes_without_new_names() -> None:
    (loop,) = shaped(TIMES).items
    assert isinstance(loop, HostLoop)
    same = with_statements(loop, {})
    assert islx.pw_affs_of(same.row.function).keys() == islx.pw_affs_of(loop.row.function).keys()
    assert same.items == loop.items
