"""Trees of a few lines that C++ would refuse, or that would run wrongly: types, const, jumps, barriers."""

from __future__ import annotations

import pytest

from pencilc.codegen.expression_rules import check_assigned, check_expression, check_given, check_passed
from pencilc.codegen.file_rules import verify_definition
from pencilc.codegen.kernel_types import Known, NameScope
from pencilc.codegen.kernel_walk import Walk
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir.build import (
    BLOCK,
    NULL,
    THREAD,
    ZERO,
    address,
    binary,
    call,
    cast,
    choice,
    declare,
    element,
    evaluate,
    member,
    number,
    symbol,
    variable,
)
from pencilc.ir.definitions import DeviceFunction
from pencilc.ir.nodes import Braces, For, If, Node, Parameter, SharedDecl, Sync, WhileLoop
from pencilc.ir.source import (
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LLONG,
    VOID,
    ArrayType,
    CType,
    Expr,
    Initializer,
    Jump,
    Member,
    PointerType,
    Return,
    Struct,
)
from tests.unit.codegen.by_hand import FLOATS, Walked, file_scope, refused, store

CONST_FLOATS = PointerType(FLOAT, is_const=True)
PAIR = Struct("pair", (Member("low", INT, 0), Member("high", FLOAT, 4)), 8, 4)
READ = {"a": Known(FLOATS, reads_only=True), "b": Known(FLOATS), "s": Known(PAIR, is_const=True)}
A, B, X = variable("a", FLOATS), variable("b", FLOATS), variable("x")
MINE = cast(INT, THREAD["x"])
FIRST = binary("==", THREAD["x"], ZERO)
BREAK, CONTINUE, RETURN = Jump("break", UNKNOWN_SPAN), Jump("continue", UNKNOWN_SPAN), Return(None, UNKNOWN_SPAN)
NOT_ALL = "a barrier stands where not all threads come"


def around(*body: Node, counter: str = "i") -> For:
    """A loop that all threads go through together."""
    return For(symbol(counter), ZERO, number(4), body)


# ---- const -----------------------------------------------------------------------------------------------


def test_a_pointer_to_const_stays_one() -> None:
    lost = "`p` is no pointer to const, and is given one"
    p = variable("p", FLOATS)
    for value in (A, binary("+", A, X), cast(FLOATS, A), address(element(A, ZERO, FLOAT)), choice(FIRST, B, A)):
        refused(lost, declare("x", INT, ZERO), declare("p", FLOATS, value), parameters=READ)
    refused(lost, declare("p", FLOATS), store(p, A), parameters=READ)
    Walked(declare("p", FLOATS, B), If(FIRST, (store(element(p, ZERO, FLOAT)),)), parameters=READ)


def test_what_a_pointer_to_const_leads_to_is_not_written() -> None:
    p = variable("p", CONST_FLOATS)
    Walked(declare("p", CONST_FLOATS, A), If(FIRST, (store(p, B),)), parameters=READ)
    refused("`p\\[0\\]` is only read", declare("p", CONST_FLOATS, B), store(element(p, ZERO, FLOAT)), parameters=READ)
    refused("`q` is no pointer to const", declare("p", CONST_FLOATS, B), declare("q", FLOATS, p), parameters=READ)


def test_const_variables_stay_what_they_are() -> None:
    array = ArrayType(FLOAT, number(2))
    fixed = declare("x", array, Initializer((ZERO, ZERO), array, UNKNOWN_SPAN), is_const=True)
    refused("`x\\[0\\]` is only read", fixed, store(element(variable("x", array), ZERO, FLOAT)))
    refused("`s.low` is only read", store(member(variable("s", PAIR), "low", INT)), parameters=READ)
    taken = declare("p", PointerType(INT), address(X))
    refused("`p` is no pointer to const", declare("x", INT, ZERO, is_const=True), taken)


def test_only_places_are_written() -> None:
    refused("`3` is no place that has a value", store(number(3)))
    refused("`x \\+ 1` is no place", declare("x", INT, ZERO), store(binary("+", X, number(1))))


# ---- types -----------------------------------------------------------------------------------------------


def scope() -> NameScope:
    """A few variables."""
    found = file_scope().inner()
    types: dict[str, CType] = {"i": INT, "l": LLONG, "d": DOUBLE, "h": HALF, "p": FLOATS, "s": PAIR}
    for name, ctype in types.items():
        found.declare(name, Known(ctype))
    return found


N, L, D, H, P, S = (variable(name, known.type) for name, known in scope().names.items())


