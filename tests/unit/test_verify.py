"""`verify` sees what it must see: the correct program passes, every kind of defect is found."""

from __future__ import annotations

import math
import struct
from dataclasses import replace

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.ir.source import FLOAT, INT
from pencilc.options import CompileOptions
from pencilc.verify.cases import Argument, Case, DataKind, Outcome, Variation
from pencilc.verify.command import Generated, VerifySettings, executor_for, verify, verify_generated
from pencilc.verify.compare import Comparison, Output, compare
from pencilc.verify.errors import BuildFailed, InputsError
from pencilc.verify.program import first_difference
from pencilc.verify.report import ReportRow, VerifyReport
from pencilc.verify.sizes import SizeLimits

SOURCE = """#include <pencil.h>
static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
float work(int n, const float a[static const restrict n], float out[static const restrict n]) {
    float total;
    __pencil_reduction_var_init(&total, zero);
    for (int i = 0; i < n; i++) {
        out[i] = 2.0f * a[i];
        __pencil_reduction(&total, a[i], add);
    }
    return total;
}
"""
CUDA = """#include <cuda_runtime.h>
static __global__ void work_k0(int n, const float *a, float *out, float *result) {
    __shared__ float part[32];
    float v = 0;
    for (int i = threadIdx.x; i < n; i += 32) {
        out[i] = 2.0f * a[i];
        v += a[i];
    }
    part[threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        float s = 0;
        for (int k = 0; k < 32; k++) s += part[k];
        *result = s;
    }
}
extern "C" cudaError_t work_device(int n, const float *a, float *out, float *result, cudaStream_t stream) {
    work_k0<<<1, 32, 0, stream>>>(n, a, out, result);
    return cudaGetLastError();
}
extern "C" float work(int n, const float *a, float *out) {
    float *in_d = 0, *out_d = 0, *result_d = 0, result = 0;
    size_t bytes = n * sizeof(float);
    if (n > 0) {
        cudaMalloc(&in_d, bytes);
        cudaMalloc(&out_d, bytes);
        cudaMemcpy(in_d, a, bytes, cudaMemcpyHostToDevice);
    }
    cudaMalloc(&result_d, sizeof(float));
    work_device(n, in_d, out_d, result_d, 0);
    if (n > 0) cudaMemcpy(out, out_d, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(&result, result_d, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(in_d);
    cudaFree(out_d);
    cudaFree(result_d);
    return result;
}
"""


def verified(cuda: str, source: str = SOURCE, **changes: object) -> VerifyReport:
    unit, _ = parse_file(SourceFile("work.c", source), FrontendOptions())
    settings = replace(VerifySettings(sizes={"n": (0, 33)}, orders=("fwd", "rev"), timeout_s=20.0), **changes)  # type: ignore[arg-type]
    return verify_generated(Generated(unit, cuda, None), CompileOptions(), settings, executor_for(settings))


def changed(old: str, new: str) -> str:
    assert old in CUDA
    return CUDA.replace(old, new)


def wrong(report: VerifyReport, entry: str | None = None) -> list[ReportRow]:
    return [r for r in report.rows if r.status in ("differs", "error") and (entry is None or r.entry == entry)]


def test_correct_program() -> None:
    report = verified(CUDA)
    assert report.ok, report.table()
    assert len(report.rows) == 24  # two sizes, kinds of data, orders and entries
    assert all(row.launches == 1 for row in report.rows)
    assert "24 comparisons: 24 ok" in report.table()


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("out[i] = 2.0f * a[i];", "out[i] = (i == 7 ? 3.0f : 2.0f) * a[i];", "out[7]"),
        ("i < n; i += 32", "i < n - 1; i += 32", "out[32]"),
        ("*result = s;", "*result = s + 1;", "return value"),
    ],
    ids=["wrong-element", "off-by-one-tail", "wrong-return-value"],
)
def test_wrong_values(old: str, new: str, where: str) -> None:
    report = verified(changed(old, new), mode="plain")
    assert not report.ok
    rows = [row for row in wrong(report) if dict(row.sizes)["n"] == 33]
    assert len(rows) == 12, report.table()
    assert all(where in [d.where for d in row.differences] for row in rows)


