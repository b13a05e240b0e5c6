// An initialisation that is in error itself: its variable draws no second error.
#include <pencil.h>
static void zero(float *s) { *s = 0; }
static float add(float a, float b) { return a + b; }

float each_once(int n, const float x[static const restrict n])
{
    float s, t, u, v;
    __pencil_reduction_var_init(&s, 0.0f); // error[PC0203]: must be the name of a function
    __pencil_reduction_var_init(t, zero); // error[PC0210]: wants the address of a variable
    __pencil_reduction_var_init(&u); // error[PC0011]: wants 2 arguments
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&s, x[i], add);
        __pencil_reduction(&t, x[i], add);
        __pencil_reduction(&u, x[i], add);
        __pencil_reduction(&v, x[i], add); // error[PC0201]: `v` is never initialised
        __pencil_reduction(&v, 2 * x[i], add);
    }
    return s + t + u + v;
}

void in_a_loop(int n, const float x[static const restrict n], float h[static const restrict 4])
{
    for (int k = 0; k < 4; k += n) // error[PC0304]: loop step is not constant
        __pencil_reduction_var_init(&h[k], zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&h[i & 3], x[i], add);
}

typedef struct { float low, high; } Pair;

void in_a_branch(int n, const float x[static const restrict n], Pair p[static const restrict n])
{
    for (int i = 0; i < n; i++) {
        if (n > 3)
            __pencil_reduction_var_init(&p[i].low, nothing); // error[PC0203]: `nothing` is not declared
        for (int j = 0; j < n; j++)
            __pencil_reduction(&p[i].low, x[j], add);
    }
}

// A variable of the same name in another function is another one.
float of_that_name(int n, const float x[static const restrict n])
{
    float s;
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, x[i], add); // error[PC0201]: `s` is never initialised
    return s;
}
