// sizes: n=0,1,33,1003 m=1,3,257 bins=1,70 t=3 f=1,9
// Local results, host loops, several operators and loops, strides, members of structs, scalars beside bins.
#include <pencil.h>
static void zero(int *p) { *p = 0; }
static void fzero(float *p) { *p = 0; }
static void one(unsigned *p) { *p = 1; }
static void uzero(unsigned char *p) { *p = 0; }
static void all(unsigned long *p) { *p = ~0ul; }
static void big(int *p) { *p = 1000; }
static int add(int a, int b) { return a + b; }
static float fadd(float a, float b) { return a + b; }
static unsigned mul(unsigned a, unsigned b) { return a * b; }
static unsigned char uadd(unsigned char a, unsigned char b) { return a + b; }
static unsigned long band(unsigned long a, unsigned long b) { return a & b; }
static int imn(int a, int b) { return a < b ? a : b; }
static int both(int a, int b) { return a && b; }
static void yes(int *p) { *p = 1; }
/* local per frame histogram, used afterwards */
void local(int f, int n, const unsigned char p[static const restrict f][n], int peak[static const restrict f]) {
    for (int k = 0; k < f; k++) {
        int hist[256];
        for (int b = 0; b < 256; b++) __pencil_reduction_var_init(&hist[b], zero);
        for (int i = 0; i < n; i++) __pencil_reduction(&hist[p[k][i]], 1, add);
        peak[k] = 0;
        for (int b = 0; b < 256; b++) if (hist[b] > hist[peak[k]]) peak[k] = b;
    }
}
/* over host iterations */
void iterate(int t, int n, int m, const int lab[static const restrict n], int h[static const restrict m], int out[static const restrict n]) {
    for (int i = 0; i < n; i++) out[i] = lab[i];
    for (int k = 0; k < t; k++) {
        for (int b = 0; b < m; b++) __pencil_reduction_var_init(&h[b], zero);
        for (int i = 0; i < n; i++) __pencil_reduction(&h[lab[i]], out[i], add);
        for (int i = 0; i < n; i++) out[i] = h[lab[i]] % 7;
    }
}
/* many operators, narrow types, two loops into one */
void many(int n, int m, const int lab[static const restrict n], const int v[static const restrict n], unsigned a[static const restrict m], unsigned char b[static const restrict m],
          unsigned long c[static const restrict m], int d[static const restrict m], int e[static const restrict m]) {
    for (int k = 0; k < m; k++) {
        __pencil_reduction_var_init(&a[k], one);
        __pencil_reduction_var_init(&b[k], uzero);
        __pencil_reduction_var_init(&c[k], all);
        __pencil_reduction_var_init(&d[k], big);
        __pencil_reduction_var_init(&e[k], yes);
    }
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&a[lab[i]], (unsigned)v[i] | 1u, mul);
        __pencil_reduction(&b[lab[i]], v[i], uadd);
        __pencil_reduction(&c[lab[i]], (unsigned long)v[i] * 77777777777ul, band);
    }
    for (int i = 0; i < n; i++) {
        if (v[i] > 3) __pencil_reduction(&d[lab[i]], v[i], imn);
        __pencil_reduction(&e[lab[n - 1 - i]], v[i], both);
        __pencil_reduction(&d[lab[n - 1 - i]], 2 * v[i], imn);
    }
}
/* triangular, strided, downwards */
void shapes(int n, int m, const int lab[static const restrict n], float a[static const restrict m]) {
    for (int k = 0; k < m; k++) __pencil_reduction_var_init(&a[k], fzero);
    for (int i = n - 1; i >= 0; i -= 3)
        for (int j = 0; j <= i; j += 2)
            __pencil_reduction(&a[lab[j]], (float)i * 0.5f, fadd);
}
void ishapes(int n, int m, const int lab[static const restrict n], int a[static const restrict m]) {
    for (int k = 0; k < m; k++) __pencil_reduction_var_init(&a[k], zero);
    for (int i = n - 1; i >= 0; i -= 3)
        for (int j = 0; j <= i; j += 2)
            __pencil_reduction(&a[lab[j]], i, add);
}
typedef struct { int count; float sum; } Cell;
typedef struct { Cell cell[3]; int other; } Row;
void members(int n, int m, const int lab[static const restrict n], const float v[static const restrict n], Cell c[static const restrict m], Row r[static const restrict m]) {
    for (int k = 0; k < m; k++) {
        __pencil_reduction_var_init(&c[k].count, zero);
        __pencil_reduction_var_init(&c[k].sum, fzero);
        for (int l = 0; l < 3; l++) __pencil_reduction_var_init(&r[k].cell[l].count, zero);
    }
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&c[lab[i]].count, 1, add);
        __pencil_reduction(&c[lab[i]].sum, v[i], fadd);
    }
    for (int i = 0; i < n; i++)
        for (int l = 0; l < 3; l++)
            __pencil_reduction(&r[lab[i]].cell[(lab[i] + l) % 3].count, l, add);
}
void mixed(int n, int bins, const int lab[static const restrict n], int cnt[static const restrict bins], float share[static const restrict bins]) {
    int total;
    __pencil_reduction_var_init(&total, zero);
    for (int b = 0; b < bins; b++) __pencil_reduction_var_init(&cnt[b], zero);
    for (int i = 0; i < n; i++) { __pencil_reduction(&cnt[lab[i]], 1, add);  __pencil_reduction(&total, lab[i], add);}
    for (int b = 0; b < bins; b++) share[b] = (float)cnt[b] / (float)(total + 1);
}