def test_missing_copy_out() -> None:
    report = verified(changed("if (n > 0) cudaMemcpy(out, out_d, bytes, cudaMemcpyDeviceToHost);", ""), mode="plain")
    assert not wrong(report, "device")
    assert {row.wrong for row in wrong(report, "host")} == {33}


def test_copy_out_that_is_too_long() -> None:
    cuda = changed("cudaMemcpy(out, out_d, bytes, cudaMemcpyDeviceToHost);", "{ cudaMemcpy(out, out_d, bytes, "
                   "cudaMemcpyDeviceToHost); out[n] = 1.0f; }")  # fmt: skip
    report = verified(cuda, mode="plain")
    assert any("memory outside of 'out'" in message for row in wrong(report, "host") for message in row.messages)


def test_race() -> None:
    report = verified(changed("__syncthreads();", ""))
    assert any(m.startswith("cudacpu: error: ") for row in wrong(report) for m in row.messages), report.table()


def test_order_dependent_result() -> None:
    source = SOURCE.replace("__pencil_reduction(&total, a[i], add);", "total = a[i];").replace(
        "__pencil_reduction_var_init(&total, zero);", "total = 0.0f;"
    )
    source = source.replace("    float total;", "    float total;\n#pragma scop").replace(
        "    return", "#pragma endscop\n    return"
    )
    source = source.replace("add(float a, float b) {\n#pragma endscop\n", "add(float a, float b) {")
    kernel = CUDA.index("static __global__"), CUDA.index('extern "C" cudaError_t')
    racy = """static __global__ void work_k0(int n, const float *a, float *out, float *result) {
    if (threadIdx.x == 0 && n == 0) atomicExch(result, 0.0f);
    if (threadIdx.x < n) { out[threadIdx.x] = 2.0f * a[threadIdx.x]; atomicExch(result, a[threadIdx.x]); }
}
"""
    cuda = CUDA[: kernel[0]] + racy + CUDA[kernel[1] :].replace("<<<1, 32,", "<<<1, 64,")
    report = verified(cuda, source, mode="plain")
    assert {row.order for row in wrong(report)} == {"rev"}, report.table()


def test_crash_costs_one_call_only() -> None:
    report = verified(changed("size_t bytes", "if (n == 33) *(volatile int *)8 = 1; size_t bytes"), mode="plain")
    rows = wrong(report)
    assert {(row.entry, dict(row.sizes)["n"]) for row in rows} == {("host", 33)}
    assert all("crashes with SIGSEGV" in row.messages[0] for row in rows), report.table()


def test_hang_is_stopped() -> None:
    cuda = changed("size_t bytes", "volatile int forever = n == 33; while (forever) { } size_t bytes")
    report = verified(cuda, mode="plain", timeout_s=1.0, orders=("fwd",))
    assert {row.entry for row in wrong(report)} == {"host"}
    assert all("hangs: stopped after 1 s" in row.messages[0] for row in wrong(report)), report.table()


@pytest.mark.full
def test_too_many_launches_are_no_fault() -> None:
    """Of the sizes with more than may be made nothing is compared, and the others are not given up for it."""
    launch = "    work_k0<<<1, 32, 0, stream>>>(n, a, out, result);\n"
    cuda = changed(launch, f"for (int t = 0; t < (n == 33 ? 1000000000 : 8); t++) {{\n{launch}    }}\n")
    limits = SizeLimits(launches=8)
    report = verified(cuda, mode="plain", sizes={"n": (33, 0, 5)}, limits=limits)
    found = {(dict(row.sizes)["n"], row.status) for row in report.rows}
    assert found == {(33, "skipped"), (0, "ok"), (5, "ok")}, report.table()
    skipped = [row for row in report.rows if row.status == "skipped"]
    assert len(skipped) == 12 and {row.messages for row in skipped} == {("more launches than 8 (--max-launches)",)}
    only = verified(cuda, mode="plain", sizes={"n": (33,)}, limits=limits)
    assert only.exit_status == 3 and "--max-launches" in only.why_nothing + only.next_step("f.c")


