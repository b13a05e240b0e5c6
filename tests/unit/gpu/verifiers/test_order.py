"""The verifier of order, on programs whose kernels are moved by hand.

Whole programs that are changed in many more ways are in `tests/unit/test_verify_order.py`.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.storage.transfer import copied
from pencilc.gpu.verifiers.order import verify_order
from pencilc.ir.mapping import HostItem, HostLoop, MappedProgram, Packed
from pencilc.ir.schedule import Band, Row, Sequence
from pencilc.ir.shapes import Kernel
from pencilc.ir.storage import Home, Register, Storage
from tests.unit.records import BINS, ROW_SUMS, SOFTMAX, SUM, timed

CHAIN = "FOR(i, n) a[i] = b[i]; FOR(i, n) c[i] = a[i] + a[n - 1 - i];"
FREE = "FOR(i, n) FOR(j, m) x[i][j] = 1; FOR(i, n) FOR(j, m) y[i][j] = 2;"
TIMES = "FOR(t, 9) { FOR(i, n) a[i] = b[i] + b[n - 1 - i]; FOR(i, n) b[i] = a[i] + t; }"

# A thread does the iterations of i for one j, the last of the source first.
# No bound of the columns holds for all sizes: each is left to a thread.
BACKWARDS = """float t; for (int i = n - 1; i >= 0; i--) FOR(j, n > 9 ? m : n) { t = a[i]; x[i][j] = t + t; }
if (m > 3) { FOR(j, n > 9 ? m : n) INIT(&z[j], zero); FOR(j, n > 9 ? m : n) FOR(i, n) UPDATE(&z[j], x[i][j], add); }"""


def program(body: str) -> MappedProgram:
    """The finished program."""
    return copied(timed(body))


def refused(done: MappedProgram) -> None:
    """The verifier refuses the program."""
    with pytest.raises(CompilerBug):
        verify_order(done)


@pytest.mark.parametrize("body", [SUM, ROW_SUMS, BINS, SOFTMAX, CHAIN, FREE, TIMES, BACKWARDS, "int k;"])
def test_what_the_passes_make(body: str) -> None:
    verify_order(program(body))


def test_kernels_in_the_wrong_order() -> None:
    done = program(CHAIN)
    refused(replace(done, items=done.items[::-1]))
    free = program(FREE)
    verify_order(replace(free, items=free.items[::-1]))


def test_kernels_side_by_side_that_depend_on_each_other() -> None:
    done = program(CHAIN)
    kernels = tuple(item for item in done.items if isinstance(item, Kernel))
    refused(replace(done, items=(Packed("p", kernels),)))


def test_kernels_of_a_loop_on_the_host_in_the_wrong_order() -> None:
    done = program(TIMES)
    (loop,) = done.items
    assert isinstance(loop, HostLoop)
    swapped: tuple[HostItem, ...] = (replace(loop, items=loop.items[::-1]),)
    refused(replace(done, items=swapped))


def test_bins_that_are_filled_before_they_are_initialised() -> None:
    done = program(BINS)
    refused(replace(done, items=done.items[::-1]))


def test_a_value_in_a_register_that_another_kernel_has_not() -> None:
    body = "float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); FOR(j, m) FOR(i, n) x[i][j] = s;"
    done = program(body)
    verify_order(done)
    kernels = [kernel.name for kernel in done.kernels()]
    homes = tuple(Home(name, part) for name, part in zip(kernels, ("post", "body"), strict=True))
    refused(replace(done, storage=tuple(
        Storage("s", Register(homes)) if s.array == "s" else s for s in done.storage
    )))  # fmt: skip


def test_a_region_in_one_thread_is_not_looked_at() -> None:
    done = program(CHAIN)
    verify_order(replace(done, items=done.items[::-1], sequential="for a reason"))


def test_one_place_for_iterations_that_are_not_one_behind_the_other() -> None:
    done = program(BACKWARDS)
    (kernel,) = done.kernels()
    assert isinstance(kernel.body, Sequence)
    band, merge = kernel.body.children
    assert isinstance(band, Band) and isinstance(band.child, Sequence)
    first, *rest = band.child.children
    (row,) = band.rows
    # Every iteration sets the variable before any reads it.
    set_first = Sequence((Band(band.rows, first), Band(band.rows, Sequence(tuple(rest))), merge))
    refused(replace(done, items=(replace(kernel, body=set_first),)))
    # Two iterations are in one round.
    halves = [function.scale_down_val(isl.Val(2)).floor() for function in islx.pw_affs_of(row.function).values()]
    in_pairs = Sequence((Band((Row("s", islx.union_pw_aff(halves)),), band.child), merge))
    refused(replace(done, items=(replace(kernel, body=in_pairs),)))
