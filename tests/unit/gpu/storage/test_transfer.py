"""Which parts of the parameters are copied, and in which directions."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc.analysis.box import live_domains
from pencilc.gpu.storage.transfer import Ahead, copied, transfers, whole_transfers
from pencilc.ir.mapping import TouchedRange, Transfer
from tests.unit.gpu.kernels import value
from tests.unit.records import ROW_SUMS, modelled, timed


def transfer(body: str, array: str, ahead: Ahead | None = None) -> Transfer:
    """The copies of a parameter."""
    scop = modelled(body)
    (found,) = (t for t in transfers(scop, live_domains(scop), ahead) if t.array == array)
    return found


def ends(transfer_: Transfer) -> list[tuple[list[str], list[str]]]:
    """The first and the last subscripts of each range."""
    found = []
    for part in transfer_.ranges:
        assert isinstance(part, TouchedRange)
        first, last = ([value(f.gist_params(part.inhabited)) for f in side] for side in (part.first, part.last))
        found.append((first, last))
    return found


@pytest.mark.parametrize(
    ("body", "directions"),
    [
        ("FOR(i, n) b[i] = a[i];", (True, False)),
        ("FOR(i, n) a[i] = 1;", (False, True)),
        ("FOR(i, n) a[i] = a[i] + 1;", (True, True)),
        ("FOR(i, n) { a[i] = 1; b[i] = a[i]; }", (False, True)),
        ("FOR(i, n) if (b[i] > 0) a[i] = 1;", (True, True)),
        ("for (int i = 0; i < n; i += 2) a[i] = 1;", (True, True)),
        ("FOR(i, n) { INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j], add); }", (False, True)),
    ],
    ids=["read", "written", "both", "written first", "perhaps", "gaps", "result"],
)
def test_directions(body: str, directions: tuple[bool, bool]) -> None:
    found = transfer(body, "a")
    assert (found.copy_in, found.copy_out) == directions


@pytest.mark.parametrize(
    ("body", "ways"),
    [
        ("__pencil_kill(a); FOR(i, n) if (b[i] > 0) a[i] = 1;", "cleared out"),
        ("FOR(i, n) { __pencil_kill(a[i]); if (b[i] > 0) a[i] = 1; }", "cleared out"),
        ("__pencil_kill(a); FOR(i, n) a[i] = 1;", "out"),
        ("__pencil_kill(a); for (int i = 0; i < n; i += 2) a[i] = 1;", "cleared out"),
        ("FOR(i, n) { a[i] = 1; b[i] = a[i]; } __pencil_kill(a);", ""),
        ("FOR(i, n) { b[i] = a[i]; a[i] = 1; } __pencil_kill(a);", "in"),
        ("FOR(i, n) { b[i] = a[i]; } __pencil_kill(a); FOR(i, n) if (b[i] > 0) a[i] = 1;", "in out"),
        ("FOR(i, n) a[i] = 1; __pencil_kill(a); FOR(i, n) if (b[i] > 0) a[i] = 1;", "out"),
        ("FOR(i, n) a[i] = 1; if (n > 0) __pencil_kill(a[0]);", "out"),
        ("FOR(i, n) if (b[i] > 0) a[i] = 1; if (n > 0) __pencil_kill(a[0]);", "in out"),
        ("FOR(i, n) a[i] = 1; if (m > 3) __pencil_kill(a);", "out"),
        ("FOR(i, n) a[i] = 1; FOR(i, n) if (b[i] > 0) __pencil_kill(a[i]);", "out"),
        ("FOR(i, n) a[i] = 1; if (b[0] > 0) { __pencil_kill(a); FOR(j, n) c[j] = 1; }", "out"),
        ("FOR(i, n) a[i] = 1; FOR(i, n) __pencil_kill(a[(int)b[i]]);", "out"),
        ("FOR(i, n) { INIT(&a[i], zero); FOR(j, m) UPDATE(&a[i], x[i][j], add); } __pencil_kill(a);", ""),
    ],
)
def test_killed_values_are_not_copied(body: str, ways: str) -> None:
    found = transfer(body, "a")
    assert [way for way in ("in", "cleared", "out") if getattr(found, {"cleared": way}.get(way, f"copy_{way}"))] == (
        ways.split()
    )
    assert found.is_written and found.ranges


def test_a_loop_that_data_ends_may_not_get_to_its_kills() -> None:
    body = "FOR(j, m) { FOR(i, n) a[i] = 1; if (b[0] > j) break; __pencil_kill(a); }"
    assert transfer(body, "a").copy_out


def test_only_what_is_touched_is_copied() -> None:
    assert ends(transfer("for (int i = 2; i < n - 3; i++) b[i] = a[i + 1];", "a")) == [(["3"], ["-3 + n"])]
    assert ends(transfer("FOR(i, n) b[i] = x[i][0];", "x")) == [(["0", "0"], ["-1 + n", "0"])]


def test_ranges_inside_of_others_are_none_of_their_own() -> None:
    inner, outer = "for (int i = 2; i < n - 3; i++) b[i] = a[i];", "FOR(i, n) c[i] = a[i];"
    for body in (inner + outer, outer + inner):
        assert ends(transfer(body, "a")) == [(["0"], ["-1 + n"])]


def test_elements_with_constant_subscripts_are_one_range() -> None:
    body = "__pencil_assume(n > 9); b[0] = a[3]; b[1] = a[4]; b[2] = a[5];"
    assert ends(transfer(body, "a")) == [(["3"], ["5"])]


def test_what_is_loaded_ahead_is_there() -> None:
    """A chunk has the gaps between the elements that are looked at."""
    body = "FOR(i, n) if (i % 3 != 1) b[i] = a[i];"
    two = isl.Set("[n] -> { : n = 2 }")
    for ahead, last in ((None, 0), ({("S0", "a"): isl.Set("{ : }")}, 1)):
        found = [part for part in transfer(body, "a", ahead).ranges if part is not None]
        assert max(part.last[0].intersect_params(two).max_val().to_python() for part in found) == last


def test_nothing_is_touched_where_loops_are_empty() -> None:
    scop = modelled("FOR(i, n) b[i] = a[i];")
    nowhere = isl.Set("[n] -> { : n < 0 }")
    empty = {name: domain.intersect_params(nowhere) for name, domain in live_domains(scop).items()}
    assert all(found.ranges == () for found in transfers(scop, empty))


def test_whole_arrays_where_it_takes_too_long_to_look() -> None:
    found = {t.array: (t.copy_in, t.copy_out) for t in whole_transfers(modelled("FOR(i, n) if (i > 3) a[i] = b[i];"))}
    assert found["a"] == (True, True) and found["b"] == (True, False)


def test_the_pass_completes_the_program() -> None:
    program = copied(timed(ROW_SUMS))
    assert {t.array: (t.copy_in, t.copy_out) for t in program.transfers if t.ranges} == {
        "a": (False, True), "x": (True, False),
    }  # fmt: skip
    assert program.items == timed(ROW_SUMS).items and not program.sequential