def test_static_entry_function() -> None:
    source = SOURCE.replace("float work(", "static float work(")
    name = parse_file(SourceFile("work.c", source), FrontendOptions())[0].regions[0].name
    assert name != "work"
    cuda = CUDA.replace("work_device", f"{name}_device").replace("float work(", f"float {name}(")
    report = verified(cuda, source, mode="plain")
    assert report.ok, report.table()


def test_faults_that_stop_everything() -> None:
    with pytest.raises(BuildFailed):
        verified("this is no CUDA", mode="plain")
    with pytest.raises(InputsError, match="'m'"):
        verified(CUDA, sizes={"m": (1,)})


# ---- data at the ends of their types ----

ELEMENTS = """#include <math.h>
#include <pencil.h>
void elements(int n, const int a[static const restrict n], const unsigned u[static const restrict n],
              const float x[static const restrict n], double out[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        ELEMENT
    }
#pragma endscop
}
"""


def verified_as(right: str, wrong: str) -> VerifyReport:
    """A program verified with what another program, which is wrong, is compiled to."""
    texts = [ELEMENTS.replace("ELEMENT", element) for element in (right, wrong)]
    unit, _ = parse_file(SourceFile("right.c", texts[0]), FrontendOptions())
    cuda = compile_source(SourceFile("wrong.c", texts[1]), CompileOptions()).cuda
    settings = VerifySettings(sizes={"n": (33, 34, 35, 36, 37)}, orders=("fwd",), mode="plain", timeout_s=20.0)
    return verify_generated(Generated(unit, cuda, None), CompileOptions(), settings, executor_for(settings))


def kinds(report: VerifyReport, status: str) -> set[str]:
    return {row.kind for row in report.rows if row.status == status}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("out[i] = (long)a[i] * a[i];", "out[i] = a[i] * a[i];"),
        ("out[i] = x[i] > 0 ? x[i] : 0;", "out[i] = x[i] <= 0 ? 0 : x[i];"),
        ("out[i] = u[i] / 3;", "out[i] = (int)u[i] / 3;"),
    ],
    ids=["width", "no-number", "sign"],
)
def test_small_numbers_hide_what_those_at_the_ends_show(right: str, wrong: str) -> None:
    report = verified_as(right, wrong)
    assert kinds(report, "differs") == {"extremes"}, report.table()
    assert {row.status for row in report.rows if row.kind != "extremes"} == {"ok"}


def test_overflow_is_nobodys_fault() -> None:
    report = verified_as("int b = a[i] + 1; out[i] = b > a[i];", "out[i] = 1;")
    assert report.ok, report.table()
    said = next(row for row in report.rows if row.status == "skipped").messages[0]
    assert "right.c:7: the sequential program: signed integer overflow: 2147483647 + 1" in said
    assert "data at the ends of their types are not for this program" in said
    # What gcc itself makes of it overflows nowhere.
    report = verified_as("out[i] = a[i] + 1 > a[i];", "out[i] = 1;")
    assert report.ok, report.table()
    said = next(row for row in report.rows if row.status == "skipped").messages[0]
    assert "its result changes with what signed overflow gives" in said


def test_small_numbers_may_overflow_too() -> None:
    report = verified_as("int b = a[i] * 1000000000; out[i] = b / 1000000000 == a[i];", "out[i] = 1;")
    assert not kinds(report, "differs"), report.table()
    said = {row.kind: row.messages[0] for row in report.rows if row.status == "skipped"}
    assert said.keys() >= {"integers", "reals"}
    assert said["integers"].endswith("these data are not for this program")


def test_a_program_that_does_not_take_these_data_is_not_at_fault() -> None:
    report = verified_as("out[i] = 1u << u[i];", "out[i] = 1u << u[i];")
    assert report.ok, report.table()
    assert kinds(report, "skipped") == {"extremes"}
    assert "shift exponent" in next(row for row in report.rows if row.status == "skipped").messages[0]


