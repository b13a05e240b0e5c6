// Errors of all stages in one run, and constructs that are no PENCIL.
#include <pencil.h>
static void zero(float *v) { *v = 0; }
static float add(float a, float b) { return a + b; }

float front(int n, const float a[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i] + nothing, add); // error[PC0010]: `nothing` is not declared
    return s;
}

float flow(int n, const float a[static const restrict n], float out[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&s, a[i], add);
        out[i] = s; // error[PC0205]: read inside its own reduction
    }
    return s;
}

void unsupported(int n, float a[static const restrict n])
{
#pragma scop
    a[0] = "text"[0]; // error[PC0014]: strings are not supported here
    a[0] = sizeof(a); // error[PC0014]: `sizeof` of the parameter `a` is that of a pointer in C
#pragma endscop
}
