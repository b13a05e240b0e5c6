"""The pass that settles what the entry point does for launches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.hostloops import launches_in
from pencilc.codegen.launch_bodies import body, with_bodies, with_body
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.host import HostFor
from pencilc.ir.launches import KernelLaunch, LaunchSingle
from pencilc.ir.source import INT
from tests.unit.codegen.launched import N
from tests.unit.codegen.programs import entry
from tests.unit.records import SOFTMAX

ONE = LaunchSingle(name="f", block=1)


def test_each_launch_of_an_entry_has_a_body() -> None:
    made = entry(SOFTMAX)
    found = list(launches_in(made.items))
    assert len(found) > 2 and all(each.body == body(each) for each in found)
    assert with_bodies(made) == made


def test_launches_inside_of_loops_have_one_too() -> None:
    made = entry(SOFTMAX)
    (around,) = with_bodies(replace(made, items=(HostFor(INT, "t", N, N, 1, (ONE,)),))).items
    assert isinstance(around, HostFor) and around.inner == (with_body(ONE),)
    assert [each.name for each in with_body(ONE).starts] == ["f"]


def test_a_launch_of_no_known_shape_is_refused() -> None:
    with pytest.raises(CompilerBug, match="launched in no known way"):
        body(KernelLaunch(name="f", block=1))
