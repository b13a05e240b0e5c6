"""Rows that stay on the chip, broken by hand: the verifier refuses each tree."""

from __future__ import annotations

from dataclasses import is_dataclass, replace
from typing import Any

import pytest

from pencilc.codegen.kernel_verifier import verify_kernels
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import ZERO, binary, declare, variable
from pencilc.ir.combining import ByOne, Start
from pencilc.ir.nodes import If, Node
from pencilc.ir.on_chip import (
    ChunkPlace,
    Exchange,
    ExchangeParts,
    LoadItems,
    Local,
    RowPlace,
    RowTeam,
    Run,
    StageOfRow,
    StitchedRows,
)
from pencilc.ir.source import DOUBLE, FLOAT, Declare
from tests.unit.codegen.programs import SomeNode, file, functions, nodes
from tests.unit.records import SOFTMAX

ROWS, LONG = "f_stitched0", "f_stitched0_long"


def replaced(made: Any, old: Node, *new: Node) -> Any:
    """Nodes with others in the place of `old`, wherever it stands."""
    if isinstance(made, tuple):
        found: list[object] = []
        for item in made:
            found += new if item is old else [replaced(item, old, *new)]
        return tuple(found)
    inner = [name for name in ("body", "then", "otherwise") if hasattr(made, name)]
    if not is_dataclass(made) or not inner:
        return made
    return replace(made, **{name: replaced(getattr(made, name), old, *new) for name in inner})  # type: ignore[type-var]


def refused(message: str, old: Node, *new: Node, name: str = ROWS) -> None:
    """The verifier says so where these nodes stand in the place of `old`."""
    made = file(SOFTMAX)
    changed = replace(functions(SOFTMAX)[name], body=replaced(functions(SOFTMAX)[name].body, old, *new))
    kernels = tuple(changed if each.name == name else each for each in made.kernels)
    assert kernels != made.kernels
    with pytest.raises(CompilerBug, match=message):
        verify_kernels(replace(made, kernels=kernels))


def first(kind: type[SomeNode], name: str = ROWS) -> SomeNode:
    """The first node of its kind."""
    return nodes(functions(SOFTMAX)[name], kind)[0]


def test_what_is_only_read_is_no_place_for_a_chunk() -> None:
    run = next(each for each in nodes(functions(SOFTMAX)[ROWS], Run) if not each.is_const)
    refused("`@y_run` is only read in this function, and is written", run, replace(run, is_const=True))


def test_what_a_thread_has_is_loaded_from_a_run_that_is_known() -> None:
    load = first(LoadItems)
    refused("`nowhere` is not declared", load, replace(load, wide=variable("nowhere")))
    refused("`@y_run` goes to|`@y_run` is not declared", load, replace(load, run=variable("@y_run", load.run.type)))


def test_a_chunk_has_elements_of_the_type_of_its_run() -> None:
    chunk = nodes(functions(SOFTMAX)[ROWS], Local)[0]
    message = "`@x_run` goes to `@x_row.0.`, a float \\* to a double \\*"
    refused(message, chunk, replace(chunk, type=DOUBLE))


def test_a_run_begins_at_an_element_of_its_type() -> None:
    run = first(Run)
    refused("a float \\* as double \\*", run, replace(run, type=DOUBLE))


def test_registers_are_counted_when_the_kernel_is_compiled() -> None:
    chunk, made = first(Local), functions(SOFTMAX)[ROWS]
    refused("the extent of `@x_row` is computed", chunk, replace(chunk, extents=(variable("@count"),)))
    others = [each for each in file(SOFTMAX).kernels if each.name != made.name]
    with pytest.raises(CompilerBug, match="`ITEMS` is not declared"):
        verify_kernels(replace(file(SOFTMAX), kernels=(replace(made, numbers=("THREADS",)), *others)))


def test_a_chunk_is_declared_before_it_is_loaded() -> None:
    refused("`@x_row` is not declared", first(Local))
    refused("`@left` is not declared", first(ChunkPlace))
    refused("`@rows` is not declared", first(RowPlace))
    refused("`@parts` is not declared", first(ExchangeParts))
    refused("`@items` is not declared", first(Declare, LONG), name=LONG)


def test_all_threads_of_a_row_meet_where_they_exchange() -> None:
    exchange = first(Exchange)
    some = If(binary("==", variable("@rank"), ZERO), (exchange,))
    refused("a barrier stands where not all threads come", exchange, some)
    refused("exchanged among grid, and row has a row", exchange, replace(exchange, among="grid"))
    refused("is exchanged before it begins", first(Start), declare("@acc", FLOAT))


def test_the_lanes_that_have_a_row_exchange_it() -> None:
    exchange, team = first(Exchange), first(RowTeam)
    refused("exchanged by other lanes than those that have a row", exchange, replace(exchange, few=None))
    refused("exchanged by other lanes than those that have a row", team, replace(team, few=None))
    refused("`@few` is not declared", team, replace(team, few=variable("@few")))


def test_blocks_of_a_cluster_exchange_among_all_of_them() -> None:
    exchange, parts = first(Exchange, LONG), first(ExchangeParts, LONG)
    refused("exchanged among row, and cluster has a row", exchange, replace(exchange, among="row"), name=LONG)
    some = If(binary("==", variable("@rank"), ZERO), (exchange,))
    refused("a barrier stands where not all threads come", exchange, some, name=LONG)
    refused("`f_row0` is exchanged through 16 places, and needs 17", parts, replace(parts, places=16), name=LONG)


def test_exchanges_have_a_place_for_each_warp() -> None:
    parts = first(ExchangeParts)
    refused("`f_row0` is exchanged through 7 places, and needs 32", parts, replace(parts, places=7))
    refused("`f_stitched0_parts` has 32 places and not 64", parts, replace(parts, places=64))


def test_rows_on_the_chip_are_given_to_one_team() -> None:
    rows = first(StitchedRows)
    refused("rows are given to row, and to row", rows, replace(rows, body=(rows,)))
    refused("a stage stands where nobody has a row", rows, first(StageOfRow))


def test_one_thread_is_one_of_those_that_have_the_row() -> None:
    stage = first(StageOfRow)
    alone = replace(stage, body=(*stage.body, ByOne("across", ())))
    refused("one thread of across is asked for where row works", stage, alone)
