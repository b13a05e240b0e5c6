"""Each pass by itself: a few lines in, the changed lines and the record out."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions
from pencilc.frontend.translate.replacements import OWN_FUNCTIONS
from pencilc.port.allocated import without_allocations
from pencilc.port.clauses import with_plain_clauses
from pencilc.port.computed_sizes import without_computed_sizes
from pencilc.port.find import definition, text_of, with_loops
from pencilc.port.guards import without_guards
from pencilc.port.inlined import with_inlined_helpers
from pencilc.port.library import with_own_functions
from pencilc.port.macros import without_macro_around, without_macros
from pencilc.port.marks import with_region
from pencilc.port.optional import without_optional_values
from pencilc.port.parameters import Around, small_sizes, with_sized_arrays
from pencilc.port.parts import with_parts
from pencilc.port.patch import unified
from pencilc.port.pointers import without_pointers
from pencilc.port.polynomial import spelled
from pencilc.port.records import CannotPort, Replacement
from pencilc.port.rows_apart import with_rows_apart
from pencilc.port.statements import with_plain_statements
from pencilc.port.strings import without_measuring
from pencilc.port.swaps import without_swaps
from pencilc.port.text import Parsed, edited
from pencilc.port.walking import without_walking
from pencilc.port.whiles import with_for_loops


def parsed(text: str) -> Parsed:
    return Parsed(SourceFile("t.c", text), FrontendOptions())


def body_of(text: str) -> str:
    """The text of a file with one function after the pass over its pointers."""
    file = parsed(text)
    return edited(text, without_pointers(file, text_of(file, definition(file, "f"))).changes.edits)


def head_of(text: str) -> str:
    file = parsed(text)
    return edited(text, with_sized_arrays(file, text_of(file, definition(file, "f")), ()).changes.edits)


def marked(loops: str) -> tuple[int, tuple[str, ...]]:
    """How many loops are marked as independent, and what is promised for that."""
    text = f"void f(int n, int c, int h, int s, float *a, float *b, int *p)\n{{\n{loops}\n}}\n"
    file = parsed(text)
    found = with_rows_apart(file, text_of(file, definition(file, "f")))
    return edited(text, found.edits).count("#pragma pencil independent\n"), found.promises


OWN = "each iteration stays in its own row of `a`"


@pytest.mark.parametrize(
    ("body", "loops"),
    [
        # Parts of `s` elements, `h` of them in a row of `c`.
        ("for (int k = 0; k < h; k++)\nfor (int i = 0; i < s; i++) a[t * c + k * s + i] = 0;", 3),
        ("for (int k = 0; k < h; k++) { for (int i = 0; i < s; i++) a[t * c + k * s + i] = 0; b[k] = 0; }", 0),
        ("for (int k = 0; k < h; k++)\n{ for (int i = 0; i < s; i++) a[(t * c + k * s) * n + i] = 0; }", 2),
        ("for (int k = 0; k < h; k++) { int o = k * s; for (int i = 0; i < s; i++) a[t * c + o + i] = 0; }", 1),
        # Rows that a whole number of parts fills, elements side by side, numbers.
        ("for (int k = 0; k < h; k++) for (int i = 0; i < s; i++) a[t * h * s + k * s + i] = 0;", 0),
        ("for (int i = 0; i < c; i++) a[t * c + i] = 0;", 0),
        ("for (int i = 0; i < c / 2; i++) a[t * c + 2 * i + 1] = 0;", 0),
        # Data.
        ("for (int i = 0; i < s; i++) a[t * c + p[i]] = 0;", 1),
        ("for (int i = 0; i < s; i++) a[p[t] * c + i] = 0;", 0),
    ],
)
def test_rows_apart(body: str, loops: int) -> None:
    assert marked(f"for (int t = 0; t < n; t++)\n{body}") == (loops, (OWN,) if loops else ())


POINTERS = {
    "*o = x;": "o[0] = x;",
    "(*o)++;": "o[0]++;",
    "*(a + n) = x;": "a[n] = x;",
    "x = *(a - n);": "x = a[-n];",
    "float *r = a + n * 2; r[1] = x;": "a[n * 2 + 1] = x;",
    "float *r = &a[n]; r[n ? 1 : 2] = x;": "a[n + (n ? 1 : 2)] = x;",
    "float *r = a + n, *s = r + 1; *s = r[0];": "a[n + 1] = a[n];",
    "float *r = a + n; r[-1] = x;": "a[n - 1] = x;",
    "float *r = a; r[n] = x;": "a[n] = x;",
    "/* kept */ *o = x; // and this": "/* kept */ o[0] = x; // and this",
}


@pytest.mark.parametrize("body", POINTERS)
def test_pointers(body: str) -> None:
    head = "void f(int n, float x, float *a, float *o) { "
    assert body_of(f"{head}{body}\n}}\n") == f"{head}{POINTERS[body]}\n}}\n"


LEFT = {
    "while (*a) a++;": "`a` walks through an array: use a counter and `[]`",
    "if (o) *o = x;": "`o` is compared or tested as a pointer: do that before the function, or at its beginning",
    "float *r; r = a; r[0] = x;": "`a` is kept in another pointer",
    "float *r; r[0] = x;": "the pointer `r` is set behind its declaration",
    "float *r = a + n; n++; r[0] = x;": "`n`, which `r` is computed from, changes",
    "float *r = malloc(n); r[0] = x;": "memory is allocated here; hand the array over as a parameter",
    "a = o; a[0] = x;": "`a` is made to point elsewhere",
    "float *r = a + k[0]; k[0] = 2; r[0] = x;": "`k`, which `r` is computed from, may change",
    "float *r = a + next(); r[0] = x;": "a function is called for where `r` points to",
    "float *r = a; { float *r = o; *r = x; } r[0] = x;": "several variables are called `r`",
}


@pytest.mark.parametrize("body", LEFT)
def test_pointers_that_stay(body: str) -> None:
    with pytest.raises(CannotPort) as error:
        body_of(f"void *malloc(int);int next(void);\nvoid f(int n, int *k, float x, float *a, float *o) {{ {body} }}\n")
    assert error.value.reason == LEFT[body]
    assert error.value.span is not None and error.value.span.line == 2


def test_members_that_would_hide_a_variable_get_another_name() -> None:
    text = "int rows;\nstruct m { int rows; float *v; };\nvoid f(struct m *s) { s->v[rows] = s->rows; }\n"
    assert "v[rows] = s_rows;" in body_of(text)


def test_what_a_macro_brings_is_not_touched() -> None:
    with pytest.raises(CannotPort) as error:
        body_of("#define SET(p) *p = 1\nvoid f(int n, float *a) { SET(a); }\n")
    assert error.value.reason == "a macro stands where an array is named"


def test_a_pointer_to_an_element_of_a_member() -> None:
    """What it is computed from is a member that becomes a parameter; the `&` is that of the pointer itself."""
    head = "struct s { int w; float *d; };\nvoid f(struct s *p, int n, float *o) { "
    after = body_of(f"{head}for (int k = 0; k < n; k++) {{ const float *e = &p->d[k * p->w]; o[k] = *e; }} }}\n")
    assert "o[k] = d[k * w];" in after
    with pytest.raises(CannotPort) as error:
        body_of(f"{head}const float *e = &p->d[(int)p->d[n]]; p->d[n] = 0; o[0] = *e; }}\n")
    assert error.value.reason == "`p`, which `e` is computed from, may change"


def test_members_of_structs_are_handed_over() -> None:
    text = """struct m { int rows, unused; const int *start; float w[3]; };
