"""How long nvcc takes on what two checkouts write for the same samples, and how many lines that is; interleaved.

    python -m bench.nvcc_time PATH [--samples softmax norms attention] [--repeats 5]

PATH is a checkout of another commit (`git worktree add PATH COMMIT`), which runs with the Python of this one.  Times
are those of the processor (nvcc and all that it starts), which other work on the machine disturbs less than wall time;
an empty kernel beside them is what no text can save.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.compile_time import EMPTY_KERNEL, NVCC_FLAGS, ROOT, find_nvcc, measure
from bench.compile_versions import command_of

SAMPLES = ("softmax", "norms", "attention")


def written_by(command: Sequence[str], checkout: Path, sample: str, folder: Path) -> Path:
    """The file that the compiler of a checkout, run by `command`, writes for a sample of its own."""
    path = folder / f"{sample}.cu"
    measure([*command, "-q", str(checkout / "samples" / f"{sample}.c"), "-o", str(path)])
    return path


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("--samples", nargs="+", default=SAMPLES)
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    nvcc = find_nvcc()
    if nvcc is None:
        raise SystemExit("nvcc not found")
    with tempfile.TemporaryDirectory() as folder:
        files: dict[tuple[str, str], Path] = {}
        for side, checkout in (("other", asked.other.resolve()), ("this", ROOT)):
            own = Path(folder, side)
            command = command_of(checkout, own)
            files |= {(side, sample): written_by(command, checkout, sample, own) for sample in asked.samples}
        empty = Path(folder, "empty.cu")
        empty.write_text(EMPTY_KERNEL)
        files["", "an empty kernel"] = empty
        times: dict[tuple[str, str], list[float]] = {key: [] for key in files}
        for _ in range(asked.repeats):
            for key, path in files.items():
                times[key].append(measure((nvcc, *NVCC_FLAGS, str(path), "-o", f"{folder}/out.o")).processor_seconds)
        print(f"{'sample':18} {'lines':>12} {'nvcc, median':>18} {'least':>16}")
        for sample in asked.samples:
            lines = [len(files[side, sample].read_text().splitlines()) for side in ("other", "this")]
            medians = [statistics.median(times[side, sample]) for side in ("other", "this")]
            least = [min(times[side, sample]) for side in ("other", "this")]
            print(
                f"{sample:18} {lines[0]:5} {lines[1]:6} {medians[0]:7.2f} s {medians[1]:6.2f} s"
                f" {least[0]:5.2f} s {least[1]:5.2f} s {least[1] / least[0] - 1:+7.0%}"
            )
        print(f"an empty kernel {statistics.median(times['', 'an empty kernel']):32.2f} s")


if __name__ == "__main__":
    main()
