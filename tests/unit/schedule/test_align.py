"""Rows that meet behind a shift, a mirror, a scaling or a fold."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.passes import map_region
from pencilc.gpu.records import MappingSettings
from pencilc.ir.schedule import Band, Row, ScheduledScop
from pencilc.ir.schedule_printer import schedule_line
from pencilc.options import CompileOptions
from pencilc.schedule.align import moved_to_meet
from pencilc.schedule.api import schedule
from pencilc.schedule.legality import verify
from pencilc.schedule.problem import by_pair
from pencilc.schedule.rows import BandGroup
from tests.unit.records import dependences, modelled, scheduled
from tests.unit.schedule.problems import functions, group, problem, statement


def moved(pairs: str, one: str, other: str, flags: str = "PP") -> list[str] | None:
    """The rows of T's group behind `pairs` from S to T; one behind the other with those of S where these change."""
    sets = [isl.Set(text) for text in (one, other)]
    statements = [statement(text, *range(3 * k, 3 * k + s.dim(isl.dim_type.set))) for k, (text, s) in enumerate(
        zip((one, other), sets, strict=True))]  # fmt: skip
    first, second = (
        group(flag, *({str(s.get_tuple_name()): islx.row_function(s, k)} for k in range(s.dim(isl.dim_type.set))))
        for flag, s in zip(flags, sets, strict=True)
    )
    found = moved_to_meet(problem(statements, pairs), by_pair(isl.UnionMap(pairs)), first, second)
    return None if found is None else [text_of(found[0], "S"), text_of(found[1], "T")]


def text_of(found: BandGroup, name: str) -> str:
    return ", ".join(str(islx.everywhere(row[name])).rsplit("-> ", 1)[-1].strip("[] }") for row in found.rows)


@pytest.mark.parametrize(
    ("pairs", "one", "other", "wanted"),
    [
        ("{ S[i] -> T[i + 1] }", "{ S[i] : 0 <= i < 10 }", "{ T[i] : 1 <= i < 10 }", ["(i)", "(-1 + i)"]),
        ("{ S[i] -> T[j] : i = 2j }", "{ S[i] : 0 <= i < 20 }", "{ T[i] : 0 <= i < 10 }", ["(i)", "(2i)"]),
        ("{ S[i] -> T[2i + 1] }", "{ S[i] : 0 <= i < 9 }", "{ T[i] : 0 <= i < 20 }", ["(2i)", "(-1 + i)"]),
        # Both at once, and in the other order of the loops.
        (
            "{ S[i, j] -> T[j - 1, i + 2] }",
            "{ S[i, j] : 0 <= i, j < 10 }",
            "{ T[i, j] : 0 <= i < 9 and 2 <= j < 12 }",
            ["(i), (j)", "(-2 + j), (1 + i)"],
        ),
        # Two of S for each of T; four where both loops are folded.
        ("{ S[i] -> T[j] : 2j <= i <= 2j + 1 }", "{ S[i] : 0 <= i < 20 }", "{ T[i] : 0 <= i < 10 }",
         ["(floor((i)/2))", "(i)"]),
        ("{ S[i] -> T[2i]; S[i] -> T[2i + 1] }", "{ S[i] : 0 <= i < 10 }", "{ T[i] : 0 <= i < 20 }",
         ["(i)", "(floor((i)/2))"]),
        ("{ S[i] -> T[j] : i = 3j + 1 or i = 3j + 3 }", "{ S[i] : 0 <= i < 33 }", "{ T[i] : 0 <= i < 10 }",
         ["(floor((-1 + i)/3))", "(i)"]),
        # In opposite directions: the second one turns.
        ("{ S[i] -> T[9 - i] }", "{ S[i] : 0 <= i < 10 }", "{ T[i] : 0 <= i < 10 }", ["(i)", "(9 - i)"]),
        ("{ S[i] -> T[j] : i = 20 - 2j }", "{ S[i] : 0 <= i < 21 }", "{ T[i] : 0 < i <= 10 }", ["(i)", "(20 - 2i)"]),
        ("{ S[i] -> T[j] : 18 - 2j <= i <= 19 - 2j }", "{ S[i] : 0 <= i < 20 }", "{ T[i] : 0 <= i < 10 }",
         ["(-9 + floor((i)/2))", "(-i)"]),
        # Loops with gaps by their numbers: every second value alone, and an odd one behind the even one before it.
        ("{ S[i] -> T[j] : j <= i <= j + 1 and j mod 2 = 0 }", "{ S[i] : 0 <= i < 20 }",
         "{ T[i] : 0 <= i < 20 and i mod 2 = 0 }", ["(floor((i)/2))", "(floor((i)/2))"]),
        ("{ S[i] -> T[j] : j - 1 <= i <= j and j mod 2 = 1 }", "{ S[i] : 0 <= i < 20 }",
         "{ T[i] : 0 <= i < 20 and i mod 2 = 1 }", ["(1 + floor((i)/2))", "(floor((1 + i)/2))"]),
    ],
)  # fmt: skip
def test_rows_meet(pairs: str, one: str, other: str, wanted: list[str]) -> None:
    assert moved(pairs, one, other) == wanted


