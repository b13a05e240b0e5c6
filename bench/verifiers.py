"""What the verifiers cost: `python -m bench.verifiers [SAMPLE…]`.

Every sample is compiled with all verifiers, as always, and without any, in turns in one process; what is compared is
processor time, so that other work on the machine counts little.  The cost is what the verifiers add, as a part of the
time without them: of all samples together at most 15%, of no sample more than 30% (exit status 1 otherwise).
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

from pencilc import driver
from pencilc.codegen import frame, host
from pencilc.diagnostics.source import SourceFile
from pencilc.gpu import passes
from pencilc.options import CompileOptions
from pencilc.schedule import api

ROOT = Path(__file__).resolve().parent.parent
REPEATS = 5
ALL, ONE = 0.15, 0.30  # what verifiers may cost


@dataclass(frozen=True)
class Cost:
    """Processor seconds of one program, run by run, with the verifiers and without."""

    name: str
    verified: tuple[float, ...]
    plain: tuple[float, ...]

    @property
    def share(self) -> float:
        """What the verifiers add, by the medians."""
        return statistics.median(self.verified) / statistics.median(self.plain) - 1

    @property
    def spread(self) -> tuple[float, float]:
        """The least and the largest share of one pair of runs."""
        shares = [a / b - 1 for a, b in zip(self.verified, self.plain, strict=True)]
        return min(shares), max(shares)


def _nothing(*_: object) -> None:
    """A verifier that looks at nothing."""


@contextmanager
def without_verifiers() -> Iterator[None]:
    """Compilations verify nothing meanwhile."""
    stages = tuple(replace(stage, verify=_nothing) for stage in driver.PIPELINE)
    steps = tuple(replace(each, verify=_nothing) for each in passes.PASSES)
    with (
        mock.patch.object(driver, "PIPELINE", stages),
        mock.patch.object(passes, "PASSES", steps),
        mock.patch.object(passes, "verify_order", _nothing),
        mock.patch.object(api, "verify", _nothing),
        mock.patch.object(frame, "verify_ast", _nothing),
        mock.patch.object(host, "verify_ast", _nothing),
    ):
        yield


def seconds(file: SourceFile) -> float:
    """The processor time of one compilation; what earlier ones have left is no garbage to be looked for in it."""
    gc.collect()
    gc.freeze()
    started = time.process_time()
    driver.compile_source(file, CompileOptions())
    return time.process_time() - started


def cost(path: Path, repeats: int) -> Cost:
    """Compile a program in turns with and without verifiers, after one run that loads what there is to load."""
    file = SourceFile(str(path), path.read_text())
    seconds(file)
    verified, plain = [], []
    for _ in range(repeats):
        verified.append(seconds(file))
        with without_verifiers():
            plain.append(seconds(file))
    return Cost(path.stem, tuple(verified), tuple(plain))


def main() -> None:
    """Measure and print; exit status 1 if the verifiers cost more than they may."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", nargs="*", help="names of samples; all of them without any")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    arguments = parser.parse_args()
    paths = [path for path in sorted((ROOT / "samples").glob("*.c")) if not path.stem.endswith("_host")]
    costs = []
    print(f"{'sample':18} {'with':>8} {'without':>8} {'cost':>6}   of one pair")
    for path in paths:
        if not arguments.samples or path.stem in arguments.samples:
            found = cost(path, arguments.repeats)
            costs.append(found)
            low, high = found.spread
            times = f"{statistics.median(found.verified):7.3f}s {statistics.median(found.plain):7.3f}s"
            print(f"{found.name:18} {times} {found.share:6.1%}   {low:.1%} to {high:.1%}", flush=True)
    verified = sum(statistics.median(each.verified) for each in costs)
    plain = sum(statistics.median(each.plain) for each in costs)
    whole = verified / plain - 1
    worst = max(costs, key=lambda each: each.share)
    print(f"all: {verified:.2f} s with, {plain:.2f} s without, {whole:.1%}; the most: {worst.name}, {worst.share:.1%}")
    sys.exit(1 if whole > ALL or worst.share > ONE else 0)


if __name__ == "__main__":
    main()
