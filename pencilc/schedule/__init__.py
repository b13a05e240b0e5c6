"""The schedule: rows for each component, fusion by alignment, flags P, R and s computed by us."""

from pencilc.schedule.api import schedule
from pencilc.schedule.legality import verify, verify_coverage
from pencilc.schedule.tree import tree_to_isl

__all__ = ["schedule", "tree_to_isl", "verify", "verify_coverage"]
