"""Remedies that are told in words alone: each is pasted into the program that drew it, and the program compiles then.

Those that an editor can apply are tried by `test_newcomer.py`.  `test_every_remedy_is_tried` finds in the sources what
is told in words, so that a new remedy needs a case here.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pencilc.diagnostics.diagnostic import Diagnostic, Severity, SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.frontend import include_dir
from pencilc.options import CompileOptions
from tests.conftest import ROOT

A = "int n, float a[static const restrict n]"
EACH = "for (int i = 0; i < n; i++)"
REDUCTION = """#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float x, float y) { return x + y; }
"""
PRINTS = "#include <stdio.h>\n"
Pasted = tuple[tuple[str, str], ...]


def region(body: str, head: str = f"void f({A})", before: str = "") -> str:
    """A function whose body is one region."""
    return f"#include <pencil.h>\n#include <math.h>\n{before}{head}\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"


def of_main(body: str) -> str:
    """A program that prints."""
    return f"{PRINTS}int main(void)\n{{\n{body}\n    return 0;\n}}\n"


def total(body: str, before: str = REDUCTION) -> str:
    """A function that returns a float."""
    return f"{before}float f({A})\n{{\n{body}\n}}\n"


# What is told -> the program, and what is changed in it, as what is told says.
REMEDIES: dict[str, tuple[str, Pasted]] = {
    "put `#pragma scop` and `#pragma endscop` around the loops of `{}`": (
        f"static void twice({A})\n{{\n#pragma scop\n{EACH} a[i] *= 2;\n#pragma endscop\n}}\n"
        f"void f({A}, int k)\n{{\n    for (int t = 0; t < k; t++)\n        twice(n, a);\n}}\n",
        (("{\n    for (int t", "{\n#pragma scop\n    for (int t"),
         ("twice(n, a);\n}", "twice(n, a);\n#pragma endscop\n}")),
    ),
    "keep the result in a variable and return it at the end": (
        total(f"#pragma scop\n{EACH} {{ if (a[i] > 0) return i; a[i] = 1; }}\n#pragma endscop\nreturn n;", ""),
        (("float f", "int f"), ("#pragma scop", "int r = 2147483647;\n#pragma scop"),
         ("if (a[i] > 0) return i;", "if (a[i] > 0 && i < r) r = i;"), ("return n", "return r < n ? r : n")),
    ),
    "where it ends because `{}` wraps below 0, begin with one more, and write `{}-- > 0` as its condition and nothing "
    "behind it": (
        region("for (unsigned i = n - 1; i < n; i--) a[i] = 0;", f"void f({A.replace('int', 'unsigned')})"),
        (("i = n - 1; i < n; i--", "i = n; i-- > 0;"),),
    ),
    "end it with `return`": (
        region(f"{EACH} a[i] = half(i);", before="static int half(int i) { if (i > 3) return i / 2; }\n"),
        (("return i / 2; }", "return i / 2; return 0; }"),),
    ),
    "write `{} {}= ...` in the loop, or drop `{}` from the clause": (
        total(f"    float s = 0;\n#pragma scop\n#pragma pencil independent reduction(+: s)\n{EACH} a[i] = 1;\n"
              "#pragma endscop\n    return s;"),
        ((" reduction(+: s)", ""),),
    ),
    "write it as a loop": (
        region(f"{EACH} a[i] = power(i);", before="static float power(int k) { return k ? 2 * power(k - 1) : 1; }\n"),
        (("return k ? 2 * power(k - 1) : 1;", "float p = 1; for (int j = 0; j < k; j++) p *= 2; return p;"),),
    ),
    "put both into one pair of braces; without braces an `if` or a loop holds one statement": (
        f"#include <stdio.h>\nvoid f({A}, int c)\n{{\n    puts(\"\");\n    if (c)\n#pragma scop\n{EACH} a[i] = 1;\n"
        "#pragma endscop\n}\n",
        (("if (c)", "if (c) {"), ("#pragma endscop", "#pragma endscop\n}")),
    ),
    "put it between `#pragma scop` and `#pragma endscop`": (
        REDUCTION + of_main("    float a[9] = {0}, s;\n    __pencil_reduction_var_init(&s, zero);\n#pragma scop\n"
                            "    for (int i = 0; i < 9; i++)\n        __pencil_reduction(&s, a[i], add);\n"
                            "#pragma endscop\n    printf(\"%g\", s);"),
        (("    __pencil_reduction_var_init(&s, zero);\n#pragma scop\n",
          "#pragma scop\n    __pencil_reduction_var_init(&s, zero);\n"),),
    ),
    "put `#pragma scop` and `#pragma endscop` around each part that is to be compiled": (
        f"{PRINTS}void f({A})\n{{\n#pragma pencil independent\n{EACH}\n a[i] = 1;\nputs(\"\");\n"
        f"#pragma pencil independent\n{EACH}\n a[i] = 2;\n}}\n",
        (("#pragma pencil independent\n", "#pragma scop\n#pragma pencil independent\n"),
         ("a[i] = 1;", "a[i] = 1;\n#pragma endscop"), ("a[i] = 2;", "a[i] = 2;\n#pragma endscop")),
    ),
    "move the type before the function, because the outlined region needs it too": (
        of_main("struct P { int x; };\nstruct P a[9];\n#pragma scop\nfor (int i = 0; i < 9; i++) a[i].x = i;\n"
                "#pragma endscop\nprintf(\"%d\", a[2].x);"),
        (("struct P { int x; };\n", ""), ("int main", "struct P { int x; };\nint main")),
    ),
    "move it behind the region": (
        of_main("float a[9];\n#pragma scop\nfor (int i = 0; i < 9; i++) a[i] = i;\nreturn 0;\n#pragma endscop"),
        (("return 0;\n#pragma endscop", "#pragma endscop\nreturn 0;"),),
    ),
    "keep the extent in a variable that is not changed after `{}`": (
        of_main("int n = 9;\nfloat a[n];\nn = 5;\n#pragma scop\nfor (int i = 0; i < 5; i++) a[i] = i;\n#pragma "
                "endscop\n"
                "printf(\"%d %g\", n, a[2]);"),
        (("float a[n]", "int all = n;\nfloat a[all]"),),
    ),
    "`__pencil_reduction_var_init(&variable, init)`": (
        total(f"float s;\n__pencil_reduction_var_init(&s);\n{EACH} __pencil_reduction(&s, a[i], add);\nreturn s;"),
        (("init(&s)", "init(&s, zero)"),),
    ),
    "`__pencil_reduction(&variable, element, operator)`": (
        total(f"float s;\n__pencil_reduction_var_init(&s, zero);\n{EACH} __pencil_reduction(&s, a[i]);\nreturn s;"),
        (("&s, a[i]", "&s, a[i], add"),),
    ),
    "define `{}`{} before its use": (
        total(f"float s;\n__pencil_reduction_var_init(&s, zero);\n{EACH} __pencil_reduction(&s, a[i], "
              f"most);\nreturn s;"),
        (("float f(", "static float most(float x, float y) { return x < y ? y : x; }\nfloat f("),),
    ),
    "the signature wanted is `{}`": (
        total(f"float s;\n__pencil_reduction_var_init(&s, zero);\n{EACH} __pencil_reduction(&s, a[i], sum);\nreturn s;",
              REDUCTION + "static float sum(float x) { return x; }\n"),
        (("sum(float x) { return x; }", "sum(float x, float y) { return x + y; }"),),
    ),
    "pass the array or the value itself": (
        region(f"{EACH} a[i] = g(&a[i]);", before="static float g(float v) { return v; }\n"),
        (("&a[i]", "a[i]"),),
    ),
    "convert with `{}_to_float` and `pencil_float_to_{}`": (
        region(f"{EACH} b[i] = b[i] + 1;", head="void f(int n, pencil_half b[static const restrict n])"),
        (("b[i] + 1", "pencil_float_to_half(pencil_half_to_float(b[i]) + 1)"),),
    ),
    "the remainder of floating numbers is `fmod`, or `fmodf`, of `<math.h>`": (
        region(f"{EACH} a[i] = a[i] % 3;"), (("a[i] % 3", "fmodf(a[i], 3)"),),
    ),
    "put the cast into a host function that calls this one": (
        region(f"{EACH} a[i] = ((int *)b)[i];", head="void f(int n, float a[static const restrict n], float "
                                                     "b[static n])"),
        (("float b[", "int b["), ("((int *)b)", "b"),
         ("endscop\n}\n", "endscop\n}\nvoid host(int n, float *a, float *b) { f(n, a, (int *)b); }\n")),
    ),
    "`for (int i = start; i < end; i += step)`": (
        region("for (int i = 0, j = 0; i < n; i++, j++) a[i] = j;"),
        (("for (int i = 0, j = 0; i < n; i++, j++) a[i] = j", "for (int i = 0; i < n; i += 1) a[i] = i"),),
    ),
    "write a loop that assigns the elements instead": (
        region("memset(a, 1, n * sizeof(float));", before="#include <string.h>\n"),
        (("memset(a, 1, n * sizeof(float));", f"{EACH} a[i] = 2.3694278e-38f;"),),
    ),
    "put every `case` into the block of the `switch` itself": (
        region(f"{EACH} switch (i) {{ case 0: if (n) {{ case 1: a[i] = 2; }} }}"),
        (("case 0: if (n) { case 1: a[i] = 2; }", "case 0: if (n) a[i] = 2; break; case 1: a[i] = 2;"),),
    ),
    "end each case with `break`, or write the `switch` as `if` and `else`": (
        region(f"{EACH} switch (i % 3) {{ case 0: a[i] = 1; case 1: a[i] += 2; break; default: a[i] = 3; }}"),
        (("a[i] = 1; case", "a[i] = 1; a[i] += 2; break; case"),),
    ),
    "give what `{}` points to as an array parameter of its own": (
        region(f"{EACH} a[i] = (*v.p)[0];", head=f"void f({A}, V v)", before="typedef struct { float (*p)[3]; } V;\n"),
        (("typedef struct { float (*p)[3]; } V;\n", ""), ("V v", "float p[static const restrict 1][3]"),
         ("(*v.p)[0]", "p[0][0]")),
    ),
    "a `for` loop with a constant step and a bound that is known before it can run in parallel": (
        region("int i = 0; while (i < n) { a[i] = 1; i += i < 0 ? 2 : 1; }"),
        (("int i = 0; while (i < n) { a[i] = 1; i += i < 0 ? 2 : 1; }", f"{EACH} a[i] = 1;"),),
    ),
    "move the condition into the loop": (
        region(f"if (a[0] > 0)\n{EACH} a[i] = 1;"), ((f"if (a[0] > 0)\n{EACH}", f"{EACH} if (a[0] > 0)"),),
    ),
    "let it change a variable of each iteration, and combine that with the other one behind the inner loop": (
        total(f"float s;\n__pencil_reduction_var_init(&s, zero);\n{EACH} for (int j = 0; j < n; j++) {{\n"
              "if (a[j] > a[i]) break;\n__pencil_reduction(&s, a[j], upto);\n}\nreturn s;",
              REDUCTION + "static float upto(float x, float y) { return x + y < 9 ? x + y : 9; }\n"),
        (("for (int j", "{ float k = 0; for (int j"),
         ("__pencil_reduction(&s, a[j], upto);\n}", "k = upto(k, a[j]); }"),
         ("return s", "__pencil_reduction(&s, k, upto); }\nreturn s")),
    ),
    "let it be a `for` with the most rounds there may be, and what is in it stand under the condition": (
        region("for (int b = 0; b < 32; b++) __pencil_reduction_var_init(&h[b], zero);\n"
               f"{EACH} {{ int b = 0; for (unsigned v = p[i]; v; v >>= 1) {{\n"
               "__pencil_reduction(&h[b & 31], 1, add); b++;\n} }",
               "void f(int n, const unsigned p[static const restrict n], float h[static const restrict 32])",
               REDUCTION),
        (("for (unsigned v = p[i]; v; v >>= 1) {", "unsigned v = p[i]; for (int k = 0; k < 32; k++) if (v) {"),
         ("b++;", "b++; v >>= 1;")),
    ),
    "where it may look at what comes behind too, keep the first place that is found in a variable that begins with "
    "a large "
    "value: write `if ({} < first) first = {};` in place of `{}`": (
        region(f"int k = 99;\n{EACH} if (a[i] > 3) {{ k = i; break; }}\nb[0] = k;",
               head=f"void f({A}, int b[static const restrict 1])"),
        (("int k = 99;", "int first = 99;"), ("{ k = i; break; }", "if (i < first) first = i;"), ("= k", "= first")),
    ),
    "remove `independent`, or use a reduction": (
        region("#pragma pencil independent\nfor (int i = 1; i < n; i++) a[0] += a[i];".replace("a[0]", "b[0]"),
               head=f"void f({A}, float b[static const restrict 1])"),
        (("independent", "independent reduction(+: b)"),),
    ),
    "a clause is `reduction(+: s)`: the operator, a colon, the variables": (
        total(f"float s = 0;\n#pragma scop\n#pragma pencil independent reduction(s)\n{EACH} s += a[i];\n#pragma "
              f"endscop\n"
              "return s;"),
        (("(s)", "(+: s)"),),
    ),
    "if no two iterations touch the same element, write `#pragma pencil independent` before the loop over `{}`": (
        region(f"{EACH}\na[p[i]] = i;", head=f"void f({A}, const int p[static const restrict n])"),
        ((EACH, f"#pragma pencil independent\n{EACH}"),),
    ),
    "or, if a row is no longer than the next one begins, write `{}` in front of the loops": (
        region("for (int y = 1; y < h; y++) for (int x = 0; x < w; x++) if (b[x]) a[y * s + x] = a[(y - 1) * s + x];",
               head="void f(int h, int w, int s, const int b[static restrict w], float a[static restrict h * s])"),
        (("for (int y", "__pencil_assume(w <= s);\nfor (int y"),),
    ),
    "or declare `{}` with two dimensions: `{}` in place of `{}` is such a sum": (
        region("for (int y = 1; y < h; y++) for (int x = 0; x < w; x++) a[y * s + x] = a[(y - 1) * s + x];",
               head="void f(int n, int h, int w, int s, float a[static const restrict n])"),
        (("[static const restrict n]", "[static const restrict h][s]"), ("a[y * s + x]", "a[y][x]"),
         ("a[(y - 1) * s + x]", "a[y - 1][x]")),
    ),
    "if it stays in its row, ask for that in a condition around it, or promise what makes it so {}": (
        region("for (int y = 1; y < h; y++) for (int x = 0; x < m; x++) { a[y * m + x] = 1; a[y * m + x - k] += 2; }",
               head="void f(int h, int m, int k, float a[static const restrict h * m])"),
        (("a[y * m + x - k] +=", "if (x - k >= 0 && x - k < m) a[y * m + x - k] +="),),
    ),
    "or, if no two iterations touch the same element, write `#pragma pencil independent` before the loop over `{}`": (
        region("for (int y = 1; y < h; y++) for (int x = 0; x < m; x++) { a[y * m + x] = 1; a[y * m + x - k] += 2; }",
               head="void f(int h, int m, int k, float a[static const restrict h * m])"),
        (("for (int y", "#pragma pencil independent\nfor (int y"),
         ("for (int x", "\n#pragma pencil independent\nfor (int x")),
    ),
    "count with an `int` and compute the value from it": (
        region("for (float x = 0; x < 1; x += 0.25f) a[0] += x;"),
        (("for (float x = 0; x < 1; x += 0.25f)", "for (int k = 0; k < 4; k++)"), ("+= x", "+= k * 0.25f")),
    ),
    "pass it as a parameter, or make it `const`": (
        region(f"{EACH} a[i] = table[i % 3];", before="static float table[3];\n")
        + "void set(void) { table[1] = 2; }\n",
        (("void f(", "void f(const float table[static const restrict 3], "),),
    ),
    "write a `static` function of what stands in it, and call that": (
        region(f"{EACH} a[i] = ({{ float t = a[i]; t * t; }});"),
        (("({ float t = a[i]; t * t; })", "square(a[i])"),
         ("void f(", "static float square(float t) { return t * t; }\nvoid f(")),
    ),
    "use `if` and `else`, or a helper function, which may return early": (
        region(f"{EACH} {{ if (a[i] > 0) goto odd; a[i] = 1; goto next; odd: a[i] = 2; next:; }}"),
        (("goto odd; a[i] = 1; goto next; odd: a[i] = 2; next:;", "a[i] = 2; else a[i] = 1;"),),
    ),
    "call a function by its name; `if`, `switch` or a macro can choose between several": (
        region(f"{EACH} a[i] = g(a[i]);", head=f"void f({A}, float (*g)(float))",
               before="static float one(float v) { return v; }\nstatic float two(float v) { return 2 * v; }\n"),
        (("float (*g)(float)", "int which"), ("g(a[i])", "which ? one(a[i]) : two(a[i])")),
    ),
    "use a struct, or a variable for each member; where one is written and another one read, to see the bits, do "
    "that on "
    "the host": (
        region(f"{EACH} {{ V v; v.y = a[i]; a[i] = v.y + 1; }}", before="typedef union { int x; float y; } V;\n"),
        (("union", "struct"),),
    ),
    "use a member of a whole type, and `>>` and `&` where its bits are meant": (
        region(f"{EACH} b[i].low = 1;", head="void f(int n, V b[static const restrict n])",
               before="typedef struct { int low : 4, high : 4; } V;\n"),
        (("int low : 4, high : 4", "int both"), ("b[i].low = 1", "b[i].both = (b[i].both & ~15) | 1")),
    ),
    "use two numbers, or a struct of two": (
        region(f"{EACH} b[i] = 1;", head="void f(int n, double _Complex b[static const restrict n])"),
        (("double _Complex b", "struct z b"), ("b[i]", "b[i].re"), ("void f(", "struct z { double re, im; };\nvoid "
                                                                               "f(")),
    ),
    "use an array and a subscript, as in `a[i]`": (
        region(f"float *p;\np = a;\n{EACH} {{ *p = i; p++; }}"),
        (("float *p;\np = a;\n", ""), ("*p = i; p++;", "a[i] = i;")),
    ),
    "make it a parameter, or `const` if it never changes": (
        region(f"{EACH} a[i] = k;\nk = 2;", head=f"void f({A})").replace("#pragma scop\n", "#pragma scop\nstatic "
                                                                                           "float k;\n"),
        (("static float k;\n", ""), ("void f(", "void f(float k, "), ("\nk = 2;", "")),
    ),
    "make it a number, a macro or a constant of an `enum`": (
        region("for (int i = 0; i < n; i += s) a[i] = 1;", head="void f(int n, int s, float a[static const "
                                                                "restrict n])"),
        (("i += s", "i += 2"),),
    ),
    "use two variables, or start the second with `__pencil_reduction_var_init`": (
        total(f"float s;\n__pencil_reduction_var_init(&s, zero);\n{EACH} __pencil_reduction(&s, a[i], add);\n"
              f"{EACH} __pencil_reduction(&s, a[i], most);\nreturn s;",
              REDUCTION + "static float most(float x, float y) { return x < y ? y : x; }\n"),
        (("return s", "return s + t"), ("float s;", "float s, t;\n__pencil_reduction_var_init(&t, zero);"),
         ("(&s, a[i], most)", "(&t, fabsf(a[i]), most)"), ("#include <pencil.h>", "#include <pencil.h>\n#include "
                                                                                  "<math.h>")),
    ),
    "give the function what {} of its own, where `n` is the number of elements: {}": (
        region(f"{EACH} a[i] = v.p[i];", head=f"void f({A}, V v)", before="typedef struct { float *p; } V;\n"),
        (("typedef struct { float *p; } V;\n", ""), ("V v", "float p[static const restrict n]"), ("v.p", "p")),
    ),
    "`for (int i = start; i < end; i++)`": (
        region("int i;\nfor (i = 0; ; i++) { if (i > 5) break; a[i] = i; }"),
        (("for (i = 0; ; i++) { if (i > 5) break; a[i] = i; }", "for (i = 0; i < n; i++) a[i] = i;"),),
    ),
    "`{}` is a macro that is called: `{}({})`": (
        region(f"{EACH} a[i] = TWICE;", before="#define TWICE(x) (2 * (x))\n"), (("= TWICE", "= TWICE(i)"),),
    ),
    "a bound that is a function of parameters and outer counters lets the loop run in parallel": (
        region("for (int i = 0; i < (int)b[0]; i++)\n{ a[i] = 1; b[0] = 3; }",
               head=f"void f({A}, float b[static const restrict 1])"),
        (("(int)b[0]", "m"), ("float b[static const restrict 1]", "int m"), (" b[0] = 3;", "")),
    ),
    "or let the sizes and counters be `size_t`: `{}` is `unsigned`, and may wrap": (
        region("for (unsigned i = 0; i < h; i++) for (unsigned j = 0; j < w; j++) b[i * w + j] = 0;",
               head="void f(unsigned h, unsigned w, float b[static const restrict h * w])",
               before="#include <stddef.h>\n"),
        (("unsigned", "size_t"),),
    ),
    "a loop over its elements does that": (
        region("float b[3], c[3] = {1, 2, 3};\nb = c;\na[0] = b[1];"),
        (("b = c;", "for (int k = 0; k < 3; k++) b[k] = c[k];"),),
    ),
    "add `{}` before the loops of the reduction": (
        total(f"float s;\nif (n > 3)\n__pencil_reduction_var_init(&s, zero);\n{EACH} __pencil_reduction(&s, a[i], "
              f"add);\n"
              "return s;"),
        (("float s;\nif (n > 3)\n", "float s;\n"),),
    ),
    "begin from the identity of the operator, and bring in `{}` behind the loop: `{}` writes it": (
        total(f"float s, b = 3;\n__pencil_reduction_var_init(&s, b);\n{EACH} __pencil_reduction(&s, a[i], add);\n"
              "return s;"),
        (("(&s, b)", "(&s, zero)"), ("return s", "return s + b")),
    ),
    "define `{}` before its use": (
        region(f"{EACH} a[i] = helper(a[i]);"),
        (("void f(", "static float helper(float x) { return 2 * x; }\nvoid f("),),
    ),
    "each subscript has brackets of its own": (
        region(f"{EACH} a[i, 0, 0] = 1;", head="void f(int n, float a[static const restrict n][1][1])"),
        (("a[i, 0, 0]", "a[i][0][0]"),),
    ),
    "end it with `{}`": (
        region(f"{EACH} a[i] = one(i);", before="static float one(int i) { if (i > 3) return 2; }\n"),
        (("return 2; }", "return 2; return 0; }"),),
    ),
    "give `{}` a value before that": (
        region(f"float b[3];\n{EACH} a[i] = b[i % 3];"), (("float b[3];", "float b[3] = {0};"),),
    ),
    "give it another name": (
        region(f"{EACH} a[i] = i;", before="#include <pencil.h>\nstatic float pencil_half_to_float(float x) { "
                                           "return x; }\n"),
        (("float pencil_half_to_float", "float mine"),),
    ),
    "make it a statement of its own": (
        region(f"int k = 0;\n{EACH} a[i] = i > 3 ? k++ : 0;"),
        (("a[i] = i > 3 ? k++ : 0;", "{ a[i] = i > 3 ? k : 0; k += i > 3; }"),),
    ),
    "make it a statement of its own, or write `==`": (
        region(f"int k = 0;\n{EACH} if (SET) a[i] = k;", before="#define SET k = i\n"), (("SET k = i", "SET k == i"),),
    ),
    "mark a region with `#pragma scop` and `#pragma endscop`, or use `--autodetect`; `pencilc port` says what "
    "plain C needs "
    "and writes the change": (
        "int f(int n)\n{\n    int k = 0;\n    while (n > 1) { n /= 2; k++; }\n    return k;\n}\n",
        (("    while (n > 1) { n /= 2; k++; }\n", "#pragma scop\n    while (n > 1) { n /= 2; k++; }\n#pragma "
                                                  "endscop\n"),),
    ),
    "move its declaration before the region": (
        of_main("float a[9];\n#pragma scop\nint m = 9;\nfloat b[m];\nfor (int i = 0; i < 9; i++) { a[i] = i; b[i] "
                "= i; }\n"
                "#pragma endscop\nprintf(\"%g %g\", a[2], b[3]);"),
        (("#pragma scop\nint m = 9;\nfloat b[m];", "int m = 9;\nfloat b[m];\n#pragma scop"),),
    ),
    "move the read behind the last update of `{}`": (
        total(f"float s;\n__pencil_reduction_var_init(&s, zero);\n{EACH} {{ __pencil_reduction(&s, a[i], add); "
              f"a[i] = s; }}\n"
              "return s;"),
        ((" a[i] = s; }", f" }}\n{EACH} a[i] = s;"),),
    ),
    "name a summary function with `__attribute__((pencil_access(summary)))`": (
        region(f"{EACH} {{ __pencil_use(a[i]); a[i] = 1; }}"), (("__pencil_use(a[i]); ", ""),),
    ),
    "one of ": (
        total(f"float s = 0;\n#pragma scop\n#pragma pencil independent reduction(plus: s)\n{EACH} s += a[i];\n"
              "#pragma endscop\nreturn s;"),
        (("plus:", "+:"),),
    ),
    "use `double`": (region(f"{EACH} a[i] = (long double)i;"), (("long double", "double"),)),
    "use two statements": (
        region(f"{EACH} {{ float t = (a[i], 3); a[i] = t; }}"), (("float t = (a[i], 3)", "float t = 3"),),
    ),
    "write `#pragma endscop` behind the last loop that is to be compiled": (
        of_main("float a[9];\nif (1) {\n#pragma scop\nfor (int i = 0; i < 9; i++) a[i] = i;\nprintf(\"%g\", a[2]);\n}"),
        (("a[i] = i;", "a[i] = i;\n#pragma endscop"),),
    ),
    "write `&` and the name of a variable": (
        total(f"float s;\n__pencil_reduction_var_init(s + 1, zero);\n{EACH} __pencil_reduction(&s, a[i], "
              f"add);\nreturn s;"),
        (("(s + 1,", "(&s,"),),
    ),
    "write its type, as in `int i`": (region("for (auto i = 0; i < n; i++) a[i] = 1;"), (("auto", "int"),)),
    "write the extent: `float A[static const restrict n]`": (
        region(f"{EACH} a[i] = 1;", head="void f(int n, float a[*])"), (("a[*]", "a[static const restrict n]"),),
    ),
    "write the name of a function of two values there: `T f(T a, T b)`": (
        total(f"float s;\n__pencil_reduction_var_init(&s, zero);\n{EACH} __pencil_reduction(&s, a[i], <);\nreturn s;"),
        ((", <)", ", add)"),),
    ),
    "a loop is counted if it adds a constant to its counter: `for (int i = 0; i < n; i++)`": (
        region("#pragma pencil independent\nfor (int i = 1; i < n; i *= 2) a[i] = 1;"), (("i *= 2", "i++"),),
    ),
    "use an array parameter `T A[static const restrict n]` and a subscript": (
        region(f"{EACH} a[i] = second(b);", before="static float second(const float *p) { return *(p + 1); }\n",
               head=f"void f({A}, const float b[static const restrict 2])"),
        (("const float *p) { return *(p + 1)", "const float p[static const restrict 2]) { return p[1]"),),
    ),
    "a `for` loop with a bound that is known before it, and without `break`, needs no answer": (
        region(f"while (b[0] > 0) {{ {EACH} a[i] = a[i] / 2; b[0] = b[0] - 1; }}",
               head=f"void f({A}, float b[static const restrict 1])"),
        (("while (b[0] > 0)", "for (int t = 0; t < 9; t++)"),),
    ),
    "a condition on data is one for a `while`, or for a `break` in a loop that has a bound": (
        region("for (int i = 0; b[0] > 3; i++) { a[i] = 1; }", head=f"void f({A}, float b[static const restrict 1])"),
        (("for (int i = 0; b[0] > 3; i++) { a[i] = 1; }", "int i = 0; while (b[0] > 3) { a[i] = 1; i++; }"),),
    ),
    "put what stands behind it under the opposite condition": (
        region(f"{EACH} switch (i % 3) {{ case 0: if (n > 3) {{ if (n > 5) break; a[i] = 2; }} a[i] = 4; break;"
               " default: a[i] = 3; }"),
        (("if (n > 5) break; a[i] = 2; } a[i] = 4;", "if (n <= 5) a[i] = 2; } if (n <= 5) a[i] = 4;"),),
    ),
    "or, if what follows the read is another reduction, write `{}` before its loops": (
        total(f"float s;\n__pencil_reduction_var_init(&s, zero);\n{EACH} __pencil_reduction(&s, a[i], add);\nfloat "
              f"t = s;\n"
              f"{EACH} __pencil_reduction(&s, a[i], add);\nreturn s + t;"),
        (("float t = s;", "float t = s;\n__pencil_reduction_var_init(&s, zero);"),),
    ),
}  # fmt: skip
# What no program can be changed by, or what is tried where it is tested, and why.
ELSEWHERE: dict[str, str] = {
    "write `{}`": "what is to be written is made where it is told: `test_newcomer.py`",
    "write `{}` instead": "what is to be written is made where it is told: `test_newcomer.py`",
    "did you mean `{}`?": "a name that is near: `test_newcomer.py`",
    "rename `{}`": "a name of the user's choice",
    "write `{}`, which says so to the reader and the host's compiler and costs nothing": "`test_newcomer.py`",
    "`--on-unsupported=error` says what stands in the way": "an option",
    "`-fassociative-math` allows another order for all floating sums and products of the file": "an option",
    "run `pencilc tune` again": "a command",
    "if it takes some sizes alone, as powers of two, say which: `--sizes n=1,2,64`": "an option of `pencilc port`",
    "put its loops into several functions that the host calls one after the other: "
    "each is a region then": "`tests/unit/test_quotas.py`",
    "a condition on data that the loop does not change lets it run in parallel": "an update that stays sequential",
    "run it again with -v for the traceback, and report it with the output of -E": "a command",
    "mark a region with `#pragma scop` and `#pragma endscop`, to be told what stands in the way; floating sums are "
    "found with "
    "`-fassociative-math`; `pencilc port` writes the change that a function needs": "with `--autodetect`: "
    "`test_left.py`",
    "put `#pragma scop` around its loops and leave out --on-unsupported to be told what stands in the way": "an option",
    "give them one value in the rows of these loops, and no sequence outside of the rows": "a file of schedules",
    "parameters have the ranges of their types, and extents of arrays are not negative": "it says why, nothing is "
    "wrong",
    "declare it with `__attribute__((pencil_access(summary_of_{})))`": "the function has no body: an error besides",
    "move parameter `{}` before the array": "`put … in front of …` is told in its place: `test_newcomer.py`",
    "divide the file": "the program is too large",
    "divide the region": "the program is too large",
    "divide the region, or put what depends on data into a helper with a loop that returns its result": "too large",
    "move the inner loops into a helper function": "the loops are too deep",
}
# The names of what holds remedies in the sources.
_HOLDERS = {"helps", "_NO_UNION", "_NO_BITS", "_DIVIDE", "_OF_ANY_NAME"}
QUICK = 8  # The fast tier tries every eighth.


def words_of(node: ast.AST) -> Iterator[str]:
    """The texts in an expression, with `{}` for what is put in."""
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(each.value) if isinstance(each, ast.Constant) else "{}" for each in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Call | ast.Compare):
        return
    else:
        for child in ast.iter_child_nodes(node):
            yield from words_of(child)


def remedies_in(path: Path) -> Iterator[str]:
    """What a source file tells in words as a remedy."""
    text = path.read_text()
    for node in ast.walk(ast.parse(text)) if any(each in text for each in _HOLDERS) else ():
        found: list[ast.expr] = []
        if isinstance(node, ast.Call):
            found = [word.value for word in node.keywords if word.arg == "helps"]
            if isinstance(node.func, ast.Attribute) and ast.unparse(node.func) == "helps.append":
                found += node.args
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found = [node.value for each in targets if isinstance(each, ast.Name) and each.id in _HOLDERS]
        for each in found:
            yield from (text for text in words_of(each) if " " in text)


@pytest.mark.full
def test_every_remedy_is_tried() -> None:
    written = {text for path in (ROOT / "pencilc").rglob("*.py") for text in remedies_in(path)}
    assert written == REMEDIES.keys() | ELSEWHERE.keys(), written ^ (REMEDIES.keys() | ELSEWHERE.keys())


def told(text: str) -> tuple[tuple[Diagnostic, ...], bool]:
    """What is told of a program, and whether it compiles."""
    try:
        return compile_source(SourceFile("p.c", text), CompileOptions(), "mapping").diagnostics, True
    except SourceErrors as errors:
        return errors.diagnostics, False


def pattern(remedy: str) -> re.Pattern[str]:
    """What a remedy looks like, `{}` being anything."""
    return re.compile(".*".join(map(re.escape, remedy.split("{}"))))


@pytest.mark.parametrize(
    "remedy", [pytest.param(r, marks=pytest.mark.full if k % QUICK else ()) for k, r in enumerate(REMEDIES)]
)
def test_what_is_told_helps(remedy: str) -> None:
    text, pasted = REMEDIES[remedy]
    before, _ = told(text)
    drawn = [d for d in before if any(pattern(remedy).search(each) for each in d.remedies)]
    assert drawn, [(d.message, d.remedies) for d in before]
    for old, new in pasted:
        assert old in text
        text = text.replace(old, new)
    after, compiles = told(text)
    assert compiles and not {d.code for d in drawn} & {d.code for d in after}, [d.message for d in after]
    assert not any(d.severity is Severity.ERROR for d in after)
    command = ["gcc", "-std=gnu99", "-fsyntax-only", f"-I{include_dir()}", "-x", "c", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
