// Sums of bytes, of two-byte elements and of their products: signed and unsigned, into 32 and 64 bits, beside others,
// misaligned, and what is not added four at a time: products of unlike bytes, bytes after a conversion, minima.
// sizes: n=0,1,17,131,20011 r=0,3
#include <pencil.h>

static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
static void uzero(unsigned *v) { *v = 0; }
static unsigned uadd(unsigned a, unsigned b) { return a + b; }
static void lzero(long long *v) { *v = 0; }
static long long ladd(long long a, long long b) { return a + b; }
static void most(int *v) { *v = 127; }
static int low(int a, int b) { return a < b ? a : b; }

int sum(int n, const signed char a[static const restrict n]) {
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}

void rows(int r, int n, const unsigned char a[static const restrict r][n], long long s[static const restrict r],
          long long q[static const restrict r]) {
    for (int k = 0; k < r; k++) {
        __pencil_reduction_var_init(&s[k], lzero);
        __pencil_reduction_var_init(&q[k], lzero);
        for (int i = 0; i < n; i++) {
            __pencil_reduction(&s[k], a[k][i], ladd);
            __pencil_reduction(&q[k], (long long)a[k][i] * a[k][i], ladd);
        }
    }
}

int dot(int n, const signed char a[static const restrict n], const signed char b[static const restrict n]) {
    int s = 3;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
#pragma endscop
    return s;
}

unsigned into_unsigned(int n, const signed char a[static const restrict n]) {
    unsigned s;
    __pencil_reduction_var_init(&s, uzero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], uadd);
    return s;
}

// Every second product has the other type, or wraps around in a narrow one.
int unlike(int n, const signed char a[static const restrict n], const unsigned char b[static const restrict n]) {
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i] * b[i], add);
    return s;
}

long long narrow(int n, const unsigned char a[static const restrict n]) {
    long long s;
    __pencil_reduction_var_init(&s, lzero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, (signed char)a[i], ladd);
    return s;
}

long long through_unsigned(int n, const signed char a[static const restrict n]) {
    long long s;
    __pencil_reduction_var_init(&s, lzero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, (unsigned)a[i], ladd);
    return s;
}

void beside(int n, const signed char a[static const restrict n], int out[static const restrict 2]) {
    __pencil_reduction_var_init(&out[0], zero);
    __pencil_reduction_var_init(&out[1], most);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&out[0], a[i], add);
        __pencil_reduction(&out[1], a[i], low);
    }
}

// Rows of two-byte elements, every second of which lies between words where they are odd.
void shorts(int r, int n, const short a[static const restrict r][n], const unsigned short b[static const restrict r][n],
            int s[static const restrict r], long long p[static const restrict r]) {
    for (int k = 0; k < r; k++) {
        __pencil_reduction_var_init(&s[k], zero);
        __pencil_reduction_var_init(&p[k], lzero);
        for (int i = 0; i < n; i++) {
            __pencil_reduction(&s[k], a[k][i], add);
            __pencil_reduction(&p[k], (long long)a[k][i] * b[k][i], ladd);
        }
    }
}
