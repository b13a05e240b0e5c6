"""What tiles of a size take by the model: arithmetic, shared memory, fetches, waiting, and what blocks leave."""

from __future__ import annotations

from functools import cache

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.shapes.tile_costs import CACHED_A_CYCLE, WAIT, costs_of
from pencilc.ir.shapes import TileCost
from pencilc.options import CompileOptions
from pencilc.target import TARGETS

TEXT = """#include <pencil.h>
static void zero({t} *v) {{ *v = 0; }}
static {t} add({t} a, {t} b) {{ return a + b; }}
void f(int m, int n, int p, const {s} a[static const restrict m][p], const {s} b[static const restrict p][n],
       {t} c[static const restrict m][n])
{{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {{
            __pencil_reduction_var_init(&c[i][j], zero);
            for (int k = 0; k < p; k++)
                __pencil_reduction(&c[i][j], {element}, add);
        }}
#pragma endscop
}}
"""
PRODUCT = "a[i][k] * b[k][j]"


@cache
def costs(
    kind: str = "float", stored: str = "", element: str = PRODUCT, arch: str = "sm_90", **options: object
) -> dict[tuple[int, int], TileCost]:
    """By the points of a thread, down and across."""
    target = TARGETS[arch]
    text = TEXT.format(t=kind, s=stored or kind, element=element)
    made = CompileOptions(target=target, **options)  # type: ignore[arg-type]
    (program,) = compile_source(SourceFile("f.c", text), made, "mapping").programs
    (kernel,) = program.kernels()
    assert kernel.tiling is not None
    found = costs_of(program.scop, kernel, kernel.tiling, target, program.pinned)
    return {(each.size.down, each.size.across): each for each in found}


def test_a_product_of_floats() -> None:
    """256 threads with 64 FMA and four loads for a point, and 30 instructions for each stage of 8 points."""
    found = costs()[8, 8]
    computing = 256 * (64 + 4 + (10 + 2.5 * 8) / 8) / 128
    assert found.cycles == pytest.approx(computing + (128 + 128) * 4 / CACHED_A_CYCLE / 2)
    assert found.wait == WAIT / 8 and found.left == 256 * 64 * 4 / CACHED_A_CYCLE


def test_narrow_tiles_are_bound_by_what_they_read() -> None:
    """2 x 8 points read ten elements for sixteen products, and have half as many instructions to issue."""
    found = costs()
    low, small = found[2, 8], found[4, 4]
    assert low.cycles > small.cycles and low.left == small.left
    # For as many points smaller tiles fetch more.
    assert found[2, 2].cycles * 4 > low.cycles and found[2, 2].cycles * 4 > small.cycles


def test_larger_tiles_take_less_for_a_point() -> None:
    of_a_point = [
        cost.cycles / cost.size.points for (down, across), cost in costs().items() if down != 2 and across != 2
    ]
    assert of_a_point == sorted(of_a_point) and len(of_a_point) == 3


@pytest.mark.parametrize(("arch", "times"), [("sm_90", 2), ("sm_80", 2), ("sm_86", 64)])
def test_doubles_take_as_long_as_the_target_says(arch: str, times: int) -> None:
    floats, doubles = costs(arch=arch)[8, 8], costs("double", arch=arch)[8, 8]
    assert doubles.cycles / floats.cycles == pytest.approx(times, rel=0.25)


def test_what_is_not_contracted_takes_two_instructions() -> None:
    assert costs(determinism="fixed-tree")[8, 8].cycles - costs()[8, 8].cycles == pytest.approx(256 * 64 / 128)


def test_tensor_cores_take_less_where_the_target_has_them() -> None:
    halves = "pencil_half_to_float(a[i][k]) * pencil_half_to_float(b[k][j])"
    found, older = (costs("float", "pencil_half", halves, arch) for arch in ("sm_90", "sm_75"))
    assert found.keys() == older.keys() == {(8, 8), (4, 4)}
    assert all(found[key].cycles < older[key].cycles / 4 for key in found)
    # Three stages of 32 points.
    assert found[8, 8].wait == WAIT / 64


def test_other_types_are_taken_for_floats() -> None:
    assert costs("long", arch="sm_86")[4, 4].cycles == costs("long")[4, 4].cycles
    assert costs("long", arch="sm_86")[4, 4].cycles < costs("double", arch="sm_86")[4, 4].cycles
