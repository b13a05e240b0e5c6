"""What stages of rows on the chip are composed of, from accesses and elements that are written by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.bodies import set_to
from pencilc.codegen.row_nodes import (
    LEFT,
    TRUE,
    MovedRows,
    RowAccess,
    chunks,
    elements_of_chunk,
    exchanged_among,
    place_of_chunk,
)
from pencilc.codegen.speculation import Quotients, Split
from pencilc.ir.build import ONE, ZERO, declare, element, number, variable
from pencilc.ir.nodes import If
from pencilc.ir.on_chip import (
    Among,
    ChunkPlace,
    Exchange,
    LoadChunk,
    Local,
    StageOfRow,
    StoreChunk,
    Unrolled,
)
from pencilc.ir.source import BOOL, FLOAT, Declare, Name, PointerType
from tests.unit.codegen.by_hand import FLOATS, SUM, store
from tests.unit.codegen.programs import node, told

X = RowAccess("@x_k", variable("@x_row[@c]"), FLOAT, variable("x", FLOATS), "@x_run", "@x_wide", "@x_row")
Y = RowAccess("@y_k", variable("@y_row[@c]"), FLOAT, variable("y", FLOATS), "@y_run", "@y_wide", "@y_row")
AHEAD = (set_to(variable("@e", FLOAT), ONE),)
BODY = (set_to(variable("@acc", FLOAT), variable("@e", FLOAT), "+"),)
POINT = (declare("j", FLOAT, variable("@x")),)


def test_a_run_is_what_memory_has_of_an_access() -> None:
    made = X.declared(is_const=True)
    assert (made.name, made.wide, made.type, made.is_const) == ("@x_run", "@x_wide", FLOAT, True)
    assert told(made.first) == ["x"] and not X.declared(is_const=False).is_const


def test_a_chunk_moves_as_far_as_its_row_goes() -> None:
    for made, kind in ((X.fetched(), LoadChunk), (X.stored(), StoreChunk)):
        assert type(made) is kind
        assert told(made.chunk, made.run, made.offset, made.left, made.wide) == [
            "@x_row[@c]", "@x_run", "@at", "@left", "@x_wide"
        ]  # fmt: skip
        assert isinstance(made.run, Name) and made.run.type == FLOATS


def test_all_chunks_of_a_thread_are_loaded_from_the_run() -> None:
    made = X.whole()
    assert told(made.registers, made.run, made.wide) == ["@x_k", "@x_run", "@x_wide"]
    assert isinstance(made.registers, Name) and made.registers.type == PointerType(FLOATS)


def test_a_chunk_has_registers_of_its_own() -> None:
    made = chunks(MovedRows((X,), (), (), (X, Y)), 4)
    assert [(each.name, each.type, *told(*each.extents)) for each in made] == [
        ("@x_k", FLOAT, "4"), ("@y_k", FLOAT, "4")
    ]  # fmt: skip


def test_a_chunk_is_placed_where_somebody_asks() -> None:
    assert place_of_chunk(BODY, 4) == ()
    assert place_of_chunk((set_to(variable("n"), variable("@at")),), 4) == (ChunkPlace(4, is_bounded=False),)
    assert place_of_chunk((If(LEFT, BODY),), 4) == (ChunkPlace(4, is_bounded=True),)


def test_what_has_no_effect_is_done_for_registers_without_elements_too() -> None:
    (loop,) = elements_of_chunk(Split(AHEAD, BODY), (), 4)
    assert isinstance(loop, Unrolled) and (loop.over, loop.count) == ("chunk", 4)
    ahead, there = loop.body
    assert ahead == AHEAD[0] and isinstance(there, If) and told(there.condition) == ["@k < @left"]
    assert there.then == BODY


def test_an_element_that_is_computed_ahead_as_a_whole_has_no_condition() -> None:
    (loop,) = elements_of_chunk(Split(AHEAD, ()), POINT, 4)
    assert isinstance(loop, Unrolled) and loop.body == AHEAD
    assert elements_of_chunk(Split((), ()), (), 4) == ()


def test_a_chunk_of_one_element_has_no_loop() -> None:
    ahead, there = elements_of_chunk(Split(AHEAD, BODY), POINT, 1)
    assert ahead == AHEAD[0] and isinstance(there, If) and told(there.condition) == ["@left > 0"]
    place = there.then[0]
    assert isinstance(place, Declare) and place.init is not None and told(place.init) == ["@at"]


def test_iterators_of_the_row_are_found_where_it_has_an_element() -> None:
    (loop,) = elements_of_chunk(Split(AHEAD, BODY), POINT, 4)
    there = node((loop,), If)
    place, *others = there.then
    assert isinstance(place, Declare) and place.symbol.name == "@x" and place.symbol.is_const
    assert place.init is not None and told(place.init) == ["@at + @k"] and tuple(others) == (*POINT, *BODY)


def test_quotients_are_divided_where_the_attempt_has_other_bits() -> None:
    own = variable("@q", FLOATS)
    at_k = element(own, variable("@k"), FLOAT)
    home = store(element(variable("@y_k", FLOATS), variable("@k"), FLOAT), at_k)
    element_, divided = (set_to(at_k, ONE),), (set_to(at_k, ZERO),)
    made = Quotients((), TRUE, element_, divided, ())
    exact, attempt, again = elements_of_chunk(Split((), (), made), POINT, 4)
    assert isinstance(exact, Declare) and (exact.symbol.name, exact.symbol.type, exact.init) == ("@exact", BOOL, TRUE)
    assert isinstance(attempt, Unrolled) and attempt.body == element_
    assert isinstance(again, If) and told(again.condition) == ["!@exact && @left > 0"]
    assert node(again.then, Unrolled).body == divided
    in_place = replace(made, apart=((Name(own.symbol, FLOATS, own.span), home),))
    _, register, attempt, again, moved = elements_of_chunk(Split((), (), in_place), POINT, 4)
    assert isinstance(register, Local) and register.name == "@q" and told(*register.extents) == ["4"]
    assert isinstance(moved, Unrolled) and moved.body == (home,) and moved.count == 4


@pytest.mark.parametrize("among", ["grid", "cluster"])
def test_several_blocks_exchange_what_those_of_a_row_did(among: Among) -> None:
    exchange = Exchange(SUM, "sum", 0, "row", 256, number(8))
    stage = StageOfRow("the sum", (*AHEAD, exchange))
    (made,) = exchanged_among(among, (stage,))
    assert made.comment == "the sum" and made.body == (*AHEAD, replace(exchange, among=among))
