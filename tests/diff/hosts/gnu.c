#include <stdio.h>
#include <stdlib.h>
#include <pencil.h>
static void zero(double *v) { *v = 0; }
static double add(double a, double b) { return a + b; }
int main(void)
{
    int n = 20;
    float (*A)[n] = malloc(sizeof(float[n][n]));
    double s;
    __typeof__(n) gnu = 3;
    int nested = ({ int q = 4; q + gnu; });
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = i + j;
    printf("%d\n", nested);
    free(A);
    return 0;
}
double f(int n, const float A[static const restrict n][n]) {
    double s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            __pencil_reduction(&s, A[i][j], add);
    return s;
}
