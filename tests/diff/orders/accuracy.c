// Sums that lose most of their digits when the values are added one by one.
#include <math.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static void zero_half(pencil_half *v) { *v = pencil_float_to_half(0.0f); }
static void least(float *v) { *v = -INFINITY; }
static void minus_zero(float *v) { *v = -0.0f; }
static float add(float a, float b) { return a + b; }
static double add_double(double a, double b) { return a + b; }
static float larger(float a, float b) { return a > b ? a : b; }
static pencil_half add_half(pencil_half a, pencil_half b) {
    return pencil_float_to_half(pencil_half_to_float(a) + pencil_half_to_float(b));
}

// With a reduction that is no sum beside it.
void all(int n, const float a[static const restrict n], float result[static const restrict 2]) {
    float s, m;
    __pencil_reduction_var_init(&s, zero);
    __pencil_reduction_var_init(&m, least);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&s, a[i], add);
        __pencil_reduction(&m, a[i], larger);
    }
    result[0] = s;
    result[1] = m;
}

float halves(int n, const float a[static const restrict n]) {
    pencil_half s;
    __pencil_reduction_var_init(&s, zero_half);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, pencil_float_to_half(a[i]), add_half);
    return pencil_half_to_float(s);
}

void in_rows(int rows, int columns, const float a[static const restrict rows][columns],
             float sums[static const restrict rows]) {
    for (int i = 0; i < rows; i++) {
        __pencil_reduction_var_init(&sums[i], zero);
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sums[i], a[i][j], add);
    }
}

void in_columns(int rows, int columns, const float a[static const restrict rows][columns],
                float sums[static const restrict columns]) {
    for (int j = 0; j < columns; j++)
        __pencil_reduction_var_init(&sums[j], zero);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            __pencil_reduction(&sums[j], a[i][j], add);
}

// Each thread has sums of its own, from where a loop that needs the one before it left off.
void in_threads(int n, int count, const float a[static const restrict count], float sums[static const restrict n]) {
#pragma scop
    int rounds[n];
    for (int i = 0; i < n; i++)
        rounds[i] = 2;
    // How many rounds there are is data, so that they cannot be launches.
#pragma pencil independent
    for (int i = 0; i < n; i++) {
        float last = 0.0f;
        for (int k = 0; k < rounds[i]; k++) {
            float s;
            __pencil_reduction_var_init(&s, zero);
            for (int j = 0; j < count; j++)
                __pencil_reduction(&s, a[j] + last * 0.0f, add);
            last = s;
        }
        sums[i] = last;
    }
#pragma endscop
}

// What `+=` does, and what is there already.
double detected(int n, const double a[static const restrict n]) {
    double s = 1.0;
#pragma pencil independent reduction(+: s)
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

// What is no number, infinite, or a zero with a sign.
float special(int n, const float a[static const restrict n]) {
    float s;
    __pencil_reduction_var_init(&s, minus_zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}
