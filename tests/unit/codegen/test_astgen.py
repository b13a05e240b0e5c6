"""Loops of isl's schedules, with expressions of the output."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc import islx
from pencilc.codegen.astgen import (
    Affine,
    AstBlock,
    AstFor,
    AstIf,
    AstInstance,
    AstLet,
    AstNode,
    generate,
    has_loop,
    pieces_around_loops,
    schedule_of,
    signed,
    visit,
)
from pencilc.ir.build import ONE, ZERO, cast, number, variable
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree
from pencilc.ir.source import INT, LLONG, UCHAR, UINT, ULLONG, CType
from tests.unit.codegen.programs import ITER, A, told

ANY = isl.Set("[n, m] -> { : }")
AFFINE = Affine({"n": variable("n"), "m": signed("m", UINT)})


def ast(tree: Tree, *domains: str, names: str = "i j") -> AstNode:
    """The loops over domains without their parameters."""
    sets = [isl.Set(f"[n, m] -> {{ {text} }}") for text in domains]
    return generate(schedule_of(tree, {islx.set_name(s): s for s in sets}), ANY, tuple(names.split()), AFFINE)


def row(*functions: str) -> Row:
    """A row of the schedule."""
    return Row("P", isl.UnionPwAff("[n, m] -> { " + "; ".join(functions) + " }"))


def loop(domain: str) -> AstFor:
    """The loop over a domain of one dimension."""
    made = ast(Band((row("S[i] -> [(i)]"),), Leaf("S")), f"S[i] : {domain}")
    while isinstance(made, AstIf):
        made = made.then
    assert isinstance(made, AstFor)
    return made


def test_a_loop_ends_before_its_bound() -> None:
    made = loop("0 <= i < n")
    assert made == AstFor("i", ZERO, variable("n"), 1, False, AstInstance("S", (ITER,)))


def bounds(domain: str, context: str) -> list[str]:
    """The ends of the loop over a domain where parameters are known to be so."""
    known, points = (isl.Set(f"[n, m] -> {{ {text} }}") for text in (f": {context}", f"S[i] : {domain}"))
    schedule = schedule_of(Band((row("S[i] -> [(i)]"),), Leaf("S")), {"S": points})
    made = generate(schedule, known, ("i",), Affine({"n": variable("n"), "m": variable("m")}))
    assert isinstance(made, AstFor)
    return told(made.lower, made.upper)


@pytest.mark.parametrize(
    ("context", "ends"),
    [
        ("2 <= n <= m - 3", ["n - 2", "n + 3"]),
        ("2 <= n <= m - 2", ["n - 2", "(long long)n + 2 + 1"]),
        ("2 <= n <= 1000", ["n - 2", "n + 3"]),
        ("2 <= n", ["n - 2", "(long long)n + 2 + 1"]),
    ],
)
def test_bounds_in_32_bits_where_they_are_known_to_stay_there(context: str, ends: list[str]) -> None:
    assert bounds("n - 2 <= i <= n + 2", context) == ends


def test_bounds_in_64_bits_where_a_sum_may_leave_32() -> None:
    made = loop("m <= i <= n + m")
    assert told(made.lower, made.upper) == ["(long long)m", "(long long)n + (long long)m + 1"]


def test_steps() -> None:
    made = loop("0 <= i < n and i mod 3 = 0")
    assert made.step == 3 and told(made.upper) == ["n"]


def test_a_row_of_one_value_has_no_loop() -> None:
    made = ast(Band((row("S[i] -> [(i)]"),), Leaf("S")), "S[i] : i = 3")
    assert made == AstInstance("S", (number(3),))


def test_an_empty_domain_is_nothing() -> None:
    assert ast(Leaf("S"), "S[i] : 1 = 0") == AstBlock(())
    both = Sequence((Leaf("S"), Leaf("T")))
    assert ast(both, "S[] : 1 = 0", "T[]") == AstInstance("T", ())


def test_a_sequence_keeps_its_order() -> None:
    both = Sequence((Leaf("T"), Leaf("S")))
    assert ast(both, "S[]", "T[]") == AstBlock((AstInstance("T", ()), AstInstance("S", ())))


def test_conditions_of_parameters_stand_around() -> None:
    made = ast(Leaf("S"), "S[] : n > m")
    assert isinstance(made, AstIf) and made.otherwise is None and made.then == AstInstance("S", ())
    assert told(made.condition) == ["n >= (long long)m + 1"]


# ---- expressions --------------------------------------------------------------------------------------


def value(text: str) -> str:
    """The text of a function of the parameters."""
    return told(AFFINE.value(isl.PwAff(f"[n, m] -> {{ {text} }}"), ANY))[0]


def test_divisions_round_down() -> None:
    assert value("[(floor(n/2))]") == "pencilc_floor_div(n, 2)"
    assert value("[(n mod 4)]") == "n - 4 * pencilc_floor_div(n, 4)"


def test_unsigned_parameters_are_widened_and_differences_are_not() -> None:
    assert value("[(m)]") == "(long long)m" and value("[(n - 1)]") == "n - 1" and value("[(-n)]") == "-n"
    assert value("[(n)] : n > 0; [(m)] : n <= 0") == "n >= 1 ? n : (long long)m"


@pytest.mark.parametrize(("ctype", "wide"), [(UINT, True), (ULLONG, True), (UCHAR, True), (INT, False), (LLONG, False)])
def test_only_unsigned_types_are_widened(ctype: CType, wide: bool) -> None:
    plain = variable("m", ctype)
    assert signed("m", ctype) == (cast(LLONG, plain) if wide else plain)


def test_conditions_say_what_is_not_known_yet() -> None:
    positive = isl.Set("[n, m] -> { : n > 0 }")
    assert AFFINE.condition(positive, positive) is None and AFFINE.condition(ANY, ANY) is None
    both = AFFINE.condition(isl.Set("[n, m] -> { : n > 0 and m > 3 }"), positive)
    assert both is not None and told(both) == ["(long long)m >= 4"]


# ---- what stands in a tree ----------------------------------------------------------------------------

CALL = AstInstance("S", ())


def around(node: AstNode, name: str = "j") -> AstFor:
    """A loop around a node."""
    return AstFor(name, ZERO, A, 1, False, node)


def test_loops_are_found_by_name() -> None:
    inside = AstIf(A, CALL, AstLet(INT, "k", ONE, AstBlock((CALL, around(CALL)))))
    assert has_loop(inside, ("j",)) and not has_loop(inside, ("i", "k")) and not has_loop(CALL, ("j",))
    assert has_loop(around(around(CALL), "i"), ("j",)) and not has_loop(around(CALL), ())


def test_what_stands_beside_a_loop_is_one_piece() -> None:
    loop = around(CALL)
    assert pieces_around_loops(AstBlock((CALL, CALL, loop, CALL)), ("j",)) == (
        AstBlock((CALL, CALL)),
        loop,
        AstBlock((CALL,)),
    )
    assert pieces_around_loops(AstBlock((loop, loop)), ("i",)) == (AstBlock((loop, loop)),)
    assert pieces_around_loops(AstBlock(()), ("j",)) == ()


def test_every_instance_is_visited() -> None:
    found: list[str] = []
    tree = AstBlock((AstIf(A, AstInstance("T", ()), CALL), around(AstLet(INT, "k", ONE, AstInstance("U", ())))))
    visit(tree, lambda instance: found.append(instance.statement))
    assert found == ["T", "S", "U"]
