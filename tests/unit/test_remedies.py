"""What a message says to write instead can be pasted into the file it speaks of, which compiles then."""

from __future__ import annotations

import re

import pytest

from pencilc.diagnostics.diagnostic import Diagnostic, SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions

HEAD = (
    "#include <pencil.h>\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\n"
    "static void zero(float *v) { *v = 0; }\n"
)
ADD = "static float add(float a, float b) { return a + b; }\n"


def told(text: str) -> tuple[Diagnostic, ...]:
    try:
        return compile_source(SourceFile("t.c", text), CompileOptions(), "mapping").diagnostics
    except SourceErrors as errors:
        return errors.diagnostics


def code(helps: tuple[str, ...], before: str = "") -> str:
    """The first text in backticks of the help in which `before` stands, behind that."""
    text = next(h for h in helps if before in h)
    found = re.search(r"`([^`]+)`", text[text.index(before) :])
    assert found is not None
    return found.group(1)


def helps_of(text: str, wanted: str) -> tuple[str, ...]:
    found = next(d for d in told(text) if d.code == wanted)
    for words in (found.message, found.label, *found.notes, *found.remedies, *(s.text for s in found.secondary)):
        assert not re.search(r"\b[a-z]\w*_\d\b|<init>", words), words
    return found.remedies


def summed(update: str, before: str = "", operator: str = "") -> str:
    return (
        f"{HEAD}{before}{operator}float f(int n, const float a[static const restrict n]) {{\n    float s;\n"
        f"    __pencil_reduction_var_init(&s, zero);\n    for (int i = 0; i < n; i++)\n        {update}\n"
        "    return s;\n}\n"
    )


# What an operator does beside combining goes to the element; the operator that is left may be there already.
OPERATORS = {
    "a - b": "__pencil_reduction(&s, -a[i], add);",
    "a + b * b": "__pencil_reduction(&s, a[i] * a[i], add);",
    "b * b + a": "__pencil_reduction(&s, a[i] * a[i], add);",
    "a + b * b + 1": "__pencil_reduction(&s, a[i] * a[i] + 1, add);",
    "fmaxf(a, fabsf(b) * 2)": "__pencil_reduction(&s, fabsf(a[i]) * 2, larger);",
    "a > b * b ? a : b * b": "__pencil_reduction(&s, a[i] * a[i], larger);",
    "a * (b + 1)": "__pencil_reduction(&s, a[i] + 1, multiply);",
}


@pytest.mark.parametrize("has_add", [False, True])
@pytest.mark.parametrize("operator", OPERATORS)
def test_operators_that_change_their_element(operator: str, has_add: bool) -> None:
    update = "__pencil_reduction(&s, a[i], odd);"
    before = ADD if has_add else ""
    text = summed(update, before, f"static float odd(float a, float b) {{ return {operator}; }}\n")
    helps = helps_of(text, "PC0208")
    assert not any("write the identity" in words for d in told(text) for words in d.remedies)  # for it has none
    assert code(helps, "write `") == OPERATORS[operator]
    text = text.replace(update, OPERATORS[operator])
    if ", and `" in helps[0]:
        assert not (has_add and "add" in OPERATORS[operator])
        text = text.replace("float f(", code(helps, ", and `") + "\nfloat f(")
    assert not [d for d in told(text) if d.code not in ("PC0208", "PC0209")]
    assert not [d for d in told(text) if d.severity.value == "error"]


def test_an_operator_that_nothing_is_known_of() -> None:
    helps = helps_of(summed("__pencil_reduction(&s, a[i], odd);", "",
                            "static float odd(float a, float b) { return (a + b) / 2; }\n"), "PC0208")  # fmt: skip
    assert "tie" not in helps[0] and "second argument" in helps[0]


PLAIN = (
    HEAD + ADD + "float f(int n, const float a[static const restrict n]) {\n    float s = 0;\n"
    "    for (int i = 0; i < n; i++)\n        s += a[i] * 2;\n    return s;\n}\n"
)


