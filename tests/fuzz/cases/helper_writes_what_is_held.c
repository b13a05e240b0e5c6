// seed 0
// A helper that is given an array writes to memory: the values of the row that a register holds would be stored over it.
#include <pencil.h>
static int add(int a, int b) { return a + b; }
static void zero(int *v) { *v = 0; }
static void put(int n, int b[static const restrict n], int p, int x)
{
    if (p < 0 || p >= n)
        return;
    b[p] = x;
}
int f(int n, const int a[static const restrict n], int b[static const restrict n])
{
    int s;
#pragma scop
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) {
        b[i] = a[i] % 9;
        __pencil_reduction(&s, b[i] % 50, add);
    }
    for (int i = 0; i < n; i++)
        b[i] = b[i] + s % 7;
#pragma pencil independent
    for (int i = 0; i < n; i += 3)
        put(n, b, i, i % 7);
#pragma endscop
    return s;
}
void rows(int n, int m, const int a[static const restrict n][m], int b[static const restrict n][m], int c[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int s;
        __pencil_reduction_var_init(&s, zero);
        for (int j = 0; j < m; j++) {
            b[i][j] = a[i][j] % 9;
            __pencil_reduction(&s, b[i][j] % 50, add);
        }
        c[i] = s;
#pragma pencil independent
        for (int j = 0; j < m; j++)
            put(m, b[i], j, s % 5);
    }
#pragma endscop
}
