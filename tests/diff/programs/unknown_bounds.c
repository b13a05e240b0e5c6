// Loops whose bounds the model does not know, around and inside of others; 64-bit and unsigned bounds of int counters.
// sizes: n=0,33 m=0,7 k=0,2
#include <pencil.h>

static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
static void zero_double(double *v) { *v = 0; }
static double add_double(double a, double b) { return a + b; }

int from_the_top(int n, long long m, const int a[static const restrict n][m])
{
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = m - 1; i >= 0; i--)
        for (int j = 0; j < n; j++)
            __pencil_reduction(&s, a[j][i], add);
    return s;
}

void both_counted(int n, long long m, double total[static const restrict m], const float a[static const restrict n][m])
{
    for (int q = 0; q < m; q++)
        __pencil_reduction_var_init(&total[q], zero_double);
    for (int j = 0; j < n; j++)
        for (int q = 0; q <= (int)m - 1; q++)
            __pencil_reduction(&total[q], (double)a[j][q], add_double);
}

void rows(int n, unsigned long m, const int a[static const restrict n][m], int o[static const restrict n])
{
    for (int j = 0; j < n; j++) {
        __pencil_reduction_var_init(&o[j], zero);
        for (int i = (int)m - 1; i >= 0; i--)
            __pencil_reduction(&o[j], a[j][i], add);
    }
}

void columns(int n, unsigned m, const int a[static const restrict n][m], int o[static const restrict m])
{
    for (int i = m - 1; i >= 0; i--) {
        __pencil_reduction_var_init(&o[i], zero);
        for (int j = 0; j < n; j++)
            __pencil_reduction(&o[i], a[j][i], add);
    }
}

int product_around(int n, int m, int k, const int a[static const restrict n][m][k])
{
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n * m; i++)
        for (int j = 0; j < k; j++)
            __pencil_reduction(&s, a[i / m][i % m][j], add);
    return s;
}

void bins(int n, int m, int k, const int a[static const restrict n * m + 1][k], int h[static const restrict 8])
{
    for (int b = 0; b < 8; b++)
        __pencil_reduction_var_init(&h[b], zero);
    for (int i = 0; i < n * m; i++)
        for (int j = 0; j < k; j++)
            __pencil_reduction(&h[a[i][j] & 7], 1, add);
}
