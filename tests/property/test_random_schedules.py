"""Random loop nests: the region as C means it, and the instances of the whole chain's schedule in its order.

What the compiler rewrites before it schedules (arrays of each iteration, flattened loops, index sets) is rewritten here
too, so that it is compared with the text as it was parsed.
"""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.options import CompileOptions
from tests.property.random_loops import program
from tests.property.test_schedule_oracle import compare

FAST = range(1, 11)  # of a quarter of a second each


@pytest.mark.parametrize("seed", [pytest.param(k, marks=() if k in FAST else pytest.mark.full) for k in range(60)])
def test_both_orders_agree(seed: int) -> None:
    check(seed)


def check(seed: int, sizes: tuple[int, ...] = (1, 4)) -> None:
    """Raises AssertionError where an order gives other results at one of some sizes."""
    file = SourceFile("random.c", program(seed))
    unit, _ = parse_file(file, FrontendOptions())
    done = compile_source(file, CompileOptions(), "schedule")
    (scheduled,) = done.scheduled
    if scheduled.sequential:
        return  # one thread runs the source
    for size in sizes:
        compare(unit, scheduled, size, done.parsed)
