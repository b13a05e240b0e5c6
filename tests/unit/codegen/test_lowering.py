"""Expressions of the source as those of a kernel."""

from __future__ import annotations

import pytest

from pencilc.codegen.lowering import (
    Bindings,
    LinearArray,
    access,
    argument,
    is_pinned,
    is_zero,
    lowered,
    stored,
)
from pencilc.ir.build import address, binary, call, cast, choice, element, negation, number, variable
from pencilc.ir.source import (
    CHAR,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LLONG,
    UINT,
    ArrayType,
    Cast,
    CType,
    Expr,
    FloatLiteral,
    Index,
    Initializer,
    IntLiteral,
    MemberOf,
    PointerType,
)
from tests.unit.codegen.programs import ITER, NOWHERE, A, B, C, N, told

NOTHING = Bindings()
X, Y = variable("x", FLOAT), variable("y", FLOAT)


def implicit(operand: Expr, ctype: CType) -> Cast:
    """A conversion that the source did not write."""
    return Cast(operand, ctype, NOWHERE, implicit=True)


def array(*sides: Expr | None, of: CType = FLOAT) -> ArrayType:
    """`of t[sides]`."""
    first, *rest = sides
    return ArrayType(array(*rest, of=of) if rest else of, first)


def at(ctype: CType, *subscripts: Expr) -> Expr:
    """`t[…]…`."""
    found: Expr = variable("t", ctype)
    for each in subscripts:
        assert isinstance(found.type, ArrayType)
        found = Index(found, each, found.type.element, NOWHERE)
    return found


def linear(expr: Expr, **more: object) -> str:
    """The text of an access to an array in linear memory."""
    found = LinearArray("t", **more)  # type: ignore[arg-type]
    return told(lowered(expr, Bindings(arrays={"t": found})))[0]


# ---- names and conversions ----------------------------------------------------------------------------


def test_names_mean_what_is_bound_and_are_safe() -> None:
    bound = Bindings({"i": number(3)})
    assert told(lowered(binary("+", ITER, variable("max")), bound)) == ["3 + max_"]
    assert lowered(ITER, NOTHING) == ITER


def test_constants_keep_their_name() -> None:
    named = IntLiteral(2, INT, NOWHERE, "new")
    assert lowered(named, NOTHING) == IntLiteral(2, INT, NOWHERE, "new_")


def test_conversions_are_written_where_the_source_or_a_call_needs_them() -> None:
    wide = implicit(A, LLONG)
    assert lowered(wide, NOTHING) == A and lowered(cast(LLONG, A), NOTHING) == cast(LLONG, A)
    assert argument(wide, NOTHING) == cast(LLONG, A)
    assert lowered(call("f", wide, A), NOTHING) == call("f", cast(LLONG, A), A)


def test_conversions_that_the_text_does_not_ask_for_are_written_out() -> None:
    """They have come from elsewhere: `unsigned u = a; … u < b`, of which C++ would make `a < b`."""
    a, b, u, wide = implicit(A, UINT), implicit(B, UINT), variable("u", UINT), variable("w", LLONG)
    cases = {
        binary("<", a, b): "(unsigned int)a < (unsigned int)b",
        binary("<", a, u): "a < u",  # C++ converts it
        binary("/", a, implicit(number(2), UINT)): "(unsigned int)a / (unsigned int)2",
        binary("/", a, IntLiteral(2, UINT, NOWHERE)): "a / 2u",
        binary(">>", a, number(1)): "(unsigned int)a >> 1",
        binary("+", implicit(a, LLONG), wide): "(unsigned int)a + w",
        binary("<", implicit(A, LLONG), wide): "a < w",
        choice(C, a, b): "c ? (unsigned int)a : (unsigned int)b",
        cast(DOUBLE, a): "(double)(unsigned int)a",
        cast(CHAR, a): "(char)a",  # the same bits
    }
    assert {told(lowered(each, NOTHING))[0]: text for each, text in cases.items()} == {t: t for t in cases.values()}
    assert told(argument(implicit(a, LLONG), NOTHING)) == ["(long long)(unsigned int)a"]
    assert told(stored(implicit(a, FLOAT), NOTHING)) == ["(unsigned int)a"]


def test_a_number_as_floating_argument_is_written_as_one() -> None:
    assert told(*(argument(implicit(number(3), t), NOTHING) for t in (FLOAT, DOUBLE, LLONG))) == [
        "3.0f", "3.0", "(long long)3",
    ]  # fmt: skip


def test_stores_say_where_they_may_lose_bits() -> None:
    assert stored(implicit(X, INT), NOTHING) == cast(INT, X)
    assert stored(implicit(A, CHAR), NOTHING) == cast(CHAR, A)
    assert stored(implicit(A, LLONG), NOTHING) == stored(implicit(A, FLOAT), NOTHING) == A
    assert stored(implicit(number(7), CHAR), NOTHING) == number(7)


# ---- calls ---------------------------------------------------------------------------------------------


def test_functions_have_the_names_that_cuda_has_for_them() -> None:
    half = variable("h", HALF)
    calls = [call(name, half) for name in ("pencil_half_to_float", "isless", "norm", "f")]
    assert [told(lowered(each, NOTHING))[0] for each in calls] == [
        "__half2float(h)", "pencilc_isless(h)", "norm_(h)", "f(h)",
    ]  # fmt: skip


