"""PC0208 and PC0209: wrong operators and inits are found with a counterexample, correct ones draw nothing."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.diagnostic import Diagnostic, SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file, read_source
from pencilc.poly import extract
from pencilc.poly.model.evaluate import GiveUp, Interpreter
from tests.conftest import ROOT

PRELUDE = r"""
#include <float.h>
#include <limits.h>
#include <math.h>
#include <pencil.h>
"""
SAMPLES = sorted((ROOT / "samples").glob("*.c"))


def told(source: str) -> tuple[Diagnostic, ...]:
    unit, _ = parse_file(SourceFile("test.c", PRELUDE + source), FrontendOptions())
    try:
        return tuple(d for region in unit.regions for d in extract(unit, region)[1])
    except SourceErrors as errors:
        return errors.diagnostics


def program(ctype: str, init: str, operator: str, element: str = "a[i]", data: str = "", before: str = "") -> str:
    """A reduction over `a` of `data` in `ctype`, with an init and an operator on `x` and `y`."""
    data = data or ctype
    return f"""
{before}
static void start({ctype} *p) {{ {init} }}
static {ctype} op({ctype} x, {ctype} y) {{ {operator} }}
{ctype} f(int n, {data} t, const {data} a[static const restrict n], const {data} b[static const restrict n]) {{
    {ctype} r;
    __pencil_reduction_var_init(&r, start);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&r, {element}, op);
    return r;
}}
"""


BEST = "typedef struct { float value; int index; } Best;"
MAKE_BEST = BEST + "static Best make(float v, int i) { Best b = {v, i}; return b; }"
FLAGGED = "typedef struct { float v; int valid; } F; static F make(float v, int k) { F f = {v, k}; return f; }"
RANGE = "typedef struct { float lo; float hi; } Range; static Range make(float v) { Range r = {v, v}; return r; }"
WIDEN = "Range r; r.lo = x.lo < y.lo ? x.lo : y.lo; r.hi = x.hi > y.hi ? x.hi : y.hi; return r;"
PAIR = "typedef struct { int a; int b; } Pair;"
MOMENTS = "typedef struct { float n; float mean; float m2; } M; static M make(float v) { M m = {1, v, 0}; return m; }"
WELFORD = """
    if (x.n == 0) return y;
    if (y.n == 0) return x;
    M r; r.n = x.n + y.n;
    float d = y.mean - x.mean;
    r.mean = x.mean + d * y.n / r.n;
    r.m2 = x.m2 + y.m2 + d * d * x.n * y.n / r.n;
    return r;"""
TOP = """
typedef struct { float v[10]; } Top;
static Top single(float x) { Top t; t.v[0] = x; for (int k = 1; k < 10; k++) t.v[k] = FLT_MAX; return t; }
"""
MERGE = """
    Top r; int i = 0; int j = 0;
    for (int k = 0; k < 10; k++)
        if (x.v[i] <= y.v[j]) { r.v[k] = x.v[i]; i++; } else { r.v[k] = y.v[j]; j++; }
    return r;"""
LOGS = "typedef struct { float m; float s; } L; static L make(float v) { L l = {v, 1}; return l; }"
LOG_SUM = "L r; r.m = fmaxf(x.m, y.m); r.s = x.s * expf(x.m - r.m) + y.s * expf(y.m - r.m); return r;"
GCD = "while (y != 0) { int r = x % y; x = y; y = r; } return x;"
COMPLEX = "typedef struct { float re; float im; } C;"
TIMES = "C r; r.re = x.re * y.re - x.im * y.im; r.im = x.re * y.im + x.im * y.re; return r;"

CORRECT = {
    "fminf": program("float", "*p = FLT_MAX;", "return fminf(x, y);"),
    "fmaxf": program("float", "*p = -FLT_MAX;", "return fmaxf(x, y);"),
    "fminf-infinity": program("float", "*p = INFINITY;", "return fminf(x, y);"),
    "fmaxf-infinity": program("float", "*p = -INFINITY;", "return fmaxf(x, y);"),
    "welford": program("M", "p->n = 0; p->mean = 0; p->m2 = 0;", WELFORD, "make(a[i])", "float", MOMENTS),
    "welford-mixed": program(
        "M", "p->n = 0; p->mean = 0; p->m2 = 0;", WELFORD, "make(a[i] * 1e6f + b[i])", "float", MOMENTS
    ),
    "welford-memory": program("M", "p->n = 0; p->mean = 0; p->m2 = 0;", WELFORD, before=MOMENTS),
    "log-sum-exp": program("L", "p->m = -FLT_MAX; p->s = 0;", LOG_SUM, "make(a[i])", "float", LOGS),
    "log-sum-exp-scalar": program(
        "float", "*p = -FLT_MAX;", "float m = fmaxf(x, y); return m + log1pf(expf(-fabsf(x - y)));"
    ),
    "log-sum-exp-infinity": program(
        "float",
        "*p = -INFINITY;",
        "float m = fmaxf(x, y); return m == -INFINITY ? m : m + logf(expf(x - m) + expf(y - m));",
    ),
    "sum-mixed": program("float", "*p = 0;", "float z = x; z += y; return z + 0.0f;", "a[i] * 1e8f + b[i]"),
    "sum-struct-mixed": program(
        "C",
        "p->re = 0; p->im = 0;",
        "C r = {x.re + y.re, x.im + y.im}; return r;",
        "make(a[i] * 1e8f, b[i] / 3)",
        "float",
        COMPLEX + "static C make(float r, float i) { C c = {r, i}; return c; }",
    ),
    "and": program("int", "*p = 1;", "return x && y;"),
    "and-condition": program("int", "*p = 1;", "return x && y;", "a[i] > t", "float"),
    "or": program("int", "*p = 0;", "return x || y;"),
    "bit-and": program("unsigned", "*p = ~0u;", "return x & y;"),
    "bit-or": program("unsigned", "*p = 0;", "return x | y;"),
    "bit-xor": program("unsigned char", "*p = 0;", "return x ^ y;"),
    "argmin": program(
        "Best",
        "p->value = FLT_MAX; p->index = INT_MAX;",
        "return x.value < y.value || (x.value == y.value && x.index < y.index) ? x : y;",
        "make(a[i], i)",
        "float",
        MAKE_BEST,
    ),
    "argmin-payload": program(
        "P",
        "p->v = FLT_MAX; p->i = INT_MAX; p->w = 0;",
        "return x.v < y.v || (x.v == y.v && x.i < y.i) ? x : y;",
        "make(a[i], i, b[i])",
        "float",
        "typedef struct { float v; int i; float w; } P;"
        "static P make(float v, int i, float w) { P p = {v, i, w}; return p; }",
    ),
    "complex": program("C", "p->re = 1; p->im = 0;", TIMES, before=COMPLEX),
    "range": program("Range", "p->lo = FLT_MAX; p->hi = -FLT_MAX;", WIDEN, "make(a[i])", "float", RANGE),
    "ten-smallest": program(
        "Top", "for (int k = 0; k < 10; k++) p->v[k] = FLT_MAX;", MERGE, "single(a[i])", "float", TOP
    ),
    "ten-smallest-memory": program("Top", "for (int k = 0; k < 10; k++) p->v[k] = FLT_MAX;", MERGE, before=TOP),
    "modular": program("int", "*p = 1;", "return x * y % 7;"),
    "modular-small": program("int", "*p = 1;", "return x * y % 3;"),
    "modular-sum": program("int", "*p = 0;", "return (x + y) % 3;"),
    "saturating": program("int", "*p = 0;", "return x + y > 4 ? 4 : x + y;"),
    "unsigned": program("unsigned", "*p = 0;", "return x + y;", "a[i] * 2654435761u"),
    "unsigned-general": program("unsigned", "*p = 7;", "return x + y - 7u;", "a[i] * 2654435761u"),
    "gcd": program("int", "*p = 0;", GCD),
    "hypot": program("float", "*p = 0;", "return sqrtf(x * x + y * y);"),
    "flagged": program(
        "F",
        "p->v = 0; p->valid = 0;",
        "if (!x.valid) return y; if (!y.valid) return x; F r = {x.v < y.v ? x.v : y.v, 1}; return r;",
        "make(a[i], 1)",
        "float",
        FLAGGED,
    ),
    "overflow": program("int", "*p = 5;", "return x + y + INT_MAX;"),
    "endless": program("int", "*p = 5;", "while (x < 1000000) x = x / 2; return x - y;"),
    "generic-max": program("int", "*p = INT_MIN;", "return max(x, y);"),
}

WRONG = {
    "init-5": (program("Pair", "p->a = 5; p->b = 5;", "Pair r; r.a = x.a + y.a; r.b = x.b * y.b; return r;",
                       before=PAIR), ["error PC0208"]),
    "minus": (program("float", "*p = 0;", "return x - y;"), ["error PC0208"]),
    "minus-int": (program("int", "*p = 0;", "return x - y;"), ["error PC0208"]),
    "mean": (program("float", "*p = 0;", "return (x + y) / 2;"), ["error PC0208"]),
    "min-0": (program("float", "*p = 0;", "return x < y ? x : y;"), ["warning PC0208"]),
    "min-0-of-none-positive": (program("float", "*p = 0;", "return x < y ? x : y;", "-(a[i] * a[i])"), []),
    "max-0-of-squares": (program("float", "*p = 0;", "return x > y ? x : y;", "a[i] * a[i]"), []),
    "max-0": (program("float", "*p = 0;", "return x > y ? x : y;"), ["warning PC0208"]),
    "sum-100": (program("int", "*p = 100;", "return x + y;"), ["warning PC0208"]),
    "product-0": (program("double", "*p = 0;", "return x * y;"), ["warning PC0208"]),
    "and-0": (program("int", "*p = 0;", "return x && y;"), ["warning PC0208"]),
    "range-0": (program("Range", "p->lo = 0; p->hi = 0;", WIDEN, "make(a[i])", "float", RANGE), ["error PC0208"]),
    "argmin-ties": (
        program("Best", "p->value = FLT_MAX; p->index = INT_MAX;", "return x.value < y.value ? x : y;",
                "make(a[i], i)", "float", MAKE_BEST), ["warning PC0209"]),
    "argmin-no-ties": (
        program("Best", "p->value = FLT_MAX; p->index = INT_MAX;", "return x.value < y.value ? x : y;",
                "make(i, i)", "float", MAKE_BEST), []),
    "squares-in-operator": (program("float", "*p = 0;", "return x + y * y;"), ["error PC0208"]),
    "matrix": (program("Pair", "p->a = 1; p->b = 0;", "Pair r = {x.a * y.a, x.a * y.b + x.b}; return r;",
                       before=PAIR), ["warning PC0209"]),
    "welford-init": (program("M", "p->n = 1; p->mean = 0; p->m2 = 0;", WELFORD, "make(a[i])", "float", MOMENTS),
                     ["error PC0208"]),
}  # fmt: skip


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_samples_draw_nothing(path: object) -> None:
    unit, _ = parse_file(read_source(str(path)), FrontendOptions())
    assert not [d for region in unit.regions for d in extract(unit, region)[1]]


@pytest.mark.parametrize("name", CORRECT)
def test_correct_programs_draw_nothing(name: str) -> None:
    assert not [(d.message, d.notes) for d in told(CORRECT[name])]


@pytest.mark.parametrize("name", WRONG)
def test_wrong_programs_are_found(name: str) -> None:
    source, expected = WRONG[name]
    found = told(source)
    assert sorted(f"{d.severity.value} {d.code}" for d in found) == expected, [(d.message, d.notes) for d in found]
    assert all(1 <= len(d.notes) <= 2 and d.remedies and d.label for d in found)


PLACES = {
    # Elements of one row are compared with each other only, and all of one row have different columns.
    "argmin-of-rows": """
