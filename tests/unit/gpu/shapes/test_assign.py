"""The pass `shapes`: every part becomes a kernel with a shape and a name."""

from __future__ import annotations

import pytest

from pencilc.gpu.shapes.assign import assign
from pencilc.ir.mapping import HostLoop
from pencilc.ir.shapes import Kernel, SingleKernel
from pencilc.options import CompileOptions, Tuning
from pencilc.parts.part import Unmappable
from tests.unit.records import COLUMN_SUMS, ROW_SUMS, SOFTMAX, joined

TIMES = "FOR(t, 9) { FOR(i, n) a[i] = b[n - 1 - i]; FOR(i, n) b[i] = a[i] + t; }"


def names(body: str) -> list[str]:
    """The names of the kernels."""
    return [item.name for item in assign(joined(body)).items if isinstance(item, Kernel)]


def test_names_tell_the_shape_and_the_number() -> None:
    assert names(f"{ROW_SUMS} {COLUMN_SUMS}") == ["f_row0", "f_column1"]
    assert names(SOFTMAX) == ["f_row0", "f_row1", "f_parallel2"]


def test_kernels_of_host_loops_are_numbered_with_the_others() -> None:
    (loop, last) = assign(joined(TIMES + " FOR(i, n) c[i] = a[n - 1 - i];")).items
    assert isinstance(loop, HostLoop) and isinstance(last, Kernel)
    assert [(k.name, k.number, k.host) for k in loop.items if isinstance(k, Kernel)] == [
        ("f_parallel0", 0, ("t",)),
        ("f_parallel1", 1, ("t",)),
    ]
    assert (last.name, last.number, last.host) == ("f_parallel2", 2, ())


def test_an_alternative_has_kernels_of_its_own_with_further_numbers() -> None:
    done = assign(joined(SOFTMAX))
    (alternative,) = done.alternatives
    assert alternative.instead.keys() == {0, 1}
    assert [(k.name, k.number) for k in alternative.kernels] == [("f_row3", 3)]
    assert {s.name for s in alternative.scop.statements} > {s.name for s in done.region.scop.statements}
    assert not assign(joined(ROW_SUMS)).alternatives


def test_what_a_search_has_found_is_taken_by_name() -> None:
    tuned = CompileOptions(tuning=Tuning((("f_row0", (("threads", 64),)),)))
    (kernel,) = assign(joined(ROW_SUMS, tuned)).items
    assert isinstance(kernel, Kernel) and kernel.block == 64
    (other,) = assign(joined(COLUMN_SUMS, tuned)).items
    assert isinstance(other, Kernel) and other.block == 256


def test_one_sequential_part_is_a_kernel_and_several_are_refused() -> None:
    chain = "for (int i = 1; i < n; i++) a[i] = a[i - 1];"
    (kernel,) = assign(joined(chain)).items
    assert isinstance(kernel, SingleKernel)
    with pytest.raises(Unmappable, match="nothing in the region is parallel"):
        assign(joined(chain + " for (int i = 1; i < n; i++) b[i] = b[i - 1] + a[n - 1 - i];"))


def test_a_fixed_tree_is_told_to_what_reduces() -> None:
    (kernel,) = assign(joined(ROW_SUMS, CompileOptions(determinism="fixed-tree"))).items
    assert isinstance(kernel, Kernel) and kernel.fixed_tree and kernel.workers > 0
    (kernel,) = assign(joined(ROW_SUMS)).items
    assert isinstance(kernel, Kernel) and not kernel.fixed_tree


def test_nothing_to_shape() -> None:
    assert assign(joined("int k;")).items == ()
