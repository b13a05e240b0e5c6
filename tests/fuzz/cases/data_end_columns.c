// seed 1001094
// Where the rows end is data, so that their columns are those of `c`: all of them are initialised.
#include <pencil.h>
static int add(int a, int b) { return a + b; }
static void zero(int *v) { *v = 0; }
typedef struct { int v[4]; } Point;
void wide(int n, int m, long long q, const int a[static const restrict n][m], int c[static const restrict m])
{
#pragma scop
    for (int k = 0; k < m; k++)
        __pencil_reduction_var_init(&c[k], zero);
    for (int i = 0; i < n; i++)
        for (unsigned long j = 0; j < min(q, m); j++)
            if (j != 3)
                __pencil_reduction(&c[j], a[i][j], add);
#pragma endscop
}
void stepped(int n, int m, long long q, const int a[static const restrict n][m], int c[static const restrict m])
{
#pragma scop
    for (int k = 0; k < m; k++)
        __pencil_reduction_var_init(&c[k], zero);
    for (int i = 0; i < n; i++)
        for (unsigned j = 0; j < min(q, m); j += 3)
            __pencil_reduction(&c[j], a[i][j], add);
#pragma endscop
}
void ragged(int n, int m, const int start[static const restrict n + 1], const int col[static const restrict 50], int c[static const restrict 50])
{
#pragma scop
    for (int k = 0; k < 50; k++)
        __pencil_reduction_var_init(&c[k], zero);
    for (int i = 0; i < n; i++)
        for (int j = start[i]; j < start[i + 1]; j++)
            __pencil_reduction(&c[j], col[j] % 100, add);
#pragma endscop
}
void members(int n, const int b[static const restrict n], Point p[static const restrict n])
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int x = 0; x < 4; x++)
            __pencil_reduction_var_init(&p[k].v[x], zero);
    for (int i = 0; i < n; i++)
        for (int j = 3; j > (b[i] & 3); j--)
            __pencil_reduction(&p[i].v[j], b[i] % 100 + j, add);
#pragma endscop
}
void guarded(int n, const int b[static const restrict n], int c[static const restrict 40])
{
#pragma scop
    for (int k = 0; k < 40; k++)
        __pencil_reduction_var_init(&c[k], zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 80; j++)
            if (j < (b[i] & 31))
                __pencil_reduction(&c[j], b[i] % 100, add);
#pragma endscop
}
