"""The programs of `tests/port`, plain C as people write it: `port --apply` alone brings each to a verified kernel."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from pencilc.frontend import include_dir
from tests.conftest import PENCILC, ROOT, run

PROGRAMS = sorted((ROOT / "tests" / "port").glob("*.c"))
# What the fast tier takes through everything, at few sizes.
QUICK = ("moments",)
# Of which one thread runs a part, and is told so.
PARTLY = {
    "running": "each sum needs the one before",
}
C_FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", f"-I{include_dir()}"]


def test_there_are_enough() -> None:
    assert len(PROGRAMS) == 78


@pytest.mark.parametrize(
    "path", [pytest.param(p, marks=[] if p.stem in QUICK else pytest.mark.full) for p in PROGRAMS], ids=lambda p: p.stem
)
def test_port(path: Path, tmp_path: Path) -> None:
    untouched = run(*PENCILC, path.name, "-o", str(tmp_path / "x.cu"), cwd=path.parent)
    told = [line for line in untouched.stderr.splitlines() if line.startswith(("error[", "warning[", "note["))]
    assert untouched.returncode == 1 and 1 <= len(told) <= 3
    file = tmp_path / path.name
    shutil.copy(path, file)
    done = run(*PENCILC, "port", "--apply", path.name, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ("one GPU thread" in done.stdout) == (path.stem in PARTLY)
    subprocess.run(["gcc", *C_FLAGS, "-c", path.name, "-o", "x.o"], cwd=tmp_path, check=True)
    quick = ["--order=fwd", "--max-elements=20000"] if path.stem in QUICK else []
    verified = run(*PENCILC, "verify", "--json", *quick, path.name, cwd=tmp_path)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    rows = json.loads(verified.stdout)
    assert rows
    compiled = run(*PENCILC, path.name, "-o", "x.cu", "--host-output", "x_host.c", cwd=tmp_path)
    assert compiled.returncode == 0 and ("PC0701" in compiled.stderr) == (path.stem in PARTLY)
    again = run(*PENCILC, "port", path.name, cwd=tmp_path)
    assert again.returncode == 0 and "nothing changes" in again.stdout


def test_a_program_of_several_files(tmp_path: Path) -> None:
    """Heads that other files know stay, and the whole program prints what it printed."""
    (tmp_path / "vec.h").write_text(
        "double dot(const double *x, const double *y, int n);\nvoid scale(int n, double *x);\n"
    )
    (tmp_path / "vec.c").write_text(
        '#include "vec.h"\n'
        "double dot(const double *x, const double *y, int n)\n{\n    double s = 0;\n"
        "    for (int i = 0; i < n; i++)\n        s += x[i] * y[i];\n    return s;\n}\n\n"
        "void scale(int n, double *x)\n{\n    for (int i = 0; i < n; i++)\n        x[i] *= 2;\n}\n"
    )
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\n#include "vec.h"\n'
        "static void fill(double *x, int n)\n{\n    for (int i = 0; i < n; i++)\n        x[i] = 0.5 * i;\n}\n\n"
        "int main(void)\n{\n    double x[50];\n    fill(x, 50);\n    scale(50, x);\n"
        '    printf("%.10g\\n", dot(x, x, 50));\n    return 0;\n}\n'
    )
    build = ["gcc", *C_FLAGS, "main.c", "vec.c", "-o", "program"]
    printed = []
    for files in ((), ("vec.c", "main.c")):
        for name in files:
            done = run(*PENCILC, "port", "--apply", name, cwd=tmp_path)
            assert done.returncode == 0, done.stdout + done.stderr
        subprocess.run(build, cwd=tmp_path, check=True)
        printed.append(subprocess.run(["./program"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout)
    assert printed[0] == printed[1] == "40425\n"
    assert "scale_sized(n, x);" in (tmp_path / "vec.c").read_text()
    assert "fill_sized(n, x);" in (tmp_path / "main.c").read_text()
