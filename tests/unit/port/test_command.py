"""`pencilc port` from the file to the patch: what is told, written and checked."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile, Span
from pencilc.driver import compile_source, frontend_options
from pencilc.options import CompileOptions
from pencilc.port.command import port
from pencilc.port.find import definition, text_of
from pencilc.port.outline import with_functions_for_loops
from pencilc.port.records import Ported, PortedFunction, Step
from pencilc.port.reduced import reduced_updates
from pencilc.port.report import report_json, report_text
from pencilc.port.searches import with_one_return
from pencilc.port.text import Parsed
from tests.conftest import PENCILC, run

SUM = """\
float total(const float *x, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x[i]; /* kept */
    return s;
}
"""
PORTED = """\
/* Promised to pencilc: s may be added up in any order. */
float total_sized(int n, const float x[static const restrict n])
{
    float s = 0;
#pragma pencil reduction(+: s)
    for (int i = 0; i < n; i++)
        s += x[i]; /* kept */
    return s;
}

float total(const float *x, int n)
{
    return total_sized(n, x);
}
"""


def ported(text: str, options: CompileOptions | None = None) -> str:
    """The text after porting."""
    return port(SourceFile("t.c", text), options or CompileOptions()).after


@pytest.mark.parametrize("loop", ["for (int b = 0; b < m; b++)", "for (int b = 0; b < 1; b++)"])
def test_sums_over_what_iterations_hand_on_get_no_clause(loop: str) -> None:
    """The sum is one thread's, with or without a clause, which would say that no iteration needs another one."""
    after = ported(
        "static unsigned next(unsigned *s) { *s = *s * 1664525u + 1013904223u; return *s >> 8; }\n"
        "void means(int n, int m, const double *x, double *out)\n{\n"
        f"    {loop} {{\n        unsigned state = 17u + b;\n        double s = 0;\n"
        "        for (int i = 0; i < n; i++)\n            s += x[next(&state) % n];\n"
        "        out[b] = s / n;\n    }\n}\n"
    )
    assert "#pragma scop" in after and "reduction(" not in after


@pytest.mark.parametrize(
    ("beside", "is_marked"),
    [
        ("out[k[i]].count++;", True),
        ("out[k[i]].last = i;", False),
        ("if (!out[k[i]].seen) { out[k[i]].seen = 1; out[k[i]].last = i; }", False),
        ("y[i] = out[k[i]].scale;", True),
    ],
)
def test_a_member_that_iterations_hand_on_keeps_the_clause_away(beside: str, is_marked: bool) -> None:
    """`independent` would say of all members that no other iteration has them."""
    after = ported(
        "typedef struct { double sum, scale; int count, last, seen; } Group;\n"
        "void group(int n, int groups, const int *k, const float *x, double *y, Group *out)\n{\n"
        f"    for (int i = 0; i < n; i++) {{\n        out[k[i]].sum += x[i];\n        {beside}\n    }}\n}}\n"
    )
    assert ("#pragma pencil reduction(+: out)" in after) == is_marked


def test_what_follows_an_early_return_may_be_any_statement() -> None:
    """The region ends behind `*y = c;`, which begins with no word of its own."""
    after = ported(
        "int f(const int *x, int n, int *y)\n{\n    int c = 0;\n    for (int i = 0; i < n; i++) c += x[i];\n"
        "    if (c == 0) return -1;\n    *y = c;\n    return c;\n}\n"
    )
    assert "#pragma scop" in after and "y[0] = c;" in after


def test_a_search_in_front_of_what_is_written_has_no_help_that_would_write_it() -> None:
    text = (
        "int f(float *x, int n)\n{\n    for (int i = 0; i < n; i++)\n        if (x[i] < 0)\n            return 0;\n"
        "    for (int i = 0; i < n; i++)\n        x[i] /= 2;\n    return 1;\n}\n"
    )
    (function,) = port(SourceFile("t.c", text), CompileOptions()).functions
    assert function.helps == ("keep the result in a variable and return it at the end",)
    (function,) = port(
        SourceFile("t.c", text.replace("for (int i = 0; i < n; i++)\n        x[i] /= 2;", "")), CompileOptions()
    ).functions
    assert function.status == "ported"


