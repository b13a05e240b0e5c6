#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

void rows(int h, int w, const float a[static const restrict h][w], float r[static const restrict h])
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            __pencil_reduction_var_init(&r[y], zero);
            __pencil_reduction(&r[y], a[y][x], add);
        }
#pragma endscop
}
