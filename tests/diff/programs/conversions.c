// What C converts and C++ does not: comparisons are int, counters keep their own type, narrow values are promoted.
// sizes: n=0,1,33 m=0,5
#include <math.h>
#include <pencil.h>

void smaller_of_comparison(int n, int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = min(i & 7, o[i] < 3) + max(!o[i], i % 5) + clamp(o[i] == i, 0, 3) + min(o[i] > 1 && i, 2);
#pragma endscop
}

void comparison_of_wide(int n, const long long a[static const restrict n], long long o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = min(a[i] << 33, a[i] < 3) + max((long long)i, a[i] || i);
#pragma endscop
}

void narrow(int n, const signed char a[static const restrict n], const unsigned char b[static const restrict n],
            int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = min(i > 7 ? a[i] : a[0], i) + max(b[i] > 100 ? b[i] : b[0], 3) + min(i < 3 ? i < 2 : i > 9, i);
#pragma endscop
}

void classes(int n, const float a[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = max(isnan(a[i]), i) + min(isfinite(a[i]) != 0, 4) + max(isless(a[i], 2.0f), i % 2);
#pragma endscop
}

// `i` is the counter of a loop whose type is not that of the loop that is generated for it.
void wide_counter(int n, int m, const int v[static const restrict n][m], long long o[static const restrict n][m]) {
#pragma scop
    for (long long i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            for (int j = 0; j < n; j++) {
                o[j][k] = v[j][k];
                o[i][k] = v[min(j, i)][k] + i * 1000000007 + (i << 33);
            }
#pragma endscop
}

void unsigned_counter(int n, int m, const int v[static const restrict n][m], unsigned o[static const restrict n][m]) {
#pragma scop
    for (unsigned i = 0; i < (unsigned)n; i++)
        for (int k = 0; k < m; k++)
            for (int j = 0; j < n; j++) {
                o[j][k] = (unsigned)v[j][k];
                o[i][k] = (i - 2) / 3 + max(i, 3u);
            }
#pragma endscop
}
