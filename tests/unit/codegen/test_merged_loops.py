"""Short loops are merged into the loop around them."""

from __future__ import annotations

from pencilc.codegen.astgen import AstFor, AstInstance, AstLet, AstNode
from pencilc.codegen.merged_loops import merged
from pencilc.ir.build import ZERO, number
from pencilc.ir.source import INT, LLONG, Expr
from tests.unit.codegen.programs import N, told

POINT = AstInstance("S0", ())
TYPES = {"i": INT, "c": INT, "d": INT}


def loop(name: str, upper: Expr, body: AstNode, lower: Expr = ZERO) -> AstFor:
    return AstFor(name, lower, upper, 1, False, body)


def lets(node: AstNode) -> dict[str, str]:
    """The values of the iterators that are found again."""
    found = {}
    while isinstance(node, AstLet):
        found[node.name] = told(node.value)[0]
        node = node.body
    assert node is POINT
    return found


def test_a_short_loop_is_found_again_as_quotient_and_remainder() -> None:
    made, through = merged(loop("i", N, loop("c", number(3), POINT)), ("i", "c"), TYPES, LLONG)
    assert isinstance(made, AstFor) and told(made.lower, made.upper) == ["0", "(long long)n * 3"]
    assert lets(made.body) == {"i": "(int)(@i_c / 3)", "c": "(int)(@i_c % 3)"}
    assert through == {"@i_c": ("i", "c")}


def test_a_loop_that_fills_a_warp_stays() -> None:
    ast = loop("i", N, loop("c", number(32), POINT))
    assert merged(ast, ("i", "c"), TYPES, LLONG) == (ast, {"i": ("i",), "c": ("c",)})
    ast = loop("i", N, loop("c", N, POINT))
    assert merged(ast, ("i", "c"), TYPES, LLONG)[0] == ast


def test_several_short_loops_become_one() -> None:
    ast = loop("i", N, loop("c", number(2), loop("d", number(3), POINT)))
    made, through = merged(ast, ("i", "c", "d"), TYPES, LLONG)
    assert isinstance(made, AstFor) and told(made.upper) == ["(long long)n * 6"]
    assert through == {"@i_c_d": ("i", "c", "d")}


def test_lower_bounds_are_kept() -> None:
    made, _ = merged(loop("i", N, loop("c", number(4), POINT, number(1)), number(2)), ("i", "c"), TYPES, LLONG)
    assert isinstance(made, AstFor) and told(made.upper) == ["(long long)(n - 2) * 3"]
    assert lets(made.body) == {"i": "(int)(2 + @i_c / 3)", "c": "(int)(1 + @i_c % 3)"}


def test_only_a_nest_of_nothing_but_loops_of_step_one() -> None:
    strided = AstFor("i", ZERO, N, 2, False, loop("c", number(3), POINT))
    assert merged(strided, ("i", "c"), TYPES, LLONG)[0] == strided
