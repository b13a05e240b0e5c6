"""Loops and conditions on the host around launches."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.codegen.astgen import AstBlock, AstFor, AstIf, AstInstance, AstLet
from pencilc.codegen.hostloops import (
    asked_outside,
    declared,
    depth_names,
    grouped,
    host_schedule,
    instances_below,
    iterators_by_depth,
    launches_in,
)
from pencilc.ir.build import ONE, ZERO
from pencilc.ir.host import Fallback, HostFor, HostIf, HostNode
from pencilc.ir.launches import KernelLaunch
from pencilc.ir.mapping import HostLoop, name_of
from pencilc.ir.source import INT
from tests.unit.codegen.programs import A, N, program
from tests.unit.records import ROW_SUMS, SOFTMAX

HOST = "for (int k = 1; k < m; k++) { FOR(i, n) a[i] = b[i] + k; FOR(i, n) b[i] = a[n - 1 - i]; }"


def launch(name: str, unless: str = "") -> KernelLaunch:
    """A launch for which `unless` stands."""
    return KernelLaunch(name=name, block=32, unless=unless)


K, L, OTHER = launch("k", "whole"), launch("l", "whole"), launch("other")


def around(*inner: HostNode) -> HostFor:
    """A loop around launches."""
    return HostFor(INT, "i", ZERO, N, 1, inner)


def test_launches_keep_their_order() -> None:
    items = program(HOST).items
    schedule = host_schedule(items)
    assert schedule is not None
    names = {islx.set_name(points) for points in islx.sets_of(schedule.get_domain())}
    assert names == {"f_loop0", "f_parallel0", "f_parallel1"} and host_schedule(()) is None


def test_a_kernel_without_points_is_never_launched() -> None:
    (kernel,) = program(ROW_SUMS).kernels()
    empty = replace(kernel, domain=isl.Set("[n, m] -> { [] : 1 = 0 }"))
    assert host_schedule((empty,)) is None and host_schedule((kernel,)) is not None
    both = host_schedule((kernel, empty))
    assert both is not None and both.get_domain().n_set() == 1


def test_loops_of_one_depth_share_a_name_if_they_can() -> None:
    items = program(HOST).items
    (loop,) = items
    assert isinstance(loop, HostLoop) and depth_names(items) == ("k",) and depth_names(()) == ()
    beside = (loop, replace(loop, iterator="l"))
    assert depth_names(beside) == ("@depth0",) and iterators_by_depth(beside) == [["k", "l"]]
    assert depth_names((replace(loop, items=(replace(loop, iterator="l"),)),)) == ("k", "l")


def test_the_name_of_what_does_the_work() -> None:
    (fused,) = program(SOFTMAX).stitched()
    (kernel,) = program(ROW_SUMS).kernels()
    assert (name_of(fused), name_of(kernel)) == ("f_stitched0", "f_row0")


def test_launches_side_by_side_stand_under_one_condition() -> None:
    assert grouped((K, L, OTHER, K), {}) == (Fallback("whole", (K, L)), OTHER, Fallback("whole", (K,)))
    assert grouped((OTHER, around(OTHER)), {}) == (OTHER, around(OTHER)) and grouped((), {}) == ()


def test_a_condition_around_launches_of_one_kind_goes_inside() -> None:
    inside = HostIf(A, (K,))
    assert grouped((inside, L), {}) == (Fallback("whole", (inside, L)),)
    assert grouped((HostIf(A, (K, OTHER)),), {}) == (HostIf(A, (Fallback("whole", (K,)), OTHER)),)
    assert grouped((around(K),), {}) == (around(Fallback("whole", (K,))),)


def test_a_loop_for_which_a_kernel_stands_is_a_fallback_as_a_whole() -> None:
    assert grouped((around(K, HostIf(A, (L,))),), {}, loops=("whole",)) == (
        Fallback("whole", (around(K, HostIf(A, (L,))),)),
    )
    assert grouped((around(K, OTHER),), {}, loops=("whole",)) == (around(Fallback("whole", (K,)), OTHER),)


def test_a_fused_kernel_may_stand_for_another() -> None:
    assert grouped((K, launch("whole", "larger")), {"whole": "larger"}) == (
        Fallback("larger", (Fallback("whole", (K,)), launch("whole", "larger"))),
    )


def test_what_stands_below_is_found() -> None:
    calls = [AstInstance(name, ()) for name in "abc"]
    tree = AstBlock((AstIf(A, calls[0], calls[1]), AstFor("i", ZERO, N, 1, False, AstLet(INT, "k", ONE, calls[2]))))
    assert list(instances_below(tree)) == calls
    assert list(launches_in((K, around(HostIf(A, (L,))), Fallback("whole", (OTHER,))))) == [K, L, OTHER]


def test_what_is_asked_for_outside_of_its_braces_is_declared_ahead() -> None:
    whole = launch("whole")
    assert asked_outside((whole, Fallback("whole", (K,)))) == ()
    assert asked_outside((HostIf(A, (whole,)), Fallback("whole", (K,)))) == ("whole",)
    assert asked_outside((HostIf(A, (whole, Fallback("whole", (K,)))),)) == ()


def test_launches_know_whether_they_are_declared() -> None:
    first, loop = declared((K, around(L)), ("l",))
    assert isinstance(first, KernelLaunch) and not first.is_declared
    assert isinstance(loop, HostFor) and loop.inner == (replace(L, is_declared=True),)
