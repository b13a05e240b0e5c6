"""What is killed is not compared, and everything else is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.ir.source import INT, Member, Struct
from pencilc.options import CompileOptions
from pencilc.verify.cases import Argument, Case, Outcome
from pencilc.verify.command import Generated, VerifySettings, executor_for, verify, verify_generated
from pencilc.verify.killed import Undefined, with_fillings
from pencilc.verify.report import VerifyReport

HEAD = """#include <pencil.h>
#define END(x) __pencil_kill(x)
struct pair { int lo[4]; int hi; };
static void clear(int m, int r[static const restrict m]) { __pencil_kill(r); for (int i = 0; i < m; i++) r[i] = 1; }
"""


def source(body: str) -> SourceFile:
    """A file with a function of such a body."""
    text = f"""{HEAD}void f(int n, int m, const int a[static const restrict n], int t[static const restrict n],
       int x[static const restrict n][m], int y[static const restrict n * m], struct pair p[static const restrict n],
       int o[static const restrict n])
{{
#pragma scop
{body}
#pragma endscop
}}
"""
    return SourceFile("f.c", text)


def test_what_is_left_to_the_host_stays_there_where_a_difference_is_looked_at() -> None:
    text = """double sum(int n, const double x[static restrict n]) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}
void scale(int n, double f, double y[static restrict n]) {
    if (f == 1) return;
    for (int i = 0; i < n; i++) y[i] *= f;
}
"""
    options = replace(CompileOptions(), autodetect=True, associative_math=True)
    report = verify(SourceFile("f.c", text), options, VerifySettings(sizes={"n": (31,)}, orders=("fwd",)))
    assert report.ok and {row.function for row in report.rows} == {"sum"}


@pytest.mark.parametrize(
    ("body", "filled"),
    [
        ("__pencil_kill(t);", "{ pencilc_fill_rows((void *)(t), n, sizeof((t)[0])); }"),
        ("for (int i = 0; i < n; i++) __pencil_kill(t[i]);", "{ pencilc_fill((void *)&(t[i]), sizeof(t[i])); }"),
        (
            "if (n > 1) __pencil_kill(&t[1], t[0]);",
            "{ pencilc_fill((void *)&(t[1]), sizeof(t[1])); pencilc_fill((void *)&(t[0]), sizeof(t[0])); }",
        ),
        ("__pencil_kill(x);", "{ pencilc_fill_rows((void *)(x), n, sizeof((x)[0])); }"),
        ("if (n > 0) __pencil_kill(x[0]);", "{ pencilc_fill((void *)(x[0]), sizeof(x[0])); }"),
        (
            "__pencil_kill(y); for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (a[i]) y[i * m + j] = 1;",
            "{ pencilc_fill_rows((void *)(y), n * m, sizeof((y)[0])); }",
        ),
        ("if (n > 0) __pencil_kill(p[0].lo);", "{ pencilc_fill((void *)(p[0].lo), sizeof(p[0].lo)); }"),
        ("int v = n; __pencil_kill(v);", "{ pencilc_fill((void *)&(v), sizeof(v)); }"),
        ("int v[3]; __pencil_kill(v);", "{ pencilc_fill((void *)(v), sizeof(v)); }"),
    ],
)
def test_kills_become_fillings(body: str, filled: str) -> None:
    unit, _ = parse_file(source(body), FrontendOptions())
    made = with_fillings(unit)
    assert made is not None
    assert filled in made.text and made.text.count("\n") == unit.file.text.count("\n")
    # What the helper kills is its own parameter, whatever it is given.
    assert made.text.count("pencilc_fill_rows((void *)(r), m, sizeof((r)[0]))") == 1


def test_what_a_macro_kills_stays() -> None:
    unit, _ = parse_file(source("END(t);"), FrontendOptions())
    made = with_fillings(unit)
    assert made is not None and "END(t);" in made.text and "(t)" not in made.text.replace("END(t)", "")


def test_only_what_is_undefined_is_settled() -> None:
    pair = Struct("pair", (Member("lo", INT, 0), Member("hi", INT, 4)), 8, 4)
    case = Case(
        "f", (), "integers", (Argument("p", pair, True, True, (2,), bytes(16)),), INT, 1.0, 0.0, True, 1.0
    )  # fmt: skip
    expected, got = Outcome((bytes(16),), bytes(4)), Outcome((b"\1" * 16,), b"\1" * 4)
    settled = Undefined(((), (slice(4, 8),))).settled(case, expected, got)
    assert settled.buffers == (b"\1" * 4 + bytes(4) + b"\1" * 8,) and settled.returned == got.returned


def verified(body: str, *changes: tuple[str, str]) -> VerifyReport:
    """The report on a function whose generated code has been changed."""
    file, options = source(body), CompileOptions()
    done = compile_source(file, options)
    cuda = done.cuda
    for old, new in changes:
        assert old in cuda
        cuda = cuda.replace(old, new)
    settings = VerifySettings(sizes={"n": (5,), "m": (3,)}, orders=("fwd",))
    return verify_generated(Generated(done.parsed, cuda, None), options, settings, executor_for(settings))


PERHAPS = "__pencil_kill(t);\nfor (int i = 0; i < n; i++) if (a[i] > 0) t[i] = a[i];"


@pytest.mark.full
def test_what_is_written_behind_a_kill_is_compared() -> None:
    assert verified(PERHAPS).ok
    report = verified(PERHAPS, ("t[i] = a[i];", "t[i] = a[i] + 1;"))
    assert not report.ok and any(row.status == "differs" for row in report.rows)


@pytest.mark.full
def test_a_program_that_uses_what_it_has_killed_is_at_fault() -> None:
    report = verified(
        "__pencil_kill(t);\nfor (int i = 0; i < n; i++) o[i] = t[i];\nfor (int i = 0; i < n; i++) t[i] = 1;"
    )
    assert any(row.status == "fault" and "killed: `o`" in row.messages[0] for row in report.rows)


@pytest.mark.full
def test_what_a_macro_kills_is_told() -> None:
    report = verified("for (int i = 0; i < n; i++) { t[i] = a[i]; o[i] = t[i]; }\nEND(t);")
    assert report.ok and any("`t` was not compared" in note for note in report.notes)
