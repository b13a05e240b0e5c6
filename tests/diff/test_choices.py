"""Operators that choose, in the ways in which people write them: right, without branches, in tiles of most points."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import sass
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.target import TARGETS
from pencilc.verify.command import VerifySettings, verify
from tests.conftest import run
from tests.diff.choices import FORMS, program
from tests.diff.test_tiles import main_loop
from tests.diff.tile_choice import chosen

# What is left for the loops, the left-over part and the combination of threads and blocks.
MOST_BRANCHES = 32
QUICK = ("three",)


@pytest.mark.parametrize("form", [pytest.param(f, marks=() if f in QUICK else pytest.mark.full) for f in FORMS])
def test_every_form_is_right(form: str) -> None:
    sizes = {"n": (0, 1, 33, 5001), "m": (17, 130), "q": (16, 40), "p": (0, 9)}
    file = SourceFile("choices.c", program(form))
    report = verify(file, CompileOptions(), VerifySettings(sizes=sizes, orders=("rand:5",)))
    assert report.ok, report.table()
    assert {row.function for row in report.rows if row.status == "ok"} == {f"greatest_{form}", f"axes_{form}"}


@pytest.mark.parametrize(
    "arch", ["sm_90", *(pytest.param(arch, marks=pytest.mark.full) for arch in ("sm_80", "sm_100"))]
)
@pytest.mark.parametrize("form", [pytest.param(f, marks=() if f in QUICK else pytest.mark.full) for f in FORMS])
def test_no_form_branches(form: str, arch: str, nvcc: str, nvdisasm: Path, tmp_path: Path) -> None:
    """Nor does any spill, in tiles of 128 x 128 points of which a thread has 64, with two words each."""
    cuda, cubin = tmp_path / "choices.cu", tmp_path / "choices.cubin"
    cuda.write_text(compile_source(SourceFile("choices.c", program(form)), CompileOptions()).cuda)
    done = run(nvcc, f"-arch={arch}", "-cubin", "-Xptxas", "-warn-spills", "-Werror", "all-warnings", cuda, "-o", cubin)
    assert done.returncode == 0, done.stderr
    code = sass.functions(run(nvdisasm, "-c", cubin).stdout)
    (whole,) = (function for name, function in code.items() if f"greatest_{form}_all0" in name)
    assert sum(instruction.name == "BRA" for instruction in whole.instructions) <= MOST_BRANCHES
    (tiles,) = (function for name, function in code.items() if f"axes_{form}_row0_tilesILi8ELi8E" in name)
    # Both differences of each of 64 points, for a reduced point at least, in one piece of code.
    found = main_loop(tiles)
    assert found["FADD"] >= 2 * 64, found
    assert {opcode for opcode in found if opcode.startswith("LDS")} <= {"LDS.128", "LDS.U.128"}
    assert not sass.has(tiles, "STL", "LDL")


@pytest.mark.parametrize(("size", "share"), [(4096, 100), (1024, 50)])
def test_the_best_with_its_place_moves_what_a_product_does(size: int, share: int, tmp_path: Path) -> None:
    """Bytes of operands, of which a point alone reads 2 p floats, and what blocks that share a tile leave."""
    target = TARGETS["sm_90"]
    cuda = compile_source(SourceFile("choices.c", program("three")), CompileOptions(target=target)).cuda
    (found,) = chosen(cuda, tmp_path, [(size, size, size, target.multiprocessors)])
    assert (found.down, found.across) == (8, 8) or size < 4096
    assert found.blocks(size, size) >= 0.95 * target.multiprocessors  # of blocks that have one each
    left = 4 * found.splits if found.splits > 1 else 0
    operands = size // (16 * found.down) + size // (16 * found.across)
    assert share * (operands * size + left * size + 2 * size) <= (2 * size + 2) * size
