"""Names and types as C++ has them: what a scope finds, which type an expression has, what is not taken."""

from __future__ import annotations

import pytest

from pencilc.codegen import expression_rules
from pencilc.codegen.expression_rules import check_expression
from pencilc.codegen.kernel_types import FileScope, Known, NameScope, type_of
from pencilc.codegen.pencil_functions import DEFINITIONS
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir.build import (
    ONE,
    TRUTHS,
    ZERO,
    binary,
    call,
    cast,
    choice,
    declare,
    element,
    generated_type,
    number,
    variable,
)
from pencilc.ir.definitions import DeviceFunction, NamedConstant, Table
from pencilc.ir.nodes import Parameter
from pencilc.ir.source import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    UCHAR,
    UINT,
    AddressOf,
    ArrayType,
    CType,
    Declare,
    Dereference,
    Expr,
    IntLiteral,
    Member,
    MemberOf,
    PointerType,
    Struct,
    Unary,
)
from tests.unit.codegen.by_hand import FLOATS, file_scope, store

PAIR = Struct("pair", (Member("low", FLOAT, 0), Member("high", DOUBLE, 8)), 16, 8)
HALVE = DeviceFunction("halve", FLOAT, (Parameter("x", FLOAT), Parameter("row", FLOATS)), ())
PEEK = DeviceFunction("peek", FLOAT, (Parameter("row", FLOATS, is_const=True),), ())
PENCIL = tuple(DEFINITIONS[name] for name in ("clamp", "isless", "imin"))
CONSTANT = Table("constexpr", "weights", ArrayType(FLOAT, number(3)), ZERO)


def scope() -> NameScope:
    """A function that has an array it reads, one that it writes, and a few values."""
    inner = file_scope(HALVE, PEEK, CONSTANT, NamedConstant("RED", 1), *PENCIL).inner()
    names = {
        "a": Known(FLOATS, reads_only=True), "b": Known(FLOATS), "i": Known(INT), "c": Known(UCHAR), "d": Known(DOUBLE),
        "l": Known(LLONG), "u": Known(UINT), "pair": Known(PAIR), "fixed": Known(INT, is_const=True),
        "rows": Known(PointerType(FLOATS)),
    }  # fmt: skip
    for name, known in names.items():
        assert inner.declare(name, known)
    return inner


def untyped(name: str) -> Expr:
    """A name whose own type says nothing: the scope has the type."""
    return variable(name, generated_type("unknown"))


def integer(name: str) -> Expr:
    """The same, as an operand and a number of an element."""
    return variable(name, INT)


def var(name: str) -> Expr:
    """A name with the type that the scope has for it, if it has one."""
    known = scope().find(name)
    return variable(name, known.type) if known is not None else integer(name)


def refused(message: str, *values: Expr) -> None:
    """Each of the expressions has that fault."""
    for value in values:
        with pytest.raises(CompilerBug, match=message):
            check_expression("k", value, scope())


# ---- scopes --------------------------------------------------------------------------------------------


def test_inner_names_hide_outer_ones() -> None:
    outer = scope()
    inner = outer.inner()
    assert inner.declare("i", Known(DOUBLE)) and not inner.declare("i", Known(INT))
    assert inner.find("i") == Known(DOUBLE) and outer.find("i") == Known(INT)
    assert inner.find("nowhere") is None


def test_what_is_provided_may_be_there() -> None:
    inner = scope()
    inner.provide(("i", "@x"), LLONG)
    assert inner.find("i") == Known(INT) and inner.find("@x") == Known(LLONG)


def test_names_of_the_file_may_be_hidden_and_no_others() -> None:
    inner = scope().inner()
    assert inner.binds("i") and not inner.binds("weights") and inner.find("weights") is not None


def test_what_the_language_knows() -> None:
    inner = scope()
    assert all(map(inner.knows, ("i", "halve", "RED", "INFINITY", "PENCILC_WARP"))) and not inner.knows("other")


def test_a_file_has_constants_and_tables_that_stay() -> None:
    inner = scope()
    assert inner.find("weights") == Known(FLOATS, is_const=True, reads_only=True)
    assert inner.find("RED") == Known(INT, is_const=True) and inner.find("halve") is None


def test_stages_and_parts_have_barriers() -> None:
    class Part:
        def __init__(self, name: str, layout: str) -> None:
            self.name, self.layout = name, layout

    file = file_scope(HALVE, kernels=(Part("stage", "block"), Part("whole", "")))  # type: ignore[arg-type]
    assert isinstance(file, FileScope)
    assert [file.meets(call(name)) for name in ("stage", "whole", "halve")] == [True, False, False]