typedef struct { float v; int i; float w; } P;
static P make(float v, int i, float w) { P p = {v, i, w}; return p; }
static void start(P *p) { p->v = FLT_MAX; p->i = INT_MAX; p->w = 0; }
static P op(P x, P y) { return x.v < y.v || (x.v == y.v && x.i < y.i) ? x : y; }
void f(int n, int m, const float a[static const restrict n][m], const float b[static const restrict n][m],
       P out[static const restrict n]) {
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&out[i], start);
        for (int j = 0; j < m; j++)
            __pencil_reduction(&out[i], make(a[i][j], j, b[i][j]), op);
    }
}""",
    "argmin-of-columns": """
typedef struct { float v; int i; float w; } P;
static P make(float v, int i, float w) { P p = {v, i, w}; return p; }
static void start(P *p) { p->v = FLT_MAX; p->i = INT_MAX; p->w = 0; }
static P op(P x, P y) { return x.v < y.v || (x.v == y.v && x.i < y.i) ? x : y; }
void f(int n, int m, const float a[static const restrict n][m], const float b[static const restrict n][m],
       P out[static const restrict m]) {
    for (int j = 0; j < m; j++)
        __pencil_reduction_var_init(&out[j], start);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            __pencil_reduction(&out[j], make(a[i][j], i, b[i][j]), op);
}""",
    "linear-index": """
