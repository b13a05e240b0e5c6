"""The scheduler on whole programs: fallback, isl tree, printed form; its modules one by one are in `schedule/`."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc import quotas
from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.ir.schedule_printer import dump_schedule, schedule_line
from pencilc.poly import compute_dependences, extract
from pencilc.schedule import schedule, tree_to_isl
from pencilc.schedule.problem import textual_order
from tests.unit.test_schedule_programs import PRELUDE, PROGRAMS, scheduled_of


def test_fallback_keeps_the_source_order_of_every_program() -> None:
    for source, _ in PROGRAMS.values():
        unit, _ = parse_file(SourceFile("test.c", PRELUDE + source), FrontendOptions())
        scop, _ = extract(unit, unit.regions[0])
        scheduled = schedule(scop, compute_dependences(scop), quota=1)
        assert scheduled.fallback == "scheduling took too long"


def test_fallback_line() -> None:
    unit, _ = parse_file(SourceFile("test.c", PRELUDE + PROGRAMS["rowsum"][0]), FrontendOptions())
    scop, _ = extract(unit, unit.regions[0])
    assert schedule_line(schedule(scop, compute_dependences(scop), quota=1)) == "[i P]{ [j R]{S1}; M0 }"


def test_isl_tree_orders_every_instance() -> None:
    scheduled = scheduled_of(PROGRAMS["srad"][0])
    tree = tree_to_isl(scheduled)
    again = isl.Schedule(str(tree))
    assert again.get_map().is_equal(tree.get_map())


def test_dump_has_the_source_and_the_value_of_each_row() -> None:
    lines = dump_schedule(scheduled_of(PROGRAMS["srad"][0])).splitlines()
    assert lines[1] == "parameters: niter, nr, nc"
    assert "      R i: S4, S5 -> i" in lines
    assert any(line.strip().startswith("S4: __pencil_reduction(&sum, ") for line in lines)


def test_dumps_do_not_depend_on_anything_but_the_source() -> None:
    source = PROGRAMS["srad"][0]
    assert dump_schedule(scheduled_of(source)) == dump_schedule(scheduled_of(source))


def test_merge_follows_its_last_update() -> None:
    scheduled = scheduled_of(PROGRAMS["four1"][0])
    order = textual_order(scheduled.scop)
    for reduction in scheduled.scop.reductions:
        assert order[reduction.merge] > max(order[name] for name in reduction.updates)


def test_quota_is_reset() -> None:
    before = isl.DEFAULT_CONTEXT.get_max_operations()
    with pytest.raises(quotas.OperationQuotaExceeded), quotas.operation_quota(1):
        isl.Set("[n] -> { [i, j] : 0 <= i < n and i < j < 7n }").lexmin()
    assert isl.DEFAULT_CONTEXT.get_max_operations() == before
