"""Compile a dozen samples to CUDA, run them on the CPU executor, and print each result next to the sequential one.

    make demo                        # the dozen
    make demo SAMPLES="hog srad"     # these
    make demo SAMPLES=all            # every sample; takes minutes

The generated files are left in `build/demo/`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.progress import ProgressLine
from pencilc.verify.executors import CpuExecutor, Executor
from pencilc.verify.program import ProgramRun, compare_programs

OUTPUT = Path("build", "demo")
# One of each kind, which together take well below a minute of processor time.
DOZEN = (
    "argmin", "column_sums", "csr", "dot", "gaussian", "histogram", "matmul", "plain", "row_sums", "softmax", "sum",
    "welford",
)  # fmt: skip


def tolerance_of(text: str) -> float:
    """The tolerance that a sample states for the numbers it prints."""
    found = re.search(r"^// tolerance: (\S+)$", text, re.MULTILINE)
    if found is None:
        raise ValueError("the sample states no tolerance")
    return float(found.group(1))


def verdict(run: ProgramRun, tolerance: float) -> str:
    """Whether the programs agree: the same text, numbers that differ no more than they may, or more than that."""
    if not run.same:
        return "DIFFERENT"
    return "same" if run.generated == run.sequential else f"within tolerance ({tolerance:g})"


def run_sample(path: Path, cuda: Path, executor: Executor, tolerance: float) -> ProgramRun:
    """Compile a sample, write its CUDA to the file `cuda`, run both programs."""
    file = SourceFile(str(path), path.read_text())
    options = CompileOptions()
    done = compile_source(file, options)
    assert done.host is not None, f"{path} has no program to run"
    cuda.write_text(done.cuda)
    (run,) = compare_programs(file, done.cuda, done.host, options, executor, orders=("fwd",), tolerance=tolerance)
    return run


def main(names: list[str]) -> int:
    """Run the samples with these names, `all` of them, or the dozen; 1 if one of them differs, 2 if there is no such.

    Of the dozen it is also said how many samples there are beside them.
    """
    every = {path.stem: path for path in sorted(Path("samples").glob("*.c"))}
    chosen = list(every) if names == ["all"] else names or list(DOZEN)
    unknown = [name for name in chosen if name not in every]
    if unknown:
        print(f"no such sample: {', '.join(unknown)}; there are {', '.join(every)}", file=sys.stderr)
        return 2
    OUTPUT.mkdir(parents=True, exist_ok=True)
    executor = CpuExecutor(("fwd",), "check")
    wrong, close = [], 0
    with ProgressLine(sys.stderr, sys.stderr.isatty()) as progress:
        for number, name in enumerate(chosen, start=1):
            path, cuda = every[name], OUTPUT / f"{name}.cu"
            progress.tell(f"{number} of {len(chosen)}: {path}")
            tolerance = tolerance_of(path.read_text())
            run = run_sample(path, cuda, executor, tolerance)
            wrong += [] if run.same else [name]
            close += run.same and run.generated != run.sequential
            progress.write(
                f"{path} -> {cuda}: {verdict(run, tolerance)}\n"
                f"  sequential C    {run.sequential.rstrip()}\n"
                f"  generated CUDA  {run.generated.rstrip()}\n" + "".join(f"  {message}\n" for message in run.messages),
                sys.stdout,
            )
    if wrong:
        print(f"\n{len(wrong)} of {len(chosen)} differ: {', '.join(wrong)}")
        return 1
    print(f"\n{len(chosen)} samples agree: {len(chosen) - close} print the same, {close} are within their tolerance")
    if len(chosen) < len(every):
        print(f"there are {len(every)} samples; `make demo SAMPLES=all` runs every one and takes minutes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