typedef struct { int v; int i; int w; } P;
static P make(int v, int i, int w) { P p = {v, i, w}; return p; }
static void start(P *p) { p->v = INT_MIN; p->i = INT_MAX; p->w = 0; }
static P op(P x, P y) { return x.v > y.v || (x.v == y.v && x.i < y.i) ? x : y; }
P f(int n, int m, const int a[static const restrict n][m], const int b[static const restrict n][m]) {
    P r;
    __pencil_reduction_var_init(&r, start);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            __pencil_reduction(&r, make(a[i][j], i * m + j, b[i][j]), op);
    return r;
}""",
    "guarded-min": """
static void start(float *p) { *p = 0; }
static float op(float x, float y) { return x > y ? x : y; }
float f(int n, const float a[static const restrict n]) {
    float r;
    __pencil_reduction_var_init(&r, start);
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            __pencil_reduction(&r, a[i], op);
    return r;
}""",
    "distance-in-a-local": """
static void start(float *p) { *p = 0; }
static float op(float x, float y) { return x > y ? x : y; }
float f(int n, const float a[static const restrict n][3], const float b[static const restrict 3]) {
    float r;
    __pencil_reduction_var_init(&r, start);
    for (int i = 0; i < n; i++) {
        float d = 0;
        for (int k = 0; k < 3; k++)
            d += (a[i][k] - b[k]) * (a[i][k] - b[k]);
        __pencil_reduction(&r, d, op);
    }
    return r;
}""",
}


@pytest.mark.parametrize("name", PLACES)
def test_only_what_meets_is_compared(name: str) -> None:
    assert not [(d.message, d.notes) for d in told(PLACES[name])]


def test_the_guard_matters() -> None:
    assert [d.code for d in told(PLACES["guarded-min"].replace("a[i] > 0", "a[i] < 4"))] == ["PC0208"]
    assert [d.code for d in told(PLACES["distance-in-a-local"].replace("float d = 0", "float d = -90"))] == ["PC0208"]


def test_ties_in_a_row_are_found() -> None:
    for name in ("argmin-of-rows", "argmin-of-columns", "linear-index"):
        source = PLACES[name].replace(" || (x.v == y.v && x.i < y.i)", "")
        assert [d.code for d in told(source)] == ["PC0209"], name


def test_message_and_place() -> None:
    (found,) = told(WRONG["init-5"][0])
    assert found.notes == ("`op({a = 5, b = 5}, {a = 3, b = 2})` is {a = 8, b = 10}, not {a = 3, b = 2}",)
    assert found.label == "`start` writes {a = 5, b = 5}"
    line = (PRELUDE + WRONG["init-5"][0]).splitlines()[found.span.line - 1]
    assert line.strip() == "__pencil_reduction_var_init(&r, start);"


def test_each_pair_is_told_once() -> None:
    source = """
