// seed 1001092
// A row of the whole grid whose stages reduce nothing: no thread waits for another.
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
void f1001095(int n, int m, long long q, int z, int A[static const restrict n][m], int B[static const restrict n], int C[static const restrict m], double D[static const restrict n][m], double E[static const restrict n], unsigned U[static const restrict n][m], long long L[static const restrict m], Point P[static const restrict n], double H[static const restrict 40], int G[static const restrict 40], const int start[static const restrict n + 1], const int col[static const restrict z], float F[static const restrict n][m], const Point Q[static const restrict n][m])
{
#pragma scop
    __pencil_assume(m > 0);
    __pencil_assume(n > 0);
    int t1[n];
    for (int i2 = 0; i2 < n; i2++) t1[i2] = (int)(P[i2].k % 9);
    for (int i3 = 0; i3 < n; i3++) G[i3 % 40] = t1[n - 1 - i3] % 77;
    for (int i5 = 0; i5 < n; i5++) t1[i5] = B[i5] % 50;
    for (int i6 = 0; i6 < n; i6++) E[i6] = t1[n - 1 - i6] % 77;
    for (int i7 = 0; i7 < n; i7++) t1[i7] = i7;
    int s8;
    __pencil_reduction_var_init(&s8, izero);
    for (int i9 = 0; i9 < (long long)n; i9++)
        for (short i10 = 0; i10 < min(m, 100); i10++) {
            {
            __pencil_reduction(&s8, C[icut(i10 * 2, m)] % 47 - B[clamp(i10 - 2, 0, n - 1)] % 22, iadd);
            __pencil_reduction(&s8, A[n - 1 - i9][clamp(i9 + 2, 0, m - 1)] % 6 - 4, iadd);
            }
        }
    for (int i11 = 3; i11 < n; i11++) {
        if (i11 % 3 == 1) {
            __pencil_reduction(&s8, P[i11].v[2] % 47, iadd);
        }
    }
    double t12[n], s13;
    for (int i14 = 0; i14 < n; i14++) t12[i14] = B[i14] % 50 * 0.25;
    __pencil_reduction_var_init(&s13, dlow);
    for (int j15 = 0; j15 < n; j15++) __pencil_reduction(&s13, t12[j15], dmaximum);
    for (int k16 = 0; k16 < n; k16++) { t12[k16] = s13; E[k16] = t12[k16]; }
    double w17[40000];
    for (int k19 = 0; k19 < 40000; k19++)
        __pencil_reduction_var_init(&w17[k19], dzero);
    for (int i18 = 0; i18 < n; i18++)
        __pencil_reduction(&w17[i18 * 977 % 40000], P[i18].v[2] % 50 * 0.5, dmaximum);
    for (int i18 = 0; i18 < n; i18++) E[i18] = w17[i18 * 977 % 40000];
    if (n > 0) {
        B[0] = B[0] % 1000 + s8 % 1000;
    }
#pragma endscop
}
