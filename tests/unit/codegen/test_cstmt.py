"""Statements and definitions as lines of C++."""

from __future__ import annotations

from pencilc.codegen.bodies import set_to
from pencilc.codegen.cstmt import Text, TextBlock, TextIf, TextLine, definition, texts
from pencilc.ir.build import (
    UNSIGNED,
    ZERO,
    binary,
    call,
    declare,
    evaluate,
    generated_type,
    negation,
    number,
    symbol,
    variable,
)
from pencilc.ir.definitions import TEMPLATE_TYPE, DeviceFunction, NamedConstant, StructDefinition, Table
from pencilc.ir.nodes import For, If, Node, Parameter, SharedDecl, Switch, Sync, WhileLoop
from pencilc.ir.segments import Segment
from pencilc.ir.source import (
    CHAR,
    FLOAT,
    INT,
    SCHAR,
    SHORT,
    UINT,
    VOID,
    ArrayType,
    CallStmt,
    Initializer,
    Jump,
    Member,
    PointerType,
    Return,
    Struct,
)
from tests.unit.codegen.programs import NOWHERE, A, B, C

STORE = set_to(A, B)
PAIR = Struct("pair", (Member("x", INT, 0), Member("new", ArrayType(CHAR, number(4)), 4)), 8, 4)


def lines(*nodes: Node) -> list[str]:
    """Nodes that are lines."""
    return [str(text) for text in texts(nodes)]


def head(loop: For) -> str:
    """The head of a loop."""
    (text,) = texts((loop,))
    assert isinstance(text, TextBlock)
    return text.head


def test_simple_statements() -> None:
    assert lines(STORE, set_to(A, B, "+"), evaluate("f", A), Jump("break", NOWHERE)) == [
        "a = b;", "a += b;", "f(a);", "break;",
    ]  # fmt: skip
    assert lines(Return(A, NOWHERE), Return(None, NOWHERE)) == ["return a;", "return;"]


def test_declarations() -> None:
    assert lines(declare("x", INT), declare("x", INT, A, is_const=True)) == ["int x;", "const int x = a;"]
    pointer = PointerType(FLOAT)
    assert lines(declare("p", pointer, A), declare("p", pointer, A, is_const=True)) == [
        "float *p = a;", "float *const p = a;",
    ]  # fmt: skip


def test_braces_of_a_struct_need_no_type_where_it_is_declared() -> None:
    value = Initializer((A, B), PAIR, NOWHERE)
    assert lines(declare("s", PAIR, value), set_to(A, value)) == ["pair s = {a, b};", "a = pair{a, b};"]


def test_shared_memory() -> None:
    assert lines(SharedDecl("t", FLOAT, 1), SharedDecl("s", generated_type("uint4"), None)) == [
        "__shared__ float t[1];", "extern __shared__ uint4 s[];",
    ]  # fmt: skip


def test_building_blocks_are_left_to_their_templates() -> None:
    assert texts((Sync("block"),)) == (Sync("block"),)


def test_loops_say_how_they_go_on() -> None:
    i, u = symbol("i"), symbol("u", UINT)
    assert head(For(i, ZERO, A, ())) == "for (int i = 0; i < a; i++)"
    assert head(For(i, A, ZERO, (), number(-1), ">=")) == "for (int i = a; i >= 0; i--)"
    assert head(For(i, ZERO, binary("<", A, B), (), number(4))) == "for (int i = 0; i < (a < b); i += 4)"
    assert head(For(i, ZERO, A, (), binary("*", B, C), declares=False)) == "for (i = 0; i < a; i += b * c)"
    assert head(For(u, A, ZERO, (), number(-2), ">")) == "for (unsigned int u = a; u > 0; u -= 2)"


def test_a_loop_without_a_body_keeps_its_braces() -> None:
    assert texts((For(symbol("i"), ZERO, A, ()),)) == (TextBlock("for (int i = 0; i < a; i++)", ()),)
    assert texts(()) == ()


def test_conditions_nest() -> None:
    inner: tuple[Text, ...] = (TextIf("!a", (), (TextLine("a = b;"),)),)
    assert texts((If(A, (If(negation(A), (), (STORE,)),)),)) == (TextIf("a", inner, ()),)


