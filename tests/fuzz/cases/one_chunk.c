// seed 0
// A stitched kernel whose threads have room for one chunk each: nothing reads how many of them a row has.
#include <pencil.h>
static void dlow(double *v) { *v = -1e300; }
static void dzero(double *v) { *v = 0; }
static double dadd(double a, double b) { return a + b; }
static double dmaximum(double a, double b) { return a > b ? a : b; }
typedef struct { int v[12]; short k; double w; } Point;
void f(int n, int B[static const restrict n], double E[static const restrict n], Point P[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) B[i] = i % 7;
    double t3[n], s4, s8;
    for (int i = 0; i < n; i++) t3[i] = (int)(P[i].k % 9) * 0.25;
    __pencil_reduction_var_init(&s4, dlow);
    for (int i = 0; i < n; i++) __pencil_reduction(&s4, t3[i], dmaximum);
    for (int i = 0; i < n; i++) E[i] = t3[i] + s4;
    __pencil_reduction_var_init(&s8, dzero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s8, E[i] * 0.125, dadd);
    for (int i = 0; i < n; i++) B[i] += (int)(P[i].k % 9);
    for (int i = 0; i < n; i++) E[i] = E[i] + s8 + P[i].w;
#pragma endscop
}