# ---- types ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (untyped("i"), INT),
        (untyped("INFINITY"), FLOAT),
        (Unary("-", untyped("c"), UCHAR, UNKNOWN_SPAN), INT),
        (Unary("!", untyped("d"), INT, UNKNOWN_SPAN), BOOL),
        (binary("+", untyped("c"), untyped("c")), INT),
        (binary("+", untyped("i"), untyped("l")), LLONG),
        (binary("*", untyped("d"), element(untyped("a"), ZERO, FLOAT)), DOUBLE),
        (binary("<<", untyped("c"), untyped("l")), INT),
        (binary("+", untyped("b"), untyped("i")), FLOATS),
        (choice(untyped("i"), untyped("c"), untyped("c")), UCHAR),
        (choice(untyped("i"), untyped("c"), untyped("d")), DOUBLE),
        (element(untyped("a"), ZERO, DOUBLE), FLOAT),
        (element(untyped("rows"), ZERO, DOUBLE), FLOATS),
        (Dereference(untyped("b"), DOUBLE, UNKNOWN_SPAN), FLOAT),
        (AddressOf(element(untyped("a"), ZERO, DOUBLE), INT, UNKNOWN_SPAN), FLOATS),
        (MemberOf(untyped("pair"), "high", INT, UNKNOWN_SPAN), DOUBLE),
        (call("halve", untyped("i"), untyped("b")), FLOAT),
        (call("clamp", untyped("d"), untyped("d"), untyped("d")), DOUBLE),
        (call("clamp", untyped("d"), returns=INT, made_for=(INT,)), INT),
        (cast(LLONG, untyped("i")), LLONG),
        (number(2**40), LLONG),
    ],
)
def test_the_type_is_that_of_the_scope_and_of_c(value: Expr, wanted: CType) -> None:
    assert type_of(value, scope()) == wanted


def test_a_comparison_is_true_or_not() -> None:
    assert {type_of(binary(op, var("d"), var("l")), scope()) for op in TRUTHS} == {BOOL}


# ---- expressions -----------------------------------------------------------------------------------------


def test_names_are_declared_wherever_they_stand() -> None:
    other = integer("other")
    places: list[Expr] = [
        binary("+", ONE, other), binary("+", other, ONE), element(other, ZERO, FLOAT), element(var("a"), other, FLOAT),
        choice(other, ONE, ONE), choice(ONE, other, ONE), choice(ONE, ONE, other), cast(INT, other),
        MemberOf(other, "low", INT, UNKNOWN_SPAN), AddressOf(other, FLOATS, UNKNOWN_SPAN), call("sqrt", other),
        Unary("-", other, INT, UNKNOWN_SPAN), Dereference(other, FLOAT, UNKNOWN_SPAN),
    ]  # fmt: skip
    refused("`other` is not declared", other, *places[:2], *places[3:])
    refused("`other\\[0\\]` is an element of a int", places[2])
    check_expression("k", call("sizeof", other), scope())
    refused("`SIDE` is not declared", IntLiteral(4, INT, UNKNOWN_SPAN, "SIDE"))
    check_expression("k", IntLiteral(1, INT, UNKNOWN_SPAN, "RED"), scope())


def test_a_name_is_used_with_the_type_of_its_declaration() -> None:
    refused("`d` is declared as double and used as float", variable("d", FLOAT), binary("+", variable("d", FLOAT), ONE))
    check_expression("k", variable("d", DOUBLE), scope())


def test_only_arrays_have_elements() -> None:
    refused("`i\\[0\\]` is an element of a int", element(var("i"), ZERO, FLOAT))


def test_calls_have_the_arguments_of_their_definition() -> None:
    check_expression("k", call("halve", var("i"), var("b")), scope())
    refused("has another number of arguments", call("halve", var("i")))
    refused("a float \\* as float `x`", call("halve", var("b"), var("b")))
    refused("a int as float \\* `row`", call("halve", var("i"), var("i")))


def test_what_is_only_read_is_passed_as_const() -> None:
    check_expression("k", call("peek", var("a")), scope())
    behind, ahead = binary("+", var("a"), var("i")), binary("+", var("i"), var("a"))
    refused(
        "`row` is not const, and the argument is", *(call("halve", ONE, each) for each in (var("a"), behind, ahead))
    )
    refused("`row` is not const", call("halve", ONE, var("weights")))


