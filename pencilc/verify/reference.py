"""Run the sequential functions: what they leave behind is what the generated code is compared with."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from pencilc.records import dataclass
from pencilc.verify import sanitizers
from pencilc.verify.cases import Case, ChildCall, Job, Outcome
from pencilc.verify.children import HANGS, run_job


@dataclass(frozen=True, slots=True)
class ReferenceFailure:
    """Why a call of the sequential program gives nothing to compare with.

    `fault`: the program does what C does not define; `error`: it crashes, hangs or could not be run.  `hangs`: it was
    stopped, after what a call may take.
    """

    status: Literal["fault", "error"]
    message: str
    hangs: bool = False


def run_reference(
    library: Path,
    calls: tuple[ChildCall, ...],
    progress: Path,
    timeout_s: float,
    watched: bool,
    tell_made: Callable[[int], None] = lambda made: None,
    every_fault: bool = True,
) -> dict[int, ReferenceFailure]:
    """Make all calls into the library of `sequential.build_library`; returns what went wrong by number of the call.

    `watched`: it was built with the sanitizers.  `tell_made` is told how many calls have been made.
    Each fault ends a child; without `every_fault` the calls behind the first one are not made.
    """
    job = Job(library, calls, progress, watched)
    environment = sanitizers.environment() if watched else {}
    ended = run_job(job, environment, timeout_s, most_restarts=len(calls) if every_fault else 0, tell_made=tell_made)
    failures = {number: _failure(calls[number], reason) for number, reason in ended.items()}
    for number, call in enumerate(calls):
        if number not in failures:
            outcome: Outcome = pickle.loads(call.outcome.read_bytes())
            if outcome.problems:
                failures[number] = ReferenceFailure("error", f"the sequential program fails: {outcome.problems[0]}")
    return failures


def outcome_of(library: Path, call: ChildCall, progress: Path, timeout_s: float) -> Outcome | None:
    """What one call leaves behind, without the sanitizers; None where it fails."""
    if run_reference(library, (call,), progress, timeout_s, watched=False):
        return None
    outcome: Outcome = pickle.loads(call.outcome.read_bytes())
    return outcome


def _failure(call: ChildCall, reason: str) -> ReferenceFailure:
    messages = call.messages.read_text(errors="replace") if call.messages.exists() else ""
    case: Case = pickle.loads(call.case.read_bytes())
    fault = sanitizers.fault(messages, case.arguments)
    if fault:
        return ReferenceFailure("fault", fault)
    return ReferenceFailure("error", f"the sequential program {reason}", reason.startswith(HANGS))
