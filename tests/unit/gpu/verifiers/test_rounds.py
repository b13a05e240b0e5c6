"""The verifier of loops that data end, for launches written by hand: what stands on the wrong side is found."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import islpy as isl
import pytest

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.gpu.verifiers.rounds import verify_rounds
from pencilc.ir.build import symbol
from pencilc.ir.mapping import HostItem, HostLoop
from pencilc.ir.scop import Loop, Statement, StatementKind
from pencilc.ir.shapes import Kernel, SingleKernel
from tests.unit.gpu.kernels import by_hand

OUTER, INNER, OTHER = (Loop(k, symbol("ijk"[k]), 1, False) for k in range(3))
ROW: Any = object()


def statement(name: str, *loops: Loop, kind: StatementKind = StatementKind.ORDINARY) -> Statement:
    """A statement below loops."""
    return Statement(name, kind, (), isl.Set("{ [] }"), None, (), (), UNKNOWN_SPAN, loops)


# for (i) { S0; LEAVE; S2; } S3, and a reduction of S2 with its merge node.
LEAVE = statement("LEAVE", OUTER, kind=StatementKind.LEAVE)
STATEMENTS = (statement("S0", OUTER), LEAVE, statement("S2", OUTER), statement("S3"), statement("M0", OUTER))
S0, LEAVES, S2, S3 = (by_hand(SingleKernel, name=f"k_{name}", prologue=(name,)) for name in ("S0", "LEAVE", "S2", "S3"))


def loop(*items: HostItem, **fields: Any) -> HostLoop:
    """A loop on the host."""
    return HostLoop("i", ROW, items, **fields)


def verify(*items: HostItem, statements: tuple[Statement, ...] = STATEMENTS, sequential: str = "") -> None:
    """Verifies launches of these."""
    by_name = {each.name: each for each in statements}
    reduction = SimpleNamespace(merge="M0", updates=("S2",))
    scop = SimpleNamespace(statements=statements[:-1], reductions=(reduction,), statement=by_name.__getitem__)
    program: Any = SimpleNamespace(scop=scop, items=items, sequential=sequential)
    verify_rounds(program)


def refused(message: str, *items: HostItem, **around: Any) -> None:
    with pytest.raises(CompilerBug, match=message):
        verify(*items, **around)


def test_what_stands_before_the_end_of_a_round_is_done_before_it() -> None:
    verify(loop(S0, LEAVES, S2), S3)
    verify(loop(LEAVES, S2), nothing(), statements=(LEAVE, *STATEMENTS[2:]))


def nothing() -> Kernel:
    """A kernel of no statement."""
    return by_hand(SingleKernel, name="nothing")


def test_a_kernel_on_the_wrong_side_is_found() -> None:
    refused(r"`LEAVE` leaves a loop with \['S0'\] on the wrong side", loop(LEAVES, S0, S2))
    refused(r"\['S2'\] on the wrong side", loop(S0, S2, LEAVES))
    refused(r"\['S0', 'S2'\] on the wrong side", loop(S2, LEAVES, S0))


def test_the_result_of_a_reduction_is_there_behind_its_updates() -> None:
    merge = by_hand(SingleKernel, name="merge", prologue=("M0",))
    verify(loop(S0, LEAVES, S2, merge))
    refused(r"\['M0'\] on the wrong side", loop(S0, merge, LEAVES, S2))


def test_the_whole_loop_is_on_the_host_and_nothing_else() -> None:
    refused(r"is not the loop around it \(\['S2'\]\)", loop(S0, LEAVES), S2)
    refused("is not the loop around it", loop(S0, LEAVES, S2, S3))
    inner = statement("S2", OUTER, INNER)
    verify(loop(S0, LEAVES, loop(S2)), statements=(STATEMENTS[0], LEAVE, inner, *STATEMENTS[3:]))
    other = statement("S2", OTHER)
    refused(
        "is not the loop around it", loop(S0, LEAVES, S2), statements=(STATEMENTS[0], LEAVE, other, *STATEMENTS[3:])
    )


def test_the_end_of_an_inner_loop_is_that_of_the_innermost_around_it() -> None:
    leave = statement("LEAVE", OUTER, INNER, kind=StatementKind.LEAVE)
    of_inner = (STATEMENTS[0], leave, statement("S2", OUTER, INNER), *STATEMENTS[3:])
    verify(loop(S0, loop(LEAVES, S2)), statements=of_inner)
    refused("is not the loop around it", loop(S0, LEAVES, S2), statements=of_inner)


def test_the_end_has_a_kernel_of_its_own_in_a_loop() -> None:
    refused("`LEAVE` is in no kernel of its own in a loop on the host", S0, LEAVES, S2)
    both = by_hand(SingleKernel, name="both", prologue=("S0", "LEAVE"))
    refused("both does more than to find out whether a loop ends", loop(both, S2))


def test_no_kernel_does_all_iterations_of_such_a_loop() -> None:
    whole = SimpleNamespace(name="f_loop0")
    refused("f_loop0 does all iterations of a loop that data end", loop(S0, LEAVES, S2, kernel=whole))


def test_a_region_in_one_thread_or_without_such_loops_has_nothing_to_verify() -> None:
    verify(loop(LEAVES, S0, S2), sequential="because")
    verify(loop(S2, S0), statements=(STATEMENTS[0], *STATEMENTS[2:]))
