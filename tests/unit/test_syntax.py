"""Syntax errors: the token and what was expected, what is opened and not closed, C++ and CUDA by name, no cascades."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.diagnostic import Diagnostic, SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions

HEAD = "#include <pencil.h>\nstatic void zero(float *v) { *v = 0; }\n"


def errors_of(text: str) -> tuple[Diagnostic, ...]:
    try:
        compile_source(SourceFile("t.c", text), CompileOptions(), "scop")
    except SourceErrors as errors:
        return errors.diagnostics
    return ()


def region(body: str) -> str:
    """A function whose region begins in line 6."""
    return f"{HEAD}void f(int n, float a[static const restrict n])\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"


# What stands in line 6 and below, and what is said: the line, the column, and the message.
BODIES: dict[str, tuple[tuple[int, int, str], ...]] = {
    "a[0] = 1 +;": ((6, 11, "expected an expression before `;`"),),
    "a[0] = 1\na[1] = 2;": ((6, 8, "expected `;` behind `1`"),),
    "a[0] = zero(1, );": ((6, 16, "expected an expression before `)`"),),
    "a[0] = for;": ((6, 8, "expected an expression before `for`"),),
    "a[0] = 1 2;": ((6, 10, "expected `;` before `2`"),),
    "for (int i = 0; i < n) a[i] = 1;": ((6, 22, "expected `;` before `)`"),),
    "if n > 3) a[0] = 1;": ((6, 4, "expected `(` before `n`"),),
    "if (n > 3) a[0] = 1; else else a[1] = 2;": ((6, 27, "`else` without `if`"),),
    "else a[0] = 1;": ((6, 1, "`else` without `if`"),),
    "int 3x = 1;": ((6, 5, "expected a name before `3`"),),
    "flaot x = 1;": ((6, 1, "`flaot` is no type"),),
    "int x; uint8_t y = 1;": ((6, 8, "`uint8_t` is no type"),),
    "a[0] = 1 @ 2;": ((6, 10, "`@` means nothing in C"),),
    "a[0] = 1 +\n#pragma pencil independent\n2;": ((7, 2, "a pragma inside a statement"),),
    "a[0] = (1 + 2;\na[1] = 3;": ((6, 8, "this `(` is not closed before `;`"),),
    "a[0 = 1;": ((6, 2, "this `[` is not closed before `;`"),),
    "a[(0] = 1;": ((6, 3, "this `(` is not closed before `]`"),),
    "for (int i = 0; i < n; i++ {\na[i] = 1;\n}": ((6, 5, "this `(` is not closed before `{`"),),
    "    if (n > 1) {\n        a[0] = 1;\n    }\n    }": ((9, 5, "this `}` is one too many"),),
    "    if (n > 1) {\n        if (n > 2) {\n            a[0] = 1;\n    }": ((7, 20, "this `{` is never closed"),),
    'a[0] = "x;\na[1] = 2;': ((6, 8, "this string is never closed"),),
    "a[0] = 'x;\na[1] = 2;": ((6, 8, "this character constant is never closed"),),
    "a[0] = 1; /* a[1] = 2;\n": ((6, 11, "this comment is never closed"),),
    "#if n\na[0] = 1;": ((6, 1, "this `#if` is never closed by `#endif`"),),
    "a[0] = 1;\n#fi\n": ((7, 2, "unknown directive `#fi`"),),
    # Several mistakes are told in one run.
    "a[0] = 1 +;\na[1] = ) 2;\na[2] = 3\na[3] = 4;\nfor (int i = 0; i < n i++) a[i] = 1;\na[5] = 2 2;": (
        (6, 11, "expected an expression before `;`"), (7, 8, "`)` closes nothing"), (8, 8, "expected `;` behind `3`"),
        (10, 23, "expected `;` before `i`"), (11, 10, "expected `;` before `2`"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_a_faulty_body(body: str) -> None:
    found = [(d.span.line, d.span.column, d.message) for d in errors_of(region(body))]
    assert found == list(BODIES[body])


FOREIGN = {
    "template<typename T> T twice(T x) { return x + x; }": "`template <` is C++",
    "template <class T>\nT twice(T x) { return x + x; }": "C++",
    "class Foo { public: int x; };": "`class` is C++",
    "namespace here { int x; }": "`namespace` is C++",
    "using namespace std;": "`using` is C++",
    'extern "C" void q(int);': '`extern "C"` is C++',
    "void g(const float &x) { }": "a reference is C++",
    "constexpr int N = 3;": "`constexpr` is C++",
    "float operator+(float a, float b);": "`operator` is C++",
    "int g(void) { return std::max(1, 2); }": "`std::max` is C++",
    "int g(void) { auto& x = y; return x; }": "`auto&` is C++",
    "int g(void) { for (auto x : y) h(x); }": "a loop over a container is C++",
    "void g(void) { float *x = new float[3]; }": "`new` is C++",
    "void g(float *x) { delete[] x; }": "`delete` is C++",
    "float g(int x) { return static_cast<float>(x); }": "`static_cast` is C++",
    "int g(void) { return h([&](int x) { return x; }); }": "a lambda is C++",
    "#include <iostream>": "`<iostream>` is a header of C++",
    "__global__ void k(float *x) { }": "`__global__` is CUDA",
    "__device__ float g(float x) { return x; }": "`__device__` is CUDA",
    "void g(float *x) { k<<<1, 2>>>(x); }": "`<<<` is CUDA",
}


@pytest.mark.parametrize("line", FOREIGN)
def test_other_languages_are_named(line: str) -> None:
    found = errors_of(f"{line}\n{region('a[0] = 1;')}")
    assert len(found) == 1 and found[0].span.line <= 2
    assert FOREIGN[line].replace("template <", "template") in found[0].message


@pytest.mark.parametrize("name", ["nullptr", "threadIdx.x", "cudaMalloc(3)", "__syncthreads()"])
def test_undeclared_names_of_other_languages(name: str) -> None:
    (found,) = errors_of(region(f"a[0] = {name};"))
    assert found.code == "PC0010" and ("C++" in found.remedies[0] or "CUDA" in found.remedies[0])


def test_names_of_other_languages_are_names_in_c() -> None:
    text = region("    int new = 1, class = 2, template = new < class; a[0] = template + new;")
    assert errors_of(text) == ()


ENTRY = "(int n, float a[static const restrict n])\n{\n    __pencil_assume(n > 0);\n"


def test_errors_of_other_functions_are_told_too() -> None:
    text = f"{HEAD}void f{ENTRY}    a[0] = 1 +;\n}}\n"
    text += f"void g{ENTRY}    a[0] = missing;\n}}\nvoid h{ENTRY}    a[0] = 1;\n    f(n, a);\n}}\n"
    assert [(d.code, d.span.line) for d in errors_of(text)] == [("PC0001", 6), ("PC0010", 11)]


def test_declarations_that_are_not_ended() -> None:
    assert [(d.span.line, d.message) for d in errors_of("void q(int n)\n" + region("a[0] = 1;"))] == [
        (1, "expected `;` or `{` behind the parameters of `q`")
    ]
    (found,) = errors_of("struct S { int a; }\n" + region("a[0] = 1;"))
    assert (found.message, found.span.column) == ("expected `;` behind `}`", 19)
    assert [edit.text for edit in found.fixes[0].edits] == [";"]
    (found,) = errors_of("bool t(int x) { return x > 1; }\n" + region("a[0] = 1;"))
    assert found.remedies == ("add `#include <stdbool.h>`",)


def test_an_unclosed_comment_in_a_header(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    (folder / "bad.h").write_text("int x;\n/* begins\nint y;\n")
    with pytest.raises(SourceErrors) as errors:
        compile_source(SourceFile("t.c", '#include "bad.h"\n' + region("a[0] = 1;")),
                       CompileOptions(include_dirs=(str(folder),)), "source")  # fmt: skip
    (found,) = errors.value.diagnostics
    assert (found.message, found.span.line) == ("this comment is never closed", 2)
    assert found.span.path.endswith("bad.h")


def test_old_style_definitions_of_host_code_stay() -> None:
    assert errors_of("int g(a, b) int a; int b;\n{\n    return a + b;\n}\n" + region("a[0] = 1;")) == ()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("int f(int n, int &x, float *a) { x = static_cast<int>(a[0]); return n; }", "a reference"),
        ("int f(int n) { return ::g(n) + std::max(1, 2); }", "::"),
        ("int f(int n) { return std::max(1, 2) + static_cast<int>(n); }", "std::max"),
        ("int operator+(int a, int b);", "operator"),
    ],
)
def test_the_place_is_that_of_what_is_named(line: str, named: str) -> None:
    first = errors_of(f"\n{line}\n")[0]
    assert named in first.message
    assert (first.span.line, first.span.column) == (2, line.index({"a reference": "int &"}.get(named, named)) + 1)


@pytest.mark.parametrize(
    ("line", "name", "helps"),
    [
        ("foo_t x;", "foo_t", ()),
        ("uint8_t *x[3];", "uint8_t", ("add `#include <stdint.h>`",)),
        ("int a; size_t b = 3, c;", "size_t", ("add `#include <stddef.h>`",)),
        ("void g(int n, uint8_t a[n]);", "uint8_t", ("add `#include <stdint.h>`",)),
    ],
)
def test_unknown_types_at_file_scope(line: str, name: str, helps: tuple[str, ...]) -> None:
    found = errors_of(f"\n{line}\n")
    assert [(d.span.line, d.span.column, d.message) for d in found] == [
        (2, line.index(name) + 1, f"`{name}` is no type")
    ]
    assert found[0].remedies == helps
