"""Loops that data end whose rounds leave nothing to many threads."""

from __future__ import annotations

from dataclasses import replace

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.schedule import ScheduledScop
from pencilc.schedule import schedule
from pencilc.schedule.idle import has_idle_rounds
from tests.unit.records import DEFAULT, HEAD, TAIL

BUSY = "while (c[0] > 1) { FOR(i, n) a[i] = 0.5f * a[i]; c[0] = a[0]; }"
IDLE = "while (c[0] > 1) { for (int i = 1; i < n; i++) a[i] += a[i - 1]; c[0] = a[0]; }"


def scheduled(body: str) -> ScheduledScop:
    """The region with its loops that data end."""
    done = compile_source(SourceFile("f.c", HEAD + body + TAIL), DEFAULT, "dependences")
    return schedule(done.scops[0], done.dependences[0])


def test_rounds_with_a_parallel_loop_are_worth_a_launch() -> None:
    assert not has_idle_rounds(scheduled(BUSY))


def test_rounds_in_order_are_not() -> None:
    assert has_idle_rounds(scheduled(IDLE))
    assert has_idle_rounds(scheduled("FOR(i, n) b[i] = 1; " + IDLE))


def test_other_loops_are_no_rounds() -> None:
    assert not has_idle_rounds(scheduled("for (int i = 1; i < n; i++) a[i] += a[i - 1];"))


def test_without_a_schedule_there_is_nothing_to_launch() -> None:
    assert has_idle_rounds(replace(scheduled(BUSY), sequential="isl gave up"))
