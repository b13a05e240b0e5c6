"""Loops whose counter is multiplied or divided: which are taken, what the host does, what iterations know of others."""

from __future__ import annotations

import re

import islpy as isl
import pytest

from pencilc import islx
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.ir.source import Factor
from pencilc.options import CompileOptions
from pencilc.poly.dependences.flow import flow_model

ADD = "for (int i = 0; i < s; i++) a[i] += a[i + s];"


def compiled(body: str) -> Compilation:
    text = (
        "void f(int n, int m, int a[static const restrict n], int b[static const restrict n])\n"
        "{\n#pragma scop\n" + body + "\n#pragma endscop\n}\n"
    )
    return compile_source(SourceFile("f.c", text), CompileOptions())


def steps_of(done: Compilation) -> list[str]:
    """What the loops around launches do at the end of a round."""
    return re.findall(r"for \(.*; (.*)\) \{", entry_of(done))


def entry_of(done: Compilation) -> str:
    """What queues the launches."""
    name = "pencilc_queue_f(" if "pencilc_queue_f(" in done.cuda else "f_device("
    return done.cuda[done.cuda.index(name) :].partition("\n}\n")[0]


@pytest.mark.parametrize(
    ("body", "step"),
    [
        (f"for (int s = n / 2; s > 0; s /= 2) {ADD}", "t0 /= 2"),
        (f"for (int s = n / 2; s >= 1; s >>= 1) {ADD}", "t0 /= 2"),
        (f"for (int s = n / 4; 0 < s; s = s >> 2) {{ {ADD} }}", "t0 /= 4"),
        (f"for (int s = (n + 1) / 2; s > 1; s = (s + 1) / 2) {ADD}", "t0 = (t0 - 1) / 2"),
        (f"int s = n / 2; while (s > 0) {{ {ADD} s /= 2; }}", "t0 /= 2"),
        (f"int s; for (s = n / 2; s > 0; s /= 2) {ADD}", "t0 /= 2"),
        (f"for (unsigned s = n / 2; s > 0u; s /= 2u) {ADD.replace('int i', 'unsigned i')}", "t0 /= 2"),
        ("for (int s = 1; s < n; s *= 2) for (int i = s; i < n; i++) b[i] = a[i - s];", "s_1 *= 2"),
        ("for (int s = 1; s < n; s = 3 * s) for (int i = s; i < n; i++) b[i] = a[i - s];", "s_1 *= 3"),
        ("for (int s = 1; s < n; s <<= 2) for (int i = s; i < n; i++) b[i] = a[i - s];", "s_1 *= 4"),
        ("for (int s = 1; s <= n; s += s) for (int i = s; i < n; i++) b[i] = a[i - s];", "s_1 *= 2"),
        (f"for (long s = n / 2; s > 0; s /= 2l) {ADD.replace('int i', 'long i')}", "t0 /= 2"),
        ("for (int s = m; n > s; s *= 2) for (int i = 0; i < n; i++) b[i] = a[i] + s;", "s_1 *= 2"),
        ("for (int s = 1; 2 * s <= n; s *= 2) for (int i = s; i < n; i++) b[i] = a[i - s];", "s_1 *= 2"),
    ],
)
def test_the_forms_that_people_write_are_loops_on_the_host_that_ask_nothing(body: str, step: str) -> None:
    done = compiled(body)
    assert steps_of(done) == [step]
    assert "left" not in entry_of(done)
    assert not [d.code for d in done.diagnostics]


@pytest.mark.parametrize(
    "body",
    [
        f"for (int s = n; s > 0; s = (s + 1) / 2) {ADD}",  # of one the half, rounded up, is one: it would not end
        f"for (int s = n; s >= 0; s /= 2) {ADD}",
        f"for (int s = n; s > m; s /= 2) {ADD}",
        f"for (int s = n; s > 0; s /= 1) {ADD}",
        f"for (int s = n; s > 0; s /= 2) {{ {ADD} if (a[0] > 3) s = 4; }}",
        f"for (int s = a[0]; s > 0; s /= 2) {ADD}",
        "for (int s = 1; s < b[0]; s *= 2) { for (int i = 0; i < n; i++) a[i] += s; }",
        f"int s; for (s = n; s > 1; s /= 2) {ADD} b[0] = s;",
        f"int s = n; b[0] = s; while (s > 1) {{ {ADD} s /= 2; }}",
        # Casts that change values.
        f"for (int s = n; (unsigned char)s > 0; s /= 2) {ADD}",
        f"for (int s = n; s > 0; s = (unsigned char)s / 2) {ADD}",
        f"for (int s = n; s > 0; s = (unsigned char)(s / 2)) {ADD}",
        f"for (int s = n; s > 1; s = ((unsigned char)s + 1) / 2) {ADD}",
        f"for (int s = n; s > 0; s /= (unsigned char)258) {ADD}",
        "for (int s = 1; s < n; s *= (unsigned char)258) for (int i = 0; i < n; i++) a[i] += s;",
        # Where one more is zero, and what `long long` has no negative value of.
        "for (unsigned s = n; s > 1; s = (s + 1) / 2) for (int i = 0; i < n; i++) a[i] += s;",
        "for (unsigned long s = n * 1ul; s > 0; s /= 2) for (int i = 0; i < n; i++) a[i] += s;",
        f"int k = b[1]; int s = k; if (b[0] > 3) k = 3; while (s > 1) {{ {ADD} s /= 2; }} b[0] = k;",
    ],
)
def test_what_is_not_known_to_go_on_so_is_left_to_data(body: str) -> None:
    done = compiled(body)
    assert not any(loop.factor for s in done.scops[0].statements for loop in s.loops)