void f(struct m *s, float *y)
{
    for (int i = 0; i < s->rows; i++)
        y[i] = s->start[i];
}
"""
    file = parsed(text)
    made = without_pointers(file, text_of(file, definition(file, "f")))
    (flat,) = made.flattened
    assert flat.parameter == "s" and flat.by_pointer
    assert [name for _, name in flat.members] == ["rows", "unused", "start"]
    assert "y[i] = start[i];" in edited(text, made.changes.edits)
    assert "i < rows" in edited(text, made.changes.edits)


NUMBERS = {
    "for (int i = 0; i < *n; i++) a[i] = 0;": ("for (int i = 0; i < n; i++) a[i] = 0;", "*n"),
    "int m = (*n); for (int i = 0; i < m; i++) a[i] = 0;": ("int m = n; for (int i = 0; i < m; i++) a[i] = 0;", "*n"),
    "for (int i = 0; i < n[0]; i++) a[i] = 0;": ("for (int i = 0; i < n; i++) a[i] = 0;", "*n"),
    "for (int i = 0; i < k; i++) a[i * *n] = 0;": ("for (int i = 0; i < k; i++) a[i * n] = 0;", "n ? *n : 0"),
    "if (k) for (int i = 0; i < *n; i++) a[i] = 0;": ("if (k) for (int i = 0; i < n; i++) a[i] = 0;", "n ? *n : 0"),
    "if (k > 0 && *n > 1) a[*n] = 0;": ("if (k > 0 && n > 1) a[n] = 0;", "n ? *n : 0"),
    "if (k) return; for (int i = 0; i < *n; i++) a[i] = 0;":
        ("if (k) return; for (int i = 0; i < n; i++) a[i] = 0;", "n ? *n : 0"),
    # No size, or changed, or more than one.
    "for (int i = 0; i < k; i++) a[i] = *n;": ("for (int i = 0; i < k; i++) a[i] = n[0];", ""),
    "for (int i = 0; i < *n; i++) a[i] = 0; *n = 1;": ("for (int i = 0; i < n[0]; i++) a[i] = 0; n[0] = 1;", ""),
    "for (int i = 0; i < *n; i++) (*n)--;": ("for (int i = 0; i < n[0]; i++) n[0]--;", ""),
    "for (int i = n[0]; i < n[1]; i++) a[i] = 0;": ("for (int i = n[0]; i < n[1]; i++) a[i] = 0;", ""),
}  # fmt: skip


@pytest.mark.parametrize("body", NUMBERS)
def test_numbers_are_handed_over(body: str) -> None:
    head = "void f(int k, int *n, float *a) { "
    file = parsed(f"{head}{body} }}\n")
    made = without_pointers(file, text_of(file, definition(file, "f")))
    after, argument = NUMBERS[body]
    assert edited(file.text, made.changes.edits) == f"{head}{after} }}\n"
    assert [flat.argument(member) for flat in made.flattened for member, _ in flat.members] == [argument] * bool(
        argument
    )


def test_a_number_that_is_among_what_is_written_keeps_the_function_as_it_is() -> None:
    text = "void f(int *n, int *a) { for (int i = 0; i < *n; i++) a[i] = i; }\nvoid g(int *a) { f(a + 1, a); }\n"
    file = parsed(text)
    made = without_pointers(file, text_of(file, definition(file, "f")))
    now = file.with_edits(made.changes.edits)
    with pytest.raises(CannotPort) as error:
        with_sized_arrays(now, text_of(now, definition(now, "f")), made.flattened)
    assert "may overlap" in error.value.reason


STATEMENTS = {
    "memset(h, 0, 256 * sizeof(int));": "for (int k = 0; k < 256; k++)\n        h[k] = 0;",
    "memset(c, 7, m);": "for (unsigned long k = 0; k < m; k++)\n        c[k] = 7;",
    "memcpy(h, &g[2], sizeof(int) * (m + 1));": "for (unsigned long k = 0; k < (m + 1); k++)\n        h[k] = g[2 + k];",
    "memset(s, 0, m * sizeof(struct p));": "for (unsigned long k = 0; k < m; k++)\n        s[k] = (struct p){0};",
    "memset(b, 0, sizeof(board));": "for (int k = 0; k < 4; k++)\n        for (int k_1 = 0; k_1 < 8; k_1++)\n"
    "            b[k][k_1] = 0;",
    "memcpy(b[m], d[3], 8 * sizeof(short));": "for (int k = 0; k < 8; k++)\n        b[m][k] = d[3][k];",
    "return *h = 3;": "*h = 3;\n    return *h;",
    "if (m) return *h += 3;": "if (m) { *h += 3; return *h; }",
}


@pytest.mark.parametrize("body", STATEMENTS)
def test_statements(body: str) -> None:
    head = "#include <string.h>\ntypedef short board[4][8]; struct p { int x; };\n"
    head += "int f(unsigned long m, int *h, int *g, char *c, board b, board d, struct p *s)\n{\n    "
    text = f"{head}{body}\n}}\n"
    file = parsed(text)
    made = with_plain_statements(file, text_of(file, definition(file, "f")))
    assert edited(text, made.edits) == f"{head}{STATEMENTS[body]}\n}}\n"
    assert {step.line for step in made.steps} == {5}


@pytest.mark.parametrize(
    "body",
    [
        "memset(h, 1, n * sizeof *h);",  # bytes of a wide type are no value
        "memset(h, 0, n * sizeof(short));",
        "memset(h, 0, n);",
        "memcpy(h, h + 1, n * sizeof *h);",
        "memmove(h, g, n * sizeof(int));",
        "memset(h, 0, n++ * sizeof *h);",
        "if (memset(h, 0, n * sizeof *h)) n = 1;",
        "float z[4]; memcpy(h, z, sizeof(float) * 4);",  # bytes of another type
        "int z[4][8]; memset(z, 0, n * sizeof(int));",
    ],
)
def test_filling_that_stays(body: str) -> None:
    file = parsed(f"#include <string.h>\nvoid f(int *h, int *g, int n) {{ {body} }}\n")
    with pytest.raises(CannotPort):
        with_plain_statements(file, text_of(file, definition(file, "f")))


def test_the_head_stays_where_nothing_has_to_move() -> None:
    text = "float f(int n, const float *x)\n{\n    float s = 0;\n    for (int i = 0; i < n; i++) s += x[i];\n"
    text += "    return s;\n}\n"
    assert head_of(text) == text.replace("const float *x", "const float x[static const restrict n]")


HEADS = {
    "typedef int row[4]; void f(row r) { for (int i = 0; i < 4; i++) r[i] = 0; }":
        "typedef int row[4]; void f(int r[static const restrict 4]) { for (int i = 0; i < 4; i++) r[i] = 0; }",
    "typedef int *row; void f(int n, row r) { for (int i = 0; i < n; i++) r[i] = 0; }":
        "typedef int *row; void f(int n, int r[static const restrict n]) { for (int i = 0; i < n; i++) r[i] = 0; }",
    "void f(int n, int *r, int *a, int m)\n{\n"
    "    for (int i = 0; i < n; i++) r[i] = 0; for (int i = 0; i < n; i++) r[a[i]] = m; }":
        "`r` has n elements: all elements of `a` are less than that",
    "void f(int n, int m, int d, const int *a, const float *x, float *y)\n{\n"
    "    for (int i = 0; i < n; i++) for (int k = 0; k < d; k++) y[i * d + k] = x[a[i] * d + k]; }":
        "`x` has m * d elements: all elements of `a` are less than m",
    "void f(int n, int m, const int *a, const float *x, float *y)\n{\n"
    "    for (int i = 0; i < n; i++) for (int k = 0; k < 4; k++) y[i * 4 + k] = x[4 * a[i] + k]; }":
        "`x` has m * 4 elements: all elements of `a` are less than m",
    "void f(int n, int m, const int *a, const float *x, float *y)\n{\n"
    "    for (int i = 0; i < n; i++) y[i] = x[a[i] * 3] + x[a[i] * 3 + 2]; }":
        "`x` has m * 3 elements: all elements of `a` are less than m",
}  # fmt: skip


@pytest.mark.parametrize("text", HEADS)
def test_heads(text: str) -> None:
    file = parsed(text)
    made = with_sized_arrays(file, text_of(file, definition(file, "f")), ()).changes
    assert HEADS[text] in (edited(text, made.edits), *made.promises)


def test_a_size_of_another_name_is_not_the_last_position() -> None:
    """`columns` may be anything: where rows end is read."""
    after = head_of("void f(int n, int columns, const int *p, const float *x, float *y)\n{\n"
                    "    for (int i = 0; i < n; i++)\n        for (int k = p[i]; k < p[i + 1]; k++)\n"
                    "            y[i] += x[k];\n}\n")  # fmt: skip
    assert "const float x[static const restrict nnz]" in after


def test_one_array_that_is_handed_in_twice() -> None:
    text = "void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n"
    for others in ("f(9, v, w);", "f(9, 0, 0);"):
        assert "restrict n]" in head_of(f"{text}void g(float *v, float *w) {{ {others} }}\n")
    with pytest.raises(CannotPort) as left:
        head_of(f"{text}void g(float *v) {{ f(9, v, v); }}\n")
    assert left.value.reason.startswith("`v` is handed in for `x` and `y`, of which elements are written")
    for others in ("f(9, v, v + 9);", "f(k, v + k, v);", "f(k, v, v + 2 * k);", "f(9, &v[9], v);"):  # apart
        assert "restrict n]" in head_of(f"{text}void g(int k, float *v) {{ {others} }}\n")
    for others in ("f(9, v, v + 8);", "f(k, v + 1, v);", "f(9, &v[0], v);", "f(9, v + k, v);", "f(9, (float *)v, v);",
                   "f(9, v + k, v + v_of(k));"):  # fmt: skip
        with pytest.raises(CannotPort, match="of which elements are written"):
            head_of(f"{text}int v_of(int k);\nvoid g(int k, float *v) {{ {others} }}\n")
    read_only = text.replace("float *y", "const float *y, float *z").replace("y[i] = x[i]", "z[i] = x[i] * y[i]")
    assert "restrict n]" in head_of(f"{read_only}void g(float *v, float *w) {{ f(9, v, v, w); }}\n")


UNKNOWN = {
    "for (int i = 0; a[i] != 0; i++) a[i] = n;": "the loop at line 1 goes on until the data say so (`a[i] != 0`), and",
    "int i = 0; while (a[i] && i < n) i++;": "the loop at line 1 goes on until the data say so (`a[i]`), and",
    "int k = 0; for (int i = 0; i < n; i++) if (i % 3) a[k++] = i;":
        "`k` counts only where a condition holds, so that the data say how far it goes, and",
    "int k = 0; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) a[k++] = i;":
        "how `k` moves beside the counter of the loop at line 1 is not seen, and",
    "int i = n; do { i--; a[i] = 0; } while (i > 0);":
        "how `i` counts in the loop at line 1 is not seen: use `for` with one counter, and",
    "for (int i = 0; i < n; i++) { int k = (i * i) ^ n; a[k] = 0; }":
        "its subscripts do not tell how large `a` is, and",
}  # fmt: skip


@pytest.mark.parametrize("body", UNKNOWN)
def test_why_a_size_is_not_seen(body: str) -> None:
    with pytest.raises(CannotPort) as left:
        head_of(f"void f(int n, int *a) {{ {body} }}\n")
    assert left.value.reason == f"{UNKNOWN[body]} no parameter says how large `a` is"
    assert left.value.helps == ("add one, as in `int count, … a[static const restrict count]`",)


def test_a_size_that_data_are_multiplied_below_is_not_taken() -> None:
    with pytest.raises(CannotPort) as left:
        head_of("void f(int n, int m, const int *b, const int *c, int *a)\n"
                "{ for (int i = 0; i < n; i++) a[b[i] * 3 + c[i]] = 0; }\n")  # fmt: skip
    assert left.value.reason == "how large `a` is depends on data, and no parameter says how large `a` is"


def test_rows_that_pointers_lead_to_have_a_help() -> None:
    with pytest.raises(CannotPort) as left:
        head_of(
            "void f(int n, int m, float **a) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 0; }"
        )
    assert left.value.helps == (
        "take `float a[static const restrict n][m]`, with `n` and `m` in front",
        "where it is allocated: `float (*a)[m] = malloc(sizeof(float[n][m]));`",
    )


def test_a_wrapper_keeps_the_old_head() -> None:
    after = head_of("/* doc */\nstatic void f(float *x, int n)\n{\n    for (int i = 0; i < n; i++) x[i] = 1;\n}\n")
    assert after == (
        "/* doc */\nstatic void f_sized(int n, float x[static const restrict n])\n{\n"
        "    for (int i = 0; i < n; i++) x[i] = 1;\n}\n\n"
        "static void f(float *x, int n)\n{\n    f_sized(n, x);\n}\n"
    )


def test_a_head_that_others_know_stays() -> None:
    """A prototype with a pointer would not fit a parameter with `const` or draw a warning."""
    after = head_of("void f(int n, float *x);\nvoid f(int n, float *x) { for (int i = 0; i < n; i++) x[i] = 1; }\n")
    assert "void f_sized(int n, float x[static const restrict n])" in after
    assert "void f(int n, float *x)\n{\n    f_sized(n, x);\n}" in after


def test_a_size_is_found_in_the_data() -> None:
    after = head_of("void f(int n, const int *p, const float *x, float *y)\n{\n"
                    "    for (int i = 0; i < n; i++)\n        y[i] = x[p[i]];\n}\n")  # fmt: skip
    assert "const float x[static const restrict x_count]" in after
    assert "        if (p[k] >= x_count)\n            x_count = p[k] + 1;\n" in after
    assert "f_sized(n, x_count, p, x, y);" in after


def test_positions_are_read_where_there_are_rows() -> None:
    """The program as it was reads none of them without rows: the pointer may be NULL."""
    after = head_of("void f(int n, const int *p, const int *t, const float *x, float *y)\n{\n"
                    "    for (int i = 0; i < n; i++)\n        for (int k = p[i]; k < p[i + 1]; k++)\n"
                    "            y[i] += x[t[k]];\n}\n")  # fmt: skip
    assert (
        "    if (n > 0)\n        for (int k_1 = p[0]; k_1 < p[n]; k_1++)\n            if (t[k_1] >= x_count)\n"
        "                x_count = t[k_1] + 1;\n"
    ) in after
    assert "f_sized(n, n > 0 ? p[n] : 0, x_count, p, t, x, y);" in after


def test_the_last_of_as_many_positions_as_rows() -> None:
    after = head_of("void f(int n, const int *p, const int *e, const float *x, float *y)\n{\n"
                    "    for (int i = 0; i < n; i++)\n        for (int k = p[i]; k < e[i]; k++)\n"
                    "            y[i] += x[k];\n}\n")  # fmt: skip
    assert "f_sized(n, n > 0 ? e[n - 1] : 0, p, e, x, y);" in after


@pytest.mark.parametrize("start", ["int k = 0", "int m = 0, k = 0", "int k = 0, m = 0"])
def test_lengths_of_rows_are_no_positions(start: str) -> None:
    with pytest.raises(CannotPort, match="goes on until the data say so"):
        head_of("void f(int n, int w, const int *l, const float *x, float *y)\n{\n"
                f"    for (int i = 0; i < n; i++)\n        for ({start}; k < l[i]; k++)\n"
                "            y[i] += x[i * w + k];\n}\n")  # fmt: skip


def test_questions_stay_with_the_old_head() -> None:
    text = "int f(int *x, int n)\n{\n    if (!x || n < 1)\n        return -1;\n"
    text += "    for (int i = 0; i < n; i++) x[i] = 1;\n    return 0;\n}\n"
    file = parsed(text)
    guards = without_guards(file, text_of(file, definition(file, "f")), is_helper=False)
    assert guards.text == "    if (!x || n < 1)\n        return -1;"
    assert edited(text, guards.changes.edits) == text.replace(guards.text + "\n", "")


def test_questions_of_a_helper_stay_in_it() -> None:
    """Who calls it calls its new head, in front of which nothing asks."""
    text = "static int f(int *x, int n)\n{\n    (void)x;\n    if (n < 1)\n        return -1;\n"
    text += "    for (int i = 0; i < n; i++) x[i] = 1;\n    return 0;\n}\n"
    file = parsed(text)
    guards = without_guards(file, text_of(file, definition(file, "f")), is_helper=True)
    assert edited(text, guards.changes.edits) == text.replace("    (void)x;\n", "")


def test_a_directive_that_chooses_text_keeps_the_function() -> None:
    file = parsed(
        "void f(int n, int *a)\n{\n#ifdef X\n    n++;\n#endif\n    for (int i = 0; i < n; i++) a[i] = 0;\n}\n"
    )
    with pytest.raises(CannotPort):
        text_of(file, definition(file, "f"))


def test_pragmas_stand_around_the_loops() -> None:
    text = "void f(int n, int *a)\n{\n    int s = 0;\n    for (int i = 0; i < n; i++)\n"
    text += "        a[i] = s; // end\n    a[0] = s;\n}\n"
    file = parsed(text)
    after = edited(text, with_region(file, text_of(file, definition(file, "f"))))
    assert "    int s = 0;\n#pragma scop\n    for" in after
    assert "// end\n#pragma endscop\n    a[0] = s;\n" in after


@pytest.mark.parametrize("end", ["", "    return s;\n"])
def test_pragmas_stand_around_what_follows_the_loops_too(end: str) -> None:
    text = "int f(int n, int *a)\n{\n    int s = 0;\n    for (int i = 0; i < n; i++)\n        s++;\n    if (n)\n"
    text += f"        a[0] = s;\n{end}}}\n"
    file = parsed(text)
    after = edited(text, with_region(file, text_of(file, definition(file, "f")), behind_too=True))
    assert "#pragma scop\n    for" in after and f"        a[0] = s;\n#pragma endscop\n{end}}}" in after


@pytest.mark.parametrize("behind", ["", "n = w;"])
def test_sizes_that_are_declared_before_a_loop_are_in_its_region(behind: str) -> None:
    text = "void f(int n, int *a) {\n    int s = 0;\n    int m = n, w = n / 2;\n"
    text += f"    for (int i = 0; i < w; i++) a[i] = s;\n    {behind}\n}}\n"
    file = parsed(text)
    made = file.with_edits(with_region(file, text_of(file, definition(file, "f")))).text
    wanted = "#pragma scop\n    int m = n, w" if not behind else "#pragma scop\n    for"
    assert wanted in made and "int s = 0;\n#pragma" in made.replace("    int m = n, w = n / 2;\n#", "#")


def test_pragmas_of_other_tools_stay_at_their_loop() -> None:
    text = (
        "void f(int *a)\n{\n#pragma omp parallel for\n#pragma GCC ivdep\n    for (int i = 0; i < 9; i++) a[i] = 0;\n}\n"
    )
    file = parsed(text)
    made = edited(text, with_region(file, text_of(file, definition(file, "f"))))
    assert "{\n#pragma scop\n#pragma omp parallel for\n#pragma GCC ivdep\n    for" in made


def test_comments_beside_loops_stay() -> None:
    text = "void f(int n, int *a) { /* b */ for (int i = 0; i < n; i++) a[i] = 0; /* c\n d */ n = 0; }\n"
    file = parsed(text)
    after = edited(text, with_region(file, text_of(file, definition(file, "f"))))
    assert after == (
        "void f(int n, int *a) { /* b */\n#pragma scop\n    for (int i = 0; i < n; i++) a[i] = 0;\n"
        "#pragma endscop\n    /* c\n d */ n = 0; }\n"
    )


def test_lines_are_those_of_the_file() -> None:
    file = parsed("int a;\nint b;\nint c;\n")
    later = file.with_edits([Replacement(7, 7, "int x;\nint y;\n")]).with_edits([Replacement(0, 0, "/* z */\n")])
    assert later.text == "/* z */\nint a;\nint x;\nint y;\nint b;\nint c;\n"
    assert [later.users_line(line) for line in range(1, 7)] == [1, 1, 2, 2, 2, 3]


def test_functions_with_loops() -> None:
    file = parsed("int f(int n) { return n; }\nvoid g(int n, int *a) { while (n--) a[n] = 0; }\n")
    assert [node.decl.name for node in with_loops(file)] == ["g"]


def test_a_wrapper_is_new_in_the_patch() -> None:
    before = "void f(int *x, int n)\n{\n    g(x);\n}\n"
    after = "void f_sized(int n, int *x)\n{\n    g(x);\n}\n\nvoid f(int *x, int n)\n{\n    f_sized(n, x);\n}\n"
    wrapper = after[after.index("\n\nvoid f(") :].rstrip("\n")
    patch = unified("t.c", before, after, (wrapper,))
    assert (
        "-void f(int *x, int n)\n+void f_sized(int n, int *x)\n {\n     g(x);\n }\n+\n+void f(int *x, int n)\n" in patch
    )
    assert unified("t.c", before, before) == ""


def walked(text: str) -> str:
    """The text of a file with one function after the pass over pointers that walk."""
    file = parsed(text)
    return edited(text, without_walking(file, text_of(file, definition(file, "f"))).edits)


WALKS = {
    "while (n--) s += *a++;": "for (int i = 0; i < n; i++) s += a[i];",
    "while (n-- > 0) *o++ = s * *a++;": "for (int i = 0; i < n; i++) o[i] = s * a[i];",
    "while (n > 0) { s += *a++; n--; }": "for (int i = 0; i < n; i++) { s += a[i]; }",
    "do { s += *a++; } while (--n);": "for (int i = 0; i < n; i++) { s += a[i]; }",
    "while ((n--) > 0) s += (*(a++));": "for (int i = 0; i < n; i++) s += a[i];",
    "for (float *p = a; p < a + n; p++) s += *p;": "for (int i = 0; i < n; i++) s += a[i];",
    "for (float *p = a, *e = a + n; p != e; ++p) s += p[0];": "for (int i = 0; i < n; i++) s += a[i];",
    "float *p; for (p = a; p < a + n; p++) s += *p;": "for (int i = 0; i < n; i++) s += a[i];",
    "float *p = a + n; while (p != a) s += *--p;": "for (int i = 0; i < n; i++) s += a[n - i - 1];",
    "float *p = a, *e = a + n; while (p < e && *p > 0) p++;": "for (int i = 0; i < n && a[i] > 0; i++) ;",
    "float *l = a, *h = a + n - 1; while (l < h) { s += *l++ - *h--; }":
        "for (int i = 0; i < n / 2; i++) { s += a[i] - a[n - i - 1]; }",
    "for (int i = 0; i < n; i++, a += 3) s += a[0] + a[2];":
        "for (int i = 0; i < n; i++) s += a[3 * i] + a[3 * i + 2];",
    "for (int i = 0; i < n; i++) { *o++ = a[i]; *o++ = s; }":
        "for (int i = 0; i < n; i++) { o[2 * i] = a[i]; o[2 * i + 1] = s; }",
    "for (int y = 0; y < h; y++) for (int x = 0; x < n; x++) *o++ = *a++;":
        "for (int y = 0; y < h; y++) for (int x = 0; x < n; x++) o[y * n + x] = a[y * n + x];",
    "float *r = a + (h - 1) * n; for (int y = 0; y < h; y++) { s += r[1]; r -= n; }":
        "for (int y = 0; y < h; y++) { s += a[(h - y - 1) * n + 1]; }",
    "int y; for (y = h; y--; a += h - n) for (int x = 0; x < n; x++) s += *a++;":
        "int y; for (y = h; y--;) for (int x = 0; x < n; x++) s += a[h * h - y * h + x - h];",
    "int i = 0; while (i < n) { s += *a; a++; i++; }": "int i = 0; while (i < n) { s += a[i]; i++; }",
    "float *e = a + h * n; for (float *r = a; r < e; r += n) r[2] = s;":
        "for (int i = 0; i < h; i++) a[i * n + 2] = s;",
    "for (float *p = a; p < a + n; p++) { if (*p < 0) continue; s += *p; }":
        "for (int i = 0; i < n; i++) { if (a[i] < 0) continue; s += a[i]; }",
    "float *p; for (p = a; p < a + n; s += *p++) ;": "for (int i = 0; i < n; s += a[i], i++) ;",
    "float t = 0, *p = a, *e = a + n; while (p < e) t += *p++;": "float t = 0; for (int i = 0; i < n; i++) t += a[i];",
}  # fmt: skip


BESIDE = {
    "int k = 0; for (int i = 0; i < n; i += 4) o[k++] = a[i];": "for (int i = 0; i < n; i += 4) o[i / 4] = a[i];",
    "int k = 0; for (int i = 0; i + 2 < n; i += 3) { o[k++] = a[i]; o[k++] = s; }":
        "for (int i = 0; i + 2 < n; i += 3) { o[2 * (i / 3)] = a[i]; o[2 * (i / 3) + 1] = s; }",
    "int k = h; for (int i = 1; i < n; i += 2) o[k--] = a[i];":
        "for (int i = 1; i < n; i += 2) o[h - ((i - 1) / 2)] = a[i];",
    "int k = 0; for (int i = 0; i + 1 < n; i++) o[k++] = a[i];": "for (int i = 0; i + 1 < n; i++) o[i] = a[i];",
    "int k = 0; for (int i = 0; i < n; i++) { o[k++] = a[i]; o[k++] = s; }":
        "for (int i = 0; i < n; i++) { o[2 * i] = a[i]; o[2 * i + 1] = s; }",
    "int i, k; for (i = 0, k = 0; i < n; i++, k += 2) o[i] = a[k];":
        "int i; for (i = 0; i < n; i++) o[i] = a[2 * i];",
    "int i = 0, k = 0; while (i < n) { o[k] = a[i]; o[k + 1] = s; k += 2; i++; }":
        "int i = 0; while (i < n) { o[2 * i] = a[i]; o[2 * i + 1] = s; i++; }",
    "int k = n, i; for (i = 0; i < n; i++) o[--k] = a[i];": "int i; for (i = 0; i < n; i++) o[n - i - 1] = a[i];",
    "int p = 0; for (int y = 0; y < h; y++) for (int x = 0; x < n; x++, p++) s += a[p] * a[3 * p];":
        "for (int y = 0; y < h; y++) for (int x = 0; x < n; x++) s += a[y * n + x] * a[3 * (y * n + x)];",
    "int d = 0; for (int y = h; y < h + n; y++) for (int x = 0; x < n; x++) o[d++] = a[x];":
        "for (int y = h; y < h + n; y++) for (int x = 0; x < n; x++) o[(y - h) * n + x] = a[x];",
    "int i, j; for (i = 0, j = n - 1; i < j; i++, j--) { s = a[i]; a[i] = a[j]; a[j] = s; }":
        "int i; for (i = 0; i < n / 2; i++) { s = a[i]; a[i] = a[n - i - 1]; a[n - i - 1] = s; }",
    "for (int z = n - 1, x = 0; x < z; x++, z--) s += a[x] * a[z];":
        "for (int x = 0; x < n / 2; x++) s += a[x] * a[n - x - 1];",
    "int l = 0, r = n; while (l <= r) { s += a[l] - a[r]; l++; --r; }":
        "int l = 0; while (l < (n + 2) / 2) { s += a[l] - a[n - l]; l++; }",
    "int l = 1, r = n; while (r > l) { s += a[l] - a[r]; l++; r--; }":
        "int r = n; while (r > (n + 1) / 2) { s += a[n - r + 1] - a[r]; r--; }",
    "int i, k = 0; for (i = 0; i < n; i++) o[k++] = 0; for (i = 0; i < h; i++) o[k++] = 1;":
        "int i; for (i = 0; i < n; i++) o[i] = 0; for (i = 0; i < h; i++) o[n + i] = 1;",
    "int x = 0, y = 0; for (int i = 0; i < n; i++) { s += a[x] * o[y]; x += h; y += 3; }":
        "for (int i = 0; i < n; i++) { s += a[i * h] * o[3 * i]; }",
    "int k = 0; for (int i = 0; i < n; i++, k++) *o++ = a[k] + k;":
        "for (int i = 0; i < n; i++) o[i] = a[i] + i;",
}  # fmt: skip
BESIDE_LEFT = (
    "int k = 0; for (int i = 0; i < n; i++) if (a[i] > 0) o[k++] = a[i];",
    "int k = 0; for (int i = 0; i < n; i++) { o[k++] = 0; } s = k;",
    "int k = 0; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) o[k++] = s;",
    "int k = a[0]; for (int i = 0; i < n; i++) o[k++] = s;",
    "int k = 0; for (int i = 0; i < n; i++) { o[k] = 0; k += (int)a[i]; }",
    "unsigned char k = 0; for (int i = 0; i < n; i++) o[k++] = s;",
    "long k = 0; for (int i = 0; i < n; i++) { o[k] = s; k += h; }",
    "int k = 0; for (int i = 0; i < n; i++) { o[k++] = s; if (s > 1) break; } o[k] = 1;",
    "int i = 0, j = n; while (i != j) { o[i] = a[j]; i++; j--; }",
    "int k = 0; for (int i = 0; i < n; i++) { o[k++] = s; } int *q = &k;",
)


@pytest.mark.parametrize("body", [*BESIDE, *BESIDE_LEFT])
def test_counters_beside_a_counter(body: str) -> None:
    head = "void f(int n, int h, float s, float *a, float *o) { "
    assert walked(f"{head}{body}\n}}\n") == f"{head}{BESIDE.get(body, body)}\n}}\n"


@pytest.mark.parametrize("body", WALKS)
def test_walking_pointers(body: str) -> None:
    head = "void f(int n, int h, float s, float *a, float *o) { "
    assert walked(f"{head}{body}\n}}\n") == f"{head}{WALKS[body]}\n}}\n"


CLAUSES = {
    "int i; for (s = 0, i = 0; i < n; s += a[i] * o[i], i++) ;":
        "int i; s = 0; for (i = 0; i < n; i++) s += a[i] * o[i];",
    "int i; float m; for (i = 0, m = 1; i < n; i++, m *= 2) { o[i] = m; }":
        "int i; float m; m = 1; for (i = 0; i < n; i++) { o[i] = m; m *= 2; }",
    "int i, j; for (i = 0, j = n; i < j; i++, j--, s *= 2) o[i] = a[j];":
        "int i, j; for (i = 0, j = n; i < j; i++, j--) { o[i] = a[j]; s *= 2; }",
    "int i, j; for (i = 0, j = 0; i < n; ) { o[i] = s; i++, j += 2; }":
        "int i, j; j = 0; for (i = 0; i < n; ) { o[i] = s; i++; j += 2; }",
    "float *p; for (s = 0, p = a; p < a + n; s += *p, p++) ;":
        "float *p; s = 0; for (p = a; p < a + n; p++) s += *p;",
    "int i; for (i = 0; i < n; i++, s *= 2)\n{\n  o[i] = s;\n}":
        "int i; for (i = 0; i < n; i++)\n{\n  o[i] = s;\n  s *= 2;\n}",
}  # fmt: skip
NO_CLAUSES = (
    "int i; for (i = 0; i < n; i++, s += a[i]) ;",
    "int i; for (i = 0, o[i] = 1; i < n; i++) *o = 1;",
    "int i; for (i = 0; i < n; i++, s *= 2) { if (a[i] > 0) continue; o[i] = s; }",
    "int i; for (i = 0, s = i; i < n; i++) o[i] = s;",
)


@pytest.mark.parametrize("body", [*CLAUSES, *NO_CLAUSES])
def test_what_a_head_does_beside_counting(body: str) -> None:
    head = "void f(int n, int h, float s, float *a, float *o) { "
    file = parsed(f"{head}{body} }}\n")
    made = with_plain_clauses(file, text_of(file, definition(file, "f")))
    assert edited(file.text, made.edits) == f"{head}{CLAUSES.get(body, body)} }}\n"


WALKS_LEFT = {
    "for (; *a; a++) s += *a;": "`a` walks until the data say so: say how many elements there are, or use a counter",
    "for (int i = 0; i < n; i++) if (a[i] > 0) *o++ = a[i];": "`o` walks on only where a condition holds",
    "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) *o++ = s;":
        "`o` does not move on by the same number of elements each time",
    "while (n--) s += *a++; s /= n;": "`n` is counted down, and used behind that: keep a copy of it",
    "for (float *p = a; p < a + n; p += 3) s += *p;": "a pointer walks in steps of 3: use a counter and `[]`",
    "while (a != o) s += *a++;": "`a` and `o` are two parameters: hand over one, and how many elements there are",
    "for (int t = 0; t < h; t++) { o[0] = a[0]; float *x = a; a = o; o = x; }":
        "`o` is made to point elsewhere in each iteration",
    "int i; for (i = 0; i < n; i++, a++) if (*a < 0) break; s = *a;":
        "how far `a` has walked behind its loop is not known",
    "float *p = (float *)((char *)a + n); p++; *p = s;": "a pointer is taken for one of another type",
    "float *p; p = malloc(n * sizeof *p); p[0] = s;":
        "memory is allocated here; hand the array over as a parameter",
    "float *p; p = (float *)malloc(n * 4); p[0] = s;":
        "memory is allocated here; hand the array over as a parameter",
}  # fmt: skip


def test_an_unsigned_count_does_not_go_below_zero() -> None:
    head = "void f(unsigned n, float s, float *a) { "
    body = "for (float *p = a + 1; p < a + n; p++) s += *p;"
    assert walked(f"{head}{body} }}") == f"{head}for (unsigned i = 0; i + 1 < n; i++) s += a[i + 1]; }}"


@pytest.mark.parametrize("body", WALKS_LEFT)
def test_what_walks_otherwise_is_left(body: str) -> None:
    with pytest.raises(CannotPort) as left:
        walked(f"void f(int n, int h, float s, float *a, float *o) {{ {body} }}")
    assert left.value.reason.startswith(WALKS_LEFT[body])


WHILES = {
    "int i = 0; while (i < n) { s += a[i]; i++; }": "int i = 0; for (i = 0; i < n; i++) { s += a[i]; }",
    "int i; i = n - 1; while (i >= 0) { s += a[i]; --i; }": "int i; for (i = n - 1; i >= 0; --i) { s += a[i]; }",
    "int i = 2; s = i; while (n > i) { s += a[i]; i += 2; }":
        "int i = 2; s = i; for (i = 2; n > i; i += 2) { s += a[i]; }",
    "int i = 0; do { a[i] = s; } while (++i < n);": "int i = 0; for (i = 0; i < n; ++i) { a[i] = s; }",
    "int i = 0; do a[i] = s; while (++i < n);": "int i = 0; for (i = 0; i < n; ++i) a[i] = s;",
    "int i; i = 1; do { a[i] = s; i += 2; } while (i <= n - 1);":
        "int i; for (i = 1; i <= n - 1; i += 2) { a[i] = s; }",
    "int i = n; do { s += a[i]; i--; } while (i > 0); s += i;":
        "int i = n; for (i = n; i > 0; i--) { s += a[i]; } s += i;",
}  # fmt: skip
NO_WHILES = (
    "int i = 0; while (i < n) { if (a[i] < 0) { i++; continue; } s += a[i]; i++; }",
    "int i = 0; while (i < n) { i *= 2; i++; }",
    "int i = h; h = 3; i++; while (i < n) { s += a[i]; i++; }",
    "int i; while (i < n) { i++; s += a[i]; }",
    "int i = 0; do { if (s > 0) continue; s += a[i]; i++; } while (i < n);",
    "int i = 0; do { s += a[i]; i++; n--; } while (i < n);",
    "int i = n; do { i--; s += a[i]; } while (i > 0);",
    "int i; do { s += a[i]; i++; } while (i < n);",
    "do { s *= 2; } while (s < 10);",
)


@pytest.mark.parametrize("body", [*WHILES, *NO_WHILES])
def test_a_while_that_counts(body: str) -> None:
    head = "void f(int n, int h, float s, float *a) { "
    file = parsed(f"{head}{body}\n}}\n")
    made = edited(file.text, with_for_loops(file, text_of(file, definition(file, "f"))).edits)
    assert made == f"{head}{WHILES.get(body, body)}\n}}\n"


MACROS = """\
#define AT(m, r, c) ((m)->data[(r) * (m)->ld + (c)])
#define NEXT(p) (*(p)++)
#define SQ(x) ((x) * (x))
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define ROW(m, r) (&AT(m, r, 0))
#define CAST(t, x) ((t)(x))
#define NAME(a, b) a##b[0]
struct m { int ld; float *data; };
"""
WRITTEN_OUT = {
    "AT(m, i + 1, i) = 2;": "m->data[(i + 1) * m->ld + i] = 2;",
    "s = SQ(AT(m, i, i));": "s = (m->data[i * m->ld + i] * m->data[i * m->ld + i]);",
    "s = SQ(s) + NEXT(p);": "s = SQ(s) + (*p++);",
    "EACH(k, i) s += k;": "for (int k = 0; k < i; k++) s += k;",
    "s = *ROW(m, i);": "s = *(&m->data[i * m->ld + 0]);",
    "s = AT(m, (int)AT(m, i, i), i);": "s = m->data[((int)m->data[i * m->ld + i]) * m->ld + i];",
    "s = CAST(int, *p++);": "s = ((int)(*p++));",
    "s = CAST(int, s); SQ;": "s = CAST(int, s); SQ;",
    "s = NAME(, p);": "s = NAME(, p);",
}


@pytest.mark.parametrize("body", WRITTEN_OUT)
def test_macros_that_hide_elements_and_loops(body: str) -> None:
    head = "void f(struct m *m, float *p, int i, float s) { "
    file = parsed(f"{MACROS}{head}{body} }}\n".replace(" SQ;", ""))
    found = without_macros(file, text_of(file, definition(file, "f")))
    assert edited(file.text, found.edits) == f"{MACROS}{head}{WRITTEN_OUT[body]} }}\n".replace(" SQ;", "")


def test_a_name_in_a_macro_is_not_taken_for_a_parameter_of_the_one_around() -> None:
    text = "#define IN(x) (x)[m]\n#define OUT(m) (IN(a) + (m))\nvoid f(float *a, int m, int k) { m = OUT(k); }\n"
    file = parsed(text)
    edits = without_macros(file, text_of(file, definition(file, "f"))).edits
    assert edited(text, edits).endswith("{ m = (a[m] + k); }\n")


def test_functions_of_the_library_become_functions_of_the_file() -> None:
    text = (
        "#include <ctype.h>\nint seen(int c);\nstatic int bits(int c) { return __builtin_popcount(c); }\n"
        "int f(int n, char *s) { int k = 0; for (int i = 0; i < n; i++) k += bits(s[i]) + isdigit(s[i]) + seen(1);"
        " return k; }\n"
    )
    made = edited(text, with_own_functions(parsed(text), "f").edits)
    assert "static int bits_popcount(unsigned x) {" in made and "return bits_popcount(c);" in made
    assert made.index("int is_digit(int c)") < made.index("int f(int n") and "+ is_digit(s[i]) + seen(1)" in made


def test_own_functions_are_those_of_the_library(tmp_path: Path) -> None:
    """Each is compiled beside what it stands for, and both are asked the same."""
    body = ""
    for name, own in OWN_FUNCTIONS.items():
        ctype = own.definition.partition("(")[2].partition(" x")[0].partition(" c")[0]
        value = "y > 1 && c > 1000 ? y : 1" if "builtin" in name else "c % 128"
        compared = f"!{own.name}(y) != !{name}(y)" if name.startswith("is") else f"{own.name}(y) != {name}(y)"
        loop = f"for (int c = 0; c < 4000; c++) {{ {ctype} y = ({ctype})(c * 0x9e3779b97f4a7c15u); y = {value};"
        body += f'    {loop} if ({compared}) {{ puts("{name}"); return 1; }} }}\n'
    functions = "\n".join(own.definition for own in OWN_FUNCTIONS.values())
    file = tmp_path / "t.c"
    headers = "#include <ctype.h>\n#include <stdio.h>\n"
    file.write_text(f"{headers}{functions}\nint main(void)\n{{\n{body}    return 0;\n}}\n")
    subprocess.run(["gcc", "-w", str(file), "-o", str(tmp_path / "t")], check=True)
    done = subprocess.run([str(tmp_path / "t")], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


MADE = """\
#define AXPY(name, T) \\
    void name(int n, T a, const T *x, T *y) { for (int i = 0; i < n; i++) y[i] += a * x[i]; }
