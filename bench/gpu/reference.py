"""The right results (`native/reference.cpp`, on the host), and how far a result may be from them."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench.gpu.records import Download, Kind, Verdict

EPSILON = {"float": 2.0**-24, "double": 2.0**-53}


def rounding(accumulator: str, length: float) -> float:
    """What a sum of `length` terms may differ by, relative to the sum of the magnitudes.

    A thread adds its part one by one, the parts meet in trees: at least 2^12 chains share the work of a long sum, and
    a tree is at most 64 deep.  Integers may not differ at all.
    """
    return EPSILON[accumulator] * (64 + length / 2**12) if accumulator in EPSILON else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """The built library and one method for each kind of result."""

    library: ctypes.CDLL

    @staticmethod
    def load(path: Path) -> Reference:
        """Load the library at `path`."""
        library = ctypes.CDLL(str(path))
        for name in ("rows", "columns", "normalised", "srad", "nearest"):
            getattr(library, f"reference_{name}_error").restype = ctypes.c_double
        return Reference(library)

    def sums(self, download: Download, kind: Kind, n: int, members: int, accumulator: str, letter: str) -> Verdict:
        """`out` holds the sums of the members; `letter` is the `struct` format of one."""
        real, whole = (ctypes.c_double * members)(), (ctypes.c_longlong * members)()
        self.library.reference_sums(int(kind), ctypes.c_longlong(n), members, 0, real, whole)
        size = struct.calcsize(letter)
        got = struct.unpack(f"<{members}{letter}", download("out")[: members * size])
        if accumulator not in EPSILON:
            bits = 8 * size
            wrong = any((g - w) % (1 << bits) for g, w in zip(got, whole, strict=True))
            return Verdict(float(wrong), 0.0)
        scales = [max(1.0, abs(r)) for r in real]
        error = _worst(abs(g - r) / s for g, r, s in zip(got, real, scales, strict=True))
        return Verdict(error, rounding(accumulator, n))

    def stats(
        self, download: Download, kind: Kind, n: int, which: tuple[int, ...], accumulator: str, letter: str
    ) -> Verdict:
        """`out` holds those of minimum (0), maximum (1), sum (2), sum of squares (3) that `which` names."""
        found = (ctypes.c_double * 4)()
        self.library.reference_stats(int(kind), ctypes.c_longlong(n), 0, found)
        size = struct.calcsize(letter)
        got = struct.unpack(f"<{len(which)}{letter}", download("out")[: len(which) * size])
        # The magnitudes of a sum are bounded by n and the squares: |x| <= 1 or small whole numbers.
        scale = max(1.0, abs(found[3]))
        errors = (abs(g - found[k]) / (scale if k > 1 else 1.0) for g, k in zip(got, which, strict=True))
        return Verdict(_worst(errors), rounding(accumulator, n))

    def argmin(self, download: Download, kind: Kind, n: int) -> Verdict:
        """`out` holds a float and the lowest int index that has it."""
        value, index = ctypes.c_double(), ctypes.c_longlong()
        self.library.reference_argmin(int(kind), ctypes.c_longlong(n), 0, ctypes.byref(value), ctypes.byref(index))
        got_value, got_index = struct.unpack("<fi", download("out")[:8])
        return Verdict(float(got_value != value.value or got_index != index.value), 0.0)

    def rows(self, download: Download, rows: int, columns: int) -> Verdict:
        """`out` holds the sums of the rows."""
        return self._matrix("rows", download, rows, columns, rounding("float", columns))

    def columns(self, download: Download, rows: int, columns: int) -> Verdict:
        """`out` holds the sums of the columns."""
        return self._matrix("columns", download, rows, columns, rounding("float", rows))

    def _matrix(self, name: str, download: Download, rows: int, columns: int, tolerance: float) -> Verdict:
        function = getattr(self.library, f"reference_{name}_error")
        sizes = ctypes.c_longlong(rows), ctypes.c_longlong(columns)
        return Verdict(function(int(Kind.F32), *sizes, 0, download("out")), tolerance)

    def normalised(self, download: Download, what: int, rows: int, columns: int, epsilon: float) -> Verdict:
        """`y` holds the softmax (0), layer norm (1) or RMS norm (2) of the rows."""
        sizes = ctypes.c_longlong(rows), ctypes.c_longlong(columns)
        error = self.library.reference_normalised_error(what, *sizes, 0, ctypes.c_double(epsilon), download("y"))
        # exp, sqrt and the division add a few units to the rounding of the sums.
        return Verdict(error, 16 * EPSILON["float"] + rounding("float", columns))

    def tracks(self, download: Download, rows: int, columns: int) -> Verdict:
        """`out` holds SLAMBench's 32 sums."""
        sums, scales = (ctypes.c_double * 32)(), (ctypes.c_double * 32)()
        self.library.reference_tracks(ctypes.c_longlong(rows), ctypes.c_longlong(columns), 0, sums, scales)
        got = struct.unpack("<32f", download("out")[:128])
        error = _worst(abs(got[k] - sums[k]) / max(1.0, scales[k]) for k in range(32))
        return Verdict(error, rounding("float", rows * columns))

    def bins(self, download: Download, kind: Kind, n: int, bins: int) -> Verdict:
        """`out` holds the counts; the error is the number of wrong ones."""
        counts = (ctypes.c_longlong * bins)()
        self.library.reference_bins(int(kind), ctypes.c_longlong(n), 0, ctypes.c_longlong(bins), counts)
        got = struct.unpack(f"<{bins}i", download("out")[: 4 * bins])
        return Verdict(float(sum(g != c for g, c in zip(got, counts, strict=True))), 0.0)

    def srad(self, download: Download, steps: int, rows: int, columns: int, rate: float) -> Verdict:
        """`image` holds the image after `steps` steps."""
        sizes = ctypes.c_longlong(rows), ctypes.c_longlong(columns)
        error = self.library.reference_srad_error(steps, *sizes, ctypes.c_double(rate), 0, download("image"))
        # The two sums decide one coefficient for the whole image, and errors grow with the steps.
        return Verdict(error, steps * 64 * rounding("float", rows * columns))

    def products(self, download: Download, least: bool, kind: Kind, letter: str, m: int, n: int, p: int) -> Verdict:
        """`out` holds the sums of products of two matrices, or the least sums; of many some are looked at."""
        at = _looked_at(m * n)
        found, scales = (ctypes.c_double * len(at))(), (ctypes.c_double * len(at))()
        sizes = ctypes.c_longlong(n), ctypes.c_longlong(p), ctypes.c_longlong(len(at))
        self.library.reference_products(int(least), int(kind), *sizes, at, found, scales)
        got = _elements(download("out"), letter, at)
        error = _worst(abs(g - f) / (s or 1.0) for g, f, s in zip(got, found, scales, strict=True))
        tolerance = EPSILON["float"] if least else rounding("float", p)
        # What is stored in 16 bits is rounded once more; tensor cores cut off what does not fit, after 16 products each.
        cut_off = p / 16 * 2.0**-23
        return Verdict(error, tolerance if letter == "f" else 2.0**-11 + tolerance + cut_off)

    def nearest(self, download: Download, points: int, centres: int, dimensions: int) -> Verdict:
        """`out` holds the number of the nearest centre of each point; of many points some are looked at."""
        at = _looked_at(points)
        labels = (ctypes.c_int * len(at))(*map(int, _elements(download("out"), "i", at)))
        sizes = ctypes.c_longlong(centres), ctypes.c_longlong(dimensions), ctypes.c_longlong(len(at))
        # Who expands the square of a difference loses some bits of it.
        return Verdict(self.library.reference_nearest_error(*sizes, at, labels), 8 * rounding("float", dimensions))


# So many results are looked at: all of a large matrix would take the host minutes.
LOOKED_AT = 4096


def _looked_at(count: int) -> ctypes.Array[ctypes.c_longlong]:
    """The numbers of all results, or of some in different rows and columns, the first one among them."""
    numbers = range(count) if count <= LOOKED_AT else [k * 2654435761 % count for k in range(LOOKED_AT)]
    return (ctypes.c_longlong * len(numbers))(*numbers)


def _elements(data: bytes, letter: str, at: Iterable[int]) -> list[float]:
    """The elements with these numbers; `letter` is the `struct` format of one."""
    size = struct.calcsize(letter)
    return [struct.unpack_from(f"<{letter}", data, size * k)[0] for k in at]


def _worst(errors: Iterable[float]) -> float:
    """The largest error; what is no number is the largest of all."""
    return max((math.inf if math.isnan(error) else error for error in errors), default=0.0)