def test_a_template_finds_one_type() -> None:
    check_expression("k", call("clamp", var("i"), var("i"), ONE), scope())
    refused("has arguments of double and int, which is one type", call("clamp", var("i"), var("d"), ONE))
    refused("has arguments of double and int, which is one type", call("pencilc_isless", var("i"), var("d")))
    refused("has another number of arguments", call("clamp", var("i"), var("i")), call("imin", var("i")))
    refused("a pair as int `y`", call("imin", var("i"), var("pair")))
    check_expression("k", call("clamp", var("i"), var("d"), ONE, made_for=(DOUBLE,)), scope())
    refused("a pair as double `low`", call("clamp", var("i"), var("pair"), ONE, made_for=(DOUBLE,)))
    found = [
        type_of(each, scope()) for each in (call("clamp", *[var("d")] * 3), call("pencilc_isless", *[var("d")] * 2))
    ]
    assert found == [DOUBLE, INT] and type_of(call("clamp", ONE, made_for=(FLOAT,)), scope()) == FLOAT


def test_sums_add_values_of_their_own_type() -> None:
    sums = scope()
    kinds = {"carried": generated_type("pencilc_sum", FLOAT), "shifted": generated_type("pencilc_exp_sum", FLOAT)}
    for name, kind in kinds.items():
        sums.declare(name, Known(kind))
    carried, shifted = (variable(name, kind) for name, kind in kinds.items())
    good = (call("pencilc_sum_add", carried, element(var("a"), ZERO, FLOAT)), call(".add", shifted))
    for each in good:
        check_expression("k", each, sums)
    for wrong, message in (
        (call("pencilc_sum_add", carried, var("d")), "adds a double to a pencilc_sum<float>"),
        (call("pencilc_sum_add", var("i"), var("d")), "adds a double to a int"),
        (call(".add", carried), "a pencilc_sum<float> has no member `add`"),
        (call(".at", var("i")), "a int has no member `at`"),
    ):
        with pytest.raises(CompilerBug, match=message):
            check_expression("k", wrong, sums)


def test_a_class_is_a_sum_of_its_first_type() -> None:
    assert expression_rules.element_text(generated_type("pencilc_sum", DOUBLE)) == "double"
    assert (
        expression_rules.element_text(generated_type("pencilc_cascade", 4))
        == expression_rules.element_text(FLOAT)
        == ""
    )


# ---- stores ----------------------------------------------------------------------------------------------


def assigned(target: Expr, value: Expr) -> None:
    """Checks `target = value`."""
    expression_rules.check_assigned("k", store(target, value), scope())


def test_values_become_those_of_their_variable() -> None:
    assigned(element(var("b"), ZERO, FLOAT), var("i"))
    assigned(var("i"), var("d"))
    for target, value, message in (
        (var("fixed"), ONE, "`fixed` is const and is written"),
        (element(var("a"), ZERO, FLOAT), ONE, "`a\\[0\\]` is only read in this function, and is written"),
        (element(var("weights"), ZERO, FLOAT), ONE, "is only read in this function"),
        (var("i"), var("b"), "a float \\* is stored to `i`, a int"),
        (var("b"), var("rows"), "a float \\*\\* is stored to `b`|is stored to `b`, a float"),
        (var("pair"), var("i"), "a int is stored to `pair`, a pair"),
    ):
        with pytest.raises(CompilerBug, match=message):
            assigned(target, value)


def test_a_declaration_is_of_the_type_that_it_says() -> None:
    good, wrong = declare("x", FLOAT, var("i")), declare("x", FLOAT, var("b"))
    assert isinstance(good, Declare) and isinstance(wrong, Declare)
    expression_rules.check_assigned("k", good, scope())
    with pytest.raises(CompilerBug, match="a float \\* is stored to `x`, a float"):
        expression_rules.check_assigned("k", wrong, scope())


def test_elements_move_to_those_of_their_type() -> None:
    expression_rules.check_moved("k", var("a"), var("b"), scope())
    for given, taken, message in (
        (var("a"), var("rows"), "a float \\* to a float"),
        (var("i"), var("b"), "`i` goes to `b`, a int to a float \\*"),
        (var("b"), var("a"), "`a` is only read in this function, and is written"),
    ):
        with pytest.raises(CompilerBug, match=message):
            expression_rules.check_moved("k", given, taken, scope())
