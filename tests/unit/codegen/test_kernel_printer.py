"""The dump of the tree."""

from __future__ import annotations

from dataclasses import replace

from pencilc.codegen.bodies import set_to
from pencilc.codegen.kernel_printer import dump_kernels
from pencilc.ir.build import ONE, ZERO, cast, evaluate, negation, number
from pencilc.ir.host import Fallback, HostFor, HostIf, HostLet, HostNode, KernelFile
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launches import LaunchPacked, LaunchParallel, LaunchSingle, PackedPart
from pencilc.ir.nodes import If, Node, Parameter, Switch, WhileLoop
from pencilc.ir.segments import Segment
from pencilc.ir.source import INT, LLONG, PointerType
from pencilc.options import ParallelLaunch
from tests.unit.codegen.programs import A, B, C, N, file
from tests.unit.records import BINS, SOFTMAX, SUM

EMPTY = KernelFile("f.c", (), (), (), (), frozenset())


def dumped(*body: Node) -> list[str]:
    """The lines behind the head of a function that does this."""
    function = KernelFunction("k", "single", (), (Parameter("n", INT),), (cast(INT, N),), 32, body)
    head, *lines = dump_kernels(replace(EMPTY, kernels=(function,))).splitlines()
    assert head == "k: kernel, single, 32 threads, 1 blocks resident"
    return [line for line in lines if line]


def of_host(*items: HostNode) -> list[str]:
    """The lines of an entry point without arrays that launches these."""
    (entry,) = file("int k;").entries
    made = replace(entry, items=items, arrays=(), workspace=())
    return dump_kernels(replace(EMPTY, entries=(made,))).splitlines()[1:]


def test_nothing_is_empty() -> None:
    assert dump_kernels(EMPTY) == "" and of_host() == []


def test_parameters_come_with_their_arguments() -> None:
    assert dumped() == ["  parameter int n = (int)n"]


def test_nodes_are_indented_by_what_they_stand_in() -> None:
    inner = If(negation(A), (set_to(A, B),), (Switch(C, (), evaluate("f")),))
    assert dumped(inner, WhileLoop(A, (inner,), do_first=True))[1:] == [
        "  if (!a)", "    a = b;", "  else", "    switch (c) {", "    default: f();", "    }",
        "  do", "    if (!a)", "      a = b;", "    else", "      switch (c) {", "      default: f();",
        "      }", "  while (a);",
    ]  # fmt: skip


def test_a_segment_says_how_its_points_are_dealt_out() -> None:
    run = Segment("@element", (), (set_to(A, B),), ONE, number(8), N, cast(LLONG, A), (), 4, 2, 1)
    assert dumped(run)[1:] == [
        "  segment of n, number 1 of 8, chunks of 4, 2 in flight, 1 accumulators",
        "    point (long long)a", "    a = b;",
    ]  # fmt: skip


def test_launches_stand_in_what_stands_around_them() -> None:
    launch = LaunchParallel(name="k", block=64, arguments=(N, A), extents=(A, B), launch=ParallelLaunch())
    lines = of_host(HostIf(A, (HostFor(LLONG, "t", ZERO, N, 2, (HostLet(INT, "k", B, (launch,)),)),)))
    assert lines == [
        "  if a", "    for long long t from 0 to n, by 2", "      let int k = b",
        "        launch k (parallel, 64 threads): n, a", "          extents a, b",
    ]  # fmt: skip


def test_a_fallback_reserves_its_memory_and_a_pack_has_its_parts() -> None:
    part = PackedPart(0, A, LaunchSingle(name="p", block=64), None, 0)
    pack = LaunchPacked(name="k", block=64, parts=(part,), may_be_empty=False, has_bins=False)
    assert of_host(Fallback("whole", (pack,), (set_to(A, B),))) == [
        "  unless whole ran", "    a = b;", "    launch k (packed, 64 threads): ", "      part 0 if a",
        "        launch p (single, 64 threads): ",
    ]  # fmt: skip


def test_a_reduction_tells_its_accumulator_and_its_loads() -> None:
    lines = dump_kernels(file(SUM)).splitlines()
    assert "  accumulator f_all0: float" in lines and "    float s: add from -0.0f" in lines
    assert "  start 4 of f_all0" in lines and "  combine f_all0 over block" in lines
    assert "  combine f_all0 over grid, ticket 0, others return" in lines and "  one thread of block" in lines
    assert "    load float @a_element from a" in lines
    assert "  copy a in, pencilc_count(n) elements" in lines and "    0 .. n - 1 if n >= 1" in lines


def test_bins_and_stages() -> None:
    lines = dump_kernels(file(BINS)).splitlines()
    assert "  bins h: 40 of int at h[@bin], atomicAdd" in lines
    assert "  bins @bin of h, a thread of the block each" in lines and "      atomicAdd of @total at &h[@bin]" in lines
    lines = dump_kernels(file(SOFTMAX)).splitlines()
    assert "  team threads of 256 threads, chunks of 4 elements, some lanes if ITEMS == 4" in lines
    assert "  rows @rows, each to threads, on the chip from stage to stage" in lines and "    stage Line 24." in lines
    assert "      run float @y_run at &y[(long long)i * m]" in lines
    assert "        store @y_chunk to @y_run + @at, @left left, wide @y_wide" in lines


def test_pointers_are_told_as_they_are_declared() -> None:
    made = KernelFunction("k", "single", (), (Parameter("p", PointerType(INT), True, True),), (A,), 1, ())
    assert "  parameter const int *__restrict__ p = a" in dump_kernels(replace(EMPTY, kernels=(made,))).splitlines()
