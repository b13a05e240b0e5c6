// seed 214
// Rows of structs beside other kernels in one launch: each number of lanes had shared memory of its own, 94 KB in all.
#include <pencil.h>
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
typedef struct { int low, high, count; } Range;
static void nothing(Range *r) { r->low = 2147483647; r->high = -2147483647 - 1; r->count = 0; }
static Range join(Range a, Range b)
{
    Range r = { a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, a.count + b.count };
    return r;
}
static void izero(int *v) { *v = 0; }
static int iadd(int a, int b) { return a + b; }
typedef struct { int v[4]; short k; double w; } Point;
static Range only(int x) { Range r = { x, x, 1 }; return r; }
void f(int n, int m, int A[static const restrict n][m], int B[static const restrict n], int C[static const restrict m], Point P[static const restrict n])
{
#pragma scop
    __pencil_assume(m > 0);
    for (int i5 = 0; i5 < n; i5++) {
        int y14 = (int)(P[i5].k % 9);
        int s1;
        __pencil_reduction_var_init(&s1, izero);
        Range s2;
        __pencil_reduction_var_init(&s2, nothing);
        Bulk s3;
        __pencil_reduction_var_init(&s3, bulk_zero);
        Range s4;
        __pencil_reduction_var_init(&s4, nothing);
        for (int j6 = 0; j6 < m; j6++) {
            int x8 = A[i5][j6] % 20 + B[i5] % 50;
            int e10 = (x8 + 0);
            __pencil_reduction(&s1, e10, iadd);
            Range e11 = only((x8 + 2));
            __pencil_reduction(&s2, e11, join);
            Bulk e12 = bulk_of((x8 + 0), (int)j6);
            __pencil_reduction(&s3, e12, bulk_add);
            Range e13 = only((x8 + 1));
            __pencil_reduction(&s4, e13, join);
        }
        int w9 = s1 % 1000 + s2.low % 100 + s2.high % 100 + s2.count + s3.part[5 % 30] % 1000 + s4.low % 100 + s4.high % 100 + s4.count + y14;
        B[i5] = w9 % 1000 + y14;
    }
    if (n % 2 == 0) {
        for (short i15 = 0; i15 < min(m, 100); i15++)
            for (int i16 = i15; i16 < m; i16++) {
                if (((((((((((((((i15 == 24 && m <= i15 + 6) && 2 * i15 >= n - 22) && i16 != 1) || 2 * i16 >= n - 21) && i15 % 7 == 1) || i16 < 7) || i15 == 37) && 2 * i16 >= n - 13) && n > 11) && i15 != 35) && i15 % 6 == 1) && m <= i16 + 37) && i15 == 12) || i16 > 23) && i15 == 7)
                    C[i15] = C[clamp(i15 + 1, 0, m - 1)] % 17 + ((i16 + 0) % 2 + (i16 + 1) % 3 + (i16 + 2) % 4);
                else
                    C[i15] = i16;
            }
    }
    for (int i17 = 0; i17 < n; i17++) {
        Bulk s20;
        __pencil_reduction_var_init(&s20, bulk_zero);
        for (int j18 = 0; j18 < m; j18++) {
            Bulk e21 = bulk_of(A[i17][j18] % 50, (int)j18);
            __pencil_reduction(&s20, e21, bulk_add);
        }
        for (int k19 = 0; k19 < m; k19++)
            A[i17][k19] = A[i17][k19] % 10 + s20.part[k19 % 30] % 1000;
    }
#pragma endscop
}