static void start(int *p) { *p = 9; }
static int op(int x, int y) { return x + y; }
void f(int n, const int a[static const restrict n], int out[static const restrict 8]) {
    __pencil_reduction_var_init(&out[0], start);
    __pencil_reduction_var_init(&out[1], start);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&out[0], a[i], op);
        __pencil_reduction(&out[1], a[i] * 2, op);
    }
}"""
    assert [d.code for d in told(source)] == ["PC0208"]


def evaluated(body: str) -> object:
    unit, _ = parse_file(SourceFile("t.c", PRELUDE + body + program("int", "*p = g();", "return x + y;")),
                         FrontendOptions())  # fmt: skip
    return Interpreter(unit, 500).call("g", (), unit.functions[0].returns)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("return -7 / 2;", -3),
        ("return -7 % 3;", -1),
        ("unsigned u = 3; u = u - 4u; return u > 4000000000u;", 1),
        ("unsigned char c = 250; c += 10; return c;", 4),
        ("signed char c = 100; c += 100; return c;", -56),
        ("int s = 0; for (int i = 10; i > 0; i -= 3) { if (i == 4) continue; s += i; } return s;", 18),
        ("int s = 0; while (1) { s++; if (s == 5) break; } return s;", 5),
        ("int s = 0; do s += 2; while (s < 3); return s;", 4),
        ("float f = 16777216.0f; f = f + 1.0f; return f == 16777216.0f;", 1),
        ("double d = 0.1f; return d == 0.1;", 0),
        ("int a[2][2] = {{1, 2}, {3, 4}}; a[1][0] = 9; return a[1][0] * 10 + a[0][1];", 92),
        ("return 1 << 4 | 1 >> 1 | (~0 & 2);", 18),
        ("return 0 && 1 / 0 || !0;", 1),
        ("return clamp(9, 0, 5) + max(1, 2) + (int)floorf(-1.5f) + imax(-3, 3);", 8),
        ("return (int)2.9f + (_Bool)0.5f;", 3),
    ],
)
def test_values_are_those_of_c(body: str, value: int) -> None:
    assert evaluated(f"static int g(void) {{ {body} }}") == value


@pytest.mark.parametrize(
    "body",
    [
        "return 2147483647 + g0();",
        "int z = 0; return 1 / z;",
        "int z = 0; return 1 % z;",
        "int z; return z + 0;",
        "int a[2] = {1, 2}; int i = 2; return a[i];",
        "int i = 32; return 1 << i;",
        "while (1) { } return 0;",
        "float f = 3e38f; f = f * 10.0f; return f > 0;",
        "return sqrtf(-1.0f) > 0;",
        "float f = 3e9f; return (int)f;",
        "return INFINITY > 0;",
    ],
)
def test_gives_up(body: str) -> None:
    with pytest.raises(GiveUp):
        evaluated(f"static int g0(void) {{ return 1; }}\nstatic int g(void) {{ {body} }}")
