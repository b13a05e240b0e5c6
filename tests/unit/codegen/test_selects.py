"""What decides between two values is evaluated whole, in whatever way it is written, where that cannot fail."""

from __future__ import annotations

import pytest

from pencilc.codegen.definitions import functions
from pencilc.codegen.render import FunctionScope
from pencilc.ir.definitions import DeviceFunction
from tests.unit.codegen.programs import program_of, unit

HEAD = """#include <math.h>
#include <pencil.h>
#include <stdbool.h>
typedef struct { float v; int at; } G;
typedef struct { int first[2]; bool any; } H;
static int next(int *p) { *p += 2; return *p > 3; }
static int other(int x) { return x / 3; }
"""
REGION = """
static G run(G a, G b, int n, unsigned u, float x, bool any, H h) {{ {call} }}
void f(int n, const float x[static const restrict n], float y[static const restrict n]) {{
#pragma scop
    for (int i = 0; i < n; i++) {{
        G a = {{ x[i], i }}, b = {{ x[n - 1 - i], n - 1 - i }};
        H h = {{ {{ i, 1 }}, i == 3 }};
        y[i] = run(a, b, i, i, x[i], i == 3, h).v;
    }}
#pragma endscop
}}
"""
PARAMETERS = "G a, G b, int n, unsigned u, float x, bool any, H h"


def lines(function: str, call: str) -> str:
    """The lines of a function `w` that is called as `call`."""
    text = f"{HEAD}{function}\n{REGION.format(call=call)}"
    found = {each.name: each for each in functions(unit(text), (program_of(text),))}
    made = found["w"]
    assert isinstance(made, DeviceFunction)
    return "\n".join(FunctionScope().definition(made))


def of_values(body: str) -> str:
    """The lines of an operator on structs, with other values beside."""
    return lines(f"static G w({PARAMETERS}) {{ {body} }}", "return w(a, b, n, u, x, any, h);")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            "return a.v > b.v || (a.v == b.v && a.at < b.at) ? a : b;",
            "return (a.v > b.v) | ((a.v == b.v) & (a.at < b.at)) ? a : b;",
        ),
        (
            "if (a.v > b.v || (a.v == b.v && a.at < b.at)) return a; return b;",
            "if ((a.v > b.v) | ((a.v == b.v) & (a.at < b.at))) {",
        ),
        (
            "if (a.v > b.v) return a; if (b.v > a.v) return b; return a.at < b.at ? a : b;",
            "return (a.v > b.v) | (!(b.v > a.v) & (a.at < b.at)) ? a : b;",
        ),
        (
            "if (a.v > b.v) { return a; } else if (b.v > a.v) { return b; } else { return a.at < b.at ? a : b; }",
            "return (a.v > b.v) | (!(b.v > a.v) & (a.at < b.at)) ? a : b;",
        ),
        (
            "return a.v > b.v ? a : a.v < b.v ? b : a.at < b.at ? a : b;",
            "return (a.v > b.v) | (!(a.v < b.v) & (a.at < b.at)) ? a : b;",
        ),
        (
            "if (a.v != b.v) return a.v > b.v ? a : b; return a.at < b.at ? a : b;",
            "return ((a.v != b.v) & (a.v > b.v)) | (!(a.v != b.v) & (a.at < b.at)) ? a : b;",
        ),
        ("if (a.v > b.v) return b; else return a.at < b.at ? b : a;", "return (a.v > b.v) | (a.at < b.at) ? b : a;"),
        ("if (a.v > b.v) if (a.at < b.at) return a; return b;", "return (a.v > b.v) & (a.at < b.at) ? a : b;"),
        (
            "if (a.v <= b.v) return a.at < b.at ? a : b; return a;",
            "return !(a.v <= b.v) | (a.at < b.at) ? a : b;",
        ),
        (
            "if (b.v > a.v) a = b; else if (b.v == a.v && b.at < a.at) a = b; return a;",
            "if ((b.v > a.v) | ((b.v == a.v) & (b.at < a.at))) {",
        ),
        ("if (b.v > a.v) { if (b.at < a.at) a = b; } return a;", "if ((b.v > a.v) & (b.at < a.at)) {"),
        ("a.at = b.v > a.v || n < 3 ? b.at : a.at; return a;", "a.at = (b.v > a.v) | (n < 3) ? b.at : a.at;"),
        # What is no comparison is one.
        ("return any && a.v < b.v ? a : b;", "return (any != 0) & (a.v < b.v) ? a : b;"),
        ("return n && a.v < b.v ? a : b;", "return (n != 0) & (a.v < b.v) ? a : b;"),
        ("return !n || h.any ? a : b;", "return !n | (h.any != 0) ? a : b;"),
        # Operations that have a result for all values.
        ("return n > 0 && fabsf(a.v - x) < b.v * 2 ? a : b;", "return (n > 0) & (fabsf(a.v - x) < b.v * 2) ? a : b;"),
        ("return n > 0 && u + 1 < 7 ? a : b;", "return (n > 0) & (u + 1 < 7) ? a : b;"),
        ("return n > 0 && h.first[1] == (n & 3) ? a : b;", "return (n > 0) & (h.first[1] == (n & 3)) ? a : b;"),
        ("return n > 0 && (x < 1 ? a.v : b.v) > 2 ? a : b;", "return (n > 0) & ((x < 1 ? a.v : b.v) > 2) ? a : b;"),
    ],
)
def test_conditions_are_whole(body: str, told: str) -> None:
    assert told in of_values(body)


