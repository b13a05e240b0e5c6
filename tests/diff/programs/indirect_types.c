// sizes: n=0,1,33,2003 m=1,5,257
// Accumulators and operators of every kind in bins that the data choose, names that the templates use, padding.
#include <math.h>
#include <pencil.h>
typedef struct { char kind; double weight; short seen[3]; } Padded;
typedef struct { float least[40]; int many; } Large;
typedef struct { int lo, hi; } Span;
static void none(Padded *p) { p->kind = 0; p->weight = 0; for (int k = 0; k < 3; k++) p->seen[k] = 0; }
static Padded padded(char kind, double weight) {
    Padded p;
    p.kind = kind; p.weight = weight;
    for (int k = 0; k < 3; k++) p.seen[k] = (short)(kind + k);
    return p;
}
static Padded join(Padded a, Padded b) {
    a.kind = a.kind | b.kind;
    a.weight += b.weight;
    for (int k = 0; k < 3; k++) a.seen[k] = a.seen[k] > b.seen[k] ? a.seen[k] : b.seen[k];
    return a;
}
static void empty(Large *l) { for (int k = 0; k < 40; k++) l->least[k] = 1e30f; l->many = 0; }
static Large start(float x) { Large l; for (int k = 0; k < 40; k++) l.least[k] = x * (float)(k + 1); l.many = 1; return l; }
static Large least(Large a, Large b) {
    for (int k = 0; k < 40; k++) a.least[k] = a.least[k] < b.least[k] ? a.least[k] : b.least[k];
    a.many += b.many;
    return a;
}
static void nowhere(Span *s) { s->lo = 2147483647; s->hi = -2147483647; }
static Span at(int x) { Span s; s.lo = x; s.hi = x; return s; }
static Span hull(Span a, Span b) { a.lo = a.lo < b.lo ? a.lo : b.lo; a.hi = a.hi > b.hi ? a.hi : b.hi; return a; }
static void fmost(float *p) { *p = INFINITY; }
static float flow(float a, float b) { return fminf(a, b); }
static void dless(double *p) { *p = -INFINITY; }
static double dhigh(double a, double b) { return a > b ? a : b; }
static void dzero(double *p) { *p = 0; }
static double dsum(double a, double b) { return a + b; }
static void szero(short *p) { *p = 0; }
static short sadd(short a, short b) { return (short)(a + b); }
static void lzero(long long *p) { *p = 0; }
static long long ladd(long long a, long long b) { return a + b; }
static void lmost(long long *p) { *p = 9223372036854775807ll; }
static long long lmin(long long a, long long b) { return b < a ? b : a; }
static void uzero(unsigned *p) { *p = 0; }
static unsigned xor2(unsigned a, unsigned b) { return a ^ b; }
static unsigned or2(unsigned a, unsigned b) { return a | b; }
static unsigned higher(unsigned a, unsigned b) { return a > b ? a : b; }
static void bno(_Bool *p) { *p = 0; }
static _Bool any(_Bool a, _Bool b) { return a || b; }

void structs(int n, int m, const int label[static const restrict n], const signed char v[static const restrict n],
             Padded shared[static const restrict m], Large copies[static const restrict m],
             Span item[static const restrict m]) {
    for (int bin = 0; bin < m; bin++) {
        __pencil_reduction_var_init(&shared[bin], none);
        __pencil_reduction_var_init(&copies[bin], empty);
        __pencil_reduction_var_init(&item[bin], nowhere);
    }
    for (int x = 0; x < n; x++) {
        __pencil_reduction(&shared[label[x]], padded((char)(v[x] & 7), v[x]), join);
        __pencil_reduction(&item[label[x]], at(x), hull);
    }
    for (int left = 0; left < n; left++) __pencil_reduction(&copies[label[left]], start((float)v[left]), least);
}
void floats(int n, int m, const int label[static const restrict n], const float v[static const restrict n],
            float a[static const restrict m], double b[static const restrict m], double c[static const restrict m]) {
    for (int k = 0; k < m; k++) {
        __pencil_reduction_var_init(&a[k], fmost);
        __pencil_reduction_var_init(&b[k], dless);
        __pencil_reduction_var_init(&c[k], dzero);
    }
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&a[label[i]], v[i], flow);
        __pencil_reduction(&b[label[i]], v[i], dhigh);
        __pencil_reduction(&c[label[i]], v[i], dsum);
    }
}
void narrow(int n, int m, const int label[static const restrict n], const int v[static const restrict n],
            short a[static const restrict m], _Bool b[static const restrict m]) {
    for (int k = 0; k < m; k++) {
        __pencil_reduction_var_init(&a[k], szero);
        __pencil_reduction_var_init(&b[k], bno);
    }
    for (int i = 0; i < n; i++) __pencil_reduction(&a[label[i]], (short)v[i], sadd);
    for (int i = 0; i < n; i++) __pencil_reduction(&b[label[i]], v[i] > 0, any);
}
void integers(int n, int m, const int label[static const restrict n], const int v[static const restrict n],
              long long a[static const restrict m], long long b[static const restrict m],
              unsigned c[static const restrict m], unsigned d[static const restrict m],
              unsigned e[static const restrict m]) {
    for (int k = 0; k < m; k++) {
        __pencil_reduction_var_init(&a[k], lzero);
        __pencil_reduction_var_init(&b[k], lmost);
        __pencil_reduction_var_init(&c[k], uzero);
        __pencil_reduction_var_init(&d[k], uzero);
        __pencil_reduction_var_init(&e[k], uzero);
    }
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&a[label[i]], v[i] * 1000000007ll, ladd);
        __pencil_reduction(&b[label[i]], -v[i] * 1000000007ll, lmin);
        __pencil_reduction(&c[label[i]], (unsigned)v[i], xor2);
        __pencil_reduction(&d[label[i]], (unsigned)v[i], or2);
        __pencil_reduction(&e[label[i]], (unsigned)v[i], higher);
    }
}
