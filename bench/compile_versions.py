"""How long two checkouts take to compile the same samples: `python -m bench.compile_versions PATH [SAMPLE…]`.

PATH is a checkout of another commit (`git worktree add PATH COMMIT`), which runs with the Python of this one.  Each
sample that both have with the same text is compiled by both in turns, REPEATS times, each time by a process of its own;
what is compared is processor time, the start of Python included.  Status 1 where this checkout takes more than 5%
longer for all of them together, or 15% for one, by the medians.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.compile_time import ROOT, environment, measure

REPEATS = 5
ALL, ONE = 0.05, 0.15  # what may be added
START = 'from pencilc.cli import main\n\nmain(prog_name="pencilc")\n'


@dataclass(frozen=True)
class Compared:
    """Processor seconds of one sample, run by run, in the other checkout and in this one."""

    name: str
    other: tuple[float, ...]
    this: tuple[float, ...]

    @property
    def added(self) -> float:
        """What this checkout adds, as a part of the other's time, by the medians."""
        return statistics.median(self.this) / statistics.median(self.other) - 1

    def told(self) -> str:
        """The line of the table."""
        medians = f"{statistics.median(self.other):7.3f}s {statistics.median(self.this):7.3f}s {self.added:+7.1%}"
        spread = f"{min(self.other):.3f}-{max(self.other):.3f} {min(self.this):.3f}-{max(self.this):.3f}"
        return f"{self.name:18} {medians} {min(self.this) / min(self.other) - 1:+7.1%}   {spread}"


def command_of(checkout: Path, folder: Path) -> list[str]:
    """What runs the compiler of a checkout; `folder` is its alone."""
    folder.mkdir()
    for name, target in (("pencilc", "pencilc"), ("pencilc_templates", "templates")):
        (folder / name).symlink_to(checkout / target)
    start = folder / "start.py"
    start.write_text(START)
    return [sys.executable, str(start)]


def samples_of_both(other: Path, names: Sequence[str]) -> list[Path]:
    """The samples that both checkouts have with the same text; of these the ones called `names`, or all."""
    paths = sorted((ROOT / "samples").glob("*.c"))
    pairs = [(path, other / "samples" / path.name) for path in paths if not names or path.stem in names]
    return [path for path, its in pairs if its.is_file() and its.read_bytes() == path.read_bytes()]


def main() -> None:
    """Measure and print; exit status 1 if this checkout takes more than it may."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("samples", nargs="*", help="names of samples; all of them without any")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    asked = parser.parse_args()
    other = asked.other.resolve()
    found: list[Compared] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        commands = {checkout: command_of(checkout, folder / side) for side, checkout in (("a", other), ("b", ROOT))}
        clean = environment(folder / "compiled")
        print(f"{'sample':18} {'other':>8} {'this':>8} {'median':>7} {'least':>7}   of all runs")
        for path in samples_of_both(other, asked.samples):
            runs: dict[Path, list[float]] = {checkout: [] for checkout in commands}
            for repeat in range(asked.repeats + 1):  # the first one fills what is kept
                for checkout, command in commands.items():
                    output = f"{folder}/out.cu"
                    seconds = measure([*command, "-q", str(path), "-o", output], clean).processor_seconds
                    runs[checkout] += [seconds] if repeat else []
            found.append(Compared(path.stem, tuple(runs[other]), tuple(runs[ROOT])))
            print(found[-1].told(), flush=True)
    if not found:
        raise SystemExit("no sample that both checkouts have with the same text")
    before = sum(statistics.median(each.other) for each in found)
    now = sum(statistics.median(each.this) for each in found)
    worst = max(found, key=lambda each: each.added)
    print(f"all: {before:.2f} s, {now:.2f} s here, {now / before - 1:+.1%}; the most: {worst.name}, {worst.added:+.1%}")
    sys.exit(1 if now / before - 1 > ALL or worst.added > ONE else 0)


if __name__ == "__main__":
    main()
