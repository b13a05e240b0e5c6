"""Kernels that fill bins which the data choose."""

from __future__ import annotations

import pytest

from pencilc.gpu.shapes.indirect import atomic_of, bucket_of, is_put_in_order, variable_subscripts
from pencilc.ir.scop import Reduction
from pencilc.ir.shapes import IndirectKernel
from pencilc.ir.source import ReductionUpdate
from pencilc.ir.source_printer import print_expr
from pencilc.options import Determinism
from tests.unit.gpu.kernels import bounds, kernels
from tests.unit.records import BINS, modelled

FLOAT_BINS = "FOR(k, n) INIT(&a[k], zero); FOR(j, m) UPDATE(&a[q[j]], z[j], add);"
# Every row i has bins of its own.
OF_ROW = """int t[n][40];
FOR(i, n) FOR(k, 40) INIT(&t[i][k], izero);
FOR(i, n) FOR(j, m) UPDATE(&t[i][q[j]], 1, iadd);
FOR(i, n) p[i] = t[i][3];"""


def reduction(body: str) -> Reduction:
    """The only one."""
    (found,) = modelled(body).reductions
    return found


def indirect(body: str) -> IndirectKernel:
    """The kernel that fills bins."""
    (kernel,) = (each for each in kernels(body) if isinstance(each, IndirectKernel))
    return kernel


def test_whole_numbers_are_added_by_atomics_whatever_is_asked_for() -> None:
    modes: tuple[Determinism, ...] = ("run", "fixed-tree", "none")
    assert {atomic_of(reduction(BINS), mode) for mode in modes} == {("atomicAdd", "int")}
    assert not is_put_in_order(modelled(BINS), reduction(BINS), "run")


def test_floating_values_are_put_in_order_unless_nobody_minds() -> None:
    assert atomic_of(reduction(FLOAT_BINS), "run") is None
    assert atomic_of(reduction(FLOAT_BINS), "none") == ("atomicAdd", "float")
    assert is_put_in_order(modelled(FLOAT_BINS), reduction(FLOAT_BINS), "run")


def test_a_known_number_of_bins_that_is_small_has_private_copies() -> None:
    kernel = indirect(BINS)
    (bins,) = kernel.bins
    assert (bins.fixed, bins.count, bins.atomic) == (0, 40, "atomicAdd")
    assert kernel.forms == ("private",) and bounds(kernel.reduced_box) == [("0", "-1 + n")]


@pytest.mark.parametrize(
    ("count", "forms"), [("4096", ("private",)), ("4097", ("private", "whole")), ("99999", ("whole",))]
)
def test_how_many_bins_decide_the_form(count: str, forms: tuple[str, ...]) -> None:
    body = f"int t[{count}]; FOR(k, {count}) INIT(&t[k], izero); FOR(i, n) UPDATE(&t[p[i]], 1, iadd); p[0] = t[7];"
    assert indirect(body).forms == forms


def test_a_number_of_bins_that_is_known_at_run_time_leaves_both_forms() -> None:
    kernel = indirect(FLOAT_BINS)
    assert kernel.bins[0].count is None and kernel.forms == ("private", "whole")
    assert kernel.puts_in_order and kernel.bins[0].atomic == ""


def test_a_kept_row_may_have_bins_of_its_own() -> None:
    kernel = indirect(OF_ROW)
    (bins,) = kernel.bins
    assert (bins.fixed, bins.count, len(kernel.kept), len(kernel.reduced)) == (1, 40, 1, 1)


def test_what_one_thread_accumulates_is_told_in_its_kernel() -> None:
    chain = "FOR(k, 40) INIT(&h[k], izero); int s = 0; FOR(i, n) { s = s + p[i]; UPDATE(&h[s & 31], 1, iadd); }"
    in_place = [kernel.in_place for kernel in kernels(chain) if not isinstance(kernel, IndirectKernel)]
    assert ("h",) in in_place
    assert [kernel.in_place for kernel in kernels("FOR(i, n) a[i] = 1;")] == [()]


def test_rows_whose_length_is_data() -> None:
    ragged = """FOR(k, 40) INIT(&h[k], izero);
    FOR(i, n - 1) for (int j = p[i]; j < p[i + 1]; j++) UPDATE(&h[q[j]], 1, iadd);"""
    kernel = indirect(ragged)
    assert kernel.ragged is not None and kernel.ragged.at == 1 and kernel.index == "long long"
    assert not kernel.is_packable and indirect(BINS).is_packable


def test_buckets_share_what_a_block_has() -> None:
    assert bucket_of(4) == (False, 8, 10, 2**28 // 16)
    assert bucket_of(48 * 1024) == (True, 1, 0, 2**28 // (16 + 48 * 1024))


def test_the_subscripts_of_a_variable_outermost_first() -> None:
    update = modelled(OF_ROW).statement("S2").body
    assert isinstance(update, ReductionUpdate)
    assert [print_expr(part) for part in variable_subscripts(update.variable)] == ["i_1", "q[j]"]


def test_other_parts_are_left_to_the_other_shapes() -> None:
    assert [kernel.shape.value for kernel in kernels(BINS)] == ["parallel", "indirect"]
