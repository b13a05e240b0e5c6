// Loops on the host whose iterations share a launch: fronts, several kernels, parts of one launch, loops inside, rows in
// three directions, one thread between others; and a loop around one that has reductions.
// sizes: n=0,1,5,33 m=0,3,34
#include <pencil.h>

static void zero(int *x) { *x = 0; }
static int add(int a, int b) { return a + b; }
#define WRAP(x) ((x) % 1000)

// Fronts of two rows: one kernel, one loop.
void table(int n, int m, int c[static const restrict n][m], const int a[static const restrict n],
           const int b[static const restrict m])
{
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            c[i][j] = a[i] == b[j] ? WRAP(c[i - 1][j - 1] + 1) : max(c[i - 1][j], c[i][j - 1]);
#pragma endscop
}

// One thread sets what all others read, in each iteration.
void solve(int n, int x[static const restrict n], const int l[static const restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = WRAP(x[i] * 3 + 1);
        for (int j = i + 1; j < n; j++)
            x[j] = WRAP(x[j] - l[j][i] * x[i]);
    }
#pragma endscop
}

// Two loops around, and parts that do not depend on each other.
void rounds(int n, int m, int a[static const restrict n][m], int b[static const restrict n][m],
            int e[static const restrict n])
{
#pragma scop
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++)
            e[i] = WRAP(e[i] + t);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                b[i][j] = WRAP(a[i][m - 1 - j] + t);
        for (int k = 0; k < 2; k++) {
            for (int i = 1; i < n; i++)
                for (int j = 0; j < m; j++)
                    a[i][j] = WRAP(b[i - 1][j] + e[i] + k);
            for (int i = 1; i < n; i++)
                for (int j = 0; j < m; j++)
                    b[i][j] = WRAP(a[n - i][j] - k);
        }
    }
#pragma endscop
}

// Points in three directions.
void cube(int n, int m, int a[static const restrict n][m][n], int b[static const restrict n][m][n])
{
#pragma scop
    for (int t = 0; t < 2; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                for (int k = 1; k < n - 1; k++)
                    b[i][j][k] = WRAP(a[i - 1][j][k] + a[i + 1][m - 1 - j][k + 1] + a[i][j][k - 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                for (int k = 1; k < n - 1; k++)
                    a[i][j][k] = WRAP(b[i][j][k] + t);
    }
#pragma endscop
}

// The outer loop has a sum, which stays a launch of its own; the inner one is a launch in each iteration.
void around(int n, int m, int a[static const restrict n], int s[static const restrict m])
{
#pragma scop
    for (int t = 0; t < m; t++) {
        __pencil_reduction_var_init(&s[t], zero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&s[t], a[i], add);
        for (int k = 1; k < n; k++)
            for (int i = k; i < n; i++)
                a[i] = WRAP(a[i] + a[k - 1] + s[t]);
    }
#pragma endscop
}
