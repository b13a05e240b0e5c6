"""`pencil_half` and `pencil_bfloat16` in a C compiler: exact to float, to the nearest value back, ties to even."""

from __future__ import annotations

import random
import shutil
import struct
from pathlib import Path

import pytest

from pencilc.frontend import include_dir
from tests.conftest import run

PROGRAM = """
#include <pencil.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    unsigned bits, back;
    while (scanf("%x", &bits) == 1) {
        float x, from_half, from_bfloat16;
        pencil_half h;
        pencil_bfloat16 b;
        memcpy(&x, &bits, 4);
        h = pencil_float_to_half(x);
        b = pencil_float_to_bfloat16(x);
        printf("%x %x ", (unsigned)h.bits, (unsigned)b.bits);
        h.bits = b.bits = (unsigned short)bits;
        from_half = pencil_half_to_float(h);
        from_bfloat16 = pencil_bfloat16_to_float(b);
        memcpy(&back, &from_half, 4);
        printf("%x ", back);
        memcpy(&back, &from_bfloat16, 4);
        printf("%x\\n", back);
    }
    return 0;
}
"""
COMPILERS = [c for c in ("gcc", "clang") if shutil.which(c)]


def as_float(bits: int) -> float:
    value: float = struct.unpack("<f", struct.pack("<I", bits))[0]
    return value


def nearest(value: float, candidates: range, decode: dict[int, float]) -> int:
    """The candidate nearest to `value`, the even one of two: the definition itself, without any bit arithmetic."""
    return min(candidates, key=lambda bits: (abs(decode[bits] - value), bits & 1))


def half_of(bits: int) -> float:
    exponent, fraction = bits >> 10 & 31, bits & 1023
    return fraction * 2.0**-24 if exponent == 0 else (1024 + fraction) * 2.0 ** (exponent - 25)


def bfloat16_of(bits: int) -> float:
    exponent, fraction = bits >> 7 & 255, bits & 127
    return fraction * 2.0**-133 if exponent == 0 else (128 + fraction) * 2.0 ** (exponent - 134)


# The infinity stands for the number that would follow the largest one, as rounding wants it.
HALVES = {bits: half_of(bits) for bits in range(0x7C01)}
BFLOATS = {bits: bfloat16_of(bits) for bits in range(0x7F81)}


def expected(bits: int, decode: dict[int, float], largest: int, guess: int) -> int:
    value = as_float(bits)
    if value != value:
        return 0x7FFF
    sign, value = (0x8000 if bits >> 31 else 0), abs(value)
    if value >= decode[largest]:
        return sign | largest
    around = range(max(guess - 2, 0), min(guess + 3, largest + 1))
    return sign | nearest(value, around, decode)


def half_guess(value: float) -> int:
    low, high = 0, 0x7C00
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if HALVES[middle] <= value else (low, middle - 1)
    return low


@pytest.mark.parametrize("compiler", COMPILERS)
def test_conversions(compiler: str, tmp_path: Path) -> None:
    source, numbers = tmp_path / "convert.c", tmp_path / "numbers"
    source.write_text(PROGRAM)
    flags = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", f"-I{include_dir()}")
    built = run(compiler, *flags, source, "-o", tmp_path / "convert")
    assert built.returncode == 0, built.stderr
    draw = random.Random(5)
    edges = [0x477FEFFF, 0x477FF000, 0x38800000, 0x387FFFFF, 0x33000000, 0x33000001, 0x7F7F8000, 0x7F7F7FFF, 0x7F800000]
    halfway = [(bits << 13) + 0x38000000 + 0x1000 for bits in range(0x400, 0x7C00, 37)]
    tested = [*range(0x10000), *edges, *halfway, *(b | 0x80000000 for b in edges), 0x7FC00000, 0xFFC00001,
              *(draw.getrandbits(32) for _ in range(20000))]  # fmt: skip
    numbers.write_text(" ".join(f"{bits:x}" for bits in tested))
    result = run("sh", "-c", f"{tmp_path / 'convert'} < {numbers}")
    for bits, line in zip(tested, result.stdout.splitlines(), strict=True):
        half, bfloat, from_half, from_bfloat = (int(word, 16) for word in line.split())
        value = abs(as_float(bits))
        assert half == expected(bits, HALVES, 0x7C00, half_guess(value)), hex(bits)
        assert bfloat == expected(bits, BFLOATS, 0x7F80, min(bits & 0x7FFFFFFF, 0x7F800000) >> 16), hex(bits)
        low = bits & 0xFFFF
        if (low & 0x7FFF) < 0x7C00:
            assert as_float(from_half) == HALVES[low & 0x7FFF] * (-1.0 if low >> 15 else 1.0), hex(low)
            assert from_half >> 31 == low >> 15
        assert from_bfloat == low << 16