@pytest.mark.parametrize(
    ("target", "value"), [(D, H), (H, D), (N, P), (P, N), (N, S), (S, N), (N, call("sqrt", N, returns=VOID)), (S, P)]
)
def test_no_kind_of_value_becomes_another(target: Expr, value: Expr) -> None:
    with pytest.raises(CompilerBug, match="is stored to"):
        check_assigned("k", store(target, value), scope())
    check_assigned("k", store(P, NULL), scope())


@pytest.mark.parametrize(
    "value",
    [
        binary("%", D, N), binary("&", N, D), binary("<<", D, N), binary("*", P, N), binary("+", P, P),
        binary("+", S, N), binary("<", S, S), binary("/", N, P),
    ],
)  # fmt: skip
def test_operators_have_operands_of_their_kind(value: Expr) -> None:
    with pytest.raises(CompilerBug, match="there is no"):
        check_expression("k", value, scope())


def test_elements_have_numbers() -> None:
    for index in (D, P):
        with pytest.raises(CompilerBug, match=r"`p\[.\]` is element number"):
            check_expression("k", element(P, index, FLOAT), scope())


def test_nothing_is_narrowed_where_the_source_converts_nothing() -> None:
    takes = Parameter("n", INT)
    check_passed("k", "`f`", L, takes, scope())
    for value in (L, D):
        with pytest.raises(CompilerBug, match="does not fit into int `n`"):
            check_given("k", "`f`", value, takes, scope())
        with pytest.raises(CompilerBug, match="for a int"):
            check_expression("k", Initializer((value, ZERO), PAIR, UNKNOWN_SPAN), scope())
    check_given("k", "`f`", cast(INT, L), takes, scope())
    check_expression("k", Initializer((N, N), PAIR, UNKNOWN_SPAN), scope())


def test_names_are_such_as_c_has() -> None:
    for name in ("class", "threadIdx", "float4", "cudaStream_t"):
        refused(f"`{name}` is a name of C\\+\\+ or CUDA", declare(name, INT))
    refused("`a b` is no name", declare("a b", INT))


@pytest.mark.parametrize("count", [0, -3])
def test_shared_memory_has_elements(count: int) -> None:
    refused(f"`x` has {count} elements", SharedDecl("x", FLOAT, count))


@pytest.mark.parametrize(
    ("returns", "value"), [(VOID, ZERO), (INT, None), (FLOATS, ZERO), (FLOAT, B), (FLOATS, A), (PAIR, ZERO)]
)
def test_functions_return_what_they_say(returns: object, value: Expr | None) -> None:
    taken = (Parameter("a", FLOATS, is_const=True), Parameter("b", FLOATS))
    made = DeviceFunction("f", returns, taken, ())  # type: ignore[arg-type]
    with pytest.raises(CompilerBug, match="is returned as"):
        Walk(file_scope(), "f").function(made, (Return(value, UNKNOWN_SPAN),))


def test_kernels_return_nothing() -> None:
    refused("a int is returned as void", Return(ZERO, UNKNOWN_SPAN))


def test_only_loops_are_left() -> None:
    for jump in (BREAK, CONTINUE):
        refused(f"`{jump.keyword}` stands in no loop", jump)
        refused(f"`{jump.keyword}` stands in no loop", around(), If(FIRST, (jump,)))
        Walked(around(jump))


# ---- who comes to a barrier --------------------------------------------------------------------------------


def test_what_is_stored_may_differ_among_threads() -> None:
    met = If(binary("!=", X, ZERO), (Sync("block"),))
    Walked(declare("x", INT, ZERO), met)
    Walked(declare("x", INT, ZERO), store(X, variable("n")), met)
    refused(NOT_ALL, declare("x", INT, ZERO), store(X, MINE), met)
    refused(NOT_ALL, declare("x", INT, ZERO), If(FIRST, (store(X, number(1)),)), met)
    array = ArrayType(INT, number(2))
    first = element(variable("x", array), ZERO, INT)
    refused(NOT_ALL, declare("x", array), store(first, MINE), If(first, (Sync("block"),)))
    written = evaluate("remquo", variable("m"), MINE, address(X))
    refused(NOT_ALL, declare("x", INT, ZERO), written, met)


def test_what_is_stored_in_one_round_is_there_in_the_next() -> None:
    before = If(binary("!=", X, ZERO), (Sync("block"),))
    refused(NOT_ALL, declare("x", INT, ZERO), around(before, store(X, MINE)))
    refused(NOT_ALL, declare("x", INT, ZERO), WhileLoop(X, (Sync("block"), store(X, MINE)), False))
    Walked(declare("x", INT, ZERO), around(before, store(X, variable("n"))))


