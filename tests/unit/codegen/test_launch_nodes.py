"""Pieces of launches: products and quotients, conditions, memory, launches by a count."""

from __future__ import annotations

from pencilc.codegen.cexpr import expression
from pencilc.codegen.launch_nodes import (
    BLOCKS,
    SPLITS,
    above,
    at_most,
    blocks_for,
    both,
    by_count,
    flag,
    left,
    per_sm,
    quotient,
    scaled,
    total,
    unless_counted,
    where,
)
from pencilc.ir.build import number
from pencilc.ir.launching import StartedFunction, StartKernel
from pencilc.ir.nodes import If
from pencilc.ir.source import FLOAT
from tests.unit.codegen.launched import KERNEL, START, N


def test_ones_are_not_written() -> None:
    assert expression(quotient(N, 1)) == "n" and expression(quotient(N, 4)) == "(n + 3) / 4"
    assert expression(scaled(1, N, 1)) == "n" and expression(scaled(N, quotient(N, 2))) == "n * ((n + 1) / 2)"
    assert expression(total([N, number(2), N])) == "n + 2 + n"


def test_conditions_are_joined_without_parentheses() -> None:
    nested = both(above(N, 0), both(above(N, 1), None, above(N, 2)))
    assert expression(nested) == "n > 0 && n > 1 && n > 2"


def test_blocks_are_bounded_by_the_device() -> None:
    assert expression(blocks_for(N, 256, per_sm(8))) == "pencilc_blocks(n, 256, 8ll * @multiprocessors)"


def test_memory_for_results_and_tickets_has_one_condition() -> None:
    several = above(SPLITS, 1)
    found = left(FLOAT, several, [SPLITS, where(several, N)], where(several, N))
    assert expression(found.values) == "sizeof(float) * @splits * (@splits > 1 ? n : 0)"
    assert expression(found.tickets) == "sizeof(unsigned) * (@splits > 1 ? n : 0)" and found.when == several


def test_the_last_form_is_for_all_others() -> None:
    starts = [(each, StartKernel(KERNEL, (each,))) for each in (1, 2, 4)]
    (first,) = by_count(BLOCKS, starts)
    assert isinstance(first, If) and first.condition == at_most(BLOCKS, 1) and first.then == (starts[0][1],)
    (second,) = first.otherwise
    assert isinstance(second, If) and (second.then, second.otherwise) == ((starts[1][1],), (starts[2][1],))
    assert by_count(BLOCKS, starts[:1]) == (starts[0][1],)


def test_a_function_is_made_for_its_numbers() -> None:
    assert StartKernel(StartedFunction("k", 64, ()), (8, 2)).instance == "k<8, 2>" and START.instance == "f"


def test_the_flag_is_declared_once() -> None:
    assert flag("f", True) == () and len(flag("f", False)) == 1


def test_the_host_waits_but_where_memory_is_counted() -> None:
    waiting = unless_counted((START,))
    assert isinstance(waiting, If) and expression(waiting.condition) == "@stream == PENCILC_COUNTING"
    assert waiting.otherwise == (START,) and len(waiting.then) == 1
