// seed 1213470
// A condition leaves one column of those that a kernel reads in chunks: its elements are none.
#include <math.h>
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
void f1213470(int n, int m, long long q, int z, int A[static const restrict n][m], int B[static const restrict n], int C[static const restrict m], double D[static const restrict n][m], double E[static const restrict n], unsigned U[static const restrict n][m], long long L[static const restrict m], Point P[static const restrict n], double H[static const restrict 40], int G[static const restrict 40], const int start[static const restrict n + 1], const int col[static const restrict z], float F[static const restrict n][m], const Point Q[static const restrict n][m])
{
#pragma scop
    __pencil_assume(m > 0);
    double t3;
    for (int i1 = 0; i1 < m; i1 += 5)
        for (int i2 = 1; i2 < n - 1; i2++) {
            {
            t3 = D[i2 / 2][icut(i1 * 2, m)] * 0.5 + i1;
            D[i2][i1] = t3 + t3;
            }
        }
    for (int k6 = 0; k6 < min(n, m); k6++)
        for (int j5 = 0; j5 < m; j5++)
            for (int i4 = 0; i4 < n; i4++)
                A[i4][j5] = A[i4][j5] % 50 + A[k6][j5] % 50;
    for (int k7 = 0; k7 < m; k7++)
        __pencil_reduction_var_init(&C[k7], izero);
    for (int i9 = 3; i9 < m; i9++)
        for (int i8 = 1; i8 < n - 1; i8++) {
            if (i9 == 3) {
                __pencil_reduction(&C[i9], A[i8][i9] % 100 + (i9 > 2 ? 1 : -1), ior);
            }
        }
    __pencil_kill(C);
    for (int i10 = 0; i10 < m; i10++)
        C[m - 1 - i10] = i10 % 7;
    for (long long j13 = 0; j13 < (long long)m; j13++)
        __pencil_reduction_var_init(&C[j13], izero);
    for (int i12 = 0; i12 < n; i12++)
        for (int i11 = 0; i11 <= (int)(long long)m - 1; i11++)
            __pencil_reduction(&C[i11], A[i12][i11] % 50, iadd);
#pragma endscop
}
