"""`--on-unsupported` leaves functions to the host, `--autodetect` finds regions in plain C."""

from __future__ import annotations

from pathlib import Path

import pytest

from pencilc.diagnostics.diagnostic import SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.options import CompileOptions, OnUnsupported
from pencilc.verify.command import VerifySettings, executor_for
from pencilc.verify.program import compare_programs

FIRST = """#include <stdio.h>
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
float sum(int n, const float a[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}
"""
JUMP = """void jump(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 3)
            goto out;
        a[i] = 1;
    }
out:;
#pragma endscop
}
"""
SCAN = """void scan(int n, float a[static const restrict n], float out[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&s, a[i], add);
        out[i] = s;
    }
}
"""
MAIN = """int main(void)
{
    float a[5] = {1, 2, 3, 4, 5}, b[5];
    scan(5, a, b);
    printf("%g %g\\n", sum(5, a), b[4]);
    jump(5, a);
    printf("%g\\n", a[1]);
    return 0;
}
"""
PLAIN = Path(__file__).parent / "plain.c"


def compiled(text: str, on_unsupported: OnUnsupported = "error", autodetect: bool = False) -> Compilation:
    options = CompileOptions(on_unsupported=on_unsupported, autodetect=autodetect)
    return compile_source(SourceFile("t.c", text), options)


def same_output(done: Compilation) -> None:
    """The host file linked with the CUDA prints what the sequential program prints."""
    assert done.host is not None
    executor = executor_for(VerifySettings(orders=("fwd",)))
    (run,) = compare_programs(done.file, done.cuda, done.host, done.options, executor, orders=("fwd",))
    assert run.same, run.messages
    assert run.generated


def test_errors_by_default() -> None:
    with pytest.raises(SourceErrors) as caught:
        compiled(FIRST + JUMP + SCAN + MAIN)
    assert [d.code for d in caught.value.diagnostics] == ["PC0307", "PC0205"]


def test_warned_and_left() -> None:
    done = compiled(FIRST + JUMP + SCAN + MAIN, "warn")
    assert [d.code for d in done.diagnostics] == ["PC0109", "PC0109"]
    assert [region.name for region in done.parsed.regions] == ["sum"]
    same_output(done)


def test_kept_without_a_word() -> None:
    done = compiled(FIRST + JUMP + SCAN + MAIN, "keep")
    assert done.diagnostics == ()
    assert JUMP in (done.host or "")
    assert SCAN in (done.host or "")


def test_nothing_left_to_compile_is_told() -> None:
    done = compiled("#include <pencil.h>\n" + JUMP, "warn")
    assert [d.code for d in done.diagnostics] == ["PC0106", "PC0109"]
    (note,) = done.diagnostics[0].notes
    assert note == "what holds a reduction builtin, `#pragma scop` or `#pragma pencil` is left to the host: `jump`"
    assert done.host == "#include <pencil.h>\n" + JUMP


def test_faults_outside_of_functions_stay_errors() -> None:
    with pytest.raises(SourceErrors):
        compiled(FIRST + "int broken[;\n", "keep")


def test_plain_loops_are_found() -> None:
    done = compiled(PLAIN.read_text(), autodetect=True)
    assert [region.name for region in done.parsed.regions] == ["saxpy", "sum", "main_scop0", "main_scop1"]
    assert [(d.code, d.severity.value, d.span.line, d.message) for d in done.diagnostics] == [
        ("PC0110", "note", line, f"this loop stays on the host: {why}")
        for line, why in (
            (11, "extent of `p` is not known"),
            (30, "only the host can call `printf`"),
            (36, "how far it goes depends on what it computes"),
            (40, "writable global `table` is used in a region"),
            (44, "another order would change the rounding of `s` (-fassociative-math allows it)"),
        )
    ]
    same_output(done)


FOUND = {
    "for (int i = 0; i < n; i++) { if (x[i] < 0) continue; s += x[i]; }": ["s"],
    "for (int i = 0; i < n; i++) if (x[i] & 1) s = 1;": ["s"],
    "for (int i = 0; i < n; i++) if (x[i] > 2) s = i;": ["s"],
    "for (int i = 0; i < n; i++) if (x[i] > 2 && i < s) s = i;": ["s"],
    "int at = 0; for (int i = 0; i < n; i++) if (!s && x[i] > 2) { s = 1; at = i; } s += at;": ["at", "s"],
}


@pytest.mark.parametrize("body", FOUND)
def test_flags_places_and_what_is_skipped_are_found(body: str) -> None:
    """One kernel, in which no loop is left to one thread."""
    done = compiled(f"int f(int n, const int x[static restrict n]) {{ int s = 0; {body} return s; }}", autodetect=True)
    assert not done.diagnostics
    (scop,) = done.scops
    assert scop.reductions and sorted({each.symbol.spelling for each in scop.arrays} & {"s", "at"}) <= FOUND[body]


