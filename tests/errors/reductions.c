// Mistakes with the reduction builtins.
#include <pencil.h>

static float add(float a, float b) { return a + b; }
static float mul(float a, float b) { return a * b; }
static float three(float a, float b, float c) { return a + b + c; }
static double wide(double a, double b) { return a + b; }
static void zero(float *p) { *p = 0; }
static void izero(int *p) { *p = 0; }
static float zero_value(float x) { return x; }
static float counting(float a, float b)
{
    static int calls; // error[PC0204]: keeps its value
    return a + b;
}
float unknown(float a); // a prototype only
static float calling(float a, float b) { return a + unknown(b); } // error[PC0204]: it calls `unknown`

float never(int n, const float a[static const restrict n])
{
    float s;
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add); // error[PC0201]: reduction variable `s` is never initialised
    return s;
}

float operators(int n, const float a[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&s, a[i], add);
        __pencil_reduction(&s, a[i], mul); // error[PC0207]: updated with two operators
    }
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], three); // error[PC0202]: operator `three` has the wrong type
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], wide); // error[PC0202]: operator `wide` has the wrong type
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], missing); // error[PC0202]: operator `missing` is not declared
    for (int i = 0; i < n; i++)
        __pencil_reduction(s, a[i], add); // error[PC0210]: wants the address of a variable
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i]); // error[PC0011]: wants 3 arguments, not 2
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a, add); // error[PC0012]: the element has type
    return s;
}

float inits(int n, const float a[static const restrict n])
{
    float s;
    int k = 0;
    __pencil_reduction_var_init(&s, zero);
    __pencil_reduction_var_init(&s, izero); // error[PC0203]: init function `izero` has the wrong type
    __pencil_reduction_var_init(&s, zero_value); // error[PC0203]: init function `zero_value`
    __pencil_reduction_var_init(&s, nothing); // error[PC0203]: init function `nothing` is not declared
    __pencil_reduction_var_init(&s, k); // error[PC0203]: init function `k` is not a function
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i], add);
    return s;
}

float impure(int n, const float a[static const restrict n])
{
    float s, t;
    __pencil_reduction_var_init(&s, zero);
    __pencil_reduction_var_init(&t, zero);
    for (int i = 0; i < n; i++) {
        __pencil_reduction(&s, a[i], counting);
        __pencil_reduction(&t, a[i], calling);
    }
    return s + t;
}
