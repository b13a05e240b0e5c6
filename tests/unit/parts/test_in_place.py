"""Reductions that accumulate where they are."""

from __future__ import annotations

import sys

import pytest

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.parts.in_place import InPlace, closed, in_order, reducing
from pencilc.parts.part import Unmappable, parts_of
from pencilc.parts.prologues import fold_prologues
from tests.unit.records import BINS, ROW_SUMS, cut_items, cut_part, modelled, scheduled, told

# The package has a function of that name.
EXTRACT = sys.modules["pencilc.poly.extract"]

TWO = """FOR(k, 40) INIT(&h[k], izero); float s; INIT(&s, zero);
FOR(i, n) { UPDATE(&h[p[i]], 1, iadd); UPDATE(&s, a[i], add); }
b[0] = s;"""


def rewritten(body: str, *names: str, ordered: tuple[str, ...] = ()) -> list[str]:
    """The parts of a region with the reductions `names` done in place."""
    done = scheduled(body)
    pairs = {(islx.in_name(m), islx.out_name(m)) for m in islx.maps_of(done.dependences.validity)}
    return told(InPlace(done.scop, names, ordered, pairs).items(cut_items(body)))


def test_bins_are_initialised_before_their_updates() -> None:
    assert told(cut_items(BINS)) == ["|R: S1", "P|: M0"]
    assert rewritten(BINS, "h") == ["P|: S0", "|R: S1"]


TWICE = """FOR(r, 2) FOR(k, 40) INIT(&h[k], izero);
FOR(i, n) UPDATE(&h[p[i]], 1, iadd);"""


