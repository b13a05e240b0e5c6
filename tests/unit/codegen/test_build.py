"""Expressions of generated code: their types, what is left out of them, what keeps them from overflowing."""

from __future__ import annotations

from collections.abc import Callable

from pencilc.ir.build import (
    ONE,
    ZERO,
    address,
    binary,
    call,
    cast,
    choice,
    conjunction,
    count_of,
    element,
    is_number,
    member,
    minus,
    negation,
    number,
    plus,
    product,
    substituted,
    times,
    variable,
    widened,
)
from pencilc.ir.source import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    LONG,
    SHORT,
    UINT,
    ULLONG,
    CType,
    Dereference,
    Expr,
    Initializer,
    IntLiteral,
    PointerType,
    Unary,
)
from tests.unit.codegen.programs import ITER, NOWHERE, A, B, C, N


def added(left: CType, right: CType) -> CType:
    """The type of a sum."""
    return binary("+", variable("x", left), variable("y", right)).type


def test_sums_have_the_type_that_c_gives_them() -> None:
    assert added(INT, INT) == INT and added(SHORT, CHAR) == INT
    assert added(INT, UINT) == UINT and added(UINT, LLONG) == LLONG and added(LLONG, ULLONG) == ULLONG
    assert added(INT, LONG) == added(LONG, INT) == LONG
    assert added(LONG, LLONG) == added(LLONG, LONG) == LLONG and added(LONG, ULLONG) == ULLONG
    assert added(LLONG, FLOAT) == FLOAT and added(FLOAT, DOUBLE) == DOUBLE and added(DOUBLE, FLOAT) == DOUBLE
    pointer = PointerType(FLOAT)
    assert added(pointer, LLONG) == added(INT, pointer) == pointer


def test_a_comparison_is_an_int_whatever_it_compares() -> None:
    wide = variable("w", LLONG)
    assert {binary(op, wide, wide).type for op in ("<", "==", "&&", "||")} == {INT}
    assert choice(A, wide, B).type == LLONG and negation(wide).type == INT


def test_numbers_that_int_does_not_hold_are_wide() -> None:
    assert [number(k).type for k in (2**31 - 1, 2**31, -(2**31), -(2**31) - 1)] == [INT, LLONG, INT, LLONG]


def test_a_constant_with_a_name_is_no_plain_number() -> None:
    named = IntLiteral(1, INT, NOWHERE, "ONE")
    assert is_number(ONE, 1) and not is_number(ONE, 0) and not is_number(named, 1) and not is_number(A)
    assert times(named, A) == binary("*", named, A)


def test_what_changes_nothing_is_left_out() -> None:
    assert plus(A, ZERO) == plus(ZERO, A) == minus(A, ZERO) == times(A, ONE) == times(ONE, A) == A
    assert minus(ZERO, A) == binary("-", ZERO, A)
    assert times(A, ZERO) == binary("*", A, ZERO)


def test_a_sum_on_the_right_is_taken_apart_and_a_difference_is_not() -> None:
    assert plus(A, binary("-", B, C)) == binary("-", binary("+", A, B), C)
    assert plus(A, binary("+", ZERO, C)) == binary("+", A, C)
    assert minus(A, binary("-", B, C)) == binary("-", A, binary("-", B, C))
    assert plus(A, binary("*", B, C)) == binary("+", A, binary("*", B, C))


def test_products_are_wide_from_their_first_factor_on() -> None:
    assert product([A, B, C]) == binary("*", binary("*", cast(LLONG, A), B), C)
    assert product([A, ONE]) == A and product([]) == product([ONE, ONE]) == ONE
    wide = cast(LLONG, A)
    assert widened(wide) == wide and widened(binary("*", wide, B)) == binary("*", wide, B)
    assert widened(binary("*", binary("*", A, B), C)) == product([A, B, C]) == product([binary("*", A, B), C])
    assert widened(binary("+", A, B)) == cast(LLONG, binary("+", A, B))


def test_a_box_with_a_negative_side_has_no_points() -> None:
    both = binary("&&", binary(">", A, ZERO), binary(">", B, ZERO))
    assert count_of([A, B, C]) == choice(both, product([A, B, C]), ZERO)


def test_one_side_is_its_own_count() -> None:
    assert count_of([]) == ONE and count_of([A]) == A
    assert count_of([number(4), A]) == product([number(4), A])


def test_conjunctions() -> None:
    assert conjunction([]) is None and conjunction([A]) == A
    assert conjunction([A, B, C]) == binary("&&", binary("&&", A, B), C)


def test_variables_are_replaced_wherever_they_stand() -> None:
    values: dict[str, Expr] = {"i": N}
    places: list[Callable[[Expr], Expr]] = [
        lambda e: binary("+", A, e),
        lambda e: Unary("-", e, INT, NOWHERE),
        lambda e: choice(A, B, e),
        lambda e: cast(LLONG, e),
        lambda e: element(A, e, INT),
        lambda e: member(element(e, A, INT), "i", INT),
        lambda e: call("i", A, e),
        address,
        lambda e: Dereference(e, INT, NOWHERE),
        lambda e: Initializer((A, e), INT, NOWHERE),
    ]
    for place in places:
        assert substituted(place(ITER), values) == place(N)
    assert substituted(binary("+", A, number(1)), values) == binary("+", A, number(1))


def test_numbers_in_a_sum_become_one() -> None:
    n, wide = variable("n"), variable("m", LLONG)
    assert minus(minus(n, number(1)), number(1)) == minus(n, number(2))
    assert minus(plus(n, number(1)), number(1)) == n == plus(minus(n, number(2)), number(2))
    assert plus(plus(number(1), n), number(2)) == plus(n, number(3))
    assert minus(plus(number(1), n), number(1)) == n
    assert minus(plus(number(1), wide), number(3)) == minus(wide, number(2))
    # What is added in 64 bits stays so, and names stay.
    assert plus(minus(n, number(1)), number(2**31)).type == LLONG
    assert minus(minus(number(1), n), number(1)) == binary("-", binary("-", number(1), n), number(1))
