"""Schedules that are given: what the text may look like, what is taken as it is, what is refused and why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.diagnostics.diagnostic import SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source, dump
from pencilc.frontend import read_source
from pencilc.ir.schedule import ScheduledScop
from pencilc.ir.schedule_printer import saved_schedules, schedule_line
from pencilc.options import CompileOptions
from pencilc.schedule import read_schedules, schedule_as_given
from tests.conftest import ROOT
from tests.unit.records import ROW_SUMS, SOFTMAX, SUM, scheduled

# S0 fills a, S1 walks down the columns of x.
WALK = "FOR(i, n) a[i] = b[i]; for (int i = 1; i < n; i++) FOR(j, m) x[i][j] = x[i - 1][j] + a[i];"
FRONT = "for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) x[i][j] = x[i - 1][j] + x[i][j - 1];"
LOCAL = "FOR(i, n) { float t; t = a[i]; b[i] = t * t; }"
ARRAY = "FOR(i, n) { float t[2]; t[0] = b[i]; a[i] = t[0]; }"
NESTED = "FOR(i, n) FOR(j, m) x[i][j] = 2 * x[i][j];"
TWO = "FOR(i, n) a[i] = 1; FOR(i, n) b[i] = a[i];"


def given(body: str, text: str) -> ScheduledScop:
    """The region by the schedule `text`, which stands below the line that names it."""
    done = scheduled(body)
    (schedule,) = read_schedules(SourceFile("given", f"schedule of {done.scop.name}\n{text}"))
    return schedule_as_given(done.scop, done.dependences, schedule)


def line(body: str, text: str) -> str:
    """What is made of it, in the notation of the dumps."""
    return schedule_line(given(body, text))


@pytest.mark.parametrize("body", [SUM, ROW_SUMS, SOFTMAX, WALK, FRONT, LOCAL, NESTED, "a[0] = 1;"])
def test_what_is_saved_reads_back(body: str) -> None:
    done = scheduled(body)
    text = saved_schedules([done])
    (schedule,) = read_schedules(SourceFile("given", text))
    assert saved_schedules([schedule_as_given(done.scop, done.dependences, schedule)]) == text


@pytest.mark.parametrize(
    ("body", "text", "wanted"),
    [
        # Interchanged, distributed, fused, shifted, turned round, skewed, scaled, with weaker marks.
        (NESTED, " band\n  j: S0 -> j\n  i: S0 -> i\n  S0", "[j,i P]{S0}"),
        (NESTED, " band\n  S0 -> j\n  band\n   S0 -> i\n   S0", "[j P]{ [i P]{S0} }"),
        (NESTED, " band\n  s: S0 -> i\n  P: S0 -> j\n  S0", "[i s]{ [j P]{S0} }"),
        (NESTED, " band\n  S0 -> -i + n\n  S0 -> 2 * j\n  S0", "[-i,2j P]{S0}"),
        (TWO, " band\n  S0 -> i; S1 -> i_1\n  S0\n  S1", "[i P]{S0,S1}"),
        (TWO, " band\n  S0 -> i\n  S0\n band\n  S1 -> i_1\n  S1", "[i P]{S0}; [i P]{S1}"),
        (TWO, " band\n  S0 -> i; S1 -> i_1 + 1\n  S1\n  S0", "[i s]{S1,S0}"),
        (FRONT, " band\n  S0 -> i + j\n  band\n   S0 -> i\n   S0", "[i+j s]{ [i P]{S0} }"),
        (FRONT, " band\n  S0 -> j\n  S0 -> i\n  S0", "[j s]{ [i s]{S0} }"),
        (SUM, " band\n  S2 -> i\n  S2\n sequence\n  M0\n  S3", "[i R]{S2}; M0; S3"),
        (SUM, " band\n  s i: S2 -> i\n  S2\n M0\n S3", "[i s]{S2}; M0; S3"),
        (ROW_SUMS, " band\n  S1, M0 -> i\n  band\n   S1 -> j\n   S1\n  M0", "[i P]{ [j R]{S1}; M0 }"),
        (ROW_SUMS, " band\n  S1, M0 -> i\n  sequence\n   sequence\n    band\n     s: S1 -> j\n     S1\n   M0",
         "[i P]{ [j s]{S1}; M0 }"),
        (LOCAL, "# nothing\n\n band\n  P anything: S1, S2 -> i   # a row\n  S1[i]: whatever -> it\n  S2: x\n",
         "[i P]{S1,S2}"),
        # A scalar of each iteration gets a value for each.
        (LOCAL, " band\n  S1 -> i\n  S1\n band\n  S2 -> i\n  S2", "[i P]{S1}; [i P]{S2}"),
        (LOCAL, " band\n  s: S1 -> i; S2 -> i + 1\n  S1\n  S2", "[i s]{S1,S2}"),
        # Iterations that a thread takes together.
        (LOCAL, " band\n  S1, S2 -> floor((i - 1)/2)\n  s: S1, S2 -> i\n  S1\n  S2", "[-1+(1+i)/2 P]{ [i s]{S1,S2} }"),
        (LOCAL, " band\n  S1, S2 -> -1 + floor((1 + i)/2)\n  s: S1, S2 -> i\n  S1\n  S2",
         "[-1+(1+i)/2 P]{ [i s]{S1,S2} }"),
        (LOCAL, " band\n  S1, S2 -> floor(i/ 8)\n  S1, S2 -> i\n  S1\n  S2", "[i/8,i P]{S1,S2}"),
    ],
)  # fmt: skip
def test_what_may_be_changed(body: str, text: str, wanted: str) -> None:
    assert line(body, text) == wanted


def refused(body: str, text: str) -> tuple[str, str]:
    """The code and the message with which a schedule is refused."""
    with pytest.raises(SourceErrors) as raised:
        given(body, text)
    (found,) = raised.value.diagnostics
    return found.code, found.message


@pytest.mark.parametrize(
    ("body", "text", "message"),
    [
        (FRONT, " band\n  S0 -> -i\n  S0 -> j\n  S0",
         "the schedule breaks a dependence: `S0[2, 1]` runs in an earlier iteration than `S0[1, 1]`, but it needs the "
         "value of that"),
        (FRONT, " band\n  P: S0 -> i\n  S0 -> j\n  S0",
         "the row is marked P and is s: `S0[2, 1]` runs in another iteration than `S0[1, 1]`, but it needs the value "
         "of that"),
        (SUM, " band\n  P: S2 -> i\n  S2\n M0\n S3",
         "the row is marked P and is R: `S2[1]` updates in another iteration what does `S2[0]`"),
        (SUM, " M0\n band\n  S2 -> i\n  S2\n S3",
         "the schedule breaks a dependence: `M0[]` runs before `S2[0]`, but it is complete only behind it"),
        (TWO, " band\n  S1 -> i_1\n  S1\n band\n  S0 -> i\n  S0",
         "the schedule breaks a dependence: `S1[0]` runs before `S0[0]`, but it needs the value of that"),
        (TWO, " band\n  S0 -> i; S1 -> i_1 - 1\n  S0\n  S1",
         "the schedule breaks a dependence: `S1[0]` runs in an earlier iteration than `S0[0]`, but it needs the value "
         "of that"),
        ("FOR(i, n) a[i] = b[i]; FOR(i, n) b[i] = 1;", " band\n  S1 -> i_1\n  S1\n band\n  S0 -> i\n  S0",
         "the schedule breaks a dependence: `S1[0]` runs before `S0[0]`, but it overwrites what that reads"),
        ("FOR(i, n) a[i] = b[i]; FOR(i, n) if (b[i] > 0) a[i] = 1;", " band\n  S1 -> i_1\n  S1\n band\n  S0 -> i\n  S0",
         "the schedule breaks a dependence: `S1[0]` runs before `S0[0]`, but it overwrites what that writes"),
        (ARRAY, " band\n  s: S1 -> i; S2 -> i + 1\n  S1\n  S2",
         "`S1` and `S2` share `t` and must share the loops around it"),
        (ROW_SUMS, " band\n  S1 -> j\n  S1 -> i\n  S1\n band\n  M0 -> i\n  M0",
         "`S1` and `M0` share `a` and must share the loops around it"),
    ],
)  # fmt: skip
def test_what_breaks_a_dependence(body: str, text: str, message: str) -> None:
    assert refused(body, text) == ("PC0812", message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" band\n  S0 -> i\n  S0", "the rows above `S0[i, j]` do not tell all of its instances apart"),
        (" band\n  S0 -> i\n  S0 -> 2i + 1\n  S0", "the rows above `S0[i, j]` do not tell all of its instances apart"),
        (" band\n  S0 -> i\n  S0 -> j\n  S0\n  S0", "`S0` stands in the schedule twice"),
        (" band\n  S0 -> i\n  S0 -> j\n  S0\n  S1", "`f` has no statement `S1`"),
        (" band\n  S0 -> i; S1 -> i\n  S0 -> j\n  S0", "`S1` is no statement of `f`"),
        (" band\n  S0 -> i; S0 -> j\n  S0", "`S0` has two values of this row"),
        (" band\n  S0 -> i * j\n  S0", "the value for `S0` is no affine expression"),
        (" band\n  S0 -> i j\n  S0", "the value for `S0` is no affine expression"),
        (" band\n  S0 -> i / 2\n  S0", "the value for `S0` is no affine expression"),
        (" band\n  S0 -> floor(i/j)\n  S0", "the value for `S0` is no affine expression"),
        (" band\n  S0 -> floor(i/0)\n  S0", "a row is divided by a whole number of 1 to 65,536"),
        (" band\n  S0 -> floor(floor(i/2)/2)\n  S0", "the value for `S0` is no affine expression"),
        (" band\n  S0 -> k\n  S0", "`S0` has no iterator and the region no parameter `k`"),
        (" band\n  S0 -> floor\n  S0", "`S0` has no iterator and the region no parameter `floor`"),
        (" band\n  S0 -> 65537i\n  S0",
         "a row is a sum of iterators and parameters, with whole factors of at most 65,536"),
        (" band\n  S0 -> \n  S0", "a row is written `P i: S0, S1 -> i; S2 -> j + 1`"),
        (" band\n  R: S0 -> i\n  S0 -> j\n  S0", "no reduction runs along this row, so it cannot be marked R"),
        (" band", "nothing is inside of this band: what belongs to it is indented further"),
        (" band\n  S0", "this band has no row"),
        (" band\n  S0 -> i", "this band has no statement"),
        (" band\n   S0 -> i\n  S0 -> j\n  S0", "this line is indented like none of those that it could belong to"),
        (" band\n  S0 -> i\n   S0", "what a row runs stands below all rows of its band, not further inside"),
        (" S0\n  S0", "nothing can stand inside of the statement `S0`"),
        (" P i: S0 -> i\n S0", "a row stands here without a `band` around it"),
        (" do what I mean", "this is no `band`, no `sequence` and no statement"),
        ("", "`S0` of `f` is not in the schedule"),
        (" sequence\n" * 1, "`S0` of `f` is not in the schedule"),
        ("".join(" " * k + "sequence\n" for k in range(1, 110)), "rows and sequences are nested more than 100 deep"),
    ],
)  # fmt: skip
def test_what_is_no_schedule_of_the_region(text: str, message: str) -> None:
    assert refused(NESTED, text) == ("PC0811", message)


def test_what_is_not_scheduled_is_told() -> None:
    assert refused(SUM, " S1\n M0\n S3\n") == (
        "PC0811", "`S1` is not scheduled: it only begins or ends the life of a value"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is no schedule file: it does not begin with `schedule of <region>`"),
        ("band", "this is no schedule file: it does not begin with `schedule of <region>`"),
        ("schedule of f\n S0\nschedule of f\n S0", "there is a schedule of `f` already"),
    ],
)
def test_what_is_no_schedule_file(text: str, message: str) -> None:
    with pytest.raises(SourceErrors) as raised:
        read_schedules(SourceFile("given", text))
    assert [(d.code, d.message) for d in raised.value.diagnostics] == [("PC0811", message)]


def test_the_order_of_the_source() -> None:
    done = given(NESTED, "  source order  # please\n")
    assert done.sequential == "the schedule file asks for the order of the source"


SAMPLES = ["softmax.c", "histogram.c", "polybench/seidel-2d.c", "polybench/cholesky.c"]
OTHERS = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("samples", "samples/polybench", "tests/diff/programs")
    for path in (ROOT / folder).glob("*.c")
    if not path.stem.endswith("_host")
)


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=() if p.removeprefix("samples/") in SAMPLES else pytest.mark.full) for p in OTHERS],
)
def test_the_same_bytes_come_out(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = compile_source(read_source(path), CompileOptions())
    texts = [saved_schedules(done.scheduled)]
    if not any(region.sequential for region in done.scheduled):
        texts.append(dump(done, "schedule"))
    for text in texts:
        options = replace(done.options, schedule=SourceFile("given", text))
        assert compile_source(done.file, options).cuda == done.cuda
