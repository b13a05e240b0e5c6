"""The pass `storage`: where every variable lives."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.storage.placement import place
from pencilc.ir.storage import Element, Home, Pointer, Register, Residence, Uniform, Workspace
from pencilc.options import CompileOptions
from tests.unit.records import HEAD, SOFTMAX, TAIL, shaped

TIMES = """FOR(t, 9) {
    float s; INIT(&s, zero);
    FOR(i, n) UPDATE(&s, a[i], add);
    FOR(i, n) a[i] = a[i] * s;
}"""


def residence(body: str, symbol: str) -> Residence:
    """Where a variable lives."""
    (found,) = (s.residence for s in place(shaped(body)).storage if s.array == symbol)
    return found


def test_parameters() -> None:
    assert isinstance(residence("FOR(i, n) a[i] = b[i];", "a"), Pointer)


def test_a_local_of_one_part_of_one_kernel_is_a_register() -> None:
    assert residence("FOR(i, n) { float s = a[i]; b[i] = s + s; }", "s") == Register((Home("f_parallel0", "body"),))
    row = "FOR(i, n) { float s; INIT(&s, zero); FOR(j, m) UPDATE(&s, x[i][j], add); a[i] = s; }"
    assert residence(row, "s") == Register((Home("f_row0", "post"),))


def test_a_prologue_is_for_all_parts_of_its_kernel() -> None:
    body = """FOR(i, n) {
        float s = b[i];
        INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j] * s, add);
        c[i] = a[i] * s;
    }"""
    assert residence(body, "s") == Register((Home("f_row0", "prologue"),))


def test_what_one_kernel_leaves_for_another_lives_in_memory() -> None:
    found = residence(SOFTMAX, "max")
    assert isinstance(found, Workspace) and [d.iterator for d in found.expanded] == ["i"]
    whole = residence("float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); FOR(i, n) b[i] = s;", "s")
    assert isinstance(whole, Workspace) and whole.expanded == ()


def test_a_loop_on_the_host_needs_no_dimension() -> None:
    found = residence(TIMES, "s")
    assert isinstance(found, Workspace) and found.expanded == ()


def test_a_value_that_an_iteration_leaves_for_the_next_is_no_register() -> None:
    """What outlives a launch is lost with the registers."""
    body = "float s = 0; FOR(t, 9) { FOR(i, n) a[i] = b[i] + b[n - 1 - i] + s; FOR(i, n) b[i] = a[i]; s = s + 1; }"
    assert isinstance(residence(body, "s"), Workspace)


def test_an_element_of_every_point_is_a_register() -> None:
    body = "float t[n]; FOR(i, n) { t[i] = a[i] * 2; b[i] = t[i]; }"
    assert residence(body, "t") == Element((Home("f_parallel0", "body"),))
    reversed_ = "float t[n]; FOR(i, n) t[i] = a[i] * 2; FOR(i, n) b[i] = t[i] + t[n - 1 - i];"
    assert isinstance(residence(reversed_, "t"), Workspace)


def test_scalars_that_every_kernel_computes() -> None:
    assert residence("float s = (float)n; FOR(i, n) a[i] = s;", "s") == Uniform("S1")


def test_a_local_that_nobody_touches_takes_no_memory() -> None:
    assert not any(isinstance(s.residence, Workspace) for s in place(shaped("float s; FOR(i, n) a[i] = 1;")).storage)


def test_the_kernels_of_an_alternative_have_a_table_of_their_own() -> None:
    placed = place(shaped(SOFTMAX))
    (table,) = placed.of_alternatives
    assert [s.array for s in table] == [s.array for s in placed.storage]
    assert all(isinstance(s.residence, Workspace) for s in table if s.array in ("max", "sum"))  # f_parallel2 reads them
    assert place(shaped("FOR(i, n) a[i] = 1;")).of_alternatives == ()


TAKEN = "FOR(i, n) FOR(j, m) { float s; s = a[j] + i; x[i][j] = x[i][j] + s; }"


@pytest.mark.parametrize(
    ("rows", "is_register"),
    [
        (" band\n  P: S1, S2 -> i\n  s: S1, S2 -> j\n  S1\n  S2", True),
        (
            " band\n  P: S1, S2 -> i\n  sequence\n   band\n    s: S1 -> j\n    S1\n   band\n    s: S2 -> j\n    S2",
            False,
        ),
        (" band\n  P: S1, S2 -> i\n  s: S1 -> j; S2 -> j + 1\n  S1\n  S2", False),
    ],
)
def test_a_scalar_of_which_a_thread_has_several_values_is_no_register(rows: str, is_register: bool) -> None:
    """Its statements are torn apart, or in unlike iterations."""
    given = CompileOptions(schedule=SourceFile("given", f"schedule of f\n{rows}\n"))
    done = compile_source(SourceFile("f.c", f"{HEAD}{TAKEN}{TAIL}"), given, "mapping")
    (found,) = (s.residence for s in done.programs[0].storage if s.array == "s")
    assert isinstance(found, Register) == is_register
    if isinstance(found, Workspace):
        assert [each.iterator for each in found.expanded] == ["i", "j"]