def test_a_plain_float_sum() -> None:
    text = PLAIN.replace("    for", "#pragma scop\n    for").replace("    return s;", "#pragma endscop\n    return s;")
    helps = helps_of(text, "PC0701")
    assert "-fassociative-math" in helps[2]
    pragma = code(helps, "write `#pragma")
    assert told(text.replace("    for", f"{pragma}\n    for")) == ()
    init, update = code(helps, "starts from 0, "), code(helps, "and `__pencil_reduction(")
    assert (init, update) == (
        "__pencil_reduction_var_init(&s, zero);", "__pencil_reduction(&s, a[i] * 2, add);"
    )  # fmt: skip
    assert told(text.replace("    for", f"    {init}\n    for").replace("s += a[i] * 2;", update)) == ()


DATA = "const int c[static const restrict n], const float a[static const restrict n]"
STRUCT = "typedef struct { float low, high, sum; int count; } T;\n"
# Parameters, what is in front of the loop, its body, and the clauses that are told.
BY_CLAUSE = {
    "bins": (f"{DATA}, float t[static const restrict n]", "", "t[c[i]] += a[i];", "(+: t)"),
    "members of bins": (f"{DATA}, T t[static const restrict n]", STRUCT,
                        "int b = c[i]; t[b].sum += a[i]; t[b].count++;", "(+: t)"),
    "members beside extremes": ("const float a[static const restrict n], T t[static const restrict 1]", STRUCT,
                                "t[0].low = fminf(t[0].low, a[i]); if (a[i] > t[0].high) t[0].high = a[i];"
                                " t[0].sum += a[i]; t[0].count++;", "(+: t)"),
    "two sums and a count": (f"{DATA}, float s[static const restrict 2], int m[static const restrict 9]", "",
                             "s[0] += a[i]; s[1] += a[i] * a[i]; m[c[i] & 7]++;", "(+: s)"),
    "a sum and a product": ("const float a[static const restrict n], float s[static const restrict 2],"
                            " float p[static const restrict 2]", "",
                            "s[0] += a[i]; p[0] *= a[i];", "(+: s) reduction(*: p)"),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_CLAUSE)
def test_one_clause_allows_all_sums_of_a_loop(name: str) -> None:
    """Where elements are chosen by data there is no place for one init; no word is lost about other ways out."""
    parameters, before, body, clause = BY_CLAUSE[name]
    text = f"{HEAD}{before}void f(int n, {parameters}) {{\n#pragma scop\n    for (int i = 0; i < n; i++) {{ {body} }}\n"
    text += "#pragma endscop\n}\n"
    found = told(text)
    assert {d.code for d in found} <= {"PC0701", "PC0301"}
    helps = [words for d in found for words in d.remedies]
    pragma = f"#pragma pencil reduction{clause}"
    assert f"write `{pragma}` before the loop at line {text[: text.index('    for')].count(chr(10)) + 1}" in helps
    assert not any(
        "no two iterations" in words or "var_init(&t[" in words for words in helps if "members b" not in name
    )
    assert told(text.replace("    for", f"{pragma}\n    for")) == ()


def test_rows_are_initialised_inside_of_the_loop_that_counts_them() -> None:
    text = (
        f"{HEAD}void f(int n, const float a[static const restrict n][n], float r[static const restrict n]) {{\n"
        "#pragma scop\n    for (int i = 0; i < n; i++) {\n        for (int j = 0; j < n; j++)\n"
        "            r[i] += a[i][j];\n    }\n#pragma endscop\n}\n"
    )
    (candidates,) = compile_source(SourceFile("t.c", text), CompileOptions(), "scop").candidates
    helps = [each.help for each in candidates[0].fixes]
    (bare,) = compile_source(SourceFile("t.c", text.replace("i++) {", "i++)").replace("    }\n", "")), CompileOptions(),
                             "scop").candidates  # fmt: skip
    assert not any("var_init" in way for way in bare[0].ways)
    assert "`#pragma pencil reduction(+: r)` before the loop at line 8" in helps[0]
    assert "`__pencil_reduction_var_init(&r[i], zero);` before the loop at line 9" in helps[1]


def test_the_clause_is_not_advised_where_the_loop_carries_more() -> None:
    text = (
        HEAD + "float f(int n, float a[static const restrict n]) {\n    float s = 0;\n#pragma scop\n"
        "    for (int i = 1; i < n; i++) {\n        a[i] = a[i - 1] + s;\n        s += a[i];\n    }\n"
        "#pragma endscop\n    return s;\n}\n"
    )
    assert not any("#pragma pencil" in h for d in told(text) for h in d.remedies)


