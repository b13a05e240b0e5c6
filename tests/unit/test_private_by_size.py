"""Arrays that only order needs and that are larger than the caller's: the entry point decides by sizes."""

from __future__ import annotations

import json

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.options import CompileOptions
from pencilc.report.json import report_json
from pencilc.report.text import report_text
from pencilc.verify.forms import ONE_ARRAY, forms_of

BODY = """for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) w[j] = x[i] + y[j];
    float s = 0;
    for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j];
    b[i] = s;
}"""


def compiled(body: str = BODY, own: str = "float w[m];", most: int = 2**28, last: str = "mapping") -> Compilation:
    """The program whose rows `w` each iteration overwrites."""
    head = "void f(int n, int m, float x[restrict static n], float y[restrict static m], float b[restrict static n])"
    text = f"{head}\n{{\n#pragma scop\n{own}\n{body}\n#pragma endscop\n}}\n"
    return compile_source(SourceFile("rows.c", text), CompileOptions(private_bytes=most), last)


def shapes(done: Compilation) -> list[str]:
    return [kernel.shape.value for kernel in done.programs[0].kernels()]


def test_the_entry_point_looks_at_the_bytes() -> None:
    """Of n rows of m floats, against 256 MB and the arrays of the caller; and reserves nothing where it takes none."""
    done = compiled(last="cuda")
    assert shapes(done)[:2] == ["parallel", "parallel"] and "single" in shapes(done)
    assert "if (n_m <= 67108864 || 2 * (long long)n + m >= n_m)" in done.cuda.replace(
        "2 * (long long)n + m >= n_m || n_m <= 67108864", "n_m <= 67108864 || 2 * (long long)n + m >= n_m"
    )
    assert not done.diagnostics, "the form that waits is for large sizes alone"


def test_the_sequential_form_is_one_that_verify_tries() -> None:
    assert ONE_ARRAY in [form.name for form in forms_of(compiled(last="cuda"))]
    plain = compiled(most=0)
    assert shapes(plain) == ["parallel", "single"] and [d.code for d in plain.diagnostics] == ["PC0701"]


def test_what_is_known_to_fit_is_not_asked() -> None:
    done = compiled("__pencil_assume(n > 0 && n <= 1000 && m > 0 && m <= 1000);" + BODY)
    assert shapes(done) == ["parallel", "parallel"]


def test_two_arrays_of_one_loop_go_together() -> None:
    body = BODY.replace("float s = 0;", "for (int j = 0; j < 2 * m; j++) v[j] = w[j / 2]; float s = v[2 * m - 1];")
    done = compiled(body, "__pencil_assume(m > 0); float w[m], v[2 * m];")
    assert [each.array.spelling for each in done.parsed.regions[0].private] == ["w", "v"]
    assert shapes(done)[:3] == ["parallel"] * 3


@pytest.mark.parametrize(
    "body",
    [
        BODY.replace("j < m; j++) w", "j < m - 1; j++) w"),  # an element of the iteration before is read
        BODY.replace("w[j] = x[i]", "w[j] = i > 0 ? b[i - 1] : x[i]"),  # iterations hand values on
    ],
)
def test_what_is_not_free_stays_in_order(body: str) -> None:
    assert not compiled(body).parsed.regions[0].private


def test_the_report_tells_which() -> None:
    done = compiled()
    told = (
        "line 5: `w` is overwritten by each iteration of `i`, which has one for itself where all together take at most "
    )
    assert told + "268,435,456 bytes, or as many as the arrays of the caller" in report_text(done)
    (region,) = json.loads(report_json(done))["regions"]
    assert region["private_arrays"] == [{"array": "w", "loop": "i", "line": 5, "most_bytes": 2**28}]
