"""How much isl may do: quotas of operations, and questions with which it may not get through.

Questions that may be hard are tried in a copy of the process, which isl may end or keep busy without harm.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import field
from typing import NoReturn, TypeVar

import islpy as isl

from pencilc.records import dataclass


class OperationQuotaExceeded(Exception):
    """isl did more work than the quota allows."""


class TooHard(OperationQuotaExceeded):
    """The operations of one question take so long that no quota would end it in time."""


class IslFault(OperationQuotaExceeded):
    """isl fails for a fault of its own, so that no quota would do."""


# What isl says where it takes apart domains with divisions whose conditions it has not simplified.
_FAULT = "affine expression involves some of the domain dimensions"


# What isl may do for one region in one stage; regions that people write stay below a tenth of it.
QUOTA = 5_000_000
# Reductions that one share of a quota is for.
_REDUCTIONS = 32


def shares(reductions: int) -> int:
    """How many quotas a region with so many reductions gets: hundreds of accumulators are no complicated loops."""
    return 1 + reductions // _REDUCTIONS


@contextmanager
def operation_quota(limit: int = QUOTA) -> Iterator[None]:
    """Let isl do at most `limit` operations inside; raises OperationQuotaExceeded beyond, or IslFault.

    A count, not a clock: the same program gives the same result on every machine.  Inside another quota it is a part
    of that: what is done inside is taken from what is left of the other one, and there is never more than that.
    """
    around = _left()
    allowed = limit if around is None else max(1, min(limit, around))
    _set_left(allowed)
    try:
        yield
    except (isl.Error, TypeError) as error:
        # Where the operations end as isl spells a number, islpy gets no text to make an `int` of.
        if _FAULT in str(error):
            raise IslFault(str(error)) from error
        if _left():
            raise
        raise OperationQuotaExceeded(str(error)) from error
    finally:
        _set_left(0 if around is None else max(1, around - allowed + (_left() or 0)))


def _set_left(left: int) -> None:
    """Let isl do so many operations."""
    context = isl.DEFAULT_CONTEXT
    context.set_max_operations(left)
    context.reset_operations()


def _left() -> int | None:
    """What is left of the quota around; None outside of all.  isl tells only whether it has done so many operations."""
    context = isl.DEFAULT_CONTEXT
    limit = context.get_max_operations()
    if not limit:
        return None
    low, high = 0, limit  # between the two lies what has been done; an attempt is an operation at most
    while low < high:
        tried = (low + high + 1) // 2
        context.set_max_operations(tried)
        try:
            isl.Val(0)
        except isl.Error:
            low = tried
        else:
            high = tried - 1
    context.set_max_operations(limit)
    return int(limit - low)


# What a question to isl may take at first, in operations: more than nearly all of those that regions bring up need.
_FIRST = 10_000
# Up to so many the attempts grow by less, for a question that begins with what is easy may turn hard on the way.
_OFTEN = 8 * _FIRST
# From so many seconds of the processor for an operation on a question is hard: ordinary ones take less than a tenth.
_SLOW = 5e-6
# When a hard question has taken so many seconds of the processor, it is not asked with more operations again.
PATIENCE = 1.0
# The same for all that a copy of the process does for a question, in which case it is ended from outside.
_LAST = 10

_Answer = TypeVar("_Answer")


def patiently(question: Callable[[], _Answer], plain: bool = False) -> _Answer:
    """The answer of `question`, which is asked again with more operations while isl does not get through with them.

    One that is about nothing but `plain` sets and relations is asked once.  The others are tried in another process
    first, which tells with how many operations they are answered.

    Raises OperationQuotaExceeded where those of a quota around it are not enough, IslFault where isl fails, and TooHard
    where each of them takes long: in integer programming with several divisions, or factors that have nothing in
    common, up to a thousand times as long as elsewhere, so that the count of a quota would not end it in minutes.  Here
    and in `outlived` a clock decides, and nowhere else: about questions that isl hardly ever answers.
    """
    if plain or _stage.is_asking:
        return question()
    if _stage.is_tried:
        return _asked_in_stage(question)
    needed = _apart(lambda: str(_asked(question)[1]))
    return _asked(question, int(needed or _FIRST))[0]


def outlived(stage: Callable[[], _Answer], plain: bool) -> _Answer:
    """What `stage`, many questions about one region, gives; of one that is not `plain` a copy of this process tries it.

    The copy tells what it has found out about each question, so that it is asked once here.

    Raises TooHard where that takes the copy too long, IslFault where it does not survive, and what `stage` raises.
    """
    if plain:
        return stage()

    def tried() -> str:
        with _in_stage(()) as found:
            stage()
        return " ".join(map(str, found))

    known = _apart(tried) or ""
    with _in_stage(map(int, known.split())):
        return stage()


def _answered(question: Callable[[], _Answer], allowed: int) -> _Answer:
    """The answer of `question` with so many operations; questions inside of it are parts of it."""
    before, _stage.is_asking = _stage.is_asking, True
    try:
        with operation_quota(allowed):
            return question()
    finally:
        _stage.is_asking = before


def _asked(question: Callable[[], _Answer], allowed: int = _FIRST) -> tuple[_Answer, int]:
    """The answer of `question`, and the operations that were allowed for it: `allowed` at first.

    Those that a copy of this process has needed are not always enough here: isl keeps what an attempt in vain has
    simplified, and then answers with less.  A quota around it is for answers: what is done in vain is not taken from
    it.
    """
    spent = 0.0
    while True:
        started = time.process_time()
        left = _left()
        try:
            return _answered(question, allowed), allowed
        except IslFault:
            raise
        except OperationQuotaExceeded:
            seconds = time.process_time() - started
            spent += seconds
            is_hard = seconds > allowed * _SLOW
            if left is not None:
                if left < 2 * allowed:
                    raise
                _set_left(left)
            if is_hard and spent > PATIENCE:
                raise TooHard(f"more than {PATIENCE:g} s for one question") from None
            allowed *= 2 if is_hard or allowed < _OFTEN else 8


# What a copy of this process has found out about a question, beside the operations that it needs.
_TOO_HARD, _FAILS, _UNKNOWN = -1, -2, 0


@dataclass(slots=True)
class _Stage:
    """What is known of the questions of a stage, in their order: `known` is what a copy of this process has found out.

    `found`: what is found out now.  `is_tried`: in a stage, which makes no other copies; `is_asking`: in one question.
    """

    is_tried: bool = False
    is_asking: bool = False
    known: Iterator[int] = field(default_factory=lambda: iter(()))
    found: list[int] = field(default_factory=list)


_stage = _Stage()


@contextmanager
def _in_stage(known: Iterable[int]) -> Iterator[list[int]]:
    """Ask what is asked inside in this process alone; gives what is found out about the questions."""
    global _stage
    before, _stage = _stage, _Stage(is_tried=True, known=iter(known))
    try:
        yield _stage.found
    finally:
        _stage = before


def _asked_in_stage(question: Callable[[], _Answer]) -> _Answer:
    """The answer of one of the questions of a stage: at once where a copy of this process has found out how."""
    stage = _stage
    known = next(stage.known, _UNKNOWN)
    if known == _TOO_HARD:
        raise TooHard("a copy of this process does not get through")
    if known == _FAILS:
        raise IslFault("isl fails in a copy of this process")
    needed = _UNKNOWN
    try:
        answer, needed = _asked(question, known or _FIRST)
        return answer
    except TooHard:
        needed = _TOO_HARD
        raise
    except IslFault:
        needed = _FAILS
        raise
    finally:
        stage.found.append(needed)


def _apart(question: Callable[[], str]) -> str | None:
    """What a copy of this process answers to `question`; None where it fails, or where there are no such copies.

    In integer programming with divisions isl may overwrite its own memory, and takes the process with it; or it goes on
    for hours with what is no operation that it counts.  What a copy of this process survives, this process survives,
    for it has the same memory.

    Raises OperationQuotaExceeded, IslFault and TooHard, as `question` does; IslFault too where the copy does not
    survive, and TooHard where that takes it too long.
    """
    if not hasattr(os, "fork"):
        return None
    reader, writer = os.pipe()
    try:
        child = os.fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        return None
    if child == 0:
        _answer_to(writer, question)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        ended = os.WTERMSIG(status)
        if ended == signal.SIGXCPU:
            raise TooHard(f"more than {_LAST} s of the processor")
        raise IslFault(f"isl ends with signal {ended}")
    kind, _, text = told.partition(" ")
    for failure in (TooHard, IslFault, OperationQuotaExceeded):
        if kind == failure.__name__:
            raise failure(text)
    # Anything else that went wrong there goes wrong here too, with all that is known of it.
    return told or None


def _answer_to(writer: int, question: Callable[[], str]) -> NoReturn:
    """Tell what became of `question`, and end this process, which is a copy, without what others do at their end."""
    import resource  # There is none where there are no copies.

    told = ""
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (_LAST, _LAST + 1))
        faulthandler.disable()
        told = question()
    except OperationQuotaExceeded as failure:
        told = f"{type(failure).__name__} {failure}"
    finally:
        with suppress(OSError):
            os.write(writer, told.encode())
        os._exit(0)
