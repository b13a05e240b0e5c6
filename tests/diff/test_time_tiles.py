"""Tiles of several iterations: what is lost where a halo is too small, a barrier missing or a buffer the wrong one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.options import CompileOptions
from pencilc.verify.command import Generated, VerifySettings, executor_for, measure_traffic, verify_generated
from pencilc.verify.cudacpu import environment
from pencilc.verify.executors import CpuExecutor
from pencilc.verify.forms import BY_LAUNCHES, IN_TIME, forms_of
from pencilc.verify.report import VerifyReport
from pencilc.verify.sizes import SizeLimits
from tests.diff.test_capture import _with_capture
from tests.unit.codegen.in_time import JACOBI

# A pattern of the program, and what takes its place.
MUTANTS = {
    "halo-one-too-small": (r"-1 - left \* 2", "-left * 2"),
    "fetched-one-too-few": (r"const int below1 = -6", "const int below1 = -5"),
    "no-barrier-behind-what-is-fetched": (r"__syncthreads\(\);(\s+for \(int step)", r"\1"),
    "no-barrier-behind-a-step": (r"(for \(int step.+?)__syncthreads\(\);", r"\1"),
    "borders-of-the-other-buffer": (r": a\[", ": a_taken["),
    "not-swapped": (r"a_taken = a_left;\s+a_left = swapped0;", "(void)swapped0;"),
    "an-odd-number-of-launches": (r"/ 6 \* 2;", "/ 6 * 2 + 1;"),
    "an-iteration-too-few": (r"\(launch < iterations % launches\)", "0"),
    "the-other-array-never-stored": (r"is_last = launch == launches - 1", "is_last = false"),
}
SIZES = {"n": (5, 12), "steps": (2, 6, 7)}  # of one iteration in a launch, three, and one or two


# Planes in turns; what the last iterations have left is the result.
HEAT = """#include <pencil.h>
void heat(int steps, int n, float u[static const restrict 2][n][n]) {
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[(t + 1) % 2][i][j] = u[t % 2][i - 1][j] + u[t % 2][i + 1][j] + u[t % 2][i][j - 1];
#pragma endscop
}
"""
MUTANTS_OF_PLANES = {
    "fetched-from-the-other-plane": (r"u_plane0 = first_iteration % 2", "u_plane0 = 1 - first_iteration % 2"),
    "stored-to-the-other-plane": (r"\(\(long long\)u_next0", "((long long)u_next1"),
    "border-of-the-other-plane": (r"u\[\(\(long long\)u_plane1", "u[((long long)u_plane0"),
    "border-not-fetched": (r"u_tile\[u_plane1 [^;]+;", "(void)u_plane1;"),
    "last-plane-not-stored": (r"is_last = launch == launches - 1", "is_last = false"),
    "one-plane-for-both": (r"\(t \+ 1\) % 2 \* 72", "t % 2 * 72"),
    "a-plane-too-small": (r"% 2 \* 72", "% 2 * 64"),
    "first-iteration-not-counted": (r"first_iteration \+= steps_;", ";"),
}

# All edges are copied, two of them with the corners; the last tiles have one row, and one column.
EDGES = """#include <pencil.h>
void heat(int steps, int n, int m, float u[static const restrict 2][n][m]) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[(t + 1) % 2][i][j] = u[t % 2][i - 1][j] + u[t % 2][i + 1][j] + u[t % 2][i][j - 1];
        for (int i = 1; i < n - 1; i++) {
            u[(t + 1) % 2][i][0] = u[(t + 1) % 2][i][1];
            u[(t + 1) % 2][i][m - 1] = u[(t + 1) % 2][i][m - 2];
        }
        for (int j = 0; j < m; j++) {
            u[(t + 1) % 2][0][j] = u[(t + 1) % 2][1][j];
            u[(t + 1) % 2][n - 1][j] = u[(t + 1) % 2][n - 2][j];
        }
    }
#pragma endscop
}
"""
EDGE_SIZES = {"n": (7, 12), "m": (5, 11), "steps": (2, 7)}
# Steps from one array to the other and back, which `t` tells; the last round may have one step.
TURNS = """#include <pencil.h>
void heat(int steps, int n, float a[static const restrict n][n], float b[static const restrict n][n]) {
#pragma scop
    for (int t = 1; t <= steps; t++) {
        if (t % 2 == 1) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    b[i][j] = t + a[i - 1][j] + a[i + 1][j] - a[i][j - 1];
        } else {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    a[i][j] = b[i - 1][j] - t * b[i + 1][j] + b[i][j + 1];
        }
    }
