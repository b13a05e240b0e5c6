"""Run jobs in child processes; a call that crashes or hangs costs that call only."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import pencilc
from pencilc.verify.cases import PLACED, TOO_MANY_LAUNCHES, UNUSABLE, Job

# After this many dead children the rest of a job is given up: the program is broken in general.
MAX_RESTARTS = 6
_POLL_SECONDS = 0.01
HANGS = "hangs"
TOO_MANY = "more launches than"
"""What is said first of a call that the executor has ended for the number of its launches, which is no fault."""


def run_job(
    job: Job,
    environment: Mapping[str, str],
    timeout_s: float,
    most_restarts: int | None = None,
    tell_made: Callable[[int], None] = lambda made: None,
) -> dict[int, str]:
    """Make all calls of `job`; returns what went wrong by number of the call.

    `tell_made` is told how many calls have been made, again and again.  Where one makes too many launches, the others
    of its group are not made.
    Gives up after `most_restarts` children that ended early (`MAX_RESTARTS` if not given), and after `MAX_RESTARTS`
    that had to be stopped.
    """
    most = MAX_RESTARTS if most_restarts is None else most_restarts
    path = job.progress.with_suffix(".job")
    path.write_bytes(pickle.dumps(job))
    failures: dict[int, str] = {}
    first = started = 0
    left_out: set[int] = set()
    while first < len(job.calls):
        if first in left_out:
            first += 1
            continue
        hung = sum(reason.startswith(HANGS) for reason in failures.values())
        if started > most or hung > MAX_RESTARTS:
            why = f"not run: {max(started - 1, hung)} calls failed before"
            failures.update(dict.fromkeys(range(first, len(job.calls)), why))
            break
        job.progress.write_text("")
        started += 1
        last, reason = _one_child(path, job.progress, first, left_out, environment, timeout_s, tell_made)
        if last is None:
            failures.update(dict.fromkeys(range(first, len(job.calls)), reason))
            break
        if reason == TOO_MANY:
            # The program is not broken: what ended is started again as often as it takes.
            started -= 1
            group = job.calls[last].group
            alike = {k for k in range(last, len(job.calls)) if k == last or (group and job.calls[k].group == group)}
            left_out |= alike
            failures.update(dict.fromkeys(alike, f"{TOO_MANY} {job.most_launches} (--max-launches)"))
        elif reason:
            failures[last] = reason + _said(job.calls[last].messages)
        first = last + 1
    return failures


def _one_child(
    path: Path,
    progress: Path,
    first: int,
    left_out: Collection[int],
    environment: Mapping[str, str],
    timeout_s: float,
    tell_made: Callable[[int], None],
) -> tuple[int | None, str]:
    """Run one child to its end: (its last call, why that failed); (None, why) if it made none."""
    errors = progress.with_suffix(".err")
    command = [sys.executable, "-m", "pencilc.verify.runner", str(path), str(first), str(os.getpid()),
               ",".join(map(str, sorted(left_out)))]  # fmt: skip
    with errors.open("wb") as stream:
        child = subprocess.Popen(
            command,
            env=child_environment(environment),
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )
        hung = not _wait(child, progress, timeout_s, lambda: tell_made(first + progress.read_text().count("done")))
    last = _last_call(progress)
    if hung:
        return first if last is None else last, f"{HANGS}: stopped after {timeout_s:g} s"
    if child.returncode in (0, UNUSABLE) and last is not None:
        return last, ""
    if child.returncode == TOO_MANY_LAUNCHES and last is not None:
        return last, TOO_MANY
    how = how_it_ended(child.returncode)
    return last, how if last is not None else f"cannot be run: {how}: {_last_line(errors)}"


def _wait(child: subprocess.Popen[bytes], progress: Path, timeout_s: float, tell: Callable[[], None]) -> bool:
    """Wait for the end; kill the child and return False if one call takes too long.  `tell` is called as it goes on."""
    seen, since = -1, time.monotonic()
    while child.poll() is None:
        size = progress.stat().st_size
        if size != seen:
            seen, since = size, time.monotonic()
            tell()
        if time.monotonic() - since > timeout_s:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _last_call(progress: Path) -> int | None:
    """The call that was started last."""
    lines = progress.read_text().splitlines()
    return int(lines[-1].split()[1]) if lines else None


def child_environment(extra: Mapping[str, str]) -> dict[str, str]:
    """The child imports the same pencilc as this process, wherever it came from."""
    home = str(Path(pencilc.__file__).resolve().parent.parent)
    paths = [home, *filter(None, [os.environ.get("PYTHONPATH", "")])]
    return {**os.environ, **extra, "PYTHONPATH": os.pathsep.join(paths)}


def how_it_ended(code: int) -> str:
    """What is said of a process that ended with this exit status, or by the signal of that negative number."""
    if code < 0:
        return f"crashes with {signal.Signals(-code).name}"
    return f"ends with exit status {code}"


def _said(messages: Path) -> str:
    """The last lines that the call wrote to standard error."""
    if not messages.exists():
        return ""
    lines = [line for line in messages.read_text(errors="replace").splitlines() if line.strip()]
    said = [line for line in lines if not line.startswith(PLACED)]
    return "".join(f"; {line.strip()}" for line in said[-3:])


def _last_line(errors: Path) -> str:
    lines = [line for line in errors.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no message"
