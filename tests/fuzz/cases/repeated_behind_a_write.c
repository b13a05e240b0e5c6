// seed 1202760
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
void f1202762(int n, int m, long long q, int z, int A[static const restrict n][m], int B[static const restrict n], int C[static const restrict m], double D[static const restrict n][m], double E[static const restrict n], unsigned U[static const restrict n][m], long long L[static const restrict m], Point P[static const restrict n], double H[static const restrict 40], int G[static const restrict 40], const int start[static const restrict n + 1], const int col[static const restrict z], float F[static const restrict n][m], const Point Q[static const restrict n][m])
{
#pragma scop
    __pencil_assume(n > 0);
    for (int i4 = 0; i4 < n; i4++) {
        int y10 = B[i4] % 50;
        Bulk s1;
        __pencil_reduction_var_init(&s1, bulk_zero);
        Wide s2;
        __pencil_reduction_var_init(&s2, wide_nothing);
        Wide s3;
        __pencil_reduction_var_init(&s3, wide_nothing);
        for (int j5 = 0; j5 < m; j5++) {
            int x7 = A[i4][j5] % 20 + B[i4] % 50;
            Bulk e9 = bulk_of((x7 + 1), (int)j5);
            __pencil_reduction(&s1, e9, bulk_add);
            __pencil_reduction(&s2, wide_of((x7 + 0)), wide_join);
            __pencil_reduction(&s3, wide_of((x7 + 0)), wide_join);
        }
        int w8 = s1.part[5 % 30] % 1000 + (int)(s2.sum % 1000) + s2.count + (int)(s3.sum % 1000) + s3.count + y10;
        for (int k6 = 0; k6 < m; k6++)
            A[i4][k6] = A[i4][k6] % 10 + w8 % 100;
        B[i4] = w8 % 1000 + y10;
    }
    for (int i21 = 0; i21 < n; i21++) {
        int y28 = B[i21] % 50;
        Bulk s17;
        __pencil_reduction_var_init(&s17, bulk_zero);
        Wide s18;
        __pencil_reduction_var_init(&s18, wide_nothing);
        Bulk s19;
        __pencil_reduction_var_init(&s19, bulk_zero);
        Bulk s20;
        __pencil_reduction_var_init(&s20, bulk_zero);
        for (int j22 = 0; j22 < m; j22++) {
            int x24 = A[i21][j22] % 20 + (int)(P[i21].k % 9);
            __pencil_reduction(&s17, bulk_of((x24 + 3), (int)j22), bulk_add);
            __pencil_reduction(&s18, wide_of((x24 + 0)), wide_join);
            Bulk e26 = bulk_of((x24 + 0), (int)j22);
            __pencil_reduction(&s19, e26, bulk_add);
            Bulk e27 = bulk_of((x24 + 2), (int)j22);
            __pencil_reduction(&s20, e27, bulk_add);
        }
        int w25 = s17.part[5 % 30] % 1000 + (int)(s18.sum % 1000) + s18.count + s19.part[5 % 30] % 1000 + s20.part[5 % 30] % 1000 + y28;
        B[i21] = w25 % 1000 + y28;
    }
#pragma endscop
}
