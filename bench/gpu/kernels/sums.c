// Sums of one array with the semantics of bench/gpu/native/cub_sums.cu: narrow types accumulate in wider ones.
#include <pencil.h>

static void zero_int(int *v) { *v = 0; }
static int add_int(int a, int b) { return a + b; }

int sum_int8(int n, const signed char a[static const restrict n]) {
    int total;
    __pencil_reduction_var_init(&total, zero_int);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add_int);
    return total;
}

static void zero_float(float *v) { *v = 0.0f; }
static float add_float(float a, float b) { return a + b; }

float sum_float(int n, const float a[static const restrict n]) {
    float total;
    __pencil_reduction_var_init(&total, zero_float);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add_float);
    return total;
}

static void zero_double(double *v) { *v = 0.0; }
static double add_double(double a, double b) { return a + b; }

double sum_double(int n, const double a[static const restrict n]) {
    double total;
    __pencil_reduction_var_init(&total, zero_double);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add_double);
    return total;
}

int sum_int32(int n, const int a[static const restrict n]) {
    int total;
    __pencil_reduction_var_init(&total, zero_int);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add_int);
    return total;
}

static void zero_long_long(long long *v) { *v = 0; }
static long long add_long_long(long long a, long long b) { return a + b; }

long long sum_int64(int n, const long long a[static const restrict n]) {
    long long total;
    __pencil_reduction_var_init(&total, zero_long_long);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, a[i], add_long_long);
    return total;
}
