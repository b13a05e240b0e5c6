// Reductions of structs that nothing comes of, and locals that take what a call returns: nvcc warned of the elements.
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
static int set_first(int n, int a[static const restrict n])
{
    if (n < 1)
        return 5;
    a[0] = 3;
    return a[0] % 9;
}
void f(int n, int m, int q, int A[static const restrict n][m], const int B[static const restrict n], int C[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)
        A[i][j] = A[i][j] % 10 + i;
    if (q > 3) {
        Bulk s;
        __pencil_reduction_var_init(&s, bulk_zero);
        for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
            int x = A[i][j] % 20 + B[i] % 50;
            Bulk e = bulk_of(x + 1, j);
            __pencil_reduction(&s, e, bulk_add);
        }
        int w = s.part[5] % 1000;
    }
    int kept = set_first(n, C);
    for (int i = 1; i < n; i++)
        C[i] = C[i] % 100 + kept;
#pragma endscop
}
