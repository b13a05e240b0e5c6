// Two reductions of one array in one pass: the sum and the sum of squares ("SrandInt", "SrandFloat" and
// "SrandDouble" of the PACT'16 paper).
#include <pencil.h>

static void zero_int(int *v) { *v = 0; }
static int add_int(int a, int b) { return a + b; }

void two_int32(int n, const int a[static const restrict n], int out[static const restrict 2]) {
    __pencil_reduction_var_init(&out[0], zero_int);
    __pencil_reduction_var_init(&out[1], zero_int);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&out[0], a[i], add_int);
        __pencil_reduction(&out[1], a[i] * a[i], add_int);
    }
}

static void zero_float(float *v) { *v = 0.0f; }
static float add_float(float a, float b) { return a + b; }

void two_float(int n, const float a[static const restrict n], float out[static const restrict 2]) {
    __pencil_reduction_var_init(&out[0], zero_float);
    __pencil_reduction_var_init(&out[1], zero_float);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&out[0], a[i], add_float);
        __pencil_reduction(&out[1], a[i] * a[i], add_float);
    }
}

static void zero_double(double *v) { *v = 0.0; }
static double add_double(double a, double b) { return a + b; }

void two_double(int n, const double a[static const restrict n], double out[static const restrict 2]) {
    __pencil_reduction_var_init(&out[0], zero_double);
    __pencil_reduction_var_init(&out[1], zero_double);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&out[0], a[i], add_double);
        __pencil_reduction(&out[1], a[i] * a[i], add_double);
    }
}