FILLED = {
    "memset(h, 0, 256 * sizeof(unsigned));": "for (int k = 0; k < 256; k++) h[k] = 0;",
    "memset(h, 0, sizeof(unsigned) * n);": "for (int k = 0; k < n; k++) h[k] = 0;",
    "memset(&h[0], 0, n * sizeof(*h));": "for (int k = 0; k < n; k++) h[k] = 0;",
    "memset(m, 0, sizeof(int) * n * 4);": "for (int k = 0; k < n; k++) for (int l = 0; l < 4; l++) m[k][l] = 0;",
    "memcpy(h, g, n * sizeof(unsigned));": "for (int k = 0; k < n; k++) h[k] = g[k];",
    "memset(h, 255, sizeof(unsigned) * n);": "",
}


@pytest.mark.parametrize("call", FILLED)
def test_memory_functions(call: str) -> None:
    text = (
        HEAD + "void f(int n, unsigned h[static const restrict 256], const unsigned g[static const restrict n],\n"
        f"       int m[static const restrict n][4]) {{\n#pragma scop\n    {call}\n#pragma endscop\n}}\n"
    )
    helps = helps_of(text, "PC0505")
    if not FILLED[call]:
        assert helps == ("write a loop that assigns the elements instead",)
        return
    assert code(helps, "write `") == FILLED[call]
    assert told(text.replace(call, FILLED[call])) == ()


def test_output_is_kept_to_the_c_program() -> None:
    call = 'printf("%d\\n", i);'
    text = summed(f"{{ {call} __pencil_reduction(&s, a[i], add); }}", ADD)
    text = text.replace("    __pencil_reduction_var", "#pragma scop\n    __pencil_reduction_var")
    text = text.replace("    return", "#pragma endscop\n    return")
    helps = helps_of(text, "PC0505")
    before, after = code(helps, "put a line"), code(helps, "and a line")
    assert told(text.replace(call, f"\n{before}\n{call}\n{after}\n")) == ()


POINTERS = {
    "int n, void *data": ("float *a = (float *)data;", "float a[static const restrict n]"),
    "int n, const void *data": ("const float *a = (const float *)data;", "const float a[static const restrict n]"),
    "int n, const float *data": ("const float *a = data;", "const float a[static const restrict n]"),
    "int n, const float *a": ("", "const float a[static const restrict n]"),
    "int n, const float a[]": ("", "const float a[static const restrict n]"),
    "int count, int n, const float *a": ("", "const float a[static const restrict n]"),
}


@pytest.mark.parametrize("params", POINTERS)
def test_pointers(params: str) -> None:
    removed, written = POINTERS[params]
    text = summed("__pencil_reduction(&s, a[i], add);", ADD).replace("float s;", f"float s; {removed}")
    text = text.replace("int n, const float a[static const restrict n]", params)
    helps = helps_of(text, "PC0401")
    assert code(helps, "write `") == written
    old = code(helps, "instead of ").replace("(float *) ", "(float *)")
    assert old in text
    text = text.replace(old, written)
    if removed:
        assert code(helps, "and remove").replace("*) ", "*)") == removed
        text = text.replace(removed, "")
    assert told(text) == ()


def test_pointers_that_only_the_host_uses_are_none_of_its_region() -> None:
    text = summed("__pencil_reduction(&s, a[i], add);", ADD).replace("return s;", "*out = s; *count = n;")
    head = "float f(int n, const float a[static const restrict n]"
    text = text.replace(head, "void f(int n, const float *a, double *out, int *count")
    (found,) = told(text)
    assert found.code == "PC0401" and found.message == "extent of `a` is not known"
    written, old = code(found.remedies, "write `"), code(found.remedies, "instead of ")
    assert (written, old) == ("const float a[static const restrict n]", "const float *a")
    assert told(text.replace(old, written)) == ()


MISSPELT = {
    "__pencil_reduce(&s, a[i], add);": "__pencil_reduction",
    "__pencil_reducton(&s, a[i], add);": "__pencil_reduction",
    "__pencil_reduction(&s, sqrtff(a[i]), add);": "sqrtf",
    "__pencil_reduction(&s, A[i], add);": "a",
    "__pencil_reduction(&s, a[i] * scale(i), add);": "",
}


