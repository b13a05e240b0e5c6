"""Results that the data choose: which form they get, and that none is left to one thread."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.schedule import statements_of
from pencilc.ir.shapes import IndirectKernel, Kernel, Shape
from pencilc.options import CompileOptions, Determinism

HISTOGRAM = """#include <math.h>
#include <pencil.h>
typedef struct {{ float x, y; }} Pair;
typedef struct {{ double only; }} One;
typedef struct {{ char a; int b; short c[5]; double d[9]; }} Mixed;
typedef struct {{ float v[60]; }} Large;
static {type} made({type} v) {{ return v; }}
static void start({type} *v) {{ *v = made(*v); }}
static {type} op({type} a, {type} b) {{ {body} }}
void f(int n, int bins, const int label[static const restrict n], const {type} v[static const restrict n],
       {type} hist[static const restrict {count}]) {{
    for (int b = 0; b < {count}; b++) __pencil_reduction_var_init(&hist[b], start);
    for (int i = 0; i < n; i++) __pencil_reduction(&hist[label[i]], v[i], op);
}}
"""
INTEGERS = ["int", "unsigned", "long", "unsigned long", "long long", "unsigned long long"]
NARROW = ["signed char", "unsigned char", "short", "unsigned short", "_Bool"]
NATIVE = {"+": "atomicAdd", "&": "atomicAnd", "|": "atomicOr", "^": "atomicXor"}


def kernels(ctype: str, body: str, determinism: Determinism = "run", count: str = "bins") -> tuple[Kernel, ...]:
    """The kernels of a histogram; no warning that something is left to one thread."""
    text = HISTOGRAM.format(type=ctype, body=body, count=count)
    done = compile_source(SourceFile("test.c", text), CompileOptions(determinism=determinism), "mapping")
    assert not [d for d in done.diagnostics if d.code == "PC0701"]
    (program,) = done.programs
    return program.kernels()


def atomic(ctype: str, body: str, determinism: Determinism = "run") -> str:
    """How the only INDIRECT kernel applies the operator; empty: in order."""
    first, second = kernels(ctype, body, determinism)
    assert (first.shape, second.shape) == (Shape.PARALLEL, Shape.INDIRECT)
    (bins,) = second.bins
    return bins.atomic


@pytest.mark.parametrize("determinism", ["run", "fixed-tree", "none"])
@pytest.mark.parametrize("ctype", INTEGERS)
def test_integers_are_atomic_whatever_is_promised(ctype: str, determinism: Determinism) -> None:
    for sign, function in NATIVE.items():
        assert atomic(ctype, f"return a {sign} b;", determinism) == function
    assert atomic(ctype, "return a < b ? a : b;", determinism) == "atomicMin"
    assert atomic(ctype, "return a > b ? a : b;", determinism) == "atomicMax"
    assert atomic(ctype, "return a * b;", determinism) == "swap"
    if "long" not in ctype:  # C's result is an int, which does not make a long
        assert atomic(ctype, "return a && b;", determinism) == "swap"


@pytest.mark.parametrize("ctype", NARROW)
def test_narrow_types_are_put_in_order(ctype: str) -> None:
    for body in ("return a | b;", "return a < b ? a : b;", "return a && b;"):
        assert atomic(ctype, body) == atomic(ctype, body, "none") == ""


@pytest.mark.parametrize(
    ("ctype", "body", "without_promise"),
    [
        ("float", "return a + b;", "atomicAdd"),
        ("double", "return a + b;", "atomicAdd"),
        ("float", "return fminf(a, b);", "swap"),
        ("double", "return a > b ? a : b;", "swap"),
        ("float", "return a * b;", "swap"),
        ("int", "return a + b + 3 * (a & b & 1);", "swap"),
        ("One", "a.only += b.only; return a;", "swap"),
        ("Pair", "a.x += b.x; a.y += b.y; return a;", ""),
        ("Mixed", "a.b += b.b; return a;", ""),
        ("Large", "a.v[0] += b.v[0]; return a;", ""),
    ],
)
def test_what_the_order_shows_in_is_atomic_only_without_a_promise(ctype: str, body: str, without_promise: str) -> None:
    assert atomic(ctype, body) == atomic(ctype, body, "fixed-tree") == ""
    assert atomic(ctype, body, "none") == without_promise


@pytest.mark.parametrize(
    ("ctype", "count", "forms"),
    [
        ("int", "256", ("private",)),
        ("int", "20000", ("private", "whole")),
        ("int", "100000", ("whole",)),
        ("int", "bins", ("private", "whole")),
        ("float", "256", ("private",)),
        ("float", "100000", ("whole",)),
    ],
)
def test_a_constant_number_of_bins_leaves_less_to_choose(ctype: str, count: str, forms: tuple[str, ...]) -> None:
    kernel = kernels(ctype, "return a + b;", count=count)[1]
    assert isinstance(kernel, IndirectKernel) and kernel.forms == forms


def mapped(body: str) -> MappedProgram:
    """The mapping of a function on integers."""
    text = f"""#include <pencil.h>
static void zero(int *v) {{ *v = 0; }}
static int add(int a, int b) {{ return a + b; }}
void f(int n, int m, int k, const int label[static const restrict n], int h[static const restrict k][m],
       int old[static const restrict k][m]) {{ {body} }}"""
    (program,) = compile_source(SourceFile("test.c", text), CompileOptions(), "mapping").programs
    return program


INIT = "for (int p = 0; p < k; p++) for (int b = 0; b < m; b++) __pencil_reduction_var_init(&h[p][b], zero);"


def shapes(program: MappedProgram) -> list[str]:
    """The shapes of the kernels in launch order."""
    return [kernel.shape.value for kernel in program.kernels()]


def test_kept_rows_fix_leading_subscripts() -> None:
    loops = "for (int p = 0; p < k; p++) for (int i = 0; i < n; i++) __pencil_reduction({}, 1, add);"
    (kernel,) = [k for k in mapped(INIT + loops.format("&h[p][label[i]]")).kernels() if k.bins]
    assert (len(kernel.kept), len(kernel.reduced), kernel.bins[0].fixed) == (1, 1, 1)
    (kernel,) = [k for k in mapped(INIT + loops.format("&h[label[i]][p]")).kernels() if k.bins]
    assert (len(kernel.kept), len(kernel.reduced), kernel.bins[0].fixed) == (0, 2, 0)


def test_who_wants_the_old_value_comes_first() -> None:
    before = "for (int p = 0; p < k; p++) for (int b = 0; b < m; b++) old[p][b] = h[p][b];"
    update = "for (int i = 0; i < n; i++) __pencil_reduction(&h[label[i]][0], 1, add);"
    program = mapped(before + INIT + update)
    assert shapes(program) == ["parallel", "parallel", "indirect"]
    copy = program.kernels()[0].body
    assert copy is not None and statements_of(copy) == ("S0",)


def test_users_of_results_follow() -> None:
    update = "for (int i = 0; i < n; i++) __pencil_reduction(&h[label[i]][0], 1, add);"
    after = "for (int p = 0; p < k; p++) for (int b = 0; b < m; b++) old[p][b] = h[p][b];"
    assert shapes(mapped(INIT + update + after)) == ["parallel", "indirect", "parallel"]
