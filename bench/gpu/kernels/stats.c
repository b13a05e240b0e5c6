// Minimum, maximum, sum and sum of squares in one pass.
#include <float.h>
#include <pencil.h>

static void zero(float *v) { *v = 0.0f; }
static void highest(float *v) { *v = FLT_MAX; }
static void lowest(float *v) { *v = -FLT_MAX; }
static float add(float a, float b) { return a + b; }
static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

void stats(int n, const float a[static const restrict n], float out[static const restrict 4]) {
    __pencil_reduction_var_init(&out[0], highest);
    __pencil_reduction_var_init(&out[1], lowest);
    __pencil_reduction_var_init(&out[2], zero);
    __pencil_reduction_var_init(&out[3], zero);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&out[0], a[i], smaller);
        __pencil_reduction(&out[1], a[i], larger);
        __pencil_reduction(&out[2], a[i], add);
        __pencil_reduction(&out[3], a[i] * a[i], add);
    }
}
