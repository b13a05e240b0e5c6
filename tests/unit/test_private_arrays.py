"""Arrays that iterations overwrite before they read them become arrays of these; no others do."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc.codegen.cexpr import expression
from pencilc.diagnostics.source import UNKNOWN_SPAN, SourceFile
from pencilc.driver import compile_source
from pencilc.ir.schedule_printer import schedule_line
from pencilc.ir.source import INT, ArrayType, Declare, For, Symbol, walk
from pencilc.ir.source_printer import print_stmt
from pencilc.options import CompileOptions
from pencilc.poly.conditions import condition_on_sizes

HEAD = """#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
void f(int n, int m, const int a[static const restrict n][m], int b[static const restrict n][m],
       int s[static const restrict m], int w[static const restrict 4], int o[static const restrict n])
{
#pragma scop
"""
OUTER, J = "for (int i = 0; i < n; i++)", "for (int j = 0; j < m; j++)"
FILL, USE = f"{J} s[j] = a[i][j];", f"{J} b[i][j] = s[m - 1 - j] + s[0];"
T = "int t[m]; "


def compiled(body: str) -> tuple[str, list[str], str]:
    """The schedule, the iterators of loops that declare an array, and the source that was scheduled."""
    done = compile_source(SourceFile("f.c", f"{HEAD}{body}\n#pragma endscop\n}}\n"), CompileOptions(), "schedule")
    (scheduled,) = done.scheduled
    loops = [node for node in walk(done.parsed.regions[0].body) if isinstance(node, For)]
    private = [loop.iterator.name for loop in loops for _ in _arrays(loop)]
    return schedule_line(scheduled), private, print_stmt(done.parsed.regions[0].body)


def _arrays(loop: For) -> list[Declare]:
    items = getattr(loop.body, "items", ())
    return [item for item in items if isinstance(item, Declare) and isinstance(item.symbol.type, ArrayType)]


@pytest.mark.parametrize(
    ("body", "schedule", "loops"),
    [
        pytest.param(
            T + f"{OUTER} {{ {FILL} {USE} }}".replace("s[", "t["), "[i P]{ [j P]{S1}; [j P]{S2} }", ["i"], id="local"
        ),
        pytest.param(f"{OUTER} {{ {FILL} {USE} }}", "[i P]{ [j P]{S1,S3}; [j P]{S2} }", ["i"], id="parameter"),
        pytest.param(
            f"for (int i = n - 1; i >= 0; i -= 2) {{ {FILL} {USE} }}", "[i P]{ [j P]{S1,S3}; [j P]{S2} }", ["i"],
            id="downwards",
        ),
        pytest.param(
            f"{OUTER} {{ for (int k = 0; k < 4; k++) w[k] = a[i][0] + k; o[i] = w[0] + w[3]; }}",
            "[i P]{ [k P]{S1,S3}; S2 }", ["i"], id="small",
        ),
        pytest.param(
            T + f"for (int r = 0; r < 3; r++) {OUTER} {{ {J} t[j] = b[i][j]; {J} b[i][j] = t[j] + t[m - 1 - j] + r; }}",
            "[i P]{ [r s]{ [j P]{S1}; [j P]{S2} } }", ["i"], id="in_rounds",
        ),
        # The last iteration writes all elements, the others some.
        pytest.param(
            f"__pencil_assume(n == m); {OUTER} {{ {FILL} {J} b[i][j] = s[i - j]; }}".replace("j < m", "j <= i"),
            "[i P]{ [j P]{S1}; [j P]{S2,S3} }", ["i"], id="triangle",
        ),
        pytest.param(
            f"{OUTER} {{ {J} {{ __pencil_reduction_var_init(&s[j], zero); for (int k = 0; k < n; k++)"
            f" __pencil_reduction(&s[j], a[k][j] + i, add); }} {USE} }}",
            "[i P]{ [j P]{ [k R]{S2}; M0; S4 }; [j P]{S3} }", ["i"], id="sums",
        ),
    ],
)  # fmt: skip
def test_what_is_private(body: str, schedule: str, loops: list[str]) -> None:
    found = compiled(body)
    assert (found[1], found[0]) == (loops, schedule)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{OUTER} {{ for (int j = 1; j < m; j++) s[j] = a[i][j]; {USE} }}", id="read_from_before"),
        pytest.param(f"{OUTER} {{ {USE} {FILL} }}", id="read_first"),
        pytest.param(f"{OUTER} {{ {J} if (a[i][j] > 0) s[j] = 1; {USE} }}", id="under_a_condition"),
        pytest.param(
            f"{OUTER} {{ for (int j = 0; j <= i && j < m; j++) s[j] = a[i][j]; }} {J} b[0][j] = s[j];",
            id="unlike_parts",
        ),
        pytest.param(
            f"{OUTER} for (int k = i; k < n - 3 && k < i + 1; k++) {{ {FILL} {USE} }}", id="none_in_the_last_iteration"
        ),
        pytest.param(f"{OUTER} {{ {FILL} {J} b[0][j] += s[m - 1 - j] * b[0][j]; }}", id="waits_for_another"),
    ],
)
def test_what_is_not(body: str) -> None:
    assert compiled(body)[1] == []


def test_more_memory_than_an_array_of_the_caller_is_taken_where_the_sizes_leave_it() -> None:
    text = """#include <pencil.h>
    void f(int n, int m, const int a[static const restrict n], int o[static const restrict n],
           int s[static const restrict m])
    {
    #pragma scop
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++) s[j] = a[i] + j;
            if (m > 0) o[i] = s[m - 1] - s[0];
        }
    #pragma endscop
    }
    """
    wider = text.replace("a[static const restrict n]", "a[static const restrict n][m]").replace("a[i]", "a[i][j]")
    for changed, most in ((text, 2**28), (wider, 0)):
        done = compile_source(SourceFile("f.c", changed), CompileOptions(), "dependences")
        region = done.parsed.regions[0]
        assert sum(isinstance(node, Declare) for node in walk(region.body)) == 1
        assert [each.most for each in region.private] == [most]


@pytest.mark.parametrize(
    ("outer", "inner", "found"),
    [
        pytest.param("int i = 0; i < n; i++", "int j = 0; j <= i; j++", 1, id="the_last_writes_all"),
        pytest.param("int i = 0; i < n; i++", "int j = i; j < n; j++", 0, id="the_first_writes_all"),
        pytest.param("int i = n - 1; i >= 0; i--", "int j = i; j < n; j++", 1, id="downwards"),
        pytest.param("int i = n - 1; i >= 0; i--", "int j = 0; j <= i; j++", 0, id="downwards_the_first_writes_all"),
    ],
)
def test_triangles(outer: str, inner: str, found: int) -> None:
    """What the last iteration hands on is all that any has written; both forms have variables of their own."""
    text = f"""#include <pencil.h>
    void f(int n, const int a[static const restrict n], int b[static const restrict n], int w[static const restrict n])
    {{
    #pragma scop
        for ({outer}) {{
            for ({inner}) w[j] = a[j] * i;
            int s = 0;
            for ({inner}) s = s / 2 + w[j];
            b[i] = s;
        }}
    #pragma endscop
    }}
    """
    done = compile_source(SourceFile("f.c", text), CompileOptions(), "dependences")
    region = done.parsed.regions[0]
    assert len(region.private) == found
    nodes = list(walk(region.body))
    names = [node.symbol.name for node in nodes if isinstance(node, Declare)]
    names += [node.iterator.name for node in nodes if isinstance(node, For)]
    assert len(names) == len(set(names))


def test_loops_whose_number_of_iterations_others_tell() -> None:
    body = (
        f"{OUTER} for (int k = 0; k < i; k++) {{ {J} t[j] = a[i][j] + k;"
        f" if (k == i / 2) {J} b[i][j] = t[j] + t[m - 1 - j]; }}"
    )
    text = " ".join(compiled(f"{T}{body}")[2].split())
    bytes_ = "(long long)((long long)n - (long long)0) * ((long long)-1 + (long long)n) * (long long)m * 4"
    assert text.count(f"if ({bytes_} <= 268435456 ||") == 1
    assert text.count("int t_1[m];") == text.count("int t_2[m];") == 1


def test_members() -> None:
    text = """#include <pencil.h>
    struct p { int x, y, z[2]; };
    void f(int n, int m, const int a[static const restrict n][m], int b[static const restrict n],
           struct p w[static const restrict m])
    {
    #pragma scop
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++) { w[j].x = a[i][j]; w[j].z[0] = w[j].z[1] = i; }
            int s = 0;
            for (int j = 0; j < m; j++) s = s / 2 + w[m - 1 - j].x - w[j].z[0] + w[j].z[1];
            b[i] = s;
        }
    #pragma endscop
    }
    """
    done = compile_source(SourceFile("f.c", text), CompileOptions(), "dependences")
    region = " ".join(print_stmt(done.parsed.regions[0].body).split())
    assert "w[at].x = w_1[at].x;" in region and "w[at_1].z[at_2] = w_1[at_1].z[at_2];" in region
    assert "w_1[at].y" not in region


def test_the_last_iteration_hands_on() -> None:
    text = " ".join(compiled(f"{OUTER} {{ {FILL} {USE} }}")[2].split())
    assert "int s_1[m];" in text
    assert "if (!(i + 1 < n)) for (int at = 0; at < m; at++) { s[at] = s_1[at]; }" in text


def test_the_last_iteration_hands_on_nothing_at_sizes_at_which_nothing_is_written() -> None:
    text = " ".join(compiled(f"{OUTER} if (m > 2) {{ {FILL} {USE} }}")[2].split())
    handed_on = "for (int at = 0; at < m; at++) { s[at] = s_1[at]; }"
    assert f"if (!(i + 1 < n)) if ((long long)m >= 3) {handed_on}" in text


@pytest.mark.parametrize(
    ("sizes", "condition"),
    [
        ("n >= 1", "(long long)n >= 1"),
        ("n >= 2 * m - 3 and m = 7", "(long long)m == 7 && (long long)n >= 11"),
        ("n > m + 2", "(long long)n >= (long long)m + 3"),
        ("n < 0 or n > 3", None),
        ("n % 2 = 0", None),
        ("other > 0", None),
    ],
)
def test_sizes_as_conditions(sizes: str, condition: str | None) -> None:
    params = tuple(Symbol(name, name, INT, "param", UNKNOWN_SPAN) for name in ("n", "m"))
    found = condition_on_sizes(isl.Set(f"[n, m, other] -> {{ : {sizes} }}"), params)
    assert (None if found is None else expression(found)) == condition