def test_loops_that_such_data_end_are_not_run() -> None:
    loop = "int k = a[i]; while (k < 20) { k = k + 1 + i; } out[i] = k;"
    report = verified_as(loop, loop)
    assert report.ok, report.table()
    assert {row.kind for row in report.rows} == {"integers", "reals"}
    note = (
        "note: 'elements' was not run with data at the ends of their types: the loop of line 7 runs until data end it"
    )
    assert note in report.table()


# ---- the comparator alone ----


def sum_case(exact: bool, epsilon: float = 2.0**-23) -> Case:
    array = Argument("x", INT, True, True, (2, 3), bytes(24))
    return Case("f", (("n", 3),), "reals", (array,), FLOAT, 100.0, epsilon, exact, 100.0)


def outcome(returned: bytes, data: bytes = bytes(24)) -> Outcome:
    return Outcome((data,), returned)


def test_integers_are_equal_or_wrong() -> None:
    data = bytearray(24)
    data[16] = 5
    found = compare(sum_case(False), outcome(bytes(4)), outcome(bytes(4), bytes(data)))
    assert [str(difference) for difference in found.first] == ["x[1][1]: expected 0, got 5"]


def test_tolerance_and_exactness() -> None:
    one, near, far = b"\0\0\x80\x3f", b"\x10\0\x80\x3f", b"\0\x10\x80\x3f"
    assert compare(sum_case(False), outcome(one), outcome(near)).wrong == 0
    assert compare(sum_case(False), outcome(one), outcome(far)).wrong == 1
    assert compare(sum_case(True), outcome(one), outcome(near)).wrong == 1
    assert compare(sum_case(False, 0.0), outcome(one), outcome(near)).wrong == 1
    assert compare(sum_case(False), outcome(one), outcome(near), 0.0).wrong == 1


def test_large_inputs_allow_nothing_of_a_small_result() -> None:
    """Mutants of normalised sums passed by the magnitude of what they were sums of."""
    one, more = struct.pack("<f", 1.0), struct.pack("<f", 1.01)
    large = Argument("x", FLOAT, True, True, (4,), struct.pack("<4f", 1e3, -1e3, 1e3, 1e3))
    case = replace(sum_case(False), arguments=(large,))
    assert compare(case, Outcome((large.data,), one), Outcome((large.data,), more)).wrong == 1
    # Where nothing but zeros is expected, what is left of sums is measured by their terms.
    left = struct.pack("<f", 1e-3)
    assert compare(case, Outcome((large.data,), bytes(4)), Outcome((large.data,), left)).wrong == 0
    assert compare(case, Outcome((large.data,), bytes(4)), Outcome((large.data,), one)).wrong == 1


def test_other_orders_of_the_source_explain_a_difference() -> None:
    one, far = b"\0\0\x80\x3f", b"\0\x10\x80\x3f"  # 1 and 1.0005
    up, little, nan = b"\0\0\x81\x3f", b"\x01\0\x80\x3f", b"\0\0\xc0\x7f"

    def compared(got: bytes, *others: bytes, exact: bool = False) -> Comparison:
        case = sum_case(exact)
        variations = [Variation(case, outcome(other)) for other in others]
        return compare(case, outcome(one), outcome(got), None, lambda: variations)

    explained = compared(far, little, up)
    assert explained.wrong == 0
    assert "return value differs by up to 0.00049, which is rounding" in explained.outputs[0].remark
    assert compared(far, little).wrong == 1
    assert compared(far).wrong == 1
    assert compared(far, nan).wrong == 1
    assert compared(nan, up).wrong == 1
    assert compared(far, up, exact=True).wrong == 1
    # However far the orders come apart, the allowance has a bound.
    thousands = b"\0\0\x80\x45"
    assert compared(thousands, thousands).wrong == 1
    assert compared(thousands, thousands).outputs[0].allowed == 0.25
    assert "too sensitive for these inputs" in compared(thousands, thousands).outputs[0].remark