@pytest.mark.parametrize("update", MISSPELT)
def test_misspelt_names(update: str) -> None:
    text = summed(update, ADD)
    helps = helps_of(text, "PC0010")
    if not MISSPELT[update]:
        assert "did you mean" not in helps[0]
        return
    assert code(helps, "did you mean") == MISSPELT[update]
    wrong = next(d for d in told(text) if d.code == "PC0010").message.split("`")[1]
    assert told(text.replace(wrong, MISSPELT[update])) == ()


def test_a_function_of_a_header_that_is_not_included() -> None:
    text = summed("__pencil_reduction(&s, cbrtf(a[i]), add);", ADD).replace("#include <math.h>\n", "")
    text = f"#define PENCIL_NO_MATH\n{text}"
    assert told(f"{code(helps_of(text, 'PC0010'))}\n{text}") == ()


def test_a_variable_that_hides_the_initialised_one() -> None:
    text = summed("{ float s; __pencil_reduction(&s, a[i], add); }", ADD)
    assert "remove the declaration of `s`" in helps_of(text, "PC0201")[0]
    assert told(text.replace("{ float s; ", "{ ")) == ()


def test_a_missing_initialisation() -> None:
    line = "    __pencil_reduction_var_init(&s, zero);\n"
    text = summed("__pencil_reduction(&s, a[i], add);", ADD).replace(line, "")
    added = code(helps_of(text, "PC0201"), "add `")
    assert told(text.replace("    for", f"    {added}\n    for")) == ()


def test_two_reductions_on_one_variable() -> None:
    text = (
        HEAD + ADD + "void f(int n, const float a[static const restrict n], float o[static const restrict n]) {\n"
        "    float s;\n    __pencil_reduction_var_init(&s, zero);\n"
        "    for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], add);\n"
        "    for (int i = 0; i < n; i++) o[i] = a[i] / s;\n"
        "    for (int i = 0; i < n; i++) __pencil_reduction(&s, o[i], add);\n    o[0] = s;\n}\n"
    )
    second = "    for (int i = 0; i < n; i++) __pencil_reduction(&s, o"
    assert told(text.replace(second, f"    {code(helps_of(text, 'PC0205'), 'or, ')}\n{second}")) == ()


PRAGMAS = {
    "penci independent": "pencil", "Pencil independent": "pencil", "PENCIL independent": "pencil", "scope": "scop",
    "endscope": "endscop", "end scop": "endscop", "omp parallel for": "", "once": "", "unroll": "", "GCC ivdep": "",
}  # fmt: skip


@pytest.mark.parametrize("pragma", PRAGMAS)
def test_a_misspelt_pragma_beside_a_good_function(pragma: str) -> None:
    text = summed("__pencil_reduction(&s, a[i], add);", ADD) + (
        f"void g(int n, float a[static const restrict n]) {{\n#pragma {pragma}\n"
        "    for (int i = 0; i < n; i++) a[i] = 2 * a[i];\n}\n"
    )
    found = [d.message for d in told(text)]
    assert [m.split("`")[3] for m in found] == ([PRAGMAS[pragma]] if PRAGMAS[pragma] else [])


@pytest.mark.parametrize(
    ("body", "is_running"),
    [
        ("s += a[i]; b[i] = s;", True),
        ("if (i > 0) b[i] = b[i - 1] + a[i];", True),
        ("s = s * 0.5f + a[i]; b[i] = s;", False),
    ],
)
def test_what_to_do_about_a_running_sum(body: str, is_running: bool) -> None:
    """It only seems to accumulate: the builtins would refuse what reads it on the way."""
    text = (
        (
            f"{HEAD}void f(int n, const float a[static const restrict n], float b[static const restrict n]) {{\n"
            f"    float s = 0;\n    for (int i = 0; i < n; i++) {{ {body} }}\n}}\n"
        )
        .replace("    for", "#pragma scop\n    for")
        .replace(" }\n}\n", " }\n#pragma endscop\n}\n")
    )
    helps = helps_of(text, "PC0701")
    assert any("inclusive_scan" in words for words in helps) == is_running
    assert any("only accumulates" in words for words in helps) != is_running
