// sizes: n=0,1,2,3,35 m=0,1,34
// All iterations wait for few of them alone: those on a row, a column, or at one end.
#include <pencil.h>

void constants(int n, int a[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = (a[i] + a[0]) % 100;
#pragma endscop
}

void middle(int n, int m, int a[static const restrict n]) {
    __pencil_assume(m >= 0 && m < n);
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] % 100 + a[m] % 100;
#pragma endscop
}

void last(int n, int a[static const restrict n][n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[n - 1][j] % 50 + a[i][n - 1] % 50 + i;
#pragma endscop
}

void diagonal(int n, int a[static const restrict n][n]) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            a[i][k] = a[i][k] % 50 + a[k][k] % 50;
#pragma endscop
}

void with_next(int n, int d[static const restrict n][n], int next[static const restrict n][n]) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (d[i][k] % 1000 + d[k][j] % 1000 < d[i][j]) {
                    d[i][j] = d[i][k] % 1000 + d[k][j] % 1000;
                    next[i][j] = next[i][k];
                }
#pragma endscop
}

void reach(int n, _Bool r[static const restrict n][n]) {
    int i, j, k;
#pragma scop
    for (k = 0; k < n; k++)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++)
                r[i][j] = r[i][j] || (r[i][k] && r[k][j]);
#pragma endscop
}

void pivots(int n, int a[static const restrict n][n]) {
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            if (i != k)
                for (int j = 0; j < n; j++)
                    a[i][j] = (a[i][j] - a[i][k] % 10 * (a[k][j] % 10)) % 1000;
#pragma endscop
}