def test_while_loops() -> None:
    assert texts((WhileLoop(A, (STORE,), do_first=True), WhileLoop(A, (), do_first=False))) == (
        TextBlock("do", (TextLine("a = b;"),), " while (a);"),
        TextBlock("while (a)", ()),
    )


def test_a_switch_breaks_behind_each_case() -> None:
    made = Switch(A, ((-1, evaluate("f")), (4, evaluate("f<4>"))), CallStmt(call("g"), NOWHERE))
    assert lines(made) == ["switch (a) {", "case -1: f(); break;", "case 4: f<4>(); break;", "default: g();", "}"]


def test_a_run_of_points_is_left_to_its_template() -> None:
    segment = Segment("@element", (), (), ZERO, ZERO, A, None, (), 1, 1, 1)
    assert texts((segment,)) == (segment,)


def test_types_constants_and_tables() -> None:
    assert definition(StructDefinition(PAIR)) == ("struct pair {", "    int x;", "    char new_[4];", "};")
    assert definition(NamedConstant("RED", -3)) == ("static constexpr int RED = -3;",)
    values = Initializer((number(1), number(2)), ArrayType(INT, number(2)), NOWHERE)
    table = Table("__constant__", "t", ArrayType(INT, number(2)), values)
    assert definition(table) == ("static __constant__ int t[2] = {1, 2};",)


def test_functions_of_the_device_alone() -> None:
    parameters = (Parameter("a", PointerType(FLOAT), is_const=True), Parameter("n", UNSIGNED))
    made = DeviceFunction("f", VOID, parameters, (If(A, (STORE,), (Jump("break", NOWHERE),)),))
    assert definition(made) == (
        "static __device__ __forceinline__ void f(const float *a, unsigned n)",
        "{",
        "    if (a) {",
        "        a = b;",
        "    } else {",
        "        break;",
        "    }",
        "}",
    )


def test_functions_of_the_host_too_have_both_bodies_where_these_differ() -> None:
    both = DeviceFunction("f", INT, (), (Return(A, NOWHERE),), for_host=True, on_host=(Return(B, NOWHERE),))
    assert definition(both) == (
        "static __host__ __device__ __forceinline__ int f()", "{", "#ifdef __CUDA_ARCH__", "    return a;", "#else",
        "    return b;", "#endif", "}",
    )  # fmt: skip


def test_functions_that_other_files_call_keep_their_name_for_the_linker() -> None:
    made = DeviceFunction("new_", INT, (), (), for_host=True, always=True, link_name="new")
    head = 'extern "C" __host__ __device__ int new_()'
    assert definition(made) == (f'{head} __asm__("new");', head, "{", "}")


def test_templates_say_of_what() -> None:
    x = variable("x", TEMPLATE_TYPE)
    parameters, body = (Parameter("x", TEMPLATE_TYPE), Parameter("n", INT)), (Return(x, NOWHERE),)
    made = DeviceFunction("f", TEMPLATE_TYPE, parameters, body, is_template=True)
    head = "static __device__ __forceinline__ T f(T x, int n)"
    assert definition(made) == ("template <typename T>", head, "{", "    return x;", "}")


def test_narrow_signed_counters_may_wrap() -> None:
    """nvcc 13.0 makes a loop without an end of `for (signed char c = 120; c != -125; c++)`."""
    for ctype, steps in ((SCHAR, ("c += 1", "c -= 1")), (SHORT, ("c += 1", "c -= 1")), (INT, ("c++", "c--"))):
        for value, step in zip((1, -1), steps, strict=True):
            made = head(For(symbol("c", ctype), ZERO, number(9), (STORE,), number(value), relation="!="))
            assert made.endswith(f"; c != 9; {step})")


def test_nvcc_is_told_of_loops_that_are_seldom_done_twice() -> None:
    rare, loop = texts((For(symbol("i"), ZERO, number(9), (STORE,), is_rare=True),))
    assert str(rare) == "#pragma unroll 1" and isinstance(loop, TextBlock)


def test_what_there_is_a_thread_for_each_of_is_an_if() -> None:
    (made,) = texts((For(symbol("i"), ZERO, number(9), (STORE,), number(64), is_covered=True),))
    assert isinstance(made, TextBlock) and made.head == "if (const int i = 0; i < 9)"
