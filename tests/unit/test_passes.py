"""The passes of the mapping: what each hands on, and that the verifier behind each refuses what is broken."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source, dump
from pencilc.gpu import passes
from pencilc.gpu.records import Chosen, Fused, Joined, Looped, Parted, Placed, Shaped, Timed
from pencilc.gpu.variants.sweeps import JoinedSweep
from pencilc.ir.mapping import Stitched
from pencilc.ir.shapes import Kernel, ParallelKernel
from pencilc.ir.storage import Home, Register, Storage, Workspace
from pencilc.options import CompileOptions
from pencilc.parts.part import Part
from tests.conftest import ROOT

SOFTMAX = """#include <math.h>
#include <pencil.h>
static void zero(float *v) { *v = 0.0f; }
static void lowest(float *v) { *v = -INFINITY; }
static float add(float a, float b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
void f(int n, int m, float x[static const restrict n][m], float y[static const restrict n][m]) {
    for (int i = 0; i < n; i++) {
        float max, sum;
        __pencil_reduction_var_init(&max, lowest);
        for (int j = 0; j < m; j++) __pencil_reduction(&max, x[i][j], larger);
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&sum, expf(x[i][j] - max), add);
        for (int j = 0; j < m; j++) y[i][j] = expf(x[i][j] - max) / sum;
    }
}
"""


@cache
def mapped() -> passes.MappedRegion:
    """The region of the text, with the records between the passes."""
    (region,) = compile_source(SourceFile("f.c", SOFTMAX), CompileOptions(), "mapping").mapped
    return region


def record(name: str) -> object:
    """What a pass made."""
    return next(step.record for step in mapped().steps if step.name == name)


def refused(name: str, broken: object, message: str) -> None:
    """The verifier of the pass accepts what it made, and refuses `broken`."""
    (each,) = (each for each in passes.PASSES if each.name == name)
    each.verify(record(name))
    with pytest.raises(CompilerBug, match=message):
        each.verify(broken)


def test_each_pass_takes_the_record_of_the_one_before() -> None:
    records = [step.record for step in mapped().steps]
    assert [step.name for step in mapped().steps] == list(passes.PASS_NAMES)
    parted, joined, shaped, placed, fused, chosen, looped, timed, program = records
    assert isinstance(joined, Joined) and joined.parted is parted
    assert isinstance(shaped, Shaped) and shaped.joined is joined
    assert isinstance(placed, Placed) and placed.shaped is shaped
    assert isinstance(fused, Fused) and fused.placed is placed
    assert isinstance(chosen, Chosen) and chosen.fused is fused
    assert isinstance(looped, Looped) and looped.chosen is chosen
    assert isinstance(timed, Timed) and timed.looped is looped
    assert program is mapped().program


def test_the_documents_list_the_passes() -> None:
    table = (ROOT / "docs" / "mapping.md").read_text().partition("## The passes")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE) == list(passes.PASS_NAMES)


def test_the_model_of_the_schedule_stays_as_it_was() -> None:
    program = mapped().program
    assert not program.scheduled.scop.stands_for
    before = {statement.name for statement in program.scheduled.scop.statements}
    assert len(program.scop.stands_for) == 2 and set(program.scop.stands_for.values()) <= before
    assert {s.name for s in program.scop.statements} == before | program.scop.stands_for.keys()


def test_dumps_tell_what_was_made() -> None:
    done = compile_source(SourceFile("f.c", SOFTMAX), CompileOptions(), "mapping")
    assert dump(done, "mapping/parts").count("part: 1 kept, 1 reduced") == 2
    assert "parts 0, 1 in fewer sweeps" in dump(done, "mapping/sweeps")
    assert "instead of kernels 0, 1\n    kernel f_row3: row" in dump(done, "mapping/shapes")
    assert "sum: workspace expanded by i" in dump(done, "mapping/storage")
    assert "stitched: f_row0, f_row1, f_parallel2" in dump(done, "mapping/fusion")
    variants = dump(done, "mapping/variants")
    instead = "where a row is too long, f_row3 doing in one sweep what f_row0, f_row1 would\n      kernel f_row3: row"
    assert instead in variants
    assert dump(done, "mapping/copies") == dump(done, "mapping")
    with pytest.raises(KeyError):
        dump(done, "mapping/nothing")


def test_a_part_that_is_lost_or_dealt_out_wrongly() -> None:
    parted = record("parts")
    assert isinstance(parted, Parted)
    refused("parts", replace(parted, items=parted.items[1:]), "the parts have")
    first = parted.items[0]
    assert isinstance(first, Part)
    dealt = replace(first, kept=tuple(replace(row, flag="s") for row in first.kept))
    refused("parts", replace(parted, items=(dealt, *parted.items[1:])), "is not parallel")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda part: replace(part, post=part.post[:1]), "do not do"),
        (lambda part: replace(part, post=(*part.post, part.post[0])), "instead of"),
    ],
)
def test_joined_sweeps_that_lose_or_double_a_result(change: Callable[[Part], Part], message: str) -> None:
    joined = record("sweeps")
    assert isinstance(joined, Joined)
    (sweep,) = joined.sweeps
    instead = {number: part and change(part) for number, part in sweep.instead.items()}
    refused("sweeps", replace(joined, sweeps=(JoinedSweep(instead, sweep.sums),)), message)


def test_a_kernel_of_another_part() -> None:
    shaped = record("shapes")
    assert isinstance(shaped, Shaped)
    refused("shapes", replace(shaped, items=shaped.items[::-1]), "is not the kernel of part 0")
    first = shaped.items[0]
    assert isinstance(first, Kernel)
    wide = replace(first, loads=replace(first.loads, vectors=()))  # type: ignore[call-arg]
    refused("shapes", replace(shaped, items=(wide, *shaped.items[1:])), "chunks without a vector access")


def test_a_variable_that_lives_nowhere_or_with_nobody() -> None:
    placed = record("storage")
    assert isinstance(placed, Placed)
    (of_joined,) = placed.of_alternatives
    for table in (placed.storage, of_joined):
        broken: list[tuple[tuple[Storage, ...], str]] = [
            (table[1:], "live somewhere instead of"),
            ((*table, table[0]), "live somewhere instead of"),
            ((Storage(table[0].array, Register((Home("f_row9", "body"),))), *table[1:]), "a kernel that there is not"),
        ]
        for wrong, message in broken:
            if table is placed.storage:
                refused("storage", replace(placed, storage=wrong), message)
            else:
                refused("storage", replace(placed, of_alternatives=(wrong,)), message)


def test_an_alternative_beside_the_kernels_that_it_stands_for() -> None:
    chosen = record("variants")
    assert isinstance(chosen, Chosen)
    assert list(chosen.own_storage) == ["f_row3"]
    refused("variants", replace(chosen, own_storage={}), "the variants have")
    refused("variants", replace(chosen, items=chosen.fused.items), "the variants have")


# The mean is read by the sum of squares alone, which is joined: nobody else wants to know it.
VARIANCE = """#include <pencil.h>
static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
void f(int n, int m, float x[static const restrict n][m], float y[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        float sum, squares;
        __pencil_reduction_var_init(&sum, zero);
        for (int j = 0; j <= i; j++) __pencil_reduction(&sum, x[i][j], add);
        float mean = sum / n;
        __pencil_reduction_var_init(&squares, zero);
        for (int j = 0; j <= i; j++) __pencil_reduction(&squares, (x[i][j] - mean) * (x[i][j] - mean), add);
        y[i] = squares / n;
    }
}
"""


def test_an_alternative_has_a_storage_of_its_own() -> None:
    (region,) = compile_source(SourceFile("f.c", VARIANCE), CompileOptions(), "mapping").mapped
    program = region.program
    (kernel,) = program.kernels()
    assert isinstance(program.storage_of("mean").residence, Workspace)  # while the sweeps are two
    inside = {storage.array: storage for storage in program.storage_in(kernel)}
    assert inside["mean"].homes == (Home(kernel.name, "post"),)
    assert not program.workspace()
    assert f"storage in {kernel.name}" in passes.dump(region, "variants")


def test_a_fusion_that_loses_a_kernel_or_a_statement() -> None:
    fused = record("fusion")
    assert isinstance(fused, Fused)
    (stitched,) = fused.items
    assert isinstance(stitched, Stitched)
    refused("fusion", replace(fused, items=()), "fusion leaves")
    short = replace(stitched, stages=stitched.stages[:-1])
    refused("fusion", replace(fused, items=(short,)), "instead of")


def test_a_local_of_a_joined_sweep_stays_in_memory_where_others_look_for_it() -> None:
    program = mapped().program
    (stitched,) = program.stitched()
    inside = {storage.array: storage for storage in stitched.storage}
    assert all(isinstance(program.storage_of(name).residence, Workspace) for name in ("max", "sum"))
    assert all(inside[name].is_in_register for name in ("max", "sum"))
    assert [s.array for s in program.workspace()] == ["max", "sum"]
    last = stitched.fallback.kernels[-1]
    assert isinstance(last, ParallelKernel)
