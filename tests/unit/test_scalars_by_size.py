"""Scalars of which a schedule would have more values than the caller has elements: the entry point decides by sizes."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.ir.schedule_printer import schedule_line
from pencilc.options import CompileOptions
from pencilc.report.text import report_text
from pencilc.verify.forms import ONE_ARRAY, forms_of

BODY = """for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
        float most = 0;
        for (int k = 0; k < m; k++) most = fmaxf(most, x[i] * y[j] + z[k]);
        total[0] = total[0] / 2 + most;
    }"""
ALWAYS = "[i,j P]{ S1; [k s]{S2} }; [i s]{ [j s]{S3} }"
IN_STEPS = "[i s]{ [j P]{ S1; [k s]{S2} }; [j s]{S3} }"


def compiled(body: str = BODY, most: int = 2**28, last: str = "schedule") -> Compilation:
    """The program whose maxima are found below two loops and taken in order."""
    head = """#include <math.h>
void f(int n, int m, const float x[restrict n], const float y[restrict n], const float z[restrict m],
       float total[restrict n])"""
    text = f"{head}\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    return compile_source(SourceFile("scalars.c", text), CompileOptions(private_bytes=most), last)


def schedules(done: Compilation) -> str:
    return schedule_line(done.scheduled[0])


def test_the_entry_point_looks_at_the_bytes() -> None:
    """Of n * n values, against 256 MB and the arrays of the caller; the other form has those of one row."""
    done = compiled(last="cuda")
    assert schedules(done) == f"{ALWAYS}; [i s]{{ [j P]{{ S5; [k s]{{S6}} }}; [j s]{{S7}} }}"
    conditions = [line.strip() for line in done.cuda.splitlines() if "n_n <=" in line and line.strip().startswith("if")]
    assert conditions and all(
        "n_n <= 67108864" in line and "3 * (long long)n + m >= n_n" in line for line in conditions
    )


def test_without_such_memory_there_is_the_sequential_form_alone() -> None:
    assert schedules(compiled(most=0)) == IN_STEPS


@pytest.mark.full
def test_the_sequential_form_is_one_that_verify_tries() -> None:
    assert ONE_ARRAY in [form.name for form in forms_of(compiled(last="cuda"))]


def test_scalars_of_one_loop_count_together() -> None:
    """Twelve bytes for each pair."""
    body = BODY.replace("float most = 0;", "float most = 0; double sum = x[j];")
    body = body.replace("total[0] =", "for (int k = 0; k < m; k++) sum = sum / 2 + z[k]; total[0] = sum +")
    done = compiled(body, last="cuda")
    assert [each.array.spelling for each in done.parsed.regions[0].private] == ["most", "sum"]
    assert "n_n <= 22369621" in done.cuda


SEVERAL = BODY + BODY.replace("total[0]", "total[1]")


@pytest.mark.full
def test_each_nest_has_both_forms() -> None:
    region = compiled(SEVERAL).parsed.regions[0]
    assert [each.array.spelling for each in region.private] == ["most", "most"] and len(region.limited) == 2


@pytest.mark.parametrize(
    "body",
    [
        "__pencil_assume(n <= 1000);" + BODY,  # 4,000,000 bytes at most
        BODY.replace("for (int j = 0; j < n; j++)", "").replace("y[j]", "m"),  # n values, as many as `x` has
        BODY.replace("total[0] / 2 + most", "fmaxf(total[0], most)"),  # no value is in memory
    ],
)
def test_what_is_known_to_fit_is_not_asked(body: str) -> None:
    region = compiled(body).parsed.regions[0]
    assert not region.private and not region.limited


def test_what_no_parameter_tells_stays_in_order() -> None:
    done = compiled(BODY.replace("j < n", "j < (i < m ? i : m)"))
    assert not done.parsed.regions[0].private and done.parsed.regions[0].limited == ("most",)
    assert schedules(done) == IN_STEPS


WEIGHTS = """for (int i = 9; i < n; i++) {
    float s = 0;
    for (int v = 0; v < 7; v++)
        for (int u = 0; u < 7; u++) {
            float d = 0;
            for (int b = 0; b < 3; b++) d += x[i - b] * y[u];
            float k = expf(d);
            s += k * z[v];
        }
    total[i] = s;
}"""


def test_few_values_for_each_point_are_in_a_register() -> None:
    assert schedules(compiled(WEIGHTS)) == "[i P]{ S1; [v s]{ [u s]{ S3; [b s]{S4}; S6; S7 } }; S8 }"


def test_points_that_wait_for_each_other_have_both_forms() -> None:
    found = schedules(compiled(BODY.replace("j < n", "j < 7")))
    assert found == f"{ALWAYS}; [i s]{{ [j P]{{ S5; [k s]{{S6}} }}; [j s]{{S7}} }}"


def test_the_report_tells_which() -> None:
    told = "line 7: `most` is overwritten by each iteration of `j`, which has one for itself where all together take "
    assert told + "at most 268,435,456 bytes, or as many as the arrays of the caller" in report_text(
        compiled(last="cuda")
    )
