// Mistakes with reductions that only the flow of values shows.
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }
static float mul(float a, float b) { return a * b; }

float some_paths(int n, const float a[static const restrict n])
{
    float s;
    if (n > 10)
        __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add); // error[PC0201]: is not initialised on every path to this update
    return s;
}

void one_row(int n, int m, const float a[static const restrict n], const int at[static const restrict n],
             float out[static const restrict m])
{
    for (int k = 0; k < m - 1; k++)
        __pencil_reduction_var_init(&out[k], zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&out[at[i]], a[i], add); // warning[PC0201]: some elements that this update may touch
}

void scan(int n, const float a[static const restrict n], float out[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&s, a[i], add);
        out[i] = s; // error[PC0205]: read inside its own reduction
    }
}

void before_the_first(int n, const float a[static const restrict n], float out[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        out[i] = s; // error[PC0205]: read inside its own reduction
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    out[0] += s;
}

void written(int n, const float a[static const restrict n], float out[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&s, a[i], add);
        if (i == 5)
            s = 1; // error[PC0206]: written between its initialisation and an update
    }
    out[0] = s;
}

void rows(int n, const float a[static const restrict n], float out[static const restrict n])
{
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&out[i], zero);
        for (int j = 0; j < n; j++)
            __pencil_reduction(&out[i], a[j], add);
    }
    for (int i = 0; i < n; i++)
        out[i] = out[i] * 2;
}
