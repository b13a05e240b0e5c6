// A loop on the host that calls a helper which is compiled: it is not left to itself in silence.
#include <pencil.h>

static void zero(float *s) { *s = 0; }
static float add(float a, float b) { return a + b; }

static float dot(int n, const float a[static const restrict n], const float b[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i] * b[i], add);
    return s;
}

float norm(int n, const float a[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i] * a[i], add);
    return s;
}

void product(int n, int m, const float a[static const restrict n][m], const float x[static const restrict m],
             float y[static const restrict n])
{
    for (int i = 0; i < n; i++)
        y[i] = dot(m, a[i], x); // warning[PC0704]: `product` stays on the host and calls `dot`, which is compiled
}

void norms(int n, int m, const float a[static const restrict n][m], float y[static const restrict n])
{
    for (int i = 0; i < n; i++)
        y[i] = norm(m, a[i]);
}

float once(int n, const float a[static const restrict n])
{
    return dot(n, a, a);
}

void rows(int n, int m, const float a[static const restrict n][m], const float x[static const restrict m],
          float y[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = dot(m, a[i], x);
#pragma endscop
}
