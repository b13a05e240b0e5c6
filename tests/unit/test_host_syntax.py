"""Syntax errors of host code: what is no C for any compiler is told, and GNU C is left to the host's compiler."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pencilc.diagnostics.diagnostic import SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, include_dir, parse_file

REGION = """
void f(int n, int a[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) a[i] = i;
#pragma endscop
}
"""
# Bodies of `int host(int n)`, each of which gcc takes.
GNU = r"""
int x = ({ int y = n; y + 1; }); return x;
int x = n ?: 3; return x;
asm("" : : "r"(n)); return 0;
__asm__ volatile ("nop" ::: "memory"); return n;
register int x asm("ebx") = n; return x;
void *p = &&out; goto *p; out: return 1;
static void *t[] = {&&a1, &&b1}; goto *t[n]; a1: return 1; b1: return 2;
int g(int x) { return x + n; } return g(3);
auto int g(int x); int g(int x) { return x + n; } return g(3);
int g(x) int x; { return x + n; } return g(3);
switch (n) { case 1 ... 3: return 1; default: return 2; }
int x __attribute__((unused)) = n; return x;
return _Generic(n, int: 1, default: 2);
typedef float v4 __attribute__((vector_size(16))); v4 x = {1, 2, 3, 4}; x += (v4){1}; return x[0];
static __thread int y; return y + n;
typeof(n) z = n; return z;
__typeof__(n + 1.0) z = n; return z;
__auto_type z = n; return z;
int l[] = {[0 ... 3] = n}; return l[1];
int l[4] = {[1] 5, [2] 6}; return l[1];
struct { int a, b; } l = {a: 5, b: 6}; return l.a + n;
struct s { int a; int b } l; l.a = n; return l.a;
struct s { } l; return sizeof l + n;
struct s { int a;; } l = {n}; return l.a;
static x = 3; return x + n;
const y = n; return y;
register z = n; return z;
int; return n;
{ __label__ out; if (n) goto out; out: ; } return 1;
return __builtin_types_compatible_p(int, typeof(n));
return __builtin_choose_expr(1, n, 2);
return __builtin_offsetof(struct { int a; int b; }, b) + n;
int x = sizeof(int[n]); return x;
_Complex double z = 1.0i; return __real__ z + n;
double f = 1.0q; return f + n;
return 0b101 + n;
return '\e' + n;
for (;;) { lab: if (n) break; } return 1;
switch (n) { case 1: } return 2;
if (n) { out: } return 1;
switch (n) { case 1: int y = n; return y; } return 2;
int v = (int){n}; return v;
struct { int a; } e = {}; return e.a + n;
int e[3] = {}; return e[0] + n;
enum { A1, B1, } e = A1; return e + n;
typedef int out; out x = n; goto out; out: return x;
int $a = n; return $a;
_Static_assert(sizeof(int) == 4, "x"); return n;
_Static_assert(sizeof(int) == 4); return n;
int a[n]; (void) a; return sizeof a;
{ extern int ext(); (void) ext; } return n;
_Alignas(16) int x = n; return x;
union { int a; float b; } u; u.a = n; return ((union { int a; float b; }) n).a;
__extension__ ({ int y = 1; n += y; }); return n;
return (n, n);
struct { struct { int a; }; int b; } u = {{1}, 2}; return u.a + n;
struct f { int n; int a[]; }; return sizeof(struct f) + n;
do ; while (0); ; return n;
int *p = &(int){n}; return *p;
return sizeof n + sizeof(n) + sizeof (int){1} + __alignof__ n + _Alignof(n);
char s[] = "a" "b" u8"c"; return s[0] + n + sizeof L"w" + sizeof U"x" + L'x' + u'x';
int (*fp)(int) = 0; int (*fa[3])(int) = {0}; return fp == fa[0] && n;
if (n) ; else ; return n;
asm goto ("" :::: out); out: return n;
[[maybe_unused]] int x = n; return x;
int x = __builtin_expect(n, 1); return x;
unsigned char b[] = { 1, 2, [5] = 3, }; return b[0] + n;
__int128 k = n; return (int) k;
_Bool q = n; _Float128 w = n; return q + (int) w;
""".strip().splitlines()


def told(text: str) -> list[tuple[int, int, str, str]]:
    try:
        parse_file(SourceFile("t.c", text), FrontendOptions())
    except SourceErrors as errors:
        return [(d.span.line, d.span.column, d.code, d.message) for d in errors.diagnostics]
    return []


@pytest.mark.parametrize("headers", ["", "#include <pencil.h>\n#include <stdio.h>\n"], ids=["alone", "headers"])
@pytest.mark.parametrize("body", GNU)
def test_gnu_c_is_left_to_the_host(body: str, headers: str, tmp_path: Path) -> None:
    text = f"{headers}int ext(int);\n{REGION}int host(int n) {{\n{body}\n}}\n"
    assert told(text) == []
    if headers:
        (tmp_path / "t.c").write_text(text)
        flags = ["-w", "-std=gnu17", "-fsyntax-only", f"-I{include_dir()}"]
        subprocess.run(["gcc", *flags, str(tmp_path / "t.c")], check=True)


@pytest.mark.parametrize("headers", ["", "#include <pencil.h>\n#include <stdio.h>\n"], ids=["alone", "headers"])
@pytest.mark.parametrize(
    ("body", "column", "message"),
    [
        ("int a[3]; f(3, a) return 0;", 19, "expected `;` before `return`"),
        ("int x = 3 + ;", 13, "expected an expression before `;`"),
        ("n = n n;", 7, "expected `;` before `n`"),
        ("return n }", 8, "expected `;` behind `n`"),
        ("if n > 3) n = 1;", 0, ""),
        ("if n > 3 n = 1;", 4, "expected `(` before `n`"),
        ("else n = 2;", 1, "`else` without `if`"),
        ("for (int i = 0; i < n i++) n--;", 23, "expected `;` before `i`"),
    ],
)
def test_what_is_no_c_is_told(body: str, column: int, message: str, headers: str) -> None:
    closing = "" if body.endswith("}") and not body.endswith("};") else "\n}"
    found = told(f"{headers}{REGION}int host(int n) {{\n{body}{closing}\n")
    line = headers.count("\n") + REGION.count("\n") + 2
    assert [d[0] for d in found] == [line]
    if message:
        assert found == [(line, column, "PC0001", message)]


def test_all_errors_of_host_code_come_in_one_run() -> None:
    found = told(f"{REGION}int main(void) {{ int y = 3 + ; return y y; }}\nint g(int n) {{ return n + ; }}\n")
    assert [(d[0], d[3]) for d in found] == [
        (7, "expected an expression before `;`"), (7, "expected `;` before `y`"),
        (8, "expected an expression before `;`"),
    ]  # fmt: skip


@pytest.mark.parametrize("word", ["retrun", "retur", "reutrn", "returnn"])
@pytest.mark.parametrize("headers", ["", "#include <stdio.h>\n", "#include <queue_of_the_system.h>\n"])
@pytest.mark.parametrize("value", ["n", "0", "n + 1"])
def test_a_misspelt_return_is_told_whatever_headers_have(word: str, headers: str, value: str) -> None:
    with pytest.raises(SourceErrors) as caught:
        parse_file(SourceFile("t.c", f"{headers}{REGION}int host(int n) {{ {word} {value}; }}\n"), FrontendOptions())
    (found,) = (d for d in caught.value.diagnostics if d.code == "PC0001")
    assert found.span.line == headers.count("\n") + 7 and found.remedies == ("did you mean `return`?",)
    assert found.message == f"`{word}` is no type"


@pytest.mark.parametrize("text", ["RETURN n;", "returns(n);", "Return n;", "return_t n;", "torn n;"])
def test_what_may_be_a_macro_or_a_type_is_left_to_the_host(text: str) -> None:
    assert told(f"#include <stdio.h>\n{REGION}int host(int n) {{ {text} }}\n") == []


def test_unknown_names_may_be_macros_of_headers() -> None:
    body = "int host(int n) { foo bar baz; }\n"
    assert [d[0] for d in told(f"#include <pencil.h>\n{REGION}{body}")] == [8]
    assert told(f"#include <queue_of_the_system.h>\n{REGION}{body}") == []
    assert told(f"#include <stdio.h>\n{REGION}{body}") == []
    loop = "int host(int n) { int k; FOREACH(k, n) { n += k; } return n; }\n"
    assert told(f"#include <queue_of_the_system.h>\n{REGION}{loop}") == []


@pytest.mark.parametrize(
    ("body", "column", "message"),
    [
        ("return x + 1", 34, "expected `;` behind `1`"),
        ("switch (x) { case 1 ... 3: ; } return x;", 43, "expected `:` before `...`"),
    ],
)
def test_the_fault_of_a_helper_is_told_at_its_place(body: str, column: int, message: str) -> None:
    found = told(f"static int h(int x) {{ {body} }}\n{REGION.replace('= i;', '= h(i);')}")
    assert found == [(1, column, "PC0001", message)]
