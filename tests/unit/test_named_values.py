"""Scalars that are names for values make way for these, where that lets more run at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.frontend.rewrite.named_values import with_values_for_names
from pencilc.ir.schedule_printer import saved_schedules, schedule_line
from pencilc.ir.scop import Scop
from pencilc.ir.scop_verifier import verify_values_for_names
from pencilc.ir.source import Assign, Declare, walk
from pencilc.options import CompileOptions
from pencilc.poly import names_what_is_overwritten, without_names

HEAD = """#include <pencil.h>
void f(int n, float a[static const restrict n + 1], float b[static const restrict n + 1],
       float x[static const restrict n][n])
{
#pragma scop
"""
PATHS = "for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)"
NINE = f"[k s]{{ {'; '.join(f'[i,j P]{{S{number}}}' for number in (3, 4, 5, 6, 7, 8, 9, 10, 11))} }}"


def compiled(body: str, last: str = "schedule", options: CompileOptions | None = None):  # type: ignore[no-untyped-def]
    """A region with the parameters of HEAD."""
    return compile_source(SourceFile("f.c", f"{HEAD}{body}\n#pragma endscop\n}}\n"), options or CompileOptions(), last)


def scalars_left(body: str) -> list[str] | None:
    """The locals that are declared when values are in the place of names; None where nothing changes."""
    (region,) = compiled(body, "source").parsed.regions
    made = with_values_for_names(region)
    return None if made is None else [n.symbol.spelling for n in walk(made.body) if isinstance(n, Declare)]


def schedule(body: str) -> str:
    """The schedule, with the statements counted from 0."""
    return schedule_line(compiled(body).scheduled[0])


@pytest.mark.parametrize(
    "body",
    [
        "{ float d = x[i][k] + x[k][j]; x[i][j] = x[i][j] < d ? x[i][j] : d; }",
        "{ float d = x[i][k] + x[k][j]; if (d < x[i][j]) x[i][j] = d; }",
        "{ float u = x[i][k], v = x[k][j], d = u + v; x[i][j] = d > x[i][j] ? x[i][j] : d; }",
        "{ double d; d = x[i][k] + x[k][j]; if (d < x[i][j]) { x[i][j] = d; } }",
    ],
)
def test_a_relaxation_with_a_name_is_cut_as_one_without(body: str) -> None:
    plain = schedule(f"{PATHS} x[i][j] = x[i][j] < x[i][k] + x[k][j] ? x[i][j] : x[i][k] + x[k][j];")
    assert plain.startswith("[k s]{ [i,j P]") and schedule(f"{PATHS} {body}") == plain


LOOP = "for (int i = 0; i < n; i++)"


@pytest.mark.parametrize(
    ("body", "left"),
    [
        (f"{LOOP} {{ float t = a[i]; b[i] = t * t; }}", []),
        (f"{LOOP} {{ float t = a[i], u = t * t; b[i] = u + t; a[i] = u; }}", []),  # `a` is written last
        (f"{LOOP} {{ float t = a[i]; a[i] = 0; b[i] = t; }}", None),  # the value has changed
        (f"{LOOP} {{ float t = a[i]; a[i] = t; b[i] = t; }}", None),
        (f"{LOOP} {{ float t = a[i]; if (t > 0) {{ a[i] = 0; b[i] = t; }} }}", None),
        (f"{LOOP} {{ float t = a[i]; if (t > 0) a[i] = t; else a[i] = -t; }}", []),
        (f"{LOOP} {{ float t = a[i]; t += 1; b[i] = t; }}", None),
        (f"{LOOP} {{ float t = a[i]; for (int j = 0; j < n; j++) x[i][j] = t; }}", None),  # n times the work
        (f"float t = 0; {LOOP} {{ b[i] = t; t = a[i]; }}", None),  # that of the iteration before
        (f"{LOOP} {{ float t = 1; if (a[i] > 0) t = 2; b[i] = t; }}", None),
        (f"{LOOP} {{ int t = a[i]; b[i] = t; }}", []),
    ],
)
def test_which_scalars_are_names(body: str, left: list[str] | None) -> None:
    assert scalars_left(body) == left


def test_a_value_has_the_type_of_its_name() -> None:
    (region,) = compiled(f"{LOOP} {{ int t = a[i]; b[i] = t / 2; }}", "source").parsed.regions
    made = with_values_for_names(region)
    assert made is not None
    (assign,) = (node for node in walk(made.body) if isinstance(node, Assign))
    kept = compiled(f"{LOOP} b[i] = (int)a[i] / 2;", "source").parsed.regions[0]
    (wanted,) = (node for node in walk(kept.body) if isinstance(node, Assign))
    assert assign.value.type == wanted.value.type
    assert [type(node) for node in walk(assign.value)] == [type(node) for node in walk(wanted.value)]


@pytest.mark.parametrize(
    "body",
    [
        f"{LOOP} {{ float t = a[i]; b[i] = t * t; }}",  # nothing waits
        "for (int i = 1; i < n; i++) { float t = b[i - 1]; b[i] = t * t; }",  # one thread, with the value or the name
    ],
)
def test_names_stay_where_nothing_is_gained(body: str) -> None:
    assert any(isinstance(node, Declare) for node in walk(compiled(body).parsed.regions[0].body))


def test_a_schedule_that_is_given_is_of_the_same_statements() -> None:
    body = f"{PATHS} {{ float d = x[i][k] + x[k][j]; if (d < x[i][j]) x[i][j] = d; }}"
    done = compiled(body)
    given = SourceFile("given", saved_schedules(done.scheduled))
    again = compiled(body, options=CompileOptions(schedule=given))
    assert schedule_line(again.scheduled[0]) == schedule_line(done.scheduled[0])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{PATHS} {{ float d = x[i][k] + x[k][j]; if (d < x[i][j]) x[i][j] = d; }}", True),
        (f"{PATHS} {{ float u = x[i][k], d = u + x[k][j]; x[i][j] = d; }}", True),
        (f"{LOOP} {{ float u = a[i + 1], v = u * u; a[i] = v; }}", True),  # by way of another name
        (f"{LOOP} {{ float t = a[i]; b[i] = t * t; }}", False),
        (f"{LOOP} {{ float t = a[i]; b[i] = t; a[i] = 1; }}", False),  # another statement writes it
        (f"{LOOP} a[i] = a[i + 1];", False),
    ],
)
def test_whose_values_are_made_of_what_is_overwritten(body: str, expected: bool) -> None:
    assert names_what_is_overwritten(compiled(body, "scop").scops[0]) is expected


# ---- the verifier --------------------------------------------------------------------------------------


def models(body: str) -> tuple[Scop, Scop]:
    """The model with names, and that with values in their place."""
    done = compiled(body, "scop")
    made = without_names(done.parsed, 0)
    assert made is not None
    return done.scops[0], made[1]


def test_the_verifier_takes_what_is_made() -> None:
    for body in (
        f"{PATHS} {{ float d = x[i][k] + x[k][j]; if (d < x[i][j]) x[i][j] = d; }}",
        f"{LOOP} {{ float t = a[i], u = t * t; b[i] = u + t; a[i] = u; }}",
    ):
        verify_values_for_names(*models(body))


@pytest.mark.parametrize(
    "body",
    [
        f"{LOOP} {{ float t = a[i]; a[i] = 0; b[i] = t; }}",
        f"{LOOP} {{ float t = a[i]; a[i + 1] = 0; a[i] = 0; b[i] = t; }}",
        f"{LOOP} {{ float t = a[i], u = t * t; a[i] = 0; b[i] = u; }}",
    ],
)
def test_a_value_that_has_changed(body: str) -> None:
    done = compiled(body, "scop")
    before = done.scops[0]
    locals_ = [array for array in before.arrays if array.symbol.kind == "local"]
    after = replace(before, arrays=tuple(array for array in before.arrays if array not in locals_))
    with pytest.raises(CompilerBug, match="writes `a` before"):
        verify_values_for_names(before, after)


MEMBERS = """#include <pencil.h>
typedef struct { int v[4]; double w; } point;
void f(int n, double e[static const restrict n], point p[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) { int t = p[n - 1 - i].v[1] - p[i].v[2]; e[i] = t; %s }
#pragma endscop
}
"""


def of_members(written: str) -> tuple[Scop, Scop]:
    """The model of a region with members of structs, and the same without its locals."""
    before = compile_source(SourceFile("f.c", MEMBERS % written), CompileOptions(), "scop").scops[0]
    locals_ = [array for array in before.arrays if array.symbol.kind == "local"]
    return before, replace(before, arrays=tuple(array for array in before.arrays if array not in locals_))


def test_members_that_are_apart() -> None:
    before, after = of_members("p[i].w = t;")
    assert names_what_is_overwritten(before)
    verify_values_for_names(before, after)
    with pytest.raises(CompilerBug, match="writes `p_v` before"):
        verify_values_for_names(*of_members("p[n - 1 - i].v[1] = 3; e[i] = t;"))


def test_a_variable_that_has_another_value_before_keeps_its_declaration() -> None:
    """`h = 5; a[i] = h * x;` is `a[i] = 5 * x;`, and the loop in front of it still sets `h`."""
    body = "for (int i = 0; i < n; i++) { float h; int l = 6; while (l > 0) { l = l - 1; h = b[l]; a[i] += h; } "
    assert scalars_left(body + "h = 5; a[i] = h * a[i]; }") == ["h", "l"]
