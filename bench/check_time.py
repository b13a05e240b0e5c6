"""How long `pencilc check` takes on a file of about 2,000 lines of PENCIL: `python -m bench.check_time`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from bench.compile_time import measure

HEAD = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

"""
FUNCTION = """float f{k}(int n, int m, const float a[static const restrict n][m], float out[static const restrict n])
{{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            __pencil_reduction(&s, a[i][j], add);
    for (int i = 0; i < n; i++) {{
        float r;
        __pencil_reduction_var_init(&r, zero);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&r, a[i][j] * s, add);
        out[i] = r + s;
    }}
    return s;
}}

"""


def long_program(lines: int = 2000) -> str:
    """A file of `lines` lines, most of them statements of regions."""
    count = (lines - HEAD.count("\n")) // FUNCTION.count("\n")
    return HEAD + "".join(FUNCTION.format(k=k) for k in range(count))


def processor_seconds(path: Path) -> float:
    """The processor time of `pencilc check`, the start of Python included."""
    return measure([sys.executable, "-m", "pencilc", "check", str(path)]).processor_seconds


def main() -> None:
    """Print the least of five runs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.c"
        path.write_text(long_program())
        lines = path.read_text().count("\n")
        best = min(processor_seconds(path) for _ in range(5))
    print(f"pencilc check, {lines} lines: {best:.2f} s of processor time")


if __name__ == "__main__":
    main()