def test_a_template_is_told_its_type_where_cpp_would_find_another() -> None:
    chars = choice(A, implicit(variable("c", CHAR), INT), implicit(variable("d", CHAR), INT))
    assert told(lowered(call("min", binary("<", A, B), number(1)), NOTHING)) == ["min_<int>(a < b, 1)"]
    assert told(lowered(call("max", negation(A), A), NOTHING)) == ["max_<int>(!a, a)"]
    assert told(lowered(call("max", chars, A), NOTHING)) == ["max_<int>(a ? c : d, a)"]
    assert told(lowered(call("min", A, B), NOTHING)) == ["min_(a, b)"]
    assert told(lowered(call("f", negation(A)), NOTHING)) == ["f(!a)"]


def test_pinned_products_are_rounded_by_themselves() -> None:
    pinned = Bindings(pinned=True)
    double = binary("*", variable("d", DOUBLE), implicit(X, DOUBLE))
    assert told(lowered(binary("+", binary("*", X, Y), X), pinned)) == ["__fmul_rn(x, y) + x"]
    assert told(lowered(double, pinned)) == ["__dmul_rn(d, (double)x)"]
    assert lowered(binary("*", X, Y), NOTHING) == binary("*", X, Y)
    assert not is_pinned(binary("*", A, B), pinned) and not is_pinned(binary("+", X, Y), pinned)


# ---- arrays --------------------------------------------------------------------------------------------


def test_subscripts_are_made_one_in_64_bits() -> None:
    assert linear(at(array(N), ITER)) == "t[i]"
    assert linear(at(array(A, N), ITER, B)) == "t[(long long)i * n + b]"
    assert linear(at(array(A, B, N), ITER, A, B)) == "t[((long long)i * b + a) * n + b]"


def test_a_subscript_that_is_wide_is_not_widened_again() -> None:
    assert linear(at(array(A, N), cast(LLONG, ITER), B)) == "t[(long long)i * n + b]"
    product = cast(LLONG, binary("*", ITER, A))
    assert linear(at(array(A, N), product, B)) == "t[(long long)(long long)(i * a) * n + b]"


@pytest.mark.parametrize(("side", "wide"), [(2**15, False), (2**16, True)])
def test_sizes_that_int_holds_need_no_64_bits(side: int, wide: bool) -> None:
    text = linear(at(array(number(2**15), number(side)), ITER, B))
    assert text == f"t[{'(long long)' if wide else ''}i * {side} + b]"


def test_differences_of_subscripts_keep_their_parentheses() -> None:
    assert linear(at(array(A, N), binary("-", ITER, number(1)), B)) == "t[(long long)(i - 1) * n + b]"


def test_dimensions_of_an_expansion_come_first_and_skipped_ones_not_at_all() -> None:
    sizes: dict[str, object] = {"prefix": (ITER,), "prefix_extents": (variable("t_size0", LLONG),)}
    assert linear(at(array(N), B), **sizes) == "t[(long long)i * n + b]"
    assert linear(variable("t", FLOAT), **sizes) == "t[i]"
    assert linear(at(array(A, N), ITER, B), skipped=1) == "t[b]"
    assert linear(variable("t", FLOAT)) == "t[0]"


def test_rows_and_whole_arrays_are_addresses() -> None:
    assert linear(at(array(A, N), ITER)) == "&t[(long long)i * n]"
    assert linear(variable("t", array(A, N))) == "t"
    assert linear(variable("t", array(N)), prefix=(ITER,), prefix_extents=(A,)) == "&t[(long long)i * n]"


def test_arrays_that_the_output_declares_keep_their_subscripts() -> None:
    of = array(number(2), number(3))
    assert told(lowered(at(of, A, B), NOTHING)) == ["t[a][b]"]
    pointer = variable("p", PointerType(FLOAT))
    assert lowered(element(pointer, A, FLOAT), NOTHING) == element(pointer, A, FLOAT)


def test_loads_stand_for_equal_accesses_alone() -> None:
    of = array(N)
    bindings = Bindings(arrays={"t": LinearArray("t")})
    known = bindings.with_loads({access(at(of, ITER), bindings): X})
    assert lowered(at(of, ITER), known) == X and told(lowered(at(of, A), known)) == ["t[a]"]
    assert told(access(at(of, ITER), known)) == ["t[i]"]


def test_members_are_safe() -> None:
    assert told(lowered(MemberOf(A, "new", INT, NOWHERE), NOTHING)) == ["a.new_"]


# ---- initialisers --------------------------------------------------------------------------------------


def braces(*values: Expr) -> str:
    """The text of `{values}` for an array."""
    return told(lowered(Initializer(values, array(number(len(values)), of=INT), NOWHERE), NOTHING))[0]


def test_zeros_at_the_end_are_left_out_where_they_are_more_than_two() -> None:
    zero = number(0)
    assert braces(A, zero, zero, zero) == "{a}" and braces(A, zero, zero) == "{a, 0, 0}"
    assert braces(zero, zero, zero, A) == "{0, 0, 0, a}" and braces(zero, zero, zero) == "{}"


def test_a_literal_that_fits_needs_no_conversion() -> None:
    values = [implicit(number(k), of) for k, of in ((127, CHAR), (128, CHAR), (1, UINT))]
    assert braces(*values, implicit(A, UINT)) == "{127, (char)128, 1, (unsigned int)a}"


@pytest.mark.parametrize(
    ("text", "zero"), [("0.0", True), ("0.0f", True), (".0", True), ("0.5", False), ("-0.0", False)]
)
def test_what_is_zero(text: str, zero: bool) -> None:
    assert is_zero(FloatLiteral(text, DOUBLE, NOWHERE)) is zero


def test_an_address_of_what_is_bound() -> None:
    bound = Bindings(arrays={"t": LinearArray("t")})
    assert told(lowered(address(at(array(N), ITER)), bound)) == ["&t[i]"]
