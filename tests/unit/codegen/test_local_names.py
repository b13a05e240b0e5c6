"""What functions of the output call the variables of their building blocks."""

from __future__ import annotations

import pytest

from pencilc.codegen.bodies import set_to
from pencilc.codegen.cexpr import expression, parameter
from pencilc.codegen.cstmt import TextBlock, TextLine, texts
from pencilc.codegen.local_names import LocalNames, names_printed
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import ZERO, call, cast, declare, element, generated_type, member, symbol, variable
from pencilc.ir.nodes import For, Parameter, SharedDecl
from pencilc.ir.segments import Segment
from pencilc.ir.source import FLOAT, INT, PointerType, Struct
from tests.unit.codegen.programs import A, N, functions

PAIR = Struct("Pair", (), 8, 4)


def test_a_name_is_what_is_wished_for_unless_something_has_it() -> None:
    names = LocalNames({"count", "row", "row_"})
    assert [names[wish] for wish in ("count", "row", "at", "count")] == ["count_", "row__", "at", "count_"]


def test_two_wishes_never_have_one_name() -> None:
    names = LocalNames({"x"})
    assert (names["x"], names["x_"]) == ("x_", "x__")


def test_names_of_the_tree_are_spelled_and_others_stay() -> None:
    names = LocalNames({"thread_of_part"})
    assert [names.spell(name) for name in ("count", "@count", "@thread_of_part.x")] == [
        "count", "count", "thread_of_part_.x",
    ]  # fmt: skip


def test_the_type_of_indices_has_a_name_too() -> None:
    assert LocalNames({"index"}, "long long")["index"] == "long long" and LocalNames({"index"})["index"] == "index_"


def test_a_member_is_one_of_a_variable() -> None:
    names = LocalNames({"value", "sum"})
    assert (names["value.sum"], names["value"], names["left.sum"]) == ("value_.sum", "value_", "left.sum")


@pytest.mark.parametrize("wish", ["", "a b", "count * 4", "3"])
def test_what_can_be_no_name_is_a_fault(wish: str) -> None:
    with pytest.raises(CompilerBug, match="is no name"):
        LocalNames()[wish]


# ---- what a function has of the source -----------------------------------------------------------------


def test_names_of_records_are_variables_functions_constants_and_types_but_no_members() -> None:
    body = set_to(element(A, ZERO, FLOAT), call("first", member(variable("p", PAIR), "count", INT)))
    assert names_printed(body) == {"a", "p", "Pair", "first"}
    assert names_printed(cast(PointerType(PAIR), N)) == {"n", "Pair"}
    loop = For(symbol("i"), ZERO, N, (declare("t", generated_type("f_all0_acc")), SharedDecl("s", INT, 4)))
    assert names_printed(loop) == {"i", "n", "t", "f_all0_acc", "s"}
    assert names_printed(Segment("@element", (Parameter("x", FLOAT),), (body,), A, N, N, None, (), 1, 1, 1)) == {
        "x", "a", "n", "p", "Pair", "first",
    }  # fmt: skip


def test_a_kernel_has_what_its_source_names() -> None:
    (made,) = functions("float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); b[0] = s;").values()
    assert {"n", "a", "b", "s", "add"} <= names_printed(made) and "acc" not in names_printed(made)


def test_printers_spell_what_they_print() -> None:
    spell = LocalNames({"at", "x", "put"}).spell
    assert expression(element(variable("@x", PointerType(INT)), call("@put", variable("@at")), INT), spell) == (
        "x_[put_(at_)]"
    )
    assert parameter(Parameter("@x", PointerType(INT), is_const=True), spell) == "const int *x_"
    loop = For(symbol("@at"), ZERO, variable("@x"), (declare("@y", INT, variable("@at")), SharedDecl("@at", INT, 4)))
    (block,) = texts((loop,), spell)
    assert isinstance(block, TextBlock)
    assert (block.head, block.body) == (
        "for (int at_ = 0; at_ < x_; at_++)", (TextLine("int y = at_;"), TextLine("__shared__ int at_[4];")),
    )  # fmt: skip
