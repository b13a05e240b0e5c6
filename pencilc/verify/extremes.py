"""Values at the ends of the types and beside them, among others of every size: the data of the kind `extremes`.

Small numbers fit every type, so that a conversion that is left out, or made in the wrong place, does not show.

Of integers some, or half, or none are at an end, and the others have a random number of bits, of all of the type or of
half of them: products of such numbers do not fit the type, but their sums fit one that is twice as wide.  Among
fractions stand values of a set that is drawn for each array: NaN, infinities, negative zero, the smallest number of
the type, and its largest where nothing is added up (a sum that passes the largest number depends on its order).  There
is no NaN where a reduction by `a < b ? a : b` may be reordered, of which it would cut off what stands before, and no
smallest number where factors may be rounded to tf32, which makes a zero of it.
"""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Sequence

from pencilc.ir.source import Scalar
from pencilc.verify.cases import Value, epsilon_of
from pencilc.verify.draws import picked
from pencilc.verify.facts import Facts

_FEW = 3
_PARTS = (1 / 2, 3 / 4, 1)  # of the bits of an integer


def integers(rng: random.Random, scalar: Scalar, count: int) -> list[Value]:
    """`count` values of an integer type: of `int` 2147483647, -2147483648 and their like, and for instance -70211."""
    bits = 8 * scalar.size - (1 if scalar.kind == "int" else 0)
    largest, smallest = 2**bits - 1, -(2**bits) if scalar.kind == "int" else 0
    ends = [0, 1, largest, largest - 1, smallest, smallest + 1, largest // 2, largest // 2 + 1]
    if scalar.kind == "int":
        ends.append(-1)
    share = rng.choice((0, _FEW / max(count, 1), 1 / 2))
    most = math.ceil(bits * rng.choice(_PARTS))
    drawn = [rng.getrandbits(size) for size in picked(rng, range(1, most + 1), count)]
    if scalar.kind == "int":
        drawn = [sign * value for sign, value in zip(picked(rng, (-1, 1), count), drawn, strict=True)]
    return _mixed(rng, share, ends, drawn)


def with_specials(rng: random.Random, scalar: Scalar, values: list[Value], facts: Facts) -> list[Value]:
    """`values` with special ones in a few places, in one of eight, in every second, or everywhere."""
    specials = [math.inf, -math.inf, -0.0, 0.0]
    if not facts.allow_tf32:
        specials += [smallest_of(scalar), -smallest_of(scalar)]
    if not facts.passes_nan:
        specials.append(math.nan)
    if not facts.adds:
        specials += [largest_of(scalar), -largest_of(scalar)]
    chosen = rng.sample(specials, rng.randint(1, len(specials)))
    share = rng.choice((_FEW / max(len(values), 1), 1 / 8, 1 / 2, 1))
    return _mixed(rng, share, chosen, values)


def _mixed(rng: random.Random, share: float, special: Sequence[Value], values: Sequence[Value]) -> list[Value]:
    """`values`, of which that share is replaced by one of `special`."""
    others = picked(rng, special, len(values))
    return [other if rng.random() < share else value for other, value in zip(others, values, strict=True)]


def largest_of(scalar: Scalar) -> float:
    """The largest finite number of a floating type; of long double that of double."""
    if "bfloat16" in scalar.name or scalar.size == 4:
        return (2.0 - epsilon_of(scalar)) * 2.0**127
    return 65504.0 if scalar.size == 2 else struct.unpack("<d", b"\xff" * 6 + b"\xef\x7f")[0]


def smallest_of(scalar: Scalar) -> float:
    """The smallest positive number of a floating type, which is subnormal; of long double that of double."""
    if "bfloat16" in scalar.name:
        return 2.0**-133
    return {2: 2.0**-24, 4: 2.0**-149}.get(scalar.size, 2.0**-1074)
