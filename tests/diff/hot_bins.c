// Bins that a block meets often: of every type that atomics take, alone and beside each other.
#include <pencil.h>

typedef struct { double weight; } Sum;

static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
static void zero_long(long long *v) { *v = 0; }
static long long add_long(long long a, long long b) { return a + b; }
static void most_long(long long *v) { *v = 9223372036854775807ll; }
static long long least_long(long long a, long long b) { return b < a ? b : a; }
static void zero_float(float *v) { *v = 0; }
static float add_float(float a, float b) { return a + b; }
static void zero_double(double *v) { *v = 0; }
static double add_double(double a, double b) { return a + b; }
static void zero_sum(Sum *v) { v->weight = 0; }
static Sum sum_of(double x) { Sum s; s.weight = x; return s; }
static Sum add_sum(Sum a, Sum b) { a.weight += b.weight; return a; }

void counts(int n, int m, const int key[static const restrict n], int h[static const restrict m]) {
    for (int b = 0; b < m; b++)
        __pencil_reduction_var_init(&h[b], zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&h[key[i]], 1, add);
}

// The smallest value of each bin with its place, as one number of 64 bits.
void places(int n, int m, const int key[static const restrict n], const int a[static const restrict n],
            long long h[static const restrict m]) {
    for (int b = 0; b < m; b++)
        __pencil_reduction_var_init(&h[b], most_long);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&h[key[i]], a[i] * 4294967296ll + i, least_long);
}

void floats(int n, int m, const int key[static const restrict n], const float a[static const restrict n],
            float h[static const restrict m]) {
    for (int b = 0; b < m; b++)
        __pencil_reduction_var_init(&h[b], zero_float);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&h[key[i]], a[i], add_float);
}

void structs(int n, int m, const int key[static const restrict n], const float a[static const restrict n],
             Sum h[static const restrict m]) {
    for (int b = 0; b < m; b++)
        __pencil_reduction_var_init(&h[b], zero_sum);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&h[key[i]], sum_of(a[i]), add_sum);
}

void two(int n, int m, const int key[static const restrict n], const double a[static const restrict n],
         int h[static const restrict m], double s[static const restrict m]) {
    for (int b = 0; b < m; b++) {
        __pencil_reduction_var_init(&h[b], zero);
        __pencil_reduction_var_init(&s[b], zero_double);
    }
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&h[key[i]], 1, add);
        __pencil_reduction(&s[key[i]], a[i], add_double);
    }
}

void eight(int n, int m, const int key[static const restrict n], long long h0[static const restrict m],
           long long h1[static const restrict m], long long h2[static const restrict m],
           long long h3[static const restrict m], long long h4[static const restrict m],
           long long h5[static const restrict m], long long h6[static const restrict m],
           long long h7[static const restrict m]) {
    for (int b = 0; b < m; b++) {
        __pencil_reduction_var_init(&h0[b], zero_long);
        __pencil_reduction_var_init(&h1[b], zero_long);
        __pencil_reduction_var_init(&h2[b], zero_long);
        __pencil_reduction_var_init(&h3[b], zero_long);
        __pencil_reduction_var_init(&h4[b], zero_long);
        __pencil_reduction_var_init(&h5[b], zero_long);
        __pencil_reduction_var_init(&h6[b], zero_long);
        __pencil_reduction_var_init(&h7[b], zero_long);
    }
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&h0[key[i]], 1ll, add_long);
        __pencil_reduction(&h1[key[i]], 1ll * i, add_long);
        __pencil_reduction(&h2[key[i]], 2ll * i, add_long);
        __pencil_reduction(&h3[key[i]], 3ll * i, add_long);
        __pencil_reduction(&h4[key[i]], 4ll * i, add_long);
        __pencil_reduction(&h5[key[i]], 5ll * i, add_long);
        __pencil_reduction(&h6[key[i]], 6ll * i, add_long);
        __pencil_reduction(&h7[key[i]], 7ll * i, add_long);
    }
}
