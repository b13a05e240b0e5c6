// seed 1091508
// Elements begun several times; isl needs fewer operations for a question once an attempt in vain has simplified it.
#include <pencil.h>
static void izero(int *v) { *v = 0; }
static void dzero(double *v) { *v = 0; }
static void dlow(double *v) { *v = -1e300; }
static void dhigh(double *v) { *v = 1e300; }
static int iadd(int a, int b) { return a + b; }
static double dadd(double a, double b) { return a + b; }
static double dmaximum(double a, double b) { return a > b ? a : b; }
static double dminimum(double a, double b) { return a < b ? a : b; }
typedef struct { int v[4]; short k; double w; } Point;

void f1091508(int n, int m, long long q, int z, int A[static const restrict n][m], int B[static const restrict n], int C[static const restrict m], double D[static const restrict n][m], double E[static const restrict n], unsigned U[static const restrict n][m], long long L[static const restrict m], Point P[static const restrict n], double H[static const restrict 40], int G[static const restrict 40], const int start[static const restrict n + 1], const int col[static const restrict z], float F[static const restrict n][m], const Point Q[static const restrict n][m])
{
#pragma scop
    for (int i1 = 0; i1 < n; i1++) {
        double h5, s6;
        __pencil_reduction_var_init(&h5, dlow);
        for (int j2 = 0; j2 < m; j2++) __pencil_reduction(&h5, D[i1][j2], dmaximum);
        __pencil_reduction_var_init(&s6, dzero);
        for (int j3 = 0; j3 < m; j3++)
            __pencil_reduction(&s6, (D[i1][j3] - h5) * (D[i1][j3] - h5), dadd);
        E[i1] = m > 0 ? h5 + s6 : 0;
    }
    double t7[n], s8;
    for (int i9 = 0; i9 < n; i9++) t7[i9] = B[i9] % 50 * 0.25;
    __pencil_reduction_var_init(&s8, dhigh);
    for (int j10 = 0; j10 < n; j10++) __pencil_reduction(&s8, t7[j10], dminimum);
    for (int k11 = 0; k11 < n; k11++) { E[k11] = t7[n - 1 - k11] - s8; }
    double s12;
    __pencil_reduction_var_init(&s12, dzero);
    for (int i13 = 0; i13 < n; i13++) __pencil_reduction(&s12, E[i13] * 0.125, dadd);
    if (n > 0) {
        E[0] = E[0] + s12;
    }
#pragma endscop
}

void f1091509(int n, int m, long long q, int z, int A[static const restrict n][m], int B[static const restrict n], int C[static const restrict m], double D[static const restrict n][m], double E[static const restrict n], unsigned U[static const restrict n][m], long long L[static const restrict m], Point P[static const restrict n], double H[static const restrict 40], int G[static const restrict 40], const int start[static const restrict n + 1], const int col[static const restrict z], float F[static const restrict n][m], const Point Q[static const restrict n][m])
{
#pragma scop
    for (int k3 = 0; k3 < m; k3++)
        __pencil_reduction_var_init(&C[k3], izero);
    for (int i1 = 0; i1 < 2; i1++) for (int j2 = 0; j2 < m; j2++) 
        __pencil_reduction_var_init(&C[j2], izero);
    for (int i4 = n - 1; i4 > 0; i4 -= 2)
        for (int i5 = 3; i5 < m; i5++) {
            __pencil_reduction(&C[i5], B[i4] % 31 + B[i4 / 2] % 3, iadd);
        }
    int t6[n];
    for (int i7 = 0; i7 < n; i7++) t6[i7] = (int)(P[i7].k % 9);
    for (int i8 = 0; i8 < n; i8++) E[i8] = t6[n - 1 - i8] % 50;
    for (int i9 = 0; i9 < n; i9++) { t6[i9] = (int)(P[n - 1 - i9].k % 9) * 2; }
    for (int i10 = 0; i10 < n; i10++) E[i10] = E[i10] + t6[n - 1 - i10] % 50;
    int t11[n];
    for (int i12 = 0; i12 < n; i12++) t11[i12] = B[i12] % 50;
    for (int i13 = 0; i13 < n; i13++) E[i13] = t11[n - 1 - i13] % 77;
    for (int i14 = 0; i14 < n; i14++) t11[i14] = i14;
    for (int i15 = 0; i15 < n; i15++) t11[i15] = P[i15].v[2] % 50;
    for (int i16 = 0; i16 < n; i16++) G[i16 % 40] = t11[n - 1 - i16] % 77;
    for (int i17 = 0; i17 < n; i17++) t11[i17] = i17;
#pragma endscop
}
