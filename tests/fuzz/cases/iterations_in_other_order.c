// seed 1000064
// Variables of an iteration in loops that run backwards: a thread does the iterations in the other order.
#include <pencil.h>
static void high(int *v) { *v = 1 << 30; }
static int minimum(int a, int b) { return a < b ? a : b; }
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

// A scalar in front of the loops.
void scalar(int n, int m, int q, const int b[static const restrict n], int a[static const restrict n][m], int c[static const restrict m])
{
#pragma scop
    int t;
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < min(n, m); j++) {
            t = b[i / 2];
            a[i][j] = t + t;
        }
    if (q > 3) {
        for (int j = 0; j < m; j++)
            __pencil_reduction_var_init(&c[j], high);
        for (int j = 0; j < m; j++)
            for (int i = 1; i < n - 1; i++)
                __pencil_reduction(&c[j], a[i][j], minimum);
    }
#pragma endscop
}

// The same with two variables, of which one is a small array, inside of the loops.
void inside(int n, int m, int q, const int b[static const restrict n], int a[static const restrict n][m], int c[static const restrict m])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < min(n, m); j++) {
            int t[2] = {b[i / 2], b[i] + j}, u = t[0] * t[1];
            a[i][j] = t[0] + u;
        }
    if (q > 3) {
        for (int j = 0; j < m; j++)
            __pencil_reduction_var_init(&c[j], zero);
        for (int j = 0; j < m; j++)
            for (int i = 1; i < n - 1; i++)
                __pencil_reduction(&c[j], a[i][j], add);
    }
#pragma endscop
}

// Both loops run backwards, with strides.
void strided(int n, int m, int q, const int b[static const restrict n], int a[static const restrict n][m], int c[static const restrict m])
{
#pragma scop
    int t;
    for (int i = n - 1; i >= 0; i -= 2)
        for (int j = min(n, m) - 1; j >= 0; j -= 3) {
            t = b[i] + j;
            if (t > 4) t = t - 3;
            a[i][j] = t + t;
        }
    if (q > 3) {
        for (int j = 0; j < m; j++)
            __pencil_reduction_var_init(&c[j], high);
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++)
                __pencil_reduction(&c[j], a[i][j], minimum);
    }
#pragma endscop
}

// One of a helper.
static int twice(int x) { int y = x * 2; return y - 1; }

void helper(int n, int m, int q, const int b[static const restrict n], int a[static const restrict n][m], int c[static const restrict m])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < min(n, m); j++)
            a[i][j] = twice(b[i] + j);
    if (q > 3) {
        for (int j = 0; j < m; j++)
            __pencil_reduction_var_init(&c[j], high);
        for (int j = 0; j < m; j++)
            for (int i = 1; i < n - 1; i++)
                __pencil_reduction(&c[j], a[i][j], minimum);
    }
#pragma endscop
}
