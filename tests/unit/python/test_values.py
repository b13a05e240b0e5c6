"""Values that go by value: to the bytes that C has of them, and back."""

from __future__ import annotations

import struct
from typing import Any

import ml_dtypes
import numpy
import pytest

import pencilc
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir.source import (
    BFLOAT16,
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    UCHAR,
    ULONG,
    ArrayType,
    CType,
    IntLiteral,
    Member,
    Struct,
)
from pencilc.python.dtypes import dtype_of
from pencilc.python.values import decoded, encoded, tuple_class

PAIR = ArrayType(FLOAT, IntLiteral(2, INT, UNKNOWN_SPAN))
INNER = Struct("Inner", (Member("half", HALF, 0), Member("on", BOOL, 2)), 4, 2)
OUTER = Struct("Outer", (Member("class", CHAR, 0), Member("pair", PAIR, 4), Member("inner", INNER, 12)), 16, 4)


@pytest.mark.parametrize(
    ("ctype", "value", "data"),
    [
        (INT, -5, struct.pack("<i", -5)),
        (LONG, -(2**63), struct.pack("<q", -(2**63))),
        (ULONG, 2**64 - 1, b"\xff" * 8),
        (UCHAR, numpy.uint8(200), b"\xc8"),
        (INT, True, struct.pack("<i", 1)),
        (BOOL, True, b"\1"),
        (BOOL, numpy.bool_(False), b"\0"),
        (FLOAT, 2, struct.pack("<f", 2)),
        (FLOAT, float("inf"), struct.pack("<f", float("inf"))),
        (DOUBLE, numpy.float32(0.5), struct.pack("<d", 0.5)),
        (HALF, 1.5, struct.pack("<e", 1.5)),
        (PAIR, [1.0, 2.0], struct.pack("<ff", 1, 2)),
        (PAIR, numpy.array([1.0, 2.0]), struct.pack("<ff", 1, 2)),
        (OUTER, (1, (2.0, 3.0), (0.5, False)), struct.pack("<b3xffe?x", 1, 2, 3, 0.5, False)),
        (OUTER, {"inner": {"on": 1, "half": 1}, "pair": (0, 0), "class": -1}, struct.pack("<b3xffe?x", -1, 0, 0, 1, 1)),
    ],
)  # fmt: skip
def test_bytes_of_values(ctype: CType, value: Any, data: bytes) -> None:
    assert encoded(ctype, value, "x") == data


@pytest.mark.parametrize("number", [1.0, 1.00390625, 1.01171875, 3.0e38, -2.5e-40, float("-inf"), 0.1])
def test_bfloat16_is_rounded_to_the_nearest_even(number: float) -> None:
    expected = numpy.array(number, ml_dtypes.bfloat16)
    data = encoded(BFLOAT16, number, "x")
    assert data == expected.tobytes() and decoded(BFLOAT16, data) == float(expected)
    assert numpy.isnan(decoded(BFLOAT16, encoded(BFLOAT16, float("nan"), "x")))


@pytest.mark.parametrize(
    ("ctype", "value", "error"),
    [
        (UCHAR, 256, "`x` is 256, which does not fit 'unsigned char' (0 to 255)"),
        (UCHAR, -1, "`x` is -1, which"),
        (BOOL, 2, "`x` is 2, which does not fit '_Bool' (0 to 1)"),
        (HALF, 70000.0, "`x` is 70000, which does not fit 'pencil_half'"),
        (BFLOAT16, 1e39, "`x` is 1e+39, which does not fit 'pencil_bfloat16'"),
        (FLOAT, 10**400, "`x` is no number that fits 'float'"),
        (FLOAT, "1", "`x` is '1' (str), where C expects a number ('float')"),
        (INT, 1.0, "`x` is 1.0 (float), where C expects an integer ('int')"),
        (PAIR, [1.0], "`x` has 1 elements, where C expects 2"),
        (PAIR, 1.0, "`x` is 1.0 (float), where C expects 2 of them: give a sequence"),
        (OUTER, (1, (1, "a"), (0, 0)), "`x.pair[1]` is 'a' (str)"),
        (OUTER, (1, (1, 1), (0, 3)), "`x.inner.on` is 3"),
    ],
)
def test_what_does_not_fit(ctype: CType, value: Any, error: str) -> None:
    with pytest.raises(pencilc.PencilcError) as raised:
        encoded(ctype, value, "x")
    assert str(raised.value).startswith(error)


def test_values_of_bytes() -> None:
    value = decoded(OUTER, struct.pack("<b3xffe?x", 1, 2, 3, 0.5, True))
    assert value == (1, (2.0, 3.0), (0.5, True))
    assert value.pair == (2.0, 3.0) and value.inner.on is True
    # A keyword cannot be the name of a member in Python.
    assert tuple_class(OUTER)._fields == ("_0", "pair", "inner")  # type: ignore[attr-defined]
    assert encoded(OUTER, value, "x") == struct.pack("<b3xffe?x", 1, 2, 3, 0.5, True)


def test_dtypes_have_the_layout_of_structs() -> None:
    made = dtype_of(OUTER)
    assert made.itemsize == 16 and [made.fields[name][1] for name in made.names] == [0, 4, 12]
    assert made["pair"].shape == (2,) and made["inner"]["half"] == numpy.float16
    assert dtype_of(BFLOAT16) == ml_dtypes.bfloat16
    record = numpy.zeros((), made)
    record["pair"], record["inner"]["on"] = (1, 2), True
    assert encoded(OUTER, record, "x") == record.tobytes() == encoded(OUTER, record[()], "x")
