// More remainders in conditions than isl finds the dependences of: they are data, and every element has its thread.
// sizes: n=0,1,13 m=1,33
#include <pencil.h>

void every_few(int n, int m, int a[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i % 2 == 0) a[i][j] += 1;
            if (j % 3 == 0) a[i][j] *= 3;
            if (i % 4 == 1) a[i][j] += 5;
            if (j % 5 == 2) a[i][j] -= 7;
            if (i % 6 == 3) a[i][j] *= 9;
            if (j % 7 == 6) a[i][j] ^= 11;
            if (i % 8 == 7) a[i][j] += 13;
            if (j % 9 == 0) a[i][j] -= 15;
            if (i % 10 == 9) a[i][j] *= 17;
            if (j % 11 == 0) a[i][j] += 19;
        }
#pragma endscop
}

static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }

void sums_of_some(int n, int m, const int a[static const restrict n][m], int s[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++) {
            if ((i + j) % 2 == 0) __pencil_reduction(&s[i], a[i][j], add);
            if ((i * 2 + j) % 3 == 0) __pencil_reduction(&s[i], a[i][j] * 2, add);
            if ((i * 3 + j) % 4 == 1) __pencil_reduction(&s[i], a[i][j] * 3, add);
            if ((i * 4 + j) % 5 == 0) __pencil_reduction(&s[i], a[i][j] * 4, add);
            if ((i * 5 + j) % 6 == 1) __pencil_reduction(&s[i], a[i][j] * 5, add);
            if ((i * 6 + j) % 7 == 0) __pencil_reduction(&s[i], a[i][j] * 6, add);
            if ((i * 7 + j) % 8 == 1) __pencil_reduction(&s[i], a[i][j] * 7, add);
        }
    }
#pragma endscop
}
