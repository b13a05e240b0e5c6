"""Detection of reductions in plain code: what is taken, what is refused, and what is said about it."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.ir.scop import StatementKind
from pencilc.ir.source import KEEP, Assign, CallStmt
from pencilc.ir.source_printer import print_expr
from pencilc.options import CompileOptions


def compiled(
    body: str, associative: bool = False, params: str = "int n, const int a[static const restrict n]"
) -> Compilation:
    text = f"""#include <pencil.h>
#include <math.h>
#include <stdbool.h>
struct pair {{ int x, y; }};
static int twice(int a, int b) {{ return a + b; }}
static int odd(int a, int b) {{ return a - b; }}
int f({params}, int s, float x, int t[static const restrict n], float v[static const restrict n]) {{
#pragma scop
{body}
#pragma endscop
    return 0;
}}
"""
    options = CompileOptions(associative_math=associative)
    return compile_source(SourceFile("f.c", text), options, stop_after="scop")


def taken(done: Compilation) -> list[str]:
    return [f"{c.variable} {c.operator}" for c in done.candidates[0] if not c.refused]


def refused(done: Compilation) -> list[str]:
    return [c.refused for c in done.candidates[0] if c.refused]


LOOP = "for (int i = 0; i < n; i++)"


@pytest.mark.parametrize(
    ("update", "operator"),
    [
        ("t[0] += a[i];", "+"),
        ("t[0] = a[i] + t[0];", "+"),
        ("t[0] = t[0] + a[i] + i;", "+"),
        ("t[0] -= a[i];", "+"),
        ("t[0] = i - a[i] + t[0];", "+"),
        ("t[0] *= a[i];", "*"),
        ("t[0] |= a[i];", "|"),
        ("t[0] &= a[i];", "&"),
        ("t[0] ^= a[i];", "^"),
        ("t[0]++;", "+"),
        ("t[0] = t[0] < a[i] ? t[0] : a[i];", "min"),
        ("t[0] = a[i] > t[0] ? a[i] : t[0];", "max"),
        ("if (a[i] > t[0]) t[0] = a[i];", "max"),
        ("if (t[0] > a[i]) { t[0] = a[i]; }", "min"),
        ("v[0] = fmaxf(v[0], a[i]);", "max"),
        ("if (a[i] > s && a[i] < t[0]) t[0] = a[i];", "min"),
        ("if (t[0] < a[i] && i > s && a[i] != 7) { t[0] = a[i]; }", "max"),
        ("if (v[i + 1] < x) { if (a[i] > 0) t[0] += 1; }", "+"),
        ("t[0] = twice(t[0], a[i]);", "+"),
    ],
)
def test_forms(update: str, operator: str) -> None:
    done = compiled(f"{LOOP} {{ {update} }}")
    assert [t.split()[1] for t in taken(done)] == [operator], done.candidates
    (reduction,) = done.scops[0].reductions
    assert reduction.operator.recognised is not None
    assert reduction.operator.recognised.value == operator


@pytest.mark.parametrize(
    ("update", "why"),
    [
        ("t[0] -= t[0] * a[i];", "the right side reads it again"),
        ("t[0] = a[i] - t[0];", "its old value is subtracted, or stands more than once on the right side"),
        ("t[0] = 2 * t[0] + a[i];", "its old value is no operand on its own on the right side"),
        ("t[i] = t[i - 1] + a[i];", "its new value follows from other elements, not from its old one"),
        ("t[0] += v[i];", "a floating value is added into an integer"),
        ("t[0] = t[0] / 2;", "`/` is not associative"),
        ("t[0] = odd(t[0], a[i]);", "`odd` does nothing that is known to be associative"),
        ("if (t[0] < 5) t[0] = a[i];", "the condition of the update reads it"),
        ("if (t[0] < a[i] && t[0] < 5) t[0] = a[i];", "the condition of the update reads it"),
        ("if (t[0] < a[i] && v[a[i]] > 0) t[0] = a[i];", "the condition of the update reads it"),
        ("if (t[0] < a[i] || a[i] == 3) t[0] = a[i];", "the condition of the update reads it"),
        ("if (t[0] < 100) t[0] += a[i];", "no loop around it leaves the variable to updates alone"),
        ("t[t[0]] += a[i];", "its subscript reads it"),
        ("t[i] += t[i - 1];", "the right side reads it again"),
        ("t[i] += a[i];", "each of its elements is updated once"),
        ("for (int j = 0; j < 9; j++) t[2 * i + j] += a[i];", "no loop leaves its counter out of the subscripts"),
        ("t[0] += a[i]; t[1] = t[0];", "no loop around it leaves the variable to updates alone"),
        ("t[0] += a[i]; t[0] *= 3;", "several operators change it in one loop"),
        ("v[0] += v[i];", "the right side reads it again"),
        ("x += v[i];", "another order changes rounding (-fassociative-math allows it)"),
        ("x = x < v[i] ? x : v[i];",
         "another order changes the result where an element is not a number (-fassociative-math allows it)"),
        ("for (int j = 0; j < 5; j++) t[i] += a[i];", "its few points are left to one thread"),
        ("for (int j = -2; j <= 2; j++) t[i] += a[i] * j;", "its few points are left to one thread"),
        ("for (int j = i - 1; j <= i + 1; j++) t[i] += a[j];", "its few points are left to one thread"),
    ],
)  # fmt: skip
def test_refusals(update: str, why: str) -> None:
    done = compiled(f"for (int i = 1; i < n; i++) {{ {update} }}")
    assert why in refused(done), done.candidates
    assert not done.scops[0].reductions


# What the steps of a loop over time do besides, and whether they have to be done in order for it.
STEPS = {
    "v[i] = v[i] * 0.5 + a[i];": True,
    "float old = v[i]; v[i] = old + a[i];": True,
    "if (i > 0) v[i] = v[i - 1];": True,
    "v[i] = a[s]; x = v[i];": False,  # written first: a variable of each step
    "v[s] = v[s] * 0.5;": False,  # each step has its own
    "x += a[i];": False,  # the order of updates is nobody's
    "v[a[i]] = v[a[i]] * 0.5;": False,
}


@pytest.mark.parametrize(
    ("body", "operators"),
    [
        (f"{LOOP} if (a[i] == s) t[0] = 1;", ["t[0] ="]),
        (f"{LOOP} {{ if (a[i] == s) {{ t[0] = -7; }} }}", ["t[0] ="]),
        (f"{LOOP} if (a[i] == s) v[0] = 0.5f;", ["v[0] ="]),
        (f"{LOOP} if (a[i] == s) t[0] = 0;", ["t[0] &"]),
        (f"{LOOP} {{ int d = a[i] - s; if (d > 3) t[0] = 0; }}", ["t[0] &"]),
        (f"{LOOP} {{ if (a[i] > 0) t[0] = 1; else t[1] = 0; }}", ["t[0] =", "t[1] &"]),
        (f"{LOOP} {{ if (a[i] > 0) t[0] = 1; if (a[i] < -5) t[0] = 1; }}", ["t[0] =", "t[0] ="]),
        (f"bool b = false; {LOOP} if (a[i] > 0) b = true; t[0] = b;", ["b |"]),
        (f"bool b = true; {LOOP} if (a[i] > 0) b = false; t[0] = b;", ["b &"]),
        (f"bool b = true; {LOOP} b = b && a[i] > 0; t[0] = b;", ["b &&"]),
        (f"bool b = true; {LOOP} b = a[i] && b; t[0] = b;", ["b &&"]),
        (f"bool b = true; {LOOP} b = b && a[i] > 0 && v[i] < 1; t[0] = b;", ["b &&"]),
        (f"int b = 0; {LOOP} b = b || a[i] == s; t[0] = b;", ["b ||"]),
        (f"t[0] = 1; {LOOP} t[0] = t[0] && a[i] == s;", ["t[0] &&"]),
        (f"bool b = true; {LOOP} b &= a[i] > 0 | a[i] == -3; t[0] = b;", ["b &"]),
        (f"bool b = true; {LOOP} b ^= !a[i]; t[0] = b;", ["b ^"]),
        (f"{LOOP} t[0] = a[i] > 3 ? 2 : t[0];", ["t[0] ="]),
        (f"{LOOP} t[0] = a[i] > 3 ? t[0] : 0;", ["t[0] &"]),
        # What no data decide about, or several values; what is read or left; a number that is no truth.
        (f"{LOOP} if (i == 3) t[0] = 1;", []),
        (f"{LOOP} if (s > 3) t[0] = 1;", []),
        (f"{LOOP} {{ if (a[i] > 0) t[0] = 1; if (a[i] < 0) t[0] = 2; }}", []),
        (f"{LOOP} {{ if (a[i] > 0) t[0] = 1; if (a[i] < 0) t[0] = 0; }}", []),
        (f"{LOOP} {{ if (a[i] > 0) t[0] = 1; v[i] = t[0]; }}", []),
        (f"{LOOP} if (a[i] > 0) t[i] = 1;", []),
        (f"{LOOP} if (a[i] > 0) v[0] = 0.0f;", []),
        (f"{LOOP} if (a[i] > 0) v[0] = 1e-50;", []),  # a zero as a float
        (f"int y; {LOOP} if (a[i] > 0) y = 1; {LOOP} if (a[i] > 0) t[i] = y;", []),  # it has no value before
        (f"__pencil_kill(t); {LOOP} if (a[i] > 0) t[0] = 1;", []),
        (f"{LOOP} if (a[i] > 0) {{ t[0] = 1; break; }}", []),
        (f"{LOOP} t[0] = t[0] && a[i] > 0;", []),
        (f"t[0] = 5; {LOOP} t[0] = t[0] && a[i] > 0;", []),
        (f"bool b = true; {LOOP} b = b && v[a[i]] > 0; t[0] = b;", []),
        (f"bool b = true; {LOOP} b = b && a[i] / s > 0; t[0] = b;", []),
        (f"bool b = true; {LOOP} b = b && a[i] % 4 > 0 && v[i] / x > 1; t[0] = b;", ["b &&"]),
        (f"bool b = true; {LOOP} b &= a[i]; t[0] = b;", []),
        (f"bool b = true; {LOOP} b ^= a[i]; t[0] = b;", []),
    ],
)
def test_flags(body: str, operators: list[str]) -> None:
    done = compiled(body)
    assert taken(done) == operators, done.candidates
    assert len(done.scops[0].reductions) == len(set(operators))


def test_a_constant_that_stays_is_not_told_as_an_update() -> None:
    done = compiled(f"{LOOP} {{ if (a[i] > 0) t[0] = 1; v[i] = t[0]; }}")
    assert done.candidates == ((),)


@pytest.mark.parametrize("step", STEPS)
def test_elements_that_a_loop_in_order_updates_once_a_step(step: str) -> None:
    done = compiled(
        f"for (int s = 0; s < n; s++) for (int i = 0; i < n; i++) {{ {step} if (a[i + s] > t[i]) t[i] = a[i + s]; }}"
    )
    assert ("each of its elements is updated once" in refused(done)) == STEPS[step]
    assert any(variable.startswith("t[i]") for variable in taken(done)) != STEPS[step]


def test_what_is_reduced_inside_of_a_step_is_a_reduction_there() -> None:
    done = compiled(
        "for (int s = 0; s < n; s++) for (int i = 0; i < n; i++) { v[i] = v[i] * 0.5 + s;"
        " for (int j = 0; j < n; j++) t[i] += a[j]; }"
    )
    (reduction,) = done.scops[0].reductions
    assert len(done.scops[0].statement(reduction.merge).loops) == 2


def test_floats_with_the_flag() -> None:
    done = compiled(f"{LOOP} x += v[i];", associative=True)
    assert taken(done) == ["x +"]


def test_a_constant_before_is_the_initial_value() -> None:
    done = compiled(f"int c = 0; {LOOP} c += a[i]; t[0] = c;")
    (reduction,) = done.scops[0].reductions
    assert reduction.init_function == "set_0_int"


def test_a_constant_in_a_nest_of_its_own() -> None:
    done = compiled(f"{LOOP} t[i] = 0; for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) t[i] += a[j];")
    (reduction,) = done.scops[0].reductions
    assert reduction.init_function == "set_0_int"
    assert not [s for s in done.scops[0].statements if s.kind is StatementKind.ORDINARY]


def test_a_constant_is_not_taken_from_other_elements() -> None:
    done = compiled("int m = n; for (int i = 0; i < m; i++) t[i] = 0; m = m - 1;\n"
                    "for (int j = 0; j < n; j++) for (int i = 0; i < m; i++) t[i] += a[j];")  # fmt: skip
    assert all(r.init_function == "" for r in done.scops[0].reductions)


def test_the_domain_is_the_outermost_loop() -> None:
    done = compiled("for (int k = 0; k < 9; k++) { for (int i = 0; i < n; i++) t[0] += a[i]; v[k] = k; }")
    (reduction,) = done.scops[0].reductions
    assert "S" in reduction.init
    init = done.scops[0].statement(reduction.init)
    assert init.iterators == ()


def test_a_read_in_the_outer_loop_ends_the_domain() -> None:
    done = compiled("for (int k = 0; k < 9; k++) { for (int i = 0; i < n; i++) t[0] += a[i]; v[k] = t[0]; }")
    (reduction,) = done.scops[0].reductions
    assert len(done.scops[0].statement(reduction.init).iterators) == 1


def test_members_are_variables_of_their_own() -> None:
    done = compiled(f"struct pair p = {{0, 1}}; {LOOP} {{ p.x += a[i]; p.y *= a[i]; }} t[0] = p.x + p.y;")
    assert taken(done) == ["p.x +", "p.y *"]


def test_a_histogram_initialises_its_bins_by_keeping_them() -> None:
    done = compiled(f"{LOOP} t[a[i]] += 1;")
    (reduction,) = done.scops[0].reductions
    init = done.scops[0].statement(reduction.init)
    assert (reduction.init_function, len(init.iterators)) == ("", 1)


@pytest.mark.parametrize(
    "body",
    [
        f"{LOOP} for (int x = a[i]; x <= t[i]; x++) if (x >= 0 && x < n) c[x] += i;",
        f"{LOOP} {{ int b = a[i]; if (b < 0) b = 0; for (int x = b; x < n; x++) c[x] += i; }}",
        f"{LOOP} for (int y = 0; y < 3; y++) for (int x = a[i] + y; x < n; x++) c[x] += i;",
    ],
)
def test_what_each_of_many_points_reaches_is_reduced_over_the_points(body: str) -> None:
    params = "int n, const int a[static const restrict n], int c[static const restrict n]"
    done = compiled(body, params=params)
    assert taken(done) == ["c[x] +"]
    (reduction,) = done.scops[0].reductions
    assert reduction.init_function == KEEP


def test_what_only_one_point_reaches_is_none() -> None:
    params = "int n, const int a[static const restrict n + 1], int c[static const restrict n]"
    rows = f"{LOOP} for (int x = a[i]; x < a[i + 1]; x++) c[x] += i;"
    assert taken(compiled(rows, params=params)) == ["c[x] +"]
    done = compiled(f'_Pragma("pencil independent") {rows}', params=params)
    assert not taken(done) and refused(done) == ["each of its elements is updated once"]
    done = compiled(f'_Pragma("pencil independent reduction(+: c)") {rows}', params=params)
    assert taken(done) == ["c[x] +"]


def test_a_clause_allows_what_rounds() -> None:
    done = compiled(f"#pragma pencil independent reduction(+: x)\n{LOOP} x += v[i];")
    assert taken(done) == ["x +"]


def test_one_function_for_all_regions() -> None:
    region = f"#pragma scop\nint s = 0; {LOOP} s += a[i]; return s;\n#pragma endscop"
    text = "".join(f"int f{k}(int n, const int a[static const restrict n]) {{\n{region}\n}}\n" for k in range(2))
    unit = compile_source(SourceFile("f.c", text), CompileOptions(), stop_after="scop").parsed
    assert sorted(f.name for f in unit.functions) == ["add_int", "set_0_int"]


# ---- marked updates that share elements ------------------------------------------------------------------

SHARED = """
    __pencil_reduction_var_init(&v[0], zero);
    for (int b = 1; b < n; b++) __pencil_reduction_var_init(&v[b], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&v[a[i] & 7], x, {});"""
FLOATS = """static void zero(float *v) { *v = 0; }
static float plus(float a, float b) { return a + b; }
static float halved(float a, float b) { return (a + b) / 2; }
"""


def shared(operator: str) -> Compilation:
    text = f"""#include <pencil.h>
{FLOATS}
void f(int n, float x, const int a[static const restrict n], float v[static const restrict n],
       float w[static const restrict 1])
{{
#pragma scop
    __pencil_reduction_var_init(&w[0], zero);{SHARED.format(operator)}
    for (int i = 0; i < n; i++) __pencil_reduction(&w[0], x, plus);
#pragma endscop
}}
"""
    return compile_source(SourceFile("f.c", text), CompileOptions(), stop_after="scop")


def test_updates_that_meet_several_initialisations_go_on_from_what_these_leave() -> None:
    done = shared("plus")
    (scop,) = done.scops
    begun = [print_expr(s.body.call) for s in scop.statements if isinstance(s.body, CallStmt)]
    assert begun == ["zero(&v[0])", "zero(&v[b])"]
    assert {(r.array, r.init_function) for r in scop.reductions} == {("v", KEEP), ("w", "zero")}
    assert taken(done) == ["v[a[i] & 7] +"]  # a sum of floats, in any order, for it was marked


def test_those_with_an_operator_of_their_own_stay_in_their_order() -> None:
    (scop,) = shared("halved").scops
    assert [r.array for r in scop.reductions] == ["w"]
    assert any(isinstance(s.body, Assign) and s.kind is StatementKind.ORDINARY for s in scop.statements)


PLACES = {
    "if (a[i] > a[k]) k = i;": "k max",
    "if (a[k] >= a[i]) { k = i; }": "k min",
    "if (a[i] > a[k]) { k = i; t[i] = 1; }": "",
    "if (a[i] > a[k + 1]) k = i;": "",
    "if (t[i] > t[k]) k = i; t[i] = 3;": "",
    "if (a[i] > a[k]) k = i; t[i] = k;": "",
    "if (k < 0 || a[i] > a[k]) k = i;": "k max",
    "if (a[i] <= a[k] || k == -1) k = i;": "k min",
    # A first element that is no number would stay.
    "if (k < 0 || v[i] > v[k]) k = i;": "",
    # What is set may say again that nothing is.
    "if (k < 0 || a[i] > a[k]) k = i - 1;": "",
}


@pytest.mark.parametrize("update", PLACES)
def test_the_place_of_the_best_element_alone(update: str) -> None:
    done = compiled(f"int k = 0; {LOOP} {{ {update} }} t[0] = k;")
    assert [each for each in taken(done) if each.startswith("k ")] == [PLACES[update]][: bool(PLACES[update])]
    assert len(done.scops[0].reductions) == bool(PLACES[update])


def test_the_best_place_of_rows_of_few_elements_is_left_to_the_thread() -> None:
    body = f"{LOOP} {{ int k = 0; for (int c = 1; c < 10; c++) if (p[i][c] > p[i][k]) k = c; t[i] = k; }}"
    done = compiled(body, params="int n, const float p[static const restrict n][10]")
    assert not done.scops[0].reductions
    assert not any("_best" in symbol.symbol.name for symbol in done.scops[0].arrays)


@pytest.mark.parametrize(
    ("loop", "lower"),
    [
        ("int m = a[0]; for (int i = 1; i < n; i++) m = m < a[i] ? m : a[i]; t[0] = m;", 0),
        ("int m = a[0]; for (int i = 1; i < n; i++) { int w = a[i]; if (w > m) m = w; } t[0] = m;", 0),
        ("int m = a[0]; for (unsigned long i = 1; i < n; i++) m &= a[i]; t[0] = m;", 0),
        ("t[0] = a[2]; for (int i = 4; i < n; i += 2) t[0] = max(t[0], a[i]);", 2),
        ("int m = a[0]; for (int i = 1; i < n; i++) m += a[i]; t[0] = m;", 1),  # would be added twice
        ("int m = a[1]; for (int i = 1; i < n; i++) m = max(m, a[i]); t[0] = m;", 1),
        ("int m = a[0]; for (int i = 2; i < n; i++) m = max(m, a[i]); t[0] = m;", 2),
        ("int m = v[0]; v[0] = 3; for (int i = 1; i < n; i++) m = max(m, (int)v[i]); t[0] = m;", 1),
        ("int m = a[0]; for (int i = 1; i < n; i++) { m = max(m, a[i]); v[i] = 1; } t[0] = m;", 1),
    ],
)
def test_an_extreme_that_begins_with_the_first_element_goes_through_it(loop: str, lower: int) -> None:
    done = compiled(f"__pencil_assume(n > 2);\n{loop}")
    assert done.scops[0].reductions, done.candidates
    (reduction,) = done.scops[0].reductions
    domain = done.scops[0].statement(reduction.updates[0]).domain
    assert domain.dim_min_val(0).to_python() == lower


def test_an_update_that_is_no_reduction_in_the_model_does_not_keep_others_from_being_one() -> None:
    done = compiled(
        """#pragma pencil independent
        for (int k = 0; k < s; k++) {
            int most = -1;
            for (int i = 0; i < n; i++)
                if (a[i] - k > most) most = a[i] - k;
            for (int j = 0; j < n; j++) v[k * s * s + j] = most;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    v[k * s * s + j] += a[i];
        }""",
        associative=True,
    )
    assert taken(done) == ["most max"]
    assert refused(done) == ["reduction variable `v` is written between its initialisation and an update"]
