"""The verifier of order: a right program passes, and each kind of wrong order, place or reduction is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import islpy as isl
import pytest

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.verifiers.order import verify_order
from pencilc.gpu.verifiers.statements import verify_mapping
from pencilc.ir.mapping import HostItem, HostLoop, MappedProgram, Packed, Stitched
from pencilc.ir.schedule import Band, Leaf, Row, Sequence
from pencilc.ir.shapes import Kernel, Shape, SingleKernel
from pencilc.ir.storage import Element, Home, Register, Storage, Workspace
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
#include <math.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
static void fzero(float *v) { *v = 0; }
static float fadd(float a, float b) { return a + b; }
"""
ARRAYS = "int n, const int a[static const restrict n], int t[static const restrict n], int o[static const restrict n]"


def mapped(body: str, parameters: str = ARRAYS, **options: str) -> MappedProgram:
    text = f"{HEAD}void f({parameters})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    changed = replace(CompileOptions(), **options)  # type: ignore[arg-type]
    (program,) = compile_source(SourceFile("f.c", text), changed, "mapping").programs
    return program


def refused(program: MappedProgram, match: str) -> None:
    with pytest.raises(CompilerBug, match=match):
        verify_order(program)


CHAIN = """
for (int i = 0; i < n; i++) t[i] = a[i];
for (int i = 0; i < n; i++) o[i] = t[i] + t[n - 1 - i];
"""


def kernels(program: MappedProgram) -> list[Kernel]:
    return [item for item in program.items if isinstance(item, Kernel)]


def test_a_consumer_before_its_producer() -> None:
    program = mapped(CHAIN)
    verify_order(program)
    refused(replace(program, items=program.items[::-1]), "behind or beside")


def test_a_consumer_beside_its_producer() -> None:
    program = mapped(CHAIN)
    packed = Packed("f_packed0", tuple(kernels(program)))
    refused(replace(program, items=(packed,)), "behind or beside")


def test_an_overwritten_value_that_is_still_read() -> None:
    program = mapped(f"{CHAIN} for (int i = 0; i < n; i++) t[i] = 5;")
    first, second, third = program.items
    refused(replace(program, items=(first, third, second)), "touches the same `t` later")


def test_a_sequential_row_that_is_dealt_out() -> None:
    program = mapped("for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) o[j] = o[j] * 3 + a[i];")
    (kernel,) = kernels(program)
    assert isinstance(kernel.body, Band)
    dealt = replace(kernel, kept=(*kernel.kept, *kernel.body.rows), body=kernel.body.child)
    refused(replace(program, items=(dealt,)), "touches the same `o` later")
    with pytest.raises(CompilerBug, match="not parallel"):
        verify_mapping(replace(program, items=(dealt,)))


def test_a_row_that_is_dealt_out_although_its_points_meet() -> None:
    program = mapped("for (int i = 0; i < n; i++) { t[i] = a[i]; o[i] = t[i] + 1; }")
    (kernel,) = kernels(program)
    (row,) = kernel.kept
    functions = islx.pw_affs_of(row.function)
    shifted = islx.union_pw_aff(
        [functions["S0"], functions["S1"].add_constant_val(isl.Val(1))],
    )
    refused(replace(program, items=(replace(kernel, kept=(Row("P", shifted),)),)), "the same `t`")


def test_statements_of_one_thread_in_another_order() -> None:
    program = mapped("for (int i = 0; i < n; i++) { t[i] = a[i]; o[i] = t[i] + 1; }")
    (kernel,) = kernels(program)
    swapped = replace(kernel, body=Sequence((Leaf("S1"), Leaf("S0"))))
    refused(replace(program, items=(swapped,)), "the same `t`")


def test_a_statement_behind_the_wrong_reduction() -> None:
    body = """
    int s, r;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], add);
    __pencil_reduction_var_init(&r, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&r, a[i] * s, add);
    if (n > 0) o[0] = r;
    """
    program = mapped(body, fuse="none")
    first, second = kernels(program)
    early = replace(first, post=(*first.post, *second.post[1:]))
    late = replace(second, post=second.post[:1])
    refused(replace(program, items=(early, late)), "the same `r`")


