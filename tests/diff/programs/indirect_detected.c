// sizes: n=0,33,1003 bins=7,300
// Plain updates of bins: with an initialisation before them, onto what is there, under a clause; 16-bit sums.
#include <pencil.h>
void plain(int n, int bins, const int lab[static const restrict n], int hist[static const restrict bins]) {
#pragma scop
    for (int b = 0; b < bins; b++) hist[b] = 0;
    for (int i = 0; i < n; i++) hist[lab[i]] += 1;
#pragma endscop
}
void old(int n, int bins, const int lab[static const restrict n], int hist[static const restrict bins]) {
#pragma scop
    for (int i = 0; i < n; i++) hist[lab[i]] += i;
#pragma endscop
}
void clause(int n, int bins, const int lab[static const restrict n], const float w[static const restrict n], float hist[static const restrict bins]) {
#pragma scop
    for (int b = 0; b < bins; b++) hist[b] = 0;
#pragma pencil independent reduction(+: hist)
    for (int i = 0; i < n; i++) hist[lab[i]] += w[i];
    for (int b = 0; b < bins; b++) hist[b] *= 2;
#pragma endscop
}
static void hzero(pencil_half *p) { *p = pencil_float_to_half(0.0f); }
static pencil_half hadd(pencil_half a, pencil_half b) { return pencil_float_to_half(pencil_half_to_float(a) + pencil_half_to_float(b)); }
void halves(int n, int bins, const int lab[static const restrict n], const pencil_half w[static const restrict n], pencil_half hist[static const restrict bins]) {
#pragma scop
    for (int b = 0; b < bins; b++) __pencil_reduction_var_init(&hist[b], hzero);
    for (int i = 0; i < n; i++) __pencil_reduction(&hist[lab[i]], w[i], hadd);
#pragma endscop
}