@pytest.mark.parametrize("mark", ["#pragma scop\n", ""])
def test_arrays_of_a_host_function_that_may_overlap_are_told(mark: str) -> None:
    """The caller may hand in `a + 1` and `a`; one array, or arrays that are only read, cannot disagree."""
    end = "#pragma endscop\n" if mark else ""

    def codes(arrays: str, value: str) -> list[str]:
        text = f"""#include <stdio.h>
void f(int n, {arrays}) {{
    puts("f");
{mark}    for (int i = 0; i < n; i++) dst[i] = {value};
{end}}}
"""
        return [d.code for d in compiled(text, autodetect=not mark).diagnostics]

    assert codes("int dst[n], const int src[n]", "src[i]") == ["PC0402"]
    assert codes("int dst[n]", "i") == []
    assert codes("int dst[static restrict n], const int src[static restrict n]", "src[i]") == []


def test_an_extent_that_changes_on_the_line_of_its_array() -> None:
    text = """void g(int n, int a[static restrict n]) { for (int i = 0; i < n; i++) a[i]++; }
static void h(int n, int a[n], int k) { for (int i = 0; i < n; i++) { a[i] += k; if (i == k) n--; } }
"""
    done = compiled(text, autodetect=True)
    told = [d.message for d in done.diagnostics if d.code == "PC0110"]
    assert told == ["this loop stays on the host: extent `n` of `a` may change"]


def test_without_autodetect_plain_loops_stay() -> None:
    assert [region.name for region in compiled(PLAIN.read_text()).parsed.regions] == ["sum"]


def test_detected_regions_that_fail_later_stay() -> None:
    """A helper that cannot run on the device is no error of a program that never asked for it."""
    text = """#include <pencil.h>
static int counted(int x) { static int calls; calls++; return x + calls; }
void f(int n, int a[static const restrict n]) { for (int i = 0; i < n; i++) a[i] = counted(i); }
void g(int n, int a[static const restrict n]) { for (int i = 0; i < n; i++) a[i] = i; }
"""
    done = compiled(text, autodetect=True)
    assert [region.name for region in done.parsed.regions] == ["g"]
    assert "a[i] = counted(i)" in (done.host or "")
    (told,) = done.diagnostics
    assert (told.code, told.severity.value) == ("PC0110", "note")
    assert told.message.startswith("the loops of `f` stay on the host: ")


CALLS = {
    "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += f(i); return s; }": "`f` calls itself",
    "int g(int n);\nint f(int n) { int s = 0; for (int i = 0; i < n; i++) s += g(i); return s; }\n"
    "int g(int n) { return f(n - 1); }": "`f` calls itself",
    "void f(int n, int a[static const restrict n], int (*g)(int)) { for (int i = 0; i < n; i++) a[i] = g(i); }":
        "`g` is a pointer to a function: call a function by its name",
}  # fmt: skip


@pytest.mark.parametrize("text", CALLS)
def test_what_a_loop_calls_may_keep_it_on_the_host(text: str) -> None:
    with pytest.raises(SourceErrors) as errors:
        compiled(text, autodetect=True)
    assert [d.code for d in errors.value.diagnostics] == ["PC0106", "PC0110"]
    assert errors.value.diagnostics[1].message == f"this loop stays on the host: {CALLS[text]}"


SCALARS = {
    "float m = 0; for (int i = 0; i < n; i++) m += x[i];": (False, True),
    "float m = 0; for (int i = 0; i < n; i++) { m = m + x[i] * x[i]; }": (False, True),
    "float m = 0; for (int i = 0; i < n; i++) m -= x[i] + 1;": (False, True),
    "float m = x[0]; for (int i = 1; i < n; i++) if (x[i] > m) m = x[i];": (True, True),
    "float m = 0; for (int i = 0; i < n; i++) m = fmaxf(m, fabsf(x[i]));": (True, True),
    "int m = 0; for (int i = 0; i < n; i++) if (x[i] > 3) m++;": (True, True),
    "float m = x[0]; int k = 0; for (int i = 1; i < n; i++) if (x[i] > m) { m = x[i]; k = i; } m = k;": (True, True),
    "int m = 0; for (int i = 1; i < n; i++) if (x[i] > x[m]) m = i;": (True, True),
    "struct pair m0 = {0, 0}; for (int i = 0; i < n; i++) if (x[i] > 3) m0.k += 2; int m = m0.k;": (True, True),
    "unsigned m = 1; for (int i = 0; i < n; i++) m = m * 5 + 3;": (False, False),
    "float m = 1; for (int i = 0; i < n; i++) m = x[i] - m;": (False, False),
}


@pytest.mark.parametrize("body", SCALARS)
def test_scalar_reductions_are_detected(body: str) -> None:
    head = "#include <math.h>\nstruct pair { int j, k; };\nfloat total(int n, const float x[static const restrict n])"
    text = f"{head} {{ {body} return m; }}\n"
    for associative, found in zip((False, True), SCALARS[body], strict=True):
        options = CompileOptions(autodetect=True, associative_math=associative)
        if found:
            done = compile_source(SourceFile("t.c", text), options, "mapping")
            assert len(done.scops) == 1 and len(done.scops[0].reductions) == 1
            continue
        with pytest.raises(SourceErrors) as errors:
            compile_source(SourceFile("t.c", text), options, "mapping")
        assert [d.code for d in errors.value.diagnostics] == ["PC0106", "PC0110"]
        rounding = "another order would change the rounding of `m` (-fassociative-math allows it)"
        why = rounding if SCALARS[body][1] else "`m` is used behind it, and no reduction"
        assert errors.value.diagnostics[1].message == f"this loop stays on the host: {why}"
        assert "--autodetect" not in errors.value.diagnostics[0].remedies[0]


