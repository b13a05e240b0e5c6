// One value for the whole array between the walks over it: a warp, a block, a cooperative grid, or separate kernels.
// sizes: n=0,1,33,2049,8193,16001,65536,65537,250001
#include <pencil.h>
#include <math.h>
static void zero(float *v) { *v = 0.0f; }
static float add(float a, float b) { return a + b; }
static void lowest(float *v) { *v = -INFINITY; }
static float larger(float a, float b) { return a > b ? a : b; }
float normalise(int n, const float x[static const restrict n], float y[static const restrict n], float stats[static const restrict 2]) {
    float sum, squares;
    __pencil_reduction_var_init(&sum, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&sum, x[i], add);
    float mean = sum / n;
    __pencil_reduction_var_init(&squares, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&squares, (x[i] - mean) * (x[i] - mean), add);
    stats[0] = mean;
    stats[1] = squares / n;
    for (int i = 0; i < n; i++) y[i] = (x[i] - mean) / sqrtf(squares / n + 1e-5f);
    return mean;
}
void vector_softmax(int n, float x[static const restrict n]) {
    float max, sum;
    __pencil_reduction_var_init(&max, lowest);
    for (int i = 0; i < n; i++) __pencil_reduction(&max, x[i], larger);
    __pencil_reduction_var_init(&sum, zero);
    for (int i = 0; i < n; i++) {
        x[i] = expf(x[i] - max);
        __pencil_reduction(&sum, x[i], add);
    }
    for (int i = 0; i < n; i++) x[i] /= sum;
}
void every_second(int n, const float x[static const restrict 2 * n], float y[static const restrict 2 * n]) {
    float sum;
    __pencil_reduction_var_init(&sum, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&sum, expf(x[2 * i]), add);
    for (int i = 0; i < n; i++) y[2 * i] = expf(x[2 * i]) / sum + x[2 * i];
}
