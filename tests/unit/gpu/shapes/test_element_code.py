"""How much code an element is, and what is unrolled of it."""

from __future__ import annotations

import pytest

from pencilc.gpu.shapes.element_code import (
    DIVISION,
    FUNCTION,
    MOST_CODE,
    MOST_TRIPS,
    WIDE_FUNCTION,
    element_code,
)
from pencilc.ir.shapes import Kernel
from tests.unit.gpu.kernels import kernel
from tests.unit.records import modelled


def made(element: str, before: str = "") -> tuple[Kernel, int]:
    body = f"float s; INIT(&s, zero); FOR(i, n) {{ {before} UPDATE(&s, {element}, add); }} b[0] = s;"
    found = kernel(body)
    return found, element_code(found, modelled(body))


def code(element: str, before: str = "") -> int:
    return made(element, before)[1]


@pytest.mark.parametrize(
    ("element", "more"),
    [
        ("a[i] * a[i]", 2),  # the product, and a subscript
        ("expf(a[i])", FUNCTION),
        ("(float)exp((double)a[i])", WIDE_FUNCTION + 2),
        ("fabsf(a[i])", 1),
        ("1 / a[i]", DIVISION + 1),  # and a conversion
        ("larger(a[i], a[i])", 3),  # what it does, and a subscript
    ],
)
def test_operations(element: str, more: int) -> None:
    assert code(element) - code("a[i]") == more


@pytest.mark.parametrize(("trips", "written_out"), [(8, 8), (MOST_TRIPS, MOST_TRIPS), (1000, 4)])
def test_loops_of_an_element_are_written_out(trips: int, written_out: int) -> None:
    loop = f"float w = 0; for (int k = 0; k < {trips}; k++) w += expf(a[i] * k);"
    assert written_out * FUNCTION <= code("w", loop) <= written_out * (FUNCTION + 8) + 20


@pytest.mark.parametrize(
    ("functions", "width", "in_flight"), [(0, 4, 4), (1, 4, 2), (3, 2, 1)], ids=["short", "long", "longer"]
)
def test_long_elements_stand_in_shorter_chunks(functions: int, width: int, in_flight: int) -> None:
    added = " ".join(f"w += expf(a[i] * {k + 2});" for k in range(functions))
    found, size = made("w", f"float w = a[i]; for (int k = 0; k < 64; k++) {{ {added} }}")
    assert (found.loads.width, found.loads.in_flight) == (width, in_flight)
    assert width * in_flight * size <= MOST_CODE