def test_members_of_elements_are_written() -> None:
    text = """struct p { float x, v; };
void push(int n, struct p a[static const restrict n]) { for (int i = 0; i < n; i++) a[i].x += a[i].v; }
"""
    assert [region.name for region in compiled(text, autodetect=True).parsed.regions] == ["push"]


def test_functions_that_hold_more_are_host_code() -> None:
    """A loop that stays, a result of the host, a pointer that nothing says the extent of, `static`."""
    head = "void f(int n, int a[static const restrict n], int *p)"
    loop = "for (int i = 0; i < n; i++) a[i] = i;"
    for text in (
        f'#include <stdio.h>\n{head} {{ {loop} puts(""); }}',
        f"{head} {{ {loop} while (*p) p++; }}",
        f"{head} {{ {loop} }}",
        f"static void f(int n, int a[static const restrict n]) {{ {loop} }}\nvoid g(int a[3]) {{ f(3, a); }}",
    ):
        (region,) = compiled(text, autodetect=True).parsed.regions
        assert region.outlined and region.function == "f", text


def test_what_one_thread_would_do_stays_on_the_host() -> None:
    prefix = "void f(int n, int a[static const restrict n]) { for (int i = 1; i < n; i++) a[i] += a[i - 1]; }\n"
    other = "void g(int n, int a[static const restrict n]) { for (int i = 0; i < n; i++) a[i] += 1; }\n"
    done = compiled(prefix + other, autodetect=True)
    assert [region.name for region in done.parsed.regions] == ["g"]
    assert [(d.code, d.message) for d in done.diagnostics] == [
        ("PC0110", "the loops of `f` stay on the host: nothing is parallel here: one GPU thread would run it "
                   "(each iteration needs the one before it)"),
    ]  # fmt: skip
    assert "a[i] += a[i - 1]" in (done.host or "")
    with pytest.raises(SourceErrors) as errors:
        compiled(prefix, autodetect=True)
    assert [d.code for d in errors.value.diagnostics] == ["PC0106", "PC0110"]
    assert errors.value.diagnostics[0].notes[-1] == "a note says of each loop why it stays on the host"


WHILES = """#include <stdio.h>
#include <math.h>
static int relaxed(int n, double a[static restrict n], double b[static restrict n], double tol)
{
    double most = tol + 1;
    int rounds = 0;
    while (most > tol) {
        most = 0;
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            most = fmax(most, fabs(b[i] - a[i]));
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        rounds++;
    }
    return rounds;
}
static int parted(int n, const int x[static restrict n], int t)
{
    int before;
    do {
        before = t;
        int high = 0, low = 0;
        for (int i = 0; i < n; i++)
            if (x[i] > t) high++; else low++;
        t = high > low ? t + 1 : t;
    } while (t != before);
    return t;
}
static int in_order(int n, int x[static restrict n])
{
    int rounds = 0, changed = 1;
    while (changed) {
        changed = 0;
        for (int i = 1; i < n; i++)
            if (x[i] > x[i - 1]) { x[i] = x[i - 1]; changed = 1; }
        rounds++;
        for (int i = 0; i < n; i++)
            x[i] += x[i] < 4;
    }
    return rounds;
}
static void told(int n, int x[static restrict n])
{
    int k = 0;
    while (k < 2) {
        for (int i = 0; i < n; i++) x[i] += k;
        printf("%d\\n", k);
        k++;
    }
}
int main(void)
{
    static double a[50], b[50];
    static int x[50];
    for (int i = 0; i < 50; i++) { a[i] = i * 7 % 5; x[i] = 50 - i; }
    printf("%d %g\\n", relaxed(50, a, b, 0.1), a[20]);
    printf("%d\\n", parted(50, x, 20));
    printf("%d %d\\n", in_order(50, x), x[20]);
    told(50, x);
    printf("%d\\n", x[3]);
    return 0;
}
"""


def test_whiles_around_loops_are_regions() -> None:
    """Arrays stay on the device between the rounds; not where one thread would have loops in each, or the host."""
    done = compiled(WHILES, autodetect=True)
    kinds = [(region.function, region.left != ()) for region in done.parsed.regions if region.function != "main"]
    assert kinds == [("relaxed", True), ("parted", True), ("in_order", False), ("in_order", False), ("told", False)]
    assert [(d.span.line, d.message) for d in done.diagnostics if d.code == "PC0110"] == [
        (37, "the `while` loops of `in_order` stay on the host: one GPU thread would run this in each round"),
        (47, "this loop stays on the host: only the host can call `printf`"),
    ]
    same_output(done)
