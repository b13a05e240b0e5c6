"""The pass `variants`: where joined sweeps are taken."""

from __future__ import annotations

from dataclasses import replace

from pencilc.gpu.variants.choose import choose
from pencilc.ir.mapping import HostLoop, Stitched, kernels_of
from pencilc.ir.shapes import Kernel
from tests.unit.records import ROW_SUMS, SOFTMAX, fused


def test_what_stands_for_a_fused_kernel_has_fewer_sweeps() -> None:
    done = choose(fused(SOFTMAX))
    (stitched,) = done.items
    assert isinstance(stitched, Stitched)
    assert [k.name for k in stitched.fallback.kernels] == ["f_row3", "f_parallel2"]
    assert (stitched.fallback.joined, stitched.fallback.instead_of) == (("f_row3",), ("f_row0", "f_row1"))
    assert [stage.kernel and stage.kernel.name for stage in stitched.stages] == ["f_row0", "f_row1", "f_parallel2"]


def test_the_model_has_the_new_sums_and_the_kernels_their_tables() -> None:
    done = choose(fused(SOFTMAX))
    assert set(done.scop.stands_for) == {"S5_shifted", "M1_shifted"} and done.own_storage.keys() == {"f_row3"}


def test_kernels_that_were_never_fused_are_joined_and_that_is_told() -> None:
    alone = fused(SOFTMAX)
    unfused = replace(alone, items=alone.placed.shaped.items)
    done = choose(unfused)
    assert [k.name for k in kernels_of(done.items)] == ["f_row3", "f_parallel2"]
    told = done.fusions[-1]
    assert (told.way, told.taken, told.kernels, told.reason) == ("joined", True, ("f_row0", "f_row1"), "f_row3")


def test_kernels_that_do_not_stand_together_stay() -> None:
    alone = fused(SOFTMAX)
    first, second, third = alone.placed.shaped.items
    loop = HostLoop("t", first.kept[0], (second, third))  # type: ignore[union-attr]
    done = choose(replace(alone, items=(first, loop)))
    assert [k.name for k in kernels_of(done.items)] == ["f_row0", "f_row1", "f_parallel2"]
    assert not done.own_storage and not done.scop.stands_for


def test_a_kernel_that_goes_on_with_a_reduction_stays() -> None:
    alone = fused(SOFTMAX)
    first, *rest = alone.placed.shaped.items
    assert isinstance(first, Kernel)
    spread = replace(first, reason="because")
    done = choose(replace(alone, items=(spread, *rest)))
    assert [k.name for k in kernels_of(done.items)] == ["f_row0", "f_row1", "f_parallel2"]


def test_nothing_to_join() -> None:
    for body in (ROW_SUMS, "int k;"):
        before = fused(body)
        done = choose(before)
        assert done.items == before.items and done.scop.statements == before.placed.shaped.region.scop.statements
