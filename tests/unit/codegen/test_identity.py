"""What a recognised operator begins with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.identity import identity
from pencilc.ir.scop import Operator, OperatorKind
from pencilc.ir.source import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LLONG,
    UCHAR,
    UINT,
    ULLONG,
    CType,
    Scalar,
    Struct,
)
from tests.unit.codegen.programs import told
from tests.unit.records import SUM, modelled


def begins(kind: OperatorKind | None, ctype: CType, wide: Scalar | None = None) -> str | None:
    """The text of the identity of an operator on a type."""
    (reduction,) = modelled(SUM).reductions
    found = identity(replace(reduction, operator=Operator("f", kind, wide), element_type=ctype))
    return None if found is None else told(found)[0]


@pytest.mark.parametrize(
    ("kind", "ctype", "text"),
    [
        (OperatorKind.ADD, FLOAT, "-0.0f"),
        (OperatorKind.ADD, DOUBLE, "-0.0"),
        (OperatorKind.ADD, UINT, "0"),
        (OperatorKind.MUL, FLOAT, "1.0f"),
        (OperatorKind.MUL, LLONG, "1"),
        (OperatorKind.OR, INT, "0"),
        (OperatorKind.BIT_XOR, INT, "0"),
        (OperatorKind.AND, INT, "1"),
        (OperatorKind.BIT_AND, INT, "-1"),
        (OperatorKind.BIT_AND, UCHAR, "(unsigned char)~0ull"),
        (OperatorKind.MIN, FLOAT, "INFINITY"),
        (OperatorKind.MIN, DOUBLE, "(double)INFINITY"),
        (OperatorKind.MAX, DOUBLE, "-(double)INFINITY"),
        (OperatorKind.MIN, BOOL, "true"),
        (OperatorKind.MAX, BOOL, "0"),
        (OperatorKind.MAX, UINT, "0"),
        (OperatorKind.MIN, CHAR, "(char)127"),
        (OperatorKind.MIN, UINT, "(unsigned int)4294967295ull"),
    ],
)
def test_identities(kind: OperatorKind, ctype: CType, text: str) -> None:
    assert begins(kind, ctype) == text


def test_the_smallest_number_is_never_written_as_a_literal_of_its_own() -> None:
    assert begins(OperatorKind.MAX, INT) == "-(int)2147483647 - 1"
    assert begins(OperatorKind.MAX, LLONG) == "-(long long)9223372036854775807ull - 1"
    assert begins(OperatorKind.MIN, ULLONG) == "(unsigned long long)18446744073709551615ull"
    assert begins(OperatorKind.MAX, CHAR) == "(char)-128"


def test_sums_of_16_bit_floats_begin_in_the_type_that_they_are_kept_in() -> None:
    assert begins(OperatorKind.ADD, HALF, FLOAT) == "-0.0f"


def test_the_init_function_says_it_where_the_operator_or_the_type_is_unknown() -> None:
    assert begins(None, FLOAT) is None
    assert begins(OperatorKind.ADD, Struct("pair", (), 8, 4)) is None
