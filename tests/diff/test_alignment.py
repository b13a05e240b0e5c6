"""The combination tree depends on the index of an element, never on its address: the same bits at every offset."""

from __future__ import annotations

from pathlib import Path

import pytest

from pencilc import driver
from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.verify.executors import CpuExecutor
from tests.conftest import run

HARNESS = """
#include <cstdio>
#include <cstring>

int main() {{
    const int n = {n};
    static {type} host[n + 4];
    unsigned seed = 20;
    for (size_t i = 0; i < sizeof(host) / sizeof({scalar}); i++) {{
        seed = seed * 1664525u + 1013904223u;
        (({scalar} *)host)[i] = ({scalar})((float)(seed >> 8) / {most});
    }}
    for (int offset = 0; offset < 4; offset++) {{
        {type} *data;
        decltype({function}(0, data)) *result, sum;
        unsigned char bytes[sizeof(sum)];
        cudaMalloc((void **)&data, sizeof(host));
        cudaMalloc((void **)&result, sizeof(sum));
        cudaMemcpy(data + offset, host, n * sizeof(*data), cudaMemcpyHostToDevice);
        if ({function}_device(n, data + offset, result, 0) != cudaSuccess) return 1;
        cudaMemcpy(&sum, result, sizeof(sum), cudaMemcpyDeviceToHost);
        memcpy(bytes, &sum, sizeof(sum));
        for (size_t k = 0; k < sizeof(sum); k++) printf("%02x", bytes[k]);
        printf("\\n");
        cudaFree(data);
        cudaFree(result);
    }}
    return 0;
}}
"""


def _mode(value: object) -> str:
    return f"{value.determinism}-{value.sums}" if isinstance(value, CompileOptions) else str(value)


KINDS = [("sum", "float", "float"), ("sum_double", "double", "double"), ("sum_struct", "Point", "float")]
NARROW = [("sum_char", "signed char", "signed char"), ("sum_half", "__half", "__half")]
PLAIN = CompileOptions()
MODES = [
    CompileOptions(determinism="fixed-tree"),
    CompileOptions(determinism="none"),
    CompileOptions(sums="kahan"),
    CompileOptions(determinism="fixed-tree", sums="pairwise"),
]


@pytest.mark.parametrize(
    ("kind", "n", "options"),
    [(kind, n, PLAIN) for kind in KINDS for n in (7, 1009, 70001)]
    # Bytes are shifted out of the words around them, but at the ends of the run.
    + [pytest.param(kind, 70001, PLAIN, marks=pytest.mark.full) for kind in NARROW]
    + [(kind, 70001, mode) for kind in KINDS[:2] for mode in MODES],
    ids=lambda value: value[0] if isinstance(value, tuple) else _mode(value),
)
def test_same_bits_at_every_offset(
    kind: tuple[str, str, str], n: int, options: CompileOptions, tmp_path: Path, root: Path
) -> None:
    name, ctype, scalar = kind
    path = Path("samples", f"{name}.c")
    cuda = driver.compile_source(SourceFile(str(path), path.read_text()), options).cuda
    source, program = tmp_path / "program.cu", tmp_path / "program"
    # Bytes from 0 to 127, others from 0 to 1.
    most = 131072 if scalar == "signed char" else 16777216
    source.write_text(cuda + HARNESS.format(n=n, type=ctype, scalar=scalar, function=name, most=most))
    executor = CpuExecutor(("fwd",), "check")
    executor.build(source, program, shared=False)
    result = run(program)
    assert result.returncode == 0, result.stderr
    bits = result.stdout.split()
    assert len(bits) == 4
    assert len(set(bits)) == 1, bits
