"""Paths through what a launch does: what one comparison tells of the next, and what happens on each, in order."""

from __future__ import annotations

from pencilc.codegen.launch_nodes import above, assigned, at_least, at_most, below, both, per_sm
from pencilc.codegen.launch_paths import Compared, Path, Started, paths
from pencilc.ir.build import negation, number, variable
from pencilc.ir.launching import Configure, StartKernel
from pencilc.ir.nodes import Braces, If, Node, WhileLoop
from pencilc.ir.source import INT
from tests.unit.codegen.launched import CONFIG, KERNEL, START, N, fill

OTHER = StartKernel(KERNEL, (2,))


def taken(*body: Node) -> list[Path]:
    """All paths, from end to end."""
    found = []
    for path in paths(body):
        path.take(body)
        found.append(path)
    return found


def starts(*body: Node) -> list[int]:
    """How many launches each path has."""
    return sorted(path.started for path in taken(*body))


def test_each_way_is_taken_once() -> None:
    assert starts(START) == [1]
    assert starts(If(fill(4), (START, OTHER)), If(fill(4), (), (START,))) == [1, 2]  # the same condition
    assert starts(If(both(fill(4), at_most(N, 7)), (START,))) == [0, 0, 1]


def test_what_one_comparison_tells_is_known_in_the_next() -> None:
    assert starts(If(at_most(N, 31), (START,)), If(at_least(N, 32), (OTHER,))) == [1, 1]
    assert starts(If(at_most(N, 32), (START,)), If(at_least(N, 32), (OTHER,))) == [1, 1, 2]
    assert starts(If(below(N, 31), (START,)), If(at_least(N, 32), (OTHER,))) == [0, 1, 1]
    # There is one multiprocessor at least.
    of_device = at_most(N, per_sm(32))
    assert starts(If(at_most(N, 32), (START,)), If(negation(of_device), (OTHER,))) == [0, 1, 1]
    assert starts(If(at_most(N, 33), (START,)), If(negation(of_device), (OTHER,))) == [0, 1, 1, 2]


def test_a_variable_that_changes_is_compared_anew() -> None:
    items = variable("@items", INT)
    halved = WhileLoop(above(items, 1), (assigned(items, number(2), "/"),), do_first=False)
    large = above(items, 4)
    assert starts(If(large, (START,)), If(negation(large), (OTHER,))) == [1, 1]
    assert starts(If(large, (START,)), halved, If(negation(large), (OTHER,))) == [0, 1, 1, 2]


def test_nothing_to_do_is_told() -> None:
    assert [path.is_idle for path in taken(If(above(N, 0), (START,)))] == [True, False]
    assert not any(path.is_idle for path in taken(If(above(N, 1), (START,))))


def test_a_launch_has_the_configuration_before_it() -> None:
    other = Configure(number(2), number(64))
    (path,) = taken(CONFIG, Braces((other, OTHER)), START)
    found = [step.config for step in path.trace if isinstance(step, Started)]
    assert found == [other, CONFIG]
    assert path.functions == {KERNEL.name: 2}


def test_comparisons_stand_where_they_are_made() -> None:
    one = assigned(variable("@items", INT), number(1))
    first, second = taken(If(fill(4), (one,)))
    assert first.trace == [Compared(fill(4), True), one] and second.trace == [Compared(fill(4), False)]
