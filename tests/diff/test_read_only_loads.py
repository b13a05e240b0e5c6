"""nvcc takes nothing through the read-only cache that the same kernel writes: the cache would not see the writes.

Found in the PTX, by the kernel's parameters that the address of each load and store comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from tests.conftest import ROOT, run, samples
from tests.diff.test_programs import PROGRAMS

PARAMETER = re.compile(r"ld\.param\.[ub]64\s+(%rd\d+), \[(\w+)")
# What makes an address from another one; products and shifts make offsets.
MOVED = re.compile(r"(?:@!?%p\d+ )?(?:mov|add|sub|selp|cvta)[.\w]*\s+(%rd\d+), (.*);")
READ = re.compile(r"(?:@!?%p\d+ )?ld\.global(?:\.\w+)*\.nc.*?\[(%rd\d+)")
WRITTEN = re.compile(r"(?:@!?%p\d+ )?(?:st|atom|red)\b.*?\[(%rd\d+)")
KERNEL = re.compile(r"\.entry (\w+)\((.*?)\n\}\n", re.DOTALL)


def stale(ptx: str) -> Iterator[str]:
    """The parameters through which a kernel both writes and reads by way of the read-only cache."""
    for name, body in KERNEL.findall(ptx):
        lines = [line.strip() for line in body.splitlines()]
        origins = _origins(lines)
        read, written = (
            {o for line in lines if (m := kind.match(line)) for o in origins.get(m.group(1), ())}
            for kind in (READ, WRITTEN)
        )
        yield from (f"{name}: {parameter}" for parameter in sorted(read & written))


def _origins(lines: list[str]) -> dict[str, set[str]]:
    """The parameters that each 64-bit register comes from."""
    found: dict[str, set[str]] = {m.group(1): {m.group(2)} for line in lines if (m := PARAMETER.match(line))}
    moves = [(m.group(1), re.findall(r"%rd\d+", m.group(2))) for line in lines if (m := MOVED.match(line))]
    changed = True
    while changed:
        changed = False
        for to, sources in moves:
            more = {origin for source in sources for origin in found.get(source, ())}
            if not more <= found.get(to, set()):
                found[to] = found.get(to, set()) | more
                changed = True
    return found


def ptx_of(source: str, nvcc: str, folder: Path) -> str:
    """The PTX of a PENCIL source, or of CUDA."""
    path, output = folder / "out.cu", folder / "out.ptx"
    path.write_text(source)
    result = run(nvcc, "-O2", "-arch=sm_90", "-ptx", path, "-o", output)
    assert result.returncode == 0, result.stderr
    return output.read_text()


# The compiler makes one load of the two arrays here, by a chosen address.
CHOSEN = """
__global__ void chosen(int m, float *__restrict__ w, const float *{0}r)
{{
    const int i = threadIdx.x;
    w[i] = 1;
    for (int j = 0; j < m; j++)
        w[i] = r[j] > 3 ? w[j] : r[j + 7];
}}
"""


def test_what_nvcc_does_with_constants(nvcc: str, tmp_path: Path) -> None:
    """If the first fails, nvcc has been mended, and `codegen/parameters.py` may be plainer."""
    assert list(stale(ptx_of(CHOSEN.format("__restrict__ "), nvcc, tmp_path)))
    assert not list(stale(ptx_of(CHOSEN.format(""), nvcc, tmp_path)))


GREATEST = """
void greatest(int n, int m, const float a[static const restrict n][m], float most[static const restrict n],
              double total[static const restrict 1])
{
#pragma scop
    total[0] = 0.5;
    for (int i = 0; i < n; i++) {
        float found = 0;
        for (int j = 0; j < m; j++)
            found = found > a[i][j] ? found : a[i][j];
        most[i] = found;
        total[0] += found;
    }
#pragma endscop
}

// A launch does all steps; what a step leaves is read by the next one, or a constant.
void steps(int n, int t, float a[static const restrict n], const float b[static const restrict n],
           float c[static const restrict n])
{
#pragma scop
    for (int k = 0; k < t; k++) {
        for (int i = 0; i < n; i++)
            c[i] = b[i] > k ? b[i] : a[n - 1 - i];
        for (int i = 0; i < n; i++)
            a[i] = b[i] < k ? c[n - 1 - i] : b[n - 1 - i];
    }
#pragma endscop
}
"""


def test_what_is_written_is_not_read_by_way_of_the_read_only_cache(nvcc: str, tmp_path: Path) -> None:
    cuda = compile_source(SourceFile("greatest.c", GREATEST), CompileOptions()).cuda
    assert "greatest_parallel" in cuda and "steps_" in cuda
    assert list(stale(ptx_of(cuda, nvcc, tmp_path))) == []


PATHS = [*(ROOT / sample.path for sample in samples()), *PROGRAMS, *sorted((ROOT / "tests/diff").glob("ragged*.c"))]


@pytest.mark.full
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_program(path: Path, nvcc: str, tmp_path: Path, root: Path) -> None:
    file = SourceFile(path.relative_to(root).as_posix(), path.read_text())
    assert list(stale(ptx_of(compile_source(file, CompileOptions()).cuda, nvcc, tmp_path))) == []
