"""Choices that are broken by hand: a path that launches nothing, or twice, or tells others the wrong thing."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from pencilc.codegen.choice_rules import WorkOfLaunch, verify_choices
from pencilc.codegen.launch_nodes import (
    BLOCKS,
    FALSE,
    SPLITS,
    TRUE,
    above,
    assigned,
    at_most,
    both,
    dim3,
    left,
    per_sm,
    values,
    where,
)
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import UNSIGNED, negation, number, variable
from pencilc.ir.launching import Configure, StartCase, StartedFunction, StartKernel, StartLong, StartOneOf
from pencilc.ir.nodes import Braces, If, Node
from pencilc.ir.source import BOOL, FLOAT, INT, LLONG, Expr
from tests.unit.codegen.launched import CONFIG, KERNEL, START, N, fill

FITS = variable("@f_fits", BOOL)
OTHER = StartKernel(KERNEL, (2,))
NOTHING = "a path launches nothing"


def refused(why: str, *body: Node, flag: str = "", work: Sequence[WorkOfLaunch] = ()) -> None:
    with pytest.raises(CompilerBug, match=re.escape(why)):
        verify_choices("f", body, flag, work)


def taken(*body: Node, flag: str = "", work: Sequence[WorkOfLaunch] = ()) -> None:
    verify_choices("f", body, flag, work)


def start(name: str) -> Node:
    """The launch of a function of that name."""
    return StartKernel(StartedFunction(name, 256, ()))


def one_of(*names: str, condition: Expr | None = None, behind: str = "") -> WorkOfLaunch:
    """WorkOfLaunch that one of some functions does."""
    return WorkOfLaunch(tuple(frozenset((name,)) for name in names), condition, behind)


def test_one_branch_is_taken_for_all_sizes() -> None:
    taken(CONFIG, START)
    taken(If(fill(4), (START,), (OTHER,)))
    refused(NOTHING, If(fill(4), (START,)))
    refused(NOTHING, If(fill(4), (START,), (If(at_most(N, 7), (OTHER,)),)))
    refused("launches the same work twice", START, start("g"))
    refused("launches the same work twice", START, If(fill(4), (start("g"),)))


def test_the_same_function_is_started_once_on_a_path() -> None:
    several = one_of("copies", "whole")
    refused("launches `copies` twice", start("copies"), start("copies"), work=(several,))
    refused("launches `copies` twice", start("copies"), If(fill(4), (start("copies"),)), work=(several,))
    taken(If(fill(4), (start("copies"),), (start("copies"),)), work=(several,))
    refused("launches `f` twice", START, OTHER, work=(one_of("f"),))  # made for other numbers: the same work


def test_one_form_does_the_work() -> None:
    forms = one_of("copies", "whole")
    taken(If(fill(4), (start("copies"),), (start("whole"),)), work=(forms,))
    refused("a path launches `copies` or `whole` where other", start("copies"), start("whole"), work=(forms,))
    lengths = one_of("lengths")
    taken(start("lengths"), start("whole"), work=(lengths, forms))
    refused("nothing of `copies` or `whole`", start("lengths"), work=(lengths, forms))
    refused("nothing of `lengths`", start("whole"), work=(lengths, forms))
    sorts = WorkOfLaunch((frozenset(("pairs", "buckets")),))
    taken(start("pairs"), start("buckets"), work=(sorts,))
    refused("launches `buckets` where other launches do the work", start("pairs"), work=(sorts,))


def test_work_that_is_left_is_done_where_it_is() -> None:
    fits = values(BOOL, (FITS, fill(4)))
    work = (one_of("f"), one_of("copies", condition=negation(FITS)))
    left_over = If(negation(FITS), (start("copies"),))
    taken(fits, START, left_over, work=work)
    refused("nothing of `copies`", fits, START, work=work)
    refused("nothing of `copies`", fits, START, If(both(negation(FITS), at_most(N, 7)), (start("copies"),)), work=work)
    refused("where other launches do the work", fits, START, start("copies"), work=work)
    # A pack without blocks leaves as much as one that has some.
    some = above(variable("@end", UNSIGNED), 0)
    taken(fits, If(some, (START,)), left_over, work=work)
    refused("nothing of `copies`", fits, If(some, (START, left_over)), work=work)


def test_copies_of_several_blocks_are_brought_together() -> None:
    several = above(SPLITS, 1)
    work = (one_of("copies"), one_of("finish", condition=several, behind="copies"))
    taken(start("copies"), If(several, (start("finish"),)), work=work)
    refused("nothing of `finish`", start("copies"), work=work)
    refused("`finish` where other launches", start("copies"), start("finish"), work=work)


def test_nothing_is_launched_where_a_count_is_not_positive() -> None:
    taken(If(above(N, 0), (START,)))
    refused(NOTHING, If(above(N, 1), (START,)))
    refused(NOTHING, If(above(variable("@threads", INT), 0), (START,)))


def test_a_form_that_no_size_takes_is_no_broken_tree() -> None:
    of_device = at_most(N, per_sm(32))
    taken(If(of_device, (START,), (If(at_most(N, 32), (OTHER,), (START,)),)))
    taken(If(of_device, (START,), (If(at_most(N, 33), (OTHER,), (START,)),)))
    refused(NOTHING, If(at_most(N, 33), (If(of_device, (START,)),), (OTHER,)))


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
