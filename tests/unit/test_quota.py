"""The quotas on isl's work: one inside another is a part of it, and a hard question is not asked for ever."""

from __future__ import annotations

import os
import signal
import time

import islpy as isl
import pytest

from pencilc import islx
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions

# Three subscripts on one lattice: each operation of the search for two that meet takes a hundred microseconds.
HARD = """#include <pencil.h>
void f(int n, int a[static const restrict n])
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++)
                a[i * 999999937L + j * 999999929L + k * 999999893L] += 1;
#pragma endscop
}
"""


def work(rounds: int) -> int:
    """Let isl do some operations each round."""
    for k in range(rounds):
        isl.Set(f"{{ [i] : {k} <= i < {k + 5} }}")
    return rounds


def test_a_quota_inside_another_takes_from_it() -> None:
    with pytest.raises(islx.OperationQuotaExceeded), islx.operation_quota(5_000):
        for _ in range(1_000):
            with islx.operation_quota(4_000):
                work(1)


def test_a_quota_inside_another_is_no_larger() -> None:
    with pytest.raises(islx.OperationQuotaExceeded), islx.operation_quota(1_000), islx.operation_quota(10**9):
        work(1_000)


def test_what_fails_inside_leaves_the_rest() -> None:
    with islx.operation_quota(100_000):
        with pytest.raises(islx.OperationQuotaExceeded), islx.operation_quota(1_000):
            work(1_000)
        work(2)
    assert work(2_000) == 2_000  # and there is no quota outside


@pytest.mark.parametrize("with_copy", [True, False])
def test_a_question_is_asked_again_with_more(monkeypatch: pytest.MonkeyPatch, *, with_copy: bool) -> None:
    asked: list[None] = []

    def question() -> int:
        asked.append(None)
        return work(200)

    if not with_copy:
        monkeypatch.delattr(os, "fork")
    with islx.operation_quota():
        assert islx.patiently(question) == 200
    # A copy of the process has found out how many operations it takes.
    assert (len(asked) == 1) == with_copy


def test_a_plain_question_is_asked_here_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a copy"))
    assert islx.patiently(lambda: work(200), plain=True) == 200


def test_a_question_that_ends_the_process_is_no_end_of_this_one() -> None:
    here = os.getpid()

    def question() -> int:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGSEGV)
        return 0

    with pytest.raises(islx.IslFault, match="signal 11"):
        islx.patiently(question)


def test_other_faults_are_told_here() -> None:
    def question() -> int:
        raise ValueError("of the question")

    with pytest.raises(ValueError, match="of the question"):
        islx.patiently(question)


def test_the_quota_around_a_question_holds() -> None:
    with pytest.raises(islx.OperationQuotaExceeded), islx.operation_quota(30_000):
        islx.patiently(lambda: work(100_000))


def test_hard_questions_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(islx, "PATIENCE", 0.1)
    started = time.process_time()
    done = compile_source(SourceFile("hard.c", HARD), CompileOptions())
    assert time.process_time() - started < 10
    (told,) = [d for d in done.diagnostics if d.code == "PC0701"]
    assert "the dependences take too long to find" in told.message
