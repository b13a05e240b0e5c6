// Conditions of loops: every form of an affine one, of several types.
// sizes: n=0,1,7,33 m=0,5 k=0,9 l=0,1,40
#include <pencil.h>
#include <stddef.h>
static void zero(int *x) { *x = 0; }
static int add(int a, int b) { return a + b; }
void scaled(int n, int o[static const restrict n])
{
#pragma scop
    for (int b = 0; 4 * b + 3 < n; b++)
        o[4 * b] = b;
    for (int b = 0; n > 2 + b * 4; ++b)
        o[4 * b + 2] = 2;
    for (int b = 0; 2 * b + 1 <= n - 1; b++)
        o[2 * b + 1] = 3 * b;
#pragma endscop
}

void moved(int n, int m, int o[static const restrict n + m + 8])
{
#pragma scop
    for (int i = 0; i <= n - 1; i++) o[i] = 1;
    for (int i = 0; n > i; i++) o[i] += 2;
    for (int i = 0; i + 3 < n; i++) o[i] += 4;
    for (int i = 0; 3 + i <= n; i++) o[i] += 8;
    for (int i = 0; i - m < n; i++) o[i] += 16;
#pragma endscop
}

void turned(int n, int m, int p[static const restrict n + m + 8])
{
#pragma scop
    for (int i = 0; n - i > m; i++) p[i] = 1;
    for (int i = 0; -i > -n; i++) p[i] += 2;
    for (int i = n; i - 1 >= 0; i--) p[i - 1] += 4;
    for (int i = 0; i < n - i; i++) p[i] += 8;
    for (int i = 0; !(i >= n); i++) p[i] += 16;
#pragma endscop
}

void multiplied(int n, int m, int o[static const restrict n + m + 8], int p[static const restrict n + m + 8])
{
#pragma scop
    for (int i = 0; 2 * i != 2 * n; i++) p[i] = 32;
    for (int i = 0; 2 * (i + 1) <= n + m; i++) p[i] += 64;
    for (int i = m; 3 * i < 2 * n; i += 2) p[i] += 128;
    for (int i = n; 2 * i >= m; i--) p[i] += 256;
    for (int i = n + m; 3 * i >= m + 2 && i >= 0; i--) o[i] = 32;
#pragma endscop
}

void casts(int n, long m, unsigned k, int o[static const restrict 64], size_t l, int p[static const restrict l])
{
#pragma scop
    for (long i = 0; (long)i < (long)n && i < 64; i++) o[i] = 1;
    for (int i = 0; (long long)i + 2 < m && i < 64; i++) o[i] += 2;
    for (unsigned i = 0; 2 * i + 1 < k && i < 64; i++) o[i] += 4;
    for (size_t i = 0; i + 1 < l; i++) p[i] = 8;
    for (size_t i = 0; 3 * i + 2 <= l; i++) p[3 * i] = 16;
    for (int i = 0; i + 1 < l; i++) p[i + 1] = 32;
    for (int i = 0; (size_t)(2 * i) < l; i++) p[2 * i] = 64;
    for (short i = 0; i + 5 < n && i < 64; i++) o[i] += 128;
    for (size_t i = 0; i + 1 != l + 1; i++) p[i] += 3;
#pragma endscop
}

int helped(int n, const int a[static const restrict n])
{
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; 2 * i + 1 < n; i++)
        __pencil_reduction(&s, a[2 * i + 1], add);
    return s;
}

/* The body steps the counter. */
int runs(int n, const int a[static const restrict n], int length[static const restrict n]) {
    int k = 0;
#pragma scop
    for (int i = 0; i < n;) {
        int j = i;
        while (j < n && a[j] / 4 == a[i] / 4) j++;
        length[k] = j - i;
        k++;
        i = j;
    }
#pragma endscop
    return k;
}