def test_a_sum() -> None:
    found = port(SourceFile("t.c", SUM), CompileOptions())
    assert found.after == PORTED
    assert report_text(found) == (
        "t.c:1: `total` is ported\n"
        "  t.c:1: `x` does not say how large it is: `total_sized` has its size in front of it, `total` calls it\n"
        "  t.c:5: another order of `s` changes its rounding: `reduction(+: s)`\n"
        "  promised: `s` may be added up in any order\n"
        "checked: `total`: 14 calls leave the same bytes behind\n"
    )
    again = port(SourceFile("t.c", found.after), CompileOptions())
    assert again.after == found.after and not again.checked
    assert report_text(again) == "t.c:2: `total_sized` is ready as it stands\nnothing changes\n"


def test_with_the_flag_no_clause_is_needed() -> None:
    after = ported(SUM, CompileOptions(associative_math=True))
    assert "reduction(" not in after and "Promised" not in after and "#pragma scop" in after


def test_a_function_that_cannot_be_ported_keeps_its_text_and_the_others_are_ported() -> None:
    walk = (
        "float walk(const float *p, int n)\n{\n    float s = 0;\n"
        "    for (; *p > 0; p++)\n        s += *p;\n    return s;\n}\n"
    )
    found = port(SourceFile("t.c", walk + SUM), CompileOptions())
    assert found.after == walk + "\n" + PORTED
    left = found.functions[0]
    assert (left.status, left.span.line) == ("left", 4)
    assert left.reason.startswith("`p` walks until the data say so: ")
    assert found.is_incomplete


def test_a_body_that_is_no_c99_is_told() -> None:
    text = 'void f(int n) { for (int i = 0; i < n; i++) { __asm__ volatile("nop" : : "r"(i)); } }\n'
    found = port(SourceFile("t.c", text), CompileOptions())
    assert [(each.name, each.status) for each in found.functions] == [("f", "left")]
    assert found.functions[0].reason.startswith("its body is no C99: ")


def test_nothing_is_promised_of_a_loop_that_carries_more_than_a_sum() -> None:
    """The pragma says that the order of the sum does not matter, and not that iterations carry nothing else."""
    text = """\
float risky(int n, int m, const float *a, float *b)
{
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i];
        for (int j = 0; j < m; j++)
            b[j] = b[j] * 0.5f + i;
    }
    return s;
}
"""
    found = port(SourceFile("t.c", text), CompileOptions())
    assert "#pragma pencil reduction(+: s)" in found.after and "independent" not in found.after
    (kernels,) = (compile_source(SourceFile("t.c", found.after), CompileOptions(), "mapping").programs[0].kernels(),)
    assert [kernel.shape.value for kernel in kernels if kernel.is_parallel] == ["all", "parallel"]


@pytest.mark.parametrize(
    ("declared", "body", "remedy"),
    [
        ("union u { float f; unsigned u; };", "union u v; v.f = a[i]; a[i] = v.u;", "use a struct, or a variable"),
        ("unsigned g(unsigned n) { return n ? g(n - 1) : 0; }", "a[i] = g(i);", "write it as a loop"),
        ("", "long double s = a[i]; a[i] = s;", "use `double`"),
        ("#include <complex.h>", "double complex s = a[i]; a[i] = creal(s);", "use two numbers, or a struct of two"),
    ],
)
def test_what_can_be_written_instead_is_told(declared: str, body: str, remedy: str) -> None:
    text = f"{declared}\nvoid f(int n, float *a) {{ for (int i = 0; i < n; i++) {{ {body} }} }}\n"
    found = port(SourceFile("t.c", text), CompileOptions())
    assert found.functions[-1].status == "left"
    assert f"  help: {remedy}" in report_text(found)


def test_an_old_head_says_the_types_of_its_parameters() -> None:
    text = """\
float dot(a, b, n)
    float *a, *b; /* two vectors */
    int n;
{
    register int i;
    float s = 0.0;
    for (i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
"""
    found = port(SourceFile("t.c", text), CompileOptions())
    assert found.functions[0].status == "ported" and found.checked
    assert "\nfloat dot(float *a, float *b, int n)\n{\n    return dot_sized(n, a, b);\n}\n" in found.after
    assert port(SourceFile("t.c", found.after), CompileOptions()).after == found.after


def test_an_old_head_whose_callers_hand_over_wider_numbers_is_told() -> None:
    text = "void f(a, x, n) float *a, x; { for (int i = 0; i < n; i++) a[i] *= x; }\n"
    function = port(SourceFile("t.c", text), CompileOptions()).functions[0]
    assert function.reason == "it is defined in the old style, and callers may hand over `x` as a wider number"
    assert function.helps == ("write `void f(float *a, float x, int n)`, and declare it so where it is called",)


