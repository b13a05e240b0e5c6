"""One-line checks of the generated code that survive a cosmetic change.

// structure: kernels=1 shared=2 sync=3 shuffle=5
// schedule: [iter s]{ [i,j R]{ … } }
"""

from __future__ import annotations

import re

_COUNTED = {
    "kernels": r"__global__",
    "shared": r"__shared__",
    "sync": r"\b__syncthreads\s*\(",
    "shuffle": r"\b__(?:shfl|reduce)_\w+\s*\(",
}


def summary(cuda: str, schedule_dump: str) -> str:
    """The structure line of `cuda` and the one-line schedules of all its regions."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/", "", cuda, flags=re.DOTALL)
    counts = " ".join(f"{name}={len(re.findall(pattern, code))}" for name, pattern in _COUNTED.items())
    schedules = re.findall(r"^schedule of \w+: (.*)$", schedule_dump, flags=re.MULTILINE)
    return "".join(f"// {line}\n" for line in [f"structure: {counts}", *(f"schedule: {text}" for text in schedules)])
