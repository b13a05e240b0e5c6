// Local arrays of run-time extent: inside constructs that one statement stands for, with extents computed before.
// sizes: n=1,33 m=1,7
#include <pencil.h>

void under_condition(int n, int m, const int a[static const restrict n], int o[static const restrict m]) {
#pragma scop
    if (a[0] > 5)
        for (int i = 0; i < m; i++) {
            int t[n];
            for (int j = 0; j < n; j++)
                t[j] = a[j] + i;
            o[i] = t[n / 2];
        }
#pragma endscop
}

void in_each_row(int n, int m, const int a[static const restrict n], int o[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = a[i] & 7;
        while (k > 0) {
            int t[m][2];
            for (int j = 0; j < m; j++) {
                t[j][0] = a[i] * j;
                t[j][1] = k;
            }
            o[i] += t[m / 2][0] + t[m - 1][1];
            k--;
        }
    }
#pragma endscop
}

void computed_extent(int n, const int a[static const restrict n], int o[static const restrict n]) {
#pragma scop
    int k = n * 2, rows = k + 1;
    int t[rows][k];
    for (int i = 0; i < n; i++) {
        t[2][i] = a[i];
        t[i][i + n] = a[i] + 1;
    }
    for (int i = 0; i < n; i++)
        o[i] = t[2][i] + t[i][i + n];
#pragma endscop
}
