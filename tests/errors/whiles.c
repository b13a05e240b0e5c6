// Loops that run in one thread because nobody knows how often they run.
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

float outside(int n, const float a[static const restrict n])
{
    float s;
    int i = 0;
    __pencil_reduction_var_init(&s, zero);
    while (a[i] > 0) { // warning[PC0306]: this loop runs in one GPU thread
        __pencil_reduction(&s, a[i], add);
        i = i + 1;
    }
    return s;
}

void below_a_loop(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        while (a[i] > 1)
            a[i] = a[i] / 2;
#pragma endscop
}

void under_a_condition(int n, float a[static const restrict n])
{
#pragma scop
    if (a[0] > 0)
        for (int i = 0; i < n; i++) // warning[PC0302]: it stands under a condition that depends on data
            a[i] = 0;
#pragma endscop
}

void nothing_but_an_end(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i * i < n; i++) // warning[PC0306]: this loop runs in one GPU thread
        a[i] = 1;
#pragma endscop
}
