"""Wrong calls: each is an exception that names the argument and says what C expects, and nothing runs."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import pencilc

A = numpy.ones(4, numpy.float32)
X, Y = numpy.ones((2, 3)), numpy.zeros((2, 3))
POINTS = numpy.zeros(3, [("weight", "<i2"), ("at", "<f4", (2,))])
READ_ONLY = numpy.zeros((2, 3))
READ_ONLY.flags.writeable = False
BLOCK = numpy.zeros((4, 3))

WRONG_TYPES = [
    ("argmin", (), {}, r"argmin\(\) takes 1 or 2 arguments, but 0 were given; it is `Best argmin\(int n"),
    ("argmin", (4, A, 5), {}, "takes 1 or 2 arguments, but 3 were given"),
    ("argmin", (A, A), {"a": A}, "takes 0 or 1 more arguments, but 2 were given"),
    ("argmin", (A,), {"b": 1}, "has no parameter `b`; it is .*, where n may be left out"),
    ("argmin", (A.astype(float),), {}, r"`a`: it holds float64, where C expects float32 \('float'\)"),
    ("argmin", (A.astype(">f4"),), {}, "it holds float32 with swapped bytes"),
    ("argmin", ([1, 2],), {}, "`a` is of type 'list', where C expects an array"),
    ("argmin", (4.0, A), {}, r"`n` is 4.0 \(float\), where C expects an integer \('int'\)"),
    ("argmin", (None, A), {}, r"`n` is None \(NoneType\)"),
    ("argmin", (A.astype("c8"),), {}, "it holds complex64"),
    ("scale", ("2", X, Y), {}, r"`factor` is '2' \(str\), where C expects a number \('double'\)"),
    ("scale", (2j, X, Y), {}, "`factor` is 2j"),
    ("weigh", (POINTS,), {}, r"`points`: it holds records of 10 bytes, .* has 12; module.dtype\('Point'\)"),
    ("weigh", (A,), {}, "it holds float32, where C expects struct 'Point'"),
    ("blur", (1, 3, X.reshape(1, 2, 3)), {}, "`settings` is 3 .* give a tuple or a mapping of radius, factor"),
    ("blur", (1, (2,), X.reshape(1, 2, 3)), {}, "`settings` has length 1, where 'Settings' has the members"),
    ("blur", (1, {"radius": 2, "factr": 1}, X.reshape(1, 2, 3)), {}, "unknown factr; left out factor"),
    ("blur", (1, (2, "x"), X.reshape(1, 2, 3)), {}, "`settings.factor` is 'x'"),
    ("flat", (X[0].astype("f4"),), {}, r"flat\(\) takes 3 arguments, but 1 was given"),
]  # fmt: skip
WRONG_VALUES: list[tuple[str, Any, Any, str]] = [
    ("argmin", (5, A), {}, r"`a` has shape \(4,\), where C expects \(5,\) \(n\)"),
    ("argmin", (-1, A), {}, "the extent `n` of `a` is -1"),
    ("argmin", (2**31, A), {}, r"`n` is 2147483648, which does not fit 'int' \(-2147483648 to 2147483647\)"),
    ("argmin", (A[::2],), {}, "the elements of `a` do not follow each other in C order"),
    ("argmin", (A.reshape(2, 2),), {}, r"`a` has 2 dimensions \(shape \(2, 2\)\), where C declares `a\[n\]`"),
    ("scale", (1.0, X, Y.T.copy()), {}, "`rows` was left out, and .* different values of it: 2 by `x`, 3 by `y`"),
    ("scale", (2, 3, 1.0, X.T, Y), {}, r"`x` has shape \(3, 2\)"),
    ("scale", (1.0, numpy.asfortranarray(X), Y), {}, "do not follow each other"),
    ("scale", (1.0, X, READ_ONLY), {}, "`y` is written by the call, and the array is read-only"),
    ("scale", (1.0, Y, Y), {}, "`x` and `y` share memory, and `y` is written: arrays of a call must not overlap"),
    ("scale", (1.0, BLOCK[:3], BLOCK[1:]), {}, "`x` and `y` share memory"),
    ("blur", (1, (2, 1e39), numpy.zeros((2, 4, 3), "u1")), {}, "`settings.factor` is 1e.39, which does not fit"),
    ("blur", (1, (2, 1), numpy.zeros((2, 4, 4), "u1")), {}, r"expects \(2, 4, 3\) \(n \+ 1, 2 \* settings.radius, 3\)"),
    ("flat", (2, 3, numpy.zeros((2, 3), "f4")), {}, r"C declares `stream\[rows \* columns\]`: give it that shape"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "positional", "named", "message"), WRONG_TYPES)
def test_wrong_types(name: str, positional: Any, named: Any, message: str, module: Any) -> None:
    with pytest.raises(TypeError, match=message) as raised:
        module[name](*positional, **named)
    assert isinstance(raised.value, pencilc.ArgumentTypeError)


@pytest.mark.parametrize(("name", "positional", "named", "message"), WRONG_VALUES)
def test_wrong_values(name: str, positional: Any, named: Any, message: str, module: Any) -> None:
    with pytest.raises(ValueError, match=message) as raised:
        module[name](*positional, **named)
    assert isinstance(raised.value, pencilc.ArgumentValueError)


def test_what_is_only_read_may_be_read_only(module: Any) -> None:
    both = numpy.arange(3, dtype=numpy.float32)
    both.flags.writeable = False
    at, to = numpy.zeros(1, numpy.int32), numpy.ones(1, numpy.float32)
    module.gather(at, both, to)
    assert module.argmin(both).index == 0 and to[0] == 0


def test_neighbours_do_not_overlap(module: Any) -> None:
    block = numpy.ones((4, 3))
    module.scale(2.0, block[:2], block[2:])
    assert (block[2:] == 2).all()