@pytest.mark.parametrize(
    ("pairs", "one", "other"),
    [
        # Two distances, windows that overlap, a sum of two loops.
        ("{ S[i] -> T[i]; S[i] -> T[i + 1] }", "{ S[i] : 0 <= i < 10 }", "{ T[i] : 0 <= i < 10 }"),
        ("{ S[i] -> T[j] : 2j <= i <= 2j + 2 }", "{ S[i] : 0 <= i < 21 }", "{ T[i] : 0 <= i < 10 }"),
        ("{ S[i] -> T[j, k] : i = j + k }", "{ S[i] : 0 <= i < 20 }", "{ T[i, j] : 0 <= i, j < 10 }"),
        # Neither runs inside of the other, and they are far apart; factors of which neither is one; a fold too wide.
        ("{ S[i] -> T[i + 1000] }", "{ S[i] : 0 <= i < 2000 }", "{ T[i] : 0 <= i < 2000 }"),
        ("{ S[i] -> T[j] : 3i = 2j }", "{ S[i] : 0 <= i < 20 }", "{ T[i] : 0 <= i < 30 }"),
        ("{ S[i] -> T[j] : 8j <= i < 8j + 8 }", "{ S[i] : 0 <= i < 80 }", "{ T[i] : 0 <= i < 10 }"),
        # A factor leaves gaps for what stands below the row.
        ("{ S[i] -> T[j, k] : i = 2j }", "{ S[i] : 0 <= i < 20 }", "{ T[i, j] : 0 <= i, j < 10 }"),
        # Pairs with gaps, of loops that have none.
        ("{ S[i] -> T[j] : j <= i <= j + 1 and j mod 2 = 0 }", "{ S[i] : 0 <= i < 20 }", "{ T[i] : 0 <= i < 20 }"),
    ],
)
def test_rows_that_do_not_meet(pairs: str, one: str, other: str) -> None:
    assert moved(pairs, one, other) is None


def test_little_is_guarded_where_neither_loop_runs_inside_of_the_other() -> None:
    domains = "{ S[i] : 0 <= i < 10 }", "{ T[i] : 0 <= i < 10 }"
    assert moved("{ S[i] -> T[i + 32] }", domains[0], "{ T[i] : 0 <= i < 100 }") == ["(i)", "(-32 + i)"]
    assert moved("{ S[i] -> T[i + 1] }", *domains) == ["(i)", "(-1 + i)"]


def test_reductions_are_moved_and_not_folded() -> None:
    """What they need is folded in front of them."""
    one = "{ S[i] : 0 <= i < 20 }"
    assert moved("{ S[i] -> T[i + 1] }", one, "{ T[i] : 1 <= i < 20 }", flags="PR") == ["(i)", "(-1 + i)"]
    pairs, other = "{ S[i] -> T[j] : 2j <= i <= 2j + 1 }", "{ T[i] : 0 <= i < 10 }"
    assert moved(pairs, one, other, flags="PR") == ["(floor((i)/2))", "(i)"]
    assert moved(pairs, one, other, flags="RR") is None
    back = "{ T[j] -> S[i] : 2j <= i <= 2j + 1 }".replace("T", "Q").replace("S", "T").replace("Q", "S")
    assert moved(back, "{ S[i] : 0 <= i < 10 }", "{ T[i] : 0 <= i < 20 }") == ["(i)", "(floor((i)/2))"]
    assert moved(back, "{ S[i] : 0 <= i < 10 }", "{ T[i] : 0 <= i < 20 }", flags="PR") is None


