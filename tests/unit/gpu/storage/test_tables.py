"""Where the constant tables of a file live."""

from __future__ import annotations

from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, parse_file
from pencilc.gpu.storage.tables import constant_tables

FILE = """#include <pencil.h>
static const float w[{size}] = {{ 1 }};
static float third(const float t[static 3]) {{ return t[2]; }}
void f(int n, float a[static const restrict n], int p[static const restrict n]) {{
#pragma scop
    for (int i = 0; i < n; i++) {{ float s = 0; for (int k = 0; k < 3; k++) s = s + {element}; a[i] = s; }}
#pragma endscop
}}
"""


def is_constant(element: str, size: int = 64) -> bool:
    """Whether the table `w`, which `element` reads, belongs into constant memory."""
    unit, _ = parse_file(SourceFile("test.c", FILE.format(element=element, size=size)), FrontendOptions())
    return "w" in constant_tables(unit)


def test_what_every_thread_reads_alike() -> None:
    assert is_constant("w[k]") and is_constant("w[5]") and is_constant("w[2 * k + 1]")


def test_what_differs_from_thread_to_thread() -> None:
    assert not is_constant("w[i % 64]") and not is_constant("w[p[i]]")
    assert not is_constant("w[k] + w[i % 64]") and not is_constant("w[k + i % 8]")


def test_an_argument_of_a_helper_is_no_plain_subscript() -> None:
    assert not is_constant("third(w)")


def test_a_large_table_stays_in_global_memory() -> None:
    assert is_constant("w[k]", 16 * 1024 // 4) and not is_constant("w[k]", 16 * 1024 // 4 + 1)
