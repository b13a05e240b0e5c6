"""`verify` tells what is wrong with the source program itself, and when nothing was compared."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pencilc.cli import main
from pencilc.diagnostics.source import SourceFile
from pencilc.ir.source import FLOAT, INT
from pencilc.options import CompileOptions
from pencilc.verify import sanitizers
from pencilc.verify.cases import GUARD, Argument
from pencilc.verify.sequential import build_program

SWAPPED = """#include <pencil.h>
static void zero(float *x) { *x = 0.0f; }
static float add(float a, float b) { return a + b; }
float swapped(int h, int w, const float a[static const restrict h][w]) {
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            __pencil_reduction(&s, a[x][y], add);
    return s;
}
"""
BEFORE = """#include <pencil.h>
void before(int n, const int a[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i - 1];
#pragma endscop
}
"""
WRITTEN = """#include <pencil.h>
void written(int n, int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        o[i + 2] = i;
#pragma endscop
}
"""
GUARDED = """#include <pencil.h>
void guarded(int n, const int a[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = i > 0 ? a[i - 1] : 0;
#pragma endscop
}
"""
SHIFTED = """#include <pencil.h>
void shifted(int n, int by, const int a[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] << by;
#pragma endscop
}
"""
MEMBER = """#include <pencil.h>
typedef struct { float v[4]; } Row;
void member(int n, int m, Row a[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j].v[j + 2] = 3;
#pragma endscop
}
"""
PITCHED = """#include <pencil.h>
void pitched(int n, int m, float p[static const restrict 2][m][n], const int at[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * m; j++)
            p[0] [j / 7 * m][at[i] - at[i]] = 3;
#pragma endscop
}
"""
PROGRAM = """#include <pencil.h>
#include <stdio.h>
#include <stdlib.h>
void doubled(int n, const int a[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = 2 * a[i];
#pragma endscop
}
int main(void) {
    int *a = calloc(10, sizeof *a), *o = calloc(10, sizeof *o);
    doubled(10, a, o);
    printf("%d\\n", o[10]);
    free(a);
    free(o);
    return 0;
}
"""

pytestmark = pytest.mark.skipif(sanitizers.preload() is None, reason="gcc has no sanitizers here")


def verified(folder: Path, text: str, *arguments: str) -> Result:
    path = folder / "work.c"
    path.write_text(text)
    return CliRunner().invoke(main, ["verify", str(path), "--order=fwd", *arguments])


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), start=1) if part in line)


@pytest.mark.parametrize(
    ("text", "sizes", "code", "said"),
    [
        (SWAPPED, ("h=3", "w=40"), "a[x][y]", "reads `a[3][0]`, which lies outside of `a[3][40]`"),
        (SWAPPED, ("h=40", "w=3"), "a[x][y]", "the index 3 lies outside of a dimension of 3, of `a[40][3]`"),
        (MEMBER, ("n=5", "m=7"), ".v[j + 2]", "the index 4 lies outside of a dimension of 4"),
        (PITCHED, ("n=5", "m=7"), "[j / 7 * m]", "the index 7 lies outside of a dimension of 7, of `p[2][7][5]`"),
        (BEFORE, ("n=5",), "a[i - 1]", "reads `a[-1]`, which lies outside of `a[5]`"),
        (WRITTEN, ("n=5",), "o[i + 2]", "writes `o[5]`, which lies outside of `o[5]`"),
        (SHIFTED, ("n=5", "by=40"), "a[i] << by", "shift exponent 40 is too large"),
        (PROGRAM, ("n=1",), "o[10]", "reads memory 0 bytes after a block of 40 bytes"),
    ],
    ids=["rows", "columns", "member", "pitched", "before", "written", "shift", "main"],
)  # fmt: skip
def test_what_the_source_does_wrong_is_told_with_its_place(
    tmp_path: Path, text: str, sizes: tuple[str, ...], code: str, said: str
) -> None:
    done = verified(tmp_path, text, *(f"--sizes={size}" for size in sizes))
    assert done.exit_code == 1, done.output
    assert f"work.c:{line_of(text, code)}: the sequential program" in done.output
    assert said in done.output
    assert "at fault" in done.output
    assert ("--inputs FILE.py" in done.output) == (text != PROGRAM)


UNSET = {
    "array": "int t[8]; if (n > 99) t[1] = 2; for (int i = 0; i < n; i++) o[i] = t[i & 7];",
    "some": "int t[8]; for (int i = 0; i < n / 2; i++) t[i] = i; for (int i = 0; i < n; i++) o[i] = t[i];",
    "helper": "for (int i = 0; i < n; i++) o[i] = taken(i);",
}


@pytest.mark.parametrize("body", UNSET)
def test_what_the_source_takes_without_having_set_it_is_its_own_fault(tmp_path: Path, body: str) -> None:
    text = (
        "static int taken(int i) { int t[4]; for (int k = 1; k < 4; k++) t[k] = i; return t[i & 3]; }\n"
        f"void work(int n, int o[static const restrict n]) {{\n#pragma scop\n{UNSET[body]}\n#pragma endscop\n}}\n"
    )
    done = verified(tmp_path, text, "--sizes=n=7")
    assert done.exit_code == 1, done.output
    assert "the sequential program uses a local variable, or an element of one, before it has a value" in done.output
    assert "0 differs, 0 error" in done.output


# The operator is not the same both ways for elements that it has not seen; nothing is computed with integers.
PADDED = """#include <pencil.h>
typedef struct { float v; _Bool seen; } Found;
static void none(Found *f) { f->v = 0; f->seen = 0; }
static Found either(Found a, Found b) { return !a.seen ? b : !b.seen ? a : a.v > b.v ? a : b; }
static Found made(float v) { Found f; f.v = v; f.seen = v > 0; return f; }
void work(int n, const float a[static const restrict n], Found o[static const restrict 1]) {
#pragma scop
    Found f;
    __pencil_reduction_var_init(&f, none);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&f, made(a[i]), either);
    o[0] = f;
#pragma endscop
}
"""


def test_what_lies_between_members_is_no_result_of_an_overflow(tmp_path: Path) -> None:
    done = verified(tmp_path, PADDED, "--sizes=n=1")
    assert "fwrapv" not in done.output
    assert done.exit_code == 4, done.output
    assert "o[0].v" in done.output


def test_an_access_that_a_condition_prevents_is_compared(tmp_path: Path) -> None:
    done = verified(tmp_path, GUARDED, "--sizes=n=0,5", "--json")
    assert done.exit_code == 0, done.output
    assert {row["status"] for row in json.loads(done.stdout)["rows"]} == {"ok"}


def test_without_sanitizers_a_doubtful_access_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sanitizers, "preload", lambda: None)
    monkeypatch.setattr("pencilc.verify.command.preload", lambda: None)
    done = verified(tmp_path, BEFORE, "--sizes=n=5")
    assert done.exit_code == 3, done.output
    assert "gcc has no sanitizers here" in done.stderr
    assert "note: the sequential program ran without gcc's sanitizers" in done.stdout


def test_nothing_compared_is_a_status_of_its_own(tmp_path: Path) -> None:
    done = verified(tmp_path, GUARDED, "--sizes=n=100", "--max-elements=150")
    assert done.exit_code == 3
    assert "nothing was compared: 200 elements are more than 150 (--max-elements)" in done.stderr
    done = verified(tmp_path, GUARDED, "--sizes=n=100", "--max-iterations=50")
    assert done.exit_code == 3
    assert "100 iterations are more than 50 (--max-iterations)" in done.stderr


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ("def inputs_gaurded(sizes, rng): return {}", "did you mean 'inputs_guarded'?"),
        ("def inputs_guarded(sizes, rng): return {'b': 1}", "'b', which is no parameter of 'guarded'; there are n, a,"),
        ("def inputs_guarded(sizes, rng): return {}['a']", "inputs_guarded fails: KeyError: 'a'"),
        ("def inputs_guarded(sizes, rng): return 3", "inputs_guarded returns 3, not a dictionary"),
    ],
    ids=["function", "parameter", "exception", "type"],
)  # fmt: skip
def test_inputs_that_are_for_nothing_are_errors(tmp_path: Path, inputs: str, said: str) -> None:
    (tmp_path / "work.inputs.py").write_text(inputs + "\n")
    done = verified(tmp_path, GUARDED, "--sizes=n=5")
    assert done.exit_code == 2, done.output
    assert said in done.stderr


def test_places_are_named_as_the_source_does() -> None:
    array = Argument("a", FLOAT, True, False, (3, 4), b"")
    messages = (
        "pencilc: array 1 0x10000\n==7==ERROR: AddressSanitizer: use-after-poison on address {} at pc 0x1\n"
        "READ of size 4 at {} thread T0\n    #0 0x7f in work /somewhere/work.c:12\n    #1 0x7e in other /x/y.c:3\n"
    )
    scalar = Argument("n", INT, False, False, (), b"")

    def told(address: int) -> str:
        return sanitizers.fault(messages.format(f"{address:#x}", f"{address:#x}"), (scalar, array))

    assert told(0x10000 + 48) == (
        "/somewhere/work.c:12: the sequential program reads `a[3][0]`, which lies outside of `a[3][4]`"
    )
    assert "`a[-1][3]`" in told(0x10000 - 4)
    assert "memory that is not its own" in told(0x10000 + 48 + 2 * GUARD)
    assert not sanitizers.fault("warning: nothing of the kind\n", (scalar, array))


def test_of_a_long_line_the_statement_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "long.c"
    loop = "for (int i = 0; i < n; i++) here[at[i]] += 1"
    line = f"  int here[4]; {{ zero(n, at); }} {loop}; {'there = 1; ' * 9}"
    path.write_text(f"{line}\n")
    messages = f"{path}:1:{line.index('[at') + 1}: runtime error: index 4 out of bounds for type 'int [4]'\n"
    assert sanitizers.fault(messages) == (
        f"{path}:1: the sequential program: the index 4 lies outside of a dimension of 4, of `here`, in `{loop};`"
    )


HOST = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int n; float v[4]; } Some;
static float table[8];
int main(int argc, char **argv) {
    int k = argc + 20, zero = argc - 2;
    float local[6] = {0}, *heap = malloc(5 * sizeof *heap);
    Some some = {0};
    memset(heap, 0, 20);
    switch (atoi(argv[1])) {
    case 0: printf("%g", local[k]); break;
    case 1: printf("%g", some.v[k]); break;
    case 2: printf("%d", k / zero); break;
    case 3: free(heap); printf("%g", heap[1]); break;
    case 4: memcpy(local, heap, 24); printf("%g", local[1]); break;
    case 5: { float *p = local; printf("%g", p[k - 14]); break; }
    case 6: { float *p = table; printf("%g", p[k - 13]); break; }
    case 7: printf("%s\\n", (char *)(long)(k - 17)); break;
    }
    return 0;
}
"""
SAID = (
    'the index 22 lies outside of a dimension of 6, of `local`, in `case 0: printf("%g", local[k]); break;`',
    "the index 22 lies outside of a dimension of 4, in `",
    "division by zero, in `",
    "reads memory 4 bytes inside of a block of 20 bytes that was freed",
    "reads memory 0 bytes after a block of 20 bytes",
    "reads outside of 'local'",
    "reads outside of 'table'",
    "reads memory that is not its own (SEGV)",
)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("host")
    (folder / "host.c").write_text(HOST)
    return build_program(SourceFile(str(folder / "host.c"), HOST), CompileOptions(), folder)


@pytest.mark.parametrize("number", range(len(SAID)))
def test_faults_of_host_code(host: Path, number: int) -> None:
    environment = {**os.environ, **sanitizers.settings()}
    done = subprocess.run([host, str(number)], capture_output=True, text=True, env=environment, check=False)
    said = sanitizers.fault(done.stderr)
    assert f"host.c:{line_of(HOST, f'case {number}:')}: the sequential program" in said, done.stderr
    assert SAID[number] in said
