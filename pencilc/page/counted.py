"""What nvcc says of the kernels of a file: `nvcc -Xptxas -v`, asked for a cubin that nobody keeps."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from pencilc.driver import Compilation
from pencilc.records import dataclass
from pencilc.verify.errors import BuildFailed, ToolMissing

_FUNCTION = re.compile(r"(?:Compiling entry function|Function properties for) '?(\w+)")
_USED = re.compile(r"Used (\d+) registers")
_SPILLED = re.compile(r"(\d+) bytes spill stores")


@dataclass(frozen=True, slots=True)
class CountedRegisters:
    """Registers of a thread, for the instances of a kernel with the fewest and the most; bytes that one spills."""

    least: int
    most: int
    spilled: int


def counted_registers(done: Compilation, cuda: str) -> dict[str, CountedRegisters]:
    """What each kernel function of a file with this text needs, for its target; raises ToolMissing, BuildFailed."""
    assert done.kernels is not None
    name = os.environ.get("NVCC") or "nvcc"
    nvcc = shutil.which(name)
    if nvcc is None:
        raise ToolMissing(f"'{name}' is not installed; --nvcc has it count registers")
    with tempfile.TemporaryDirectory(prefix="pencilc-page-") as folder:
        source, cubin = Path(folder) / "file.cu", Path(folder) / "file.cubin"
        source.write_text(cuda, encoding="utf-8", errors="surrogateescape")
        command = [nvcc, f"-arch={done.options.target.arch}", "-Xptxas", "-v", "-cubin", "-o", str(cubin), str(source)]
        result = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if result.returncode:
        raise BuildFailed("nvcc does not compile the file", result.stderr)
    return registers_told(result.stderr, (function.name for function in done.kernels.kernels))


def registers_told(text: str, kernels: Iterable[str]) -> dict[str, CountedRegisters]:
    """What the text of ptxas says of each of `kernels`."""
    known = set(kernels)
    found: dict[str, CountedRegisters] = {}
    name, spilled = "", 0
    for line in text.splitlines():
        if function := _FUNCTION.search(line):
            name, spilled = plain_name(function.group(1), known), 0
        if bytes_told := _SPILLED.search(line):
            spilled = int(bytes_told.group(1))
        if used := _USED.search(line):
            number, other = int(used.group(1)), found.get(name)
            if other is None:
                found[name] = CountedRegisters(number, number, spilled)
            else:
                found[name] = CountedRegisters(
                    min(other.least, number), max(other.most, number), max(other.spilled, spilled)
                )
    found.pop("", None)
    return found


def plain_name(mangled: str, known: set[str]) -> str:
    """The name of a function as the C++ ABI has put it behind its length; empty where it is none of `known`."""
    for length in re.finditer(r"\d+", mangled):
        # Digits may adjoin others: `_Z3` and a name are `_Z3f12`.
        for start in range(length.start(), length.end()):
            end = length.end()
            name = mangled[end : end + int(mangled[start:end])]
            if name in known:
                return name
    return ""