#pragma endscop
}
"""
TURN_SIZES = {"n": (7, 12), "steps": (3, 4, 9)}  # of one round and a half, two rounds, four and a half
MUTANTS_OF_EDGES = {
    "nothing-beside-a-row-of-the-edge": (r"below0 = -1 - left", "below0 = -left"),
    "nothing-beside-a-column-of-the-edge": (r"below1 = -1 - left", "below1 = -left"),
}


@cache
def compilation(text: str = JACOBI) -> Compilation:
    return compile_source(SourceFile("stencil.c", text), CompileOptions())


@cache
def in_time(text: str = JACOBI) -> str:
    """The program that always goes in tiles, of 3 x 5 elements and up to three iterations."""
    (cuda,) = (each.cuda for each in forms_of(compilation(text)) if each.name == IN_TIME)
    return cuda


def verified(text: str, source: str = JACOBI, sizes: Mapping[str, tuple[int, ...]] = SIZES) -> VerifyReport:
    settings = VerifySettings(sizes=sizes, orders=("rand:7",), timeout_s=20)
    executor = CpuExecutor(settings.orders, "check")
    return verify_generated(Generated(compilation(source).parsed, text, None), CompileOptions(), settings, executor)


@pytest.mark.full
@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_found(name: str) -> None:
    pattern, replacement = MUTANTS[name]
    changed = re.sub(pattern, replacement, in_time(), count=0 if name != "no-barrier-behind-a-step" else 1, flags=re.S)
    assert changed != in_time() and not verified(changed).ok


def test_planes_in_turns() -> None:
    report = verified(in_time(HEAT), HEAT)
    assert report.ok, report.table()


@pytest.mark.full
@pytest.mark.parametrize("name", MUTANTS_OF_PLANES)
def test_mutant_of_planes_is_found(name: str) -> None:
    pattern, replacement = MUTANTS_OF_PLANES[name]
    changed = re.sub(pattern, replacement, in_time(HEAT))
    assert changed != in_time(HEAT) and not verified(changed, HEAT).ok


def test_edges_on_all_sides() -> None:
    report = verified(in_time(EDGES), EDGES, EDGE_SIZES)
    assert report.ok, report.table()


def test_steps_that_take_turns() -> None:
    report = verified(in_time(TURNS), TURNS, TURN_SIZES)
    assert report.ok, report.table()


@pytest.mark.full
@pytest.mark.parametrize("name", MUTANTS_OF_EDGES)
def test_mutant_of_edges_is_found(name: str) -> None:
    pattern, replacement = MUTANTS_OF_EDGES[name]
    changed = re.sub(pattern, replacement, in_time(EDGES))
    assert changed != in_time(EDGES) and not verified(changed, EDGES, EDGE_SIZES).ok


@pytest.mark.full
def test_iterations_share_launches() -> None:
    report = verified(in_time())
    assert report.ok, report.table()
    assert {row.launches for row in report.rows} == {2, 4}  # of 2 and of 6 iterations, and of 7


@pytest.mark.full
def test_captured_and_replayed(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.touch()
    report = verified(_with_capture(in_time(), notes))
    assert report.ok and not notes.read_text(), report.table()


SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "jacobi.c"


def moved(without: str, form: str | None, sizes: Mapping[str, int], monkeypatch: pytest.MonkeyPatch) -> int:
    """The bytes of memory that the sample moves without one of its functions, what each block reads again left out.

    `form`: of its loop over time; None: the one that the entry point chooses.
    """
    text = SAMPLE.read_text().partition("// With INTEGER_DATA")[0]
    text = re.sub(rf"void {without}\(.+?#pragma endscop\n}}\n", "", text, flags=re.S)
    done = compile_source(SourceFile("jacobi.c", text), CompileOptions())
    cuda = done.cuda if form is None else {each.name: each.cuda for each in forms_of(done)}[form]
    # Of so few multiprocessors no step fits into one launch of blocks that meet.
    for name, value in environment(sm_count=1).items():
        monkeypatch.setenv(name, value)
    given, limits = {name: (value,) for name, value in sizes.items()}, SizeLimits(iterations=2**24)
    settings = VerifySettings(sizes=given, orders=("fwd",), traffic=True, limits=limits)
    (call,) = measure_traffic(Generated(done.parsed, cuda, None), CompileOptions(), settings, executor_for(settings))
    return sum(each.block_read + each.block_written for each in call.device.moved)


@pytest.mark.full
def test_a_hundred_steps_of_a_plate_move_a_fifth(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"steps": 50, "n": 130}
    tiles, launches = (moved("jacobi_3d", form, sizes, monkeypatch) for form in (None, BY_LAUNCHES))
    assert 0.15 * launches < tiles < 0.25 * launches


@pytest.mark.full
def test_a_step_of_a_block_of_metal_moves_what_one_reading_and_one_writing_do(monkeypatch: pytest.MonkeyPatch) -> None:
    n, steps = 98, 4
    tiles = moved("jacobi_2d", None, {"steps": steps, "n": n}, monkeypatch)
    assert tiles < 1.15 * steps * 2 * 4 * (n - 2) ** 3
