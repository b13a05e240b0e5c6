"""The CPU executor: shared atomics, grid barriers, small floats, and a device whose size can be chosen."""

from __future__ import annotations

import bisect
import ctypes
import math
import os
import random
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from pencilc.verify.cudacpu import Mode, build, environment
from pencilc.verify.cudacpu.build import UNUSED_IS_ERROR, BuildError, compile_object, runtime_key, source_options

HERE = Path(__file__).resolve().parent / "cudacpu"
FORMATS = {"half": (5, 10), "bfloat16": (8, 7)}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[Mode, Path]:
    folder = tmp_path_factory.mktemp("support")
    made: dict[Mode, Path] = {"plain": folder / "plain", "check": folder / "check"}
    for mode, path in made.items():
        build(HERE / "support.cu", path, mode=mode)
    return made


def output(program: Path, order: str, **settings: int) -> list[str]:
    env = {**os.environ, **environment(order, timeout_s=60, **settings)}
    done = subprocess.run([program], capture_output=True, text=True, env=env, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout.splitlines()


@pytest.mark.parametrize("order", ["fwd", "rev", "rand:7", "rand:8"])
@pytest.mark.parametrize("mode", ["plain", "check"])
def test_features_of_larger_templates(programs: dict[Mode, Path], mode: Mode, order: str) -> None:
    assert output(programs[mode], order) == ["cooperative 64", "device 4 32 232448"]


def test_the_size_of_the_device_is_a_setting(programs: dict[Mode, Path]) -> None:
    said = output(programs["plain"], "fwd", sm_count=3, blocks_per_sm=2, shared_bytes=65536)
    assert said == ["cooperative 6", "device 3 2 65536"]


@pytest.fixture(scope="module")
def conversions(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    library = tmp_path_factory.mktemp("small") / "small.so"
    build(HERE / "small_floats.cu", library, shared=True)
    loaded = ctypes.CDLL(str(library))
    for name in FORMATS:
        getattr(loaded, f"{name}_from_integer").argtypes = [ctypes.c_longlong]
        getattr(loaded, f"{name}_from_integer").restype = ctypes.c_ushort
    return loaded


def numbers_of(name: str) -> list[Fraction]:
    """The finite numbers that are not negative, by their bits, and the one that would follow (infinity's bits)."""
    exponents, digits = FORMATS[name]
    bias = 2 ** (exponents - 1) - 1
    made = []
    for bits in range(((2**exponents - 1) << digits) + 1):
        exponent, fraction = bits >> digits, bits & (2**digits - 1)
        whole = fraction + (2**digits if exponent else 0)
        made.append(Fraction(whole) * Fraction(2) ** (max(exponent, 1) - bias - digits))
    return made


def nearest(numbers: list[Fraction], x: Fraction) -> int:
    """The bits of the number nearest to x, ties to even bits; found by search, not by arithmetic on bits."""
    size = abs(x)
    above = min(bisect.bisect_left(numbers, size), len(numbers) - 1)
    below = max(above - 1, 0)
    low, high = size - numbers[below], numbers[above] - size
    bits = above if high < low or (high == low and above % 2 == 0) else below
    if size >= numbers[-1]:
        bits = len(numbers) - 1
    return bits | (0x8000 if x < 0 else 0)


def awkward_values(numbers: list[Fraction], generator: random.Random) -> list[float]:
    """Numbers of the format, the middles between them, both a hair off, and numbers far away."""
    values = [0.0, 1e300, -1e300, 5e-324, math.ldexp(1, -25), math.ldexp(1, -134), 65504.0, 65519.999, 65520.0]
    for _ in range(3000):
        k = generator.randrange(len(numbers) - 1)
        middle = float((numbers[k] + numbers[k + 1]) / 2)
        values += [float(numbers[k]), middle, math.nextafter(middle, math.inf), -math.nextafter(middle, 0)]
    return values


@pytest.mark.parametrize("name", FORMATS)
def test_conversions_round_to_nearest_even(conversions: ctypes.CDLL, name: str) -> None:
    numbers, generator = numbers_of(name), random.Random(3)
    values = awkward_values(numbers, generator)
    made = (ctypes.c_ushort * len(values))()
    getattr(conversions, f"{name}_from_double")((ctypes.c_double * len(values))(*values), made, len(values))
    for value, bits in zip(values, made, strict=True):
        assert bits == nearest(numbers, Fraction(value)), (value, bits)
    for _ in range(2000):
        integer = generator.getrandbits(63) >> generator.randrange(63)
        found = getattr(conversions, f"{name}_from_integer")(-integer)
        assert found & 0x7FFF == nearest(numbers, Fraction(integer)), integer
    floats = (ctypes.c_float * 65536)()
    getattr(conversions, f"{name}_to_float")(floats)
    assert [Fraction(x) for x in floats[: len(numbers) - 1]] == numbers[:-1]
    assert math.isnan(floats[len(numbers)])
    assert floats[len(numbers) - 1] == math.inf


@pytest.mark.parametrize("name", FORMATS)
def test_fused_multiply_add_rounds_once(conversions: ctypes.CDLL, name: str) -> None:
    numbers, generator = numbers_of(name), random.Random(5)
    middle = len(numbers) // 2
    count = 5000
    operands = [generator.randrange(middle - 2000, middle + 2000) for _ in range(3 * count)]
    made = (ctypes.c_ushort * count)()
    getattr(conversions, f"{name}_fused")((ctypes.c_ushort * len(operands))(*operands), made, count)
    for k, bits in enumerate(made):
        a, b, c = (numbers[operand] for operand in operands[3 * k : 3 * k + 3])
        assert bits == nearest(numbers, a * b + c), (a, b, c)


def test_the_runtime_is_compiled_once() -> None:
    """Its name in the cache must not depend on the call: compiling it takes longer than everything else."""
    keys = {runtime_key.__wrapped__("g++", mode) for mode in ("check", "plain", "check")}
    assert len(keys) == 2


@pytest.mark.parametrize("mode", ["plain", "check"])
def test_the_precompiled_header_is_taken(mode: Mode, tmp_path: Path) -> None:
    """It takes a third of the time to read the header itself, which g++ does in silence where the options differ."""
    empty = tmp_path / "empty.cu"
    empty.touch()
    # -H: each file that is read, behind a `!` where it is a precompiled one.
    options = [*source_options("g++", mode), "-H", "-x", "c++"]
    command = ["g++", *options, "-c", str(empty), "-o", str(tmp_path / "empty.o")]
    read = subprocess.run(command, capture_output=True, text=True, check=True).stderr.splitlines()
    assert len(read) == 1 and read[0].startswith("! ") and read[0].endswith("prefix.h.gch")


def test_what_nothing_uses_is_an_error_in_tests_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """nvcc warns of it in generated code; in the code of a user it is his."""
    source, made = tmp_path / "unused.cu", tmp_path / "unused.o"
    source.write_text(
        "#include <cuda_runtime.h>\n__global__ void k(int *a)\n{\n    const int items = 3;\n    a[0] = 1;\n}\n"
    )
    with pytest.raises(BuildError, match="unused variable"):
        compile_object(source, made)
    monkeypatch.delenv(UNUSED_IS_ERROR)
    compile_object(source, made)
