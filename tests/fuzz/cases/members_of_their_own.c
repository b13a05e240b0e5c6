// seed 1030240
// Two members of one array of structs, one of them read by what a stitched kernel does: they are different memory.
#include <pencil.h>
typedef struct { int k; int v[4]; } Point;
static void dlow(double *v) { *v = -1e300; }
static double dmaximum(double a, double b) { return a < b ? b : a; }
static void dzero(double *v) { *v = 0; }
static double dadd(double a, double b) { return a + b; }
static void fzero(float *v) { *v = 0; }
static float fadd(float a, float b) { return a + b; }
void f(int n, int m, const double D[static const restrict n][m], double E[static const restrict n],
       Point P[static const restrict n], float F[static const restrict n][m])
{
#pragma scop
    for (int i1 = 0; i1 < n; i1++) for (int k2 = 0; k2 < 4; k2++)
        P[i1].v[k2] = P[i1].v[k2] % 20 + (i1 > 2 ? 1 : -1);
    for (int i3 = 0; i3 < n; i3++) {
        double h7, s8;
        __pencil_reduction_var_init(&h7, dlow);
        for (int j4 = 0; j4 < m; j4++) __pencil_reduction(&h7, D[i3][j4], dmaximum);
        __pencil_reduction_var_init(&s8, dzero);
        for (int j5 = 0; j5 < m; j5++)
            __pencil_reduction(&s8, (D[i3][j5] - h7) * (D[i3][j5] - h7), dadd);
        E[i3] = m > 0 ? h7 + s8 : 0;
    }
    for (int i9 = 0; i9 < n; i9++) {
        float s11;
        __pencil_reduction_var_init(&s11, fzero);
        for (int j10 = 0; j10 < m; j10++) {
            F[i9][j10] = F[i9][j10] * 0.5f + j10;
            __pencil_reduction(&s11, F[i9][j10], fadd);
        }
        E[i9] = s11 + (m > 0 ? F[i9][m / 2] : 0);
    }
    double t12[n], s13;
    for (int i14 = 0; i14 < n; i14++) t12[i14] = (int)(P[i14].k % 9) * 0.25;
    __pencil_reduction_var_init(&s13, dzero);
    for (int j15 = 0; j15 < n; j15++) __pencil_reduction(&s13, t12[j15], dadd);
    for (int k16 = 0; k16 < n; k16++) { E[k16] = t12[k16] + s13; }
#pragma endscop
}