@pytest.mark.parametrize(
    "body",
    [
        "return n > 0 && n + 1 > a.at ? a : b;",  # may overflow
        "return n > 0 && -n < a.at ? a : b;",
        "return n > 0 && a.at / n > 3 ? a : b;",  # n may be zero
        "return n < 2 && h.first[n] > 3 ? a : b;",  # there may be no such element
        "return u < 31 && (1u << u) > 3 ? a : b;",  # not for all
        "return x < 9 && (int)x > a.at ? a : b;",  # an integer may not hold it
        "return n > 0 && other(n) > 3 ? a : b;",  # may do anything
        "return n > 0 && a.v * b.v + a.v - b.v * x + x * x - a.v * x + b.v * b.v > 1 ? a : b;",  # takes long
        "return x > 0 && a.v ? a : b;",  # a floating value is no condition
        "return next(&n) && n < 3 ? a : b;",  # writes what is read behind it
        # Three values, and conditions that are not at hand: nvcc chooses.
        "if (a.v > b.v) return a; if (n > 0 && n + 1 > a.at) return b; return a;",
    ],
)
def test_what_may_fail_stays_on_its_condition(body: str) -> None:
    made = of_values(body)
    assert "&&" in made
    assert " & " not in made


def test_what_a_condition_does_is_done_whatever_it_decides() -> None:
    assert "next(&n)" in of_values("a.at = n; if (x > 0) return b; if (next(&n)) return a; return a;")


def test_many_choices_take_no_time() -> None:
    """What follows an `if` that may fall through would be named twice by each."""
    many = "".join(f"if (n == {k}) if (a.at == {k}) return b; " for k in range(60))
    assert of_values(f"{many} return a;").count("return b;") == 60


def test_three_values_stay_three() -> None:
    body = "G c = a; c.at = n; if (a.v > b.v) return a; if (b.v > a.v) return b; return c;"
    assert of_values(body).count("return") == 3


POINTERS = "static void w(G *a, const G *b) {{ if ({condition}) *a = *b; }}"


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        (
            "b->v > a->v || (b->v == a->v && b->at < a->at)",
            "if ((b->v > a->v) | ((b->v == a->v) & (b->at < a->at))) {",
        ),
        # What is followed on a condition alone may lead nowhere.
        ("a->v > 0 && b->v > a->v", "if (a->v > 0 && b->v > a->v) {"),
    ],
)
def test_pointers_are_followed_where_c_does(condition: str, told: str) -> None:
    assert told in lines(POINTERS.format(condition=condition), "w(&a, &b); return a;")
