"""No input brings a traceback, an internal fault, or more than ten seconds: it is compiled or refused with a place."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from pencilc.diagnostics.diagnostic import CompilerLimitation, SourceErrors
from pencilc.diagnostics.render import render_text
from pencilc.driver import compile_source
from pencilc.frontend import read_source
from pencilc.options import CompileOptions
from tests.conftest import ROOT
from tests.fuzz.mutate import failure, outcome

SECONDS = 10
HEAD = (
    "#include <pencil.h>\nstatic void zero(float *v) { *v = 0; }\n"
    "static float add(float a, float b) { return a + b; }\n"
)
SAMPLES = [ROOT / "samples" / f"{name}.c" for name in ("stats", "argmin", "srad", "column_sums", "slambench")]


def compiled(data: bytes | str, name: str = "t.c") -> str:
    """Compile; `ok`, or the codes of the errors.  Any other exception is a failure of the test."""
    started = time.process_time()
    try:
        file = read_source(name, data.encode() if isinstance(data, str) else data)
        compile_source(file, CompileOptions())
        said = "ok"
    except SourceErrors as errors:
        assert errors.diagnostics
        assert all(d.span.line >= 1 and d.span.path for d in errors.diagnostics)
        render_text(errors.diagnostics).encode()
        said = " ".join(sorted({d.code for d in errors.diagnostics}))
    except CompilerLimitation as limit:
        assert limit.span is not None
        said = "limit"
    assert time.process_time() - started < SECONDS
    return said


def region(body: str) -> str:
    return (
        HEAD + f"void f(int n, int m, float a[static const restrict n]) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    )


def loops(count: int, innermost: str) -> str:
    return "".join(f"for (int i{k} = 0; i{k} < n; i{k}++)\n" for k in range(count)) + innermost


def doubling(first: str, each: str) -> str:
    """Forty macros, each of which holds the one before twice."""
    lines = [f"#define {first}\n"]
    return "".join(lines + [f"#define {each.format(k + 1, k, k)}\n" for k in range(40)])


CASES: dict[str, tuple[str, str]] = {
    "parentheses": (region("a[0] = " + "(" * 200 + "a[1]" + ")" * 200 + ";"), "ok"),
    "more parentheses": (region("a[0] = " + "(" * 5000 + "a[1]" + ")" * 5000 + ";"), "PC0004"),
    "open parentheses": (region("a[0] = " + "(" * 5000), "PC0004"),
    "signs": (region("a[0] = " + "-(" * 250 + "a[1]" + ")" * 250 + ";"), "ok"),
    "long sum": (region("a[0] = " + " + ".join(["a[1]"] * 5000) + ";"), "PC0004"),
    "subscripts": (region("a[0] = " + "a[(int)" * 280 + "1" + "]" * 280 + ";"), "ok PC0004"),
    "blocks": (region("{" * 1000 + "a[0] = 1;" + "}" * 1000), "PC0004"),
    "open blocks": (HEAD + "void f(int n) " + "{" * 10000, "PC0004"),
    "conditions": (region("".join(f"if (n > {k})\n" for k in range(200)) + "a[0] = 1;"), "ok"),
    "else chain": (
        region("".join(f"if (n == {k}) a[0] = {k};\nelse " for k in range(120)) + "a[0] = 1;"), "ok limit PC0004"
    ),
    "60 loops": (region(loops(60, "a[i0] = 1;")), "PC0004"),
    "16 loops": (region(loops(16, "a[i0] = a[i0] + 1;")), "ok"),
    "16 reduced loops": (
        HEAD + "float f(int n, const float a[static const restrict n]) {\nfloat s;\n"
        "__pencil_reduction_var_init(&s, zero);\n" + loops(16, "__pencil_reduction(&s, a[i0], add);") + "return s; }\n",
        "ok",
    ),
    "loops of a helper": (
        HEAD + "static void g(int n, float a[n]) {\n" + loops(14, "a[i0] += 1;") + "}\n"
        "void f(int n, float a[static const restrict n]) {\n#pragma scop\n" + loops(14, "g(n, a);")
        + "\n#pragma endscop\n}\n",
        "ok",
    ),
    "remainders": (
        region("for (int i = 0; i < n; i++) {\n"
               + "".join(f"a[(i + {k}) % {k + 2}] = a[(i * {k + 1}) % {k + 3}] + 1;\n" for k in range(14)) + "}"),
        "ok limit",
    ),
    "alternatives": (
        region("for (int i = 0; i < n; i++)\nif ("
               + " || ".join(f"i == m + {3 * k}" for k in range(60)) + ") a[i] = 1;"),
        "ok PC0006",
    ),
    "sweeps": (
        region("".join(f"for (int i = {k}; i < n - {k}; i++) a[i] = a[i - {k}] + a[i + {k}];\n" for k in range(40))),
        "ok limit",
    ),
    "macro bomb": (
        "#define A0 x x\n" + "".join(f"#define A{k + 1} A{k} A{k}\n" for k in range(12)) + region("A12;"),
        "PC0004",
    ),
    "doubling macros": (doubling("A0 1 + 1", "A{} A{} + A{}") + region("a[0] = A40;"), "PC0006"),
    "doubling macros with arguments": (
        doubling("A0(x) x + x", "A{}(x) A{}(x) + A{}(x)") + region("a[0] = A40(1);"), "PC0006"
    ),
    "doubling macros in each other": (
        "#define G(x) x + x\n" + region("a[0] = " + "G(" * 30 + "1" + ")" * 30 + ";"), "PC0006"
    ),
    "a table of macro calls": (
        "#define P(a, b) (a*3+b)\nstatic const int t[] = {\n" + "".join(f"P({k}, 1),\n" for k in range(13_000))
        + "};\n" + region("a[0] = t[n];"), "ok"
    ),
    "macro calls in each other": (
        "#define P(x) x\n" + region("a[0] = " + "P(" * 20_000 + "1" + ")" * 20_000 + ";"), "PC0006"
    ),
    "doubling tokens": (
        "#define P0(x) x ## x\n" + "".join(f"#define P{k + 1}(x) P{k}(x ## x)\n" for k in range(40))
        + region("int P40(a);"), "PC0006"
    ),
    "doubling conditions": (doubling("A0 1", "A{} (A{} + A{})") + "#if A40\n#endif\n" + region("a[0] = 1;"), "PC0006"),
    "doubling strings": (
        "#define S(x) #x\n#define T(x) S(x)\n" + doubling("A0 x x", "A{} A{} A{}") + region("a[0] = sizeof(T(A40));"),
        "PC0006",
    ),
    "many conditions": ("#if 1 + 1\n#endif\n" * 6000 + region("a[0] = 1;"), "PC0006"),
    "a long condition": ("#if " + "1 + " * 2000 + "1\n#endif\n" + region("a[0] = 1;"), "PC0006"),
    "a large condition": (
        "#define N 1000000000000\n#if 1 << N > 3 || 1 << (1 << 40) << N\n#endif\n" + region("a[0] = 1;"), "ok"
    ),
    "a condition made by macros": (
        "#define P0 1 +\n" + "".join(f"#define P{k + 1} P{k} P{k}\n" for k in range(12)) + "#if P12 1\n#endif\n"
        + region("a[0] = 1;"), "PC0006"
    ),
    "a deep condition": ("#if " + "(" * 400 + "1" + ")" * 400 + "\n#endif\n" + region("a[0] = 1;"), "PC0005"),
    "doubling structs": (
        "struct S0 { int x; };\n"
        + "".join(f"struct S{k + 1} {{ struct S{k} p, q; }};\n" for k in range(40))
        + region("a[0] = 1;").replace("int m", "struct S40 m"), "PC0006"
    ),
    "a subscript of many cases": (
        region("for (int i = 0; i < n; i++) a["
               + "".join(f"min(i + {k} * m, max(m - {k}, " for k in range(40)) + "i" + "))" * 40 + "] = 1;"), "PC0006"
    ),
    "initialisers in each other": (
        "int t[] = " + "{" * 5000 + "1" + "}" * 5000 + ";\n" + region("a[0] = 1;"), "PC0004"
    ),
    "structs in each other": (
        "struct S { " + "struct { " * 2000 + "int x; " + "} s; " * 2000 + "};\n" + region("a[0] = 1;"), "PC0004"
    ),
    "many dimensions": ("int q" + "[2]" * 5000 + ";\n" + region("a[0] = 1;"), "PC0004"),
    "many stars": ("int " + "*" * 6000 + "p;\n" + region("a[0] = 1;"), "PC0004"),
    "many signs": (region("a[0] = " + "~ " * 6000 + "1;"), "PC0004"),
    "many choices": (region("a[0] = " + "n ? 1 : " * 3000 + "2;"), "PC0004"),
    "long shifts": (
        region("a[0] = 1 << 1000000000; a[1] = 1L << 62 << 62; a[2] = 1 >> 99999999999;"), "ok PC0012 PC0014"
    ),
    "a long product": (region("a[0] = " + " * ".join(["999999999999"] * 2400) + ";"), "PC0004"),
    "a table of 2^30": (
        "static const float t[1 << 30] = {1};\n" + region("a[0] = t[n];"), "PC0006"
    ),
    "a table of as many elements as are written": (
        "static const float t[] = {[1 << 30] = 1};\n" + region("a[0] = t[n];"), "PC0006"
    ),
    "a table of tables": (
        "static const float t[1000][1000][1000] = {{{1}}};\n" + region("a[0] = t[n][n][n];"), "PC0006"
    ),
    "large variables": (
        region("".join(f"float t{k}[20000] = {{1}};\n" for k in range(100)) + "a[0] = t1[n];"), "PC0006"
    ),
    "a line behind a macro": (
        "#define N 10000\nstatic const int t[N] = {" + "1, " * 10_000 + "};\n" + region("a[0] = t[n];"), "ok"
    ),
    "a long table": (
        "static const int t[] = {" + "1, " * 99_000 + "};\n" + region("a[0] = t[n];"), "ok"
    ),
    "a number of many digits": (region("a[0] = " + "9" * 20000 + ";"), "PC0012 PC0014"),
    "a floating number of many digits": (region("a[0] = 1." + "0" * 20000 + "1;"), "ok"),
    "a long string": (region('const char s[] = "' + "x" * 150_000 + '"; a[0] = s[0];'), "PC0006"),
    "a long name": (region("int " + "x" * 150_000 + " = 1;"), "PC0006"),
    "a long character": (region("a[0] = '" + "x" * 150_000 + "';"), "PC0006"),
    "a long comment": ("/*" + "*" * 1_900_000 + "*/\n" + region("a[0] = 1;"), "ok"),
    "a file of blanks": (" " * 2_100_000 + region("a[0] = 1;"), "PC0006"),
    "doubling helpers": (
        HEAD + "static void g0(int n, float x[n]) { for (int i = 0; i < n; i++) x[i] = 1; }\n"
        + "".join(f"static void g{k + 1}(int n, float x[n]) {{ g{k}(n, x); g{k}(n, x); }}\n" for k in range(40))
        + region("g40(n, a);").removeprefix(HEAD), "PC0006"
    ),
    "a sum of remainders": (
        region("for (int i = 0; i < n; i++)\na[" + " + ".join(f"i * {2 * k + 3} % {6 * k + 7}" for k in range(29))
               + "] = 1;"), "ok"
    ),
    "many comparisons": (
        HEAD + "void f(" + ", ".join(f"int n{k}" for k in range(120)) + ", float a[static const restrict n0]) {\n"
        "#pragma scop\nfor (int i = 0; i < n0; i++)\nif (" + " && ".join(f"i < n{k}" for k in range(120))
        + ") a[i] = 1;\n#pragma endscop\n}\n", "ok"
    ),
    "many helpers": (
        "".join(f"static int h{k}(int x) {{ return x + {k}; }}\n" for k in range(1000))
        + region("a[0] = h999(n);"), "ok"
    ),
    "helpers of each other": (
        "static int h0(int x) { return x; }\n"
        + "".join(f"static int h{k + 1}(int x) {{ return h{k}(x) + {k}; }}\n" for k in range(999))
        + region("a[0] = h999(n);") + "int main(void) { return 0; }\n", "ok"
    ),
    "doubling values": (
        HEAD + "static float op(float a, float b) { float x0 = a + b;\n"
        + "".join(f"float x{k + 1} = x{k} + x{k};\n" for k in range(60)) + "return x60; }\n"
        + region("float s; __pencil_reduction_var_init(&s, zero);\n"
                 "for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], op); a[0] = s;").removeprefix(HEAD),
        "ok PC0208",
    ),
    "values of each other": (
        region("for (int i = 0; i < n; i++) { int s0 = i;\n"
               + "".join(f"int s{k + 1} = min(s{k} + {k}, n);\n" for k in range(99)) + "a[s99] = 1; }"), "ok PC0006"
    ),
    "doubling paths": (
        HEAD + "static float op(float a, float b) { float x = a;\n"
        + "".join(f"if (x > {k}) x = x + b;\n" for k in range(60)) + "return x; }\n"
        + region("float s; __pencil_reduction_var_init(&s, zero);\n"
                 "for (int i = 0; i < n; i++) __pencil_reduction(&s, a[i], op); a[0] = s;").removeprefix(HEAD),
        "ok PC0208",
    ),
    "large factors": (
        region("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)\n"
               "a[1234567891234567 * i + 987654321987654321 * j] = a[i * 99999999999 + 3];"), "ok"
    ),
    "many parameters": (
        "void f(" + ", ".join(f"int p{k}" for k in range(2000)) + ") {\n#pragma scop\n;\n#pragma endscop\n}\n", "PC0006"
    ),
    "many statements": (region("a[0] = a[0] + 1;\n" * 2000), "PC0006"),
    "many declarations": (region("".join(f"int s{k} = m + {k};\n" for k in range(2000)) + "a[0] = s3;"), "PC0006"),
    "many constant elements": (region("".join(f"a[{k}] = {k} + m;\n" for k in range(1400))), "ok"),
    "many factors of elements": (
        region("for (int i = 0; i < n; i++) {\n" + "".join(f"a[i] = a[i] * {k};\n" for k in range(1400)) + "}"), "ok"
    ),
    "many plain sums": (
        region("float s = 0; for (int i = 0; i < n; i++) {\n"
               + "".join(f"s += a[i] * {k};\n" for k in range(1400)) + "} a[0] = s;"), "ok"
    ),
    "many values": (
        region("for (int i = 0; i < n; i++) {\nfloat s0 = a[i];\n"
               + "".join(f"float s{k + 1} = s{k} * s{k};\n" for k in range(1400)) + "a[i] = s1400; }"), "ok"
    ),
    "many subscripts that are data": (
        region("".join(f"a[(int)a[{k}]] = a[(int)a[{k} + m]];\n" for k in range(1400))), "ok"
    ),
    "many updates": (
        HEAD + "float f(int n, const float a[static const restrict n]) {\nfloat s;\n"
        "__pencil_reduction_var_init(&s, zero);\nfor (int i = 0; i < n; i++) {\n"
        + "".join(f"__pencil_reduction(&s, a[i] + {k}, add);\n" for k in range(150)) + "}\nreturn s; }\n", "ok"
    ),
    "many sums": (
        HEAD + "void f(int n, const float a[static const restrict n], float o[static const restrict 300]) {\n"
        "#pragma scop\n" + "".join(f"__pencil_reduction_var_init(&o[{k}], zero);\n" for k in range(300))
        + "for (int i = 0; i < n; i++) {\n"
        + "".join(f"__pencil_reduction(&o[{k}], a[i] + {k}, add);\n" for k in range(300))
        + "}\n#pragma endscop\n}\n", "ok"
    ),
    "many rows that are normalised": (
        HEAD + "void f(int n, float a[static const restrict n][n]) {\n#pragma scop\n"
        + "for (int i = 0; i < n; i++) {\nfloat s;\n__pencil_reduction_var_init(&s, zero);\n"
          "for (int j = 0; j < n; j++) __pencil_reduction(&s, a[i][j], add);\n"
          "for (int j = 0; j < n; j++) a[i][j] = a[i][j] / s; }\n" * 201
        + "#pragma endscop\n}\n", "PC0006"
    ),
    "many functions": (
        "".join(f"void f{k}(int n, float a[static const restrict n])\n{{\n#pragma scop\na[0] = 1;\n"
                "#pragma endscop\n}\n" for k in range(700)), "PC0006"
    ),
    "many statements of functions": (
        "".join(f"void f{k}(int n, float a[static const restrict n])\n{{\n#pragma scop\n"
                + "a[0] = a[0] + 1;\n" * 700 + "#pragma endscop\n}\n" for k in range(3)), "PC0006"
    ),
    "includes itself": ('#include "t.c"\n' + region("a[0] = 1;"), "PC0002"),
    "unended comment": (region("a[0] = 1;") + "/* never ended", "ok PC0001"),
    "unended string": (region('a[0] = "x;'), "PC0001"),
    "unended if": ("#if 1\n" + region("a[0] = 1;"), "PC0005"),
    "else without if": ("#else\n" + region("a[0] = 1;"), "PC0005"),
    "empty condition": ("#if\n" + region("a[0] = 1;") + "#endif\n", "PC0005"),
    "cut condition": (region("a[0] = 1;") + "#if", "PC0005"),
    "error": ("#error stop\n" + region("a[0] = 1;"), "PC0005"),
    "missing header": ('#include "no/such.h"\n' + region("a[0] = 1;"), "PC0002"),
    "malformed include": ("#include \n" + region("a[0] = 1;"), "PC0002 PC0005"),
    "division by zero": ("#if 1 / 0\n#endif\n" + region("a[0] = 1;"), "PC0005"),
    "bytes in comments": (region("a[0] = 1; /* \udcff\udc80 */"), "ok"),
    "huge number": (region("a[0] = 123456789012345678901234567890;"), "PC0012 PC0014 ok"),
    "huge bound": (region("for (long i = 0; i < 9223372036854775807; i++) a[0] = 1;"), "ok"),
    "huge step": (region("for (int i = 0; i < n; i += 2147483647) a[0] = i;"), "ok"),
    "empty": ("", "PC0003"),
    "white space": (" \n\t\n", "PC0003"),
    "only a comment": ("/* nothing */\n", "PC0106"),
    "only an unreadable function": ("int square(int x) { return x * x;;in}\n", "PC0001"),
    "only a semicolon": (";\n", "PC0106"),
    "no line end": (region("a[0] = 1;").rstrip("\n"), "ok"),
    "carriage returns": (region("a[0] = 1;").replace("\n", "\r\n"), "ok"),
    "continued lines": (region("a[0] \\\n = \\\n 1;"), "ok"),
    "form feeds": (region("a[0] = 1;\f\v"), "ok PC0001"),
}  # fmt: skip


# What others of the cases ask in less time.
_LONG = ("a long table", "many values", "many factors of elements", "many subscripts that are data", "remainders",
         "a table of macro calls", "16 loops")  # fmt: skip


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.full if n in _LONG else ()) for n in CASES])
def test_pathological(name: str) -> None:
    text, allowed = CASES[name]
    said = compiled(text.encode("utf-8", "surrogateescape"))
    assert all(word in allowed.split() for word in said.split()), said


def test_includes_are_bounded(tmp_path: Path) -> None:
    for k in range(40):
        (tmp_path / f"twice{k}.h").write_text(f'#include "twice{k + 1}.h"\n' * 2)
    (tmp_path / "twice40.h").write_text("int x;\n")
    for k in range(300):
        (tmp_path / f"deep{k}.h").write_text(f'#include "deep{k + 1}.h"\n')
    (tmp_path / "self.h").write_text('#include "self.h"\n')
    (tmp_path / "again.h").write_text("#include __FILE__\n")
    for name in ("twice0.h", "deep0.h", "self.h", "again.h", "/dev/zero"):
        started = time.process_time()
        path = name if name.startswith("/") else str(tmp_path / name)
        assert compiled(f'#include "{path}"\n' + region("a[0] = 1;")) == "PC0006", name
        assert time.process_time() - started < SECONDS


def test_an_endless_file() -> None:
    with pytest.raises(SourceErrors) as errors:
        read_source("/dev/zero")
    assert [d.code for d in errors.value.diagnostics] == ["PC0006"]


@pytest.mark.full
def test_many_tokens() -> None:
    assert compiled(region("a[0] = 1;") + "int t[] = {" + "1," * 250_000 + "};\n") == "PC0006"


@pytest.mark.full
def test_a_long_file() -> None:
    """20,000 lines, most of them host code."""
    host = "".join(f"int g{k}(int x)\n{{\n    int y = x + {k};\n    return y * 2;\n}}\n" for k in range(3900))
    entries = "".join(f"void e{k}(int n, float a[static const restrict n])\n{{\n#pragma scop\n"
                      f"    for (int i = 0; i < n; i++)\n        a[i] = a[i] + {k};\n#pragma endscop\n}}\n"
                      for k in range(60))  # fmt: skip
    text = HEAD + host + entries
    assert text.count("\n") > 19_900
    assert compiled(text) == "ok"


def test_random_bytes() -> None:
    generator = random.Random(1)
    for length in (1, 7, 100, 5000):
        for _ in range(5):
            assert compiled(generator.randbytes(length)) != "ok"
            printable = bytes(generator.choice(b"(){}[];,*&a1 \n\"'#/\\<>=+-") for _ in range(length))
            compiled(printable)


def truncated(path: Path, first: int, stride: int) -> None:
    data = path.read_bytes()
    for end in range(first, len(data), stride):
        try:
            compiled(data[:end], path.name)
        except Exception as error:
            raise AssertionError(f"{path.name} cut after {end} bytes: {type(error).__name__}: {error}") from error


@pytest.mark.parametrize("path", SAMPLES[:3], ids=lambda path: path.stem)
def test_truncated(path: Path) -> None:
    truncated(path, 11, 97)


@pytest.mark.full
@pytest.mark.parametrize("part", range(8))
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_truncated_at_every_byte(path: Path, part: int) -> None:
    truncated(path, part, 8)


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_mutated(first: int) -> None:
    assert [wrong for seed in range(first, first + 20) if (wrong := failure(seed))] == []


# Mutants that pencilc once tripped over, made small.
MUTANTS = sorted((Path(__file__).parent / "mutants").glob("*.c"))


@pytest.mark.parametrize("path", MUTANTS, ids=lambda path: path.stem)
def test_mutants_that_failed_once(path: Path) -> None:
    outcome(path.read_text(), path.name)


@pytest.mark.full
@pytest.mark.parametrize("first", range(100_000, 102_000, 100))
def test_mutated_often(first: int) -> None:
    assert [wrong for seed in range(first, first + 100) if (wrong := failure(seed))] == []
