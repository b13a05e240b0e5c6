"""Promises that the program itself breaks are none: the function is left, or its arrays are larger."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.port.command import port
from pencilc.port.records import Ported

ADD = "static void add(int *d, const int *a, int n) { for (int i = 0; i < n; i++) d[i] = a[n - 1 - i] + 1; }\n"
X = "static int x[40], y[40];\n"
FRAMES = """#include <stdio.h>
void frames(const float *x, int count, int hop, int len, float *e) {
    for (int f = 0; f < count; f++) {
        float s = 0;
        for (int i = 0; i < len; i++) s += x[f * hop + i];
        e[f] = s;
    }
}
int main(void) { float x[300], e[9]; for (int i = 0; i < 300; i++) x[i] = 1; frames(x, 9, 16, LEN, e); return e[3]; }
"""


def ported(text: str) -> Ported:
    return port(SourceFile("t.c", text), CompileOptions())


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("typedef struct { int *d; int n; } V;\nstatic void adds(V *v, const int *a) "
         "{ for (int i = 0; i < v->n; i++) v->d[i] = a[v->n - 1 - i] + 1; }\n",
         "V v = {x, 40}; adds(&v, x);"),
        (ADD, "void (*f)(int *, const int *, int) = argc > 5 ? 0 : add; f(x, x, 40);"),
        (ADD, "int *p = argc > 0 ? x : y; add(p, x + 1, 30);"),
    ],
)  # fmt: skip
def test_arrays_that_overlap_in_the_program(before: str, body: str) -> None:
    made = ported(f"{X}{before}int main(int argc, char **argv) {{ {body} return x[3] != (argv == 0); }}\n")
    (function,) = (each for each in made.functions if each.name != "main")
    assert function.status == "left" and "overlap" in function.reason


def test_arrays_that_do_not_overlap_in_the_program() -> None:
    made = ported(f"{X}{ADD}int main(int argc, char **argv) {{ int *p = argc > 0 ? x : y; add(p, y, 40); "
                  "return x[3] != (argv == 0); }\n")  # fmt: skip
    assert next(each for each in made.functions if each.name == "add").status == "ported"


def test_rows_that_overlap_are_none() -> None:
    apart, overlapping = (ported(FRAMES.replace("LEN", length)) for length in ("16", "64"))
    assert "x has count * hop elements" in apart.after and "__pencil_assume(len <= hop);" in apart.after
    assert "x has count * hop + len - hop elements" in overlapping.after and "assume" not in overlapping.after


def test_a_program_that_ends_with_another_status_keeps_its_functions() -> None:
    made = ported(f"{X}{ADD}int main(void) {{ add(x, y, 40); return 3; }}\n")
    assert next(each for each in made.functions if each.name == "add").status == "ported"


HEADS = """#include <stdio.h>
void weigh(float *out, const float *v, int T, int C, int NH) {
    int hs = C / NH;
    for (int t = 0; t < T; t++)
        for (int h = 0; h < NH; h++)
            for (int i = 0; i < hs; i++) {
                float s = 0;
                for (int u = 0; u <= t; u++) s += v[u * C + h * hs + i];
                out[t * C + h * hs + i] = s;
            }
}
float out[100], v[100];
int main(void) { for (int i = 0; i < 100; i++) v[i] = i % 7; weigh(out, v, 5, CHANNELS, 2); printf("%g\\n", out[9]); }
"""


@pytest.mark.parametrize(("channels", "is_whole"), [(8, True), (7, False)])
def test_parts_fill_their_rows_where_the_program_lets_them(channels: int, is_whole: bool) -> None:
    done = ported(HEADS.replace("CHANNELS", str(channels)))
    assert ("__pencil_assume(C % NH == 0);" in done.after) == is_whole
    assert ("#pragma pencil independent\n" in done.after) != is_whole
