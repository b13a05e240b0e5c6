"""Bytes of shared memory that functions declare."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.shared_memory import SharedMemory, size_of, static_shared
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.accumulators import Accumulator, AccumulatorMember
from pencilc.ir.bins import BinSet, BlocksOfThread, BucketCopies
from pencilc.ir.build import evaluate, generated_type
from pencilc.ir.combining import Combine
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import Braces, Node, SharedDecl
from pencilc.ir.shapes import Shape
from pencilc.ir.source import CHAR, DOUBLE, FLOAT
from pencilc.options import CompileOptions
from pencilc.target import WARP

MEMBER = AccumulatorMember(".a", "a", FLOAT, "add", "zero", None, None, True, 4)
SUM = Accumulator("f", FLOAT, False, (MEMBER,), FLOAT)
BINS = BinSet("h", "k_h", FLOAT, 4, "add", "zero", None, "", "", "order", ((0, 4),), False, 8, 9, 1 << 20)


def shared(*nodes: Node, block: int = 256) -> int:
    return static_shared(KernelFunction("f", "all", (), (), (), block, nodes))


def test_arrays_begin_where_vectors_may() -> None:
    assert shared(SharedDecl("a", CHAR, 3)) == 3
    assert shared(SharedDecl("a", CHAR, 3), SharedDecl("b", DOUBLE, 2)) == 32
    assert shared(SharedDecl("a", generated_type("uint4"), None)) == 0  # the launch provides it
    assert shared(Braces((SharedDecl("a", CHAR, 5),))) == 5


def test_what_combines_has_its_memory_once() -> None:
    block = Combine(SUM, "block")
    assert shared(block) == shared(block, block) == 4 * WARP and shared(Combine(SUM, "warp")) == 0
    large = replace(SUM, members=(replace(MEMBER, size=80, by_memory=True),))
    assert shared(Combine(large, "lanes")) == 80 * 128 and shared(Combine(large, "lanes"), block=64) == 80 * 32


def test_large_values_have_places_for_the_warps_of_their_block() -> None:
    large = replace(SUM, members=(replace(MEMBER, size=80, by_memory=True),))
    assert shared(Combine(large, "block"), block=128) == 80 * 64 + 80 * 4
    assert shared(Combine(large, "workers"), block=128) == 80 * 64 + 80 * WARP


STRUCTS = """#include <pencil.h>
typedef struct { int count; float v[MEMBERS]; } T;
static void none(T *p) { p->count = 0; for (int k = 0; k < MEMBERS; k++) p->v[k] = 0.0f; }
static T both(T a, T b) { a.count += b.count; for (int k = 0; k < MEMBERS; k++) a.v[k] += b.v[k]; return a; }
static T one(float x) { T t; t.count = 1; for (int k = 0; k < MEMBERS; k++) t.v[k] = x; return t; }
void all(int n, const float a[static const restrict n], T out[static const restrict 1]) {
    __pencil_reduction_var_init(&out[0], none);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&out[0], one(a[i]), both);
}
void rows(int n, int m, const float a[static const restrict n][m], T out[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&out[i], none);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&out[i], one(a[i][j]), both);
    }
}
"""


@pytest.mark.parametrize("members", [81, 199, 511])
def test_large_structs_fit(members: int) -> None:
    """Blocks have as many threads as leaves what they combine on the chip, and not a warp more."""
    done = compile_source(SourceFile("f.c", STRUCTS.replace("MEMBERS", str(members))), CompileOptions())
    blocks = {kernel.shape: kernel.block for program in done.programs for kernel in program.kernels()}
    assert blocks == dict.fromkeys((Shape.ALL, Shape.ROW), {81: 256, 199: 64, 511: 32}[members])


def test_accumulators_are_laid_out_as_structs() -> None:
    wide = replace(MEMBER, size=8)
    assert size_of(SUM) == 4 and size_of(replace(SUM, members=(MEMBER, wide, MEMBER))) == 24


def test_groups_of_threads_and_buckets() -> None:
    assert shared(BlocksOfThread(BINS, 4)) == 4 * 4 * WARP and shared(BlocksOfThread(BINS, 1)) == 0
    assert shared(BucketCopies(BINS)) == 4 * 8 * 512


def test_a_launch_has_the_memory_of_all_functions_that_it_calls() -> None:
    inner = KernelFunction(
        "inner", "all", (), (), (), 256, (SharedDecl("a", CHAR, 3), Combine(SUM, "block")), layout="line"
    )
    other = replace(inner, name="other")
    calls = (evaluate("inner"), evaluate("other"), evaluate("inner"))
    whole = KernelFunction("f", "all", (), (), (), 256, (SharedDecl("b", CHAR, 5), *calls))
    memory = SharedMemory((inner, other, whole))
    assert memory.of_launch("inner") == 3 + 4 * WARP
    # Arrays of each, where vectors may begin; what combines is the same function.
    assert memory.of_launch("f") == 16 + 16 + 3 + 4 * WARP
    given = replace(whole, name="g", body=(SharedDecl("@shared", generated_type("uint4"), None),))
    assert SharedMemory((whole, given)).given == {"g"}
