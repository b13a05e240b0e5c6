"""No input brings a traceback, an internal fault, or more than ten seconds: it is compiled or refused with a place."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

from pencilc.diagnostics.diagnostic import CompilerLimitation, SourceErrors
from pencilc.diagnostics.render import render_text
from pencilc.driver import compile_source
from pencilc.frontend import read_source
from pencilc.options import CompileOptions
from tests.conftest import ROOT

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


CASES: dict[str, tuple[str, str]] = {
    "parentheses": (region("a[0] = " + "(" * 200 + "a[1]" + ")" * 200 + ";"), "ok"),
    "more parentheses": (region("a[0] = " + "(" * 5000 + "a[1]" + ")" * 5000 + ";"), "PC0004"),
    "open parentheses": (region("a[0] = " + "(" * 5000), "PC0001"),
    "signs": (region("a[0] = " + "-(" * 250 + "a[1]" + ")" * 250 + ";"), "ok"),
    "long sum": (region("a[0] = " + " + ".join(["a[1]"] * 5000) + ";"), "PC0004"),
    "subscripts": (region("a[0] = " + "a[(int)" * 280 + "1" + "]" * 280 + ";"), "ok PC0004"),
    "blocks": (region("{" * 1000 + "a[0] = 1;" + "}" * 1000), "PC0004"),
    "open blocks": (HEAD + "void f(int n) " + "{" * 10000, "PC0001"),
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
               + "".join(f"a[(i + {k}) % {k + 2}] = a[(i * {k + 1}) % {k + 3}] + 1;\n" for k in range(20)) + "}"),
        "ok limit",
    ),
    "alternatives": (
        region("for (int i = 0; i < n; i++)\nif ("
               + " || ".join(f"i == m + {3 * k}" for k in range(60)) + ") a[i] = 1;"),
        "ok limit",
    ),
    "sweeps": (
        region("".join(f"for (int i = {k}; i < n - {k}; i++) a[i] = a[i - {k}] + a[i + {k}];\n" for k in range(40))),
        "ok limit",
    ),
    "macro bomb": (
        "#define A0 x x\n" + "".join(f"#define A{k + 1} A{k} A{k}\n" for k in range(12)) + region("A12;"),
        "PC0001 PC0010 PC0014",
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


@pytest.mark.parametrize("name", CASES)
def test_pathological(name: str) -> None:
    text, allowed = CASES[name]
    said = compiled(text.encode("utf-8", "surrogateescape"))
    assert all(word in allowed.split() for word in said.split()), said


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


WORDS = [
    "(", ")", "{", "}", "[", "]", ";", ",", "&", "*", "0", "1", "-1", "n", "i", "float", "int", "for", "if", "while",
    "return", "__pencil_reduction", "__pencil_reduction_var_init", "#pragma scop\n", "\n#pragma endscop\n",
    "\n#pragma pencil independent\n", "struct", "const", "static", "=", "+=", "<", "++", "NULL", "break;", "else",
    "1e99", "'", '"', "#", "\\", "@", "é",
]  # fmt: skip


def mutated(text: str, generator: random.Random) -> str:
    """`text` with a few tokens dropped, doubled, swapped or replaced."""
    parts = re.findall(r"\w+|\s+|[^\w\s]", text)
    for _ in range(generator.choice((1, 1, 2, 5))):
        k = generator.randrange(len(parts))
        kind = generator.randrange(5)
        if kind == 0:
            del parts[k]
        elif kind == 1:
            parts.insert(k, parts[k])
        elif kind == 2:
            other = generator.randrange(len(parts))
            parts[k], parts[other] = parts[other], parts[k]
        elif kind == 3:
            parts[k] = generator.choice(WORDS)
        else:
            parts.insert(k, generator.choice(WORDS))
    return "".join(parts)


def mutations(path: Path, seeds: range) -> None:
    for seed in seeds:
        text = mutated(path.read_text(), random.Random(f"{path.stem} {seed}"))
        try:
            compiled(text, path.name)
        except Exception as error:
            raise AssertionError(f"{path.name}, seed {seed}: {type(error).__name__}: {error}") from error


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_mutated(path: Path) -> None:
    mutations(path, range(12))


@pytest.mark.full
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_mutated_often(path: Path, part: int) -> None:
    mutations(path, range(1000 + 100 * part, 1100 + 100 * part))