def test_what_orders_change_in_wider_types_too_is_no_rounding() -> None:
    def compared(wide: float, wide_in_order: float) -> Comparison:
        case = sum_case(False)
        variations = [
            Variation(case, outcome(struct.pack("<f", value)), is_wide, is_reordered)
            for value, is_wide, is_reordered in ((1.1, False, True), (wide_in_order, True, False), (wide, True, True))
        ]
        return compare(case, outcome(struct.pack("<f", 1.0)), outcome(struct.pack("<f", 1.1)), None, lambda: variations)

    assert compared(wide=1.1, wide_in_order=1.0).wrong == 1
    assert "not commutative" in compared(wide=1.1, wide_in_order=1.0).outputs[0].remark
    # Rounding, and what is too sensitive to tell.
    assert compared(wide=1.0001, wide_in_order=1.0).wrong == 0
    assert compared(wide=1.1, wide_in_order=1.2).wrong == 0


def test_what_the_order_decides_is_not_compared() -> None:
    one, other, nan = struct.pack("<f", 1.0), struct.pack("<f", 2.0), struct.pack("<f", math.nan)

    def compared(variation: bytes, kind: DataKind = "extremes", is_wide: bool = False) -> Comparison:
        case = replace(sum_case(False), kind=kind)
        found = Variation(case, outcome(variation), is_wide, is_reordered=not is_wide)
        return compare(case, outcome(one), outcome(nan), None, lambda: [found])

    assert compared(nan).wrong == compared(other).wrong == 0
    row = ReportRow(
        "f", (), "extremes", "host", "fwd", "ok", outputs=(*compared(other).outputs, Output("p.x", 0, 0, 0))
    )
    assert VerifyReport((row,)).remarks == (
        "f: return value not compared with some of the data at the ends of their types, for which the sequential "
        "program itself gives something else in another order of its reductions",
    )
    assert compared(one).wrong == compared(nan, "reals").wrong == compared(nan, is_wide=True).wrong == 1


def test_nan_and_negative_zero() -> None:
    zero, minus, nan, other = bytes(4), b"\0\0\0\x80", b"\xff\xff\xff\xff", b"\0\0\xc0\x7f"
    assert compare(sum_case(True), outcome(zero), outcome(minus)).wrong == 0
    assert compare(sum_case(True), outcome(nan), outcome(other)).wrong == 0
    assert compare(sum_case(False), outcome(zero), outcome(nan)).wrong == 1


def test_printed_output() -> None:
    assert not first_difference("sum 1.00001 of 5\n", "sum 1.00002 of 5\n", 1e-4)
    assert "line 1" in first_difference("sum 1.0 of 5\n", "sum 1.0 of 6\n", 1e-4)
    assert "lines" in first_difference("a\nb\n", "a\n", 1e-4)


FIRST_TAKEN = """void best(int m, const float a[static const restrict m], int c[static const restrict 1])
{
#pragma scop
    int at = -1;
    for (int j = 0; j < m; j++)
        if (at < 0 || a[j] > a[at])
            at = j;
    c[0] = at;
#pragma endscop
}
"""


def test_the_best_of_which_the_first_is_taken_gets_no_nan() -> None:
    """A first one would stay in the source, and counts as none with -fassociative-math."""
    settings = VerifySettings(sizes={"m": (1, 33)}, orders=("fwd",))
    report = verify(SourceFile("best.c", FIRST_TAKEN), CompileOptions(associative_math=True), settings)
    assert report.ok and {row.status for row in report.rows} == {"ok"}, report.table()
    assert {row.kind for row in report.rows} >= {"extremes"}


def test_a_promise_without_the_header_that_has_it_is_one() -> None:
    text = "void f(int n, int y[restrict n]) {\n  __pencil_assume(n > 1);\n#pragma scop\n"
    text += "  for (int i = 0; i < n; i++) y[i] += 1;\n#pragma endscop\n}\n"
    settings = VerifySettings(sizes={"n": (2, 5)}, orders=("fwd",))
    report = verify(SourceFile("f.c", text), CompileOptions(), settings)
    assert report.ok and {row.status for row in report.rows} == {"ok"}
