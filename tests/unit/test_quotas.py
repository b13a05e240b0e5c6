"""The quotas on isl's work: one inside another is a part of it, and a hard question is not asked for ever."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

import islpy as isl
import pytest

from pencilc import quotas
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.schedule_printer import schedule_line
from pencilc.ir.shapes import Shape
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
    with pytest.raises(quotas.OperationQuotaExceeded), quotas.operation_quota(5_000):
        for _ in range(1_000):
            with quotas.operation_quota(4_000):
                work(1)


def test_a_quota_inside_another_is_no_larger() -> None:
    with pytest.raises(quotas.OperationQuotaExceeded), quotas.operation_quota(1_000), quotas.operation_quota(10**9):
        work(1_000)


def test_what_fails_inside_leaves_the_rest() -> None:
    with quotas.operation_quota(100_000):
        with pytest.raises(quotas.OperationQuotaExceeded), quotas.operation_quota(1_000):
            work(1_000)
        work(2)
    assert work(2_000) == 2_000  # and there is no quota outside


def test_a_quota_may_end_as_a_number_is_spelled() -> None:
    """islpy gets no text then; what is no end of a quota stays what it is."""
    value = isl.Val(12345)

    def spell() -> None:
        for _ in range(1000):
            value.to_python()

    with pytest.raises(quotas.OperationQuotaExceeded), quotas.operation_quota(100):
        spell()
    with pytest.raises(TypeError), quotas.operation_quota(100):
        int(None)  # type: ignore[call-overload]


@pytest.mark.parametrize("with_copy", [True, False])
def test_a_question_is_asked_again_with_more(monkeypatch: pytest.MonkeyPatch, *, with_copy: bool) -> None:
    asked: list[None] = []

    def question() -> int:
        asked.append(None)
        return work(200)

    if not with_copy:
        monkeypatch.delattr(os, "fork")
    with quotas.operation_quota():
        assert quotas.patiently(question) == 200
    # A copy of the process has found out how many operations it takes.
    assert (len(asked) == 1) == with_copy


@pytest.mark.parametrize("asked", [quotas.patiently, lambda question: of_a_stage(lambda: quotas.patiently(question))])
def test_what_a_copy_needs_may_be_too_little_here(asked: Callable[[Callable[[], int]], int]) -> None:
    """isl keeps what an attempt in vain has simplified, and a copy that has made one answers with less."""
    here = os.getpid()
    assert asked(lambda: work(20 if os.getpid() != here else 400)) == 400


def test_a_plain_question_is_asked_here_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a copy"))
    assert quotas.patiently(lambda: work(200), plain=True) == 200


def of_a_stage(stage: Callable[[], int]) -> int:
    """What a stage gives that is about more than plain sets."""
    return quotas.outlived(stage, plain=False)


@pytest.mark.parametrize("asked", [quotas.patiently, of_a_stage])
def test_a_question_that_ends_the_process_is_no_end_of_this_one(asked: Callable[[Callable[[], int]], int]) -> None:
    here = os.getpid()

    def question() -> int:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGSEGV)
        return 0

    with pytest.raises(quotas.IslFault, match="signal 11"):
        asked(question)


@pytest.mark.parametrize("asked", [quotas.patiently, of_a_stage])
def test_other_faults_are_told_here(asked: Callable[[Callable[[], int]], int]) -> None:
    def question() -> int:
        raise ValueError("of the question")

    with pytest.raises(ValueError, match="of the question"):
        asked(question)


def test_the_quota_around_a_question_holds() -> None:
    with pytest.raises(quotas.OperationQuotaExceeded), quotas.operation_quota(30_000):
        quotas.patiently(lambda: work(100_000))


def test_hard_questions_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "PATIENCE", 0.1)
    started = time.process_time()
    done = compile_source(SourceFile("hard.c", HARD), CompileOptions())
    assert time.process_time() - started < 10
    (told,) = [d for d in done.diagnostics if d.code == "PC0701"]
    assert "the dependences take too long to find" in told.message
    assert "put its loops into several functions" in told.remedies[0]


# Remainders that have nothing to do with each other in one subscript: isl does not get through with the updates.
REMAINDERS = """#include <pencil.h>
static int add(int a, int b) { return a + b; }
static void zero(int *v) { *v = 0; }
void f(int n, const int x[static const restrict n], int h[static const restrict 130])
{
#pragma scop
    for (int k = 0; k < 130; k++)
        __pencil_reduction_var_init(&h[k], zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&h[i % 27 + i % 40 + i % 64], x[i], add);
#pragma endscop
}
"""


def test_divisions_that_are_too_hard_are_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "PATIENCE", 0.1)
    done = compile_source(SourceFile("remainders.c", REMAINDERS), CompileOptions())
    assert not done.diagnostics
    assert Shape.INDIRECT in [kernel.shape for program in done.programs for kernel in program.kernels()]


def test_a_plain_stage_runs_here_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a copy"))
    assert quotas.outlived(lambda: work(20), plain=True) == 20


def test_a_stage_is_tried_in_one_copy() -> None:
    here, forked = os.getpid(), []
    fork = os.fork

    def stage() -> int:
        return quotas.patiently(lambda: work(20)) + quotas.patiently(lambda: work(30))

    def counted() -> int:
        forked.append(os.getpid())
        return fork()

    with pytest.MonkeyPatch.context() as patch, quotas.operation_quota():
        patch.setattr(os, "fork", counted)
        assert quotas.outlived(stage, plain=False) == 50
    assert forked == [here]


def test_a_stage_that_a_copy_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "_LAST", 1)
    here = os.getpid()

    def stage() -> int:
        while os.getpid() != here:  # as isl does where it counts no operations
            pass
        return 0

    with pytest.raises(quotas.TooHard, match="more than 1 s"):
        quotas.outlived(stage, plain=False)


# Seven neighbours each, of the array that the step before has written.
_NEIGHBOURS = """#include <pencil.h>
#define STEP(b, a) CUBE b[i][j][k] = a[i][j][k] + AROUND(a)
#define AROUND(a) a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1]
#define CUBE for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++)
"""


@pytest.mark.parametrize(
    ("arrays", "step", "schedule"),
    [
        (
            "float a[static const restrict n][n][n], float b[static const restrict n][n][n]",
            "if (t % 2 == 0) { STEP(b, a); } else { STEP(a, b); }",
            "[t s]{ [i,j,k P]{S0}; [i,j,k P]{S1} }",
        ),
        (
            "float a[static const restrict 2][n][n][n]",
            "CUBE a[(t + 1) % 2][i][j][k] = a[t % 2][i][j][k] + AROUND(a[t % 2]);",
            "[t s]{ [i,j,k P]{S0} }",
        ),
    ],
)  # fmt: skip
def test_steps_of_cubes_that_take_turns_are_found(arrays: str, step: str, schedule: str) -> None:
    """isl is asked for each neighbour by itself: for all together it took more than there is for loops that divide."""
    text = f"{_NEIGHBOURS}void f(int steps, int n, {arrays}) {{\n#pragma scop\n"
    text += f"for (int t = 0; t < steps; t++) {{ {step} }}\n#pragma endscop\n}}\n"
    done = compile_source(SourceFile("cubes.c", text), CompileOptions(), stop_after="schedule")
    assert [schedule_line(scheduled) for scheduled in done.scheduled] == [schedule]
