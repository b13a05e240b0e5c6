"""Statements and functions of the source as those of the output."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.bodies import assign, function, parameter, set_to, statement
from pencilc.codegen.lowering import Bindings, LinearArray
from pencilc.ir import source as src
from pencilc.ir.build import ONE, ZERO, binary, call, declare, evaluate, number, symbol, variable
from pencilc.ir.nodes import For, If, Parameter, WhileLoop
from pencilc.ir.source import FLOAT, INT, LLONG, UINT, ArrayType, PointerType
from tests.unit.codegen.programs import ITER, NOWHERE, A, B, C, N, told, unit
from tests.unit.records import HEAD, TAIL

NOTHING = Bindings()


def definition(text: str, call: str) -> src.Function:
    """The function `g` of a text; `call` calls it."""
    found = unit(f"{text}\n{HEAD} a[0] = {call}; {TAIL}").function("g")
    assert found is not None
    return found


PRODUCT = definition("static float g(float a) { return a * a; }", "g(b[0])")


def test_blocks_vanish_and_conditions_stay() -> None:
    store = src.Assign(A, B, NOWHERE)
    block = src.Block((store, src.If(C, src.Block((), NOWHERE), store, NOWHERE)), NOWHERE)
    assert statement(block, NOTHING) == (set_to(A, B), If(C, (), (set_to(A, B),)))


def test_what_only_the_analysis_needs_is_no_code() -> None:
    nothing = (src.Assume(A, NOWHERE), src.Kill(A, NOWHERE), src.ReductionInit(A, src.KEEP, NOWHERE))
    assert [statement(each, NOTHING) for each in nothing] == [(), (), ()]


def test_loops_keep_their_direction_and_the_type_of_their_counter() -> None:
    down = src.For(symbol("u", UINT), N, ">", ZERO, -2, src.Block((), NOWHERE), True, False, NOWHERE)
    assert statement(down, NOTHING) == (For(symbol("u", UINT), N, ZERO, (), number(-2), ">"),)
    own = src.For(symbol("i"), ZERO, "<", N, 1, src.Jump("break", NOWHERE), False, False, NOWHERE)
    (made,) = statement(own, Bindings({"i": variable("i_1")}))
    assert isinstance(made, For) and made.iterator.name == "i_1" and not made.declares
    until = src.While(A, src.Jump("continue", NOWHERE), True, NOWHERE)
    assert statement(until, NOTHING) == (WhileLoop(A, (src.Jump("continue", NOWHERE),), True),)


def test_a_reduction_in_one_thread_is_a_call() -> None:
    update = src.ReductionUpdate(A, B, "max", NOWHERE)
    assert statement(update, NOTHING) == (set_to(A, call("max_", A, B, returns=INT)),)
    (init,) = statement(src.ReductionInit(A, "zero", NOWHERE), NOTHING)
    assert isinstance(init, src.CallStmt) and told(init.call) == ["zero(&a)"]


def test_declarations_are_safe_and_those_that_live_elsewhere_are_stores() -> None:
    local = src.Declare(symbol("max"), B, NOWHERE)
    assert statement(local, NOTHING) == (declare("max_", INT, B),)
    assert statement(local, Bindings({"max": A})) == (set_to(A, B),)
    assert statement(src.Declare(symbol("max"), None, NOWHERE), Bindings({"max": A})) == ()


def test_compound_assignments_stay_as_they_were_written() -> None:
    x = variable("x", FLOAT)
    product = binary("*", x, x)
    whole = src.Assign(x, product, NOWHERE, "*")
    assert assign(whole, NOTHING) == (set_to(x, x, "*"),)
    assert assign(src.Assign(A, src.Cast(binary("+", A, B), INT, NOWHERE), NOWHERE, "+"), NOTHING) == (
        set_to(A, B, "+"),
    )
    (pinned,) = assign(whole, Bindings(pinned=True))
    assert isinstance(pinned, src.Assign) and not pinned.compound and told(pinned.value) == ["__fmul_rn(x, x)"]


@pytest.mark.parametrize(("count", "looped"), [(4, False), (5, True)])
def test_an_array_is_filled_element_by_element_and_many_zeros_in_a_loop(count: int, looped: bool) -> None:
    of = ArrayType(INT, number(count + 1))
    values = src.Initializer((ONE, *(ZERO for _ in range(count))), of, NOWHERE)
    first, *rest = assign(src.Assign(variable("t", of), values, NOWHERE), NOTHING)
    assert isinstance(first, src.Assign) and told(first.target, first.value) == ["t[0]", "1"]
    if not looped:
        assert [told(each.target) for each in rest if isinstance(each, src.Assign)] == [
            [f"t[{k + 1}]"] for k in range(4)
        ]
        return
    (loop,) = rest
    assert isinstance(loop, For) and (loop.lower, loop.bound) == (ONE, number(count + 1))
    assert loop.iterator.name == "@at"


def test_a_helper_has_pointers_and_linear_subscripts() -> None:
    made = function(
        definition("static float g(int n, const float t[4][n], int i) { return t[i][n - 1]; }", "g(m, x, 0)")
    )
    assert made.parameters == (
        Parameter("n", INT),
        Parameter("t", PointerType(FLOAT), is_const=True),
        Parameter("i", INT),
    )
    (back,) = made.body
    assert isinstance(back, src.Return) and back.value is not None
    assert told(back.value) == ["t[(long long)i * n + n - 1]"]


def test_the_host_has_a_body_of_its_own_only_where_something_is_pinned() -> None:
    plain = definition("static float g(float a) { return a + a; }", "g(b[0])")
    both = function(PRODUCT, pinned=True, for_host=True)
    assert both.on_host and both.on_host != both.body and both.on_host == function(PRODUCT).body
    assert function(plain, pinned=True, for_host=True).on_host == function(PRODUCT, for_host=True).on_host == ()
    assert function(PRODUCT, pinned=True).on_host == ()


def test_a_function_that_other_files_call_keeps_its_name_for_the_linker() -> None:
    kept, inner = (function(replace(PRODUCT, name="norm", is_exported=flag)) for flag in (True, False))
    assert (kept.name, kept.always, kept.link_name) == ("norm_", True, "norm")
    assert (inner.name, inner.always, inner.link_name) == ("norm_", False, "")
    assert function(replace(PRODUCT, is_exported=True)).link_name == ""
    assert function(replace(PRODUCT, is_exported=True, link_name="other")).link_name == "other"


def test_parameters_that_are_pointers_point_to_const() -> None:
    declared = symbol("v", PointerType(LLONG, is_const=True))
    assert parameter(declared) == Parameter("v", PointerType(LLONG), is_const=True)
    assert parameter(symbol("new", INT)) == Parameter("new_", INT)
    assert parameter(symbol("t", ArrayType(ArrayType(INT, N), None)), "u") == Parameter("u", PointerType(INT))


def test_an_assignment_to_an_element_in_memory() -> None:
    target = src.Index(variable("t", ArrayType(FLOAT, N)), ITER, FLOAT, NOWHERE)
    (made,) = assign(src.Assign(target, ZERO, NOWHERE), Bindings(arrays={"t": LinearArray("memory")}))
    assert isinstance(made, src.Assign) and told(made.target) == ["memory[i]"]


def test_a_call_for_its_effect() -> None:
    assert statement(evaluate("f", A), NOTHING) == (evaluate("f", A),)
