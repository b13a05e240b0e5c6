"""Numbers of bins, the elements that they are, the bytes of their values."""

from __future__ import annotations

from pencilc.codegen.bin_texts import element, filled, linear
from pencilc.codegen.lowering import Bindings, LinearArray
from pencilc.ir.build import ZERO, member, number, variable
from pencilc.ir.build import element as element_at
from pencilc.ir.source import CHAR, DOUBLE, FLOAT, INT, SHORT, ArrayType, Expr, Member, Struct
from tests.unit.codegen.programs import ITER, A, B, C, N, told

BIN = variable("k")
TABLE = ArrayType(INT, number(9))
CELL = Struct("cell", (Member("count", INT, 0), Member("bins", TABLE, 4)), 40, 4)


def test_a_number_of_several_subscripts_is_wide_unless_the_sides_are_small() -> None:
    sides, small, large = [A, N], [number(4), number(8)], [number(2**16), number(2**15)]
    assert told(linear([ITER, B], sides, True), linear([ITER, B], sides, False)) == [
        "(long long)i * n + b",
        "i * n + b",
    ]
    assert told(linear([ITER, B], small, True), linear([ITER, B], large, True)) == [
        "i * 8 + b",
        "(long long)i * 32768 + b",
    ]


def test_one_subscript_is_the_number_and_none_is_the_only_bin() -> None:
    assert linear([ITER], [N], True) == ITER and linear([], [], True) == ZERO


def bin_of(of: Expr, *sides: Expr, prefix: int = 0) -> str:
    """The text of bin `k` of a variable in linear memory."""
    array = LinearArray("t", (ITER,) * prefix, (N,) * prefix)
    return told(element(of, BIN, sides, Bindings(arrays={"t": array})))[0]


def test_an_array_has_the_bin_as_its_subscript_however_many_sides_it_has() -> None:
    plain = element_at(element_at(variable("t", ArrayType(TABLE, N)), A, TABLE), B, INT)
    assert bin_of(plain, N, number(9)) == "t[k]"
    assert bin_of(variable("t", INT), N, prefix=1) == "t[k]" and bin_of(variable("t", INT)) == "t[k]"


def test_a_member_that_is_an_array_takes_the_remainder() -> None:
    cells = variable("t", ArrayType(CELL, N))
    bins = member(element_at(cells, A, CELL), "bins", TABLE)
    assert bin_of(element_at(bins, B, INT), N, number(9)) == "t[k / 9].bins[k % 9]"
    assert bin_of(member(element_at(cells, A, CELL), "count", INT), N) == "t[k].count"


def test_padding_is_not_filled() -> None:
    padded = Struct("padded", (Member("c", CHAR, 0), Member("d", DOUBLE, 8), Member("s", SHORT, 16)), 24, 8)
    assert filled(padded, 0) == ((0, 1), (8, 10)) and filled(CELL, 4) == ((4, 40),)
    assert filled(FLOAT, 0) == ((0, 4),)
    pairs = ArrayType(Struct("pair", (Member("i", INT, 0), Member("c", CHAR, 4)), 8, 4), number(2))
    assert filled(pairs, 0) == ((0, 5), (8, 5))


def test_sides_inside_a_member_are_told_apart() -> None:
    grid = ArrayType(ArrayType(INT, C), B)
    of = Struct("grid", (Member("new", grid, 0),), 0, 4)
    at = element_at(member(variable("t", of), "new", grid), A, grid.element)
    assert bin_of(element_at(at, A, INT), B, C) == "t[k / ((long long)b * c)].new_[k / c % b][k % c]"