@pytest.mark.parametrize(("points", "meets"), [(2, True), (16, True), (17, False), (0, False)])
def test_a_thread_does_the_few_points_of_a_window_and_no_row(points: int, meets: bool) -> None:
    first, second = "{ S[i] : 0 <= i < 20 }", f"{{ T[i, k] : 0 <= i < 10 and 0 <= k < {points} }}"
    if not points:
        second = "[n] -> { T[i, k] : 0 <= i < 10 and 0 <= k < n }"
    found = [statement(first, 0), statement(second, 1, 2)]
    pairs = "{ S[x] -> T[i, k] : 2i <= x <= 2i + 1 }"
    groups = [group("P", functions("{ S[i] -> [(i)] }")), group("P", functions("{ T[i, k] -> [(i)] }"))]
    assert (moved_to_meet(problem(found, pairs), by_pair(isl.UnionMap(pairs)), *groups) is not None) == meets


@pytest.mark.parametrize(("distance", "meets"), [(1, True), (0, False)])
def test_all_statements_of_a_group_meet(distance: int, meets: bool) -> None:
    texts = ["{ S[i] : 0 <= i < 10 }", "{ U[i] : 0 <= i < 10 }", "{ T[i] : 1 <= i < 10 }"]
    found = [statement(text, number) for number, text in enumerate(texts)]
    pairs = f"{{ S[i] -> T[i + 1]; U[i] -> T[i + {distance}] }}"
    both = group("P", functions("{ S[i] -> [(i)] }", "{ U[i] -> [(i)] }"))
    moved_one = moved_to_meet(
        problem(found, pairs), by_pair(isl.UnionMap(pairs)), both, group("P", functions("{ T[i] -> [(i)] }"))
    )
    assert (moved_one is not None) == meets


def test_a_shift_by_a_parameter_inside_of_the_other_loop() -> None:
    one = statement("[n, m] -> { S[i] : 0 <= i < n }", 0)
    other = statement("[n, m] -> { T[i] : m <= i < n }", 1)
    pairs = "[n, m] -> { S[i] -> T[i + m] }"
    groups = [group("P", functions(f"[n, m] -> {{ {name}[i] -> [(i)] }}")) for name in "ST"]
    inside = problem([one, other], pairs, context="[n, m] -> { : m >= 0 }")
    found = moved_to_meet(inside, by_pair(isl.UnionMap(pairs)), *groups)
    assert found is not None and text_of(found[1], "T") == "(-m + i)"
    assert moved_to_meet(problem([one, other], pairs), by_pair(isl.UnionMap(pairs)), *groups) is None


LAGGED = "FOR(i, n) a[i] = b[i]; for (int i = 1; i < n; i++) c[i] = a[i - 1];"
HALVED = "FOR(i, n) a[i] = b[i]; for (int i = 0; i < n / 2; i++) c[i] = a[2 * i];"
POOLED = "FOR(i, n) a[i] = b[i]; for (int i = 0; i < n / 2; i++) c[i] = a[2 * i] * a[2 * i + 1];"
SUMMED = (
    "FOR(i, n) a[i] = b[i]; for (int i = 0; i < n / 2; i++) "
    "{ c[i] = 0; for (int k = 0; k < 2; k++) c[i] = 2 * c[i] + a[2 * i + k]; }"
)
STEPPED = "FOR(i, n) a[i] = b[i]; for (int i = 0; i < n - 1; i += 2) c[i] = a[i] * a[i + 1];"
BY_HAND = "FOR(i, n) { a[i] = b[i]; if (i % 2 == 1) c[i] = a[i - 1] * a[i]; }"
MIRRORED = "FOR(i, n) a[i] = b[i]; FOR(i, n) c[i] = a[n - 1 - i];"
THREE = "FOR(i, n) { a[i] = b[i]; } for (int i = 1; i < n; i++) { c[i] = a[i - 1]; b[i - 1] = a[i - 1] + 1; }"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (LAGGED, "[i P]{S0,S1}"),
        (HALVED, "[i P]{S0,S1}"),
        (POOLED, "[i/2 P]{ [i s]{S0}; S1 }"),
        (SUMMED, "[i/2 P]{ [i s]{S0}; S1; [k s]{S2} }"),
        (STEPPED, "[i/2 P]{ [i s]{S0}; S1 }"),
        (BY_HAND, "[1+i/2 P]{ [i s]{S0}; S1 }"),
        (MIRRORED, "[i P]{S0,S1}"),
        (THREE, "[i P]{S0,S1,S2}"),
        # Everything that is shared has to agree, and what is in order stays as it is.
        ("FOR(i, n) a[i] = b[i]; for (int i = 1; i < n; i++) c[i] = a[i - 1] + a[i];", "[i P]{S0}; [i P]{S1}"),
        (
            "for (int i = 1; i < n; i++) a[i] = a[i - 1]; for (int i = 1; i < n; i++) b[i] = b[i - 1] + a[i - 1];",
            "[i s]{S0}; [i s]{S1}",
        ),
    ],
)
def test_loops_of_the_source(body: str, line: str) -> None:
    assert schedule_line(scheduled(body)).endswith(line)


