"""The greatest with its place, as people write it, and a program for each way."""

from __future__ import annotations

# Of equal values the first place; each a function of `a` and `b`.
FORMS = {
    "whole": "return a.v > b.v || (a.v == b.v && a.at < b.at) ? a : b;",
    "taken": "return b.v > a.v || (b.v == a.v && b.at < a.at) ? b : a;",
    "ifs": "if (a.v > b.v || (a.v == b.v && a.at < b.at)) return a; return b;",
    "three": "if (a.v > b.v) return a; if (b.v > a.v) return b; return a.at < b.at ? a : b;",
    "nested": "return a.v > b.v ? a : a.v < b.v ? b : a.at < b.at ? a : b;",
    "equal": "if (a.v == b.v) { if (a.at < b.at) return a; else return b; } if (a.v > b.v) { return a; } return b;",
    "members": "if (b.v > a.v) { a.v = b.v; a.at = b.at; } else if (b.v == a.v && b.at < a.at) a.at = b.at; return a;",
    "chain": "if (b.v > a.v) a = b; else if (b.v == a.v && b.at < a.at) a = b; return a;",
    "built": "a.at = a.v > b.v || (a.v == b.v && a.at < b.at) ? a.at : b.at; a.v = a.v > b.v ? a.v : b.v; return a;",
    "local": "G r = a; if (b.v > a.v || (b.v == a.v && b.at < a.at)) r = b; return r;",
}
HEAD = """#include <limits.h>
#include <pencil.h>
typedef struct { float v; int at; } G;
static void none(G *g) { g->v = -1.0f; g->at = INT_MAX; }
"""
# Of an array, and of the coordinates in which two points differ most.
FORM = """
static G choose_NAME(G a, G b) { BODY }
void greatest_NAME(int n, const float x[static const restrict n], G out[static const restrict 1]) {
#pragma scop
    G s;
    __pencil_reduction_var_init(&s, none);
    for (int k = 0; k < n; k++) {
        G g = { x[k], k };
        __pencil_reduction(&s, g, choose_NAME);
    }
    out[0] = s;
#pragma endscop
}
void axes_NAME(int m, int q, int p, const float x[static const restrict m][p],
               const float y[static const restrict q][p], G r[static const restrict m][q]) {
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < q; j++) {
            __pencil_reduction_var_init(&r[i][j], none);
            for (int k = 0; k < p; k++) {
                G g = { x[i][k] > y[j][k] ? x[i][k] - y[j][k] : y[j][k] - x[i][k], k };
                __pencil_reduction(&r[i][j], g, choose_NAME);
            }
        }
#pragma endscop
}
"""


def program(*forms: str) -> str:
    """The functions `greatest_FORM` and `axes_FORM` for each of the forms."""
    return HEAD + "".join(FORM.replace("NAME", name).replace("BODY", FORMS[name]) for name in forms)
