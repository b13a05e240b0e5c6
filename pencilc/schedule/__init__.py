"""The schedule: rows for each component, fusion by alignment, flags P, R and s computed by us."""

from pencilc.schedule.api import schedule, schedule_as_given
from pencilc.schedule.expanded import expanded_scalars
from pencilc.schedule.idle import deals_out_rounds, has_idle_rounds, has_rounds_inside
from pencilc.schedule.legality import verify, verify_coverage
from pencilc.schedule.text import GivenSchedule, fault, read_schedule_file, read_schedules
from pencilc.schedule.tree import tree_to_isl

__all__ = [
    "GivenSchedule",
    "deals_out_rounds",
    "expanded_scalars",
    "fault",
    "has_idle_rounds",
    "has_rounds_inside",
    "read_schedule_file",
    "read_schedules",
    "schedule",
    "schedule_as_given",
    "tree_to_isl",
    "verify",
    "verify_coverage",
]
