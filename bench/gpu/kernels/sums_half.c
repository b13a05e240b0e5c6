// Sums of 16-bit floating types, accumulated in float.
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }

float sum_half(int n, const pencil_half a[static const restrict n]) {
    float total;
    __pencil_reduction_var_init(&total, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, pencil_half_to_float(a[i]), add);
    return total;
}

float sum_bfloat16(int n, const pencil_bfloat16 a[static const restrict n]) {
    float total;
    __pencil_reduction_var_init(&total, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&total, pencil_bfloat16_to_float(a[i]), add);
    return total;
}
