"""What becomes of PolyBench's programs, as `docs/polybench.md` tells it (`python -m bench.polybench --table`)."""

from __future__ import annotations

import pytest

from bench.polybench import (
    HEAD,
    LARGE,
    MINI,
    PROGRAMS,
    TABLE,
    kernels_in_fronts,
    known_launches,
    known_threads,
    line_of,
    mapped,
    threads_of,
)
from pencilc.ir.schedule import Band, statements_of
from pencilc.ir.shapes import Shape

LAUNCHES = dict(known_launches())
# One thread runs sums that C gives an order there, and loops that carry one from each iteration to the next.
IN_ORDER = {"durbin", "gramschmidt", "ludcmp"}


def test_all_programs_are_there() -> None:
    assert sorted(path.stem for path in PROGRAMS.glob("*.c")) == sorted(MINI) == sorted(LAUNCHES)
    assert TABLE.read_text().startswith(HEAD)


@pytest.mark.parametrize("name", MINI)
def test_the_table_tells_what_is_done(name: str) -> None:
    line = line_of(name, LAUNCHES[name])
    assert {line.told(), line.scheduled()} <= set(TABLE.read_text().splitlines())
    chosen, steps = LAUNCHES[name] or (0, 0)
    assert 0 < chosen <= steps <= kernels_in_fronts(mapped(name), MINI[name])


@pytest.mark.parametrize("name", sorted(MINI.keys() - IN_ORDER))
def test_one_thread_runs_nothing_but_scalar_statements(name: str) -> None:
    program = mapped(name)
    for kernel in program.kernels():
        if kernel.shape is Shape.SINGLE and kernel.body is not None:
            assert not isinstance(kernel.body, Band), (kernel.name, statements_of(kernel.body))


def test_no_launch_at_large_sizes_has_few_threads() -> None:
    known = known_threads()
    assert known.keys() == LARGE.keys()
    assert all(line.endswith("|  |") for lines in known.values() for line in lines)


@pytest.mark.full
@pytest.mark.parametrize("name", LARGE)
def test_the_table_tells_how_many_threads_there_are(name: str) -> None:
    assert threads_of(name) == known_threads()[name]