def test_a_function_that_calls_itself_stays() -> None:
    text = "void f(int *a, int n) { for (int i = 0; i < n; i++) a[i]++; if (n > 1) f(a, n - 1); }\n"
    assert port(SourceFile("t.c", text), CompileOptions()).functions[0].reason == "it calls itself"


def test_what_the_program_itself_does_wrong_with_a_size_of_0_is_promised_away() -> None:
    text = """\
void bins(const float *x, int n, int *h, int count)
{
    for (int i = 0; i < n; i++) {
        int b = (int)x[i];
        if (b < 0) b = 0;
        if (b >= count) b = count - 1;
        h[b]++;
    }
}
"""
    found = port(SourceFile("t.c", text), CompileOptions())
    assert found.functions[0].status == "ported"
    assert "1 <= count" in found.functions[0].promises
    assert "#ifdef __PENCILC__\n    __pencil_assume(1 <= count);\n#endif\n" in found.after


def test_helpers_with_arrays_are_called_with_their_sizes() -> None:
    text = """\
static float row(const float *x, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}

void rows(const float *x, int n, float *y)
{
    for (int k = 0; k < 3; k++)
        y[k] = k * row(x, n);
}
"""
    after = ported(text)
    assert "static float row_sized(int n, const float x[static const restrict n])" in after
    assert "y[k] = k * row_sized(n, x);" in after
    assert "static float row(" not in after  # nobody calls it any more


ADDRESSES = """#include <stdint.h>
struct track { float sum; int count; };
static uint32_t next_random(uint32_t *state) { *state ^= *state << 13; *state ^= *state >> 17; return *state; }
static float uniform(uint32_t *state) { return next_random(state) / 4294967296.0f; }
static void add(struct track *t, const float *w, int k) { float x = t->sum * w[k]; t->sum += x; t->count++; }
void f(int n, int m, const float *w, float *out)
{
    for (int i = 0; i < n; i++) {
        uint32_t seed = i + 1u;
        struct track t = {uniform(&seed), 0};
        for (int j = 0; j < m; j++)
            add(&t, w, j);
        out[i] = t.sum / t.count;
    }
}
"""


def test_what_a_helper_is_given_the_address_of_is_no_array() -> None:
    """`state` of a generator and `t` stay pointers, one helper hands the address on; `w` beside them is an array."""
    found = port(SourceFile("t.c", ADDRESSES), CompileOptions())
    assert found.functions[-1].status == "ported"
    assert "next_random(uint32_t *state)" in found.after and "uniform(&seed)" in found.after
    assert "add_sized(int k, struct track *t, const float w[static const restrict k + 1])" in found.after
    assert "add_sized(j, &t, w);" in found.after


ALONE = """#include <stdlib.h>
float *last;
static void add(int n, float f, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] += f * x[i]; }
static float at(const float *x, const int *q, int c) { int k = q[c]; return x[k]; }
void edges(int h, int w, const float *x, const int *q, float *y)
{
    for (int r = 0; r < h; r++)
        for (int c = 1; c < w; c++)
            y[r * w + c] = at(x, q, c) - at(x, q, c - 1);
}
void step(int n, float *x)
{
    float *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++)
        y[i] = i;
    add(n, 2, y, x);
    last = y;
}
"""


def test_helpers_whose_callers_stay_are_kernels_of_their_own() -> None:
    found = port(SourceFile("t.c", ALONE), CompileOptions())
    assert [(each.name, each.status) for each in found.functions] == [
        ("add", "ported"), ("edges", "left"), ("step", "left"),
    ]  # fmt: skip
    assert "static void add(int n, float f, const float x[static const restrict n]," in found.after
    assert [(each.span.line, each.reason, each.helps) for each in found.functions[1:]] == [
        (9, "`x` is handed to `at`, which does not say how large it is",
         ("write it there, in parameters in front of it: `x[static const restrict n]`",)),
        (13, "memory is allocated here; hand the array over as a parameter", ()),
    ]  # fmt: skip


