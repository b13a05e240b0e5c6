"""The flag of a row, by our own checks; isl's `coincident` is not trusted on reduction rows."""

from __future__ import annotations

from pencilc.ir.schedule import Flag
from pencilc.schedule.problem import Functions, Relations


def zero_along(relations: Relations, row: Functions) -> bool:
    """Whether every pair has equal values on `row`."""
    return all(m.is_subset(row[s].eq_map(row[t])) for (s, t), m in relations.items())


def forward_along(relations: Relations, row: Functions) -> bool:
    """Whether no pair runs backwards on `row`."""
    return all(m.is_disjoint(row[s].gt_map(row[t])) for (s, t), m in relations.items())


def flag_of(validity: Relations, relaxed: Relations, row: Functions) -> Flag | None:
    """P, R or s as `ir.schedule.Row` defines them; None if the row is not legal."""
    if zero_along(validity, row):
        return "P" if zero_along(relaxed, row) else "R"
    return "s" if forward_along(validity, row) else None
