#include <stdio.h>
#include <stdlib.h>
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
#define N 100
static int verbose = 0;
/* comment with # pragma scop inside */
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 17;
    float a[N], sum;   /* keep me */
    double table[N][3];
    for (int i = 0; i < N; i++) a[i] = i * 0.5f;
    if (n > 3) {
        int k = n;
#pragma scop
        for (int i = 0; i < k; i++)
            a[i] = a[i] * 2;
#pragma endscop
        printf("inside %d\n", k);
    } else {
#pragma scop
        for (int i = 0; i < N; i++)
            a[i] = -1;
#pragma endscop
    }
    for (int t = 0; t < 3; t++) {
#pragma scop
        __pencil_reduction_var_init(&sum, zero);
        for (int i = 0; i < n; i++)
            __pencil_reduction(&sum, a[i], add);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < 3; j++)
                table[i][j] = a[i] + sum * j + t;
#pragma endscop
        printf("%d: %g\n", t, sum);
    }
    switch (n) {
    case 17: {
#pragma scop
        for (int i = 0; i < N; i++)
            a[i] += 1;
#pragma endscop
        break;
    }
    default: puts("other");
    }
    double total = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 3; j++) total += table[i][j] + a[i];
    printf("%.6f %d\n", total, verbose);
    return 0;
}
