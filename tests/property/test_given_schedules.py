"""Schedules changed at random: what is accepted is executed beside the source, what is refused has a reason."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.diagnostic import SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.ir.schedule import ScheduledScop
from pencilc.ir.source import TranslationUnit
from pencilc.poly import compute_dependences, extract
from pencilc.schedule import read_schedules, schedule, schedule_as_given
from tests.fuzz.schedules import changed
from tests.property.test_schedule_oracle import compare
from tests.unit.test_schedule_programs import PRELUDE, PROGRAMS

# Rows whose bounds are data have no points to count.
NAMES = sorted(name for name in PROGRAMS if name != "spmv")
FAST = ("softmax", "matmul", "variance", "timesum")


def as_given(unit: TranslationUnit, done: ScheduledScop, seed: int) -> bool:
    """Whether a change of the schedule is accepted; the oracle then executes it."""
    (given,) = read_schedules(SourceFile("given", changed(done, seed)))
    try:
        scheduled = schedule_as_given(done.scop, done.dependences, given)
    except SourceErrors as errors:
        assert {d.code for d in errors.diagnostics} <= {"PC0811", "PC0812"}
        return False
    compare(unit, scheduled, 3)
    return True


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in FAST else pytest.mark.full) for name in NAMES])
def test_what_is_accepted_computes_the_same(name: str) -> None:
    unit, _ = parse_file(SourceFile("test.c", PRELUDE + PROGRAMS[name][0]), FrontendOptions())
    scop, _ = extract(unit, unit.regions[0])
    done = schedule(scop, compute_dependences(scop))
    accepted = [as_given(unit, done, seed) for seed in range(12)]
    assert any(accepted) or name not in FAST
