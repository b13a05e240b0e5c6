"""Records of the tree as templates print them."""

from __future__ import annotations

from typing import Any

from pencilc.codegen.bodies import set_to
from pencilc.codegen.cstmt import TextIf, TextLine
from pencilc.codegen.printed import printed
from pencilc.ir.bins import BinResult, BinSet, Runs
from pencilc.ir.build import ONE, ZERO, evaluate
from pencilc.ir.host import HostFor, RangePart
from pencilc.ir.launches import LaunchParallel
from pencilc.ir.nodes import If, Parameter, Switch
from pencilc.ir.source import BOOL, FLOAT, INT, PointerType
from pencilc.options import ParallelLaunch
from tests.unit.codegen.programs import A, B, N


def shown(record: object) -> Any:
    """What a template is given for a record."""
    return printed(record)


def test_expressions_and_types_of_a_record_are_text_and_its_class_stays() -> None:
    loop = HostFor(BOOL, "i", ZERO, N, 2, ())
    made = shown(loop)
    assert isinstance(made, HostFor)
    assert [str(of) for of in (made.type, made.lower, made.upper)] == ["bool", "0", "n"]
    assert isinstance(made.type, str) and (made.step, made.name) == (2, "i")
    assert (loop.upper, loop.type) == (N, BOOL)


def test_what_has_nothing_to_print_is_left_as_it_is() -> None:
    words = {"a": ("x", 1, True, None)}
    assert shown(words) == words and shown(("text",)) == ("text",)
    kept = object()
    assert shown([kept]) == [kept]
    constant = RangePart(None, ZERO, ONE)
    assert shown(constant).condition is None


def test_statements_are_lines_and_some_are_several() -> None:
    assert shown(set_to(A, B)) == TextLine("a = b;")
    assert shown((If(A, (set_to(A, B),)),)) == (TextIf("a", (TextLine("a = b;"),), ()),)
    switch = Switch(A, ((1, evaluate("f")),), evaluate("g"))
    assert [str(line) for line in shown((set_to(A, B), switch))] == [
        "a = b;", "switch (a) {", "case 1: f(); break;", "default: g();", "}",
    ]  # fmt: skip


def test_a_pair_of_a_parameter_and_an_argument() -> None:
    assert shown(((Parameter("p", PointerType(FLOAT), is_const=True), A),)) == (("const float *p", "a"),)


def test_a_launch_stays_a_record() -> None:
    launch = LaunchParallel(name="f", block=256, arguments=(N, A), extents=(N,), launch=ParallelLaunch())
    made = shown(launch)
    assert isinstance(made, LaunchParallel) and (made.kind, made.launched_by) == ("launch", "parallel")
    assert [*map(str, made.arguments), *map(str, made.extents)] == ["n", "a", "n"] and made.launch == ParallelLaunch()


def test_records_inside_of_records() -> None:
    runs = Runs(N, ONE, A, "@starts")
    first, (second,) = shown((runs, (runs,)))
    assert first == second and (first.count, first.inner, first.points, first.starts) == ("n", "1", "a", "@starts")
    bins = BinSet("h", "k_h", INT, 4, "add", "zero", None, "", "", "order", ((0, 4),), False, 1, 0, 1)
    made = shown(BinResult(bins, N, A, set_to(A, B, "+")))
    assert (str(made.bins.type), str(made.home)) == ("int", "a += b;")
    assert (made.bins.identity, made.bins.filled) == (None, ((0, 4),))
