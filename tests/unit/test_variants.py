"""The sequential program in other orders and wider types: what rounds differs, and nothing else."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.verify.cases import Argument, Case, ChildCall, Value, Variation, leaves, pack_column, unpack_column
from pencilc.verify.command import Generated, VerifySettings, executor_for, verify_generated
from pencilc.verify.facts import gather
from pencilc.verify.inputs import make_case
from pencilc.verify.reference import run_reference
from pencilc.verify.report import VerifyReport
from pencilc.verify.sequential import build_library, pointer_name
from pencilc.verify.sizes import SizeLimits, choices
from pencilc.verify.variants import VARIANTS, Variants, with_plain_updates

# Every way in which a variable is a reduction: elements, structs, one after the other, with results read in between.
FORMS = """#include <pencil.h>
typedef struct { char tag; float sum; double wide; short count; } Mixed;
static void zero(int *v) { *v = 3; }
static void fzero(float *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
static float fadd(float a, float b) { return a + b; }
static void none(Mixed *v) { v->tag = 1; v->sum = 0; v->wide = 0; v->count = 0; }
static Mixed both(Mixed a, Mixed b)
{
    Mixed r = {b.tag, fadd(a.sum, b.sum), a.wide + b.wide, (short)(a.count + b.count)};
    return r;
}
static Mixed of(float x) { Mixed r = {1, x, x * 2, 1}; return r; }
Mixed forms(int n, const float a[static const restrict n], const int b[static const restrict n],
            int bins[static const restrict 7], float rows[static const restrict n],
            pencil_half h[static const restrict 3])
{
    int s;
    Mixed m;
    for (int k = 0; k < 7; k++) __pencil_reduction_var_init(&bins[k], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&bins[i % 7], b[i], add);
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, b[i], add);
    bins[0] += s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i += 2) __pencil_reduction(&s, b[i], add);
    bins[1] += s;
    for (int i = 0; i < n; i++) {
        float r;
        __pencil_reduction_var_init(&r, fzero);
        for (int j = 0; j <= i; j++) __pencil_reduction(&r, max(a[j], 0.5f) + fabsf(a[i]), fadd);
        rows[i] = r;
    }
    h[1] = pencil_float_to_half(pencil_half_to_float(h[0]) + 1);
    __pencil_reduction_var_init(&m, none);
    for (int i = 0; i < n; i++) __pencil_reduction(&m, of(a[i]), both);
    return m;
}
"""
# Neighbours cancel in the order of the source: what is left in another one are the errors of large partial sums.
CANCELS = """#include <pencil.h>
typedef struct { float sum, low; int count; } Found;
static void none(Found *v) { v->sum = 0; v->low = 0; v->count = 0; }
static Found both(Found a, Found b)
{
    Found r = {a.sum + b.sum, fminf(a.low, b.low), a.count + b.count};
    return r;
}
static Found of(float x, int i) { Found r = {expf(x + 10) * (i % 3 == 0 ? 2 : -1), x, 1}; return r; }
Found cancels(int n, const float a[static const restrict n])
{
    Found s;
    __pencil_reduction_var_init(&s, none);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, of(a[i / 3], i), both);
    return s;
}
"""


def values(variation: Variation) -> list[tuple[str, list[Value]]]:
    """What a run left behind, part by part."""
    found = []
    parts = [("return", variation.case.returns, variation.outcome.returned)]
    parts += [
        (a.name, a.type, data)
        for a, data in zip(variation.case.arguments, variation.outcome.buffers, strict=True)
        if data is not None
    ]
    for name, ctype, data in parts:
        found += [(name + leaf[0], unpack_column(data, leaf, ctype.size)) for leaf in leaves(ctype)]
    return found


def with_data(case: Case, data: Mapping[str, list[float]]) -> Case:
    """The case with other values in some arrays."""

    def changed(argument: Argument) -> Argument:
        if argument.name not in data:
            return argument
        buffer = bytearray(argument.data)
        pack_column(buffer, list(data[argument.name]), next(leaves(argument.type)), argument.type.size)
        return Argument(argument.name, argument.type, True, argument.written, argument.shape, bytes(buffer))

    return Case(
        case.function, case.sizes, case.kind, tuple(map(changed, case.arguments)), case.returns, case.length,
        case.epsilon, case.exact, case.work,
    )  # fmt: skip


def runs(text: str, n: int, data: Mapping[str, list[float]], folder: Path) -> tuple[Variation, tuple[Variation, ...]]:
    """The one function of `text` with that data: as it stands, and in all variants."""
    unit = compile_source(SourceFile("forms.c", text), CompileOptions(), "scop").parsed
    (region,) = unit.regions
    functions = {f.name: f for f in unit.functions}
    facts = gather(region, functions)
    choice = next(c for c in choices(region, functions, facts, {"n": (n,)}, SizeLimits()) if not c.skip)
    case = with_data(make_case(region, functions, facts, choice, "integers", 0, None), data)
    path = folder / "case"
    path.write_bytes(pickle.dumps(case))
    call = ChildCall(
        path, folder / "expected", folder / "messages", "host", pointer_name(region.function), is_pointer=True
    )
    library = build_library(unit.file, [region.function], CompileOptions(), folder, ("-O1",))
    assert not run_reference(library, (call,), folder / "progress", 30.0, watched=False)
    variants = Variants(unit.file, unit.regions, CompileOptions(), folder)
    found = variants.run(call, 30.0)
    assert not variants.missing
    assert len(found) == len(VARIANTS)
    return Variation(case, pickle.loads(call.outcome.read_bytes())), found


@pytest.mark.parametrize("n", [0, 1, 8, 100, *(pytest.param(n, marks=pytest.mark.full) for n in (2, 7, 9, 31))])
def test_nothing_differs_where_nothing_rounds(n: int, tmp_path: Path) -> None:
    whole = [float(i * 7 % 19 - 9) for i in range(n)]
    expected, found = runs(FORMS, n, {"a": whole}, tmp_path)
    for variation in found:
        assert values(variation) == values(expected)


def test_what_rounds_differs(tmp_path: Path) -> None:
    expected, found = runs(FORMS, 100, {"a": [1 / (i + 3) for i in range(100)]}, tmp_path)
    sums = {value[0] for value in (dict(values(v))["return.sum"] for v in (expected, *found))}
    assert len(sums) > 2


def test_plain_updates_are_rewritten_in_their_lines() -> None:
    text = """float f(int n, const float a[static const restrict n], float o[static const restrict 4])
{
#pragma scop
    for (int i = 0; i < n; i++) o[0] += a[i] * 2;
    for (int i = 0; i < n; i++) o[1] = o[1] - a[i] - 1;
    for (int i = 0; i < n; i++) o[2] = a[i] * o[2];
    for (int i = 0; i < n; i++)
        o[3] = o[3]
             + a[i];
#pragma endscop
    return o[0];
}
"""
    options = CompileOptions(associative_math=True)
    unit = compile_source(SourceFile("f.c", text), options, "scop").parsed
    changed = with_plain_updates(unit.file, unit.regions).text.splitlines()
    assert [line for line in changed if line not in text.splitlines()] == [
        "    for (int i = 0; i < n; i++) PENCILC_COMBINE(&(o[0]), ((a[i] * 2)), pencilc_sum);",
        "    for (int i = 0; i < n; i++) PENCILC_COMBINE(&(o[1]), (-a[i] - 1), pencilc_sum);",
        "    for (int i = 0; i < n; i++) PENCILC_COMBINE(&(o[2]), (a[i]), pencilc_product);",
    ]
    assert len(changed) == len(text.splitlines())


def verified(old: str = "", new: str = "") -> VerifyReport:
    """What verify says of CANCELS, with something else in the generated text."""
    options = CompileOptions()
    done = compile_source(SourceFile("cancels.c", CANCELS), options)
    assert not old or done.cuda.count(old) == 1
    settings = VerifySettings(sizes={"n": (69_999,)}, orders=("fwd",))
    cuda = done.cuda.replace(old, new) if old else done.cuda
    return verify_generated(Generated(done.parsed, cuda, done.host), options, settings, executor_for(settings))


def test_cancellation_is_told_as_rounding() -> None:
    report = verified()
    assert report.ok, report.table()
    assert any("return value.sum" in remark and "which is rounding" in remark for remark in report.remarks)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("? 2 : -1", "? 2 : -1.01f"),
        ("expf(x + 10)", "sqrtf(x - 1e9f)"),
        ("a.count + b.count", "a.count + (b.count & 0xffff0)"),
    ],
    ids=["wrong", "nan", "integer"],
)
def test_what_is_no_rounding_differs(old: str, new: str) -> None:
    report = verified(old, new)
    assert report.exit_status == 4, report.table()
