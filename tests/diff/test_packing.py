"""Kernels that do not depend on each other: one launch for every shape, and why some stay apart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.mapping import HostLoop, Packed
from pencilc.ir.shapes import Shape
from pencilc.options import CompileOptions, Fuse
from pencilc.target import TARGETS
from pencilc.verify.command import VerifySettings, verify
from tests.conftest import run

PROGRAM = Path("tests/diff/programs/packed_shapes.c")

# Two launches of `deep` are two depths; `rounds` has two rounds of two kernels, which are one launch.
LAUNCHES = {"margins": 1, "two_matrices": 1, "deep": 2, "bins": 1, "rounds": 2}


def source(text: str) -> SourceFile:
    return SourceFile("packed.c", "#include <pencil.h>\n" + text)


def test_every_shape_is_packed(root: Path) -> None:
    done = compile_source(SourceFile(str(PROGRAM), PROGRAM.read_text()), CompileOptions())
    packed = {
        program.scop.name: {kernel.shape for item in program.packed() for kernel in item.kernels}
        for program in done.programs
    }
    assert packed["margins"] == {Shape.ROW, Shape.COLUMN, Shape.ALL}
    assert packed["two_matrices"] == {Shape.ROW}
    assert packed["deep"] == {Shape.COLUMN, Shape.ALL}
    assert packed["bins"] == {Shape.PARALLEL, Shape.INDIRECT}


def test_launches(root: Path) -> None:
    sizes: dict[str, tuple[int, ...]] = {"n": (37,), "m": (40,), "p": (31,), "l": (2,), "k": (2,)}
    settings = VerifySettings(sizes=sizes, orders=("fwd", "rev", "rand:7"), forms=False)
    report = verify(SourceFile(str(PROGRAM), PROGRAM.read_text()), CompileOptions(), settings)
    assert report.ok, report.table()
    launches = {row.function: row.launches for row in report.rows if row.launches is not None}
    assert launches == LAUNCHES, report.table()


@pytest.mark.full
@pytest.mark.parametrize("mode", ["none", "pairwise", "max"])
def test_other_modes(mode: Fuse, root: Path) -> None:
    sizes: dict[str, tuple[int, ...]] = {"n": (33,), "m": (70,), "p": (5,), "l": (3,), "k": (2,)}
    settings = VerifySettings(sizes=sizes, orders=("rand:5",))
    report = verify(SourceFile(str(PROGRAM), PROGRAM.read_text()), CompileOptions(fuse=mode), settings)
    assert report.ok, report.table()


LONG_ROWS = """
void rows(int n, int m, const int x[static const restrict n][m], int a[static const restrict n],
          const int y[static const restrict m][n], int b[static const restrict n], int h[static const restrict m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i] += x[i][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[i] += y[j][i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) h[(x[i][j] & 0xffff) % m] += 1;
#pragma endscop
}
"""


def test_what_the_entry_point_chooses() -> None:
    """Rows split over blocks, a block, some lanes; bins that are too many for a block of all parts."""
    settings = VerifySettings(sizes={"n": (2, 2100), "m": (3, 4003, 5003, 140003)}, orders=("rand:7",))
    report = verify(source(LONG_ROWS), CompileOptions(), settings)
    assert report.ok, report.table()
    launches = {tuple(v for _, v in row.sizes): row.launches for row in report.rows if row.launches is not None}
    assert launches == {(2, 3): 1, (2, 4003): 1, (2, 5003): 2, (2, 140003): 2, (2100, 3): 1}, report.table()


def fused(text: str, fuse: Fuse = "model", arch: str = "sm_90") -> list[tuple[bool, str]]:
    (program,) = compile_source(source(text), CompileOptions(fuse=fuse, target=TARGETS[arch])).programs
    return [(fusion.taken, fusion.reason) for fusion in program.fusions]


def test_shared_memory_keeps_apart() -> None:
    """Lists of numbers for each column leave no room for the threads that elementwise loops like to have."""
    lists = """
typedef struct { int at[12]; } List;
static void none(List *v) { for (int k = 0; k < 12; k++) v->at[k] = 0; }
static List both(List a, List b) { for (int k = 0; k < 12; k++) a.at[k] += b.at[k]; return a; }
void f(int n, int m, const int x[static const restrict n][m], List c[static const restrict m],
       const int y[static const restrict n], int z[static const restrict n]) {
    for (int j = 0; j < m; j++) {
        __pencil_reduction_var_init(&c[j], none);
        for (int i = 0; i < n; i++) {
            List one;
            for (int k = 0; k < 12; k++) one.at[k] = x[i][j] >> k;
            __pencil_reduction(&c[j], one, both);
        }
    }
    for (int i = 0; i < n; i++) z[i] = y[i] + 1;
}
"""
    ((taken, reason),) = fused(lists, arch="sm_80")
    assert not taken
    assert reason.startswith("shared memory for all of them leaves no room for ")


def test_a_launch_has_sixteen_parts_at_most() -> None:
    names = [f"a{k}" for k in range(20)]
    arrays = ", ".join(f"int n{name}, float {name}[static const restrict n{name}]" for name in names)
    loops = "\n".join(f"    for (int i = 0; i < n{name}; i++) {name}[i] *= 2;" for name in names)
    text = f"void f({arrays}) {{\n#pragma scop\n{loops}\n#pragma endscop\n}}\n"
    (program,) = compile_source(source(text), CompileOptions()).programs
    assert [len(packed.kernels) for packed in program.packed()] == [16, 4]


def test_rounds_of_one_loop_share_their_launches() -> None:
    """Packed inside a loop on the host; what runs in other iterations only stays apart."""
    text = """
void f(int n, int t, int a[static const restrict n], int b[static const restrict n], int c[static const restrict t]) {
#pragma scop
    for (int k = 0; k < t; k++) {
        for (int i = 1; i < n - 1; i++) a[i] = b[i - 1] + b[i + 1];
        c[k] = 0;
        for (int i = 0; i < n; i++) c[k] += b[i];
        for (int i = 1; i < n - 1; i++) b[i] = a[i] ^ c[k];
    }
#pragma endscop
}
"""
    (program,) = compile_source(source(text), CompileOptions()).programs
    (loop,) = program.items
    assert isinstance(loop, HostLoop)
    assert [isinstance(item, Packed) for item in loop.items] == [True, False]
    settings = VerifySettings(sizes={"n": (0, 33, 1009), "t": (3,)}, orders=("fwd", "rev", "rand:7"))
    report = verify(source(text), CompileOptions(), settings)
    assert report.ok, report.table()


def test_an_array_that_one_part_reads_and_another_writes() -> None:
    text = """
void f(int n, const unsigned a[static const restrict n], unsigned b[static const restrict n],
       unsigned s[static const restrict 2]) {
#pragma scop
    for (int i = 0; i < n; i++) b[i] = a[i] + s[0];
    for (int i = 0; i < n; i++) s[1] += a[n - 1 - i];
#pragma endscop
}
"""
    settings = VerifySettings(sizes={"n": (0, 33, 1009)}, orders=("fwd", "rev", "rand:7"))
    report = verify(source(text), CompileOptions(fuse="max"), settings)
    assert report.ok, report.table()
    (program,) = compile_source(source(text), CompileOptions(fuse="max")).programs
    assert len(program.packed()) == 1


@pytest.mark.full
@pytest.mark.parametrize("arch", ["sm_80", "sm_100"])
def test_nothing_spills(arch: str, nvcc: str, tmp_path: Path, root: Path) -> None:
    path = tmp_path / "packed.cu"
    path.write_text(compile_source(SourceFile(str(PROGRAM), PROGRAM.read_text()), CompileOptions()).cuda)
    strict = ("-Xptxas", "-v,-warn-spills", "-Werror", "all-warnings")
    result = run(nvcc, f"-arch={arch}", *strict, "-c", path, "-o", tmp_path / "out.o")
    assert result.returncode == 0, result.stderr
    assert not re.search(r"[1-9]\d* bytes spill", result.stderr), result.stderr
