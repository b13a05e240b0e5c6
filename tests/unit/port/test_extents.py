"""How large arrays are, from loops, conditions and subscripts."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions
from pencilc.port.extents import extents_of
from pencilc.port.find import definition, text_of
from pencilc.port.polynomial import spelled
from pencilc.port.text import Parsed
from pencilc.port.tree import is_pointer


def extents(body: str, parameters: str = "int n, int m, float *a, float *b, int *p") -> dict[str, str]:
    """The extent of each array of a function, `?` where data decide, with what it takes for granted."""
    parsed = Parsed(SourceFile("t.c", f"void f({parameters})\n{{ {body} }}\n"), FrontendOptions())
    function = text_of(parsed, definition(parsed, "f"))
    arrays = tuple(p.name for p in function.parameters if is_pointer(parsed, p.node.type))
    sizes = frozenset(p.name for p in function.parameters if p.name not in arrays)
    found: dict[str, str] = {}
    for name, extent in extents_of(parsed, function, arrays, sizes).items():
        if extent.size is None:
            found[name] = "?"
            continue
        promised = "".join(f" if {spelled(low)} <= {spelled(high)}" for low, high in extent.promised)
        found[name] = spelled(extent.size) + promised
    return found


CASES = {
    "for (int i = 0; i < 4 * n; i += 4) a[i] = b[i + 3];": "4 * n",
    "for (int i = 0; i < 4 * n; i += 4) a[i + 2] = 0;": "4 * n",
    "for (int i = 0; i < n; i += 3) { a[i] = 0; a[i + 1] = 0; a[i + 2] = 0; }": "3 * ((n + 2) / 3)",
    "for (int i = 0; i < n; i += 3) a[i] = 0;": "n",
    "for (int i = 0; i + 1 < n; i += 2) a[i / 2] = 0;": "(n / 2)",
    "for (int i = 0; i + 2 < n; i += 3) a[i + 2] = 0;": "n",
    "for (int i = 0; i < n; i++) a[i * m + p[i]] = 0;": "n * m",
    "for (int i = 0; i < n; i++) a[p[i] + m * i] = 0;": "m * n",
    "for (int i = 0; i < n; i++) a[p[i] * m + p[i]] = 0;": "?",
    "for (int i = 0; i < n; i++) a[i] = 0;": "n",
    "for (int i = 0; i <= n; ++i) a[i] = 0;": "n + 1",
    "for (int i = n - 1; i >= 0; i--) a[i] = 0;": "n",
    "for (int i = n; i-- > 0;) a[i] = 0;": "n",
    "int i = n; while (i--) a[i] = 0;": "n",
    "int i = 0; while (i < n) { a[i] = 0; i++; }": "n",
    "for (int i = 0; i != n; i += 1) a[i] = 0;": "n",
    "for (int i = 0; i < n; i++) if (i != 0) a[i] = 0;": "n",
    "for (int i = 0; i < n; i++) if (i == m) a[i] = 0;": "n",
    "for (int i = 1; i < n - 1; i++) a[i] = a[i - 1] + a[i + 1];": "n",
    "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i * m + j] = 0;": "n * m",
    "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) a[i * m + j] = 0;": "n * m",
    "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) a[j] = 0;": "n",
    "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i * m + j] = 0;": "n * m if n <= m",
    "for (int i = 1; i < n - 1; i++) for (int j = 0; j < n; j++) a[i * m + j] = 0;": "n * m if n <= m",
    "for (int i = 0; i < n; i++) for (int j = -m; j <= m; j++) if (i + j >= 0 && i + j < n)"
    " a[i * (2 * m + 1) + j + m] = 0;": "2 * n * m + n - m",
    "for (int i = m; i < n - m; i++) for (int j = m; j < n - m; j++) a[i * n + j] = 0;": "n * n",
    "for (int i = 0; i <= n; i++) a[i * (m + 1)] = 0; for (int j = 0; j <= m; j++) a[j] = 0;"
    " for (int i = 0; i <= n; i++) for (int j = 0; j <= m; j++) a[i * (m + 1) + j] = 0;": "(m + 1) * (n + 1)",
    "for (int i = 1; i <= n; i++) for (int j = 1; j <= n; j++) a[i + (n + 2) * j] = 0;": "(n + 1) * (n + 2)",
    "for (int i = 0; i <= n; i++) for (int j = 1; j <= m; j++) a[i + 1 + (n + 2) * (j + 1)] = 0;": "(m + 2) * (n + 2)",
    "for (int i = 1; i <= n; i++) a[i + (n + 2) * (n + 1)] = a[(n + 2) * i];": "(n + 2) * (n + 2)",
    "for (int i = 0; i < n; i++) { if (i + 1 < n) a[i + 1] = 0; }": "n",
    "for (int i = 0; i < n; i++) { if (i + 1 >= n) continue; a[i + 1] = 0; }": "n",
    "for (int i = 0; i < n; i++) a[0] += i + 1 < n ? a[i + 1] : 0;": "n if 1 <= n",
    "for (int i = 0; i < n; i++) { int x = i + 3; if (x >= n) x = n - 1; a[x] = 0; }": "n",
    "for (int i = 0; i < n; i++) { int x = i + 3 < n ? i + 3 : n - 1; a[x] = 0; }": "n",
    "for (int i = 0; i < n; i++) { int x = i - 1; x = x < 0 ? 0 : x >= n ? n - 1 : x; a[x] = 0; }": "n",
    "for (int i = 0; i < n; i++) a[i % 16] += 1;": "16",
    "for (int i = 0; i < n; i++) a[p[i] & 255] += 1;": "256",
    "for (int i = 0; i < n; i++) a[(unsigned char)p[i]] += 1;": "256",
    "for (int i = 0; i < n / 2; i++) a[2 * i + 1] = a[2 * i];": "2 * (n / 2)",
    "for (int k = 0; k < 4; k++) for (int i = 0; i < n / 2; i++) a[(k * n + 2 * i + 1) * m + m - 1] = 0;": "4 * m * n",
    "for (int i = 0; i < n / 2; i++) a[i] = a[n - 1 - i];": "n",
    "for (int i = 0; i < n; i++) for (int j = 0; j < m / 2; j++) a[i * m + 2 * j] = 0;": "n * m",
    "for (int i = 0; i < n; i++) for (int j = 0; j < m / 2; j++) a[i * m + 3 * j] = 0;": (
        "n * m if 3 * (m / 2) - 2 <= m"
    ),
    "for (int i = 0; i < 2 * n; i++) a[i / 2] = 0;": "n",
    "for (int i = 0; i < 4 * n; i++) a[i >> 2] = 0;": "n",
    "for (int i = 0; i < n; i++) a[i / 2] = 0;": "((n - 1) / 2) + 1",
    "for (int i = 0; i < 2 * n; i++) for (int j = 0; j < 2 * m; j++) a[i / 2 * m + j / 2] = 0;": "n * m",
    "int o = (n - 3) / 2 + 1; for (int i = 0; i < o; i++) a[i] = 0;": "((n - 3) / 2) + 1",
    "int o = (n - 3) / 2 + 1; for (int i = 0; i < o; i++) for (int k = 0; k < 3; k++) a[2 * i + k] = 0;": "n",
    "int o = (n - 3) / 2 + 1; for (int i = 0; i < o; i++) for (int j = 0; j < m; j++) a[2 * i * m + j] = 0;": (
        "2 * ((n - 3) / 2) * m + m"
    ),
    "float s = 0.5f * n; for (int i = 0; i < n; i++) { int k = (int)(i * s); a[k] = 0; }": "?",
    "float s = 0.5f; for (int i = 0; i < n; i++) { int k = (int)(i * s); a[k + 1 < n ? k + 1 : n - 1] = 0; }": "n",
    "int rows = n * 2; for (int i = 0; i < rows; i++) a[i] = 0;": "2 * n",
    "for (int i = 0; i < n - m + 1; i++) for (int k = 0; k < m; k++) a[i + k] = 0;": "n",
    "int best = 0; for (int i = 1; i < n; i++) if (a[i] > a[best]) best = i;": "n",
    "for (int i = 0; i < n; i++) a[p[i]] = 0;": "?",
    "for (int i = 0; i < n; i++) for (int k = p[i]; k < p[i + 1]; k++) a[k] = 0;": "?",
}


@pytest.mark.parametrize("body", CASES)
def test_extent(body: str) -> None:
    assert extents(body)["a"] == CASES[body]


# What conditions ask, through variables too, tells more than the loops around, which go on behind the array.
ASKED = {
    "for (int i = 0; i < m; i++) b[i] = i < n ? a[i] : 0;": "n",
    "for (int i = 0; i < m; i++) { int s = i - 2, in = s >= 0 && s < n; b[i] = in ? a[s] : 0; }": "n",
    "for (int i = 0; i < m; i++) { int in = i < n; if (in) a[i] = 0; }": "n",
    "for (int i = 0; i < m; i++) { int in = i < n; if (in != 0) a[i] = 0; }": "n",
    "for (int i = 0; i < m; i++) { int out = i >= n; if (!out) a[i] = 0; }": "n",
    "for (int i = 0; i < m; i++) { int out = i >= n; if (out == 0) a[i] = 0; }": "n",
    "for (int i = 0; i < m; i++) { int out = i >= n; if (out) continue; a[i] = 0; }": "n",
    "for (int i = 0; i < m; i++) { int at = i + 1; int in; in = at < n; if (in && b[i] > 0) a[at] = 0; }": "n",
    "for (int i = 0; i < m; i++) { if (i >= n) { b[i] = 0; continue; } b[i] = a[i]; }": "n",
    "for (int i = 0; i < m; i++) if (i < n) b[i] = a[i]; for (int i = 0; i < m; i++) a[i] = 0;": "m",
    # The variable is given something else, or what it is made of is, or that was in another iteration.
    "for (int i = 0; i < m; i++) { int in = i < n; in = 1; if (in) a[i] = 0; }": "m",
    "for (int i = 0; i < m; i++) { int k = i, in = k < n; k = k + 1; if (in) a[i] = 0; }": "m",
    "int in = 0; for (int i = 0; i < m; i++) { if (in) a[i] = 0; in = i < n; }": "m",
    "for (int i = 0; i < n; i++) { int in = i < 4; b[i] = in; } int in = 1; if (in) a[n] = 0;": "n + 1",
}


@pytest.mark.parametrize("body", ASKED)
def test_what_conditions_ask(body: str) -> None:
    assert extents(body)["a"] == ASKED[body]


def test_positions_of_rows_have_one_more() -> None:
    found = extents("for (int i = 0; i < n; i++) for (int k = p[i]; k < p[i + 1]; k++) a[k] = 0;")
    assert found["p"] == "n + 1"
    assert found["b"] == "?"  # no element of it is named


def test_sizes_that_nothing_orders_are_not_joined() -> None:
    assert extents("for (int i = 0; i < n; i++) a[i] = 0; for (int i = 0; i < m; i++) a[i] = 1;")["a"] == "?"


def test_data_that_pick_elements_of_rows_are_told() -> None:
    text = "void f(int n, int m, float *a, int *p)\n{ for (int i = 0; i < n; i++) a[i * m + p[i]] = a[i * m]; }\n"
    parsed = Parsed(SourceFile("t.c", text), FrontendOptions())
    function = text_of(parsed, definition(parsed, "f"))
    assert extents_of(parsed, function, ("a",), frozenset(("n", "m")))["a"].picked == (("p[i]", "m"),)


CLAMPS = {
    "if (i < 0) return 0; if (i >= n) return n - 1; return i;": "n",
    "if (i < 0) { return 0; } else return i < n ? i : n - 1;": "n",
    "return i < 0 ? 0 : i >= n ? n - 1 : i;": "n",
    "if (i < 0) return 0; return i;": "n + 2",
    "i++; if (i >= n) return n - 1; return i;": "?",
    "if (i >= n) return at(n - 1, n); return i;": "?",
}


@pytest.mark.parametrize("body", CLAMPS)
def test_helpers_that_choose_a_subscript(body: str) -> None:
    text = f"int at(int i, int n) {{ {body} }}\nvoid f(int n, float *a) {{ "
    text += "for (int i = 0; i < n; i++) for (int k = -2; k <= 2; k++) a[at(i + k, n)] = 0; }\n"
    parsed = Parsed(SourceFile("t.c", text), FrontendOptions())
    found = extents_of(parsed, text_of(parsed, definition(parsed, "f")), ("a",), frozenset({"n"}))["a"]
    assert ("?" if found.size is None else spelled(found.size)) == CLAMPS[body]
