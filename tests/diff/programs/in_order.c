// Reductions that a loop updates which is not shared out, because something else is carried from one iteration to the
// next: the initialisation, which stands in a loop of its own, comes before the updates.
// sizes: n=0,1,33,1009 m=1,40 t=0,3
#include <pencil.h>

static void zero(int *p)
{
    *p = 0;
}

static int add(int a, int b)
{
    return a + b;
}

void bins(int n, const int p[static const restrict n], int hist[static const restrict 64], int out[static const restrict n])
{
#pragma scop
    int u = 0;
    for (int b = 0; b < 64; b++)
        __pencil_reduction_var_init(&hist[b], zero);
    for (int i = 0; i < n; i++) {
        out[i] = u;
        u = (u * 7 + p[i]) & 63;
        __pencil_reduction(&hist[u], 3, add);
    }
#pragma endscop
}

void detected(int n, const int p[static const restrict n], int hist[static const restrict 64], int out[static const restrict n])
{
#pragma scop
    int u = 0;
    for (int i = 0; i < n; i++) {
        out[i] = u;
        u = (u * 7 + p[i]) & 63;
        hist[u] += 3;
    }
#pragma endscop
}

void columns(int n, int m, const int p[static const restrict n], int sums[static const restrict m],
             int out[static const restrict n])
{
#pragma scop
    int u = 0;
    for (int j = 0; j < m; j++)
        __pencil_reduction_var_init(&sums[j], zero);
    for (int i = 0; i < n; i++) {
        u = (u * 7 + p[i]) & 63;
        out[i] = u;
        for (int j = 0; j < m; j++)
            __pencil_reduction(&sums[j], u + j, add);
    }
#pragma endscop
}

void again(int t, int n, const int p[static const restrict n], int hist[static const restrict 64],
           int out[static const restrict n])
{
#pragma scop
    for (int k = 0; k < t; k++) {
        int u = k;
        for (int b = 0; b < 64; b++)
            __pencil_reduction_var_init(&hist[b], zero);
        for (int i = 0; i < n; i++) {
            u = (u * 7 + p[i]) & 63;
            __pencil_reduction(&hist[u], k + 1, add);
        }
        for (int i = 0; i < n; i++)
            out[i] = (i ? out[i - 1] : 0) + hist[i & 63];
    }
#pragma endscop
}

void used_behind(int n, const int p[static const restrict n], int hist[static const restrict 64], int out[static const restrict n], int twice[static const restrict 64])
{
#pragma scop
  int u = 0;
  for (int b = 0; b < 64; b++) __pencil_reduction_var_init(&hist[b], zero);
  for (int i = 0; i < n; i++) { u = (u * 7 + p[i]) & 63; out[i] = u; __pencil_reduction(&hist[u], 3, add); }
  for (int b = 0; b < 64; b++) twice[b] = 2 * hist[b];
#pragma endscop
}
