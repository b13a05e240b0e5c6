"""The verifier of isl's loops: what isl makes passes, and loops that lose, repeat or shift instances are refused."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from pencilc.codegen.ast_verifier import verify_ast
from pencilc.codegen.astgen import AstBlock, AstFor, AstIf, AstInstance, AstLet, AstNode, generate, schedule_of
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import ONE, ZERO, binary, number, variable
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree
from pencilc.ir.source import INT
from tests.unit.codegen.programs import ITER, N
from tests.unit.codegen.test_astgen import AFFINE, ANY, ast, row

WHOLE = "S[i] : 0 <= i < n"
LOOP = AstFor("i", ZERO, N, 1, False, AstInstance("S", (ITER,)))


def verify(node: AstNode, *domains: str, dealt: dict[str, Row] | None = None) -> None:
    verify_ast(node, [isl.Set(f"[n, m] -> {{ {text} }}") for text in domains], ANY, AFFINE, dealt or {})


@pytest.mark.parametrize(
    ("tree", "domains"),
    [
        (Band((row("S[i] -> [(i)]"),), Leaf("S")), (WHOLE,)),
        (Band((row("S[i] -> [(-i)]"),), Leaf("S")), ("S[i] : 0 <= i < n and i mod 3 = 1",)),
        (Band((row("S[i, j] -> [(i + j)]"),), Leaf("S")), ("S[i, j] : 0 <= i < n and 0 <= j <= i",)),
        (
            Band((row("S[i] -> [(i)]", "T[i] -> [(i)]"),), Sequence((Leaf("S"), Leaf("T")))),
            ("S[i] : i = 0 and m > 2", "T[i] : 0 < i < n and floor(i/2) < m"),
        ),
        (Band((row("S[i] -> [(i)]"),), Leaf("S")), ("S[i] : 0 <= i < n and i < 100000",)),
    ],
)
def test_what_isl_makes_passes(tree: Tree, domains: tuple[str, ...]) -> None:
    verify(ast(tree, *domains), *domains)


def test_an_instance_that_is_not_executed() -> None:
    with pytest.raises(CompilerBug, match=r"loops do not execute S\[0\]"):
        verify(replace(LOOP, lower=ONE), WHOLE)
    with pytest.raises(CompilerBug, match=r"loops do not execute S\["):
        verify(AstIf(binary(">", N, number(4)), LOOP, None), WHOLE)


def test_an_instance_that_is_executed_twice_or_is_none() -> None:
    with pytest.raises(CompilerBug, match=r"loops execute S\[0\] twice"):
        verify(AstBlock((LOOP, LOOP)), WHOLE)
    with pytest.raises(CompilerBug, match=r"without need"):
        verify(LOOP, "S[i] : 0 < i < n")
    with pytest.raises(CompilerBug, match=r"loops execute S\[0\] twice"):
        verify(replace(LOOP, body=AstInstance("S", (ZERO,))), WHOLE)


def test_an_instance_of_another_point() -> None:
    """A thread does what another one's point is: in order for one thread, and a race for two."""
    shifted = AstInstance("S", (binary("+", ITER, ONE),))
    loop = replace(LOOP, lower=number(-1), upper=binary("-", N, ONE), body=shifted)
    verify(loop, WHOLE)
    with pytest.raises(CompilerBug, match=r"the iteration i = -1 executes S\[0\], which is that of 0"):
        verify(loop, WHOLE, dealt={"i": row("S[i] -> [(i)]")})
    verify(loop, WHOLE, dealt={"i": row("S[i] -> [(i - 1)]")})


def test_values_of_their_own_are_followed() -> None:
    let = AstLet(INT, "k", binary("-", binary("-", N, ONE), ITER), AstInstance("S", (variable("k"),)))
    verify(replace(LOOP, body=let), WHOLE)


def test_rows_that_are_dealt_out_of_several_statements() -> None:
    """Every second element is that of one statement, the others that of another one."""
    tree = Band((row("S[i] -> [(i)]", "T[i] -> [(i)]"),), Sequence((Leaf("S"), Leaf("T"))))
    domains = ("S[i] : 0 <= i < n and i mod 2 = 1", "T[i] : 0 <= i < n and i mod 2 = 0")
    sets = {text[0]: isl.Set(f"[n, m] -> {{ {text} }}") for text in domains}
    made = generate(schedule_of(tree, sets), ANY, ("i",), AFFINE)
    verify(made, *domains)
