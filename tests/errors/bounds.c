// Accesses that leave their array whenever they are executed, and some that only may.
#include <pencil.h>

void below(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i - 1]; // warning[PC0405]: access out of bounds: `a[-1]` of `a[n]` // warning[PC0701]: nothing
#pragma endscop
}

void above(int n, int m, float a[static const restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= m; j++)
            a[i][j] = 0; // warning[PC0405]: access out of bounds
#pragma endscop
}

void constant(float a[static const restrict 10])
{
#pragma scop
    for (int i = 0; i <= 10; i++)
        a[i] = 0; // warning[PC0405]: `a[10]` of `a[10]`
#pragma endscop
}

void may_be(int n, int m, float a[static const restrict n], float b[static const restrict n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        a[i] = 0;
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
    for (int i = 0; i < n; i++)
        if (b[i] > 0)
            a[i] = b[i > 0 ? i - 1 : 0];
#pragma endscop
}

void large(double a[static const restrict 65536][65536]) // warning[PC0605]: `a` has 4294967296 elements
{
#pragma scop
    for (int i = 0; i < 65536; i++)
        for (int j = 0; j < 65536; j++)
            a[i][j] = 0;
#pragma endscop
}

void not_large(int n, double a[static const restrict n][65536])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 65536; j++)
            a[i][j] = 0;
#pragma endscop
}

// A condition inside the statement decides whether an access happens at all.
static int element(int n, const int a[n], int i)
{
    return a[i];
}

static int element_or_zero(int n, const int a[n], int i)
{
    if (i < 0 || i >= n)
        return 0;
    return a[i];
}

void short_circuit(int n, const int a[static const restrict n], int o[static const restrict n][6])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        o[i][0] = i > 0 && a[i - 1] > 0;
        o[i][1] = i > 0 ? a[i - 1] : 0;
        o[i][2] = i == n - 1 || a[i + 1] > 0;
        o[i][3] = i < n - 1 ? element(n, a, i + 1) : 0;
        o[i][4] = element_or_zero(n, a, i - 1);
        o[i][5] = a[i - 1] > 0 && a[i] > 0; // warning[PC0405]: `a[-1]` of `a[n]`
    }
#pragma endscop
}
