"""The tree of a whole file."""

from __future__ import annotations

from pencilc.codegen.tree import kernel_file
from tests.unit.codegen.programs import UNFUSED, file, functions, program, program_of, unit
from tests.unit.records import BINS, HEAD, ROW_SUMS, SOFTMAX, SUM, TAIL


def test_kernels_stand_in_the_order_of_their_launches() -> None:
    assert [each.name for each in file(BINS).kernels] == ["f_parallel0", "f_indirect1_shared"]
    unfused = [each.name for each in file(SOFTMAX, UNFUSED).kernels]
    assert unfused == [
        *(f"f_row0_{form}" for form in ("short", "warps", "blocks")),
        *(f"f_row1_{form}" for form in ("short", "warps", "blocks")), "f_parallel2",
    ]  # fmt: skip


def test_a_fused_kernel_comes_behind_those_that_stand_for_it() -> None:
    names = list(functions(SOFTMAX))
    assert names[-2:] == ["f_stitched0", "f_stitched0_long"] and "f_parallel2" in names[:-2]


def test_parts_of_a_packed_kernel_come_before_it_and_are_no_kernels() -> None:
    made = functions("FOR(i, n) a[i] = b[i]; FOR(j, m) z[j] = 1;")
    assert list(made) == ["f_parallel0", "f_parallel1", "f_packed0"]
    assert [each.layout for each in made.values()] == ["line", "line", ""]


def test_every_function_has_an_argument_for_each_parameter() -> None:
    for body in (SUM, ROW_SUMS, BINS, SOFTMAX):
        assert all(len(each.parameters) == len(each.arguments) > 0 for each in file(body).kernels)


def test_helpers_that_became_something_else_are_not_taken_over() -> None:
    """Integer sums are an instruction, and atomics; where rows are combined, the operator is still called."""
    assert [each.name for each in file(BINS).helpers] == ["izero", "iadd"]
    assert [each.name for each in file("FOR(i, n) a[i] = b[i];").helpers] == []
    assert [each.name for each in file(ROW_SUMS).helpers] == ["zero", "add"]


def test_names_of_helpers_and_kernels_are_told() -> None:
    named = file(SOFTMAX).named
    assert {"expf", "pencilc_exp_sum", "f_row3_accumulator"} <= named and "atomicAdd" not in named
    assert "atomicAdd" in file(BINS).named and "PENCILC_WARP" in file(ROW_SUMS).named


def test_a_file_without_regions_and_a_region_without_kernels() -> None:
    nothing = file("int k;")
    assert (nothing.kernels, nothing.helpers, len(nothing.entries)) == ((), (), 1)
    assert nothing.source == "f.c"
    text = unit(HEAD + SUM + TAIL)
    assert kernel_file(text, ()).entries == () and kernel_file(text, (program(SUM),)).entries != ()


def test_a_constant_that_only_a_helper_names_is_taken_over() -> None:
    text = (
        "enum { RED = 3, BLUE };\nstatic int g(int a) { return a + RED; }\n" + HEAD + "FOR(i, n) p[i] = g(p[i]);" + TAIL
    )
    made = kernel_file(unit(text), (program_of(text),))
    assert [each.name for each in made.helpers] == ["g"] and [each.name for each in made.types] == ["RED"]
    assert "RED" in made.named
