"""What waits for what among the items of a host level."""

from __future__ import annotations

from pencilc.gpu.fusion.graph import Graph, first, members

CHAIN = Graph.of([0b000, 0b001, 0b010])  # 0 -> 1 -> 2
PAIRS = Graph.of([0, 0, 0b0001, 0b0010])  # 0 -> 2, 1 -> 3


def test_what_comes_before_is_found_through_others() -> None:
    assert CHAIN.before == (0b000, 0b001, 0b011)
    assert CHAIN.needs(0b100) == 0b011 and CHAIN.needs(0b110) == 0b001


def test_what_stands_between_is_a_cycle() -> None:
    assert CHAIN.between(0b101) == 0b010
    assert CHAIN.in_order([0b101, 0b010]) is None
    assert CHAIN.between(0b111) == CHAIN.between(0b011) == 0


def test_two_groups_may_wait_for_each_other() -> None:
    assert PAIRS.between(0b1001) == PAIRS.between(0b0110) == 0
    assert PAIRS.in_order([0b1001, 0b0110]) is None
    assert PAIRS.in_order([0b1010, 0b0101]) == (0b0101, 0b1010)


def test_groups_come_when_what_they_need_is_done() -> None:
    waiting = Graph.of([0, 0b001, 0])  # 0 -> 1; 2 is free
    assert waiting.in_order([0b010, 0b101]) == (0b101, 0b010)


def test_independence_and_connection() -> None:
    assert PAIRS.is_independent(0b0011) and not PAIRS.is_independent(0b0101)
    assert PAIRS.is_connected(0b0101) and not PAIRS.is_connected(0b0111)
    assert Graph.of([0, 0, 0b011]).is_connected(0b111)  # two that a third one waits for
    assert CHAIN.is_connected(0b111) and CHAIN.is_connected(0b101)


def test_bits() -> None:
    assert list(members(0b10110)) == [1, 2, 4] and list(members(0)) == []
    assert first(0b1000) == 3


def test_nothing_to_order() -> None:
    assert Graph.of([]).in_order([]) == () and CHAIN.needs(0) == 0