def test_what_a_thread_takes_together_is_no_loop_in_the_count_of_steps() -> None:
    pooled = "for (int i = 0; i < n / 2; i++) c[i] = c[i] + a[2 * i] * a[2 * i + 1];"
    assert schedule_line(scheduled(f"FOR(k, m) {{ FOR(i, n) a[i] = a[i] * 2; {pooled} }}")).endswith(
        "[k s]{ [i/2 P]{ [i s]{S0}; S1 } }"
    )


def test_nothing_is_moved_where_loops_are_not_fused() -> None:
    found = modelled(LAGGED)
    assert schedule_line(schedule(found, dependences(LAGGED), fuses=False)).endswith("[i P]{S0}; [i P]{S1}")


# ---- rows that are wrong are found by the check of schedules and by that of the order of kernels


def with_row(done: ScheduledScop, **functions_: str) -> ScheduledScop:
    """The schedule with other functions in its outermost row, { S[i] -> [f(i)] } by statement."""
    assert isinstance(done.tree, Band)
    (row,) = done.tree.rows
    found = islx.pw_affs_of(row.function)
    found |= {name: isl.PwAff(f"[n] -> {{ {name}[i] -> [({text})] }}") for name, text in functions_.items()}
    return replace(done, tree=Band((Row(row.flag, islx.union_pw_aff(found.values())),), done.tree.child))


FAULTS = {
    "a-shift-off-by-one": (LAGGED, {"S1": "i"}),
    "a-shift-too-far": (LAGGED, {"S1": "i - 2"}),
    "a-shift-the-other-way": (LAGGED, {"S1": "i + 1"}),
    "a-shift-of-one-statement-only": (THREE, {"S1": "i"}),
    "a-shift-of-the-other-statement-only": (THREE, {"S2": "i"}),
    "the-wrong-factor": (HALVED, {"S1": "3i"}),
    "no-factor": (HALVED, {"S1": "i"}),
    "a-factor-for-both": (HALVED, {"S0": "2i"}),
    "a-fold-off-by-one": (POOLED, {"S0": "floor((i + 1)/2)"}),
    "a-fold-of-too-many": (POOLED, {"S0": "floor(i/3)"}),
    "a-mirror-off-by-one": (MIRRORED, {"S1": "n - i"}),
    "no-mirror": (MIRRORED, {"S1": "i"}),
    "numbers-of-the-odd-ones": (STEPPED, {"S1": "floor((i + 1)/2) + 1"}),
    "numbers-one-too-low": (BY_HAND, {"S1": "floor((i + 1)/2) - 1"}),
    "a-fold-of-the-wrong-loop": (POOLED, {"S0": "i", "S1": "floor(i/2)"}),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_by_the_dependences(name: str) -> None:
    body, rows = FAULTS[name]
    done = scheduled(body)
    verify(done)
    with pytest.raises(CompilerBug, match=r"violates|is flagged P and is s"):
        verify(with_row(done, **rows))


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_by_the_accesses_of_the_kernels(name: str) -> None:
    """Whatever the dependences say, instances that meet in one place run in the order of the source."""
    body, rows = FAULTS[name]
    settings = MappingSettings.of(CompileOptions())
    map_region(scheduled(body), settings)
    with pytest.raises(CompilerBug, match="behind or beside"):
        map_region(with_row(scheduled(body), **rows), settings)
