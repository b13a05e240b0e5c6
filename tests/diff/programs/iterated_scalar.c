// sizes: n=0,1,33,300 steps=0,1,3
// Sums that each step begins again, in a variable outside of the steps: what a step leaves there, nobody reads later.
#include <pencil.h>
static void zerof(float *x) { *x = 0; }
static float addf(float a, float b) { return a + b; }

void scalar_outside(int n, int steps, float y[static const restrict n])
{
    float s;
    for (int k = 0; k < steps; k++) {
        __pencil_reduction_var_init(&s, zerof);
        for (int i = 0; i < n; i++) __pencil_reduction(&s, y[i] * (k + 1), addf);
        for (int i = 0; i < n; i++) y[i] = y[i] + 0.01f * s;
    }
}

void scalar_inside(int n, int steps, float y[static const restrict n])
{
    for (int k = 0; k < steps; k++) {
        float s;
        __pencil_reduction_var_init(&s, zerof);
        for (int i = 0; i < n; i++) __pencil_reduction(&s, y[i] * (k + 1), addf);
        for (int i = 0; i < n; i++) y[i] = y[i] + 0.01f * s;
    }
}

void read_behind(int n, int steps, float y[static const restrict n], float last[static const restrict 1])
{
    float s = 0;
    for (int k = 0; k < steps; k++) {
        __pencil_reduction_var_init(&s, zerof);
        for (int i = 0; i < n; i++) __pencil_reduction(&s, y[i] * (k + 1), addf);
        for (int i = 0; i < n; i++) y[i] = y[i] + 0.01f * s;
    }
    last[0] = s;
}

void element_of_parameter(int n, int steps, float y[static const restrict n], float s[static const restrict 1])
{
    for (int k = 0; k < steps; k++) {
        __pencil_reduction_var_init(&s[0], zerof);
        for (int i = 0; i < n; i++) __pencil_reduction(&s[0], y[i] * (k + 1), addf);
        for (int i = 0; i < n; i++) y[i] = y[i] + 0.01f * s[0];
    }
}
