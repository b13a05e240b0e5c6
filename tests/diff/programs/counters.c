// sizes: n=0,1,33,60 m=0,1,7
// Counters of every type, used behind their loops, with sums and several conditions in the loop.
#include <pencil.h>
#include <stddef.h>
#include <stdint.h>

int last(int n, const int a[static const restrict n], int b[static const restrict n]) {
    int i;
#pragma scop
    __pencil_assume(n > 0);
    for (i = 0; i < n; i++) b[i] = a[i];
    b[0] = i;
#pragma endscop
    return i;
}

void left_behind(int n, const int a[static const restrict n], int r[static const restrict 8]) {
#pragma scop
    int i, j = 0;
    for (i = 3; i < n; i += 4) { r[0] = i; }
    r[1] = i;
    for (i = n; i > 2; i -= 3) r[2] = a[i - 1];
    r[3] = i;
    for (i = 0; i <= n; i++) { for (j = i; j >= 1; j--) r[4] = 1; }
    r[5] = i * 1000 + j;
    for (i = 0; i != n; ++i) { r[6] = i; }
    r[7] = i;
#pragma endscop
}

void mixed_signs(unsigned n, int s, const int a[static const restrict n], int b[static const restrict n]) {
#pragma scop
    for (int i = s; i < n; i++) if (i >= 0) b[i] = a[i];
    for (unsigned i = 1; i < n; i++) b[i - 1] += a[i];
    for (size_t i = 0; i + 1 < n; i++) b[i] += a[i + 1];
    for (uint8_t i = 0; i < n; i++) { b[i] = 1; if (i == 200) break; }
#pragma endscop
}
void wide(uint64_t n, uint32_t m, const int a[static const restrict n], int b[static const restrict n]) {
#pragma scop
    for (uint64_t i = 0; i < n; i++) b[i] = a[n - i - 1];
    for (uint32_t i = 0; i < m && i < n; i++) b[i] = 5;
#pragma endscop
}

void triangles(int n, int m, double a[static const restrict n][n], double x[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = 1 + i % 3;
        for (int j = 0; j < i; j++) x[i] -= a[i][j] * x[j] * 0.01;
        x[i] = x[i] / (2 + a[i][i] * a[i][i]);
    }
    for (int k = 0; k < m; k++)
        for (int i = k; i < n; i += 2)
            for (int j = i; j < n; j++)
                if ((i + j) % 3 == 0 || j > 2 * i) a[i][j] += k;
#pragma endscop
}
