"""The verifiers between the passes: what each refuses that the others would not see.

How records of a whole region are broken and refused one after the other is in `tests/unit/test_passes.py`.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.verifiers import steps
from pencilc.ir.mapping import HostLoop, kernels_of
from pencilc.ir.storage import Workspace
from tests.unit.records import BINS, ROW_SUMS, SOFTMAX, chosen, fused, joined, looped, parted, placed, shaped

BODIES = [ROW_SUMS, BINS, SOFTMAX, "int k;", "float s = (float)n; FOR(i, n) a[i] = s;"]

IN_ROUNDS = "for (int k = 1; k < m; k++) { FOR(i, n) a[i] = b[i] + k; FOR(i, n) b[i] = a[n - 1 - i]; }"


@pytest.mark.parametrize("body", BODIES)
def test_what_the_passes_make(body: str) -> None:
    steps.verify_parts(parted(body))
    steps.verify_sweeps(joined(body))
    steps.verify_shapes(shaped(body))
    steps.verify_storage(placed(body))
    steps.verify_fusion(fused(body))
    steps.verify_variants(chosen(body))


def test_parts_need_the_initialisation_of_what_is_done_in_place_no_merge_node() -> None:
    done = parted(BINS)
    with pytest.raises(CompilerBug, match="the parts have"):
        steps.verify_parts(replace(done, in_place=()))
    with pytest.raises(CompilerBug, match="the parts have"):
        steps.verify_parts(replace(done, items=done.items[:1]))


def test_a_scalar_that_every_kernel_computes_is_in_no_part() -> None:
    done = parted(BODIES[-1])
    with pytest.raises(CompilerBug, match="the parts have"):
        steps.verify_parts(replace(done, uniform={}))


def test_a_kernel_has_the_number_and_the_statements_of_its_part() -> None:
    done = shaped(SOFTMAX)
    first, second, third = kernels_of(done.items)
    for wrong in (replace(first, number=1), replace(first, post=())):
        with pytest.raises(CompilerBug, match="is not the kernel of part 0"):
            steps.verify_shapes(replace(done, items=(wrong, second, third)))


def test_a_variable_lives_in_one_place() -> None:
    done = placed(SOFTMAX)
    for table in (done.storage[1:], (*done.storage, done.storage[0])):
        with pytest.raises(CompilerBug, match="live somewhere instead of"):
            steps.verify_storage(replace(done, storage=table))


def test_fusion_keeps_every_kernel_once() -> None:
    done = fused(SOFTMAX)
    for items in ((), (*done.items, *done.items)):
        with pytest.raises(CompilerBug, match="fusion leaves"):
            steps.verify_fusion(replace(done, items=items))


def test_variants_have_what_was_taken_and_nothing_else() -> None:
    done = chosen(SOFTMAX)
    for changed in (replace(done, own_storage={}), replace(done, items=done.fused.items), replace(done, items=())):
        with pytest.raises(CompilerBug, match="the variants have"):
            steps.verify_variants(changed)


def test_the_kernel_of_a_loop_does_what_is_below_it() -> None:
    done = looped(IN_ROUNDS)
    steps.verify_loops(done)
    (loop,) = done.items
    assert isinstance(loop, HostLoop) and loop.kernel is not None
    for kernel, message in (
        (replace(loop.kernel, post=loop.kernel.post[1:]), "instead of"),
        (replace(loop.kernel, widths={}), "has no form for a kernel below its loop"),
    ):
        with pytest.raises(CompilerBug, match=message):
            steps.verify_loops(replace(done, items=(replace(loop, kernel=kernel),)))
    with pytest.raises(CompilerBug, match="loops leave"):
        steps.verify_loops(replace(done, items=(replace(loop, items=loop.items[:1]),)))


def test_what_every_thread_computes_is_in_registers() -> None:
    body = "FOR(i, n) { float k = b[i]; float s; INIT(&s, zero); FOR(j, m) UPDATE(&s, x[i][j] * k, add); a[i] = s; }"
    done = placed(body)
    steps.verify_storage(done)
    in_memory = tuple(replace(s, residence=Workspace(())) if s.array == "k" else s for s in done.storage)
    with pytest.raises(CompilerBug, match="every thread of f_row0 writes `k`"):
        steps.verify_storage(replace(done, storage=in_memory))
