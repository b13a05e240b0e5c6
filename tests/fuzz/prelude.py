"""What every generated program begins with, and the `main` of those whose regions stand in host code."""

from __future__ import annotations

PRELUDE = """#include <math.h>
#include <pencil.h>
static int icut(int x, int n) { return x < 0 ? 0 : x >= n ? n - 1 : x; }
static void izero(int *v) { *v = 0; }
static void iall(int *v) { *v = -1; }
static void ilow(int *v) { *v = -2147483647 - 1; }
static void ihigh(int *v) { *v = 2147483647; }
static void uzero(unsigned *v) { *v = 0; }
static void uone(unsigned *v) { *v = 1; }
static void lzero(long long *v) { *v = 0; }
static void dzero(double *v) { *v = 0; }
static void fzero(float *v) { *v = 0; }
static void dlow(double *v) { *v = -1e300; }
static void dhigh(double *v) { *v = 1e300; }
static int iadd(int a, int b) { return a + b; }
static int imaximum(int a, int b) { return a > b ? a : b; }
static int iminimum(int a, int b) { return b < a ? b : a; }
static int iand(int a, int b) { return a & b; }
static int ior(int a, int b) { return a | b; }
static int ixor(int a, int b) { return a ^ b; }
static unsigned uadd(unsigned a, unsigned b) { return a + b; }
static unsigned umul(unsigned a, unsigned b) { return a * b; }
static long long ladd(long long a, long long b) { return a + b; }
static double dadd(double a, double b) { return a + b; }
static float fadd(float a, float b) { return a + b; }
static double dmaximum(double a, double b) { return a > b ? a : b; }
static double dminimum(double a, double b) { return a < b ? a : b; }
static int igcd(int a, int b)
{
    while (b != 0) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a < 0 ? -a : a;
}
typedef struct { int low, high, count; } Range;
static void nothing(Range *r) { r->low = 2147483647; r->high = -2147483647 - 1; r->count = 0; }
static Range join(Range a, Range b)
{
    Range r = { a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, a.count + b.count };
    return r;
}
static Range only(int x) { Range r = { x, x, 1 }; return r; }
typedef struct { double high[6]; long long sum; int count; } Wide;
static void wide_nothing(Wide *v)
{
    for (int k = 0; k < 6; k++)
        v->high[k] = -1e300;
    v->sum = 0;
    v->count = 0;
}
static Wide wide_join(Wide a, Wide b)
{
    Wide r;
    for (int k = 0; k < 6; k++)
        r.high[k] = a.high[k] > b.high[k] ? a.high[k] : b.high[k];
    r.sum = a.sum + b.sum;
    r.count = a.count + b.count;
    return r;
}
static Wide wide_of(int x)
{
    Wide r = { .sum = x, .count = 1 };
    for (int k = 0; k < 6; k++)
        r.high[k] = x % (k + 7);
    return r;
}
typedef struct { int part[30]; } Bulk;
static void bulk_zero(Bulk *v)
{
    for (int k = 0; k < 30; k++)
        v->part[k] = 0;
}
static Bulk bulk_add(Bulk a, Bulk b)
{
    for (int k = 0; k < 30; k++)
        a.part[k] += b.part[k];
    return a;
}
static Bulk bulk_of(int x, int k)
{
    Bulk r;
    bulk_zero(&r);
    r.part[(k & 63) % 30] = x;
    return r;
}
typedef struct { int v[4]; short k; double w; } Point;
static int element(int n, int a[static const restrict n], int p) { return p < 0 || p >= n ? 0 : a[p]; }
static int first(int n, const int a[static const restrict n])
{
    if (n < 1)
        return 5;
    return a[0] % 9;
}
static int sign(int x)
{
    if (x < 0)
        return -1;
    if (x == 0)
        return 0;
    return 1;
}
static double weight(Point *p) { return p->w * 0.5 + p->v[1] % 5; }
static int of_point(const Point p, int k) { return p.v[k & 3] % 11 + p.k % 3; }
static void put(int n, int b[static const restrict n], int p, int x)
{
    if (p < 0 || p >= n)
        return;
    b[p] = x;
}
static int folded(int n, const int a[static const restrict n], int h)
{
    int s = 0;
    while (h > 0) {
        h = h / 2;
        s += a[h] % 20;
    }
    n = n > 3 ? 3 : n;
    for (int i = 0; i < n; i++)
        s += a[i] % 10 + h;
    return s;
}
static int steps(int v)
{
    int s = 0;
    while (v) {
        v &= v - 1;
        s++;
    }
    return s;
}
static int narrowed(int n, int m, int a[static const restrict n][m], int r)
{
    int s = 0;
    m = m / 2;
    for (int j = 0; j < m; j++)
        s += a[r][j] % 50;
    if (n > 1)
        n--;
    return s + (m > 0 ? a[n - 1][m - 1] % 9 : n);
}
"""
INT_OPERATORS = (
    ("iadd", "izero"), ("imaximum", "ilow"), ("iminimum", "ihigh"), ("iand", "iall"), ("ior", "izero"),
    ("ixor", "izero"), ("igcd", "izero"),
)  # fmt: skip
UNSIGNED_OPERATORS = (("uadd", "uzero"), ("umul", "uone"))
DOUBLE_OPERATORS = (("dadd", "dzero"), ("dmaximum", "dlow"), ("dminimum", "dhigh"))
COUNTERS = ("int", "int", "int", "long", "long long", "unsigned", "short", "unsigned char", "unsigned long")
PARAMETERS = (
    "int n", "int m", "long long q", "int z", "int A[static const restrict n][m]", "int B[static const restrict n]",
    "int C[static const restrict m]", "double D[static const restrict n][m]", "double E[static const restrict n]",
    "unsigned U[static const restrict n][m]", "long long L[static const restrict m]",
    "Point P[static const restrict n]", "double H[static const restrict 40]", "int G[static const restrict 40]",
    "const int start[static const restrict n + 1]", "const int col[static const restrict z]",
    "float F[static const restrict n][m]", "const Point Q[static const restrict n][m]",
)  # fmt: skip
# A helper with external linkage: the host calls it too.
EXTERNAL = "int tripled(int x) { return 3 * x; }\n"
MAIN = """int main(void)
{
    enum { n = 33, m = 40, z = 50 };
    static int A[n][m], B[n], C[m], G[40], start[n + 1], col[z];
    static double D[n][m], E[n], H[40];
    static unsigned U[n][m];
    static long long L[m];
    static Point P[n], Q[n][m];
    static float F[n][m];
    long long whole = tripled(14);
    double real = 0;
    for (int i = 0; i < n; i++) {
        B[i] = i * 7 % 23 - 5;
        E[i] = i * 0.5;
        start[i] = i;
        P[i].v[i & 3] = i;
        P[i].k = (short)(i % 7);
        P[i].w = i * 0.25;
        for (int j = 0; j < m; j++) {
            A[i][j] = (i * 5 + j * 3) % 17 - 8;
            D[i][j] = A[i][j] * 0.125;
            F[i][j] = (float)(i - j);
            U[i][j] = (unsigned)(i + j);
            Q[i][j].v[j & 3] = i + j;
        }
    }
    start[n] = n;
    for (int j = 0; j < m; j++) {
        C[j] = j % 9 - 4;
        L[j] = j * 11;
    }
    for (int k = 0; k < z; k++)
        col[k] = k * 3 % 40;
CALLS
    for (int i = 0; i < n; i++) {
        whole += 3 * B[i] + P[i].v[1];
        real += E[i] + P[i].w;
        for (int j = 0; j < m; j++) {
            whole = whole * 31 % 1000003 + A[i][j] + U[i][j] % 1000;
            real += D[i][j] + F[i][j];
        }
    }
    for (int k = 0; k < 40; k++) {
        whole = whole * 31 % 1000003 + C[k] + L[k] % 1000 + G[k];
        real += H[k];
        printf("%d %.5g\\n", G[k], H[k]);
    }
    printf("%lld %.5g\\n", whole, real);
    return 0;
}
"""
ARGUMENTS = "n, m, 50, z, A, B, C, D, E, U, L, P, H, G, start, col, F, (const Point (*)[m])Q"


def with_main(functions: str, called: list[str]) -> str:
    """`functions` as a whole program whose `main` calls those in `called`."""
    calls = "\n".join(f"    {name}({ARGUMENTS});" for name in called)
    return f"#include <stdio.h>\n{PRELUDE}{EXTERNAL}{functions}{MAIN.replace('CALLS', calls)}"