def test_bins_that_are_initialised_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it takes too long to find the last one, all of them are in the model: two threads would meet in a bin."""
    assert rewritten(TWICE, "h") == ["PP|: S0", "|R: S1"]  # the outer row has one value
    monkeypatch.setattr(EXTRACT, "without_undone_inits", lambda scop: scop)
    with pytest.raises(Unmappable, match="initialised several times"):
        rewritten(TWICE + " ", "h")  # for what is cached of the same text


def test_the_verifier_of_order_sees_two_threads_in_a_bin(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SourceFile("f.c", """#include <pencil.h>
        static void zero(int *x) { *x = 0; }
        static int add(int a, int b) { return a + b; }
        void f(int n, const int p[static const restrict n], int h[static const restrict 40])
        {
            for (int r = 0; r < 2; r++) for (int k = 0; k < 40; k++) __pencil_reduction_var_init(&h[k], zero);
            for (int i = 0; i < n; i++) __pencil_reduction(&h[p[i]], 1, add);
        }
        """)  # fmt: skip
    compile_source(source, CompileOptions(), "mapping")
    monkeypatch.setattr(EXTRACT, "without_undone_inits", lambda scop: scop)
    (program,) = compile_source(source, CompileOptions(), "mapping").programs
    assert "initialised several times" in program.sequential
    monkeypatch.setattr(InPlace, "_is_repeated", lambda *_: False)
    with pytest.raises(CompilerBug, match="runs behind or beside"):
        compile_source(source, CompileOptions(), "mapping")


def test_other_reductions_stay_as_they_are() -> None:
    assert rewritten(ROW_SUMS) == told(cut_items(ROW_SUMS)) == ["P|R: S1; M0"]


def test_what_uses_the_bins_is_a_part_of_its_own() -> None:
    assert rewritten(BINS + " FOR(k, 40) q[k] = h[k];", "h") == ["P|: S0", "|R: S1", "P|: S2"]


def test_inside_of_a_loop_on_the_host() -> None:
    body = f"FOR(t, 9) {{ {BINS} FOR(i, n) p[i] = h[(p[i] + t) % 40]; }}"
    assert rewritten(body, "h") == ["for {P|: S0 / |R: S1 / P|: S2}"]


def test_values_in_order_come_one_from_each_point() -> None:
    """A loop inside the element becomes a row, for what it has alone are updates."""
    body = "FOR(k, 40) INIT(&h[k], izero); FOR(i, n) FOR(j, 3) UPDATE(&h[p[i]], j, iadd);"
    assert rewritten(body, "h", ordered=("h",)) == ["P|: S0", "|RR: S1"]


def test_a_scalar_that_an_update_needs_comes_along() -> None:
    body = """FOR(k, 40) INIT(&h[k], izero);
    FOR(i, n) { int s = p[i]; FOR(j, m) { UPDATE(&h[s], q[j], iadd); } }"""
    assert rewritten(body, "h", ordered=("h",))[-1] == "|RR: S2 S3"


# A scalar keeps what others see in the loop of the updates.
SEEN = """FOR(k, 40) INIT(&h[k], izero);
FOR(i, n) { int s = p[i]; c[i] = s; FOR(j, m) UPDATE(&h[s], q[j], iadd); }"""


def test_what_others_see_runs_before_in_a_part_of_its_own() -> None:
    assert told(cut_items(SEEN))[0] == "|R: S2 S3 S4"
    assert rewritten(SEEN, "h", ordered=("h",)) == ["P|: S0", "P|: S2 S3", "|RR: S4"]


def test_what_changes_what_an_update_has_read_runs_behind_it() -> None:
    waits = {("S2", "S4"), ("S2", "S3"), ("S4", "S3")}
    parts = InPlace(modelled(SEEN), ["h"], ["h"], waits).items(cut_items(SEEN))
    assert told(parts) == ["P|: S0", "P|: S2", "|RR: S4", "P|: S3"]


def test_an_element_that_needs_the_updates_it_is_needed_by_has_no_form() -> None:
    waits = {("S3", "S4"), ("S4", "S3")}
    rewrite = InPlace(modelled(SEEN), ["h"], ["h"], waits)
    with pytest.raises(Unmappable, match="goes on computing"):
        rewrite.items(cut_items(SEEN))
    InPlace(modelled(SEEN), ["h"], [], waits).items(cut_items(SEEN))


def test_reductions_that_share_a_loop_are_all_done_in_place() -> None:
    parts = tuple(parts_of(cut_items(TWO)))
    assert closed(modelled(TWO), parts, ["h"]) == ("h", "s")
    assert closed(modelled(TWO), parts, []) == ()


def test_who_reduces_and_who_updates_in_order() -> None:
    part = cut_part(BINS, "S1")
    assert [r.name for r in reducing(modelled(BINS), part)] == ["h"]
    assert in_order(modelled(BINS), part) == []
    chain = "FOR(k, 40) INIT(&h[k], izero); int s = 0; FOR(i, n) { s = s + p[i]; UPDATE(&h[s & 31], 1, iadd); }"
    alone = cut_part(chain, "S4")
    assert reducing(modelled(chain), alone) == []
    assert [r.name for r in in_order(modelled(chain), alone)] == ["h"]


FOLLOWED = """int k = q[0]; int l = q[1]; float t[40]; FOR(k, 40) INIT(&t[k], zero);
FOR(i, n) UPDATE(&t[p[i] & 31], (float)k, add); FOR(i, n) a[i] = t[i & 31]; if (n > 0) p[0] = p[0] % 9 + k * l;"""


def test_what_follows_updates_computes_for_itself_what_it_needs() -> None:
    done = scheduled(FOLLOWED)
    items = fold_prologues(done.scop, cut_items(FOLLOWED))
    assert told(items) == ["|R: (S1 S3) S6; S8", "P|: M0", "P|: S7"]
    (name,) = (reduction.name for reduction in done.scop.reductions)
    assert told(InPlace(done.scop, [name], [], set()).items(items)) == [
        "P|: S5",
        "|R: (S1) S6",
        "|: S1 S3 S8",
        "P|: S7",
    ]
