"""Expressions, types and declarations as C++ text."""

from __future__ import annotations

import pytest

from pencilc.codegen.cexpr import compared, declarator, expression, operand, parameter, type_text
from pencilc.ir.build import (
    UNSIGNED,
    address,
    binary,
    call,
    cast,
    choice,
    element,
    generated_type,
    member,
    method,
    negation,
    number,
)
from pencilc.ir.nodes import Parameter
from pencilc.ir.source import (
    BOOL,
    FLOAT,
    HALF,
    INT,
    LLONG,
    UINT,
    ULLONG,
    ArrayType,
    CType,
    Dereference,
    Expr,
    FloatLiteral,
    Initializer,
    IntLiteral,
    PointerType,
    Struct,
    Unary,
)
from tests.unit.codegen.programs import ITER, NOWHERE, A, B, C


def op(text: str, left: Expr, right: Expr) -> Expr:
    """`left text right`."""
    return binary(text, left, right)


def minus(inner: Expr) -> Expr:
    """`-inner`."""
    return Unary("-", inner, inner.type, NOWHERE)


def integer(value: int, ctype: CType, name: str = "") -> Expr:
    """A number of a type."""
    return IntLiteral(value, ctype, NOWHERE, name)


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (op("-", op("-", A, B), C), "a - b - c"),
        (op("-", A, op("-", B, C)), "a - (b - c)"),
        (op("+", A, op("*", B, C)), "a + b * c"),
        (op("*", op("+", A, B), C), "(a + b) * c"),
        (op("/", A, op("*", B, C)), "a / (b * c)"),
        (op("%", op("*", A, B), C), "a * b % c"),
        (op("<", op("+", A, B), C), "a + b < c"),
        (op("==", op("<", A, B), C), "a < b == c"),
        (op("||", op("&&", A, B), C), "(a && b) || c"),
        (op("&&", op("||", A, B), C), "(a || b) && c"),
        (op("&&", op("&&", A, B), C), "a && b && c"),
        (op("&&", op("<", A, B), op("!=", B, C)), "a < b && b != c"),
        (op("<<", op("+", A, B), C), "(a + b) << c"),
        (op("|", op("&", A, B), C), "(a & b) | c"),
    ],
)
def test_parentheses_stand_where_they_change_the_meaning_or_a_reader_wants_them(expr: Expr, text: str) -> None:
    assert expression(expr) == text


def test_signs_do_not_run_together() -> None:
    assert expression(minus(minus(A))) == "- -a" and expression(minus(number(-1))) == "- -1"
    assert expression(op("-", A, number(-1))) == "a - -1" and expression(negation(negation(A))) == "! !a"
    assert expression(minus(op("+", A, B))) == "-(a + b)"
    assert expression(minus(FloatLiteral("-0.0f", FLOAT, NOWHERE))) == "- -0.0f"


def test_choices_inside_of_choices() -> None:
    inner = choice(A, B, C)
    assert expression(choice(inner, A, B)) == "(a ? b : c) ? a : b"
    assert expression(choice(A, inner, B)) == "a ? (a ? b : c) : b"
    assert expression(choice(A, B, inner)) == "a ? b : a ? b : c"
    assert expression(choice(op("||", A, B), A, B)) == "a || b ? a : b"
    assert expression(op("+", inner, A)) == "(a ? b : c) + a"


def test_a_cast_takes_what_stands_right_behind_it() -> None:
    assert expression(cast(LLONG, op("+", A, B))) == "(long long)(a + b)"
    assert expression(op("*", cast(LLONG, A), B)) == "(long long)a * b"
    assert expression(cast(FLOAT, minus(A))) == "(float)-a"
    assert expression(element(cast(PointerType(FLOAT), A), B, FLOAT)) == "((float *)a)[b]"
    assert expression(cast(INT, element(A, B, FLOAT))) == "(int)a[b]"


def test_addresses_members_and_calls() -> None:
    pointer = Dereference(A, INT, NOWHERE)
    assert expression(member(pointer, "x", INT)) == "a->x" and expression(op("*", pointer, B)) == "*a * b"
    assert expression(member(element(A, op("+", ITER, number(1)), INT), "x", INT)) == "a[i + 1].x"
    assert expression(address(element(A, ITER, INT))) == "&a[i]"
    assert expression(element(address(A), B, INT)) == "(&a)[b]"
    assert expression(call("f", op("+", A, B), choice(A, B, C))) == "f(a + b, a ? b : c)"
    assert expression(method(pointer, "add", A, B)) == "(*a).add(a, b)" and expression(method(A, "zero")) == "a.zero()"


def test_initialisers_name_their_type_unless_they_are_arrays() -> None:
    pair = Struct("pair", (), 8, 4)
    assert expression(Initializer((A, B), pair, NOWHERE)) == "pair{a, b}"
    assert expression(Initializer((), ArrayType(INT, number(2)), NOWHERE)) == "{}"


def test_numbers_tell_their_type_and_constants_their_name() -> None:
    assert [expression(integer(7, of)) for of in (INT, UINT, LLONG, ULLONG, BOOL)] == ["7", "7u", "7ll", "7ull", "7"]
    assert expression(integer(-7, LLONG)) == "-7ll" and expression(integer(3, INT, "RED")) == "RED"


def test_operands_and_right_sides_of_comparisons() -> None:
    assert operand(A) == "a" and operand(op("+", A, B)) == "(a + b)" and operand(minus(A)) == "(-a)"
    assert compared(op("+", A, B)) == "a + b" and compared(op("<", A, B)) == "(a < b)"
    assert compared(choice(A, B, C)) == "(a ? b : c)"


def test_types() -> None:
    assert [type_text(of) for of in (BOOL, HALF, ULLONG, UNSIGNED)] == [
        "bool",
        "__half",
        "unsigned long long",
        "unsigned",
    ]
    assert type_text(PointerType(INT, is_const=True)) == "const int *" and type_text(ArrayType(INT, None)) == "int"
    assert type_text(Struct("float3", (), 12, 4)) == "float3_" and type_text(generated_type("dim3")) == "dim3"


def test_declarations() -> None:
    assert declarator(ArrayType(ArrayType(FLOAT, number(8)), op("+", A, B)), "t") == "float t[a + b][8]"
    assert declarator(PointerType(FLOAT), "t") == "float *t"


def test_parameters() -> None:
    pointer = PointerType(FLOAT)
    assert parameter(Parameter("p", pointer, is_const=True, restrict=True)) == "const float *__restrict__ p"
    assert parameter(Parameter("p", pointer)) == "float *p"
    assert parameter(Parameter("n", INT, is_const=True)) == "const int n"
    assert parameter(Parameter("x", FLOAT, reference=True)) == "float &x"