def test_a_counter_goes_on_behind_its_loop() -> None:
    counted = For(symbol("x"), MINE, number(8), (), declares=False)
    refused(NOT_ALL, declare("x", INT), counted, If(binary("<", X, number(2)), (Sync("block"),)))
    Walked(declare("x", INT), For(symbol("x"), ZERO, number(8), (), declares=False), If(X, (Sync("block"),)))


def test_a_new_variable_is_another_one() -> None:
    some = If(FIRST, (declare("x", INT, ZERO), store(X, MINE)))
    Walked(some, declare("x", INT, ZERO), If(X, (Sync("block"),)))


def test_steps_of_a_loop_may_differ() -> None:
    refused(NOT_ALL, For(symbol("i"), ZERO, number(4), (Sync("block"),), step=MINE))


@pytest.mark.parametrize("scope", ["launch", "block", "warp"])
def test_who_has_left_comes_to_no_barrier(scope: str) -> None:
    met = Sync(scope)  # type: ignore[arg-type]
    refused(NOT_ALL, If(FIRST, (RETURN,)), met)
    refused(NOT_ALL, around(If(FIRST, (RETURN,))), met)
    for jump in (BREAK, CONTINUE):
        refused(NOT_ALL, around(If(FIRST, (jump,)), met))
        refused(NOT_ALL, around(met, If(FIRST, (jump,))))  # in the next round
        Walked(around(If(FIRST, (jump,))), met)  # they meet again behind the loop
        Walked(around(around(If(FIRST, (jump,)), counter="j"), met))
        Walked(around(met, If(binary("<", ZERO, variable("n")), (jump,))))  # which all of them do
    Walked(If(binary("<", ZERO, variable("n")), (RETURN,)), met)


def test_blocks_leave_whole() -> None:
    own = If(binary("<", BLOCK["x"], number(3)), (RETURN,))
    Walked(own, Sync("block"))
    refused(NOT_ALL, own, Sync("launch"))


def test_barriers_are_no_functions_that_are_called() -> None:
    for name in ("__syncthreads", "__syncwarp", "pencilc_meet", "__threadfence"):
        refused(f"`{name}` is called, and nothing above defines it", evaluate(name))


# ---- ends of functions -----------------------------------------------------------------------------------

VALUE = Return(ZERO, UNKNOWN_SPAN)
FOREVER = binary("<", number(1), number(2))


def defined(*body: Node, returns: CType = INT, on_host: tuple[Node, ...] = ()) -> None:
    """A function of `n` with that body is verified."""
    found = DeviceFunction("f", returns, (Parameter("n", INT),), body, bool(on_host), on_host)
    verify_definition(found, file_scope())


@pytest.mark.parametrize(
    "body",
    [
        (),
        (declare("x", INT, ZERO),),
        (If(N, (VALUE,)),),
        (If(N, (VALUE,), (If(binary("<", N, ZERO), (VALUE,)),)),),
        (If(N, (VALUE,), (store(N),)),),
        (For(symbol("i"), ZERO, N, (VALUE,)),),
        (WhileLoop(N, (VALUE,), False),),
        (WhileLoop(FOREVER, (If(N, (BREAK,)), VALUE), False),),
        (WhileLoop(FOREVER, (Braces((BREAK,)),), False),),
        (WhileLoop(N, (If(N, (CONTINUE,)), VALUE), True),),
        (WhileLoop(N, (If(N, (VALUE,)),), True),),
    ],
)
def test_functions_do_not_end_without_their_value(body: tuple[Node, ...]) -> None:
    with pytest.raises(CompilerBug, match="`f`: its end can be reached, and nothing returns a int"):
        defined(*body)
    with pytest.raises(CompilerBug, match="`f`: its end can be reached"):
        defined(VALUE, on_host=body or (store(N),))
    defined(*body, returns=VOID)
    defined(*body, VALUE)


@pytest.mark.parametrize(
    "body",
    [
        (VALUE,),
        (VALUE, store(N)),
        (If(N, (VALUE,), (Braces((VALUE,)),)),),
        (WhileLoop(FOREVER, (store(N),), False),),
        (WhileLoop(number(1), (If(N, (VALUE,)), around(BREAK), WhileLoop(N, (BREAK,), False)), False),),
        (WhileLoop(ZERO, (store(N), VALUE), True),),
        (WhileLoop(number(1), (If(N, (CONTINUE,)), VALUE), True),),
    ],
)
def test_loops_that_nothing_leaves_have_no_end(body: tuple[Node, ...]) -> None:
    defined(*body)
