"""Products of parameters are parameters of the model, which the host computes."""

from __future__ import annotations

import islpy as isl
import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.ir.scop import Scop
from pencilc.options import CompileOptions

HEAD = """#include <stddef.h>
#include <stdint.h>
#include <pencil.h>
"""


def compiled(body: str, sizes: str = "int n, int m", stage: str = "scop", extent: str = "n * m") -> Compilation:
    arrays = f"float a[static const restrict {extent}], float b[static const restrict {extent}]"
    text = f"{HEAD}void f({sizes}, {arrays})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    return compile_source(SourceFile("f.c", text), CompileOptions(), stage)


def products(scop: Scop) -> dict[str, str]:
    return {product.symbol.name: " * ".join(product.factors) for product in scop.products}


@pytest.mark.parametrize(
    ("bound", "wanted", "domain"),
    [
        ("n * m", {"n_m": "n * m"}, "0 <= k < n_m"),
        ("m * n", {"n_m": "n * m"}, "0 <= k < n_m"),
        ("2 * n * m - 1", {"n_m": "n * m"}, "0 <= k <= -2 + 2n_m"),
        ("n * (m + 1)", {"n_m": "n * m"}, "0 <= k < n + n_m"),
        ("(n + 1) * (m - 1)", {"n_m": "n * m"}, "0 <= k <= -2 - n + m + n_m"),
        ("n * n", {"n_n": "n * n"}, "0 <= k < n_n"),
        ("n * m * n", {"n_n_m": "n * n * m"}, "0 <= k < n_n_m"),
        ("n * m + n * n", {"n_m": "n * m", "n_n": "n * n"}, "0 <= k < n_m + n_n"),
        ("(long)n * m", {"n_m": "n * m"}, "0 <= k < n_m"),
        ("n * 3", {}, "0 <= k < 3n"),
        ("n * m - m * n + n", {"n_m": "n * m"}, "0 <= k < n"),
    ],
)
def test_bounds(bound: str, wanted: dict[str, str], domain: str) -> None:
    (scop,) = compiled(f"for (int k = 0; k < {bound}; k++) b[k] = 1;").scops
    assert products(scop) == wanted
    text = " and ".join(str(s.domain) for s in scop.statements)
    assert domain in text, text


@pytest.mark.parametrize(
    ("sizes", "bound", "ctype", "value"),
    [
        ("int n, int m", "n * m", "int", "(int)((unsigned int)n * (unsigned int)m)"),
        ("short n, int m", "n * m", "int", "(int)((unsigned int)n * (unsigned int)m)"),
        ("int n, int m", "(long)n * m", "long", "(long)((unsigned long long)n * (unsigned long long)m)"),
        ("int n, int m", "(size_t)n * m", "unsigned long", "(unsigned long)n * (unsigned long)m"),
        ("unsigned n, unsigned m", "n * m", "unsigned int", "n * m"),
        ("uint32_t n, int m", "n * m", "unsigned int", "n * (unsigned int)m"),
    ],
)
def test_what_the_host_computes(sizes: str, bound: str, ctype: str, value: str) -> None:
    done = compiled(f"for (size_t k = 0; k < {bound}; k++) b[k] = 1;", sizes, "cuda")
    lines = [line.strip() for line in done.cuda.splitlines() if " n_m = " in line]
    found = {line.replace("uint32_t", "unsigned int").replace("size_t", "unsigned long") for line in lines}
    expected = f"const {ctype} n_m = {value};"
    assert {line.replace("(unsigned int)n *", "n *").replace("(unsigned int)m;", "m;") for line in found} == {
        expected.replace("(unsigned int)n *", "n *").replace("(unsigned int)m;", "m;")
    }


@pytest.mark.parametrize(
    "body",
    [
        # A local, an assigned scalar, conditions, subscripts and assumes.
        "const int t = n * m; for (int k = 0; k < t; k++) b[k] = a[t - 1 - k];",
        "int t; t = m * n; for (int k = 0; k < t; k++) b[k] = 1;",
        "for (int k = 0; k < m; k++) if (k < n * m - 1) b[k] = a[k];",
        "for (int k = 0; k < m; k++) b[n * m - 1 - 2 * k] = 1;",
        "for (int k = 0; k < n * m / 2; k++) b[2 * k] = 1;",
        "__pencil_assume(n * m <= 4096); for (int k = 0; k < n * m; k++) b[k] = 1;",
    ],
)
def test_where_a_product_may_stand(body: str) -> None:
    (scop,) = compiled(body).scops
    assert products(scop)["n_m"] == "n * m"
    assert all(access.exact for statement in scop.statements for access in statement.accesses)


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i * m + j] = 1;",  # none without an iterator
        "for (int i = 0; i < n; i++) b[i] = a[i] * (n * m);",  # a value
        "for (int i = 0; i < n; i++) b[i * (n * m) / m] = 1;",  # something multiplies it
        "for (int i = 0; i < n; i++) { n = n + 0; b[i * 0] = n * m; }",  # a parameter that is written
    ],
)
def test_what_is_no_parameter(body: str) -> None:
    (scop,) = compiled(body).scops
    assert products(scop) == {}


def test_a_wrapped_product_is_multiplied_by_nothing() -> None:
    (scop,) = compiled("for (unsigned k = 0; k < 2 * (n * m); k++) b[k] = 1;", "unsigned n, unsigned m").scops
    assert not any("n_m" in str(statement.domain.gist_params(scop.context)) for statement in scop.statements)


def test_an_unsigned_product_is_another_one_than_that_of_numbers() -> None:
    loops = "for (unsigned k = 0; k < n * m; k++) b[k] = 1; for (long k = 0; k < (long)n * m; k++) a[k] = 1;"
    (scop,) = compiled(loops, "unsigned n, unsigned m").scops
    assert products(scop) == {"n_m": "n * m", "n_m_1": "n * m"}


def test_what_is_known_of_products() -> None:
    (scop,) = compiled("__pencil_assume(n > 2 && m > 0); for (int k = 0; k < n * m; k++) b[k] = 1;").scops
    known = isl.Set("[n, m, n_m] -> { : n > 2 and m > 0 and n_m >= n + m - 1 }")
    assert scop.context.is_equal(known), scop.context


def test_rows_of_products() -> None:
    text = """
    for (int i = 0; i < n; i++) {
        const int length = m * c;
        for (int k = 0; k < length; k++)
            b[i * length + k] = a[i * m * c + k] + 1;
    }"""
    (scop,) = compiled(text, "int n, int m, int c", extent="n * m * c").scops
    assert {a.name: len(a.extents) for a in scop.arrays if a.name in ("a", "b")} == {"a": 3, "b": 3}