#define BOTH(T) static T add_##T(T a, T b) { return a + b; } \\
    T sum_##T(const T *a, int n) { T s = 0; for (int i = 0; i < n; i++) s = add_##T(s, a[i]); return s; }
AXPY(saxpy, float)
int k;
BOTH(double);
void plain(int *a) { for (int i = 0; i < 9; i++) a[i] = 0; }
"""


def test_functions_that_a_macro_makes_are_written_out() -> None:
    file = parsed(MADE)
    made = edited(MADE, without_macro_around(file, "saxpy").edits)
    assert made.endswith("int k;" + MADE.partition("int k;")[2])
    assert (
        "\nvoid saxpy(int n, float a, const float *x, float *y)\n{\n  for (int i = 0; i < n; i++)\n    y[i] += a"
        in made
    )
    made = edited(MADE, without_macro_around(file, "sum_double").edits)
    assert "static double add_double(double a, double b)\n{\n  return a + b;\n}\n\ndouble sum_double(" in made
    assert "}\nvoid plain" in made
    assert not without_macro_around(file, "plain").edits


SWAPS = {
    "int t; for (t = 0; t < h; t++) { o[t] = a[t]; float *x = a; a = o; o = x; }":
        "int t; for (t = 0; t < h; t++) {\n    if (t % 2 == 0) {\n        o[t] = a[t];\n    } else {\n"
        "        a[t] = o[t];\n    }\n}",
    "float *x; for (int t = 0; t < h; ++t) {\n    p.a = o[t] - a[t]; // a\n    x = o; o = a; a = x;\n}":
        "float *x; for (int t = 0; t < h; ++t) {\n    if (t % 2 == 0) {\n        p.a = o[t] - a[t];\n    } else {\n"
        "        p.a = a[t] - o[t];\n    }\n}",
}  # fmt: skip
NO_SWAPS = (
    "for (int t = 0; t < h; t++) { o[t] = a[t]; float *x = a; a = o; o = x; } a[0] = 1;",  # which one is it?
    "for (int t = 1; t < h; t++) { o[t] = a[t]; float *x = a; a = o; o = x; }",
    "for (int t = 0; t < h; t++) { o[t] = a[t]; float *x = a; a = o; o = a; }",
    "for (int t = 0; t < h; t++) { o[t] = a[t]; if (s > 0) continue; float *x = a; a = o; o = x; }",
    "for (int t = 0; t < h; t++) { a++; o[t] = a[t]; float *x = a; a = o; o = x; }",
    "for (int t = 0; t < h; t++) { o[t] = a[t]; t++; float *x = a; a = o; o = x; }",
    "float *x; for (int t = 0; t < h; t++) { o[t] = x[t]; x = a; a = o; o = x; }",
    "for (int q = 0; q < 2; q++) for (int t = 0; t < h; t++) { o[t] = a[t]; float *x = a; a = o; o = x; }",
    "for (int t = 0; t < h; t++) { o[t] = a[t]; float x = s; s = n; n = x; }",
)


@pytest.mark.parametrize("body", [*SWAPS, *NO_SWAPS])
def test_arrays_that_change_places(body: str) -> None:
    head = "struct q { float a; };\nvoid f(int n, int h, float s, float *a, float *o, struct q p) {\n"
    file = parsed(f"{head}{body} }}\n")
    made = without_swaps(file, text_of(file, definition(file, "f")))
    assert edited(file.text, made.edits) == f"{head}{SWAPS.get(body, body)} }}\n"


def test_a_pointer_to_a_function_is_told_as_that() -> None:
    plain, named = "void f(int *a, int (*g)(int))", "typedef int (*t)(int); void f(int *a, t g)"
    for text in (f"{plain} {{ a[0] = g(1); }}", f"{named} {{ a[0] = g(1); }}"):
        with pytest.raises(CannotPort) as left:
            body_of(text)
        assert left.value.reason == "`g` is a pointer to a function"
        assert left.value.helps[0].startswith("write one function for each that is handed over, as `f_with_g`")


def test_a_pointer_to_a_function_that_is_not_used_stays_behind() -> None:
    loop = "for (int i = 0; i < n; i++) a[i] = i;"
    for head in ("int (*g)(int)", "int g(int)", "t g"):
        text = f"typedef int (*t)(int);\nvoid f(int *a, int n, {head}) {{ {loop} }}\n"
        assert head_of(text).splitlines()[1].startswith("void f_sized(int n, int a[static const restrict n])")


ALLOCATED = {
    "float *t = malloc(n * sizeof *t); LOOP free(t);": ("float *t", "n", "free(t);"),
    "float *t = (float *)calloc(n, sizeof(float)); if (!t) return; LOOP": ("float *t", "n", ""),
    "int m = n + 1; float *t = malloc(m * sizeof *t); LOOP free(t);": ("float *t", "m", "free(t);"),
    "float *t, *u; t = malloc(n * 4); u = malloc(n); LOOP free(t); free(u);":
        ("float *t, float *u", " ", "free(t);free(u);"),
    "float *t; t = malloc(sizeof(float) * n * 2); if (t == NULL) { exit(1); } LOOP": ("float *t", "n * 2", ""),
    "float *t = malloc(n * sizeof *t); LOOP g = t;": None,
    "float *t = malloc(n * sizeof *t), s; LOOP free(t);": None,
    "float *t = malloc(n * sizeof *t); LOOP t = a; free(t);": None,
    "int m = a[0]; float *t = malloc(m * sizeof *t); LOOP free(t);": None,
    "float *t = malloc(n * sizeof *t); LOOP if (n) return; free(t);": None,
    "for (int k = 0; k < n; k++) { float *t = malloc(4); t[0] = 1; free(t); }": None,
}  # fmt: skip


@pytest.mark.parametrize("body", ALLOCATED)
def test_memory_of_the_function_is_a_parameter(body: str) -> None:
    loop = "for (int i = 0; i < n; i++) t[i] = a[i];"
    body_text = body.replace("LOOP", loop)
    text = f"#include <stdlib.h>\nextern float *g;\nvoid f(int n, float *a)\n{{\n    {body_text}\n}}\n"
    file = parsed(text)
    made = without_allocations(file, text_of(file, definition(file, "f")))
    wanted = ALLOCATED[body]
    if wanted is None:
        assert not made.changes.edits
        return
    parameters, counts, behind = wanted
    after = edited(text, made.changes.edits)
    assert f"void f(int n, float *a, {parameters})" in after and made.head == "void f(int n, float *a)"
    assert " ".join(made.counts.values()) == counts and "".join(each.strip() for each in made.behind) == behind
    assert "alloc" not in after.partition("{")[2] and "alloc" in made.before and "free" not in after
    parsed(after)


DIVIDED = {
    "int m = (n - p) / s + 1;": (["(n - p) / s + 1"], [("p", "n")]),
    "int m = n / s;": (["n / s"], []),
    "const int k = 2 * n / s, m = k - n / p;": (["2 * n / s", "(2 * n / s) - n / p"], []),
    "int m; m = n / s;": ([], []),
    "int m = n / s; m++;": ([], []),
    "int m = 1 << p;": (["1 << p"], []),
    "int m = n / 4;": ([], []),
    "float m = n / s;": ([], []),
    "int m = n / s, k = a[0];": ([], []),
    "int m = n / s; n = 3;": ([], []),
}


@pytest.mark.parametrize("body", DIVIDED)
def test_sizes_that_are_divided_out_of_others(body: str) -> None:
    head, loop = "void f(int n, int p, int s, int *a)\n{\n", "    for (int i = 0; i < m; i++) a[i] = 0;\n}\n"
    file = parsed(f"{head}    {body}\n{loop}")
    made = without_computed_sizes(file, text_of(file, definition(file, "f")))
    values, orders = DIVIDED[body]
    assert [each.value for each in made.sizes] == values
    assert edited(file.text, made.changes.edits) == (head + loop if values else file.text)
    found = [each.quotient.least_dividend() for each in made.sizes if each.quotient is not None]
    assert [tuple(map(spelled, each)) for each in found if each is not None] == orders


def test_what_is_divided_is_handed_over() -> None:
    """A product with the divisor again is not more than what was divided."""
    text = (
        "void f(int n, int p, int s, const float *x, float *y) {\nint m = (n - p) / s + 1;\nfor (int i = 0; i < m; i++)"
    )
    text += " for (int j = 0; j < p; j++) y[i] += x[i * s + j];\n}\n"
    file = parsed(text)
    divided = without_computed_sizes(file, text_of(file, definition(file, "f")))
    after = file.with_edits(divided.changes.edits)
    head = with_sized_arrays(after, text_of(after, definition(after, "f")), (), divided=divided.sizes)
    made = edited(after.text, head.changes.edits)
    assert "f_sized(int n, int p, int s, int m, const float x[static const restrict n]," in made
    assert "float y[static const restrict m])" in made and "f_sized(n, p, s, (n - p) / s + 1, x, y);" in made
    for told in ("1 <= s", "p <= n", "m == (n - p) / s + 1"):
        assert f"__pencil_assume({told});" in made


OPTIONAL = {
    "if (e) *e = s;": "if (has_e) *e = s;",
    "if (e != NULL) { *e = s; }": "if (has_e) { *e = s; }",
    "if (NULL == e || n < 1) return; *e = s;": "if (!has_e || n < 1) return; *e = s;",
    "if (0 != e && n > 0) e[0] = s;": "if (has_e && n > 0) e[0] = s;",
    "if (!e) return; *e = e ? s : 0;": "if (!has_e) return; *e = has_e ? s : 0;",
    "if (e) e[n] = s;": "if (has_e) e[n] = s;",
    "if (e) e[n] = e[0];": "if (has_e) e[n] = e[0];",
    "if (e) e = 0;": "",
    "x = e ? e : x;": "",
    "if (e < x) *e = s;": "",
    "*e = s;": "",
}


@pytest.mark.parametrize("body", OPTIONAL)
def test_pointers_to_one_value_that_may_be_null(body: str) -> None:
    file = parsed(f"#define NULL 0\nvoid f(int n, float s, float *x, float *e) {{\n    {body}\n}}\n")
    made = without_optional_values(file, text_of(file, definition(file, "f")))
    assert bool(made.changes.edits) == bool(OPTIONAL[body])
    if made.changes.edits:
        assert edited(file.text, made.changes.edits).splitlines()[1:3] == [
            "void f(int n, float s, float *x, float *e, int has_e) {", f"    {OPTIONAL[body]}",
        ]  # fmt: skip
        assert made.head == "void f(int n, float s, float *x, float *e)"
        has, *rest = made.before.split("\n")
        assert has == "    int has_e = e != 0;" and made.asked == {"e": "has_e"}
        assert made.arrays == (frozenset("e") if "[n]" in body else frozenset())
        assert rest == ([] if made.arrays else ["    float no_e = 0;", "    if (!has_e)", "        e = &no_e;"])


def test_arrays_that_may_be_null_have_no_elements_then() -> None:
    text = "void f(int n, int has_e, const float *e, float *o) {\n"
    text += "    for (int i = 0; i <= n; i++) o[i] = has_e ? e[i] : 0;\n}\n"
    file = parsed(text)
    made = with_sized_arrays(file, text_of(file, definition(file, "f")), (), Around(optional={"e": "has_e"}))
    after = edited(text, made.changes.edits)
    assert "const float e[static const restrict has_e * (n + 1)]" in after and "restrict n + 1]" in after
    assert "    __pencil_assume(0 <= has_e);\n    __pencil_assume(has_e <= 1);\n" in after
    assert not [each for each in made.changes.promises if "has_e" in each]


def test_arrays_of_which_the_same_data_pick_elements_are_as_large() -> None:
    head = "void f(int n, int m, const float *a, float *b, const int (*t)[2]) {\nfor (int i = 0; i < m; i++) "
    picks = "b[t[i][0]] = a[t[i][1]];"
    after = head_of(f"{head}{picks}\nfor (int i = 0; i < n; i++) b[i] *= 2;\n}}\n")
    assert "const float a[static const restrict n]" in after and "float b[static const restrict n]" in after
    after = head_of(f"{head}{picks}\n}}\n".replace("int n, ", ""))
    assert (
        "    for (int k = 0; k < m; k++)\n        for (int k_1 = 0; k_1 < 2; k_1++)\n"
        "            if (t[k][k_1] >= b_count)\n                b_count = t[k][k_1] + 1;\n"
    ) in after


def test_sizes_of_64_bits_are_small() -> None:
    head = "void f(size_t n, unsigned long m, unsigned long int k, unsigned u, long l, size_t t)"
    file = parsed(f"#include <stddef.h>\n{head}\n{{\n    for (t = 0; t < n; t++) ;\n}}\n")
    small = small_sizes(text_of(file, definition(file, "f")))
    assert small == [f"{name} <= 2147483647" for name in ("n", "m", "k")]


MEASURED = {
    "int n = strlen(s); for (int i = 0; i < n; i++) s[i] = 1;": ("for (int i = 0; i < n; i++) s[i] = 1;", "int n"),
    "int k = 1, n = (int)strlen(s); for (int i = k; i < n; i++) s[i] = 1;":
        ("int k = 1; for (int i = k; i < n; i++) s[i] = 1;", "int n"),
    "for (size_t i = 0; i < strlen(s); i++) k += s[i];":
        ("for (size_t i = 0; i < s_length; i++) k += s[i];", "size_t s_length"),
    "for (int i = 0; s[i] != 0; i++) s[i] = 1;": ("for (int i = 0; i < s_length; i++) s[i] = 1;", "int s_length"),
    "int i = 0; while (s[i]) { k += s[i]; i++; }":
        ("int i = 0; while (i < s_length) { k += s[i]; i++; }", "int s_length"),
    "while (*s) k += *s++;":
        ("const char *const s_end = s + s_length; while (s < s_end) k += *s++;", "size_t s_length"),
    "for (char *p = s; *p; p++) *p = 1;":
        ("const char *const s_end = s + s_length; for (char *p = s; p < s_end; p++) *p = 1;", "size_t s_length"),
}  # fmt: skip


@pytest.mark.parametrize("body", MEASURED)
def test_lengths_of_strings_are_handed_over(body: str) -> None:
    want, parameter = MEASURED[body]
    text = f"#include <string.h>\nint f(char *s, int k)\n{{\n    {body}\n    return k;\n}}\n"
    file = parsed(text)
    made = without_measuring(file, text_of(file, definition(file, "f")))
    after = edited(text, made.changes.edits)
    assert " ".join(after.split()) == " ".join(
        f"#include <string.h> int f(char *s, int k, {parameter}) {{ {want} return k; }}".split()
    )
    assert made.head == "int f(char *s, int k)" and made.lengths == {"s": parameter.split()[-1]}
    assert made.before.split(" = ")[0].strip() == parameter and "strlen(s)" in made.before


@pytest.mark.parametrize("body", [
    "for (int i = 0; i < strlen(s); i++) s[k] = 0;",  # may become shorter
    "for (int i = 0; s[i]; i++) s[i + 1] = 0;",
    "for (int i = 0; s[i]; i++) if (s[i] == k) break;",  # there may be no end
    "for (int i = 1; s[i]; i++) k += s[i];",
    "while (*s) { if (*s == k) s++; s++; }",
    "while (*s) { if (*s == k) continue; s++; }",
    "while (*s) { k += *s++; *s = 0; }",
    "char *p = s; while (*p) { p++; } while (*p) p++;",
])  # fmt: skip
def test_strings_whose_end_may_be_elsewhere_stay(body: str) -> None:
    file = parsed(f"#include <string.h>\nint f(char *s, int k)\n{{\n    {body}\n    return k;\n}}\n")
    assert not without_measuring(file, text_of(file, definition(file, "f"))).changes.edits


PARTS = {
    "y[i] = dot(n, x, w);": ("", ""),
    "y[i] = dot(n, &x[i * n], w);": (
        "y[i] = dot_part(n, i * n, x, w);",
        "int a_begin, const float a[a_begin + n], const float b[n]",
    ),
    "y[i] = dot(n, x, &w[i]) + dot(n, &x[i ? 1 : 2], w);": (
        "y[i] = dot_part(n, 0, x, i, w) + dot_part(n, i ? 1 : 2, x, 0, w);",
        "int a_begin, const float a[a_begin + n], int b_begin, const float b[b_begin + n]",
    ),
    "y[i] = dot(n, &x[m], w);": (
        "y[i] = dot_part(n, m, x, w);",
        "long a_begin, const float a[a_begin + n], const float b[n]",
    ),
}


@pytest.mark.parametrize("call", PARTS)
def test_helpers_that_are_given_parts_of_arrays(call: str) -> None:
    helper = "float dot(int n, const float a[n], const float b[n]) { return a[0] * b[n > 1 ? 1 : 0]; }\n"
    text = f"{helper}void f(int n, long m, const float *x, const float *w, float *y) {{\n"
    text += f"for (int i = 0; i < n; i++) {call} }}\n"
    file = parsed(text)
    made = with_parts(file, text_of(file, definition(file, "f")))
    after = edited(text, made.changes.edits)
    wanted, parameters = PARTS[call]
    if not wanted:
        assert after == text and not made.copied
        return
    assert made.copied == ("dot",) and made.made == ("dot_part",)
    assert wanted in after and f"static float dot_part(int n, {parameters})" in after
    assert "a[a_begin + 0]" in after and ("b[b_begin + (n > 1 ? 1 : 0)]" in after) == ("b_begin" in parameters)
    again = parsed(after)
    assert not with_parts(again, text_of(again, definition(again, "f"))).changes.edits


def test_calls_that_macros_make_stay_where_no_part_is_handed_over() -> None:
    text = "static int top(int n, const int a[n]) { return a[0]; }\n#define TOP(a) top(n, a)\n"
    text += "void f(int n, const int *x, int *y) { for (int i = 0; i < n; i++) y[i] = TOP(x); }\n"
    file = parsed(text)
    assert not with_parts(file, text_of(file, definition(file, "f"))).changes.edits


def test_a_part_is_handed_on_as_one() -> None:
    text = (
        "static float dot(int n, const float a[n]) { return a[0] * n; }\n"
        "static void norm(int n, float v[n]) { float s = dot(n, v); v[0] /= s; }\n"
        "void f(int n, float *x) { for (int i = 0; i < n; i++) norm(n, &x[i * n]); }\n"
    )
    file = parsed(text)
    for name in ("f", "norm_part"):
        file = file.with_edits(with_parts(file, text_of(file, definition(file, name))).changes.edits)
    assert (
        "norm_part(n, i * n, x);" in file.text
        and "float s = dot_part(n, v_begin, v); v[v_begin + 0] /= s;" in file.text
    )
    assert (
        "static float dot_part(int n, int a_begin, const float a[a_begin + n]) { return a[a_begin + 0] * n; }"
        in file.text
    )


INLINED = {
    "y[k] = at(x, 2, k);": "y[k] = x[k * 2 + 1];",
    "y[k] = at(x + k * 3, 2, k);": "y[k] = x[k * 3 + (k * 2 + 1)];",
    "y[k] = at(&x[k ? 1 : 2], 2, k);": "y[k] = x[(k ? 1 : 2) + (k * 2 + 1)];",
    "y[k] = at(x + k - 1, 2, k);": "y[k] = x[k - 1 + (k * 2 + 1)];",
    "y[k] = at(x - k, 2, k);": "",
    "y[k] = at(x + k++, 2, k);": "",
}


@pytest.mark.parametrize("call", INLINED)
def test_small_helpers_that_are_given_parts_of_arrays(call: str) -> None:
    helper = "static float at(const float *a, int w, int i) { return a[i * w + 1]; }\n"
    text = f"{helper}void f(int n, const float *x, float *y) {{ for (int k = 0; k < n; k++) {call} }}\n"
    file = parsed(text)
    after = edited(text, with_inlined_helpers(file, text_of(file, definition(file, "f"))).edits)
    assert after == (text.replace(call, INLINED[call]) if INLINED[call] else text)