def test_what_else_ends_it_is_asked() -> None:
    done = compiled(f"int e = 0; for (int s = n / 2; s > 0 && e < m; s /= 2) {{ {ADD} e += a[0]; }} b[0] = e;")
    assert steps_of(done) == ["t0 /= 2"]
    assert [d.code for d in done.diagnostics] == ["PC0703"]


@pytest.mark.parametrize(
    ("body", "start"),
    [
        ("for (int s = 1; s < n; s *= 2) for (int i = 5; i < s; i++) a[i] += s;", "s_1 = 1;"),
        ("for (int s = n; s > 0; s /= 2) for (int i = 0; i < s; i++) if (s < m) a[i] += s;", "t0 = -(long long)n;"),
        ("for (int s = 3; s < n; s *= 2) if (s > m) for (int i = 0; i < n; i++) a[i] += s;", "s_1 = 3;"),
    ],
)
def test_it_begins_where_the_source_does_though_the_first_rounds_have_nothing_to_do(body: str, start: str) -> None:
    done = compiled(body)
    (loop,) = re.findall(r"for \(.*; .* [*/]= 2\) \{", entry_of(done))
    assert start in loop


def test_a_launch_of_several_parts_is_counted_too() -> None:
    """Loops in one launch; the loop around knows its counter by the first of them."""
    done = compiled(
        "for (int s = 1; s < n; s *= 2) {"
        " for (int i = 0; i < n; i++) a[i] += s; for (int i = 0; i < m; i++) b[i] -= s; }"
    )
    assert "packed" in entry_of(done)
    assert steps_of(done) == ["s_1 *= 2"]


def test_two_loops_share_a_counter_that_is_declared_outside() -> None:
    done = compiled(
        "int s, i; for (s = 1; s < n; s *= 2) for (i = s; i < n; i++) b[i] = a[i - s];"
        " for (s = n / 2; s > 0; s /= 2) for (i = 0; i < s; i++) b[i] += s;"
    )
    factors = {loop.factor for s in done.scops[0].statements for loop in s.loops if loop.factor}
    assert factors == {Factor(2, 1), Factor(1, 2)}
    assert len(steps_of(done)) == 2


def test_iterations_that_are_left_out_write_nothing_for_certain() -> None:
    """Of `b[s - 1]` no iteration is known to have been, so that what is in front of the loop may be there."""
    done = compiled(
        "for (int i = 0; i < n; i++) b[i] = -1;"
        "for (int s = 1; s < n; s *= 2) { b[s] = s; for (int i = 0; i < n; i++) a[i] += b[s - 1]; }"
    )
    scop = done.scops[0]
    model = flow_model(scop)
    pairs = islx.maps_of(model.flow(model.reads, model.all_must, model.all_may, kills=model.kills))
    first, last = scop.statements[0].name, scop.statements[-1].name
    found = [pair for pair in pairs if (islx.in_name(pair), islx.out_name(pair)) == (first, last)]
    assert found
    assert found[0].range().is_equal(scop.statement(last).domain)


def test_what_a_round_reads_comes_from_others_with_other_values() -> None:
    """`t[s / 2]` of a round is what the one before has written at its `s`."""
    done = compiled("for (int s = 2; s < n; s *= 2) { for (int i = 0; i < s; i++) b[s + i] = b[s / 2 + i / 2] + 1; }")
    scop = done.scops[0]
    model = flow_model(scop)
    pairs = model.flow(model.reads, model.all_must, model.all_may, kills=model.kills)
    inside = [pair for pair in islx.maps_of(pairs) if islx.in_name(pair) == islx.out_name(pair)]
    assert any(not pair.is_subset(pair.equate(isl.dim_type.in_, 0, isl.dim_type.out, 0)) for pair in inside)


def test_a_round_that_follows_another_in_time_waits_for_all_between() -> None:
    """The same value of the counter in the next step of a time loop is another iteration."""
    done = compiled(
        "for (int t = 0; t < m; t++) {"
        " for (int s = 1; s < n; s *= 2) { for (int i = 0; i < n; i++) b[i] = i >= s ? a[i - s] : a[i];"
        " for (int i = 0; i < n; i++) a[i] = b[i]; }"
        " for (int i = 0; i < n; i++) a[i] += t; }"
    )
    scop = done.scops[0]
    model = flow_model(scop)
    pairs = model.flow(model.reads, model.all_must, model.all_may, kills=model.kills)
    last = scop.statements[-1].name
    assert any(islx.in_name(pair) == last and islx.out_name(pair) != last for pair in islx.maps_of(pairs))
    assert steps_of(done) == ["t += 1", "s_1 *= 2"]
