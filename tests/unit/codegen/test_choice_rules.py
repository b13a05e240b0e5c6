"""Choices that are broken by hand: a path that launches nothing, or twice, or tells others the wrong thing."""

from __future__ import annotations

import re

import pytest

from pencilc.codegen.choice_rules import verify_choices
from pencilc.codegen.launch_nodes import (
    BLOCKS,
    FALSE,
    SPLITS,
    TRUE,
    above,
    assigned,
    at_least,
    at_most,
    below,
    both,
    dim3,
    left,
    per_sm,
    values,
    where,
)
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import UNSIGNED, negation, number, variable
from pencilc.ir.launching import Configure, StartCase, StartKernel, StartLong, StartOneOf
from pencilc.ir.nodes import Braces, If, Node, WhileLoop
from pencilc.ir.source import BOOL, FLOAT, INT, LLONG
from tests.unit.codegen.launched import CONFIG, KERNEL, START, N, fill

FITS = variable("@f_fits", BOOL)
OTHER = StartKernel(KERNEL, (2,))
NOTHING = "a path launches nothing"


def refused(why: str, *body: Node, flag: str = "", is_one: bool = True) -> None:
    with pytest.raises(CompilerBug, match=re.escape(why)):
        verify_choices("f", body, flag, is_one)


def taken(*body: Node, flag: str = "", is_one: bool = True) -> None:
    verify_choices("f", body, flag, is_one)


def test_one_branch_is_taken_for_all_sizes() -> None:
    taken(CONFIG, START)
    taken(If(fill(4), (START,), (OTHER,)))
    refused(NOTHING, If(fill(4), (START,)))
    refused(NOTHING, If(fill(4), (START,), (If(at_most(N, 7), (OTHER,)),)))
    refused("twice", START, If(fill(4), (OTHER,)))
    taken(START, If(fill(4), (OTHER,)), is_one=False)


def test_nothing_is_launched_where_a_count_is_not_positive() -> None:
    taken(If(above(N, 0), (START,)))
    refused(NOTHING, If(above(N, 1), (START,)))
    refused(NOTHING, If(above(variable("@threads", INT), 0), (START,)))


def test_what_one_comparison_tells_is_known_in_the_next() -> None:
    taken(If(at_most(N, 31), (START,)), If(at_least(N, 32), (OTHER,)))
    refused("twice", If(at_most(N, 32), (START,)), If(at_least(N, 32), (OTHER,)))
    refused(NOTHING, If(below(N, 31), (START,)), If(at_least(N, 32), (OTHER,)))
    # There is one multiprocessor at least.
    of_device = at_most(N, per_sm(32))
    taken(If(at_most(N, 32), (START,), (If(of_device, (OTHER,), (START,)),)))
    taken(If(at_most(N, 32), (If(of_device, (START,)),), (OTHER,)))
    refused(NOTHING, If(at_most(N, 33), (If(of_device, (START,)),), (OTHER,)))
    # A form that no size takes with these launch parameters is no broken tree.
    taken(If(of_device, (START,), (If(at_most(N, 32), (OTHER,), (START,)),)))
    taken(If(of_device, (START,), (If(at_most(N, 33), (OTHER,), (START,)),)))


def test_a_variable_that_changes_is_compared_anew() -> None:
    items = variable("@items", INT)
    halved = WhileLoop(above(items, 1), (assigned(items, number(2), "/"),), do_first=False)
    large = above(items, 4)
    refused(NOTHING, If(large, (START,)), halved, If(negation(large), (OTHER,)))


def test_the_flag_tells_whether_the_kernel_ran() -> None:
    fits = assigned(FITS, fill(4))
    name = FITS.symbol.name
    taken(fits, If(FITS, (START,)), flag=name)
    taken(fits, If(both(FITS, above(N, 0)), (START,)), flag=name)
    refused("holds where nothing is launched", fits, If(both(FITS, at_most(N, 7)), (START,)), flag=name)
    refused("does not hold where the kernel is launched", fits, START, flag=name)
    refused("holds where nothing is launched", assigned(FITS, TRUE), If(fill(4), (START,)), flag=name)
    taken(values(BOOL, (FITS, FALSE)), If(fill(4), (assigned(FITS, TRUE), START)), flag=name)
    # Behind one that did not fit comes another form, which tells it itself.
    long = StartLong(KERNEL, number(1), 256, number(8), number(0), name)
    taken(fits, If(FITS, (START,)), If(negation(FITS), (long,)), flag=name)
    refused("twice", fits, If(FITS, (START,)), long, flag=name)


def test_each_launch_is_reached() -> None:
    refused("reached on no path", START, If(FALSE, (OTHER,)))
    cases = (StartCase(1, StartKernel(KERNEL, (1,))), StartCase(2, OTHER))
    taken(StartOneOf(variable("@lanes", UNSIGNED), cases))


def test_memory_follows_the_condition_of_the_launch() -> None:
    several = above(SPLITS, 1)
    rows = variable("@rows", LLONG)
    reserved = left(FLOAT, several, [SPLITS, where(several, rows)], where(several, rows))
    shared = Configure(dim3(SPLITS, BLOCKS), dim3(256))
    taken(Braces((reserved, shared, START)))
    refused("no grid behind it has so many blocks", reserved, Configure(dim3(BLOCKS), dim3(256)), START)
    refused("no grid behind it has so many blocks", shared, reserved, START)
    other = left(FLOAT, several, [SPLITS], where(above(BLOCKS, 1), rows))
    refused("tickets are reserved by another condition", If(fill(1), (other, shared, START), (START,)))
