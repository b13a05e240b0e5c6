#include <stdio.h>
#include <pencil.h>
#define N 64
static float twice(float x) { return 2 * x; }
static int table[N];
void saxpy(int n, float a, const float x[static const restrict n], float y[static const restrict n])
{
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}
void pointers(int n, float *p) { for (int i = 0; i < n; i++) p[i] = 1; }
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
float sum(int n, const float a[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}
int main(void)
{
    float a[N], b[N], c[N][N];
    int k = 0;
    for (int i = 0; i < N; i++)
        a[i] = twice(i);
    for (int i = 0; i < N; i++)
        b[i] = a[N - 1 - i];
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                c[i][j] = a[i] * b[j] + t;
        printf("%g\n", c[2][t]);
    }
    for (int i = 0; i < N; i++) {
        if (a[i] > 40) break;
        k++;
    }
    for (int i = 0; i < N; i++) table[i] = i;
    saxpy(N, 2, a, b);
    pointers(N, a);
    double s = 0;
    for (int i = 0; i < N; i++) s += b[i] + a[i];
    printf("%d %g\n", k, s + table[3]);
    return 0;
}
