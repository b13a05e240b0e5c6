"""Kernels that do not depend on each other share a launch."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from pencilc.gpu.fusion.pack import BLOCK, MOST
from pencilc.ir.mapping import HostItem, Packed
from pencilc.ir.shapes import Kernel
from pencilc.options import Fuse
from tests.unit.gpu.fusion.members import packer
from tests.unit.gpu.kernels import kernels
from tests.unit.records import BINS, placed

LARGE = "FOR(i, n) FOR(j, m) x[i][j] = 1; FOR(i, n) FOR(j, m) y[i][j] = 2;"
TWO = "FOR(i, n) a[i] = 1; FOR(j, m) z[j] = 2;"
CHAIN = "FOR(i, n) a[i] = b[i]; FOR(i, n) c[i] = a[i] + a[n - 1 - i]; FOR(j, m) z[j] = 2;"


def names(items: tuple[HostItem, ...]) -> list[str]:
    """The names of kernels, those of a launch together."""
    found = []
    for item in items:
        assert isinstance(item, Kernel | Packed)
        found.append("+".join(k.name for k in item.kernels) if isinstance(item, Packed) else item.name)
    return found


def packed(body: str, mode: Fuse = "model") -> list[str]:
    """The items of the region with those of one depth packed."""
    return names(packer(body, mode).level(placed(body).shaped.items)[0])


def test_independent_kernels_share_a_launch() -> None:
    assert packed(TWO) == ["f_parallel0+f_parallel1"]
    (item,) = packer(TWO).level(placed(TWO).shaped.items)[0]
    assert isinstance(item, Packed) and {kernel.block for kernel in item.kernels} == {BLOCK}


def test_kernels_that_depend_on_each_other_do_not() -> None:
    assert packed("FOR(i, n) a[i] = b[i]; FOR(i, n) c[i] = a[i] + a[n - 1 - i];") == ["f_parallel0", "f_parallel1"]
    assert packed(CHAIN) == ["f_parallel0+f_parallel2", "f_parallel1"]


def test_the_graph_has_the_initialisation_of_bins() -> None:
    """The model has only the merge node; the kernel that initialises comes before the updates."""
    found = packer(BINS).graph(placed(BINS).shaped.items)
    assert found.before == (0b00, 0b01)
    free = packer(CHAIN).graph(placed(CHAIN).shaped.items)
    assert free.before == (0b000, 0b001, 0b000)


def test_as_many_as_parameters_go_into_a_launch() -> None:
    (one, _) = kernels(TWO)
    many = [replace(one, name=f"k{number}") for number in range(MOST + 1)]
    assert packer(TWO).together(many[:MOST]) is not None
    assert packer(TWO).together(many) is None
    assert "as many parts" in packer(TWO).limit(many) and packer(TWO).limit(many[:2]) == ""
    assert packer(TWO, "pairwise").together(many[:3]) is None


def test_what_is_spread_over_several_kernels_or_counted_before_is_none() -> None:
    body = "float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); FOR(j, m) UPDATE(&s, z[j], add); b[0] = s;"
    assert all(packer(body).together([kernel]) is None for kernel in kernels(body))
    assert all(packer(TWO).together([kernel]) for kernel in kernels(TWO))


def test_kernels_of_other_iterations_do_not_meet() -> None:
    one, other = kernels(TWO)
    assert packer(TWO).together([one, replace(other, host=("t",))]) is None
    early, late, every = (
        isl.Set(f"[n, m] -> {{ [t] : {where} }}") for where in ("0 <= t < m - 1", "0 < t < m", "0 <= t < m")
    )

    def meet(first: isl.Set, second: isl.Set) -> bool:
        pair = (replace(one, host=("t",), domain=first), replace(other, host=("t",), domain=second))
        return packer(TWO).together(pair) is not None

    assert meet(early, every) and meet(every, late) and meet(late, late) and not meet(early, late)


def test_where_the_estimate_sees_no_gain_they_stay_apart_and_that_is_told() -> None:
    free = packer(LARGE)
    free.model.target = free.target = replace(free.target, launch_seconds=0.0)
    items, told = free.level(placed(LARGE).shaped.items)
    assert names(items) == ["f_parallel0", "f_parallel1"]
    (fusion,) = told
    assert not fusion.taken and "no better" in fusion.reason


@pytest.mark.parametrize("mode", ["model", "pairwise", "max"])
def test_one_kernel_is_left_alone(mode: Fuse) -> None:
    assert packed("FOR(i, n) a[i] = 1;", mode) == ["f_parallel0"]
    assert packer(TWO, mode).level(()) == ((), ())


def test_bins_that_may_be_too_many_have_a_launch_behind() -> None:
    body = "FOR(k, n) INIT(&p[k], izero); FOR(j, m) UPDATE(&p[q[j]], 1, iadd); FOR(j, m) z[j] = 1;"
    both = packer(body).together([k for k in kernels(body) if k.name != "f_parallel0"])
    assert both is not None and [k.shape.value for k in both.overflow] == ["indirect"]
    few = packer(BINS).together(kernels(BINS)[1:])
    assert few is not None and few.overflow == ()
