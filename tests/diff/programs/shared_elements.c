// sizes: n=0,1,33,300 m=0,1,40
// Updates that may meet what several initialisations have left: all of the variable goes on as plain statements.
#include <pencil.h>
static void zero(int *v) { *v = 0; }
static void seven(int *v) { *v = 7; }
static int add(int a, int b) { return a + b; }
static void zerof(float *v) { *v = 0; }
static float addf(float a, float b) { return a + b; }
static int gcd(int a, int b)
{
    while (b != 0) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a < 0 ? -a : a;
}
typedef struct { int low, high; } Range;
static void nothing(Range *r) { r->low = 1 << 30; r->high = -(1 << 30); }
static Range join(Range a, Range b)
{
    Range r = { a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high };
    return r;
}
static Range only(int x) { Range r = { x, x }; return r; }

void halves(int n, const int x[static const restrict n], int h[static const restrict 64])
{
    for (int b = 0; b < 32; b++) __pencil_reduction_var_init(&h[b], zero);
    for (int b = 32; b < 64; b++) __pencil_reduction_var_init(&h[b], seven);
    for (int i = 0; i < n; i++) __pencil_reduction(&h[x[i] & 63], 1, add);
}

void first_apart(int n, const int x[static const restrict n], float h[static const restrict 16])
{
    __pencil_reduction_var_init(&h[0], zerof);
    for (int b = 1; b < 16; b++) __pencil_reduction_var_init(&h[b], zerof);
    for (int i = 0; i < n; i++) __pencil_reduction(&h[x[i] & 15], 0.5f * (x[i] & 7), addf);
}

void by_parity(int n, const int x[static const restrict n], int h[static const restrict 64])
{
    for (int b = 0; b < 64; b += 2) __pencil_reduction_var_init(&h[b], zero);
    for (int b = 1; b < 64; b += 2) __pencil_reduction_var_init(&h[b], seven);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&h[x[i] & 63], 1, add);
        __pencil_reduction(&h[(x[i] >> 6) & 63], 2, add);
    }
}

void begun_again(int n, int m, const int x[static const restrict n][m], int h[static const restrict 64])
{
    for (int b = 0; b < 64; b++) __pencil_reduction_var_init(&h[b], zero);
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&h[0], seven);
        for (int j = 0; j < m; j++) __pencil_reduction(&h[x[i][j] & 63], 1, add);
    }
}

void begun_again_once(int n, int m, const int x[static const restrict n][m], int h[static const restrict 64])
{
    for (int b = 0; b < 64; b++) __pencil_reduction_var_init(&h[b], zero);
    for (int i = 0; i < n; i++) {
        if (i == 3) __pencil_reduction_var_init(&h[i], seven);
        for (int j = 0; j < m; j++) __pencil_reduction(&h[x[i][j] & 63], 1, add);
    }
}

void unknown_operator(int n, const int x[static const restrict n], int h[static const restrict 8])
{
    for (int b = 0; b < 4; b++) __pencil_reduction_var_init(&h[b], zero);
    for (int b = 4; b < 8; b++) __pencil_reduction_var_init(&h[b], zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&h[x[i] & 7], x[i] & 1023, gcd);
}

void structs(int n, const int x[static const restrict n], Range h[static const restrict 8])
{
    __pencil_reduction_var_init(&h[0], nothing);
    for (int b = 1; b < 8; b++) __pencil_reduction_var_init(&h[b], nothing);
    for (int i = 0; i < n; i++) __pencil_reduction(&h[x[i] & 7], only(x[i]), join);
}

void beside_others(int n, int m, const int x[static const restrict n], const float a[static const restrict n][m],
                   int h[static const restrict 64], float s[static const restrict n])
{
    for (int b = 0; b < 10; b++) __pencil_reduction_var_init(&h[b], zero);
    for (int b = 10; b < 64; b++) __pencil_reduction_var_init(&h[b], zero);
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zerof);
        for (int j = 0; j < m; j++) __pencil_reduction(&s[i], a[i][j], addf);
        __pencil_reduction(&h[x[i] & 63], 1, add);
    }
    for (int b = 0; b < 64; b++) __pencil_reduction(&h[b], 1, add);
}
