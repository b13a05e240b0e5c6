"""Compile every sample to CUDA, run it on the CPU executor, and print its result next to the sequential one.

    make demo

The generated files are left in `build/demo/`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.progress import ProgressLine
from pencilc.verify.executors import CpuExecutor
from pencilc.verify.program import ProgramRun, run_program

OUTPUT = Path("build", "demo")
PENCILC = (sys.executable, "-c", "from pencilc.cli import main; main()")


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


def main() -> int:
    """Run all samples; 1 if one of them differs."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    executor = CpuExecutor(("fwd",), "check")
    wrong, close = [], 0
    paths = sorted(Path("samples").glob("*.c"))
    with ProgressLine(sys.stderr, sys.stderr.isatty()) as progress:
        for number, path in enumerate(paths, start=1):
            progress.tell(f"{number} of {len(paths)}: {path}")
            cuda = OUTPUT / f"{path.stem}.cu"
            subprocess.run([*PENCILC, "-q", str(path), "-o", str(cuda)], check=True)
            file = SourceFile(str(path), path.read_text())
            tolerance = tolerance_of(file.text)
            run = run_program(file, CompileOptions(), executor, tolerance=tolerance)
            wrong += [] if run.same else [path.stem]
            close += run.same and run.generated != run.sequential
            progress.write(
                f"{path} -> {cuda}: {verdict(run, tolerance)}\n"
                f"  sequential C    {run.sequential.rstrip()}\n"
                f"  generated CUDA  {run.generated.rstrip()}\n" + "".join(f"  {message}\n" for message in run.messages),
                sys.stdout,
            )
    if wrong:
        print(f"\n{len(wrong)} differ: {', '.join(wrong)}")
    else:
        print(f"\nall samples agree: {len(paths) - close} print the same, {close} are within their tolerance")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
