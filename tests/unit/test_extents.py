"""Local arrays whose extents no launch can know: a located limitation, never a file that nvcc refuses."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.diagnostic import CompilerLimitation
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions

HEAD = """#include <pencil.h>
static int half(int n) { return n / 2; } static int early(int n, const int a[static const restrict n], int x) {
    int in_helper[n];
    for (int i = 0; i < n; i++) {
        in_helper[i] = a[i] * x;
        if (in_helper[i] == 7) return i;
    }
    return in_helper[n / 2];
}
void f(int n, const int a[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = a[i] & 7;
"""
FILL = "for (int j = 0; j <= k; j++) t[j] = a[j] + i; o[i] = t[k / 2];"


@pytest.mark.parametrize(
    ("body", "line", "text"),
    [
        ("int t[k + 1];" + FILL, 14, "the extent of `t` is not known before the region"),
        ("while (k > 0) { int t[k + 1];" + FILL + " k--; }", 14, "the extent of `t` is not known before the region"),
        ("o[i] = early(n, a, k);", 3, "the extent of `in_helper` is known at run time only, and `early` is called"),
        ("int t[half(n) + 8];" + FILL, 14, "the extent of `t` is a result of `half`"),
    ],
    ids=["data", "while", "helper", "call"],
)
def test_refused(body: str, line: int, text: str) -> None:
    with pytest.raises(CompilerLimitation, match=text) as caught:
        compile_source(SourceFile("f.c", HEAD + body + "\n    }\n#pragma endscop\n}\n"), CompileOptions())
    assert caught.value.span is not None
    assert caught.value.span.line == line
