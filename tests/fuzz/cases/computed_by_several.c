// Scalars that several kernels compute for themselves, and what follows from the results needs them too.
#include <pencil.h>
typedef struct { int v[15]; } Mid;
static void mz(Mid *b) { for (int i = 0; i < 15; i++) b->v[i] = 0; }
static Mid madd(Mid a, Mid b) { for (int i = 0; i < 15; i++) a.v[i] += b.v[i]; return a; }
static Mid one(int x) { Mid b; for (int i = 0; i < 15; i++) b.v[i] = x % (i + 5); return b; }
void f(int n, int m, const int x[static const restrict n][m], const int p[static const restrict n], int y[static const restrict n][m], int w[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = p[i] % 7;
        int l = k + 1;
        Mid b0; __pencil_reduction_var_init(&b0, mz);
        Mid b1; __pencil_reduction_var_init(&b1, mz);
        Mid b2; __pencil_reduction_var_init(&b2, mz);
        Mid b3; __pencil_reduction_var_init(&b3, mz);
        Mid b4; __pencil_reduction_var_init(&b4, mz);
        Mid b5; __pencil_reduction_var_init(&b5, mz);
        Mid b6; __pencil_reduction_var_init(&b6, mz);
        Mid b7; __pencil_reduction_var_init(&b7, mz);
        for (int j = 0; j < m; j++) {
            __pencil_reduction(&b0, one(x[i][j] * k + 0), madd);
            __pencil_reduction(&b1, one(x[i][j] * k + 1), madd);
            __pencil_reduction(&b2, one(x[i][j] * k + 2), madd);
            __pencil_reduction(&b3, one(x[i][j] * k + 3), madd);
            __pencil_reduction(&b4, one(x[i][j] * k + 4), madd);
            __pencil_reduction(&b5, one(x[i][j] * k + 5), madd);
            __pencil_reduction(&b6, one(x[i][j] * k + 6), madd);
            __pencil_reduction(&b7, one(x[i][j] * k + 7), madd);
        }
        w[i] = l + b0.v[0] + b1.v[1] + b2.v[2] + b3.v[3] + b4.v[4] + b5.v[5] + b6.v[6] + b7.v[7];
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][j] + b3.v[3] + b5.v[5];
    }
#pragma endscop
}
