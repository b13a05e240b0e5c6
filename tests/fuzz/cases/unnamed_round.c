// seed 1001092
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
void f1001092(int n, int m, long long q, int z, int A[static const restrict n][m], int B[static const restrict n], int C[static const restrict m], double D[static const restrict n][m], double E[static const restrict n], unsigned U[static const restrict n][m], long long L[static const restrict m], Point P[static const restrict n], double H[static const restrict 40], int G[static const restrict 40], const int start[static const restrict n + 1], const int col[static const restrict z], float F[static const restrict n][m], const Point Q[static const restrict n][m])
{
#pragma scop
    __pencil_assume(n > 0);
    if (n % 2 == 0) {
        for (int i1 = 0; i1 < n; i1++) {
            if (i1 != 1)
                B[i1] = (m > 0 ? C[0] % 50 : 0) + i1;
            for (int j2 = 0; j2 < m; j2++)
                C[j2] = C[j2] % 50 * 3 + B[i1] % 50;
        }
    }
    for (int t3 = 0; t3 < min(n, 3); t3++) {
        for (int k4 = 0; k4 < m; k4++)
            __pencil_reduction_var_init(&C[k4], ihigh);
        for (unsigned i5 = 0; i5 < n; i5 += 3)
            for (int i6 = 0; i6 <= m - 1; i6++) {
                if (i5 == 0) {
                    __pencil_reduction(&C[i6], A[i5][i6] % 100 + ((int)i5 & 3), iminimum);
                }
            }
        for (int i7 = 1; i7 < n - 1; i7++) {
            {
            int r9;
            __pencil_reduction_var_init(&r9, izero);
            for (int i8 = m - 1; i8 >= 0; i8--) {
                __pencil_reduction(&r9, B[clamp(i8 + 0, 0, n - 1)] % 27, ixor);
            }
            B[i7] = r9 % 1000 + -4;
            }
        }
    }
    if (n > 0) E[0] = 1;
    for (int i10 = 1; i10 < n - 1; i10++) {
        E[i10] = E[clamp(i10 + 1, 0, n - 1)] * 0.5 + (i10 > 2 ? 1 : -1);
    }
    if (n > 1) E[n - 1] = 2;
#pragma endscop
}
