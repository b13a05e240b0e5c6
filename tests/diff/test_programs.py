"""Programs that were once wrong, or that look likely to be: each against its sequential C, in check mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify
from tests.conftest import run

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.c"))
# What takes longest is left to `make test-full`, where a sample or another program has the same kernels.
SLOW = {
    "begun_from_data",
    "added_in_order", "among_neighbours", "best_places", "bytes", "chosen", "composed", "composed_flags",
    "composed_hunted", "composed_layer", "continues", "extremes_over_time", "handed_on", "collapsed",
    "collapsed_orders",
    "detected", "few_columns", "first_failures", "flat_loops", "halo",
    "indirect_detected", "indirect_loops", "indirect_places", "indirect_types", "nearest", "nearest_by_places",
    "overlapping_updates",
    "packed", "private_by_size", "private_members", "scalars_by_size",
    "packed_shapes", "planes", "shared_elements", "shifted", "shifted_edges", "shifted_rows", "size_t_bounds", "spread",
    "stitched_across",
    "stitched_apart", "stitched_edges", "stitched_held", "stitched_overwritten", "stitched_shapes", "stitched_split",
    "killed_copies", "meeting_loops", "old_values", "shared_lines",
    "loops_in_one_launch", "moved_loops", "other_steps", "rounds", "rounds_cut", "rounds_inside", "rounds_marked",
    "quotient_rows", "rows_by_lines", "shared_values", "single_loops",
    "stitched_tiers", "stitched_whole", "struct_clauses", "tensor_cores", "thread_rows", "tiles", "time_tiles",
    "triangular_halves", "triangular_products",
    "windows",
}  # fmt: skip
# nvcc 13 spills 32 to 104 bytes in one size of tile each: two triangles with 8 x 8 points (sm_80, sm_90), one that is
# added in place with 16 x 8 (sm_100); 60 bytes in the longest rows of pairs that a warp or block keeps (sm_100);
# 16 bytes in rows of flags that five arrays hold (all three); 112 bytes where short rows are squares, read turned as
# well: 64-bit numbers are divided for each element.
SPILLED = {"composed", "composed_flags", "few_columns", "triangular_halves", "triangular_products"}
IN_ALL_FORMS = {"loops_in_one_launch"}
# In check mode g++ refuses what nvcc does; nvcc itself takes every eighth in `make test`, all in `make test-full`.
NOT_IN_TURN = {path.stem for position, path in enumerate(PROGRAMS) if position % 8}
SLOW_IN_NVCC = SLOW | NOT_IN_TURN


def sizes_of(text: str) -> dict[str, tuple[int, ...]]:
    """The `// sizes: n=0,1 m=7` line of a program."""
    line = text.partition("// sizes: ")[2].partition("\n")[0]
    pairs = (part.split("=") for part in line.split())
    return {name: tuple(int(v) for v in values.split(",")) for name, values in pairs}


def programs(slow: set[str]) -> list[object]:
    """The programs, those in `slow` marked as part of the full tier alone."""
    return [pytest.param(p, id=p.stem, marks=pytest.mark.full if p.stem in slow else ()) for p in PROGRAMS]


@pytest.mark.parametrize("order", ["rand:3", *(pytest.param(o, marks=pytest.mark.full) for o in ("fwd", "rev"))])
@pytest.mark.parametrize("path", programs(SLOW))
def test_program(path: Path, order: str, root: Path) -> None:
    text = path.read_text()
    file = SourceFile(path.relative_to(root).as_posix(), text)
    # All forms of loops on the host take three more builds; one program has them in `make test`.
    forms = order != "rand:3" or path.stem in IN_ALL_FORMS
    report = verify(file, CompileOptions(), VerifySettings(sizes=sizes_of(text), orders=(order,), forms=forms))
    assert report.ok, report.table()
    compared = {row.function for row in report.rows if row.status == "ok"}
    assert compared == {region.name for region in parse_file(file, FrontendOptions())[0].regions}


@pytest.mark.parametrize(
    "arch", ["sm_90", *(pytest.param(arch, marks=pytest.mark.full) for arch in ("sm_80", "sm_100"))]
)
@pytest.mark.parametrize("path", programs(SLOW_IN_NVCC))
def test_nvcc(path: Path, arch: str, nvcc: str, tmp_path: Path, root: Path) -> None:
    source = tmp_path / "program.cu"
    source.write_text(compile_source(SourceFile(path.name, path.read_text()), CompileOptions()).cuda)
    strict = ("-Xptxas", "-v" if path.stem in SPILLED else "-warn-spills", "-Werror", "all-warnings")
    # The host's half is compiled in `test_program`, by g++.
    result = run(nvcc, f"-arch={arch}", *strict, "-cubin", source, "-o", tmp_path / "out.cubin")
    assert result.returncode == 0, result.stderr
