"""Quotients and remainders of parameters by parameters are parameters of the model, which the host computes."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.options import CompileOptions

HEAD = """#include <stddef.h>
void f(int n, int w, unsigned u, size_t z, const int at[static const restrict n], int a[static const restrict n])
{
"""


def compiled(body: str, before: str = "") -> Compilation:
    text = f"{HEAD}{before}\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    return compile_source(SourceFile("f.c", text), CompileOptions(), "mapping")


@pytest.mark.parametrize(
    ("bound", "factors"),
    [
        ("n / w", [("n / w",)]),
        ("n - n % w", [("n % w",)]),
        ("(n + w - 1) / w", [("(n + w - 1) / w",)]),
        ("(n - 3) / w + 1", [("(n - 3) / w",)]),
        ("n / w / w", [("n / w / w",)]),
        ("n >> w", [("n >> w",)]),
        ("n / w * w", [("n / w", "w")]),
    ],
)
def test_what_the_host_computes(bound: str, factors: list[tuple[str, ...]]) -> None:
    done = compiled(f"for (int i = 0; i < {bound}; i++) a[i] = 0;")
    assert [tuple(sorted(each.factors)) for each in done.scops[0].products] == factors
    assert [kernel.shape.value for kernel in done.programs[0].kernels()] == ["parallel"]
    assert not done.diagnostics


def test_a_name_for_one_is_the_same() -> None:
    done = compiled(
        "for (int i = 0; i < many; i++) a[i] = 0; for (int i = 0; i < n / w; i++) a[i] += 1;", "int many = n / w;"
    )
    assert [each.factors for each in done.scops[0].products] == [("n / w",)]


def test_sizes_without_a_sign() -> None:
    done = compiled("for (size_t i = 0; i < z / u; i++) a[i] = 0; for (unsigned i = 0; i < u / 2u; i++) a[i] = 1;")
    (product,) = done.scops[0].products
    assert str(product.symbol.type) == str(done.parsed.regions[0].params[3].type)
    assert not done.diagnostics


def test_one_of_data_is_data() -> None:
    done = compiled("for (int i = 0; i < n / at[0]; i++) a[i] = 0;")
    assert not done.scops[0].products
    done = compiled("for (int i = 0; i < n; i++) for (int j = 0; j < n / (i + 1); j++) a[i] += j;")
    assert not done.scops[0].products