def test_an_update_that_its_merge_node_does_not_wait_for() -> None:
    body = """
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], add);
    if (n > 0) o[0] = s;
    """
    program = mapped(body)
    (kernel,) = kernels(program)
    by_itself = SingleKernel(name="f_single9", host=(), body=None, post=kernel.post, index="int", domain=kernel.domain)
    alone = replace(kernel, post=())
    refused(replace(program, items=(by_itself, alone)), "is not done before M0")


def rewritten(program: MappedProgram, symbol: str, change: Callable[[Storage], Storage]) -> MappedProgram:
    storage = tuple(change(s) if s.array == symbol else s for s in program.storage)
    return replace(program, storage=storage)


PAIR = """
for (int i = 0; i < n; i++) {
    int w[2];
    w[0] = a[i];
    w[1] = a[i] * 2;
    o[i] = w[0] - w[a[i] & 1];
}
"""
APART = "int n, int m, const int a[static const restrict n][m], int o[static const restrict n][m]"
STORED = """
for (int i = 0; i < n; i++) {
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int j = 0; j < m; j++) __pencil_reduction(&s, a[i][j], add);
    for (int j = 0; j < m; j++) o[i][j] = s;
}
"""


def test_a_value_that_is_not_expanded() -> None:
    program = mapped(STORED, APART, fuse="none")
    assert isinstance(program.storage_of("s").residence, Workspace) and program.storage_of("s").expanded
    verify_order(program)
    refused(rewritten(program, "s", lambda s: replace(s, residence=Workspace())), "the same `s`")


def test_a_register_that_another_kernel_reads() -> None:
    program = mapped(STORED, APART, fuse="none")
    first, second = kernels(program)
    homes = (Home(first.name, "post"), Home(second.name, "body"))
    wrong = rewritten(program, "s", lambda s: Storage(s.array, Register(homes)))
    refused(wrong, "does not reach")


def test_one_register_for_an_array_whose_elements_differ() -> None:
    program = mapped(PAIR)
    (kernel,) = kernels(program)
    assert isinstance(program.storage_of("w").residence, Register)
    wrong = rewritten(program, "w", lambda s: Storage("w", Element((Home(kernel.name, "body"),))))
    refused(wrong, "other elements")


def test_a_stage_in_the_place_of_another() -> None:
    parameters = "int n, int m, const float a[static const restrict n][m], float o[static const restrict n][m]"
    body = STORED.replace("int s;", "float s;").replace("zero", "fzero").replace(", add", ", fadd")
    program = mapped(body, parameters, fuse="max")
    (stitched,) = program.stitched()
    verify_order(program)
    turned = replace(stitched, stages=stitched.stages[::-1])
    refused(replace(program, items=(turned,)), "the same `s`|not done before")


def test_kernels_behind_a_stitched_one_in_another_order() -> None:
    program = mapped(STORED, APART, fuse="max")
    (item,) = program.items
    assert isinstance(item, Stitched)
    refused(
        replace(program, items=(replace(item, fallback=replace(item.fallback, kernels=item.fallback.kernels[::-1])),)),
        "the same `s`|not done before",
    )


def host_loops(items: tuple[HostItem, ...]) -> list[HostLoop]:
    return [item for item in items if isinstance(item, HostLoop)]


def test_launches_of_a_loop_on_the_host_in_another_order() -> None:
    body = """
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) t[i] = o[n - 1 - i] % 9 + a[i];
        for (int i = 0; i < n; i++) o[i] = t[i / 2] + 1;
    }
    """
    program = mapped(body)
    (loop,) = host_loops(program.items)
    verify_order(program)
    refused(replace(program, items=(replace(loop, items=loop.items[::-1]),)), "the same `[to]`")


def test_what_an_independent_loop_promises_is_believed() -> None:
    body = """
    #pragma pencil independent
    for (int i = 0; i < n; i++) t[a[i]] = i;
    """
    program = mapped(body)
    assert [kernel.shape for kernel in kernels(program)] == [Shape.PARALLEL]
    verify_order(program)
