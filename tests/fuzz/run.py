"""The long run: `make fuzz MINUTES=60` checks new seeds for that long, on all cores, and goes on where it ended.

Seeds that ever failed (`tests/fuzz/failed_seeds.txt`) come first.  A seed that fails is added to the list, and its
program lies under `build/fuzz/` with what went wrong; `python -m tests.fuzz.reduce SEED` makes it small, and what that
prints becomes a case in `tests/fuzz/cases/`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from tests.conftest import ROOT
from tests.fuzz.check import Failure, check
from tests.fuzz.generator import options, program

FAILED = Path(__file__).parent / "failed_seeds.txt"
BUILD = ROOT / "build" / "fuzz"
NEXT = BUILD / "next_seed"
# Functions of one file, which g++ and nvcc take together.
BATCH = 4
FIRST_SEED = 1_000_000  # the tests use those below


def failed_seeds() -> list[int]:
    """The seeds that ever failed, in the order in which they did."""
    lines = FAILED.read_text().splitlines() if FAILED.is_file() else []
    return [int(line.split()[0]) for line in lines if line and not line.startswith("#")]


def check_seeds(seeds: range, nvcc: str | None, options_of: int) -> list[tuple[int, Failure]]:
    """The seeds that fail, with the options of `options_of`: all in one file first, then those one by one."""
    if check(program(seeds), seeds[0], options(options_of), nvcc) is None:
        return []
    found = []
    for seed in seeds:
        failure = check(program(range(seed, seed + 1)), seed, options(options_of), nvcc)
        if failure is not None:
            found.append((seed, failure))
    return found or [(seeds[0], Failure("together", "the functions fail in one file, and not one by one"))]


def main() -> None:
    """Run for some minutes; exit status 1 if a seed failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seeds", type=int, default=0, help="stop behind so many new seeds")
    arguments = parser.parse_args()
    nvcc = os.environ.get("NVCC") or shutil.which("nvcc")
    BUILD.mkdir(parents=True, exist_ok=True)
    start = int(NEXT.read_text()) if NEXT.is_file() else FIRST_SEED
    again = [range(seed, seed + 1) for seed in failed_seeds()]
    failed = len(again)
    count, bad = _run(again, start, arguments.minutes * 60, arguments.seeds, nvcc)
    print(f"{count} new seeds from {start} on, {failed} that had failed before: {bad} failures")
    sys.exit(1 if bad else 0)


def _run(again: list[range], start: int, seconds: float, most: int, nvcc: str | None) -> tuple[int, int]:
    """How many new seeds were checked, and how many failures there were."""
    ends, bad, at = time.monotonic() + seconds, 0, start
    done: set[int] = set()  # first seeds of new batches that are checked
    pool = ProcessPoolExecutor()
    running: dict[Future[list[tuple[int, Failure]]], range] = {}
    while True:
        while len(running) < 2 * (os.cpu_count() or 1):
            if again:
                batch = again.pop(0)
            elif time.monotonic() < ends and not (most and at - start >= most):
                batch, at = range(at, at + BATCH), at + BATCH
            else:
                break
            running[pool.submit(check_seeds, batch, nvcc, batch[0])] = batch
        if not running:
            pool.shutdown()
            return at - start, bad
        finished = wait(running, return_when=FIRST_COMPLETED).done
        if any(isinstance(future.exception(), BrokenProcessPool) for future in finished):
            # Which of them took its process with it is not told: each is checked again in one of its own.
            found = [(batch, _checked_alone(batch, nvcc, batch[0])) for batch in running.values()]
            running, pool = {}, ProcessPoolExecutor()
        else:
            found = [(running.pop(future), future.result()) for future in finished]
        for batch, failures in found:
            for seed, failure in failures:
                bad += 1
                _record(seed, batch[0], failure)
            done.add(batch[0])
        _save(start, done)


def _checked_alone(seeds: range, nvcc: str | None, options_of: int) -> list[tuple[int, Failure]]:
    """As `check_seeds`, in a process of its own; seeds that take it with them fail as such."""
    with ProcessPoolExecutor(1) as pool:
        try:
            return pool.submit(check_seeds, seeds, nvcc, options_of).result()
        except BrokenProcessPool:
            crash = Failure("crash", "the process of the compiler was ended by a signal")
    if len(seeds) == 1:
        return [(seeds[0], crash)]
    one_by_one = [_checked_alone(range(seed, seed + 1), nvcc, options_of) for seed in seeds]
    return [found for alone in one_by_one for found in alone] or [(seeds[0], crash)]


def _save(start: int, done: set[int]) -> None:
    """Remember up to where all seeds are checked."""
    at = start
    while at in done:
        at += BATCH
    NEXT.write_text(f"{at}\n")


def _record(seed: int, options_of: int, failure: Failure) -> None:
    print(f"seed {seed}: {failure.kind}", flush=True)
    text = program(range(seed, seed + 1))
    (BUILD / f"{seed}.c").write_text(f"// seed {options_of}\n// {options(options_of)}\n{text}")
    (BUILD / f"{seed}.txt").write_text(f"{failure.kind}\n{failure.text}\n")
    if seed not in failed_seeds():
        with FAILED.open("a") as file:
            file.write(f"{seed} {failure.kind}\n")


if __name__ == "__main__":
    main()
