// pencilc knows its builtins without the header; other C compilers do not.
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

float sum(int n, const float a[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero); // warning[PC0017]: `__pencil_reduction_var_init` is used without `#include <pencil.h>`
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}