@pytest.mark.parametrize("words", [[], ["--diff"], ["--apply"]])
def test_command_line(tmp_path: Path, words: list[str]) -> None:
    """Without an option it tells; `--diff` prints what `patch` takes; `--apply` changes the file, line ends kept."""
    file = tmp_path / "sum.c"
    file.write_bytes(SUM.replace("\n", "\r\n").encode())
    file.chmod(0o640)
    done = subprocess.run([*PENCILC, "port", *words, "sum.c"], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0
    follows = {"--apply": b"`pencilc verify sum.c`", "--diff": b"`git apply` or `patch -p1` takes the patch, "}
    assert b"next: " + follows.get("".join(words), b"`pencilc port --apply sum.c` makes the change, ") in done.stderr
    if words == ["--diff"]:
        assert b"is ported" in done.stderr and done.stdout.startswith(b"--- a/sum.c\n+++ b/sum.c\n@@ ")
        (tmp_path / "sum.patch").write_bytes(done.stdout)
        subprocess.run(["patch", "-p1", "--binary", "-i", "sum.patch"], cwd=tmp_path, check=True, capture_output=True)
    assert words == ["--diff"] or file.stat().st_mode & 0o777 == 0o640
    changed = file.read_bytes().decode()
    assert changed == (PORTED if words else SUM).replace("\n", "\r\n")


def test_the_report_for_programs() -> None:
    """All that people are told is there, with null for what there is not."""
    step, span = Step(4, "`*out` is no array element", "`out[0]`"), Span("sum.c", 1, 7, 12)
    functions = (
        PortedFunction("total", span, "ported", "", "total_sized", (step,), ("`s` may be added up in any order",)),
        PortedFunction("walk", replace(span, line=9), "left", "`p` walks", helps=("use `[]`",)),
    )
    document = json.loads(report_json(Ported("sum.c", SUM, PORTED, functions, ("`total`: 3 calls",)), "--- a/sum.c\n"))
    assert document.pop("pencilc") and document.pop("functions") == [
        {
            "name": "total", "file": "sum.c", "line": 1, "status": "ported", "reason": None, "new_name": "total_sized",
            "steps": [{"line": 4, "obstacle": "`*out` is no array element", "change": "`out[0]`"}],
            "promises": ["`s` may be added up in any order"], "remarks": [], "helps": [],
        },
        {
            "name": "walk", "file": "sum.c", "line": 9, "status": "left", "reason": "`p` walks", "new_name": None,
            "steps": [], "promises": [], "remarks": [], "helps": ["use `[]`"],
        },
    ]  # fmt: skip
    assert document == {
        "file": "sum.c", "complete": False, "checked": ["`total`: 3 calls"], "patch": "--- a/sum.c\n"
    }  # fmt: skip


def test_usage(tmp_path: Path) -> None:
    done = run(*PENCILC, "port", "--apply", "-", cwd=tmp_path)
    assert done.returncode == 2 and "--apply needs a file" in done.stderr
    (tmp_path / "none.c").write_text("int x;\n")
    done = run(*PENCILC, "port", "none.c", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "none.c: no function holds a loop\nnothing changes\n")
    done = run(*PENCILC, "port", "--json", "none.c", cwd=tmp_path)
    assert done.returncode == 0 and json.loads(done.stdout)["patch"] is None and not done.stderr
    done = run(*PENCILC, "port", "--json", "--diff", "none.c", cwd=tmp_path)
    assert done.returncode == 2 and "--json holds the patch" in done.stderr
    done = run(*PENCILC, "port", "--function=nosuch", "none.c", cwd=tmp_path)
    assert done.returncode == 2 and "`nosuch`" in done.stderr


@pytest.mark.parametrize(
    ("loop", "is_written"),
    [
        ("for (int i = 0; i < n; i++) if (a[i] == 2) { s = i; break; }", True),
        ("for (int i = 0; i < n; i++) { if (a[i] == s) { s = i; break; } }", True),
        ("for (int i = 0; i < n; i++) if (a[i] == 2) { s = i; n = 9; break; }", False),  # it would go on to another end
        ("int i; for (i = 0; i < n; i++) if (a[i] == 2) { s = i; break; }", False),  # `i` may be asked for behind it
        ("for (int i = 0; i < n; i++) { s += 1; if (a[i] == 2) { s = i; break; } }", False),
        ("for (int i = 0; i < n; i++) if (a[i] == 2) { a[i] = 0; break; }", False),
        ("for (int i = 0; i < n; i++) if (a[i] == 2) { s = i; break; } else s = 0;", False),
        ("for (int i = 0; i < n; i++) if (a[i] == 2) {}", False),
        ("while (n--) if (a[n] == 2) { s = n; break; }", False),
    ],
)
def test_a_break_is_taken_where_its_loop_does_nothing_else(loop: str, is_written: bool) -> None:
    text = f"int f(int *a, int n)\n{{\n    int s = 4;\n    {loop}\n    return s;\n}}\n"
    parsed = Parsed(SourceFile("t.c", text), frontend_options(CompileOptions()))
    written = [edit.new for each in reduced_updates(parsed, "f") for edit in each.edits]
    assert any("!found && (" in each for each in written) is is_written


@pytest.mark.parametrize(
    ("start", "update", "written"),
    [
        pytest.param(
            "struct v s = {0, 0};",
            "s = plus(s, of(a[i]));",
            "__pencil_reduction(&s, of(a[i]), plus);",
            marks=pytest.mark.full,
        ),
        # Flags are found where they stand.
        pytest.param(
            "struct v s = {0, 1};", "if (a[i] == 2)\n            s.y = 3;", "#pragma scop", marks=pytest.mark.full
        ),
        ("int s = 1;", "s = s && a[i] > 0;", "s = s && a[i] > 0;\n#pragma endscop"),
        pytest.param(
            "int s = 4;", "if (a[i] == 2)\n            s = 3;", "s = 3;\n#pragma endscop", marks=pytest.mark.full
        ),
        (
            "int s = 4;",
            "if (a[i] == 2) {\n            s = 3;\n            break;\n        }",
            "__pencil_reduction(&any, 1, either);",
        ),
        (
            "int s = -1;",
            "if (a[i] == 2) {\n            s = i;\n            break;\n        }",
            "if (!found && (a[i] == 2)) {\n            found = 1;\n            s = i;\n        }\n#pragma endscop",
        ),
        pytest.param(
            "int s = -1; float t = 0;",
            "if (a[i] > 1 && i > 0) { t = a[i] * 2; s = i - 1; break; }",
            "            t = a[i] * 2;\n            s = i - 1;\n        }\n#pragma endscop",
            marks=pytest.mark.full,
        ),
        pytest.param(
            "int s = 4;", "s = odd(s, (int)a[i]);", "", marks=pytest.mark.full
        ),  # its loop hides whether it is associative
        pytest.param("int s = 4;", "s = s && a[i] > 0;", "", marks=pytest.mark.full),  # with n = 0 it stays 4
        pytest.param(
            "int s = 4; float t = 1;", "if (t < a[i] * 0.1) { s = i; t = a[i] * 0.1; }", "", marks=pytest.mark.full
        ),  # compared in double, kept in float
    ],
)
def test_what_no_clause_says_is_written_as_builtins(start: str, update: str, written: str) -> None:
    """Only what the program means in its own order too; the rest stays as it is."""
    text = f"""\
#include <stdio.h>
struct v {{ float x, y; }};
static struct v of(float x) {{ struct v r; r.x = x; r.y = 1; return r; }}
static struct v plus(struct v a, struct v b) {{ a.x += b.x; a.y += b.y; return a; }}
static int odd(int a, int b) {{ while (b > 0) {{ a = a / 2 + b; b -= 7; }} return a; }}

float f(const float *a, int n)
{{
    {start}
    for (int i = 0; i < n; i++)
        {update}
    return {"s.x" if "struct" in start else "s"};
}}
"""
    found = port(SourceFile("t.c", text), CompileOptions())
    (function,) = [each for each in found.functions if each.name == "f"]
    assert function.status == "ported"
    assert ("one GPU thread" not in "".join(function.remarks)) == bool(written)
    assert (written or "#pragma scop") in found.after
    is_builtin = written.startswith("__pencil")
    assert ("#include <pencil.h>\n#include <stdio.h>\n" in found.after) == is_builtin


@pytest.mark.parametrize(
    ("update", "told"),
    [
        ("s[c[i]].y += a[i];", "`s[c[i]].y`"),
        ("s[i % 3].x -= a[i] * c[i];", "`s[i % 3].x`"),
        ("if (a[i] > s[0].x) s[0].x = a[i]; s[0].y += a[i] * c[i];", "`s[0].y`"),
    ],
)
def test_members_and_elements_that_data_choose_are_sums_too(update: str, told: str) -> None:
    text = f"""\
struct v {{ float x, y; }};
void f(const float *a, const int *c, int n, struct v *s)
{{
    for (int i = 0; i < n; i++) {{
        {update}
    }}
}}
"""
    found = port(SourceFile("t.c", text), CompileOptions())
    (function,) = found.functions
    assert function.status == "ported" and not function.remarks
    assert "#pragma pencil reduction(+: s)\n    for" in found.after
    assert f"{told} may be added up in any order" in function.promises


def test_the_greatest_with_its_place_needs_no_builtin() -> None:
    """It is a reduction as it stands."""
    text = """\
int f(const float *a, int n)
{
    int s = 4;
    float t = 1;
    for (int i = 0; i < n; i++)
        if (t < a[i]) {
            s = i + 1;
            t = a[i];
        }
    return s;
}
"""
    found = port(SourceFile("t.c", text), CompileOptions())
    (function,) = found.functions
    assert function.status == "ported" and "one GPU thread" not in "".join(function.remarks)
    assert "#pragma scop" in found.after and "__pencil_reduction" not in found.after


@pytest.mark.full
def test_questions_stay_with_the_old_head() -> None:
    """Behind declarations too, and where somebody is told; `sizeof` of a local array is how many elements it has."""
    text = """\
#include <assert.h>
#include <stdio.h>
#include <string.h>
int f(const unsigned char *a, int n, int *out)
{
    int count[256];
    assert(out != NULL);
    if (!a || n < 1) {
        fprintf(stderr, "nothing\\n");
        return -1;
    }
    memset(count, 0, sizeof(count));
    for (int i = 0; i < n; i++)
        count[a[i]]++;
    for (int k = 0; k < 256; k++)
        out[k] = count[k];
    return 0;
}
"""
    after = ported(text)
    new, _, wrapper = after.partition("int f(const unsigned char *a, int n, int *out)\n")
    assert "assert(" not in new and "fprintf" not in new and "k_1 < 256; k_1++)\n        count[k_1] = 0;" in new
    places = [wrapper.index(each) for each in ("assert(out != NULL);", "if (!a || n < 1) {", "return f_sized(")]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("loop", "behind", "written"),
    [
        (
            "if (a[i] < 0)\n            return 2;",
            "return 1 - n;",
            ("found = 1;", "return found ? (int)(2) : (int)(1 - n);"),
        ),
        ("if (a[i] < 0)\n            return i;", "return -1;", ("if (i < first) first = i;", "? first : -1;")),
        ("if (a[i] < 0)\n            return i + 1;", "return -1;", ()),  # neither a constant nor the counter
        ("if (a[i] < 0)\n            return 1;\n        a[i] = 0;", "return 0;", ()),  # what follows depends on it
        ("if ((a[i] -= 1) < 0)\n            return 1;", "return 0;", ()),
    ],
)
def test_a_search_returns_behind_its_loop(loop: str, behind: str, written: tuple[str, ...]) -> None:
    text = f"int f(float *a, int n)\n{{\n    for (int i = 0; i < n; i++) {{\n        {loop}\n    }}\n    {behind}\n}}\n"
    parsed = Parsed(SourceFile("t.c", text), frontend_options(CompileOptions()))
    changes = with_one_return(parsed, text_of(parsed, definition(parsed, "f")))
    after = parsed.with_edits(changes.edits).text
    assert all(each in after for each in written)
    assert (after == text) == (not written) and len(changes.promises) == bool(written)


PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
#define N 40
static double grid[N][N];

/* The program. */
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, i, j;
    float *x = malloc(n * sizeof *x);
    for (i = 0; i < n; i++)
        x[i] = i * 0.5f;
    for (int t = 0; t < 3; t++) {
        double s = 0;
        for (i = 0; i < N; i++)
            for (j = 0; j < N; j++) {
                grid[i][j] += i + j;
                s += grid[i][j];
            }
        printf("%g\\n", s);
    }
    float least = x[0], most = x[0];
    for (i = 1; i < n; i++) {
        if (x[i] < least) least = x[i];
        if (x[i] > most) most = x[i];
    }
    printf("%g %g %d\\n", least, most, i);
    for (i = 0; i < 3; i++)
        printf("%g\\n", x[i]);
    free(x);
    return 0;
}
"""


def test_loops_of_the_program_become_functions() -> None:
    found = port(SourceFile("t.c", PROGRAM), CompileOptions())
    assert [(each.name, each.span.line, each.status) for each in found.functions] == [
        ("main_loop1", 11, "ported"), ("main_loop2", 15, "ported"), ("main_loop3", 23, "ported"), ("main", 7, "ported"),
    ]  # fmt: skip
    assert found.functions[-1].remarks == (
        "the loop at line 13 stays: `printf` is called in it", "the loop at line 28 stays: `printf` is called in it",
        "a loop calls `main_loop2`, which copies arrays each time: `main_loop2_device` takes those of the GPU",
    )  # fmt: skip
    assert found.checked[-1] == "the whole program prints the same"
    assert not any(remark for each in found.functions[:-1] for remark in each.remarks)
    for text in (
        "static void main_loop1(int n, float x[static const restrict n])\n{\n    int i;\n#pragma scop\n",
        "/* The program. */\nint main(",
        "    main_loop1(n, x);\n",
        "        s = main_loop2(s);\n",
        "    main_loop3(n, x, &i, &least, &most);\n",
        "grid[static const restrict N][N]",
    ):
        assert text in found.after


def outlined(body: str) -> str:
    """The text of a program with this body where its loops are functions."""
    text = f"#include <stdio.h>\nint main(void)\n{{\n    int i, k = 2, a[9] = {{1}};\n{body}\n    return a[0];\n}}\n"
    return with_functions_for_loops(Parsed(SourceFile("t.c", text), frontend_options(CompileOptions())), {}).parsed.text


@pytest.mark.parametrize(
    ("body", "head", "call"),
    [
        ("for (i = 0; i < 9; i++) a[i] = k;", "void main_loop1(int k, int a[9])", "main_loop1(k, a);"),
        ("for (i = 0; i < 9; i++) a[i] = i; k = i;", "int main_loop1(int a[9])", "i = main_loop1(a);"),
        ("for (i = 0; i < 9; i++) k += a[i]; a[0] = k;", "int main_loop1(int k, int a[9])", "k = main_loop1(k, a);"),
        (
            "for (int t = 0; t < 3; t++) { for (i = 0; i < 9; i++) k += a[i]; puts(\"\"); }",
            "int main_loop1(int k, int a[9])", "k = main_loop1(k, a);",
        ),
        ("k = 0; for (i = 0; i < 9; i++) if (a[i]) k = i; a[0] = k;", "int main_loop1(int k, int a[9])",
         "k = main_loop1(k, a);"),
        ("for (i = k; i < 9; i++) a[i] = 1; { int m = 3; for (i = 0; i < m; i++) a[i] = m; }",
         "void main_loop1(int k, int a[9])", "main_loop1(k, a);"),
        ("for (i = 0; i < 9; i++) a[i] = i; for (i = 0; i < 9; i++) puts(\"\"); k = i;", "void main_loop1(int a[9])",
         "main_loop1(a);"),
        (
            "while (k < 3) { for (i = 0; i < 9; i++) a[i] = k; if (a[0]) break; puts(\"\"); i = 0; } k = i;",
            "int main_loop1(int k, int a[9])", "i = main_loop1(k, a);",
        ),
        ("while (k < 9) a[k++] = 0;", "void main_loop1(int k, int a[9])", "main_loop1(k, a);"),
    ],
)  # fmt: skip
def test_what_a_loop_of_the_program_is_handed(body: str, head: str, call: str) -> None:
    after = outlined(body)
    assert f"static {head}\n" in after and call in after


@pytest.mark.parametrize(
    "body",
    [
        "for (i = 0; i < 9; i++) if (a[i]) return 1;",
        'for (i = 0; i < 9; i++) printf("%d", a[i]);',
        "int *p = a; for (; p < a + 9; p++) *p = 1;",
        "int **q = 0; for (i = 0; i < k - 2; i++) q[i][0] = 1;",
        "for (i = 0; i < 9; i++) { int *r = &k; *r += a[i]; }",
    ],
)
def test_loops_that_stay_in_the_program(body: str) -> None:
    assert "main_loop1" not in outlined(body)


def test_a_loop_of_the_program_that_one_thread_would_run_stays() -> None:
    text = (
        "int printf(const char *, ...);\n"
        "int main(void)\n{\n    unsigned h = 5381;\n    for (int i = 0; i < 9; i++)\n        h = h * 33 ^ i;\n"
        '    printf("%u", h);\n    return 0;\n}\n'
    )
    found = port(SourceFile("t.c", text), CompileOptions())
    assert found.after == text
    assert found.functions[-1].reason.endswith("the loop at line 5 stays: nothing in it can run at once")
