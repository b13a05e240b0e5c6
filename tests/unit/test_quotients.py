"""Quotients by way of a reciprocal have the bits of the division, or say that they do not."""

from __future__ import annotations

import re
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from tests.conftest import run
from tests.unit.records import HEAD, SOFTMAX, TAIL

HARNESS = """#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#define __device__
#define __forceinline__ inline
static float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
static float __fmul_rn(float a, float b) { return a * b; }
BLOCK
static uint32_t bits(float x) { uint32_t word; memcpy(&word, &x, 4); return word; }
static float number(uint32_t word) { float x; memcpy(&x, &word, 4); return x; }
static uint64_t state = 1;
static uint32_t random32() { state = state * 6364136223846793005u + 1442695040888963407u; return state >> 32; }
static long long wrong = 0, exact_ones = 0;
static bool check(float a, float b) {
    const pencilc_divisor by = pencilc_divide_by(b);
    bool exact = by.exact;
    const float quotient = pencilc_quotient(a, by, exact);
    exact_ones += exact;
    if (exact && bits(quotient) != bits(a / b)) {
        if (!wrong++) printf("%a / %a = %a, not %a\\n", a, b, a / b, quotient);
    }
    return exact;
}
int main() {
    // Any values at all.
    for (int k = 0; k < 4000000; k++) check(number(random32()), number(random32()));
    // Values near one, divisors whose mantissas are special.
    const uint32_t special[] = {0, 1, 2, 0x7fffff, 0x7ffffe, 0x400000, 0x3fffff, 0x2aaaaa, 0x555555};
    for (int k = 0; k < 4000000; k++) {
        const uint32_t mantissa = k % 2 ? special[random32() % 9] : random32() & 0x7fffff;
        const float b = number(0x3f800000 | mantissa);
        check(number(0x3f800000 | (random32() & 0x7fffff)), b);
        // A numerator whose quotient lies next to the middle of two floats.
        const double middle = 1.0 + (2.0 * (random32() & 0x7fffff) + 1.0) / 16777216.0;
        const float a = (float)(middle * b);
        for (int step = -1; step <= 1; step++) check(number(bits(a) + step), b), check(number(bits(a) + step) / 2, b);
    }
    if (exact_ones < 20000000) return printf("only %lld were exact\\n", exact_ones), 1;
    // Where bits would be lost: zeros, subnormal quotients and divisors, what is huge, infinite or no number.
    const float edges[] = {0.0f, -0.0f, 1e-45f, -1e-45f, 1e-40f, 1.17549435e-38f, 1e-30f, 1.0f, -3.0f, 1e18f, 1e30f,
                           3.40282347e38f, -3.40282347e38f, INFINITY, -INFINITY, NAN};
    for (float a : edges) for (float b : edges) check(a, b);
    for (float a : {0.0f, -0.0f, 1e-45f, 1e-40f, NAN, INFINITY})
        if (check(a, 3.0f)) return printf("%a / 3 passed for exact\\n", a), 1;
    for (float b : {0.0f, -0.0f, 1e-45f, 1e-40f, 1e30f, 3.40282347e38f, NAN, INFINITY})
        if (check(1.5f, b)) return printf("1.5 / %a passed for exact\\n", b), 1;
    return wrong != 0;
}
"""


def _checked(block: str, folder: Path) -> CompletedProcess[str]:
    source, program = folder / "quotients.cpp", folder / "quotients"
    source.write_text(HARNESS.replace("BLOCK", block))
    made = run("g++", "-O2", "-ffp-contract=off", source, "-o", program)
    assert made.returncode == 0, made.stderr
    return run(program)


@pytest.fixture(scope="module")
def block() -> str:
    """The building block, as a file has it."""
    cuda = compile_source(SourceFile("f.c", HEAD + SOFTMAX + TAIL), CompileOptions()).cuda
    found = re.search(r"^struct pencilc_divisor .*?return quotient;\n}\n", cuda, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


def test_quotients_have_the_bits_of_the_division(block: str, tmp_path: Path) -> None:
    done = _checked(block, tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("return quotient;", "return __fmul_rn(value, by.inverse);"),  # without rest and correction
        ("exact & (fabsf(quotient) >= 8.470330e-22f)", "exact"),
        ("fabsf(value) >= 9.313226e-10f && ", ""),
    ],
)
def test_what_the_bits_rest_on(right: str, wrong: str, block: str, tmp_path: Path) -> None:
    assert right in block
    assert _checked(block.replace(right, wrong), tmp_path).returncode == 1
