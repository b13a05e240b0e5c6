"""Programs that were once wrong, or that look likely to be: each against its sequential C, in check mode."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench import evidence
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify
from tests.conftest import run

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.c"))
# What takes longest is left to `make test-full`, where a sample or another program has the same kernels.
SLOW = {
    "begun_from_data", "blocked_loops", "flattened", "in_order", "ping_pong", "symmetric",
    "added_in_order", "among_neighbours", "best_places", "bytes", "edges_chosen", "edges_in_one_loop", "edges_in_time",
    "chosen", "composed",
    "composed_flags", "composed_hunted", "composed_layer", "continues", "extremes_over_time", "handed_on", "collapsed",
    "collapsed_orders",
    "detected", "few_columns", "first_failures", "flat_loops", "halo",
    "indirect_detected", "indirect_loops", "indirect_places", "indirect_types", "nearest", "nearest_by_places",
    "overlapping_updates",
    "packed", "private_by_size", "private_members", "scalars_by_size",
    "packed_shapes", "planes", "planes_in_turn", "planes_with_edges",
    "shared_elements", "shifted", "shifted_edges", "shifted_rows", "size_t_bounds",
    "small_arrays", "spread",
    "stitched_across", "stitched_short",
    "stitched_apart", "stitched_edges", "stitched_held", "stitched_overwritten", "stitched_shapes", "stitched_split",
    "killed_copies", "meeting_loops", "old_values", "shared_lines",
    "loops_in_one_launch", "moved_loops", "other_steps", "rounds", "rounds_cut", "rounds_inside", "rounds_marked",
    "quotient_rows", "rows_by_lines", "rows_copied", "shared_values", "single_loops",
    "stitched_tiers", "stitched_whole", "struct_clauses", "tensor_cores", "thread_rows", "tiles", "time_tiles",
    "rounds_of_rows", "triangular_halves", "triangular_products", "turns_in_time",
    "windows",
}  # fmt: skip
IN_ALL_FORMS = {"loops_in_one_launch"}
# In check mode g++ refuses what nvcc does; nvcc itself takes every eighth in `make test`, all in `make test-full`.
NOT_IN_TURN = {path.stem for position, path in enumerate(PROGRAMS) if position % 8}
SLOW_IN_NVCC = SLOW | NOT_IN_TURN


@dataclass(frozen=True)
class Spill:
    """What nvcc 13 keeps in local memory in a function of a program, and why that stays.

    `kernel`: with the points, chunks or lanes that it is made for; `size`: bytes stored and loaded by a thread.
    """

    program: str
    kernel: str
    size: dict[str, int]
    reason: str


# A multiprocessor has 65536 registers: 64 for each thread of 1024, 80 of three blocks of 256, 128 of two.
THREE = "three blocks of a multiprocessor are more than two without these bytes, a few for each row of 32 elements"
FOUR = "four blocks of a multiprocessor are more than three without these bytes"
FIVE = "five blocks of a multiprocessor are more than four without these bytes, on sm_100 alone"
SHORT = "four rows at once have an address each for what elements touch beside chunks; two blocks would fit without"
LARGEST = "a block of 1024 threads has 64 registers for each, and few rows have nothing else on the chip"
ALONE = "nvcc takes all 255 registers for 32 elements in reach of a thread, on sm_100 alone; 80 to 128 on others"
BEGUN = "all points of a thread, operands and what is fetched next fill its registers to the last one"
MANY = "34 sums and the chunks that are loaded ahead fill the 128 registers of two blocks"
WALKED = "16 elements in flight walk two loops each, whose counters and ends nvcc keeps beside them"
SPILLS = (
    Spill("composed", "chain_row1_blocks", {"sm_100": 8}, FOUR),
    Spill("composed", "chain_row1_short", {"sm_80": 212, "sm_90": 264}, SHORT),
    Spill("composed_flags", "flags_stitched2<8>", {"sm_80": 84, "sm_90": 32, "sm_100": 72}, THREE),
    Spill("counted", "bits_all0", {"sm_100": 8}, MANY),
    Spill("few_columns", "away_stitched0<32>", {"sm_100": 120}, ALONE),
    Spill("fronts", "chain_of_products_row1_blocks", {"sm_90": 72}, FOUR),
    Spill("fronts", "chain_of_products_row1_lanes<4>", {"sm_100": 8}, FOUR),
    Spill("inner_reads", "rows_stitched0<4>", {"sm_100": 16}, LARGEST),
    Spill("inner_reads", "rows_stitched0<8>", {"sm_90": 16, "sm_100": 8}, THREE),
    Spill("macros", "norm_stitched0<8>", {"sm_100": 28}, THREE),
    Spill("loops_after_loops", "beside_all0", {"sm_90": 16, "sm_100": 16}, WALKED),
    Spill("meeting_loops", "shifted_columns_row0_blocks", {"sm_80": 8}, FOUR),
    Spill("meeting_loops", "shifted_columns_row0_short", {"sm_80": 196, "sm_90": 188}, SHORT),
    Spill("radius", "erode_column0", {"sm_90": 72, "sm_100": 248}, FOUR),
    Spill("private_arrays", "tensor_column0_tiles<2, 8, 16, 3>", {"sm_90": 8}, BEGUN),
    Spill("rows_copied", "centred_stitched0<4>", {"sm_100": 36}, LARGEST),
    Spill("padded", "clamped_row0_blocks", {"sm_80": 16, "sm_90": 16, "sm_100": 16}, THREE),
    Spill("padded", "clamped_row0_warps", {"sm_100": 28}, THREE),
    Spill("rows_without_elements", "inside_row1_blocks", {"sm_100": 4}, FIVE),
    Spill("shifted_edges", "whole_numbers_row1_blocks", {"sm_100": 4}, FIVE),
    Spill("shifted", "residual_norm_stitched0<8>", {"sm_80": 36, "sm_90": 48, "sm_100": 52}, THREE),
    Spill("stitched_edges", "calls_stitched0<4>", {"sm_80": 192, "sm_90": 288, "sm_100": 296}, LARGEST),
    Spill("stitched_edges", "neighbours_stitched0<16>", {"sm_100": 16}, LARGEST),
    Spill("stitched_edges", "neighbours_stitched0<32>", {"sm_100": 256}, ALONE),
    Spill("stitched_held", "doubles_stitched0<1>", {"sm_100": 12}, LARGEST),
    Spill("stitched_held", "in_place_stitched0<8>", {"sm_100": 176}, THREE),
    Spill("stitched_shapes", "guarded_stitched0<8>", {"sm_80": 16, "sm_90": 32, "sm_100": 32}, THREE),
    Spill("stitched_shapes", "strided_stitched0<32>", {"sm_100": 8}, ALONE),
    Spill("symmetric", "distances_parallel0_tiles<8, 8, 8, 2>", {"sm_80": 12}, BEGUN),
    Spill("symmetric", "distances_parallel0_tiles<16, 8, 8, 1>", {"sm_80": 64}, BEGUN),
    Spill("symmetric", "distances_parallel1_tiles<8, 8, 8, 2>", {"sm_90": 12, "sm_100": 16}, BEGUN),
    Spill("symmetric", "distances_parallel1_tiles<16, 8, 8, 1>", {"sm_80": 32}, BEGUN),
    Spill("symmetric", "distances_row2_tiles<16, 8, 8, 1>", {"sm_80": 52, "sm_90": 40}, BEGUN),
    Spill("symmetric", "distances_parallel3_tiles<16, 8, 8, 1>", {"sm_100": 64}, BEGUN),
    Spill("symmetric", "distances_parallel4_tiles<8, 8, 8, 2>", {"sm_90": 12, "sm_100": 16}, BEGUN),
    Spill("symmetric", "distances_parallel4_tiles<16, 8, 8, 1>", {"sm_100": 28}, BEGUN),
    Spill("symmetric", "distances_row5_tiles<16, 8, 8, 1>", {"sm_80": 52, "sm_90": 40}, BEGUN),
    Spill("symmetric", "not_symmetric_parallel3_tiles<16, 8, 8, 1>", {"sm_100": 72}, BEGUN),
    Spill("tensor_cores", "batch_column0_tiles<8, 8, 8, 2>", {"sm_80": 32, "sm_100": 16}, BEGUN),
    Spill("tensor_cores", "columns_column0_tiles<8, 8, 8, 2>", {"sm_90": 16}, BEGUN),
    Spill("tensor_cores", "locals_column0", {"sm_100": 32}, FOUR),
    Spill("tensor_cores", "windows_column0", {"sm_80": 104, "sm_90": 16}, FOUR),
    Spill("tensor_cores", "windows_column0_tiles<8, 8, 8, 2>", {"sm_80": 8}, BEGUN),
    Spill("triangular_products", "earlier_column0_tiles<16, 8, 8, 1>", {"sm_80": 20}, BEGUN),
)


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
    strict = ("-Xptxas", "-v", "-Werror", "all-warnings")
    # The host's half is compiled in `test_program`, by g++.
    result = run(nvcc, f"-arch={arch}", *strict, "-cubin", source, "-o", tmp_path / "out.cubin")
    assert result.returncode == 0, result.stderr
    known = {each.kernel: each.size.get(arch, 0) for each in SPILLS if each.program == path.stem}
    found = {kernel_of(name): seen.spills for name, seen in evidence.figures(result.stderr).items()}
    assert {kernel: size for kernel, size in found.items() if size > known.get(kernel, 0)} == {}


def kernel_of(mangled: str) -> str:
    """`rows<2, 8>` of `_Z4rowsILi2ELi8EEvi`."""
    length = re.match(r"_Z(\d+)", mangled)
    assert length, mangled
    end = length.end() + int(length[1])
    made_for = re.match(r"I(?:Li\d+E)+E", mangled[end:])
    numbers = f"<{', '.join(re.findall(r'Li([0-9]+)E', made_for[0]))}>" if made_for else ""
    return mangled[length.end() : end] + numbers
