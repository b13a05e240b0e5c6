// sizes: n=0,1,33,1009
// Remainders of remainders and of large products: as good as data, wherever they stand.
#include <pencil.h>
static int add(int a, int b) { return a + b; }
static void zero(int *v) { *v = 0; }
static double addd(double a, double b) { return a + b; }
static void zerod(double *v) { *v = 0; }
static int place(int i, int bins) { return (i & 0xffff) * 977 % bins; }
static int mixed(int i) { return (i ^ i >> 3) & 63; }
void bins(int n, const int x[static const restrict n], int h[static const restrict 40], int p[static const restrict 4001], double w[static const restrict 40000], int q[static const restrict 64], int s[static const restrict 130])
{
#pragma scop
    for (int k = 0; k < 40; k++)
        __pencil_reduction_var_init(&h[k], zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&h[i % 64 * 7 % 40], x[i], add);
    for (int k = 0; k < 4001; k++)
        __pencil_reduction_var_init(&p[k], zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&p[i * 977 % 4001], x[i], add);
    for (int k = 0; k < 40000; k++)
        __pencil_reduction_var_init(&w[k], zerod);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&w[place(i, 40000)], 0.5 * x[i], addd);
    for (int k = 0; k < 64; k++)
        __pencil_reduction_var_init(&q[k], zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&q[mixed(i)], x[i], add);
    for (int k = 0; k < 130; k++)
        __pencil_reduction_var_init(&s[k], zero);
    for (int i = 0; i < n; i++) {
        int at = i % 27;
        at += i % 40;
        at += i % 64;
        __pencil_reduction(&s[at], x[i], add);
    }
#pragma endscop
}
void plain_counts(int n, const int x[static const restrict n], int h[static const restrict 40])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        const int hash = i % 64 * 7;
        h[hash % 40] += x[i];
    }
#pragma endscop
}
void elsewhere(int n, const int x[static const restrict n], int o[static const restrict n][3], int t[static const restrict 40])
{
#pragma scop
    for (int k = 0; k < 40; k++)
        t[k] = 3 * k;
    for (int i = 0; i < n; i++) {
        o[i][0] = t[i % 64 * 7 % 40];
        if (i % 64 * 7 % 40 < 20)
            o[i][1] = x[i * 977L % 40000 % n];
        else
            o[i][1] = -1;
        o[i][2] = 0;
        for (int j = 0; j < i % 64 * 7 % 40; j++)
            o[i][2] += x[i] ^ j;
    }
    for (int i = 0; i < n; i++)
        t[i * 13 % 64 * 3 % 40] = x[i];
#pragma endscop
}
